"""One reply per puzzle, even if the search is stopped."""

from __future__ import annotations

import time
from array import array
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from jigsat import backends
from jigsat.backends import AUTO
from jigsat.cli.colour import print_words
from jigsat.cli.common import level, say
from jigsat.errors import Interrupted, Stopped, plural, stops_named
from jigsat.puzzle import Puzzle, Solution
from jigsat.runtime import Child, Limits
from jigsat.solving import Answer, attempts
from jigsat.symmetry import Placement

if TYPE_CHECKING:
    from pathlib import Path

    from jigsat.cli.reasons import Why
    from jigsat.runtime.cluster import Address


class Reply(NamedTuple):
    """The answer for one of several puzzles, and what stopped the search for it, if anything did."""

    answer: Answer
    stopped_by: str | None = None
    why: Why | None = None
    """The reasons why there is no solution, if there is none."""
    mirrored: bool = False
    """Whether it is established that there are several solutions, but one up to reflection."""

    def json(self) -> dict[str, Any]:
        """The reply as a plain object."""
        unknown = {} if self.stopped_by is None else {"unique": None}
        reasons = self.why.json() if self.why else None
        return {**self.answer.json(), **unknown, "reasons": reasons, "stopped_by": self.stopped_by}

    def print(self, pictures: int) -> None:
        """Print the reply, if there is anything to report, and the reasons with this number of pictures."""
        if self.shown:
            print_words(str(self))
        if self.why:
            self.why.show(pictures)

    @property
    def shown(self) -> bool:
        """Whether there is anything to report: not if the search stopped before this puzzle or before its first solution."""
        return self.stopped_by is None or bool(self.answer.solutions)

    def __str__(self) -> str:
        if self.stopped_by is None:
            said = str(self.answer) + (", but unique up to reflection" if self.mirrored else "")
        else:
            said = f"at least {plural(len(self.answer.solutions), 'solution')}; stopped by {self.stopped_by}"
        return f"{self.answer.puzzle.name}: {said}"


class Replies(Iterator[Reply]):
    """The distinct solutions of each puzzle, up to a limit; the puzzles are shared among other processes.

    There is one reply per puzzle, even if the search is stopped. `reason` is what stopped it; raise it after printing. `search`
    runs in one process and sends the answers instead.
    """

    def __init__(
        self,
        puzzles: Sequence[Puzzle],
        backend: str,
        up_to: str,
        timeout: float | None,
        limit: int = 2,
        jobs: int = 1,
        search: Callable[[], Iterator[Sent]] | None = None,
    ) -> None:
        level(up_to)
        if backend != AUTO:
            backends.find(backend)
        self.reason: Stopped | KeyboardInterrupt | None = None
        self._timeout = timeout
        self._patience: Limits | None = None
        searches = [partial(_sent, puzzles[first::jobs], backend, limit, up_to) for first in range(min(jobs, len(puzzles)))]
        if search:
            searches = [partial(_one_by_one, search)]
        self._parts = [Child(partial(_numbered, each), timeout=timeout) for each in searches]
        sent = list(map(_restored, self._parts))
        self._replies = (self._reply(puzzle, sent[i % len(sent)]) for i, puzzle in enumerate(puzzles))

    def _reply(self, puzzle: Puzzle, part: Iterator[Sent]) -> Reply:
        found: list[Solution] = []
        try:
            with stops_named(puzzle.name):
                for solutions, complete in part:
                    found += [Solution(puzzle, placements, relation) for placements, relation in solutions]
                    if complete is not None:
                        return Reply(Answer(puzzle, found, complete), why=self._why(puzzle) if complete and not found else None)
        except (Stopped, KeyboardInterrupt) as reason:
            self.reason = self.reason or reason
        return Reply(Answer(puzzle, found, complete=False), stopped_by(self.reason))

    def _why(self, puzzle: Puzzle) -> Why | None:
        """The reasons why a puzzle has no solution; None if the puzzles before it used up the time for reasons."""
        from jigsat.cli.reasons import PATIENCE, why

        if self._patience is None:
            self._patience = Limits(PATIENCE if self._timeout is None else min(PATIENCE, self._timeout))
        return why(puzzle, self._patience) if self._patience.timeout else None

    def __next__(self) -> Reply:
        return next(self._replies)

    def close(self) -> None:
        """End the processes."""
        for part in self._parts:
            part.close()


