"""What is on the pages that are laid out: everything, once, at its true size, and nothing beside the
paper."""

from __future__ import annotations

import itertools
import re
import string
from collections.abc import Callable
from dataclasses import replace
from typing import Any
from xml.etree import ElementTree

import pytest
from support.typeset import POINT_MM, SVG, Box, Page, compose, draw, lay_out

from jigsat import instance
from jigsat.answering.enumeration import first_solution
from jigsat.errors import InputError
from jigsat.pictures import Part
from jigsat.pictures.pages import PAPERS
from jigsat.printing.parts import (
    IN_ORDER,
    Picture,
    PrintedPuzzle,
    PrintedSolution,
    Step,
    Style,
    draw_picture,
    draw_puzzle,
    draw_solution,
)
from jigsat.printing.typeset import typeset
from jigsat.runtime.child import apart

EVERY_FAMILY = (
    "cats", "hexagons", "macmahon-triangles", "icosahedron", "cube", "pentagons",
    "pentominoes-6x10", "soma", "black-and-white", "lights-5x5", "lights-torus", "sudoku-hard",
    "latin-4", "dinner", "exact-cover-colours",
)  # fmt: skip


def count_pictures(puzzles: list[PrintedPuzzle]) -> int:
    return sum(len(puzzle.boards + puzzle.models + puzzle.pieces) for puzzle in puzzles)


FIVE_POINTS_MM = 1.76
SMALL_WIDTH_MM = 160  # of paper with narrow margins


def overlap(box: Box, other: Box) -> bool:
    """Whether two boxes share more than a line of .01 mm."""
    beside = box.left >= other.right - 0.01 or other.left >= box.right - 0.01
    below = box.top >= other.bottom - 0.01 or other.top >= box.bottom - 0.01
    return not beside and not below


def require_on_paper(pages: list[Page], *, nothing_overlaps: bool = True) -> None:
    """Everything is within the margins of the pages; pictures do not overlap."""
    for page in pages:
        margin = 7.4 if page.width < SMALL_WIDTH_MM else 8.9
        for box in page.boxes:
            assert margin <= box.left and box.right <= page.width - margin
            assert box.top >= 11.9 and box.bottom <= page.height - 11.9
        if nothing_overlaps:
            assert not any(itertools.starmap(overlap, itertools.combinations(page.boxes, 2)))
        for x, y in page.letters:
            assert 5 < x < page.width - 5 and 5 < y < page.height - 5


@pytest.mark.parametrize(
    ("paper", "book"), [("a4", False), ("a5", False), ("letter", True), ("6x9in", True)]
)
def test_everything_is_on_the_paper_and_nothing_overlaps(paper: str, book: bool) -> None:
    puzzles = draw(*EVERY_FAMILY)
    cover, *pages = lay_out(compose(*puzzles, book=book, style=Style(paper, backs="none")))
    pages = pages if book else [cover, *pages]
    assert all((page.width, page.height) == pytest.approx(tuple(PAPERS[paper])) for page in pages)
    require_on_paper(pages)
    assert sum(len(page.boxes) for page in pages) == count_pictures(puzzles)


def test_a_millimetre_is_a_millimetre() -> None:
    puzzles = draw("cats")
    (page,) = lay_out(compose(*puzzles))
    assert 50.0 in page.lines, "the ruler"
    _, *tiles = page.boxes
    for tile, piece in zip(tiles, puzzles[0].pieces, strict=True):
        assert (tile.width, tile.bottom - tile.top) == pytest.approx((piece.width, piece.height))


def test_only_pages_that_are_cut_have_a_ruler() -> None:
    pages = lay_out(compose(*draw("sudoku-hard", "cats")))
    assert [50.0 in page.lines for page in pages] == [False, True]


def test_pieces_are_scaled_like_the_board_on_which_they_are_laid() -> None:
    (puzzle,) = draw("hexagons")
    board, *tiles = [box for page in lay_out(compose(puzzle)) for box in page.boxes]
    scale = board.width / puzzle.boards[0].width
    assert scale < 0.995
    for tile, piece in zip(tiles, puzzle.pieces, strict=True):
        assert tile.width / piece.width == pytest.approx(scale, rel=0.001)


def test_no_page_holds_a_single_tile() -> None:
    pages = lay_out(compose(*draw("hexagons")))
    assert len(pages) == 2
    assert len(pages[-1].boxes) > 3


@pytest.mark.parametrize(
    ("number", "per_page", "expected"),
    [(1, None, [1]), (4, None, [4]), (5, 1, [1] * 5), (5, 2, [2, 2, 1]), (5, 9, [5])],
)
def test_boards_without_pieces_share_pages(
    number: int, per_page: int | None, expected: list[int]
) -> None:
    puzzles = draw(*["sudoku-4x4-empty"] * number)
    pages = lay_out(compose(*puzzles, style=Style(per_page=per_page)))
    assert [len(page.boxes) for page in pages] == expected
    widths = {round(box.width, 2) for page in pages for box in page.boxes}
    assert len(widths) == 1


