"""What a worker does with a bundle of subproblems: JSON in, JSON out, so that it can run anywhere.

A worker encodes the puzzle itself and compares the hash of the formula with that of the coordinator, so the literals of
subproblems mean the same to both. The worker that finds a solution checks it.
"""

from __future__ import annotations

import atexit
import os
import socket
import threading
import time
from collections import Counter
from importlib.metadata import version
from itertools import chain
from typing import Any

from pydantic import BaseModel, ConfigDict

from jigsat.errors import CheckError, InputError, Stopped
from jigsat.search.exhaustive import Exhaustive, TooLong
from jigsat.search.subproblems import Splitter
from jigsat.solving.described import digest_of, restored
from jigsat.solving.subject import Subject
from jigsat.solving.weights import Kind, Weigher, with_breaking_clause

PACE = 2e5
"""Nodes per second until the worker has measured its own pace."""

MEASURED = 0.5
"""The pace is measured on subproblems of at least this many seconds; shorter ones spend most of their time elsewhere."""

ABANDON = 4.0
"""A subproblem that takes this many times the target duration is given up and split, if the backend can be interrupted."""


MOST = 20_000
"""The maximum number of solutions in the answer to a subproblem that can be split."""


class Message(BaseModel):
    """Data sent between processes and machines."""

    model_config = ConfigDict(extra="forbid")


class Problem(Message):
    """What all subproblems of a ledger have in common. `digest` is that of the formula with the symmetry-breaking clause."""

    puzzle: dict[str, Any]
    backend: str
    breaking: list[int]
    digest: str


class Bundle(Message):
    """Subproblems for one worker, by number, and the target durations of each and of all together, in seconds.

    With `split`, they are only split. With `listing`, their solutions are requested.
    """

    jigsat: str
    problem: Problem
    seconds: float
    split: bool
    listing: bool = False
    subproblems: dict[int, list[int]]


class Outcome(Message):
    """What became of a subproblem: it is done, with the number of models of each kind, or split by one choice.

    `counts` are rows of the fields of a `Kind` and a number. `open` and `refuted` are the literals of the choice. `solutions`
    has the smallest member of each orbit, in the subproblem in which the first member that satisfies the breaking clause is. If
    the subproblem is split, they are those that were found before, and the parts will find them again.
    """

    seconds: float
    nodes: int = 0
    counts: list[tuple[int, int, list[int], int]] | None = None
    open: list[int] = []
    refuted: list[int] = []
    solutions: list[list[Any]] = []

    @property
    def state(self) -> str:
        """The state of the subproblem in the ledger."""
        if self.counts is not None:
            return "done"
        return "split" if self.open else "refuted"

    def kinds(self) -> Counter[Kind]:
        """The number of models of each kind."""
        return Counter({Kind(a, b, tuple(levels)): number for a, b, levels, number in self.counts or ()})


class Reply(Message):
    """The outcomes by subproblem, without those that the worker did not begin; or the reason why it refuses or fails."""

    worker: str
    outcomes: dict[int, Outcome] = {}
    refused: str = ""
    error: str = ""
    wrong: str = ""


def work(text: str) -> str:
    """Search the subproblems of a `Bundle` and return a `Reply`, both as JSON text."""
    bundle = Bundle.model_validate_json(text)
    reply = Reply(worker=named())
    if bundle.jigsat != (own := version("jigsat")):
        reply.refused = f"it has jigsat {own}, not {bundle.jigsat}"
        return reply.model_dump_json()
    try:
        _search(bundle, reply)
    except CheckError as error:
        reply.wrong = str(error)
    except (InputError, Stopped, ImportError, MemoryError) as error:
        reply.error = str(error) or type(error).__name__
    return reply.model_dump_json()


def named() -> str:
    """The name of this process."""
    return f"{socket.gethostname()}:{os.getpid()}"


def _search(bundle: Bundle, reply: Reply) -> None:
    end = time.monotonic() + bundle.seconds
    searcher = _searcher(bundle.problem)
    for number, literals in bundle.subproblems.items():
        if reply.outcomes and time.monotonic() > end:
            return
        reply.outcomes[number] = searcher.outcome(
            tuple(literals), bundle.seconds, split=bundle.split, listing=bundle.listing
        )  # fmt: skip


