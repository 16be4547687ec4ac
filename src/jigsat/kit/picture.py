"""A picture of a grid: words, shades and lines at places, as text and as SVG.

Layers draw themselves by the methods `word`, `shade`, `line`, `dot`, `disc`, `rim`, `walls`,
`place` and `mark`; nothing else is needed for both forms. A point is (row, column): the cell (0, 0)
reaches from (0, 0) to (1, 1).
"""

from __future__ import annotations

import math
from collections.abc import Collection, Hashable, Iterable, Sequence
from itertools import pairwise
from typing import NamedTuple

from jigsat.kit.grid import Cell, Edge, Grid, Side
from jigsat.kit.walks import neighbours, sides
from jigsat.pictures import MARK, CharacterPlane, Painted, Picture

Point = tuple[float, float]

GIVEN, FOUND = "#111", "#1a5fc4"  # colours of what is given, and of what was found
FILLS = {"black": "#222", "shaded": "#8f9aa8"}
DISCS = {"○": "white", "●": GIVEN}  # the fills of circles, by their signs in text
BLOCKS = {"black": "█", "shaded": "■"}  # the same in text
EMPTY = "·"
UP, DOWN, LEFT, RIGHT = 1, 2, 4, 8
JOINTS = " ╵╷│╴┘┐┤╶└┌├─┴┬┼"
DOUBLE = {UP | DOWN: "║", LEFT | RIGHT: "═"}
DIAGONALS = {True: "╲", False: "╱"}  # whether it falls to the right
RIM_STEP = 0.55  # between the numbers of a list beside the grid, in cells
# the line of a cage, its distance from the sides of cells, and the length of a dash, in cells
CAGE, CAGE_INSET, CAGE_DASH = "#333", 0.08, 0.08
DIAMOND = (0.5, 0.25)  # half of the length and of the width of the place of a line, in cells


def centre(cell: Cell) -> Point:
    """The middle of a cell."""
    return cell[0] + 0.5, cell[1] + 0.5


class Word(NamedTuple):
    """A word, and how it is drawn."""

    text: str
    given: bool
    circled: bool


class LineBetween(NamedTuple):
    """One or more parallel lines from point to point."""

    start: Point
    end: Point
    number: int
    given: bool


