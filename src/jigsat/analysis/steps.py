"""Steps: how a puzzle is solved by logic, a few rules at a time.

A rule is all constraints about one thing, such as box 3 (`Formula.rule`). What unit propagation excludes by one rule is not
shown. A step is everything else that a small set of rules implies, together with what is known: one rule if possible, then two,
and then the smallest set that is found by leaving out rules from unsatisfiable cores. This follows Espasa, Gent, Hoffmann,
Jefferson and Lynch: Using small MUSes to explain how to solve pen and paper puzzles (Demystify), arXiv 2104.15040, 2021.
"""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass, field, replace
from itertools import chain, combinations, islice, pairwise
from typing import Any, Literal, NamedTuple

from jigsat.analysis.candidates import Candidates, find_candidates, has_solution
from jigsat.analysis.cores import Assumed, Core, Limit
from jigsat.backends import PROPAGATOR, open_backend
from jigsat.errors import InputError, Stopped, name_place, plural, pluralize
from jigsat.formula import Cardinality, Clause, ConstraintGroup, Formula, Lowered
from jigsat.puzzle import Puzzle
from jigsat.subject import subject_of
from jigsat.symmetry import LEVELS, Placement

Kind = Literal["symmetry", "rules", "sum", "case", "trial"]

LEGENDS = {
    r"\br(\d+)c(\d+)\b": r"\g<0> is the place in row \1, column \2.",
    r"\bl(\d+)r(\d+)c(\d+)\b": r"\g<0> is the place in layer \1, row \2, column \3.",
    r"\bturned (?=once|twice|\d)": "Turned once means by one side, clockwise.",
}
"""What parts of sentences mean, as templates of their patterns."""

TURNS = ("as drawn", "turned once clockwise", "turned twice")
"""How a piece is turned, by the number of its sides; more are counted."""

_PLACE = re.compile(r"(l\d+)?r\d+c\d+")

NOTHING_LEFT = "nothing is left to decide"

SENTENCES = {
    "trial": "This needs trial and error:",
    "symmetry": "By symmetry, we may assume that",
}

Mood = Literal["is", "supposed", "would"]
VERBS = {
    "be": ("is", "were", "were not"),
    "lie on": ("lies on", "lay on", "did not lie on"),
    "sit at": ("sits at", "sat at", "did not sit at"),
}
"""The forms of each verb for a placement that is made, that is supposed, and that is supposed to be excluded."""

SIGNS = {"be": ("=", "≠"), "lie on": ("on", "not on"), "sit at": ("at", "not at")}
"""The same verbs in lists of placements that are made or excluded."""

MAX_RULES = 6  # number of rules in a step that is neither a sum of XORs nor a case distinction
MAX_TARGETS = 300  # number of undecided placements for which a set of rules is searched, at most
MAX_REDUCED = 20  # number of them whose set is made as small as possible
MAX_CASES = 8  # number of cases of which the shortest is told
MAX_NESTED = 500  # number of undecided placements up to which cases within a case are tried
MAX_EFFORT = 2_000_000  # effort of the search for a smallest set, as in `cores.Limit`
MAX_CONFLICTS = 100  # number of conflicts after which a solver call is given up; what a few rules imply takes fewer
MAX_SUM_CONFLICTS = 20_000  # the same if rules are XORs, because sums take many
MAX_SHOWN = 4  # number of placements that are named in a sentence
MAX_LEFT = 6  # number of placements that are left for a rule, up to which they are named


class Left(NamedTuple):
    """What is left of the `choices` of which a rule requires one."""

    rule: str
    placements: tuple[Placement, ...]
    choices: tuple[Placement, ...]

    def describe(self, cell_field: str | None, verb: str = "is") -> str:
        """The same in words, such as 'only r3c1 or r3c7 is left for 4 in row 3'."""
        fields = [each._asdict() for each in self.choices]
        shared = {name: value for name, value in fields[0].items() if all(each[name] == value for each in fields)}
        if len(fields) == 1:
            shared = {name: value for name, value in shared.items() if self.rule == f"{name} {name_place(value)}"}
        named = {name: value for name, value in shared.items() if name != cell_field and isinstance(value, str)}
        missing = [value for name, value in named.items() if self.rule != f"{name} {value}"]
        whose = f"{' '.join(missing)} in {_name_rule(self.rule)}" if missing else _name_rule(self.rule)
        if not self.placements:
            return f"{'no place' if missing else 'nothing'} {verb} left for {whose}"
        differing = [{name: value for name, value in each._asdict().items() if name not in shared} for each in self.placements]
        return f"only {_join([_name_fields(each, cell_field) for each in differing], ' or ')} {verb} left for {whose}"


