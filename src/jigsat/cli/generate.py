"""The command that makes puzzles: generate."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer
from pydantic import ValidationError

from jigsat import instance
from jigsat.cli.common import Timeout, app, changes, say, write
from jigsat.clues import Reclued
from jigsat.errors import InputError, Stopped
from jigsat.generation import Made, Maker, Wishes, generate, generators
from jigsat.process import Child


@app.command("generate")
def generate_puzzles(
    name: Annotated[str, typer.Argument(metavar="FAMILY", help="a family, or an instance that is to get other clues")],
    seed: Annotated[int, typer.Option(min=0, help="another seed, other puzzles")] = 0,
    count: Annotated[int, typer.Option(min=1, help="so many puzzles")] = 1,
    output: Annotated[
        Path | None, typer.Option("-o", "--output", help="the file to write, or the folder for several; else stdout")
    ] = None,
    settings: Annotated[
        list[str] | None, typer.Option("--set", metavar="ENTRY=VALUE", help="what is wished for; docs/generating.md has all")
    ] = None,
    clues: Annotated[int | None, typer.Option(help="so many clues, instead of as few as it takes")] = None,
    symmetric: Annotated[bool, typer.Option("--symmetric", help="clues in a pattern that half a turn keeps")] = False,
    timeout: Timeout = None,
) -> None:
    """Make puzzles with exactly one solution, each solved and checked, and write them as instance files."""
    asked = changes(settings)
    said = [f"--set {setting}" for setting in settings or ()]
    if clues is not None:
        asked["clues"] = clues
        said.append(f"--clues {clues}")
    if symmetric:
        asked["symmetric"] = True
        said.append("--symmetric")
    source = " ".join(["jigsat generate", name, *said, f"--seed {seed}"])
    maker = _maker(name, asked)
    best: Made | None = None
    number = 1
    try:
        for made in Child(lambda: generate(maker, seed, count), timeout=timeout):
            if made.lacks:
                best = made
                continue
            _write(made, _place(output, name, seed, number, count), f"{source}, number {number}")
            best, number = None, number + 1
    except Stopped as stopped:
        reason = f"{stopped}" if best is None else f"{stopped}; the best found is written: {best.lacks}"
        if best is not None:
            _write(best, _place(output, name, seed, number, count), f"{source}, number {number}")
        say(f"jigsat: puzzle {number} of {count}: {reason}")
        raise typer.Exit(3) from None


def _maker(name: str, asked: dict[str, Any]) -> Maker:
    """What makes what is wished for of a family, or for an instance. Raises InputError."""
    known = generators()
    try:
        if name in known:
            family: type[Wishes] = known[name].load()
            return family.model_validate(asked).maker()
        if name in instance.families():
            raise InputError(f"{name}: nothing is known of how to make these; there are {', '.join(sorted(known))}")
        return Reclued.model_validate({**asked, "instance": instance.load(name)}).maker()
    except ValidationError as error:
        raise InputError(f"{name}: {instance.complaint(error, asked)}") from error


def _place(output: Path | None, name: str, seed: int, number: int, count: int) -> Path | None:
    if output is None or (count == 1 and output.suffix == ".toml"):
        return output
    if output.suffix == ".toml":
        raise InputError(f"{output}: {count} puzzles; name a folder for them")
    output.mkdir(parents=True, exist_ok=True)
    return output / f"{Path(name).stem}-{seed}-{number}.toml"


def _write(made: Made, path: Path | None, source: str) -> None:
    text = instance.written(made.puzzle.model_copy(update={"source": source}))
    if path is None:
        print(text, flush=True)
    else:
        write(path, [text])
