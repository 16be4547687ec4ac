"""Many puzzles with a ledger: each is one piece of work, so that a run is stopped, resumed, and
shared with a cluster.

The root of the ledger is split into one subproblem per puzzle. A row of the findings is kept with
the number of its puzzle.
"""

import math
import time
from collections import deque
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, closing
from dataclasses import asdict
from importlib import import_module
from importlib.metadata import version
from pathlib import Path
from typing import Any

from jigsat import instance
from jigsat.ledger.coordinator import Coordinator
from jigsat.ledger.file import (
    IN_MEMORY,
    REMEDY,
    Damaged,
    Ledger,
    Subproblem,
    count_resumable,
    damage,
    open_ledger,
)
from jigsat.ledger.worker import SubproblemOutcome, WorkerMessage, worker_name, write_reply
from jigsat.puzzle import Puzzle
from jigsat.solving.parts import open_workers
from jigsat.solving.question import Findings, StorableQuestion
from jigsat.solving.task import Resources
from jigsat.subject import Source, describe_entries

ROOT = 1  # number of the root of a ledger. Those of the puzzles follow.

QUESTIONS = {"Judge": "jigsat.analysis.unsolvable", "Rate": "jigsat.analysis.difficulty"}
"""The module of each class whose questions workers answer."""


class Puzzles(WorkerMessage):
    """Puzzles for one worker, by number, and a question about each: its class and its fields.

    After the given `seconds`, no other puzzle is begun.
    """

    jigsat: str
    question: str
    fields: dict[str, Any]
    seconds: float
    puzzles: dict[int, dict[str, Any]]


class PuzzleWorker:
    """Answers bundles of puzzles: each is a `Puzzles` as JSON text, and the answer a `WorkerReply`.

    The search of the last question, with its open solver, is kept for the next bundle.
    """

    def __init__(self) -> None:
        self._question: StorableQuestion[Any] | None = None
        self._puzzles = deque[Puzzle]()
        self._findings: Iterator[Findings] = iter(())

    def answer(self, text: str) -> str:
        bundle = Puzzles.model_validate_json(text)
        return write_reply(bundle.jigsat, bundle.seconds, self._find(bundle))

    def _find(self, bundle: Puzzles) -> Iterator[tuple[int, SubproblemOutcome]]:
        question: StorableQuestion[Any] = getattr(
            import_module(QUESTIONS[bundle.question]), bundle.question
        )(**bundle.fields)
        if question != self._question:
            self._puzzles.clear()
            self._findings = question.find(iter(self._puzzles.popleft, None))
        for number, data in bundle.puzzles.items():
            self._question = None  # a search that raises an error is not continued
            started = time.monotonic()
            self._puzzles.append(instance.load(data))
            rows = [
                [number, *row] for row in next(each for each in self._findings if each.final).rows
            ]
            self._question, seconds = question, time.monotonic() - started
            yield (
                number,
                SubproblemOutcome(seconds=seconds, counts=[(len(rows), 1, [], 1)], solutions=rows),
            )

    def close(self) -> None:
        self._question, self._findings = None, iter(())


def count_answered(
    question: StorableQuestion[Any], puzzles: Sequence[Puzzle], path: Path, name: str
) -> int:
    """The number of puzzles with an answer in a file. Raises InputError if it cannot be resumed."""
    if not count_resumable(path, question.header(name, puzzles)):
        return 0
    with closing(Ledger(path)) as there:
        return there.states().get("done", 0)


def find_with_ledger(
    question: StorableQuestion[Any], puzzles: Sequence[Puzzle], resources: Resources, name: str
) -> Iterator[Findings]:
    """The findings about each puzzle; those in the file of a ledger are read and checked."""

    def write_bundle(subproblems: list[Subproblem], seconds: float, _: bool) -> str:
        try:
            described = {
                each.id: describe_entries(puzzles[each.id - ROOT - 1]) for each in subproblems
            }
        except IndexError:
            raise damage(ledger.path, "there are other puzzles") from None
        return Puzzles(
            jigsat=version("jigsat"),
            question=type(question).__name__,
            fields=asdict(question),  # type: ignore[call-overload]
            seconds=seconds,
            puzzles=described,
        ).model_dump_json()

    with ExitStack() as stack:
        # before a file is opened, so that no open file is forked
        workers = stack.enter_context(closing(open_workers(PuzzleWorker, PuzzleWorker, resources)))
        ledger = stack.enter_context(
            open_ledger(resources.store or IN_MEMORY, question.header(name, puzzles))
        )
        if not ledger.has_started():
            ledger.record(
                {ROOT: SubproblemOutcome(seconds=0, open=list(range(1, len(puzzles) + 1)))},
                worker_name(),
            )
        # puzzles cannot be split, so none hangs
        coordinator = iter(Coordinator(ledger, workers, write_bundle, grace_s=math.inf))
        read, ended = question.make_reader(), object()
        for number, puzzle in enumerate(puzzles, ROOT + 1):
            while (rows := ledger.solutions_of(number)) is None:
                yield Findings([], final=False)
                if next(coordinator, ended) is ended:
                    raise damage(ledger.path, f"{puzzle.name} is missing")
            try:
                yield read(
                    puzzle,
                    [row.placements[1:] for row in rows],
                    Source(f"{ledger.path}: {puzzle.name}", REMEDY),
                )
            except Damaged as error:
                raise damage(ledger.path, str(error)) from error
