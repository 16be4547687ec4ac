"""Handouts: the encoding of a puzzle on one page."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple
from xml.etree import ElementTree

import pytest
from support.command import run
from support.inside import jigsat as command

import jigsat
from jigsat.answering.enumeration import first_solution
from jigsat.explanation.handout import handout
from jigsat.formula import Clause, Formula, Lowered
from jigsat.puzzle import Solution

Capture = pytest.CaptureFixture[str]

SVG = "{http://www.w3.org/2000/svg}"


def page(name: str) -> ElementTree.Element:
    puzzle = jigsat.load(name)
    found = first_solution(puzzle)
    answer = "There is no solution." if found is None else Solution(puzzle, found)
    return ElementTree.fromstring(handout(puzzle, answer))


def lines(sheet: ElementTree.Element) -> list[str]:
    return [text.text or "" for text in sheet.findall(f"{SVG}text")]


@pytest.mark.parametrize(
    "name",
    [
        "cats",
        "cube",
        "lights-5x5",
        "sudoku-hard",
        "wedding-small",
        "latin-4",
        "exact-cover-colours",
        "soma",
    ],
)
def test_a_handout_states_the_encoding_on_one_page(name: str) -> None:
    sheet = page(name)
    assert (sheet.get("width"), sheet.get("height")) == ("210mm", "297mm")
    for text in sheet.findall(f"{SVG}text"):
        assert 12 <= float(text.get("x", 0)) <= 198 and 12 <= float(text.get("y", 0)) <= 286
    pictures = sheet.findall(f"{SVG}svg")
    assert len(pictures) == 2
    assert all(float(p.get("x", 0)) + float(p.get("width", 0)) <= 198.1 for p in pictures)
    formula, said = jigsat.load(name).encode(), lines(sheet)
    lowered = Lowered(formula)
    clauses = [clause.literals for clause in lowered if isinstance(clause, Clause)]
    assert f"In total: {lowered.top:,} variables, {len(clauses):,} clauses" in said
    assert (
        f"p cnf {lowered.top} {25 if name == 'lights-5x5' else len(clauses)}" in said
    )  # XORs are not cut into clauses there
    for family in [*formula.families.values()][:6]:
        assert family.meaning, family.name
        assert f"{family.name}({', '.join(family.axes)})" in said
        assert any(
            line.removesuffix("…") in family.meaning.replace("`", "")
            for line in said
            if len(line) > 10
        )
    for group in formula.groups.values():
        if len(group.constraints):
            rule = group.name[:1].upper() + group.name[1:]  # a long one has several lines
            at = next(i for i, line in enumerate(said) if len(line) > 5 and rule.startswith(line))
            assert said[at + 2].strip()


def test_an_example_is_a_whole_constraint_of_its_group() -> None:
    said = lines(page("sudoku-hard"))
    at = said.index("Each cell holds one digit") + 2
    digits = ", ".join(f"digit((0,0), {digit})" for digit in range(1, 10))
    assert " ".join(" ".join(said[at : at + 2]).split()) == f"cell r1c1: exactly 1 of {digits}"
    said = lines(page("lights-5x5"))
    odd = "an odd number of press((0,0)), press((0,1)), press((1,0))"
    assert said[said.index("Every light goes out") + 2] == f"light r1c1: {odd}"
    said = lines(page("cats"))
    shown = "¬place((0,0), 1, 0) ∨ label((0,0), 1, tiger tail)"
    assert said[said.index("A tile shows its labels") + 2] == f"edge between r1c1 and r1c2: {shown}"


class Piece(NamedTuple):
    number: int


class Bounds(jigsat.Puzzle[Piece]):
    """Some pieces are chosen."""

    family = "bounds"

    def encode(self) -> Formula:
        formula = Formula()
        x = formula.variables("x", Piece._fields, map(Piece, range(4)))[:]
        for name, state in {
            "even": lambda: formula.xor(x[:2], odd=False),
            "few": lambda: formula.at_most(2, x),
            "many": lambda: formula.at_least(1, x[1:]),
            "some": lambda: formula.between(1, 2, x[1:]),
            "one is enough": lambda: formula.at_most_one(x[:1]),
            "weights": lambda: formula.linear({x[0]: 3, -x[1]: 2}, at_least=2),
            "exact weights": lambda: formula.linear({x[0]: 3, x[1]: 2}, at_least=3, at_most=3),
        }.items():
            with formula.rule(name):
                state()
        return formula

    def check(self, placements: Sequence[Piece]) -> Iterator[str]:
        return iter(())


def test_bounds_and_parities_are_stated_in_full() -> None:
    said = lines(ElementTree.fromstring(handout(Bounds(name="b"), "None is shown.")))
    for rule, example in {
        "Even": "an even number of x(0), x(1)",
        "Few": "at most 2 of x(0), x(1), x(2), x(3)",
        "Many": "at least 1 of x(1), x(2), x(3)",
        "Some": "from 1 to 2 of x(1), x(2), x(3)",
        "One is enough": "at most 1 of x(0)",
        "Weights": "at least 2: 3 x(0) + 2 ¬x(1)",
        "Exact weights": "exactly 3: 3 x(0) + 2 x(1)",
    }.items():
        assert said[said.index(rule) + 2] == example


def test_a_rule_that_has_no_clauses_is_shown(tmp_path: Path) -> None:
    puzzle = jigsat.load(
        "cube", board="square 1x1", pieces={"A": jigsat.load("cube").model_dump()["pieces"]["A"]}
    )
    said = lines(ElementTree.fromstring(handout(puzzle, "None is shown.")))
    assert (
        said[said.index("Each corner is filled once") + 2]
        == "corner of r1c1: at most 1 of tooth((0,0), 0)"
    )


def test_the_beginning_of_the_file_is_that_of_export(tmp_path: Path) -> None:
    jigsat.export("lights-5x5", tmp_path / "lights.xnf")
    exported = (tmp_path / "lights.xnf").read_text().splitlines()
    said = lines(page("lights-5x5"))
    shown = said[said.index("For the solver (DIMACS with XOR lines)") + 1 : -1]
    assert shown[2] == "c … 23 more names"
    assert [line for line in exported if line in shown] == shown[:2] + shown[3:]


def test_a_puzzle_without_a_solution_has_a_handout() -> None:
    sheet = page("lights-unsolvable")
    assert "There is no solution." in lines(sheet)
    assert len(sheet.findall(f"{SVG}svg")) == 1


def test_the_meaning_of_a_variable_is_stated_or_the_docstring_of_its_class() -> None:
    formula = Formula()
    assert formula.variables("x", {"i": range(2)}).meaning == ""
    assert formula.variables("y", {"i": range(2)}, meaning="It rains.").meaning == "It rains."
    formula.choice("z", [1, 2], meaning="The die shows it.", die=0)
    assert formula.families["z"].meaning == "The die shows it."
    assert jigsat.load("lights-5x5").encode().families["press"].meaning == "The cell is pressed."


def test_the_command_writes_one_page(tmp_path: Path) -> None:
    pytest.importorskip("typst")
    file = tmp_path / "page.pdf"
    done = run("explain", "push-pull", "--handout", file)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", f"wrote {file}\n")
    assert re.findall(rb"/MediaBox ?\[0 0 ([\d.]+) ([\d.]+)\]", file.read_bytes()) == [
        (b"595.276", b"841.89")
    ]


def test_a_handout_is_written_without_a_solution_if_none_is_found_in_time(
    tmp_path: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    def endless(puzzle: object) -> None:
        while True:
            pass

    monkeypatch.setattr("jigsat.services.handout.first_solution", endless)
    file = tmp_path / "page.html"
    assert command(capsys, "explain", "push-pull", "--handout", file, "--timeout", "0.3") == (
        0,
        "",
        f"wrote {file}\n",
    )
    assert "No solution was found: stopped by timeout." in file.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (
            ["--handout", "page.doc"],
            "--handout page.doc: unknown suffix; name a file that ends in .pdf, .html, .svg or "
            ".png",
        ),
        (["--handout", "page.html", "--clues"], "--handout and --clues cannot be combined"),
        (
            ["--handout", "nowhere/page.html"],
            "nowhere/page.html: cannot be written: no such directory",
        ),
    ],
)
def test_wrong_input_is_one_line(arguments: list[str], says: str, capsys: Capture) -> None:
    assert command(capsys, "explain", "push-pull", *arguments) == (2, "", f"jigsat: {says}\n")
