"""Sentences about steps say what their facts hold, and each is a sentence."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import Any

import pytest
from support import told

from jigsat import Puzzle, instance
from jigsat.facts import Adds, Case, Collision, Excludes, Fills, LastThing, NoPartner
from jigsat.phrases.text import Text
from jigsat.study.steps import Step

GRIDS = [
    "akari-5",
    "calcudoku-4",
    "futoshiki-4",
    "galaxies-5",
    "hashi-8",
    "hidato-5",
    "hitori-4",
    "magnets-4",
    "masyu-5",
    "nonogram-heart",
    "numberlink-5",
    "nurikabe-4",
    "slitherlink-3",
    "suguru-4",
    "tents-4",
    "tents-7",
    "yajilin-4",
]
MAX_WORDS = 30  # of a sentence
MAX_STEPS = {
    "cube-tower": 12,
    "fillomino-5": 20,
    "fish": 10,
    "galaxies-7": 40,
    "hexagons": 3,
    "numberlink-8": 8,
    "polycube-tower": 6,
}
"""Number of steps that are read, else all."""


@cache
def load(name: str) -> Puzzle:
    return instance.load(name)


@cache
def list_steps(name: str) -> list[tuple[Step, Text]]:
    """The first steps of a puzzle, and what they say."""
    puzzle = load(name)
    return [(step, step.text(puzzle)) for step in told.list_steps(name, MAX_STEPS.get(name))]


def list_sentences(text: Text) -> Iterator[str]:
    yield from (text.look, text.ask, *text.lines(every=True))


QUICK = [
    *GRIDS,
    "aquarium-6",
    "binairo-6",
    "black-and-white-rule",
    "calcudoku-5",
    "cube-tower",
    "fillomino-5",
    "fish",
    "futoshiki-5",
    "galaxies-7",
    "hashi-5",
    "hexagons",
    "numberlink-8",
    "pentagonal-bipyramid",
    "polycube-tower",
]
"""Instances of which the steps that are read take little time."""


@pytest.mark.parametrize("name", QUICK)
def test_no_sentence_is_long(name: str) -> None:
    for _, text in list_steps(name):
        for words in (text.look, text.ask, *text.reasons, *text.chain, *text.end):
            assert len(words.split()) <= MAX_WORDS, words


def test_a_long_conclusion_names_pieces_and_the_list_beside_it_how_they_lie() -> None:
    """A place with four ways left, which would make 35 words."""
    puzzle, number = load("polycube-tower"), 0
    way = puzzle.way()
    for step, text in list_steps("polycube-tower"):
        after = [line for line in text.beside if line.startswith("After this step, ")]
        if not after:
            continue
        assert isinstance(step.fact, Excludes)
        (choice,), (line,), (conclusion,) = step.fact.rest, after, text.end
        assert "four ways" in conclusion and len(choice.left) == 4
        assert all(way.thing(x) in conclusion and way.manner(x) in line for x in choice.left)
        assert all(way.rule(choice.rule) in words for words in (conclusion, line))
        number += 1
    assert number == 1


def test_faces_of_cubes_are_called_as_in_the_picture() -> None:
    puzzle = load("polycube-tower")
    step, text = list_steps("polycube-tower")[0]
    place = puzzle.way().place(step.placed[0])
    assert re.fullmatch(r"l[12]r1c1 (top|bottom)", place) and place in text.look
    assert f">{place}<" in puzzle.svg(step.placed)


def test_shaded_cells_are_said_as_what_cells_are() -> None:
    """No 'a shaded cell goes in r2c3'."""
    only = 0
    for name in ("yajilin-4", "hitori-4"):
        for _, text in list_steps(name):
            words = " ".join(list_sentences(text))
            assert "a shaded cell" not in words.lower()
            only += len(re.findall(r"only r\d+c\d+ can be shaded", words))
    assert only


def test_all_rules_are_said_with_what_they_state() -> None:
    """If one sentence about all would be long, there is one for each statement."""
    (texts,) = [
        text
        for step, text in list_steps("tents-7")
        if isinstance(step.fact, Excludes) and sum("Look at" in x for x in text.reasons) == 2
    ]
    assert all(": every " in words for words in texts.reasons if "Look at" in words)


@pytest.mark.parametrize("name", GRIDS)
def test_each_line_is_a_sentence(name: str) -> None:
    puzzle = load(name)
    for step, text in list_steps(name):
        for sentence in list_sentences(text):
            assert "  " not in sentence and ",," not in sentence, sentence
            assert not re.search(r"(?<![\w–])(\w[\w ]+) or \1(?![\w–])", sentence), sentence
            assert not re.search(r"\bnumber (\w+) has \1\b", sentence), sentence
        assert sum(sentence.startswith("So ") for sentence in text.end) <= 1, text.end
        for placement in step.placed:
            # What is concluded is no reason for itself.
            assert f"({puzzle.way().place(placement)})" not in " ".join(text.chain), text.chain


def test_what_a_choice_makes_follow_is_said_with_the_rules() -> None:
    number = 0
    for name in ("tents-7", "numberlink-5", "magnets-4"):
        for step, text in list_steps(name):
            words = [line for line in text.reasons if line.startswith("Whichever it is, ")]
            if not words or not isinstance(step.fact, Excludes):
                continue
            way = load(name).way()
            named = [rule for rule in step.fact.rules if way.rule(rule) in words[0]]
            marks = (*step.placed, *step.excluded)
            assert named and all(way.place(mark) in words[0] for mark in marks), words
            number += 1
    assert number


@pytest.mark.slow
def test_a_line_is_said_to_run_along_each_of_its_ways() -> None:
    """Two steps of a larger puzzle, after sixty others."""
    puzzle, number = load("numberlink-8"), 0
    for step in told.list_steps("numberlink-8", 64):
        text = step.text(puzzle)
        for choice in step.fact.choices if isinstance(step.fact, Excludes) else ():
            (words,) = [x for x in text.reasons if x.startswith(f"At {choice.rule.about}, ")]
            assert all(puzzle.way().place(mark) in words for mark in choice.left)
            number += 1
    assert number


def test_numbers_elsewhere_and_numbers_that_break_a_rule() -> None:
    """Each number is what goes there, stands elsewhere, was ruled out, or breaks a rule."""
    puzzle = load("hidato-5")
    step, text = next(x for x in list_steps("hidato-5") if isinstance(x[0].fact, LastThing))
    fact = step.fact
    assert isinstance(fact, LastThing)
    (elsewhere,) = [x for x in text.reasons if x.endswith("are elsewhere already.")]
    (broken,) = [x for x in text.reasons if " would break " in x]

    taken = set()
    ruled_out = set()
    rules = set()
    for cause in fact.causes:
        rules.update(rule.states for rule in cause.rules)
        if cause.rule:
            taken.update(mark.value for mark in cause.basis.placed if mark.at != step.placed[0].at)
        if cause.step:
            ruled_out.update(cause.excluded)

    stated = {int(number) for number in re.findall(r"\d+", elsewhere)}
    assert stated and stated <= taken
    others = len(puzzle.encode().decisions()) // 25 - 1 - len(stated)
    (number,) = re.findall(r"Each of the (\d+) other numbers", broken)
    assert int(number) == others - len(ruled_out)
    assert "touch" in broken and rules


@pytest.mark.parametrize("name", ["hashi-8", "numberlink-5", "magnets-4", "hitori-4"])
def test_a_collision_does_not_say_again_what_was_supposed(name: str) -> None:
    way, number = load(name).way(), 0
    for step, text in list_steps(name):
        fact = step.fact
        if not isinstance(fact, Case) or not isinstance(fact.end, Collision) or not fact.end.placed:
            continue
        for mark in fact.supposed.placed:
            stated = way.state(mark)
            assert stated in text.reasons[0]
            assert not any(stated in line for line in text.chain[len(fact.chain) :])
        number += 1
    assert number


def test_why_what_is_needed_is_not_left() -> None:
    """A number that needs a tent: it says how many places are left, and what excludes them."""
    step, text = list_steps("tents-7")[1]
    fact = step.fact
    assert isinstance(fact, Case) and isinstance(fact.end, NoPartner)
    assert "five places" in text.reasons[1] and len(fact.end.needed) == 5
    rules = {load("tents-7").way().rule(cause.rule) for cause in fact.end.causes if cause.rule}
    assert rules and all(rule in text.reasons[2] for rule in rules)


def test_a_pearl_is_said_with_its_colour_and_the_hint_asks_what_follows() -> None:
    number = 0
    for step, text in list_steps("masyu-5"):
        if isinstance(step.fact, Excludes) and len(step.fact.rules) == 1:
            pearl = step.fact.rules[0].about
            assert any(f"The pearl in {pearl} is {colour}." in text.reasons for colour in "○●")
            assert step.placed and "rule out" not in text.ask and pearl in text.ask
            number += 1
    assert number


def test_cells_with_the_same_numbers_are_one_sentence_about_their_row() -> None:
    steps = [x for x in list_steps("calcudoku-4") if isinstance(x[0].fact, Fills)]
    for step, text in steps:
        assert isinstance(step.fact, Fills)
        cells = [choice.rule.about for choice in step.fact.choices]
        values = {mark.value for choice in step.fact.choices for mark in choice.left}
        first, _ = text.reasons
        assert all(cell in first for cell in cells)
        assert all(str(value) in first for value in values)
        (house,) = {cover.rule.name for cover in step.fact.covers}
        assert text.look == f"Look at {house}."
    assert len(steps) == 2
    assert isinstance(list_steps("calcudoku-4")[0][0].fact, Adds)


def test_squares_are_numbered_and_not_called_as_in_the_file() -> None:
    puzzle = load("court-cards")
    formula = puzzle.encode()
    assert not any("mates" in rule for rule in formula.list_rules())
    for x in formula.decisions():
        symbol: Any = formula.key(x)
        square, row, column = symbol.cell
        place = f"r{row + 1}c{column + 1} of square {square + 1}"
        assert puzzle.way().place(symbol) == place
