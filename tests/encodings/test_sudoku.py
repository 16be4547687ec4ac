"""Sudoku: comparison with simple backtracking on small grids, text formats, pictures and error messages."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from itertools import pairwise, permutations
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jigsat.encodings.sudoku import Digit, Sudoku
from support.agreement import assert_counted, few_and_many
from support.quick import cases
from support.sudokus import Filled, areas, fillings

import jigsat
from jigsat import instance
from jigsat.errors import InputError
from jigsat.search.blocking import models
from jigsat.symmetry.burnside import burnside
from jigsat.symmetry.group import Group

OPTIONS = {"derandomize": True, "deadline": None}


def parsed(**data: Any) -> Sudoku:
    puzzle = instance.parse({"family": "sudoku", **data}, name="mine", origin="mine.toml")
    assert isinstance(puzzle, Sudoku)
    return puzzle


def placed(filled: Filled) -> list[Digit]:
    return [Digit((r, c), value) for r, row in enumerate(filled) for c, value in enumerate(row)]


def rows(placements: tuple[Digit, ...]) -> Filled:
    size = 1 + max(r for (r, _), _ in placements)
    shown = dict(placements)
    return tuple("".join(shown[r, c] for c in range(size)) for r in range(size))


# -- the twin: backtracking on the data of an instance


def images(filled: Filled) -> Iterator[tuple[str, Filled]]:
    """Every image of a grid under rotation, reflection and permutation of its digits, with the level of the symmetry."""
    for mirrored in (False, True):
        turned = tuple(row[::-1] for row in filled) if mirrored else filled
        for _ in range(4):
            turned = tuple("".join(column) for column in zip(*turned[::-1], strict=True))
            for digits in permutations("1234"):
                exchange = str.maketrans("1234", "".join(digits))
                level = "all" if digits != tuple("1234") else "reflection" if mirrored else "rotation"
                yield level, tuple(row.translate(exchange) for row in turned)


def orbits(data: dict[str, Any], solutions: set[Filled]) -> dict[str, int]:
    """The number of distinct solutions by level; symmetries keep the givens and the areas that must differ."""
    cells = [(r, c) for r in range(4) for c in range(4)]
    where = ("ABCD", "EFGH", "IJKL", "MNOP")  # letters do not change when digits are exchanged
    wanted = {frozenset(area) for area in areas(data)}
    kept = []
    for (level, moved), (_, grid) in zip(images(where), images(tuple(data["grid"])), strict=True):
        at = {where[r][c]: (r, c) for r, c in cells}
        move = {at[moved[r][c]]: (r, c) for r, c in cells}
        kept.append((level, grid == tuple(data["grid"]) and {frozenset(map(move.get, area)) for area in wanted} == wanted))
    counts, order = {}, 1
    for i, level in enumerate(("rotation", "reflection", "all"), 1):
        levels = ("rotation", "reflection", "all")[:i]
        size = sum(keeps and at in levels for at, keeps in kept)
        if size > order:
            order, rest, counts[level] = size, set(solutions), 0
            while rest:
                one = images(next(iter(rest)))
                rest -= {image for (at, image), (_, keeps) in zip(one, kept, strict=True) if keeps and at in levels}
                counts[level] += 1
    return counts


@st.composite
def small(draw: st.DrawFn) -> dict[str, Any]:
    """A 4×4 puzzle: some givens of a solution, perhaps one of them changed; perhaps diagonals, regions, extra regions."""
    rng = random.Random(draw(st.integers(0, 10**6)))
    data: dict[str, Any] = {"grid": ["...."] * 4}
    if draw(st.booleans()):
        data["diagonals"] = True
    if draw(st.booleans()):
        data["regions"] = draw(
            st.sampled_from(
                [["aaab", "cabb", "ccdb", "cddd"], ["aabb", "aabb", "ccdd", "ccdd"], ["abbb", "aacb", "addc", "dccd"]]
            )
        )
    if draw(st.integers(0, 3)) == 0:
        data["extra"] = draw(st.sampled_from([["....", ".xx.", ".xx.", "...."], ["x..y", ".xy.", ".yx.", "y..x"]]))
    solutions = sorted(fillings(data))
    if solutions:
        solution = rng.choice(solutions)
        share = draw(st.sampled_from([0, 0.1, 0.25, 0.5]))
        grid = [[value if rng.random() < share else "." for value in row] for row in solution]
        if draw(st.integers(0, 4)) == 0:
            grid[rng.randrange(4)][rng.randrange(4)] = rng.choice("1234")
        data["grid"] = ["".join(row) for row in grid]
    return data


@settings(max_examples=cases(40), **OPTIONS)
@given(small(), st.sampled_from(["cadical195", "z3"]), st.sampled_from(["nothing", "rotation", "reflection", "all"]))
def test_solutions_and_counts_are_those_of_backtracking(data: dict[str, Any], backend: str, up_to: str) -> None:
    expected = set(fillings(data))
    enumeration = jigsat.solutions(parsed(**data), backend=backend, up_to=up_to)
    found = [rows(solution.placements) for solution in enumeration]
    assert expected.issuperset(found)
    assert len(set(found)) == len(found)
    assert enumeration.result.complete
    assert enumeration.result.solutions == len(expected)
    assert enumeration.result.distinct == orbits(data, expected)
    if up_to == "nothing":
        assert set(found) == expected


@few_and_many
def test_counts_without_a_list_are_those_of_backtracking(number: int) -> None:
    @settings(max_examples=number, **OPTIONS)
    @given(small())
    def compare_counts(data: dict[str, Any]) -> None:
        expected = set(fillings(data))
        assert_counted(parsed(**data), len(expected), orbits(data, expected))

    compare_counts()


@settings(max_examples=cases(12), **OPTIONS)
@given(small())
def test_the_checker_refuses_exactly_the_wrong_grids(data: dict[str, Any]) -> None:
    puzzle, solutions = parsed(**data), set(fillings(data))
    for filled in sorted(solutions)[:3]:
        placements = placed(filled)
        assert not list(puzzle.check(placements))
        for i, (cell, value) in enumerate(placements):
            others = [*placements[:i], *placements[i + 1 :]]
            assert list(puzzle.check(others)), "an empty cell"
            assert list(puzzle.check([*placements, Digit(cell, "1")])), "two digits in a cell"
            for other in set("12345") - {value}:
                assert list(puzzle.check([*others, Digit(cell, other)])), "one digit changed"
        for i, j in permutations(range(16), 2):  # swapping two digits sometimes gives another solution
            swapped = list(placements)
            swapped[i], swapped[j] = (Digit(a.cell, b.value) for a, b in ((swapped[i], swapped[j]), (swapped[j], swapped[i])))
            assert bool(list(puzzle.check(swapped))) == (rows(tuple(swapped)) not in solutions)
    # correct rows and columns may violate the boxes, the regions, the diagonals or the givens
    for filled in fillings({"grid": ["...."] * 4, "regions": ["aaaa", "bbbb", "cccc", "dddd"]}):
        assert bool(list(puzzle.check(placed(filled)))) == (filled not in solutions)


def test_the_empty_grid_of_4x4_by_burnside() -> None:
    puzzle = jigsat.load("sudoku-4x4-empty")
    formula = puzzle.encode()
    group = Group.of(formula, puzzle.symmetries())
    assert group.orders == {"rotation": 4, "reflection": 8, "all": 8 * 24}
    for level, distinct in puzzle.known.distinct().items():
        assert burnside(formula, group.levels[level], lambda fixed: sum(1 for _ in models(fixed))) == distinct
    everything = set(fillings({"grid": ["...."] * 4}))
    assert len(everything) == puzzle.known.solutions
    assert orbits({"grid": ["...."] * 4}, everything) == puzzle.known.distinct()


def test_digits_that_can_be_exchanged() -> None:
    underconstrained = jigsat.load("sudoku-underconstrained")
    assert Group.of(underconstrained.encode(), underconstrained.symmetries()).orders == {"all": 2}
    # half a turn with 1 ↔ 4 and 2 ↔ 3 keeps these givens, and no digit is free
    turned = parsed(grid=["12..", "....", "....", "..34"])
    assert Group.of(turned.encode(), turned.symmetries()).orders == {"all": 2}
    # 9! exchanges are not listed
    empty = jigsat.load("sudoku-empty")
    assert Group.of(empty.encode(), empty.symmetries()).orders == {"rotation": 4, "reflection": 8}
    # boxes of 2×3 have no quarter turn
    six = parsed(grid=["......"] * 6)
    assert Group.of(six.encode(), six.symmetries()).orders == {"rotation": 2, "reflection": 4, "all": 4 * 720}


@pytest.mark.parametrize("name", ["sudoku-hard", pytest.param("sudoku-jigsaw", marks=pytest.mark.slow)])
def test_the_instances_of_9x9_have_the_solution_that_backtracking_finds(name: str) -> None:
    puzzle = jigsat.load(name)
    assert isinstance(puzzle, Sudoku)
    data = {"grid": puzzle.grid} | ({"regions": puzzle.regions} if puzzle.regions else {})
    (solution,) = jigsat.solutions(puzzle)
    assert [rows(solution.placements)] == list(fillings(data))


def test_the_printed_completions_are_among_those_of_the_underconstrained_grid() -> None:
    printed = {
        "178236495 359147268 264598137 745962381 813754629 926813754 481325976 592671843 637489512",
        "178236495 359147268 264598137 745962381 813754629 926813754 481325976 637489512 592671843",
    }
    puzzle = jigsat.load("sudoku-underconstrained")
    assert isinstance(puzzle, Sudoku)
    for completion in printed:
        assert not list(puzzle.check(placed(tuple(completion.split()))))
    # if their common digits are also given, only these two solutions remain
    common = "".join(a if a == b else "." for a, b in zip(*printed, strict=True)).split()
    narrowed = puzzle.model_copy(update={"grid": tuple(common)})
    assert all(was in (".", now) for was, now in zip("".join(puzzle.grid), "".join(common), strict=True))
    assert {" ".join(rows(solution.placements)) for solution in jigsat.solutions(narrowed)} == printed


@pytest.mark.slow
def test_more_than_20000_completions_of_the_underconstrained_grid() -> None:
    found = {solution.placements for solution in jigsat.solutions("sudoku-underconstrained", up_to="nothing", limit=20_001)}
    assert len(found) == 20_001


@pytest.mark.slow
def test_ten_thousand_completions_of_the_empty_grid() -> None:
    enumeration = jigsat.solutions("sudoku-empty", limit=10_000)
    found = {solution.placements for solution in enumeration}
    assert (len(found), enumeration.result.solutions, enumeration.result.stopped_by) == (10_000, 40_000, "limit")


@pytest.mark.parametrize(
    ("size", "letters"), [(12, "ABC"), (16, "ABCDEFG"), pytest.param(25, "ABCDEFGHIJKLMNOP", marks=pytest.mark.slow)]
)
def test_large_grids_take_letters(size: int, letters: str) -> None:
    (solution,) = jigsat.solutions(parsed(grid=["." * size] * size), up_to="nothing", limit=1)
    found = rows(solution.placements)
    assert all(set(row) == {*"123456789", *letters} for row in found)
    given = parsed(grid=[found[0].lower(), *["." * size] * (size - 1)])
    assert given.grid[0] == found[0]


def test_two_equal_givens_in_a_row_are_not_an_error() -> None:
    result = jigsat.count(parsed(grid=["11..", "....", "....", "...."]))
    assert (result.solutions, result.complete) == (0, True)


# -- the text formats

PUZZLE = "53..7.... 6..195... .98....6. 8...6...3 4..8.3..1 7...2...6 .6....28. ...419..5 ....8..79"
ROWS = PUZZLE.split()
BARRED = "\n-----------\n".join(
    "\n".join("|".join(row[i : i + 3] for i in (0, 3, 6)) for row in ROWS[j : j + 3]) for j in (0, 3, 6)
)


@pytest.mark.parametrize(
    "text",
    [
        PUZZLE.replace(" ", ""),
        PUZZLE.replace(" ", "").replace(".", "0") + "\n",
        "# a comment\n\n" + PUZZLE.replace(" ", "").replace(".", "_"),
        PUZZLE.replace(" ", "") + "  # 1 solution",
        "\n".join(ROWS),
        "\n".join(" ".join(row) for row in ROWS),
        "\r\n".join(ROWS),
        BARRED,
        BARRED.replace(".", " "),
        "\n".join(line.rstrip() for line in BARRED.replace(".", " ").splitlines()) + "\n\n",
        BARRED.replace("-----------", "---+---+---").replace(".", "0"),
        "\n".join(row.replace(".", " ") for row in ROWS),
        "+-------+-------+-------+\n| " + "\n| ".join(" ".join(line) for line in BARRED.splitlines()) + "\n",
        "Grid 01\n" + "\n".join(ROWS).replace(".", "0"),
        jigsat.load("sudoku-empty").text(placed(tuple(ROWS))).replace("·", ""),
    ],
)
def test_customary_text_formats(text: str, tmp_path: Path) -> None:
    expected = parsed(grid=ROWS)
    path = tmp_path / "mine.txt"
    path.write_text(text, encoding="utf-8", newline="")
    puzzle = jigsat.load(path)
    assert isinstance(puzzle, Sudoku)
    assert puzzle.grid == expected.grid
    assert (puzzle.digest(), puzzle.name) == (expected.digest(), "mine")
    assert parsed(grid=text).grid == expected.grid


OTHERS = [f"{'.' * 27}{'123456789' if i else '.' * 9}{'.' * 45}" for i in (0, 1)]


@pytest.mark.parametrize(
    "text",
    [
        "\n".join([PUZZLE.replace(" ", ""), *OTHERS]),
        "\n\n".join(["\n".join(ROWS), *("\n".join(line[i : i + 9] for i in range(0, 81, 9)) for line in OTHERS)]),
        "\n========\n".join(["\n".join(ROWS), *("\n".join(line[i : i + 9] for i in range(0, 81, 9)) for line in OTHERS)]),
        "\n".join(
            f"Grid {number:02}\n" + "\n".join(line[i : i + 9] for i in range(0, 81, 9)).replace(".", "0")
            for number, line in enumerate([PUZZLE.replace(" ", ""), *OTHERS], 1)
        ),
    ],
)
def test_text_files_with_many_puzzles(text: str, tmp_path: Path) -> None:
    path = tmp_path / "three.txt"
    path.write_text(text, encoding="utf-8")
    puzzles = instance.load_all(path)
    assert [puzzle.name for puzzle in puzzles] == ["three-1", "three-2", "three-3"]
    assert ["".join(puzzle.grid) for puzzle in puzzles if isinstance(puzzle, Sudoku)] == [PUZZLE.replace(" ", ""), *OTHERS]
    with pytest.raises(InputError, match=r"three\.txt: expected one puzzle, found 3"):
        instance.load(path)


def test_text_files_with_many_small_puzzles(tmp_path: Path) -> None:
    path = tmp_path / "small.txt"
    path.write_text("1...............\n12..34..........\n", encoding="utf-8")
    assert [puzzle.grid for puzzle in instance.load_all(path) if isinstance(puzzle, Sudoku)] == [
        ("1...", "....", "....", "...."),
        ("12..", "34..", "....", "...."),
    ]


def test_puzzles_in_a_toml_file_share_the_other_entries(tmp_path: Path) -> None:
    path = tmp_path / "two.toml"
    path.write_text(
        'family = "sudoku"\ndiagonals = true\ngrids = ["1...............", """\n1.|..\n..|..\n--+--\n..|..\n..|.1\n"""]\n',
        encoding="utf-8",
    )
    one, two = instance.load_all(path)
    assert isinstance(one, Sudoku) and isinstance(two, Sudoku)
    assert one.diagonals and two.diagonals
    assert (one.grid[3], two.grid[3]) == ("....", "...1")
    assert [puzzle.name for puzzle in instance.load_all("sudoku-hard")] == ["sudoku-hard"]


@pytest.mark.parametrize(
    ("data", "complaint"),
    [
        ({"grid": "." * 80}, "grid: 80 characters on one line; a 9×9 grid has 81"),
        ({"grid": ["...."] * 3 + ["..Z."]}, "grid: row 4, column 3 is 'Z', but a 4×4 grid takes 1234"),
        ({"grid": ["5..."] + ["...."] * 3}, "grid: row 1, column 1 is '5'"),
        ({"grid": ["....", "...", "....", "...."]}, "grid: row 2 has 3 characters, but the grid has 4 rows"),
        ({"grid": "1.0............."}, "grid: blanks are written as '.' and '0'"),
        ({"grid": ["." * 7] * 7}, "grid: 7 rows cannot be divided into boxes; draw `regions`"),
        ({"grid": ["." * 36] * 36}, "grid: 36 rows; there are digits for 2 to 35"),
        ({"grid": 4}, "grid: "),
        ({"grid": ["." * 6] * 6, "box": "3x3"}, "box: '3x3' fits no 6×6 grid"),
        ({"grid": ["." * 6] * 6, "box": "six"}, "box: 'six' fits no 6×6 grid"),
        ({"grid": ["...."] * 4, "regions": ["aabb"] * 3}, "regions: 3 rows, but the grid has 4"),
        (
            {"grid": ["...."] * 4, "regions": ["aabb", "aabb", "ccdd", "ccda"]},
            "regions: 'a' is drawn on 5 cells, but a region has 4",
        ),
        (
            {"grid": ["...."] * 4, "regions": ["aabb", "aabb", "ccdd", "ccdd"], "box": "2x2"},
            "box: cannot be combined with `regions`",
        ),
        ({"grid": ["...."] * 4, "extra": ["x...", ".x..", "..x.", "...."]}, "extra: 'x' is drawn on 3 cells"),
        ({"grid": [1, 2]}, "grid: expected rows of characters in quotes"),
        ({"grid": 3}, "grid: expected rows of characters in quotes"),
        ({"grid": {"a": 1}}, "grid: expected rows of characters in quotes"),
        ({"grid": [["1"]]}, "grid: expected rows of characters in quotes"),
        ({"grid": ["...."] * 4, "regions": 3}, "regions: expected a drawing in quotes"),
        ({"grid": "12..\n34\n....\n...."}, "grid: row 2 has 2 characters, but the grid has 4 rows"),
        ({"grid": "12 4\n34\n2143\n4321"}, "grid: row 2 has 2 characters, but another has 4; write . for each blank"),
        ({"grid": "1234\n 43\n2143\n4321"}, "grid: row 2 has 3 characters, but another has 4; write . for each blank"),
        ({"grid": "12|34\n3|4\n21|43\n43|21"}, "grid: row 2 has 2 characters, but another has 4; write . for each blank"),
    ],
)
def test_complaints_name_the_place(data: dict[str, Any], complaint: str) -> None:
    with pytest.raises(InputError, match=re.escape(f"mine.toml: {complaint}")):
        parsed(**data)


@pytest.mark.parametrize(
    ("name", "text", "complaint"),
    [
        ("bad.txt", "." * 81 + "\n" + "2" + "." * 79, "puzzle 2: grid: 80 characters on one line"),
        ("bad.txt", "." * 80 + "Z" + "\n" + "2" + "." * 80, "puzzle 1: grid: row 9, column 9 is 'Z'"),
        ("bad.txt", "53..7....\n6..195...\n", "grid: row 1 has 9 characters, but the grid has 2 rows"),
        ("bad.txt", "To whom it may concern", "not valid TOML, nor a text format of a family"),
        ("bad.toml", 'family = "sudoku"\ngrids = []', "this file contains no puzzle"),
        ("bad.toml", 'family = "sudoku"\ngrids = 3', "grids: write a list of grids"),
        ("bad.toml", 'family = "sudoku"\ngrids = []\ngrid = ""', "grids: write a list of grids, without a separate entry"),
        ("bad.toml", 'family = "sudoku"', "missing entry 'grid'"),
        (
            "bad.toml",
            'family = "sudoku"\ngrids = ["1...............", 7]',
            "puzzle 2: grid: expected rows of characters in quotes",
        ),
    ],
)
def test_complaints_about_files(name: str, text: str, complaint: str, tmp_path: Path) -> None:
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match=re.escape(f"{path}: {complaint}")):
        instance.load_all(path)


@pytest.mark.parametrize(
    ("grid", "rows"),
    [
        ("12 4\n\n2143\n4321", ("12.4", "....", "2143", "4321")),  # an empty row can only be blank
        ("12|34\n 4|\n21|4\n43|21", ("1234", ".4..", "214.", "4321")),  # the bars show that only the end is missing
        ("12 4\n34  \n2143\n4321", ("12.4", "34..", "2143", "4321")),
    ],
)
def test_stripped_trailing_spaces_are_blanks_if_unambiguous(grid: str, rows: tuple[str, ...]) -> None:
    assert parsed(grid=grid).grid == rows


def test_other_text_is_not_mistaken_for_a_sudoku() -> None:
    for text in (
        "",
        "bwwbb\nbwwbw\nwbwbw\nbwbbb\nbwbww\n",
        "0 1 1\n1 1 0\n1 1 0\n",
        "Dear reader, 2 and 3 are 5.",
        "aab\nacb\nccb",
    ):
        assert Sudoku.from_text(text) is None


# -- pictures


def test_text_distinguishes_givens() -> None:
    puzzle = jigsat.load("sudoku-jigsaw")
    (solution,) = jigsat.solutions(puzzle)
    *lines, legend = solution.text().splitlines()
    drawn = "\n".join(lines)
    assert isinstance(puzzle, Sudoku)
    assert drawn.count("·") == 81 - len(puzzle.givens)
    assert "dot" in legend
    assert "dot" not in puzzle.text([Digit(cell, value) for cell, value in puzzle.givens.items()])  # nothing is filled in
    assert [re.sub(r"[^\d·]", "", line) for line in lines[1::2]] == [
        "".join(value + "·" * (given == ".") for value, given in zip(row, givens, strict=True))
        for row, givens in zip(rows(solution.placements), puzzle.grid, strict=True)
    ]
    # the lines of the picture separate exactly the cells of different regions
    assert puzzle.regions is not None
    for r, row in enumerate(puzzle.regions):
        for c, name in enumerate(row):
            if c < 8:
                assert (lines[2 * r + 1][4 * c + 4] == "│") == (name != row[c + 1])
            if r < 8:
                assert (lines[2 * r + 2][4 * c + 2] == "─") == (name != puzzle.regions[r + 1][c])


def test_svg_distinguishes_givens() -> None:
    puzzle = jigsat.load("sudoku-jigsaw")
    (solution,) = jigsat.solutions(puzzle)
    svg = solution.svg()
    assert isinstance(puzzle, Sudoku) and puzzle.regions is not None
    given = re.findall(r'font-weight="bold"[^>]*>(\d)</text>', svg)
    assert given == [value for row in puzzle.grid for value in row if value != "."]
    assert len(re.findall(r">\d</text>", svg)) == 81
    lines = [*puzzle.regions, *("".join(column) for column in zip(*puzzle.regions, strict=True))]
    inner = sum(a != b for line in lines for a, b in pairwise(line))
    assert svg.count('stroke-width="3.6"') == inner + 4 * 9
