"""Uniqueness and the role of clues, compared with counting on raw data; and the output of the
commands."""

from __future__ import annotations

import json
import random
import re
import sqlite3
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing
from itertools import combinations, permutations, product
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.answers import solve_all
from support.inside import run
from support.quick import cases

import jigsat
from jigsat import instance
from jigsat.backends import AUTO
from jigsat.diagnosis.cores import JudgedClues, judge_clues
from jigsat.pictures.svg import MARK
from jigsat.puzzle import Puzzle
from jigsat.symmetry.levels import DECLARED_LEVELS

OPTIONS = {"derandomize": True, "deadline": None}

Keeps = Mapping[str, Callable[[Any], bool]]
"""For each clue by name, whether a solution of any type satisfies it."""


def parsed(**data: Any) -> Puzzle:
    return instance.parse(data, name="mine", origin="mine.toml")


# -- 4×4 sudokus, all grids of which are listed


def filled() -> Iterator[str]:
    bands = [
        band
        for band in product(permutations("1234"), repeat=2)
        if len({*band[0][:2], *band[1][:2]}) == 4
    ]
    for top, bottom in product(bands, repeat=2):
        if all(len(set(column)) == 4 for column in zip(*top, *bottom, strict=True)):
            yield "".join("".join(row) for row in (*top, *bottom))


GRIDS = list(filled())


def given_digits(rng: random.Random) -> str:
    """Some digits of a grid, sometimes with one of them changed."""
    grid, share = rng.choice(GRIDS), rng.choice((0.2, 0.4, 0.6))
    digits = [digit if rng.random() < share else "." for digit in grid]
    if rng.random() < 0.3:
        digits[rng.randrange(16)] = rng.choice("1234")
    return "".join(digits)


def test_there_are_288_grids() -> None:
    assert len(GRIDS) == 288


@settings(max_examples=cases(40), **OPTIONS)
@given(st.randoms(use_true_random=False), st.sampled_from([AUTO, "cadical195", "minisat22"]))
def test_uniqueness_agrees_with_counting(rng: random.Random, backend: str) -> None:
    digits = [given_digits(rng) for _ in range(3)]
    puzzles = [parsed(family="sudoku", grid=one) for one in digits]
    for one, answer in zip(digits, solve_all(puzzles, backend), strict=True):
        fitting = [
            grid for grid in GRIDS if all(a in (".", b) for a, b in zip(one, grid, strict=True))
        ]
        assert answer.unique == (len(fitting) == 1)
        assert len(answer.solutions) == min(len(fitting), 2)
        assert answer.complete == (len(fitting) < 2)
        said = (
            "no solution"
            if not fitting
            else "unique"
            if len(fitting) == 1
            else "not unique (at least 2 solutions)"
        )
        assert str(answer) == said
        for solution in answer.solutions:
            assert "".join(value for _, value in sorted(solution.placements)) in fitting
        assert len({solution.placements for solution in answer.solutions}) == len(answer.solutions)


def agree(found: JudgedClues, keeps: Keeps, solutions: Sequence[Any]) -> None:
    """The results agree with counting the solutions after dropping clues."""

    def left(names: Any) -> int:
        return sum(all(keeps[name](solution) for name in names) for solution in solutions)

    def without(names: Any, name: str) -> list[str]:
        return [other for other in names if other != name]

    everything = left(keeps)
    assert found.number == len(keeps)
    assert found.solvable == (everything > 0)
    if found.solvable:
        assert found.redundant == [
            name for name in keeps if left(without(keeps, name)) == everything
        ]
        assert left(found.minimal) == everything
        assert all(left(without(found.minimal, name)) > everything for name in found.minimal)
        assert set(keeps) - set(found.minimal) <= set(found.redundant)
        assert not found.core
    else:
        assert not found.redundant + found.minimal
        assert found.core and found.core.smallest
        names = found.core.names
        assert left(names) == 0
        assert all(
            left(fewer) for number in range(len(names)) for fewer in combinations(keeps, number)
        )
        assert names or not solutions


