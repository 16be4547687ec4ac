"""Links of puzz.link: samples with the puzzles that they hold, a decoder that shares nothing with
jigsat's, random puzzles of every kind, and wrong links."""

import re
from pathlib import Path
from random import Random
from typing import Any

import pytest
from jigsat.encodings import nonogram
from support import plain_links
from support.quick import cases

import jigsat
from jigsat import instance
from jigsat.errors import InputError
from jigsat.kit import Grid, GridPuzzle, Rooms, walks
from jigsat.links import is_link
from jigsat.puzzle import write_links

SAMPLES = {
    "slither/5/5/cbcbcddad": {"numbers": "2..1.\n.2..1\n..2..\n3..3.\n.0..3"},
    "mashu/6/6/1063000i3000": {
        "pearls": "..w...\n.b..w.\n......\n...b..\n.w....\n......",
    },
    "nurikabe/5/5/g5k2o1k3g": {"numbers": ".5...\n..2..\n.....\n..1..\n...3."},
    "akari/6/6/nekcakbl": {"cells": "......\n..4...\n....2.\n.0....\n...1..\n......"},
    "hitori/4/4/1114142333214213": {"numbers": "1114\n1423\n3321\n4213"},
    "kakuro/5/5/48la0.na0lh3l0Bn.0cl.c4a3": {
        "sums": "\\ \\ 12\\ 4\\ \\ \\\n\\ 4\\8 . . 10\\ \\\n\\10 . . . . 10\\\n"
        "\\3 . . 17\\3 . .\n\\ \\21 . . . .\n\\ \\ \\12 . . \\"
    },
    "shikaku/6/6/j3g56h6t6h23g5j": {"numbers": "....3.\n56..6.\n......\n......\n.6..23\n.5...."},
    "skyscrapers/4/4/k13h4j3g": {
        "heights": "....\n....\n....\n....",
        "seen": {"left": ". 4", "right": ". . 3", "bottom": ". 1 3"},
    },
    "yajilin/5/5/m32j10": {
        "arrows": ". . . . .\n. . . . .\n. . . 2< .\n. . . . .\n. . . . 0^",
    },
    "nonogram/6/6/12g1111h11112j12g11g21j11g3h": {
        "lengths": {
            "rows": ["2 1", "1 1", "1 2", "0", "1 1", "3"],
            "columns": ["2 1", "1 1 1", "1", "1 1 1", "2 1", "0"],
        }
    },
    "starbattle/6/6/1/4ilbhgdnmhou": {
        "rooms": "AAABBB\nABBBCC\nADDEEC\nFFDDEC\nFEEEEC\nFCCCCC",
        "stars": 1,
    },
    "fillomino/6/6/h4j53g2k5233k2g14j3h": {
        "numbers": "..4...\n.53.2.\n....52\n33....\n.2.14.\n...3.."
    },
    "gokigen/4/4/iaegcgcj6a": {"numbers": "...0.\n.4...\n2...2\n.....\n.1.0."},
    "heyawake/6/6/lll155007rs12222j": {
        "rooms": {
            "cells": "ABBCCD\nABBCCD\nABBCCD\nEEEEED\nFFFGGD\nFFFGGH",
            "numbers": {"A": 2, "B": 2, "C": 2, "D": 2},
        }
    },
    "kurodoko/5/5/i7g5l2l2g4i": {"numbers": "...7.\n5....\n..2..\n....2\n.4..."},
    "mines/5/5/g2m13l13g0j": {"numbers": ".2...\n....1\n3....\n..13.\n0...."},
    "yinyang/5/5/016612300": {"circles": ".....\nw.b..\nb...w\n..b.w\n....."},
    "tentaisho/5/5/6fl94fi65en8dbf": {
        "centres": "o...*....\n.........\n*....o..*\n.........\n.o...*..o\n.........\n......o..\n"
        "..*......\n*.....*.."
    },
    "hashi/5/5/4g2i3h23k3g1g3g4g3": {"islands": "4.2..\n.3..2\n3....\n.3.1.\n3.4.3"},
    "numlin/5/5/1j2h3m1h2j3": {"ends": "1....\n2..3.\n.....\n.1..2\n....3"},
    "magnets/5/4/i1h2g1g21g11g2glrtgfjc": {
        "plates": "ABBCC\nADEFF\nGDEHI\nGJJHI",
        "numbers": {"top": ". 1", "left": "1 1", "bottom": ". . . 2 1", "right": "2 . 1 2"},
    },
    "norinori/5/5/cag4ocjo": {"rooms": "AABCC\nBBBCC\nBDDCC\nDDDDD\nEEDDD"},
    "lits/4/4/9q02jg": {"rooms": "AABB\nAABC\nABBC\nCCCC"},
    "ripple/4/4/9n8rigk14h32k": {
        "given": "....\n.14.\n.32.\n....",
        "rooms": "AABB\nCCBD\nEEBD\nFEED",
    },
    "tents/5/5/2g0h1i1j82323": {
        "trees": "..t..\n.....\n.t..t\n...t.\n.t...",
        "numbers": {"top": "2 . 0", "left": "1 . . . 1"},
    },
    "sudoku/4/4/g1k23k3g": {"grid": [".1..", "...2", "3...", "..3."]},
}
"""Links that the site itself makes, and what they hold."""

