"""The option `--given`: placements that are made."""

from typing import Annotated

import typer

from jigsat import instance
from jigsat.cli import options
from jigsat.cli.common import reading
from jigsat.errors import InputError
from jigsat.puzzle import Puzzle
from jigsat.runtime.limits import Limits
from jigsat.services.given import read_placements
from jigsat.symmetry import Placement

Given = Annotated[
    str | None,
    typer.Option(
        metavar="FILE",
        help="what is filled in: a drawing, a solution of `solve --json`, or a puzzle",
    ),
]


def read_given(
    name: str, given: str | None, limits: Limits, settings: list[str] | None
) -> tuple[Puzzle, list[Placement]]:
    """The puzzle and the placements that are given."""
    with reading(name, limits):
        puzzle = instance.load(name, **options.changes(settings))
        if given is None:
            return puzzle, []
        if not given:
            raise InputError("--given: name a file or a puzzle")
        return puzzle, read_placements(puzzle, given)