def test_fewer_puzzles_on_a_page_are_larger() -> None:
    puzzles = draw(*["sudoku-4x4-empty"] * 6)
    widths = []
    for per_page in (6, 2, 1):
        page, *_ = lay_out(compose(*puzzles, style=Style(per_page=per_page)))
        widths.append(page.boxes[0].width)
    assert widths == sorted(widths) and widths[0] < widths[1] < widths[2]


def test_a_page_that_is_cut_has_one_puzzle() -> None:
    puzzles = draw("black-and-white", "sudoku-6x6", "cats", "dinner")
    kinds = ["tiling", "sudoku", "edge-matching", "seating"]
    chapters = [compose(p, family=k).chapters[0] for p, k in zip(puzzles, kinds, strict=True)]
    pages = lay_out(replace(compose(*puzzles), chapters=chapters))
    assert [len(page.boxes) for page in pages] == [count_pictures([puzzle]) for puzzle in puzzles]


def test_a_small_board_and_its_pieces_are_enlarged_alike() -> None:
    for name, scale in (("black-and-white", 1.75), ("cats", 1.0), ("cube", 1.0)):
        (puzzle,) = draw(name)
        (page,) = lay_out(compose(puzzle))
        widths = [scale * part.width for part in [*puzzle.boards, *puzzle.pieces]]
        assert [box.width for box in page.boxes] == pytest.approx(widths, abs=0.02), name


def test_pieces_that_several_puzzles_have_are_printed_once_at_one_scale() -> None:
    puzzles = draw("hexagons", "sudoku-hard", "hexagons")
    pages = lay_out(compose(*puzzles))
    boxes = [box for page in pages for box in page.boxes]
    assert len(boxes) == 3 + len(puzzles[0].pieces)
    scales = {round(boxes[i].width / puzzles[0].boards[0].width, 3) for i in (0, -1)}
    assert len(scales) == 1


def test_the_back_of_a_piece_has_the_number_of_its_puzzle() -> None:
    puzzles = draw("cats", "cube")
    numbers = {}
    for backs in ("numbers", "empty", "none"):
        pages = lay_out(compose(*puzzles, book=True, style=Style(backs=backs)))
        numbers[backs] = len(pages)
        if backs == "none":
            continue
        for i, page in enumerate(pages):
            if len(page.boxes) > 3 and page.lines and i % 2 == 0 and i > 2:
                check_back(page, pages[i + 1], has_numbers=backs == "numbers")
    assert numbers["none"] < numbers["empty"] == numbers["numbers"]


def check_back(page: Page, back: Page, *, has_numbers: bool) -> None:
    """The back of a page of pieces is empty but for the numbers, and a line above them."""
    assert not back.boxes
    front = [(box.left + box.right) / 2 for box in page.boxes]
    middles = [page.width - x for x in front]
    head = min((y for _, y in back.letters), default=0)
    numbers = [x for x, y in back.letters if head + 2 < y < 270]
    assert bool(numbers) == has_numbers
    for x in numbers:  # mirrored, and behind the name of the piece
        assert min(abs(x - middle) for middle in middles) < 4


def test_bleed_makes_the_pages_larger() -> None:
    document = compose(*draw("sudoku-hard"), style=Style(bleed=3))
    (pdf,) = apart(typeset, document, ".pdf", timeout=120)
    size = re.search(rb"/MediaBox ?\[0 0 ([\d.]+) ([\d.]+)\]", pdf)
    assert size
    assert [float(x) * POINT_MM for x in size.groups()] == pytest.approx([216, 303], abs=0.01)


def test_text_is_never_markup() -> None:
    (puzzle,) = draw("sudoku-4x4-empty")
    title = '#import "x": * *bold* $x$ <label> @ref \\ // \ud800'
    rules = ["= Heading", "#panic()", "- item [", "`raw", "A" * 500]
    odd = replace(puzzle, title=title, rules=rules)
    for book in (False, True):
        document = replace(compose(odd, book=book), title=title, author=title)
        require_on_paper(lay_out(document)[int(book) :])


def test_a_long_title_is_on_the_cover() -> None:
    document = replace(compose(*draw("cats"), book=True), title="A very long title " * 12)
    cover, *_ = lay_out(document)
    assert all(0 < x < cover.width and 0 < y < cover.height for x, y in cover.letters)


@pytest.mark.parametrize("paper", ["a4", "a5"])
def test_pictures_on_the_cover_are_clear_of_words(paper: str) -> None:
    title = "An unforgettable collection of contradictory entertainments"
    names = ("cats", "cube", "soma", "lights-5x5", "sudoku-hard", "latin-4", "dinner")
    chapters = []
    for puzzle in draw(*names):
        chapters += compose(puzzle, book=True).chapters
    document = replace(compose(*draw("cats"), book=True, style=Style(paper)), chapters=chapters)
    cover, *_ = lay_out(replace(document, title=title))
    top = min(box.top for box in cover.boxes)
    bottom = max(box.bottom for box in cover.boxes)
    heights = [y for _, y in cover.letters]
    assert len(heights) == len(f"{title}7 puzzles".replace(" ", "")) + len("Ada")
    # Around the pictures is a white edge of 4 mm; a letter is at its base line and up to 4 mm high.
    assert not any(top - 4 < y < bottom + 8 for y in heights)


