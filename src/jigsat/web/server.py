"""The server of the page: its files and its requests, for browsers that know the secret in its
address.

All responses are below `/SECRET/`, so that the page needs only relative addresses and other pages
of the browser cannot send requests. The files are read once, at the start; no request is used as
the name of a file, and nothing is written.
"""

import asyncio
import hmac
import mimetypes
import socket
from collections.abc import Iterator
from pathlib import Path
from types import FrameType
from typing import Any, cast

import uvicorn
from starlette.applications import Starlette
from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import ClientDisconnect, Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from uvicorn.protocols.http.h11_impl import H11Protocol

from jigsat import instance
from jigsat.backends import DEFAULT, open_backend
from jigsat.errors import markup_text
from jigsat.web.kinds import KINDS_FILE, write_kinds
from jigsat.web.runs import Runs, ServerLimits, StreamedAnswer

STATIC = Path(__file__).resolve().with_name("static")
"""The folder with the files of the page. In an editable install this module is a link to the clone,
where the folder is."""

TYPES = {
    ".js": "text/javascript",
    ".mjs": "text/javascript",
    ".wasm": "application/wasm",
    ".toml": "text/plain",
}
"""Types that would otherwise depend on the system's settings."""

LOOPBACK = ("127.0.0.1", "localhost", "::1")
EVERY_ADDRESS = ("0.0.0.0", "::")

HEADERS = {
    "cache-control": "no-store",
    "content-security-policy": (
        "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self' "
        "'unsafe-inline'; "
        "img-src 'self' data: blob:; connect-src 'self'; worker-src 'self'; manifest-src 'self'; "
        "font-src 'self'; "
        "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    ),
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
}
"""The headers of every response."""


class PageServer:
    """The application: `/SECRET/` with its files and `/SECRET/api`; only for these `hosts` with
    ports, unless None.

    Links that are copied lead to `published`, if it is not ''.
    """

    def __init__(
        self,
        secret: str,
        hosts: frozenset[str] | None,
        limits: ServerLimits,
        folder: Path = STATIC,
        published: str = "",
    ) -> None:
        self._secret, self._hosts, self._limits = secret, hosts, limits
        self._files = dict(_files(folder, published))
        self.runs = Runs(limits)
        api = Route("/{secret}/api", self._api, methods=["POST"])
        self._app = Starlette(routes=[api, Route("/{secret}/{path:path}", self._file)])

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message).update(HEADERS)
            await send(message)

        refused = self._refusal(scope) if scope["type"] == "http" else None
        app: ASGIApp = refused or self._app
        await app(scope, receive, send_with_headers)

    def _refusal(self, scope: Scope) -> Response | None:
        """The response to a request with the wrong address or from another page."""
        headers = Headers(scope=scope)
        host = headers.get("host", "")
        origin = headers.get("origin")
        if self._hosts is not None and host not in self._hosts:
            return PlainTextResponse("this server does not have that name", 421)
        if origin not in (
            (f"http://{host}",) if scope["method"] == "POST" else (f"http://{host}", None)
        ):
            return PlainTextResponse("this server answers only its own page", 403)
        secret = scope["path"].split("/")[1] if "/" in scope["path"] else ""
        if not hmac.compare_digest(secret.encode(errors="replace"), self._secret.encode()):
            return PlainTextResponse("not found; open the link that `jigsat serve` printed", 404)
        return None

    async def _file(self, request: Request) -> Response:
        file = self._files.get(request.path_params["path"])
        if file is None:
            return PlainTextResponse("not found", 404)
        content, kind = file
        return Response(content, media_type=kind)

    async def _api(self, request: Request) -> Response:
        if request.headers.get("content-type", "").partition(";")[0].strip() != "application/json":
            return PlainTextResponse("the content type must be application/json", 415)
        try:
            async with asyncio.timeout(self._limits.patience):
                body = await self._body(request)
        except TimeoutError:
            return PlainTextResponse("the request did not arrive in time", 408)
        except ClientDisconnect:
            return PlainTextResponse("the request is not complete", 400)
        if body is None:
            return PlainTextResponse(f"a request has at most {self._limits.body:,} bytes", 413)
        if not await self.runs.begin():
            return PlainTextResponse("too many runs at once; stop one of them", 429)
        return StreamedAnswer(body, self.runs)

    async def _body(self, request: Request) -> bytes | None:
        """The body of a request; None if it is too large, as soon as that is known."""
        length = request.headers.get("content-length", "0")
        if not length.isdecimal() or int(length[:20]) > self._limits.body:
            return None
        body = bytearray()
        async for chunk in request.stream():
            body += chunk
            if len(body) > self._limits.body:
                return None
        return bytes(body)