@dataclass(frozen=True)
class Step:
    """What some rules imply together with what is known: placements that are made, and others that are excluded.

    `kind` is 'rules' for at most `MAX_RULES` rules; 'sum' if the rules are XORs that are added up; 'case' if the opposite leads
    to a contradiction by the `inferences`, each by one rule or a case of its own, and the last without a conclusion; 'trial' if
    only a search finds the placement, and then there are no rules; 'symmetry' if an image of every solution has the placement.
    `facts` are the placements made before on which the step rests, directly or because they exclude others by a single rule; in
    a contradiction those that break its rules.
    `left` is what the rules leave of what they require. `continued`: whether the step rests on exclusions by earlier steps.
    `silent` are the fields that are 0 in all placements, such as the turn where nothing turns; sentences leave them out.
    `sentences` are those of rules that are placements themselves.
    """

    kind: Kind
    rules: tuple[str, ...]
    placed: tuple[Placement, ...]
    excluded: tuple[Placement, ...]
    facts: tuple[Placement, ...] = ()
    left: tuple[Left, ...] = ()
    inferences: tuple[Step, ...] = ()
    continued: bool = False
    silent: frozenset[str] = frozenset()
    sentences: Mapping[Placement, str] = field(default_factory=dict)

    @property
    def lines(self) -> tuple[Step, ...]:
        """The inferences of a case that are told: not what a single rule excludes."""
        return tuple(each for each in self.inferences if each.placed or each.inferences) + self.inferences[-1:]

    @property
    def size(self) -> int:
        """The number of rules that a reader applies, one after the other in a case."""
        return sum(each.size for each in self.lines) if self.inferences else len(self.rules)

    def describe(self, cell_field: str | None) -> str:
        """The step in a sentence; `cell_field` is the field of the placements that names their cell."""
        result = self._describe_result(cell_field)
        if self.kind in SENTENCES:
            return f"{SENTENCES[self.kind]} {result}"
        if self.kind == "case":
            supposed = replace(self, placed=self.excluded, excluded=self.placed)._describe_result(cell_field, "supposed")
            return f"Suppose {supposed}. Then {self._describe_lines(cell_field)}. So {result}"
        if self.kind == "sum":
            noun = type((*self.placed, *self.excluded)[0]).__name__.lower()
            if len(self.rules) == 1:
                return f"For {self.rules[0]}, all other {pluralize(noun)} are known. So {result}"
            added = f"Add up the {pluralize(noun)} that each of these must have, odd or even: {_enumerate(self.rules)}"
            return f"{added}. Every other {noun} is known or counts an even number of times. So {result}"
        short = [each for each in self.left if len(each.placements) <= MAX_LEFT and each.rule not in self.sentences.values()]
        told = {*(each.rule for each in short), *(self.sentences.get(each) for each in (*self.placed, *self.excluded))}
        told |= {rule for rule in self.rules if short and _name_rule(rule) in result}
        others = [self._quote(rule) for rule in self.rules if rule not in told]
        others += ["the steps before"] if self.continued and not short else []
        words = _join([each.describe(cell_field) for each in short], ", and ") if short else ""
        if others or len(short) > 1 or not short or short[0].placements != self.placed:
            because = f"because of {_enumerate(others)}, " if others else ""
            words += f"{'; so ' if words else ''}{because}{result}"
        words = f"{'by the steps before, ' if self.continued and short else ''}{words}"
        return words if _PLACE.match(words) else words[:1].upper() + words[1:]

    def _describe_lines(self, cell_field: str | None) -> str:
        """The inferences of a case, up to the contradiction."""
        *lines, last = self.lines
        words = list[str]()
        for each in lines:
            why = f"otherwise {each._describe_lines(cell_field)}" if each.inferences else f"because of {_enumerate(each.rules)}"
            words.append(f"{each._describe_result(cell_field, 'would')} ({why})")
        if last.left:
            end = last.left[0].describe(cell_field, "would be")
        elif len(last.facts) > 1:
            end = f"{_join([describe_placement(each, cell_field, silent=self.silent) for each in last.facts])} break "
            end += f"the rule of {_enumerate(last.rules)}"
        else:
            end = f"nothing that is left would satisfy the rule of {_enumerate(last.rules)}"
        link = "but " if last.facts else "and "
        return ", ".join([*words, f"{link if words else ''}{end}"])

    def _describe_result(self, cell_field: str | None, mood: Mood = "is") -> str:
        told, values = list[str](), dict[tuple[str, str], list[str]]()
        for placement in self.placed + self.excluded:
            holds = placement in self.placed
            subject, verb, value = _split_placement(placement, cell_field, self.silent)
            if verb == "be" and not _PLACE.fullmatch(subject):
                subject = _name_cell(subject, cell_field)
            if rule := self.sentences.get(placement):
                told.append(f"“{rule}” {'is kept' if holds else 'cannot be kept'}")
            elif not verb:
                told.append(f"{'' if holds else 'no '}{subject}{value}")
            elif holds:
                told.append(f"{subject} {_conjugate(verb, mood)} {value}")
            else:
                values.setdefault((verb, subject), []).append(value)
        subjects = dict[tuple[str, tuple[str, ...]], list[str]]()
        for (verb, subject), those in values.items():
            subjects.setdefault((verb, tuple(those)), []).append(subject)
        for (verb, each), whose in islice(subjects.items(), MAX_SHOWN):
            what = _join(each, " or ")
            if len(each) > MAX_SHOWN + 1:
                what = f"{', '.join(each[:MAX_SHOWN])} … ({len(each)} placements)"
            told.append(f"{_join(whose)} {_conjugate(verb, mood, holds=False)} {what}")
        if hidden := sum(len(each) * len(whose) for (_, each), whose in islice(subjects.items(), MAX_SHOWN, None)):
            told.append(f"{plural(hidden, 'other placement')} cannot be")
        return _join(told, ", and ")

    def _quote(self, rule: str) -> str:
        return f"“{rule}”" if rule in self.sentences.values() else rule

    def json(self) -> dict[str, Any]:
        """The step as a plain object."""
        lists = {name: [each._asdict() for each in getattr(self, name)] for name in ("placed", "excluded", "facts")}
        left = [{"rule": each.rule, "placements": [one._asdict() for one in each.placements]} for each in self.left]
        inferences = {"inferences": [each.json() for each in self.inferences]} if self.inferences else {}
        return {"kind": self.kind, "rules": list(self.rules), **lists, "left": left, **inferences}


