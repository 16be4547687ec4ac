"""What steps say: the sentence of each, in the words of its puzzle."""

from __future__ import annotations

import re
from collections.abc import Collection, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice, pairwise
from typing import Any, Literal, NamedTuple

from jigsat.symmetry import Placement
from jigsat.words import join_words, name_place, plural, pluralize

Kind = Literal["symmetry", "rules", "sum", "case", "trial"]

LEGENDS = {
    r"\br(\d+)c(\d+)\b": r"\g<0> is the place in row \1, column \2.",
    r"\bl(\d+)r(\d+)c(\d+)\b": r"\g<0> is the place in layer \1, row \2, column \3.",
    r"(?<=on )(l\d+)?r\d+c\d+–\w+": r"\g<0> begins with the upper left end of the piece as drawn.",
    r"\bturned (?=once|twice|\d)": "Turned once means clockwise by one side.",
    r"\bturned over\b": "Turned over means that left and right are exchanged, before the piece "
    "is turned.",
    r"\bas drawn\b": "As drawn means as in the picture of the loose piece.",
}
"""What parts of sentences mean, as templates of their patterns."""

TURNS = ("as drawn", "turned once", "turned twice")
"""How a piece is turned, by the number of its sides; more are counted."""

_PLACE = re.compile(r"(l\d+)?r\d+c\d+")

Mood = Literal["is", "supposed", "would"]
VERBS = {
    "be": ("is", "were", "were not"),
    "lie on": ("lies on", "lay on", "did not lie on"),
    "sit at": ("sits at", "sat at", "did not sit at"),
    "have": ("has", "had", "did not have"),
}
"""The forms of each verb for a placement that is made, that is supposed, and that is supposed to be
excluded."""

SIGNS = {
    "be": ("=", "≠"),
    "lie on": ("on", "not on"),
    "sit at": ("at", "not at"),
    "have": ("with", "without"),
}
"""The same verbs in lists of placements that are made or excluded."""

# in words, so that they are not read as symbols of the puzzle
NUMBERS = {
    6: "six",
    7: "seven",
    8: "eight",
    9: "nine",
}
MAX_SHOWN = 4  # number of placements that are named in a sentence
MAX_FACTS = 3  # number of placements on which a step rests, up to which they are named
MAX_REPEATED = 8  # number of words of a supposition that is repeated at its end
MAX_WAYS = 12  # number of ways, such as words for a slot, up to which a sentence names them
MAX_LEFT = 7  # number of placements that are left for a rule, up to which they are named


class Gone(NamedTuple):
    """Placements excluded by a rule, because of `facts`, or before by the step of a number; 0 if it
    is not known which."""

    cause: str | int
    placements: tuple[Placement, ...]
    facts: tuple[Placement, ...] = ()
    reason: str = ""  # why that step follows, in few words

    def describe(
        self, cell_field: str | None, shared: Collection[str], silent: Collection[str]
    ) -> str:
        """The same in words, without the fields that are told already, such as 'r2c3 by r9c3 = 2
        (column 3)'."""
        fields = [
            {name: value for name, value in each._asdict().items() if name not in shared}
            for each in self.placements
        ]
        named = list(dict.fromkeys(_name_fields(each, cell_field) for each in fields))
        if not shared:
            named = [
                describe_placement(each, cell_field, silent=silent) for each in self.placements
            ]
        number = NUMBERS.get(len(named), f"{len(named):,}")
        what = f"{number} others" if len(named) > MAX_SHOWN + 1 else join_words(named)
        if isinstance(self.cause, int):
            return (
                f"{_name_steps([self.cause])} excluded "
                f"{what}{f' ({self.reason})' if self.reason else ''}"
            )
        if self.cause in list_fields(self.placements) and not self.cause.startswith(
            f"{cell_field} "
        ):
            return f"{self.cause} is elsewhere, so not {what}"
        why = _name_rule(self.cause)
        if len(self.facts) == 1:
            why = f"{describe_placement(self.facts[0], cell_field, silent=silent)} ({why})"
        return f"{why} excludes {what}"


class Way(NamedTuple):
    """What a thing may be, such as a word for a slot."""

    thing: Hashable
    value: Hashable