class GridPicture:
    """What is drawn; `text` and `svg` show it."""

    def __init__(self, grid: Grid) -> None:
        self.grid = grid
        self._words: dict[Point, Word] = {}
        self._shades: dict[Cell, str] = {}
        self._lines: list[LineBetween] = []
        self._walls: dict[tuple[Point, Point], bool] = {}
        self._dots: list[Point] = []
        self._discs: dict[Point, str] = {}
        self._rims: dict[tuple[Side, int], list[str]] = {}
        self._cages: list[list[Cell]] = []
        self._corners: dict[Cell, str] = {}
        self._signs: dict[Point, str] = {}
        self._sums: dict[Cell, tuple[str, str]] = {}
        self._places: dict[Hashable, list[Point]] = {}
        self._marked: dict[Point, list[Point]] = {}
        self.framed = False
        """Whether the text has a row and a column of characters between cells, for lines."""

    # -- what layers draw

    def word(self, point: Point, text: str, *, given: bool = True, circled: bool = False) -> None:
        """A word or a sign; what is `given` is black, what was found is blue."""
        self._words[point] = Word(text, given, circled)

    def shade(self, cell: Cell, shade: str = "shaded") -> None:
        """Shade a cell, or make it 'black'."""
        self._shades[cell] = shade

    def line(self, start: Point, end: Point, number: int = 1, *, given: bool = False) -> None:
        """A line, or several parallel ones."""
        self.framed = True
        self._lines.append(LineBetween(start, end, number, given))

    def wall(self, side: Edge, *, given: bool = True) -> None:
        """A thick line along a side of a cell, from corner to corner."""
        self.framed = True
        self._walls[side] = given

    def walls(self, rooms: Iterable[Iterable[Cell]]) -> None:
        """Thick lines between the cells of different rooms, and on the rim."""
        room_of = {}
        for number, room in enumerate(rooms):
            for cell in room:
                room_of[cell] = number
        for one, other in self.grid.neighbours.edges:
            if room_of.get(one) != room_of.get(other):
                self.wall(self.grid.wall(one, other))
        self.frame()

    def dot(self, point: Point) -> None:
        """A small dot, such as at a corner."""
        self.framed = True
        self._dots.append(point)

    def disc(self, point: Point, *, black: bool) -> None:
        """A small circle, white or black."""
        self.framed = True
        self._discs[point] = "●" if black else "○"

    def rim(self, side: Side, i: int, words: Sequence[str]) -> None:
        """Words beside the grid at a row or column, in the order in which they are read."""
        self._rims[side, i] = list(words)

    def sums(self, cell: Cell, down: int | None, right: int | None) -> None:
        """A black cell, also one beside the grid, with a sum for the cells below it and one for
        those to the right."""
        self._sums[cell] = ("" if down is None else str(down), "" if right is None else str(right))

    def cage(self, cells: Iterable[Cell], label: str) -> None:
        """A thin line around some cells, with a label in the corner of the first one."""
        self.framed = True
        self._cages.append(sorted(cells))
        if label:
            self.corner(min(self._cages[-1]), label)

    def corner(self, cell: Cell, label: str) -> None:
        """A small label in a corner of a cell, where no line or sign covers it."""
        self._corners[cell] = label

    def sign(self, point: Point, sign: str) -> None:
        """A small sign on the side between two cells."""
        self.framed = True
        self._signs[point] = sign

    def place(self, place: Hashable, outline: Sequence[Point]) -> None:
        """Tell the page that something can be put on this place."""
        self._places[place] = list(outline)

    def mark(self, point: Point, outline: Sequence[Point]) -> None:
        """Highlight what is drawn at a point; SVG pictures show the outline."""
        self._marked[point] = list(outline)

    def frame(self) -> None:
        """Thick lines on the rim of the grid."""
        for cell in self.grid.cells:
            for side in self.grid.sides(cell):
                (r, c), (below, right) = side
                horizontal = r == below and r in (0, self.grid.height)
                vertical = c == right and c in (0, self.grid.width)
                if horizontal or vertical:
                    self.wall(side)

    # -- text

    def text(self) -> Painted:
        """The picture with characters."""
        return _TextPage(self).draw()

    # -- SVG

    def svg(self) -> str:
        """The picture as an SVG document."""
        picture = Picture(scale=60, margin=0.2)
        self._draw_cells(picture)
        for place, outline in self._places.items():
            picture.place(place, _turn_points(outline))
        for (start, end), given in self._walls.items():
            one, other = _turn_points([start, end])
            picture.line(one, other, GIVEN if given else FOUND, 0.07 if given else 0.1)
        for cells in self._cages:
            self._draw_cage(picture, cells)
        for line in self._lines:
            self._draw_line(picture, line)
        inset = 0.03 if self._cages else 0  # inside the line of a cage
        for (r, c), label in self._corners.items():
            at = c + 0.16 + 0.06 * len(label) + inset, r + 0.22 + inset
            picture.text(at, label, 0.28, bold=True)
        for point in self._dots:
            (at,) = _turn_points([point])
            picture.circle(at, 0.05, GIVEN)
        for point, disc in self._discs.items():
            (at,) = _turn_points([point])
            picture.circle(at, 0.15, DISCS[disc], line=GIVEN, width=0.03)
        for point, word in self._words.items():
            self._draw_word(picture, point, word)
        for point, sign in self._signs.items():
            (at,) = _turn_points([point])
            picture.circle(at, 0.13, "white", line=GIVEN)
            picture.text(at, sign, 0.36, bold=True)
        for (side, i), words in self._rims.items():
            self._draw_rim(picture, side, i, words)
        for cell, sums in self._sums.items():
            self._draw_sums(picture, cell, *sums)
        for outline in self._marked.values():
            picture.polygon(_turn_points(outline), "none", line=MARK, width=0.05)
        return str(picture)

    def _draw_cells(self, picture: Picture) -> None:
        for r, c in self.grid.cells:
            fill = FILLS.get(self._shades.get((r, c), ""), "white")
            corners = [(c, r), (c + 1, r), (c + 1, r + 1), (c, r + 1)]
            picture.polygon(corners, fill, line="#999", width=0.015)
        h, w = self.grid.height, self.grid.width
        thin = bool(self._dots)  # lines along the rim may be a part of the answer
        width = 0.015 if thin else 0.06
        frame = [(0, 0), (w, 0), (w, h), (0, h)]
        picture.polygon(frame, "none", line="#999" if thin else GIVEN, width=width)

    def _draw_line(self, picture: Picture, line: LineBetween) -> None:
        (r, c), (below, right) = line.start, line.end
        colour = GIVEN if line.given else FOUND
        length = math.dist(line.start, line.end)
        for i in range(line.number):
            # parallel lines are moved to both sides
            apart = 0.16 * (i - (line.number - 1) / 2)
            down, across = apart * (right - c) / length, apart * (r - below) / length
            ends = [(r + down, c + across), (below + down, right + across)]
            one, other = _turn_points(ends)
            picture.line(one, other, colour, 0.1)

    def _draw_word(self, picture: Picture, point: Point, word: Word) -> None:
        (at,) = _turn_points([point])
        cell = (int(point[0]), int(point[1]))
        dark = self._shades.get(cell) == "black"
        if word.circled:
            picture.circle(at, 0.36, "white", line=GIVEN, width=0.03)
        colour = GIVEN if word.given else FOUND
        size = min(0.6, 1.1 / max(1, len(word.text)))
        if self._corners:  # room for the label
            size, at = min(size, 0.48), (at[0], at[1] + 0.1)
        fill = "white" if dark and word.given and not word.circled else colour
        picture.text(at, word.text, size, fill=fill, bold=word.given)

    def _draw_cage(self, picture: Picture, cells: Sequence[Cell]) -> None:
        """The line runs inside the cells, and is dashed, so that it differs from the sides of cells
        and of other cages."""
        for outline in trace_outlines(cells, CAGE_INSET):
            points = _turn_points(outline)
            for start, end in pairwise([*points, points[0]]):
                picture.line(start, end, CAGE, 0.03, CAGE_DASH)

    def _draw_sums(self, picture: Picture, cell: Cell, down: str, right: str) -> None:
        """The sum for the cells below stands below the diagonal of the cell."""
        r, c = cell
        corners = _turn_points(outline_cell(cell))
        picture.polygon(corners, FILLS["black"], line="#999", width=0.015)
        if down or right:
            picture.line((c, r), (c + 1, r + 1), "#999", 0.02)
        picture.text((c + 0.3, r + 0.72), down, 0.36, fill="white", bold=True)
        picture.text((c + 0.7, r + 0.3), right, 0.36, fill="white", bold=True)

    def _draw_rim(self, picture: Picture, side: Side, i: int, words: Sequence[str]) -> None:
        """The last word of the left and of the top side is the nearest to the grid."""
        nearest_first = words if side in ("right", "bottom") else words[::-1]
        for k, word in enumerate(nearest_first):
            away = 0.45 + RIM_STEP * k
            points: dict[Side, Point] = {
                "top": (i + 0.5, -away),
                "bottom": (i + 0.5, self.grid.height + away),
                "left": (-away, i + 0.5),
                "right": (self.grid.width + away, i + 0.5),
            }
            x, y = points[side]
            size = min(0.45, 0.9 / max(1, len(word)))
            picture.text((x, y), word, size, bold=True)
            picture.reach((x - 0.25, y - 0.25), (x + 0.25, y + 0.25))


