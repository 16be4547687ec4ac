"""What no certificate proves: that the formula means the puzzle. So all solutions that jigsat lists
are compared with an encoding that shares nothing with it."""

from __future__ import annotations

import ast
import random
import sys
import tomllib
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
import tomli_w
from pysat.solvers import Solver
from support import second_boards, second_encoder
from support.second_encoder import Encoding, Names

import jigsat
from jigsat import instance

FAMILIES = ("edge-matching", "interlocking", "sudoku", "tiling")

QUICK = [
    "cats",
    "foam-frame",
    "gyroelongated-bipyramid",
    "pentagonal-bipyramid",
    "polycube-tower",
    "snub-disphenoid",
    "sudoku-4x4-empty",
    "sudoku-6x6",
    "sudoku-hard",
    "sudoku-jigsaw",
    "triangular-bipyramid",
    "triaugmented-prism",
    "black-and-white",
    "black-and-white-rule",
    "tetrahexes-4x7",
]
SLOW = [
    "icosahedron",
    "cats-reuse",
    "fish",
    "hexagons",
    "cube",
    "cube-flat",
    "cube-tower",
    "pentagons",
    "polycube-2x2x2",
    "polycube-3x3x3",
    "polycube-star",
    "dominoes-torus",
    "hexiamonds-6x6",
    "pentominoes-3x20",
    "pentominoes-8x8-hole",
    "soma",
]
# CaDiCaL does not refute these within 15 minutes (fish-plain: 30), or takes 13 (pentominoes-4x15),
# because the second encoding has no auxiliary variables and breaks no symmetry.
HARD = ["fish-plain", "pentominoes-4x15", "pentominoes-5x12", "pentominoes-6x10"]
# Nobody has all solutions of these: either their number is not known, or there are too many.
PART = [
    "macmahon-cube",
    "macmahon-squares",
    "macmahon-triangles",
    "dominoes-6x8",
    "sudoku-empty",
    "sudoku-underconstrained",
]
BATCHES = ["black-and-white-batch"]
# That a piece is used at most six times needs C(192, 7) clauses without auxiliary variables, and
# the number of solutions is not known.
TOO_LARGE = ["cube-six-sets"]


@pytest.mark.parametrize(
    "name", [*QUICK, *(pytest.param(name, marks=pytest.mark.slow) for name in SLOW)]
)
def test_shipped_instances(name: str) -> None:
    source = instance.find(name)
    puzzle = jigsat.load(name)
    solutions = list_solutions(source)
    compare(tomllib.loads(source.read_text(encoding="utf-8")), solutions)
    assert puzzle.known.solutions == len(solutions)


@pytest.mark.slow
@pytest.mark.parametrize("name", BATCHES)
def test_every_board_of_a_batch(name: str, tmp_path: Path) -> None:
    data = tomllib.loads(instance.find(name).read_text(encoding="utf-8"))
    for board in data["boards"]:
        common = {"family": "tiling", "pieces": data["pieces"], "uses": data["uses"]}
        only = {**common, "board": board["board"]}
        assert compare(only, list_solutions(save(only, tmp_path))) == 1


@pytest.mark.parametrize(
    "name", [*PART, *(pytest.param(name, marks=pytest.mark.slow) for name in HARD)]
)
def test_instances_that_are_not_refuted(name: str) -> None:
    """Some solutions are models of the second encoding, and some of its models are solutions."""
    source = instance.find(name)
    puzzle = jigsat.load(name)
    encoding, name_of = second_encoder.encode(tomllib.loads(source.read_text(encoding="utf-8")))
    limit = 5 if name in PART else None
    require_models(encoding, find_models(encoding, name_of, list_solutions(source, limit)))

    placements = {}
    for variables in puzzle.encode().families.values():
        if variables.decision:
            for key in variables:
                placements[encoding.variables.get(name_of(key._asdict()))] = key
    with Solver("cadical195", bootstrap_with=encoding.clauses) as solver:
        for _ in range(5):
            assert solver.solve()
            true = [x for x in solver.get_model() if x > 0]
            assert list(puzzle.check([placements[x] for x in true])) == []
            solver.add_clause([-x for x in true])


