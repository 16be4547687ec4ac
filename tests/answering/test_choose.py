"""How tasks are answered: the table of decisions, and what the ways pass on to each other."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import jigsat
from jigsat import Formula, InputError, Lowering
from jigsat.answering.parts import SearchParts
from jigsat.answering.plan import make_plan
from jigsat.answering.task import Desk, Task
from jigsat.answering.ways import CountWithoutList, FindReason, SearchWhole
from jigsat.backends.engine import is_compiled
from jigsat.questions import Count, Means, Solutions
from jigsat.subject import subject_of
from jigsat.symmetry import Level

pytestmark = pytest.mark.skipif(
    not is_compiled(), reason="jigsat was installed without a C compiler"
)

CLUSTER = "local:2"


def formula() -> Formula:
    """Two of four, up to a turn."""
    formula = Formula()
    formula.exactly(2, formula.variables("x", {"i": range(4)})[:])
    return formula


def turn() -> list[dict[int, int]]:
    return [{1: 2, 2: 3, 3: 4, 4: 1}]


def names(problem: Any, want: Any, options: dict[str, Any], path: Path) -> list[str]:
    """The ways to answer a task, by name."""
    options = dict(options)
    group = turn() if options.pop("group", False) else ()
    if options.pop("store", False):
        options["store"] = path
    means = {
        name: options.pop(name)
        for name in ("backend", "jobs", "cluster", "store")
        if name in options
    }
    subject = subject_of(formula() if problem == "formula" else problem, group)
    task = Task(subject, QUESTIONS[want](**options), Means(**means))
    return [name_way(way) for way in make_plan(task)]


QUESTIONS: dict[str, type[Solutions]] = {"solutions": Solutions, "count": Count}

NAMES = {
    CountWithoutList: "counted",
    FindReason: "reason",
    SearchWhole: "whole",
    SearchParts: "parts",
}


def name_way(way: Any) -> str:
    brief = "brief " if getattr(way, "brief", False) else ""
    return f"{brief}{NAMES[type(way)]}"


PLAIN = Lowering()
PAIRS = Lowering(at_most_one="pairwise")


@pytest.mark.parametrize(
    ("problem", "want", "options", "expected"),
    [
        ("cube", "solutions", {}, "whole"),
        ("cube", "solutions", {"limit": 2}, "whole"),
        ("cube", "solutions", {"jobs": 2}, "brief whole, parts, whole"),
        ("cube", "solutions", {"jobs": 2, "limit": 1}, "brief whole, parts, whole"),
        ("cube", "solutions", {"jobs": 2, "backend": "cover"}, "parts, whole"),
        ("cube", "solutions", {"jobs": 2, "backend": "cryptosat"}, "whole"),
        ("cube", "solutions", {"jobs": 2, "lowering": PAIRS}, "whole"),
        ("cube", "solutions", {"jobs": 2, "lowering": PLAIN}, "brief whole, parts, whole"),
        ("cube", "solutions", {"jobs": 2, "up_to": Level.AUTOMORPHISM}, "whole"),
        ("cube", "solutions", {"store": True}, "whole"),
        ("cube", "solutions", {"store": True, "jobs": 2}, "parts"),
        ("cube", "solutions", {"cluster": CLUSTER}, "parts"),
        ("lights-5x5", "solutions", {"minimize": True}, "whole"),
        ("lights-5x5", "solutions", {"minimize": True, "jobs": 2}, "whole"),
        ("lights-5x5", "solutions", {"minimize": True, "store": True}, "whole"),
        ("formula", "solutions", {"jobs": 2}, "brief whole, parts, whole"),
        ("formula", "solutions", {"jobs": 2, "group": True}, "whole"),
        ("cube", "count", {}, "brief whole, counted, whole"),
        ("cube", "count", {"jobs": 2}, "brief whole, counted, brief whole, parts, whole"),
        ("cube", "count", {"limit": 3}, "whole"),
        ("dominoes-6x8", "count", {"backend": "cover"}, "whole"),
        ("cube", "count", {"backend": "cover", "jobs": 2}, "parts, whole"),
        ("cube", "count", {"backend": "counting"}, "counted"),
        ("cube", "count", {"store": True}, "parts"),
        ("cube", "count", {"store": True, "limit": 3}, "whole"),
        ("cube", "count", {"store": True, "up_to": Level.AUTOMORPHISM}, "whole"),
        ("cube", "count", {"cluster": CLUSTER}, "parts"),
        ("dominoes-6x8", "count", {}, "counted, whole"),
        ("dominoes-6x8", "count", {"store": True}, "counted, parts"),
        ("dominoes-6x8", "count", {"jobs": 2}, "counted, brief whole, parts, whole"),
        ("dominoes-6x8", "count", {"backend": "cadical195"}, "whole"),
        ("dominoes-6x8", "count", {"up_to": Level.AUTOMORPHISM}, "counted, whole"),
        ("lights-5x5", "count", {}, "counted, whole"),
        ("lights-5x5", "count", {"minimize": True}, "whole"),
    ],
)
def test_the_ways_to_answer_a_task(
    problem: str, want: str, options: dict[str, Any], expected: str, tmp_path: Path
) -> None:
    assert ", ".join(names(problem, want, options, tmp_path / "ledger")) == expected


@pytest.mark.parametrize(
    ("want", "options", "message"),
    [
        ("solutions", {"cluster": CLUSTER, "minimize": True}, "cannot be split into subproblems"),
        (
            "solutions",
            {"cluster": CLUSTER, "up_to": Level.AUTOMORPHISM},
            "cannot be split into subproblems",
        ),
        ("count", {"cluster": CLUSTER, "lowering": PAIRS}, "cannot be split into subproblems"),
        ("solutions", {"cluster": CLUSTER, "backend": "maxsat"}, "unknown backend"),
        ("count", {"store": True, "backend": "counting"}, "does not search"),
    ],
)
def test_options_that_no_way_can_honour_are_refused_before_anything_runs(
    want: str, options: dict[str, Any], message: str, tmp_path: Path
) -> None:
    with pytest.raises(InputError, match=message):
        names("cube", want, options, tmp_path / "ledger")
    assert not (tmp_path / "ledger").exists()


def test_boards_with_labels_are_counted_if_states_repeat() -> None:
    sides = ["aaab", "abaa", "abab", "baaa", "abaa", "aabb", "abaa", "bbaa", "babb"]
    tiles = {f"t{i}": list(labels) for i, labels in enumerate(sides)}
    board = {"family": "edge-matching", "board": "square 3x3", "tiles": tiles}
    result = jigsat.count(board)
    assert (result.solutions, result.established_by) == (60_904, "counting")  # by another program
    assert result.distinct == {"rotation": 15_226, "reflection": 7_631}


def test_orbits_of_many_boards_do_not_delay_the_count() -> None:
    tiles = {"bend": ["in", "in", "out", "out"], "turn": ["in", "out", "in", "out"]}
    board = {
        "family": "edge-matching",
        "board": "torus 4x4",
        "reusable": True,
        "matching": [["in", "out"]],
        "tiles": tiles,
    }
    result = jigsat.count(board)
    assert (result.solutions, result.established_by) == (2_970, "counting")  # Lieb, square ice


def test_boards_with_labels_and_few_solutions_are_listed() -> None:
    assert jigsat.count("cats").established_by == "refutation"


def test_files_of_counts_and_of_lists_are_resumed(tmp_path: Path) -> None:
    counts, parts, whole = tmp_path / "counts", tmp_path / "parts", tmp_path / "whole"
    jigsat.count("cats", store=counts, backend="cover")
    assert len(list(jigsat.solutions("cats", store=parts, jobs=2))) == 1
    assert len(list(jigsat.solutions("cats", store=whole, up_to="automorphism"))) >= 1
    for want, path, options, expected in [
        ("count", counts, {}, ["parts"]),
        ("count", parts, {}, ["parts"]),
        ("solutions", parts, {}, ["parts"]),
        ("count", whole, {"up_to": Level.AUTOMORPHISM}, ["whole"]),
        ("solutions", whole, {"up_to": Level.AUTOMORPHISM}, ["whole"]),
    ]:
        task = Task(subject_of("cats"), QUESTIONS[want](**options), Means(store=path))
        assert [name_way(way) for way in make_plan(task)] == expected
    assert (
        jigsat.count("cats", store=parts).solutions
        == jigsat.count("cats", store=counts).solutions
        == 4
    )


def test_a_reason_is_looked_for_before_a_large_formula_is_read() -> None:
    """Rows that are shifted from 9×9 candidates look like a 27×27 sudoku with a digit twice."""
    grid = ["." * 27] * 27
    grid[1] = "1........1".ljust(27, ".")
    task = Task(subject_of({"family": "sudoku", "grid": "\n".join(grid)}), Count())
    ways = make_plan(task)
    assert [name_way(way) for way in ways] == ["reason", "counted", "whole"]

    answer = task.begin_search()
    for event in ways[0].run(Desk("auto"), answer):
        answer.add(event)
    assert (answer.complete, answer.solutions, answer.established_by) == (True, 0, "reason")


def test_without_a_simple_reason_the_search_of_a_large_formula_begins() -> None:
    task = Task(subject_of({"family": "sudoku", "grid": "\n".join(["." * 27] * 27)}), Count())
    answer = task.begin_search()
    assert list(make_plan(task)[0].run(Desk("auto"), answer)) == []


def test_each_way_says_what_it_does() -> None:
    task = Task(subject_of("dominoes-6x8"), Count(), Means(jobs=2))
    reasons = [way.why for way in make_plan(task)]
    assert len(set(reasons)) == len(reasons) == 4 and all(reasons)