IDENTITY = next(iter(Grid(2, 2).motions()))
FAMILIES = sorted(kind.family for kind in instance.every_family() if kind.link is not None)


@pytest.mark.parametrize("sample", SAMPLES)
def test_read(sample: str) -> None:
    puzzle = jigsat.load(f"https://puzz.link/p?{sample}")
    expected = instance.parse(
        {"family": puzzle.family, **SAMPLES[sample]}, name=puzzle.name, origin="the sample"
    )
    assert puzzle == expected
    assert write_links([puzzle]) == f"https://puzz.link/p?{sample}\n"


def test_every_kind_has_a_sample() -> None:
    assert sorted(jigsat.load(f"?{sample}").family for sample in SAMPLES) == FAMILIES


# -- ten random puzzles of each kind

NUMBERS = ["1", "7", "15", "16", "255", "256", "4095", "4096", "9000", "20000", "80000", "?"]
DRAWN: dict[str, tuple[str, list[str], int]] = {
    "slitherlink": ("numbers", list("0123????...."), 0),
    "masyu": ("pearls", list("wb...."), 0),
    "nurikabe": ("numbers", [*NUMBERS, *(12 * ".")], 0),
    "akari": ("cells", list("01234##......"), 0),
    "shikaku": ("numbers", [*NUMBERS, *(40 * ".")], 0),
    "slant": ("numbers", list("01234??......."), 1),
    "hitori": ("numbers", ["1", "9", "10", "35", "36", "40"], 0),
    "yajilin": ("arrows", ["0^", "1>", "?v", "15<", "16^", "255>", "256v", *(14 * ".")], 0),
    "kuromasu": ("numbers", ["2", "7", "16", "40", "?", *(20 * ".")], 0),
    "minesweeper": ("numbers", list("012345678?????.........."), 0),
    "yin-yang": ("circles", list("wb...."), 0),
    "hashi": ("islands", list("12345678?........"), 0),
    "fillomino": ("numbers", ["1", "2", "16", *(5 * ".")], 0),
}
"""The entry of a kind, the words in it, and how many more rows than cells it has."""


def draw_words(words: list[str], height: int, width: int, rng: Random) -> str:
    rows = [" ".join(rng.choices(words, k=width)) for _ in range(height)]
    return "\n".join(rows)


