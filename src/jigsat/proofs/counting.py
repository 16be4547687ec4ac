"""Certificates of counts: the number of solutions and of distinct ones, without a list.

The formula is an exact cover with bounds, without auxiliary variables. The certificate contains

- the instance file;
- `formula.opb`, as `jigsat export` writes it;
- `solutions.json`, which has only the counts;
- `symmetries.json` and `README.md`, as in other certificates;
- `graphs.txt.xz`: for each conjugacy class of the symmetries a graph that shows how many solutions
  they fix (Burnside's lemma);
- `check_count.py`, a program of a single file that checks the graphs without jigsat and shares no
  code with this.

A problem is a list of constraints: at least `low` and at most `high` of some variables are true. A
constraint with `low` = `high` = 1 is an item; all others are bounds. An option is a set of
variables that are true together; its weight in a constraint is the number of its variables there. A
node of a graph is a state in which some options have been chosen:

- the open items, of which no option has been chosen;
- for each bound its number, the weight of the chosen options, lowered to `low` if the options left
  cannot exceed `high`.

An option is left if all of its items are open. It fits if after it each bound is at most `high` and
can reach `low` with the options left. The number of solutions that continue a state depends on
nothing else.

The text of a graph has one line per node, after the lines of its parents: the number of the node,
the number of one of its open items (as a constraint, from 1), and for each option of the item that
fits, in ascending order, the number of the child, or 0 for a solution. The first node has the
number 1, and each further node the next number when it first occurs as a child. The number of
solutions is the number of ways from the first node to a solution. A graph has no line if a bound
cannot reach `low`.

The file has a graph for one symmetry of each conjugacy class, after a line such as `symmetry 3`:
the number of the symmetry in `symmetries.json`. In this graph, the variables that the symmetry maps
to each other are one option.
"""

import lzma
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import IO, Any, NamedTuple

from jigsat.backends import counting, frontier
from jigsat.errors import CheckError, InputError, unwritable
from jigsat.formula import Cardinality, Clause, Formula, Lowered
from jigsat.ledger.audit import audit_ledger
from jigsat.ledger.file import Ledger
from jigsat.puzzle import Puzzle
from jigsat.symmetry import Group, Level, conjugacy_classes, generators, preserves

PROOF = "graphs.txt.xz"
CHECKER = "check_count.py"
NOT_COUNTABLE = (
    "no certificate of the count can be made; it needs a formula of items and bounds on its "
    "decision variables alone, without "
    "labels, and symmetries that preserve it"
)
"""The message for a formula that `is_plain_cover` refuses."""

FILES = ("formula.opb", "solutions.json", "symmetries.json", PROOF, CHECKER, "README.md")
"""The files in a certificate of a count besides the instance file."""

# level of compression: higher ones take more memory and time, for files that are not smaller
COMPRESSION_LEVEL = 0


def fits(formula: Formula, group: Group) -> bool:
    """Whether a certificate of the count can be made."""
    return counting.is_plain_cover(formula) and preserves(
        formula, *generators(group.levels[Level.ALL])
    )


def checker() -> list[str]:
    """The lines of the program that checks the graphs without jigsat."""
    return Path(__file__).with_name(CHECKER).read_text(encoding="utf-8").splitlines()


MAX_NODE_NUMBER = 2**48  # limit of the numbers of nodes


class Constraint(NamedTuple):
    """At least `low` and at most `high` of these variables are true."""

    variables: tuple[int, ...]
    low: int
    high: int


def constraints_of(formula: Formula) -> list[Constraint]:
    """The constraints in the order of `formula.opb`. Raises CheckError for a formula that is not an
    exact cover with bounds."""
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


Images = tuple[int, ...]  # images of the variables in ascending order
Fixed = dict[Images, int]  # how many solutions each symmetry fixes


class Bound(NamedTuple):
    """A constraint that is not an item: the place of its number in a state, and its options of each
    weight, as bits."""

    low: int
    high: int
    shift: int
    mask: int
    by_weight: list[tuple[int, int]]


