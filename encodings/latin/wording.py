"""How a Latin square is said: 'A goes in r3c4'."""

from __future__ import annotations

from jigsat.encodings.latin.data import LatinData, Symbol

from jigsat.puzzle import GO_IN, Rule, Way


class Symbols(Way[LatinData]):
    placing = "value in a cell"
    verb = GO_IN
    lines = ("row", "column", "diagonal")

    def thing(self, placement: Symbol) -> str:
        return placement.value

    def place(self, placement: Symbol) -> str:
        """The cell; if there are several squares, also which one it is in."""
        return self.puzzle.name_cell(placement.cell)

    def rule(self, rule: Rule) -> str:
        return f"the {rule.name}" if rule.kind == "diagonal" else super().rule(rule)

    def house(self, rule: Rule) -> str:
        return self.rule(rule) if rule.kind in self.lines else ""


def choose_way(puzzle: LatinData) -> Symbols:
    return Symbols(puzzle)
