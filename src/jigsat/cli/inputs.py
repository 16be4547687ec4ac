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
