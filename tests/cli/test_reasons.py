"""The reasons why there is no solution, as `solve`, `count` and `unique` print them."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from pydantic import TypeAdapter
from support.inside import jigsat
from support.waiting import with_time

import jigsat as package
from jigsat import instance
from jigsat.answering.many import find_first_solutions
from jigsat.answering.puzzle_ledger import RowReader
from jigsat.cli.answers import MAX_SHOWN_REASONS, show_reasons
from jigsat.cli.solve import _find_reasons
from jigsat.diagnosis.unsolvable import collect_reasons
from jigsat.errors import FamilyError, Stopped
from jigsat.pictures import MARK
from jigsat.questions import Answer, FirstSolutions, FoundReasons, Means, Result, Why
from jigsat.runtime.limits import Limits
from jigsat.subject import Source

ROOT = Path(__file__).parents[2]
TWICE = 'family = "sudoku"\ngrid = "1.1............."\n'


@pytest.fixture
def twice(tmp_path: Path) -> Path:
    path = tmp_path / "twice.toml"
    path.write_text(TWICE)
    return path


def test_solve_prints_and_draws_the_reason(
    twice: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    drawn = tmp_path / "why.svg"
    done = jigsat(capsys, "solve", twice, "--picture", drawn)
    assert done.status == 0
    assert "twice: no solution; complete" in done.out
    assert "reason: 1 is given twice in row 1: r1c1 and r1c3\n" in done.out
    assert "1*" in done.out
    assert drawn.read_text().startswith("<svg")
    assert ">red marks what the reason" in drawn.read_text()
    assert "1*" not in jigsat(capsys, "solve", twice, "--show", "0").out


def test_marked_words_of_a_crossword_are_drawn(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    drawn = tmp_path / "why.svg"
    done = jigsat(capsys, "solve", "crossword-unfillable", "--picture", drawn)
    assert ".*Y*.*.*" in done.out and "no picture" not in done.err
    assert MARK in drawn.read_text()


def test_a_line_says_that_there_is_no_picture(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    drawn = tmp_path / "why.svg"
    done = jigsat(capsys, "solve", "dinner-impossible", "--picture", drawn)
    assert f"{drawn}: no picture: no reason can be shown in one\n" in done.err
    done = jigsat(capsys, "solve", "sudoku-6x6", "--show", 0, "--picture", drawn)
    assert f"{drawn}: no picture: --show 0 draws no solution\n" in done.err
    assert not drawn.exists()


@pytest.fixture
def tiles(tmp_path: Path) -> Path:
    path = tmp_path / "tiles.toml"
    rows = ["xyzz", "wwyz", "uwyz", "xzyx"]  # of four labels and a misspelt one
    drawn = "\n".join(f"{name} = {list(row)}" for name, row in zip("abcd", rows, strict=True))
    path.write_text(f'family = "edge-matching"\nboard = "square 2x2"\n[tiles]\n{drawn}\n')
    return path


def test_a_wrong_label_that_counting_cannot_refute(
    tiles: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    expected = "reason: any 3 of the 4 tiles can be placed, but not all 4"
    for command in ("count", "unique"):
        assert jigsat(capsys, command, tiles).out.splitlines()[1] == expected
    said = jigsat(capsys, "solve", tiles).out.splitlines()
    assert said[1] == expected
    assert "without tile a" in said
    assert (
        "reason: one entry may be wrong: tile c, right: x instead of w would give 1 solution"
        in said
    )
    found, *_ = json.loads(jigsat(capsys, "count", tiles, "--json").out)["reasons"]["found"]
    assert found["clash"] == ["tile a", "tile b", "tile c", "tile d"]
    assert {placed["tile"] for placed in found["placed"]} == {"b", "c", "d"}


def test_a_line_says_that_the_search_was_stopped(
    tiles: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("jigsat.diagnosis.unsolvable.MAX_CLASH_EFFORT", 0.0)
    for command in ("solve", "count", "unique"):
        done = jigsat(capsys, command, tiles)
        assert "cannot all be placed" not in done.out
        assert "reason: one entry may be wrong: tile c, right: x instead of w would" in done.out
        assert "jigsat: tiles: the search for what clashes was stopped\n" in done.err
    assert not json.loads(jigsat(capsys, "solve", tiles, "--json").out)["reasons"]["finished"]


def test_reasons_in_json(twice: Path, capsys: pytest.CaptureFixture[str]) -> None:
    expected = {
        "finished": True,
        "found": [
            {
                "words": "1 is given twice in row 1: r1c1 and r1c3",
                "clues": ["grid r1c1", "grid r1c3"],
                "marked": [{"cell": [0, 0], "value": "1"}, {"cell": [0, 2], "value": "1"}],
                "clash": [],
                "placed": [],
            }
        ],
    }
    for command in ("solve", "count", "unique"):
        assert json.loads(jigsat(capsys, command, twice, "--json").out)["reasons"] == expected
    for command in ("solve", "count", "unique"):
        assert json.loads(jigsat(capsys, command, "sudoku-6x6", "--json").out)["reasons"] is None


def test_unique_and_solve_with_several_puzzles(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "two.toml"
    path.write_text('family = "sudoku"\ngrids = ["1.1.............", "1234341221434321"]\n')
    for command in ("solve", "unique"):
        said = jigsat(capsys, command, path, "--show", "0").out
        assert said.splitlines() == [
            "two-1: no solution",
            "reason: 1 is given twice in row 1: r1c1 and r1c3",
            "two-2: unique",
        ]


def test_reasons_are_kept_in_a_file_and_found_by_several_processes(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    path, store = tmp_path / "five.toml", tmp_path / "ledger"
    path.write_text(
        f'family = "sudoku"\ngrids = {["1.1............."] * 4 + ["12..3..........."]}\n'
    )
    plain = jigsat(capsys, "unique", path, "--show", "1")
    assert plain.out.count("reason: 1 is given twice in row 1") == 4
    assert jigsat(capsys, "unique", path, "--show", "1", "--jobs", "2") == plain
    assert jigsat(capsys, "unique", path, "--show", "1", "--store", store) == plain
    monkeypatch.setattr(
        type(instance.load("sudoku-6x6")), "reasons", lambda _: pytest.fail("the reasons are known")
    )
    assert jigsat(capsys, "unique", path, "--show", "1", "--store", store) == plain


def test_a_stop_while_reasons_are_sought_keeps_the_verdict(
    twice: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    puzzles = [instance.load(twice), instance.load("cats")]

    def slow(_: object) -> Iterator[package.Reason]:
        yield package.Reason("first")
        time.sleep(60)

    monkeypatch.setattr(type(puzzles[0]), "reasons", slow)

    def limited(seconds: float) -> list[Answer]:
        answers = list[Answer]()
        with suppress(Stopped):
            answers.extend(find_first_solutions(FirstSolutions(), puzzles, Means(timeout=seconds)))
        return answers

    one, two = with_time(limited, lambda answers: bool(answers[0].why and answers[0].why.found))
    assert (one.verdict, one.json()["stopped_by"]) == ("none", None)
    assert (two.verdict, two.json()["stopped_by"]) == ("stopped", "timeout")
    assert one.json()["reasons"]["finished"] is False
    assert [each["words"] for each in one.json()["reasons"]["found"]] == ["first"]


@pytest.mark.parametrize("name", ["lights-unsolvable", "gap", "corner"])
def test_reasons_survive_a_file(name: str, tmp_path: Path) -> None:
    data = {
        "gap": {"family": "tiling", "board": "###\n.#.", "pieces": {"i": "##", "j": "##"}},
        "corner": {"family": "tiling", "board": "##\n##", "uses": "any", "pieces": {"l": "##\n#."}},
    }
    puzzle = (
        instance.parse(data[name], name=name, origin=name) if name in data else instance.load(name)
    )
    *_, why = collect_reasons(puzzle)
    assert why.found
    row = json.loads(TypeAdapter(list[Any]).dump_json(list(why)))
    answer = Answer(puzzle, explain=True)
    for event in RowReader(FirstSolutions()).read(puzzle, [row], Source("a file", "")):
        answer.add(event)
    assert answer.is_final and answer.why == why


def test_a_search_for_reasons_that_takes_too_long(
    twice: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("jigsat.cli.solve.MAX_REASONS_S", 0.0)
    done = jigsat(capsys, "count", twice)
    assert done.status == 0
    assert "no solution; complete" in done.out
    assert "the search for simple reasons was not finished" in done.err


def test_a_mistake_in_a_family_keeps_the_answer(
    twice: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(_: object) -> list[package.Reason]:
        raise FamilyError("Sudoku.reasons: oh dear")

    monkeypatch.setattr(type(instance.load("sudoku-6x6")), "reasons", broken)
    done = jigsat(capsys, "count", twice, "--json")
    assert done.status == 0
    assert json.loads(done.out)["reasons"] == {"found": [], "finished": False}
    assert "oh dear" in jigsat(capsys, "count", twice).err


def test_counting_helps_after_a_timeout(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("jigsat.cli.solve.MAX_COUNT_AFTER_TIMEOUT_S", 100.0)
    rows = "\n".join(["." + 15 * "#", *[16 * "#"] * 14, 15 * "#" + "."])
    data = {"family": "tiling", "board": rows, "uses": "any", "pieces": {"domino": "##"}}
    stopped = package.Result("mutilated", "auto", stopped_by="timeout")
    said = _find_reasons(instance.load(data), stopped, Limits(0.0))
    assert said and said.found[0].reason.words.startswith(
        "coloured as a chessboard, the board has 126 black and 128 white"
    )
    assert _find_reasons(package.load("cube"), stopped, Limits(0.0)) is None
    assert (
        _find_reasons(
            package.load("cube"),
            package.Result("cube", "auto", stopped_by="interrupt"),
            Limits(0.0),
        )
        is None
    )


def test_a_misspelt_label_is_a_warning(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "typo.toml"
    tiles = '[tiles]\na = ["x", "green", "green", "green"]\nb = ["green", "gren", "x", "green"]\n'
    path.write_text(f'family = "edge-matching"\nboard = "square 1x2"\n{tiles}')
    said = jigsat(capsys, "count", path).err
    assert (
        f"jigsat: {path}: the label 'gren' occurs once and resembles 'green', which occurs 5 "
        f"times; correct it" in said
    )
    path.write_text(path.read_text().replace("green", "red").replace("gren", "rid"))
    assert jigsat(capsys, "count", path).err == ""


def test_the_example_in_the_documentation(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "cube.toml"
    c = 'C = """\n'
    before, after = (ROOT / "instances/cube.toml").read_text().split(c)
    path.write_text(f"{before}{c}#{after[1:]}")
    said = jigsat(capsys, "count", path)
    # without the summary and the line on certificates
    drawn = jigsat(
        capsys, "solve", path, "--show", 1
    ).out  # the third reason is the first that can be drawn
    assert "\nwithout piece B; asterisks mark what clashes with it\n" in drawn
    page = (ROOT / "docs/proofs.md").read_text()
    assert "stopped" not in said.err
    assert "\n".join(said.out.splitlines()[1:-1]) in page


def test_of_many_reasons_the_first_are_printed(capsys: pytest.CaptureFixture[str]) -> None:
    puzzle = package.load({"family": "sudoku", "grid": "\n".join(["111111111"] * 9)})
    found = tuple(FoundReasons(reason) for reason in puzzle.reasons())
    assert len(found) > 2 * MAX_SHOWN_REASONS
    show_reasons(puzzle, Why("", found))
    lines = capsys.readouterr().out.splitlines()
    assert sum(line.startswith("reason: ") for line in lines) == MAX_SHOWN_REASONS
    assert lines[-1] == f"and {len(found) - MAX_SHOWN_REASONS} more reasons"


def test_what_clashes_is_not_looked_for_in_a_large_puzzle_with_a_reason() -> None:
    grid = ["." * 27] * 27
    grid[1] = "1........1".ljust(27, ".")
    puzzle = package.load({"family": "sudoku", "grid": "\n".join(grid)})
    result = Result("large", "auto", complete=True, established_by="reason")
    why = _find_reasons(puzzle, result, Limits())
    assert why is not None and why.unfinished == ""
    words = [found.reason.words for found in why.found]
    assert words == ["1 is given twice in row 2: r2c1 and r2c10"]
