"""Symmetry breaking for groups that are given by generators: lexicographic order (lex-leader constraints).

Of the members of an orbit, written as rows of truth values in a fixed order of the variables, the largest is not smaller than
its image under any element of the group. This is required for some elements, so at least one member of every orbit is left,
most often several (J. Crawford, M. Ginsberg, E. Luks, A. Roy: 'Symmetry-breaking predicates for search problems', KR 1996).

Where generators exchange whole rows of variables, such as the placements of one tile for those of another, the rows can be
permuted in any way. The order of the variables is then row by row, and each row is compared with the next one alone, which
leaves one order of the rows (J. Devriendt, B. Bogaerts, M. Bruynooghe, M. Denecker: 'Improved static symmetry breaking for
SAT', SAT 2016).
"""

from collections.abc import Iterator, Sequence
from itertools import chain, combinations, islice, pairwise
from math import inf

from jigsat.formula import Formula
from jigsat.symmetry.group import Model, Permutation, reach

ImageRow = tuple[int, ...]  # variables; all rows of a block have the same number of them, in corresponding order
MAX_POWERS = 12  # maximum number of powers of a generator that are used in addition to it

MAX_ORBIT_MEMBERS = 100  # at most this many members of an orbit are computed


class SomeImages:
    """Some images of a solution, for a group that is too large to list. It takes the place of a `Group` in a search.

    They are closed under the generators up to `MAX_ORBIT_MEMBERS` images. Rows of a block are put in order in each, so that
    images that lex-leader clauses exclude are left out.
    """

    def __init__(self, generators: Sequence[Permutation]) -> None:
        self._blocks = interchangeable(generators)
        ends = [{frozenset(row) for row in block} for block in self._blocks]
        self._generators = [images for images in generators if not any(_exchanges(images, rows) for rows in ends)]
        self._places = [
            {x: (number, column) for number, row in enumerate(block) for column, x in enumerate(row)} for block in self._blocks
        ]

    def orbit(self, model: Model, level: str) -> set[Model]:
        found = reach(
            [self._in_order(model)],
            lambda member: (self._in_order(frozenset([images.get(x, x) for x in member])) for images in self._generators),
        )
        return {model, *islice(found, MAX_ORBIT_MEMBERS)}

    def first(self, model: Model, level: str) -> tuple[int, ...]:
        return tuple(min(map(sorted, self.orbit(model, level))))

    def breaking(self, formula: Formula, level: str) -> None:
        """No clause, because the lex-leader clauses of the formula break the symmetry."""

    def _in_order(self, model: Model) -> Model:
        """The image in which the rows of each block, as truth values, are in descending lexicographic order."""
        for rows, places in zip(self._blocks, self._places, strict=True):
            columns: list[list[float]] = [[] for _ in rows]
            for x in sorted(model & places.keys(), key=places.__getitem__):
                number, column = places[x]
                columns[number].append(column)
            ordered = sorted([*own, inf] for own in columns)  # the smaller the first column, the larger the row
            chosen = (row[int(column)] for row, own in zip(rows, ordered, strict=True) for column in own[:-1])
            model = model.difference(places).union(chosen)
        return model


def _exchanges(images: Permutation, rows: set[frozenset[int]]) -> bool:
    """Whether a generator exchanges two of these rows and moves nothing else."""
    return any(2 * len(row) == len(images) and row <= images.keys() and {images[x] for x in row} in rows for row in rows)


def lex_leaders(formula: Formula, generators: Sequence[Permutation]) -> Formula:
    """The formula with clauses that at least one member of every orbit of its solutions satisfies.

    `generators` are permutations of decision variables that generate the group, each without the variables that it fixes. The
    clauses have auxiliary variables.
    """
    blocks = interchangeable(generators)
    rows = chain.from_iterable(chain.from_iterable(block) for block in blocks)
    order = {x: number for number, x in enumerate(dict.fromkeys([*rows, *formula.decisions()]))}
    exchanges = (dict(zip((*a, *b), (*b, *a), strict=True)) for block in blocks for a, b in pairwise(block))
    broken = formula.extended()
    with broken.group("symmetry breaking"):
        seen = set()
        for images in chain(exchanges, *map(_powers, generators)):
            pairs = tuple(_compared_pairs(images, order))
            if pairs not in seen:
                seen.add(pairs)
                _not_smaller(broken, pairs)
    return broken


def interchangeable(generators: Sequence[Permutation]) -> list[list[ImageRow]]:
    """Blocks of rows of variables such that the group contains every permutation of the rows of a block.

    A generator that is its own inverse exchanges two rows. The variables that two such generators both move are a row, if each
    of the two maps them to all other variables that it moves. A block whose rows are not disjoint is left out.

    >>> interchangeable([{1: 3, 3: 1, 2: 4, 4: 2}, {3: 5, 5: 3, 4: 6, 6: 4}])
    [[(1, 2), (3, 4), (5, 6)]]
    """
    exchanging = [images for images in generators if all(images[y] == x for x, y in images.items())]
    neighbours: dict[frozenset[int], dict[int, Permutation]] = {}
    for g, h in combinations(exchanging, 2):
        row = frozenset(g.keys() & h.keys())
        # each of the two exchanges the row with another one and moves nothing else
        if row and all(2 * len(row) == len(images) and row.isdisjoint(images[x] for x in row) for images in (g, h)):
            for images in (g, h):
                for end in (row, frozenset(images[x] for x in row)):
                    neighbours.setdefault(end, {})[id(images)] = images
    starts = sorted(neighbours, key=min)
    return [block for start in starts if start in neighbours and (block := _block(start, neighbours))]


def _block(start: frozenset[int], neighbours: dict[frozenset[int], dict[int, Permutation]]) -> list[ImageRow]:
    """The rows that can be reached from one, which are removed from `neighbours`; empty if they are not disjoint."""
    rows = {start: tuple(sorted(start))}
    queue = [start]
    for row in queue:  # grows during the loop
        for images in neighbours.pop(row, {}).values():
            moved = tuple(images[x] for x in rows[row])
            if (other := frozenset(moved)) not in rows:
                rows[other] = moved
                queue.append(other)
    if len(frozenset().union(*rows)) < sum(map(len, rows)):
        return []
    return sorted(rows.values(), key=min)


def _powers(images: Permutation) -> Iterator[Permutation]:
    """A permutation and its powers, except the identity."""
    power = dict(images)
    for _ in range(MAX_POWERS):
        if not power:
            return
        yield power
        power = {x: z for x, y in power.items() if (z := images.get(y, y)) != x}


def _compared_pairs(images: Permutation, order: dict[int, int]) -> Iterator[tuple[int, int]]:
    """The variables with their images, in the order of comparison, without pairs that are equal if those before are."""
    same: dict[int, int] = {}

    def first(x: int) -> int:
        while x in same:
            x = same[x]
        return x

    for x in sorted(images, key=order.__getitem__):
        a, b = first(x), first(images[x])
        if a != b:
            same[a] = b
            yield x, images[x]


def _not_smaller(formula: Formula, pairs: Sequence[tuple[int, int]]) -> None:
    """The values of the first variables are not lexicographically smaller than those of the second variables."""
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
