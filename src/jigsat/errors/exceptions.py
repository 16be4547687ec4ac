"""What can go wrong, as exceptions that carry the one line a person needs."""

from __future__ import annotations

import signal
from collections.abc import Iterable
from itertools import takewhile
from typing import ClassVar

from jigsat.errors.escaping import printable

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


def nearest(name: str, known: Iterable[str]) -> str:
    """The known name that a misspelled one is most like, or '' if none is.

    >>> nearest("Tilez", ["tiles", "title", "board"])
    'tiles'
    """
    from difflib import SequenceMatcher, get_close_matches  # seldom needed

    wrong, by_lower = name[:100].lower(), {other.lower(): other for other in known}

    def likeness(other: str) -> tuple[float, int]:  # of two that are equally like, the one that begins alike
        alike = takewhile(lambda pair: pair[0] == pair[1], zip(other, wrong, strict=False))
        return SequenceMatcher(None, other, wrong).ratio(), sum(1 for _ in alike)

    return by_lower[max(found, key=likeness)] if (found := get_close_matches(wrong, by_lower)) else ""


def unknown(what: str, name: str, known: Iterable[str]) -> str:
    """A message for a name that is not known: with the nearest that is, or with all of them.

    >>> unknown("entry", "tilez", ["tiles", "board"])
    "unknown entry 'tilez'; did you mean 'tiles'?"
    >>> unknown("format", "gif", [".svg", ".png"])
    "unknown format 'gif'; known are '.svg', '.png'"
    """
    names = list(known)
    if name and (near := nearest(name, names)):
        return f"unknown {what} {name!r}; did you mean {near!r}?"
    return f"unknown {what} {name!r}; known are {', '.join(map(repr, names))}"
