"""Generated seatings: by brute force one seating up to turning and mirroring, and no rule can be
left out."""

from __future__ import annotations

from itertools import permutations
from typing import Any

import pytest
from support.generated import SEEDS, command, data_of, generated, solution_counts


def kept(rule: dict[str, Any], seat: dict[str, tuple[int, int]], size: int) -> bool:
    def near(one: str, other: str, steps: tuple[int, ...]) -> bool:
        (table, a), (also, b) = seat[one], seat[other]
        return table == also and (a - b) % size in steps

    beside, ((kind, names), *_) = (
        (1, size - 1),
        [item for item in rule.items() if item[0] != "guest"],
    )
    match kind:
        case "beside" | "apart":
            return near(*names, beside) == (kind == "beside")
        case "across":
            return near(*names, (size // 2,))
        case "beside_one_of":
            return any(near(rule["guest"], name, beside) for name in names)
        case "same_table" | "not_same_table":
            return (seat[names[0]][0] == seat[names[1]][0]) == (kind == "same_table")
    assert kind == "table"
    return f"table {seat[rule['guest']][0] + 1}" == names


def seatings(data: dict[str, Any], rules: list[dict[str, Any]], size: int) -> int:
    """The number of seatings, by trying all of them."""
    places = [
        (table, number) for table in range(len(data["guests"]) // size) for number in range(size)
    ]
    seated = (dict(zip(data["guests"], order, strict=True)) for order in permutations(places))
    return sum(all(kept(rule, seat, size) for rule in rules) for seat in seated)


@pytest.mark.parametrize(
    ("tables", "size", "turned"),
    [("round 5", 5, 10), ("round 6", 6, 12), (["round 3", "round 3"], 3, 36)],
    ids=str,
)
@pytest.mark.parametrize("seed", SEEDS)
def test_the_rules_force_one_seating_and_each_is_needed(
    seed: int, tables: Any, size: int, turned: int
) -> None:
    puzzle = generated("seating", seed, tables=tables)
    data = data_of(puzzle)
    rules = data["must"]
    assert puzzle.known.solutions == turned == seatings(data, rules, size)
    assert solution_counts(puzzle) == [1, 1]
    for i in range(len(rules)):
        assert seatings(data, rules[:i] + rules[i + 1 :], size) > turned


def test_seats_tell_turned_seatings_apart() -> None:
    puzzle = generated(
        "seating", 0, tables="rows 2x2", rules=("beside", "seat"), guests=["A", "B", "C", "D"]
    )
    assert puzzle.known.solutions == 1


def test_rules_that_cannot_force_a_seating_are_refused() -> None:
    run = command("seating", "--set", "tables=rows 2x3")
    assert run.returncode == 3
    assert "even all rules of these kinds together allow several seatings" in run.stderr
    run = command("seating", "--set", "tables=2 round 4", "--set", 'rules=["beside"]')
    assert run.returncode == 2
    assert "only the rule 'table' tells equal tables apart" in run.stderr
