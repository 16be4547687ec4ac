"""`jigsat import` and `jigsat export --format`: files of other programs, written by hand from the
formats' descriptions."""

from __future__ import annotations

import gzip
import random
import subprocess
import sys
from pathlib import Path

import pytest
from jigsat.encodings.crossword.rules import Crossword
from support.forked import run

import jigsat
from jigsat import instance
from jigsat.errors import InputError
from jigsat.services.export import export_puzzles

EASY = "530070000600195000098000060800060003400803001700020006060000280000419005000080079"
ROWS = [EASY[i : i + 9].replace("0", ".") for i in range(0, 81, 9)]
FILES = {
    "easy.sdk": "\n".join(["#ASomebody", "#DAn easy one", *ROWS, ""]),
    "sections.sdk": "\n".join(["[Puzzle]", *ROWS, "[State]", *["123456789"] * 9, ""]),
    "three.sdm": f"{EASY}\n" * 3,
    "game.opensudoku": f"""<?xml version="1.0" encoding="UTF-8" standalone="no"?>
<opensudoku>
  <name>Easy ones</name><author>Somebody</author><level>easy</level>
  <game data="{EASY}" />
  <game data="{EASY[::-1]}" />
</opensudoku>
""",
    "pieces.csv": "2,2\n0,1,2,0\n0,0,3,1\n2,4,0,0\n3,0,0,4\n",
    "sized.txt": "2 2\n0 1 2 0\n0 0 3 1\n2 4 0 0\n3 0 0 4\n",
    "pieces.txt": "0 11 2 0\n0 0 3 11\n2 4 0 0\n3 0 0 4\n",
    "board.url": "https://e2.bucas.name/#puzzle=Small&board_w=2&board_h=2&board_edges=abcaaadbceaadaae\n",
    "free.url": "https://e2.bucas.name/#puzzle=Small&board_w=2&board_h=2&board_edges=abcaaadbceaadaae&board_types=bbbb\n",
    "given.url": "https://e2.bucas.name/#puzzle=Given&board_w=2&board_h=2&board_edges=bfaaaaceaebacaaf"
    "&board_pieces=007003000012&board_types=aeaa\n",
    "two.xmpuzzle": """<?xml version="1.0"?>
<puzzle version="2">
  <gridType type="0"/>
  <colors><color red="255" green="0" blue="0"/><color red="0" green="0" blue="255"/></colors>
  <shapes>
    <voxel x="2" y="2" z="2" type="0">########</voxel>
    <voxel x="1" y="2" z="2" type="0" name="plate">####</voxel>
    <voxel x="3" y="1" z="1" type="0">#1#2#</voxel>
    <voxel x="2" y="1" z="1" type="0" name="domino">#1#2</voxel>
    <voxel x="1" y="1" z="1" type="0">#</voxel>
  </shapes>
  <problems>
    <problem name="A cube of two plates" state="0">
      <shapes><shape id="1" count="2"/></shapes><result id="0"/><bitmap/>
    </problem>
    <problem name="Colours" state="0">
      <shapes><shape id="3"/><shape id="4" min="0" max="2" group="1"/></shapes><result id="2"/>
      <bitmap><pair piece="0" result="0"/><pair piece="1" result="1"/></bitmap>
    </problem>
  </problems>
  <comment>Two small problems</comment>
</puzzle>
""",
    "variable.xmpuzzle": """<?xml version="1.0"?>
<puzzle version="2">
  <gridType type="0"/>
  <colors><color red="255" green="0" blue="0"/><color red="0" green="0" blue="255"/></colors>
  <shapes>
    <voxel x="3" y="1" z="1" type="0">+#+</voxel>
    <voxel x="2" y="1" z="1" type="0" name="domino">##</voxel>
    <voxel x="2" y="2" z="1" type="0">#1+2++</voxel>
    <voxel x="1" y="2" z="1" type="0" name="painted">#1#2</voxel>
    <voxel x="1" y="1" z="1" type="0" name="cube">#</voxel>
  </shapes>
  <problems>
    <problem name="One end stays empty" state="0" maxHoles="0">
      <shapes><shape id="1" count="1"/></shapes><result id="0"/><bitmap/>
    </problem>
    <problem name="At most one hole" state="0" maxHoles="1">
      <shapes><shape id="3" count="1"/><shape id="4" min="0" max="2"/></shapes><result id="2"/>
      <bitmap><pair piece="0" result="0"/><pair piece="1" result="1"/></bitmap>
    </problem>
    <problem name="Any number of holes" state="0">
      <shapes><shape id="3" count="1"/><shape id="4" min="0" max="2"/></shapes><result id="2"/>
      <bitmap><pair piece="0" result="0"/><pair piece="1" result="1"/></bitmap>
    </problem>
  </problems>
</puzzle>
""",
    "list.txt": f"{EASY}\n{EASY[::-1]}\n",
    "guests.csv": """guest,groups,tables,table,seat,beside,apart,beside_one_of
Ann,family,top: long 4,top,1,Ben,,
Ben,family; red,garden: round 4,,,,"Cleo; Dan",
Cleo,,,,,,,Dan; family
Dan,red,,garden,,,,
""",
    "mini.ipuz": """{
 "version": "http://ipuz.org/v2", "kind": ["http://ipuz.org/crossword#1"], "title": "Mini", "author": "Somebody",
 "dimensions": {"width": 3, "height": 3},
 "puzzle": [["#", {"cell": 1, "style": {"shapebg": "circle"}}, 2], [3, 0, 0], [{"cell": "4"}, 0, null]],
 "solution": [[null, "H", "a"], ["O", {"value": "A"}, "T"], ["H", "M", "#"]],
 "clues": {"Across": [[1, "Laugh"], {"number": 3, "clue": "It becomes porridge"}, [4, ""]], "Down:Downwards": [["2", "Not in"]]}
}
""",
    "old.ipuz": """ipuz({"version": "http://ipuz.org/v1", "kind": ["http://ipuz.org/crossword#1"], "block": "X", "empty": "-",
 "puzzle": [[1, 2], [{"cell": 3, "value": "n"}, "-"], ["X", "-"], ["X", "-"]]})
""",
    "toy.dlx": "| Knuth's toy example\na b c d e f g\nc e\na d g\nb c f\na d f\n| a comment\nb "
    "g\nd e g\n",
    "colours.dlx": "p q r | x y\np q x y:A\np r x:A y\np x:B\nq x:A\nr y:B\n",
}
"""Files by hand, one per format."""

