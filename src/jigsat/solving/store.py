"""Files that grow by whole lines and outlive the process: solutions as they are found, runs as they end."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from jigsat.errors import InputError, Stopped
from jigsat.formula import Formula
from jigsat.puzzle import Puzzle
from jigsat.symmetry import Model, Placement

SYNC = 1.0
"""Seconds from one fsync to the next. A line is with the system once it is written, so a killed process loses none of them; a
power cut may cost those that are younger than this."""


class Lines:
    """A file of JSON lines under a header, made if there is none; one process at a time may have it.

    A last line that was not written to its end is dropped. Raises InputError for a file of another kind, which it leaves as
    it is, and for one that cannot be written.
    """

    def __init__(self, path: Path, header: dict[str, Any]) -> None:
        import fcntl

        self.path = path
        try:
            if path.exists() and not path.is_file():
                raise InputError(f"{path}: is no regular file; nothing could be read back from it")
            self._file = path.open("a+b", buffering=0)
            self._synced = time.monotonic()
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            with path.open("rb") as file:
                first = last = file.readline()
                whole, self.items = len(first), 0
                for line in file:
                    if line.endswith(b"\n"):
                        whole, last = whole + len(line), line
                        self.items += 1
            if not first.endswith(b"\n") and _line(header).startswith(first):  # new, or cut off at once
                whole = 0
            elif _mark(_parsed(first)) != _mark(header):
                raise InputError(f"{path}: is not a file of {header['jigsat']} by this version of jigsat; name another file")
            self._file.truncate(whole)
            if not whole:
                self._write(header)
        except BlockingIOError:
            raise InputError(f"{path}: another run is writing it; wait for its end, or name another file") from None
        except OSError as error:
            raise InputError(f"{path}: cannot be written: {(error.strerror or str(error)).lower()}") from error
        self.header: dict[str, Any] = _parsed(first) if whole else header
        self.last = _parsed(last)

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in vars(self).items() if name != "_file"}

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(state)
        self._file = self.path.open("a+b", buffering=0)  # it stays locked by the process that this one is a child of

    def __iter__(self) -> Iterator[tuple[str, Any]]:
        """What each line below the header says, with the place for complaints. Raises InputError where it is not JSON."""
        with self.path.open("rb") as file:
            next(file)
            for number, line in enumerate(file, 2):
                place = f"{self.path}: line {number}"
                if (item := _parsed(line)) is None:
                    raise InputError(f"{place}: damaged; remove the line, and what it said is found again")
                yield place, item

    def append(self, item: Any) -> None:
        """Write a line. Raises Stopped where that fails, and leaves the file as it was."""
        try:
            self._write(item)
            self.items += 1
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


class Store:
    """The distinct solutions of a puzzle in a file, for a search that is to go on where it was cut off.

    Each line is one representative of an orbit, as the list of its placements; a last line says so when there are no more, and
    how many lines come before it. If they are not so many any longer, what is missing is searched for.
    Raises InputError for a file with the solutions of another instance, or up to other symmetries, or with all where only
    the least are wanted.
    """

    def __init__(self, path: Path, puzzle: Puzzle, up_to: str, *, minimize: bool = False) -> None:
        mark = {"jigsat": "solutions", "version": 1}
        header = mark | {"instance": puzzle.name, "digest": puzzle.digest(), "up_to": up_to, "minimize": minimize}
        self.path = path
        self._lines = Lines(path, header)
        there = self._lines.header
        if there.get("digest") != header["digest"]:
            raise InputError(f"{path}: holds solutions of another instance, {there.get('instance')}; name another file")
        if there.get("up_to") != up_to:
            raise InputError(f"{path}: holds the solutions up to {there.get('up_to')}, not up to {up_to}; name another file")
        if there.get("minimize") != minimize:
            raise InputError(f"{path}: holds {'all' if minimize else 'only the least'} solutions; name another file")
        last, before = self._lines.last, self._lines.items - 1
        finished = isinstance(last, dict) and last.get("after") == before
        self.complete: dict[str, str] | None = last.get("complete") if finished else None
        self.solutions = before if isinstance(last, dict) and before >= 0 else before + 1

    def read(self, formula: Formula) -> Iterator[tuple[str, Model]]:
        """The solutions there, each with the place for complaints. Raises InputError for a line that is none."""
        variables = {formula.key(variable): variable for variable in formula.decisions()}
        for place, item in self._lines:
            if isinstance(item, dict) and "complete" in item:
                continue
            try:
                yield place, frozenset(variables[_hashable(placement)] for placement in item)
            except (KeyError, TypeError):
                raise InputError(f"{place}: no solution of this puzzle; remove the line") from None

    def add(self, placements: tuple[Placement, ...]) -> None:
        """Write a solution. Raises Stopped where that fails."""
        self._lines.append(placements)

    def finish(self, complete: dict[str, str]) -> None:
        """Write that there are no others, with the backend that established it, and how. Raises Stopped where that fails."""
        self._lines.append({"complete": complete, "after": self._lines.items})

    def close(self) -> None:
        """Sync and close the file."""
        self._lines.close()


def _line(item: Any) -> bytes:
    return json.dumps(item, separators=(",", ":")).encode() + b"\n"


def _parsed(line: bytes) -> Any:
    """What a line says, or None if it is not whole."""
    try:
        return json.loads(line)
    except ValueError:
        return None


def _mark(header: Any) -> tuple[Any, Any] | None:
    """What kind of file a header announces."""
    return (header.get("jigsat"), header.get("version")) if isinstance(header, dict) else None


def _hashable(value: Any) -> Any:
    """A placement as it was before it became JSON: its lists were tuples."""
    return tuple(map(_hashable, value)) if isinstance(value, list) else value
