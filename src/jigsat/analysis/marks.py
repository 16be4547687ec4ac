"""Candidates on the board: pencil marks, or for pieces the number of them that can cover each place."""

from __future__ import annotations

from collections.abc import Collection, Hashable

from jigsat.analysis.candidates import Candidates
from jigsat.analysis.playing import Candidate, Playing
from jigsat.pictures.marks import Mark, draw_marks
from jigsat.symmetry import Placement

MAX_NAMED = 9  # pieces that are named on a place; of more, their number is shown
MAX_NAME = 3  # characters of a name that is shown


def mark_places(playing: Playing, found: Candidates) -> dict[Hashable, Mark]:
    """What can be put on each place of the board.

    Where a place can only be empty or not, ● states that it is taken in all solutions, ○ in some, – in none, ? that this is not
    known.
    """
    at: dict[Hashable, list[Candidate]] = {}
    for each in playing.candidates.values():
        for place in each.places:
            at.setdefault(place, []).append(each)
    toggles = all(len(here) == 1 for here in at.values())
    pencil = all(len(each.places) == 1 for each in playing.candidates.values())
    pencil &= len({(each.piece, each.places) for each in playing.candidates.values()}) == len(playing.candidates)
    possible = {place: [each for each in here if each.placement in found.possible] for place, here in at.items()}
    pieces = {place: tuple(dict.fromkeys(each.piece for each in here)) for place, here in possible.items()}
    most = max(map(len, pieces.values()), default=0)
    marks = {}
    for place, here in at.items():
        statuses = {found.statuses.get(each.placement, "unknown") for each in here}
        certain, unknown = "all" in statuses, "unknown" in statuses
        texts, number = pieces[place], len(pieces[place])
        if toggles:
            texts = ("●" if certain else "○" if number else "?" if unknown else "–",)
        elif number > MAX_NAMED or any(len(piece) > MAX_NAME for piece in texts):
            texts = (f"{number}",)
        marks[place] = Mark(texts, 0 if pencil or not most else number / most, certain, unknown)
    return marks


def draw_candidates(playing: Playing, found: Candidates, given: Collection[Placement] = ()) -> str:
    """An SVG document of the puzzle with the given placements, and what can be put on the other places."""
    taken = {place for placement in given for place in playing.puzzle.board_places(placement)}
    marks = {place: mark for place, mark in mark_places(playing, found).items() if place not in taken}
    return draw_marks(playing.puzzle.svg(list(given)), marks)
