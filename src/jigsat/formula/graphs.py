"""Constraints on graphs: what is chosen is connected, forms one closed loop or no closed path, or
regions are as large as their numbers say.

They know their literals, when they are met, and what follows from the literals that are known.
`jigsat.formula.networks` makes them, `jigsat.formula.elimination` writes them as clauses.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Literal, NamedTuple, Self, TypeAlias

from jigsat.formula.reach import (
    Neighbours,
    Pair,
    find_cycle,
    find_joining_nodes,
    find_parts,
    find_trees,
    grow_part,
    list_graph_neighbours,
    list_neighbours,
    reach,
)

Reason: TypeAlias = Literal[
    "root",
    "joins",
    "cut off",
    "meets",
    "closed",
    "closes early",
    "closes",
    "too many",
    "too few",
]
"""Why a literal follows: the root is chosen; without this node, chosen ones would fall apart; the
node is cut off from chosen ones; two lines or none meet at a node; the loop is closed; the line
would close a loop while there are lines elsewhere; it would close a path; a region would have too
many nodes, or too few."""


class Connected(NamedTuple):
    """The chosen nodes of a graph are connected: a path through chosen nodes leads from each of
    them to each other.

    Node i is chosen if the literal with the index i is true. The literals belong to distinct
    variables. `edges` are pairs of nodes, `root` is a node that is chosen, or None. The empty set
    is connected.

    >>> path = Connected((1, 2, 3), ((0, 1), (1, 2)))
    >>> path.is_met({1, 2}), path.is_met({1, 3}), path.is_met(())
    (True, False, True)
    """

    literals: tuple[int, ...]
    edges: tuple[Pair, ...]
    root: int | None = None

    @property
    def kind(self) -> str:
        return "connected"

    def is_met(self, true: Collection[int]) -> bool:
        """Whether the constraint holds if exactly these variables are true."""
        chosen = {i for i, x in enumerate(self.literals) if (abs(x) in true) == (x > 0)}
        if self.root is not None and self.root not in chosen:
            return False
        if not chosen:
            return True
        neighbours = list_graph_neighbours(len(self.literals), self.edges)
        return reach(next(iter(chosen)), neighbours, chosen) == chosen

    def imply(self, known: Collection[int]) -> set[int] | None:
        """The further literals that follow from known ones; None if these are contradictory.

        A node that is cut off from a chosen one is not chosen. A node without which two chosen
        ones would fall apart is chosen. Nothing else follows.

        >>> star = Connected((1, 2, 3, 4), ((0, 1), (0, 2), (0, 3)))
        >>> star.imply({2, 3}), star.imply({-1, 2}), star.imply({-1, 2, 3})
        ({1}, {-4, -3}, None)
        """
        possible = {i for i, x in enumerate(self.literals) if -x not in known}
        chosen = {i for i in possible if self.literals[i] in known}
        if self.root is not None:
            chosen.add(self.root)
        if not chosen:
            return set()
        if not chosen <= possible:
            return None
        start = min(chosen)
        neighbours = list_graph_neighbours(len(self.literals), self.edges)
        inside = reach(start, neighbours, possible)
        if not chosen <= inside:
            return None
        joining = find_joining_nodes(start, neighbours, inside, chosen)
        positive = {self.literals[i] for i in joining | chosen}
        negative = {-self.literals[i] for i in possible - inside}
        return (positive | negative).difference(known)

    def find_conflict(self, known: Collection[int]) -> set[int] | None:
        """A few known literals that are contradictory; None if there are none."""
        if self.imply(known) is not None:
            return None
        possible = {i for i, x in enumerate(self.literals) if -x not in known}
        chosen = {i for i, x in enumerate(self.literals) if x in known}
        if self.root is not None and self.root not in possible:
            return {-self.literals[self.root]}
        start = min(chosen) if self.root is None else self.root
        neighbours = list_graph_neighbours(len(self.literals), self.edges)
        inside = reach(start, neighbours, possible)
        beside = {other for node in inside for other in neighbours[node]} - inside
        conflict = {-self.literals[i] for i in beside}
        conflict.add(self.literals[min(chosen - inside)])
        if start in chosen:
            conflict.add(self.literals[start])
        return conflict

    def find_reason(self, literal: int, known: Collection[int]) -> Reason | None:
        """Why a literal follows from known ones, which have a solution; None if it does not."""
        if self.root is not None and literal == self.literals[self.root]:
            return "root"
        if literal not in (self.imply(known) or ()):
            return None
        return "joins" if literal in self.literals else "cut off"


class SingleLoop(NamedTuple):
    """The lines that are drawn along edges of a graph form one closed loop, which meets no node
    twice; there is at least one line.

    Line i is drawn if the literal with the index i is true; it joins the nodes `ends[i]`. The
    literals belong to distinct variables.

    >>> triangle = SingleLoop((1, 2, 3, 4), ((0, 1), (1, 2), (2, 0), (2, 3)))
    >>> triangle.is_met({1, 2, 3}), triangle.is_met({1, 2, 3, 4}), triangle.is_met(())
    (True, False, False)
    """

    literals: tuple[int, ...]
    ends: tuple[Pair, ...]

    @property
    def kind(self) -> str:
        return "single-loop"

    def list_stars(self) -> list[tuple[int, ...]]:
        """For each node, the literals of the lines that end there."""
        return _list_stars(self.literals, self.ends)

    def is_met(self, true: Collection[int]) -> bool:
        """Whether the constraint holds if exactly these variables are true."""
        drawn = [
            pair
            for x, pair in zip(self.literals, self.ends, strict=True)
            if (abs(x) in true) == (x > 0)
        ]
        paths = Paths.follow(drawn)
        return paths is not None and paths.closed == 1 and not paths.open_ends()

    def imply(self, known: Collection[int]) -> set[int] | None:
        """Literals that follow from known ones by simple rules, which do not find all; None if the
        known ones are contradictory. If all literals are known, this is exact.

        Two lines meet at each node of the loop, a line does not close a loop while there are lines
        elsewhere, and nothing continues or stands beside a closed loop.
        """
        implied: set[int] = set()
        for star in self.list_stars():
            new = _imply_at_node(star, known)
            if new is None:
                return None
            implied |= new
        new = self._imply_by_paths(known)
        return None if new is None else implied | new

    def find_conflict(self, known: Collection[int]) -> set[int] | None:
        """A few known literals that are contradictory by simple rules; None if there are none."""
        for star in self.list_stars():
            if _imply_at_node(star, known) is None:
                drawn = [x for x in star if x in known]
                if len(drawn) > 2:
                    return set(drawn[:3])
                return {x if x in known else -x for x in star}
        if self._imply_by_paths(known) is not None:
            return None
        lines = {x: pair for x, pair in zip(self.literals, self.ends, strict=True) if x in known}
        if not lines:
            return {-x for x in self.literals}
        return self._find_early_loop(lines)

    def _find_early_loop(self, lines: Mapping[int, tuple[int, int]]) -> set[int]:
        """The literals of a closed loop and of a line that is not on it, if there is one; the lines
        are given with their ends."""
        nodes = max(map(max, lines.values())) + 1
        neighbours = list_neighbours(nodes, lines.values())
        for one, _ in lines.values():
            part = reach(one, neighbours, range(nodes))
            loop = {x for x, pair in lines.items() if pair[0] in part}
            if len(loop) == len(part):
                return loop | set(list(lines.keys() - loop)[:1])
        raise AssertionError("one of the parts is closed")

    def find_reason(self, literal: int, known: Collection[int]) -> Reason | None:
        """Why a literal follows from known ones, which have a solution; None if these rules do not
        show it."""
        if self.find_star(literal, known):
            return "meets"
        if literal not in (self._imply_by_paths(known) or ()):
            return None
        drawn = {x for x in self.literals if x in known}
        return "closed" if self.is_met(self._choose(drawn)) else "closes early"

    def find_star(self, literal: int, known: Collection[int]) -> tuple[int, ...] | None:
        """The lines that end at a node, if a literal follows there from known ones; if it is 0, a
        contradiction.
        """
        for star in self.list_stars():
            implied = _imply_at_node(star, known)
            if (implied is None) if literal == 0 else (literal in (implied or ())):
                return star
        return None

    def _choose(self, drawn: Collection[int]) -> set[int]:
        """The variables that are true if just these lines are drawn."""
        return {abs(x) for x in self.literals if (x in drawn) == (x > 0)}

    def _imply_by_paths(self, known: Collection[int]) -> set[int] | None:
        """What follows from the paths that the drawn lines form."""
        lines = list(zip(self.literals, self.ends, strict=True))
        undecided = [(x, pair) for x, pair in lines if x not in known and -x not in known]
        drawn = [pair for x, pair in lines if x in known]
        paths = Paths.follow(drawn)
        if paths is None:
            return None
        pieces = paths.closed + len(paths.open_ends()) // 2
        if (paths.closed and pieces > 1) or not (drawn or undecided):
            return None
        if paths.closed:
            return {-x for x, _ in undecided}
        if pieces > 1:
            return {-x for x, pair in undecided if paths.are_ends_of_one(*pair)}
        return set()


class Acyclic(NamedTuple):
    """The lines that are drawn along edges of a graph form no closed path.

    Line i is drawn if the literal with the index i is true; it joins the nodes `ends[i]`. The
    literals belong to distinct variables.

    >>> triangle = Acyclic((1, 2, 3), ((0, 1), (1, 2), (2, 0)))
    >>> triangle.is_met({1, 2}), triangle.is_met({1, 2, 3}), triangle.imply({1, 2})
    (True, False, {-3})
    """

    literals: tuple[int, ...]
    ends: tuple[Pair, ...]

    @property
    def kind(self) -> str:
        return "acyclic"

    def list_stars(self) -> list[tuple[int, ...]]:
        """For each node, the literals of the lines that end there."""
        return _list_stars(self.literals, self.ends)

    def is_met(self, true: Collection[int]) -> bool:
        """Whether the constraint holds if exactly these variables are true."""
        drawn = [i for i, x in enumerate(self.literals) if (abs(x) in true) == (x > 0)]
        return find_cycle(self.ends, drawn) is None

    def imply(self, known: Collection[int]) -> set[int] | None:
        """The further literals that follow from known ones; None if these are contradictory.

        A line that joins two nodes of one path is not drawn. Nothing else follows.
        """
        drawn = [i for i, x in enumerate(self.literals) if x in known]
        if find_cycle(self.ends, drawn) is not None:
            return None
        trees = find_trees(self.ends, drawn)
        implied = set()
        for x, (one, other) in zip(self.literals, self.ends, strict=True):
            if x not in known and trees[one] == trees[other]:
                implied.add(-x)
        return implied.difference(known)

    def find_conflict(self, known: Collection[int]) -> set[int] | None:
        """A few known literals that are contradictory; None if there are none."""
        drawn = [i for i, x in enumerate(self.literals) if x in known]
        cycle = find_cycle(self.ends, drawn)
        return None if cycle is None else {self.literals[i] for i in cycle}

    def find_reason(self, literal: int, known: Collection[int]) -> Reason | None:
        """Why a literal follows from known ones, which have a solution; None if it does not."""
        return "closes" if literal in (self.imply(known) or ()) else None


class Regions(NamedTuple):
    """Each node of a graph has one number, and the connected nodes with equal numbers are as many
    as the number says.

    The literal with the index i says that the node `nodes[i]` has the number `sizes[i]`, which is
    at least 1. The literals belong to distinct variables. `edges` are pairs of nodes.

    >>> path = Regions((1, 2, 3, 4), (0, 0, 1, 1), (1, 2, 1, 2), ((0, 1),))
    >>> path.is_met({2, 4}), path.is_met({1, 3}), path.imply({2})
    (True, False, {4})
    """

    literals: tuple[int, ...]
    nodes: tuple[int, ...]
    sizes: tuple[int, ...]
    edges: tuple[Pair, ...]

    @property
    def kind(self) -> str:
        return "regions"

    def list_choices(self) -> list[tuple[int, ...]]:
        """For each node, the literals of its numbers."""
        choices: dict[int, list[int]] = {}
        for x, node in zip(self.literals, self.nodes, strict=True):
            choices.setdefault(node, []).append(x)
        return [tuple(choices[node]) for node in sorted(choices)]

    def list_neighbours(self) -> Neighbours:
        """For each literal, by their indices those that give the same number to a node beside."""
        return _list_equal_beside(self)

    def is_met(self, true: Collection[int]) -> bool:
        """Whether the constraint holds if exactly these variables are true."""
        chosen = {i for i, x in enumerate(self.literals) if (abs(x) in true) == (x > 0)}
        numbered = [self.nodes[i] for i in sorted(chosen)]
        if sorted(numbered) != sorted(set(self.nodes)):
            return False
        parts = find_parts(self.list_neighbours(), chosen)
        return all(len(part) == self.sizes[min(part)] for part in parts)

    def imply(self, known: Collection[int]) -> set[int] | None:
        """Literals that follow from known ones by simple rules, which do not find all; None if the
        known ones are contradictory. If all literals are known, this is exact.

        A number does not stand where its region would have too many nodes, or where too few nodes
        can have this number. It stands where its region would have too few nodes otherwise.
        """
        return None if self.find_conflict(known) is not None else set(self._explain(known))

    def find_conflict(self, known: Collection[int]) -> set[int] | None:
        """A few known literals that are contradictory by simple rules; None if there are none."""
        for choice in self.list_choices():
            chosen_here = [x for x in choice if x in known]
            if len(chosen_here) > 1:
                return set(chosen_here[:2])
            if all(-x in known for x in choice):
                return {-x for x in choice}

        chosen, possible = self._divide(known)
        neighbours = self.list_neighbours()
        for part in find_parts(neighbours, chosen):
            size = self.sizes[min(part)]
            if len(part) > size:
                return {self.literals[i] for i in grow_part(min(part), neighbours, part, size + 1)}
            inside = reach(min(part), neighbours, possible)
            if len(inside) < size:
                beside = {i for node in inside for i in neighbours[node]} - inside
                return {self.literals[min(part)], *(-self.literals[i] for i in beside)}
        return None

    def find_reason(self, literal: int, known: Collection[int]) -> Reason | None:
        """Why a literal follows from known ones, which have a solution; None if these rules do not
        show it."""
        return self._explain(known).get(literal)

    def _divide(self, known: Collection[int]) -> tuple[set[int], set[int]]:
        """The indices of the literals that are true, and of those that may be."""
        chosen = {i for i, x in enumerate(self.literals) if x in known}
        possible = {i for i, x in enumerate(self.literals) if -x not in known}
        return chosen, possible

    def _explain(self, known: Collection[int]) -> dict[int, Reason]:
        """What follows from known literals without a conflict, each with the reason."""
        chosen, possible = self._divide(known)
        neighbours = self.list_neighbours()
        part_of: dict[int, set[int]] = {}
        for part in find_parts(neighbours, chosen):
            part_of.update(dict.fromkeys(part, part))

        reasons: dict[int, Reason] = {}
        for area in find_parts(neighbours, possible):
            size = self.sizes[min(area)]
            for i in area - chosen:
                joined = {i}.union(*(part_of[other] for other in neighbours[i] if other in chosen))
                if len(joined) > size:
                    reasons[-self.literals[i]] = "too many"
                elif len(area) < size:
                    reasons[-self.literals[i]] = "too few"
        for part in find_parts(neighbours, chosen):
            if len(part) < self.sizes[min(part)]:
                for i in self._find_needed(part, neighbours, possible):
                    reasons[self.literals[i]] = "too few"
        return reasons

    def _find_needed(
        self, part: Collection[int], neighbours: Sequence[Sequence[int]], possible: set[int]
    ) -> list[int]:
        """The nodes beside a part of a region without which this would stay too small."""
        size = self.sizes[min(part)]
        beside = {i for node in part for i in neighbours[node] if i in possible}.difference(part)
        needed = []
        for i in sorted(beside):
            rest = grow_part(min(part), neighbours, possible - {i}, size)
            if len(rest) < size:
                needed.append(i)
        return needed


@lru_cache(maxsize=4)
def _list_equal_beside(regions: Regions) -> Neighbours:
    """For each literal, by their indices those that give the same number to a node beside."""
    beside = list_neighbours(max(regions.nodes, default=-1) + 1, regions.edges)
    places = list(zip(regions.nodes, regions.sizes, strict=True))
    index = {place: i for i, place in enumerate(places)}
    neighbours = []
    for node, size in places:
        equal = [index[other, size] for other in beside[node] if (other, size) in index]
        neighbours.append(tuple(equal))
    return tuple(neighbours)


GraphConstraint: TypeAlias = Connected | SingleLoop | Acyclic | Regions


class Paths:
    """Paths that grow line by line; each node is on one path at most."""

    def __init__(self) -> None:
        self.closed = 0  # number of paths that are loops
        self._other_end: dict[int, int] = {}  # of the two ends of each open path
        self._inner: set[int] = set()

    @classmethod
    def follow(cls, lines: Iterable[Pair]) -> Self | None:
        """The paths that lines form; None if three lines meet at a node."""
        paths = cls()
        for one, other in lines:
            if not paths.can_join(one, other):
                return None
            paths.join(one, other)
        return paths

    def can_join(self, one: int, other: int) -> bool:
        """Whether no two lines meet at these nodes yet."""
        return one not in self._inner and other not in self._inner

    def join(self, one: int, other: int) -> None:
        """Add a line between ends of paths or new nodes."""
        if self.are_ends_of_one(one, other):
            self._inner |= {one, other}
            del self._other_end[one], self._other_end[other]
            self.closed += 1
            return
        ends = []
        for node in (one, other):
            if node in self._other_end:
                self._inner.add(node)
                ends.append(self._other_end.pop(node))
            else:
                ends.append(node)
        first, last = ends
        self._other_end |= {first: last, last: first}

    def are_ends_of_one(self, one: int, other: int) -> bool:
        """Whether the nodes are the two ends of one path."""
        return self._other_end.get(one) == other

    def open_ends(self) -> Collection[int]:
        """The ends of the paths that are not closed."""
        return self._other_end.keys()


@lru_cache(maxsize=16)
def _list_stars(literals: tuple[int, ...], ends: tuple[Pair, ...]) -> list[tuple[int, ...]]:
    """For each node, the literals of the lines that end there."""
    stars: dict[int, list[int]] = {}
    for x, pair in zip(literals, ends, strict=True):
        for node in pair:
            stars.setdefault(node, []).append(x)
    return [tuple(stars[node]) for node in sorted(stars)]


def _imply_at_node(star: Sequence[int], known: Collection[int]) -> set[int] | None:
    """The literals that follow for the lines at a node, given by their literals; None if the known
    ones are contradictory. Either two lines of a loop meet at a node, or it has no line."""
    drawn = [x for x in star if x in known]
    undecided = [x for x in star if x not in known and -x not in known]
    if len(drawn) > 2 or (len(drawn) == 1 and not undecided):
        return None
    if len(drawn) == 2 or (not drawn and len(undecided) == 1):
        return {-x for x in undecided}
    if len(drawn) == 1 and len(undecided) == 1:
        return set(undecided)
    return set()
