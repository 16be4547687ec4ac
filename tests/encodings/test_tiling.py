"""Tilings compared with a search that shares no code with jigsat: solutions, counts up to symmetry,
and the checker."""

from __future__ import annotations

import random
import xml.etree.ElementTree as ElementTree
from dataclasses import replace
from itertools import islice, product
from math import cos, pi, prod
from typing import Any

import pytest
from hypothesis import assume, event, given, settings
from hypothesis import strategies as st
from jigsat.encodings.tiling.rules import Tiling
from support.agreement import assert_counted, few_and_many, parsed
from support.quick import cases
from support.tilings import (
    Coloured,
    Picture,
    Twin,
    as_seen,
    home,
    moved,
    puzzle_of,
    twins,
)

import jigsat
from jigsat.errors import InputError
from jigsat.instance import load, load_all
from jigsat.search.portfolio import models
from jigsat.symmetry import Group, count_solutions_and_orbits


@settings(deadline=None, max_examples=cases(90))
@given(twins)
def test_the_solutions_agree_with_a_simple_search(twin: Twin) -> None:
    puzzle = puzzle_of(twin)
    expected = set(islice(twin.solutions(), 200))
    assume(len(expected) < 200)
    event("solutions" if len(expected) > 1 else "one solution" if expected else "no solution")
    found = [
        frozenset(as_seen(puzzle, twin, solution.placements))
        for solution in jigsat.solutions(puzzle, up_to="nothing")
    ]
    assert len(found) == len(set(found))
    assert set(found) == expected
    result = jigsat.count(puzzle)
    rotation, reflection = twin.orbits(expected, "rotation"), twin.orbits(expected, "reflection")
    event(f"group of {len(result.symmetries)} levels")
    assert result.solutions == len(expected)
    assert result.distinct.get("rotation", len(expected)) == rotation
    assert result.distinct.get("reflection", rotation) == reflection


@few_and_many
def test_counts_without_a_list_agree_with_a_simple_search(number: int) -> None:
    @settings(deadline=None, derandomize=True, max_examples=number)
    @given(twins)
    def compare_counts(twin: Twin) -> None:
        puzzle = puzzle_of(twin)
        expected = set(islice(twin.solutions(), 200))
        assume(len(expected) < 200)
        levels = Group.of(puzzle.encode(), puzzle.symmetries()).orders
        assert_counted(
            puzzle, len(expected), {level: twin.orbits(expected, level) for level in levels}
        )

    compare_counts()


@settings(deadline=None, max_examples=cases(20))
@given(twins)
def test_z3_agrees_and_burnside_counts_the_same(twin: Twin) -> None:
    puzzle = puzzle_of(twin)
    formula = puzzle.encode()
    expected = set(islice(models(formula), 100))
    assume(0 < len(expected) < 100)
    assert set(models(formula, "z3")) == expected
    group = Group.of(formula, puzzle.symmetries())
    result = jigsat.count(puzzle)
    for level in result.distinct:
        event(f"symmetric up to {level}")
    assert (
        count_solutions_and_orbits(formula, group, lambda fixed: sum(1 for _ in models(fixed)))[1]
        == result.distinct
    )


def tampered(rng: random.Random, twin: Twin, placements: list[Any]) -> list[Any]:
    """The placements with one change."""
    some = rng.randrange(len(placements))
    one = placements[some]
    rest = placements[:some] + placements[some + 1 :]
    match rng.choice(
        ["drop", "again", "shift", "rename", "reorder", "move a cell", "mirror", "elsewhere"]
    ):
        case "drop":
            return rest
        case "again":
            return [*placements, one]
        case "shift":
            by = [rng.choice([-1, 0, 1]) for _ in range(twin.dimension)]
            return [
                *rest,
                one._replace(
                    cells=tuple(tuple(map(sum, zip(cell, by, strict=True))) for cell in one.cells)
                ),
            ]
        case "rename":
            return [*rest, one._replace(piece=f"p{rng.randrange(len(twin.pieces))}")]
        case "reorder":
            return [*rest, one._replace(cells=tuple(rng.sample(one.cells, len(one.cells))))]
        case "move a cell":
            return [*rest, one._replace(cells=(*one.cells[1:], rng.choice(sorted(twin.board))))]
        case "mirror":
            last = max(cell[-1] for cell in one.cells) + min(cell[-1] for cell in one.cells)
            return [
                *rest,
                one._replace(cells=tuple((*cell[:-1], last - cell[-1]) for cell in one.cells)),
            ]
    name = rng.randrange(len(twin.pieces))
    cells = sorted(
        cell for cell, _ in rng.choice(sorted(twin.looks(twin.pieces[name][0]), key=sorted))
    )
    return [*rest, one._replace(piece=f"p{name}", cells=tuple(cells))]


