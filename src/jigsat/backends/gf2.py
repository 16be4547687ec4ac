"""Gaussian elimination over GF(2): for formulas that consist of XORs, and for those whose XORs have
few solutions.

If the XORs have few solutions, all of these are tested against the other constraints, which beats a
search. On a Lights Out board with 900 cells and 2^20 solutions, this finds the fewest presses in a
second; MaxSAT does not within ten minutes.
"""

from __future__ import annotations

import random
from collections.abc import Generator, Iterator, Mapping, Sequence
from copy import deepcopy

from jigsat.backends.base import Capabilities, Enumerating, Spec
from jigsat.backends.pysat import Bounds
from jigsat.errors import InputError
from jigsat.formula import (
    Acyclic,
    Clause,
    Connected,
    Constraint,
    Formula,
    Linear,
    LinearModels,
    Regions,
    SingleLoop,
    System,
    Xor,
    as_sum,
    bits,
    count_models,
)
from jigsat.formula.solution_blocks import BLOCK_BITS, Block, Sums, Tables, blocks

MAX_TESTED_NULLITY = 24
"""The maximum nullity if there are other constraints or an objective."""

MAX_TESTED_LITERALS = 500_000
"""The maximum number of literals in these, times the number of blocks with 2^16 solutions. A block
takes about 3 µs for each literal, so this takes about 1.5 s; 900 cells with 2^24 solutions take
0.7 s."""

MAX_FRUITLESS_BLOCKS = 20
"""The number of blocks in a row without a better solution after which the descent ends: 0.1 s for
1,500 literals. Lights Out on 39×39 cells comes from 715 to about 520 presses."""


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
    solver = load_xors(formula)
    return solver if solver is not None and solver.can_test(len(formula.objective)) else None


def load_xors(formula: Formula) -> Elimination | None:
    """The solver with a formula in it; None if there are no XORs."""
    if not any(isinstance(constraint, Xor) for constraint in formula.others()):
        return None
    solver = Elimination()
    solver.project(formula.decisions())
    solver.load(formula)
    return solver


class Elimination(Enumerating):
    """A system of equations that enumerates its solutions, except those that violate other
    constraints.

    Solving raises InputError if there are other constraints and too many solutions to be tested.
    """

    capabilities = Capabilities(
        xor=True, cardinality=True, linear=True, clauses=False, assumptions=True, enumerates=True
    )

    def __init__(self) -> None:
        super().__init__()
        self._system = System()
        self._others: dict[str, None] = {}
        self._tests: list[Linear] = []

    def project(self, variables: Sequence[int]) -> None:
        self._system.meet(variables)

    def add(self, constraint: Constraint) -> None:
        match constraint:
            case Xor() | Clause((_,)):
                self._system.add(constraint)
            case Connected() | SingleLoop() | Acyclic() | Regions():
                raise TypeError(f"gf2 does not accept {constraint.kind} constraints")
            case _:
                test = as_sum(constraint)
                self._system.meet(map(abs, test.literals))
                self._others[constraint.kind] = None
                self._tests.append(test)
        self._start_over()

    def can_test(self, objective: int = 0, system: System | None = None) -> bool:
        """Whether all solutions can be tested quickly, perhaps of a `system` with assumptions;
        `objective` is the number of literals in an objective."""
        nullity = (system or self._system).nullity
        literals = objective + sum(len(test.literals) for test in self._tests)
        number = literals << max(0, nullity - BLOCK_BITS)
        is_short = nullity <= BLOCK_BITS or number <= MAX_TESTED_LITERALS
        return nullity <= MAX_TESTED_NULLITY and is_short

    def solutions(self, assumptions: Sequence[int] = ()) -> Iterator[int]:
        """All solutions as bit vectors in which the assumptions hold."""
        system = deepcopy(self._system)
        for literal in assumptions:
            system.add(Clause((literal,)))
        if not self._tests:
            yield from system.solutions()
            return
        if not self.can_test(system=system):
            raise InputError(
                f"the backend gf2 accepts only XOR constraints and single literals, unless their "
                f"solutions are few; but this "
                f"formula also has constraints of the kind "
                f"{' and '.join(map(repr, self._others))}, and its XORs have "
                f"2^{system.nullity} solutions; use another backend"
            )
        for block in blocks(system):
            yield from block.solutions(self._test(block))

    def _test(self, block: Block) -> int:
        """The solutions of a block that pass all tests."""
        left = block.all
        for literals, weights, at_least, at_most in self._tests:
            if not left:
                break
            sums = Sums(block, zip(literals, weights, strict=True))
            left &= sums.at_least(at_least) & sums.at_most(at_most)
        return left

    def bound_least(self, costs: Mapping[int, int]) -> Iterator[Bounds]:
        """Better and better solutions, the last one of least cost; nothing if there is none."""
        lower = sum(min(0, cost) for cost in costs.values())
        best: Bounds | None = None
        for block in blocks(self._system):
            cheapest = block.cheapest(Sums(block, costs.items()), self._test(block))
            if cheapest is None:
                continue
            cost, number = cheapest
            if best is None or cost < best.best:
                best = Bounds(lower, cost, frozenset(bits(block.solution(number))))
                yield best
        if best is not None:
            yield best._replace(lower=best.best)

    def descend(self, costs: Mapping[int, int]) -> Iterator[Bounds]:
        """Better and better solutions, each of least cost in a block around the one before; nothing
        if there is none, or if there are other constraints."""
        solution = next(self._system.solutions(), None)
        if solution is None or self._tests:
            return
        lower = sum(min(0, cost) for cost in costs.values())
        kernel = self._system.kernel()
        rng = random.Random(0)
        best: int | None = None
        fruitless = 0
        while fruitless < MAX_FRUITLESS_BLOCKS:
            fruitless += 1
            vectors = rng.sample(kernel, min(len(kernel), BLOCK_BITS))
            block = Block(solution, Tables(vectors))
            cost, number = block.cheapest(Sums(block, costs.items()), block.all) or (0, 0)
            if best is None or cost < best:
                best, fruitless = cost, 0
                solution = block.solution(number)
                yield Bounds(lower, best, frozenset(bits(solution)))

    def _models(self, assumptions: Sequence[int]) -> Generator[Sequence[int], None, None]:
        for solution in self.solutions(assumptions):
            yield list(bits(solution))

    def statistics(self) -> dict[str, int]:
        return {"rank": self._system.rank, "nullity": self._system.nullity}
