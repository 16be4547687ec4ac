"""The option `--given`: placements that are made."""

from pathlib import Path
from typing import Annotated

import typer

from jigsat import instance
from jigsat.cli import options
from jigsat.cli.common import reading
from jigsat.errors import InputError
from jigsat.phrases.notation import describe_placement
from jigsat.puzzle import Puzzle
from jigsat.runtime import untrusted
from jigsat.runtime.limits import Limits
from jigsat.study.playing import Playing
from jigsat.symmetry import Placement

Given = Annotated[
    str | None,
    typer.Option(
        metavar="FILE", help="given placements: a solution of `solve --json`, or a puzzle"
    ),
]


def read_given(
    name: str, given: str | None, limits: Limits, settings: list[str] | None
) -> tuple[Puzzle, list[Placement]]:
    """The puzzle and the placements that are given."""
    with reading(name, limits):
        puzzle = instance.load(name, **options.changes(settings))
        return puzzle, [] if given is None else _read_placements(puzzle, given)


def _read_placements(puzzle: Puzzle, name: str) -> list[Placement]:
    """The placements in a file: a list of objects, the only solution under `found`, or the clues of
    a puzzle."""
    if not name:
        raise InputError("--given: name a file or a puzzle")
    path = Path(name)
    is_text = path.suffix != ".toml" and path.exists() and not path.is_dir()
    text = ""
    if is_text or path.suffix == ".json":
        text = untrusted.content(path).decode("utf-8-sig", errors="replace")
    if path.suffix == ".json" or text.lstrip().startswith(("[", "{")):
        return _read_json(puzzle, path, text)
    return _read_clues(puzzle, name)


def _read_json(puzzle: Puzzle, path: Path, text: str) -> list[Placement]:
    """A list of placements, or the only solution in the output of `solve --json`."""
    try:
        data = untrusted.parse_json(text)
    except untrusted.Malformed as error:
        raise InputError(f"{path}: {error}") from error
    where = f"{path}: "
    if isinstance(data, dict) and isinstance(data.get("found"), list):
        solutions = data["found"]
        if len(solutions) != 1:
            remedy = "; `jigsat solve --limit 1 --json` finds one" if solutions else ""
            raise InputError(
                f"{path}: found: expected one solution, got {len(solutions):,}{remedy}"
            )
        data = solutions[0]
        where = f"{path}: found.0."
    if not isinstance(data, list):
        raise InputError(
            f"{path}: expected a list of placements, or the output of `jigsat solve --json`"
        )
    return Playing(puzzle).read_placements(data, where)


def _read_clues(puzzle: Puzzle, name: str) -> list[Placement]:
    """The clues of another puzzle."""
    other = instance.load(name)
    if other.family != puzzle.family:
        raise InputError(
            f"{name}: a puzzle of the family {other.family}, but {puzzle.name} is of the family "
            f"{puzzle.family}"
        )
    formula = puzzle.encode()
    possible = set(map(formula.key, formula.decisions()))
    clues = other.given_placements()
    for clue in clues:
        if clue not in possible:
            words = describe_placement(clue, puzzle.cell_field)
            raise InputError(
                f"{name}: its clue {words!r} does not fit {puzzle.name}, which has no such "
                f"placement"
            )
    return clues