PLATE = '<shapes><voxel x="1" y="2" z="2" type="0">####</voxel></shapes>'

IPUZ = '{"kind": ["http://ipuz.org/crossword#1"], "puzzle": %s}'

SOLUTIONS = {
    "easy.sdk": 1, "sections.sdk": 1, "toy.dlx": 1, "colours.dlx": 1, "pieces.csv": 4,
    "pieces.txt": 4, "sized.txt": 4,
    "board.url": 1, "free.url": 4, "given.url": 1,
}  # fmt: skip
"""The numbers of solutions; the four corners fit together in one way, which can be turned."""

ROUND_TRIPS = {
    "easy.sdk": "sdk", "three.sdm": "sdm", "game.opensudoku": "opensudoku", "pieces.csv": "pieces",
    "board.url": "board-url",
    "toy.dlx": "dlx", "colours.dlx": "dlx", "two.xmpuzzle": "xmpuzzle",
    "variable.xmpuzzle": "xmpuzzle", "free.url": "board-url", "given.url": "board-url",
    "guests.csv": "csv", "mini.ipuz": "ipuz", "old.ipuz": "ipuz",
}  # fmt: skip


def imported(path: Path) -> str:
    puzzles = instance.load_all(path)
    return instance.import_text(path, puzzles, range(len(puzzles)))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, text in FILES.items():
        (tmp_path / name).write_text(text)
    return tmp_path


@pytest.mark.parametrize("name", FILES)
def test_every_file_is_imported(name: str, folder: Path) -> None:
    path = folder / "new.toml"
    path.write_text(imported(folder / name))
    puzzles, direct = instance.load_all(path), instance.load_all(folder / name)
    assert [puzzle.digest() for puzzle in puzzles] == [puzzle.digest() for puzzle in direct]
    if name in SOLUTIONS:
        assert jigsat.count(puzzles[0]).solutions == SOLUTIONS[name]


