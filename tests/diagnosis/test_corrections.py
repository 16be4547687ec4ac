"""Single changes that give a puzzle without a solution one: entries that were copied wrongly are
among them."""

from __future__ import annotations

import pytest

import jigsat
from jigsat import instance
from jigsat.diagnosis import unsolvable
from jigsat.diagnosis.unsolvable import reasons
from jigsat.puzzle import Puzzle

PENTOMINOES = {"family": "tiling", "board": "#####\n#####\n#####\n"}


def puzzle(data: dict[str, object]) -> Puzzle:
    return instance.parse(data, name="mine", origin="mine.toml")


def changed(name: str, entry: str, piece: str, value: object) -> Puzzle:
    data = instance.load(name).model_dump(exclude_defaults=True)
    return puzzle(
        {
            **data,
            "family": type(instance.load(name)).family,
            entry: {**data[entry], piece: value},
            "known": {},
        }
    )


def named(wrong: Puzzle) -> list[str]:
    start = "one entry may be wrong: "
    return [
        each.reason.words.removeprefix(start)
        for each in reasons(wrong)
        if not isinstance(each, str) and each.reason.words.startswith(start)
    ]


def test_a_wrong_tooth_is_named() -> None:
    drawn = instance.load("cube").model_dump()["pieces"]["E"]
    wrong = changed("cube", "pieces", "E", drawn.replace(".----.\n#----#", "#----.\n#----#", 1))
    assert not jigsat.count(wrong).solutions
    assert (
        "piece E, row 2, column 1: a gap instead of a tooth would give several solutions"
        in named(wrong)
    )


def test_a_wrong_label_is_named_and_the_number_is_true() -> None:
    board = {
        "family": "edge-matching",
        "board": "square 1x2",
        "matching": [["fox head", "fox tail"], ["hen", "egg"]],
    }
    tiles = {"A": ["hen", "hen", "hen", "hen"], "B": ["fox head", "hen", "hen", "hen"]}
    wrong = puzzle({**board, "tiles": tiles})
    found = named(wrong)
    assert "tile B, top: egg instead of fox head would give 1 solution" in found
    assert found.pop() == "2 other changes would give a solution, too"
    for words in found:
        tile, _, rest = words.removeprefix("tile ").partition(", ")
        side, _, rest = rest.partition(": ")
        label, _, rest = rest.partition(" instead of ")
        entry = list(tiles[tile])
        entry[("top", "right", "bottom", "left").index(side)] = label
        number = jigsat.count(puzzle({**board, "tiles": {**tiles, tile: entry}})).distinct[
            "rotation"
        ]
        assert number and rest.endswith("1 solution" if number == 1 else "several solutions")


def test_a_cell_in_the_wrong_place_is_named() -> None:
    wrong = puzzle(
        {**PENTOMINOES, "pieces": {"F": ".##\n##.\n.#.\n", "I": "#####\n", "L": "####\n#...\n"}}
    )
    assert not jigsat.count(wrong).solutions
    found = named(wrong)
    assert found == ["piece F drawn as '## #. #. #.' would give several solutions"]


def test_nothing_is_named_if_clues_conflict_or_time_is_up(monkeypatch: pytest.MonkeyPatch) -> None:
    assert named(puzzle({"family": "sudoku", "grid": "11" + "." * 79})) == []
    monkeypatch.setattr(unsolvable, "MAX_CORRECTIONS_S", 0.0)
    drawn = instance.load("cube").model_dump()["pieces"]["E"]
    wrong = changed("cube", "pieces", "E", drawn.replace(".----.\n#----#", "#----.\n#----#", 1))
    *_, last = reasons(wrong)
    assert last == "not tried: 100 single changes of a piece"
