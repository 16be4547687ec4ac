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
    is_file = path.suffix == ".json" or (
        path.exists() and not path.is_dir() and path.suffix != ".toml"
    )
    text = untrusted.content(path).decode("utf-8-sig", errors="replace") if is_file else ""
    if path.suffix == ".json" or text.lstrip().startswith(("[", "{")):
        try:
            data = untrusted.parse_json(text)
        except untrusted.Malformed as error:
            raise InputError(f"{path}: {error}") from error
        described, where = data, f"{path}: "
        if isinstance(data, dict) and isinstance(data.get("found"), list):
            if len(data["found"]) != 1:
                remedy = "; `jigsat solve --limit 1 --json` finds one" if data["found"] else ""
                raise InputError(
                    f"{path}: found: expected one solution, got {len(data['found']):,}{remedy}"
                )
            (described,), where = data["found"], f"{path}: found.0."
        if not isinstance(described, list):
            raise InputError(
                f"{path}: expected a list of placements, or the output of `jigsat solve --json`"
            )
        return Playing(puzzle).read_placements(described, where)
    other = instance.load(name)
    if other.family != puzzle.family:
        raise InputError(
            f"{name}: a puzzle of the family {other.family}, but {puzzle.name} is of the family "
            f"{puzzle.family}"
        )
    formula, given = puzzle.encode(), other.given_placements()
    keys = {*map(formula.key, formula.decisions())}
    if wrong := next((each for each in given if each not in keys), None):
        said = describe_placement(wrong, puzzle.cell_field)
        raise InputError(
            f"{name}: its clue {said!r} does not fit {puzzle.name}, which has no such placement"
        )
    return given