class Cover:
    """A problem in which the variables that a permutation maps to each other are one option, with
    the weights of them all.

    Its solutions are those that the permutation fixes. Options are in the order of their first
    variables; one that exceeds `high` alone is left out. A state is an integer: the numbers of the
    bounds, then a bit per open item, then a bit per option that is left. Items have the numbers of
    their constraints, from 0. Raises CheckError for an option in no item.
    """

    def __init__(self, constraints: Sequence[Constraint], images: Mapping[int, int]) -> None:
        # the bit of the option of each variable
        widths = [
            0 if each.low == each.high == 1 else (2 * each.high).bit_length()
            for each in constraints
        ]
        first = sum(widths)
        bit, option = (
            first + len(constraints),
            dict[int, int](),
        )
        for variable in sorted({x for constraint in constraints for x in constraint.variables}):
            bit += variable not in option
            while variable not in option:
                option[variable] = bit
                variable = images.get(variable, variable)
        weights = [Counter(option[x] for x in each.variables) for each in constraints]
        # the first variable of each option
        unusable = {
            x
            for each, row in zip(constraints, weights, strict=True)
            for x in row
            if row[x] > each.high
        }
        usable = {*option.values()} - unusable
        self.variables = {bit: x for x, bit in sorted(option.items(), reverse=True)}
        self.solved = 1 << first  # the states below this number have no open item
        self.items: dict[int, int] = {}  # the bit of each item, as a mask
        self.options: dict[int, int] = {}  # the options of each item, as bits
        self._bounds: list[Bound] = []
        # for each option what it adds to the numbers of the bounds
        self._added = dict.fromkeys(usable, 0)
        # for each option what it leaves of a state: all but its items and their options
        self._kept = dict.fromkeys(usable, -1)
        for number, ((_, low, high), row, width) in enumerate(
            zip(constraints, weights, widths, strict=True)
        ):
            options = row.keys() & usable
            if low == high == 1:
                self.items[number], self.options[number] = (
                    1 << first + number,
                    sum(1 << x for x in options),
                )
                for x in options:
                    self._kept[x] &= ~(self.items[number] | self.options[number])
                continue
            shift = sum(widths[:number])
            for x in options:
                self._added[x] += row[x] << shift
            by_weight = [
                (each, sum(1 << x for x in options if row[x] == each))
                for each in {row[x] for x in options}
            ]
            self._bounds.append(Bound(low, high, shift, (1 << width) - 1, by_weight))
        if -1 in self._kept.values():
            raise CheckError("the formula has a variable in no item")
        self._start = sum(1 << x for x in usable) + sum(self.items.values())

    def start(self) -> int | None:
        """The first state; None if a bound cannot reach `low`."""
        return self._cap_state(self._start)

    def choices(self, state: int, item: int) -> Iterator[tuple[int, int]]:
        """The fitting options of an open item in ascending order, as bits, each with the state
        after it."""
        for option in frontier.bits(state & self.options[item]):
            after = state & self._kept[option]
            if not self._bounds:
                yield option, after
            elif (capped := self._cap_state(after + self._added[option])) is not None:
                yield option, capped

    def _cap_state(self, state: int) -> int | None:
        """The state with lowered numbers; None if a bound exceeds `high` or cannot reach `low`."""
        for low, high, shift, mask, by_weight in self._bounds:
            number = most = state >> shift & mask
            for weight, options in by_weight:
                most += weight * (state & options).bit_count()
            if number > high or most < low:
                return None
            if number > low and most <= high:
                state -= number - low << shift
        return state


def count_orbits(
    levels: Mapping[Images, Level], fixed: Fixed, orders: Mapping[Level, int]
) -> dict[Level, int]:
    """The number of distinct solutions at each level, by Burnside's lemma: the average number that
    a symmetry fixes."""
    return {
        level: sum(fixed[to] for to in levels if levels[to] <= level) // orders[level]
        for level in orders
    }


# item that is decided first after some variables are true, by its number from 0
Splits = Mapping[frozenset[int], int]


