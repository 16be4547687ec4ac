"""The reasons why a puzzle has no solution, as text and as pictures."""

from __future__ import annotations

from contextlib import closing, suppress
from functools import partial

from jigsat.analysis.unsolvable import Why, collect_reasons, placements_to_draw
from jigsat.cli.colour import print_picture, print_warning, print_words
from jigsat.cli.common import print_line
from jigsat.errors import Stopped
from jigsat.pictures import Painted
from jigsat.puzzle import Puzzle
from jigsat.runtime.child import Child
from jigsat.runtime.limits import Limits

MAX_REASONS_S = 20.0  # time limit of the search for the reasons why a puzzle has no solution
MAX_COUNT_AFTER_TIMEOUT_S = 1.0  # time limit of counting after the search for a solution has reached its own limit
LEGEND = "stars mark what the reason is about"


def show_reasons(puzzle: Puzzle, why: Why, pictures: int = 0) -> None:
    """Print one line per reason, the first of those that can be drawn with a picture."""
    for found in why.found:
        print_words(f"reason: {found.reason.words}")
        given, marked = placements_to_draw(puzzle, found)
        visible = given if found.clash else marked
        if visible and pictures:
            pictures -= 1
            print_line()
            picture = puzzle.text(given, found.layout.marked if found.clash else marked)
            legend = found.layout.legend or LEGEND
            print_picture(picture.above(legend) if isinstance(picture, Painted) else f"{picture}\n{legend}")
    if why.unfinished:
        print_warning(f"jigsat: {puzzle.name}: {why.unfinished}")
    elif not why.found:
        print_words("no simple reason was found")


def draw_reasons(puzzle: Puzzle, why: Why) -> list[str]:
    """SVG documents of the reasons that have something to mark, with the reason and what is marked below."""
    from jigsat.pictures.pages import add_caption

    drawn = []
    for found in why.found:
        given, marked = placements_to_draw(puzzle, found)
        if given or marked:
            legend = (found.layout.legend or LEGEND).replace("stars mark", "red marks")
            drawn.append(add_caption(puzzle.svg(given, marked), [found.reason.words, legend]))
    return drawn


def find_reasons(puzzle: Puzzle, limits: Limits, *, proved: bool = True) -> Why:
    """The reasons found before the time limit; only counting is tried if it is not `proved` that there is no solution."""
    known = Why()
    child = Child(partial(collect_reasons, puzzle, proved=proved), timeout=limits.timeout)
    # the answer is known; only its reasons may be incomplete
    with closing(child), suppress(Stopped, KeyboardInterrupt):
        for why in child:
            known = why
    return known
