"""A script in SQL whose last statement lists all solutions, for SQLite and PostgreSQL.

A table for each cell has its options as rows, such as the tiles with their turns. The query joins
the tables where two cells agree, and tests that nothing is used twice. See `jigsat.backends.joins`
for the formulas that can be written in this way.
"""

from collections.abc import Iterator
from importlib.metadata import version

from jigsat.backends.joins import name_column, quote_name, read_query
from jigsat.formats.dimacs import Origin, describe_origin
from jigsat.formula import Formula


def sql_lines(formula: Formula, origin: Origin) -> Iterator[str]:
    """The lines of the script. Raises InputError if the formula has another form."""
    stated = (
        (group.name, constraint)
        for group in formula.groups.values()
        for constraint in group.constraints
    )
    query = read_query(stated, formula.decisions(), formula.name)
    yield f"-- jigsat {version('jigsat')}"
    yield f"-- {describe_origin(origin)}"
    yield "-- each row of the result is a solution; sqlite3 and psql read this file"
    yield from query.write_tables()
    columns = []
    for number, table in enumerate(query.tables):
        for column in table.shown.values():
            name = quote_name(f"{table.name} {column}")
            columns.append(f"{name_column(number, column)} AS {name}")
    *lines, last = query.write_select(columns)
    yield from lines
    yield f"{last};"
