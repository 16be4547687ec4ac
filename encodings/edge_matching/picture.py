"""Pictures of edge matching: tiles with their labels, in text and in SVG."""

import cmath
import math
from collections.abc import Collection, Hashable, Mapping, Sequence
from functools import partial
from itertools import pairwise

from jigsat.encodings.edge_matching.check import shown_sides
from jigsat.encodings.edge_matching.data import EdgeMatchingData, Placement, name_tile

from jigsat.boards import Cell, Point, middle
from jigsat.errors import printable
from jigsat.pictures import (
    ARROWS,
    NET_NOTE,
    PALE,
    CharacterPlane,
    Colour,
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
from jigsat.words import name_place

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
ARROW_NOTE = "the arrow points to the printed top of the tile"
MOST_EQUAL = 4  # tiles that are noted as the same as another


def draw_text(
    puzzle: EdgeMatchingData, placements: Sequence[Placement], marked: Collection[Placement] = ()
) -> str:
    """A solution drawn with characters: boxes or polygons on a board in the plane, one line per
    cell on a solid."""
    squares = square_layout(puzzle.surface)
    if squares is not None:
        return _draw_squares(puzzle, placements, marked, squares)
    if puzzle.surface.flat:
        return _draw_polygons(puzzle, placements, marked)
    return "\n".join(
        _describe_placement(puzzle, placement, placement in marked) for placement in placements
    )


def _describe_placement(puzzle: EdgeMatchingData, placement: Placement, marked: bool) -> str:
    cell, name, turn = placement
    sides = len(puzzle.tiles[name].sides)
    star = " *" if marked else ""
    where = printable(name_place(cell))
    return f"{where}: tile {printable(name)}, turned {turn} of {sides} clockwise{star}"


def _draw_squares(
    puzzle: EdgeMatchingData,
    placements: Sequence[Placement],
    marked: Collection[Placement],
    squares: Mapping[Cell, tuple[int, int, int]],
) -> str:
    """Square tiles as boxes; `squares` has the column, the row and the rotation of each cell."""
    short = short_names(puzzle.partners)
    page = CharacterPlane()
    longest_name = max(len(printable(name)) for name in puzzle.tiles)
    longest_label = max(map(len, short.values()))
    width = 2 * longest_label + longest_name + 6
    for placement in placements:
        cell, name, turn = placement
        column, row, rotation = squares[cell]
        sides = shown_sides(puzzle.tiles[name], turn + rotation)
        labels = [(short[label], partial(_colour_label, puzzle, label)) for label in sides]
        words = f"*{name}" if placement in marked else name
        if puzzle.turning:
            words += f" {ARROWS[(turn + rotation) % 4]}"
        _write_box(page, column * (width + 1), row * 4, width, labels, words)
    notes = [ARROW_NOTE] if puzzle.turning else []
    notes += _note_equal_tiles(puzzle)
    return page.painted().above(_legend(short), *notes)


def _colour_label(puzzle: EdgeMatchingData, label: str) -> str:
    return puzzle.painted[label].fill


def _legend(short: Mapping[Hashable, str]) -> str:
    return ", ".join(
        f"{name} {printable(str(label))}" for label, name in short.items() if name != label
    )


def _note_equal_tiles(puzzle: EdgeMatchingData) -> list[str]:
    """Which tiles are the same as another: only that one's name is written, as often as they are
    there."""
    equal = []
    for kind in puzzle.kinds:
        first, *others = kind.names
        equal += [f"{name_tile(other)} is the same as {name_tile(first)}" for other in others]
    more = len(equal) - MOST_EQUAL
    rest = [f"and {more} more"] if more > 0 else []
    return ["; ".join(equal[:MOST_EQUAL] + rest)] if equal else []


def _draw_polygons(
    puzzle: EdgeMatchingData, placements: Sequence[Placement], marked: Collection[Placement]
) -> str:
    """Tiles that are not squares: dotted sides, a label at each side, the name in the middle."""
    short = short_names(puzzle.partners)
    page = CharacterPlane()
    board = puzzle.surface
    longest = max(map(len, [*short.values(), *map(printable, puzzle.tiles)]))
    lines_per_side = longest + (5.5 if board.sides(board.cells[0]) == 3 else 2.0)
    outlines: dict[Cell, list[Point]] = {}
    for cell, polygon in board.polygons.items():
        outlines[cell] = []
        for x, y in polygon:
            # A character is about twice as high as it is wide.
            outlines[cell].append(
                (round(2.2 * lines_per_side * x), round(lines_per_side * y + 0.01))
            )

    for corners in outlines.values():
        for start, end in pairwise([*corners, corners[0]]):
            _write_dots(page, start, end)
    for placement in placements:
        corners = outlines[placement.cell]
        centre = middle(corners)
        sides = pairwise([*corners, corners[0]])
        labels = shown_sides(puzzle.tiles[placement.tile], placement.turn)
        for side, label in zip(sides, labels, strict=True):
            x, y = between(middle(side), centre, 0.3)
            _write_centred(page, x, y, short[label], partial(_colour_label, puzzle, label))
        name = printable(placement.tile)
        x, y = centre
        _write_centred(page, x, y, f"{name}*" if placement in marked else name)
    return page.painted().above(_legend(short))


def _write_dots(page: CharacterPlane, one: Point, other: Point) -> None:
    """A dotted line, always from the same end, so that the dots of two tiles coincide."""
    start, end = sorted((one, other))
    width = abs(end[0] - start[0])
    height = abs(end[1] - start[1])
    steps = round(max(width // 2, height))
    for i in range(steps + 1):
        x, y = between(start, end, i / steps)
        page.write(round(x), round(y), "·")


def _write_centred(
    page: CharacterPlane, x: float, y: float, words: str, colour: Colour = ""
) -> None:
    page.write(round(x - (len(words) - 1) / 2), round(y), words, colour=colour)


def _write_box(
    page: CharacterPlane,
    x: int,
    y: int,
    width: int,
    labels: Sequence[tuple[str, Colour]],
    inside: str,
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


def draw_svg(
    puzzle: EdgeMatchingData, placements: Sequence[Placement], marked: Collection[Placement] = ()
) -> str:
    """A solution as an SVG document; a cell without a placement is drawn empty."""
    picture = Picture(SCALE, underlined=puzzle.underlined)

    def draw(placement: Placement, corners: Sequence[Point]) -> None:
        draw_tile(puzzle, picture, corners, placement.tile, placement.turn, arrow=puzzle.turning)
        picture.polygon(corners, "none", width=0.025)

    draw_placements(picture, puzzle.surface, placements, marked, draw)
    notes = []
    if not puzzle.surface.flat:
        notes.append(NET_NOTE)
    if puzzle.turning:
        notes.append(ARROW_NOTE)
    notes += _note_equal_tiles(puzzle)
    for note in notes:
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
    n = len(corners)
    centre = middle(corners)
    image = image_of(puzzle.pictures, name)
    picture.polygon(corners, "white", width=0)
    if image:
        home = regular(n)
        with picture.mapped(home, [corners[(turn + i) % n] for i in range(3)]):
            picture.cover(image, [home])
    for i, label in enumerate(shown_sides(puzzle.tiles[name], turn)):
        start = corners[i]
        end = corners[(i + 1) % n]
        if image:
            plate_start = between(start, end, PLATE)
            plate_end = between(end, start, PLATE)
            draw_plate(puzzle, picture, plate_start, plate_end, centre, label, PLATE)
        else:
            _draw_side(puzzle, picture, start, end, centre, label)
    printed_top = heading(corners[0], corners[1]) + 360 * turn / n
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
    on_side = middle([start, end])
    is_half = label in puzzle.halves
    image = image_of(puzzle.pictures, label)
    if image and label not in puzzle.colours:
        fill = "#ffffff"
    if is_half:
        picture.polygon([start, end, centre], fade_colour(fill), kind=PALE)
    else:
        picture.polygon([start, end, centre], fill)

    if image:
        side = math.dist(start, end)
        depth = math.dist(on_side, centre)
        # the largest that fits into the triangle
        height = min(side / (image.aspect + side / depth), 0.66 * depth)
        left = between(on_side, start, image.aspect * height / side)
        picture.image(image, left, height, turn=heading(start, end))
        return

    if is_half:
        outline = _outline_half(start, end, centre, head=puzzle.halves[label])
        picture.polygon(outline, fill, line=fill)
        if band:
            picture.circle(between(on_side, centre, BAND), 0.06, band, line=fill)
    elif band:
        picture.polygon([between(start, centre, BAND), between(end, centre, BAND), centre], band)

    for i, word in enumerate(label.split()):
        on_band = i > 0 and band and not is_half
        place = between(on_side, centre, 0.17 + 0.2 * i)
        colour = ink(band if on_band else fill)
        picture.text(place, word, 0.085, turn=heading(start, end), fill=colour)


def _outline_half(start: Point, end: Point, centre: Point, *, head: bool) -> list[Point]:
    """Half of a figure on a side: a head is round, a tail pointed, so that the two together are a
    drop."""
    first, last, inner = complex(*start), complex(*end), complex(*centre)
    along = last - first
    inward = inner - (first + last) / 2
    twelfths = range(13) if head else (0, 6, 12)  # of the half circle
    points: list[Point] = []
    for i in twelfths:
        z = cmath.rect(1, math.pi * i / 12)
        point = first + along * (0.5 + WIDTH * z.real) + inward * DEPTH * z.imag
        points.append((point.real, point.imag))
    return points


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
