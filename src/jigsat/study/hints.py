"""Hints in three degrees: where to look, what to ask there, and what follows. Before that, a hint
says what is wrong.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from jigsat.phrases import Text, count, join_and, upper
from jigsat.puzzle import Puzzle
from jigsat.questions import Candidates
from jigsat.study.candidates import find_candidates
from jigsat.study.steps import NOTHING_LEFT, find_steps
from jigsat.symmetry import Placement

MAX_NAMED = 8  # number of wrong placements that are named
LAST_DEGREE = 3
SEVERAL = "There is more than one solution, so logic does not decide everything."


@dataclass(frozen=True)
class Hint:
    """What is wrong, or the next step; neither if nothing is left to decide. `several` if there is
    more than one solution.
    """

    wrong: str = ""
    text: Text | None = None
    open_end: str = ""
    several: bool = False

    def lines(self, degree: int) -> list[str]:
        """The lines of the hint of degree 1, 2 or 3; a technique has its name from the second
        on.
        """
        if self.wrong:
            return [self.wrong]
        if not self.text:
            return [self.open_end]
        return [*([SEVERAL] if self.several else []), *self._list_lines(self.text, degree)]

    def _list_lines(self, text: Text, degree: int) -> list[str]:
        """The lines about the next step."""
        title = [f"{upper(text.title)}:"] if text.title else []
        if degree >= LAST_DEGREE:
            return [*title, *text.lines()]
        if degree == 2:
            return [" ".join([text.look, *title, text.ask])]
        return [text.look]


def find_hint(puzzle: Puzzle, given: Collection[Placement] = ()) -> Hint:
    """A hint for a puzzle in which placements are made.

    >>> from jigsat.instance import load
    >>> hint = find_hint(load("sudoku-6x6"))
    >>> hint.lines(1)
    ['Look at row 1.']
    >>> hint.lines(3)[-1]
    'The 3s in r2c3 and r5c4 block the other empty cells.'
    """
    *_, candidates = find_candidates(puzzle, given)
    if not candidates.solvable:
        return Hint(wrong=_describe_wrong(puzzle, given, candidates))
    undecided = list(candidates.statuses.values()).count("some")
    for step in find_steps(puzzle, given, candidates):
        return Hint(text=step.text(puzzle), several=undecided > 0)
    if undecided:
        return Hint(
            open_end=f"Logic goes no further: there are several solutions, and {undecided:,} "
            f"placements can still be chosen."
        )
    return Hint(open_end=f"{NOTHING_LEFT.capitalize()}.")


def _describe_wrong(puzzle: Puzzle, given: Collection[Placement], candidates: Candidates) -> str:
    """Which placements no solution has; if each is in one, which are in none together."""
    own = puzzle.given_placements()
    made = [placement for placement in given if placement not in own]
    *_, without = find_candidates(puzzle)
    if not without.solvable:
        return f"{puzzle.name} has no solution, whatever is placed; `jigsat solve` tells why."
    wrong = [placement for placement in made if without.statuses[placement] == "none"]
    if wrong:
        return f"Not right: {_name_placements(puzzle, wrong)}. No solution has that."
    together = [placement for placement in candidates.conflict if placement not in own]
    named = _name_placements(puzzle, together)
    return f"Not right: {named}. No solution has all of that together."


def _name_placements(puzzle: Puzzle, placements: Sequence[Placement]) -> str:
    way = puzzle.way()
    named = list(map(way.state, placements[:MAX_NAMED]))
    hidden = len(placements) - MAX_NAMED
    if hidden > 0:
        named.append(f"{count(hidden)} more")
    return join_and(named)
