"""Guest lists as CSV: one guest per row, with columns for groups, tables, places and rules.

The first row names the columns: `guest` and `tables`, and any of `groups`, `table`, `seat`,
`beside_one_of`, `beside`, `apart`, `across`, `same_table` and `not_same_table`. Several names in
one field are separated by semicolons. The columns may be separated by commas, semicolons or tabs,
which a line such as `sep=;`, as Excel reads and writes it, may state above the first row. Columns
with other names are left out, with a warning. The column `tables` lists the tables, one per field,
in any of the rows, such as `round 8` or `top: long 4`. Without it, all guests sit at one round
table.
"""

import csv
import io
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from jigsat.encodings.seating.data import Rule, SeatingData
from jigsat.encodings.seating.tables import table

from jigsat.errors import InputError, nearest
from jigsat.puzzle import Writer, require_plain, single, warn_if_accepted
from jigsat.words import join_words

PAIRS = ("beside", "apart", "across", "same_table", "not_same_table")
PLACES = ("table", "seat")
DELIMITERS = (",", ";", "\t")
STATED = re.compile(r'"?sep=(.)"?\r?\n', re.IGNORECASE)  # a first line that states the delimiter
COLUMNS = ("guest", "groups", "tables", *PLACES, "beside_one_of", *PAIRS)


class _Layout(NamedTuple):
    """How the columns are separated, their names, '' for a column that is left out, the number of
    the row with the names, and the columns that are left out as they are written."""

    delimiter: str
    columns: list[str]
    row: int
    left_out: list[str]


def read_text(text: str) -> dict[str, Any] | None:
    """The data of a guest list; None if the text is something else."""
    text = text.lstrip()
    stated = STATED.match(text)
    delimiters = (stated[1],) if stated else DELIMITERS
    if stated:
        text = text[stated.end() :]
    layout = _read_header(text.partition("\n")[0], delimiters, row=2 if stated else 1)
    if layout is None:
        return None

    guests: dict[str, list[str]] = {}
    tables: dict[int, str] = {}  # by row
    must: list[dict[str, Any]] = []
    rows: list[int] = []  # of the rules
    for number, fields in _read_rows(text, layout):
        shape = fields.pop("tables", "")
        if shape:
            tables[number] = shape
        guest = fields.get("guest", "")
        if guest:
            if guest in guests:
                raise InputError(
                    f"row {number}: {guest!r} is given twice; each guest needs a name of their own"
                )
            guests[guest] = _split_names(fields.get("groups", ""))
            rules = list(_list_rules(number, guest, fields))
            must += rules
            rows += [number] * len(rules)
        elif any(fields.values()):
            raise InputError(f"row {number}: the guest's name is missing")
    _require_right_tables(tables)
    shapes = list(tables.values())
    remarks = []
    if layout.left_out:
        names = join_words([repr(name) for name in layout.left_out])
        remarks.append(f"the guest list has other columns, which are left out: {names}")
    if "tables" not in layout.columns:
        shapes = _default_tables(layout.columns, len(guests))
        remarks.append(
            f"the guest list has no column `tables`, so all {len(guests):,} guests sit at one "
            f"round table"
        )

    data: dict[str, Any] = {"family": "seating", "tables": _name_tables(shapes), "guests": guests}
    if must:
        _check_rules(data, must, rows)
        data["must"] = must
    if remarks:
        from jigsat.encodings.seating.rules import Seating  # which imports this module

        warn_if_accepted(Seating, data, remarks)
    return data


def _check_rules(
    data: dict[str, Any], rules: Sequence[dict[str, Any]], rows: Sequence[int]
) -> None:
    """Raise InputError for the first rule with a wrong name, by its row. Nothing is checked if the
    guests or the tables are wrong, too."""
    from jigsat.encodings.seating.rules import Seating  # which imports this module

    try:
        puzzle = Seating.model_validate({**data, "name": "guests"})
    except ValueError:
        return
    for row, entries in zip(rows, rules, strict=True):
        for complaint in puzzle.complaints(Rule.model_validate(entries)):
            raise InputError(f"row {row}: {complaint}")


def _read_rows(text: str, layout: _Layout) -> Iterator[tuple[int, dict[str, str]]]:
    """The number of each row after the header, and its fields by column."""
    try:
        reader = csv.reader(io.StringIO(text), strict=True, delimiter=layout.delimiter)
        rows = list(reader)[1:]
    except csv.Error as error:
        raise InputError(f"not CSV: {error}") from error
    columns = len(layout.columns)
    for number, row in enumerate(rows, layout.row + 1):
        if len(row) > columns:
            raise InputError(f"row {number}: {len(row)} fields, but there are {columns} columns")
        fields = {}
        for column, field in zip(layout.columns, row, strict=False):
            if column:
                fields[column] = field.strip()
        yield number, fields


def _read_header(line: str, delimiters: Sequence[str], row: int) -> _Layout | None:
    """The names of the columns in a row; None if it is not that of a guest list."""
    for delimiter in delimiters:
        written = [name.strip().strip('"').strip() for name in line.split(delimiter)]
        names = [name.lower().replace(" ", "_") for name in written]
        if "guest" in names:
            break
    else:
        return None

    others = [name for name in names if name not in COLUMNS]
    only_guests = len(names) == len(others) + 1
    if only_guests and any(re.fullmatch(r"[\W\d]*", name) for name in others):
        return None  # a sentence or a list with a guest in it
    left_out = _check_columns(written, names, row)
    columns = [name if name in COLUMNS else "" for name in names]
    return _Layout(delimiter, columns, row, left_out)


