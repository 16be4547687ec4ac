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

from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import lru_cache
from typing import TypeAlias

from jigsat.formula.constraints import Cardinality, Clause, Constraint
from jigsat.formula.graphs import Acyclic, Connected, GraphConstraint, Regions, SingleLoop
from jigsat.formula.reach import (
    find_cycle,
    find_parts,
    list_graph_neighbours,
    list_neighbours,
    reach,
)

Cut: TypeAlias = tuple[int, ...]  # the literals of a clause


def find_cuts(
    constraint: GraphConstraint, true: Collection[int], known: Collection[int] = ()
) -> list[Cut]:
    """Cuts that an assignment breaks, if exactly these variables are true: one for each part but
    one, for each region of the wrong size, or for a closed path. With literals that are `known`,
    those for regions have few others.

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
            return _cut_regions(constraint, true, known)


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
    lines = sorted(_find_true(literals, true))
    number = max((max(pair) for pair in ends), default=-1) + 1
    neighbours = list_graph_neighbours(number, ends)
    used = {node for line in lines for node in ends[line]}
    parts = find_parts(list_neighbours(number, [ends[line] for line in lines]), used)
    if len(parts) < 2:
        return []
    main = _choose_main(parts)
    target = _find_line_of(main, lines, ends)

    # A line of another part and one of the main part need a line that leaves the other part.
    cuts = []
    for part in parts:
        if part is main:
            continue
        own = _find_line_of(part, lines, ends)
        beyond = reach(ends[target][0], neighbours, set(range(number)) - part)
        leaving = []
        for line, (one, other) in enumerate(ends):
            if (one in part and other in beyond) or (other in part and one in beyond):
                leaving.append(literals[line])
        cuts.append((-literals[own], -literals[target], *leaving))
    return cuts


def _find_line_of(
    part: Collection[int], lines: Iterable[int], ends: Sequence[tuple[int, int]]
) -> int:
    """The first of the lines whose ends are in a part."""
    return next(line for line in lines if ends[line][0] in part)


def _cut_cycles(constraint: Acyclic, true: Collection[int]) -> list[Cut]:
    """Cuts for closed paths that have no line in common."""
    lines = _find_true(constraint.literals, true)
    cuts: list[Cut] = []
    while True:
        cycle = find_cycle(constraint.ends, sorted(lines))
        if cycle is None:
            return cuts
        cuts.append(tuple(-constraint.literals[line] for line in cycle))
        lines.difference_update(cycle)


def _cut_regions(constraint: Regions, true: Collection[int], known: Collection[int]) -> list[Cut]:
    literals = constraint.literals
    neighbours = constraint.list_neighbours()
    chosen = _find_true(literals, true)
    cuts: list[Cut] = []
    for part in find_parts(neighbours, chosen):
        size = constraint.sizes[min(part)]
        given = sorted(i for i in part if literals[i] in known)
        if len(part) > size:
            for start in given or sorted(part):
                nodes = _grow_given(start, neighbours, part, size + 1, given)
                cuts.append(tuple(-literals[node] for node in sorted(nodes)))
        elif len(part) < size:
            cuts += _cut_small_area(literals, neighbours, part, given[:1] or part)
            # a search would try the same nodes with one number after the other
            for area in [] if given else _list_other_numbers(constraint, part):
                open_nodes = [i for i in area if -literals[i] not in known]
                cuts += _cut_small_area(literals, neighbours, area, open_nodes)
    return list(dict.fromkeys(cuts))


def find_first_cuts(regions: Regions, known: Collection[int]) -> list[Cut]:
    """Cuts that exclude numbers where known literals leave too few nodes for them.

    >>> find_first_cuts(Regions((1, 2, 3, 4), (0, 0, 1, 1), (1, 2, 1, 2), ((0, 1),)), {-4})
    [(-2, 4)]
    """
    literals = regions.literals
    neighbours = regions.list_neighbours()
    possible = {i for i, x in enumerate(literals) if -x not in known}
    cuts: list[Cut] = []
    for area in find_parts(neighbours, possible):
        if len(area) < regions.sizes[min(area)]:
            cuts += _cut_small_area(literals, neighbours, area, area)
    return cuts


def _cut_small_area(
    literals: Sequence[int],
    neighbours: Sequence[Sequence[int]],
    area: Collection[int],
    nodes: Iterable[int],
) -> list[Cut]:
    """Some nodes do not have the number of an area that is too small, unless a node beside the
    area has it, too."""
    beside = {other for node in area for other in neighbours[node]}.difference(area)
    further = [literals[other] for other in sorted(beside)]
    return [(-literals[node], *further) for node in sorted(nodes)]


def _list_other_numbers(constraint: Regions, part: Collection[int]) -> Iterator[set[int]]:
    """The nodes of a part with each other number for which they are too few."""
    nodes = {constraint.nodes[i] for i in part}
    by_size: dict[int, set[int]] = {}
    for i, (node, size) in enumerate(zip(constraint.nodes, constraint.sizes, strict=True)):
        if node in nodes and size > len(part):
            by_size.setdefault(size, set()).add(i)
    for same in by_size.values():
        if len(same) == len(part) and same != part:
            yield same


def _grow_given(
    start: int,
    neighbours: Sequence[Sequence[int]],
    part: Collection[int],
    most: int,
    given: Collection[int],
) -> set[int]:
    """Connected nodes of a part, of which as many as possible are given."""
    grown = {start}
    waiting = [other for other in neighbours[start] if other in part]
    while len(grown) < most:
        node = next((i for i in waiting if i in given), waiting[0])
        grown.add(node)
        waiting += [other for other in neighbours[node] if other in part]
        waiting = [i for i in waiting if i not in grown]
    return grown


def _find_true(literals: tuple[int, ...], true: Collection[int]) -> set[int]:
    """The indices of the literals that are true. There may be many more that are not."""
    positive, negative = _index_literals(literals)
    chosen = {positive[variable] for variable in true if variable in positive}
    chosen.update(i for variable, i in negative.items() if variable not in true)
    return chosen


@lru_cache(maxsize=256)
def _index_literals(literals: tuple[int, ...]) -> tuple[dict[int, int], dict[int, int]]:
    """The indices of the positive and of the negative literals by their variables, which are
    distinct."""
    positive = {x: i for i, x in enumerate(literals) if x > 0}
    negative = {-x: i for i, x in enumerate(literals) if x < 0}
    return positive, negative


def _choose_main(parts: Sequence[set[int]]) -> set[int]:
    """The largest part; of several, the first."""
    return max(parts, key=len)


def _part_with(node: int, parts: Sequence[set[int]]) -> set[int]:
    return next(part for part in parts if node in part)
