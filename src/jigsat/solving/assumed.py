"""A puzzle on a grid in a solver, in which a clue holds only if its literal is assumed.

So one solver decides for any set of clues whether they force the answer, and the core of a
refutation has the clues that were needed. The rules stay when the puzzle gets other clues: what was
learned from them, and the cuts of constraints on graphs, serve for every puzzle that is tried.
"""

from __future__ import annotations

import random
from collections.abc import Collection, Iterable, Sequence
from itertools import chain
from typing import NamedTuple, TypeVar

from jigsat.backends import Cutting, open_backend
from jigsat.formula import (
    Clause,
    Constraint,
    GraphConstraint,
    Lowered,
    list_local_constraints,
)
from jigsat.kit import ClueName, Mark, Rules

SOLVER = "cadical195"
MAX_CONFLICTS = 20_000  # of a call; a puzzle that needs more is dropped
MAX_DRAWN = 400  # number of random literals that are assumed to draw an answer
CLUES_PER_CURRENT = 8
"""The number of clues in a solver, for each clue of the puzzle, with which it becomes slow."""

C = TypeVar("C", bound=Constraint)


class Statement(NamedTuple):
    """What a clue says. Variables that only this clue has are numbered from `FIRST_OWN`."""

    clue: ClueName
    constraints: tuple[Constraint, ...]


FIRST_OWN = 10**9  # above the variables of any formula


class Parts:
    """The constraints of a puzzle, those of the rules and those of each clue."""

    def __init__(self, formula: Rules) -> None:
        self.formula = formula
        self.mark_of: dict[int, Mark] = {}
        for x in formula.decisions():
            self.mark_of[x] = formula.key(x)  # type: ignore[assignment]
        self.rules: list[Constraint] = []
        by_clue: dict[ClueName, list[Constraint]] = {clue: [] for clue in formula.clue_spans}
        for clue, constraint in formula.list_by_clue():
            if clue is None:
                self.rules.append(constraint)
            else:
                by_clue[clue].append(constraint)
        self.shared = self._list_shared(by_clue.values())
        """The variables that belong to no single clue."""
        self.statements: list[Statement] = []
        for clue, constraints in by_clue.items():
            own = _list_variables(constraints) - self.shared
            numbers = {x: FIRST_OWN + i for i, x in enumerate(sorted(own))}
            renamed = tuple(_rename(constraint, numbers) for constraint in constraints)
            self.statements.append(Statement(clue, renamed))

    def _list_shared(self, by_clue: Iterable[Sequence[Constraint]]) -> set[int]:
        shared = set(self.mark_of) | _list_variables(self.rules)
        seen: set[int] = set()
        for constraints in by_clue:
            variables = _list_variables(constraints)
            shared |= variables & seen
            seen |= variables
        return shared

    def has_rules_of(self, other: Parts) -> bool:
        """Whether at most the clues differ."""
        return (
            self.mark_of == other.mark_of
            and self.rules == other.rules
            and self.shared == other.shared
        )


def _list_variables(constraints: Iterable[Constraint]) -> set[int]:
    return set(map(abs, chain.from_iterable(constraint[0] for constraint in constraints)))


def _rename(constraint: C, numbers: dict[int, int]) -> C:
    """The constraint with other numbers of some variables."""
    if not numbers:
        return constraint
    literals = []
    for x in constraint[0]:
        number = numbers.get(abs(x), abs(x))
        literals.append(number if x > 0 else -number)
    return type(constraint)(tuple(literals), *constraint[1:])


