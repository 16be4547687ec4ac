"""Several pictures with texts on one sheet; and pages to print, in millimetres, with a scale bar at
the foot."""

import math
import textwrap
from collections.abc import Sequence
from typing import NamedTuple
from xml.etree import ElementTree

from jigsat.errors import xml_text
from jigsat.pictures.svg import FONTS

SVG = "http://www.w3.org/2000/svg"


class Paper(NamedTuple):
    """The size of a sheet in millimetres."""

    width: float
    height: float


# sizes of paper by name
PAPERS = {
    "a4": Paper(210.0, 297.0),
    "letter": Paper(215.9, 279.4),
    "a5": Paper(148.0, 210.0),
    "6x9in": Paper(152.4, 228.6),
}
MARGIN, GAP = 12.0, 5.0

NOTE_SIZE_MM, FOOT_GAP_MM = 2.8, 2.0  # text size at the foot, and room above it
LINE_SPACING = 1.35  # line spacing, as a multiple of the text size
# in text sizes, for DejaVu Sans
LETTER_WIDTHS = {
    0.32: " .,:;'!|ijlIJ[]",
    0.41: "frt()-/",
    0.54: "csz–",
    0.99: "mwMW%—…",
}
SCALE_BAR_MM = 50.0  # length of the scale bar
MONOSPACED = "DejaVu Sans Mono, Liberation Mono, Menlo, Consolas, monospace"


def size_of(picture: ElementTree.Element) -> tuple[float, float]:
    """The width and height of an SVG document in its own units."""
    return float(picture.get("width", 1)), float(picture.get("height", 1))


def aspect_of(svg: str) -> float:
    """The height of an SVG document, as a multiple of its width."""
    width, height = size_of(ElementTree.fromstring(svg))
    return height / width


class Drawing:
    """An SVG document to which shapes are added."""

    def __init__(self, root: ElementTree.Element) -> None:
        self.root = root

    def shape(
        self, kind: str, /, *, content: str | None = None, **attributes: str
    ) -> ElementTree.Element:
        """Draw an SVG element, such as a line or a text with some content; underscores in the names
        of attributes stand for hyphens."""
        named = {name.replace("_", "-"): xml_text(value) for name, value in attributes.items()}
        element = ElementTree.SubElement(self.root, f"{{{SVG}}}{kind}", named)
        element.text = content if content is None else xml_text(content)
        return element

    def __str__(self) -> str:
        ElementTree.register_namespace("", SVG)
        return ElementTree.tostring(self.root, encoding="unicode") + "\n"


class Sheet(Drawing):
    """An SVG document with shapes, texts and other SVG documents on white; `unit` is that of its
    width and height."""

    def __init__(self, width: float, height: float, *, unit: str = "", scale: float = 1.0) -> None:
        wide, high = (f"{scale * length:g}{unit}" for length in (width, height))
        size = {"width": wide, "height": high, "viewBox": f"0 0 {width:g} {height:g}"}
        super().__init__(ElementTree.Element(f"{{{SVG}}}svg", {**size, "font-family": FONTS}))
        self.shape("rect", width="100%", height="100%", fill="white")

    def text(self, text: str, x: float, y: float, size: float, **attributes: str) -> None:
        """Write a line of text with its baseline at y."""
        place = {"x": f"{x:.2f}", "y": f"{y:.2f}", "font_size": f"{size:g}"}
        self.shape("text", content=text, **place, **attributes)

    def lines(
        self, lines: Sequence[str], x: float, y: float, size: float, **attributes: str
    ) -> float:
        """Write lines from y downward; returns where they end."""
        for line in lines:
            self.text(line, x, y + size, size, **attributes)
            y += size * LINE_SPACING
        return y

    def picture(
        self,
        picture: ElementTree.Element,
        x: float,
        y: float,
        width: float = 0.0,
        height: float = 0.0,
    ) -> None:
        """Put an SVG document into a rectangle, by default in its own size. What tells the page
        about it, in its own units, means nothing here."""
        for name in ("data-places", "data-inner"):
            picture.attrib.pop(name, None)
        wide, high = size_of(picture)
        for name, value in (
            ("x", x),
            ("y", y),
            ("width", width or wide),
            ("height", height or high),
        ):
            picture.set(name, f"{value:.2f}")
        self.root.append(picture)


