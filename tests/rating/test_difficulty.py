"""Ratings: comparison with a simple deduction, properties of any measure of difficulty, and
independence of the order."""

from __future__ import annotations

import json
import random
import tomllib
from collections.abc import Collection, Iterable, Sequence
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jigsat.encodings.sudoku.generate import image
from jigsat.encodings.sudoku.rules import Sudoku
from support.inside import run
from support.quick import cases
from support.truth import table

import jigsat
from jigsat import instance
from jigsat.cli.judge import rate
from jigsat.formula import Clause, Lowered
from jigsat.generation.generator import generate
from jigsat.generation.sources import generators
from jigsat.questions import SEARCHES, Rating
from jigsat.rating.difficulty import MAX_CONFLICTS, Deduction, rating
from jigsat.search.propagation import LayeredPropagation

OPTIONS = {"derandomize": True, "deadline": None}
ORDER = ("propagation", "failed literals", "search")

Clauses = Sequence[Sequence[int]]


def sudoku(grid: str) -> jigsat.Puzzle:
    return instance.parse({"family": "sudoku", "grid": grid}, name="mine", origin="mine.toml")


def rate_clauses(clauses: Clauses, decisions: Sequence[int]) -> Rating:
    waves = LayeredPropagation(Clause(tuple(clause)) for clause in clauses)
    return Deduction(waves, clauses, decisions).solve_by_failed_literals().rating


def propagated(clauses: Clauses, known: Iterable[int]) -> set[int] | None:
    """The literals that follow clause by clause; None for a contradiction."""
    result = set(known)
    while True:
        if any(-x in result for x in result):
            return None
        open_parts = [
            [x for x in clause if -x not in result]
            for clause in clauses
            if result.isdisjoint(clause)
        ]
        if [] in open_parts:
            return None
        new = {part[0] for part in open_parts if len(set(part)) == 1}
        if not new:
            return result
        result |= new


def deduced(clauses: Clauses, variables: Collection[int]) -> tuple[str, int, bool]:
    """The method that solves it, the rounds, and whether there may be a solution."""
    known, rounds = propagated(clauses, ()), 0
    while known is not None and not all({x, -x} & known for x in variables):
        tried = [x for v in variables for x in (v, -v) if not {x, -x} & known]
        failed = {-x for x in tried if propagated(clauses, known | {x}) is None}
        if not failed:
            return "search", rounds, True
        known, rounds = propagated(clauses, known | failed), rounds + 1
    return ORDER[rounds > 0], rounds, known is not None


clauses = st.lists(
    st.lists(
        st.integers(1, 7).flatmap(lambda x: st.sampled_from([x, -x])), min_size=1, max_size=4
    ).map(tuple),
    max_size=30,
)


@settings(max_examples=cases(300), **OPTIONS)
@given(clauses)
def test_deduction_agrees_with_a_simple_one(some: list[tuple[int, ...]]) -> None:
    found = rate_clauses(some, range(1, 8))
    method, rounds, possible = deduced(some, range(1, 8))
    assert (found.method, found.rounds) == (method, rounds)
    assert found.solvable == bool(table([("clause", (), clause) for clause in some], 7, 7))
    assert possible or not found.solvable
    assert not found.more


@settings(max_examples=cases(50), **OPTIONS)
@given(clauses, st.randoms(use_true_random=False))
def test_deduction_does_not_depend_on_the_order(
    some: list[tuple[int, ...]], rng: random.Random
) -> None:
    image = {
        x: sign * y
        for x, y in zip(range(1, 8), rng.sample(range(1, 8), 7), strict=True)
        for sign in [rng.choice((1, -1))]
    }
    image |= {-x: -y for x, y in image.items()}
    other = [rng.sample([image[x] for x in clause], len(clause)) for clause in some]
    rng.shuffle(other)
    one, two = rate_clauses(some, range(1, 8)), rate_clauses(other, range(1, 8))
    assert (one.method, one.rounds, one.solvable) == (two.method, two.rounds, two.solvable)


def test_a_full_grid_is_easy_and_so_is_one_with_a_digit_missing() -> None:
    (solution,) = jigsat.solutions("sudoku-hard")
    full = "".join(value for _, value in sorted(solution.placements))
    assert rating(sudoku(full)) == Rating("propagation")
    assert all(
        rating(sudoku(full[:i] + "." + full[i + 1 :])).level == "easy" for i in range(0, 81, 9)
    )


