"""Constraints on graphs, compared with definitions that share no code with them."""

from __future__ import annotations

import random
from collections.abc import Hashable
from contextlib import closing
from itertools import combinations, product
from typing import Any

import networkx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support import truth
from support.quick import cases

from jigsat import Formula
from jigsat.backends import open_backend
from jigsat.formula import (
    Acyclic,
    Clause,
    Connected,
    GraphConstraint,
    Lowered,
    find_cuts,
    find_first_cuts,
    holds,
    list_local_constraints,
)
from jigsat.formula.networks import (
    make_acyclic,
    make_connected,
    make_regions,
    make_single_loop,
)
from jigsat.search.portfolio import models
from jigsat.subject import FormulaSubject, describe_subject, restore_subject

OPTIONS: dict[str, Any] = {"derandomize": True, "deadline": None}


def make_constraint(spec: truth.Spec, variables: int) -> GraphConstraint:
    (constraint,) = truth.formula([spec], variables, variables).others()
    assert isinstance(constraint, GraphConstraint)
    return constraint


def random_spec(seed: int) -> tuple[truth.Spec, int]:
    rng = random.Random(seed)
    variables = rng.randint(1, 7)
    return truth.on_graph(rng, rng.choice(truth.ON_GRAPHS), variables), variables


@settings(max_examples=cases(300), **OPTIONS)
@given(st.integers(0, 2**32))
def test_solutions_are_those_of_the_definition(seed: int) -> None:
    spec, variables = random_spec(seed)
    formula = truth.formula([spec], variables, variables)
    expected = truth.table([spec], variables, variables)
    (constraint,) = formula.others()
    for values in product((False, True), repeat=variables):
        true = {i for i, value in enumerate(values, 1) if value}
        assert holds(constraint, true) == (true in expected)
    assert set(models(formula)) == expected


@settings(max_examples=cases(150), **OPTIONS)
@given(st.integers(0, 2**32))
def test_clauses_of_a_tree_have_the_same_solutions(seed: int) -> None:
    spec, variables = random_spec(seed)
    formula = truth.formula([spec], variables, variables)
    expected = truth.table([spec], variables, variables)
    with closing(open_backend("cadical195")) as solver:
        for clause in Lowered(formula):
            solver.add(clause)
        for values in product((False, True), repeat=variables):
            assumed = [x if value else -x for x, value in enumerate(values, 1)]
            true = frozenset(x for x in assumed if x > 0)
            assert solver.solve(assumed) == (true in expected)


@settings(max_examples=cases(300), **OPTIONS)
@given(st.integers(0, 2**32), st.data())
def test_what_is_implied_holds_in_all_extensions(seed: int, data: st.DataObject) -> None:
    spec, variables = random_spec(seed)
    constraint = make_constraint(spec, variables)
    signs = data.draw(st.tuples(*[st.sampled_from([0, 0, 1, -1])] * variables))
    known = {sign * i for i, sign in enumerate(signs, 1) if sign}
    extensions = [
        {x if x in true else -x for x in range(1, variables + 1)}
        for true in truth.table([spec], variables, variables)
    ]
    fitting = [literals for literals in extensions if known <= literals]
    about = {sign * x for x in constraint.literals for sign in (1, -1)}
    forced = set.intersection(*fitting) & about - known if fitting else None
    implied = constraint.imply(known)
    conflict = constraint.find_conflict(known)
    assert (conflict is None) == (implied is not None)
    if conflict is not None:
        assert conflict <= known
        assert constraint.imply(conflict) is None
    if isinstance(constraint, Connected | Acyclic):
        assert implied == forced
    elif implied is None or any(-x in implied for x in implied):
        assert forced is None
    else:
        assert forced is None or implied <= forced
        decided = {abs(x) for x in known} >= {abs(x) for x in constraint.literals}
        assert not decided or forced is not None


@settings(max_examples=cases(300), **OPTIONS)
@given(st.integers(0, 2**32))
def test_cuts_hold_in_all_solutions_and_not_where_they_were_found(seed: int) -> None:
    spec, variables = random_spec(seed)
    constraint = make_constraint(spec, variables)
    known = {x for x in range(-variables, variables + 1) if (seed >> x + variables) % 4 == 0}
    solutions = truth.table([spec], variables, variables)
    for values in product((False, True), repeat=variables):
        true = {i for i, value in enumerate(values, 1) if value}
        if not all(holds(local, true) for local in list_local_constraints(constraint)):
            continue  # other constraints exclude it
        for cuts in (find_cuts(constraint, true), find_cuts(constraint, true, known)):
            assert all(holds(Clause(cut), true) for cut in cuts) == (true in solutions)
            for cut in cuts:
                assert all(holds(Clause(cut), solution) for solution in solutions)


