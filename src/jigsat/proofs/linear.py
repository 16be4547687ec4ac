"""Certificates of linear algebra, for formulas that consist of XORs: all solutions as one solution
and a kernel.

Such a formula is a system of m equations in n variables over GF(2). The certificate contains

- the instance file;
- `formula.xnf`, the equations, as `jigsat export` writes them;
- `solutions.json`: one solution and k vectors that span the kernel, if there is a solution. Adding
  any of the vectors gives
  another solution, so there are at least 2^k;
- `rank.txt`, which shows that n - k of the equations are independent, so there are at most 2^k.
  Each line has the number of an
  equation and the numbers of earlier lines. The sum of that equation and these lines has a
  variable, its leading one, that is
  higher than all others in it and leads no other line. If there is no solution, `rank.txt` has one
  line with the numbers of
  equations whose sum is 0 = 1;
- `symmetries.json` and `README.md`, as in other certificates.

Everything is verified by adding equations; no elimination is needed. The lines are those of
Gaussian elimination in the order of the board, which keeps them short: each light of a board with
100×100 cells is switched by few presses.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import chain

from jigsat.errors import CheckError
from jigsat.formula import Formula, Lowered, System, Xor, as_xor, bits, vector
from jigsat.proofs.properties import EquationsContradictory, EquationsIndependent
from jigsat.puzzle import Puzzle
from jigsat.search.portfolio import least
from jigsat.symmetry import Model

PROOF = "rank.txt"
FILES = ("formula.xnf", "solutions.json", "symmetries.json", PROOF, "README.md")
"""The files in a certificate of linear algebra besides the instance file."""


def summarize(
    equations: Equations, consistent: bool, lines: Sequence[Line]
) -> EquationsIndependent | EquationsContradictory:
    """What `rank.txt` proves."""
    number = len(equations.rows)
    if consistent:
        return EquationsIndependent(len(lines), number)
    return EquationsContradictory(len(lines[0]), number)


def minimum(puzzle: Puzzle, formula: Formula) -> int | None:
    """The minimum of the objective, if the instance file states it."""
    return least(formula) if puzzle.known.minimum is not None and formula.objective else None


# number of an equation and the numbers of earlier lines; or the numbers of equations whose sum is
# 0 = 1
Line = Sequence[int]


@dataclass(frozen=True)
class Equations:
    """The equations of a formula as bit vectors: bit v stands for variable v, and bit 0 for an odd
    number of true ones."""

    variables: Sequence[int]
    rows: Sequence[int]

    @classmethod
    def of(cls, formula: Formula) -> Equations | None:
        """The equations of a formula; None if it has other constraints or auxiliary variables."""
        rows = []
        lowered = Lowered(formula, native=frozenset({"xor"}))
        for constraint in lowered:
            if not (xor := as_xor(constraint)):
                return None
            rows.append(vector(xor.variables) | xor.odd)
        decisions = formula.decisions()
        return cls(decisions, rows) if lowered.top == len(decisions) else None

    def hold(self, true: Iterable[int], *, homogeneous: bool = False) -> bool:
        """Whether the equations hold if these variables are true; the homogeneous ones have 0 on
        the right-hand side."""
        point = vector(true) | (not homogeneous)
        return not any((row & point).bit_count() % 2 for row in self.rows)

    def eliminate(self) -> tuple[bool, list[Line]]:
        """Whether there is a solution, and the lines of `rank.txt`."""
        lines: list[Line] = []
        sums: list[
            tuple[int, int]
        ] = []  # the sum of each line, and the numbers of the equations in it, as bits
        leading: dict[int, int] = {}
        for number, total in enumerate(self.rows, 1):
            added = []
            summands = 1 << number
            while total > 1 and (at := leading.get(total.bit_length() - 1)):
                total, summands = total ^ sums[at - 1][0], summands ^ sums[at - 1][1]
                added.append(at)
            if total == 1:
                return False, [[*bits(summands)]]
            if total:
                lines.append([number, *added])
                sums.append((total, summands))
                leading[total.bit_length() - 1] = len(lines)
        return True, lines

    def rank(self, lines: Iterable[Line]) -> int:
        """The number of lines, which the equations' rank reaches. Raises CheckError for a line that
        is not as described."""
        sums: list[int] = []
        leading: dict[int, int] = {}
        for at, (number, *added) in enumerate(lines, 1):
            if not 1 <= number <= len(self.rows):
                raise CheckError(f"{PROOF}: line {at}: there is no equation {number}")
            total = self.rows[number - 1]
            for other in added:
                if not 1 <= other < at:
                    raise CheckError(f"{PROOF}: line {at}: line {other} is not an earlier line")
                total ^= sums[other - 1]
            if total <= 1:
                raise CheckError(f"{PROOF}: line {at}: the sum has no variable")
            leader = total.bit_length() - 1
            if leader in leading:
                raise CheckError(
                    f"{PROOF}: line {at}: variable {leader} also leads line {leading[leader]}"
                )
            leading[leader] = at
            sums.append(total)
        return len(sums)

    def check_refutation(self, lines: Iterable[Line]) -> None:
        """Raise CheckError unless the sum of the equations with these numbers is 0 = 1."""
        total = 0
        for number in chain(*lines):
            if not 1 <= number <= len(self.rows):
                raise CheckError(f"{PROOF}: there is no equation {number}")
            total ^= self.rows[number - 1]
        if total != 1:
            raise CheckError(f"{PROOF}: the sum of these equations is not 0 = 1")

    def solve_and_span_kernel(self) -> tuple[list[Model], list[Model]]:
        """The true variables of a solution, if there is one, and of the vectors of a basis of the
        kernel."""
        system = System(Xor(tuple(bits(row)), bool(row & 1)) for row in self.rows)
        system.meet(self.variables)
        solution = next(system.solutions(), None)
        return (
            ([], [])
            if solution is None
            else (
                [Model(bits(solution))],
                [Model(bits(direction)) for direction in system.kernel()],
            )
        )
