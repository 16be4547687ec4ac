"""Pictures of Latin squares. Orthogonal squares are drawn on top of each other, so a cell shows one
symbol of each square."""

from collections.abc import Collection, Iterator, Sequence
from itertools import product

from jigsat.encodings.latin.data import Cell, LatinData, Symbol

from jigsat.pictures import Picture, draw_walls

# the colours of the symbols that were filled in, by square
INKS = (
    "#1a5fc4",
    "#b3461f",
    "#2b8a3e",
    "#862e9c",
)
GIVEN = "#e8e8e8"  # the colour of the cells of givens
# the colours of cells on the diagonals, without and with a given
ON_DIAGONAL = (
    "#f3ecd2",
    "#ddd5b8",
)


def write_rules(puzzle: LatinData) -> Iterator[str]:
    digits, letters = puzzle.symbols(0), puzzle.symbols(1)
    if not puzzle.mates:
        yield (
            f"Write one of {' '.join(digits)} into each empty cell. Every row and column holds "
            f"each of them once."
        )
    else:
        companion = "a letter" if len(puzzle.mates) == 1 else f"{len(puzzle.mates)} letters"
        yield (
            f"Each cell holds one of {' '.join(digits)} and {companion} from {' '.join(letters)}, "
            f"at fixed places in the cell."
        )
        yield "At each of these places, every row and column holds each symbol once."
        yield "No two cells hold the same pair of symbols at the same two places."
    if puzzle.diagonals:
        yield "The two diagonals hold each symbol once as well."


def draw_text(
    puzzle: LatinData, placements: Sequence[Symbol], marked: Collection[Symbol] = ()
) -> str:
    givens = puzzle.givens
    shown = dict(placements)
    signs: dict[Cell, str] = {}  # beside symbols
    if givens:
        signs = {cell: "·" for cell in shown if cell not in givens}
    signs |= {cell: "*" for cell, _ in marked}

    width = 2 if signs and puzzle.mates else 1
    texts = {}
    colours = {}
    for r, c in product(range(puzzle.order), repeat=2):
        here = [square[r][c] for square in puzzle.squares]
        if any(cell in givens for cell in here):
            colours[r, c] = GIVEN
        if puzzle.mates:
            symbols = [shown.get(cell, " ") + signs.get(cell, "") for cell in here]
            texts[r, c] = f" {''.join(symbol.ljust(width) for symbol in symbols)} "
        else:
            texts[r, c] = f" {shown.get(here[0], ' ')}{signs.get(here[0], ' ')}"

    legend = ""
    if givens and shown.keys() - givens.keys():
        legend = "a dot marks each symbol that was filled in"
    picture = draw_walls(texts, dict.fromkeys(texts, 0), colours=colours)
    return picture.above(legend)


def draw_svg(
    puzzle: LatinData, placements: Sequence[Symbol], marked: Collection[Symbol] = ()
) -> str:
    picture = Picture(scale=60, margin=0.2)
    n = puzzle.order
    givens = puzzle.givens
    shown = dict(placements)
    number = len(puzzle.squares)
    size = 0.6 if number == 1 else min(0.42, 0.8 / number)
    marked_cells = {cell for cell, _ in marked}
    for r, c in product(range(n), repeat=2):
        here = [square[r][c] for square in puzzle.squares]
        outline = [(c, r), (c + 1, r), (c + 1, r + 1), (c, r + 1)]
        empty, given = ("white", GIVEN)
        if puzzle.diagonals and r in (c, n - 1 - c):
            empty, given = ON_DIAGONAL
        fill = given if any(cell in givens for cell in here) else empty
        picture.polygon(outline, fill, line="#999", width=0.015)
        for i, cell in enumerate(here):
            left = c + i / number
            right = c + (i + 1) / number
            part = [(left, r), (right, r), (right, r + 1), (left, r + 1)]
            picture.place(cell, part)
            at = c + (2 * i + 1) / (2 * number)
            ink = "#111" if cell in givens else INKS[i % len(INKS)]
            picture.text((at, r + 0.5), shown.get(cell, ""), size, fill=ink, bold=cell in givens)
            if cell in marked_cells:
                picture.mark(part)
    picture.polygon([(0, 0), (n, 0), (n, n), (0, n)], "none", line="#111", width=0.06)
    return str(picture)
