"""Guest lists as CSV: one guest per row, with columns for groups, tables, places and rules.

The first row names the columns: `guest` and `tables`, and any of `groups`, `table`, `seat`,
`beside_one_of`, `beside`, `apart`, `across`, `same_table` and `not_same_table`. Several names in
one field are separated by semicolons. The columns may be separated by commas, semicolons or tabs,
and columns with other names are left out, with a warning. The column `tables` lists the tables, one
per field, in any of the rows, such as `round 8` or `top: long 4`. Without it, all guests sit at one
round table.
"""

import csv
import io
import re
import warnings
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from jigsat.errors import InputError, InstanceWarning, nearest
from jigsat.puzzle import Writer, require_plain, single
from jigsat.words import join_words

PAIRS = ("beside", "apart", "across", "same_table", "not_same_table")
PLACES = ("table", "seat")
DELIMITERS = (",", ";", "\t")
COLUMNS = ("guest", "groups", "tables", *PLACES, "beside_one_of", *PAIRS)


class _Layout(NamedTuple):
    """How the columns are separated, and their names, '' for a column that is left out."""

    delimiter: str
    columns: list[str]


def read_text(text: str) -> dict[str, Any] | None:
    """The data of a guest list; None if the text is something else."""
    text = text.lstrip()
    layout = _read_header(text.partition("\n")[0])
    if layout is None:
        return None
    columns = layout.columns
    try:
        reader = csv.reader(io.StringIO(text), strict=True, delimiter=layout.delimiter)
        rows = list(reader)[1:]
    except csv.Error as error:
        raise InputError(f"not CSV: {error}") from error
    guests: dict[str, list[str]] = {}
    tables: list[str] = []
    must: list[dict[str, Any]] = []
    for number, row in enumerate(rows, 2):
        if len(row) > len(columns):
            raise InputError(
                f"row {number}: {len(row)} fields, but there are {len(columns)} columns"
            )
        fields = dict(zip(columns, (field.strip() for field in row), strict=False))
        fields.pop("", None)
        tables += filter(None, [fields.get("tables", "")])
        if guest := fields.get("guest", ""):
            if guest in guests:
                raise InputError(
                    f"row {number}: {guest!r} is given twice; each guest needs a name of their own"
                )
            guests[guest] = _names(fields.get("groups", ""))
            must += _rules(number, guest, fields)
        elif any(value for column, value in fields.items() if column != "tables"):
            raise InputError(f"row {number}: the guest's name is missing")
    if "tables" not in columns:
        tables = _default_tables(columns, len(guests))
    return {
        "family": "seating",
        "tables": _tables(tables),
        "guests": guests,
        **({"must": must} if must else {}),
    }


def _read_header(line: str) -> _Layout | None:
    """The names of the columns in the first row; None if it is not that of a guest list."""
    for delimiter in DELIMITERS:
        written = [name.strip().strip('"').strip() for name in line.split(delimiter)]
        names = [name.lower().replace(" ", "_") for name in written]
        if "guest" in names:
            break
    else:
        return None
    others = [name for name in names if name not in COLUMNS]
    known = [name for name in names if name in COLUMNS]
    if len(known) == 1 and any(re.fullmatch(r"[\W\d]*", name) for name in others):
        return None
    _check_columns(written, names)
    return _Layout(delimiter, [name if name in COLUMNS else "" for name in names])


def _check_columns(written: Sequence[str], names: Sequence[str]) -> None:
    """Raise InputError for a column that is named twice or misspelt; a warning lists those that are
    left out."""
    others = [name for name in names if name not in COLUMNS]
    known = [name for name in names if name in COLUMNS]
    if len(set(known)) < len(known):
        raise InputError("row 1: a column is named twice")
    for name in others:
        if near := nearest(name, COLUMNS):
            raise InputError(f"row 1: unknown column {name!r}; did you mean {near!r}?")
    if others:
        listed = join_words([repr(each) for each, name in zip(written, names, strict=True)
                             if name in others])  # fmt: skip
        warnings.warn(
            f"the guest list has other columns, which are left out: {listed}",
            InstanceWarning,
            stacklevel=2,
        )


