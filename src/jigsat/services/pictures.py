"""The service that writes pictures and pages to a file."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TypeVar

from jigsat.errors import InputError, Stopped, stops_named, unwritable
from jigsat.formats.export import replace_when_complete
from jigsat.pictures.rendering import CONVERTED, OWN_PICTURES, render_pages
from jigsat.printing.html import write_html
from jigsat.printing.parts import Document
from jigsat.printing.typeset import count_pages, typeset
from jigsat.runtime.child import apart, drop_output, heeded_interrupts
from jigsat.runtime.limits import Limits

T = TypeVar("T")

# seconds in which a picture of what a search returned is drawn even if the time limit has passed
MIN_DRAWING_S = 10.0


def write_pages(
    path: Path, pages: Sequence[str], limits: Limits, title: str = "", author: str = ""
) -> None:
    """Write SVG documents, one per page, in the format of the suffix, also after a limit or a
    signal stopped the search for more.

    Raises InputError for a file that cannot be written; Stopped at a limit, and if the disk is full
    or broken.
    """
    suffix = path.suffix.lower()
    if suffix in CONVERTED:
        timeout = None if limits.timeout is None else max(limits.timeout, MIN_DRAWING_S)
        limits = Limits(timeout, limits.memory)
        data = _draw_apart(path, limits, _render_silently, pages, suffix, title, author)
    else:
        data = render_pages(pages, suffix, title, author)
    _write(path, data)


def write_document(path: Path, document: Document, limits: Limits) -> int | None:
    """Write what is printed in the format of the suffix, as `write_pages` does, but only within
    the limits; returns the number of pages, unless a browser will decide on it."""
    suffix = path.suffix.lower()
    if suffix == ".html":
        _write(path, write_html(document).encode())
        return None
    files = _draw_apart(path, limits, _typeset_silently, document, suffix)
    if len(files) > 1:
        raise InputError(
            f"{path}: an SVG file has one page, but {len(files)} are needed; name a .pdf or .html "
            f"file"
        )
    _write(path, files[0])
    return count_pages(files[0]) if suffix == ".pdf" else 1


def _draw_apart(path: Path, limits: Limits, function: Callable[..., T], *arguments: object) -> T:
    """The result of a function that draws a file, in another process."""
    try:
        with heeded_interrupts(), stops_named(f"{path}: not written"):
            return apart(function, *arguments, timeout=limits.timeout, memory=limits.memory)
    except InputError as error:
        raise InputError(f"{path}: not written: {error}") from error
    except Stopped as stopped:
        remedy = OWN_PICTURES if stopped.reason.startswith("crash") else ""
        raise Stopped(f"{stopped}{remedy}", stopped.reason) from stopped


def _write(path: Path, data: bytes) -> None:
    try:
        with replace_when_complete(path) as beside:
            beside.write_bytes(data)
    except OSError as error:
        raise unwritable(path, error) from error


def _typeset_silently(document: Document, suffix: str) -> list[bytes]:
    """As `_render_silently`, for a document."""
    drop_output()
    return typeset(document, suffix)


def _render_silently(pages: Sequence[str], suffix: str, title: str, author: str) -> bytes:
    """The file of SVG documents; Typst would print where it failed. Only for a child process."""
    drop_output()
    return render_pages(pages, suffix, title, author)
