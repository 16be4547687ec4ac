"""Gaussian elimination over GF(2): for formulas that consist of XORs, and for those whose XORs have
few solutions.

If the XORs have few solutions, these are tested against the other constraints one by one, which
beats a search. On a Lights Out board with 2,500 cells and 256 solutions, this finds the fewest
presses in a second; MaxSAT does not within two minutes.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Sequence
from copy import deepcopy

from jigsat.backends.base import Capabilities, Enumerating, Spec
from jigsat.errors import InputError
from jigsat.formula import (
    Acyclic,
    Clause,
    Connected,
    Constraint,
    Formula,
    LinearModels,
    Regions,
    SingleLoop,
    Sum,
    System,
    Xor,
    as_sum,
    bits,
    count_models,
)

# maximum nullity if there are other constraints: testing 2^16 solutions takes about a second
MAX_TESTED_NULLITY = 16


def specs() -> Iterator[Spec]:
    yield Spec(
        "gf2",
        "jigsat",
        "nothing to install",
        Elimination,
        establishes="rank",
        count=count_models,
        rank=LinearModels,
    )


def few(formula: Formula) -> Elimination | None:
    """The solver with a formula in it if its XORs have so few solutions that each can be tested."""
    if not any(isinstance(constraint, Xor) for constraint in formula.others()):
        return None
    solver = Elimination()
    solver.project(formula.decisions())
    solver.load(formula)
    return solver if solver.statistics()["nullity"] <= MAX_TESTED_NULLITY else None


class Elimination(Enumerating):
    """A system of equations that enumerates its solutions, except those that violate other
    constraints.

    Solving raises InputError if there are other constraints and more than 2^`MAX_TESTED_NULLITY`
    solutions to be tested.
    """

    capabilities = Capabilities(
        xor=True, cardinality=True, linear=True, clauses=False, assumptions=True, enumerates=True
    )

    def __init__(self) -> None:
        super().__init__()
        self._system = System()
        self._others: dict[str, None] = {}
        self._tests: list[Callable[[int], bool]] = []

    def project(self, variables: Sequence[int]) -> None:
        self._system.meet(variables)

    def add(self, constraint: Constraint) -> None:
        match constraint:
            case Xor() | Clause((_,)):
                self._system.add(constraint)
            case Connected() | SingleLoop() | Acyclic() | Regions():
                raise TypeError(f"gf2 does not accept {constraint.kind} constraints")
            case _:
                literals, weights, at_least, at_most = as_sum(constraint)
                total = Sum(zip(literals, weights, strict=True))
                self._system.meet(map(abs, literals))
                self._others[constraint.kind] = None
                self._tests.append(lambda solution: at_least <= total(solution) <= at_most)
        self._start_over()

    def solutions(self, assumptions: Sequence[int] = ()) -> Iterator[int]:
        """All solutions as bit vectors in which the assumptions hold."""
        system = deepcopy(self._system)
        for literal in assumptions:
            system.add(Clause((literal,)))
        if self._tests and system.nullity > MAX_TESTED_NULLITY:
            raise InputError(
                f"the backend gf2 accepts only XOR constraints and single literals, unless their "
                f"solutions are few; but this "
                f"formula also has constraints of the kind "
                f"{' and '.join(map(repr, self._others))}, and its XORs have "
                f"2^{system.nullity} solutions; use another backend"
            )
        return (
            solution
            for solution in system.solutions()
            if all(test(solution) for test in self._tests)
        )

    def _models(self, assumptions: Sequence[int]) -> Generator[Sequence[int], None, None]:
        for solution in self.solutions(assumptions):
            yield list(bits(solution))

    def statistics(self) -> dict[str, int]:
        return {"rank": self._system.rank, "nullity": self._system.nullity}
