"""Lists of guests and pieces as spreadsheets write them, and formats that are named instead of
read."""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import Any

import pytest
from jigsat.encodings.edge_matching.rules import EdgeMatching
from jigsat.encodings.seating.rules import Seating

from jigsat import instance
from jigsat.errors import InputError, InstanceWarning

GUESTS = "guest,groups,tables,beside\nAnn,family,round 4,Ben; Cleo\nBen,,,\nCleo,,,\nDan,,,\n"
SEMICOLONS = GUESTS.replace(",", ";").replace("Ben; Cleo", '"Ben; Cleo"')


def load(text: str) -> Any:
    return instance.load(text)


@pytest.mark.parametrize(
    "text",
    [
        GUESTS.replace("guest,groups,tables,beside", "Guest,Groups,TABLES, Beside"),
        GUESTS.replace(",", "\t"),
        SEMICOLONS,
        "\ufeff" + GUESTS,
        "sep=,\n" + GUESTS,
        '\ufeff"sep=;"\r\n' + SEMICOLONS.replace("\n", "\r\n"),
        "SEP=|\n" + GUESTS.replace(",", "|"),
    ],
)
def test_separators_and_capitals_of_a_guest_list(text: str) -> None:
    assert load(text).digest() == load(GUESTS).digest()


def test_other_columns_are_left_out_with_a_warning() -> None:
    text = GUESTS.replace("\n", ",vegan\n").replace("beside,vegan", "beside,Diet")
    with pytest.warns(InstanceWarning, match="other columns, which are left out: 'Diet'"):
        assert load(text).digest() == load(GUESTS).digest()


