"""Playing by hand: what can be put where, and what a part of a solution breaks without a search."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from random import Random
from typing import Any

import pytest

import jigsat
from jigsat.study.playing import Playing
from jigsat.symmetry import Placement

NAMES = [
    "cats", "fish", "cube", "foam-frame", "pentominoes-6x10", "soma", "black-and-white",
    "sudoku-6x6", "sudoku-jigsaw",
    "court-cards", "latin-4", "crossword-5x5", "dinner", "wedding-small", "push-pull",
    "lights-torus", "exact-cover-toy",
]  # fmt: skip


@cache
def playing(name: str) -> Playing:
    puzzle = jigsat.load(name)
    return Playing(puzzle)


def played(name: str) -> list[Placement]:
    """The placements of a solution that are played by hand."""
    known = {each.placement for each in playing(name).candidates.values()}
    with jigsat.solutions(name, limit=1) as solutions:
        return [placement for placement in next(solutions).placements if placement in known]


@pytest.mark.parametrize("name", NAMES)
def test_a_solution_is_recognised_and_breaks_nothing_on_the_way(name: str) -> None:
    placements = played(name)
    assert playing(name).find_solution(placements) is not None
    assert playing(name).broken_rules(placements[: len(placements) // 2]) == []
    assert playing(name).broken_rules(placements) == []
    assert playing(name).find_solution(placements[1:]) is None


@pytest.mark.parametrize("name", NAMES)
def test_every_place_that_is_played_is_drawn(name: str) -> None:
    puzzle = playing(name).puzzle
    assert "data-places=" in puzzle.svg([])
    assert all(each.places for each in playing(name).candidates.values())


def test_what_is_broken_is_named_with_its_placements_only() -> None:
    game = playing("sudoku-4x4-empty")
    at = {(each.places[0], each.piece): each.placement for each in game.candidates.values()}
    row, far = {at[(0, 0), "1"], at[(0, 3), "1"]}, at[(2, 1), "2"]
    assert [(each.rule, each.placements) for each in game.broken_rules([*row, far])] == [
        ("each digit once per row", row)
    ]
    assert game.copies == {"1": None, "2": None, "3": None, "4": None}


def test_three_faces_without_a_tooth_at_their_corner_are_named_together() -> None:
    """A rule about three pieces, of which any two may be right."""
    game = playing("cube")
    assert game.copies == dict.fromkeys("ABCDEF", 1)
    faces: dict[str, list[Any]] = {"top": [], "front": [], "right": []}
    for candidate in game.candidates.values():
        if candidate.placement.cell in faces:
            faces[candidate.placement.cell].append(candidate.placement)

    def break_together() -> Iterator[list[Any]]:
        one = faces["top"][0]
        for two in faces["front"]:
            if two.piece == one.piece or game.broken_rules([one, two]):
                continue
            for three in faces["right"]:
                if three.piece not in (one.piece, two.piece):
                    placements = [one, two, three]
                    if any(len(broken.placements) == 3 for broken in game.broken_rules(placements)):
                        yield placements

    assert next(break_together(), None)


def test_a_letter_with_which_no_word_begins_is_named() -> None:
    game = playing("crossword-5x5")
    placement = next(
        each.placement for each in game.candidates.values() if each[:2] == ("Q", ((0, 4),))
    )
    assert [broken.placements for broken in game.broken_rules([placement])] == [{placement}]


@pytest.mark.parametrize(
    "name", ["nonogram-heart", "sudoku-4x4-empty", "cats", "slitherlink-4", "nurikabe-4"]
)
def test_a_position_does_not_depend_on_the_moves_before_it(name: str) -> None:
    puzzle = jigsat.load(name)
    rng = Random(1)
    moved = Playing(puzzle)
    marks = [each.placement for each in moved.candidates.values()]
    placements: list[Placement] = []
    for _ in range(15):
        if placements and rng.random() < 0.3:
            placements.remove(rng.choice(placements))
        else:
            placements.append(rng.choice(marks))
        fresh = Playing(puzzle)
        assert describe(moved, placements) == describe(fresh, placements)
        ways = (moved.find_solution(placements), fresh.find_solution(placements))
        assert (ways[0] is None) == (ways[1] is None)


def describe(game: Playing, placements: list[Placement]) -> set[tuple[str, frozenset[Placement]]]:
    return {(each.rule, each.placements) for each in game.broken_rules(placements)}
