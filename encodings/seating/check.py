"""The check of a seating: it looks at the seats of the guests and judges every rule."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import combinations, product
from typing import TYPE_CHECKING

from jigsat.boards import board_named

if TYPE_CHECKING:
    from jigsat.encodings.seating.data import Kept, Rule, Seat, Seated, SeatingData


def broken_rules(puzzle: SeatingData, placements: Sequence[Seated | Kept]) -> Iterator[str]:
    """Guests without one seat, seats with several guests, rules that are not kept, and wrong
    statements about what is kept."""
    seats: dict[str, Seat] = {}
    stated: set[str] = set()
    for placement in placements:
        if len(placement) == 1:
            if placement[0] in stated:
                yield f"the rule {placement[0]} is stated twice"
            stated.add(placement[0])
            continue
        guest, (table, number) = placement
        if guest in seats or guest not in puzzle.guests:
            yield f"{guest} is not a guest, or has two seats"
        if table not in puzzle.tables or not 1 <= number <= _size(puzzle.tables[table]):
            yield f"there is no seat {number} at {table}"
        if (table, number) in seats.values():
            yield f"seat {number} of {table} has two guests"
        seats[guest] = table, number
    yield from (f"{guest} has no seat" for guest in puzzle.guests if guest not in seats)
    if len(seats) < len(puzzle.guests):
        return
    rules = {f"must.{i}": rule for i, rule in enumerate(puzzle.must)} | {
        f"wishes.{i}": r for i, r in enumerate(puzzle.wishes)
    }
    for place in stated - rules.keys():
        yield f"there is no rule {place}"
    for place, rule in rules.items():
        kept = _is_kept(puzzle, rule, seats)
        if not kept and puzzle.enforced and place.startswith("must"):
            yield f"not kept: {rule}"
        if kept != (place in stated):
            yield (
                f"the rule {place} is{' ' if kept else ' not '}kept, but the solution states "
                f"otherwise"
            )


def _is_kept(puzzle: SeatingData, rule: Rule, seats: dict[str, Seat]) -> bool:
    lists = [
        [guest for guest, groups in puzzle.guests.items() if name in (guest, *groups)]
        for name in rule.names
    ]
    everyone = [guest for names in lists for guest in names]
    subjects = [guest for guest, groups in puzzle.guests.items() if rule.guest in (guest, *groups)]
    apart = (
        list(combinations(everyone, 2))
        if len(lists) == 1
        else [
            pair
            for one, other in combinations(lists, 2)
            for pair in product(one, other)
            if pair[0] != pair[1]
        ]
    )

    def beside(one: str, other: str) -> bool:
        return _meet(puzzle, "beside", seats[one], seats[other])

    match rule.kind:
        case "apart":
            return not any(beside(*pair) for pair in apart)
        case "beside":
            return beside(*everyone)
        case "beside_one_of":
            return all(any(beside(guest, other) for other in everyone) for guest in subjects)
        case "across":
            return _meet(puzzle, "across", *(seats[guest] for guest in everyone))
        case "same_table":
            return len({seats[guest][0] for guest in everyone}) == 1
        case "not_same_table":
            return not any(seats[one][0] == seats[other][0] for one, other in apart)
        case "alternate":
            return not any(beside(*pair) for names in lists for pair in combinations(names, 2))
    return all(
        rule.table in (None, seats[guest][0]) and rule.seat in (None, seats[guest][1])
        for guest in subjects
    )


def _meet(puzzle: SeatingData, how: str, one: Seat, other: Seat) -> bool:
    """Whether two seats are beside or across from each other, from the shape of the table."""
    (table, a), (also, b) = sorted((one, other))
    if table != also or a == b:
        return False
    kind, _, sizes = " ".join(puzzle.tables[table].split()).partition(" ")
    if kind == "round":
        n = int(sizes)
        return b - a in (1, n - 1) if how == "beside" else 2 * (b - a) == n
    if kind == "long":
        n = int(sizes)
        return b - a == 1 and a != n // 2 if how == "beside" else a + b == n + 1
    if kind == "rows":
        width = int(sizes.partition("x")[2])
        return how == "beside" and b - a == 1 and a % width != 0
    return how == "beside" and (a, b) in _board_pairs(puzzle.tables[table])


@cache
def _board_pairs(shape: str) -> frozenset[tuple[int, int]]:
    """The pairs of cells of a board, by their numbers, that have a side with the same midpoint."""
    board = board_named(shape)
    number = {cell: i for i, cell in enumerate(board.cells, 1)}
    met = ({number[cell] for cell, _ in sides} for sides in board.meetings.values())
    return frozenset(pair for numbers in met for pair in combinations(sorted(numbers), 2))


@cache
def _size(shape: str) -> int:
    """The number of seats of a table."""
    if found := re.fullmatch(r"(?:round|long|rows) (\d+)(?:x(\d+))?", " ".join(shape.split())):
        return int(found[1]) * int(found[2] or 1)
    return len(board_named(shape).cells)
