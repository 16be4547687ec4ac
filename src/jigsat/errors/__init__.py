"""Errors and warnings, and messages of one line that are safe to print on a terminal."""

from __future__ import annotations

import re
import signal
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from errno import EAGAIN, EDQUOT, EFBIG, EIO, EMFILE, ENFILE, ENOMEM, ENOSPC
from itertools import takewhile
from typing import Any, ClassVar, NamedTuple


def nearest(name: str, known: Iterable[str]) -> str:
    """The known name closest to a misspelled one, or '' if none is close.

    >>> nearest("Tilez", ["tiles", "title", "board"])
    'tiles'
    """
    from difflib import SequenceMatcher, get_close_matches  # seldom needed

    wrong = name[:100].lower()
    by_lower = {other.lower(): other for other in known}

    def similarity(
        other: str,
    ) -> tuple[float, int]:  # a tie goes to the longer common prefix, then to the first name
        prefix = takewhile(lambda pair: pair[0] == pair[1], zip(other, wrong, strict=False))
        return SequenceMatcher(None, other, wrong).ratio(), sum(1 for _ in prefix)

    close = set(get_close_matches(wrong, by_lower, len(by_lower) or 1))
    if not close:
        return ""
    in_order = [other for other in by_lower if other in close]
    return by_lower[max(in_order, key=similarity)]


def suggest(name: str, known: Iterable[str]) -> str:
    """The end of a message about a misspelled name, with the closest known name, or '' if none is
    close.

    >>> suggest("tilez", ["tiles", "board"])
    "; did you mean 'tiles'?"
    """
    near = nearest(name, known)
    return f"; did you mean {near!r}?" if near else ""


def unknown(what: str, name: str, known: Iterable[str]) -> str:
    """The message for an unknown name; it suggests the closest known name, or else lists all known
    names.

    >>> unknown("entry", "tilez", ["tiles", "board"])
    "unknown entry 'tilez'; did you mean 'tiles'?"
    >>> unknown("format", "gif", [".svg", ".png"])
    "unknown format 'gif'; use one of '.svg', '.png'"
    """
    names = list(known)
    if not names:
        return f"unknown {what} {name!r}; there is none"
    near = suggest(name, names) if name else ""
    return f"unknown {what} {name!r}" + (near or f"; use one of {', '.join(map(repr, names))}")


def lookalikes(what: str, words: Iterable[str]) -> Iterator[str]:
    """A sentence for each word that occurs once, resembles one that occurs more often, and so may
    be misspelt.

    Words resemble each other if each of their parts does, such as 'gren tail' and 'green tail'.
    Numbers must be equal, because names such as 'fish 1' and 'fish 2' are different. There are none
    if most words occur once.

    >>> list(lookalikes("label", ["green", "green", "gren", "head 1", "fish", "fish"]))
    ["the label 'gren' occurs once and resembles 'green', which occurs twice; correct it if it is
    misspelt"]
    """
    number = Counter(words)
    rare = [word for word, times in number.items() if times == 1]
    common = [word for word, times in number.items() if times > 1]
    if len(rare) > len(common):  # it is normal that a word occurs once
        return
    for word in rare:
        likeness, like = max((_likeness(word, other), other) for other in common)
        if likeness >= MIN_SIMILARITY:
            times = "twice" if number[like] == 2 else f"{number[like]:,} times"
            yield (
                f"the {what} {word!r} occurs once and resembles {like!r}, which occurs {times}; "
                f"correct it if it is misspelt"
            )


# minimum similarity, from 0 to 1, at which one part of a word is probably a misspelling of another
MIN_SIMILARITY = 0.75


def _likeness(word: str, other: str) -> float:
    """The similarity of the least similar parts of two words, from 0 to 1."""
    from difflib import SequenceMatcher  # seldom needed

    parts, others = (re.findall(r"\d+|[^\W\d_]+", text.casefold()) for text in (word, other))
    if len(parts) != len(others):
        return 0.0
    least = 1.0
    for one, two in zip(parts, others, strict=True):
        if one != two:
            same = SequenceMatcher(None, one, two)
            if not one.isalpha() or len(one) < 3 or same.quick_ratio() < MIN_SIMILARITY:
                return 0.0
            least = min(least, same.ratio())
    return least


