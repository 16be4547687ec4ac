"""Steps: how a puzzle is solved by logic, a few rules at a time.

A rule is all constraints about one thing, such as box 3 (`Formula.rule`). What unit propagation excludes by one rule is not
shown. A step is everything else that a small set of rules implies, together with what is known: one rule if possible, then two,
and then the smallest set that is found by leaving out rules from unsatisfiable cores. This follows Espasa, Gent, Hoffmann,
Jefferson and Lynch: Using small MUSes to explain how to solve pen and paper puzzles (Demystify), arXiv 2104.15040, 2021.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from itertools import combinations, islice
from typing import Any, Literal, NamedTuple

from jigsat.analysis.candidates import Candidates, find_candidates, has_solution
from jigsat.analysis.cores import Assumed, Core
from jigsat.backends import PROPAGATOR, open_backend
from jigsat.errors import InputError, Stopped, name_place, plural
from jigsat.formula import Clause, ConstraintGroup, Formula, Lowered
from jigsat.puzzle import Puzzle
from jigsat.subject.subject import subject_of
from jigsat.symmetry import LEVELS, Placement

Kind = Literal["symmetry", "rules", "sum", "case", "trial"]

SENTENCES = {
    "trial": "This needs trial and error",
    "symmetry": "By symmetry, we may assume",
}

MAX_RULES = 6  # number of rules in a step that is neither a sum of XORs nor a case distinction
MAX_TARGETS = 300  # number of undecided placements for which a set of rules is searched, at most
MAX_REDUCED = 20  # number of them whose set is made as small as possible
MAX_NESTED = 500  # number of undecided placements up to which cases within a case are tried to refute a single placement
MAX_EFFORT = 2_000_000  # effort of the search for a smallest set, as in `cores.Limit`
MAX_SHOWN = 4  # number of placements that are named in a sentence


@dataclass(frozen=True)
class Step:
    """What some rules imply together with what is known: placements that are made, and others that are excluded.

    `kind` is 'rules' for at most `MAX_RULES` rules; 'sum' if the rules are XORs that are added up; 'case' if the opposite leads
    to a contradiction by the `inferences`, each by one rule or a case of its own, and the last without a conclusion; 'trial' if
    only a search finds the placement, and then there are no rules; 'symmetry' if an image of every solution has the placement.
    `facts` are the placements that were made before and concern these rules.
    """

    kind: Kind
    rules: tuple[str, ...]
    placed: tuple[Placement, ...]
    excluded: tuple[Placement, ...]
    facts: tuple[Placement, ...] = ()
    inferences: tuple[Step, ...] = ()

    def describe(self, cell_field: str | None) -> str:
        """The step in a sentence; `cell_field` is the field of the placements that names their cell."""
        placed, excluded = (
            [describe_placement(each, cell_field, holds=holds) for each in placements]
            for holds, placements in ((True, self.placed), (False, self.excluded))
        )
        more = [f"{plural(len(excluded) - MAX_SHOWN, 'other')} excluded"] if len(excluded) > MAX_SHOWN else []
        result = ", ".join([*placed, *excluded[:MAX_SHOWN], *more])
        if self.kind in SENTENCES:
            return f"{SENTENCES[self.kind]}: {result}"
        if self.kind == "case":
            supposed = describe_placement((*self.placed, *self.excluded)[0], cell_field, holds=not self.placed)
            *chain, last = [each.describe(cell_field) for each in self.inferences]
            return f"Suppose {supposed}. Then {'; '.join([*chain, f'{last}cannot hold'])}. So {result}"
        return f"{'Add up ' if self.kind == 'sum' else ''}{', '.join(self.rules)}{': ' if result else ' '}{result}"

    def json(self) -> dict[str, Any]:
        """The step as a plain object."""
        lists = {name: [each._asdict() for each in getattr(self, name)] for name in ("placed", "excluded", "facts")}
        inferences = {"inferences": [each.json() for each in self.inferences]} if self.inferences else {}
        return {"kind": self.kind, "rules": list(self.rules), **lists, **inferences}


def describe_placement(placement: Placement, cell_field: str | None, *, holds: bool = True) -> str:
    """A placement in words, such as 'r1c3 = 5', or that it is excluded.

    >>> from jigsat.instance import load
    >>> formula = load("sudoku-4x4-empty").encode()
    >>> describe_placement(formula.key(1), "cell"), describe_placement(formula.key(1), "cell", holds=False)
    ('r1c1 = 1', 'r1c1 ≠ 1')
    """
    fields = {name: name_place(value) for name, value in placement._asdict().items() if value is not False}
    cell = fields.pop(cell_field, None) if cell_field else None
    if cell is not None and len(fields) == 1:
        return f"{cell} {'=' if holds else '≠'} {next(iter(fields.values()))}"
    if cell is not None and not fields:
        return f"{'' if holds else 'no '}{type(placement).__name__.lower()} {cell}"
    words = " ".join(name if value == "True" else f"{name} {value}" for name, value in fields.items())
    return ("" if holds else "not ") + (f"{cell}: {words}" if cell else words)


def find_steps(
    puzzle: Puzzle, candidates: Candidates, given: Collection[Placement] = (), excluded: Collection[Placement] = ()
) -> Iterator[Step]:
    """The steps from the given placements to the solution, or as far as something is decided if there are several solutions.

    These may begin with a placement that is assumed by symmetry. `candidates` are those with the given placements. `excluded`
    are placements that earlier steps have excluded. Raises Stopped if the candidates are not complete, and InputError if there
    is no solution.

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
    if not given and "some" in statuses.values() and (assumed := _assume_by_symmetry(puzzle, candidates)):
        yield Step("symmetry", (), (assumed,), ())
        *_, left = find_candidates(puzzle, [assumed])
        yield from find_steps(puzzle, left, [assumed], excluded)
        return
    formula = puzzle.encode()
    signs = {"all": 1, "none": -1}
    decided = ((x, statuses[formula.key(x)]) for x in formula.decisions())
    targets = [signs[status] * x for x, status in decided if status in signs]
    with closing(_Reasoner(formula, targets)) as reasoner:
        reasoner.learn_placements([*puzzle.given_placements(), *given])
        refuted = {placement for placement in excluded if statuses[placement] == "none"}
        reasoner.learn(-x for x, key in reasoner.keys.items() if key in refuted)
        while True:
            reasoner.exclude_directly()
            if not (found := reasoner.next_step()):
                return
            yield reasoner.make_step(found)
            reasoner.learn(found.literals)


