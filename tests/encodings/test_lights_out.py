"""Lights Out compared with pressing by row and column, three methods of solving, and counts by
linear algebra."""

from collections.abc import Iterator
from itertools import combinations, product
from xml.etree import ElementTree

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jigsat.encodings import lights_out
from jigsat.encodings.lights_out.data import Press
from jigsat.encodings.lights_out.rules import LightsOut
from support.agreement import assert_counted, few_and_many
from support.quick import cases

import jigsat
from jigsat import instance
from jigsat.answering.enumeration import Enumeration
from jigsat.answering.ways import count_without_listing
from jigsat.boards.board import Board
from jigsat.errors import InputError
from jigsat.formula.gf2 import System, count_models
from jigsat.puzzle import Puzzle
from jigsat.search.portfolio import models
from jigsat.subject import nearest
from jigsat.symmetry import Group, count_solutions_and_orbits

Cell = tuple[int, int]
ROUTES = ["cadical195", "cryptominisat", "gf2"]
NAMES = [
    "push-pull",
    "lights-5x5",
    "lights-unsolvable",
    "lights-torus",
    "lights-hexagon",
    "lights-dodecahedron",
]
NULLITIES = [0, 0, 0, 4, 2, 0, 0, 0, 8, 0, 6, 0, 0, 4, 0, 8, 2, 0, 16, 0]


def need(backend: str) -> None:
    if backend == "cryptominisat":
        pytest.importorskip("pycryptosat")


def lights(board: str, lit: str | list[str] = "all") -> LightsOut:
    puzzle = instance.parse(
        {"family": "lights-out", "board": board, "lit": lit}, name="test", origin="test"
    )
    assert isinstance(puzzle, LightsOut)
    return puzzle


def pressed(rows: int, columns: int, wraps: bool, cells: frozenset[Cell]) -> frozenset[Cell]:
    """The lit cells after pressing these cells of a dark board one after the other."""
    lit = set()
    for r, c in cells:
        for dr, dc in (0, 0), (-1, 0), (1, 0), (0, -1), (0, 1):
            if wraps:
                lit ^= {((r + dr) % rows, (c + dc) % columns)}
            elif 0 <= r + dr < rows and 0 <= c + dc < columns:
                lit ^= {(r + dr, c + dc)}
    return frozenset(lit)


def by_hand(rows: int, columns: int, wraps: bool, lit: frozenset[Cell]) -> set[frozenset[Cell]]:
    """All solutions, from all sets of presses."""
    cells = list(product(range(rows), range(columns)))
    every = (frozenset(chosen) for k in range(len(cells) + 1) for chosen in combinations(cells, k))
    return {chosen for chosen in every if pressed(rows, columns, wraps, chosen) == lit}


def found(puzzle: Puzzle, backend: str, **options: bool) -> set[frozenset[Cell]]:
    enumeration = Enumeration(puzzle, backend=backend, up_to="nothing", **options)
    solutions = [frozenset(press.cell for press in solution.placements) for solution in enumeration]
    assert enumeration.result.complete
    assert enumeration.result.solutions == len(set(solutions)) == len(solutions)
    return set(solutions)


@st.composite
def positions(draw: st.DrawFn) -> tuple[int, int, bool, frozenset[Cell]]:
    rows, columns = draw(
        st.sampled_from([(1, 1), (1, 2), (1, 5), (2, 2), (2, 4), (3, 1), (3, 2), (3, 3), (4, 2)])
    )
    wraps = draw(st.booleans())
    cells = st.sets(st.tuples(st.integers(0, rows - 1), st.integers(0, columns - 1))).map(frozenset)
    lit = pressed(rows, columns, wraps, draw(cells)) if draw(st.booleans()) else draw(cells)
    return rows, columns, wraps, lit


def puzzle_of(rows: int, columns: int, wraps: bool, lit: frozenset[Cell]) -> LightsOut:
    drawn = ["".join("#" if (r, c) in lit else "." for c in range(columns)) for r in range(rows)]
    return lights(f"{'torus' if wraps else 'square'} {rows}x{columns}", drawn)


@settings(deadline=None, max_examples=cases(60))
@given(positions())
def test_brute_force_finds_the_same(position: tuple[int, int, bool, frozenset[Cell]]) -> None:
    puzzle, expected = puzzle_of(*position), by_hand(*position)
    assert found(puzzle, "cadical195") == expected
    assert found(puzzle, "gf2") == expected
    assert count_models(puzzle.encode()) == len(expected)
    said = next(iter(puzzle.remarks()))
    assert said.endswith(
        {0: ": no solution", 1: ": one solution"}.get(
            len(expected), f": 2^{len(expected).bit_length() - 1} solutions"
        )
    )


