"""Proofs by counting that pieces cannot cover their board: cells out of reach, areas, colours and
colourings of the lattice."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from itertools import product
from typing import TYPE_CHECKING

from jigsat.encodings.tiling.data import Placement, TilingData

from jigsat.boards.lattice import Cell, draw_cells
from jigsat.errors import printable
from jigsat.pieces.cells import ANY_COLOUR, ShapeKind, ShapePlacement
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


def find_reasons(puzzle: Tiling) -> Iterator[Reason]:
    """The reasons that counting finds."""
    found, kinds, candidates = False, puzzle.kinds, puzzle.candidates
    for words in (*_out_of_reach(puzzle, kinds, candidates), *_colours(puzzle)):
        found = True
        yield Reason(words)
    if not found and len(puzzle.cells) <= MAX_COLOURED_CELLS:
        yield from map(Reason, _areas(puzzle, kinds, candidates))


def find_corrections(puzzle: TilingData) -> Iterator[Correction]:
    """Another place for a cell of a piece of squares or cubes."""
    import networkx

    for name, drawn in puzzle.drawn.items() if puzzle.surface is None else ():
        for cell, colour in drawn.items():
            rest = drawn.keys() - {cell}
            for to in sorted(
                {other for each in rest for other in _neighbours(each)} - drawn.keys()
            ):
                cells = rest | {to}
                graph = networkx.from_dict_of_lists(
                    {each: cells.intersection(_neighbours(each)) for each in cells}
                )
                if networkx.is_connected(graph):
                    shape = draw_cells({**{each: drawn[each] for each in rest}, to: colour})
                    words = f"piece {name} drawn as '{' '.join(shape.split())}'"
                    entries = {name: puzzle.pieces[name].model_copy(update={"shape": shape})}
                    yield Correction(name, words, {"pieces": {**puzzle.pieces, **entries}})


def _neighbours(cell: Cell) -> Iterator[Cell]:
    for axis, step in product(range(len(cell)), (-1, 1)):
        yield (*cell[:axis], cell[axis] + step, *cell[axis + 1 :])


def _out_of_reach(
    puzzle: TilingData, kinds: Sequence[ShapeKind], candidates: Mapping[Placement, ShapePlacement]
) -> Iterator[str]:
    """Pieces that fit nowhere, and cells that no piece can cover."""
    fitting = {placement.piece for placement in candidates}
    yield from (
        f"piece {printable(kind.name)} fits nowhere on the board"
        for kind in kinds
        if kind.least and kind.name not in fitting
    )
    reached = {cell for placement in candidates for cell in placement.cells}
    bare = [cell for cell in puzzle.cells if cell not in reached]
    if required := [cell for cell in bare if cell not in puzzle.optional_cells]:
        yield f"no piece can cover {list_words(list(map(name_place, required)))}"
    elif len(bare) > (most := puzzle.empty[1]):
        yield (
            f"no piece can cover {list_words(list(map(name_place, bare)))}, but only "
            f"{plural(most, 'cell')} may be left over"
        )


def _colours(puzzle: TilingData) -> Iterator[str]:
    """Colours that the pieces show on too many or too few cells."""
    on_board = list(puzzle.cells.values())
    for colour in dict.fromkeys(on_board):
        if colour == ANY_COLOUR:
            continue
        least = most = 0
        for name, drawn in puzzle.drawn.items():
            fewest, often = puzzle.number_of_uses(name)
            shown = list(drawn.values())
            least += fewest * shown.count(colour)
            most += often * (shown.count(colour) + shown.count(ANY_COLOUR))
        room = on_board.count(colour) + on_board.count(ANY_COLOUR)
        if least > room:
            yield (
                f"the pieces have {plural(least, 'cell')} of the colour {colour!r}, but the "
                f"board has {room:,}"
            )
        optional = sum(puzzle.cells[cell] == colour for cell in puzzle.optional_cells)
        if most < (needed := on_board.count(colour) - min(optional, puzzle.empty[1])):
            yield (
                f"{plural(needed, 'cell')} of the colour {colour!r} must be covered, but the "
                f"pieces fit at most {most:,}"
            )


def _areas(
    puzzle: TilingData, kinds: Sequence[ShapeKind], candidates: Mapping[Placement, ShapePlacement]
) -> Iterator[str]:
    """Numbers of cells that the pieces cannot add up to: in total, or of one colour of a
    colouring."""
    pieces: dict[str, set[tuple[Cell, ...]]] = {kind.name: set() for kind in kinds}
    for placement in candidates:
        pieces[placement.piece].add(placement.cells)
    number, (fewest, most) = len(puzzle.cells), puzzle.empty

    def reachable(colour: Colouring) -> list[tuple[int, int]]:
        """The possible numbers of covered cells, in total and black, if an allowed number of cells
        stays empty."""
        ways = {
            name: {(len(cells), sum(map(colour, cells))) for cells in ways}
            for name, ways in pieces.items()
        }
        reached = _sums(number, [(ways[kind.name], kind.least, kind.most) for kind in kinds])
        covered = range(number - most, number - fewest + 1)
        return [
            (n, black)
            for n in covered
            for black in range(n + 1)
            if reached >> (n * (number + 1) + black) & 1
        ]

    if not reachable(lambda _: False):
        factor = math.gcd(*(len(kind.colours) for kind in kinds))
        if fewest == most and (number - most) % factor:
            same = {len(kind.colours) for kind in kinds} == {factor}
            size = (
                f"{factor:,}"
                if same
                else "an even number of"
                if factor == 2
                else f"a multiple of {factor:,}"
            )
            yield f"every piece has {size} cells, but {number - most:,} cells must be covered"
        else:
            yield (
                f"no allowed selection of pieces covers "
                f"{Amount(number - most, number - fewest)} cells in total"
            )
        return
    for words, colour in _colourings(
        len(next(iter(puzzle.cells))), min(MAX_COLOURS, max(len(kind.colours) for kind in kinds))
    ):
        black = sum(map(colour, puzzle.cells))
        optional = sum(map(colour, puzzle.optional_cells))
        others = len(puzzle.optional_cells) - optional
        possible = reachable(colour)
        if not any(
            0 <= black - b <= optional and 0 <= number - n - (black - b) <= others
            for n, b in possible
        ):
            there = f"{black:,} black and {number - black:,} white cells"
            stay = f", of which {puzzle.empty} may stay empty" if most else ""
            covering = _covering(
                sorted({b for _, b in possible}), Amount(black - min(optional, most), black)
            )
            yield f"{words}, the board has {there}{stay}, but the pieces {covering}"
            return


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
            words = (
                "coloured as a chessboard"
                if len(names) > 1
                else f"with {names[0]} alternately black and white"
            )
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
        found = 0
        for cells, black in ways:
            found |= reached << (cells * width + black)
        return found & mask

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