def find_legends(sentences: Iterable[str]) -> dict[str, str]:
    """What the names of places and turns in these sentences mean: by pattern, the meaning of the first example."""
    text = "\n".join(sentences)
    return {pattern: found.expand(meaning) for pattern, meaning in LEGENDS.items() if (found := re.search(pattern, text))}


def name_rules(puzzle: Puzzle, formula: Formula) -> dict[Placement, str]:
    """The sentences of rules that are placements themselves, such as the rules of a seating: each is about one of them."""
    names = dict[Placement, set[str]]()
    facts = {x: key for x in formula.decisions() if len(key := formula.key(x)) == 1 and not puzzle.board_places(key)}
    for name, constraints in (formula.list_rules() if facts else {}).items():
        for x in {abs(literal) for constraint in constraints for literal in constraint[0]} & facts.keys():
            names.setdefault(facts[x], set()).add(name)
    return {placement: name for placement, (name, *others) in names.items() if not others}


def _enumerate(names: Sequence[str]) -> str:
    """Names in a sentence, such as 'row 1, and boxes 2 and 3'."""
    kinds = dict[str, list[str]]()
    for name in names:
        kind, _, which = name.partition(" ")
        kinds.setdefault(kind if which and " " not in which else name, []).append(name)
    groups = [
        _name_rule(f"{kind} {_join([name.partition(' ')[2] for name in those])}", pluralize(kind))
        if len(those) > 1
        else _name_rule(those[0])
        for kind, those in kinds.items()
    ]
    return _join(groups, " and " if len(groups) == len(names) else ", and ")


def _name_rule(name: str, noun: str = "") -> str:
    """A rule, or several with a noun in the plural, in a sentence, such as 'row 1' or 'the top face'."""
    kind, _, which = name.partition(" ")
    if kind == "face" and not any(map(str.isdigit, which)):
        return f"the {which} {noun or kind}"
    return f"{noun or kind} {which}" if noun else f"{'the ' if ' between ' in name or ' of ' in name else ''}{name}"


def _name_cell(name: str, cell_field: str | None) -> str:
    """A place that is not in rows and columns, such as 'the top face'."""
    return _name_rule(f"{'face' if cell_field == 'cell' and name.isalpha() else cell_field} {name}")


def _join(words: Sequence[str], last: str = " and ") -> str:
    """Words with commas between them, and another separator before the last."""
    return f"{', '.join(words[:-1])}{last}{words[-1]}" if len(words) > 1 else words[0]


def _name_area(area: Sequence[Any]) -> str:
    """Cells in words, with those in a straight line as 'r1c2–r1c5'."""
    runs = list[list[Any]]()
    for cell in area:
        run = runs[-1] if runs else []
        steps = {tuple(y - x for x, y in zip(*pair, strict=True)) for pair in pairwise([*run[-2:], cell]) if _is_place(cell)}
        if len(steps) == 1 and sorted(map(abs, *steps))[-2:] == [0, 1]:
            run.append(cell)
        else:
            runs.append([cell])
    return " ".join(f"{name_place(run[0])}–{name_place(run[-1])}" if len(run) > 1 else name_place(tuple(run)) for run in runs)


def _conjugate(verb: str, mood: Mood, *, holds: bool = True) -> str:
    """The verb of a placement that is made, supposed, or would follow, or of one that is not."""
    now, before, never = VERBS[verb]
    if mood == "supposed":
        return before if holds else never
    if mood == "would":
        return f"{'would' if holds else 'could not'} {verb}"
    return now if holds else f"cannot {verb}"


