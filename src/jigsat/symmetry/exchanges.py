"""Symmetries of grids filled with symbols: motions of the cells, combined with permutations of the
symbols."""

import math
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from itertools import permutations, product
from typing import Literal, TypeVar

from jigsat.symmetry.levels import Placement, Symmetry

# maximum total size of listed permutations of symbols that are not given
MAX_LISTED_ENTRIES = 1_000_000
Cell = TypeVar("Cell", bound=Hashable)
# level of a motion, and the image of each cell
Move = tuple[Literal["rotation", "reflection"], Mapping[Cell, Cell]]


def symbol_symmetries(
    make: Callable[[Cell, str], Placement],
    grids: Sequence[tuple[Sequence[Cell], Sequence[str]]],
    moves: Iterable[Move[Cell]],
    givens: Mapping[Cell, str],
) -> Iterator[Symmetry]:
    """The moves combined with those permutations of the symbols that keep the givens; `make` makes
    a placement.

    Each of the grids has its cells and its symbols, and a move maps each grid to itself. Symbols
    that are not given may be permuted in any way. If that gives too many symmetries to list, they
    stay as they are.
    """
    kept = [
        (level, move, images)
        for level, move in moves
        if (images := _images(grids, move, givens)) is not None
    ]
    free = [
        [symbol for symbol in symbols if not any(givens.get(cell) == symbol for cell in cells)]
        for cells, symbols in grids
    ]
    ways = math.prod(math.factorial(len(symbols)) for symbols in free)
    listed = (
        len(kept) * ways * sum(len(cells) * len(symbols) for cells, symbols in grids)
        <= MAX_LISTED_ENTRIES
    )
    for level, move, given in kept:
        for chosen in product(
            *(permutations(symbols) if listed else [tuple(symbols)] for symbols in free)
        ):
            exchanges = [
                known | dict(zip(symbols, images, strict=True))
                for known, symbols, images in zip(given, free, chosen, strict=True)
            ]
            same = all(
                symbol == image for exchange in exchanges for symbol, image in exchange.items()
            )
            yield Symmetry(
                level if same else "all",
                {
                    make(cell, symbol): make(move[cell], image)
                    for (cells, _), exchange in zip(grids, exchanges, strict=True)
                    for cell in cells
                    for symbol, image in exchange.items()
                },
            )


def _images(
    grids: Sequence[tuple[Sequence[Cell], Sequence[str]]],
    move: Mapping[Cell, Cell],
    givens: Mapping[Cell, str],
) -> list[dict[str, str]] | None:
    """What each given symbol of each grid becomes if the move keeps the givens; None if it does
    not."""
    found = []
    for cells, _ in grids:
        given = {cell: givens[cell] for cell in cells if cell in givens}
        becomes = {symbol: givens.get(move[cell], "") for cell, symbol in given.items()}
        if any(givens.get(move[cell]) != becomes[symbol] for cell, symbol in given.items()):
            return None
        found.append(becomes)
    return found
