"""Reading a formula as an exact cover: items, options with what follows from each, and bounds.

Items are the exactly-one constraints over decision variables, options are the variables. Two options conflict if unit
propagation from one refutes the other, whatever the constraints and auxiliary variables in between. Other cardinality
constraints over decision variables bound how many options are chosen.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Set
from dataclasses import dataclass
from functools import cached_property
from typing import TypeGuard

from jigsat.backends.base import PROPAGATOR
from jigsat.backends.registry import open_backend
from jigsat.errors import InputError
from jigsat.formula import Cardinality, Clause, Constraint

IMPLIED = 2**23
"""Where more literals than this follow from the options, to read them takes over a second, longer than CaDiCaL's search for a
first solution; it is guessed from a sample."""
SAMPLE = 16


@dataclass(frozen=True)
class Options:
    """The options that are possible, each with the literals that follow from it, and the items, sets of options."""

    implied: dict[int, list[int]]
    items: list[Set[int]]

    @cached_property
    def _implying(self) -> dict[int, int]:
        """The options from which a literal follows, as the bits of an integer."""
        implying: dict[int, int] = defaultdict(int)
        for i, literals in enumerate(self.implied.values()):
            for literal in literals:
                implying[literal] |= 1 << i
        return implying

    @cached_property
    def _bits(self) -> list[int]:
        """The items as the bits of their options."""
        number = {option: i for i, option in enumerate(self.implied)}
        return [sum(1 << number[option] for option in item) for item in self.items]

    def without(self, excluded: Set[int]) -> Options:
        """What is left when some options are excluded."""
        left = {option: literals for option, literals in self.implied.items() if option not in excluded}
        return Options(left, [item - excluded for item in self.items])

    def settle(self, literals: Collection[int]) -> bool:
        """Whether one of the literals follows from whichever option of some item is chosen."""
        options = 0
        for literal in literals:
            options |= self._implying.get(literal, 0)
        others = ~options
        return any(not item & others for item in self._bits)


class Reader:
    """A growing set of constraints, read as an exact cover on demand."""

    def __init__(self) -> None:
        self.propagator = open_backend(PROPAGATOR)
        self.constraints: list[Clause | Cardinality] = []
        self.decisions: frozenset[int] = frozenset()

    def add(self, constraint: Clause | Cardinality) -> None:
        """Add a constraint. Only bounds may name a variable several times; it counts as often."""
        if len(set(constraint.literals)) == len(constraint.literals):
            self.propagator.add(constraint)
        self.constraints.append(constraint)

    def close(self) -> None:
        """Free the propagator."""
        self.propagator.close()

    def small(self) -> bool:
        """Whether what follows from all options can be read in little time."""
        some = sorted(self.decisions)[:: max(1, len(self.decisions) // SAMPLE)]
        implied = sum(len(self.propagator.propagate([variable])[1]) for variable in some)
        return implied * len(self.decisions) <= IMPLIED * len(some)

    def read(self) -> Options:
        """The constraints as items and options. Raises InputError if a decision variable is in no item."""
        items = self.items()
        if not self.propagator.propagate()[0]:
            return Options({}, [frozenset()])
        tried = {variable: self.propagator.propagate([variable]) for variable in sorted(self.decisions)}
        implied = {variable: [variable, *literals] for variable, (possible, literals) in tried.items() if possible}
        return Options(implied, [item & implied.keys() for item in items])

    def bounds(self) -> list[Cardinality]:
        """The constraints of which the search itself has to keep count."""
        return [constraint for constraint in self.constraints if self.is_bound(constraint)]

    def sums(self) -> list[Cardinality]:
        """All cardinality constraints over decision variables but the items: the bounds, and those of at most one option."""
        return [
            constraint
            for constraint in self.constraints
            if isinstance(constraint, Cardinality)
            and (constraint.at_least, constraint.at_most) != (1, 1)
            and self.decisions.issuperset(constraint.literals)
        ]

    def is_plain(self, constraint: Constraint) -> bool:
        """Whether the constraint is an item, a sum or excludes an option, so that nothing else follows from one."""
        match constraint:
            case Cardinality(literals):
                return self.decisions.issuperset(literals)
            case Clause((literal,)):
                return abs(literal) in self.decisions
        return False

    def plain(self) -> bool:
        """Whether all constraints are plain."""
        return all(map(self.is_plain, self.constraints))

    def read_plain(self) -> Options:
        """The same as `read` where the constraints are plain, at once."""
        excluded = {-x for constraint in self.constraints for x in constraint.literals if x < 0}
        implied = {option: [option] for option in sorted(self.decisions - excluded)}
        return Options(implied, [item & implied.keys() for item in self.items()])

    def items(self) -> list[frozenset[int]]:
        """The items. Raises InputError if a decision variable is in none."""
        found = [item for constraint in self.constraints if (item := self.item(constraint))]
        if self.decisions != frozenset().union(*found):
            raise InputError("this backend wants each decision variable in an exactly-one constraint; take another one")
        return found

    def item(self, constraint: Clause | Cardinality) -> frozenset[int]:
        """The decision variables of which the constraint wants exactly one; none if it wants something else."""
        match constraint:
            case Clause((_,) as literals) | Cardinality(literals, 1, 1) if self.decisions.issuperset(literals):
                return frozenset(literals)
        return frozenset()

    def is_bound(self, constraint: Clause | Cardinality) -> TypeGuard[Cardinality]:
        """Whether the search itself has to count how many of the literals are true; of pairs the conflicts tell."""
        match constraint:
            case Cardinality(literals, at_least, at_most):
                counts = (at_least, at_most) != (1, 1) and (at_least > 0 or at_most > 1)
                return counts and self.decisions.issuperset(literals)
        return False

    def shows_all(self, read: Options) -> bool:
        """Whether each cover that keeps to conflicts and bounds is a model, so that nothing is left to look for.

        It is so if the cover decides every variable, and each other constraint is a clause of two literals, an at-most-one,
        or a clause that holds whichever option of some item is chosen: of the former, an option that breaks all but one
        literal implies that one.
        """
        decided = set(self.decisions)

        def holds(literals: Collection[int]) -> bool:
            return read.settle(literals) or any(not self.propagator.propagate([-literal])[0] for literal in literals)

        def is_seen(constraint: Clause | Cardinality) -> bool:
            if self.is_bound(constraint) or self.item(constraint):
                return True
            for variable in {abs(literal) for literal in constraint.literals} - decided:
                if not holds((variable, -variable)):
                    return False
                decided.add(variable)
            match constraint:
                case Clause(literals):
                    return len(literals) <= 2 or holds(literals)
                case Cardinality(literals, at_least, 1):
                    return at_least <= 0 or (at_least == 1 and (len(literals) == 2 or holds(literals)))
            return False

        return all(map(is_seen, self.constraints))