def test_words_on_the_cover_are_whole() -> None:
    """A word that does not fit is smaller; a hyphen would be one letter more."""
    for title in ("Incomprehensibilities " * 3, "Contradictory"):
        document = compose(*draw("lights-5x5"), book=True, style=Style("6x9in"))
        cover, *_ = lay_out(replace(document, title=title))
        words = f"{title}1 puzzle Ada"
        drawn = [letter for letter in cover.letters if not within(letter, cover.boxes)]
        assert len(drawn) == len(re.sub(" ", "", words))


def within(letter: tuple[float, float], boxes: list[Box]) -> bool:
    x, y = letter
    return any(box.left < x < box.right and box.top < y < box.bottom for box in boxes)


def test_a_book_without_a_cover_begins_with_its_contents() -> None:
    document = compose(*draw("cats"), book=True)
    _, contents, *others = lay_out(document)
    bare = lay_out(replace(document, style=Style(cover=False)))
    assert len(bare) <= 1 + len(others)
    assert bare[0].boxes == []
    assert len(bare[0].letters) == len(contents.letters)  # also those of the page number


def test_a_long_title_is_cut_short_at_the_foot_of_the_pages() -> None:
    for paper in ("a4", "6x9in"):
        document = compose(*draw("cats"), book=True, style=Style(paper))
        _, *pages = lay_out(replace(document, title="A very long title " * 40))
        require_on_paper(pages)


def test_the_foot_of_a_page_with_a_ruler_has_the_whole_title() -> None:
    title = "The rainy day book of puzzles"
    for paper in ("a4", "6x9in"):
        document = replace(compose(*draw("cats"), book=True, style=Style(paper)), title=title)
        _, _, board, *_ = lay_out(document)
        assert 50.0 in board.lines
        lowest = max(y for _, y in board.letters)
        foot = [y for _, y in board.letters if y > lowest - 1]
        assert len(foot) == len(title.replace(" ", "") + "3")
        above = max(y for _, y in board.letters if y <= lowest - 1)
        assert lowest - above > 3, "nothing is printed over the ruler"
        assert lowest < board.height - 6.4, "a print shop may trim what is nearer to the edge"


def test_no_page_before_the_pieces_is_empty() -> None:
    for names in (["cats"], ["cats", "sudoku-hard"], ["cats", *["sudoku-hard"] * 5]):
        _, *pages = lay_out(compose(*draw(*names), book=True, style=Style(backs="empty")))
        used = [bool(page.boxes) or len(page.letters) > len("A<title>99") for page in pages]
        assert used == [True] * (len(pages) - 1) + [False], "only the back of the pieces"


def test_the_name_of_a_font_is_never_markup() -> None:
    document = compose(*draw("sudoku-hard"), style=Style(text_font='A "font" & <b>'))
    with pytest.raises(InputError, match="there is no font 'A \"font\" & <b>'"):
        lay_out(document)


def test_the_stages_of_a_box_are_printed() -> None:
    puzzle = instance.load("soma")
    solution = draw_solution(puzzle, first_solution(puzzle))
    assert any(remark.startswith(IN_ORDER) for remark in solution.remarks)
    captions = [picture.caption for picture in solution.stages]
    assert [caption.partition(".")[0] for caption in captions] == list("1234567")
    assert len({(picture.width, picture.height) for picture in solution.stages}) == 1
    *_, last = lay_out(compose(replace(draw_puzzle(puzzle, 1, "Soma"), solution=solution)))
    assert len(last.boxes) == 1 + len(captions)
    require_on_paper([last])


def test_the_solution_of_a_crossword_has_letters_but_no_numbers() -> None:
    """Numbers that can be read would make it twice as large."""
    puzzle = instance.load("crossword-5x5")
    (picture,) = draw_solution(puzzle, first_solution(puzzle)).pictures
    letters = re.findall(r">([^<>])</text>", picture.svg)
    assert len(letters) > 12 and "".join(letters).isalpha()
    assert picture.width < 40


def test_wide_solutions_stand_two_on_a_page() -> None:
    """Large enough to be read, and no larger than half of a page."""
    svg = "<svg xmlns='http://www.w3.org/2000/svg' width='70' height='75'/>"
    solution = PrintedSolution([], [draw_picture(Part(svg, 70))])
    puzzles = [replace(p, solution=solution) for p in draw(*["sudoku-4x4-empty"] * 5)]
    pages = lay_out(compose(*puzzles, book=True, style=Style("6x9in")))
    solutions = [[box for box in page.boxes if "70" in box.svg] for page in pages]
    assert sorted(map(len, solutions))[-2:] == [2, 2]
    assert sum(map(len, solutions)) == 5
    assert all(box.width > 70 for page in solutions for box in page)
    require_on_paper(pages[1:])


def test_puzzles_on_one_page_are_one_line_of_the_contents() -> None:
    """Each of the others has its own level."""

    def count_letters(*levels: str) -> int:
        sets = []
        for puzzle, level in zip(draw(*["cats"] * 4), levels, strict=True):
            pieces = puzzle.pieces[puzzle.number :] + puzzle.pieces[: puzzle.number]
            sets.append(replace(puzzle, title="", level=level, pieces=pieces))
        return len(lay_out(compose(*sets, book=True))[1].letters)

    assert count_letters(*["easy"] * 4) < count_letters("easy", "easy", "hard", "hard") - 3


