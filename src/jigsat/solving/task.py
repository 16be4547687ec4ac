"""What is asked about a puzzle or formula, what may be used to answer it, and what comes back."""

from collections.abc import Generator
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Annotated, Any, Literal, NamedTuple, Protocol, TypeAlias

from pydantic import PlainSerializer

from jigsat.backends import AUTO
from jigsat.errors import InputError
from jigsat.formula import Lowering
from jigsat.puzzle import Known
from jigsat.runtime.child import Progress
from jigsat.subject import Stated, Subject
from jigsat.symmetry import Level, Model, add_levels, in_words
from jigsat.words import plural

Want: TypeAlias = Literal["solutions", "count"]
NOT_CONFIRMED = ", not confirmed"
"""What `established_by` adds if counting found no solution, and no second way confirmed it soon."""

MAX_EXACT_INTEGER = 2**53  # whole numbers up to this one are exact in JavaScript

Number: TypeAlias = Annotated[
    int,
    PlainSerializer(
        lambda number: number if abs(number) <= MAX_EXACT_INTEGER else str(number),
        int | str,
        "json",
    ),
]
"""A number that messages to the page have as a string of digits if JavaScript cannot represent
it."""


@dataclass(frozen=True)
class Task:
    """What is asked: the solutions of a subject or their number, up to a level of symmetry.

    With `minimize`, only the solutions of least cost are meant.
    """

    subject: Subject[Any]
    want: Want = "solutions"
    up_to: Level = Level.ROTATION
    limit: int | None = None
    minimize: bool = False
    lowering: Lowering | None = None

    @property
    def wants_only_numbers(self) -> bool:
        """Whether the answer is a number of all solutions, which need not be listed."""
        return (
            self.want == "count"
            and self.limit is None
            and not self.minimize
            and self._has_own_encoding
        )

    @property
    def can_be_split(self) -> bool:
        """Whether subproblems can be searched separately, in other processes."""
        return (
            self.up_to.is_declared
            and not self.minimize
            and self._has_own_encoding
            and self.subject.can_be_sent
        )

    @property
    def _has_own_encoding(self) -> bool:
        return self.lowering in (None, Lowering())


@dataclass(frozen=True)
class Resources:
    """What may be used: a backend, processes of this machine or a cluster, and a file that keeps
    the state of the search."""

    backend: str = AUTO
    jobs: int = 1
    cluster: str | None = None
    store: Path | None = None

    def __post_init__(self) -> None:
        if self.cluster is not None and self.jobs > 1:
            raise InputError(
                "--jobs cannot be combined with --cluster; the cluster has its own workers"
            )


@dataclass(repr=False)
class Result:
    """What is known so far about a puzzle's solutions; the fields are those of `jigsat count
    --json` and of the page's message.

    `established_by` is the name of the proof that there are no other solutions: 'refutation',
    'exhaustion', 'rank', 'counting' or 'reason', perhaps with what did it, or `NOT_CONFIRMED`.

    `print` shows the summary line of the command line. `minimum_proved` is None unless the minimum
    was requested. It does not depend on `complete`: the minimum is proved before the solutions that
    attain it are listed. Until then, it is at least `lower_bound`, and `best_cost` is that of a
    solution, which was checked.
    """

    instance: str
    backend: str
    solutions: Number = 0
    distinct: dict[Level, Number] = field(default_factory=dict)
    minimum: Number | None = None
    minimum_proved: bool | None = None
    lower_bound: Number | None = None
    best_cost: Number | None = None
    complete: bool = False
    established_by: str | None = None
    stopped_by: str | None = None
    seconds: Annotated[float, PlainSerializer(lambda seconds: round(seconds, 3), float)] = 0.0
    symmetries: dict[Level, Number] = field(default_factory=dict)
    statistics: dict[str, Number] = field(default_factory=dict)

    @property
    def uncounted(self) -> list[Level]:
        """The levels of symmetry at which distinct solutions are not counted."""
        return [level for level in self.symmetries if level not in self.distinct]

    def contradiction(self, known: Known) -> str:
        """A message about the first known fact that the counts contradict; '' if none does or the
        result is incomplete."""
        if not self.complete:
            return ""
        if self.minimum_proved is not None:  # only solutions that attain the minimum were counted
            return known.contradiction({"minimum": self.minimum})
        distinct = add_levels(self.solutions, self.distinct)
        if self.uncounted:
            distinct = {level: count for level, count in self.distinct.items() if level in distinct}
        counts: dict[str, int | None] = {"solutions": self.solutions}
        counts |= {str(level): number for level, number in distinct.items()}
        return known.contradiction(counts)

    def json(self) -> dict[str, Any]:
        """The result as a plain object."""
        return {**asdict(self), "seconds": round(self.seconds, 3)}

    def __repr__(self) -> str:
        counts = [f"solutions={self.solutions}", f"distinct={self.distinct}"] + [
            f"minimum={self.minimum}"
        ] * (self.minimum is not None)
        return f"Result({self.instance!r}, {', '.join(counts)}, complete={self.complete})"

    def __str__(self) -> str:
        at_least = "" if self.complete else "at least "
        number = plural(self.solutions, "solution")
        counted = f"{at_least}{number}" if self.solutions else "no solution"
        if self.solutions:
            counted += (
                f" with the minimum {self.minimum} (proved)" if self.minimum is not None else ""
            )
            counted += in_words(self.distinct)
            if self.uncounted:
                counted += (
                    f", not counted up to {' or '.join(level.in_words for level in self.uncounted)}"
                )
        elif not self.complete:
            counted = "no solution found so far"
            counted += (
                f"; the minimum is {self.minimum} (proved)" if self.minimum is not None else ""
            )
        if self.lower_bound is not None:
            counted += f"; the minimum is at least {self.lower_bound} (proved)"
            counted += f", and the best cost found is {self.best_cost}"
        elif self.minimum_proved is False:
            counted += "; the minimum is not known yet"
        if self.complete:
            by = str(self.established_by)
            # 'counting', or 'counting by' a program, names it; a reason is no backend's
            if by != "reason" and not by.removesuffix(NOT_CONFIRMED).endswith(self.backend):
                by += f", {self.backend}"
            how = f"complete (by {by}, {self.seconds:.2f} s)"
        else:
            how = f"incomplete: stopped by {self.stopped_by} ({self.backend}, {self.seconds:.2f} s)"
        return f"{self.instance}: {counted}; {how}"


class Event(NamedTuple):
    """One of three: a new `solution`, which is checked, with its `relation` to an earlier one; new
    numbers in the `result`; or `words` that tell what is done from now on and why, whose result is
    ignored.

    The result may be one object that the search goes on to change.
    """

    result: Result
    solution: Stated | None = None
    relation: str = ""
    words: str = ""


@dataclass(frozen=True)
class Handover:
    """What is known when one strategy passes the task on to the next.

    `backend` is the one to continue with. `found` are the distinct solutions that were reported,
    each as the first member of its orbit, and `solutions` is the number of all.
    """

    backend: str
    found: tuple[Model, ...] = ()
    solutions: int = 0
    statistics: dict[str, int] = field(default_factory=dict)


class Strategy(Protocol):
    """One way to answer a task."""

    @property
    def reason(self) -> str:
        """What is done, and why."""

    def run(
        self, before: Handover, progress: Progress | None
    ) -> Generator[Event, None, Handover | None]:
        """Report what changes. Returns None at the end, or what is known if the next strategy is to
        continue."""
