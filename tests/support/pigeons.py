"""A puzzle that is easy at first and then too hard, for tests of searches that do not end."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from jigsat.formula.formula import Formula
from jigsat.puzzle import Puzzle


class Placement(NamedTuple):
    """The chosen way out."""

    way: int


class Pigeons(Puzzle):
    """Take one of the ways 1 to `easy`; or way 0, which requires 13 pigeons in 12 holes."""

    family = "pigeons"
    easy: int = 5
    refused: tuple[int, ...] = ()

    def encode(self) -> Formula:
        formula = Formula()
        # in this order the solvers try the easy ways first
        hard = formula.variables("way", Placement._fields, [Placement(0)])(0)
        lives = formula.variables(
            "lives",
            ("pigeon", "hole"),
            [(p, h) for p in range(13) for h in range(12)],
            decision=False,
        )
        way = formula.variables(
            "way", Placement._fields, [Placement(i) for i in range(1, self.easy + 1)]
        )
        formula.exactly_one(way[:])
        for pigeon in range(13):
            formula.implies(hard, *lives[pigeon, :])
        for hole in range(12):
            formula.at_most_one(lives[:, hole])
        return formula

    def check(self, placements: Sequence[Placement]) -> Iterator[str]:
        for placement in placements:
            if placement.way in (0, *self.refused):
                yield f"way {placement.way} is closed"

    def text(self, placements: Sequence[Placement]) -> str:
        return str(placements)

    svg = text
