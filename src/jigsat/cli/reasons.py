"""The reasons why a puzzle has no solution, as text and as JSON; imported only if there is none."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from jigsat.analysis.clashes import Unfinished
from jigsat.analysis.unsolvable import FoundReasons, placements_to_draw, reasons
from jigsat.cli.colour import print_picture, print_warning, print_words
from jigsat.cli.common import print_line, say
from jigsat.errors import FamilyError, Stopped
from jigsat.pictures import Painted, add_caption
from jigsat.puzzle import Puzzle
from jigsat.runtime.child import Child
from jigsat.runtime.limits import Limits

MAX_COUNT_AFTER_TIMEOUT_S = 1.0
"""The time limit of counting after the search for a solution has reached its own limit."""


LEGEND = "stars mark what the reason is about"


@dataclass
class Why:
    """The reasons why a puzzle has no solution, as far as they were found before a limit."""

    puzzle: Puzzle
    found: list[FoundReasons] = field(default_factory=list)
    unfinished: str = "the search for simple reasons was not finished"
    """What was not finished, in a sentence; '' if all was."""

    def json(self) -> dict[str, Any]:
        """The reasons as a plain object."""
        return {"found": [each.json() for each in self.found], "finished": not self.unfinished}

    def show(self, pictures: int = 0) -> None:
        """Print one line per reason, the first of those that can be drawn with a picture."""
        for found in self.found:
            print_words(f"reason: {found.reason.words}")
            given, marked = placements_to_draw(self.puzzle, found)
            visible = given if found.clash else marked
            if visible and pictures:
                pictures -= 1
                print_line()
                picture = self.puzzle.text(given, found.layout.marked if found.clash else marked)
                legend = found.layout.legend or LEGEND
                print_picture(picture.above(legend) if isinstance(picture, Painted) else f"{picture}\n{legend}")
        if self.unfinished:
            print_warning(f"jigsat: {self.puzzle.name}: {self.unfinished}")
        elif not self.found:
            print_words("no simple reason was found")

    def pictures(self) -> Sequence[str]:
        """SVG documents of the reasons that have something to mark, with the reason and what is marked below."""
        drawn = []
        for found in self.found:
            given, marked = placements_to_draw(self.puzzle, found)
            if given or marked:
                legend = (found.layout.legend or LEGEND).replace("stars mark", "red marks")
                drawn.append(add_caption(self.puzzle.svg(given, marked), [found.reason.words, legend]))
        return drawn


def why(puzzle: Puzzle, limits: Limits, *, proved: bool = True) -> Why:
    """The reasons why a puzzle has no solution, found before the time limit.

    Without a proof that there is no solution, only counting is tried.
    """
    said = Why(puzzle)
    child = Child(partial(reasons, puzzle, proved=proved), timeout=limits.timeout)
    try:
        unfinished = ""
        for found in child:
            if isinstance(found, Unfinished):
                unfinished = found.words
            else:
                said.found.append(found)
        said.unfinished = unfinished
    except (Stopped, KeyboardInterrupt):  # the answer is known; only its reasons are incomplete
        pass
    except FamilyError as error:
        say(f"jigsat: {puzzle.name}: {error}")
    finally:
        child.close()
    return said
