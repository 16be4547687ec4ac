"""Truth tables: random constraints as plain data, evaluated by counting true literals; shares no
code with jigsat.formula."""

from __future__ import annotations

import random
from collections.abc import Sequence
from functools import cache
from itertools import combinations, product
from typing import Any

import networkx
from hypothesis import strategies as st

from jigsat import Formula

Spec = tuple[str, tuple[Any, ...], Sequence[int]]
"""The name of a method of Formula, its bounds, and the literals."""


def holds(spec: Spec, truth: Sequence[bool]) -> bool:
    """Whether a constraint holds if variable i has the value `truth[i - 1]`."""
    name, bounds, literals = spec
    if name == "linear":
        weights, low, high = bounds
        weight = sum(weights[i] for i, x in enumerate(literals) if truth[abs(x) - 1] == (x > 0))
        return (low is None or low <= weight) and (high is None or weight <= high)
    chosen = [i for i, x in enumerate(literals) if truth[abs(x) - 1] == (x > 0)]
    if name == "connected":
        edges, root = bounds
        graph = networkx.Graph(edges)
        graph.add_nodes_from(range(len(literals)))
        if root is not None and root not in chosen:
            return False
        return not chosen or networkx.is_connected(graph.subgraph(chosen))
    if name == "single_loop":
        (ends,) = bounds
        drawn = networkx.MultiGraph([ends[i] for i in chosen])
        return (
            bool(chosen)
            and networkx.is_connected(drawn)
            and all(degree == 2 for _, degree in drawn.degree)
        )
    if name == "acyclic":
        (ends,) = bounds
        drawn = networkx.MultiGraph([ends[i] for i in chosen])
        return not chosen or networkx.is_forest(drawn)
    if name == "regions":
        return are_regions(*bounds, chosen)
    true = sum(truth[abs(literal) - 1] == (literal > 0) for literal in literals)
    match name, bounds:
        case "clause", ():
            return true > 0
        case "at_most", (k,):
            return true <= k
        case "at_least", (k,):
            return true >= k
        case "exactly", (k,):
            return true == k
        case "between", (low, high):
            return low <= true <= high
        case "xor", (odd,):
            return true % 2 == odd
    raise AssertionError(spec)


def are_regions(places: Sequence[Any], pairs: Sequence[Any], chosen: Sequence[int]) -> bool:
    """Whether the chosen places are one number for each node, with as many connected nodes."""
    number = {places[i][0]: places[i][1] for i in chosen}
    if len(number) < len(chosen) or len(number) < len({node for node, _ in places}):
        return False
    equal = networkx.Graph([(a, b) for a, b in pairs if number[a] == number[b]])
    equal.add_nodes_from(number)
    return all(
        {number[node] for node in part} == {len(part)}
        for part in networkx.connected_components(equal)
    )


def table(specs: Sequence[Spec], variables: int, decisions: int) -> set[frozenset[int]]:
    """The models, projected to the decision variables, which are the first ones."""
    return {
        frozenset(i for i in range(1, decisions + 1) if truth[i - 1])
        for truth in product((False, True), repeat=variables)
        if all(holds(spec, truth) for spec in specs)
    }


def formula(specs: Sequence[Spec], variables: int, decisions: int) -> Formula:
    """The same as a formula; the other variables are auxiliary."""
    made = Formula()
    made.variables("x", ("i",), [(i,) for i in range(decisions)])
    made.variables("helper", ("i",), [(i,) for i in range(decisions, variables)], decision=False)
    for i, (name, bounds, literals) in enumerate(specs):
        with made.rule(f"rule {i % 3}"):
            if name == "xor":
                made.xor(literals, odd=bounds[0])
            elif name == "linear":
                weights, low, high = bounds
                made.linear(zip(literals, weights, strict=True), at_least=low, at_most=high)
            elif name == "connected":
                edges, root = bounds
                graph = networkx.Graph(edges)
                graph.add_nodes_from(range(len(literals)))
                made.connected(graph, dict(enumerate(literals)), root)
            elif name == "regions":
                places, pairs = bounds
                graph = networkx.Graph(pairs)
                numbers: dict[Any, dict[int, int]] = {}
                for (node, number), x in zip(places, literals, strict=True):
                    graph.add_node(node)
                    numbers.setdefault(node, {})[number] = x
                made.regions(graph, numbers)
            elif name in ("single_loop", "acyclic"):
                (ends,) = bounds
                lines = {
                    (*pair, i): x for i, (pair, x) in enumerate(zip(ends, literals, strict=True))
                }
                getattr(made, name)(networkx.MultiGraph(list(lines)), lines)
            else:
                getattr(made, name)(*bounds, literals)
    return made


