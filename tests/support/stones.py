"""A family that is not on the kit: one stone in each row and column of a square with blocked cells."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple, Self

from pydantic import PositiveInt, model_validator

import jigsat

Cell = tuple[int, int]


class Placement(NamedTuple):
    """There is a stone on this cell. A solution is a set of placements; add a field, such as `piece: str`, if needed."""

    cell: Cell  # row and column, counted from 0


@jigsat.register
class SunMoon(jigsat.Puzzle[Placement]):
    """A square board on which some cells are blocked."""

    family = "sun-moon"  # the entry `family` of instance files
    cell_field = "cell"  # the field of a placement that holds its cell; `piece_field` names what is placed there, if any

    # The entries of an instance file. Editors show the docstrings; see `jigsat schema`.

    size: PositiveInt
    """The number of rows and of columns."""
    blocked: tuple[Cell, ...] = ()
    """The cells that stay empty, each as [row, column]."""

    @model_validator(mode="after")
    def _consistent(self) -> Self:
        """Optional: raise ValueError, beginning with the place in the file, if entries contradict each other."""
        for i, cell in enumerate(self.blocked):
            if not all(0 <= number < self.size for number in cell):
                raise ValueError(
                    f"blocked.{i}: there is no cell {list(cell)} on a board of size {self.size}"
                )
        return self

    def encode(self) -> jigsat.Formula:
        """The rules as constraints. The names of the groups appear in `explain`, in exported files and in proofs."""
        formula, size = jigsat.Formula(), range(self.size)
        stone = formula.variables(
            "stone", ["cell"], [Placement((row, column)) for row in size for column in size]
        )
        with formula.rule("each row has one stone"):
            for row in size:
                formula.exactly_one(stone((row, column)) for column in size)
        with formula.rule("each column has one stone"):
            for column in size:
                formula.exactly_one(stone((row, column)) for row in size)
        with formula.rule("blocked cells stay empty"):
            for cell in self.blocked:
                formula.clause([-stone(cell)])
        return formula

    def check(self, placements: Sequence[Placement]) -> Iterator[str]:
        """Yield one sentence per broken rule. Write this from the rules of the puzzle; share nothing with `encode`."""
        for axis, line in enumerate(("row", "column")):
            used = sorted(placement.cell[axis] for placement in placements)
            if used != list(range(self.size)):
                yield f"not every {line} has exactly one stone"
        for placement in placements:
            if placement.cell in self.blocked:
                yield f"there is a stone on the blocked cell {placement.cell}"


if __name__ == "__main__":
    jigsat.main()