@settings(deadline=None, max_examples=cases(40))
@given(twins, st.randoms(use_true_random=False))
def test_the_checker_refuses_everything_that_the_search_does_not_find(
    twin: Twin, rng: random.Random
) -> None:
    puzzle = puzzle_of(twin)
    solutions = set(islice(twin.solutions(), 200))
    assume(0 < len(solutions) < 200)
    right = next(jigsat.solutions(puzzle, up_to="nothing")).placements
    assert not list(puzzle.check(right))
    assume(right)  # a puzzle whose pieces are all optional may be solved without any
    for _ in range(25):
        placements = tampered(rng, twin, list(right))
        if placements and rng.random() < 0.2:
            placements = tampered(rng, twin, placements)
        pieces = [twin.pieces[int(name[1:])][0] for name, _ in placements]
        sizes_fit = all(
            len(cells) == len(piece) for (_, cells), piece in zip(placements, pieces, strict=True)
        )
        seen = as_seen(puzzle, twin, placements) if sizes_fit else []
        lawful = (
            sizes_fit
            and all(
                home(look) in twin.looks(twin.pieces[int(name[1:])][0])
                for (name, _), look in zip(placements, seen, strict=True)
            )
            and len(set(seen)) == len(seen)
            and frozenset(seen) in solutions
        )
        event("lawful" if lawful else "unlawful")
        assert bool(list(puzzle.check(placements))) != lawful, placements


@settings(deadline=None, max_examples=cases(30))
@given(twins)
def test_the_checker_counts_pieces_and_cells_that_are_left_over(twin: Twin) -> None:
    assume(twin.pieces)
    puzzle = puzzle_of(twin)
    right, lax = (
        set(islice(twin.solutions(), 200)),
        [(piece, 0, high + 1) for piece, _, high in twin.pieces],
    )
    assume(len(right) < 200)
    for number in range(min(twin.left_over[1] + 2, 4)):
        other = replace(twin, pieces=tuple(lax), left_over=(number, number), optional=None)
        for picture in islice(other.solutions(), 30):
            event("lawful" if picture in right else "unlawful")
            assert (not list(puzzle.check(placed(puzzle, twin, picture)))) == (picture in right)


def placed(puzzle: Any, twin: Twin, picture: Picture) -> list[Any]:
    """The placements that make a picture, the cells of each piece in the order in which it is
    drawn."""
    placement = type(next(iter(puzzle.candidates)))
    found = []
    for look in picture:
        lies = [min(values) for values in zip(*(cell for cell, _ in look), strict=True)]
        number, order = next(
            (i, [moved(way, cell) for cell in sorted(piece)])
            for i, (piece, _, _) in enumerate(twin.pieces)
            for way in twin.ways
            if home((moved(way, cell), shade) for cell, shade in piece.items()) == home(look)
        )
        low = [min(values) for values in zip(*order, strict=True)]
        cells = tuple(
            tuple(x - a + b for x, a, b in zip(cell, low, lies, strict=True)) for cell in order
        )
        found.append(placement(f"p{number}", cells))
    return found


def test_reflection_is_not_a_symmetry_if_mirrored_pieces_differ_in_number() -> None:
    hands = {"L": "#.\n#.\n##", "J": {"shape": ".#\n.#\n##", "uses": 2}}
    puzzle = parsed(
        {"family": "tiling", "board": "####\n####\n####", "pieces": hands, "turning_over": False}
    )
    assert [symmetry.level for symmetry in puzzle.symmetries()] == ["rotation", "rotation"]
    equal = parsed(
        {
            "family": "tiling",
            "board": "####\n####",
            "pieces": {**hands, "J": ".#\n.#\n##"},
            "turning_over": False,
        }
    )
    assert (
        sorted(symmetry.level for symmetry in equal.symmetries())
        == ["reflection"] * 2 + ["rotation"] * 2
    )


