"""Puzzles to print: `jigsat sheet`."""

from __future__ import annotations

import re
import shutil
import time
from html import unescape
from itertools import product
from pathlib import Path
from xml.etree import ElementTree

import pytest
from support.command import run
from support.inside import Done
from support.inside import jigsat as command
from support.pdf import CUT_MM, measure
from support.waiting import LONG, with_time

import jigsat
from jigsat import instance
from jigsat.answering.enumeration import first_solution
from jigsat.pictures import Block, Part, order_blocks
from jigsat.pictures.pages import PAPERS
from jigsat.printing.chapters import CUT, NUMBERED, Entry, make_chapters
from jigsat.printing.parts import PrintedPuzzle, draw_picture, draw_puzzle, draw_solution
from jigsat.printing.typeset import typeset
from jigsat.puzzle import Puzzle
from jigsat.runtime.child import apart
from jigsat.services.sheet import Doubted, LaidOut, SheetRequest, lay_out
from jigsat.study.steps import find_steps

Capture = pytest.CaptureFixture[str]

SVG = "{http://www.w3.org/2000/svg}"
POINTS = 72 / 25.4

UNSOLVABLE = (
    'family = "tiling"\ntitle = "A lone corner"\nboard = "###\\n.#."\n[pieces]\na = '
    '"##"\nb = "##"\n'
)


def words(html: str) -> str:
    """The text of a web page with single spaces."""
    html = re.sub(r"<style>.*?</style>", " ", html, flags=re.DOTALL)
    return " ".join(unescape(re.sub(r"<[^>]*>", " ", html)).split())


def sections(file: Path) -> list[str]:
    """The sections of a web page, such as groups of puzzles and the solutions."""
    return file.read_text(encoding="utf-8").split("<section ")[1:]


def draw(name: str, number: int, *, numbered: bool = True) -> PrintedPuzzle:
    return draw_puzzle(instance.load(name), number, name, numbered=numbered)


# -- the parts


def names(puzzle: PrintedPuzzle) -> list[str]:
    """The names of pieces, each with the number of its puzzle."""
    found = []
    for piece in puzzle.pieces:
        for text in ElementTree.fromstring(piece.svg).iter(f"{SVG}text"):
            if text.get("class") == "name":
                found.append("/".join(text.itertext()))
    return found


def test_pieces_of_several_puzzles_have_the_numbers_of_their_puzzles() -> None:
    assert names(draw("cube", 1, numbered=False)) == [*"ABCDEF"]
    assert names(draw("cube", 1)) == ["A/1", "B/1", "C/1", "D/1", "E/1", "F/1"]
    assert names(draw("cats", 13)) == [f"{number}/13" for number in range(1, 10)]


def test_only_pieces_are_cut_out() -> None:
    for name, cut in (("cats", True), ("soma", False), ("sudoku-hard", False)):
        (chapter,) = make_chapters([Entry(name, draw(name, 1))])
        (group,) = chapter.groups
        assert (CUT in group.rules) == (NUMBERED in group.rules) == cut


def test_the_small_print_of_a_picture_is_its_caption() -> None:
    svg = instance.load("cube").svg([])
    note = next(
        text.text
        for text in ElementTree.fromstring(svg).iter(f"{SVG}text")
        if text.get("class") == "note"
    )
    picture = draw_picture(Part(svg, 180.0, "A net"))
    assert picture.caption.startswith(f"A net; {note}")
    texts = ElementTree.fromstring(picture.svg).iter(f"{SVG}text")
    assert not any(text.get("class") == "note" for text in texts)


def test_equal_pieces_are_printed_with_the_first_puzzle() -> None:
    puzzles = [draw("cats", 1), draw("cube", 2), draw("cats", 3)]
    (chapter,) = make_chapters([Entry("all", puzzle) for puzzle in puzzles])
    (group,) = chapter.groups
    assert [len(puzzle.pieces) for puzzle in group.puzzles] == [9, 6, 0]
    assert [puzzle.shares for puzzle in group.puzzles] == [1, 0, 1]
    assert "Puzzles 1, 3 use the same pieces." in group.puzzles[0].rules
    refers = ["The rules and the pieces are those of puzzle 1."]
    assert group.puzzles[2].rules == refers


def test_what_all_puzzles_of_a_group_have_is_there_once() -> None:
    puzzles = [draw(name, i) for i, name in enumerate(("cube", "cube-flat", "cube"), 1)]
    (first, last), sheet = puzzles[::2], make_chapters([Entry("a", p) for p in puzzles], book=False)
    (chapter,) = make_chapters([Entry("a", first), Entry("a", last)])
    (group,) = chapter.groups
    assert group.boards == first.boards
    assert set(first.rules) < set(group.rules)
    assert not any(puzzle.boards for puzzle in group.puzzles)
    own = sheet[0].groups[0].puzzles[1].rules  # on a sheet, puzzles with other rules have them all
    assert own[: len(puzzles[1].rules)] == puzzles[1].rules


# -- the command


@pytest.mark.parametrize("paper", ["a4", "letter"])
def test_a_book_has_the_puzzles_and_then_the_solutions(paper: str, tmp_path: Path) -> None:
    pytest.importorskip("typst")
    file = tmp_path / "book.pdf"
    done = run(
        "sheet", "cats", "push-pull", "sudoku-4x4-empty", "-o", file, "--paper", paper.upper()
    )
    assert (done.returncode, done.stdout, done.stderr) == (
        0,
        "",
        f"wrote {file}: 3 puzzles on 3 pages\n",
    )
    found = re.findall(rb"/MediaBox ?\[0 0 ([\d.]+) ([\d.]+)\]", file.read_bytes())
    wide, high = PAPERS[paper]
    assert [float(x) for size in found for x in size] == pytest.approx(
        [wide * POINTS, high * POINTS] * 3, abs=0.01
    )


