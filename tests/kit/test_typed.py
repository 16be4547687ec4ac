"""Puzzles as people type them from print."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from docs.test_docs import ROOT, saved
from support.inside import jigsat

from jigsat import InputError, instance
from jigsat.kit.around import divide_rim
from jigsat.services.given import read_placements

PAGE = ROOT / "docs" / "howto" / "newspaper.md"
SAME = {
    "hearts.txt": "nonogram-heart",
    "greater.txt": "futoshiki-5",
    "results.txt": "calcudoku-5",
    "sums.txt": "kakuro-5",
}
"""Files of the page, and the instances that have the same puzzle."""


@pytest.mark.parametrize(("file", "name"), SAME.items())
def test_a_typed_puzzle_is_the_instance(file: str, name: str) -> None:
    (typed,) = instance.load_text(saved(PAGE)[file])
    loaded = instance.load(name)
    left_out = {"title", "source", "known", "name"}
    assert typed.model_dump(exclude=left_out) == loaded.model_dump(exclude=left_out)


def test_every_puzzle_of_the_page_has_one_solution(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for file, text in saved(PAGE).items():
        (tmp_path / file).write_text(text)
        assert jigsat(capsys, "unique", tmp_path / file).status == 0, file


FUTOSHIKI = """Futoshiki
. . .>.
^
. . . .

. 2 . .
    v
