"""Narrow formulas, which some solutions of a puzzle do not meet, compared with plain searches."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import closing
from random import Random
from typing import Any, cast

import pytest
from support.grid_kinds import plain_answer
from support.kind_files import load_kind

import jigsat
from jigsat.instance import parse
from jigsat.kit import GridPuzzle, Mark
from jigsat.search.portfolio import models

KINDS = ("numberlink",)

FULL = [
    {"ends": "1..\n...\n..1"},  # one line through all cells, of many
    {"ends": "12\n..\n12"},
    {"ends": "1...\n2..1\n3..2\n...3"},
    {"ends": "123\n...\n123"},
    {"ends": "1.2\n...\n1.2"},
    {"ends": "1..2\n.3..\n.1..\n3..2"},
    {"ends": "1.2.\n....\n.31.\n...2\n3..."},
]
"""Puzzles in which lines may pass through every cell."""


def read(kind: str, entries: Mapping[str, Any]) -> GridPuzzle:
    puzzle = parse({"family": kind, **entries}, name="mine", origin="mine.toml")
    assert isinstance(puzzle, GridPuzzle)
    return puzzle


def draw(kind: str, number: int) -> list[dict[str, Any]]:
    drawn = [dict(load_kind(kind).draw(Random(seed))) for seed in range(number)]
    return [{**entries, "all_cells": False} for entries in [*drawn, *FULL]]


def list_narrow(puzzle: GridPuzzle) -> list[list[Mark]]:
    """The answers that meet the narrow formula."""
    formula = puzzle.encode_narrow()
    assert formula is not None
    keys = {variable: key for key, variable in formula.decisions_by_key().items()}
    with closing(models(formula, "auto")) as found:
        return [[cast("Mark", keys[variable]) for variable in sorted(x)] for x in found]


@pytest.mark.parametrize("kind", KINDS)
def test_narrow_answers_settle_what_they_claim(kind: str) -> None:
    settled = 0
    for entries in draw(kind, 200):
        puzzle = read(kind, entries)
        answers = load_kind(kind).solve(entries)
        narrow = list_narrow(puzzle)
        assert {plain_answer(puzzle, marks) for marks in narrow} <= answers, entries
        assert bool(narrow) == bool(answers), entries
        if len(narrow) == 1 and puzzle.settles(narrow[0]):
            assert len(answers) == 1, entries
            settled += 1
    assert settled > 5


@pytest.mark.parametrize("kind", KINDS)
def test_puzzles_are_unique_if_a_plain_search_finds_one_answer(kind: str) -> None:
    drawn = draw(kind, 60)
    for entries in drawn:
        answers = load_kind(kind).solve(entries)
        answer = jigsat.unique(read(kind, entries))
        assert answer.complete or len(answer.solutions) == 2, entries
        if len(answers) < 2:
            assert (answer.complete, len(answer.solutions)) == (True, len(answers)), entries
        elif answer.complete:  # the others are images of the first
            assert len(answer.solutions) == 1, entries


def test_every_line_of_numberlink_has_a_shorter_one_or_a_place_in_the_narrow_formula() -> None:
    """Of each set of cells that the answers pass, and that has no smaller one, one is narrow."""
    for entries in draw("numberlink", 100):
        puzzle = read("numberlink", entries)
        answers = load_kind("numberlink").solve(entries)
        narrow = {plain_answer(puzzle, marks) for marks in list_narrow(puzzle)}
        shortest = min(map(len, answers), default=0)
        short = {answer for answer in answers if len(answer) == shortest}
        assert bool(short) == bool(short & narrow), entries


def test_how_a_numberlink_was_settled_is_stated() -> None:
    answer = jigsat.unique("numberlink-8", up_to="nothing")
    assert (answer.unique, answer.established_by) == (True, "refutation and exchange")


def test_lines_that_must_pass_through_every_cell_have_no_narrow_formula() -> None:
    puzzle = read("numberlink", {"ends": "1..\n...\n..1", "all_cells": True})
    assert puzzle.encode_narrow() is None
    assert len(jigsat.unique(puzzle, up_to="nothing").solutions) == 2
