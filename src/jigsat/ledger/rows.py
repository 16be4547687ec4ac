"""The header of a ledger, the rows of its tables, and the errors of its file."""

from __future__ import annotations

import json
import sqlite3
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from pydantic import PositiveInt, field_validator

from jigsat.errors import CheckError, InputError, Stopped
from jigsat.ledger.store import Established
from jigsat.ledger.worker import Message, Problem
from jigsat.orbits import Kind
from jigsat.symmetry import EVERY_LEVEL, WORDS

REMEDY = "restore a copy, or name another file to begin again"


class Header(Message):
    """What the ledger counts or lists.

    `digest` is that of the puzzle without its name, title and the like. `levels` are the levels of symmetry that have counts,
    with the orders of their groups. `listed` is the level at which each orbit has a representative in the file, '' if only
    counts are kept. With `minimize`, only the solutions of least cost are meant. `established` is set if the search was not
    split. With a `limit`, the subproblems are the puzzles of a file, and that many solutions of each are requested.
    """

    instance: str
    digest: str
    jigsat: str
    problem: Problem
    levels: dict[str, PositiveInt]
    establishes: str
    listed: str = ""
    minimize: bool = False
    established: Established | None = None
    limit: int = 0

    @field_validator("levels", "listed")
    @classmethod
    def _known(cls, value: dict[str, int] | str) -> dict[str, int] | str:
        levels = [value] if isinstance(value, str) and value else value
        if any(level not in EVERY_LEVEL for level in levels):
            raise ValueError("an unknown level of symmetry")
        return value

    @property
    def searcher(self) -> Established:
        """The backend that searches, and how it establishes that there are no other solutions."""
        return self.established or Established(backend=self.problem.backend, established_by=self.establishes)

    def conflict(self, here: Header) -> str:
        """Why this ledger cannot be resumed for this header, whatever the encoding; '' if it can."""
        if self.digest != here.digest:
            return f"belongs to another instance, {self.instance}; name another file"
        if self.limit != here.limit:
            return f"holds up to {self.limit} solutions of each puzzle, not {here.limit}; use --limit, or name another file"
        if here.listed and not self.listed:
            return "holds counts without their solutions, which `jigsat count` resumes; name another file for the solutions"
        if self.minimize != here.minimize:
            return f"holds {'only the least-cost' if self.minimize else 'all'} solutions; name another file"
        if (self.listed or here.listed) != (here.listed or self.listed):
            return f"holds the solutions up to {WORDS[self.listed]}, not up to {WORDS[here.listed]}; name another file"
        if not here.listed and not self.problem.puzzle:
            return "holds a search that is not split into subproblems, which only `jigsat solve` resumes; name another file"
        return ""


class Subproblem(NamedTuple):
    """A row of the ledger. `literals` are those that it fixes, `refuted` those of the parts that unit propagation refutes."""

    id: int
    parent: int | None
    literals: tuple[int, ...]
    state: str
    refuted: tuple[int, ...]
    weight: float
    attempts: int
    worker: str | None
    seconds: float
    nodes: int
    counts: Counter[Kind] | None


def stated(placements: object) -> str:
    """A solution in the form in which it is kept."""
    return json.dumps(placements, separators=(",", ":"))


def read_literals(text: str | None) -> tuple[int, ...]:
    """A list of literals. Raises ValueError for anything else."""
    literals = json.loads(text or "[]")
    if not all(type(literal) is int and literal for literal in literals):
        raise ValueError("no literals")
    return tuple(literals)


def damage(path: Path, what: str) -> InputError:
    """The error for a ledger that was changed."""
    return InputError(f"{path}: damaged ({what}); {REMEDY}")


def file_version(path: Path) -> tuple[object, ...]:
    """What differs after the file of a ledger, or the one beside it, was changed."""
    there = [each for each in (path, path.with_name(f"{path.name}-wal")) if each.exists()]
    return path.absolute(), *((each.stat().st_ino, each.stat().st_size, each.stat().st_mtime_ns) for each in there)


@contextmanager
def errors(path: Path) -> Iterator[None]:
    """Errors of SQLite, and impossible counts in a file, as one line."""
    try:
        yield
    except sqlite3.OperationalError as error:
        words = str(error)
        if "locked" in words:
            raise InputError(f"{path}: in use by another run; wait until it ends, or name another file") from None
        if "unable to open" in words:
            raise InputError(f"{path}: cannot be opened as a ledger; is the directory writable?") from error
        if "no such" in words or "decode" in words:  # a table or column, or text that is not UTF-8
            raise damage(path, words) from None
        if "readonly" in words:
            raise InputError(f"{path}: cannot be written: {words}") from error
        raise Stopped(f"{path}: cannot be written: {words}") from error
    except sqlite3.DatabaseError as error:
        raise damage(path, str(error)) from error
    except UnicodeDecodeError:  # SQLite quotes the damaged text
        raise damage(path, "it has text that is not UTF-8") from None
    except CheckError as error:
        raise damage(path, "its counts are impossible") from error
