"""Cuts: clauses that follow from a constraint on a graph, and that an assignment breaks.

If the chosen nodes fall into several parts, a part is joined to a node elsewhere only through one
of the nodes beside it. So 'not this node of the part, or not that node elsewhere, or one of those
between them' holds in every solution. For a loop the same holds with lines. Of a closed path, not
all lines are drawn. A region that is too small has one more of the nodes beside it, or not this
number; of a region that is too large, some connected nodes do not all have the number. A search
that adds the cuts of each model that breaks the constraint needs few of them.

Source: R. Carvajal, M. Constantino, M. Goycoolea, J. P. Vielma and A. Weintraub, Imposing
connectivity constraints in forest planning models, Operations Research 61, 2013.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import TypeAlias

from jigsat.formula.constraints import Cardinality, Clause, Constraint
from jigsat.formula.graphs import Acyclic, Connected, GraphConstraint, Regions, SingleLoop
from jigsat.formula.reach import (
    find_cycle,
    find_parts,
    grow_part,
    list_graph_neighbours,
    list_neighbours,
    reach,
)

Cut: TypeAlias = tuple[int, ...]  # the literals of a clause


def find_cuts(constraint: GraphConstraint, true: Collection[int]) -> list[Cut]:
    """Cuts that an assignment breaks, if exactly these variables are true: one for each part but
    one, for each region of the wrong size, or for a closed path.

    What the constraint requires of single nodes must hold, as `list_local_constraints` has it. Then
    there are cuts unless the constraint holds.

    >>> find_cuts(Connected((1, 2, 3), ((0, 1), (1, 2))), {1, 3})
    [(-3, -1, 2)]
    """
    match constraint:
        case Connected():
            return _cut_nodes(constraint, true)
        case SingleLoop():
            return _cut_lines(constraint, true)
        case Acyclic():
            return _cut_cycles(constraint, true)
        case Regions():
            return _cut_regions(constraint, true)


def list_local_constraints(constraint: GraphConstraint) -> list[Constraint]:
    """What a constraint on a graph requires of single nodes: that the root is chosen; that a loop
    has a line, and that two of its lines or none meet at a node; that a node has one number."""
    match constraint:
        case Connected(literals, _, root):
            return [] if root is None else [Clause((literals[root],))]
        case SingleLoop(literals):
            local: list[Constraint] = [Clause(literals)]
            for star in constraint.list_stars():
                local.append(Cardinality(star, 0, 2))
                local += [Clause((-line, *(x for x in star if x != line))) for line in star]
            return local
        case Acyclic():
            return []
        case Regions():
            return [*_limit_numbers(constraint)]


def _limit_numbers(regions: Regions) -> Iterator[Constraint]:
    """Each node has one number, which a node beside it has as well unless it is 1. This follows
    from cuts, but a search needs fewer of them."""
    for choice in regions.list_choices():
        yield Cardinality(choice, 1, 1)
    literals = regions.literals
    for i, beside in enumerate(regions.list_neighbours()):
        equal = [literals[other] for other in beside]
        if regions.sizes[i] > 1:
            yield Clause((-literals[i], *equal))
        else:
            later = [other for other in beside if other > i]
            for other in later:
                yield Clause((-literals[i], -literals[other]))


def _cut_nodes(constraint: Connected, true: Collection[int]) -> list[Cut]:
    literals, root = constraint.literals, constraint.root
    chosen = _find_true(literals, true)
    if len(chosen) < 2:
        return []
    neighbours = list_graph_neighbours(len(literals), constraint.edges)
    parts = find_parts(neighbours, chosen)
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
    parts = find_parts(list_neighbours(number, [ends[line] for line in drawn]), used)
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


def _cut_cycles(constraint: Acyclic, true: Collection[int]) -> list[Cut]:
    """Cuts for closed paths that have no line in common."""
    drawn = _find_true(constraint.literals, true)
    cuts: list[Cut] = []
    while True:
        cycle = find_cycle(constraint.ends, sorted(drawn))
        if cycle is None:
            return cuts
        cuts.append(tuple(-constraint.literals[line] for line in cycle))
        drawn.difference_update(cycle)


def _cut_regions(constraint: Regions, true: Collection[int]) -> list[Cut]:
    literals = constraint.literals
    chosen = _find_true(literals, true)
    neighbours = constraint.list_neighbours()
    cuts: list[Cut] = []
    for part in find_parts(neighbours, chosen):
        size = constraint.sizes[min(part)]
        if len(part) > size:
            nodes = grow_part(min(part), neighbours, part, size + 1)
            cuts.append(tuple(-literals[node] for node in sorted(nodes)))
        elif len(part) < size:
            beside = {other for node in part for other in neighbours[node]} - part
            cuts.append((-literals[min(part)], *(literals[node] for node in sorted(beside))))
    return cuts


def _find_true(literals: Sequence[int], true: Collection[int]) -> set[int]:
    """The indices of the literals that are true."""
    return {i for i, x in enumerate(literals) if (abs(x) in true) == (x > 0)}


def _choose_main(parts: Sequence[set[int]]) -> set[int]:
    """The largest part; of several, the first."""
    return max(parts, key=len)


def _part_with(node: int, parts: Sequence[set[int]]) -> set[int]:
    return next(part for part in parts if node in part)
