"""Graphs that certify the number of solutions of an exact cover, and their checker, which shares no code with the counter.

A problem is a list of constraints: at least `low` and at most `high` of some variables are true. A constraint with `low` =
`high` = 1 is an item; all others are bounds. An option is a set of variables that are true together; its weight in a constraint
is the number of its variables there. A node of a graph is a state in which some options have been chosen:

- the open items, of which no option has been chosen;
- for each bound its number, the weight of the chosen options, lowered to `low` if the options left cannot exceed `high`.

An option is left if all of its items are open. It fits if after it each bound is at most `high` and can reach `low` with the
options left. The number of solutions that continue a state depends on nothing else.

The text of a graph has one line per node, after the lines of its parents: the number of the node, the number of one of its
open items (as a constraint, from 1), and for each option of the item that fits, in ascending order, the number of the child, or
0 for a solution. The first node has the number 1, and each further node the next number when it first occurs as a child. The
number of solutions is the number of ways from the first node to a solution. A graph has no line if a bound cannot reach `low`.

The file has a graph for one symmetry of each conjugacy class, after a line such as `symmetry 3`: the number of the symmetry in
`symmetries.json`. In this graph, the variables that the symmetry maps to each other are one option.
"""

from __future__ import annotations

import lzma
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import IO, NamedTuple

from jigsat.errors import CheckError, plural
from jigsat.formula import Cardinality, Clause, Formula, Lowered
from jigsat.symmetry import Group, Permutation

LONGEST = 2**20
"""The maximum length of a line in bytes."""

PIECE = 2**16
"""The number of bytes that are read or unpacked at once."""

UNPACKING = 2**26
"""The maximum memory for unpacking, in bytes."""


class Constraint(NamedTuple):
    """At least `low` and at most `high` of these variables are true."""

    variables: tuple[int, ...]
    low: int
    high: int


def constraints_of(formula: Formula) -> list[Constraint]:
    """The constraints in the order of `formula.opb`. Raises CheckError for a formula that is not an exact cover with bounds."""
    found = []
    for constraint in Lowered(formula, native=frozenset({"cardinality"})):
        match constraint:
            case Clause((literal,)) if literal < 0:
                found.append(Constraint((-literal,), 0, 0))
            case Clause(literals) if min(literals) > 0:
                found.append(Constraint(literals, 1, len(literals)))
            case Cardinality(literals, low, high) if min(literals) > 0:
                found.append(Constraint(literals, max(0, low), min(high, len(literals))))
            case _:
                raise CheckError("the formula is not an exact cover with bounds")
    return found


Fixed = dict[tuple[int, ...], int]
"""For each symmetry, by the images of the variables, how many solutions it fixes."""

State = tuple[int, tuple[int, ...]]
"""The open items and the options left, as bits, and the numbers of the bounds."""


class Bound(NamedTuple):
    """A constraint that is not an item, with its options of each weight, as bits."""

    low: int
    high: int
    by_weight: list[tuple[int, int]]


