"""Exact cover with colours: comparison with a plain count over all sets of options, Knuth's
examples, and error messages."""

from __future__ import annotations

import random
from itertools import combinations, permutations
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jigsat.encodings.exact_cover.data import Chosen
from jigsat.encodings.exact_cover.rules import ExactCover
from support.quick import cases

import jigsat
from jigsat import instance
from jigsat.errors import InputError


def parsed(**data: Any) -> ExactCover:
    puzzle = instance.parse({"family": "exact-cover", **data}, name="mine", origin="mine.toml")
    assert isinstance(puzzle, ExactCover)
    return puzzle


def covers(data: dict[str, Any], chosen: tuple[int, ...]) -> bool:
    """Whether the options of these numbers, counted from 1, cover the items."""
    words = [word.split(":") for number in chosen for word in data["options"][number - 1].split()]
    for item in data["items"]:
        if sum(word[0] == item for word in words) != 1:
            return False
    for item in data["secondary"]:
        shown = [word[1:] for word in words if word[0] == item]
        if any(a == [] or b == [] or a != b for a, b in combinations(shown, 2)):
            return False
    return True


def solutions(data: dict[str, Any]) -> set[tuple[int, ...]]:
    numbers = range(1, len(data["options"]) + 1)
    return {
        chosen
        for k in range(len(numbers) + 1)
        for chosen in combinations(numbers, k)
        if covers(data, chosen)
    }


@st.composite
def problems(draw: st.DrawFn) -> dict[str, Any]:
    """One to four items, up to three secondary ones, up to nine options, some of them alike."""
    rng = random.Random(draw(st.integers(0, 10**6)))
    items, secondary = [*"abcd"[: rng.randint(1, 4)]], [*"xyz"[: rng.randint(0, 3)]]
    colours = rng.choice([[""], ["", ":1"], [":1", ":2"], ["", ":1", ":2"]])
    options = []
    for _ in range(rng.randint(0, 9)):
        words = rng.sample(items, rng.randint(1, min(2, len(items))))
        words += [item + rng.choice(colours) for item in secondary if rng.random() < 0.4]
        options.append(" ".join(rng.sample(words, len(words))))
    return {"items": items, "secondary": secondary, "options": options}


@settings(max_examples=cases(80), derandomize=True, deadline=None)
@given(problems(), st.sampled_from(["cadical195", "auto"]))
def test_covers_are_those_of_a_plain_count(data: dict[str, Any], backend: str) -> None:
    expected = solutions(data)
    enumeration = jigsat.solutions(parsed(**data), backend=backend)
    found = [tuple(sorted(option for option, _ in solution.placements)) for solution in enumeration]
    assert (len(found), set(found), enumeration.result.complete) == (len(expected), expected, True)
    assert jigsat.count(parsed(**data)).solutions == len(expected)


@settings(max_examples=cases(40), derandomize=True, deadline=None)
@given(problems(), st.randoms(use_true_random=False))
def test_the_checker_agrees_with_the_twin_on_any_options(
    data: dict[str, Any], rng: random.Random
) -> None:
    puzzle, expected = parsed(**data), solutions(data)
    for _ in range(10):
        chosen = tuple(
            sorted(
                rng.sample(range(1, len(data["options"]) + 1), rng.randint(0, len(data["options"])))
            )
        )
        placements = [puzzle.choices[number - 1] for number in chosen]
        assert bool(list(puzzle.check(placements))) == (chosen not in expected)
        if placements:
            assert list(puzzle.check([*placements, placements[0]])), "an option twice"
            assert list(puzzle.check([Chosen(chosen[0], "other"), *placements[1:]])), "other items"
    assert list(puzzle.check([Chosen(99, "a")]))


@pytest.mark.parametrize("name", ["exact-cover-toy", "exact-cover-colours"])
def test_the_printed_examples_by_a_plain_count(name: str) -> None:
    puzzle = jigsat.load(name)
    assert isinstance(puzzle, ExactCover)
    data = {"items": puzzle.items, "secondary": puzzle.secondary, "options": puzzle.options}
    assert len(solutions(data)) == puzzle.known.solutions == 1


def test_queens_by_permutations() -> None:
    apart = (
        all(abs(a - b) != j - i for (i, a), (j, b) in combinations(enumerate(p), 2))
        for p in permutations(range(8))
    )
    assert sum(apart) == jigsat.count("queens-8").solutions == 92


@pytest.mark.parametrize(
    ("data", "complaint"),
    [
        ({"items": "a a"}, "items: 'a' is given twice"),
        ({"items": "a", "secondary": "a"}, "secondary: 'a' is given twice"),
        ({"items": "a:b"}, "items: 'a:b' is not a valid item name"),
        ({"options": ["a foo"]}, "options: option 1: unknown item 'foo'"),
        (
            {"options": ["b", "a:1"]},
            "options: option 2: 'a:1' has a colour, but only secondary items have colours",
        ),
        ({"options": ["a x:"]}, "options: option 1: 'x:' has an empty colour"),
        ({"options": ["a a"]}, "options: option 1: the item 'a' is given twice"),
        ({"options": ["x:1"]}, "options: option 1 has no primary item"),
    ],
)
def test_wrong_entries_are_refused(data: dict[str, Any], complaint: str) -> None:
    with pytest.raises(InputError) as caught:
        parsed(**{"items": "a b", "secondary": "x", "options": ["a b"], **data})
    assert complaint in str(caught.value)
