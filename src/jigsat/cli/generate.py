"""The command `generate`."""

import time
from collections.abc import Collection, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Annotated, get_args

import typer

from jigsat import instance
from jigsat.cli import options
from jigsat.cli.common import app, live, say
from jigsat.cli.sheet import write_book
from jigsat.errors import InputError, Interrupted, Stopped, unwritable
from jigsat.generation.generator import GeneratedPuzzle
from jigsat.generation.sharing import Forms, generate_shared
from jigsat.generation.sources import (
    GenerationTask,
    forms_of_written,
    generator_of,
    public_settings,
)
from jigsat.questions import Difficulty
from jigsat.runtime.child import held_interrupts
from jigsat.services.files import write_file
from jigsat.services.sheet import SheetRequest
from jigsat.words import duration, plural


def _families_and_instances(incomplete: str) -> list[str]:
    families = [name for name in instance.families() if name.startswith(incomplete)]
    return [*families, *options.instance_names(incomplete)]


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
    _require_output(output, count, sheet, title)
    limits = options.limits_from_options(timeout)
    requested = options.changes(settings)
    own_options = generator_of(name)
    if own_options:
        requested = dict(own_options.included(requested, Path()))
    arguments = [_quote_setting(setting) for setting in public_settings(name, settings or ())]
    if clues is not None:
        requested["clues"] = clues
        arguments.append(f"--clues {clues}")
    if symmetric:
        requested["symmetric"] = True
        arguments.append("--symmetric")
    if difficulty is not None:
        arguments.append(f"--difficulty {difficulty}")
    command = " ".join(["jigsat generate", name, *arguments, f"--seed {seed}"])

    paths = {} if output is None else _name_files(output, name, seed, count)
    files = _Files(command, paths, force)
    if output is not None and not force and output.suffix != ".toml":
        files.find_own()
    book: Path | None = None
    if output is not None and sheet:
        book = _name_book(files.paths[1], title, output, force)
    files.refuse_existing()

    task = GenerationTask(name, requested, seed, difficulty)
    earlier = files.read_forms(task)
    if earlier:
        say(f"{output}: {plural(len(earlier), 'puzzle')} of {count:,} there already")
    run = _Run(files, count, earlier)
    try:
        with held_interrupts(), live(run.describe_progress):
            for number, generated in generate_shared(task, count, jobs, timeout, earlier):
                run.add(number, generated)
    except (Stopped, Interrupted) as stopped:
        say(f"jigsat: {run.write_best(stopped)}")
        raise typer.Exit(stopped.status if isinstance(stopped, Interrupted) else 3) from None

    if book is not None:
        puzzles = []
        for file in files.paths.values():
            puzzles += instance.load_all(str(file))
        write_book(SheetRequest(puzzles, title, timeout=limits.timeout), book, limits)


def _require_output(output: Path | None, count: int, sheet: bool, title: str) -> None:
    """Raises InputError for options without the output that they need."""
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


def _name_book(first: Path, title: str, output: Path, force: bool) -> Path:
    """The file with the pages to print, in the folder of the first puzzle."""
    stem = title.replace("/", "-") or output.stem
    book = first.with_name(f"{stem}.pdf")
    options.check_output(book, (".pdf",), f"--title {title}" if title else "--sheet")
    _refuse_existing(book, force)
    return book


def _quote_setting(setting: str) -> str:
    """An option --set as it is written in a shell."""
    return f"--set '{setting}'" if set(setting) & set(" #[]{}") else f"--set {setting}"