. .<. .
"""


@pytest.mark.parametrize(
    ("changed", "to"),
    [
        (". . .>.", ".  .  .   > ."),
        (". . .>.", "|. . .>.|"),
        ("^", "∧"),
        ("    v", "    ∨"),
    ],
)
def test_signs_are_typed_in_several_ways(changed: str, to: str) -> None:
    text = FUTOSHIKI.replace(changed, to, 1)
    assert instance.load_text(text)[0].model_dump() == (
        instance.load_text(FUTOSHIKI)[0].model_dump()
    )


def test_each_sign_has_its_place() -> None:
    (puzzle,) = instance.load_text(FUTOSHIKI)
    data = puzzle.model_dump()
    rows = data["signs"].splitlines()
    assert rows == [".....>.", "^......", ".......", ".......", ".......", "....v..", "...<..."]
    assert data["given"].splitlines() == ["....", "....", ".2..", "...."]


KILLER = """Killer sudoku
AAAB
CDDB
CCEE
FFEE
A = 6, B = 7, C = 7
D = 5, E = 10, F = 5
"""
HANJIE = "Hanjie\nrows: 2; 1\ncolumns:\n2\n1\n"
TOWERS = "Towers\n..\n..\n\ntop: 1 .\nleft: . 2\n"
LITS = "LITS\nAAAA\nBBBB\n"
KAKURO = "Kakuro\n# 3\\ 6\\\n\\4 . .\n\\5 . .\n"


@pytest.mark.parametrize(
    ("text", "changed", "to", "refusal"),
    [
        (FUTOSHIKI, ". .<. .", ". .<.", "line 8 has 3 cells, but line 2 has 4; draw . where"),
        (FUTOSHIKI, ". .<. .", ". .<. x", "line 8, character 7 is 'x'; write a number, . for"),
        (FUTOSHIKI, ". .<. .", ". <<. .", "line 8, character 4: < must be between two cells"),
        (FUTOSHIKI, ". .<. .", ". . . .>", "line 8: a sign is at the end; write . for"),
        (FUTOSHIKI, ". 2 . .", "  . 2 . .", "line 7, character 5: v is not between two cells of"),
        (FUTOSHIKI, "    v", "   v", "line 7, character 4: v must be below the character of a"),
        (FUTOSHIKI, "Futoshiki", "Futoshiki\nv", "line 2: signs must be between two rows"),
        (FUTOSHIKI, "2", "7", "given: r3c2 is 7; write"),
        (KILLER, "F = 5", "", "the cage F has no number; add a line such as F = 12, or F = ?"),
        (KILLER, "F = 5", "G = 5", "the cage F has no number"),
        (KILLER, "F = 5", "F = 5, G = 1", "line 7: G = 1, but nothing in the drawing is called G"),
        (KILLER, "F = 5", "F = 5 A = 6", "line 7: A has a value in line 6 already"),
        (KILLER, "F = 5", "F = = 5", "line 7: write a name and its value, such as A = 6"),
        (KILLER, "FFEE", "FFE", "line 5 has 3 cells, but most lines have 4"),
        (KILLER, "FFEE", "FFAE", "the cage A is in 2 parts, at r1c1 and r4c3"),
        (HANJIE, "2; 1", "2; x", "line 2: 'x' is no number; write the numbers with blanks"),
        (HANJIE, "\n1\n", "\n\n1\n", "line 6: '1' is in no list; begin each list with its heading"),
        (HANJIE, "rows", "columns", "line 3: there is a list 'columns' already"),
        (HANJIE, "rows: 2; 1", "", "the rows are missing; write rows: and below it one line"),
        (HANJIE, "2; 1", "2 1", "line 2: it is not clear which numbers of '2 1' belong together"),
        (HANJIE, "2; 1", "2, 1", "line 2: it is not clear which numbers of '2, 1' belong together"),
        (HANJIE, "2; 1", "2;; 1", "line 2: there is nothing before or after a ;; write 0"),
        (HANJIE, "2; 1", "2; 1;", "line 2: there is nothing before or after a ;"),
        (HANJIE, "2; 1", "2; 1,", "line 2: there is no number before or after a comma in '1,'"),
        (HANJIE, "2; 1", "2; 1,,1", "line 2: there is no number before or after a comma in '1,,1'"),
        (HANJIE, "2; 1", "2; 1,1", "line 2: '1,1' needs 3 cells, but there are only 2 columns"),
        (HANJIE, "\n1\n", "\n1 , , 1\n", "line 5: there is no number before or after a comma"),
        (KAKURO, "\\4 .", "\\4 y", "line 3: row 2 of the drawing, column 2 is 'y'; write DOWN"),
        (KAKURO, "# 3", ". 3", "the first row and the first column must be black"),
        (KAKURO, "\\5 . .", "\\5 . 9\\", None),
        (KAKURO, "\\5 . .", "\\5 .", "line 4 has 2 cells, but most lines have 3"),
        (TOWERS, "top: 1 .", "top: 1", "line 5: top has 1 number for 2 columns; write . where"),
        (TOWERS, "top: 1 .", "top: 1,,", "line 5: there is no number before or after a comma"),
        (TOWERS, "top: 1 .", "top: 1 . ; 2", "line 5: '1 .' is more than one number; write all"),
        (TOWERS, "top: 1 .", "top: 1 . 2", "seen.top: more numbers than the 2 of the grid"),
        (TOWERS, "top: 1 .", "columns: 1 .", "line 5: 'columns' is no heading of this kind, which"),
        (
            TOWERS,
            "top: 1 .",
            "\n1 2\n3 4\n",
            "begins here; expected one, without blank lines in it",
        ),
        (
            TOWERS,
            "top: 1 .\nleft: . 2",
            "1 .\n. 2",
            "above or before a list, write its heading, such as top:",
        ),
        (LITS, "BBBB\n", "BBBB\n\nAAAA\nBBBB\n", "line 5: a second drawing begins here; expected"),
        (
            "Suguru\n. .\n. .\n",
            "",
            "",
            "there is 1 drawing, with blank lines between them; expected",
        ),
    ],
)
def test_a_refusal_names_the_line_and_what_to_write(
    text: str, changed: str, to: str, refusal: str | None
) -> None:
    wrong = text.replace(changed, to, 1)
    with pytest.raises(InputError) as refused:
        instance.load_text(wrong)
    assert str(refused.value).startswith("the text: ")
    if refusal is not None:
        assert refusal in str(refused.value)


def test_a_kind_is_named_by_any_of_its_names() -> None:
    for name in ("Hanjie", "nonogram", "PIC-A-PIX", "paint by numbers", "Hanjie 2x2 (easy)"):
        (puzzle,) = instance.load_text(HANJIE.replace("Hanjie", name))
        assert puzzle.family == "nonogram"


def test_a_misspelt_kind() -> None:
    with pytest.raises(InputError, match="line 1: 'Hnajie' is no kind of puzzle; did you mean 'Ha"):
        instance.load_text(HANJIE.replace("Hanjie", "Hnajie"))


def test_an_unknown_kind() -> None:
    expected = "line 1: 'Wolkenkratzer' is no kind of puzzle; `jigsat list WORD` finds"
    with pytest.raises(InputError, match=expected):
        instance.load_text(TOWERS.replace("Towers", "Wolkenkratzer"))


@pytest.mark.parametrize(("text", "kind"), [(FUTOSHIKI, "futoshiki"), (TOWERS, "skyscrapers")])
def test_a_text_without_a_kind_is_refused_with_those_that_it_fits(text: str, kind: str) -> None:
    without = text.partition("\n")[2]
    expected = rf"fits .*{kind}.*; write its kind .*, such as "
    with pytest.raises(InputError, match=expected):
        instance.load_text(without)


@pytest.mark.parametrize("title", ["1001 towers", "Towers", "2026"])
def test_a_title_may_stand_below_the_drawing(title: str) -> None:
    (puzzle,) = instance.load_text(f'{TOWERS}title = "{title}"\n')
    assert puzzle.title == title


CALCUDOKU = """KenKen
aabc
debc
deff
gghh

