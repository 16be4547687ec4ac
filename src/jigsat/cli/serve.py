"""The command `serve`."""

import webbrowser
from collections.abc import Callable
from errno import EADDRINUSE
from secrets import token_urlsafe
from socket import socket
from typing import Annotated

import typer

from jigsat.cli.common import app, print_line
from jigsat.errors import InputError

DEFAULT_PORT = 8765


@app.command()
def serve(
    port: Annotated[
        int | None, typer.Option(min=0, max=65535, help=f"default: {DEFAULT_PORT}, or a free one")
    ] = None,
    host: Annotated[
        str, typer.Option(metavar="ADDRESS", help="with any but 127.0.0.1, others can connect")
    ] = "127.0.0.1",
    published: Annotated[
        str, typer.Option(metavar="URL", help="a page of `make page`, to which links are copied")
    ] = "",
    open_browser: Annotated[
        bool, typer.Option("--open", help="open the page in the browser")
    ] = False,
) -> None:
    """Serve the page on this machine, and print its link; Ctrl-C ends it.

    The link is new each time, and only those who have it can use the page. Nothing is written to
    disk.
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
    listener = _listener(server.listening, host, port)
    taken, secret = listener.getsockname()[1], token_urlsafe(16)
    link = server.address(host, taken, secret)
    page = server.PageServer(secret, server.names(host, taken), ServerLimits(), published=published)
    print_line(f"{link}  (Ctrl-C ends it)")
    if open_browser:
        webbrowser.open(link)
    server.serve(listener, page)


def _listener(listening: Callable[[str, int], socket], host: str, port: int | None) -> socket:
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
