"""Pieces that clash: the stated sets against a search by brute force, and what people read."""

from __future__ import annotations

import random
from collections.abc import Callable, Collection
from dataclasses import dataclass
from itertools import combinations
from math import comb
from typing import Any

import pytest
from hypothesis import event, given, reject, settings
from hypothesis import strategies as st
from support import cutting, tables, tilings, twins
from support.agreement import few_and_many, parsed
from support.cutting import mostly, rarely, switch
from support.parts import on_board, on_table
from support.twins import TooManyError, faced_look, piece_look

from jigsat.diagnosis.clashes import Clash, clashes
from jigsat.diagnosis.cores import Assumed
from jigsat.formula import Formula
from jigsat.puzzle import Puzzle
from jigsat.words import name_place

FOREVER = 1e12
MOST = 130
"""The maximum number of sets that are compared with brute force."""


@dataclass
class Truth:
    """The pieces and cells of a puzzle, as a clash names them, and whether some of them are
    possible together."""

    pieces: dict[str, tuple[Any, int]]
    cells: dict[str, Any]
    search: Callable[[dict[Any, int], list[Any]], bool]
    complete: bool = True
    """Whether nothing else is required, such as a number of cells left over."""

    def possible(self, names: Collection[str]) -> bool:
        pieces = dict(self.pieces[name] for name in names if name in self.pieces)
        return self.search(pieces, [self.cells[name] for name in names if name in self.cells])

    def every(self, names: Collection[str], number: int) -> bool:
        """Whether every set of this number is possible, as far as there are not too many."""
        return comb(len(names), number) > MOST or all(
            map(self.possible, combinations(names, number))
        )


def all_clashes(puzzle: Puzzle) -> list[Clash]:
    """What clashes, found by a search that is not stopped."""
    found = [*clashes(puzzle, FOREVER)]
    sets = [each for each in found if isinstance(each, Clash)]
    assert sets == found
    return sets


def assert_proved(puzzle: Puzzle, truth: Truth, solvable: bool) -> None:
    """Assert that the reasons that are stated for a puzzle are true, and that there is one if it
    has no solution."""
    found = all_clashes(puzzle)
    requirements = {**truth.pieces, **truth.cells}
    event(f"{'some' if solvable else 'no'} solution, {len(found)} clashes")
    expected = not (solvable or truth.possible(requirements))
    assert bool(found) == expected or (expected and not truth.complete), (
        "requirements clash if no part meets them all"
    )
    for number, clash in enumerate(found):
        size = len(clash.names)
        event(
            f"{size} of {len(requirements)} clash, "
            f"{'pieces' if {*clash.names} <= truth.pieces.keys() else 'and cells'}"
        )
        assert not truth.possible(clash.names)
        assert truth.every(clash.names, size - 1)
        assert truth.every(requirements if not number else truth.pieces, size - 1), (
            "there is no smaller set"
        )
        assert_layout(clash, truth)


def assert_layout(clash: Clash, truth: Truth) -> None:
    """Assert that the sentence names the pieces without which all others fit, and that the picture
    belongs to the first."""
    layout = clash.layout
    assert layout.marked <= {*layout.placed} and layout.missing.isdisjoint(layout.placed)
    if not {*clash.names} <= truth.pieces.keys():
        return
    fitting = [
        name
        for name in clash.names
        if truth.possible([other for other in truth.pieces if other != name])
    ]
    _, _, rest = clash.words.partition("; ")
    if len(clash.names) == len(truth.pieces):
        assert len(fitting) == len(clash.names)
    elif len(clash.names) == 1 or len(fitting) == len(clash.names) or not fitting:
        assert bool(rest) == bool(fitting), clash.words
    else:
        said = (
            rest.removesuffix(", all the others can")
            .replace(" or ", ", ")
            .split(" ", 2)[2]
            .split(", ")
        )
        assert said == [name.partition(" ")[2] for name in fitting], clash.words


def table_truth(
    puzzle: Any,
    twin: twins.Twin,
    noun: str,
    cell: str,
    looks: Callable[[str], Any],
    left_over: bool,
) -> Truth:
    pieces = (
        {}
        if left_over
        else {f"{noun} {kind.words}": (looks(kind.name), kind.count) for kind in puzzle.kinds}
    )
    cells = {f"{cell} {name_place(each)}": each for each in twin.table.cells}
    return Truth(pieces, cells, lambda required, filled: on_table(twin, required, filled))