def describe_placement(
    placement: Placement, cell_field: str | None, *, holds: bool = True, silent: Collection[str] = ()
) -> str:
    """A placement in words, such as 'r1c3 = 5', or that it is excluded; `silent` are fields that are left out.

    >>> from jigsat.instance import load
    >>> formula = load("sudoku-4x4-empty").encode()
    >>> describe_placement(formula.key(1), "cell"), describe_placement(formula.key(1), "cell", holds=False)
    ('r1c1 = 1', 'r1c1 ≠ 1')
    >>> describe_placement(load("black-and-white").encode().key(1), None, holds=False)
    'piece www not on r1c3–r3c3'
    """
    subject, verb, value = _split_placement(placement, cell_field, silent)
    if not verb:
        return f"{'' if holds else 'no '}{subject}{value}"
    return f"{subject} {SIGNS[verb][not holds]} {value}"


def _split_placement(placement: Placement, cell_field: str | None, silent: Collection[str]) -> tuple[str, str, str]:
    """What a placement is about, a verb of `VERBS`, and where or what it is; without a verb if it can only be made or not."""
    noun = type(placement).__name__.lower()
    fields = {name: value for name, value in placement._asdict().items() if value is not False and name not in silent}
    cell_field = cell_field or next((name for name, value in fields.items() if _is_place(value)), None)
    if cell_field in fields:
        cell = name_place(fields.pop(cell_field))
        return (cell, "be", _name_fields(fields, None)) if fields else (f"{noun} {cell}", "", "")
    words = [_name_field(name, value) for name, value in fields.items() if not _is_area(value)]
    areas = [_name_area(value) for value in fields.values() if _is_area(value)]
    if areas:
        return " ".join(words), "lie on", " ".join(areas)
    subject, *others = words or [noun]
    if any(map(_is_seat, fields.values())):
        return subject, "sit at", " ".join(others)
    return subject, "", f" ({' '.join(others)})" if others else ""


def _find_silent(placements: Collection[Placement]) -> frozenset[str]:
    """The fields that are 0 in all placements."""
    fields = [placement._asdict() for placement in placements]
    return frozenset(name for each in fields[:1] for name in each if all(other.get(name) == 0 for other in fields))


def _is_place(value: object) -> bool:
    return isinstance(value, tuple) and len(value) in (2, 3) and all(type(number) is int for number in value)


def _is_seat(value: object) -> bool:
    return isinstance(value, tuple) and [*map(type, value)] == [str, int]


def _is_area(value: object) -> bool:
    return isinstance(value, tuple) and all(isinstance(each, tuple) for each in value)


def _name_fields(fields: Mapping[str, Any], cell_field: str | None) -> str:
    """The fields of a placement, or those in which it differs from others, such as 'r1c3 turned twice'."""
    alone, over = len(fields) == 1, fields.get("flipped")
    if over:
        fields = {name: value for name, value in fields.items() if name != "flipped" and (name != "turn" or value)}
    words = [
        _name_cell(value, cell_field)
        if name == cell_field and isinstance(value, str)
        else _name_field(name, value, bare=alone or isinstance(value, tuple))
        for name, value in fields.items()
        if value is not False
    ]
    if over:
        words.insert(len(words) - ("turn" in fields), "turned over and" if "turn" in fields else "turned over")
    return " ".join(words)


def _name_field(name: str, value: Any, *, bare: bool = False) -> str:
    """A field in words; `bare` leaves out its name, if its value says what it is."""
    if value is True:
        return name
    if name == "turn" and type(value) is int:
        return TURNS[value] if value < len(TURNS) else f"turned {value} times clockwise"
    if _is_area(value):
        return _name_area(value)
    if _is_seat(value):
        return f"{name} {value[1]}" if value[0] == "table" else f"{name} {value[1]} of table {value[0]}"
    return name_place(value) if bare else f"{name} {name_place(value)}"


