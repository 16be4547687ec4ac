"""Techniques have the names that solvers of sudokus use; each is recognised from a fact, and is
what its name says.
"""

from __future__ import annotations

from collections import Counter
from typing import NamedTuple

import pytest

import jigsat
from jigsat import instance
from jigsat.facts import Choice, Fills, LastPlace, LastThing, Marks, name_technique
from jigsat.puzzle import Rule
from jigsat.rating.grades import GRADES, find_grade
from jigsat.study.fillings import FillingSearch
from jigsat.study.knowledge import Group
from jigsat.study.steps import find_steps


class Digit(NamedTuple):
    cell: tuple[int, int]
    value: str


def digits(*described: str) -> tuple[Digit, ...]:
    """Such as '1:r2c3'."""
    return tuple(Digit((int(text[3]) - 1, int(text[5]) - 1), text[0]) for text in described)


def group(name: str, *described: str) -> Choice:
    """A choice of a house for one value, or of a cell."""
    kind, _, about = name.partition(" ")
    return Choice(Rule(name, kind, about), digits(*described), digits(*described))


def fills(choices: list[Choice], covers: list[Choice]) -> Fills:
    return Fills((), Marks(), Marks(), tuple(choices), tuple(covers))


EXAMPLES = {
    "pointing": fills([group("box 3", "1:r2c8", "1:r3c8")], [group("column 8", "1:r4c8")]),
    "claiming": fills([group("row 1", "1:r1c1", "1:r1c2")], [group("box 1", "1:r2c1")]),
    "naked pair": fills(
        [group("cell r1c1", "1:r1c1", "2:r1c1"), group("cell r1c2", "1:r1c2", "2:r1c2")],
        [group("row 1", "1:r1c5"), group("row 1", "2:r1c5")],
    ),
    "naked triple": fills(
        [
            group("cell r1c1", "1:r1c1", "2:r1c1"),
            group("cell r1c2", "2:r1c2", "3:r1c2"),
            group("cell r1c3", "1:r1c3", "3:r1c3"),
        ],
        [group("row 1", "1:r1c5"), group("row 1", "2:r1c5"), group("row 1", "3:r1c5")],
    ),
    "hidden pair": fills(
        [group("row 1", "1:r1c1", "1:r1c2"), group("row 1", "2:r1c1", "2:r1c2")],
        [group("cell r1c1", "5:r1c1"), group("cell r1c2", "5:r1c2")],
    ),
    "X-wing": fills(
        [group("row 1", "4:r1c2", "4:r1c7"), group("row 5", "4:r5c2", "4:r5c7")],
        [group("column 2", "4:r8c2"), group("column 7", "4:r8c7")],
    ),
    "swordfish": fills(
        [
            group("row 1", "4:r1c2", "4:r1c7"),
            group("row 5", "4:r5c7", "4:r5c8"),
            group("row 9", "4:r9c2", "4:r9c8"),
        ],
        [group("column 2", "4:r3c2"), group("column 7", "4:r3c7"), group("column 8", "4:r3c8")],
    ),
    "": fills(
        [group("row 1", "4:r1c2", "4:r1c7"), group("box 5", "4:r5c4", "4:r4c4")],
        [group("column 2", "4:r8c2"), group("column 7", "4:r8c7")],
    ),
}


@pytest.mark.parametrize("name", EXAMPLES)
def test_a_fact_has_the_name_of_its_technique(name: str) -> None:
    assert name_technique(EXAMPLES[name]) == name


def test_a_filling_is_found_whichever_choice_comes_first() -> None:
    """Three rows whose places are in three columns: a swordfish, of which no two rows are one."""
    rows = [Group("row 1", (1, 2), (1, 2)), Group("row 2", (4, 6), (4, 6))]
    rows.append(Group("row 3", (8, 9), (8, 9)))
    columns = [
        Group("column 1", (1, 4, 10), (1, 4, 10)),
        Group("column 2", (2, 8, 11), (2, 8, 11)),
        Group("column 3", (6, 9, 12), (6, 9, 12)),
    ]
    for order in ([0, 1, 2], [2, 0, 1], [1, 2, 0]):
        filling = FillingSearch([rows[i] for i in order], columns).find_smallest()
        assert filling and filling.excluded == (10, 11, 12) and len(filling.choices) == 3
    assert FillingSearch(rows[:2], columns).find_smallest() is None


def test_the_techniques_of_generated_sudokus() -> None:
    numbers = Counter[str]()
    for puzzle in jigsat.generate("sudoku-empty", seed=3, number=2, difficulty="medium"):
        for step in find_steps(puzzle):
            numbers[step.text(puzzle).title or step.kind] += 1
            if isinstance(step.fact, LastPlace | LastThing):
                assert len(step.fact.choice.left) == 1
    assert {"naked single", "hidden single"} <= numbers.keys()
    assert numbers["pointing"] + numbers["claiming"] > 0


@pytest.mark.parametrize(
    ("name", "number"), [("sudoku-6x6", 3), ("sudoku-hard", 3), ("sudoku-jigsaw", 6)]
)
def test_a_grade_is_that_of_the_hardest_technique(name: str, number: int) -> None:
    grade = find_grade(instance.load(name))
    assert grade and grade.number == number
    assert number > len(GRADES) or grade.technique in GRADES[number - 1]


def test_a_puzzle_of_hidden_singles_and_a_family_without_grades() -> None:
    easy = instance.load("sudoku-4x4-empty", grid=["1234", "341.", ".143", "4321"])
    grade = find_grade(easy)
    assert grade and str(grade) == "grade 1 of 6: hidden single"
    assert find_grade(instance.load("cats")) is None


def test_only_a_puzzle_with_one_solution_has_a_grade() -> None:
    for first in ("....", "11.."):  # several solutions, and none
        wrong = instance.load("sudoku-4x4-empty", grid=[first, "....", "....", "...."])
        assert find_grade(wrong) is None
