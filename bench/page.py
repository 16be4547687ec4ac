"""The times of the page in headless Chromium: how soon it reacts, is ready and solves, cold and
warm, and offline.

Run `make browser` first. Run it on an idle machine, or the times mean little.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator

SITE = Path(__file__).parents[1] / "site"
OPTIONS = [
    "--no-sandbox",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
PATIENCE = 180_000
"""Milliseconds."""


class Quiet(SimpleHTTPRequestHandler):
    """A static host that does not log."""

    def log_message(self, *_: object) -> None:
        """Log nothing."""


@contextmanager
def static_host() -> Iterator[str]:
    """The address of the static page."""
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(SITE))) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()


@contextmanager
def jigsat_server() -> Iterator[str]:
    """The address of `jigsat serve`."""
    command = [str(Path(sys.executable).with_name("jigsat")), "serve", "--port", "0"]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    ) as server:
        assert server.stdout
        yield next(
            word for line in server.stdout for word in line.split() if word.startswith("http://")
        )
        server.terminate()


def seconds(act: Callable[[], Any]) -> float:
    """The duration of an action."""
    began = time.perf_counter()
    act()
    return time.perf_counter() - began


def measure(browser: Any, address: str) -> Iterator[tuple[str, float]]:
    """What is measured, and seconds."""
    context = browser.new_context()
    page = context.new_page()
    page.set_default_timeout(PATIENCE)

    def opened(name: str) -> None:
        page.goto(f"{address}#puzzle={name}&tab=solve")
        page.reload()

    def solved() -> None:
        page.click("#solve")
        page.wait_for_selector("#verdict p")

    def found() -> None:
        page.click("#solve")
        page.wait_for_selector("#caption:has-text('Solution 1')")

    def cold(name: str) -> None:
        opened(name)
        page.wait_for_selector("#picture svg")
        solved()

    yield (
        "the gallery appears, first visit",
        seconds(lambda: (page.goto(address), page.wait_for_selector(".card"))),
    )
    yield "the engine is ready", seconds(lambda: page.wait_for_selector("html[data-ready=true]"))
    for name in ("cats", "cube"):
        yield f"{name} from a cold start to the verdict", seconds(partial(cold, name))
        yield f"{name} warm", seconds(solved)
    yield "the first solution of the cube after the click", seconds(found)
    page.wait_for_selector("#verdict p")
    for name in ("soma", "pentominoes-6x10"):
        opened(name)
        page.wait_for_selector("#picture svg")
        yield f"{name} to the verdict", seconds(solved)
    context.close()


def main() -> None:
    """Measure the page with both engines."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=OPTIONS)
        for title, host in (("jigsat serve", jigsat_server), ("static", static_host)):
            with host() as address:
                for what, taken in measure(browser, address):
                    print(f"{title:14} {what:48} {taken:6.1f} s", flush=True)
        browser.close()


if __name__ == "__main__":
    main()
