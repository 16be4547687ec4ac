"""Makes facts of inferences, while the reasoner still knows what they rest on.

Each line of a chain rests on placements that were told: auxiliary literals, and exclusions that no
line tells, are replaced by the rules and the literals on which they rest.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence, Set
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from jigsat.facts import (
    Adds,
    ByTrial,
    Case,
    Cause,
    Choice,
    Collision,
    Contradiction,
    Excludes,
    Fact,
    Fills,
    LastPlace,
    LastThing,
    Line,
    Marks,
    NoMatch,
    NoPartner,
    NothingLeft,
    OnGraph,
    ParitySum,
    WaysLeft,
)
from jigsat.puzzle import Rule
from jigsat.study.adding import Addition
from jigsat.study.fillings import FillingSearch
from jigsat.study.knowledge import Group, Knowledge
from jigsat.study.reasoner import Inference, find_grounds, list_groups
from jigsat.symmetry import Placement

MAX_FILLED = (
    8  # number of rules of an inference up to which choices are looked for that fill groups
)
MAX_TOLD = 3  # number of placements left on a place up to which that is a line of a case
MAX_LISTED = 8  # number of placements that a rule leaves, of which others may be used up
MAX_OPEN = 3  # number of choices that are said to be open where placements are excluded


@dataclass
class Hidden:
    """An inference of a case that is not told: the rules and the literals on which it rests, all of
    them told.
    """

    rules: list[str]
    grounds: set[int]


@dataclass
class Chain:
    """The inferences of a case so far; `end` is a contradiction that a line shows already."""

    assumed: list[int]
    lines: list[Line] = field(default_factory=list)
    hidden: dict[int, Hidden] = field(default_factory=dict)
    end: Contradiction | None = None

    def list_placed(self) -> list[int]:
        """What was supposed, and what the lines have placed."""
        placed = [x for x in self.assumed if x > 0 and x not in self.hidden]
        return list(dict.fromkeys([self.assumed[0], *placed]))


class Reduction(NamedTuple):
    """What is left of a choice after a rule, and after what is placed excludes more of it.

    `excluded` are the literals of the rule; `used` are those of a rule and a placement.
    """

    choice: Choice
    excluded: list[int]
    grounds: set[int]
    used: dict[tuple[str, int], list[int]]

    def list_literals(self) -> list[int]:
        """All that is excluded."""
        return self.excluded + [x for literals in self.used.values() for x in literals]


class Converter:
    """Makes a fact of an inference. `place_rules` are the kinds of rules about a place."""

    def __init__(self, knowledge: Knowledge, place_rules: Collection[str]) -> None:
        self._knowledge = knowledge
        self._place_rules = place_rules
        self._known = set(knowledge.known)

    def convert(self, inference: Inference) -> Fact:
        """The fact of an inference."""
        if inference.kind == "trial":
            return ByTrial(self._mark(inference.literals))
        if inference.kind == "sum":
            return self._convert_sum(inference)
        if inference.addition:
            return self._convert_addition(inference.addition)
        shown = self._find_on_graph(inference)
        if shown:
            return shown
        filling = self._find_filling(inference)
        if filling:
            return filling
        if inference.kind == "case" or inference.inner:
            return self._convert_case(inference)
        return self._convert_rules(inference)

    # -- rules on graphs

    def _find_on_graph(self, inference: Inference) -> OnGraph | None:
        """The same by one rule about what is connected or a loop, for one reason."""
        if len(inference.rules) != 1:
            return None
        rule = inference.rules[0]
        reasons = {x: self._knowledge.find_reason(rule, x) for x in inference.literals}
        first = next((x for x, reason in reasons.items() if reason), None)
        if first is None:
            return None
        reason = reasons[first]
        literals = [x for x in reasons if reasons[x] == reason and (x > 0) == (first > 0)]
        grounds = find_grounds(self._knowledge, [rule], literals)
        if reason == "meets":
            # What follows at one node.
            star = self._knowledge.find_star(rule, first, self._known)
            literals = [x for x in literals if x in star or -x in star]
            grounds = _list_known(star, self._known)
        basis = self._mark(grounds)
        return OnGraph(self._name_rules([rule]), basis, self._mark(literals), str(reason))

    # -- choices that fill groups

    def _find_filling(self, inference: Inference) -> Fills | None:
        """The same by choices that fill as many groups, if rules of the inference have them."""
        knowledge, filling = self._knowledge, inference.filling
        wanted = [-x for x in inference.literals]
        if not filling:
            if len(inference.rules) > MAX_FILLED or not knowledge.keys.keys() >= set(wanted):
                return None
            choices = knowledge.list_requirements(self._known, inference.rules)
            groups = list_groups(knowledge, inference.rules)
            filling = FillingSearch(choices, groups).find_smallest(wanted)
        if not filling:
            return None
        chosen = tuple(map(self._name_choice, filling.choices))
        covers = tuple(map(self._name_choice, filling.covers))
        used = tuple(dict.fromkeys(choice.rule for choice in (*chosen, *covers)))
        gone = {x for choice in chosen for x in choice.options if x not in choice.left}
        basis = tuple(x for x in knowledge.keys.values() if x in gone)
        excluded = tuple(knowledge.keys[x] for x in filling.excluded)
        return Fills(used, Marks((), basis), Marks((), excluded), chosen, covers)

    # -- sums and rules

    def _convert_sum(self, inference: Inference) -> ParitySum:
        knowledge = self._knowledge
        odd = 0
        for rule in inference.rules:
            for xor in knowledge.xors[rule]:
                placed = len(knowledge.known.intersection(xor.variables))
                if xor.odd != bool(placed % 2):
                    odd += 1
        basis = self._mark(self._find_grounds(inference))
        rules = self._name_rules(inference.rules)
        return ParitySum(rules, basis, self._mark(inference.literals), odd)

    def _convert_addition(self, addition: Addition) -> Adds:
        """What a total excludes, with the rules that each of its cells has one number."""
        cells = addition.total.cells
        rules = dict.fromkeys([*addition.rules, *(rule for rule, _ in cells)])
        placed = [x for _, numbers in cells for x in numbers if x in self._known]
        gone = [-x for cell in addition.cells for x in cell.options if x not in cell.left]
        return Adds(
            addition.kind,
            self._name_rules(rules),
            self._mark([*placed, *gone]),
            self._mark(addition.literals),
            addition.total.number,
            addition.rest,
            tuple(map(self._name_choice, addition.cells)),
            addition.ways,
        )

    def _convert_rules(self, inference: Inference) -> Fact:
        """What a few rules place or exclude together."""
        grounds = self._find_grounds(inference)
        rules = self._name_rules(inference.rules)
        basis = self._mark(grounds)
        conclusion = self._mark(inference.literals)
        ways = self._knowledge.list_ways(inference.rules)
        if ways:
            rest = self._list_rest(inference.literals)
            return WaysLeft(rules, basis, conclusion, ways.names, ways.options, rest)

        choices = self._find_choices(inference.rules, inference.literals, self._known)
        if len(rules) == 1 and conclusion.placed and _leave_only(choices, conclusion):
            causes = self._explain(x for x in grounds if x < 0)
            kind = LastThing if self._is_about_place(choices[0].rule) else LastPlace
            return kind(rules, basis, conclusion, choices[0], causes)
        gone = [x for x in grounds if x < 0]
        used = choices
        if not used and not (len(rules) == 1 and conclusion.placed):
            used = self._list_open(gone, self._known)
        causes = self._explain(gone) if conclusion.placed else ()
        rest = self._list_rest(inference.literals)
        return Excludes(rules, basis, conclusion, used, rest, causes)

    # -- cases

    def _convert_case(self, inference: Inference) -> Case | Excludes:
        """A case, or what a rule excludes at once if there is nothing to tell but what it rests
        on.
        """
        case = self._convert_chain(inference)
        if not case.chain and not isinstance(case.end, NothingLeft):
            at_once = self._convert_at_once(inference, case.end)
            if at_once:
                return at_once

        # Of the others, only those are concluded of which the same lines hold.
        literals = inference.literals[:1]
        for likewise in inference.alike:
            other = self._convert_chain(likewise)
            if other.has_lines_of(case):
                literals += likewise.literals
        concluded = inference._replace(literals=literals)
        basis = self._mark(self._find_grounds(concluded))
        return replace(case, basis=basis, conclusion=self._mark(literals))

    def _convert_chain(self, inference: Inference) -> Case:
        """The case of the first literal."""
        supposed = -inference.literals[0]
        chain = Chain([supposed])
        for inner in inference.inner[:-1]:
            if not chain.end:
                self._add_line(chain, inner)
        end = chain.end or self._convert_end(chain, inference.inner[-1])
        rules = [*self._name_rules(inference.rules), *end.rules]
        for line in chain.lines:
            rules += line.rules
        used = tuple(dict.fromkeys(rules))
        conclusion = self._mark(inference.literals[:1])
        return Case(used, Marks(), conclusion, self._mark([supposed]), tuple(chain.lines), end)

    def _convert_at_once(self, inference: Inference, end: Contradiction) -> Excludes | None:
        """What a rule excludes because of what is placed, or because little is left for a few
        choices; else None.
        """
        grounds = self._find_grounds(inference)
        choices = self._list_open([x for x in grounds if x < 0], self._known)
        named = {choice.rule for choice in choices}
        rules = self._name_rules(inference.rules)
        others = [rule for rule in rules if rule not in named and not self._is_about_place(rule)]
        few = all(len(choice.left) <= MAX_TOLD for choice in choices)
        if len(others) > 1 or not (few or isinstance(end, Collision)):
            return None
        conclusion = self._mark(inference.literals)
        rest = self._list_rest(inference.literals)
        return Excludes(rules, self._mark(grounds), conclusion, choices if few else (), rest)

    def _add_line(self, chain: Chain, inner: Inference) -> None:
        """Add a line for an inference, or remember why it holds if it is not told."""
        literals = [x for x in inner.literals if x not in chain.assumed]
        if not literals:
            return
        inner = inner._replace(literals=literals)
        keys = self._knowledge.keys
        raw = find_grounds(self._knowledge, inner.rules, literals, chain.assumed)
        rules, grounds = self._unfold(chain, inner.rules, raw)
        conclusions = [x for x in literals if abs(x) in keys]
        line: Line | None
        if any(x > 0 for x in conclusions):
            line = self._make_placing_line(chain, inner, conclusions, raw)
        elif conclusions:
            line = self._make_excluding_line(chain, inner, conclusions, raw)
        else:
            line = self._make_empty_line(chain, inner, rules, grounds)
        stated: set[int] = set()
        if line:
            chain.lines.append(line)
            stated.update(self._list_literals(line.conclusion))
            for literal in stated:
                chain.hidden.pop(literal, None)
        for literal in literals:
            if literal not in stated:
                chain.hidden[literal] = Hidden(rules, grounds)
        chain.assumed += [*literals, *sorted(stated.difference(literals), key=abs)]

    def _make_placing_line(
        self, chain: Chain, inner: Inference, literals: list[int], raw: set[int]
    ) -> Line | None:
        """A line that something is placed: the last place, the last thing, or what a rule asks
        for; None if that is the end.
        """
        known = self._known.union(chain.assumed)
        rules, basis = self._ground(chain, inner.rules, raw)
        conclusion = self._mark(literals)
        choices = self._find_choices(inner.rules, literals, known)
        if _leave_only(choices, conclusion):
            kind = LastThing if self._is_about_place(choices[0].rule) else LastPlace
            causes = self._explain_hidden(chain, raw)
            return kind(rules, basis, conclusion, choices[0], causes)

        # That only one thing is left is easier to see than what an edge asks for.
        last = self._find_last(literals[0], known)
        if not last:
            line = self._make_line_of_place(chain, inner.rules, literals)
            if line or chain.end:
                return line
            used = choices or self._list_open([x for x in raw if x < 0], known)
            return Excludes(rules, basis, conclusion, used)
        raw = {-x for x in last.options if x != literals[0]}
        rules, basis = self._ground(chain, [last.rule], raw)
        causes = self._explain_hidden(chain, raw)
        return LastThing(rules, basis, conclusion, self._name_choice(last), causes)

    def _make_line_of_place(
        self, chain: Chain, rules: list[str], literals: list[int]
    ) -> Line | None:
        """The line that only this is left on a place, by the rule that asks for it and by all else
        that excludes something there.
        """
        known = self._known.union(chain.assumed)
        for rule, options in self._knowledge.requirements:
            if literals[0] not in options or not self._is_about_place(
                self._knowledge.rule_objects[rule]
            ):
                continue
            left = tuple(x for x in options if -x not in known)
            choice = self._name_choice(Group(rule, options, left))
            reduction = self._reduce(chain, rules, choice, [])
            if reduction and set(reduction.choice.left) <= {self._knowledge.keys[literals[0]]}:
                return self._make_line_of_rest(chain, rules, reduction)
        return None

    def _find_last(self, literal: int, known: set[int]) -> Group | None:
        """What a rule requires on a place, if only this literal is left of it."""
        for rule, options in self._knowledge.requirements:
            if literal not in options or any(-x not in known for x in options if x != literal):
                continue
            if self._is_about_place(self._knowledge.rule_objects[rule]):
                return Group(rule, options, (literal,))
        return None

    def _make_empty_line(
        self, chain: Chain, inner: Inference, rules: list[str], grounds: set[int]
    ) -> NothingLeft | None:
        """A line that a place stays empty, which it may."""
        known = self._known.union(chain.assumed)
        for empty in self._knowledge.find_empty(inner.rules[0], known):
            choice = self._name_choice(empty)
            before = self._list_undecided(choice.options)
            return NothingLeft(self._name_rules(rules), self._mark(grounds), choice, before)
        return None

    def _make_excluding_line(
        self, chain: Chain, inner: Inference, literals: list[int], raw: set[int]
    ) -> Line | None:
        """A line that little is left on a place; None if much is left, or if the rule requires
        something itself.
        """
        known = self._known.union(chain.assumed)
        rules, basis = self._ground(chain, inner.rules, raw)
        ways = self._knowledge.list_ways(inner.rules, chain.assumed)
        if ways and len(ways.names) <= MAX_TOLD:
            return WaysLeft(rules, basis, self._mark(literals), ways.names, ways.options)
        if all(map(self._may_be_absent, literals)) and len(literals) <= MAX_TOLD:
            return Excludes(rules, basis, self._mark(literals))
        rest = self._list_open(literals, known.union(literals))
        if inner.rules[0] in self._knowledge.choices or len(rest) != 1:
            return None
        reduction = self._reduce(chain, inner.rules, rest[0], literals)
        if reduction is None:
            return None
        return self._make_line_of_rest(chain, inner.rules, reduction)

    def _reduce(
        self, chain: Chain, rules: list[str], choice: Choice, conclusions: list[int]
    ) -> Reduction | None:
        """All that the rule of an inference excludes of a choice, not only what the end needs; and
        what else is used up by what was supposed or placed.

        None if much is left.
        """
        knowledge = self._knowledge
        known = self._known.union(chain.assumed)
        options = [knowledge.variables[x] for x in choice.options]

        assumed, implied = self._imply_literals(chain, rules, conclusions)
        excluded = [-x for x in options if -x in implied and -x not in known]
        left = [x for x in options if -x not in known and x not in map(abs, excluded)]
        if not excluded or not 0 < len(left) <= MAX_LISTED:
            return None
        grounds = find_grounds(knowledge, rules, excluded, assumed)

        used = self._list_used(chain, left)
        gone = {x for literals in used.values() for x in literals}
        placements = tuple(knowledge.keys[x] for x in left if -x not in gone)
        if len(placements) > MAX_TOLD:
            return None
        return Reduction(replace(choice, left=placements), excluded, grounds, used)

    def _imply_literals(
        self, chain: Chain, rules: list[str], literals: list[int]
    ) -> tuple[Sequence[int], set[int]]:
        """Literals of the case from which these literals follow, and all that then follows.

        What is placed explains more than what is excluded, so that is tried first.
        """
        assumed: Sequence[int] = chain.list_placed()
        implied = set(self._knowledge.propagate(rules, assumed)[1])
        if not implied.issuperset(literals):
            assumed = chain.assumed
            implied = set(self._knowledge.propagate(rules, assumed)[1])
        return assumed, implied.union(literals)

    def _list_used(self, chain: Chain, left: Iterable[int]) -> dict[tuple[str, int], list[int]]:
        """What is used up of what is left: by a rule and something placed in the case."""
        used: dict[tuple[str, int], list[int]] = {}
        for x in left:
            for ground in self._knowledge.find_blocking(x, chain.list_placed()):
                used.setdefault(ground, []).append(-x)
        return used

    def _make_line_of_rest(
        self, chain: Chain, names: list[str], reduction: Reduction
    ) -> Line | None:
        """The line that only this is left of a choice, with the causes; if nothing is left, that is
        the end.
        """
        known = self._known.union(chain.assumed)
        causes = [self._make_cause(chain, names, reduction.excluded, reduction.grounds, known)]
        for (rule, placed), literals in reduction.used.items():
            causes.append(self._make_cause(chain, [rule], literals, {placed}, known))
        choice = reduction.choice
        excluded = reduction.list_literals()
        options = {-self._knowledge.variables[x] for x in choice.options}.difference(excluded)
        rules = list(names)
        grounds = set(reduction.grounds)
        for rule, placed in reduction.used:
            rules.append(rule)
            grounds.add(placed)
        if len(choice.left) > 1:
            # What was excluded in the case, but not told.
            earlier = options.intersection(chain.hidden)
            excluded += earlier
        else:
            earlier = options.intersection(known)
            rules.append(choice.rule.name)
        every_cause = (*causes, *self._explain_hidden(chain, earlier))
        named, basis = self._ground(chain, rules, grounds | earlier)
        if len(choice.left) > 1:
            open_choices = self._list_open([x for x in grounds if x < 0], known)
            return Excludes(
                named, basis, self._mark(excluded), open_choices, (choice,), every_cause
            )
        if not choice.left:
            before = self._list_undecided(choice.options)
            chain.end = NothingLeft(named, basis, choice, before, every_cause)
            return None
        kind = LastThing if self._is_about_place(choice.rule) else LastPlace
        return kind(named, basis, Marks(choice.left), choice, every_cause)

    def _make_cause(
        self,
        chain: Chain,
        names: Sequence[str],
        literals: Sequence[int],
        grounds: set[int],
        known: Set[int],
    ) -> Cause:
        """Why literals of a line hold, by rules and what they rest on."""
        rules, unfolded = self._unfold(chain, names, grounds)
        left = self._list_open([x for x in grounds if x < 0], known)
        excluded = self._mark(literals).excluded
        return Cause(excluded, self._name_rules(rules), self._mark(unfolded), left)

    def _ground(
        self, chain: Chain, names: Sequence[str], raw: Iterable[int]
    ) -> tuple[tuple[Rule, ...], Marks]:
        """The rules and the basis of a line, all of it told."""
        rules, grounds = self._unfold(chain, names, raw)
        return self._name_rules(rules), self._mark(grounds)

    def _unfold(
        self, chain: Chain, names: Sequence[str], raw: Iterable[int]
    ) -> tuple[list[str], set[int]]:
        """The rules and grounds of an inference, with those of the inferences that are not told."""
        rules = list(names)
        grounds: set[int] = set()
        for literal in raw:
            hidden = chain.hidden.get(literal)
            if hidden:
                rules += hidden.rules
                grounds |= hidden.grounds
            else:
                grounds.add(literal)
        return list(dict.fromkeys(rules)), grounds

    # -- the end of a case

    def _convert_end(self, chain: Chain, inner: Inference) -> Contradiction:
        """The contradiction at the end of a case."""
        known = self._known.union(chain.assumed)
        star = self._knowledge.find_star(inner.rules[0], 0, known)
        raw = _list_known(star, known) or self._find_end_grounds(chain, inner.rules)
        rules, basis = self._ground(chain, inner.rules, raw)
        causes = self._explain_hidden(chain, raw)
        unmet = self._find_unmet(chain, inner)
        if unmet:
            before = self._list_undecided(unmet.options)
            return NothingLeft(rules, basis, unmet, before, causes)
        choices = self._list_open([x for x in raw if x < 0], known)
        for choice in choices:
            if not choice.left:
                return self._convert_empty(chain, choice)

        rule = self._name_rules(inner.rules)[0]
        direct = self._mark(raw)
        if not direct.excluded:
            return Collision(rules, basis, rule, basis.placed)
        if len(choices) > 1 and not direct.placed:
            return NoMatch(rules, basis, rule, choices, causes)
        before = self._list_undecided(direct.excluded)
        return NoPartner(rules, basis, rule, direct.placed, direct.excluded, before, causes)

    def _find_unmet(self, chain: Chain, inner: Inference) -> Choice | None:
        """A choice of the rule of which nothing is left, also one that may stay empty but not
        together with others.
        """
        known = self._known.union(chain.assumed)
        for choice in self._find_choices(inner.rules, [], known):
            return choice
        for empty in self._knowledge.find_empty(inner.rules[0], known):
            return self._name_choice(empty)
        return None

    def _convert_empty(self, chain: Chain, choice: Choice) -> NothingLeft:
        """The contradiction that nothing is left of a choice, whichever rule found it."""
        raw = {-self._knowledge.variables[option] for option in choice.options}
        rules, basis = self._ground(chain, [choice.rule.name], raw)
        before = self._list_undecided(choice.options)
        return NothingLeft(rules, basis, choice, before, self._explain_hidden(chain, raw))

    def _find_end_grounds(self, chain: Chain, rules: list[str]) -> set[int]:
        """What a contradiction by a rule rests on, if possible without what the same rule has
        excluded in the case.
        """
        knowledge = self._knowledge
        own = {x for x, hidden in chain.hidden.items() if hidden.rules == rules}
        others = set(chain.assumed) - own
        scope = knowledge.scopes[rules[0]]
        grounds = [x for x in self._known | others if abs(x) in scope]
        if own and not knowledge.ignorant.solve([knowledge.rules[rules[0]], *grounds]):
            return knowledge.rest_on(rules, 0, others)
        return knowledge.rest_on(rules, 0, set(chain.assumed))

    # -- why placements are gone

    def _explain(self, excluded: Iterable[int]) -> tuple[Cause, ...]:
        """Why these literals of exclusions are known, grouped by rule or step."""
        knowledge = self._knowledge
        literals = [x for x in sorted(excluded, key=abs) if -x in knowledge.keys]
        by_step = [x for x in literals if isinstance(knowledge.causes[x], int)]
        knowledge.causes.update(knowledge.find_rules_again(by_step))
        groups: dict[str | int, list[int]] = {}
        for literal in literals:
            groups.setdefault(knowledge.causes[literal], []).append(literal)
        causes = []
        for cause, those in groups.items():
            placements = tuple(knowledge.keys[-x] for x in those)
            if isinstance(cause, int):
                causes.append(Cause(placements, (), Marks(), step=cause))
                continue
            grounds = find_grounds(knowledge, [cause], those)
            left = self._list_open([x for x in grounds if x < 0], self._known)
            causes.append(Cause(placements, self._name_rules([cause]), self._mark(grounds), left))
        return tuple(causes)

    def _explain_hidden(self, chain: Chain, raw: Iterable[int]) -> tuple[Cause, ...]:
        """Why literals hold in a case: because of what was supposed or placed, if that excludes
        them by one rule; else because of the rules of a line, or of inferences that are not told.
        """
        knowledge = self._knowledge
        placed = chain.list_placed()
        blocking: dict[tuple[str, int], list[int]] = {}
        repeated: list[Placement] = []
        groups: dict[tuple[str, ...], list[int]] = {}
        for literal in sorted(raw, key=abs):
            if -literal not in knowledge.keys or literal in self._known:
                continue
            block = next(knowledge.find_blocking(-literal, placed), None)
            if block:
                blocking.setdefault(block, []).append(literal)
            elif literal in chain.hidden:
                groups.setdefault(tuple(chain.hidden[literal].rules), []).append(literal)
            else:
                repeated.append(knowledge.keys[-literal])
        known = self._known.union(chain.assumed)
        causes = []
        for (rule, ground), literals in blocking.items():
            causes.append(self._make_cause(chain, [rule], literals, {ground}, known))
        for names, literals in groups.items():
            grounds = set[int]().union(*(chain.hidden[x].grounds for x in literals))
            causes.append(self._make_cause(chain, names, literals, grounds, known))
        return (*causes, *_repeat_causes(chain, repeated))

    # -- choices, rules and placements

    def _find_grounds(self, inference: Inference) -> set[int]:
        return find_grounds(self._knowledge, inference.rules, inference.literals)

    def _find_choices(
        self, rules: Sequence[str], literals: Sequence[int], known: Collection[int]
    ) -> tuple[Choice, ...]:
        """What these rules leave of what they require, if the literals follow from that."""
        return tuple(map(self._name_choice, self._knowledge.find_choices(rules, literals, known)))

    def _list_rest(self, literals: Sequence[int]) -> tuple[Choice, ...]:
        """What is left where literals exclude something."""
        return self._list_open(literals, self._known.union(literals))

    def _list_open(self, literals: Collection[int], known: Set[int]) -> tuple[Choice, ...]:
        """The requirements to which most of these placements belong, and what is left of them."""
        waiting = {-x for x in literals if -x in self._knowledge.keys}
        requirements = self._knowledge.list_requirements(known) if waiting else []
        largest_first: list[Group] = []
        while waiting and requirements and len(largest_first) < MAX_OPEN:
            largest = max(requirements, key=lambda group: len(waiting.intersection(group.options)))
            if waiting.isdisjoint(largest.options):
                break
            waiting.difference_update(largest.options)
            largest_first.append(largest)
        return tuple(map(self._name_choice, largest_first))

    def _list_undecided(self, placements: Sequence[Placement]) -> tuple[Placement, ...]:
        """Those that were not excluded before this step."""
        variables = self._knowledge.variables
        return tuple(x for x in placements if -variables[x] not in self._known)

    def _name_choice(self, group: Group) -> Choice:
        """A group with its placements; of a choice, with all that it may be by its rule."""
        options = group.options
        keys = self._knowledge.keys
        return Choice(
            self._knowledge.rule_objects[group.rule],
            tuple(keys[x] for x in sorted(options)),
            tuple(keys[x] for x in sorted(group.left)),
        )

    def _may_be_absent(self, literal: int) -> bool:
        """Whether a literal excludes a mark that no place requires, such as a line."""
        way = self._knowledge.puzzle.way()
        return way.may_be_absent(self._knowledge.keys[abs(literal)])

    def _is_about_place(self, rule: Rule) -> bool:
        return rule.kind in self._place_rules

    def _name_rules(self, names: Iterable[str]) -> tuple[Rule, ...]:
        return tuple(self._knowledge.rule_objects[name] for name in names)

    def _list_literals(self, marks: Marks) -> list[int]:
        """Placements as literals."""
        variables = self._knowledge.variables
        placed = [variables[x] for x in marks.placed]
        return placed + [-variables[x] for x in marks.excluded]

    def _mark(self, literals: Iterable[int]) -> Marks:
        """Literals as placements; auxiliary variables are left out."""
        keys = self._knowledge.keys
        ordered = sorted(literals, key=abs)
        placed = [keys[x] for x in ordered if x in keys]
        excluded = [keys[-x] for x in ordered if -x in keys]
        return Marks(tuple(placed), tuple(excluded))


def _list_known(literals: Iterable[int], known: Set[int]) -> set[int]:
    """What is known of literals: that they hold, or that they do not."""
    return {x for literal in literals for x in (literal, -literal) if x in known}


def _repeat_causes(chain: Chain, excluded: Collection[Placement]) -> list[Cause]:
    """The causes of lines for placements that these lines exclude."""
    causes = []
    for line in chain.lines:
        if not isinstance(line, Excludes):
            continue
        for cause in line.causes:
            those = tuple(x for x in cause.excluded if x in excluded)
            if those:
                causes.append(replace(cause, excluded=those))
    return causes


def _leave_only(choices: Sequence[Choice], conclusion: Marks) -> bool:
    """Whether exactly what is placed is left of the only choice."""
    return len(choices) == 1 and choices[0].left == conclusion.placed