def write_graph(file: IO[str], cover: Cover, order: Sequence[int], splits: Splits) -> int:
    """Write a graph that decides the items of the splits, then always the first open item of the
    order.

    Returns the number of solutions. All nodes of an item come before those of later items, so each
    comes after its parents. Raises CheckError for a split of an item that is not open.
    """
    if (start := cover.start()) is None:
        return 0
    solutions, top, depth = 0, 1, 1 + max(map(len, splits), default=-1)
    # For each depth of the splits, then for each item, the states that wait. They are keys; a split
    # has its true variables as well. The value is the node and, in higher bits, the number of ways
    # to it.
    waiting: list[dict[Any, int]] = [{} for _ in range(depth + len(order))]
    waiting[0][(frozenset(), start) if depth else start] = MAX_NODE_NUMBER + 1
    for at in range(len(waiting)):
        here, waiting[at] = waiting[at], {}  # an empty dict that had entries keeps their memory
        while here:
            key, entry = here.popitem()
            ways, node = divmod(entry, MAX_NODE_NUMBER)
            true, state = key if at < depth else (None, key)
            item = order[at - depth] if true is None else splits[true]
            if not state & cover.items[item]:
                raise CheckError("the ledger splits an item that is not open")
            line = [node, item + 1]
            for option, after in cover.choices(state, item):
                if after < cover.solved:
                    solutions += ways
                    line.append(0)
                    continue
                place, key = at + 1, after
                if true is not None and (chosen := true | {cover.variables[option]}) in splits:
                    key = chosen, after
                else:
                    place = max(place, depth)
                    while not after & cover.items[order[place - depth]]:
                        place += 1
                entry = waiting[place].get(key, top + 1)
                waiting[place][key] = entry + ways * MAX_NODE_NUMBER
                line.append(entry % MAX_NODE_NUMBER)
                top = max(top, line[-1])
            file.write(f"{' '.join(map(str, line))}\n")
    return solutions


def write_graphs(
    path: Path, formula: Formula, group: Group, listed: Sequence[Sequence[int]], splits: Splits
) -> Fixed:
    """Write the graphs of all symmetries; returns how many solutions each symmetry fixes.

    `listed` are the images of the variables, in the order of `symmetries.json`. Items are decided
    in the order in which the counter decides them; without a symmetry, those of the splits come
    first.
    """
    constraints, largest = constraints_of(formula), group.levels[Level.ALL]
    number = {tuple(images): at for at, images in enumerate(listed, 1)}
    fixed = Fixed()
    try:
        with lzma.open(path, "wt", preset=COMPRESSION_LEVEL, encoding="ascii") as file:
            for alike in conjugacy_classes(largest):
                cover = Cover(constraints, dict(zip(formula.decisions(), alike[0], strict=True)))
                items = list(cover.options)
                best = frontier.order(
                    frontier.Items([list(frontier.bits(cover.options[item])) for item in items])
                )
                first = splits if [*alike[0]] == formula.decisions() else {}
                file.write(f"symmetry {number[alike[0]]}\n")
                fixed |= dict.fromkeys(
                    alike, write_graph(file, cover, [items[at] for at in best], first)
                )
    except OSError as error:
        raise unwritable(path, error) from error
    return fixed


class CompleteLedger(NamedTuple):
    """The item that is split after some variables are true, by its number from 0, and the
    counts."""

    splits: Splits
    solutions: int
    distinct: dict[Level, int]


def read_ledger(path: Path, puzzle: Puzzle, constraints: list[Constraint]) -> CompleteLedger:
    """The splits and counts of a ledger.

    Raises InputError unless it is a complete ledger of the puzzle, and CheckError if an audit of
    its tree finds a fault.
    """
    with closing(Ledger(path)) as ledger:
        header = ledger.header
        if header.digest != puzzle.digest():
            raise InputError(
                f"{path}: belongs to another instance, {header.instance}; name its ledger"
            )
        if header.problem is None:
            raise InputError(
                f"{path}: the search in it was not split into subproblems; leave out --store"
            )
        ledger.validate()
        if ledger.states().get("open"):
            raise InputError(
                f"{path}: not complete; continue it with: jigsat count {puzzle.name} --store {path}"
            )
        audit = audit_ledger(ledger, 0)
        if audit.faults:
            raise CheckError(f"{path}: {audit.faults[0]}")
        items = {
            frozenset(each.variables): at
            for at, each in enumerate(constraints)
            if each.low == each.high == 1
        }
        chosen: dict[tuple[int, ...], set[int]] = {}
        for row in ledger.every():
            if row.state == "split":
                chosen[row.literals] = {*(row.refuted or ())}
            if row.parent is not None:
                chosen[row.literals[:-1]].add(row.literals[-1])
    try:
        splits = {
            frozenset(literals): items[frozenset(options)] for literals, options in chosen.items()
        }
    except KeyError:
        raise InputError(
            f"{path}: it is split by the values of variables, which has no graph; leave out --store"
        ) from None
    return CompleteLedger(splits, audit.solutions, audit.distinct)
