"""Sheets to print: parts of a puzzle at their true size, page by page, in millimetres."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple
from xml.etree import ElementTree

from jigsat.pictures.drawing import SVG
from jigsat.printable import xml_text

PAGE = 210.0, 297.0
"""A4, width and height."""

MARGIN, GAP, HEAD = 12.0, 5.0, 9.0


class Part(NamedTuple):
    """Something to print, as an SVG document, and its width in millimetres."""

    svg: str
    width: float


def sheets(parts: Iterable[Part], title: str, note: str = "") -> Iterator[str]:
    """SVG documents, a page each, with the parts in their order, as many as there is room for; a large one is made to fit."""
    page: list[tuple[ElementTree.Element, float, float, float, float]] = []
    x, y, below = MARGIN, MARGIN + HEAD, 0.0
    room_x, room_y = PAGE[0] - MARGIN, PAGE[1] - MARGIN - (HEAD if note else 0)
    for svg, width in parts:
        element = ElementTree.fromstring(svg)
        height = width * float(element.get("height", 1)) / float(element.get("width", 1))
        share = min(1.0, (room_x - MARGIN) / width, (room_y - MARGIN - HEAD) / height)
        width, height = width * share, height * share
        if x + width > room_x + 0.01:
            x, y, below = MARGIN, below + GAP, 0.0
        if y + height > room_y + 0.01:
            yield _page(page, title, note)
            page, x, y, below = [], MARGIN, MARGIN + HEAD, 0.0
        page.append((element, x, y, width, height))
        x, below = x + width + GAP, max(below, y + height)
    yield _page(page, title, note)


def _page(parts: Sequence[tuple[ElementTree.Element, float, float, float, float]], title: str, note: str) -> str:
    ElementTree.register_namespace("", SVG)
    wide, high = PAGE
    sheet = ElementTree.Element(
        f"{{{SVG}}}svg",
        {
            "width": f"{wide:g}mm",
            "height": f"{high:g}mm",
            "viewBox": f"0 0 {wide:g} {high:g}",
            "font-family": "Helvetica, Arial",
        },
    )
    ElementTree.SubElement(sheet, f"{{{SVG}}}rect", {"width": "100%", "height": "100%", "fill": "white"})
    for text, y, size in ((title, MARGIN + 2, "5"), (note, high - MARGIN, "3.2")):
        attributes = {"x": f"{MARGIN:g}", "y": f"{y:g}", "font-size": size, "font-family": "Helvetica, Arial, sans-serif"}
        words = ElementTree.SubElement(sheet, f"{{{SVG}}}text", attributes)
        words.text = xml_text(text)
    for element, x, y, width, height in parts:
        for name, value in (("x", x), ("y", y), ("width", width), ("height", height)):
            element.set(name, f"{value:.2f}")
        sheet.append(element)
    return ElementTree.tostring(sheet, encoding="unicode") + "\n"
