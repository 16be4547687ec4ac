"""Steps are proved again by another solver, from the rules that they name and from what was known
before."""

from __future__ import annotations

import json
import os
import signal
import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from html import escape
from itertools import islice
from operator import contains
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from jigsat.encodings.crossword.data import CrosswordData
from support.inside import jigsat as run

import jigsat
from jigsat import InputError, Puzzle, Stopped, instance
from jigsat.analysis.candidates import find_candidates
from jigsat.analysis.steps import MAX_RULES, find_refutation, find_steps, list_left
from jigsat.analysis.walkthrough import EXCLUDED, illustrate_steps
from jigsat.analysis.wording import Step, find_legends
from jigsat.backends import Backend, open_backend
from jigsat.errors import Interrupted
from jigsat.formula import Cardinality, Clause, Formula, Linear, Lowered, Xor
from jigsat.runtime.child import _Requests

UNIQUE = ["sudoku-6x6", "sudoku-hard", "latin-diagonal-7", "black-and-white", "push-pull"]
SEVERAL = ["lights-5x5", "wedding-small", "latin-6", "cube-flat"]


def formula_of(original: Formula, rules: frozenset[str]) -> Formula:
    """The same variables with the constraints of these rules only."""
    formula = original.extended()
    formula.groups, formula.objective = {}, {}
    for name, constraints in original.list_rules().items():
        for constraint in constraints if name in rules else ():
            match constraint:
                case Clause(literals):
                    formula.clause(literals)
                case Cardinality(literals, low, high):
                    formula.between(low, high, literals)
                case Xor(variables, odd):
                    formula.xor(variables, odd=odd)
                case Linear(literals, weights, low, high):
                    formula.linear(zip(literals, weights, strict=True), at_least=low, at_most=high)
    return formula


def prove(puzzle: Puzzle, steps: list[Step]) -> set[int]:
    """Prove each step, and return the literals that are known at the end.

    What a single rule excludes by propagation is not a step. It is excluded here by the propagation
    of another solver.
    """
    formula = puzzle.encode()
    rules, variables = formula.list_rules(), {formula.key(x): x for x in formula.decisions()}
    searching, propagating = (dict[frozenset[str], tuple[Backend, int]]() for _ in range(2))
    known = set[int]()

    def solver_of(
        names: frozenset[str], solvers: dict[frozenset[str], tuple[Backend, int]]
    ) -> tuple[Backend, int]:
        """A solver, and a literal that makes the rules hold: propagation reports only what follows
        from assumptions."""
        if names not in solvers:
            lowered = Lowered(formula_of(formula, names))
            clauses = [each.literals for each in lowered if isinstance(each, Clause)]
            holds = lowered.top + 1  # the variables that were added come before
            solvers[names] = open_backend("glucose42"), holds
            solvers[names][0].load(Formula())
            solvers[names][0].add_clauses([(-holds, *literals) for literals in clauses])
        return solvers[names]

    def follows(names: frozenset[str], literal: int) -> bool:
        solver, holds = solver_of(names, searching)
        return not solver.solve([holds, *known, -literal])

    def exclude() -> None:
        before = -1
        while len(known) > before:
            before = len(known)
            for name, constraints in rules.items():
                about = {abs(literal) for each in constraints for literal in each[0]} & set(
                    variables.values()
                )
                here = [literal for x in about for literal in (x, -x) if literal in known]
                if len(here) < len(about):
                    solver, holds = solver_of(
                        frozenset([name]), propagating
                    )  # a search would learn more
                    _, implied = solver.propagate([holds, *here])
                    known.update(literal for literal in implied if -literal in about)

    known.update(variables[placement] for placement in puzzle.given_placements())
    for step in steps:
        exclude()
        literals = [variables[each] for each in step.placed] + [
            -variables[each] for each in step.excluded
        ]
        assert literals and known.isdisjoint(literals)
        if step.kind not in ("trial", "symmetry"):
            assert all(follows(frozenset(step.rules), literal) for literal in literals), step
        assert step.kind != "rules" or len(step.rules) <= MAX_RULES
        assert {variables[each] for each in step.facts} <= known | {
            variables[each] for earlier in steps for each in earlier.placed
        }
        known.update(literals)
    exclude()
    for solver, _ in (*searching.values(), *propagating.values()):
        solver.close()
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
    steps = list(jigsat.steps(puzzle))
    known = prove(puzzle, steps)
    formula = puzzle.encode()
    (solution,) = jigsat.solutions(puzzle, up_to="nothing")
    assert {formula.key(x) for x in known if x > 0} == set(solution.placements)
    assert "trial" not in Counter(step.kind for step in steps)


