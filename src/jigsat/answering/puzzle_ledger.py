"""Many puzzles with a ledger: each is one piece of work, so that a run is stopped, resumed, and
shared with a cluster.

The root of the ledger is split into one subproblem per puzzle. What is found about a puzzle are
rows: a solution and its relation to another one, the reasons why there is none, or a rating. A row
is kept with the number of its puzzle.
"""

from __future__ import annotations

import json
import math
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, closing, suppress
from dataclasses import asdict, astuple
from importlib.metadata import version
from typing import Any

from pydantic import TypeAdapter

from jigsat import instance
from jigsat.answering.parts import open_workers
from jigsat.answering.task import Desk, Task
from jigsat.answering.work import answer_task
from jigsat.formula import Formula
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
from jigsat.ledger.headers import PuzzlesHeader
from jigsat.ledger.tree import ROOT
from jigsat.ledger.worker import SubproblemOutcome, WorkerMessage, worker_name, write_reply
from jigsat.puzzle import Puzzle, Reason
from jigsat.questions import (
    Established,
    Event,
    Explained,
    FirstSolutions,
    Found,
    FoundReasons,
    Layout,
    Means,
    PuzzleAnswer,
    PuzzleQuestion,
    Rate,
    Rated,
    Rating,
    RatingAnswer,
    ReasonsEnded,
    Why,
    begin_answer,
)
from jigsat.rating.difficulty import SOLVER
from jigsat.runtime.untrusted import canonical
from jigsat.subject import PuzzleSubject, Source, check_model, describe_entries
from jigsat.symmetry import Level, Placement

QUESTIONS: dict[str, type[PuzzleQuestion]] = {"Solve": FirstSolutions, "Rate": Rate}
"""The questions by their names in ledgers."""

_NAMES = {question: name for name, question in QUESTIONS.items()}


class Puzzles(WorkerMessage):
    """Puzzles for one worker, by number, and a question about each: its name and its fields.

    After the given `seconds`, no other puzzle is begun.
    """

    jigsat: str
    question: str
    fields: dict[str, Any]
    backend: str
    seconds: float
    puzzles: dict[int, dict[str, Any]]


class PuzzleWorker:
    """Answers bundles of puzzles: each job is a `Puzzles` as JSON text, and its answer a
    `WorkerReply`.

    The solvers for a question are kept for the next bundle.
    """

    def __init__(self) -> None:
        self._desk: Desk | None = None
        self._backend = ""

    def work(self, job: str) -> Iterator[str]:
        bundle = Puzzles.model_validate_json(job)
        yield write_reply(bundle.jigsat, bundle.seconds, self._answer_each(bundle))

    def _answer_each(self, bundle: Puzzles) -> Iterator[tuple[int, SubproblemOutcome]]:
        question = TypeAdapter(QUESTIONS[bundle.question]).validate_python(bundle.fields)
        means = Means(bundle.backend)
        if bundle.backend != self._backend:
            self.close()
        desk = self._desk or Desk(bundle.backend)
        self._backend = bundle.backend
        for number, data in bundle.puzzles.items():
            self._desk = None  # a search that raises an error is not continued
            started = time.monotonic()
            puzzle = instance.load(data)
            answer = begin_answer(question, puzzle)
            for event in answer_task(Task(PuzzleSubject(puzzle), question, means), desk):
                answer.add(event)
            rows = [[number, *row] for row in _write_rows(answer)]
            self._desk = desk
            seconds = time.monotonic() - started
            counts = [(len(rows), 1, list[int](), 1)]
            yield number, SubproblemOutcome(seconds=seconds, counts=counts, solutions=rows)

    def close(self) -> None:
        if self._desk is not None:
            self._desk.close()
        self._desk = None


def count_answered(question: PuzzleQuestion, puzzles: Sequence[Puzzle], means: Means) -> int:
    """The number of puzzles with an answer in the store. Raises InputError if it cannot be
    resumed."""
    path = means.store
    if path is None or not count_resumable(path, _make_header(question, puzzles, means)):
        return 0
    with closing(Ledger(path)) as there:
        return there.states().get("done", 0)


def answer_with_ledger(
    question: PuzzleQuestion, puzzles: Sequence[Puzzle], means: Means
) -> Iterator[list[tuple[int, Event]]]:
    """What is found about the puzzles, in order; what is in the file of a ledger is read and
    checked."""

    def write_bundle(subproblems: list[Subproblem], seconds: float, _: bool) -> str:
        try:
            described = {
                subproblem.id: describe_entries(puzzles[subproblem.id - ROOT - 1])
                for subproblem in subproblems
            }
        except IndexError:
            raise damage(ledger.path, "there are other puzzles") from None
        return Puzzles(
            jigsat=version("jigsat"),
            question=_NAMES[type(question)],
            fields=asdict(question),
            backend=means.backend,
            seconds=seconds,
            puzzles=described,
        ).model_dump_json()

    with ExitStack() as stack:
        # before a file is opened, so that no open file is forked
        workers = stack.enter_context(closing(open_workers(PuzzleWorker, PuzzleWorker, means)))
        header = _make_header(question, puzzles, means)
        every = list(range(1, len(puzzles) + 1))
        # Each puzzle is a part of the root.
        choices = [frozenset(every)]
        ledger = stack.enter_context(open_ledger(means.store or IN_MEMORY, header, choices))
        if not ledger.has_started():
            ledger.record({ROOT: SubproblemOutcome(seconds=0, open=every)}, worker_name())
        # puzzles cannot be split, so none hangs
        coordinator = iter(Coordinator(ledger, workers, write_bundle, grace_s=math.inf))
        reader = RowReader(question)
        ended = object()
        ready: list[tuple[int, Event]] = []
        for number, puzzle in enumerate(puzzles):
            while (rows := ledger.solutions_of(ROOT + 1 + number)) is None:
                yield ready
                ready = []
                if next(coordinator, ended) is ended:
                    raise damage(ledger.path, f"{puzzle.name} is missing")
            source = Source(f"{ledger.path}: {puzzle.name}", REMEDY)
            try:
                events = reader.read(puzzle, [row.placements[1:] for row in rows], source)
            except Damaged as error:
                raise damage(ledger.path, str(error)) from error
            ready += [(number, event) for event in events]
        yield ready


