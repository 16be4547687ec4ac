"""Tilings of named boards compared with a search that shares no code with jigsat: hexagons,
triangles, tori and cylinders."""

from __future__ import annotations

import random
from itertools import islice
from typing import Any

import pytest
from hypothesis import assume, event, given, settings
from hypothesis import strategies as st
from support.agreement import assert_counted, parsed
from support.polygon_tilings import Twin, tile, twins
from support.quick import cases

import jigsat
from jigsat.boards.lattice import SQUARES, LatticeBoard
from jigsat.errors import InputError
from jigsat.pieces.cells import Places
from jigsat.symmetry.group import Group


@settings(deadline=None, max_examples=cases(30))
@given(twins)
def test_tilings_of_named_boards_agree_with_a_simple_search(twin: Twin) -> None:
    puzzle = parsed(twin.data())
    expected = set(islice(twin.solutions(), 300))
    assume(len(expected) < 300)
    event(twin.kind)
    event("several solutions" if len(expected) > 1 else "at most one solution")
    found = [
        frozenset(twin.seen(solution.placements))
        for solution in jigsat.solutions(puzzle, up_to="nothing")
    ]
    assert len(found) == len(set(found))
    assert set(found) == expected
    levels = Group.of(puzzle.encode(), puzzle.symmetries()).orders
    assert_counted(puzzle, len(expected), {level: twin.orbits(expected, level) for level in levels})
    by_listing = jigsat.count(puzzle, backend="cadical195")
    assert by_listing.distinct == {
        level: twin.orbits(expected, level) for level in by_listing.distinct
    }


@settings(deadline=None, max_examples=cases(25))
@given(twins, st.randoms(use_true_random=False))
def test_the_check_refuses_what_the_simple_search_does_not_find(
    twin: Twin, rng: random.Random
) -> None:
    puzzle = parsed(twin.data())
    expected = set(islice(twin.solutions(), 300))
    assume(0 < len(expected) < 300)
    right = list(next(jigsat.solutions(puzzle, up_to="nothing")).placements)
    for _ in range(12):
        wrong = list(right)
        i = rng.randrange(len(right))
        one, cells = right[i], sorted(twin.cells)
        match rng.choice(["drop", "again", "rename", "reorder", "move a cell", "move"]):
            case "drop":
                del wrong[i]
            case "again":
                wrong.append(one)
            case "rename":
                wrong[i] = one._replace(piece=f"p{rng.randrange(len(twin.pieces))}")
            case "reorder":
                wrong[i] = one._replace(cells=tuple(rng.sample(one.cells, len(one.cells))))
            case "move a cell":
                wrong[i] = one._replace(cells=(*one.cells[1:], rng.choice(cells)))
            case "move":
                wrong[i] = one._replace(cells=tuple(rng.sample(cells, len(one.cells))))
        seen = twin.seen(wrong)
        sizes_fit = all(len(where) == len(twin.pieces[int(name[1:])][0]) for name, where in wrong)
        lawful = sizes_fit and len(set(seen)) == len(seen) and frozenset(seen) in expected
        event("lawful" if lawful else "unlawful")
        assert bool(list(puzzle.check(wrong))) != lawful, wrong
    off = right[0]._replace(cells=tuple((y - 9, x) for y, x in right[0].cells))
    assert list(puzzle.check([off, *right[1:]]))


def tiling(board: str, pieces: dict[str, Any], **entries: Any) -> Any:
    return parsed({"family": "tiling", "board": board, "pieces": pieces, **entries})


def test_a_triangle_that_points_down_is_not_a_translate_of_one_that_points_up() -> None:
    for turning, expected in (False, 1), (True, 2):
        puzzle = tiling(
            "triangles\n^v",
            {"up": "^", "down": {"shape": "v"}},
            turning=turning,
            turning_over=False,
            uses=[0, 1],
        )
        assert jigsat.count(puzzle).solutions == 1
        one = tiling(
            "triangles\n^v",
            {"up": "^"},
            turning=turning,
            turning_over=False,
            uses="any",
            left_over=1,
        )
        assert jigsat.count(one).solutions == expected


