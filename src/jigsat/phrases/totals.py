"""Numbers that add up to a total."""

from __future__ import annotations

from collections.abc import Sequence

from jigsat.facts import Adds
from jigsat.phrases.text import join_and, join_or, unique
from jigsat.puzzle import Way

MAX_NAMED = 4  # number of cells that a sentence names


def list_reasons(way: Way, fact: Adds) -> list[str]:
    """What the total is, and how what is left of it can be written as a sum."""
    total = f"{way.rule(fact.rules[0])} says {fact.total}"
    placed = unique(map(way.place, fact.basis.placed))
    if placed:
        have = "have" if len(placed) > 1 else "has"
        total = f"{total}, of which {name_cells(placed)} {have} {fact.total - fact.rest}"
    say = {
        "sums": _say_sums,
        "pairs": _say_pairs,
        "least": _say_bound,
        "most": _say_bound,
        "none": _say_none,
    }
    cells = [way.rule(choice.rule) for choice in fact.choices]
    return [total, *say[fact.kind](way, fact, cells)]


def _say_sums(way: Way, fact: Adds, cells: Sequence[str]) -> list[str]:
    """The sums that are left, in no order."""
    if len(cells) == 1:
        return []
    other = "the other " if fact.rest < fact.total else ""
    return [f"Of what is left there, only {_join_sums(fact)} makes {other}{fact.rest}"]


def _say_pairs(way: Way, fact: Adds, cells: Sequence[str]) -> list[str]:
    """The pairs that are left for two cells."""
    return [f"Of what is left for {add(cells)}, only {_join_sums(fact)} makes {fact.rest}"]


def _join_sums(fact: Adds) -> str:
    return join_or(list(map(add, fact.ways)))


def _say_bound(way: Way, fact: Adds, cells: Sequence[str]) -> list[str]:
    """That the other cells have too much or too little."""
    (numbers,) = fact.ways
    bound = sum(numbers)
    if len(numbers) > 1:
        words = f"{name_cells(cells[1:])} add up to at {fact.kind} {bound} ({add(numbers)})"
    else:
        words = f"{cells[1]} has at {fact.kind} {bound}"
    opposite = "most" if fact.kind == "least" else "least"
    return [words, f"That leaves at {opposite} {fact.rest - bound} for {cells[0]}"]


def _say_none(way: Way, fact: Adds, cells: Sequence[str]) -> list[str]:
    """That what is left in the other cells does not add up."""
    numbers = [way.thing(placement) for placement in fact.conclusion.excluded]
    needed = [str(fact.rest - int(number)) for number in numbers]
    others = "the others have" if len(cells) > 2 else f"{cells[1]} has"
    return [
        f"If {cells[0]} is {join_or(numbers)}, {others} to make {join_or(needed)}",
        f"What is left in {name_cells(cells[1:])} cannot do that",
    ]


def conclude(way: Way, fact: Adds) -> list[str]:
    """Which numbers are left, if these are few and many others drop out; else nothing."""
    numbers = sorted({number for numbers in fact.ways for number in numbers})
    few = len(numbers) <= MAX_NAMED < len(fact.conclusion.excluded)
    if fact.kind != "sums" or fact.conclusion.placed or not few:
        return []
    cells = name_cells([way.rule(choice.rule) for choice in fact.choices])
    return [f"So only {join_or(list(map(str, numbers)))} can {way.verb.bare} {cells}"]


def name_cells(cells: Sequence[str]) -> str:
    """Few cells by their names; many as the others."""
    if len(cells) > MAX_NAMED:
        return "the other cells"
    return join_and(cells)


def add(parts: Sequence[object]) -> str:
    """Such as '1 + 3'."""
    return " + ".join(map(str, parts))
