"""The service that reads placements by which a puzzle is begun."""

from __future__ import annotations

from pathlib import Path

from jigsat import instance
from jigsat.errors import InputError
from jigsat.phrases.notation import describe_placement
from jigsat.puzzle import Puzzle
from jigsat.runtime import untrusted
from jigsat.study.playing import Playing
from jigsat.symmetry import Placement


def read_placements(puzzle: Puzzle, name: str) -> list[Placement]:
    """The placements in a file: a list of objects, the only solution in the output of `jigsat solve
    --json`, a drawing of a grid with what is filled in, or the clues of a puzzle, which may be an
    instance by its name.

    Raises InputError for a file that cannot be read, and for placements that do not fit.
    """
    path = Path(name)
    is_text = path.suffix != ".toml" and path.exists() and not path.is_dir()
    text = ""
    if is_text or path.suffix == ".json":
        text = untrusted.content(path).decode("utf-8-sig", errors="replace")
    if path.suffix == ".json" or text.lstrip().startswith(("[", "{")):
        return _read_json(puzzle, path, text)
    try:
        return _read_clues(puzzle, name)
    except InputError:
        placements = _read_filled(puzzle, path, text) if is_text else None
        if placements is None:
            raise
        return placements


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


def _read_filled(puzzle: Puzzle, path: Path, text: str) -> list[Placement] | None:
    """The marks of a drawing of the grid; None if the puzzle has no grid that can be drawn."""
    # Most commands start without the kit.
    from jigsat.kit import GridPuzzle
    from jigsat.kit.filled import read_filled

    if not isinstance(puzzle, GridPuzzle):
        return None
    try:
        return [*read_filled(puzzle, text)]
    except ValueError as error:
        raise InputError(f"{path}: {error}") from error


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