class Cover:
    """A problem in which the variables that a permutation maps to each other are one option, with the weights of them all.

    Its solutions are those that the permutation fixes. Options are in the order of their first variables. An option that alone
    exceeds `high` is left out. In a set of bits, the bit of an item is the number of its constraint, from 0, and the bits of
    options follow those of constraints. Raises CheckError for an option in no item.
    """

    def __init__(self, constraints: Sequence[Constraint], images: Mapping[int, int]) -> None:
        option: dict[int, int] = {}  # the bit of the option of each variable
        for variable in sorted({x for constraint in constraints for x in constraint.variables}):
            bit = len(constraints) + len({*option.values()})
            while variable not in option:
                option[variable] = bit
                variable = images.get(variable, variable)
        weights = [Counter(option[x] for x in each.variables) for each in constraints]
        unusable = {x for each, row in zip(constraints, weights, strict=True) for x in row if row[x] > each.high}
        usable = {*option.values()} - unusable
        self.items: dict[int, int] = {}
        """The options of each item."""
        self.bounds: list[Bound] = []
        self._counted: dict[int, list[tuple[int, int]]] = {x: [] for x in usable}
        """For each option the bounds that count it, with its weights."""
        self._kept = dict.fromkeys(usable, -1)
        """For each option what is still open or left after it: all but its items and their options."""
        for number, (constraint, row) in enumerate(zip(constraints, weights, strict=True)):
            options = row.keys() & usable
            if constraint.low == constraint.high == 1:
                self.items[number] = sum(1 << x for x in options)
                for x in options:
                    self._kept[x] &= ~(self.items[number] | 1 << number)
            else:
                for x in options:
                    self._counted[x].append((len(self.bounds), row[x]))
                by_weight = [(each, sum(1 << x for x in options if row[x] == each)) for each in {row[x] for x in options}]
                self.bounds.append(Bound(constraint.low, constraint.high, by_weight))
        if -1 in self._kept.values():
            raise CheckError("the formula has a variable in no item")
        self._all = sum(1 << bit for bit in (*self.items, *usable))

    def start(self) -> State | None:
        """The first state; None if a bound cannot reach `low`."""
        numbers = self._capped(self._all, [0] * len(self.bounds))
        return None if numbers is None else (self._all, numbers)

    def children(self, state: State, item: int) -> Iterator[State]:
        """The states after each fitting option of an open item, in ascending order of the options. The last one is (0, …)."""
        open_, before = state
        for option in bits(open_ & self.items[item]):
            left = open_ & self._kept[option]
            if not self.bounds:
                yield left, before
                continue
            numbers = list(before)
            for bound, weight in self._counted[option]:
                numbers[bound] += weight
            if (capped := self._capped(left, numbers)) is not None:
                yield left, capped

    def _capped(self, left: int, numbers: list[int]) -> tuple[int, ...] | None:
        """The numbers of bounds with these options left; None if one exceeds `high` or cannot reach `low`."""
        for at, (low, high, by_weight) in enumerate(self.bounds):
            number = most = numbers[at]
            for weight, options in by_weight:
                most += weight * (left & options).bit_count()
            if number > high or most < low:
                return None
            if most <= high and number > low:
                numbers[at] = low
        return tuple(numbers)


def bits(vector: int) -> Iterator[int]:
    """The positions of the set bits."""
    while vector:
        low = vector & -vector
        yield low.bit_length() - 1
        vector ^= low


def read_lines(path: Path) -> Iterator[bytes]:
    """The lines of a text compressed by LZMA. Raises CheckError if it is damaged, incomplete or unreasonably large."""
    unpacker = lzma.LZMADecompressor(lzma.FORMAT_XZ, memlimit=UNPACKING)
    with path.open("rb") as file:
        rest = b""
        while not unpacker.eof:
            packed = file.read(PIECE) if unpacker.needs_input else b""
            if unpacker.needs_input and not packed:
                raise CheckError(f"{path.name}: the end is missing")
            try:
                rest += unpacker.decompress(packed, PIECE)
            except lzma.LZMAError as error:
                raise CheckError(f"{path.name}: cannot be unpacked: {str(error).lower()}") from None
            *whole, rest = rest.split(b"\n")
            yield from whole
            if len(rest) > LONGEST:
                raise CheckError(f"{path.name}: a line is longer than {LONGEST >> 20} MiB, the limit")
        if rest or unpacker.unused_data or file.read(1):
            raise CheckError(f"{path.name}: something follows after the last line")


