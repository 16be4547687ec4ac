"""Words for messages: numbers with their nouns, and names that are not known."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import takewhile


def plural(count: int, noun: str) -> str:
    """A number with its noun.

    >>> plural(1, "solution"), plural(2000, "solution")
    ('1 solution', '2,000 solutions')
    """
    return f"{count:,} {noun}" + ("" if count == 1 else "s")


def nearest(name: str, known: Iterable[str]) -> str:
    """The known name closest to a misspelled one, or '' if none is close.

    >>> nearest("Tilez", ["tiles", "title", "board"])
    'tiles'
    """
    from difflib import SequenceMatcher, get_close_matches  # seldom needed

    wrong, by_lower = name[:100].lower(), {other.lower(): other for other in known}

    def similarity(other: str) -> tuple[float, int]:  # a tie goes to the name with the longer common prefix
        prefix = takewhile(lambda pair: pair[0] == pair[1], zip(other, wrong, strict=False))
        return SequenceMatcher(None, other, wrong).ratio(), sum(1 for _ in prefix)

    return by_lower[max(found, key=similarity)] if (found := get_close_matches(wrong, by_lower)) else ""


def unknown(what: str, name: str, known: Iterable[str]) -> str:
    """The message for an unknown name; it suggests the closest known name, or else lists all known names.

    >>> unknown("entry", "tilez", ["tiles", "board"])
    "unknown entry 'tilez'; did you mean 'tiles'?"
    >>> unknown("format", "gif", [".svg", ".png"])
    "unknown format 'gif'; use one of '.svg', '.png'"
    """
    names = list(known)
    if not names:
        return f"unknown {what} {name!r}; there is none"
    if name and (near := nearest(name, names)):
        return f"unknown {what} {name!r}; did you mean {near!r}?"
    return f"unknown {what} {name!r}; use one of {', '.join(map(repr, names))}"