def _check_columns(written: Sequence[str], names: Sequence[str], row: int) -> list[str]:
    """The columns that are left out, as they are written. Raises InputError for a column that is
    named twice or misspelt."""
    known = [name for name in names if name in COLUMNS]
    if len(set(known)) < len(known):
        raise InputError(f"row {row}: a column is named twice")
    left_out = []
    for name, as_written in zip(names, written, strict=True):
        if name not in COLUMNS:
            near = nearest(name, COLUMNS)
            if near:
                raise InputError(f"row {row}: unknown column {name!r}; did you mean {near!r}?")
            left_out.append(as_written)
    return left_out


def _require_right_tables(tables: Mapping[int, str]) -> None:
    """Raise InputError for the first row with a wrong table."""
    names: set[str] = set()
    for row, written in tables.items():
        name, colon, shape = written.rpartition(":")
        if colon and name.strip() in names:
            raise InputError(f"row {row}: the table {name.strip()!r} is given twice")
        names.add(name.strip())
        try:
            table(shape.strip())
        except ValueError as error:
            raise InputError(f"row {row}: {error}") from error


def _default_tables(columns: Sequence[str], guests: int) -> list[str]:
    """One round table for all guests, if nothing is said about tables."""
    if "table" in columns:
        raise InputError(
            "tables: no column `tables`; add one with a table in each field, such as 'top: long 4'"
        )
    return [f"round {guests}"]


def _split_names(field: str) -> list[str]:
    return [name.strip() for name in field.split(";") if name.strip()]


def _name_tables(tables: Sequence[str]) -> list[str] | dict[str, str]:
    """The tables as a list of shapes, or by name if each has one."""
    shapes: dict[str, str] = {}
    for written in tables:
        name, colon, shape = written.partition(":")
        if colon:
            shapes[name.strip()] = shape.strip()
    if not any(":" in table for table in tables):
        return list(tables)
    if len(shapes) < len(tables):
        raise InputError(
            "tables: give every table a name of its own, such as 'top: long 4', or none"
        )
    return shapes


def _list_rules(number: int, guest: str, fields: Mapping[str, str]) -> Iterator[dict[str, Any]]:
    """The rules in the row of a guest."""
    place: dict[str, Any] = {}
    if fields.get("table"):
        place["table"] = fields["table"]
    seat = fields.get("seat", "")
    if seat:
        if not (seat.isascii() and seat.isdigit() and len(seat) < 7):
            raise InputError(f"row {number}: seat: expected a number, got {seat[:20]!r}")
        place["seat"] = int(seat)
    if place:
        yield {"guest": guest, **place}

    others = _split_names(fields.get("beside_one_of", ""))
    if others:
        yield {"guest": guest, "beside_one_of": others}
    for kind in PAIRS:
        for other in _split_names(fields.get(kind, "")):
            yield {kind: [guest, other]}


Row = dict[str, list[str]]  # the names in each column of the row of a guest


def _write_csv(puzzle: SeatingData) -> str:
    """The guest list of a puzzle; rules that no column can hold are refused."""
    require_plain(puzzle, "csv", wishes=(), enforced=True)
    guests: dict[str, Row] = {}
    for guest, groups in puzzle.guests.items():
        guests[guest] = {"groups": list(groups)}
    for i, rule in enumerate(puzzle.must):
        if not _write_rule(rule, guests):
            raise InputError(
                f"{puzzle.name}: must.{i}: the format csv cannot express this rule: {rule}"
            )
    _require_plain_names(puzzle)

    rows = []
    for guest, row in guests.items():
        fields = {"guest": guest}
        for column, names in row.items():
            fields[column] = "; ".join(names)
        rows.append(fields)
    while len(rows) < len(puzzle.tables):
        rows.append({})
    for i, (name, shape) in enumerate(puzzle.tables.items()):
        rows[i]["tables"] = f"{name}: {' '.join(shape.split())}"

    columns = []
    for column in COLUMNS:
        if column == "guest" or any(row.get(column) for row in rows):
            columns.append(column)
    text = io.StringIO()
    writer = csv.DictWriter(text, columns, lineterminator="\n", extrasaction="ignore")
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue()


def _write_rule(rule: Rule, guests: Mapping[str, Row]) -> bool:
    """Add a rule to the row of its first guest; False if no column can hold it."""
    first = rule.guest if rule.guest is not None else rule.names[0]
    row = guests.get(first)
    if row is None:  # that is a group
        return False
    if rule.kind in PAIRS and len(rule.names) == 2:
        row.setdefault(rule.kind, []).append(rule.names[1])
        return True
    if rule.kind == "beside_one_of" and rule.kind not in row:
        row[rule.kind] = list(rule.names)
        return True
    if rule.kind == "at" and row.keys().isdisjoint(PLACES):
        if rule.table is not None:
            row["table"] = [rule.table]
        if rule.seat is not None:
            row["seat"] = [str(rule.seat)]
        return True
    return False


def _require_plain_names(puzzle: SeatingData) -> None:
    """Raise InputError for a name that would be read as something else."""
    for name in [*puzzle.guests, *puzzle.groups]:
        if ";" in name or "\n" in name or name != name.strip():
            raise InputError(
                f"{puzzle.name}: the format csv cannot express names with semicolons, line breaks "
                f"or outer spaces"
            )
    for name, shape in puzzle.tables.items():
        is_drawn = "\n" in shape.strip()
        if is_drawn or ":" in name or "\n" in name or name != name.strip():
            raise InputError(
                f"{puzzle.name}: tables: the format csv cannot express names with colons or drawn "
                f"tables"
            )


WRITERS: Mapping[str, Writer] = {"csv": single("csv", _write_csv)}