def constraint(rng: random.Random, variables: int) -> Spec:
    """A random constraint: short or empty, with negative literals, both literals of a variable, or
    trivial bounds."""
    name = rng.choice(
        [
            "clause",
            "clause",
            "at_most",
            "at_least",
            "exactly",
            "between",
            "xor",
            "xor",
            "linear",
            "linear",
            "connected",
            "single_loop",
            "acyclic",
            "regions",
        ]
    )
    every = [literal for variable in range(1, variables + 1) for literal in (variable, -variable)]
    length = rng.choice([0, 1, 2, 3, 4, 5, variables, variables])
    if name in ("clause", "xor"):
        literals = rng.choices(every, k=length or rng.choice([0, 2, 3]))
        return name, ((rng.random() < 0.5,) if name == "xor" else ()), literals
    if name == "linear":
        return linear(rng, rng.choices(every, k=rng.choice([0, 1, 2, 4, 6, variables])))
    if name in ON_GRAPHS:
        return on_graph(rng, name, variables)
    if rng.random() < 0.8:  # otherwise both literals of a variable may occur
        every = [rng.choice((variable, -variable)) for variable in range(1, variables + 1)]
    literals = rng.sample(every, min(length, len(every)))
    bound = rng.choice(
        [-1, 0, 1, 1, 1, len(literals), len(literals) + 1, rng.randint(0, len(literals))]
    )
    return name, ((bound, bound + rng.randint(-1, 2)) if name == "between" else (bound,)), literals


def linear(rng: random.Random, literals: Sequence[int]) -> Spec:
    """A weighted sum with repeated literals, small or huge weights, and bounds that are sometimes
    reached."""
    size = rng.choice([1, 3, 3, 10, 2**31, 10**12])
    weights = [rng.randint(-size, size) for _ in literals]
    some, more = (
        sum(weight for weight in weights if rng.random() < 0.5) + rng.randint(-1, 1)
        for _ in range(2)
    )
    low, high = rng.choice(
        [(some, None), (None, some), (some, some), (min(some, more), max(some, more)), (some, more)]
    )
    return "linear", (weights, low, high), literals


ON_GRAPHS = ["connected", "single_loop", "acyclic", "regions"]
"""The constraints on graphs."""


def on_graph(rng: random.Random, name: str, variables: int) -> Spec:
    """A random graph with literals on its nodes or on its edges, of which two may join the same
    nodes."""
    of = rng.sample(range(1, variables + 1), rng.randint(min(3, variables), variables))
    literals = [rng.choice((x, x, -x)) for x in of]
    if name == "connected":
        pairs = [pair for pair in combinations(range(len(of)), 2) if rng.random() < 0.5]
        return name, (pairs, rng.choice([None, None, rng.randrange(len(of))])), literals
    if name == "regions":
        length = rng.randint(1, 3)
        places = [(i // length, 1 + i % length) for i in range(len(of))]
        last = places[-1][0]
        pairs = [pair for pair in combinations(range(last + 1), 2) if rng.random() < 0.7]
        return name, (places, pairs), literals
    nodes = range(rng.randint(2, 5))
    return name, ([tuple(rng.sample(nodes, 2)) for _ in of],), literals


def instance(rng: random.Random) -> tuple[list[Spec], int, int]:
    """A random formula with the numbers of its variables and decisions; usually satisfiable."""
    variables = rng.choice([1, 2, 3, 4, 5, 6, 7, 8, 8, 8])
    decisions = rng.randint(1, variables) if rng.random() < 0.4 else variables
    specs: list[Spec] = []
    for _ in range(rng.randint(0, 4)):
        more = constraint(rng, variables)
        if table([*specs, more], variables, decisions) or rng.random() < 0.1:
            specs.append(more)
    return specs, variables, decisions


def instances() -> st.SearchStrategy[tuple[list[Spec], int, int]]:
    """Random formulas for hypothesis."""
    return st.integers(0, 2**32).map(lambda seed: instance(random.Random(seed)))


@cache
def fixed(count: int) -> tuple[tuple[list[Spec], int, int], ...]:
    """The same random formulas every time."""
    rng = random.Random(count)
    return tuple(instance(rng) for _ in range(count))