def test_letters_of_solutions_are_legible() -> None:
    names = ("fish", "cats", "sudoku-hard", "cube")
    puzzles = []
    for name, puzzle in zip(names, draw(*names), strict=True):
        solved = instance.load(name)
        solution = draw_solution(solved, first_solution(solved))
        puzzles.append(replace(puzzle, solution=solution))
    for paper in ("a4", "a5"):
        pages = lay_out(compose(*puzzles, style=Style(paper)))
        boxes = [box for page in pages[-4:] for box in page.boxes][-len(names) :]
        for name, box in zip(names, boxes, strict=True):
            root = ElementTree.fromstring(box.svg)
            view = float(str(root.get("viewBox")).split()[2])
            sizes = [float(x.get("font-size", 0)) for x in root.iter(f"{SVG}text")]
            assert max(sizes) * box.width / view > 1.4, (paper, name)
            if name == "fish":
                continue  # on its labels are long words
            letters = [x for x in root.iter(f"{SVG}text") if "".join(x.itertext()).isalnum()]
            smallest = min(float(x.get("font-size", 0)) for x in letters)
            assert smallest * box.width / view > FIVE_POINTS_MM, (paper, name)


@pytest.mark.parametrize("paper", ["a4", "a5"])
def test_letters_of_pieces_in_space_are_legible(paper: str) -> None:
    """Each cell has the letter of its colour."""
    data = {
        "family": "tiling",
        "board": "ab\nba\n\nba\nab",
        "pieces": {"one": "ab\nba", "two": "ba\nab"},
    }
    puzzle = draw_puzzle(instance.load(data), 1, "Box")
    pages = lay_out(compose(puzzle, style=Style(paper)))
    for box in (box for page in pages for box in page.boxes):
        root = ElementTree.fromstring(box.svg)
        view = float(str(root.get("viewBox")).split()[2])
        letters = [x for x in root.iter(f"{SVG}text") if "".join(x.itertext()).isalnum()]
        for letter in letters:
            assert float(letter.get("font-size", 0)) * box.width / view > FIVE_POINTS_MM


def test_what_all_solutions_have_in_common_is_said_once() -> None:
    puzzles = [
        replace(puzzle, solution=PrintedSolution(["the only solution", f"answer: {puzzle.number}"]))
        for puzzle in draw(*["sudoku-4x4-empty"] * 3)
    ]
    (group,) = compose(*puzzles, book=True).chapters[0].groups
    assert group.remarks == ["the only solution"]
    own = [puzzle.solution.remarks for puzzle in group.puzzles if puzzle.solution]
    assert own == [["answer: 1"], ["answer: 2"], ["answer: 3"]]
    (group,) = compose(puzzles[0], book=True).chapters[0].groups
    assert not group.remarks


def test_two_sets_of_tiles_are_on_a_small_page() -> None:
    """They and their board are smaller, but the letters on them can be read."""
    for paper in ("a5", "6x9in"):
        style = Style(paper, backs="none")
        sets = own_sets(8)
        _, _, first, second, *sheets = lay_out(compose(*sets, book=True, style=style))
        assert [len(page.boxes) for page in sheets] == [18] * 4
        *small, board = [*first.boxes, *second.boxes]
        assert len(small) == 8 * 9, "small pictures of the tiles"
        assert first.boxes[0].top > 30, "the rules are above them"
        scale = board.width / sets[0].boards[0].width
        assert 0.7 <= scale < 0.85
        width = sets[0].pieces[0].width
        assert {round(box.width / width, 2) for box in sheets[0].boxes} == {round(scale, 2)}
        require_on_paper([first, second, *sheets])
        least = min(letter for piece in sets[0].pieces for letter in list_letter_sizes(piece))
        assert scale * least >= FIVE_POINTS_MM


def list_letter_sizes(picture: Picture) -> list[float]:
    """The sizes of all letters in millimetres."""
    root = ElementTree.fromstring(picture.svg)
    unit = picture.width / float(root.get("viewBox", "").split()[2])
    return [unit * float(x.get("font-size", "")) for x in root.iter() if x.get("font-size")]


def test_pieces_of_foam_are_never_smaller_to_save_pages() -> None:
    """Their teeth are as wide as the foam is thick."""
    cube, other = draw("cube", "cube-flat")
    style = Style("a5", backs="none")
    pages = lay_out(compose(cube, book=True, style=style))
    assert [box.width for box in pages[-1].boxes] == pytest.approx(
        [piece.width for piece in cube.pieces], abs=0.02
    )
    assert {piece.least_scale for puzzle in (cube, other) for piece in puzzle.pieces} == {1.0}


def own_sets(number: int) -> list[PrintedPuzzle]:
    """Sets of nine tiles, none of which equals another."""
    sets = []
    for puzzle in draw(*["cats"] * number):
        first = puzzle.number
        sets.append(replace(puzzle, title="", pieces=puzzle.pieces[first:] + puzzle.pieces[:first]))
    return sets


