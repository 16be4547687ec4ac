"""A clue of a puzzle on a grid that may be wrong is named with what it would say."""

from __future__ import annotations

import random
from typing import Any

import pytest
from support.kind_files import load_kind

import jigsat
from jigsat import instance
from jigsat.diagnosis.corrections import list_helpful
from jigsat.diagnosis.unsolvable import collect_reasons
from jigsat.kit import GridPuzzle
from jigsat.puzzle import Puzzle

MAX_SECONDS = 600.0  # more than a loaded machine needs
KINDS = [
    "slitherlink-4",
    "nonogram-heart",
    "skyscrapers-5",
    "kakuro-2",
    "mosaic-4",
    "minesweeper-7",
    "suguru-6",
]


def spoil(puzzle: Any, entry: str, place: Any, value: Any) -> Any:
    """The puzzle with another value of one clue."""
    clues = puzzle.clue_layers[entry]
    changed = clues.with_values({**clues, place: value})
    entries = puzzle.model_dump(exclude_defaults=True, exclude={"known"})
    return type(puzzle).model_validate({**entries, entry: changed})


def count(puzzle: Puzzle) -> int:
    """The number of solutions up to rotation and reflection."""
    result = jigsat.count(puzzle)
    return min([result.solutions, *result.distinct.values()])


def name_changes(puzzle: Puzzle, *, whole: bool = True) -> dict[str, int | None]:
    """The changes by their words, with the number of solutions."""
    *_, (helpful, unfinished) = list_helpful(puzzle, (), MAX_SECONDS)
    assert not (whole and unfinished)
    return {option.change.words: option.number for option in helpful}


def test_all_changes_are_those_of_plain_trying() -> None:
    right = instance.load("slitherlink-4")
    assert isinstance(right, GridPuzzle)
    clues = right.clue_layers["numbers"]
    wrong = spoil(right, "numbers", (1, 3), 3)
    assert not jigsat.count(wrong).solutions

    expected = {}
    for (row, column), given in wrong.clue_layers["numbers"].items():
        for value in range(4):
            if value == given:
                continue
            number = count(spoil(wrong, "numbers", (row, column), value))
            if number:
                words = f"number r{row + 1}c{column + 1}: {value} instead of {given}"
                expected[words] = min(number, 2)
    assert name_changes(wrong) == expected
    assert f"number r2c4: {clues[1, 3]} instead of 3" in expected


def test_a_change_that_gives_one_solution_is_named_and_vague_ones_are_counted() -> None:
    wrong = spoil(instance.load("slitherlink-4"), "numbers", (1, 3), 3)
    *_, why = collect_reasons(wrong)
    words = [reason.reason.words for reason in why.found]
    first = "one entry may be wrong: number r2c4: 1 instead of 3 would give 1 solution"
    others = "one entry may be wrong: 4 other changes would give several solutions"
    assert words[-2:] == [first, others]


def test_two_wrong_clues_are_not_named() -> None:
    """A cell without sides beside one with all four: no single change helps."""
    wrong = instance.parse(
        {"family": "slitherlink", "numbers": "4.....\n4.....\n......\n......\n.....4\n.....4\n"},
        name="mine",
        origin="mine.toml",
    )
    assert not jigsat.count(wrong).solutions
    assert name_changes(wrong) == {}


@pytest.mark.parametrize("name", KINDS)
def test_a_planted_error_is_among_the_changes(name: str) -> None:
    right = instance.load(name)
    assert isinstance(right, GridPuzzle)
    rng = random.Random(name)
    clues = [(entry, place) for entry, layer in right.clue_layers.items() for place in layer]
    rng.shuffle(clues)
    for entry, place in clues:
        layer = right.clue_layers[entry]
        value = layer[place]
        other = value + 1 if isinstance(value, int) else (*value[:-1], value[-1] + 1)
        wrong = spoil(right, entry, place, other)
        if not jigsat.count(wrong).solutions:
            break
    else:
        pytest.fail("each of these changes leaves a solution")
    words = f"{layer.describe_value(value)} instead of {layer.describe_value(other)}"
    planted = f"{layer.thing(place)}: {words}"
    changes = name_changes(wrong, whole=False)
    assert planted in changes
    assert changes[planted] == min(2, count(right))


@pytest.mark.parametrize(
    ("data", "words"),
    [
        ({"family": "shikaku", "numbers": "2..\n.3.\n..3"}, "number r1c1: 3 instead of 2"),
        ({"family": "hitori", "numbers": "113\n231\n312"}, ""),
        ({"family": "numberlink", "ends": "1.2\n2..\n..1"}, "end r2c2 instead of end r2c1"),
        ({"family": "hashi", "islands": "2.2\n...\n.22"}, "number r3c1 instead of number r3c2"),
        (
            {
                "family": "tents",
                "trees": "t...\nt...\n...t",
                "numbers": {"top": "0 1 1 0", "left": "1 0 1"},
            },
            "tree r2c1 left out",
        ),
        (
            {"family": "kakuro", "sums": "# 6\\ 4\\\n\\3 . .\n\\7 . ."},
            "run r1c1 to r2c1 and run r1c2 to r2c2: 6 and 4 exchanged",
        ),
    ],
)
def test_changes_of_what_cannot_be_left_out_are_those_of_plain_search(
    data: dict[str, Any], words: str
) -> None:
    wrong = instance.parse(data, name="mine", origin="mine.toml")
    plain = load_kind(wrong.family)
    expected = {}
    for change in wrong.corrections():
        entries = {**wrong.model_dump(exclude_defaults=True), **change.entries}
        changed = type(wrong).model_validate(entries)
        if plain.solve(changed.model_dump()):
            expected[change.words] = min(count(changed), 2)
    changes = name_changes(wrong)
    assert {each: changes.get(each) for each in expected} == expected
    assert not words or words in expected


def test_changes_that_give_several_solutions_are_not_listed_beside_those_that_give_one() -> None:
    drawing = instance.load("kakuro-5").model_dump()["sums"]
    assert "3\\15" in drawing
    data = {"family": "kakuro", "sums": drawing.replace("3\\15", "3\\14")}
    wrong = instance.parse(data, name="x", origin="x")
    *_, why = collect_reasons(wrong)
    words = [found.reason.words for found in why.found]
    listed = [line for line in words if line.startswith("one entry may be wrong")]
    *shown, last = listed
    assert shown and all("would give 1 solution" in line for line in shown)
    assert last.endswith(": 1 other change would give several solutions")