@pytest.mark.parametrize("name", ["sudoku-6x6", "sudoku-hard", "sudoku-jigsaw"])
def test_more_givens_do_not_make_it_harder(name: str) -> None:
    puzzle = jigsat.load(name)
    assert isinstance(puzzle, Sudoku)
    (solution,) = jigsat.solutions(puzzle)
    rng = random.Random(1)
    missing = [
        placement for placement in solution.placements if placement.cell not in puzzle.givens
    ]
    earlier = rating(puzzle)
    while missing:
        for (r, c), value in [
            missing.pop(rng.randrange(len(missing))) for _ in range(min(6, len(missing)))
        ]:
            rows = list(puzzle.grid)
            rows[r] = rows[r][:c] + value + rows[r][c + 1 :]
            puzzle = puzzle.model_copy(update={"grid": tuple(rows)})
        now = rating(Sudoku.model_validate(puzzle.model_dump()))
        assert (ORDER.index(now.method), now.rounds) <= (
            ORDER.index(earlier.method),
            earlier.rounds,
        )
        earlier = now
    assert earlier.method == "propagation"


def graded(puzzle: jigsat.Puzzle) -> tuple[str, int, int]:
    """The rating without the number of conflicts, which shuffled searches determine."""
    found = rating(puzzle)
    return found.method, found.rounds, found.effort


@pytest.mark.parametrize("name", ["sudoku-6x6", "cats", "sudoku-hard", "latin-6"])
def test_a_further_clue_never_increases_the_effort(name: str) -> None:
    puzzle = jigsat.load(name)
    solution = next(iter(jigsat.solutions(puzzle)))
    clues = {placement for clue in puzzle.clues().values() for placement in clue}
    missing = [placement for placement in solution.placements if placement not in clues]
    random.Random(2).shuffle(missing)
    step = len(missing) // 8 + 1
    some = [
        puzzle.with_clues([*clues, *missing[:number]])
        for number in range(step, len(missing) + step, step)
    ]
    efforts = [rating(one).effort for one in (puzzle, *some)]
    assert efforts == sorted(efforts, reverse=True)
    assert len(set(efforts)) > 3


def renamed(data: dict[str, Any], entry: str, rng: random.Random) -> dict[str, Any]:
    """The same instance with other names of its pieces, in another order."""
    pieces = rng.sample(list(data[entry].values()), len(data[entry]))
    return {**data, entry: {f"piece {i}": piece for i, piece in enumerate(pieces)}}


@pytest.mark.parametrize(
    ("name", "entry"), [("cats", "tiles"), ("cube", "pieces"), ("black-and-white", "pieces")]
)
def test_names_and_order_do_not_matter(name: str, entry: str) -> None:
    data = tomllib.loads(instance.instance_text(jigsat.load(name)))
    labels = {
        label: f"label {i}"
        for i, label in enumerate(sorted({x for pair in data.get("matching", ()) for x in pair}))
    }
    other = renamed(data, entry, random.Random(3))
    if labels:
        other["matching"] = [[labels[b], labels[a]] for a, b in reversed(data["matching"])]
        other[entry] = {
            tile: [labels[label] for label in sides] for tile, sides in other[entry].items()
        }
    assert graded(instance.parse(other, name="other", origin="other")) == graded(jigsat.load(name))


def test_digits_and_bands_do_not_matter() -> None:
    grid = "".join(jigsat.load("sudoku-hard").grid)  # type: ignore[attr-defined]
    images = ["".join(image(grid.replace("0", "."), random.Random(seed))) for seed in range(2)]
    assert len({grid, *images}) == 3
    assert {graded(sudoku(one)) for one in (grid, *images)} == {graded(sudoku(grid))}


@pytest.mark.parametrize("count", [4, pytest.param(20, marks=pytest.mark.slow)])
def test_cubes_are_graded_finely(count: int) -> None:
    generator = generators()["interlocking"]().build_generator()
    cubes = [made.puzzle for made in generate(generator, 0, count) if not made.shortcoming]
    assert len({rating(cube).effort for cube in cubes}) >= 0.9 * count


def test_sums_and_cardinalities_spread_as_their_clauses_do() -> None:
    formula = jigsat.Formula()
    x = formula.variables("x", {"i": range(8)})
    formula.exactly(2, [x(0), x(1), x(2), -x(3)])
    formula.at_most_one([x(3), x(4), x(5)])
    formula.xor([x(5), x(6)], odd=True)
    formula.linear([(x(6), 3), (x(7), 2), (x(4), 1)], at_most=4)
    for assumed in (
        [],
        [x(0), x(1)],
        [x(3)],
        [-x(0), -x(1)],
        [x(0), x(1), x(2)],
        [x(6)],
        [x(7), x(5), x(4)],
    ):
        waves = LayeredPropagation(formula.constraints())
        for _ in waves.propagate_in_waves(assumed):
            pass
        clauses = [one.literals for one in Lowered(formula) if isinstance(one, Clause)]
        expected = propagated(clauses, assumed)
        assert waves.consistent == (expected is not None)
        assert expected is None or waves.known == {
            literal for literal in expected if abs(literal) <= formula.top
        }


def test_a_solution_that_is_unique_up_to_turning_can_be_deduced() -> None:
    assert jigsat.count("cats").distinct == {"rotation": 1}
    assert rating(jigsat.load("cats")) == Rating("failed literals", 1)


