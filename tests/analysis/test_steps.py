"""Steps are proved again by another solver, from the rules that they name and from what was known before."""

from __future__ import annotations

import json
from collections import Counter
from contextlib import closing
from html import escape
from pathlib import Path

import pytest
from support.inside import jigsat as run

import jigsat
from jigsat import InputError, Puzzle, Stopped, instance
from jigsat.analysis.candidates import find_candidates_until
from jigsat.analysis.steps import MAX_RULES, Step, find_legends, find_open, find_refutation, find_steps
from jigsat.analysis.walkthrough import EXCLUDED
from jigsat.backends import Backend, open_backend
from jigsat.formula import Cardinality, Clause, Formula, Linear, Xor

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

    What a single rule excludes without being a step is proved in the same way.
    """
    formula = puzzle.encode()
    rules, variables = formula.list_rules(), {formula.key(x): x for x in formula.decisions()}
    known, solvers = set[int](), dict[frozenset[str], Backend]()

    def follows(names: frozenset[str], literal: int) -> bool:
        if names not in solvers:
            solvers[names] = open_backend("glucose42")
            solvers[names].load(formula_of(formula, names))
        return not solvers[names].solve([*known, -literal])

    def exclude() -> None:
        before = -1
        while len(known) > before:
            before = len(known)
            for name, constraints in rules.items():
                about = {abs(literal) for each in constraints for literal in each[0]} & set(variables.values())
                open_literals = {x for x in about if x not in known and -x not in known}
                if open_literals:
                    known.update(-x for x in open_literals if follows(frozenset([name]), -x))

    known.update(variables[placement] for placement in puzzle.given_placements())
    for step in steps:
        exclude()
        literals = [variables[each] for each in step.placed] + [-variables[each] for each in step.excluded]
        assert literals and not known.issuperset(literals)
        if step.kind not in ("trial", "symmetry"):
            assert all(follows(frozenset(step.rules), literal) for literal in literals), step
        assert step.kind != "rules" or len(step.rules) <= MAX_RULES
        assert {variables[each] for each in step.facts} <= known | {
            variables[each] for earlier in steps for each in earlier.placed
        }
        known.update(literals)
    exclude()
    for solver in solvers.values():
        solver.close()
    return known


@pytest.mark.parametrize(
    "name", ["sudoku-6x6", "push-pull", "black-and-white", "latin-diagonal-7", "foam-frame", "exact-cover-colours"]
)
def test_steps_are_proved_again_and_lead_to_the_solution(name: str) -> None:
    puzzle = instance.load(name)
    steps = jigsat.steps(puzzle)
    known = prove(puzzle, steps)
    formula = puzzle.encode()
    (solution,) = jigsat.solutions(puzzle, up_to="nothing")
    assert {formula.key(x) for x in known if x > 0} == set(solution.placements)
    assert "trial" not in Counter(step.kind for step in steps)


@pytest.mark.parametrize("name", ["cats", "wedding-small", "lights-5x5"])
def test_steps_of_several_solutions_are_proved_again(name: str) -> None:
    puzzle = instance.load(name)
    prove(puzzle, jigsat.steps(puzzle))


@pytest.mark.parametrize("name", UNIQUE)
def test_a_solution_is_explained_from_start_to_end(name: str) -> None:
    puzzle = instance.load(name)
    (solution,) = jigsat.solutions(puzzle, up_to="nothing")
    clues = {placement for clue in puzzle.clues().values() for placement in clue if len(clue) == 1}
    steps = jigsat.steps(puzzle)
    assert {placement for step in steps for placement in step.placed} | clues == set(solution.placements)
    assert not any(set(step.excluded) & set(solution.placements) for step in steps)


@pytest.mark.parametrize("name", SEVERAL)
def test_with_several_solutions_nothing_but_what_all_have_is_decided(name: str) -> None:
    puzzle = instance.load(name)
    candidates = find_candidates_until(puzzle)
    for step in find_steps(puzzle, candidates):
        if step.kind == "symmetry":
            candidates = find_candidates_until(puzzle, step.placed)
        assert {candidates.statuses[each] for each in step.placed} <= {"all"}
        assert {candidates.statuses[each] for each in step.excluded} <= {"none"}


@pytest.mark.parametrize("name", ["cats", "cube", "wedding-small"])
def test_what_is_assumed_by_symmetry_is_in_an_image_of_every_solution(name: str) -> None:
    puzzle = instance.load(name)
    first, *others = jigsat.steps(puzzle)
    assert first.kind == "symmetry" and not any(step.kind == "symmetry" for step in others)
    symmetries = list(puzzle.symmetries())
    for solution in jigsat.solutions(puzzle, up_to="nothing"):
        images = [{symmetry.images[each] for each in solution.placements} for symmetry in symmetries]
        assert any(first.placed[0] in image for image in [set(solution.placements), *images])


def test_cats_and_cube_are_solved_by_logic_after_one_placement() -> None:
    for name in ("cats", "cube"):
        steps = jigsat.steps(name)
        assert {step.kind for step in steps[1:]} <= {"rules", "case"}
    assert len({placement for step in jigsat.steps("cats") for placement in step.placed}) == 9


@pytest.mark.parametrize("name", ["latin-diagonal-7", pytest.param("sudoku-jigsaw", marks=pytest.mark.slow)])
def test_a_case_leads_to_a_contradiction_rule_by_rule(name: str) -> None:
    puzzle = instance.load(name)
    formula = puzzle.encode()
    variables = {formula.key(x): x for x in formula.decisions()}
    steps = jigsat.steps(puzzle)
    cases = [(i, step) for i, step in enumerate(steps) if step.kind == "case"]
    assert cases
    for i, case in cases[:3]:
        known = prove(puzzle, steps[:i])
        assumed = [variables[each] for each in case.excluded] + [-variables[each] for each in case.placed]
        for inference in case.inferences:
            with closing(open_backend("glucose42")) as solver:
                solver.load(formula_of(formula, frozenset(inference.rules)))
                implied = [variables[each] for each in inference.placed] + [-variables[each] for each in inference.excluded]
                assert implied or inference is case.inferences[-1]
                assert not any(solver.solve([*known, *assumed, -literal]) for literal in implied)
                assert implied or not solver.solve([*known, *assumed])
            assumed += implied


@pytest.mark.parametrize("seed", range(5))
def test_steps_of_generated_sudokus_are_proved_again(seed: int) -> None:
    (puzzle,) = jigsat.generate("sudoku-4x4-empty", seed=seed)
    prove(puzzle, jigsat.steps(puzzle))


def test_given_placements_are_facts() -> None:
    puzzle = instance.load("latin-4")
    solution = next(iter(jigsat.solutions(puzzle, up_to="nothing")))
    assert jigsat.steps(puzzle, solution.placements) == []
    assert {each for step in jigsat.steps(puzzle, solution.placements[:-4]) for each in step.placed} <= set(solution.placements)


@pytest.mark.parametrize("name", ["sudoku-6x6", "black-and-white", "push-pull", "menage-5"])
def test_a_refutation_is_proved_again(name: str) -> None:
    puzzle = instance.load(name)
    statuses = find_candidates_until(puzzle).statuses
    left = set(find_open(puzzle))
    assert all(find_refutation(puzzle, each) is None for each, status in statuses.items() if status == "all")
    wrong = [each for each, status in statuses.items() if status == "none"]
    assert {each for each, status in statuses.items() if status != "none"} <= left
    for placement in wrong[:: len(wrong) // 8 + 1]:
        step = find_refutation(puzzle, placement)
        assert step is not None and step.excluded == (placement,)
        if placement in left and step.kind != "trial":
            prove(puzzle, [step])


def test_what_cannot_be_explained() -> None:
    with pytest.raises(InputError, match="there is no solution"):
        jigsat.steps("lights-unsolvable")
    with pytest.raises(Stopped):
        list(find_steps(instance.load("cats"), find_candidates_until(instance.load("cats"), timeout=0.000_001)))


def test_a_page_has_each_step_with_its_sentence_and_picture(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    page = tmp_path / "steps.html"
    assert run(capsys, "steps", "latin-diagonal-7", "--html", page).status == 0
    text, steps = page.read_text(), jigsat.steps("latin-diagonal-7")
    assert text.count("<details") == text.count("<svg ") == len(steps)
    assert all(escape(step.describe("cell")) in text for step in steps)
    assert text.count(f'fill="{EXCLUDED}" fill-opacity') == sum(len({each.cell for each in step.excluded}) for step in steps)
    assert run(capsys, "steps", "sudoku-6x6", "--html", tmp_path / "no" / "steps.html").status == 2


def test_sentences_say_what_rules_leave_and_what_steps_rest_on() -> None:
    steps = jigsat.steps("sudoku-6x6")
    assert steps[0].describe("cell") == "row 1 leaves only r1c5 for 3"
    assert {each.cell for each in steps[0].facts} == {(0, 5), (1, 2), (4, 3)}  # a 4 in the row, and a 3 in a box and a column
    words = [step.describe("cell") for step in jigsat.steps("latin-diagonal-7")]
    assert any(each.startswith("Suppose ") and each.endswith(("≠ 5", "≠ 6", "≠ 3")) for each in words)
    assert find_legends(words) == ["r4c3 is the place in row 4, column 3."]
    sums = [step.describe("cell") for step in jigsat.steps("push-pull")]
    assert all(each.startswith(("Add up ", "every other press of light ")) for each in sums)


@pytest.mark.parametrize("name", ["sudoku-6x6", "latin-diagonal-7", "black-and-white", "cats"])
def test_what_is_left_is_part_of_what_a_rule_requires(name: str) -> None:
    puzzle = instance.load(name)
    formula = puzzle.encode()
    variables = {formula.key(x): x for x in formula.decisions()}
    for step in [each for each in jigsat.steps(puzzle) if each.kind == "rules" and each.left][:20]:
        for left in step.left:
            gone = [each for each in left.choices if each not in left.placements]
            with closing(open_backend("glucose42")) as solver:
                solver.load(formula_of(formula, frozenset([left.rule])))
                assert not solver.solve([-variables[each] for each in left.choices]), "the rule requires one of them"
            assert gone and set(left.placements) | set(gone) == set(left.choices)


def test_steps_are_printed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pages = tmp_path / "steps.html"
    assert run(capsys, "sheet", "sudoku-6x6", "-o", pages, "--steps").status == 0
    text, steps = pages.read_text(), jigsat.steps("sudoku-6x6")
    assert all(f"Step {i}<" in text for i in range(2, len(steps) + 1))
    assert text.count(f'fill="{EXCLUDED}" fill-opacity') == sum(len({each.cell for each in step.excluded}) for step in steps)


def test_the_command(capsys: pytest.CaptureFixture[str]) -> None:
    lines = run(capsys, "steps", "sudoku-6x6").out.splitlines()
    assert lines[:2] == ["r4c3 is the place in row 4, column 3.", "1. row 1 leaves only r1c5 for 3"]
    data = json.loads(run(capsys, "steps", "lights-5x5", "--json").out)
    assert data["undecided"] == 20 and {step["kind"] for step in data["steps"]} == {"sum"}
    assert "several solutions: 20 placements" in run(capsys, "steps", "lights-5x5").out
    failed = run(capsys, "steps", "lights-unsolvable")
    assert failed.status == 2 and "there is no solution" in failed.err
