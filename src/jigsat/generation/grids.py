"""Generating puzzles on a grid.

A kind whose clues follow from its answer gets all clues of a random answer; those that are not
needed are taken away. Each clause of a clue has the negation of a literal for this clue, so that
one solver decides for any set of clues whether they force the answer: the literals are assumed, and
the core of a refutation has the clues that were needed. Other kinds propose whole puzzles. A puzzle
with several answers is improved by its family as long as that helps, or another one is drawn. If
the rooms are the only clues, cells move from room to room.
"""

from __future__ import annotations

import random
from collections.abc import Collection, Mapping, Sequence
from contextlib import closing
from inspect import unwrap
from pathlib import Path
from typing import Any, ClassVar, NamedTuple

from pydantic import Field, SerializeAsAny, ValidationError, create_model

from jigsat.errors import FamilyError, InputError, Stopped
from jigsat.errors.validation import complaint
from jigsat.generation.generator import (
    Candidate,
    Candidates,
    Form,
    Generator,
    GeneratorOptions,
    solve_again,
)
from jigsat.generation.moving_rooms import MovingRooms
from jigsat.kit import Answer, ClueName, Clues, GridPuzzle, Mark, NumberedRooms, Rooms
from jigsat.puzzle import Known, Puzzle
from jigsat.solving.assumed import SOLVER, AssumedClues, Parts
from jigsat.subject import PuzzleSubject

MAX_PUZZLES = 1000  # number of puzzles that are drawn for one with a single answer
MAX_UNDRAWN = 3  # proposals of a kind that end without a puzzle before its size is refused
MAX_REDRAWN = 20  # number of answers that are drawn for other clues of a puzzle
MAX_IMPROVEMENTS = 300  # number of times that a puzzle is improved
MAX_ROOM_CHANGES = 25  # number of times that the rooms of a puzzle are changed
MAX_ANSWERS = 30  # number of answers that are searched for rooms
WORSE_SHARE = 0.3  # of the changes for the worse are kept, so that the search does not get stuck
RADII = (1.0, 1.5, 2.0, 3.0)  # cells; how far around a place an answer is drawn anew
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
    rows, columns = kind.sizes[0]
    size: dict[str, Any] = {
        "rows": (int, Field(default=rows, ge=1, le=MAX_SIDE)),
        "columns": (int, Field(default=columns, ge=1, le=MAX_SIDE)),
    }
    options = create_model("Options", __base__=GridOptions, __module__=kind.__module__, **size)
    options.kind = kind
    return options


def has_blank(kind: type[GridPuzzle]) -> bool:
    """Whether new puzzles of a kind begin with one without clues."""
    return kind.blank.__func__ is not GridPuzzle.blank.__func__  # type: ignore[attr-defined]


def has_removable_clues(kind: type[GridPuzzle]) -> bool:
    """Whether a kind has an entry from which some clues could be taken away, and others left."""
    for entry, field in kind.model_fields.items():
        clues = field.annotation
        if entry in kind.fixed_clues or not isinstance(clues, type):
            continue
        # The number of a room can be left out, but not the room itself.
        rooms_only = issubclass(clues, Rooms) and not issubclass(clues, NumberedRooms)
        if issubclass(clues, Clues) and clues.clue_by_clue and not rooms_only:
            return True
    return False


