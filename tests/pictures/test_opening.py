"""The picture of a puzzle before it is solved, and of a part of a solution."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest

import jigsat
from jigsat.pictures import MARK, Part
from jigsat.pictures.unsolved import opening

SHAPE = '<svg xmlns="http://www.w3.org/2000/svg" width="{}" height="50"><circle r="20"/></svg>'


def test_equal_pieces_are_drawn_once_with_their_number_and_nothing_overlaps() -> None:
    parts = [
        Part(SHAPE.format(200), 100.0),
        *[Part(SHAPE.format(50), 20.0)] * 3,
        Part(SHAPE.format(60), 20.0),
    ]
    sheet = ElementTree.fromstring(opening(parts))
    inner = [element for element in sheet if element.tag.endswith("svg")]
    assert len(inner) == 3
    assert [element.text for element in sheet if element.tag.endswith("text")] == ["×3"]
    boxes = [
        [float(element.get(side, 0)) for side in ("x", "y", "width", "height")] for element in inner
    ]
    wide, high = map(float, sheet.get("viewBox", "").split()[2:])
    for i, (x, y, w, h) in enumerate(boxes):
        assert x >= 0 and y >= 0 and x + w <= wide and y + h <= high
        assert all(x + w <= a or a + c <= x or y + h <= b or b + d <= y for a, b, c, d in boxes[:i])


@pytest.mark.parametrize("name", ["cats", "cube"])
def test_more_than_half_of_the_frame_is_filled(name: str) -> None:
    sheet = ElementTree.fromstring(opening(jigsat.load(name).parts()))
    wide, high = map(float, sheet.get("viewBox", "").split()[2:])
    drawn = sum(
        float(each.get("width", 0)) * float(each.get("height", 0))
        for each in sheet
        if each.tag.endswith("svg")
    )
    assert drawn > 0.5 * max(wide, 4 / 3 * high) ** 2 * 3 / 4


def test_a_board_without_loose_pieces_is_drawn_as_it_is() -> None:
    assert opening([Part(SHAPE.format(10), 10.0)]) == SHAPE.format(10)


@pytest.mark.parametrize(
    "name", ["cats", "cube", "pentominoes-3x20", "lights-5x5", "sudoku-4x4-empty"]
)
def test_a_part_of_a_solution_can_be_drawn(name: str) -> None:
    puzzle = jigsat.load(name)
    solution = next(jigsat.solutions(puzzle))
    sizes = [
        len(puzzle.svg(solution.placements[:number])) for number in (0, 1, len(solution.placements))
    ]
    assert sizes == sorted(set(sizes))


def test_the_free_cells_of_a_part_are_not_marked_as_left_over() -> None:
    puzzle = jigsat.load("black-and-white")
    solution = next(jigsat.solutions(puzzle))
    assert "#d22" in puzzle.svg(solution.placements)
    assert "#d22" not in puzzle.svg(solution.placements[:2])
    assert MARK not in puzzle.svg(solution.placements)
