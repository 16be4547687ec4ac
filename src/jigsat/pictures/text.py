"""Drawing with characters: a page to write on, walls between cells, and short names for long
labels."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import pairwise, zip_longest
from typing import Self

from jigsat.errors import printable

Square = tuple[int, int]  # row and column of a unit square
Position = tuple[int, int]  # column and row of a character
Colour = str | Callable[[], str]  # or a function, if it takes long to choose it
MAX_LETTERS = 8  # of each word in a short name


class Painted(str):
    """A text picture, some of whose characters have a colour, `#rrggbb`. String operations return
    text without colours.

    >>> picture = Painted("ab", {(1, 0): "#ff0000"})
    >>> print(picture)
    ab
    >>> picture.above("c").colours
    {(1, 0): '#ff0000'}
    """

    _colours: Mapping[Position, Colour]

    def __new__(cls, text: str, colours: Mapping[Position, Colour]) -> Self:
        painted = super().__new__(cls, text)
        painted._colours = colours
        return painted

    @cached_property
    def colours(self) -> dict[Position, str]:
        """The colours of characters. In a pipe or a file they are not needed."""
        return {at: x if isinstance(x, str) else x() for at, x in self._colours.items()}

    def above(self, *lines: str) -> Painted:
        """The picture with lines below it; empty ones are left out."""
        return Painted("\n".join(filter(None, [str(self), *lines])), self._colours)


UP, DOWN, LEFT, RIGHT = 1, 2, 4, 8
LINES = " ╵╷│╴┘┐┤╶└┌├─┴┬┼"  # the character for each set of directions, as bits

# direction of the printed top of a square piece after 0 to 3 clockwise quarter turns
ARROWS = "↑→↓←"


class CharacterPlane:
    """A plane of characters: `write` anywhere; `str` gives the text."""

    def __init__(self) -> None:
        self._cells: dict[tuple[int, int], str] = {}
        self._colours: dict[tuple[int, int], Colour] = {}

    def write(self, x: int, y: int, text: str, *, width: int = 0, colour: Colour = "") -> None:
        """Write a line from column x of row y, centred within `width` columns if given; only the
        text has the colour."""
        text = printable(text)
        centred = text.center(width) if width else text
        start = centred.find(text)
        for i, character in enumerate(centred):
            self._cells[x + i, y] = character
            self._colours.pop((x + i, y), None)
            if colour and start <= i < start + len(text):
                self._colours[x + i, y] = colour

    def painted(self) -> Painted:
        """The text with its colours."""
        if not self._cells:
            return Painted("", {})
        left = min(x for x, _ in self._cells)
        top = min(y for _, y in self._cells)
        colours = {(x - left, y - top): colour for (x, y), colour in self._colours.items()}
        return Painted(str(self), colours)

    def __str__(self) -> str:
        if not self._cells:
            return ""
        xs, ys = zip(*self._cells, strict=True)
        lines = []
        for y in range(min(ys), max(ys) + 1):
            line = [self._cells.get((x, y), " ") for x in range(min(xs), max(xs) + 1)]
            lines.append("".join(line).rstrip())
        return "\n".join(lines)


def beside(left: str, right: str, gap: int = 4) -> str:
    """Two texts side by side.

    >>> print(beside("one\\nand", "two"))
    one    two
    and
    """
    rows = list(zip_longest(left.splitlines(), right.splitlines(), fillvalue=""))
    width = max((len(row) for row, _ in rows), default=0) + gap
    return "\n".join((a.ljust(width) + b).rstrip() for a, b in rows)


OUTSIDE = object()  # the room of squares beside a board


def walls(
    rooms: Mapping[Square, Hashable], wrap: tuple[int, int] = (0, 0)
) -> Iterator[tuple[Square, Square]]:
    """The sides between squares of different rooms, and the sides on the rim; each is two points
    (x, y).

    `wrap` has the numbers of rows and columns after which the board repeats, or 0 where it does not
    wrap around. If it does, there is no wall on the rim where a room continues on the opposite
    side.

    >>> sorted(walls({(0, 0): "a", (0, 1): "a"}))[:3]
    [((0, 0), (0, 1)), ((0, 0), (1, 0)), ((0, 1), (1, 1))]
    """

    rows, columns = wrap

    def beyond(y: int, x: int) -> Hashable:
        square = (y % rows if rows else y, x % columns if columns else x)
        return rooms.get(square, OUTSIDE)

    for (y, x), room in rooms.items():
        if (y - 1, x) not in rooms and beyond(y - 1, x) != room:
            yield (x, y), (x + 1, y)
        if (y, x - 1) not in rooms and beyond(y, x - 1) != room:
            yield (x, y), (x, y + 1)
        if beyond(y + 1, x) != room:
            yield (x, y + 1), (x + 1, y + 1)
        if beyond(y, x + 1) != room:
            yield (x + 1, y), (x + 1, y + 1)


def draw_walls(
    shown: Mapping[Square, str],
    rooms: Mapping[Square, Hashable],
    wrap: tuple[int, int] = (0, 0),
    colours: Mapping[Square, str] | None = None,
) -> Painted:
    """A drawing of squares that contain texts of the same width, with lines around each room; for
    `wrap` see `walls`.

    `colours` are those of the texts.

    >>> values = {(0, 0): "1", (0, 1): "2", (1, 0): "3", (1, 1): "4"}
    >>> print(draw_walls(values, {(0, 0): 0, (0, 1): 1, (1, 0): 0, (1, 1): 1}))
    ┌─┬─┐
    │1│2│
    │3│4│
    └─┴─┘
    """
    width = max((len(printable(text)) for text in shown.values()), default=1) + 1
    sides = list(walls(rooms, wrap))
    lines = _draw_lines(sides, width)

    xs, ys = _list_drawn(sides, rooms, width)
    page = CharacterPlane()
    page.write(0, 0, " ")  # the corner, even if no wall begins there
    for (x, y), directions in lines.items():
        if x in xs and y in ys:
            page.write(xs.index(x), ys.index(y), LINES[directions])
    for (row, column), text in shown.items():
        colour = colours.get((row, column), "") if colours else ""
        x = xs.index(column * width + 1)
        y = ys.index(row * 2 + 1)
        page.write(x, y, text, colour=colour)
    return page.painted()


def _list_drawn(
    sides: Sequence[tuple[Square, Square]], rooms: Iterable[Square], width: int
) -> tuple[list[int], list[int]]:
    """The columns and rows of characters that are drawn.

    One between squares takes no space if no wall is there, but only if all others have walls
    everywhere.
    """
    rows = max(row for row, _ in rooms) + 1
    columns = max(column for _, column in rooms) + 1
    vertical = {x for (x, _), (end, _) in sides if x == end}
    horizontal = {y for (_, y), (_, end) in sides if y == end}
    if len(sides) < len(vertical) * rows + len(horizontal) * columns:
        vertical = set(range(columns + 1))
        horizontal = set(range(rows + 1))
    xs = [x for x in range(columns * width + 1) if x % width or x // width in vertical]
    ys = [y for y in range(rows * 2 + 1) if y % 2 or y // 2 in horizontal]
    return xs, ys


def _draw_lines(sides: Iterable[tuple[Square, Square]], width: int) -> dict[tuple[int, int], int]:
    """For each character (x, y) on a wall the directions in which lines leave it, as bits. A square
    is `width` characters wide and 2 high."""
    lines: dict[tuple[int, int], int] = {}
    for (x, y), (end, _) in sides:
        if x == end:
            along = [(x * width, y * 2 + i) for i in range(3)]
            forward, backward = DOWN, UP
        else:
            along = [(x * width + i, y * 2) for i in range(width + 1)]
            forward, backward = RIGHT, LEFT
        for a, b in pairwise(along):
            lines[a] = lines.get(a, 0) | forward
            lines[b] = lines.get(b, 0) | backward
    return lines


def short_names(labels: Iterable[Hashable]) -> Mapping[Hashable, str]:
    """The shortest unambiguous names of one kind: one letter, or initials, or the first letters of
    each word.

    The names are printable, whatever characters the labels contain.

    >>> short_names(["red", "white horse", "green horse"])
    {'red': 'r', 'white horse': 'w', 'green horse': 'g'}
    >>> short_names(["cheetah head", "cheetah tail", "lion head"])
    {'cheetah head': 'ch', 'cheetah tail': 'ct', 'lion head': 'lh'}
    """
    words = {}
    for label in labels:
        text = printable(str(label)).replace("-", " ").replace("_", " ")
        words[label] = text.split()
    first_letters = {label: "".join(parts[:1])[:1] for label, parts in words.items()}
    if _are_different(first_letters):
        return first_letters
    for number in range(1, MAX_LETTERS + 1):
        names = {}
        for label, parts in words.items():
            names[label] = "".join(part[:number] for part in parts)
        if _are_different(names):
            return names
    return {label: printable(str(label)) for label in words}


def _are_different(names: Mapping[Hashable, str]) -> bool:
    return len(set(names.values())) == len(names)
