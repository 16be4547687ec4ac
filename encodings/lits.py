"""LITS."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence, Set
from itertools import product
from random import Random
from typing import Any

from jigsat.kit import (
    Answer,
    Cell,
    ClueValues,
    GridPuzzle,
    Rooms,
    Rules,
    Shading,
    Variables,
    draw_rooms,
    grow_rooms,
    layer,
    name_cell,
    walks,
)
from jigsat.links import Borders, Link

SHAPES = "LITS"
ATTEMPTS_PER_CELL = 10  # to add a piece to a random answer


class Lits(GridPuzzle):
    """Shade four connected cells in each room, which have the shape of an L, I, T or S, perhaps
    turned or mirrored. All shaded cells are connected; no 2×2 cells are all shaded. Where pieces of
    two rooms touch along a side, their shapes differ."""

    family = "lits"
    other_names = ("Nuruomino",)
    chapter = "LITS"
    card = "A piece of four cells in each room; all are connected."
    moving_rooms = "rooms"
    link = Link("lits", [Borders("rooms")])

    rooms: Rooms
    """The drawn grid, with the letter of its room for each cell, or a dot for a cell in none."""

    @layer
    def shaded(self) -> Shading:
        return Shading(self.rooms.room_of, "shaded", "The cell is shaded.")

    def constrain(self, formula: Rules) -> None:
        shaded = formula[self.shaded]
        rooms = [self.rooms.thing(name).which for name in self.rooms.cells]
        shapes = [(room, shape) for room in rooms for shape in SHAPES]
        has = formula.variables("shape", ("room", "shape"), shapes, decision=False)

        for name, cells in self.rooms.cells.items():
            self.place_piece(formula, name, cells, has)
        for one, other in self.grid.neighbours.edges:
            if one in shaded and other in shaded:
                self.part_pieces(formula, one, other, has)

        for block in self.grid.blocks(2, 2):
            ends = f"{name_cell(block[0])} to {name_cell(block[-1])}"
            if set(block) <= set(shaded):
                with formula.rule("no 2×2 cells are shaded", "block", ends):
                    formula.clause([-shaded[cell] for cell in block])

        with formula.rule("the shaded cells are connected"):
            formula.connected(self.grid.neighbours.subgraph(shaded), shaded)

    def place_piece(self, formula: Rules, name: str, cells: Sequence[Cell], has: Variables) -> None:
        """A room has one piece, which has its shape."""
        shaded = formula[self.shaded]
        pieces = self.list_pieces(cells)
        keys = [(name, piece) for piece in pieces]
        lies = formula.variables("piece", ("room", "cells"), keys, decision=False)

        room = self.rooms.thing(name)
        with formula.rule("every room has one piece", *room):
            formula.exactly_one([lies(name, piece) for piece in pieces])
            for cell in cells:
                around = [lies(name, piece) for piece in pieces if cell in piece]
                formula.implies(shaded[cell], *around)
                for literal in around:
                    formula.implies(literal, shaded[cell])

        with formula.rule("a piece has one shape", *room):
            formula.exactly_one([has(room.which, shape) for shape in SHAPES])
            for piece in pieces:
                formula.implies(lies(name, piece), has(room.which, name_shape(piece)))

    def part_pieces(self, formula: Rules, one: Cell, other: Cell, has: Variables) -> None:
        """Equal pieces do not touch where two cells of different rooms do."""
        shaded = formula[self.shaded]
        names = self.rooms.room_of[one], self.rooms.room_of[other]
        if names[0] == names[1]:
            return
        rooms = [self.rooms.thing(name).which for name in names]
        pair = f"{name_cell(one)} and {name_cell(other)}"
        with formula.rule("equal pieces do not touch", "cells", pair):
            for shape in SHAPES:
                same = [-has(room, shape) for room in rooms]
                formula.clause([-shaded[one], -shaded[other], *same])

    def list_pieces(self, room: Iterable[Cell]) -> list[tuple[Cell, ...]]:
        """The connected sets of four cells of a room that are no square."""
        cells = set(room)
        pieces = {frozenset([cell]) for cell in cells}
        for _ in range(3):
            larger = set()
            for piece in pieces:
                for cell in piece:
                    beside = cells.intersection(self.grid.beside(cell)) - piece
                    larger |= {piece | {other} for other in beside}
            pieces = larger
        squares = set(map(frozenset, self.grid.blocks(2, 2)))
        return sorted(tuple(sorted(piece)) for piece in pieces - squares)

    def find_faults(self, answer: Answer) -> Iterator[str]:
        return check(self.rooms.cells, answer[self.shaded])

    def full_clues(self, answer: Answer) -> ClueValues:
        return {}

    @classmethod
    def propose(cls, height: int, width: int, rng: Random) -> dict[str, Any] | None:
        pieces = draw_pieces(height, width, rng)
        if not pieces:
            return None
        return {"rooms": draw_rooms(grow_rooms(pieces, height, width, rng), height, width)}


def name_shape(piece: Collection[Cell]) -> str:
    """The letter of four connected cells that are no square."""
    in_row = max(sum(other[0] == cell[0] for other in piece) for cell in piece)
    in_column = max(sum(other[1] == cell[1] for other in piece) for cell in piece)
    longest = max(in_row, in_column)
    if longest == 4:
        return "I"
    if longest == 2:
        return "S"
    # The crossbar of a T has a cell in the middle that touches the three others.
    for row, column in piece:
        beside = {(row + 1, column), (row - 1, column), (row, column + 1), (row, column - 1)}
        if len(beside.intersection(piece)) == 3:
            return "T"
    return "L"


def draw_pieces(height: int, width: int, rng: Random) -> list[set[walks.Cell]]:
    """Connected pieces that together obey the rules, as many as can be added at random."""
    free = set(walks.rectangle(height, width))
    pieces: list[set[walks.Cell]] = []
    shape_of: dict[walks.Cell, str] = {}
    for _ in range(ATTEMPTS_PER_CELL * height * width):
        start = sorted(list_beside(shape_of) & free or free)
        if not start:
            break
        piece = draw_piece(rng.choice(start), free, rng)
        if len(piece) < 4 or has_square({*shape_of, *piece}, piece):
            continue
        shape = name_shape(piece)
        if shape not in {shape_of.get(other) for other in list_beside(piece)}:
            pieces.append(piece)
            shape_of.update(dict.fromkeys(piece, shape))
            free -= piece
    return pieces


def draw_piece(start: walks.Cell, free: Collection[walks.Cell], rng: Random) -> set[walks.Cell]:
    """Four connected free cells, or fewer if there are no more."""
    piece = {start}
    while len(piece) < 4:
        around = (list_beside(piece) - piece).intersection(free)
        if not around:
            break
        piece.add(rng.choice(sorted(around)))
    return piece


def list_beside(cells: Iterable[walks.Cell]) -> set[walks.Cell]:
    """The neighbours of some cells."""
    return {other for cell in cells for other in walks.neighbours(cell)}


def has_square(shaded: Set[walks.Cell], piece: Iterable[walks.Cell]) -> bool:
    """Whether a cell of a piece belongs to 2×2 shaded cells."""
    for row, column in piece:
        for top, left in product((row - 1, row), (column - 1, column)):
            if {*product((top, top + 1), (left, left + 1))} <= shaded:
                return True
    return False


def check(
    rooms: Mapping[str, Collection[walks.Cell]], shaded: Collection[walks.Cell]
) -> Iterator[str]:
    """What is wrong with the shaded cells."""
    pieces = {name: set(shaded).intersection(room) for name, room in rooms.items()}
    for name, piece in pieces.items():
        place = walks.name_cell(min(rooms[name]))
        if len(piece) != 4 or len(walks.adjacent_parts(piece)) != 1:
            yield f"the shaded cells of the room at {place} are not four that are connected"
    if len(walks.adjacent_parts(shaded)) > 1:
        yield "the shaded cells are not connected"
    for row, column in shaded:
        if {(row, column + 1), (row + 1, column), (row + 1, column + 1)} <= set(shaded):
            yield f"2×2 cells from {walks.name_cell((row, column))} are shaded"
    for name, other in find_equal_neighbours(pieces):
        yield f"the equal pieces of rooms {name} and {other} touch"


def find_equal_neighbours(pieces: Mapping[str, set[walks.Cell]]) -> Iterator[tuple[str, str]]:
    """The pairs of rooms whose pieces are equal and touch."""
    forms = {name: turn(piece) for name, piece in pieces.items() if piece}
    for name, piece in pieces.items():
        around = {other for cell in piece for other in walks.neighbours(cell)}
        for other, touching in pieces.items():
            if name < other and around & touching and forms[name] == forms[other]:
                yield name, other


def turn(piece: Collection[walks.Cell]) -> list[walks.Cell]:
    """The first of the turned and mirrored forms of a piece, which is the same for all of them."""
    forms = []
    cells = list(piece)
    for _ in range(4):
        cells = [(column, -row) for row, column in cells]
        for form in (cells, [(row, -column) for row, column in cells]):
            top = min(row for row, _ in form)
            left = min(column for _, column in form)
            forms.append(sorted((row - top, column - left) for row, column in form))
    return min(forms)
