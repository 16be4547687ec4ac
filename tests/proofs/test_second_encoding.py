"""What no certificate proves: that the formula means the puzzle. So all solutions that jigsat lists
are compared with an encoding that shares nothing with it."""

from __future__ import annotations

import ast
import random
import sys
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
import tomli_w
from pysat.solvers import Solver
from support import second_encoder

import jigsat
from jigsat import instance

QUICK = [
    "cats",
    "sudoku-4x4-empty",
    "sudoku-6x6",
    "sudoku-hard",
    "sudoku-jigsaw",
    "black-and-white",
    "black-and-white-rule",
    "tetrahexes-4x7",
]
SLOW = [
    "cats-reuse",
    "fish",
    "fish-plain",
    "hexagons",
    "dominoes-torus",
    "hexiamonds-6x6",
    "pentominoes-3x20",
    "pentominoes-8x8-hole",
    "soma",
]


@pytest.mark.parametrize(
    "name", [*QUICK, *(pytest.param(name, marks=pytest.mark.slow) for name in SLOW)]
)
def test_shipped_instances(name: str) -> None:
    source = instance.find(name)
    puzzle = jigsat.load(name)
    compare(tomllib.loads(source.read_text(encoding="utf-8")), source)
    assert puzzle.known.solutions == len(list_solutions(source))


@pytest.mark.slow
def test_every_board_of_a_batch(tmp_path: Path) -> None:
    data = tomllib.loads(instance.find("black-and-white-batch").read_text(encoding="utf-8"))
    for board in data["boards"]:
        only = {"family": "tiling", "pieces": data["pieces"], "board": board["board"]}
        assert compare(only, save(only, tmp_path)) == 1


def compare(data: Mapping[str, Any], source: Path) -> int:
    """Compare both encodings of a file; returns the number of solutions.

    Every listed solution is a model of the second encoding. If all are ruled out, it has no model;
    if one is left out, that one is found.
    """
    encoding, name_of = second_encoder.encode(data)
    solutions = list_solutions(source)
    models = []
    for solution in solutions:
        true = {encoding.variables[name_of(placement)] for placement in solution}
        assert len(true) == len(solution)
        models.append(true)
        for clause in encoding.clauses:
            assert any((abs(x) in true) == (x > 0) for x in clause), (source, clause)
    assert len({frozenset(true) for true in models}) == len(models)

    with Solver("cadical195", bootstrap_with=encoding.clauses) as solver:
        for true in models[1:]:
            solver.add_clause([-variable for variable in true])
        if models:
            assert solver.solve(), f"{source.stem}: a model was ruled out"
            assert {x for x in solver.get_model() if x > 0} >= models[0]
            solver.add_clause([-variable for variable in models[0]])
        assert not solver.solve(), f"{source.stem}: a solution is missing"
    return len(models)


def list_solutions(source: Path) -> list[list[dict[str, Any]]]:
    return [
        [placement._asdict() for placement in solution.placements]
        for solution in jigsat.solutions(source, up_to="nothing")
    ]


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


@pytest.mark.parametrize("make", [make_edge_matching, make_sudoku, make_tiling])
@pytest.mark.parametrize("seed", range(10))
def test_random_instances(make: Any, seed: int, tmp_path: Path) -> None:
    data = make(random.Random(f"{make.__name__} {seed}"))
    compare(data, save(data, tmp_path))


def test_the_second_encoder_uses_nothing_of_jigsat() -> None:
    tree = ast.parse(Path(second_encoder.__file__).read_text(encoding="utf-8"))
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom):
            assert (node.module or "").split(".")[0] in sys.stdlib_module_names
        elif isinstance(node, ast.Import):
            assert all(name.name.split(".")[0] in sys.stdlib_module_names for name in node.names)
