"""Symmetry breaking for groups that are given by generators: lexicographic order (lex-leader
constraints).

Of the members of an orbit, written as rows of truth values in the order of the variables, the
largest is not smaller than its image under any element of the group. This is required for some
elements, so at least one member of every orbit is left, most often several (J. Crawford, M.
Ginsberg, E. Luks, A. Roy: 'Symmetry-breaking predicates for search problems', KR 1996).

These are the generators, and the conjugates of those that are their own inverses. If generators
exchange whole rows of variables, such as the placements of one tile for those of another, so do the
conjugates, and one order of the rows is left.
"""

from collections.abc import Iterator, Sequence
from itertools import chain, islice, permutations

from jigsat.formula import Formula
from jigsat.symmetry.group import Permutation

MAX_CONJUGATES = 10_000  # maximum number of conjugates that are used


def lex_leaders(formula: Formula, generators: Sequence[Permutation]) -> Formula:
    """The formula with clauses that at least one member of every orbit of its solutions satisfies.

    `generators` are permutations of decision variables that generate the group, each without the
    variables that it fixes. The clauses have auxiliary variables.
    """
    broken = formula.extended()
    seen = set()
    with broken.rule("symmetry breaking"):
        for images in chain(islice(_conjugates(generators), MAX_CONJUGATES), generators):
            pairs = tuple(_compared_pairs(images))
            if pairs not in seen:
                seen.add(pairs)
                _not_smaller(broken, pairs)
    return broken


def _conjugates(generators: Sequence[Permutation]) -> Iterator[Permutation]:
    """The products ghg of generators that are their own inverses and do not commute at sight."""
    exchanging = [images for images in generators if all(images[y] == x for x, y in images.items())]
    for g, h in permutations(exchanging, 2):
        if not g.keys().isdisjoint(h):
            yield {g.get(x, x): g.get(y, y) for x, y in h.items()}


def _compared_pairs(images: Permutation) -> Iterator[tuple[int, int]]:
    """The variables with their images, in ascending order, without pairs that are equal if those
    before are."""
    same: dict[int, int] = {}

    def first(x: int) -> int:
        while x in same:
            x = same[x]
        return x

    for x in sorted(images):
        a = first(x)
        b = first(images[x])
        if a != b:
            same[a] = b
            yield x, images[x]


def _not_smaller(formula: Formula, pairs: Sequence[tuple[int, int]]) -> None:
    """The values of the first variables are not lexicographically smaller than those of the second
    variables."""
    number = formula.top
    keys = [(number, i) for i in range(len(pairs) - 1)]
    equal = formula.variables("equal so far", ("permutation", "pair"), keys, decision=False)
    before: list[int] = []
    for i, (x, image) in enumerate(pairs):
        formula.clause([*before, x, -image])
        if i < len(pairs) - 1:
            after = equal(number, i)
            formula.clause([*before, x, after])
            formula.clause([*before, -image, after])
            before = [-after]