def orbits(
    rows: int, columns: int, wraps: bool, lit: frozenset[Cell], solutions: set[frozenset[Cell]]
) -> dict[str, int]:
    """The number of distinct solutions by level, under the turns, reflections and shifts that keep
    the lit cells."""
    cells = list(product(range(rows), range(columns)))
    shifts = cells if wraps else [(0, 0)]
    kept: dict[str, set[tuple[Cell, ...]]] = {"rotation": set(), "reflection": set()}
    for swapped, down, right, (dr, dc) in product((False, True), (1, -1), (1, -1), shifts):
        if swapped and rows != columns:
            continue
        images = []
        for r, c in cells:
            a, b = (r if down > 0 else rows - 1 - r), (c if right > 0 else columns - 1 - c)
            images.append(
                ((a + dr) % rows, (b + dc) % columns)
                if not swapped
                else ((b + dr) % rows, (a + dc) % columns)
            )
        moved = dict(zip(cells, images, strict=True))
        if {moved[cell] for cell in lit} == lit:
            mirrored = (down * right < 0) != swapped
            kept["reflection"].add(tuple(images))
            if not mirrored:
                kept["rotation"].add(tuple(images))
    counts, order = {}, 1
    for level, moves in kept.items():
        if len(moves) > order:
            order = len(moves)
            maps = [dict(zip(cells, move, strict=True)) for move in moves]
            counts[level] = len(
                {
                    min(tuple(sorted(move[cell] for cell in one)) for move in maps)
                    for one in solutions
                }
            )
    return counts


@few_and_many
def test_counts_by_rank_are_those_of_brute_force(number: int) -> None:
    @settings(deadline=None, derandomize=True, max_examples=number)
    @given(positions())
    def compare_counts(position: tuple[int, int, bool, frozenset[Cell]]) -> None:
        expected = by_hand(*position)
        assert_counted(puzzle_of(*position), len(expected), orbits(*position, expected))

    compare_counts()


@settings(deadline=None, max_examples=cases(30))
@given(positions())
def test_brute_force_finds_the_same_minimum(
    position: tuple[int, int, bool, frozenset[Cell]],
) -> None:
    solutions = by_hand(*position)
    least = min(map(len, solutions), default=None)
    puzzle = puzzle_of(*position)
    assert jigsat.minimum(puzzle).minimum == least
    assert found(puzzle, "cadical195", minimize=True) == {
        cells for cells in solutions if len(cells) == least
    }


@settings(deadline=None)
@given(positions(), st.data())
def test_the_check_agrees_with_pressing(
    position: tuple[int, int, bool, frozenset[Cell]], data: st.DataObject
) -> None:
    rows, columns, wraps, lit = position
    presses = data.draw(st.sets(st.sampled_from(list(product(range(rows), range(columns))))))
    complaints = list(puzzle_of(*position).check([Press(cell) for cell in presses]))
    left = pressed(rows, columns, wraps, frozenset(presses)) ^ lit
    assert sorted(complaints) == sorted(f"the light of cell {cell} is on" for cell in left)


def corrupted(solution: frozenset[Cell], cells: list[Cell]) -> Iterator[frozenset[Cell]]:
    """The solution with one more press, one less, or one on another cell."""
    for cell in cells:
        yield solution ^ {cell}
    for there, free in product(solution, set(cells) - solution):
        yield solution - {there} | {free}


@pytest.mark.parametrize("name", ["push-pull", "lights-5x5", "lights-torus"])
def test_every_corruption_is_caught(name: str) -> None:
    puzzle = jigsat.load(name)
    cells = list(puzzle.surface.cells)
    solutions = found(puzzle, "gf2")
    for solution in sorted(solutions, key=sorted)[:4]:
        assert not list(puzzle.check([Press(cell) for cell in solution]))
        for changed in corrupted(solution, cells):
            assert (not list(puzzle.check([Press(cell) for cell in changed]))) == (
                changed in solutions
            )
    assert next(puzzle.check([Press((9, 9))])) == "there is no cell (9, 9) to press"


@pytest.mark.parametrize("backend", ROUTES)
@pytest.mark.parametrize("name", NAMES)
def test_the_known_counts_are_found(name: str, backend: str) -> None:
    need(backend)
    puzzle = jigsat.load(name)
    result = jigsat.count(puzzle, backend=backend)
    assert result.complete
    assert result.solutions == puzzle.known.solutions
    assert {
        level: result.distinct[level] for level in puzzle.known.distinct()
    } == puzzle.known.distinct()


