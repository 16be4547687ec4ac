"""The commands `unique` and `rate`."""

from __future__ import annotations

import shutil
import sys
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from jigsat import instance
from jigsat.backends import AUTO
from jigsat.cli import options
from jigsat.cli.common import app, print_json, print_line, reading, say, write_pictures
from jigsat.cli.progress import answer_with_progress
from jigsat.cli.replies import PuzzleReply, make_question, reply_to_each, stopped_by
from jigsat.errors import Stopped
from jigsat.pictures import beside, gallery
from jigsat.puzzle import Puzzle, Solution
from jigsat.runtime.child import held_interrupts
from jigsat.runtime.limits import Limits
from jigsat.solving.task import Resources
from jigsat.subject.relations import change

if TYPE_CHECKING:
    from jigsat.analysis.difficulty import Rating

UNANSWERED: dict[str, Any] = {"unique": None, "complete": False, "answer": "", "found": [], "reasons": None}
UNRATED: dict[str, Any] = {"level": None}


def _puzzles(
    names: list[str], settings: list[str] | None, limits: Limits, unknown: dict[str, Any], as_json: bool
) -> list[Puzzle]:
    """The puzzles in the files. If reading is stopped, the answer for each file is unknown."""
    puzzles = []
    try:
        for name in names:
            with reading(name, limits):
                puzzles += instance.load_all(name, **options.changes(settings))
    except (Stopped, KeyboardInterrupt) as reason:
        if as_json:
            why = stopped_by(reason)
            _print_objects([{"instance": Path(name).stem, **unknown, "stopped_by": why} for name in names])
        raise
    return puzzles


def _print_objects(said: list[dict[str, Any]]) -> None:
    """Print a JSON list, or a single object if there is only one puzzle."""
    print_json(said if len(said) > 1 else said[0])


@app.command()
def unique(
    names: options.InstanceNames,
    backend: options.BackendOption = AUTO,
    up_to: options.UpTo = "rotation",
    timeout: options.Timeout = None,
    settings: options.Changes = None,
    show: Annotated[int, typer.Option(min=0, help="number of puzzles whose two solutions are drawn")] = 3,
    picture: options.PictureOption = None,
    as_json: options.AsJson = False,
) -> None:
    """Tell whether each puzzle has exactly one solution. If not, draw two side by side and mark the differences."""
    limits = options.limits_from_options(timeout)
    puzzles = _puzzles(names, settings, limits, UNANSWERED, as_json)
    drawn: list[str] = []
    said = []
    reason: Stopped | KeyboardInterrupt | None = None
    question = make_question(backend, up_to)
    with held_interrupts(), closing(reply_to_each(question, puzzles, Resources(), limits.timeout)) as replies:
        for reply in replies:
            reason = reason or reply.reason
            said.append(reply.json())
            if len(reply.answer.solutions) > 1 and len(drawn) < 2 * show:
                one, other = reply.answer.solutions
                marked = one.differing(other)
                drawn += [one.svg(marked), other.svg(marked)]
                if not as_json:
                    print(f"{_side_by_side(one, other)}\n", flush=True)
            if not as_json:
                reply = _up_to_reflection(reply, backend, limits)
                reply.print(pictures=show)
        if as_json:
            _print_objects(said)
        if picture is not None and drawn:
            write_pictures(picture, [gallery(drawn, columns=2)])
        elif picture is not None and not as_json:
            say(f"{picture}: not written, because there are not two solutions to draw")
    if reason:
        raise reason


MIRRORED = "solution 1 mirrored"
"""The relation of a second solution that is a mirror image of the first, without other differences."""


def _up_to_reflection(reply: PuzzleReply, backend: str, limits: Limits) -> PuzzleReply:
    """The reply; if the second solution is a mirror image of the first, also whether there are no others up to reflection."""
    if reply.reason or not any(solution.relation == MIRRORED for solution in reply.answer.solutions):
        return reply
    (again,) = reply_to_each(make_question(backend, "reflection"), [reply.answer.puzzle], Resources(), limits.timeout)
    return reply._replace(mirrored=again.answer.unique)


def _side_by_side(one: Solution, other: Solution) -> str:
    """Two solutions with a star at each difference, one below the other if the terminal is too narrow."""
    marked = one.differing(other)
    left, right = (f"Solution {i}\n\n{solution.text(marked)}".splitlines() for i, solution in enumerate((one, other), 1))
    difference = change(one.placements, other.placements, type(one.puzzle))
    legend = [f"stars mark the differences: {difference}"]
    if other.relation not in ("", f"solution 1 with {difference}"):
        legend.append(f"solution 2 is {other.relation}; --up-to decides whether turned or mirrored solutions count as one")
    for i in range(3, len(left)):  # print the legend of the pictures only once
        if left[i:] == right[i:] and min(map(len, left[i:])) > max(map(len, left[:i])):
            legend = [*left[i:], *legend]
            left, right = left[:i], right[:i]
            break
    both = beside("\n".join(left), "\n".join(right)).splitlines()
    if sys.stdout.isatty() and max(map(len, both)) > shutil.get_terminal_size().columns:
        both = [*left, "", *right]
    return "\n".join([*both, "", *legend])


@app.command()
def rate(
    names: options.InstanceNames,
    timeout: options.Timeout = None,
    settings: options.Changes = None,
    in_order: Annotated[bool, typer.Option("--sort", help="list the puzzles from the easiest to the hardest")] = False,
    as_json: options.AsJson = False,
) -> None:
    """Rate each puzzle: solved by propagation (easy), by failed literals (medium) or only by search (hard).

    The effort grades puzzles of the same level.
    """
    from jigsat.analysis.difficulty import rating  # imports much that `unique` does not need

    limits = options.limits_from_options(timeout)
    puzzles = _puzzles(names, settings, limits, UNRATED, as_json)
    rated: list[tuple[Puzzle, Rating]] = []
    stopped: Stopped | KeyboardInterrupt | None = None
    with held_interrupts():
        try:
            for puzzle, found in answer_with_progress("rating", puzzles, rating, limits):
                rated.append((puzzle, found))
                if not (as_json or in_order):
                    print_line(f"{puzzle.name}: {found}")
        except (Stopped, KeyboardInterrupt) as reason:
            stopped = reason
        if in_order:
            rated.sort(key=lambda pair: pair[1].order)
        if as_json:
            nothing = {**UNRATED, "stopped_by": stopped_by(stopped)}
            said = [{"instance": puzzle.name, **found.json()} for puzzle, found in rated]
            _print_objects(said + [{"instance": puzzle.name, **nothing} for puzzle in puzzles[len(rated) :]])
        elif in_order:
            for puzzle, found in rated:
                print_line(f"{puzzle.name}: {found}")
    if stopped:
        raise stopped