@settings(max_examples=cases(80), **OPTIONS)
@given(st.randoms(use_true_random=False))
def test_redundant_and_conflicting_givens(rng: random.Random) -> None:
    digits = given_digits(rng)
    keeps: Keeps = {
        f"grid r{i // 4 + 1}c{i % 4 + 1}": lambda grid, i=i, digit=digit: grid[i] == digit  # type: ignore[misc]
        for i, digit in enumerate(digits)
        if digit != "."
    }
    agree(judge_clues(parsed(family="sudoku", grid=digits)), keeps, GRIDS)


# -- 2×2 boards of tiles, by trying all arrangements

Look = tuple[str, ...]


def turned(sides: Look, turn: int) -> Look:
    return sides[-turn:] + sides[:-turn] if turn else sides


def laid(tiles: Sequence[Look]) -> set[tuple[Look, ...]]:
    """The possible boards, row by row."""
    found = set()
    for order in permutations(tiles, 4):
        for turns in product(range(4), repeat=4):
            a, b, c, d = (turned(sides, turn) for sides, turn in zip(order, turns, strict=True))
            if (a[1], c[1], a[2], b[2]) == (b[3], d[3], c[0], d[0]):
                found.add((a, b, c, d))
    return found


def quarter(board: tuple[Look, ...]) -> tuple[Look, ...]:
    a, b, c, d = (turned(look, 1) for look in board)
    return c, a, d, b


@settings(max_examples=cases(20), **OPTIONS)
@given(st.randoms(use_true_random=False))
def test_boards_and_their_hints(rng: random.Random) -> None:
    a, b, c, d, *rim = (rng.choice("xyz") for _ in range(12))
    cut = [
        (rim[0], a, c, rim[1]),
        (rim[2], rim[3], d, a),
        (c, b, rim[4], rim[5]),
        (d, rim[6], rim[7], b),
    ]
    tiles = {str(i): turned(sides, rng.randrange(4)) for i, sides in enumerate(cut)}
    boards = laid(list(tiles.values()))
    plain: dict[str, Any] = {
        "family": "edge-matching",
        "board": "square 2x2",
        "tiles": {n: [*s] for n, s in tiles.items()},
    }

    orbits = {
        min(board, quarter(board), quarter(quarter(board)), quarter(quarter(quarter(board))))
        for board in boards
    }
    for backend in (AUTO, "cadical195", "minisat22"):
        (answer,) = solve_all([parsed(**plain)], backend, limit=None, up_to="rotation")
        assert (len(answer.solutions), answer.complete, answer.unique) == (
            len(orbits),
            True,
            len(orbits) == 1,
        )

    cells = [(r, c) for r in (0, 1) for c in (0, 1)]
    hints = [
        {"cell": list(cell), "tile": rng.choice("0123")}
        | ({"turn": rng.randrange(4)} if rng.random() < 0.5 else {})
        for cell in rng.sample(cells, rng.randrange(1, 5))
    ]

    def keeps(hint: dict[str, Any]) -> Callable[[Any], bool]:
        turns = [hint["turn"]] if "turn" in hint else range(4)
        looks = {turned(tiles[hint["tile"]], turn) for turn in turns}
        return lambda board: board[cells.index(tuple(hint["cell"]))] in looks

    agree(
        judge_clues(parsed(**plain, hints=hints)),
        {f"hints.{i}": keeps(hint) for i, hint in enumerate(hints)},
        list(boards),
    )


@pytest.mark.parametrize("up_to", DECLARED_LEVELS)
def test_solutions_are_counted_up_to_symmetries_that_keep_the_clues(up_to: str) -> None:
    grids = ["1..." + "." * 8 + "...1", "12.." + "." * 12, "." * 16, "1234" + "." * 12]
    puzzles = [parsed(family="sudoku", grid=grid) for grid in grids]
    for puzzle, answer in zip(
        puzzles, solve_all(puzzles, "cadical195", limit=None, up_to=up_to), strict=True
    ):
        with_enumeration = list(jigsat.solutions(puzzle, up_to=up_to))
        assert len(answer.solutions) == len(with_enumeration) > 0


# -- the witness and its picture


