"""Counting orbits without a list of representatives, when subproblems are counted separately and in any order.

The search is that of a formula which has at least one model of each orbit, because a single clause breaks the symmetries. An
orbit with m such models is found m times, perhaps in several subproblems, so each of these models counts as 1/m of its orbit.
The number m follows from the model alone. Models are counted by their `OrbitShare`, so the sums are exact, and a number of
models that m does not divide reveals an error.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from jigsat.errors import CheckError
from jigsat.formula import Formula
from jigsat.symmetry import LEVELS, Group, Model

BREAKING = "one of each orbit"  # name of the constraint group with the clause that breaks symmetries


class OrbitShare(NamedTuple):
    """What a model shows about its orbit up to all symmetries.

    `solutions` is the size of the orbit, `found` the number of its members that satisfy the breaking clause, and `distinct` the
    number of orbits of each level in it, in the order of `Group.orders`.
    """

    solutions: int
    found: int
    distinct: tuple[int, ...]


class OrbitCounter:
    """Finds the share of a model from its orbit up to all symmetries."""

    def __init__(self, group: Group, breaking: Sequence[int]) -> None:
        self._group = group
        self._breaking = frozenset(breaking)
        self._top = LEVELS[-1]

    def orbit(self, model: Model) -> set[Model]:
        """The orbit of a model, the model included."""
        return self._group.orbit(model, self._top)

    def share(self, orbit: set[Model]) -> OrbitShare:
        """The share of the models in an orbit."""
        levels = self._group.levels
        found = sum(1 for member in orbit if self._satisfies(member)) if self._breaking else len(orbit)
        if len(orbit) == len(levels[self._top]):  # the stabiliser is trivial
            return OrbitShare(len(orbit), found, tuple(len(orbit) // len(levels[level]) for level in self._group.orders))
        return OrbitShare(len(orbit), found, tuple(self._group.count(orbit, level) for level in self._group.orders))

    def represents(self, model: Model, orbit: set[Model]) -> bool:
        """Whether a model is the first of those in its orbit that satisfy the breaking clause, so that one search finds it."""
        found = filter(self._satisfies, orbit) if self._breaking else orbit
        return sorted(model) == min(map(sorted, found))

    def _satisfies(self, model: Model) -> bool:
        return not self._breaking.isdisjoint(model)


def with_breaking_clause(formula: Formula, breaking: Sequence[int]) -> Formula:
    """The formula with the clause that breaks symmetries, if there is one."""
    formula = formula.extended()
    if breaking:
        with formula.group(BREAKING):
            formula.clause(breaking)
    return formula


def add_shares(counts: Counter[OrbitShare], levels: Iterable[str], *, complete: bool) -> tuple[int, dict[str, int]]:
    """The number of solutions, and of distinct solutions at each level; lower bounds if the counts are not complete.

    Raises CheckError if an orbit was not found completely.
    """
    solutions, distinct = 0, dict.fromkeys(levels, 0)
    for kind, number in counts.items():
        whole, rest = divmod(number, kind.found)
        if rest and complete:
            raise CheckError(
                f"{number:,} models were found in orbits that have {kind.found} models each, which is impossible: a "
                "ledger is damaged, or this is a bug"
            )
        whole += bool(rest)
        solutions += whole * kind.solutions
        for level, inside in zip(distinct, kind.distinct, strict=True):
            distinct[level] += whole * inside
    return solutions, distinct
