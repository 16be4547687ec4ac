"""The entries of a seating instance: tables, guests, and rules as a host would write them."""

import re
from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import Annotated, Any, ClassVar, NamedTuple, Self

from jigsat.encodings.seating.tables import Table, is_board, table
from pydantic import BeforeValidator, Field, PlainSerializer, PositiveInt, model_validator

from jigsat.boards import Board, board_named
from jigsat.errors import IncompleteError, suggest
from jigsat.puzzle import Entries, Puzzle, ToldClues
from jigsat.words import join_words

MAX_GUEST_SEATS = 1_000_000  # maximum number of guests times seats
Seat = tuple[str, int]  # a table and the number of a seat, from 1


class Seated(NamedTuple):
    """The guest sits there."""

    guest: str
    seat: Seat


class Kept(NamedTuple):
    """The rule is kept. It is identified by its place in the file, such as 'must.0' or
    'wishes.3'."""

    rule: str


def _tables(data: Any) -> Any:
    shapes = [data] if isinstance(data, str) else data
    if not isinstance(shapes, list | tuple) or not all(isinstance(shape, str) for shape in shapes):
        return data
    tables: list[str] = []
    for shape in shapes:
        several = re.fullmatch(r"\s*([0-9]{1,3})\s+(\D[\s\S]*)", shape)
        if several:
            tables += [several[2]] * int(several[1])
        else:
            tables.append(shape)
    if len(tables) == 1:
        return {"table": tables[0]}
    return {f"table {i}": shape for i, shape in enumerate(tables, 1)}


def _guests(data: Any) -> Any:
    if isinstance(data, dict):
        guests = dict(data)
        for name, groups in data.items():
            if isinstance(groups, str):
                guests[name] = [groups]
        return guests
    if not isinstance(data, list | tuple):
        return data
    for name in data:
        if not isinstance(name, str):
            raise ValueError(f"expected names in quotes; got {str(name)[:20]}")
    if len(set(data)) < len(data):
        raise ValueError("a name is given twice; each guest needs a name of their own")
    return dict.fromkeys(data, ())


def _plain_guests(guests: dict[str, tuple[str, ...]]) -> Any:
    if any(guests.values()):
        return {name: list(groups) for name, groups in guests.items()}
    return list(guests)


Guests = Annotated[
    dict[str, tuple[str, ...]],
    BeforeValidator(_guests, json_schema_input_type=list[str] | dict[str, str | list[str]]),
    PlainSerializer(_plain_guests),
]
Tables = Annotated[
    dict[str, str],
    BeforeValidator(_tables, json_schema_input_type=str | list[str] | dict[str, str]),
]

KINDS = ("apart", "beside", "beside_one_of", "across", "same_table", "not_same_table", "alternate")
PREDICATES = {
    "apart": "do not sit beside each other",
    "beside": "sit beside each other",
    "across": "sit across from each other",
    "same_table": "sit at the same table",
    "not_same_table": "sit at different tables",
    "alternate": "alternate",
}
"""What a rule says of the guests that it lists."""


