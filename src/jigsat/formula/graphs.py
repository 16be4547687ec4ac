"""Constraints on graphs: what is chosen is connected, or forms one closed loop.

They know their literals, when they are met, and what follows from the literals that are known.
`jigsat.formula.networks` makes them, `jigsat.formula.elimination` writes them as clauses.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from functools import lru_cache
from typing import Literal, NamedTuple, Self, TypeAlias

Pair: TypeAlias = tuple[int, int]  # numbers of two nodes
Neighbours: TypeAlias = tuple[tuple[int, ...], ...]  # of each node


Reason: TypeAlias = Literal["root", "joins", "cut off", "meets", "closed", "closes early"]
"""Why a literal follows: the root is chosen; without this node, chosen ones would fall apart; the
node is cut off from chosen ones; two lines or none meet at a node; the loop is closed; the line
would close a loop while there are lines elsewhere."""


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
                return set(drawn[:3]) if len(drawn) > 2 else {x if x in known else -x for x in star}
        if self._imply_by_paths(known) is not None:
            return None
        lines = {x: pair for x, pair in zip(self.literals, self.ends, strict=True) if x in known}
        if not lines:
            return {-x for x in self.literals}

        # a closed loop, and a line that is not on it
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
        for star in self.list_stars():
            if literal in (_imply_at_node(star, known) or ()):
                return "meets"
        if literal not in (self._imply_by_paths(known) or ()):
            return None
        drawn = {x for x in self.literals if x in known}
        return "closed" if self.is_met(self._choose(drawn)) else "closes early"

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


GraphConstraint: TypeAlias = Connected | SingleLoop


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
    stars: dict[int, list[int]] = {}
    for x, pair in zip(literals, ends, strict=True):
        for node in pair:
            stars.setdefault(node, []).append(x)
    return [tuple(stars[node]) for node in sorted(stars)]


def _imply_at_node(star: Sequence[int], known: Collection[int]) -> set[int] | None:
    """What follows for the lines at a node of a loop, as there are two or none; None if they are
    contradictory."""
    drawn = [x for x in star if x in known]
    undecided = [x for x in star if x not in known and -x not in known]
    if len(drawn) > 2 or (len(drawn) == 1 and not undecided):
        return None
    if len(drawn) == 2 or (not drawn and len(undecided) == 1):
        return {-x for x in undecided}
    if len(drawn) == 1 and len(undecided) == 1:
        return set(undecided)
    return set()


@lru_cache(maxsize=256)
def list_graph_neighbours(number: int, edges: tuple[Pair, ...]) -> Neighbours:
    """The neighbours of each node of a constraint, which is asked again and again."""
    return list_neighbours(number, edges)


def list_neighbours(number: int, edges: Iterable[Pair]) -> Neighbours:
    """The neighbours of each of a number of nodes."""
    neighbours: list[list[int]] = [[] for _ in range(number)]
    for one, other in edges:
        neighbours[one].append(other)
        neighbours[other].append(one)
    return tuple(map(tuple, neighbours))


def reach(start: int, neighbours: Sequence[Iterable[int]], within: Collection[int]) -> set[int]:
    """The nodes that paths within a set of nodes reach from one of them."""
    reached, queue = {start}, [start]
    while queue:
        for node in neighbours[queue.pop()]:
            if node in within and node not in reached:
                reached.add(node)
                queue.append(node)
    return reached


def find_joining_nodes(
    start: int,
    neighbours: Sequence[Sequence[int]],
    within: Collection[int],
    chosen: Collection[int],
) -> set[int]:
    """The nodes without which some chosen nodes would be cut off from the chosen node `start`.

    They are the articulation points of the graph within the set that have chosen nodes beyond
    them: in a depth-first search, no edge leads from below such a node to above it (J. Hopcroft
    and R. Tarjan, Efficient algorithms for graph manipulation, Communications of the ACM 16,
    1973).
    """
    depth = {start: 0}
    highest = {start: 0}  # the least depth that an edge from here or below leads to
    below = {start: 1}  # the number of chosen nodes from here downward
    joining: set[int] = set()
    path = [(start, iter(neighbours[start]))]
    while path:
        node, ahead = path[-1]
        new = None
        for other in ahead:
            if other not in within:
                continue
            if other not in depth:
                new = other
                break
            highest[node] = min(highest[node], depth[other])
        if new is not None:
            depth[new] = highest[new] = len(path)
            below[new] = int(new in chosen)
            path.append((new, iter(neighbours[new])))
            continue
        path.pop()
        if path:
            parent, _ = path[-1]
            below[parent] += below[node]
            highest[parent] = min(highest[parent], highest[node])
            if highest[node] >= depth[parent] and below[node]:
                joining.add(parent)
    return joining