@pytest.mark.parametrize("backend", [AUTO, "cadical195"])
def test_the_second_solution_is_turned_to_differ_least(backend: str) -> None:
    (answer,) = solve_all([jigsat.load("cube")], backend, up_to="rotation")
    first, second = (set(solution.placements) for solution in answer.solutions)
    images = [
        {symmetry.images[placement] for placement in second}
        for symmetry in answer.puzzle.symmetries()
        if symmetry.level == "rotation"
    ]
    assert min(len(first ^ image) for image in images) == len(first ^ second) > 0


@pytest.mark.parametrize(
    "name", ["cube", "sudoku-underconstrained", "cats", "dominoes-6x8", "soma", "lights-4x4"]
)
def test_differences_are_marked_in_both_pictures(name: str) -> None:
    four = {
        "family": "lights-out",
        "board": "square 4x4",
        "lit": ".#.. ###. .#.. ....".replace(" ", "\n"),
    }
    puzzle = parsed(**four) if name == "lights-4x4" else jigsat.load(name)
    (answer,) = solve_all([puzzle], AUTO)
    one, other = answer.solutions
    marked = one.differing(other)
    assert marked
    for solution in (one, other):
        shown = len(marked & set(solution.placements)) if name != "lights-4x4" else len(marked)
        plain, stars = (text.count("*") for text in (solution.text(), solution.text(marked)))
        assert plain == 0
        assert stars == shown if puzzle.family != "tiling" else stars >= shown
        lines = [
            line
            for line in ElementTree.fromstring(solution.svg(marked)).iter()
            if line.get("stroke") == MARK
        ]
        views = 2 if name == "cube" else 1  # each face is drawn in the net and in a view
        assert len(lines) == views * shown if puzzle.family != "tiling" else len(lines) >= shown
        assert MARK not in solution.svg()


@pytest.mark.parametrize(
    "text",
    [
        "Futoshiki\n. < . .\n. . .\n. . .\n",
        "Killer\nAABB\nCCDD\nEEFF\nGGHH\n\n" + "".join(f"{name} = ?\n" for name in "ABCDEFGH"),
        "Kakuro\n#   5\\  5\\\n\\5  .   .\n\\5  .   .\n",
    ],
)
def test_values_that_differ_are_legible_beside_their_stars(text: str) -> None:
    (puzzle,) = instance.load_text(text)
    (answer,) = solve_all([puzzle], AUTO)
    one, other = answer.solutions
    pictures = [solution.text(one.differing(other)) for solution in (one, other)]
    assert "*" in pictures[0]
    assert pictures[0] != pictures[1]
    for solution, picture in zip((one, other), pictures, strict=True):
        words = [line.split() for line in picture.replace("*", " ").splitlines()]
        assert words == [line.split() for line in solution.text().splitlines()]


def test_a_loop_changes_at_sides_or_lines() -> None:
    for text, part in [("Slitherlink\n..\n..\n", "side"), ("Masyu\n...\n...\n...\n", "line")]:
        (puzzle,) = instance.load_text(text)
        (answer,) = solve_all([puzzle], AUTO)
        one, other = answer.solutions
        changed = puzzle.describe_change(
            set(one.placements) - set(other.placements), set(other.placements) - set(one.placements)
        )
        assert re.fullmatch(rf"\d+ {part}s changed", changed)


# -- the commands


def test_one_line_per_puzzle(tmp_path: Path) -> None:
    path = tmp_path / "four.txt"
    digits = ["1234" + "." * 12, GRIDS[0], "11" + "." * 14]
    path.write_text("\n".join(digits), encoding="utf-8")
    done = run("unique", path, "cats", "--show", "0")
    assert (done.returncode, done.stderr) == (
        0,
        "4 puzzles: 2 unique, 1 several, 1 none, 0 stopped\n",
    )
    said = ["four-1: not unique (at least 2 solutions)", "four-2: unique", "four-3: no solution"]
    said.append("reason: 1 is given twice in row 1: r1c1 and r1c2")
    assert done.stdout.splitlines() == [*said, "cats: unique"]
    assert run("solve", path, "--show", "0").stdout.splitlines() == said
    assert (
        run("solve", path, "--show", "0", "--limit", "1").stderr
        == "3 puzzles: 0 unique, 0 several, 1 none, 2 stopped\n"
    )


