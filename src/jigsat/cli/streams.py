"""stdout and stderr as the commands write to them.

Two things are settled here once, for all commands and for whatever a library prints. Characters that cannot be printed are
escaped, except the ends of lines. A stream that cannot be written to does not end the run: the rest of the output is
dropped, and the run goes on to its answer and its exit status.
"""

from __future__ import annotations

import errno
import io
import os
import sys
from contextlib import suppress
from typing import TextIO

from jigsat.errors import printable


class Lasting(io.TextIOBase):
    """A stream that never fails: after the first error all output is dropped, and `failure` says why."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self.failure: OSError | None = None

    def write(self, text: str) -> int:
        """Write the text, and return its length."""
        if self.failure is None:
            try:
                self._stream.write(text)
            except OSError as error:
                self._fail(error)
        return len(text)

    def flush(self) -> None:
        """Hand everything to the system."""
        try:
            self._stream.flush()
        except OSError as error:
            self._fail(error)

    def _fail(self, error: OSError) -> None:
        self.failure = self.failure or error
        with suppress(OSError):  # what is still in a buffer must not fail again when Python ends
            nothing = os.open(os.devnull, os.O_WRONLY)
            os.dup2(nothing, self._stream.fileno())
            os.close(nothing)

    def isatty(self) -> bool:
        return self._stream.isatty()

    def fileno(self) -> int:
        return self._stream.fileno()

    @property
    def encoding(self) -> str:  # type: ignore[override]
        """The encoding of the stream below."""
        return self._stream.encoding


class Printable(Lasting):
    """A stream that escapes what cannot be printed.

    Rich, which writes escape sequences of its own, writes to the stream below, under the name that it looks for.
    """

    def __init__(self, stream: TextIO) -> None:
        super().__init__(stream)
        self.rich_proxied_file = Lasting(stream)

    def write(self, text: str) -> int:
        self.rich_proxied_file.write("\n".join(map(printable, text.split("\n"))))
        return len(text)

    def flush(self) -> None:
        self.rich_proxied_file.flush()
        self.failure = self.rich_proxied_file.failure


def take_over() -> None:
    """Put stdout and stderr in the hands of this module. Streams that are closed lead nowhere."""
    for number in range(3):
        try:
            os.fstat(number)
        except OSError:  # else the next file opened would get the number, and with it what is written to the stream
            os.set_inheritable(os.open(os.devnull, os.O_RDWR), True)
    sys.stdin = sys.stdin or open(0, encoding="utf-8")  # noqa: SIM115
    sys.stdout = _taken(sys.stdout, 1)
    sys.stderr = _taken(sys.stderr, 2)


def _taken(stream: TextIO | None, number: int) -> TextIO:
    stream = stream or open(number, "w", encoding="utf-8")  # noqa: SIM115
    if isinstance(stream, io.TextIOWrapper):
        stream.reconfigure(errors="backslashreplace")
    return Printable(stream)  # type: ignore[return-value]


def undelivered() -> str | None:
    """Why stdout did not take all of the output, None if it did. A reader who has had enough is no reason."""
    sys.stdout.flush()
    failure = getattr(sys.stdout, "failure", None)
    if not isinstance(failure, OSError) or failure.errno == errno.EPIPE:
        return None
    return f"stdout: cannot be written: {(failure.strerror or str(failure)).lower()}"