@pytest.mark.parametrize(("name", "written_as"), ROUND_TRIPS.items())
def test_round_trips(name: str, written_as: str, folder: Path) -> None:
    puzzles = instance.load_all(folder / name)
    again = folder / f"again.{written_as}"
    again.write_text(export_puzzles(puzzles, written_as))
    assert [puzzle.digest() for puzzle in instance.load_all(again)] == [
        puzzle.digest() for puzzle in puzzles
    ]


def test_every_problem_of_a_burrtools_file(folder: Path) -> None:
    cube, colours = instance.load_all(folder / "two.xmpuzzle")
    assert (cube.title, colours.title) == ("A cube of two plates", "Colours")
    assert (
        jigsat.count(cube).solutions == 3
    )  # the plates lie on each other, beside or behind each other
    # the domino covers its two colours, or turned round the blue cube and the one without a colour
    assert jigsat.count(colours).solutions == 2


def test_cubes_that_may_stay_empty(folder: Path) -> None:
    # The domino covers the middle and one end. The painted piece lies in five ways; in two of them
    # the cube of the result that must be filled is covered and any of the other two cubes may be,
    # in three it needs a cube and one other cube may have one.
    puzzles = instance.load_all(folder / "variable.xmpuzzle")
    assert [jigsat.count(puzzle).solutions for puzzle in puzzles] == [
        2,
        2 * 3 + 3 * 2,
        2 * 4 + 3 * 2,
    ]


def test_cells_left_over_become_cubes_that_may_stay_empty(tmp_path: Path) -> None:
    text = (
        'family = "tiling"\nboard = "####"\nleft_over = [0, 2]\nuses = [0, 2]\n[pieces]\na = '
        '"##"\nb = "#"\n'
    )
    for puzzle, holes in (
        (jigsat.load(text), 'maxHoles="2"'),
        (jigsat.load("black-and-white"), "<problem "),
    ):
        (tmp_path / "x.xmpuzzle").write_text(written := export_puzzles([puzzle], "xmpuzzle"))
        assert holes in written and ("maxHoles" in written) == ("maxHoles" in holes)
        assert (
            jigsat.count(instance.load(tmp_path / "x.xmpuzzle")).solutions
            == jigsat.count(puzzle).solutions
        )


def test_a_guest_list_is_the_instance_that_it_says(folder: Path) -> None:
    by_hand = {
        "family": "seating",
        "tables": {"top": "long 4", "garden": "round 4"},
        "guests": {"Ann": ["family"], "Ben": ["family", "red"], "Cleo": [], "Dan": ["red"]},
        "must": [
            {"guest": "Ann", "table": "top", "seat": 1},
            {"beside": ["Ann", "Ben"]},
            {"apart": ["Ben", "Cleo"]},
            {"apart": ["Ben", "Dan"]},
            {"guest": "Cleo", "beside_one_of": ["Dan", "family"]},
            {"guest": "Dan", "table": "garden"},
        ],
    }
    assert instance.load(folder / "guests.csv").digest() == jigsat.load(by_hand).digest()
    assert (
        jigsat.count(by_hand).solutions == 8
    )  # Ben beside Ann, Dan on any of four chairs, Cleo on his left or right


@pytest.mark.parametrize(
    "name",
    [
        "soma",
        pytest.param("pentominoes-3x20", marks=pytest.mark.slow),
        "dominoes-6x8",
        "polycube-like",
    ],
)
def test_tilings_survive_burrtools(name: str, tmp_path: Path) -> None:
    text = (
        'family = "tiling"\nboard = "wb\\nbw"\nuses = "any"\n[pieces]\na = "wb"\nb = "b"\nc = "#"\n'
    )
    puzzle = jigsat.load(text if name == "polycube-like" else name)
    (tmp_path / "x.xmpuzzle").write_text(export_puzzles([puzzle], "xmpuzzle"))
    again = instance.load(tmp_path / "x.xmpuzzle")
    one, other = jigsat.count(puzzle, backend="counting"), jigsat.count(again, backend="counting")
    assert (one.solutions, one.distinct) == (other.solutions, other.distinct)


