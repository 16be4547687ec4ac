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
    givens = puzzle.givens
    marked_cells = {cell for cell, _ in marked}
    shown = {}
    has_dots = False
    for cell, digit in placements:
        mark = " "
        if cell in marked_cells:
            mark = "*"
        elif givens and cell not in givens:
            mark = "·"
        shown[cell] = f" {digit}{mark}"
        has_dots = has_dots or bool(givens and cell not in givens)
    picture = draw_walls(shown, _rooms(puzzle), colours=dict.fromkeys(givens, GIVEN))
    return picture.above("a dot marks each digit that was filled in" if has_dots else "")


def draw_svg(
    puzzle: SudokuData, placements: Sequence[Digit], marked: Collection[Digit] = ()
) -> str:
    picture = Picture(scale=60, margin=0.2)
    n = puzzle.size
    givens = puzzle.givens
    for r, c in puzzle.cells:
        corners = _corners((r, c))
        picture.place((r, c), corners)
        picture.polygon(corners, _shade_cell(puzzle, (r, c)), line="#999", width=0.015)
    if puzzle.diagonals:
        picture.polygon([(0, 0), (n, n)], "none", line="#e8a0a0", width=0.03)
        picture.polygon([(n, 0), (0, n)], "none", line="#e8a0a0", width=0.03)
    for ends in walls(_rooms(puzzle)):
        picture.polygon(ends, "none", line="#111", width=0.06)
    _name_regions(picture, puzzle)
    _draw_candidates(picture, puzzle, {cell for cell, _ in placements})
    for (r, c), value in placements:
        is_given = (r, c) in givens
        colour = "#111" if is_given else "#1a5fc4"
        picture.text((c + 0.5, r + 0.5), value, 0.6, fill=colour, bold=is_given)
    for cell in {cell for cell, _ in marked}:
        picture.mark(_corners(cell))
    return str(picture)


def _corners(cell: Cell) -> list[tuple[int, int]]:
    r, c = cell
    return [(c, r), (c + 1, r), (c + 1, r + 1), (c, r + 1)]


def _shade_cell(puzzle: SudokuData, cell: Cell) -> str:
    """A colour for givens, and for cells of extra regions."""
    r, c = cell
    is_given = cell in puzzle.givens
    if puzzle.extra is not None and puzzle.extra[r][c] != BLANK:
        return "#ddd3bd" if is_given else "#fdf3dc"
    return GIVEN if is_given else "white"


def _name_regions(picture: Picture, puzzle: SudokuData) -> None:
    """Write the letter of its extra region into each cell, and that of its region if lines do not
    show it."""
    if puzzle.extra is not None:
        for (r, c), name in zip(puzzle.cells, "".join(puzzle.extra), strict=True):
            if name != BLANK:
                picture.text((c + 0.14, r + 0.17), name, 0.2, fill="#555")
    if puzzle.regions is not None and _has_scattered_region(puzzle):
        for (r, c), name in zip(puzzle.cells, "".join(puzzle.regions), strict=True):
            picture.text((c + 0.86, r + 0.17), name, 0.2, fill="#555")


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
    for r, c in rooms:
        for neighbour in ((r + 1, c), (r, c + 1)):
            if rooms.get(neighbour) == rooms[r, c]:
                graph.add_edge((r, c), neighbour)
    return networkx.number_connected_components(graph) > len(set(rooms.values()))


def _rooms(puzzle: SudokuData) -> dict[Cell, int]:
    """For each cell the number of its box or region."""
    houses = puzzle.houses["box" if puzzle.regions is None else "region"]
    rooms = {}
    for number, house in enumerate(houses):
        for cell in house:
            rooms[cell] = number
    return rooms
