"""Reasons why there is no solution: each is a proof, and everyday mistakes in a file have one."""

from __future__ import annotations

import random
import warnings
from itertools import product
from typing import Any

import pytest
from jigsat.encodings.interlocking.data import Piece
from jigsat.encodings.interlocking.reasons import places_of
from support.agreement import parsed

import jigsat
from jigsat import instance
from jigsat.diagnosis.unsolvable import reasons
from jigsat.errors import lookalikes
from jigsat.pieces.counting import too_few


def words(**data: Any) -> list[str]:
    """The reasons that the family gives for an instance without solutions."""
    puzzle = parsed(data)
    assert jigsat.count(puzzle).solutions == 0
    return [reason.words for reason in puzzle.reasons()]


# -- tilings, by trying all placements

Board = dict[tuple[int, int], str]
Way = list[tuple[int, int, str]]
SHAPES = ["##", "###", "##\n#.", "####", "##\n##", "###\n.#.", ".##\n##.", "#.#", "aa", "ab", "a#"]


def tilable(
    board: Board,
    left: list[str],
    spare: int,
    optional: set[tuple[int, int]],
    ways: dict[str, list[Way]],
) -> bool:
    """Whether the pieces can cover the board except for `spare` of the optional cells."""
    if not board:
        return not left and not spare
    r, c = min(board)
    rest = {cell: colour for cell, colour in board.items() if cell != (r, c)}
    if spare and (r, c) in optional and tilable(rest, left, spare - 1, optional, ways):
        return True
    for name in set(left):
        for way in ways[name]:
            cells = {(r + y, c + x): colour for y, x, colour in way}
            if all(
                (at in board and "#" in (a, board[at])) or board.get(at) == a
                for at, a in cells.items()
            ):
                others = list(left)
                others.remove(name)
                if tilable(
                    {at: a for at, a in board.items() if at not in cells},
                    others,
                    spare,
                    optional,
                    ways,
                ):
                    return True
    return False


def turned(shape: str) -> list[Way]:
    """The ways to place a piece, each with its first cell at the origin."""
    cells = [
        (y, x, a) for y, row in enumerate(shape.splitlines()) for x, a in enumerate(row) if a != "."
    ]
    found = set()
    for sy, sx, swapped in product((1, -1), (1, -1), (False, True)):
        way = sorted((sx * x, sy * y, a) if swapped else (sy * y, sx * x, a) for y, x, a in cells)
        found.add(tuple((y - way[0][0], x - way[0][1], a) for y, x, a in way))
    return [list(way) for way in found]


def test_reasons_of_tilings_are_proofs() -> None:
    rng, given = random.Random(5), 0
    for _ in range(400):
        names = [rng.choice(SHAPES) for _ in range(rng.randint(1, 3))]
        area, spare = (
            sum(len(name) - name.count(".") - name.count("\n") for name in names),
            rng.randint(0, 1),
        )
        columns = rng.randint(2, 4)
        places = rng.sample(
            sorted(product(range(5), range(columns))), min(area + spare, 5 * columns)
        )
        board = {at: rng.choice("##ab") for at in places}
        if len(board) != area + spare or {"a", "b"} - set(board.values()):
            continue
        rows = ["".join(board.get((r, c), ".") for c in range(columns)) for r in range(5)]
        optional = set(rng.sample(places, rng.randint(spare, len(places)))) if spare else set()
        drawn = [
            "".join(
                "." if (r, c) not in board else "+" if (r, c) in optional else "#"
                for c in range(columns)
            )
            for r in range(5)
        ]
        data = {
            "family": "tiling",
            "board": "\n".join(rows),
            "left_over": spare,
            "optional": "\n".join(drawn),
        }
        puzzle = parsed({**data, "pieces": {str(i): name for i, name in enumerate(names)}})
        if list(puzzle.reasons()):
            given += 1
            assert not tilable(
                board, names, spare, optional, {name: turned(name) for name in names}
            ), (data, names)
    assert given > 20


