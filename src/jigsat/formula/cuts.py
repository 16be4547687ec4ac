"""Cuts: clauses that follow from a constraint on a graph, and that an assignment breaks.

If the chosen nodes fall into several parts, a part is joined to a node elsewhere only through one
of the nodes beside it. So 'not this node of the part, or not that node elsewhere, or one of those
between them' holds in every solution. For a loop the same holds with lines. A search that adds the
cuts of each model that breaks the constraint needs few of them.

Source: R. Carvajal, M. Constantino, M. Goycoolea, J. P. Vielma and A. Weintraub, Imposing
connectivity constraints in forest planning models, Operations Research 61, 2013.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import TypeAlias

from jigsat.formula.constraints import Cardinality, Clause, Constraint
from jigsat.formula.graphs import (
    Connected,
    GraphConstraint,
    SingleLoop,
    list_graph_neighbours,
    list_neighbours,
    reach,
)

Cut: TypeAlias = tuple[int, ...]  # the literals of a clause


def find_cuts(constraint: GraphConstraint, true: Collection[int]) -> list[Cut]:
    """A cut for each part but one, if exactly these variables are true.

    The root of a constraint and the number of lines at each node of a loop must be as required.
    Then there are cuts unless the constraint holds.

    >>> find_cuts(Connected((1, 2, 3), ((0, 1), (1, 2))), {1, 3})
    [(-3, -1, 2)]
    """
    if isinstance(constraint, Connected):
        return _cut_nodes(constraint, true)
    return _cut_lines(constraint, true)


def list_local_constraints(constraint: GraphConstraint) -> list[Constraint]:
    """What a constraint on a graph requires of single nodes: that the root is chosen; that a loop
    has a line, and that two of its lines or none meet at a node."""
    if isinstance(constraint, Connected):
        root = constraint.root
        return [] if root is None else [Clause((constraint.literals[root],))]
    local: list[Constraint] = [Clause(constraint.literals)]
    for star in constraint.list_stars():
        local.append(Cardinality(star, 0, 2))
        local += [Clause((-line, *(x for x in star if x != line))) for line in star]
    return local


def _cut_nodes(constraint: Connected, true: Collection[int]) -> list[Cut]:
    literals, root = constraint.literals, constraint.root
    chosen = _find_true(literals, true)
    if len(chosen) < 2:
        return []
    neighbours = list_graph_neighbours(len(literals), constraint.edges)
    parts = _find_parts(neighbours, chosen)
    if len(parts) < 2:
        return []
    main = _choose_main(parts) if root is None else _part_with(root, parts)
    target = min(main) if root is None else root

    cuts = []
    for part in parts:
        if part is main:
            continue
        beside = {other for node in part for other in neighbours[node]} - part
        others = set(range(len(literals))) - part - beside
        beyond = reach(target, neighbours, others)
        between = sorted(node for node in beside if not beyond.isdisjoint(neighbours[node]))
        ends = [min(part)] if target == root else [min(part), target]
        cuts.append((*(-literals[node] for node in ends), *(literals[node] for node in between)))
    return cuts


def _cut_lines(constraint: SingleLoop, true: Collection[int]) -> list[Cut]:
    literals, ends = constraint.literals, constraint.ends
    drawn = sorted(_find_true(literals, true))
    number = max((max(pair) for pair in ends), default=-1) + 1
    neighbours = list_graph_neighbours(number, ends)
    used = {node for line in drawn for node in ends[line]}
    parts = _find_parts(list_neighbours(number, [ends[line] for line in drawn]), used)
    if len(parts) < 2:
        return []
    main = _choose_main(parts)
    target = next(line for line in drawn if ends[line][0] in main)

    cuts = []
    for part in parts:
        if part is main:
            continue
        own = next(line for line in drawn if ends[line][0] in part)
        beyond = reach(ends[target][0], neighbours, set(range(number)) - part)
        leaving = [
            literals[line]
            for line, (one, other) in enumerate(ends)
            if (one in part and other in beyond) or (other in part and one in beyond)
        ]
        cuts.append((-literals[own], -literals[target], *leaving))
    return cuts


def _find_true(literals: Sequence[int], true: Collection[int]) -> set[int]:
    """The indices of the literals that are true."""
    return {i for i, x in enumerate(literals) if (abs(x) in true) == (x > 0)}


def _find_parts(neighbours: Sequence[Sequence[int]], nodes: set[int]) -> list[set[int]]:
    """The connected parts of a set of nodes."""
    parts = []
    remaining = set(nodes)
    while remaining:
        part = reach(min(remaining), neighbours, nodes)
        remaining -= part
        parts.append(part)
    return parts


def _choose_main(parts: Sequence[set[int]]) -> set[int]:
    """The largest part; of several, the first."""
    return max(parts, key=len)


def _part_with(node: int, parts: Sequence[set[int]]) -> set[int]:
    return next(part for part in parts if node in part)
