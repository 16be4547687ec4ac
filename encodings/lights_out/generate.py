"""Lights Out to be made: lights that go out, and not with fewer presses than are wished for.

Which lights are lit is the data; the presses, so many as are wished for, are the solution. A rival puts out the same lights
with fewer presses. What the two differ in switches nothing, and rules out that more than half of it is pressed.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from functools import reduce
from operator import xor

from jigsat.encodings.lights_out.check import reached
from jigsat.encodings.lights_out.data import Press
from jigsat.encodings.lights_out.rules import LightsOut
from pydantic import PositiveInt, model_validator

from jigsat.boards import BoardName, named
from jigsat.formula import Cardinality, Constraint, Formula
from jigsat.generation import Inventing, Invention, Maker
from jigsat.generation import Wishes as BaseWishes
from jigsat.puzzle import Puzzle
from jigsat.symmetry import Model


class Wishes(BaseWishes):
    """Lights on this board that take so many presses at least, and no fewer."""

    board: BoardName = "square 5x5"
    presses: PositiveInt = 8

    @model_validator(mode="after")
    def _consistent(self) -> Wishes:
        if self.presses > (cells := len(named(self.board).cells)):
            raise ValueError(f"presses: {self.board} has {cells} cells to press")
        return self

    def maker(self) -> Maker:
        return Inventing(Lights(self))


class Lights(Invention):
    """The presses that are needed; the lights that they put out follow from them."""

    minimizes = True

    def __init__(self, wishes: Wishes) -> None:
        self.wishes = wishes
        self.proposals = formula = Formula()
        self.data = ()
        with formula.group("so many presses"):
            self.press = formula.variables("press", Press._fields, map(Press, named(wishes.board).cells))
            formula.exactly(wishes.presses, self.press[:])

    def draw(self, rng: random.Random) -> list[int]:
        return rng.sample(self.press[:], self.wishes.presses)

    def against(self, true: Model, puzzle: Puzzle, rival: Sequence[Press], new: Callable[[], int]) -> Iterator[Constraint]:
        quiet = sorted(true.intersection(self.press[:]) ^ {self.press(*press) for press in rival})
        yield Cardinality(tuple(quiet), 0, len(quiet) // 2)

    def puzzle(self, true: Model, rng: random.Random) -> tuple[LightsOut, list[Press]]:
        title = f"Lights Out, {self.wishes.presses} presses"
        dark = LightsOut(title=title, board=self.wishes.board, lit="all")  # type: ignore[arg-type]
        presses = [Press(*self.proposals.key(x)) for x in self.press[:] if x in true]
        reach = reached(dark.surface)
        lit = reduce(xor, (reach[press.cell] for press in presses))
        rows = tuple("".join("#" if cell in lit else "." for cell in line) for line in dark.lines)
        return LightsOut(title=title, board=self.wishes.board, lit=rows), presses
