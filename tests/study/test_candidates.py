"""Candidates compared with all solutions, listed by another backend."""

from __future__ import annotations

import json
import os
import random
import re
import signal
import time
from collections import Counter
from collections.abc import Iterator
from itertools import cycle, islice
from pathlib import Path
from typing import Any

import pytest
from support import forked
from support.grid_files import LATER_FILES
from support.inside import jigsat as run
from support.small import FAMILIES, random_puzzle
from support.waiting import LONG

import jigsat
from jigsat import InputError, Puzzle, instance
from jigsat.questions import Candidates
from jigsat.study import candidates
from jigsat.study.candidates import find_alternatives, find_candidates
from jigsat.study.marks import draw_candidates
from jigsat.study.playing import Playing

MAX_SOLUTIONS = 100

LARGE = ("polycube-2x2x2", "polycube-3x3x3", "polycube-star")  # take another backend long
NUMBERS_LISTED = (1, 200)  # solutions that are listed before the others are searched


def expected(
    puzzle: Puzzle, solutions: list[frozenset[Any]]
) -> tuple[dict[Any, str], dict[Any, int]]:
    """The status of each placement and the number of solutions that have it, by counting them one
    by one."""
    formula = puzzle.encode()
    seen = Counter(placement for solution in solutions for placement in solution)
    keys = [formula.key(x) for x in formula.decisions()]
    statuses = {
        key: "none" if not seen[key] else "all" if seen[key] == len(solutions) else "some"
        for key in keys
    }
    return statuses, {key: seen[key] for key in keys}


def final(puzzle: Puzzle, given: list[Any], *, count: bool) -> Candidates:
    *_, last = find_candidates(puzzle, given, count=count)
    assert last.complete
    return last


def small_puzzles() -> Iterator[Any]:
    """Puzzles with few solutions, and the number of solutions that are listed before the others are
    searched. A quick run has one of the two numbers for each puzzle, and of the puzzles on a grid
    the first one of each kind."""
    quick = cycle(NUMBERS_LISTED)
    for path in instance.instances():
        known = instance.read_data(path).get("known", {})
        if (
            "grids" not in instance.read_data(path)
            and known.get("solutions", MAX_SOLUTIONS) < MAX_SOLUTIONS
        ):
            chosen = None if path.stem in (*LATER_FILES, *LARGE) else next(quick)
            for listed in NUMBERS_LISTED:
                marks = [] if listed == chosen else [pytest.mark.slow]
                yield pytest.param(path.stem, listed, marks=marks, id=f"{path.stem}-list {listed}")


