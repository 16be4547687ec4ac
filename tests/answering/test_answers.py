"""Many puzzles by one solver: the same answers as separately, without effects of one puzzle on the
next."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jigsat.encodings.sudoku.rules import Sudoku
from support.answers import solve_all
from support.quick import cases

import jigsat
from jigsat import instance
from jigsat.backends import open_search
from jigsat.backends.base import Backend
from jigsat.backends.engine import is_compiled
from jigsat.backends.registry import open_backend
from jigsat.errors import CheckError
from jigsat.formula import Formula
from jigsat.puzzle import Puzzle
from jigsat.solving import clues

OPTIONS = {"derandomize": True, "deadline": None}


def parsed(**data: Any) -> Puzzle:
    return instance.parse(data, name="mine", origin="mine.toml")


def one_by_one(puzzle: Puzzle) -> set[tuple[Any, ...]]:
    return {solution.placements for solution in jigsat.solutions(puzzle, up_to="nothing")}


@pytest.fixture
def opened(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The backends that the batch opens, as it opens them."""
    names: list[str] = []

    def opening(name: str) -> Backend:
        names.append(name)
        return open_backend(name)

    def opening_search(name: str, formula: Formula) -> Backend:
        names.append(name)
        return open_search(name, formula)

    monkeypatch.setattr(clues, "open_backend", opening)
    monkeypatch.setattr(clues, "open_search", opening_search)
    return names


@settings(max_examples=cases(15), **OPTIONS)
@given(st.randoms(use_true_random=False), st.sampled_from(["cadical195", "minisat22", "z3"]))
def test_a_batch_finds_the_solutions_of_each_puzzle(rng: random.Random, backend: str) -> None:
    grids = [
        "".join(rng.choice("1234") if rng.random() < 0.2 else "." for _ in range(16))
        for _ in range(6)
    ]
    puzzles = [parsed(family="sudoku", grid=grid) for grid in [*grids, grids[0]]]
    answers = list(solve_all(puzzles, backend, limit=None))
    assert [answer.puzzle for answer in answers] == puzzles
    for answer in answers:
        expected = one_by_one(answer.puzzle)
        assert answer.complete
        assert len(answer.solutions) == len(expected)
        assert {solution.placements for solution in answer.solutions} == expected
        assert all(solution.puzzle is answer.puzzle for solution in answer.solutions)


def test_uniqueness_over_a_file(tmp_path: Path, opened: list[str]) -> None:
    path = tmp_path / "some.txt"
    hard = jigsat.load("sudoku-hard")
    assert isinstance(hard, Sudoku)
    unique = "".join(hard.grid)
    assert (unique[9], unique[71]) == ("7", "5")
    lines = [
        unique,
        f"{unique[:9]}.{unique[10:71]}.{unique[72:]}",
        f"{unique[:9]}5{unique[10:]}",
        "55" + "." * 79,
        unique,
    ]
    path.write_text("\n".join(lines), encoding="utf-8")
    for backend, solvers in (
        ("auto", [] if is_compiled() else ["cadical195"]),
        ("cadical195", ["cadical195", "cadical195"]),  # once to learn what it can do
    ):
        opened.clear()
        answers = list(solve_all(instance.load_all(path), backend))
        assert [(len(answer.solutions), answer.complete) for answer in answers] == [
            (1, True),
            (2, False),
            (0, True),
            (0, True),
            (1, True),
        ]
        assert opened == solvers, "brief searches need no solver; one solver serves the whole file"


def test_clues_that_leave_several_placements(opened: list[str]) -> None:
    cats = jigsat.load("cats")
    corner = [{"cell": [0, 0], "tile": str(tile)} for tile in (2, 5, 3, 2)]
    hints = [
        *([hint] for hint in corner),
        [],
        [{"cell": [1, 1], "tile": "9", "turn": 0}],
        [corner[0], {"cell": [1, 1], "tile": "9"}],
    ]
    puzzles = [
        parsed(
            **cats.model_dump(exclude_defaults=True, exclude={"name", "hints"}),
            family=cats.family,
            hints=h,
        )
        for h in hints
    ]
    assert max(len(clue) for puzzle in puzzles for clue in puzzle.clues().values()) == 4
    answers = solve_all(puzzles, "cadical195", limit=None)
    found = [{solution.placements for solution in answer.solutions} for answer in answers]
    assert found == [one_by_one(puzzle) for puzzle in puzzles]
    assert {len(solutions) for solutions in found} >= {0, 1, 4}
    assert len(opened) == 2, "once to learn what the backend can do"


