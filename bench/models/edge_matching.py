"""A model of edge matching in CP-SAT, and a program in clingo, without any encoding of jigsat:

    python bench/models/edge_matching.py cp-sat FILE
    python bench/models/edge_matching.py clingo FILE

FILE is a framed square board whose tiles may be turned, as `bench/framed.py` writes it. One
solution is looked for, checked and printed.

CP-SAT has a variable for the turned tile on each cell and for the label of each edge, a table of
the turned tiles that fit the frame there, and the tiles are all different. It works with one
thread.
"""

from __future__ import annotations

import sys
import tomllib
from collections.abc import Mapping
from math import isqrt
from pathlib import Path
from typing import NamedTuple

Cell = tuple[int, int]

PROGRAM = """
1 { place(R,C,T,O) : fits(R,C,T,O) } 1 :- cell(R,C).
1 { place(R,C,T,O) : fits(R,C,T,O) } 1 :- tile(T).

% Each edge has one label, and the tiles on both sides show it.
1 { label(E,L) : inner(L) } 1 :- edge(E).
:- place(R,C,T,O), touches(R,C,S,E), side(T,O,S,L), not label(E,L).
:- label(E,L), touches(R,C,S,E), not place(R,C,T,O) : fits(R,C,T,O), side(T,O,S,L).
#show place/4.
"""


class Board(NamedTuple):
    """The size, the label of the frame, and for each tile its labels clockwise from the top."""

    size: int
    frame: str
    tiles: list[list[str]]

    def list_cells(self) -> list[Cell]:
        return [(row, column) for row in range(self.size) for column in range(self.size)]

    def turn(self, tile: int, turn: int) -> list[str]:
        """The labels of a tile after a number of quarter turns clockwise."""
        labels = self.tiles[tile]
        return labels[4 - turn :] + labels[: 4 - turn]

    def fits(self, cell: Cell, labels: list[str]) -> bool:
        """Whether the frame lies exactly where the cell has a side on the rim."""
        row, column = cell
        last = self.size - 1
        on_rim = [row == 0, column == last, row == last, column == 0]
        return [label == self.frame for label in labels] == on_rim

    def list_fitting(self, cell: Cell) -> list[tuple[int, int]]:
        """The tiles and turns that fit on a cell; a tile with equal turns has one of them."""
        fitting = []
        for tile in range(len(self.tiles)):
            seen = []
            for turn in range(4):
                labels = self.turn(tile, turn)
                if self.fits(cell, labels) and labels not in seen:
                    seen.append(labels)
                    fitting.append((tile, turn))
        return fitting

    def list_inner_labels(self) -> list[str]:
        return sorted({label for tile in self.tiles for label in tile if label != self.frame})


def read_board(path: Path) -> Board:
    data = tomllib.loads(path.read_text(encoding="utf-8"))
    tiles = list(data["tiles"].values())
    return Board(isqrt(len(tiles)), data["frame"], tiles)


def list_edges(cell: Cell) -> list[str]:
    """The names of the edges of a cell, clockwise from the top; neighbours have one in common."""
    row, column = cell
    return [f"h{row}_{column}", f"v{row}_{column + 1}", f"h{row + 1}_{column}", f"v{row}_{column}"]


def solve_with_cp_sat(board: Board) -> dict[Cell, tuple[int, int]]:
    from ortools.sat.python import cp_model

    model = cp_model.CpModel()
    numbers = {label: i for i, label in enumerate([board.frame, *board.list_inner_labels()])}
    edges: dict[str, cp_model.IntVar] = {}
    tiles: dict[Cell, cp_model.IntVar] = {}
    turns: dict[Cell, cp_model.IntVar] = {}
    for cell in board.list_cells():
        tiles[cell] = model.new_int_var(0, len(board.tiles) - 1, f"tile {cell}")
        turns[cell] = model.new_int_var(0, 3, f"turn {cell}")
        for name in list_edges(cell):
            if name not in edges:
                edges[name] = model.new_int_var(0, len(numbers) - 1, name)
        table = []
        for tile, turn in board.list_fitting(cell):
            table.append((tile, turn, *(numbers[label] for label in board.turn(tile, turn))))
        scope = [tiles[cell], turns[cell], *(edges[name] for name in list_edges(cell))]
        model.add_allowed_assignments(scope, table)
    model.add_all_different(list(tiles.values()))

    solver = cp_model.CpSolver()
    solver.parameters.num_workers = 1
    if solver.solve(model) not in (cp_model.OPTIMAL, cp_model.FEASIBLE):
        return {}
    return {cell: (solver.value(tiles[cell]), solver.value(turns[cell])) for cell in tiles}


def solve_with_clingo(board: Board) -> dict[Cell, tuple[int, int]]:
    import clingo

    facts = [f"inner({clingo.String(label)})." for label in board.list_inner_labels()]
    facts += [f"tile({tile})." for tile in range(len(board.tiles))]
    for tile in range(len(board.tiles)):
        for turn in range(4):
            for side, label in enumerate(board.turn(tile, turn)):
                facts.append(f"side({tile},{turn},{side},{clingo.String(label)}).")
    for row, column in board.list_cells():
        facts.append(f"cell({row},{column}).")
        for tile, turn in board.list_fitting((row, column)):
            facts.append(f"fits({row},{column},{tile},{turn}).")
        # The labels of the rim are those of the frame, which `fits` states.
        neighbours = [(row - 1, column), (row, column + 1), (row + 1, column), (row, column - 1)]
        for side, name in enumerate(list_edges((row, column))):
            if neighbours[side] in board.list_cells():
                facts.append(f"edge({name}). touches({row},{column},{side},{name}).")

    control = clingo.Control()
    control.add("base", [], "\n".join([PROGRAM, *facts]))
    control.ground([("base", [])])
    placed: dict[Cell, tuple[int, int]] = {}

    def note(model: clingo.Model) -> None:
        for symbol in model.symbols(shown=True):
            row, column, tile, turn = (argument.number for argument in symbol.arguments)
            placed[row, column] = tile, turn

    control.solve(on_model=note)
    return placed


def check(board: Board, placed: Mapping[Cell, tuple[int, int]]) -> None:
    """Raise ValueError unless every tile is there once and all sides match."""
    if sorted(tile for tile, _ in placed.values()) != list(range(len(board.tiles))):
        raise ValueError("not every tile is used once")
    labels: dict[str, str] = {}
    for cell, (tile, turn) in placed.items():
        sides = board.turn(tile, turn)
        if not board.fits(cell, sides):
            raise ValueError(f"the tile on {cell} does not fit the frame")
        for name, label in zip(list_edges(cell), sides, strict=True):
            if labels.setdefault(name, label) != label:
                raise ValueError(f"the labels at {name} differ")


def main() -> None:
    program, file = sys.argv[1:]
    board = read_board(Path(file))
    solve = {"cp-sat": solve_with_cp_sat, "clingo": solve_with_clingo}[program]
    placed = solve(board)
    check(board, placed)
    for row in range(board.size):
        tiles = (placed[row, column] for column in range(board.size))
        print(" ".join(f"{tile}/{turn}" for tile, turn in tiles))


if __name__ == "__main__":
    main()
