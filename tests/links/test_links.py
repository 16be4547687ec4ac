"""Links of puzz.link: samples with the puzzles that they hold, a decoder that shares nothing with
jigsat's, random puzzles of every kind, and wrong links."""

import re
from pathlib import Path
from random import Random
from typing import Any

import pytest
from support.kind_files import LINKED_KINDS, load_kind, name_file
from support.quick import cases

import jigsat
from jigsat import instance
from jigsat.errors import InputError
from jigsat.kit import Grid, Rooms
from jigsat.links import is_link
from jigsat.puzzle import write_links

SAMPLES = {
    sample: entries
    for kind in LINKED_KINDS
    if name_file(kind).exists()
    for sample, entries in getattr(load_kind(kind), "LINKS", {}).items()
}
"""Links that the site itself makes, and what they hold."""

IDENTITY = next(iter(Grid(2, 2).motions()))


@pytest.mark.parametrize("sample", SAMPLES)
def test_read(sample: str) -> None:
    puzzle = jigsat.load(f"https://puzz.link/p?{sample}")
    expected = instance.parse(
        {"family": puzzle.family, **SAMPLES[sample]}, name=puzzle.name, origin="the sample"
    )
    assert puzzle == expected
    assert write_links([puzzle]) == f"https://puzz.link/p?{sample}\n"


# -- ten random puzzles of each kind


@pytest.mark.parametrize("kind", LINKED_KINDS)
def test_every_kind_has_a_sample(kind: str) -> None:
    file = name_file(kind)
    for name in ("LINKS", "decode_link", "list_words", "draw_linked"):
        assert hasattr(load_kind(kind), name), f"tests/support/kinds/{file.name} needs {name}"
    assert {jigsat.load(f"?{sample}").family for sample in load_kind(kind).LINKS} == {kind}


@pytest.mark.parametrize("kind", LINKED_KINDS)
def test_ten_random_puzzles(kind: str) -> None:
    rng = Random(kind)
    plain = load_kind(kind)
    for _ in range(10):
        data = {"family": kind, **plain.draw_linked(rng)}
        puzzle: Any = instance.parse(data, name="random", origin="the test")
        link = write_links([puzzle]).strip()
        again: Any = jigsat.load(link)
        assert write_links([again]).strip() == link
        entries, expected = instance.entries(again), instance.entries(puzzle)
        width, height, body = split_link(link)
        assert plain.decode_link(body, height, width) == plain.list_words(expected, height, width)
        for entry, rooms in puzzle:  # the names of rooms mean nothing
            if isinstance(rooms, Rooms) and entry in expected:
                assert getattr(again, entry).meaning(IDENTITY) == rooms.meaning(IDENTITY)
                del entries[entry], expected[entry]
        assert entries == expected, link


def split_link(link: str) -> tuple[int, int, str]:
    """Width, height, and what follows."""
    found = re.fullmatch(r"https://puzz\.link/p\?[a-z]+/(\d+)/(\d+)/(.*?)/?", link)
    assert found
    return int(found[1]), int(found[2]), found[3]


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
        "?slitherlink/5/5/cbcbcddad",
        f"  {LINK}\n",
    ],
)
def test_addresses(address: str) -> None:
    assert is_link(address)
    assert instance.entries(jigsat.load(address)) == instance.entries(jigsat.load(LINK))


def test_a_type_stands_for_an_entry() -> None:
    entries = {}
    for kind in ("numlin", "arukone", "arukone/e"):
        (puzzle,) = [jigsat.load(f"?{kind}/3/2/1i1g")]
        entries[kind] = instance.entries(puzzle).get("all_cells", False)
    assert entries == {"numlin": False, "arukone": True, "arukone/e": False}
    with pytest.raises(InputError, match="character 9: the flag 'e'"):
        jigsat.load("?numlin/e/3/2/1i1g")


