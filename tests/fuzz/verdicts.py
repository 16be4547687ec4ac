"""The requirements for every run on any files, and for its statements about a known puzzle."""

from __future__ import annotations

import json
import re
from base64 import b64decode
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

from fuzz import corpus
from fuzz.cases import Case
from support.forked import Ended

import jigsat
from jigsat.pictures.svg_files import ATTRIBUTES, ELEMENTS, PROPERTIES
from jigsat.puzzle import Puzzle
from jigsat.symmetry import Group
from jigsat.words import plural

JUDGING = ("check", "compare", "prove", "ledger")
"""The commands that may refute their input."""

LONGEST = 1500
"""The maximum length of an error message."""


def judge(case: Case, folder: Path, endings: Sequence[Ended]) -> None:
    """Raises AssertionError if a run did not end as documented, or if it states something wrong
    about a known puzzle."""
    if case.outlets:
        _ends_well(case.commands[0], endings[0])
        _outlet_changes_nothing(case.outlets, endings)
        return
    for command, ended in zip(case.commands, endings, strict=True):
        _ends_well(command, ended)
        assert "--json" not in command or not ended.out or _is_json(ended.out), (
            "what --json prints is not JSON"
        )
    for file in folder.glob("out.svg"):
        ElementTree.parse(file)
        _pictures_are_harmless(file)
    for file in folder.glob("out.html"):
        _pictures_are_harmless(file)
    match case.commands[0][0]:
        case "count" if case.count is not None:
            for ended in endings:
                assert ended.status == 0 and json.loads(ended.out)["solutions"] == case.count, (
                    f"expected {case.count} models"
                )
        case "count" if len(endings) > 1:
            _counts_agree(endings)
        case "decode" if "--json" in case.commands[0]:
            _solutions_are_solutions(case.puzzle, endings[0])
        case "solve" if case.minimum is not None:
            for ended in endings:
                assert ended.status == 0 and json.loads(ended.out)["minimum"] == case.minimum, (
                    f"expected the minimum {case.minimum}"
                )
        case "solve" if case.puzzle:
            for command, ended in zip(case.commands, endings, strict=True):
                _listing_is_whole(case.puzzle, command, ended)
        case "prove" if case.count is not None:
            assert [ended.status for ended in endings] == [0, 0], "it is not proved or not verified"
            number = plural(case.count, "solution") if case.count else "no solution"
            assert f"verified: a has {number}" in endings[1].out, f"expected {number}"
        case "check":
            _verdict_is_true(case, *endings)


NOTICES = (
    " loaded",
    " already finished",
    ": no picture: ",
    "if it is misspelt",
    "no list of words",
    " several, ",
    "; it is read as version 2",
    "those of `puzzle` are taken",
    "which a solver has filled in",
)
"""Notes on stderr, whatever becomes of the run: what was read from a file and looks wrong in it,
pictures, and verdicts."""


def _ends_well(command: Sequence[str], ended: Ended) -> None:
    allowed = (0, 1, 2, 3) if command[0] in JUDGING else (0, 2, 3)
    assert ended.status in allowed, "the exit status is not one of the documented ones"
    for stream in (ended.out, ended.err):
        odd = {
            character for character in stream if not (character.isprintable() or character == "\n")
        }
        assert not odd, f"it prints {odd}"
        assert "Traceback" not in stream, "it prints a traceback"
        assert "https://errors.pydantic.dev" not in stream, "it shows pydantic's wording"
    if ended.status != 0:
        complaint = ended.err.splitlines()[-1:]
        assert complaint and complaint[0].startswith("jigsat: "), "it does not say what is wrong"
        noted = any(notice in ended.err for notice in NOTICES)
        assert len(ended.err.splitlines()) == 1 or noted, "the complaint is more than one line"
        assert len(complaint[0]) <= LONGEST, "the complaint is endless"


def _outlet_changes_nothing(outlets: Sequence[str], endings: Sequence[Ended]) -> None:
    """The status is that of the first run, or 3 if the answer could not be written; the output is
    always well-formed."""
    first = endings[0]
    for outlet, ended in zip(outlets, endings, strict=True):
        full = outlet == "full stdout" and first.out
        assert ended.status == (first.status or 3 if full else first.status), (
            f"another exit status with {outlet}"
        )
        assert "Traceback" not in ended.err, f"a traceback with {outlet}"
        assert bool(ended.err) == bool(first.err or full) or outlet == "no stderr", (
            f"another message with {outlet}"
        )


