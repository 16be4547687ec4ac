"""The tables of a ledger, and connections to its file, which may come from a stranger."""

import sqlite3
from contextlib import closing
from itertools import chain, repeat
from pathlib import Path

from jigsat.errors import InputError
from jigsat.ledger.rows import Damaged
from jigsat.runtime.untrusted import unreadable

IN_MEMORY = Path(":memory:")  # a ledger that lasts as long as its run
FORMAT_VERSION = 3  # version of the tables and of the header, in `user_version`
STEPS_PER_CHECK = 100_000  # steps of SQLite's machine between two checks of how many there were

LOCK_SECONDS = 3.0
"""Seconds to wait for a lock. Readers hold one for moments while the file is new; a run holds one until it ends."""

MAX_STEPS_PER_BYTE = 200  # maximum number of steps in which a file is read, for each of its bytes. An audit takes about 10.
APPLICATION_ID = 0x6A696773  # 'jigs', in `application_id`
TABLES = """
CREATE TABLE header (text TEXT NOT NULL);
CREATE TABLE subproblem (
    id INTEGER PRIMARY KEY, parent INTEGER REFERENCES subproblem, literals TEXT NOT NULL, state TEXT NOT NULL, refuted TEXT,
    weight REAL NOT NULL, attempts INTEGER NOT NULL DEFAULT 0, worker TEXT, backend TEXT, established_by TEXT,
    seconds REAL NOT NULL DEFAULT 0, nodes INTEGER NOT NULL DEFAULT 0, counts TEXT
);
CREATE INDEX by_state ON subproblem (state, id);
CREATE TABLE solution (
    id INTEGER PRIMARY KEY, subproblem INTEGER NOT NULL REFERENCES subproblem, placements TEXT NOT NULL UNIQUE
);
CREATE INDEX by_subproblem ON solution (subproblem);
"""
_SCHEMA = "SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY name"


def connect_database(path: Path, mode: str) -> sqlite3.Connection:
    where = str(IN_MEMORY) if path == IN_MEMORY else f"{path.absolute().as_uri()}?mode={mode}"
    # one thread after the other may use it, as any iterator
    rows = sqlite3.connect(where, uri=path != IN_MEMORY, isolation_level=None, timeout=LOCK_SECONDS, check_same_thread=False)
    rows.execute("PRAGMA trusted_schema = OFF")
    rows.execute("PRAGMA cell_size_check = ON")
    return rows


def create_tables(rows: sqlite3.Connection) -> None:
    for statement in TABLES.split(";")[:-1]:
        rows.execute(statement)


def check_schema(rows: sqlite3.Connection, path: Path) -> None:
    """Accept the tables and indices of a ledger of this version, and nothing else: no views, triggers or generated columns."""
    (form,) = rows.execute("PRAGMA user_version").fetchone()
    if form != FORMAT_VERSION:
        raise InputError(f"{path}: a ledger of another version of jigsat; use that version, or name another file")
    with closing(sqlite3.connect(IN_MEMORY)) as own:
        create_tables(own)
        if rows.execute(_SCHEMA).fetchall() != own.execute(_SCHEMA).fetchall():
            raise Damaged("its tables are not those of a ledger")


def restrict(rows: sqlite3.Connection, path: Path) -> None:
    """Read only, and not for longer than the size of the file explains."""
    rows.execute("PRAGMA query_only = ON")
    files = (path, path.with_name(f"{path.name}-wal"))
    size = sum(file.stat().st_size for file in files if file.exists())
    # not a function, in which Python would handle Ctrl-C, of which SQLite would make an error of its own
    checks = chain(repeat(0, 100 + MAX_STEPS_PER_BYTE * size // STEPS_PER_CHECK), repeat(1))
    rows.set_progress_handler(checks.__next__, STEPS_PER_CHECK)
    rows.execute("BEGIN")


def refuse_others(path: Path, *, reading: bool) -> bool:
    """Whether a file exists and is not empty. Raises InputError if its first bytes are not those of a ledger."""
    try:
        if not path.exists():
            if reading:
                raise InputError(f"{path}: no such file")
            return False
        if not path.is_file():
            raise InputError(f"{path}: {'a directory; name a file' if path.is_dir() else 'not a regular file'}")
        with path.open("rb") as file:
            start = file.read(100)
    except (OSError, ValueError) as error:
        raise unreadable(path, error) from error
    if start and (journal := path.with_name(f"{path.name}-journal")).exists():
        # SQLite would write the pages in it, and delete the file that it names as its super-journal
        raise InputError(f"{path}: {journal.name} lies beside it, which no ledger has; remove it, or name another ledger")
    if start and (start[:16] != b"SQLite format 3\0" or int.from_bytes(start[68:72]) != APPLICATION_ID):
        raise InputError(f"{path}: not a ledger of jigsat; name another file")
    if reading and not start:
        raise InputError(f"{path}: empty; nothing was searched with this ledger yet")
    return bool(start)
