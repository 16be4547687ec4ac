"""The pictures of the reasons why a puzzle has no solution."""

from __future__ import annotations

from jigsat.puzzle import Puzzle
from jigsat.questions import FoundReasons

# time limit of the search for reasons after it is known that there are some
MAX_REASONS_S = 60.0


def draw_reason(puzzle: Puzzle, reason: FoundReasons) -> str | None:
    """An SVG document that marks what a reason is about; None if no picture shows it."""
    from jigsat.diagnosis.unsolvable import placements_to_draw  # most puzzles have a solution

    given, marked = placements_to_draw(puzzle, reason)
    return puzzle.svg(given, marked) if given or marked else None
