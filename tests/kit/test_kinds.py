"""Every kind of puzzle on a grid, compared with plain searches that share nothing with jigsat:
answers, the meaning of clues, symmetries, and checks."""

from __future__ import annotations

import re
from collections.abc import Hashable
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.grid_kinds import plain_answer
from support.kind_files import GRID_KINDS, KINDS, load_kind, name_file
from support.quick import cases

import jigsat
from jigsat.instance import parse
from jigsat.kit import GridPuzzle, Lines, Motion, Values

UNLIMITED = ("minesweeper", "mosaic")
"""A blank grid of these kinds has an answer for every set of its cells."""

MAX_UNLIMITED_CELLS = 9  # of a blank grid whose answers are listed


def read(kind: str, entries: dict[str, Any]) -> GridPuzzle:
    puzzle = parse({"family": kind, **entries}, name="mine", origin="mine.toml")
    assert isinstance(puzzle, GridPuzzle)
    return puzzle


def read_random(kind: str, seed: int) -> GridPuzzle:
    """A random puzzle with not too many answers if it is blank."""
    rng = Random(seed)
    while True:
        puzzle = read(kind, load_kind(kind).draw(rng))
        if kind not in UNLIMITED or puzzle.grid.width * puzzle.grid.height <= MAX_UNLIMITED_CELLS:
            return puzzle


def list_answers(puzzle: GridPuzzle) -> set[frozenset[Any]]:
    found = jigsat.solutions(puzzle, up_to="nothing")
    return {plain_answer(puzzle, solution.placements) for solution in found}


@pytest.mark.parametrize("kind", GRID_KINDS)
def test_every_kind_has_a_file(kind: str) -> None:
    file = name_file(kind)
    assert file.exists(), f"write tests/support/kinds/{file.name} like the others there"
    for name in ("GENERATED_SIZE", "ERRORS", "solve", "draw"):
        assert hasattr(load_kind(kind), name), f"{file.name} needs {name}"


@pytest.mark.parametrize("kind", KINDS)
@settings(max_examples=cases(24), deadline=None)
@given(seed=st.integers(0, 10**6))
def test_the_answers_are_those_of_a_plain_search(kind: str, seed: int) -> None:
    entries = load_kind(kind).draw(Random(seed))
    assert list_answers(read(kind, entries)) == load_kind(kind).solve(entries)


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_the_answers_of_200_puzzles_are_those_of_a_plain_search(kind: str) -> None:
    for seed in range(200):
        entries = load_kind(kind).draw(Random(seed))
        assert list_answers(read(kind, entries)) == load_kind(kind).solve(entries), f"seed {seed}"


@pytest.mark.parametrize("kind", KINDS)
@settings(max_examples=cases(12), deadline=None)
@given(seed=st.integers(0, 10**6))
def test_entries_survive_writing(kind: str, seed: int) -> None:
    puzzle = read(kind, load_kind(kind).draw(Random(seed)))
    for clues in puzzle.clue_layers.values():
        assert type(clues).read(clues.write()) == clues


@pytest.mark.parametrize("kind", KINDS)
@settings(max_examples=cases(12), deadline=None)
@given(seed=st.integers(0, 10**6))
def test_a_declared_motion_permutes_what_the_clues_allow(kind: str, seed: int) -> None:
    """What a clue says is the set of blank answers that it allows. A symmetry permutes these
    sets."""
    puzzle = read_random(kind, seed)
    allowed = sets_allowed(puzzle)
    identity, *motions = puzzle.grid.motions()
    declared = {tuple(symmetry.images.values()) for symmetry in puzzle.symmetries()}
    marks = [mark for layer in puzzle.layers for mark in layer.marks()]
    for motion in motions:
        images = tuple(puzzle.move_mark(mark, motion) for mark in marks)
        if images not in declared:
            continue
        moved = [
            frozenset(
                move_answer(answer, motion, corners=between_corners(puzzle)) for answer in answers
            )
            for answers in allowed
        ]
        assert sorted(map(hash, moved)) == sorted(map(hash, allowed))
    assert identity.level == "rotation"


@pytest.mark.parametrize("kind", KINDS)
@settings(max_examples=cases(12), deadline=None)
@given(seed=st.integers(0, 10**6))
def test_all_motions_of_a_blank_grid_are_declared(kind: str, seed: int) -> None:
    """Unless what is no clue, such as black cells, is not symmetric."""
    puzzle = read_random(kind, seed)
    blank = puzzle.replace_clues({entry: {} for entry in puzzle.clue_layers})
    answers = frozenset(load_kind(kind).solve(blank.model_dump()))
    declared = {tuple(symmetry.images.values()) for symmetry in blank.symmetries()}
    marks = [mark for layer in blank.layers for mark in layer.marks()]
    for motion in list(blank.grid.motions())[1:]:
        images = tuple(blank.move_mark(mark, motion) for mark in marks)
        keeps = (
            frozenset(
                move_answer(answer, motion, corners=between_corners(puzzle)) for answer in answers
            )
            == answers
        )
        if kind in ("nonogram", "skyscrapers"):
            assert images in declared
        assert keeps or images not in declared


def sets_allowed(puzzle: GridPuzzle) -> list[frozenset[Any]]:
    """The answers of the grid without clues, and those that each single clue allows."""
    none: dict[str, dict[Any, Any]] = {entry: {} for entry in puzzle.clue_layers}
    puzzles = [puzzle.replace_clues(none)]
    for entry, clues in puzzle.clue_layers.items():
        for place, value in clues.items():
            puzzles.append(puzzle.replace_clues({**none, entry: {place: value}}))
    solve = load_kind(puzzle.family).solve
    return [frozenset(solve(each.model_dump())) for each in puzzles]


def move_answer(answer: frozenset[Any], motion: Motion, *, corners: bool) -> frozenset[Any]:
    return frozenset(move_item(item, motion, corners=corners) for item in answer)


def move_item(item: Any, motion: Motion, *, corners: bool) -> Hashable:
    """The image of a cell, of a line between two cells or corners, or of one of these with a
    value."""
    one, other = item
    if isinstance(one, int):
        return motion.cell(item)
    if isinstance(one, str):
        return one, move_item(other, motion, corners=corners)
    if isinstance(other, int):
        return move_item(one, motion, corners=corners), other
    move = motion.corner if corners else motion.cell
    return tuple(sorted((move(one), move(other))))


def between_corners(puzzle: GridPuzzle) -> bool:
    """Whether the lines of the answer run from corner to corner."""
    return any(isinstance(layer, Lines) and layer.nodes == "corners" for layer in puzzle.layers)


@pytest.mark.parametrize("kind", KINDS)
def test_faults_name_cells_as_everything_else_does(kind: str) -> None:
    """Not as pairs of numbers that are counted from 0."""
    puzzle = read(kind, load_kind(kind).draw(Random(1)))
    rng = Random(2)
    choices: dict[Any, list[Any]] = {}
    for layer in puzzle.layers:
        for mark in layer.marks():
            choices.setdefault((layer.noun, mark.at), []).append(mark)

    for share in (0, 0.2, 0.5, 1):
        marks = [rng.choice(several) for several in choices.values() if rng.random() < share]
        if any(isinstance(layer, Values) for layer in puzzle.layers):
            marks = [rng.choice(several) for several in choices.values()]
        for fault in puzzle.check(marks):
            assert not re.search(r"\(\d+, \d+\)", fault), fault