def test_no_instance_is_skipped() -> None:
    shipped = set()
    for path in instance.instances():
        if tomllib.loads(path.read_text(encoding="utf-8"))["family"] in FAMILIES:
            shipped.add(path.stem)
    assert shipped == {*QUICK, *SLOW, *HARD, *PART, *BATCHES, *TOO_LARGE}


def compare(data: Mapping[str, Any], solutions: list[list[dict[str, Any]]]) -> int:
    """Compare both encodings of a file; returns the number of solutions.

    Every listed solution is a model of the second encoding. If all are ruled out, it has no model;
    if one is left out, that one is found.
    """
    encoding, name_of = second_encoder.encode(data)
    models = find_models(encoding, name_of, solutions)
    require_models(encoding, models)
    assert len({frozenset(true) for true in models}) == len(models)

    with Solver("cadical195", bootstrap_with=encoding.clauses) as solver:
        for model in models[1:]:
            solver.add_clause([-variable for variable in model])
        if models:
            assert solver.solve(), "a model was ruled out"
            true = {x for x in solver.get_model() if x > 0}
            assert true >= models[0], "a solution is missing"
            solver.add_clause([-variable for variable in models[0]])
        assert not solver.solve(), "a solution is missing"
    return len(models)


def find_models(
    encoding: Encoding, name_of: Names, solutions: list[list[dict[str, Any]]]
) -> list[set[int]]:
    """The variables that are true in each solution."""
    models = []
    for solution in solutions:
        true = {encoding.variables[name_of(placement)] for placement in solution}
        assert len(true) == len(solution)
        models.append(true)
    return models


def require_models(encoding: Encoding, models: list[set[int]]) -> None:
    """Each of these sets of true variables satisfies all clauses."""
    with Solver("minisat22", bootstrap_with=encoding.clauses) as solver:
        for true in models:
            values = [x if x in true else -x for x in encoding.variables.values()]
            satisfied, _ = solver.propagate(values)
            assert satisfied, "a solution is not a model of the second encoding"


def list_solutions(source: Path, limit: int | None = None) -> list[list[dict[str, Any]]]:
    solutions = []
    for solution in jigsat.solutions(source, up_to="nothing", limit=limit):
        solutions.append([placement._asdict() for placement in solution.placements])
    return solutions


def save(data: Mapping[str, Any], folder: Path) -> Path:
    path = folder / "random.toml"
    path.write_text(tomli_w.dumps(data), encoding="utf-8")
    return path


# -- random instances


def make_edge_matching(picked: random.Random) -> dict[str, Any]:
    rows, columns = picked.choice([(2, 2), (2, 3), (1, 4)])
    board, sides, cells = f"square {rows}x{columns}", 4, rows * columns
    if picked.random() < 0.3:
        board, sides, cells = "hexagon 2", 6, 7
    labels = "abcd" if sides == 4 else "abcdefgh"
    tiles: dict[str, Any] = {}
    for number in range(cells + picked.choice([0, 1])):
        shown = picked.choices(labels, k=sides)
        face = {"face": picked.choice("xyz")} if sides == 4 else {}
        tiles[str(number)] = {"sides": shown, "count": picked.choice([1, 1, 1, 1, 1, 2]), **face}
    data = {"family": "edge-matching", "board": board, "tiles": tiles}
    if picked.random() < 0.3:
        data["matching"] = [["a", "b"], ["c", "d"], ["e", "f"], ["g", "h"]]
    if picked.random() < 0.3:
        data["turning"] = False
    if picked.random() < 0.3 and sides == 4:
        data["latin"] = True
    if picked.random() < 0.2:
        data["frame"] = "a"
    return data


SOLIDS = [
    "tetrahedron",
    "octahedron",
    "cube",
    "triangle 2",
    "triangle 3",
    "triangles\n^v^\nv^v",
    "triangles\n ^v^\n^v^v^\nv^v^v\n v^v",
    "polycube\n#\n\n#",
]


