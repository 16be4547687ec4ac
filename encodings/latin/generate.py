"""Options for generating Latin squares of any order, to be completed from their givens."""

from jigsat.encodings.latin.data import LETTERS
from jigsat.encodings.latin.rules import Latin
from pydantic import Field, NonNegativeInt

from jigsat.boards.drawings import BLANK, DIGITS
from jigsat.generation.clues import ClueOptions


class Options(ClueOptions):
    """The order, the number of orthogonal mates, and whether the diagonals hold each symbol
    once."""

    order: int = Field(default=6, ge=2, le=len(DIGITS))
    mates: NonNegativeInt = Field(default=0, le=len(LETTERS))
    diagonals: bool = False

    def blank(self) -> Latin:
        empty = (BLANK * self.order,) * self.order
        mates = "an orthogonal mate" if self.mates == 1 else f"{self.mates} orthogonal mates"
        title = f"A Latin square of order {self.order}" + (f" with {mates}" if self.mates else "")
        return Latin(title=title, grid=empty, mates=(empty,) * self.mates, diagonals=self.diagonals)
