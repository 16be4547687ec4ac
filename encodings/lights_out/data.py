"""The entries of a Lights Out instance: a board and its lit cells."""

from functools import cached_property
from itertools import groupby
from typing import NamedTuple, Self

from pydantic import model_validator

from jigsat.boards import Board, BoardName, Cell, board_named
from jigsat.boards.drawings import DrawnRows
from jigsat.pictures import text_layout
from jigsat.puzzle import Puzzle

LIT, DARK = "#1", ".0"


class Press(NamedTuple):
    """The cell is pressed."""

    cell: Cell


class LightsOutData(Puzzle[Press]):
    family = "lights-out"
    chapter = "Lights Out"
    rule = (
        "Put out all lights; pressing a cell switches its light and those of the cells beside it."
    )
    cell_field = "cell"

    board: BoardName
    """The board: a name such as "square 5x5", or a drawing."""
    lit: DrawnRows
    """The lights that are lit: "all", or the board drawn with # or 1 for a lit cell and . or 0 for
    a dark one."""

    @model_validator(mode="after")
    def _consistent(self) -> Self:
        lines = self.lines
        if self.lit == ("all",):
            return self
        if len(self.lit) != len(lines):
            raise ValueError(
                f"lit: {len(self.lit)} rows, but {self.surface.name} has {len(lines)}; or write "
                f"lit = 'all'"
            )
        for i, (row, cells) in enumerate(zip(self.lit, lines, strict=True), 1):
            if len(row) != len(cells):
                raise ValueError(
                    f"lit: row {i} has {len(row)} characters, but this row of "
                    f"{self.surface.name} has {len(cells)} cells"
                )
            for j, character in enumerate(row, 1):
                if character not in LIT + DARK:
                    raise ValueError(
                        f"lit: row {i}, column {j} is {character!r}; write # or 1 for lit, . or "
                        f"0 for dark"
                    )
        return self

    @cached_property
    def surface(self) -> Board:
        return board_named(self.board)

    @cached_property
    def lines(self) -> list[list[Cell]]:
        """The cells in the order in which they are drawn."""
        layout = text_layout(self.surface)
        in_order = sorted(layout, key=lambda cell: layout[cell][::-1])
        return [list(line) for _, line in groupby(in_order, key=lambda cell: layout[cell][1])]

    @cached_property
    def lights(self) -> frozenset[Cell]:
        if self.lit == ("all",):
            return frozenset(self.surface.cells)
        rows = zip(self.lit, self.lines, strict=True)
        return frozenset(
            cell for row, cells in rows for c, cell in zip(row, cells, strict=True) if c in LIT
        )
