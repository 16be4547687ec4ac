"""Pictures of interlocking pieces: the faces of the board with their teeth."""

import cmath
import math
from collections.abc import Collection, Iterator, Sequence

from jigsat.encodings.interlocking.data import InterlockingData, Placement

from jigsat.boards import Cell, Orientation, Point, Spot, middle, minus
from jigsat.errors import printable
from jigsat.pictures import (
    ARROWS,
    TURNED_OPACITY,
    CharacterPlane,
    Image,
    Picture,
    Solid,
    ambiguous,
    between,
    draw_placements,
    fold_board,
    heading,
    image_of,
    regular,
    square_layout,
)

SCALE = 150  # pixels per unit of the board
SHADES = "#4f8fd8", "#8fb8e8"  # the colours of a piece, and of a piece that is turned over
# the corners of what is below the name of a face on a picture
PLATE = (
    (-1, -1),
    (1, -1),
    (1, 1),
    (-1, 1),
)
END = "#3a6ea8"  # colour of the end of a tooth


def draw_text(
    puzzle: InterlockingData, placements: Sequence[Placement], marked: Collection[Placement] = ()
) -> str:
    """The board drawn with characters, or as a list if it is not made of squares."""
    squares, page = square_layout(puzzle.surface), CharacterPlane()
    if squares is None:
        sides = puzzle.surface.sides
        lines = [
            f"{_face_name(p.cell)}: {_piece_name(p)}, turned {p.turn} of {sides(p.cell)} "
            f"clockwise{' *' * (p in marked)}"
            for p in placements
        ]
        return "\n".join([*lines, *_frame_note(puzzle)])
    last = puzzle.size - 1
    around = [*((0, c) for c in range(last)), *((r, last) for r in range(last))]
    around += [(last - r, last - c) for r, c in around]
    for placement in placements:
        column, row, lies = squares[placement.cell]
        x, y = column * (2 * puzzle.size + 2), row * (puzzle.size + 1)
        shade = SHADES[placement.flipped]
        rim = Orientation(lies).apply(_rim(puzzle, placement), 4)
        for r in range(puzzle.size):
            page.write(
                x,
                y + r,
                ("  " + "▒▒" * (last - 1) + "  ") if 0 < r < last else "  " * puzzle.size,
                colour=shade,
            )
        for (r, c), tooth in zip(around, rim, strict=True):
            page.write(x + 2 * c, y + r, "██" if tooth else "  ", colour=shade if tooth else "")
        label = (
            f"{'*' * (placement in marked)}{_piece_name(placement)} "
            f"{ARROWS[(placement.turn + lies) % 4]}"
        )
        page.write(x + puzzle.size - len(label) // 2 - 1, y + last // 2, f" {label} ")
    legend = (
        "the arrow points to the printed top of the piece; ' means that it is turned over, "
        "left for right"
    )
    return page.painted().above(legend, *_frame_note(puzzle))


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

    def draw(placement: Placement, polygon: Sequence[Point]) -> None:
        centre, n, depth = (
            middle(polygon),
            len(polygon),
            math.dist(middle(polygon), middle(polygon[:2])),
        )
        corners = [between(centre, corner, 0.97) for corner in polygon]
        shade, outline = (
            SHADES[placement.flipped],
            piece_outline(puzzle.size, corners, _rim(puzzle, placement)),
        )
        turned, (x, y) = heading(polygon[0], polygon[1]) + 360 / n * placement.turn, centre
        up = cmath.rect(0.48 * depth, math.radians(turned - 90))
        picture.polygon(outline, shade, line=shade)
        if image := image_of(puzzle.pictures, placement.piece):
            # turning a piece over exchanges the two ends of its first side
            at = [
                corners[(placement.turn + (1 - i if placement.flipped else i)) % n]
                for i in range(n)
            ]
            draw_image(
                picture,
                puzzle,
                placement.piece,
                image,
                at,
                opacity=TURNED_OPACITY if placement.flipped else 1.0,
            )
            picture.polygon(outline, "none", width=0.012)
            picture.badge(centre, 0.3 * depth, placement.piece, turn=turned)
        else:
            size = min(0.6 * depth, 1.1 * depth / max(len(placement.piece), 1))
            picture.text(
                (x, y), placement.piece, size, turn=turned, mirrored=placement.flipped, bold=True
            )
            picture.text((x + up.real, y + up.imag), "▲", 0.2 * depth, turn=turned)
        name = _face_name(placement.cell)
        size, below = (
            min(0.22, 1.3 / max(len(name), 1)) * depth,
            (0.5 if up.imag < 0.4 * depth else -0.5) * depth,
        )
        if image:
            wide, high = 0.34 * len(name) * size, 0.6 * size
            picture.polygon(((x + a * wide, y + below + b * high) for a, b in PLATE), "white")
        picture.text((x, y + below), name, size)

    filled = _find_filled_spots(puzzle, placements)

    def draw_ends(cell: Cell, corners: Sequence[Point]) -> None:
        rim = [Spot(cell, i) in filled for i in range(len(corners) * (puzzle.size - 1))]
        picture.polygon(piece_outline(puzzle.size, corners, rim), END, line=END)

    draw_frame(picture, puzzle)
    draw_placements(picture, puzzle.surface, placements, marked, draw, draw_ends)
    over = "; light and mirrored: turned over" if puzzle.turning_over else ""
    outside = (
        ""
        if puzzle.surface.flat
        else "seen from outside, right: from above and below; red numbers: sides that meet; "
    )
    picture.note(f"{outside}the arrow: the piece's printed top{over}")
    return str(picture)


def _find_filled_spots(puzzle: InterlockingData, placements: Sequence[Placement]) -> set[Spot]:
    """The spots of all faces at places that a tooth fills, of whichever face."""
    board, between_corners = puzzle.surface, puzzle.size - 2
    teeth = {
        Spot(its.cell, i)
        for its in placements
        for i, tooth in enumerate(_rim(puzzle, its))
        if tooth
    }
    places = [*board.edge_places(between_corners), *board.vertex_places(between_corners)]
    return {spot for place in places if teeth & {*place} for spot in place}


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
    board, size = puzzle.surface, puzzle.size
    meeting = {at: len(vertex) for vertex in board.vertices for at in vertex}
    for edge in board.edges if puzzle.framed else ():
        (cell, side, _), *others = edge
        if others:
            continue
        corners = board.polygons[cell]
        n, start, end = len(corners), corners[side], corners[(side + 1) % len(corners)]
        rim = 2 * [puzzle.framed.get(Spot(cell, i)) for i in range(n * (size - 1))]
        # half of the angle outside the board at both corners, at which two bars meet
        halves = [math.pi - meeting[cell, (side + i) % n] * math.pi * (0.5 - 1 / n) for i in (0, 1)]
        bar = [
            (high, high / math.tan(halves[0]), size - high / math.tan(halves[1]))
            for high in (1.1, 1.7)
        ]
        teeth = [j for j in range(size) if rim[side * (size - 1) + j]]
        for strip in (
            bar,
            *([(0.1, j + 0.04, j + 0.96), (1.1, j + 0.04, j + 0.96)] for j in teeth),
        ):
            (low, a, b), (high, c, d) = strip
            ends = ((a, low), (b, low), (d, high), (c, high))
            ring = [
                _outside(corners, start, end, along / size, away / size) for along, away in ends
            ]
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
    rims = {placement.cell: _rim(puzzle, placement) for placement in placements}
    return fold_board(
        puzzle.surface, SCALE, {placement.cell: placement.piece for placement in placements}, rims
    )


def piece_outline(size: int, corners: Sequence[Point], rim: Sequence[bool]) -> list[Point]:
    """The points around a piece of `size` small squares along a side, clockwise."""
    n, step, centre, points = len(corners), 1 / size, middle(corners), list[Point]()
    depth = math.dist(centre, middle(corners[:2])) / math.dist(*corners[:2])  # in sides
    # inside the teeth
    inner = [between(centre, corner, max(0.35, 1 - step / depth)) for corner in corners]
    for side in range(n):
        (start, end), (inside, its_end) = (
            [ring[side], ring[(side + 1) % n]] for ring in (corners, inner)
        )
        teeth = rim[side * (size - 1) : (side + 1) * (size - 1)]
        before, after = between(start, corners[side - 1], step), between(start, end, step)
        points += [before, start, after] if teeth[0] else [inside]
        for j, tooth in enumerate(teeth[1:], 1):
            points += (
                between(start, end, (j + i) * step)
                if tooth
                else between(inside, its_end, (j - 1 + i) / (size - 2))
                for i in (0, 1)
            )
    return points


def _rim(puzzle: InterlockingData, placement: Placement) -> tuple[bool, ...]:
    """The teeth and gaps of a piece, clockwise from the first corner of the face on which it
    lies."""
    cell, name, turn, flipped = placement
    return Orientation(turn, flipped).apply(puzzle.pieces[name].rim, puzzle.surface.sides(cell))


def _face_name(cell: Cell) -> str:
    return printable(" ".join(map(str, cell)) if isinstance(cell, tuple) else str(cell))


def _piece_name(placement: Placement) -> str:
    return printable(placement.piece) + ("'" if placement.flipped else "")
