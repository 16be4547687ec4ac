"""The reasoner: what follows next by logic, from a few rules at a time.

What unit propagation excludes by one rule is not shown. An inference is everything else that a
small set of rules implies, together with what is known: one rule if possible, then two, then
choices that fill as many groups, and then the smallest set that is found by leaving out rules from
unsatisfiable cores. This follows Espasa, Gent, Hoffmann, Jefferson and Lynch: Using small MUSes to
explain how to solve pen and paper puzzles (Demystify), arXiv 2104.15040, 2021.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import combinations, islice
from typing import Literal, NamedTuple

from jigsat.diagnosis.cores import Assumed, Core, Limit
from jigsat.errors import Stopped
from jigsat.study.adding import Adder, Addition
from jigsat.study.fillings import Filling, FillingSearch
from jigsat.study.knowledge import Group, Knowledge

MAX_RULES = 6  # number of rules of an inference that is neither a sum of XORs nor a case
MAX_TARGETS = 300  # number of undecided placements for which a set of rules is searched, at most
MAX_REDUCED = 20  # number of them whose set is made as small as possible
MAX_CASES = 8  # number of cases of which the shortest is chosen
MAX_CASE_LINES = 20  # number of placements that follow in a case, one after the other
MAX_TRIED = 500  # number of undecided placements up to which more is tried than propagation shows
MAX_LEFT = 7  # number of placements that are left of a choice, of which each excludes something
MAX_OPEN = 3_000  # number of placements that are left up to which fillings are searched among all
MAX_EFFORT = 2_000_000  # effort of the search for a smallest set, as in `cores.Limit`
# number of conflicts after which a solver call is given up; what a few rules imply takes fewer
MAX_CONFLICTS = 100
MAX_SUM_CONFLICTS = 20_000  # the same if rules are XORs, because sums take many

InferenceKind = Literal["rules", "sum", "addition", "case", "filling", "trial"]


class Inference(NamedTuple):
    """Literals that some rules imply together with what is known or assumed; without literals they
    contradict it.

    `inner` are the inferences of a case, each by one rule, and the last without literals. `alike`
    are the cases of the other literals.
    """

    kind: InferenceKind
    rules: list[str]
    literals: list[int]
    inner: Sequence[Inference] = ()
    filling: Filling | None = None
    addition: Addition | None = None
    alike: Sequence[Inference] = ()


class Reasoner:
    """Finds inferences, while what is known grows."""

    def __init__(self, knowledge: Knowledge) -> None:
        self._knowledge = knowledge
        conflicts = MAX_SUM_CONFLICTS if knowledge.xors else MAX_CONFLICTS
        limit = Limit(math.inf, math.inf, conflicts)
        self._adder = Adder(knowledge)
        self._assumed = Assumed(knowledge.solver, knowledge.rules, limit)
        self._cores: dict[int, list[str]] = {}
        """Of a literal: a set of rules that implied it in an earlier step."""

    def find_next(self) -> Inference | None:
        """The next inference; None if nothing is left to decide."""
        undecided = self._knowledge.undecided
        if not undecided:
            return None
        open_rules = self._list_open_rules()
        by_few_rules = self._find_by_one_rule(open_rules) or self._find_by_two_rules(open_rules)
        if by_few_rules:
            return by_few_rules

        # First placements, then exclusions.
        return self._fill() or self.explain(sorted(undecided, reverse=True))

    def _find_by_one_rule(self, open_rules: Iterable[str]) -> Inference | None:
        """What a rule implies, or an addition that begins with it. Of the rules before the first
        addition, it is one of which least remains open, such as a line that is full or a choice of
        which one place is left, if possible one of which other rules have excluded nothing."""
        easiest: Inference | None = None
        least = math.inf, True
        for rule in open_rules:
            addition = self._adder.find_next(rule)
            if addition and easiest is None:
                literals = list(addition.literals)
                return Inference("addition", list(addition.rules), literals, addition=addition)
            if addition:
                break
            implied = self._knowledge.list_implied([rule])
            remaining = self._knowledge.count_remaining(rule, implied)
            effort = remaining, self._knowledge.is_restricted(rule)
            if implied and effort < least:
                inference = self._infer([rule], self._choose(rule, implied))
                if inference:
                    easiest, least = inference, effort
            if not any(least):
                break
        return easiest

    def _find_by_two_rules(self, open_rules: Mapping[str, set[int]]) -> Inference | None:
        """What two rules imply that share something."""
        for one, other in combinations(open_rules, 2):
            if open_rules[one].isdisjoint(open_rules[other]):
                continue
            implied = self._knowledge.list_implied([one, other])
            inference = self._infer([one, other], max(implied)) if implied else None
            if inference:
                return inference
        return None

    def _choose(self, rule: str, implied: Sequence[int]) -> int:
        """A literal that a rule implies; on a graph, one that follows at once."""
        telling = (x for x in implied if self._knowledge.find_reason(rule, x))
        return next(telling, implied[0])

    def _list_open_rules(self) -> dict[str, set[int]]:
        """The rules about something undecided, with the variables that are not known."""
        undecided = set(map(abs, self._knowledge.undecided))
        open_rules = {}
        for rule in self._knowledge.rules:
            variables = self._knowledge.list_open(rule)
            if not variables.isdisjoint(undecided):
                open_rules[rule] = variables
        return open_rules

    def _fill(self) -> Inference | None:
        """Choices that fill as many groups."""
        knowledge = self._knowledge
        choices = knowledge.list_requirements(knowledge.known)
        if sum(len(choice.left) for choice in choices) > MAX_OPEN:
            return None
        filling = FillingSearch(choices, list_groups(knowledge)).find_smallest()
        if filling is None:
            return None
        rules = [group.rule for group in (*filling.choices, *filling.covers)]
        literals = [-x for x in filling.excluded]
        return Inference("filling", list(dict.fromkeys(rules)), literals, filling=filling)

    def explain(self, undecided: Sequence[int]) -> Inference:
        """Why one of these literals follows from the rules. If much is undecided, only what
        propagation shows is explained.
        """
        wanted: Iterator[int] = iter(undecided)
        if len(self._knowledge.undecided) > MAX_TRIED:
            wanted = filter(self._may_refute, undecided)
        literals = list(islice(wanted, MAX_TARGETS))

        # A few rules together.
        best, literal = self._find_smallest(literals)
        few = bool(best) and self._kind(best) is not None
        if few:
            inference = self._infer(best, literal)
            if inference:
                return inference

        # A chain of single rules.
        case = self._find_case(literals)
        if case:
            return case
        if few:
            return Inference("rules", best, self._conclude(best, literal))

        # A search; the placement that shows most comes first.
        every = list(self._knowledge.rules.values())
        solver = self._knowledge.solver
        telling = max(undecided, key=lambda x: (x > 0, len(solver.propagate([*every, x])[1])))
        return Inference("trial", [], [telling])

    def _find_case(self, literals: list[int]) -> Inference | None:
        """A short case that one of these literals does not hold."""
        rules = self._knowledge.rules
        few_first = sorted(literals, key=lambda x: len(self._cores.get(x, rules)))
        cases = []
        for literal in filter(self._may_refute, few_first):
            case = self.refute(-literal, rules)
            if case:
                cases.append(case)
            if len(cases) == MAX_CASES:
                break
        if not cases:
            return None
        case = min(cases, key=self._count_lines)
        if self._count_lines(case) > MAX_CASE_LINES:
            return None
        if len(case.rules) <= MAX_RULES:
            return self._infer(case.rules, case.literals[0]) or case
        return case

    def _count_lines(self, case: Inference) -> int:
        """The number of inferences of a case that place something or leave nothing."""
        keys = self._knowledge.keys
        lines = [
            inner
            for inner in case.inner
            if not inner.literals or any(x in keys for x in inner.literals)
        ]
        return len(lines)

    def _infer(self, rules: list[str], literal: int) -> Inference | None:
        """What follows from these few rules, as a literal does: by what one of them leaves, or one
        rule after the other.

        None if it follows in neither way, but only from all of them together.
        """
        kind = self._kind(rules) or "rules"
        inference = Inference(kind, rules, self._conclude(rules, literal))
        if kind == "sum" or len(rules) == 1:
            return inference
        choices = self._knowledge.find_choices(rules, [literal], self._knowledge.known)
        if len(choices) == 1 and self._excludes_each(rules, choices[0], literal):
            return inference
        case = self.refute(-literal, rules)
        if case is None:
            return None

        # Other literals may follow in the same way if their cases have the same lines.
        alike = []
        for other in inference.literals:
            if other != literal:
                likewise = self.refute(-other, rules)
                if likewise and self._list_shown(likewise) == self._list_shown(case):
                    alike.append(likewise)
        literals = [literal, *(x for likewise in alike for x in likewise.literals)]
        return inference._replace(literals=literals, inner=case.inner, alike=alike)

    def _list_shown(self, case: Inference) -> list[tuple[list[str], list[int]]]:
        """The inferences of a case in which only placements are made, or nothing is."""
        keys = self._knowledge.keys.keys()
        return [
            (inner.rules, inner.literals) for inner in case.inner if keys >= set(inner.literals)
        ]

    def _excludes_each(self, rules: Sequence[str], choice: Group, literal: int) -> bool:
        """Whether each of the few placements that are left proves a literal by one other rule."""
        if len(choice.left) > MAX_LEFT:
            return False
        others = [rule for rule in rules if rule != choice.rule]
        for x in choice.left:
            if all(self._knowledge.propagate([rule], [x, -literal])[0] for rule in others):
                return False
        return True

    def _kind(self, rules: Collection[str]) -> InferenceKind | None:
        """The kind of an inference by all of these rules together; None if they are too many."""
        if self._knowledge.xors.keys() >= set(rules):
            return "sum"
        return "rules" if len(rules) <= MAX_RULES else None

    def _find_smallest(self, wanted: Sequence[int]) -> tuple[list[str], int]:
        """A small set of rules that implies one of these undecided literals; an empty one if the
        solver gives up on all.

        The smallest of the first cores are reduced, and the best of these once more by hitting
        sets: that with the fewest rules and placements. A core of an earlier step remains a core.
        """
        everything = list(self._knowledge.rules)
        for literal in wanted:
            with suppress(Stopped):
                core = self._assumed.core(self._cores.get(literal, everything), -literal)
                assert core is not None, "every target follows from the rules"
                self._cores[literal] = core
        with_core = self._cores.keys() & wanted
        first = sorted(with_core, key=lambda x: len(self._cores[x]))[:MAX_REDUCED]
        if not first:
            return [], 0
        for literal in first:
            self._cores[literal] = self._assumed.reduce_core(self._cores[literal], -literal).names

        # Of the smallest, the one that rests on the fewest literals; only these are measured.
        least = min(len(self._cores[x]) for x in first)
        smallest = [x for x in first if len(self._cores[x]) == least]
        literal = min(smallest, key=self._count_grounds) if len(smallest) > 1 else smallest[0]
        names = self._cores[literal]
        reduced = Core(names, smallest=len(names) <= 3)  # no pair of rules propagates
        best = self._assumed.smallest(everything, reduced, math.inf, MAX_EFFORT, -literal)
        return best.names, literal

    def _count_grounds(self, literal: int) -> int:
        """The number of literals on which the core of a literal rests."""
        return len(self._knowledge.rest_on(self._cores[literal], literal))

    def _may_refute(self, literal: int) -> bool:
        """Whether propagation by all rules, and by what the solver has learned, proves this
        literal.
        """
        every = self._knowledge.rules.values()
        return not self._knowledge.solver.propagate([*every, -literal])[0]

    def refute(self, assumption: int, rules: Collection[str]) -> Inference | None:
        """The case that an assumption leads to a contradiction by one of these rules at a time."""
        return Refutation(self._knowledge, assumption, rules).find()

    def _conclude(self, rules: Sequence[str], literal: int) -> list[int]:
        """The undecided literals that follow from these rules as this one does, placements
        first.
        """
        knowledge = self._knowledge
        about = set[int]().union(*map(knowledge.list_open, rules))
        choices = knowledge.find_choices(rules, [literal], knowledge.known)
        same = [literal]
        for x in knowledge.undecided:
            if abs(x) not in about or x == literal or not self._follows(rules, x):
                continue
            if knowledge.find_choices(rules, [x], knowledge.known) == choices:
                same.append(x)
        return sorted(same, key=lambda x: (x < 0, abs(x)))

    def _follows(self, rules: Sequence[str], literal: int) -> bool:
        """Whether a literal is known to follow from these rules; if much is undecided, only by
        propagation.
        """
        knowledge = self._knowledge
        assumed = [*(knowledge.rules[rule] for rule in rules), -literal]
        if not knowledge.solver.propagate(assumed)[0]:
            return True
        if len(knowledge.undecided) > MAX_TRIED:
            return False
        with suppress(Stopped):
            return self._assumed.core(rules, -literal) is not None
        return False


class Refutation:
    """Applies one rule after the other to an assumption, until one is broken.

    What a single rule excludes comes before what one places, so that there are few placements.
    """

    def __init__(self, knowledge: Knowledge, assumption: int, rules: Collection[str]) -> None:
        self._knowledge = knowledge
        self._rules = rules
        self._assumption = assumption
        self._assumed = {assumption}
        self._known = set(map(abs, knowledge.known))
        self._changed = {abs(assumption)}
        self._waiting: dict[str, list[int]] = {}
        self._trail: list[Inference] = []

    def find(self) -> Inference | None:
        """The case, or None if no rule is broken."""
        while self._changed:
            again = [rule for rule in self._rules if self._is_concerned(rule)]
            self._changed.clear()
            self._waiting.clear()
            for rule in again:
                if not self._apply(rule):
                    return self._trace()
            if not self._changed:
                self._place_waiting()
        return None

    def _is_concerned(self, rule: str) -> bool:
        """Whether something new is known about a rule."""
        return rule in self._waiting or not self._changed.isdisjoint(self._knowledge.scopes[rule])

    def _apply(self, rule: str) -> bool:
        """Infer what a rule excludes, and remember what it places; False if it is broken."""
        here = self._knowledge.scopes[rule] - self._known
        holding = [x for y in here for x in (y, -y) if x in self._assumed]
        possible, implied = self._knowledge.propagate([rule], holding)
        if not possible:
            self._trail.append(Inference("rules", [rule], []))
            return False
        placed, others = list[int](), list[int]()
        for x in implied:
            if abs(x) in here and x not in self._assumed:
                (placed if x in self._knowledge.keys else others).append(x)
        if others:
            self._infer(rule, others)
        if placed:
            self._waiting[rule] = placed
        return True

    def _place_waiting(self) -> None:
        """Infer the placements one by one."""
        for rule, placed in self._waiting.items():
            for x in placed:
                if x not in self._assumed:
                    self._infer(rule, [x])

    def _infer(self, rule: str, literals: list[int]) -> None:
        self._trail.append(Inference("rules", [rule], literals))
        self._assumed.update(literals)
        self._changed.update(map(abs, literals))

    def _trace(self) -> Inference:
        """The case of the inferences on which the last one, a contradiction, depends, each with
        what is needed of it.
        """
        needed: set[int] = set()
        inner: list[Inference] = []
        before = [self._assumption, *(x for inference in self._trail for x in inference.literals)]
        for inference in reversed(self._trail):
            if inference.literals:
                del before[-len(inference.literals) :]
            used = [x for x in inference.literals if x in needed]
            if used or not inference.literals:
                needed |= find_grounds(self._knowledge, inference.rules, used, before)
                inner.insert(0, inference._replace(literals=used))
        rules = list(dict.fromkeys(rule for inference in inner for rule in inference.rules))
        return Inference("case", rules, [-self._assumption], inner)


def find_grounds(
    knowledge: Knowledge,
    rules: Sequence[str],
    literals: Sequence[int],
    assumed: Collection[int] = (),
) -> set[int]:
    """The literals, known or assumed before, from which literals follow by rules; without literals,
    a contradiction.
    """
    before = set(assumed)
    grounds: set[int] = set()
    for literal in literals or [0]:
        grounds |= knowledge.rest_on(rules, literal, before)
    return grounds


def list_groups(knowledge: Knowledge, rules: Collection[str] = ()) -> list[Group]:
    """What is left of the groups of which a rule allows one placement; of all rules if none is
    named.
    """
    groups = []
    for rule in rules or knowledge.groups:
        for options in knowledge.groups.get(rule, ()):
            if knowledge.known.isdisjoint(options):
                left = tuple(x for x in options if -x not in knowledge.known)
                groups.append(Group(rule, options, left))
    return groups
