"""Seating: comparison with a plain count over all seatings, known numbers, symmetries, pictures and
error messages."""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import combinations, permutations
from math import factorial
from typing import Any
from xml.etree import ElementTree

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jigsat.encodings.seating.data import Kept, Seated
from jigsat.encodings.seating.rules import Seating
from support.quick import cases

import jigsat
from jigsat import instance
from jigsat.diagnosis.cores import judge_clues
from jigsat.errors import InputError

Seat = tuple[str, int]
Plan = dict[str, Seat]


def parsed(**data: Any) -> Seating:
    puzzle = instance.parse({"family": "seating", **data}, name="mine", origin="mine.toml")
    assert isinstance(puzzle, Seating)
    return puzzle


def plan_of(placements: tuple[Any, ...]) -> Plan:
    return {
        placement.guest: placement.seat for placement in placements if isinstance(placement, Seated)
    }


# -- the twin: every seating, every rule judged from drawings of the tables

NEIGHBOURS = {
    "round 1": "", "round 2": "12", "round 3": "12 23 31", "round 4": "12 23 34 41",
    "round 5": "12 23 34 45 51",
    "long 2": "", "long 4": "12 34", "rows 2x2": "12 34", "rows 1x3": "12 23",
    "square 2x2": "12 13 24 34",
}  # fmt: skip
ACROSS = {"round 2": "12", "round 4": "13 24", "long 2": "12", "long 4": "14 23"}
SIZES = {"round 1": 1, "round 2": 2, "round 3": 3, "long 2": 2, "rows 1x3": 3, "round 5": 5}


def meets(drawn: dict[str, str], tables: dict[str, str], one: Seat, other: Seat) -> bool:
    pairs = {frozenset(map(int, pair)) for pair in drawn.get(tables[one[0]], "").split()}
    return one[0] == other[0] and {one[1], other[1]} in pairs


def keeps(data: dict[str, Any], rule: dict[str, Any], plan: Plan) -> bool:
    def those(name: str) -> list[str]:
        return (
            [name]
            if name in data["guests"]
            else [guest for guest, groups in data["guests"].items() if name in groups]
        )

    def beside(one: str, other: str) -> bool:
        return meets(NEIGHBOURS, data["tables"], plan[one], plan[other])

    def apart(names: list[str]) -> Iterator[tuple[str, str]]:
        if len(names) == 1:
            yield from combinations(those(names[0]), 2)
        for a, b in combinations(names, 2):
            yield from ((x, y) for x in those(a) for y in those(b) if x != y)

    kind = (
        next(kind for kind in rule if kind not in ("guest", "weight", "seat"))
        if set(rule) - {"guest", "weight", "seat"}
        else "seat"
    )
    names = rule[kind]
    match kind:
        case "apart":
            return not any(beside(*pair) for pair in apart(names))
        case "beside":
            return beside(*names)
        case "across":
            return meets(ACROSS, data["tables"], *(plan[name] for name in names))
        case "beside_one_of":
            return all(
                any(beside(x, y) for name in names for y in those(name))
                for x in those(rule["guest"])
            )
        case "same_table":
            return len({plan[guest][0] for name in names for guest in those(name)}) == 1
        case "not_same_table":
            return all(plan[a][0] != plan[b][0] for a, b in apart(names))
        case "alternate":
            return not any(beside(*pair) for name in names for pair in combinations(those(name), 2))
    wanted = rule.get("table"), rule.get("seat")
    return all(
        w in (None, got)
        for guest in those(rule["guest"])
        for w, got in zip(wanted, plan[guest], strict=True)
    )


