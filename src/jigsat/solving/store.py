"""Files that grow by whole lines and outlive the process: solutions as they are found, runs as they end."""

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
from jigsat.symmetry import Model, Placement

SYNC = 1.0
"""Seconds from one fsync to the next. A line is with the system once it is written, so a killed process loses none of them; a
power cut may cost those that are younger than this."""


class Header(BaseModel):
    """The first line of a file: what kind of file it is."""

    model_config = ConfigDict(extra="forbid")

    jigsat: str
    version: int


H = TypeVar("H", bound=Header)


class Lines:
    """A file of JSON lines under a header, made if there is none; one process at a time may have it.

    `header` is what a new file begins with, `there` what this one does. A last line that was not written to its end is dropped.
    Raises InputError for a file of another kind, which it leaves as it is, and for one that cannot be written; Stopped if
    the disk is full.
    """

    def __init__(self, path: Path, header: Header) -> None:
        import fcntl

        self.path = path
        try:
            if path.exists() and not path.is_file():
                raise InputError(f"{path}: is no regular file; nothing could be read back from it")
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
            if not first.endswith(b"\n") and _line(header.model_dump()).startswith(first):  # new, or cut off at once
                whole = 0
            else:
                self.header = _header(path, first, header)
            self._file.truncate(whole)
            if not whole:
                self._write(header.model_dump())
        except BlockingIOError:
            raise InputError(f"{path}: another run is writing it; wait for its end, or name another file") from None
        except Malformed as error:
            raise InputError(f"{path}: {error}") from error
        except OSError as error:
            raise unwritable(path, error) from error
        self.last = last if whole > len(first) else b""

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in vars(self).items() if name != "_file"}

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(state)
        self._file = self.path.open("a+b", buffering=0)  # it stays locked by the process that this one is a child of

    def raw(self) -> Iterator[bytes]:
        """The lines below the header, as they are."""
        with self.path.open("rb") as file:
            yield from islice(untrusted.lines(file), 1, None)

    def __iter__(self) -> Iterator[tuple[str, Any]]:
        """What each line below the header says, with the place for complaints. Raises InputError where it is not JSON."""
        for number, line in enumerate(self.raw(), 2):
            place = f"{self.path}: line {number}"
            try:
                yield place, parsed(line)
            except Malformed:
                raise InputError(f"{place}: damaged; remove the line, and what it said is found again") from None

    def append(self, item: Any) -> None:
        """Write a line. Raises Stopped where that fails, and leaves the file as it was."""
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
    """The first line of a store: whose solutions it holds."""

    instance: str
    digest: str
    up_to: str
    minimize: bool


class Established(BaseModel):
    """Which backend established that there is no other solution, and how."""

    model_config = ConfigDict(extra="forbid")

    backend: str
    established_by: str


class End(BaseModel):
    """The last line of a complete store. `after` is the number of distinct solutions before it."""

    model_config = ConfigDict(extra="forbid")

    complete: Established
    after: NonNegativeInt


class Store:
    """The distinct solutions of a puzzle in a file, for a search that is to go on where it was cut off.

    Each line is one representative of an orbit, as the list of its placements. A last line states that there are no more, and
    the number of distinct solutions before it. Where the file has fewer, it is not complete, and what is missing is searched
    for.
    Raises InputError for a file with the solutions of another instance, or up to other symmetries, or with all where only
    the least are wanted.
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
            raise InputError(f"{path}: holds the solutions up to {there.up_to}, not up to {up_to}; name another file")
        if there.minimize != minimize:
            raise InputError(f"{path}: holds {'all' if minimize else 'only the least'} solutions; name another file")
        self.solutions = len({line for line in self._lines.raw() if not line.startswith(b"{")})

    def read(self, variables: Mapping[str, int]) -> Iterator[tuple[str, Model]]:
        """The solutions there, each with the place for complaints. Raises InputError for a line that is none.

        `variables` are the decision variables by the placements, as `canonical` writes them.
        """
        for place, item in self._lines:
            try:
                if isinstance(item, dict):
                    validated(End, item)
                    continue
                model = frozenset(variables[canonical(placement)] for placement in item)
            except (KeyError, TypeError, Malformed):
                raise InputError(f"{place}: no solution of this puzzle; remove the line") from None
            if len(model) < len(item):
                raise InputError(f"{place}: a placement is there twice; remove the line")
            yield place, model

    def complete(self, distinct: int) -> Established | None:
        """How it was established that there is no other solution, if it was and the file still has all of them.

        `distinct` is the number of distinct solutions in the file. What they are compared with is its last line.
        """
        try:
            end = validated(End, parsed(self._lines.last))
        except Malformed:  # it is a solution, or the file has none
            return None
        return end.complete if end.after == distinct else None

    def add(self, placements: tuple[Placement, ...]) -> None:
        """Write a solution. Raises Stopped where that fails."""
        self._lines.append(placements)

    def finish(self, complete: Established, distinct: int) -> None:
        """Write that there are only these distinct solutions. Raises Stopped where that fails."""
        self._lines.append(End(complete=complete, after=distinct).model_dump())

    def close(self) -> None:
        """Sync and close the file."""
        self._lines.close()


def _line(item: Any) -> bytes:
    return json.dumps(item, separators=(",", ":")).encode() + b"\n"


def _header(path: Path, line: bytes, like: H) -> H:
    """The header in a line, of the same kind as another. Raises InputError where it is none."""
    try:
        header = validated(type(like), parsed(line))
    except Malformed:
        header = None
    if header is None or (header.jigsat, header.version) != (like.jigsat, like.version):
        raise InputError(f"{path}: is not a file of {like.jigsat} by this version of jigsat; name another file")
    return header
