"""Generating puzzles on a grid.

A kind whose clues follow from its answer gets all clues of a random answer; those that are not
needed are taken away. Each clause of a clue has the negation of a literal for this clue, so that
one solver decides for any set of clues whether they force the answer: the literals are assumed, and
the core of a refutation has the clues that were needed. Other kinds propose whole puzzles. A puzzle
with several answers is improved by its family as long as that helps, or another one is drawn.
"""

from __future__ import annotations

import random
from collections.abc import Collection, Iterable, Mapping, Sequence
from contextlib import closing
from math import inf
from typing import Any, ClassVar

from pydantic import Field, create_model

from jigsat.backends import Cutting, open_backend
from jigsat.errors import InputError, Stopped
from jigsat.formula import (
    Clause,
    Constraint,
    GraphConstraint,
    Lowered,
    list_local_constraints,
)
from jigsat.generation.generator import (
    Candidate,
    Candidates,
    Form,
    Generator,
    GeneratorOptions,
    solve_again,
)
from jigsat.kit import Answer, ClueName, GridPuzzle, Mark, Rules
from jigsat.puzzle import Known, Puzzle
from jigsat.subject import PuzzleSubject

SOLVER = "cadical195"
MAX_CONFLICTS = 20_000  # of a call; a puzzle that needs more is dropped
MAX_PUZZLES = 1000  # number of puzzles that are drawn for one with a single answer
MAX_IMPROVEMENTS = 300  # number of times that a puzzle is improved
WORSE_SHARE = 0.3  # of the changes for the worse are kept, so that the search does not get stuck
MAX_DRAWN = 400  # number of random literals that are assumed to draw an answer
MAX_SIDE = 60  # number of rows or columns that can be requested


class GridOptions(GeneratorOptions):
    """The size of the grid."""

    kind: ClassVar[type[GridPuzzle]]

    rows: int = Field(default=8, ge=1, le=MAX_SIDE)
    columns: int = Field(default=8, ge=1, le=MAX_SIDE)

    def build_generator(self) -> Generator:
        return GridGenerator(self.kind, self.rows, self.columns)


def grid_options(kind: type[GridPuzzle]) -> type[GridOptions] | None:
    """The options of a kind of puzzles on a grid; None if it says nothing about new puzzles."""
    own = (kind.blank.__func__, kind.propose.__func__)  # type: ignore[attr-defined]
    inherited = (GridPuzzle.blank.__func__, GridPuzzle.propose.__func__)  # type: ignore[attr-defined]
    if own == inherited:
        return None
    options = create_model("Options", __base__=GridOptions, __module__=kind.__module__)
    options.kind = kind
    return options


class AssumedClues:
    """A puzzle in a solver, in which a clue holds only if its literal is assumed."""

    def __init__(self, formula: Rules) -> None:
        self.formula = formula
        self.clues: dict[ClueName, int] = {}
        """The literal of each clue."""
        self._lowered = Lowered(formula)
        self._solver = Cutting(open_backend(SOLVER))
        self._solver.limit(MAX_CONFLICTS)
        self._mark_of = {x: formula.key(x) for x in formula.decisions()}
        for clue, constraint in formula.list_by_clue():
            if clue is None and isinstance(constraint, GraphConstraint):
                self._solver.add(constraint)
                for local in list_local_constraints(constraint):
                    self._add_lowered(local, [])
            else:
                condition = [] if clue is None else [-self._assumption(clue)]
                self._add_lowered(constraint, condition)

    def _assumption(self, clue: ClueName) -> int:
        if clue not in self.clues:
            self.clues[clue] = self._lowered.auxiliary()
        return self.clues[clue]

    def _add_lowered(self, constraint: Constraint, condition: Sequence[int]) -> None:
        for clause in self._lowered.lower(constraint):
            self._add([*clause[0], *condition])

    def _add(self, literals: Iterable[int]) -> None:
        self._solver.add(Clause(tuple(literals)))

    def solve(self, clues: Iterable[ClueName], literals: Sequence[int] = ()) -> list[Mark] | None:
        """An answer that agrees with some clues; None if there is none. Raises Stopped if that is
        too hard to decide."""
        assumed = [self.clues[clue] for clue in clues]
        if not self._solver.solve([*assumed, *literals]):
            return None
        true = set(self._solver.model())
        return [mark for x, mark in self._mark_of.items() if x in true]  # type: ignore[misc]

    def forbid(self, answer: Collection[Mark]) -> None:
        """From now on find other answers only."""
        self._add(-x if mark in answer else x for x, mark in self._mark_of.items())

    def list_needed(self) -> set[ClueName]:
        """The clues that were needed to exclude every other answer."""
        core = set(self._solver.core())
        return {clue for clue, literal in self.clues.items() if literal in core}

    def draw(self, rng: random.Random) -> list[Mark] | None:
        """An answer at random: random literals are assumed, without those that contradict."""
        decisions = list(self._mark_of)
        drawn = rng.sample(decisions, min(MAX_DRAWN, len(decisions)))
        literals = [x if rng.random() < 0.5 else -x for x in drawn]
        while True:
            answer = self.solve(self.clues, literals)
            if answer is not None:
                return answer
            core = set(self._solver.core())
            contradicting = [x for x in literals if x in core]
            if not contradicting:
                return None
            literals.remove(contradicting[-1])

    def close(self) -> None:
        self._solver.close()