class Left(NamedTuple):
    """What is left of the `choices` of which a rule requires one."""

    rule: str
    placements: tuple[Placement, ...]
    choices: tuple[Placement, ...]
    noun: str = ""  # what these are if they are no placements, such as words for a slot

    @property
    def shared_fields(self) -> dict[str, Any]:
        """The fields that all choices share; of a single one, those that the rule names."""
        first, *others = (each._asdict() for each in self.choices)
        shared = {
            name: value
            for name, value in first.items()
            if all(each[name] == value for each in others)
        }
        return (
            shared
            if others
            else {name: x for name, x in shared.items() if self.rule == f"{name} {name_place(x)}"}
        )

    def describe(self, cell_field: str | None, verb: str = "is") -> str:
        """The same in words, such as 'only r3c1 or r3c7 is left for 4 in row 3'."""
        shared = self.shared_fields
        named = {
            name: value
            for name, value in shared.items()
            if name != cell_field and isinstance(value, str)
        }
        missing = [
            value
            for name, value in named.items()
            if not self.noun and self.rule != f"{name} {value}"
        ]
        whose = (
            f"{' '.join(missing)} in {_name_rule(self.rule)}" if missing else _name_rule(self.rule)
        )
        if not self.placements:
            return f"{'no place' if named else 'nothing'} {verb} left for {whose}"
        if self.noun and len(self.placements) > MAX_WAYS:
            return (
                f"{plural(len(self.placements), self.noun)} {verb.replace('is', 'are')} left "
                f"for {whose}"
            )
        return f"only {self.list_placements(cell_field)} {verb} left for {whose}"

    def list_named(self, cell_field: str | None) -> str:
        """The same in a list, such as 'piece ww: r1c2–r1c3 or r1c2–r2c2'."""
        return f"{_name_rule(self.rule)}: {self.list_placements(cell_field)}"

    def list_placements(self, cell_field: str | None) -> str:
        """What is left, such as 'r3c1 or r3c7'."""
        shared, fields = self.shared_fields, [each._asdict().items() for each in self.placements]
        differing = [{name: value for name, value in its if name not in shared} for its in fields]
        return join_words([_name_fields(each, cell_field) for each in differing], " or ")


