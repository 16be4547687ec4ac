"""Pieces that are sets of coloured cells of a lattice: placements, kinds of equal pieces, and symmetries.

`jigsat.pieces.rims` is the counterpart for pieces with a rim.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from jigsat.boards.lattice import Cell, Motion, motions, shifted
from jigsat.symmetry import Placement, Symmetry

ANY_COLOUR = "#"
"""The character of a cell without a colour; it matches every colour."""

Cells = Mapping[Cell, str]
Look = frozenset[tuple[Cell, str]]


@dataclass(frozen=True)
class ShapeKind:
    """Pieces that are equal up to an allowed motion, including their colours; `name` is the name of the first.

    The kind is used `least` to `most` times. `ways` maps each appearance of the piece at the origin to its cells, in the order
    in which they are drawn.
    """

    name: str
    least: int
    most: int
    colours: tuple[str, ...]
    ways: Mapping[Look, tuple[Cell, ...]]


@dataclass(frozen=True)
class ShapePlacement:
    """A piece of a kind, placed on the board."""

    kind: ShapeKind
    cells: tuple[Cell, ...]

    @property
    def look(self) -> Look:
        """The cells with the piece's colours."""
        return look(self.cells, self.kind.colours)


def look(cells: Collection[Cell], colours: Collection[str]) -> Look:
    """The set of cells with their colours."""
    return frozenset(zip(cells, colours, strict=True))


def allowed(dimension: int, *, turning: bool, turning_over: bool) -> list[Motion]:
    """The motions that a piece may undergo. Turning over is a reflection in the plane; in space it is an ordinary rotation."""
    every, over = motions(dimension), turning_over and dimension == 2
    if turning:
        return [motion for motion in every if over or not motion.mirrored]
    return [every[0], Motion((0, 1), (1, -1))] if over else every[:1]


def shape_kinds(pieces: Mapping[str, Cells], uses: Mapping[str, tuple[int, int]], by: Collection[Motion]) -> list[ShapeKind]:
    """The kinds of the pieces, ordered by their first pieces."""
    found: dict[frozenset[Look], ShapeKind] = {}
    for name, piece in pieces.items():
        ways: dict[Look, tuple[Cell, ...]] = {}
        for motion in by:
            cells = motion.apply(piece)
            ways.setdefault(look(cells, piece.values()), cells)
        (least, most), looks = uses[name], frozenset(ways)
        if first := found.get(looks):
            found[looks] = replace(first, least=first.least + least, most=first.most + most)
        else:
            found[looks] = ShapeKind(name, least, most, tuple(piece.values()), ways)
    return list(found.values())


def shape_placements(board: Cells, kinds: Collection[ShapeKind]) -> Iterator[ShapePlacement]:
    """Every placement of a piece on cells of the board with matching colours."""
    for kind in kinds:
        for way in kind.ways.values():
            for first in board:
                cells = shifted(way, tuple(x - y for x, y in zip(first, way[0], strict=True)))
                if all(_matches(colour, board.get(cell)) for cell, colour in zip(cells, kind.colours, strict=True)):
                    yield ShapePlacement(kind, cells)


def _matches(colour: str, cell_colour: str | None) -> bool:
    return cell_colour is not None and (colour == cell_colour or ANY_COLOUR in (colour, cell_colour))


def shape_symmetries(board: Cells, candidates: Mapping[Placement, ShapePlacement]) -> Iterator[Symmetry]:
    """The motions that map the board onto itself and each kind of piece to a kind that is used equally often."""
    where: dict[Any, Placement] = {(shape.kind.name, shape.look): placement for placement, shape in candidates.items()}
    kinds = {frozenset(shape.kind.ways): shape.kind for shape in candidates.values()}
    for motion in motions(len(next(iter(board)))):
        to = dict(zip(board, motion.apply(board), strict=True))
        if {to[cell]: colour for cell, colour in board.items()} != board:
            continue
        kind_image: dict[str, str] = {}
        for ways, kind in kinds.items():
            image = kinds.get(frozenset(look(motion.apply(kind.ways[way]), kind.colours) for way in ways))
            if image is None or (image.least, image.most) != (kind.least, kind.most):
                break
            kind_image[kind.name] = image.name
        else:
            images = {
                placement: where[kind_image[shape.kind.name], frozenset((to[cell], colour) for cell, colour in shape.look)]
                for placement, shape in candidates.items()
            }
            yield Symmetry(motion.level, images)
