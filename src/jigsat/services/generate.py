"""The service that generates puzzles, perhaps in several processes, and writes them as instances.

A run that writes to a folder goes on where an earlier one with the same command was stopped.
"""

from __future__ import annotations

import re
import time
from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any, TypeAlias

from jigsat import instance
from jigsat.errors import InputError, Interrupted, Stopped, unwritable
from jigsat.generation.generator import Form, GeneratedPuzzle
from jigsat.generation.new_clues import NewClueOptions
from jigsat.generation.sharing import Forms, generate_shared
from jigsat.generation.sources import (
    GenerationTask,
    Source,
    forms_of_written,
    options_for,
    public_settings,
)
from jigsat.puzzle import Puzzle
from jigsat.runtime.child import Child, apart
from jigsat.services.files import refuse_existing, write_file


@dataclass(frozen=True)
class GenerateRequest:
    """Puzzles to generate: `count` of them, by `jobs` processes, which do not change the puzzles.

    `output` is the file for one puzzle, or a folder; None: nothing is written. `command` makes the
    same puzzles again; it is the entry `source` of a puzzle, and tells its file from another one.
    With `force`, other files are overwritten. `part` tells the files of several requests apart.
    """

    task: GenerationTask
    count: int = 1
    jobs: int = 1
    timeout: float | None = None
    output: Path | None = None
    command: str = ""
    force: bool = False
    part: str = ""

    @property
    def writes_folder(self) -> bool:
        """Whether the puzzles go to a folder."""
        return self.output is not None and self.output.suffix != ".toml"


@dataclass(frozen=True)
class EarlierPuzzles:
    """The number of puzzles that an earlier run has written."""

    number: int


@dataclass(frozen=True)
class PuzzleMade:
    """A puzzle as requested, with its number, and the file that has it."""

    number: int
    puzzle: Puzzle
    note: str = ""
    path: Path | None = None


@dataclass(frozen=True)
class CandidateFound:
    """The best puzzle so far of a number, which is not as requested."""

    number: int
    candidate: GeneratedPuzzle


@dataclass(frozen=True)
class CandidateKept:
    """The best puzzle of a number when the run was stopped, which is not as requested, and the file
    that has it."""

    number: int
    candidate: GeneratedPuzzle
    path: Path | None = None


@dataclass(frozen=True)
class NotWritten:
    """A puzzle whose file cannot be written; what prevents it is raised next."""

    puzzle: Puzzle


GenerateEvent: TypeAlias = EarlierPuzzles | PuzzleMade | CandidateFound | CandidateKept | NotWritten

KEPT = re.compile(r"jigsat generate .*, number \d+; (.*)")  # the source of such a puzzle
FILE_NUMBER_DIGITS = 6  # digits of the number in a file's name, if the number of files is not known


def generate(requests: Sequence[GenerateRequest]) -> Iterator[GenerateEvent]:
    """What happens until all puzzles of the requests are made, which have one output; each is
    written as soon as it is found. No two are equal.

    Raises InputError for wrong options and for a file that would be overwritten or cannot be
    written; Stopped or Interrupted, after the best candidates are written, if the run is stopped or
    a puzzle is not found.
    """
    with _removed_if_empty(_find_folder(requests[0].output)):
        files = [_Files(request) for request in requests]
        for one in files:
            one.refuse_others()
        done = [one.read_forms() for one in files]
        if any(done):
            yield EarlierPuzzles(sum(map(len, done)))
        others = frozenset[Form]()
        started = time.monotonic()
        for request, own, earlier in zip(requests, files, done, strict=True):
            left = request
            if request.timeout is not None:
                spent = time.monotonic() - started
                left = replace(request, timeout=max(0.0, request.timeout - spent))
            forms = yield from _generate_files(left, own, earlier, others)
            others = others.union(forms, *earlier.values())