def test_puzzles_of_different_kinds_in_one_batch(opened: list[str]) -> None:
    names = ["cats", "cats", "sudoku-6x6", "cube", "sudoku-hard"]
    answers = list(solve_all(map(jigsat.load, names), "cadical195", limit=5))
    assert [(len(answer.solutions), answer.complete) for answer in answers] == [
        (4, True),
        (4, True),
        (1, True),
        (5, False),
        (1, True),
    ]
    assert len(opened) == 5


def test_puzzles_are_solved_lazily() -> None:
    taken = []

    def puzzles() -> Iterator[Puzzle]:
        for name in ("sudoku-6x6", "sudoku-6x6", "sudoku-hard"):
            taken.append(name)
            yield jigsat.load(name)

    answers = solve_all(puzzles())
    assert not taken
    next(answers)
    assert taken == ["sudoku-6x6"]


def test_puzzles_of_a_large_formula_have_solvers_of_their_own(
    opened: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(clues, "MAX_SHARED_DECISIONS", 0)
    grids = ["1...............", "12..34..........", "11" + 14 * ".", "1234............", 16 * "."]
    puzzles = [parsed(family="sudoku", grid=grid) for grid in grids]
    for answer in solve_all(puzzles[:4], limit=None):
        assert answer.complete
        assert {solution.placements for solution in answer.solutions} == one_by_one(answer.puzzle)
    assert len(opened) == 4
    in_order, reversed_ = (list(solve_all(some, up_to="all")) for some in (puzzles, puzzles[::-1]))
    assert in_order == reversed_[::-1], "what is found does not depend on the puzzles before"
    hints = [[{"cell": [0, 0], "tile": tile}] for tile in "23"]
    cats = jigsat.load("cats").model_dump(exclude_defaults=True, exclude={"name"})
    hinted = [parsed(**cats, family="edge-matching", hints=hint) for hint in hints]
    found = [{s.placements for s in each.solutions} for each in solve_all(hinted, limit=None)]
    assert found == list(map(one_by_one, hinted))


def test_a_solver_with_many_more_variables_is_replaced(
    opened: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(clues, "MAX_ADDED_VARIABLES", 1)
    grids = ["1...............", "12..34..........", "11" + 14 * ".", "1234............", 16 * "."]
    puzzles = [parsed(family="sudoku", grid=grid) for grid in grids]
    for answer in solve_all(puzzles, "cadical195", limit=None):
        assert answer.complete
        assert {solution.placements for solution in answer.solutions} == one_by_one(answer.puzzle)
    assert len(opened) == 4, "one to learn what it can do, and one for two puzzles each"


def test_a_backend_without_assumptions_gets_each_puzzle_by_itself(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def opening(name: str) -> Backend:
        solver = open_backend(name)
        solver.capabilities = solver.capabilities._replace(assumptions=False)
        return solver

    monkeypatch.setattr(clues, "open_backend", opening)
    monkeypatch.setattr(
        "jigsat.backends.pysat.PySat.solve", without_assumptions(jigsat.backends.pysat.PySat.solve)
    )
    puzzles = [
        parsed(family="sudoku", grid=grid + "." * 12) for grid in ("1234", "12..", "11..", "1234")
    ]
    for answer in solve_all(puzzles, "cadical195", limit=None):
        assert answer.complete
        assert {solution.placements for solution in answer.solutions} == one_by_one(answer.puzzle)


def without_assumptions(solve: Any) -> Any:
    def refusing(self: Any, assumptions: Any = ()) -> Any:
        assert not assumptions
        return solve(self)

    return refusing


def test_solutions_that_break_a_rule_are_not_returned(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Sudoku, "check", lambda self, placements: iter(["row 1 lacks 9"]))
    with pytest.raises(CheckError, match="row 1 lacks 9"):
        list(solve_all([jigsat.load("sudoku-hard")]))
