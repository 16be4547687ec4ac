"""Exceptions with a message of one line for the user."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from errno import EAGAIN, EDQUOT, EFBIG, EIO, EMFILE, ENFILE, ENOMEM, ENOSPC
from typing import Any, ClassVar

from jigsat.errors.wording import printable

_MAX_MESSAGE_CHARACTERS = 1000

NOT_THE_NAME = (EAGAIN, EDQUOT, EFBIG, EIO, EMFILE, ENFILE, ENOMEM, ENOSPC)
"""Errors in writing a file whose name is right: a full or broken disk, too little memory, or too many open files."""


class OneLine(Exception):
    """An exception whose message is one line of bounded length, even if it quotes strange characters or very long names."""

    def __init__(self, message: str) -> None:
        line = printable(message)
        super().__init__(line if len(line) <= _MAX_MESSAGE_CHARACTERS else f"{line[:600]} … {line[-300:]}")


class InputError(OneLine):
    """The input is wrong. The message states the file, the place in it and the remedy. Exit status 2."""


class IncompleteError(InputError, ValueError):
    """Every entry is right, but together they are no puzzle yet. Validators of families raise it: "tiles: 4 of 9 tiles".

    `draft` is the puzzle as far as it goes, which the page draws.
    """

    def __init__(self, message: str, draft: Any) -> None:
        super().__init__(message)
        self.draft = draft


class FamilyError(InputError):
    """A method of a family raised an unexpected exception, which is the cause of this one, or returned a wrong value."""


class Stopped(OneLine):
    """A run ended without an answer. Exit status 3.

    `reason` is one of `LIMITS`, or otherwise a description. The message may add the context.
    """

    LIMITS: ClassVar = ("timeout", "memory")

    def __init__(self, message: str, reason: str = "") -> None:
        super().__init__(message)
        self.reason = reason or str(self)

    def within(self, context: str, doing: str = "") -> Stopped:
        """The same exception, with the context and the interrupted activity in the message."""
        stopped = "stopped by " if str(self) in self.LIMITS else ""
        return Stopped(f"{context}: {stopped}{self}{doing}", self.reason)


class UnknownFamily(InputError):
    """An instance names a family that is neither installed nor registered."""


class NotWorthwhile(Stopped):
    """A backend gave up because another one is faster; the message states the reason."""


class CheckError(OneLine):
    """A solver's answer breaks a rule of the puzzle. The encoding or the solver has a bug, so no result can be trusted."""


class EngineWarning(UserWarning):
    """The compiled engine fits this puzzle but was not built. The answer is the same but takes longer."""


class FamilyWarning(UserWarning):
    """A puzzle family of another package cannot be used and is skipped."""


class InstanceWarning(UserWarning):
    """An entry of an instance is valid but probably a mistake, such as a misspelt label."""


class Interrupted(KeyboardInterrupt):
    """A signal asked the run to end. `reason` is for the result, `status` is the exit status."""

    SIGNALS: ClassVar[dict[int, tuple[str, str]]] = {
        getattr(signal, name): words
        for name, words in {
            "SIGINT": ("interrupt", "interrupted"),
            "SIGTERM": ("termination", "terminated"),
            "SIGHUP": ("hangup", "hung up"),  # does not exist on Windows
        }.items()
        if hasattr(signal, name)
    }
    """The signals that raise this exception, each with the reason and the message."""

    def __init__(self, number: int = signal.SIGINT, context: str = "", doing: str = "") -> None:
        self.reason, message = self.SIGNALS[number]
        super().__init__(f"{context}{message}{doing}")
        self.status = 128 + number

    def within(self, context: str, doing: str = "") -> Interrupted:
        """The same exception, with the context and the interrupted activity in the message."""
        return Interrupted(self.status - 128, f"{context}: ", doing)


@contextmanager
def stops_named(context: str, doing: str = "") -> Iterator[None]:
    """If a limit or a signal stops this block, add a context to the message, such as 'cats' and ' while reading'."""
    try:
        yield
    except (Stopped, Interrupted) as reason:
        raise reason.within(context, doing) from reason


def unwritable(path: object, error: OSError) -> InputError | Stopped:
    """The exception for a file that cannot be written: Stopped for a reason in NOT_THE_NAME, and otherwise InputError."""
    message = f"{path}: cannot be written: {(error.strerror or str(error)).lower()}"
    return Stopped(message) if error.errno in NOT_THE_NAME else InputError(message)