@pytest.mark.parametrize(
    ("link", "message"),
    [
        ("https://puzz.link/p?slither/5/5/cbcbxzcddad", "character 37 is 'x'; expected at most"),
        (
            "https://puzz.link/p?slither/5/5/cbcb",
            "it ends after character 36, where it has described 12 of 25 cells; expected 0 to 9",
        ),
        (
            "https://puzz.link/p?slither/5/5/cbcbcddad0",
            "character 42 is '0'; expected the end, because the size has 25 cells (5×5), and all are",
        ),
        ("https://puzz.link/p?gokigen/2/2/gi", "where it has described 4 of 9 corners"),
        ("https://puzz.link/p?tentaisho/3/3/7", "where it has described 4 of 25 places"),
        ("https://puzz.link/p?slither/5/5/cbcAcddad", "character 36 is 'A'; expected 0 to 9"),
        ("https://puzz.link/p?slither/f/5/5/cbcbcddad", "character 29: the flag 'f'"),
        ("https://puzz.link/p?slither/v:x/5/5/cbcbcddad", "character 29 is 'v'; expected the numb"),
        ("https://puzz.link/p?slither/0/5/", "character 29 is '0'; expected a number of columns"),
        ("https://puzz.link/p?slither/5/x/", "character 31 is 'x'; expected the number of rows"),
        ("https://puzz.link/p?slithr/5/5/", "character 21: unknown type 'slithr'; did you mean"),
        ("https://puzz.link/p?foobar/5/5/", "'foobar'; links of 27 kinds of puzzles are read, wh"),
        ("https://puzz.link/p", "it ends after character 19; expected ?"),
        ("https://example.org/p?slither/5/5/", "character 9: example.org is no site"),
        ("https://puzz.link/p?yajilin/5/5/m02j10", "character 34 is '0'; expected a direction"),
        ("https://puzz.link/p?fillomino/2/2/j8000", "expected the end; borders"),
        (
            "https://puzz.link/p?tentaisho/5/5/6fl94fi65en8dbf10000",
            "the end, because the size has 25 cells",
        ),
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
        ({"family": "minesweeper", "numbers": "1.", "mines": 1}, "mines: this entry"),
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
        "2\t\t\t1\t\r\n\t2\t\t\t1\r\n\t\t2\t\t\r\n3\t\t\t3\t\r\n\t0\t\t\t3\r\n",
        "2,,,1,\n,2,,,1\n,,2,,\n3,,,3,\n,0,,,3",
        "2;.;.;1;.\n.;2;.;.;1\n.;.;2;.;.\n3;.;.;3;.\n.;0;.;.;3",
        "+-----+\n2..1.\n.2..1\n..2..\n3..3.\n.0..3\n+-----+",
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
    ("text", "message"),
    [
        ("2\t.\t1\n3\t.", "line 2 has 2 cells, but line 1 has 3"),
        ("2  1\n 2  1", "line 2: the cells do not stand below those of line 1"),
    ],
)
def test_grids_with_unclear_cells_are_refused(text: str, message: str, tmp_path: Path) -> None:
    (tmp_path / "pasted.txt").write_text(text)
    with pytest.raises(InputError, match=message):
        jigsat.import_file(tmp_path / "pasted.txt", tmp_path / "new.toml", family="slitherlink")


@pytest.mark.parametrize(
    ("family", "message"),
    [
        ("masyu", "r1c1 is '2'; write one of w, b, or ."),
        ("nonogram", "line 1: '2..1.' is in no list; begin each list with its heading, rows:"),
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
    assert str(caught.value).endswith("write its kind in the first line, such as Akari")
    (typed,) = instance.load_text(f"Akari\n{text}")
    assert typed.family == "akari"


def test_prose_is_no_drawn_grid(tmp_path: Path) -> None:
    file = tmp_path / "poem.txt"
    for text in ("Roses are red\nViolets are blue\n", "Roses, red\nViolets, blue\n"):
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
    with pytest.raises(
        InputError,
        match=r"line \d has \d cells, but (line 1 has|most lines have) \d; draw \. where",
    ):
        jigsat.import_file(file, tmp_path / "new.toml", family="slitherlink")
    assert not (tmp_path / "new.toml").exists()


def test_the_rooms_of_a_drawn_grid_are_connected(tmp_path: Path) -> None:
    file = tmp_path / "rooms.txt"
    file.write_text("AAB\nCBB\nCCA\n")
    for family, noun in (("aquarium", "tank"), ("heyawake", "room")):
        message = f"rooms.txt: the {noun} A is in 2 parts, at r1c1 and r3c3"
        with pytest.raises(InputError, match=message):
            jigsat.import_file(file, tmp_path / "new.toml", family=family)


def test_a_list_with_a_wrong_line_is_no_drawn_grid(tmp_path: Path) -> None:
    file = tmp_path / "list.txt"
    puzzle = "4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......"
    for wrong in (puzzle[:-1], puzzle + ".", puzzle[:-1] + "X"):
        file.write_text(f"{puzzle}\n{wrong}\n{puzzle}\n")
        with pytest.raises(InputError, match=r"list.txt: line 2: ") as caught:
            jigsat.load_all(file)
        assert "a grid like this" not in str(caught.value)