def test_no_set_of_tiles_is_on_two_sheets() -> None:
    """24 tiles fit on a page: two sets of nine, in three columns."""
    _, _, _, *sheets = lay_out(compose(*own_sets(4), book=True, style=Style(backs="none")))
    assert [len(page.boxes) for page in sheets] == [18, 18]
    for page in sheets:
        assert len({round(box.left, 1) for box in page.boxes}) == 3


def test_sets_of_tiles_close_up_if_that_saves_sheets() -> None:
    """On letter paper are five rows of four tiles, which hold two sets."""
    style = Style("letter", backs="none")
    _, _, _, *sheets = lay_out(compose(*own_sets(4), book=True, style=style))
    assert [len(page.boxes) for page in sheets] == [18, 18]


def test_a_set_that_is_larger_than_a_sheet_goes_on() -> None:
    (puzzle,) = own_sets(1)
    large = replace(puzzle, pieces=puzzle.pieces * 4)
    pages = lay_out(compose(large, large, book=True, style=Style(backs="none")))
    assert [len(page.boxes) for page in pages[-2:]] == [24, 12]
    require_on_paper(pages[-2:])


def test_a_box_with_many_pieces_goes_on_over_the_page() -> None:
    (soma,) = draw("soma")
    large = replace(soma, models=soma.models * 6)
    pages = lay_out(compose(large, book=True, style=Style("a5")))
    require_on_paper(pages[2:])
    assert sum(len(page.boxes) for page in pages[2:]) == 1 + len(large.models)


def test_the_head_of_a_sheet_of_pieces_names_all_puzzles_that_need_them() -> None:
    first, second, third = own_sets(3)
    shared = replace(third, pieces=first.pieces)
    heads = []
    for last in (third, shared):
        style = Style("a5", backs="none")
        *_, sheet = lay_out(compose(first, second, last, book=True, style=style))
        top = min(y for _, y in sheet.letters)
        heads.append(
            [sign for sign, (_, y) in zip(sheet.signs, sheet.letters, strict=True) if y < top + 1]
        )
    own, users = heads
    scale = "(printedat75%)"
    assert len(own) == len(f"Allpiecesof3{scale}")
    assert len(users) == len(f"Allpiecesof1–3{scale}")
    pages = lay_out(compose(first, shared, book=True, style=Style(backs="none")))
    top = min(y for _, y in pages[-1].letters)
    letters = [y for _, y in pages[-1].letters if y < top + 1]
    assert len(letters) == len("Allpiecesof1,3")


def test_boards_to_be_cut_stand_beside_each_other_if_they_fit() -> None:
    """Also if others of their group are wider."""
    one, other, wide = draw("black-and-white", "black-and-white", "pentominoes-6x10")
    (board,) = other.boards
    puzzles = [one, replace(other, boards=[replace(board, svg=f"{board.svg} ")]), wide]
    _, _, page, *_ = lay_out(compose(*puzzles, book=True))
    first, second, third = [box.top for box in page.boxes]
    assert first == pytest.approx(second, abs=25) and third > first + 50


def test_a_board_of_several_puzzles_is_printed_once_after_pictures_of_their_pieces() -> None:
    first, second, third = draw("cats", "cats", "hexagons")
    second = replace(second, pieces=second.pieces[::-1])
    assert [sorted(puzzle.shown) for puzzle in (first, third)] == [[*range(9)], [*range(19)]]
    assert first.shown != [*range(9)], "the order of the file may be that of a solution"
    _, _, *pages = lay_out(compose(first, second, third, book=True, style=Style(backs="none")))
    boxes = [box for page in pages for box in page.boxes]
    boards = [i for i, box in enumerate(boxes) if box.svg == first.boards[0].svg]
    assert boards == [9 + 9 + 19]
    small = boxes[: boards[0]]
    assert max(box.width for box in small) < 20
    assert not any("<text" in box.svg for box in small), "letters would be too small to be read"


def test_tiles_that_hardly_fit_on_the_paper_are_no_smaller_to_save_sheets() -> None:
    (nineteen,) = draw("hexagons")
    (board,) = nineteen.boards
    board = replace(board, width=0.6 * board.width, height=0.6 * board.height)
    seven = replace(
        nineteen, number=9, boards=[board], pieces=nineteen.pieces[:7], shown=[*range(7)]
    )
    puzzles = [*own_sets(8), seven]
    pages = lay_out(compose(*puzzles, book=True, style=Style("6x9in", backs="none")))
    boards = {box.svg: box.width for page in pages for box in page.boxes}
    (tiles,), (hexagons,) = puzzles[0].boards, puzzles[-1].boards
    assert boards[tiles.svg] < 0.95 * tiles.width
    wide, high = 6 * 25.4 - 13 - 7.5, 9 * 25.4 - 12 - 16 - 45
    fitting = min(wide / hexagons.width, high / hexagons.height)
    assert fitting < 0.7
    assert boards[hexagons.svg] == pytest.approx(fitting * hexagons.width, abs=0.1)


def test_crosswords_with_few_clues_stand_two_beside_each_other() -> None:
    one = {
        "family": "crossword",
        "grid": "...\n.#.\n...",
        "questions": {"1 across": "A", "1 down": "B", "2 down": "C", "3 across": "D"},
    }
    puzzles = [draw_puzzle(parsed(one), number, "") for number in range(1, 9)]
    _, _, *pages = lay_out(compose(*puzzles, book=True))
    assert [len(page.boxes) for page in pages[:2]] == [4, 4]
    for page in pages[:2]:
        assert len({round(box.left, 1) for box in page.boxes}) == 2
    require_on_paper(pages)


