"""Many puzzles with a ledger: each is one piece of work, so that a run is stopped, resumed, and shared with a cluster.

The root of the ledger is split into one subproblem per puzzle. A solution is kept with the number of its puzzle.
"""

from __future__ import annotations

import atexit
import hashlib
import math
import threading
import time
from collections import deque
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, closing
from functools import partial
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from jigsat import instance
from jigsat.errors import InputError
from jigsat.formula import Formula
from jigsat.puzzle import Puzzle
from jigsat.runtime.executors import Function, Workers
from jigsat.runtime.untrusted import canonical
from jigsat.solving.batch import Answer, solve_all
from jigsat.solving.described import entries
from jigsat.solving.ledger import MEMORY, Ledger, resumable
from jigsat.solving.ledger_count import workers
from jigsat.solving.ledger_rows import REMEDY, PuzzlesHeader, Subproblem, damage
from jigsat.solving.sharing import Sharing
from jigsat.solving.subject import PuzzleSubject, Source, checked
from jigsat.solving.work import Message, Outcome, Reply, named, replied
from jigsat.symmetry import Placement

if TYPE_CHECKING:
    from jigsat.runtime.cluster import Address

ROOT = 1
"""The number of the root of a ledger. Those of the puzzles follow."""


class Puzzles(Message):
    """Puzzles for one worker, by number: up to `limit` distinct solutions of each are requested.

    After the given `seconds`, no other puzzle is begun.
    """

    jigsat: str
    backend: str
    up_to: str
    limit: int
    seconds: float
    puzzles: dict[int, dict[str, Any]]


def solve_bundle(text: str) -> str:
    """Solve `Puzzles` and return a `Reply`, both as JSON text."""
    bundle = Puzzles.model_validate_json(text)
    return replied(bundle.jigsat, partial(_solve, bundle))


def _solve(bundle: Puzzles, reply: Reply) -> None:
    end = time.monotonic() + bundle.seconds
    key = threading.get_ident(), bundle.backend, bundle.limit, bundle.up_to
    solver = _solvers.pop(key, None) or _Solver(bundle.backend, bundle.limit, bundle.up_to)
    for number, data in bundle.puzzles.items():
        if reply.outcomes and time.monotonic() > end:
            break
        started = time.monotonic()
        answer = solver.answer(instance.load(data))
        found = [[number, solution.placements, solution.relation] for solution in answer.solutions]
        taken = time.monotonic() - started
        reply.outcomes[number] = Outcome(seconds=taken, counts=[(len(found), 1, [], 1)], solutions=found)
    _solvers[key] = solver  # one that raised an error is not used again


class _Solver:
    """An incremental solver for one puzzle after another, kept from bundle to bundle."""

    def __init__(self, backend: str, limit: int, up_to: str) -> None:
        self._puzzles = deque[Puzzle]()
        self._answers = solve_all(self._next(), backend, limit, up_to)

    def _next(self) -> Iterator[Puzzle]:
        while True:
            yield self._puzzles.popleft()

    def answer(self, puzzle: Puzzle) -> Answer:
        """The answer for a puzzle; the one after it is not requested before its answer is."""
        self._puzzles.append(puzzle)
        return next(self._answers)


_solvers: dict[tuple[int, str, int, str], _Solver] = {}
"""The solvers by thread and options."""

atexit.register(_solvers.clear)  # before Python frees the libraries


class Batch(NamedTuple):
    """What is requested: up to `limit` distinct solutions of each puzzle, by a backend. `name` is that of the file."""

    name: str
    puzzles: Sequence[Puzzle]
    backend: str
    up_to: str
    limit: int

    def header(self) -> PuzzlesHeader:
        """The header of a ledger for these puzzles."""
        digest = hashlib.sha256("\n".join(puzzle.digest() for puzzle in self.puzzles).encode()).hexdigest()
        return PuzzlesHeader(
            instance=self.name,
            digest=digest,
            jigsat=version("jigsat"),
            backend=self.backend,
            puzzles=len(self.puzzles),
            limit=self.limit,
            listed=self.up_to,
        )

    def solved(self, path: Path) -> int:
        """The number of solved puzzles in a file. Raises InputError if it cannot be resumed."""
        if not resumable(path, self.header()):
            return 0
        with closing(Ledger(path)) as there:
            return there.states().get("done", 0)


