"""Certificates of counts: the checker agrees with known counts, with brute force, and with
listing."""

from __future__ import annotations

import json
import lzma
import random
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from support.certificates import check
from support.countable import COUNTABLE, dominoes
from support.inside import run

import jigsat
from jigsat import instance
from jigsat.answering.enumeration import Enumeration
from jigsat.errors import InputError
from jigsat.formats.opb import opb_lines
from jigsat.formula import Formula
from jigsat.proofs import check_count
from jigsat.proofs.certificate import json_lines, list_symmetries, permutations, prove
from jigsat.proofs.counting import CHECKER, PROOF, count_orbits, fits, write_graphs
from jigsat.proofs.covers import list_constraints
from jigsat.search.portfolio import models
from jigsat.subject import FormulaSubject
from jigsat.symmetry import Group

SHIPPED = [
    "black-and-white-rule",
    "dominoes-6x8",
    "dominoes-torus",
    "latin-4",
    "queens-8",
    "pentominoes-3x20",
    "sudoku-4x4-empty",
]
SLOW = ["dominoes-16x16", "sudoku-6x6-empty", "pentominoes-4x15"]
NAMES = [*SHIPPED, *COUNTABLE]
FAST = 150
EVERY = 1_500


def certified(source: str | Path, directory: Path) -> dict[str, int]:
    """The counts of a new certificate, which is verified with jigsat, and without site packages or
    environment."""
    list(prove(source, directory, count=True))
    assert list(check(directory))[-1].startswith("verified: ")
    alone = subprocess.run(
        [sys.executable, "-I", "-S", directory / CHECKER, directory],
        env={},
        cwd="/",
        capture_output=True,
        text=True,
        check=True,
    )
    stated = json.loads((directory / "solutions.json").read_text())
    counts = {"solutions": stated["solutions"], **stated["distinct"]}
    lines = [
        f"{number} {'solutions' if level == 'solutions' else f'up to {level}'}"
        for level, number in counts.items()
    ]
    assert alone.stdout.splitlines() == lines
    return counts


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[pytest.mark.slow] * (name in SLOW)) for name in NAMES]
)
def test_known_counts_are_certified(name: str, tmp_path: Path) -> None:
    source: str | Path = name
    if name in COUNTABLE:
        source = tmp_path / f"{name}.toml"
        source.write_text(COUNTABLE[name].text)
        known = {"solutions": COUNTABLE[name].solutions, **COUNTABLE[name].distinct}
    else:
        facts = instance.load(name).known
        known = {"solutions": facts.solutions or 0, **facts.distinct()}
    assert known.items() <= certified(source, tmp_path / "proof").items()


# -- random problems


def random_formula(chance: random.Random) -> tuple[Formula, dict[int, int]]:
    """A formula of items and bounds with a symmetry, which may map options of an item or a bound to
    each other."""
    size = chance.randint(1, 9)
    variables = list(range(1, size + 1))
    images = variables[:]
    for _ in range(chance.randint(0, 2)):
        a, b = chance.randrange(size), chance.randrange(size)
        images[a], images[b] = images[b], images[a]
    to = dict(zip(variables, images, strict=True))
    formula = Formula()
    formula.variables("option", {"number": variables})
    added: set[tuple[frozenset[int], int, int]] = set()

    def add(literals: frozenset[int], low: int, high: int) -> None:
        while (literals, low, high) not in added:
            added.add((literals, low, high))
            formula.between(low, high, sorted(literals))
            literals = frozenset(to[x] for x in literals)

    left = set(variables)
    while left or chance.random() < 0.4:
        item = frozenset(chance.sample(variables, chance.randint(1, min(size, 4))))
        left -= item
        while (item, 1, 1) not in added:
            add(item, 1, 1)
            left -= item
        for literals, _, _ in list(added):
            left -= literals
    for _ in range(chance.randint(0, 3)):
        literals = frozenset(chance.sample(variables, chance.randint(1, size)))
        low = chance.randint(0, min(3, len(literals)))
        high = chance.randint(low, len(literals))
        if (low, high) != (1, 1):
            add(literals, low, high)
    return formula, to


def brute_force(formula: Formula) -> set[frozenset[int]]:
    """The solutions, by trying every set of options."""
    constraints = [(set(each.literals), each.at_least, each.at_most) for each in formula.others()]  # type: ignore[union-attr]
    found = set()
    for chosen in product((False, True), repeat=formula.top):
        true = frozenset(x for x, is_true in enumerate(chosen, 1) if is_true)
        if all(low <= len(true & literals) <= high for literals, low, high in constraints):
            found.add(true)
    return found


def orbits_of(found: set[frozenset[int]], to: dict[int, int]) -> int:
    left, orbits = set(found), 0
    while left:
        solution = next(iter(left))
        while solution in left:
            left.discard(solution)
            solution = frozenset(to[x] for x in solution)
        orbits += 1
    return orbits


