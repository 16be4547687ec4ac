"""Pages that Typst lays out, read back: where pictures and letters are, in millimetres."""

from __future__ import annotations

import base64
import re
from collections.abc import Sequence
from typing import NamedTuple
from xml.etree import ElementTree

import pytest

from jigsat import instance
from jigsat.printing.chapters import Entry, make_chapters
from jigsat.printing.parts import Document, PrintedPuzzle, Style, draw_puzzle
from jigsat.printing.typeset import typeset
from jigsat.runtime.child import apart

POINT_MM = 25.4 / 72
SVG = "{http://www.w3.org/2000/svg}"
HREF = "{http://www.w3.org/1999/xlink}href"
Matrix = tuple[float, float, float, float, float, float]


class Box(NamedTuple):
    """A picture on a page."""

    left: float
    top: float
    right: float
    bottom: float
    svg: str

    @property
    def width(self) -> float:
        return self.right - self.left


class Page(NamedTuple):
    """A page with its size, its pictures, the places of its letters, horizontal lines, and the
    signs of the letters: equal ones are equal letters."""

    width: float
    height: float
    boxes: list[Box]
    letters: list[tuple[float, float]]
    lines: list[float]
    signs: list[str]


def draw(*names: str) -> list[PrintedPuzzle]:
    """The parts of instances, numbered."""
    puzzles = [puzzle for name in names for puzzle in instance.load_all(name)]
    many = len(puzzles) > 1
    return [draw_puzzle(p, i, p.title or p.name, numbered=many) for i, p in enumerate(puzzles, 1)]


def compose(
    *puzzles: PrintedPuzzle,
    book: bool = False,
    style: Style | None = None,
    family: str = "all",
    names: Sequence[str] = (),
) -> Document:
    """A document of these puzzles in one chapter; `names` are those of their families."""
    of_puzzles = names or [""] * len(puzzles)
    entries = [
        Entry(family, puzzle, name) for puzzle, name in zip(puzzles, of_puzzles, strict=True)
    ]
    chapters = make_chapters(entries, book=book)
    return Document("A <title>", "Ada", book, chapters, style or Style())


def lay_out(document: Document) -> list[Page]:
    """The pages of a document."""
    pytest.importorskip("typst")
    return list(map(read_page, apart(typeset, document, ".svg", timeout=120)))


def read_page(svg: bytes) -> Page:
    root = ElementTree.fromstring(svg)
    size = [
        float(str(root.get(name)).removesuffix("pt")) * POINT_MM for name in ("width", "height")
    ]
    page = Page(size[0], size[1], [], [], [], [])
    _read_children(root, (1, 0, 0, 1, 0, 0), page)
    return page


def _read_children(element: ElementTree.Element, matrix: Matrix, page: Page) -> None:
    for child in element:
        inner = _multiply(matrix, _read_transform(child.get("transform", "")))
        if child.tag == f"{SVG}image":
            page.boxes.append(_read_box(child, inner))
        elif child.tag == f"{SVG}use":
            page.letters.append(_apply(inner, float(child.get("x", 0)), float(child.get("y", 0))))
            page.signs.append(str(child.get(HREF)))
        elif child.tag == f"{SVG}path":
            for length in re.findall(r"^M 0 0\s*[hL] ?([\d.]+)(?: 0)?\s*$", child.get("d", "")):
                page.lines.append(round(float(length) * inner[0] * POINT_MM, 2))
        elif child.tag == f"{SVG}g":
            _read_children(child, inner, page)


def _read_box(image: ElementTree.Element, matrix: Matrix) -> Box:
    data = str(image.get(HREF)).partition("base64,")[2]
    svg = base64.b64decode(data).decode()
    width, height = float(image.get("width", 0)), float(image.get("height", 0))
    return Box(*_apply(matrix, 0, 0), *_apply(matrix, width, height), svg)


def _apply(matrix: Matrix, x: float, y: float) -> tuple[float, float]:
    a, b, c, d, e, f = matrix
    return (a * x + c * y + e) * POINT_MM, (b * x + d * y + f) * POINT_MM


def _read_transform(text: str) -> Matrix:
    numbers = [float(number) for number in re.findall(r"-?[\d.]+(?:e-?\d+)?", text)]
    if text.startswith("translate"):
        return 1, 0, 0, 1, numbers[0], (numbers[1] if len(numbers) > 1 else 0)
    if text.startswith("matrix"):
        a, b, c, d, e, f = numbers
        return a, b, c, d, e, f
    if text.startswith("scale"):
        return numbers[0], 0, 0, numbers[-1], 0, 0
    assert not text, text
    return 1, 0, 0, 1, 0, 0


def _multiply(first: Matrix, second: Matrix) -> Matrix:
    a, b, c, d, e, f = first
    p, q, r, s, t, u = second
    return (
        a * p + c * q, b * p + d * q, a * r + c * s, b * r + d * s, a * t + c * u + e,
        b * t + d * u + f,
    )  # fmt: skip
