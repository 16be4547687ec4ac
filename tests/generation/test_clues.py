"""Generated sudokus: unique according to other programs, with minimal clues, of the requested
difficulty."""

from __future__ import annotations

import random
import tomllib
from collections import Counter
from itertools import permutations, product
from typing import Any

import pytest
from support.answers import solve_all
from support.generated import SEEDS, command, data_of, generated, solution_counts, solutions
from support.sudokus import fillings

from jigsat import instance
from jigsat.answering.enumeration import Enumeration
from jigsat.backends.engine import is_compiled
from jigsat.errors import Stopped
from jigsat.generation.generator import GeneratedPuzzle, generate
from jigsat.generation.sources import generators
from jigsat.questions import Difficulty
from jigsat.rating.difficulty import rating


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"symmetric": True},
        {"size": 4},
        {"diagonals": True, "size": 6},
        pytest.param({"size": 6, "symmetric": True}, marks=pytest.mark.slow),
    ],
    ids=str,
)
@pytest.mark.parametrize("seed", SEEDS)
def test_sudokus_are_unique_and_every_given_is_needed(seed: int, options: dict[str, Any]) -> None:
    puzzle = generated("sudoku", seed, **options)
    assert [solutions(puzzle, backend) for backend in ("cadical195", "cover")] == [1, 1]
    clues = [next(iter(clue)) for clue in puzzle.clues().values()]
    n = puzzle.size  # type: ignore[attr-defined]
    pattern = {cell for cell, _ in clues}
    if options.get("symmetric"):
        assert pattern == {(n - 1 - r, n - 1 - c) for r, c in pattern}
    opposite = {
        (r, c): (n - 1 - r, n - 1 - c) if options.get("symmetric") else (r, c) for r, c in pattern
    }
    without = [
        puzzle.with_clues([clue for clue in clues if clue.cell not in (cell, opposite[cell])])
        for cell in sorted(pattern)
    ]
    assert all(len(answer.solutions) == 2 for answer in solve_all(without, "glucose4"))


