"""New puzzles from the name of a family, or from an instance that gets other clues."""

from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

from pydantic import ValidationError

from jigsat import instance
from jigsat.errors import InputError
from jigsat.errors.validation import complaint
from jigsat.generation.generator import (
    Form,
    GeneratedPuzzle,
    Generator,
    GeneratorOptions,
    generate,
)
from jigsat.generation.grids import OtherCluesOptions, grid_options, has_removable_clues
from jigsat.generation.new_clues import NewClueOptions
from jigsat.kit import GridPuzzle
from jigsat.links import is_link
from jigsat.puzzle import Puzzle
from jigsat.questions import LevelOrGrade

# name of a family, or an instance that gets other clues
Source: TypeAlias = str | Path | Mapping[str, Any] | Puzzle


def generators() -> dict[str, type[GeneratorOptions]]:
    """The generator options of each family that can be generated."""
    every = ((kind.family, _options(kind)) for kind in instance.every_family())
    return {name: options for name, options in every if options}


def generator_of(source: object) -> type[GeneratorOptions] | None:
    """The generator options of a family, given its name, if there are any; no other family is
    loaded. Else None."""
    return (
        _options(instance.family(source))
        if isinstance(source, str) and source in instance.families()
        else None
    )


def _options(kind: type[Puzzle]) -> type[GeneratorOptions] | None:
    options = kind.generator()
    if options is None and issubclass(kind, GridPuzzle):
        return grid_options(kind)
    return options if options is not None and issubclass(options, GeneratorOptions) else None


@dataclass(frozen=True)
class GenerationTask:
    """What is generated: puzzles of a family with these options, or an instance with other
    clues."""

    source: Source
    options: Mapping[str, Any]
    seed: int = 0
    difficulty: LevelOrGrade | None = None

    @property
    def puzzles_per_generator(self) -> int:
        """The number of puzzles after which a new generator takes over."""
        return (generator_of(self.source) or NewClueOptions).puzzles_per_generator


def generate_from(
    task: GenerationTask, count: int, first: int = 1, earlier: Collection[Form] = ()
) -> Iterator[GeneratedPuzzle]:
    """New puzzles of a family, or an instance with other clues; see `generate`. Raises InputError
    if the options are wrong.

    A new generator takes over after `puzzles_per_generator` puzzles. The titles of several puzzles
    are numbered.
    """
    options = options_for(task.source, task.options)
    forms = set(earlier)
    next_number = first
    several = first + count > 2
    for start in range(first, first + count, options.puzzles_per_generator):
        with _complaints(task.source, options, type(options)):
            generator = options.build_generator()
        number = min(options.puzzles_per_generator, first + count - start)
        for generated in generate(generator, task.seed, number, task.difficulty, start, forms):
            forms |= generated.forms
            title = options.title or generated.puzzle.title
            if several:
                title += f" {next_number}" if options.title else f", no. {next_number}"
            next_number += not generated.shortcoming
            yield generated._replace(puzzle=generated.puzzle.model_copy(update={"title": title}))


def forms_of_written(task: GenerationTask, puzzles: Iterable[Puzzle]) -> Iterator[frozenset[Form]]:
    """What the other puzzles of a run may not share with these, which an earlier run has
    written."""
    generator: Generator | None = None
    for puzzle in puzzles:
        if generator is None:
            generator = options_for(task.source, task.options).build_generator()
        yield generator.forms(puzzle)


def options_for(source: Source, requested: Mapping[str, Any]) -> GeneratorOptions:
    """The options for generating puzzles of a family, or new clues for an instance. Raises
    InputError if they are wrong."""
    options: type[GeneratorOptions] = NewClueOptions
    if own := generator_of(source):
        options = own
        _require_options_of_clues(str(source), options, requested)
        entries = dict(requested)
    elif isinstance(source, str) and source in instance.families():
        raise InputError(
            f"no generator is installed for the family {source!r}; use one of "
            f"{', '.join(sorted(generators()))}"
        )
    else:
        # a text or a link is the puzzle itself
        if isinstance(source, str) and "\n" not in source and not is_link(source):
            instance.find(source, sorted(generators()))
        puzzle = instance.load(source)
        if isinstance(puzzle, GridPuzzle):
            _require_only_title(puzzle, requested)
            options = OtherCluesOptions
        elif type(puzzle).with_clues is Puzzle.with_clues:
            other = (
                f"; `jigsat generate {puzzle.family}` generates new puzzles"
                if generator_of(puzzle.family)
                else ""
            )
            judged = " that can be generated; `jigsat explain --clues` judges its own"
            lacking = "" if type(puzzle).clues is Puzzle.clues else judged
            raise InputError(
                f"{puzzle.name or 'the instance'}: the family {puzzle.family} has no "
                f"clues{lacking}{other}"
            )
        entries = {**requested, "instance": puzzle}
    with _complaints(source, requested, options):
        return options.model_validate(entries)


def _require_options_of_clues(
    family: str, options: type[GeneratorOptions], requested: Mapping[str, Any]
) -> None:
    """Raise InputError for what is requested of clues if the family has no such option."""
    for entry in ("clues", "symmetric"):
        if entry not in requested or entry in options.model_fields:
            continue
        kind = instance.family(family)
        if issubclass(kind, GridPuzzle) and has_removable_clues(kind):
            raise InputError(
                f"{family}: {entry} cannot be chosen for new puzzles of this family; leave it out"
            )
        raise InputError(
            f"{family}: puzzles of this family have no clues that can be left out, so {entry} "
            f"cannot be chosen; leave it out"
        )


def _require_only_title(puzzle: GridPuzzle, requested: Mapping[str, Any]) -> None:
    """Raise InputError for what cannot be requested of the clues of a puzzle on a grid."""
    for entry in requested.keys() - {"title"}:
        raise InputError(
            f"{puzzle.name or 'the instance'}: {entry} cannot be chosen for the clues of a puzzle "
            f"of the family {puzzle.family}; leave it out: as few clues are found as are needed"
        )


def public_settings(source: Source, settings: Iterable[str]) -> list[str]:
    """Settings ENTRY=VALUE as the file of a puzzle may show them: without the values that give its
    solution away.

    >>> public_settings("tiling", ["letters=WORD", "turning=false"])
    ['letters=…', 'turning=false']
    """
    options = generator_of(source)
    secret = options.secret if options else frozenset()
    entries = ((setting, setting.partition("=")[0]) for setting in settings)
    return [f"{entry}=…" if entry in secret else setting for setting, entry in entries]


@contextmanager
def _complaints(source: Source, requested: Any, options: type[GeneratorOptions]) -> Iterator[None]:
    """Turn an error in the requested options, or in the puzzle that follows from them, into an
    InputError."""
    try:
        yield
    except ValidationError as error:
        raise InputError(f"{source}: {complaint(error, dict(requested), options)}") from error
