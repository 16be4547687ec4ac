"""Pictures of sudokus: the grid with its boxes or regions."""

from collections.abc import Collection, Iterator, Sequence

from jigsat.encodings.sudoku.data import Cell, Digit, SudokuData

from jigsat.boards.drawings import BLANK, DIGITS
from jigsat.pictures import Picture, draw_walls, walls

GIVEN = "#e2e2e2"  # the colour of the cells of givens


def write_rules(puzzle: SudokuData) -> Iterator[str]:
    n = puzzle.size
    digits = f"1 to {n}" if n <= 9 else f"1 to 9 and {' '.join(DIGITS[9:n])}"
    house = "box" if puzzle.regions is None else "region"
    yield (
        f"Write a digit ({digits}) into each empty cell. Every row, column and {house} holds "
        f"each digit once."
    )
    if _has_scattered_region(puzzle):
        yield "A region is all the cells with the same small letter on the right."
    else:
        yield f"Thick lines go around each {house}."
    if puzzle.restricted:
        yield "A cell with small digits holds one of them."
    if puzzle.diagonals:
        yield "The two diagonals hold each digit once as well."
    if puzzle.extra is not None:
        yield (
            "Each extra region, the shaded cells with the same small letter on the left, holds "
            "each digit once as well."
        )


def draw_text(
    puzzle: SudokuData, placements: Sequence[Digit], marked: Collection[Digit] = ()
) -> str:
    givens = puzzle.givens
    beside = {cell: "·" for cell in puzzle.cells if givens and cell not in givens} | {
        cell: "*" for cell, _ in marked
    }
    shown = {cell: f" {value}{beside.get(cell, ' ')}" for cell, value in placements}
    drawn = draw_walls(shown, _rooms(puzzle), colours=dict.fromkeys(givens, GIVEN))
    return drawn.above(
        "a dot marks each digit that was filled in"
        if givens and shown.keys() - givens.keys()
        else ""
    )


def draw_svg(
    puzzle: SudokuData, placements: Sequence[Digit], marked: Collection[Digit] = ()
) -> str:
    picture, n, givens = Picture(scale=60, margin=0.2), puzzle.size, puzzle.givens
    for r, c in puzzle.cells:
        extra = puzzle.extra is not None and puzzle.extra[r][c] != BLANK
        shade = (
            ("#ddd3bd" if extra else GIVEN) if (r, c) in givens else "#fdf3dc" if extra else "white"
        )
        corners = [(c, r), (c + 1, r), (c + 1, r + 1), (c, r + 1)]
        picture.place((r, c), corners)
        picture.polygon(corners, shade, line="#999", width=0.015)
    for ends in [((0, 0), (n, n)), ((n, 0), (0, n))] if puzzle.diagonals else []:
        picture.polygon(ends, "none", line="#e8a0a0", width=0.03)
    for ends in walls(_rooms(puzzle)):
        picture.polygon(ends, "none", line="#111", width=0.06)
    for named, x in (
        (puzzle.extra, 0.14),
        (puzzle.regions if _has_scattered_region(puzzle) else None, 0.86),
    ):
        for (r, c), name in zip(puzzle.cells, "".join(named or ()), strict=False):
            if named is puzzle.regions or name != BLANK:
                picture.text((c + x, r + 0.17), name, 0.2, fill="#555")
    _draw_candidates(picture, puzzle, {cell for cell, _ in placements})
    for (r, c), value in placements:
        given = (r, c) in givens
        picture.text(
            (c + 0.5, r + 0.5), value, 0.6, fill="#111" if given else "#1a5fc4", bold=given
        )
    for r, c in {cell for cell, _ in marked}:
        picture.mark([(c, r), (c + 1, r), (c + 1, r + 1), (c, r + 1)])
    return str(picture)


def _draw_candidates(picture: Picture, puzzle: SudokuData, filled: Collection[Cell]) -> None:
    """Write the stated candidates into the cells that hold no digit."""
    for (r, c), group in puzzle.restricted.items():
        if (r, c) not in filled:
            picture.text((c + 0.5, r + 0.8), group, 0.16, fill="#555")


def _has_scattered_region(puzzle: SudokuData) -> bool:
    """Whether some region consists of several parts, so that lines around it do not identify it."""
    import networkx

    rooms = _rooms(puzzle)
    graph: networkx.Graph[Cell] = networkx.Graph()
    graph.add_nodes_from(rooms)
    beside = [((r, c), other) for r, c in rooms for other in ((r + 1, c), (r, c + 1))]
    graph.add_edges_from((one, other) for one, other in beside if rooms.get(other) == rooms[one])
    return networkx.number_connected_components(graph) > len({*rooms.values()})


def _rooms(puzzle: SudokuData) -> dict[Cell, int]:
    """For each cell the number of its box or region."""
    houses = puzzle.houses["box" if puzzle.regions is None else "region"]
    return {cell: number for number, house in enumerate(houses) for cell in house}
