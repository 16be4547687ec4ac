"""Colours on a terminal, and nowhere else."""

from __future__ import annotations

import re
from io import StringIO

import pytest
from support.inside import jigsat

import jigsat as package
from jigsat.cli import colour
from jigsat.cli.colour import shows_colours
from jigsat.pictures import CharacterPlane, Painted

ESCAPE = re.compile(r"\x1b\[[0-9;]*m")


class Terminal(StringIO):
    def isatty(self) -> bool:
        return True


def test_only_a_terminal_is_coloured(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm")
    assert shows_colours(Terminal())
    assert not shows_colours(StringIO())
    monkeypatch.setenv("TERM", "dumb")
    assert not shows_colours(Terminal())
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("NO_COLOR", "1")
    assert not shows_colours(Terminal())


@pytest.mark.parametrize("name", ["sudoku-6x6", "push-pull"])
def test_colours_change_no_character(
    name: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    plain = jigsat(capsys, "solve", name, "--show", "1").out
    assert "\x1b" not in plain
    monkeypatch.setattr(colour, "shows_colours", lambda _: True)
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.setenv("COLORTERM", "truecolor")
    monkeypatch.delenv("NO_COLOR", raising=False)
    shown = jigsat(capsys, "solve", name, "--show", "1").out
    assert "\x1b[32mcomplete" in shown and "\x1b[1mSolution 1" in shown

    def timeless(text: str) -> list[str]:
        return re.sub(r"[\d.]+ s\)", "", ESCAPE.sub("", text)).splitlines()

    assert timeless(shown) == timeless(plain)
    said = jigsat(capsys, "solve", name, "--json").out
    assert "\x1b" not in said


@pytest.mark.parametrize("name", ["cats", "cube", "dominoes-6x8", "push-pull", "sudoku-6x6"])
def test_the_colours_are_those_of_the_svg(name: str) -> None:
    solution = next(package.solutions(name))
    picture = solution.text()
    assert isinstance(picture, Painted) and picture.colours
    lines = picture.split("\n")
    svg = solution.svg()
    assert all(f'"{shade}"' in svg for shade in picture.colours.values())
    assert all(row < len(lines) for _, row in picture.colours)


def test_labels_are_painted_where_they_stand() -> None:
    puzzle = package.load("cats")
    picture = next(package.solutions(puzzle)).text()
    assert isinstance(picture, Painted)
    lines = picture.split("\n")
    seen: dict[str, set[str]] = {}
    for column, row in picture.colours:
        if (column - 1, row) not in picture.colours:
            seen.setdefault(lines[row][column : column + 2], set()).add(
                picture.colours[column, row]
            )
    assert sorted(seen) == ["ch", "ct", "lh", "lt", "ph", "pt", "th", "tt"]
    assert all(len(colours) == 1 for colours in seen.values())


def test_a_page_forgets_the_colour_of_what_is_overwritten() -> None:
    page = CharacterPlane()
    page.write(2, 1, "ab", colour="#ff0000")
    page.write(3, 1, "c")
    page.write(2, 2, "d", width=3, colour="#00ff00")
    painted = page.painted()
    assert (str(painted), painted.colours) == ("ac\n d", {(0, 0): "#ff0000", (1, 1): "#00ff00"})


def test_a_warning_is_yellow(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    colour.print_warning("jigsat: \x1b[31m")
    assert capsys.readouterr().err == "jigsat: \\x1b[31m\n"
    monkeypatch.setattr(colour, "shows_colours", lambda _: True)
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm-256color")
    colour.print_warning("jigsat: \x1b[31m")
    assert capsys.readouterr().err == "\x1b[33mjigsat: \\x1b[31m\x1b[0m\n"
