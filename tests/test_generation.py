"""Made puzzles: unique by other programs, minimal clue by clue, and the same from the same seed."""

from __future__ import annotations

import os
import random
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from test_sudoku import fillings

from jigsat import instance
from jigsat.batch import solve_all
from jigsat.generation import generate, generators
from jigsat.puzzle import Puzzle

SEEDS = [pytest.param(0), pytest.param(1), *(pytest.param(seed, marks=pytest.mark.slow) for seed in range(2, 50))]


def made(family: str, seed: int, **wishes: Any) -> Puzzle:
    """The puzzle that is made for a seed, read back from what would be written."""
    maker = generators()[family].load()(**wishes).maker()
    *_, last = generate(maker, seed)
    assert not last.lacks
    assert last.solution is not None
    assert last.puzzle.known.distinct() or last.puzzle.known.solutions
    return last.puzzle


def solutions(puzzle: Puzzle, backend: str) -> int:
    (answer,) = solve_all([puzzle], backend, limit=3)
    return len(answer.solutions)


def command(*arguments: str | Path, hashing: str = "0") -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PYTHONHASHSEED": hashing}
    program = [sys.executable, "-c", "from jigsat.cli import main; main()", "generate"]
    return subprocess.run([*program, *map(str, arguments)], capture_output=True, text=True, env=environment, timeout=100)


# -- sudoku


@pytest.mark.parametrize("wishes", [{}, {"size": 6, "symmetric": True}, {"size": 4}, {"diagonals": True, "size": 6}], ids=str)
@pytest.mark.parametrize("seed", SEEDS)
def test_sudokus_are_unique_and_no_given_is_too_many(seed: int, wishes: dict[str, Any]) -> None:
    puzzle = made("sudoku", seed, **wishes)
    assert [solutions(puzzle, backend) for backend in ("cadical195", "cover")] == [1, 1]
    clues = [next(iter(clue)) for clue in puzzle.clues().values()]
    n = puzzle.size  # type: ignore[attr-defined]
    pattern = {cell for cell, _ in clues}
    if wishes.get("symmetric"):
        assert pattern == {(n - 1 - r, n - 1 - c) for r, c in pattern}
    opposite = {(r, c): (n - 1 - r, n - 1 - c) if wishes.get("symmetric") else (r, c) for r, c in pattern}
    without = [
        puzzle.with_clues([clue for clue in clues if clue.cell not in (cell, opposite[cell])]) for cell in sorted(pattern)
    ]
    assert all(len(answer.solutions) == 2 for answer in solve_all(without, "glucose4"))


@pytest.mark.parametrize("seed", SEEDS)
def test_small_sudokus_are_unique_by_backtracking(seed: int) -> None:
    puzzle = made("sudoku", seed, size=4)
    data: dict[str, Any] = {"grid": puzzle.grid}  # type: ignore[attr-defined]
    assert len(list(fillings(data))) == 1
    for r, c in [(r, c) for r in range(4) for c in range(4) if data["grid"][r][c] != "."]:
        rows = [list(row) for row in data["grid"]]
        rows[r][c] = "."
        assert len(list(fillings({"grid": ["".join(row) for row in rows]}))) > 1


@pytest.mark.parametrize(("number", "symmetric"), [(30, False), (23, False), (36, True)])
def test_a_wished_number_of_clues(number: int, symmetric: bool) -> None:
    puzzle = made("sudoku", 3, clues=number, symmetric=symmetric)
    assert len(puzzle.clues()) == number
    assert solutions(puzzle, "cadical195") == 1


def test_an_instance_gets_other_clues() -> None:
    run = command("sudoku-jigsaw", "--seed", "5")
    assert run.returncode == 0, run.stderr
    puzzle = instance.parse(instance.tomllib.loads(run.stdout), name="new", origin="stdout")
    shipped = instance.load("sudoku-jigsaw")
    assert puzzle.without_clues().digest() == shipped.without_clues().digest()
    assert puzzle.clues() != shipped.clues()
    assert solutions(puzzle, "cadical195") == 1


def test_random_solutions_are_even_enough() -> None:
    maker = generators()["sudoku"].load()(size=4).maker()
    rng = random.Random(0)
    found = Counter(tuple(maker.solution(rng)) for _ in range(20 * 288))
    assert len(found) == 288
    assert sum((times - 20) ** 2 / 20 for times in found.values()) < 2 * 288  # 287 on average if they were even


# -- the command


def test_the_same_seed_gives_the_same_bytes(tmp_path: Path) -> None:
    texts = []
    for hashing in ("1", "2"):
        folder = tmp_path / hashing
        assert command("sudoku", "--seed", "7", "--count", "3", "-o", folder, hashing=hashing).returncode == 0
        texts.append([path.read_bytes() for path in sorted(folder.iterdir())])
    assert texts[0] == texts[1]
    assert len(set(texts[0])) == 3


def test_a_wish_that_cannot_be_met_ends_with_the_best(tmp_path: Path) -> None:
    run = command("sudoku", "--clues", "17", "-o", tmp_path / "best.toml", "--timeout", "3")
    assert run.returncode == 3
    assert "the best found is written: it has 2" in run.stderr
    assert "not 17" in run.stderr
    assert solutions(instance.load(tmp_path / "best.toml"), "cadical195") == 1


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["sudoku", "--set", "size=7"], "7 rows make no boxes"),
        (["sudoku", "--set", "colour=red"], "colour: is no entry"),
        (["cube", "--symmetric"], "has no clues"),
        (["nothing"], "no instance of this name"),
    ],
)
def test_wrong_wishes(arguments: list[str], complaint: str) -> None:
    run = command(*arguments)
    assert (run.returncode, run.stdout) == (2, "")
    assert complaint in run.stderr
    assert run.stderr.count("\n") == 1
