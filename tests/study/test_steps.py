"""Steps lead to the solution, and are proved again by another solver; the commands print and draw
them."""

from __future__ import annotations

import json
import os
import re
import signal
import threading
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from html import escape
from itertools import islice
from operator import contains
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from jigsat.encodings.crossword.data import CrosswordData
from support.inside import jigsat as run
from support.proving import Prover
from support.told import list_steps

import jigsat
from jigsat import InputError, Puzzle, Stopped, instance
from jigsat.errors import Interrupted
from jigsat.facts import Case, Excludes, Fills, LastPlace, LastThing, Marks, WaysLeft
from jigsat.formula import Formula
from jigsat.kit import Mark
from jigsat.phrases import choose_phrasebook
from jigsat.phrases.legends import find_legends
from jigsat.runtime.child import _Requests
from jigsat.study.candidates import find_candidates
from jigsat.study.pictures import EXCLUDED, illustrate_steps
from jigsat.study.reasoner import MAX_RULES
from jigsat.study.steps import Step, find_open, find_refutation, find_steps
from jigsat.words import name_place

UNIQUE = ["sudoku-6x6", "sudoku-hard", "latin-diagonal-7", "black-and-white", "push-pull"]
SVG = "{http://www.w3.org/2000/svg}"
SEVERAL = ["lights-5x5", "wedding-small", "latin-6", "cube-flat"]


def prove(puzzle: Puzzle, steps: list[Step]) -> set[int]:
    """Prove each step from its rules and all that is known, and return the literals that are known
    at the end.

    What a single rule excludes by propagation is not a step. It is excluded here by the propagation
    of another solver.
    """
    prover = Prover(puzzle)
    variables = prover.variables
    known = {variables[placement] for placement in puzzle.given_placements()}

    def exclude() -> None:
        before = -1
        while len(known) > before:
            before = len(known)
            for rule in prover.rules:
                known.update(x for x in prover.propagate_alone(rule, known) if x < 0)

    for step in steps:
        exclude()
        literals = prover.literals(step.fact.conclusion)
        assert literals and known.isdisjoint(literals)
        assert set(prover.literals(step.fact.basis)) <= known
        if step.rules:
            assert prover.follows(step.fact.rules, step.fact.basis, step.fact.conclusion), step
        if step.kind not in ("case", "parity sum"):
            assert len(step.rules) <= MAX_RULES
        known.update(literals)
    exclude()
    prover.close()
    return known


@pytest.mark.parametrize(
    "name",
    [
        "sudoku-6x6",
        "push-pull",
        "black-and-white",
        "latin-diagonal-7",
        "foam-frame",
        "exact-cover-colours",
    ],
)
def test_steps_are_proved_again_and_lead_to_the_solution(name: str) -> None:
    puzzle = instance.load(name)
    steps = list_steps(name)
    known = prove(puzzle, steps)
    formula = puzzle.encode()
    (solution,) = jigsat.solutions(puzzle, up_to="nothing")
    assert {formula.key(x) for x in known if x > 0} == set(solution.placements)
    assert "by trial" not in Counter(step.kind for step in steps)


@pytest.mark.parametrize("name", ["cats", "wedding-small", "lights-5x5", "crossword-5x5"])
def test_steps_of_several_solutions_are_proved_again(name: str) -> None:
    prove(instance.load(name), list_steps(name))


@pytest.mark.parametrize("name", UNIQUE)
def test_a_solution_is_explained_from_start_to_end(name: str) -> None:
    puzzle = instance.load(name)
    (solution,) = jigsat.solutions(puzzle, up_to="nothing")
    clues = {placement for clue in puzzle.clues().values() for placement in clue if len(clue) == 1}
    steps = list_steps(name)
    assert {placement for step in steps for placement in step.placed} | clues == set(
        solution.placements
    )
    assert not any(set(step.excluded) & set(solution.placements) for step in steps)


