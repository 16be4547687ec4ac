"""The work on a task: its ways are tried in turn, until the answer is final."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from jigsat.answering.plan import make_plan
from jigsat.answering.task import Desk, Task
from jigsat.errors import CheckError
from jigsat.questions import Chosen, Event


def answer_task(task: Task, desk: Desk, known: Iterable[Event] = ()) -> Iterator[Event]:
    """What happens until the answer is final, after events that are known already.

    Raises InputError for means that cannot be used, Stopped if a solver gives up, and CheckError if
    it found something that is not a solution.
    """
    answer = task.begin_answer()
    for event in known:
        answer.add(event)
    for way in make_plan(task):
        yield Chosen(way.why)
        for event in way.run(desk, answer):
            answer.add(event)
            yield event
        if answer.is_final:
            return
    raise CheckError(f"{task.subject.name}: the work ended without an answer. This is a bug")
