"""Drawing with characters and as SVG: a page to write on, a picture to draw on, and short names for long labels."""

from __future__ import annotations

import cmath
import math
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from html import escape
from itertools import pairwise, product, zip_longest
from typing import Annotated, Any
from xml.etree import ElementTree

from pydantic import BeforeValidator, PlainSerializer

from jigsat.boards import Board, Cell, Point, extent, middle, minus, unfolded, views
from jigsat.printable import printable, xml_text

Square = tuple[int, int]
"""Row and column of a unit square."""

SVG = "http://www.w3.org/2000/svg"
MARK = "#e3001b"
"""The colour of lines around what is marked."""

ARROWS = "↑→↓←"
"""Where the printed top of a square piece points after so many quarter turns clockwise."""


def _rows(data: Any) -> Any:
    if isinstance(data, str):
        return tuple("".join(row.split()) for row in data.strip().splitlines())
    if not isinstance(data, (list, tuple)):
        raise ValueError("expected a drawing in quotes")
    return data


Drawing = Annotated[tuple[str, ...], BeforeValidator(_rows), PlainSerializer("\n".join)]
"""What an instance file draws with characters, in one string or a row a string: its rows, blanks left out."""


class Page:
    """Characters on a plane: write anywhere, then take the text."""

    def __init__(self) -> None:
        self._cells: dict[tuple[int, int], str] = {}

    def write(self, x: int, y: int, text: str, *, width: int = 0) -> None:
        """Write a line from column x of row y, centred within `width` columns if that is given."""
        text = printable(text)
        for i, character in enumerate(text.center(width) if width else text):
            self._cells[x + i, y] = character

    def __str__(self) -> str:
        if not self._cells:
            return ""
        xs, ys = [x for x, _ in self._cells], [y for _, y in self._cells]
        rows = (
            "".join(self._cells.get((x, y), " ") for x in range(min(xs), max(xs) + 1)).rstrip()
            for y in range(min(ys), max(ys) + 1)
        )
        return "\n".join(rows)