@dataclass(frozen=True)
class Step:
    """What some rules imply together with what is known: placements that are made, and others that
    are excluded.

    `kind` is 'rules' for at most `MAX_RULES` rules; 'sum' if the rules are XORs that are added up;
    'case' if the opposite leads to a contradiction by the `inferences`, each by one rule, and the
    last without a conclusion; 'trial' if only a search finds the placement, and then there are no
    rules; 'symmetry' if an image of every solution has the placement. A step by rules may have
    `inferences` as well, which tell them one by one. `facts` are the placements made before on
    which the step rests directly, and those that exclude the others if one placement is left; in a
    contradiction those that break its rules. `left` is what the rules leave of what they require;
    `gone` is what was excluded before or, in a case, by it; `before` is what was left for the rules
    of the inferences, `ways` what their things could still be (before, or in a case while it is
    supposed), and `rest` what is left on the places where something is excluded. `needs` is what a
    contradicted rule would need, if `needs_others` besides what was excluded before. `odd` is the
    number of XORs that still require an odd number. `silent` are the fields that are 0 in all
    placements, such as the turn where nothing turns; sentences leave them out. `sentences` are
    those of rules that are placements themselves.
    """

    kind: Kind
    rules: tuple[str, ...]
    placed: tuple[Placement, ...]
    excluded: tuple[Placement, ...]
    facts: tuple[Placement, ...] = ()
    left: tuple[Left, ...] = ()
    inferences: tuple[Step, ...] = ()
    gone: tuple[Gone, ...] = ()
    before: tuple[Left, ...] = ()
    rest: tuple[Placement, ...] = ()
    ways: tuple[Left, ...] = ()
    odd: int = 0
    needs: tuple[Placement, ...] = ()
    needs_others: bool = False
    silent: frozenset[str] = frozenset()
    sentences: Mapping[Placement, str] = field(default_factory=dict)

    @property
    def lines(self) -> tuple[Step, ...]:
        """The inferences of a case that are told: not what a single rule excludes."""
        alone = {x.rest[0] for x in self.inferences if len(x.rest) == 1 and not x.placed}
        told = [
            x
            for x in self.inferences[:-1]
            if {*x.placed} - alone
            or x.left
            or 0 < len(x.rest) <= MAX_SHOWN
            or (x.excluded and x.ways)
        ]
        return (*told, *self.inferences[-1:])

    @property
    def tells_gone(self) -> bool:
        """Whether the sentence tells what was excluded before: then one rule leaves one
        placement."""
        return (
            [each.placements for each in self.left] == [self.placed]
            and len(self.rules) == 1
            and bool(self.placed)
        )

    @property
    def size(self) -> int:
        """The number of rules that a reader applies, one after the other in a case."""
        return len(self.lines) or len(self.rules)

    def name_reason(self, cell_field: str | None) -> str:
        """Why it follows, in few words: such as 'only r1c2 was left for 4 in row 1', or 'by boxes 1
        and 2'."""
        if (
            self.left
            and not self.inferences
            and sum(len(each.placements) for each in self.left) <= MAX_SHOWN
        ):
            return join_words([each.describe(cell_field, "was") for each in self.left])
        # no rules: only trial and error shows it
        by = f"by {_enumerate(self.rules)}" if self.rules else ""
        return "it led to a contradiction" if self.kind == "case" else by

    def describe(self, cell_field: str | None) -> str:
        """The step in a sentence; `cell_field` is the field of the placements that names their
        cell."""
        words, sentences = (
            self._describe(cell_field),
            sorted(map(re.escape, self.sentences.values()), key=len, reverse=True),
        )
        return re.sub("|".join(sentences), r"“\g<0>”", words) if sentences else words

    def _describe(self, cell_field: str | None) -> str:
        result = self._describe_result(cell_field)
        if self.kind == "trial":
            return f"This needs trial and error: {result}"
        if self.kind == "symmetry":
            return f"By symmetry, we may assume that {result}"
        if (lines := self.lines) and (
            self.kind == "case"
            or lines[1:]
            or lines[0].left
            or (lines[0].needs and not self._list_short())
        ):
            supposed = self._suppose(cell_field)
            end = (
                "that is impossible"
                if not self.placed and len(supposed.split()) > MAX_REPEATED
                else result
            )
            return f"Suppose {supposed}. Then {self._describe_lines(cell_field)}. So {end}"
        if self.kind == "sum":
            noun = type((*self.placed, *self.excluded)[0]).__name__.lower()
            parity = (
                f"an {'odd' if self.odd or len(self.rules) > 1 else 'even'} number of "
                f"{pluralize(noun)}"
            )
            why = f"It still needs {parity}; no other undecided {noun} changes it"
            if len(self.rules) > 1:
                those = join_words(
                    [
                        _split_placement(each, cell_field, ())[0]
                        for each in (*self.placed, *self.excluded)
                    ]
                )
                number = "All" if self.odd == len(self.rules) else self.odd or "None"
                why = f"{number} of them still {'needs' if self.odd < 2 else 'need'} {parity}"
                why += (
                    f"; {those} changes an odd number of them, and every other undecided "
                    f"{noun} an even number"
                )
            return f"Look at {_enumerate(self.rules)}. {why}. So {result}"
        if self.tells_gone:
            left = self.left[0]
            reasons = [
                each.describe(cell_field, left.shared_fields, self.silent) for each in self.gone
            ]
            if len(reasons) > MAX_SHOWN:
                reasons = [f"the others are excluded {self._list_causes()}"]
            words = left.describe(cell_field) + (
                f": {join_words(reasons, ', and ')}" if reasons else ""
            )
            return words[:1].upper() + words[1:]
        short = self._list_short()
        premises = [each.describe(cell_field) for each in (*short, *self.ways)]
        decided, told = {*self.placed, *self.excluded}, {each.rule for each in (*short, *self.ways)}
        told |= {self.sentences.get(each, "") for each in decided}
        own = {
            each.rule
            for each in self.before
            if self.inferences and not decided.isdisjoint(each.choices)
        }
        told |= own if len(own) < len(self.rules) else set()
        subjects = [
            where
            for where, verb, _ in (_split_placement(x, cell_field, ()) for x in self.facts)
            if verb == "be"
        ]
        told |= {
            rule
            for rule in self.rules
            if _name_rule(rule) in subjects or (short and _name_rule(rule) in result)
        }
        others = [rule for rule in self.rules if rule not in told]
        whose = (
            [*dict.fromkeys(_name_rule(each.rule) for each in self.before)] if not premises else []
        )
        if len(whose) > 1 and (
            why := _enumerate([rule for rule in others if _name_rule(rule) not in whose])
        ):
            return (
                f"Suppose {self._suppose(cell_field)}. Then {why} would leave no places for "
                f"{join_words(whose)}. So {result}"
            )
        facts = self.facts if len(self.facts) <= MAX_FACTS and not premises else ()
        if not premises and (
            numbers := [each.cause for each in self.gone if isinstance(each.cause, int)]
        ):
            others.append(_name_steps(numbers))
        reasons = [_enumerate(others)] if others else []
        reasons += [describe_placement(each, cell_field, silent=self.silent) for each in facts]
        words = join_words(premises, ", and ") if premises else ""
        if others or len(premises) > 1 or not short or short[0].placements != self.placed:
            because = f"because of {join_words(reasons)}, " if reasons else ""
            words += f"{'; so ' if words else ''}{because}{result}"
        return words if _PLACE.match(words) else words[:1].upper() + words[1:]

    def _suppose(self, cell_field: str | None) -> str:
        return replace(self, placed=self.excluded, excluded=self.placed)._describe_result(
            cell_field, "supposed"
        )

    def _list_short(self) -> list[Left]:
        """What is left, if it is little; where something is only excluded, that is left out."""
        left = self.left or [
            x
            for x in self.before
            if self.inferences and (self.placed or {*self.excluded}.isdisjoint(x.choices))
        ]
        few = [
            each
            for each in left
            if len(each.placements) <= MAX_LEFT and each.rule not in self.sentences.values()
        ]
        return few if sum(len(each.placements) for each in few) <= MAX_LEFT + 1 else []

    def _describe_lines(self, cell_field: str | None) -> str:
        """The inferences of a case, up to the contradiction."""
        *lines, last = self.lines
        words = [*dict.fromkeys(each._describe_line(cell_field) for each in lines)]
        end = last._describe_end(cell_field, lines)
        if last.left and any(each.left and not each.placed for each in lines):
            return f"{', '.join(words)}, and {end}, which is more than may stay empty"
        if words and not (last.left or last.needs or last.facts):
            return f"{', '.join(words)}, which is impossible ({_shorten(last.rules)})"
        return ", ".join([*words, f"but {end}"]) if words else end

    def _describe_line(self, cell_field: str | None) -> str:
        if not self.placed and self.left:
            return self.left[0].describe(cell_field, "would be")
        if self.ways and len(self.ways[0].placements) <= MAX_WAYS:
            return self.ways[0].describe(cell_field, "would be")
        if not self.placed and self.rest:
            return (
                f"{describe_open(self.rest, cell_field, self.silent, 'could only be')} "
                f"({_shorten(self.rules)})"
            )
        if [each.placements for each in self.left] == [self.placed]:
            last = self.left[0].describe(cell_field, "would be")
            return last + self._describe_gone(cell_field, " ({})")
        return f"{self._describe_result(cell_field, 'would')} ({_shorten(self.rules)})"

    def _describe_gone(self, cell_field: str | None, form: str, told: Collection[str] = ()) -> str:
        """What the rules of a case have excluded, besides those that are told; what was excluded
        before is among the marks."""
        shared = self.left[0].shared_fields if self.left else ()
        gone = [
            each._replace(facts=()) for each in self.gone if each.cause and each.cause not in told
        ]
        return (
            form.format(
                join_words([each.describe(cell_field, shared, self.silent) for each in gone])
            )
            if gone
            else ""
        )

    def _describe_end(self, cell_field: str | None, lines: Sequence[Step]) -> str:
        """The contradiction at the end of a case, after these lines."""
        for each in (*self.left[:1], *self.ways):
            return (
                f"{each.describe(cell_field, 'would be')}{self._describe_gone(cell_field, ': {}')}"
            )
        rule, told = _enumerate(self.rules), {rule for line in lines for rule in line.rules}
        if lines and (self.needs or not self.facts):
            gone = {one for each in self.gone if each.cause not in told for one in each.placements}
            if any(
                line.rules == self.rules and line.rest and gone.issuperset(line.rest)
                for line in lines
            ):
                return self._describe_gone(cell_field, "{}", told)
            return (
                f"nothing that is left would fit "
                f"{rule}{self._describe_gone(cell_field, ' ({})', told)}"
            )
        if 0 < len(self.needs) <= MAX_LEFT:
            only, causes = (
                ", of what was left before," if self.needs_others else "",
                self._list_causes(),
            )
            what = describe_open(self.needs, cell_field, self.silent)
            return f"{rule} would need{only} {what}{f', excluded {causes}' if causes else ''}"
        if len(self.facts) > 1:
            facts = [
                describe_placement(each, cell_field, silent=self.silent) for each in self.facts
            ]
            return (
                f"{join_words(facts)} cannot {'both' if len(facts) == 2 else 'all'} hold "
                f"({_shorten(self.rules)})"
            )
        return f"nothing that is left would fit {rule}"

    def _list_causes(self) -> str:
        """What excluded the placements that are gone, such as 'by row 1 and because tile 12 is
        elsewhere'."""
        own = list_fields(one for each in self.gone for one in each.placements)
        causes = dict.fromkeys(each.cause for each in self.gone if each.cause != "")
        rules = [each for each in causes if isinstance(each, str)]
        steps = [
            _name_steps([each]) for each in sorted(each for each in causes if isinstance(each, int))
        ]
        by = [*(each for each in rules if each not in own), *steps]
        used = [f"{each} is elsewhere" for each in rules if each in own]
        return " and ".join(
            [
                *([f"by {_enumerate(by)}"] if by else []),
                *([f"because {join_words(used)}"] if used else []),
            ]
        )

    def _describe_result(self, cell_field: str | None, mood: Mood = "is") -> str:
        told, values = list[str](), dict[tuple[str, str], list[str]]()
        alone = {
            _split_placement(each, cell_field, self.silent)[0]
            for each in self.placed
            if mood == "is"
        }
        for placement in self.placed + self.excluded:
            holds = placement in self.placed
            subject, verb, value = _split_placement(placement, cell_field, self.silent)
            if not holds and subject in alone:
                continue  # something else is there
            if rule := self.sentences.get(placement):
                told.append(f"{rule} {'is kept' if holds else 'cannot be kept'}")
            elif not verb:
                told.append(f"{'' if holds else 'no '}{subject}{value}")
            elif holds and mood == "is":
                told.append(f"{subject} {_conjugate(verb, mood)} {value}")
            else:
                values.setdefault((f"{_conjugate(verb, mood, holds=holds)}", subject), []).append(
                    value
                )
        subjects = dict[tuple[str, tuple[str, ...]], list[str]]()
        for (verb, subject), those in values.items():
            subjects.setdefault((verb, tuple(those)), []).append(subject)
        for (verb, each), whose in islice(subjects.items(), MAX_SHOWN):
            what = join_words(each, " or ")
            if len(each) > MAX_SHOWN + 1:
                what = f"{', '.join(each[:MAX_SHOWN])} … ({len(each)} placements)"
                split = [
                    _split_placement(each, cell_field, self.silent)
                    for each in self.rest
                    if mood == "is"
                ]
                rest = [left for where, its, left in split if its == "be" and whose == [where]]
                if 0 < len(rest) <= MAX_LEFT:
                    verb, what = "can only be", join_words(rest, " or ")
            told.append(
                f"{join_words(whose, ' or ' if mood == 'supposed' else ' and ')} {verb} {what}"
            )
        if hidden := sum(
            len(each) * len(whose) for (_, each), whose in islice(subjects.items(), MAX_SHOWN, None)
        ):
            told.append(f"{plural(hidden, 'other placement')} cannot be")
        return join_words(told, " or " if mood == "supposed" else ", and ")

    def json(self) -> dict[str, Any]:
        """The step as a plain object."""
        lists = {
            name: [each._asdict() for each in getattr(self, name)]
            for name in ("placed", "excluded", "facts")
        }
        left = [
            {"rule": each.rule, "placements": [one._asdict() for one in each.placements]}
            for each in self.left
        ]
        inferences = (
            {"inferences": [each.json() for each in self.inferences]} if self.inferences else {}
        )
        return {"kind": self.kind, "rules": list(self.rules), **lists, "left": left, **inferences}


