"""Gaussian elimination over GF(2), for formulas that are only XORs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from jigsat.backends import Backend, Capabilities, Spec
from jigsat.formula import Constraint
from jigsat.gf2 import System, bits, count_models


def specs() -> Iterator[Spec]:
    yield Spec("gf2", "jigsat", "nothing to install", _open, establishes="rank", count=count_models)


def _open() -> Backend:
    return Elimination()


class Elimination:
    """A system of equations that gives its solutions one by one. A constraint of another kind raises InputError."""

    capabilities = Capabilities(xor=True, clauses=False, enumerates=True)

    def __init__(self) -> None:
        self._system = System()
        self._solutions: Iterator[int] | None = None
        self._solution: int | None = None

    def project(self, variables: Sequence[int]) -> None:
        self._system.meet(variables)

    def add(self, constraint: Constraint) -> None:
        self._system.add(constraint)
        self._solutions = None

    def solve(self, assumptions: Sequence[int] = ()) -> bool:
        if assumptions:
            raise NotImplementedError("gf2 takes no assumptions")
        if self._solutions is None:
            self._solutions = self._system.solutions()
        self._solution = next(self._solutions, None)
        return self._solution is not None

    def model(self) -> Sequence[int]:
        return list(bits(self._solution or 0))

    def prefer(self, literals: Sequence[int]) -> None:
        raise NotImplementedError("gf2 takes no phases")

    def statistics(self) -> dict[str, int]:
        return {"rank": self._system.rank, "nullity": self._system.nullity}

    def close(self) -> None:
        self._solutions = None
