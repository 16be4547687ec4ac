"""New puzzles from the name of a family, or from an instance that gets other clues."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from jigsat import instance
from jigsat.errors import InputError
from jigsat.errors.validation import complaint
from jigsat.generation.clues import NewClueOptions
from jigsat.generation.generator import GeneratedPuzzle, GeneratorOptions, generate, generators
from jigsat.puzzle import Puzzle


def generate_from(
    source: str | Path | Mapping[str, Any] | Puzzle, requested: Mapping[str, Any], seed: int, count: int, difficulty: str | None
) -> Iterator[GeneratedPuzzle]:
    """New puzzles of a family, or an instance with other clues; see `generate`. Raises InputError if the options are wrong."""
    known = generators()
    options: type[GeneratorOptions] = NewClueOptions
    if isinstance(source, str) and source in known:
        options, entries = known[source], dict(requested)
    elif isinstance(source, str) and source in instance.families():
        raise InputError(f"no generator is installed for the family {source!r}; use one of {', '.join(sorted(known))}")
    else:
        if isinstance(source, str) and "\n" not in source:  # else it is the text of an instance
            instance.find(source, sorted(known))
        entries = {**requested, "instance": instance.load(source)}
    try:
        generator = options.model_validate(entries).build_generator()
    except ValidationError as error:
        raise InputError(f"{source}: {complaint(error, dict(requested), options)}") from error
    yield from generate(generator, seed, count, difficulty)
