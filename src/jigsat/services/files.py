"""The services that check the names of files before a search, and write text files."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from jigsat.errors import InputError, unwritable
from jigsat.formats.export import save

# suffixes of files with pictures; a file without a suffix is SVG
PICTURES = (".svg", ".png", ".pdf")


def write_file(
    path: Path, texts: Iterable[str], *, new: bool = False, encoding: str = "utf-8"
) -> None:
    """Write a text file, compressed if its suffix says so; it appears when it is complete.

    With `new`, an existing file is not overwritten. Raises InputError for a file that cannot be
    written, and Stopped if the disk is full or broken.
    """
    try:
        save(path, texts, new=new, encoding=encoding)
    except FileExistsError as error:
        raise InputError(f"{path}: exists already; use --force to overwrite it") from error
    except OSError as error:
        raise unwritable(path, error) from error


def check_output(path: Path, suffixes: Sequence[str], what: str) -> None:
    """Raise InputError if pictures or pages could not be written to this file; `what` names it in
    messages."""
    from jigsat.pictures.rendering import require

    suffix = path.suffix.lower()
    if suffix and suffix not in suffixes:
        raise InputError(
            f"{what}: unknown suffix; name a file that ends in {', '.join(suffixes[:-1])} or "
            f"{suffixes[-1]}"
        )
    require(suffix, what)
    require_folder(path)


def require_folder(path: Path) -> None:
    """Raise InputError if there is no folder for this file."""
    try:
        if not path.parent.is_dir():
            raise InputError(f"{path}: cannot be written: no such directory")
    except OSError as error:
        raise unwritable(path, error) from error


def refuse_existing(path: Path, *, force: bool) -> None:
    """Raise InputError if a file would be overwritten without `force`, or a folder has its name."""
    if path.is_dir():
        raise InputError(f"{path}: is a folder; name a file")
    if path.exists() and not force:
        raise InputError(f"{path}: exists already; use --force to overwrite it")


def list_files(names: Sequence[str]) -> list[str]:
    """The files and instances with these names; a folder stands for the files in it, sorted by
    name. Raises InputError for one that is named twice."""
    files: list[str] = []
    for name in names:
        files += _list_folder(Path(name)) if Path(name).is_dir() else [name]
    names_of: dict[Path, str] = {}
    for file in files:
        path = Path(file).resolve()
        if path in names_of:
            other = "" if names_of[path] == file else f", also as {names_of[path]}"
            raise InputError(f"{file}: named twice{other}; name each file once")
        names_of[path] = file
    return files


def _list_folder(folder: Path) -> list[str]:
    """The files in a folder, without hidden ones."""
    files = sorted(
        str(path)
        for path in folder.iterdir()
        if (path.is_file() or not path.exists())  # a link to nothing is reported when it is read
        and not path.name.startswith(".")
    )
    if not files:
        raise InputError(f"{folder}: the folder has no files")
    return files
