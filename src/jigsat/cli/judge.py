"""The commands `unique` and `rate`."""

from __future__ import annotations

import shutil
import sys
from contextlib import closing
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from jigsat.backends import AUTO
from jigsat.cli import options
from jigsat.cli.common import app, live, print_json, print_line, say, write_gallery
from jigsat.cli.files import require_output, write_puzzles
from jigsat.cli.inputs import Inputs, list_files
from jigsat.cli.replies import (
    VERDICTS,
    PuzzleReply,
    make_question,
    print_replies,
    reply_to_each,
    stopped_by,
)
from jigsat.errors import InputError, Stopped, unknown
from jigsat.pictures import beside
from jigsat.puzzle import Puzzle, Solution
from jigsat.runtime.child import held_interrupts
from jigsat.runtime.limits import Limits
from jigsat.solving.many import answer_each
from jigsat.solving.task import Resources
from jigsat.subject import change

if TYPE_CHECKING:
    from jigsat.analysis.difficulty import Rating

UNANSWERED: dict[str, Any] = {
    "unique": None,
    "complete": False,
    "answer": "",
    "found": [],
    "reasons": None,
}
UNRATED: dict[str, Any] = {"level": None}

Store = Annotated[
    Path | None, typer.Option("--store", help="keep the answers in this file and resume it")
]


def _read_puzzles(
    inputs: Inputs,
    settings: list[str] | None,
    limits: Limits,
    nothing: dict[str, Any],
    as_json: bool,
) -> list[Puzzle]:
    """The puzzles in all of the files. If reading is stopped, the answer for each file is
    unknown."""
    try:
        inputs.read(settings, limits)
    except (Stopped, KeyboardInterrupt) as reason:
        if as_json:
            for name in inputs.files:
                print_json(
                    {"instance": Path(name).stem, **nothing, "stopped_by": stopped_by(reason)}
                )
        raise
    return list(chain(*inputs.puzzles.values()))


@app.command()
def unique(
    names: options.InstanceNames,
    backend: options.BackendOption = AUTO,
    up_to: options.UpTo = "rotation",
    timeout: options.Timeout = None,
    settings: options.Changes = None,
    jobs: options.Jobs = 1,
    store: Store = None,
    cluster: options.Cluster = None,
    only: Annotated[
        str | None,
        typer.Option(
            metavar="VERDICT",
            help=f"write the puzzles with this verdict to -o: {', '.join(VERDICTS)}",
        ),
    ] = None,
    output: Annotated[
        Path | None,
        typer.Option(
            "-o",
            "--output",
            metavar="FILE",
            help="the new file for --only, or a folder for several",
        ),
    ] = None,
    show: Annotated[
        int, typer.Option(min=0, help="number of puzzles whose two solutions are drawn")
    ] = 3,
    picture: options.PictureOption = None,
    as_json: options.AsJson = False,
) -> None:
    """Tell whether each puzzle has exactly one solution. If not, draw two side by side and mark the
    differences."""
    if (only is None) != (output is None) or (only and settings):
        raise InputError(
            "--only needs -o FILE, and -o needs --only; neither can be combined with --set"
        )
    inputs = Inputs(list_files(names))
    if only is not None and output is not None:
        if only not in VERDICTS:
            raise InputError(f"--only: {unknown('verdict', only, VERDICTS)}")
        require_output(output, len(inputs.files))
        if output.is_file():
            raise InputError(f"{output}: exists already; name another file")
    resources = Resources(jobs=jobs, cluster=cluster, store=store)
    limits = options.limits_from_options(timeout)
    question = make_question(backend, up_to)
    puzzles = _read_puzzles(inputs, settings, limits, UNANSWERED, as_json)
    drawn: list[str] = []

    def draw(reply: PuzzleReply) -> int:
        if len(reply.answer.solutions) > 1 and len(drawn) < 2 * show:
            one, other = reply.answer.solutions
            marked = one.differing(other)
            drawn.extend([one.svg(marked), other.svg(marked)])
            if not as_json:
                print(f"{_side_by_side(one, other)}\n", flush=True)
        return show

    stem = inputs.stem()
    with (
        held_interrupts(),
        closing(reply_to_each(question, puzzles, resources, limits.timeout, stem)) as replies,
    ):
        mirrored = (
            reply if as_json else _up_to_reflection(reply, backend, limits) for reply in replies
        )
        verdicts, reason = print_replies(mirrored, draw, as_json)
        if output is not None:
            write_puzzles(inputs, [verdict == only for verdict in verdicts], output)
        if picture is not None and drawn:
            write_gallery(picture, drawn, limits, columns=2)
        elif picture is not None and not as_json:
            say(f"{picture}: not written, because there are not two solutions to draw")
    if reason:
        raise reason
    inputs.require_all()