def test_colourings() -> None:
    domino = {"family": "tiling", "pieces": {"domino": "##"}, "uses": "any"}
    (mutilated,) = words(**domino, board=".###\n####\n####\n###.")
    assert (
        mutilated
        == "coloured as a chessboard, the board has 6 black and 8 white cells, but the pieces "
        "cover at least 7 black"
    )
    assert words(**domino, board="###\n###\n###") == [
        "every piece has 2 cells, but 9 cells must be covered"
    ]
    assert words(**domino, board="#.#") == ["no piece can cover r1c1 and r1c3"]
    tetrominoes = ["####", "##\n##", "###\n.#.", "###\n#..", ".##\n##."]
    (parity,) = words(
        family="tiling",
        board="\n".join(["#####"] * 4),
        pieces=dict(zip("IOTLS", tetrominoes, strict=True)),
    )
    assert parity.endswith(
        "the board has 10 black and 10 white cells, but the pieces always cover an odd number of "
        "black"
    )
    (bars,) = words(
        family="tiling", board="\n".join(["#" * 6] * 6), pieces={"I": "####"}, uses="any"
    )
    assert bars.startswith(
        "coloured as a chessboard of squares with 4 cells, the board has 20 black and 16 white "
        "cells"
    )


# -- sides and teeth


def test_a_misspelt_label() -> None:
    tiles = {name: ["grey", "green", "red", "grey"] for name in "abcd"}
    assert (
        list(parsed({"family": "edge-matching", "board": "torus 2x2", "tiles": tiles}).reasons())
        == []
    )
    tiles["c"] = ["grey", "gren", "red", "grey"]
    with pytest.warns(
        UserWarning, match="'gren' occurs once and resembles 'green', which occurs 3 times"
    ):
        found = words(family="edge-matching", board="square 2x2", frame="grey", tiles=tiles)
    assert found == [
        "nothing fits 'gren' of tile c; without it, there are only 3 tiles for 4 cells",
        "'green' is on 3 sides inside the board, an odd number, but they meet in pairs",
        "'gren' is on 1 side inside the board, an odd number, but they meet in pairs",
    ]


def test_labels_on_too_few_sides() -> None:
    corner = ["grey", "red", "red", "grey"]
    found = words(
        family="edge-matching",
        board="square 2x2",
        frame="grey",
        tiles={"a": {"sides": corner, "count": 3}, "b": ["red"] * 4},
    )
    assert found[0] == "'grey' is on 6 sides of the tiles, but the rim needs it on 8"
    line = {"family": "edge-matching", "board": "square 1x2", "frame": "x"}
    found = words(**line, tiles={"a": ["x", "x", "x", "x"], "b": ["x", "y", "x", "y"]})
    assert (
        found[0]
        == "2 cells of the board have 3 or more sides on the rim, but only 1 tile has 'x' on "
        "that many"
    )
    faced = {"a": {"sides": ["x"] * 4, "face": "f", "count": 4}}
    assert words(family="edge-matching", board="square 2x2", latin=True, tiles=faced) == [
        "the tiles have 1 face, but 2 cells in a line need different ones",
        "4 tiles have the face 'f', but only 2 can be used, one per row and column",
    ]


def test_a_tooth_too_many() -> None:
    data = instance.read_data(instance.find("cube"))
    del data["known"]
    data["pieces"]["A"] = data["pieces"]["A"].replace("#----.", "#----#", 1)
    found = words(**data)
    assert found[:3] == [
        "the pieces have 57 teeth, but there are 56 places to fill: 1 too many",
        "next to their corners, the pieces have 25 teeth, but there are 24 places to fill: 1 too "
        "many",
        "nothing fits the right ('.###..') of piece A; without it, there are only 5 pieces for 6 "
        "cells",
    ]


def test_the_only_side_is_named_as_in_the_drawing() -> None:
    drawn = ["##.#", "#--#", ".--.", "#..."]
    sides = {"top": "##.#", "right": "##..", "bottom": "#...", "left": "##.#"}
    piece = Piece.model_validate({"shape": "\n".join(drawn)})
    assert list(places_of(piece)) == [f"the {name} ('{marks}')" for name, marks in sides.items()]
    assert list(places_of(Piece.model_validate({"shape": "#. .. .#"}))) == [
        "side 1 ('#.')",
        "side 2 ('..')",
        "side 3 ('.#')",
    ]


def test_a_frame_fills_places() -> None:
    assert words(
        family="interlocking",
        board="square 1x1",
        pieces={"a": "...\n.-.\n..."},
        frame="...\n.-#\n...",
    )[:2] == [
        "the pieces have 0 teeth, but there are 7 places to fill: 7 too few",
        "at their corners, the pieces have 0 teeth, but there are 4 places to fill: 4 too few",
    ]


