"""Output on the terminal and in files: hostile text is escaped, and failing output does not change
the answer."""

from __future__ import annotations

import json
import subprocess
import tomllib
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest
from fuzz import corpus
from support import forked, inside
from support.command import JIGSAT, run
from support.running import lines_of

import jigsat
from jigsat.errors import xml_text
from jigsat.instance import instance_text, load

HOSTILE = "a\x1b[2J\nverified: all\x1b[8m\u202e\x7f [red]x[/] \ufffe"
"""Text that clears the terminal, forges a line, hides text, changes the direction of writing, and
is markup or invalid XML."""

TOML = json.dumps(HOSTILE, ensure_ascii=True)


def hostile(folder: Path, text: str) -> Path:
    """An instance with hostile text in a file with a hostile name."""
    path = folder / "cats.toml, which comes with jigsat\nverified: all\x1b[8m.toml"
    path.write_text(text.replace("HOSTILE", TOML), encoding="utf-8")
    return path


TILES = """
family = "edge-matching"
title = HOSTILE
board = "square 1x2"
turning = false
[tiles]
HOSTILE = ["x", HOSTILE, "x", "y"]
b = ["x", "z", "x", HOSTILE]
c = ["x", "u", "x", HOSTILE]
"""


def assert_printable(output: str) -> None:
    lines = output.split("\n")
    assert [line for line in lines if not line.isprintable()] == []
    assert [line for line in lines if line.startswith("verified: all")] == []


@pytest.mark.parametrize(
    "command",
    [
        ("solve", "--svg", "PICTURE"),
        ("solve", "--json"),
        ("count",),
        ("unique", "--svg", "PICTURE"),
        ("rate",),
        ("explain",),
        ("compare", "--backends", "minisat22"),
        ("solve", "--backend", HOSTILE.replace("\n", "")),
        ("solve", "--up-to", HOSTILE),
        ("solve", f"--{HOSTILE}"),
    ],
    ids=lambda command: command[0],
)
def test_hostile_text_is_escaped(tmp_path: Path, command: tuple[str, ...]) -> None:
    picture = tmp_path / "picture.svg"
    name, *options = (str(picture) if option == "PICTURE" else option for option in command)
    done = run(name, str(hostile(tmp_path, TILES)), *options)
    assert_printable(done.stdout)
    assert_printable(done.stderr)
    assert "Traceback" not in done.stderr
    assert r"\x1b[" in done.stdout + done.stderr or "--json" in command
    if "PICTURE" in command:
        ElementTree.parse(picture)
    if "--json" in command:
        assert HOSTILE in {
            placement["tile"] for found in json.loads(done.stdout)["found"] for placement in found
        }


def test_a_hostile_file_name_forges_no_verdict(tmp_path: Path) -> None:
    made = run("prove", hostile(tmp_path, TILES), "-o", tmp_path / "certificate")
    assert_printable(made.stdout + made.stderr)
    checked = run("check", tmp_path / "certificate")
    assert_printable(checked.stdout + checked.stderr)


@pytest.mark.parametrize(
    "text",
    [
        TILES,
        'family = "edge-matching"\nboard = "triangle 1"\n[tiles]\nHOSTILE = [HOSTILE, HOSTILE, '
        "HOSTILE]\n",
        'family = "tiling"\nboard = "##"\n[pieces]\nHOSTILE = "##"\n',
        'family = "interlocking"\nboard = "square 1x1"\n[pieces]\nHOSTILE = ["####", "####", '
        '"####", "####"]\n',
    ],
    ids=["squares", "triangle", "tiling", "interlocking"],
)
def test_pictures_of_every_family_are_printable(tmp_path: Path, text: str) -> None:
    solution = next(jigsat.solutions(hostile(tmp_path, text)))
    assert_printable(solution.text())
    ElementTree.fromstring(solution.svg())


def test_a_hostile_puzzle_is_written_and_read_back(tmp_path: Path) -> None:
    puzzle = load(hostile(tmp_path, TILES))
    text = instance_text(puzzle)
    assert_printable(text)
    assert tomllib.loads(text)["title"] == HOSTILE


def test_characters_beyond_xml_are_replaced() -> None:
    assert xml_text("\ud800\x00ok\t\U0001f600\uffff") == "��ok\t\U0001f600�"


# -- output that fails