class AssumedClues:
    """The rules of a puzzle in a solver, and clues that hold only if they are assumed."""

    def __init__(self, parts: Parts, rng: random.Random) -> None:
        self.clues: dict[ClueName, int] = {}
        """The literal of each clue of the puzzle that was posed last."""
        self._parts = parts
        self._rng = rng
        self._literal_of: dict[Statement, int] = {}
        self._lowered = Lowered(parts.formula)
        self._solver = Cutting(open_backend(SOLVER))
        self._solver.limit(MAX_CONFLICTS)
        for constraint in parts.rules:
            self._add(constraint, [])
        self.pose(parts)

    def can_pose(self, parts: Parts) -> bool:
        """Whether a puzzle has the same rules, and the solver is not too large yet."""
        limit = CLUES_PER_CURRENT * max(1, len(parts.statements))
        return len(self._literal_of) <= limit and self._parts.has_rules_of(parts)

    def pose(self, parts: Parts) -> None:
        """Make the clues of a puzzle with the same rules the current ones."""
        new = [statement for statement in parts.statements if statement not in self._literal_of]
        # Cores prefer clues with small literals. No place of the grid should be preferred.
        literals = [self._lowered.auxiliary() for _ in new]
        self._rng.shuffle(literals)
        for statement, literal in zip(new, literals, strict=True):
            self._literal_of[statement] = literal
            own = sorted(x for x in _list_variables(statement.constraints) if x >= FIRST_OWN)
            numbers = {x: self._lowered.auxiliary() for x in own}
            for constraint in statement.constraints:
                self._add(_rename(constraint, numbers), [-literal])
        self.clues = {statement.clue: self._literal_of[statement] for statement in parts.statements}

    def _add(self, constraint: Constraint, exceptions: Sequence[int]) -> None:
        """Add a constraint that holds unless one of the exceptions is true."""
        parts = [constraint]
        if isinstance(constraint, GraphConstraint):
            self._solver.add_unless(constraint, exceptions)
            parts = list_local_constraints(constraint)
        rows = []
        for part in parts:
            for clause in self._lowered.lower(part):
                rows.append((*clause[0], *exceptions))
        self._solver.add_clauses(rows)

    def solve(
        self, clues: Iterable[ClueName], literals: Sequence[int] = ()
    ) -> frozenset[Mark] | None:
        """An answer that agrees with some clues; None if there is none. Raises Stopped if that is
        too hard to decide."""
        assumed = sorted(self.clues[clue] for clue in clues)
        if not self._solver.solve([*assumed, *literals]):
            return None
        true = set(self._solver.model())
        return frozenset(mark for x, mark in self._parts.mark_of.items() if x in true)

    def forbid(self, answer: Collection[Mark]) -> int:
        """A literal with which only other answers are found."""
        other = self._lowered.auxiliary()
        difference = [-x if mark in answer else x for x, mark in self._parts.mark_of.items()]
        self._solver.add(Clause((-other, *difference)))
        return other

    def find_conflict(self, clues: Collection[ClueName]) -> list[ClueName] | None:
        """Those of some clues that the solver needs for a conflict; None if there is an answer.
        Raises Stopped."""
        if self.solve(clues) is not None:
            return None
        needed = self.list_needed()
        return [clue for clue in clues if clue in needed]

    def list_needed(self) -> set[ClueName]:
        """The clues that were needed to exclude every other answer."""
        core = set(self._solver.core())
        return {clue for clue, literal in self.clues.items() if literal in core}

    def draw(
        self,
        clues: Collection[ClueName] = (),
        free: Collection[Mark] | None = None,
        near: Collection[Mark] = (),
    ) -> frozenset[Mark] | None:
        """An answer at random that agrees with some clues, whatever the others are: random literals
        are assumed, without those that contradict. None if there is no answer. With `free`, only
        these marks are drawn, and the others are as in the answer `near`."""
        fixed, decisions = [], []
        for x, mark in self._parts.mark_of.items():
            if free is None or mark in free:
                decisions.append(x)
            else:
                fixed.append(x if mark in near else -x)
        sample = self._rng.sample(decisions, min(MAX_DRAWN, len(decisions)))
        literals = [x if self._rng.random() < 0.5 else -x for x in sample]
        while True:
            answer = self.solve(clues, [*fixed, *literals])
            if answer is not None:
                return answer
            core = set(self._solver.core())
            contradicting = [x for x in literals if x in core]
            if not contradicting:
                return None
            literals.remove(contradicting[-1])

    def close(self) -> None:
        self._solver.close()
