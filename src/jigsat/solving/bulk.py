"""Counting solutions that a backend lists in bulk, as rows of bits."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import closing
from dataclasses import dataclass
from importlib.util import find_spec

from jigsat.backends import find
from jigsat.runtime.progress import Progress
from jigsat.search.portfolio import models
from jigsat.solving.result import Result
from jigsat.solving.task import Event, Handover, Task
from jigsat.symmetry import LEVELS

BULK = "cover"  # backend that lists solutions in bulk (`Backend.covers`)


@dataclass(frozen=True)
class Bulk:
    """Counts the solutions that a backend lists in bulk, and checks one of each orbit.

    The images are solutions too, because the symmetries preserve the formula. If the backend cannot list this formula in bulk,
    the task is passed on.
    """

    task: Task
    reason: str = "cover lists the solutions in bulk, because only their number is requested"

    @classmethod
    def fits(cls, task: Task) -> bool:
        """Whether the symmetries allow it, and numpy is installed."""
        return task.up_to in LEVELS and find_spec("numpy") is not None and task.subject.symmetric

    def run(self, before: Handover, progress: Progress | None) -> Generator[Event, None, Handover | None]:
        subject, formula, statistics = self.task.subject, self.task.subject.encode(), dict[str, int]()
        group = subject.group(formula)
        with closing(models(formula, BULK, group=group, up_to=LEVELS[-1], statistics=statistics)) as found:
            if (covers := found.covers()) is None:
                return before
            from jigsat.orbits.bulk import BulkTally, batches  # imports numpy

            decisions = formula.decisions()
            result = Result(subject.name, BULK, symmetries=group.orders, statistics=statistics)
            column = {variable: at for at, variable in enumerate(decisions)}
            tally = BulkTally(decisions, group)
            rows = batches(covers[1], [column[option] for option in covers[0]], len(decisions))
            for batch in progress.during(rows, found.progress) if progress else rows:
                for model in tally.add(batch):
                    subject.check_orbit(formula, model, [sorted(model)], BULK, None)
                result.solutions, result.distinct = tally.solutions, tally.distinct
                yield Event(result)
        result.solutions, result.distinct = tally.solutions, tally.distinct
        result.complete, result.established_by = True, find(BULK).establishes
        yield Event(result)
        return None
