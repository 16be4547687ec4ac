"""Printed sheets contain the whole puzzle."""

from __future__ import annotations

import itertools
import math
import random
import re
import string
from collections import Counter
from typing import Any
from xml.etree import ElementTree

import pytest
from jigsat.encodings.interlocking.picture import END
from support import paper

import jigsat
from jigsat import instance
from jigsat.answering.enumeration import Enumeration, first_solution
from jigsat.generation.generator import generate
from jigsat.generation.sources import generators
from jigsat.pictures import Part
from jigsat.pictures.pages import PAPERS
from jigsat.pictures.printing import Section, book, titled_book
from jigsat.puzzle import Puzzle

SVG = "{http://www.w3.org/2000/svg}"


def printed(puzzle: Puzzle) -> paper.Paper:
    return paper.read(book([Section("A title", [*puzzle.rules()], puzzle.parts())], "a note"))


def made(family: str, **options: Any) -> Puzzle:
    *_, last = generate(generators()[family](**options).build_generator(), 0)
    return last.puzzle


def parsed(data: dict[str, Any]) -> Any:
    return instance.parse(data, name="read", origin="paper")


@pytest.mark.parametrize(
    "options",
    [
        {"hints": True, "labels": 4},  # without its hints this has 19,648 solutions
        {"board": "square 3x3"},
        {"board": "square 3x4", "frame": True, "labels": 4},
        {"board": "square 3x3", "turning": False, "labels": 4},
        {"board": "square 3x3", "turning": False, "labels": 2, "different": False, "hints": True},
        {"board": "square 3x3", "frame": True, "labels": 2, "different": False, "clues": 2},
    ],
    ids=str,
)
def test_a_sheet_of_tiles_has_the_whole_puzzle(options: dict[str, Any]) -> None:
    puzzle = made("edge-matching", **options)
    again = parsed(paper.edge_matching(printed(puzzle)))
    assert again.digest() == puzzle.digest()
    assert sum(1 for _ in Enumeration(again, up_to="rotation")) == 1


@pytest.mark.parametrize("name", ["cats", "fish", "cats-reuse", "macmahon-squares"])
def test_a_sheet_of_tiles_has_the_other_rules(name: str) -> None:
    puzzle: Any = instance.load(name)
    assert parsed(paper.edge_matching(printed(puzzle))).digest() == puzzle.digest()


def test_a_hint_without_a_turn_is_a_name() -> None:
    puzzle: Any = instance.load("cats", hints=[{"cell": [1, 1], "tile": "3"}])
    sheet = printed(puzzle)
    (name,) = [word for word in sheet.parts[0].words if word.bold]
    assert (name.text, paper.cell_of(name.at, 150)) == ("3", (1, 1))
    assert len(sheet.parts[0].words) == 1
    assert "if only the name of a tile is written, find its orientation" in sheet.rules


def test_spare_tiles_and_copies() -> None:
    tiles = {"a": {"sides": ["x", "y", "x", "y"], "count": 3}, "b": ["x", "x", "x", "x"]}
    puzzle = parsed({"family": "edge-matching", "board": "square 1x3", "tiles": tiles})
    sheet = printed(puzzle)
    assert [part.named().text for part in sheet.parts[1:]] == ["a", "a", "a", "b"]
    assert "There are 4 tiles for 3 cells, so 1 of them are left over." in sheet.rules


def test_a_hint_may_name_a_tile_that_looks_the_same() -> None:
    tiles = {"a": ["x", "y", "x", "y"], "b": ["y", "x", "y", "x"]}
    hints = [{"cell": [0, c], "tile": "a", "turn": 0} for c in (0, 1)]
    puzzle = parsed(
        {"family": "edge-matching", "board": "square 1x2", "tiles": tiles, "hints": hints}
    )
    assert "Tiles that look alike can replace each other." in printed(puzzle).rules


def test_tiles_around_a_solid() -> None:
    puzzle: Any = made("edge-matching", board="cube", hints=True, labels=3)
    board, *tiles = printed(puzzle).parts
    assert len(tiles) == 6
    hinted = [word.text for word in board.words if word.bold]
    assert sorted(hinted) == sorted(hint.tile for hint in puzzle.hints)
    assert "Sides of the net with the same red number meet." in printed(puzzle).rules
    numbers = [word.text for word in board.words if word.text in set("1234567") and not word.bold]
    assert sorted(numbers) == sorted("12345671234567")


REGIONS = "\n".join(["aabb", "acbb", "accd", "cddd"])
APART = "\n".join(["1122", "1122", "3443", "4334"])
EXTRA = "\n".join(["a..b", "ba..", "..b.", ".b.a"])


