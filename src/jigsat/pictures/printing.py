"""Printable sheets: the rules and the parts of a puzzle, page by page, in millimetres."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Iterator
from typing import NamedTuple
from xml.etree import ElementTree

from jigsat.boards import Board, unfolded
from jigsat.errors import xml_text
from jigsat.pictures.svg import FONTS, SVG

PAGE = 210.0, 297.0
"""A4, width and height."""

MARGIN, GAP = 12.0, 5.0
TITLE, RULE, CAPTION, NOTE = 5.0, 3.6, 3.0, 2.8
"""Text sizes."""

LINE = 1.35
"""Line spacing, as a multiple of the text size."""

LETTER = 0.52
"""The average width of a letter, as a multiple of the text size."""

ROOM = PAGE[0] - 2 * MARGIN


class Part(NamedTuple):
    """Something to print: an SVG document, its width in millimetres, and its caption."""

    svg: str
    width: float
    caption: str = ""


def sheets(parts: Iterable[Part], title: str, rules: Iterable[str] = (), note: str = "") -> Iterator[str]:
    """SVG documents, one per page: the title, on the first page the rules, and the parts in order.

    A part has its stated width if it fits on a page. Otherwise it is scaled down, and its caption states the scale.
    """
    pages = list(_pages(parts, title, rules, note))
    for number, page in enumerate(pages, 1):
        yield page.svg(f"{note}, page {number} of {len(pages)}" if len(pages) > 1 else note)


def joined(board: Board) -> Iterator[str]:
    """An explanation of the red numbers in the picture of a board, if it has any."""
    if not board.flat:
        yield "The board is drawn as a net, seen from outside, and in two views."
        yield "Sides of the net with the same red number meet."
    elif unfolded(board).cuts:
        yield "The board wraps around: sides with the same red number meet."


class _Page:
    """A page that is filled from the top, each row from left to right."""

    def __init__(self, title: str, note: str) -> None:
        wide, high = PAGE
        size = {"width": f"{wide:g}mm", "height": f"{high:g}mm", "viewBox": f"0 0 {wide:g} {high:g}"}
        self._sheet = ElementTree.Element(f"{{{SVG}}}svg", {**size, "font-family": FONTS})
        ElementTree.SubElement(self._sheet, f"{{{SVG}}}rect", {"width": "100%", "height": "100%", "fill": "white"})
        self.y = MARGIN
        self.bottom = high - MARGIN - len(_lines(note, NOTE, most=4)) * NOTE * LINE
        self._x, self._below = MARGIN, 0.0
        for line in _lines(title, TITLE, most=3):
            self.line(line, TITLE)
        self.y += GAP / 2
        self.top = self.y

    def line(self, text: str, size: float) -> bool:
        """Write a line if there is room for it; return whether there was."""
        if self.y + size * LINE > self.bottom:
            return False
        self._write(text, MARGIN, self.y + size, size)
        self.y += size * LINE
        return True

    def part(self, element: ElementTree.Element, width: float, height: float, caption: list[str]) -> bool:
        """Put a part beside or below the previous one if there is room for it; return whether there was."""
        x, y, below = self._x, self.y, self._below
        if x + width > PAGE[0] - MARGIN + 0.01:
            x, y, below = MARGIN, below + GAP, 0.0
        end = y + height + len(caption) * CAPTION * LINE
        if end > self.bottom + 0.01:
            return False
        for name, value in (("x", x), ("y", y), ("width", width), ("height", height)):
            element.set(name, f"{value:.2f}")
        self._sheet.append(element)
        for i, line in enumerate(caption):
            self._write(line, x, y + height + i * CAPTION * LINE + CAPTION, CAPTION)
        wide = max([width, *(len(line) * CAPTION * LETTER for line in caption)])
        self._x, self.y, self._below = x + wide + GAP, y, max(below, end)
        return True

    def _write(self, text: str, x: float, y: float, size: float) -> None:
        words = ElementTree.SubElement(
            self._sheet, f"{{{SVG}}}text", {"x": f"{x:.2f}", "y": f"{y:.2f}", "font-size": f"{size:g}"}
        )
        words.text = xml_text(text)

    def svg(self, note: str) -> str:
        """The page with a note at its foot."""
        for i, line in enumerate(_lines(note, NOTE, most=4), 1):
            self._write(line, MARGIN, self.bottom + i * NOTE * LINE, NOTE)
        ElementTree.register_namespace("", SVG)
        return ElementTree.tostring(self._sheet, encoding="unicode") + "\n"


def _pages(parts: Iterable[Part], title: str, rules: Iterable[str], note: str) -> Iterator[_Page]:
    """The filled pages."""
    foot = f"{note}, page 999 of 999"
    page = _Page(title, foot)
    for rule in rules:
        for line in _lines(rule, RULE):
            if not page.line(line, RULE):
                yield page
                page = _Page(title, foot)
                page.line(line, RULE)
    page.y += GAP / 2
    for svg, width, description in parts:
        element = ElementTree.fromstring(svg)
        height = width * float(element.get("height", 1)) / float(element.get("width", 1))
        caption = _lines(description, CAPTION, width)
        room = page.bottom - page.top - GAP / 2 - (len(caption) + 1) * CAPTION * LINE
        share = min(1.0, ROOM / width, room / height)
        if share < 0.995:
            caption = _lines("; ".join(filter(None, [description, f"printed at {share:.0%}"])), CAPTION, width * share)
        size = width * share, height * share
        if not page.part(element, *size, caption):
            yield page
            page = _Page(title, foot)
            page.part(element, *size, caption)
    yield page


def _lines(text: str, size: float, width: float = ROOM, *, most: int | None = None) -> list[str]:
    """Text wrapped to a width in millimetres, but to at least 24 letters, and truncated after `most` lines."""
    return textwrap.wrap(text, max(24, int(width / (LETTER * size))), max_lines=most, placeholder=" …")
