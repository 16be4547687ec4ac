"""Star battle."""

from collections.abc import Collection, Iterator, Mapping

from pydantic import PositiveInt

from jigsat.kit import (
    Answer,
    ClueValues,
    GridPuzzle,
    Rooms,
    Rules,
    Shading,
    layer,
    name_cell,
    walks,
)


class StarBattle(GridPuzzle):
    """Put stars into cells so that every row, column and room has the same number of them. No two
    stars touch, not even at a corner."""

    family = "star-battle"

    rooms: Rooms
    """The drawn grid, with the letter of its room for each cell, or a dot for a cell in none."""
    stars: PositiveInt = 1
    """The number of stars in each row, column and room."""

    @layer
    def star(self) -> Shading:
        return Shading(self.rooms.room_of, "star", "There is a star in the cell.", sign="★")

    def constrain(self, formula: Rules) -> None:
        star = formula[self.star]

        areas = dict(self.grid.lines)
        for name, cells in self.rooms.cells.items():
            areas[f"room {name}"] = tuple(cells)
        for name, area in areas.items():
            with formula.rule("every row, column and room has its stars", name):
                formula.exactly(self.stars, [star[cell] for cell in area if cell in star])

        for block in self.grid.blocks(min(2, self.grid.height), min(2, self.grid.width)):
            about = f"block {name_cell(block[0])} to {name_cell(block[-1])}"
            with formula.rule("stars do not touch", about):
                formula.at_most_one([star[cell] for cell in block if cell in star])

    def find_faults(self, answer: Answer) -> Iterator[str]:
        lines = walks.rows_and_columns(self.grid.height, self.grid.width)
        return check(self.stars, lines, self.rooms.cells, answer[self.star])

    def full_clues(self, answer: Answer) -> ClueValues:
        return {}


def check(
    number: int,
    lines: Mapping[str, Collection[walks.Cell]],
    rooms: Mapping[str, Collection[walks.Cell]],
    stars: Collection[walks.Cell],
) -> Iterator[str]:
    """Lines and rooms with another number of stars, and stars that touch."""
    for name, line in lines.items():
        if len(set(stars).intersection(line)) != number:
            yield f"{name} has another number of stars than {number}"
    for name, room in rooms.items():
        if len(set(stars).intersection(room)) != number:
            yield f"room {name} has another number of stars than {number}"
    for star in stars:
        for other in walks.touching(star):
            if other in stars:
                yield f"the stars in {star} and {other} touch"
