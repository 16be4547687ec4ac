"""Sudoku: each cell of a grid holds a digit so that every row, column and box holds each digit once.

Rules, variables and constraint groups, on a grid of n×n cells with n digits, 1 to 9 and then A, B, …:

- `digit(cell, value)`: the cell holds the digit; a choice for each of the n² cells, n³ decision variables.

- "each cell holds one digit": n² exactly-one.
- "each digit once a row", "… column", "… box": n² exactly-one each. Where regions are drawn, as in a jigsaw sudoku, "… region"
  stands for "… box"; "… diagonal", 2n, and "… extra region", n for each of these, come in where the puzzle has them.
- "givens": one clause for each given digit.

That a digit is somewhere in its row follows from the rest, as does much else here; said all the same, it lets a solver see by
propagation what it would otherwise search for.
"""

from __future__ import annotations

import math
import re
import string
from collections import Counter
from collections.abc import Callable, Collection, Hashable, Iterator, Sequence
from functools import cached_property
from itertools import permutations, product
from typing import Annotated, Any, Literal, NamedTuple

from pydantic import BaseModel, BeforeValidator, PlainSerializer, model_validator

from jigsat.boards.drawings import lines, rows_with_blanks
from jigsat.formula import Formula
from jigsat.pictures import Drawing, Picture, walled, walls
from jigsat.puzzle import Puzzle
from jigsat.symmetry import Symmetry

DIGITS = string.digits[1:] + string.ascii_uppercase
BLANKS = ".0_"
BLANK = BLANKS[0]
LISTED = 1_000_000
"""Digits that are nowhere given are exchanged for each other only if the symmetries list no more images than this."""

Cell = tuple[int, int]


class Digit(NamedTuple):
    """The cell, its row and column counted from 0 at the top left, holds the digit."""

    cell: Cell
    value: str


def _grid(data: Any) -> list[str]:
    """A grid as its rows, however it is written; blanks are dots, letters capitals."""
    return [row.upper() for row in rows_with_blanks(data, BLANKS)]