@pytest.mark.parametrize(("name", "listed"), list(small_puzzles()))
def test_candidates_are_those_of_all_solutions(
    name: str, listed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    puzzle, rng = instance.load_all(name)[0], random.Random(name)
    other = "cover" if puzzle.family == "tiling" else "cadical153"
    with jigsat.solutions(puzzle, up_to="nothing", backend=other, timeout=LONG) as found:
        solutions = [frozenset(solution.placements) for solution in found]
    if not found.result.complete:
        pytest.skip("the other backend is too slow")
    monkeypatch.setattr(candidates, "FIRST_LISTED", listed)
    count = len(solutions) < 10 and len(puzzle.encode().decisions()) < 500
    given = rng.sample(sorted(rng.choice(solutions), key=str), 1) if solutions else []
    for placed in ([], given):
        statuses, counts = expected(
            puzzle, [solution for solution in solutions if solution.issuperset(placed)]
        )
        last = final(puzzle, placed, count=count)
        assert last.statuses == statuses
        assert last.counts == (counts if count else None)
        fitting = [solution for solution in solutions if solution.issuperset(placed)]
        assert (last.solvable, last.total) == (bool(fitting), len(fitting) if count else None)


CASES = [4, pytest.param(56, marks=pytest.mark.slow)]  # of each family: 504 in all


@pytest.mark.parametrize("number", CASES)
@pytest.mark.parametrize("family", FAMILIES)
def test_candidates_of_random_puzzles_equal_brute_force(family: Any, number: int) -> None:
    rng = random.Random(number)
    for case in range(number):
        puzzle, solutions = random_puzzle(rng, family)
        keys = list(map(puzzle.encode().key, puzzle.encode().decisions()))
        given = rng.sample(keys, min(len(keys), rng.randint(1, 2))) if case % 2 else []
        fitting = [solution for solution in solutions if solution.issuperset(given)]
        statuses, counts = expected(puzzle, fitting)
        for count in (False, True):
            last = final(puzzle, given, count=count)
            assert (last.statuses, last.counts) == (statuses, counts if count else None)
            assert bool(last.conflict) == bool(given and solutions and not fitting)
            if last.conflict:
                assert not any(solution.issuperset(last.conflict) for solution in solutions)
                for left_out in last.conflict:
                    assert any(
                        solution.issuperset({*last.conflict} - {left_out}) for solution in solutions
                    )


def test_what_is_not_known_is_not_guessed() -> None:
    puzzle = instance.load("sudoku-underconstrained")
    *_, last = find_candidates(puzzle)
    final_statuses = last.statuses
    for known in islice(find_candidates(puzzle), 0, None, 10):
        assert all(
            status in ("unknown", final_statuses[placement])
            for placement, status in known.statuses.items()
        )


def test_given_placements_that_conflict() -> None:
    puzzle = instance.load("sudoku-4x4-empty")
    kind = type(puzzle.encode().key(1))
    given = [kind((0, 0), "1"), kind((3, 3), "2"), kind((0, 3), "1"), kind((2, 1), "4")]
    last = final(puzzle, given, count=False)
    assert set(last.conflict) == {given[0], given[2]}
    assert set(last.statuses.values()) == {"none"}
    with pytest.raises(InputError, match="sudoku-4x4-empty: there is no placement"):
        next(find_candidates(puzzle, [kind((9, 9), "1")]))


def test_copies_of_a_given_placement_count_as_one(monkeypatch: pytest.MonkeyPatch) -> None:
    assumptions = []
    find_conflict = candidates._find_conflict

    def note(formula: Any, given: Any, assumed: list[int]) -> Any:
        assumptions.append(len(assumed))
        return find_conflict(formula, given, assumed)

    monkeypatch.setattr(candidates, "_find_conflict", note)
    *_, found = find_candidates(instance.load("cats"))
    never = next(key for key, status in found.statuses.items() if status == "none")
    *_, found = find_candidates(instance.load("cats"), [never] * 20)
    assert (found.conflict, assumptions) == ((never,), [1])


def test_a_time_limit_leaves_the_rest_unknown() -> None:
    known = jigsat.candidates("macmahon-squares", count=True, timeout=1)
    assert not known.complete and known.counts is None
    assert jigsat.candidates("cats").complete


def test_the_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    solved = json.loads(run(capsys, "solve", "sudoku-6x6", "--json").out)
    (tmp_path / "given.json").write_text(json.dumps(solved))
    shown = run(capsys, "candidates", "sudoku-6x6", "--given", tmp_path / "given.json")
    assert shown.status == 0
    assert shown.out.count("!") == 36
    printed = json.loads(run(capsys, "candidates", "cats", "--counts", "--json").out)
    assert printed["complete"] is True
    assert Counter(each["in"] for each in printed["candidates"]) == {"none": 288, "some": 36}
    assert {each["solutions"] for each in printed["candidates"]} == {0, 1}
    (tmp_path / "grid.txt").write_text("2.2.............\n")
    said = run(capsys, "candidates", "sudoku-4x4-empty", "--given", tmp_path / "grid.txt").out
    assert said.splitlines()[1:] == ["  r1c1 = 2", "  r1c3 = 2"]


EXPECTED = "expected a list of placements, or the output of `jigsat solve --json`"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('{"found": []}', "found: expected one solution, got 0"),
        (
            '{"found": [[], []]}',
            "found: expected one solution, got 2; `jigsat solve --limit 1 --json` finds one",
        ),
        *((text, EXPECTED) for text in ('{"found": 5}', "{}", "null", "42")),
        ("[", "not JSON: Expecting value: line 1 column 2 (char 1)"),
        ("[3]", '0: cats has no placement 3; one is {"cell": [0, 0], "tile": "1", "turn": 0}'),
        (
            '{"found": [[{}]]}',
            'found.0.0: cats has no placement {}; one is {"cell": [0, 0], "tile": "1", "turn": 0}',
        ),
    ],
)
def test_wrong_files_of_given_placements(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], text: str, message: str
) -> None:
    (path := tmp_path / "bad.json").write_text(text)
    refused = run(capsys, "candidates", "cats", "--given", path)
    assert (refused.status, refused.err) == (2, f"jigsat: {path}: {message}\n")