def gallery(pictures: Sequence[str], *, gap: float = 20, columns: int | None = None) -> str:
    """SVG documents on one sheet, row by row; without a number of columns the sheet is as square as
    possible."""
    if len(pictures) == 1:
        return pictures[0]
    elements = [ElementTree.fromstring(picture) for picture in pictures]
    widths, heights = zip(*map(size_of, elements), strict=True)
    width = max(widths) + gap
    height = max(heights) + gap
    if not columns:
        columns = max(1, round(math.sqrt(len(elements) * height / width)))
    rows = math.ceil(len(elements) / columns)
    sheet = Sheet(columns * width, rows * height)
    for i, element in enumerate(elements):
        row, column = divmod(i, columns)
        sheet.picture(element, column * width + gap / 2, row * height + gap / 2)
    return str(sheet)


def add_caption(picture: str, caption: Sequence[str], *, size: float = 14) -> str:
    """An SVG document with sentences below it, each wrapped at the width of the picture, or at 240
    pixels if that is more."""
    element = ElementTree.fromstring(picture)
    width, height = size_of(element)
    lines = [
        line
        for sentence in caption
        for line in textwrap.wrap(sentence, int(max(240.0, width) / (0.58 * size)))
    ]
    sheet = Sheet(max(240.0, width), height + (LINE_SPACING * len(lines) + 1) * size)
    sheet.picture(element, 0, 0)
    sheet.lines(lines, size, height + 0.4 * size, size, fill="#111")
    return str(sheet)


class PaperPage(Sheet):
    """A page to print; the foot has room for a note beside the scale bar."""

    def __init__(self, paper: Paper, note: str = "") -> None:
        super().__init__(*paper, unit="mm")
        self.paper = paper
        self.cut = False  # whether something on it is cut out
        self.left = MARGIN
        self.right = paper.width - MARGIN
        foot = max(2, len(self._note_lines(note))) * NOTE_SIZE_MM * LINE_SPACING + FOOT_GAP_MM
        self.top = MARGIN
        self.bottom = paper.height - MARGIN - foot

    def svg(self, note: str) -> str:
        """The page as an SVG document with a note at its foot, and a scale bar if something is cut
        out."""
        foot = self.bottom + FOOT_GAP_MM
        self.lines(self._note_lines(note), MARGIN, foot, NOTE_SIZE_MM, fill="#444")
        if not self.cut:
            return str(self)
        x = self.right - SCALE_BAR_MM
        y = foot + 3.2
        middle = x + SCALE_BAR_MM / 2
        words = f"{SCALE_BAR_MM:g} mm if printed at 100 %"
        bar = f"M{x:.2f} {y:.2f}h{SCALE_BAR_MM:g}"
        bar += "".join(f"M{at:.2f} {y - 1:.2f}v2" for at in (x, middle, x + SCALE_BAR_MM))
        self.shape("path", d=bar, fill="none", stroke="#444", stroke_width="0.25")
        self.text(words, middle, y + 3.6, NOTE_SIZE_MM * 0.9, fill="#444", text_anchor="middle")
        return str(self)

    def _note_lines(self, note: str) -> list[str]:
        return wrap_text(
            note, NOTE_SIZE_MM, self.paper.width - 2 * MARGIN - SCALE_BAR_MM - 3 * GAP, most=4
        )


def wrap_text(text: str, size: float, width: float, *, most: int | None = None) -> list[str]:
    """Text wrapped to a width in millimetres, but to at least 16 letters, and truncated after
    `most` lines."""
    letters = int(width * len(text) / (size * max(1, estimate_width(text))))
    while True:
        lines = textwrap.wrap(text, max(16, letters), max_lines=most, placeholder=" …")
        if letters <= 16 or all(size * estimate_width(line) <= width for line in lines):
            return lines
        letters -= 1  # letters of one line are wider than the average


def estimate_width(text: str) -> float:
    """The approximate width of a text, as a multiple of the text size."""
    known = {letter: width for width, letters in LETTER_WIDTHS.items() for letter in letters}
    return sum(known.get(letter, 0.72 if letter.isupper() else 0.63) for letter in text)
