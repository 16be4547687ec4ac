"""Certificates of counts: both checkers agree with known counts, with brute force, and with listing."""

from __future__ import annotations

import json
import random
import subprocess
import sys
from contextlib import closing
from itertools import product
from pathlib import Path

import pytest
from support.countable import COUNTABLE

from jigsat import instance
from jigsat.formats import Origin, opb_lines
from jigsat.formula import Formula
from jigsat.proofs import check_count
from jigsat.proofs.certificate import json_lines, levels_of, permutations, prove
from jigsat.proofs.counting import CHECKER, PROOF, fits, write_graphs
from jigsat.proofs.graph import Fixed, constraints_of, count_fixed, count_orbits
from jigsat.proofs.verification import check
from jigsat.search import models
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
FAST = 150
EVERY = 1_500


def certified(source: str | Path, directory: Path) -> dict[str, int]:
    """The counts of a new certificate, which both checkers verify. The small one runs without site packages or environment."""
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
    lines = [f"{number} {'solutions' if level == 'solutions' else f'up to {level}'}" for level, number in counts.items()]
    assert alone.stdout.splitlines() == lines
    return counts


@pytest.mark.parametrize("name", [*SHIPPED, *COUNTABLE])
def test_known_counts_are_certified(name: str, tmp_path: Path, request: pytest.FixtureRequest) -> None:
    if name in SLOW:
        pytest.skip("in another test")
    assert_known(name, tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize("name", SLOW)
def test_large_counts_are_certified(name: str, tmp_path: Path) -> None:
    assert_known(name, tmp_path)


def assert_known(name: str, folder: Path) -> None:
    source: str | Path = name
    if name in COUNTABLE:
        source = folder / f"{name}.toml"
        source.write_text(COUNTABLE[name].text)
        known = {"solutions": COUNTABLE[name].solutions, **COUNTABLE[name].distinct}
    else:
        facts = instance.load(name).known
        known = {"solutions": facts.solutions or 0, **facts.distinct()}
    counts = certified(source, folder / "proof")
    assert {level: counts[level] for level in known if level in counts} == {x: n for x, n in known.items() if x in counts}
    assert known["solutions"] == counts["solutions"]


# -- random problems


def random_formula(chance: random.Random) -> tuple[Formula, dict[int, int]]:
    """A formula of items and bounds with a symmetry, which may map options of an item or a bound to each other."""
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
    group = Group({"nothing": powers[:1], "rotation": powers[:1], "reflection": powers[:1], "all": powers})
    counts = {"nothing": len(found), **({"all": orbits_of(found, to)} if len(powers) > 1 else {})}
    recorded = permutations(formula, group)
    listed = [tuple(entry["images"]) for entry in recorded["symmetries"]]
    fixed = write_graphs(directory / PROOF, formula, group, listed)
    levels = {level: images for level, images in levels_of(group).items() if level in counts}
    assert count_orbits(levels, fixed) == counts
    read: Fixed = count_fixed(directory / PROOF, constraints_of(formula), listed)[0]
    assert read == fixed
    (directory / "formula.opb").write_text("".join(f"{line}\n" for line in opb_lines(formula, Origin("random", "0"))))
    (directory / "symmetries.json").write_text("\n".join(json_lines(recorded)))
    assert check_count.verify(directory) == counts
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
