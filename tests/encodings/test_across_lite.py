"""Crosswords of Across Lite (.puz), written by puzpy."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from jigsat import instance
from jigsat.errors import InputError, InstanceWarning

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
    assert puzzle.source == "Ada, © 2026 Ada"
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
    puzzle.rebus().add_rebus_squares([5], "OX")
    puzzle.save(str(path))
    with pytest.raises(InputError, match="row 2, column 3 holds several letters"):
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