def find_legends(sentences: Iterable[str]) -> dict[str, str]:
    """What the names of places and turns in these sentences mean: by pattern, the meaning of the
    first example."""
    text = "\n".join(sentences)
    return {
        pattern: found.expand(meaning)
        for pattern, meaning in LEGENDS.items()
        if (found := re.search(pattern, text))
    }


def _enumerate(names: Sequence[str]) -> str:
    """Names in a sentence, such as 'row 1, and boxes 2 and 3'."""
    kinds = dict[str, list[str]]()
    for name in names:
        kind, _, which = name.partition(" ")
        kinds.setdefault(kind if which and " " not in which else name, []).append(name)
    groups = [
        _name_rule(
            f"{kind} {join_words([name.partition(' ')[2] for name in those])}", pluralize(kind)
        )
        if len(those) > 1
        else _name_rule(those[0])
        for kind, those in kinds.items()
    ]
    return join_words(groups, " and " if len(groups) == len(names) else ", and ")


def _shorten(names: Sequence[str]) -> str:
    """Rules in brackets, such as 'row 1, edge r1c2/r1c3'."""
    return ", ".join(re.sub(r" between (\S+) and (\S+)$", r" \1/\2", name) for name in names)


def _name_rule(name: str, noun: str = "") -> str:
    """A rule, or several with a noun in the plural, in a sentence, such as 'row 1' or 'the top
    face'."""
    kind, _, which = name.partition(" ")
    if kind == "face" and not any(map(str.isdigit, which)):
        return f"the {which} {noun or kind}"
    if noun:
        return f"{noun} {which}"
    about = kind != "the" and not which[:1].isdigit() and (" between " in name or " of " in name)
    return (
        f"{'the ' if about else ''}{name}{'' if which else ' without a name' * name.endswith(' ')}"
    )