@pytest.mark.parametrize("name", ["cats", "wedding-small", "lights-5x5", "crossword-5x5"])
def test_steps_of_several_solutions_are_proved_again(name: str) -> None:
    puzzle = instance.load(name)
    prove(puzzle, list(jigsat.steps(puzzle)))


@pytest.mark.parametrize("name", UNIQUE)
def test_a_solution_is_explained_from_start_to_end(name: str) -> None:
    puzzle = instance.load(name)
    (solution,) = jigsat.solutions(puzzle, up_to="nothing")
    clues = {placement for clue in puzzle.clues().values() for placement in clue if len(clue) == 1}
    steps = list(jigsat.steps(puzzle))
    assert {placement for step in steps for placement in step.placed} | clues == set(
        solution.placements
    )
    assert not any(set(step.excluded) & set(solution.placements) for step in steps)


@pytest.mark.parametrize("name", SEVERAL)
def test_with_several_solutions_nothing_but_what_all_have_is_decided(name: str) -> None:
    puzzle = instance.load(name)
    *_, candidates = find_candidates(puzzle)
    for step in find_steps(puzzle):
        if step.kind == "symmetry":
            *_, candidates = find_candidates(puzzle, step.placed)
        assert {candidates.statuses[each] for each in step.placed} <= {"all"}
        assert {candidates.statuses[each] for each in step.excluded} <= {"none"}


@pytest.mark.parametrize("name", ["cats", "cube", "wedding-small"])
def test_what_is_assumed_by_symmetry_is_in_an_image_of_every_solution(name: str) -> None:
    puzzle = instance.load(name)
    first, *others = list(jigsat.steps(puzzle))
    assert first.kind == "symmetry" and not any(step.kind == "symmetry" for step in others)
    symmetries = list(puzzle.symmetries())
    for solution in jigsat.solutions(puzzle, up_to="nothing"):
        images = [
            {symmetry.images[each] for each in solution.placements} for symmetry in symmetries
        ]
        assert any(first.placed[0] in image for image in [set(solution.placements), *images])


def test_cats_and_cube_are_solved_by_logic_after_one_placement() -> None:
    for name in ("cats", "cube"):
        steps = list(jigsat.steps(name))
        assert {step.kind for step in steps[1:]} <= {"rules", "case"}
    assert len({placement for step in list(jigsat.steps("cats")) for placement in step.placed}) == 9


@pytest.mark.parametrize(
    "name", ["latin-diagonal-7", pytest.param("sudoku-jigsaw", marks=pytest.mark.slow)]
)
def test_a_case_leads_to_a_contradiction_rule_by_rule(name: str) -> None:
    puzzle = instance.load(name)
    formula = puzzle.encode()
    variables = {formula.key(x): x for x in formula.decisions()}
    steps = list(jigsat.steps(puzzle))
    cases = [(i, step) for i, step in enumerate(steps) if step.kind == "case"]
    assert cases
    for i, case in cases[:3]:
        known = prove(puzzle, steps[:i])
        assumed = [variables[each] for each in case.excluded] + [
            -variables[each] for each in case.placed
        ]
        for inference in case.inferences:
            with closing(open_backend("glucose42")) as solver:
                solver.load(formula_of(formula, frozenset(inference.rules)))
                implied = [variables[each] for each in inference.placed] + [
                    -variables[each] for each in inference.excluded
                ]
                assert implied or inference is case.inferences[-1]
                assert len(inference.placed) <= 1  # each conclusion has its own line
                assert not any(solver.solve([*known, *assumed, -literal]) for literal in implied)
                assert implied or not solver.solve([*known, *assumed])
            assumed += implied


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
    left = next(list_left(instance.load("sudoku-empty"), ()))
    clash = next(each for each in left if each == ((0, 3), "2"))  # row 1 has a 2 already
    open_ = next(list_left(puzzle, (), [clash]))
    assert set(open_) < {*next(list_left(puzzle, ())), clash} and clash in open_
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
    left = set(next(list_left(puzzle, ())))
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
        if placement in left and step.kind != "trial":
            prove(puzzle, [step])


