"""The shipped puzzles on a grid; a quick run asks most about the first one of each kind."""

from __future__ import annotations

from pathlib import Path

from jigsat.instance import family, instances, read_data
from jigsat.kit import GridPuzzle


def list_files() -> list[Path]:
    return [
        path for path in instances() if issubclass(family(read_data(path)["family"]), GridPuzzle)
    ]


FILES = list_files()

FIRST_FILES = {read_data(path)["family"]: path for path in reversed(FILES)}
"""The first file of each kind, which is the smaller one."""

LATER_FILES = frozenset(path.stem for path in FILES) - {path.stem for path in FIRST_FILES.values()}
"""The names of the others."""