def _name_cell(name: str, cell_field: str | None) -> str:
    """A place, such as 'r1c2' or 'the top face'."""
    if _PLACE.fullmatch(name):
        return name
    return _name_rule(f"{'face' if cell_field == 'cell' and name.isalpha() else cell_field} {name}")


def _name_steps(numbers: Sequence[int]) -> str:
    """Earlier steps, such as 'steps 3 and 4'; 0 stands for one that is not known."""
    if 0 in numbers:
        return "an earlier step"
    return f"{'steps' if len(numbers) > 1 else 'step'} {join_words([*map(str, numbers)])}"


def name_area(area: Sequence[Any]) -> str:
    """Cells in words, with those in a straight line as 'r1c2–r1c5'."""
    runs = list[list[Any]]()
    for cell in area:
        run = runs[-1] if runs else []
        steps = {
            tuple(y - x for x, y in zip(*pair, strict=True))
            for pair in pairwise([*run[-2:], cell])
            if _is_place(cell)
        }
        if len(steps) == 1 and sorted(map(abs, *steps))[-2:] == [0, 1]:
            run.append(cell)
        else:
            runs.append([cell])
    return " ".join(
        f"{name_place(run[0])}–{name_place(run[-1])}" if len(run) > 1 else name_place(tuple(run))
        for run in runs
    )


