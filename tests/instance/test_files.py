"""Bad instance files: each is reported by an InputError of one line with the file and the place."""

from __future__ import annotations

import random
import re
from pathlib import Path
from typing import Any

import pytest

from jigsat import InputError
from jigsat.instance import find, load, load_all, parse
from jigsat.instance.files import MAX_FILE_BYTES

TILES = """
family = "edge-matching"
board = "square 1x2"
@
[tiles]
a = ["x", "y", "x", "y"]
b = ["x", "y", "x", "y"]
"""

PIECES = 'family = "interlocking"\nboard = "cube"\n@\n[pieces]\n' + "".join(
    f'{name} = ["##", ".."]\n' for name in "ABCDEF"
)
HINT = 'hints = [{{cell = {}, tile = "a"}}]'


def tiles(entry: str) -> str:
    return TILES.replace("@", entry)


def only(tile: str) -> str:
    return TILES.split("a =")[0].replace("@", "") + tile


def complaint(path: Path | str) -> str:
    with pytest.raises(InputError) as caught:
        load(path)
    message = str(caught.value)
    assert message.isprintable(), "one line, no control characters"
    assert len(message) < 1000
    assert len(caught.value.args) == 1
    return message


WRONG = {
    # the file as such
    "empty": ("", "missing entry 'family'; use one of 'akari', 'aqre', 'aquarium'"),
    "no TOML": ("a = = 3", "not valid TOML: Invalid value (at line 1, column 5)"),
    "a table twice": (tiles("") + "[tiles]", "not valid TOML: Cannot declare ('tiles',) twice"),
    "a tile twice": (
        tiles("") + 'a = ["x", "y", "x", "y"]',
        "not valid TOML: Cannot overwrite a value",
    ),
    "dotted parts": ("a." * 101 + "a = 1", "not valid TOML: a key of more than 100 dotted parts"),
    "dotted parts of a table": (
        "[" + "a . " * 40_000 + "a]",
        "not valid TOML: a key of more than 100 dotted parts",
    ),
    "dotted parts in quotes": (
        "x = {" + "'a'." * 40_000 + "a = 1}",
        "not valid TOML: a key of more than 100 dotted parts",
    ),
    "a long number": (
        "family = " + "1" * 5000,
        "not valid TOML: a number of more than 4300 digits",
    ),
    "no such day": ("family = 2023-13-45", "not valid TOML: "),
    "NUL": ("\0" * 5000, "not valid TOML: Invalid statement (at line 1, column 1)"),
    "deep lists": ("a = " + "[" * 100_000, "not valid TOML: nested too deeply"),
    "deep tables": ("a = " + "{a = " * 100_000, "not valid TOML: nested too deeply"),
    # family, board and entries
    "family a number": ("family = 3", "family: expected text in quotes; use one of"),
    "family unknown": (
        'family = "qwerty"',
        "unknown family 'qwerty'; use one of 'akari', 'aqre', 'aquarium'",
    ),
    "family of two lines": ('family = "a\\nb"', r"unknown family 'a\nb'; use one of"),
    "family deep": (
        "family." + "a." * 2000 + "a = 1",
        "not valid TOML: a key of more than 100 dotted parts",
    ),
    "entry unknown": (tiles("colour = 3"), "unknown entry 'colour'; did you mean 'colours'?"),
    "entry of two lines": (tiles('"a\\nb" = 3'), r"unknown entry 'a\nb'; use one of 'title'"),
    "name": (tiles('name = "cats"'), "unknown entry 'name'; the file name is the instance's name"),
    "title": (tiles("title = 3"), "title: expected text in quotes; got 3"),
    "known negative": (
        tiles("known = {solutions = -1}"),
        "known.solutions: expected a number of at least 0; got -1",
    ),
    "known unknown": (
        tiles("known = {rotations = 1}"),
        "known: unknown entry 'rotations'; did you mean 'rotation'?",
    ),
    "known a number": (tiles("known = 1"), "known: "),
    "board missing": (tiles("").replace("board", "#"), "missing entry 'board'"),
    "board a number": (
        tiles("").replace('"square 1x2"', "3"),
        "board: expected text in quotes; got 3",
    ),
    "board unknown": (
        tiles("").replace("square", "round"),
        "board: unknown board 'round 1x2'; did you mean 'square 1x2'?",
    ),
    "board of nothing": (
        tiles("").replace("1x2", "0x2"),
        "board: unknown board 'square 0x2'; write 'square ROWSx",
    ),
    # tiles
    "no tiles": (TILES.split("@")[0], "missing entry 'tiles'"),
    "tiles a list": (TILES.split("@")[0] + "tiles = []", "tiles: "),
    "tiles empty": (
        TILES.split("a =")[0].replace("@", ""),
        "tiles: expected at least 1 entry; got an empty table",
    ),
    "too few tiles": (only('a = ["x", "y", "x", "y"]'), "tiles: 1 of 2 tiles entered"),
    "three sides": (
        only('a = ["x", "y", "x"]'),
        "tiles.a: 3 sides, but the cells of square 1x2 have 4",
    ),
    "three sides, two lines": (only('"a\\nb" = ["x", "y", "x"]'), r"tiles.a\nb: 3 sides"),
    "three sides, coloured": (
        only('"a\\u001b[31m" = ["x", "y", "x"]'),
        r"tiles.a\x1b[31m: 3 sides",
    ),
    "sides are numbers": (
        only("a = [1, 2, 3, 4]"),
        "tiles.a.0: expected text in quotes; got 1 (and 3 more errors)",
    ),
    "a tile is a number": (only("a = 3"), "tiles.a: "),
    "a tile is a word": (only('a = "xyxy"'), "tiles.a: "),
    "a tile deep": (
        only("a." + "a." * 2000 + "a = 1"),
        "not valid TOML: a key of more than 100 dotted parts",
    ),
    "a tile's colour": (
        only('a = {sides = ["x", "y", "x", "y"], colour = "red"}'),
        "tiles.a: unknown entry 'colour'; ",
    ),
    "count 0": (
        only('a = {sides = ["x", "y", "x", "y"], count = 0}'),
        "tiles.a.count: expected a number greater than 0",
    ),
    "count NaN": (
        only('a = {sides = ["x", "y", "x", "y"], count = nan}'),
        "tiles.a.count: expected a whole number; got nan",
    ),
    "count a half": (
        only('a = {sides = ["x", "y", "x", "y"], count = 0.5}'),
        "tiles.a.count: expected a whole number; got",
    ),
    # labels
    "label unknown": (
        tiles('matching = [["x", "z"]]'),
        "tiles.a: right: label 'y' is in no pair of 'matching'",
    ),
    "label misspelt": (
        tiles('matching = [["x", "y"], ["cat head", "cat tail"]]')
        + 'c = ["x", "y", "cat tial", "y"]',
        "tiles.c: bottom: label 'cat tial' is in no pair of 'matching'; did you mean 'cat tail'?",
    ),
    "label endless": (
        tiles(f'matching = [["{"x" * 99_999}", "z"]]'),
        "tiles.a: top: label 'x' is in no pair",
    ),
    "matching a word": (
        tiles('matching = "same"'),
        "matching: expected 'equal' or a list; got \"same\"",
    ),
    "matching a number": (tiles("matching = 7"), "matching: expected 'equal' or a list; got 7"),
    "matching one": (tiles('matching = [["x"]]'), "matching.0: expected at least 2 entries; got 1"),
    "matching three": (tiles('matching = [["x", "y", "z"]]'), "matching.0: "),
    "matching numbers": (
        tiles('matching = [["x", "y"], ["z", 2]]'),
        "matching.1.1: expected text in quotes; got 2",
    ),
    "matching twice": (
        tiles('matching = [["x", "y"], ["y", "z"]]'),
        "matching: 'y' is in two pairs",
    ),
    "matching nothing": (tiles("matching = []"), "tiles.a: top: label 'x' is in no pair"),
    "frame unknown": (tiles('frame = "q"'), "frame: no tile has the label 'q'"),
    "frame a number": (tiles("frame = 1"), "frame: expected text in quotes; got 1"),
    "frame of a cube": (
        tiles('frame = "x"\nreusable = true').replace("square 1x2", "cube"),
        "frame: cube has no rim",
    ),
    "turning perhaps": (
        tiles('turning = "perhaps"'),
        'turning: expected true or false; got "perhaps"',
    ),
    # hints
    "hints a table": (tiles('hints = {cell = [0, 0], tile = "a"}'), "hints: "),
    "hint without a cell": (tiles('hints = [{tile = "a"}]'), "hints.0: missing entry 'cell'"),
    "hint for a tile unknown": (
        tiles('hints = [{cell = [0, 0], tile = "q"}]'),
        "hints.0: no tile 'q'",
    ),
    "two hints on a cell": (
        tiles('hints = [{cell = [0, 1], tile = "a"}, {cell = [0, 1], tile = "b"}]'),
        "hints.1: cell (0, 1) already has a hint",
    ),
    "cell a word": (tiles(HINT.format('"x"')), "hints.0: square 1x2 has no cell x"),
    "cell of two lines": (tiles(HINT.format('"x\\ny"')), r"hints.0: square 1x2 has no cell x\ny"),
    "cell far away": (tiles(HINT.format("[5, 5]")), "hints.0: square 1x2 has no cell (5, 5)"),
    "cell of one number": (tiles(HINT.format("[0]")), "hints.0: square 1x2 has no cell (0,)"),
    "cell NaN": (
        tiles(HINT.format("[nan, 0]")),
        "hints.0.cell: expected the name or the numbers of a cell",
    ),
    "cell a table": (tiles(HINT.format("{a = 1}")), "hints.0.cell: expected the name or"),
    "cell nested": (tiles(HINT.format("[[0], [0]]")), "hints.0.cell: expected the name or"),
    "cell deep": (tiles(HINT.format("[" * 200 + "]" * 200)), "hints.0.cell: expected the name or"),
    "cell of fractions": (tiles(HINT.format("[0.0, 0.0]")), "hints.0.cell: expected the name or"),
    "cell of yes and no": (
        tiles(HINT.format("[false, true]")),
        "hints.0.cell: expected the name or",
    ),
    "cell a day": (tiles(HINT.format("2020-01-01")), "hints.0.cell: expected the name or"),
    "turn -1": (
        tiles('hints = [{cell = [0, 0], tile = "a", turn = -1}]'),
        "hints.0: tile 'a' cannot be turned by -1",
    ),
    "turn 4": (
        tiles('hints = [{cell = [0, 0], tile = "a", turn = 4}]'),
        "hints.0: tile 'a' cannot be turned by 4",
    ),
    "turn infinite": (tiles('hints = [{cell = [0, 0], tile = "a", turn = inf}]'), "hints.0.turn: "),
    "turn a word": (tiles('hints = [{cell = [0, 0], tile = "a", turn = "x"}]'), "hints.0.turn: "),
    "turned where none may be": (
        tiles('turning = false\nhints = [{cell = [0, 0], tile = "a", turn = 1}]'),
        "hints.0: tile 'a' cannot be turned by 1",
    ),
    # pieces
    "no pieces": (PIECES.split("@")[0], "missing entry 'pieces'"),
    "pieces a list": (PIECES.split("@")[0] + 'pieces = ["##"]', "pieces: "),
    "piece ragged": (
        PIECES.replace('A = ["##", ".."]', 'A = """\n##\n#\n"""').replace("@", ""),
        "pieces.A: row 2 has 1 char",
    ),
    "piece ragged, two lines": (
        PIECES.replace("A =", '"A\\nB" =').replace('"##", ".."', '"##", "."', 1).replace("@", ""),
        r"pieces.A\nB: row 2 has 1 characters",
    ),
    "piece a number": (PIECES.replace('A = ["##", ".."]', "A = 3").replace("@", ""), "pieces.A: "),
    "piece of numbers": (
        PIECES.replace('A = ["##", ".."]', "A = [10, 11]").replace("@", ""),
        "pieces.A: expected rows of",
    ),
    "piece empty": (
        PIECES.replace('A = ["##", ".."]', 'A = ""').replace("@", ""),
        "pieces.A: the drawing is empty",
    ),
    "piece tiny": (
        PIECES.replace('A = ["##", ".."]', 'A = "#"').replace("@", ""),
        "pieces.A: a piece on one line needs",
    ),
    "piece misdrawn": (
        PIECES.replace('"##", ".."', '"##", ".x"', 1).replace("@", ""),
        "pieces.A: row 2, column 2 is 'x'",
    ),
    "pieces of two sizes": (
        PIECES.replace("@", "") + 'G = ["###", "#.#", "..."]',
        "pieces.G: 3 small squares along a side; all pieces need the same number",
    ),
    "too few pieces": (
        PIECES.replace('F = ["##", ".."]\n', "").replace("@", ""),
        "pieces: 5 of 6 pieces with 4 sides entered",
    ),
    "pieces of other sides": (
        PIECES.replace("cube", "octahedron").replace("@", ""),
        "pieces.A: 4 sides, but the faces of octahedron have 3",
    ),
    "holes perhaps": (
        PIECES.replace("@", "holes = true"),
        "holes: expected 'forbidden' or 'allowed'; got true",
    ),
}


