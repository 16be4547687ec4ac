"""Steps: how a puzzle is solved by logic, a few rules at a time.

A rule is all constraints about one thing, such as box 3 (`Formula.rule`). What unit propagation
excludes by one rule is not shown. A step is everything else that a small set of rules implies,
together with what is known: one rule if possible, then two, and then the smallest set that is found
by leaving out rules from unsatisfiable cores. This follows Espasa, Gent, Hoffmann, Jefferson and
Lynch: Using small MUSes to explain how to solve pen and paper puzzles (Demystify), arXiv
2104.15040, 2021.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, suppress
from dataclasses import replace
from itertools import chain, combinations, count, islice
from typing import NamedTuple

from jigsat.analysis.candidates import Candidates, find_candidates, has_solution
from jigsat.analysis.cores import Assumed, Core, Limit
from jigsat.analysis.wording import MAX_LEFT, Gone, Kind, Left, Step, Way, find_cell, list_fields
from jigsat.backends import PROPAGATOR, open_backend
from jigsat.errors import InputError, Stopped
from jigsat.formula import Cardinality, Clause, ConstraintGroup, Formula, Lowered, Name, Xor
from jigsat.puzzle import Puzzle
from jigsat.subject import subject_of
from jigsat.symmetry import Level, Placement
from jigsat.words import name_place

NOTHING_LEFT = "nothing is left to decide"
MAX_RULES = 6  # number of rules in a step that is neither a sum of XORs nor a case distinction
MAX_TARGETS = 300  # number of undecided placements for which a set of rules is searched, at most
MAX_REDUCED = 20  # number of them whose set is made as small as possible
MAX_CASES = 8  # number of cases of which the shortest is told
MAX_CASE_RULES = 20  # number of rules that a reader applies in a case, one after the other
MAX_TRIED = 500  # number of undecided placements up to which more is tried than propagation shows
MAX_EFFORT = 2_000_000  # effort of the search for a smallest set, as in `cores.Limit`
# number of conflicts after which a solver call is given up; what a few rules imply takes fewer
MAX_CONFLICTS = 100
MAX_SUM_CONFLICTS = 20_000  # the same if rules are XORs, because sums take many


def name_rules(puzzle: Puzzle, formula: Formula) -> dict[Placement, str]:
    """The sentences of rules that are placements themselves, such as the rules of a seating: each
    is about one of them."""
    names = dict[Placement, set[str]]()
    facts = {
        x: key
        for x in formula.decisions()
        if len(key := formula.key(x)) == 1 and not puzzle.board_places(key)
    }
    for name, constraints in (formula.list_rules() if facts else {}).items():
        for x in {
            abs(literal) for constraint in constraints for literal in constraint[0]
        } & facts.keys():
            names.setdefault(facts[x], set()).add(name)
    return {placement: name for placement, (name, *others) in names.items() if not others}


def _find_silent(placements: Collection[Placement]) -> frozenset[str]:
    """The fields that are 0 in all placements."""
    fields = [placement._asdict() for placement in placements]
    return frozenset(
        name
        for each in fields[:1]
        for name in each
        if all(other.get(name) == 0 for other in fields)
    )


def find_steps(
    puzzle: Puzzle,
    given: Collection[Placement] = (),
    candidates: Candidates | None = None,
    excluded: Collection[Placement] = (),
    first: int = 1,
) -> Generator[Step, None, int]:
    """The steps from the given placements to the solution, or as far as something is decided if
    there are several solutions.

    Returns the number of placements that are then in some solutions but not in all. The steps may
    begin with a placement that is assumed by symmetry. `candidates` are those with the given
    placements, complete, if they are known. `excluded` are placements that earlier steps have
    excluded, and `first` is the number of the next step. Raises InputError if there is no solution.

    >>> from jigsat.instance import load
    >>> steps = list(find_steps(load("sudoku-6x6")))
    >>> {step.kind for step in steps}, steps[0].describe("cell").partition(":")[0]
    ({'rules'}, 'Only r1c5 is left for 3 in row 1')
    """
    given = [*dict.fromkeys(given)]
    if candidates is None:
        *_, candidates = find_candidates(puzzle, given)
    statuses = candidates.statuses
    if not candidates.solvable:
        remedy = (
            "with what is given; `jigsat candidates` tells what cannot stand together"
            if given
            else "`jigsat solve` tells why"
        )
        raise InputError(f"{puzzle.name}: there is no solution{' ' if given else '; '}{remedy}")
    if "some" in statuses.values() and (assumed := _assume_by_symmetry(puzzle, candidates, given)):
        yield Step("symmetry", (), (assumed,), (), silent=_find_silent(candidates.statuses))
        return (
            yield from find_steps(puzzle, [*given, assumed], excluded=excluded, first=first + 1)
        )
    formula = puzzle.encode()
    signs = {"all": 1, "none": -1}
    targets = [
        signs[status] * x
        for x in formula.decisions()
        if (status := statuses[formula.key(x)]) in signs
    ]
    with closing(_Reasoner(puzzle, formula, given, targets)) as reasoner:
        refuted = {placement for placement in excluded if statuses[placement] == "none"}
        reasoner.learn(-x for x, key in reasoner.keys.items() if key in refuted)
        for number in count(first):
            reasoner.exclude_directly()
            if not (found := reasoner.next_step()):
                break
            yield (step := reasoner.make_step(found))
            reasoner.learn(found.literals, number)
            reasoner.reasons[number] = step.name_reason(puzzle.cell_field)
    return [*statuses.values()].count("some")


def _assume_by_symmetry(
    puzzle: Puzzle, candidates: Candidates, given: Collection[Placement]
) -> Placement | None:
    """A placement that an image of every solution has, if the symmetries of the puzzle that keep
    what is given show one."""
    formula = puzzle.encode().extended()
    with formula.rule("excluded"):
        formula.clauses(
            [-x] for x in formula.decisions() if candidates.statuses[formula.key(x)] == "none"
        )
    group = (
        subject_of(puzzle)
        .group(formula)
        .keeping({x: 1 for x in formula.decisions() if formula.key(x) in given})
    )
    clause = group.breaking(formula, Level.ALL)
    return formula.key(clause[0]) if clause and len(clause) == 1 else None


class Inference(NamedTuple):
    """Literals that some rules imply together with what is known or assumed; without literals they
    contradict it."""

    kind: Kind
    rules: list[str]
    literals: list[int]
    inner: Sequence[Inference] = ()


class _Reasoner:
    """A solver in which each rule holds only if it is assumed, and what is known always, at first
    the given placements."""

    def __init__(
        self, puzzle: Puzzle, formula: Formula, given: Collection[Placement], targets: Iterable[int]
    ) -> None:
        by_rule = formula.extended()
        by_rule.groups, decisions = {}, set(formula.decisions())
        self._puzzle, self._cell_field = puzzle, puzzle.cell_field
        self.keys = {x: formula.key(x) for x in formula.decisions()}
        self._silent, self._sentences = (
            _find_silent(self.keys.values()),
            name_rules(puzzle, formula),
        )
        self._told = {x for x, key in self.keys.items() if puzzle.board_places(key)} or decisions
        """What a person puts on the board; other decisions, such as scores, follow from that."""
        self._choices: dict[str, list[Sequence[int]]] = {}
        for name, constraints in formula.list_rules().items():
            group = by_rule.groups[name] = ConstraintGroup(name)
            for constraint in constraints:
                group.constraints.append(constraint)
                required = isinstance(constraint, Clause) or (
                    isinstance(constraint, Cardinality) and constraint.at_least == 1
                )
                if required and not self._told.isdisjoint(constraint[0]) and min(constraint[0]) > 0:
                    self._choices.setdefault(name, []).append(constraint[0])
        lowered = Lowered(by_rule)  # everything becomes clauses
        clauses = {
            name: [clause.literals for clause in rows if isinstance(clause, Clause)]
            for name, rows in lowered.groups()
        }
        self.rules = {name: lowered.top + i for i, name in enumerate(clauses, 1)}
        self._scopes = {
            name: {abs(x) for row in rows for x in row} for name, rows in clauses.items()
        }
        self.variables = {name: scope & decisions for name, scope in self._scopes.items()}
        self._ways: dict[str, dict[int, Name]] = {}
        """Of a rule, the auxiliary variables for what the thing is that it is about, such as
        `word(slot, word)`."""
        for rule, scope in self._scopes.items():
            named = {x: formula.name(x) for x in sorted(scope - decisions) if x <= formula.top}
            ways = {x: name for x, name in named.items() if name.axes[1:] == (name.family,)}
            self._ways[rule] = {
                x: name
                for x, name in ways.items()
                if name_place(name.key[0]) == rule.partition(" ")[2]
            }
        xors = [
            (name, group) for name, group in by_rule.groups.items() if set(group.kinds()) == {"xor"}
        ]
        self._xors = {
            name: [x for x in group.constraints if isinstance(x, Xor)] for name, group in xors
        }
        self.known: set[int] = set()
        self._causes: dict[int, str | int] = {}
        """Of a known literal: the rule that excluded it directly, or the number of a step."""
        self.reasons: dict[str | int, str] = {}
        """Of the number of a step: why it follows, in few words."""
        self._undecided = dict.fromkeys(targets)
        # the second does not have what is known; the third only propagates, so it has no clauses
        # learned in a search
        self._solvers = self._solver, self._ignorant, self._propagator = [
            open_backend(PROPAGATOR) for _ in range(3)
        ]
        for solver in self._solvers:
            solver.load(Formula())
            for name, rows in clauses.items():
                solver.add_clauses([(-self.rules[name], *row) for row in rows])
        conflicts = MAX_SUM_CONFLICTS if self._xors else MAX_CONFLICTS
        self._assumed = Assumed(self._solver, self.rules, Limit(math.inf, math.inf, conflicts))
        self._cores: dict[int, list[str]] = {}
        made = {*puzzle.given_placements(), *given}
        self.learn(x for x, key in self.keys.items() if key in made)

    def close(self) -> None:
        """Free the solvers."""
        for solver in self._solvers:
            solver.close()

    def learn(self, literals: Iterable[int], cause: str | int = 0) -> None:
        """Let literals hold from now on, because of a rule or the step of a number; 0 if it is not
        known."""
        for literal in literals:
            self._causes[literal] = cause
            self.known.add(literal)
            self._undecided.pop(literal, None)
            self._solver.add(Clause((literal,)))
            self._propagator.add(Clause((literal,)))

    def make_step(self, inference: Inference) -> Step:
        """An inference in placements, with the known ones on which it rests, and what excluded
        others."""
        step = self._as_step(inference, {})
        grounds = self._find_grounds(inference) if inference.rules else set()
        facts, excluded = (
            {x for x in grounds if x > 0},
            [x for x in sorted(grounds, key=abs) if x < 0 and -x in self.keys],
        )
        self._causes.update(
            self._list_obvious(x for x in excluded if isinstance(self._causes[x], int))
        )
        if step.tells_gone:
            facts |= {
                x
                for y in excluded
                if isinstance(rule := self._causes[y], str)
                for x in self._rest_on([rule], y)
                if x > 0
            }
        xors = [each for rule in inference.rules for each in self._xors.get(rule, ())]
        rest = self._list_rest(inference.literals) if len(inference.literals) > MAX_LEFT else ()
        return replace(
            step,
            facts=tuple(self.keys[x] for x in sorted(facts) if x in self.keys),
            gone=self._list_gone(excluded, self._causes),
            before=tuple(self._list_before(inference)),
            ways=tuple(self._list_ways(inference.rules)),
            odd=sum(each.odd ^ (len(self.known.intersection(each.variables)) % 2) for each in xors),
            rest=rest,
        )

    def _list_obvious(self, exclusions: Iterable[int]) -> Iterator[tuple[int, str]]:
        """Those that a single rule and what is placed imply by now, though a step excluded them
        before, with the rule."""
        for literal in exclusions:
            about = (rule for rule, its in self.variables.items() if -literal in its)
            placed = ((rule, x) for rule in about for x in self.variables[rule] & self.known)
            implied = (
                rule
                for rule, x in placed
                if literal in self._ignorant.propagate([self.rules[rule], x])[1]
            )
            yield from ((literal, rule) for rule in islice(implied, 1))

    def _list_rest(
        self, literals: Sequence[int], holding: Sequence[int] = ()
    ) -> tuple[Placement, ...]:
        """What is still possible on the places of which these literals exclude something, while
        others hold."""
        cells = {
            find_cell(self.keys[-x], self._cell_field) for x in literals if -x in self.keys
        } - {None}
        excluded = {
            *literals,
            *holding,
            *(self._propagator.propagate(holding)[1] if holding else ()),
        }
        open_ = (
            (x for x in self.keys if -x not in self.known and -x not in excluded) if cells else ()
        )
        return tuple(
            self.keys[x] for x in open_ if find_cell(self.keys[x], self._cell_field) in cells
        )

    def _list_ways(self, rules: Iterable[str], holding: Sequence[int] = ()) -> Iterator[Left]:
        """What is left for what each of these rules is about, while literals hold, such as the
        words for a slot."""
        for rule in rules:
            if ways := {x: Way(*name.key) for x, name in self._ways[rule].items()}:
                possible, implied = self._propagator.propagate([self.rules[rule], *holding])
                gone = {-x for x in implied} if possible else ways.keys()
                noun = self._ways[rule][min(ways)].family
                yield Left(
                    rule,
                    tuple(way for x, way in ways.items() if x not in gone),
                    tuple(ways.values()),
                    noun,
                )

    def _list_before(self, inference: Inference) -> Iterator[Left]:
        """What is left of what the rules of an inference require."""
        for rule in inference.rules:
            for choices in self._choices.get(rule, ()):
                if self.keys.keys() >= set(choices) and self.known.isdisjoint(choices):
                    open_ = (self.keys[x] for x in choices if -x not in self.known)
                    yield Left(rule, tuple(open_), tuple(self.keys[x] for x in choices))

    def _list_gone(
        self, literals: Iterable[int], causes: Mapping[int, str | int], *, obvious: bool = False
    ) -> tuple[Gone, ...]:
        """What excluded placements; if wanted, also that something else is on their place, or their
        piece elsewhere."""
        groups: dict[str | int, tuple[list[Placement], set[Placement]]] = {}
        for x in (x for x in literals if causes[x] != ""):  # not what is supposed
            cause: str | int = causes[x]
            key: Placement = self.keys[-x]
            grounds = self._rest_on([cause], x, causes) if isinstance(cause, str) else set()
            facts: set[Placement] = {self.keys[y] for y in grounds if y in self.keys}
            places = set(self._puzzle.board_places(key))
            taken = any(not places.isdisjoint(self._puzzle.board_places(fact)) for fact in facts)
            if obvious or (not taken and cause not in list_fields([key])):
                excluded, because = groups.setdefault(cause, ([], set()))
                excluded.append(key)
                because |= facts
        return tuple(
            Gone(cause, tuple(excluded), tuple(facts), self.reasons.get(cause, ""))
            for cause, (excluded, facts) in groups.items()
        )

    def _find_grounds(self, inference: Inference, assumed: Collection[int] = ()) -> set[int]:
        """The literals, known or assumed before, on which an inference rests."""
        return set[int]().union(
            *(self._rest_on(inference.rules, x, set(assumed)) for x in inference.literals or [0])
        )

    def _as_step(self, inference: Inference, assumed: Mapping[int, str]) -> Step:
        """An inference in placements; `assumed` are the literals assumed before, with the rules
        from which they follow."""
        rules, literals = inference.rules, inference.literals
        told = [x for x in literals if not assumed or abs(x) in self._told]
        inner, trail = list[Step](), {**assumed, **({-literals[0]: ""} if inference.inner else {})}
        for each in inference.inner:
            inner.append(self._as_step(each, trail))
            trail |= dict.fromkeys(each.literals, each.rules[0])
        known = {*self.known, *assumed}
        one_cell = (
            bool(assumed)
            and len({find_cell(self.keys[abs(x)], self._cell_field) for x in told}) == 1
        )
        left: tuple[Left, ...] = ()
        grounds = set[int]()
        if inference.kind == "rules" and not inference.inner:
            left = self._find_left(rules, literals, known)
            if assumed and not any(abs(x) in self.keys for x in literals):
                left = left or tuple(self._find_empty(rules[0], known))
            grounds = (
                self._rest_on(rules, literals[0] if literals else 0, known) if assumed else grounds
            )
        excluded = [x for x in sorted(grounds, key=abs) if -x in self.keys]
        if left:
            excluded = [x for x in excluded if x in assumed]
        every = excluded = [
            x
            for x in excluded
            if x in assumed or self._causes[x] not in list_fields([self.keys[-x]])
        ]
        if len(every) > MAX_LEFT:
            excluded = [x for x in every if x in assumed]
        return Step(
            inference.kind,
            tuple(rules),
            tuple(self.keys[x] for x in sorted(told) if x in self.keys),
            tuple(self.keys[-x] for x in sorted(told, key=abs) if -x in self.keys),
            tuple(self.keys[x] for x in sorted(grounds) if x in self.keys),
            left,
            inferences=tuple(inner),
            gone=self._list_gone(
                excluded, {**self._causes, **assumed}, obvious=not left and not literals
            ),
            rest=self._list_rest(literals, [self.rules[rules[0]], *assumed])
            if one_cell and rules[0] not in self._choices
            else (),
            needs=() if left else tuple(self.keys[-x] for x in excluded),
            needs_others=len(excluded) < len(every),
            ways=tuple(self._list_ways(rules, [*assumed]))
            if assumed and not inference.inner
            else (),
            silent=self._silent,
            sentences=self._sentences,
        )

    def _find_left(
        self, rules: Sequence[str], literals: Sequence[int], known: Collection[int]
    ) -> tuple[Left, ...]:
        """What these rules leave of the choices from which others are excluded, if the literals
        follow from that."""
        left, goal = list[Left](), literals[0] if literals else 0
        grounds = self._rest_on(rules, goal, known)
        for rule in rules:
            others = [
                *(self.rules[each] for each in rules if each != rule),
                *([-goal] if goal else []),
                *grounds,
            ]
            for choices in self._choices.get(rule, ()):
                gone = {x for x in choices if -x in known}
                if any(x not in self.keys and x not in gone for x in choices):
                    continue
                used = all(
                    -x in grounds or not self._ignorant.propagate([*others, x])[0] for x in gone
                )
                if (
                    used
                    and (len(choices) == 1 or not grounds.isdisjoint(-x for x in gone))
                    and (literals or len(gone) == len(choices))
                ):
                    open_, every = (
                        [self.keys[x] for x in choices if x in self.keys and x not in some]
                        for some in (gone, ())
                    )
                    left.append(Left(rule, tuple(open_), tuple(every)))
        return tuple(left)

    def _find_empty(self, rule: str, known: Collection[int]) -> Iterator[Left]:
        """The choices of a rule that are all excluded, though it requires none, such as those of a
        cell that may be empty."""
        for choices in self._choices.get(rule, ()):
            placements = [x for x in choices if x in self.keys]
            if len(placements) < len(choices) and all(-x in known for x in placements):
                yield Left(rule, (), tuple(self.keys[x] for x in placements))

    def _rest_on(
        self, rules: Sequence[str], literal: int, assumed: Collection[int] = frozenset()
    ) -> set[int]:
        """The literals, known or assumed, from which a literal follows by these rules, or a
        contradiction if it is 0.

        Exclusions are left out first, so that few facts remain.
        """
        about = set[int]().union(*(self._scopes[rule] for rule in rules))
        fixed = [*(self.rules[rule] for rule in rules), *([-literal] if literal else [])]
        grounds = [
            x for y in about for x in (y, -y) if x != literal and (x in self.known or x in assumed)
        ]
        possible = self._ignorant.solve([*fixed, *grounds])
        assert not possible, "the rules imply it"
        grounds = sorted(set(self._ignorant.core()).intersection(grounds))
        for x in list(grounds):
            fewer = [y for y in grounds if y != x]
            if not self._ignorant.propagate([*fixed, *fewer])[0]:
                grounds = fewer
        return set(grounds)

    def propagate(self, rules: Sequence[str]) -> list[int]:
        """The undecided literals that follow from these rules by unit propagation."""
        return [
            x
            for x in self._propagator.propagate([self.rules[rule] for rule in rules])[1]
            if x in self._undecided
        ]

    def exclude_directly(self) -> None:
        """Exclude what follows from single rules by unit propagation, and decide what nobody puts
        on the board."""
        changed = set[int]().union(*self.variables.values())
        while rules := [
            rule for rule in self.rules if not changed.isdisjoint(self.variables[rule])
        ]:
            changed = set()
            for rule in rules:
                possible, implied = self._propagator.propagate([self.rules[rule]])
                if not possible:  # the rule is broken, but each placement excludes others
                    placed = self.variables[rule] & self.known
                    implied = [
                        y
                        for x in placed
                        for y in self._ignorant.propagate([self.rules[rule], x])[1]
                    ]
                silent = [
                    x
                    for x in implied
                    if x not in self._told and x in self._undecided and -x not in self.known
                ]
                self.learn(silent, rule)
                changed.update(map(abs, silent))

    def next_step(self) -> Inference | None:
        """The next step; None if nothing is left to decide."""
        if not self._undecided:
            return None
        undecided = set(map(abs, self._undecided))
        open_rules = {
            rule: its for rule in self.rules if not (its := self._open(rule)).isdisjoint(undecided)
        }
        pairs = (
            pair
            for pair in combinations(open_rules, 2)
            if not open_rules[pair[0]].isdisjoint(open_rules[pair[1]])
        )
        for few in chain(([rule] for rule in open_rules), map(list, pairs)):
            if (found := self.propagate(few)) and (
                step := self._infer(few, found[0] if len(few) == 1 else max(found))
            ):
                return step
        return self.explain(
            sorted(self._undecided, reverse=True)
        )  # first placements, then exclusions

    def explain(self, undecided: Sequence[int]) -> Inference:
        """Why one of these literals follows from the rules. If much is undecided, only what
        propagation shows is explained."""
        much = len(self._undecided) > MAX_TRIED
        wanted = list(
            islice(filter(self._may_refute, undecided) if much else undecided, MAX_TARGETS)
        )
        best, literal = self._find_smallest(wanted)
        if best and self._kind(best) and (found := self._infer(best, literal)):
            return found
        wanted.sort(key=lambda literal: len(self._cores.get(literal, self.rules)))
        cases = filter(
            None,
            (self._refute(-literal, self.rules) for literal in filter(self._may_refute, wanted)),
        )
        some = {self._as_step(case, {}).size: case for case in islice(cases, MAX_CASES)}
        if some and min(some) <= MAX_CASE_RULES:
            case = some[min(some)]
            return (
                self._infer(case.rules, case.literals[0]) if len(case.rules) <= MAX_RULES else None
            ) or case
        if best and self._kind(best):
            return Inference("rules", best, self._conclude(best, literal))
        every = list(self.rules.values())
        telling = max(undecided, key=lambda x: (x > 0, len(self._solver.propagate([*every, x])[1])))
        return Inference("trial", [], [telling])

    def _infer(self, rules: list[str], literal: int) -> Inference | None:
        """What follows from these few rules, as a literal does: by what one of them leaves, or one
        rule after the other.

        None if it follows in neither way, but only from all of them together.
        """
        found = Inference(self._kind(rules) or "rules", rules, self._conclude(rules, literal))
        left = self._find_left(rules, [literal], self.known)
        if (
            found.kind == "sum"
            or len(rules) == 1
            or (len(left) == 1 and self._excludes_each(rules, left[0], literal))
        ):
            return found
        if not (case := self._refute(-literal, rules)):
            return None

        def list_told(case: Inference) -> list[tuple[Sequence[str], list[int]]]:
            return [
                (each.rules, each.literals)
                for each in case.inner
                if self.keys.keys() >= set(each.literals)
            ]

        others = ((x, self._refute(-x, rules)) for x in found.literals if x != literal)
        same = [x for x, other in others if other and list_told(other) == list_told(case)]
        return found._replace(literals=[literal, *same], inner=case.inner)

    def _excludes_each(self, rules: Sequence[str], left: Left, literal: int) -> bool:
        """Whether each of the few placements that are left proves a literal by one other rule."""
        open_ = [x for x, key in self.keys.items() if key in left.placements]
        ways = ([self.rules[rule], x] for x in open_ for rule in rules if rule != left.rule)
        proving = {x for rule, x in ways if not self._propagator.propagate([rule, x, -literal])[0]}
        return len(open_) <= MAX_LEFT and proving.issuperset(open_)

    def _kind(self, rules: Collection[str]) -> Kind | None:
        """The kind of a step by all of these rules together; None if they are too many."""
        return (
            "sum"
            if self._xors.keys() >= set(rules)
            else "rules"
            if len(rules) <= MAX_RULES
            else None
        )

    def _open(self, rule: str) -> set[int]:
        return {x for x in self.variables[rule] if x not in self.known and -x not in self.known}

    def _find_smallest(self, wanted: Sequence[int]) -> tuple[list[str], int]:
        """A small set of rules that implies one of these undecided literals; an empty one if the
        solver gives up on all.

        The smallest of the first cores are reduced, and the best of these once more by hitting
        sets: that with the fewest rules and facts. A core of an earlier step remains a core.
        """
        everything = list(self.rules)
        for literal in wanted:
            with suppress(Stopped):
                core = self._assumed.core(self._cores.get(literal, everything), -literal)
                assert core is not None, "every target follows from the rules"
                self._cores[literal] = core
        first = sorted(self._cores.keys() & wanted, key=lambda literal: len(self._cores[literal]))[
            :MAX_REDUCED
        ]
        for literal in first:
            self._cores[literal] = self._assumed.reduce_core(self._cores[literal], -literal).names
        if not first:
            return [], 0
        # no pair of rules propagates
        literal = min(
            first, key=lambda x: (len(self._cores[x]), len(self._rest_on(self._cores[x], x)))
        )
        reduced = Core(self._cores[literal], smallest=len(self._cores[literal]) <= 3)
        return self._assumed.smallest(
            everything, reduced, math.inf, MAX_EFFORT, -literal
        ).names, literal

    def _may_refute(self, literal: int) -> bool:
        """Whether propagation by all rules, and by what the solver has learned, proves this
        literal."""
        return not self._solver.propagate([*self.rules.values(), -literal])[0]

    def _refute(self, assumption: int, rules: Collection[str]) -> Inference | None:
        """The case that an assumption leads to a contradiction by one of these rules at a time.

        What a single rule excludes comes before what one places, so that there are few placements.
        """
        assumed, trail = dict.fromkeys([assumption]), list[Inference]()
        known, changed = set(map(abs, self.known)), set(map(abs, assumed))
        waiting = dict[str, list[int]]()

        def infer(inference: Inference) -> None:
            trail.append(inference)
            assumed.update(dict.fromkeys(inference.literals))
            changed.update(map(abs, inference.literals))

        while changed:
            again = [
                rule
                for rule in rules
                if rule in waiting or not changed.isdisjoint(self._scopes[rule])
            ]
            changed.clear()
            waiting.clear()
            for rule in again:
                here = self._scopes[rule] - known
                possible, implied = self._propagator.propagate(
                    [self.rules[rule], *(x for y in here for x in (y, -y) if x in assumed)]
                )
                if not possible:
                    return self._trace(assumption, [*trail, Inference("rules", [rule], [])])
                new = [x for x in implied if abs(x) in here and x not in assumed]
                if excluded := [x for x in new if x not in self.keys]:
                    infer(Inference("rules", [rule], excluded))
                if len(excluded) < len(new):
                    waiting[rule] = [x for x in new if x in self.keys]
            if changed:
                continue
            for rule, x in (
                (rule, x) for rule, placed in waiting.items() for x in placed if x not in assumed
            ):
                infer(Inference("rules", [rule], [x]))  # one by one
        return None

    def _trace(self, assumption: int, trail: Sequence[Inference]) -> Inference:
        """A case of the inferences on which the last one, a contradiction, depends, each with what
        is needed of it."""
        needed, inner = set[int](), list[Inference]()
        for i, inference in reversed([*enumerate(trail)]):
            used = inference._replace(literals=[x for x in inference.literals if x in needed])
            if used.literals or not inference.literals:
                needed |= self._find_grounds(
                    used, [assumption, *(x for each in trail[:i] for x in each.literals)]
                )
                inner.insert(0, used)
        return Inference(
            "case",
            list(dict.fromkeys(rule for each in inner for rule in each.rules)),
            [-assumption],
            inner,
        )

    def _conclude(self, rules: Sequence[str], literal: int) -> list[int]:
        """The undecided literals that follow from these rules as this one does, placements
        first."""
        about = set[int]().union(*map(self._open, rules))
        others = [
            x
            for x in self._undecided
            if abs(x) in about and x != literal and self._follows(rules, x)
        ]
        left = self._find_left(rules, [literal], self.known)
        same = [x for x in others if self._find_left(rules, [x], self.known) == left]
        return sorted([literal, *same], key=lambda x: (x < 0, abs(x)))

    def _follows(self, rules: Sequence[str], literal: int) -> bool:
        """Whether a literal is known to follow from these rules; if much is undecided, only by
        propagation."""
        if not self._solver.propagate([*(self.rules[rule] for rule in rules), -literal])[0]:
            return True
        with suppress(Stopped):
            return (
                len(self._undecided) <= MAX_TRIED
                and self._assumed.core(rules, -literal) is not None
            )
        return False


def list_left(
    puzzle: Puzzle, steps: Iterable[Step], given: Collection[Placement] = ()
) -> Iterator[list[Placement]]:
    """The placements that are left before these steps, and after each of them, as for pencil marks.

    No single rule excludes them by propagation. What is excluded in this way, steps do not show.

    >>> from jigsat.instance import load
    >>> first = next(list_left(load("sudoku-6x6"), ()))
    >>> [placement.value for placement in first if placement.cell == (0, 0)]
    ['1', '5', '6']
    """
    formula = puzzle.encode()
    with closing(_Reasoner(puzzle, formula, given, [-x for x in formula.decisions()])) as reasoner:
        variables = {placement: x for x, placement in reasoner.keys.items()}
        decided = (
            [*(variables[x] for x in step.placed), *(-variables[x] for x in step.excluded)]
            for step in steps
        )
        for literals in chain([[]], decided):
            reasoner.learn(literals)
            reasoner.exclude_directly()
            yield [placement for x, placement in reasoner.keys.items() if -x not in reasoner.known]


def find_refutation(
    puzzle: Puzzle, placement: Placement, given: Collection[Placement] = ()
) -> Step | None:
    """Why no solution with the given placements has this one, by a single rule or a small set; None
    if there is one.

    If no solution has the given placements, they are left out. Raises InputError if a solution then
    has this one.

    >>> from jigsat.instance import load
    >>> puzzle = load("sudoku-6x6")
    >>> placement = next(key for key in map(puzzle.encode().key, range(1, 7)) if key.value == "2")
    >>> find_refutation(puzzle, placement).describe("cell")
    'Because of column 1 and r6c1 = 2, r1c1 cannot be 2'
    """
    formula = puzzle.encode()
    with closing(_Reasoner(puzzle, formula, given, [-x for x in formula.decisions()])) as reasoner:
        excluded = -next(x for x, key in reasoner.keys.items() if key == placement)
        if has_solution(formula, [*reasoner.known, -excluded]):
            return None
        if not has_solution(formula, reasoner.known):
            if given and (step := find_refutation(puzzle, placement)):
                return step
            raise InputError(
                "no solution has the other placements together; ask whether they are right so far"
            )
        direct = next(
            ([rule] for rule in reasoner.rules if excluded in reasoner.propagate([rule])), None
        )
        del reasoner._undecided[excluded]  # so that it is not excluded silently
        reasoner.exclude_directly()
        found = Inference("rules", direct, [excluded]) if direct else reasoner.explain([excluded])
        return reasoner.make_step(found._replace(literals=[excluded]))