def _conjugate(verb: str, mood: Mood, *, holds: bool = True) -> str:
    """The verb of a placement that is made, supposed, or would follow, or of one that is not."""
    now, before, never = VERBS[verb]
    if mood == "supposed":
        return before if holds else never
    if mood == "would":
        return f"{'would' if holds else 'could not'} {verb}"
    return now if holds else f"cannot {verb}"


def describe_placement(
    placement: Placement,
    cell_field: str | None,
    *,
    holds: bool = True,
    silent: Collection[str] = (),
) -> str:
    """A placement in words, such as 'r1c3 = 5', or that it is excluded; `silent` are fields that
    are left out.

    >>> from jigsat.instance import load
    >>> formula = load("sudoku-4x4-empty").encode()
    >>> describe_placement(formula.key(1), "cell")
    'r1c1 = 1'
    >>> describe_placement(formula.key(1), "cell", holds=False)
    'r1c1 ≠ 1'
    >>> describe_placement(load("black-and-white").encode().key(1), None, holds=False)
    'piece www not on r1c3–r3c3'
    """
    subject, verb, value = _split_placement(placement, cell_field, silent)
    if not verb:
        return f"{'' if holds else 'no '}{subject}{value}"
    return f"{subject} {SIGNS[verb][not holds]} {value}"


