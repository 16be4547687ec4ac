"""What can go wrong, as exceptions that carry the one line a person needs."""

from __future__ import annotations

import signal
from typing import ClassVar

from jigsat.printable import printable

_LONGEST = 1000


class _OneLine(Exception):
    """Its message is one line of bounded length, whatever odd characters and endless names it quotes."""

    def __init__(self, message: str) -> None:
        line = printable(message)
        super().__init__(line if len(line) <= _LONGEST else f"{line[:600]} … {line[-300:]}")


class InputError(_OneLine):
    """The input is wrong: the message names the file, the place in it and what to do. Exit status 2."""


class Stopped(_OneLine):
    """A run ended before its answer: the message is the reason ('timeout', 'memory', …). Exit status 3."""


class CheckError(_OneLine):
    """A solver's answer broke a rule of the puzzle: the encoding or the solver has a bug, nothing is to be believed."""


class EngineWarning(UserWarning):
    """The compiled engine, which would be used here, was not built. The answer is the same but takes longer."""


class FamilyWarning(UserWarning):
    """A family of puzzles in somebody's package cannot be used, and is skipped."""


class Interrupted(KeyboardInterrupt):
    """A signal asked the run to end. `reason` is for the result, `status` is the exit status."""

    SIGNALS: ClassVar[dict[int, tuple[str, str]]] = {
        getattr(signal, name): words
        for name, words in {
            "SIGINT": ("interrupt", "interrupted"),
            "SIGTERM": ("termination", "terminated"),
            "SIGHUP": ("hangup", "hung up"),  # there is none on Windows
        }.items()
        if hasattr(signal, name)
    }
    """The signals that do so, each with the reason and the message."""

    def __init__(self, number: int = signal.SIGINT) -> None:
        self.reason, message = self.SIGNALS[number]
        super().__init__(message)
        self.status = 128 + number
