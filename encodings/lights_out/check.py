"""The check of Lights Out: a press switches every light whose cell has a side with the same
midpoint."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from jigsat.encodings.lights_out.data import LightsOutData, Press

    from jigsat.boards import Board, Cell


def broken_rules(puzzle: LightsOutData, placements: Sequence[Press]) -> Iterator[str]:
    """The lights that are still on, and presses outside the board."""
    lit = set(puzzle.lights)
    reach = reached_lights(puzzle.surface)
    for (cell,) in placements:
        if cell in reach:
            lit ^= reach[cell]
        else:
            yield f"there is no cell {cell} to press"
    for cell in lit:
        yield f"the light of cell {cell} is on"


def reached_lights(board: Board) -> dict[Cell, frozenset[Cell]]:
    """For each cell, the lights that a press switches; a light that is switched twice does not
    count."""
    times = {cell: Counter([cell]) for cell in board.cells}
    for meeting in board.meetings.values():
        for i, (cell, _) in enumerate(meeting):
            times[cell].update(other for other, _ in [*meeting[:i], *meeting[i + 1 :]])
    return {
        cell: frozenset(other for other, number in times[cell].items() if number % 2)
        for cell in times
    }
