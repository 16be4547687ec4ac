"""All solutions of a puzzle or models of a formula: decoded, checked, and counted up to
symmetry."""

import logging
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from types import TracebackType
from typing import Any, Generic, Literal, Self, TypeAlias, TypeVar, Unpack

from jigsat.answering.plan import count_stored
from jigsat.answering.task import Desk, Task
from jigsat.answering.work import answer_task
from jigsat.errors import Interrupted, Stopped
from jigsat.puzzle import Puzzle, Solution
from jigsat.questions import (
    Chosen,
    Count,
    Event,
    Found,
    Halted,
    Means,
    MinimumBounded,
    Result,
    Solutions,
)
from jigsat.runtime.child import Child, Progress
from jigsat.solving.options import DEFAULTS, SearchOptions, parse_level, show_options, validate
from jigsat.subject import Problem, Subject, Symmetries, subject_of
from jigsat.symmetry import Level, Placement

S = TypeVar("S")
Want: TypeAlias = Literal["solutions", "count"]

# gets a line for each decision about the search, at the level INFO
LOG = logging.getLogger("jigsat")


class Enumeration(Iterator[S], Generic[S]):
    """An iterator over the distinct solutions of a puzzle or models of a formula; `result` is what
    is known so far.

    Lazy: each solution is searched for when it is requested, and checked. After the last one
    `result.complete` is true. The iteration also ends after a limit, a time-out, `cancel` or a
    crash of the solver's process; then `result.complete` is false and `result.stopped_by` gives the
    reason. Ctrl-C is raised as KeyboardInterrupt, after the result and the store were brought up to
    date. A result can be both complete and stopped: then its store could not be marked as complete.

    Use it as a context manager to end the search when a block is left early:

    >>> with Enumeration("cube", up_to="reflection") as cubes:
    ...     print(len(list(cubes)), cubes.result.solutions, cubes.result.complete)
    2 96 True

    One thread at a time may iterate over it, and another may call `cancel`. Different enumerations
    may run in different threads, but they do not run faster than one after the other unless they
    have a `timeout` or `memory` limit, because then each runs in a process of its own. A program
    with threads must be importable for that: its work starts below `if __name__ == "__main__":`.
    In asyncio, call `asyncio.to_thread(next, enumeration, None)`.

    - `want`: "solutions", or "count" if only the `result` is used; then nothing is listed if a
      backend can count without it.
    - `backend`: a name from `jigsat backends`, or `auto`: CaDiCaL first, or `cover` for
      a plain exact cover, then another engine if it is likely to be faster.
    - `up_to`: count solutions up to nothing, rotation, reflection or all symmetries; each level
      includes the ones before it.
      With automorphism, up to all automorphisms of the formula, which igraph finds. If their group
      is too large to list, the
      other levels are counted at the end, and left out of `result.distinct` if their symmetries fix
      too many solutions.
    - `limit`: the maximum number of solutions.
    - `timeout`: in seconds. `memory`: in bytes, for all processes together.
    - `lowering`: how constraints become clauses; see `Lowering`.
    - `store`: a ledger, the SQLite file in which solutions or counts are kept. Solutions from an
      earlier run come first and
      are checked again, but not searched for. With `jobs` or a `cluster`, finished subproblems are
      kept as well.
    - `cluster`: the workers that search instead of this machine's, see `jigsat.runtime.cluster`.
    - `minimize`: only the solutions with the minimum of the objective, which is `result.minimum`.
      Before it is proved, `best` is the best solution so far.
    - `jobs`: the number of processes that search. Only one can search with `minimize`, with a
      `lowering` or `group`, up to
      automorphism, or with a backend that does not accept assumptions.
    - `isolated`: search in another process even without a limit, so that Ctrl-C and `cancel` stop
      any solver immediately.
    - `group`: for a formula, permutations of decision variables (`{variable: image, …}`) that
      generate its symmetries, which
      then form the level `all`.

    Raises ValueError or TypeError for an invalid option, and InputError for an invalid instance,
    backend, store or objective.
    """

    @show_options
    def __init__(
        self,
        problem: Problem,
        *,
        want: Want = "solutions",
        up_to: Level | str = Level.ROTATION,
        group: Symmetries = (),
        isolated: bool = False,
        **options: Unpack[SearchOptions],
    ) -> None:
        if unknown := options.keys() - DEFAULTS.keys():
            raise TypeError(f"unknown option `{min(unknown)}`; there are {', '.join(DEFAULTS)}")
        settings: Any = {**DEFAULTS, **options}
        level = parse_level("up_to", up_to)
        validate(**settings)
        subject: Subject[S] = subject_of(problem, group)
        kind = Count if want == "count" else Solutions
        self._question = kind(level, settings["limit"], settings["minimize"], settings["lowering"])
        self._means = Means(
            settings["backend"],
            settings["jobs"],
            settings["cluster"],
            None if settings["store"] is None else Path(settings["store"]),
            settings["timeout"],
            settings["memory"],
        )
        self._subject = subject
        task = Task(subject, self._question, self._means)
        self.stored = count_stored(task)
        self.result = task.begin_search()
        self.found = 0
        self.best: S | None = None
        self._started = time.monotonic()
        self._ended = False
        self._cancelled = False
        self._events: Iterator[Event]
        self._progress: Progress | None = None
        if isolated or self._means.need_process:
            self._progress = Progress()
            desk = Desk(self._means.backend, self._progress)
            job = partial(answer_task, task, desk)
            self._events = Child(job, timeout=self._means.timeout, memory=self._means.memory)
        else:
            self._events = answer_task(task, Desk(self._means.backend))

    def __next__(self) -> S:
        if self._ended:
            raise StopIteration
        limit = self._question.limit
        limited = limit is not None and self.found >= limit
        # With a store, the search ends by itself and closes the file.
        if limited and self._means.store is None:
            return self._end("limit")
        try:
            while not self._cancelled:
                event = next(self._events, None)
                if event is None:
                    break
                self._take_in(event)
                if isinstance(event, Found):
                    self.found += 1
                    return self._subject.solution(event.placements, event.relation)
        except Stopped as stopped:
            # The answer may be complete already; then only its store is affected.
            is_answered = self.result.complete and self._means.store is None
            return self._end(None if is_answered else stopped.reason)
        except KeyboardInterrupt as interrupt:
            self._stop(interrupt.reason if isinstance(interrupt, Interrupted) else "interrupt")
            raise
        if self._cancelled:
            return self._end("cancelled")
        return self._end("limit" if limited else None)

    def _take_in(self, event: Event) -> None:
        """Add what an event states to the result."""
        if isinstance(event, Chosen):
            LOG.info("%s: %s", self._subject.name, event.why)
        if not isinstance(event, Halted):  # whatever ends the iteration says why
            self.result.add(event)
        self.result.seconds = self.seconds()
        if isinstance(event, MinimumBounded) and event.placements is not None:
            self.best = self._subject.solution(event.placements, "")

    def _end(self, stopped_by: str | None) -> S:
        self._stop(stopped_by)
        raise StopIteration

    def _stop(self, stopped_by: str | None) -> None:
        self.result.seconds = self.seconds()
        self.result.stopped_by = stopped_by
        self.close()

    def run(self) -> Result:
        """Search to the end, and return the result."""
        for _ in self:
            pass
        return self.result

    def cancel(self) -> None:
        """Stop the search; another thread may call this. The iteration ends, and
        `result.stopped_by` is 'cancelled'.

        A search in another process (with `timeout`, `memory` or `isolated`) ends immediately.
        Otherwise it ends before the next solution.
        """
        self._cancelled = True
        if isinstance(self._events, Child):
            self._events.stop("cancelled")

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<Enumeration of {self._subject.name}, {self.found:,} found so far>"

    @property
    def progress(self) -> float | None:
        """The fraction of the search that is done, from 0 to 1, if the options of each choice take
        equally long.

        None if it is not known: before the search, for backends without a search tree unless
        several `jobs` divide the search, and if the search is not in another process.
        """
        return self._progress.fraction if self._progress else None

    def seconds(self) -> float:
        """The duration of the search so far, or in total if it has ended."""
        return self.result.seconds if self._ended else time.monotonic() - self._started

    def close(self) -> None:
        """Stop searching; the result is kept."""
        self._ended = True
        self._events.close()  # type: ignore[attr-defined]
        if self._means.store is not None and self._progress is not None:
            from jigsat.ledger.file import checkpoint

            checkpoint(self._means.store)


def first_solution(puzzle: Puzzle) -> tuple[Placement, ...] | None:
    """A solution, one of minimum cost if the puzzle has an objective; None if there is none. It is
    checked.

    Raises Stopped if a solver gives up.

    >>> from jigsat.instance import load
    >>> len(first_solution(load("lights-5x5"))), first_solution(load("lights-unsolvable"))
    (15, None)
    """
    enumeration: Enumeration[Solution] = Enumeration(
        puzzle, limit=1, up_to=Level.NOTHING, minimize=bool(puzzle.encode().objective)
    )
    solution = next(enumeration, None)
    if solution is None and enumeration.result.stopped_by is not None:
        raise Stopped(enumeration.result.stopped_by)
    return None if solution is None else solution.placements