# relation of a second solution that is a mirror image of the first, without other differences
MIRRORED = "solution 1 mirrored"


def _up_to_reflection(reply: PuzzleReply, backend: str, limits: Limits) -> PuzzleReply:
    """The reply; if the second solution is a mirror image of the first, also whether there are no
    others up to reflection."""
    if reply.reason or not any(
        solution.relation == MIRRORED for solution in reply.answer.solutions
    ):
        return reply
    (again,) = reply_to_each(
        make_question(backend, "reflection"), [reply.answer.puzzle], Resources(), limits.timeout
    )
    return reply._replace(mirrored=again.answer.unique)


def _side_by_side(one: Solution, other: Solution) -> str:
    """Two solutions with a star at each difference, one below the other if the terminal is too
    narrow."""
    marked = one.differing(other)
    left, right = (
        f"Solution {i}\n\n{solution.text(marked)}".splitlines()
        for i, solution in enumerate((one, other), 1)
    )
    difference = change(one.placements, other.placements, type(one.puzzle))
    legend = [f"stars mark the differences: {difference}"]
    if other.relation not in ("", f"solution 1 with {difference}"):
        legend.append(
            f"solution 2 is {other.relation}; --up-to decides whether turned or mirrored "
            f"solutions count as one"
        )
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
    jobs: options.Jobs = 1,
    store: Store = None,
    cluster: options.Cluster = None,
    in_order: Annotated[
        bool, typer.Option("--sort", help="list the puzzles from the easiest to the hardest")
    ] = False,
    as_json: options.AsJson = False,
) -> None:
    """Rate each puzzle: solved by propagation (easy), by failed literals (medium) or only by search
    (hard).

    The effort grades puzzles of the same level.
    """
    from jigsat.analysis.difficulty import Rate  # imports much that `unique` does not need

    resources = Resources(jobs=jobs, cluster=cluster, store=store)
    limits = options.limits_from_options(timeout)
    inputs = Inputs(list_files(names))
    puzzles = _read_puzzles(inputs, settings, limits, UNRATED, as_json)
    rated: list[tuple[Puzzle, Rating | None]] = []
    stopped: Stopped | KeyboardInterrupt | None = None

    def show(puzzle: Puzzle, found: Rating | None) -> None:
        if as_json:
            print_json(
                {
                    "instance": puzzle.name,
                    **(found.json() if found else {**UNRATED, "stopped_by": stopped_by(stopped)}),
                }
            )
        elif found:
            print_line(f"{puzzle.name}: {found}")

    stem = inputs.stem()
    with (
        held_interrupts(),
        live(lambda: f"rating {len(rated) + 1:,} of {len(puzzles):,}"),
        closing(answer_each(Rate(), puzzles, resources, limits.timeout, stem)) as answers,
    ):
        for puzzle, found, reason in answers:
            stopped = stopped or reason
            rated.append((puzzle, found))
            if not in_order:
                show(puzzle, found)
        if in_order:
            for puzzle, found in sorted(
                rated, key=lambda pair: pair[1].order(pair[0].known) if pair[1] else (len(rated),)
            ):
                show(puzzle, found)
    if stopped:
        raise stopped
    inputs.require_all()