def test_a_first_placement_tells_the_images_of_the_solution_apart() -> None:
    options = generators()["edge-matching"].model_validate(
        {"board": "square 3x3", "frame": True, "labels": 2, "different": False}
    )
    framed = [
        made.puzzle for made in generate(options.build_generator(), 1, 4) if not made.shortcoming
    ]
    assert {rating(puzzle).method for puzzle in framed} == {"propagation", "failed literals"}


def test_a_search_after_rounds_of_failed_literals_is_not_easy() -> None:
    assert rating(jigsat.load("dinner")).level == Rating("search", rounds=1).level == "medium"


def test_several_solutions_that_any_guess_leads_to_are_easy() -> None:
    assert rating(jigsat.load("sudoku-4x4-empty")) == Rating("search")
    assert rating(jigsat.load("sudoku-4x4-empty")).level == "easy"


def test_a_puzzle_without_a_solution_is_reported() -> None:
    assert not rating(jigsat.load("lights-unsolvable")).solvable
    assert rating(sudoku("11" + "." * 14)) == (none := Rating("propagation", solvable=False))
    assert str(none) == "easy, effort 0: propagation alone shows that there is no solution"
    assert "2 rounds of failed literals show that there" in str(
        Rating("failed literals", 2, solvable=False)
    )
    assert "no solution" in str(rating(sudoku("11" + "." * 14)))


def pigeons(n: int) -> list[tuple[int, ...]]:
    """n + 1 pigeons in n holes, for which resolution needs exponentially many steps."""
    hole = {(p, h): p * n + h + 1 for p in range(n + 1) for h in range(n)}
    some = [tuple(hole[p, h] for h in range(n)) for p in range(n + 1)]
    return some + [
        (-hole[p, h], -hole[q, h]) for h in range(n) for p in range(n + 1) for q in range(p)
    ]


def test_searches_are_measured_and_limited_in_conflicts() -> None:
    small, large = (rate_clauses(pigeons(n), range(1, n * n + n + 1)) for n in (5, 6))
    assert 0 < small.conflicts < large.conflicts < MAX_CONFLICTS
    assert (small.level, small.solvable) == ("hard", False)
    assert rate_clauses(pigeons(10), range(1, 111)) == Rating(
        "search", 0, MAX_CONFLICTS, more=True, solvable=None
    )


def test_a_search_gets_only_the_remaining_clauses() -> None:
    false = 100
    guarded = [(-false,), *((false, *clause) for clause in pigeons(5))]
    assert rate_clauses(guarded, range(1, 31)) == rate_clauses(pigeons(5), range(1, 31))


def test_known_placements_are_not_a_solution_if_other_clauses_conflict() -> None:
    contradiction = [(2, 3), (2, -3), (-2, 3), (-2, -3)]
    assert rate_clauses([(1,), (2, 3)], [1]) == Rating("propagation")
    assert rate_clauses([(1,), *contradiction], [1]).solvable is False


def test_a_famously_hard_sudoku_needs_a_search() -> None:
    easter_monster = (
        "1.......2.9.4...5...6...7...5.9.3.......7.......85..4.7.....6...3...9.8...2.....1"
    )
    found = rating(sudoku(easter_monster))
    assert (found.level, found.solvable) == ("hard", True)
    assert found.conflicts > 10


def test_the_command_prints_one_line_per_puzzle() -> None:
    done = run("rate", "cats", "sudoku-6x6", "push-pull")
    assert (done.returncode, done.stderr) == (0, "")
    assert [line.split(":")[0] for line in done.stdout.splitlines()] == [
        "cats",
        "sudoku-6x6",
        "push-pull",
    ]
    assert f"conflicts, the median of {SEARCHES} searches" in done.stdout.splitlines()[2]
    assert run("rate", "no-such-thing").returncode == 2


def test_puzzles_are_sorted_from_the_easiest_to_the_hardest(
    capsys: pytest.CaptureFixture[str],
) -> None:
    rate(["cats", "sudoku-6x6", "cube", "black-and-white"], in_order=True)
    assert [line.split(":")[0] for line in capsys.readouterr().out.splitlines()] == [
        "cube",
        "sudoku-6x6",
        "black-and-white",
        "cats",
    ]


def test_the_rating_as_json_is_the_same_each_time() -> None:
    one, two = (run("rate", "push-pull", "cats", "--json").stdout for _ in range(2))
    assert one == two
    said: dict[str, Any] = json.loads(one.splitlines()[1])
    assert said["level"] == "medium"
    assert said.keys() == {
        "schema",
        "instance",
        "level",
        "method",
        "rounds",
        "conflicts",
        "more",
        "solvable",
        "effort",
    }
    assert json.loads(run("rate", "cats", "--json").stdout) == said
