"""The header of a ledger, the rows of its tables, and the errors of its file.

A ledger may come from a stranger, so every value is validated by these models when it is read.
"""

from __future__ import annotations

import hashlib
import sqlite3
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib.metadata import version
from pathlib import Path
from typing import Annotated, Any, ClassVar, Literal, Self, TypeAlias

from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    Json,
    NonNegativeInt,
    PositiveInt,
    TypeAdapter,
    ValidationInfo,
    field_validator,
    model_validator,
)

from jigsat.backends import AUTO, is_own
from jigsat.errors import CheckError, InputError, Stopped
from jigsat.ledger.worker import SearchProblem, WorkerMessage
from jigsat.orbits.shares import OrbitShare
from jigsat.puzzle import Puzzle
from jigsat.symmetry import EVERY_LEVEL, WORDS


class Established(WorkerMessage):
    """Which backends established that there are no other solutions, and how."""

    backend: str
    established_by: str


REMEDY = "restore a copy, or name another file to begin again"


class _Header(WorkerMessage):
    """What all ledgers state. `digest` is that of the puzzle without its name, title and the like."""

    instance: str
    digest: str
    jigsat: str

    @field_validator("levels", "listed", check_fields=False)
    @classmethod
    def _validate_known(cls, value: dict[str, int] | str) -> dict[str, int] | str:
        if any(level not in EVERY_LEVEL for level in ([value] if isinstance(value, str) else value)):
            raise ValueError("an unknown level of symmetry")
        return value


class CountHeader(_Header):
    """The ledger of a count. `levels` are the levels of symmetry that have counts, with the orders of their groups."""

    kind: Literal["count"] = "count"
    problem: SearchProblem
    levels: dict[str, PositiveInt]
    listed: ClassVar = ""
    minimize: ClassVar = False
    formula: ClassVar = ""


class ListHeader(_Header):
    """The ledger of a list of solutions.

    `listed` is the level at which each orbit has a representative in the file. With `minimize`, only the solutions of least
    cost are meant. Without a `problem`, the search cannot be split. `formula` is the digest of a formula whose automorphisms
    are the symmetries.
    """

    kind: Literal["list"] = "list"
    problem: SearchProblem | None
    levels: dict[str, PositiveInt]
    listed: str
    minimize: bool = False
    formula: str = ""


class PuzzlesHeader(_Header):
    """The ledger of a file of many puzzles, which are its subproblems.

    `question` is the name of the class of what is asked: 'Solve' for up to `limit` solutions, 'Rate' for the difficulty.
    """

    kind: Literal["puzzles"] = "puzzles"
    backend: str
    puzzles: PositiveInt
    limit: PositiveInt
    listed: str
    question: str = "Solve"
    problem: ClassVar = None
    levels: ClassVar[dict[str, int]] = {}
    minimize: ClassVar = False
    formula: ClassVar = ""

    @classmethod
    def of(cls, name: str, puzzles: Sequence[Puzzle], question: str, **fields: Any) -> PuzzlesHeader:
        """The header for puzzles from a file of this name."""
        digest = hashlib.sha256("\n".join(puzzle.digest() for puzzle in puzzles).encode()).hexdigest()
        return cls(instance=name, digest=digest, jigsat=version("jigsat"), puzzles=len(puzzles), question=question, **fields)


Header: TypeAlias = CountHeader | ListHeader | PuzzlesHeader
HEADER: TypeAdapter[Header] = TypeAdapter(Annotated[Header, Field(discriminator="kind")])
"""The text of a header as one of three types."""


def searcher(header: Header) -> Established:
    """The backend that searches, and how it establishes that there are no other solutions."""
    if isinstance(header, PuzzlesHeader):
        return Established(backend=header.backend, established_by="")
    if header.problem is None:
        return Established(backend="", established_by="")
    return Established(backend=header.problem.backend, established_by=header.problem.establishes)


def own_backend(header: Header | None) -> str:
    """The backend that a ledger states. A program named by a stranger's file is not run, so `auto` stands for it."""
    stated = header.problem.backend if header and header.problem else AUTO
    return stated if is_own(stated) else AUTO


def conflict(there: Header, here: Header) -> str:
    """Why a ledger cannot be resumed for another header, whatever the encoding; '' if it can."""
    several = [isinstance(header, PuzzlesHeader) for header in (there, here)]
    if there.digest != here.digest or several[0] != several[1]:
        return f"belongs to another instance, {there.instance}; name another file"
    if isinstance(there, PuzzlesHeader) and isinstance(here, PuzzlesHeader):
        if there.question != here.question:
            return f"holds the answers to another question, {there.question!r}; name another file"
        if there.limit != here.limit:
            return f"holds up to {there.limit} solutions of each puzzle, not {here.limit}; use --limit, or name another file"
    if here.listed and not there.listed:
        return "holds counts without their solutions, which `jigsat count` resumes; name another file for the solutions"
    if there.minimize != here.minimize:
        return f"holds {'only the least-cost' if there.minimize else 'all'} solutions; name another file"
    if here.listed and there.listed != here.listed:
        return f"holds the solutions up to {WORDS[there.listed]}, not up to {WORDS[here.listed]}; name another file"
    if isinstance(here, CountHeader) and there.problem is None:
        return "holds a search that is not split into subproblems, which only `jigsat solve` resumes; name another file"
    return ""


