"""Certificates of counts: the number of solutions and of distinct ones, without a list.

The formula is an exact cover with bounds, without auxiliary variables other than slacks, which name
what is left over (`Formula.slacks`). The certificate contains

- the instance file;
- `formula.opb`, as `jigsat export` writes it;
- `solutions.json`, which has only the counts;
- `symmetries.json` and `README.md`, as in other certificates;
- `graphs.txt.xz`: for each conjugacy class of the symmetries a graph that shows how many solutions
  they fix (Burnside's lemma);
- `check_count.py`, a program of a single file that checks the graphs without jigsat and shares no
  code with this.

A node of a graph is a state of the problem, as `jigsat.proofs.covers` defines problems, states and
the options that fit.

The text of a graph has one line per node, after the lines of its parents: the number of the node,
the number of one of its open items (as a constraint, from 1), and for each option of the item that
fits, in ascending order, the number of the child, or 0 for a solution. The first node has the
number 1, and each further node the next number when it first occurs as a child. The number of
solutions is the number of ways from the first node to a solution. A graph has no line if a bound
cannot reach `low`.

The file has a graph for one symmetry of each conjugacy class, after a line such as `symmetry 3`:
the number of the symmetry in `symmetries.json`. In this graph, the variables that the symmetry maps
to each other are one option. The image of a slack is the slack that completes the image of its
item.
"""

import lzma
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import IO, NamedTuple, TypeVar

from jigsat.backends import counting, frontier
from jigsat.errors import CheckError, InputError, unwritable
from jigsat.formula import Formula
from jigsat.ledger.audit import audit_ledger
from jigsat.ledger.file import Ledger
from jigsat.ledger.tree import SubproblemTree
from jigsat.proofs.covers import Constraint, Cover, extend_to_slacks, list_constraints
from jigsat.puzzle import Puzzle
from jigsat.symmetry import Group, Level, conjugacy_classes, generators, preserves

PROOF = "graphs.txt.xz"
CHECKER = "check_count.py"
"""The program in a certificate. Verification compares it, so a change of its text refutes the
certificates that were written before."""
NOT_COUNTABLE = (
    "no certificate of the count can be made; it needs a formula of items and bounds on its "
    "decision variables alone, without labels, and symmetries that preserve it"
)
"""The message for a formula that `is_plain_cover` refuses."""

FILES = ("formula.opb", "solutions.json", "symmetries.json", PROOF, CHECKER, "README.md")
"""The files in a certificate of a count besides the instance file."""

COMPRESSION_LEVEL = 0
"""Higher levels take more memory and time, for files that are not smaller."""

Images = tuple[int, ...]
"""The images of the variables in ascending order."""

Fixed = dict[Images, int]
"""How many solutions each symmetry fixes."""

Splits = Mapping[frozenset[int], int]
"""The item that is decided first after some variables are true, by its number from 0."""

Key = TypeVar("Key")


def fits(formula: Formula, group: Group) -> bool:
    """Whether a certificate of the count can be made."""
    if not counting.is_plain_cover(formula):
        return False
    constraints = list_constraints(formula)
    symmetries = generators(group.levels[Level.ALL])
    return preserves(formula, *(extend_to_slacks(constraints, images) for images in symmetries))


def checker() -> list[str]:
    """The lines of the program that checks the graphs without jigsat."""
    return Path(__file__).with_name(CHECKER).read_text(encoding="utf-8").splitlines()


def count_orbits(
    levels: Mapping[Images, Level], fixed: Fixed, orders: Mapping[Level, int]
) -> dict[Level, int]:
    """The number of distinct solutions at each level, by Burnside's lemma: the average number that
    a symmetry fixes."""
    counts = {}
    for level, order in orders.items():
        total = sum(fixed[images] for images in levels if levels[images] <= level)
        counts[level] = total // order
    return counts


WAYS_UNIT = 2**48
"""A node waits with its number and the number of ways to it in one integer, the ways multiplied by
this. It bounds the numbers of nodes."""


def pop_all(nodes: dict[Key, int]) -> Iterator[tuple[Key, int, int]]:
    """Take nodes that wait, the last first: the key, the number of the node, and the number of ways
    to it."""
    while nodes:
        key, entry = nodes.popitem()
        ways, node = divmod(entry, WAYS_UNIT)
        yield key, node, ways


