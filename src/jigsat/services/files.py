"""The service that writes a text file."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from jigsat.errors import InputError, unwritable
from jigsat.formats.export import save


def write_file(path: Path, texts: Iterable[str], *, new: bool = False) -> None:
    """Write a text file, compressed if its suffix says so; it appears when it is complete.

    With `new`, an existing file is not overwritten. Raises InputError for a file that cannot be
    written, and Stopped if the disk is full or broken.
    """
    try:
        save(path, texts, new=new)
    except FileExistsError as error:
        raise InputError(f"{path}: exists already; use --force to overwrite it") from error
    except OSError as error:
        raise unwritable(path, error) from error