class _Sharing(Sharing):
    """Shares puzzles among workers. One that takes long does not count as hanging, because it cannot be split."""

    def __init__(self, ledger: Ledger, found: Workers, batch: Batch) -> None:
        super().__init__(ledger, found, patience=math.inf)
        self._batch = batch

    def _task(self, subproblems: list[Subproblem], *, split: bool) -> tuple[Function, str]:
        batch = self._batch
        try:
            puzzles = {each.id: batch.puzzles[each.id - ROOT - 1] for each in subproblems}
        except IndexError:
            raise damage(self._ledger.path, "there are other puzzles") from None
        bundle = Puzzles(
            jigsat=version("jigsat"),
            backend=batch.backend,
            up_to=batch.up_to,
            limit=batch.limit,
            seconds=self._seconds,
            puzzles={number: entries(puzzle) for number, puzzle in puzzles.items()},
        )
        return solve_bundle, bundle.model_dump_json()


Found = list[tuple[tuple[Placement, ...], str]]
"""The placements of each solution, and its relation to the first."""


def solved(batch: Batch, path: Path | None, jobs: int, cluster: Address | None) -> Iterator[tuple[Found, bool]]:
    """The solutions of each puzzle, and whether there are no others; those of solved puzzles are read and checked."""
    with ExitStack() as stack:
        stack.callback(_solvers.clear)
        found = stack.enter_context(closing(workers(cluster, jobs)))  # before a file is opened: no open file is forked
        ledger = stack.enter_context(closing(Ledger(path or MEMORY, batch.header())))
        if not ledger.is_begun():
            ledger.record({ROOT: Outcome(seconds=0, open=list(range(1, len(batch.puzzles) + 1)))}, named())
        sharing, reader, ended = iter(_Sharing(ledger, found, batch)), _Reader(), object()
        for number, puzzle in enumerate(batch.puzzles, ROOT + 1):
            while (rows := ledger.solutions_of(number)) is None:
                if next(sharing, ended) is ended:
                    raise damage(ledger.path, f"{puzzle.name} is missing")
            source = Source(f"{ledger.path}: {puzzle.name}", REMEDY)
            solutions = [reader.read(puzzle, row.placements, source) for row in rows]
            if len({frozenset(map(canonical, placements)) for placements, _ in solutions}) < len(solutions):
                raise damage(ledger.path, f"a solution of {puzzle.name} is repeated")
            yield solutions, len(solutions) < batch.limit


class _Reader:
    """Reads solutions. The last formula is kept, because many puzzles differ only in their clues."""

    def __init__(self) -> None:
        self._kind: tuple[type[Puzzle], str] | None = None
        self._formula = Formula()
        self._variables: dict[str, int] = {}

    def read(self, puzzle: Puzzle, stated: list[Any], source: Source) -> tuple[tuple[Placement, ...], str]:
        """A solution and its relation to the first. Raises InputError if it is not a solution of the puzzle."""
        plain = puzzle.without_clues()
        if (kind := (type(puzzle), plain.digest())) != self._kind:
            subject = PuzzleSubject(plain)
            self._kind, self._formula = kind, subject.encode()
            self._variables = subject.variables(self._formula)
        try:
            match stated:
                case [_, [*placements], str(relation)]:
                    model = dict.fromkeys(self._variables[canonical(placement)] for placement in placements)
                    return checked(puzzle, self._formula, model, "the solver", source), relation
        except KeyError:
            pass
        raise InputError(f"{source.place}: not a solution of this puzzle; {source.remedy}")
