"""Steps on the page in a browser."""

from __future__ import annotations

import base64
import zlib
from collections.abc import Callable
from typing import Any

TIMEOUT = 90_000
"""Milliseconds; a loaded machine may be slow."""

Open = Callable[..., Any]

READ = "#edited:enabled:not([data-unread])"
"""The button of the editor that solves, once what was edited has been read and can be solved."""

DROP = """([thing, name]) => {
    const canvas = document.createElement("canvas");
    canvas.width = canvas.height = 60;
    canvas.getContext("2d").fillRect(0, 0, 30, 60);
    return new Promise((done) => canvas.toBlob((blob) => {
        const files = new DataTransfer();
        files.items.add(new File([blob], name, { type: "image/png" }));
        const options = { bubbles: true, cancelable: true, dataTransfer: files };
        document.querySelector(`[data-thing="${thing}"] .tile`).dispatchEvent(new DragEvent("drop", options));
        done();
    }));
}"""
"""Drop an image file on a tile."""


def solved(page: Any) -> str:
    """Solve the puzzle; returns what the page says at the end."""
    page.click("#solve")
    page.wait_for_selector("#verdict p")
    page.evaluate(
        "document.querySelectorAll('#verdict details').forEach((each) => (each.open = true))"
    )
    return " ".join(
        " ".join(page.inner_text(part).split()) for part in ("#count", "#detail", "#verdict")
    )


def until(page: Any, expression: str) -> None:
    """Wait until a JavaScript expression is true. The page's own policy forbids Playwright's way to
    wait."""
    for _ in range(TIMEOUT // 100):
        if page.evaluate(expression):
            return
        page.wait_for_timeout(100)
    raise AssertionError(expression)


def linked(text: str) -> str:
    """The fragment of a link to a puzzle."""
    packing = zlib.compressobj(9, zlib.DEFLATED, -zlib.MAX_WBITS)
    packed = packing.compress(text.encode()) + packing.flush()
    return f"#text={base64.urlsafe_b64encode(packed).decode().rstrip('=')}"


def choose(page: Any, selector: str) -> None:
    """Press a button of the menu."""
    page.click("#menu-opener")
    page.click(selector)


def turn_to(page: Any, view: str) -> None:
    """Turn to another view of the puzzle, such as 'solve'."""
    choose(page, f"#tab-{view}")


def mark(page: Any, kind: str) -> None:
    """Choose what is marked on the board."""
    page.click("#menu-opener")
    page.select_option("#marks", kind)


def loaded(page: Any) -> None:
    until(
        page, "document.title !== 'jigsat'"
    )  # a picture of an instance may be there before the puzzle was read
    page.wait_for_selector("#picture svg", state="attached")  # an editor may hide it


def write(page: Any, text: str) -> None:
    """Replace the text of the puzzle's file."""
    page.evaluate("document.querySelector('#advanced').open = true")
    page.fill("#toml", text)
