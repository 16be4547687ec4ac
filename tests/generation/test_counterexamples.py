"""Generated tiles, interlocking pieces and lights: their solutions are those of twins and other
backends."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from jigsat.encodings.edge_matching.rules import EdgeMatching
from support import tables, twins
from support.generated import SEEDS, command, data_of, generated, solution_counts

from jigsat.answering.enumeration import Enumeration
from jigsat.errors import InputError, Stopped
from jigsat.generation.generator import GeneratedPuzzle, generate
from jigsat.generation.sources import generators


def test_a_board_with_many_solutions_is_better_than_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("jigsat.generation.counterexamples.MAX_PROPOSALS", 2)
    candidates: list[GeneratedPuzzle] = []
    with pytest.raises(Stopped):
        generator = generators()["edge-matching"](
            board="square 6x6", labels=2, different=False
        ).build_generator()
        candidates.extend(generate(generator, seed=0))
    (best,) = candidates
    advice = "about 12 labels single out one solution, and there are 2"
    assert best.shortcoming == f"it has more than 16 distinct solutions, not 1; {advice}"
    assert sum(1 for _ in Enumeration(best.puzzle, limit=17)) == 17


def test_a_generated_puzzle_has_no_cached_values() -> None:
    """They took more time to send to another process than the rest of the puzzle."""
    puzzle = generated("edge-matching", 0, board="square 2x2", labels=3)
    assert set(puzzle.__dict__) == set(type(puzzle).model_fields)


# -- edge matching


@pytest.mark.parametrize(
    "options",
    [
        {"board": "square 3x3"},
        {"frame": True, "labels": 4},
        {"turning": False, "labels": 4},
        {"board": "cube"},
        {"board": "square 3x3", "labels": "cat,dog,fox", "halves": "head,tail"},
        {"board": "square 3x3", "labels": 3, "halves": ("head", "tail"), "frame": True},
    ],
    ids=str,
)
@pytest.mark.parametrize("seed", SEEDS)
def test_tiles_fit_in_only_one_way(seed: int, options: dict[str, Any]) -> None:
    puzzle = generated("edge-matching", seed, **options)
    board = options.get("board", "square 4x4")
    assert puzzle.known.distinct().get("rotation") == (None if "turning" in options else 1)
    assert (24 if board == "cube" else 4) % (
        puzzle.known.solutions or 0
    ) == 0  # fewer if the solution is symmetric itself
    assert solution_counts(puzzle) == [1, 1]
    if board != "square 4x4":
        twin = twins.edge_matching(
            data_of(puzzle), tables.faces() if board == "cube" else tables.rectangle(3, 3)
        )
        assert len(twin.solutions()) == puzzle.known.solutions


@pytest.mark.parametrize("requested", [2, 3])
@pytest.mark.parametrize("seed", SEEDS)
def test_tiles_fit_in_the_requested_number_of_ways(seed: int, requested: int) -> None:
    puzzle = generated("edge-matching", seed, board="square 3x3", solutions=requested)
    assert solution_counts(puzzle) == [requested, requested]
    assert (
        len(twins.edge_matching(data_of(puzzle), tables.rectangle(3, 3)).solutions())
        == puzzle.known.solutions
    )


def test_hints_do_not_leave_several_solutions() -> None:
    with pytest.raises(ValueError, match="hints leave one solution"):
        generators()["edge-matching"](hints=True, solutions=2)


def test_tiles_and_labels_have_the_given_names() -> None:
    names = ("Ada", "Bob", "Cy", "Di")
    puzzle = generated(
        "edge-matching",
        0,
        board="square 2x2",
        labels=["cat", "dog"],
        halves="head, tail",
        tiles=names,
    )
    data = data_of(puzzle)
    assert tuple(data["tiles"]) == names
    assert data["matching"] == [["cat head", "cat tail"], ["dog head", "dog tail"]]
    assert {label.split()[0] for sides in data["tiles"].values() for label in sides} == {
        "cat",
        "dog",
    }


@pytest.mark.parametrize("seed", SEEDS)
def test_hints_are_needed(seed: int) -> None:
    puzzle = generated(
        "edge-matching", seed, board="square 3x3", labels=2, different=False, hints=True
    )
    assert puzzle.known.solutions == 1
    data = data_of(puzzle)
    assert brute(data) == 1
    for i in range(len(data["hints"])):
        assert brute({**data, "hints": data["hints"][:i] + data["hints"][i + 1 :]}) > 1


def brute(data: dict[str, Any]) -> int:
    """The number of solutions by backtracking; 2 if there are several or the search takes too
    long."""
    twin = replace(twins.edge_matching(data, tables.rectangle(3, 3)), most=1, patience=100_000)
    try:
        return len(twin.solutions())
    except twins.TooManyError:
        return 2


# -- cubes


@pytest.mark.parametrize(
    ("options", "distinct"),
    [
        ({}, 1),
        ({"size": 4}, 1),
        pytest.param({"solutions": 4}, 4, marks=pytest.mark.slow),
        ({"turning_over": False}, 1),
    ],
    ids=str,
)
@pytest.mark.parametrize("seed", SEEDS)
def test_pieces_interlock_in_the_requested_number_of_ways(
    seed: int, options: dict[str, Any], distinct: int
) -> None:
    puzzle = generated("interlocking", seed, **options)
    assert list(puzzle.known.distinct().values())[-1] == distinct
    assert len(puzzle.kinds) == 6  # type: ignore[attr-defined]  # no two are alike
    assert solution_counts(puzzle) == [distinct, distinct]
    for drawing in data_of(puzzle)["pieces"].values():
        for rows in four_turns(tuple(drawing.split())):
            assert (
                rows[0][0] == "." or rows[0][1] + rows[1][0] != ".."
            )  # no tooth at a corner falls off
    twin = replace(twins.interlocking(data_of(puzzle)), patience=1_000_000)
    assert twin.distinct(twin.solutions()) == puzzle.known.distinct()


def four_turns(rows: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    for _ in range(4):
        yield rows
        rows = tuple("".join(column) for column in zip(*rows[::-1], strict=True))


# -- lights


@pytest.mark.parametrize(
    ("board", "presses"), [("square 5x5", 8), ("square 5x5", 10), ("square 4x4", 5), ("cube", 3)]
)
@pytest.mark.parametrize("seed", SEEDS)
def test_lights_take_the_requested_number_of_presses(seed: int, board: str, presses: int) -> None:
    puzzle = generated("lights-out", seed, board=board, presses=presses)
    assert puzzle.known.minimum == presses
    enumeration = Enumeration(puzzle, backend="glucose4", up_to="nothing")
    pressed = [len(solution.placements) for solution in enumeration]
    assert (min(pressed), len(pressed)) == (presses, puzzle.known.solutions)


def test_it_is_proved_that_no_lights_need_that_many_presses(tmp_path: Path) -> None:
    run = command("lights-out", "--set", "presses=16", "-o", tmp_path / "lights.toml")
    assert run.returncode == 3
    assert "there is no such puzzle" in run.stderr


@pytest.mark.parametrize(
    "options", [{"frame": True, "labels": 3}, {"board": "square 3x3", "labels": 3, "hints": True}]
)
@pytest.mark.parametrize("seed", range(3))
def test_tiles_are_all_different_up_to_turning(seed: int, options: dict[str, Any]) -> None:
    puzzle = generated("edge-matching", seed, **options)
    assert isinstance(puzzle, EdgeMatching)
    shown = [tile.sides for tile in puzzle.tiles.values()]
    assert len({max(sides[i:] + sides[:i] for i in range(len(sides))) for sides in shown}) == len(
        shown
    )


def test_too_few_labels_for_different_tiles_are_refused() -> None:
    with pytest.raises(
        InputError,
        match=r"2 labels for 36 tiles of one kind, of which only 6 differ; .* different=false",
    ):
        generators()["edge-matching"](board="square 6x6", labels=2).build_generator()


@pytest.mark.parametrize("presses", [5, 8, 10])
@pytest.mark.parametrize("seed", SEEDS)
def test_no_other_set_of_as_few_presses_puts_the_lights_out(seed: int, presses: int) -> None:
    puzzle = generated("lights-out", seed, presses=presses)
    pressed = [len(solution.placements) for solution in Enumeration(puzzle)]
    assert (min(pressed), pressed.count(min(pressed))) == (presses, 1)
