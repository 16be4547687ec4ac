"""Automorphisms of formulas: known orders, brute force on small formulas, and the output of
`explain`."""

from __future__ import annotations

import random
import sys
from collections.abc import Sequence
from itertools import permutations, product
from math import factorial

import pytest
from support.grid_files import LATER_FILES
from support.quick import cases

import jigsat
from jigsat import Formula, Group, InputError
from jigsat.formula import holds
from jigsat.instance import instances, load_all
from jigsat.orbits import find_automorphisms
from jigsat.search.propagation import fixed_literals
from jigsat.symmetry import Automorphisms, automorphisms, generate_group, generators, preserves

pytest.importorskip("igraph")

ORDERS = {
    "cats": 4,
    "cube": 48,
    "fish-plain": 2,  # puffer-1 and tang-2 have the same sides
    "lights-5x5": 8,
    "macmahon-squares": 8,
    "pentominoes-6x10": 4,
    "soma": 48,
    "sudoku-4x4-empty": 3072,
    "sudoku-empty": 3_359_232 * factorial(9),
}
LARGE = {"court-cards", "cube-six-sets", "macmahon-cube", "pentagons"}
LARGE |= {"polycube-2x2x2", "polycube-3x3x3", "polycube-star"}


@pytest.mark.parametrize(("name", "order"), ORDERS.items())
def test_known_orders(name: str, order: int) -> None:
    assert find_automorphisms(jigsat.load(name).encode()).order == order


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(path.stem, marks=[pytest.mark.slow] * (path.stem in LARGE | LATER_FILES))
        for path in instances()
    ],
)
def test_declared_symmetries_are_automorphisms(name: str) -> None:
    puzzle = load_all(name)[0]
    formula = puzzle.encode()
    found = find_automorphisms(formula)
    declared = Group.of(formula, puzzle.symmetries()).levels["all"]
    for images in generators(declared):
        assert found.contains(images)
    assert found.order % len(set(map(found.restrict_to_decisions, declared))) == 0


def test_more_colours_than_vertices() -> None:
    """The constraint's vertex must not get the colour of a variable that is fixed."""
    formula = Formula()
    x = formula.variables("x", {"i": range(2)})[:]
    formula.clause([-x[1], x[0]])
    formula.exactly_one([-x[1], x[0]])
    assert jigsat.count(formula, up_to="automorphism").distinct == {"automorphism": 2}
    assert find_automorphisms(formula).contains({1: 1, 2: 2})


def random_formula(rng: random.Random) -> Formula:
    """A formula of six variables, of which the last may be auxiliary, with constraints that come in
    several copies."""
    formula = Formula()
    x = formula.variables("x", {"i": range(5)})[:]
    x += formula.variables("y", {"i": range(1)}, decision=rng.random() < 0.5)[:]
    for _ in range(rng.randint(1, 3)):
        kind, size, odd = rng.randrange(5), rng.randint(1, 3), rng.random() < 0.5
        signs = [rng.choice((1, 1, -1)) for _ in range(size)]
        low, weights = rng.randint(0, 2), [rng.choice((1, 1, 2, -3)) for _ in range(size)]
        for literals in rng.sample(list(permutations(x, size)), rng.randint(1, 5)):
            signed = [sign * literal for sign, literal in zip(signs, literals, strict=True)]
            match kind:
                case 0:
                    formula.clause(signed)
                case 1:
                    formula.between(low, low + 1, signed)
                case 2:
                    formula.xor(signed, odd=odd)
                case 3:
                    formula.linear(zip(signed, weights, strict=True), at_least=low - 1)
                case 4:
                    formula.clause([-literal for literal in signed[:2]])
    return formula


def solutions(formula: Formula) -> set[frozenset[int]]:
    """The solutions by trying all assignments."""
    decisions = frozenset(formula.decisions())
    everything = (
        frozenset(x for x, bit in enumerate(bits, 1) if bit)
        for bits in product((0, 1), repeat=formula.top)
    )
    constraints = list(formula.constraints())
    return {
        true & decisions
        for true in everything
        if all(holds(constraint, true) for constraint in constraints)
    }


@pytest.mark.parametrize("seed", range(cases(150)))
def test_the_group_of_random_formulas(seed: int) -> None:
    """It contains every permutation that preserves the constraints, and each member maps solutions
    to solutions."""
    formula = random_formula(random.Random(seed))
    known = fixed_literals(formula)
    found = solutions(formula)
    if known is None:
        assert not found
        return
    assert all(
        (abs(x) in model) == (x > 0)
        for model in found
        for x in known
        if abs(x) in formula.decisions()
    )
    group = Automorphisms(formula, known)
    members = generate_group(formula, group.generators).levels["all"]
    assert len(members) == group.order
    for images in members:
        assert {frozenset(images[x] for x in model) for model in found} == found
    listed = {tuple(images[x] for x in group.decisions) for images in members}
    for images in permutations(group.decisions):
        moved = dict(zip(group.decisions, images, strict=True))
        whole = {x: moved.get(x, x) for x in formula.decisions()}
        assert group.contains(moved) == (images in listed)
        assert images in listed or not preserves(formula, whole)