@pytest.mark.parametrize("name", ["board.url", "free.url", "given.url"])
def test_the_pieces_on_a_board_are_given(name: str, folder: Path) -> None:
    puzzle = instance.load(folder / name)
    given = {"board.url": ["1", "2", "3", "4"], "free.url": [], "given.url": ["3"]}[name]
    assert [hint["tile"] for hint in puzzle.model_dump()["hints"]] == given
    lies = "board_edges=aebaaacebfaacaaf" if given == ["3"] else "board_edges=abcaaadbceaadaae"
    assert lies in export_puzzles(
        [puzzle], "board-url"
    )  # the given pieces keep their cells and all labels their letters


def test_a_given_tile_may_be_turned_and_occur_several_times(tmp_path: Path) -> None:
    tiles = {
        "x": ["r", "s", "t", "r"],
        "y": {"sides": ["s", "r", "r", "t"], "count": 2},
        "z": ["r", "s", "t", "r"],
    }
    hints = [{"cell": [1, 0], "tile": "y", "turn": 1}, {"cell": [0, 1], "tile": "y", "turn": 3}]
    puzzle = jigsat.load(
        {
            "family": "edge-matching",
            "board": "square 2x2",
            "tiles": tiles,
            "frame": "r",
            "hints": hints,
        }
    )
    (tmp_path / "x.url").write_text(text := export_puzzles([puzzle], "board-url"))
    assert "board_edges=abcaaacbcbaaabca&board_pieces=001003002004&board_types=aeea" in text
    again = instance.load(tmp_path / "x.url")
    assert jigsat.count(again).solutions == jigsat.count(puzzle).solutions == 1


def test_a_crossword_of_another_program(folder: Path) -> None:
    mini = instance.load(folder / "mini.ipuz")
    assert isinstance(mini, Crossword)
    assert (mini.title, mini.author) == ("Mini", "Somebody")
    assert (mini.grid, mini.words) == (("#..", "...", "..#"), {})
    assert set(mini.scores) == {"HA", "OAT", "HM", "OH", "HAM", "AT"}
    assert [solution.text() for solution in jigsat.solutions(mini)] == ["# H A\nO A T\nH M #"]
    again = instance.load(export_puzzles([mini], "ipuz"))
    assert again.digest() == mini.digest()
    assert mini.questions == {
        "1 across": "Laugh",
        "3 across": "It becomes porridge",
        "2 down": "Not in",
    }
    old = instance.load(folder / "old.ipuz")
    assert isinstance(old, Crossword)
    assert (old.grid, old.words) == (("..", "N.", "#.", "#."), {})
    (folder / "list.txt").write_text("an\nno\nan\nin\noh\ntone\n")
    filled = instance.load(
        folder / "old.ipuz", words=[str(folder / "list.txt"), "it"], repeats=True
    )
    assert [solution.text() for solution in jigsat.solutions(filled)] == ["I T\nN O\n# N\n# E"]


def test_many_spaces_are_read_quickly() -> None:
    """None of these takes time that grows with the square of its length, or faster."""
    for text in (
        "ipuz(" + " " * 100_000 + "x\n",
        "\n" * 100_000 + "<puzzle\n",
        "\n" * 100_000 + "x\n",
        "x\n" + "\n" * 100_000 + "y\n",
        "killer sudoku\n" + "A=111" * 10_000 + "=\n",
        "killer sudoku\nab\nab\nA " + "3xB 4" * 10_000 + "!\n",
    ):
        with pytest.raises(InputError):
            instance.load(text)


def test_titles_are_carried_over(folder: Path) -> None:
    assert instance.load(folder / "easy.sdk").title == "An easy one"
    assert instance.load_all(folder / "game.opensudoku")[1].title == "Easy ones"
    assert instance.load(folder / "board.url").title == "Small"