class GridGenerator(Generator):
    """Puzzles of a kind and a size."""

    def __init__(self, kind: type[GridPuzzle], rows: int, columns: int) -> None:
        self.kind = kind
        self.size = (rows, columns)

    def candidates(
        self,
        rng: random.Random,
        hard: bool = False,
        made: Sequence[Puzzle] = (),
        earlier: Collection[Form] = (),
    ) -> Candidates:
        """Yield puzzles with one solution. Raises InputError if this size is impossible."""
        for _ in range(MAX_PUZZLES):
            try:
                puzzle = self._draw_puzzle(rng)
                forced = None if puzzle is None else self._improve(puzzle, rng)
            except Stopped:
                continue  # too hard to decide
            if forced is not None:
                established = f"{SOLVER}: no other solution"
                yield Candidate(forced, established=established)
        rows, columns = self.size
        raise Stopped(f"none of {MAX_PUZZLES:,} puzzles of {rows}×{columns} cells has one solution")

    def verify(self, puzzle: Puzzle) -> Known:
        return solve_again(PuzzleSubject(puzzle), 1)[0]

    def _read(self, entries: Mapping[str, Any]) -> GridPuzzle:
        rows, columns = self.size
        words = self.kind.family.replace("-", " ").capitalize()
        return self.kind.model_validate({"title": f"{words} {rows}×{columns}", **entries})

    def _draw_puzzle(self, rng: random.Random) -> GridPuzzle | None:
        """A puzzle that has an answer, perhaps several; None if none was drawn."""
        entries = self.kind.propose(*self.size, rng)
        if entries is not None:
            return self._read(entries)
        entries = self.kind.blank(*self.size, rng)
        if entries is None:
            rows, columns = self.size
            raise InputError(f"rows, columns: there are no such puzzles of {rows}×{columns} cells")
        blank = self._read(entries)
        with closing(AssumedClues(blank.rules_and_clues())) as solver:
            answer = solver.draw(rng)
        return None if answer is None else give_clues(blank, answer)

    def _improve(self, puzzle: GridPuzzle, rng: random.Random) -> GridPuzzle | None:
        """The puzzle, or a similar one, with the clues that are needed; None if several answers
        remain. A change after which two answers differ in more places is usually taken back."""
        best = puzzle
        fewest: float = inf
        answers: tuple[Answer, Answer] | None = None
        for _ in range(MAX_IMPROVEMENTS):
            with closing(AssumedClues(puzzle.rules_and_clues())) as solver:
                answer = solver.solve(solver.clues)
                if answer is None:
                    raise InputError(f"{self.kind.__name__}: a proposed puzzle has no solution")
                solver.forbid(answer)
                other = solver.solve(solver.clues)
                if other is None:
                    removable = list_removable_entries(puzzle, Answer(answer))
                    needed = find_needed_clues(solver, removable, rng)
                    return keep_clues(puzzle, removable, needed)
            difference = len(set(answer) ^ set(other))
            if difference <= fewest or rng.random() < WORSE_SHARE:
                best, fewest = puzzle, difference
                answers = Answer(answer), Answer(other)
            if answers is None:
                return None
            entries = best.improve(*answers, rng)
            if entries is None:
                return None
            puzzle = self._read(entries)
        return None


def give_clues(blank: GridPuzzle, answer: Sequence[Mark]) -> GridPuzzle:
    """A puzzle with all clues that follow from an answer, also the numbers in cells that may be
    given."""
    drawn = Answer(answer)
    values = {**blank.list_givens(drawn), **blank.full_clues(drawn)}
    return blank.replace_clues(values)


def list_removable_entries(puzzle: GridPuzzle, answer: Answer) -> list[str]:
    """The entries from which clues can be taken away: those that follow from an answer, in the
    order in which the family lists them, without the fixed ones."""
    following = {*puzzle.list_givens(answer), *puzzle.full_clues(answer)}
    return [
        entry
        for entry, clues in puzzle.clue_layers.items()
        if entry in following and entry not in puzzle.fixed_clues and clues.clue_by_clue
    ]


def find_needed_clues(
    solver: AssumedClues, removable: Sequence[str], rng: random.Random
) -> set[ClueName]:
    """Clues without which there are other answers, if those that cannot be taken away stay."""
    needed = set(solver.clues)
    for clue in order_for_removal(removable, needed, rng):
        if clue not in needed:
            continue
        others = needed - {clue}
        if solver.solve(sorted(others, key=str)) is None:
            # Others that were not needed go at once, but only of the same entry.
            used = solver.list_needed()
            needed = {one for one in others if one in used or one.entry != clue.entry}
    return needed


def order_for_removal(
    removable: Sequence[str], clues: Collection[ClueName], rng: random.Random
) -> list[ClueName]:
    """Entry by entry; at random within an entry."""
    ordered = []
    for entry in removable:
        own = sorted((clue for clue in clues if clue.entry == entry), key=str)
        rng.shuffle(own)
        ordered += own
    return ordered


def keep_clues(
    puzzle: GridPuzzle, removable: Sequence[str], needed: Collection[ClueName]
) -> GridPuzzle:
    """The puzzle with these clues only, of entries from which clues can be taken away."""
    values: dict[str, dict[Any, Any]] = {}
    for entry in removable:
        clues = puzzle.clue_layers[entry]
        kept = [place for place in clues if ClueName(entry, place) in needed]
        values[entry] = {place: clues[place] for place in kept}
    return puzzle.replace_clues(values)