class GraphWriter:
    """Writes a graph that decides the items of the splits, then always the first open item of the
    order.

    All nodes of an item come before those of later items, so each comes after its parents. Nodes
    that wait are the entries of dictionaries: by their true variables and their state while they
    are split, then by their state alone.
    """

    def __init__(self, file: IO[str], cover: Cover, order: Sequence[int], splits: Splits) -> None:
        self._file = file
        self._cover = cover
        self._order = order
        self._splits = splits
        deepest = max(map(len, splits), default=-1)
        # by the number of true variables
        self._split: list[dict[tuple[frozenset[int], int], int]] = [{} for _ in range(deepest + 1)]
        # by the place of the item in the order
        self._open: list[dict[int, int]] = [{} for _ in order]
        self._last_node = 0
        self._solutions = 0

    def write(self) -> int:
        """Write all nodes; returns the number of solutions. Raises CheckError for a split of an
        item that is not open."""
        start = self._cover.start()
        if start is None:
            return 0
        if self._splits:
            self._enter(self._split[0], (frozenset(), start), 1)
        else:
            self._enter(self._open[0], start, 1)

        for split in self._split:
            for (true, state), node, ways in pop_all(split):
                self._write_split_node(true, state, node, ways)
        for place, item in enumerate(self._order):
            states = self._open[place]
            self._open[place] = {}  # an empty dictionary that had entries keeps their memory
            for state, node, ways in pop_all(states):
                self._write_node(place, item, state, node, ways)
        return self._solutions

    def _write_split_node(self, true: frozenset[int], state: int, node: int, ways: int) -> None:
        item = self._splits[true]
        if not state & self._cover.items[item]:
            raise CheckError("the ledger splits an item that is not open")
        children = []
        for option, after in self._cover.choices(state, item):
            chosen = true | {self._cover.variables[option]}
            if after < self._cover.solved:
                self._solutions += ways
                children.append(0)
            elif chosen in self._splits:
                children.append(self._enter(self._split[len(chosen)], (chosen, after), ways))
            else:
                children.append(self._enter_in_order(0, after, ways))
        self._write_line(node, item, children)

    def _write_node(self, place: int, item: int, state: int, node: int, ways: int) -> None:
        children = []
        for _, after in self._cover.choices(state, item):
            if after < self._cover.solved:
                self._solutions += ways
                children.append(0)
            else:
                children.append(self._enter_in_order(place + 1, after, ways))
        self._write_line(node, item, children)

    def _write_line(self, node: int, item: int, children: list[int]) -> None:
        self._file.write(f"{' '.join(map(str, [node, item + 1, *children]))}\n")

    def _enter_in_order(self, place: int, state: int, ways: int) -> int:
        """Let a state wait for its first open item, which is at this place of the order or later;
        returns its node."""
        while not state & self._cover.items[self._order[place]]:
            place += 1
        return self._enter(self._open[place], state, ways)

    def _enter(self, nodes: dict[Key, int], key: Key, ways: int) -> int:
        """Add ways to a node that waits, a new one if need be; returns its number."""
        entry = nodes.get(key)
        if entry is None:
            self._last_node += 1
            entry = self._last_node
        nodes[key] = entry + ways * WAYS_UNIT
        return entry % WAYS_UNIT


def write_graphs(
    path: Path, formula: Formula, group: Group, listed: Sequence[Sequence[int]], splits: Splits
) -> Fixed:
    """Write the graphs of all symmetries; returns how many solutions each symmetry fixes.

    `listed` are the images of the variables, in the order of `symmetries.json`. Items are decided
    in the order in which the counter decides them; without a symmetry, those of the splits come
    first.
    """
    constraints = list_constraints(formula)
    variables = formula.decisions()
    number = {tuple(images): i for i, images in enumerate(listed, 1)}
    fixed: Fixed = {}
    try:
        with lzma.open(path, "wt", preset=COMPRESSION_LEVEL, encoding="ascii") as file:
            for conjugate in conjugacy_classes(group.levels[Level.ALL]):
                images = conjugate[0]
                is_identity = list(images) == variables
                to = extend_to_slacks(constraints, dict(zip(variables, images, strict=True)))
                cover = Cover(constraints, to)
                file.write(f"symmetry {number[images]}\n")
                writer = GraphWriter(
                    file, cover, choose_order(cover), splits if is_identity else {}
                )
                fixed |= dict.fromkeys(conjugate, writer.write())
    except OSError as error:
        raise unwritable(path, error) from error
    return fixed


def choose_order(cover: Cover) -> list[int]:
    """The order in which the counter decides the items."""
    items = list(cover.options)
    options = [list(frontier.bits(cover.options[item])) for item in items]
    return [items[i] for i in frontier.order(frontier.Items(options))]


class CompleteLedger(NamedTuple):
    """The splits of a ledger and its counts."""

    splits: Splits
    solutions: int
    distinct: dict[Level, int]


def read_ledger(path: Path, puzzle: Puzzle, constraints: Collection[Constraint]) -> CompleteLedger:
    """The splits and counts of a ledger.

    Raises InputError unless it is a complete ledger of the puzzle, and CheckError if an audit of
    its tree finds a fault.
    """
    with closing(Ledger(path)) as ledger:
        _require_completeness(path, ledger, puzzle)
        audit = audit_ledger(ledger, 0)
        if audit.faults:
            raise CheckError(f"{path}: {audit.faults[0]}")
        tree = SubproblemTree()
        for fault in tree.read(ledger.every()):
            raise CheckError(f"{path}: {fault}")
    items = {
        frozenset(constraint.variables): number
        for number, constraint in enumerate(constraints)
        if constraint.is_item
    }
    splits = {}
    for literals, options in tree.choices():
        if options not in items:
            raise InputError(
                f"{path}: it is split by the values of variables, which has no graph; leave out "
                f"--store"
            )
        splits[frozenset(literals)] = items[options]
    return CompleteLedger(splits, audit.solutions, audit.distinct)


def _require_completeness(path: Path, ledger: Ledger, puzzle: Puzzle) -> None:
    """Raise InputError unless this is a complete ledger of the puzzle that was split."""
    header = ledger.header
    if header.digest != puzzle.digest():
        raise InputError(f"{path}: belongs to another instance, {header.instance}; name its ledger")
    if header.problem is None:
        raise InputError(
            f"{path}: the search in it was not split into subproblems; leave out --store"
        )
    ledger.validate()
    if ledger.states().get("open"):
        raise InputError(
            f"{path}: not complete; continue it with: jigsat count {puzzle.name} --store {path}"
        )