def find_steps(
    puzzle: Puzzle,
    given: Collection[Placement] = (),
    candidates: Candidates | None = None,
    excluded: Collection[Placement] = (),
) -> Iterator[Step]:
    """The steps from the given placements to the solution, or as far as something is decided if there are several solutions.

    These may begin with a placement that is assumed by symmetry. `candidates` are those with the given placements, complete, if
    they are known. `excluded` are placements that earlier steps have excluded. Raises InputError if there is no solution.

    >>> from jigsat.instance import load
    >>> steps = list(find_steps(load("sudoku-6x6")))
    >>> {step.kind for step in steps}, steps[0].describe("cell")
    ({'rules'}, 'Only r1c5 is left for 3 in row 1')
    """
    if candidates is None:
        *_, candidates = find_candidates(puzzle, given)
    statuses = candidates.statuses
    if not candidates.solvable:
        remedy = (
            "with what is given; `jigsat candidates` tells what cannot stand together" if given else "`jigsat solve` tells why"
        )
        raise InputError(f"{puzzle.name}: there is no solution{' ' if given else '; '}{remedy}")
    if "some" in statuses.values() and (assumed := _assume_by_symmetry(puzzle, candidates, given)):
        yield Step("symmetry", (), (assumed,), (), silent=_find_silent(candidates.statuses))
        yield from find_steps(puzzle, [*given, assumed], excluded=excluded)
        return
    formula = puzzle.encode()
    signs = {"all": 1, "none": -1}
    decided = ((x, statuses[formula.key(x)]) for x in formula.decisions())
    targets = [signs[status] * x for x, status in decided if status in signs]
    with closing(_Reasoner(puzzle, formula, targets)) as reasoner:
        reasoner.learn_placements([*puzzle.given_placements(), *given])
        refuted = {placement for placement in excluded if statuses[placement] == "none"}
        reasoner.learn(-x for x, key in reasoner.keys.items() if key in refuted)
        while True:
            reasoner.exclude_directly()
            if not (found := reasoner.next_step()):
                return
            yield reasoner.make_step(found)
            reasoner.learn(found.literals)


def _assume_by_symmetry(puzzle: Puzzle, candidates: Candidates, given: Collection[Placement]) -> Placement | None:
    """A placement that an image of every solution has, if the symmetries of the puzzle that keep what is given show one."""
    formula = puzzle.encode().extended()
    with formula.group("excluded"):
        formula.clauses([-x] for x in formula.decisions() if candidates.statuses[formula.key(x)] == "none")
    group = subject_of(puzzle).group(formula).keeping({x: 1 for x in formula.decisions() if formula.key(x) in given})
    clause = group.breaking(formula, LEVELS[-1])
    return formula.key(clause[0]) if clause and len(clause) == 1 else None


class Inference(NamedTuple):
    """Literals that some rules imply together with what is known or assumed; without literals they contradict it."""

    kind: Kind
    rules: list[str]
    literals: list[int]
    inner: Sequence[Inference] = ()


