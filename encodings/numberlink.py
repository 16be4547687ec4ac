"""Numberlink."""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import combinations, product
from random import Random
from typing import Any, Self

from jigsat.kit import (
    Answer,
    Cell,
    ClueValues,
    GridPicture,
    GridPuzzle,
    Labels,
    Lines,
    Mark,
    Rules,
    draw_rows,
    edge,
    layer,
    name_cell,
    walks,
)
from jigsat.links import Link, Numbers16

MIN_PATH_CELLS = 3  # of a generated puzzle
MAX_DRAWS = 20  # times that cells are divided into paths anew if some are left over

Path = list[walks.Cell]


class Ends(Labels):
    """The ends of the lines: each number is there twice."""

    noun = "end"

    @classmethod
    def read(cls, data: Any) -> Self:
        ends = super().read(data)
        for cell in ends.unknown:
            raise ValueError(f"{name_cell(cell)} is '?'; write the number of a line, or .")
        for number, count in Counter(ends.values()).items():
            if count != 2:
                times = "once" if count == 1 else f"{count} times"
                raise ValueError(f"{number} is there {times}; write each number twice")
        return ends

    def list_changes(self) -> Iterator[tuple[str, Self]]:
        return self.list_moves()

    def draw(self, picture: GridPicture) -> None:
        for cell in self:
            picture.word(self.point(cell), self.word(cell), circled=True)


class Numberlink(GridPuzzle):
    """Join each number to its equal by a line along rows and columns, which may turn in cells. At
    most one line passes through a cell, and no line branches."""

    family = "numberlink"
    other_names = ("Arukone", "Nanbarinku", "Flow")
    card = "Lines that join equal numbers and do not cross."
    sizes = ((10, 10), (15, 15))
    link = Link(
        "numlin",
        [Numbers16("ends")],
        aliases=("numberlink",),
        settings={"arukone": {"all_cells": True}, "arukone/e": {"all_cells": False}},
    )
    fixed_clues = ("ends",)

    ends: Ends
    """The drawn grid: each number in two cells, and dots."""
    all_cells: bool = False
    """Whether a line passes through every cell."""

    @layer
    def line(self) -> Lines:
        return Lines(self.grid.neighbours, "line", "A line joins these cells.")

    def constrain(self, formula: Rules) -> None:
        line = formula[self.line]
        numbers = sorted(set(self.ends.values()))
        keys = list(product(self.grid.cells, numbers))
        path = formula.variables("path", ("cell", "number"), keys, decision=False)

        for cell in self.grid.cells:
            at_cell = line.at(cell)
            if cell in self.ends:
                with formula.rule("a line begins at each number", "cell", cell):
                    formula.exactly_one(at_cell)
                    formula.clause([path(cell, self.ends[cell])])
            elif self.all_cells:
                with formula.rule("a line passes through each cell", "cell", cell):
                    formula.exactly(2, at_cell)
            else:
                with formula.rule("no line ends or branches at other cells", "cell", cell):
                    formula.at_most(2, at_cell)
                    for literal in at_cell:
                        others = [other for other in at_cell if other != literal]
                        formula.implies(literal, *others)

            # A cell has the number of its line, which its neighbours on the line have too.
            with formula.rule("a line joins equal numbers", "cell", cell):
                formula.at_most_one([path(cell, number) for number in numbers])
                for literal in at_cell:
                    formula.implies(literal, *[path(cell, number) for number in numbers])
                for number in numbers:
                    formula.implies(path(cell, number), *at_cell)

        for (one, other), literal in line.items():
            with formula.rule("a line joins equal numbers", "cells", _name_pair(one, other)):
                for number in numbers:
                    formula.clause([-literal, -path(one, number), path(other, number)])
                    formula.clause([-literal, -path(other, number), path(one, number)])

        with formula.rule("no line is closed"):
            formula.acyclic(self.grid.neighbours, line)

    def encode_narrow(self) -> Rules | None:
        """The rules, and that no line can be shortened as `forbid_detours` says.

        Lines that break one of these constraints are changed: one becomes shorter, or a turn of it
        moves to a cell that comes earlier in reading order. No changes go on for ever, so they end
        at lines that meet all of the constraints. Each change leaves a cell empty through which the
        line passed before.
        """
        if self.all_cells:
            return None
        formula = self.rules_and_clues()
        self.forbid_detours(formula)
        return formula

    def settles(self, placements: Sequence[Mark]) -> bool:
        """Lines through every cell are not the end of any change, which leaves a cell empty. If
        they are the only ones that meet the constraints of `encode_narrow`, there are no others:
        changes of these would end somewhere else."""
        passed = walks.degrees(Answer(placements)[self.line])
        return len(passed) == self.grid.height * self.grid.width

    def forbid_detours(self, formula: Rules) -> None:
        """Exclude lines that could take a way that is shorter.

        - Two cells side by side on one line follow each other. Otherwise the line goes from one to
          the other at once.
        - Two cells of one line beside an empty cell have one cell of the line between them.
          Otherwise the line goes through the empty cell, and at least three cells become free. The
          one between is beside both, so it is the fourth cell of a 2×2 block, where the line turns;
          it is no end. If it is later in reading order, the line turns in the empty cell instead.
        """
        line, path = formula[self.line], formula.families["path"]
        numbers = sorted(set(self.ends.values()))
        for (one, other), literal in line.items():
            with formula.rule("no detour to a cell beside", "cells", _name_pair(one, other)):
                for number in numbers:
                    formula.clause([-path(one, number), -path(other, number), literal])

        pairs = set()
        for cell in self.grid.cells:
            pairs |= set(combinations(sorted(self.grid.beside(cell)), 2))
        joined = formula.variables("joined", ("one", "other"), sorted(pairs), decision=False)
        for one, other in sorted(pairs):
            with formula.rule("cells on one line", "cells", _name_pair(one, other)):
                for number in numbers:
                    both = [-path(one, number), -path(other, number)]
                    formula.clause([*both, joined(one, other)])

        for cell in [cell for cell in self.grid.cells if cell not in self.ends]:
            for one, other in combinations(sorted(self.grid.beside(cell)), 2):
                passed = [-joined(one, other), *line.at(cell)]
                turn = (one[0] + other[0] - cell[0], one[1] + other[1] - cell[1])
                with formula.rule("no detour past an empty cell", "cell", cell):
                    if turn < cell and turn not in self.ends:
                        formula.clause([*passed, line[edge(one, turn)]])
                        formula.clause([*passed, line[edge(turn, other)]])
                    else:
                        formula.clause(passed)

    def find_faults(self, answer: Answer) -> Iterator[str]:
        cells = self.grid.cells if self.all_cells else []
        return check(set(self.ends), answer[self.line], cells)

    def full_clues(self, answer: Answer) -> ClueValues:
        return {"ends": clues_of(dict(self.ends), answer[self.line])}

    @classmethod
    def propose(cls, height: int, width: int, rng: Random) -> dict[str, Any] | None:
        paths = divide_into_paths(walks.rectangle(height, width), rng)
        return {"ends": draw_ends(paths, height, width)} if paths else None

    def improve(self, answer: Answer, other: Answer, rng: Random) -> dict[str, Any]:
        """Divide the cells of the lines near a place anew that two answers show differently."""
        lines, others = set(answer[self.line]), set(other[self.line])
        place = rng.choice(sorted(lines ^ others))[0]
        paths = walks.parts(self.grid.cells, lines)
        near = [path for path in paths if not path.isdisjoint([place, *walks.touching(place)])]
        redrawn = divide_into_paths(set().union(*near), rng)
        ends = [sorted(path & set(self.ends)) for path in paths if path not in near]
        pairs = [pair for pair in ends if pair]
        return {"ends": draw_ends(pairs + redrawn, self.grid.height, self.grid.width)}


