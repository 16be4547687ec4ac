"""The kinds of constraints, and their compact storage in one array of integers."""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Collection, Hashable, Iterable, Iterator, Sequence
from typing import NamedTuple

from jigsat.formula.graphs import Acyclic, Connected, GraphConstraint, Regions, SingleLoop
from jigsat.words import name_place


class Clause(NamedTuple):
    """At least one of the literals is true."""

    literals: tuple[int, ...]

    @property
    def kind(self) -> str:
        return "clause"


class Cardinality(NamedTuple):
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


class Xor(NamedTuple):
    """The number of true variables among `variables`, which are positive and distinct, is odd (or
    even if not `odd`)."""

    variables: tuple[int, ...]
    odd: bool

    @property
    def kind(self) -> str:
        return "xor"


class Linear(NamedTuple):
    """The weights of the true literals add up to at least `at_least` and at most `at_most`.

    The literals belong to distinct variables, and weights are positive: `Formula.linear` brings
    every sum to this form.
    """

    literals: tuple[int, ...]
    weights: tuple[int, ...]
    at_least: int
    at_most: int

    @property
    def kind(self) -> str:
        return "linear"


Other = Cardinality | Xor | Linear | GraphConstraint  # other than clauses
Constraint = Clause | Cardinality | Xor | Linear | GraphConstraint


def as_sum(constraint: Clause | Cardinality | Linear) -> Linear:
    """A clause, cardinality constraint or linear constraint as bounds on the sum of the weights of
    distinct literals. Raises TypeError for any other constraint."""
    if isinstance(constraint, Linear):
        return constraint
    if not isinstance(constraint, Clause | Cardinality):
        raise TypeError(f"a constraint of the kind {constraint.kind!r} is not a sum")
    literals = tuple(dict.fromkeys(constraint.literals))  # a clause may repeat a literal
    low, high = (1, len(literals)) if isinstance(constraint, Clause) else constraint[1:]
    return Linear(literals, (1,) * len(literals), low, high)


def is_sum_of(clause: Collection[int], variables: Collection[int]) -> bool:
    """Whether a clause says that at least one of these variables is true, or that not all are."""
    return all(x in variables for x in clause) or all(-x in variables for x in clause)


Rows = list[tuple[int, ...]]  # clauses, each given by its literals

MAX_BATCH_CLAUSES = 1_000
"""The maximum number of clauses in a list: enough to read them quickly, and few enough to keep the
memory small."""


def unpack_batches(batches: Iterable[Rows | Constraint]) -> Iterator[Constraint]:
    """The constraints of all batches, one by one."""
    for batch in batches:
        if isinstance(batch, list):
            yield from map(Clause, batch)
        else:
            yield batch


