"""The command `generate`."""

import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, get_args

import typer

from jigsat import instance
from jigsat.cli import options
from jigsat.cli.common import STDOUT, app, live, say
from jigsat.cli.sheet import write_book
from jigsat.errors import InputError, Interrupted, Stopped, unknown
from jigsat.generation.generator import GeneratedPuzzle
from jigsat.generation.sources import GenerationTask, generator_of
from jigsat.pictures.rendering import require
from jigsat.puzzle import Puzzle
from jigsat.questions import LevelOrGrade
from jigsat.runtime.child import held_interrupts
from jigsat.runtime.limits import Limits
from jigsat.services.files import check_output, refuse_existing
from jigsat.services.generate import (
    CandidateFound,
    CandidateKept,
    EarlierPuzzles,
    GenerateEvent,
    GenerateRequest,
    NotWritten,
    PuzzleMade,
    complete_in_every_way,
    count_added_clues,
    describe_command,
    find_least_added,
    generate,
    name_files,
)
from jigsat.services.sheet import SheetRequest, check_titles
from jigsat.words import duration, plural

# the name of a file has at most 255 bytes, and the suffix is part of it, also while it is written
MAX_TITLE_BYTES = 200


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
            help="the file to write, or a folder for several puzzles; default: -, stdout",
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
    complete: Annotated[
        bool,
        typer.Option(
            "--complete",
            help="keep the clues of the instance and add clues until it has one solution",
        ),
    ] = False,
    every: Annotated[
        bool,
        typer.Option("--all", help="with --complete: all minimal sets of clues to be added"),
    ] = False,
    difficulty: Annotated[
        str,
        typer.Option(
            metavar="LEVEL",
            help="the level or the grade according to `jigsat rate`: easy, medium, hard, 1 to 6; "
            "for several with commas, --count puzzles of each",
        ),
    ] = "",
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
    levels = _read_levels(difficulty)
    if str(output) == STDOUT:
        output = None
    _require_output(output, count * len(levels), sheet, title)
    limits = options.limits_from_options(timeout)
    requested = options.changes(settings)
    own_options = generator_of(name)
    if own_options:
        if complete:
            raise InputError(f"{name}: --complete is for an instance, and this is a family")
        requested = dict(own_options.include_files(requested, Path()))
    requested |= _set_clue_options(clues, symmetric, complete)
    requests = []
    for number, level in enumerate(levels, 1):
        arguments = _write_arguments(clues, symmetric, complete, every, level)
        command = describe_command(name, settings or (), arguments, seed)
        task = GenerationTask(name, requested, seed, level)
        part = f"-{number}-{level}" if len(levels) > 1 else ""
        requests.append(GenerateRequest(task, count, jobs, timeout, output, command, force, part))
    if every:
        _require_complete(complete, output, sheet, difficulty)
        _complete_in_every_way(requests[0])
        return
    files = [path for request in requests for path in name_files(request).values()]
    book = _name_book(files[0], title, output, force) if output is not None and sheet else None
    made = _generate(requests)
    if complete:
        if files:
            made = [instance.load(file) for file in files]
        _report_added_clues(requests[0].task, made, limits)
    if book is not None:
        puzzles = []
        for file in files:
            puzzles += instance.load_all(str(file))
        write_book(SheetRequest(puzzles, title, timeout=limits.timeout), book, limits)


def _set_clue_options(clues: int | None, symmetric: bool, complete: bool) -> dict[str, Any]:
    """The options of the generator that options of the command line state."""
    stated: dict[str, Any] = {}
    if clues is not None:
        stated["clues"] = clues
    if symmetric:
        stated["symmetric"] = True
    if complete:
        stated["complete"] = True
    return stated


def _report_added_clues(task: GenerationTask, made: Sequence[Puzzle], limits: Limits) -> None:
    """Say how many clues were added to an instance, and how many are enough."""
    with held_interrupts(), live(lambda: "looking for the least number of added clues"):
        least = find_least_added(task, limits.timeout)
    say(f"jigsat: {describe_added(count_added_clues(task, made), least)}")


def _read_levels(text: str) -> Sequence[LevelOrGrade | None]:
    """The levels of an option, separated by commas; one that is None if there is no option."""
    if not text:
        return [None]
    known: tuple[LevelOrGrade, ...] = get_args(LevelOrGrade)
    levels: list[LevelOrGrade | None] = []
    for word in text.split(","):
        named = [level for level in known if level == word.strip()]
        if not named:
            raise InputError(f"--difficulty: {unknown('level', word.strip(), known)}")
        if named[0] in levels:
            raise InputError(f"--difficulty: {named[0]} occurs twice; remove one")
        levels += named
    return levels


def _write_arguments(
    clues: int | None,
    symmetric: bool,
    complete: bool,
    every: bool,
    difficulty: LevelOrGrade | None,
) -> list[str]:
    """The options that decide which puzzles are made, as they are written on the command line."""
    arguments = []
    if clues is not None:
        arguments.append(f"--clues {clues}")
    if complete:
        arguments.append("--complete")
    if every:
        arguments.append("--all")
    if symmetric:
        arguments.append("--symmetric")
    if difficulty is not None:
        arguments.append(f"--difficulty {difficulty}")
    return arguments


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
    check_titles({"--title": title})
    if len(title.encode()) > MAX_TITLE_BYTES:
        raise InputError(
            f"--title: too long for the name of a file; use at most {MAX_TITLE_BYTES} bytes"
        )
    if sheet:
        require(".pdf", "--sheet")


def _name_book(first: Path, title: str, output: Path, force: bool) -> Path:
    """The file with the pages to print, in the folder of the first puzzle."""
    stem = title.replace("/", "-") or output.stem
    book = first.with_name(f"{stem}.pdf")
    check_output(book, (".pdf",), f"--title {title}" if title else "--sheet")
    refuse_existing(book, force=force)
    return book


