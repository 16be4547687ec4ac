"""The services that exchange puzzles with other programs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from jigsat import instance
from jigsat.puzzle import Puzzle
from jigsat.puzzle.copies import find_copies
from jigsat.services.files import write_file


@dataclass(frozen=True)
class ImportRequest:
    """A file of another program, or a link, and the instance file to write.

    With `distinct`, puzzles that equal earlier ones up to symmetry are left out. With a family, the
    file has drawn grids of it.
    """

    source: str | Path
    output: Path
    distinct: bool = False
    force: bool = False
    family: str = ""


def import_file(request: ImportRequest) -> list[Puzzle]:
    """Write the puzzles of another program's file as an instance; returns those that are written.

    Raises InputError for a file that cannot be read, and for an output that cannot be written or
    exists already.
    """
    if request.family:
        puzzles = instance.load_drawn(Path(request.source), request.family)
    else:
        puzzles = instance.load_all(request.source)
    numbers = list(range(len(puzzles)))
    if request.distinct:
        copies = list(find_copies(puzzles))
        numbers = [number for number in numbers if not copies[number]]
    write_instance(
        request.source,
        puzzles,
        numbers,
        request.output,
        drawn_as=request.family,
        force=request.force,
    )
    return [puzzles[number] for number in numbers]


def write_instance(
    source: str | Path,
    puzzles: Sequence[Puzzle],
    numbers: Sequence[int],
    path: Path,
    *,
    drawn_as: str = "",
    force: bool,
) -> None:
    """Write an instance with those puzzles of a file that have these numbers, from 0.

    `drawn_as` is the family of drawn grids. With `force`, an existing file is overwritten. Raises
    InputError if it cannot be written, and Stopped if the disk is full or broken.
    """
    write_file(path, [instance.import_text(source, puzzles, numbers, drawn_as)], new=not force)
