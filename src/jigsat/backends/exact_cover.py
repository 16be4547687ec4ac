"""Reading a formula as an exact cover: items, options with the literals that they imply, and
bounds.

Options are the decision variables and the slacks (`Formula.slacks`), and items are the exactly-one
constraints over them. Two
options conflict if unit propagation from one refutes the other, through any constraints and
auxiliary variables. Other cardinality constraints over options bound the number of options chosen.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence, Set
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from typing import TypeGuard

from jigsat.backends.base import PROPAGATOR, Backend
from jigsat.backends.frontier import bits
from jigsat.backends.registry import open_backend
from jigsat.errors import InputError
from jigsat.formula import Cardinality, Clause, Constraint, Rows, is_sum_of

MAX_IMPLIED_LITERALS = 2**23
"""Maximum number of literals implied by the options, estimated from a sample. Reading more takes
over a second, longer than CaDiCaL's search for a first solution."""
SAMPLED_OPTIONS = 16


def _follow(
    taken: int, excluded: int, items: Sequence[int], against: Sequence[int]
) -> tuple[int, int] | None:
    """The options that are taken and those that are excluded, when some are, as bits; None if none
    is left for some item. An item for which a single one is left takes that. `against` has for each
    option those that it excludes."""
    taken_before = -1
    while taken != taken_before:
        taken_before = taken
        for item in items:
            if item & taken:
                continue
            left = item & ~excluded
            if not left:
                return None
            if not left & (left - 1):
                taken |= left
                excluded |= against[left.bit_length() - 1]
    return taken, excluded


@dataclass(frozen=True)
class CoverOptions:
    """The possible options, each with the literals that follow from it, and the items, which are
    sets of options."""

    implied: dict[int, list[int]]
    items: list[Set[int]]

    @cached_property
    def _implying(self) -> dict[int, int]:
        """For each literal the options from which it follows, as the bits of an integer."""
        implying: dict[int, int] = defaultdict(int)
        for i, literals in enumerate(self.implied.values()):
            option = 1 << i
            for literal in literals:
                implying[literal] |= option
        return implying

    @cached_property
    def _bit(self) -> dict[int, int]:
        return {option: 1 << i for i, option in enumerate(self.implied)}

    def _as_bits(self, options: Collection[int]) -> int:
        """Those that are options, as the bits of an integer."""
        return sum(map(self._bit.__getitem__, self._bit.keys() & {*options}))

    @cached_property
    def _bits(self) -> list[int]:
        """The items, as the bits of their options."""
        return list(map(self._as_bits, self.items))

    def without(self, excluded: Set[int]) -> CoverOptions:
        """The remaining options and items when some options are excluded."""
        left = {
            option: literals for option, literals in self.implied.items() if option not in excluded
        }
        return CoverOptions(left, [item - excluded for item in self.items])

    def look_ahead(self, rivals: Iterable[Collection[int]]) -> CoverOptions:
        """The options that leave one for each item, each with the options that it excludes although
        they share no item with it. At most one of each set of `rivals` may be chosen. Here, options
        imply only themselves."""
        options = list(self.implied)
        sharing = self._list_together(self._bits)
        against = self._list_together([*self._bits, *map(self._as_bits, rivals)])

        # What holds whatever is chosen, such as the givens of a sudoku, is followed only once.
        root = _follow(0, 0, self._bits, against)
        if root is None:
            return CoverOptions({}, [frozenset() for _ in self.items])
        taken, excluded = root
        items = [item for item in self._bits if not item & taken]
        implied = {}
        for i, option in enumerate(options):
            bit = 1 << i
            if excluded & ~taken & bit:
                continue
            followed = _follow(taken | bit, excluded | against[i], items, against)
            if followed is not None:
                others = bits(followed[1] & ~followed[0] & ~sharing[i])
                implied[option] = [option, *(-options[other] for other in others)]
        return CoverOptions(implied, [item & implied.keys() for item in self.items])

    def _list_together(self, sets: Iterable[int]) -> list[int]:
        """For each option, all options in a set with it; sets are bits."""
        together = [0] * len(self.implied)
        for options in sets:
            for option in bits(options):
                together[option] |= options
        return together

    def settle(self, literals: Collection[int]) -> bool:
        """Whether there is an item each of whose options implies one of the literals."""
        options = 0
        for literal in literals:
            options |= self._implying.get(literal, 0)
        others = ~options
        return any(not item & others for item in self._bits)

    def conflicting_literals(self, at_most: Iterable[Collection[int]]) -> list[list[int]]:
        """The literals that follow from each option, restricted to variables that show a conflict.

        Conflicts between options of an item or of one of the `at_most` sets need no literal.
        """
        following = self._implying
        apart = list(self._bit.values())
        for together in [*self._bits, *map(self._as_bits, at_most)]:
            for option in bits(together):
                apart[option] |= together
        against = {x: following.get(-x, 0) for x in following}
        shown = {
            abs(x)
            for x, others in against.items()
            if any(others & ~apart[option] for option in bits(following[x]))
        }
        return [
            [literal for literal in literals if abs(literal) in shown]
            for literals in self.implied.values()
        ]