def _generate_files(
    request: GenerateRequest, files: _Files, earlier: Mapping[int, Forms], others: Forms
) -> Generator[GenerateEvent, None, set[Form]]:
    """What happens during one request; returns the forms of its new puzzles."""
    forms: set[Form] = set()
    best: dict[int, GeneratedPuzzle] = {}
    numbered = generate_shared(
        request.task, request.count, request.jobs, request.timeout, earlier, others
    )
    stopped: Stopped | Interrupted | None = None
    while True:
        try:
            number, generated = next(numbered)
        except StopIteration:
            break
        except (Stopped, Interrupted) as reason:
            stopped = reason
            break
        if generated.shortcoming:
            best[number] = generated
            yield CandidateFound(number, generated)
        else:
            best.pop(number, None)
            forms |= generated.forms
            puzzle = yield from files.write(number, generated)
            yield PuzzleMade(number, puzzle, generated.note, files.paths.get(number))

    if stopped is not None:
        for number, candidate in sorted(best.items()):
            puzzle = yield from files.write(number, candidate)
            named = candidate._replace(puzzle=puzzle)
            yield CandidateKept(number, named, files.paths.get(number))
        raise stopped
    return forms


def complete_in_every_way(request: GenerateRequest) -> Iterator[PuzzleMade | NotWritten]:
    """All minimal completions of an instance, those with the fewest added clues first; each is
    written to the folder as soon as it is found.

    Raises InputError for an instance that cannot be completed, or has too many solutions, and for a
    file that would be overwritten; Stopped or Interrupted if the run is stopped.
    """
    with _removed_if_empty(_find_folder(request.output)):
        yield from _complete_files(request)


def _complete_files(request: GenerateRequest) -> Iterator[PuzzleMade | NotWritten]:
    from jigsat.generation.completions import generate_every

    if request.output is not None:
        _make_folder(request.output)
    stem = f"{_name_source(request.task.source)}-completed"
    job = partial(generate_every, _read_incomplete(request.task))
    with closing(Child(job, timeout=request.timeout)) as puzzles:
        for number, generated in enumerate(puzzles, 1):
            source = f"{request.command}, number {number}"
            puzzle = generated.puzzle.model_copy(update={"source": source})
            path = None
            if request.output is not None:
                path = request.output / f"{stem}-{number:0{FILE_NUMBER_DIGITS}}.toml"
                refuse_existing(path, force=request.force)
                yield from _write_puzzle(path, puzzle, new=not request.force)
            yield PuzzleMade(number, puzzle, generated.note, path)


def count_added_clues(task: GenerationTask, puzzles: Iterable[Puzzle]) -> list[int]:
    """How many clues each of these puzzles adds to the instance."""
    before = len(_read_incomplete(task).clues())
    return [len(puzzle.clues()) - before for puzzle in puzzles]


def find_least_added(task: GenerationTask, timeout: float | None) -> int | None:
    """The least number of clues that complete the instance; None if it has too many solutions, or
    if it is not found within `timeout` seconds."""
    from jigsat.generation.completions import find_least_number

    try:
        return apart(find_least_number, _read_incomplete(task), timeout=timeout)
    except Stopped:
        return None


def _read_incomplete(task: GenerationTask) -> Puzzle:
    """The instance to be completed. Raises InputError for a family."""
    options = options_for(task.source, task.options)
    if not isinstance(options, NewClueOptions):
        raise InputError(f"{task.source}: only an instance can be completed, not a family")
    return options.instance


def read_shortcoming(puzzle: Puzzle) -> str:
    """What is not as requested about a generated puzzle, which was the best candidate when its run
    was stopped; '' for other puzzles."""
    match = KEPT.fullmatch(puzzle.source or "")
    return match[1] if match else ""


def describe_command(
    source: Source, settings: Iterable[str], arguments: Iterable[str], seed: int
) -> str:
    """The command that makes the same puzzles: settings ENTRY=VALUE, without those that give the
    solution away, and other arguments.

    >>> describe_command("sudoku", ["size=4"], ["--clues 5"], 1)
    'jigsat generate sudoku --set size=4 --clues 5 --seed 1'
    """
    shown = [_quote_setting(setting) for setting in public_settings(source, settings)]
    name = source.name if isinstance(source, Puzzle) else str(source)
    return " ".join(["jigsat generate", name, *shown, *arguments, f"--seed {seed}"])


def _quote_setting(setting: str) -> str:
    """An option --set as it is written in a shell."""
    if set(setting) & set(" #[]{}"):
        return f"--set '{setting}'"
    return f"--set {setting}"


def describe_settings(options: Mapping[str, Any]) -> list[str]:
    """Options of a generator as settings ENTRY=VALUE.

    >>> describe_settings({"size": 4, "turning": False})
    ['size=4', 'turning=false']
    """
    settings = []
    for name, value in options.items():
        text = str(value).lower() if isinstance(value, bool) else str(value)
        settings.append(f"{name}={text}")
    return settings


