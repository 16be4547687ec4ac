"""Constraints on graphs as coloured graphs, and as sets of literals, to see what preserves them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import NamedTuple

from jigsat.formula import Acyclic, Connected, GraphConstraint, Regions, SingleLoop


class Drawing(NamedTuple):
    """A coloured graph. The literal of a vertex is 0 if it has none; the edges are pairs of
    vertices, which are numbered from 0."""

    colours: list[str]
    literals: list[int]
    edges: list[tuple[int, int]]


def draw_constraint(constraint: GraphConstraint, known: Collection[int]) -> Drawing:
    """A constraint given literals that hold in every model: what is not chosen is left out, and
    what is chosen has no literal.

    There is a vertex for the constraint itself, which is joined to the nodes or lines that have
    literals.
    """
    drawing = Drawing([constraint.kind], [0], [])
    match constraint:
        case Connected(literals, edges, root):
            vertices = _add_parts(drawing, literals, known)
            if root in vertices:
                drawing.colours[vertices[root]] = "root"
            for one, other in edges:
                if one in vertices and other in vertices:
                    drawing.edges.append((vertices[one], vertices[other]))
        case SingleLoop(literals, ends) | Acyclic(literals, ends):
            vertices = _add_parts(drawing, literals, known)
            nodes: dict[int, int] = {}
            for line, vertex in vertices.items():
                for node in ends[line]:
                    if node not in nodes:
                        nodes[node] = _add_vertex(drawing, "end of lines", 0)
                    drawing.edges.append((vertex, nodes[node]))
        case Regions():
            _draw_regions(drawing, constraint, known)
    return drawing


def _draw_regions(drawing: Drawing, constraint: Regions, known: Collection[int]) -> None:
    """Draw the nodes, joined to those beside them, and their numbers, whose colour is the size."""
    numbers = _add_parts(drawing, constraint.literals, known)
    nodes = {}
    for node in sorted(set(constraint.nodes)):
        nodes[node] = _add_vertex(drawing, "node", 0)
    for i, vertex in numbers.items():
        drawing.colours[vertex] += f" {constraint.sizes[i]}"
        drawing.edges.append((vertex, nodes[constraint.nodes[i]]))
    for one, other in constraint.edges:
        drawing.edges.append((nodes[one], nodes[other]))


def _add_parts(drawing: Drawing, literals: Iterable[int], known: Collection[int]) -> dict[int, int]:
    """Add vertices for the literals that may be true; returns them by the index of the literal."""
    vertices = {}
    for i, literal in enumerate(literals):
        if -literal in known:
            continue
        if literal in known:
            vertices[i] = _add_vertex(drawing, "chosen", 0)
        else:
            vertices[i] = _add_vertex(drawing, "possible", literal)
        drawing.edges.append((0, vertices[i]))
    return vertices


def _add_vertex(drawing: Drawing, colour: str, literal: int) -> int:
    drawing.colours.append(colour)
    drawing.literals.append(literal)
    return len(drawing.colours) - 1


class GraphRule(NamedTuple):
    """A constraint on a graph in terms of its literals: the literal of the root or 0, and sets of
    literals with their numbers. For nodes, these are the nodes and the edges; for lines, those that
    meet at a node; for regions, see `_state_regions`."""

    kind: str
    root: int
    sets: frozenset[tuple[frozenset[int], int]]

    def image(self, images: Mapping[int, int]) -> GraphRule:
        """The constraint on the images of its literals; variables without an image are fixed."""

        def move(literal: int) -> int:
            if not literal:
                return 0
            image = images.get(abs(literal), abs(literal))
            return image if literal > 0 else -image

        moved = [(frozenset(map(move, literals)), number) for literals, number in self.sets]
        return GraphRule(self.kind, move(self.root), frozenset(moved))


def state_in_literals(constraint: GraphConstraint) -> GraphRule:
    """A constraint independent of how its nodes and lines are numbered."""
    sets: list[frozenset[int]] = []
    root = 0
    match constraint:
        case Connected(literals, edges, first):
            sets += [frozenset({x}) for x in literals]
            sets += [frozenset({literals[one], literals[other]}) for one, other in edges]
            if first is not None:
                root = literals[first]
        case SingleLoop() | Acyclic():
            sets += [frozenset(star) for star in constraint.list_stars()]
        case Regions():
            return GraphRule(constraint.kind, root, frozenset(_state_regions(constraint)))
    return GraphRule(constraint.kind, root, frozenset(Counter(sets).items()))


def _state_regions(constraint: Regions) -> Iterator[tuple[frozenset[int], int]]:
    """The literals with their sizes; those of each node, with 0; those of two nodes beside each
    other."""
    for literal, size in zip(constraint.literals, constraint.sizes, strict=True):
        yield frozenset({literal}), size
    choices = [frozenset(choice) for choice in constraint.list_choices()]
    for choice in choices:
        yield choice | {0}, 1
    for one, other in constraint.edges:
        yield choices[one] | choices[other], 1
