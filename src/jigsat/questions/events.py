"""What happens while a question is answered. An answer is the sum of its events.

Each event is plain data and true by itself. The same events come from a search in this process,
from another process, and from the file of an earlier run.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TypeAlias

from jigsat.questions.candidates import Status
from jigsat.questions.ratings import Rating
from jigsat.questions.reasons import FoundReasons
from jigsat.subject import Stated
from jigsat.symmetry import Level, Placement


@dataclass(frozen=True)
class Chosen:
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


@dataclass(frozen=True)
class Found:
    """A new distinct solution, which was checked, and its relation to an earlier one.

    `totals` are the numbers so far; None if nobody asked for them.
    """

    placements: Stated
    relation: str = ""
    totals: Totals | None = None


@dataclass(frozen=True)
class Counted:
    """The numbers so far."""

    totals: Totals


@dataclass(frozen=True)
class MinimumBounded:
    """The minimum of the objective is proved to be at least `lower`, and a solution, which was
    checked, has the cost `best`; its `placements` are missing if they were told before."""

    lower: int
    best: int
    placements: Stated | None = None


@dataclass(frozen=True)
class MinimumProved:
    """The minimum of the objective; None if there is no solution."""

    minimum: int | None


@dataclass(frozen=True)
class Established:
    """It is established that there are no other solutions, and how."""

    by: str
    totals: Totals | None = None


@dataclass(frozen=True)
class Explained:
    """A reason why there is no solution."""

    reason: FoundReasons


@dataclass(frozen=True)
class ReasonsEnded:
    """There are no other simple reasons, or a sentence says which were not looked for."""

    unfinished: str


@dataclass(frozen=True)
class Rated:
    """The difficulty is known."""

    rating: Rating


@dataclass(frozen=True)
class Decided:
    """What is known from now on: the status of these placements, those that were seen in a
    solution, and whether there is one."""

    statuses: dict[Placement, Status]
    possible: frozenset[Placement] = frozenset()
    solvable: bool | None = None


@dataclass(frozen=True)
class CandidatesEnded:
    """The status of every placement is known.

    `counts` are the numbers of solutions with each, and `total` that of all, if they were asked
    for. `conflict` has given placements that no solution has together.
    """

    counts: dict[Placement, int] | None = None
    total: int | None = None
    conflict: tuple[Placement, ...] = ()


@dataclass(frozen=True)
class Judged:
    """The status of these alternatives from now on; if it is `complete`, none is unknown."""

    statuses: dict[str, Status]
    complete: bool = False


@dataclass(frozen=True)
class Halted:
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