class Searcher:
    """A problem, loaded into a solver."""

    def __init__(self, problem: Problem) -> None:
        self._subject: Subject[Any] = restored(problem.puzzle)
        self._formula = self._subject.encode()
        searched = with_breaking_clause(self._formula, problem.breaking)
        if digest_of(searched) != problem.digest:
            raise InputError(
                f"{self._subject.name}: this installation encodes the puzzle differently; install the same families"
            )
        self._weigher = Weigher(self._subject.group(self._formula), problem.breaking)
        self._backend = problem.backend
        self._splitter = Splitter(searched)
        self._search = Exhaustive(searched, problem.backend)
        self._nodes, self._seconds = 0, 0.0

    def outcome(self, cube: tuple[int, ...], seconds: float, *, split: bool = False, listing: bool = False) -> Outcome:
        """Count the models of a subproblem, and list them if requested.

        Split it if requested, or if counting takes much longer than the given seconds.
        """
        started = time.monotonic()
        found: list[list[Any]] | None = [] if listing else None
        if (split or self._is_large(cube, seconds)) and (parts := self._split(cube, started)):
            return parts
        before = self._search.nodes
        try:
            counts = self.counted(cube, started + ABANDON * seconds, found)
        except TooLong:
            if parts := self._split(cube, started, self._search.nodes - before):
                return parts.model_copy(update={"solutions": found or []})
            found = [] if listing else None
            counts = self.counted(cube, found=found)
        nodes, taken = self._search.nodes - before, time.monotonic() - started
        if taken > MEASURED:
            self._nodes, self._seconds = self._nodes + nodes, self._seconds + taken
        rows = [(kind.solutions, kind.found, list(kind.distinct), number) for kind, number in sorted(counts.items())]
        return Outcome(seconds=taken, nodes=nodes, counts=rows, solutions=found or [])

    def _is_large(self, cube: tuple[int, ...], seconds: float) -> bool:
        size = self._search.size(cube)
        return size is not None and size > 2 * seconds * self._pace()

    def _pace(self) -> float:
        """Nodes per second."""
        return self._nodes / self._seconds if self._nodes else PACE

    def _split(self, cube: tuple[int, ...], started: float, nodes: int = 0) -> Outcome | None:
        choice = self._splitter.choice(cube)
        if choice is None:
            return None
        return Outcome(
            seconds=time.monotonic() - started, nodes=nodes, open=list(choice.open), refuted=list(choice.refuted)
        )  # fmt: skip

    def counted(
        self, cube: tuple[int, ...], until: float = float("inf"), found: list[list[Any]] | None = None
    ) -> Counter[Kind]:
        """The number of models of each kind in a subproblem, each checked.

        The solutions are appended to `found`; see `Outcome`. Raises TooLong after the time `until`, or if there are more than
        `MOST`, unless there is no limit.
        """
        counts = Counter[Kind]()
        for models in self._search.models(cube, until):
            for model in models:
                orbit = self._weigher.orbit(model)
                images = map(sorted, orbit - {model})
                self._subject.checked(self._formula, model, chain([sorted(model)], images), self._backend, None)
                counts[self._weigher.kind(orbit)] += 1
                if found is not None and self._weigher.represents(model, orbit):
                    smallest = min(map(sorted, orbit))
                    found.append(list(self._subject.checked(self._formula, model, [smallest], self._backend, None)))
                    if len(found) > MOST and until < float("inf"):
                        raise TooLong
        return counts

    def close(self) -> None:
        """Free the solvers."""
        self._search.close()
        self._splitter.close()


_kept: dict[int, tuple[Problem, Searcher]] = {}
"""The last problem of each thread of this process, because solvers are not shared between threads."""


def _searcher(problem: Problem) -> Searcher:
    thread = threading.get_ident()
    if thread in _kept:
        last, searcher = _kept[thread]
        if last == problem:
            return searcher
        del _kept[thread]
        searcher.close()
    searcher = Searcher(problem)
    _kept[thread] = problem, searcher
    return searcher


def forget() -> None:
    """Free all solvers that are kept for further bundles."""
    while _kept:
        _kept.popitem()[1][1].close()


atexit.register(forget)  # before Python frees the libraries
