"""Own pictures on the pieces of a tiling: the picture is turned and turned over with its piece."""

from collections.abc import Iterator, Sequence
from math import isclose

from jigsat.encodings.tiling.data import Placement, TilingData
from jigsat.encodings.tiling.polygons import drawn_board, drawn_piece

from jigsat.boards import Point, middle
from jigsat.pictures import TURNED_OPACITY, Picture, between, image_of

Outline = Sequence[Point]
Way = tuple[complex, bool]
"""A motion up to a translation: a point z is multiplied by this number, after it is mirrored (top to bottom) if True."""


def cover_piece(picture: Picture, puzzle: TilingData, name: str) -> bool:
    """Cover a piece that is drawn as in the file with its own picture; returns whether it has one."""
    if image := image_of(puzzle.pictures, name):
        cells = _draw_piece(puzzle, name)
        picture.cover(image, cells, within=map(_enlarge_cell, cells))
    return image is not None


def cover_placement(picture: Picture, puzzle: TilingData, placement: Placement) -> bool:
    """The same for a piece on the board. Where the board wraps around, the picture continues on the opposite side."""
    if (image := image_of(puzzle.pictures, placement.piece)) is None:
        return False
    board = drawn_board(puzzle)
    home, there = _draw_piece(puzzle, placement.piece), [board.polygons[cell] for cell in placement.cells]
    turn, flipped = next(_ways(puzzle, home, there))
    parts: dict[complex, list[Outline]] = {}
    for a, b in zip(home, there, strict=True):
        shift = _complex(middle(b)) - _move_point(middle(a), turn, flipped)
        parts.setdefault(complex(round(shift.real, 3), round(shift.imag, 3)), []).append(_enlarge_cell(a))
    for shift, cells in parts.items():
        ends = (_move_point(corner, turn, flipped) + shift for corner in home[0][:3])
        with picture.mapped(home[0], [(z.real, z.imag) for z in ends]):
            picture.cover(image, home, within=cells, opacity=TURNED_OPACITY if flipped else 1.0)
    return True


def _draw_piece(puzzle: TilingData, name: str) -> list[Outline]:
    """The cells of a piece as drawn in the file."""
    return [drawn_piece(puzzle, name).polygons[cell] for cell in puzzle.drawn[name]]


def _enlarge_cell(cell: Outline) -> Outline:
    """Slightly larger, so that no gap shows between two cells."""
    return [between(middle(cell), corner, 1.02) for corner in cell]


def _ways(puzzle: TilingData, home: Sequence[Outline], there: Sequence[Outline]) -> Iterator[Way]:
    """The allowed motions that move each cell of a piece to its cell of the board; those without turning over come first."""
    wrap = (puzzle.surface and puzzle.surface.wrap) or (0, 0)
    for flipped in (False, True) if puzzle.turning_over else (False,):
        side = _move_point(home[0][1], 1, flipped) - _move_point(home[0][0], 1, flipped)
        for i, start in enumerate(there[0]):
            turn = (_complex(there[0][i - 1 if flipped else (i + 1) % len(there[0])]) - _complex(start)) / side
            if not puzzle.turning and not isclose(turn.real, -1 if flipped else 1):
                continue
            shifts = [_complex(middle(b)) - _move_point(middle(a), turn, flipped) for a, b in zip(home, there, strict=True)]
            if all(_is_multiple(shift - shifts[0], wrap) for shift in shifts):
                yield turn, flipped


def _is_multiple(shift: complex, wrap: Sequence[float]) -> bool:
    """Whether a translation maps a board that wraps around onto itself."""
    steps = ((x / length if length else x) for x, length in zip((shift.real, shift.imag), wrap, strict=True))
    limits = zip(steps, wrap, strict=True)
    return all(isclose(step, round(step) if length else 0, abs_tol=1e-6) for step, length in limits)


def _move_point(point: Point, turn: complex, flipped: bool) -> complex:
    return turn * (_complex(point).conjugate() if flipped else _complex(point))


def _complex(point: Point) -> complex:
    x, y = point
    return complex(x, y)
