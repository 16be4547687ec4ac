"""Proves facts again, with another solver, from the rules that they name and the placements on
which they rest.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from jigsat import Puzzle
from jigsat.backends import Backend, open_backend
from jigsat.facts import Case, Marks, Placement
from jigsat.formula import (
    Acyclic,
    Cardinality,
    Clause,
    Connected,
    Constraint,
    Formula,
    Linear,
    Lowered,
    Regions,
    SingleLoop,
    Xor,
)
from jigsat.puzzle import Rule


class Prover:
    """Knows the formula of a puzzle, and has a solver for each set of rules."""

    def __init__(self, puzzle: Puzzle) -> None:
        self.formula = puzzle.encode()
        self.rules = self.formula.list_rules()
        self.variables = {self.formula.key(x): x for x in self.formula.decisions()}
        self._solvers: dict[frozenset[str], tuple[Backend, int]] = {}

    def follows(self, rules: Iterable[Rule], basis: Marks, conclusion: Marks) -> bool:
        """Whether the rules and the basis leave no model without the conclusion."""
        solver, holds = self._open([rule.name for rule in rules])
        grounds = self.literals(basis)
        return all(
            not solver.solve([holds, *grounds, -literal]) for literal in self.literals(conclusion)
        )

    def contradict(self, rules: Iterable[Rule], basis: Marks) -> bool:
        """Whether the rules and the basis have no model."""
        solver, holds = self._open([rule.name for rule in rules])
        return not solver.solve([holds, *self.literals(basis)])

    def requires_one(self, rule: Rule, options: Iterable[Placement]) -> bool:
        """Whether a rule alone requires one of these placements."""
        return self.contradict([rule], Marks((), tuple(options)))

    def literals(self, marks: Marks) -> list[int]:
        placed = [self.variables[placement] for placement in marks.placed]
        return placed + [-self.variables[placement] for placement in marks.excluded]

    def propagate_alone(self, rule: str, known: set[int]) -> list[int]:
        """What propagation by one rule and what is known implies about placements."""
        about = {abs(literal) for each in self.rules[rule] for literal in each[0]}
        about &= set(self.variables.values())
        here = [literal for x in about for literal in (x, -x) if literal in known]
        if len(here) == len(about):
            return []
        solver, holds = self._open([rule], purpose="propagate")  # a search would learn more
        _, implied = solver.propagate([holds, *here])
        return [literal for literal in implied if abs(literal) in about]

    def _open(self, names: Iterable[str], purpose: str = "") -> tuple[Backend, int]:
        """A solver, and the literal that makes the rules hold."""
        rules = frozenset(names)
        key = frozenset([*rules, purpose])
        if key not in self._solvers:
            lowered = Lowered(self._restrict(rules))
            clauses = [row.literals for row in lowered if isinstance(row, Clause)]
            holds = lowered.top + 1  # the variables that were added come before
            solver = open_backend("glucose42")
            solver.load(Formula())
            solver.add_clauses([(-holds, *literals) for literals in clauses])
            self._solvers[key] = solver, holds
        return self._solvers[key]

    def _restrict(self, names: frozenset[str]) -> Formula:
        """The same variables with the constraints of these rules only."""
        formula = self.formula.extended()
        formula.groups, formula.objective = {}, {}
        for name in names:
            for constraint in self.rules[name]:
                _add(formula, constraint)
        return formula

    def close(self) -> None:
        for solver, _ in self._solvers.values():
            solver.close()


def _add(formula: Formula, constraint: Constraint) -> None:
    match constraint:
        case Clause(literals):
            formula.clause(literals)
        case Cardinality(literals, low, high):
            formula.between(low, high, literals)
        case Xor(variables, odd):
            formula.xor(variables, odd=odd)
        case Linear(literals, weights, low, high):
            formula.linear(zip(literals, weights, strict=True), at_least=low, at_most=high)
        case Connected() | SingleLoop() | Acyclic() | Regions():
            formula.on_graph(constraint)


def prove_case(prover: Prover, case: Case) -> None:
    """Each line of a chain follows from what it rests on; the end is a contradiction."""
    for line in case.chain:
        assert prover.follows(line.rules, line.basis, line.conclusion), line
    assert prover.contradict(case.end.rules, case.end.basis), case.end


def list_marks(marks: Marks) -> set[tuple[bool, Any]]:
    """The placements of marks, each with whether it is made."""
    return {(True, x) for x in marks.placed} | {(False, x) for x in marks.excluded}