def _turn_points(points: Iterable[Point]) -> list[tuple[float, float]]:
    """Points as (x, y) instead of (row, column)."""
    return [(column, row) for row, column in points]


def outline_cell(cell: Cell) -> list[Point]:
    """The corners of a cell."""
    r, c = cell
    return [(r, c), (r, c + 1), (r + 1, c + 1), (r + 1, c)]


def trace_outlines(cells: Collection[Cell], inset: float) -> list[list[Point]]:
    """The corners of the outlines of some cells, this far inside: one outline, and one for each
    hole and for each part that is apart.

    >>> trace_outlines([(0, 0), (0, 1)], 0.25)
    [[(0.25, 0.25), (0.25, 1.75), (0.75, 1.75), (0.75, 0.25)]]
    """
    inside = set(cells)
    # The sides of cells go clockwise around them.
    ends: dict[tuple[Cell, Cell], Cell] = {}  # by the start of a side and its direction
    for r, c in sorted(inside):
        sides = {
            (0, 1): ((r, c), (r - 1, c)),
            (1, 0): ((r, c + 1), (r, c + 1)),
            (0, -1): ((r + 1, c + 1), (r + 1, c)),
            (-1, 0): ((r + 1, c), (r, c - 1)),
        }
        for (down, right), (start, beyond) in sides.items():
            if beyond not in inside:
                ends[start, (down, right)] = (start[0] + down, start[1] + right)
    outlines = []
    drawn: set[tuple[Cell, Cell]] = set()
    for side in ends:
        outline: list[Point] = []
        while side not in drawn:
            drawn.add(side)
            (down, right), (row, column) = side[1], ends[side]
            # Where two cells touch at a corner only, the line stays at its cell.
            turns = [(right, -down), (down, right), (-right, down)]
            step = next(turn for turn in turns if ((row, column), turn) in ends)
            if step != (down, right):
                corner = row + inset * (right + step[1]), column - inset * (down + step[0])
                outline.append(corner)
            side = (row, column), step
        if outline:
            outlines.append([outline[-1], *outline[:-1]])
    return outlines


