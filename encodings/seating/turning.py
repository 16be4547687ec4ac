"""Symmetries of seating: turning and mirroring each table, and exchanging tables of the same shape."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from itertools import permutations, product
from typing import Literal

from jigsat.encodings.seating.data import Kept, Seat, Seated, SeatingData
from jigsat.encodings.seating.tables import Turn

from jigsat.symmetry import Symmetry

MAX_LISTED_ENTRIES = 1_000_000
"""The maximum total size of the listed symmetries.

If they would be larger, equal tables are not exchanged; if that does not suffice, tables are not mirrored, and then not turned.
"""


def seat_symmetries(puzzle: SeatingData) -> Iterator[Symmetry]:
    """The permutations of the seats that keep the tables and the places that rules give."""
    fixed = [set(puzzle.places(rule)) for rule in puzzle.every_rule.values() if rule.kind == "at"]
    alike: dict[str, list[str]] = {}
    for name, shape in puzzle.tables.items():
        alike.setdefault(" ".join(shape.split()), []).append(name)
    turns, orders = _listable(puzzle, list(alike.values()))
    tables = [name for names in alike.values() for name in names]
    for chosen, order in product(product(*(turns[name] for name in tables)), product(*orders)):
        becomes = dict(zip(tables, (name for names in order for name in names), strict=True))
        move: dict[Seat, Seat] = {
            (name, seat): (becomes[name], image)
            for name, (_, images) in zip(tables, chosen, strict=True)
            for seat, image in enumerate(images, 1)
        }
        if all({move[seat] for seat in seats} == seats for seats in fixed):
            images = {Seated(guest, seat): Seated(guest, to) for guest in puzzle.guests for seat, to in move.items()}
            kept = {Kept(place): Kept(place) for place in puzzle.every_rule}
            yield Symmetry(_level(becomes, chosen), {**images, **kept})


def _level(becomes: dict[str, str], chosen: Sequence[Turn]) -> Literal["rotation", "reflection", "all"]:
    if any(name != image for name, image in becomes.items()):
        return "all"
    return "reflection" if any(level == "reflection" for level, _ in chosen) else "rotation"


def _listable(
    puzzle: SeatingData, alike: Sequence[Sequence[str]]
) -> tuple[Mapping[str, Sequence[Turn]], list[list[tuple[str, ...]]]]:
    """The symmetries of each table, and the orders of equal tables; fewer of them if all would be too many to list."""
    size = len(puzzle.guests) * len(puzzle.seats)
    turns = {name: table.turns for name, table in puzzle.shapes.items()}
    rotations = {name: tuple(turn for turn in every if turn[0] == "rotation") for name, every in turns.items()}
    as_they_are = [[tuple(names)] for names in alike]
    exchanges = math.prod(math.factorial(len(names)) for names in alike)
    if size * _number(turns) * exchanges <= MAX_LISTED_ENTRIES:
        return turns, [list(permutations(names)) for names in alike]
    for fewer in (turns, rotations):
        if size * _number(fewer) <= MAX_LISTED_ENTRIES:
            return fewer, as_they_are
    return {name: every[:1] for name, every in turns.items()}, as_they_are


def _number(turns: Mapping[str, Sequence[Turn]]) -> int:
    return math.prod(map(len, turns.values()))
