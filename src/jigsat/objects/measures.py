"""The measures of objects, and where they lie on a sheet of material or on the bed of a printer."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import NamedTuple

from jigsat.errors import InputError
from jigsat.pieces.blocks import Block

INSTALL = "pip install 'jigsat[objects]'"
GAP_MM = 4.0  # between two pieces, and around all


@dataclass(frozen=True)
class Measures:
    """Lengths in millimetres.

    `clearance` is how far each side of a piece lies behind the side of its cells, so two
    neighbours are two clearances apart. `kerf` is the width of what a laser burns away.
    `thickness` is that of flat pieces; None is one half of a cell.
    """

    cell: float = 10.0
    thickness: float | None = None
    clearance: float = 0.1
    kerf: float = 0.15
    material: tuple[float, float] = (300.0, 200.0)

    def __post_init__(self) -> None:
        if self.cell <= 0 or min(self.material) <= 0:
            raise InputError("a cell and the material have a positive size in millimetres")
        if self.thickness is not None and self.thickness <= 0:
            raise InputError("the thickness is a positive number of millimetres")
        if self.clearance < 0 or self.kerf < 0:
            raise InputError("clearance and kerf are not negative")
        if 2 * self.clearance >= self.cell:
            raise InputError(
                f"the clearance of {self.clearance:g} mm on both sides leaves nothing of a cell "
                f"of {self.cell:g} mm"
            )

    def height_of(self, block: Block) -> float:
        """The height of a layer of the piece."""
        if not block.any_thickness:
            if self.thickness not in (None, self.cell):
                raise InputError(
                    f"piece {block.name}: a layer is as thick as a cell is wide, "
                    f"{self.cell:g} mm; leave the thickness out"
                )
            return self.cell
        return self.cell / 2 if self.thickness is None else self.thickness


def read_material(text: str) -> tuple[float, float]:
    """The size of a sheet, such as '300x200', in millimetres. Raises InputError.

    >>> read_material("300x200")
    (300.0, 200.0)
    """
    width, _, height = text.lower().replace("×", "x").partition("x")
    try:
        return float(width), float(height)
    except ValueError:
        raise InputError(
            f"--material: expected width x height in millimetres, such as 300x200; got {text!r}"
        ) from None


def require_libraries(*names: str) -> None:
    """Raise InputError for the first of these libraries that cannot be loaded."""
    for name in names:
        try:
            import_module(name)
        except ImportError as error:
            raise InputError(
                f"{error.name} cannot be loaded; install it with: {INSTALL}"
            ) from error


class Place(NamedTuple):
    """Where the lower left corner of a piece lies, on which sheet."""

    sheet: int
    x: float
    y: float


def lay_out(sizes: Sequence[tuple[float, float]], material: tuple[float, float]) -> list[Place]:
    """The places of rectangles, in rows from the left. Raises InputError if one is too large.

    >>> lay_out([(40, 10), (40, 10), (40, 10)], (100, 40))
    [Place(sheet=0, x=4.0, y=4.0), Place(sheet=0, x=48.0, y=4.0), Place(sheet=0, x=4.0, y=18.0)]
    """
    places = []
    sheet, x, y, row_height = 0, GAP_MM, GAP_MM, 0.0
    for width, height in sizes:
        if width + 2 * GAP_MM > material[0] or height + 2 * GAP_MM > material[1]:
            raise InputError(
                f"a piece of {width:.0f} × {height:.0f} mm does not fit on material of "
                f"{material[0]:g} × {material[1]:g} mm"
            )
        if x + width + GAP_MM > material[0]:  # the next row
            x, y, row_height = GAP_MM, y + row_height + GAP_MM, 0.0
        if y + height + GAP_MM > material[1]:
            sheet, x, y, row_height = sheet + 1, GAP_MM, GAP_MM, 0.0
        places.append(Place(sheet, x, y))
        x += width + GAP_MM
        row_height = max(row_height, height)
    return places


def list_copies(blocks: Iterable[Block]) -> list[Block]:
    """Each piece as often as it is needed."""
    return [block for block in blocks for _ in range(block.count)]
