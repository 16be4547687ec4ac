"""Crosswords of Across Lite (.puz), written by puzpy."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest
from support.planted import GRIDS, crossword
from support.planted import text as ipuz

import jigsat
from jigsat import instance
from jigsat.errors import InputError, InstanceWarning
from jigsat.services.export import write_puzzles

puz = pytest.importorskip("puz")

CLUES = ["It barks", "Time <i>gone</i>", "Rocks", "Dug out", "Years", "Got up"]


def write(path: Path, solution: str, fill: str, clues: list[str] = CLUES) -> puz.Puzzle:
    """A crossword of 3×3 squares."""
    puzzle = puz.Puzzle()
    puzzle.title, puzzle.author, puzzle.copyright = "Small", "Ada", "© 2026 Ada"
    puzzle.width = puzzle.height = 3
    puzzle.solution, puzzle.fill, puzzle.clues = solution, fill, clues
    puzzle.save(str(path))
    return puzzle


def test_a_crossword_is_read(tmp_path: Path) -> None:
    write(tmp_path / "a.puz", "ARCR.OTAR", "----.----", CLUES[:4])
    puzzle = instance.load(tmp_path / "a.puz")
    assert puzzle.title == "Small"
    assert (puzzle.author, puzzle.copyright) == ("Ada", "© 2026 Ada")  # type: ignore[attr-defined]
    assert puzzle.grid == ("...", ".#.", "...")  # type: ignore[attr-defined]
    # The squares 1, 2 and 3 begin words: 1 across, 1 down, 2 down, 3 across.
    assert puzzle.answers == {  # type: ignore[attr-defined]
        "1 across": "ARC",
        "1 down": "ART",
        "2 down": "COR",
        "3 across": "TAR",
    }
    assert puzzle.questions == {  # type: ignore[attr-defined]
        "1 across": "It barks",
        "1 down": "Time gone",
        "2 down": "Rocks",
        "3 across": "Dug out",
    }


def test_a_scrambled_solution_is_left_out(tmp_path: Path) -> None:
    puzzle = write(tmp_path / "a.puz", "ARCR.OTAR", "----.----", CLUES[:4])
    puzzle.lock_solution(1234)
    puzzle.save(str(tmp_path / "a.puz"))
    with pytest.warns(InstanceWarning, match="is scrambled"):
        read = instance.load(tmp_path / "a.puz")
    assert read.answers == {}  # type: ignore[attr-defined]
    assert len(read.questions) == 4  # type: ignore[attr-defined]


def test_a_damaged_file_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.puz"
    write(path, "ARCR.OTAR", "----.----", CLUES[:4])
    data = path.read_bytes()
    for damaged in (data.replace(b"ARCR", b"ARCX"), data[:60], data.replace(b"Rocks", b"Socks")):
        path.write_bytes(damaged)
        with pytest.raises(InputError, match=r"a\.puz: a damaged crossword of Across Lite"):
            instance.load(path)


def test_what_cannot_be_read_is_named(tmp_path: Path) -> None:
    path = tmp_path / "a.puz"
    puzzle = write(path, "ARCR.OTAR", "----.----", CLUES[:4])
    puzzle.rebus().add_rebus_squares([5], "O/X")
    puzzle.save(str(path))
    with pytest.raises(InputError, match="row 2, column 3 holds 'O/X'; only letters"):
        instance.load(path)

    write(path, "ARCR.OTAR", "----.----", CLUES[:3])
    with pytest.raises(InputError, match="3 clues, but there are 4 words"):
        instance.load(path)
    write(path, "AR-R.OTAR", "----.----", CLUES[:4])
    assert set(instance.load(path).answers) == {"1 down", "3 across"}  # type: ignore[attr-defined]


def test_a_missing_library_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(tmp_path / "a.puz", "ARCR.OTAR", "----.----", CLUES[:4])
    monkeypatch.setitem(sys.modules, "puz", None)
    with pytest.raises(InputError, match=r"pip install 'jigsat\[crosswords\]'"):
        instance.load(tmp_path / "a.puz")


# -- writing


@pytest.mark.parametrize("rows", GRIDS)
@pytest.mark.parametrize("title", ["Plain", "Übung für Ñandús", "Крестословица 日本"])
def test_a_file_is_written_and_read_back(rows: list[str], title: str, tmp_path: Path) -> None:
    data = {**crossword(rows), "title": title, "author": "Ada"}
    puzzle = instance.load(ipuz(data) + "\n")
    path = tmp_path / "a.puz"
    write_puzzles([puzzle], "puz", path)
    again = instance.load(path)
    assert again.digest() == puzzle.digest()
    assert (again.title, again.author) == (title, "Ada")  # type: ignore[attr-defined]

    # puzpy compares all checksums when it reads a file
    other = puz.read(str(path))
    assert other.solution == "".join(rows).replace("#", ".")
    assert (other.width, other.height) == (len(rows[0]), len(rows))
    clues = [*data["clues"]["Across"], *data["clues"]["Down"]]
    assert sorted(other.clues) == sorted(clue["clue"] for clue in clues)
    assert other.tobytes() == path.read_bytes()


def test_export_writes_the_same_file(tmp_path: Path) -> None:
    puzzle = instance.load(ipuz(crossword(GRIDS[0])) + "\n")
    write_puzzles([puzzle], "puz", tmp_path / "a.puz")
    jigsat.export(puzzle, tmp_path / "b.puz", format="puz")
    assert (tmp_path / "a.puz").read_bytes() == (tmp_path / "b.puz").read_bytes()


def test_what_the_format_cannot_express_is_refused(tmp_path: Path) -> None:
    for entries, complaint in (
        ({"grid": ["ЖА", "АЖ"], "words": ["жа", "аж"]}, "cannot express this letter; write ipuz"),
        (
            {"grid": ["..", ".."], "bars": ["|.", ".."], "words": ["ab", "cd"]},
            "bars: the format puz has none; write ipuz",
        ),
    ):
        puzzle = instance.load({"family": "crossword", **entries})
        with pytest.raises(InputError, match=complaint):
            write_puzzles([puzzle], "puz", tmp_path / "a.puz")


def mark(data: dict[str, Any], *, solved: bool) -> dict[str, Any]:
    """The first grid of `GRIDS` with its author, a given letter and two circles."""
    marked = {**data, "author": "Ada", "copyright": "© 2026 Ada", "origin": "by hand"}
    top = marked["puzzle"][0]
    top[0] = {"cell": top[0], "value": "H", "style": {"shapebg": "circle"}}
    marked["styles"] = {"ring": {"shapebg": "circle"}, "grey": {"color": "888888"}}
    marked["puzzle"][2][1] = {"cell": 0, "style": "ring"}
    marked["puzzle"][2][2] = {"cell": 0, "style": "grey"}
    if not solved:
        del marked["solution"]
    return marked


@pytest.mark.parametrize("solved", [True, False])
def test_author_circles_and_given_letters_survive_both_formats(
    solved: bool, tmp_path: Path
) -> None:
    data = mark(crossword(GRIDS[0], answers=False), solved=solved)
    puzzle: Any = instance.load(ipuz(data) + "\n")
    assert puzzle.grid == ("H....", ".....", ".....", ".....", ".....")
    assert puzzle.circles == ("o....", ".....", ".o...", ".....", ".....")
    assert puzzle.source == "by hand"

    write_puzzles([puzzle], "puz", tmp_path / "a.puz")
    other = puz.read(str(tmp_path / "a.puz"))
    assert (other.author, other.copyright) == ("Ada", "© 2026 Ada")
    assert other.fill == "H" + 24 * "-"
    assert other.solution == ("".join(GRIDS[0]) if solved else other.fill)
    assert other.markup().get_markup_squares(0x40) == [0]
    assert other.markup().get_markup_squares(0x80) == [0, 11]

    read: Any = instance.load(tmp_path / "a.puz")
    write_puzzles([read], "ipuz", tmp_path / "a.ipuz")
    again: Any = instance.load(tmp_path / "a.ipuz")
    for one in read, again:
        assert (one.author, one.copyright) == (puzzle.author, puzzle.copyright)
        assert (one.grid, one.circles) == (puzzle.grid, puzzle.circles)
        assert (one.questions, one.answers) == (puzzle.questions, puzzle.answers)
        assert one.digest() == puzzle.digest()


def test_letters_of_a_solver_are_left_out(tmp_path: Path) -> None:
    """They are filled in, but not marked as given."""
    write(tmp_path / "a.puz", "ARCR.OTAR", "A--R.----", CLUES[:4])
    with pytest.warns(InstanceWarning, match="the letters that a solver has filled in"):
        puzzle: Any = instance.load(tmp_path / "a.puz")
    assert puzzle.grid == ("...", ".#.", "...")


def test_the_text_form_is_read(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    written = write(tmp_path / "a.puz", "ARCR.OTAR", "----.----", CLUES[:4])
    path.write_text(puz.to_text_format(written))
    from_text, from_bytes = instance.load(path), instance.load(tmp_path / "a.puz")
    assert from_text.digest() == from_bytes.digest()
    assert from_text.title == "Small"

    text = path.read_text()
    for old, new, complaint in (
        ("3x3", "3x4", "<SIZE>: '3x4', but <GRID> has 3x3 squares"),
        ("\tDug out\n", "", "<ACROSS>: 1 clue, but there are 2 words"),
        ("3x3", "3", "<SIZE>: '3', but <GRID> has 3x3 squares"),
        ("\tR.O\n", "\tRO\n", "<GRID>: row 2: 2 squares, but most rows have 3; make all"),
    ):
        path.write_text(text.replace(old, new))
        with pytest.raises(InputError) as caught:
            instance.load(path)
        assert complaint in str(caught.value)


@pytest.mark.parametrize("beginning", ["<ACROSS PUZZLE V2>", "<Across Puzzle v2>"])
def test_the_first_line_may_have_other_capitals(beginning: str, tmp_path: Path) -> None:
    written = write(tmp_path / "a.puz", "ARCR.OTAR", "----.----", CLUES[:4])
    text = puz.to_text_format(written)
    path = tmp_path / "a.txt"
    path.write_text(beginning + text[text.index(">") + 1 :])
    assert instance.load(path).digest() == instance.load(tmp_path / "a.puz").digest()


def test_unused_keys_and_digits_without_a_key_are_faults(tmp_path: Path) -> None:
    written = write(tmp_path / "a.puz", "ARCR.OTAR", "----.----", CLUES[:4])
    text = puz.to_text_format(written)
    path = tmp_path / "a.txt"

    def list_wrong(grid: str, rebus: str) -> list[str]:
        changed = text.replace("ARC", grid).replace("<ACROSS>", f"{rebus}<ACROSS>")
        path.write_text(changed)
        return [fault.wrong for fault in jigsat.faults(path)[str(path)]]

    rebus = "<REBUS>\n1:SEA:S\n"
    assert list_wrong("1RC", rebus) == []
    assert list_wrong("ARC", rebus) == ["<REBUS>: no square has the key '1'"]
    (digit,) = list_wrong("12C", rebus)
    assert digit == "<GRID>: row 1, column 2 has the digit 2, which is no key in <REBUS>"


def test_an_empty_file_is_called_empty(tmp_path: Path) -> None:
    path = tmp_path / "a.puz"
    path.touch()
    with pytest.raises(InputError, match=r"a\.puz: the file is empty"):
        instance.load(path)


def test_a_source_is_no_author(tmp_path: Path) -> None:
    entries = {"family": "crossword", "grid": ["AS", "TO"], "words": ["as", "to", "at", "so"]}
    source = "jigsat generate crossword --seed 1, number 2"
    puzzle = instance.load({**entries, "source": source})
    write_puzzles([puzzle], "puz", tmp_path / "a.puz")
    assert puz.read(str(tmp_path / "a.puz")).author == ""