def outline_line(start: Point, end: Point) -> list[Point]:
    """A diamond around a line, in which the page takes taps for it."""
    (r, c), (below, right) = start, end
    middle = ((r + below) / 2, (c + right) / 2)
    length = math.dist(start, end)
    half = DIAMOND[0] * length
    width = DIAMOND[1]
    down, across = (below - r) / length, (right - c) / length
    return [
        (middle[0] - half * down, middle[1] - half * across),
        (middle[0] - width * across, middle[1] + width * down),
        (middle[0] + half * down, middle[1] + half * across),
        (middle[0] + width * across, middle[1] - width * down),
    ]


class _TextPage:
    """The characters of a picture.

    A column of cells is `wide` characters; between two columns are `gap` characters. A framed
    picture has a line of characters between rows, and at the ends, as it has between columns.
    """

    def __init__(self, picture: GridPicture) -> None:
        self.picture = picture
        self.words = {point: self._find_text(point) for point in picture._words}
        words = list(self.words.values())
        words += ["\\".join(sums) for sums in picture._sums.values()]
        words += picture._corners.values()
        self.wide = max(map(len, [*words, "x"]))
        if picture.framed:
            self.wide += 2 + (self.wide + 1) % 2  # with blanks, and an odd number of characters
        self.page = CharacterPlane()
        self.strokes: dict[tuple[int, int], int] = {}
        self.double: set[tuple[int, int]] = set()

    def draw(self) -> Painted:
        self._write_cells()
        for point in self.picture._dots:
            self.page.write(self._x(point[1]), self._y(point[0]), EMPTY)
        self._stroke_walls()
        for line in self.picture._lines:
            self._stroke(line.start, line.end, line.number)
        for at, directions in self.strokes.items():
            double = DOUBLE.get(directions, "") if at in self.double else ""
            self.page.write(*at, double or JOINTS[directions])
        self._write_words()
        self._write_signs()
        self._write_rims()
        for point in self.picture._marked:
            self.page.write(self._find_star(point), self._y(point[0]), "*")
        return self.page.painted()

    def _stroke_walls(self) -> None:
        """The walls; if there are cages their sides instead, which would look the same."""
        walls = set(self.picture._walls)
        if self.picture._cages:
            walls = set()
        for cells in self.picture._cages:
            for cell in cells:
                for other, side in zip(neighbours(cell), sides(cell), strict=True):
                    if other not in cells:
                        walls.add(side)
        for start, end in walls:
            self._stroke(start, end, 1)

    def _write_signs(self) -> None:
        """Signs, circles, and the labels of corners on the upper sides of their cells."""
        for (r, c), sign in [*self.picture._signs.items(), *self.picture._discs.items()]:
            self.page.write(self._x(c), self._y(r), sign)
        for (row, column), label in self.picture._corners.items():
            self.page.write(self._x(column) + 1, self._y(row), label)

    def _find_text(self, point: Point) -> str:
        """A word; in a shaded cell with a block before it."""
        word = self.picture._words[point].text
        cell = (math.floor(point[0]), math.floor(point[1]))
        is_shaded = point == centre(cell) and self.picture._shades.get(cell) == "shaded"
        return BLOCKS["shaded"] + word if is_shaded else word

    def _x(self, column: float) -> int:
        """The character of a column of points: in a framed picture of its middle, otherwise of the
        first character of a cell."""
        if self.picture.framed:
            return round(column * (self.wide + 1))
        return math.floor(column) * (self.wide + 1)

    def _find_star(self, point: Point) -> int:
        """The character of the star at a point: behind its word, which must stay legible."""
        x = self._x(point[1])
        if not self.picture.framed:
            return x + self.wide
        return x + len(self.words[point]) // 2 + 1 if point in self.words else x

    def _y(self, row: float) -> int:
        return round(row * 2) if self.picture.framed else math.floor(row)

    def _write_cells(self) -> None:
        for cell in self.picture.grid.cells:
            shade = BLOCKS.get(self.picture._shades.get(cell, ""), EMPTY)
            if self.picture.framed and shade == EMPTY:
                shade = " "
            r, c = centre(cell)
            x = self._x(c)
            if not self.picture.framed:
                x += self.wide - 1
            self.page.write(x, self._y(r), shade)

    def _write_words(self) -> None:
        for (r, c), text in self.words.items():
            x = self._x(c)
            if self.picture.framed:
                x -= (len(text) - 1) // 2
            else:
                x += self.wide - len(text)
            given = self.picture._words[r, c].given
            self.page.write(x, self._y(r), text, colour="" if given else FOUND)
        for cell, sums in self.picture._sums.items():
            self._write_centred(centre(cell)[1], self._y(centre(cell)[0]), "\\".join(sums))

    def _write_rims(self) -> None:
        rims = self.picture._rims
        grid = self.picture.grid
        first = -1
        last = 2 * grid.height + 1 if self.picture.framed else grid.height
        for (side, i), words in rims.items():
            if side in ("top", "bottom"):
                nearest_first = words[::-1] if side == "top" else words
                for k, word in enumerate(nearest_first):
                    y = first - k if side == "top" else last + k
                    self._write_centred(i + 0.5, y, word)
            else:
                line = " ".join(words)
                right = self._x(grid.width) + (2 if self.picture.framed else 1)
                x = right if side == "right" else self._x(0) - 2 - len(line)
                self.page.write(x, self._y(i + 0.5), line)

    def _write_centred(self, column: float, y: int, word: str) -> None:
        x = self._x(column)
        x += -((len(word) - 1) // 2) if self.picture.framed else self.wide - len(word)
        self.page.write(x, y, word)

    def _stroke(self, start: Point, end: Point, number: int) -> None:
        x = self._x(start[1])
        y = self._y(start[0])
        to_x = self._x(end[1])
        to_y = self._y(end[0])
        if x != to_x and y != to_y:
            middle = ((start[1] + end[1]) / 2, (start[0] + end[0]) / 2)
            self.page.write(
                self._x(middle[0]), self._y(middle[1]), DIAGONALS[(to_x > x) == (to_y > y)]
            )
            return
        vertical = x == to_x
        forward, back = (DOWN, UP) if vertical else (RIGHT, LEFT)
        for i in range(max(abs(to_x - x), abs(to_y - y))):
            here = (x, y + i) if vertical else (x + i, y)
            there = (x, y + i + 1) if vertical else (x + i + 1, y)
            self.strokes[here] = self.strokes.get(here, 0) | forward
            self.strokes[there] = self.strokes.get(there, 0) | back
            if number > 1:
                self.double |= {here, there}