def seatings(data: dict[str, Any]) -> list[tuple[Plan, frozenset[str]]]:
    """Every seating in which all rules are kept that must be, with the places of the rules that are
    kept."""
    numbers = {shape: SIZES.get(shape, 4) for shape in data["tables"].values()}
    seats = [
        (name, number)
        for name, shape in data["tables"].items()
        for number in range(1, numbers[shape] + 1)
    ]
    found = []
    for chosen in permutations(seats, len(data["guests"])):
        plan = dict(zip(data["guests"], chosen, strict=True))
        if all(keeps(data, rule, plan) for rule in data["must"]):
            wishes = {
                f"wishes.{i}" for i, rule in enumerate(data["wishes"]) if keeps(data, rule, plan)
            }
            found.append(
                (plan, frozenset(wishes | {f"must.{i}" for i in range(len(data["must"]))}))
            )
    return found


@st.composite
def parties(draw: st.DrawFn) -> dict[str, Any]:
    """Two to five guests in up to two groups, one or two small tables, up to four rules and two
    wishes."""
    rng = random.Random(draw(st.integers(0, 10**6)))
    shapes = rng.choice(
        [[shape] for shape in NEIGHBOURS]
        + [["round 3", "long 2"], ["round 2", "round 2"], ["long 4", "round 1"]]
    )
    room = sum(SIZES.get(shape, 4) for shape in shapes)
    guests = {
        name: rng.sample(["red", "blue"], rng.randint(0, 2))
        for name in "ABCDE"[: rng.randint(1, min(5, room))]
    }
    groups = sorted({group for each in guests.values() for group in each})
    tables = {f"t{i}": shape for i, shape in enumerate(shapes, 1)}

    def rule() -> dict[str, Any]:
        anyone = [*guests, *groups]
        some = rng.sample(anyone, rng.randint(1, min(3, len(anyone))))
        kind = rng.choice(
            [
                "apart",
                "beside",
                "beside_one_of",
                "across",
                "same_table",
                "not_same_table",
                "alternate",
                "table",
                "seat",
            ]
        )
        if kind in ("beside", "across"):
            return {kind: rng.sample([*guests], 2)} if len(guests) > 1 else {"apart": some}
        if kind == "alternate":
            return {kind: groups} if groups else {"same_table": some}
        if kind == "beside_one_of":
            return {"guest": rng.choice(anyone), kind: some}
        if kind == "table":
            return {"guest": rng.choice(anyone), "table": rng.choice([*tables])}
        return {"guest": rng.choice(anyone), "seat": 1} if kind == "seat" else {kind: some}

    wishes = [rule() | {"weight": rng.randint(1, 3)} for _ in range(rng.randint(0, 2))]
    return {
        "tables": tables,
        "guests": guests,
        "must": [rule() for _ in range(rng.randint(0, 3))],
        "wishes": wishes,
    }


@settings(max_examples=cases(60), derandomize=True, deadline=None)
@given(parties())
def test_seatings_and_costs_are_those_of_a_plain_count(data: dict[str, Any]) -> None:
    puzzle, expected = parsed(**data), seatings(data)
    found = [
        solution.placements
        for solution in jigsat.solutions(puzzle, up_to="nothing", backend="cadical195")
    ]
    kept = [
        (plan_of(one), frozenset(fact.rule for fact in one if isinstance(fact, Kept)))
        for one in found
    ]
    key = lambda item: (sorted(item[0].items()), sorted(item[1]))  # noqa: E731
    assert sorted(kept, key=key) == sorted(expected, key=key)
    counted = jigsat.count(puzzle, up_to="all", backend="cadical195")
    assert counted.solutions == len(expected)
    assert not (expected and list(puzzle.reasons()))
    if expected and data["wishes"]:
        weights = {f"wishes.{i}": wish["weight"] for i, wish in enumerate(data["wishes"])}
        cost = min(
            sum(weight for place, weight in weights.items() if place not in kept)
            for _, kept in expected
        )
        assert jigsat.minimum(puzzle).minimum == cost


