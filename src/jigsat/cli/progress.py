"""A line of progress on a terminal."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Timer

from jigsat.cli.common import terminal

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


def duration(seconds: float) -> str:
    """A duration in its largest unit.

    >>> [duration(seconds) for seconds in (5, 119, 3 * 3600, 1e6, 1e12)]
    ['about 5 s', 'about 119 s', 'about 3 h', 'about 12 days', 'more than a year']
    """
    for unit, length, most in (("s", 1, 120), ("min", 60, 120), ("h", 3600, 48), ("days", 86400, 365)):
        if seconds < most * length:
            return f"about {seconds / length:.0f} {unit}"
    return "more than a year"
