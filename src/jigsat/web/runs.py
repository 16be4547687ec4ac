"""Answers as streams of server-sent events. Each is computed in a child process that ends with the
browser's tab."""

from __future__ import annotations

import asyncio
import os
import stat
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import closing, suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from starlette.responses import StreamingResponse
from starlette.types import Receive, Scope, Send

from jigsat.errors import Stopped
from jigsat.runtime.child import Child
from jigsat.web.messages import End, Failed, Halted, write_message
from jigsat.web.requests import replies

POLL_INTERVAL_S = 0.02  # seconds between two looks for the next message
LIMIT_CHECK_INTERVAL_S = 0.2  # seconds between two checks of the limits of a run
# seconds of silence after which a comment is sent, so that nothing closes the connection
KEEP_ALIVE_S = 10.0
# seconds that a browser gets to read the rest of an answer after its run has reached its time limit
GRACE_PERIOD_S = 5.0


@dataclass(frozen=True)
class ServerLimits:
    """The limits for a browser: bytes of a request, and seconds, bytes of memory and the number of
    simultaneous runs."""

    body: int = 4 * 2**20
    seconds: float = 3600.0
    memory: int = 2 * 2**30
    runs: int = 8
    patience: float = 10.0  # seconds in which a request must arrive, and a run must begin


class Runs:
    """The runs of a server. When it is `stopping`, all of them end, and their answers say so."""

    def __init__(self, limits: ServerLimits) -> None:
        self.limits = limits
        self.free = asyncio.Semaphore(limits.runs)
        self.stopping = asyncio.Event()

    async def begin(self) -> bool:
        """Wait until a run may begin; False if that takes too long. `StreamedAnswer` ends the
        run."""
        with suppress(TimeoutError):
            async with asyncio.timeout(self.limits.patience):
                return await self.free.acquire()
        return False


class StreamedAnswer(StreamingResponse):
    """The response after `Runs.begin`: the messages of the answer to a request, one event each."""

    def __init__(self, request: bytes, runs: Runs) -> None:
        super().__init__((), media_type="text/event-stream", headers={"x-accel-buffering": "no"})
        self._request, self._runs = request, runs

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        limits = self._runs.limits
        try:
            with closing(
                Child(partial(_alone, self._request), timeout=limits.seconds, memory=limits.memory)
            ) as child:
                self.body_iterator = _events(child)
                async with asyncio.timeout(limits.seconds + GRACE_PERIOD_S) as patience:
                    watching = asyncio.create_task(self._watch(child, patience))
                    try:
                        await super().__call__(scope, receive, send)
                    finally:
                        watching.cancel()
        except TimeoutError:
            pass  # the browser does not read
        finally:
            self._runs.free.release()

    async def _watch(self, child: Child[str], patience: asyncio.Timeout) -> None:
        """Enforce the limits of a child even while the browser does not read, until the server
        stops."""
        stopping = self._runs.stopping
        while not stopping.is_set():
            child.ready()
            with suppress(TimeoutError):
                async with asyncio.timeout(
                    LIMIT_CHECK_INTERVAL_S
                ):  # `wait_for` would sometimes lose a cancellation
                    await stopping.wait()
        child.stop("the server was stopped")
        patience.reschedule(asyncio.get_running_loop().time() + GRACE_PERIOD_S / 5)


async def _events(child: Child[str]) -> AsyncIterator[str]:
    """The items of a child as events, and a comment after each long silence; whatever ends it
    becomes the last event."""
    spoke = time.monotonic()
    try:
        while True:
            ready = child.ready()
            await asyncio.sleep(
                0 if ready else POLL_INTERVAL_S
            )  # meanwhile it is noticed if the browser left
            if ready:
                event = f"data: {next(child)}\n\n"
            elif time.monotonic() > spoke + KEEP_ALIVE_S:
                event = ":\n\n"
            else:
                continue
            yield event
            spoke = time.monotonic()
    except StopIteration:
        return
    except Stopped as stopped:
        last: Halted | Failed = Halted(reason=stopped.reason, message=str(stopped))
    except Exception as error:
        last = Failed(reason="bug", message=f"{type(error).__name__}: {error}")
    for message in (last, End()):
        yield f"data: {write_message(message)}\n\n"


def _alone(request: bytes) -> Iterator[str]:
    """The answer, in a process that lets go of the server's sockets: they must close when the
    server closes them."""
    opened = Path("/proc/self/fd")
    for number in [int(file.name) for file in opened.iterdir()] if opened.is_dir() else ():
        with suppress(OSError):
            if stat.S_ISSOCK(os.fstat(number).st_mode):
                os.close(number)
    yield from replies(request)