class Sudoku(Puzzle):
    """A sudoku: `box` is 'ROWSxCOLUMNS', the squarest box by default; or the `regions` are drawn, a character for each.

    `extra` draws further regions that hold each digit once, with a dot for a cell in none of them.
    """

    family = "sudoku"
    cell_field = "cell"
    piece_field = "value"

    grid: Annotated[tuple[str, ...], BeforeValidator(_grid), PlainSerializer("\n".join)]
    box: str | None = None
    regions: Drawing | None = None
    diagonals: bool = False
    extra: Drawing | None = None

    @classmethod
    def split(cls, data: dict[str, Any]) -> list[dict[str, Any]]:
        """One puzzle for each of `grids`, all with the same other entries."""
        if "grids" not in data:
            return [data]
        rest = {key: value for key, value in data.items() if key != "grids"}
        if not isinstance(data["grids"], list) or "grid" in rest:
            raise ValueError("grids: write a list of grids, and no `grid` beside it")
        return [{**rest, "grid": one} for one in data["grids"]]

    @classmethod
    def from_text(cls, text: str) -> dict[str, Any] | None:
        """Puzzles of one line each, or grids one below the other."""
        drawn = ["".join(line.split()) for line in lines(text) if line.strip()]
        written = set("".join(drawn).upper())
        if not written <= {*DIGITS, *BLANKS} or not written & set("23456789"):
            return None
        size = max(map(len, drawn))
        if size > len(DIGITS) or all(re.fullmatch(r"[1-4.0_]{16}", line) for line in drawn):
            return {"family": "sudoku", "grids": drawn}
        # without a character for blanks, spaces may be blanks, and the text has to be read as a whole
        several = written & set(BLANKS) and min(map(len, drawn)) == size and len(drawn) % size == 0
        parts = ["\n".join(drawn[i : i + size]) for i in range(0, len(drawn), size)] if several else [text]
        return {"family": "sudoku", "grids": parts}

    # -- what must hold of the data

    @model_validator(mode="after")
    def _consistent(self) -> Sudoku:
        n = self.size
        if not 1 < n <= len(DIGITS):
            raise ValueError(f"grid: {n} rows; there are digits for 2 to {len(DIGITS)}")
        for name, drawn in (("grid", self.grid), ("regions", self.regions), ("extra", self.extra)):
            if drawn is not None and len(drawn) != n:
                raise ValueError(f"{name}: {len(drawn)} rows, where the grid has {n}")
            for r, row in enumerate(drawn or (), 1):
                if len(row) != n:
                    raise ValueError(
                        f"{name}: row {r} has {len(row)} characters, where the grid has {n} rows; each cell is one character"
                    )
            for character, there in Counter("".join(drawn or ())).items():
                if name != "grid" and there != n and (name, character) != ("extra", BLANK):
                    raise ValueError(f"{name}: {character!r} is drawn on {there} cells, where a region has {n}")
        for r, c in self.cells:
            if self.grid[r][c] not in DIGITS[:n] + BLANK:
                raise ValueError(
                    f"grid: row {r + 1}, column {c + 1} is {self.grid[r][c]!r}, where a {n}×{n} grid takes {DIGITS[:n]} and "
                    "one of . 0 _ for a blank"
                )
        if self.regions is None:
            self.box_shape  # noqa: B018  # raises what is wrong with it
        elif self.box is not None:
            raise ValueError("box: there are `regions` as well; leave out one of the two")
        return self

    @property
    def size(self) -> int:
        """The number of digits, and of cells in a row."""
        return len(self.grid)

    @property
    def cells(self) -> list[Cell]:
        """The cells, row by row."""
        n = self.size
        return [(r, c) for r in range(n) for c in range(n)]

    @property
    def givens(self) -> dict[Cell, str]:
        """The digits that are there from the start."""
        return {(r, c): self.grid[r][c] for r, c in self.cells if self.grid[r][c] != BLANK}

    @cached_property
    def box_shape(self) -> tuple[int, int]:
        """Rows and columns of a box."""
        n = self.size
        if self.box is None:
            down = max(i for i in range(1, math.isqrt(n) + 1) if n % i == 0)
            if down == 1:
                raise ValueError(f"grid: {n} rows make no boxes; draw `regions` (box = '1x{n}' is for rows and columns alone)")
            return down, n // down
        shape = re.fullmatch(r"([1-9]\d?)x([1-9]\d?)", self.box)
        if not shape or int(shape[1]) * int(shape[2]) != n:
            raise ValueError(f"box: {self.box!r} fits no {n}×{n} grid; write ROWSxCOLUMNS with the product {n}")
        return int(shape[1]), int(shape[2])

    @cached_property
    def houses(self) -> dict[str, list[list[Cell]]]:
        """The lists of cells that hold each digit once, by what they are."""
        label: dict[str, Callable[[int, int], Hashable]] = {"row": lambda r, c: r, "column": lambda r, c: c}
        if (regions := self.regions) is not None:
            label["region"] = lambda r, c: regions[r][c]
        else:
            down, across = self.box_shape
            label["box"] = lambda r, c: (r // down, c // across)
        if (extra := self.extra) is not None:
            label["extra region"] = lambda r, c: extra[r][c].strip(BLANK) or None
        houses: dict[str, list[list[Cell]]] = {}
        for kind, of in label.items():
            found: dict[Hashable, list[Cell]] = {}
            for cell in self.cells:
                found.setdefault(of(*cell), []).append(cell)
            houses[kind] = [house for at, house in found.items() if at is not None]
        if self.diagonals:
            houses["diagonal"] = [[(i, i) for i in range(self.size)], [(i, self.size - 1 - i) for i in range(self.size)]]
        return houses

    def clues(self) -> dict[str, frozenset[Digit]]:
        return {f"grid r{r + 1}c{c + 1}": frozenset([Digit((r, c), value)]) for (r, c), value in self.givens.items()}

    def with_clues(self, placements: Collection[Digit]) -> Sudoku:
        shown, n = dict(placements), self.size
        rows = ("".join(shown.get((r, c), BLANK) for c in range(n)) for r in range(n))
        return self.model_copy(update={"grid": tuple(rows)})

    def without_clues(self) -> Sudoku:
        return self.with_clues(())

    @classmethod
    def generator(cls) -> type[BaseModel]:
        from jigsat.encodings.generators.sudoku import Wishes

        return Wishes

    # -- the encoding

    def encode(self) -> Formula:
        formula, values = Formula(), DIGITS[: self.size]
        with formula.group("each cell holds one digit"):
            digit = {cell: formula.choice("digit", values, key=Digit, cell=cell) for cell in self.cells}

        for kind, houses in self.houses.items():
            with formula.group(f"each digit once a {kind}"):
                for house in houses:
                    for value in values:
                        formula.exactly_one(digit[cell](value) for cell in house)

        with formula.group("givens"):
            for cell, value in self.givens.items():
                formula.clause([digit[cell](value)])
        return formula

    def symmetries(self) -> Iterator[Symmetry]:
        """Turns and mirrorings that keep the houses, each with the exchanges of digits that together keep the givens.

        Rows and columns are not exchanged for others: the groups would be too large to list.
        """
        givens, last = self.givens, self.size - 1
        houses = {frozenset(house) for houses in self.houses.values() for house in houses}
        kept = []
        for mirrored, turns in product((False, True), range(4)):
            images = [(r, last - c) if mirrored else (r, c) for r, c in self.cells]
            for _ in range(turns):
                images = [(c, last - r) for r, c in images]
            move = dict(zip(self.cells, images, strict=True))
            exchange = {value: givens.get(move[cell], "") for cell, value in givens.items()}
            keeps_houses = {frozenset(map(move.__getitem__, house)) for house in houses} == houses
            if keeps_houses and all(givens.get(move[cell]) == exchange[value] for cell, value in givens.items()):
                kept.append((mirrored, move, exchange))
        free = [value for value in DIGITS[: self.size] if value not in givens.values()]
        listed = len(kept) * math.factorial(len(free)) * self.size**3 <= LISTED
        for mirrored, move, exchange in kept:
            level: Literal["rotation", "reflection"] = "reflection" if mirrored else "rotation"
            for others in permutations(free) if listed else [free]:
                becomes = {**exchange, **dict(zip(free, others, strict=True))}
                same = all(a == b for a, b in becomes.items())
                yield Symmetry(
                    level if same else "all", {Digit(a, v): Digit(b, w) for a, b in move.items() for v, w in becomes.items()}
                )

    # -- the check, from the rows, columns and regions of the filled grid as sets of values

    def check(self, placements: Sequence[Digit]) -> Iterator[str]:
        n = self.size
        filled = [[""] * n for _ in self.grid]
        for (r, c), value in placements:
            if not (0 <= r < n and 0 <= c < n) or filled[r][c]:
                yield f"row {r + 1}, column {c + 1} is no cell or holds two digits"
            else:
                filled[r][c] = value
        for r, given in enumerate(self.grid):
            for c, wanted in enumerate(given):
                if wanted not in (BLANK, filled[r][c]):
                    yield f"row {r + 1}, column {c + 1} does not hold the {wanted} that is given"
        digits = {*DIGITS[:n]}
        for house, values in self._sets(filled):
            if values != digits:
                yield f"{house} lacks {', '.join(sorted(digits - values))}"

    def _sets(self, filled: list[list[str]]) -> Iterator[tuple[str, set[str]]]:
        for i, row in enumerate(filled):
            yield f"row {i + 1}", {*row}
            yield f"column {i + 1}", {row[i] for row in filled}
        if self.regions is None:
            down, across = self.box_shape
            for top in range(0, self.size, down):
                for left in range(0, self.size, across):
                    box = {value for row in filled[top : top + down] for value in row[left : left + across]}
                    yield f"the box from row {top + 1}, column {left + 1}", box
        for kind, drawn in (("region", self.regions or ()), ("extra region", self.extra or ())):
            for name in {*"".join(drawn)} - {BLANK if kind == "extra region" else ""}:
                yield f"{kind} {name}", {filled[r][c] for r, row in enumerate(drawn) for c, at in enumerate(row) if at == name}
        if self.diagonals:
            yield "the diagonal from the top left", {row[i] for i, row in enumerate(filled)}
            yield "the diagonal from the top right", {row[-1 - i] for i, row in enumerate(filled)}

    # -- pictures

    def rules(self) -> Iterator[str]:
        n = self.size
        digits = f"1 to {n}" if n <= 9 else f"1 to 9 and {' '.join(DIGITS[9:n])}"
        house = "box" if self.regions is None else "region"
        yield f"Write a digit ({digits}) into each empty cell. Every row, column and {house} holds each digit once."
        if self._scattered:
            yield "A region is all the cells with the same small letter on the right."
        else:
            yield f"Thick lines go around each {house}."
        if self.diagonals:
            yield "The two diagonals hold each digit once as well."
        if self.extra is not None:
            yield "Each extra region, the shaded cells with the same small letter on the left, holds each digit once as well."

    def text(self, placements: Sequence[Digit], marked: Collection[Digit] = ()) -> str:
        givens = self.givens
        beside = {cell: "·" for cell in self.cells if givens and cell not in givens} | {cell: "*" for cell, _ in marked}
        shown = {cell: f" {value}{beside.get(cell, ' ')}" for cell, value in placements}
        return walled(shown, self._rooms()) + ("\na dot is beside each digit that was filled in" if givens else "")

    def svg(self, placements: Sequence[Digit], marked: Collection[Digit] = ()) -> str:
        picture, n, givens = Picture(scale=60, margin=0.2), self.size, self.givens
        for r, c in self.cells:
            extra = self.extra is not None and self.extra[r][c] != BLANK
            shade = ("#ddd3bd" if extra else "#e2e2e2") if (r, c) in givens else "#fdf3dc" if extra else "white"
            picture.polygon([(c, r), (c + 1, r), (c + 1, r + 1), (c, r + 1)], shade, line="#999", width=0.015)
        for ends in [((0, 0), (n, n)), ((n, 0), (0, n))] if self.diagonals else []:
            picture.polygon(ends, "none", line="#e8a0a0", width=0.03)
        for ends in walls(self._rooms()):
            picture.polygon(ends, "none", line="#111", width=0.06)
        for named, x in ((self.extra, 0.14), (self.regions if self._scattered else None, 0.86)):
            for (r, c), name in zip(self.cells, "".join(named or ()), strict=False):
                if named is self.regions or name != BLANK:
                    picture.text((c + x, r + 0.17), name, 0.2, fill="#555")
        for (r, c), value in placements:
            given = (r, c) in givens
            picture.text((c + 0.5, r + 0.5), value, 0.6, fill="#111" if given else "#1a5fc4", bold=given)
        for r, c in {cell for cell, _ in marked}:
            picture.mark([(c, r), (c + 1, r), (c + 1, r + 1), (c, r + 1)])
        return str(picture)

    @cached_property
    def _scattered(self) -> bool:
        """Whether some region is in several parts, so that lines around it do not show it."""
        rooms, seen = self._rooms(), set[Cell]()
        parts = 0
        for start in self.cells:
            parts += start not in seen
            reached = [start]
            while reached:
                r, c = reached.pop()
                if (r, c) not in seen:
                    seen.add((r, c))
                    beside = ((r + 1, c), (r - 1, c), (r, c + 1), (r, c - 1))
                    reached += [cell for cell in beside if rooms.get(cell) == rooms[r, c]]
        return parts > len({*rooms.values()})

    def _rooms(self) -> dict[Cell, int]:
        """For each cell the number of its box or region."""
        return {cell: i for i, house in enumerate(self.houses["box" if self.regions is None else "region"]) for cell in house}
