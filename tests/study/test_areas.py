"""What is framed for a rule: the places that it is about."""

from __future__ import annotations

import pytest
from jigsat.encodings.killer_sudoku import KillerSudoku
from jigsat.encodings.lits import Lits
from jigsat.encodings.star_battle import StarBattle

from jigsat import instance
from jigsat.facts import WaysLeft
from jigsat.puzzle import Puzzle
from jigsat.study.areas import find_area
from jigsat.study.playing import Playing
from jigsat.study.steps import find_steps


def list_areas(puzzle: Puzzle) -> dict[str, set[object]]:
    """The places of each cage or room, by the name of its rule."""
    playing = Playing(puzzle)
    return {
        name: find_area(playing, name, playing.rules.get(name, ())).places
        for name, thing in playing.formula.things.items()
        if thing.noun in ("cage", "room")
    }


@pytest.mark.parametrize("name", ["killer-sudoku-4", "lits-4", "star-battle-6"])
def test_a_rule_about_a_cage_or_a_room_is_about_all_of_its_cells(name: str) -> None:
    """It is named by its first cell."""
    puzzle = instance.load(name)
    assert isinstance(puzzle, KillerSudoku | Lits | StarBattle)
    areas = puzzle.cages if isinstance(puzzle, KillerSudoku) else puzzle.rooms
    assert list_areas(puzzle) == {
        str(areas.thing(area)): set(cells) for area, cells in areas.cells.items()
    }


def test_a_step_states_which_shapes_a_room_can_have() -> None:
    step = next(iter(find_steps(instance.load("lits-6"))))
    assert isinstance(step.fact, WaysLeft)
