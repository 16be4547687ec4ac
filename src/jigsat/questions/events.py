"""What happens while a question is answered. An answer is the sum of its events.

Each event is plain data and true by itself. The same events come from a search in this process,
from another process, and from the file of an earlier run.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple, TypeAlias

from jigsat.questions.candidates import Status
from jigsat.questions.ratings import Rating
from jigsat.questions.reasons import FoundReasons
from jigsat.subject import Stated
from jigsat.symmetry import Level, Placement


class Chosen(NamedTuple):
    """What is done from now on, and why."""

    why: str
    backend: str = ""  # the backend that goes on with the search, if it is another one


@dataclass(frozen=True)
class LongSearch:
    """A search begins that may take long, so what is known should not be held back."""


@dataclass(frozen=True)
class Totals:
    """The numbers so far: all solutions, and distinct ones at each level of symmetry.

    `symmetries` has the orders of the groups of all levels; a level that is not counted is not in
    `distinct`. `statistics` are those of the solver.
    """

    backend: str
    solutions: int
    distinct: dict[Level, int]
    symmetries: dict[Level, int]
    statistics: dict[str, int] = field(default_factory=dict)


class Found(NamedTuple):
    """A new distinct solution, which was checked, and its relation to an earlier one.

    `totals` are the numbers so far; None if nobody asked for them.
    """

    placements: Stated
    relation: str = ""
    totals: Totals | None = None


class Counted(NamedTuple):
    """The numbers so far."""

    totals: Totals


class MinimumBounded(NamedTuple):
    """The minimum of the objective is proved to be at least `lower`, and a solution, which was
    checked, has the cost `best`; its `placements` are missing if they were told before."""

    lower: int
    best: int
    placements: Stated | None = None


class MinimumProved(NamedTuple):
    """The minimum of the objective; None if there is no solution."""

    minimum: int | None


class Established(NamedTuple):
    """It is established that there are no other solutions, and how."""

    by: str
    totals: Totals | None = None


class Explained(NamedTuple):
    """A reason why there is no solution."""

    reason: FoundReasons


class ReasonsEnded(NamedTuple):
    """There are no other simple reasons, or a sentence says which were not looked for."""

    unfinished: str


class Rated(NamedTuple):
    """The difficulty is known."""

    rating: Rating


class Decided(NamedTuple):
    """What is known from now on: the status of these placements, those that were seen in a
    solution, and whether there is one."""

    statuses: dict[Placement, Status]
    possible: frozenset[Placement] = frozenset()
    solvable: bool | None = None


class CandidatesEnded(NamedTuple):
    """The status of every placement is known.

    `counts` are the numbers of solutions with each, and `total` that of all, if they were asked
    for. `conflict` has given placements that no solution has together.
    """

    counts: dict[Placement, int] | None = None
    total: int | None = None
    conflict: tuple[Placement, ...] = ()


class Judged(NamedTuple):
    """The status of these alternatives from now on; if it is `complete`, none is unknown."""

    statuses: dict[str, Status]
    complete: bool = False


class Halted(NamedTuple):
    """The work was stopped before the answer was final, by a limit for example."""

    reason: str


Event: TypeAlias = (
    Chosen
    | LongSearch
    | Found
    | Counted
    | MinimumBounded
    | MinimumProved
    | Established
    | Explained
    | ReasonsEnded
    | Rated
    | Decided
    | CandidatesEnded
    | Judged
    | Halted
)
