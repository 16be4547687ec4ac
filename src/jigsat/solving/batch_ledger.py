"""Many puzzles with a ledger: each is one piece of work, so that a run is stopped, resumed, and shared with a cluster.

The root of the ledger is split into one subproblem per puzzle. A solution is kept with the number of its puzzle.
"""

from __future__ import annotations

import hashlib
import math
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
from jigsat.ledger.coordinator import Coordinator
from jigsat.ledger.file import Ledger, count_resumable
from jigsat.ledger.rows import REMEDY, PuzzlesHeader, Subproblem, damage
from jigsat.ledger.tables import MEMORY
from jigsat.ledger.worker import Message, Reply, SubproblemOutcome, worker_name, write_reply
from jigsat.puzzle import Puzzle
from jigsat.runtime.untrusted import canonical
from jigsat.solving.batch import Answer, solve_all
from jigsat.solving.parts import open_workers
from jigsat.solving.task import Resources
from jigsat.subject import PuzzleSubject, Source, checked, describe_entries
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


class PuzzleWorker:
    """Answers bundles of puzzles: each is a `Puzzles` as JSON text, and the answer a `Reply`."""

    def __init__(self) -> None:
        self._solvers: dict[tuple[str, int, str], _Solver] = {}

    def answer(self, text: str) -> str:
        bundle = Puzzles.model_validate_json(text)
        return write_reply(bundle.jigsat, partial(self._solve, bundle))

    def _solve(self, bundle: Puzzles, reply: Reply) -> None:
        end = time.monotonic() + bundle.seconds
        key = bundle.backend, bundle.limit, bundle.up_to
        solver = self._solvers.pop(key, None) or _Solver(bundle.backend, bundle.limit, bundle.up_to)
        for number, data in bundle.puzzles.items():
            if reply.outcomes and time.monotonic() > end:
                break
            started = time.monotonic()
            answer = solver.answer(instance.load(data))
            found = [[number, solution.placements, solution.relation] for solution in answer.solutions]
            seconds = time.monotonic() - started
            reply.outcomes[number] = SubproblemOutcome(seconds=seconds, counts=[(len(found), 1, [], 1)], solutions=found)
        self._solvers[key] = solver  # one that raised an error is not used again

    def close(self) -> None:
        self._solvers.clear()


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
        if not count_resumable(path, self.header()):
            return 0
        with closing(Ledger(path)) as there:
            return there.states().get("done", 0)


def _write_puzzles(batch: Batch, path: Path, subproblems: list[Subproblem], seconds: float, split: bool) -> str:
    """A bundle of puzzles as JSON text."""
    try:
        puzzles = {each.id: batch.puzzles[each.id - ROOT - 1] for each in subproblems}
    except IndexError:
        raise damage(path, "there are other puzzles") from None
    return Puzzles(
        jigsat=version("jigsat"),
        backend=batch.backend,
        up_to=batch.up_to,
        limit=batch.limit,
        seconds=seconds,
        puzzles={number: describe_entries(puzzle) for number, puzzle in puzzles.items()},
    ).model_dump_json()


Found = list[tuple[tuple[Placement, ...], str]]
"""The placements of each solution, and its relation to the first."""


def solved(batch: Batch, path: Path | None, jobs: int, cluster: Address | None) -> Iterator[tuple[Found, bool]]:
    """The solutions of each puzzle, and whether there are no others; those of solved puzzles are read and checked."""
    with ExitStack() as stack:
        resources = Resources(jobs=jobs, cluster=cluster)
        # before a file is opened, so that no open file is forked
        found = stack.enter_context(closing(open_workers(PuzzleWorker, PuzzleWorker, resources)))
        ledger = stack.enter_context(closing(Ledger(path or MEMORY, batch.header())))
        if not ledger.has_started():
            ledger.record({ROOT: SubproblemOutcome(seconds=0, open=list(range(1, len(batch.puzzles) + 1)))}, worker_name())
        bundle = partial(_write_puzzles, batch, ledger.path)
        sharing = iter(Coordinator(ledger, found, bundle, patience=math.inf))  # puzzles cannot be split, so none hangs
        reader, ended = _Reader(), object()
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
