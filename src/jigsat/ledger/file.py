"""The ledger of a search that is shared and resumed: an SQLite file with the tree of subproblems,
their counts and solutions.

Whatever happens to a run, the ledger states what is known. A subproblem is open, split into others,
refuted by unit propagation, or done. It leaves the state 'open' once, in one transaction with its
counts and parts, so a subproblem that is searched twice counts once. The weight of the root is 1; a
split divides the weight of a subproblem equally among its open parts.

The file is in write-ahead mode: a killed process loses nothing, a power cut at most the last
seconds, and others may read it during a run. A run keeps a write transaction open, so that a second
run is refused. A ledger may come from a stranger, so its tables are compared with ours, and every
value is validated when it is read.
"""

import json
import sqlite3
from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from contextlib import AbstractContextManager, closing, contextmanager, nullcontext, suppress
from itertools import chain, repeat
from pathlib import Path
from typing import Annotated, Any, Literal, NamedTuple, Self, TypeAlias, TypeVar

from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    Json,
    PositiveInt,
    ValidationError,
    ValidationInfo,
    model_validator,
)

from jigsat.errors import CheckError, InputError, Stopped
from jigsat.ledger.headers import HEADER, Established, Header, conflict, searcher, top_of
from jigsat.ledger.tree import ROOT, Choice, SubproblemTree
from jigsat.ledger.worker import SubproblemOutcome, shares_in, worker_name
from jigsat.orbits import OrbitShare, add_shares
from jigsat.runtime.untrusted import unreadable
from jigsat.symmetry import Level

IN_MEMORY = Path(":memory:")  # a ledger that lasts as long as its run
FORMAT_VERSION = 3  # version of the tables and of the header, in `user_version`
STEPS_PER_CHECK = 100_000  # steps of SQLite's machine between two checks of how many there were

LOCK_SECONDS = 3.0
"""Seconds to wait for a lock. Readers hold one for moments while the file is new; a run holds one
until it ends."""

# maximum number of steps in which a file is read, for each of its bytes. An audit takes about 10.
MAX_STEPS_PER_BYTE = 200
APPLICATION_ID = 0x6A696773  # 'jigs', in `application_id`
TABLES = Path(__file__).with_name("tables.sql")
_SCHEMA = "SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY name"


def connect_database(path: Path, mode: str) -> sqlite3.Connection:
    where = str(IN_MEMORY) if path == IN_MEMORY else f"{path.absolute().as_uri()}?mode={mode}"
    # one thread after the other may use it, as any iterator
    rows = sqlite3.connect(
        where,
        uri=path != IN_MEMORY,
        isolation_level=None,
        timeout=LOCK_SECONDS,
        check_same_thread=False,
    )
    rows.execute("PRAGMA trusted_schema = OFF")
    rows.execute("PRAGMA cell_size_check = ON")
    return rows


def create_tables(rows: sqlite3.Connection) -> None:
    for statement in TABLES.read_text("utf-8").split(";")[:-1]:
        rows.execute(statement)


def check_schema(rows: sqlite3.Connection, path: Path) -> None:
    """Accept the tables and indices of a ledger of this version, and nothing else: no views,
    triggers or generated columns."""
    (form,) = rows.execute("PRAGMA user_version").fetchone()
    if form != FORMAT_VERSION:
        raise InputError(
            f"{path}: a ledger of another version of jigsat; use that version, or name another file"
        )
    with closing(sqlite3.connect(IN_MEMORY)) as own:
        create_tables(own)
        if rows.execute(_SCHEMA).fetchall() != own.execute(_SCHEMA).fetchall():
            raise Damaged("its tables are not those of a ledger")


