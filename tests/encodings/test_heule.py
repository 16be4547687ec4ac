"""The published encodings of framed boards: their clauses compared with all rows of labels, and
their solutions with a twin that lays tiles one by one."""

from __future__ import annotations

import random
from itertools import product
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jigsat.encodings.edge_matching.heule import _turn_freely, _write_pattern
from support.agreement import assert_agreement, parsed
from support.cutting import rarely
from support.quick import cases
from support.tables import rectangle
from support.twins import edge_matching, faced_look

import jigsat
from jigsat.errors import InputError

HEULE = ["heule-compact", "heule-explicit", "heule-forbidden", "heule-all"]


@pytest.mark.parametrize("labels", ["aaab", "aabb", "abab", "baac", "caba", "abcd", "dbca"])
def test_clauses_of_a_tile_hold_for_its_turns_alone(labels: str) -> None:
    """The edges around a cell have one label each, also labels that the tile does not have."""
    known = "abcdxy"
    clauses = list(_turn_freely(lambda side, label: side % 4 * 6 + known.index(label) + 1, labels))
    turns = {labels[i:] + labels[:i] for i in range(4)}
    for shown in product(known, repeat=4):
        true = {side * 6 + known.index(label) + 1 for side, label in enumerate(shown)}
        holds = all(any((x > 0) == (abs(x) in true) for x in clause) for clause in clauses)
        assert holds == ("".join(shown) in turns), (labels, shown)
    assert all(1 <= len(clause) <= 4 for clause in clauses)  # with the tile two to five literals


def plant(rng: random.Random, rows: int, columns: int, labels: str) -> dict[str, list[str]]:
    """The tiles of a framed board with random labels, turned and shuffled."""
    across = {(0, i): "rim" for i in range(columns)} | {(rows, i): "rim" for i in range(columns)}
    down = {(i, 0): "rim" for i in range(rows)} | {(i, columns): "rim" for i in range(rows)}
    tiles = []
    for i, j in product(range(rows), range(columns)):
        top, left = across[i, j], down[i, j]
        bottom = across.setdefault((i + 1, j), rng.choice(labels))
        right = down.setdefault((i, j + 1), rng.choice(labels))
        tile = [top, right, bottom, left]
        turn = rng.randrange(4)
        tiles.append(tile[turn:] + tile[:turn])
    rng.shuffle(tiles)
    return {f"t{i}": tile for i, tile in enumerate(tiles)}


def count_rims(cell: tuple[int, int], size: tuple[int, int]) -> int:
    return sum((i == 0) + (i == number - 1) for i, number in zip(cell, size, strict=True))


@settings(max_examples=cases(20), derandomize=True, deadline=None)
@given(
    seed=st.integers(0, 2**32),
    size=st.sampled_from([(2, 2), (2, 3), (3, 2), (3, 3), (3, 3), (3, 4)]),
    encoding=st.sampled_from(HEULE),
    hinted=rarely,
)
def test_framed_boards_agree_with_the_twin(
    seed: int, size: tuple[int, int], encoding: str, hinted: bool
) -> None:
    rng = random.Random(seed)
    tiles = plant(rng, *size, "abcd"[: rng.randint(2, 4)])
    if rng.random() < 0.2:  # perhaps no solution
        tile = rng.choice([tile for tile in tiles.values() if set(tile) - {"rim"}])
        sides = [i for i, label in enumerate(tile) if label != "rim"]
        tile[rng.choice(sides)] = "e"
    data = FRAMED | {"board": "square {}x{}".format(*size), "tiles": tiles}
    data["encoding"] = encoding
    if hinted:
        tile = rng.choice([*tiles])
        cells = product(range(size[0]), range(size[1]))
        fitting = [cell for cell in cells if count_rims(cell, size) == tiles[tile].count("rim")]
        data["hints"] = [{"cell": list(rng.choice(fitting)), "tile": tile}]

    def look(lying: Any) -> tuple[Any, ...]:
        return faced_look({"sides": tiles[lying.tile]}, lying.turn)

    puzzle = parsed(data)
    assert_agreement(puzzle, edge_matching(data, rectangle(*size)), look)


FACED: dict[str, Any] = {"sides": ["1", "2", "rim", "rim"], "face": "y"}
FRAMED: dict[str, Any] = {
    "family": "edge-matching",
    "board": "square 2x2",
    "frame": "rim",
    "tiles": {
        "a": ["rim", "1", "2", "rim"],
        "b": ["rim", "rim", "3", "1"],
        "c": ["rim", "rim", "2", "4"],
        "d": ["rim", "rim", "4", "3"],
    },
}


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"board": "cube", "frame": None}, "no rectangle"),
        ({"board": "square 1x4"}, "no rectangle"),
        ({"frame": None}, "no frame"),
        ({"turning": False}, "`turning`"),
        ({"matching": [["1", "2"], ["3", "4"], ["rim", "rim"]]}, "`matching`"),
        ({"tiles": {**FRAMED["tiles"], "e": ["1", "2", "3", "4"]}}, "left over"),
        ({"tiles": {**FRAMED["tiles"], "d": FACED, "a": FACED | {"face": "x"}}}, "in their faces"),
    ],
)
@pytest.mark.parametrize("encoding", HEULE)
def test_other_puzzles_are_refused(encoding: str, changes: dict[str, Any], reason: str) -> None:
    """Also if the encoding is changed after the puzzle was read, as comparisons do."""
    data = {key: value for key, value in (FRAMED | changes).items() if value is not None}
    if data["board"] == "cube":
        data["tiles"] = {str(i): ["1", "1", "1", str(i)] for i in range(1, 7)}
    with pytest.raises(InputError, match=f"{encoding} is for framed .*{reason}"):
        parsed(data | {"encoding": encoding})
    puzzle = parsed(data).model_copy(update={"encoding": encoding})
    with pytest.raises(InputError, match=reason):
        puzzle.encode()


def test_patterns_are_read_from_the_first_label() -> None:
    assert _write_pattern(["x", "y", "x", "x"]) == "ABAA"


def test_a_tile_of_the_rim_does_not_lie_inside() -> None:
    rng = random.Random(1)
    data = FRAMED | {"board": "square 3x3", "tiles": plant(rng, 3, 3, "abc")}
    corner = next(name for name, tile in data["tiles"].items() if tile.count("rim") == 2)
    hinted = data | {"hints": [{"cell": [1, 1], "tile": corner}]}
    for encoding in HEULE:
        assert jigsat.count(parsed(data | {"encoding": encoding})).solutions > 0
        assert jigsat.count(parsed(hinted | {"encoding": encoding})).solutions == 0
