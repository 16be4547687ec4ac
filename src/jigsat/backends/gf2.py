"""Gaussian elimination over GF(2), for formulas that consist of XORs."""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence
from copy import deepcopy

from jigsat.backends.base import Backend, Capabilities, Enumerating, Spec
from jigsat.formula import Clause, Constraint, LinearModels, System, bits, count_models


def specs() -> Iterator[Spec]:
    yield Spec("gf2", "jigsat", "nothing to install", _open, establishes="rank", count=count_models, rank=LinearModels)


def _open() -> Backend:
    return Elimination()


class Elimination(Enumerating):
    """A system of equations that enumerates its solutions. A constraint of another kind raises InputError."""

    capabilities = Capabilities(xor=True, clauses=False, assumptions=True, enumerates=True)

    def __init__(self) -> None:
        super().__init__()
        self._system = System()

    def project(self, variables: Sequence[int]) -> None:
        self._system.meet(variables)

    def add(self, constraint: Constraint) -> None:
        self._system.add(constraint)
        self._start_over()

    def _models(self, assumptions: Sequence[int]) -> Generator[Sequence[int], None, None]:
        system = deepcopy(self._system)
        for literal in assumptions:
            system.add(Clause((literal,)))
        for solution in system.solutions():
            yield list(bits(solution))

    def statistics(self) -> dict[str, int]:
        return {"rank": self._system.rank, "nullity": self._system.nullity}
