"""Rooms that hold the numbers from 1 to the number of their cells, as in Suguru."""

from jigsat.formula import Choice
from jigsat.kit.clues import CellNumbers
from jigsat.kit.grid import Cell
from jigsat.kit.layers import Values
from jigsat.kit.regions import Rooms
from jigsat.kit.rules import Rules


def make_room_numbers(rooms: Rooms, given: CellNumbers) -> Values:
    """The layer of the numbers in the cells of rooms, up to the number of cells of the largest."""
    largest = max(map(len, rooms.cells.values()), default=0)
    return Values(
        rooms.room_of,
        range(1, largest + 1),
        "number",
        "The cell has this number.",
        givens=given,
    )


def require_room_numbers(formula: Rules, number: dict[Cell, Choice[int]], rooms: Rooms) -> None:
    """Every room has the numbers from 1 to the number of its cells."""
    for name, cells in rooms.cells.items():
        with formula.rule("every room has the numbers up to its size", *rooms.thing(name)):
            for cell in cells:
                for value, literal in number[cell].literals.items():
                    if value > len(cells):
                        formula.clause([-literal])
            formula.all_different([number[cell] for cell in cells])