a: 3+, b: 2-, c: 2:, d: 6*
e: 3-, f: 7+, g: 12x, h: 2/
"""
KILLER = """Killer
a a b c
d e b c
d e f f
g g h h

a = 3
"""


def test_two_lines_with_signs_at_one_place_are_refused(tmp_path: Path) -> None:
    file = tmp_path / "typed.txt"
    file.write_text("Futoshiki\n. . .\nv\n^\n. . .\n. . .\n")
    with pytest.raises(InputError, match="line 4: another line has a sign at the same place"):
        instance.load(file)


def test_signs_of_products_and_quotients_as_in_newspapers() -> None:
    (typed,) = instance.load_text(CALCUDOKU)
    (same,) = instance.load_text(CALCUDOKU.replace("2:", "2÷").replace("6*", "6×"))
    assert typed.model_dump()["cages"]["numbers"]["c"] == "2/"
    assert typed.model_dump()["cages"]["numbers"]["d"] == "6x"
    assert typed.model_dump(exclude={"name"}) == same.model_dump(exclude={"name"})


@pytest.mark.parametrize(
    ("values", "shown"),
    [
        ("a 3+\nb 2-", "'a 3+' is no row of the drawing; if a has the value 3+, write a = 3+"),
        ("a 3", "'a 3' is no row of the drawing; if a has the value 3, write a = 3"),
        ("a 3, b 2, e 7", "'a 3, b 2, e 7' is no row of the drawing; if a has the value 3, write"),
    ],
)
@pytest.mark.parametrize("text", [CALCUDOKU, KILLER])
def test_a_value_without_an_equals_sign(text: str, values: str, shown: str) -> None:
    drawing = text.partition("\n\n")[0]
    with pytest.raises(InputError, match=re.escape(f"line 7: {shown}")):
        instance.load_text(f"{drawing}\n\n{values}\n")


def test_cages_without_a_kind_are_refused_with_what_to_write() -> None:
    drawing = KILLER.partition("\n")[2].partition("\n\n")[0]
    with pytest.raises(InputError, match="write its kind in the first line, such as Killer sudoku"):
        instance.load_text(f"{drawing}\n\na 3\nb 5\n")


def test_a_killer_sudoku_may_be_called_killer() -> None:
    values = ", ".join(f"{name} = ?" for name in "bcdefgh")
    (killer,) = instance.load_text(f"{KILLER}{values}\n")
    assert killer.family == "killer-sudoku"


def test_import_reads_a_text_with_and_without_the_name_of_its_kind(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    written = []
    for i, text in enumerate([HANJIE, HANJIE.partition("\n")[2]]):
        (tmp_path / f"{i}.txt").write_text(text)
        output = tmp_path / f"{i}.toml"
        ended = jigsat(
            capsys, "import", "--family", "nonogram", tmp_path / f"{i}.txt", "-o", output
        )
        assert ended.status == 0, ended.err
        written.append(re.sub("title.*\n", "", output.read_text()))
    assert written[0] == written[1]


def test_numbers_beside_the_grid_and_other_entries() -> None:
    (towers,) = instance.load_text(TOWERS)
    assert towers.model_dump()["seen"] == {"top": "1 .", "left": ". 2"}
    (stars,) = instance.load_text("Star battle\nAABB\nAABB\nCCDD\nCCDD\nstars = 2\n")
    assert stars.model_dump()["stars"] == 2


@pytest.mark.parametrize(
    ("rows", "read"),
    [
        ("rows: 3; 1,1", ["3", "1 1"]),
        ("rows: 3; 1 1", ["3", "1 1"]),
        ("rows: 3;\t1 , 1", ["3", "1 1"]),
        ("rows: 3\n1 1", ["3", "1 1"]),
        ("rows:\n3; 1, 1\n2", ["3", "1 1", "2"]),
        ("rows: 3\n?", ["3", "?"]),
        ("rows:\n1 1", ["1 1"]),
    ],
)
def test_each_line_of_a_list_is_a_row_and_so_is_each_part_between_semicolons(
    rows: str, read: list[str]
) -> None:
    (nonogram,) = instance.load_text(f"Nonogram\n{rows}\ncolumns: 1; 0; 1\n")
    assert nonogram.model_dump()["lengths"] == {"rows": read, "columns": ["1", "0", "1"]}


def test_an_unknown_result_with_the_sign_of_a_quotient() -> None:
    text = CALCUDOKU.replace("c: 2:", "c = ?:")
    (puzzle,) = instance.load_text(text)
    assert puzzle.model_dump()["cages"]["numbers"]["c"] == "?/"


def test_a_drawing_with_a_blank_line_between_all_rows() -> None:
    (dense,) = instance.load_text(LITS)
    (spaced,) = instance.load_text(LITS.replace("\n", "\n\n"))
    assert dense.model_dump() == spaced.model_dump()


AKARI = "Akari\n. . 1 .\n. # . .\n2 . . 0\n"
CAMP = "Tents\n. t . .\n. . . t\nt . . .\n. . t .\n\ntop: 1 1 1 1\nleft: 1 0 2 1\n"
FIELD = "Minesweeper\n. 1 .\n1 . .\n"
TWICE = "Hitori\n1 2 1\n2 3 2\n3 1 2\n"
SIDES = "Slitherlink\n3 . 2\n. 1 .\n. . .\n"
PEARLS = "Masyu\n. . w .\n. . . .\nb . . .\n. w . .\n"
TAKUZU = "Takuzu\n. . . .\n. 0 . .\n. . 1 .\n. . . .\n"
BRIDGES = "Bridges\n. . 1 . 2\n3 . . 1 .\n. 2 . . 2\n"
ARROWS = "Yajilin\n. . .\n. 1> .\n2^ . .\n"
SUMS = "Kakuro\n# 10\\ 9\\\n\\10 . .\n\\9 . .\n"
CAGES = "KenKen\nAB\nAC\n\nA = 2-, B = 1, C = 2\n"
ENDS = "Flow\n2 . .\n. 1 .\n1 . 2\n"
ROOMS = "Suguru\nAABB\nAABB\nCCDD\nCCDD\n"
NUMBERED = "Suguru\n1 . . .\n. . . .\n. . . .\n. . . .\n\nAABB\nAABB\nCCDD\nCCDD\n"


@pytest.mark.parametrize(
    ("text", "typed"),
    [
        (AKARI, AKARI.replace("#", "x")),
        (AKARI, AKARI.replace("#", "■").replace(".", "□")),
        (AKARI, "Akari\n|.|.|1|.|\n|.|B|.|.|\n|2|.|.|0|\n"),
        (
            AKARI,
            "Akari\n|   |   | 1 |   |\n|---|---|---|---|\n|   | # |   |   |\n| 2 |   |   | 0 |\n",
        ),
        (CAMP, CAMP.replace("t ", "T ")),
        (CAMP, CAMP.replace("t ", "🌲 ")),
        (CAMP, CAMP.replace("t ", "* ")),
        (CAMP, f"Kind: {CAMP}"),
        (CAMP, CAMP.replace("top", "Columns").replace("left", "Rows")),
        (CAMP, CAMP.replace("top", "bottom").replace("left", "right")),
        (CAMP, CAMP.replace("1 1 1 1", "1111").replace("1 0 2 1", "1021")),
        (CAMP, "Tents\n  1 1 1 1\n1 . T . .\n0 . . . T\n2 T . . .\n1 . . T .\n"),
        (CAMP, "Tents\n. 1 1 1 1\n1 . T . .\n0 . . . T\n2 T . . .\n1 . . T .\n"),
        (CAMP, "Tents\n 1111\n1.T..\n0...T\n2T...\n1..T.\n"),
        (CAMP, "Tents\n,1,1,1,1\n1,,T,,\n0,,,,T\n2,T,,,\n1,,,T,\n"),
        (CAMP, "Tents\n. T . . 1\n. . . T 0\nT . . . 2\n. . T . 1\n1 1 1 1\n"),
        (FIELD, FIELD.replace(".", "#")),
        (FIELD, FIELD.replace(".", "■")),
        (TWICE, TWICE.replace("1", "A").replace("2", "B").replace("3", "c")),
        (TWICE.replace("3", "10"), TWICE.replace("3", "A")),
        (SIDES, "Slitherlink\n+ + + +\n 3   2\n+ + + +\n   1\n+ + + +\n\n+ + + +\n"),
        (SIDES, "Slitherlink\n. . . .\n 3   2\n. . . .\n   1\n. . . .\n\n. . . .\n"),
        (SIDES, "Slitherlink\n·  ·  ·  ·\n 3     2\n·  ·  ·  ·\n    1\n·  ·  ·  ·\n\n·  ·  ·  ·"),
        (PEARLS, PEARLS.upper()),
        (PEARLS, PEARLS.replace("w", "O").replace("b", "*")),
        (PEARLS, PEARLS.replace("w", "○").replace("b", "⚫\ufe0f")),
        (TAKUZU, TAKUZU.replace("0", "O").replace("1", "X")),
        (TAKUZU, TAKUZU.replace("0", "○").replace("1", "●")),
        (BRIDGES, BRIDGES.replace(".", "0")),
        (BRIDGES, BRIDGES.replace(". ", "~~ ").replace(".\n", "~~\n")),
        (BRIDGES, "Bridges\n\t\t1\t\t2\n3\t\t\t1\t\n\t2\t\t\t2\n"),
        (ARROWS, ARROWS.replace("1>", "→1").replace("2^", "↑2")),
        (ARROWS, ARROWS.replace("1>", "1R").replace("2^", "u2")),
        (SUMS, SUMS.replace("\\", "/").replace("#", "X")),
        (SUMS, SUMS.replace("\\1", "-\\1").replace(".", "0")),
        (CAGES, CAGES.replace("2-", "-2")),
        (CAGES, CAGES.replace("2-", "2 −")),
        (ENDS, ENDS.replace("1", "A").replace("2", "b")),
        (ENDS, ENDS.replace(".", "0")),
        (NUMBERED, ROOMS + "\n1...\n....\n....\n....\n"),
        (ROOMS, NUMBERED.replace("1", ".")),
        (TOWERS, TOWERS.replace("..\n..\n\n", "").replace(".", "0")),
        (TOWERS.replace("left", "right"), "Towers\n1 .\n. . . .\n. . . 2\n"),
        (HANJIE, HANJIE.replace("columns", "Cols")),
        (f"{HANJIE}1\n".replace("2;", "1 1;"), f"{HANJIE}1\n".replace("2;", "1-1;")),
    ],
)
def test_a_puzzle_may_be_typed_as_it_is_printed_elsewhere(text: str, typed: str) -> None:
    left_out = {"title", "source", "known", "name"}
    (one,), (other,) = instance.load_text(text), instance.load_text(typed)
    assert one.model_dump(exclude=left_out) == other.model_dump(exclude=left_out)


def test_a_row_that_does_not_stand_between_the_dots_is_refused() -> None:
    with pytest.raises(InputError, match="line 3 has 2 cells, but most lines have 4"):
        instance.load_text("Slitherlink\n. . . .\n3 2\n. . . .\n 1 2 3\n. . . .\n")


@pytest.mark.parametrize(
    ("rows", "sides"),
    [
        ("1 0/1 . t/0 t .", "top left"),
        ("1 0/. t 1/t . 0", "top left"),  # at the right
        (". t 1/t . 0/1 0", "top left"),
        ("1 0/1 . . 2/. . . ./. 2", "top bottom left right"),
        (". 1 2 ./1 . . 2/2 . . 1/. 2 1 .", "top bottom left right"),
        ("0 1 2 0/1 0 0 2/2 0 0 1/0 2 1 0", "top bottom left right"),
    ],
)
def test_numbers_around_a_drawing(rows: str, sides: str) -> None:
    divided = divide_rim([row.split() for row in rows.split("/")], sides.split())
    assert divided is not None and len(divided.rows) == len(divided.rows[0]) == 2


@pytest.mark.parametrize(
    ("rows", "sides"),
    [
        ("1 2/2 1", "top left"),  # too small for a grid with numbers around it
        ("1 1 2/1 3 2/3 3 2", "top left"),  # rooms
        (". 1 2/1 . ./2 . .", "top bottom left right"),  # given heights
        ("1 0/1 . 2/0 . 2", "top bottom left right"),  # at the left or at the right
        (". 1 2 ./1 . 3 2/2 . . 1/. 2 1 .", "top bottom left right"),  # given heights, too
        (". . . ./. . . ./. . . ./. . . .", "top bottom left right"),
        ("1 0/1 . t/0 t . .", "top left"),
        ("t 0/1 . t/0 t .", "top left"),
    ],
)
def test_a_drawing_without_numbers_around_it(rows: str, sides: str) -> None:
    assert divide_rim([row.split() for row in rows.split("/")], sides.split()) is None


FRAMED = """Skyscrapers 5x5
. 3 5 . . . .
. . . . . . 1
. . . . . . .
. . . . . . .
1 . . . 3 . .
. . . . . . 3
. . . 3 . . .
"""
BLANK_MARGIN = """Skyscrapers
    3 5 . . .
    . . . . . 1
    . . . . .
    . . . . .
  1 . . . 3 .
    . . . . . 3
    . . 3 . .