COMMANDS = [
    ("list",),
    ("solve", "cats"),
    ("solve", "cats", "--json"),
    ("explain", "cats"),
    ("unique", "cats"),
    ("sample", "cats"),
    ("generate", "sudoku"),
    ("compare", "cats", "--backends", "minisat22"),
    ("--help",),
]
every_command = pytest.mark.parametrize("command", COMMANDS, ids=" ".join)


def in_shell(command: tuple[str, ...], redirection: str) -> subprocess.CompletedProcess[str]:
    script = f'"$@" {redirection}; exit ${{PIPESTATUS[0]}}'
    return subprocess.run(
        ["bash", "-c", script, "bash", *JIGSAT, *command],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


@every_command
def test_a_closed_pipe_changes_no_status(command: tuple[str, ...]) -> None:
    done = forked.run(*command, outlet="closed pipe")
    assert (done.status, done.err) == (0, "")


@every_command
def test_a_full_device_is_status_3(command: tuple[str, ...]) -> None:
    done = forked.run(*command, outlet="full stdout")
    assert (done.status, done.err) == (
        3,
        "jigsat: stdout: cannot be written: no space left on device\n",
    )


@pytest.mark.parametrize(
    "command", [pytest.param(("list",), marks=pytest.mark.slow), ("solve", "cats")], ids=" ".join
)
def test_a_process_of_its_own_ends_the_same(command: tuple[str, ...]) -> None:
    done = in_shell(command, "| true")
    assert (done.returncode, done.stderr) == (0, "")
    done = in_shell(command, "> /dev/full")
    assert (done.returncode, done.stderr) == (
        3,
        "jigsat: stdout: cannot be written: no space left on device\n",
    )


@pytest.mark.parametrize(
    ("redirection", "status"), [("2>&-", 0), (">&-", 0), ("<&-", 0), (">&- 2>&- <&-", 0)]
)
def test_closed_streams_change_nothing(redirection: str, status: int, tmp_path: Path) -> None:
    store = tmp_path / "store"
    done = in_shell(("solve", "cube", "--store", str(store)), redirection)
    assert (done.returncode, done.stderr) == (status, "")
    assert ("complete (by" in done.stdout) == (">&-" not in redirection.split())
    assert len(lines_of(store)) == 2  # up to all symmetries


def test_a_closed_pipe_does_not_hide_a_wrong_answer(tmp_path: Path) -> None:
    for outlet in ("closed pipe", "no stderr", "full stdout"):
        assert forked.run("solve", "no-such-instance", outlet=outlet).status == 2
    assert in_shell(("solve", "no-such-instance"), ">&- 2>&-").returncode == 2
    certificate = tmp_path / "certificate"
    assert run("prove", "cats", "-o", certificate).returncode == 0
    assert forked.run("check", certificate, outlet="closed pipe").status == 0
    (certificate / "proof.drat").write_text("")
    for outlet in ("closed pipe", "full stdout"):
        assert forked.run("check", certificate, outlet=outlet).status == 1


def test_wrong_arguments_are_one_line() -> None:
    for arguments in (
        ["solve"],
        ["sovle", "cats"],
        ["solve", "cats", "--no-such-option"],
        ["solve", "cats", "--show", "x"],
    ):
        done = run(*arguments)
        assert (done.returncode, done.stdout) == (2, "")
        assert done.stderr.startswith("jigsat: ")
        assert len(done.stderr.splitlines()) == 1


@pytest.mark.parametrize(
    "command",
    [
        ("solve", "cats"),
        ("count", "cats"),
        ("list",),
        ("unique", "cats"),
        ("unique", "cats", "cube"),
        ("rate", "cats"),
        ("solve", "PUZZLES"),
        ("decode", "cube", "ANSWER"),
        ("compare", "cats", "--backends", "cadical195"),
    ],
    ids=" ".join,
)
def test_every_json_object_states_its_schema(
    command: tuple[str, ...], tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "PUZZLES").write_text(corpus.SUDOKUS)
    (tmp_path / "ANSWER").write_bytes(corpus.answers("cube")["competition"])
    words = [str(tmp_path / word) if word in ("PUZZLES", "ANSWER") else word for word in command]
    lines = [json.loads(line) for line in inside.jigsat(capfd, *words, "--json").out.splitlines()]
    objects = lines[0] if isinstance(lines[0], list) else lines
    assert objects
    for each in objects:
        assert next(iter(each.items())) == ("schema", 1)
