"""Interlocking pieces on paper: the rules in sentences, the board in outline, and the pieces to cut
out."""

from collections.abc import Iterator

from jigsat.encodings.interlocking.data import InterlockingData
from jigsat.encodings.interlocking.picture import draw_frame, draw_image, piece_outline

from jigsat.pictures import (
    NAME,
    Part,
    Picture,
    ambiguous,
    explain_joins,
    fade_colour,
    image_of,
    on_board,
    regular,
)
from jigsat.pieces.groups import group_rules

# millimetres on paper: about the side of a piece, and the maximum width of a solid's picture
SIDE, SOLID = 48.0, 100.0


def write_rules(puzzle: InterlockingData) -> Iterator[str]:
    """The rules in sentences."""
    board = puzzle.surface
    faces = len(puzzle.surface.cells)
    yield "Place one piece on each face of the board, so that their teeth interlock."
    if puzzle.holes == "allowed":
        yield (
            "Along an edge, a tooth of one piece lies in a gap of its neighbour; a gap may "
            "stay empty."
        )
    else:
        yield (
            "Along an edge, a tooth of one piece fills a gap of its neighbour; no gap stays empty."
        )
    yield "At each corner, exactly one of the pieces that meet there has a tooth."
    if any(len(edge) == 1 for edge in board.edges):
        if puzzle.frame is None:
            yield "On the rim of the board a place or a corner may stay empty."
        else:
            yield (
                "On the rim of the board, the frame fills a place wherever it has a tooth; no "
                "piece has a tooth there."
            )
    if not board.flat:
        yield "Glue the printed pieces on foam or card that is as thick as a tooth is wide."
        yield f"A tooth is {_tooth(puzzle)} mm wide at 100 %."
    if puzzle.turning_over:
        yield "Pieces may be turned, and turned over."
    else:
        yield "Pieces may be turned, but not turned over: the printed side shows."
    spare = puzzle.left_over.total()
    if spare:
        yield (
            f"There are {puzzle.supply.total()} pieces for {faces} faces, so {spare} of them "
            f"are left over."
        )
    yield from group_rules(puzzle.groups)
    yield from explain_joins(board)


def _tooth(puzzle: InterlockingData) -> int:
    """The width of a tooth in millimetres, a whole number as the thickness of foam is."""
    return round(SIDE / puzzle.size)


def draw_parts(puzzle: InterlockingData) -> list[Part]:
    """The board, and every piece that may be needed, with its name upright on the printed side."""
    parts = [_draw_empty_board(puzzle)]
    for name, piece in puzzle.pieces.items():
        copies = min(piece.count, len(puzzle.surface.cells))
        parts += [_draw_piece(puzzle, name)] * copies
    return parts


def _draw_piece(puzzle: InterlockingData, name: str) -> Part:
    piece = puzzle.pieces[name]
    picture = Picture(scale=300, margin=0.02, underlined=ambiguous(puzzle.pieces))
    corners = regular(len(piece.shape))
    outline = piece_outline(puzzle.size, corners, piece.rim)
    picture.reach(*corners)  # so that all pieces are equally large
    picture.polygon(outline, fade_colour(puzzle.painted[name].fill), width=0)
    image = image_of(puzzle.pictures, name)
    if image:
        draw_image(picture, puzzle, name, image, corners)
        picture.badge((0, 0), 0.14, name)
    else:
        picture.text((0, 0), name, min(0.25, 0.5 / max(len(name), 1)), bold=True, kind=NAME)
    picture.cut(outline, _side(puzzle))
    return Part(str(picture), _measure_width(puzzle, picture), kind="piece", name=name)


def _side(puzzle: InterlockingData) -> int:
    """The side of a piece in millimetres, a whole number of teeth."""
    return _tooth(puzzle) * puzzle.size


def _measure_width(puzzle: InterlockingData, picture: Picture) -> float:
    """The width in millimetres at which a side has its true length."""
    _, _, width, _ = picture.size()
    return _side(puzzle) * width / picture.scale


def _draw_empty_board(puzzle: InterlockingData) -> Part:
    """The board in outline: a flat frame at the scale of its pieces, a solid no wider than
    `SOLID`."""
    picture = Picture(scale=150, margin=0.02)
    draw_frame(picture, puzzle)
    on_board(
        picture,
        puzzle.surface,
        lambda cell, corners: picture.polygon(corners, "white", line="#666"),
    )
    width = _measure_width(puzzle, picture)
    if puzzle.surface.flat:
        return Part(str(picture), width, kind="board")
    return Part(str(picture), min(width, SOLID))
