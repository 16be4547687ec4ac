"""Several files of puzzles: a file that cannot be read is reported and skipped."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from jigsat import instance
from jigsat.cli import options
from jigsat.cli.common import reading, say
from jigsat.errors import InputError
from jigsat.words import plural

if TYPE_CHECKING:
    from jigsat.puzzle import Puzzle
    from jigsat.runtime.limits import Limits


def list_files(names: Sequence[str]) -> list[str]:
    """The files and instances with these names; a folder stands for the files in it, sorted by
    name. Raises InputError for one that is named twice."""
    files: list[str] = []
    for name in names:
        files += _list_folder(Path(name)) if Path(name).is_dir() else [name]
    seen: dict[Path, str] = {}
    for file in files:
        path = Path(file).resolve()
        if path in seen:
            other = "" if seen[path] == file else f", also as {seen[path]}"
            raise InputError(f"{file}: named twice{other}; name each file once")
        seen[path] = file
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


class Inputs:
    """The puzzles of several files, and how many files were skipped."""

    def __init__(self, files: Sequence[str]) -> None:
        self.files = files
        self.puzzles: dict[str, list[Puzzle]] = {}
        self.skipped = 0

    def read(self, settings: list[str] | None, limits: Limits, drawn_as: str = "") -> None:
        """Read the files. A single one must be right; of several, those that are wrong are
        reported and skipped. `drawn_as` is the family of grids that are drawn in them."""
        changes = options.changes(settings)
        for file in self.files:
            try:
                with reading(file, limits):
                    if drawn_as:
                        self.puzzles[file] = instance.load_drawn(Path(file), drawn_as)
                    else:
                        self.puzzles[file] = instance.load_all(file, **changes)
            except InputError as error:
                self.skip(error)

    def stem(self) -> str:
        """A name for all of them, as for the file of their answers."""
        one, *others = self.files
        return f"{len(self.files)} files" if others else instance.name_source(one)

    def skip(self, error: InputError) -> None:
        """Report what is wrong with one of several files; raises the error if it is the only
        one."""
        if len(self.files) == 1:
            raise error
        say(f"jigsat: {error}; skipped")
        self.skipped += 1

    def require_all(self) -> None:
        """Raise InputError if a file was skipped; call it when the others are done."""
        if self.skipped:
            raise InputError(f"{self.skipped:,} of {plural(len(self.files), 'file')} skipped")
