"""The command `serve`."""

import webbrowser
from typing import Annotated

import typer

from jigsat.cli.common import app, print_line
from jigsat.web.opening import DEFAULT_PORT, open_page


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
    page = open_page(host, port, published)
    print_line(f"{page.link}  (Ctrl-C ends it)")
    if open_browser:
        webbrowser.open(page.link)
    page.serve()