def _files(folder: Path, published: str) -> Iterator[tuple[str, tuple[bytes, str]]]:
    """The files of the page by their address, each with its content and type; '' is the page
    itself."""
    for path in sorted(folder.rglob("*")) if folder.is_dir() else ():
        if path.is_file() and "__pycache__" not in path.parts:
            kind = (
                TYPES.get(path.suffix)
                or mimetypes.guess_type(path.name)[0]
                or "application/octet-stream"
            )
            content = path.read_bytes()
            if path.suffix == ".html":
                served = f'data-engine="server" data-published="{markup_text(published)}"'
                content = content.replace(b'data-engine="worker"', served.encode())
            name = path.relative_to(folder).as_posix()
            yield name, (content, kind)
            if name == "index.html":
                yield "", (content, kind)
    yield KINDS_FILE, (write_kinds().encode(), TYPES[".js"])


class _Prompt(H11Protocol):
    """Closes a connection on which no complete header arrives in time."""

    patience = 10.0

    def connection_made(self, transport: Any) -> None:
        super().connection_made(transport)
        self._late: asyncio.TimerHandle | None = self.loop.call_later(
            self.patience, transport.abort
        )

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        waiting = self.cycle is None or self.cycle.response_complete
        if self._late and not waiting:
            self._late.cancel()
            self._late = None
        elif waiting and not self._late:
            self._late = self.loop.call_later(self.patience, self.transport.abort)

    def send_400_response(self, msg: str) -> None:
        """Refuse anything that is not HTTP. Nothing can be sent afterwards, not even the answer to
        a request before it."""
        super().send_400_response(msg)
        if self.cycle:
            self.cycle.disconnected = True
            self.cycle.message_event.set()

    def connection_lost(self, exc: Exception | None) -> None:
        if self._late:
            self._late.cancel()
        super().connection_lost(exc)


class _Server(uvicorn.Server):
    """A server that stops its runs before it waits for their answers."""

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        page = cast(PageServer, self.config.app)
        asyncio.get_running_loop().call_soon_threadsafe(page.runs.stopping.set)
        super().handle_exit(sig, frame)


def listening(host: str, port: int) -> socket.socket:
    """A socket that listens; port 0 is any free port. Raises OSError."""
    return socket.create_server(
        (host, port), family=socket.AF_INET6 if ":" in host else socket.AF_INET, backlog=128
    )


def address(host: str, port: int, secret: str) -> str:
    """The link to the page; a server that listens on all addresses has the name of its machine."""
    host = socket.gethostname() if host in EVERY_ADDRESS else host
    return f"http://{f'[{host}]' if ':' in host else host}:{port}/{secret}/"


def names(host: str, port: int) -> frozenset[str] | None:
    """The names of a server in the header `Host`; None if it listens on all addresses of the
    machine, whatever their names."""
    if host in EVERY_ADDRESS:
        return None
    hosts = {*LOOPBACK} if host in LOOPBACK else {host}
    shown = {f"[{name}]" if ":" in name else name for name in hosts}
    return frozenset({f"{name}:{port}" for name in shown} | (shown if port == 80 else set()))


def serve(listener: socket.socket, page: PageServer) -> None:
    """Answer requests until a signal stops the server; then its runs are stopped, and the signal is
    raised again."""
    list(instance.every_family())  # child processes inherit what is loaded here
    open_backend(DEFAULT).close()
    config = uvicorn.Config(
        page,
        http=_Prompt,
        ws="none",
        lifespan="off",
        log_level="error",
        access_log=False,
        server_header=False,
        date_header=False,
        limit_concurrency=200,
        timeout_graceful_shutdown=2,
    )
    _Server(config).run(sockets=[listener])