def _pictures_are_harmless(file: Path) -> None:
    """What is embedded is drawn by what it contains, and does nothing else."""
    for encoded in re.findall(r'data:image/svg\+xml;base64,([^"]*)', file.read_text("utf-8")):
        picture = ElementTree.fromstring(b64decode(encoded, validate=True))
        for element in picture.iter():
            assert element.tag.removeprefix("{http://www.w3.org/2000/svg}") in ELEMENTS
            for name, value in element.attrib.items():
                assert name in ATTRIBUTES | PROPERTIES | {"style"}, name
                assert "http" not in value and "javascript" not in value, value


def _is_json(text: str) -> bool:
    try:
        json.loads(text)
    except ValueError:
        return False
    return True


def _counts_agree(endings: Sequence[Ended]) -> None:
    """Two engines refuse the same input, and find the same counts if both are completed."""
    assert len({ended.status == 2 for ended in endings}) == 1, (
        "one engine refuses what the other takes"
    )
    counts = [json.loads(ended.out) for ended in endings if ended.status == 0]
    whole = [(count["solutions"], count["distinct"]) for count in counts if count["complete"]]
    assert all(one == whole[0] for one in whole), "two engines count differently"


def _solutions_are_solutions(name: str, ended: Ended) -> None:
    if ended.status == 0:
        assert {_model(solution) for solution in json.loads(ended.out)["found"]} <= every_solution(
            name
        ), "not a solution"


def _listing_is_whole(name: str, command: Sequence[str], ended: Ended) -> None:
    """A complete result has one solution of each orbit, and the correct counts."""
    if ended.status != 0:
        return
    answer = json.loads(ended.out)
    assert answer["complete"], "no limit was given"
    level = command[command.index("--up-to") + 1] if "--up-to" in command else "rotation"
    due = every_solution(name)
    if "--minimize" in command:
        least = min(map(len, due))
        due = frozenset(solution for solution in due if len(solution) == least)
    found = [_model(solution) for solution in answer["found"]]
    assert answer["solutions"] == len(due), "the number of solutions is wrong"
    covered = [orbit_of(name, solution, level) for solution in found]
    assert len(set(covered)) == len(covered), "two of the solutions are the same up to symmetry"
    assert frozenset().union(*covered) == due, "some solutions are not listed"


def _verdict_is_true(case: Case, check: Ended, count: Ended) -> None:
    """A verified certificate has the counts of the puzzle in its folder."""
    if check.status != 0:
        return
    says = re.fullmatch(
        r"verified: (\S+) has (no|[\d,]+) solutions?(.*)", check.out.splitlines()[-1]
    )
    assert says, "status 0 without a verdict"
    original = (
        case.files.get(f"proved/{case.puzzle}.toml")
        == corpus.certificate(case.puzzle)[f"{case.puzzle}.toml"]
    )
    if original:
        assert says[1] == case.puzzle, "it states that another puzzle is verified"
        assert _number(says[2]) == len(every_solution(case.puzzle)), "a wrong count is verified"
    if count.status == 0 and says[1] == case.puzzle:
        answer = json.loads(count.out)
        assert not answer["complete"] or answer["solutions"] == _number(says[2]), (
            "a wrong count is verified"
        )


def _number(said: str) -> int:
    return 0 if said == "no" else int(said.replace(",", ""))


# -- facts about the shipped puzzles

Solution = frozenset[str]


def _model(solution: Sequence[Any]) -> Solution:
    return frozenset(json.dumps(placement, sort_keys=True) for placement in solution)


@cache
def every_solution(name: str) -> frozenset[Solution]:
    """All solutions of a puzzle whose file states their number."""
    answer = json.loads(
        corpus.made("solve", name, "--json", "--up-to", "nothing", "--backend", "cadical195")[
            "stdout"
        ]
    )
    found = frozenset(map(_model, answer["found"]))
    assert len(found) == jigsat.load(name).known.solutions
    return found


def orbit_of(name: str, solution: Solution, level: str) -> frozenset[Solution]:
    """The solutions that count as the same as this one."""
    puzzle, group, numbers, names = _symmetric(name)
    assert solution <= numbers.keys(), f"not a solution of {puzzle.name}"
    model = frozenset(numbers[placement] for placement in solution)
    return frozenset(
        frozenset(names[variable] for variable in member) for member in group.orbit(model, level)
    )


@cache
def _symmetric(name: str) -> tuple[Puzzle, Group, dict[str, int], dict[int, str]]:
    puzzle = jigsat.load(name)
    formula = puzzle.encode()
    names = {
        variable: json.dumps(formula.key(variable)._asdict(), sort_keys=True)  # type: ignore[attr-defined]
        for variable in formula.decisions()
    }
    return (
        puzzle,
        Group.of(formula, puzzle.symmetries()),
        {name: variable for variable, name in names.items()},
        names,
    )
