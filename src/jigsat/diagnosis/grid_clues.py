"""Which clues of a puzzle on a grid are needed, and which conflict: a single one that no answer
meets, or several of which none can be left out."""

from __future__ import annotations

import random
from collections.abc import Collection, Sequence
from contextlib import closing, suppress
from typing import NamedTuple

from jigsat.diagnosis.cores import Core, JudgedClues
from jigsat.errors import InputError, Stopped
from jigsat.kit import ClueName, GridPuzzle, Rules
from jigsat.solving.assumed import AssumedClues, Parts
from jigsat.words import plural

MAX_CALLS = 300  # of the solver; a set that is not finished by then may have clues too many
MAX_ANSWERS = 100  # of a puzzle whose clues are judged
MAX_NAMED = 12  # clues of a conflict; a larger one tells little


class ClueConflict(NamedTuple):
    """Clues that conflict, by their names in sentences, and whether each of them is needed."""

    names: list[str]
    irreducible: bool
    number: int  # of all clues
    rest_agrees: bool = True  # whether there is an answer without the only clue

    def describe(self, puzzle: GridPuzzle) -> str:
        """The conflict in a sentence."""
        if not self.names:
            words = puzzle.drawing_fault or "there is no answer even without the clues"
            return join_clauses(words, puzzle.misplaced)
        if len(self.names) == 1:
            words = f"no answer agrees with {self.names[0]}, whatever the other clues are"
            if not self.rest_agrees:
                others = "without it there is none, either, so something else is wrong, too"
                return join_clauses(words, others, puzzle.misplaced)
            otherwise = f"if it is right, {puzzle.misplaced}" if puzzle.misplaced else ""
            return join_clauses(words, otherwise)
        clues = f"{len(self.names)} of {plural(self.number, 'clue')}"
        if len(self.names) > MAX_NAMED:
            return f"{clues} conflict"
        extent = ", and none of them can be left out" if self.irreducible else ""
        return f"these {clues} conflict{extent}: {', '.join(self.names)}"


def join_clauses(*clauses: str) -> str:
    """Those that are not empty, with semicolons between them."""
    return "; ".join(filter(None, clauses))


def find_clue_conflict(puzzle: GridPuzzle) -> ClueConflict | None:
    """Clues of a puzzle without a solution that conflict; None if that is too hard to decide, and
    if the rules depend on the clues, so that none can be left out."""
    formula = puzzle.rules_and_clues()
    parts = Parts(formula)
    is_named = formula.clue_spans or puzzle.drawing_fault
    if not is_named or not parts.has_rules_of(Parts(_list_rules(puzzle))):
        return None
    with closing(AssumedClues(parts, random.Random(0))) as solver:
        try:
            if solver.solve([]) is None:
                return ClueConflict([], True, len(solver.clues))
            conflicting = solver.find_conflict(solver.clues)
            if conflicting is None:
                return None
            core, irreducible = _reduce(solver, conflicting)
            others = [clue for clue in solver.clues if clue not in core]
            rest_agrees = len(core) > 1 or solver.solve(others) is not None
        except Stopped:
            return None
    names = [str(puzzle.clue_layers[clue.entry].thing(clue.place)) for clue in core]
    return ClueConflict(names, irreducible, len(formula.clue_spans), rest_agrees)


def _list_rules(puzzle: GridPuzzle) -> Rules:
    """The rules of the same puzzle without clues."""
    layers = puzzle.clue_layers.items()
    without = puzzle.replace_clues({entry: {} for entry, clues in layers if clues.clue_by_clue})
    return without.rules_and_clues()


def judge_grid_clues(puzzle: GridPuzzle) -> JudgedClues:
    """Which clues of a puzzle on a grid are needed. Raises InputError if it has too many answers
    to list them, which decides whether others come without a clue."""
    formula = puzzle.rules_and_clues()
    names = {
        clue: str(puzzle.clue_layers[clue.entry].thing(clue.place)) for clue in formula.clue_spans
    }
    with closing(AssumedClues(Parts(formula), random.Random(0))) as solver:
        listed = _forbid_answers(puzzle, solver, names)
        if not listed:
            conflicting, irreducible = _reduce(solver, solver.find_conflict(names) or [])
            core = Core([names[clue] for clue in conflicting], False, irreducible)
            return JudgedClues(len(names), [], [], core)

        redundant = [clue for clue in names if solver.solve(names.keys() - {clue}, listed) is None]
        enough = _find_enough(solver, list(names), listed)
    return JudgedClues(
        len(names), [names[clue] for clue in redundant], [names[clue] for clue in enough], None
    )


def _forbid_answers(
    puzzle: GridPuzzle, solver: AssumedClues, clues: Collection[ClueName]
) -> list[int]:
    """Find all answers with these clues; the literals to assume so that each is forbidden."""
    listed: list[int] = []
    while True:
        answer = solver.solve(clues, listed)
        if answer is None:
            return listed
        if len(listed) == MAX_ANSWERS:
            raise InputError(
                f"{puzzle.name}: more than {MAX_ANSWERS} solutions; clues can be judged once "
                f"there are enough of them for fewer solutions"
            )
        listed.append(solver.forbid(answer))


def _find_enough(
    solver: AssumedClues, clues: Sequence[ClueName], listed: Sequence[int]
) -> list[ClueName]:
    """Clues of which none can be left out without further answers than those listed."""
    enough = list(clues)
    for clue in clues:
        if clue not in enough:
            continue
        others = [other for other in enough if other != clue]
        if solver.solve(others, listed) is None:
            used = solver.list_needed()
            enough = [other for other in others if other in used]
    return enough


def _reduce(solver: AssumedClues, conflicting: list[ClueName]) -> tuple[list[ClueName], bool]:
    """A single clue of a conflict if one is enough, otherwise those that are needed; whether each
    is."""
    calls = 0
    for clue in conflicting[:MAX_CALLS]:
        calls += 1
        with suppress(Stopped):
            if solver.solve([clue]) is None:
                return [clue], True

    needed: list[ClueName] = []
    undecided = list(conflicting)
    sure = True
    while undecided:
        clue = undecided.pop()
        core = None
        if calls < MAX_CALLS:
            calls += 1
            try:
                core = solver.find_conflict([*needed, *undecided])
            except Stopped:
                sure = False
        else:
            sure = False
        if core is None:
            needed.append(clue)
        else:
            undecided = [other for other in undecided if other in core]
    return sorted(needed, key=conflicting.index), sure
