"""The tree of the subproblems of a ledger: whether the parts of each partition it.

A run that resumes a ledger adds up the counts of its subproblems. The sum is right only if no two
parts overlap and none is missing. Each subproblem is split by one choice: a variable, with its
literal and the negation, or the literals of an exactly-one constraint. Its parts extend it by one
literal of the choice each; those that unit propagation refutes are only listed.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from jigsat.formula import Cardinality, Formula

ROOT = 1  # the number of the whole search

Choice = frozenset[int]
"""The literals of which exactly one is true."""


class Node(Protocol):
    """A subproblem, as a row of the ledger has it."""

    @property
    def id(self) -> int: ...

    @property
    def parent(self) -> int | None: ...

    @property
    def literals(self) -> tuple[int, ...]: ...

    @property
    def state(self) -> str: ...

    @property
    def refuted(self) -> tuple[int, ...] | None: ...


@dataclass
class _Split:
    """A subproblem that was split, and the literals of its parts that were read."""

    literals: tuple[int, ...]
    refuted: Sequence[int]
    parts: set[int] = field(default_factory=set)


class SubproblemTree:
    """The tree of some subproblems, of which a parent comes before its parts."""

    def __init__(self) -> None:
        self._splits: dict[int, _Split] = {}
        self._roots = 0

    def read(self, nodes: Iterable[Node]) -> Iterator[str]:
        """Add subproblems; yields what is wrong with them."""
        for node in nodes:
            if node.parent is None:
                self._roots += 1
                if node.id != ROOT or node.literals:
                    yield f"subproblem {node.id} has no parent"
            else:
                yield from self._add_part(node, node.parent)
            if node.state == "split":
                self._splits[node.id] = _Split(node.literals, node.refuted or ())
        if self._roots != 1:
            yield f"there are {self._roots} roots instead of one"

    def _add_part(self, node: Node, parent: int) -> Iterator[str]:
        split = self._splits.get(parent)
        if split is None:
            yield f"subproblem {node.id} is a part of {parent}, which was not split before"
        elif node.literals[:-1] != split.literals or not node.literals:
            yield f"subproblem {node.id} does not extend {parent} by one literal"
        elif node.literals[-1] in split.parts:
            yield f"subproblem {node.id} is a part of {parent} for the second time"
        else:
            split.parts.add(node.literals[-1])

    def choices(self) -> Iterator[tuple[tuple[int, ...], Choice]]:
        """The literals of each subproblem that was split, and the choice."""
        for split in self._splits.values():
            yield split.literals, frozenset(split.parts).union(split.refuted)

    def find_wrong_choices(self, known: Collection[Choice]) -> Iterator[str]:
        """What is wrong with the choices. `known` are those that the formula has, besides the
        choices between a literal and its negation."""
        for number, split in self._splits.items():
            literals = [*split.parts, *split.refuted]
            choice = frozenset(literals)
            if len(choice) < len(literals):
                yield f"subproblem {number} has a part that is also refuted"
            elif choice not in known and not is_variable(choice):
                yield (
                    f"subproblem {number}: its parts are not those of a variable or of an "
                    f"exactly-one constraint"
                )


def is_variable(choice: Choice) -> bool:
    """Whether a choice is between a literal and its negation."""
    return len(choice) == 2 and sum(choice) == 0


def name_choices(formula: Formula) -> dict[Choice, str]:
    """The exactly-one constraints of a formula, and the name of the rule of each."""
    names = {}
    for group in formula.groups.values():
        for constraint in group.constraints.others():
            if not isinstance(constraint, Cardinality):
                continue
            if constraint.at_least == constraint.at_most == 1:
                names[frozenset(constraint.literals)] = group.name
    return names