@pytest.mark.parametrize(("per_page", "least"), [(None, 7.0), (1, 10.0)])
def test_crosswords_of_a_small_book_are_legible(per_page: int | None, least: float) -> None:
    """A number has a quarter of the width of a cell, and 5 points are 1.76 mm."""
    slots = [
        "1 across",
        *(f"{n} across" for n in range(10, 18)),
        *(f"{n} down" for n in range(1, 10)),
    ]
    data = {
        "family": "crossword",
        "grid": "\n".join(["." * 9] * 9),
        "questions": dict.fromkeys(slots, "Part of a circle"),
    }
    style = Style("6x9in", per_page=per_page)
    puzzle = draw_puzzle(parsed(data), 1, "")
    *_, page = lay_out(compose(puzzle, book=True, style=style))
    (board,) = page.boxes
    assert board.width >= 9 * least
    require_on_paper([page])


@pytest.mark.parametrize(
    ("paper", "times", "least", "pages"),
    [("a4", 1, 7.0, 1), ("6x9in", 1, 5.8, 1), ("6x9in", 3, 8.0, 2)],
)
def test_large_crosswords_have_cells_to_write_in(
    paper: str, times: int, least: float, pages: int
) -> None:
    """Their clues stand in three columns below the grid, or go on over the page."""
    rows = ["......#......"] * 13
    words = "One of many long clues that take two lines" * times
    data = {"family": "crossword", "grid": "\n".join(rows)}
    slots = parsed(data).slots
    questions = {slot.name: words for slot in slots}
    puzzle = draw_puzzle(parsed({**data, "questions": questions}), 1, "")
    _, _, *drawn = lay_out(compose(puzzle, puzzle, book=True, style=Style(paper)))
    assert len(drawn) == 2 * pages
    for page in drawn[::pages]:
        assert page.boxes[0].width >= 13 * least
    require_on_paper(drawn)


def test_a_short_chapter_follows_on_if_that_saves_a_page() -> None:
    """A long one begins on a new page."""

    def count(*numbers: int) -> list[int]:
        names = ("sudoku-4x4-empty", "latin-4")
        puzzles = draw(*[name for name, n in zip(names, numbers, strict=True) for _ in range(n)])
        kinds = [kind for kind, n in zip(("a", "b"), numbers, strict=True) for _ in range(n)]
        chapters = []
        for kind in ("a", "b"):
            chosen = [p for p, other in zip(puzzles, kinds, strict=True) if other == kind]
            chapters += compose(*chosen, book=True).chapters
        document = compose(*puzzles, book=True)
        _, _, *pages = lay_out(replace(document, chapters=chapters))
        return [len(page.boxes) for page in pages]

    assert count(2, 2) == [4]
    assert count(4, 4) == [4, 4]


def test_the_contents_lead_to_puzzles_that_have_steps() -> None:
    """The numbers of the puzzles stand beside their steps once more."""
    steps = [Step("Step 1", ["A digit follows."], [])]
    puzzles = [replace(puzzle, steps=steps) for puzzle in draw("sudoku-hard", "latin-4")]
    assert len({puzzle.title for puzzle in puzzles}) == 2, "each is a line of the contents"
    _, _, *pages = lay_out(compose(*puzzles, book=True))
    assert sum(len(page.boxes) for page in pages) == 2


def test_the_name_of_a_group_stands_above_its_puzzles_in_the_contents_and_solutions() -> None:
    puzzles = []
    for number, name in enumerate(("latin-4", "sudoku-4x4-empty"), 1):
        puzzle = instance.load(name)
        solution = draw_solution(puzzle, first_solution(puzzle))
        puzzles.append(replace(draw_puzzle(puzzle, number), solution=solution))
    named = [compose(*puzzles, book=True, names=names) for names in (["Q", "W"], ["QQQQ", "WWW"])]
    before, after = [lay_out(document) for document in named]
    more = [len(b.letters) - len(a.letters) for a, b in zip(before, after, strict=True)]
    assert more == [0, 5, 5, 5]


def test_a_run_of_puzzles_of_one_level_is_one_line_of_the_contents() -> None:
    def count_letters(*levels: str) -> int:
        puzzles = draw(*["sudoku-4x4-empty"] * len(levels))
        some = [replace(p, title="", level=x) for p, x in zip(puzzles, levels, strict=True)]
        return len(lay_out(compose(*some, book=True))[1].letters)

    easy, hard = ["easy"] * 3, ["hard"] * 3
    mixed = [level for both in zip(easy, hard, strict=True) for level in both]
    runs = count_letters(*easy, *hard)
    assert count_letters(*easy, *easy) < runs < count_letters(*mixed)


