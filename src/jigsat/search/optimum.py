"""The minimum cost of a formula's models, by MaxSAT."""

from __future__ import annotations

from collections.abc import Iterator

from jigsat.backends import least_cost
from jigsat.formula import Clause, Formula, Lowered, Lowering


def least(formula: Formula, lowering: Lowering | None = None) -> int | None:
    """The minimum cost of a model (see `Formula.minimize`), or None if there is no model.

    >>> formula = Formula()
    >>> x = formula.variables("x", ("i",), [(i,) for i in range(4)])
    >>> formula.at_least(3, x[:])
    >>> formula.minimize(x[:])
    >>> least(formula)
    3
    """

    def clauses() -> Iterator[tuple[int, ...]]:
        for constraint in Lowered(formula, lowering):
            assert isinstance(constraint, Clause)
            yield constraint.literals

    return least_cost(clauses(), formula.objective)
