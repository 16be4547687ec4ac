"""Boards by name and by drawing: adjacency, symmetries computed in two other ways, and nets that
can be folded."""

from __future__ import annotations

import math
import random
from collections import Counter
from itertools import combinations, product
from typing import Any

import networkx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from networkx.algorithms.isomorphism import GraphMatcher, categorical_edge_match
from support.agreement import parsed
from support.quick import cases
from support.tables import turns

import jigsat
from jigsat import Formula, InputError
from jigsat.boards.board import Board, Cell, Point
from jigsat.boards.catalogue import board_named
from jigsat.boards.nets import unfold_board, views
from jigsat.instance import find, read_data

Cubes = frozenset[tuple[int, ...]]


def drawn(cubes: Cubes) -> str:
    """The drawing of some unit cubes, layer by layer."""
    size = [max(cube[axis] for cube in cubes) + 1 for axis in range(3)]
    layers = [
        "\n".join(
            "".join("#" if (z, y, x) in cubes else "." for x in range(size[2]))
            for y in range(size[1])
        )
        for z in range(size[0])
    ]
    return "polycube\n" + "\n\n".join(layers)


TOWER = "polycube\n#\n\n#"
CORNER = "polycube\n##\n#."
BLOCK = "polycube\n##\n##\n\n##\n##"
RING = "polycube\n###\n#.#\n###"
STAR = "polycube\n...\n.#.\n...\n\n.#.\n###\n.#.\n\n...\n.#.\n..."
EDGE = "polycube\n#.\n.#"
TIP = "polycube\n#.\n..\n\n..\n.#"
CAVITY = drawn(frozenset(product(range(3), repeat=3)) - {(1, 1, 1)})  # type: ignore[arg-type]
HEXAGON = "triangles\n ^v^v^\n^v^v^v^\nv^v^v^v\n v^v^v"

ORDERS = {
    "square 2x2": (4, 8), "square 2x3": (2, 4), "squares\n##\n#.": (1, 2),
    "squares\n###\n#.#\n###": (4, 8),
    "torus 4x4": (64, 128), "torus 2x3": (12, 24), "torus 1x1": (4, 8), "torus 20x20": (1600, 3200),
    "cylinder 2x3": (6, 12), "cylinder 1x4": (8, 16), "cylinder 1x1": (2, 4),
    "hexagon 1": (6, 12), "hexagon 2": (6, 12), "hexagon 4": (6, 12), "hexagons\n# #\n # #": (2, 4),
    "triangle 1": (3, 6), "triangle 3": (3, 6), HEXAGON: (6, 12), "triangles\n^v": (2, 4),
    "cube": (24, 48), "tetrahedron": (12, 24), "octahedron": (24, 48), "dodecahedron": (60, 120),
    "icosahedron": (60, 120),
    "triangular-bipyramid": (6, 12), "pentagonal-bipyramid": (10, 20), "snub-disphenoid": (4, 8),
    "triaugmented-prism": (6, 12), "gyroelongated-bipyramid": (8, 16),
    "prism 3": (6, 12), "prism 4": (24, 48), "prism 6": (12, 24), "antiprism 3": (24, 48),
    "antiprism 5": (10, 20),
    "polycube\n#": (24, 48), TOWER: (8, 16), CORNER: (2, 4), BLOCK: (24, 48), RING: (8, 16),
    STAR: (24, 48), CAVITY: (24, 48),
    EDGE: (4, 8), TIP: (6, 12), "squares\n#.#": (2, 4), "squares\n#.\n.#": (2, 4),
}  # fmt: skip
"""Boards with the orders of their groups: rotations, and rotations with reflections."""
APART = {CAVITY, EDGE, TIP, "squares\n#.#", "squares\n#.\n.#"}
"""Boards of several surfaces, which move as one but are not connected by seams."""


@pytest.mark.parametrize(("name", "orders"), ORDERS.items())
def test_the_groups_have_the_known_orders(name: str, orders: tuple[int, int]) -> None:
    symmetries = board_named(name).symmetries()
    assert (sum(not symmetry.mirrored for symmetry in symmetries), len(symmetries)) == orders