def test_solutions_are_smaller_if_that_saves_pages() -> None:
    svg = "<svg xmlns='http://www.w3.org/2000/svg' width='45' height='48'/>"
    solution = PrintedSolution([], [draw_picture(Part(svg, 45))])
    puzzles = [replace(p, solution=solution) for p in draw(*["sudoku-4x4-empty"] * 12)]
    pages = lay_out(compose(*puzzles, book=True, style=Style("6x9in")))
    solutions = [[box for box in page.boxes if "48" in box.svg] for page in pages]
    assert [len(boxes) for boxes in solutions if boxes] == [6, 6]
    assert min(box.width for boxes in solutions for box in boxes) >= 45


def test_solutions_of_seatings_stand_two_beside_each_other_in_a_small_book() -> None:
    """The numbers of the chairs, their smallest letters, are large enough for that."""
    solved = instance.load("dinner")
    solution = draw_solution(solved, first_solution(solved))
    puzzles = [replace(p, solution=solution) for p in draw("dinner", "dinner")]
    *_, last = lay_out(compose(*puzzles, book=True, style=Style("a5")))
    first, second = last.boxes
    assert first.top == pytest.approx(second.top) and first.right < second.left


def test_what_all_boards_have_in_common_is_a_rule() -> None:
    puzzles = []
    for puzzle in draw("sudoku-hard", "sudoku-hard"):
        (board,) = puzzle.boards
        puzzles.append(replace(puzzle, boards=[replace(board, caption="by Ann")]))
    (group,) = compose(*puzzles, book=True).chapters[0].groups
    assert group.rules[-1] == "by Ann."
    assert not any(board.caption for puzzle in group.puzzles for board in puzzle.boards)
    (group,) = compose(*puzzles[:1], book=True).chapters[0].groups
    assert "by Ann." not in group.rules


def test_rules_and_wishes_of_seatings_are_lists_below_their_headings() -> None:
    (puzzle,) = draw("wedding-small")
    (group,) = compose(*[puzzle] * 2, book=True).chapters[0].groups
    for member in group.puzzles:
        assert [clues.heading for clues in member.clues] == ["Rules", "Wishes"]
        assert all(line.endswith((" point).", " points).")) for line in member.clues[1].lines)
    (wishes,) = [rule for rule in group.rules if "wish" in rule]
    assert wishes.endswith(" costs the fewest points in all.")


def test_puzzles_with_the_rules_and_pieces_of_another_refer_to_it() -> None:
    puzzles = draw(*["black-and-white"] * 3, "pentominoes-6x10")
    (group,) = compose(*puzzles, book=True).chapters[0].groups
    first, second, third, last = group.puzzles
    assert len(first.rules) > 1 and first.rules[-1] == "Puzzles 1–3 use the same pieces."
    refers = ["The rules and the pieces are those of puzzle 1."]
    assert second.rules == third.rules == refers
    assert last.rules and last.rules != refers


def test_a_chapter_and_its_puzzles_of_one_name_have_it_once() -> None:
    letters = []
    for title in ("Lights of the sea", "Lights of the pie"):
        puzzles = [replace(puzzle, title=title) for puzzle in draw("lights-5x5", "lights-5x5")]
        document = compose(*puzzles, book=True, family="Lights of the Sea")
        letters.append(len(lay_out(document)[2].letters))
    assert letters[1] - letters[0] == len("Lightsofthepie")


def test_the_numbers_of_puzzles_on_pieces_can_be_read() -> None:
    """Also on large hexagons in a small book."""
    (hexagon, *_) = draw("hexagons", "hexagons")[0].pieces
    assert 0.62 * min(list_letter_sizes(hexagon)) >= FIVE_POINTS_MM


def test_small_print_below_a_picture_leaves_no_room_when_it_is_taken_out() -> None:
    (puzzle,) = instance.load_all("wedding-small")
    placements = first_solution(puzzle)
    assert placements is not None
    solved = draw_picture(Part(puzzle.svg(placements), 100.0))
    unsolved = draw_picture(Part(puzzle.svg([]), 100.0))
    assert solved.caption.startswith("not kept: ") and not unsolved.caption
    assert solved.height == pytest.approx(unsolved.height, abs=0.1)


def test_a_direction_of_all_pieces_is_stated_once() -> None:
    puzzle = instance.load("soma")
    solution = draw_solution(puzzle, first_solution(puzzle))
    stated = [remark for remark in solution.remarks if remark.startswith(IN_ORDER)]
    directions = {picture.caption.partition(", ")[2] for picture in solution.stages}
    assert (stated == [IN_ORDER]) == (len(directions) > 1)
    if stated != [IN_ORDER]:
        assert directions == {""}


def test_solutions_of_a_book_follow_its_puzzles() -> None:
    solution = PrintedSolution(
        ["a remark"],
        [draw_picture(Part("<svg xmlns='http://www.w3.org/2000/svg' width='9' height='9'/>", 30))],
    )
    puzzles = [replace(p, solution=solution) for p in draw(*["sudoku-4x4-empty"] * 9)]
    pages = lay_out(compose(*puzzles, book=True))
    assert [len(page.boxes) for page in pages][-1] == 9
    require_on_paper(pages[1:])