class Picture:
    """An SVG document drawn in the units of a board, one unit being `scale` pixels."""

    def __init__(self, scale: float = 100, margin: float = 0.15) -> None:
        self.scale = scale
        self.margin = margin
        self._shapes: list[str] = []
        self._xs: list[float] = []
        self._ys: list[float] = []
        self._map: Callable[[Point], Point] = lambda point: point

    @contextmanager
    def mapped(self, points: Sequence[Point], images: Sequence[Point]) -> Iterator[None]:
        """What is drawn inside the `with` appears moved, turned and sheared as the first three points are to their images."""
        (o, a, b), (to, to_a, to_b) = points[:3], images[:3]
        (ax, ay), (bx, by), (px, py), (qx, qy) = minus(a, o), minus(b, o), minus(to_a, to), minus(to_b, to)
        size = ax * by - ay * bx
        xx, xy = (px * by - qx * ay) / size, (qx * ax - px * bx) / size
        yx, yy = (py * by - qy * ay) / size, (qy * ax - py * bx) / size
        dx, dy = to[0] - xx * o[0] - xy * o[1], to[1] - yx * o[0] - yy * o[1]
        matrix = ",".join(f"{round(x, 4):g}" for x in (xx, yx, xy, yy, dx * self.scale, dy * self.scale))
        self._shapes.append(f'<g transform="matrix({matrix})">')
        outer, self._map = self._map, lambda p: (xx * p[0] + xy * p[1] + dx, yx * p[0] + yy * p[1] + dy)
        try:
            yield
        finally:
            self._map = outer
            self._shapes.append("</g>")

    def reach(self, *points: Point) -> None:
        """The picture is to show these points."""
        for point in points:
            x, y = self._map(point)
            self._xs.append(x)
            self._ys.append(y)

    def polygon(self, points: Iterable[Point], fill: str, *, line: str = "#333", width: float = 0.01) -> None:
        """A filled polygon with an outline `width` units thick."""
        points = list(points)
        self.reach(*points)
        corners = " ".join(f"{self._px(x)},{self._px(y)}" for x, y in points)
        self._shapes.append(
            f'<polygon points="{corners}" fill="{fill}" stroke="{line}" stroke-width="{self._px(width)}" '
            'stroke-linejoin="round"/>'
        )

    def mark(self, points: Sequence[Point]) -> None:
        """A thick line within the outline of something that is marked."""
        centre = middle(points)
        self.polygon([between(point, centre, 0.05) for point in points], "none", line=MARK, width=0.045)

    def circle(self, centre: Point, radius: float, fill: str, *, line: str = "#333", width: float = 0.01) -> None:
        """A filled circle with an outline."""
        x, y = centre
        self.reach((x - radius, y - radius), (x + radius, y + radius))
        self._shapes.append(
            f'<circle cx="{self._px(x)}" cy="{self._px(y)}" r="{self._px(radius)}" fill="{fill}" stroke="{line}" '
            f'stroke-width="{self._px(width)}"/>'
        )

    def line(self, start: Point, end: Point, colour: str, width: float) -> None:
        """A line with round ends, `width` units thick."""
        (x1, y1), (x2, y2) = start, end
        self.reach(start, end)
        self._shapes.append(
            f'<line x1="{self._px(x1)}" y1="{self._px(y1)}" x2="{self._px(x2)}" y2="{self._px(y2)}" stroke="{colour}" '
            f'stroke-width="{self._px(width)}" stroke-linecap="round"/>'
        )

    def text(
        self, centre: Point, text: str, size: float, *, fill: str = "#111", turn: float = 0, mirrored: bool = False,
        bold: bool = False,
    ) -> None:  # fmt: skip
        """Text centred at a point, turned clockwise by `turn` degrees after being mirrored left to right, if it is."""
        x, y = centre
        self.reach((x, y - size / 2), (x, y + size / 2))
        weight = ' font-weight="bold"' if bold else ""
        mirror = " scale(-1,1)" if mirrored else ""
        self._shapes.append(
            f'<text transform="translate({self._px(x)},{self._px(y)}) rotate({turn:g}){mirror}" fill="{fill}" '
            f'font-size="{self._px(size)}"{weight} text-anchor="middle" dy="0.35em">{escape(xml_text(text))}</text>'
        )

    def badge(
        self, centre: Point, radius: float, name: str, below: str = "", *, turn: float = 0, arrow: bool = True,
    ) -> None:  # fmt: skip
        """A piece's name on a disc, turned as the piece is, an arrow on the disc's edge pointing to the printed top."""
        self.circle(centre, radius, "white")
        if arrow:
            direction = cmath.rect(1, math.radians(turn - 90))
            tip, base = complex(*centre) + direction * radius * 1.35, complex(*centre) + direction * radius
            across = direction * 1j * radius * 0.3
            self.polygon([(z.real, z.imag) for z in (tip, base + across, base - across)], "#111")
        size = min(1.1 * radius, 2.6 * radius / max(len(name), 1))
        self.text(centre, name, size, turn=turn, bold=True)
        if below:
            foot = complex(*centre) + cmath.rect(radius * 0.55, math.radians(turn + 90))
            self.text((foot.real, foot.imag), below, min(radius * 0.4, 2.2 * radius / len(below)), turn=turn)

    def note(self, text: str, size: float = 0.09) -> None:
        """A line of small print below all that was drawn so far."""
        width = max(self._xs) - min(self._xs)
        size = min(size, 1.9 * width / len(text))
        self._ys.append(max(self._ys) + max(0.15, 1.5 * size))
        self.text((min(self._xs) + width / 2, self._ys[-1]), text, size, fill="#555")

    def _px(self, value: float) -> str:
        return f"{round(value * self.scale, 2):g}"

    def size(self) -> tuple[float, float, float, float]:
        """Left, top, width and height of what was drawn with its margin, in pixels."""
        left, top = min(self._xs, default=0) - self.margin, min(self._ys, default=0) - self.margin
        right, bottom = max(self._xs, default=0) + self.margin, max(self._ys, default=0) + self.margin
        return tuple(round(v * self.scale, 2) for v in (left, top, right - left, bottom - top))  # type: ignore[return-value]

    def __str__(self) -> str:
        left, top, width, height = self.size()
        return "\n".join(
            [
                f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{left:g} {top:g} {width:g} {height:g}" '
                f'width="{width:g}" height="{height:g}" font-family="Helvetica, Arial, sans-serif">',
                f'<rect x="{left:g}" y="{top:g}" width="{width:g}" height="{height:g}" fill="white"/>',
                *self._shapes,
                "</svg>",
                "",
            ]
        )


