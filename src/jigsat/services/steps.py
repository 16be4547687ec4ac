"""The service that explains how a puzzle is solved."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import TypeAlias

from jigsat.errors import InputError, Interrupted, Stopped
from jigsat.puzzle import Puzzle
from jigsat.study.candidates import find_candidates
from jigsat.study.steps import NOTHING_LEFT, Step, find_steps
from jigsat.symmetry import Placement
from jigsat.words import plural


class Phase(Enum):
    """What is done before the first step or the hint."""

    READING = "reading the puzzle"
    IN_COMMON = "finding out what all solutions have in common"
    SEARCHING = "trying one, two and more rules until something follows"
    HINTING = "finding out what all solutions have in common, and what follows next"


@dataclass(frozen=True)
class Undecided:
    """The number of placements that are in some solutions but not in all, after the last step."""

    number: int


StepEvent: TypeAlias = Phase | Step | Undecided


class NoSuchSolution(InputError):
    """No solution has the given placements."""


@dataclass
class Explained:
    """The steps, the number of placements that are then undecided, and what stopped the search."""

    steps: list[Step] = field(default_factory=list)
    undecided: int = 0
    stopped: Stopped | Interrupted | None = None


def explain_steps(puzzle: Puzzle, given: Sequence[Placement] = ()) -> Iterator[StepEvent]:
    """What is tried, the steps, and what is then undecided.

    Raises NoSuchSolution if there are given placements and no solution has all of them, and
    InputError if there is no solution at all.
    """
    yield Phase.IN_COMMON
    *_, candidates = find_candidates(puzzle, given)
    if given and not candidates.solvable:
        raise NoSuchSolution(f"no solution of {puzzle.name} has all of the given placements")
    yield Phase.SEARCHING
    undecided = yield from find_steps(puzzle, given, candidates)
    yield Undecided(undecided)


def describe_end(explained: Explained) -> str:
    """The sentence after the last step; '' if the steps solve the puzzle."""
    if explained.stopped is not None:
        stopped = explained.stopped
        return f"not finished: stopped by {stopped.reason}"
    if explained.undecided:
        number = plural(explained.undecided, "placement")
        return f"several solutions: {number} in some but not in all"
    if not explained.steps:
        return NOTHING_LEFT
    if explained.steps[0].kind == "by symmetry":
        return "every other solution is an image of this one under a symmetry"
    return ""
