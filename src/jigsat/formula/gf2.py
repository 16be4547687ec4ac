"""Linear algebra over GF(2): systems of XOR equations, their rank, their solutions, and the number
of solutions.

Vectors are Python integers. In an equation bit v is set if it contains variable v, and bit 0 if an
odd number of them must be true; in a solution bit v is the value of variable v, and bit 0 is set.
So a solution satisfies an equation if the two have an even number of bits in common.

>>> system = System([Xor((1, 2), True), Xor((2, 3), False), Xor((1, 3), True)])
>>> system.rank, system.nullity, system.consistent
(2, 1, True)
>>> [list(bits(solution)) for solution in system.solutions()]
[[2, 3], [1]]
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import reduce
from operator import or_

from jigsat.errors import InputError
from jigsat.formula.constraints import Clause, Constraint, Xor
from jigsat.formula.formula import Formula
from jigsat.formula.lowering import Lowered


class System:
    """A system of equations, kept in echelon form: no two rows have the same highest bit."""

    def __init__(self, constraints: Iterable[Constraint] = ()) -> None:
        self._rows: dict[int, int] = {}
        self._met = 0
        for constraint in constraints:
            self.add(constraint)

    def meet(self, variables: Iterable[int]) -> None:
        """Add variables to the unknowns of the system, even if they occur in no equation."""
        self._met |= vector(variables)

    def add(self, constraint: Constraint) -> None:
        """Add an XOR or a clause of one literal. Raises InputError for any other constraint."""
        equation = _equation(constraint)
        row = vector(equation.variables) | equation.odd
        self._met |= row
        while row and (other := self._rows.get(row.bit_length() - 1)):
            row ^= other
        if row:
            self._rows[row.bit_length() - 1] = row

    @property
    def consistent(self) -> bool:
        """Whether there is a solution, that is, no row is the contradiction 0 = 1."""
        return 0 not in self._rows

    @property
    def rank(self) -> int:
        """The number of independent left-hand sides."""
        return sum(pivot > 0 for pivot in self._rows)

    @property
    def nullity(self) -> int:
        """The dimension n of the kernel; if there is a solution, there are 2^n."""
        return (self._met >> 1).bit_count() - self.rank

    def restrict_to(self, top: int) -> System:
        """The system on the variables 1 to `top` that remains when the others are eliminated."""
        system = System()
        system._rows = {pivot: row for pivot, row in self._rows.items() if pivot <= top}
        system.meet(range(1, top + 1))
        return system

    def kernel(self) -> list[int]:
        """A basis of the kernel, that is, of the solutions of the homogeneous equations."""
        return [
            self._complete_solution(1 << variable)
            for variable in bits(self._met)
            if variable not in self._rows
        ]

    def solutions(self) -> Iterator[int]:
        """All solutions, lazily, each differing from the one before by one vector of the basis
        (Gray code)."""
        if not self.consistent:
            return
        solution = self._complete_solution(1)
        kernel = self.kernel()
        yield solution
        for i in range(1, 1 << len(kernel)):
            solution ^= kernel[(i & -i).bit_length() - 1]
            yield solution

    def _complete_solution(self, chosen: int) -> int:
        """A solution with the chosen values of the free variables; the leading variables of the
        rows follow from them."""
        for pivot, row in sorted(self._rows.items()):
            if (row & chosen).bit_count() % 2:
                chosen |= 1 << pivot
        return chosen


def as_xor(constraint: Constraint) -> Xor | None:
    """An XOR, or a clause of one literal as an XOR; None for any other constraint."""
    match constraint:
        case Xor():
            return constraint
        case Clause((literal,)):
            return Xor((abs(literal),), literal > 0)
    return None


def _equation(constraint: Constraint) -> Xor:
    if xor := as_xor(constraint):
        return xor
    raise InputError(
        f"the backend gf2 accepts only XOR constraints and single literals, but this formula has "
        f"a constraint of the kind "
        f"{constraint.kind!r}; use another backend"
    )


def vector(variables: Iterable[int]) -> int:
    """The integer in which the bits of these variables are set. It takes a small fraction of the
    memory of a set."""
    return sum(map((1).__lshift__, {*variables}))  # a clause may repeat a literal


def bits(vector: int) -> Iterator[int]:
    """The variables whose bits are set."""
    return (i for i, bit in enumerate(reversed(bin(vector)[2:])) if bit == "1" and i)


class LinearModels:
    """The models of a formula, numbered from 0 to `total` - 1; those that agree on the decision
    variables count as one.

    Raises InputError if a constraint is not an XOR.
    """

    def __init__(self, formula: Formula) -> None:
        self._decisions = formula.decisions()
        lowered = Lowered(formula, native=frozenset({"xor"}))
        equations = [_equation(constraint) for constraint in lowered]
        auxiliary = sorted(set(range(1, lowered.top + 1)).difference(self._decisions))
        # the variables with the highest numbers are eliminated first
        number = {variable: i for i, variable in enumerate([*self._decisions, *auxiliary], 1)}
        every = System(
            Xor(tuple(number[variable] for variable in xor.variables), xor.odd) for xor in equations
        )
        system = every.restrict_to(len(self._decisions))
        self._kernel = system.kernel()
        self._first = next(system.solutions(), 0)
        self.total = 2**system.nullity if system.consistent else 0

    def model(self, rank: int) -> frozenset[int]:
        """The true decision variables of the model of this rank. Raises IndexError for a rank out
        of range."""
        if not 0 <= rank < self.total:
            raise IndexError("there is no solution of this rank")
        solution = self._first
        for i, vector in enumerate(self._kernel):
            if rank >> i & 1:
                solution ^= vector
        return frozenset(self._decisions[variable - 1] for variable in bits(solution))

    def occurrences(self) -> dict[int, int]:
        """For each decision variable the number of models in which it is true: all, none or half of
        them."""
        changing = reduce(or_, self._kernel, 0)
        halves = (
            1 if changing >> i & 1 else 2 * (self._first >> i & 1)
            for i in range(1, len(self._decisions) + 1)
        )
        return {
            x: number * self.total // 2 for x, number in zip(self._decisions, halves, strict=True)
        }


def count_models(formula: Formula) -> int:
    """The number of models that differ on the decision variables, by rank. Raises InputError if a
    constraint is not an XOR."""
    return LinearModels(formula).total
