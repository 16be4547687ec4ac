"""Sets of cells of the square or the cubic lattice: reading them from drawings, and the motions of the lattice.

A drawing is rows of characters. Each character is a cell but the full stop, which is none; in space, layers follow each
other from top to bottom with a blank line between them. A cell is (row, column) or (layer, row, column).

>>> cells(".x\\nxx", 2)
{(0, 1): 'x', (1, 0): 'x', (1, 1): 'x'}
>>> len(motions(2)), len([motion for motion in motions(3) if not motion.mirrored])
(8, 24)
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import combinations, permutations, product
from typing import Annotated, Literal, NamedTuple

from pydantic import AfterValidator

Cell = tuple[int, ...]
NO_CELL = "."

MOST_CELLS = 1_000_000
"""No board and no drawing has more cells."""


def readable(text: str) -> str:
    """The text of a drawing, which must have 1 to MOST_CELLS cells and no blanks. Raises ValueError, naming the row."""
    rows = text.strip("\n").splitlines()
    number = sum(len(row.strip()) - row.count(NO_CELL) for row in rows)
    if number > MOST_CELLS:
        raise ValueError(f"{number:,} cells are too many; a drawing has at most {MOST_CELLS:,}")
    for i, row in enumerate(rows, 1):
        if any(character.isspace() for character in row.rstrip()):
            raise ValueError(f"row {i} has a blank in it; draw {NO_CELL} where there is no cell")
    if not any(set(row.strip()) - {NO_CELL} for row in rows):
        raise ValueError("there is no cell in this drawing")
    return text


Drawing = Annotated[str, AfterValidator(readable)]
"""A drawing in an instance file."""


def layers(drawing: str) -> list[list[str]]:
    """The rows of each layer; a drawing in the plane has one layer."""
    found: list[list[str]] = [[]]
    for row in drawing.strip().splitlines():
        if row.strip():
            found[-1].append(row.rstrip())
        elif found[-1]:
            found.append([])
    return found


def cells(drawing: str, dimension: int) -> dict[Cell, str]:
    """The cells of a drawing with their characters, row by row; the least coordinate along each axis is 0."""
    drawn = {
        (z, y, x)[-dimension:]: character
        for z, layer in enumerate(layers(drawing))
        for y, row in enumerate(layer)
        for x, character in enumerate(row)
        if character != NO_CELL
    }
    return dict(zip(at_origin(drawn), drawn.values(), strict=True))


def shifted(cells: Iterable[Cell], by: Cell) -> tuple[Cell, ...]:
    """The cells moved along each axis by so much."""
    return tuple(tuple(x + dx for x, dx in zip(cell, by, strict=True)) for cell in cells)


def at_origin(cells: Iterable[Cell]) -> tuple[Cell, ...]:
    """The cells moved such that the least coordinate along each axis is 0."""
    cells = list(cells)
    return shifted(cells, tuple(-min(along) for along in zip(*cells, strict=True)))


class Motion(NamedTuple):
    """A turn or mirroring of the lattice: coordinate i of an image is signs[i] times coordinate axes[i]."""

    axes: tuple[int, ...]
    signs: tuple[int, ...]

    @property
    def mirrored(self) -> bool:
        """Whether left and right are exchanged: the determinant is -1."""
        inversions = sum(a > b for a, b in combinations(self.axes, 2))
        return (inversions + self.signs.count(-1)) % 2 == 1

    @property
    def level(self) -> Literal["rotation", "reflection"]:
        """The level of equivalence to which it belongs."""
        return "reflection" if self.mirrored else "rotation"

    def apply(self, cells: Iterable[Cell]) -> tuple[Cell, ...]:
        """The images of some cells, moved together to the origin."""
        return at_origin(tuple(sign * cell[axis] for axis, sign in zip(self.axes, self.signs, strict=True)) for cell in cells)


def motions(dimension: int) -> list[Motion]:
    """All motions that keep the origin, the identity first."""
    return [Motion(axes, signs) for axes in permutations(range(dimension)) for signs in product((1, -1), repeat=dimension)]
