"""The server of the page, opened at a port of this machine."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from errno import EADDRINUSE
from secrets import token_urlsafe
from socket import socket

from jigsat.errors import InputError

DEFAULT_PORT = 8765


@dataclass(frozen=True)
class OpenPage:
    """A page that others can ask for once `serve` is called, and the link to it."""

    link: str
    serve: Callable[[], None]


def open_page(host: str, port: int | None, published: str = "") -> OpenPage:
    """Listen at a port; None is the usual one, or any free one if that is taken.

    Raises InputError if a package of the server is not installed, for a wrong address of a
    published page, and if nothing can listen there.
    """
    try:
        from jigsat.web import server
        from jigsat.web.runs import ServerLimits
    except ImportError as error:
        package = str(error.name).partition(".")[0]
        raise InputError(
            f"the page's server needs {package}; install it with: pip install 'jigsat[web]'"
        ) from error
    if published and not published.startswith(("http://", "https://")):
        raise InputError(
            f"--published: '{published}' is no address of a page; it begins with https:// or "
            f"http://"
        )
    listener = _listen(server.listening, host, port)
    taken = listener.getsockname()[1]
    secret = token_urlsafe(16)
    page = server.PageServer(secret, server.names(host, taken), ServerLimits(), published=published)
    return OpenPage(server.address(host, taken, secret), lambda: server.serve(listener, page))


def _listen(listening: Callable[[str, int], socket], host: str, port: int | None) -> socket:
    """A socket at the port, or at any free one if none was requested and the usual one is taken."""
    try:
        return listening(host, DEFAULT_PORT if port is None else port)
    except OSError as error:
        if port is None and error.errno == EADDRINUSE:
            return listening(host, 0)
        reason = (error.strerror or str(error)).lower()
        place = f"{host}, port {port or DEFAULT_PORT}"
        raise InputError(
            f"cannot listen on {place}: {reason}; `--port 0` takes any free port"
        ) from error
