"""Single changes that give a puzzle without a solution one: entries that were copied wrongly are
among them."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from typing import Any

import pytest

import jigsat
from jigsat import instance
from jigsat.diagnosis.corrections import MAX_SHOWN, find_corrections
from jigsat.diagnosis.unsolvable import collect_reasons
from jigsat.puzzle import Correction, Puzzle

Sides = tuple[str, ...]

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
    *_, why = collect_reasons(wrong)
    start = "one entry may be wrong: "
    words = [found.reason.words for found in why.found]
    return [line.removeprefix(start) for line in words if line.startswith(start)]


def test_a_wrong_tooth_is_named() -> None:
    drawn = instance.load("cube").model_dump()["pieces"]["E"]
    wrong = changed("cube", "pieces", "E", drawn.replace(".----.\n#----#", "#----.\n#----#", 1))
    assert not jigsat.count(wrong).solutions
    words = "piece E, row 2, column 1: a gap instead of a tooth would give several solutions"
    assert any(line.startswith(words) for line in named(wrong))


def test_a_wrong_label_is_named_and_the_number_is_true() -> None:
    board = {
        "family": "edge-matching",
        "board": "square 1x2",
        "matching": [["fox head", "fox tail"], ["hen", "egg"]],
    }
    tiles = {"A": ["hen", "hen", "hen", "hen"], "B": ["fox head", "hen", "hen", "hen"]}
    wrong = puzzle({**board, "tiles": tiles})
    found = named(wrong)
    assert found[0].endswith(" would give 1 solution (6 changes are equally likely)")
    words = "tile B, top: egg instead of fox head would give 1 solution"
    assert any(line.startswith(words) for line in found)
    for line in found:
        words = line.partition(" (")[0]
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
    assert found == ["piece F drawn as '## #. #. #.' would give 1 solution"]


def test_nothing_is_named_if_clues_conflict_or_time_is_up() -> None:
    assert named(puzzle({"family": "sudoku", "grid": "11" + "." * 79})) == []
    drawn = instance.load("cube").model_dump()["pieces"]["E"]
    wrong = changed("cube", "pieces", "E", drawn.replace(".----.\n#----#", "#----.\n#----#", 1))
    *_, why = collect_reasons(wrong, seconds=0.0)
    assert why.unfinished == "not tried: 100 single changes"


@pytest.mark.parametrize("seed", range(8))
def test_near_misses_are_the_changes_that_a_plain_search_finds(seed: int) -> None:
    wrong = make_wrong_tiles(random.Random(seed))
    number_of = {}
    for change in wrong.corrections():
        number = count_plainly(apply(wrong, change))
        if number:
            number_of[list_tiles(apply(wrong, change))] = number

    *_, last = find_corrections(wrong, (), seconds=100.0)
    assert not last.unfinished
    by_words = {change.words: change for change in wrong.corrections()}
    found = set()
    for reason in last.reasons:
        words = reason.words.removeprefix("one entry may be wrong: ").partition(" would give ")[0]
        if words in by_words:  # others are only counted
            tiles = list_tiles(apply(wrong, by_words[words]))
            found.add(tiles)
            if number_of[tiles] != 2:  # two may be mirror images of each other
                unique = "would give 1 solution" in reason.words
                assert unique == (number_of[tiles] == 1)
    assert found
    if len(last.reasons) <= MAX_SHOWN:
        assert found == number_of.keys()


def make_wrong_tiles(picked: random.Random) -> Puzzle:
    """Random tiles that fit, of which one label was changed so that there is no solution."""
    kinds: list[dict[str, object]] = [
        {"board": "square 2x3"},
        {"board": "square 2x2", "frame": "a"},
        {"board": "square 2x3", "matching": [["a", "b"], ["c", "d"], ["e", "f"]]},
    ]
    while True:
        data = picked.choice(kinds)
        columns = 2 if "frame" in data else 3
        partners = dict(zip("abcdef", "badcfe" if "matching" in data else "abcdef", strict=True))
        board: list[list[str]] = []
        for place in range(2 * columns):
            row, column = divmod(place, columns)
            sides = picked.choices("abcdef", k=4)
            if row:
                sides[0] = partners[board[place - columns][2]]
            if column:
                sides[3] = partners[board[place - 1][1]]
            if "frame" in data:
                sides[2 if row else 0] = sides[1 if column else 3] = "a"
            board.append(sides)
        picked.choice(board)[picked.randrange(4)] = picked.choice("abcdef")
        board += [picked.choices("abcdef", k=4) for _ in range(picked.choice([0, 0, 1]))]
        tiles = {str(number): sides for number, sides in enumerate(board)}
        wrong = puzzle({"family": "edge-matching", "tiles": tiles, **data})
        if not count_plainly(wrong):
            return wrong


def count_plainly(tiled: Puzzle) -> int:
    """The number of solutions up to rotation, by placing one tile after the other."""
    data: Any = tiled
    rows, columns = map(int, data.board.removeprefix("square ").split("x"))
    partners = {label: label for label in "abcdef"}
    if data.matching != "equal":
        partners = {x: y for pair in data.matching for x, y in (pair, pair[::-1])}
    tiles = [tile.sides for tile in data.tiles.values()]
    boards = set()

    def extend(board: list[Sides], used: set[int]) -> None:
        row, column = divmod(len(board), columns)
        if row == rows:
            boards.add(str(min(turn_board(board, rows, columns))))
            return
        for number, tile in enumerate(tiles):
            for turn in range(0 if number in used else 4):
                sides = tile[turn:] + tile[:turn]
                above = partners[board[-columns][2]] if row else data.frame
                before = partners[board[-1][1]] if column else data.frame
                after = data.frame if column == columns - 1 else None
                below = data.frame if row == rows - 1 else None
                expected = (above, after, below, before)
                if all(x in (None, y) for x, y in zip(expected, sides, strict=True)):
                    extend([*board, sides], {*used, number})

    extend([], set())
    return len(boards)


def turn_board(board: Sequence[Sides], rows: int, columns: int) -> Iterator[list[Sides]]:
    """The board in each way in which it fits its place when it is turned."""
    yield [*board]
    yield [(*sides[2:], *sides[:2]) for sides in reversed(board)]
    if rows == columns:
        first, second, third, fourth = [(sides[3], *sides[:3]) for sides in board]
        turned = [third, first, fourth, second]
        yield turned
        yield [(*sides[2:], *sides[:2]) for sides in reversed(turned)]


def apply(wrong: Puzzle, change: Correction) -> Puzzle:
    entries = {**wrong.model_dump(exclude_defaults=True), **change.entries}
    return type(wrong).model_validate(entries)


def list_tiles(changed: Any) -> str:
    """Equal for tiles that are equal up to turning."""
    tiles = []
    for tile in changed.tiles.values():
        sides = tile.sides
        tiles.append(min(sides[i:] + sides[:i] for i in range(4)))
    return str(sorted(tiles))


def test_another_colour_of_a_cell_is_named() -> None:
    board = {"family": "tiling", "board": "wwb\nbwb\n"}
    wrong = puzzle({**board, "pieces": {"A": "wbb", "B": "bwb"}})
    assert not jigsat.count(wrong).solutions
    assert named(wrong) == ["piece A drawn as 'wwb' would give 1 solution"]