class _Reasoner:
    """A solver in which each rule holds only if it is assumed, and what is known always."""

    def __init__(self, puzzle: Puzzle, formula: Formula, targets: Iterable[int]) -> None:
        by_rule = formula.extended()
        by_rule.groups, decisions = {}, set(formula.decisions())
        self.keys = {x: formula.key(x) for x in formula.decisions()}
        self._silent, self._sentences = _find_silent(self.keys.values()), name_rules(puzzle, formula)
        self._choices: dict[str, list[Sequence[int]]] = {}
        for name, constraints in formula.list_rules().items():
            group = by_rule.groups[name] = ConstraintGroup(name)
            for constraint in constraints:
                group.constraints.append(constraint)
                required = isinstance(constraint, Clause) or (isinstance(constraint, Cardinality) and constraint.at_least == 1)
                if required and not decisions.isdisjoint(constraint[0]) and min(constraint[0]) > 0:
                    self._choices.setdefault(name, []).append(constraint[0])
        lowered = Lowered(by_rule)  # everything becomes clauses
        clauses = {name: [clause.literals for clause in rows if isinstance(clause, Clause)] for name, rows in lowered.groups()}
        self.rules = {name: lowered.top + i for i, name in enumerate(clauses, 1)}
        self._scopes = {name: {abs(x) for row in rows for x in row} for name, rows in clauses.items()}
        self.variables = {name: scope & decisions for name, scope in self._scopes.items()}
        self._xors = {name for name, group in by_rule.groups.items() if set(group.kinds()) == {"xor"}}
        self.known: set[int] = set()
        self._excluding: dict[int, str] = {}  # the rule that excluded a literal directly
        self._undecided = dict.fromkeys(targets)
        # the second does not have what is known; the third only propagates, so it has no clauses learned in a search
        self._solvers = self._solver, self._ignorant, self._propagator = [open_backend(PROPAGATOR) for _ in range(3)]
        for solver in self._solvers:
            solver.load(Formula())
            for name, rows in clauses.items():
                solver.add_clauses([(-self.rules[name], *row) for row in rows])
        conflicts = MAX_SUM_CONFLICTS if self._xors else MAX_CONFLICTS
        self._assumed = Assumed(self._solver, self.rules, Limit(math.inf, math.inf, conflicts))
        self._cores: dict[int, list[str]] = {}

    def close(self) -> None:
        """Free the solvers."""
        for solver in self._solvers:
            solver.close()

    def learn(self, literals: Iterable[int]) -> None:
        """Let literals hold from now on."""
        for literal in literals:
            self.known.add(literal)
            self._undecided.pop(literal, None)
            self._solver.add(Clause((literal,)))
            self._propagator.add(Clause((literal,)))

    def learn_placements(self, placements: Iterable[Placement]) -> None:
        """Let placements be made from now on."""
        made = set(placements)
        self.learn(x for x, key in self.keys.items() if key in made)

    def make_step(self, inference: Inference) -> Step:
        """An inference in placements, with the known ones on which it rests."""
        grounds = self._find_grounds(inference) if inference.rules else set()
        continued = any(x < 0 and -x in self.keys and x not in self._excluding for x in grounds)
        grounds |= {x for y in grounds if y in self._excluding for x in self._rest_on([self._excluding[y]], y)}
        facts = tuple(self.keys[x] for x in sorted(grounds) if x > 0)
        return replace(self._as_step(inference, []), facts=facts, continued=continued)

    def _find_grounds(self, inference: Inference, assumed: Sequence[int] = ()) -> set[int]:
        """The literals, known or assumed before, on which an inference rests."""
        if not inference.inner:
            before = set(assumed)
            return set[int]().union(*(self._rest_on(inference.rules, x, before) for x in inference.literals or [0]))
        grounds, own = set[int](), [-x for x in inference.literals]
        for each in inference.inner:
            grounds |= self._find_grounds(each, [*assumed, *own])
            own += each.literals
        return grounds.difference(own)

    def _as_step(self, inference: Inference, assumed: Sequence[int]) -> Step:
        placed = tuple(self.keys[x] for x in inference.literals if x in self.keys)
        excluded = tuple(self.keys[-x] for x in inference.literals if -x in self.keys)
        inner, trail = list[Step](), [*assumed, *(-x for x in inference.literals)]
        for each in inference.inner:
            inner.append(self._as_step(each, trail))
            trail += each.literals
        rules, literals = inference.rules, inference.literals
        known = {*self.known, *assumed}
        left = self._find_left(rules, literals, known) if inference.kind == "rules" else ()
        clash = () if left or literals else sorted(self.keys.keys() & self._rest_on(rules, 0, known))
        return Step(
            inference.kind,
            tuple(rules),
            placed,
            excluded,
            tuple(self.keys[x] for x in clash),
            left,
            inferences=tuple(inner),
            silent=self._silent,
            sentences=self._sentences,
        )

    def _find_left(self, rules: Sequence[str], literals: Sequence[int], known: Collection[int]) -> tuple[Left, ...]:
        """What these rules leave of the choices from which others are excluded, if the literals follow from that."""
        left, goal = list[Left](), literals[0] if literals else 0
        grounds = self._rest_on(rules, goal, known)
        for rule in rules:
            others = [*(self.rules[each] for each in rules if each != rule), *([-goal] if goal else []), *grounds]
            for choices in self._choices.get(rule, ()):
                gone = {x for x in choices if -x in known}
                if any(x not in self.keys and x not in gone for x in choices):
                    continue
                used = all(-x in grounds or not self._ignorant.propagate([*others, x])[0] for x in gone)
                if (
                    used
                    and (len(choices) == 1 or not grounds.isdisjoint(-x for x in gone))
                    and (literals or len(gone) == len(choices))
                ):
                    open_, every = ([self.keys[x] for x in choices if x in self.keys and x not in some] for some in (gone, ()))
                    left.append(Left(rule, tuple(open_), tuple(every)))
        return tuple(left)

    def _rest_on(self, rules: Sequence[str], literal: int, assumed: Collection[int] = frozenset()) -> set[int]:
        """The literals, known or assumed, from which a literal follows by these rules, or a contradiction if it is 0.

        Exclusions are left out first, so that few facts remain.
        """
        about = set[int]().union(*(self._scopes[rule] for rule in rules))
        fixed = [*(self.rules[rule] for rule in rules), *([-literal] if literal else [])]
        grounds = [x for y in about for x in (y, -y) if x != literal and (x in self.known or x in assumed)]
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
        _, implied = self._propagator.propagate([self.rules[rule] for rule in rules])
        return [literal for literal in implied if literal in self._undecided]

    def exclude_directly(self) -> None:
        """Exclude what follows from single rules by unit propagation."""
        changed = set[int]().union(*self.variables.values())
        while rules := [rule for rule in self.rules if not changed.isdisjoint(self.variables[rule])]:
            changed = set()
            for rule in rules:
                possible, implied = self._propagator.propagate([self.rules[rule]])
                if not possible:  # the rule is broken, but each placement excludes others
                    placed = self.variables[rule] & self.known
                    implied = [y for x in placed for y in self._ignorant.propagate([self.rules[rule], x])[1]]
                excluded = [x for x in implied if x < 0 and x in self._undecided and -x not in self.known]
                self._excluding |= dict.fromkeys(excluded, rule)
                self.learn(excluded)
                changed.update(-literal for literal in excluded)

    def next_step(self) -> Inference | None:
        """The next step; None if nothing is left to decide."""
        if not self._undecided:
            return None
        undecided = set(map(abs, self._undecided))
        open_rules = {rule: its for rule in self.rules if not (its := self._open(rule)).isdisjoint(undecided)}
        for rule in open_rules:
            if found := self.propagate([rule]):
                return self._infer([rule], found[0])
        for pair in combinations(open_rules, 2):
            if not open_rules[pair[0]].isdisjoint(open_rules[pair[1]]) and (found := self.propagate(pair)):
                return self._infer(list(pair), max(found))
        wanted = sorted(self._undecided, reverse=True)  # first placements, then exclusions
        much = len(wanted) > MAX_NESTED
        wanted = list(islice(filter(self._may_refute, wanted), MAX_TARGETS)) if much else wanted[:MAX_TARGETS]
        best, literal = self._find_smallest(wanted)
        if best and self._kind(best):
            return self._infer(best, literal)
        wanted.sort(key=lambda literal: len(self._cores.get(literal, self.rules)))
        nested = [] if much else wanted[:MAX_REDUCED]
        for depth, likely in ((1, filter(self._may_refute, wanted)), (2, iter(nested))):
            cases = filter(None, (self._refute(-literal, (), depth) for literal in likely))
            if some := {self._as_step(case, []).size: case for case in islice(cases, MAX_CASES)}:
                return some[min(some)]
        every = list(self.rules.values())
        telling = max(self._undecided, key=lambda x: (x > 0, len(self._solver.propagate([*every, x])[1])))
        return Inference("trial", [], [telling])

    def exclude(self, literal: int) -> Inference:
        """Why a literal follows from the rules. If much is undecided, only what propagation shows is explained."""
        trial, much = Inference("trial", [], [literal]), len(self._undecided) > MAX_NESTED
        if much and not self._may_refute(literal):
            return trial
        best, _ = self._find_smallest([literal])
        if best and (kind := self._kind(best)):
            return Inference(kind, best, [literal])
        return next(filter(None, (self._refute(-literal, (), depth) for depth in range(1, 2 if much else 3))), trial)

    def _infer(self, rules: list[str], literal: int) -> Inference:
        """What follows from these few rules, as a literal does."""
        return Inference(self._kind(rules) or "rules", rules, self._conclude(rules, literal))

    def _kind(self, rules: Collection[str]) -> Kind | None:
        """The kind of a step by all of these rules together; None if they are too many."""
        return "sum" if self._xors.issuperset(rules) else "rules" if len(rules) <= MAX_RULES else None

    def _open(self, rule: str) -> set[int]:
        return {x for x in self.variables[rule] if x not in self.known and -x not in self.known}

    def _find_smallest(self, wanted: Sequence[int]) -> tuple[list[str], int]:
        """A small set of rules that implies one of these undecided literals; an empty one if the solver gives up on all.

        The smallest of the first cores are reduced, and the best of these once more by hitting sets: that with the fewest rules
        and facts. A core of an earlier step remains a core.
        """
        everything = list(self.rules)
        for literal in wanted:
            with suppress(Stopped):
                core = self._assumed.core(self._cores.get(literal, everything), -literal)
                assert core is not None, "every target follows from the rules"
                self._cores[literal] = core
        first = sorted(self._cores.keys() & wanted, key=lambda literal: len(self._cores[literal]))[:MAX_REDUCED]
        for literal in first:
            self._cores[literal] = self._assumed.reduce_core(self._cores[literal], -literal).names
        if not first:
            return [], 0
        fewest = min(len(self._cores[literal]) for literal in first)
        literal = min(
            (literal for literal in first if len(self._cores[literal]) == fewest),
            key=lambda literal: len(self._rest_on(self._cores[literal], literal)),
        )
        reduced = Core(self._cores[literal], smallest=fewest <= 3)  # no pair of rules propagates
        return self._assumed.smallest(everything, reduced, math.inf, MAX_EFFORT, -literal).names, literal

    def _may_refute(self, literal: int) -> bool:
        """Whether propagation by all rules, and by what the solver has learned, proves this literal."""
        return not self._solver.propagate([*self.rules.values(), -literal])[0]

    def _refute(self, assumption: int, before: Sequence[int], depth: int) -> Inference | None:
        """The case that an assumption, after others, leads to a contradiction by one rule at a time.

        What a single rule excludes comes before what one places, so that there are few placements. With depth 2, inferences may
        be cases of depth 1.
        """
        assumed, trail = dict.fromkeys([*before, assumption]), list[Inference]()
        known, changed = set(map(abs, self.known)), set(map(abs, assumed))
        waiting = dict[str, list[int]]()

        def infer(inference: Inference) -> None:
            trail.append(inference)
            assumed.update(dict.fromkeys(inference.literals))
            changed.update(map(abs, inference.literals))

        while changed:
            rules = [rule for rule in self.rules if rule in waiting or not changed.isdisjoint(self._scopes[rule])]
            changed.clear()
            waiting.clear()
            for rule in rules:
                here = self._scopes[rule] - known
                possible, implied = self._propagator.propagate(
                    [self.rules[rule], *(x for y in here for x in (y, -y) if x in assumed)]
                )
                if not possible:
                    return self._trace(assumption, before, [*trail, Inference("rules", [rule], [])])
                new = [x for x in implied if abs(x) in here and x not in assumed]
                if excluded := [x for x in new if x not in self.keys]:
                    infer(Inference("rules", [rule], excluded))
                if len(excluded) < len(new):
                    waiting[rule] = [x for x in new if x in self.keys]
            if changed:
                continue
            for rule, placed in waiting.items():
                if added := [x for x in placed if x not in assumed]:
                    infer(Inference("rules", [rule], added))
            if not changed and depth > 1:
                left = set[int]().union(*map(self._open, self.rules)) - set(map(abs, assumed))
                every = [*self.rules.values(), *assumed]
                signed = (sign * x for x in sorted(left) for sign in (1, -1))
                likely = (x for x in signed if not self._solver.propagate([*every, x])[0])
                if inner := next(filter(None, (self._refute(x, list(assumed), depth - 1) for x in likely)), None):
                    infer(inner)
        return None

    def _trace(self, assumption: int, before: Sequence[int], trail: Sequence[Inference]) -> Inference:
        """A case of the inferences on which the last one, a contradiction, depends, each with what is needed of it."""
        needed, inner = set[int](), list[Inference]()
        for i, inference in reversed([*enumerate(trail)]):
            used = inference._replace(literals=[x for x in inference.literals if x in needed])
            if used.literals or not inference.literals:
                needed |= self._find_grounds(used, [*before, assumption, *(x for each in trail[:i] for x in each.literals)])
                inner.insert(0, used)
        return Inference("case", list(dict.fromkeys(rule for each in inner for rule in each.rules)), [-assumption], inner)

    def _conclude(self, rules: Sequence[str], literal: int) -> list[int]:
        """The undecided literals that follow from these rules as this one does, placements first."""
        about = set[int]().union(*map(self._open, rules))
        others = [x for x in self._undecided if abs(x) in about and x != literal and self._follows(rules, x)]
        left = self._find_left(rules, [literal], self.known)
        same = [x for x in others if self._find_left(rules, [x], self.known) == left]
        return sorted([literal, *same], key=lambda x: (x < 0, abs(x)))

    def _follows(self, rules: Sequence[str], literal: int) -> bool:
        """Whether a literal is known to follow from these rules; if much is undecided, only by propagation."""
        if not self._solver.propagate([*(self.rules[rule] for rule in rules), -literal])[0]:
            return True
        with suppress(Stopped):
            return len(self._undecided) <= MAX_NESTED and self._assumed.core(rules, -literal) is not None
        return False