@pytest.mark.parametrize("name", SEVERAL)
def test_with_several_solutions_nothing_but_what_all_have_is_decided(name: str) -> None:
    puzzle = instance.load(name)
    *_, candidates = find_candidates(puzzle)
    for step in list_steps(name):
        if step.kind == "by symmetry":
            *_, candidates = find_candidates(puzzle, step.placed)
        assert {candidates.statuses[each] for each in step.placed} <= {"all"}
        assert {candidates.statuses[each] for each in step.excluded} <= {"none"}


@pytest.mark.parametrize("name", ["cats", "cube", "wedding-small"])
def test_what_is_assumed_by_symmetry_is_in_an_image_of_every_solution(name: str) -> None:
    puzzle = instance.load(name)
    first, *others = list_steps(name)
    assert first.kind == "by symmetry" and not any(step.kind == "by symmetry" for step in others)
    symmetries = list(puzzle.symmetries())
    for solution in jigsat.solutions(puzzle, up_to="nothing"):
        images = [
            {symmetry.images[each] for each in solution.placements} for symmetry in symmetries
        ]
        assert any(first.placed[0] in image for image in [set(solution.placements), *images])


def test_cats_and_cube_are_solved_by_logic_after_one_placement() -> None:
    for name in ("cats", "cube"):
        assert "by trial" not in {step.kind for step in list_steps(name)[1:]}
    assert len({placement for step in list_steps("cats") for placement in step.placed}) == 9


@pytest.mark.parametrize("seed", range(5))
def test_steps_of_generated_sudokus_are_proved_again(seed: int) -> None:
    (puzzle,) = jigsat.generate("sudoku-4x4-empty", seed=seed)
    prove(puzzle, list(jigsat.steps(puzzle)))


def test_given_placements_are_facts() -> None:
    puzzle = instance.load("latin-4")
    solution = next(iter(jigsat.solutions(puzzle, up_to="nothing")))
    assert list(jigsat.steps(puzzle, solution.placements)) == []
    assert {
        each
        for step in list(jigsat.steps(puzzle, solution.placements[:-4]))
        for each in step.placed
    } <= set(solution.placements)


def test_placements_exclude_others_while_a_rule_is_broken() -> None:
    puzzle = instance.load("sudoku-hard")
    left = find_open(instance.load("sudoku-empty"))
    clash = next(each for each in left if each == ((0, 3), "2"))  # row 1 has a 2 already
    open_ = find_open(puzzle, [clash])
    assert set(open_) < {*find_open(puzzle), clash} and clash in open_
    assert not [
        each
        for each in open_
        if each.cell[0] == 0 and each.value == "2" and each.cell not in ((0, 3), (0, 6))
    ]