def _name_pair(one: Cell, other: Cell) -> str:
    return f"{name_cell(one)} and {name_cell(other)}"


def divide_into_paths(cells: Collection[walks.Cell], rng: Random) -> list[Path]:
    """Random paths, none of which touches itself, through all of the cells or nearly all."""
    best: list[Path] = []
    for _ in range(MAX_DRAWS):
        paths = [[cell] for cell in sorted(cells)]
        longer: list[Path] | None = paths
        while longer is not None:
            paths = longer
            longer = join_two(paths, rng)
        paths = [path for path in paths if len(path) >= MIN_PATH_CELLS]
        best = max(best, paths, key=lambda paths: sum(map(len, paths)))
        if sum(map(len, best)) == len(cells):
            break
    return best


def join_two(paths: Sequence[Path], rng: Random) -> list[Path] | None:
    """The paths, after two of them that meet at their ends became one; the shortest one that can
    be joined is one of them. None if none can."""
    ordered = sorted(rng.sample(paths, len(paths)), key=len)
    by_tip = {}
    for path in ordered:
        by_tip[path[0]] = by_tip[path[-1]] = path
    for path in ordered:
        for turned in (path, path[::-1]):
            for cell in rng.sample(walks.neighbours(turned[-1]), 4):
                other = by_tip.get(cell, path)
                if other != path and count_touching(path, other) == 1:
                    rest = [third for third in ordered if third not in (path, other)]
                    return [*rest, turned + (other if other[0] == cell else other[::-1])]
    return None


def count_touching(path: Collection[walks.Cell], other: Collection[walks.Cell]) -> int:
    """How many pairs of cells of two paths are side by side."""
    return sum(cell in other for inside in path for cell in walks.neighbours(inside))


def draw_ends(paths: Iterable[Path], height: int, width: int) -> str:
    """The drawing of the ends of paths."""
    words = {}
    for number, path in enumerate(sorted(paths), 1):
        words[path[0]] = words[path[-1]] = str(number)
    return draw_rows(words, height, width)


def check(
    ends: Collection[walks.Cell],
    lines: Collection[walks.Edge],
    passed: Collection[walks.Cell],
) -> Iterator[str]:
    """What is wrong with the lines, whichever ends they join; `passed` are cells through which a
    line has to pass."""
    number_of_lines = walks.degrees(lines)
    for cell in {*ends, *number_of_lines, *passed}:
        expected = 1 if cell in ends else 2
        if number_of_lines.get(cell, 0) != expected:
            yield f"{expected} lines should meet in {walks.name_cell(cell)}"
    if walks.has_cycle(lines):
        yield "a line is closed"


def clues_of(
    ends: Mapping[walks.Cell, int], lines: Collection[walks.Edge]
) -> dict[walks.Cell, int]:
    """For each end the number at the other end of its line."""
    numbers = {}
    for path in walks.parts(ends.keys() | walks.degrees(lines).keys(), lines):
        one, other = [cell for cell in path if cell in ends]
        numbers[one], numbers[other] = ends[other], ends[one]
    return numbers