def assert_agree(seed: int, directory: Path) -> None:
    formula, to = random_formula(random.Random(seed))
    assert fits(formula, Group.of(formula, ())) or formula.top == 0
    found = brute_force(formula)
    powers, power = [{x: x for x in to}], to
    while power != powers[0]:
        powers.append(power)
        power = {x: to[y] for x, y in power.items()}
    group = Group(
        {"nothing": powers[:1], "rotation": powers[:1], "reflection": powers[:1], "all": powers}
    )
    counts = {"nothing": len(found), **({"all": orbits_of(found, to)} if len(powers) > 1 else {})}
    recorded = permutations(formula, group)
    listed = [tuple(entry["images"]) for entry in recorded["symmetries"]]
    fixed = write_graphs(directory / PROOF, formula, group, listed, {})
    distinct = count_orbits(list_symmetries(formula, group), fixed, group.orders)
    assert {"nothing": fixed[tuple(formula.decisions())], **distinct} == counts
    written = opb_lines(formula, FormulaSubject(formula, name="random"))
    (directory / "formula.opb").write_text("".join(f"{line}\n" for line in written))
    (directory / "symmetries.json").write_text("\n".join(json_lines(recorded)))
    assert check_count.verify(directory)[0] == counts
    if seed % 10 == 0:
        with closing(models(formula, "cover")) as listing:
            assert {frozenset(model) for model in listing} == found


def test_random_problems(tmp_path: Path) -> None:
    for seed in range(FAST):
        assert_agree(seed, tmp_path)


@pytest.mark.slow
def test_many_random_problems(tmp_path: Path) -> None:
    for seed in range(FAST, EVERY):
        assert_agree(seed, tmp_path)


# -- random puzzles


def random_grid(chance: random.Random) -> str:
    rows = [
        [chance.choice("1234") if chance.random() < 0.15 else "." for _ in range(4)]
        for _ in range(4)
    ]
    return "\n".join("".join(row) for row in rows)


def random_sudoku(chance: random.Random) -> dict[str, Any]:
    return {"family": "sudoku", "grid": random_grid(chance)}


def random_latin(chance: random.Random) -> dict[str, Any]:
    return {"family": "latin", "grid": random_grid(chance)}


def random_tiling(chance: random.Random) -> dict[str, Any]:
    shapes = chance.sample(["#", "##", "###", "##\n#.", "##\n##", ".##\n##."], 3)
    pieces = {
        f"p{at}": {"shape": shape, "uses": [0, chance.randint(3, 16)]}
        for at, shape in enumerate(shapes)
    }
    groups = (
        {"some": {"pieces": ["p0", "p1"], "number": [0, chance.randint(1, 4)]}}
        if chance.random() < 0.5
        else {}
    )
    columns = chance.randint(2, 4)
    board = (
        "\n".join("".join(chance.choice("####.") for _ in range(columns)) for _ in range(3))
        + "\n"
        + "#" * columns
    )
    return {
        "family": "tiling",
        "board": board,
        "pieces": pieces,
        **({"groups": groups} if groups else {}),
    }


def random_cover(chance: random.Random) -> dict[str, Any]:
    items, secondary = (
        [f"i{at}" for at in range(chance.randint(2, 6))],
        [f"s{at}" for at in range(chance.randint(0, 3))],
    )
    options = {
        " ".join(
            [
                *chance.sample(items, chance.randint(1, min(3, len(items)))),
                *(s for s in secondary if chance.random() < 0.3),
            ]
        )
        for _ in range(chance.randint(3, 14))
    }
    used = {word for option in options for word in option.split()}
    return {
        "family": "exact-cover",
        "items": " ".join(item for item in items if item in used),
        "secondary": " ".join(s for s in secondary if s in used),
        "options": "\n".join(sorted(options)),
    }


def random_seating(chance: random.Random) -> dict[str, Any]:
    sizes = [chance.choice([2, 4]) for _ in range(chance.randint(1, 2))]
    tables = [f"{chance.choice(['round ', 'long ', 'rows 2x'])}{size}" for size in sizes]
    return {
        "family": "seating",
        "tables": tables,
        "guests": list("ABCDE")[: chance.randint(1, min(5, sum(sizes)))],
    }


def count_by_trying(formula: Formula) -> int:
    """The number of solutions: choose an option for the first item without one, and drop what then
    exceeds a limit."""
    constraints = [(set(each.variables), each.low, each.high) for each in list_constraints(formula)]

    def tried(true: frozenset[int], left: frozenset[int]) -> int:
        if any(
            len(true & literals) > high or len(literals & (true | left)) < low
            for literals, low, high in constraints
        ):
            return 0
        item = next(
            (
                literals
                for literals, low, high in constraints
                if low == high == 1 and not literals & true
            ),
            None,
        )
        if item is None:
            return 1
        number = 0
        for option in sorted(item & left):
            left -= {option}
            together = frozenset().union(
                *(literals for literals, _, high in constraints if high == 1 and option in literals)
            )
            number += tried(true | {option}, left - together)
        return number

    return tried(frozenset(), frozenset(formula.decisions()))


