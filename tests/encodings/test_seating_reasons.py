"""Reasons by counting for seatings are true: without them, every seating is tried."""

from __future__ import annotations

import random
from typing import Any

import pytest

import jigsat
from jigsat import Puzzle, instance

NAMES = "abcdefghijklmnopqr"


def seat(tables: str | list[str], guests: int, couples: list[tuple[str, str]]) -> Puzzle:
    must = [{"beside": list(couple)} for couple in couples]
    data = {"family": "seating", "tables": tables, "guests": [*NAMES[:guests]], "must": must}
    return instance.parse(data, name="mine", origin="mine.toml")


def pair_up(number: int) -> list[tuple[str, str]]:
    return [(NAMES[2 * i], NAMES[2 * i + 1]) for i in range(number)]


def test_nine_couples_at_two_sides_of_nine_seats() -> None:
    (reason,) = seat("long 18", 18, pair_up(9)).reasons()
    assert reason.words == (
        "9 pairs of guests must sit beside each other, but there is room for only 8: the rows of "
        "9 and 9 seats leave one over each"
    )
    assert not list(seat("long 20", 18, pair_up(9)).reasons())  # ten seats on each side


def test_a_reason_is_given_only_if_nobody_can_be_seated() -> None:
    rng = random.Random(1)
    given = 0
    for _ in range(40):
        tables = rng.choice(["long 6", "round 3", "rows 2x3", ["round 3", "round 3"], "square 2x3"])
        seats = 3 if tables == "round 3" else 6
        pairs = [tuple(sorted(rng.sample(NAMES[:seats], 2))) for _ in range(rng.randint(1, 4))]
        puzzle = seat(tables, seats, [(one, other) for one, other in sorted(set(pairs))])
        if list(puzzle.reasons()):
            given += 1
            assert not jigsat.count(puzzle).solutions
    couples = seat("long 6", 6, pair_up(3))
    assert list(couples.reasons()) and not jigsat.count(couples).solutions
    assert given


def test_rules_that_are_not_enforced_exclude_nothing() -> None:
    puzzle = seat("long 6", 6, pair_up(3))
    assert not list(puzzle.model_copy(update={"enforced": False}).reasons())


@pytest.mark.parametrize(
    ("tables", "guests", "must", "words"),
    [
        (
            "rows 2x5",
            9,
            [{"beside": [NAMES[i], NAMES[i + 1]]} for i in (0, 1, 3, 4, 6, 7)],
            "there are 9 guests, but because of those who must sit in one row, there is room for "
            "only 6",
        ),
        (
            ["round 3", "round 3"],
            6,
            [{"same_table": [*pair]} for pair in ("ab", "cd", "ef")],
            "there are 6 guests, but because of those who must sit at one table, there is room for "
            "only 4",
        ),
        (
            "rows 3x3",
            5,
            [{"beside": [*pair]} for pair in ("ab", "bc", "cd")],
            "4 guests must sit in one row, where there is room for only 3",
        ),
        (
            ["long 4", "round 3"],
            6,
            [{"across": ["a", "b"]}, {"same_table": ["b", "c", "d", "e"]}],
            "5 guests must sit at one table, where there is room for only 4",
        ),
        (
            {"top": "round 3", "side": "round 5"},
            6,
            [
                {"guest": "a", "table": "top"},
                {"guest": "b", "table": "top"},
                {"beside": ["a", "c"]},
                {"same_table": ["d", "b"]},
                {"guest": "e", "table": "side"},
            ],
            "no seat is left at the top table: it has 3 seats, but 4 guests must sit there: a, b, c and d",
        ),
        (
            {"top": "round 3", "side": "round 5"},
            3,
            [
                {"guest": "a", "table": "top"},
                {"guest": "b", "table": "side", "seat": 1},
                {"same_table": ["a", "b"]},
            ],
            "a and b must sit at the top table, but also at the side table",
        ),
    ],
)
def test_guests_who_must_sit_together_are_counted(
    tables: str | list[str] | dict[str, str], guests: int, must: list[dict[str, Any]], words: str
) -> None:
    data = {"family": "seating", "tables": tables, "guests": [*NAMES[:guests]], "must": must}
    puzzle = instance.parse(data, name="mine", origin="mine.toml")
    assert [reason.words for reason in puzzle.reasons()] == [words]
    result = jigsat.count(puzzle)
    assert (result.solutions, result.complete) == (0, True)
