"""The command `candidates`."""

from functools import partial
from typing import Annotated, Any

import typer
from rich.table import Table

from jigsat.cli import options
from jigsat.cli.common import app, print_json, print_line, write_gallery
from jigsat.cli.console import Console
from jigsat.cli.given import Given, read_given
from jigsat.errors import InputError
from jigsat.phrases.notation import describe_placement, name_rules
from jigsat.runtime.child import last_item
from jigsat.study.candidates import Candidates, Status, find_alternatives, find_candidates
from jigsat.study.marks import Mark, draw_candidates, mark_places
from jigsat.study.playing import Playing
from jigsat.words import name_place, plural

MARKS = {"all": "!", "some": "", "unknown": "?"}  # mark behind a candidate
IN_WORDS = {
    "all": "in all solutions",
    "some": "in some solutions",
    "none": "in no solution",
    "unknown": "not known",
}


@app.command()
def candidates(
    name: options.InstanceName,
    given: Given = None,
    slot: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="the words of a slot, as '1 across', best first"),
    ] = None,
    counts: Annotated[
        bool, typer.Option("--counts", help="in how many solutions each placement is")
    ] = False,
    timeout: options.Timeout = None,
    settings: options.Changes = None,
    picture: options.PictureOption = None,
    as_json: options.AsJson = False,
) -> None:
    """Show what can be placed where: what is in some solution, in all (!), or not known after the
    time limit (?)."""
    if slot is not None and (counts or picture):
        raise InputError("--slot: lists words; leave out --counts and --picture")
    limits = options.limits_from_options(timeout)
    puzzle, placed = read_given(name, given, limits, settings)
    if slot is not None:
        words, stopped = last_item(
            partial(find_alternatives, puzzle, slot, placed), dict[str, Status](), limits.timeout
        )
        listed = [{"word": word, "in": status} for word, status in words.items()]
        said = {"instance": puzzle.name, "slot": slot, "complete": not stopped, "words": listed}
        possible = [word + MARKS[status] for word, status in words.items() if status != "none"]
        lines = [f"{slot}: {' '.join(possible) or 'nothing'}"]
    else:
        found, stopped = last_item(
            partial(find_candidates, puzzle, placed, count=counts), Candidates({}), limits.timeout
        )
        number = {"solutions": found.total} if counts else {}
        conflict = [placement._asdict() for placement in found.conflict]
        said = {
            "instance": puzzle.name,
            "complete": found.complete,
            "solvable": found.solvable,
            **number,
            "conflict": conflict,
        }
        said["candidates"] = found.json()
        playing = Playing(puzzle)
        lines = [] if as_json else _describe(playing, found)
        if counts and found.counts is None:
            lines.append(
                f"the numbers of solutions are not known; `jigsat estimate {name}` estimates how "
                f"many there are"
            )
    if as_json:
        print_json(said)
    for line in () if as_json else lines:
        print_line(line)
    if picture is not None:
        write_gallery(
            picture,
            [draw_candidates(playing, found, [*puzzle.given_placements(), *placed])],
            limits,
        )
    if stopped:
        raise stopped.within(puzzle.name)


def _describe(playing: Playing, found: Candidates) -> list[str]:
    """Marks on a board of squares; for other boards a line for each place; for counts, one for each
    placement."""
    puzzle = playing.puzzle
    if found.conflict:
        conflict = [
            f"  {describe_placement(placement, puzzle.cell_field)}" for placement in found.conflict
        ]
        return [f"{puzzle.name}: no solution has these given placements together:", *conflict]
    if found.solvable is False:
        return [f"{puzzle.name}: no solution; `jigsat solve {puzzle.name}` tells why"]
    marks: dict[Any, Mark] = mark_places(playing, found)
    rules, lines = name_rules(puzzle, playing.formula), list[str]()
    squares = all(isinstance(place, tuple) and [*map(type, place)] == [int, int] for place in marks)
    if not squares and any(mark.is_symbol for mark in marks.values()):
        marks = {}
    if not found.counts and marks and squares:
        lines = _draw_table(marks)
    elif not found.counts:
        lines = [
            f"{name_place(place)}: {'; '.join(mark.texts) or 'nothing'}{mark.sign}"
            for place, mark in marks.items()
        ]
    for placement, status in found.statuses.items():
        name = rules.get(placement) or describe_placement(placement, puzzle.cell_field)
        if found.counts and status != "none":
            lines.append(
                f"{name}: in {found.counts[placement]:,} of {plural(found.total or 0, 'solution')}"
            )
        elif placement in rules or not marks:
            lines.append(f"{name}: {IN_WORDS[status]}")
    return lines or ["there is nothing to place"] * found.complete


def _draw_table(marks: dict[Any, Mark]) -> list[str]:
    table = Table(show_header=False, show_lines=True, pad_edge=False)
    height, width = (max(place[i] for place in marks) + 1 for i in (0, 1))
    for row in range(height):
        here = (marks.get((row, column)) for column in range(width))
        table.add_row(*(" ".join(mark.short) + mark.sign if mark else "" for mark in here))
    return Console(width=None).list_lines(table)
