"""Clues that force a solution: a random solution of the puzzle without clues, then a minimal set of
clues for it.

An incremental solver decides whether clues force the solution: does the formula with the clause
'not this solution' have a model if the clues are assumed? If not, they force the solution, and the
unsatisfiable core shows which of them suffice. Then the clues of the core are left out one at a
time. If that gives a model, it is another solution that all remaining clues allow, so the clue is
needed. Thus every clue that remains has a witness, and the set is a minimal unsatisfiable subset
(deletion-based extraction with core refinement). One solver serves for all solutions, because 'not
this solution' depends on a variable that is assumed.
"""

import hashlib
import random
from abc import abstractmethod
from collections.abc import Callable, Collection, Iterable, Sequence
from contextlib import suppress
from functools import cached_property
from itertools import islice
from operator import attrgetter

from pydantic import PositiveInt

from jigsat.backends import Ranking
from jigsat.errors import CheckError, InputError, Stopped
from jigsat.formula import Clause, Formula
from jigsat.generation.generator import (
    MAX_COPIES,
    VERIFIER,
    Candidate,
    Candidates,
    Form,
    Generator,
    GeneratorOptions,
)
from jigsat.puzzle import Known, Puzzle
from jigsat.search.blocking import Blocking
from jigsat.search.sampling import DRAWN_VARIABLES, SOLVER, Sampler
from jigsat.solving.clues import ClueSolver
from jigsat.solving.uniform import rank_models
from jigsat.subject import check_model
from jigsat.symmetry import Model, Placement
from jigsat.words import plural

# maximum number of minimal sets in search of one with the requested number of clues
MAX_MINIMAL_SETS = 1000
# number of clues that are left out to make a neighbour, besides those that become redundant
EXCHANGED_CLUES = 1

MAX_RANKED_VARIABLES = 400
"""The maximum number of decision variables with which numbering all solutions is tried, so that
each is equally likely.

Sudokus of 6×6 cells have 216. With the 512 of 8×8 cells, numbering takes more than 1 GiB, and even
giving up takes time.
"""

MAX_RANKING_BYTES = 2**28  # memory limit in bytes for numbering all solutions
Unit = tuple[int, ...]  # clues that are given or left out together, as literals


class ClueOptions(GeneratorOptions):
    """The number of clues, by default a minimal set; and whether a half turn of the board maps
    their cells to each other.

    `solutions` is the number of solutions that the clues allow.
    """

    puzzles_per_generator = 100  # one sudoku takes far less time than starting a generator

    single = ""
    clues: PositiveInt | None = None
    symmetric: bool = False

    @abstractmethod
    def blank(self) -> Puzzle:
        """The puzzle without clues."""

    def hard(self, rng: random.Random) -> Puzzle | None:
        """A puzzle that is known to be hard and has the same formula without clues; the search for
        hard ones starts near it."""
        return None

    def build_generator(self) -> Generator:
        return ClueGenerator(
            self.blank(),
            number=self.clues,
            requested=self.solutions,
            symmetric=self.symmetric,
            hard=self.hard,
        )


