"""Ways of placing: how a family says a placement, a place and a rule.

A family states subject, verb and object in a subclass of `Way`. The phrasebook puts them into
sentences; it has templates for each kind of placing, such as a value in a cell.
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Generic, NamedTuple

from typing_extensions import TypeVar

from jigsat.formula import Formula, Thing
from jigsat.words import add_article, join_words, name_place

if TYPE_CHECKING:
    from jigsat.puzzle.puzzle import Puzzle

P = TypeVar("P", bound="Puzzle", default=Any)  # class of the puzzles of a family
Placement = Any  # a named tuple of the family

TURNS = ("upright", "turned right", "upside down", "turned left")  # of pieces with four sides


@dataclass(frozen=True)
class Rule:
    """All constraints about one thing: `name` is the formula's, such as 'row 3', `kind` is the
    noun of the thing, and `about` is which one it is.

    `states` are the rules of the puzzle that these constraints state. A rule about no named thing
    has no kind.
    """

    name: str
    kind: str
    about: str
    states: tuple[str, ...] = ()


def list_rules(formula: Formula) -> dict[str, Rule]:
    """The rules of a formula, by their names."""
    rules = {}
    for name in formula.list_rules():
        thing = formula.things.get(name, Thing("", name))
        states = tuple(formula.rules.get(name, ()))
        rules[name] = Rule(name, thing.noun, name_place(thing.which), states)
    return rules


@dataclass(frozen=True)
class Verb:
    """The forms of a verb with its preposition, such as 'goes in' and 'go in'."""

    now: str
    bare: str

    @property
    def preposition(self) -> str:
        return self.now.split()[-1]


GO_IN = Verb("goes in", "go in")
LIE_IN = Verb("lies in", "lie in")
LIE_ON = Verb("lies on", "lie on")
SIT_IN = Verb("sits in", "sit in")
BE_AT = Verb("is at", "be at")


class Stretch(NamedTuple):
    """A part of the outline of a place: of a side, from one fraction of its length to another."""

    side: int
    start: float
    end: float


@dataclass(frozen=True)
class Ask:
    """What an edge asks of the tile on a place: one of these labels on a side, to match what is
    beside it; `placed` if that is one tile that was placed before.
    """

    place: str
    side: str
    labels: tuple[str, ...]
    source: str
    placed: bool


class Way(Generic[P]):
    """How the placements of a puzzle are said: the thing, the verb, the place, and the manner.

    This class suits families whose placements put something on a cell, or choose something.
    """

    placing: ClassVar[str] = ""
    """The kind of placing, for which the phrasebook has templates of its own."""

    verb: ClassVar[Verb] = BE_AT
    noun: ClassVar[str] = ""
    """What the things are called, such as 'piece'; values have no noun."""

    place_rules: ClassVar[Collection[str]] = ("cell",)
    """The kinds of rules that are about a place: they require something there."""

    uncounted: str = ""
    """What is drawn before the first row and column of the board, which are counted from 1."""

    area_rules: ClassVar[Collection[str]] = ()
    """The kinds of rules about areas that may be named by their first places, such as cages."""

    def __init__(self, puzzle: P) -> None:
        self.puzzle = puzzle

    # -- the parts of a placement

    def thing(self, placement: Placement) -> str:
        """Such as '5' or 'tile 3'."""
        values = placement._asdict()
        cell, piece = self.puzzle.cell_field, self.puzzle.piece_field
        if piece in values:
            return f"{piece} {name_place(values[piece])}"
        others = [name_place(value) for field, value in values.items() if field != cell]
        return " ".join(others) or type(placement).__name__.lower()

    def short(self, placement: Placement) -> str:
        """The thing in a list, such as '3'."""
        return self.thing(placement)

    def any_of(self, placements: Sequence[Placement]) -> str:
        """The thing of placements; of different things, what they share, such as 'a rainbow'."""
        things = list(dict.fromkeys(map(self.thing, placements)))
        if len(things) == 1:
            return things[0]
        faces = list(dict.fromkeys(map(self.face, placements)))
        if len(faces) == 1 and faces[0]:
            return add_article(faces[0])
        if self.noun:
            return add_article(self.noun)
        return join_words(things, " or ")

    def place(self, placement: Placement) -> str:
        """Such as 'r3c4'; nothing if the thing is only chosen."""
        cell = getattr(placement, self.puzzle.cell_field or "", None)
        return "" if cell is None else name_place(cell)

    def name_place(self, place: Hashable) -> str:
        """A place of the board."""
        return name_place(place)

    def manner(self, placement: Placement) -> str:
        """Such as 'turned left'; nothing if it is always the same."""
        return ""

    # -- rules

    def rule(self, rule: Rule) -> str:
        """Such as 'row 3'; a rule about a place is named as the place."""
        return rule.about if rule.kind in self.place_rules else rule.name

    def house(self, rule: Rule) -> str:
        """Where a rule requires a thing, such as 'row 3'; nothing if it may be anywhere."""
        return ""

    def is_about_place(self, rule: Rule) -> bool:
        """Whether something is required for a place, and not a place for some thing."""
        return rule.kind in self.place_rules

    def may_be_absent(self, placement: Placement) -> bool:
        """Whether nothing is required at its place, so that a line of a chain says that it is
        excluded.
        """
        return False

    # -- the placement in a sentence

    def state(self, placement: Placement) -> str:
        """Such as 'tile 3 lies in the centre (turned left)'."""
        if not self.place(placement):
            return f"{self.thing(placement)} is chosen"
        return f"{self.thing(placement)} {self.verb.now} {self.spot(placement)}"

    def deny(self, placement: Placement) -> str:
        """That the placement is impossible."""
        if not self.place(placement):
            return f"{self.thing(placement)} cannot be chosen"
        return f"{self.thing(placement)} cannot {self.verb.bare} {self.spot(placement)}"

    def oppose(self, placement: Placement) -> str:
        """The supposition that the placement is not made."""
        if not self.place(placement):
            return f"{self.thing(placement)} is not chosen"
        negated = f"does not {self.verb.bare}"
        if self.verb is BE_AT:
            negated = "is not at"
        return f"{self.thing(placement)} {negated} {self.spot(placement)}"

    def lie(self, placement: Placement) -> str:
        """A thing with its manner, such as 'tile 3 (turned left)'."""
        return self.thing(placement) + _in_brackets(self.manner(placement))

    def spot(self, placement: Placement) -> str:
        """A place with the manner, such as 'the centre (turned left)'."""
        return self.place(placement) + _in_brackets(self.manner(placement))

    def name(self, placement: Placement) -> str:
        """What lies there, and where, such as 'tile 3 in the centre'."""
        place = self.place(placement)
        thing = self.thing(placement)
        return f"{thing} {self.preposition(placement)} {place}" if place else thing

    def preposition(self, placement: Placement) -> str:
        """What stands before its place."""
        return self.verb.preposition

    def cost(self, placements: Sequence[Placement]) -> str:
        """What a solution costs, such as '1 of 4 wishes is broken', the same for all of the same
        cost; nothing if no words are needed.
        """
        return ""

    # -- reasons that players see

    def fault(self, rule: Rule, statement: str, placements: Sequence[Placement]) -> str:
        """That placements break a rule, whatever else is placed, where it has this statement;
        nothing if the check of the family has words for it.
        """
        return ""

    def ask(self, rule: Rule, beside: Sequence[Placement], *, placed: bool) -> Ask | None:
        """What an edge asks for, if one of these placements lies on one side of it; None if the
        rule is about no edge.
        """
        return None

    def other_labels(self, labels: Sequence[str]) -> list[str]:
        """The labels that match these."""
        return list(labels)

    def face(self, placement: Placement) -> str:
        """The picture on a tile, of which a row may have only one."""
        return ""

    def fills_corner(self, rule: Rule, placement: Placement) -> bool:
        """Whether a piece has a tooth at the corner that a rule is about."""
        return False

    def find_collisions(
        self, rule: Rule, placement: Placement, beside: Sequence[Placement]
    ) -> list[Stretch]:
        """Where a piece collides with one of those beside it, at the edge or corner that a rule is
        about.
        """
        return []

    def leaves_hole(self, cell: Hashable, placement: Placement, board: Sequence[Placement]) -> bool:
        """Whether a piece would cut off a cell in a hole that is smaller than any piece."""
        return False


def name_turn(turn: int, sides: int) -> str:
    """How a piece with this number of sides is turned clockwise, by a number of them."""
    if sides == len(TURNS):
        return TURNS[turn]
    if turn == 0:
        return "upright"
    if turn == 1:
        return "turned once"
    return f"turned {turn} times"


def _in_brackets(words: str) -> str:
    return f" ({words})" if words else ""