def draw_entries(family: str, rng: Random) -> dict[str, Any]:
    """Random entries, of a puzzle that may have no solution."""
    height, width = rng.randint(4, 9), rng.randint(4, 9)
    if family in DRAWN:
        entry, words, more = DRAWN[family]
        return {entry: draw_words(words, height + more, width + more, rng)}
    if family == "sudoku":
        return {"grid": draw_words(list("12345678" + 16 * "."), 9, 9, rng).replace(" ", "")}
    if family == "skyscrapers":
        sides = ("top", "bottom", "left", "right")
        seen = {side: draw_words(list("1234?...."), 1, width, rng) for side in sides}
        return {"heights": draw_words(list("1234....."), width, width, rng), "seen": seen}
    if family == "nonogram":
        shaded = {cell for cell in walks.rectangle(height, width) if rng.random() < 0.6}
        lengths = nonogram.clues_of(height, width, shaded)
        lines = {}
        for way, number in (("row", height), ("column", width)):
            lines[f"{way}s"] = [list(lengths[way, i]) for i in range(number)]
        return {"lengths": lines}
    kind = instance.family(family)
    assert issubclass(kind, GridPuzzle)
    if family == "magnets":
        height += height % 2  # no cell is black
    entries = kind.propose(height, height, rng) or kind.blank(height, height, rng)
    assert entries is not None
    if family == "heyawake":
        cells = Rooms.read(entries["rooms"])
        names = rng.sample(sorted(cells.cells), len(cells.cells) // 2)
        return {"rooms": cells.with_values({name: rng.randint(0, 20) for name in names}).write()}
    if family == "magnets":
        sides = ("top", "bottom", "left", "right")
        return {**entries, "numbers": {x: draw_words(NUMBERS, 1, height, rng) for x in sides}}
    if family == "ripple-effect":
        return {**entries, "given": draw_words(["1", "?", ".", "."], height, height, rng)}
    return dict(entries)


@pytest.mark.parametrize("family", FAMILIES)
def test_ten_random_puzzles(family: str) -> None:
    rng = Random(family)
    for _ in range(10):
        data = {"family": family, **draw_entries(family, rng)}
        puzzle = instance.parse(data, name="random", origin="the test")
        link = write_links([puzzle]).strip()
        again = jigsat.load(link)
        assert write_links([again]).strip() == link
        entries, expected = instance.entries(again), instance.entries(puzzle)
        for entry in {"rooms", "plates"} & expected.keys():  # their names mean nothing
            rooms = [getattr(each, entry) for each in (again, puzzle)]
            assert rooms[0].meaning(IDENTITY) == rooms[1].meaning(IDENTITY)
            del entries[entry], expected[entry]
        assert entries == expected, link
        assert plain_links.decode(link) == plain_links.list_words(puzzle), link


# -- addresses

LINK = "https://puzz.link/p?slither/5/5/cbcbcddad"


@pytest.mark.parametrize(
    "address",
    [
        "http://puzz.link/p?slither/5/5/cbcbcddad",
        "puzz.link/p.html?slither/5/5/cbcbcddad/",
        "https://pzv.jp/p.html?slither/5/5/cbcbcddad",
        "https://pzprxs.vercel.app/p?slither/5/5/cbcbcddad",
        "https://pzplus.tck.mn/p?slither/5/5/cbcbcddad",
        "https://puzz.link/p?type=player&slither/5/5/cbcbcddad",
        "https://puzz.link/p?slither_edit/5/5/cbcbcddad",
        "?slither/5/5/cbcbcddad",
        f"  {LINK}\n",
    ],
)
def test_addresses(address: str) -> None:
    assert is_link(address)
    assert instance.entries(jigsat.load(address)) == instance.entries(jigsat.load(LINK))


@pytest.mark.parametrize(
    ("link", "message"),
    [
        ("https://puzz.link/p?slither/5/5/cbcbxzcddad", "character 37 is 'x'; expected at most"),
        ("https://puzz.link/p?slither/5/5/cbcb", "it ends after character 36; expected 0 to 9"),
        ("https://puzz.link/p?slither/5/5/cbcbcddad0", "character 42 is '0'; expected the end"),
        ("https://puzz.link/p?slither/5/5/cbcAcddad", "character 36 is 'A'; expected 0 to 9"),
        ("https://puzz.link/p?slither/f/5/5/cbcbcddad", "character 29: the flag 'f'"),
        ("https://puzz.link/p?slither/v:x/5/5/cbcbcddad", "character 29 is 'v'; expected the numb"),
        ("https://puzz.link/p?slither/0/5/", "character 29 is '0'; expected a number of columns"),
        ("https://puzz.link/p?slither/5/x/", "character 31 is 'x'; expected the number of rows"),
        ("https://puzz.link/p?slithr/5/5/", "character 21: unknown type 'slithr'; did you mean"),
        ("https://puzz.link/p", "it ends after character 19; expected ?"),
        ("https://example.org/p?slither/5/5/", "character 9: example.org is no site"),
        ("https://puzz.link/p?yajilin/5/5/m02j10", "character 34 is '0'; expected a direction"),
        ("https://puzz.link/p?fillomino/2/2/j8000", "expected the end; borders"),
        ("https://puzz.link/p?tentaisho/5/5/6fl94fi65en8dbf10000", "the end, because every cell"),
        ("https://puzz.link/p?numlin/2/2/1g.1", "r2c1 is '?'; write the number of a line"),
        ("https://puzz.link/p?numlin/2/2/1g12", "2 is there once; write each number twice"),
        ("https://puzz.link/p?sudoku/4/4/.1k23k3g", "character 32 is '.'; expected a number"),
        ("https://swaroopg92.github.io/penpa-edit/#m=edit&p=7V", "one of Penpa+, which is not"),
        ("https://www.f-puzzles.com/?load=N4Ig", "one of f-puzzles, which is not read; write"),
        ("https://sudokupad.app/abc", "one of SudokuPad, which is not read; write the grid"),
        ("https://tinyurl.com/abc", "nothing is fetched"),
    ],
)
def test_wrong_links(link: str, message: str) -> None:
    with pytest.raises(InputError, match=re.escape(message)) as caught:
        jigsat.load(link)
    assert "\n" not in str(caught.value)
    assert str(caught.value).startswith("the link: ")


@pytest.mark.parametrize("sample", SAMPLES)
def test_damaged_links(sample: str) -> None:
    """A damaged link is refused with the place, or holds another puzzle."""
    rng = Random(sample)
    link = f"https://puzz.link/p?{sample}"
    for _ in range(cases(80)):
        place = rng.randrange(len(link))
        other = rng.choice("0159afghkz./-+=@*$%?&:_ABZ~é")
        damaged = link[:place] + rng.choice((other, "", link[place] + other)) + link[place + 1 :]
        if not is_link(damaged):
            continue
        try:
            jigsat.load(damaged)
        except InputError as error:
            assert str(error).startswith("the link: ")
            assert "\n" not in str(error)


# -- what a link cannot express


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ({"family": "slitherlink", "numbers": "5."}, "numbers: the number 5"),
        ({"family": "sudoku", "grid": 9 * ["........."], "diagonals": True}, "diagonals: this"),
        ({"family": "numberlink", "ends": "1.1", "all_cells": True}, "all_cells: this entry"),
        ({"family": "star-battle", "rooms": "A.\nAB"}, "rooms: a cell in no room"),
        (
            {"family": "nonogram", "lengths": {"rows": ["?"], "columns": ["1"]}},
            "lengths: the unknown list 1 of the rows",
        ),
    ],
)
def test_not_written(data: dict[str, Any], message: str) -> None:
    puzzle = instance.parse(data, name="mine", origin="the test")
    with pytest.raises(InputError, match=f"mine: {message}"):
        write_links([puzzle])


