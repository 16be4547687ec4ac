"""Text pictures with colours, which a terminal can show; everywhere else they are ordinary text."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Self

Position = tuple[int, int]  # column and row of a character


class Painted(str):
    """A text picture, some of whose characters have a colour, `#rrggbb`. String operations return text without colours.

    >>> picture = Painted("ab", {(1, 0): "#ff0000"})
    >>> print(picture)
    ab
    >>> picture.above("c").colours
    {(1, 0): '#ff0000'}
    """

    colours: Mapping[Position, str]

    def __new__(cls, text: str, colours: Mapping[Position, str]) -> Self:
        painted = super().__new__(cls, text)
        painted.colours = colours
        return painted

    def above(self, *lines: str) -> Painted:
        """The picture with lines below it; empty ones are left out."""
        return Painted("\n".join(filter(None, [str(self), *lines])), self.colours)