def test_cutting_lines_are_dashed() -> None:
    (cats,) = draw("cats")
    paths = ElementTree.fromstring(cats.pieces[0].svg).iter(f"{SVG}path")
    dark, white = [path for path in paths if path.get("fill") == "none"][:2]
    assert dark.get("stroke-width") == white.get("stroke-width")
    assert white.get("stroke-dasharray") and not dark.get("stroke-dasharray")
    (strips,) = draw("black-and-white")
    sides = [
        path.get("d", "")
        for path in ElementTree.fromstring(strips.pieces[0].svg).iter(f"{SVG}path")
    ]
    # a side drawn forth and back has no gaps between its dashes
    assert sides and not any(side.endswith("Z") for side in sides)


def parsed(data: dict[str, Any]) -> Any:
    return instance.parse(data, name="read", origin="paper")


def words_of(number: int) -> list[str]:
    """Different words of three letters."""
    letters = string.ascii_uppercase
    return [
        "".join(word) for word in itertools.islice(itertools.product(letters, repeat=3), number)
    ]


def many_slots(number: int, **data: Any) -> Any:
    """A crossword with slots of three squares, eight in each second row."""
    rows = ["#".join(["..."] * 8), "#" * 31] * (number // 8)
    return parsed({"family": "crossword", "grid": "\n".join(rows), **data})


def names_of(slots: int) -> list[str]:
    return [f"{i} across" for i in range(1, slots + 1)]


def clues_of(slots: int, each: int) -> dict[str, str]:
    """Clues of many words, all different."""
    return {
        name: " ".join(f"word{number}of{i}" for number in range(each))
        for i, name in enumerate(names_of(slots))
    }


def guests_of(number: int) -> list[str]:
    return [f"Guest{i} of a family with a long name" for i in range(number)]


FULL: dict[str, Callable[[], Any]] = {
    "words to fit in": lambda: (many_slots(72, words=words_of(72)), words_of(72)),
    "more words than fit on two pages": lambda: (
        many_slots(8, words=words_of(3000)),
        words_of(3000),
    ),
    "clues": lambda: (
        many_slots(72, questions=clues_of(72, 12)),
        " ".join(clues_of(72, 12).values()).split(),
    ),
    "a clue that is longer than a page": lambda: (
        many_slots(8, questions=clues_of(8, 900)),
        " ".join(clues_of(8, 900).values()).split(),
    ),
    "clues for some of the words": lambda: (
        many_slots(72, questions=clues_of(40, 1), words=words_of(72)),
        [*clues_of(40, 1).values(), *words_of(72)],
    ),
    "answers without clues": lambda: (
        many_slots(72, answers=dict(zip(names_of(72), words_of(72), strict=True))),
        words_of(72),
    ),
    "guests": lambda: (
        parsed(
            {
                "family": "seating",
                "tables": {f"table {i}": "round 10" for i in range(20)},
                "guests": guests_of(200),
                "must": [{"beside": guests_of(200)[i : i + 2]} for i in range(0, 200, 2)],
            }
        ),
        [f"Guest{i}" for i in range(200)] * 2,  # in the list, and in a rule
    ),
}
"""Puzzles whose texts fill more than a page or much of one, with the words that must be printed."""


@pytest.mark.filterwarnings("ignore::jigsat.errors.InstanceWarning")
@pytest.mark.parametrize("kind", FULL)
@pytest.mark.parametrize("book", [False, True], ids=["sheet", "book"])
def test_no_text_is_left_out_of_a_full_page(kind: str, book: bool) -> None:
    puzzle, needed = FULL[kind]()
    drawn = draw_puzzle(puzzle, 1, "One of them")
    words = " ".join(drawn.rules)
    for clues in drawn.clues:
        words += " ".join([clues.heading, *clues.lines])
    assert all(word in words for word in needed)
    pages = lay_out(compose(drawn, book=book))[int(book) :]
    require_on_paper(pages)
    # Letters that belong together, such as fi, are one sign.
    letters = sum(len(page.letters) for page in pages)
    assert letters > 0.97 * len(words.replace(" ", ""))
    for box in itertools.chain.from_iterable(page.boxes for page in pages):
        assert box.width > 20 and box.bottom - box.top > 8


def test_the_title_of_a_single_puzzle_begins_where_its_rules_begin() -> None:
    (page,) = lay_out(compose(*draw("sudoku-6x6")))
    lines = {round(y, 1) for _, y in page.letters if y < page.boxes[0].top}
    starts = {y: min(x for x, other in page.letters if round(other, 1) == y) for y in lines}
    assert len(starts) > 2
    assert max(starts.values()) - min(starts.values()) < 0.5


@pytest.mark.parametrize("paper", ["a4", "a5"])
def test_long_titles_stand_whole_in_the_contents_beside_their_numbers(paper: str) -> None:
    title = "Squares of three colours around a cube of two layers " * 3
    puzzles = [replace(puzzle, title=title) for puzzle in draw("sudoku-6x6", "sudoku-4x4-empty")]
    puzzles[1] = replace(puzzles[1], title="Short")
    _, contents, *_ = lay_out(compose(*puzzles, book=True, style=Style(paper)))
    require_on_paper([contents])
    assert len(contents.letters) > len(title.replace(" ", ""))
    starts: dict[int, float] = {}
    for x, y in contents.letters:
        starts[round(y)] = min(x, starts.get(round(y), x))
    _, _, number, continued, *_ = [starts[y] for y in sorted(starts)]
    assert continued > number + 3
