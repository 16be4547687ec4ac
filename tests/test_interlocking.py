"""Interlocking faces against their twin on random cubes, and against what is known of the little blue cube."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import Any

import pytest
from agreement import assert_agreement, parsed, picture
from hypothesis import event, given, settings
from hypothesis import strategies as st
from twins import border, interlocking, piece_look, solid

import jigsat
from jigsat.backends import specs
from jigsat.instance import find, read


def drawn(rng: random.Random, teeth: tuple[bool, ...], size: int) -> str:
    """A piece with these teeth, row by row, drawn in some way it may lie."""
    filled = dict(zip(border(size), teeth, strict=True))
    rows = [["#" if filled.get((r, c)) else "." if (r, c) in filled else "-" for c in range(size)] for r in range(size)]
    return "\n".join("".join(row) for row in rows)


def cut(rng: random.Random, size: int, *, turning_over: bool, holes: bool, spoilt: bool, left_over: bool, alike: bool) -> Any:
    """Pieces cut from a cube filled at random; if `alike`, one of its faces is tried out on all of them."""
    table = solid(size)
    teeth: dict[Any, list[bool]] = {cell: [False] * len(slots) for cell, slots in table.cells.items()}
    for slots in table.meeting.values():
        if not (holes and len(slots) == 2 and rng.random() < 0.1):
            cell, i = rng.choice(slots)
            teeth[cell][i] = True
    pieces = {f"P{i}": piece for i, piece in enumerate(rng.sample(list(teeth.values()), 6))}
    if left_over:
        pieces["extra"] = [rng.random() < 0.5 for _ in border(size)] if rng.random() < 0.7 else [*pieces["P0"]]
    if alike:
        for name in rng.sample(sorted(pieces), rng.randint(1, 3)):
            pieces[name] = [*pieces["P1"]]
    if spoilt:
        flipped = rng.choice([*pieces.values()])
        at = rng.randrange(len(flipped))
        flipped[at] = not flipped[at]
    drawings = {}
    for name, piece in pieces.items():
        rows = drawn(rng, tuple(piece), size)
        for turn, over in [(rng.randrange(4), turning_over and rng.random() < 0.5)]:
            look = piece_look(rows.split(), turn, over)
            drawings[name] = drawn(rng, look, size)
    return {
        "family": "interlocking", "board": "cube", "pieces": drawings,
        "turning_over": turning_over, "holes": "allowed" if holes else "forbidden",
    }  # fmt: skip


switch = st.booleans()
rarely = st.integers(0, 3).map(lambda n: n == 3)


@settings(max_examples=110, derandomize=True, deadline=None)
@given(
    seed=st.integers(0, 2**32), size=st.sampled_from([2, 3, 3, 4]), turning_over=switch, holes=switch,
    spoilt=rarely, left_over=rarely, alike=rarely,
)  # fmt: skip
def test_cubes_agree_with_the_twin(seed: int, size: int, **options: bool) -> None:
    data = cut(random.Random(seed), size, **options)

    def look(placement: Any) -> tuple[Any, ...]:
        return piece_look(data["pieces"][placement.piece].split(), placement.turn, placement.flipped)

    found = assert_agreement(parsed(data), replace(interlocking(data), most=150), look)
    event(f"size {size}: {'none' if not found else 'one' if len(found) == 1 else 'some'}")


# The solution printed in the slides, face by face: the piece with the letters for how it was turned, then its border.
PRINTED = """
Top:
B L:
1 1 0 1 0 0
0 - - - - 0
1 - - - - 1
0 - - - - 1
1 - - - - 0
1 1 0 0 1 0
Left:
C R:
0 1 0 1 0 0
1 - - - - 0
0 - - - - 1
0 - - - - 1
1 - - - - 0
1 1 0 0 1 1
Front:
A:
0 0 1 1 0 0
1 - - - - 0
0 - - - - 1
0 - - - - 1
1 - - - - 0
0 1 0 0 1 0
Right:
D I:
1 1 0 0 1 1
1 - - - - 1
0 - - - - 0
0 - - - - 0
1 - - - - 1
1 0 1 1 0 0
Bottom:
E R:
0 0 1 1 0 0
0 - - - - 1
1 - - - - 0
1 - - - - 0
0 - - - - 1
0 0 1 1 0 0
Back:
F R:
0 1 0 0 1 1
0 - - - - 0
1 - - - - 1
1 - - - - 1
0 - - - - 0
0 0 1 0 1 0
"""


def test_the_printed_cube_is_found() -> None:
    lines = PRINTED.split("\n")[1:-1]
    printed = {}
    for i in range(0, len(lines), 8):
        face, piece, rows = lines[i].strip(":").lower(), lines[i + 1].split()[0].strip(":"), lines[i + 2 : i + 8]
        printed[face] = piece, piece_look(["".join(row.split()) for row in rows], 0, flipped=False)

    data = read(find("cube"))
    twin = interlocking(data)
    enumeration = jigsat.solutions("cube", up_to="nothing")
    found = []
    for solution in enumeration:
        names = {placement.cell: placement.piece for placement in solution.placements}
        shown = picture(twin, lambda p: piece_look(data["pieces"][p.piece].split(), p.turn, p.flipped), solution.placements)
        found.append({cell: (names[cell], look) for cell, look in zip(twin.table.cells, shown, strict=True)})
    assert printed in found
    assert len(found) == 96
    assert {cell: look for cell, (_, look) in printed.items()} in [
        dict(zip(twin.table.cells, shown, strict=True)) for shown in twin.solutions()
    ]


@pytest.mark.parametrize("backend", [spec.name for spec in specs() if spec.probe()])
def test_every_backend_finds_the_cubes(backend: str) -> None:
    result = jigsat.count("cube", backend=backend)
    assert (result.solutions, result.distinct, result.complete) == (96, {"rotation": 4, "reflection": 2}, True)
