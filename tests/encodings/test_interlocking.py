"""Interlocking pieces: random cubes against an independent solver, and the known solutions of the
little blue cube."""

from __future__ import annotations

import random
import re
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import event, given, reject, settings
from hypothesis import strategies as st
from support.agreement import assert_agreement, assert_counted, few_and_many, parsed, picture
from support.cutting import pieces, rarely, switch
from support.installed import every_general
from support.quick import cases
from support.twins import TooManyError, interlocking, piece_look

import jigsat
from jigsat.errors import InstanceWarning
from jigsat.instance import find, read_data


@settings(max_examples=cases(60), derandomize=True, deadline=None)
@given(
    seed=st.integers(0, 2**32),
    size=st.sampled_from([2, 3, 3, 4]),
    turning_over=switch,
    holes=switch,
    spoilt=rarely,
    left_over=rarely,
    alike=rarely,
)
def test_cubes_agree_with_the_twin(seed: int, size: int, **options: bool) -> None:
    data = pieces(random.Random(seed), size, **options)

    def look(placement: Any) -> tuple[Any, ...]:
        return piece_look(
            data["pieces"][placement.piece].split(), placement.turn, placement.flipped
        )

    found = assert_agreement(
        parsed(data), replace(interlocking(data), most=100, patience=4000), look
    )
    event(f"size {size}: {'none' if not found else 'one' if len(found) == 1 else 'some'}")


@few_and_many
def test_counts_without_a_list_agree_with_the_twin(number: int) -> None:
    @settings(max_examples=number, derandomize=True, deadline=None)
    @given(
        seed=st.integers(0, 2**32),
        size=st.sampled_from([2, 3, 3, 4]),
        turning_over=switch,
        holes=switch,
        spoilt=rarely,
        left_over=rarely,
        alike=rarely,
    )
    def compare_counts(seed: int, size: int, **options: bool) -> None:
        data = pieces(random.Random(seed), size, **options)
        twin = replace(interlocking(data), most=100, patience=4000)
        try:
            expected = twin.solutions()
        except TooManyError:
            reject()
        assert_counted(parsed(data), len(expected), twin.distinct(expected))

    compare_counts()


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
"""A published solution of the cube. For each face: the piece, the letters for its orientation, and
its border as placed."""


def test_the_printed_cube_is_found() -> None:
    lines = PRINTED.split("\n")[1:-1]
    printed = {}
    for i in range(0, len(lines), 8):
        face, piece, rows = (
            lines[i].strip(":").lower(),
            lines[i + 1].split()[0].strip(":"),
            lines[i + 2 : i + 8],
        )
        printed[face] = piece, piece_look(["".join(row.split()) for row in rows], 0, flipped=False)

    data = read_data(find("cube"))
    twin = interlocking(data)
    enumeration = jigsat.solutions("cube", up_to="nothing")
    found = []
    for solution in enumeration:
        names = {placement.cell: placement.piece for placement in solution.placements}
        shown = picture(
            twin,
            lambda p: piece_look(data["pieces"][p.piece].split(), p.turn, p.flipped),
            solution.placements,
        )
        found.append(
            {cell: (names[cell], look) for cell, look in zip(twin.table.cells, shown, strict=True)}
        )
    assert printed in found
    assert len(found) == 96
    assert {cell: look for cell, (_, look) in printed.items()} in [
        dict(zip(twin.table.cells, shown, strict=True)) for shown in twin.solutions()
    ]


@every_general
def test_every_backend_finds_the_cubes(backend: str) -> None:
    result = jigsat.count("cube", backend=backend)
    assert (result.solutions, result.distinct, result.complete) == (
        96,
        {"rotation": 4, "reflection": 2},
        True,
    )


@pytest.mark.parametrize(
    ("change", "broken"),
    [
        ({"piece": "Z"}, "there is no piece Z"),
        ({"cell": "inside"}, "there is no face inside"),
        ({"piece": "B"}, "piece B is used 2 times, but its count is 1"),
        ({}, None),
    ],
)
def test_the_check_reports_what_is_not_in_the_instance(
    change: dict[str, Any], broken: str | None
) -> None:
    puzzle = jigsat.load("cube")
    (solution,) = jigsat.solutions(puzzle, limit=1)
    changed = [
        placement._replace(**change) if placement.piece == "A" else placement
        for placement in solution.placements
    ]
    faults = list(puzzle.check(changed))
    assert broken in faults if broken else not faults


def test_pictures_show_every_orientation_of_a_symmetric_piece() -> None:
    """Piece A looks the same in two orientations, and the formula has only one of them."""
    puzzle: Any = jigsat.load("cube")
    (solution,) = jigsat.solutions(puzzle, limit=1)
    (lying,) = (placement for placement in solution.placements if placement.piece == "A")
    others = [
        lying._replace(turn=turn, flipped=flipped) for turn in range(4) for flipped in (False, True)
    ]
    changed = [
        [*(p for p in solution.placements if p != lying), other]
        for other in others
        if other not in puzzle.candidates
    ]
    (equal,) = (placements for placements in changed if not list(puzzle.check(placements)))
    for draw in (puzzle.text, puzzle.svg):
        assert draw(equal).count("A") == draw(solution.placements).count("A")


def test_words_on_a_piece_are_where_no_tooth_is_missing() -> None:
    """On a piece of 4×4 small squares that is the middle half."""
    puzzle = jigsat.instance.parse(
        {
            "family": "interlocking",
            "board": "square 1x1",
            "pieces": {"A": ".##.\n.###\n###.\n...."},
        },
        name="one",
        origin="a test",
    )
    for solution in jigsat.solutions(puzzle, up_to="nothing"):
        words = re.findall(
            r'translate\(([-\d.]+),([-\d.]+)\)[^>]*font-size="([\d.]+)"[^>]*>([^<]+)',
            solution.svg(),
        )
        name, arrow, face = words[:3]
        assert (name[3], arrow[3], face[3]) == ("A", "▲", "r1c1")
        for x, y, size, _ in (arrow, face):
            away = max(abs(float(x) - float(name[0])), abs(float(y) - float(name[1])))
            assert away + 0.36 * float(size) <= 0.5 * 75


def test_a_tooth_that_would_fall_off_is_a_warning() -> None:
    data = read_data(find("cube"))
    rows = data["pieces"]["A"].splitlines()
    assert rows[0].startswith("..")
    loose = ["#" + rows[0][1:], "." + rows[1][1:], *rows[2:]]
    data["pieces"]["A"] = "\n".join(loose)
    with pytest.warns(InstanceWarning, match="pieces.A: the tooth at the top left touches no"):
        parsed(data)
    data["pieces"]["A"] = "\n".join(["##" + rows[0][2:], *loose[1:]])
    assert not list(parsed(data).warnings())