def test_a_grid_that_is_one_cell_wide() -> None:
    data = {"family": "nurikabe", "numbers": "12,\n.,\n3,"}
    puzzle = instance.parse(data, name="mine", origin="the test")
    assert puzzle.grid.width == 1  # type: ignore[attr-defined]
    (link,) = write_links([puzzle]).splitlines()
    assert instance.entries(jigsat.load(link)) == instance.entries(puzzle)


def test_python(tmp_path: Path) -> None:
    jigsat.import_file(LINK, tmp_path / "mine.toml")
    jigsat.export(tmp_path / "mine.toml", tmp_path / "link.txt", format="puzz.link")
    assert (tmp_path / "link.txt").read_text() == f"{LINK}\n"
    assert jigsat.count(tmp_path / "link.txt").solutions == 1


# -- drawn grids

DRAWN_ROWS = "2..1.\n.2..1\n..2..\n3..3.\n.0..3"


@pytest.mark.parametrize(
    "text",
    [
        DRAWN_ROWS,
        DRAWN_ROWS.replace(".", "-"),
        "2 . . 1 .\n. 2 . . 1\n. . 2 . .\n3 . . 3 .\n. 0 . . 3\n",
        "2\t\t\t1\t\r\n\t2\t\t\t1\r\n\t\t2\t\t\r\n3\t\t\t3\r\n\t0\t\t\t3\r\n",
        "2,,,1,\n,2,,,1\n,,2,,\n3,,,3,\n,0,,,3",
        "2;.;.;1;.\n.;2;.;.;1\n.;.;2;.;.\n3;.;.;3;.\n.;0;.;.;3",
        "+-----+\n2  1\n 2  1\n  2\n3  3\n 0  3\n+-----+",
    ],
)
def test_drawn_grids(text: str, tmp_path: Path) -> None:
    (tmp_path / "pasted.txt").write_text(text)
    (puzzle,) = jigsat.import_file(
        tmp_path / "pasted.txt", tmp_path / "new.toml", family="slitherlink"
    )
    assert instance.entries(puzzle)["numbers"] == DRAWN_ROWS
    assert jigsat.load(tmp_path / "new.toml") == puzzle.model_copy(update={"name": "new"})