@settings(max_examples=30, derandomize=True, deadline=None)
@given(parties(), st.randoms(use_true_random=False))
def test_the_checker_agrees_with_the_twin_on_any_seating(
    data: dict[str, Any], rng: random.Random
) -> None:
    puzzle = parsed(**data)
    for _ in range(10):
        chosen = rng.sample(puzzle.seats, len(puzzle.guests))
        plan = dict(zip(puzzle.guests, chosen, strict=True))
        rules = {f"must.{i}": rule for i, rule in enumerate(data["must"])}
        rules |= {f"wishes.{i}": rule for i, rule in enumerate(data["wishes"])}
        kept = {place for place, rule in rules.items() if keeps(data, rule, plan)}
        right = all(place in kept for place in rules if place.startswith("must"))
        placements = [
            *(Seated(guest, seat) for guest, seat in plan.items()),
            *map(Kept, sorted(kept)),
        ]
        assert bool(list(puzzle.check(placements))) != right
        assert list(puzzle.check(placements[1:])), "a guest without a seat"
        assert list(puzzle.check([*placements, placements[0]])), "a guest with two seats"
        if rules:
            place = rng.choice(sorted(rules))
            changed = (
                [one for one in placements if one != Kept(place)]
                if place in kept
                else [*placements, Kept(place)]
            )
            assert list(puzzle.check(changed)), "a wrong statement about a rule"


# -- known numbers