def name_files(request: GenerateRequest) -> dict[int, Path]:
    """The files of the puzzles by number, and their folder is created. Raises InputError if
    `output` is not a suitable name."""
    output, count = request.output, request.count
    if output is None:
        return {}
    if output.suffix == ".toml":
        if count > 1:
            raise InputError(
                f"{output}: a file holds one puzzle; name a folder for {count} puzzles"
            )
        _make_folder(output.parent)
        return {1: output}
    if output.suffix and not output.is_dir():
        raise InputError(
            f"{output}: the name of a puzzle file ends in .toml, and the name of a folder has no "
            f"suffix"
        )
    _make_folder(output)
    stem = f"{_name_source(request.task.source)}-{request.task.seed}{request.part}"
    digits = len(str(count))  # so that names sort by number
    return {number: output / f"{stem}-{number:0{digits}}.toml" for number in range(1, count + 1)}


def _find_folder(output: Path | None) -> Path | None:
    """The folder of the puzzles or of the file, if there is an output."""
    if output is None:
        return None
    return output.parent if output.suffix == ".toml" else output


def _make_folder(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise unwritable(folder, error) from error


@contextmanager
def _removed_if_empty(folder: Path | None) -> Iterator[None]:
    """Remove a new folder at the end if nothing was written into it."""
    is_new = folder is not None and not folder.exists()
    try:
        yield
    finally:
        if folder is not None and is_new:
            with suppress(OSError):  # it has files, or was not created
                folder.rmdir()


def _name_source(source: Source) -> str:
    """The name of a family or an instance, as a part of a file's name."""
    if isinstance(source, str | Path):
        return Path(source).stem
    return instance.load(source).name or "puzzle"


def _write_puzzle(path: Path, puzzle: Puzzle, *, new: bool) -> Iterator[NotWritten]:
    """Write a puzzle; if that fails, it is not lost."""
    try:
        write_file(path, [instance.instance_text(puzzle)], new=new)
    except (InputError, Stopped):
        yield NotWritten(puzzle)
        raise


class _Files:
    """The files of the puzzles by number, none if nothing is written.

    Some are there already: the same command has written them, so they may be overwritten. Of these,
    it is known whether the puzzle is as requested.
    """

    def __init__(self, request: GenerateRequest) -> None:
        self._request = request
        self._own: dict[int, bool] = {}
        self.paths = name_files(request)
        if request.writes_folder and not request.force:
            self._find_own()

    def _find_own(self) -> None:
        """Find the files that the same command has written before."""
        for number, path in self.paths.items():
            if not path.is_file():
                continue
            with suppress(InputError):  # somebody else's file
                source = str(instance.read_data(path).get("source", ""))
                command, _, shortcoming = source.partition("; ")
                if command == self._name_source(number):
                    self._own[number] = shortcoming == ""

    def _name_source(self, number: int) -> str:
        return f"{self._request.command}, number {number}"

    def refuse_others(self) -> None:
        """Raise InputError if a file of somebody else would be overwritten."""
        for number, path in self.paths.items():
            if number not in self._own:
                refuse_existing(path, force=self._request.force)

    def read_forms(self) -> dict[int, Forms]:
        """The puzzles that were written before as requested, by number, with their forms."""
        numbers = [number for number, as_requested in self._own.items() if as_requested]
        puzzles = (instance.load(self.paths[number]) for number in numbers)
        forms = forms_of_written(self._request.task, puzzles)
        return dict(zip(numbers, forms, strict=True))

    def write(self, number: int, generated: GeneratedPuzzle) -> Generator[NotWritten, None, Puzzle]:
        """Write a puzzle, if there is a file for it; returns the puzzle with its source."""
        puzzle = generated.puzzle
        if self._request.command:
            source = self._name_source(number)
            if generated.shortcoming:
                source += f"; {generated.shortcoming}"
            puzzle = puzzle.model_copy(update={"source": source})
        path = self.paths.get(number)
        if path is not None:
            is_new = not self._request.force and number not in self._own
            yield from _write_puzzle(path, puzzle, new=is_new)
            self._own[number] = not generated.shortcoming
        return puzzle