Sent = tuple[list[tuple[tuple[Placement, ...], str]], bool | None]
"""More solutions with their relations, and whether there are no others; None while the search goes on."""


TOGETHER = 0.05
"""Answers that are found in this number of seconds are sent together."""


def _sent(puzzles: Sequence[Puzzle], backend: str, limit: int, up_to: str) -> Iterator[list[Sent]]:
    """What a child process sends. Puzzles are not sent back, because that takes longer than solving an easy sudoku.

    Everything that is known is sent before a search that is not brief.
    """
    ready: list[Sent] = []
    sent, since = 0, time.monotonic()
    try:
        for item in attempts(puzzles, backend, limit, up_to):
            answered = isinstance(item, Answer)
            if isinstance(item, Answer):
                ready.append(([(solution.placements, solution.relation) for solution in item.solutions[sent:]], item.complete))
                sent = 0
            elif item and not sent:
                ready.append(([(item, "")], None))
                sent = 1
            if ready and (not answered or time.monotonic() > since + TOGETHER):
                yield ready
                ready, since = [], time.monotonic()
    except Exception:
        yield ready
        raise
    yield ready


def _one_by_one(search: Callable[[], Iterator[Sent]]) -> Iterator[list[Sent]]:
    return ([each] for each in search())


Solutions: TypeAlias = "list[tuple[array[int], str]]"
"""Solutions with numbers for placements, because most were sent before: sending them again takes longer than an easy sudoku."""

Numbered: TypeAlias = tuple[int, list[Placement], list[tuple[Solutions, bool | None]]]
"""The number of the first new placement, the new placements, which replace those from this number on, and what is sent."""

NUMBERED = 100_000
"""The number of placements after which they are numbered again from 0, which keeps the memory small."""


def _numbered(search: Callable[[], Iterator[list[Sent]]]) -> Iterator[Numbered]:
    known: list[Placement] = []
    number: dict[int, int] = {}  # by `id`: each formula has one object for each of its placements

    def numbers(placements: Sequence[Placement]) -> array[int]:
        try:
            return array("i", map(number.__getitem__, map(id, placements)))
        except KeyError:
            for placement in placements:
                if id(placement) not in number:
                    number[id(placement)] = len(known)
                    known.append(placement)
            return numbers(placements)

    for sent in search():
        if len(known) > NUMBERED:
            known.clear()
            number.clear()
        start = len(known)
        numbered = [([(numbers(placements), words) for placements, words in found], complete) for found, complete in sent]
        yield start, known[start:], numbered


def _restored(part: Iterable[Numbered]) -> Iterator[Sent]:
    known: list[Placement] = []
    for start, new, sent in part:
        known[start:] = new
        for solutions, complete in sent:
            yield [(tuple(map(known.__getitem__, numbers)), words) for numbers, words in solutions], complete


def kept(
    name: str,
    puzzles: Sequence[Puzzle],
    backend: str,
    up_to: str,
    limit: int,
    store: Path | None,
    cluster: Address | None,
    jobs: int,
) -> Callable[[], Iterator[Sent]] | None:
    """A search for the solutions of many puzzles with a ledger or on a cluster, if that is requested."""
    if store is None and cluster is None:
        return None
    from jigsat.solving.batch_ledger import Batch, solved

    level(up_to)
    if backend != AUTO:
        backends.find(backend)
    batch = Batch(name, puzzles, backend, up_to, limit)
    if store is not None and (done := batch.solved(store)):
        say(f"{store}: {done:,} of {plural(len(puzzles), 'puzzle')} already solved")
    return partial(solved, batch, store, jobs, cluster)


def stopped_by(reason: BaseException | None) -> str:
    """The reason a run stopped, in the words used by results."""
    return reason.reason if isinstance(reason, (Stopped, Interrupted)) else str(reason)
