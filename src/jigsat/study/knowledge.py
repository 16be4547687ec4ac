"""What is known about a puzzle while it is solved by logic, and what single rules say about it.

A rule is all constraints about one thing, such as box 3 (`Formula.rule`). In the solvers here, each
rule holds only if it is assumed.
"""

from __future__ import annotations

from collections.abc import Collection, Container, Iterable, Iterator, Mapping, Sequence, Set
from functools import cached_property
from itertools import chain, islice
from typing import NamedTuple

from jigsat.backends import PROPAGATOR, Backend, open_backend
from jigsat.formula import (
    Cardinality,
    Clause,
    Constraint,
    ConstraintGroup,
    Formula,
    GraphConstraint,
    Lowered,
    Name,
    Reason,
    SingleLoop,
    Xor,
)
from jigsat.puzzle import Puzzle, Rule, list_rules
from jigsat.study.totals import Total, find_totals
from jigsat.symmetry import Placement


class Group(NamedTuple):
    """Literals of which a rule requires or allows one, and those of them that are left."""

    rule: str
    options: tuple[int, ...]
    left: tuple[int, ...]


class Ways(NamedTuple):
    """What the thing of a rule may still be, of a number of options, such as words for a slot."""

    names: tuple[str, ...]
    options: int


class Knowledge:
    """The rules of a puzzle, and the literals that are known; at first the given placements.

    `targets` are the literals that can be found.
    """

    def __init__(
        self, puzzle: Puzzle, formula: Formula, given: Collection[Placement], targets: Iterable[int]
    ) -> None:
        self.puzzle, self.formula = puzzle, formula
        self.keys: dict[int, Placement] = {x: formula.key(x) for x in formula.decisions()}
        self.variables = {placement: x for x, placement in self.keys.items()}
        self.constraints = formula.list_rules()
        decisions = set(self.keys)

        # What a person puts on the board; other decisions, such as scores, follow from that.
        self.shown = {x for x, key in self.keys.items() if puzzle.board_places(key)} or decisions

        clauses, top = _list_clauses(formula, self.constraints)
        self.rules = {name: top + i for i, name in enumerate(clauses, 1)}
        self.scopes = {name: set(map(abs, chain(*rows))) for name, rows in clauses.items()}
        self.about = {name: scope & decisions for name, scope in self.scopes.items()}
        self.choices = self._list_choices()
        self.xors = _list_xors(self.constraints)
        self._graphs = _list_graphs(self.constraints)
        self._ways = {rule: self._name_ways(rule) for rule in self.rules}

        # The second solver does not have what is known. The third only propagates, so it has no
        # clauses that were learned in a search.
        self.solver, self.ignorant, self._propagator = (
            self._open_solver(clauses) for _ in range(3)
        )

        self.known: set[int] = set()
        self.causes: dict[int, str | int] = {}
        """Of a known literal: the rule that excluded it directly, or the number of a step."""
        self.undecided = dict.fromkeys(targets)
        made = {*puzzle.given_placements(), *given}
        self.learn(x for x, key in self.keys.items() if key in made)

    def _open_solver(self, clauses: Mapping[str, Sequence[tuple[int, ...]]]) -> Backend:
        """A solver in which each rule holds if its variable is assumed."""
        solver = open_backend(PROPAGATOR)
        solver.load(Formula())
        for name, literals in clauses.items():
            solver.add_clauses([(-self.rules[name], *row) for row in literals])
        return solver

    def _list_choices(self) -> dict[str, list[tuple[int, ...]]]:
        """For each rule, the literals of which it requires one."""
        choices: dict[str, list[tuple[int, ...]]] = {}
        for name, constraints in self.constraints.items():
            for constraint in constraints:
                if not self.shown.isdisjoint(constraint[0]) and _requires_one(constraint):
                    choices.setdefault(name, []).append(tuple(constraint[0]))
        return choices

    def _name_ways(self, rule: str) -> dict[int, Name]:
        """The auxiliary variables for what the thing of a rule is, such as `word(slot, word)`."""
        ways: dict[int, Name] = {}
        thing = self.formula.things.get(rule)
        if thing is None:
            return ways
        for x in sorted(self.scopes[rule] - self.keys.keys()):
            if x <= self.formula.top:
                name = self.formula.name(x)
                if name.axes[1:] == (name.family,) and name.key[0] == thing.which:
                    ways[x] = name
        return ways

    @cached_property
    def groups(self) -> dict[str, list[tuple[int, ...]]]:
        """For each rule, the placements of which it allows one."""
        groups: dict[str, list[tuple[int, ...]]] = {}
        for name, constraints in self.constraints.items():
            for constraint in constraints:
                if not isinstance(constraint, Cardinality) or constraint.at_most != 1:
                    continue
                if self.keys.keys() >= set(constraint.literals):
                    groups.setdefault(name, []).append(tuple(constraint.literals))
        return groups

    @cached_property
    def totals(self) -> dict[str, list[Total]]:
        """For each rule, what numbers add up to by it."""
        return find_totals(self.constraints, self.requirements, self.keys)

    @cached_property
    def rule_objects(self) -> dict[str, Rule]:
        """The rules by their names."""
        return list_rules(self.formula)

    def close(self) -> None:
        """Free the solvers."""
        for solver in (self.solver, self.ignorant, self._propagator):
            solver.close()

    # -- what is known

    def aim_at(self, targets: Iterable[int]) -> None:
        """Let these be the literals that can be found, as far as they are not known."""
        self.undecided = dict.fromkeys(x for x in targets if x not in self.known)

    def learn(self, literals: Iterable[int], cause: str | int = 0) -> None:
        """Let literals hold from now on, because of a rule or the step of a number; 0 if it is not
        known.
        """
        for literal in literals:
            self.causes[literal] = cause
            self.known.add(literal)
            self.undecided.pop(literal, None)
            self.solver.add(Clause((literal,)))
            self._propagator.add(Clause((literal,)))

    def list_open(self, rule: str) -> set[int]:
        """The variables of a rule that are not known."""
        return {x for x in self.about[rule] if x not in self.known and -x not in self.known}

    def count_remaining(self, rule: str, implied: Collection[int]) -> int:
        """How many placements of a rule stay open when literals hold that it implies; none if one
        of these is the last one of a choice."""
        for choice in self.choices.get(rule, ()):
            left = [x for x in choice if -x not in self.known]
            if len(left) == 1 and left[0] in implied:
                return 0
        return len(self.list_open(rule).difference(map(abs, implied)))

    def is_restricted(self, rule: str) -> bool:
        """Whether other rules or earlier steps have excluded placements of a rule."""
        return any(-x in self.known and self.causes[-x] != rule for x in self.about[rule])

    def list_left(self) -> tuple[Placement, ...]:
        """The placements that are not excluded, also those that are made."""
        return tuple(key for x, key in self.keys.items() if -x not in self.known)

    def exclude_directly(self) -> None:
        """Exclude what follows from single rules by unit propagation, and decide what nobody puts
        on the board.
        """
        changed = set[int]().union(*self.about.values())
        while True:
            rules = [rule for rule in self.rules if not changed.isdisjoint(self.about[rule])]
            if not rules:
                return
            changed = set()
            for rule in rules:
                implied = filter(self._is_silent, self._imply_alone(rule))
                silent = [x for x in implied if not self._is_telling(rule, x)]
                self.learn(silent, rule)
                changed.update(map(abs, silent))

    def _imply_alone(self, rule: str) -> Sequence[int]:
        """What a rule implies by unit propagation; if it is broken, what each placement implies."""
        possible, implied = self._propagator.propagate([self.rules[rule]])
        if possible:
            return implied
        placed = self.about[rule] & self.known
        return [y for x in placed for y in self.ignorant.propagate([self.rules[rule], x])[1]]

    def _is_silent(self, literal: int) -> bool:
        """Whether a literal is found without a step."""
        return (
            literal not in self.shown and literal in self.undecided and -literal not in self.known
        )

    def _is_telling(self, rule: str, literal: int) -> bool:
        """Whether a step shows that a rule excludes a literal: because of a total, or for more than
        what is beside it on a graph.
        """
        if self._is_summand(rule, -literal):
            return not any(
                -literal in group and not self.known.isdisjoint(group)
                for group in self.groups.get(rule, ())
            )
        about = [x for graph in self._graphs.get(rule, ()) for x in graph.literals]
        if literal not in about and -literal not in about:
            return False
        return self.find_reason(rule, literal) not in ("meets", "closed")

    def _is_summand(self, rule: str, x: int) -> bool:
        """Whether a literal is a number of a total."""
        return any(
            x in numbers for total in self.totals.get(rule, ()) for _, numbers in total.cells
        )

    def find_rules_again(self, exclusions: Iterable[int]) -> dict[int, str]:
        """Of literals that a step excluded before: a single rule that implies them by now together
        with a placement.
        """
        rules = {}
        for literal in exclusions:
            for rule in islice(self._list_implying(literal), 1):
                rules[literal] = rule
        return rules

    def _list_implying(self, literal: int) -> Iterator[str]:
        for rule, about in self.about.items():
            if -literal in about:
                for x in about & self.known:
                    if literal in self.ignorant.propagate([self.rules[rule], x])[1]:
                        yield rule

    def find_blocking(self, x: int, placed: Iterable[int]) -> Iterator[tuple[str, int]]:
        """The first of these literals that excludes a placement by a single rule, with the rule;
        nothing if none does.
        """
        for literal in placed:
            for rule, about in self.about.items():
                if abs(literal) == x or not about.issuperset((x, abs(literal))):
                    continue
                if -x in self.ignorant.propagate([self.rules[rule], literal])[1]:
                    yield rule, literal
                    return

    # -- what rules imply

    def propagate(
        self, rules: Sequence[str], holding: Sequence[int] = ()
    ) -> tuple[bool, list[int]]:
        """Whether these rules are possible by unit propagation with what is known while literals
        hold, and what they imply.
        """
        assumed = [*(self.rules[rule] for rule in rules), *holding]
        while True:
            possible, implied = self._propagator.propagate(assumed)
            if not possible:
                return False, list(implied)
            new = self._imply_on_graphs(rules, {*implied, *holding})
            if new is None or not new:
                return new is not None, list(implied)
            assumed += sorted(new, key=abs)

    def _imply_on_graphs(self, rules: Sequence[str], implied: Set[int]) -> set[int] | None:
        """What follows from the constraints on graphs of these rules; None if it is contradictory.

        What follows from one rule without the others is found when it is asked alone.
        """
        new: set[int] = set()
        if not self._graphs:
            return new
        fresh = {abs(x) for x in implied - self.known}
        for rule in rules:
            if len(rules) > 1 and fresh.isdisjoint(self.about[rule]):
                continue
            for constraint in self._graphs.get(rule, ()):
                literals = constraint.imply(self.known | implied)
                if literals is None:
                    return None
                new |= literals
        return new

    def find_reason(self, rule: str, literal: int) -> Reason | None:
        """Why a literal follows from what is known by a constraint on a graph of this rule."""
        for constraint in self._graphs.get(rule, ()):
            reason = constraint.find_reason(literal, self.known)
            if reason is not None:
                return reason
        return None

    def find_star(self, rule: str, literal: int, known: Collection[int]) -> tuple[int, ...]:
        """The lines at a node of the loop of this rule that imply a literal, or that are
        contradictory if it is 0; nothing if there is none.
        """
        for constraint in self._graphs.get(rule, ()):
            if isinstance(constraint, SingleLoop):
                star = constraint.find_star(literal, known)
                if star:
                    return star
        return ()

    def list_implied(self, rules: Sequence[str]) -> list[int]:
        """The undecided literals that follow from these rules by unit propagation."""
        return [x for x in self.propagate(rules)[1] if x in self.undecided]

    def rest_on(
        self, rules: Sequence[str], literal: int, assumed: Collection[int] = frozenset()
    ) -> set[int]:
        """The literals, known or assumed, from which a literal follows by these rules, or a
        contradiction if it is 0.

        Exclusions are left out first, so that few placements remain.
        """
        about = set[int]().union(*(self.scopes[rule] for rule in rules))
        fixed = [self.rules[rule] for rule in rules]
        if literal:
            fixed.append(-literal)
        holding = self.known.union(assumed)
        both = (x for y in about for x in (y, -y))
        grounds = [x for x in both if x in holding and x != literal]
        possible = self.ignorant.solve([*fixed, *grounds])
        assert not possible, "the rules imply it"

        grounds = sorted(set(self.ignorant.core()).intersection(grounds))
        for x in list(grounds):
            fewer = [y for y in grounds if y != x]
            if not self.ignorant.propagate([*fixed, *fewer])[0]:
                grounds = fewer
        return set(grounds)

    # -- what rules leave of what they require

    def find_choices(
        self, rules: Sequence[str], literals: Sequence[int], known: Collection[int]
    ) -> tuple[Group, ...]:
        """What these rules leave of the choices from which others are excluded, if the literals
        follow from that.
        """
        goal = literals[0] if literals else 0
        grounds = self.rest_on(rules, goal, known)
        opposite = [-goal] if goal else []
        groups = []
        for rule in rules:
            others = [self.rules[other] for other in rules if other != rule]
            fixed = [*others, *opposite, *grounds]
            for options in self.choices.get(rule, ()):
                gone = {x for x in options if -x in known}
                if not literals and len(gone) < len(options):
                    continue
                if self._is_used(options, gone, grounds, fixed):
                    every = tuple(x for x in options if x in self.keys)
                    left = tuple(x for x in every if x not in gone)
                    groups.append(Group(rule, every, left))
        return tuple(groups)

    def _is_used(
        self,
        options: Sequence[int],
        gone: Collection[int],
        grounds: Collection[int],
        fixed: Sequence[int],
    ) -> bool:
        """Whether literals that rest on these grounds follow from what is left of a choice."""
        if any(x not in self.keys and x not in gone for x in options):
            return False
        if len(options) > 1 and not any(-x in grounds for x in gone):
            return False
        return all(-x in grounds or not self.ignorant.propagate([*fixed, x])[0] for x in gone)

    def find_empty(self, rule: str, known: Collection[int]) -> Iterator[Group]:
        """The choices of a rule that are all excluded, though it requires none, such as those of a
        cell that may be empty.
        """
        for options in self.choices.get(rule, ()):
            placements = tuple(x for x in options if x in self.keys)
            if len(placements) < len(options) and all(-x in known for x in placements):
                yield Group(rule, placements, ())

    @cached_property
    def requirements(self) -> list[tuple[str, tuple[int, ...]]]:
        """The choices that are all of placements, each with its rule."""
        return [
            (rule, options)
            for rule, every in self.choices.items()
            for options in every
            if self.keys.keys() >= set(options)
        ]

    def list_requirements(self, known: Set[int], rules: Container[str] = ()) -> list[Group]:
        """What is left of the choices of which none is known to be made; of all rules if none is
        named.
        """
        groups = []
        for rule, options in self.requirements:
            if (not rules or rule in rules) and known.isdisjoint(options):
                left = tuple(x for x in options if -x not in known)
                groups.append(Group(rule, options, left))
        return groups

    def list_ways(self, rules: Iterable[str], holding: Sequence[int] = ()) -> Ways | None:
        """What the thing of the first rule that is about such a thing may still be, while literals
        hold.
        """
        for rule in rules:
            ways = self._ways[rule]
            if ways:
                possible, implied = self.propagate([rule], holding)
                gone = {-x for x in implied} if possible else set(ways)
                left = tuple(str(name.key[1]) for x, name in ways.items() if x not in gone)
                return Ways(left, len(ways))
        return None