def beside(left: str, right: str, gap: int = 4) -> str:
    """Two texts side by side.

    >>> print(beside("one\\nand", "two"))
    one    two
    and
    """
    rows = list(zip_longest(left.splitlines(), right.splitlines(), fillvalue=""))
    width = max((len(row) for row, _ in rows), default=0) + gap
    return "\n".join((a.ljust(width) + b).rstrip() for a, b in rows)


def gallery(pictures: Sequence[str], *, gap: float = 20, columns: int | None = None) -> str:
    """SVG documents side by side on one sheet, row by row, in so many columns or as square a sheet as it gets."""
    if len(pictures) == 1:
        return pictures[0]
    elements = [ElementTree.fromstring(picture) for picture in pictures]
    width, height = (max(float(element.get(side, 0)) for element in elements) + gap for side in ("width", "height"))
    columns = columns or max(1, round(math.sqrt(len(elements) * height / width)))
    rows = math.ceil(len(elements) / columns)
    ElementTree.register_namespace("", SVG)
    sheet = ElementTree.Element(f"{{{SVG}}}svg", width=f"{columns * width:g}", height=f"{rows * height:g}")
    for i, element in enumerate(elements):
        row, column = divmod(i, columns)
        element.set("x", f"{column * width + gap / 2:g}")
        element.set("y", f"{row * height + gap / 2:g}")
        sheet.append(element)
    return ElementTree.tostring(sheet, encoding="unicode") + "\n"


def squared(board: Board) -> dict[Cell, tuple[int, int, int]] | None:
    """Column and row of each cell of a board of squares, and by how many quarter turns clockwise it lies; else None."""
    squares = {}
    for cell, corners in unfolded(board).corners.items():
        if len(corners) != 4 or any(abs(x - round(x)) > 0.001 for corner in corners for x in corner):
            return None
        points = [(round(x), round(y)) for x, y in corners]
        x, y = min(points)
        squares[cell] = x, y, [(x, y), (x + 1, y), (x + 1, y + 1), (x, y + 1)].index(points[0])
    return squares


def spread(board: Board) -> dict[Cell, tuple[int, int]]:
    """Column and line of each cell where each is drawn as one character, as the board lies flat.

    Cells of equal height are on one line; neighbours on a line are two columns apart.

    >>> from jigsat.boards import named
    >>> {cell: column for cell, (column, line) in spread(named("cube")).items() if line == 1}
    {'left': 0, 'front': 2, 'right': 4}
    """
    centres = {}
    for cell, corners in unfolded(board).corners.items():
        xs, ys = zip(*corners, strict=True)
        centres[cell] = round((min(xs) + max(xs)) / 2, 3), round((min(ys) + max(ys)) / 2, 3)
    heights = sorted({y for _, y in centres.values()})
    on_a_line = sorted((y, x) for x, y in centres.values())
    left = min(x for x, _ in centres.values())
    step = min((b[1] - a[1] for a, b in pairwise(on_a_line) if a[0] == b[0]), default=1)
    return {cell: (round(2 * (x - left) / step), heights.index(y)) for cell, (x, y) in centres.items()}