def test_first_cuts_hold_in_all_solutions() -> None:
    rng = random.Random(1)
    graph = networkx.grid_2d_graph(2, 2)
    formula = Formula()
    numbers = {node: formula.choice("number", range(1, 5), node=node) for node in graph}
    regions = make_regions(graph, numbers)
    formula.regions(graph, numbers)
    solutions = [set(model) for model in models(formula, "cadical195")]
    assert len(solutions) > 3

    for _ in range(100):
        given = rng.sample(regions.literals, rng.randint(0, 8))
        known = {x if rng.random() < 0.3 else -x for x in given}
        cuts = find_first_cuts(regions, known)
        assert all(holds(Clause(cut), solution) for cut in cuts for solution in solutions)

        # a number is excluded exactly if there are too few places that may have it, too
        for node, choice in numbers.items():
            for size, x in choice.literals.items():
                free = [place for place in graph if -numbers[place](size) not in known]
                area = networkx.Graph(graph.subgraph(free))
                places = networkx.node_connected_component(area, node) if node in free else ()
                assert any(-x in cut for cut in cuts) == (0 < len(places) < size)


@settings(max_examples=cases(100), **OPTIONS)
@given(st.integers(0, 2**32))
def test_the_order_in_the_graph_does_not_matter(seed: int) -> None:
    spec, variables = random_spec(seed)
    name, bounds, literals = spec
    rng = random.Random(seed)
    if name == "connected":
        edges, root = bounds
        order = rng.sample(range(len(literals)), len(literals))
        graph: networkx.Graph[int] = networkx.Graph()
        graph.add_nodes_from(order)
        turned = [rng.choice([pair, pair[::-1]]) for pair in edges]
        graph.add_edges_from(rng.sample(turned, len(turned)))
        again: GraphConstraint = make_connected(graph, {i: literals[i] for i in order}, root)
    elif name == "regions":
        places, pairs = bounds
        numbers: dict[int, dict[int, int]] = {}
        for i in rng.sample(range(len(literals)), len(literals)):
            node, number = places[i]
            numbers.setdefault(node, {})[number] = literals[i]
        beside: networkx.Graph[int] = networkx.Graph(rng.sample(pairs, len(pairs)))
        beside.add_nodes_from(numbers)
        again = make_regions(beside, numbers)
    else:
        (ends,) = bounds
        lines = [(*rng.choice([pair, pair[::-1]]), i) for i, pair in enumerate(ends)]
        rng.shuffle(lines)
        literal_of = {line: literals[line[2]] for line in lines}
        make = make_single_loop if name == "single_loop" else make_acyclic
        again = make(networkx.MultiGraph(lines), literal_of)
    assert again == make_constraint(spec, variables)


@settings(max_examples=cases(100), **OPTIONS)
@given(st.integers(0, 2**32))
def test_a_formula_is_sent_to_another_process_as_it_is(seed: int) -> None:
    spec, variables = random_spec(seed)
    formula = truth.formula([spec], variables, variables)
    sent = describe_subject(FormulaSubject(formula)).model_dump_json()
    read = restore_subject(
        type(describe_subject(FormulaSubject(formula))).model_validate_json(sent)
    )
    assert list(read.encode().constraints()) == list(formula.constraints())


def loops_on_cells(side: int) -> Formula:
    """The loops along the edges of a square of cells."""
    grid, formula = networkx.grid_2d_graph(side + 1, side + 1), Formula()
    line = formula.variables("line", ("one", "other"), grid.edges)
    with formula.rule("one loop"):
        formula.single_loop(grid, {(one, other): x for (one, other), x in line.items()})
    return formula


def connected_cells(side: int, *, empty: bool = False) -> Formula:
    """The connected sets of cells of a square."""
    grid, formula = networkx.grid_2d_graph(side, side), Formula()
    shaded = formula.variables("shaded", ("row", "column"), grid.nodes)
    with formula.rule("connected"):
        formula.connected(grid, {cell: shaded(*cell) for cell in grid})
    if not empty:
        with formula.rule("not empty"):
            formula.clause(shaded[:, :])
    return formula


# These are the sequences A140517 and A059525 of the On-Line Encyclopedia of Integer Sequences.
every_way = pytest.mark.parametrize("backend", ["cadical195", "clingo"])


@every_way
@pytest.mark.parametrize(
    ("side", "number"), [(1, 1), (2, 13), (3, 213), pytest.param(4, 9349, marks=pytest.mark.slow)]
)
def test_loops_on_squares_are_as_many_as_published(side: int, number: int, backend: str) -> None:
    assert len(list(models(loops_on_cells(side), backend))) == number


@every_way
@pytest.mark.parametrize(
    ("side", "number"), [(2, 13), (3, 218), pytest.param(4, 11506, marks=pytest.mark.slow)]
)
def test_connected_sets_on_squares_are_as_many_as_published(
    side: int, number: int, backend: str
) -> None:
    assert len(list(models(connected_cells(side), backend))) == number