def _list_clauses(
    formula: Formula, rules: Mapping[str, Iterable[Constraint]]
) -> tuple[dict[str, list[tuple[int, ...]]], int]:
    """The constraints of each rule as clauses, and the number of variables."""
    by_rule = formula.extended()
    by_rule.groups = {}
    for name, constraints in rules.items():
        group = by_rule.groups[name] = ConstraintGroup(name)
        for constraint in constraints:
            group.constraints.append(constraint)
    lowered = Lowered(by_rule)
    clauses = {}
    for name, rows in lowered.groups():
        clauses[name] = [row.literals for row in rows if isinstance(row, Clause)]
    return clauses, lowered.top


def _requires_one(constraint: Constraint) -> bool:
    """Whether a constraint requires that one of its variables is true."""
    required = isinstance(constraint, Clause) or (
        isinstance(constraint, Cardinality) and constraint.at_least == 1
    )
    return required and len(constraint[0]) > 0 and all(x > 0 for x in constraint[0])


def _list_graphs(
    rules: Mapping[str, Sequence[Constraint]],
) -> dict[str, list[GraphConstraint]]:
    """The constraints on graphs of the rules that have some."""
    graphs: dict[str, list[GraphConstraint]] = {}
    for name, constraints in rules.items():
        for constraint in constraints:
            if isinstance(constraint, GraphConstraint):
                graphs.setdefault(name, []).append(constraint)
    return graphs


def _list_xors(rules: Mapping[str, Sequence[Constraint]]) -> dict[str, list[Xor]]:
    """The XORs of the rules that consist of them."""
    xors = {}
    for name, constraints in rules.items():
        rows = [constraint for constraint in constraints if isinstance(constraint, Xor)]
        if rows and len(rows) == len(constraints):
            xors[name] = rows
    return xors