def _assume_by_symmetry(puzzle: Puzzle, candidates: Candidates) -> Placement | None:
    """A placement that an image of every solution has, if the symmetries of the puzzle show one."""
    formula = puzzle.encode().extended()
    with formula.group("excluded"):
        formula.clauses([-x] for x in formula.decisions() if candidates.statuses[formula.key(x)] == "none")
    clause = subject_of(puzzle).group(formula).breaking(formula, LEVELS[-1])
    return formula.key(clause[0]) if clause and len(clause) == 1 else None


class Inference(NamedTuple):
    """Literals that some rules imply together with what is known or assumed; without literals they contradict it."""

    kind: Kind
    rules: list[str]
    literals: list[int]
    inner: Sequence[Inference] = ()

    def as_step(self, keys: Mapping[int, Placement]) -> Step:
        """The same in placements. `keys` are those of the decision variables."""
        placed = tuple(keys[x] for x in self.literals if x in keys)
        excluded = tuple(keys[-x] for x in self.literals if -x in keys)
        return Step(self.kind, tuple(self.rules), placed, excluded, inferences=tuple(each.as_step(keys) for each in self.inner))


class _Reasoner:
    """A solver in which each rule holds only if it is assumed, and what is known always."""

    def __init__(self, formula: Formula, targets: Iterable[int]) -> None:
        by_rule = formula.extended()
        by_rule.groups, decisions = {}, set(formula.decisions())
        self.keys = {x: formula.key(x) for x in formula.decisions()}
        for name, constraints in formula.list_rules().items():
            group = by_rule.groups[name] = ConstraintGroup(name)
            for constraint in constraints:
                group.constraints.append(constraint)
        lowered = Lowered(by_rule)  # everything becomes clauses
        clauses = {name: [clause.literals for clause in rows if isinstance(clause, Clause)] for name, rows in lowered.groups()}
        self.rules = {name: lowered.top + i for i, name in enumerate(clauses, 1)}
        self._scopes = {name: {abs(x) for row in rows for x in row} for name, rows in clauses.items()}
        self.variables = {name: scope & decisions for name, scope in self._scopes.items()}
        self._xors = {name for name, group in by_rule.groups.items() if set(group.kinds()) == {"xor"}}
        self.known: set[int] = set()
        self._undecided = dict.fromkeys(targets)
        self._solver = open_backend(PROPAGATOR)
        self._solver.load(Formula())
        for name, rows in clauses.items():
            for row in rows:
                self._solver.add(Clause((-self.rules[name], *row)))
        self._assumed = Assumed(self._solver, self.rules)
        self._cores: dict[int, list[str]] = {}

    def close(self) -> None:
        """Free the solver."""
        self._solver.close()

    def learn(self, literals: Iterable[int]) -> None:
        """Let literals hold from now on."""
        for literal in literals:
            self.known.add(literal)
            self._undecided.pop(literal, None)
            self._solver.add(Clause((literal,)))

    def learn_placements(self, placements: Iterable[Placement]) -> None:
        """Let placements be made from now on."""
        made = set(placements)
        self.learn(x for x, key in self.keys.items() if key in made)

    def make_step(self, inference: Inference) -> Step:
        """An inference in placements, with the known ones that concern its rules."""
        about = set[int]().union(*(self.variables[rule] for rule in inference.rules))
        facts = tuple(self.keys[x] for x in sorted(self.known) if x in about)
        return replace(inference.as_step(self.keys), facts=facts)

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

    def next_step(self) -> Inference | None:
        """The next step; None if nothing is left to decide."""
        if not self._undecided:
            return None
        open_rules = [rule for rule in self.rules if not self._open(rule).isdisjoint(map(abs, self._undecided))]
        for rule in open_rules:
            if found := self.propagate([rule]):
                return Inference("rules", [rule], found)  # only placements, because what is excluded is known
        for pair in combinations(open_rules, 2):
            if not self._open(pair[0]).isdisjoint(self._open(pair[1])) and (found := self.propagate(pair)):
                return Inference("rules", list(pair), self._conclude(pair))
        wanted = sorted(self._undecided, reverse=True)[:MAX_TARGETS]  # first placements, then exclusions
        best = self._find_smallest(wanted)
        if kind := self._kind(best):
            return Inference(kind, best, self._conclude(best))
        wanted.sort(key=lambda literal: len(self._cores[literal]))
        for depth, likely in ((1, filter(self._may_refute, wanted)), (2, iter(wanted[:MAX_REDUCED]))):
            cases = filter(None, (self._refute(-literal, (), depth) for literal in likely))
            if some := list(islice(cases, MAX_REDUCED)):
                return min(some, key=lambda case: len(case.inner))
        return Inference("trial", [], wanted[:1])

    def exclude(self, literal: int) -> Inference:
        """Why a literal follows from the rules. If much is undecided, only what propagation shows is explained."""
        trial, much = Inference("trial", [], [literal]), len(self._undecided) > MAX_NESTED
        if much and not self._may_refute(literal):
            return trial
        best = self._find_smallest([literal])
        if kind := self._kind(best):
            return Inference(kind, best, [literal])
        return next(filter(None, (self._refute(-literal, (), depth) for depth in range(1, 2 if much else 3))), trial)

    def _kind(self, rules: Collection[str]) -> Kind | None:
        """The kind of a step by all of these rules together; None if they are too many."""
        return "sum" if self._xors.issuperset(rules) else "rules" if len(rules) <= MAX_RULES else None

    def _open(self, rule: str) -> set[int]:
        return {x for x in self.variables[rule] if x not in self.known and -x not in self.known}

    def _find_smallest(self, wanted: Sequence[int]) -> list[str]:
        """A small set of rules that implies one of these undecided literals.

        The smallest of the first cores are reduced, and the smallest of these once more by hitting sets. A core of an earlier
        step remains a core.
        """
        everything = list(self.rules)
        for literal in wanted:
            core = self._assumed.core(self._cores.get(literal, everything), -literal)
            assert core is not None, "every target follows from the rules"
            self._cores[literal] = core
        first = sorted(wanted, key=lambda literal: len(self._cores[literal]))[:MAX_REDUCED]
        for literal in first:
            self._cores[literal] = self._assumed.irreducible(self._cores[literal], -literal)
        literal = min(first, key=lambda literal: len(self._cores[literal]))
        reduced = Core(self._cores[literal], smallest=len(self._cores[literal]) <= 3)  # no pair of rules propagates
        return self._assumed.smallest(everything, reduced, math.inf, MAX_EFFORT, -literal).names

    def _may_refute(self, literal: int) -> bool:
        """Whether propagation by all rules, and by what the solver has learned, proves this literal."""
        return not self._solver.propagate([*self.rules.values(), -literal])[0]

    def _refute(self, assumption: int, before: Sequence[int], depth: int) -> Inference | None:
        """The case that an assumption, after others, leads to a contradiction by one rule at a time.

        With depth 2, inferences may be cases of depth 1.
        """
        assumed, trail = [*before, assumption], list[Inference]()
        changed, known = set(map(abs, assumed)), set(map(abs, self.known))
        while changed:
            rules = [rule for rule in self.rules if not changed.isdisjoint(self._scopes[rule])]
            changed = set()
            for rule in rules:
                here = self._scopes[rule] - known
                possible, implied = self._solver.propagate([self.rules[rule], *(x for x in assumed if abs(x) in here)])
                if not possible:
                    return self._trace(assumption, before, [*trail, Inference("rules", [rule], [])])
                if added := [x for x in implied if abs(x) in here and x not in assumed]:
                    trail.append(Inference("rules", [rule], added))
                    assumed += added
                    changed.update(map(abs, added))
            if not changed and depth > 1:
                left = set[int]().union(*map(self._open, self.rules)) - set(map(abs, assumed))
                cases = (self._refute(sign * x, assumed, depth - 1) for x in sorted(left) for sign in (1, -1))
                if inner := next(filter(None, cases), None):
                    trail.append(inner)
                    assumed += inner.literals
                    changed.update(map(abs, inner.literals))
        return None

    def _trace(self, assumption: int, before: Sequence[int], trail: Sequence[Inference]) -> Inference:
        """A case of the inferences on which the last one, a contradiction, depends, each with what is needed of it."""
        needed, inner = set[int](), list[Inference]()
        for i, inference in reversed([*enumerate(trail)]):
            used = [x for x in inference.literals if x in needed]
            earlier = [*before, assumption, *(x for each in trail[:i] for x in each.literals)]
            for refuted in [[-x] for x in used] if inference.literals else [[]]:
                possible = self._solver.solve([*(self.rules[rule] for rule in inference.rules), *earlier, *refuted])
                assert not possible, "the rules imply it"
                needed.update(set(self._solver.core()).intersection(earlier))
            if used or not inference.literals:
                inner.insert(0, inference._replace(literals=used))
        return Inference("case", list(dict.fromkeys(rule for each in inner for rule in each.rules)), [-assumption], inner)

    def _conclude(self, rules: Sequence[str]) -> list[int]:
        """Every undecided literal that follows from these rules, placements first."""
        about = set[int]().union(*map(self._open, rules))
        chosen = [self.rules[rule] for rule in rules]
        wanted = [literal for literal in self._undecided if abs(literal) in about]
        return sorted(
            (literal for literal in wanted if not self._solver.solve([*chosen, -literal])), key=lambda x: (x < 0, abs(x))
        )


