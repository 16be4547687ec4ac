"""What can go wrong, as exceptions that carry the one line a person needs."""

from __future__ import annotations


class InputError(Exception):
    """The input is wrong: the message names the file, the place in it and what to do. Exit status 2.

    It is one line of bounded length, whatever odd characters and endless names it quotes.
    """

    def __init__(self, message: str) -> None:
        line = "".join(c if c.isprintable() else repr(c)[1:-1] for c in message)
        super().__init__(line if len(line) <= 1000 else f"{line[:600]} … {line[-300:]}")


class Stopped(Exception):
    """A run ended before its answer: the message is the reason ('timeout', 'memory', …). Exit status 3."""


class CheckError(Exception):
    """A solver's answer broke a rule of the puzzle: the encoding or the solver has a bug, nothing is to be believed."""


class EngineWarning(UserWarning):
    """The compiled engine, which would be used here, was not built. The answer is the same but takes longer."""
