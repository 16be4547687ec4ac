"""The files that `jigsat new` writes: a small family that works, to be turned into another one."""

from __future__ import annotations

from string import Template

FAMILY = '''\
"""$title: describe the puzzle here.

This example places a stone in each row and each column of a square board. Change it step by step, and run the test after
each step: it names what is wrong.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple, Self

import jigsat
from pydantic import PositiveInt, model_validator

Cell = tuple[int, int]


class Placement(NamedTuple):
    """A stone lies on the cell, a row and a column counted from 0.

    A solution is a set of these. Add a field for what lies on the cell if there is a choice, such as `piece: str`.
    """

    cell: Cell


@jigsat.register
class $kind(jigsat.Puzzle[Placement]):
    """A square board, some of whose cells stay empty."""

    family = "$name"  # the entry `family` of instance files
    cell_field = "cell"  # the field that tells where a placement lies; `piece_field` is the one that tells what lies there

    # The entries of an instance file. Their docstrings are what editors show; see `jigsat schema`.

    size: PositiveInt
    """The number of rows and of columns."""
    blocked: tuple[Cell, ...] = ()
    """The cells that stay empty, each as [row, column]."""

    @model_validator(mode="after")
    def _consistent(self) -> Self:
        """Raise ValueError, with the place in the file, if entries do not fit together."""
        for i, cell in enumerate(self.blocked):
            if cell not in self.board_cells():
                raise ValueError(f"blocked.{i}: there is no cell {list(cell)} on a board of size {self.size}")
        return self

    def board_cells(self) -> list[Cell]:
        """The cells of the board, which pictures show even if they are empty."""
        return [(row, column) for row in range(self.size) for column in range(self.size)]

    def encode(self) -> jigsat.Formula:
        """The rules as constraints. The names of the groups appear in `explain`, in exported files and in proofs."""
        formula = jigsat.Formula()
        stone = formula.variables("stone", Placement._fields, map(Placement, self.board_cells()))
        with formula.group("each row has one stone"):
            for row in range(self.size):
                formula.exactly_one(stone((row, column)) for column in range(self.size))
        with formula.group("each column has one stone"):
            for column in range(self.size):
                formula.exactly_one(stone((row, column)) for row in range(self.size))
        with formula.group("blocked cells stay empty"):
            for cell in self.blocked:
                formula.clause([-stone(cell)])
        return formula

    def check(self, placements: Sequence[Placement]) -> Iterator[str]:
        """One sentence per broken rule, nothing for a solution. Read the rules again here; share nothing with `encode`."""
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


def test_the_family_on_an_instance() -> None:
    check_family(FOLDER / "example.toml")


def test_a_wrong_entry_is_named(tmp_path: Path) -> None:
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
