"""Families on hexagons, triangles and polycubes, compared with their twins on random instances, and
rims by brute force."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import permutations, product
from typing import Any

import pytest
from hypothesis import event, given, settings
from hypothesis import strategies as st
from support.agreement import assert_agreement, parsed
from support.cutting import mostly, pieces, rarely, switch, tiles
from support.quick import cases
from support.tables import Table, hexagons, polycube, triangles
from support.twins import edge_matching, faced_look, interlocking, piece_look

import jigsat
from jigsat.boards.catalogue import board_named

OPTIONS: dict[str, Any] = {"derandomize": True, "deadline": None}
TRIANGLE = {(0, 1): True, (1, 0): True, (1, 1): False, (1, 2): True}
RING = {(0, 0): True, (0, 1): False, (0, 2): True, (1, 0): False, (1, 1): True, (1, 2): False}
FLAT: dict[str, Table] = {
    "hexagon 2": hexagons([(0, 1), (0, 3), (1, 0), (1, 2), (1, 4), (2, 1), (2, 3)]),
    "hexagons\n# #\n # #": hexagons([(0, 0), (0, 2), (1, 1), (1, 3)]),
    "hexagons\n# . #": hexagons([(0, 0), (0, 4)]),
    "triangle 2": triangles(TRIANGLE),
    "triangles\n^v^\nv^v": triangles(RING),
}
SOLID = {
    "polycube\n#": frozenset({(0, 0, 0)}),
    "polycube\n##": frozenset({(0, 0, 0), (0, 0, 1)}),
    "polycube\n#.\n.#": frozenset({(0, 0, 0), (0, 1, 1)}),
    "polycube\n#.\n..\n\n..\n.#": frozenset({(0, 0, 0), (1, 1, 1)}),
}


def compare(board: str, table: Table, rng: random.Random, colours: int, **options: bool) -> None:
    data = tiles(rng, board, table, colours, **options)
    twin = replace(edge_matching(data, table), patience=8000)
    found = assert_agreement(
        parsed(data), twin, lambda lies: faced_look(data["tiles"][lies.tile], lies.turn)
    )
    event(f"{board.split()[0]}: {'none' if not found else 'one' if len(found) == 1 else 'some'}")


@settings(max_examples=cases(40), **OPTIONS)
@given(
    seed=st.integers(0, 2**32),
    board=st.sampled_from([*FLAT]),
    paired=switch,
    framed=switch,
    hinted=rarely,
    left_over=rarely,
    turning=mostly,
)
def test_tiles_in_the_plane(seed: int, board: str, **options: bool) -> None:
    rng = random.Random(seed)
    compare(board, FLAT[board], rng, rng.randint(2, 4), reusable=False, **options)


@settings(max_examples=cases(12), **OPTIONS)
@given(seed=st.integers(0, 2**32), board=st.sampled_from([*SOLID]), paired=switch, hinted=rarely)
def test_tiles_on_polycubes(seed: int, board: str, **options: bool) -> None:
    rng = random.Random(seed)
    # solids with many faces need many colours to have few solutions
    colours = (
        rng.randint(2, 4)
        if board == "polycube\n#"
        else rng.randint(8, 12) // (1 + options["paired"]) + 2
    )
    table = polycube(SOLID[board])
    compare(
        board,
        table,
        rng,
        colours,
        framed=False,
        left_over=False,
        turning=True,
        reusable=False,
        **options,
    )


@settings(max_examples=cases(8), **OPTIONS)
@given(seed=st.integers(0, 2**32), board=st.sampled_from([*SOLID]), spoilt=rarely, alike=rarely)
def test_pieces_on_polycubes(seed: int, board: str, **options: bool) -> None:
    rng, size = random.Random(seed), 5
    table = polycube(SOLID[board], size)
    data = pieces(
        rng, size, table, board, turning_over=True, holes=False, left_over=False, **options
    )
    rows = {name: drawing.split() for name, drawing in data["pieces"].items()}
    twin = replace(interlocking(data, SOLID[board]), most=100, patience=4000)
    found = assert_agreement(
        parsed(data), twin, lambda p: piece_look(rows[p.piece], p.turn, p.flipped)
    )
    event(f"{board}: {'none' if not found else 'some'}")


def ways(sides: Sequence[str]) -> Iterator[tuple[str, ...]]:
    """A piece's sides, each with both its corners, in every allowed orientation."""
    corners = [*sides[1:], sides[0]]
    whole = [side + after[0] for side, after in zip(sides, corners, strict=True)]
    over = [side[::-1] for side in [whole[0], *whole[:0:-1]]]
    for shown in (whole, over):
        for turn in range(len(sides)):
            yield tuple(shown[(i - turn) % len(sides)] for i in range(len(sides)))