class Rule(Entries):
    """One rule: one of the kinds, or a place for a guest."""

    apart: tuple[str, ...] | None = Field(default=None, min_length=1)
    """Guests of different names listed here do not sit beside each other; if it is a single group,
    no two of its members do."""
    beside: tuple[str, str] | None = None
    """These two guests sit beside each other."""
    beside_one_of: tuple[str, ...] | None = Field(default=None, min_length=1)
    """The `guest` sits beside at least one of these."""
    across: tuple[str, str] | None = None
    """These two guests sit across from each other."""
    same_table: tuple[str, ...] | None = Field(default=None, min_length=1)
    """All of these sit at one table."""
    not_same_table: tuple[str, ...] | None = Field(default=None, min_length=1)
    """Guests of different names listed here sit at different tables; if it is a single group, all
    of its members do."""
    alternate: tuple[str, ...] | None = Field(default=None, min_length=1)
    """For each of these groups, no two of its members sit beside each other."""
    guest: str | None = None
    """The guest to whom `beside_one_of`, `table` or `seat` applies; a group stands for each of its
    guests."""
    table: str | None = None
    """The table where the guest sits."""
    seat: PositiveInt | None = None
    """The number of the guest's seat."""
    modal: ClassVar[str] = "must"

    @property
    def kind(self) -> str:
        """The kind of the rule; 'at' if it gives a guest a place."""
        for kind in KINDS:
            if getattr(self, kind) is not None:
                return kind
        return "at"

    @property
    def names(self) -> tuple[str, ...]:
        """The guests and groups that the rule lists, without `guest`."""
        return getattr(self, self.kind) if self.kind != "at" else ()

    @model_validator(mode="after")
    def _one_kind(self) -> Self:
        kinds = [kind for kind in KINDS if getattr(self, kind) is not None]
        if self.table is not None or self.seat is not None:
            kinds.append("at")
        if len(kinds) != 1:
            raise ValueError(
                f"a rule has either one of {', '.join(KINDS)}, or a place: table, seat or both"
            )
        if (self.kind in ("at", "beside_one_of")) != (self.guest is not None):
            verb = "needs" if self.guest is None else "has no"
            kind = "table or seat" if self.kind == "at" else self.kind
            raise ValueError(f"a rule with {kind} {verb} `guest`")
        return self

    def __str__(self) -> str:
        match self.kind:
            case "at":
                table = f" at {name_table(self.table)}" if self.table is not None else ""
                seat = f" in seat {self.seat}" if self.seat is not None else ""
                return f"{self.guest} {self.modal} sit{table}{seat}"
            case "beside_one_of":
                return f"{self.guest} {self.modal} sit beside {join_words(self.names, ' or ')}"
        return f"{join_words(self.names)} {PREDICATES[self.kind]}"


class Wish(Rule):
    """A rule that need not be kept."""

    weight: PositiveInt = 1
    """The cost if it is not kept."""
    modal: ClassVar[str] = "should"