class ClueGenerator(Generator):
    """Generates clues for a puzzle, which replace its own clues: for random solutions, or for a
    given one.

    `number` is the requested number of clues, `requested` that of the solutions. `symmetric` clues
    lie on cells that a half turn of the board maps to each other.
    """

    clue = "clue"  # what a clue is called in messages

    def __init__(
        self,
        puzzle: Puzzle,
        *,
        number: int | None = None,
        requested: int = 1,
        symmetric: bool = False,
        solution: Sequence[Placement] | None = None,
        hard: Callable[[random.Random], Puzzle | None] = lambda _: None,
    ) -> None:
        self.puzzle = puzzle.without_clues().model_copy(update={"known": Known()})
        self.number = number
        self.requested = requested
        self.formula = self.encode()
        self.sampler = Sampler(self.formula)
        self._hard = hard
        self.blocking = Blocking(self.formula)
        self.decisions = self.formula.decisions()
        self._opposite = half_turn(self.puzzle) if symmetric else None
        self._cell = attrgetter(self.puzzle.cell_field or "")
        self._fixed_solution = (
            None
            if solution is None
            else [x for x in self.decisions if self.formula.key(x) in set(solution)]
        )
        self._second = ClueSolver(self.formula, VERIFIER)
        self.pose(())  # raises InputError if the family cannot be given clues

    def encode(self) -> Formula:
        """The formula to whose solutions the clues lead."""
        return self.puzzle.encode()

    def pose(self, placements: Sequence[Placement]) -> Puzzle:
        """The puzzle with these clues."""
        return self.puzzle.with_clues(placements)

    def same_as(self, solution: Sequence[int]) -> Iterable[Model]:
        """The solutions that count as the same as this one, whatever the clues are; itself among
        them."""
        return [frozenset(solution)]

    def candidates(
        self,
        rng: random.Random,
        hard: bool = False,
        made: Sequence[Puzzle] = (),
        earlier: Collection[Form] = (),
    ) -> Candidates:
        """Yield minimal sets of clues, with further clues if more are requested."""
        base = self._find_hard_puzzle(rng, earlier) if hard else None
        if base:
            yield self._candidate(*base, False, rng)._replace(
                distance=len(base[1]), shortcoming="it is a known puzzle"
            )
        start = base
        for _ in range(MAX_MINIMAL_SETS):
            solution, near = base or (self._fixed_solution or self._new_solution(rng, earlier), [])
            if self.number is not None and self.number > (
                most := sum(map(len, self._units(solution)))
            ):
                raise InputError(
                    f"clues: {self.number:,}, but at most {plural(most, self.clue)} can be given"
                )
            needed, proved = self.minimal(solution, rng, near)
            if start and set(needed) == set(start[1]):
                continue
            fewer, solutions = self._leave_out(needed, rng)
            stay = yield self._candidate(solution, fewer, proved, rng, solutions)
            if stay:
                base = solution, needed
            elif stay is None:
                base = start

    def _find_hard_puzzle(
        self, rng: random.Random, earlier: Collection[Form]
    ) -> tuple[Sequence[int], list[Unit]] | None:
        """The solution and the clues of a puzzle that is known to be hard, unless the solution is
        that of an earlier puzzle."""
        known = self._hard(rng)
        solved = self._solve_puzzle(known) if known else None
        if solved and self._solution_form(solved[0]) in earlier:
            return None
        return solved

    def _new_solution(self, rng: random.Random, earlier: Collection[Form]) -> list[int]:
        """A random solution that no earlier puzzle has. Raises Stopped if none is found."""
        for _ in range(MAX_COPIES):
            solution = self.random_solution(rng)
            if self._solution_form(solution) not in earlier:
                return solution
        raise Stopped(f"each of {MAX_COPIES} random solutions is that of an earlier puzzle")

    def _solution_form(self, solution: Iterable[int]) -> Form:
        """What all solutions that count as the same share."""
        smallest = min(sorted(model) for model in self.same_as(list(solution)))
        return "solution", hashlib.sha256(repr(smallest).encode()).hexdigest()

    def solution_forms(self, puzzle: Puzzle) -> Collection[Form]:
        return [self._solution_form(model) for model in self._solve_again(puzzle)]

    def _leave_out(self, needed: list[Unit], rng: random.Random) -> tuple[list[Unit], int]:
        """Leave out clues that force a solution until as many solutions are allowed as requested;
        their number in the end.

        Each of the remaining clues is still needed: it alone excludes the solution that showed this
        for all clues.
        """
        solutions = 1
        for unit in rng.sample(needed, len(needed)):
            if solutions < self.requested:
                fewer = [other for other in needed if other != unit]
                if (allowed := self.count_solutions(fewer)) <= self.requested:
                    needed, solutions = fewer, allowed
        return needed, solutions

    def count_solutions(self, units: Sequence[Unit]) -> int:
        """The number of solutions that clues allow, up to one more than requested."""
        guard = self.sampler.new()
        count = 0
        while count <= self.requested and self.sampler.solver.solve(
            [guard, *(x for unit in units for x in unit)]
        ):
            count += 1
            model = self.blocking.model(self.sampler.solver.model())
            self.sampler.add(Clause((-guard, *self.blocking.literals(model))))
        self.sampler.add(Clause((-guard,)))
        return count

    def _solve_puzzle(self, puzzle: Puzzle) -> tuple[Sequence[int], list[Unit]] | None:
        """The solution and the clues of a puzzle; None if it has several solutions or its clues are
        not as requested."""
        clues = {
            x
            for clue in puzzle.clues().values()
            for x in self.decisions
            if self.formula.key(x) in clue
        }
        if not clues or not self.sampler.solver.solve(sorted(clues)):
            return None
        true = set(self.sampler.solver.model())
        solution = [x for x in self.decisions if x in true]
        units = [unit for unit in self._units(solution) if clues.issuperset(unit)]
        other = self.sampler.new()
        self.sampler.add(Clause((-other, *self.blocking.literals(frozenset(solution)))))
        unique = not self.sampler.solver.solve([other, *(x for unit in units for x in unit)])
        return (solution, units) if unique else None

    def random_solution(self, rng: random.Random) -> list[int]:
        """A random solution, as literals. Raises InputError if there is none, Stopped if none is
        found.

        All solutions are equally likely if they can be counted without a list; otherwise a solver
        draws one.
        """
        if self._ranking is None:
            true = self.sampler.draw(
                rng.sample(self.decisions, min(DRAWN_VARIABLES, len(self.decisions)))
            )
        else:
            true = (
                set(self._ranking.model(rng.randrange(self._ranking.total)))
                if self._ranking.total
                else None
            )
        if true is None:
            what = self.puzzle.name or self.puzzle.family
            raise InputError(
                f"{what}: there is no such puzzle, because even without clues it has no solution"
            )
        return [x for x in self.decisions if x in true]

    @cached_property
    def _ranking(self) -> Ranking | None:
        ranked = (
            rank_models(self.formula, MAX_RANKING_BYTES)
            if len(self.decisions) <= MAX_RANKED_VARIABLES
            else None
        )
        return ranked[0] if ranked else None

    def minimal(
        self, solution: Sequence[int], rng: random.Random, near: Sequence[Unit] = ()
    ) -> tuple[list[Unit], bool]:
        """Clues that force a solution, and whether each is proved to be needed. They are tried in
        random order.

        Clues that are `near` are tried last, except for some that are left out, so that most of
        them remain.
        """
        solver = self.sampler.solver
        other = self.sampler.new()
        for model in self.same_as(solution):
            solver.add(Clause((-other, *self.blocking.literals(model))))
        undecided = self._units(solution)
        needed: list[Unit] = []
        proved = True
        rng.shuffle(undecided)
        if near:
            stay = set(rng.sample(near, max(0, len(near) - EXCHANGED_CLUES)))
            undecided.sort(key=stay.__contains__, reverse=True)
            undecided = self._enough(undecided, len(stay), other)
        fixed = [other]
        while undecided:
            unit = undecided.pop()
            try:
                forced = not solver.solve([*fixed, *(x for unit in undecided for x in unit)])
            except Stopped:
                forced = proved = False
            if forced:
                core = set(solver.core())
                undecided = [unit for unit in undecided if not core.isdisjoint(unit)]
            else:
                needed.append(unit)
                fixed += unit
        solver.add(Clause((-other,)))
        return needed, proved

    def _enough(self, units: list[Unit], number: int, other: int) -> list[Unit]:
        """At least the given number of units, and more until they force the solution: each rules
        out another one."""
        enough, others = units[:number], units[number:]
        with suppress(Stopped):
            while others and self.sampler.solver.solve(
                [other, *(x for unit in enough for x in unit)]
            ):
                true = set(self.sampler.solver.model())
                enough.append(next(unit for unit in others if not true.issuperset(unit)))
                others.remove(enough[-1])
            return enough
        return units

    def _units(self, solution: Sequence[int]) -> list[Unit]:
        if self._opposite is None:
            return [(x,) for x in solution]
        at = {self._cell(self.formula.key(x)): x for x in solution}
        return [
            (x,) if x == y else (x, y)
            for cell, x in at.items()
            for y in [at[self._opposite[cell]]]
            if x <= y
        ]

    def _candidate(
        self,
        solution: Sequence[int],
        needed: list[Unit],
        proved: bool,
        rng: random.Random,
        solutions: int = 1,
    ) -> Candidate:
        established = f"{SOLVER}: no other solution"
        if self.requested > 1:
            established = f"{SOLVER}: {plural(solutions, 'solution')}"
        wanted = self.number
        if wanted is not None and self.requested == 1 and sum(map(len, needed)) < wanted:
            self._add_clues(solution, needed, wanted, rng)
        elif proved:
            unit_name = "pair of clues" if self._opposite else self.clue
            established += f"; leaving out any {unit_name} allows another one"

        number = sum(map(len, needed))
        distance = 0 if wanted is None else abs(number - wanted)
        shortcoming = f"it has {plural(number, self.clue)}, not {wanted}" if distance else ""
        placements = [self.formula.key(x) for x in sorted(x for unit in needed for x in unit)]
        if solutions != self.requested:
            distance += abs(solutions - self.requested)
            shortcoming = f"it has {plural(solutions, 'solution')}, not {self.requested}"
        return Candidate(
            self.pose(placements),
            distance,
            shortcoming,
            established,
            verifiable=solutions == self.requested,
        )

    def _add_clues(
        self, solution: Sequence[int], needed: list[Unit], wanted: int, rng: random.Random
    ) -> None:
        """Add other clues of the solution at random, up to the requested number."""
        number = sum(map(len, needed))
        others = [unit for unit in self._units(solution) if unit not in set(needed)]
        for unit in rng.sample(others, len(others)):
            if number + len(unit) <= wanted:
                needed.append(unit)
                number += len(unit)

    def verify(self, puzzle: Puzzle) -> Known:
        """Solve the puzzle with the second backend. Its solver is shared by all puzzles; only the
        clues change."""
        models = self._solve_again(puzzle)
        if len(models) != self.requested:
            raise CheckError(
                f"{VERIFIER} does not find {plural(self.requested, 'solution')}, but {SOLVER} "
                f"does. This is a bug"
            )
        check_model(puzzle, self.formula, sorted(models[0]), VERIFIER)
        return Known(solutions=self.requested)

    def _solve_again(self, puzzle: Puzzle) -> list[Model]:
        """The solutions according to the second backend, up to one more than requested."""
        models = (model for model in self._second.search(puzzle) if model is not None)
        return list(islice(models, self.requested + 1))


def half_turn(puzzle: Puzzle) -> dict[object, object]:
    """The image of each cell under a half turn of the board. Raises InputError if that is not a
    symmetry of the puzzle."""
    if puzzle.cell_field is None:
        raise InputError(
            f"symmetric: clues of the family {puzzle.family} do not lie on single cells; leave "
            f"it out"
        )
    cell = attrgetter(puzzle.cell_field)
    for symmetry in puzzle.symmetries():
        cells = {cell(placement): cell(image) for placement, image in symmetry.images.items()}
        swapped = any(a != b for a, b in cells.items()) and all(
            cells[b] == a for a, b in cells.items()
        )
        if symmetry.level == "rotation" and swapped:
            return cells
    raise InputError("symmetric: a half turn does not map this board onto itself; leave it out")
