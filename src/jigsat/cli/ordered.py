"""`jigsat solve --sorted`: the solutions in sorted order."""

from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any

from jigsat.cli.answers import stopped_by
from jigsat.cli.colour import print_picture
from jigsat.cli.common import print_json, print_line, write_gallery
from jigsat.errors import InputError, stops_named
from jigsat.puzzle import Puzzle, Solution
from jigsat.runtime.child import Child, held_interrupts
from jigsat.runtime.limits import Limits
from jigsat.solving.in_order import Exhausted, list_in_order
from jigsat.subject import FormulaSubject, subject_of
from jigsat.symmetry import Level
from jigsat.words import plural


def refuse_levels(name: str, up_to: str | None) -> None:
    """Raise InputError for a level of symmetry: the list has all solutions."""
    if up_to not in (None, Level.NOTHING):
        raise InputError(
            f"{name}: --sorted lists turned and mirrored solutions as different ones; write "
            f"--up-to nothing, or leave it out"
        )


def show_in_order(
    problem: Puzzle | FormulaSubject,
    limits: Limits,
    *,
    skip: int,
    limit: int | None,
    show: int,
    picture: Path | None,
    as_json: bool,
) -> None:
    """Print the solutions in sorted order, without the first `skip`."""
    subject = subject_of(problem)
    solutions: list[Any] = []
    number = 0
    end: Exhausted | None = None
    with held_interrupts(), stops_named(subject.name):
        job = partial(list_in_order, subject, skip)
        run = Child(job, timeout=limits.timeout, memory=limits.memory)
        for item in islice(run.until_stopped(), limit):
            if isinstance(item, Exhausted):
                end = item
                break
            number += 1
            if not as_json and number > show:
                continue
            solution = subject.solution(item, "")
            solutions.append(solution)
            if not as_json:
                print_picture(solution.text(), f"Solution {skip + number:,}")
        run.close()

        if as_json:
            print_json(
                {
                    "instance": subject.name,
                    "skipped": skip,
                    "complete": end is not None,
                    "established_by": end.established_by if end else None,
                    "stopped_by": stopped_by(run.stopped),
                    "found": [solution.objects() for solution in solutions],
                }
            )
        else:
            if number > len(solutions):
                hidden = number - len(solutions)
                print_line(f"{hidden:,} more not drawn; --show {number} draws all")
                print_line()
            print_line(f"{subject.name}: {describe_range(skip, number, end)}")
        if picture is not None and solutions:
            pictures = [item.svg() for item in solutions[:show] if isinstance(item, Solution)]
            write_gallery(picture, pictures, limits)
        if run.stopped:
            raise run.stopped


def describe_range(skip: int, number: int, end: Exhausted | None) -> str:
    """Which solutions were listed.

    >>> describe_range(0, 3, None)
    'the first 3 solutions in sorted order'
    >>> describe_range(9_999, 1, None)
    'solution 10,000 in sorted order'
    >>> describe_range(280, 8, Exhausted("cover", "exhaustion"))
    'solutions 281 to 288 in sorted order; there is no further one (by exhaustion)'
    >>> describe_range(300, 0, Exhausted("cover", "exhaustion"))
    'there are at most 300 solutions (by exhaustion), so none is left'
    """
    if end and number == 0:
        if skip == 0:
            return f"no solution (by {end.established_by})"
        return (
            f"there are at most {plural(skip, 'solution')} (by {end.established_by}), so none is "
            f"left"
        )
    if number == 0:
        return "no solution was listed"
    if number == 1:
        listed = f"solution {skip + 1:,}"
    elif skip == 0:
        listed = f"the first {number:,} solutions"
    else:
        listed = f"solutions {skip + 1:,} to {skip + number:,}"
    listed += " in sorted order"
    return f"{listed}; there is no further one (by {end.established_by})" if end else listed
