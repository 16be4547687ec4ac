"""Colours on a terminal. Nothing is coloured in a pipe or a file, or if the environment variable
NO_COLOR is set."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, TextIO

from jigsat.cli.streams import Escapes
from jigsat.errors import printable
from jigsat.pictures import Painted, ink

if TYPE_CHECKING:
    from rich.text import Text

SOLID = "█▒■●"  # characters that are drawn in the colour; for all others it is the background

VERDICTS = {
    r"(?<!in)complete \(.*\)$": "green",
    r"incomplete: .*$": "yellow",
    r"(?<=: )unique\b": "green",
    r"(?<=: )not unique\b": "yellow",
    r"(?<=: )no solution\b": "bold",
    r"^reason:": "yellow",
    r"^(Solution|Draw) \d+": "bold",
}
"""What is highlighted in a line of the answer."""


def shows_colours(stream: TextIO) -> bool:
    """Whether the stream is a terminal that may show colours."""
    return stream.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def print_picture(picture: str, heading: str = "") -> None:
    """Print a picture and an empty line on stdout, with its colours if it has any and stdout shows
    them."""
    if heading:
        print_words(heading)
        print()
    if (
        isinstance(picture, Painted)
        and shows_colours(sys.stdout)
        and picture.replace("\n", "").isprintable()
    ):
        _write(_paint_picture(picture), sys.stdout)
    else:
        print(picture)
    print(flush=True)


def print_words(line: str) -> None:
    """Print a line on stdout, with the verdict highlighted on a terminal."""
    line = printable(line)
    if shows_colours(sys.stdout):
        from rich.text import Text

        text = Text(line)
        for pattern, style in VERDICTS.items():
            text.highlight_regex(pattern, style)
        _write(text, sys.stdout)
    else:
        print(line, flush=True)


def print_warning(message: str) -> None:
    """Print a line on stderr, yellow on a terminal."""
    if shows_colours(sys.stderr):
        from rich.text import Text

        _write(Text(printable(message), "yellow"), sys.stderr)
    else:
        print(printable(message), file=sys.stderr)


def _paint_picture(picture: Painted) -> Text:
    from rich.text import Text

    text = Text(str(picture))
    starts = [0]
    for line in picture.split("\n"):
        starts.append(starts[-1] + len(line) + 1)
    for (column, row), colour in picture.colours.items():
        at = starts[row] + column
        if at < starts[row + 1] - 1:
            solid = picture[at] in SOLID
            style = colour
            if not solid:
                letter = "#ffffff" if ink(colour) == "white" else "#111111"
                style = f"{letter} on {colour}"
            text.stylize(style, at, at + 1)
    return text


def _write(text: Text, stream: TextIO) -> None:
    """Write a line with escape sequences for the colours that the terminal supports."""
    from io import StringIO

    from rich.console import Console

    console = Console(file=StringIO(), force_terminal=True, highlight=False)
    with console.capture() as captured:
        console.print(text, soft_wrap=True)
    stream.write(Escapes(captured.get()))
    stream.flush()