_NOT_XML = "[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]"


def printable(text: str) -> str:
    r"""The text on one line, with every unprintable character escaped.

    Unprintable are control characters, line breaks, marks that change the direction of writing,
    surrogates and other characters without a glyph. Unescaped, a label could clear the terminal or
    imitate a line of jigsat's output.

    >>> print(printable("a\x1b[2J\nb\u202ec \udcff, café ✓"))
    a\x1b[2J\nb\u202ec \udcff, café ✓
    """
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() else repr(c)[1:-1] for c in text)


def xml_text(text: str) -> str:
    r"""The text with U+FFFD for each character that XML 1.0 forbids; markup is not escaped.

    >>> print(xml_text("a\x1bb <c>\ud800"))
    a�b <c>�
    """
    return re.sub(_NOT_XML, "\ufffd", text)  # compiled at the first call, which takes milliseconds


def markup_text(text: str) -> str:
    r"""The text as it is written into SVG or HTML, in an element or a quoted attribute.

    >>> print(markup_text("a\x1bb <c>"))
    a�b &lt;c&gt;
    """
    from html import escape  # most runs draw nothing

    return escape(xml_text(text))


_MAX_MESSAGE_CHARACTERS = 1000

NOT_THE_NAME = (EAGAIN, EDQUOT, EFBIG, EIO, EMFILE, ENFILE, ENOMEM, ENOSPC)
"""Errors in writing a file whose name is right: a full or broken disk, too little memory, or too
many open files."""


class OneLine(Exception):
    """An exception whose message is one line of bounded length, even if it quotes strange
    characters or very long names."""

    def __init__(self, message: str) -> None:
        line = printable(message)
        super().__init__(
            line if len(line) <= _MAX_MESSAGE_CHARACTERS else f"{line[:600]} … {line[-300:]}"
        )


class InputError(OneLine):
    """The input is wrong. The message states the file, the place in it and the remedy. Exit status
    2."""

    def within(self, origin: str) -> InputError:
        """The error with the file in its message."""
        return InputError(f"{origin}: {self}")


class Fault(NamedTuple):
    """Something wrong or doubtful at a place of a puzzle, and what to do about it."""

    place: str
    wrong: str
    remedy: str = ""

    def __str__(self) -> str:
        line = f"{self.place}: {self.wrong}" if self.place else self.wrong
        return f"{line}; {self.remedy}" if self.remedy else line


class FaultyError(InputError):
    """A file has faults, of which the message states the first one.

    `entries` are those of the puzzle as far as they could be read.
    """

    def __init__(
        self, message: str, faults: Sequence[Fault] = (), entries: Mapping[str, Any] | None = None
    ) -> None:
        super().__init__(message)
        self.faults = faults
        self.entries = entries

    def within(self, origin: str) -> FaultyError:
        return FaultyError(f"{origin}: {self}", self.faults, self.entries)


class IncompleteError(InputError, ValueError):
    """Every entry is right, but together they are no puzzle yet. Validators of families raise it:
    "tiles: 4 of 9 tiles".

    `draft` is the puzzle as far as it goes, which the page draws.
    """

    def __init__(self, message: str, draft: Any = None) -> None:
        super().__init__(message)
        self.draft = draft


class FamilyError(InputError):
    """A method of a family raised an unexpected exception, which is the cause of this one, or
    returned a wrong value."""


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
    """A solver's answer breaks a rule of the puzzle. The encoding or the solver has a bug, so no
    result can be trusted."""


class EngineWarning(UserWarning):
    """The compiled engine fits this puzzle but was not built. The answer is the same but takes
    longer."""


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
    """If a limit or a signal stops this block, add a context to the message, such as 'cats' and '
    while reading'."""
    try:
        yield
    except (Stopped, Interrupted) as reason:
        raise reason.within(context, doing) from reason


def unwritable(path: object, error: OSError) -> InputError | Stopped:
    """The exception for a file that cannot be written: Stopped for a reason in NOT_THE_NAME, and
    otherwise InputError."""
    message = f"{path}: cannot be written: {(error.strerror or str(error)).lower()}"
    return Stopped(message) if error.errno in NOT_THE_NAME else InputError(message)
