"""Families on solids, compared with backtracking over the faces of planar graphs, without
coordinates or names."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from itertools import chain, combinations
from typing import Any

import networkx
import pytest
from support.agreement import parsed

import jigsat

Face = tuple[int, ...]
"""The vertices around a face, all faces in the same sense."""
Shown = tuple[str, ...]
"""What a face shows along its sides; the first character of a side of teeth is its corner."""
Ways = Callable[[Shown], set[Shown]]
"""What a piece can show, in all allowed orientations."""
Lawful = Callable[[list[Shown], list[Face]], bool]
"""Whether the last face is consistent with the faces before it, which are consistent with each
other."""


def graph(adjacency: str) -> networkx.Graph[Any]:
    """The graph with these edges, each as two letters."""
    return networkx.Graph(edge for edge in adjacency.split())


GRAPHS = {
    "tetrahedron": networkx.complete_graph(4),
    "octahedron": networkx.octahedral_graph(),
    "dodecahedron": networkx.dodecahedral_graph(),
    "icosahedron": networkx.icosahedral_graph(),
    # a ring of corners, and two tips that touch all of them
    "triangular-bipyramid": graph("ab bc ca ta tb tc ua ub uc"),
    "pentagonal-bipyramid": graph("ab bc cd de ea ta tb tc td te ua ub uc ud ue"),
    # two edges ab and cd across each other, and four corners wxyz between them
    "snub-disphenoid": graph("ab cd aw bw ax bx ay bz cy cz cw dx dy dz yw wz zx xy"),
    # prism abc def, and a tip on each square
    "triaugmented-prism": graph("ab bc ca de ef fd ad be cf xa xb xd xe yb yc ye yf zc za zf zd"),
    # two squares abcd and efgh, turned against each other, and a tip on each
    "gyroelongated-bipyramid": graph(
        "ab bc cd da ef fg gh he ae be bf cf cg dg dh ah ta tb tc td ue uf ug uh"
    ),
    "prism 3": networkx.circular_ladder_graph(3),
    "prism 5": networkx.circular_ladder_graph(5),
    "antiprism 3": networkx.octahedral_graph(),
    "antiprism 4": networkx.circulant_graph(8, [1, 2]),
}
SEEDS = [0, *(pytest.param(seed, marks=pytest.mark.slow) for seed in (1, 2))]


def faces(board: str) -> list[Face]:
    """The faces of the unique embedding in the sphere, in an order in which each follows as many
    neighbours as possible."""
    embedding = networkx.check_planarity(GRAPHS[board])[1]
    seen: set[tuple[int, int]] = set()
    left = [
        tuple(embedding.traverse_face(*edge, seen)) for edge in embedding.edges if edge not in seen
    ]
    found = [left.pop()]
    while left:
        near = max(left, key=lambda face: sum(len({*face} & {*other}) == 2 for other in found))
        left.remove(near)
        found.append(near)
    return found


def sides(face: Face) -> list[tuple[int, int]]:
    return list(zip(face, [*face[1:], face[0]], strict=True))


def turned(shown: Shown) -> set[Shown]:
    return {shown[i:] + shown[:i] for i in range(len(shown))}


def turned_over(shown: Shown) -> set[Shown]:
    around = "".join(shown)[::-1]
    around = around[-1] + around[:-1]  # the corner that was the first stays the first
    size = len(shown[0])
    return turned(shown) | turned(tuple(around[i : i + size] for i in range(0, len(around), size)))


def fillings(
    laid: list[Shown], pieces: Sequence[Shown], board: list[Face], ways: Ways, lawful: Lawful
) -> int:
    """The number of different boards with each piece on a face; pieces that look alike are the same
    piece."""
    if not pieces:
        return 1
    count = 0
    kinds = {min(ways(piece)): i for i, piece in enumerate(pieces)}
    for i in kinds.values():
        for shown in ways(pieces[i]) if len(pieces[i]) == len(board[len(laid)]) else ():
            if lawful([*laid, shown], board):
                count += fillings(
                    [*laid, shown], [*pieces[:i], *pieces[i + 1 :]], board, ways, lawful
                )
    return count


def labels_match(laid: list[Shown], board: list[Face]) -> bool:
    """Whether the last tile shows the labels that the others require."""
    there = {
        edge: label
        for face, shown in zip(board, laid[:-1], strict=False)
        for edge, label in zip(sides(face), shown, strict=True)
    }
    return all(
        there.get((b, a), label) == label
        for (a, b), label in zip(sides(board[len(laid) - 1]), laid[-1], strict=True)
    )


def teeth_match(laid: list[Shown], board: list[Face]) -> bool:
    """Whether each place shared with the last piece is filled once, or can still be."""
    last = len(laid) - 1
    across, corners = shared(tuple(board))
    for side, (face, i) in zip(laid[last], across[last], strict=True):
        if face < last and not all(
            x != y for x, y in zip(side[1:], laid[face][i][:0:-1], strict=True)
        ):
            return False
    for vertex in board[last]:
        there = [laid[face][i][0] for face, i in corners[vertex] if face <= last]
        if there.count("#") > 1 or ("#" not in there and len(there) == len(corners[vertex])):
            return False
    return True


Place = tuple[int, int]
"""The numbers of a face and of a side of it."""


@cache
def shared(board: tuple[Face, ...]) -> tuple[list[list[Place]], dict[int, list[Place]]]:
    """For each side of a face, what lies across it; and for each vertex, the sides that start
    there."""
    where = {edge: (i, j) for i, face in enumerate(board) for j, edge in enumerate(sides(face))}
    corners: dict[int, list[Place]] = {}
    for (vertex, _), place in where.items():
        corners.setdefault(vertex, []).append(place)
    return [[where[b, a] for a, b in sides(face)] for face in board], corners


def shuffled(rng: random.Random, shown: Sequence[Shown], ways: Ways) -> list[Shown]:
    return [rng.choice(sorted(ways(one))) for one in rng.sample(shown, len(shown))]


def count(data: dict[str, Any]) -> int | None:
    result = jigsat.count(parsed(data), up_to="nothing")
    assert result.complete
    return result.solutions


@pytest.mark.parametrize(
    "board",
    [pytest.param(board, marks=[pytest.mark.slow] * (board == "icosahedron")) for board in GRAPHS],
)
@pytest.mark.parametrize("seed", SEEDS)
def test_tiles(board: str, seed: int) -> None:
    rng, there = random.Random(seed), faces(board)
    names = [
        f"label {i}"
        for i in range((len(there) if len(there) > 8 else len(there) // 2) + 2 * seed + 2)
    ]
    label = {frozenset(edge): rng.choice(names) for face in there for edge in sides(face)}
    tiles = shuffled(
        rng, [tuple(label[frozenset(edge)] for edge in sides(face)) for face in there], turned
    )
    if seed == 2:
        tiles[0] = (tiles[0][1], *tiles[0][1:])
    expected = fillings([], tiles, there, turned, labels_match)
    assert expected > 0 or seed == 2
    data = {
        "family": "edge-matching",
        "board": board,
        "tiles": {f"t{i}": {"sides": [*tile]} for i, tile in enumerate(tiles)},
    }
    assert count(data) == expected


@pytest.mark.parametrize(
    "board",
    [
        pytest.param(board, marks=[pytest.mark.slow] * (board in ("dodecahedron", "antiprism 3")))
        for board in GRAPHS
        if board != "icosahedron"
    ],
)
@pytest.mark.parametrize("seed", SEEDS)
def test_teeth(board: str, seed: int) -> None:
    rng, there = random.Random(seed), faces(board)
    size = (7 if len(there) > 8 else 4) + seed
    owner = {
        vertex: rng.choice([face for face in there if vertex in face])
        for vertex in chain.from_iterable(there)
    }
    middle = {
        (a, b): "".join(rng.choice("#.") for _ in range(size - 2))
        for face in there
        for a, b in sides(face)
        if a < b
    }
    opposite = str.maketrans("#.", ".#")
    middle |= {(b, a): teeth[::-1].translate(opposite) for (a, b), teeth in middle.items()}
    shown = [tuple(".#"[owner[a] == face] + middle[a, b] for a, b in sides(face)) for face in there]
    pieces = shuffled(rng, shown, turned_over)
    expected = fillings([], pieces, there, turned_over, teeth_match)
    assert expected > 0
    data = {
        "family": "interlocking",
        "board": board,
        "pieces": {
            f"P{i}": drawn(piece) if len(piece) == 4 else " ".join(piece)
            for i, piece in enumerate(pieces)
        },
    }
    assert count(data) == expected


def drawn(piece: Shown) -> str:
    """A square piece in rows."""
    top, right, bottom, left = piece
    last = len(top)
    between = [left[last - i] + "-" * (last - 1) + right[i] for i in range(1, last)]
    return "\n".join([top + right[0], *between, left[0] + bottom[::-1]])


@pytest.mark.parametrize("board", [board for board in GRAPHS if board != "icosahedron"])
def test_lights(board: str) -> None:
    there = faces(board)
    near = [
        {i, *(j for j, other in enumerate(there) if len({*face} & {*other}) == 2)}
        for i, face in enumerate(there)
    ]

    def pressed(faces_pressed: Sequence[int]) -> frozenset[int]:
        return frozenset(
            i for i in range(len(there)) if sum(j in near[i] for j in faces_pressed) % 2
        )

    def all_out() -> Iterator[Sequence[int]]:
        for number in range(len(there) + 1):
            yield from (
                chosen
                for chosen in combinations(range(len(there)), number)
                if len(pressed(chosen)) == len(there)
            )

    assert count({"family": "lights-out", "board": board, "lit": "all"}) == len([*all_out()])
