"""What numbers add up to: each sum that a step names is found again by going through all ways to
fill the cells, and what the words say follows from them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from itertools import combinations, islice, product

import pytest
from support.proving import Prover
from support.told import list_steps

import jigsat
from jigsat import Puzzle, instance
from jigsat.facts import Adds, Marks, Placement
from jigsat.study.steps import Step, find_steps

SHIPPED = ["kakuro-5", "killer-sudoku-6"]
PUZZLES = {
    "kakuro-5": 40,
    "killer-sudoku-6": 12,
    "generated kakuro": 60,
    "generated killer-sudoku": 20,
    "generated calcudoku": 30,
}
"""Puzzles, and how many of their first steps are looked at."""


SMALL = {"kakuro": {"rows": 6, "columns": 6}, "killer-sudoku": {}, "calcudoku": {}}
"""Boards that are generated quickly."""


@cache
def load(name: str) -> Puzzle:
    if name in SHIPPED:
        return instance.load(name)
    kind = name.removeprefix("generated ")
    (puzzle,) = jigsat.generate(kind, seed=7, **SMALL[kind])
    return puzzle


@cache
def list_first_steps(name: str) -> list[Step]:
    """The first steps of a puzzle, for several tests."""
    if name in SHIPPED:
        return list_steps(name, 60)
    return list(islice(find_steps(load(name)), 60))


def list_additions(name: str, number: int) -> list[Adds]:
    steps = list_first_steps(name)[:number]
    return [step.fact for step in steps if isinstance(step.fact, Adds)]


def list_ways(prover: Prover, fact: Adds, given: Marks) -> Iterator[tuple[Placement, ...]]:
    """All ways to fill the open cells that add up and that the rules allow."""
    for way in product(*(choice.left for choice in fact.choices)):
        if sum(placement.value for placement in way) == fact.rest:
            marks = Marks((*given.placed, *way), given.excluded)
            if not prover.contradict(fact.rules, marks):
                yield way


@pytest.mark.parametrize("name", PUZZLES)
def test_all_ways_to_add_up_are_those_that_the_fact_names(name: str) -> None:
    prover = Prover(load(name))
    kinds = set()
    for fact in list_additions(name, PUZZLES[name]):
        ways = list(list_ways(prover, fact, fact.basis))
        numbers = [tuple(placement.value for placement in way) for way in ways]
        assert ways
        assert fact.rest == fact.total - sum(placed.value for placed in fact.basis.placed)
        if fact.kind == "sums":
            assert {tuple(sorted(way)) for way in numbers} == set(fact.ways)
        elif fact.kind == "pairs":
            assert set(numbers) == set(fact.ways)

        # What is excluded is in no way, and what is placed in all.
        used = {placement for way in ways for placement in way}
        assert used.isdisjoint(fact.conclusion.excluded)
        assert all(set(fact.conclusion.placed) <= set(way) for way in ways)
        kinds.add(fact.kind)
    prover.close()
    assert kinds


@pytest.mark.parametrize("name", SHIPPED)
def test_what_the_other_cells_have_at_least_or_at_most(name: str) -> None:
    prover = Prover(load(name))
    bounds = 0
    for fact in list_additions(name, 50):
        if fact.kind not in ("least", "most"):
            continue
        first, *others = fact.choices
        sums = []
        for way in product(*(choice.left for choice in others)):
            pairs = [pair for pair in combinations(way, 2) if len({x.value for x in pair}) == 1]
            if not any(prover.contradict(fact.rules, Marks(pair)) for pair in pairs):
                sums.append(sum(placement.value for placement in way))
        bound = sum(fact.ways[0])
        assert bound == (min(sums) if fact.kind == "least" else max(sums))
        for placement in fact.conclusion.excluded:
            assert placement in first.left
            too_large = placement.value > fact.rest - bound
            assert too_large if fact.kind == "least" else placement.value < fact.rest - bound
        bounds += 1
    prover.close()
    assert bounds


def test_the_words_name_numbers_that_add_up() -> None:
    """The numbers are read from the sentences, and the cells have what the sentences say."""
    puzzle = load("killer-sudoku-6")
    sums = 0
    for step in list_first_steps("killer-sudoku-6"):
        if not isinstance(step.fact, Adds):
            continue
        lines = step.text(puzzle).lines()
        ((total, others),) = re.findall(r"The cage at r\dc\d says (\d+)(.*)", lines[0])
        placed = {(mark.at[0] + 1, mark.at[1] + 1): mark.value for mark in step.board}
        rest = int(total)
        for row, column in re.findall(r"r(\d)c(\d)", others):
            rest -= placed[int(row), int(column)]
        for words in re.findall(r"only (.+) makes", " ".join(lines)):
            for way in re.split(", | or ", words):
                assert sum(map(int, way.split(" + "))) == rest
                sums += 1
        for bound, way in re.findall(r"at (?:least|most) (\d+) \((.+?)\)", " ".join(lines)):
            assert sum(map(int, way.split(" + "))) == int(bound)
    assert sums


def test_sums_are_said_as_facts_of_their_own() -> None:
    puzzle = load("kakuro-5")
    steps = list_first_steps("kakuro-5")
    assert len(steps) < 60
    kinds = {step.kind for step in steps}
    assert kinds == {"adds", "last thing"}
    texts = [" ".join(step.text(puzzle).lines()) for step in steps]
    assert texts[7] == (
        "The run from r1c4 to r1c5 says 14. Of what is left there, only 5 + 9 makes 14. "
        "So only 5 or 9 can go in r1c4 and r1c5."
    )
    assert texts[23] == (
        "The run from r4c1 to r4c5 says 15. r4c1, r4c2, r4c3 and r4c5 add up to at most 10 "
        "(1 + 2 + 3 + 4). That leaves at least 5 for r4c4. So 1, 2 and 4 cannot go in r4c4."
    )


def test_no_sum_has_a_number_twice_in_one_line() -> None:
    """Two cells of a row are not 2 + 2, also where the total alone would leave that."""
    (puzzle,) = jigsat.generate("calcudoku", seed=1, rows=5, columns=5)
    facts = [step.fact for step in islice(find_steps(puzzle), 20)]
    additions = [fact for fact in facts if isinstance(fact, Adds) and len(fact.choices) == 2]
    named = [way for fact in additions for way in fact.ways]
    assert (1, 3) in named
    assert not [way for way in named if way[0] == way[1]]
