"""Propagation in waves: a wave consists of the literals that follow from a single constraint and the waves before it.

The literals of a wave do not depend on any order, and further knowledge never delays a literal. Constraints are propagated as
they are stated, because the waves of their clauses would depend on how they are lowered.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from copy import copy
from itertools import repeat

from jigsat.formula import Constraint, Linear, Xor, as_sum


class LayeredPropagation:
    """What is known; `consistent` is false after a contradiction."""

    def __init__(self, constraints: Iterable[Constraint]) -> None:
        self._constraints = [each if isinstance(each, Xor) else as_sum(each) for each in constraints]
        self._occurring: defaultdict[int, list[tuple[int, int]]] = defaultdict(list)
        for at, constraint in enumerate(self._constraints):
            for literal, weight in _terms(constraint):
                self._occurring[literal].append((at, weight))
        self._true = [0] * len(self._constraints)
        self._open = [sum(weight for _, weight in _terms(constraint)) for constraint in self._constraints]
        self._changed: Iterable[int] = range(len(self._constraints))
        self.stated = frozenset(abs(literal) for literal in self._occurring)
        """The variables that occur in constraints."""
        self.known: set[int] = set()
        self.consistent = True

    def copy(self) -> LayeredPropagation:
        """An independent copy."""
        other = copy(self)
        other._true, other._open, other.known = self._true[:], self._open[:], set(self.known)
        return other

    def variables(self) -> int:
        """The number of variables that are not known."""
        return len(self.stated - {abs(literal) for literal in self.known})

    def propagate_in_waves(self, assumed: Iterable[int] = ()) -> Iterator[set[int]]:
        """Assert literals, and yield the new literals wave by wave; the asserted ones come first."""
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
        changed = dict[int, None]()
        for literal in wave:
            for at, weight in self._occurring.get(literal, ()):
                self._true[at] += weight
            for sign in (literal, -literal):
                for at, weight in self._occurring.get(sign, ()):
                    self._open[at] -= weight
                    changed[at] = None
        self._changed = changed

    def _forced_literals(self, at: int) -> Iterator[int]:
        constraint, true, possible = self._constraints[at], self._true[at], self._true[at] + self._open[at]
        if isinstance(constraint, Xor):
            if self._open[at] == 0 and true % 2 != constraint.odd:
                self.consistent = False
            if self._open[at] == 1:
                yield from (x if true % 2 != constraint.odd else -x for x in constraint.variables if self._is_open(x))
            return
        _, weights, least, most = constraint
        if true > most or possible < least:
            self.consistent = False
        elif self._open[at]:
            heaviest = max(weights)
            if true + heaviest > most or possible - heaviest < least:
                for literal, weight in _terms(constraint):
                    if self._is_open(literal):
                        if true + weight > most:
                            yield -literal
                        if possible - weight < least:
                            yield literal

    def _is_open(self, literal: int) -> bool:
        return literal not in self.known and -literal not in self.known


def _terms(constraint: Linear | Xor) -> Iterable[tuple[int, int]]:
    """The literals with their weights."""
    literals, weights = (constraint.variables, repeat(1)) if isinstance(constraint, Xor) else constraint[:2]
    return zip(literals, weights, strict=False)