# -- the shipped instances


def test_the_strips_agree_with_the_article() -> None:
    printed = """
        4b 2w 1w 9b 9b
        4b 2w 1w 6b 7w
        4w 2b 1w 6b 7w
        5b 5w 5b 6b 8b
        .b 3w 3b 3w 8w
    """
    rows = [line.split() for line in printed.split("\n") if line.strip()]
    numbers = {(y, x): entry[0] for y, row in enumerate(rows) for x, entry in enumerate(row)}
    strips = ["www", "wwb", "wbw", "wbb", "bwb", "bbb", "ww", "wb", "bb"]
    (solution,) = jigsat.solutions("black-and-white")
    found = {
        cell: str(strips.index(name) + 1) for name, cells in solution.placements for cell in cells
    }
    assert {cell: found.get(cell, ".") for cell in numbers} == numbers
    (by_the_rule,) = jigsat.solutions("black-and-white-rule")
    assert set(by_the_rule.placements) - set(solution.placements) == {
        type(solution.placements[0])("b", ((4, 0),))
    }


def test_no_letter_of_a_colour_stands_beside_the_letters_of_a_word() -> None:
    data = {
        "family": "tiling",
        "board": "bos\nwob",
        "letters": "ABC\nDEF",
        "pieces": {"X": "bo", "Y": "sb", "Z": "w"},
        "left_over": 1,
    }
    for puzzle, marks in ((parsed(data), ["•"]), (parsed({**data, "letters": None}), ["o", "s"])):
        texts = {x.text for part in puzzle.parts() for x in ElementTree.fromstring(part.svg).iter()}
        assert sorted(texts & {"o", "s", "•"}) == marks
        assert any("dots" in rule for rule in puzzle.rules()) == (marks == ["•"])


def test_a_piece_hides_the_letters_of_the_colours_that_it_covers() -> None:
    puzzle = parsed({"family": "tiling", "board": "os\nso", "pieces": {"X": "os"}, "uses": 2})
    for solution in jigsat.solutions(puzzle, up_to="nothing"):
        texts = [x.text for x in ElementTree.fromstring(solution.svg()).findall(".//{*}text")]
        assert texts.count("o") == texts.count("s") == 0
    empty = [x.text for x in ElementTree.fromstring(puzzle.svg([])).findall(".//{*}text")]
    assert empty.count("o") == empty.count("s") == 2


def test_the_remaining_letter_is_named() -> None:
    data = {
        "family": "tiling",
        "board": "bw\nwb",
        "letters": "AB\nCD",
        "pieces": {"bw": "bw", "b": "b"},
        "left_over": 1,
    }
    answers = {
        puzzle.answer(s.placements)
        for puzzle in [parsed(data)]
        for s in jigsat.solutions(puzzle, up_to="nothing")
    }
    assert answers == {"BD", "CD", "AB", "AC"}
    (solution, *_) = jigsat.solutions(parsed(data))
    assert solution.text().endswith(
        f"the remaining letters: {solution.puzzle.answer(solution.placements)}"
    )


def test_one_file_holds_many_boards() -> None:
    puzzles = load_all("black-and-white-batch")
    assert len(puzzles) == 25
    assert [puzzle.name for puzzle in puzzles[:2]] == [
        "black-and-white-batch-1",
        "black-and-white-batch-2",
    ]
    answers = ""
    for puzzle in puzzles:
        board = {
            (y, x): shade
            for y, row in enumerate(puzzle.board.split())
            for x, shade in enumerate(row)
        }
        pieces = tuple(
            ({(0, x): shade for x, shade in enumerate(name)}, 0, 1) for name in puzzle.pieces
        )
        assert len(list(Twin(board, pieces).solutions())) == 1
        (solution,) = jigsat.solutions(puzzle)
        answers += puzzle.answer(solution.placements)  # type: ignore[attr-defined]
    assert answers == "EVERYCELLISCOVEREDEXACTLY"
    with pytest.raises(InputError, match="expected one puzzle, found 25"):
        load("black-and-white-batch")