@pytest.mark.slow
def test_a_million_loops_are_as_many_as_published() -> None:
    formula = loops_on_cells(5)
    with closing(open_backend("clingo")) as solver:
        solver.project(formula.decisions())
        solver.load(formula)
        number = 0
        while solver.solve():
            number += 1
    assert number == 1_222_363


def test_meanings_at_the_edge() -> None:
    nothing: networkx.Graph[Hashable] = networkx.Graph()
    formula = Formula()
    x = formula.variables("x", {"i": range(2)})
    formula.connected(nothing, {})
    assert len(list(models(formula))) == 4, "nothing is connected"

    alone: networkx.Graph[Hashable] = networkx.Graph()
    alone.add_nodes_from(range(2))
    formula.connected(alone, {0: x(0), 1: x(1)})
    assert set(models(formula)) == {frozenset(), frozenset({1}), frozenset({2})}
    formula.connected(alone, {0: x(0), 1: x(1)}, root=1)
    assert set(models(formula)) == {frozenset({2})}, "the root is chosen"

    formula.single_loop(nothing, {})
    assert not list(models(formula)), "a loop has a line"


def test_wrong_graphs_are_named() -> None:
    formula = Formula()
    x = formula.variables("x", {"i": range(3)})
    path: networkx.Graph[Any] = networkx.path_graph(3)
    nodes = {i: x(i) for i in range(3)}
    lines = {(0, 1): x(0), (1, 2): x(1)}
    wrong: list[tuple[Any, str]] = [
        (lambda: formula.connected(path, {0: 1, 1: 2}), "the node 2 has no literal"),
        (lambda: formula.connected(path, nodes | {3: 3}), "have the same variable 3"),
        (lambda: formula.connected(path, {0: 1, 1: 2, 2: -1}), "have the same variable 1"),
        (lambda: formula.connected(path, nodes | {3: 4}), "no node 3"),
        (lambda: formula.connected(path, {0: 1, 1: 2, 2: 9}), "9 is not a literal"),
        (lambda: formula.connected(path, nodes, root=7), "no node 7, which is the root"),
        (lambda: formula.connected(networkx.DiGraph(path), nodes), "undirected"),
        (lambda: formula.connected([(0, 1)], nodes), "a graph of networkx"),  # type: ignore[arg-type]
        (lambda: formula.connected(path, [1, 2, 3]), "a dict with a literal"),  # type: ignore[arg-type]
        (lambda: formula.single_loop(path, {(0, 1): 1}), "the edge (1, 2) has no literal"),
        (lambda: formula.single_loop(path, lines | {(1, 0): 3}), "no edge (1, 0)"),
        (lambda: formula.single_loop(path, lines | {(0, 2): 3}), "no edge (0, 2)"),
        (lambda: formula.single_loop(networkx.Graph([(0, 0)]), {(0, 0): 1}), "with itself"),
    ]
    for call, words in wrong:
        with pytest.raises((TypeError, ValueError)) as error:
            call()
        assert words in str(error.value)
    assert not list(formula.constraints())


def test_lines_are_named_in_either_direction() -> None:
    triangle: networkx.Graph[Any] = networkx.Graph([(0, 1), (1, 2), (2, 0)])
    same = [
        make_single_loop(triangle, {(0, 1): 1, (1, 2): 2, (0, 2): 3}),
        make_single_loop(triangle, {(1, 0): 1, (2, 1): 2, (2, 0): 3}),
        make_single_loop(
            triangle, {frozenset(pair): i for i, pair in enumerate(triangle.edges, 1)}
        ),
    ]
    assert len({frozenset(each.list_stars()) for each in same[:2]}) == 1
    assert {each.is_met({1, 2, 3}) for each in same} == {True}


def test_clauses_do_not_grow_fast() -> None:
    sizes = []
    for side in (5, 10, 20):
        lowered = Lowered(connected_cells(side))
        sizes.append(sum(lowered.sizes().values()))
    assert sizes[1] < 12 * sizes[0]
    assert sizes[2] < 12 * sizes[1]


def test_constraints_differ_if_the_root_does() -> None:
    path: networkx.Graph[Any] = networkx.path_graph(3)
    digests = set()
    for root in (None, 0, 1):
        formula = Formula()
        x = formula.variables("x", {"i": range(3)})
        formula.connected(path, {i: x(i) for i in range(3)}, root)
        digests.add(FormulaSubject(formula).digest())
    for pairs in combinations(path.edges, 1):
        formula = Formula()
        x = formula.variables("x", {"i": range(3)})
        part = networkx.Graph(list(pairs))
        part.add_nodes_from(path)
        formula.connected(part, {i: x(i) for i in range(3)})
        digests.add(FormulaSubject(formula).digest())
    assert len(digests) == 5