class GridGenerator(Generator):
    """Puzzles of a kind and a size."""

    max_puzzles: ClassVar[int] = MAX_PUZZLES

    def __init__(self, kind: type[GridPuzzle], rows: int, columns: int) -> None:
        require_entries(kind, "fixed_clues", kind.fixed_clues)
        require_entries(kind, "moving_rooms", [kind.moving_rooms] if kind.moving_rooms else [])
        self.kind = kind
        self.size = (rows, columns)
        self._undrawn = 0

    def candidates(
        self,
        rng: random.Random,
        hard: bool = False,
        made: Sequence[Puzzle] = (),
        earlier: Collection[Form] = (),
    ) -> Candidates:
        """Yield puzzles with one solution. Raises InputError if this size is impossible."""
        with closing(Solvers(rng)) as solvers:
            for _ in range(self.max_puzzles):
                try:
                    puzzle = self._draw_puzzle(solvers, rng)
                    forced = None if puzzle is None else self._improve(puzzle, solvers, rng)
                except Stopped:
                    continue  # too hard to decide
                if forced is not None:
                    established = f"{SOLVER}: no other solution"
                    yield Candidate(forced, established=established)
        rows, columns = self.size
        raise Stopped(
            f"none of {self.max_puzzles:,} puzzles of {rows}×{columns} cells has one solution"
        )

    def verify(self, puzzle: Puzzle) -> Known:
        return solve_again(PuzzleSubject(puzzle), 1)[0]

    def _read(self, entries: Mapping[str, Any], method: str) -> GridPuzzle:
        """The puzzle with these entries, which a method of the kind returned."""
        rows, columns = self.size
        whole = {"title": f"{self.kind.name_kind()} {rows}×{columns}", **entries}
        try:
            return self.kind.model_validate(whole)
        except ValidationError as error:
            code = unwrap(getattr(self.kind, method)).__code__
            place = f"{Path(code.co_filename).name}, line {code.co_firstlineno}"
            wrong = complaint(error, whole, self.kind)
            raise FamilyError(f"{self.kind.__name__}.{method}: {wrong} ({place})") from error

    def read_blank(self, rng: random.Random) -> GridPuzzle:
        """A puzzle without clues. Raises InputError if this size is impossible."""
        entries = self.kind.blank(*self.size, rng)
        if entries is None:
            rows, columns = self.size
            raise InputError(f"rows, columns: there are no such puzzles of {rows}×{columns} cells")
        return self._read(entries, "blank")

    def _draw_puzzle(self, solvers: Solvers, rng: random.Random) -> GridPuzzle | None:
        """A puzzle that has an answer, perhaps several; None if none was drawn."""
        entries = self.kind.propose(*self.size, rng)
        if entries is not None:
            return self._read(entries, "propose")
        if not has_blank(self.kind):
            self._count_undrawn()
            return None
        blank = self.read_blank(rng)
        clues = blank.draw_clues(rng)
        return draw_all_clues(blank, solvers) if clues is None else blank.replace_clues(clues)

    def _count_undrawn(self) -> None:
        """Raise InputError if too many proposals in a row gave no puzzle, which does not mean that
        there is none."""
        self._undrawn += 1
        if self._undrawn == MAX_UNDRAWN:
            rows, columns = self.size
            usual = " or ".join(f"{height}×{width}" for height, width in self.kind.sizes)
            raise InputError(
                f"rows, columns: no puzzle of {rows}×{columns} cells was found in {MAX_UNDRAWN} "
                f"attempts; try another --seed, or another size: {usual} is usual"
            )

    def _improve(
        self, puzzle: GridPuzzle, solvers: Solvers, rng: random.Random
    ) -> GridPuzzle | None:
        """The puzzle, or a similar one, with the clues that are needed; None if several answers
        remain. A change after which two answers differ in more places is usually taken back."""
        if self.kind.moving_rooms:
            return self._move_rooms(puzzle, solvers, rng)
        best: Trial | None = None
        for _ in range(MAX_IMPROVEMENTS):
            trial = self._try(puzzle, solvers)
            if trial is not None:
                if trial.other is None:
                    return remove_clues(trial, solvers, rng)
                better = best is None or trial.difference <= best.difference
                if better or rng.random() < WORSE_SHARE:
                    best = trial
            if best is None:
                return None
            changed = self._change(best, solvers, rng)
            if changed is None:
                return None
            puzzle = changed
        return None

    def _move_rooms(
        self, puzzle: GridPuzzle, solvers: Solvers, rng: random.Random
    ) -> GridPuzzle | None:
        """The puzzle with other rooms, which leave one answer; None if they were not found."""
        rooms = MovingRooms(puzzle, rng)
        for _ in range(MAX_ROOM_CHANGES):
            answers = list_answers(solvers.pose(rooms.puzzle), MAX_ANSWERS)
            if not answers:
                raise InputError(f"{self.kind.__name__}: a proposed puzzle has no solution")
            if len(answers) == 1:
                return rooms.puzzle
            rooms.remember(answers)
            if not rooms.leave_one():
                return None
        return None

    def _try(self, puzzle: GridPuzzle, solvers: Solvers) -> Trial | None:
        """Look for two answers; None if that is too hard."""
        solver = solvers.pose(puzzle)
        try:
            answer = solver.solve(solver.clues)
            if answer is None:
                raise InputError(f"{self.kind.__name__}: a proposed puzzle has no solution")
            forbidden = solver.forbid(answer)
            other = solver.solve(solver.clues, [forbidden])
        except Stopped:
            return None
        return Trial(puzzle, answer, other, forbidden)

    def _change(self, trial: Trial, solvers: Solvers, rng: random.Random) -> GridPuzzle | None:
        """A puzzle that differs where two answers do: the family makes it, or else the answer is
        drawn anew there."""
        assert trial.other is not None
        answer = Answer(sorted(trial.answer))
        other = Answer(sorted(trial.other))
        entries = trial.puzzle.improve(answer, other, rng)
        if entries is not None:
            return self._read(entries, "improve")
        return draw_anew(trial, solvers, rng) if has_blank(self.kind) else None