def unrolled(board: Board) -> Iterator[tuple[Cell, tuple[Point, ...], bool]]:
    """Each cell as it lies flat; of a board that wraps around, first those that come again beyond its rim, marked True.

    >>> from jigsat.boards import torus
    >>> [corners[0] for _, corners, again in unrolled(torus(1, 1)) if again]
    [(-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0), (1, 1)]
    """
    layout = unfolded(board).corners
    axes = zip(*(point for corners in layout.values() for point in corners), strict=True)
    extent = [(min(axis), max(axis)) for axis in axes]
    shifts = product(*((-size, 0, size) if size else (0,) for size in board.wrap or (0, 0)))
    for shift in sorted(shifts, key=any, reverse=True):
        for cell, corners in layout.items():
            moved = tuple(tuple(a + b for a, b in zip(corner, shift, strict=True)) for corner in corners)
            reach = zip(zip(*moved, strict=True), extent, strict=True)
            if all(min(values) <= high and max(values) >= low for values, (low, high) in reach):
                yield cell, moved, any(shift)


def on_board(picture: Picture, board: Board, draw: Callable[[Cell, Sequence[Point]], None]) -> None:
    """Draw every cell where it lies flat, number sides that meet but lie apart, and show a solid as one sees it."""
    net = unfolded(board)
    for cell, corners in net.corners.items():
        draw(cell, corners)
    number_cuts(picture, board)
    left, top, width, height = (value / picture.scale for value in picture.size())
    beside = width < 1.5 * height
    x, y = (left + width + 0.1, top + picture.margin) if beside else (left + picture.margin, top + height + 0.1)
    for view in views(board):
        for cell, seen in view.items():
            with picture.mapped(net.corners[cell], [(x + a, y + b) for a, b in seen]):
                draw(cell, net.corners[cell])
        wide, high = extent(view)
        x, y = (x, y + high + 0.4) if beside else (x + wide + 0.4, y)


def number_cuts(picture: Picture, board: Board, right: float = 0.0) -> None:
    """Number the sides that meet but lie apart in the picture of a board that starts so far to the right."""
    net = unfolded(board)
    for number, seam in net.cuts.items():
        for cell, side, _ in seam:
            corners = [(x + right, y) for x, y in net.corners[cell]]
            on_it, centre = middle([corners[side], corners[(side + 1) % len(corners)]]), middle(corners)
            at = between(on_it, centre, -0.08 / math.dist(on_it, centre))
            picture.text(at, str(number), 0.1, fill="#c2255c")
            picture.reach((at[0] - 0.06, at[1] - 0.06), (at[0] + 0.06, at[1] + 0.06))


def walls(rooms: Mapping[Square, Hashable]) -> Iterator[tuple[Square, Square]]:
    """The sides, as points (x, y), at which squares of different rooms meet, and those at which the squares end.

    >>> sorted(walls({(0, 0): "a", (0, 1): "a"}))[:3]
    [((0, 0), (0, 1)), ((0, 0), (1, 0)), ((0, 1), (1, 1))]
    """
    for (y, x), room in rooms.items():
        if (y - 1, x) not in rooms:
            yield (x, y), (x + 1, y)
        if (y, x - 1) not in rooms:
            yield (x, y), (x, y + 1)
        if rooms.get((y + 1, x), walls) != room:
            yield (x, y + 1), (x + 1, y + 1)
        if rooms.get((y, x + 1), walls) != room:
            yield (x + 1, y), (x + 1, y + 1)