def test_puzzles_as_given_placements(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    def refusal(given: str) -> str:
        refused = run(capsys, "candidates", "sudoku-6x6", "--given", given)
        assert refused.status == 2
        return refused.err

    assert run(capsys, "candidates", "sudoku-6x6", "--given", "sudoku-4x4-empty").status == 0
    assert refusal("") == "jigsat: --given: name a file or a puzzle\n"
    assert "sudoku-hard: its clue 'r1c7 = 2' does not fit sudoku-6x6" in refusal("sudoku-hard")
    assert (
        "dinner: a puzzle of the family seating, but sudoku-6x6 is of the family sudoku"
        in refusal("dinner")
    )
    (path := tmp_path / "marked.json").write_text(
        run(capsys, "solve", "cube", "--limit", "1", "--json").out, "utf-8-sig"
    )
    assert run(capsys, "candidates", "cube", "--given", path).out.count("!") == 6


UNLIT = 'family = "lights-out"\nboard = "square 2x2"\nlit = ["..", ".."]\n'
NOTHING = (
    'family = "tiling"\nboard = "#"\nleft_over = "any"\n[pieces]\nbad = { shape = "####", '
    'uses = "any" }\n'
)


def test_no_solution_differs_from_an_empty_one(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("lights-unsolvable", "crossword-unfillable", "dinner-impossible"):
        assert (
            run(capsys, "candidates", name).out
            == f"{name}: no solution; `jigsat solve {name}` tells why\n"
        )
    said = json.loads(run(capsys, "candidates", "lights-unsolvable", "--counts", "--json").out)
    assert (said["solvable"], said["solutions"]) == (False, 0)
    for text, shown in ((UNLIT, "–"), (NOTHING, "there is nothing to place")):
        (path := tmp_path / "empty.toml").write_text(text)
        assert shown in run(capsys, "candidates", path).out
        said = json.loads(run(capsys, "candidates", path, "--counts", "--json").out)
        assert (said["solvable"], said["solutions"]) == (True, 1)
        assert all(each["in"] == "none" for each in said["candidates"])
    assert run(capsys, "steps", path).status == 0


def test_lines_say_whether_a_rule_or_an_option_is_in_all_solutions(
    capsys: pytest.CaptureFixture[str],
) -> None:
    lines = run(capsys, "candidates", "wedding-small").out.splitlines()
    assert "Bride and Groom sit beside each other: in all solutions" in lines
    assert "Bride and Aunt Ida sit across from each other: in some solutions" in lines
    assert "witnesses should sit at the top table: in no solution" in lines
    assert lines[0] == "top 1: Bride; Groom; Nina; Otto; Aunt Ida; Uncle Max; Pia; Quinn"
    counted = run(capsys, "candidates", "wedding-small", "--counts").out
    assert "Bride and Aunt Ida sit across from each other: in 320 of 1,280 solutions\n" in counted
    assert run(capsys, "candidates", "exact-cover-toy").out.splitlines()[:2] == [
        "option 1 with items c e: in all solutions",
        "option 2 with items a d g: in no solution",
    ]
    assert (
        run(capsys, "candidates", "cube", "--counts").out.splitlines()[0]
        == "the top face = piece A as drawn: in 4 of 96 solutions"
    )


@pytest.mark.parametrize(("number", "status"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_a_signal_leaves_what_is_known(
    number: signal.Signals, status: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def search(puzzle: Puzzle, *_: Any, **__: Any) -> Iterator[Candidates]:
        yield from islice(find_candidates(puzzle), 2)
        os.kill(os.getppid(), number)
        time.sleep(LONG)

    monkeypatch.setattr("jigsat.study.candidates.find_candidates", search)
    done = forked.run("candidates", "cats", "--counts", folder=tmp_path)
    assert done.status == status and done.err.startswith("jigsat: cats: ")
    assert (
        "1 3 7 8" in done.out
        and "\nthe numbers of solutions are not known; `jigsat estimate " in done.out
    )


def texts(picture: str) -> Counter[str]:
    return Counter(re.findall(r'<text x="[^>]*>([^<]*)<', picture))


def test_marks_in_pictures() -> None:
    puzzle = instance.load("sudoku-4x4-empty")
    playing = Playing(puzzle)
    one = playing.formula.key(1)
    found = final(puzzle, [one], count=False)
    drawn = draw_candidates(playing, found, [one])
    assert texts(drawn) == Counter(
        placement.value for placement, status in found.statuses.items() if status == "some"
    )
    assert (
        "url(#hatch)" not in drawn and "fill-opacity" not in drawn
    )  # pencil marks, and nothing is unknown
    first = draw_candidates(playing, next(find_candidates(puzzle)))
    assert first.count('fill="url(#hatch)"') == 16 and not texts(first)["1"]
    lights = instance.load("lights-5x5")
    assert texts(draw_candidates(Playing(lights), final(lights, [], count=False))) == {
        "○": 20,
        "●": 5,
    }
    cats = instance.load("cats")
    assert (
        draw_candidates(Playing(cats), final(cats, [], count=False)).count("fill-opacity") == 9
    )  # a heat map


def test_marks_on_the_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    shown = run(capsys, "candidates", "cats", "--picture", tmp_path / "cats.svg").out.splitlines()
    assert [line.replace(" ", "") for line in shown[1::2]] == [
        "│2456│1378│2456│",
        "│1378│9│1378│",
        "│2456│1378│2456│",
    ]
    assert texts((tmp_path / "cats.svg").read_text())["9"] == 1
    assert run(capsys, "candidates", "soma").out.count("; B") == 27
    assert run(capsys, "candidates", "cube").out.splitlines()[0] == "top: A; B; C; D; E; F"


LONG_SEEDS = (5, 15)  # grids with many fills

SEEDS = [
    pytest.param(seed, marks=[pytest.mark.slow] if seed in LONG_SEEDS else []) for seed in range(20)
]


@pytest.mark.parametrize("seed", SEEDS)
def test_words_of_slots_equal_those_of_all_fills(seed: int) -> None:
    """Random grids and words: the statuses by fills that the family finds, and by the SAT solver,
    against all solutions."""
    rng, enforced = random.Random(seed), seed % 5 > 0
    words = {
        "".join(rng.choices("ABC" if enforced else "AB", k=length)): rng.choice((10, 50))
        for length in (2, 3, 4)
        for _ in range(12)
    }
    grid = ["".join(rng.choices(".#", (9, 1), k=4 if enforced else 3)) for _ in range(3)]
    try:
        puzzle = jigsat.load(
            {
                "family": "crossword",
                "grid": grid,
                "words": [f"{each};{words[each]}" for each in words],
                "repeats": seed % 3 == 0,
                "enforced": enforced,
            }
        )
    except InputError:  # a square that belongs to no word
        pytest.skip("not a grid")
    with jigsat.solutions(puzzle, up_to="nothing") as found:
        solutions = [frozenset(each.placements) for each in found]
    given = rng.sample(sorted(rng.choice(solutions), key=str), seed % 2) if solutions else []
    for slot in puzzle.slots:
        held = Counter[str]()
        for solution in solutions:
            at = dict(solution)
            held["".join(at[cell] for cell in slot.cells)] += (
                slot.name in at and solution.issuperset(given)
            )
        reports = [*find_alternatives(puzzle, slot.name, given)]
        known = reports[-1]
        assert all(
            its in ("unknown", known[word]) for report in reports for word, its in report.items()
        )
        possible = [word for word, number in held.items() if number]
        status = "all" if len(possible) == 1 else "some"
        assert {word: its for word, its in known.items() if its != "none"} == dict.fromkeys(
            possible, status
        )


def test_words_of_a_slot(capsys: pytest.CaptureFixture[str]) -> None:
    puzzle = instance.load("crossword-5x5")
    with jigsat.solutions(puzzle, up_to="nothing", backend="cadical153") as found:
        fills = [
            {letter.cell: letter.letter for letter in each.placements if hasattr(letter, "cell")}
            for each in found
        ]
    for slot in puzzle.slots:
        words = Counter("".join(fill[cell] for cell in slot.cells) for fill in fills)
        *_, known = find_alternatives(puzzle, slot.name)
        assert {word: status for word, status in known.items() if status != "none"} == {
            word: "all" if len(words) == 1 else "some" for word in words
        }
        scores = [puzzle.words[word] for word in known]
        assert scores == sorted(scores, reverse=True)
    formula = puzzle.encode()
    letter = next(
        each for each in map(formula.key, formula.decisions()) if each[:2] == ((0, 2), "R")
    )
    *_, known = find_alternatives(puzzle, "1 across", [letter])
    assert [word for word, status in known.items() if status == "all"] == ["RAY"]
    assert (
        run(capsys, "candidates", "crossword-5x5", "--slot", "1 across").out
        == "1 across: BAY RAY\n"
    )
    assert (
        run(capsys, "candidates", "crossword-unfillable", "--slot", "1 across").out
        == "1 across: nothing\n"
    )
    refused = run(capsys, "candidates", "cube", "--slot", "1 across")
    assert (refused.status, refused.err) == (
        2,
        "jigsat: cube: the family interlocking has no slots\n",
    )
    refused = run(capsys, "candidates", "crossword-5x5", "--slot", "1 across", "--counts")
    assert (refused.status, refused.err) == (
        2,
        "jigsat: --slot: lists words; leave out --counts and --picture\n",
    )