@pytest.mark.parametrize("name", NAMES)
def test_the_known_minimum_is_found(name: str) -> None:
    assert jigsat.minimum(name).minimum == jigsat.load(name).known.minimum


def test_push_pull_has_the_printed_solution() -> None:
    assert found(jigsat.load("push-pull"), "gf2") == {
        frozenset({(0, 0), (0, 1), (0, 2), (1, 2), (2, 1)})
    }


@pytest.mark.parametrize(
    "board",
    ["square 4x4", "square 4x6", "square 9x9", "torus 3x3", "torus 4x3", "torus 2x6", "cube"],
)
def test_three_routes_agree(board: str) -> None:
    puzzle = lights(board)
    expected = found(puzzle, "gf2")
    assert found(puzzle, "cadical195") == expected
    pytest.importorskip("pycryptosat")
    assert found(puzzle, "cryptominisat") == expected


def test_triangles_in_a_row_are_lit_like_squares_in_a_row(monkeypatch: pytest.MonkeyPatch) -> None:
    upright = {(0, i): ((i, 1), (i + 1, 0), (i + 2, 1)) for i in (0, 2, 4)}
    hanging = {(0, i): ((i, 0), (i + 2, 0), (i + 1, 1)) for i in (1, 3)}
    corners = dict(sorted({**upright, **hanging}.items()))
    monkeypatch.setattr(lights_out.data, "board_named", lambda _: Board("strip", corners))
    puzzle = lights("square 1x5")
    expected = by_hand(1, 5, False, puzzle.lights)
    assert len(expected) == 2
    assert found(puzzle, "gf2") == expected


def test_forty_by_forty_by_two_routes() -> None:
    puzzle = jigsat.load("lights-5x5", board="square 40x40")
    (solution,) = found(puzzle, "gf2")
    assert pressed(40, 40, False, solution) == frozenset(product(range(40), repeat=2))
    pytest.importorskip("pycryptosat")
    assert found(puzzle, "cryptominisat") == {solution}


@pytest.mark.parametrize(("n", "nullity"), list(enumerate(NULLITIES, 1)))
def test_nullities(n: int, nullity: int) -> None:
    puzzle = lights(f"square {n}x{n}")
    system = System(puzzle.encode().constraints())
    assert (system.rank, system.nullity) == (n * n - nullity, nullity)
    assert system.consistent  # all lit can always be put out
    solutions = f"2^{nullity} solutions" if nullity else "one solution"
    assert list(puzzle.remarks()) == [
        f"rank {n * n - nullity} of {n * n} equations, nullity {nullity}: {solutions}"
    ]


def test_an_unsolvable_position_comes_with_its_proof() -> None:
    puzzle = jigsat.load("lights-unsolvable")
    assert isinstance(puzzle, LightsOut)
    assert list(puzzle.remarks()) == ["rank 23 of 25 equations, nullity 2: no solution"]
    (reason,) = puzzle.reasons()
    marked = {press.cell for press in reason.marked}
    assert len(marked & puzzle.lights) % 2 == 1
    for cell in product(range(5), repeat=2):
        assert len(marked & pressed(5, 5, False, frozenset({cell}))) % 2 == 0


@pytest.mark.parametrize(
    "board",
    ["square 5x5", "square 9x9", "square 4x6", "torus 3x3", "torus 3x5", "torus 1x3", "cube"],
)
def test_counting_by_rank_agrees_with_the_list(board: str) -> None:
    listed, by_rank = (
        jigsat.count(lights(board), backend="gf2"),
        count_without_listing(lights(board), "gf2"),
    )
    assert (by_rank.solutions, by_rank.distinct) == (listed.solutions, listed.distinct)
    assert by_rank.complete
    assert by_rank.established_by == "rank"


def test_burnside_by_a_solver_agrees_with_burnside_by_rank() -> None:
    puzzle = lights("torus 3x3")
    formula = puzzle.encode()
    group = Group.of(formula, puzzle.symmetries())
    assert len(group.levels["reflection"]) == 72
    by_list = count_solutions_and_orbits(
        formula, group, lambda fixed: sum(1 for _ in models(fixed))
    )
    assert by_list == count_solutions_and_orbits(formula, group, count_models)
    assert by_list[1] == jigsat.count(puzzle).distinct


def test_counts_too_large_to_list() -> None:
    puzzle = lights("square 30x30")
    result = count_without_listing(puzzle, "gf2")
    assert result.solutions == 2**20
    assert 2**20 / 8 < result.distinct["reflection"] < result.distinct["rotation"] < 2**20 / 3
    first = next(Enumeration(puzzle, backend="gf2"))
    assert pressed(30, 30, False, frozenset(press.cell for press in first.placements)) == frozenset(
        product(range(30), repeat=2)
    )


