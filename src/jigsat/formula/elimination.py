"""Constraints on graphs as clauses: a tree whose parents come before their children, by vertex
elimination.

The chosen nodes are connected if and only if each of them but one, the root, has a parent among
its chosen neighbours, and no node is its own ancestor. That there is an order in which parents
come first takes a variable 'u comes before v' for some pairs (u, v). The nodes are eliminated one
by one, those with few neighbours first; when v is eliminated, all of its neighbours become
neighbours of each other, and for each two of them, u before v and v before w imply u before w.
Each cycle then shows up as two nodes of which each comes before the other, which is forbidden
(for graphs, D. J. Rose and R. E. Tarjan, Algorithmic aspects of vertex elimination, STOC 1975; for
clauses, M. F. Rankooh and J. Rintanen, Propositional encodings of acyclicity and reachability by
using vertex elimination, AAAI 2022). For a grid of n cells these are about n^1.5 clauses.

Parents and orders are not unique, so these auxiliary variables have several values for the same
chosen nodes: whoever counts must count projected on the variables of the formula.

Variables are numbered from 1: first those of the nodes or lines, then the auxiliary ones.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from heapq import heapify, heappop, heappush
from itertools import combinations, permutations
from typing import NamedTuple, TypeAlias

from jigsat.formula.reach import Pair

Pattern: TypeAlias = tuple[list[list[int]], int]
"""Clauses, and the number of their auxiliary variables."""


class _Step(NamedTuple):
    """A way from a node to one that may be its child; if `line` is not 0, only along this line."""

    parent: int
    child: int
    line: int = 0


@lru_cache(maxsize=4)
def connected_pattern(number: int, edges: tuple[Pair, ...], root: int | None) -> Pattern:
    """The clauses for `Connected`. The variables 1 to `number` are those of the nodes.

    >>> connected_pattern(2, (), None)
    ([[-1, 3], [-3, 1], [-2, -3]], 1)
    """
    tree = _Tree(number)
    steps = [_Step(*pair) for edge in edges for pair in permutations(edge)]
    tree.grow(range(1, number + 1), steps, root)
    return tree.clauses, tree.top - number


@lru_cache(maxsize=4)
def loop_pattern(ends: tuple[Pair, ...]) -> Pattern:
    """The clauses which say that the lines are connected. The variables from 1 are those of the
    lines."""
    tree = _Tree(len(ends))
    nodes = max((max(pair) for pair in ends), default=-1) + 1
    lines_at: list[list[int]] = [[] for _ in range(nodes)]
    steps = []
    for line, (one, other) in enumerate(ends, 1):
        lines_at[one].append(line)
        lines_at[other].append(line)
        steps += [_Step(one, other, line), _Step(other, one, line)]

    # a node is used if a line ends there
    used = []
    for lines in lines_at:
        node = tree.add_variable()
        tree.clauses.append([-node, *lines])
        tree.clauses += [[-line, node] for line in lines]
        used.append(node)
    tree.grow(used, steps, None)
    return tree.clauses, tree.top - len(ends)


@lru_cache(maxsize=4)
def acyclic_pattern(ends: tuple[Pair, ...]) -> Pattern:
    """The clauses for `Acyclic`. The variables from 1 are those of the lines.

    Each line is directed. At most one line leads to a node, and no node is its own ancestor.
    """
    tree = _Tree(len(ends))
    leading: dict[int, list[int]] = {}
    before: dict[Pair, int] = {}
    for line, pair in enumerate(ends, 1):
        directed = []
        for one, other in permutations(pair):
            leads = tree.add_variable()
            directed.append(leads)
            leading.setdefault(other, []).append(leads)
            if (one, other) not in before:
                before[one, other] = tree.add_variable()
            tree.clauses.append([-leads, before[one, other]])
        tree.clauses.append([-line, *directed])
    for literals in leading.values():
        tree.clauses += [[-one, -other] for one, other in combinations(literals, 2)]
    tree.order(max(leading, default=-1) + 1, before)
    return tree.clauses, tree.top - len(ends)


class _Tree:
    """Clauses that grow; `top` is the highest variable."""

    def __init__(self, top: int) -> None:
        self.top = top
        self.clauses: list[list[int]] = []

    def add_variable(self) -> int:
        self.top += 1
        return self.top

    def grow(self, chosen: Sequence[int], steps: Iterable[_Step], root: int | None) -> None:
        """Each chosen node but the root, or the first chosen one if no root is given, has a
        parent; parents come before their children."""
        parents: list[list[int]] = [[] for _ in chosen]
        before: dict[Pair, int] = {}
        for step in steps:
            if step.child == root:
                continue
            hangs = self.add_variable()
            parents[step.child].append(hangs)
            pair = (step.parent, step.child)
            if pair not in before:
                before[pair] = self.add_variable()
            self.clauses += [[-hangs, chosen[step.parent]], [-hangs, chosen[step.child]]]
            if step.line:
                self.clauses.append([-hangs, step.line])
            self.clauses.append([-hangs, before[pair]])

        if root is None:
            later = self._mark_later(chosen)
        else:
            self.clauses.append([chosen[root]])
            later = [[] for _ in chosen]
        for node, literal in enumerate(chosen):
            # of all the nodes, the first has no one before it
            if node != root and (root is not None or node):
                self.clauses.append([-literal, *later[node], *parents[node]])
        self.order(len(chosen), before)

    def _mark_later(self, chosen: Sequence[int]) -> list[list[int]]:
        """For each node, the negation of a variable that is true if a node before it in the list is
        chosen."""
        later: list[list[int]] = [[]]
        previous: list[int] = []
        for literal in chosen[:-1]:
            variable = self.add_variable()
            self.clauses += [[-one, variable] for one in (*previous, literal)]
            self.clauses.append([-variable, *previous, literal])
            later.append([-variable])
            previous = [variable]
        return later

    def order(self, number: int, before: dict[Pair, int]) -> None:
        """Forbid cycles of the pairs that are true in `before`, by eliminating the nodes."""
        neighbours: list[set[int]] = [set() for _ in range(number)]
        for one, other in before:
            neighbours[one].add(other)
            neighbours[other].add(one)
        queue = [(len(beside), node) for node, beside in enumerate(neighbours)]
        heapify(queue)
        gone: set[int] = set()
        while queue:
            degree, node = heappop(queue)
            if node in gone or degree != len(neighbours[node]):
                continue
            gone.add(node)
            beside = sorted(neighbours[node])
            self._eliminate(node, beside, before)
            for other in beside:
                neighbours[other].update(beside)
                neighbours[other] -= {node, other}
                heappush(queue, (len(neighbours[other]), other))

    def _eliminate(self, node: int, beside: Sequence[int], before: dict[Pair, int]) -> None:
        for other in beside:
            if (other, node) in before and (node, other) in before:
                self.clauses.append([-before[other, node], -before[node, other]])
        for first, last in permutations(beside, 2):
            if (first, node) in before and (node, last) in before:
                if (first, last) not in before:
                    before[first, last] = self.add_variable()
                self.clauses.append(
                    [-before[first, node], -before[node, last], before[first, last]]
                )
