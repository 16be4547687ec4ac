"""stdout and stderr of all commands: unprintable characters are escaped, and a stream that fails
does not end the run."""

import errno
import io
import os
import sys
from contextlib import suppress
from typing import TextIO, cast

from jigsat.errors import printable


class Lasting(io.TextIOBase):
    """A stream that never fails: after the first error all output is dropped, and `failure` says
    why."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self.failure: OSError | None = None

    def write(self, text: str) -> int:
        if self.failure is None:
            try:
                self._stream.write(text)
            except OSError as error:
                self._fail(error)
        return len(text)

    def write_bytes(self, data: bytes) -> None:
        """Write bytes as they are, after what was written before."""
        self.flush()
        if self.failure is None:
            try:
                self._stream.buffer.write(data)
            except OSError as error:
                self._fail(error)

    def flush(self) -> None:
        try:
            self._stream.flush()
        except OSError as error:
            self._fail(error)

    def _fail(self, error: OSError) -> None:
        self.failure = self.failure or error
        with suppress(OSError):  # buffered output must not fail again when Python exits
            nothing = os.open(os.devnull, os.O_WRONLY)
            os.dup2(nothing, self._stream.fileno())
            os.close(nothing)

    def isatty(self) -> bool:
        return self._stream.isatty()

    def fileno(self) -> int:
        return self._stream.fileno()

    @property
    def encoding(self) -> str:  # type: ignore[override]
        return self._stream.encoding


class Escapes(str):
    """Text with escape sequences of a terminal, written as it is."""


class Printable(Lasting):
    """A stream that escapes unprintable characters. Rich looks for `rich_proxied_file` for its own
    escape sequences."""

    def __init__(self, stream: TextIO) -> None:
        super().__init__(stream)
        self.rich_proxied_file = Lasting(stream)

    def write(self, text: str) -> int:
        self.rich_proxied_file.write(
            text if isinstance(text, Escapes) else "\n".join(map(printable, text.split("\n")))
        )
        return len(text)

    def flush(self) -> None:
        self.rich_proxied_file.flush()
        self.failure = self.rich_proxied_file.failure


def take_over() -> None:
    """Replace stdout and stderr by streams of this module. Output to closed streams is dropped."""
    for number in range(3):
        try:
            os.fstat(number)
        except (
            OSError
        ):  # otherwise the next opened file would get this number, and the stream's output with it
            os.set_inheritable(os.open(os.devnull, os.O_RDWR), True)
    sys.stdin = sys.stdin or open(0, encoding="utf-8")  # noqa: SIM115
    sys.stdout = _take_stream(sys.stdout, 1)
    sys.stderr = _take_stream(sys.stderr, 2)


def _take_stream(stream: TextIO | None, number: int) -> TextIO:
    stream = stream or open(number, "w", encoding="utf-8")  # noqa: SIM115
    if isinstance(stream, io.TextIOWrapper):
        stream.reconfigure(errors="backslashreplace")
    return Printable(stream)  # type: ignore[return-value]


def write_bytes(data: bytes) -> None:
    """Write bytes to stdout as they are."""
    stream = cast("Lasting", sys.stdout)
    stream.write_bytes(data)


def why_output_was_lost() -> str | None:
    """Why part of the output to stdout was lost; None if all was written or the reader closed the
    pipe."""
    sys.stdout.flush()
    failure = getattr(sys.stdout, "failure", None)
    if not isinstance(failure, OSError) or failure.errno == errno.EPIPE:
        return None
    return f"stdout: cannot be written: {(failure.strerror or str(failure)).lower()}"
