"""Clues that complete a puzzle: the given ones are kept, the added ones are minimal, and all
minimal sets are listed."""

from __future__ import annotations

import random
from collections.abc import Collection, Iterator
from itertools import combinations
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.inside import jigsat as command

import jigsat
from jigsat import instance
from jigsat.generation.completions import find_least_number, list_completions

Grid = tuple[int, ...]  # 16 values, 0 for an empty cell


def list_grids() -> list[Grid]:
    """The 288 grids of the 4×4 sudoku, by a plain search."""
    grids: list[Grid] = []

    def sees(cell: int, other: int) -> bool:
        row, column = divmod(cell, 4)
        above, beside = divmod(other, 4)
        return (
            row == above or column == beside or (row // 2, column // 2) == (above // 2, beside // 2)
        )

    def fill(grid: Grid) -> None:
        cell = len(grid)
        if cell == 16:
            grids.append(grid)
            return
        for value in range(1, 5):
            if all(grid[other] != value for other in range(cell) if sees(cell, other)):
                fill((*grid, value))

    fill(())
    return grids


GRIDS = list_grids()


def fits(grid: Grid, clues: Collection[tuple[int, int]]) -> bool:
    return all(grid[cell] == value for cell, value in clues)


def list_by_brute_force(clues: dict[int, int]) -> Iterator[frozenset[tuple[int, int]]]:
    """All minimal sets of cells and values that leave one grid, together with the clues."""
    solutions = [grid for grid in GRIDS if fits(grid, clues.items())]
    for grid in solutions:
        cells = [cell for cell in range(16) if cell not in clues]
        enough: list[frozenset[tuple[int, int]]] = []
        for size in range(len(cells) + 1):
            for chosen in combinations(cells, size):
                added = frozenset((cell, grid[cell]) for cell in chosen)
                if any(fewer <= added for fewer in enough):
                    continue
                if sum(fits(other, added) for other in solutions) == 1:
                    enough.append(added)
        yield from enough


def make_puzzle(clues: dict[int, int]) -> jigsat.Puzzle:
    rows = [
        "".join(str(clues.get(4 * row + column, ".")) for column in range(4)) for row in range(4)
    ]
    return jigsat.load({"family": "sudoku", "grid": rows})


def test_the_plain_search() -> None:
    assert len(GRIDS) == 288


@settings(max_examples=12, deadline=None)
@given(st.integers(0, 10**6))
def test_all_completions_agree_with_brute_force(seed: int) -> None:
    rng = random.Random(seed)
    grid = rng.choice(GRIDS)
    clues = {cell: grid[cell] for cell in rng.sample(range(16), rng.randint(4, 6))}
    expected = list(list_by_brute_force(clues))
    puzzle = make_puzzle(clues)
    if expected == [frozenset()]:
        with pytest.raises(jigsat.InputError, match="exactly one solution already"):
            list(list_completions(puzzle))
        return
    listed = [
        frozenset((4 * cell[0] + cell[1], int(value)) for cell, value in added)
        for added in list_completions(puzzle)
    ]
    assert len(listed) == len(set(listed))
    assert set(listed) == set(expected)
    assert list(map(len, listed)) == sorted(map(len, listed))


def test_four_clues_are_the_fewest_of_a_4x4_sudoku() -> None:
    """A known number: no 4×4 sudoku with three clues has one solution."""
    assert find_least_number(jigsat.load("sudoku-4x4-empty")) == 4


@pytest.mark.parametrize("name", ["sudoku-underconstrained", "cats"])
def test_clues_are_kept_and_each_added_one_is_needed(name: str) -> None:
    incomplete = jigsat.load(name)
    kept = set(incomplete.clues().values())
    (complete,) = jigsat.generate(name, complete=True, seed=3)
    clues = set(complete.clues().values())
    assert clues > kept
    assert jigsat.count(complete, up_to="nothing").solutions == 1
    for added in clues - kept:
        fewer = [placement for clue in clues - {added} for placement in clue]
        assert jigsat.unique(complete.with_clues(fewer), up_to="nothing").unique is False


def test_the_command_completes(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "few.toml"
    instance_text = instance.instance_text(make_puzzle({0: 1, 1: 2, 9: 1}))
    file.write_text(instance_text, encoding="utf-8")
    folder = tmp_path / "all"
    status, _, messages = command(capsys, "generate", file, "--complete", "--all", "-o", folder)
    assert status == 0
    files = sorted(folder.glob("*.toml"))
    assert len(files) == len(set(list_by_brute_force({0: 1, 1: 2, 9: 1})))
    assert f"jigsat: {len(files)} completions, and there are no others" in messages
    assert messages.splitlines()[-1].endswith("fewer than 1 are not enough (proved)")

    status, _, messages = command(
        capsys, "generate", file, "--complete", "--count", "2", "-o", tmp_path / "two"
    )
    assert status == 0
    assert "would be enough" in messages or "not enough (proved)" in messages


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["sudoku", "--complete"], "--complete is for an instance"),
        (["sudoku-hard", "--complete"], "exactly one solution already"),
        (["sudoku-hard", "--complete", "--all", "-o", "x"], "exactly one solution already"),
        (["cats", "--all", "-o", "x"], "add --complete"),
        (["cats", "--complete", "--all"], "name a folder"),
        (["cats", "--complete", "--symmetric"], "leave out clues, symmetric"),
        (
            ["sudoku-underconstrained", "--complete", "--all", "-o", "x"],
            "more than 1,000 solutions",
        ),
    ],
)
def test_requests_that_cannot_be_met(
    arguments: list[str],
    complaint: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    status, out, messages = command(capsys, "generate", *arguments)
    assert (status, out) == (2, "")
    assert complaint in messages
    assert messages.count("\n") == 1
    assert list(tmp_path.iterdir()) == []


def test_an_entry_is_set_once(capsys: pytest.CaptureFixture[str]) -> None:
    done = command(capsys, "generate", "sudoku", "--set", "size=4", "--set", "size=9")
    assert (done.status, done.out) == (2, "")
    assert "--set size: given twice" in done.err