@pytest.mark.parametrize(
    "options",
    [
        {},
        {
            "box": "3x2",
            "grid": "\n".join(["1.....", "..2...", "....3.", ".4....", "...5..", ".....6"]),
        },
        {"size": 4, "clues": 8},
        {"size": 6, "diagonals": True},
        {"regions": REGIONS},
        {"regions": APART},
        {"size": 4, "extra": "\n".join(["a..b", ".a.b", "ba..", "b..a"])},
        {
            "grid": "\n".join(
                ("G234.6789ABCDEF1" * 2)[i : i + 16]
                for i in (4 * (r % 4) + r // 4 for r in range(16))
            )
        },
    ],
    ids=lambda options: ",".join(options) or "default",
)
def test_a_sheet_of_a_sudoku_has_the_whole_puzzle(options: dict[str, Any]) -> None:
    puzzle: Any = (
        parsed({"family": "sudoku", **options}) if "grid" in options else made("sudoku", **options)
    )
    sheet = printed(puzzle)
    read = paper.sudoku(sheet)
    assert read["givens"] == puzzle.givens
    assert read["houses"] == {
        frozenset(house) for houses in puzzle.houses.values() for house in houses
    }
    last = {4: "1 to 4", 6: "1 to 6", 9: "1 to 9", 16: "1 to 9 and A B C D E F G"}[puzzle.size]
    assert f"({last})" in sheet.rules


@pytest.mark.parametrize("board", ["square 4x4", "cube", "torus 4x4"])
def test_a_sheet_of_lights_has_the_whole_puzzle(board: str) -> None:
    puzzle: Any = made("lights-out", board=board, presses=2)
    sheet = printed(puzzle)
    (panels,) = sheet.parts
    lights = {
        shape.centre: shape.fill == "#ffd034"
        for shape in panels.shapes
        if shape.fill in ("#ffd034", "#39414f")
    }
    rows: dict[float, str] = {}
    for (_, y), lit in sorted(lights.items(), key=lambda item: (round(item[0][1]), item[0][0])):
        rows[round(y)] = rows.get(round(y), "") + ".#"[lit]
    assert tuple(rows.values()) == puzzle.lit
    assert ("The board wraps around" in sheet.rules) == (board == "torus 4x4")
    assert ("Sides of the net with the same red number meet." in sheet.rules) == (board == "cube")
    assert "with as few presses as possible" in sheet.rules


PENTOMINOES: Any = {
    name: piece.shape for name, piece in instance.load("pentominoes-6x10").pieces.items()
}


@pytest.mark.parametrize(
    "options",
    [
        {"holes": [(4, 4)]},
        {"board": "#####\n" * 4, "pieces": PENTOMINOES},
        {
            "board": "rg\n.b",
            "pieces": {"i": "rg", "o": "b"},
            "turning": False,
            "turning_over": False,
        },
        {
            "board": "rg\n.b",
            "pieces": {"i": "rg", "o": "b"},
            "turning": False,
            "turning_over": True,
        },
        {"board": "rg\n.b", "pieces": {"i": "rg", "o": "b"}, "turning_over": False},
    ],
    ids=lambda options: ",".join(options) or "default",
)
def test_a_sheet_of_a_tiling_has_the_whole_puzzle(options: dict[str, Any]) -> None:
    same_tiling(made("tiling", **options))


@pytest.mark.parametrize(
    "name",
    [
        "soma",
        "black-and-white-batch",
        "pentominoes-8x8-hole",
        "dominoes-6x8",
        "black-and-white-rule",
    ],
)
def test_a_sheet_of_a_tiling_has_the_other_rules(name: str) -> None:
    same_tiling(instance.load_all(name)[0])


def test_a_sheet_of_a_tiling_states_uses_and_cells_without_a_colour() -> None:
    pieces = {
        "bar": {"shape": "bw#", "uses": [1, 2]},
        "dot": {"shape": "#", "uses": [0, 1]},
        "two": {"shape": "r", "uses": 2},
    }
    same_tiling(
        parsed({"family": "tiling", "board": "bwr.#\nbwr.#", "left_over": 0, "pieces": pieces})
    )


@pytest.mark.parametrize("left_over", [None, 1, [0, 2], [1, 2], "any"])
def test_a_sheet_of_a_tiling_shows_the_cells_that_may_stay_empty(left_over: Any) -> None:
    data = {
        "family": "tiling",
        "board": "bwr.#\nbwr.#",
        "pieces": {"bar": "bw", "dot": {"shape": "#", "uses": [3, 6]}},
    }
    left = {} if left_over is None else {"left_over": left_over}
    same_tiling(parsed({**data, **left, "optional": "++#.#\n#+#.#"}))
    same_tiling(
        parsed(
            {
                **data,
                **left,
                "left_over": left_over or 0,
                "pieces": {"dot": {"shape": "#", "uses": [5, 8]}},
            }
        )
    )


def same_tiling(puzzle: Any) -> None:
    again = parsed(paper.tiling(printed(puzzle)))
    for said in ("cells", "lettered", "drawn", "empty", "optional_cells", "turning"):
        assert getattr(again, said) == getattr(puzzle, said), said
    assert puzzle.dimension == 3 or again.turning_over == puzzle.turning_over
    assert {name: again.number_of_uses(name) for name in again.pieces} == {
        name: puzzle.number_of_uses(name) for name in puzzle.pieces
    }


@pytest.mark.parametrize(
    "options", [{}, {"size": 4}, {"turning_over": False}, {"size": 4, "solutions": 2}], ids=str
)
def test_a_sheet_of_interlocking_pieces_has_the_whole_puzzle(options: dict[str, Any]) -> None:
    puzzle: Any = made("interlocking", **options)
    sheet = printed(puzzle)
    read = paper.interlocking(sheet, puzzle.size)
    again = parsed(
        {
            "family": "interlocking",
            "board": "cube",
            **{key: read[key] for key in ("pieces", "turning_over", "holes")},
        }
    )
    assert again.digest() == puzzle.digest()
    assert read["faces"] == 6
    assert read["numbers"] == dict.fromkeys("1234567", 2)
    assert "Sides of the net with the same red number meet." in sheet.rules


@pytest.mark.parametrize("name", ["cube-flat", "cube-six-sets"])
def test_a_sheet_of_interlocking_pieces_has_the_other_rules(name: str) -> None:
    puzzle: Any = instance.load(name)
    read = paper.interlocking(printed(puzzle), puzzle.size)
    assert {name: entry["count"] for name, entry in read["pieces"].items()} == {
        n: p.count for n, p in puzzle.pieces.items()
    }
    assert ("On the rim" in printed(puzzle).rules) == (name == "cube-flat")


# -- the pages


def test_everything_is_printed_at_its_stated_size() -> None:
    rng = random.Random(0)
    square = '<svg xmlns="http://www.w3.org/2000/svg" width="10" height="{}"/>'
    parts = [
        Part(square.format(rng.randint(1, 30)), rng.uniform(5, 150), f"part {i}") for i in range(60)
    ]
    found = []
    for page in book([Section("A title " * 40, ["A rule. " * 30] * 80, parts)], "A note " * 60):
        root = ElementTree.fromstring(page)
        assert (root.get("width"), root.get("height")) == ("210mm", "297mm")
        boxes = []
        for child in root:
            if child.tag.endswith("svg"):
                x, y, width, height = (
                    float(child.get(name, 0)) for name in ("x", "y", "width", "height")
                )
                boxes.append((x, y, x + width, y + height))
                found.append((width, height))
            if child.tag.endswith("text"):
                x, y, size = (float(child.get(name, 0)) for name in ("x", "y", "font-size"))
                assert x >= 12
                assert y < 297 - 10
                assert x + 0.4 * size * len(child.text or "") < 210
        for i, (left, top, right, bottom) in enumerate(boxes):
            assert left >= 12
            assert top >= 12
            assert right <= 198.1
            assert bottom <= 285
            assert not any(
                left < r and x < right and top < b and y < bottom for x, y, r, b in boxes[:i]
            )
    assert len(found) == len(parts)
    for (width, _), part in zip(found, parts, strict=True):
        natural = part.width * float(ElementTree.fromstring(part.svg).get("height", 0)) / 10
        assert width <= part.width + 0.01
        assert width == pytest.approx(part.width, abs=0.01) or part.width > 150 or natural > 100


NINE = """family = "edge-matching"
board = "square 2x2"
[tiles]
6 = ["6", "9", "68 q", "n"]
9 = ["u", "89", "6", "68 q"]
8 = ["6", "9", "x", "u"]
d = ["9", "6", "x", "89"]
"""


def underlined(svg: str) -> set[str]:
    texts = ElementTree.fromstring(svg).iter("{http://www.w3.org/2000/svg}text")
    return {str(text.text) for text in texts if text.get("text-decoration") == "underline"}


def test_what_reads_as_something_else_upside_down_is_underlined() -> None:
    puzzle = jigsat.load(NINE)
    tiles = {"6", "9", "68", "89", "n", "u"}
    assert underlined(next(jigsat.solutions(puzzle)).svg()) == tiles
    assert set().union(*(underlined(part.svg) for part in puzzle.parts())) == tiles
    other = jigsat.load(NINE.replace('"u"', '"y"').replace("9", "7"))
    assert set().union(*(underlined(part.svg) for part in other.parts())) == set()


def test_names_on_pieces_are_underlined_likewise() -> None:
    tiling = jigsat.load(
        'family = "tiling"\nboard = "####"\n[pieces]\nu = "##"\nn = "#"\nx = "#"\n'
    )
    assert [underlined(part.svg) for part in tiling.parts()] == [set(), {"u"}, {"n"}, set()]
    data = instance.read_data(instance.find("cube"))
    cube = jigsat.load(
        {**data, "pieces": dict(zip("WMOXSZ", data["pieces"].values(), strict=True))}
    )
    assert set().union(*(underlined(part.svg) for part in cube.parts())) == {"W", "M"}
    assert underlined(next(jigsat.solutions(cube)).svg()) == {"W", "M"}


def test_digits_that_are_never_turned_are_not_underlined() -> None:
    sudoku = jigsat.load("sudoku-hard")
    assert set().union(*(underlined(part.svg) for part in sudoku.parts())) == set()


@pytest.mark.parametrize("name", ["cube", "polycube-tower", "pentagons"])
def test_the_views_of_a_solid_have_no_gaps_between_its_teeth(name: str) -> None:
    puzzle = instance.load(name)
    solution = first_solution(puzzle)
    assert solution
    below = [
        shape
        for shape in ElementTree.fromstring(puzzle.svg(solution)).iter(f"{SVG}polygon")
        if shape.get("fill") == END
    ]
    assert below
    for shape in below:
        corners = [
            complex(*map(float, point.split(","))) for point in shape.get("points", "").split()
        ]
        after = [*corners[1:], corners[0]]
        area = abs(sum((a.conjugate() * b).imag for a, b in zip(corners, after, strict=True))) / 2
        whole = (
            150**2
            * {"cube": 1, "polycube-tower": 1, "pentagons": 5 / 4 / math.tan(math.pi / 5)}[name]
        )
        assert area == pytest.approx(whole, rel=0.01)


def test_the_questions_of_a_crossword_stand_in_two_columns_above_its_grid() -> None:
    board = (
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 10 10" width="10" '
        'height="10"><path d="M0 0h9"/></svg>'
    )
    rules = [f"{i} across: a question of some words?" for i in range(1, 45)]
    (page,) = book([Section("A crossword", rules, [Part(board, 180.0)])])
    lefts = re.findall(r'x="([\d.]+)"[^>]*>[^<]*across', page)
    assert len(set(lefts)) == 2


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


FULL = {
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
@pytest.mark.parametrize("number", [1, 2])
@pytest.mark.parametrize("titled", [False, True], ids=["", "titled"])
def test_no_text_is_left_out_of_a_full_page(kind: str, number: int, titled: bool) -> None:
    puzzle, needed = FULL[kind]()
    sections = [
        Section(f"{i}. One of them", [*puzzle.rules()], puzzle.parts(), family=puzzle.family)
        for i in range(1, number + 1)
    ]
    size = PAPERS["a4"]
    pages = [*(titled_book("All", "", sections, [], size, None) if titled else book(sections))]
    printed_words = Counter[str]()
    for page in map(ElementTree.fromstring, pages):
        for text in page.iter(f"{SVG}text"):
            printed_words.update(re.findall(r"\w+", text.text or ""))
        for text in page.findall(f"{SVG}text"):
            assert 0 < float(text.get("y", 0)) < size.height, f"{text.text} is not on the page"
        for picture in page.findall(f"{SVG}svg"):
            left, top, wide, high = (
                float(picture.get(name, 0)) for name in ("x", "y", "width", "height")
            )
            assert wide > 20 and high > 10 and left >= 0 and top >= 0
            assert left + wide <= size.width and top + high <= size.height
    copies = 1 if titled else number  # what all puzzles of a kind share is printed once
    assert not Counter(needed * copies) - printed_words


def test_a_list_that_is_too_long_to_print_is_named() -> None:
    puzzle = many_slots(8, words=words_of(6000))
    assert [*puzzle.rules()][1] == (
        "The list of the 6,000 words that may be used is too long to print."
    )