class Constraints:
    """A growing list of constraints.

    They are stored as integers in one array and converted to objects on demand: a million clauses
    would take ten times as much memory as objects. Consecutive clauses of the same length are a
    run: their length, their number, and all their literals.
    """

    def __init__(self) -> None:
        self._numbers = array("i")
        self._length = 0
        # if the last constraint is a clause: its length, and where its run begins
        self._run = (
            -1,
            -1,
        )
        self._others = array("q")  # the positions of constraints other than clauses
        self._linear: list[Linear] = []  # their weights may be of any size
        self.graphs: list[GraphConstraint] = []
        """The constraints on graphs, which are among the others; not to be changed."""

    def copy(self) -> Constraints:
        """The same constraints, to which others can be added."""
        copied = Constraints()
        copied._numbers = self._numbers[:]
        copied._length = self._length
        copied._run = self._run
        copied._others = self._others[:]
        copied._linear = list(self._linear)
        copied.graphs = list(self.graphs)
        return copied

    def append(self, constraint: Constraint) -> None:
        match constraint:
            case Clause(literals):
                self.append_clauses(literals, len(literals), 1)
                return
            case Cardinality(literals, at_least, at_most):
                numbers: tuple[int, ...] = (-1, len(literals), at_least, at_most, *literals)
            case Xor(variables, odd):
                numbers = (-2, len(variables), odd, *variables)
            case Linear():
                numbers = (-3, len(self._linear))
                self._linear.append(constraint)
            case Connected() | SingleLoop() | Acyclic() | Regions():
                numbers = (-4, len(self.graphs))
                self.graphs.append(constraint)
        self._others.append(len(self._numbers))
        self._numbers.extend(numbers)
        self._run = (-1, -1)
        self._length += 1

    def append_clauses(self, literals: Sequence[int], length: int, number: int) -> None:
        """Add a number of clauses of the same length at the end, given by their literals one after
        the other."""
        current, start = self._run
        if length == current:
            self._numbers[start + 1] += number
        else:
            self._run = length, len(self._numbers)
            self._numbers.extend((length, number))
        self._numbers.extend(literals)
        self._length += number

    def __len__(self) -> int:
        return self._length

    def numbers(self) -> array[int]:
        """The constraints as they are stored; not to be changed.

        A run of clauses is stored as their length, their number and all their literals, a
        cardinality constraint as -1, its length, its two bounds and its literals. Negative numbers
        other than -1 mark other constraints.
        """
        return self._numbers

    def __iter__(self) -> Iterator[Constraint]:
        return unpack_batches(self.batches())

    def batches(self) -> Iterator[Rows | Other]:
        """The constraints in order. Each run of clauses is yielded as lists of at most
        `MAX_BATCH_CLAUSES` tuples."""
        numbers = self._numbers
        i = 0
        while i < len(numbers):
            if numbers[i] < 0:
                constraint, i = self._other(i)
                yield constraint
                continue

            length, clauses = numbers[i : i + 2]
            start = i + 2
            end = start + length * clauses
            i = end
            if length == 0:
                yield [()] * clauses
                continue
            batch_size = length * MAX_BATCH_CLAUSES
            for first in range(start, end, batch_size):
                literals = iter(numbers[first : min(first + batch_size, end)])
                # `length` references to one iterator take that many literals for each tuple
                yield list(zip(*[literals] * length, strict=True))

    def others(self) -> Iterator[Other]:
        """The constraints other than clauses, without iterating over the clauses."""
        return (self._other(start)[0] for start in self._others)

    def _other(self, i: int) -> tuple[Other, int]:
        """The constraint that begins at index i, and the index of its end."""
        numbers = self._numbers
        if numbers[i] == -1:
            _, length, at_least, at_most = numbers[i : i + 4]
            end = i + 4 + length
            return Cardinality(tuple(numbers[i + 4 : end]), at_least, at_most), end
        if numbers[i] == -3:
            return self._linear[numbers[i + 1]], i + 2
        if numbers[i] == -4:
            return self.graphs[numbers[i + 1]], i + 2
        _, length, odd = numbers[i : i + 3]
        end = i + 3 + length
        return Xor(tuple(numbers[i + 3 : end]), bool(odd)), end


class ConstraintGroup:
    """The constraints that express one rule of the puzzle, named after the rule."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.constraints = Constraints()

    def copy(self) -> ConstraintGroup:
        """A group with the same constraints, to which others can be added."""
        copied = ConstraintGroup(self.name)
        copied.constraints = self.constraints.copy()
        return copied

    def kinds(self) -> Counter[str]:
        """The number of constraints of each kind."""
        return Counter(constraint.kind for constraint in self.constraints)


class Thing(NamedTuple):
    """What rules are about: a noun, and which of the things it is, such as `Thing("row", 3)`.

    >>> str(Thing("row", 3)), str(Thing("cell", (0, 2)))
    ('row 3', 'cell r1c3')
    """

    noun: str
    which: Hashable = ""

    def __str__(self) -> str:
        return " ".join(filter(None, (self.noun, name_place(self.which))))


class Requirement(NamedTuple):
    """Something that a solution must contain, such as ("piece", "A", "placed") or ("cell", "(0,
    0)", "filled")."""

    noun: str
    name: str
    done: str
