"""Literals that follow: from a formula by unit propagation and failed literals, and from its
constraints in waves."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from contextlib import closing
from copy import copy
from itertools import repeat

from jigsat.backends import PROPAGATOR, Backend, open_backend
from jigsat.formula import (
    GRAPHS,
    Clause,
    Constraint,
    Formula,
    GraphConstraint,
    Linear,
    Lowered,
    Xor,
    as_sum,
)


def fixed_literals(formula: Formula) -> frozenset[int] | None:
    """Literals of the formula's variables that hold in every model; None if propagation finds that
    there is no model.

    A literal fails if unit propagation from it leads to a contradiction; then its opposite holds in
    every model. All literals are tried until no more fail. Literals that hold for other reasons are
    not found, such as those that follow from a whole graph. The result does not depend on the order
    of the variables, so each symmetry of the formula maps it to itself.

    >>> formula = Formula()
    >>> x = formula.variables("x", {"i": range(3)})
    >>> formula.clause([x(0), x(1)])
    >>> formula.clause([x(0), -x(1)])
    >>> fixed_literals(formula)
    frozenset({1})
    """
    with closing(open_backend(PROPAGATOR)) as solver:
        # the clauses of a whole graph depend on the order of its nodes, and so would what follows
        lowered = Lowered(formula, native=solver.capabilities.native | {GRAPHS})
        plain = (
            constraint for constraint in lowered if not isinstance(constraint, GraphConstraint)
        )
        new = {*units(plain, solver)}
        known: set[int] = set()
        while True:
            known |= new
            possible, implied = solver.propagate(sorted(known))
            if not possible:
                return None
            known.update(implied)
            for literal in known:
                solver.add(Clause((literal,)))
            undecided = [x for x in range(1, formula.top + 1) if x not in known and -x not in known]
            if not (new := failed_literals(solver, undecided)):
                return frozenset(literal for literal in known if abs(literal) <= formula.top)


def units(constraints: Iterable[Constraint], solver: Backend) -> list[int]:
    """The literals of the unit clauses; all other constraints are added to the solver.

    Solvers report only the consequences of assumptions, so these literals must be assumed when the
    solver propagates.
    """
    literals = []
    for constraint in constraints:
        match constraint:
            case Clause((literal,)):
                literals.append(literal)
            case _:
                solver.add(constraint)
    return literals


def failed_literals(solver: Backend, undecided: Iterable[int]) -> set[int]:
    """The opposites of the literals that lead to a contradiction by propagation."""
    harmless: set[int] = set()
    opposites = set()
    for literal in (sign * x for x in undecided for sign in (1, -1)):
        if literal not in harmless:
            possible, implied = solver.propagate([literal])
            if possible:
                harmless.update(implied)  # their propagation is part of this one
            else:
                opposites.add(-literal)
    return opposites


class LayeredPropagation:
    """Propagation in waves: a wave consists of the literals that follow from a single constraint
    and the waves before it.

    The literals of a wave do not depend on any order, and further knowledge never delays a literal.
    Constraints are propagated as they are stated, because the waves of their clauses would depend
    on how they are lowered. `known` are the literals so far; `consistent` is false after a
    contradiction.
    """

    def __init__(self, constraints: Iterable[Constraint]) -> None:
        self._constraints = [
            row if isinstance(row, Xor | GraphConstraint) else as_sum(row) for row in constraints
        ]
        self._occurring: defaultdict[int, list[tuple[int, int]]] = defaultdict(list)
        for at, constraint in enumerate(self._constraints):
            for literal, weight in _terms(constraint):
                self._occurring[literal].append((at, weight))
        self._true = [0] * len(self._constraints)
        # the variables that occur in constraints
        self._open = [
            sum(weight for _, weight in _terms(constraint)) for constraint in self._constraints
        ]
        self._changed: Iterable[int] = range(len(self._constraints))
        self.stated = frozenset(abs(literal) for literal in self._occurring)
        self.known: set[int] = set()
        self.consistent = True

    def copy(self) -> LayeredPropagation:
        other = copy(self)
        other._true = self._true[:]
        other._open = self._open[:]
        other.known = set(self.known)
        return other

    def variables(self) -> int:
        """The number of variables that are not known."""
        return len(self.stated - {abs(literal) for literal in self.known})

    def propagate_in_waves(self, assumed: Iterable[int] = ()) -> Iterator[set[int]]:
        """Assert literals, and yield the new literals wave by wave; the asserted ones come
        first."""
        if wave := set(assumed) - self.known:
            self._learn(wave)
            yield wave
        while self.consistent:
            wave = set()
            for at in self._changed:
                wave.update(self._forced_literals(at))
            if not self.consistent or not wave:
                return
            self._learn(wave)
            yield wave

    def _learn(self, wave: set[int]) -> None:
        self.known |= wave
        self.consistent = not any(-literal in self.known for literal in wave)
        changed: dict[int, None] = {}
        for literal in wave:
            for at, weight in self._occurring.get(literal, ()):
                self._true[at] += weight
            for sign in (literal, -literal):
                for at, weight in self._occurring.get(sign, ()):
                    self._open[at] -= weight
                    changed[at] = None
        self._changed = changed

    def _forced_literals(self, at: int) -> Iterable[int]:
        """The open literals that a constraint implies. If it is broken, `consistent` is false."""
        constraint = self._constraints[at]
        if isinstance(constraint, GraphConstraint):
            implied = constraint.imply(self.known)
            if implied is None:
                self.consistent = False
            return implied or ()
        if isinstance(constraint, Xor):
            return self._forced_by_parity(constraint, self._true[at], self._open[at])
        return self._forced_by_sum(constraint, self._true[at], self._true[at] + self._open[at])

    def _forced_by_parity(self, constraint: Xor, true: int, left: int) -> list[int]:
        """The last open literal of an XOR, given the numbers of true and of open ones."""
        is_right = true % 2 == constraint.odd
        if left == 0 and not is_right:
            self.consistent = False
        if left != 1:
            return []
        return [-x if is_right else x for x in constraint.variables if self._is_open(x)]

    def _forced_by_sum(self, constraint: Linear, true: int, possible: int) -> Iterator[int]:
        """The literals without which a sum is too small, and the negations of those with which it
        is too large; `true` and `possible` are the sums without and with all open literals."""
        _, weights, least, most = constraint
        if true > most or possible < least:
            self.consistent = False
            return
        heaviest = max(weights, default=0)
        if true == possible or (true + heaviest <= most and possible - heaviest >= least):
            return
        for literal, weight in _terms(constraint):
            if self._is_open(literal):
                if true + weight > most:
                    yield -literal
                if possible - weight < least:
                    yield literal

    def _is_open(self, literal: int) -> bool:
        return literal not in self.known and -literal not in self.known


def _terms(constraint: Linear | Xor | GraphConstraint) -> Iterable[tuple[int, int]]:
    """The literals with their weights."""
    if isinstance(constraint, Linear):
        return zip(constraint.literals, constraint.weights, strict=True)
    return zip(constraint[0], repeat(1))
