"""The directory to which a certificate is written."""

import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import TypeAlias

from jigsat.errors import InputError, unwritable

CreateFile: TypeAlias = Callable[[str], Path]  # creates an empty file of this name


def require_new(directory: Path) -> None:
    """Raise InputError if the directory exists and is not empty."""
    if os.path.lexists(directory) and (not directory.is_dir() or any(directory.iterdir())):
        raise InputError(f"{directory}: already exists and is not an empty directory; name a new directory")


@contextmanager
def open_directory(directory: Path) -> Iterator[CreateFile]:
    """The function that creates an empty file in a new or empty directory. If the block fails, what was created is removed.

    Folders that contain other files are kept. Raises InputError, here and when the function is called, if the directory is not
    empty, or if something exists already or cannot be created.
    """
    with ExitStack() as created:

        def create(path: Path, make: Callable[[], None], remove: Callable[[], None]) -> Path:
            try:
                make()
            except OSError as error:
                raise unwritable(path, error) from error
            created.callback(try_to, remove)
            return path

        def try_to(remove: Callable[[], None]) -> None:
            with suppress(OSError):
                remove()

        try:
            require_new(directory)
            missing = [folder for folder in (directory, *directory.parents) if not folder.exists()]
        except OSError as error:
            raise unwritable(directory, error) from error
        for folder in reversed(missing):
            create(folder, folder.mkdir, folder.rmdir)
        yield lambda name: create(at := directory / name, lambda: at.touch(exist_ok=False), at.unlink)
        created.pop_all()


def write(path: Path, parts: Iterable[bytes]) -> None:
    try:
        with path.open("wb") as file:
            file.writelines(parts)
    except OSError as error:
        raise unwritable(path, error) from error
