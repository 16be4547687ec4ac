"""What is asked about a puzzle or formula, what may be used to answer it, and what comes back."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, NamedTuple, Protocol, TypeAlias

from jigsat.backends import AUTO
from jigsat.errors import InputError
from jigsat.formula import Lowering
from jigsat.runtime.progress import Progress
from jigsat.solving.result import Result
from jigsat.subject.subject import Stated, Subject
from jigsat.symmetry import LEVELS, Model

Want: TypeAlias = Literal["solutions", "count"]


@dataclass(frozen=True)
class Task:
    """What is asked: the solutions of a subject or their number, up to a level of symmetry.

    With `minimize`, only the solutions of least cost are meant.
    """

    subject: Subject[Any]
    want: Want = "solutions"
    up_to: str = "rotation"
    limit: int | None = None
    minimize: bool = False
    lowering: Lowering | None = None

    @property
    def wants_only_numbers(self) -> bool:
        """Whether the answer is a number of all solutions, which need not be listed."""
        return self.want == "count" and self.limit is None and not self.minimize and self._has_own_encoding

    @property
    def can_be_split(self) -> bool:
        """Whether subproblems can be searched separately, in other processes."""
        return self.up_to in LEVELS and not self.minimize and self._has_own_encoding and self.subject.can_be_sent

    @property
    def _has_own_encoding(self) -> bool:
        return self.lowering in (None, Lowering())


@dataclass(frozen=True)
class Resources:
    """What may be used: a backend, processes of this machine or a cluster, and a file that keeps the state of the search."""

    backend: str = AUTO
    jobs: int = 1
    cluster: str | None = None
    store: Path | None = None

    def __post_init__(self) -> None:
        if self.cluster is not None and self.jobs > 1:
            raise InputError("--jobs cannot be combined with --cluster; the cluster has its own workers")


class Event(NamedTuple):
    """One of three: a new `solution`, which is checked, with its `relation` to an earlier one; new numbers in the `result`; or
    `words` that tell what is done from now on and why, whose result is ignored.

    The result may be one object that the search goes on to change.
    """

    result: Result
    solution: Stated | None = None
    relation: str = ""
    words: str = ""


@dataclass(frozen=True)
class Handover:
    """What is known when one strategy passes the task on to the next.

    `backend` is the one to continue with. `found` are the distinct solutions that were reported, each as the first member of
    its orbit, and `solutions` is the number of all.
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

    def run(self, before: Handover, progress: Progress | None) -> Generator[Event, None, Handover | None]:
        """Report what changes. Returns None at the end, or what is known if the next strategy is to continue."""
