"""Edge matching compared with its twin on random instances, and with the known solutions of the
cats."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from hypothesis import event, given, reject, settings
from hypothesis import strategies as st
from support.agreement import assert_agreement, assert_counted, few_and_many, parsed
from support.cutting import mostly, rarely, switch, tiles
from support.installed import every_general
from support.quick import cases
from support.tables import Table, faces, rectangle
from support.twins import TooManyError, edge_matching, faced_look

import jigsat
from jigsat.instance import find, read_data

ENCODINGS = ["labels", "labels-lean", "supports", "supports-lean", "conflicts", "conflicts-lean"]
OPTIONS = {"derandomize": True, "deadline": None}


def compare(data: dict[str, Any], table: Table) -> None:
    puzzle, twin = parsed(data), edge_matching(data, table)

    def look(lying: Any) -> tuple[Any, ...]:
        return faced_look(data["tiles"][lying.tile], lying.turn)

    found = assert_agreement(puzzle, twin, look)
    event(f"solutions: {'none' if not found else 'one' if len(found) == 1 else 'some'}")


@settings(max_examples=cases(140), **OPTIONS)
@given(
    seed=st.integers(0, 2**32),
    size=st.sampled_from([(1, 1), (1, 2), (2, 1), (1, 4), (2, 2), (2, 2), (2, 3), (3, 2), (3, 3)]),
    encoding=st.sampled_from(ENCODINGS),
    paired=switch,
    framed=switch,
    hinted=switch,
    reusable=rarely,
    left_over=rarely,
    turning=mostly,
    faced=rarely,
)
def test_boards_agree_with_the_twin(
    seed: int, size: tuple[int, int], encoding: str, **options: bool
) -> None:
    rng = random.Random(seed)
    labels = rng.randint(1, 3) if size[0] * size[1] < 5 else rng.randint(2, 4)
    table = rectangle(*size)
    compare(
        {
            **tiles(rng, "square {}x{}".format(*size), table, labels, **options),
            "encoding": encoding,
        },
        table,
    )


@settings(max_examples=cases(50), **OPTIONS)
@given(
    seed=st.integers(0, 2**32),
    paired=switch,
    hinted=rarely,
    reusable=rarely,
    left_over=rarely,
    turning=mostly,
)
def test_cubes_agree_with_the_twin(seed: int, **options: bool) -> None:
    rng = random.Random(seed)
    table = faces()
    compare(tiles(rng, "cube", table, rng.randint(2, 4), framed=False, **options), table)


@few_and_many
def test_counts_without_a_list_agree_with_the_twin(number: int) -> None:
    @settings(max_examples=number, **OPTIONS)
    @given(
        seed=st.integers(0, 2**32),
        size=st.sampled_from([(1, 2), (2, 2), (2, 2), (2, 3), (3, 2), (3, 3), None]),
        paired=switch,
        framed=switch,
        hinted=rarely,
        reusable=rarely,
        left_over=rarely,
        turning=mostly,
    )
    def compare_counts(
        seed: int, size: tuple[int, int] | None, framed: bool, **options: bool
    ) -> None:
        rng = random.Random(seed)
        table = rectangle(*size) if size else faces()
        board = "square {}x{}".format(*size) if size else "cube"
        data = tiles(
            rng, board, table, rng.randint(2, 4), framed=framed and size is not None, **options
        )
        twin = edge_matching(data, table)
        try:
            expected = twin.solutions()
        except TooManyError:
            reject()
        assert_counted(parsed(data), len(expected), twin.distinct(expected))

    compare_counts()


# The four solutions printed in the weblog, one per line: for each cell, row by row, its tile and
# the number of quarter turns counter-clockwise.
PRINTED = """
2, 1, 1, 0, 6, 0, 8, 3, 9, 3, 7, 2, 5, 3, 3, 0, 4, 0
6, 1, 7, 3, 4, 1, 1, 1, 9, 0, 3, 1, 2, 2, 8, 0, 5, 0
4, 2, 3, 2, 5, 1, 7, 0, 9, 1, 8, 1, 6, 2, 1, 2, 2, 3
5, 2, 8, 2, 2, 0, 3, 3, 9, 2, 1, 3, 4, 3, 7, 1, 6, 3
"""


def test_the_cats_are_solved_as_printed() -> None:
    rows = [[int(number) for number in row.split(",")] for row in PRINTED.split("\n") if row]
    printed = {
        tuple(
            (divmod(i, 3), str(tile), -counter_clockwise % 4)
            for i, (tile, counter_clockwise) in enumerate(pairs)
        )
        for row in rows
        for pairs in [list(zip(row[::2], row[1::2], strict=True))]
    }
    assert len(printed) == 4
    enumeration = jigsat.solutions("cats", up_to="nothing")
    found = {tuple(sorted(solution.placements)) for solution in enumeration}
    assert found == printed
    assert {
        placement.tile
        for placements in found
        for placement in placements
        if placement.cell == (1, 1)
    } == {"9"}
    assert (enumeration.result.solutions, enumeration.result.distinct) == (4, {"rotation": 1})


def test_the_cats_agree_with_the_twin() -> None:
    for name in ("cats", "cats-reuse"):
        data = read_data(find(name))
        twin = replace(edge_matching(data, rectangle(3, 3)), most=2000, patience=100_000)
        assert_agreement(
            jigsat.load(name),
            twin,
            lambda p, data=data: faced_look({"sides": data["tiles"][p.tile]}, p.turn),
        )


def test_reusable_cats() -> None:
    result = jigsat.count("cats-reuse")
    assert (result.solutions, result.distinct, result.complete) == (1272, {"rotation": 318}, True)


@every_general
def test_every_backend_finds_the_cats(backend: str) -> None:
    result = jigsat.count("cats", backend=backend)
    assert (result.solutions, result.distinct, result.complete) == (4, {"rotation": 1}, True)


@settings(max_examples=cases(60), **OPTIONS)
@given(st.integers(0, 2**32))
def test_latin_boards_agree_with_backtracking(seed: int) -> None:
    rng = random.Random(seed)
    faces = rng.choices("abcd", k=9) if rng.random() < 0.2 else rng.sample("abcabcabc", 9)
    sides = [rng.choices("xxxxy", k=4) for _ in faces]
    cells = [(r, c) for r in range(3) for c in range(3)]

    def fits(laid: list[int]) -> bool:
        (r, c), tile = cells[len(laid) - 1], laid[-1]
        before = dict(zip(cells, laid[:-1], strict=False))
        return (
            tile not in laid[:-1]
            and (r == 0 or sides[before[r - 1, c]][2] == sides[tile][0])
            and (c == 0 or sides[before[r, c - 1]][1] == sides[tile][3])
            and all(
                faces[other] != faces[tile] for (i, j), other in before.items() if i == r or j == c
            )
        )

    def search(laid: list[int]) -> Iterator[tuple[Any, ...]]:
        if len(laid) == 9:
            yield tuple(
                (cell, faces[tile], *sides[tile]) for cell, tile in zip(cells, laid, strict=True)
            )
        for tile in range(9):
            if len(laid) < 9 and fits([*laid, tile]):
                yield from search([*laid, tile])

    named = {str(i): {"face": face, "sides": sides[i]} for i, face in enumerate(faces)}
    data = {
        "family": "edge-matching",
        "board": "square 3x3",
        "turning": False,
        "latin": True,
        "tiles": named,
    }
    found = [
        tuple(
            sorted(
                (cell, faces[int(tile)], *sides[int(tile)]) for cell, tile, _ in solution.placements
            )
        )
        for solution in jigsat.solutions(parsed(data), up_to="nothing")
    ]
    assert len(found) == len(set(found))
    assert set(found) == set(search([]))
    event(f"solutions: {'some' if found else 'none'}")


def test_a_hint_is_one_clause_whose_literals_ascend() -> None:
    """The literals are in the order of the variables, not of a set of strings, which differs
    between Python processes."""
    hints = [{"cell": [r, c], "tile": "1"} for r in range(3) for c in range(3)]
    formula = jigsat.load("cats", hints=hints).encode()
    clauses = [list(clause.literals) for clause in formula.groups["hints"].constraints]  # type: ignore[union-attr]
    assert [len(clause) for clause in clauses] == [4] * 9
    assert clauses == [sorted(clause) for clause in clauses]


def test_a_frame_without_a_name_is_checked_too() -> None:
    tiles = {"a": {"sides": ["", "", "x", ""]}, "b": {"sides": ["x", "", "", ""]}}
    puzzle = parsed({"family": "edge-matching", "board": "square 2x1", "tiles": tiles, "frame": ""})
    (solution,) = jigsat.solutions(puzzle)
    turned = [
        placement._replace(turn=(placement.turn + 2) % 4) for placement in solution.placements
    ]
    assert len(list(puzzle.check(turned))) == 2
    assert not list(puzzle.check(solution.placements))


def test_hexagons_and_triangles_are_drawn_in_the_terminal() -> None:
    data = {
        "family": "edge-matching",
        "board": "hexagon 1",
        "tiles": {"one": [*"abcdef"]},
        "turning": False,
    }
    (solution,) = jigsat.solutions(parsed(data))
    rows = ["".join(row.replace("·", "").split()) for row in solution.text().splitlines()]
    assert [row for row in rows if row] == ["fa", "eoneb", "dc"]
    triangles = next(iter(jigsat.solutions("macmahon-triangles"))).text()
    assert all(triangles.count(name) == 1 for name in ("bby", "gry", "rrr"))
    assert "·" in triangles


def test_sets_with_the_same_labels_have_the_same_colours() -> None:
    sides = [["plum", "pear", "fig", "pear"], ["fig", "pear", "plum", "fig"]]
    one, other = (
        parsed({"family": "edge-matching", "board": "square 1x2", "tiles": {"a": x[0], "b": x[1]}})
        for x in (sides, sides[::-1])
    )
    assert one.painted == other.painted


def test_faces_of_a_solid_are_named_as_elsewhere() -> None:
    complaints = [*jigsat.load("macmahon-cube").check([])]
    assert complaints[0] == "cell l1r1c1 top holds 0 tiles"


def test_pictures_tell_which_tiles_are_the_same() -> None:
    """A solution has the name of the first of them twice."""
    tiles = {"1": [*"abca"], "2": [*"bbca"], "3": [*"caab"]}  # 1 and 3 are turned copies
    data = {"family": "edge-matching", "board": "square 1x3"}
    puzzle = parsed({**data, "tiles": tiles})
    said = "tile 3 is the same as tile 1"
    assert said in puzzle.svg([]) and said in puzzle.text([])
    tiles["3"] = [*"cccc"]
    assert " is the same as " not in parsed({**data, "tiles": tiles}).svg([])
