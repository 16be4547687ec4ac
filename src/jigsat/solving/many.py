"""The answers to a question about each of many puzzles, by other processes that are stopped at a limit or by a signal."""

from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import ExitStack, closing
from functools import partial
from itertools import cycle
from typing import Generic, NamedTuple, TypeVar

from jigsat.errors import Stopped, stops_named
from jigsat.puzzle import Puzzle
from jigsat.runtime.child import Child
from jigsat.solving.question import Findings, Question, StorableQuestion
from jigsat.solving.task import Resources

T = TypeVar("T")


class Answered(NamedTuple, Generic[T]):
    """The answer for a puzzle, as far as it is known, and what stopped the run before it was final, if anything did."""

    puzzle: Puzzle
    answer: T
    reason: Stopped | KeyboardInterrupt | None = None


def answer_each(
    question: Question[T], puzzles: Sequence[Puzzle], resources: Resources, timeout: float | None = None, name: str = ""
) -> Generator[Answered[T], None, None]:
    """One answer per puzzle, in order, whatever stops the run; `name` is that of the file with the puzzles.

    With a file or a cluster, the workers share the puzzles as they finish them. Without, each process has every n-th puzzle.
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
        children = [Child(search, timeout=timeout) for search in searches]
        for child in children:
            stack.enter_context(closing(child))
        for puzzle, child in zip(puzzles, cycle(children), strict=False):
            findings = Findings([], final=False)
            try:
                with stops_named(puzzle.name, question.doing and f" while {question.doing}"):
                    for findings in child:
                        if findings.final:
                            break
            except (Stopped, KeyboardInterrupt) as stop:
                reason = reason or stop
            yield Answered(puzzle, question.answer(puzzle, findings), None if findings.final else reason)
