"""Commands that write and read files: export."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from jigsat import instance
from jigsat.cli.common import AtMostOne, InstanceName, app, chosen_lowering, write
from jigsat.errors import InputError


@app.command()
def export(
    name: InstanceName,
    output: Annotated[Path, typer.Option("-o", "--output", help="the file to write, ending in .cnf")],
    amo: AtMostOne = "auto",
) -> None:
    """Write the formula as a DIMACS file, its comments naming every variable and group."""
    from jigsat.dimacs import cnf_lines

    if output.suffix != ".cnf":
        raise InputError(f"{output}: formats are told by their suffix, and the one there is is .cnf")
    puzzle = instance.load(name)
    write(output, (f"{line}\n" for line in cnf_lines(puzzle, puzzle.encode(), chosen_lowering(amo))))