def list_fields(placements: Iterable[Placement]) -> set[str]:
    """The names of rules about single fields of these placements, such as 'tile 12'."""
    return {
        f"{name} {name_place(value)}"
        for each in placements
        for name, value in each._asdict().items()
    }


def _find_cell_field(placement: Placement) -> str | None:
    return next((name for name, value in placement._asdict().items() if _is_place(value)), None)


def find_cell(placement: Placement, cell_field: str | None) -> object:
    """The cell that a placement names; None if it names none."""
    return getattr(placement, cell_field or _find_cell_field(placement) or "", None)


def describe_open(
    placements: Sequence[Placement], cell_field: str | None, silent: Collection[str], verb: str = ""
) -> str:
    """What can be where, such as 'r1c2 = tile 1 turned twice or tile 6 as drawn'."""
    values = dict[str, list[str]]()
    for subject, its, value in (_split_placement(each, cell_field, silent) for each in placements):
        values.setdefault(f"{subject} {verb or SIGNS.get(its, ('',))[0]} ", []).append(value)
    return "; ".join(f"{what}{join_words(those, ' or ')}" for what, those in values.items())


def _split_placement(
    placement: Placement, cell_field: str | None, silent: Collection[str]
) -> tuple[str, str, str]:
    """What a placement is about, a verb of `VERBS`, and where or what it is; without a verb if it
    can only be made or not."""
    noun = type(placement).__name__.lower()
    fields = {
        name: value
        for name, value in placement._asdict().items()
        if value is not False and name not in silent
    }
    cell_field = cell_field or _find_cell_field(placement)
    if cell_field in fields:
        cell = name_place(fields.pop(cell_field))
        return (
            (_name_cell(cell, cell_field), "be", _name_fields(fields, None))
            if fields
            else (f"{noun} {cell}", "", "")
        )
    words = [_name_field(name, value) for name, value in fields.items() if not _is_area(value)]
    areas = [name_area(value) for value in fields.values() if _is_area(value)]
    if areas:
        return " ".join(words), "lie on", " ".join(areas)
    subject, *others = words or [noun]
    if any(map(_is_seat, fields.values())):
        return subject, "sit at", " ".join(others)
    return subject, "have" if others else "", " ".join(others)


def _is_place(value: object) -> bool:
    return (
        isinstance(value, tuple)
        and len(value) in (2, 3)
        and all(type(number) is int for number in value)
    )


def _is_seat(value: object) -> bool:
    return isinstance(value, tuple) and [*map(type, value)] == [str, int]


def _is_area(value: object) -> bool:
    return isinstance(value, tuple) and all(isinstance(each, tuple) for each in value)


def _name_fields(fields: Mapping[str, Any], cell_field: str | None) -> str:
    """The fields of a placement, or those in which it differs from others, such as 'r1c3 (turned
    twice)'."""
    alone, over = len(fields) == 1, fields.get("flipped")
    if over:
        fields = {
            name: value
            for name, value in fields.items()
            if name != "flipped" and (name != "turn" or value)
        }
    words = [
        _name_cell(value, cell_field)
        if name == cell_field and isinstance(value, str)
        else _name_field(name, value, bare=alone or isinstance(value, tuple))
        for name, value in fields.items()
        if value is not False
    ]
    if over:
        words.insert(
            len(words) - ("turn" in fields),
            "turned over and" if "turn" in fields else "turned over",
        )
    if "turn" in fields and any(
        name == cell_field or _is_place(value) for name, value in fields.items()
    ):
        return f"{words[0]} ({' '.join(words[1:])})"  # the piece is turned, not the place
    return " ".join(words)


def _name_field(name: str, value: Any, *, bare: bool = False) -> str:
    """A field in words; `bare` leaves out its name, if its value says what it is."""
    if value is True:
        return name
    if name == "turn" and type(value) is int:
        return TURNS[value] if value < len(TURNS) else f"turned {value} times"
    if _is_area(value):
        return name_area(value)
    if value == "":
        return f"{name} without a name"
    if _is_seat(value):
        return (
            f"{name} {value[1]}"
            if value[0] == "table"
            else f"{name} {value[1]} of table {value[0]}"
        )
    return name_place(value) if bare else f"{name} {name_place(value)}"
