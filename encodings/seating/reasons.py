"""Proofs by counting that guests cannot be seated."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations
from typing import NamedTuple

import networkx
from jigsat.encodings.seating.data import Kept, Rule, Seat, SeatingData, name_table

from jigsat.puzzle import Reason
from jigsat.words import join_words, plural

MAX_NAMED = 6  # number of rows of seats whose sizes are named
SAME_TABLE = ("beside", "across", "same_table")
"""The kinds of rules that put guests at the same table."""


class Together(NamedTuple):
    """Rules of these kinds put guests in the same row or at the same table."""

    kinds: tuple[str, ...]
    where: str
    sizes: Sequence[int]  # number of seats of each row or table


def find_reasons(puzzle: SeatingData) -> Iterator[Reason]:
    """More pairs that must sit beside each other than there are pairs of neighbouring seats, guests
    who must sit together and do not fit in the rows or at the tables, or a table without a seat for
    all who must sit there."""
    if not puzzle.enforced:
        return
    yield from _find_full_tables(puzzle)
    couples: networkx.Graph[str] = networkx.Graph()
    couples.add_edges_from(rule.beside for rule in puzzle.must if rule.beside)
    number = len(networkx.max_weight_matching(couples, maxcardinality=True))

    # Pairs without a common guest take pairs of seats without a common seat.
    rows = _list_rows(puzzle)
    room = sum(len(networkx.max_weight_matching(row, maxcardinality=True)) for row in rows)
    if number > room:
        yield Reason(
            f"{number} pairs of guests must sit beside each other, but there is room for only "
            f"{room}{_describe_rest(rows)}"
        )
        return
    in_rows = Together(("beside",), "in one row", list(map(len, rows)))
    tables = [table.seats for table in puzzle.shapes.values()]
    at_tables = Together(SAME_TABLE, "at one table", tables)
    for together in (in_rows, at_tables):
        yield from _count_groups(puzzle, together)


def _list_rows(puzzle: SeatingData) -> list[networkx.Graph[Seat]]:
    """The seats that are connected by being beside each other, such as the sides of a table."""
    seats: networkx.Graph[Seat] = networkx.Graph()
    seats.add_nodes_from(puzzle.seats)
    for name, table in puzzle.shapes.items():
        seats.add_edges_from(((name, one), (name, other)) for one, other in table.beside)
    return [seats.subgraph(row) for row in networkx.connected_components(seats)]


def _describe_rest(rows: list[networkx.Graph[Seat]]) -> str:
    """Which rows leave a seat over because their number of seats is odd."""
    odd = [str(len(row)) for row in rows if len(row) % 2]
    if not odd or len(odd) > MAX_NAMED:
        return ""
    if len(odd) == 1:
        return f": a row of {odd[0]} seats leaves one over"
    return f": the rows of {join_words(odd)} seats leave one over each"


def _find_full_tables(puzzle: SeatingData) -> Iterator[Reason]:
    """Tables with fewer seats than guests who must sit there, by a rule for the table or together
    with such a guest; and guests for whom the rules name two tables."""
    there = _list_guests_of_tables(puzzle)
    for table, company in there.items():
        seats = puzzle.shapes[table].seats
        if len(company) > seats:
            names = [guest for guest in puzzle.guests if guest in company]
            yield Reason(
                f"no seat is left at {name_table(table)}: it has {plural(seats, 'seat')}, but "
                f"{plural(len(company), 'guest')} must sit there: {join_words(names)}",
                _mark(_list_involved(puzzle, company, table)),
            )
    for one, other in combinations(there, 2):
        both = there[one] & there[other]
        if both:
            at_one = _list_involved(puzzle, both, one)
            at_other = _list_involved(puzzle, both, other)
            names = [guest for guest in puzzle.guests if guest in both]
            tables = f"{name_table(one)}, but also at {name_table(other)}"
            words = f"{join_words(names)} must sit at {tables}"
            yield Reason(words, _mark({*at_one, *at_other}))


def _list_guests_of_tables(puzzle: SeatingData) -> dict[str, set[str]]:
    """The guests who must sit at each table that a rule names, with those who must sit at the same
    table as they."""
    together: networkx.Graph[str] = networkx.Graph()
    for rule in puzzle.must:
        if rule.kind in SAME_TABLE:
            networkx.add_path(together, _list_guests(puzzle, rule))

    there: dict[str, set[str]] = {}
    for rule in puzzle.must:
        if rule.table is None or rule.guest is None:
            continue
        for guest in puzzle.members(rule.guest):
            company = {guest}
            if guest in together:
                company = networkx.node_connected_component(together, guest)
            there.setdefault(rule.table, set()).update(company)
    return there


def _list_involved(puzzle: SeatingData, company: set[str], table: str) -> list[str]:
    """The rules that put these guests at the table, or together."""
    involved = []
    for i, rule in enumerate(puzzle.must):
        if rule.kind in SAME_TABLE:
            guests = _list_guests(puzzle, rule)
        elif rule.table == table and rule.guest is not None:
            guests = list(puzzle.members(rule.guest))
        else:
            continue
        if company.intersection(guests):
            involved.append(f"must.{i}")
    return involved


def _count_groups(puzzle: SeatingData, together: Together) -> Iterator[Reason]:
    """Compare the sizes of the groups of guests who must sit together with those of the rows or
    tables."""
    rules = [
        (f"must.{i}", rule) for i, rule in enumerate(puzzle.must) if rule.kind in together.kinds
    ]
    guests: networkx.Graph[str] = networkx.Graph()
    guests.add_nodes_from(puzzle.guests)
    for _, rule in rules:
        networkx.add_path(guests, _list_guests(puzzle, rule))
    groups = list(networkx.connected_components(guests))

    largest = max(groups, key=len)
    if len(largest) > max(together.sizes):
        involved = [
            place for place, rule in rules if largest.issuperset(_list_guests(puzzle, rule))
        ]
        yield Reason(
            f"{plural(len(largest), 'guest')} must sit {together.where}, where there is room for "
            f"only {max(together.sizes)}",
            _mark(involved),
        )
        return

    # No row or table is fuller than the sum of some groups that is nearest to its number of seats.
    sums = _list_sums(map(len, groups))
    room = sum(max(total for total in sums if total <= size) for size in together.sizes)
    if room < len(puzzle.guests):
        yield Reason(
            f"there are {plural(len(puzzle.guests), 'guest')}, but because of those who must sit "
            f"{together.where}, there is room for only {room}",
            _mark(place for place, _ in rules),
        )


def _list_guests(puzzle: SeatingData, rule: Rule) -> list[str]:
    return [guest for name in rule.names for guest in puzzle.members(name)]


def _list_sums(numbers: Iterable[int]) -> set[int]:
    """All sums of some of the numbers."""
    sums = {0}
    for number in numbers:
        sums |= {total + number for total in sums}
    return sums


def _mark(places: Iterable[str]) -> frozenset[Kept]:
    return frozenset(map(Kept, places))
