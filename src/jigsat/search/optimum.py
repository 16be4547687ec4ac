"""The least objective of a formula, by MaxSAT."""

from __future__ import annotations

from jigsat.formula import Clause, Formula, Lowered, Lowering


def least(formula: Formula, lowering: Lowering | None = None) -> int | None:
    """The fewest literals of `formula.objective` that are true in a model, or None if there is no model.

    RC2 raises a lower bound from unsatisfiable cores until a model meets it, so its answer is both attained and proved to
    be the least.

    >>> formula = Formula()
    >>> x = formula.variables("x", ("i",), [(i,) for i in range(4)])
    >>> formula.at_least(3, x[:])
    >>> formula.minimize(x[:])
    >>> least(formula)
    3
    """
    from pysat.examples.rc2 import RC2
    from pysat.formula import WCNF

    weighted = WCNF()
    for constraint in Lowered(formula, lowering):
        assert isinstance(constraint, Clause)
        weighted.append(constraint.literals)
    for literal in formula.objective:
        weighted.append([-literal], weight=1)
    with RC2(weighted) as solver:
        return None if solver.compute() is None else int(solver.cost)
