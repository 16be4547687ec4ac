"""Crosswords with bars, and with several letters in a square: read, solved, drawn and written."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from jigsat.encodings.crossword.data import Letter
from jigsat.encodings.crossword.rules import Crossword
from support.crosswords import fills

import jigsat
from jigsat import instance
from jigsat.errors import InputError
from jigsat.services.export import export_puzzles, write_puzzles

BARRED: dict[str, Any] = {
    "version": "http://ipuz.org/v2",
    "kind": ["http://ipuz.org/crossword#1"],
    "dimensions": {"width": 4, "height": 3},
    "puzzle": [
        [1, 2, {"cell": 3, "style": {"barred": "L"}}, 0],
        [4, 0, 0, {"cell": 5, "style": "corner"}],
        [{"cell": 6, "style": {"barred": "L"}}, 0, {"cell": 7, "style": {"barred": "LB"}}, 0],
    ],
    "styles": {"corner": {"barred": "TR"}},
    "solution": [["A", "S", "B", "E"], ["R", "O", "A", "D"], ["T", "O", "N", "O"]],
    "clues": {
        "Across": [[1, "like"], [3, "exist"], [4, "way"], [6, "towards"], [7, "refusal"]],
        "Down": [[1, "skill"], [2, "very"], [3, "forbid"], [5, "work"]],
    },
}
"""Bars cut the first and the last row, and the last column below its first square."""

REBUS: dict[str, Any] = {
    "version": "http://ipuz.org/v2",
    "kind": ["http://ipuz.org/crossword#1"],
    "dimensions": {"width": 3, "height": 3},
    "puzzle": [[1, 0, 2], [0, "#", 0], [3, 0, 0]],
    "solution": [["SEA", "S", "ON"], ["L", "#", "L"], ["S", "P", "Y"]],
    "clues": {
        "Across": [
            {"number": 1, "clue": "Part of a year", "answer": "SEASON"},
            {"number": 3, "clue": "Agent", "answer": "SPY"},
        ],
        "Down": [
            {"number": 1, "clue": "They bark in water", "answer": "SEALS"},
            {"number": 2, "clue": "Just", "answer": "ONLY"},
        ],
    },
}


def load(data: dict[str, Any], **changes: Any) -> Crossword:
    puzzle = instance.load(json.dumps(data) + "\n", **changes)
    assert isinstance(puzzle, Crossword)
    return puzzle


def read_back(puzzle: Crossword, name: str, path: Path) -> Crossword:
    write_puzzles([puzzle], name, path)
    again = instance.load(path)
    assert isinstance(again, Crossword)
    return again


# -- bars


def test_bars_are_read_and_end_words() -> None:
    puzzle = load(BARRED)
    assert puzzle.bars == (".|._", "....", ".|..")
    words = {slot.name: puzzle.answers[slot.name] for slot in puzzle.slots}
    assert words == {
        "1 across": "AS",
        "3 across": "BE",
        "4 across": "ROAD",
        "6 across": "TO",
        "7 across": "NO",
        "1 down": "ART",
        "2 down": "SOO",
        "3 down": "BAN",
        "5 down": "DO",
    }
    assert len(puzzle.questions) == len(words)


def test_barred_crosswords_are_solved_and_checked() -> None:
    puzzle = load(BARRED)
    (solution,) = jigsat.solutions(puzzle)
    assert {one.letter for one in solution.placements if isinstance(one, Letter)} == set(
        "ASBERODTN"
    )
    words = ["as", "be", "road", "to", "no", "art", "soo", "ban", "do", "asbe", "tono", "edo"]
    grid = {"family": "crossword", "grid": puzzle.grid, "words": words, "repeats": True}
    without = instance.load(grid)
    assert "2 across is not" not in " ".join(without.check(solution.placements))
    assert "there is no 3 across" in list(without.check(solution.placements))


def test_the_fills_of_a_barred_grid_are_those_of_its_parts() -> None:
    """A bar down the middle makes two grids, whose fills are counted by another search."""
    words = ["at", "an", "to", "no", "on", "ta", "tn", "oo", "aa"]
    left = ["..", ".."]
    scores = {word.upper(): 50 for word in words}
    alone = sum(1 for _ in fills(left, scores, repeats=True))
    grid, bars = ["....", "...."], [".|..", ".|.."]
    puzzle = instance.load(
        {"family": "crossword", "grid": grid, "bars": bars, "words": words, "repeats": True}
    )
    assert jigsat.count(puzzle).solutions == alone**2 > 1


def test_bars_are_drawn() -> None:
    puzzle = load(BARRED)
    (solution,) = jigsat.solutions(puzzle)
    assert solution.text().splitlines()[:2] == ["A S|B E", "      ‾"]
    plain = instance.load({"family": "crossword", "grid": puzzle.grid})
    assert puzzle.svg([]).count("<line") == plain.svg([]).count("<line") + 3


def test_barred_files_are_written_and_read_back(tmp_path: Path) -> None:
    puzzle = load(BARRED)
    assert read_back(puzzle, "ipuz", tmp_path / "a.ipuz").digest() == puzzle.digest()
    jigsat.save(puzzle, tmp_path / "a.toml")
    assert instance.load(tmp_path / "a.toml").digest() == puzzle.digest()
    with pytest.raises(InputError, match=r"bars: the format puz has none; write ipuz"):
        export_puzzles([puzzle], "puz")


@pytest.mark.parametrize(
    ("bars", "complaint"),
    [
        (["..", "..", ".."], "bars: draw as many rows and columns as the grid has"),
        (["x.", ".."], "bars: row 1, column 1 is 'x'; write"),
    ],
)
def test_wrong_bars_are_refused(bars: list[str], complaint: str) -> None:
    with pytest.raises(InputError, match=complaint):
        instance.load({"family": "crossword", "grid": ["..", ".."], "bars": bars})


# -- rebus


def test_a_rebus_is_read_and_solved() -> None:
    puzzle = load(REBUS)
    assert puzzle.rebus == {"①": "SEA", "②": "ON"}
    assert puzzle.answers["1 across"] == "①S②"
    (solution,) = jigsat.solutions(puzzle)
    assert solution.text().splitlines() == ["① S ②", "L # L", "S P Y", "① SEA", "② ON"]
    assert ">SEA<" in solution.svg() and ">ON<" in solution.svg()


def test_words_of_a_list_are_written_with_signs() -> None:
    words = ["season", "spy", "seals", "only"]
    puzzle = load(REBUS, words=words)
    assert jigsat.unique(puzzle).unique
    grid = ["...", ".#.", "..."]
    open_grid = {"family": "crossword", "grid": grid, "rebus": {"1": "sea", "2": "on"}}
    found = list(jigsat.solutions(instance.load({**open_grid, "words": words})))
    assert len(found) == 2  # also turned over the diagonal: 1 across is SEALS or SEASON
    plain = instance.load({"family": "crossword", "grid": grid, "words": words})
    assert jigsat.count(plain).solutions == 0


def test_a_word_does_not_occur_in_two_spellings() -> None:
    puzzle = {
        "family": "crossword",
        "grid": "......\n.#####\n.#####\n.#####\n.#####",  # 6 squares across, 5 down
        "rebus": {"1": "ON"},
        "words": ["season"],
    }
    assert jigsat.count(puzzle).solutions == 0
    assert jigsat.count({**puzzle, "repeats": True}).solutions == 1


def test_a_listed_word_with_a_sign_has_one_spelling() -> None:
    puzzle = {"family": "crossword", "rebus": {"1": "ON", "2": "SEA"}}
    words = ["seas1;70", "season;50"]
    assert jigsat.count({**puzzle, "grid": ".....", "words": words}).solutions == 1
    assert jigsat.count({**puzzle, "grid": "...", "words": words}).solutions == 1
    with pytest.raises(InputError, match="no word has 3 letters"):
        jigsat.count({**puzzle, "grid": "...", "words": words[:1]})


def test_rebus_files_are_written_and_read_back(tmp_path: Path) -> None:
    puz = pytest.importorskip("puz")
    puzzle = load(REBUS)
    for name in ("ipuz", "puz"):
        again = read_back(puzzle, name, tmp_path / f"a.{name}")
        assert (again.grid, again.rebus) == (puzzle.grid, puzzle.rebus)
        assert (again.answers, again.questions) == (puzzle.answers, puzzle.questions)
    written = puz.read(str(tmp_path / "a.puz"))
    assert written.solution == "SSOL.LSPY"
    assert written.rebus().get_rebus_solution(0) == "SEA"
    assert written.rebus().get_rebus_squares() == [0, 2]
    text = tmp_path / "a.txt"
    text.write_text(puz.to_text_format(written))
    again = instance.load(text)
    assert isinstance(again, Crossword)
    assert (again.rebus, again.answers) == (puzzle.rebus, puzzle.answers)


def test_an_answer_that_does_not_fit_a_rebus_is_a_fault() -> None:
    changed = json.loads(json.dumps(REBUS))
    changed["solution"][0][0] = "SE"
    with pytest.raises(InputError, match=r"SEASON has 6 letters, but there are 3 squares for 5"):
        load(changed)
    changed["solution"][0][0] = "S/E"
    with pytest.raises(InputError, match=r"row 1, column 1: 'S/E' instead of letters"):
        load(changed)


@pytest.mark.parametrize(
    ("rebus", "complaint"),
    [
        ({"ab": "on"}, "'ab' is no sign"),
        ({"#": "on"}, "'#' is no sign"),
        ({"1": "o"}, "one letter"),
    ],
)
def test_wrong_signs_are_refused(rebus: dict[str, str], complaint: str) -> None:
    with pytest.raises(InputError, match=complaint):
        instance.load({"family": "crossword", "grid": ["..", ".."], "rebus": rebus})


# -- faults


def test_squares_of_barred_grids_may_be_in_one_word() -> None:
    """All squares but two are in two words: without bars, all should be."""
    barred = instance.load(
        {
            "family": "crossword",
            "grid": ["....", "....", "....", "...."],
            "bars": ["....", "....", "__..", "...."],
        }
    )
    assert not [fault for fault in barred.faults() if "one word only" in fault.wrong]
    few = instance.load(
        {"family": "crossword", "grid": ["....", "....", "...."], "bars": ["____", "....", "...."]}
    )
    remedies = {fault.place: fault.remedy for fault in few.faults()}
    assert remedies["1 across"] == "move bars, so that half of them are"
    assert remedies["2 down"] == "move a bar"


def test_unused_signs_and_unknown_digits_are_faults() -> None:
    def list_places(grid: list[str]) -> list[str]:
        entries = {"family": "crossword", "grid": grid, "rebus": {"1": "ON", "2": "SEA"}}
        places = [fault.place for fault in instance.load(entries).faults()]
        return [place for place in places if place.startswith(("rebus", "row"))]

    assert list_places(["1B2", "D#F", "GHI"]) == []
    assert list_places(["1BC", "D#F", "GHI"]) == ["rebus: 2"]
    assert list_places(["1BC", "D#F", "GH."]) == []
    assert list_places(["1B2", "D#F", "GH3"]) == ["row 3, column 3"]
