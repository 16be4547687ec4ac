"""Pages to print, in millimetres: the paper, text, pictures, and a scale bar at the foot."""

from __future__ import annotations

import textwrap
from typing import NamedTuple
from xml.etree import ElementTree

from jigsat.errors import xml_text
from jigsat.pictures.svg import FONTS, SVG


class Paper(NamedTuple):
    """The size of a sheet in millimetres."""

    width: float
    height: float


PAPERS = {"a4": Paper(210.0, 297.0), "letter": Paper(215.9, 279.4)}  # sizes of paper by name
MARGIN, GAP = 12.0, 5.0

NOTE_SIZE_MM = 2.8  # text size at the foot
LINE_SPACING = 1.35  # line spacing, as a multiple of the text size
LETTER_WIDTH = 0.48  # average width of a letter, as a multiple of the text size
SCALE_BAR_MM = 50.0  # length of the scale bar
MONOSPACED = "DejaVu Sans Mono, Liberation Mono, Menlo, Consolas, monospace"


class PaperPage:
    """A page with texts and pictures; the foot has room for a note beside the scale bar."""

    def __init__(self, paper: Paper, note: str = "") -> None:
        self.paper = paper
        wide, high = paper
        size = {"width": f"{wide:g}mm", "height": f"{high:g}mm", "viewBox": f"0 0 {wide:g} {high:g}"}
        self._sheet = ElementTree.Element(f"{{{SVG}}}svg", {**size, "font-family": FONTS})
        self.shape("rect", width="100%", height="100%", fill="white")
        self.left, self.right = MARGIN, wide - MARGIN
        self.top, self.bottom = MARGIN, high - MARGIN - max(2, len(self._note_lines(note))) * NOTE_SIZE_MM * LINE_SPACING

    def shape(self, kind: str, **attributes: str) -> None:
        """Draw an SVG element, such as a line; underscores in the names of attributes stand for hyphens."""
        ElementTree.SubElement(self._sheet, f"{{{SVG}}}{kind}", {k.replace("_", "-"): v for k, v in attributes.items()})

    def text(self, text: str, x: float, y: float, size: float, **attributes: str) -> None:
        """Write a line of text with its baseline at y."""
        given = {"x": f"{x:.2f}", "y": f"{y:.2f}", "font-size": f"{size:g}"}
        given |= {name.replace("_", "-"): value for name, value in attributes.items()}
        ElementTree.SubElement(self._sheet, f"{{{SVG}}}text", given).text = xml_text(text)

    def lines(self, lines: list[str], x: float, y: float, size: float, **attributes: str) -> float:
        """Write lines from y downward; returns where they end."""
        for line in lines:
            self.text(line, x, y + size, size, **attributes)
            y += size * LINE_SPACING
        return y

    def picture(self, element: ElementTree.Element, x: float, y: float, width: float, height: float) -> None:
        """Put an SVG document into a rectangle."""
        for name, value in (("x", x), ("y", y), ("width", width), ("height", height)):
            element.set(name, f"{value:.2f}")
        self._sheet.append(element)

    def svg(self, note: str) -> str:
        """The page as an SVG document with a note and the scale bar at its foot."""
        self.lines(self._note_lines(note), MARGIN, self.bottom, NOTE_SIZE_MM, fill="#444")
        x, y = self.right - SCALE_BAR_MM, self.bottom + 3.2
        ends = [f"M{at:.2f} {y - 1:.2f}v2" for at in (x, x + SCALE_BAR_MM / 2, x + SCALE_BAR_MM)]
        self.shape(
            "path", d=f"M{x:.2f} {y:.2f}h{SCALE_BAR_MM:g}{''.join(ends)}", fill="none", stroke="#444", stroke_width="0.25"
        )
        self.text(
            f"{SCALE_BAR_MM:g} mm if printed at 100 %",
            x + SCALE_BAR_MM / 2,
            y + 3.6,
            NOTE_SIZE_MM * 0.9,
            fill="#444",
            text_anchor="middle",
        )
        return self.bare()

    def bare(self) -> str:
        """The page as an SVG document without a foot."""
        ElementTree.register_namespace("", SVG)
        return ElementTree.tostring(self._sheet, encoding="unicode") + "\n"

    def _note_lines(self, note: str) -> list[str]:
        return wrap_text(note, NOTE_SIZE_MM, self.paper.width - 2 * MARGIN - SCALE_BAR_MM - 3 * GAP, most=4)


def wrap_text(text: str, size: float, width: float, *, most: int | None = None) -> list[str]:
    """Text wrapped to a width in millimetres, but to at least 24 letters, and truncated after `most` lines."""
    return textwrap.wrap(text, max(24, int(width / (LETTER_WIDTH * size))), max_lines=most, placeholder=" …")