Literals: TypeAlias = tuple[Annotated[int, Field(ge=-(2**31), le=2**31)], ...]
Number: TypeAlias = Annotated[int, Field(ge=0, le=10**1000)]
Counts: TypeAlias = list[tuple[Number, PositiveInt, tuple[Number, ...], Number]]
"""The fields of a `OrbitShare`, and the number of models of this kind."""


RowId: TypeAlias = Annotated[int, Field(ge=1, le=2**53)]  # number of a row. Greater ones could not be followed by others.


class LedgerRow(BaseModel):
    """A row as SQLite gives it. A text with JSON becomes a value."""

    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)

    id: RowId


class Subproblem(LedgerRow):
    """A row of the ledger. `literals` are those that it fixes, `refuted` those of the parts that unit propagation refutes.

    `backend` is the one that finished or split it, and `established_by` how it establishes that there are no other solutions.
    """

    parent: RowId | None
    literals: Json[Literals]
    state: Literal["open", "split", "refuted", "done"]
    refuted: Json[Literals] | None
    weight: Annotated[float, Field(ge=0, le=1)]
    attempts: NonNegativeInt
    worker: str | None
    backend: Annotated[str, Field(pattern=r"^([\w.+-]{1,50}|.{0,500}/.{1,500})$")] | None
    established_by: Annotated[str, Field(pattern=r"^[a-z -]{0,50}$")] | None
    seconds: Annotated[float, Field(ge=0, le=1e12)]
    nodes: Annotated[int, Field(ge=0, le=10**16)]
    counts: Json[Counts] | None

    @model_validator(mode="after")
    def _fits(self, info: ValidationInfo) -> Self:
        """Whether the row fits the header: the context is its number of variables and that of levels of symmetry."""
        top, levels = info.context or (0, 0)
        if any(not 0 < abs(literal) <= top for literal in (*self.literals, *(self.refuted or ()))):
            raise ValueError("an unknown literal")
        if (self.state == "done") != (self.counts is not None) or (self.state == "open") != (self.backend is None):
            raise ValueError("its state contradicts its counts")
        if any(len(distinct) != levels for _, _, distinct, _ in self.counts or ()):
            raise ValueError("no numbers of models at each level of symmetry")
        return self

    def shares(self) -> Counter[OrbitShare]:
        """The number of models of each `OrbitShare`."""
        return Counter({OrbitShare(*row[:3]): row[3] for row in self.counts or ()})


class SolutionRow(LedgerRow):
    """A row with a solution."""

    subproblem: RowId
    placements: Json[list[Any]]


def top_of(header: Header) -> int:
    """The number of variables in the literals of subproblems. In a file of many puzzles, each has a literal."""
    if isinstance(header, PuzzlesHeader):
        return header.puzzles
    return header.problem.top if header.problem else 0


class Damaged(Exception):
    """Something in a ledger is wrong; the message says what."""


def damage(path: Path, what: str) -> InputError:
    """The error for a ledger that was changed."""
    return InputError(f"{path}: damaged ({what}); {REMEDY}")


@contextmanager
def errors(path: Path) -> Iterator[None]:
    """Errors of SQLite, and impossible counts in a file, as one line. What SQLite quotes from a file is not repeated."""
    try:
        yield
    except Damaged as error:
        raise damage(path, str(error)) from error
    except sqlite3.OperationalError as error:
        words = str(error)
        if "locked" in words:
            raise InputError(f"{path}: in use by another run; wait until it ends, or name another file") from None
        if "unable to open" in words:
            raise InputError(f"{path}: cannot be opened as a ledger; is the directory writable?") from error
        if "readonly" in words:
            raise InputError(f"{path}: cannot be written: it can only be read") from error
        if "disk" in words:  # it is full, or broken
            raise Stopped(f"{path}: cannot be written: {words}") from error
        raise damage(path, "reading it takes too long" if words == "interrupted" else "SQLite cannot read it") from error
    except sqlite3.Error as error:
        raise damage(path, "SQLite cannot read it") from error
    except UnicodeDecodeError:  # SQLite quotes the damaged text
        raise damage(path, "it has text that is not UTF-8") from None
    except CheckError as error:
        raise damage(path, "its counts are impossible") from error
