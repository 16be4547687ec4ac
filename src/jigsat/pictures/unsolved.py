"""The picture of a puzzle before it is solved: the board and the loose pieces."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from operator import truediv
from xml.etree import ElementTree

from jigsat.pictures.layout import Part
from jigsat.pictures.pages import Sheet, aspect_of

GAP, LABEL = 5.0, 6.0  # in millimetres: the space between pieces, and the size of their numbers
FRAME = 4, 3  # width and height of the frame that the picture fills as well as it can


@dataclass(frozen=True)
class _PlacedPart:
    """A part at a place, in millimetres, and how many of it there are."""

    svg: str
    width: float
    height: float
    number: int = 1
    x: float = GAP
    y: float = GAP

    @property
    def right(self) -> float:
        return self.x + self.width + GAP

    @property
    def below(self) -> float:
        return self.y + self.height + GAP + (LABEL if self.number > 1 else 0)


def opening(parts: Sequence[Part]) -> str:
    """One SVG document with the board, the first part, and the loose pieces, each drawn once with
    its number."""
    board, *pieces = parts
    if not pieces:
        return board.svg
    copies = Counter((piece.svg, piece.width) for piece in pieces)
    # a small board beside many pieces is enlarged
    loose = [
        _PlacedPart(svg, width, width * aspect_of(svg), number)
        for (svg, width), number in copies.items()
    ]
    area = sum(box.width * box.height for box in loose)
    aspect = aspect_of(board.svg)
    width = max(board.width, (0.5 * area / aspect) ** 0.5)
    first = _PlacedPart(board.svg, width, width * aspect)
    boxes = min(
        _arrangements(first, loose), key=lambda boxes: max(map(truediv, _extent(boxes), FRAME))
    )
    sheet = Sheet(*_extent(boxes), scale=3)
    for box in boxes:
        sheet.picture(ElementTree.fromstring(box.svg), box.x, box.y, box.width, box.height)
        if box.number > 1:
            sheet.text(f"×{box.number}", box.x, box.y + box.height + LABEL, LABEL)
    return str(sheet)


def _arrangements(board: _PlacedPart, loose: Sequence[_PlacedPart]) -> Iterator[list[_PlacedPart]]:
    """The pieces in rows of different widths, beside the board and below it."""
    for columns in range(1, len(loose) + 1):
        room = columns * max(box.width + GAP for box in loose)
        for left, top in ((board.right, GAP), (GAP, board.below)):
            yield [board, *_rows(loose, left, top, room)]


def _rows(
    loose: Iterable[_PlacedPart], left: float, top: float, room: float
) -> Iterator[_PlacedPart]:
    x, y, following = left, top, top
    for box in loose:
        if x + box.width + GAP > left + room + 0.01:
            x, y = left, following
        placed = replace(box, x=x, y=y)
        yield placed
        x, following = placed.right, max(following, placed.below)


def _extent(boxes: Sequence[_PlacedPart]) -> tuple[float, float]:
    return max(box.right for box in boxes), max(box.below for box in boxes)