def find_open(puzzle: Puzzle, given: Collection[Placement] = ()) -> list[Placement]:
    """The placements that no single rule excludes by propagation, as for pencil marks. What is excluded, steps do not show.

    >>> from jigsat.instance import load
    >>> [placement.value for placement in find_open(load("sudoku-6x6")) if placement.cell == (0, 0)]
    ['1', '5', '6']
    """
    formula = puzzle.encode()
    with closing(_Reasoner(formula, [-x for x in formula.decisions()])) as reasoner:
        reasoner.learn_placements([*puzzle.given_placements(), *given])
        reasoner.exclude_directly()
        return [placement for x, placement in reasoner.keys.items() if -x not in reasoner.known]


def find_refutation(puzzle: Puzzle, placement: Placement, given: Collection[Placement] = ()) -> Step | None:
    """Why no solution with the given placements has this one, by a single rule or a small set; None if there is one.

    Raises InputError if no solution has the given placements.

    >>> from jigsat.instance import load
    >>> puzzle = load("sudoku-6x6")
    >>> placement = next(key for key in map(puzzle.encode().key, range(1, 7)) if key.value == "2")
    >>> find_refutation(puzzle, placement).describe("cell")
    'column 1: r1c1 ≠ 2'
    """
    formula = puzzle.encode()
    with closing(_Reasoner(formula, [-x for x in formula.decisions()])) as reasoner:
        reasoner.learn_placements([*puzzle.given_placements(), *given])
        excluded = -next(x for x, key in reasoner.keys.items() if key == placement)
        if has_solution(formula, [*reasoner.known, -excluded]):
            return None
        if not has_solution(formula, reasoner.known):
            raise InputError("no solution has the other placements together")
        direct = next(([rule] for rule in reasoner.rules if excluded in reasoner.propagate([rule])), None)
        del reasoner._undecided[excluded]  # so that it is not excluded silently
        reasoner.exclude_directly()
        found = Inference("rules", direct, [excluded]) if direct else reasoner.exclude(excluded)
        return reasoner.make_step(found)
