"""The entries of a seating instance: tables, guests, and rules as a host would write them."""

import re
from collections.abc import Iterator
from functools import cached_property
from typing import Annotated, Any, ClassVar, NamedTuple, Self

from jigsat.encodings.seating.tables import Table, is_board, table
from pydantic import BeforeValidator, Field, PlainSerializer, PositiveInt, model_validator

from jigsat.boards import Board, board_named
from jigsat.errors import IncompleteError, suggest
from jigsat.puzzle import Entries, Puzzle

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
    every: list[str] = []
    for shape in shapes:
        several = re.fullmatch(r"\s*([0-9]{1,3})\s+(\D[\s\S]*)", shape)
        every += [several[2]] * int(several[1]) if several else [shape]
    return {f"table {i}" if len(every) > 1 else "table": shape for i, shape in enumerate(every, 1)}


def _guests(data: Any) -> Any:
    if isinstance(data, dict):
        return {
            name: [groups] if isinstance(groups, str) else groups for name, groups in data.items()
        }
    if not isinstance(data, list | tuple):
        return data
    for name in data:
        if not isinstance(name, str):
            raise ValueError(f"expected names in quotes; got {str(name)[:20]}")
    if len(set(data)) < len(data):
        raise ValueError("a name is given twice; each guest needs a name of their own")
    return dict.fromkeys(data, ())


def _plain_guests(guests: dict[str, tuple[str, ...]]) -> Any:
    return (
        {name: list(groups) for name, groups in guests.items()}
        if any(guests.values())
        else list(guests)
    )


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
        return next((kind for kind in KINDS if getattr(self, kind) is not None), "at")

    @property
    def names(self) -> tuple[str, ...]:
        """The guests and groups that the rule lists, without `guest`."""
        return getattr(self, self.kind) if self.kind != "at" else ()

    @model_validator(mode="after")
    def _one_kind(self) -> Self:
        given = [kind for kind in KINDS if getattr(self, kind) is not None]
        place = self.table is not None or self.seat is not None
        if len(given) + place != 1:
            raise ValueError(
                f"a rule has either one of {', '.join(KINDS)}, or a place: table, seat or both"
            )
        if (self.kind in ("at", "beside_one_of")) != (self.guest is not None):
            verb = "needs" if self.guest is None else "has no"
            raise ValueError(
                f"a rule with {'table or seat' if self.kind == 'at' else self.kind} {verb} `guest`"
            )
        return self

    def __str__(self) -> str:
        listed, last = ", ".join(self.names[:-1]), "".join(self.names[-1:])
        everyone = f"{listed} and {last}" if listed else last
        match self.kind:
            case "at":
                table = f" at {self.table}" if self.table is not None else ""
                return f"{self.guest} {self.modal} sit{table}" + (
                    f" in seat {self.seat}" if self.seat is not None else ""
                )
            case "beside_one_of":
                return (
                    f"{self.guest} {self.modal} sit beside "
                    f"{f'{listed} or {last}' if listed else last}"
                )
            case "alternate":
                return f"{everyone} alternate"
        how = {"apart": "do not sit beside each other", "beside": "sit beside each other"}
        how |= {"across": "sit across from each other", "same_table": "sit at the same table"}
        how |= {"not_same_table": "sit at different tables"}
        return f"{everyone} {how[self.kind]}"


class Wish(Rule):
    """A rule that need not be kept."""

    weight: PositiveInt = 1
    """The cost if it is not kept."""
    modal: ClassVar[str] = "should"


class SeatingData(Puzzle[Seated | Kept]):
    family = "seating"
    rule = "Give each guest a seat so that the host's rules are kept."
    piece_field = "guest"

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
        for entry, names in (
            ("guests", self.guests),
            ("tables", self.tables),
            ("guests", self.groups),
        ):
            if not all(name.strip() for name in names):
                raise ValueError(f"{entry}: a name is empty")
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
        if both := self.guests.keys() & self.groups.keys():
            raise ValueError(f"guests: {min(both)!r} is a guest and a group; rename one of them")
        for place, rule in self.every_rule.items():
            for complaint in self._complaints(rule):
                raise ValueError(f"{place}: {complaint}")
        return self

    def _complaints(self, rule: Rule) -> Iterator[str]:
        single = rule.kind in ("beside", "across")
        known = {**self.guests} if single else {**self.guests, **self.groups}
        for name in [*rule.names, *([rule.guest] if rule.guest is not None else [])]:
            if name not in known:
                group = name in self.groups
                what = (
                    "is a group, and this rule is about two guests"
                    if group
                    else "is neither a guest nor a group"
                )
                yield f"{name!r} {what}{suggest(name, known)}"
        if len(set(rule.names)) < len(rule.names):
            yield "a name is given twice"
        if rule.kind == "alternate" and (
            guests := [name for name in rule.names if name in self.guests]
        ):
            yield f"{guests[0]!r} is a guest, but only groups can alternate"
        if rule.table is not None and rule.table not in self.tables:
            yield f"unknown table {rule.table!r}; use one of {', '.join(map(repr, self.tables))}"
        elif rule.seat is not None and not self.places(rule):
            yield f"there is no seat {rule.seat}" + (
                f" at {rule.table!r}" if rule.table is not None else ""
            )

    @cached_property
    def every_rule(self) -> dict[str, Rule]:
        """The rules and the wishes by their places in the file."""
        named = (("must", self.must), ("wishes", self.wishes))
        return {f"{entry}.{i}": rule for entry, rules in named for i, rule in enumerate(rules)}

    @cached_property
    def groups(self) -> dict[str, list[str]]:
        found: dict[str, list[str]] = {}
        for guest, groups in self.guests.items():
            for group in groups:
                found.setdefault(group, []).append(guest)
        return found

    @cached_property
    def shapes(self) -> dict[str, Table]:
        return {name: table(shape) for name, shape in self.tables.items()}

    @cached_property
    def boards(self) -> dict[str, Board]:
        """The tables that are boards, such as 'square 3x4'."""
        return {name: board_named(shape) for name, shape in self.tables.items() if is_board(shape)}

    @cached_property
    def seats(self) -> list[Seat]:
        return [(name, number) for name, shape in self.shapes.items() for number in shape.numbers]

    def members(self, name: str) -> list[str]:
        """The guests of a group; a guest stands for themselves."""
        return self.groups.get(name, [name])

    def places(self, rule: Rule) -> list[Seat]:
        """The seats that a rule with `table` or `seat` allows."""
        return [
            seat
            for seat in self.seats
            if rule.table in (None, seat[0]) and rule.seat in (None, seat[1])
        ]

    def clues(self) -> dict[str, frozenset[Seated | Kept]]:
        kept = self.must if self.enforced else ()
        return {f"must.{i} ({rule})": frozenset([Kept(f"must.{i}")]) for i, rule in enumerate(kept)}

    def without_clues(self) -> Self:
        return self.model_copy(update={"enforced": False})
