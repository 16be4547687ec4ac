"""Facts are proved again by another solver, read back from JSON, and said in short sentences."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator
from functools import cache
from itertools import islice
from typing import Any

import networkx
import pytest
from support import told
from support.proving import Prover, list_marks, prove_case

import jigsat
from jigsat import Puzzle, instance
from jigsat.facts import (
    BySymmetry,
    Case,
    Cause,
    Choice,
    Excludes,
    Fills,
    LastPlace,
    LastThing,
    Marks,
    NoPartner,
    NothingLeft,
    OnGraph,
    Reader,
    as_object,
)
from jigsat.phrases import choose_phrasebook, count
from jigsat.phrases.text import MAX_CHAIN
from jigsat.phrases.tiles import TilePhrases
from jigsat.puzzle import list_rules
from jigsat.study.steps import Step, find_steps

STEPS = {
    "sudoku-6x6": 40,
    "sudoku-hard": 60,
    "sudoku-jigsaw": 12,
    "latin-diagonal-7": 12,
    "cats": 12,
    "cube": 12,
    "fish": 8,
    "pentominoes-3x20": 4,
    "black-and-white": 20,
    "crossword-5x5": 12,
    "wedding-small": 3,
    "push-pull": 5,
    "lights-5x5": 5,
    "foam-frame": 12,
    "exact-cover-colours": 12,
    "seating": 8,
    "kakuro-5": 40,
    "killer-sudoku-6": 35,
    "calcudoku-5": 20,
    "slitherlink-4": 16,
}
"""Instances, and how many of their first steps are proved."""

MAX_WORDS = 30


@cache
def load(name: str) -> Puzzle:
    if name == "seating":
        (puzzle,) = jigsat.generate(name, seed=1, difficulty="medium")
        return puzzle
    return instance.load(name)


@cache
def list_steps(name: str) -> list[Step]:
    if name == "seating":
        return list(islice(find_steps(load(name)), STEPS[name]))
    return told.list_steps(name, STEPS[name])


PROVERS: dict[str, Prover] = {}


def make_prover(name: str) -> Prover:
    if name not in PROVERS:
        PROVERS[name] = Prover(load(name))
    return PROVERS[name]


@pytest.fixture(autouse=True, scope="module")
def close_solvers() -> Iterator[None]:
    yield
    for prover in PROVERS.values():
        prover.close()
    PROVERS.clear()  # a process may come back to this module later


def exclude_before(step: Step, name: str) -> set[object]:
    """The placements that were excluded before a step."""
    return set(make_prover(name).variables) - set(step.left)


@pytest.mark.parametrize("name", STEPS)
def test_a_conclusion_is_proved_again_from_the_rules_and_the_basis(name: str) -> None:
    prover = make_prover(name)
    for step in list_steps(name):
        fact = step.fact
        assert fact.conclusion.placed or fact.conclusion.excluded
        if fact.rules:  # not by symmetry or by trial
            assert prover.follows(fact.rules, fact.basis, fact.conclusion), fact
        assert set(fact.basis.placed) <= set(step.board)
        assert set(fact.basis.excluded) <= exclude_before(step, name)


@pytest.mark.parametrize("name", STEPS)
def test_a_chain_is_proved_again_line_by_line_from_what_was_told(name: str) -> None:
    prover = make_prover(name)
    for step in list_steps(name):
        case = step.fact
        if not isinstance(case, Case):
            continue
        prove_case(prover, case)
        told = list_marks(Marks(step.board, tuple(exclude_before(step, name))))
        told |= list_marks(case.supposed)
        for line in (*case.chain, case.end):
            assert list_marks(line.basis) <= told, line
            told |= list_marks(line.conclusion) if line is not case.end else set()


@pytest.mark.parametrize("name", STEPS)
def test_what_is_left_is_all_that_a_rule_requires(name: str) -> None:
    prover = make_prover(name)
    for step in list_steps(name):
        excluded = exclude_before(step, name)
        for choice in list_choices(step):
            assert prover.requires_one(choice.rule, choice.options)
            assert set(choice.left) == set(choice.options) - excluded
        end = step.fact.end if isinstance(step.fact, Case) else None
        if isinstance(end, NothingLeft):
            assert set(end.before) == set(end.choice.options) - excluded
        if isinstance(end, NoPartner):
            assert set(end.before) == set(end.needed) - excluded


def list_choices(step: Step) -> list[Choice]:
    """The choices of which a fact says what is left before it."""
    fact = step.fact
    if isinstance(fact, LastPlace | LastThing):
        return [fact.choice]
    return list(fact.choices) if isinstance(fact, Excludes | Fills) else []


@pytest.mark.parametrize("name", STEPS)
def test_a_filling_holds_all_that_is_left_of_its_choices(name: str) -> None:
    prover = make_prover(name)
    for step in list_steps(name):
        fact = step.fact
        if not isinstance(fact, Fills):
            continue
        left = [x for choice in fact.choices for x in choice.left]
        assert len(fact.choices) == len(fact.covers) and len(left) == len(set(left))
        covered = {x for cover in fact.covers for x in cover.left}
        assert set(left) <= covered and covered - set(left) == set(fact.conclusion.excluded)
        for cover in fact.covers:
            first, *others = cover.left
            for other in others:
                assert prover.contradict([cover.rule], Marks((first, other)))


@pytest.mark.parametrize("name", STEPS)
def test_causes_are_proved_again(name: str) -> None:
    prover = make_prover(name)
    for step in list_steps(name):
        for cause in list_causes(step):
            assert cause.step or prover.follows(cause.rules, cause.basis, Marks((), cause.excluded))
            if cause.step:
                earlier = list_steps(name)[cause.step - 1]
                assert set(cause.excluded) <= set(earlier.excluded)


def list_causes(step: Step) -> list[Cause]:
    """The causes of a fact, and of the lines of a case."""
    parts: list[object] = [step.fact]
    if isinstance(step.fact, Case):
        parts = [*step.fact.chain, step.fact.end]
    return [cause for part in parts for cause in getattr(part, "causes", ())]


def test_what_was_tried_for_a_symmetry_has_no_solution() -> None:
    prover = make_prover("cats")
    rules = list_rules(prover.formula).values()
    step = list_steps("cats")[0]
    assert isinstance(step.fact, BySymmetry) and step.fact.tried
    for placement in step.fact.tried:
        assert prover.contradict(rules, Marks((*step.board, placement)))
    words = step.text(load("cats")).reasons[0]
    assert f"tried the {count(len(step.fact.tried))} other ways" in words


def test_a_chain_on_a_loop_tells_what_is_excluded() -> None:
    puzzle = load("slitherlink-4")
    cases = [step for step in list_steps("slitherlink-4") if isinstance(step.fact, Case)]
    for step in cases:
        assert step.text(puzzle).list_chain()[0].startswith("1. The loop cannot run along ")
    assert cases


def test_lines_at_one_place_of_a_loop_are_one_step() -> None:
    """The lines that meet at a corner are read from the marks."""
    steps = list_steps("slitherlink-4")
    meeting = [x.fact for x in steps if isinstance(x.fact, OnGraph) and x.fact.reason == "meets"]
    for fact in meeting:
        marks = (*fact.basis.placed, *fact.basis.excluded, *fact.conclusion.placed)
        corners = [set(mark.at) for mark in (*marks, *fact.conclusion.excluded)]
        assert len(set.intersection(*corners)) == 1
    assert meeting


@pytest.mark.parametrize("name", STEPS)
def test_facts_are_read_back_from_json(name: str) -> None:
    reader = Reader(make_prover(name).variables)
    for step in list_steps(name):
        assert reader.read(json.loads(json.dumps(as_object(step.fact)))) == step.fact


@pytest.mark.parametrize("name", STEPS)
def test_no_sentence_is_long(name: str) -> None:
    for step in list_steps(name):
        text = step.text(load(name))
        for words in (*text.reasons, *text.chain, *text.end, *text.lines(), text.look, text.ask):
            assert len(words.split()) <= MAX_WORDS, words
            assert words[-1:] in ".?”:" and ".." not in words and "  " not in words, words
        assert text.is_long == (len(text.chain) > MAX_CHAIN)
        assert len(text.lines()) <= MAX_CHAIN + 8


def test_holes_are_too_small_for_any_piece() -> None:
    puzzle = load("pentominoes-3x20")
    grid = networkx.grid_2d_graph(3, 20)
    number = 0
    for step in list_steps("pentominoes-3x20"):
        words = " ".join(step.text(puzzle).reasons)
        if "hole" not in words:
            continue
        row, column = map(int, words.partition("hole at r")[2].partition(",")[0].split("c"))
        for placement in step.excluded:
            taken = {cell for placed in (*step.board, placement) for cell in placed.cells}
            free = grid.subgraph(set(grid) - taken)
            assert len(networkx.node_connected_component(free, (row - 1, column - 1))) < 5
            number += 1
    assert number


@pytest.mark.parametrize("name", ["black-and-white", "pentominoes-3x20"])
def test_pieces_cross_what_they_are_said_to_cross(name: str) -> None:
    number = 0
    for step in list_steps(name):
        words = " ".join(step.text(load(name)).reasons)
        if "would cross" in words and isinstance(step.fact, Case):
            assert isinstance(step.fact.end, NothingLeft)
            for placement in step.excluded:
                for option in step.fact.end.before:
                    assert set(option.cells) & set(placement.cells)
                    number += 1
    assert number or name != "black-and-white"


@pytest.mark.parametrize("name", ["cats", "fish"])
def test_what_an_edge_asks_for_is_on_the_side_that_the_words_name(name: str) -> None:
    """The labels are read from the tiles as they are drawn, without the encoding."""
    puzzle = load(name)
    phrasebook = choose_phrasebook(puzzle)
    assert isinstance(phrasebook, TilePhrases)
    asked = 0
    for step in list_steps(name):
        for cause in list_causes(step):
            ask = phrasebook.find_ask(cause)
            if ask:
                shown = {read_side(puzzle, x, ask.side) for x in cause.excluded}
                assert shown.isdisjoint(ask.labels)
                asked += 1
        if isinstance(step.fact, LastThing):
            for ask in filter(None, map(phrasebook.find_ask, step.fact.causes)):
                assert read_side(puzzle, step.placed[0], ask.side) in ask.labels
        end = step.fact.end if isinstance(step.fact, Case) else None
        if isinstance(end, NoPartner):
            ask = puzzle.way().ask(end.rule, end.placed, placed=True)
            assert ask and {read_side(puzzle, x, ask.side) for x in end.needed} == set(ask.labels)
            asked += 1
    assert asked


def test_what_lies_beside_a_tile_is_said_as_the_tiles_are_drawn() -> None:
    """What excluded tiles clash with is read from the entries of the file."""
    puzzle, clashes = load("cats"), 0
    way = puzzle.way()
    for step in list_steps("cats"):
        reasons = step.text(puzzle).reasons
        if not isinstance(step.fact, Excludes) or "show something else there" not in reasons[-1]:
            continue
        (choice,) = step.fact.choices
        for option in choice.left:
            for excluded in step.excluded:
                assert excluded.cell == option.cell or clash(puzzle, option, excluded)
                clashes += 1
            for words in reasons:
                if f"{way.lie(option)} lies in {way.place(option)}, " in words:
                    side, beside, label = NEED.findall(words)[0]
                    (needed,) = {x.cell for x in step.excluded if way.place(x) == beside}
                    assert find_side(needed, option.cell) == side
                    here = read_side(puzzle, option, find_side(option.cell, needed))
                    assert {here, label} in pair_labels(puzzle)
    assert clashes


NEED = re.compile(r"the (top|right side|bottom|left side) of (.+) must show (.+)\.")


def clash(puzzle: Puzzle, one: Any, other: Any) -> bool:
    """Whether two tiles beside each other show labels that do not match."""
    labels = {
        read_side(puzzle, one, find_side(one.cell, other.cell)),
        read_side(puzzle, other, find_side(other.cell, one.cell)),
    }
    return labels not in pair_labels(puzzle)


def pair_labels(puzzle: Any) -> list[set[str]]:
    return [set(pair) for pair in puzzle.matching]


def find_side(cell: tuple[int, int], beside: tuple[int, int]) -> str:
    """On which side of a cell another one is."""
    steps = {(-1, 0): "top", (0, 1): "right side", (1, 0): "bottom", (0, -1): "left side"}
    return steps[beside[0] - cell[0], beside[1] - cell[1]]


def read_side(puzzle: Puzzle, placement: object, side: str) -> str:
    """The label that a tile shows on a side of the board, from the entries of the file."""
    sides = ("top", "right side", "bottom", "left side")
    labels = puzzle.tiles[placement.tile].sides  # type: ignore[attr-defined]
    return str(labels[(sides.index(side) - placement.turn) % 4])  # type: ignore[attr-defined]


@pytest.mark.parametrize("name", ["latin-diagonal-7", "sudoku-jigsaw", "sudoku-hard"])
def test_what_is_left_shares_a_house_with_what_is_excluded(name: str) -> None:
    prover = make_prover(name)
    for step in list_steps(name):
        words = " ".join(step.text(load(name)).reasons)
        if "Whichever it is, it shares" not in words:
            continue
        assert isinstance(step.fact, Excludes)
        (choice,) = step.fact.choices
        for option in choice.left:
            for placement in step.excluded:
                assert prover.contradict(step.fact.rules, Marks((option, placement)))


def test_hints_do_not_tell_what_follows() -> None:
    for name in ("sudoku-hard", "latin-diagonal-7", "sudoku-6x6"):
        for step in list_steps(name):
            text = step.text(load(name))
            for end in text.end:
                assert end not in text.look and end not in text.ask


def test_the_kinds_of_facts_of_these_puzzles() -> None:
    kinds = Counter(step.kind for name in STEPS for step in list_steps(name))
    assert kinds.keys() == {
        "last place", "last thing", "excludes", "fills", "ways left", "case", "parity sum",
        "by symmetry", "by trial", "adds", "on graph",
    }  # fmt: skip