def flags(board: Board) -> networkx.Graph[Any]:
    """The graph of (cell, side, end of the side), its edges coloured by what changes: the end, the
    side or the cell."""
    graph: networkx.Graph[Any] = networkx.Graph()
    for cell in board.cells:
        for side in range(board.sides(cell)):
            graph.add_edge((cell, side, 0), (cell, side, 1), changes="end")
            graph.add_edge(
                (cell, side, 1), (cell, (side + 1) % board.sides(cell), 0), changes="side"
            )
    for (a, i, forward), (b, j, other) in (seam for seam in board.seams if len(seam) == 2):
        assert forward != other, "a seam leads to the other side and back"
        for end in (0, 1):
            graph.add_edge((a, i, end), (b, j, 1 - end), changes="cell")
    return graph


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=[pytest.mark.slow] * (cells > 12 or name == "dodecahedron"))
        for name in ORDERS
        for cells in [len(board_named(name).cells)]
        if name not in APART and cells < 40
    ],
)
def test_the_symmetries_are_the_automorphisms_of_the_flags(name: str) -> None:
    board = board_named(name)
    graph = flags(board)
    matcher = GraphMatcher(graph, graph, edge_match=categorical_edge_match("changes", None))
    expected = {
        tuple(sorted((flag, image) for flag, image in match.items()))
        for match in matcher.isomorphisms_iter()
    }
    found = set()
    for symmetry in board.symmetries():
        images = {}
        for cell, side, end in graph:
            there, lies = symmetry.images[cell]
            images[cell, side, end] = there, lies.side(side, board.sides(cell)), end ^ lies.flipped
        found.add(tuple(sorted(images.items())))
    assert found == expected


@settings(max_examples=cases(60), derandomize=True, deadline=None)
@given(st.frozensets(st.tuples(*[st.integers(0, 2)] * 3), min_size=1, max_size=9))
def test_a_polycube_turns_as_its_cubes_do(some: Cubes) -> None:
    least = [min(axis) for axis in zip(*some, strict=True)]
    cubes = frozenset(tuple(x - low for x, low in zip(cube, least, strict=True)) for cube in some)
    board = board_named(drawn(cubes))
    doubled = [tuple(2 * x for x in cube) for cube in cubes]
    centre = [max(axis) / 2 for axis in zip(*doubled, strict=True)]
    there = {tuple(x - m for x, m in zip(cube, centre, strict=True)) for cube in doubled}
    orders = Counter(
        mirrored for mirrored, turn in turns(3) if {turn(cube) for cube in there} == there
    )
    # a chiral solid has no reflections
    assert Counter(symmetry.mirrored for symmetry in board.symmetries()) == orders

    exposed = sum(
        tuple(x + step * (i == axis) for i, x in enumerate(cube)) not in cubes
        for cube, axis, step in product(cubes, range(3), (1, -1))
    )
    assert len(board.cells) == exposed
    assert {frozenset((cell, side) for cell, side, _ in seam) for seam in board.seams} == {
        frozenset(sides) for sides in board.meetings.values()
    }
    for edge in board.edges:
        assert len(edge) in (2, 4)
        assert sum(forward for _, _, forward in edge) == len(edge) // 2
    assert sum(map(len, board.vertices)) == 4 * exposed


def test_faces_of_cubes_that_touch_along_an_edge_join_their_own_cube() -> None:
    board = board_named(EDGE)
    (edge,) = [edge for edge in board.edges if len(edge) == 4]
    assert {cell[3] for cell, _, _ in edge} == {"front", "back", "left", "right"}  # type: ignore[index]
    for (cell, _), (other, _) in board.across.items():
        assert cell[:3] == other[:3]  # type: ignore[index]
    assert len(board.edge_places(3)) == 3 * 23
    assert sorted(map(len, board.vertex_places(3))) == [3] * 12 + [6] * 2
    assert networkx.number_connected_components(board.graph) == 2
    assert sorted(map(len, board_named(TIP).vertices)) == [3] * 14 + [6]


