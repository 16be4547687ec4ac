"""The command `generate`."""

import time
from collections.abc import Iterable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Annotated, get_args

import typer

from jigsat import instance
from jigsat.cli import options
from jigsat.cli.common import app, live, say, write
from jigsat.cli.sheet import write_book
from jigsat.errors import InputError, Interrupted, Stopped, unwritable
from jigsat.generation.generator import GeneratedPuzzle
from jigsat.generation.sharing import generate_shared
from jigsat.generation.sources import (
    GenerationTask,
    forms_of_written,
    generator_of,
    public_settings,
)
from jigsat.questions import Difficulty
from jigsat.runtime.child import held_interrupts
from jigsat.services.sheet import SheetRequest
from jigsat.words import duration, plural


def _families_and_instances(incomplete: str) -> list[str]:
    return [
        *(name for name in instance.families() if name.startswith(incomplete)),
        *options.instance_names(incomplete),
    ]


@app.command("generate")
def generate_puzzles(
    name: Annotated[
        str,
        typer.Argument(
            metavar="FAMILY|INSTANCE",
            help="a family, or an instance for which to generate new clues",
            autocompletion=_families_and_instances,
        ),
    ],
    seed: Annotated[
        int, typer.Option(min=0, help="random seed; the same seed gives the same puzzles")
    ] = 0,
    count: Annotated[int, typer.Option(min=1, help="the number of puzzles")] = 1,
    output: Annotated[
        Path | None,
        typer.Option(
            "-o",
            "--output",
            help="the file to write, or a folder for several puzzles; default: stdout",
        ),
    ] = None,
    settings: Annotated[
        list[str] | None,
        typer.Option(
            "--set",
            metavar="ENTRY=VALUE",
            help="an option of the family; `jigsat help generating` lists them",
        ),
    ] = None,
    clues: Annotated[
        int | None, typer.Option(help="the number of clues; default: a minimal set")
    ] = None,
    symmetric: Annotated[
        bool, typer.Option("--symmetric", help="place the clues with half-turn symmetry")
    ] = False,
    difficulty: Annotated[
        Difficulty | None,
        typer.Option(
            metavar="LEVEL",
            help=f"the level according to `jigsat rate`: {', '.join(get_args(Difficulty))}",
        ),
    ] = None,
    sheet: Annotated[
        bool,
        typer.Option("--sheet", help="also write a PDF to print, with the solutions at the end"),
    ] = False,
    title: Annotated[
        str,
        typer.Option(
            metavar="TITLE", help="with --sheet: a book, TITLE.pdf, with contents and levels"
        ),
    ] = "",
    force: Annotated[bool, typer.Option("--force", help="overwrite existing files")] = False,
    jobs: Annotated[
        int,
        typer.Option(
            "--jobs", min=1, metavar="N", help="number of processes; the puzzles are the same"
        ),
    ] = 1,
    timeout: options.Timeout = None,
) -> None:
    """Generate puzzles of a family, or new clues for an instance, and write them as instance files.

    Each puzzle is checked: it has exactly one solution, or the requested number.
    """
    if sheet and output is None:
        raise InputError(
            "--sheet: name the puzzle's file or folder with -o; the PDF is written there"
        )
    if count > 1 and output is None:
        raise InputError(
            "--count: a file holds one puzzle; name a folder for several puzzles with -o"
        )
    if title and not sheet:
        raise InputError("--title: it is the title of the pages; add --sheet")
    limits = options.limits_from_options(timeout)
    requested = options.changes(settings)
    if own := generator_of(name):
        requested = {**own.included(requested, Path())}
    shown = public_settings(name, settings or ())
    arguments = [
        f"--set '{setting}'" if set(setting) & set(" #[]{}") else f"--set {setting}"
        for setting in shown
    ]
    if clues is not None:
        requested["clues"] = clues
        arguments.append(f"--clues {clues}")
    if symmetric:
        requested["symmetric"] = True
        arguments.append("--symmetric")
    if difficulty is not None:
        arguments.append(f"--difficulty {difficulty}")
    source = " ".join(["jigsat generate", name, *arguments, f"--seed {seed}"])
    there: dict[int, bool] = {}
    files: dict[int, Path] = {}
    if output is not None:
        files = _name_files(output, name, seed, count)
        if not force and output.suffix != ".toml":
            there = _already_there(files, source)
        bound = files[1].with_name(f"{title.replace('/', '-') or output.stem}.pdf")
        if sheet:
            options.check_output(bound, (".pdf",), f"--title {title}" if title else "--sheet")
        _refuse_existing(
            [*[bound] * sheet, *(file for number, file in files.items() if number not in there)],
            force,
        )
    task = GenerationTask(name, requested, seed, difficulty)
    kept = [number for number, as_requested in there.items() if as_requested]
    forms = forms_of_written(task, (instance.load(files[number]) for number in kept))
    earlier = dict(zip(kept, forms, strict=True))
    if earlier:
        say(f"{output}: {plural(len(earlier), 'puzzle')} of {count:,} there already")
    best: dict[int, GeneratedPuzzle] = {}  # for puzzles that are not found yet
    done = set(earlier)

    def keep(number: int, generated: GeneratedPuzzle) -> str:
        """Write a puzzle, and return the name of its file. One that cannot be written goes to
        stdout."""
        numbered = f"{source}, number {number}" + (
            f"; {generated.shortcoming}" if generated.shortcoming else ""
        )
        text = instance.instance_text(generated.puzzle.model_copy(update={"source": numbered}))
        if not files:
            print(text, flush=True)
            return "the puzzle on stdout"
        try:
            write(files[number], [text], new=not force and number not in {*there, *done})
        except (InputError, Stopped) as error:
            print(text, flush=True)
            if isinstance(error, InputError):
                raise
            say(f"jigsat: {error}")
            raise typer.Exit(3) from None
        return str(files[number])

    started = time.monotonic()
    try:
        with (
            held_interrupts(),
            live(
                lambda: _progress(
                    len(done) - len(earlier), count - len(earlier), time.monotonic() - started, best
                )
            ),
        ):
            for number, generated in generate_shared(task, count, jobs, timeout, earlier):
                if generated.shortcoming:
                    best[number] = generated
                    continue
                best.pop(number, None)
                written = keep(number, generated)
                done.add(number)
                if files:
                    say(f"wrote {written}{f' ({generated.note})' if generated.note else ''}")
    except (Stopped, Interrupted) as stopped:
        unfinished = []
        for number, candidate in sorted(best.items()):
            tried = (
                f"the best of {candidate.attempts:,} candidates: " if candidate.attempts > 1 else ""
            )
            unfinished.append(f"{keep(number, candidate)} ({tried}{candidate.shortcoming})")
        reasons = [str(stopped), *([f"not as requested: {', '.join(unfinished)}"] if best else [])]
        if count > 1:
            reasons.append(
                f"{len(done):,} of {count:,} puzzles written as requested, the same command "
                f"continues"
            )
        elif not best:
            reasons.append("no candidate found")
        say(f"jigsat: {'; '.join(reasons)}")
        raise typer.Exit(stopped.status if isinstance(stopped, Interrupted) else 3) from None
    if sheet:
        puzzles = [puzzle for file in files.values() for puzzle in instance.load_all(str(file))]
        write_book(SheetRequest(puzzles, title, timeout=limits.timeout), bound, limits)