class OtherCluesGenerator(GridGenerator):
    """Other clues for a puzzle; everything else stays as it is."""

    max_puzzles = MAX_REDRAWN

    def __init__(self, puzzle: GridPuzzle) -> None:
        super().__init__(type(puzzle), puzzle.grid.height, puzzle.grid.width)
        title = f"{puzzle.title or puzzle.name}, other clues"
        self._blank = take_clues_away(puzzle).model_copy(update={"title": title, "known": Known()})
        self._other_clues = list(self._blank.rules_and_clues().clue_spans)

    def _draw_puzzle(self, solvers: Solvers, rng: random.Random) -> GridPuzzle | None:
        """An answer of a solver: what the family draws need not fit other entries."""
        return draw_all_clues(self._blank, solvers)

    def _change(self, trial: Trial, solvers: Solvers, rng: random.Random) -> GridPuzzle | None:
        """What the family would improve may belong to the puzzle, such as its rooms."""
        return draw_anew(trial, solvers, rng, self._other_clues)


class OtherCluesOptions(GeneratorOptions):
    """Other clues for a puzzle on a grid."""

    puzzles_per_generator = 100

    instance: SerializeAsAny[GridPuzzle]

    def build_generator(self) -> Generator:
        return OtherCluesGenerator(self.instance)


class Trial(NamedTuple):
    """A puzzle with an answer and, if there is one, another one; the solver finds only others if
    `forbidden` is assumed."""

    puzzle: GridPuzzle
    answer: frozenset[Mark]
    other: frozenset[Mark] | None
    forbidden: int

    @property
    def difference(self) -> int:
        """The number of marks in which the answers differ."""
        return len(self.answer ^ self.other) if self.other is not None else 0


class Solvers:
    """The solver of the puzzle that was posed last, which serves for the next one if this has the
    same rules."""

    def __init__(self, rng: random.Random) -> None:
        self._rng = rng
        self._solver: AssumedClues | None = None

    def pose(self, puzzle: GridPuzzle) -> AssumedClues:
        """A solver with the clues of a puzzle."""
        parts = Parts(puzzle.rules_and_clues())
        if self._solver is not None and self._solver.can_pose(parts):
            self._solver.pose(parts)
            return self._solver
        self.close()
        self._solver = AssumedClues(parts, self._rng)
        return self._solver

    def close(self) -> None:
        if self._solver is not None:
            self._solver.close()


def require_entries(kind: type[GridPuzzle], where: str, names: Collection[str]) -> None:
    """Raise InputError if a class variable of a kind names an entry that it does not have."""
    for name in names:
        if name not in kind.model_fields:
            raise InputError(
                f"{kind.__name__}.{where}: there is no entry {name!r}; write one of "
                f"{', '.join(kind.model_fields)}"
            )


def list_answers(solver: AssumedClues, most: int) -> list[frozenset[Mark]]:
    """Answers of the puzzle that was posed, up to a number. Raises Stopped."""
    answers: list[frozenset[Mark]] = []
    forbidden: list[int] = []
    while len(answers) < most:
        answer = solver.solve(solver.clues, forbidden)
        if answer is None:
            break
        answers.append(answer)
        forbidden.append(solver.forbid(answer))
    return answers


