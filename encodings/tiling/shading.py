"""What pictures of tilings share: the colours of cells, the cells left over, and the marked ones."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from jigsat.encodings.tiling.data import Placement, TilingData

from jigsat.boards.lattice import Cell
from jigsat.pictures import paints, swatches
from jigsat.pieces.cells import ANY_COLOUR

GROUND = {"b": "#222222", "w": "#ffffff", ANY_COLOUR: "#f4f4f4"}
"""The characters for cells of some colours."""


def fill_colours(puzzle: TilingData) -> dict[str, str]:
    """The fill of each colour of a cell, as #rrggbb."""
    characters = {shade for drawn in (puzzle.cells, *puzzle.drawn.values()) for shade in drawn.values()}
    return {label: paint.fill for label, paint in paints(sorted(characters), given=GROUND | puzzle.colours).items()}


def piece_colours(puzzle: TilingData, placements: Sequence[Placement]) -> list[str]:
    """The colour of each placement: that of its piece if each is used at most once, so that it is the same in every picture."""
    names, once = list(puzzle.pieces), all(puzzle.number_of_uses(name).most == 1 for name in puzzle.pieces)
    numbers = (names.index(placement.piece) if once else i for i, placement in enumerate(placements))
    return [swatches()[number % len(swatches())] for number in numbers]


def left_over(puzzle: TilingData, placements: Sequence[Placement]) -> Collection[Cell]:
    """The cells that a solution leaves over; none for a part of a solution."""
    free = puzzle.cells.keys() - {cell for placement in placements for cell in placement.cells}
    least, most = puzzle.empty
    return free if least <= len(free) <= most and free <= puzzle.optional_cells else ()


def shared_cells(placements: Sequence[Placement], marked: Collection[Placement]) -> frozenset[Cell]:
    """The cells shared by all marked placements that are not in the picture; if they share none, all of their cells."""
    missing = [frozenset(placement.cells) for placement in marked if placement not in placements]
    return frozenset.intersection(*missing) or frozenset.union(*missing) if missing else frozenset()
