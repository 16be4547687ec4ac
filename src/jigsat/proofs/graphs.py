"""Constraints on graphs in a certificate: clauses that follow from them, each of which can be
checked against the graph.

`formula.cnf` has of such a constraint only what it requires of single nodes. `cuts` in
`solutions.json` are the other clauses that the proof needs, `graphs` the constraints. A clause
follows from a constraint if two nodes or lines that it has negated, or one of them and the root,
fall apart when the nodes or lines that it has unnegated are removed from the graph: then they
cannot be chosen together unless one of the removed ones is. It also follows if the lines that it
has negated contain a closed path that is not allowed. For regions, a node of the graph is one
number at one place: a clause follows if more connected nodes are negated than the number says, or
if without the nodes that it has unnegated a negated one is connected to too few.

The check here shares no code with the search for cuts.
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Sequence
from contextlib import closing
from itertools import combinations
from typing import TYPE_CHECKING, Any

from jigsat.backends import DEFAULT, Cutting, open_backend
from jigsat.errors import CheckError, Stopped
from jigsat.formula import (
    Acyclic,
    Connected,
    Constraints,
    Cut,
    Formula,
    GraphConstraint,
    Regions,
    SingleLoop,
    list_local_constraints,
)

if TYPE_CHECKING:
    import networkx

MAX_CONFLICTS = 100_000  # of a search for the cuts that are needed


def leave_graphs_out(formula: Formula) -> Formula:
    """The formula with only what constraints on graphs require of single nodes."""
    plain = formula.extended()
    for group in formula.groups.values():
        if not group.constraints.graphs:
            continue
        local = Constraints()
        for constraint in group.constraints:
            if isinstance(constraint, GraphConstraint):
                for required in list_local_constraints(constraint):
                    local.append(required)
            else:
                local.append(constraint)
        plain.groups[group.name] = type(group)(group.name)
        plain.groups[group.name].constraints = local
    return plain


def find_refuting_cuts(formula: Formula) -> list[Cut]:
    """Cuts with which a formula without a model has none without its graphs either. Raises
    CheckError if it has a model."""
    with closing(Cutting(open_backend(DEFAULT))) as solver:
        solver.load(formula)
        if solver.solve():
            raise CheckError(f"{DEFAULT} finds one more solution after the last. This is a bug")
        cuts = list(dict.fromkeys(solver.cuts))
    return _keep_needed(leave_graphs_out(formula), cuts)


def _keep_needed(plain: Formula, cuts: Sequence[Cut]) -> list[Cut]:
    """Those of some cuts that another refutation of a formula uses; all of them if it takes long.
    A search finds many cuts at once, of which most are not needed."""
    with closing(open_backend(DEFAULT)) as solver:
        top = solver.load(plain).top
        switches = range(top + 1, top + 1 + len(cuts))
        solver.add_clauses([(*cut, -x) for cut, x in zip(cuts, switches, strict=True)])
        solver.limit(MAX_CONFLICTS)
        try:
            solver.solve(list(switches))
        except Stopped:
            return list(cuts)
        needed = set(solver.core())
    return [cut for cut, x in zip(cuts, switches, strict=True) if x in needed]


def describe_graphs(formula: Formula) -> list[dict[str, Any]]:
    """The constraints on graphs as data for JSON."""
    return [{"kind": graph.kind, **graph._asdict()} for graph in formula.list_graphs()]


def check_cuts(formula: Formula, listed: Any) -> list[Cut]:
    """The cuts of a file, each of which follows from one of the constraints on graphs. Raises
    CheckError for any other."""
    graphs = [_Graph(constraint) for constraint in formula.list_graphs()]
    if not isinstance(listed, list):
        raise CheckError("solutions.json: cuts are missing")
    cuts = []
    for number, clause in enumerate(listed, 1):
        literals = isinstance(clause, list) and all(type(x) is int for x in clause)
        if not literals or not any(graph.implies(clause) for graph in graphs):
            raise CheckError(
                f"solutions.json: cut {number} does not follow from what is connected in the puzzle"
            )
        cuts.append(tuple(clause))
    return cuts


class _Graph:
    """A constraint as a graph from which the parts with literals can be removed: nodes, or lines,
    of which each is a node here that is joined to its two ends, or numbers at nodes."""

    def __init__(self, constraint: GraphConstraint) -> None:
        import networkx  # most formulas have no graphs

        self._kind = constraint.kind
        self._graph: networkx.Graph[Hashable] = networkx.Graph()
        self._part_of: dict[int, Hashable] = {}
        self._root: Hashable = None
        self._sizes: dict[Hashable, int] = {}
        match constraint:
            case Connected(literals, edges, root):
                self._graph.add_nodes_from(range(len(literals)))
                self._graph.add_edges_from(edges)
                self._part_of = {x: node for node, x in enumerate(literals)}
                self._root = root
            case SingleLoop(literals, ends) | Acyclic(literals, ends):
                for x, pair in zip(literals, ends, strict=True):
                    line = ("line", x)
                    self._part_of[x] = line
                    self._graph.add_edges_from((line, node) for node in pair)
            case Regions(literals, nodes, sizes, edges):
                for x, place in zip(literals, zip(nodes, sizes, strict=True), strict=True):
                    self._part_of[x] = place
                    self._sizes[place] = place[1]
                    self._graph.add_node(place)
                for one, other in edges:
                    for size in set(sizes):
                        if (one, size) in self._sizes and (other, size) in self._sizes:
                            self._graph.add_edge((one, size), (other, size))

    def implies(self, clause: Collection[int]) -> bool:
        """Whether a clause follows from the constraint."""
        import networkx

        chosen = [self._part_of[-x] for x in clause if -x in self._part_of]
        removed = {self._part_of[x] for x in clause if x in self._part_of}
        if len(chosen) + len(removed) < len(clause):
            return False
        if self._kind == "acyclic":
            return self._contain_cycle(chosen)
        if self._kind == "regions":
            return self._are_too_many(chosen) or self._are_too_few(chosen, removed)
        left = networkx.restricted_view(self._graph, removed, [])
        if self._root is not None:
            chosen.append(self._root)
        return any(_fall_apart(left, pair) for pair in combinations(chosen, 2))

    def _contain_cycle(self, lines: Collection[Hashable]) -> bool:
        """Whether lines contain a closed path."""
        import networkx

        ends = {node for line in lines for node in self._graph[line]}
        subgraph = self._graph.subgraph({*lines, *ends})
        return subgraph.number_of_nodes() > 0 and not networkx.is_forest(subgraph)

    def _are_too_many(self, numbers: Collection[Hashable]) -> bool:
        """Whether more numbers are connected than they say."""
        import networkx

        parts = networkx.connected_components(self._graph.subgraph(numbers))
        return any(len(part) > self._sizes[next(iter(part))] for part in parts)

    def _are_too_few(self, numbers: Collection[Hashable], removed: Collection[Hashable]) -> bool:
        """Whether one of some numbers is connected to fewer than it says without removed ones."""
        for number in numbers:
            area = {number}.difference(removed)
            waiting = list(area)
            while waiting and len(area) < self._sizes[number]:
                beside = set(self._graph[waiting.pop()]).difference(removed, area)
                area |= beside
                waiting += beside
            if 0 < len(area) < self._sizes[number]:
                return True
        return False


def _fall_apart(graph: networkx.Graph[Hashable], pair: Sequence[Hashable]) -> bool:
    import networkx

    one, other = pair
    return one in graph and other in graph and not networkx.has_path(graph, one, other)
