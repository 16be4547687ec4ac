"""Auxiliary variables, such as who is near whom. One is created when a rule first needs it, and
follows from the seats."""

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence

from jigsat.encodings.seating.data import Seat, SeatingData

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
        self._related = {
            how: {at: list[Seat]() for at in puzzle.seats} for how in ("beside", "across")
        }
        for name, table in puzzle.shapes.items():
            for how, pairs in (("beside", table.beside), ("across", table.across)):
                for a, b in sorted(pairs):
                    self._related[how][name, a].append((name, b))
        self._alternatives = 0

    @property
    def neighbours(self) -> Sequence[tuple[Seat, Seat]]:
        """The pairs of seats that are beside each other."""
        return [
            (at, other)
            for at, others in self._related["beside"].items()
            for other in others
            if at < other
        ]

    def near(self, how: str, one: str, other: str) -> int:
        one, other = sorted((one, other))

        def meaning(near: int) -> None:
            for at, there in self._related[how].items():
                here, others = self.seat[one](at), [self.seat[other](seat) for seat in there]
                self.formula.clause([-near, -here, *others])
                for literal in others:
                    self.formula.clause([near, -here, -literal])

        return self._define_variable(
            "who is near whom", "near", {"how": how, "one": one, "other": other}, meaning
        )

    def at(self, guest: str, table: str) -> int:
        def meaning(at: int) -> None:
            self.formula.exactly_one(
                [-at, *(self.seat[guest](seat) for seat in self.puzzle.seats if seat[0] == table)]
            )

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
        known, values = self.formula.families.get(name), tuple(key.values())
        if known and values in known:
            return known(*values)
        variable = self.formula.variables(
            name, tuple(key), [values], decision=False, meaning=MEANINGS[name]
        )(*values)
        with self.formula.rule(group):
            meaning(variable)
        return variable