@pytest.mark.parametrize("name", ["sudoku-6x6", "black-and-white", "push-pull", "menage-5"])
def test_a_refutation_is_proved_again(name: str) -> None:
    puzzle = instance.load(name)
    *_, found = find_candidates(puzzle)
    statuses = found.statuses
    left = set(find_open(puzzle))
    assert all(
        find_refutation(puzzle, each) is None
        for each, status in statuses.items()
        if status == "all"
    )
    wrong = [each for each, status in statuses.items() if status == "none"]
    assert {each for each, status in statuses.items() if status != "none"} <= left
    for placement in wrong[:: len(wrong) // 8 + 1]:
        step = find_refutation(puzzle, placement)
        assert step is not None and step.excluded == (placement,)
        if placement in left and step.kind != "by trial":
            prove(puzzle, [step])


def test_what_cannot_be_explained() -> None:
    with pytest.raises(InputError, match="there is no solution"):
        list(jigsat.steps("lights-unsolvable"))
    with pytest.raises(Stopped):
        list(jigsat.steps("fish", timeout=0.1))
    first, second = list_steps("fish", 2)
    assert first.kind == "by trial" and second.kind != "by trial"


def test_a_solution_without_placements_is_a_solution(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    dark, empty = tmp_path / "dark.toml", tmp_path / "empty.toml"
    dark.write_text('family = "lights-out"\nboard = "square 2x2"\nlit = """\n..\n.."""\n')
    steps = list(jigsat.steps(dark))
    assert len({placement for step in steps for placement in step.excluded}) == 4 and not any(
        step.placed for step in steps
    )
    empty.write_text(
        'family = "tiling"\nboard = "#"\nleft_over = "any"\n[pieces]\nbad = { shape = "####", '
        'uses = "any" }\n'
    )
    done = run(capsys, "steps", empty)
    assert (done.status, done.out) == (0, "nothing is left to decide\n")


def test_everything_given(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    given = tmp_path / "given.json"
    given.write_text(run(capsys, "solve", "sudoku-6x6", "--json").out)
    assert run(capsys, "steps", "sudoku-6x6", "--given", given).out == "nothing is left to decide\n"
    page = tmp_path / "page.html"
    assert (
        f"wrote {page}: 0 steps"
        in run(capsys, "steps", "sudoku-6x6", "--given", given, "--html", page).err
    )
    assert "<p>Nothing is left to decide</p>" in page.read_text()


def test_contradictory_given_placements_are_named_by_their_file(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    given = tmp_path / "given.json"
    given.write_text('[{"cell": [0, 1], "value": "1"}, {"cell": [0, 4], "value": "1"}]')
    done = run(capsys, "steps", "sudoku-6x6", "--given", given)
    assert done.status == 2 and done.err.startswith(
        f"jigsat: {given}: no solution of sudoku-6x6 has all of these placements"
    )
    assert f"`jigsat hint sudoku-6x6 --given {given}`" in done.err


@pytest.mark.parametrize("reason", [Stopped("timeout"), Interrupted(signal.SIGINT)])
def test_steps_found_before_a_stop_are_written(
    reason: Stopped | Interrupted,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def stop(puzzle: Puzzle, *rest: object) -> Iterator[Step]:
        yield from islice(find_steps(puzzle), 3)
        if isinstance(reason, Interrupted):
            os.kill(parent, signal.SIGINT)
            threading.Event().wait()
        raise reason

    parent = os.getpid()
    monkeypatch.setattr("jigsat.services.steps.find_steps", stop)
    status = 3 if isinstance(reason, Stopped) else 130
    page = tmp_path / "page.html"
    monkeypatch.setattr(_Requests, "first", None)
    done = run(capsys, "steps", "sudoku-6x6", "--html", page)
    assert done.status == status and f"wrote {page}: 3 steps" in done.err
    assert (
        page.read_text().count("<details") == 3
        and "<p>Not finished: stopped by" in page.read_text()
    )
    monkeypatch.setattr(_Requests, "first", None)
    done = run(capsys, "steps", "sudoku-6x6", "--json")
    data = json.loads(done.out)
    assert (
        done.status == status
        and len(data["steps"]) == 3
        and not data["complete"]
        and data["stopped_by"] == reason.reason
    )


def test_the_time_limit_holds_for_steps_as_well(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def wait(puzzle: Puzzle, *rest: object) -> Iterator[Step]:
        yield from islice(find_steps(puzzle), 3)
        threading.Event().wait()

    monkeypatch.setattr("jigsat.services.steps.find_steps", wait)
    monkeypatch.setattr("jigsat.api.find_steps", wait)
    assert run(capsys, "steps", "sudoku-6x6", "--timeout", "3").status == 3
    with pytest.raises(Stopped):
        list(jigsat.steps("sudoku-6x6", timeout=3))


@pytest.mark.parametrize(
    ("command", "said"),
    [
        ("steps", "no step so far: finding out what all solutions have in common"),
        ("hint", "no hint so far: finding out what all solutions have in common, and what follows"),
    ],
)
def test_what_is_tried_is_said_while_nothing_is_there(
    command: str, said: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The time counts from the start of the command, and the line is there once."""

    def wait(*_: object) -> Iterator[Step]:
        threading.Event().wait()
        yield from ()

    monkeypatch.setattr("jigsat.cli.steps.PROGRESS_DELAY_S", 0.5)
    monkeypatch.setattr("jigsat.services.steps.find_candidates", wait)
    monkeypatch.setattr("jigsat.study.hints.find_candidates", wait)
    done = run(capsys, command, "sudoku-6x6", "--timeout", "3")
    lines = [line for line in done.err.splitlines() if " so far: " in line]
    assert done.status == 3 and len(lines) == 1
    assert lines[0].startswith(said) or "reading the puzzle" in lines[0]


def test_reading_a_puzzle_counts(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    from jigsat.cli.given import read_given

    def read_late(*arguments: Any) -> Any:
        told.wait()
        return read_given(*arguments)

    def say(line: str) -> None:
        lines.append(line)
        told.set()

    lines: list[str] = []
    told = threading.Event()
    monkeypatch.setattr("jigsat.cli.steps.PROGRESS_DELAY_S", 0)
    monkeypatch.setattr("jigsat.cli.steps.read_given", read_late)
    monkeypatch.setattr("jigsat.cli.steps.say", say)
    assert run(capsys, "hint", "sudoku-6x6").out.startswith("Look at ")
    assert lines == ["no hint so far: reading the puzzle"]


def list_words(name: str, number: int) -> list[str]:
    """The words of the first steps of a puzzle."""
    puzzle = instance.load(name)
    return [" ".join(step.text(puzzle).lines()) for step in islice(find_steps(puzzle), number)]


def test_sentences_name_places_in_one_way() -> None:
    assert list_words("fish", 1)[0].endswith("So zebra-6 lies in r2c3.")
    assert list_words("cube", 1)[0].endswith("may choose: piece B lies on the top (upright).")
    assert not any("row " in words for words in list_words("black-and-white", 5))
    assert [*find_legends(["Only l2r4c13 is left"]).values()] == [
        "l2r4c13 is the place in layer 2, row 4, column 13."
    ]


def test_sentences_say_what_rules_leave_and_what_steps_rest_on() -> None:
    puzzle = instance.load("sudoku-6x6")
    first = next(find_steps(puzzle))
    text = first.text(puzzle)
    assert text.title == "hidden single" and text.lines() == [
        "In row 1, 3 can only go in r1c5.",
        "The 3s in r2c3 and r5c4 block the other empty cells.",
    ]
    assert isinstance(first.fact, LastPlace)
    blocking = {x for cause in first.fact.causes for x in cause.basis.placed if x.value == "3"}
    assert {placement.cell for placement in blocking} == {(1, 2), (4, 3)}
    words = list_words("latin-diagonal-7", 12)
    assert any(each.startswith("Suppose ") and "1. " in each for each in words)


def test_sentences_name_the_steps_that_ruled_something_out() -> None:
    puzzle = instance.load("latin-diagonal-7")
    steps, named = list(islice(find_steps(puzzle), 12)), 0
    for step in steps:
        if not isinstance(step.fact, LastPlace | LastThing):
            continue
        for cause in step.fact.causes:
            if cause.step:
                earlier = steps[cause.step - 1].fact.conclusion
                assert set(cause.excluded) <= set(earlier.excluded)
                (words,) = [x for x in step.text(puzzle).reasons if " ruled out " in x]
                assert str(cause.step) in words.split(" ruled out ")[0]
                named += 1
    assert named


def test_many_exclusions_of_a_filling_are_said_of_the_value() -> None:
    puzzle = instance.load("latin-diagonal-7")
    step = next(islice(find_steps(puzzle), 5, None))
    assert isinstance(step.fact, Fills) and len(step.excluded) > 4
    assert {placement.value for placement in step.excluded} == {"1"}
    assert step.text(puzzle).end == ("So 1 can go nowhere else in columns 3, 4 and 5.",)


def test_a_clue_is_said_with_its_number() -> None:
    cages = instance.load("calcudoku-5")
    first = next(find_steps(cages))
    text = first.text(cages)
    assert text.reasons == ("The cage at r3c4 says 80×.",)
    assert text.end[0].startswith("However that is met, ")
    assert isinstance(first.fact, Excludes)

    # If much is excluded, each of two cells has a sentence of its own.
    values = range(1, 31)
    excluded = tuple(Mark("number", at, value) for at in ((2, 3), (3, 2)) for value in values)
    fact = replace(first.fact, conclusion=Marks((), excluded))
    first_end, second_end = choose_phrasebook(cages).phrase(fact, (), ()).end
    assert first_end.startswith("However that is met, 30 ways to fill r3c4 ")
    assert second_end.startswith("And 30 ways to fill r4c3 ")

    islands = instance.load("nurikabe-5")
    first = next(find_steps(islands))
    assert first.text(islands).reasons == ("Look at the island of r4c1: islands are apart.",)


def test_a_page_has_each_step_with_its_sentences_and_picture(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    page = tmp_path / "steps.html"
    assert run(capsys, "steps", "latin-diagonal-7", "--html", page).status == 0
    puzzle = instance.load("latin-diagonal-7")
    text, steps = page.read_text(), list(jigsat.steps(puzzle))
    assert text.count('<details name="step"') == text.count("Large:") == len(steps)
    for step in steps:
        assert all(f"<p>{escape(line)}</p>" in text for line in step.text(puzzle).lines())
    assert text.count(f'stroke="{EXCLUDED}"') == sum(
        len({each.cell for each in step.excluded}) for step in steps
    )
    assert run(capsys, "steps", "sudoku-6x6", "--html", tmp_path / "no" / "steps.html").status == 2


@pytest.mark.parametrize("name", ["black-and-white", "cats", "crossword-5x5", "wedding-small"])
def test_each_step_has_words_and_a_picture_with_what_drops_out(name: str) -> None:
    puzzle = instance.load(name)
    steps = list(islice(find_steps(puzzle), 8))
    drawn = list(illustrate_steps(puzzle, steps))
    for step, illustrated in zip(steps, drawn, strict=True):
        assert illustrated.text == step.text(puzzle)
        picture = ElementTree.fromstring(illustrated.svg)
        written = " ".join(each.text or "" for each in picture.iter(f"{SVG}text"))
        shown = [x for x in step.excluded if puzzle.board_places(x)]
        is_pencil = "Small marks: " in written
        assert ("A red line strikes out" in written or not is_pencil) or not shown
        assert ("Small pictures with a pink frame: " in written) == bool(shown and not is_pencil)


def test_pictures_say_how_a_piece_lies() -> None:
    puzzle = instance.load("black-and-white")
    *_, second = illustrate_steps(puzzle, islice(find_steps(puzzle), 2))
    picture = ElementTree.fromstring(second.svg)
    written = " ".join(each.text or "" for each in picture.iter(f"{SVG}text"))
    assert "r4c3–r4c5 begins with the upper left end of the piece as drawn." in written


def test_the_words_that_are_left_for_a_slot_are_those_of_the_list_that_fit_the_marks() -> None:
    puzzle = instance.load("crossword-5x5")
    assert isinstance(puzzle, CrosswordData)
    slots = {slot.name: slot.cells for slot in puzzle.slots}
    for step in list_steps("crossword-5x5", 12):
        fact = step.fact
        assert isinstance(fact, WaysLeft)
        cells = slots[fact.rules[0].about]
        letters = [{each.letter for each in step.left if each[0] == cell} for cell in cells]
        words = {
            word
            for word in puzzle.scores
            if len(word) == len(cells) and all(map(contains, letters, word))
        }
        assert set(fact.ways) == words
        for cell, letter in step.excluded:
            assert all(word[cells.index(cell)] != letter for word in words)
        text = step.text(puzzle)
        assert len(words) > 120 or all(word in " ".join(text.beside) for word in words)


def test_a_letter_is_said_with_its_square() -> None:
    puzzle = instance.load("crossword-5x5")
    for step in list_steps("crossword-5x5"):
        text = " ".join(step.text(puzzle).lines())
        for placement in (*step.placed, *step.excluded[:1]):
            assert name_place(placement.cell) in text
        assert "chosen" not in text


def test_rules_without_names_are_named_by_their_group_and_what_they_share(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    puzzle = instance.load("sudoku-6x6")
    encode = type(puzzle).encode
    solution = {placement for step in jigsat.steps(puzzle) for placement in step.placed}

    def encode_without_names(self: Puzzle[Any]) -> Formula:
        formula = encode(self)
        formula.rules = {}
        return formula

    monkeypatch.setattr(type(puzzle), "encode", encode_without_names)
    steps = list(jigsat.steps(puzzle))
    assert {placement for step in steps for placement in step.placed} == solution
    rules = {rule for step in steps for rule in step.rules}
    assert rules and all(": value " in rule or ": cell r" in rule for rule in rules)
    assert {rule.partition(":")[0] for rule in rules} <= puzzle.encode().groups.keys()


def test_steps_are_printed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pages = tmp_path / "steps.html"
    assert run(capsys, "sheet", "sudoku-6x6", "-o", pages, "--steps").status == 0
    text, steps = pages.read_text(), list(jigsat.steps("sudoku-6x6"))
    assert all(f"Step {i}<" in text for i in range(2, len(steps) + 1))
    assert text.count(f'stroke="{EXCLUDED}"') == sum(
        len({each.cell for each in step.excluded}) for step in steps
    )


def test_rows_and_columns_are_not_counted_from_the_margin(
    capsys: pytest.CaptureFixture[str],
) -> None:
    out = run(capsys, "hint", "kakuro-5", "--more").out
    assert re.search(
        r"^r(\d)c(\d) is the place in row \1, column \2, not counting the first row and the first "
        r"column of the drawing\.$",
        out,
        re.M,
    ), out


def test_the_command(capsys: pytest.CaptureFixture[str]) -> None:
    lines = run(capsys, "steps", "sudoku-6x6").out.splitlines()
    assert lines[:2] == list(instance.load("sudoku-6x6").rules())
    assert lines[2:5] == [
        "r1c5 is the place in row 1, column 5.",
        "1. Hidden single: In row 1, 3 can only go in r1c5.",
        "   The 3s in r2c3 and r5c4 block the other empty cells.",
    ]
    data = json.loads(run(capsys, "steps", "lights-5x5", "--json").out)
    assert data["undecided"] == 20
    assert {step["fact"]["is"] for step in data["steps"]} == {"parity sum"}
    assert "several solutions: 20 placements" in run(capsys, "steps", "lights-5x5").out
    failed = run(capsys, "steps", "lights-unsolvable")
    assert failed.status == 2 and "there is no solution" in failed.err


def test_a_chain_that_nobody_follows_is_told_on_request(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("jigsat.phrases.text.MAX_CHAIN", 2)
    puzzle = instance.load("latin-diagonal-7")
    case = next(step for step in find_steps(puzzle) if isinstance(step.fact, Case))
    text = case.text(puzzle)
    assert text.is_long and len(text.chain) > 2
    trial = f"Trying that leads to a contradiction, but only by a chain of {len(text.chain)} lines."
    assert text.lines() == [*text.reasons, trial, *text.end]
    assert text.lines(every=True) == [*text.reasons, trial, *text.list_chain(), *text.end]
    assert text.chain[0] not in run(capsys, "steps", "latin-diagonal-7").out
    assert text.chain[0] in run(capsys, "steps", "latin-diagonal-7", "--chains").out


def test_the_fullest_line_comes_first() -> None:
    """Row 1 says something, too, but a person sees row 2."""
    (nonogram,) = instance.load_text("Nonogram\nrows: 3; 4\ncolumns: 2; 2; 2; 1\n")
    first = next(iter(find_steps(nonogram)))
    assert first.rules == ("row 2",)


def test_a_tree_with_one_place_is_said_in_a_sentence() -> None:
    (camp,) = instance.load_text("Tents\nt.t.\n....\n....\ntop: 0 1 . .\n")
    steps = list(find_steps(camp))
    assert [step.text(camp).lines()[0] for step in steps if step.kind == "last place"][:1] == [
        "For the tree in r1c1, a tent can only go in r1c2."
    ]


def test_a_clue_says_what_other_rules_excluded() -> None:
    (nonogram,) = instance.load_text("Nonogram\nrows: 2; 0; 0; 1\ncolumns: 0; 1; 1 1\n")
    lines = [line for step in find_steps(nonogram) for line in step.text(nonogram).lines()]
    assert "r1c1 cannot be shaded (column 1)." in lines