def _default_tables(columns: Sequence[str], guests: int) -> list[str]:
    """One round table for all guests, if nothing is said about tables."""
    if "table" in columns:
        raise InputError(
            "tables: no column `tables`; add one with a table in each field, such as 'top: long 4'"
        )
    warnings.warn(
        f"the guest list has no column `tables`, so all {guests:,} guests sit at one round table",
        InstanceWarning,
        stacklevel=2,
    )
    return [f"round {guests}"]


def _names(field: str) -> list[str]:
    return [name.strip() for name in field.split(";") if name.strip()]


def _tables(listed: Sequence[str]) -> list[str] | dict[str, str]:
    """The tables as a list of shapes, or by name if each has one."""
    named = [[part.strip() for part in table.split(":", 1)] for table in listed]
    if not any(len(parts) == 2 for parts in named):
        return list(listed)
    if not all(len(parts) == 2 for parts in named) or len({parts[0] for parts in named}) < len(
        named
    ):
        raise InputError(
            "tables: give every table a name of its own, such as 'top: long 4', or none"
        )
    return {name: shape for name, shape in named}  # noqa: C416  # the pairs are lists


def _rules(number: int, guest: str, fields: Mapping[str, str]) -> Iterator[dict[str, Any]]:
    """The rules in the row of a guest."""
    place: dict[str, Any] = {"table": fields["table"]} if fields.get("table") else {}
    if seat := fields.get("seat", ""):
        if not (seat.isascii() and seat.isdigit() and len(seat) < 7):
            raise InputError(f"row {number}: seat: expected a number, got {seat[:20]!r}")
        place["seat"] = int(seat)
    if place:
        yield {"guest": guest, **place}
    if others := _names(fields.get("beside_one_of", "")):
        yield {"guest": guest, "beside_one_of": others}
    for kind in PAIRS:
        yield from ({kind: [guest, other]} for other in _names(fields.get(kind, "")))


def _csv(puzzle: Any) -> str:
    """The guest list of a puzzle; rules that no column can hold are refused."""
    require_plain(puzzle, "csv", wishes=(), enforced=True)
    fields: dict[str, dict[str, list[str]]] = {
        guest: {"groups": list(groups)} for guest, groups in puzzle.guests.items()
    }
    for i, rule in enumerate(puzzle.must):
        names = [rule.guest, *rule.names] if rule.guest is not None else list(rule.names)
        into = fields.get(names[0], {})
        said = {
            column: [str(value)]
            for column in PLACES
            if (value := getattr(rule, column)) is not None
        }
        if rule.kind == "beside_one_of":
            said = {rule.kind: list(rule.names)}
        elif rule.kind in PAIRS and len(names) == 2:
            said = {rule.kind: [*into.get(rule.kind, []), names[1]]}
        if (
            names[0] not in fields
            or not said
            or (
                rule.kind not in PAIRS
                and into.keys() & {*said, *(PLACES if rule.kind == "at" else ())}
            )
        ):
            raise InputError(
                f"{puzzle.name}: must.{i}: the format csv cannot express this rule: {rule}"
            )
        into.update(said)
    if any(
        set(";\n") & set(name) or name != name.strip() for name in [*puzzle.guests, *puzzle.groups]
    ):
        raise InputError(
            f"{puzzle.name}: the format csv cannot express names with semicolons, line breaks or "
            f"outer spaces"
        )
    if any(
        set(":\n") & set(name) or name != name.strip() or "\n" in shape.strip()
        for name, shape in puzzle.tables.items()
    ):
        raise InputError(
            f"{puzzle.name}: tables: the format csv cannot express names with colons or drawn "
            f"tables"
        )
    tables = [f"{name}: {' '.join(shape.split())}" for name, shape in puzzle.tables.items()]
    rows = [
        {"guest": guest} | {column: "; ".join(names) for column, names in each.items()}
        for guest, each in fields.items()
    ]
    rows += [{} for _ in range(len(tables) - len(rows))]
    text = io.StringIO()
    used = [
        column
        for column in COLUMNS
        if column in ("guest", "tables") or any(row.get(column) for row in rows)
    ]
    writer = csv.DictWriter(text, used, lineterminator="\n", extrasaction="ignore")
    writer.writeheader()
    for i, row in enumerate(rows):
        writer.writerow(row | {"tables": tables[i] if i < len(tables) else ""})
    return text.getvalue()


WRITERS: Mapping[str, Writer] = {"csv": single("csv", _csv)}
