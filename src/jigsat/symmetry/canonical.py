"""Canonical forms of coloured graphs, found by bliss, which is part of igraph."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import NamedTuple

from jigsat.symmetry.automorphisms import import_igraph


class ColouredGraph(NamedTuple):
    """A graph whose vertices have colours. Its vertices are numbered from 0; an edge joins two of them."""

    colours: Sequence[str]
    edges: Sequence[tuple[int, int]]

    def canonical_form(self) -> str:
        """A hash that two graphs share if and only if they are isomorphic. Raises InputError without igraph.

        >>> graphs = ColouredGraph("aab", [(0, 1), (1, 2)]), ColouredGraph("baa", [(2, 1), (0, 2)])
        >>> len({graph.canonical_form() for graph in graphs})
        1
        """
        number = {colour: i for i, colour in enumerate(sorted(set(self.colours)))}
        graph = import_igraph().Graph(len(self.colours), self.edges, vertex_attrs={"colour": list(self.colours)})
        form = graph.permute_vertices(graph.canonical_permutation(color=[number[colour] for colour in self.colours]))
        edges = sorted(tuple(sorted(edge)) for edge in form.get_edgelist())
        return hashlib.sha256(repr((form.vs["colour"], edges)).encode()).hexdigest()
