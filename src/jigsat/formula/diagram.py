"""Linear constraints as clauses, through a binary decision diagram.

Each node of the diagram bounds the total weight of the remaining literals, in descending order of
weights. It becomes a variable with at most two clauses, and unit propagation in them finds every
implied literal (N. Eén and N. Sörensson, Translating Pseudo-Boolean Constraints into SAT, JSAT 2,
2006; I. Abío, R. Nieuwenhuis, A. Oliveras, E. Rodríguez-Carbonell and V. Mayer-Eichberger, A New
Look at BDDs for Pseudo-Boolean Constraints, JAIR 45, 2012).

A diagram grows with the number of different sums, exponentially for large and irregular weights. If
it exceeds `MAX_NODES`, each weight is first written as a sum of powers of two (section 5 of the
second paper), so that there is at most one node per pair of terms; then propagation misses some
implied literals.

>>> at_most((3, 2, 2), 4)
([[-4, -2], [-5, 4], [-5, -3], [-1, 5]], 2)
"""

from collections.abc import Sequence
from functools import lru_cache

MAX_NODES = 50_000  # maximum number of nodes of a diagram; it takes about a second to build
TRUE, FALSE = 0, -1
Term = tuple[int, int]  # a weight and the number of its literal


@lru_cache(maxsize=8)
def at_most(
    weights: tuple[int, ...], bound: int, largest: int = MAX_NODES
) -> tuple[list[list[int]], int]:
    """Clauses for 'the true literals among 1 to n weigh at most the bound', and their number of
    auxiliary variables above n.

    Weights are positive, the bound is not negative.
    """
    heavy = [[-i] for i, weight in enumerate(weights, 1) if weight > bound]
    terms = sorted(
        ((weight, i) for i, weight in enumerate(weights, 1) if weight <= bound), reverse=True
    )
    layers = _layers(terms, bound, largest)
    if layers is None:
        powers = []
        for weight, i in terms:
            for bit in range(weight.bit_length()):
                if weight >> bit & 1:
                    powers.append((1 << bit, i))
        terms = sorted(powers, reverse=True)
        layers = _layers(terms, bound)
        assert layers is not None
    clauses, auxiliaries = _clauses(terms, layers, len(weights))
    return heavy + clauses, auxiliaries


def _layers(
    terms: Sequence[Term], bound: int, largest: int | None = None
) -> list[list[int]] | None:
    """For each term the relevant bounds on the weight from this term on; None if there are more
    than `largest`."""
    rest = sum(weight for weight, _ in terms)
    layer = {bound} if bound < rest else set()
    layers = []
    size = 0
    for weight, _ in terms:
        size += len(layer)
        if largest is not None and size > largest:
            return None
        layers.append(sorted(layer))
        rest -= weight
        layer = {left for before in layer for left in (before, before - weight) if 0 <= left < rest}
    return layers


def _clauses(
    terms: Sequence[Term], layers: Sequence[Sequence[int]], n: int
) -> tuple[list[list[int]], int]:
    """The clauses of the nodes, and the number of their variables: one above n per node except the
    root, which comes last."""
    made: list[tuple[int, int, int, int]] = []
    below: dict[int, int] = {}  # the nodes of the previous layer, by the remaining weight
    rest = 0
    for (weight, literal), layer in zip(reversed(terms), reversed(layers), strict=True):

        def after(left: int, below: dict[int, int] = below, rest: int = rest) -> int:
            if left < 0:
                return FALSE
            return below[left] if left < rest else TRUE

        nodes: dict[tuple[int, int], int] = {}
        here: dict[int, int] = {}
        for left in layer:
            children = after(left), after(left - weight)
            if children[0] == children[1]:
                here[left] = children[0]
                continue
            if children not in nodes:
                nodes[children] = n + 1 + len(made)
                made.append((nodes[children], literal, *children))
            here[left] = nodes[children]
        below, rest = here, rest + weight
    clauses = []
    for node, literal, without, within in made:
        guard = [] if node == n + len(made) else [-node]
        if without != TRUE:
            clauses.append([*guard, without])
        clauses.append([*guard, -literal] if within == FALSE else [*guard, -literal, within])
    return clauses, max(0, len(made) - 1)
