"""Generated tilings: coloured boards, words spelled by the cells left over, and selections of pieces."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from itertools import product
from typing import Any

import pytest
from support.generated import SEEDS, data_of, generated, solution_counts

from jigsat import instance
from jigsat.cli.generate import generate_puzzles
from jigsat.generation.generator import generators
from jigsat.solving.answers import solve_all


@pytest.mark.parametrize("seed", [pytest.param(seed, marks=[pytest.mark.slow] * (seed != 16)) for seed in range(50)])
def test_strips_fit_in_only_one_way(seed: int) -> None:
    puzzle = generated("tiling", seed)
    assert puzzle.known.solutions == 1
    assert solution_counts(puzzle) == [1, 1]
    assert len(strips(data_of(puzzle))) == 1


@pytest.mark.parametrize("requested", [2, 4])
def test_strips_fit_in_the_requested_number_of_ways(requested: int) -> None:
    puzzle = generated("tiling", 1, pieces=THREE_COLOURS, solutions=requested)
    assert puzzle.known.solutions is not None
    assert solution_counts(puzzle) == [requested, requested]
    assert len(strips(data_of(puzzle))) == puzzle.known.solutions


def strips(data: dict[str, Any]) -> list[str]:
    """What the cells that are left over spell, for each way to place the strips on a coloured board, cell by cell."""
    colours = {(r, c): x for r, row in enumerate(data["board"].split()) for c, x in enumerate(row) if x != "."}
    letters = {(r, c): x for r, row in enumerate(data.get("letters", data["board"]).split()) for c, x in enumerate(row)}

    def ways(left: frozenset[tuple[int, int]], there: frozenset[str], over: int) -> Iterator[str]:
        if not left:
            yield ""
            return
        r, c = min(left)
        if over:
            yield from (letters[r, c] + word for word in ways(left - {(r, c)}, there, over - 1))
        for length, (down, across) in product((2, 3), ((0, 1), (1, 0))):
            cells = [(r + i * down, c + i * across) for i in range(length)]
            if left.issuperset(cells):
                shown = "".join(colours[cell] for cell in cells)
                strip = shown if shown in there else shown[::-1]
                if strip in there:
                    yield from ways(left.difference(cells), there - {strip}, over)

    return list(ways(frozenset(colours), frozenset(data["pieces"]), data["left_over"]))


@pytest.mark.parametrize("seed", SEEDS)
def test_the_cells_that_are_left_over_spell_the_word(seed: int) -> None:
    puzzle = generated("tiling", seed, letters="HIDE", pieces=THREE_COLOURS)
    data = data_of(puzzle)
    assert puzzle.known.solutions == 1
    assert strips(data) == ["HIDE"]
    (answer,) = solve_all([puzzle])
    assert str(answer) == "unique, HIDE"


THREE_COLOURS = {strip: strip for strip in ("bwo", "wob", "obw", "bbw", "bw", "wo")}


@pytest.mark.parametrize("letters", ["", "WORD", "HOLIDAY", "JABBERWOCKIES"])
def test_the_board_has_a_cell_for_each_letter(letters: str) -> None:
    options: Any = generators()["tiling"](letters=letters or None)
    blank = options.blank()
    rows = blank.board.split()
    assert blank.empty == (max(1, len(letters)),) * 2
    assert len(rows) <= len(rows[0]) <= 2 * len(rows)
    assert len({len(row) for row in rows}) == 1


def test_the_answer_is_not_in_the_source(capsys: pytest.CaptureFixture[str]) -> None:
    settings = ["letters=NO", "board=bwbw", 'pieces={a="bw"}', "holes=[[0, 1]]"]
    generate_puzzles("tiling", settings=settings)
    data = tomllib.loads(capsys.readouterr().out)
    assert "letters=… " in data["source"]
    assert "holes=… " in data["source"]
    assert strips({**data, "pieces": data["pieces"].values()}) == ["NO"]


@pytest.mark.parametrize("seed", SEEDS)
def test_selected_pieces_fill_the_board_in_only_one_way(seed: int) -> None:
    pieces = {name: piece.shape for name, piece in instance.load("pentominoes-6x10").pieces.items()}  # type: ignore[attr-defined]
    puzzle = generated("tiling", seed, board="#####\n" * 4, pieces=pieces)
    assert puzzle.known.reflection == 1
    assert len(puzzle.pieces) == 4  # type: ignore[attr-defined]
    assert solution_counts(puzzle) == [1, 1]


@pytest.mark.parametrize("pieces", [pytest.param(None, marks=pytest.mark.slow), THREE_COLOURS], ids=str)
@pytest.mark.parametrize("holes", [[(2, 0)], [(0, 0), (2, 3), (2, 1)]], ids=str)
def test_the_cells_that_are_left_over_can_be_requested(holes: list[tuple[int, int]], pieces: dict[str, str] | None) -> None:
    puzzle = generated("tiling", 1, holes=holes, pieces=pieces)
    (solution,) = next(solve_all([puzzle])).solutions
    covered = {cell for placement in solution.placements for cell in placement.cells}
    assert set(puzzle.cells) - covered == set(holes)  # type: ignore[attr-defined]