def count_fixed(path: Path, constraints: Sequence[Constraint], group: Sequence[Permutation]) -> tuple[Fixed, int, int]:
    """How many solutions each symmetry fixes, by the graphs in a file; the number of graphs and that of their nodes.

    `group` are the symmetries in the order of `symmetries.json`, which must map the formula to itself. Conjugate symmetries fix
    equally many solutions. Raises CheckError if a graph is wrong or missing.
    """
    elements, fixed, graphs, nodes = [images_of(each) for each in group], Fixed(), 0, 0
    place = {x: at for at, x in enumerate(sorted(group[0]))}
    inverses = [sorted(place.values(), key=element.__getitem__) for element in elements]
    text = read_lines(path)
    for line in text:
        word, _, number = line.decode(errors="replace").partition(" ")
        if word != "symmetry" or number not in map(str, range(1, len(group) + 1)):
            raise CheckError(f"{path.name}: {line[:60]!r} is not 'symmetry' and its number")
        element = elements[int(number) - 1]
        if element in fixed:
            raise CheckError(f"{path.name}: symmetry {number} or a conjugate one has a graph already")
        try:
            solutions, size = count_solutions(Cover(constraints, group[int(number) - 1]), text)
        except CheckError as error:
            raise CheckError(f"{path.name}: symmetry {number}: {error}") from None
        graphs, nodes = graphs + 1, nodes + size
        for conjugating, inverse in zip(elements, inverses, strict=True):
            fixed[tuple([conjugating[place[element[x]]] for x in inverse])] = solutions
    if missing := [at for at, element in enumerate(elements, 1) if element not in fixed]:
        raise CheckError(f"{path.name}: the graph of symmetry {missing[0]} is missing")
    return fixed, graphs, nodes


def images_of(permutation: Permutation) -> tuple[int, ...]:
    """The images of the variables in ascending order."""
    return tuple([permutation[x] for x in sorted(permutation)])


def count_orbits(group: Group, fixed: Fixed) -> dict[str, int]:
    """The number of distinct solutions at each level, by Burnside's lemma: the average number that a symmetry fixes."""
    return {level: sum(fixed[images_of(x)] for x in group.levels[level]) // order for level, order in group.orders.items()}


def count_solutions(cover: Cover, lines: Iterable[bytes]) -> tuple[int, int]:
    """The number of solutions and the number of nodes, by the lines of a graph. Raises CheckError for a wrong line."""
    start = cover.start()
    if start is None:
        return 0, 0
    waiting, top, solutions = {1: (start, 1)}, 1, 0  # nodes whose lines follow, with the number of ways to them
    for line in lines:
        try:
            node, item, *listed = map(int, line.split())
        except ValueError:
            raise CheckError(f"{line[:60].decode(errors='replace')!r} is not the line of a node") from None
        if node not in waiting:
            raise CheckError(f"node {node} is not a child of an earlier node, or its line is given twice")
        state, ways = waiting.pop(node)
        if item - 1 not in cover.items or not state[0] >> item - 1 & 1:
            raise CheckError(f"node {node}: constraint {item} is not an open item")
        children = [*cover.children(state, item - 1)]
        if len(children) != len(listed):
            raise CheckError(f"node {node} has {len(listed)} children and should have {len(children)}")
        for child, after in zip(listed, children, strict=True):
            if not after[0]:
                if child:
                    raise CheckError(f"node {node}: child {child} should be 0, as no item is open")
                solutions += ways
            elif child == top + 1:
                waiting[child] = after, ways
                top = child
            elif child not in waiting:
                raise CheckError(f"node {node}: child {child} is neither the next new node nor one whose line follows")
            else:
                same, others = waiting[child]
                if same != after:
                    raise CheckError(f"node {node}: child {child} was reached before in another state")
                waiting[child] = after, others + ways
        if not waiting:
            return solutions, top
    raise CheckError(f"the lines of {plural(len(waiting), 'node')} are missing")


def write_graph(file: IO[str], cover: Cover, order: Sequence[int]) -> int:
    """Write a graph that always decides the first open item of the order; returns the number of solutions.

    All nodes of an item come before those of later items, so each comes after its parents.
    """
    if (start := cover.start()) is None:
        return 0
    waiting: list[dict[State, tuple[int, int]]] = [{} for _ in order]  # nodes and the ways to them, by their items
    waiting[0][start] = 1, 1
    top, solutions = 1, 0
    for at, item in enumerate(order):
        while waiting[at]:
            state, (node, ways) = waiting[at].popitem()
            line = [node, item + 1]
            for after in cover.children(state, item):
                if not after[0]:
                    solutions += ways
                    line.append(0)
                    continue
                place = at + 1
                while not after[0] >> order[place] & 1:
                    place += 1
                child, others = waiting[place].get(after, (top + 1, 0))
                waiting[place][after] = child, others + ways
                top = max(top, child)
                line.append(child)
            file.write(f"{' '.join(map(str, line))}\n")
    return solutions
