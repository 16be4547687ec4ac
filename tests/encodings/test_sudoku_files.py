"""Text formats of sudokus, and error messages about grids."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from jigsat.encodings.sudoku.rules import Sudoku
from support.grids import parsed, placed

import jigsat
from jigsat import instance
from jigsat.errors import InputError

PUZZLE = "53..7.... 6..195... .98....6. 8...6...3 4..8.3..1 7...2...6 .6....28. ...419..5 ....8..79"
ROWS = PUZZLE.split()

BARRED = "\n-----------\n".join(
    "\n".join("|".join(row[i : i + 3] for i in (0, 3, 6)) for row in ROWS[j : j + 3])
    for j in (0, 3, 6)
)


@pytest.mark.parametrize(
    "text",
    [
        PUZZLE.replace(" ", ""),
        PUZZLE.replace(" ", "").replace(".", "0") + "\n",
        "# a comment\n\n" + PUZZLE.replace(" ", "").replace(".", "_"),
        PUZZLE.replace(" ", "") + "  # 1 solution",
        "\n".join(ROWS),
        "\n".join(" ".join(row) for row in ROWS),
        "\r\n".join(ROWS),
        BARRED,
        BARRED.replace(".", " "),
        "\n".join(line.rstrip() for line in BARRED.replace(".", " ").splitlines()) + "\n\n",
        BARRED.replace("-----------", "---+---+---").replace(".", "0"),
        "\n".join(row.replace(".", " ") for row in ROWS),
        "+-------+-------+-------+\n| "
        + "\n| ".join(" ".join(line) for line in BARRED.splitlines())
        + "\n",
        "Grid 01\n" + "\n".join(ROWS).replace(".", "0"),
        jigsat.load("sudoku-empty").text(placed(tuple(ROWS))).replace("·", ""),
    ],
)
def test_customary_text_formats(text: str, tmp_path: Path) -> None:
    expected = parsed(grid=ROWS)
    path = tmp_path / "mine.txt"
    path.write_text(text, encoding="utf-8", newline="")
    puzzle = jigsat.load(path)
    assert isinstance(puzzle, Sudoku)
    assert puzzle.grid == expected.grid
    assert (puzzle.digest(), puzzle.name) == (expected.digest(), "mine")
    assert parsed(grid=text).grid == expected.grid


OTHERS = [f"{'.' * 27}{'123456789' if i else '.' * 9}{'.' * 45}" for i in (0, 1)]


@pytest.mark.parametrize(
    "text",
    [
        "\n".join([PUZZLE.replace(" ", ""), *OTHERS]),
        "\n\n".join(
            [
                "\n".join(ROWS),
                *("\n".join(line[i : i + 9] for i in range(0, 81, 9)) for line in OTHERS),
            ]
        ),
        "\n========\n".join(
            [
                "\n".join(ROWS),
                *("\n".join(line[i : i + 9] for i in range(0, 81, 9)) for line in OTHERS),
            ]
        ),
        "\n".join(
            f"Grid {number:02}\n"
            + "\n".join(line[i : i + 9] for i in range(0, 81, 9)).replace(".", "0")
            for number, line in enumerate([PUZZLE.replace(" ", ""), *OTHERS], 1)
        ),
    ],
)
def test_text_files_with_many_puzzles(text: str, tmp_path: Path) -> None:
    path = tmp_path / "three.txt"
    path.write_text(text, encoding="utf-8")
    puzzles = instance.load_all(path)
    assert [puzzle.name for puzzle in puzzles] == ["three-1", "three-2", "three-3"]
    assert ["".join(puzzle.grid) for puzzle in puzzles if isinstance(puzzle, Sudoku)] == [
        PUZZLE.replace(" ", ""),
        *OTHERS,
    ]
    with pytest.raises(InputError, match=r"three\.txt: expected one puzzle, found 3"):
        instance.load(path)


def test_text_files_with_many_small_puzzles(tmp_path: Path) -> None:
    path = tmp_path / "small.txt"
    path.write_text("1...............\n12..34..........\n", encoding="utf-8")
    assert [puzzle.grid for puzzle in instance.load_all(path) if isinstance(puzzle, Sudoku)] == [
        ("1...", "....", "....", "...."),
        ("12..", "34..", "....", "...."),
    ]


def test_puzzles_in_a_toml_file_share_the_other_entries(tmp_path: Path) -> None:
    path = tmp_path / "two.toml"
    path.write_text(
        'family = "sudoku"\ndiagonals = true\ngrids = ["1...............", '
        '"""\n1.|..\n..|..\n--+--\n..|..\n..|.1\n"""]\n',
        encoding="utf-8",
    )
    one, two = instance.load_all(path)
    assert isinstance(one, Sudoku) and isinstance(two, Sudoku)
    assert one.diagonals and two.diagonals
    assert (one.grid[3], two.grid[3]) == ("....", "...1")
    assert [puzzle.name for puzzle in instance.load_all("sudoku-hard")] == ["sudoku-hard"]


@pytest.mark.parametrize(
    ("data", "complaint"),
    [
        ({"grid": "." * 80}, "grid: 80 characters on one line; a 9×9 grid has 81"),
        (
            {"grid": ["...."] * 3 + ["..Z."]},
            "grid: row 4, column 3 is 'Z'; write one of 1234, or one of . 0 _ for a blank",
        ),
        ({"grid": ["5..."] + ["...."] * 3}, "grid: row 1, column 1 is '5'"),
        (
            {"grid": ["....", "...", "....", "...."]},
            "grid: row 2 has 3 characters, but the grid has 4 rows",
        ),
        ({"grid": "1.0............."}, "grid: blanks are written as '.' and '0'"),
        ({"grid": ["." * 7] * 7}, "grid: 7 rows cannot be divided into boxes; draw `regions`"),
        ({"grid": ["." * 36] * 36}, "grid: 36 rows; there are digits for 2 to 35"),
        ({"grid": 4}, "grid: "),
        ({"grid": ["." * 6] * 6, "box": "3x3"}, "box: '3x3' fits no 6×6 grid"),
        ({"grid": ["." * 6] * 6, "box": "six"}, "box: 'six' fits no 6×6 grid"),
        ({"grid": ["...."] * 4, "regions": ["aabb"] * 3}, "regions: 3 rows, but the grid has 4"),
        (
            {"grid": ["...."] * 4, "regions": ["aabb", "aabb", "ccdd", "ccda"]},
            "regions: 'a' is drawn on 5 cells, but a region has 4",
        ),
        (
            {"grid": ["...."] * 4, "regions": ["aabb", "aabb", "ccdd", "ccdd"], "box": "2x2"},
            "box: cannot be combined with `regions`",
        ),
        (
            {"grid": ["...."] * 4, "extra": ["x...", ".x..", "..x.", "...."]},
            "extra: 'x' is drawn on 3 cells",
        ),
        ({"grid": [1, 2]}, "grid: expected rows of characters in quotes"),
        ({"grid": 3}, "grid: expected rows of characters in quotes"),
        ({"grid": {"a": 1}}, "grid: expected rows of characters in quotes"),
        ({"grid": [["1"]]}, "grid: expected rows of characters in quotes"),
        ({"grid": ["...."] * 4, "regions": 3}, "regions: expected a drawing in quotes"),
        ({"grid": "12..\n34\n....\n...."}, "grid: row 2 has 2 characters, but the grid has 4 rows"),
        (
            {"grid": "12 4\n34\n2143\n4321"},
            "grid: row 2 has 2 characters, but another has 4; write . for each blank",
        ),
        (
            {"grid": "1234\n 43\n2143\n4321"},
            "grid: row 2 has 3 characters, but another has 4; write . for each blank",
        ),
        (
            {"grid": "12|34\n3|4\n21|43\n43|21"},
            "grid: row 2 has 2 characters, but another has 4; write . for each blank",
        ),
    ],
)
def test_complaints_name_the_place(data: dict[str, Any], complaint: str) -> None:
    with pytest.raises(InputError, match=re.escape(f"mine.toml: {complaint}")):
        parsed(**data)


@pytest.mark.parametrize(
    ("name", "text", "complaint"),
    [
        ("bad.txt", "." * 81 + "\n" + "2" + "." * 79, "puzzle 2 in line 2: grid: 80 characters"),
        (
            "bad.txt",
            "." * 80 + "Z" + "\n" + "2" + "." * 80,
            "puzzle 1 in line 1: grid: row 9, column 9 is 'Z'",
        ),
        (
            "bad.txt",
            "53..7....\n6..195...\n",
            "grid: row 1 has 9 characters, but the grid has 2 rows",
        ),
        ("bad.txt", "To whom it may concern", "not valid TOML, nor a text format of a family"),
        ("bad.toml", 'family = "sudoku"\ngrids = []', "this file contains no puzzle"),
        ("bad.toml", 'family = "sudoku"\ngrids = 3', "grids: write a list of grids"),
        (
            "bad.toml",
            'family = "sudoku"\ngrids = []\ngrid = ""',
            "grids: write a list of grids, without a separate entry",
        ),
        ("bad.toml", 'family = "sudoku"', "missing entry 'grid'"),
        (
            "bad.toml",
            'family = "sudoku"\ngrids = ["1...............", 7]',
            "puzzle 2: grid: expected rows of characters in quotes",
        ),
    ],
)
def test_complaints_about_files(name: str, text: str, complaint: str, tmp_path: Path) -> None:
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match=re.escape(f"{path}: {complaint}")):
        instance.load_all(path)


@pytest.mark.parametrize(
    ("grid", "rows"),
    [
        ("12 4\n\n2143\n4321", ("12.4", "....", "2143", "4321")),  # an empty row can only be blank
        (
            "12|34\n 4|\n21|4\n43|21",
            ("1234", ".4..", "214.", "4321"),
        ),  # the bars show that only the end is missing
        ("12 4\n34  \n2143\n4321", ("12.4", "34..", "2143", "4321")),
    ],
)
def test_stripped_trailing_spaces_are_blanks_if_unambiguous(
    grid: str, rows: tuple[str, ...]
) -> None:
    assert parsed(grid=grid).grid == rows


def test_other_text_is_not_mistaken_for_a_sudoku() -> None:
    for text in (
        "",
        "bwwbb\nbwwbw\nwbwbw\nbwbbb\nbwbww\n",
        "0 1 1\n1 1 0\n1 1 0\n",
        "Dear reader, 2 and 3 are 5.",
        "aab\nacb\nccb",
        "a2 b\na2\nb\n",
        "0 1 2 3\n0 1\n2 3\n",
        "x_1 y_2\nx_1\ny_2\n",
        "1 2 3 4\n1 2\n3 4\n1 3\n2 4\n1 4\n2 3\n",
        "a2 b4 c6 d8 e3 f5 g7 h9 i2 j4 k6 l8 m2 n4 o6 p8 q2 r4 s6\na2\nb4\n",
    ):
        assert Sudoku.from_text(text) is None