@few_and_many
def test_tiles_that_clash(number: int) -> None:
    @settings(max_examples=2 * number, derandomize=True, deadline=None)
    @given(
        seed=st.integers(0, 2**32),
        size=st.sampled_from([(1, 3), (1, 4), (2, 2), (2, 2), (2, 3)]),
        framed=rarely,
        encoding=st.sampled_from(["labels", "labels-lean", "supports", "conflicts"]),
        turning=mostly,
        paired=switch,
        left_over=rarely,
        reusable=rarely,
        hinted=rarely,
        faced=rarely,
    )
    def compare(seed: int, size: tuple[int, int], encoding: str, **options: bool) -> None:
        rng, table = random.Random(seed), tables.rectangle(*size)
        data = cutting.tiles(
            rng, f"square {size[0]}x{size[1]}", table, rng.choice([3, 4, 5]), **options
        )
        tile = data["tiles"][rng.choice([*data["tiles"]])]
        tile["sides"][rng.randrange(4)] = rng.choice(data["tiles"]["t0"]["sides"])
        data.pop("hints", None)
        puzzle: Any = parsed({**data, "encoding": encoding})
        twin = twins.edge_matching(data, table)

        def looks(name: str) -> frozenset[Any]:
            return frozenset(
                faced_look(data["tiles"][name], turn)
                for turn in range(4 if options["turning"] else 1)
            )

        truth = table_truth(puzzle, twin, "tile", "cell", looks, puzzle.left_over)
        try:
            assert_proved(puzzle, truth, bool(twin.solutions()))
        except TooManyError:
            reject()

    compare()


@few_and_many
def test_pieces_with_teeth_that_clash(number: int) -> None:
    @settings(max_examples=number, derandomize=True, deadline=None)
    @given(
        seed=st.integers(0, 2**32),
        turning_over=rarely,
        holes=rarely,
        left_over=rarely,
        alike=rarely,
    )
    def compare(seed: int, **options: bool) -> None:
        data = cutting.pieces(random.Random(seed), 3, spoilt=True, **options)
        puzzle: Any = parsed(data)
        twin = twins.interlocking(data)

        def looks(name: str) -> frozenset[Any]:
            rows, over = data["pieces"][name].split(), (False, True)[: 1 + options["turning_over"]]
            return frozenset(
                piece_look(rows, turn, flipped) for turn in range(4) for flipped in over
            )

        try:
            truth = table_truth(puzzle, twin, "piece", "face", looks, options["left_over"])
            assert_proved(puzzle, truth, bool(twin.solutions()))
        except TooManyError:
            reject()

    compare()


@few_and_many
def test_pieces_of_cells_that_clash(number: int) -> None:
    @settings(max_examples=2 * number, derandomize=True, deadline=None)
    @given(tilings.twins)
    def compare(twin: tilings.Twin) -> None:
        puzzle: Any = tilings.puzzle_of(twin)
        kinds = {
            kind.words: twin.looks(twin.pieces[int(kind.name[1:])][0])
            for kind in puzzle.kinds
            if kind.least
        }
        pieces = {
            f"piece {words}": (looks, twin.classes[looks][0]) for words, looks in kinds.items()
        }
        # otherwise cells that are left over may be what is impossible
        required = [
            cell
            for cell in twin.board
            if not (twin.left_over[1] if twin.optional is None else cell in twin.optional)
        ]
        cells = {f"cell {name_place(cell)}": cell for cell in required}
        simple = not twin.left_over[1] and twin.optional is None
        truth = Truth(pieces, cells, lambda pieces, filled: on_board(twin, pieces, filled), simple)
        try:
            assert_proved(puzzle, truth, next(twin.solutions(), None) is not None)
        except TooManyError:
            reject()

    compare()


