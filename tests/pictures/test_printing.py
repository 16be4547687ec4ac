"""Printed sheets contain the whole puzzle."""

from __future__ import annotations

import itertools
import math
import string
from collections.abc import Sequence
from typing import Any
from xml.etree import ElementTree

import pytest
from support import paper

import jigsat
from jigsat import instance
from jigsat.answering.enumeration import Enumeration, first_solution
from jigsat.generation.generator import generate
from jigsat.generation.sources import generators
from jigsat.printing.parts import draw_puzzle
from jigsat.puzzle import Puzzle

SVG = "{http://www.w3.org/2000/svg}"


def printed(puzzle: Puzzle) -> paper.Paper:
    return paper.read(draw_puzzle(puzzle, 1))


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
        {"holes": [(0, 0)]},
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


# -- names and lines


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
    side = {"cube": 1, "polycube-tower": 1, "pentagons": 5 / 4 / math.tan(math.pi / 5)}[name]
    faces = [
        corners
        for corners in read_polygons(puzzle.svg([]))
        if measure_area(corners) == pytest.approx(150**2 * side, rel=0.01)
    ]
    assert len(faces) >= len(puzzle.surface.polygons)
    drawn = read_polygons(puzzle.svg(solution))
    for face in faces:
        middle = sum(face) / len(face)
        rim = [
            (1 - share) * one + share * other
            for one, other in itertools.pairwise([*face, face[0]])
            for share in (0.02, 0.1, 0.3, 0.5, 0.7, 0.9)
        ]
        for point in rim:
            inside = middle + 0.95 * (point - middle)
            assert any(contains(corners, inside) for corners in drawn)


def read_polygons(svg: str) -> list[list[complex]]:
    """The corners of the polygons of a document, x + y i."""
    return [
        [complex(*map(float, point.split(","))) for point in shape.get("points", "").split()]
        for shape in ElementTree.fromstring(svg).iter(f"{SVG}polygon")
    ]


def measure_area(corners: Sequence[complex]) -> float:
    after = [*corners[1:], corners[0]]
    return abs(sum((a.conjugate() * b).imag for a, b in zip(corners, after, strict=True))) / 2


def contains(corners: Sequence[complex], point: complex) -> bool:
    """Whether a ray to the right from the point crosses the sides of a polygon an odd number of
    times."""
    crossings = 0
    for one, other in itertools.pairwise([*corners, corners[0]]):
        if (one.imag > point.imag) != (other.imag > point.imag):
            share = (point.imag - one.imag) / (other.imag - one.imag)
            crossings += one.real + share * (other.real - one.real) > point.real
    return crossings % 2 == 1


def test_words_to_fit_in_are_listed_by_length_and_only_if_they_fit_somewhere() -> None:
    data = {"family": "crossword", "grid": "...#\n.##.\n....\n#.#."}
    words = ["tar", "tab", "bale", "lie", "era", "zebra", "on", "in", "at"]
    _, goal, *lists = parsed({**data, "words": words}).rules()
    assert goal == "Not all of these words are needed."
    assert lists == ["2 letters: AT, IN, ON.", "3 letters: ERA, LIE, TAB, TAR.", "4 letters: BALE."]
    _, goal, *lists = parsed({**data, "words": ["tar", "tab", "bale", "lie", "at"]}).rules()
    assert goal == "Fit all of these words in."
    assert lists == ["2 letters\nAT", "3 letters\nLIE\nTAB\nTAR", "4 letters\nBALE"]


def test_a_list_that_is_too_long_to_print_is_named() -> None:
    letters = string.ascii_uppercase
    words = ["".join(word) for word in itertools.product(letters, repeat=3)][:6000]
    puzzle = parsed({"family": "crossword", "grid": "...", "words": words})
    assert [*puzzle.rules()][1] == (
        "The list of the 6,000 words that may be used is too long to print."
    )