@pytest.mark.parametrize(("size", "tooth"), [(4, 12), (5, 10), (6, 8), (7, 7)])
def test_teeth_are_as_wide_on_paper_as_the_rules_say(size: int, tooth: int, tmp_path: Path) -> None:
    pytest.importorskip("typst")
    run("generate", "interlocking", "--set", f"size={size}", "-o", tmp_path / "made.toml")
    file = tmp_path / "cube.pdf"
    done = run("sheet", tmp_path / "made.toml", "--no-solutions", "-o", file)
    assert done.returncode == 0, done.stderr
    assert f"A tooth is {tooth} mm wide at 100 %." in jigsat.load(tmp_path / "made.toml").rules()
    drawn = measure(file.read_bytes())
    assert {50.0, tooth} <= drawn.lengths_mm
    assert drawn.dashed
    assert max(drawn.dashed) <= CUT_MM


def test_solutions_follow_on_their_own_pages(tmp_path: Path, capsys: Capture) -> None:
    (tmp_path / "small.toml").write_text(UNSOLVABLE, encoding="utf-8")
    file = tmp_path / "book.html"
    done = command(capsys, "sheet", tmp_path / "small.toml", "lights-5x5", "cube", "-o", file)
    assert done.status == 0
    assert "jigsat: small: there is no solution; `jigsat solve` says why\n" in done.err
    *puzzles, solutions = map(words, sections(file))
    assert len(puzzles) == 3
    assert "1 A lone corner" in puzzles[0] and "3 The little blue cube" in puzzles[2]
    assert "There is no solution." in solutions
    assert "one of 96 solutions, 2 up to rotation and reflection" in solutions
    assert "15 presses" in solutions, "the solution has the fewest presses"
    assert command(capsys, "sheet", "cube", "-o", file, "--no-solutions").status == 0
    assert len(sections(file)) == 1


def test_the_answer_is_printed_once(tmp_path: Path, capsys: Capture) -> None:
    file = tmp_path / "word.toml"
    file.write_text(
        'family = "tiling"\nboard = "bwbwb"\nletters = "ABCDE"\nleft_over = 2\n[pieces]\na = '
        '"wbw"\n'
    )
    assert command(capsys, "sheet", file, "-o", tmp_path / "word.html").status == 0
    assert words(sections(tmp_path / "word.html")[1]).count("AE") == 1


@pytest.mark.parametrize(("two", "numbered"), [("cube-flat", True), ("sudoku-4x4-empty", False)])
def test_a_book_of_several_sets_numbers_their_pieces(
    two: str, numbered: bool, tmp_path: Path, capsys: Capture
) -> None:
    file = tmp_path / "book.html"
    assert command(capsys, "sheet", "cube", two, "--no-solutions", "-o", file).status == 0
    assert ("small number on a piece" in words(sections(file)[0])) == numbered


def test_an_svg_file_has_one_page(tmp_path: Path, capsys: Capture) -> None:
    file = tmp_path / "page.svg"
    assert command(capsys, "sheet", "sudoku-hard", "-o", file, "--no-solutions").status == 0
    width = str(ElementTree.parse(file).getroot().get("width"))
    assert float(width.removesuffix("pt")) == pytest.approx(210 * POINTS)
    file.unlink()
    done = command(capsys, "sheet", "sudoku-hard", "-o", file)
    assert (done.status, file.exists()) == (2, False)
    assert done.err == (
        f"jigsat: {file}: an SVG file has one page, but more are needed; name a .pdf or .html "
        f"file; "
        "--no-solutions leaves out the solutions\n"
    )


def test_a_file_of_several_puzzles_is_printed_whole(tmp_path: Path, capsys: Capture) -> None:
    file, several = tmp_path / "book.html", tmp_path / "several.txt"
    several.write_text("1..2" + "." * 12 + "\n" + "." * 16 + "\n", encoding="utf-8")
    assert command(capsys, "sheet", several, "-o", file).status == 0
    first, solutions = sections(file)
    assert first.count("<svg ") == solutions.count("<svg ") == 2
    assert "1 several-1" in words(first) and "2 several-2" in words(solutions)


def test_the_easiest_puzzles_can_be_first(tmp_path: Path, capsys: Capture) -> None:
    file, several = tmp_path / "book.html", tmp_path / "several.txt"
    several.write_text(
        "1..2" + "." * 12 + "\n" + "12..3412" + "." * 6 + "21" + "\n", encoding="utf-8"
    )
    assert command(capsys, "sheet", several, "-o", file, "--sort", "--no-solutions").status == 0
    printed = words("".join(sections(file)))
    assert "1 several-2" in printed and "2 several-1" in printed


def test_puzzles_with_the_same_title_are_told_apart_by_their_files(
    tmp_path: Path, capsys: Capture
) -> None:
    for name in ("one", "two"):
        (tmp_path / f"{name}.toml").write_text(UNSOLVABLE)
    out = tmp_path / "book.html"
    both = [tmp_path / "one.toml", tmp_path / "two.toml"]
    assert command(capsys, "sheet", *both, "cats", "--no-solutions", "-o", out).status == 0
    printed = words("".join(sections(out)))
    assert "1 A lone corner (one)" in printed and "2 A lone corner (two)" in printed
    assert "3 Nine cats" in printed