def test_drawings_and_names_give_the_same_boards() -> None:
    same = [
        ("hexagon 2", "hexagons\n # #\n# # #\n # #"),
        ("triangle 2", "triangles\n ^\n^v^"),
        ("square 2x3", "squares\n###\n###"),
    ]
    for name, drawing in same:
        assert board_named(name).polygons == board_named(drawing).polygons


@pytest.mark.parametrize(
    ("board", "complaint"),
    [
        (
            "round",
            "board: unknown board 'round'; use one of 'square ROWSxCOLUMNS', .*first line is one "
            "of 'squares'",
        ),
        ("cuboid", "did you mean 'cube'"),
        ("hexagon", "unknown board 'hexagon'"),
        ("hexagon 0", "unknown board 'hexagon 0'"),
        ("cube\n##", "unknown board 'cube'"),
        ("prism 2", "board: a prism has at least 3 sides"),
        ("antiprism 1", "board: an antiprism has at least 3 sides"),
        ("polycube", "board: polycube: this drawing has no cells"),
        ("polycube\n# #", "board: polycube: row 1 contains a blank"),
        ("squares\n##\n\n##", "board: squares: blank line inside a drawing"),
        ("hexagons\n##", "board: hexagons: row 1, column 2 is misaligned"),
        ("hexagons\n.", "board: hexagons: this drawing has no cells"),
        ("triangles\n^x", "board: triangles: row 1, column 2 is 'x'"),
        ("triangles\n^v\n^v", "board: triangles: row 2, column 1 is misaligned"),
    ],
)
def test_unknown_boards_are_reported_in_one_line(board: str, complaint: str) -> None:
    with pytest.raises(InputError, match=complaint) as error:
        parsed({"family": "lights-out", "board": board, "lit": "all"})
    assert "\n" not in str(error.value)


def test_pentagrams_meet_as_pentagons_do() -> None:
    # replacing the golden ratio by the other root of x² = x + 1 turns a dodecahedron into a great
    # stellated dodecahedron
    golden, pentagons = (1 + math.sqrt(5)) / 2, board_named("dodecahedron")
    other = {0: 0, 1: 1, 3: 1 - golden, 2: -golden}  # of 0, 1, the ratio, and its inverse by rank

    def conjugate(point: Point) -> Point:
        ranks = [
            min(
                (0, 0.0),
                (1, 1.0),
                (3, golden),
                (2, 1 / golden),
                key=lambda r: abs(r[1] - abs(x) * 2 / golden),
            )
            for x in point
        ]
        return tuple(
            math.copysign(1, x) * other[rank] for x, (rank, _) in zip(point, ranks, strict=True)
        )

    pentagrams = Board(
        "stars",
        {cell: tuple(map(conjugate, corners)) for cell, corners in pentagons.polygons.items()},
    )
    for cell, corners in pentagrams.polygons.items():
        lengths = {round(math.dist(a, b), 6) for a, b in combinations(corners, 2)}
        sides = {round(math.dist(corners[i - 1], corners[i]), 6) for i in range(5)}
        assert sides == {max(lengths)}, f"the sides of {cell} are the diagonals of its tips"
    for places in ("edges", "vertices"):
        here, there = (
            {frozenset(i[:2] for i in place) for place in getattr(board, places)}
            for board in (pentagons, pentagrams)
        )
        assert here == there


# -- the same cube in three ways


def renamed(formula: Formula, names: dict[Cell, tuple[Cell, int]]) -> Counter[Any]:
    """The constraints with placements instead of variables, after renaming the cells and turning
    the pieces accordingly."""

    def said(literal: int) -> tuple[Any, ...]:
        name = formula.name(literal)
        cell, *rest = name.key
        image, turn = names[cell]
        if name.family == "place":
            piece, by, flipped = rest
            return name.family, image, piece, (by + turn) % 4, flipped, name.negated
        if name.family == "row":
            side, shown = rest
            return name.family, image, (side + turn) % 4, shown, name.negated
        (position,) = rest
        return name.family, image, (position + turn * size) % (4 * size), name.negated

    size = len(formula.families["tooth"]) // 24
    return Counter(
        (group.name, constraint.kind, frozenset(map(said, constraint.literals)))  # type: ignore[union-attr]
        for group in formula.groups.values()
        for constraint in group.constraints
    )


