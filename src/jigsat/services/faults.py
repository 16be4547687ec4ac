"""The service that lists what is wrong or doubtful in files of puzzles, all of it."""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from jigsat import instance
from jigsat.errors import Fault, FaultyError, IncompleteError, InputError, InstanceWarning
from jigsat.puzzle import Puzzle


@dataclass(frozen=True)
class FaultyFile:
    """The faults of a file; none if it is right."""

    file: str
    faults: tuple[Fault, ...]


def find_faults(files: Sequence[str], changes: Mapping[str, Any]) -> Iterator[FaultyFile]:
    """The faults of each file. The changes are entries of every puzzle, such as a list of words."""
    for file in files:
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always", InstanceWarning)
            faults = list(_find_faults(file, changes))
        yield FaultyFile(file, (*_read_remarks(file, caught), *faults))


def list_faults(files: Sequence[str], changes: Mapping[str, Any]) -> dict[str, list[Fault]]:
    """The faults of each file by its name."""
    return {one.file: list(one.faults) for one in find_faults(files, changes)}


def _find_faults(file: str, changes: Mapping[str, Any]) -> Iterator[Fault]:
    try:
        puzzles = instance.load_all(file, **changes)
    except FaultyError as error:
        yield from error.faults
        if error.entries is not None:
            yield from _find_more(error.entries, changes)
    except IncompleteError as error:
        yield from list(error.draft.faults()) or [_split(file, error)]
    except InputError as error:
        yield _split(file, error)
    else:
        for puzzle in puzzles:
            yield from _name_puzzle(puzzle, len(puzzles))


def _find_more(entries: Mapping[str, Any], changes: Mapping[str, Any]) -> Iterator[Fault]:
    """The faults of a puzzle whose file contradicts itself, if its entries make one."""
    kind = instance.family(entries["family"])
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", InstanceWarning)  # these are among the faults
            puzzle = instance.load(kind.include_files({**entries, **changes}, Path()))
        yield from puzzle.faults()
    except IncompleteError as error:
        yield from error.draft.faults()
    except InputError:
        return  # follows from what is listed already


def _name_puzzle(puzzle: Puzzle, puzzles: int) -> Iterator[Fault]:
    """The faults of one of the puzzles in a file; places have its name if there are several."""
    for fault in puzzle.faults():
        place = fault.place
        if puzzles > 1:
            place = f"{puzzle.name}: {place}".removesuffix(": ")
        yield Fault(place, fault.wrong, fault.remedy)


def _split(file: str, error: InputError) -> Fault:
    """A message about a file as a fault; the remedy is after the last semicolon."""
    message = str(error).removeprefix(f"{file}: ")
    wrong, _, remedy = message.rpartition("; ")
    return Fault("", wrong, remedy) if wrong else Fault("", message)


def _read_remarks(file: str, caught: Sequence[warnings.WarningMessage]) -> Iterator[Fault]:
    """What the reader of a format has remarked; what the puzzle warns of is among its faults."""
    for warning in caught:
        message = str(warning.message)
        if isinstance(warning.message, InstanceWarning) and not message.startswith(f"{file}"):
            wrong, _, remedy = message.partition("; ")
            yield Fault("", wrong, remedy)