def test_a_book_that_could_not_be_rated_in_time_is_not_written(
    tmp_path: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    def endless(puzzle: object) -> None:
        while True:
            pass

    monkeypatch.setattr("jigsat.services.sheet.rating", endless)
    done = command(
        capsys, "sheet", "push-pull", "-o", tmp_path / "book.html", "--sort", "--timeout", "0.3"
    )
    assert done == (
        3,
        "",
        "jigsat: push-pull: stopped by timeout while rating; --timeout raises the limit\n",
    )
    assert list(tmp_path.iterdir()) == []


def test_a_book_that_could_not_be_solved_in_time_is_written(
    tmp_path: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    def endless(puzzle: Puzzle) -> None:
        while puzzle.name != "push-pull":
            pass

    monkeypatch.setattr("jigsat.services.sheet.first_solution", endless)
    file = tmp_path / "book.html"
    names = ["push-pull", "lights-5x5", "sudoku-hard"]

    def stop_after(seconds: float) -> Done:
        file.unlink(missing_ok=True)
        return command(capsys, "sheet", *names, "-o", file, "--timeout", str(seconds))

    done = with_time(stop_after, lambda done: "lights-5x5: stopped" in done.err, seconds=0.5)
    assert done.status == 3
    _, wrote, stopped = done.err.splitlines()
    assert wrote == f"wrote {file}: 3 puzzles"
    assert (
        stopped
        == "jigsat: lights-5x5: stopped by timeout while solving; --timeout raises the limit"
    )
    assert words(sections(file)[-1]).count("no solution found; the search was stopped") == 2


@pytest.mark.parametrize("suffix", ["pdf", "svg"])
def test_pages_that_are_not_laid_out_in_time_are_not_written(
    suffix: str, tmp_path: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    typst = pytest.importorskip("typst")

    def compile_late(*_: object, **__: object) -> bytes:
        time.sleep(LONG)
        return b"%PDF"

    monkeypatch.setattr(typst, "compile", compile_late)
    file = tmp_path / f"book.{suffix}"

    def stop_after(seconds: float) -> Done:
        return command(
            capsys, "sheet", "push-pull", "--no-solutions", "-o", file, "--timeout", str(seconds)
        )

    done = with_time(stop_after, lambda done: f"{file}: not written" in done.err, seconds=0.5)
    assert done == (
        3,
        "",
        f"jigsat: {file}: not written: stopped by timeout; --timeout raises the limit\n",
    )
    assert list(tmp_path.iterdir()) == []


def test_drawing_the_boards_ends_at_the_limit(
    tmp_path: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    def endless(*_: object, **__: object) -> None:
        while True:
            pass

    monkeypatch.setattr("jigsat.services.sheet.draw_puzzle", endless)
    done = command(capsys, "sheet", "push-pull", "-o", tmp_path / "book.html", "--timeout", "0.5")
    assert (done.status, done.out) == (3, "")
    assert done.err.startswith("jigsat: the pages: stopped by timeout while drawing the puzzles;")
    assert list(tmp_path.iterdir()) == []


def test_puzzles_that_are_not_unique_are_named(tmp_path: Path, capsys: Capture) -> None:
    for name, grid in {
        "good": "1234341221434321",
        "open": "................",
        "wrong": "1.1.............",
    }.items():
        (tmp_path / f"{name}.toml").write_text(f'family = "sudoku"\ngrid = "{grid}"\n')
    files = [tmp_path / f"{name}.toml" for name in ("good", "open", "wrong")]
    done = command(capsys, "sheet", *files, "push-pull", "cube", "-o", tmp_path / "book.html")
    assert done.err.splitlines()[:-1] == [
        "jigsat: open: there are several solutions, and one of them is printed",
        "jigsat: wrong: there is no solution; `jigsat solve` says why",
    ]  # the file of the cube states that there are several


def test_a_mirror_image_is_no_other_solution_and_what_is_not_known_is_said(
    tmp_path: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    file, book = tmp_path / "table.toml", tmp_path / "book.html"
    file.write_text('family = "seating"\ntables = "round 3"\nguests = ["Ada", "Bob", "Cy"]\n')
    assert command(capsys, "sheet", file, "-o", book).err == f"wrote {book}: 1 puzzle\n"
    # A search that is not over before anybody looks at the clock.
    file.write_text(instance.find("fish").read_text().partition("[known]")[0])
    monkeypatch.setattr("jigsat.services.sheet.MAX_SECOND_S", 0.0)
    done = command(capsys, "sheet", file, "-o", book)
    assert (
        done.err.splitlines()[0]
        == "jigsat: table: it may have other solutions: none was found in 0 s"
    )


PAIRS = 'wishes = [{beside = ["A", "B"]}, {beside = ["B", "C"]}, {beside = ["C", "D"]}]'


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (
            f'family = "seating"\ntables = "round 5"\nguests = ["A", "B", "C", "D", "E"]\n{PAIRS}',
            "the only best solution, apart from turning or mirroring it",
        ),  # ten seatings
        (
            'family = "lights-out"\nboard = "square 4x4"\nlit = "##..\\n#...\\n....\\n...."',
            "the only best solution",
        ),
        (
            instance.find("lights-5x5").read_text(),
            "the only best solution, apart from turning it",
        ),  # four
    ],
    ids=["turned and mirrored", "alone", "turned"],
)
def test_the_page_says_apart_from_what_a_solution_is_the_only_one(
    text: str, says: str, tmp_path: Path, capsys: Capture
) -> None:
    (tmp_path / "best.toml").write_text(text)
    file = tmp_path / "best.html"
    assert command(capsys, "sheet", tmp_path / "best.toml", "-o", file).status == 0
    assert re.findall("<p>(the only best solution[^<]*)", file.read_text()) == [says]


@pytest.mark.parametrize(
    ("grid", "known", "warning"),
    [
        (
            "12.......1.2....",  # 3 and 4 can be exchanged
            "",
            "there are several solutions, and one of them is printed",
        ),
        (
            "................",
            "[known]\nsolutions = 1\n",
            "the file states that there is one solution, but there are several solutions, and one "
            "of them is printed",
        ),
        (
            "................",
            "[known]\nsolutions = 0\n",
            "the file states that there is no solution, but one is printed",
        ),
    ],
    ids=["exchanged", "not one", "not none"],
)
def test_a_solution_that_is_not_the_only_one_is_not_called_so(
    grid: str, known: str, warning: str, tmp_path: Path, capsys: Capture
) -> None:
    puzzle, file = tmp_path / "odd.toml", tmp_path / "odd.html"
    puzzle.write_text(f'family = "sudoku"\ngrid = "{grid}"\n{known}')
    done = command(capsys, "sheet", puzzle, "-o", file)
    assert (done.status, done.err.splitlines()[0]) == (0, f"jigsat: odd: {warning}")
    assert "the only" not in file.read_text()


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (
            ["cats", "-o", "book.doc"],
            "book.doc: unknown suffix; name a file that ends in .pdf, .html or .svg",
        ),
        (["cats", "-o", "book"], "book: no suffix; name a file that ends in .pdf, .html or .svg"),
        (
            ["cats", "-o", "nowhere/book.html"],
            "nowhere/book.html: cannot be written: no such directory",
        ),
        (
            ["cats", "-o", "book.html", "--paper", "a3"],
            "--paper: unknown size 'a3'; use one of 'a4', 'letter', 'a5', '6x9in'",
        ),
        (
            ["cats", "-o", "book.html", "--backs", "name"],
            "--backs: unknown kind 'name'; use one of 'numbers', 'empty', 'none'",
        ),
        (
            ["cats", "-o", "book.html", "--chapter", "Tiles"],
            "--chapter Tiles: write FAMILY=TITLE, such as sudoku=Sudokus",
        ),
        (
            ["cats", "-o", "book.html", "--chapter", "tile=Tiles"],
            "--chapter tile=Tiles: unknown family 'tile'",
        ),
        (
            ["cats", "-o", "book.html", "--chapter", "edge-matching=Tiles"],
            "--chapter: only a book has it; add --title",
        ),
        (["cats", "-o", "a.html", "--backs", "none"], "--backs: only a book has it; add --title"),
        (["cats", "-o", "a.html", "--author", "Ada"], "--author: only a book has it; add --title"),
        (
            ["cats", "-o", "a.html", "--title", "A", "--backs", "none"],
            "--backs: an HTML file has none; name a .pdf file",
        ),
        (
            ["cats", "-o", "a.html", "--title", "A\nB"],
            "--title: write it on one line, without control characters",
        ),
        (
            ["cats", "-o", "a.html", "--title", "A", "--author", "\x07"],
            "--author: write it on one line, without control characters",
        ),
        (
            ["cats", "-o", "a.html", "--title", "A", *["--chapter", "edge-matching=Y"] * 2],
            "--chapter edge-matching=Y: the chapter of edge-matching has two titles",
        ),
        (
            ["cats", "-o", "a.html", "--bleed", "3"],
            "--bleed: an HTML file has none; name a .pdf file",
        ),
        (
            ["cats", "-o", "a.html", "--title", "A", "--chapter", "sudoku=Numbers"],
            "--chapter sudoku: no puzzle of this family is printed",
        ),
        (["cats", "katze", "-o", "book.html"], "katze: unknown instance"),
        (["cats"], "Missing option '-o' / '--output'"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_wrong_input_is_one_line(
    arguments: list[str],
    says: str,
    tmp_path: Path,
    capsys: Capture,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    done = command(capsys, "sheet", *arguments)
    assert (done.status, done.out, done.err.count("\n")) == (2, "", 1)
    assert says in done.err
    assert list(tmp_path.iterdir()) == []


def test_a_book_that_cannot_be_written_is_one_line(tmp_path: Path, capsys: Capture) -> None:
    (tmp_path / "book.html").mkdir()
    done = command(capsys, "sheet", "push-pull", "-o", tmp_path / "book.html")
    assert done == (2, "", f"jigsat: {tmp_path / 'book.html'}: cannot be written: is a directory\n")


def test_a_folder_without_puzzles_is_one_line(tmp_path: Path, capsys: Capture) -> None:
    done = command(capsys, "sheet", tmp_path, "-o", tmp_path / "a.pdf")
    assert done == (2, "", f"jigsat: {tmp_path}: the folder has no .toml files\n")


def test_a_titled_book_has_chapters_contents_and_levels(tmp_path: Path, capsys: Capture) -> None:
    grids, file = ("1..2" + "." * 12, "12..3412" + "." * 6 + "21"), tmp_path / "book.html"
    (tmp_path / "several.txt").write_text("\n".join(grids * 2) + "\n", encoding="utf-8")
    puzzles = [tmp_path / "several.txt", "cats", "lights-5x5", "cats", "sudoku-4x4-empty"]
    options = ["--title", "Rainy <days>", "--author", "Ada", "--chapter", "edge-matching=Tiles"]
    assert command(capsys, "sheet", *puzzles, "-o", file, *options).status == 0
    assert "<title>Rainy &lt;days&gt;</title>" in file.read_text(encoding="utf-8")
    cover, contents, sudokus, tiles, lights, solutions, pieces = sections(file)
    assert words(cover).endswith("Rainy <days> 8 puzzles Ada")
    assert re.search(
        r"Sudokus 1 several-1 ●.. 2 .* 5 .* Tiles 6 ●●. 7 ●●. Lights Out 8 Lights Out, all lit ●",
        words(contents),
    )
    assert words(sudokus).count("Write a digit (1 to 4)") == 1
    assert "Sudokus Write a digit" in words(sudokus)
    assert "Tiles Nine cats Place one tile" in words(tiles)
    assert "Use the pieces of puzzle 6." in words(tiles)
    assert "solution" in words(lights)
    assert pieces.count("<svg ") == 9 + 1, "the second set of cats is not printed"
    for number in range(1, 9):
        assert f'id="solution-{number}"' in solutions and f'href="#puzzle-{number}"' in contents
        assert f'id="puzzle-{number}"' in "".join([sudokus, tiles, lights])


def test_generated_titles_are_not_printed_in_a_book(tmp_path: Path, capsys: Capture) -> None:
    made, file = tmp_path / "made", tmp_path / "book.html"
    command(capsys, "generate", "latin", "--set", "order=3", "--count", 2, "-o", made)
    assert "no. 2" in instance.load(sorted(made.iterdir())[1]).title
    single = made / "z.toml"
    command(capsys, "generate", "sudoku", "--set", "size=4", "-o", single)
    assert instance.load(single).title == "Sudoku 4×4"
    options = ["--title", "A book", "--no-solutions", "-o", file]
    assert command(capsys, "sheet", made, *options).status == 0
    assert "no. 2" not in words("".join(sections(file)))
    assert "4×4" not in words("".join(sections(file)))
    assert "order" not in words(sections(file)[1]), "the contents"


def test_a_titled_book_needs_pages(tmp_path: Path, capsys: Capture) -> None:
    done = command(
        capsys, "sheet", "cats", "--title", "A", "--no-solutions", "-o", tmp_path / "a.svg"
    )
    assert (done.status, done.err.count("one page, but more are needed")) == (2, 1)


def test_a_piece_with_one_cell_on_a_layer_has_a_disc_there() -> None:
    solution = first_solution(instance.load("soma"))
    assert solution
    root = ElementTree.fromstring(instance.load("soma").svg(solution))
    assert all(
        (line.get("x1"), line.get("y1")) != (line.get("x2"), line.get("y2"))
        for line in root.iter(f"{SVG}line")
    )


def test_pieces_in_a_box_are_drawn_in_space_beside_their_layers() -> None:
    board, *pieces = instance.load("soma").parts()
    faces = [
        len(ElementTree.fromstring(part.svg).findall(f"{SVG}g/{SVG}polygon"))
        for part in (board, *pieces)
    ]
    assert faces == [0, 9, 12, 12, 12, 12, 12, 12]  # three for each cube


def test_pieces_in_a_coloured_box_are_named_on_every_layer() -> None:
    board = "bw\nwb\n\nwb\nbw"
    box = instance.parse(
        {"family": "tiling", "board": board, "pieces": {"x": {"shape": "bw", "uses": 4}}},
        name="box",
        origin="box",
    )
    drawn = box.text(first_solution(box) or ())
    assert drawn.count("x b") == drawn.count("x w") == 4


def test_pieces_are_put_in_without_passing_through_others() -> None:
    puzzle = instance.load("soma")
    solid = puzzle.solid(first_solution(puzzle) or ())
    assert solid
    order = order_blocks(solid.blocks)
    assert {block for block, _ in order} == {*solid.blocks}
    inside: set[tuple[int, int, int]] = set()
    for block, way in order:
        assert way == "from above"
        for lifted in range(1, 4):
            assert not inside & {
                (layer - lifted, row, column) for layer, row, column in block.cells
            }
        inside |= {*block.cells}


def test_a_piece_within_another_cannot_be_put_in() -> None:
    shell = tuple(cell for cell in product(range(3), repeat=3) if cell != (1, 1, 1))
    assert (
        order_blocks([Block("shell", shell, "#ffffff"), Block("core", ((1, 1, 1),), "#ffffff")])
        == []
    )
    open_shell = tuple(cell for cell in shell if cell != (1, 2, 1))
    order = order_blocks(
        [Block("shell", open_shell, "#ffffff"), Block("core", ((1, 1, 1),), "#ffffff")]
    )
    assert [(block.piece, way) for block, way in order] == [
        ("shell", "from above"),
        ("core", "from the front"),
    ]


def test_generated_tiles_have_the_pictures_of_a_folder(tmp_path: Path, capsys: Capture) -> None:
    art, made = tmp_path / "art", tmp_path / "made"
    art.mkdir()
    for number, name in enumerate(("sun", "moon", "star", "leaf", "rose", "wave", "fish")):
        shape = f'<circle cx="5" cy="5" r="{number / 2 + 1}"/>'
        (art / f"{name}.svg").write_text(
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 10 10">{shape}</svg>'
        )
    tiles = (
        "generate",
        "edge-matching",
        "--set",
        "board=square 2x2",
        "--set",
        f"pictures={art}",
        "--count",
        2,
        "-o",
        made,
    )
    assert command(capsys, *tiles).status == 0
    shutil.move(art, tmp_path / "elsewhere")  # the pictures are part of the puzzles
    for file in made.iterdir():
        puzzle = instance.load(file)
        assert {label for tile in puzzle.tiles.values() for label in tile.sides} == {
            *puzzle.pictures
        }
    assert command(capsys, "sheet", made, "-o", tmp_path / "book.html").status == 0
    assert (tmp_path / "book.html").read_text(encoding="utf-8").count("data:image/svg+xml") > 8
    wrong = command(capsys, *tiles[:5], f"pictures={art}", "-o", tmp_path / "a.toml")
    assert (wrong.status, wrong.err.count("\n"), "not a folder" in wrong.err) == (2, 1, True)


def test_steps_on_paper_end_like_the_steps_of_the_terminal(tmp_path: Path, capsys: Capture) -> None:
    """Nothing follows in this puzzle with three solutions, but something is left to decide."""
    file = tmp_path / "two.toml"
    file.write_text('family = "heyawake"\nrooms = "AA"\n')
    sheet = tmp_path / "two.html"
    assert command(capsys, "sheet", str(file), "--steps", "-o", str(sheet)).status == 0
    end = command(capsys, "steps", str(file)).out.splitlines()[-1]
    assert end == "several solutions: 2 placements in some but not in all"
    assert end in sheet.read_text()


def test_steps_of_an_easy_sudoku_are_small_and_say_once_what_their_pictures_show() -> None:
    """While nothing is excluded, the pictures need no pencil marks, so twelve and more fit on a
    page."""
    pytest.importorskip("typst")
    puzzle = instance.load("sudoku-6x6")
    *_, end = lay_out(SheetRequest([puzzle], steps=True, solutions=False))
    assert isinstance(end, LaidOut)
    (printed,) = end.document.puzzles()
    first, *steps = printed.steps
    assert "Red frame: here something follows now." in first.lines[0]
    captions = [picture.caption for step in steps for picture in step.pictures]
    assert len(captions) > 15 and not any("Red frame" in caption for caption in captions)
    assert all(picture.width < 45 for step in steps for picture in step.pictures)
    pages = apart(typeset, end.document, ".svg", timeout=120)
    assert len(pages) <= 2 + len(steps) / 12


def test_the_steps_lead_to_the_solution_that_is_printed() -> None:
    """Four tiles fit in four ways, and the first that is found is not the one of the steps."""
    tiles = {
        "sun": ["green", "blue", "gold", "gold"],
        "moon": ["red", "red", "blue", "gold"],
        "star": ["green", "red", "blue", "gold"],
        "sea": ["green", "gold", "blue", "green"],
    }
    data = {"family": "edge-matching", "board": "square 2x2", "tiles": tiles}
    puzzle = instance.parse(data, name="four", origin="a test")
    *_, last = find_steps(puzzle)
    reached = (*last.board, *last.placed)
    assert not list(puzzle.check(reached))
    assert set(first_solution(puzzle) or ()) != set(reached)
    *_, end = lay_out(SheetRequest([puzzle], steps=True))
    assert isinstance(end, LaidOut)
    (printed,) = end.document.puzzles()
    assert printed.solution and len(printed.steps) > 2
    assert printed.solution.pictures == draw_solution(puzzle, reached).pictures
    # What the frames mean is text, not a part of the picture, which would make it small.
    (picture,) = printed.steps[1].pictures
    assert "Red frame: here something follows now." in printed.steps[0].lines[0]
    assert "Red frame" not in picture.svg


BOOK = """title = "Rainy days"
author = "Ada"
paper = "6x9in"
cover = "cover.svg"
sort = true

[[chapters]]
title = "Numbers & more"
text = "Write them with a pencil."
files = ["sudokus", "lights-5x5"]

[[chapters]]
title = "Scissors"
files = ["cats"]
"""


def write_book_file(folder: Path, text: str = BOOK) -> Path:
    """A folder with a book file, its cover, and a folder with a puzzle."""
    (folder / "sudokus").mkdir()
    (folder / "sudokus" / "one.toml").write_text(
        'family = "sudoku"\ntitle = "One"\ngrid = "1234341221434321"\n'
    )
    shape = '<rect width="9" height="9"/>'
    (folder / "cover.svg").write_text(
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 10 10">{shape}</svg>'
    )
    (folder / "book.toml").write_text(text)
    return folder / "book.toml"


def test_a_file_describes_a_book(tmp_path: Path, capsys: Capture) -> None:
    file = tmp_path / "book.html"
    done = command(capsys, "sheet", write_book_file(tmp_path), "-o", file)
    assert (done.status, done.err) == (0, f"wrote {file}: 3 puzzles\n")
    assert "size: 152.4mm 228.6mm" in file.read_text("utf-8")
    cover, contents, *_ = sections(file)
    assert words(cover).endswith("Rainy days 3 puzzles Ada") and "data:image/svg+xml" in cover
    assert "Numbers & more Sudokus 1 " in words(contents) and "Scissors 3 Nine cats" in words(
        contents
    )
    assert "Write them with a pencil." in words(sections(file)[2])


def test_a_book_may_have_no_cover(tmp_path: Path, capsys: Capture) -> None:
    file = tmp_path / "book.html"
    book = write_book_file(tmp_path, BOOK.replace('"cover.svg"', "false"))
    assert command(capsys, "sheet", book, "-o", file).status == 0
    first, *_ = sections(file)
    assert "Contents" in words(first) and "Ada" not in words(first)


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ('cover = "cover.svg"', "cover = true", "book.toml: cover: "),
        ('paper = "6x9in"', 'paper = "a3"', "book.toml: paper: unknown size 'a3'; use one of 'a4'"),
        ("author", "auhtor", "unknown entry 'auhtor'; did you mean 'author'?"),
        ('files = ["cats"]', "files = []", "chapters.1.files: expected at least 1 entry"),
        ("cover.svg", "cower.svg", "book.toml: cover: "),
        ("[[chapters]]", '[fonts]\nfolder = "letters"\n[[chapters]]', "book.toml: fonts.folder: "),
        ('"lights-5x5"', '"lights-9x5"', "lights-9x5: unknown instance"),
        ('"Scissors"', '"Sci\\nssors"', "book.toml: chapters.1.title: write it on one line"),
    ],
)
def test_a_wrong_book_file_is_one_line(
    old: str, new: str, says: str, tmp_path: Path, capsys: Capture
) -> None:
    book = write_book_file(tmp_path, BOOK.replace(old, new, 1))
    done = command(capsys, "sheet", book, "-o", tmp_path / "book.html")
    assert (done.status, done.out, done.err.count("\n")) == (2, "", 1)
    assert says in done.err


def test_a_font_that_is_not_there_is_named(tmp_path: Path, capsys: Capture) -> None:
    pytest.importorskip("typst")
    file = tmp_path / "book.pdf"
    for font, says in [
        ("Libertinus Serf", "there is no font 'Libertinus Serf'; did you mean 'Libertinus Serif'?"),
        ("Qqq", "there is no font 'Qqq'; install it, or name its folder in fonts.folder"),
    ]:
        (tmp_path / "own.toml").write_text(
            f'title = "A"\nsolutions = false\n[fonts]\nheadings = "{font}"\n'
            f'[[chapters]]\ntitle = "C"\nfiles = ["lights-5x5"]\n'
        )
        done = command(capsys, "sheet", tmp_path / "own.toml", "-o", file)
        assert (done.status, done.err) == (
            2,
            f"jigsat: {file}: not written: fonts.headings: {says}\n",
        )
    text = (tmp_path / "own.toml").read_text().replace("Qqq", "libertinus serif")
    (tmp_path / "own.toml").write_text(text)
    assert command(capsys, "sheet", tmp_path / "own.toml", "-o", file).status == 0


def test_what_a_web_page_has_not_is_told(tmp_path: Path, capsys: Capture) -> None:
    book = write_book_file(tmp_path, BOOK.replace("[[chap", "bleed = 3\n[fonts]\n[[chap", 1))
    done = command(capsys, "sheet", book, "-o", tmp_path / "book.html")
    warning = f"jigsat: {book}: bleed and fonts left out, because an HTML file has none"
    assert (done.status, done.err.splitlines()[0]) == (0, warning)


def test_puzzles_that_are_not_as_requested_are_left_out_of_a_folder(
    tmp_path: Path, capsys: Capture
) -> None:
    folder, pages = tmp_path / "made", tmp_path / "pages.html"
    folder.mkdir()
    made = {
        "as-asked": ("sudoku-6x6", "jigsat generate sudoku --set size=6 --seed 1, number 1"),
        "kept": ("lights-5x5", "jigsat generate lights-out --seed 1, number 2; it is easy"),
    }
    for name, (source, command_line) in made.items():
        puzzle = instance.load(source).model_copy(update={"source": command_line})
        (folder / f"{name}.toml").write_text(instance.instance_text(puzzle))
    kept = "jigsat: kept: not as requested from `jigsat generate`, because it is easy"

    done = command(capsys, "sheet", folder, "-o", pages, "--no-solutions")
    assert done.err == (f"{kept}; left out; to print it, name its file\nwrote {pages}: 1 puzzle\n")
    done = command(capsys, "sheet", folder, folder / "kept.toml", "-o", pages, "--no-solutions")
    assert done.err.endswith(f"{kept}; printed all the same\nwrote {pages}: 2 puzzles\n")

    book = write_book_file(tmp_path, 'title = "B"\n[[chapters]]\ntitle = "C"\nfiles = ["made"]\n')
    done = command(capsys, "sheet", book, "-o", pages)
    assert done.err.endswith(f"wrote {pages}: 1 puzzle\n")
    (folder / "as-asked.toml").unlink()
    done = command(capsys, "sheet", folder, "-o", pages)
    assert (done.status, "no puzzle is left to print" in done.err) == (2, True)


def test_families_of_a_chapter_are_groups_with_their_names() -> None:
    names = ("kakuro-2", "lights-5x5", "slitherlink-3", "kakuro-2", "cats")
    puzzles = [jigsat.load(name) for name in names]
    request = SheetRequest(
        puzzles, "A book", solutions=False, keys=["all"] * 4 + ["tiles"], titles={"all": "Mixed"}
    )
    *_, end = lay_out(request)
    assert isinstance(end, LaidOut)
    mixed, tiles = end.document.chapters
    assert [group.subtitle for group in mixed.groups] == ["Kakuro", "Lights Out", "Slitherlink"]
    assert [len(group.puzzles) for group in mixed.groups] == [2, 1, 1]
    assert [len(group.rules) > 0 for group in mixed.groups] == [True] * 3, "once for each kind"
    assert not any(puzzle.rules for group in mixed.groups for puzzle in group.puzzles)
    assert [group.subtitle for group in tiles.groups] == [""]


def test_the_pages_name_the_families_of_a_chapter(tmp_path: Path, capsys: Capture) -> None:
    """In the contents, above the puzzles, below the author's text, and above the solutions."""
    text = (
        'title = "B"\n[[chapters]]\ntitle = "Pencils"\ntext = "By the author."\n'
        'files = ["kakuro-2", "slitherlink-3"]\n'
    )
    file = tmp_path / "book.html"
    done = command(capsys, "sheet", write_book_file(tmp_path, text), "-o", file)
    assert done.status == 0
    _, contents, kakuro, slitherlink, solutions = map(words, sections(file))
    for part in (contents, solutions):
        assert re.search(r" Kakuro\b.* Slitherlink\b", part)
    assert " Pencils By the author. Kakuro Write a digit" in kakuro
    assert " Slitherlink Draw one loop" in slitherlink and "Pencils" not in slitherlink


def test_crosswords_with_and_without_questions_are_groups_with_their_rules() -> None:
    questions = {"1 across": "A", "1 down": "B", "2 down": "C", "3 across": "D"}
    words = ["ARM", "AXE", "MUD", "END"]
    puzzles = []
    for own in ({"questions": questions}, {}) * 2:
        data = {"family": "crossword", "grid": "...\n.#.\n...", "words": words, **own}
        puzzles.append(instance.parse(data, name="small", origin="a test"))
    *_, end = lay_out(SheetRequest(puzzles, "A book", solutions=False))
    assert isinstance(end, LaidOut)
    (chapter,) = end.document.chapters
    assert [len(group.puzzles) for group in chapter.groups] == [2, 2]
    for group in chapter.groups:
        assert group.rules[0].startswith("Write a letter into each white square")
        assert not any("Write a letter" in rule for p in group.puzzles for rule in p.rules)


def test_a_clue_that_a_book_prints_twice_is_named() -> None:
    puzzles = []
    for word, clue in (("MUD", "Wet earth"), ("MAD", "Cross"), ("MUD", "Wet earth")):
        data = {
            "family": "crossword",
            "grid": "...",
            "words": [word],
            "questions": {"1 across": clue},
        }
        puzzles.append(instance.parse(data, name=f"p{len(puzzles) + 1}", origin="a test"))
    questions = {"1 across": "Wet earth", "3 across": "At last"}
    words = ["MUD", "END"]
    data = {"family": "crossword", "grid": "...\n.#.\n...", "words": words, "questions": questions}
    puzzles.append(instance.parse(data, name="p4", origin="a test"))
    for title, expected in (("A book", ["p4"]), ("", [])):
        events = [*lay_out(SheetRequest(puzzles, title, solutions=False))]
        doubted = [event for event in events if isinstance(event, Doubted)]
        assert [event.puzzle.name for event in doubted] == expected
        if doubted:
            assert doubted[0].words == "the clue “Wet earth (3)” is in puzzle 1, too"


def test_a_puzzle_that_is_printed_twice_is_named(tmp_path: Path, capsys: Capture) -> None:
    file = tmp_path / "book.html"
    (tmp_path / "same.toml").write_text(instance.instance_text(instance.load("lights-5x5")))
    puzzles = ["lights-5x5", "cats", tmp_path / "same.toml"]
    done = command(capsys, "sheet", *puzzles, "-o", file, "--no-solutions")
    warning = "jigsat: 1 puzzle printed more than once; the first: lights-5x5"
    assert (done.status, done.err.splitlines()[0]) == (0, warning)


@pytest.mark.parametrize("arguments", [("sheet", "cats"), ("solve",)])
def test_a_book_is_no_puzzle(arguments: tuple[str, ...], tmp_path: Path, capsys: Capture) -> None:
    book = write_book_file(tmp_path)
    output = ["-o", tmp_path / "a.html"] if arguments[0] == "sheet" else []
    done = command(capsys, *arguments, book, *output)
    assert (done.status, done.err.count("\n")) == (2, 1)
    assert f"jigsat: {book}: describes a book, and a puzzle is needed here; `jigsat sh" in done.err


@pytest.mark.parametrize("title", ["x" * 201, "A\nB"])
def test_a_refused_title_leaves_no_folder(title: str, tmp_path: Path, capsys: Capture) -> None:
    pytest.importorskip("typst")
    folder = tmp_path / "new"
    options = ["--set", "order=3", "--count", "2", "--sheet", "--title", title]
    done = command(capsys, "generate", "latin", *options, "-o", folder)
    assert (done.status, done.err.count("\n")) == (2, 1)
    assert not folder.exists()


@pytest.mark.parametrize(
    ("option", "value"),
    [("--title", "Other"), ("--paper", "a4"), ("--backs", "numbers"), ("--bleed", "3")],
)
def test_a_book_file_has_the_options_of_its_book(
    option: str, value: str, tmp_path: Path, capsys: Capture
) -> None:
    book = write_book_file(tmp_path)
    done = command(capsys, "sheet", book, "-o", tmp_path / "book.html", option, value)
    assert (done.status, done.err) == (
        2,
        f"jigsat: {option}: {book} describes the book; write this into the file\n",
    )
