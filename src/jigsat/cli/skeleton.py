"""The files that `jigsat new` writes: a small working family that the author then changes."""

from __future__ import annotations

from string import Template

FAMILY = '''\
"""$title: describe the puzzle here.

This example places one stone in each row and each column of a square board. Change it step by step and run the test after
each step. Comments and docstrings explain the parts; delete them as you go.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple, Self

import jigsat
from pydantic import PositiveInt, model_validator

Cell = tuple[int, int]


class Placement(NamedTuple):
    """There is a stone on this cell. A solution is a set of placements; add a field, such as `piece: str`, if needed."""

    cell: Cell  # row and column, counted from 0


@jigsat.register
class $kind(jigsat.Puzzle[Placement]):
    """A square board on which some cells are blocked."""

    family = "$name"  # the entry `family` of instance files
    cell_field = "cell"  # the field of a placement that holds its cell; `piece_field` names what is placed there, if any

    # The entries of an instance file. Editors show the docstrings; see `jigsat schema`.

    size: PositiveInt
    """The number of rows and of columns."""
    blocked: tuple[Cell, ...] = ()
    """The cells that stay empty, each as [row, column]."""

    @model_validator(mode="after")
    def _consistent(self) -> Self:
        """Optional: raise ValueError, beginning with the place in the file, if entries contradict each other."""
        for i, cell in enumerate(self.blocked):
            if not all(0 <= number < self.size for number in cell):
                raise ValueError(f"blocked.{i}: there is no cell {list(cell)} on a board of size {self.size}")
        return self

    def encode(self) -> jigsat.Formula:
        """The rules as constraints. The names of the groups appear in `explain`, in exported files and in proofs."""
        formula, size = jigsat.Formula(), range(self.size)
        stone = formula.variables("stone", ["cell"], [Placement((row, column)) for row in size for column in size])
        with formula.group("each row has one stone"):
            for row in size:
                formula.exactly_one(stone((row, column)) for column in size)
        with formula.group("each column has one stone"):
            for column in size:
                formula.exactly_one(stone((row, column)) for row in size)
        with formula.group("blocked cells stay empty"):
            for cell in self.blocked:
                formula.clause([-stone(cell)])
        return formula

    def check(self, placements: Sequence[Placement]) -> Iterator[str]:
        """Yield one sentence per broken rule. Write this from the rules of the puzzle; share nothing with `encode`."""
        for axis, line in enumerate(("row", "column")):
            used = sorted(placement.cell[axis] for placement in placements)
            if used != list(range(self.size)):
                yield f"not every {line} has exactly one stone"
        for placement in placements:
            if placement.cell in self.blocked:
                yield f"there is a stone on the blocked cell {placement.cell}"


if __name__ == "__main__":
    jigsat.main()
'''

INSTANCE = """\
family = "$name"
title = "An example"
size = 4
blocked = [[0, 0]]

[known]
solutions = 18
source = "4! - 3!"
"""

TEST = '''\
"""Tests of the family $name."""

from pathlib import Path

import jigsat
import pytest
from jigsat.testing import check_family

import $module  # noqa: F401  # importing it registers the family

FOLDER = Path(__file__).parent


def test_the_example() -> None:
    check_family(FOLDER / "example.toml")


def test_wrong_entries_are_refused(tmp_path: Path) -> None:
    wrong = tmp_path / "wrong.toml"
    wrong.write_text('family = "$name"\\nsize = 2\\nblocked = [[0, 2]]\\n')
    with pytest.raises(jigsat.InputError, match="blocked"):
        jigsat.load(wrong)
'''

PROJECT = """\
[build-system]
requires = ["setuptools>=77"]
build-backend = "setuptools.build_meta"

[project]
name = "jigsat-$name"
version = "0.1.0"
dependencies = ["jigsat"]

[project.entry-points."jigsat.encodings"]
$name = "$module:$kind"

[tool.setuptools]
py-modules = ["$module"]
"""


def skeleton(name: str, module: str) -> dict[str, str]:
    """The text of each file of a new family."""
    words = name.split("-")
    names = {"name": name, "module": module, "kind": "".join(map(str.capitalize, words)), "title": " ".join(words).capitalize()}
    files = {f"{module}.py": FAMILY, "example.toml": INSTANCE, f"test_{module}.py": TEST, "pyproject.toml": PROJECT}
    return {file: Template(text).substitute(names) for file, text in files.items()}
