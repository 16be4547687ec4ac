"""How a sudoku is said: '5 goes in r3c4'."""

from __future__ import annotations

from jigsat.encodings.sudoku.data import Digit, SudokuData

from jigsat.puzzle import GO_IN, Rule, Way


class Digits(Way[SudokuData]):
    placing = "value in a cell"
    verb = GO_IN

    def thing(self, placement: Digit) -> str:
        return placement.value

    def house(self, rule: Rule) -> str:
        return rule.name if rule.kind in self.puzzle.houses else ""


def choose_way(puzzle: SudokuData) -> Digits:
    return Digits(puzzle)
