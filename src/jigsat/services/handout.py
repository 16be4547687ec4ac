"""The service that writes a page that explains an encoding."""

from __future__ import annotations

from pathlib import Path

from jigsat.answering.enumeration import first_solution
from jigsat.errors import Stopped
from jigsat.explanation.handout import handout
from jigsat.formula import Lowering
from jigsat.puzzle import Puzzle, Solution
from jigsat.runtime.child import apart
from jigsat.runtime.limits import Limits
from jigsat.services.pictures import write_pages

HANDOUTS = (".pdf", ".html", ".svg", ".png")  # suffixes of handouts
MAX_SOLUTION_S = 10.0  # seconds after which a handout is written without a solution


def write_handout(
    puzzle: Puzzle, page: Path, lowering: Lowering, limits: Limits
) -> KeyboardInterrupt | None:
    """Write the handout, with the solution if it is found in time; returns what interrupted the
    search, if anything did.

    Raises InputError for a file that cannot be written; Stopped at a limit, and if the disk is full
    or broken.
    """
    answer: Solution | str = "There is no solution."
    interrupted: KeyboardInterrupt | None = None
    seconds = MAX_SOLUTION_S if limits.timeout is None else min(MAX_SOLUTION_S, limits.timeout)
    try:
        placements = apart(first_solution, puzzle, timeout=seconds)
        if placements is not None:
            answer = Solution(puzzle, placements)
    except Stopped as reason:
        answer = f"No solution was found: stopped by {reason}."
    except KeyboardInterrupt as reason:
        answer = "No solution was found: the search was interrupted."
        interrupted = reason
    page_drawing = handout(puzzle, answer, lowering)
    write_pages(page, [page_drawing], limits, puzzle.title or puzzle.name)
    return interrupted
