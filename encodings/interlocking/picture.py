"""Pictures of interlocking pieces: the faces of the board with their teeth."""

import cmath
import math
from collections.abc import Collection, Iterator, Mapping, Sequence

from jigsat.encodings.interlocking.data import InterlockingData, Placement

from jigsat.boards import Cell, Orientation, Point, Spot, middle, minus
from jigsat.errors import printable
from jigsat.pictures import (
    ARROWS,
    NET_NOTE,
    TURNED_OPACITY,
    CharacterPlane,
    Image,
    Picture,
    Solid,
    ambiguous,
    between,
    draw_placements,
    fade_colour,
    fold_board,
    heading,
    image_of,
    ink,
    regular,
    square_layout,
)
from jigsat.words import name_place

SCALE = 150  # pixels per unit of the board
MIN_MIDDLE = 0.5  # at least this part of the way from the middle of a face to a side has words
# the corners of what is below the name of a face on a picture
PLATE = ((-1, -1), (1, -1), (1, 1), (-1, 1))


def draw_text(
    puzzle: InterlockingData, placements: Sequence[Placement], marked: Collection[Placement] = ()
) -> str:
    """The board drawn with characters, or as a list if it is not made of squares."""
    squares = square_layout(puzzle.surface)
    if squares is None:
        lines = []
        for placement in placements:
            star = " *" if placement in marked else ""
            lines.append(_describe_placement(puzzle, placement) + star)
        return "\n".join([*lines, *_frame_note(puzzle)])

    page = CharacterPlane()
    shades = _choose_shades(puzzle, placements)
    for placement in placements:
        column, row, rotation = squares[placement.cell]
        x = column * (2 * puzzle.size + 2)
        y = row * (puzzle.size + 1)
        rim = Orientation(rotation).apply(_rim(puzzle, placement), 4)
        _write_piece(page, x, y, puzzle.size, rim, shades[placement])
        label = f"{_piece_name(placement)} {ARROWS[(placement.turn + rotation) % 4]}"
        if placement in marked:
            label = f"*{label}"
        left = x + puzzle.size - len(label) // 2 - 1
        page.write(left, y + (puzzle.size - 1) // 2, f" {label} ")
    legend = (
        "the arrow points to the printed top of the piece; ' means that it is turned over, "
        "left for right"
    )
    return page.painted().above(legend, *_frame_note(puzzle))


def _choose_shades(
    puzzle: InterlockingData, placements: Sequence[Placement]
) -> dict[Placement, str]:
    """A colour for each piece that is placed, lighter if it is turned over. They differ as long as
    there are colours."""
    shades = {}
    for placement in placements:
        colour = puzzle.painted[placement.piece].fill
        shades[placement] = fade_colour(colour) if placement.flipped else colour
    return shades


def _describe_placement(puzzle: InterlockingData, placement: Placement) -> str:
    sides = puzzle.surface.sides(placement.cell)
    return (
        f"{_face_name(placement.cell)}: {_piece_name(placement)}, turned {placement.turn} of "
        f"{sides} clockwise"
    )


def _write_piece(
    page: CharacterPlane, x: int, y: int, size: int, rim: Sequence[bool], shade: str
) -> None:
    """A square piece, with two characters for each small square; the rim is that of its face."""
    last = size - 1
    for line in range(size):
        inside = 0 < line < last
        text = "  " + "▒▒" * (last - 1) + "  " if inside else "  " * size
        page.write(x, y + line, text, colour=shade)

    # the small squares on the border, clockwise from the top left
    border = [(0, column) for column in range(last)]
    border += [(line, last) for line in range(last)]
    border += [(last - line, last - column) for line, column in border]
    for (line, column), tooth in zip(border, rim, strict=True):
        if tooth:
            page.write(x + 2 * column, y + line, "██", colour=shade)
        else:
            page.write(x + 2 * column, y + line, "  ")


def _frame_note(puzzle: InterlockingData) -> Iterator[str]:
    """The frame as it is drawn in the file."""
    if puzzle.frame is not None:
        yield "the frame:"
        yield from (printable(line) for line in puzzle.frame.strip("\n").splitlines())


def draw_svg(
    puzzle: InterlockingData, placements: Sequence[Placement], marked: Collection[Placement] = ()
) -> str:
    """The board as an SVG document; a face without a placement is drawn empty."""
    picture = Picture(SCALE, underlined=ambiguous(puzzle.pieces))
    shades = _choose_shades(puzzle, placements)

    def draw(placement: Placement, polygon: Sequence[Point]) -> None:
        _draw_piece(puzzle, picture, placement, polygon, shades[placement])

    filled = _find_filled_spots(puzzle, shades)

    def draw_ends(cell: Cell, corners: Sequence[Point]) -> None:
        ends = [filled.get(Spot(cell, i)) for i in range(len(corners) * (puzzle.size - 1))]
        for shade in dict.fromkeys(filter(None, ends)):
            outline = piece_outline(puzzle.size, corners, [end == shade for end in ends])
            picture.polygon(outline, shade, line="#222")

    draw_frame(picture, puzzle)
    draw_placements(picture, puzzle.surface, placements, marked, draw, draw_ends)
    if not puzzle.surface.flat:
        picture.note(NET_NOTE)
    note = "the arrow points to the printed top of the piece"
    if puzzle.turning_over:
        note += "; pieces that are turned over are light and mirrored"
    picture.note(note)
    return str(picture)


def _draw_piece(
    puzzle: InterlockingData,
    picture: Picture,
    placement: Placement,
    polygon: Sequence[Point],
    shade: str,
) -> None:
    """Draw a piece on a face, with its name, its printed top and the name of the face."""
    name, flipped = placement.piece, placement.flipped
    n = len(polygon)
    centre = middle(polygon)
    depth = math.dist(centre, middle(polygon[:2]))  # of the face, from a side to its middle
    corners = [between(centre, corner, 0.97) for corner in polygon]
    outline = piece_outline(puzzle.size, corners, _rim(puzzle, placement))
    turned = heading(polygon[0], polygon[1]) + 360 / n * placement.turn
    words = ink(shade)
    picture.polygon(outline, shade, line="#222")

    # Words keep within the middle, where no gap of a tooth is.
    tooth = math.dist(*polygon[:2]) / puzzle.size
    room = min(1.0, 1.5 * max(MIN_MIDDLE, 1 - tooth / depth))
    distance = 0.5 * room * depth
    up = cmath.rect(distance, math.radians(turned - 90))  # to the printed top

    x, y = centre
    image = image_of(puzzle.pictures, name)
    if image:
        # turning a piece over exchanges the two ends of its first side
        steps = [1 - i if flipped else i for i in range(n)]
        places = [corners[(placement.turn + step) % n] for step in steps]
        opacity = TURNED_OPACITY if flipped else 1.0
        draw_image(picture, puzzle, name, image, places, opacity=opacity)
        picture.polygon(outline, "none", width=0.012)
        picture.badge(centre, 0.3 * depth, name, turn=turned)
    else:
        size = min(0.6, 1.1 / max(len(name), 1)) * room * depth
        picture.text(centre, name, size, turn=turned, mirrored=flipped, bold=True, fill=words)
        picture.text((x + up.real, y + up.imag), "▲", 0.32 * room * depth, turn=turned, fill=words)

    # The name of the face is below the middle, unless the arrow is there.
    face = _face_name(placement.cell)
    size = min(0.24, 1.4 / max(len(face), 1)) * depth
    y += distance if up.imag < 0.8 * distance else -distance
    if image:
        half_width = 0.34 * len(face) * size
        half_height = 0.6 * size
        picture.polygon([(x + a * half_width, y + b * half_height) for a, b in PLATE], "white")
        words = ink("#ffffff")
    picture.text((x, y), face, size, fill=words)


def _find_filled_spots(
    puzzle: InterlockingData, shades: Mapping[Placement, str]
) -> dict[Spot, str]:
    """The spots of all faces at places that a tooth fills, of whichever face, with its colour."""
    teeth = {}
    for placement, shade in shades.items():
        for i, tooth in enumerate(_rim(puzzle, placement)):
            if tooth:
                teeth[Spot(placement.cell, i)] = shade

    board = puzzle.surface
    between_corners = puzzle.size - 2
    filled: dict[Spot, str] = {}
    for place in [*board.edge_places(between_corners), *board.vertex_places(between_corners)]:
        for spot in place:
            if spot in teeth:
                filled.update(dict.fromkeys(place, teeth[spot]))
    return filled


def draw_image(
    picture: Picture,
    puzzle: InterlockingData,
    name: str,
    image: Image,
    corners: Sequence[Point],
    *,
    opacity: float = 1.0,
) -> None:
    """Cover a piece with its own picture; `corners` are where those of the piece as drawn in the
    file lie."""
    home = regular(len(corners))
    outline = piece_outline(puzzle.size, home, puzzle.pieces[name].rim)
    with picture.mapped(home, corners):
        picture.cover(image, [outline], opacity=opacity)


def draw_frame(picture: Picture, puzzle: InterlockingData) -> None:
    """Draw the frame around an open board: a bar outside each side on the rim, with its teeth
    towards the board."""
    if not puzzle.framed:
        return
    meeting = {}  # the number of faces at each corner of a face
    for vertex in puzzle.surface.vertices:
        for corner in vertex:
            meeting[corner] = len(vertex)
    for edge in puzzle.surface.edges:
        if len(edge) == 1:
            _draw_bar(picture, puzzle, edge[0].cell, edge[0].side, meeting)


def _draw_bar(
    picture: Picture,
    puzzle: InterlockingData,
    cell: Cell,
    side: int,
    meeting: Mapping[tuple[Cell, int], int],
) -> None:
    """Draw the part of the frame outside a side on the rim. Lengths are in small squares."""
    size = puzzle.size
    corners = puzzle.surface.polygons[cell]
    n = len(corners)
    start, end = corners[side], corners[(side + 1) % n]

    # half of the angle outside the board at both corners, at which two bars meet
    halves = []
    for corner in (side, (side + 1) % n):
        halves.append(math.pi - meeting[cell, corner] * math.pi * (0.5 - 1 / n))
    strips = [
        [
            (away, away / math.tan(halves[0]), size - away / math.tan(halves[1]))
            for away in (1.1, 1.7)
        ]
    ]
    for i in range(size):
        spot = Spot(cell, (side * (size - 1) + i) % (n * (size - 1)))
        if puzzle.framed.get(spot):
            strips.append([(away, i + 0.04, i + 0.96) for away in (0.1, 1.1)])

    for (low, low_start, low_end), (high, high_start, high_end) in strips:
        ends = ((low_start, low), (low_end, low), (high_end, high), (high_start, high))
        ring = [_outside(corners, start, end, along / size, away / size) for along, away in ends]
        picture.polygon(ring, "#8a8f98", line="#8a8f98")


def _outside(
    corners: Sequence[Point], start: Point, end: Point, along: float, away: float
) -> Point:
    """The point at this fraction of the way along a side, and this fraction of its length outside
    the face."""
    out = minus(middle([start, end]), middle(corners))
    by = away * math.dist(start, end) / math.hypot(*out)
    return tuple(x + by * a for x, a in zip(between(start, end, along), out, strict=True))


def build_solid(puzzle: InterlockingData, placements: Sequence[Placement]) -> Solid | None:
    """The pieces on the faces of a solid, with their teeth."""
    names = {placement.cell: placement.piece for placement in placements}
    rims = {placement.cell: _rim(puzzle, placement) for placement in placements}
    return fold_board(puzzle.surface, SCALE, names, rims)


def piece_outline(size: int, corners: Sequence[Point], rim: Sequence[bool]) -> list[Point]:
    """The points around a piece of `size` small squares along a side, clockwise."""
    n = len(corners)
    step = 1 / size
    centre = middle(corners)
    depth = math.dist(centre, middle(corners[:2])) / math.dist(*corners[:2])  # in sides
    # inside the teeth
    inner = [between(centre, corner, max(0.35, 1 - step / depth)) for corner in corners]
    points: list[Point] = []
    for side in range(n):
        start, end = corners[side], corners[(side + 1) % n]
        inner_start, inner_end = inner[side], inner[(side + 1) % n]
        corner, *teeth = rim[side * (size - 1) : (side + 1) * (size - 1)]
        if corner:
            points += [between(start, corners[side - 1], step), start, between(start, end, step)]
        else:
            points.append(inner_start)
        for i, tooth in enumerate(teeth, 1):
            for j in (i, i + 1):  # both ends of the small square
                if tooth:
                    points.append(between(start, end, j * step))
                else:
                    points.append(between(inner_start, inner_end, (j - 1) / (size - 2)))
    return points


def _rim(puzzle: InterlockingData, placement: Placement) -> tuple[bool, ...]:
    """The teeth and gaps of a piece, clockwise from the first corner of the face on which it
    lies."""
    cell, name, turn, flipped = placement
    return Orientation(turn, flipped).apply(puzzle.pieces[name].rim, puzzle.surface.sides(cell))


def _face_name(cell: Cell) -> str:
    return printable(name_place(cell))


def _piece_name(placement: Placement) -> str:
    return printable(placement.piece) + ("'" if placement.flipped else "")