def _progress(made: int, count: int, seconds: float, best: Mapping[int, GeneratedPuzzle]) -> str:
    """The progress after some seconds, and what the best candidates lack.

    >>> _progress(250, 1000, 30, {})
    '250 of 1,000 puzzles, 30 s; about 90 s left'
    """
    left = f"; about {duration(seconds / made * (count - made))} left" if made else ""
    kept = "".join(
        f"; best so far: {each.shortcoming}, attempt {each.attempts:,}" for each in best.values()
    )
    return f"{made:,} of {count:,} puzzles, {seconds:,.0f} s{left}{kept}"


def _name_files(output: Path, name: str, seed: int, count: int) -> dict[int, Path]:
    """The files of the puzzles by number, and their folder is created. Raises InputError if
    `output` is not a suitable name."""
    if output.suffix == ".toml":
        if count > 1:
            raise InputError(
                f"{output}: a file holds one puzzle; name a folder for {count} puzzles"
            )
        options.check_output(output, (".toml",), str(output))
        return {1: output}
    if output.suffix and not output.is_dir():
        raise InputError(
            f"{output}: the name of a puzzle file ends in .toml, and the name of a folder has no "
            f"suffix"
        )
    try:
        output.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise unwritable(output, error) from error
    stem, digits = f"{Path(name).stem}-{seed}", len(str(count))  # names sort
    return {number: output / f"{stem}-{number:0{digits}}.toml" for number in range(1, count + 1)}


def _already_there(files: Mapping[int, Path], source: str) -> dict[int, bool]:
    """The puzzles that the same command has written, by number, and whether each is as
    requested."""
    found: dict[int, bool] = {}
    for number, path in files.items():
        if path.is_file():
            with suppress(InputError):  # somebody else's file
                said = str(instance.read_data(path).get("source", ""))
                if said.partition("; ")[0] == f"{source}, number {number}":
                    found[number] = "; " not in said
    return found


def _refuse_existing(files: Iterable[Path], force: bool) -> None:
    """Raises InputError if one of the files would be overwritten without `force`, or a folder has
    its name."""
    for file in files:
        if file.is_dir():
            raise InputError(f"{file}: is a folder; name a file")
        if file.exists() and not force:
            raise InputError(f"{file}: exists already; use --force to overwrite it")
