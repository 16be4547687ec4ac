"""Tests of rooms of which cells move to others until one answer is left."""

import random

import pytest

from jigsat.errors import InputError
from jigsat.generation.grids import GridGenerator
from jigsat.generation.moving_rooms import MovingRooms
from jigsat.instance import family
from jigsat.kit import Cell, GridPuzzle, Mark, Rooms, walks

ROOMS = "AAB\nAAB\nAAB"


def read_norinori(drawing: str) -> GridPuzzle:
    kind = family("norinori")
    assert issubclass(kind, GridPuzzle)
    return kind.model_validate({"rooms": drawing})


def shade(*cells: Cell) -> frozenset[Mark]:
    return frozenset(Mark("shaded", cell, "shaded") for cell in cells)


def list_rooms(puzzle: GridPuzzle) -> Rooms:
    rooms = puzzle.clue_layers["rooms"]
    assert isinstance(rooms, Rooms)
    return rooms


def test_a_move_leaves_one_of_the_known_answers() -> None:
    right = shade((0, 0), (1, 0), (0, 2), (1, 2))
    others = [shade((0, 0), (1, 0), (1, 2), (2, 2)), shade((1, 0), (2, 0), (1, 2), (2, 2))]
    rooms = MovingRooms(read_norinori(ROOMS), random.Random(0))
    rooms.remember([right, *others])

    assert rooms.leave_one()
    left = []
    for answer in (right, *others):
        if not list(rooms.puzzle.check(sorted(answer))):
            left.append(answer)
    assert len(left) == 1

    # The rooms are the same ones, and connected.
    changed = list_rooms(rooms.puzzle)
    assert set(changed.cells) == {"A", "B"}
    assert all(len(walks.adjacent_parts(cells)) == 1 for cells in changed.cells.values())


def test_an_answer_of_earlier_rooms_is_known_when_it_is_right_again() -> None:
    one = shade((0, 0), (1, 0), (0, 2), (1, 2))
    other = shade((0, 0), (1, 0), (1, 2), (2, 2))
    rooms = MovingRooms(read_norinori(ROOMS), random.Random(0))
    rooms.remember([one, other])
    assert rooms.leave_one()
    rooms.remember([shade((1, 0), (2, 0), (1, 2), (2, 2))])
    rooms.leave_one()
    right = [answer for answer in (one, other) if not list(rooms.puzzle.check(sorted(answer)))]
    assert len(right) <= 1


@pytest.mark.parametrize("name", ["lits", "norinori", "star-battle"])
def test_a_puzzle_of_usual_size_needs_few_searches(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Before answers were remembered, LITS of 8×8 cells needed hundreds of searches."""
    kind = family(name)
    assert issubclass(kind, GridPuzzle)
    searches = []
    remember = MovingRooms.remember

    def count(rooms: MovingRooms, answers: list[frozenset[Mark]]) -> None:
        searches.append(len(answers))
        remember(rooms, answers)

    monkeypatch.setattr(MovingRooms, "remember", count)
    generator = GridGenerator(kind, 8, 8)
    (puzzle, *_) = next(iter(generator.candidates(random.Random(1))))
    assert isinstance(puzzle, GridPuzzle)
    assert generator.verify(puzzle).solutions == 1
    assert len(searches) < 200


def test_the_rooms_that_move_are_an_entry(monkeypatch: pytest.MonkeyPatch) -> None:
    kind = family("norinori")
    assert issubclass(kind, GridPuzzle)
    monkeypatch.setattr(kind, "moving_rooms", "cages")
    with pytest.raises(InputError, match=r"Norinori\.moving_rooms: there is no entry 'cages'"):
        GridGenerator(kind, 6, 6)
