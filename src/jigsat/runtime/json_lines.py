"""Files of JSON lines that survive a killed process: runs are written as they end."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any, TypeVar

from pydantic import BaseModel, ConfigDict

from jigsat.errors import InputError, Stopped, unwritable
from jigsat.runtime import untrusted
from jigsat.runtime.untrusted import Malformed, parse_json, validate_data

SYNC_INTERVAL_S = 1.0
"""Seconds between calls of fsync. Written lines are passed to the system at once, so a killed process loses none; a power cut
may lose the lines of the last seconds."""


class FileHeader(BaseModel):
    """The first line of a file: what kind of file it is."""

    model_config = ConfigDict(extra="forbid")

    jigsat: str
    version: int


H = TypeVar("H", bound=FileHeader)


class LineFile:
    """A file of JSON lines with a header, created if necessary, and locked for one process.

    `header` is the header of a new file, `there` that of an existing one. An incomplete last line is dropped. Raises InputError
    for a file of another kind, which is left unchanged, and for a file that cannot be written; Stopped if the disk is full.
    """

    def __init__(self, path: Path, header: FileHeader) -> None:
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
                yield place, parse_json(line)
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
            if time.monotonic() > self._synced + SYNC_INTERVAL_S:
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


def _line(item: Any) -> bytes:
    return json.dumps(item, separators=(",", ":")).encode() + b"\n"


def _header(path: Path, line: bytes, like: H) -> H:
    """Parse a header of the same kind as `like`. Raises InputError if the line is not such a header."""
    try:
        header = validate_data(type(like), parse_json(line))
    except Malformed:
        header = None
    if header is None or (header.jigsat, header.version) != (like.jigsat, like.version):
        raise InputError(f"{path}: not a file of {like.jigsat} from this version of jigsat; name another file")
    return header
