"""A line of progress on a terminal, or now and then a line in a file."""

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from threading import Event, Thread, Timer
from typing import TypeVar

from jigsat.cli.common import say, terminal
from jigsat.puzzle import Puzzle
from jigsat.runtime.limits import Limits
from jigsat.solving.many import answer_each
from jigsat.solving.question import FunctionQuestion
from jigsat.solving.task import Resources

T = TypeVar("T")

PROGRESS_DELAY_S = 2.0  # seconds after which a run shows its progress
LOGGED_EVERY_S = 30.0  # seconds between two lines of progress that are not on a terminal


@contextmanager
def live_line(line: Callable[[], str], *, quiet: bool = False) -> Iterator[None]:
    """Show a line on stderr if the block takes longer than `PROGRESS_DELAY_S`: on a terminal in place, four times per second.

    In a file, one line follows another, every `LOGGED_EVERY_S` seconds.
    """
    if quiet:
        yield
        return
    if (console := terminal()) is None:
        done = Event()

        def log() -> None:
            while not done.wait(LOGGED_EVERY_S):
                say(line())

        logging = Thread(target=log, daemon=True)
        logging.start()
        try:
            yield
        finally:
            done.set()
            logging.join()
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
    timer = Timer(PROGRESS_DELAY_S, live.start)
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
        timer.join()
        live.stop()


def answer_with_progress(
    doing: str, puzzles: Sequence[Puzzle], function: Callable[[Puzzle], T], limits: Limits
) -> Iterator[tuple[Puzzle, T]]:
    """The puzzles with what the function returns for each, in another process; messages name what it is `doing`."""
    number, question = 1, FunctionQuestion(function, doing)
    with (
        live_line(lambda: f"{doing} {number} of {len(puzzles)}"),
        closing(answer_each(question, puzzles, Resources(), limits.timeout)) as answers,
    ):
        for puzzle, answer, reason in answers:
            if reason:
                raise reason
            yield puzzle, answer[0]
            number += 1
