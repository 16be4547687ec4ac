"""The command `candidates`."""

from collections.abc import Sequence
from typing import Annotated, Any

import typer
from rich.table import Table

from jigsat.cli import options
from jigsat.cli.answers import stop_of
from jigsat.cli.common import app, print_json, print_line, write_gallery
from jigsat.cli.console import Console
from jigsat.cli.given import Given, read_given
from jigsat.errors import InputError
from jigsat.phrases.notation import describe_placement, name_rules
from jigsat.puzzle import Puzzle
from jigsat.questions import Candidates, FindAlternatives, FindCandidates, Means
from jigsat.runtime.child import held_interrupts
from jigsat.runtime.limits import Limits
from jigsat.services.answer import answer_question
from jigsat.study.marks import Mark, draw_candidates, mark_places
from jigsat.study.playing import Playing
from jigsat.symmetry import Placement
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
        _show_words(puzzle, slot, placed, limits, as_json)
        return

    question = FindCandidates(tuple(placed), counts)
    with held_interrupts():
        answer = answer_question(question, puzzle, Means(timeout=limits.timeout), isolated=True)
    candidates = answer.candidates
    playing = Playing(puzzle)
    if as_json:
        print_json(answer.json())
    else:
        for line in _describe(playing, candidates):
            print_line(line)
        if counts and candidates.counts is None:
            print_line(
                f"the numbers of solutions are not known; `jigsat estimate {name}` estimates how "
                f"many there are"
            )
    if picture is not None:
        shown = [*puzzle.given_placements(), *placed]
        write_gallery(picture, [draw_candidates(playing, candidates, shown)], limits)
    if answer.stopped_by is not None:
        raise stop_of(answer.stopped_by).within(puzzle.name)


def _show_words(
    puzzle: Puzzle, slot: str, placed: Sequence[Placement], limits: Limits, as_json: bool
) -> None:
    """Print the words that a slot can hold."""
    question = FindAlternatives(slot, tuple(placed))
    with held_interrupts():
        answer = answer_question(question, puzzle, Means(timeout=limits.timeout), isolated=True)
    if as_json:
        print_json(answer.json())
    else:
        possible = [
            word + MARKS[status] for word, status in answer.statuses.items() if status != "none"
        ]
        print_line(f"{slot}: {' '.join(possible) or 'nothing'}")
    if answer.stopped_by is not None:
        raise stop_of(answer.stopped_by).within(puzzle.name)


def _describe(playing: Playing, candidates: Candidates) -> list[str]:
    """What contradicts itself, or what can still be placed."""
    puzzle = playing.puzzle
    if candidates.conflict:
        lines = [f"{puzzle.name}: no solution has these given placements together:"]
        for placement in candidates.conflict:
            lines.append(f"  {describe_placement(placement, puzzle.cell_field)}")
        return lines
    if candidates.solvable is False:
        return [f"{puzzle.name}: no solution; `jigsat solve {puzzle.name}` tells why"]
    return _describe_marks(playing, candidates)


def _describe_marks(playing: Playing, candidates: Candidates) -> list[str]:
    """Marks on a board of squares; for other boards a line for each place; for counts, one for each
    placement."""
    puzzle = playing.puzzle
    marks: dict[Any, Mark] = mark_places(playing, candidates)
    are_squares = all(map(_is_square, marks))
    if not are_squares and any(mark.is_symbol for mark in marks.values()):
        marks = {}
    lines = []
    if not candidates.counts:
        lines = _draw_table(marks) if marks and are_squares else _list_marks(marks)
    rules = name_rules(puzzle, playing.formula)
    for placement, status in candidates.statuses.items():
        name = rules.get(placement) or describe_placement(placement, puzzle.cell_field)
        if candidates.counts and status != "none":
            solutions = plural(candidates.total or 0, "solution")
            lines.append(f"{name}: in {candidates.counts[placement]:,} of {solutions}")
        elif placement in rules or not marks:
            lines.append(f"{name}: {IN_WORDS[status]}")
    if not lines and candidates.complete:
        return ["there is nothing to place"]
    return lines


def _is_square(place: Any) -> bool:
    """Whether a place is a row and a column."""
    return isinstance(place, tuple) and [type(number) for number in place] == [int, int]


def _list_marks(marks: dict[Any, Mark]) -> list[str]:
    lines = []
    for place, mark in marks.items():
        lines.append(f"{name_place(place)}: {'; '.join(mark.texts) or 'nothing'}{mark.sign}")
    return lines


def _draw_table(marks: dict[Any, Mark]) -> list[str]:
    table = Table(show_header=False, show_lines=True, pad_edge=False)
    height = max(row for row, _ in marks) + 1
    width = max(column for _, column in marks) + 1
    for row in range(height):
        texts = []
        for column in range(width):
            mark = marks.get((row, column))
            texts.append(" ".join(mark.short) + mark.sign if mark else "")
        table.add_row(*texts)
    return Console(width=None).list_lines(table)