def test_what_cannot_be_explained() -> None:
    with pytest.raises(InputError, match="there is no solution"):
        list(jigsat.steps("lights-unsolvable"))
    with pytest.raises(Stopped):
        list(jigsat.steps("fish", timeout=0.1))
    first, second = islice(find_steps(instance.load("fish")), 2)
    assert (first.kind, first.name_reason("cell")) == ("trial", "") and second.kind != "trial"


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
    assert f"`jigsat candidates sudoku-6x6 --given {given}`" in done.err


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
    monkeypatch.setattr("jigsat.cli.candidates.find_steps", stop)
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

    monkeypatch.setattr("jigsat.cli.candidates.find_steps", wait)
    monkeypatch.setattr("jigsat.api.find_steps", wait)
    assert run(capsys, "steps", "sudoku-6x6", "--timeout", "3").status == 3
    with pytest.raises(Stopped):
        list(jigsat.steps("sudoku-6x6", timeout=3))


def test_sentences_name_places_in_one_way() -> None:
    fish, cube, crossword, tiling = map(
        instance.load, ("fish", "cube", "crossword-5x5", "black-and-white")
    )
    assert next(find_steps(fish)).describe("cell").endswith("r2c3 is zebra-6")
    assert (
        next(find_steps(cube)).describe("cell")
        == "By symmetry, we may assume that the top face is piece B as drawn"
    )
    assert (
        next(find_steps(crossword))
        .describe(None)
        .startswith("91 words are left for answer 6 across; so r4c1 cannot be H")
    )
    assert any(
        "r4c1 cannot be " in step.describe(None) for step in islice(find_steps(crossword), 3)
    )
    assert not any("row " in step.describe(None) for step in islice(find_steps(tiling), 5))


