"""What somebody meets first: the list, the version, completion in a shell, and why a backend is
absent."""

from __future__ import annotations

import re
from importlib.metadata import version

import pytest
from support.inside import jigsat as command

from jigsat.backends import find
from jigsat.backends.base import NotInBuild, Spec
from jigsat.cli import COMMANDS, streams
from jigsat.cli.common import app
from jigsat.confirmation import confirm


def test_the_list_fits_the_terminal(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(streams.Lasting, "isatty", lambda _: True)
    monkeypatch.setenv("COLUMNS", "80")
    listed = re.sub(r"\x1b\[\d*m", "", command(capsys, "list").out).splitlines()
    assert max(len(line) for line in listed[:-1]) <= 80
    assert next(line.split() for line in listed if "cats-reuse" in line)[:3] == [
        "cats-reuse",
        "1,272",
        "318",
    ]


def test_the_list_has_one_line_per_puzzle_in_a_pipe(capsys: pytest.CaptureFixture[str]) -> None:
    listed = command(capsys, "list").out
    (line,) = [line for line in listed.splitlines() if line.startswith("  macmahon-squares ")]
    assert line.split(maxsplit=3)[1:3] == ["106,624", "13,328"] and line.rstrip().endswith(
        "red all around"
    )
    assert listed.splitlines()[-1].startswith(
        "solutions: turned and mirrored ones count separately; distinct: up to"
    )


def test_the_version(capsys: pytest.CaptureFixture[str]) -> None:
    assert command(capsys, "--version") == (0, f"jigsat {version('jigsat')}\n", "")


def test_the_help_lists_every_command_under_a_heading(capsys: pytest.CaptureFixture[str]) -> None:
    said = re.sub(r"\x1b\[[\d;]*m", "", command(capsys, "--help").out)
    listed = re.findall(r"^│ ([a-z]+) ", said, re.MULTILINE)
    assert listed == [name for commands in COMMANDS.values() for name in commands]
    assert len(listed) == len(app.registered_commands)
    assert re.findall(r"^╭─ ([A-Z][a-z, ]+) ─", said, re.MULTILINE) == ["Options", *COMMANDS]


@pytest.mark.parametrize(
    ("words", "completed"),
    [
        ("jigsat count cu", "cube"),
        ("jigsat generate la", "latin"),
        ("jigsat compare cats so", "soma"),
        ("jigsat rate cats sudoku-h", "sudoku-hard"),
        ("jigsat expl", "explain"),
    ],
)
def test_a_shell_completes_commands_and_instances(
    words: str, completed: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("_JIGSAT_COMPLETE", "complete_bash")
    monkeypatch.setenv("COMP_WORDS", words)
    monkeypatch.setenv("COMP_CWORD", str(len(words.split()) - 1))
    assert completed in command(capsys).out.split()


def test_a_solver_that_its_library_lacks_is_not_to_be_installed() -> None:
    def lacking() -> None:
        raise NotInBuild("python-sat is installed, but its build lacks it")

    def missing() -> None:
        raise ImportError("no such library")

    for opened, reason in (
        (lacking, "python-sat is installed, but its build lacks it"),
        (missing, "pip install it"),
    ):
        assert confirm(Spec("it", "it", "pip install it", opened)) == (None, [f"absent; {reason}"])  # type: ignore[arg-type]
    with pytest.raises(NotInBuild, match="python-sat is installed, but its build lacks cryptosat"):
        find("cryptosat").open()  # type: ignore[misc]