def make_solid_matching(picked: random.Random) -> dict[str, Any]:
    """Tiles that are cut from a random colouring of a solid or a board of triangles."""
    board = picked.choice(SOLIDS)
    corners = second_boards.read_board(board)
    meetings = second_boards.find_meetings(corners)
    labels: dict[second_boards.Side, str] = {}
    tiles: dict[str, Any] = {}
    for number, (cell, points) in enumerate(corners.items()):
        sides = []
        for side in range(len(points)):
            meeting = meetings.get((cell, side))
            label = labels.get(meeting) if meeting else "a"
            labels[cell, side] = label or picked.choice("abcdefgh")
            sides.append(labels[cell, side])
        turn = picked.randrange(len(points))
        tiles[str(number)] = sides[turn:] + sides[:turn]
    data = {"family": "edge-matching", "board": board, "tiles": tiles}
    if len(meetings) < len(labels):
        data["frame"] = "a"  # otherwise there are thousands of solutions
    return data


# Two cubes that touch along an edge only, among others.
SURFACES = ["tetrahedron", "cube", "square 2x2", "triangle 2", "polycube\n#.\n.#"]


def make_interlocking(picked: random.Random) -> dict[str, Any]:
    """Pieces that are cut from a random solution."""
    board = picked.choice(SURFACES)
    steps = 4 if "polycube" in board else picked.choice([2, 3])
    corners = second_boards.read_board(board)
    fillers: dict[Any, list[Any]] = {}  # the cells that meet at each place
    places: dict[Any, list[Any]] = {}
    for cell, points in corners.items():
        places[cell] = []
        for side, start in enumerate(points):
            end = points[(side + 1) % len(points)]
            places[cell].append(start)
            for step in range(1, steps):
                places[cell].append(frozenset([(start, step), (end, steps - step)]))
        for place in places[cell]:
            fillers.setdefault(place, []).append(cell)

    teeth = {place: picked.choice(cells) for place, cells in fillers.items()}
    pieces = {}
    for number, cell in enumerate(corners):
        border = "".join("#" if teeth[place] == cell else "." for place in places[cell])
        sides = [border[i : i + steps] for i in range(0, len(border), steps)]
        turn = picked.randrange(len(sides))
        pieces[f"p{number}"] = " ".join(sides[turn:] + sides[:turn])
    data: dict[str, Any] = {"family": "interlocking", "board": board, "pieces": pieces}
    if picked.random() < 0.3:
        data["turning_over"] = False
    return data


def make_sudoku(picked: random.Random) -> dict[str, Any]:
    size = picked.choice([4, 4, 6])
    shift = 2 if size == 4 else 3
    # a grid of which every row is the one above, shifted, has all digits in each box
    rows = []
    for row in range(size):
        start = shift * row + row // 2
        rows.append([str((start + column) % size + 1) for column in range(size)])
    for row in rows:
        for column in range(size):
            if picked.random() < (0.6 if size == 4 else 0.45):
                row[column] = "."
    if picked.random() < 0.2:
        rows[0][0] = str(picked.randrange(1, size + 1))  # perhaps a wrong one
    return {"family": "sudoku", "grid": "\n".join(map("".join, rows))}


PIECES = {
    "squares": ["##", "###", "##\n#", "#", "####\n#", "##\n##", "wb", "bwb"],
    "hexagons": ["# #", "# #\n #", "# # #", "#", " #\n# #\n   #"],
    "triangles": ["^v", "^v^", "^", "v^v\n^v^", "v^v"],
    "cubes": ["##", "##\n#", "##\n\n#", "#", "##\n#\n\n#"],
}
BOARDS = {
    "squares": ["####\n####", "wbw\nbwb\n###", "torus 2x4", "#.#\n###\n###"],
    "hexagons": ["hexagons\n# # #\n # # #\n# # #", "hexagons\n # #\n# # #\n # #"],
    "triangles": ["triangles\n ^v^\n^v^v^", "triangles\n ^v^\n^v^v^\nv^v^v"],
    "cubes": ["##\n##\n\n##\n##", "###\n##.\n\n###\n#.."],
}


