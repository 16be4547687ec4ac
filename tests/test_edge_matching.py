"""Edge matching against its twin on random instances, and against what is known of the cats."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import Any

import pytest
from agreement import assert_agreement, parsed
from hypothesis import event, given, settings
from hypothesis import strategies as st
from twins import Table, edge_matching, faces, rectangle, tile_look

import jigsat
from jigsat.backends import specs
from jigsat.instance import find, read

OPTIONS = {"derandomize": True, "deadline": None}


def cut(rng: random.Random, board: str, table: Table, labels: int, **options: bool) -> dict[str, Any]:
    """An instance cut from a random solution; then it is sometimes spoilt, given more tiles, or hints that may be wrong."""
    turning = options["turning"]
    if options["paired"]:
        matching = [[f"{i}+", f"{i}-"] for i in range(labels)]
        matching[-1] = ["both"] * 2 if rng.random() < 0.5 else matching[-1]
        partner = {a: b for pair in matching for a, b in (pair, pair[::-1])}
    else:
        partner = {str(i): str(i) for i in range(labels)}
    frame = rng.choice([*partner]) if options["framed"] else None

    shown: dict[Any, list[str]] = {cell: [""] * 4 for cell in table.cells}
    for slots in table.meeting.values():
        label = frame if frame and len(slots) == 1 else rng.choice([*partner])
        for (cell, side), value in zip(slots, (label, partner[label]), strict=False):
            shown[cell][side] = value

    data: dict[str, Any] = {"family": "edge-matching", "board": board, "turning": turning, "tiles": {}}
    lying = {}
    for i, (cell, look) in enumerate(rng.sample(sorted(shown.items()), len(shown))):
        turn = rng.randrange(4) if turning else 0
        lying[cell] = f"t{i}", turn
        data["tiles"][f"t{i}"] = list(tile_look(look, -turn))
    names = list(data["tiles"])
    if rng.random() < 0.2:
        data["tiles"][rng.choice(names)][rng.randrange(4)] = rng.choice([*partner])
    if options["reusable"]:
        data["reusable"] = True
        for name in rng.sample(names[1:], rng.randrange(len(names))):
            if all(name != tile for tile, _ in lying.values() if rng.random() < 0.5):
                del data["tiles"][name]
    if options["left_over"]:
        for name in "xy"[: rng.randint(1, 2)]:
            data["tiles"][name] = rng.choices([*partner], k=4) if rng.random() < 0.7 else data["tiles"]["t0"]
    if rng.random() < 0.3:
        name = rng.choice([*data["tiles"]])
        data["tiles"][name] = {"sides": data["tiles"][name], "count": rng.randint(1, 2)}
    if frame and any(frame in (tile["sides"] if isinstance(tile, dict) else tile) for tile in data["tiles"].values()):
        data["frame"] = frame
    if options["paired"]:
        data["matching"] = matching
    if options["hinted"]:
        data["hints"] = []
        for cell in rng.sample(sorted(lying), rng.randint(1, min(2, len(lying)))):
            tile, turn = lying[cell] if rng.random() < 0.8 else (rng.choice(names), rng.randrange(4) if turning else 0)
            hint = {"cell": list(cell) if isinstance(cell, tuple) else cell, "tile": tile}
            if tile in data["tiles"]:
                data["hints"].append(hint if rng.random() < 0.4 else {**hint, "turn": turn})
    return data


def compare(data: dict[str, Any], table: Table) -> None:
    puzzle, twin = parsed(data), edge_matching(data, table)

    def look(placement: Any) -> tuple[Any, ...]:
        tile = data["tiles"][placement.tile]
        return tile_look(tile["sides"] if isinstance(tile, dict) else tile, placement.turn)

    found = assert_agreement(puzzle, twin, look)
    event(f"solutions: {'none' if not found else 'one' if len(found) == 1 else 'some'}")


switch = st.booleans()
rarely = st.integers(0, 3).map(lambda n: n == 3)


@settings(max_examples=210, **OPTIONS)
@given(
    seed=st.integers(0, 2**32),
    size=st.sampled_from([(1, 1), (1, 2), (2, 1), (1, 4), (2, 2), (2, 2), (2, 3), (3, 2), (3, 3)]),
    paired=switch, framed=switch, hinted=switch, reusable=rarely, left_over=rarely, turning=rarely.map(lambda x: not x),
)  # fmt: skip
def test_boards_agree_with_the_twin(seed: int, size: tuple[int, int], **options: bool) -> None:
    rng = random.Random(seed)
    labels = rng.randint(1, 3) if size[0] * size[1] < 5 else rng.randint(2, 4)
    table = rectangle(*size)
    compare(cut(rng, "square {}x{}".format(*size), table, labels, **options), table)


@settings(max_examples=100, **OPTIONS)
@given(
    seed=st.integers(0, 2**32),
    paired=switch, hinted=rarely, reusable=rarely, left_over=rarely, turning=rarely.map(lambda x: not x),
)  # fmt: skip
def test_cubes_agree_with_the_twin(seed: int, **options: bool) -> None:
    rng = random.Random(seed)
    table = faces()
    compare(cut(rng, "cube", table, rng.randint(2, 4), framed=False, **options), table)


# The four rows printed in the weblog: for each cell, row by row, its tile and how often that is turned counter-clockwise.
PRINTED = """
2, 1, 1, 0, 6, 0, 8, 3, 9, 3, 7, 2, 5, 3, 3, 0, 4, 0
6, 1, 7, 3, 4, 1, 1, 1, 9, 0, 3, 1, 2, 2, 8, 0, 5, 0
4, 2, 3, 2, 5, 1, 7, 0, 9, 1, 8, 1, 6, 2, 1, 2, 2, 3
5, 2, 8, 2, 2, 0, 3, 3, 9, 2, 1, 3, 4, 3, 7, 1, 6, 3
"""


def test_the_cats_are_solved_as_printed() -> None:
    rows = [[int(number) for number in row.split(",")] for row in PRINTED.split("\n") if row]
    printed = {
        tuple((divmod(i, 3), str(tile), -counter_clockwise % 4) for i, (tile, counter_clockwise) in enumerate(pairs))
        for row in rows
        for pairs in [list(zip(row[::2], row[1::2], strict=True))]
    }
    assert len(printed) == 4
    enumeration = jigsat.solutions("cats", up_to="nothing")
    found = {tuple(sorted(solution.placements)) for solution in enumeration}
    assert found == printed
    assert {placement.tile for placements in found for placement in placements if placement.cell == (1, 1)} == {"9"}
    assert (enumeration.result.solutions, enumeration.result.distinct) == (4, {"rotation": 1})


def test_the_cats_agree_with_the_twin() -> None:
    for name in ("cats", "cats-reuse"):
        data = read(find(name))
        twin = replace(edge_matching(data, rectangle(3, 3)), most=2000)
        assert_agreement(jigsat.load(name), twin, lambda lying, data=data: tile_look(data["tiles"][lying.tile], lying.turn))


def test_reusable_cats() -> None:
    result = jigsat.count("cats-reuse")
    assert (result.solutions, result.distinct, result.complete) == (1272, {"rotation": 318}, True)


@pytest.mark.parametrize("backend", [spec.name for spec in specs() if spec.probe()])
def test_every_backend_finds_the_cats(backend: str) -> None:
    result = jigsat.count("cats", backend=backend)
    assert (result.solutions, result.distinct, result.complete) == (4, {"rotation": 1}, True)
