"""The commands `unique` and `rate`."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Iterator, Sequence
from contextlib import closing, suppress
from functools import partial
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, get_args

import typer

from jigsat import instance
from jigsat.answering.many import find_first_solutions, rate_each
from jigsat.backends import AUTO
from jigsat.cli import options
from jigsat.cli.answers import chosen_question, print_answers, stopped_by
from jigsat.cli.common import app, live, print_json, print_line, say, write_gallery
from jigsat.cli.files import require_output, write_puzzles
from jigsat.cli.inputs import Inputs
from jigsat.errors import InputError, Stopped, unknown
from jigsat.pictures import beside
from jigsat.puzzle import Puzzle, Solution
from jigsat.questions import (
    VERDICTS,
    Answer,
    FirstSolutions,
    LevelOrGrade,
    Means,
    RatingAnswer,
)
from jigsat.runtime.child import held_interrupts
from jigsat.runtime.limits import Limits
from jigsat.services.files import list_files
from jigsat.subject import change
from jigsat.symmetry import Level

if TYPE_CHECKING:
    from jigsat.rating.grades import Grade

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
                answer = {"instance": instance.name_source(name), **nothing}
                print_json({**answer, "stopped_by": stopped_by(reason)})
        raise
    return list(chain(*inputs.puzzles.values()))


Output = Annotated[
    Path | None,
    typer.Option(
        "-o",
        "--output",
        metavar="FILE",
        help="the new file for --only, or a folder for several",
    ),
]


def _require_selection(
    what: str,
    only: str | None,
    known: Sequence[str],
    inputs: Inputs,
    output: Path | None,
    settings: list[str] | None,
) -> None:
    """Raises InputError for an option `--only` that is unknown or cannot be used with others, and
    for an output that exists."""
    if (only is None) != (output is None) or (only and settings):
        raise InputError(
            "--only needs -o FILE, and -o needs --only; neither can be combined with --set"
        )
    if only is None or output is None:
        return
    if only not in known:
        raise InputError(f"--only: {unknown(what, only, known)}")
    require_output(output, len(inputs.files))
    if output.is_file():
        raise InputError(f"{output}: exists already; name another file")


def _write_selection(inputs: Inputs, selection: Sequence[bool], output: Path) -> None:
    """Write the puzzles that are kept, or say that there are none."""
    write_puzzles(inputs, selection, output)
    if not any(selection):
        say(f"{output}: nothing was written, because --only matches none of the puzzles")


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
    output: Output = None,
    show: Annotated[
        int, typer.Option(min=0, help="number of puzzles whose two solutions are drawn")
    ] = 3,
    picture: options.PictureOption = None,
    as_json: options.AsJson = False,
) -> None:
    """Tell whether each puzzle has exactly one solution. If not, draw two side by side and mark the
    differences."""
    inputs = Inputs(list_files(names))
    _require_selection("verdict", only, VERDICTS, inputs, output, settings)
    limits = options.limits_from_options(timeout)
    question = chosen_question(backend, options.chosen_level(up_to, declared=True))
    puzzles = _read_puzzles(inputs, settings, limits, UNANSWERED, as_json)
    means = Means(backend, jobs, cluster, store, limits.timeout, source=inputs.stem())
    pictures: list[str] = []

    def draw(answer: Answer) -> int:
        if len(answer.solutions) > 1 and len(pictures) < 2 * show:
            one, other = answer.solutions
            marked = one.differing(other)
            pictures.extend([one.svg(marked), other.svg(marked)])
            if not as_json:
                print(f"{_side_by_side(one, other)}\n", flush=True)
        return show

    remark = partial(_remark_on_others, backend, limits)
    with (
        held_interrupts(),
        closing(find_first_solutions(question, puzzles, means)) as answers,
    ):
        verdicts, reason = print_answers(answers, draw, as_json, remark)
        if output is not None:
            _write_selection(inputs, [verdict == only for verdict in verdicts], output)
        if picture is not None and pictures:
            write_gallery(picture, pictures, limits, columns=2)
        elif picture is not None and not as_json:
            say(f"{picture}: not written, because there are not two solutions to draw")
    if reason:
        raise reason
    inputs.require_all()


# relation of a second solution that is a mirror image of the first, without other differences
MIRRORED = "solution 1 mirrored"


def _remark_on_others(backend: str, limits: Limits, answer: Answer) -> str:
    """What to know about the other solutions, if there are any."""
    return _remark_on_mirroring(backend, limits, answer) + _remark_on_best(limits, answer)


def _remark_on_best(limits: Limits, answer: Answer) -> str:
    """If a puzzle asks for a best solution, that all solutions were considered, and how to find
    the best ones."""
    if len(answer.solutions) < 2:
        return ""
    with suppress(Stopped, KeyboardInterrupt), limits.hold():
        if answer.puzzle.encode().objective:
            command = "`jigsat solve --minimize`"
            return f"; all solutions count here, good or bad: {command} finds the best ones"
    return ""


def _remark_on_mirroring(backend: str, limits: Limits, answer: Answer) -> str:
    """If the second solution is a mirror image of the first, whether there are no others up to
    reflection."""
    mirrored = any(solution.relation == MIRRORED for solution in answer.solutions)
    if not mirrored or answer.stopped_by is not None:
        return ""
    question = FirstSolutions(Level.REFLECTION)
    means = Means(backend, timeout=limits.timeout)
    with suppress(Stopped, KeyboardInterrupt):
        (again,) = find_first_solutions(question, [answer.puzzle], means)
        return ", but unique up to reflection" if again.unique else ""
    return ""


def _side_by_side(one: Solution, other: Solution) -> str:
    """Two solutions with an asterisk at each difference, one below the other if the terminal is too
    narrow."""
    marked = one.differing(other)
    left, right = (
        f"Solution {i}\n\n{solution.text(marked)}".splitlines()
        for i, solution in enumerate((one, other), 1)
    )
    difference = change(one.placements, other.placements, one.puzzle)
    legend = [f"asterisks mark the differences: {difference}"]
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
    only: Annotated[
        str | None,
        typer.Option(
            metavar="LEVEL",
            help="write the puzzles with this level or grade to -o: easy, medium, hard, 1 to 6",
        ),
    ] = None,
    output: Output = None,
    as_json: options.AsJson = False,
) -> None:
    """Rate each puzzle: solved by propagation (easy), by failed literals (medium) or only by search
    (hard).

    The effort grades puzzles of the same level.
    """
    from jigsat.rating.grades import (  # imports much that `unique` does not need
        find_grade,
        has_grades,
    )

    limits = options.limits_from_options(timeout)
    inputs = Inputs(list_files(names))
    _require_selection("level", only, get_args(LevelOrGrade), inputs, output, settings)
    puzzles = _read_puzzles(inputs, settings, limits, UNRATED, as_json)
    means = Means(AUTO, jobs, cluster, store, limits.timeout, source=inputs.stem())
    rated: list[RatingAnswer] = []
    grades: dict[int, Grade] = {}  # by the number of the puzzle
    stopped: Stopped | KeyboardInterrupt | None = None

    def show(number: int) -> None:
        answer = rated[number]
        grade = grades.get(number)
        if as_json:
            graded = {"grade": grade.number, "technique": grade.technique} if grade else {}
            print_json({**answer.json(), **graded})
        elif answer.rating is not None:
            words = f"{answer.puzzle.name}: {answer.rating}"
            if grade:
                words += f"; {grade}"
            elif has_grades(answer.puzzle):
                words += "; no grade, because it does not have exactly one solution"
            print_line(words)

    with (
        held_interrupts(),
        live(lambda: f"rating {len(rated) + 1:,} of {len(puzzles):,}"),
        closing(rate_each(puzzles, means)) as answers,
    ):
        try:
            for answer in answers:
                number = len(rated)
                rated.append(answer)
                grade = find_grade(answer.puzzle) if answer.rating is not None else None
                if grade is not None:
                    grades[number] = grade
                if not in_order:
                    show(number)
        except (Stopped, KeyboardInterrupt) as stop:
            stopped = stop
        if in_order:
            for number in sorted(range(len(rated)), key=lambda number: _order(rated[number])):
                show(number)
        if only is not None and output is not None:
            selection = []
            for number, answer in enumerate(rated):
                selection.append(only in _list_levels(answer, grades.get(number)))
            _write_selection(inputs, selection, output)
    if stopped:
        raise stopped
    inputs.require_all()


def _list_levels(answer: RatingAnswer, grade: Grade | None) -> Iterator[str]:
    """The level and the grade of a puzzle, if they are known."""
    if answer.rating is not None:
        yield answer.rating.level
    if grade is not None:
        yield str(grade.number)


def _order(answer: RatingAnswer) -> tuple[bool, tuple[int, ...]]:
    """The sort key of an answer: the easiest puzzles first, those without a rating last."""
    if answer.rating is None:
        return True, ()
    return False, answer.rating.order(answer.puzzle.known)
