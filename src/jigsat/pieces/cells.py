"""Pieces that are sets of coloured cells of a lattice: the ways they can lie, which are alike, and the symmetries.

It is for such pieces what `jigsat.pieces.rims` is for those with a rim.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from jigsat.boards.lattice import Cell, Motion, motions, shifted
from jigsat.symmetry import Placement, Symmetry

ANY_COLOUR = "#"
"""The character of a cell without a colour, which goes with every colour."""

Cells = Mapping[Cell, str]
Look = frozenset[tuple[Cell, str]]


@dataclass(frozen=True)
class ShapeKind:
    """Pieces that are equal up to an allowed motion, colours included; `name` is that of the first.

    They are used `least` to `most` times. `ways` has the cells of each look it can have, at the origin and in the order in
    which they are drawn.
    """

    name: str
    least: int
    most: int
    colours: tuple[str, ...]
    ways: Mapping[Look, tuple[Cell, ...]]


@dataclass(frozen=True)
class ShapePlacement:
    """A piece of a kind as it lies on the board."""

    kind: ShapeKind
    cells: tuple[Cell, ...]

    @property
    def look(self) -> Look:
        """The cells with the piece's colours."""
        return look(self.cells, self.kind.colours)


def look(cells: Collection[Cell], colours: Collection[str]) -> Look:
    """Cells with their colours, in no order."""
    return frozenset(zip(cells, colours, strict=True))


def allowed(dimension: int, *, turning: bool, turning_over: bool) -> list[Motion]:
    """The motions by which a piece may be laid. Turning over is left for right in the plane, a turn like others in space."""
    every, over = motions(dimension), turning_over and dimension == 2
    if turning:
        return [motion for motion in every if over or not motion.mirrored]
    return [every[0], Motion((0, 1), (1, -1))] if over else every[:1]


def shape_kinds(pieces: Mapping[str, Cells], uses: Mapping[str, tuple[int, int]], by: Collection[Motion]) -> list[ShapeKind]:
    """The kinds of the pieces, in the order of their first pieces."""
    found: dict[frozenset[Look], ShapeKind] = {}
    for name, piece in pieces.items():
        ways: dict[Look, tuple[Cell, ...]] = {}
        for motion in by:
            cells = motion.apply(piece)
            ways.setdefault(look(cells, piece.values()), cells)
        (least, most), alike = uses[name], frozenset(ways)
        if first := found.get(alike):
            found[alike] = replace(first, least=first.least + least, most=first.most + most)
        else:
            found[alike] = ShapeKind(name, least, most, tuple(piece.values()), ways)
    return list(found.values())


def shape_placements(board: Cells, kinds: Collection[ShapeKind]) -> Iterator[ShapePlacement]:
    """Every way a piece can lie on cells of the board that have its colours."""
    for kind in kinds:
        for way in kind.ways.values():
            for first in board:
                cells = shifted(way, tuple(x - y for x, y in zip(first, way[0], strict=True)))
                if all(_goes_with(colour, board.get(cell)) for cell, colour in zip(cells, kind.colours, strict=True)):
                    yield ShapePlacement(kind, cells)


def _goes_with(colour: str, there: str | None) -> bool:
    return there is not None and (colour == there or ANY_COLOUR in (colour, there))


def shape_symmetries(board: Cells, laid: Mapping[Placement, ShapePlacement]) -> Iterator[Symmetry]:
    """The motions that map the board onto itself, and each kind of piece to one that is used as often, perhaps another."""
    where: dict[Any, Placement] = {(lie.kind.name, lie.look): placement for placement, lie in laid.items()}
    kinds = {frozenset(lie.kind.ways): lie.kind for lie in laid.values()}
    for motion in motions(len(next(iter(board)))):
        to = dict(zip(board, motion.apply(board), strict=True))
        if {to[cell]: colour for cell, colour in board.items()} != board:
            continue
        becomes: dict[str, str] = {}
        for ways, kind in kinds.items():
            image = kinds.get(frozenset(look(motion.apply(kind.ways[way]), kind.colours) for way in ways))
            if image is None or (image.least, image.most) != (kind.least, kind.most):
                break
            becomes[kind.name] = image.name
        else:
            images = {
                placement: where[becomes[lie.kind.name], frozenset((to[cell], colour) for cell, colour in lie.look)]
                for placement, lie in laid.items()
            }
            yield Symmetry(motion.level, images)
