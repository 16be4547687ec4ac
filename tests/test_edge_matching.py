"""Edge matching against its twin on random instances, and against what is known of the cats."""

from __future__ import annotations

import random
from typing import Any

import pytest
from agreement import assert_agreement, parsed
from hypothesis import event, given, settings
from hypothesis import strategies as st
from twins import Table, edge_matching, faces, rectangle, tile_look

import jigsat
from jigsat.backends import specs

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


@settings(max_examples=260, **OPTIONS)
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