def test_a_page_has_each_step_with_its_sentence_and_picture(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    page = tmp_path / "steps.html"
    assert run(capsys, "steps", "latin-diagonal-7", "--html", page).status == 0
    text, steps = page.read_text(), list(jigsat.steps("latin-diagonal-7"))
    assert text.count("<details") == text.count("Bold:") == len(steps)
    assert all(escape(step.describe("cell")) in text for step in steps)
    assert text.count(f'stroke="{EXCLUDED}"') == sum(
        len({each.cell for each in step.excluded}) for step in steps
    )
    assert run(capsys, "steps", "sudoku-6x6", "--html", tmp_path / "no" / "steps.html").status == 2


@pytest.mark.parametrize("name", ["black-and-white", "cats", "crossword-5x5", "wedding-small"])
def test_each_step_has_a_sentence_and_a_picture_with_what_was_left(name: str) -> None:
    puzzle = instance.load(name)
    steps = list(islice(find_steps(puzzle), 20))
    drawn = list(illustrate_steps(puzzle, steps))
    assert [words for words, _ in drawn] == [step.describe(puzzle.cell_field) for step in steps]
    lists = [picture for _, picture in drawn if "Left before: " in picture]
    assert bool(lists) != (name == "wedding-small")  # there, the marks show everything


def test_pictures_say_which_places_a_box_has_and_how_a_piece_lies() -> None:
    def caption(name: str, number: int) -> str:
        puzzle = instance.load(name)
        _, picture = list(illustrate_steps(puzzle, list(islice(find_steps(puzzle), number))))[-1]
        return " ".join(
            each.text or ""
            for each in ElementTree.fromstring(picture).iter("{http://www.w3.org/2000/svg}text")
        )

    assert "Box 3: r1c7–r1c9 r2c7–r2c9 r3c7–r3c9." in caption("sudoku-hard", 1)
    assert "r5c4–r3c4 begins with the upper left end of the piece as drawn." in caption(
        "black-and-white", 2
    )


def test_sentences_say_what_rules_leave_and_what_steps_rest_on() -> None:
    steps = list(jigsat.steps("sudoku-6x6"))
    assert steps[0].describe("cell") == (
        "Only r1c5 is left for 3 in row 1: r2c3 = 3 (box 1) excludes r1c1 and r1c2, r2c3 = 3 "
        "(column 3) excludes r1c3, "
        "and r5c4 = 3 (column 4) excludes r1c4"
    )
    assert {each.cell for each in steps[0].facts} == {
        (0, 5),
        (1, 2),
        (4, 3),
    }  # a 4 in the row, and a 3 in a box and a column
    words = [step.describe("cell") for step in list(jigsat.steps("latin-diagonal-7"))]
    assert any(
        each.startswith("Suppose ") and each.endswith(("cannot be 5", "cannot be 6", "cannot be 3"))
        for each in words
    )
    assert any("step 7 excluded 6 (it led to a contradiction)" in each for each in words)
    assert any(
        "step 17 excluded r2c3 (by row 2, column 5, the diagonal from the top left and the" in each
        for each in words
    )
    assert (
        "Only 7 is left for cell r2c3: row 2 excludes 1 and 4, and column 3 excludes 2, 3, 5 and 6"
        in words
    )  # not step 22
    assert [*find_legends(["Only l2r4c13 is left"]).values()] == [
        "l2r4c13 is the place in layer 2, row 4, column 13."
    ]
    assert len(find_legends(words)) == 1
    sums = [step.describe("cell") for step in list(jigsat.steps("push-pull"))]
    assert all(
        each.startswith("Look at light") and " still needs an " in each.replace("need ", "needs ")
        for each in sums
    )


@pytest.mark.parametrize("name", ["sudoku-6x6", "latin-diagonal-7", "black-and-white", "cats"])
def test_what_is_left_is_part_of_what_a_rule_requires(name: str) -> None:
    puzzle = instance.load(name)
    formula = puzzle.encode()
    variables = {formula.key(x): x for x in formula.decisions()}
    for step in [each for each in list(jigsat.steps(puzzle)) if each.kind == "rules" and each.left][
        :20
    ]:
        for left in step.left:
            gone = [each for each in left.choices if each not in left.placements]
            with closing(open_backend("glucose42")) as solver:
                solver.load(formula_of(formula, frozenset([left.rule])))
                assert not solver.solve([-variables[each] for each in left.choices]), (
                    "the rule requires one of them"
                )
            assert (gone or len(left.choices) == 1) and set(left.placements) | set(gone) == set(
                left.choices
            )


def test_the_words_that_are_left_for_a_slot_are_those_of_the_list_that_fit_the_marks() -> None:
    puzzle = instance.load("crossword-5x5")
    assert isinstance(puzzle, CrosswordData)
    steps, slots = (
        list(islice(find_steps(puzzle), 12)),
        {slot.name: slot.cells for slot in puzzle.slots},
    )
    for step, possible in zip(steps, list_left(puzzle, steps), strict=False):
        ((left,), cells) = step.ways, slots[step.rules[0].removeprefix("answer ")]
        letters = [{each.letter for each in possible if each[0] == cell} for cell in cells]
        words = {
            word
            for word in puzzle.scores
            if len(word) == len(cells) and all(map(contains, letters, word))
        }
        assert {way.value for way in left.placements} == words
        for cell, letter in step.excluded:
            assert all(word[cells.index(cell)] != letter for word in words)
        said = step.describe(None)
        assert (
            all(word in said for word in words)
            if len(words) <= 12
            else said.startswith(f"{len(words)} words are left for ")
        )


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


def test_the_command(capsys: pytest.CaptureFixture[str]) -> None:
    lines = run(capsys, "steps", "sudoku-6x6").out.splitlines()
    assert lines[0] == "r1c5 is the place in row 1, column 5." and lines[1].startswith(
        "1. Only r1c5 is left for 3 in row 1: "
    )
    data = json.loads(run(capsys, "steps", "lights-5x5", "--json").out)
    assert data["undecided"] == 20 and {step["kind"] for step in data["steps"]} == {"sum"}
    assert "several solutions: 20 placements" in run(capsys, "steps", "lights-5x5").out
    failed = run(capsys, "steps", "lights-unsolvable")
    assert failed.status == 2 and "there is no solution" in failed.err
