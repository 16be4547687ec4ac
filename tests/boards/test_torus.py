"""Tori, especially small ones, compared with arithmetic on rows and columns."""

from collections import Counter
from itertools import product

import pytest

from jigsat.boards.board import Board
from jigsat.boards.catalogue import board_named

SIZES = [
    (1, 1),
    (1, 2),
    (1, 3),
    (1, 4),
    (2, 2),
    (2, 3),
    (2, 4),
    (3, 3),
    (3, 4),
    (4, 2),
    (4, 4),
    (3, 5),
]
Map = dict[tuple[int, int], tuple[int, int]]


def torus(rows: int, columns: int) -> Board:
    return board_named(f"torus {rows}x{columns}")


@pytest.mark.parametrize(("rows", "columns"), SIZES)
def test_sides_meet_according_to_row_and_column(rows: int, columns: int) -> None:
    board = torus(rows, columns)
    assert len(board.edges) == 2 * rows * columns
    assert len(board.vertices) == rows * columns
    across = {}
    for edge in board.edges:
        one, other = edge
        assert one.forward != other.forward
        across[one.cell, one.side], across[other.cell, other.side] = other[:2], one[:2]
    steps = [(-1, 0), (0, 1), (1, 0), (0, -1)]
    for (r, c), side in product(board.cells, range(4)):
        there = ((r + steps[side][0]) % rows, (c + steps[side][1]) % columns)
        assert across[(r, c), side] == (there, (side + 2) % 4)


@pytest.mark.parametrize(("rows", "columns"), SIZES)
def test_graph_joins_cells_once_for_every_edge(rows: int, columns: int) -> None:
    graph = torus(rows, columns).graph
    expected = Counter(
        frozenset({(r, c), ((r + dr) % rows, (c + dc) % columns)})
        for r, c, (dr, dc) in product(range(rows), range(columns), [(0, 1), (1, 0)])
    )
    assert Counter(frozenset(edge) for edge in graph.edges()) == expected


def shifts_turns_and_mirrors(rows: int, columns: int) -> set[tuple[tuple[int, int], ...]]:
    cells = list(product(range(rows), range(columns)))
    found = set()
    for r0, c0, down, right, swap in product(
        range(rows), range(columns), (1, -1), (1, -1), (False, True)
    ):
        if not swap or rows == columns:
            images = (((r0 + down * r) % rows, (c0 + right * c) % columns) for r, c in cells)
            found.add(tuple((c, r) if swap else (r, c) for r, c in images))
    return found


@pytest.mark.parametrize(("rows", "columns"), SIZES)
def test_symmetries_are_shifts_turns_and_mirror_images(rows: int, columns: int) -> None:
    board = torus(rows, columns)
    symmetries = board.symmetries()
    n = rows * columns
    assert len(symmetries) == (8 if rows == columns else 4) * n
    assert sum(symmetry.mirrored for symmetry in symmetries) == len(symmetries) // 2
    found = {tuple(symmetry.images[cell][0] for cell in board.cells) for symmetry in symmetries}
    assert found == shifts_turns_and_mirrors(rows, columns)


def test_the_size_of_a_torus_has_two_numbers() -> None:
    for wrong in ("torus", "torus 3", "torus 0x3", "torus 3x3x3", "donut 3x3"):
        with pytest.raises(ValueError, match="unknown board"):
            board_named(wrong)
