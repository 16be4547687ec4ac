"""The automorphisms of a formula, found by a graph-automorphism library (bliss, which is part of
igraph).

The formula becomes a coloured graph with a vertex for each variable, another one for its negation
if that occurs, and a vertex for each constraint, joined to its literals. Colours distinguish
decision variables, auxiliary variables, negations and the kinds of constraints with their bounds;
literals with a weight are joined through a vertex of that weight. The construction is that of F. A.
Aloul, I. L. Markov and K. A. Sakallah, 'Shatter: efficient symmetry-breaking for Boolean
satisfiability', DAC 2003, but here variables keep their sign, so that automorphisms permute
placements. An XOR is joined only to its variables: if it were joined to their negations as well,
any change of signs would seem to preserve it. A constraint on a graph is drawn as it is: a vertex
for each node and line, joined to its literal, and one for the constraint, joined to all of its
literals' vertices.

Literals that hold in every model must be given. Their variables are left out and fixed by the
automorphisms: otherwise two variables that are false in every solution could be exchanged, which is
irrelevant to solutions.
"""

from __future__ import annotations

import hashlib
from array import array
from collections.abc import Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from math import gcd
from types import ModuleType
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from jigsat.errors import CheckError, InputError
from jigsat.formula import (
    Cardinality,
    Clause,
    Formula,
    GraphConstraint,
    Linear,
    Xor,
    as_sum,
)
from jigsat.symmetry.drawing import Drawing, GraphRule, draw_constraint, state_in_literals
from jigsat.symmetry.group import Model, Permutation, reach

if TYPE_CHECKING:
    pass

Kind = TypeVar("Kind", bound=Hashable)

MAX_EXACT_ORDER = 2**53
"""Larger orders are computed differently, because bliss may be built without arithmetic for large
numbers."""

INSTALL = "pip install 'jigsat[symmetry]'"  # how to install the library

DECISION, AUXILIARY, NEGATION, CHOSEN, OPPOSITES = range(5)
"""Colours of vertices; constraints and weights have the colours after these."""


class NormalizedRule(NamedTuple):
    """A constraint without the known variables, independent of the order of its literals.

    The weights of the true literals add up to at least `low` and at most `high`; for an XOR, to an
    odd number or, if `low` is 0, to an even one.
    """

    xor: bool
    low: int
    high: int
    terms: frozenset[tuple[int, int]]
    """Literals with their weights."""

    def image(self, images: Mapping[int, int]) -> NormalizedRule:
        """The constraint on the images of its literals; variables without an image are fixed."""
        moved = frozenset(
            [
                (images.get(x, x) if x > 0 else -images.get(-x, -x), weight)
                for x, weight in self.terms
            ]
        )
        return self._replace(terms=moved)