def test_the_templates_are_valid() -> None:
    for text in (tiles(""), tiles(HINT.format("[0, 1]")), PIECES.replace("@", "")):
        assert "@" not in text
    assert (
        parse(
            {"family": "edge-matching", "board": "square 1x1", "tiles": {"a": ["x"] * 4}},
            name="",
            origin="",
        ).title
        == ""
    )


@pytest.mark.parametrize(("text", "says"), WRONG.values(), ids=WRONG.keys())
def test_a_wrong_file_is_reported_in_one_line(text: str, says: str, tmp_path: Path) -> None:
    path = tmp_path / "wrong.toml"
    path.write_text(text, encoding="utf-8")
    assert complaint(path).startswith(f"{path}: {says}")


@pytest.mark.parametrize(
    "text",
    [
        tiles(""),
        tiles(HINT.format("[0, 1]")),
        PIECES.replace("@", ""),
        tiles("").replace("\n", "\r\n"),
        "\ufeff" + tiles(""),
        "# " + "a." * 200 + "\n" + tiles(""),
        tiles('title = """\n' + "b." * 200 + '\n"""\nsource = \'' + "c." * 200 + "'"),
    ],
    ids=[
        "tiles",
        "a hint",
        "pieces",
        "line ends of Windows",
        "a byte order mark",
        "dots in a comment",
        "dots in a text",
    ],
)
def test_valid_files_are_read(text: str, tmp_path: Path) -> None:
    path = tmp_path / "right.toml"
    path.write_bytes(text.encode())
    assert load(path).name == "right"


