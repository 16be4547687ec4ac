"""The answers to a question about each of many puzzles, by other processes that are stopped at a
limit or by a signal."""

from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import ExitStack, closing
from functools import partial
from itertools import chain, cycle
from typing import Generic, NamedTuple, TypeVar

from jigsat.errors import Stopped, stops_named
from jigsat.puzzle import Puzzle
from jigsat.runtime.child import Child
from jigsat.solving.question import Findings, Question, StorableQuestion
from jigsat.solving.task import Resources

T = TypeVar("T")

# number of final findings in a message; a placement that several of them contain is sent once
MAX_SENT_TOGETHER = 50


class Answered(NamedTuple, Generic[T]):
    """The answer for a puzzle, as far as it is known, and what stopped the run before it was final,
    if anything did."""

    puzzle: Puzzle
    answer: T
    reason: Stopped | KeyboardInterrupt | None = None


def answer_each(
    question: Question[T],
    puzzles: Sequence[Puzzle],
    resources: Resources,
    timeout: float | None = None,
    name: str = "",
) -> Generator[Answered[T], None, None]:
    """One answer per puzzle, in order, whatever stops the run; `name` is that of the file with the
    puzzles.

    With a file or a cluster, the workers share the puzzles as they finish them. Without, each
    process has every n-th puzzle.
    """
    searches: list[Callable[[], Iterator[Findings]]]
    reason: Stopped | KeyboardInterrupt | None = None
    with ExitStack() as stack:
        if resources.store is None and resources.cluster is None:
            number = min(resources.jobs, len(puzzles))
            searches = [partial(question.find, puzzles[first::number]) for first in range(number)]
        else:
            from jigsat.ledger.file import checkpoint
            from jigsat.solving.answer_ledger import find_with_ledger

            assert isinstance(question, StorableQuestion)
            searches = [partial(find_with_ledger, question, puzzles, resources, name)]
            if resources.store is not None:
                stack.callback(checkpoint, resources.store)
        jobs = [partial(_send_together, search) for search in searches]
        children = [stack.enter_context(closing(Child(job, timeout=timeout))) for job in jobs]
        parts = cycle([chain.from_iterable(child) for child in children])
        for puzzle, part in zip(puzzles, parts, strict=False):
            findings = Findings([], final=False)
            try:
                with stops_named(puzzle.name, question.doing and f" while {question.doing}"):
                    for findings in part:
                        if findings.final:
                            break
            except (Stopped, KeyboardInterrupt) as stop:
                reason = reason or stop
            yield Answered(
                puzzle, question.answer(puzzle, findings), None if findings.final else reason
            )


def _send_together(search: Callable[[], Iterator[Findings]]) -> Iterator[list[Findings]]:
    """The findings of a child process, in lists. Everything that is known is sent before anything
    that may take long."""
    ready = list[Findings]()
    try:
        for findings in search():
            ready.append(findings)
            if not findings.final or len(ready) == MAX_SENT_TOGETHER:
                yield ready
                ready = []
    except Exception:
        yield ready
        raise
    yield ready