def test_a_board_in_a_list_may_have_its_own_entries() -> None:
    data = {
        "family": "tiling",
        "pieces": {"I": "##"},
        "boards": ["##", {"board": "###", "left_over": 1}],
    }
    first, second = [parsed(one) for one in Tiling.split(data)]
    assert jigsat.count(first).solutions == 1
    assert jigsat.count(second).solutions == 2


def dominoes(rows: int, columns: int) -> Twin:
    return Twin(
        {(y, x): "#" for y in range(rows) for x in range(columns)},
        (({(0, 0): "#", (0, 1): "#"}, 0, 99),),
    )


def kasteleyn(rows: int, columns: int) -> int:
    """The number of domino tilings by the product formula."""
    pairs = product(range(1, (rows + 1) // 2 + 1), range(1, (columns + 1) // 2 + 1))
    return round(
        prod(
            4 * cos(pi * j / (rows + 1)) ** 2 + 4 * cos(pi * k / (columns + 1)) ** 2
            for j, k in pairs
        )
    )


def test_dominoes_by_the_product_formula() -> None:
    assert kasteleyn(6, 8) == load("dominoes-6x8").known.solutions
    assert jigsat.count(parsed(dominoes(4, 5).data())).solutions == kasteleyn(4, 5) == 95


PENTOMINO_BOARDS = ["3x20", "4x15", "5x12", "6x10", "8x8-hole"]


def twin_of(name: str) -> Twin:
    """The twin of an instance whose pieces are all used once, or any number of times."""
    puzzle: Any = load(name)

    def cells(drawing: str) -> Coloured:
        layers = [layer.split() for layer in drawing.strip().split("\n\n")]
        solid = "\n\n" in puzzle.board.strip()
        return {
            ((z, y, x) if solid else (y, x)): shade
            for z, layer in enumerate(layers)
            for y, row in enumerate(layer)
            for x, shade in enumerate(row)
            if shade != "."
        }

    return Twin(
        cells(puzzle.board),
        tuple(
            (cells(piece.shape), *puzzle.number_of_uses(key))
            for key, piece in puzzle.pieces.items()
        ),
    )


@pytest.mark.slow
@pytest.mark.parametrize(
    "name",
    [
        "soma",
        "pentominoes-3x20",
        "pentominoes-4x15",
        "pentominoes-5x12",
        "pentominoes-8x8-hole",
        "pentominoes-6x10",
        "dominoes-6x8",
    ],
)
def test_the_search_finds_the_known_counts(name: str) -> None:
    twin, known = twin_of(name), load(name).known
    solutions = set(twin.solutions())
    assert len(solutions) == known.solutions
    assert twin.orbits(solutions, "rotation") == known.rotation
    assert twin.orbits(solutions, "reflection") == known.reflection


def test_the_mirror_images_of_the_soma_cube_are_two_kinds() -> None:
    puzzle: Any = load("soma")
    assert [len(kind.ways) for kind in puzzle.kinds] == [12, 24, 12, 12, 12, 12, 8]
    mirrored = next(symmetry for symmetry in puzzle.symmetries() if symmetry.level == "reflection")
    assert {(a.piece, b.piece) for a, b in mirrored.images.items() if a.piece != b.piece} == {
        ("A", "B"),
        ("B", "A"),
    }


# -- files and pictures

PLAIN = {"family": "tiling", "board": "###\n###", "pieces": {"I": "###", "V": "##\n#."}}


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        ({"board": "###\n# #"}, "board: row 2 contains a blank; draw . where there is no cell"),
        ({"board": "...\n"}, "board: this drawing has no cells"),
        ({"pieces": {}}, "pieces: "),
        (
            {"pieces": {"I": "###", "V": {"shape": "##\n#"}, "O": ""}},
            "pieces.O: this drawing has no cells",
        ),
        (
            {"pieces": {"I": {"shape": "###", "uses": "often"}}},
            "pieces.I.uses: expected a whole number",
        ),
        ({"uses": [2, 1]}, 'uses: expected a whole number, [minimum, maximum] or "any"'),
        ({"uses": -1}, "uses: expected a whole number"),
        ({"left_over": "some"}, 'left_over: expected a whole number, [minimum, maximum] or "any"'),
        ({"left_over": 7}, "left_over: at most 6 cells may stay empty"),
        ({"optional": "+##\n###", "left_over": [2, 3]}, "left_over: at most 1 cell may stay empty"),
        (
            {"optional": "+##"},
            "optional: the cells differ from those of the board; draw + or # for each cell of it",
        ),
        (
            {"optional": "x##\n###"},
            "optional: unknown character 'x'; + is a cell that may stay empty",
        ),
        (
            {"optional": "+#+\n###", "pieces": {"I": "###"}},
            "pieces: the pieces have 3 cells, but 4 to 6 must be covered; see 'left_over'",
        ),
        (
            {"left_over": 1},
            "pieces: the pieces have 6 cells, but 5 must be covered; see 'left_over', the number of "
            "uncovered cells",
        ),
        (
            {"uses": [0, 3], "board": "#" * 30},
            "pieces: the pieces have at most 18 cells, but the board has 30",
        ),
        (
            {"board": "www\nbbb", "pieces": {"I": "wwr", "J": "###"}},
            "pieces.I: no cell of the board has the colour 'r'",
        ),
        ({"letters": "ABC"}, "letters: the cells differ from those of the board"),
        (
            {"board": "##\n#\n\n##\n#", "turning_over": False},
            "turning_over: in space this is an ordinary turn; remove the entry",
        ),
        ({"turn": True}, "unknown entry 'turn'; did you mean 'turning'"),
    ],
)
def test_errors_name_the_place(change: dict[str, Any], complaint: str) -> None:
    with pytest.raises(InputError) as raised:
        parsed(PLAIN | change)
    assert str(raised.value).startswith(f"random.toml: {complaint}")