"""


@pytest.mark.parametrize(
    "text",
    [
        FRAMED,
        FRAMED.replace("5x5", "5 × 5 (hard)"),
        FRAMED.replace(". 3 5 . . . .", "  3 5 . . ."),
        FRAMED.replace(" 5x5\n. 3 5 . . . .", "\n+ 3 5 . . . +"),
        BLANK_MARGIN,
        BLANK_MARGIN.replace("    3 5 . . .", "    3 5"),
        BLANK_MARGIN.replace("    . . 3 . .", "        3"),
    ],
)
def test_numbers_around_given_heights(text: str) -> None:
    (puzzle,) = instance.load_text(text)
    data = puzzle.model_dump()
    assert data["heights"].splitlines() == [".....", ".....", ".....", "...3.", "....."]
    assert data["seen"] == {
        "top": "3 5 . . .",
        "bottom": ". . 3 . .",
        "left": ". . . 1 .",
        "right": "1 . . . 3",
    }


@pytest.mark.parametrize(
    "text",
    [
        "Skyscrapers\n  . . .\n  . . .\n2 . . .\n    1\n",
        "Skyscrapers\n. 4 .\n3 . . .\n. 1 . .\n. . . .\n",
        "Skyscrapers\n    4\n  . . . . 1\n  . . 1 . 4\n  . . . .\n  . . . .\n",
    ],
)
def test_two_readings_are_both_named(text: str) -> None:
    with pytest.raises(InputError, match=r"line 2: the drawing may be .* or .*; write the size"):
        instance.load_text(text)


@pytest.mark.parametrize(
    ("text", "refusal"),
    [
        (
            FRAMED.replace(" 5x5", ""),
            "line 2: the drawing may be 7x7 cells without .* or 5x5 cells",
        ),
        (FRAMED.replace("5x5", "6x6"), "the title says 6×6, but 7 rows of 7 cells were read"),
        (LITS.replace("LITS", "LITS 4x4"), "the title says 4×4, but 2 rows of 4 cells"),
        (
            HANJIE.replace("Hanjie", "Hanjie 3x3"),
            "line 2: there are 2 rows, .* says 3×3; a row is m",
        ),
        (
            HANJIE.replace("Hanjie", "Hanjie 2x1"),
            "line 4: there are 2 columns, .* a column too many",
        ),
        # a cell was left out at the end of a row, or in a corner
        (FRAMED.replace(". . . 3 . .\n", ". . . 3\n"), "line 6 has 5 cells"),
        ("Skyscrapers\n3 . .\n. 2 .\n. .\n", "line 4 has 2 cells"),
    ],
)
def test_a_drawing_of_another_size_than_stated_is_refused(text: str, refusal: str) -> None:
    with pytest.raises(InputError, match=refusal):
        instance.load_text(text)


def test_a_drawing_may_have_the_stated_size_and_no_numbers_around_it() -> None:
    (puzzle,) = instance.load_text(FRAMED.replace("5x5", "7x7"))
    assert len(puzzle.model_dump()["heights"].splitlines()) == 7
    assert instance.load_text(LITS.replace("LITS", "LITS 4x2"))
    assert instance.load_text(KAKURO.replace("Kakuro", "Kakuro 2x2"))
    assert instance.load_text(KAKURO.replace("Kakuro", "Kakuro 3x3"))


DOTS = "Shikaku\n2 . .\n. . .\n. 4 3\n"


@pytest.mark.parametrize(
    "wrong",
    [
        DOTS.replace("2 . .", "2 .  "),  # a cell that is left blank
        DOTS.replace("2 . .", "2.."),  # a row without blanks
        DOTS.replace("2 . .", "2,. ."),  # a row with another separator
        DOTS.replace("2 . .", "2,.,."),
        DOTS.replace(" ", ",").replace("2,.,.", "2,.,.,"),  # a field too many
        DOTS.replace(" ", ",").replace("2,.,.", "2,. ,.;"),
        DOTS.replace(" ", ",").replace("2,.,.", "2,. ."),  # a blank for a comma
        DOTS.replace(" ", "").replace("2..", " 2.."),  # moved to the right
        DOTS.replace(" ", "").replace("2..", "2. ."),
        DOTS.replace(" ", "").replace("...", ". ."),
        DOTS.replace("\n. 4", "\n\n. 4"),  # a blank line
        LITS.replace("AAAA", "A,A,,A").replace("BBBB", "B,B,B,B"),  # a missing letter
        LITS.replace("AAAA", "A,A,A,A.").replace("BBBB", "B,B,B,B"),
    ],
)
def test_a_damaged_drawing_is_refused_with_its_line(wrong: str) -> None:
    assert instance.load_text(DOTS) and instance.load_text(LITS)
    with pytest.raises(InputError, match=r"^the text: (line [2345]\b|r1c4 is 'A\.')"):
        instance.load_text(wrong)


@pytest.mark.parametrize("text", [KAKURO, LITS, HANJIE, DOTS, FRAMED])
def test_words_between_the_kind_and_the_drawing_are_no_drawing(text: str) -> None:
    titled = text.replace("\n", "\nMonday, medium\n\n", 1)
    assert instance.load_text(titled)[0].model_dump() == instance.load_text(text)[0].model_dump()


def test_words_beside_the_drawing_are_named() -> None:
    with pytest.raises(
        InputError, match="line 2: 'Monday, medium' is no row of the drawing; leave"
    ):
        instance.load_text(DOTS.replace("\n", "\nMonday, medium\n", 1))
    # A row with a blank may be one of which a cell was forgotten.
    with pytest.raises(InputError, match="line 4: a second drawing begins here"):
        instance.load_text("LITS\nAA BCCD\n\nAABBCCDD\nAABBCCDD\n")


def test_two_lists_without_headings() -> None:
    with pytest.raises(
        InputError, match=r"line 3: there are two lists .* rows: above the one, and c"
    ):
        instance.load_text("Nonogram\n\n2\n1\n\n2\n1\n")


@pytest.mark.parametrize(
    ("text", "refusal"),
    [
        (
            "Slitherlink\n1 1 . .\n2 . 2 . .\n. . . 1 .\n",
            "line 2 has 4 cells, but most lines have 5",
        ),
        ("Slitherlink\n1 1 . .\n2 . 2 . .\n", "line 3 has 5 cells, but line 2 has 4"),
        (
            "Tents\n  1 0 1\n1 . T .\n1 T .\n0 . . .\n1 . T .\n",
            "line 4 has 3 cells, but most lines have 4",
        ),
        (
            "Towers\n  3 1 .\n. . . . .\n. . . . . .\n1 . . . .\n  . 2 .\n",
            "line 4 has 6 cells, but most",
        ),
    ],
)
def test_the_line_of_another_length_than_most_is_named(text: str, refusal: str) -> None:
    with pytest.raises(InputError, match=refusal):
        instance.load_text(text)


FILLED = {
    "nonogram-heart": ".#.#.\n#####\n.....\n.....\n.....\n",
    "killer-sudoku-6": "Killer\n......\n3.....\n......\n......\n......\n......\n",
    "kakuro-5": "# # # # # #\n# 4 6 # 5 9\n# 9 5 # . .\n# # . . . #\n# . . . . .\n# . . # . .\n",
}


@pytest.mark.parametrize(
    ("name", "number"), [("nonogram-heart", 7), ("killer-sudoku-6", 1), ("kakuro-5", 6)]
)
def test_what_is_filled_in_is_given_as_a_drawing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str, number: int
) -> None:
    file = tmp_path / "filled.txt"
    file.write_text(FILLED[name])
    assert len(read_placements(instance.load(name), str(file))) == number
    assert jigsat(capsys, "hint", name, "--given", file).status == 0


@pytest.mark.parametrize(
    ("drawing", "refusal"),
    [
        (".#.#.\n#####\n", "2 rows of 5 cells, but the grid has 5×5 cells"),
        (FILLED["nonogram-heart"].replace("#", "o", 1), "line 1: r1c2 is 'o'; write #, or . for"),
        (
            FILLED["nonogram-heart"].replace(".#", "#", 1),
            "line 1 has 4 cells, but most lines have 5",
        ),
        ("Nonogram\n", "there is no drawing; write a line for each row of the grid"),
    ],
)
def test_a_wrong_drawing_of_what_is_filled_in(tmp_path: Path, drawing: str, refusal: str) -> None:
    file = tmp_path / "filled.txt"
    file.write_text(drawing)
    with pytest.raises(InputError, match=re.escape(refusal)):
        read_placements(instance.load("nonogram-heart"), str(file))


TENTS = "Tents\n.t..\n...t\nt...\n..t.\n\ntop: . 1 . .\n"


@pytest.mark.parametrize("title", ["Puzzle 17", "No. 3: camping", "1"])
def test_a_title_above_the_kind_is_skipped(tmp_path: Path, title: str) -> None:
    file = tmp_path / "tents.txt"
    file.write_text(f"{title}\n{TENTS}")
    typed = instance.load(file)
    file.write_text(TENTS)
    assert typed.model_dump() == instance.load(file).model_dump()


def test_a_fault_below_a_title_is_in_its_own_line(tmp_path: Path) -> None:
    file = tmp_path / "tents.txt"
    file.write_text(f"Puzzle 17\n{TENTS.replace('t...', 't..')}")
    with pytest.raises(
        InputError, match=r"line 5 has 3 cells, but most lines have 4; draw \. where"
    ):
        instance.load(file)
    file.write_text("Puzzle 17\nTents\n t  \n   t\nt   \n  t \n")
    with pytest.raises(InputError, match=r"line 4.*draw \. where a cell is empty"):
        instance.load(file)