def is_plain(
    constraint: Constraint, options: Collection[int], slacks: Collection[int]
) -> TypeGuard[Clause | Cardinality]:
    """Whether a constraint is an item, a sum or excludes an option. If all are, an option implies
    only itself."""
    match constraint:
        case Cardinality(literals):
            return all(literal in options for literal in literals)
        case Clause((literal,)):
            return abs(literal) in options
        case Clause(literals):
            return is_sum_of(literals, slacks)
    return False


def is_repetition_free(constraint: Cardinality) -> bool:
    """Whether no literal counts several times."""
    return len(set(constraint.literals)) == len(constraint.literals)


def _as_sum_of_variables(clause: Sequence[int]) -> Cardinality:
    """A clause whose literals have the same sign, as a sum of its variables."""
    number = len(clause)
    variables = tuple(map(abs, clause))
    if clause[0] < 0:
        return Cardinality(variables, 0, number - 1)
    return Cardinality(variables, 1, number)


class CoverReader:
    """A growing set of constraints that is converted to an exact cover on demand."""

    def __init__(self) -> None:
        self._propagator: Backend | None = None
        self._unread: list[Rows | Constraint] = []  # not yet passed to the propagator
        self.constraints: list[Clause | Cardinality] = []  # the clauses among them have one literal
        self.clauses: Rows = []  # the others, without repeated literals
        self.options: frozenset[int] = frozenset()
        self.slacks: frozenset[int] = frozenset()  # those options that are no decision variables

    def add(self, constraint: Clause | Cardinality) -> None:
        """Add a constraint. A literal that occurs several times counts several times, except in a
        clause."""
        if isinstance(constraint, Clause):
            self.add_clauses([constraint.literals])
            return
        if is_repetition_free(constraint):
            self._unread.append(constraint)
        self.constraints.append(constraint)

    def add_clauses(self, rows: Rows) -> None:
        """Add clauses, each given by its literals."""
        rows = [row if len(set(row)) == len(row) else tuple(dict.fromkeys(row)) for row in rows]
        self._unread.append(rows)
        for row in rows:
            if len(row) == 1:
                self.constraints.append(Clause(row))
            elif is_sum_of(row, self.slacks):
                self.constraints.append(_as_sum_of_variables(row))
            else:
                self.clauses.append(row)

    @property
    def propagator(self) -> Backend:
        """A SAT solver with all constraints, opened when it is first needed: plain constraints need
        none."""
        if self._propagator is None:
            self._propagator = open_backend(PROPAGATOR)
        self._propagator.add_all(self._unread)
        self._unread = []
        return self._propagator

    def close(self) -> None:
        if self._propagator:
            self._propagator.close()

    def _is_plain(self) -> bool:
        """Whether all constraints are plain, so that the items show what follows from an option."""
        return not self.clauses and all(
            is_plain(constraint, self.options, self.slacks) for constraint in self.constraints
        )

    def small(self) -> bool:
        """Whether the literals implied by all options can be computed quickly."""
        some = sorted(self.options)[:: max(1, len(self.options) // SAMPLED_OPTIONS)]
        if self._is_plain():
            items = self.items()
            implied = sum(
                len(frozenset().union(*(item for item in items if variable in item)))
                for variable in some
            )
        else:
            implied = sum(len(self.propagator.propagate([variable])[1]) for variable in some)
        return implied * len(self.options) <= MAX_IMPLIED_LITERALS * len(some)

    def read_options(self) -> CoverOptions:
        """The constraints as items and options. Raises InputError if a decision variable is in no
        item."""
        if self._is_plain():
            bounds = self.bounds()
            rivals = [total for total in self.sums() if total not in bounds]
            if all(total.at_most == 1 and is_repetition_free(total) for total in rivals):
                return self.read_plain().look_ahead(total.literals for total in rivals)
        items = self.items()
        if not self.propagator.propagate()[0]:
            return CoverOptions({}, [frozenset()])
        tried = {
            variable: self.propagator.propagate([variable]) for variable in sorted(self.options)
        }
        implied = {
            variable: [variable, *literals]
            for variable, (possible, literals) in tried.items()
            if possible
        }
        return CoverOptions(implied, [item & implied.keys() for item in items])

    def read_whole(self) -> tuple[CoverOptions, bool]:
        """The same, and whether items, conflicts and bounds capture all constraints; plain
        constraints need no propagation."""
        if self._is_plain():
            return self.read_plain(), True
        if not self.small():
            raise InputError(
                "this formula would take too long to read as an exact cover; use another backend"
            )
        read = self.read_options()
        return read, self.shows_all(read)

    def bounds(self) -> list[Cardinality]:
        """The constraints whose true literals the search has to count."""
        return [
            bound for bound in self.sums() if bound.at_least > 0 or bound.at_most > 1
        ]  # conflicts capture at-most-one

    def sums(self) -> list[Cardinality]:
        """All cardinality constraints over options except the items: the bounds, and
        at-most-one constraints."""
        return [
            constraint
            for constraint in self.constraints
            if isinstance(constraint, Cardinality)
            and (constraint.at_least, constraint.at_most) != (1, 1)
            and self.options.issuperset(constraint.literals)
        ]

    def read_plain(self) -> CoverOptions:
        """The same as `read_options`, but only for plain constraints and without propagation."""
        excluded = {-x for constraint in self.constraints for x in constraint.literals if x < 0}
        implied = {option: [option] for option in sorted(self.options - excluded)}
        return CoverOptions(implied, [item & implied.keys() for item in self.items()])

    def items(self) -> list[frozenset[int]]:
        """The items. Raises InputError if a decision variable is in none."""
        listed = [item for item in map(self.item, self.constraints) if item]
        if self.options != frozenset().union(*listed):
            raise InputError(
                "this backend requires every decision variable in an exactly-one constraint; use "
                "another backend"
            )
        return listed

    def item(self, constraint: Clause | Cardinality) -> frozenset[int]:
        """The options of an exactly-one constraint; empty for any other constraint."""
        match constraint:
            case Clause((_,) as literals) | Cardinality(literals, 1, 1) if self.options.issuperset(
                literals
            ):
                return frozenset(literals)
        return frozenset()

    def shows_all(self, read: CoverOptions) -> bool:
        """Whether each cover without conflicts and within the bounds determines a model.

        This holds if the cover determines every variable, and if each other constraint is a clause
        of two literals, an at-most-one, or a clause that each option of some item satisfies.
        Conflicts capture clauses of two literals and at-most-one constraints: an option that
        falsifies all but one literal of a clause implies the last one.
        """

        def is_refuted(literal: int) -> bool:
            return not self.propagator.propagate([literal])[0]

        def holds(literals: Collection[int]) -> bool:
            return read.settle(literals) or any(is_refuted(-literal) for literal in literals)

        def is_seen(constraint: Clause | Cardinality) -> bool:
            match constraint:
                case Clause():
                    return True
                case Cardinality(literals, at_least, 1):
                    return at_least <= 0 or (
                        at_least == 1 and (len(literals) == 2 or holds(literals))
                    )
            return False

        bounds = set(self.bounds())
        others = [
            constraint
            for constraint in self.constraints
            if constraint not in bounds and not self.item(constraint)
        ]
        literals = chain(
            chain.from_iterable(self.clauses), *(constraint.literals for constraint in others)
        )
        return (
            all(map(is_seen, others))
            # if both values of a variable are refuted, covers without conflicts are no models
            and all(
                read.settle((x, -x)) or is_refuted(x) != is_refuted(-x)
                for x in {*map(abs, literals)} - self.options
            )
            and all(holds(row) for row in self.clauses if len(row) > 2)
        )