def test_layers_are_drawn_side_by_side() -> None:
    square = {"shape": "##\n##", "uses": 2}
    (solution,) = jigsat.solutions(
        parsed({**PLAIN, "board": "##\n##\n\n##\n##", "pieces": {"I": square}, "turning": False})
    )
    assert solution.text().splitlines() == [
        "┌───────┐   ┌───────┐",
        "│ I   I │   │ I   I │",
        "│       │   │       │",
        "│ I   I │   │ I   I │",
        "└───────┘   └───────┘",
    ]


def test_cells_that_may_stay_empty_are_marked() -> None:
    puzzle = parsed({"family": "tiling", "board": "###", "optional": "+#+", "pieces": {"I": "##"}})
    solutions = list(jigsat.solutions(puzzle, up_to="nothing"))
    assert sorted(solution.text().splitlines()[1] for solution in solutions) == [
        "│ () │ I   I  │",
        "│ I   I  │ () │",
    ]
    for solution in solutions:
        assert (solution.svg().count("<circle"), solution.svg().count(">+</text>")) == (1, 2)
    assert puzzle.svg([]).count("<circle") == 0
    assert list(puzzle.check([])) == [
        "3 cells are left over, not 0 to 2",
        "(0, 1) is not covered",
        "piece I is used 0 times",
    ]


def test_nothing_is_a_solution_if_every_cell_may_stay_empty() -> None:
    data = {
        "family": "tiling",
        "board": "##",
        "optional": "++",
        "pieces": {"I": "#"},
        "uses": "any",
    }
    assert {
        len(solution.placements) for solution in jigsat.solutions(parsed(data), up_to="nothing")
    } == {0, 1, 2}
    assert jigsat.count(parsed(data)).solutions == 4


def test_cells_that_are_left_over_are_marked() -> None:
    data = {
        "family": "tiling",
        "board": "wbw",
        "pieces": {"strip": "wb"},
        "left_over": 1,
        "turning_over": False,
        "turning": False,
    }
    (solution,) = jigsat.solutions(parsed(data))
    assert solution.text().splitlines()[1] == "│  w    b  │ (w) │"
    assert solution.svg().count("<circle") == 1


@pytest.mark.parametrize("name", ["black-and-white", "black-and-white-rule", "soma"])
def test_every_piece_is_named_in_the_picture(name: str) -> None:
    solution = next(jigsat.solutions(name))
    drawn = ElementTree.fromstring(solution.svg())
    texts = {text.text for text in drawn.iter("{http://www.w3.org/2000/svg}text")}
    assert texts >= {placement.piece for placement in solution.placements}
    assert len(list(drawn.iter("{http://www.w3.org/2000/svg}polygon"))) >= len(
        solution.puzzle.cells
    )  # type: ignore[attr-defined]
