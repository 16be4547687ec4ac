"""All faults of crosswords are listed, each with its place, and nothing else."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from support import crosswords
from support.desk import MISTAKES, Desk, build_desk
from support.forked import run
from support.planted import crossword

import jigsat

FILES, PLANTED = 200, 60
CHECKED = ["YDFXGT#", "NWYMYE#", "TUEMGSR", "FTFGILJ", "AONMKST", "#JVPRWX", "#JWPAUG"]
"""A grid with half-turn symmetry; no word occurs twice."""


@pytest.fixture(scope="module")
def desk() -> Desk:
    return build_desk(FILES, PLANTED, seed=2026)


@pytest.fixture(scope="module")
def folder(desk: Desk, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("desk")
    (folder / "puzzles").mkdir()
    for name, data in desk.files.items():
        (folder / "puzzles" / name).write_text(json.dumps(data))
    (folder / "words.txt").write_text("\n".join(desk.words))
    return folder


def test_all_planted_mistakes_are_listed_and_nothing_else(desk: Desk, folder: Path) -> None:
    listed = run("faults", "puzzles", "--set", "words=./words.txt", "--json", folder=folder)
    assert (listed.status, listed.err) == (1, "")
    files = [json.loads(line) for line in listed.out.splitlines()]
    found = {}
    for file in files:
        places = [fault["place"] for fault in file["faults"]]
        assert len(places) == len(set(places))
        found[Path(file["file"]).name] = set(places)
        assert all(fault["wrong"] and fault["remedy"] for fault in file["faults"])
    assert found == desk.faults
    assert sum(map(bool, found.values())) == PLANTED >= 3 * len(MISTAKES)
    assert len(files) == FILES


def test_the_table_has_a_line_for_each_fault(desk: Desk, folder: Path) -> None:
    table = run("faults", "puzzles", "--set", "words=./words.txt", folder=folder)
    head, *lines, empty, total = table.out.splitlines()
    assert head.split() == ["file", "place", "what", "is", "wrong", "what", "to", "do"]
    faults = sum(map(len, desk.faults.values()))
    assert (len(lines), empty) == (faults, "")
    assert total == f"{faults} faults in {PLANTED} of {FILES} files"
    assert table.status == 1


def test_a_right_file_has_no_faults(desk: Desk, folder: Path) -> None:
    name = next(name for name, places in desk.faults.items() if not places)
    listed = run("faults", f"puzzles/{name}", folder=folder)
    assert (listed.status, listed.out, listed.err) == (0, "1 file, no faults\n", "")
    path = folder / "puzzles" / name
    assert jigsat.faults(path) == {str(path): []}


def test_all_faults_of_one_file_are_listed(tmp_path: Path) -> None:
    """The first one does not hide the others."""
    data: dict[str, Any] = {
        "version": "http://ipuz.org/v2",
        "kind": ["http://ipuz.org/crossword#1"],
        "dimensions": {"width": 4, "height": 3},
        "puzzle": [[1, 2, 3], [4, 0, 0], [6, 0, 0]],
        "solution": [["C", "A", "T"], ["A", "R", "E"], ["R", "", "N"]],
        "clues": {
            "Across": [[1, "Pet"], [4, "Exist"], [4, "Live"]],
            "Down": [[1, "Vehicle"], [2, "Skill"], [3, "Number"]],
        },
    }
    path = tmp_path / "all.ipuz"
    path.write_text(json.dumps(data))
    faults = jigsat.faults(path)[str(path)]
    assert [fault.place for fault in faults] == [
        "dimensions",
        "solution: row 3, column 2",
        "puzzle: row 3, column 1",
        "clues: 4 across",
        "5 across",
    ]
    with pytest.raises(jigsat.InputError, match=r"all\.ipuz: dimensions: width 4, but a row"):
        jigsat.load(path)


@pytest.mark.parametrize("in_solution", [False, True])
@pytest.mark.parametrize("answers", [False, True])
def test_a_wrong_square_is_the_only_fault(in_solution: bool, answers: bool, tmp_path: Path) -> None:
    """What follows from a block that should be a square, and the other way round, is not listed:
    numbers, clues, symmetry, short words."""
    size = len(CHECKED)
    single = 0
    for r in range(size):
        for c in range(size):
            data = crossword(CHECKED, answers=answers)
            is_block = data["puzzle"][r][c] == "#"
            data["puzzle"][r][c] = 0 if is_block else "#"
            if in_solution:
                data["solution"][r][c] = "X" if is_block else "#"
            path = tmp_path / "wrong.ipuz"
            path.write_text(json.dumps(data))
            faults = jigsat.faults(path)[str(path)]
            needed = "block" if is_block else "square"
            named = [fault for fault in faults if f"a grid with a {needed} there" in fault.wrong]
            if named and len(faults) == 1:
                assert faults[0].place == f"puzzle: row {r + 1}, column {c + 1}"
                assert faults[0].remedy == f"make it a {needed}"
                single += 1
    # If nothing else states the length of a word, nothing contradicts its last square.
    assert single >= (size * size if not in_solution else 0.8 * size * size)


def test_a_wrong_letter_is_one_fault(tmp_path: Path) -> None:
    """Neither of the two words of the square is in the list."""
    words = ["".join(CHECKED[r][c] for r, c in cells) for _, cells in crosswords.runs(CHECKED)]
    path = tmp_path / "wrong.ipuz"
    for r, c in ((0, 0), (2, 3), (6, 6)):
        data = crossword(CHECKED, answers=False)
        data["solution"][r][c] = "Z"
        path.write_text(json.dumps(data))
        (fault,) = jigsat.faults(path, changes={"words": words})[str(path)]
        assert fault.place == f"row {r + 1}, column {c + 1}"
        assert "not in the list of words" in fault.wrong
    # Words that do not cross are two faults.
    path.write_text(json.dumps(crossword(CHECKED, answers=False)))
    faults = jigsat.faults(path, changes={"words": words[2:]})[str(path)]
    assert [fault.place for fault in faults] == ["1 across", "7 across"]


@pytest.mark.parametrize("answers", [False, True])
def test_exchanged_directions_are_one_fault(answers: bool, tmp_path: Path) -> None:
    data = crossword(CHECKED, answers=answers)
    clues = data["clues"]
    data["clues"] = {"Across": clues["Down"], "Down": clues["Across"]}
    path = tmp_path / "exchanged.ipuz"
    path.write_text(json.dumps(data))
    (fault,) = jigsat.faults(path)[str(path)]
    assert str(fault) == (
        "clues: the clues across are those of the words down; exchange `Across` and `Down`"
    )


@pytest.mark.parametrize("titles", [["Across"], ["Down"], ["Across", "Down"]])
def test_clues_with_other_numbers_are_one_fault(titles: list[str], tmp_path: Path) -> None:
    data = crossword(CHECKED)
    for title in titles:
        for clue in data["clues"][title]:
            clue["number"] += 1
    path = tmp_path / "renumbered.ipuz"
    path.write_text(json.dumps(data))
    (fault,) = jigsat.faults(path)[str(path)]
    assert (fault.place, fault.remedy) == ("clues", "number the clues anew")


def test_a_missing_row_is_one_fault(tmp_path: Path) -> None:
    data = crossword(CHECKED)
    data["puzzle"].pop(3)
    path = tmp_path / "short.ipuz"
    path.write_text(json.dumps(data))
    (fault,) = jigsat.faults(path)[str(path)]
    assert fault.wrong == "6 rows, but the dimensions and the solution have 7"


def test_faults_with_one_cause_are_one(tmp_path: Path) -> None:
    path = tmp_path / "wrong.ipuz"

    def list_faults(data: dict[str, Any]) -> list[str]:
        path.write_text(json.dumps(data))
        return [str(fault) for fault in jigsat.faults(path)[str(path)]]

    data = crossword(CHECKED)
    for row in data["puzzle"]:
        row[:] = [x - 1 if isinstance(x, int) and x else x for x in row]
    (numbers,) = list_faults(data)
    assert numbers.startswith("puzzle: row 1, column 1: no number, but it would be 1 if words")
    assert "; so it is with 12 other squares; " in numbers

    data = crossword(CHECKED)
    rows = data["solution"]
    rows[3], rows[4] = rows[4], rows[3]
    (letters,) = list_faults(data)
    assert letters.endswith("so it is with 13 other squares; write the same letter in both")

    data = crossword(CHECKED)
    data["clues"]["Across"] = data["clues"]["Across"][:2]
    (clues,) = list_faults(data)
    assert clues.startswith("8 across: no clue; 10 across, ")


def test_other_files_and_kinds_have_a_line(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("Hello!\n")
    (tmp_path / "two.sdm").write_text("1" + "." * 80 + "\n" + "2" + "." * 80 + "\n")
    faults = jigsat.faults(tmp_path)
    (notes,) = faults[str(tmp_path / "notes.txt")]
    assert "not valid TOML" in notes.wrong
    assert faults[str(tmp_path / "two.sdm")] == []
    with pytest.raises(jigsat.InputError, match="the folder has no files"):
        (tmp_path / "empty").mkdir()
        jigsat.faults(tmp_path / "empty")