@pytest.mark.parametrize(
    ("family", "message"),
    [
        ("masyu", "r1c1 is '2'; write one of w, b, or ."),
        ("nonogram", "the family nonogram reads no grid that is drawn like this"),
        ("slither", "unknown family 'slither'; did you mean 'slitherlink'?"),
    ],
)
def test_wrong_drawn_grids(family: str, message: str, tmp_path: Path) -> None:
    (tmp_path / "pasted.txt").write_text(DRAWN_ROWS)
    with pytest.raises(InputError, match=re.escape(message)):
        jigsat.import_file(tmp_path / "pasted.txt", tmp_path / "new.toml", family=family)


@pytest.mark.parametrize("text", [DRAWN_ROWS, "3#.\n..1\n#.."])
def test_kinds_of_a_drawn_grid_are_listed(text: str, tmp_path: Path) -> None:
    (tmp_path / "pasted.txt").write_text(text)
    with pytest.raises(InputError, match=r"a grid like this fits .*akari") as caught:
        jigsat.load(tmp_path / "pasted.txt")
    assert ("slitherlink" in str(caught.value)) == (text == DRAWN_ROWS)
    assert "--family akari" in str(caught.value)


def test_prose_is_no_drawn_grid(tmp_path: Path) -> None:
    file = tmp_path / "poem.txt"
    for text in ("Roses are red\nViolets are blue\n", "Roses are red,\nViolets are blue.\n"):
        file.write_text(text)
        with pytest.raises(InputError, match="r1c1 is 'Roses") as named:
            jigsat.import_file(file, tmp_path / "new.toml", family="aquarium")
        assert "name a tank by a letter or a number" in str(named.value)
        with pytest.raises(InputError) as caught:
            jigsat.load(file)
        assert "a grid like this" not in str(caught.value)


@pytest.mark.parametrize("text", ["2..1.\n.2..1\n.2.\n3..3.\n", "1\n22\n333\n"])
def test_a_row_of_another_length_is_refused(text: str, tmp_path: Path) -> None:
    file = tmp_path / "short.txt"
    file.write_text(text)
    with pytest.raises(InputError, match=r"row \d has \d cells, and row 1 has \d; draw \. where"):
        jigsat.import_file(file, tmp_path / "new.toml", family="slitherlink")
    assert not (tmp_path / "new.toml").exists()


def test_the_rooms_of_a_drawn_grid_are_connected(tmp_path: Path) -> None:
    file = tmp_path / "rooms.txt"
    file.write_text("AAB\nCBB\nCCA\n")
    for family, noun in (("aquarium", "tank"), ("heyawake", "room"), ("killer-sudoku", "cage")):
        message = f"rooms.txt: the {noun} A is in 2 parts, at r1c1 and r3c3"
        with pytest.raises(InputError, match=message):
            jigsat.import_file(file, tmp_path / "new.toml", family=family)


def test_a_list_with_a_wrong_line_is_no_drawn_grid(tmp_path: Path) -> None:
    file = tmp_path / "list.txt"
    puzzle = "4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......"
    for wrong in (puzzle[:-1], puzzle + ".", puzzle[:-1] + "X"):
        file.write_text(f"{puzzle}\n{wrong}\n{puzzle}\n")
        with pytest.raises(InputError, match=r"list.txt: .*2: grid") as caught:
            jigsat.load_all(file)
        assert "a grid like this" not in str(caught.value)
