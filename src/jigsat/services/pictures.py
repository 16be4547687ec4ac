"""The service that writes pictures and pages to a file."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from jigsat.errors import stops_named, unwritable
from jigsat.formats.export import replace_when_complete
from jigsat.pictures.rendering import CONVERTED, render_pages
from jigsat.runtime.child import apart, drop_output, heeded_interrupts
from jigsat.runtime.limits import Limits

# seconds in which a picture is drawn even if the time limit has passed
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
    document = pages, suffix, title, author
    if suffix in CONVERTED:
        timeout = None if limits.timeout is None else max(limits.timeout, MIN_DRAWING_S)
        with stops_named(f"{path}: not written"), heeded_interrupts():
            data = apart(_render_silently, *document, timeout=timeout, memory=limits.memory)
    else:
        data = render_pages(*document)
    try:
        with replace_when_complete(path) as beside:
            beside.write_bytes(data)
    except OSError as error:
        raise unwritable(path, error) from error


def _render_silently(pages: Sequence[str], suffix: str, title: str, author: str) -> bytes:
    """The file of SVG documents; Typst would print where it failed. Only for a child process."""
    drop_output()
    return render_pages(pages, suffix, title, author)