@pytest.mark.parametrize("seed", range(cases(60)))
def test_orbits_of_random_formulas(seed: int) -> None:
    """Sizes of orbits and keys of solutions, against the orbits that the listed group gives."""
    formula = random_formula(random.Random(1000 + seed))
    known = fixed_literals(formula)
    if known is None:
        return
    group = Automorphisms(formula, known)
    listed = generate_group(formula, group.generators)
    keys: dict[bytes, set[frozenset[int]]] = {}
    for model in solutions(formula):
        keys.setdefault(group.canonical(model), set()).add(model)
        assert group.orbit_size(model) == len(listed.orbit(model, "all"))
    for orbit in keys.values():
        assert listed.orbit(next(iter(orbit)), "all") == orbit


def variables(formula: Formula, number: int, *, decision: bool = True) -> list[int]:
    return formula.variables("x" if decision else "y", {"i": range(number)}, decision=decision)[:]


def test_automorphisms_of_auxiliaries_alone_do_not_count() -> None:
    formula = Formula()
    x, y = variables(formula, 2), variables(formula, 3, decision=False)
    formula.clause(y)
    formula.clause([*x, -y[0]])
    group = Automorphisms(formula, ())
    assert group.order == 2
    assert group.generators == [{1: 2, 2: 1}]


def test_implications_have_a_direction() -> None:
    def cycle(size: int, closed: bool) -> int:
        formula = Formula()
        x = variables(formula, size)
        for i in range(size - (not closed)):
            formula.implies(x[i], x[(i + 1) % size])
        return Automorphisms(formula, ()).order

    assert cycle(5, closed=True) == 5
    assert cycle(5, closed=False) == 1


def test_the_same_constraint_in_other_words() -> None:
    formula = Formula()
    a, b, c, d = variables(formula, 4)
    formula.at_most_one([a, b])
    formula.clause([-c, -d])
    assert Automorphisms(formula, ()).order == 8


def test_weights_tell_literals_apart() -> None:
    def order(weights: Sequence[int]) -> int:
        formula = Formula()
        formula.linear(zip(variables(formula, len(weights)), weights, strict=True), at_most=4)
        return Automorphisms(formula, ()).order

    assert order([2, 2, 3, 3, 3]) == 2 * 6
    assert order([2, 3, 4, 5]) == 1


def test_large_orders_are_exact() -> None:
    formula = Formula()
    formula.exactly(20, variables(formula, 40))
    group = Automorphisms(formula, ())
    assert group.order == factorial(40)
    assert group.orbit_size(frozenset(range(1, 21))) == 137846528820


def test_orders_by_stabilisers(monkeypatch: pytest.MonkeyPatch) -> None:
    formula = jigsat.load("sudoku-empty").encode()
    monkeypatch.setattr(automorphisms, "MAX_EXACT_ORDER", 0)
    assert find_automorphisms(formula).order == ORDERS["sudoku-empty"]


def test_variables_that_no_solution_uses_are_left_out() -> None:
    formula = Formula()
    x = variables(formula, 6)
    formula.exactly_one(x[:3])
    for i in range(3, 6):
        formula.clause([-x[i], x[0]])
        formula.clause([-x[i], -x[0]])
    assert find_automorphisms(formula).order == 6
    assert Automorphisms(formula, ()).order == 2 * 6


def test_a_formula_without_models_has_no_automorphisms() -> None:
    formula = Formula()
    x = variables(formula, 3)
    formula.clause(x[:1])
    formula.clause([-x[0]])
    assert fixed_literals(formula) is None
    assert find_automorphisms(formula).order == 1


# -- explain


def test_explain_names_the_generators() -> None:
    said = str(jigsat.explain("fish-plain"))
    assert (
        "automorphisms: 2, none of them declared; generators:\n  tiles puffer-1 and tang-2 "
        "change places (not declared)\n" in said
    )
    said = str(jigsat.explain("sudoku-4x4-empty"))
    assert "automorphisms: 3,072, 192 of them declared; generators:" in said
    assert "  values 3 and 4 change places (declared: all)" in said
    assert "automorphisms: only the identity" in str(jigsat.explain("sudoku-hard"))


def test_explain_a_formula() -> None:
    formula = Formula()
    seat = formula.variables("seat", {"guest": ("Ann", "Bob", "Eve"), "chair": range(3)})
    for guest in ("Ann", "Bob", "Eve"):
        formula.exactly_one(seat[guest, :])
    for chair in range(3):
        formula.exactly_one(seat[:, chair])
    formula.clause([seat("Eve", 0), seat("Eve", 2)])
    exchanged = {seat("Ann", chair): seat("Bob", chair) for chair in range(3)}
    explanation = jigsat.explain(formula, group=[exchanged | {b: a for a, b in exchanged.items()}])
    assert not isinstance(explanation.automorphisms, str)
    assert explanation.automorphisms.order == 4
    assert {str(generator) for generator in explanation.automorphisms.generators} == {
        "guests Ann and Bob change places (declared: all)",
        "chairs 0 and 2 change places (not declared)",
    }


def test_without_igraph_one_line_says_how_to_install_it(monkeypatch: pytest.MonkeyPatch) -> None:
    with_igraph = jigsat.explain("cats")
    monkeypatch.setitem(sys.modules, "igraph", None)
    without = jigsat.explain("cats")
    assert (
        without.automorphisms
        == "igraph is not installed; to install it: pip install 'jigsat[symmetry]'"
    )
    assert [line for line in str(without).splitlines() if not line.startswith("automorphisms")] == [
        line
        for line in str(with_igraph).splitlines()
        if not line.startswith(("automorphisms", "  "))
    ]
    with pytest.raises(InputError, match=r"pip install 'jigsat\[symmetry\]'"):
        find_automorphisms(jigsat.load("cats").encode())
