"""The coordinator of a search in parts: it sends bundles of open subproblems and writes what comes
back into the ledger.

The workers may be this process, other processes or a cluster, and everything sent is JSON. On a
cluster, the subproblems of a worker that dies or hangs are sent again. With `--jobs`, a process
that dies ends the run. No count is changed, because the subproblems stay open in the ledger until
their outcome is written, once.
"""

import math
import time
from collections import deque
from collections.abc import Callable, Iterator
from itertools import count
from typing import TypeAlias

from pydantic import ValidationError

from jigsat.errors import CheckError, InputError, Stopped
from jigsat.ledger.file import Ledger, Subproblem
from jigsat.ledger.headers import Header
from jigsat.ledger.worker import (
    MAX_TARGET_MULTIPLE,
    Bundle,
    WorkerReply,
    read_own_version,
    shares_in,
    worker_name,
)
from jigsat.runtime.executors import Lost, Workers

# target duration of a subproblem. One that takes much longer is split; shorter ones are sent
# together.
TARGET_S = 5.0

SUBPROBLEMS_PER_WORKER = 8
"""Subproblems per worker, before any is searched; enough to balance the load. One worker needs
none, unless others may join."""

MAX_BUNDLE = 1000  # maximum number of subproblems in a bundle
# attempts at a subproblem whose worker dies or hangs each time, before the run stops
MAX_ATTEMPTS = 5

HANGING_AFTER_S = 60.0
"""Seconds after the maximum time of a bundle at which its worker counts as hanging, because it
cannot be split further."""

WriteBundle: TypeAlias = Callable[[list[Subproblem], float, bool], str]


def write_subproblems(
    header: Header, subproblems: list[Subproblem], seconds: float, split: bool
) -> str:
    """A `Bundle` of subproblems as JSON text; the header is one of a search that can be split."""
    assert header.problem
    return Bundle(
        jigsat=read_own_version(),
        problem=header.problem,
        seconds=seconds,
        split=split,
        listing=bool(header.listed),
        subproblems={subproblem.id: list(subproblem.literals) for subproblem in subproblems},
    ).model_dump_json()


