"""Random instances as plain data, cut from random solutions so that many of them can be solved."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

from hypothesis import strategies as st
from support.tables import Table, border, solid
from support.twins import piece_look, tile_look

switch = st.booleans()
rarely = st.integers(0, 3).map(lambda n: n == 3)
mostly = rarely.map(lambda x: not x)


def tiles(
    rng: random.Random, board: str, table: Table, labels: int, **options: bool
) -> dict[str, Any]:
    """An instance cut from a random solution; sometimes corrupted, or with more tiles, or with
    hints that may be wrong."""
    turning = options["turning"]
    if options["paired"]:
        matching = [[f"{i}+", f"{i}-"] for i in range(labels)]
        matching[-1] = ["both"] * 2 if rng.random() < 0.5 else matching[-1]
        partner = {a: b for pair in matching for a, b in (pair, pair[::-1])}
    else:
        partner = {str(i): str(i) for i in range(labels)}
    frame = rng.choice([*partner]) if options["framed"] else None

    around = len(next(iter(table.cells.values())))
    shown: dict[Any, list[str]] = {cell: [""] * around for cell in table.cells}
    for slots in table.meeting.values():
        label = frame if frame and len(slots) == 1 else rng.choice([*partner])
        for (cell, side), value in zip(slots, (label, partner[label]), strict=False):
            shown[cell][side] = value

    data: dict[str, Any] = {
        "family": "edge-matching",
        "board": board,
        "turning": turning,
        "tiles": {},
    }
    lying = {}
    longest = max(1 + max(cell) for cell in shown) if options.get("faced") else 0
    for i, (cell, look) in enumerate(rng.sample(sorted(shown.items()), len(shown))):
        turn = rng.randrange(around) if turning else 0
        lying[cell] = f"t{i}", turn
        data["tiles"][f"t{i}"] = {"sides": list(tile_look(look, -turn))}
        if longest:  # once in each row and column
            data["tiles"][f"t{i}"]["face"] = f"face {sum(cell) % longest}"
    names = list(data["tiles"])
    if rng.random() < 0.2:
        data["tiles"][rng.choice(names)]["sides"][rng.randrange(around)] = rng.choice([*partner])
    if options["reusable"]:
        data["reusable"] = True
        for name in rng.sample(names[1:], rng.randrange(len(names))):
            if rng.random() < 0.7:
                del data["tiles"][name]
    if options["left_over"]:
        for name in "xy"[: rng.randint(1, 2)]:
            data["tiles"][name] = {**data["tiles"]["t0"]}
            if rng.random() < 0.7:
                data["tiles"][name]["sides"] = rng.choices([*partner], k=around)
            if longest and rng.random() < 0.5:
                data["tiles"][name]["face"] = f"face {rng.randint(0, longest)}"
    if rng.random() < 0.3:
        data["tiles"][rng.choice([*data["tiles"]])]["count"] = rng.randint(1, 2)
    if frame and any(frame in tile["sides"] for tile in data["tiles"].values()):
        data["frame"] = frame
    if longest:
        data["latin"] = rng.random() < 0.7
    if options["paired"]:
        data["matching"] = matching
    if options["hinted"]:
        data["hints"] = []
        for cell in rng.sample(sorted(lying), rng.randint(1, min(2, len(lying)))):
            tile, turn = (
                lying[cell]
                if rng.random() < 0.8
                else (rng.choice(names), rng.randrange(around) if turning else 0)
            )
            hint = {"cell": list(cell) if isinstance(cell, tuple) else cell, "tile": tile}
            if tile in data["tiles"]:
                data["hints"].append(hint if rng.random() < 0.4 else {**hint, "turn": turn})
    return data


def pieces(
    rng: random.Random, size: int, table: Table | None = None, board: str = "cube", **options: bool
) -> dict[str, Any]:
    """Pieces cut from a cube, or other squares, filled at random; then some are made equal,
    corrupted, or added."""
    table = table or solid(size)
    teeth: dict[Any, list[bool]] = {
        cell: [False] * len(slots) for cell, slots in table.cells.items()
    }
    for slots in table.meeting.values():
        if not (options["holes"] and len(slots) == 2 and rng.random() < 0.1):
            cell, i = rng.choice(slots)
            teeth[cell][i] = True
    cut = {f"P{i}": piece for i, piece in enumerate(rng.sample(list(teeth.values()), len(teeth)))}
    if options["left_over"]:
        cut["extra"] = (
            [rng.random() < 0.5 for _ in border(size)] if rng.random() < 0.7 else [*cut["P0"]]
        )
    if options["alike"]:
        for name in rng.sample(sorted(cut), rng.randint(1, 3)):
            cut[name] = [*cut["P1"]]
    if options["spoilt"]:
        piece = rng.choice([*cut.values()])
        at = rng.randrange(len(piece))
        piece[at] = not piece[at]
    drawings = {}
    for name, piece in cut.items():
        turn, flipped = rng.randrange(4), options["turning_over"] and rng.random() < 0.5
        drawings[name] = drawn(piece_look(drawn(piece, size).split(), turn, flipped), size)
    return {
        "family": "interlocking",
        "board": board,
        "pieces": drawings,
        "turning_over": options["turning_over"],
        "holes": "allowed" if options["holes"] else "forbidden",
    }


def drawn(teeth: Sequence[Any], size: int) -> str:
    """A piece with these teeth on its border, row by row."""
    shown = dict(zip(border(size), ["#" if tooth else "." for tooth in teeth], strict=True))
    return "\n".join("".join(shown.get((r, c), "-") for c in range(size)) for r in range(size))
