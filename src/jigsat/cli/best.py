"""`solve --best`: the board with the most matching edges found so far."""

from __future__ import annotations

import time
from functools import partial
from pathlib import Path

from jigsat.cli.colour import print_picture
from jigsat.cli.common import print_json, print_line, say, write_pictures
from jigsat.cli.replies import stopped_by
from jigsat.errors import Stopped, stops_named
from jigsat.puzzle import Puzzle, Solution
from jigsat.runtime.child import Child, held_interrupts
from jigsat.runtime.limits import Limits
from jigsat.solving.best import Best, improve


def show_best(puzzle: Puzzle, limits: Limits, picture: Path | None, as_json: bool) -> None:
    """Tell each improvement on stderr; at the end, print the best board and what it lacks."""
    best: Best | None = None
    reason: BaseException | None = None
    start = time.monotonic()
    with held_interrupts(), stops_named(puzzle.name):
        try:
            for best in Child(partial(improve, puzzle), timeout=limits.timeout, memory=limits.memory):
                say(f"{time.monotonic() - start:.1f} s: {best.matching} of {best.edges} edges match")
        except (Stopped, KeyboardInterrupt) as stop:
            reason = stop
        board = Solution(puzzle, best.placements) if best else None
        if as_json:
            numbers = {**vars(best), "matching": best.matching, "placements": board.objects()} if best and board else None
            print_json({"instance": puzzle.name, "best": numbers, "stopped_by": stopped_by(reason) if reason else None})
        elif best and board:
            print_picture(board.text())
            proved = "which is proved to be the most" if best.optimal else "the most found so far"
            print_line(f"{puzzle.name}: {best.matching} of {best.edges} edges match, {proved}")
        elif not reason:
            print_line(f"{puzzle.name}: no board keeps the other rules, even if no edges match")
        if board and picture:
            write_pictures(picture, [board.svg()])
        if reason:
            raise reason
