"""Files of JSON lines that survive a killed process: runs as they end; and the solutions in files of version 0.1."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Iterator, Mapping
from itertools import islice
from pathlib import Path
from typing import Any, TypeVar

from pydantic import BaseModel, ConfigDict, NonNegativeInt

from jigsat.errors import InputError, Stopped, unwritable
from jigsat.runtime import untrusted
from jigsat.runtime.untrusted import Malformed, canonical, parsed, validated
from jigsat.symmetry import WORDS, Model

SYNC = 1.0
"""Seconds between calls of fsync. Written lines are passed to the system at once, so a killed process loses none; a power cut
may lose the lines of the last seconds."""


class Header(BaseModel):
    """The first line of a file: what kind of file it is."""

    model_config = ConfigDict(extra="forbid")

    jigsat: str
    version: int


H = TypeVar("H", bound=Header)


class Lines:
    """A file of JSON lines with a header, created if necessary, and locked for one process.

    `header` is the header of a new file, `there` that of an existing one. An incomplete last line is dropped. Raises InputError
    for a file of another kind, which is left unchanged, and for a file that cannot be written; Stopped if the disk is full.
    """

    def __init__(self, path: Path, header: Header) -> None:
        import fcntl

        self.path = path
        try:
            if path.exists() and not path.is_file():
                raise InputError(f"{path}: not a regular file; it could not be read again")
            self._file = path.open("a+b", buffering=0)
            self._synced = time.monotonic()
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            with path.open("rb") as file:
                lines = untrusted.lines(file)
                first = last = next(lines, b"")
                whole = len(first)
                for line in lines:
                    if line.endswith(b"\n"):
                        whole, last = whole + len(line), line
            self.header = header
            if not first.endswith(b"\n") and _line(header.model_dump()).startswith(first):  # new, or cut off in the first line
                whole = 0
            else:
                self.header = _header(path, first, header)
            self._file.truncate(whole)
            if not whole:
                self._write(header.model_dump())
        except BlockingIOError:
            raise InputError(f"{path}: in use by another run; wait until it ends, or name another file") from None
        except Malformed as error:
            raise InputError(f"{path}: {error}") from error
        except OSError as error:
            raise unwritable(path, error) from error
        self.last = last if whole > len(first) else b""

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in vars(self).items() if name != "_file"}

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(state)
        self._file = self.path.open("a+b", buffering=0)  # the parent process holds the lock

    def raw(self) -> Iterator[bytes]:
        """The bytes of the lines below the header."""
        with self.path.open("rb") as file:
            yield from islice(untrusted.lines(file), 1, None)

    def __iter__(self) -> Iterator[tuple[str, Any]]:
        """The content of each line below the header, with its place for messages. Raises InputError if it is not JSON."""
        for number, line in enumerate(self.raw(), 2):
            place = f"{self.path}: line {number}"
            try:
                yield place, parsed(line)
            except Malformed:
                raise InputError(f"{place}: damaged; remove the line, and its content will be found again") from None

    def append(self, item: Any) -> None:
        """Write a line. If that fails, raises Stopped and leaves the file unchanged."""
        try:
            self._write(item)
        except OSError as error:
            raise Stopped(f"{self.path}: cannot be written: {(error.strerror or str(error)).lower()}") from error

    def _write(self, item: Any) -> None:
        end = self._file.seek(0, os.SEEK_END)
        rest = _line(item)
        try:
            while rest:
                rest = rest[self._file.write(rest) :]
            if time.monotonic() > self._synced + SYNC:
                self._sync()
        except OSError:
            self._file.truncate(end)
            raise

    def _sync(self) -> None:
        os.fsync(self._file)
        self._synced = time.monotonic()

    def close(self) -> None:
        """Sync and close the file."""
        if not self._file.closed:
            self._sync()
            self._file.close()


class StoreHeader(Header):
    """The first line of a store: the puzzle to which the solutions belong."""

    instance: str
    digest: str
    up_to: str
    minimize: bool


class Established(BaseModel):
    """Which backend established that there are no other solutions, and how."""

    model_config = ConfigDict(extra="forbid")

    backend: str
    established_by: str


class End(BaseModel):
    """The last line of a complete store. `after` is the number of distinct solutions before it."""

    model_config = ConfigDict(extra="forbid")

    complete: Established
    after: NonNegativeInt


class Store:
    """The distinct solutions of a puzzle in a file of version 0.1, which is converted to a ledger.

    Each line is the list of placements of one orbit representative. The last line of a complete file states that there are no
    more, and the number of distinct solutions. If the file has fewer, it counts as incomplete, and the missing ones are
    searched for.

    Raises InputError for a file with the solutions of another instance, up to other symmetries, or of another cost.
    """

    def __init__(self, path: Path, name: str, digest: str, up_to: str, *, minimize: bool = False) -> None:
        header = StoreHeader(jigsat="solutions", version=1, instance=name, digest=digest, up_to=up_to, minimize=minimize)
        self.path = path
        self._lines = Lines(path, header)
        there = self._lines.header
        assert isinstance(there, StoreHeader)
        if there.digest != header.digest:
            raise InputError(f"{path}: holds solutions of another instance, {there.instance}; name another file")
        if there.up_to != up_to:
            stored = WORDS.get(there.up_to, there.up_to)
            raise InputError(f"{path}: holds the solutions up to {stored}, not up to {WORDS[up_to]}; name another file")
        if there.minimize != minimize:
            raise InputError(f"{path}: holds {'all' if minimize else 'only the least-cost'} solutions; name another file")
        self.solutions = len({line for line in self._lines.raw() if not line.startswith(b"{")})

    def read(self, variables: Mapping[str, int]) -> Iterator[tuple[str, Model]]:
        """The solutions in the file, each with its place for messages. Raises InputError for a line that is not a solution.

        `variables` maps placements, in the form of `canonical`, to decision variables.
        """
        for place, item in self._lines:
            try:
                if isinstance(item, dict):
                    validated(End, item)
                    continue
                model = frozenset(variables[canonical(placement)] for placement in item)
            except (KeyError, TypeError, Malformed):
                raise InputError(f"{place}: not a solution of this puzzle; remove the line") from None
            if len(model) < len(item):
                raise InputError(f"{place}: a placement is repeated; remove the line")
            yield place, model

    def complete(self, distinct: int) -> Established | None:
        """How completeness was established, or None if it was not or the file has lost solutions.

        `distinct` is the number of distinct solutions in the file; it is compared with the number in the last line.
        """
        try:
            end = validated(End, parsed(self._lines.last))
        except Malformed:  # the last line is a solution, or there is none
            return None
        return end.complete if end.after == distinct else None

    def close(self) -> None:
        """Sync and close the file."""
        self._lines.close()


def _line(item: Any) -> bytes:
    return json.dumps(item, separators=(",", ":")).encode() + b"\n"


def _header(path: Path, line: bytes, like: H) -> H:
    """Parse a header of the same kind as `like`. Raises InputError if the line is not such a header."""
    try:
        header = validated(type(like), parsed(line))
    except Malformed:
        header = None
    if header is None or (header.jigsat, header.version) != (like.jigsat, like.version):
        raise InputError(f"{path}: not a file of {like.jigsat} from this version of jigsat; name another file")
    return header
