"""Clues of puzzles on a grid that conflict, compared with plain searches."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from support.kind_files import load_kind

import jigsat
from jigsat.diagnosis.grid_clues import find_clue_conflict
from jigsat.diagnosis.unsolvable import reasons
from jigsat.errors import InputError
from jigsat.instance import parse
from jigsat.kit import GridPuzzle
from jigsat.questions import FoundReasons


def read(data: dict[str, Any]) -> GridPuzzle:
    puzzle = parse(data, name="mine", origin="the test")
    assert isinstance(puzzle, GridPuzzle)
    return puzzle


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (
            {"family": "mosaic", "numbers": "9...\n....\n....\n3..4"},
            "no answer agrees with number r1c1, whatever the other clues are",
        ),
        (
            {"family": "heyawake", "rooms": {"cells": "AAB\nAAB\nCCC", "numbers": {"A": 4}}},
            "no answer agrees with room A, whatever the other clues are",
        ),
        (
            {"family": "slitherlink", "numbers": "3.3\n.0.\n3.3"},
            "these 2 of 5 clues conflict, and none of them can be left out: number r2c2, "
            "number r3c3",
        ),
        (
            {"family": "norinori", "rooms": "AB\nAB"},
            "there is no answer even without the clues",
        ),
    ],
)
def test_what_conflicts_is_named(data: dict[str, Any], words: str) -> None:
    puzzle = read(data)
    assert jigsat.count(puzzle).solutions == 0
    sentences = [
        reason.reason.words for reason in reasons(puzzle) if isinstance(reason, FoundReasons)
    ]
    assert sentences == [words]


@pytest.mark.parametrize(
    ("rows", "columns", "words"),
    [
        (["1", "1"], ["1", "1"], []),
        (["1", "1 1"], ["1", "1", "2"], ["the rows add up to 3, but the columns to 4"]),
        (["?", "1 1"], ["1", "1", "2"], []),
        (["1", "1 1"], ["2", "2", "?"], ["the rows add up to 3, but the columns to at least 4"]),
        (["?", "3"], ["0", "1", "0"], ["the rows add up to at least 3, but the columns to 1"]),
        (["?", "3"], ["0", "1", "?"], []),
    ],
)
def test_the_totals_of_rows_and_columns_are_compared(
    rows: list[str], columns: list[str], words: list[str]
) -> None:
    puzzle = read({"family": "nonogram", "lengths": {"rows": rows, "columns": columns}})
    assert [reason.words for reason in puzzle.reasons()] == words
    if words:
        assert jigsat.count(puzzle).solutions == 0


def test_numbers_of_tents_are_compared() -> None:
    data = {"family": "tents", "trees": "t..\n...\n..t"}
    puzzle = read({**data, "numbers": {"top": "1 0 2", "left": "1 . 0"}})
    assert not list(puzzle.reasons())
    puzzle = read({**data, "numbers": {"top": "1 0 0", "left": "1 0 1"}})
    assert next(iter(puzzle.reasons())).words == "the rows add up to 2, but the columns to 1"


@pytest.mark.parametrize("kind", ["akari", "mosaic", "skyscrapers", "slitherlink", "tents"])
def test_clues_that_conflict_have_no_answer_and_each_is_needed(kind: str) -> None:
    """Among random puzzles of a kind, by a plain search."""
    plain = load_kind(kind)
    tried = 0
    for seed in range(40):
        puzzle = read({"family": kind, **plain.draw(Random(seed))})
        if tried == 5 or plain.solve(puzzle.model_dump()):
            continue
        tried += 1
        conflict = find_clue_conflict(puzzle)
        assert conflict is not None and conflict.irreducible
        named = {
            (entry, place)
            for entry, clues in puzzle.clue_layers.items()
            for place in clues
            if str(clues.thing(place)) in conflict.names
        }
        for left_out in [None, *named]:
            kept = {
                entry: {x: clues[x] for x in clues if (entry, x) in named - {left_out}}
                for entry, clues in puzzle.clue_layers.items()
                if clues.clue_by_clue
            }
            answers = plain.solve(puzzle.replace_clues(kept).model_dump())
            assert bool(answers) == (left_out is not None)
    assert tried


def judge_by_plain_search(kind: str, puzzle: GridPuzzle) -> tuple[set[str], int]:
    """The clues without which the answers are the same, and the number of answers."""
    solve = load_kind(kind).solve
    answers = len(solve(puzzle.model_dump()))
    redundant = set()
    for entry, clues in puzzle.clue_layers.items():
        for place in clues:
            kept = {other: value for other, value in clues.items() if other != place}
            fewer = puzzle.replace_clues({entry: kept})
            if clues.clue_by_clue and len(solve(fewer.model_dump())) == answers:
                redundant.add(str(clues.thing(place)))
    return redundant, answers


@pytest.mark.parametrize("kind", ["akari", "futoshiki", "heyawake", "slitherlink"])
def test_redundant_clues_are_those_of_a_plain_search(kind: str) -> None:
    rng = Random(5)
    judged = 0
    while judged < 5:
        puzzle = read({"family": kind, **load_kind(kind).draw(rng)})
        redundant, answers = judge_by_plain_search(kind, puzzle)
        if not 0 < answers <= 20:
            continue
        judged += 1
        found = jigsat.judge_clues(puzzle)
        assert set(found.redundant) == redundant
        assert found.solvable

        kept: dict[str, dict[Any, Any]] = {}
        for entry, clues in puzzle.clue_layers.items():
            if clues.clue_by_clue:
                kept[entry] = {
                    place: value
                    for place, value in clues.items()
                    if str(clues.thing(place)) in found.minimal
                }
        fewer = puzzle.replace_clues(kept)
        assert len(load_kind(kind).solve(fewer.model_dump())) == answers


def test_many_answers_are_not_listed_to_judge_clues() -> None:
    puzzle = read({"family": "mosaic", "numbers": "4....\n.....\n....."})
    with pytest.raises(InputError, match="more than 100 solutions"):
        jigsat.judge_clues(puzzle)