LINE = {"family": "edge-matching", "board": "square 1x2", "turning": False}
PIECES = {"family": "tiling", "turning": False, "turning_over": False}
WORDS: list[tuple[dict[str, Any], list[str]]] = [
    (
        {**LINE, "frame": "f", "tiles": {"a": ["f", "x", "f", "f"], "b": ["f", "f", "g", "x"]}},
        ["tile b cannot be placed; the other tile can"],
    ),
    (
        {**LINE, "frame": "f", "tiles": {"a": ["f", "x", "f", "f"], "b": ["f", "f", "g", "x"],
        "c": ["g", "f", "g", "x"]}},
        ["cell r1c2 cannot be filled"],
    ),
    (
        {**LINE, "tiles": {"a": ["f", "x", "f", "f"], "b": ["f", "g", "g", "y"]}},
        ["each of the 2 tiles can be placed, but not both"],
    ),
    (
        {**LINE, "board": "square 1x3", "matching": [["+", "-"], ["*", "*"]],
         "tiles": {"a": ["*", "+", "*", "+"], "b": ["*", "+", "*", "+"], "c": ["*", "*", "*",
         "+"]}},
        ["tiles a/b and c cannot all be placed, but each of these can"],
    ),
    (
        {**PIECES, "board": "####\n####", "pieces": {"a": {"shape": "#\n#", "uses": 2},
        "c": "####"}},
        ["pieces a ×2 and c cannot all be placed, but each of these can"],
    ),
    (
        {**PIECES, "board": "wwbw\n...w", "pieces": {"a": {"shape": "ww", "uses": 2}, "b": "b"}},
        ["the 2 pieces a cannot both be placed; the other piece can"],
    ),
    (
        {**PIECES, "board": "wwbw\n...w", "pieces": {"a": "ww", "b": "b", "c": "ww"}},
        ["the 2 pieces a/c cannot both be placed; the other piece can"],
    ),
    (
        {**PIECES, "board": "bwbwb", "pieces": {"a": {"shape": "wbw", "uses": [1, 2]},
        "b": {"shape": "b\nb", "uses": [0, 1]}}},
        ["cell r1c1 cannot be covered"],
    ),
    (
        {"family": "exact-cover", "items": "a b c d", "options": "a b\nb c\nc a\nd"},
        ["items a, b and c cannot all be covered, but any 2 items can"],
    ),
]  # fmt: skip


@pytest.mark.parametrize(("data", "expected"), WORDS)
def test_what_clashes_in_words(data: dict[str, Any], expected: list[str]) -> None:
    assert [clash.words for clash in all_clashes(parsed(data))] == expected


def test_a_search_without_effort_says_only_that_it_was_stopped() -> None:
    assert [*clashes(parsed(WORDS[-1][0]), 0.0)] == ["the search for what clashes was stopped"]


def test_a_search_that_is_stopped_says_that_there_may_be_a_smaller_set(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(Assumed, "smallest", lambda *known: known[2])
    *found, last = clashes(parsed(WORDS[-1][0]), FOREVER)
    assert [clash.words for clash in found] == [
        "items a, b and c cannot all be covered, but any 2 of these can"
    ]
    assert last == "the search for what clashes was stopped; there may be a smaller set"


def test_a_puzzle_that_is_too_large_is_not_searched(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("jigsat.diagnosis.clashes.MAX_CONSTRAINTS", 1)
    assert [*clashes(parsed(WORDS[-1][0]))] == [
        "the puzzle is too large for a search for what clashes"
    ]


def test_the_picture_shows_what_is_possible_without_one_piece() -> None:
    board, cross = "#####\n#####\n#####", ".#.\n###\n.#."
    pieces = {"I": "#####", "X": cross, "P": "##\n##\n#."}
    (clash,) = all_clashes(parsed({"family": "tiling", "board": board, "pieces": pieces}))
    assert clash.names == ("piece I", "piece X")
    assert clash.words.endswith("but each piece can; without either of these, all the others can")
    assert {placement.piece for placement in clash.layout.placed} == {"X", "P"}
    assert {placement.piece for placement in clash.layout.marked} == {"X"}


def test_the_picture_says_how_many_copies_are_missing() -> None:
    (clash,) = all_clashes(
        parsed(
            {
                **PIECES,
                "board": "wwwb\nww.w",
                "pieces": {"a": {"shape": "www", "uses": 2}, "b": "b"},
            }
        )
    )
    placed = [each.piece for each in clash.layout.placed]
    assert clash.layout.legend.startswith(
        "without one of the 2 pieces a" if "a" in placed else "without the 2 pieces a"
    )


def test_rules_that_contradict_each_other_without_any_piece_are_no_clash() -> None:
    class Impossible(type(parsed(WORDS[0][0]))):  # type: ignore[misc]
        def encode(self) -> Formula:
            formula: Formula = super().encode()
            formula.variables("never", {"number": range(1)}, decision=False)
            formula.clauses([[formula.top], [-formula.top]])
            return formula

    data = parsed(WORDS[2][0]).model_dump(exclude={"known"})
    assert not all_clashes(Impossible.model_validate(data))