def test_compressed_files_are_read(folder: Path) -> None:
    (folder / "easy.gz").write_bytes(gzip.compress(FILES["easy.sdk"].encode()))
    assert instance.load(folder / "easy.gz").digest() == instance.load(folder / "easy.sdk").digest()
    (folder / "cut.gz").write_bytes(gzip.compress(FILES["easy.sdk"].encode())[:-12])
    with pytest.raises(InputError, match="damaged: the compressed data are incomplete"):
        instance.load(folder / "cut.gz")
    (folder / "bomb.gz").write_bytes(gzip.compress(b" " * 2**25))
    with pytest.raises(InputError, match="larger than 16 MiB"):
        instance.load(folder / "bomb.gz")


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        (
            "<opensudoku><game data='12' /></opensudoku>",
            "game 1: only a grid of 81 digits can be read",
        ),
        ("<opensudoku><game", "not valid XML"),
        ("<!--x--><opensudoku><!DOCTYPE a></opensudoku>", "a document type is not allowed"),
        ("x#board_w=2&board_h=2&board_edges=abca", "board_edges: 1 cell, but the board is 2×2"),
        ("x#board_edges=abcaaaaa", "board_edges: 1 cell is empty; an instance needs every piece"),
        (
            "x#board_edges=abca&board_types=e1",
            "board_types: expected one letter from a to z for each cell",
        ),
        ("x#board_edges=abca&board_pieces=01", "board_pieces: expected three digits for each cell"),
        ("x#board_edges=abca1", "board_edges: expected four letters from a to z for each cell"),
        (
            "<puzzle><gridType type='1'/></puzzle>",
            "gridType: only puzzles made of cubes can be read",
        ),
        ("guest,tables\nAnn,round 4\nAnn,\n", "row 3: 'Ann' is given twice"),
        ("guest,tables,seat\nAnn,round 4,x\n", "row 2: seat: expected a number, got 'x'"),
        ("guest,tables,seat\n,round 4,3\n", "row 2: the guest's name is missing"),
        (
            "guest,tables\nAnn,a: round 4\nBen,round 3\n",
            "tables: give every table a name of its own",
        ),
        ('guest,tables\n"Ann,round 4\n', "not CSV: "),
        ("<puzzle/>", "problems: the file has no problem"),
        (
            f"<puzzle>{PLATE.replace('####', '###')}</puzzle>",
            "shape 0: the cubes do not fill 1×2×2",
        ),
        (
            f"<puzzle>{PLATE}<problems><problem><result id='3'/></problem></problems></puzzle>",
            "problem 1: it uses a shape that is missing",
        ),
        (
            f"<puzzle>{PLATE}<problems><problem><result id='0'/></problem></problems></puzzle>",
            "problem 1: no shape is used",
        ),
        (
            f"<puzzle>{PLATE.replace('####', '###+')}<problems><problem><result id='0'/>"
            "<shapes><shape id='0'/></shapes></problem></problems></puzzle>",
            "problem 1: S1 is a piece with cubes that may stay empty",
        ),
        (
            '{"kind": ["http://ipuz.org/sudoku#1"]}',
            "kind: only crosswords can be read; got ['http://ipuz.org/sudoku#1']",
        ),
        (
            '{"kind": ["http://ipuz.org/crossword#1"], "puzzle": 3}',
            "puzzle: expected a list of rows; got 3",
        ),
        (
            '{"kind": ["http://ipuz.org/crossword#1"], "puzzle": []}',
            "grid: 0 rows of 0 squares; a grid has 1 to 10,000",
        ),
        ('{"kind": ["http://ipuz.org/crossword#1"]', "not JSON"),
        (
            IPUZ % '[[1, {"style": {"barred": "X"}}]]',
            "puzzle: row 1, column 2 is barred on 'X'; write some of T, R, B and L",
        ),
        (
            IPUZ % '[[1, 0]], "solution": [["A", "B/"]]',
            "solution: row 1, column 2: 'B/' instead of letters",
        ),
        (IPUZ % "[[1, 0], [0]]", "puzzle: row 2: 1 square, but most rows have 2"),
        (
            IPUZ % '[[1, 0]], "clues": {"Across": [[2, "x"]]}',
            "clues: 2 across: there is no such word in the grid, if words are counted row by row",
        ),
        (
            IPUZ % '[[1, 0]], "clues": {"Zones": []}',
            "clues: 'Zones': only the directions Across and Down can be read",
        ),
        (
            IPUZ % '[[1, 0]], "clues": {"Across": [true]}',
            "clues: expected a number and a text for each clue; got True",
        ),
        ("2,3\n0,1,2,0\n0,0,3,1\n", "2 pieces, but the board of 2×3 has 6 cells"),
    ],
)
def test_what_cannot_be_imported_is_one_line(text: str, complaint: str, tmp_path: Path) -> None:
    (tmp_path / "wrong").write_text(text)
    ended = run("import", "wrong", "-o", "new.toml", folder=tmp_path)
    assert ended.status == 2
    assert (
        ended.err.startswith("jigsat: wrong: ")
        and complaint in ended.err
        and ended.err.count("\n") == 1
    )
    assert not (tmp_path / "new.toml").exists()


