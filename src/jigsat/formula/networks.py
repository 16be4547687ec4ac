"""Constraints on graphs from graphs of networkx and literals for their nodes or edges."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import TYPE_CHECKING, Any

from jigsat.formula.graphs import Acyclic, Connected, Regions, SingleLoop
from jigsat.formula.linear import literal_of
from jigsat.formula.reach import Pair
from jigsat.formula.variables import Choice

if TYPE_CHECKING:
    import networkx


def make_connected(
    graph: networkx.Graph[Any], chosen: Mapping[Any, int], root: Hashable | None
) -> Connected:
    """The constraint on the nodes of a graph. The nodes are numbered in the order of their
    variables, so that the constraint does not depend on the order in the graph."""
    _require_undirected(graph, "connected")
    nodes = _sort_by_variable(chosen, "connected")
    number = {node: i for i, node in enumerate(nodes)}
    for node in graph:
        if node not in number:
            raise ValueError(f"connected: the node {node!r} has no literal")
    for node in nodes:
        if node not in graph:
            raise ValueError(f"connected: the graph has no node {node!r}")
    if root is not None and root not in number:
        raise ValueError(f"connected: the graph has no node {root!r}, which is the root")
    literals = tuple(literal_of(chosen[node]) for node in nodes)
    edges = _number_edges(graph, number)
    return Connected(literals, edges, None if root is None else number[root])


def make_single_loop(graph: networkx.Graph[Any], lines: Mapping[Any, int]) -> SingleLoop:
    """The constraint on the edges of a graph; the nodes are numbered as the lines meet them, which
    are in the order of their variables."""
    return SingleLoop(*_number_lines(graph, lines, "single_loop"))


def make_acyclic(graph: networkx.Graph[Any], lines: Mapping[Any, int]) -> Acyclic:
    """The constraint on the edges of a graph, which are numbered as for a single loop."""
    return Acyclic(*_number_lines(graph, lines, "acyclic"))


def _number_lines(
    graph: networkx.Graph[Any], lines: Mapping[Any, int], constraint: str
) -> tuple[tuple[int, ...], tuple[Pair, ...]]:
    """The literals of lines, and the numbers of their ends."""
    _require_undirected(graph, constraint)
    remaining = dict(lines)
    ends: dict[Hashable, tuple[Hashable, Hashable]] = {}
    edges: Iterable[tuple[Any, ...]] = graph.edges
    for edge in edges:
        one, other, *key = edge
        if one == other:
            raise ValueError(f"{constraint}: the edge {edge!r} joins a node with itself")
        names = ((one, other, *key), (other, one, *key), frozenset((one, other)))
        name = next((name for name in names if name in remaining), None)
        if name is None:
            raise ValueError(f"{constraint}: the edge {edge!r} has no literal")
        del remaining[name]
        ends[name] = (one, other)
    for name in remaining:
        raise ValueError(f"{constraint}: the graph has no edge {name!r}, or it has two literals")
    order = _sort_by_variable(lines, constraint)
    number: dict[Hashable, int] = {}
    for node in chain.from_iterable(_sort_nodes(ends, order)):
        number.setdefault(node, len(number))
    pairs = tuple(_sort_pair(*(number[node] for node in ends[name])) for name in order)
    return tuple(literal_of(lines[name]) for name in order), pairs


def make_regions(
    graph: networkx.Graph[Any], numbers: Mapping[Any, Choice[int] | Mapping[int, int]]
) -> Regions:
    """The constraint on the numbers of the nodes of a graph. The nodes are numbered in the order of
    their variables."""
    _require_undirected(graph, "regions")
    if not isinstance(numbers, Mapping):
        raise TypeError(f"regions takes a dict with a choice for each node; got {numbers!r}")
    literals: dict[tuple[Hashable, int], int] = {}
    for node, choice in numbers.items():
        if node not in graph:
            raise ValueError(f"regions: the graph has no node {node!r}")
        by_number = choice.literals if isinstance(choice, Choice) else choice
        if not by_number:
            raise ValueError(f"regions: the node {node!r} cannot have any number")
        for number, literal in by_number.items():
            if type(number) is not int or number < 1:
                raise ValueError(f"regions: {number!r} at the node {node!r} is no number from 1")
            literals[node, number] = literal
    for node in graph:
        if node not in numbers:
            raise ValueError(f"regions: the node {node!r} has no number")

    places: list[Any] = _sort_by_variable(literals, "regions")
    index: dict[Hashable, int] = {}
    for node, _ in places:
        index.setdefault(node, len(index))
    return Regions(
        tuple(literal_of(literals[place]) for place in places),
        tuple(index[node] for node, _ in places),
        tuple(number for _, number in places),
        _number_edges(graph, index),
    )


def _number_edges(graph: networkx.Graph[Any], index: Mapping[Hashable, int]) -> tuple[Pair, ...]:
    """The edges between two nodes, by their numbers."""
    pairs = {_sort_pair(index[one], index[other]) for one, other in graph.edges()}
    return tuple(sorted(pair for pair in pairs if pair[0] != pair[1]))


def draw_nodes(constraint: Connected | Regions) -> networkx.Graph[Any]:
    """The graph of a constraint on nodes, which are numbers."""
    import networkx

    graph: networkx.Graph[Any] = networkx.Graph(constraint.edges)
    if isinstance(constraint, Connected):
        graph.add_nodes_from(range(len(constraint.literals)))
    else:
        graph.add_nodes_from(constraint.nodes)
    return graph


def draw_lines(
    constraint: SingleLoop | Acyclic,
) -> tuple[networkx.MultiGraph[Any], dict[Any, int]]:
    """The graph of a constraint on lines, and the literals of its edges."""
    import networkx

    several: networkx.MultiGraph[Any] = networkx.MultiGraph()
    lines: dict[Any, int] = {}
    for i, (literal, pair) in enumerate(zip(constraint.literals, constraint.ends, strict=True)):
        several.add_edge(*pair, key=i)
        lines[(*pair, i)] = literal
    return several, lines


def _sort_nodes(
    ends: Mapping[Hashable, tuple[Hashable, Hashable]], order: Sequence[Hashable]
) -> Iterator[tuple[Hashable, Hashable]]:
    """The two ends of each line, in an order that depends only on the order of the lines."""
    lines_at: dict[Hashable, list[int]] = {}
    for i, name in enumerate(order):
        for node in ends[name]:
            lines_at.setdefault(node, []).append(i)
    for name in order:
        one, other = ends[name]
        yield (one, other) if lines_at[one] <= lines_at[other] else (other, one)


def _require_undirected(graph: networkx.Graph[Any], name: str) -> None:
    if not hasattr(graph, "is_directed") or not hasattr(graph, "edges"):
        raise TypeError(f"{name} takes a graph of networkx; got {graph!r}")
    if graph.is_directed():
        raise TypeError(f"{name} takes an undirected graph; this one has directions")


def _sort_by_variable(literals: Mapping[Any, int], name: str) -> list[Hashable]:
    """The keys in the order of their variables. Raises ValueError if two have the same."""
    if not isinstance(literals, Mapping):
        raise TypeError(f"{name} takes a dict with a literal for each part; got {literals!r}")
    by_variable: dict[int, Hashable] = {}
    for key, literal in literals.items():
        variable = abs(literal_of(literal))
        if variable in by_variable:
            raise ValueError(
                f"{name}: {by_variable[variable]!r} and {key!r} have the same variable {variable}; "
                f"for one of them, make an auxiliary variable that is equal to it"
            )
        by_variable[variable] = key
    return [by_variable[variable] for variable in sorted(by_variable)]


def _sort_pair(one: int, other: int) -> Pair:
    return (one, other) if one < other else (other, one)
