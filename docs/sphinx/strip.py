"""The strip of pictures in the README: python docs/sphinx/strip.py > docs/strip.svg."""

from __future__ import annotations

import sys

import jigsat
from jigsat.pictures.pages import add_caption, gallery
from jigsat.symmetry import Level


def draw_strip() -> str:
    """Nine tiles, a solution, and the last line of `jigsat solve cats`, as an SVG document."""
    puzzle = jigsat.load("cats")
    _, *tiles = (part.svg for part in puzzle.parts())
    found = jigsat.solutions(puzzle)
    solved = next(found)
    result = jigsat.count(puzzle)
    words = [
        f"{result.solutions} solutions, {result.distinct[Level.ROTATION]} up to rotation",
        "Proved: there are no others" if result.complete else "There may be others",
    ]
    return gallery(
        [
            add_caption(gallery(tiles, columns=3), ["Nine tiles on the table"], size=22),
            add_caption(solved.svg(), words, size=22),
        ],
        gap=60,
        columns=2,
    )


if __name__ == "__main__":
    sys.stdout.write(draw_strip())
