"""Pictures of edge matching: tiles with their labels, in text and in SVG."""

import cmath
import math
from collections.abc import Collection, Hashable, Mapping, Sequence
from itertools import pairwise

from jigsat.encodings.edge_matching.check import shown_sides
from jigsat.encodings.edge_matching.data import EdgeMatchingData, Placement

from jigsat.boards import Point, middle
from jigsat.errors import printable
from jigsat.pictures import (
    ARROWS,
    CharacterPlane,
    Paint,
    Picture,
    Solid,
    between,
    draw_placements,
    fade_colour,
    fold_board,
    heading,
    image_of,
    ink,
    regular,
    short_names,
    square_layout,
)

SCALE = 150  # pixels per unit of the board
# where the band of a label begins, between its first two words: a fraction of the way from the side
# to the middle
BAND = 0.27
# how deep a plate with a label is, and how far it is from the corners, as a fraction of the way
# there
PLATE = 0.2
# half the width of a figure as a fraction of its side, and its depth as a fraction of the way to
# the middle
WIDTH, DEPTH = 0.36, 0.66


def draw_text(
    puzzle: EdgeMatchingData, placements: Sequence[Placement], marked: Collection[Placement] = ()
) -> str:
    """A solution drawn with characters: boxes or polygons on a board in the plane, one line per
    cell on a solid."""
    squares = square_layout(puzzle.surface)
    if squares is None and puzzle.surface.flat:
        return _draw_polygons(puzzle, placements, marked)
    if squares is None:
        return "\n".join(
            f"{printable(str(cell))}: tile {printable(name)}, turned {turn} of "
            f"{len(puzzle.tiles[name].sides)} clockwise"
            + (" *" if (cell, name, turn) in marked else "")
            for cell, name, turn in placements
        )
    short, page = short_names(puzzle.partners), CharacterPlane()
    longest_name = max(len(printable(name)) for name in puzzle.tiles)
    width = 2 * max(map(len, short.values())) + longest_name + 6
    for placement in placements:
        cell, name, turn = placement
        column, row, rotation = squares[cell]
        labels = [
            (short[label], puzzle.painted[label].fill)
            for label in shown_sides(puzzle.tiles[name], turn + rotation)
        ]
        middle_line = f"{name} {ARROWS[(turn + rotation) % 4]}" if puzzle.turning else name
        _write_box(
            page,
            column * (width + 1),
            row * 4,
            width,
            labels,
            ("*" if placement in marked else "") + middle_line,
        )
    return page.painted().above(_legend(short), _arrow_note(puzzle))


def _legend(short: Mapping[Hashable, str]) -> str:
    return ", ".join(
        f"{name} {printable(str(label))}" for label, name in short.items() if name != label
    )


