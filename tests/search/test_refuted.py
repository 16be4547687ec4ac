"""Puzzles of which counting or a simple reason proves that they have no solution, but no search
does so soon."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from support.forked import run
from support.waiting import LONG

import jigsat
from jigsat import Formula
from jigsat.answering import ways as strategies
from jigsat.backends import AUTO
from jigsat.search.portfolio import models
from jigsat.subject import PuzzleSubject

CORNERS = "\n".join([".#########", *["##########"] * 8, "#########."])
SQUARE = "\n".join(["##########"] * 10)
IMPOSSIBLE: dict[str, dict[str, Any]] = {
    "dominoes on a board without two corners": {"board": CORNERS, "pieces": {"d": "##"}},
    "L-tetrominoes on a square": {"board": SQUARE, "pieces": {"L": "###\n#.."}},
}


@pytest.fixture(params=IMPOSSIBLE.values(), ids=IMPOSSIBLE)
def impossible(request: pytest.FixtureRequest) -> jigsat.Puzzle:
    return jigsat.load({"family": "tiling", "uses": "any", **request.param})


def test_no_solution_is_proved_soon(impossible: jigsat.Puzzle) -> None:
    counted = jigsat.count(impossible, timeout=LONG)
    assert (counted.solutions, counted.complete) == (0, True)
    assert counted.established_by in ("counting", "reason")

    found = jigsat.solutions(impossible, timeout=LONG)
    assert list(found) == []
    assert (found.result.complete, found.result.established_by) == (True, "reason")
    assert jigsat.count(impossible, timeout=LONG, jobs=2).complete
    assert jigsat.unique(impossible, timeout=LONG).complete


@pytest.mark.slow  # it searches for the smallest reasons
def test_the_command_says_by_what(tmp_path: Path) -> None:
    file = tmp_path / "corners.toml"
    file.write_text(
        f'family = "tiling"\nboard = """\n{CORNERS}\n"""\nuses = "any"\n[pieces]\nd = "##"\n'
    )
    done = run("solve", file, "--json", "--timeout", LONG)
    answer = json.loads(done.out)
    assert (done.status, answer["complete"], answer["established_by"]) == (0, True, "reason")
    assert "coloured as a chessboard" in answer["reasons"]["found"][0]["words"]


def test_a_count_of_0_that_nothing_confirms_says_so(
    impossible: jigsat.Puzzle, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(PuzzleSubject, "find_reason", lambda self: "")
    counted = strategies.count_without_listing(impossible, "counting")
    assert (counted.solutions, counted.complete) == (0, True)
    assert counted.established_by == "counting, not confirmed"
    assert "complete (by counting, not confirmed, 0" in str(counted)


def test_a_count_of_0_is_confirmed_by_a_short_search() -> None:
    formula = Formula()
    x = formula.variables("x", {"i": range(3)})
    formula.exactly_one(x[:])
    formula.exactly_one([x(0), x(1)])
    formula.exactly_one([x(2)])
    assert strategies.count_without_listing(formula, "counting").established_by == "counting"


def test_a_wrong_count_of_0_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(strategies, "count_solutions_and_orbits", lambda *_: (0, {}))
    with pytest.raises(jigsat.CheckError, match="another backend disagrees"):
        strategies.count_without_listing("cats", "counting")


def pigeons(number: int, holes: int) -> Formula:
    formula = Formula()
    x = formula.variables("x", {"pigeon": range(number), "hole": range(holes)})
    for pigeon in range(number):
        formula.exactly_one(x[pigeon, :])
    for hole in range(holes):
        formula.at_most_one(x[:, hole])
    return formula


def test_a_reason_is_asked_for_once_after_a_short_search_without_a_model() -> None:
    asked = []

    def refute() -> bool:
        asked.append(True)
        return True

    search = models(pigeons(12, 11), AUTO, refute=refute)
    assert list(search) == []
    assert (len(asked), search.refuted, search.complete) == (1, True, True)

    search = models(pigeons(3, 3), AUTO, refute=refute)
    assert (len(list(search)), len(asked), search.refuted) == (6, 1, False)


def test_no_reason_is_asked_for_once_a_model_is_known() -> None:
    search = models(pigeons(8, 9), AUTO, refute=lambda: True)
    for _ in range(200):
        next(search)
    search.close()
    assert not search.refuted
