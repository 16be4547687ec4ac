"""Lights Out: pressing a cell switches its light and those of its neighbours, and all lights are to go out.

A press switches the pressed cell's light once and, through each side of the cell, the light across that side. So where a
small torus joins two cells along two sides, these two cancel, and so do two sides along which a cell meets itself. The
order of the presses does not matter, and pressing a cell twice is not pressing it. Rules, variables and constraint groups,
on a board with n cells:

- `press(cell)`: the cell is pressed; n decision variables. The number of presses is what can be minimised.

- "every light goes out": for each cell, the number of presses that switch its light is odd if it is lit, even if not; n
  XORs, over the cell and its neighbours.

These are n equations over GF(2). A set of presses that switches nothing is in their kernel; if there is a solution, there are
2^nullity. As presses work both ways, every press also switches an even number of lights of such a set, so one with an odd
number of lit cells proves that there is none.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from functools import cached_property
from itertools import permutations
from math import dist
from typing import Literal, NamedTuple

from pydantic import BaseModel, model_validator

from jigsat.boards import Board, Cell, middle, named
from jigsat.formula import Formula, System, bits
from jigsat.pictures import Drawing, Page, Picture, faded, joined, number_cuts, spread, unrolled
from jigsat.puzzle import Puzzle
from jigsat.symmetry import Symmetry

LIT, DARK = "#1", ".0"


class Press(NamedTuple):
    """The cell is pressed."""

    cell: Cell


class LightsOut(Puzzle):
    """A position to be put out: `lit` is "all", or the board drawn with # or 1 for a lit cell and . or 0 for a dark one."""

    family = "lights-out"
    cell_field = "cell"

    board: str
    lit: Drawing

    # -- what must hold of the data

    @model_validator(mode="after")
    def _consistent(self) -> LightsOut:
        lines = self.lines
        if self.lit == ("all",):
            return self
        if len(self.lit) != len(lines):
            raise ValueError(f"lit: {len(self.lit)} rows, where {self.surface.name} has {len(lines)}; or write lit = 'all'")
        for i, (row, cells) in enumerate(zip(self.lit, lines, strict=True), 1):
            if len(row) != len(cells):
                raise ValueError(
                    f"lit: row {i} has {len(row)} characters, where this row of {self.surface.name} has {len(cells)} cells"
                )
            for j, character in enumerate(row, 1):
                if character not in LIT + DARK:
                    raise ValueError(f"lit: row {i}, column {j} is {character!r}; write # or 1 for lit, . or 0 for dark")
        return self

    @cached_property
    def surface(self) -> Board:
        """The board itself."""
        return named(self.board)

    @cached_property
    def lines(self) -> list[list[Cell]]:
        """The cells in the order in which they are drawn."""
        lines: dict[int, list[Cell]] = {}
        for cell, (_, line) in sorted(spread(self.surface).items(), key=lambda item: item[1][::-1]):
            lines.setdefault(line, []).append(cell)
        return list(lines.values())

    @cached_property
    def lights(self) -> frozenset[Cell]:
        """The cells that are lit."""
        if self.lit == ("all",):
            return frozenset(self.surface.cells)
        drawn = zip(self.lit, self.lines, strict=True)
        return frozenset(cell for row, cells in drawn for c, cell in zip(row, cells, strict=True) if c in LIT)

    @classmethod
    def generator(cls) -> type[BaseModel]:
        from jigsat.encodings.generators.lights_out import Wishes

        return Wishes

    # -- the encoding

    def encode(self) -> Formula:
        formula = Formula()
        press = formula.variables("press", Press._fields, map(Press, self.surface.cells))
        switching = {cell: [press(cell)] for cell in self.surface.cells}
        for seam in self.surface.seams:
            for one, other in permutations(seam, 2):
                switching[one.cell].append(press(other.cell))

        with formula.group("every light goes out"):
            for cell, presses in switching.items():
                formula.xor(presses, odd=cell in self.lights)
        formula.minimize(press[:])
        return formula

    def symmetries(self) -> Iterator[Symmetry]:
        for automorphism in self.surface.symmetries():
            images = {cell: image for cell, (image, _) in automorphism.images.items()}
            if self.lights == {images[cell] for cell in self.lights}:
                level: Literal["rotation", "reflection"] = "reflection" if automorphism.mirrored else "rotation"
                yield Symmetry(level, {Press(cell): Press(image) for cell, image in images.items()})

    def remarks(self) -> Iterator[str]:
        formula = self.encode()
        system = System(formula.constraints())
        said = "no solution" if not system.consistent else f"2^{system.nullity} solutions" if system.nullity else "one solution"
        yield f"rank {system.rank} of {len(self.surface.cells)} equations, nullity {system.nullity}: {said}"
        if not system.consistent:
            quiet = ({formula.key(press)[0] for press in bits(presses)} for presses in system.kernel())
            proof = min((cells for cells in quiet if len(cells & self.lights) % 2), key=len)
            yield "each press switches an even number of the cells marked here, and an odd number of them is lit:"
            page = Page()
            self._mark(page, 0, 0, proof, "#", ".")
            yield from str(page).splitlines()

    # -- the check, by pressing the cells, which switch what has a side with its middle at the same point

    def check(self, placements: Sequence[Press]) -> Iterator[str]:
        on = set(self.lights)
        for (cell,) in placements:
            if cell in self.surface.polygons:
                on ^= self.reach[cell]
            else:
                yield f"there is no cell {cell} to press"
        for cell in on:
            yield f"the light of cell {cell} is on"

    @cached_property
    def reach(self) -> dict[Cell, frozenset[Cell]]:
        """For each cell the lights that pressing it switches, those that it switches twice left out."""
        times = {cell: Counter([cell]) for cell in self.surface.cells}
        for meeting in self.surface.meetings.values():
            for i, (cell, _) in enumerate(meeting):
                times[cell].update(other for other, _ in [*meeting[:i], *meeting[i + 1 :]])
        return {cell: frozenset(other for other, number in times[cell].items() if number % 2) for cell in times}

    # -- pictures

    def rules(self) -> Iterator[str]:
        yield "Pressing a cell switches its own light and the lights of the cells across its sides."
        yield "Put out all lights with as few presses as possible."
        yield "The yellow cells on the left are lit. Mark the cells to press on the right."
        if self.surface.wrap:
            yield "The board goes on at its opposite side: a pale cell is the same as the cell there."
            yield "A cell that meets another along two sides switches it twice, which changes nothing."
        yield from joined(self.surface) if not self.surface.flat else ()

    def text(self, placements: Sequence[Press], marked: Collection[Press] = ()) -> str:
        page, pressed = Page(), {press.cell for press in placements}
        width = max(column for column, _ in spread(self.surface).values()) + 5
        last = len(self.lines) + 2
        titles = "lights", f"press {len(pressed)}"
        for x, title, cells, mark in (0, titles[0], self.lights, "●"), (max(width, 8) + 3, titles[1], pressed, "■"):
            page.write(x + 2, 0, title)
            for y in range(1, last + 1) if self.surface.wrap else ():
                page.write(x, y, "┄" * width if y in (1, last) else "┊" + " " * (width - 2) + "┊")
            self._mark(page, x + 2, 2, cells, mark, "·")
            for column, line in [spread(self.surface)[cell] for (cell,) in marked] if x else ():
                page.write(x + 3 + column, 2 + line, "*")
        return str(page) + ("\neach dotted side is joined to the one opposite" if self.surface.wrap else "")

    def _mark(self, page: Page, x: int, y: int, cells: Collection[Cell], mark: str, other: str) -> None:
        for cell, (column, line) in spread(self.surface).items():
            page.write(x + column, y + line, mark if cell in cells else other)

    def svg(self, placements: Sequence[Press], marked: Collection[Press] = ()) -> str:
        pressed, shown = {press.cell for press in placements}, list(unrolled(self.surface))
        xs, ys = zip(*(point for _, corners, _ in shown for point in corners), strict=True)
        apart = max(xs) - min(xs) + 0.8
        size = max(0.4, apart / 30)
        heading = min(ys) - size
        picture = Picture(scale=max(10, min(80, 1000 / apart)))
        panels = (
            (0.0, "lights", ("#39414f", "#ffd034"), "#1d222b"),
            (apart, f"press {len(pressed) or ''}", ("#dde2ea", "#fdeeb5"), "#8a93a3"),
        )
        for x, title, colours, outline in panels:
            picture.polygon([(min(xs) + x, heading - size), (max(xs) + x, heading - size)], "none", line="none")
            picture.text(((min(xs) + max(xs)) / 2 + x, heading), title, size, bold=True)
            for cell, corners, again in shown:
                at = [(a + x, b) for a, b in corners]
                fill, line, button = (faded(c) if again else c for c in (colours[cell in self.lights], outline, "#c2255c"))
                picture.polygon(at, fill, line=line, width=0.03)
                if x and cell in pressed:
                    radius = min(dist(middle(at), middle([at[i - 1], at[i]])) for i in range(len(at)))
                    picture.circle(middle(at), 0.6 * radius, button, line="none")
                if x and not again and Press(cell) in marked:
                    picture.mark(at)
            if not self.surface.flat:
                number_cuts(picture, self.surface, x)
        return str(picture)