# Boards with a rim: the pairs of sides that meet, and the corners that meet, inside and on the rim,
# as (cell, number).
OPEN: dict[str, tuple[int, list[Any], list[Any], list[Any]]] = {
    "hexagons\n# #\n # ": (6, [((0, 1), (1, 4)), ((0, 2), (2, 5)), ((1, 3), (2, 0))], [((0, 2), (1,
    4), (2, 0))],
                           [((0, 1), (1, 5)), ((0, 3), (2, 5)), ((1, 3), (2, 1))]),
    "square 1x3": (4, [((0, 1), (1, 3)), ((1, 1), (2, 3))], [],
                   [((0, 1), (1, 0)), ((0, 2), (1, 3)), ((1, 1), (2, 0)), ((1, 2), (2, 3))]),
    "triangles\n^v^": (3, [((0, 0), (1, 2)), ((1, 1), (2, 2))], [],
                       [((0, 0), (1, 0)), ((0, 1), (1, 2), (2, 2)), ((1, 1), (2, 0))]),
}  # fmt: skip


@pytest.mark.parametrize("board", OPEN)
@pytest.mark.parametrize("seed", range(6))
def test_on_a_rim_places_may_be_filled_or_not(board: str, seed: int) -> None:
    count, seams, inside, on_the_rim = OPEN[board]
    rng = random.Random(seed)
    size = rng.choice([3, 4])
    sides = [
        ["".join(rng.choice("#..") for _ in range(size - 1)) for _ in range(count)]
        for _ in range(3)
    ]
    if rng.random() < 0.3:
        sides[1] = sides[0]
    data = {
        "family": "interlocking",
        "board": board,
        "pieces": {
            f"P{i}": "\n".join(_rows(piece)) if count == 4 else " ".join(piece)
            for i, piece in enumerate(sides)
        },
    }

    def lawful(shown: Sequence[tuple[str, ...]]) -> bool:
        for (a, i), (b, j) in seams:
            if any(
                (x == "#") == (y == "#")
                for x, y in zip(shown[a][i][1:-1], shown[b][j][-2:0:-1], strict=True)
            ):
                return False
        teeth = [
            [shown[cell][corner][0] for cell, corner in corners].count("#")
            for corners in (*inside, *on_the_rim)
        ]
        return all(n == 1 for n in teeth[: len(inside)]) and all(
            n <= 1 for n in teeth[len(inside) :]
        )

    expected = {
        shown
        for order in permutations(sides)
        for shown in product(*({*ways(piece)} for piece in order))
        if lawful(shown)
    }
    puzzle = parsed(data)
    cells = puzzle.surface.cells  # type: ignore[attr-defined]
    found = set()
    for solution in jigsat.solutions(puzzle, up_to="nothing"):
        at = {placement.cell: puzzle.candidates[placement].rim for placement in solution.placements}  # type: ignore[attr-defined]
        whole = {
            cell: "".join("#" if tooth else "." for tooth in rim) * 2 for cell, rim in at.items()
        }
        found.add(
            tuple(
                tuple(whole[cell][k * (size - 1) :][:size] for k in range(count)) for cell in cells
            )
        )
    assert found == expected
    assert len(expected) == jigsat.count(puzzle).solutions


def _rows(sides: Sequence[str]) -> list[str]:
    """A square piece drawn in rows."""
    top, right, bottom, left = sides
    last = len(top)
    return [
        top + right[0],
        *(left[last - i] + "-" * (last - 1) + right[i] for i in range(1, last)),
        left[0] + bottom[::-1],
    ]


def test_boards_of_several_shapes_need_enough_pieces_of_each() -> None:
    square, triangle = "##\n..", "# . #"
    shapes = {f"S{i}": square for i in range(3)} | {f"T{i}": triangle for i in range(2)}
    puzzle = parsed({"family": "interlocking", "board": "prism 3", "pieces": shapes})
    assert {puzzle.surface.sides(p.cell) for p in puzzle.candidates if p.piece == "T0"} == {3}  # type: ignore[attr-defined]
    with pytest.raises(jigsat.InputError, match="2 of 3 pieces with 4 sides"):
        parsed(
            {
                "family": "interlocking",
                "board": "prism 3",
                "pieces": {k: v for k, v in shapes.items() if k != "S0"},
            }
        )
    assert len(board_named("prism 3").cells) == 5
