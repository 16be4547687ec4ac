"""The commands `candidates` and `steps`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer
from rich.table import Table

from jigsat import instance
from jigsat.analysis.candidates import Candidates, Status, find_alternatives_until, find_candidates_until
from jigsat.analysis.marks import draw_candidates, mark_places
from jigsat.analysis.steps import Step, find_legends, find_steps
from jigsat.cli import options
from jigsat.cli.common import app, print_json, print_line, reading, write_gallery, writing
from jigsat.cli.console import Console
from jigsat.errors import InputError, name_place, plural
from jigsat.pictures.marks import Mark
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
    slot: Annotated[str | None, typer.Option(metavar="NAME", help="the words of a slot, as '1 across', best first")] = None,
    counts: Annotated[bool, typer.Option("--counts", help="in how many solutions each placement is")] = False,
    timeout: options.Timeout = None,
    settings: options.Changes = None,
    picture: options.PictureOption = None,
    as_json: options.AsJson = False,
) -> None:
    """Show what can be placed where: what is in some solution, in all (!), or not known after the time limit (?)."""
    limits = options.limits_from_options(timeout)
    puzzle, placed = _read(name, given, limits, settings)
    if slot is not None:
        _print_words(puzzle, slot, find_alternatives_until(puzzle, slot, placed, limits.timeout), as_json=as_json)
        return
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
    if picture is not None:
        write_gallery(picture, [draw_candidates(puzzle, found, [*puzzle.given_placements(), *placed])])
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
    told = set[str]()
    for step in find_steps(puzzle, left, placed):
        found.append(step)
        if not (as_json or page):
            words = step.describe(puzzle.cell_field)
            for legend in set(find_legends([words])) - told:
                print_line(legend)
                told.add(legend)
            print_line(f"{len(found)}. {words}")
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


def _print_words(puzzle: Puzzle, slot: str, statuses: dict[str, Status], *, as_json: bool) -> None:
    """The words of a slot that leave the crossword fillable."""
    complete = bool(statuses) and "unknown" not in statuses.values()
    if as_json:
        words = [{"word": word, "in": status} for word, status in statuses.items()]
        print_json({"instance": puzzle.name, "slot": slot, "complete": complete, "words": words})
    else:
        possible = [word + MARKS[status] for word, status in statuses.items() if status != "none"]
        print_line(f"{slot}: {' '.join(possible) or 'nothing'}")
    if not complete:
        raise typer.Exit(3)


def _is_square(value: Any) -> bool:
    return isinstance(value, tuple) and len(value) == 2 and all(isinstance(number, int) for number in value)


def _print_candidates(puzzle: Puzzle, found: Candidates) -> None:
    """Marks on a board of squares; for other boards and for counts a line for each cell or piece."""
    marks: dict[Any, Mark] = mark_places(puzzle, found)
    if found.counts is None and marks and all(map(_is_square, marks)):
        table = Table(show_header=False, show_lines=True, pad_edge=False)
        height, width = (max(place[i] for place in marks) + 1 for i in (0, 1))
        for row in range(height):
            table.add_row(*(_in_words(marks.get((row, column))) for column in range(width)))
        Console(width=None).print_table(table)
        return
    lines: dict[Any, dict[str, None]] = {}
    for placement, status in found.statuses.items():
        fields = placement._asdict()
        cell = fields.pop(puzzle.cell_field if puzzle.cell_field in fields else next(iter(fields)))
        if found.counts is None and puzzle.piece_field in fields:
            fields = {puzzle.piece_field: fields[puzzle.piece_field]}
        words = lines.setdefault(cell, {})
        if status != "none":
            number = f"×{found.counts[placement]:,}" if found.counts else ""
            named = fields.values() if len(fields) == 1 else [f"{field} {name_place(value)}" for field, value in fields.items()]
            words[" ".join(map(name_place, named)) + number + MARKS[status]] = None
    for cell, words in lines.items():
        print_line(f"{name_place(cell)}: {'; '.join(words) or 'nothing'}")


def _in_words(mark: Mark | None) -> str:
    if mark is None:
        return ""
    toggle = mark.texts in (("●",), ("○",), ("–",), ("?",))
    return " ".join(mark.texts) + ("" if toggle else "!" * mark.certain + "?" * mark.unknown)
