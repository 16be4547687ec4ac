"""Placements in short, for lists: 'r1c3 = 5' or 'piece ww on r1c1–r2c1'."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from itertools import pairwise
from typing import Any

from jigsat.formula import Formula
from jigsat.puzzle import Puzzle
from jigsat.symmetry import Placement
from jigsat.words import name_place

TURNS = ("as drawn", "turned once", "turned twice")
"""How a piece is turned, by the number of its sides; more are counted."""

_PLACE = re.compile(r"(l\d+)?r\d+c\d+")

SIGNS = {
    "be": ("=", "≠"),
    "lie on": ("on", "not on"),
    "sit at": ("at", "not at"),
    "have": ("with", "without"),
}
"""How each verb is said of a placement that is made, and of one that is excluded."""


def _name_cell(name: str, cell_field: str | None) -> str:
    """A place, such as 'r1c2' or 'the top face'."""
    if _PLACE.fullmatch(name):
        return name
    if cell_field == "cell" and name.isalpha():
        return f"the {name} face"
    return f"{cell_field} {name}" if name else f"{cell_field} without a name"


def name_area(area: Sequence[Any]) -> str:
    """Cells in words, with those in a straight line as 'r1c2–r1c5'."""
    runs: list[list[Any]] = []
    for cell in area:
        if runs and _is_place(cell) and _goes_on(runs[-1], cell):
            runs[-1].append(cell)
        else:
            runs.append([cell])
    names = []
    for run in runs:
        if len(run) > 1:
            names.append(f"{name_place(run[0])}–{name_place(run[-1])}")
        else:
            names.append(name_place(tuple(run)))
    return " ".join(names)


def _goes_on(run: Sequence[Any], cell: Any) -> bool:
    """Whether a cell lies beside the last one of a run, in the direction of the run."""
    steps = set()
    for here, there in pairwise([*run[-2:], cell]):
        steps.add(tuple(y - x for x, y in zip(here, there, strict=True)))
    if len(steps) != 1:
        return False
    (step,) = steps
    return sorted(map(abs, step))[-2:] == [0, 1]


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


def _find_cell_field(placement: Placement) -> str | None:
    return next((name for name, value in placement._asdict().items() if _is_place(value)), None)


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
        if not fields:
            return f"{noun} {cell}", "", ""
        return _name_cell(cell, cell_field), "be", _name_fields(fields)
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
    return isinstance(value, tuple) and all(isinstance(part, tuple) for part in value)


def _name_fields(fields: Mapping[str, Any]) -> str:
    """The fields of a placement without its cell, such as 'r1c3 (turned twice)'."""
    is_over = "flipped" in fields
    is_turned = "turn" in fields and not (is_over and fields["turn"] == 0)
    silent = ("flipped",) if is_turned else ("flipped", "turn")
    words = [
        _name_field(name, value, bare=len(fields) == 1 or isinstance(value, tuple))
        for name, value in fields.items()
        if name not in silent
    ]

    # How often it is turned comes last.
    if is_over and is_turned:
        words.insert(len(words) - 1, "turned over and")
    elif is_over:
        words.append("turned over")

    if is_turned and any(map(_is_place, fields.values())):
        place, *manner = words
        return f"{place} ({' '.join(manner)})"  # the piece is turned, not the place
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
        table, number = value
        return f"{name} {number}" if table == "table" else f"{name} {number} of table {table}"
    return name_place(value) if bare else f"{name} {name_place(value)}"


def name_rules(puzzle: Puzzle, formula: Formula) -> dict[Placement, str]:
    """The sentences of rules that are placements themselves, such as the rules of a seating: each
    is about one of them."""
    names: dict[Placement, set[str]] = {}
    facts = {}
    for x in formula.decisions():
        key = formula.key(x)
        if len(key) == 1 and not puzzle.board_places(key):
            facts[x] = key
    if not facts:
        return {}
    for name, constraints in formula.list_rules().items():
        variables = {abs(literal) for constraint in constraints for literal in constraint[0]}
        for x in variables & facts.keys():
            names.setdefault(facts[x], set()).add(name)
    return {placement: name for placement, (name, *others) in names.items() if not others}