@pytest.mark.parametrize("n", [3, 4, 5, 6, 7])
def test_round_tables(n: int) -> None:
    result = jigsat.count(parsed(tables=f"round {n}", guests=[*"ABCDEFG"[:n]]))
    assert result.solutions == factorial(n)
    assert result.distinct == {"rotation": factorial(n - 1), "reflection": factorial(n - 1) // 2}


@pytest.mark.parametrize(("n", "number"), [(3, 1), (4, 2), (5, 13), (6, 80), (7, 579)])
def test_menage_numbers(n: int, number: int) -> None:
    must = [
        rule
        for i in range(n)
        for rule in ({"guest": f"w{i}", "seat": 2 * i + 1}, {"apart": [f"w{i}", f"h{i}"]})
    ]
    puzzle = parsed(
        tables=f"round {2 * n}", guests=[f"{who}{i}" for who in "wh" for i in range(n)], must=must
    )
    assert jigsat.count(puzzle).solutions == number


def test_the_dinner_by_a_plain_count() -> None:
    """Alex has seat 0; a turn of the table brings Alex to any other seat."""
    others = ["Bob", "Cathy", "Dave", "Edgar", "Fiona", "George", "Helen"]
    number = 0
    for order in permutations(others):
        seat = {name: i for i, name in enumerate(("Alex", *order))}

        def beside(one: str, other: str, seat: dict[str, int] = seat) -> bool:
            return (seat[one] - seat[other]) % 8 in (1, 7)

        number += (
            not beside("Alex", "Bob")
            and (beside("Bob", "Cathy") or beside("Bob", "Dave"))
            and beside("Dave", "Alex")
            and not beside("Dave", "Edgar")
        )
    dinner = jigsat.load("dinner")
    assert 8 * number == dinner.known.solutions == 4320


def test_the_small_wedding_by_a_plain_count() -> None:
    puzzle = jigsat.load("wedding-small")
    assert isinstance(puzzle, Seating)
    guests = {name: list(groups) for name, groups in puzzle.guests.items()}
    rules = [rule.model_dump(exclude_none=True) for rule in puzzle.must]
    wishes = [wish.model_dump(exclude_none=True) for wish in puzzle.wishes]
    data = {"tables": dict(puzzle.tables), "guests": guests, "must": rules, "wishes": wishes}
    couple, rest = {}, []
    for seats in permutations(puzzle.seats, 2):  # first the couple, so that few seatings are left
        plan = dict(zip(("Bride", "Groom"), seats, strict=True))
        couple[seats] = keeps(data, rules[0], plan) and keeps(data, rules[1], plan)
    for seats in (seats for seats, fits in couple.items() if fits):
        free = [seat for seat in puzzle.seats if seat not in seats]
        for chosen in permutations(free, len(guests) - 2):
            plan = dict(zip(guests, (*seats, *chosen), strict=True))
            if keeps(data, rules[2], plan) and keeps(data, rules[3], plan):
                rest.append(sum(wish["weight"] for wish in wishes if not keeps(data, wish, plan)))
    assert (len(rest), min(rest)) == (puzzle.known.solutions, puzzle.known.minimum)


def test_rules_that_conflict_are_named() -> None:
    found = judge_clues(jigsat.load("dinner-impossible"))
    assert found.core and found.core.smallest
    assert found.core.names == [
        "must.0 (Ada and Bela sit beside each other)",
        "must.1 (Cyd and Dora do not sit beside each other)",
        "must.3 (Emil and Fay sit across from each other)",
    ]


# -- symmetries


def test_equal_tables_are_exchanged_unless_a_rule_names_one() -> None:
    two = {"tables": ["round 3", "round 3"], "guests": [*"ABCDEF"]}
    assert jigsat.explain(parsed(**two)).symmetries == {"rotation": 9, "reflection": 36, "all": 72}
    assert jigsat.count(parsed(**two)).distinct == {"rotation": 80, "reflection": 20, "all": 10}
    at = parsed(**two, must=[{"guest": "A", "table": "table 1"}])
    assert jigsat.explain(at).symmetries == {"rotation": 9, "reflection": 36}
    seat = parsed(**two, must=[{"guest": "A", "table": "table 1", "seat": 2}])
    assert jigsat.explain(seat).symmetries == {"rotation": 3, "reflection": 12}
    anywhere = parsed(**two, must=[{"guest": "A", "seat": 1}])
    assert jigsat.explain(anywhere).symmetries == {"reflection": 4, "all": 8}


def test_symmetries_that_are_too_many_to_list_are_left_out() -> None:
    many = parsed(tables="15 round 8", guests=["A", "B"])
    assert jigsat.explain(many).symmetries == {}
    assert jigsat.explain(parsed(tables="2 round 20", guests=[*"ABCDEFGH"])).symmetries == {
        "rotation": 400,
        "reflection": 1600,
    }


@pytest.mark.parametrize(
    ("tables", "orders"),
    [
        ("round 1", {}),
        ("round 2", {"rotation": 2}),
        ("long 2", {"rotation": 2}),
        ("long 6", {"rotation": 2, "reflection": 4}),
        ("rows 2x3", {"reflection": 2}),
        ("square 2x2", {"rotation": 4, "reflection": 8}),
        ("hexagon 2", {"rotation": 6, "reflection": 12}),
    ],
)
def test_symmetries_of_tables(tables: str, orders: dict[str, int]) -> None:
    assert jigsat.explain(parsed(tables=tables, guests=["A"])).symmetries == orders


# -- files, pictures and errors


def test_tables_and_guests_can_be_written_in_several_ways() -> None:
    assert (
        parsed(tables="2 round 3", guests=["A"]).digest()
        == parsed(tables=["round 3"] * 2, guests={"A": []}).digest()
    )
    assert parsed(tables={"x": "round 3"}, guests={"A": "red"}).groups == {"red": ["A"]}


def test_pictures_show_names_wishes_and_empty_chairs() -> None:
    puzzle = parsed(
        tables="2 long 2", guests=["Ann <&>", "Ben"], wishes=[{"same_table": ["Ann <&>", "Ben"]}]
    )
    best = next(jigsat.solutions(puzzle, minimize=True))
    other = next(
        one
        for one in jigsat.solutions(puzzle, up_to="nothing")
        if Kept("wishes.0") not in one.placements
    )
    assert "not kept" not in best.text()
    assert other.text().endswith("not kept: Ann <&> and Ben sit at the same table (a wish)")
    drawn = ElementTree.fromstring(other.svg())
    texts = [text.text for text in drawn.findall("{*}text")]
    assert {
        "Ann <&>",
        "Ben",
        "table 1",
        "table 2",
        "not kept: Ann <&> and Ben sit at the same table (a wish)",
    } <= set(texts)
    assert len(drawn.findall("{*}polygon")) == 4 + 2


def test_printed_rules_tell_wishes_from_rules() -> None:
    entries = {
        "tables": {"window": "round 4", "door": "round 4"},
        "guests": {"Ann": [], "Ben": "rowers", "Cleo": "rowers"},
        "must": [{"guest": "Ann", "table": "window"}, {"apart": ["rowers"]}],
    }
    heavy, light = {"beside": ["Ann", "Ben"], "weight": 3}, {"beside": ["Ann", "Cleo"]}
    *_, first, points, guests, group, rules, wishes = parsed(
        **entries, wishes=[light, heavy]
    ).rules()
    assert first == "All sentences under “Rules” are true of the seating."
    assert points.endswith("Find the seating that costs the fewest points in all.")
    assert (guests, group) == ("Guests: Ann, Ben, Cleo.", "Group rowers: Ben, Cleo.")
    assert rules.splitlines() == [
        "Rules",
        "Ann must sit at the window table.",
        "The rowers do not sit beside each other.",
    ]
    assert wishes.splitlines() == [
        "Wishes",
        "Ann and Ben sit beside each other (3 points).",
        "Ann and Cleo sit beside each other (1 point).",
    ]
    *_, wishes = parsed(**entries, wishes=[light]).rules()
    assert wishes == "Wishes\nAnn and Cleo sit beside each other."


@pytest.mark.parametrize(
    ("data", "complaint"),
    [
        (
            {"tables": "round 2", "guests": [*"ABC"]},
            "guests: 3 guests, but the tables have only 2 seats",
        ),
        ({"tables": "round 0"}, "tables.table: the table 'round 0' has no seats; write 'round 8'"),
        ({"tables": "long 5"}, "tables.table: the table 'long 5' has an odd number of seats"),
        ({"tables": "8"}, "tables.table: unknown table '8'; write 'round 8'"),
        (
            {"tables": "sqare 3x3"},
            "tables.table: unknown board 'sqare 3x3'; did you mean 'square 3x3'?",
        ),
        ({"tables": "999 round 999"}, "are too many; the limit for their product is 1,000,000"),
        ({"tables": "oval 8"}, "tables.table: unknown table 'oval 8'; write 'round 8'"),
        ({"tables": {" ": "round 8"}}, "tables: a name is empty"),
        ({"guests": ["A", "A"]}, "guests: a name is given twice"),
        ({"guests": ["A", 1]}, "guests: expected names in quotes; got 1"),
        ({"guests": ["A", ""]}, "guests: a name is empty"),
        ({"guests": {"A": "A"}}, "guests: 'A' is a guest and a group"),
        ({"must": [{"apart": ["A", "Bo"]}]}, "must.0: 'Bo' is neither a guest nor a group"),
        (
            {"must": [{"beside": ["A", "red"]}]},
            "must.0: 'red' is a group, and this rule is about two guests",
        ),
        (
            {"wishes": [{"alternate": ["A"]}]},
            "wishes.0: 'A' is a guest, but only groups can alternate",
        ),
        ({"must": [{"guest": "A", "table": "x"}]}, "must.0: unknown table 'x'; use one of 'table'"),
        ({"must": [{"guest": "A", "seat": 9}]}, "must.0: there is no seat 9"),
        (
            {"must": [{"guest": "A", "apart": ["A", "B"]}]},
            "must.0: a rule with apart has no `guest`",
        ),
        ({"must": [{"seat": 3}]}, "must.0: a rule with table or seat needs `guest`"),
        ({"must": [{"apart": ["A", "A"]}]}, "must.0: a name is given twice"),
        ({"must": [{}]}, "must.0: a rule has either one of apart, beside,"),
        ({"must": [{"apart": ["A", "B"], "weight": 2}]}, "must.0: unknown entry 'weight'"),
    ],
)
def test_wrong_entries_are_refused(data: dict[str, Any], complaint: str) -> None:
    with pytest.raises(InputError) as caught:
        parsed(**{"tables": "round 4", "guests": {"A": ["red"], "B": []}, **data})
    assert complaint in str(caught.value)
    assert "\n" not in str(caught.value)