def test_a_drawing_of_squares_and_the_named_board_are_the_same_formula() -> None:
    pieces = {"L": "#.\n#.\n##", "I": "####", "T": "###\n.#."}
    drawn, named, kind = (
        tiling(board, pieces)
        for board in ("####\n####\n####", "square 3x4", "squares\n####\n####\n####")
    )
    constraints = list(drawn.encode().constraints())
    assert list(named.encode().constraints()) == list(kind.encode().constraints()) == constraints
    assert set(named.candidates) == set(drawn.candidates)


@pytest.mark.parametrize(("size", "published"), [("4x4", 272), ("4x6", 3108), ("6x6", 90176)])
def test_dominoes_on_a_torus_agree_with_the_formula_of_kasteleyn(size: str, published: int) -> None:
    assert (
        jigsat.count(tiling(f"torus {size}", {"domino": "##"}, uses="any")).solutions == published
    )


def test_cells_covered_in_several_ways_around_a_torus_are_one_placement() -> None:
    assert jigsat.count(tiling("torus 2x2", {"domino": "##"}, uses="any")).solutions == 2
    assert jigsat.count(tiling("cylinder 2x3", {"bar": "###"}, uses="any")).solutions == 1


def test_colours_of_hexagons_match() -> None:
    board = "hexagons\n b w\nw b w\n w b"
    assert (
        jigsat.count(tiling(board, {"bar": "w b w", "pair": {"shape": "b w", "uses": 2}})).solutions
        == 2
    )
    with pytest.raises(InputError, match="no cell of the board has the colour 'r'"):
        tiling(board, {"bar": "r w", "pair": {"shape": "b w", "uses": "any"}})


@pytest.mark.parametrize(
    ("board", "piece", "said"),
    [
        ("cube", "#", "board: cube is a solid"),
        ("sqare 3x3", "#", "did you mean 'square 3x3'"),
        ("bw wb\nwbwbw", "#", "row 1 contains a blank"),
        ("hexagon 2", "##", r"pieces.p: hexagons: row 1, column 2 is misaligned"),
        ("triangle 2", "##", r"pieces.p: triangles: row 1, column 1 is '#'; draw \^"),
        ("torus 2x2", "#\n\n#", "blank line inside a drawing in the plane"),
        ("hexagons\n", "#", "this drawing has no cells"),
    ],
)
def test_errors_name_the_place(board: str, piece: str, said: str) -> None:
    with pytest.raises(InputError, match=said):
        tiling(board, {"p": piece}, uses="any")


def test_pictures_show_the_pieces() -> None:
    row = tiling("triangles\n^v^v", {"a": "^v^", "b": "v"})
    (solution, *_) = jigsat.solutions(row, up_to="nothing")
    assert solution.text() == "\n".join(
        [
            "   ____________",
            "  /      \\    /",
            " /a  a  a \\b /",
            "/__________\\/",
        ]
    )
    assert solution.svg().count(">a</text>") == solution.svg().count(">b</text>") == 1
    flower = tiling("hexagon 2", {"a": "# #\n #", "b": "# #"}, uses=[1, 2])
    (solution, *_) = jigsat.solutions(flower)
    assert len(solution.text().splitlines()) == 7
    cylinder = tiling("cylinder 2x3", {"bar": "###"}, uses="any")
    (solution, *_) = jigsat.solutions(cylinder)
    assert "│" not in solution.text()
    assert solution.text().endswith("a piece continues on the opposite side")
    assert "same red number" in solution.svg()
    assert any("wraps around" in rule for rule in cylinder.rules())
    assert len(cylinder.parts()) == 2