class _Files:
    """The files of the puzzles by number, none for stdout, and the command that writes them.

    `own` are the numbers of the files that the same command has written, now or before: they may be
    overwritten. The value states whether the puzzle is as requested.
    """

    def __init__(self, command: str, paths: dict[int, Path], force: bool) -> None:
        self.command = command
        self.paths = paths
        self.own: dict[int, bool] = {}
        self._force = force

    def find_own(self) -> None:
        """Find the files that the same command has written before."""
        for number, path in self.paths.items():
            if not path.is_file():
                continue
            with suppress(InputError):  # somebody else's file
                source = str(instance.read_data(path).get("source", ""))
                command, _, shortcoming = source.partition("; ")
                if command == self._name_source(number):
                    self.own[number] = shortcoming == ""

    def _name_source(self, number: int) -> str:
        return f"{self.command}, number {number}"

    def refuse_existing(self) -> None:
        """Raises InputError if a file of somebody else would be overwritten."""
        for number, path in self.paths.items():
            if number not in self.own:
                _refuse_existing(path, self._force)

    def read_forms(self, task: GenerationTask) -> dict[int, Forms]:
        """The puzzles that were written before as requested, by number, with their forms."""
        numbers = [number for number, as_requested in self.own.items() if as_requested]
        forms = forms_of_written(task, (instance.load(self.paths[number]) for number in numbers))
        return dict(zip(numbers, forms, strict=True))

    def write(self, number: int, generated: GeneratedPuzzle) -> str:
        """Write a puzzle, and return the name of its file. One that cannot be written goes to
        stdout."""
        source = self._name_source(number)
        if generated.shortcoming:
            source += f"; {generated.shortcoming}"
        text = instance.instance_text(generated.puzzle.model_copy(update={"source": source}))
        if not self.paths:
            print(text, flush=True)
            return "the puzzle on stdout"
        path = self.paths[number]
        try:
            write_file(path, [text], new=not self._force and number not in self.own)
        except (InputError, Stopped) as error:
            print(text, flush=True)
            if isinstance(error, InputError):
                raise
            say(f"jigsat: {error}")
            raise typer.Exit(3) from None
        self.own[number] = not generated.shortcoming
        return str(path)


class _Run:
    """The puzzles that are generated: which are written, and the best for those that are not as
    requested yet."""

    def __init__(self, files: _Files, count: int, earlier: Collection[int]) -> None:
        self._files = files
        self._count = count
        self._earlier = len(earlier)
        self._done = set(earlier)
        self._best: dict[int, GeneratedPuzzle] = {}
        self._started = time.monotonic()

    def add(self, number: int, generated: GeneratedPuzzle) -> None:
        """Write a puzzle that is as requested, and remember another one."""
        if generated.shortcoming:
            self._best[number] = generated
            return
        self._best.pop(number, None)
        name = self._files.write(number, generated)
        self._done.add(number)
        if self._files.paths:
            note = f" ({generated.note})" if generated.note else ""
            say(f"wrote {name}{note}")

    def describe_progress(self) -> str:
        seconds = time.monotonic() - self._started
        made = len(self._done) - self._earlier
        return _progress(made, self._count - self._earlier, seconds, self._best)

    def write_best(self, stopped: Stopped | Interrupted) -> str:
        """Write the puzzles that are not as requested; returns what stopped the run and what is
        written, in words."""
        sentences = [str(stopped)]
        unfinished = []
        for number, candidate in sorted(self._best.items()):
            words = candidate.shortcoming
            if candidate.attempts > 1:
                words = f"the best of {candidate.attempts:,} candidates: {words}"
            unfinished.append(f"{self._files.write(number, candidate)} ({words})")
        if unfinished:
            sentences.append(f"not as requested: {', '.join(unfinished)}")
        if self._count > 1:
            sentences.append(
                f"{len(self._done):,} of {self._count:,} puzzles written as requested, the same "
                f"command continues"
            )
        elif not unfinished:
            sentences.append("no candidate found")
        return "; ".join(sentences)


def _progress(made: int, count: int, seconds: float, best: Mapping[int, GeneratedPuzzle]) -> str:
    """The progress after some seconds, and what the best candidates lack.

    >>> _progress(250, 1000, 30, {})
    '250 of 1,000 puzzles, 30 s; about 90 s left'
    """
    words = f"{made:,} of {count:,} puzzles, {seconds:,.0f} s"
    if made:
        words += f"; about {duration(seconds / made * (count - made))} left"
    for candidate in best.values():
        words += f"; best so far: {candidate.shortcoming}, attempt {candidate.attempts:,}"
    return words


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
    stem = f"{Path(name).stem}-{seed}"
    digits = len(str(count))  # so that names sort by number
    return {number: output / f"{stem}-{number:0{digits}}.toml" for number in range(1, count + 1)}


def _refuse_existing(file: Path, force: bool) -> None:
    """Raises InputError if a file would be overwritten without `force`, or a folder has its
    name."""
    if file.is_dir():
        raise InputError(f"{file}: is a folder; name a file")
    if file.exists() and not force:
        raise InputError(f"{file}: exists already; use --force to overwrite it")
