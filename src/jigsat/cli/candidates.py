"""The commands `candidates` and `steps`."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.table import Table

from jigsat import instance
from jigsat.analysis.candidates import Candidates, find_candidates_until
from jigsat.analysis.steps import Step, find_steps
from jigsat.cli import options
from jigsat.cli.common import app, print_json, print_line, reading, writing
from jigsat.cli.console import Console
from jigsat.errors import InputError, name_place, plural
from jigsat.puzzle import Puzzle
from jigsat.runtime import untrusted
from jigsat.runtime.limits import Limits
from jigsat.symmetry import Placement

MARKS = {"all": "!", "some": "", "unknown": "?"}  # mark behind a candidate


Given = Annotated[
    Path | None, typer.Option(metavar="FILE", help="placements that are given: the output of `solve --json`, or a puzzle")
]


@app.command()
def candidates(
    name: options.InstanceName,
    given: Given = None,
    counts: Annotated[bool, typer.Option("--counts", help="in how many solutions each placement is")] = False,
    timeout: options.Timeout = None,
    settings: options.Changes = None,
    as_json: options.AsJson = False,
) -> None:
    """Show what can be placed where: what is in some solution, in all (!), or not known after the time limit (?)."""
    limits = options.limits_from_options(timeout)
    puzzle, placed = _read(name, given, limits, settings)
    found = find_candidates_until(puzzle, placed, count=counts, timeout=limits.timeout)
    if as_json:
        conflict = [placement._asdict() for placement in found.conflict]
        print_json({"instance": puzzle.name, "complete": found.complete, "conflict": conflict, "candidates": found.json()})
    elif found.conflict:
        print_line(f"{puzzle.name}: no solution has these given placements together:")
        for placement in found.conflict:
            print_line(f"  {_describe(placement)}")
    else:
        _print_candidates(puzzle, found)
    if not found.complete:
        raise typer.Exit(3)


@app.command()
def steps(
    name: options.InstanceName,
    given: Given = None,
    timeout: options.Timeout = None,
    settings: options.Changes = None,
    as_json: options.AsJson = False,
    page: Annotated[Path | None, typer.Option("--html", metavar="FILE", help="write a page to click through instead")] = None,
) -> None:
    """Explain how a puzzle is solved by logic, a few rules at a time."""
    limits = options.limits_from_options(timeout)
    if page is not None:
        options.check_output(page, (".html", ".htm"), f"--html {page}")
    puzzle, placed = _read(name, given, limits, settings)
    found = list[Step]()
    left = find_candidates_until(puzzle, placed, timeout=limits.timeout)
    for step in find_steps(puzzle, left, placed):
        found.append(step)
        if not (as_json or page):
            print_line(f"{len(found)}. {step.describe(puzzle.cell_field)}")
    undecided = sum(status == "some" for status in left.statuses.values())
    if page is not None:
        from jigsat.analysis.walkthrough import write_walkthrough
        from jigsat.formats.export import save

        with writing(page):
            save(page, write_walkthrough(puzzle, found, placed))
    if as_json:
        print_json({"instance": puzzle.name, "undecided": undecided, "steps": [step.json() for step in found]})
    elif undecided:
        print_line(f"several solutions: {plural(undecided, 'placement')} in some but not in all; see `jigsat candidates`")


def _read(name: str, given: Path | None, limits: Limits, settings: list[str] | None) -> tuple[Puzzle, list[Placement]]:
    """The puzzle and the placements that are given."""
    with reading(name, limits):
        puzzle = instance.load(name, **options.changes(settings))
        return puzzle, _read_given(puzzle, given) if given else []


def _read_given(puzzle: Puzzle, path: Path) -> list[Placement]:
    """The placements in a file: a list of objects, the first solution under `found`, or the clues of a puzzle."""
    text = untrusted.content(path).decode(errors="replace")
    if not text.lstrip().startswith(("[", "{")) or path.suffix == ".toml":
        return instance.load(path).given_placements()
    try:
        data = untrusted.parse_json(text)
        described = data if isinstance(data, list) else data["found"][0]
        formula = puzzle.encode()
        placements: list[Placement] = list(map(formula.key, formula.decisions()))
        keys = {untrusted.canonical(placement._asdict()): placement for placement in placements}
        return [keys[untrusted.canonical(each)] for each in described]
    except (untrusted.Malformed, TypeError, IndexError) as error:
        raise InputError(f"{path}: not the output of `jigsat solve --json`: {error}") from error
    except KeyError as error:
        raise InputError(f"{path}: {puzzle.name} has no placement {error}") from error


def _describe(placement: Placement) -> str:
    return " ".join(f"{field}={name_place(value)}" for field, value in placement._asdict().items())


def _is_square(value: Any) -> bool:
    return isinstance(value, tuple) and len(value) == 2 and all(isinstance(number, int) for number in value)


def _print_candidates(puzzle: Puzzle, found: Candidates) -> None:
    """Pencil marks in a grid, or a line for each cell, or for each placement."""
    cells: dict[Any, list[str]] = {}
    for placement, status in found.statuses.items():
        fields = placement._asdict()
        cell = fields.pop(puzzle.cell_field or next(iter(fields)))
        cells.setdefault(cell, [])
        if status != "none":
            number = f"×{found.counts[placement]:,}" if found.counts and placement in found.counts else ""
            named = fields.values() if len(fields) == 1 else [f"{field} {name_place(value)}" for field, value in fields.items()]
            cells[cell].append(" ".join(map(name_place, named)) + number + MARKS[status])
    if all(map(_is_square, cells)) and max(len(mark) for marks in cells.values() for mark in [*marks, ""]) <= 2:
        table = Table(show_header=False, show_lines=True, pad_edge=False)
        for row in _rows(cells):
            table.add_row(*row)
        Console(width=None).print(table)
    else:
        for cell, marks in cells.items():
            print_line(f"{name_place(cell)}: {'; '.join(marks) or 'nothing'}")


def _rows(cells: dict[Any, list[str]]) -> Iterator[list[str]]:
    height, width = (max(cell[i] for cell in cells) + 1 for i in (0, 1))
    for r in range(height):
        yield [" ".join(cells.get((r, c), [])) for c in range(width)]
