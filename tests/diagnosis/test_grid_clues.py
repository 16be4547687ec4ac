"""Clues of puzzles on a grid that conflict, compared with plain searches."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

import pytest
from support import inside
from support.kind_files import load_kind

import jigsat
from jigsat import instance
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
            "no answer agrees with room r1c1, whatever the other clues are",
        ),
        (
            {"family": "slitherlink", "numbers": "3.3\n.0.\n3.3"},
            "these 2 of 5 clues conflict, and none of them can be left out: number r2c2, "
            "number r3c1",
        ),
        (
            {"family": "mosaic", "numbers": "9...\n....\n....\n9..4"},
            "no answer agrees with number r1c1, whatever the other clues are; without it there is "
            "none, either, so something else is wrong, too",
        ),
        (
            {"family": "hashi", "islands": "1.1\n...\n.2."},
            "the islands cannot be joined, whatever their numbers are; an island may be in the "
            "wrong place",
        ),
        (
            {"family": "hashi", "islands": "?.?\n...\n.?."},
            "the islands cannot be joined, whatever their numbers are; an island may be in the "
            "wrong place",
        ),
        (
            {"family": "hashi", "islands": "?.?\n...\n?.7"},
            "no answer agrees with number r3c3, whatever the other clues are; if it is right, an "
            "island may be in the wrong place",
        ),
    ],
)
def test_what_conflicts_is_named(data: dict[str, Any], words: str) -> None:
    puzzle = read(data)
    assert jigsat.count(puzzle).solutions == 0
    sentences = [
        reason.reason.words for reason in reasons(puzzle) if isinstance(reason, FoundReasons)
    ]
    assert sentences[0] == words


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (
            {"family": "shikaku", "numbers": "2.\n.1"},
            "the numbers add up to 3, but the board has 4 cells",
        ),
        (
            {"family": "shikaku", "numbers": "4.\n.?"},
            "the numbers add up to at least 5, but the board has 4 cells",
        ),
        (
            {"family": "tents", "trees": "t..\n..t", "numbers": {"top": ". . .", "left": "1 0"}},
            "2 trees, but the rows add up to 1 tent",
        ),
        (
            {"family": "tents", "trees": "t..\n..t", "numbers": {"top": "1 2 .", "left": "1 ."}},
            "2 trees, but the columns add up to at least 3 tents",
        ),
        (
            {"family": "kakuro", "sums": "# 4\\ 6\\\n\\3 . .\n\\8 . ."},
            "the sums down add up to 10, but those to the right to 11",
        ),
        (
            {"family": "kakuro", "sums": "# 4\\ #\n\\3 . .\n# . ."},
            "",
        ),
        (
            {"family": "star-battle", "rooms": "AABB\nAABB\nCCBB\nCCBB"},
            "4 rows, but 3 rooms (A B C)",
        ),
        ({"family": "star-battle", "rooms": "AABB\nAABB\nCCBB"}, "3 rows, but 4 columns"),
    ],
)
def test_totals_of_other_kinds_are_compared(data: dict[str, Any], words: str) -> None:
    """A plain search finds no answer, either."""
    puzzle = read(data)
    assert [reason.words for reason in puzzle.reasons()][:1] == [words] * bool(words)
    if words:
        assert not load_kind(puzzle.family).solve(puzzle.model_dump())


@pytest.mark.parametrize("kind", ["shikaku", "tents", "kakuro", "star-battle"])
def test_no_total_refutes_a_puzzle_with_an_answer(kind: str) -> None:
    plain = load_kind(kind)
    solved = 0
    for seed in range(60):
        puzzle = read({"family": kind, **plain.draw(Random(seed))})
        if plain.solve(puzzle.model_dump()):
            solved += 1
            assert not list(puzzle.reasons())
    assert solved


@pytest.mark.parametrize(
    "data",
    [
        {"family": "norinori", "rooms": "AB\nAB"},
        {"family": "shikaku", "numbers": "4.\n.?"},
        {"family": "hitori", "numbers": "111\n111\n111"},
        {"family": "galaxies", "centres": "o....\n.....\n....."},
        {"family": "numberlink", "ends": "12\n21"},
        {"family": "star-battle", "rooms": "AB\nAB"},
    ],
)
def test_nothing_is_said_of_clues_that_no_one_can_leave_out(data: dict[str, Any]) -> None:
    puzzle = read(data)
    assert jigsat.count(puzzle).solutions == 0
    assert find_clue_conflict(puzzle) is None


def test_rooms_of_a_typed_star_battle_are_counted(tmp_path: Path) -> None:
    typed = tmp_path / "stars.txt"
    typed.write_text("Star battle\nAABB\nAABB\nCCBB\nCCBB\n")
    with pytest.raises(InputError, match=r"4 rows, but 3 rooms \(A B C\)"):
        jigsat.load(typed)


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
    puzzle = read({**data, "numbers": {"top": "1 0 .", "left": "1 . 0"}})
    assert not list(puzzle.reasons())
    puzzle = read({**data, "numbers": {"top": "1 0 0", "left": "1 0 1"}})
    assert [reason.words for reason in puzzle.reasons()] == [
        "2 trees, but the columns add up to 1 tent",
        "the rows add up to 2, but the columns to 1",
    ]


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


@pytest.mark.parametrize(
    ("sums", "words"),
    [
        ("A = 5, B = 13", "cage r1c1 says 5; the largest digit is 4"),
        ("A = 0, B = 13", "cage r1c1 says 0; the smallest digit is 1"),
        ("A = 1, B = 7, C = 8", "cage r3c1 says 8; the sum of 2 different digits is at most 7"),
        ("A = 1, B = 7, C = 2", "cage r3c1 says 2; the sum of 2 different digits is at least 3"),
    ],
)
def test_a_sum_that_no_digits_have(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], sums: str, words: str
) -> None:
    file = tmp_path / "killer.txt"
    file.write_text(f"Killer\nABB.\nBB..\nCC..\n....\n\n{sums}{'' if 'C' in sums else ', C = 5'}\n")
    puzzle = instance.load(file)
    assert words in [reason.words for reason in puzzle.reasons()]
    # A person who typed a letter finds it in the text; the page has no letters.
    lettered = words.replace("cage r1c1", "cage A (at r1c1)").replace(
        "cage r3c1", "cage C (at r3c1)"
    )
    assert f"reason: {lettered}\n" in inside.jigsat(capsys, "solve", file).out
