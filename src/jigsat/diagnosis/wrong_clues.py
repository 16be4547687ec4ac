"""Which clue of a puzzle on a grid may be wrong: what it would say if the others are right.

Without the clue, the others have answers, and each answer shows what the clue would say. All clues
are tried in one solver. A clue is suspected only if it is in every core that was found: otherwise
clues that conflict would remain.
"""

from __future__ import annotations

import random
import time
from collections.abc import Iterator, Sequence
from contextlib import closing
from typing import NamedTuple

from jigsat.errors import Stopped
from jigsat.kit import Answer, ClueName, GridPuzzle, Mark
from jigsat.puzzle import Correction
from jigsat.solving.assumed import AssumedClues, Parts

MAX_ANSWERS = 100  # number of answers without a clue, after which no other value is looked for


class Reading(NamedTuple):
    """What one clue would say of an answer that agrees with the others."""

    change: Correction
    answer: Sequence[Mark]


class WrongClues:
    """Searches for the clues of a puzzle that may be wrong; `untried` are those of which not all
    values were found.
    """

    def __init__(self, puzzle: GridPuzzle, end: float) -> None:
        self.untried: list[ClueName] = []
        self._puzzle = puzzle
        self._end = end

    def find(self) -> Iterator[Reading]:
        """Each other value of one clue with which there is an answer."""
        parts = Parts(self._puzzle.rules_and_clues())
        with closing(AssumedClues(parts, random.Random(0))) as assumed:
            suspects = self._list_suspects(assumed)
            while suspects:
                clue = suspects.pop(0)
                others = [other for other in assumed.clues if other != clue]
                try:
                    conflict = assumed.find_conflict(others)
                    if conflict is None:
                        yield from self._list_values(assumed, clue, others)
                    else:
                        # The wrong clue is among those that conflict without this one, too.
                        suspects = [other for other in suspects if other in conflict]
                except Stopped:
                    self.untried.append(clue)

    def _list_suspects(self, assumed: AssumedClues) -> list[ClueName]:
        """The clues of a conflict."""
        try:
            return assumed.find_conflict(assumed.clues) or []
        except Stopped:
            return list(assumed.clues)

    def _list_values(
        self, assumed: AssumedClues, clue: ClueName, others: Sequence[ClueName]
    ) -> Iterator[Reading]:
        """The values of a clue in the answers that agree with the others. Raises Stopped."""
        seen: set[str] = set()
        forbidden: list[int] = []
        while time.monotonic() < self._end and len(forbidden) < MAX_ANSWERS:
            answer = assumed.solve(others, forbidden)
            if answer is None:
                return
            forbidden.append(assumed.forbid(answer))
            marks = sorted(answer, key=str)
            change = self._read_change(clue, marks)
            if change and change.words not in seen:
                seen.add(change.words)
                yield Reading(change, marks)
        self.untried.append(clue)

    def _read_change(self, clue: ClueName, marks: Sequence[Mark]) -> Correction | None:
        """What a clue would say of an answer; None if it would not be there."""
        puzzle = self._puzzle
        answer = Answer(marks)
        following = {**puzzle.list_givens(answer), **puzzle.full_clues(answer)}
        entry, place = clue
        clues = puzzle.clue_layers[entry]
        value = following.get(entry, {}).get(place)
        if value is None or value == clues[place]:
            return None
        name = str(clues.thing(place))
        other = clues.describe_value(value)
        own = clues.describe_value(clues[place])
        words = f"{name}: {other} instead of {own}"
        changed = clues.with_values({**clues, place: value})
        changed.unknown = clues.unknown
        return Correction(name, words, {entry: changed})
