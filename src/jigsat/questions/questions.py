"""What can be asked about a puzzle or a formula, and what may be used to answer it."""

from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar, TypeAlias

from jigsat.backends import AUTO
from jigsat.errors import InputError
from jigsat.formula import Lowering
from jigsat.symmetry import Level, Placement


@dataclass(frozen=True)
class Solutions:
    """Each distinct solution up to a level of symmetry, and their number; at most `limit` of them.

    With `minimize`, only the solutions of least cost are meant. `lowering` says how constraints
    become clauses.
    """

    up_to: Level = Level.ROTATION
    limit: int | None = None
    minimize: bool = False
    lowering: Lowering | None = None
    doing: ClassVar = ""

    @property
    def is_usual(self) -> bool:
        """Whether all solutions are meant, and the constraints become clauses in the usual way."""
        return not self.minimize and self.lowering in (None, Lowering())

    @property
    def wants_only_numbers(self) -> bool:
        """Whether the answer is a number of all solutions, which need not be listed."""
        return False


@dataclass(frozen=True)
class Count(Solutions):
    """Only the number of solutions, in total and up to each level of symmetry."""

    @property
    def wants_only_numbers(self) -> bool:
        return self.limit is None and self.is_usual


@dataclass(frozen=True)
class FirstSolutions:
    """The first distinct solutions of a puzzle; two are enough to tell whether it has exactly one.

    Each solution after the first is represented by the member of its orbit that is most similar to
    the first. With `explain`, also why there is none.
    """

    up_to: Level = Level.NOTHING
    limit: int | None = 2
    explain: bool = True
    doing: ClassVar = ""


@dataclass(frozen=True)
class Rate:
    """How difficult a puzzle is."""

    doing: ClassVar = "rating"


@dataclass(frozen=True)
class FindCandidates:
    """Which placements are in all solutions that have those `given`, in some, or in none. With
    `count`, also in how many."""

    given: tuple[Placement, ...] = ()
    count: bool = False


@dataclass(frozen=True)
class FindAlternatives:
    """What can be at a place that several placements determine, such as the words of a slot, in a
    solution that has those `given`."""

    place: str
    given: tuple[Placement, ...] = ()


PuzzleQuestion: TypeAlias = FirstSolutions | Rate
"""A question that is asked about each puzzle of a file. `doing` says what takes the time, such as
'rating'; it is empty for a search."""

Question: TypeAlias = Solutions | Count | FirstSolutions | Rate | FindCandidates | FindAlternatives


@dataclass(frozen=True)
class Means:
    """What may be used to answer.

    - `backend`: the name of a backend, or `auto`.
    - `jobs`: the number of processes of this machine.
    - `cluster`: the workers that search instead of this machine's.
    - `store`: a file that keeps the state of the search. `source` is what the file calls several
      puzzles, such as the name of the file that they come from.
    - `timeout`: in seconds. `memory`: in bytes, for all processes together.
    """

    backend: str = AUTO
    jobs: int = 1
    cluster: str | None = None
    store: Path | None = None
    timeout: float | None = None
    memory: int | None = None
    source: str = ""

    @property
    def need_process(self) -> bool:
        """Whether the work must be done in another process, which is stopped at a limit.

        A process in which Dask was started cannot be forked any more.
        """
        limits = (self.timeout, self.memory, self.cluster)
        return any(limit is not None for limit in limits)

    def __post_init__(self) -> None:
        if self.cluster is not None and self.jobs > 1:
            raise InputError(
                "--jobs cannot be combined with --cluster; the cluster has its own workers"
            )
