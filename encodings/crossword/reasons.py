"""Why a crossword has no solution: a word that is not in the list."""

from __future__ import annotations

from collections.abc import Iterator

from jigsat.encodings.crossword.data import CrosswordData, Letter
from jigsat.encodings.crossword.slots import BLANK

from jigsat.puzzle import Reason


def find_reasons(puzzle: CrosswordData) -> Iterator[Reason]:
    """The slots whose given letters and answers no word of the list has."""
    letters = puzzle.givens | puzzle.required
    for slot in puzzle.slots if puzzle.enforced and puzzle.scores else ():
        if not puzzle.fitting(slot, letters):
            word = "".join(letters.get(cell, BLANK) for cell in slot.cells)
            said = f"fits {word}" if BLANK in word else f"is {word}"
            marked = {Letter(cell, letters[cell]) for cell in slot.cells if cell in letters}
            yield Reason(f"{slot.name}: no word in the list {said}", frozenset({*marked, *puzzle.possible_scores(slot)}))