class Coordinator:
    """The run of a ledger. Iterating yields after each change of the ledger and ends when no
    subproblem is open.

    `counts` has the number of models of each `OrbitShare` so far. `seconds` is the target duration
    of the next subproblems. `write_bundle` writes what a worker gets: some subproblems, the target
    duration, and whether they are only to be split. A worker counts as hanging `grace_s` seconds
    after the maximum time that its bundle may take. No more than twice as many bundles as workers
    are under way, and open subproblems are read from the ledger when they are needed, so the memory
    does not grow with their number. The parts of a subproblem are sent before older ones (depth
    first), because a huge search would otherwise be split for a long time before anything is
    searched.
    """

    def __init__(
        self,
        ledger: Ledger,
        workers: Workers[str, str],
        write_bundle: WriteBundle,
        seconds: float = TARGET_S,
        grace_s: float = HANGING_AFTER_S,
    ) -> None:
        self._ledger, self._workers = ledger, workers
        self._write_bundle = write_bundle
        self.seconds, self._grace_s = seconds, grace_s
        states = ledger.states()
        self._rows = sum(states.values())
        self._open = states.get("open", 0)
        self.counts = ledger.counts()
        self._newest = ledger.newest()
        self._unsent = [(1, self._newest)]  # ranges of numbers; what was split last comes last
        self._again: deque[Subproblem] = deque()
        self._numbers = count()  # of bundles
        # what is under way, and when to give up on it
        self._sent: dict[int, tuple[list[Subproblem], float]] = {}
        # of searches; splitting takes less time than searching the parts
        self._times: deque[float] = deque(maxlen=200)

    def __iter__(self) -> Iterator[None]:
        while True:
            while len(self._sent) < 2 * max(1, self._workers.number) and self._send():
                pass
            if not self._sent:
                return
            yield from self._receive_replies()

    # -- sending

    def _send(self) -> bool:
        """Send a bundle; returns whether there was anything to send."""
        several = max(self._workers.number, 2 if self._workers.elastic else 1)
        split = several > 1 and self._rows < SUBPROBLEMS_PER_WORKER * several
        if not (subproblems := self._next(1 if split else self._size())):
            return False
        # it may have to wait for the bundle before
        longest = 2 * (1 + MAX_TARGET_MULTIPLE) * self.seconds + self._grace_s
        number = next(self._numbers)
        self._workers.submit(number, self._write_bundle(subproblems, self.seconds, split))
        until = time.monotonic() + longest if self._workers.elastic else math.inf
        self._sent[number] = subproblems, until
        return True

    def _size(self) -> int:
        """The size of a bundle: a quarter of the target duration, but few enough subproblems that
        every worker gets some."""
        mean = sum(self._times) / len(self._times) if self._times else self.seconds
        enough = int(self.seconds / 4 / max(mean, 1e-6))
        waiting = self._open - sum(len(sent) for sent, _ in self._sent.values())
        return max(1, min(enough, MAX_BUNDLE, waiting // (2 * max(1, self._workers.number))))

    def _next(self, most: int) -> list[Subproblem]:
        """The next open subproblems. One that came back without an outcome is sent alone, so that
        no others are lost if it costs another worker."""
        if self._again:
            return [self._again.popleft()]
        subproblems: list[Subproblem] = []
        while self._unsent and len(subproblems) < most:
            first, last = self._unsent.pop()
            subproblems += self._ledger.open_among(first, last, most - len(subproblems))
            if len(subproblems) == most:
                self._unsent.append((subproblems[-1].id + 1, last))
        return subproblems

    # -- receiving

    def _receive_replies(self) -> Iterator[None]:
        for number, reply in self._workers.receive(1.0):
            sent, _ = self._sent.pop(number, ([], 0.0))  # none if it was abandoned
            if isinstance(reply, Lost):
                self._send_again(sent, str(reply))
            elif isinstance(reply, BaseException):
                raise reply
            else:
                self._record(sent, _read_reply(reply))
            yield
        now = time.monotonic()
        for number in [number for number, (_, until) in self._sent.items() if now > until]:
            sent, _ = self._sent.pop(number)
            self._workers.abandon(number)
            self._send_again(sent, "its worker hangs")
            yield

    def _record(self, sent: list[Subproblem], reply: WorkerReply) -> None:
        if reply.wrong:
            raise CheckError(reply.wrong)
        if reply.error:
            here = reply.worker.rpartition(":")[0] == worker_name().rpartition(":")[0]
            raise InputError(reply.error if here else f"the worker {reply.worker}: {reply.error}")
        if reply.refused:
            self._workers.refuse(reply.worker, reply.refused)
            self._again.extend(sent)
            return
        asked = {subproblem.id for subproblem in sent}
        answered = {
            number: outcome for number, outcome in reply.outcomes.items() if number in asked
        }
        for number in self._ledger.record(answered, reply.worker):
            if answered[number].state == "done":
                self._times.append(answered[number].seconds)
            self._open -= 1
            for outcome in answered[number].all():
                self.counts.update(shares_in(outcome.counts))
                self._open += len(outcome.open)
                self._rows += len(outcome.open) + len(outcome.parts)
        before, self._newest = self._newest, self._ledger.newest()
        if before < self._newest:
            self._unsent.append((before + 1, self._newest))
        self._again.extend(subproblem for subproblem in sent if subproblem.id not in answered)

    def _send_again(self, sent: list[Subproblem], reason: str) -> None:
        """Send subproblems again, unless one of them has cost too many workers."""
        self._ledger.count_failed_attempt([subproblem.id for subproblem in sent])
        for subproblem in sent:
            again = subproblem.model_copy(update={"attempts": subproblem.attempts + 1})
            if again.attempts >= MAX_ATTEMPTS and len(sent) == 1:
                raise Stopped(
                    f"subproblem {again.id} was tried {again.attempts} times without an answer: "
                    f"{reason}"
                )
            self._again.append(again)


def _read_reply(text: str) -> WorkerReply:
    try:
        return WorkerReply.model_validate_json(text)
    except ValidationError as error:
        raise Stopped(
            f"a worker sent something other than a reply: {error.error_count()} errors"
        ) from error
