"""The directory to which a certificate is written."""

from __future__ import annotations

import os
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

from jigsat.errors import InputError, unwritable


def require_new(directory: Path) -> None:
    """Raise InputError if the directory exists and is not empty."""
    if os.path.lexists(directory) and (not directory.is_dir() or any(directory.iterdir())):
        raise InputError(f"{directory}: already exists and is not an empty directory; name a new directory")


class Output:
    """A new or empty directory to write to. If the block fails, exactly what was created is removed.

    Raises InputError if it is not empty or cannot be written.
    """

    def __init__(self, directory: Path) -> None:
        self._directory = directory
        self._folders: list[Path] = []
        self._files: list[Path] = []
        try:
            require_new(directory)
            self._folders = [folder for folder in (directory, *directory.parents) if not folder.exists()]
            directory.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            self._remove()
            raise unwritable(directory, error) from error

    def __enter__(self) -> Output:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        if kind is not None:
            self._remove()

    def new(self, name: str) -> Path:
        """Create an empty file. Raises InputError if it exists already or cannot be created."""
        path = self._directory / name
        try:
            path.touch(exist_ok=False)
        except OSError as error:
            raise unwritable(path, error) from error
        self._files.append(path)
        return path

    def _remove(self) -> None:
        """Remove the files and folders that were created. Folders that contain other files are kept."""
        for file in self._files:
            with suppress(OSError):
                file.unlink()
        for folder in self._folders:
            with suppress(OSError):
                folder.rmdir()


def write(path: Path, parts: Iterable[bytes]) -> None:
    try:
        with path.open("wb") as file:
            file.writelines(parts)
    except OSError as error:
        raise unwritable(path, error) from error
