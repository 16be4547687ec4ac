"""Requests for new puzzles and for files."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from jigsat import instance
from jigsat.errors import InputError, unknown
from jigsat.formats.dimacs import Origin
from jigsat.formats.export import FORMATS, lines
from jigsat.generation.generator import generators
from jigsat.generation.sources import generate_from, public_settings
from jigsat.pictures.printing import sheets
from jigsat.web.messages import ExportedFile, LoadedPuzzle
from jigsat.web.puzzles import describe_puzzle, encode_source
from jigsat.web.requests import ExportRequest, GenerateRequest

TOML, SHEET = "toml", "sheet"


def generate(request: GenerateRequest) -> Iterator[LoadedPuzzle]:
    """New puzzles, numbered."""
    if request.family is not None and request.family not in generators():
        raise InputError(f"family: {unknown('generator', request.family, generators())}")
    source = encode_source(request.puzzle).puzzle if request.puzzle else request.family or ""
    settings = (f"{name}={value}" for name, value in request.options.items())
    options = [f"--set {setting}" for setting in public_settings(request.family or "", settings)]
    command = " ".join(["jigsat generate", request.family or "", *options, f"--seed {request.seed}"])
    made = generate_from(source, request.options, request.seed, request.number, request.difficulty)
    number = 0
    for one in made:
        if not one.shortcoming:
            number += 1
            puzzle = one.puzzle if request.puzzle else one.puzzle.model_copy(update={"source": f"{command}, number {number}"})
            yield describe_puzzle(puzzle).model_copy(update={"number": number, "of": request.number})


def export(request: ExportRequest) -> Iterator[ExportedFile]:
    """The files of a format; several for the pages of a sheet."""
    asked = encode_source(request.puzzle)
    puzzle, name = asked.puzzle, asked.puzzle.name or asked.puzzle.family
    writers = puzzle.writers()
    formats = [TOML, SHEET, *(suffix[1:] for suffix in FORMATS), *writers]
    if request.format not in formats:
        raise InputError(f"format: {unknown('format', request.format, formats)}")
    if writer := writers.get(request.format):
        yield ExportedFile(name=f"{name}.{request.format}", type="text/plain", text=writer([puzzle]))
    elif request.format == TOML:
        yield ExportedFile(name=f"{name}.toml", type="application/toml", text=instance.instance_text(puzzle))
    elif request.format == SHEET:
        pages = list(sheets(puzzle.parts(), puzzle.title or name, puzzle.rules(), puzzle.source))
        for number, page in enumerate(pages, 1):
            suffix = f"-{number}" if len(pages) > 1 else ""
            yield ExportedFile(name=f"{name}{suffix}.svg", type="image/svg+xml", text=page)
    else:
        file = f"{name}.{request.format}"
        yield ExportedFile(name=file, type="text/plain", text="".join(lines(asked.formula, Path(file), Origin.of(puzzle))))