class SeatingData(Puzzle[Seated | Kept]):
    family = "seating"
    chapter = "At the table"
    rule = "Give each guest a seat so that the host's rules are kept."
    piece_field = "guest"
    listed_as = {"seat": ("Table", "Chair"), "guest": ("Guest",)}  # noqa: RUF012

    tables: Tables = Field(min_length=1)
    """The tables: "round 8", "long 10", "rows 3x8" or a board; several as a list or by name; "15
    round 8" is 15 tables."""
    guests: Guests = Field(min_length=1)
    """The guests: a list of names, or a table with the groups of each guest."""
    must: tuple[Rule, ...] = ()
    """The rules that must be kept."""
    wishes: tuple[Wish, ...] = ()
    """The rules that should be kept: `solve --minimize` finds the least total weight of those that
    are not."""
    enforced: bool = True
    """Whether the rules under `must` have to be kept; otherwise a solution only states which of
    them are."""

    def board_places(self, placement: Seated | Kept) -> list[Seat]:
        return [placement.seat] if isinstance(placement, Seated) else []

    @model_validator(mode="after")
    def _consistent(self) -> Self:
        self._require_names()
        for name, shape in self.tables.items():
            try:
                table(shape)
            except ValueError as error:
                raise ValueError(f"tables.{name}: {error}") from error
        seats, guests = len(self.seats), len(self.guests)
        if guests > seats:
            raise IncompleteError(
                f"guests: {guests} guests, but the tables have only {seats} seats", self
            )
        if guests * seats > MAX_GUEST_SEATS:
            raise ValueError(
                f"guests: {guests} guests and {seats} seats are too many; the limit for their "
                f"product is {MAX_GUEST_SEATS:,}"
            )
        both = self.guests.keys() & self.groups.keys()
        if both:
            raise ValueError(f"guests: {min(both)!r} is a guest and a group; rename one of them")
        for place, rule in self.every_rule.items():
            for complaint in self.complaints(rule):
                raise ValueError(f"{place}: {complaint}")
        return self

    def _require_names(self) -> None:
        for name in [*self.guests, *self.groups]:
            if not name.strip():
                raise ValueError("guests: a name is empty")
        for name in self.tables:
            if not name.strip():
                raise ValueError("tables: a name is empty")

    def complaints(self, rule: Rule) -> Iterator[str]:
        """What is wrong with the names in a rule."""
        names = list(rule.names)
        if rule.guest is not None:
            names.append(rule.guest)
        yield from self._find_unknown_names(rule, names)
        if len(set(rule.names)) < len(rule.names):
            yield "a name is given twice"
        if rule.kind == "alternate":
            for name in rule.names:
                if name in self.guests:
                    yield f"{name!r} is a guest, but only groups can alternate"
        if rule.table is not None and rule.table not in self.tables:
            yield f"unknown table {rule.table!r}; use one of {', '.join(map(repr, self.tables))}"
        elif rule.seat is not None and not self.places(rule):
            table = f" at {rule.table!r}" if rule.table is not None else ""
            yield f"there is no seat {rule.seat}{table}"

    def _find_unknown_names(self, rule: Rule, names: Sequence[str]) -> Iterator[str]:
        about_two_guests = rule.kind in ("beside", "across")
        known = list(self.guests)
        if not about_two_guests:
            known += self.groups
        for name in names:
            if name in known:
                continue
            if name in self.groups:
                words = "is a group, and this rule is about two guests"
            else:
                words = "is neither a guest nor a group"
            yield f"{name!r} {words}{suggest(name, known)}"

    @cached_property
    def every_rule(self) -> dict[str, Rule]:
        """The rules and the wishes by their places in the file."""
        rules: dict[str, Rule] = {}
        for i, rule in enumerate(self.must):
            rules[f"must.{i}"] = rule
        for i, wish in enumerate(self.wishes):
            rules[f"wishes.{i}"] = wish
        return rules

    @cached_property
    def groups(self) -> dict[str, list[str]]:
        """The guests of each group."""
        members: dict[str, list[str]] = {}
        for guest, groups in self.guests.items():
            for group in groups:
                members.setdefault(group, []).append(guest)
        return members

    @cached_property
    def shapes(self) -> dict[str, Table]:
        return {name: table(shape) for name, shape in self.tables.items()}

    @cached_property
    def boards(self) -> dict[str, Board]:
        """The tables that are boards, such as 'square 3x4'."""
        return {name: board_named(shape) for name, shape in self.tables.items() if is_board(shape)}

    @cached_property
    def seats(self) -> list[Seat]:
        seats: list[Seat] = []
        for name, shape in self.shapes.items():
            seats += [(name, number) for number in shape.numbers]
        return seats

    def members(self, name: str) -> list[str]:
        """The guests of a group; a guest stands for themselves."""
        return self.groups.get(name, [name])

    def places(self, rule: Rule) -> list[Seat]:
        """The seats that a rule with `table` or `seat` allows."""
        seats = []
        for name, number in self.seats:
            if rule.table in (None, name) and rule.seat in (None, number):
                seats.append((name, number))
        return seats

    def clues(self) -> dict[str, frozenset[Seated | Kept]]:
        if not self.enforced:
            return {}
        clues: dict[str, frozenset[Seated | Kept]] = {}
        for i, rule in enumerate(self.must):
            clues[f"must.{i} ({rule})"] = frozenset([Kept(f"must.{i}")])
        return clues

    def tell_clues(self, names: Sequence[str]) -> ToldClues:
        """Rules are sentences, so nobody needs their places in the file."""
        sentences = {f"must.{i} ({rule})": str(rule) for i, rule in enumerate(self.must)}
        return ToldClues("rule", [sentences[name] for name in names])

    def without_clues(self) -> Self:
        return self.model_copy(update={"enforced": False})


def name_table(table: str) -> str:
    """A table in a sentence.

    >>> name_table("garden"), name_table("table 2")
    ('the garden table', 'table 2')
    """
    if "table" in table.lower():
        return table
    return f"table {table}" if table.isdigit() else f"the {table} table"


def name_seat(table: str, number: int) -> str:
    """Which seat it is: its number, with the table if that has a name.

    >>> name_seat("table", 1), name_seat("garden", 1)
    ('1', '1 of garden')
    """
    return str(number) if table == "table" else f"{number} of {table}"
