"""A line of progress on a terminal."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from functools import partial
from threading import Timer
from typing import TypeVar

from jigsat.cli.common import terminal
from jigsat.errors import stops_named
from jigsat.puzzle import Puzzle
from jigsat.runtime import Child, Limits

T = TypeVar("T")

PATIENCE = 2.0
"""Seconds after which a run shows its progress."""


@contextmanager
def live_line(line: Callable[[], str], *, quiet: bool = False) -> Iterator[None]:
    """Show a line on stderr, four times per second, if it is a terminal and the block takes longer than `PATIENCE`."""
    console = None if quiet else terminal()
    if console is None:
        yield
        return
    from rich.live import Live
    from rich.text import Text

    live = Live(
        get_renderable=lambda: Text(line()),
        console=console,
        transient=True,
        refresh_per_second=4,
        redirect_stdout=sys.stdout.isatty(),  # otherwise Rich would write to the terminal what is meant for a file or a pipe
    )
    timer = Timer(PATIENCE, live.start)
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
        timer.join()
        live.stop()


def one_by_one(
    doing: str, puzzles: Sequence[Puzzle], job: Callable[[Sequence[Puzzle]], Iterable[T]], limits: Limits
) -> Iterator[tuple[Puzzle, T]]:
    """The puzzles with the items of `job(puzzles)`, one per puzzle, computed in another process with a line of progress.

    If a limit or a signal stops it, the message names the puzzle and what was done to it: `doing`, such as 'rating'.
    """
    number = 0
    with (
        live_line(lambda: f"{doing} {number} of {len(puzzles)}"),
        closing(Child(partial(job, puzzles), timeout=limits.timeout)) as items,
    ):
        for puzzle in puzzles:
            number += 1
            with stops_named(puzzle.name, f" while {doing}"):
                item = next(items)
            yield puzzle, item