def test_pentominoes_on_a_cylinder_agree_with_a_simple_search() -> None:
    shapes = {"F": ".##\n##.\n.#.", "P": "##\n##\n#.", "Y": "####\n.#.."}
    pieces = tuple(
        (
            frozenset(
                tile("squares", y, x)
                for y, row in enumerate(s.split())
                for x, c in enumerate(row)
                if c == "#"
            ),
            1,
            1,
        )
        for s in shapes.values()
    )
    cells = {(y, x): tile("squares", y, x) for y in range(3) for x in range(5)}
    for board, wrap in ("cylinder 3x5", (0, 5)), ("torus 3x5", (3, 5)):
        twin = Twin("squares", board, cells, wrap, pieces)
        solutions = set(twin.solutions())
        found = jigsat.count(tiling(board, shapes))
        assert found.solutions == len(solutions)
        assert found.distinct == {
            level: twin.orbits(solutions, level) for level in ("rotation", "reflection")
        }


def test_letters_of_any_board_are_read() -> None:
    puzzle = tiling("triangle 2", {"a": "^v^"}, letters=" A\nBCD", left_over=1)
    assert {puzzle.answer(s.placements) for s in jigsat.solutions(puzzle, up_to="nothing")} == {
        "A",
        "B",
        "D",
    }
    with pytest.raises(InputError, match="letters: the cells differ"):
        tiling("triangle 2", {"a": "^v^"}, letters=" A\nBC", left_over=1)


def test_optional_cells_of_any_board_may_stay_empty() -> None:
    for board, optional in ("triangle 2", "  +\n ###"), ("triangles\n ^\n^v^", " +\n###"):
        puzzle = tiling(board, {"a": "^v^"}, optional=optional)
        (solution,) = jigsat.solutions(puzzle, up_to="nothing")
        assert set(solution.placements[0].cells) == {(1, 0), (1, 1), (1, 2)}
        assert ">+</text>" in solution.svg()
        assert ">+</text>" in puzzle.parts()[0].svg
    ring = tiling("hexagon 2", {"pair": "# #"}, uses=3, optional=" # #\n# + #\n # #")
    assert jigsat.count(ring).solutions == 2


def test_selections_of_pieces_are_generated_on_hexagons() -> None:
    pieces = {
        "bar": "# # #",
        "bent": "# #\n   #",
        "rhombus": " # #\n# #",
        "pair": "# #",
        "bee": "# #\n #",
        "one": "#",
    }
    (puzzle,) = jigsat.generate("tiling", board="hexagon 2", pieces=pieces)
    assert jigsat.count(puzzle).distinct["reflection"] >= 1
    with pytest.raises(InputError, match="pieces with colours need a drawn board"):
        jigsat.generate("tiling", board="hexagon 2")


def test_pieces_are_shifted_only_to_where_they_can_be() -> None:
    # A blue bar of eight cells with a red end; three cells of a blue box of ten are red.
    bar = "RBBBBBBB"
    box = {(y, x): "B" for y in range(10) for x in range(10)}
    box |= dict.fromkeys([(0, 0), (4, 1), (9, 9)], "R")
    on = LatticeBoard(SQUARES, {cell: cell for cell in box}, {})
    places = Places(box, on)
    way = tuple((0, x) for x in range(8))
    # None is placed beyond the end on the right.
    assert list(places.shifts(way, tuple(bar))) == [(0, 0), (4, 1)]
    assert len(list(places.shifts(way, ("#",) * 8))) == 30


def test_the_calendar_board_is_counted_without_a_list() -> None:
    rows = ["######.", "######.", *["#######"] * 4, "###...."]
    pieces = {
        "slab": "###\n###",
        "u": "#.#\n###",
        "p": "##.\n###",
        "z": "##.\n.#.\n.##",
        "l": "####\n#...",
        "n": "##..\n.###",
        "v": "#..\n#..\n###",
        "y": "####\n.#..",
    }
    calendar = {"family": "tiling", "board": "\n".join(rows), "left_over": 2, "pieces": pieces}
    result = jigsat.count(calendar)
    assert (result.solutions, result.established_by) == (59_787, "counting")  # by another program