@pytest.mark.parametrize(
    ("name", "written_as", "complaint"),
    [
        (
            "sudoku-jigsaw",
            "sdk",
            "sudoku-jigsaw: regions: the format sdk cannot express this entry",
        ),
        ("sudoku-6x6", "sdm", "sudoku-6x6: the format sdm has only 9×9 grids with boxes of 3×3"),
        ("cats", "pieces", "cats: matching: the format pieces cannot express this entry"),
        (
            "macmahon-squares",
            "pieces",
            "macmahon-squares: frame: the format pieces needs its label only on the rim",
        ),
        (
            "macmahon-cube",
            "board-url",
            "macmahon-cube: board: the format board-url has only rectangles of squares",
        ),
        ("wedding-small", "csv", "wedding-small: wishes: the format csv cannot express this entry"),
        ("cube", "sdk", "--format: the family interlocking has no format of another program"),
        ("cats", "sdk", "--format: unknown format 'sdk'; use one of 'board-url', 'pieces'"),
    ],
)
def test_what_cannot_be_exported_is_one_line(name: str, written_as: str, complaint: str) -> None:
    with pytest.raises(InputError) as caught:
        export_puzzles([jigsat.load(name)], written_as)
    assert complaint in str(caught.value)


def test_a_minimum_of_empty_cells_cannot_be_exported() -> None:
    puzzle = jigsat.load(
        'family = "tiling"\nboard = "####"\nleft_over = 1\nuses = [0, 4]\npieces = { a = "#" }\n'
    )
    with pytest.raises(
        InputError, match="left_over: the format xmpuzzle cannot express a minimum number"
    ):
        export_puzzles([puzzle], "xmpuzzle")


@pytest.mark.parametrize(
    ("tables", "guest", "complaint"),
    [
        ({"top": "round 4"}, "Ann; Ben", "the format csv cannot express names with semicolons"),
        ({"top": "round 4"}, " Ann", "line breaks or outer spaces"),
        (
            {"top: left": "round 4"},
            "Ann",
            "tables: the format csv cannot express names with colons",
        ),
        (
            {"top": "squares\n##"},
            "Ann",
            "tables: the format csv cannot express names with colons or drawn tables",
        ),
    ],
)
def test_names_that_a_guest_list_cannot_hold(
    tables: dict[str, str], guest: str, complaint: str
) -> None:
    puzzle = jigsat.load({"family": "seating", "tables": tables, "guests": [guest]})
    with pytest.raises(InputError, match=complaint):
        export_puzzles([puzzle], "csv")


@pytest.mark.parametrize(
    ("name", "written_as"),
    [("mini.ipuz", "puz"), ("mini.ipuz", "ipuz"), ("toy.dlx", "dlx"), ("three.sdm", "sdm")],
)
def test_a_hyphen_is_standard_output(name: str, written_as: str, folder: Path) -> None:
    assert run("import", name, "-o", "file.toml", folder=folder).status == 0
    imported = run("import", name, folder=folder)
    assert imported.out == (folder / "file.toml").read_text(), imported.err
    assert run("import", name, "-o", "-", folder=folder).out == imported.out
    export = ("export", "file.toml", "--format", written_as, "-o")
    assert run(*export, "file", folder=folder).status == 0
    program = Path(sys.executable).with_name("jigsat")
    printed = subprocess.run([program, *export, "-"], cwd=folder, capture_output=True)
    assert printed.stdout == (folder / "file").read_bytes(), printed.stderr
    assert not (folder / "-").exists()


