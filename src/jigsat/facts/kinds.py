"""Facts: what a step of a solution says, without a word of English.

Each kind of step is a class with the fields that it needs. Rules are objects, placements are those
of the family. A fact holds all that a proof needs: its `conclusion` follows from its `rules` and
the placements of its `basis`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields, is_dataclass
from typing import Any, ClassVar, Literal

from jigsat.puzzle import Rule

Placement = Any  # a named tuple of the family, such as Digit(cell, value)


@dataclass(frozen=True)
class Marks:
    """Placements that are made, and others that are excluded."""

    placed: tuple[Placement, ...] = ()
    excluded: tuple[Placement, ...] = ()


@dataclass(frozen=True)
class Choice:
    """A rule requires one of the options, of which some are left."""

    rule: Rule
    options: tuple[Placement, ...]
    left: tuple[Placement, ...]


@dataclass(frozen=True)
class Cause:
    """Why placements were excluded before: by rules and what they rest on, or by the step of a
    number.

    The first rule excludes them; others only lead to it. `left` is what was left where it looked,
    if it rests on exclusions.
    """

    excluded: tuple[Placement, ...]
    rules: tuple[Rule, ...]
    basis: Marks
    left: tuple[Choice, ...] = ()
    step: int = 0

    @property
    def rule(self) -> Rule | None:
        """The rule that excludes them; None if that was a step."""
        return self.rules[0] if self.rules else None


@dataclass(frozen=True)
class LastPlace:
    """Only one place is left for a thing."""

    rules: tuple[Rule, ...]
    basis: Marks
    conclusion: Marks
    choice: Choice
    causes: tuple[Cause, ...] = ()


@dataclass(frozen=True)
class LastThing:
    """Only one thing is left for a place."""

    rules: tuple[Rule, ...]
    basis: Marks
    conclusion: Marks
    choice: Choice
    causes: tuple[Cause, ...] = ()


@dataclass(frozen=True)
class Excludes:
    """A set of rules excludes placements, or makes some, because of what is placed and of what
    these choices leave.

    `rest` is what is still possible where something is excluded. The `causes` say what excludes
    each placement in a line of a chain; if something is placed, what excluded the basis.
    """

    rules: tuple[Rule, ...]
    basis: Marks
    conclusion: Marks
    choices: tuple[Choice, ...] = ()
    rest: tuple[Choice, ...] = ()
    causes: tuple[Cause, ...] = ()


@dataclass(frozen=True)
class Fills:
    """Some choices fill as many groups that take one placement each; whatever else is in the groups
    is excluded.

    All that is left of the `choices` lies in the `covers`, of which each is a rule and its
    placements.
    """

    rules: tuple[Rule, ...]
    basis: Marks
    conclusion: Marks
    choices: tuple[Choice, ...]
    covers: tuple[Choice, ...]


@dataclass(frozen=True)
class WaysLeft:
    """Nothing that a thing may still be allows these placements, such as no word for a slot.

    `ways` are those that are left of the number of `options`; `rest` is as in `Excludes`.
    """

    rules: tuple[Rule, ...]
    basis: Marks
    conclusion: Marks
    ways: tuple[str, ...]
    options: int
    rest: tuple[Choice, ...] = ()


@dataclass(frozen=True)
class NothingLeft:
    """Nothing is left of a choice, of which the case excludes all that was left `before`.

    It is a contradiction, or a line of a chain where a place may stay empty.
    """

    rules: tuple[Rule, ...]
    basis: Marks
    choice: Choice
    before: tuple[Placement, ...]
    causes: tuple[Cause, ...] = ()

    @property
    def conclusion(self) -> Marks:
        """What a line of a chain says: none of the options is placed."""
        return Marks((), self.choice.options)


@dataclass(frozen=True)
class Collision:
    """A contradiction: a rule does not allow these placements together."""

    rules: tuple[Rule, ...]
    basis: Marks
    rule: Rule
    placed: tuple[Placement, ...]


@dataclass(frozen=True)
class NoPartner:
    """A contradiction: a rule would need one of these placements beside what is placed, and all of
    them are excluded.

    `before` are those of them that were left before the case; the `causes` say what excludes them
    in it.
    """

    rules: tuple[Rule, ...]
    basis: Marks
    rule: Rule
    placed: tuple[Placement, ...]
    needed: tuple[Placement, ...]
    before: tuple[Placement, ...] = ()
    causes: tuple[Cause, ...] = ()


@dataclass(frozen=True)
class NoMatch:
    """A contradiction: a rule does not allow what is left of one choice together with what is left
    of others.
    """

    rules: tuple[Rule, ...]
    basis: Marks
    rule: Rule
    choices: tuple[Choice, ...]
    causes: tuple[Cause, ...] = ()


Line = LastPlace | LastThing | Excludes | WaysLeft | NothingLeft
"""A line of a chain."""

Contradiction = NothingLeft | Collision | NoPartner | NoMatch
"""The end of a chain."""


@dataclass(frozen=True)
class Case:
    """The opposite of the conclusion leads to a contradiction.

    What is supposed is the opposite of the first placement of the conclusion. The same lines hold
    of the others.
    """

    rules: tuple[Rule, ...]
    basis: Marks
    conclusion: Marks
    supposed: Marks
    chain: tuple[Line, ...]
    end: Contradiction

    def has_lines_of(self, other: Case) -> bool:
        """Whether the chain and the end say the same but for what is supposed."""
        if len(self.chain) != len(other.chain) or type(self.end) is not type(other.end):
            return False
        renamed = dict(zip(self._list_supposed(), other._list_supposed(), strict=True))
        return _say_the_same((*self.chain, self.end), (*other.chain, other.end), renamed)

    def _list_supposed(self) -> tuple[Placement, ...]:
        return (*self.supposed.placed, *self.supposed.excluded)


def _say_the_same(
    part: Any, other: Any, renamed: Mapping[Placement, Placement], unsaid: str = "basis"
) -> bool:
    """Whether parts of facts are equal but for some placements and for what they rest on."""
    if type(part) is not type(other):
        return False
    if is_dataclass(part):
        names = [field.name for field in fields(part) if field.name != unsaid]
        return all(_say_the_same(getattr(part, x), getattr(other, x), renamed) for x in names)
    if isinstance(part, tuple) and not hasattr(part, "_fields"):
        if len(part) != len(other):
            return False
        return all(_say_the_same(x, y, renamed) for x, y in zip(part, other, strict=True))
    return bool(part == other or renamed.get(part) == other)


@dataclass(frozen=True)
class ParitySum:
    """XORs are added up, so that every undecided placement but those of the conclusion counts an
    even number of times.

    `odd` is the number of the rules that still need an odd number of placements.
    """

    rules: tuple[Rule, ...]
    basis: Marks
    conclusion: Marks
    odd: int


AdditionKind = Literal["sums", "pairs", "least", "most", "none"]


@dataclass(frozen=True)
class Adds:
    """Numbers add up to a total by the first rule, which excludes some, or leaves one.

    `choices` are the open cells, and `rest` is what these add up to. The kind says why: few `ways`
    are left to write that as a sum ('sums' in no order, 'pairs' in the order of two cells). Or the
    other cells than the first have at 'least' or at 'most' the sum of the only way. Or 'none' is
    left for them.
    """

    kind: AdditionKind
    rules: tuple[Rule, ...]
    basis: Marks
    conclusion: Marks
    total: int
    rest: int
    choices: tuple[Choice, ...]
    ways: tuple[tuple[int, ...], ...]


@dataclass(frozen=True)
class OnGraph:
    """A rule about what is connected, about a loop or closed paths, or about the sizes of regions
    makes or excludes placements.

    `reason` is one of those of `jigsat.formula.Reason`, such as 'cut off'.
    """

    rules: tuple[Rule, ...]
    basis: Marks
    conclusion: Marks
    reason: str


@dataclass(frozen=True)
class Motion:
    """How a solution is moved to another one: 'turn', 'half turn', 'exchange', or a mirroring:
    'left and right', 'top and bottom', 'falling diagonal', 'rising diagonal', or 'mirroring' with
    the places that stay.
    """

    kind: str
    places: tuple[Any, ...] = ()


@dataclass(frozen=True)
class BySymmetry:
    """An image of every solution has the placement: every solution has it or one of the `images`,
    and the motions move these to it.

    `tried` are the other placements of the same thing; only a search shows that none has a
    solution.
    """

    conclusion: Marks
    images: tuple[Placement, ...]
    motions: tuple[Motion, ...]
    tried: tuple[Placement, ...] = ()
    rules: ClassVar[tuple[Rule, ...]] = ()
    basis: ClassVar[Marks] = Marks()


@dataclass(frozen=True)
class ByTrial:
    """Only a search finds the placement."""

    conclusion: Marks
    rules: ClassVar[tuple[Rule, ...]] = ()
    basis: ClassVar[Marks] = Marks()


Fact = (
    LastPlace
    | LastThing
    | Excludes
    | Fills
    | WaysLeft
    | Case
    | ParitySum
    | Adds
    | OnGraph
    | BySymmetry
    | ByTrial
)

CLASSES: dict[str, Callable[..., Any]] = {
    "rule": Rule,
    "marks": Marks,
    "choice": Choice,
    "cause": Cause,
    "last place": LastPlace,
    "last thing": LastThing,
    "excludes": Excludes,
    "fills": Fills,
    "ways left": WaysLeft,
    "nothing left": NothingLeft,
    "collision": Collision,
    "no partner": NoPartner,
    "no match": NoMatch,
    "case": Case,
    "parity sum": ParitySum,
    "adds": Adds,
    "on graph": OnGraph,
    "motion": Motion,
    "by symmetry": BySymmetry,
    "by trial": ByTrial,
}
"""The name of each class in JSON."""

NAMES = {kind: name for name, kind in CLASSES.items()}


def name_kind(fact: Fact) -> str:
    """The kind of a fact, such as 'last place'."""
    return NAMES[type(fact)]
