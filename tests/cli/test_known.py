"""Counts that contradict the facts under [known] of an instance: one warning, and the exit status
of the answer."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.inside import jigsat as command

from jigsat.puzzle import Known
from jigsat.questions import Result

ROOKS = """
family = "tiling"
board = "###"
uses = "any"
pieces = { bar = "##", single = "#" }
"""


@pytest.mark.parametrize(
    "arguments", [["count"], ["solve", "--show", "0"], ["count", "--json"], ["solve", "--json"]]
)
@pytest.mark.parametrize(
    ("known", "says"),
    [
        ("solutions = 3", ""),
        ("rotation = 2\nreflection = 2\nall = 2", ""),
        ("solutions = 4", "[known] states solutions = 4, but there are 3"),
        ("rotation = 3", "[known] states rotation = 3, but there are 2"),
        ("all = 3", "[known] states all = 3, but there are 2"),
    ],
)
def test_a_contradiction_is_one_warning(
    arguments: list[str], known: str, says: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "strip.toml"
    path.write_text(f"{ROOKS}[known]\n{known}\n")
    done = command(capsys, arguments[0], path, *arguments[1:])
    assert (done.status, done.err) == (
        0,
        f"jigsat: strip: {says}; correct the file\n" if says else "",
    )
    assert done.out


def test_changed_entries_have_no_known_counts(capsys: pytest.CaptureFixture[str]) -> None:
    done = command(capsys, "count", "lights-5x5", "--set", "board=square 3x3")
    assert (done.status, done.err) == (0, "")


def test_the_minimum_is_compared_alone(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "lights.toml"
    path.write_text(
        'family = "lights-out"\nboard = "square 2x2"\nlit = "all"\nknown = { solutions = 9, '
        "minimum = 3 }\n"
    )
    done = command(capsys, "solve", path, "--minimize")
    assert (done.status, done.err) == (
        0,
        "jigsat: lights: [known] states minimum = 3, but there are 4; correct the file\n",
    )


def test_only_what_is_established_contradicts() -> None:
    known = Known(solutions=9, rotation=5, reflection=3)
    found = Result(
        "x",
        "auto",
        solutions=8,
        distinct={"rotation": 4},
        symmetries={"rotation": 4, "reflection": 8},
    )
    assert found.contradiction(known) == ""
    found.complete = True
    assert found.contradiction(known) == (
        "[known] states solutions = 9, but there are 8, and rotation = 5, but there are 4"
    )
    found.solutions, found.distinct = 9, {"rotation": 5}
    assert found.contradiction(known) == "", "the level reflection was not counted"
    found.distinct = {"rotation": 5, "reflection": 4, "automorphism": 1}
    assert found.contradiction(known) == "[known] states reflection = 3, but there are 4"