def rule(
    constraint: Clause | Cardinality | Linear | Xor, known: Collection[int]
) -> NormalizedRule | None:
    """A constraint as a rule, given literals that hold in every model; None if it always holds."""
    if isinstance(constraint, Xor):
        return _make_xor_rule(constraint, known)
    weights, low, high = _sum_unknown(constraint, known)
    total = sum(weights.values())
    low, high = max(0, low), min(total, high)
    if low == 0 and high == total:
        return None
    negative = sum(1 for x in weights if x < 0)
    positive = len(weights) - negative
    if negative > positive or (negative == positive and low == 0):
        # state it with the opposite literals
        weights = {-x: weight for x, weight in weights.items()}
        low, high = total - high, total - low
    divisor = gcd(*weights.values()) or 1
    terms = frozenset((x, weight // divisor) for x, weight in weights.items())
    return NormalizedRule(False, -(-low // divisor), high // divisor, terms)


def _sum_unknown(
    constraint: Clause | Cardinality | Linear, known: Collection[int]
) -> tuple[dict[int, int], int, int]:
    """A constraint as a sum of the literals that are not known, with its bounds."""
    literals, values, low, high = as_sum(constraint)
    weights: dict[int, int] = {}
    for x, weight in zip(literals, values, strict=True):
        if x in known:
            low -= weight
            high -= weight
        elif -x not in known:
            weights[x] = weight

    # Of two opposite literals one is true; both weigh 1.
    opposite = [x for x in weights if x > 0 and -x in weights]
    for x in opposite:
        low -= weights[x]
        high -= weights[x]
        del weights[x], weights[-x]
    return weights, low, high


def _make_xor_rule(constraint: Xor, known: Collection[int]) -> NormalizedRule | None:
    odd = constraint.odd
    free = []
    for x in constraint.variables:
        if x in known:
            odd = not odd
        elif -x not in known:
            free.append((x, 1))
    return NormalizedRule(True, odd, 0, frozenset(free)) if free else None


def preserves(formula: Formula, *permutations: Permutation) -> bool:
    """Whether permutations of the decision variables map the constraints of the formula onto each
    other.

    If so, they are symmetries of the formula. If not, they may still be. With auxiliary variables
    the result is always False, since their images are unknown.
    """
    if any(len(images) < formula.top for images in permutations):
        return False
    rules: set[NormalizedRule | GraphRule] = set(_list_rules(formula, ()))
    rules.update(map(state_in_literals, formula.list_graphs()))
    return all(
        rules == {constraint.image(images) for constraint in rules} for images in permutations
    )


def _list_rules(formula: Formula, known: Collection[int]) -> Iterator[NormalizedRule]:
    """The constraints as rules, except those on graphs and those that always hold."""
    for constraint in formula.constraints():
        if isinstance(constraint, GraphConstraint):
            continue
        normalized = rule(constraint, known)
        if normalized is not None:
            yield normalized


class _ColouredGraph:
    """The graph of a formula as it grows; the first vertices are those of the variables."""

    def __init__(self, variables: Sequence[int], decisions: int) -> None:
        self.colours = [DECISION] * decisions + [AUXILIARY] * (len(variables) - decisions)
        self.edges: list[tuple[int, int]] = []
        self._vertex = {x: i for i, x in enumerate(variables)}
        self._colours_taken = OPPOSITES + 1

    def add_rules(self, rules: Iterable[NormalizedRule]) -> None:
        """Add a vertex for each constraint, joined to its literals."""
        ordered = sorted(rules, key=lambda rule: (rule[:3], sorted(rule.terms)))
        kinds = self._take_colours(rule[:3] for rule in ordered)
        weights = sorted({weight for rule in ordered for _, weight in rule.terms})
        weighing = self._take_colours(weights)
        for rule in ordered:
            by_weight: dict[int, list[int]] = {}
            for literal, weight in sorted(rule.terms):
                by_weight.setdefault(weight, []).append(self._find_end(literal))
            if by_weight.keys() == {1}:
                ends = by_weight[1]
            else:
                ends = [
                    self._add_vertex(weighing[weight], literals)
                    for weight, literals in sorted(by_weight.items())
                ]
            self._add_vertex(kinds[rule[:3]], ends)

    def add_drawings(self, drawings: Sequence[Drawing]) -> set[tuple[int, int]]:
        """Add constraints on graphs as they are drawn; returns their edges."""
        edges: set[tuple[int, int]] = set()
        named = self._take_colours(
            sorted({name for drawing in drawings for name in drawing.colours})
        )
        for drawing in drawings:
            ends = [[self._find_end(x)] if x else [] for x in drawing.literals]
            first = len(self.colours)
            before = len(self.edges)
            for name, beside in zip(drawing.colours, ends, strict=True):
                self._add_vertex(named[name], beside)
            self.edges.extend((first + one, first + other) for one, other in drawing.edges)
            edges.update(self.edges[before:])
        return edges

    def _take_colours(self, kinds: Iterable[Kind]) -> dict[Kind, int]:
        """A new colour for each kind."""
        colours = {kind: self._colours_taken + i for i, kind in enumerate(dict.fromkeys(kinds))}
        self._colours_taken += len(colours)
        return colours

    def _add_vertex(self, colour: int, neighbours: Iterable[int]) -> int:
        vertex = len(self.colours)
        self.edges.extend((vertex, neighbour) for neighbour in neighbours)
        self.colours.append(colour)
        return vertex

    def _find_end(self, literal: int) -> int:
        """The vertex of a literal; that of a negation is added when it is first needed."""
        if literal not in self._vertex:
            self._vertex[literal] = self._add_vertex(NEGATION, [])
            self._add_vertex(OPPOSITES, [self._vertex[literal], self._vertex[-literal]])
        return self._vertex[literal]


class Automorphisms:
    """The automorphisms of a formula, as permutations of its decision variables.

    `known` are literals that hold in every model. An automorphism of the graph permutes all other
    variables, including auxiliary ones, so it maps models to models, and its restriction to the
    decision variables maps solutions to solutions. Several automorphisms may have the same
    restriction. `order` counts restrictions: the number of all automorphisms divided by the number
    of those that fix every decision variable. Each generator is verified on the constraints.

    Raises InputError if igraph is not installed.

    >>> formula = Formula()
    >>> x = formula.variables("x", {"i": range(4)})
    >>> formula.exactly(2, x[:])
    >>> Automorphisms(formula, ()).order
    24
    """

    def __init__(self, formula: Formula, known: Collection[int]) -> None:
        known = frozenset(known)
        self.rules = frozenset(_list_rules(formula, known))
        drawings = [draw_constraint(constraint, known) for constraint in formula.list_graphs()]
        decided = {abs(x) for x in known}
        self.decisions = [x for x in formula.decisions() if x not in decided]
        used = {abs(x) for constraint in self.rules for x, _ in constraint.terms}
        for drawing in drawings:
            used.update(abs(x) for x in drawing.literals if x)
        self._variables = [*self.decisions, *sorted(used.difference(self.decisions))]
        graph = _ColouredGraph(self._variables, len(self.decisions))
        graph.add_rules(self.rules)
        self._drawn_edges = graph.add_drawings(drawings)  # the edges of constraints on graphs
        self._colours = graph.colours
        self._graph = import_igraph().Graph(n=len(graph.colours), edges=graph.edges)

    @cached_property
    def order(self) -> int:
        """The order of the group: the number of permutations of the decision variables that come
        from automorphisms."""
        return self._whole // self._number(
            [*self._own.values(), *self._colours[len(self.decisions) :]]
        )

    @cached_property
    def _own(self) -> dict[int, int]:
        """A colour of its own for each decision variable; there may be more colours than
        vertices."""
        return {x: i for i, x in enumerate(self.decisions, 1 + max(self._colours, default=0))}

    @cached_property
    def _whole(self) -> int:
        return self._number(self._colours)

    def _number(self, colours: list[int]) -> int:
        """The number of automorphisms of the graph with these colours."""
        number = int(self._graph.count_automorphisms(color=colours))
        return number if number < MAX_EXACT_ORDER else self._by_stabilisers(colours)

    def _by_stabilisers(self, colours: list[int]) -> int:
        """The same as a product of orbit lengths: of a vertex, of another one where the first is
        fixed, and so on."""
        number, colours = 1, list(colours)
        while generators := self._graph.automorphism_group(color=colours):
            moved = next(vertex for vertex, image in enumerate(generators[0]) if vertex != image)
            number *= len(
                [*reach([moved], lambda vertex: [images[vertex] for images in generators])]
            )
            colours[moved] = max(colours) + 1
        return number

    @cached_property
    def generators(self) -> list[dict[int, int]]:
        """Permutations of decision variables that generate the group, each without the variables
        that it fixes."""
        of = self._variables
        generators = []
        for images in self._graph.automorphism_group(color=self._colours):
            moved = {x: of[images[i]] for i, x in enumerate(of) if images[i] != i}
            if not self._keeps_drawings(images):
                raise CheckError(
                    "igraph gave a permutation that does not preserve the constraints on graphs. "
                    "This is a bug"
                )
            for constraint in self.rules:
                if (
                    not moved.keys().isdisjoint(abs(x) for x, _ in constraint.terms)
                    and constraint.image(moved) not in self.rules
                ):
                    raise CheckError(
                        "igraph gave a permutation that does not preserve the formula. This is a "
                        "bug"
                    )
            decided = {x: moved[x] for x in self.decisions if x in moved}
            if decided:
                generators.append(decided)
        return generators

    def _keeps_drawings(self, images: Sequence[int]) -> bool:
        """Whether a permutation of the vertices maps the constraints on graphs onto themselves."""
        for one, other in self._drawn_edges:
            image = images[one], images[other]
            if image not in self._drawn_edges and image[::-1] not in self._drawn_edges:
                return False
        return True

    def restrict_to_decisions(self, images: Mapping[int, int]) -> tuple[int, ...]:
        """The images of the variables that are left; a permutation fixes those that it does not
        list."""
        return tuple(images.get(x, x) for x in self.decisions)

    def contains(self, images: Mapping[int, int]) -> bool:
        """Whether a permutation of the decision variables, restricted to those that are left, is in
        the group."""
        moved = self.restrict_to_decisions(images)
        if set(moved) != set(self.decisions):
            return False
        rest, own = self._colours[len(self.decisions) :], self._own
        of_image = {image: own[x] for x, image in zip(self.decisions, moved, strict=True)}
        before = [*own.values(), *rest]
        after = [*map(of_image.__getitem__, own), *rest]
        return bool(self._graph.isomorphic_bliss(self._graph, color1=before, color2=after))

    def _mark_model(self, model: Model) -> list[int]:
        colours = list(self._colours)
        for i, x in enumerate(self.decisions):
            if x in model:
                colours[i] = CHOSEN
        return colours

    def orbit_size(self, model: Model) -> int:
        """The number of images of a solution: the number of automorphisms divided by the number of
        those that fix it.

        Both numbers count each permutation of the decision variables equally often.
        """
        return self._whole // self._number(self._mark_model(model))

    def canonical(self, model: Model) -> bytes:
        """A key that is equal for two solutions if and only if an automorphism maps one to the
        other.

        It is a hash (BLAKE2, 256 bits) of the canonical form of the graph in which the variables of
        the solution are marked.
        """
        colours = self._mark_model(model)
        self._graph.vs["colour"] = colours
        form = self._graph.permute_vertices(self._graph.canonical_permutation(color=colours))
        size = len(colours)
        edges = sorted([a * size + b if a < b else b * size + a for a, b in form.get_edgelist()])
        return hashlib.blake2b(
            array("Q", [*form.vs["colour"], *edges]).tobytes(), digest_size=32
        ).digest()


class ColouredGraph(NamedTuple):
    """A graph whose vertices have colours. Its vertices are numbered from 0; an edge joins two of
    them."""

    colours: Sequence[str]
    edges: Sequence[tuple[int, int]]

    def canonical_form(self) -> str:
        """A hash that two graphs share if and only if they are isomorphic. Raises InputError
        without igraph.

        >>> graphs = ColouredGraph("aab", [(0, 1), (1, 2)]), ColouredGraph("baa", [(2, 1), (0, 2)])
        >>> len({graph.canonical_form() for graph in graphs})
        1
        """
        number = {colour: i for i, colour in enumerate(sorted(set(self.colours)))}
        graph = import_igraph().Graph(
            len(self.colours), self.edges, vertex_attrs={"colour": list(self.colours)}
        )
        form = graph.permute_vertices(
            graph.canonical_permutation(color=[number[colour] for colour in self.colours])
        )
        edges = sorted(tuple(sorted(edge)) for edge in form.get_edgelist())
        return hashlib.sha256(repr((form.vs["colour"], edges)).encode()).hexdigest()


def import_igraph() -> ModuleType:
    """igraph. Raises InputError if it is not installed."""
    try:
        import igraph
    except ImportError:
        raise InputError(f"igraph is not installed; to install it: {INSTALL}") from None
    module: ModuleType = igraph
    return module
