"""The services that write a formula or a puzzle in the formats of other programs."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

from pydantic import BaseModel

from jigsat.errors import InputError, unknown
from jigsat.formats.export import FORMATS, format_of, lines, suffix_of
from jigsat.formula import Formula, Lowering
from jigsat.instance import is_bytes
from jigsat.objects import Measures
from jigsat.orbits import with_breaking_clause
from jigsat.puzzle import Puzzle
from jigsat.runtime import untrusted
from jigsat.runtime.untrusted import Malformed
from jigsat.search.blocking import Blocking
from jigsat.services.decode import BLOCKED
from jigsat.services.files import write_file
from jigsat.study.playing import Playing
from jigsat.subject import PuzzleSubject, Subject
from jigsat.symmetry import Level, Model

LINES_PER_MESSAGE = 10_000  # number of lines sent at a time


@dataclass(frozen=True)
class ExportRequest:
    """A formula to write. The suffix of the path is the format; a compressed file is the same text.

    `breaking` adds a clause that keeps at least one solution of each orbit of this level. `known`
    is the output of `jigsat solve --json`, whose solutions are excluded.
    """

    subject: Subject[Any]
    path: Path
    lowering: Lowering | None = None
    breaking: Level = Level.NOTHING
    known: Path | None = None


@dataclass(frozen=True)
class NothingToBreak:
    """No symmetry of the requested level can be broken."""

    level: Level


def export_formula(request: ExportRequest) -> Iterator[str | NothingToBreak]:
    """The file in long texts, because each item from a child process takes time.

    Raises InputError for an unknown suffix, for a group whose permutations are not evidently
    symmetries of the formula, and for known solutions that are wrong.
    """
    subject = request.subject
    formula = subject.encode()
    if request.breaking > Level.NOTHING or request.known is not None:
        extended = formula.extended()
        if request.breaking > Level.NOTHING:
            extended, is_broken = _break_symmetries(subject, formula, request.breaking)
            if not is_broken:
                yield NothingToBreak(request.breaking)
        if request.known is not None:
            against = Blocking(formula).literals
            with extended.rule(BLOCKED):
                for model in _read_known_solutions(subject, formula, request.known):
                    extended.clause(against(model))
        formula = extended

    whole = lines(formula, request.path, subject, request.lowering or Lowering())
    while portion := "".join(islice(whole, LINES_PER_MESSAGE)):
        yield portion


def _break_symmetries(
    subject: Subject[Any], formula: Formula, level: Level
) -> tuple[Formula, bool]:
    """The formula with a clause that breaks symmetries, and whether there are any."""
    if not subject.breakable:
        raise InputError(
            f"{subject.name}: `group` has a permutation that does not map the constraints "
            f"onto each other"
        )
    clause = subject.group(formula).find_breaking_clause(formula, level)
    broken = with_breaking_clause(formula, clause or (), "symmetry breaking")
    return broken, clause is not None


class _Printed(BaseModel):
    """The part of the output of `solve --json` that is needed here."""

    found: list[list[dict[str, Any]]]
    up_to: str


def _read_known_solutions(subject: Subject[Any], formula: Formula, path: Path) -> Iterator[Model]:
    """The solutions in an output file of `solve --json`, together with those that were counted as
    the same solution."""
    if not isinstance(subject, PuzzleSubject):
        raise InputError(f"{path}: known solutions are those of a puzzle, and this is a formula")
    puzzle = subject.puzzle
    group = subject.group(formula)
    try:
        printed = untrusted.validate_data(_Printed, untrusted.parse_json(untrusted.content(path)))
    except Malformed as error:
        raise InputError(f"{path}: not an output of `jigsat solve --json`: {error}") from error
    try:
        level = Level.parse(printed.up_to, declared=True)
    except ValueError as error:
        raise InputError(f"{path}: up_to: {error}") from None

    playing = Playing(puzzle)
    variables = formula.decisions_by_key()
    blocked: set[Model] = set()
    for i, described in enumerate(printed.found):
        placements = playing.read_placements(described, f"{path}: found.{i}.")
        model = frozenset(variables[placement] for placement in placements)
        if len(model) < len(placements):
            raise InputError(f"{path}: found.{i}: a placement is repeated")
        for broken in puzzle.check(placements):
            raise InputError(f"{path}: found.{i}: not a solution of {puzzle.name}: {broken}")
        for member in sorted(group.orbit(model, level) - blocked, key=sorted):
            blocked.add(member)
            yield member


OBJECTS = ("stl", "svg-laser")
"""The formats of pieces as objects."""


def export_objects(puzzle: Puzzle, name: str, measures: Measures) -> list[str]:
    """The pieces as objects in a format of `OBJECTS`: one text for each sheet of the material.
    Raises InputError if the pieces cannot be cut or printed, or a library is missing."""
    blocks = list(puzzle.blocks())
    if not blocks:
        raise InputError(
            f"--format {name}: the family {puzzle.family} has no pieces that can be cut or printed"
        )
    if name == "stl":
        from jigsat.objects.meshes import write_stl

        return write_stl(blocks, measures)
    from jigsat.objects.outlines import write_laser_svg

    return write_laser_svg(blocks, measures)


def write_objects(puzzle: Puzzle, name: str, measures: Measures, path: Path) -> list[Path]:
    """Write the pieces as objects; returns the files, of which there is one for each sheet."""
    sheets = export_objects(puzzle, name, measures)
    files = _name_sheets(path, len(sheets))
    for file, text in zip(files, sheets, strict=True):
        write_file(file, [text])
    return files


def _name_sheets(path: Path, number: int) -> list[Path]:
    """The files of a number of sheets: the path, or if there are several, numbered names.

    >>> [str(file) for file in _name_sheets(Path("cube.svg"), 2)]
    ['cube-1.svg', 'cube-2.svg']
    """
    if number == 1:
        return [path]
    return [path.with_stem(f"{path.stem}-{i}") for i in range(1, number + 1)]


def choose_format(path: Path, read: Callable[[], Sequence[Puzzle]]) -> str | None:
    """The format of another program that the suffix of a file names; None if it is that of a
    formula, and then no puzzle is read. Raises InputError for an unknown suffix."""
    if suffix_of(path) in FORMATS:
        return None
    puzzle = read()[0]
    others = [f".{name}" for name in type(puzzle).formats() if "." not in name]
    if any(puzzle.blocks()):
        others.append(".stl")
    suffix = format_of(path, others)
    return suffix.removeprefix(".") if suffix in others else None


def export_puzzles(puzzles: Sequence[Puzzle], name: str) -> str:
    """The text of a file of another program. Raises InputError if the family does not have this
    format."""
    kind = type(puzzles[0])
    writers = kind.formats()
    if name not in writers:
        if not writers:
            raise InputError(f"--format: the family {kind.family} has no format of another program")
        raise InputError(f"--format: {unknown('format', name, sorted(writers))}")
    return writers[name](puzzles)


def write_puzzles(puzzles: Sequence[Puzzle], name: str, path: Path) -> None:
    """Write puzzles to a file of another program. Some formats have bytes, a character for each."""
    text = export_puzzles(puzzles, name)
    write_file(path, [text], encoding="latin-1" if is_bytes(text) else "utf-8")