def walled(shown: Mapping[Square, str], rooms: Mapping[Square, Hashable]) -> str:
    """Texts of one width in squares, with lines around the rooms that the squares make.

    >>> print(walled({(0, 0): "1", (0, 1): "2", (1, 0): "3", (1, 1): "4"}, {(0, 0): 0, (0, 1): 1, (1, 0): 0, (1, 1): 1}))
    ┌─┬─┐
    │1│2│
    │3│4│
    └─┴─┘
    """
    shown = {square: printable(text) for square, text in shown.items()}
    width = max(map(len, shown.values()), default=1) + 1
    up, down, left, right = 1, 2, 4, 8
    lines: dict[tuple[int, int], int] = {}
    sides = list(walls(rooms))
    for (x, y), (end, _) in sides:
        if x == end:
            along, back, on = [(x * width, y * 2 + i) for i in range(3)], up, down
        else:
            along, back, on = [(x * width + i, y * 2) for i in range(width + 1)], left, right
        for a, b in pairwise(along):
            lines[a] = lines.get(a, 0) | on
            lines[b] = lines.get(b, 0) | back
    drawn = {at: " ╵╷│╴┘┐┤╶└┌├─┴┬┼"[directions] for at, directions in lines.items()}
    for (row, column), text in shown.items():
        drawn |= {(column * width + i, row * 2 + 1): character for i, character in enumerate(text, 1)}
    rows, columns = max(r for r, _ in rooms) + 1, max(c for _, c in rooms) + 1
    upright, level = {x for (x, _), (end, _) in sides if x == end}, {y for (_, y), (_, end) in sides if y == end}
    if len(sides) < len(upright) * rows + len(level) * columns:  # else the lines without walls take no space
        upright, level = set(range(columns + 1)), set(range(rows + 1))
    xs = [x for x in range(columns * width + 1) if x % width or x // width in upright]
    ys = [y for y in range(rows * 2 + 1) if y % 2 or y // 2 in level]
    return "\n".join("".join(drawn.get((x, y), " ") for x in xs).rstrip() for y in ys)


def heading(start: Point, end: Point) -> float:
    """The direction from one point to another in degrees clockwise on the screen, 0 being to the right."""
    return math.degrees(math.atan2(end[1] - start[1], end[0] - start[0]))


def between(a: Point, b: Point, share: float) -> Point:
    """The point that lies `share` of the way from a to b."""
    return tuple(x + (y - x) * share for x, y in zip(a, b, strict=True))


def regular(sides: int) -> list[Point]:
    """The corners of a regular polygon around the origin, clockwise, with sides of length 1 and side 0 on top."""
    radius = 0.5 / math.sin(math.pi / sides)
    corners = [cmath.rect(radius, math.pi * (2 * i - 1) / sides - math.pi / 2) for i in range(sides)]
    return [(corner.real, corner.imag) for corner in corners]


def faded(colour: str) -> str:
    """A colour given as #rrggbb, mixed with twice as much white.

    >>> faded("#300060")
    '#baaaca'
    """
    return "#" + "".join(f"{(int(colour[i : i + 2], 16) + 2 * 255) // 3:02x}" for i in (1, 3, 5))


def short_names(labels: Iterable[Hashable]) -> Mapping[Hashable, str]:
    """The shortest names of one kind that tell the labels apart: a letter, else initials, else the words' first letters.

    They can be printed, whatever the labels are made of.

    >>> short_names(["red", "white horse", "green horse"])
    {'red': 'r', 'white horse': 'w', 'green horse': 'g'}
    >>> short_names(["cheetah head", "cheetah tail", "lion head"])
    {'cheetah head': 'ch', 'cheetah tail': 'ct', 'lion head': 'lh'}
    """
    words = {label: printable(str(label)).replace("-", " ").replace("_", " ").split() for label in labels}
    for count, letters in ((1, 1), *((None, letters) for letters in range(1, 9))):
        names = {label: "".join(word[:letters] for word in its_words[:count]) for label, its_words in words.items()}
        if len(set(names.values())) == len(names):
            return names
    return {label: printable(str(label)) for label in words}
