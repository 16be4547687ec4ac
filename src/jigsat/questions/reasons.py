"""Reasons why a puzzle has no solution, as facts."""

from __future__ import annotations

from typing import Any, NamedTuple

from jigsat.puzzle import Reason
from jigsat.symmetry import Placement


class Layout(NamedTuple):
    """A picture of what is `placed`; `marked` of it clashes with what is `missing`, which shows the
    cell that stays empty."""

    placed: tuple[Placement, ...] = ()
    marked: frozenset[Placement] = frozenset()
    missing: frozenset[Placement] = frozenset()
    legend: str = ""


class FoundReasons(NamedTuple):
    """A reason, with the names of the clues that it marks, or of the pieces and cells that clash
    and how to draw them."""

    reason: Reason
    clues: tuple[str, ...] = ()
    clash: tuple[str, ...] = ()
    layout: Layout = Layout()

    def json(self) -> dict[str, Any]:
        marked = sorted(self.reason.marked, key=str)
        return {
            "words": self.reason.words,
            "clues": list(self.clues),
            "marked": [placement._asdict() for placement in marked],
            "clash": list(self.clash),
            "placed": [placement._asdict() for placement in self.layout.placed],
        }


class Why(NamedTuple):
    """What was not finished, in a sentence or '', and the reasons why a puzzle has no solution, as
    far as they were found."""

    unfinished: str = "the search for simple reasons was not finished"
    found: tuple[FoundReasons, ...] = ()

    def json(self) -> dict[str, Any]:
        return {"found": [reason.json() for reason in self.found], "finished": not self.unfinished}