def test_two_solutions_side_by_side(tmp_path: Path) -> None:
    path = tmp_path / "two.svg"
    done = run("unique", "cats", "--up-to", "nothing", "--svg", path)
    assert done.returncode == 0
    first, *_, last = done.stdout.splitlines()
    assert first.split() == ["Solution", "1", "Solution", "2"]
    assert last == "cats: not unique (at least 2 solutions)"
    assert done.stdout.count("the arrow points") == 1
    one, other = ElementTree.parse(path).getroot().findall("{http://www.w3.org/2000/svg}svg")
    assert (one.get("y"), float(one.get("x", 0)) < float(other.get("x", 0))) == (
        other.get("y"),
        True,
    )
    none = run("unique", "cats", "--svg", tmp_path / "none.svg")
    assert none.returncode == 0
    assert "not written" in none.stderr
    assert not (tmp_path / "none.svg").exists()


def test_the_relation_of_the_two_solutions_is_described(tmp_path: Path) -> None:
    path = tmp_path / "mirrored.toml"
    assert (
        run("generate", "interlocking", "-o", path).returncode == 0
    )  # unique except for its mirror image
    said = run("unique", path).stdout
    assert "solution 2 is solution 1 mirrored; --up-to decides" in said
    assert said.endswith(
        "mirrored: not unique (at least 2 solutions), but unique up to reflection\n"
    )
    assert run("unique", path, "--up-to", "reflection").stdout == "mirrored: unique\n"


def test_seatings_that_break_wishes_count_and_the_answer_says_so(tmp_path: Path) -> None:
    file = tmp_path / "table.toml"
    entries = 'family = "seating"\ntables = "round 4"\nguests = ["A", "B", "C", "D"]\n'
    remark = (
        "; all solutions count here, good or bad: `jigsat solve --minimize` finds the best ones"
    )
    file.write_text(entries)
    assert not run("unique", file).stdout.endswith(f"{remark}\n")
    file.write_text(f'{entries}wishes = [{{ beside = ["A", "B"] }}]\n')
    assert run("unique", file).stdout.endswith(f"{remark}\n")


def test_the_witness_as_json_is_a_solution() -> None:
    puzzle = jigsat.load("sudoku-underconstrained")
    answer = json.loads(run("unique", puzzle.name, "--json").stdout)
    assert (answer["unique"], answer["complete"]) == (False, False)
    (placement,) = {type(next(iter(symmetry.images))) for symmetry in puzzle.symmetries()}
    one, other = (
        [placement(tuple(at["cell"]), at["value"]) for at in found] for found in answer["found"]
    )
    assert one != other
    assert not [*puzzle.check(one), *puzzle.check(other)]
    assert (
        len([*map(json.loads, run("unique", "cats", "sudoku-6x6", "--json").stdout.splitlines())])
        == 2
    )


def test_one_of_each_verdict_is_written(tmp_path: Path) -> None:
    path, new = tmp_path / "four.txt", tmp_path / "new.toml"
    path.write_text(
        "\n".join(["1234" + "." * 12, GRIDS[0], "11" + "." * 14, GRIDS[0]]), encoding="utf-8"
    )
    for verdict, numbers in ("unique", [1, 3]), ("several", [0]), ("none", [2]):
        done = run("unique", path, "--show", "0", "--only", verdict, "-o", new, "--jobs", "2")
        assert (done.returncode, done.stderr) == (
            0,
            "4 puzzles: 2 unique, 1 several, 1 none, 0 stopped\n",
        )
        every = instance.load_all(path)
        assert [each.digest() for each in instance.load_all(new)] == [
            every[number].digest() for number in numbers
        ]
        assert run("unique", path, "--only", verdict, "-o", new).stderr.endswith(
            f"{new}: exists already; name another file\n"
        )
        new.unlink()
    assert (
        run("unique", path, "--show", "0", "--only", "stopped", "-o", new).returncode == 0
        and not new.exists()
    )
    for wrong in (
        ["--only", "none"],
        ["-o", new],
        ["--only", "none", "-o", new, "--set", "box=2x2"],
    ):
        assert run("unique", path, *wrong).stderr.startswith("jigsat: --only needs -o FILE")
    assert run("unique", path, "--only", "uniqe", "-o", new).stderr.endswith(
        "did you mean 'unique'?\n"
    )


