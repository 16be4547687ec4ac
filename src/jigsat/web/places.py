"""The line of a TOML text to which an error message refers."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from jigsat.instance import QUOTED

# how Python's TOML reader names a place
AT = re.compile(r"\(at (?:line (\d+), column \d+|end of document)\)$")

ENTRY = re.compile(r"((?:[^:'\"\s]|\s(?=r\d+c\d+))*[^:,'\"\s])(?:: row (\d+))?[:, ]")
"""How jigsat's own messages begin: with the path of the entry, and for a drawing with its row."""

# how they name a number beside the grid, which the table of the sides refuses
SIDE = re.compile(r"(\S+): (top|bottom|left|right), ")

# how they name an entry that does not exist
UNKNOWN = re.compile(r"(?:(\S+): )?unknown entry '(.+?)'")
HEADER = re.compile(r"\s*\[\[?([^\[\]]+)\]\]?\s*(?:#.*)?$")
KEY = re.compile(r"""\s*("[^"]*"|'[^']*'|[\w-]+(?:\s*\.\s*[\w-]+)*)\s*=""", re.ASCII)


class ErrorPlace(NamedTuple):
    """The place of an error: the path of the entry, and the line in the text, counted from 1."""

    entry: list[str] = []  # noqa: RUF012  # never changed
    line: int | None = None


def place_of(message: str, text: str | None) -> ErrorPlace:
    """The place that an error message names, in a TOML text if there is one.

    >>> place_of("tiles.sun: 3 sides", 'board = "square"\\n[tiles]\\nsun = [1, 2, 3]')
    ErrorPlace(entry=['tiles', 'sun'], line=3)
    >>> place_of("seen: top, number 2 is 'x'", "[seen]\\nleft = '1 2'\\ntop = '1 x'")
    ErrorPlace(entry=['seen', 'top'], line=3)
    >>> place_of("seen.top, number 1 is '1..2'", None)
    ErrorPlace(entry=['seen', 'top'], line=None)
    """
    if at := AT.search(message):
        return ErrorPlace([], int(at[1]) if at[1] else len((text or "").splitlines()))
    if unknown := UNKNOWN.match(message):
        return _find_place([*filter(None, (unknown[1] or "").split(".")), unknown[2]], text)
    if side := SIDE.match(message):
        return _find_place([*side[1].split("."), side[2]], text)
    if entry := ENTRY.match(message):
        return _find_place(entry[1].split("."), text, int(entry[2] or 0))
    return ErrorPlace()


def _find_place(path: list[str], text: str | None, row: int = 0) -> ErrorPlace:
    """The place of an entry, or of the innermost one around it in the text; `row` is the row of a
    drawing of several lines."""
    if text is None:
        return ErrorPlace(path)
    best: tuple[int, int] | None = None
    for line, entry_path in _entries(text):
        common = next(
            (i for i, (a, b) in enumerate(zip(entry_path, path, strict=False)) if a != b),
            min(len(entry_path), len(path)),
        )
        if common == len(entry_path) and (best is None or common > best[0]):
            best = common, line
    if best is None:
        return ErrorPlace()
    is_drawing = '"""' in text.splitlines()[best[1] - 1]
    return ErrorPlace(path, best[1] + (row if is_drawing else 0))


def _entries(text: str) -> Iterator[tuple[int, list[str]]]:
    """Each line that begins a table or an entry, with the path of what it begins."""
    table: list[str] = []
    without = QUOTED.sub(
        lambda string: string[0] if "\n" not in string[0] else "\n" * string[0].count("\n"), text
    )
    for number, line in enumerate(without.splitlines(), 1):  # strings of several lines are left out
        if header := HEADER.match(line):
            table = _parts(header[1])
            yield number, table
        elif key := KEY.match(line):
            yield number, [*table, *_parts(key[1])]


def _parts(key: str) -> list[str]:
    return [part.strip().strip("\"'") for part in (re.findall(r"\"[^\"]*\"|'[^']*'|[^.]+", key))]