def test_unreadable_files(tmp_path: Path) -> None:
    junk = tmp_path / "junk.toml"
    junk.write_bytes(b"\xff\xfe" + random.Random(1).randbytes(5000))
    assert (
        complaint(junk) == f"{junk}: byte 0 is not UTF-8 text; an instance is a text file in UTF-8"
    )
    junk.write_text(tiles(""), encoding="utf-16")
    assert "is not UTF-8 text" in complaint(junk)
    junk.write_bytes(b"a" * (MAX_FILE_BYTES + 1))
    assert complaint(junk) == f"{junk}: larger than 16 MiB, the limit for this kind of file"
    assert (
        complaint(tmp_path)
        == f"{tmp_path}: cannot be read: is a directory; name files in it, such as "
        f"{tmp_path}/*.toml"
    )
    assert (
        complaint(tmp_path / "none.toml")
        == f"{tmp_path / 'none.toml'}: cannot be read: no such file or directory"
    )
    assert complaint(junk / "below").endswith("below: cannot be read: not a directory")
    loop = tmp_path / "loop.toml"
    loop.symlink_to(loop)
    assert complaint(loop) == f"{loop}: cannot be read: too many levels of symbolic links"


@pytest.mark.parametrize("device", ["/dev/zero", "/dev/null"])
def test_devices_do_not_hang(device: str) -> None:
    assert complaint(device).startswith(f"{device}: ")


