"""Proofs by counting that pieces cannot cover their board: cells out of reach, areas, colours and
colourings of the lattice."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from itertools import chain, product
from typing import TYPE_CHECKING

from jigsat.encodings.tiling.data import TilingData

from jigsat.boards.lattice import Cell, draw_cells
from jigsat.errors import printable
from jigsat.pieces.cells import ANY_COLOUR
from jigsat.pieces.counting import list_words
from jigsat.pieces.groups import Amount
from jigsat.puzzle import Correction, Reason
from jigsat.words import name_place, plural

if TYPE_CHECKING:
    from jigsat.encodings.tiling.rules import Tiling

# maximum number of cells for which colourings are tried; the time grows with its cube
MAX_COLOURED_CELLS = 600
# maximum period of a colouring of the diagonals, in which one in each period is black
MAX_COLOURS = 5
Colouring = Callable[[Cell], bool]
Drawing = Mapping[Cell, str]  # the colour of each cell


def find_reasons(puzzle: Tiling) -> Iterator[Reason]:
    """The reasons that counting finds."""
    simple = [*_find_out_of_reach(puzzle), *_find_wrong_colours(puzzle)]
    if simple:
        yield from map(Reason, simple)
    elif len(puzzle.cells) <= MAX_COLOURED_CELLS:
        areas = _Areas(puzzle)
        words = areas.find_wrong_total() or areas.find_wrong_colouring()
        if words:
            yield Reason(words)


def find_corrections(puzzle: TilingData) -> Iterator[Correction]:
    """Another place or another colour for a cell of a piece of squares or cubes."""
    if puzzle.surface is not None:
        return
    for name, drawing in puzzle.drawn.items():
        known = {_describe_shape(puzzle, drawing)}
        for changed in chain(_move_cells(drawing), _recolour_cells(puzzle, drawing)):
            shape = _describe_shape(puzzle, changed)
            if shape not in known:
                known.add(shape)
                yield _redraw(puzzle, name, changed)


def _move_cells(drawing: Drawing) -> Iterator[Drawing]:
    """The piece with one of its cells at another place."""
    for cell in drawing:
        rest = {other: colour for other, colour in drawing.items() if other != cell}
        beside = {other for near in rest for other in _neighbours(near)}
        for place in sorted(beside - drawing.keys()):
            if _is_connected({*rest, place}):
                yield {**rest, place: drawing[cell]}


def _recolour_cells(puzzle: TilingData, drawing: Drawing) -> Iterator[Drawing]:
    """The piece with one of its cells in another colour of the board."""
    colours = sorted(set(puzzle.cells.values()) - {ANY_COLOUR})
    for cell, colour in drawing.items():
        if colour == ANY_COLOUR:
            continue
        for other in colours:
            if other != colour:
                yield {**drawing, cell: other}


def _describe_shape(puzzle: TilingData, drawing: Drawing) -> str:
    """Equal for pieces that look alike when they are turned as the puzzle allows."""
    lattice = puzzle.lattice_board.lattice
    descriptions = []
    for motion in puzzle.motions:
        turned = lattice.at_origin(motion.images(drawing))
        descriptions.append(sorted(zip(turned, drawing.values(), strict=True)))
    return str(min(descriptions))


def _is_connected(cells: set[Cell]) -> bool:
    import networkx

    beside: dict[Cell, Iterable[Cell]] = {}
    for cell in cells:
        beside[cell] = cells.intersection(_neighbours(cell))
    return networkx.is_connected(networkx.from_dict_of_lists(beside))


def _redraw(puzzle: TilingData, name: str, drawing: Drawing) -> Correction:
    """The puzzle with another drawing of a piece."""
    shape = draw_cells(drawing)
    pieces = dict(puzzle.pieces)
    pieces[name] = pieces[name].model_copy(update={"shape": shape})
    words = f"piece {name} drawn as '{' '.join(shape.split())}'"
    return Correction(name, words, {"pieces": pieces})


def _neighbours(cell: Cell) -> Iterator[Cell]:
    for axis, step in product(range(len(cell)), (-1, 1)):
        yield (*cell[:axis], cell[axis] + step, *cell[axis + 1 :])


def _find_out_of_reach(puzzle: Tiling) -> Iterator[str]:
    """Pieces that fit nowhere, and cells that no piece can cover."""
    fitting = {placement.piece for placement in puzzle.candidates}
    for kind in puzzle.kinds:
        if kind.least and kind.name not in fitting:
            yield f"piece {printable(kind.name)} fits nowhere on the board"

    reached = {cell for placement in puzzle.candidates for cell in placement.cells}
    bare = [cell for cell in puzzle.cells if cell not in reached]
    required = [cell for cell in bare if cell not in puzzle.optional_cells]
    most = puzzle.empty.most
    if required:
        yield f"no piece can cover {_list_places(required)}"
    elif len(bare) > most:
        yield (
            f"no piece can cover {_list_places(bare)}, but only {plural(most, 'cell')} may be "
            f"left over"
        )


def _list_places(cells: Sequence[Cell]) -> str:
    return list_words([name_place(cell) for cell in cells])


def _find_wrong_colours(puzzle: TilingData) -> Iterator[str]:
    """Colours that the pieces show on too many or too few cells."""
    on_board = list(puzzle.cells.values())
    for colour in dict.fromkeys(on_board):
        if colour == ANY_COLOUR:
            continue
        least = most = 0
        for name, cells in puzzle.drawn.items():
            uses = puzzle.number_of_uses(name)
            shown = list(cells.values())
            least += uses.least * shown.count(colour)
            most += uses.most * (shown.count(colour) + shown.count(ANY_COLOUR))

        room = on_board.count(colour) + on_board.count(ANY_COLOUR)
        if least > room:
            yield (
                f"the pieces have {plural(least, 'cell')} of the colour {colour!r}, but the "
                f"board has {room:,}"
            )

        optional = [cell for cell in puzzle.optional_cells if puzzle.cells[cell] == colour]
        needed = on_board.count(colour) - min(len(optional), puzzle.empty.most)
        if most < needed:
            yield (
                f"{plural(needed, 'cell')} of the colour {colour!r} must be covered, but the "
                f"pieces fit at most {most:,}"
            )


class _Areas:
    """The numbers of cells that pieces add up to, in total and of one colour of a colouring."""

    def __init__(self, puzzle: Tiling) -> None:
        self._puzzle = puzzle
        self._number = len(puzzle.cells)
        self._covered = Amount(self._number - puzzle.empty.most, self._number - puzzle.empty.least)
        self._bit = {cell: 1 << i for i, cell in enumerate(puzzle.cells)}
        # the cells of a placement are the bits of a number, because they are counted in each
        # colouring
        self._places: dict[str, set[int]] = {kind.name: set() for kind in puzzle.kinds}
        for placement in puzzle.candidates:
            self._places[placement.piece].add(sum(map(self._bit.__getitem__, placement.cells)))

    def find_wrong_total(self) -> str:
        """Why the pieces cannot cover an allowed number of cells, or ''."""
        if self._list_sums(lambda _: False):
            return ""
        sizes = {len(kind.colours) for kind in self._puzzle.kinds}
        factor = math.gcd(*sizes)
        least, most = self._covered
        if least < most or least % factor == 0:
            return f"no allowed selection of pieces covers {self._covered} cells in total"
        size = f"a multiple of {factor:,}"
        if sizes == {factor}:
            size = f"{factor:,}"
        elif factor == 2:
            size = "an even number of"
        return f"every piece has {size} cells, but {least:,} cells must be covered"

    def find_wrong_colouring(self) -> str:
        """Why the pieces cannot cover the black and the white cells of a colouring, or ''."""
        dimension = len(next(iter(self._puzzle.cells)))
        largest = max(len(kind.colours) for kind in self._puzzle.kinds)
        for words, colouring in _colourings(dimension, min(MAX_COLOURS, largest)):
            fault = self._find_fault(colouring)
            if fault:
                return f"{words}, {fault}"
        return ""

    def _find_fault(self, colouring: Colouring) -> str:
        """What is wrong with the numbers of black and white cells, or ''."""
        empty = self._puzzle.empty
        black = sum(map(colouring, self._puzzle.cells))
        optional = sum(map(colouring, self._puzzle.optional_cells))
        optional_white = len(self._puzzle.optional_cells) - optional
        sums = self._list_sums(colouring)
        for covered, covered_black in sums:
            empty_black = black - covered_black
            empty_white = self._number - covered - empty_black
            if 0 <= empty_black <= optional and 0 <= empty_white <= optional_white:
                return ""

        there = f"{black:,} black and {self._number - black:,} white cells"
        stay = f", of which {empty} may stay empty" if empty.most else ""
        needed = Amount(black - min(optional, empty.most), black)
        covering = _covering(sorted({covered_black for _, covered_black in sums}), needed)
        return f"the board has {there}{stay}, but the pieces {covering}"

    def _list_sums(self, colouring: Colouring) -> list[tuple[int, int]]:
        """The possible numbers of covered cells, in total and black, if an allowed number of cells
        stays empty."""
        coloured = sum(bit for cell, bit in self._bit.items() if colouring(cell))
        uses = []
        for kind in self._puzzle.kinds:
            ways = {
                (cells.bit_count(), (cells & coloured).bit_count())
                for cells in self._places[kind.name]
            }
            uses.append((ways, kind.least, kind.most))
        reached = _sums(self._number, uses)

        sums = []
        for total in range(self._covered.least, self._covered.most + 1):
            for black in range(total + 1):
                if reached >> (total * (self._number + 1) + black) & 1:
                    sums.append((total, black))
        return sums


def _covering(possible: Sequence[int], needed: Amount) -> str:
    """What is known about the number of black cells that the pieces cover, of which `needed` must
    be covered."""
    if possible[0] > needed.most:
        return f"cover at least {possible[0]:,} black"
    if possible[-1] < needed.least:
        return f"cover at most {possible[-1]:,} black"
    if any(needed.least <= n <= needed.most for n in possible):
        return "never cover the required numbers of both"
    if needed.least == needed.most and len({n % 2 for n in (*possible, needed.most + 1)}) == 1:
        return f"always cover an {'even' if possible[0] % 2 == 0 else 'odd'} number of black"
    if len(possible) <= 3:
        return f"cover {' or '.join(map(str, possible))} black"
    return f"cannot cover {needed} black"


def _colourings(dimension: int, largest: int) -> Iterator[tuple[str, Colouring]]:
    """Colourings in which a cell is black or white, with a description of each."""
    for along in sorted(product((0, 1), repeat=dimension), key=lambda along: -sum(along)):
        if any(along):
            names = [
                name
                for name, on in zip(("layers", "rows", "columns")[-dimension:], along, strict=True)
                if on
            ]
            words = "coloured as a chessboard"
            if len(names) == 1:
                words = f"with {names[0]} alternately black and white"
            if 1 < len(names) < dimension:
                words = f"coloured as a chessboard along {' and '.join(names)}"
            yield (
                words,
                lambda cell, along=along: (  # type: ignore[misc]
                    not sum(x * a for x, a in zip(cell, along, strict=True)) % 2
                ),
            )
    yield (
        "coloured as a chessboard of squares with 4 cells",
        lambda cell: not (cell[-2] // 2 + cell[-1] // 2) % 2,
    )
    for every, slope in product(range(3, largest + 1), (1, -1)):
        for start in range(every):
            direction = "rising" if slope == 1 else "falling"
            yield (
                f"with one in {every} {direction} diagonals black, from number {start + 1} on",
                lambda cell, every=every, slope=slope, start=start: (
                    (cell[-2] + slope * cell[-1]) % every == start
                ),  # type: ignore[misc]
            )


def _sums(number: int, uses: Collection[tuple[set[tuple[int, int]], int, int]]) -> int:
    """The sums of pairs (cells, black cells) of pieces, each with its ways and how often it is
    used, at least and at most.

    Bit `cells * (number + 1) + black` is set if a sum can be reached with at most `number` cells.
    """
    width = number + 1
    mask = (1 << width * width) - 1

    def one_more(reached: int, ways: Collection[tuple[int, int]]) -> int:
        reached_next = 0
        for cells, black in ways:
            reached_next |= reached << (cells * width + black)
        return reached_next & mask

    reached = 1
    for ways, least, most in uses:
        for _ in range(least):
            reached = one_more(reached, ways)
        for _ in range(most - least):
            before = reached
            reached |= one_more(reached, ways)
            if reached == before:
                break
    return reached