def test_puzzles_with_a_level_or_a_grade_are_written(tmp_path: Path) -> None:
    path, new = tmp_path / "three.txt", tmp_path / "new.toml"
    easy = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
    naked = "..............3.85..1.2.......5.7.....4...1...9.......5......73..2.1........4...9"
    claiming = "4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......"
    path.write_text("\n".join([claiming, naked, easy]), encoding="utf-8")
    for level, numbers in ("easy", [1, 2]), ("3", [0]), ("1", [2]):
        done = run("rate", path, "--sort", "--only", level, "-o", new)
        assert (done.returncode, done.stderr) == (0, "")
        every = instance.load_all(path)
        written = [puzzle.digest() for puzzle in instance.load_all(new)]
        assert written == [every[number].digest() for number in numbers]
        new.unlink()
    done = run("rate", path, "--only", "6", "-o", new)
    assert "nothing was written, because --only matches none of the puzzles" in done.stderr
    assert not new.exists()
    assert "--only: unknown level '7'" in run("rate", path, "--only", "7", "-o", new).stderr
    assert run("rate", path, "--only", "1").stderr.startswith("jigsat: --only needs -o FILE")


def test_answers_are_kept_and_those_of_solve_serve_as_well(tmp_path: Path) -> None:
    path, store = tmp_path / "many.txt", tmp_path / "ledger"
    path.write_text("\n".join(GRIDS), encoding="utf-8")
    plain = run("unique", path, "--show", "0")
    assert run("solve", path, "--show", "0", "--store", store).stdout == plain.stdout
    assert run("unique", path, "--show", "0", "--store", store).stdout == plain.stdout
    assert "another question, 'Solve'" in run("rate", path, "--store", store).stderr
    ratings = run("rate", path, "--store", tmp_path / "ratings", "--jobs", "2")
    assert (
        ratings.stdout
        == run("rate", path, "--store", tmp_path / "ratings").stdout
        == run("rate", path).stdout
    )
    with closing(sqlite3.connect(tmp_path / "ratings")) as rows:
        rows.execute(
            """UPDATE solution SET placements = '[3, "failed literals", 1, 0, false, true, "x"]' WHERE subproblem = 3"""
        )
        rows.commit()
    done = run("rate", path, "--store", tmp_path / "ratings")
    assert done.returncode == 2 and "many-2: not the rating of this puzzle" in done.stderr


def test_wrong_input_and_time_outs() -> None:
    assert run("unique", "cats", "--up-to", "nonsense").returncode == 2
    assert run("unique", "cats", "--backend", "nonsense").returncode == 2
    stopped = run("unique", "fish-plain", "--timeout", "0.01")
    assert stopped.returncode == 3
    assert "timeout" in stopped.stderr


def test_explain_names_the_clues(tmp_path: Path) -> None:
    path = tmp_path / "some.toml"

    def explained(grid: str) -> list[str]:
        path.write_text(f'family = "sudoku"\ngrid = "{grid}"\n', encoding="utf-8")
        return run("explain", "--clues", path).stdout.splitlines()

    assert explained("1..1" + "." * 12) == [
        "some: 2 clues, no solution: these 2 conflict, and no smaller set does",
        "conflicting grid r1c1, grid r1c4",
    ]
    assert explained("12.." + "." * 12) == ["some: 2 clues, none of them redundant"]
    head, redundant, enough = explained("1234" + "." * 12)
    assert head == "some: 4 clues, 4 redundant (each on its own); 3 are enough"
    assert redundant == "redundant   grid r1c1, grid r1c2, grid r1c3, grid r1c4"
    assert enough.count("grid") == 3
    assert run("explain", "--clues", "cats").stdout == "cats: the puzzle has no clues\n"
    lights = run("explain", "--clues", "lights-unsolvable").stdout
    assert lights == "lights-unsolvable: the family lights-out has no clues, and no solution\n"