# -- symbols in rows, columns and boxes


def test_symbols_that_do_not_fit() -> None:
    def sudoku(grid: str) -> list[str]:
        return words(family="sudoku", grid=grid)

    assert sudoku("1.1.............") == ["1 is given twice in row 1: r1c1 and r1c3"]
    assert sudoku("12....3.........") == ["in row 1, no cell can hold 3"]
    assert words(family="latin", grid="12.\n..3\n...") == [
        "no symbol is left for grid r1c3: all are given in row 1 and column 3"
    ]
    assert words(family="latin", grid="..\n..", mates=["..\n.."])[0].startswith(
        "at most 1 Latin square of order 2"
    )
    assert words(family="latin", grid="1..\n.1.\n...", mates=["A..\n.A.\n..."]) == [
        "the pair 1A is given twice: grid r1c1 and grid r2c2"
    ]


def test_too_few_values() -> None:
    rng = random.Random(1)
    for _ in range(300):
        fitting = {key: [value for value in range(4) if rng.random() < 0.5] for key in "abcd"}
        possible = any(len(set(chosen)) == 4 for chosen in product(*fitting.values()))
        found = too_few(fitting)
        assert (found is None) == possible
        if found:
            keys, values = found
            assert len(values) < len(keys)
            assert all(values.issuperset(fitting[key]) for key in keys)


# -- clues, and what the family cannot show


def test_clues_that_conflict() -> None:
    (found,) = reasons(jigsat.load("dinner-impossible"))
    assert found.reason.words.startswith(
        "these 3 of 5 rules conflict, and no smaller set does: Ada and Bela sit beside each other, "
    )
    assert len(found.clues) == 3
    assert list(reasons(jigsat.load("dinner-impossible"), proved=False)) == []


def test_words_that_conflict_are_no_clues_and_the_rule_is_named() -> None:
    square = {"family": "crossword", "grid": ["..", ".."], "words": "ab ba ca ad"}
    (found,) = reasons(parsed(square))
    assert found.reason.words == (
        "these 4 of 4 words conflict, and no smaller set does: 1 across, 3 across, 1 down, 2 down; "
        "no word may be used twice"
    )
    (given,) = reasons(parsed({**square, "grid": ["a.", ".."]}))
    assert " of 5 clues conflict" in given.reason.words


def test_options_that_cannot_cover_the_items() -> None:
    assert words(family="exact-cover", items="a b c", options="a b\na b") == ["no option has 'c'"]
    assert words(family="exact-cover", items="a b c", options="a b\nb c") == [
        "the number of items of every option is divisible by 2, but there are 3 items"
    ]


# -- warnings about entries that are probably mistakes


def test_our_instances_give_no_warnings() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for path in instance.instances():
            for puzzle in instance.load_all(path):
                assert list(puzzle.warnings()) == []


@pytest.mark.filterwarnings("ignore::jigsat.errors.InstanceWarning")
@pytest.mark.parametrize(
    ("board", "piece", "suspected"),
    [
        ("wbx", "wb", ["x"]),
        ("wbb", "wb", []),
        ("wbxx", "wb", []),
        ("wb#", "wb", []),
        ("wbx", "w#", []),
    ],
)
def test_a_colour_on_a_single_cell_is_probably_a_mistake(
    board: str, piece: str, suspected: list[str]
) -> None:
    puzzle = parsed(
        {"family": "tiling", "board": board, "left_over": "any", "pieces": {"a": piece}}
    )
    assert [said.split("'")[1] for said in puzzle.warnings()] == suspected


@pytest.mark.parametrize(
    ("labels", "suspected"),
    [
        (["green", "green", "gren"], "gren"),
        (["Green", "green", "green"], "Green"),
        (["tial a", "tail a", "tail a"], "tial a"),
        (["fish 1", "fish 2", "fish 2"], ""),
        (["cat head", "cat tail", "cat tail"], ""),
        (["a", "b", "b"], ""),
        (["red", "rod", "rod"], ""),
        (["green", "gren", "gren", "green"], ""),
        (["horse-head", "horse-tail", "horse-tail"], ""),
        (["green", "gren", "grey", "fish", "fish"], ""),
    ],
)
def test_lookalikes(labels: list[str], suspected: str) -> None:
    found = list(lookalikes("label", labels))
    assert [said.split("'")[1] for said in found] == ([suspected] if suspected else [])
