"""Clues of a known solution: a random solution of the puzzle without clues, then a minimal set of clues that forces it.

Whether clues force the solution is asked of 'the formula, and not this solution' with the clues as assumptions: they do if
that has no model, and the unsatisfiable core says which of them are enough. From a core, clue after clue is left out. If
there is a model then, the clue is needed, for that model is another solution that all the other clues allow. So each clue
that stays has its witness, and the set is a minimal unsatisfiable subset. All is done with one incremental solver, 'not this
solution' hanging on a variable that is assumed.
"""

from __future__ import annotations

import random
from abc import abstractmethod
from collections.abc import Iterator, Sequence
from itertools import islice
from operator import attrgetter

from pydantic import PositiveInt, SerializeAsAny

from jigsat.backends import open_backend
from jigsat.errors import CheckError, InputError, Stopped
from jigsat.formula import Clause
from jigsat.generation.generation import SECOND, Candidate, Maker, Wishes
from jigsat.puzzle import Known, Puzzle, Solution
from jigsat.search import DRAWN, SOLVER, Blocking, Sampler
from jigsat.solving import Shared, checked
from jigsat.symmetry import Placement

TRIES = 1000
"""So many minimal sets are made in search of one with the wished number of clues."""

FRESH = 500
"""After so many solutions the solver is made anew: what it has learned by then costs more time than it saves."""

Unit = tuple[int, ...]
"""Clues that are given or left out together, as literals."""


class ClueWishes(Wishes):
    """Wishes for clues: so many, or as few as force the solution; in a pattern that half a turn keeps, or in any."""

    clues: PositiveInt | None = None
    symmetric: bool = False

    @abstractmethod
    def blank(self) -> Puzzle:
        """The puzzle that the clues are for."""

    def maker(self) -> Maker:
        return Clues(self.blank(), number=self.clues, symmetric=self.symmetric)


class Reclued(ClueWishes):
    """Other clues for an instance."""

    instance: SerializeAsAny[Puzzle]

    def blank(self) -> Puzzle:
        puzzle = self.instance
        return puzzle.model_copy(update={"title": f"{puzzle.title or puzzle.name}, other clues"})


class Clues:
    """Makes clues for a puzzle that has none, or whose own are dropped; for random solutions of it, or for one that is given.

    `number` is how many there are to be. `symmetric` ones stand in a pattern that half a turn of the board maps onto itself.
    """

    def __init__(
        self,
        puzzle: Puzzle,
        *,
        number: int | None = None,
        symmetric: bool = False,
        solution: Sequence[Placement] | None = None,
    ) -> None:
        self.puzzle = puzzle.without_clues().model_copy(update={"known": Known()})
        self.number = number
        self.formula = self.puzzle.encode()
        self._sampler = Sampler(self.formula)
        self._tries = 0
        self._blocking = Blocking(self.formula)
        self._decisions = self.formula.decisions()
        self._opposite = half_turn(self.puzzle) if symmetric else None
        self._cell = attrgetter(self.puzzle.cell_field or "")
        self._given = None if solution is None else [x for x in self._decisions if self.formula.key(x) in set(solution)]
        self._second = Shared(self.formula, open_backend(SECOND))
        self.puzzle.with_clues(())  # raises where there are none

    def candidates(self, rng: random.Random) -> Iterator[Candidate]:
        """One minimal set of clues after the other, filled up where more are wished for."""
        for _ in range(TRIES):
            self._tries += 1
            if self._tries % FRESH == 0:
                self._sampler.renew()
            solution = self._given or self.solution(rng)
            if self.number is not None and self.number > len(solution):
                raise InputError(f"clues: {self.number}, where a solution has {len(solution)} placements")
            needed, proven = self.minimal(solution, rng)
            yield self._candidate(solution, needed, proven, rng)

    def solution(self, rng: random.Random) -> list[int]:
        """A random solution. Raises InputError if there is none, Stopped if none is found."""
        true = self._sampler.draw(rng.sample(self._decisions, min(DRAWN, len(self._decisions))))
        if true is None:
            raise InputError(f"{self.puzzle.name or self.puzzle.family}: without clues it has no solution")
        return [x for x in self._decisions if x in true]

    def minimal(self, solution: Sequence[int], rng: random.Random) -> tuple[list[Unit], bool]:
        """Clues that force a solution, in random order of trying to do without, and whether each was proven to be needed."""
        solver, other = self._sampler.solver, self._sampler.new()
        solver.add(Clause((-other, *self._blocking.literals(frozenset(solution)))))
        undecided, needed, proven = self._units(solution), list[Unit](), True
        rng.shuffle(undecided)
        fixed = [other]
        while undecided:
            unit = undecided.pop()
            try:
                forced = not solver.solve([*fixed, *(x for unit in undecided for x in unit)])
            except Stopped:
                forced = proven = False
            if forced:
                core = set(solver.core())
                undecided = [unit for unit in undecided if not core.isdisjoint(unit)]
            else:
                needed.append(unit)
                fixed += unit
        solver.add(Clause((-other,)))
        return needed, proven

    def _units(self, solution: Sequence[int]) -> list[Unit]:
        if self._opposite is None:
            return [(x,) for x in solution]
        at = {self._cell(self.formula.key(x)): x for x in solution}
        return [(x,) if x == y else (x, y) for cell, x in at.items() for y in [at[self._opposite[cell]]] if x <= y]

    def _candidate(self, solution: Sequence[int], needed: list[Unit], proven: bool, rng: random.Random) -> Candidate:
        together = "pair of clues" if self._opposite else "clue"
        said = f"{SOLVER}: no other solution"
        if proven:
            said += f", and another one with any {together} left out"
        number = sum(map(len, needed))
        short = 0 if self.number is None else abs(number - self.number)
        if self.number is not None and number < self.number:
            said = f"{SOLVER}: no other solution"
            others = [unit for unit in self._units(solution) if unit not in set(needed)]
            for unit in rng.sample(others, len(others)):
                if number + len(unit) <= self.number:
                    needed.append(unit)
                    number += len(unit)
            short = self.number - number
        placements = [self.formula.key(x) for x in sorted(x for unit in needed for x in unit)]
        lacks = f"it has {number} clues, not {self.number}" if short else ""
        return Candidate(self.puzzle.with_clues(placements), short, lacks, said)

    def verified(self, puzzle: Puzzle) -> tuple[Known, Solution]:
        """That the second backend, which gets the clues alone, finds one solution; all puzzles share its solver."""
        found = list(islice(self._second.models(puzzle), 2))
        if len(found) != 1:
            raise CheckError(f"{SECOND} finds another number of solutions than 1 where {SOLVER} does not. This is a bug")
        return Known(solutions=1), Solution(puzzle, checked(puzzle, self.formula, sorted(found[0]), SECOND))


def half_turn(puzzle: Puzzle) -> dict[object, object]:
    """Where half a turn of the board takes each cell. Raises InputError if that does not keep the puzzle."""
    if puzzle.cell_field is None:
        raise InputError(f"symmetric: clues of the family {puzzle.family} do not lie on single cells; leave it out")
    cell = attrgetter(puzzle.cell_field)
    for symmetry in puzzle.symmetries():
        cells = {cell(placement): cell(image) for placement, image in symmetry.images.items()}
        swapped = any(a != b for a, b in cells.items()) and all(cells[b] == a for a, b in cells.items())
        if symmetry.level == "rotation" and swapped:
            return cells
    raise InputError("symmetric: half a turn does not map this board onto itself; leave it out")