def make_tiling(picked: random.Random) -> dict[str, Any]:
    kind = picked.choice(list(PIECES))
    pieces = picked.sample(PIECES[kind], k=picked.choice([2, 3]))
    data = {
        "family": "tiling",
        "board": picked.choice(BOARDS[kind]),
        "uses": "any",
        "pieces": {f"p{number}": shape for number, shape in enumerate(pieces)},
    }
    if kind != "cubes" and picked.random() < 0.3:
        data["turning_over"] = False
    if picked.random() < 0.2:
        data["turning"] = False
    return data


MAKERS = [
    make_edge_matching,
    make_solid_matching,
    make_interlocking,
    make_sudoku,
    make_tiling,
]


@pytest.mark.parametrize("make", MAKERS)
@pytest.mark.parametrize("seed", range(10))
def test_random_instances(make: Any, seed: int, tmp_path: Path) -> None:
    data = make(random.Random(f"{make.__name__} {seed}"))
    compare(data, list_solutions(save(data, tmp_path)))


# -- the second encoder itself


@pytest.mark.parametrize("name", ["cats", "polycube-tower", "tetrahexes-4x7"])
def test_mistakes_are_noticed(name: str) -> None:
    """The test fails if a solution is missing, is there twice, or is wrong."""
    source = instance.find(name)
    data = tomllib.loads(source.read_text(encoding="utf-8"))
    solutions = list_solutions(source)
    with pytest.raises(AssertionError, match="a solution is missing"):
        compare(data, solutions[1:])
    with pytest.raises(AssertionError):
        compare(data, [*solutions, solutions[0]])
    first, second = solutions[0], solutions[-1]
    mixed = first[: len(first) // 2] + second[len(first) // 2 :]
    with pytest.raises(AssertionError, match="not a model"):
        compare(data, [mixed])


# The number of faces, and for each number of faces that meet at a corner the number of corners.
REGULAR = {
    "tetrahedron": (4, {3: 4}),
    "octahedron": (8, {4: 6}),
    "dodecahedron": (12, {3: 20}),
    "icosahedron": (20, {5: 12}),
}
OTHER_CONVEX = {
    "triangular-bipyramid": (6, {3: 2, 4: 3}),
    "pentagonal-bipyramid": (10, {4: 5, 5: 2}),
    "snub-disphenoid": (12, {4: 4, 5: 4}),
    "triaugmented-prism": (14, {4: 3, 5: 6}),
    "gyroelongated-bipyramid": (16, {4: 2, 5: 8}),
}


@pytest.mark.parametrize("name", [*REGULAR, *OTHER_CONVEX])
def test_convex_solids(name: str) -> None:
    """A closed surface with these numbers of faces at its corners is this solid and no other."""
    corners = second_boards.read_board(name)
    meetings = second_boards.find_meetings(corners)
    faces, degrees = {**REGULAR, **OTHER_CONVEX}[name]
    assert len(corners) == faces
    uses = Counter(point for points in corners.values() for point in points)
    assert Counter(uses.values()) == degrees
    assert len(meetings) == sum(map(len, corners.values()))

    # Every two faces run along their common side in opposite directions: all are clockwise.
    ends = [(points[i - 1], points[i]) for points in corners.values() for i in range(len(points))]
    assert len(set(ends)) == len(ends)


@pytest.mark.parametrize("name", REGULAR)
def test_the_first_ring_of_a_regular_solid_is_clockwise(name: str) -> None:
    corners = second_boards.read_board(name)
    meetings = second_boards.find_meetings(corners)
    ring = [meetings[0, side][0] for side in range(len(corners[0]))]
    start = ring.index(1)
    assert ring[start:] + ring[:start] == list(range(1, len(ring) + 1))


def test_the_second_encoder_uses_nothing_of_jigsat() -> None:
    for module in (second_encoder, second_boards):
        tree = ast.parse(Path(module.__file__).read_text(encoding="utf-8"))
        for node in ast.walk(tree):
            if isinstance(node, ast.ImportFrom):
                assert node.module is not None and is_independent(node.module)
            elif isinstance(node, ast.Import):
                assert all(is_independent(name.name) for name in node.names)


def is_independent(module: str) -> bool:
    return module == "support.second_boards" or module.split(".")[0] in sys.stdlib_module_names