def list_near(puzzle: GridPuzzle, centre: Mark, radius: float) -> set[Mark]:
    """The marks at most this far from one of them, in cells."""
    row, column = puzzle.layer_of(centre).point(centre.at)
    near = set()
    for layer in puzzle.layers:
        for mark in layer.marks():
            other_row, other_column = layer.point(mark.at)
            if max(abs(other_row - row), abs(other_column - column)) <= radius:
                near.add(mark)
    return near


def draw_all_clues(blank: GridPuzzle, solvers: Solvers) -> GridPuzzle | None:
    """A puzzle with all clues of a random answer that agrees with those of the blank one; None if
    there is no answer."""
    solver = solvers.pose(blank)
    answer = solver.draw(solver.clues)
    return None if answer is None else give_clues(blank, answer)


def draw_anew(
    trial: Trial, solvers: Solvers, rng: random.Random, clues: Collection[ClueName] = ()
) -> GridPuzzle | None:
    """A puzzle whose answer is another one near a place where two answers differ, and agrees with
    these clues."""
    assert trial.other is not None
    differing = rng.choice(sorted(trial.answer ^ trial.other))
    near = list_near(trial.puzzle, differing, rng.choice(RADII))
    changed = solvers.pose(trial.puzzle).draw(clues, near, trial.answer)
    return None if changed is None else give_clues(trial.puzzle, changed)


def give_clues(blank: GridPuzzle, answer: Collection[Mark]) -> GridPuzzle:
    """A puzzle with all clues that follow from an answer, also the numbers in cells that may be
    given."""
    listed = Answer(sorted(answer))  # so that the same seed gives the same puzzle
    values = {**blank.list_givens(listed), **blank.full_clues(listed)}
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


def take_clues_away(puzzle: GridPuzzle) -> GridPuzzle:
    """The puzzle without the clues that follow from its answers. Raises InputError if none can be
    taken away."""
    kind = type(puzzle)
    other = f"`jigsat generate {puzzle.family}` generates new puzzles"
    entries = [
        entry
        for entry, clues in puzzle.clue_layers.items()
        if clues.clue_by_clue and entry not in kind.fixed_clues
    ]
    blank = puzzle.replace_clues({entry: {} for entry in entries})
    with closing(Solvers(random.Random(0))) as solvers:
        answer = solvers.pose(blank).draw()
    if answer is None:
        raise InputError(f"{puzzle.name or 'the instance'}: there is no answer even without clues")
    removable = list_removable_entries(blank, Answer(answer))
    if not removable:
        raise InputError(
            f"{puzzle.name or 'the instance'}: {kind.name_kind()} has no clues that can be taken "
            f"away one by one; {other}"
        )
    return puzzle.replace_clues({entry: {} for entry in removable})


def remove_clues(trial: Trial, solvers: Solvers, rng: random.Random) -> GridPuzzle:
    """The puzzle without clues that are not needed."""
    solver = solvers.pose(trial.puzzle)
    removable = list_removable_entries(trial.puzzle, Answer(trial.answer))
    needed = find_needed_clues(solver, trial.forbidden, removable, rng)
    return keep_clues(trial.puzzle, removable, needed)


def find_needed_clues(
    solver: AssumedClues, forbidden: int, removable: Sequence[str], rng: random.Random
) -> set[ClueName]:
    """Clues without which there are other answers, if those that cannot be taken away stay. With
    the literal `forbidden`, the solver finds only other answers."""
    needed = set(solver.clues)
    for clue in order_for_removal(removable, needed, rng):
        if clue not in needed:
            continue
        others = needed - {clue}
        if has_other_answer(solver, forbidden, others):
            continue
        # Others that were not needed go at once, but only of the same entry.
        used = solver.list_needed()
        needed = {one for one in others if one in used or one.entry != clue.entry}
    return needed


def has_other_answer(solver: AssumedClues, forbidden: int, clues: Collection[ClueName]) -> bool:
    """Whether there is one, or it is too hard to decide."""
    try:
        return solver.solve(clues, [forbidden]) is not None
    except Stopped:
        return True


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
        places = [place for place in clues if ClueName(entry, place) in needed]
        values[entry] = {place: clues[place] for place in places}
    return puzzle.replace_clues(values)
