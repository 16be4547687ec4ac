"""Answers as streams of server-sent events. Each is computed in a child process that ends with the browser's tab."""

from __future__ import annotations

import asyncio
import contextlib
import os
import stat
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from starlette.types import Receive, Scope, Send

from jigsat.errors import Stopped
from jigsat.runtime.child import Child
from jigsat.web.answering import replies
from jigsat.web.messages import End, Failed, Halted, write_message

LIMIT_CHECK_INTERVAL_S = 0.2  # seconds between two checks of the limits of a run
KEEP_ALIVE_S = 10.0  # seconds of silence after which a comment is sent, so that nothing closes the connection
GRACE_PERIOD_S = 5.0  # seconds that a browser gets to read the rest of an answer after its run has reached its time limit


@dataclass(frozen=True)
class ServerLimits:
    """The limits for a browser: bytes of a request, and seconds, bytes of memory and the number of simultaneous runs."""

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
        """Wait until a run may begin; False if that takes too long. `StreamedAnswer` ends the run."""
        try:
            async with asyncio.timeout(self.limits.patience):
                await self.free.acquire()
        except TimeoutError:
            return False
        return True


@dataclass(frozen=True)
class StreamedAnswer:
    """A response in ASGI, after `Runs.begin`: the messages of the answer to a request, one event each."""

    request: bytes
    runs: Runs

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        limits, child = self.runs.limits, None
        try:
            child = Child(partial(_alone, self.request), timeout=limits.seconds, memory=limits.memory)
            await self._tell(child, receive, send)
        finally:
            if child is not None:
                child.close()
            self.runs.free.release()

    async def _tell(self, child: Child[str], receive: Receive, send: Send) -> None:
        """Send the messages until they end, the browser leaves, or the server stops."""
        headers = [(b"content-type", b"text/event-stream"), (b"cache-control", b"no-store"), (b"x-accel-buffering", b"no")]
        telling = asyncio.create_task(_send_all(child, send, headers))
        waits = _wait_for_disconnect(receive), self.runs.stopping.wait(), _watch(child)
        others = [*map(asyncio.create_task, waits)]
        try:
            async with asyncio.timeout(self.runs.limits.seconds + GRACE_PERIOD_S):
                await asyncio.wait([telling, *others[:2]], return_when=asyncio.FIRST_COMPLETED)
                if self.runs.stopping.is_set():
                    child.stop("the server was stopped")
                    async with asyncio.timeout(GRACE_PERIOD_S / 5):
                        await telling
        except TimeoutError:
            pass  # the browser does not read
        finally:
            for task in (telling, *others):
                task.cancel()
            done = await asyncio.gather(telling, *others, return_exceptions=True)
        if isinstance(done[0], Exception) and not isinstance(done[0], OSError):
            raise done[0]


async def _send_all(child: Child[str], send: Send, headers: list[tuple[bytes, bytes]]) -> None:
    await send({"type": "http.response.start", "status": 200, "headers": headers})
    async for event in _events(child):
        await send({"type": "http.response.body", "body": event, "more_body": True})
    await send({"type": "http.response.body", "body": b""})


async def _events(child: Child[str]) -> AsyncIterator[bytes]:
    """The items of a child as events; whatever ends it becomes the last one."""
    try:
        async for message in _items(child):
            yield f"data: {message}\n\n".encode() if message else b":\n\n"
    except Stopped as stopped:
        yield _last(Halted(reason=stopped.reason, message=str(stopped)))
    except Exception as error:
        yield _last(Failed(reason="bug", message=f"{type(error).__name__}: {error}"))


def _last(message: Halted | Failed) -> bytes:
    return f"data: {write_message(message)}\n\ndata: {write_message(End())}\n\n".encode()


async def _items(child: Child[str]) -> AsyncIterator[str]:
    """The items of a child, and '' after each long silence."""
    loop = asyncio.get_running_loop()
    spoke = loop.time()
    while True:
        if child.ready():
            try:
                item = next(child)
            except StopIteration:
                return
            yield item
            spoke = loop.time()
        elif loop.time() > spoke + KEEP_ALIVE_S:
            yield ""
            spoke = loop.time()
        else:
            await _readable(child.connection.fileno())


async def _readable(file: int) -> None:
    """Wait until a file can be read, for a while."""
    loop, ready = asyncio.get_running_loop(), asyncio.Event()
    loop.add_reader(file, ready.set)
    try:
        async with asyncio.timeout(LIMIT_CHECK_INTERVAL_S):
            await ready.wait()
    except TimeoutError:
        pass
    finally:
        loop.remove_reader(file)


async def _watch(child: Child[str]) -> None:
    """Enforce the limits of a child even while the browser does not read."""
    while True:
        await asyncio.sleep(LIMIT_CHECK_INTERVAL_S)
        child.ready()


async def _wait_for_disconnect(receive: Receive) -> None:
    """Wait until the browser leaves."""
    while (await receive())["type"] != "http.disconnect":
        pass


def _alone(request: bytes) -> Iterator[str]:
    """The answer, in a process that lets go of the server's sockets: they must close when the server closes them."""
    opened = Path("/proc/self/fd")
    for number in [int(file.name) for file in opened.iterdir()] if opened.is_dir() else ():
        with contextlib.suppress(OSError):
            if stat.S_ISSOCK(os.fstat(number).st_mode):
                os.close(number)
    yield from replies(request)