def find_open(puzzle: Puzzle, given: Collection[Placement] = ()) -> list[Placement]:
    """The placements that no single rule excludes by propagation, as for pencil marks. What is excluded, steps do not show.

    >>> from jigsat.instance import load
    >>> [placement.value for placement in find_open(load("sudoku-6x6")) if placement.cell == (0, 0)]
    ['1', '5', '6']
    """
    return next(list_left(puzzle, (), given))


def list_left(puzzle: Puzzle, steps: Iterable[Step], given: Collection[Placement] = ()) -> Iterator[list[Placement]]:
    """The placements that are left before these steps, and after each of them, as for pencil marks."""
    formula = puzzle.encode()
    with closing(_Reasoner(puzzle, formula, [-x for x in formula.decisions()])) as reasoner:
        reasoner.learn_placements([*puzzle.given_placements(), *given])
        variables = {placement: x for x, placement in reasoner.keys.items()}
        decided = ([*(variables[x] for x in step.placed), *(-variables[x] for x in step.excluded)] for step in steps)
        for literals in chain([[]], decided):
            reasoner.learn(literals)
            reasoner.exclude_directly()
            yield [placement for x, placement in reasoner.keys.items() if -x not in reasoner.known]


def find_refutation(puzzle: Puzzle, placement: Placement, given: Collection[Placement] = ()) -> Step | None:
    """Why no solution with the given placements has this one, by a single rule or a small set; None if there is one.

    Raises InputError if no solution has the given placements.

    >>> from jigsat.instance import load
    >>> puzzle = load("sudoku-6x6")
    >>> placement = next(key for key in map(puzzle.encode().key, range(1, 7)) if key.value == "2")
    >>> find_refutation(puzzle, placement).describe("cell")
    'Because of column 1, r1c1 cannot be 2'
    """
    formula = puzzle.encode()
    with closing(_Reasoner(puzzle, formula, [-x for x in formula.decisions()])) as reasoner:
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
