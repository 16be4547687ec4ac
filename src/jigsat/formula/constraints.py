"""The kinds of constraints, and their compact storage in one array of integers."""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Clause:
    """At least one of the literals is true."""

    literals: tuple[int, ...]

    @property
    def kind(self) -> str:
        return "clause"


@dataclass(frozen=True, slots=True)
class Cardinality:
    """At least `at_least` and at most `at_most` of the literals, which are distinct, are true."""

    literals: tuple[int, ...]
    at_least: int
    at_most: int

    @property
    def kind(self) -> str:
        if self.at_least == self.at_most:
            return "exactly-one" if self.at_most == 1 else "exactly-k"
        if self.at_least <= 0:
            return "at-most-one" if self.at_most == 1 else "at-most-k"
        return "at-least-k" if self.at_most >= len(self.literals) else "between"


@dataclass(frozen=True, slots=True)
class Xor:
    """The number of true variables among `variables`, which are positive and distinct, is odd (or even if not `odd`)."""

    variables: tuple[int, ...]
    odd: bool

    @property
    def kind(self) -> str:
        return "xor"


@dataclass(frozen=True, slots=True)
class Linear:
    """The weights of the true literals add up to at least `at_least` and at most `at_most`.

    The literals belong to distinct variables, and weights are positive: `Formula.linear` brings every sum to this form.
    """

    literals: tuple[int, ...]
    weights: tuple[int, ...]
    at_least: int
    at_most: int

    @property
    def kind(self) -> str:
        return "linear"


Constraint = Clause | Cardinality | Xor | Linear


class Constraints:
    """A growing list of constraints.

    They are stored as integers in one array and converted to objects on demand: a million clauses would take ten times as much
    memory as objects.
    """

    def __init__(self) -> None:
        self._numbers = array("i")
        self._length = 0
        self._others = array("q")  # the positions of constraints other than clauses
        self._linear: list[Linear] = []  # their weights may be of any size
        self._blocks: list[tuple[int, int, int]] = []  # clauses of one length: where they begin, their number and length

    def append(self, constraint: Constraint) -> None:
        """Add a constraint at the end."""
        match constraint:
            case Clause(literals):
                self.append_clause(literals)
                return
            case Cardinality(literals, at_least, at_most):
                self._others.append(len(self._numbers))
                self._numbers.extend((-1, len(literals), at_least, at_most, *literals))
            case Xor(variables, odd):
                self._others.append(len(self._numbers))
                self._numbers.extend((-2, len(variables), odd, *variables))
            case Linear():
                self._others.append(len(self._numbers))
                self._numbers.extend((-3, len(self._linear)))
                self._linear.append(constraint)
        self._length += 1

    def append_clause(self, literals: tuple[int, ...]) -> None:
        """Add a clause at the end, without creating an object."""
        self._numbers.append(len(literals))
        self._numbers.extend(literals)
        self._length += 1

    def append_clauses(self, literals: Sequence[int], length: int) -> None:
        """Add clauses of the same length at the end, given by their literals one after the other."""
        number = len(literals) // length if length else 0
        numbers = [length] * (number * (length + 1))
        for i in range(length):
            numbers[i + 1 :: length + 1] = literals[i::length]
        self._blocks.append((len(self._numbers), number, length))
        self._numbers.extend(numbers)
        self._length += number

    def __len__(self) -> int:
        return self._length

    def __iter__(self) -> Iterator[Constraint]:
        return self._between(0, len(self._numbers))

    def batches(self) -> Iterator[list[tuple[int, ...]] | Iterator[Constraint]]:
        """The constraints in order: the literals of clauses that were added together, and iterators over all others."""
        end = 0
        for start, number, length in self._blocks:
            if end < start:
                yield self._between(end, start)
            end = start + number * (length + 1)
            numbers = self._numbers[start:end].tolist()
            yield list(zip(*(numbers[i + 1 :: length + 1] for i in range(length)), strict=True))
        if end < len(self._numbers):
            yield self._between(end, len(self._numbers))

    def _between(self, i: int, end: int) -> Iterator[Constraint]:
        """The constraints that are stored from one index to another."""
        numbers = self._numbers
        while i < end:
            if (length := numbers[i]) >= 0:
                start = i + 1
                yield Clause(tuple(numbers[start : start + length]))
                i = start + length
            else:
                constraint, i = self._other(i)
                yield constraint

    def others(self) -> Iterator[Cardinality | Xor | Linear]:
        """The constraints other than clauses, without iterating over the clauses."""
        return (self._other(start)[0] for start in self._others)

    def _other(self, i: int) -> tuple[Cardinality | Xor | Linear, int]:
        """The constraint that begins at index i, and the index of its end."""
        numbers = self._numbers
        if numbers[i] == -1:
            _, length, at_least, at_most = numbers[i : i + 4]
            end = i + 4 + length
            return Cardinality(tuple(numbers[i + 4 : end]), at_least, at_most), end
        if numbers[i] == -3:
            return self._linear[numbers[i + 1]], i + 2
        _, length, odd = numbers[i : i + 3]
        end = i + 3 + length
        return Xor(tuple(numbers[i + 3 : end]), bool(odd)), end


class ConstraintGroup:
    """The constraints that express one rule of the puzzle, named after the rule."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.constraints = Constraints()

    def kinds(self) -> Counter[str]:
        """The number of constraints of each kind."""
        return Counter(constraint.kind for constraint in self.constraints)
