"""Layers: double lines between far cells, and lines across cells."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

import jigsat
from jigsat.errors import FamilyError
from jigsat.instance import parse, registry
from jigsat.kit import (
    Answer,
    CellNumbers,
    ClueValues,
    GridPuzzle,
    Lines,
    Rules,
    Shading,
    layer,
    walks,
)
from jigsat.testing import check_family


class Diagonals(GridPuzzle):
    """Draw one diagonal in each cell so that no two meet at the middle corner of four cells."""

    family = "some-diagonals"
    size: CellNumbers

    @layer
    def line(self) -> Lines:
        return Lines(self.grid.diagonals, "diagonal", "It is drawn.", nodes="corners")

    def constrain(self, formula: Rules) -> None:
        line = formula[self.line]
        for r, c in self.grid.cells:
            falling, rising = ((r, c), (r + 1, c + 1)), ((r, c + 1), (r + 1, c))
            with formula.rule("each cell has a diagonal", "cell", (r, c)):
                formula.exactly_one([line[falling], line[rising]])
        formula.at_most_one(line.at((1, 1)))

    def find_faults(self, answer: Answer) -> Iterator[str]:
        cells = [tuple(map(min, zip(*pair, strict=True))) for pair in answer[self.line]]
        if sorted(cells) != walks.rectangle(2, 2):
            yield "a cell does not have one diagonal"
        if walks.degrees(answer[self.line]).get((1, 1), 0) > 1:
            yield "diagonals meet in the middle"

    def full_clues(self, answer: Answer) -> ClueValues:
        return {}


@pytest.fixture(autouse=True)
def registered(monkeypatch: pytest.MonkeyPatch) -> None:
    kinds: dict[str, Any] = {Diagonals.family: Diagonals}
    monkeypatch.setattr(registry, "_registered", kinds)


def read(family: str, **entries: Any) -> GridPuzzle:
    puzzle = parse({"family": family, **entries}, name="mine", origin="mine.toml")
    assert isinstance(puzzle, GridPuzzle)
    return puzzle


def test_double_lines_between_far_cells() -> None:
    puzzle = read("hashi", islands="3.3\n...\n1.?")
    (found,) = jigsat.solutions(puzzle, up_to="nothing")
    assert found.text() == "3═══════3\n│       │\n│       │\n│       │\n1       ?"


def test_lines_across_cells() -> None:
    puzzle = read("some-diagonals", size="..\n..")
    check_family(puzzle)
    found = jigsat.solutions(puzzle, up_to="reflection")
    texts = {solution.text() for solution in found}
    assert any("╱" in text and "╲" in text for text in texts)
    assert (found.result.solutions, len(texts)) == (5, 2)


class Forgetful(GridPuzzle):
    """What an author forgets is said as what to write."""

    family = "forgetful"
    numbers: CellNumbers

    def star(self) -> Shading:
        return Shading(self.grid.cells, "star", "There is a star in the cell.", sign="★")

    @layer
    def shaded(self) -> Shading:
        return Shading(self.grid.cells, "shaded", "The cell is shaded.")

    def constrain(self, formula: Rules) -> None:
        if self.title == "no layer":
            formula[self.star]  # type: ignore[index]
        for cell in self.numbers:
            formula.clue(self.numbers, cell)
            formula.clause([formula[self.shaded][cell]])

    def full_clues(self, answer: Answer) -> ClueValues:
        return {}


def test_a_method_without_layer_is_named() -> None:
    puzzle = Forgetful(numbers=CellNumbers.read("1"), title="no layer")
    with pytest.raises(FamilyError, match="star is no layer of answers; write @layer above"):
        puzzle.rules_and_clues()


def test_a_clue_without_a_block_is_named() -> None:
    puzzle = Forgetful(numbers=CellNumbers.read("1"))
    words = r"nothing about the clue number r1c1; add what it says inside `with formula\.clue\("
    with pytest.raises(ValueError, match=words):
        puzzle.rules_and_clues()
