"""Techniques for which solvers of sudokus and Latin squares have names, recognised from facts.

`name_technique` tries one recogniser after the other. A new technique is a function and an entry of
`RECOGNISERS`; a sentence of its own goes into `jigsat.phrases.numbers`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from jigsat.facts.kinds import Fact, Fills, LastPlace, LastThing, Placement

SET_NAMES = {2: "pair", 3: "triple", 4: "quadruple"}
FISH_NAMES = {2: "X-wing", 3: "swordfish", 4: "jellyfish"}
LINES = ("row", "column")
BLOCKS = ("box", "region")


def name_technique(fact: Fact) -> str:
    """The name of the technique, such as 'hidden pair'; empty if the fact is none of those with a
    name.
    """
    if isinstance(fact, LastThing):
        return "naked single"
    if isinstance(fact, LastPlace):
        return "hidden single"
    if isinstance(fact, Fills):
        for recognise in RECOGNISERS:
            name = recognise(fact)
            if name:
                return name
    return ""


def recognise_locked(fact: Fills) -> str:
    """Pointing and claiming: all that is left for a value in one house lies in another one."""
    if len(fact.choices) != 1:
        return ""
    house, other = fact.choices[0].rule.kind, fact.covers[0].rule.kind
    if house in BLOCKS and other in LINES:
        return "pointing"
    if house in LINES and other in BLOCKS:
        return "claiming"
    return ""


def recognise_naked_set(fact: Fills) -> str:
    """As many cells of a house as values that are left for them: no other cell of the house has
    these values.
    """
    houses = {cover.rule for cover in fact.covers}
    cells = all(choice.rule.kind == "cell" for choice in fact.choices)
    if cells and len(houses) == 1 and len(fact.choices) in SET_NAMES:
        return f"naked {SET_NAMES[len(fact.choices)]}"
    return ""


def recognise_hidden_set(fact: Fills) -> str:
    """As many values as cells that are left for them in a house: nothing else fits there."""
    houses = {choice.rule for choice in fact.choices}
    cells = all(cover.rule.kind == "cell" for cover in fact.covers)
    if cells and len(houses) == 1 and len(fact.choices) in SET_NAMES:
        return f"hidden {SET_NAMES[len(fact.choices)]}"
    return ""


def recognise_fish(fact: Fills) -> str:
    """A value in as many rows as columns that are left for it there: the columns have it nowhere
    else; or the reverse.
    """
    kinds = {choice.rule.kind for choice in fact.choices}
    crossing = {cover.rule.kind for cover in fact.covers}
    values = list_values(placement for choice in fact.choices for placement in choice.left)
    is_fish = (kinds, crossing) in (({"row"}, {"column"}), ({"column"}, {"row"}))
    if len(values) == 1 and is_fish:
        return FISH_NAMES.get(len(fact.choices), "")
    return ""


RECOGNISERS: tuple[Callable[[Fills], str], ...] = (
    recognise_locked,
    recognise_naked_set,
    recognise_hidden_set,
    recognise_fish,
)


def list_values(placements: Iterable[Placement]) -> list[str]:
    """The values of placements, each once."""
    return sorted({placement.value for placement in placements})
