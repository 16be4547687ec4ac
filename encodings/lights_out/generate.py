"""Options for generating Lights Out: lights that only one set of at most as many presses as
requested puts out.

The lights are the data, and a set of presses of the requested size is the solution. A
counterexample puts out the same lights with as few presses. The cells in which the two sets differ
form a set of presses that switches nothing. To exclude the counterexample, the solution must not
contain half of that set or more.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from functools import reduce
from operator import xor

from jigsat.encodings.lights_out.check import reached_lights
from jigsat.encodings.lights_out.data import Press
from jigsat.encodings.lights_out.rules import LightsOut
from pydantic import PositiveInt, model_validator

from jigsat.boards import BoardName, board_named, title_board
from jigsat.formula import Cardinality, Constraint, Formula
from jigsat.generation.counterexamples import CounterexampleGuidedGenerator, PuzzleSpace
from jigsat.generation.generator import Generator, GeneratorOptions
from jigsat.puzzle import Puzzle
from jigsat.symmetry import Model
from jigsat.words import plural


class Options(GeneratorOptions):
    """A board, and the minimum number of presses that put out all its lights, which only one set of
    cells reaches."""

    single = "only one set of cells reaches the minimum of presses; leave the entry out"
    board: BoardName = "square 5x5"
    presses: PositiveInt = 8

    @model_validator(mode="after")
    def _consistent(self) -> Options:
        if self.presses > (cells := len(board_named(self.board).cells)):
            raise ValueError(f"presses: {self.presses}, but {self.board} has {cells} cells")
        return self

    def build_generator(self) -> Generator:
        return CounterexampleGuidedGenerator(Lights(self))


class Lights(PuzzleSpace):
    """The presses of the solution. The lights that they put out follow from them."""

    minimizes = True

    def __init__(self, options: Options) -> None:
        self.options = options
        self.proposals = formula = Formula()
        self.data = ()
        with formula.rule("the requested number of presses"):
            self.press = formula.variables(
                "press", Press._fields, map(Press, board_named(options.board).cells)
            )
            formula.exactly(options.presses, self.press[:])

    def draw(self, rng: random.Random) -> list[int]:
        return rng.sample(self.press[:], self.options.presses)

    def exclude(
        self, model: Model, puzzle: Puzzle, other: Sequence[Press], new: Callable[[], int]
    ) -> Iterator[Constraint]:
        quiet = sorted(model.intersection(self.press[:]) ^ {self.press(*press) for press in other})
        yield Cardinality(tuple(quiet), 0, (len(quiet) - 1) // 2)

    def puzzle(self, model: Model, rng: random.Random) -> tuple[LightsOut, list[Press]]:
        title = (
            f"Lights Out {title_board(self.options.board)}, {plural(self.options.presses, 'press')}"
        )
        dark = LightsOut(title=title, board=self.options.board, lit="all")  # type: ignore[arg-type]
        presses = [Press(*self.proposals.key(x)) for x in self.press[:] if x in model]
        reach = reached_lights(dark.surface)
        lit = reduce(xor, (reach[press.cell] for press in presses))
        rows = tuple("".join("#" if cell in lit else "." for cell in line) for line in dark.lines)
        return LightsOut(title=title, board=self.options.board, lit=rows), presses