@pytest.mark.parametrize(
    "text",
    [
        "guest,diet,tables\nAnn,vegan,\n",
        'guest,diet,tables\nAnn,"vegan" x,round 2\n',
        "guest,diet,tables\nAnn,,round 2\nBen,,\nCleo,,\n",
    ],
)
def test_a_guest_list_that_is_refused_has_no_warning(text: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(InputError):
            load(text)


def test_without_tables_all_sit_at_one_round_table() -> None:
    with pytest.warns(InstanceWarning, match="all 3 guests sit at one round table"):
        puzzle = load("Guest;Groups\nAnn;family\nBen;\nCleo;\n")
    assert isinstance(puzzle, Seating)
    by_hand = {"family": "seating", "tables": ["round 3"]}
    guests = {"Ann": ["family"], "Ben": [], "Cleo": []}
    assert puzzle.digest() == instance.load({**by_hand, "guests": guests}).digest()


PIECES = "2,2\n0,1,2,0\n0,0,3,1\n2,4,0,0\n3,0,0,4\n"
ROWS = [row.split(",") for row in PIECES.splitlines()[1:]]


@pytest.mark.parametrize(
    "text",
    [
        "up,right,down,left\n" + PIECES[4:],
        "Piece;N;E;S;W\n" + "".join(f"{i};{';'.join(row)}\n" for i, row in enumerate(ROWS, 1)),
        "top bottom left right\n"
        + "".join(f"{row[0]} {row[2]} {row[3]} {row[1]}\n" for row in ROWS),
        "".join(f"{i}: {' '.join(row)}\n" for i, row in enumerate(ROWS, 1)),
        "2 2\n" + "".join(f"{i}. {' '.join(row)}\n" for i, row in enumerate(ROWS, 1)),
    ],
)
def test_headers_and_numbers_of_a_list_of_pieces(text: str) -> None:
    puzzle = load(text)
    assert isinstance(puzzle, EdgeMatching)
    assert puzzle.digest() == load(PIECES).digest()


def test_pieces_keep_their_numbers() -> None:
    puzzle = load("".join(f"{i} {' '.join(row)}\n" for i, row in enumerate(ROWS)))
    assert list(puzzle.tiles) == ["0", "1", "2", "3"]


@pytest.mark.parametrize(
    ("name", "data", "complaint"),
    [
        ("a.csv", b"guest,table\nAnn,top\n", "tables: no column `tables`; add one"),
        ("a.csv", b"guest,tables,group\nAnn,round 1,\n", "unknown column 'group'; did you mean"),
        ("a.csv", b"sep=;\nguest;tables\nAnn;round 2\nAnn;\n", "row 4: 'Ann' is given twice"),
        ("a.csv", b"guest,Guest,tables\nAnn,Ann,\n", "row 1: a column is named twice"),
        ("a.csv", b"a,b,c,d\n0,1,2,0\n0,0,3,1\n", "name them up, right, down, left"),
        ("a.dlx", b"2:3|a b\na\nb\n", "'2:3|a': Knuth's format with multiplicities"),
        ("a.dlx", b"a b c\na b|5\nc|2\n", "'b|5': Knuth's format with costs"),
        ("a.dlx", b"a b c\na b |5\nc |2\n", "'|5': Knuth's format with costs"),
        ("a.dlx", b"| x\na b c d\na b\nc e\nc d\n", "line 4: unknown item 'e'; the items are in"),
        ("a.txt", b"a b c d\n\na b\nc e\nc d\n", "line 4: unknown item 'e'; the items are in"),
        ("a.txt", b"a b c d\na b\nc d d\n", "line 3: the item 'd' is given twice"),
        ("a.txt", b"a b | c a\na b\nc\n", "line 1: the item 'a' is given twice"),
        ("a.txt", b"a b | c | d\na b\nc\n", "line 1: several '|'; one stands before the"),
        ("a.csv", b"guest,tables\nAnn,round 2\n\nBen,square\n", "row 4: "),
        ("a.csv", b"sep=;\nguest;tables\nAnn;top: rond 2\n", "row 3: unknown table 'rond 2'"),
        ("a.csv", b"guest,tables\nA,a: round 2\nB,a: round 3\n", "row 3: the table 'a' is given"),
        ("a.txt", b"12..\n34..\n\x00...\n..1.\n", "line 3, character 1 is '\\x00'; remove it"),
        ("a.txt", "12..\n3٤..\n....\n..1.\n".encode(), "line 2, character 2 is '٤'; write"),
        ("a.txt", b"0 1 1\n1 0 0\n", "a matrix of 0 and 1, which is not read"),
        ("a.txt", b"0110\n1001\n", "a matrix of 0 and 1, which is not read"),
        ("a.puz", b"\x12\x34ACROSS&DOWN\x00\xff", "crossword of Across Lite (.puz)"),
        ("a.txt", b"\x12\x34ACROSS&DOWN\x00\xff", "crossword of Across Lite (.puz)"),
        ("a.qdimacs", b"c x\np cnf 2 1\na 1 0\ne 2 0\n1 2 0\n", "a quantified formula (QDIMACS)"),
        ("a.txt", b"p inccnf\n1 2 0\na 1 0\n", "in an extension of DIMACS"),
        ("a.txt", b"p knf 3 1\nk 2 1 2 3 0\n", "in an extension of DIMACS"),
        ("a.aag", b"aag 3 2 0 1 1\n2\n4\n6\n6 2 4\n", "a circuit in the format AIGER"),
        ("a.txt", b"Minimize\n obj: x1\nSubject To\n c1: x1 >= 1\nEnd\n", "a linear program"),
        ("a.wbo", b"* #variable= 1 #constraint= 1 #soft= 1\n[2] +1 x1 >= 1 ;\n", "(WBO)"),
        ("a.jpz", b"PK\x03\x04\xff\xff", "an archive or a document"),
        ("a.txt", b"c x\np cnf 1 1\n1 0\n", "a formula in DIMACS, which `jigsat count`"),
        ("a.txt", b"%PDF-1.4\n\xff", "a PDF"),
        ("a.txt", b"<!DOCTYPE html><p>", "a web page"),
        ("a.json", b'{"a": 1}', "JSON in no format that is read"),
        ("a.ipuz", b"Across", "not in the format ipuz of the family crossword"),
        ("a.sdk", b"hello", "not in the format sdk of the family sudoku"),
        ("a.xmpuzzle", b"hello", "not in the format xmpuzzle of the family tiling"),
        ("a.xlsx", b"hello", "its name says that it is an archive"),
        ("a.toml", b"hello", "not valid TOML: "),
        ("a.txt", b"hello", "not valid TOML, nor a text format of a family"),
    ],
)
def test_what_a_file_is_that_cannot_be_read(
    name: str, data: bytes, complaint: str, tmp_path: Path
) -> None:
    (tmp_path / name).write_bytes(data)
    with pytest.raises(InputError) as caught:
        instance.load(tmp_path / name)
    message = str(caught.value)
    assert message.startswith(f"{tmp_path / name}: ") and "\n" not in message
    assert complaint in message
    assert ("TOML" in message) == ("TOML" in complaint)


FRAMED = "0 10 11 0\n0 0 12 10\n11 13 0 0\n12 0 0 13\n"


def test_the_row_of_a_wrong_name_in_a_guest_list_is_named() -> None:
    for name, complaint in [
        ("Zoe", "row 2: 'Zoe' is neither a guest nor a group"),
        ("Ann", "row 2: a name is given twice"),
    ]:
        with pytest.raises(InputError, match=complaint):
            load(GUESTS.replace("Ben; Cleo", name))


def test_pieces_may_be_numbered_in_any_order() -> None:
    lines = FRAMED.splitlines()
    numbered = "".join(f"{i} {lines[i - 1]}\n" for i in (2, 4, 1, 3))
    puzzle = load(numbered)
    assert {name: tile.sides for name, tile in puzzle.tiles.items()} == {
        str(i): tuple(line.split()) for i, line in enumerate(lines, 1)
    }


def test_comments_after_a_piece_are_left_out() -> None:
    text = FRAMED.replace("12 0 0 13", "12 0 0 13 # the last one")
    assert load(text).digest() == load(FRAMED).digest()


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        (FRAMED.replace("0 0 12 10", "0 0 12"), "line 2: 3 numbers, but the other pieces have 4"),
        (FRAMED.replace("0 0 12 10", "0 0 12 -10"), "line 2: -10 is no label"),
        ("2 2\n" + FRAMED.replace("12 10", "12 1000"), "line 3: 1000 is no label"),
        (FRAMED + FRAMED.replace("0 0 12 10", "0 0 1-2 10"), "line 6: 1-2 is no label"),
        (FRAMED + FRAMED.replace("0 0 12 10", "0 0 é12 10"), "line 6: é12 is no label"),
        (FRAMED.replace("0 0 12 10", "0 0 12 1.5"), "line 2: 1.5 is no label"),
        ("2 2\n0 1 2 0\n0 0 -3 1\n2 3 0 0\n3 0 0 2\n", "line 3: -3 is no label"),
        ("1 0 1 2 0\n2 0 0 3 1\n4 2 3 0 0\n5 3 0 0 2\n", "line 4: the number 5; 4 pieces are"),
        ("1: 0 10 2 0\n7: 0 0 3 10\n2: 2 3 0 0\n", "line 2: the number 7:; 3 pieces are"),
        ("1 0 10 1 0\n2 0 0 1 10\n2 1 1 0 0\n4 1 0 0 1\n", "line 3: the number 2 is given twice"),
    ],
)
def test_a_faulty_line_of_a_list_of_pieces_is_named(text: str, complaint: str) -> None:
    with pytest.raises(InputError, match=complaint):
        load(text)