@pytest.mark.parametrize(
    "name",
    [
        "",
        "nothing of this name",
        "a" * 5000,
        "a" * 5000 + ".toml",
        "a\nb",
        "a\0b",
        "a\0b.toml",
        "a\udc80",
    ],
)
def test_unknown_names(name: str) -> None:
    assert complaint(name)


def test_a_name_means_the_shipped_instance_whatever_files_exist(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "cube").mkdir()
    assert load("cube").title == "The little blue cube"
    (tmp_path / "mine").write_text(tiles(""))
    assert find("mine") == Path("mine")
    assert load("mine").family == "edge-matching"


def test_data_that_contain_themselves() -> None:
    cyclic: dict[str, Any] = {
        "family": "edge-matching",
        "board": "square 1x1",
        "tiles": {"a": ["x"] * 4},
    }
    endless: list[Any] = []
    endless.append(endless)
    for wrong in (
        {**cyclic, "tiles": cyclic},
        {**cyclic, "hints": [cyclic]},
        {**cyclic, "tiles": {"a": endless}},
        {**cyclic, "hints": [{"cell": endless, "tile": "a"}]},
        {**cyclic, "family": endless},
        {**cyclic, "extra": endless},
    ):
        with pytest.raises(InputError) as caught:
            parse(wrong, name="cyclic", origin="cyclic.toml")
        assert str(caught.value).startswith("cyclic.toml: ")
        assert str(caught.value).isprintable()


