"""Tiling: pieces made of cells cover a board, in the plane or in space.

A piece may be shifted, turned and, in the plane, turned over; a coloured cell of it lies only on a cell of that colour or of
none. Every cell is covered once, or a stated number of cells is left over. Rules, variables and constraint groups, on a
board of n cells with p kinds of pieces that fit on it in w ways in all:

- `place(piece, cells)`: the piece covers these cells; w decision variables.
- `left(cell)`: the cell is left over; n auxiliary variables, none where every cell is covered.

- "every cell is covered once": n exactly-one, over the placements that cover the cell and 'it is left over'.
- "so many cells are left over": one exactly-k, or none.
- "every piece is used as often as it may be": p exactly-k or between, none for a piece that is there any number of times.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import cached_property
from itertools import combinations_with_replacement
from typing import Annotated, Any, NamedTuple

from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    NonNegativeInt,
    SerializerFunctionWrapHandler,
    model_serializer,
    model_validator,
)

from jigsat.boards.lattice import Cell, Drawing, cells, layers
from jigsat.formula import Formula
from jigsat.pictures import MARK, Colours, Part, Picture, Square, ink, paints, short_names, swatches, walled
from jigsat.pieces.cells import ANY_COLOUR, Kind, Look, Lying, allowed, kinds, lying, symmetries
from jigsat.printable import printable
from jigsat.puzzle import Puzzle
from jigsat.symmetry import Symmetry

from . import tiling_sheet

GROUND = {"b": "#222222", "w": "#ffffff", ANY_COLOUR: "#f4f4f4"}
"""How cells of some colours are drawn."""

ANY_NUMBER = 10**9
"""More than any board has cells."""


def _uses(data: Any) -> Any:
    match data:
        case int(number) if number >= 0 and not isinstance(data, bool):
            return number, number
        case [int(least), int(most)] if 0 <= least <= most:
            return least, most
        case "any":
            return 0, ANY_NUMBER
    raise ValueError('expected how often a piece is used: a number, [least, most] or "any"')


Uses = Annotated[tuple[int, int], BeforeValidator(_uses)]
"""The least and the most that a piece is used."""


class Placement(NamedTuple):
    """The piece covers these cells: the first of them with the first cell that is drawn of it, and so on."""

    piece: str
    cells: tuple[Cell, ...]


class Piece(BaseModel):
    """A piece as it is drawn; `uses` is how often, if that is not said of all pieces together."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    shape: Drawing
    uses: Uses | None = None

    @model_validator(mode="before")
    @classmethod
    def _only_drawn(cls, data: Any) -> Any:
        if not isinstance(data, (str, dict, Piece)):
            raise ValueError("a piece is its drawing in quotes, or a table with `shape`")
        return {"shape": data} if isinstance(data, str) else data

    @model_serializer(mode="wrap")
    def _only_shape(self, serialize: SerializerFunctionWrapHandler) -> Any:
        data = serialize(self)
        return data["shape"] if data.keys() == {"shape"} else data


