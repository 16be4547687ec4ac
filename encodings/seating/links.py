"""Auxiliary variables, such as who is near whom. One is created when a rule first needs it, and
follows from the seats."""

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence

from jigsat.encodings.seating.data import Seat, SeatingData
from jigsat.encodings.seating.tables import Pair

from jigsat.formula import Choice, Formula

MEANINGS = {
    "near": "The two guests are beside or across from each other.",
    "at": "The guest is at the table.",
    "same": "The two guests are at the same table.",
    "holds": "A guest of the group has the seat.",
    "either": "One of several conditions of a rule holds.",
}
"""The variables by name."""


class Links:
    """The auxiliary variables of a formula."""

    def __init__(self, puzzle: SeatingData, formula: Formula, seat: Mapping[str, Choice]) -> None:
        self.puzzle, self.formula, self.seat = puzzle, formula, seat
        beside = {name: table.beside for name, table in puzzle.shapes.items()}
        across = {name: table.across for name, table in puzzle.shapes.items()}
        self._related = {"beside": self._relate(beside), "across": self._relate(across)}
        self._alternatives = 0

    def _relate(self, pairs: Mapping[str, Iterable[Pair]]) -> dict[Seat, list[Seat]]:
        """For each seat the others that are paired with it at its table."""
        related: dict[Seat, list[Seat]] = {seat: [] for seat in self.puzzle.seats}
        for table, numbers in pairs.items():
            for a, b in sorted(numbers):
                related[table, a].append((table, b))
        return related

    @property
    def neighbours(self) -> Sequence[tuple[Seat, Seat]]:
        """The pairs of seats that are beside each other."""
        pairs = []
        for seat, others in self._related["beside"].items():
            for other in others:
                if seat < other:
                    pairs.append((seat, other))
        return pairs

    def near(self, how: str, one: str, other: str) -> int:
        one, other = sorted((one, other))

        def meaning(near: int) -> None:
            for seat, related in self._related[how].items():
                here = self.seat[one](seat)
                others = [self.seat[other](there) for there in related]
                self.formula.clause([-near, -here, *others])
                for literal in others:
                    self.formula.clause([near, -here, -literal])

        return self._define_variable(
            "who is near whom", "near", {"how": how, "one": one, "other": other}, meaning
        )

    def at(self, guest: str, table: str) -> int:
        def meaning(at: int) -> None:
            seats = [seat for seat in self.puzzle.seats if seat[0] == table]
            self.formula.exactly_one([-at, *(self.seat[guest](seat) for seat in seats)])

        return self._define_variable(
            "who is at which table", "at", {"guest": guest, "table": table}, meaning
        )

    def same(self, one: str, other: str) -> int:
        one, other = sorted((one, other))
        places = [(self.at(one, table), self.at(other, table)) for table in self.puzzle.tables]

        def meaning(same: int) -> None:
            for here, there in places:
                self.formula.clause([-same, -here, there])
                self.formula.clause([same, -here, -there])

        return self._define_variable(
            "who is at which table", "same", {"one": one, "other": other}, meaning
        )

    def holds(self, seat: Seat, group: str) -> int:
        def meaning(holds: int) -> None:
            self.formula.exactly_one(
                [-holds, *(self.seat[guest](seat) for guest in self.puzzle.members(group))]
            )

        return self._define_variable(
            "where a group sits", "holds", {"seat": seat, "group": group}, meaning
        )

    def either(self, literals: Iterable[int]) -> int:
        literals = list(literals)
        if len(literals) == 1:
            return literals[0]

        def meaning(either: int) -> None:
            self.formula.clause([-either, *literals])
            for literal in literals:
                self.formula.clause([either, -literal])

        self._alternatives += 1
        return self._define_variable(
            "alternatives", "either", {"number": self._alternatives}, meaning
        )

    def _define_variable(
        self, group: str, name: str, key: dict[str, Hashable], meaning: Callable[[int], None]
    ) -> int:
        """The variable of this key; a new one gets its meaning."""
        values = tuple(key.values())
        existing = self.formula.families.get(name)
        if existing and values in existing:
            return existing(*values)
        variables = self.formula.variables(
            name, tuple(key), [values], decision=False, meaning=MEANINGS[name]
        )
        variable = variables(*values)
        with self.formula.rule(group):
            meaning(variable)
        return variable
