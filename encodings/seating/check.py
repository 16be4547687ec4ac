"""The check of a seating: it looks at the seats of the guests and judges every rule."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import combinations, product
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from jigsat.encodings.seating.data import Kept, Rule, Seat, Seated, SeatingData

    from jigsat.boards import Board


def broken_rules(puzzle: SeatingData, placements: Sequence[Seated | Kept]) -> Iterator[str]:
    """Guests without one seat, seats with several guests, rules that are not kept, and wrong
    statements about what is kept."""
    seated: list[tuple[str, Seat]] = []
    stated: list[str] = []
    for placement in placements:
        if len(placement) == 2:
            seated.append(placement)
        elif placement[0] in stated:
            yield f"the rule {placement[0]} is stated twice"
        else:
            stated.append(placement[0])

    yield from _find_wrong_seats(puzzle, seated)
    seats = dict(seated)
    if len(seats) >= len(puzzle.guests):  # otherwise the rules cannot be judged
        yield from _find_broken_rules(puzzle, seats, stated)


def _find_wrong_seats(puzzle: SeatingData, seated: Sequence[tuple[str, Seat]]) -> Iterator[str]:
    seats: dict[str, Seat] = {}
    for guest, seat in seated:
        table, number = seat
        if guest in seats or guest not in puzzle.guests:
            yield f"{guest} is not a guest, or has two seats"
        if table not in puzzle.tables or not 1 <= number <= _count_seats(puzzle, table):
            yield f"there is no seat {number} at {table}"
        if seat in seats.values():
            yield f"seat {number} of {table} has two guests"
        seats[guest] = seat

    for guest in puzzle.guests:
        if guest not in seats:
            yield f"{guest} has no seat"


def _find_broken_rules(
    puzzle: SeatingData, seats: Mapping[str, Seat], stated: Sequence[str]
) -> Iterator[str]:
    """Rules that are not kept, and statements that are wrong."""
    rules: dict[str, Rule] = {}
    for i, rule in enumerate(puzzle.must):
        rules[f"must.{i}"] = rule
    for i, wish in enumerate(puzzle.wishes):
        rules[f"wishes.{i}"] = wish

    for place in stated:
        if place not in rules:
            yield f"there is no rule {place}"

    plan = _Plan(puzzle, seats)
    for place, rule in rules.items():
        is_kept = plan.is_kept(rule)
        if not is_kept and puzzle.enforced and place.startswith("must"):
            yield f"not kept: {rule}"
        if is_kept and place not in stated:
            yield f"the rule {place} is kept, but the solution states otherwise"
        if not is_kept and place in stated:
            yield f"the rule {place} is not kept, but the solution states otherwise"


class _Plan:
    """Who sits where."""

    def __init__(self, puzzle: SeatingData, seats: Mapping[str, Seat]) -> None:
        self._puzzle, self._seats = puzzle, seats

    def is_kept(self, rule: Rule) -> bool:
        lists = [self._list_guests(name) for name in rule.names]
        everyone = [guest for names in lists for guest in names]
        match rule.kind:
            case "apart":
                return not any(self._are_beside(*pair) for pair in _list_pairs(lists))
            case "beside":
                one, other = everyone
                return self._are_beside(one, other)
            case "beside_one_of":
                subjects = self._list_guests(rule.guest)
                return all(self._is_beside_one_of(guest, everyone) for guest in subjects)
            case "across":
                one, other = everyone
                return self._are_across(one, other)
            case "same_table":
                return all(self._share_table(everyone[0], guest) for guest in everyone)
            case "not_same_table":
                return not any(self._share_table(*pair) for pair in _list_pairs(lists))
            case "alternate":
                within = [pair for names in lists for pair in combinations(names, 2)]
                return not any(self._are_beside(*pair) for pair in within)
        return all(self._has_place(guest, rule) for guest in self._list_guests(rule.guest))

    def _list_guests(self, name: str | None) -> list[str]:
        """The guest with this name, or those of the group."""
        return [guest for guest, groups in self._puzzle.guests.items() if name in (guest, *groups)]

    def _share_table(self, one: str, other: str) -> bool:
        (table, _), (other_table, _) = self._seats[one], self._seats[other]
        return table == other_table

    def _has_place(self, guest: str, rule: Rule) -> bool:
        """Whether the guest sits where the rule says; it names a table, a seat or both."""
        table, number = self._seats[guest]
        return rule.table in (None, table) and rule.seat in (None, number)

    def _is_beside_one_of(self, guest: str, others: Sequence[str]) -> bool:
        return any(self._are_beside(guest, other) for other in others)

    def _are_beside(self, one: str, other: str) -> bool:
        (table, a), (other_table, b) = sorted((self._seats[one], self._seats[other]))
        if table != other_table or a == b:
            return False
        if table in self._puzzle.boards:
            return (a, b) in _list_touching(self._puzzle.boards[table])
        kind, sizes = _read_shape(self._puzzle.tables[table])
        if kind == "rows":
            _, width = sizes
            return b - a == 1 and a % width != 0
        (number,) = sizes
        if kind == "long":
            return b - a == 1 and a != number // 2
        return b - a in (1, number - 1)

    def _are_across(self, one: str, other: str) -> bool:
        (table, a), (other_table, b) = sorted((self._seats[one], self._seats[other]))
        if table != other_table or a == b or table in self._puzzle.boards:
            return False
        kind, sizes = _read_shape(self._puzzle.tables[table])
        if kind == "round":
            return 2 * (b - a) == sizes[0]
        return kind == "long" and a + b == sizes[0] + 1


def _list_pairs(lists: Sequence[Sequence[str]]) -> Iterator[tuple[str, str]]:
    """The pairs of guests of different lists, or of the same one if there is only one."""
    if len(lists) == 1:
        yield from combinations(lists[0], 2)
    for some, others in combinations(lists, 2):
        for one, other in product(some, others):
            if one != other:
                yield one, other


def _count_seats(puzzle: SeatingData, table: str) -> int:
    if table in puzzle.boards:
        return len(puzzle.boards[table].cells)
    kind, sizes = _read_shape(puzzle.tables[table])
    return sizes[0] * sizes[1] if kind == "rows" else sizes[0]


def _read_shape(shape: str) -> tuple[str, list[int]]:
    """The kind and the sizes of a table that is no board, such as 'rows' and [3, 8]."""
    kind, sizes = shape.split()
    return kind, [int(size) for size in sizes.split("x")]


@lru_cache(maxsize=8)
def _list_touching(board: Board) -> frozenset[tuple[int, int]]:
    """The pairs of cells of a board, by their numbers, that have a side with the same midpoint."""
    number = {cell: i for i, cell in enumerate(board.cells, 1)}
    pairs: set[tuple[int, int]] = set()
    for sides in board.meetings.values():
        meeting = {number[cell] for cell, _ in sides}
        pairs.update(combinations(sorted(meeting), 2))
    return frozenset(pairs)
