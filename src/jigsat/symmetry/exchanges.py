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
    keeping = []  # the moves that keep the givens, each with the images of given symbols
    for level, move in moves:
        images = _images(grids, move, givens)
        if images is not None:
            keeping.append((level, move, images))

    free = []  # the symbols of each grid that are not given
    entries = 0
    for cells, symbols in grids:
        used = {givens.get(cell) for cell in cells}
        free.append([symbol for symbol in symbols if symbol not in used])
        entries += len(cells) * len(symbols)
    orders: list[Sequence[Sequence[str]]] = [[symbols] for symbols in free]
    exchanges = math.prod(math.factorial(len(symbols)) for symbols in free)
    if len(keeping) * exchanges * entries <= MAX_LISTED_ENTRIES:
        orders = [list(permutations(symbols)) for symbols in free]

    for level, move, of_given in keeping:
        for chosen in product(*orders):
            images_of = []  # for each grid, the image of each of its symbols
            for known, symbols, images_of_free in zip(of_given, free, chosen, strict=True):
                images_of.append(known | dict(zip(symbols, images_of_free, strict=True)))
            moved = _move_symbols(make, grids, move, images_of)
            yield Symmetry(level if all(map(_is_identity, images_of)) else "all", moved)


def _is_identity(images: Mapping[str, str]) -> bool:
    return all(symbol == image for symbol, image in images.items())


def _move_symbols(
    make: Callable[[Cell, str], Placement],
    grids: Sequence[tuple[Sequence[Cell], Sequence[str]]],
    move: Mapping[Cell, Cell],
    images_of: Sequence[Mapping[str, str]],
) -> dict[Placement, Placement]:
    """The image of each placement, given those of the cells and, for each grid, of its symbols."""
    moved = {}
    for (cells, _), image in zip(grids, images_of, strict=True):
        for cell in cells:
            for symbol in image:
                moved[make(cell, symbol)] = make(move[cell], image[symbol])
    return moved


def _images(
    grids: Sequence[tuple[Sequence[Cell], Sequence[str]]],
    move: Mapping[Cell, Cell],
    givens: Mapping[Cell, str],
) -> list[dict[str, str]] | None:
    """What each given symbol of each grid becomes if the move keeps the givens; None if it does
    not."""
    images = []
    for cells, _ in grids:
        image: dict[str, str] = {}
        for cell in cells:
            if cell in givens:
                moved = givens.get(move[cell])
                if moved is None or image.setdefault(givens[cell], moved) != moved:
                    return None
        images.append(image)
    return images
