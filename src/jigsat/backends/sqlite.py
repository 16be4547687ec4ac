"""SQLite, a database: the models are the rows of a query that joins tables."""

from __future__ import annotations

import sqlite3
from collections.abc import Generator, Iterator, Sequence
from contextlib import closing

from jigsat.backends.base import Capabilities, Enumerating, Spec
from jigsat.backends.joins import Stated, name_column, read_query
from jigsat.formula import Constraint, Name

OPTION = "decision variable"
IN_ORDER = "CROSS JOIN"
"""What SQLite joins in the order of the query, not in one of its own."""


def specs() -> Iterator[Spec]:
    yield Spec("sqlite", "sqlite3", "part of Python", Sqlite, establishes="exhaustion")


class Sqlite(Enumerating):
    """Each choice, such as that of a tile for a cell, is a table; see
    `jigsat.backends.joins`."""

    capabilities = Capabilities(
        clauses=False, xor=True, cardinality=True, linear=True, enumerates=True
    )

    def __init__(self) -> None:
        super().__init__()
        self._constraints: list[Stated] = []
        self._decisions: Sequence[int] = ()

    def project(self, variables: Sequence[int]) -> None:
        self._decisions = variables

    def add(self, constraint: Constraint) -> None:
        self._start_over()
        self._constraints.append(("", constraint))

    def _models(self, assumptions: Sequence[int]) -> Generator[list[int], None, None]:
        query = read_query(self._constraints, self._decisions, _name)
        for table in query.tables:
            table.columns[OPTION] = list(table.options)
        options = [name_column(number, OPTION) for number in range(len(query.tables))]
        with closing(sqlite3.connect(":memory:")) as database:
            database.executescript("\n".join(query.write_tables()))
            for row in database.execute("\n".join(query.write_select(options, IN_ORDER))):
                yield [option for option in row if option > 0]


def _name(variable: int) -> Name:
    return Name("x", ("variable",), (variable,))
