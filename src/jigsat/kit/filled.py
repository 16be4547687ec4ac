"""Reading what somebody has filled into a grid, as a drawing."""

from __future__ import annotations

from jigsat.kit.grid import Cell
from jigsat.kit.layers import Mark, Shading, Values
from jigsat.kit.puzzle import GridPuzzle
from jigsat.kit.reading import NONE, is_blank
from jigsat.kit.typed import Line, split_cells
from jigsat.words import name_place, plural

SHADED = ("#", "■", "*")  # what is drawn for a mark that has no value


def read_filled(puzzle: GridPuzzle, text: str) -> list[Mark]:
    """The marks that a drawing of the grid shows. Its first line may name the kind. What is drawn
    where no mark can be, such as a black cell, is skipped. Raises ValueError, which names the line
    if it can."""
    layer = _choose_layer(puzzle)
    lines = [Line(*line) for line in enumerate(text.splitlines(), 1) if line[1].strip()]
    names = [puzzle.family, puzzle.name_kind(), *puzzle.other_names]
    if lines and lines[0].text.strip().casefold() in map(str.casefold, names):
        lines = lines[1:]
    if not lines:
        raise ValueError("there is no drawing; write a line for each row of the grid")
    rows = [row.split() for row in split_cells(lines)]
    margin = _measure_margin(puzzle, rows)

    marks = []
    possible = set(layer.marks())
    places = set(layer.places())
    for r, (line, row) in enumerate(zip(lines[margin:], rows[margin:], strict=True)):
        for c, word in enumerate(row[margin:]):
            if is_blank(word) or (r, c) not in places:
                continue
            mark = _read_mark(layer, (r, c), word)
            if mark is None or mark not in possible:
                raise ValueError(
                    f"line {line.number}: {name_place((r, c))} is {word!r}; write "
                    f"{_list_words(layer)}, or {NONE} for an empty cell"
                )
            marks.append(mark)
    return marks


def _choose_layer(puzzle: GridPuzzle) -> Values | Shading:
    """The layer of which there are marks in cells. Raises ValueError unless there is one."""
    layers = [layer for layer in puzzle.layers if isinstance(layer, Values | Shading)]
    if len(layers) != 1 or len(puzzle.layers) > 1:
        raise ValueError(
            "an answer of this kind cannot be drawn with a sign for each cell; write the "
            "placements as `jigsat solve --json` does"
        )
    return layers[0]


def _measure_margin(puzzle: GridPuzzle, rows: list[list[str]]) -> int:
    """The number of rows and columns that are drawn before those of the grid. Raises ValueError for
    a drawing of another size."""
    height, width = puzzle.grid.height, puzzle.grid.width
    margins = {0, *(clues.margin for clues in puzzle.clue_layers.values())}
    for margin in margins:
        if (len(rows), len(rows[0])) == (height + margin, width + margin):
            return margin
    raise ValueError(
        f"{plural(len(rows), 'row')} of {plural(len(rows[0]), 'cell')}, but the grid has "
        f"{height}×{width} cells"
    )


def _read_mark(layer: Values | Shading, cell: Cell, word: str) -> Mark | None:
    """The mark of a word; None if it means nothing."""
    if isinstance(layer, Values):
        return layer.mark(cell, int(word)) if word.isdecimal() else None
    is_mark = word == layer.sign or word in SHADED
    return Mark(layer.noun, cell, layer.noun) if is_mark else None


def _list_words(layer: Values | Shading) -> str:
    """What may be written in a cell."""
    if isinstance(layer, Values):
        return f"one of {', '.join(map(str, layer.values))}"
    return layer.sign or SHADED[0]
