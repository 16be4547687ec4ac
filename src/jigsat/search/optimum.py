"""The minimum cost of a formula's models, by MaxSAT, or among all solutions of the XORs if they have few."""

from jigsat.backends import few, least_cost
from jigsat.formula import Clause, Formula, Lowered, Lowering, Sum


def least(formula: Formula, lowering: Lowering | None = None) -> int | None:
    """The minimum cost of a model (see `Formula.minimize`), or None if there is no model.

    >>> formula = Formula()
    >>> x = formula.variables("x", ("i",), [(i,) for i in range(4)])
    >>> formula.at_least(3, x[:])
    >>> formula.minimize(x[:])
    >>> least(formula)
    3
    """
    if solver := few(formula):
        return min(map(Sum(formula.objective.items()), solver.solutions()), default=None)
    lowered = Lowered(formula, lowering)
    return least_cost((each.literals for each in lowered if isinstance(each, Clause)), formula.objective)