def _make_header(
    question: PuzzleQuestion, puzzles: Sequence[Puzzle], means: Means
) -> PuzzlesHeader:
    """The header of the ledger for puzzles."""
    backend = SOLVER
    limit = 1
    listed = Level.NOTHING
    if isinstance(question, FirstSolutions):
        assert question.limit is not None
        backend, limit, listed = means.backend, question.limit, question.up_to
    return PuzzlesHeader.of(
        means.source, puzzles, _NAMES[type(question)], backend=backend, limit=limit, listed=listed
    )


def _write_rows(answer: PuzzleAnswer) -> list[list[Any]]:
    """What is found about a puzzle, as JSON values."""
    if isinstance(answer, RatingAnswer):
        assert answer.rating is not None
        return [list(astuple(answer.rating))]
    if answer.why is not None:
        return [list(answer.why)]
    return [[solution.placements, solution.relation] for solution in answer.solutions]


class RowReader:
    """Reads the rows about puzzles, which may come from a stranger.

    The last formula is kept, because many puzzles differ only in their clues.
    """

    def __init__(self, question: PuzzleQuestion) -> None:
        self._question = question
        self._kind: tuple[type[Puzzle], str] | None = None
        self._formula = Formula()
        self._variables: dict[str, int] = {}

    def read(self, puzzle: Puzzle, rows: list[Any], source: Source) -> list[Event]:
        """The events of the run that wrote the rows. Raises InputError for a row that is wrong."""
        if isinstance(self._question, Rate):
            return [_read_rating(rows, source)]
        match rows:
            case []:
                return [Established(""), ReasonsEnded(Why().unfinished)]
            case [[str(), *_] as row]:
                return [Established(""), *_read_reasons(puzzle, row, source)]
        events = self._read_solutions(puzzle, rows, source)
        if len(rows) != self._question.limit:
            events.append(Established(""))
        return events

    def _read_solutions(self, puzzle: Puzzle, rows: list[Any], source: Source) -> list[Event]:
        """The solutions of a puzzle, checked."""
        plain = puzzle.without_clues()
        kind = type(puzzle), plain.digest()
        if kind != self._kind:
            subject = PuzzleSubject(plain)
            self._kind = kind
            self._formula = subject.encode()
            self._variables = subject.variables(self._formula)
        solutions = [self._check(puzzle, row, source) for row in rows]
        different = {frozenset(solution.placements) for solution in solutions}
        if len(different) < len(solutions):
            raise Damaged(f"a solution of {puzzle.name} is repeated")
        return [*solutions]

    def _check(self, puzzle: Puzzle, row: Any, source: Source) -> Found:
        match row:
            case [[*placements], str(relation)]:
                with suppress(KeyError):
                    variables = [self._variables[canonical(placement)] for placement in placements]
                    model = dict.fromkeys(variables)
                    checked = check_model(puzzle, self._formula, model, "the solver", source)
                    return Found(checked, relation)
        raise source.error("not a solution of this puzzle")


def _read_reasons(puzzle: Puzzle, row: list[Any], source: Source) -> list[Event]:
    """The reasons in a row, without unknown placements."""
    formula = puzzle.encode()
    keys = {canonical(key): key for key in map(formula.key, formula.decisions())}

    def restore(placements: Any) -> list[Placement]:
        return [keys[text] for text in map(canonical, placements) if text in keys]

    def require_text(value: Any) -> str:
        if not isinstance(value, str) or not value.isprintable():
            raise ValueError("not a text")
        return value

    events: list[Event] = []
    try:
        unfinished, reasons = row
        for (words, marked), clues, clash, (placed, shown, missing, legend) in reasons:
            reason = Reason(require_text(words), frozenset(restore(marked)))
            layout = Layout(
                tuple(restore(placed)),
                frozenset(restore(shown)),
                frozenset(restore(missing)),
                require_text(legend),
            )
            clues, clash = tuple(map(require_text, clues)), tuple(map(require_text, clash))
            events.append(Explained(FoundReasons(reason, clues, clash, layout)))
        events.append(ReasonsEnded(require_text(unfinished)))
    except (TypeError, ValueError):
        raise source.error("not a reason why this puzzle has no solution") from None
    return events


def _read_rating(rows: list[Any], source: Source) -> Rated:
    """A rating in a ledger."""
    try:
        (row,) = rows
        fields = dict(zip(Rating.__match_args__, row, strict=True))
        rating = TypeAdapter(Rating).validate_json(json.dumps(fields), strict=True)
    except (TypeError, ValueError):
        raise source.error("not the rating of this puzzle") from None
    return Rated(rating)