def restrict(rows: sqlite3.Connection, path: Path) -> None:
    """Read only, and not for longer than the size of the file explains."""
    rows.execute("PRAGMA query_only = ON")
    files = (path, path.with_name(f"{path.name}-wal"))
    size = sum(file.stat().st_size for file in files if file.exists())
    # not a function, in which Python would handle Ctrl-C, of which SQLite would make an error of
    # its own
    checks = chain(repeat(0, 100 + MAX_STEPS_PER_BYTE * size // STEPS_PER_CHECK), repeat(1))
    rows.set_progress_handler(checks.__next__, STEPS_PER_CHECK)
    rows.execute("BEGIN")


def refuse_others(path: Path, *, reading: bool) -> bool:
    """Whether a file exists and is not empty. Raises InputError if its first bytes are not those of
    a ledger."""
    try:
        if not path.exists():
            if reading:
                raise InputError(f"{path}: no such file")
            return False
        if not path.is_file():
            raise InputError(
                f"{path}: {'a directory; name a file' if path.is_dir() else 'not a regular file'}"
            )
        with path.open("rb") as file:
            start = file.read(100)
    except (OSError, ValueError) as error:
        raise unreadable(path, error) from error
    if start and (journal := path.with_name(f"{path.name}-journal")).exists():
        # SQLite would write the pages in it, and delete the file that it names as its super-journal
        raise InputError(
            f"{path}: {journal.name} lies beside it, which no ledger has; remove it, or name "
            f"another ledger"
        )
    if start and (
        start[:16] != b"SQLite format 3\0" or int.from_bytes(start[68:72]) != APPLICATION_ID
    ):
        raise InputError(f"{path}: not a ledger of jigsat; name another file")
    if reading and not start:
        raise InputError(f"{path}: empty; nothing was searched with this ledger yet")
    return bool(start)


REMEDY = "restore a copy, or name another file to begin again"

Literals: TypeAlias = tuple[Annotated[int, Field(ge=-(2**31), le=2**31)], ...]
Number: TypeAlias = Annotated[int, Field(ge=0, le=10**1000)]
Counts: TypeAlias = list[tuple[Number, PositiveInt, tuple[Number, ...], Number]]
"""The fields of a `OrbitShare`, and the number of models of this kind."""

# number of a row. Greater ones could not be followed by others.
RowId: TypeAlias = Annotated[int, Field(ge=1, le=2**53)]


class LedgerRow(BaseModel):
    """A row as SQLite gives it. A text with JSON becomes a value."""

    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)

    id: RowId


class Subproblem(LedgerRow):
    """A row of the ledger. `literals` are those that it fixes, `refuted` those of the parts that
    unit propagation refutes.

    `backend` is the one that finished or split it, and `established_by` how it establishes that
    there are no other solutions.
    """

    parent: RowId | None
    literals: Json[Literals]
    state: Literal["open", "split", "refuted", "done"]
    refuted: Json[Literals] | None
    weight: Annotated[float, Field(ge=0, le=1)]
    attempts: Number
    worker: str | None
    backend: Annotated[str, Field(pattern=r"^([\w.+-]{1,50}|.{0,500}/.{1,500})$")] | None
    established_by: Annotated[str, Field(pattern=r"^[a-z -]{0,50}$")] | None
    seconds: Annotated[float, Field(ge=0, le=1e12)]
    nodes: Annotated[int, Field(ge=0, le=10**16)]
    counts: Json[Counts] | None

    @model_validator(mode="after")
    def _fits(self, info: ValidationInfo) -> Self:
        """Whether the row fits the header: the context is its number of variables and that of
        levels of symmetry."""
        top, levels = info.context or (0, 0)
        if any(not 0 < abs(literal) <= top for literal in (*self.literals, *(self.refuted or ()))):
            raise ValueError("an unknown literal")
        if (self.state == "done") != (self.counts is not None) or (self.state == "open") != (
            self.backend is None
        ):
            raise ValueError("its state contradicts its counts")
        if any(len(distinct) != levels for _, _, distinct, _ in self.counts or ()):
            raise ValueError("no numbers of models at each level of symmetry")
        shares_in(self.counts)
        return self


class SolutionRow(LedgerRow):
    """A row with a solution."""

    subproblem: RowId
    placements: Json[list[Any]]


class Damaged(Exception):
    """Something in a ledger is wrong; the message says what."""


def damage(path: Path, what: str) -> InputError:
    """The error for a ledger that was changed."""
    return InputError(f"{path}: damaged ({what}); {REMEDY}")


@contextmanager
def errors(path: Path) -> Iterator[None]:
    """Errors of SQLite, and impossible counts in a file, as one line. What SQLite quotes from a
    file is not repeated."""
    try:
        yield
    except Damaged as error:
        raise damage(path, str(error)) from error
    except sqlite3.OperationalError as error:
        words = str(error)
        if "locked" in words:
            raise InputError(
                f"{path}: in use by another run; wait until it ends, or name another file"
            ) from None
        if "unable to open" in words:
            raise InputError(
                f"{path}: cannot be opened as a ledger; is the directory writable?"
            ) from error
        if "readonly" in words:
            raise InputError(f"{path}: cannot be written: it can only be read") from error
        if "disk" in words:  # it is full, or broken
            raise Stopped(f"{path}: cannot be written: {words}") from error
        raise damage(
            path, "reading it takes too long" if words == "interrupted" else "SQLite cannot read it"
        ) from error
    except sqlite3.Error as error:
        raise damage(path, "SQLite cannot read it") from error
    except UnicodeDecodeError:  # SQLite quotes the damaged text
        raise damage(path, "it has text that is not UTF-8") from None
    except CheckError as error:
        raise damage(path, "its counts are impossible") from error


# weights of all subproblems that are not split add up to 1 within this tolerance
WEIGHT_TOLERANCE = 1e-6

NO_WAL = "PRAGMA journal_mode = MEMORY"
"""Merges the files of a ledger into one. Unlike the mode DELETE, it never leaves a file `-journal`,
which is refused."""

_ADD = "INSERT OR IGNORE INTO solution (subproblem, placements) VALUES (?, ?)"
_INSERT = "INSERT INTO subproblem (parent, literals, state, weight) VALUES (?, ?, 'open', ?)"

R = TypeVar("R", bound=LedgerRow)


class Ledger:
    """A ledger that is open for a run, or for reading. Raises InputError for a file that is not
    such a ledger.

    For reading, everything is read in one transaction. The `header` of a run has the encoding and
    the backend of the run, whatever the file states. For `choices` see `compare`.
    """

    def __init__(
        self, path: Path, header: Header | None = None, choices: Collection[Choice] | None = None
    ) -> None:
        """Open a ledger for reading, or with a header for a run, which creates the file if
        necessary."""
        self.path = path
        self._write = header is not None
        if path != IN_MEMORY and refuse_others(path, reading=header is None) and header is not None:
            with closing(Ledger(path)) as there:  # a file that is refused is left unchanged
                there.compare(header, choices)
        with self._errors():
            self._rows = connect_database(path, "rwc" if header else "ro")
        try:
            with self._errors():
                if header is None:
                    restrict(self._rows, self.path)
                else:
                    self._prepare(header)
                check_schema(self._rows, self.path)
                self.header = self._read_header()
                if header is not None and header.problem:
                    self.header = self.header.model_copy(
                        update={"instance": header.instance, "problem": header.problem}
                    )
            self._resumed = self.has_started()
        except BaseException:
            self._rows.close()
            raise

    def _prepare(self, header: Header) -> None:
        self._rows.execute(NO_WAL)
        self._rows.execute("BEGIN IMMEDIATE")
        if not self._rows.execute("SELECT count(*) FROM sqlite_schema").fetchone()[0]:
            create_tables(self._rows)
            self._rows.execute(f"PRAGMA application_id = {APPLICATION_ID}")
            self._rows.execute(f"PRAGMA user_version = {FORMAT_VERSION}")
            self._rows.execute("INSERT INTO header VALUES (?)", (header.model_dump_json(),))
            self._rows.execute(_INSERT, (None, "[]", 1.0))
        self._rows.execute("COMMIT")
        self._rows.execute(
            "PRAGMA journal_mode = WAL"
        )  # later, so that the first page of the file says what it is
        self._rows.execute("PRAGMA synchronous = NORMAL")
        self._rows.execute("BEGIN IMMEDIATE")
        check_schema(self._rows, self.path)
        if (
            header.problem and not self.has_started()
        ):  # continue with the encoding and the backend of this header
            self._write_header(
                self._read_header().model_copy(
                    update={"problem": header.problem, "levels": header.levels}
                )
            )

    def has_started(self) -> bool:
        """Whether anything was searched: the root is not open."""
        return bool(self._ask("SELECT 1 FROM subproblem WHERE state <> 'open' LIMIT 1"))

    def is_split(self) -> bool:
        """Whether anything was searched by subproblems."""
        return bool(self._ask("SELECT 1 FROM subproblem WHERE parent IS NOT NULL LIMIT 1"))

    def _ask(self, query: str) -> Any:
        """The first row of the answer to a query."""
        with self._errors():
            return self._rows.execute(query).fetchone()

    def _write_header(self, header: Header) -> None:
        self._rows.execute("UPDATE header SET text = ?", (header.model_dump_json(),))

    def validate(self) -> None:
        """Raise InputError if a page or a subproblem is damaged."""
        self._check_pages()
        for _ in self.every():  # each is validated
            pass

    def _check_pages(self) -> None:
        if self._ask("PRAGMA quick_check(1)") != ("ok",):
            raise damage(self.path, "its pages are wrong")

    def _read_header(self) -> Header:
        rows = self._rows.execute("SELECT text FROM header LIMIT 2").fetchall()
        try:
            ((text,),) = rows
            return HEADER.validate_json(text, strict=True)
        except (ValueError, TypeError) as error:
            raise Damaged("the header is missing or wrong") from error

    def compare(self, header: Header, choices: Collection[Choice] | None = None) -> None:
        """Raise InputError if a run with this header cannot continue the ledger.

        `choices` are those by which subproblems may be split, besides variables. If they are not
        given, only the shape of the tree is checked.
        """
        there = self.header
        here = header
        if words := conflict(there, here):
            raise InputError(f"{self.path}: {words}")
        same = there.formula == here.formula
        if there.problem and here.problem and self.is_split():
            same_search = there.problem.search_key == here.problem.search_key
            if not same_search and there.problem.backend != here.problem.backend:
                raise InputError(
                    f"{self.path}: begun with the backend {there.problem.backend}; "
                    f"{here.problem.backend} cannot continue "
                    "it, so use another backend, or name another file"
                )
            same = same and same_search and there.levels == here.levels
        # A finished ledger may have counts at some of the levels only, in the same order.
        elif here.levels:
            known = [level for level in here.levels.items() if level in there.levels.items()]
            same = same and list(there.levels.items()) == known
        if not same:
            raise InputError(
                f"{self.path}: begun by jigsat {there.jigsat}, which encodes this instance "
                f"differently; use that version, or "
                "name another file"
            )
        self.check_partition(choices)

    def check_partition(self, choices: Collection[Choice] | None = None) -> None:
        """Raise InputError if a page or a subproblem is damaged, or if the subproblems do not
        partition the search. For `choices` see `compare`."""
        self._check_pages()
        tree = SubproblemTree()
        faults = list(tree.read(self.every()))
        self._check_weights()
        if choices is not None:
            faults += tree.find_wrong_choices(choices)
        if faults:
            raise damage(self.path, faults[0])

    def _check_weights(self) -> None:
        """Raise InputError if parts are missing."""
        (weight,) = self._ask(
            "SELECT total(weight) FROM subproblem WHERE state IN ('open', 'done', 'refuted')"
        )
        if abs(weight - 1) > WEIGHT_TOLERANCE:
            raise damage(self.path, "subproblems or their counts are missing")

    # -- reading

    def open_among(self, first: int, last: int, most: int) -> list[Subproblem]:
        """The first open subproblems with these numbers."""
        return list(
            self._select(
                "WHERE state = 'open' AND id BETWEEN ? AND ? ORDER BY id LIMIT ?", first, last, most
            )
        )

    def newest(self) -> int:
        """The number of the newest subproblem."""
        return int(self._ask("SELECT max(id) FROM subproblem")[0])

    def every(self) -> Iterator[Subproblem]:
        """All subproblems; a parent comes before its parts."""
        return self._select("ORDER BY id")

    def _select(self, condition: str, *values: object) -> Iterator[Subproblem]:
        return self._read_rows(Subproblem, "subproblem", condition, *values)

    def _read_rows(self, kind: type[R], table: str, condition: str, *values: object) -> Iterator[R]:
        """Rows of a table, each validated."""
        names = list(kind.model_fields)
        context = (top_of(self.header), len(self.header.levels))
        with self._errors():
            for row in self._rows.execute(
                f"SELECT {', '.join(names)} FROM {table} {condition}", values
            ):
                try:
                    yield kind.model_validate(dict(zip(names, row, strict=True)), context=context)
                except ValidationError as error:
                    raise Damaged(f"{table} {row[0]} is wrong") from error

    def states(self) -> dict[str, int]:
        """The number of subproblems in each state."""
        with self._errors():
            return dict(self._rows.execute("SELECT state, count(*) FROM subproblem GROUP BY state"))

    def progress_totals(self) -> tuple[float, float, int]:
        """The weight of what is done or refuted, from 0 to 1, and the seconds and nodes of all
        searches."""
        (done,) = self._ask(
            "SELECT total(weight) FROM subproblem WHERE state IN ('done', 'refuted')"
        )
        seconds, nodes = self._ask("SELECT total(seconds), total(nodes) FROM subproblem")
        return done, seconds, int(nodes)

    def establishing_backends(self) -> Established:
        """The backends that searched, the one of this run included if any subproblem is open, and
        how they establish that there are no other solutions."""
        with self._errors():
            pairs = self._rows.execute(
                "SELECT backend, established_by FROM subproblem WHERE state IN ('done', 'refuted') "
                "GROUP BY 1, 2 ORDER BY min(id)"
            ).fetchall()
        if self.states().get("open"):
            now = searcher(self.header)
            pairs.append((now.backend, now.established_by))
        backends = dict.fromkeys(backend for backend, _ in pairs if backend)
        ways = dict.fromkeys(way for _, way in pairs if way)
        return Established(backend=", ".join(backends), established_by=", ".join(ways))

    def statistics(self) -> dict[str, int]:
        """The statistics of a result."""
        return {"subproblems": sum(self.states().values()), "nodes": self.progress_totals()[2]}

    def counts(self) -> Counter[OrbitShare]:
        """The number of models of each `OrbitShare` in the subproblems that are done."""
        counts = Counter[OrbitShare]()
        for subproblem in self._select("WHERE state = 'done'"):
            counts.update(shares_in(subproblem.counts))
        return counts

    def totals(
        self, counts: Counter[OrbitShare], *, complete: bool
    ) -> tuple[int, dict[Level, int]]:
        """The numbers of solutions and of distinct solutions, as `add_shares` gives them.

        Raises InputError if the counts are impossible and some were in the file when it was opened.
        """
        with self._errors() if self._resumed else nullcontext():
            return add_shares(counts, self.header.levels, complete=complete)

    def solutions_after(self, number: int, most: int = 1000) -> list[SolutionRow]:
        """The next solutions after this one."""
        return list(
            self._read_rows(
                SolutionRow, "solution", "WHERE id > ? ORDER BY id LIMIT ?", number, most
            )
        )

    def solutions_of(self, number: int) -> list[SolutionRow] | None:
        """The solutions of a subproblem; None if it is open."""
        for subproblem in self._select("WHERE id = ? AND state = 'done'", number):
            solutions = list(
                self._read_rows(SolutionRow, "solution", "WHERE subproblem = ? ORDER BY id", number)
            )
            with self._errors():
                if len(solutions) != add_shares(shares_in(subproblem.counts), (), complete=True)[0]:
                    raise Damaged(f"subproblem {number} has lost solutions")
            return solutions
        return None

    def solutions(self) -> int:
        """The number of solutions in the file: one per orbit of the level `header.listed`."""
        return int(self._ask("SELECT count(*) FROM solution")[0]) if self.header.listed else 0

    # -- writing

    def record(self, outcomes: Mapping[int, SubproblemOutcome], worker: str) -> set[int]:
        """Write the outcomes of subproblems, all or none; returns those that were open. Nothing is
        written about the others."""
        with self._transaction():
            by = searcher(self.header)
            return {
                number
                for number, outcome in outcomes.items()
                if self._record_outcome(number, outcome, worker, by)
            }

    def _record_outcome(
        self, number: int, outcome: SubproblemOutcome, worker: str, by: Established
    ) -> bool:
        row = self._rows.execute(
            "SELECT literals, weight FROM subproblem WHERE id = ? AND state = 'open'", [number]
        ).fetchone()
        if row is None:
            return False
        for placements in outcome.solutions:
            self._add_solution(number, placements)
        self._finish(
            number, json.loads(row[0]), row[1], outcome, (worker, by.backend, by.established_by)
        )
        return True

    def _finish(
        self,
        number: int,
        literals: list[int],
        weight: float,
        outcome: SubproblemOutcome,
        by: tuple[str, str, str],
    ) -> None:
        """Write the outcome of an open subproblem, and its parts."""
        counts = None if outcome.counts is None else _text(outcome.counts)
        refuted = _text(outcome.refuted) if outcome.refuted else None
        self._rows.execute(
            "UPDATE subproblem SET state = ?, worker = ?, backend = ?, established_by = ?, "
            "seconds = seconds + ?, "
            "nodes = nodes + ?, counts = ?, refuted = ?, attempts = attempts + 1 WHERE id = ?",
            (outcome.state, *by, outcome.seconds, outcome.nodes, counts, refuted, number),
        )
        parts = [*outcome.open, *outcome.parts]
        for literal in parts:
            part = [*literals, literal]
            share = weight / len(parts)
            added = self._rows.execute(_INSERT, (number, _text(part), share)).lastrowid
            if literal in outcome.parts:
                self._finish(added or 0, part, share, outcome.parts[literal], by)

    def add(self, placements: object) -> bool:
        """Write a solution that a search of the whole puzzle found; returns whether it is new."""
        with self._transaction():
            return self._add_solution(ROOT, placements)

    def _add_solution(self, subproblem: int, placements: object) -> bool:
        return self._rows.execute(_ADD, (subproblem, _text(placements))).rowcount > 0

    def restate(self, number: int, placements: object) -> bool:
        """Replace a solution by another member of its orbit, or delete it if that is there; returns
        whether it is kept."""
        with self._transaction():
            changed = self._rows.execute(
                "UPDATE OR IGNORE solution SET placements = ? WHERE id = ?",
                (_text(placements), number),
            )
            if not changed.rowcount:
                self._rows.execute("DELETE FROM solution WHERE id = ?", (number,))
            return bool(changed.rowcount)

    def finish(
        self, outcome: SubproblemOutcome, established: Established, levels: dict[Level, int]
    ) -> None:
        """Write that a search of the whole puzzle is complete, with counts at these levels."""
        with self._transaction():
            self._record_outcome(ROOT, outcome, worker_name(), established)
            self.header = self.header.model_copy(update={"levels": levels})
            self._write_header(self.header)

    def count_failed_attempt(self, numbers: list[int]) -> None:
        """Count an attempt without an outcome for these subproblems."""
        with self._transaction():
            marks = [(number,) for number in numbers]
            self._rows.executemany(
                "UPDATE subproblem SET attempts = attempts + 1 WHERE id = ? AND state = 'open'",
                marks,
            )

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        """Everything in this block is written, or nothing."""
        with self._errors():
            try:
                yield
                self._rows.execute("COMMIT")
                self._rows.execute("BEGIN IMMEDIATE")  # keeps other runs out
            except BaseException:
                with suppress(sqlite3.Error):
                    self._rows.execute("ROLLBACK")
                raise

    def _errors(self) -> AbstractContextManager[None]:
        return errors(self.path)

    def close(self) -> None:
        """Close the file; what was recorded is in it."""
        with suppress(sqlite3.Error):
            if self._rows.in_transaction:
                self._rows.execute("ROLLBACK")
            if self._write:
                self._rows.execute(NO_WAL)  # leaves one file, unless somebody reads it now
        self._rows.close()


def _text(value: object) -> str:
    """JSON in the form in which it is kept."""
    return json.dumps(value, separators=(",", ":"))


def count_resumable(path: Path, header: Header) -> int:
    """The number of solutions in a ledger, if there is one. Raises InputError if it cannot be
    resumed now."""
    if not refuse_others(path, reading=False):
        return 0
    with closing(Ledger(path)) as there:
        if words := conflict(there.header, header):
            raise InputError(f"{path}: {words}")
        number = there.solutions()
    with errors(path), closing(connect_database(path, "rw")) as rows:
        rows.execute("BEGIN IMMEDIATE")  # refused while another run uses it
    return number


def checkpoint(path: Path) -> None:
    """Merge the files that a killed run left into one. Resuming does not need this."""
    with suppress(sqlite3.Error), closing(connect_database(path, "rw")) as rows:
        rows.execute(NO_WAL)


class LedgerState(NamedTuple):
    """What a file holds: `split` is whether subproblems were searched, `complete` whether nothing
    is left to search."""

    header: Header
    split: bool
    complete: bool


def read_state(path: Path) -> LedgerState | None:
    """What the ledger in a file holds; None if there is none yet. Raises InputError if the file is
    not a ledger."""
    if path == IN_MEMORY or not refuse_others(path, reading=False):
        return None
    with closing(Ledger(path)) as there:
        return LedgerState(there.header, there.is_split(), not there.states().get("open"))


@contextmanager
def open_ledger(
    path: Path, header: Header, choices: Collection[Choice] | None = None
) -> Iterator[Ledger]:
    """A ledger that is open for a run. A complete one is only read, so it may be a file that cannot
    be written. For `choices` see `Ledger.compare`.

    A new file is removed if the run is refused before anything was found.
    """
    state = read_state(path)
    new = path != IN_MEMORY and not path.exists()
    complete = state is not None and state.complete
    opened = Ledger(path) if complete else Ledger(path, header, choices)
    with closing(opened) as ledger:
        if complete:
            ledger.compare(header, choices)
        try:
            yield ledger
        except InputError:
            if new and not ledger.has_started() and not ledger.solutions():
                ledger.close()
                path.unlink(missing_ok=True)
            raise
