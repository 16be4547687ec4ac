"""Every question about every kind of puzzle on a grid, asked on the command line and by the page."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import cycle, islice
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from support.grid_files import FILES, LATER_FILES
from support.inside import jigsat as command

import jigsat
from jigsat.instance import load
from jigsat.kit import GridPuzzle
from jigsat.study.playing import Playing

QUESTIONS = {
    "solve": ["solve", "--limit", "2"],
    "unique": ["unique"],
    "count": ["count", "--up-to", "reflection"],
    "explain": ["explain"],
    "steps": ["steps"],
    "rate": ["rate"],
    "hint": ["hint"],
    "candidates": ["candidates"],
    "export": ["export", "-o", "puzzle.cnf"],
    "sheet": ["sheet", "-o", "puzzle.html"],
}

QUICK_QUESTIONS = 4  # about each kind in a quick run


def choose_questions() -> Iterator[Any]:
    """All questions about all files; a quick run asks a few about each kind, in turn, so that each
    of them is asked about several kinds."""
    turn = cycle(QUESTIONS)
    for path in FILES:
        quick = set(islice(turn, QUICK_QUESTIONS)) if path.stem not in LATER_FILES else set()
        for question in QUESTIONS:
            marks = [] if question in quick else [pytest.mark.slow]
            yield pytest.param(path, question, marks=marks, id=f"{question}-{path.stem}")


def mark_second_files() -> Iterator[Any]:
    """All files; a quick run has the first one of each kind."""
    for path in FILES:
        marks = [pytest.mark.slow] if path.stem in LATER_FILES else []
        yield pytest.param(path, marks=marks, id=path.stem)


@pytest.mark.parametrize(("path", "question"), list(choose_questions()))
def test_every_question_is_answered(
    path: Path,
    question: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    name, *options = QUESTIONS[question]
    done = command(capsys, name, path.stem, *options)
    assert done.status == 0, done.err
    assert done.out or done.err or Path(options[-1]).stat().st_size


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_the_number_of_solutions_is_proved(
    path: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "proof"
    assert command(capsys, "prove", path.stem, "-o", folder).status == 0
    assert command(capsys, "check", folder).status == 0


@pytest.mark.parametrize("path", list(mark_second_files()))
def test_the_picture_shows_every_place_that_is_played(path: Path) -> None:
    puzzle = load(path)
    assert isinstance(puzzle, GridPuzzle)
    playing = Playing(puzzle)
    picture: Any = ElementTree.fromstring(puzzle.svg([]))
    assert picture.get("data-places").count("[[") >= len(playing.places)
    (solution, *_) = list_first_solution(puzzle)
    assert playing.find_solution(solution) is not None
    is_solved = playing.find_solution(solution[1:]) is not None
    assert is_solved == (not list(puzzle.check(solution[1:])))
    assert puzzle.svg(solution) != puzzle.svg([])


def list_first_solution(puzzle: GridPuzzle) -> list[Any]:
    return [solution.placements for solution in jigsat.solutions(puzzle, limit=1)]