def _draw_polygons(
    puzzle: EdgeMatchingData, placements: Sequence[Placement], marked: Collection[Placement]
) -> str:
    """Tiles that are not squares: dotted sides, a label at each side, the name in the middle."""
    short, page, board = short_names(puzzle.partners), CharacterPlane(), puzzle.surface
    longest = max(map(len, [*short.values(), *map(printable, puzzle.tiles)]))
    high = longest + (5.5 if board.sides(board.cells[0]) == 3 else 2.0)  # lines for a side
    outlines = {
        cell: [(round(2.2 * high * x), round(high * y + 0.01)) for x, y in its]
        for cell, its in board.polygons.items()
    }
    for corners in outlines.values():
        for ends in pairwise([*corners, corners[0]]):
            start, end = sorted(ends)  # so that the dots of two tiles coincide
            steps = max(abs(end[0] - start[0]) // 2, abs(end[1] - start[1]))
            for i in range(steps + 1):
                x, y = between(start, end, i / steps)
                page.write(round(x), round(y), "·")
    for cell, name, turn in placements:
        corners, said = outlines[cell], printable(name) + "*" * ((cell, name, turn) in marked)
        centre = middle(corners)
        for ends, label in zip(
            pairwise([*corners, corners[0]]), shown_sides(puzzle.tiles[name], turn), strict=True
        ):
            x, y = between(middle(ends), centre, 0.3)
            page.write(
                round(x - (len(short[label]) - 1) / 2),
                round(y),
                short[label],
                colour=puzzle.painted[label].fill,
            )
        page.write(round(centre[0] - (len(said) - 1) / 2), round(centre[1]), said)
    return page.painted().above(_legend(short))


def _write_box(
    page: CharacterPlane, x: int, y: int, width: int, labels: Sequence[tuple[str, str]], inside: str
) -> None:
    """A box with a label in its colour at each side, given as top, right, bottom and left, and
    words in the middle."""
    top, right, bottom, left = labels
    for line in (0, 4):
        page.write(x, y + line, "+" + "-" * width + "+")
    for line in (1, 2, 3):
        page.write(x, y + line, "|" + " " * width + "|")
    page.write(x + 1, y + 1, top[0], width=width, colour=top[1])
    page.write(x + 1, y + 2, inside, width=width)
    page.write(x + 2, y + 2, left[0], colour=left[1])
    page.write(x + width - len(right[0]), y + 2, right[0], colour=right[1])
    page.write(x + 1, y + 3, bottom[0], width=width, colour=bottom[1])


def _arrow_note(puzzle: EdgeMatchingData) -> str:
    return "the arrow points to the printed top of the tile" if puzzle.turning else ""


def draw_svg(
    puzzle: EdgeMatchingData, placements: Sequence[Placement], marked: Collection[Placement] = ()
) -> str:
    """A solution as an SVG document; a cell without a placement is drawn empty."""
    picture = Picture(SCALE, underlined=puzzle.underlined)

    def draw(placement: Placement, corners: Sequence[Point]) -> None:
        draw_tile(puzzle, picture, corners, placement.tile, placement.turn, arrow=puzzle.turning)
        picture.polygon(corners, "none", width=0.025)

    draw_placements(picture, puzzle.surface, placements, marked, draw)
    view_note = (
        ""
        if puzzle.surface.flat
        else "seen from outside, right: from above and below; red numbers: sides that meet"
    )
    if note := "; ".join(filter(None, [view_note, _arrow_note(puzzle)])):
        picture.note(note)
    return str(picture)


def build_solid(puzzle: EdgeMatchingData, placements: Sequence[Placement]) -> Solid | None:
    return fold_board(
        puzzle.surface, SCALE, {placement.cell: placement.tile for placement in placements}
    )


def draw_tile(
    puzzle: EdgeMatchingData,
    picture: Picture,
    corners: Sequence[Point],
    name: str,
    turn: int,
    *,
    arrow: bool,
) -> None:
    """Draw a tile with its name on a disc and, with `arrow`, its printed top. Its own picture
    covers it below these."""
    centre, image = middle(corners), image_of(puzzle.pictures, name)
    picture.polygon(corners, "white", width=0)
    if image:
        home, n = regular(len(corners)), len(corners)
        with picture.mapped(home, [corners[(turn + i) % n] for i in range(3)]):
            picture.cover(image, [home])
    for i, label in enumerate(shown_sides(puzzle.tiles[name], turn)):
        start, end = corners[i], corners[(i + 1) % len(corners)]
        if image:
            draw_plate(
                puzzle,
                picture,
                between(start, end, PLATE),
                between(end, start, PLATE),
                centre,
                label,
                PLATE,
            )
        else:
            _draw_side(puzzle, picture, start, end, centre, label)
    printed_top = heading(corners[0], corners[1]) + 360 * turn / len(corners)
    radius = min(0.12, 0.42 * math.dist(centre, middle(corners[:2])))
    picture.badge(
        centre, radius, name, puzzle.tiles[name].face or "", turn=printed_top, arrow=arrow
    )


def _draw_side(
    puzzle: EdgeMatchingData, picture: Picture, start: Point, end: Point, centre: Point, label: str
) -> None:
    """Draw a label between a side of a tile and the middle: its picture with the top at the side,
    or its words."""
    fill, band = puzzle.painted.get(label, Paint("#ffffff"))
    on_side, half = middle([start, end]), label in puzzle.halves
    image = image_of(puzzle.pictures, label)
    if image and label not in puzzle.colours:
        fill = "#ffffff"
    picture.polygon([start, end, centre], fade_colour(fill) if half else fill)
    if image:
        side, depth, turn = math.dist(start, end), math.dist(on_side, centre), heading(start, end)
        # the largest that fits into the triangle
        height = min(side / (image.aspect + side / depth), 0.66 * depth)
        left = between(on_side, start, image.aspect * height / side)
        picture.image(image, left, height, turn=turn)
        return
    if half:
        picture.polygon(
            _outline_half(start, end, centre, head=puzzle.halves[label]), fill, line=fill
        )
    if band and half:
        picture.circle(between(on_side, centre, BAND), 0.06, band, line=fill)
    elif band:
        picture.polygon([between(start, centre, BAND), between(end, centre, BAND), centre], band)
    for j, word in enumerate(label.split()):
        at, on = between(on_side, centre, 0.17 + 0.2 * j), (j and not half and band) or fill
        picture.text(at, word, 0.085, turn=heading(start, end), fill=ink(on))


def _outline_half(start: Point, end: Point, centre: Point, *, head: bool) -> list[Point]:
    """Half of a figure on a side: a head is round, a tail pointed, so that the two together are a
    drop."""
    first, last, inner = complex(*start), complex(*end), complex(*centre)
    turns = [cmath.rect(1, math.pi * i / 12) for i in (range(13) if head else (0, 6, 12))]
    points = [
        first
        + (last - first) * (0.5 + WIDTH * z.real)
        + (inner - (first + last) / 2) * DEPTH * z.imag
        for z in turns
    ]
    return [(point.real, point.imag) for point in points]


def draw_plate(
    puzzle: EdgeMatchingData,
    picture: Picture,
    start: Point,
    end: Point,
    centre: Point,
    label: str,
    depth: float,
) -> None:
    """A label on a plate along a side; `depth` is a fraction of the way to the middle."""
    fill = puzzle.painted.get(label, Paint("#ffffff")).fill
    picture.polygon(
        [start, end, between(end, centre, depth), between(start, centre, depth)], fill, line="#666"
    )
    at = between(middle([start, end]), centre, 0.6 * depth)  # the border covers a part of the plate
    size = min(0.36 * depth, 1.6 * math.dist(start, end) / max(len(label), 1))
    picture.text(at, label, size, turn=heading(start, end), fill=ink(fill))