@pytest.mark.parametrize(
    ("command", "message"),
    [
        ("import toy.dlx colours.dlx", "there are 2 files; name a folder with -o"),
        ("import toy.dlx colours.dlx -o -", "there are 2 files; name a folder with -o"),
        ("unique toy.dlx --only unique -o -", "-o -: name a .toml file or a folder"),
        ("prove toy.dlx -o -", "-o -: a certificate is a folder with several files"),
        ("generate slant --count 2 -o -", "--count: a file holds one puzzle; name a folder"),
    ],
)
def test_no_file_is_called_hyphen(command: str, message: str, folder: Path) -> None:
    refused = run(*command.split(), folder=folder)
    assert (refused.status, refused.out) == (2, "") and message in refused.err
    assert not (folder / "-").exists()


def test_the_commands(folder: Path) -> None:
    assert run("import", "toy.dlx", "-o", "toy.toml", folder=folder).status == 0
    refused = run("import", "toy.dlx", "-o", "toy.toml", folder=folder)
    assert (refused.status, refused.err) == (
        2,
        "jigsat: toy.toml: exists already; use --force to overwrite it\n",
    )
    assert run("import", "colours.dlx", "-o", "toy.toml", "--force", folder=folder).status == 0
    assert (
        run("export", "toy.toml", "--format", "dlx", "-o", "again.dlx", folder=folder).status == 0
    )
    assert (folder / "again.dlx").read_text() == FILES["colours.dlx"]
    wrong = run("export", "toy.toml", "--format", "dlx", "--break", "all", "-o", "x", folder=folder)
    assert wrong.status == 2
    assert wrong.err.startswith("jigsat: --break applies to the formula")
    several = run("export", "three.sdm", "--format", "sdk", "-o", "x", folder=folder)
    assert several.err == "jigsat: a file in the format sdk has one puzzle, and there are 3\n"
    assert run("import", "toy.dlx", "-o", "toy.txt", folder=folder).err.startswith(
        "jigsat: toy.txt: an instance is a TOML file"
    )


@pytest.mark.parametrize("name", FILES)
@pytest.mark.parametrize("times", [20, pytest.param(500, marks=pytest.mark.slow)])
def test_mutated_files_end_in_one_line_or_an_instance(
    name: str, times: int, tmp_path: Path
) -> None:
    data, rng, path = FILES[name].encode(), random.Random(name), tmp_path / name
    for number in range(times):
        changed = bytearray(data[: rng.randint(0, len(data))] if rng.random() < 0.3 else data)
        for _ in range(rng.randint(1, 4)):
            at = rng.randrange(len(changed) + 1)
            new = rng.choices(data + b"\x00\xff<>&;:|[]#", k=rng.randint(0, 4))
            changed[at : at + rng.randint(0, 4)] = bytes(new)
        path.write_bytes(
            gzip.compress(changed)[: rng.choice([None, -5])] if number % 10 == 0 else changed
        )
        try:
            (tmp_path / "new.toml").write_text(imported(path))
        except InputError as error:
            assert str(error).startswith(str(path)) and "\n" not in str(error)
        else:
            digests = [puzzle.digest() for puzzle in instance.load_all(tmp_path / "new.toml")]
            assert digests == [puzzle.digest() for puzzle in instance.load_all(path)]


def test_the_suffix_chooses_the_format(folder: Path) -> None:
    for suffix, beginning in (("ipuz", '{\n "version"'), ("cnf", "c ")):
        jigsat.export("crossword-5x5", folder / f"new.{suffix}")
        assert (folder / f"new.{suffix}").read_text().startswith(beginning)
    with pytest.raises(InputError, match=r"new\.abc: unknown suffix; .*\.sql, \.ipuz, \.puz, "):
        jigsat.export("crossword-5x5", folder / "new.abc")
