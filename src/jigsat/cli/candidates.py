"""The commands `candidates` and `steps`."""

from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.table import Table

from jigsat import instance
from jigsat.analysis.candidates import Candidates, Status, find_alternatives, find_candidates
from jigsat.analysis.marks import Mark, draw_candidates, mark_places
from jigsat.analysis.playing import Playing
from jigsat.analysis.steps import NOTHING_LEFT, find_steps, name_rules
from jigsat.analysis.wording import Step, describe_placement, find_legends
from jigsat.cli import options
from jigsat.cli.answers import stopped_by
from jigsat.cli.common import app, print_json, print_line, reading, say, write, write_gallery
from jigsat.cli.console import Console
from jigsat.errors import InputError, stops_named
from jigsat.puzzle import Puzzle
from jigsat.runtime import untrusted
from jigsat.runtime.child import Child, held_interrupts, last_item
from jigsat.runtime.limits import Limits
from jigsat.symmetry import Placement
from jigsat.words import name_place, plural

MARKS = {"all": "!", "some": "", "unknown": "?"}  # mark behind a candidate
IN_WORDS = {
    "all": "in all solutions",
    "some": "in some solutions",
    "none": "in no solution",
    "unknown": "not known",
}

Given = Annotated[
    str | None,
    typer.Option(
        metavar="FILE", help="given placements: a solution of `solve --json`, or a puzzle"
    ),
]


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
    puzzle, placed = _read(name, given, limits, settings)
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


@app.command()
def steps(
    name: options.InstanceName,
    given: Given = None,
    timeout: options.Timeout = None,
    settings: options.Changes = None,
    as_json: options.AsJson = False,
    page: Annotated[
        Path | None,
        typer.Option("--html", metavar="FILE", help="write a page to click through instead"),
    ] = None,
) -> None:
    """Explain how a puzzle is solved by logic, a few rules at a time."""
    limits = options.limits_from_options(timeout)
    if page is not None:
        options.check_output(page, (".html", ".htm"), f"--html {page}")
    puzzle, placed = _read(name, given, limits, settings)
    remedy = f"`jigsat candidates {name} --given {given}` tells which cannot stand together"
    refusal = (
        f"{given}: no solution of {puzzle.name} has all of these placements; {remedy}"
        if given
        else ""
    )
    found, told, undecided = list[Step](), set[str](), 0
    with held_interrupts(), stops_named(puzzle.name):
        run = Child(partial(_explain, puzzle, placed, refusal), timeout=limits.timeout)
        for item in run.until_stopped():
            if isinstance(item, int):
                undecided = item
                continue
            found.append(item)
            if not (as_json or page):
                words = item.describe(puzzle.cell_field)
                legends = find_legends([words])
                for legend in [legends[pattern] for pattern in legends if pattern not in told]:
                    print_line(legend)
                told |= legends.keys()
                print_line(f"{len(found)}. {words}")
        end, stopped = "" if found else NOTHING_LEFT, stopped_by(run.stopped)
        if stopped:
            end = f"not finished: stopped by {stopped}"
        elif undecided:
            end = f"several solutions: {plural(undecided, 'placement')} in some but not in all"
        elif found and found[0].kind == "symmetry":
            end = "every other solution is an image of this one under a symmetry"
        if page is not None:
            from jigsat.analysis.walkthrough import write_walkthrough

            write(page, write_walkthrough(puzzle, found, placed, end))
            say(f"wrote {page}: {plural(len(found), 'step')}")
        if as_json:
            numbers = {"undecided": undecided, "complete": not stopped, "stopped_by": stopped}
            print_json(
                {"instance": puzzle.name, **numbers, "steps": [step.json() for step in found]}
            )
        elif end and not stopped:
            print_line(end)
        if run.stopped:
            raise run.stopped


def _explain(puzzle: Puzzle, given: list[Placement], refusal: str) -> Iterator[Step | int]:
    """The steps, then the number of placements that are still in some solutions but not in all.

    Raises InputError if no solution has the given placements, with the `refusal` unless it is ''.
    """
    *_, found = find_candidates(puzzle, given)
    if refusal and not found.solvable:
        raise InputError(refusal)
    yield (yield from find_steps(puzzle, given, found))


def _read(
    name: str, given: str | None, limits: Limits, settings: list[str] | None
) -> tuple[Puzzle, list[Placement]]:
    """The puzzle and the placements that are given."""
    with reading(name, limits):
        puzzle = instance.load(name, **options.changes(settings))
        return puzzle, [] if given is None else _read_given(puzzle, given)


def _read_given(puzzle: Puzzle, name: str) -> list[Placement]:
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
