"""Which nodes of a graph are reached from which; nodes are numbered from 0."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from functools import lru_cache
from typing import TypeAlias

Pair: TypeAlias = tuple[int, int]  # numbers of two nodes
Neighbours: TypeAlias = tuple[tuple[int, ...], ...]  # of each node


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
    reached = {start}
    queue = [start]
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


def find_parts(neighbours: Sequence[Iterable[int]], nodes: Collection[int]) -> list[set[int]]:
    """The connected parts of a set of nodes, in the order of their first nodes."""
    parts = []
    visited: set[int] = set()
    for node in sorted(nodes):
        if node not in visited:
            part = reach(node, neighbours, nodes)
            visited |= part
            parts.append(part)
    return parts


def grow_part(
    start: int, neighbours: Sequence[Iterable[int]], within: Collection[int], most: int
) -> set[int]:
    """The same as `reach`, but only the first nodes, at most so many; they are connected."""
    grown = {start}
    queue = [start]
    while queue and len(grown) < most:
        for node in neighbours[queue.pop()]:
            if node in within and node not in grown and len(grown) < most:
                grown.add(node)
                queue.append(node)
    return grown


def find_trees(ends: Sequence[Pair], lines: Iterable[int]) -> list[int]:
    """For each node a number that it shares with the nodes that lines join to it."""
    number = max((max(pair) for pair in ends), default=-1) + 1
    neighbours = list_neighbours(number, (ends[line] for line in lines))
    trees = [0] * number
    for part in find_parts(neighbours, range(number)):
        for node in part:
            trees[node] = min(part)
    return trees


def find_cycle(ends: Sequence[Pair], lines: Iterable[int]) -> list[int] | None:
    """Lines that form a closed path, among some lines; None if there are none."""
    lines_at: dict[int, dict[int, int]] = {}  # for each node its lines in a forest, with their ends
    for line in lines:
        one, other = ends[line]
        path = _find_path(one, other, lines_at)
        if path is not None:
            return [*path, line]
        lines_at.setdefault(one, {})[line] = other
        lines_at.setdefault(other, {})[line] = one
    return None


def _find_path(start: int, end: int, lines_at: dict[int, dict[int, int]]) -> list[int] | None:
    """The lines from one node to another one in a forest; None if they are in two trees."""
    came_by: dict[int, tuple[int, int]] = {}
    waiting = [start]
    while waiting:
        node = waiting.pop()
        for line, other in lines_at.get(node, {}).items():
            if other != start and other not in came_by:
                came_by[other] = (line, node)
                waiting.append(other)
    if end not in came_by:
        return None
    path = []
    while end != start:
        line, end = came_by[end]
        path.append(line)
    return path