@pytest.mark.parametrize(
    ("family", "options"),
    [
        ("sudoku", {}),
        ("sudoku", {"symmetric": True}),
        ("sudoku", {"solutions": 2}),
        ("latin", {"order": 5}),
        ("latin", {"order": 5, "mates": 1}),
    ],
    ids=str,
)
def test_givens_are_spread_over_rows_columns_and_boxes(
    family: str, options: dict[str, Any]
) -> None:
    """In 60 puzzles, each line and each box has its share of the givens."""
    generator = generators()[family](**options).build_generator()
    made = [next(generator.candidates(random.Random(f"9/{number}"))) for number in range(60)]
    puzzles = [candidate.puzzle for candidate in made]
    placements = [
        placement for one in puzzles for clue in one.clues().values() for placement in clue
    ]
    cells = [placement.cell[-2:] for placement in placements]  # a mate's cell begins with its layer
    size = 1 + max(row for row, _ in cells)
    boxes = {6: (2, 3), 9: (3, 3)}.get(size, (size, size))
    for part in (
        Counter(row for row, _ in cells),
        Counter(column for _, column in cells),
        Counter((row // boxes[0], column // boxes[1]) for row, column in cells),
    ):
        share = len(cells) / len(part)
        assert max(abs(number - share) for number in part.values()) < share / 4, part


@pytest.mark.parametrize("seed", SEEDS)
def test_small_sudokus_are_unique_by_backtracking(seed: int) -> None:
    puzzle = generated("sudoku", seed, size=4)
    data: dict[str, Any] = {"grid": puzzle.grid}  # type: ignore[attr-defined]
    assert len(list(fillings(data))) == 1
    for r, c in [(r, c) for r in range(4) for c in range(4) if data["grid"][r][c] != "."]:
        rows = [list(row) for row in data["grid"]]
        rows[r][c] = "."
        assert len(list(fillings({"grid": ["".join(row) for row in rows]}))) > 1


@pytest.mark.parametrize(("number", "symmetric"), [(30, False), (23, False), (36, True)])
def test_a_requested_number_of_clues(number: int, symmetric: bool) -> None:
    puzzle = generated("sudoku", 3, clues=number, symmetric=symmetric)
    assert len(puzzle.clues()) == number
    assert solutions(puzzle, "cadical195") == 1


def test_an_instance_gets_other_clues() -> None:
    run = command("sudoku-jigsaw", "--seed", "5")
    assert run.returncode == 0, run.stderr
    puzzle = instance.parse(tomllib.loads(run.stdout), name="new", origin="stdout")
    shipped = instance.load("sudoku-jigsaw")
    assert puzzle.without_clues().digest() == shipped.without_clues().digest()
    assert puzzle.clues() != shipped.clues()
    assert solutions(puzzle, "cadical195") == 1


@pytest.mark.skipif(not is_compiled(), reason="jigsat was installed without a C compiler")
def test_random_solutions_are_uniform_where_counting_works() -> None:
    generator: Any = generators()["sudoku"](size=4).build_generator()
    rng = random.Random(0)
    found = Counter(tuple(generator.random_solution(rng)) for _ in range(100 * 288))
    statistic = sum((times - 100) ** 2 / 100 for times in found.values())
    assert len(found) == 288
    assert (
        abs(statistic - 287) < 4 * 24
    )  # mean and standard deviation of the statistic for a uniform distribution


def test_random_solutions_drawn_by_a_solver_are_roughly_uniform(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("jigsat.generation.clues.rank_models", lambda *_: None)
    generator: Any = generators()["sudoku"](size=4).build_generator()
    rng = random.Random(0)
    found = Counter(tuple(generator.random_solution(rng)) for _ in range(20 * 288))
    assert len(found) == 288
    assert (
        sum((times - 20) ** 2 / 20 for times in found.values()) < 2 * 288
    )  # about 287 for a uniform distribution


def test_the_difficulty_is_the_level_that_rate_reports() -> None:
    levels: tuple[Difficulty, ...] = ("easy", "medium")
    for level in levels:
        puzzle = generated("sudoku", 4, difficulty=level)
        assert rating(puzzle).level == level


def test_hard_sudokus_are_neighbours_of_hard_ones() -> None:
    puzzle = generated("sudoku", 2, difficulty="hard")
    assert rating(puzzle).level == "hard"
    assert solutions(puzzle, "cadical195") == 1
    known = next(
        iter(generators()["sudoku"]().build_generator().candidates(random.Random("2/1"), True))
    )
    assert known.shortcoming == "it is a known puzzle"
    assert known.puzzle.clues() != puzzle.clues()


def test_the_hardest_candidate_is_reported_with_the_number_of_attempts(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("jigsat.generation.generator.CANDIDATES_PER_REPORT", 5)
    monkeypatch.setattr("jigsat.generation.generator.MAX_CANDIDATES", 20)
    found: list[GeneratedPuzzle] = []
    with pytest.raises(Stopped, match="none found in 20 attempts"):
        for each in generate(
            generators()["sudoku"](size=4).build_generator(), 0, difficulty="hard"
        ):
            found.append(each)  # noqa: PERF402  # kept although the loop ends with an exception
    attempts, orders = (
        [each.attempts for each in found],
        [rating(each.puzzle).order(each.puzzle.known) for each in found],
    )
    assert attempts[0] == 1 and attempts[-1] >= 16
    assert attempts == sorted(set(attempts)) and orders == sorted(orders)
    assert orders[-1] > orders[0], "not the first candidate of its level, but the hardest one"


@pytest.mark.parametrize(
    ("family", "options", "requested"),
    [
        ("sudoku", {"size": 6, "symmetric": True}, 2),
        ("latin", {"order": 5}, 5),
        ("seating", {"tables": {"table": "round 5"}}, 2),
        ("seating", {"tables": {"table": "round 6"}}, 3),
    ],
)
def test_clues_allow_the_requested_number_of_solutions(
    family: str, options: dict[str, Any], requested: int
) -> None:
    puzzle = generated(family, 3, solutions=requested, **options)
    if family == "seating":
        assert puzzle.known.reflection == requested
        assert solution_counts(puzzle) == [requested, requested]
    else:
        assert puzzle.known.solutions == requested
        assert [
            len(list(Enumeration(puzzle, backend=name))) for name in ("glucose4", "cadical153")
        ] == [requested] * 2


def test_no_clue_is_superfluous_with_several_solutions() -> None:
    puzzle = generated("latin", 1, order=4, solutions=2)
    rows = data_of(puzzle)["grid"].split()
    squares = [
        rows
        for rows in product(permutations("1234"), repeat=4)
        if all(len({*column}) == 4 for column in zip(*rows, strict=True))
    ]
    assert len(squares) == 576
    clues = {(r, c): x for r, row in enumerate(rows) for c, x in enumerate(row) if x != "."}

    def fitting(without: object) -> int:
        kept = [(cell, x) for cell, x in clues.items() if cell != without]
        return sum(all(square[r][c] == x for (r, c), x in kept) for square in squares)

    assert fitting(None) == 2
    assert all(fitting(cell) > 2 for cell in clues)
