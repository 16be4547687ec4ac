"""Kakuro."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import combinations
from random import Random
from typing import Any, Literal

from jigsat.kit import (
    Answer,
    ClueValues,
    GridPuzzle,
    Rules,
    RunSums,
    Values,
    draw_rows,
    layer,
    name_cell,
    walks,
)
from jigsat.links import Link, Sums

Place = tuple[walks.Cell, Literal["down", "right"]]
DIGITS = range(1, 10)
STEPS = (walks.UP, walks.RIGHT, walks.DOWN, walks.LEFT)
PREFERRED_RUN_CELLS = 3  # longer runs of a generated puzzle are cut if possible
MAX_DRAWINGS = 100
"""How often white cells are drawn until digits fit into them."""

PASSES = 2  # over all cells of a generated puzzle, to choose their digits


class Kakuro(GridPuzzle):
    """Write a digit from 1 to 9 into each white cell. No run of white cells has a digit twice, and
    its digits add up to the sum that stands before it."""

    family = "kakuro"
    other_names = ("Cross Sums", "Kakkuro", "Cross Addition")
    card = "Digits that add up, across and down."
    link = Link("kakuro", [Sums("sums")])
    fixed_clues = ("sums",)
    drawing_fault = "no digits fit, whatever the sums are"
    misplaced = "a black cell may be in the wrong place"

    sums: RunSums
    """The drawn grid: a dot for a white cell, DOWN\\RIGHT for a black one; a sum may be missing."""

    @layer
    def digit(self) -> Values:
        white = [cell for cell in self.grid.cells if cell not in self.sums.black]
        return Values(white, DIGITS, "digit", "The cell holds the digit.")

    def constrain(self, formula: Rules) -> None:
        digit = formula[self.digit]

        for run in self.sums.runs():
            ends = f"{name_cell(run[0])} to {name_cell(run[-1])}"
            with formula.rule("no digit occurs twice in a run", "run", ends):
                formula.all_different([digit[cell] for cell in run])

        for place, total in self.sums.items():
            with formula.clue(self.sums, place):
                run = self.sums.run(place)
                formula.total(total, [digit[cell] for cell in run], different=True)

    def find_faults(self, answer: Answer) -> Iterator[str]:
        return check(answer[self.digit])

    def full_clues(self, answer: Answer) -> ClueValues:
        return {"sums": clues_of(self.sums.black, answer[self.digit])}

    @classmethod
    def propose(cls, height: int, width: int, rng: Random) -> dict[str, str] | None:
        if min(height, width) < 2:
            return None
        for _ in range(MAX_DRAWINGS):
            digits = fill(draw_white_cells(height, width, rng), rng)
            if digits is not None:
                return cls._write(digits, height, width)
        return None

    @staticmethod
    def _write(digits: Mapping[walks.Cell, int], height: int, width: int) -> dict[str, str]:
        """The entries of a puzzle with this answer."""
        drawing = walks.rectangle(height + 1, width + 1)
        black = [(r - 1, c - 1) for r, c in drawing if (r - 1, c - 1) not in digits]
        return {"sums": draw_sums(black, digits, height, width)}

    def improve(self, answer: Answer, other: Answer, rng: Random) -> dict[str, Any]:
        """Change a digit that two answers show differently."""
        digits = dict(answer[self.digit])
        others = other[self.digit]
        cell = rng.choice([cell for cell in digits if digits[cell] != others[cell]])
        runs = [run for run in walks.runs(set(digits)) if cell in run]
        possible = list_possible(cell, runs, digits) - {digits[cell]}
        if possible:
            weights = [1 / count_sets(cell, digit, runs, digits) for digit in sorted(possible)]
            (digits[cell],) = rng.choices(sorted(possible), weights)
        return {"sums": self.sums.with_values(clues_of(self.sums.black, digits))}


def check(digit: Mapping[walks.Cell, int]) -> Iterator[str]:
    """What is wrong with the digits, whatever the sums are."""
    for run in walks.runs(set(digit)):
        if len({digit[cell] for cell in run}) < len(run):
            ends = f"{walks.name_cell(run[0])} to {walks.name_cell(run[-1])}"
            yield f"a digit occurs twice in the run from {ends}"


def clues_of(black: Collection[walks.Cell], digit: Mapping[walks.Cell, int]) -> dict[Place, int]:
    """The sum of each run that begins after a black cell."""
    sums: dict[Place, int] = {}
    for cell in black:
        down = walks.follow(cell, walks.DOWN, digit)
        right = walks.follow(cell, walks.RIGHT, digit)
        if down:
            sums[cell, "down"] = sum(digit[x] for x in down)
        if right:
            sums[cell, "right"] = sum(digit[x] for x in right)
    return sums


def draw_white_cells(height: int, width: int, rng: Random) -> set[walks.Cell]:
    """White cells at random, in runs of two cells or more, of which few are long."""
    white = set(walks.rectangle(height, width))
    limits = [PREFERRED_RUN_CELLS + 1, PREFERRED_RUN_CELLS]
    if max(height, width) <= PREFERRED_RUN_CELLS:
        # Few squares of 3x3 white cells have one answer; without corners it is easy.
        limits.append(PREFERRED_RUN_CELLS - 1)
    for longest in limits:
        for cell in rng.sample(sorted(white), len(white)):
            arms = [walks.follow(cell, step, white) for step in STEPS]
            length = 1 + max(len(arms[0] + arms[2]), len(arms[1] + arms[3]))
            if length > longest and all(len(arm) != 1 for arm in arms):
                white.discard(cell)
    return white


def fill(white: Collection[walks.Cell], rng: Random) -> dict[walks.Cell, int] | None:
    """Digits of which no run has one twice, with sums that few sets of digits have; None if no
    digit is left for a cell."""
    digits: dict[walks.Cell, int] = {}
    runs = walks.runs(white)
    for _ in range(PASSES):
        for cell in rng.sample(sorted(white), len(white)):
            crossing = [run for run in runs if cell in run]
            possible = sorted(list_possible(cell, crossing, digits), key=lambda _: rng.random())
            if not possible:
                return None
            digits[cell] = min(
                possible, key=lambda digit: count_sets(cell, digit, crossing, digits)
            )
    return digits


def list_possible(
    cell: walks.Cell, runs: Collection[Sequence[walks.Cell]], digits: Mapping[walks.Cell, int]
) -> set[int]:
    """The digits that no other cell of the runs through a cell has."""
    used = {digits[other] for run in runs for other in run if other != cell and other in digits}
    return set(DIGITS) - used


def count_sets(
    cell: walks.Cell,
    digit: int,
    runs: Collection[Sequence[walks.Cell]],
    digits: Mapping[walks.Cell, int],
) -> int:
    """How many sets of digits have the sums of the runs through a cell, if it has this digit."""
    number = 0
    for run in runs:
        others = [digits[other] for other in run if other != cell and other in digits]
        total = sum(others) + digit
        sets = combinations(DIGITS, len(others) + 1)
        number += sum(sum(chosen) == total for chosen in sets)
    return number


def draw_sums(
    black: Collection[walks.Cell], digits: Mapping[walks.Cell, int], height: int, width: int
) -> str:
    """The drawing of black cells with the sums of digits."""
    sums = clues_of(black, digits)
    words = {}
    for cell in black:
        down, right = sums.get((cell, "down"), ""), sums.get((cell, "right"), "")
        words[cell[0] + 1, cell[1] + 1] = f"{down}\\{right}"
    return draw_rows(words, height + 1, width + 1)
