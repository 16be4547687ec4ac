"""Steps: how a puzzle is solved by logic, a few rules at a time.

A rule is all constraints about one thing, such as box 3 (`Formula.rule`). What unit propagation excludes by one rule is not
shown. A step is everything else that a small set of rules implies, together with what is known: one rule if possible, then two,
and then the smallest set that is found by leaving out rules from unsatisfiable cores. This follows Espasa, Gent, Hoffmann,
Jefferson and Lynch: Using small MUSes to explain how to solve pen and paper puzzles (Demystify), arXiv 2104.15040, 2021.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from itertools import combinations
from typing import Any, Literal

from jigsat.analysis.candidates import Candidates
from jigsat.analysis.cores import Assumed
from jigsat.backends import PROPAGATOR, open_backend
from jigsat.errors import InputError, Stopped, name_place, plural
from jigsat.formula import Clause, ConstraintGroup, Formula, Lowered
from jigsat.puzzle import Puzzle
from jigsat.symmetry import Placement

Kind = Literal["rules", "sum", "case", "trial"]

MAX_RULES = 6  # number of rules in a step that is neither a sum of XORs nor a case distinction
MAX_TARGETS = 300  # number of undecided placements for which a set of rules is searched, at most
MAX_SHOWN = 4  # number of placements that are named in a sentence


@dataclass(frozen=True)
class Step:
    """What some rules imply together with what is known: placements that are made, and others that are excluded.

    `kind` is 'rules' for at most `MAX_RULES` rules; 'sum' if the rules are XORs that are added up; 'case' if a placement is
    excluded because it would lead to a contradiction, and `rules` are those that it would break; 'trial' if only a search finds
    the placement, and then there are no rules. `facts` are the placements that were made before and concern these rules.
    """

    kind: Kind
    rules: tuple[str, ...]
    placed: tuple[Placement, ...]
    excluded: tuple[Placement, ...]
    facts: tuple[Placement, ...]

    def describe(self, cell_field: str | None) -> str:
        """The step in a sentence; `cell_field` is the field of the placements that names their cell."""
        placed, excluded = (
            [describe_placement(each, cell_field, holds=holds) for each in placements]
            for holds, placements in ((True, self.placed), (False, self.excluded))
        )
        more = [f"{plural(len(excluded) - MAX_SHOWN, 'other')} excluded"] if len(excluded) > MAX_SHOWN else []
        result = ", ".join([*placed, *excluded[:MAX_SHOWN], *more])
        if self.kind == "trial":
            return f"This needs trial and error: {result}"
        if self.kind == "case":
            words = f"If not, these {len(self.rules)} rules lead to a contradiction, one after the other"
            return f"{words} ({', '.join(self.rules)}): {result}"
        return f"{'Add up ' if self.kind == 'sum' else ''}{', '.join(self.rules)}: {result}"

    def json(self) -> dict[str, Any]:
        """The step as a plain object."""
        lists = {name: [each._asdict() for each in getattr(self, name)] for name in ("placed", "excluded", "facts")}
        return {"kind": self.kind, "rules": list(self.rules), **lists}


def describe_placement(placement: Placement, cell_field: str | None, *, holds: bool = True) -> str:
    """A placement in words, such as 'r1c3 = 5', or that it is excluded.

    >>> from jigsat.instance import load
    >>> formula = load("sudoku-4x4-empty").encode()
    >>> describe_placement(formula.key(1), "cell"), describe_placement(formula.key(1), "cell", holds=False)
    ('r1c1 = 1', 'r1c1 ≠ 1')
    """
    fields = {name: name_place(value) for name, value in placement._asdict().items()}
    cell = fields.pop(cell_field, None) if cell_field else None
    if cell is not None and len(fields) == 1:
        return f"{cell} {'=' if holds else '≠'} {next(iter(fields.values()))}"
    if cell is not None and not fields:
        return f"{'' if holds else 'no '}{type(placement).__name__.lower()} {cell}"
    words = " ".join(f"{name} {value}" for name, value in fields.items())
    return ("" if holds else "not ") + (f"{cell}: {words}" if cell else words)


def find_steps(puzzle: Puzzle, candidates: Candidates, given: Collection[Placement] = ()) -> Iterator[Step]:
    """The steps from the given placements to the solution, or as far as something is decided if there are several solutions.

    `candidates` are those with the given placements. Raises Stopped if they are not complete, and InputError if there is no
    solution.

    >>> from jigsat.analysis.candidates import find_candidates_until
    >>> from jigsat.instance import load
    >>> puzzle = load("sudoku-6x6")
    >>> steps = list(find_steps(puzzle, find_candidates_until(puzzle)))
    >>> {step.kind for step in steps}, steps[0].describe("cell")
    ({'rules'}, 'row 1: r1c5 = 3')
    """
    statuses = candidates.statuses
    if not statuses or not candidates.complete:
        raise Stopped("timeout")
    if set(statuses.values()) == {"none"}:
        raise InputError(f"{puzzle.name}: there is no solution with what is given; `jigsat solve` tells why")
    formula = puzzle.encode()
    signs = {"all": 1, "none": -1}
    keys = {x: formula.key(x) for x in formula.decisions()}
    targets = [signs[statuses[key]] * x for x, key in keys.items() if statuses[key] in signs]
    with closing(_Reasoner(formula, targets)) as reasoner:
        variables = {key: x for x, key in keys.items()}
        clues = [placement for clue in puzzle.clues().values() if len(clue) == 1 for placement in clue]
        reasoner.learn(variables[placement] for placement in [*clues, *given])
        while True:
            reasoner.exclude_directly()
            if not (found := reasoner.next_step()):
                return
            kind, rules, literals = found
            about = set().union(*(reasoner.variables[rule] for rule in rules))
            facts = tuple(keys[x] for x in sorted(reasoner.known) if x in about)
            reasoner.learn(literals)
            placed = tuple(keys[x] for x in literals if x > 0)
            yield Step(kind, tuple(rules), placed, tuple(keys[-x] for x in literals if x < 0), facts)


class _Reasoner:
    """A solver in which each rule holds only if it is assumed, and what is known always."""

    def __init__(self, formula: Formula, targets: Iterable[int]) -> None:
        by_rule = formula.extended()
        by_rule.groups, decisions = {}, set(formula.decisions())
        for name, constraints in formula.list_rules().items():
            group = by_rule.groups[name] = ConstraintGroup(name)
            for constraint in constraints:
                group.constraints.append(constraint)
        lowered = Lowered(by_rule)  # everything becomes clauses
        clauses = {name: [clause.literals for clause in rows if isinstance(clause, Clause)] for name, rows in lowered.groups()}
        self.rules = {name: lowered.top + i for i, name in enumerate(clauses, 1)}
        self.variables = {name: {abs(x) for row in rows for x in row} & decisions for name, rows in clauses.items()}
        self._xors = {name for name, group in by_rule.groups.items() if set(group.kinds()) == {"xor"}}
        self.known: set[int] = set()
        self._undecided = dict.fromkeys(targets)
        self._solver = open_backend(PROPAGATOR)
        self._solver.load(Formula())
        for name, rows in clauses.items():
            for row in rows:
                self._solver.add(Clause((-self.rules[name], *row)))
        self._assumed = Assumed(self._solver, self.rules)

    def close(self) -> None:
        """Free the solver."""
        self._solver.close()

    def learn(self, literals: Iterable[int]) -> None:
        """Let literals hold from now on."""
        for literal in literals:
            self.known.add(literal)
            self._undecided.pop(literal, None)
            self._solver.add(Clause((literal,)))

    def propagate(self, rules: Sequence[str]) -> list[int]:
        """The undecided literals that follow from these rules by unit propagation."""
        _, implied = self._solver.propagate([self.rules[rule] for rule in rules])
        return [literal for literal in implied if literal in self._undecided]

    def exclude_directly(self) -> None:
        """Exclude what follows from single rules by unit propagation."""
        changed = set[int]().union(*self.variables.values())
        while rules := [rule for rule in self.rules if not changed.isdisjoint(self.variables[rule])]:
            changed = set()
            for rule in rules:
                excluded = [literal for literal in self.propagate([rule]) if literal < 0]
                self.learn(excluded)
                changed.update(-literal for literal in excluded)

    def next_step(self) -> tuple[Kind, list[str], list[int]] | None:
        """The kind, the rules and the conclusions of the next step; None if nothing is left to decide."""
        if not self._undecided:
            return None
        open_rules = [rule for rule in self.rules if not self._open(rule).isdisjoint(map(abs, self._undecided))]
        for rule in open_rules:
            if found := self.propagate([rule]):
                return "rules", [rule], found  # only placements, because what is excluded is known
        for pair in combinations(open_rules, 2):
            if not self._open(pair[0]).isdisjoint(self._open(pair[1])) and (found := self.propagate(pair)):
                return "rules", list(pair), self._conclude(pair)
        best, literal = self._find_smallest()
        if self._xors.issuperset(best):
            return "sum", best, self._conclude(best)
        if len(best) <= MAX_RULES:
            return "rules", best, self._conclude(best)
        possible, _ = self._solver.propagate([*self.rules.values(), -literal])
        return ("trial", [], [literal]) if possible else ("case", best, [literal])

    def _open(self, rule: str) -> set[int]:
        return {x for x in self.variables[rule] if x not in self.known and -x not in self.known}

    def _find_smallest(self) -> tuple[list[str], int]:
        """A small set of rules that implies an undecided literal, and the literal."""
        best, chosen, everything = list[str](), 0, list(self.rules)
        wanted = sorted(self._undecided, reverse=True)[:MAX_TARGETS]  # first placements, then exclusions
        for literal in wanted:
            core = self._assumed.core(everything, -literal)
            assert core is not None, "every target follows from the rules"
            core = self._assumed.irreducible(core, -literal)
            if not best or len(core) < len(best):
                best, chosen = core, literal
            if len(best) <= 3:  # no pair of rules propagates, so this is nearly as small as possible
                break
        return best, chosen

    def _conclude(self, rules: Sequence[str]) -> list[int]:
        """Every undecided literal that follows from these rules, placements first."""
        about = set[int]().union(*map(self._open, rules))
        chosen = [self.rules[rule] for rule in rules]
        wanted = [literal for literal in self._undecided if abs(literal) in about]
        return sorted(
            (literal for literal in wanted if not self._solver.solve([*chosen, -literal])), key=lambda x: (x < 0, abs(x))
        )
