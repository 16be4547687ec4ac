"""Numbers with nouns, lists of words, durations and places, as sentences need them."""

from __future__ import annotations

from collections.abc import Sequence


def plural(count: int, noun: str) -> str:
    """A number with its noun.

    >>> plural(1, "solution"), plural(2000, "solution"), plural(2, "press")
    ('1 solution', '2,000 solutions', '2 presses')
    """
    return f"{count:,} {noun if count == 1 else pluralize(noun)}"


def pluralize(noun: str) -> str:
    """A noun in the plural: 'rows', 'boxes'."""
    return noun + ("es" if noun.endswith(("s", "x")) else "s")


def add_article(noun: str) -> str:
    """A noun with its article: 'a tile', 'an angel'."""
    return f"an {noun}" if noun[:1].lower() in "aeiou" else f"a {noun}"


def join_words(words: Sequence[str], last: str = " and ") -> str:
    """Words with commas between them, and another separator before the last.

    >>> join_words(["a", "b", "c"]), join_words(["a", "b"], " or "), join_words(["a"])
    ('a, b and c', 'a or b', 'a')
    """
    return f"{', '.join(words[:-1])}{last}{words[-1]}" if len(words) > 1 else words[0]


def duration(seconds: float) -> str:
    """A duration in its largest unit.

    >>> [duration(seconds) for seconds in (0.51, 119, 300, 3 * 86400, 1e9, 1e99)]
    ['0.5 s', '119 s', '5 min', '72 h', '32 years', 'a million years or more']
    """
    year = 365.25 * 86400
    if seconds >= 1e6 * year:
        return "a million years or more"
    units = (
        ("s", 1, 120),
        ("min", 60, 120),
        ("h", 3600, 120),
        ("days", 86400, 730),
        ("years", year, 1e6),
    )
    number, unit = next(
        (seconds / length, unit) for unit, length, most in units if seconds < most * length
    )
    return (
        f"{number:.1f}".removesuffix(".0") + f" {unit}" if number < 10 else f"{number:,.0f} {unit}"
    )


def name_place(value: object) -> str:
    """A value of a placement in words: squares as r1c1, row by row and column by column, cubes as
    l1r1c1 with their layers before, anything else as it is.

    >>> name_place((0, 2)), name_place(((0, 0), (0, 1)))
    ('r1c3', 'r1c1 r1c2')
    >>> name_place("front"), name_place((0, 1, 0, "front")), name_place(("garden", 1))
    ('front', 'l1r2c1 front', 'garden 1')
    """
    if isinstance(value, tuple) and len(value) == 4 and isinstance(value[3], str):
        return f"{name_place(value[:3])} {value[3]}"  # a face of a cube
    if (
        isinstance(value, tuple)
        and len(value) in (2, 3)
        and all(type(number) is int for number in value)
    ):
        return "".join(
            f"{axis}{number + 1}" for axis, number in zip("lrc"[-len(value) :], value, strict=True)
        )
    if isinstance(value, tuple):
        return " ".join(map(name_place, value))
    return str(value)