@pytest.mark.parametrize(
    "family", [random_sudoku, random_latin, random_tiling, random_cover, random_seating]
)
@pytest.mark.parametrize("seeds", [range(10), pytest.param(range(10, 105), marks=pytest.mark.slow)])
def test_random_puzzles(
    family: Callable[[random.Random], dict[str, Any]], seeds: range, tmp_path: Path
) -> None:
    certificates = 0
    for seed in seeds:
        try:
            puzzle = instance.load(family(random.Random(seed)))
        except InputError:  # such as a board without a cell
            continue
        source, directory = tmp_path / f"{seed}.toml", tmp_path / f"proof-{seed}"
        source.write_text(instance.instance_text(puzzle))
        formula = puzzle.encode()
        list(prove(source, directory, count=True))
        assert list(check(directory))[-1].startswith("verified: ")
        check_count.main(directory)
        listed = Enumeration(puzzle, backend="cover", up_to="all", want="count")
        for _ in listed:
            pass
        stated = json.loads((directory / "solutions.json").read_text())
        assert stated["solutions"] == listed.result.solutions == count_by_trying(formula)
        assert stated["distinct"] == listed.result.distinct
        certificates += 1
    assert certificates >= 0.95 * len(seeds)


# -- the commands


def test_count_writes_a_certificate(tmp_path: Path) -> None:
    ended = run("count", "queens-8", "--certify", tmp_path / "proof")
    assert ended.returncode == 0, ended.stderr
    assert "written     " in ended.stdout.splitlines()[-1]
    assert (
        list(check(tmp_path / "proof"))[-1] == "verified: queens-8 has 92 solutions, and no other"
    )


@pytest.mark.parametrize("left", [[2, 4], 4, [1, 8], [0, 7], [1, 7]])
def test_cells_left_over_are_counted_with_symmetries(left: Any, tmp_path: Path) -> None:
    file = tmp_path / "few.toml"
    drawn = 'board = "####\\n####"\nuses = "any"\n[pieces]\ndomino = "##"\n'
    file.write_text(f'family = "tiling"\nleft_over = {left}\n{drawn}')
    listed = jigsat.count(file, backend="cadical195")
    counted = jigsat.count(file)
    assert counted.established_by == "counting"
    assert (counted.solutions, counted.distinct) == (listed.solutions, listed.distinct)
    assert listed.distinct["reflection"] < listed.solutions  # there are symmetries
    list(prove(file, tmp_path / "proof", count=True))
    assert list(check(tmp_path / "proof"))
    ended = subprocess.run(
        [sys.executable, "check_count.py"],
        cwd=tmp_path / "proof",
        capture_output=True,
        text=True,
        check=True,
    )
    assert f"{listed.distinct['reflection']} up to reflection" in ended.stdout


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("count", "cats", "--certify", "proof"), "no certificate of the count can be made"),
        (("count", "queens-8", "--certify", "."), "not an empty directory"),
        (
            ("count", "queens-8", "--certify", "proof", "--up-to", "automorphism"),
            "cannot be combined with --up-to automorphism",
        ),
        (("prove", "cats", "--count", "-o", "proof"), "no certificate of the count can be made"),
        (
            ("prove", "queens-8", "--count", "--backend", "cadical195", "-o", "proof"),
            "cannot be combined with --backend",
        ),
    ],
)
def test_a_certificate_that_cannot_be_made(
    arguments: tuple[str, ...], message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "other").touch()
    ended = run(*arguments)
    assert ended.returncode == 2
    assert message in ended.stderr
    assert len(ended.stderr.splitlines()) == 1
    assert not (tmp_path / "proof").exists()


@pytest.mark.parametrize(
    ("name", "certificate"),
    [
        ("queens-8", "`jigsat prove queens-8 -o DIR` makes one, with graphs of the count"),
        ("push-pull", "`jigsat prove push-pull -o DIR` makes one, with linear algebra"),
        (
            "cats",
            "`jigsat prove cats -o DIR` makes one, with all solutions and a proof that there is "
            "no other",
        ),
    ],
)
def test_the_last_line_of_a_count_offers_a_certificate(name: str, certificate: str) -> None:
    assert run("count", name).stdout.splitlines()[-1] == f"certificate: {certificate}"


def test_the_page_shows_the_graph_of_a_small_board(tmp_path: Path) -> None:
    (tmp_path / "small.toml").write_text(dominoes(2, 3))
    list(prove(tmp_path / "small.toml", tmp_path / "proof", count=True))
    graph = (
        lzma.decompress((tmp_path / "proof" / PROOF).read_bytes())
        .decode()
        .partition("symmetry 3")[0]
    )
    page = (Path(__file__).parents[2] / "docs" / "proofs.md").read_text(encoding="utf-8")
    assert f"```text\n{graph}```" in page
