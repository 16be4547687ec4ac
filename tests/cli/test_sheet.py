"""Puzzles to print: `jigsat sheet`."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from xml.etree import ElementTree

import pytest
from support.command import run
from support.inside import jigsat as command
from support.pdf import CUT_MM, measure

import jigsat
from jigsat import instance
from jigsat.answering.enumeration import first_solution
from jigsat.pictures import Block, Part, order_blocks, printing
from jigsat.pictures.pages import PAPERS
from jigsat.pictures.printing import Section, book, share_pieces, titled_book
from jigsat.pictures.rendering import HTML
from jigsat.puzzle import Puzzle

Capture = pytest.CaptureFixture[str]
Box = tuple[float, float, float, float]

SVG = "{http://www.w3.org/2000/svg}"
POINTS = 72 / 25.4

UNSOLVABLE = (
    'family = "tiling"\ntitle = "A lone corner"\nboard = "###\\n.#."\n[pieces]\na = '
    '"##"\nb = "##"\n'
)


def sections(*names: str) -> list[Section]:
    puzzles = [puzzle for name in names for puzzle in instance.load_all(name)]
    return [Section(puzzle.name, [*puzzle.rules()], puzzle.parts()) for puzzle in puzzles]


def boxes(page: str) -> Iterator[Box]:
    """Left, top, right and bottom of each picture in millimetres."""
    for child in ElementTree.fromstring(page).findall(f"{SVG}svg"):
        x, y, width, height = (float(child.get(name, 0)) for name in ("x", "y", "width", "height"))
        yield x, y, x + width, y + height


def words(pages: str) -> str:
    return " ".join(
        element.text or ""
        for element in ElementTree.fromstring(f"<all>{pages}</all>").iter(f"{SVG}text")
    )


def pages(file: Path) -> list[str]:
    """The SVG documents in a web page."""
    _, *parts = file.read_text(encoding="utf-8").split('<svg class="page" ')
    return ["<svg " + part[: part.rindex("</svg>") + 6] for part in parts]


EVERY_FAMILY = (
    "cats", "hexagons", "macmahon-triangles", "icosahedron", "cube", "cube-flat", "pentagons",
    "pentominoes-6x10", "soma",
    "black-and-white", "lights-5x5", "lights-torus", "sudoku-hard", "latin-4", "dinner",
    "exact-cover-colours",
)  # fmt: skip


@pytest.mark.parametrize("paper", PAPERS)
def test_everything_is_on_the_paper_and_nothing_overlaps(paper: str) -> None:
    wide, high = PAPERS[paper]
    whole, found = sections(*EVERY_FAMILY), 0
    for page in book(whole, "a note", PAPERS[paper]):
        root = ElementTree.fromstring(page)
        assert (root.get("width"), root.get("height")) == (f"{wide:g}mm", f"{high:g}mm")
        there = list(boxes(page))
        found += len(there)
        for i, (left, top, right, bottom) in enumerate(there):
            assert left >= 12 and top >= 12 and right <= wide - 11.9 and bottom <= high - 12
            assert not any(
                left < r and x < right and top < b and y < bottom for x, y, r, b in there[:i]
            )
        for text in root.findall(f"{SVG}text"):
            y = float(text.get("y", 0))
            assert 12 <= y <= high - 9
            assert not any(
                x < float(text.get("x", 0)) < r and t + 0.1 < y < b - 0.1 for x, t, r, b in there
            )
    assert found == sum(len(section.parts) for section in whole)


def test_a_millimetre_is_a_millimetre() -> None:
    (page,) = book(sections("cats"))
    root = ElementTree.fromstring(page)
    assert (root.get("width"), root.get("viewBox")) == ("210mm", "0 0 210 297")
    (bar,) = (path.get("d", "") for path in root.findall(f"{SVG}path"))
    assert re.match(r"M[\d.]+ [\d.]+h50M", bar)
    assert "50 mm if printed at 100 %" in words(page)
    _, *tiles = root.findall(f"{SVG}svg")
    for tile in tiles:
        outline, *_ = (path.get("d", "") for path in tile.iter(f"{SVG}path"))
        xs = [float(x) for x in re.findall(r"[ML](-?[\d.]+) ", outline)]
        pixels = float(tile.get("viewBox", "").split()[2])
        assert (max(xs) - min(xs)) * float(tile.get("width", 0)) / pixels == pytest.approx(
            40, abs=0.02
        )


def test_pieces_are_scaled_like_the_board_on_which_they_are_laid() -> None:
    first, *others = book(sections("hexagons"))
    (left, _, right, _), *_ = boxes(first)
    tiles = {round(r - x, 2) for page in [first, *others] for x, _, r, _ in boxes(page)} - {
        round(right - left, 2)
    }
    assert len(tiles) == 1
    (tile,) = tiles
    assert (right - left) / tile == pytest.approx(
        5 * 3**0.5 / 2, rel=0.01
    )  # the hexagons on the board stand on a corner


def test_only_pieces_are_cut_out() -> None:
    said = {name: words("".join(book(sections(name)))) for name in ("cats", "soma", "sudoku-hard")}
    assert {name for name, text in said.items() if printing.CUT in text} == {"cats"}


@pytest.mark.parametrize(
    ("number", "per_page", "expected"),
    [(1, None, 1), (2, None, 1), (5, None, 2), (5, 1, 5), (5, 9, 1)],
)
def test_boards_without_pieces_share_pages(
    number: int, per_page: int | None, expected: int
) -> None:
    drawn = [*book(sections("sudoku-4x4-empty") * number, per_page=per_page)]
    assert len(drawn) == expected
    assert [len([*boxes(page)]) for page in drawn] == [
        min(number, per_page or 4),
        *([number % (per_page or 4) or 1] * (expected - 1)),
    ]


def test_a_page_that_is_cut_has_one_puzzle() -> None:
    several = sections("black-and-white", "sudoku-6x6", "black-and-white-rule", "dinner")
    assert [len([*boxes(page)]) for page in book(several)] == [
        len(puzzle.parts) for puzzle in several
    ]


def test_a_small_board_and_its_pieces_are_enlarged_alike() -> None:
    for name, scale in (
        ("black-and-white", 1.75),
        ("soma", 1.0),
        ("cats", 1.0),
        ("cube", 1.0),
        ("pentominoes-6x10", 1.0),
    ):
        (puzzle,) = sections(name)
        (page,) = book([puzzle])
        sizes = [right - left for left, _, right, _ in boxes(page)]
        assert sizes == pytest.approx([scale * part.width for part in puzzle.parts], abs=0.02), name


def test_many_rules_have_pages_of_their_own() -> None:
    (sudoku,) = sections("sudoku-hard")
    drawn = [*book([sudoku._replace(rules=["A rule that goes on and on. " * 20] * 40)] * 2)]
    assert words("".join(drawn)).count("goes on") == 40 * 20 * 2
    assert sum(len([*boxes(page)]) for page in drawn) == 2


# -- the command


@pytest.mark.parametrize("paper", PAPERS)
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
    assert f"as thick as a tooth is wide: {tooth} mm" in " ".join(
        jigsat.load(tmp_path / "made.toml").rules()
    )
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
    drawn = pages(file)
    assert len(drawn) == 4
    assert file.read_text(encoding="utf-8").startswith(HTML.partition("{")[0])
    assert "1. A lone corner" in words(drawn[0]) and "3. The little blue cube" in words(drawn[2])
    assert "There is no solution." in words(drawn[3])
    assert "one of 96 solutions, 2 up to rotation and reflection" in words(drawn[3])
    assert "15 presses" in words(drawn[3]), "the solution has the fewest presses"
    assert command(capsys, "sheet", "cube", "-o", file, "--no-solutions").status == 0
    assert len(pages(file)) == 1


def test_the_answer_is_printed_once(tmp_path: Path, capsys: Capture) -> None:
    file = tmp_path / "word.toml"
    file.write_text(
        'family = "tiling"\nboard = "bwbwb"\nletters = "ABCDE"\nleft_over = 2\n[pieces]\na = '
        '"wbw"\n'
    )
    assert command(capsys, "sheet", file, "-o", tmp_path / "word.html").status == 0
    assert words(pages(tmp_path / "word.html")[1]).count("AE") == 1


def names(page: str) -> list[str]:
    """The names of pieces, each with the number of its puzzle."""
    found = ElementTree.fromstring(page).iter(f"{SVG}text")
    return ["/".join(text.itertext()) for text in found if text.get("class") == "name"]


def test_pieces_of_several_puzzles_have_the_numbers_of_their_puzzles() -> None:
    cube, sudoku, cats = sections("cube", "sudoku-4x4-empty", "cats")
    assert [names(page) for page in book([cube])] == [[*"ABCDEF"]]
    first, _, third = book(
        [cube._replace(number=1), sudoku._replace(number=2), cats._replace(number=13)]
    )
    assert names(first) == ["A/1", "B/1", "C/1", "D/1", "E/1", "F/1"]
    assert names(third) == [f"{number}/13" for number in range(1, 10)]
    assert printing.NUMBERED in words(first)


@pytest.mark.parametrize(("two", "numbered"), [("cube-flat", True), ("sudoku-4x4-empty", False)])
def test_a_book_of_several_sets_numbers_their_pieces(
    two: str, numbered: bool, tmp_path: Path, capsys: Capture
) -> None:
    file = tmp_path / "book.html"
    assert command(capsys, "sheet", "cube", two, "--no-solutions", "-o", file).status == 0
    assert ("A/1" in names(pages(file)[0])) == numbered


def test_an_svg_file_has_one_page(tmp_path: Path, capsys: Capture) -> None:
    file = tmp_path / "page.svg"
    assert command(capsys, "sheet", "sudoku-hard", "-o", file, "--no-solutions").status == 0
    assert ElementTree.parse(file).getroot().get("width") == "210mm"
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
    first, solutions = pages(file)
    assert len([*boxes(first)]) == len([*boxes(solutions)]) == 2
    assert "1. several-1" in words(first) and "2. several-2" in words(solutions)


def test_the_easiest_puzzles_can_be_first(tmp_path: Path, capsys: Capture) -> None:
    file, several = tmp_path / "book.html", tmp_path / "several.txt"
    several.write_text(
        "1..2" + "." * 12 + "\n" + "12..3412" + "." * 6 + "21" + "\n", encoding="utf-8"
    )
    assert command(capsys, "sheet", several, "-o", file, "--sort", "--no-solutions").status == 0
    said = words("".join(pages(file)))
    assert "1. several-2" in said and "2. several-1" in said


def test_puzzles_with_the_same_title_are_told_apart_by_their_files(
    tmp_path: Path, capsys: Capture
) -> None:
    for name in ("one", "two"):
        (tmp_path / f"{name}.toml").write_text(UNSOLVABLE)
    out = tmp_path / "book.html"
    both = [tmp_path / "one.toml", tmp_path / "two.toml"]
    assert command(capsys, "sheet", *both, "cats", "--no-solutions", "-o", out).status == 0
    said = words("".join(pages(out)))
    assert (
        "1. A lone corner (one)" in said
        and "2. A lone corner (two)" in said
        and "3. Nine cats" in said
    )


def test_the_small_print_of_a_picture_is_as_large_as_a_caption() -> None:
    puzzle = instance.load("cube")
    svg = puzzle.svg([])
    note = next(
        text
        for text in ElementTree.fromstring(svg).iter(f"{SVG}text")
        if text.get("class") == "note"
    ).text
    (page,) = book([Section(str(i), [], [Part(svg, 180.0)]) for i in range(4)])
    lines = [
        text
        for text in ElementTree.fromstring(page).findall(f"{SVG}text")
        if text.text and text.text[:9] == (note or "")[:9]
    ]
    assert [float(line.get("font-size", 0)) for line in lines] == 4 * [printing.CAPTION]
    assert not any(
        text.get("class") == "note" for text in ElementTree.fromstring(page).iter(f"{SVG}text")
    )


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
    done = command(
        capsys, "sheet", "push-pull", "lights-5x5", "sudoku-hard", "-o", file, "--timeout", "0.5"
    )
    assert done.status == 3
    _, wrote, stopped = done.err.splitlines()
    assert wrote == f"wrote {file}: 3 puzzles on 2 pages"
    assert (
        stopped
        == "jigsat: lights-5x5: stopped by timeout while solving; --timeout raises the limit"
    )
    assert words(pages(file)[1]).count("no solution found; the search was stopped") == 2


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
    assert command(capsys, "sheet", file, "-o", book).err == f"wrote {book}: 1 puzzle on 2 pages\n"
    monkeypatch.setattr("jigsat.services.sheet.MAX_SECOND_S", 0.0)
    done = command(capsys, "sheet", file, "-o", book)
    assert (
        done.err.splitlines()[0]
        == "jigsat: table: it may have other solutions: none was found in 0 s"
    )


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
            ["cats", "-o", "book.html", "--paper", "a5"],
            "--paper: unknown size 'a5'; use one of 'a4', 'letter'",
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


def test_a_titled_book_has_contents_levels_and_the_rules_once(
    tmp_path: Path, capsys: Capture
) -> None:
    grids, file = ("1..2" + "." * 12, "12..3412" + "." * 6 + "21"), tmp_path / "book.html"
    (tmp_path / "several.txt").write_text("\n".join(grids * 6) + "\n", encoding="utf-8")
    names = [tmp_path / "several.txt", "cats", "black-and-white", "cube", "cats"]
    assert command(capsys, "sheet", *names, "-o", file, "--title", "Rainy <days>").status == 0
    cover, front, *drawn = pages(file)
    contents, whole = words(front), words("".join([front, *drawn]))
    assert words(cover).startswith("Rainy <days> 16 puzzles Sudoku · ")
    assert "<title>Rainy &lt;days&gt;</title>" in file.read_text(encoding="utf-8")
    entries = re.findall(r"(\d+)\. (\S.*?) (?:page )?(\d+) (?:solution )?(\d+)", contents)
    dots = [circle.get("fill") for circle in ElementTree.fromstring(front).iter(f"{SVG}circle")]
    levels = ["easy", "medium", "hard"]
    assert [int(number) for number, *_ in entries] == [*range(1, 17)]
    for i, (number, title, at, solved) in enumerate(entries):
        title, page = title.removesuffix(" …"), words(drawn[int(at) - 3])
        marked = re.search(rf"(easy|medium|hard) {number}\. {re.escape(title)}", page)
        assert bool(marked) == (i in (13, 14)), (
            "the other kinds have several puzzles of the same level"
        )
        if marked:
            assert dots[3 * (i - 13) : 3 * (i - 12)].count("#222") == levels.index(marked[1]) + 1
        assert re.search(rf"\b{number}\. {re.escape(title)}.*? Solution: page {solved}\b", page)
        assert re.match(
            rf"Solutions .*\b{number}\. {re.escape(title)}", words(drawn[int(solved) - 3])
        )
    assert "easy medium hard" in contents and len(dots) == 3 * 2 + 9
    assert (
        "Rules Sudoku (1–12) Write a digit" in contents
        and whole.count("Write a digit (1 to 4)") == 1
    )
    for number, page in enumerate(drawn, 3):
        assert f"Rainy <days>, page {number}" in words(page)
    solutions = next(
        number for number, page in enumerate(drawn) if words(page).startswith("Solutions ")
    )
    assert all(words(page).startswith("Solutions ") for page in drawn[solutions:])
    announcing = [
        number
        for number, page in enumerate(drawn, 3)
        if re.match(r"[A-Z][a-z ]+ \d+ puzzles?\b", words(page))
    ]
    fronts = [
        number
        for number, page in enumerate(drawn, 3)
        if "stroke-dasharray" in page and number not in announcing
    ]
    assert fronts and all(number % 2 for number in fronts)
    backs = [re.findall(r"no\. (\d+)", words(drawn[number - 2])) for number in fronts]
    assert all(len(back) > 300 and len({*back}) == 1 for back in backs)
    assert [back[0] for back in backs] == ["13", "14", "15"], (
        "the second set of cats is not printed"
    )
    assert (
        "Use the pieces of puzzle 13." in whole
        and "The pieces are for the puzzles 13, 16." in whole
    )
    assert all([*boxes(page)] or number - 1 in fronts for number, page in enumerate(drawn, 3)), (
        "no other page is empty"
    )
    assert sum(len([*boxes(page)]) for page in drawn[solutions:]) == 16


def test_pages_of_a_titled_book_are_filled() -> None:
    names = ["cube", "black-and-white", "cats", "cube", "soma", "pentominoes-6x10", "cats"] * 3
    numbered = [
        its._replace(title=f"{i}. {its.title.title()}") for i, its in enumerate(sections(*names), 1)
    ]
    solved = [Section(its.title, ["the only solution"], its.parts[:1]) for its in numbered]
    drawn = [
        page
        for page in titled_book("Many", "Ada", numbered, solved, PAPERS["a4"], None)[1:]
        if [*boxes(page)]
    ]
    fill = [(max(bottom for *_, bottom in boxes(page)) - 12) / (297 - 24) for page in drawn]
    assert sum(fill) / len(fill) > 0.7
    # none is on two pages
    beginnings = [
        re.findall(r"(\d+)\. [A-Z]", words(page))
        for page in drawn
        if not words(page).startswith("Solutions")
    ]
    assert sorted(int(number) for page in beginnings for number in page) == [*range(1, 22)]
    assert all(len(page) <= 1 for page in beginnings)


def test_a_folder_without_puzzles_is_one_line(tmp_path: Path, capsys: Capture) -> None:
    done = command(capsys, "sheet", tmp_path, "-o", tmp_path / "a.pdf")
    assert done == (2, "", f"jigsat: {tmp_path}: the folder has no .toml files\n")


def test_a_titled_book_needs_pages(tmp_path: Path, capsys: Capture) -> None:
    done = command(
        capsys, "sheet", "cats", "--title", "A", "--no-solutions", "-o", tmp_path / "a.svg"
    )
    assert (done.status, done.err.count("one page, but more are needed")) == (2, 1)


@pytest.mark.parametrize("paper", PAPERS)
def test_no_page_holds_a_single_tile(paper: str) -> None:
    drawn = [*book(sections("hexagons"), "", PAPERS[paper])]
    assert len(drawn) == 2
    assert min(len([*boxes(page)]) for page in drawn) > 3


def test_cutting_lines_are_dashed() -> None:
    _, tile, *_ = ElementTree.fromstring(next(book(sections("cats")))).findall(f"{SVG}svg")
    dark, white = [path for path in tile.iter(f"{SVG}path") if path.get("fill") == "none"][:2]
    assert dark.get("stroke-width") == white.get("stroke-width")
    assert white.get("stroke-dasharray") and not dark.get("stroke-dasharray")
    _, strip, *_ = instance.load("black-and-white").parts()
    sides = [path.get("d", "") for path in ElementTree.fromstring(strip.svg).iter(f"{SVG}path")]
    assert sides and not any(
        side.endswith("Z") for side in sides
    )  # a side drawn forth and back has no gaps between its dashes


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


def test_the_solution_of_a_packing_is_shown_step_by_step(tmp_path: Path, capsys: Capture) -> None:
    file = tmp_path / "soma.html"
    assert command(capsys, "sheet", "soma", "-o", file).status == 0
    _, solution = pages(file)
    found = re.findall(r"(\d)\. ([A-Z]) from above", words(solution))
    assert [number for number, _ in found] == [*"1234567"]
    assert {piece for _, piece in found} == {*"VLTZABP"}


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


def test_boards_that_share_pieces_are_enlarged_like_them() -> None:
    one = Section(
        "1",
        [],
        [
            Part('<svg width="50" height="50"/>', 60.0, kind="board"),
            Part("<svg/>", 20.0, kind="piece"),
        ],
    )
    first, second = share_pieces([one, one])
    assert [part.width for part in first.parts] == [75.0, 25.0], (
        "1.5 times 60 mm are too wide for two boards side by side"
    )
    assert [part.width for part in second.parts] == [75.0]
    assert share_pieces([one]) == [one]


def test_puzzles_with_the_same_title_share_a_line_of_the_contents() -> None:
    (board,) = sections("sudoku-4x4-empty")
    small = [
        board._replace(title=f"{i}. Small", level="easy" if i < 6 else "hard") for i in range(1, 8)
    ]
    titled = [*small, board._replace(title="8. Last", level="hard")]
    front = words(titled_book("Many", "Ada", titled, titled, PAPERS["a4"], None)[1])
    assert "1–5. Small page 3–4 solution 5 6–7. Small 4 5 8. Last page 4 solution 5" in front
