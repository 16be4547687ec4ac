"""Exact covers with bounds, as certificates of counts read them.

A problem is a list of constraints: at least `low` and at most `high` of some variables are true. A
constraint with `low` = `high` = 1 is an item; all others are bounds. An option is a set of
variables that are true together; its weight in a constraint is the number of its variables there.
A state is what some chosen options leave:

- the open items, of which no option has been chosen;
- for each bound its number, the weight of the chosen options, lowered to `low` if the options left
  cannot exceed `high`.

An option is left if all of its items are open. It fits if after it each bound is at most `high` and
can reach `low` with the options left. The number of solutions that continue a state depends on
nothing else.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from jigsat.backends import frontier
from jigsat.errors import CheckError
from jigsat.formula import Cardinality, Clause, Formula, Lowered

EVERYTHING = -1
"""The mask that keeps all bits of a state."""


class Constraint(NamedTuple):
    """At least `low` and at most `high` of these variables are true."""

    variables: tuple[int, ...]
    low: int
    high: int

    @property
    def is_item(self) -> bool:
        """Whether exactly one variable is true."""
        return self.low == self.high == 1

    @property
    def width(self) -> int:
        """How many bits of a state the number of a bound needs; it stays below 2 * `high`."""
        return 0 if self.is_item else (2 * self.high).bit_length()


def list_constraints(formula: Formula) -> list[Constraint]:
    """The constraints in the order of `formula.opb`. Raises CheckError for a formula that is not an
    exact cover with bounds."""
    constraints = []
    for constraint in Lowered(formula, native=frozenset({"cardinality"})):
        match constraint:
            case Clause((literal,)) if literal < 0:
                constraints.append(Constraint((-literal,), 0, 0))
            case Clause(literals) if min(literals) > 0:
                constraints.append(Constraint(literals, 1, len(literals)))
            case Clause(literals) if max(literals) < 0:
                variables = tuple(-x for x in literals)
                constraints.append(Constraint(variables, 0, len(variables) - 1))
            case Cardinality(literals, low, high) if min(literals) > 0:
                constraints.append(Constraint(literals, max(0, low), min(high, len(literals))))
            case _:
                raise CheckError("the formula is not an exact cover with bounds")
    return constraints


def list_cycles(variables: Iterable[int], images: Mapping[int, int]) -> list[list[int]]:
    """The cycles of a permutation, by their smallest variables. A variable without an image is
    mapped to itself."""
    cycles = []
    listed: set[int] = set()
    for variable in sorted(variables):
        cycle = []
        while variable not in listed:
            listed.add(variable)
            cycle.append(variable)
            variable = images.get(variable, variable)
        if cycle:
            cycles.append(cycle)
    return cycles


def extend_to_slacks(
    constraints: Iterable[Constraint], images: Mapping[int, int]
) -> dict[int, int]:
    """A permutation of the decision variables, with the images of the slacks.

    A slack is the only variable of its item without an image. So it is mapped to the slack of the
    item that has the images of the others.
    """
    slacks: dict[frozenset[int], list[int]] = {}
    for constraint in constraints:
        others = [x for x in constraint.variables if x not in images]
        if constraint.is_item and len(others) == 1:
            slacks.setdefault(frozenset(constraint.variables).difference(others), []).extend(others)
    extended = dict(images)
    for decisions, own in slacks.items():
        image = slacks.get(frozenset(images[x] for x in decisions), [])
        extended.update(zip(own, image, strict=False))
    return extended


class Bound(NamedTuple):
    """A constraint that is not an item: the place of its number in a state, and the sets of its
    options by their weight, as bits."""

    low: int
    high: int
    shift: int
    mask: int
    by_weight: list[tuple[int, int]]


class Cover:
    """A problem in which the variables that a permutation maps to each other are one option, with
    the weights of them all.

    Its solutions are those that the permutation fixes. Options are in the order of their first
    variables; one that exceeds `high` alone is left out. Items have the numbers of their
    constraints, from 0. A state is an integer: the numbers of the bounds, then a bit per open item,
    then a bit per option that is left. Raises CheckError for an option in no item.
    """

    def __init__(self, constraints: Sequence[Constraint], images: Mapping[int, int]) -> None:
        first_item = sum(constraint.width for constraint in constraints)
        first_option = first_item + len(constraints)

        variables = {x for constraint in constraints for x in constraint.variables}
        option_of: dict[int, int] = {}  # the bit of each variable's option
        self.variables: dict[int, int] = {}  # the first variable of each option
        for bit, cycle in enumerate(list_cycles(variables, images), first_option):
            self.variables[bit] = cycle[0]
            option_of.update(dict.fromkeys(cycle, bit))

        weights = []
        options = set(self.variables)
        for constraint in constraints:
            weight = Counter(option_of[x] for x in constraint.variables)
            weights.append(weight)
            options -= {option for option in weight if weight[option] > constraint.high}

        self.solved = 1 << first_item  # the states below this number have no open item
        self.items: dict[int, int] = {}  # the bit of each item, as a mask
        self.options: dict[int, int] = {}  # the options of each item, as a mask
        self._bounds: list[Bound] = []
        # for each option what it adds to the numbers of the bounds
        self._added = dict.fromkeys(options, 0)
        # for each option what it leaves of a state: all but its items and their options
        self._rest = dict.fromkeys(options, EVERYTHING)

        shift = 0
        for number, constraint in enumerate(constraints):
            usable = {x: w for x, w in weights[number].items() if x in options}
            if constraint.is_item:
                self._add_item(number, first_item + number, usable)
            else:
                self._add_bound(constraint, shift, usable)
                shift += constraint.width
        if EVERYTHING in self._rest.values():
            raise CheckError("the formula has a variable in no item")
        self._start = _join_bits(options) + sum(self.items.values())

    def _add_item(self, number: int, bit: int, options: Iterable[int]) -> None:
        self.items[number] = 1 << bit
        self.options[number] = _join_bits(options)
        for option in options:
            self._rest[option] &= ~(self.items[number] | self.options[number])

    def _add_bound(self, constraint: Constraint, shift: int, weight: Mapping[int, int]) -> None:
        by_weight = []
        for some in set(weight.values()):
            options = _join_bits(option for option in weight if weight[option] == some)
            by_weight.append((some, options))
        for option in weight:
            self._added[option] += weight[option] << shift
        mask = (1 << constraint.width) - 1
        self._bounds.append(Bound(constraint.low, constraint.high, shift, mask, by_weight))

    def start(self) -> int | None:
        """The first state; None if a bound cannot reach `low`."""
        return self._lower_numbers(self._start)

    def choices(self, state: int, item: int) -> Iterator[tuple[int, int]]:
        """The fitting options of an open item in ascending order, as bits, each with the state
        after it."""
        for option in frontier.bits(state & self.options[item]):
            after = state & self._rest[option]
            if not self._bounds:
                yield option, after
                continue
            lowered = self._lower_numbers(after + self._added[option])
            if lowered is not None:
                yield option, lowered

    def _lower_numbers(self, state: int) -> int | None:
        """The state with lowered numbers; None if a bound exceeds `high` or cannot reach `low`."""
        for low, high, shift, mask, by_weight in self._bounds:
            number = state >> shift & mask
            most = number
            for weight, options in by_weight:
                most += weight * (state & options).bit_count()
            if number > high or most < low:
                return None
            if number > low and most <= high:
                state -= number - low << shift
        return state


def _join_bits(bits: Iterable[int]) -> int:
    """The number with these bits."""
    return sum(1 << bit for bit in bits)