@pytest.mark.parametrize("other", ["polycube\n#", "prism 4"])
def test_a_cube_is_a_cube(other: str) -> None:
    data = read_data(find("cube")) | {"title": "", "source": ""}
    # placements of symmetric pieces are named by the first of several equal ones; asymmetric pieces
    # have no choice
    data["pieces"] = {name: piece for name, piece in data["pieces"].items() if name not in "AE"}
    data["pieces"] |= {
        "A": "##.#.#\n#----#\n.----.\n.----#\n.----.\n..##..",
        "E": "#..##.\n#----#\n.----.\n.----.\n#----#\n.#.##.",
    }
    one, two = (parsed(data | {"board": board}) for board in ("cube", other))
    here, there = flags(one.surface), flags(two.surface)  # type: ignore[attr-defined]
    matcher = GraphMatcher(here, there, edge_match=categorical_edge_match("changes", None))
    for match in matcher.isomorphisms_iter():
        names = {cell: match[cell, 0, 0] for cell in one.surface.cells}  # type: ignore[attr-defined]
        if all(
            end == 0 for _, _, end in names.values()
        ):  # a rotation; a reflection maps pieces to other pieces
            break
    straight = {cell: (cell, 0) for cell in two.surface.cells}  # type: ignore[attr-defined]
    assert renamed(
        one.encode(), {cell: (image, turn) for cell, (image, turn, _) in names.items()}
    ) == renamed(two.encode(), straight)
    counts = [
        jigsat.count("cube"),
        jigsat.count(parsed(read_data(find("cube")) | {"board": other})),
    ]
    assert [(count.solutions, count.distinct) for count in counts] == [
        (96, {"rotation": 4, "reflection": 2})
    ] * 2


# -- nets

SOLIDS = [name for name in ORDERS if not board_named(name).flat]


def inside(point: Point, polygon: tuple[Point, ...]) -> bool:
    """Whether a point lies in a convex polygon, well away from its sides."""
    (x, y), n = point, len(polygon)
    turned = [
        (bx - ax) * (y - ay) - (by - ay) * (x - ax)
        for (ax, ay), (bx, by) in ((polygon[i], polygon[(i + 1) % n]) for i in range(n))
    ]
    return min(turned) > 0.01


@pytest.mark.parametrize("name", SOLIDS)
def test_a_net_folds_into_the_solid(name: str) -> None:
    board, rng = board_named(name), random.Random(1)
    net = unfold_board(board)
    assert [*net.corners] == [*board.cells]
    for cell, polygon in net.corners.items():
        for i, j in combinations(range(len(polygon)), 2):
            solid = board.polygons[cell]
            assert math.dist(polygon[i], polygon[j]) == pytest.approx(
                math.dist(solid[i], solid[j]), abs=1e-4
            )
        for _ in range(20):
            weights = [rng.random() for _ in polygon]
            point = tuple(
                sum(w * x for w, x in zip(weights, axis, strict=True)) / sum(weights)
                for axis in zip(*polygon, strict=True)
            )
            assert sum(inside(point, other) for other in net.corners.values()) <= 1
    cut = {frozenset(seam) for seam in net.cuts.values()}
    hinges = networkx.Graph(
        [(a.cell, b.cell) for a, b in (seam for seam in board.seams if frozenset(seam) not in cut)]
    )
    hinges.add_nodes_from(board.cells)
    parts = 2 if name in APART else 1
    assert networkx.number_connected_components(hinges) == parts


@pytest.mark.parametrize("name", ["cube", RING, STAR, EDGE])
def test_each_face_is_visible_in_one_of_two_views(name: str) -> None:
    board = board_named(name)
    seen = [cell for view in views(board) for cell in view]
    assert sorted(seen, key=str) == sorted(board.cells, key=str)