def test_only_counting_backends_are_used_for_counting() -> None:
    with pytest.raises(InputError, match="cadical195 cannot count"):
        count_without_listing(lights("square 2x2"), "cadical195")


@pytest.mark.parametrize("board", ["square 9x9", "torus 6x6"])
def test_the_minimum_over_all_solutions(board: str) -> None:
    puzzle = lights(board)
    solutions = found(puzzle, "gf2")
    least = min(map(len, solutions))
    assert found(puzzle, "cadical195", minimize=True) == {
        cells for cells in solutions if len(cells) == least
    }


def test_symmetries_keep_the_lights() -> None:
    orders = {
        "####\n....\n....\n....": {"reflection": 2},
        "#..#\n....\n....\n#..#": {"rotation": 4, "reflection": 8},
        "##..\n....\n....\n..##": {"rotation": 2},
        "#...\n....\n....\n....": {"reflection": 2},
        "#...\n.#..\n....\n....": {"reflection": 2},
        "#.#.\n....\n....\n....": {},
    }
    for drawn, expected in orders.items():
        puzzle = lights("square 4x4", drawn)
        assert Group.of(puzzle.encode(), puzzle.symmetries()).orders == expected


@pytest.mark.parametrize(
    ("board", "lit", "complaint"),
    [
        ("square 3x3", "011\n110", "lit: 2 rows, but square 3x3 has 3"),
        ("square 3x3", "011\n110\n11", "lit: row 3 has 2 characters"),
        ("square 3x3", "011\n1x0\n110", "lit: row 2, column 2 is 'x'"),
        ("cube", "#\n##\n.\n.", "lit: row 2 has 2 characters, but this row of cube has 3 cells"),
        ("squar 3x3", "all", "unknown board 'squar 3x3'; did you mean 'square 3x3'"),
    ],
)
def test_bad_data_is_named(board: str, lit: str, complaint: str) -> None:
    with pytest.raises(InputError, match=complaint):
        lights(board, lit)


def test_ways_to_draw_the_lights() -> None:
    same = [
        lights("square 2x3", lit).lights
        for lit in ("0 1 1\n1 0 0", ["011", "100"], ".##\n#..\n", "\n . # # \n # . . \n")
    ]
    assert set(same) == {frozenset({(0, 1), (0, 2), (1, 0)})}
    assert lights("cube", "#\n.#.\n.\n.").lights == {"top", "front"}


def test_missing_presses_are_a_change() -> None:
    puzzle = lights("square 1x5")
    formula = puzzle.encode()
    alone = Group.of(formula, ())
    relation = nearest(
        puzzle, formula, alone, [frozenset({1, 2, 3, 4, 5}), frozenset({1, 2})], frozenset({1, 3})
    )
    assert str(relation) == "solution 2 with 2 placements changed"
    assert str(
        nearest(
            puzzle, formula, alone, [frozenset({1, 2, 3, 4, 5}), frozenset({2})], frozenset({1, 3})
        )
    ).startswith("solution 1")


def test_pictures() -> None:
    solution = next(jigsat.solutions("push-pull"))
    assert solution.text().splitlines() == [
        "lights      5 presses",
        "",
        "· ● ●       ■ ■ ■",
        "● ● ·       · · ■",
        "● ● ·       · ■ ·",
    ]
    svg = ElementTree.fromstring(solution.svg())
    assert len(svg.findall("{*}circle")) == 5
    cells = [polygon.get("fill") for polygon in svg.findall("{*}polygon")]
    assert cells.count("#ffd034") == 6, "six lights are on before the presses, none after them"
    assert cells.count("#39414f") == 9 + 3
    assert solution.puzzle.svg(solution.placements[:1]).count("#ffd034") > 0


def test_a_torus_is_drawn_with_copies_beyond_its_rim() -> None:
    solution = next(Enumeration(lights("torus 2x3"), backend="gf2"))
    assert solution.text().splitlines() == [
        "  lights      2 presses",
        "┄┄┄┄┄┄┄┄┄   ┄┄┄┄┄┄┄┄┄",
        "┊ ● ● ● ┊   ┊ ■ · · ┊",
        "┊ ● ● ● ┊   ┊ ■ · · ┊",
        "┄┄┄┄┄┄┄┄┄   ┄┄┄┄┄┄┄┄┄",
        "each dotted side is joined to the opposite side",
    ]
    circles = ElementTree.fromstring(solution.svg()).findall("{*}circle")
    # two on the board, two copies on its right and, with the corners, two above and two below
    assert len(circles) == 2 + 2 + 2 * 2
