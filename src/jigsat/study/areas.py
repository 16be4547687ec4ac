"""What rules are about: places of the board, and pieces."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from itertools import chain
from typing import NamedTuple

from jigsat.formula import Constraint
from jigsat.study.playing import Candidate, Playing


class Area(NamedTuple):
    """What a rule is about: places of the board and pieces; no places if it is about few pieces or
    everything.
    """

    places: set[Hashable]
    pieces: set[str]


def find_area(playing: Playing, name: str, constraints: Iterable[Constraint]) -> Area:
    """The place that the name of a rule has, or those that all of its placements take, or any of
    them; and the pieces.
    """
    variables = {abs(literal) for constraint in constraints for literal in constraint[0]}
    own = [playing.candidates[x] for x in variables if x in playing.candidates]
    pieces = {candidate.piece for candidate in own}
    few = pieces if 2 * len(pieces) <= len(playing.copies) else set[str]()

    common = _find_common_places(playing, name, own)
    if common:
        everything = common >= playing.places.keys()
        return Area(set() if everything else common, few)
    about = set(chain.from_iterable(candidate.places for candidate in own))
    about |= _find_named_places(playing, variables)
    if few or about >= playing.places.keys():
        return Area(set(), few)
    return Area(about, few)


def _find_common_places(playing: Playing, name: str, own: list[Candidate]) -> set[Hashable]:
    """The place that a rule is about, or those that all of its placements take."""
    thing = playing.formula.things.get(name)
    area_rules = playing.puzzle.way().area_rules
    if thing and thing.which in playing.places and thing.noun not in area_rules:
        return {thing.which}
    if not own:
        return set()
    return set(own[0].places).intersection(*(candidate.places for candidate in own))


def _find_named_places(playing: Playing, variables: Iterable[int]) -> set[Hashable]:
    """The cells in the names of variables."""
    cells: set[Hashable] = set()
    for name in map(playing.formula.name, variables):
        for axis, value in zip(name.axes, name.key, strict=True):
            if axis == playing.puzzle.cell_field:
                cells.add(value)
    return cells