def _require_complete(complete: bool, output: Path | None, sheet: bool, difficulty: str) -> None:
    """Raises InputError for options that `--all` needs or does not have."""
    if not complete:
        raise InputError("--all: it lists all completions of an instance; add --complete")
    if output is None or output.suffix == ".toml":
        raise InputError("--all: name a folder for the puzzles with -o")
    option = options.first_given({"--sheet": sheet, "--difficulty": difficulty})
    if option:
        raise InputError(f"{option} cannot be used with --all")


def _complete_in_every_way(request: GenerateRequest) -> None:
    """Write all completions of an instance."""
    run = _Run([request])
    puzzles: list[Puzzle] = []
    stopped: Stopped | Interrupted | None = None
    with held_interrupts(), live(lambda: plural(len(puzzles), "completion")):
        try:
            for event in complete_in_every_way(request):
                run.show(event)
                if isinstance(event, PuzzleMade):
                    puzzles.append(event.puzzle)
        except (Stopped, Interrupted) as reason:
            if run.lost_file:
                raise
            stopped = reason

    if stopped is not None:
        say(f"jigsat: {stopped}; {plural(len(puzzles), 'completion')} written")
        raise typer.Exit(stopped.status if isinstance(stopped, Interrupted) else 3)
    say(f"jigsat: {plural(len(puzzles), 'completion')}, and there are no others")
    added = count_added_clues(request.task, puzzles)
    # All are known, so the least number is among them.
    say(f"jigsat: {describe_added(added, min(added))}")


def describe_added(added: Sequence[int], least: int | None) -> str:
    """How many clues the puzzles of a run add; `least` is the proved least number that is enough,
    None if it is not known.

    >>> describe_added([12, 10, 11], None)
    '10 to 12 clues are added; it is not proved that fewer than 10 leave several solutions'
    >>> describe_added([3], 2)
    '3 clues are added; 2 would be enough, and fewer are not (proved)'
    >>> describe_added([2, 4], 2)
    '2 to 4 clues are added; fewer than 2 are not enough (proved)'
    """
    fewest = min(added)
    most = max(added)
    clues = plural(fewest, "clue") if fewest == most else f"{fewest} to {plural(most, 'clue')}"
    verb = "is" if fewest == most == 1 else "are"
    words = f"{clues} {verb} added"
    if least is None:
        return f"{words}; it is not proved that fewer than {fewest} leave several solutions"
    if least < fewest:
        return f"{words}; {least} would be enough, and fewer are not (proved)"
    return f"{words}; fewer than {fewest} are not enough (proved)"


class _Run:
    """Shows what happens while puzzles are generated."""

    def __init__(self, requests: Sequence[GenerateRequest]) -> None:
        self._output = requests[0].output
        self._count = sum(request.count for request in requests)
        self._earlier = 0
        self.made: list[Puzzle] = []
        self._best: dict[int, GeneratedPuzzle] = {}
        self._files: list[CandidateKept] = []
        self._started = time.monotonic()
        self.lost_file = False  # a file could not be written

    def show(self, event: GenerateEvent) -> None:
        """Print what is of interest; a puzzle without a file goes to stdout."""
        match event:
            case EarlierPuzzles(number):
                self._earlier = number
                total = f"{self._count:,}"
                puzzles = plural(number, "puzzle")
                say(f"{self._output}: {puzzles} of {total} there already")
            case PuzzleMade(number, puzzle, note, path):
                self.made.append(puzzle)
                self._best.pop(number, None)
                if path is None:
                    print(instance.instance_text(puzzle), flush=True)
                else:
                    say(f"wrote {path} ({note})" if note else f"wrote {path}")
            case CandidateFound(number, candidate):
                self._best[number] = candidate
            case CandidateKept():
                self._files.append(event)
                if event.path is None:
                    print(instance.instance_text(event.candidate.puzzle), flush=True)
            case NotWritten(puzzle):
                self.lost_file = True
                print(instance.instance_text(puzzle), flush=True)

    def describe_progress(self) -> str:
        seconds = time.monotonic() - self._started
        count = self._count - self._earlier
        return _progress(len(self.made), count, seconds, self._best)

    def describe_stop(self, stopped: Stopped | Interrupted) -> str:
        """What stopped the run and what is written, in words."""
        sentences = [str(stopped)]
        unfinished = []
        for file in self._files:
            words = file.candidate.shortcoming
            if file.candidate.attempts > 1:
                words = f"the best of {file.candidate.attempts:,} candidates: {words}"
            place = "the puzzle on stdout" if file.path is None else str(file.path)
            unfinished.append(f"{place} ({words})")
        if unfinished:
            sentences.append(f"not as requested: {', '.join(unfinished)}")
        if self._count > 1:
            written = self._earlier + len(self.made)
            sentences.append(f"{written:,} of {self._count:,} puzzles written as requested")
            if isinstance(stopped, Interrupted) or stopped.reason in Stopped.LIMITS:
                sentences[-1] += ", the same command continues"
        elif not unfinished:
            sentences.append("no candidate found")
        return "; ".join(sentences)


def _generate(requests: Sequence[GenerateRequest]) -> list[Puzzle]:
    """Generate and show the puzzles; if it is stopped, say what was made, and exit."""
    run = _Run(requests)
    try:
        with held_interrupts(), live(run.describe_progress):
            for event in generate(requests):
                run.show(event)
    except (Stopped, Interrupted) as stopped:
        if run.lost_file:
            raise
        say(f"jigsat: {run.describe_stop(stopped)}")
        raise typer.Exit(stopped.status if isinstance(stopped, Interrupted) else 3) from None
    return run.made


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
