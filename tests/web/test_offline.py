"""What the service worker of the static page keeps."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from support.browser import STATIC, hosted
from support.pages import TIMEOUT, until

KEPT = """caches.open('jigsat-development').then((cache) => cache.keys())
    .then((requests) => requests.map(({ url }) => url.split('/').pop()).join())"""

INSTALLED = """navigator.serviceWorker.register('sw.js')
    .then((made) => made.active ?? new Promise((tell) => {
        const worker = made.installing ?? made.waiting;
        worker.onstatechange = () => ['redundant', 'activated'].includes(worker.state) && tell(worker);
    })).then(({ state }) => state)"""
"""Register the worker, and wait until it works or its installation failed."""


def test_an_interrupted_first_visit_keeps_what_it_has(browser: Any, tmp_path: Path) -> None:
    (tmp_path / "index.html").write_text("<!doctype html><title>a page</title>", encoding="utf-8")
    (tmp_path / "first.txt").write_text("first", encoding="utf-8")
    worker = (STATIC / "sw.js").read_text(encoding="utf-8")
    listed = worker.replace("/* files */ []", '["first.txt", "second.txt"]')
    (tmp_path / "sw.js").write_text(listed, encoding="utf-8")
    context = browser.new_context()
    page = context.new_page()
    page.set_default_timeout(TIMEOUT)
    with hosted(tmp_path) as host:
        page.goto(host)
        assert page.evaluate(INSTALLED) == "redundant"  # there is no second file
        assert page.evaluate(KEPT) == "first.txt"
        (tmp_path / "first.txt").unlink()  # so that it cannot be loaded again
        (tmp_path / "second.txt").write_text("second", encoding="utf-8")
        assert page.evaluate(INSTALLED) in ("activated", "activating")
        until(page, f"{KEPT}.then((names) => names === 'first.txt,second.txt')")
    context.close()