@pytest.mark.parametrize(
    "data",
    [
        {"family": "lights-out", "board": "square 1٢x3", "lit": "all"},
        {"family": "seating", "tables": ["round ٤"], "guests": ["a", "b", "c", "d"]},
        {"family": "seating", "tables": ["٢ round 2"], "guests": ["a", "b", "c", "d"]},
        {"family": "sudoku", "grid": "1...\n....\n....\n....", "box": "1x1٤"},
        {"family": "tiling", "board": "square 1x1٢", "pieces": {}},
        "0,1,2,0\n0,0,3,1\n2,4,0,0\n3,0,0,٤\n",
    ],
)
def test_numbers_have_the_digits_0_to_9(data: dict[str, Any] | str) -> None:
    with pytest.raises(InputError):
        load(data)


CELLS = ".......12.5.4............3.7..6..4....1..........8....92....8.....51.7.......3..."


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        (
            f"# a\n{CELLS}\n\n# b\n{CELLS}\n{CELLS[:-1]}\n",
            "line 6: 80 characters; the other lines have 81",
        ),
        (f"{CELLS}\n# b\n{CELLS[:-1]}x\n", "puzzle 2 in line 3: grid: row 9, column 9"),
        ("1234341221434321\n12.3............\n12.?............\n", "line 3: character 4 is '?'"),
    ],
)
def test_the_line_of_a_puzzle_is_named(text: str, complaint: str, tmp_path: Path) -> None:
    file = tmp_path / "list.txt"
    file.write_text(text, encoding="utf-8")
    for source in (text, file):
        with pytest.raises(InputError, match=re.escape(complaint)):
            load_all(source)


def test_a_character_among_digits_is_named() -> None:
    rows = ["53..7....", "6..195...", ".98....6.", "8...6...3", "4..8.3..1", "7...2...6"]
    rows += [".6....28.", "...419..5", "....8..79"]
    for character in "é[½😀":
        rows[4] = f"4..{character}.3..1"
        with pytest.raises(InputError, match=re.escape(f"line 5, character 4 is '{character}'; ")):
            load("\n".join(rows))
    rows[4] = "4..8.3.. 1"
    assert load("\n".join(rows)).family == "sudoku"


@pytest.mark.parametrize("n", [6, 16, 25])
def test_a_wrong_line_of_large_grids_is_named(n: int) -> None:
    digits = "123456789ABCDEFGHIJKLMNOP"[:n]
    row = digits + "." * (n * n - n)
    lines = [row, row[1:] + ".", f"{row[:5]}?{row[6:]}"]
    with pytest.raises(InputError, match=r"line 3: character 6 is '\?'; write one of 1234"):
        load_all("\n".join(lines))


@pytest.mark.parametrize("blank", [".", "_"])
def test_a_hexadecimal_sudoku_is_named(blank: str) -> None:
    rows = [f"0{blank * 14}f", *[f"{blank * 7}a{blank * 8}"] * 15]
    with pytest.raises(InputError, match=r"the digits are 0 to F; write 0 as G"):
        load("\n".join(rows))


def test_grids_of_candidates_may_stand_below_each_other() -> None:
    grid = "\n".join(["123 4 56 789 123 456 7 8 9"] * 9)
    first, second = load_all(f"{grid}\n\n{grid}\n")
    assert first.digest() == second.digest() == load(grid).digest()


@pytest.mark.parametrize(
    "text", ["😀😁\n😂🤣\n", "\n".join(["." * 300] * 300), "\n".join(["." * 90] * 90)]
)
def test_emoji_and_dots_are_no_grids(text: str, tmp_path: Path) -> None:
    file = tmp_path / "a.txt"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(InputError) as refused:
        load(file)
    assert "a grid like this" not in str(refused.value)


def test_an_exact_cover_with_plain_names_is_no_sudoku() -> None:
    assert load("a2 b\na2\nb\n").family == "exact-cover"
