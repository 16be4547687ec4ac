"""Brief searches for the solutions of many puzzles that differ only in their clues, by the engine for exact covers.

It needs an eighth of CaDiCaL's time for a hard 9×9 sudoku. What it does not finish soon is left to `Shared`.
"""

from __future__ import annotations

from collections.abc import Generator

from jigsat.backends import CluedCovers, Restriction
from jigsat.formula import Formula
from jigsat.search import clued_covers
from jigsat.solving.shared import Clues, Seen
from jigsat.symmetry import Model, Placement

NODES = 5_000
"""The number of nodes of a brief search, which takes some milliseconds; a hard 9×9 sudoku takes 120."""


class Covering:
    """A formula without clues as an exact cover, which is searched with the clues of one puzzle after another."""

    def __init__(self, formula: Formula, covers: CluedCovers) -> None:
        self._covers = covers
        self._variables = {formula.key(variable): variable for variable in formula.decisions()}
        self._restrictions: dict[frozenset[Placement], Restriction | None] = {}

    @classmethod
    def of(cls, formula: Formula) -> Covering | None:
        """The searches of a formula; None if the engine does not suit it."""
        covers = clued_covers(formula)
        return cls(formula, covers) if covers else None

    def search(self, clues: Clues, seen: Seen) -> Generator[Model, None, bool]:
        """A model of each orbit that a brief search finds and that satisfies the clues; returns whether there are no others."""
        restrictions = []
        for clue in clues.values():
            if (restriction := self._restriction(clue)) is None:
                return False
            restrictions.append(restriction)
        self._covers.restart(restrictions)
        more = True
        while more and (left := NODES - self._covers.nodes) > 0:
            found, more = self._covers.part(left)
            for model in found:
                if model not in seen:
                    yield model
                    seen.add(model)
        return not more

    def _restriction(self, clue: frozenset[Placement]) -> Restriction | None:
        try:
            return self._restrictions[clue]
        except KeyError:
            variables = {variable for placement in clue if (variable := self._variables.get(placement))}
            self._restrictions[clue] = self._covers.restriction(variables)
            return self._restrictions[clue]