class Tiling(Puzzle):
    """A board and pieces, drawn with one character a cell: # where it has no colour, else its colour; a full stop is no cell.

    `letters` is the board drawn once more with a letter on each cell. What the letters say is read off the cells that are left
    over or covered by a piece of one cell.
    """

    family = "tiling"
    piece_field = "piece"

    board: Drawing
    letters: Drawing | None = None
    pieces: dict[str, Piece] = Field(min_length=1)
    uses: Uses = (1, 1)
    left_over: NonNegativeInt = 0
    turning: bool = True
    turning_over: bool = True
    colours: Colours = Field(default_factory=dict)

    @classmethod
    def split(cls, data: dict[str, Any]) -> list[dict[str, Any]]:
        """One puzzle for each of `boards`: a drawing, or a table of the entries that this board has of its own."""
        if "boards" not in data:
            return [data]
        if not isinstance(data["boards"], list):
            raise ValueError("boards: write a list of boards")
        common = {key: value for key, value in data.items() if key != "boards"}
        return [common | (entry if isinstance(entry, dict) else {"board": entry}) for entry in data["boards"]]

    # -- what must hold of the data

    @model_validator(mode="after")
    def _consistent(self) -> Tiling:
        if self.lettered and self.lettered.keys() != self.cells.keys():
            raise ValueError("letters: these are not the cells of the board; draw a letter for each of its cells")
        if self.dimension == 3 and "turning_over" in self.model_fields_set:
            raise ValueError("turning_over: in space this is a turn like any other; remove it")
        colours = set(self.cells.values())
        for character in self.colours.keys() - colours:
            raise ValueError(f"colours: no cell of the board has the colour {character!r}")
        least = most = 0
        for name, drawn in self.drawn.items():
            for character in set(drawn.values()) - {ANY_COLOUR} if ANY_COLOUR not in colours else ():
                if character not in colours:
                    raise ValueError(
                        f"pieces.{name}: no cell of the board has the colour {character!r}; a cell without a colour is "
                        f"drawn as {ANY_COLOUR}"
                    )
            at_least, at_most = self.used(name)
            least += at_least * len(drawn)
            most += at_most * len(drawn)
        wanted = len(self.cells) - self.left_over
        if not least <= wanted <= most:
            have = f"{least} cells" if least == most else f"{least} to {most} cells"
            raise ValueError(
                f"pieces: they have {have}, where {wanted} are to be covered; 'left_over' says how many are not, 'uses' how "
                "often a piece is used"
            )
        return self

    @cached_property
    def dimension(self) -> int:
        """3 if anything is drawn in layers, else 2."""
        drawings = [self.board, *(piece.shape for piece in self.pieces.values())]
        return 3 if any(len(layers(drawing)) > 1 for drawing in drawings) else 2

    @cached_property
    def cells(self) -> dict[Cell, str]:
        """The cells of the board with their colours."""
        return cells(self.board, self.dimension)

    @cached_property
    def lettered(self) -> dict[Cell, str]:
        """The cells with their letters, if there are any."""
        return {} if self.letters is None else cells(self.letters, self.dimension)

    @cached_property
    def drawn(self) -> dict[str, dict[Cell, str]]:
        """The cells of each piece with their colours, as drawn."""
        return {name: cells(piece.shape, self.dimension) for name, piece in self.pieces.items()}

    def used(self, name: str) -> tuple[int, int]:
        """The least and the most that a piece is used."""
        return self.pieces[name].uses or self.uses

    @cached_property
    def kinds(self) -> list[Kind]:
        """The pieces, those that are alike taken as one kind."""
        by = allowed(self.dimension, turning=self.turning, turning_over=self.turning_over)
        return kinds(self.drawn, {name: self.used(name) for name in self.pieces}, by)

    @cached_property
    def laid(self) -> dict[Placement, Lying]:
        """Every placement with how the piece then lies."""
        return {Placement(lie.kind.name, lie.cells): lie for lie in lying(self.cells, self.kinds)}

    @classmethod
    def generator(cls) -> type[BaseModel]:
        from jigsat.encodings.generators.tiling import Wishes

        return Wishes

    # -- the encoding

    def encode(self) -> Formula:
        formula = Formula()
        known = {"piece": [kind.name for kind in self.kinds], "cells": ()}
        place = formula.variables("place", known, self.laid)  # a piece that fits nowhere has none
        covering: dict[Cell, list[int]] = {cell: [] for cell in self.cells}
        for placement in self.laid:
            for cell in placement.cells:
                covering[cell].append(place(*placement))

        if self.left_over:
            left = formula.variables("left", ("cell",), ((cell,) for cell in self.cells), decision=False)
            for cell, literals in covering.items():
                literals.append(left(cell))
            with formula.group("so many cells are left over"):
                formula.exactly(self.left_over, left[:])

        with formula.group("every cell is covered once"):
            for literals in covering.values():
                formula.exactly_one(literals)

        with formula.group("every piece is used as often as it may be"):
            for kind in self.kinds:
                its = place[kind.name, :]
                if kind.least > 0 or kind.most < len(its):
                    formula.between(kind.least, min(kind.most, len(its)), its)
        return formula

    def symmetries(self) -> Iterator[Symmetry]:
        return symmetries(self.cells, self.laid)

    # -- the check, by quarter turns of the pieces as drawn

    def check(self, placements: Sequence[Placement]) -> Iterator[str]:
        covering = [cell for placement in placements for cell in placement.cells]
        covered = set(covering)
        if len(covered) < len(covering):
            yield from (f"{cell} is covered {times} times" for cell, times in Counter(covering).items() if times > 1)
        if (left := len(self.cells.keys() - covered)) != self.left_over:
            yield f"{left} cells are left over, not {self.left_over}"
        for placement in placements:
            if (faults := self._faults.get(placement)) is None:
                faults = self._faults[placement] = tuple(self._judged(placement))
            yield from faults
        used = Counter([placement.piece for placement in placements])
        for alike, least, most in self._alike:
            if not least <= (times := sum([used[name] for name in alike])) <= most:
                yield f"piece {alike[0]} is used {times} times"

    @cached_property
    def _faults(self) -> dict[Placement, tuple[str, ...]]:
        """What is wrong with placements by themselves; remembered, for many solutions have the same."""
        return {}

    def _judged(self, placement: Placement) -> Iterator[str]:
        name, where = placement
        if name not in self.drawn or len(where) != len(self.drawn[name]):
            yield f"there is no piece {name} of {len(where)} cells"
            return
        shown = list(zip(where, self.drawn[name].values(), strict=True))
        for cell, character in shown:
            if cell not in self.cells:
                yield f"piece {name} covers {cell}, which is no cell of the board"
            elif ANY_COLOUR not in (character, self.cells[cell]) and character != self.cells[cell]:
                yield f"piece {name} shows {character} on {cell}, where the board shows {self.cells[cell]}"
        if _at_origin(shown) not in self._looks[name]:
            yield f"piece {name} cannot lie on {where}"

    @cached_property
    def _looks(self) -> dict[str, frozenset[Look]]:
        """All that a piece can look like: what quarter turns, and in the plane turning over, lead to one after the other."""
        found = {}
        for name, drawn in self.drawn.items():
            looks: set[Look] = set()
            new = [_at_origin(drawn.items())]
            while new:
                look = new.pop()
                if look not in looks:
                    looks.add(look)
                    if self.dimension == 2 and self.turning_over:
                        new.append(_at_origin(((y, -x), shade) for (y, x), shade in look))
                    axes = range(1, self.dimension if self.turning else 1)
                    new += [_at_origin((_quarter_turn(cell, axis), shade) for cell, shade in look) for axis in axes]
            found[name] = frozenset(looks)
        return found

    @cached_property
    def _alike(self) -> list[tuple[list[str], int, int]]:
        """The names of pieces that can look the same, which stand in for each other; the least and the most they are used."""
        alike: dict[frozenset[Look], list[str]] = {}
        for name, looks in self._looks.items():
            alike.setdefault(looks, []).append(name)
        uses = [[self.used(name) for name in names] for names in alike.values()]
        return [
            (names, sum(least for least, _ in used), sum(most for _, most in used))
            for names, used in zip(alike.values(), uses, strict=True)
        ]

    # -- pictures

    def answer(self, placements: Sequence[Placement]) -> str:
        """The letters of the cells that are left over or covered by a piece of one cell."""
        joined = {cell for placement in placements if len(placement.cells) > 1 for cell in placement.cells}
        return "".join(letter for cell, letter in self.lettered.items() if cell not in joined)

    def _note(self, placements: Sequence[Placement]) -> str:
        answer = self.answer(placements)
        return f"the letters on their own: {answer}" if answer else ""

    @cached_property
    def _squares(self) -> dict[Cell, Square]:
        """Where each cell is drawn: layers lie side by side."""
        width = max(cell[-1] for cell in self.cells) + 2
        return {cell: (cell[-2], cell[-1] + width * sum(cell[:-2])) for cell in self.cells}

    def text(self, placements: Sequence[Placement], marked: Collection[Placement] = ()) -> str:
        covered = {cell: i for i, placement in enumerate(placements) for cell in placement.cells}
        short, marks = short_names(self.pieces), {}
        for cell, square in self._squares.items():
            mark = self.cells[cell].replace(ANY_COLOUR, "") + self.lettered.get(cell, "")
            marks[square] = mark or short[placements[covered[cell]].piece] if cell in covered else f"({mark})"
            marks[square] += "*" if cell in covered and placements[covered[cell]] in marked else ""
        width = max(map(len, marks.values())) + 2
        pieces = {square: covered.get(cell, cell) for cell, square in self._squares.items()}
        drawn = walled({square: mark.center(width) for square, mark in marks.items()}, pieces)
        return "\n".join(filter(None, [drawn, printable(self._note(placements))]))

    def svg(self, placements: Sequence[Placement], marked: Collection[Placement] = ()) -> str:
        picture, shades = Picture(scale=60), set(self.cells.values()) - {ANY_COLOUR}
        for cell, (y, x) in self._squares.items():
            self.draw_cell(picture, x, y, self.cells[cell])
        middle = {cell: (x + 0.5, y + 0.5) for cell, (y, x) in self._squares.items()}
        width = 0.5 if shades else 0.86
        for i, (name, where) in enumerate(placements):
            around = (MARK, 0.14) if (name, where) in marked else ("#222", 0.08)
            fill = swatches()[i % len(swatches())]
            for paint, outline in (around, (fill, 0.0)):
                for a, b in combinations_with_replacement(where, 2):
                    if math.dist(a, b) <= 1 and a[:-2] == b[:-2]:
                        picture.line(middle[a], middle[b], paint, width + outline)
                for cell in where:  # what four round ends leave open between them
                    y, x = cell[-2:]
                    block = [(*cell[:-2], *corner) for corner in ((y, x), (y, x + 1), (y + 1, x + 1), (y + 1, x))]
                    if set(block) <= set(where):
                        picture.polygon([middle[cell] for cell in block], paint, line=paint)
            for layer in {cell[:-2] for cell in where} if len(self.pieces) > 1 and not self.lettered else ():
                part = [cell for cell in where if cell[:-2] == layer]
                picture.text(middle[_central(part)], name, min(0.4, 1.1 * width / max(len(name), 1)), fill=ink(fill), bold=True)
        for cell in self.cells.keys() - {cell for placement in placements for cell in placement.cells}:
            picture.circle(middle[cell], 0.3, "white", line="#d22", width=0.06)
        for cell, letter in self.lettered.items():
            picture.text(middle[cell], letter, 0.34, bold=True)
        notes = [self._note(placements), "layers from top to bottom" if self.dimension == 3 else ""]
        if any(notes):
            picture.note("; ".join(filter(None, notes)), 0.3)
        return str(picture)

    @cached_property
    def ground(self) -> dict[str, str]:
        """How cells are painted, by their colours."""
        characters = {shade for drawn in (self.cells, *self.drawn.values()) for shade in drawn.values()}
        return {label: paint.fill for label, paint in paints(sorted(characters), given=GROUND | self.colours).items()}

    def draw_cell(self, picture: Picture, x: float, y: float, shade: str) -> None:
        """A cell in its colour; what is in its corner says the colour where that is not black or white."""
        paint = self.ground[shade]
        picture.polygon([(x, y), (x + 1, y), (x + 1, y + 1), (x, y + 1)], paint, line="#999", width=0.02)
        if shade not in GROUND:
            picture.text((x + 0.13, y + 0.15), shade, 0.22, fill=ink(paint))
        elif shade == ANY_COLOUR and len(self.ground) > 1:
            picture.text((x + 0.22, y + 0.15), "any", 0.2)

    def rules(self) -> Iterator[str]:
        return tiling_sheet.rules(self)

    def parts(self) -> list[Part]:
        """The board without anything on it and the pieces, layer beside layer; a cell is 12 mm wide."""
        return tiling_sheet.parts(self)


def _central(cells: Sequence[Cell]) -> Cell:
    """The cell that is nearest to all."""
    return min(cells, key=lambda cell: sum(math.dist(cell, other) for other in cells))


def _at_origin(coloured: Iterable[tuple[Cell, str]]) -> Look:
    coloured = list(coloured)
    least = [min(along) for along in zip(*(cell for cell, _ in coloured), strict=True)]
    return frozenset((tuple(x - low for x, low in zip(cell, least, strict=True)), shade) for cell, shade in coloured)


def _quarter_turn(cell: Cell, axis: int) -> Cell:
    """The cell turned about the origin, from the axis towards the one before it."""
    return (*cell[: axis - 1], -cell[axis], cell[axis - 1], *cell[axis + 1 :])
