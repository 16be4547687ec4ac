"""The service that runs backends side by side, and goes on where an earlier run was stopped."""

from __future__ import annotations

import csv
from collections.abc import Generator, Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from io import StringIO
from pathlib import Path
from typing import TypeAlias

from jigsat.backends import AUTO, find
from jigsat.comparison.matrix import (
    Combination,
    Log,
    Run,
    capabilities,
    combinations,
    disagreements,
    runs,
)
from jigsat.puzzle import Puzzle
from jigsat.subject import FormulaSubject
from jigsat.symmetry import DECLARED_LEVELS

Compared: TypeAlias = Puzzle | FormulaSubject

RESULTS = [field.name for field in fields(Run) if field.name not in ("combination", "distinct")]
COLUMNS = [*Combination._fields, *RESULTS, *DECLARED_LEVELS[1:3]]  # columns of the CSV file


@dataclass(frozen=True)
class CompareRequest:
    """Puzzles and formulas by name, and the choices to run on each of them.

    `memory` is in bytes. Each combination runs `repeat` times, and the median counts. `store` is a
    file with the runs that have ended, which are not repeated.
    """

    problems: Mapping[str, Compared]
    backends: Sequence[str]
    at_most_one: Sequence[str] = ()
    encodings: Sequence[str] = ()
    timeout: float = 60
    memory: int = 4 * 2**30
    jobs: int = 1
    repeat: int = 1
    store: Path | None = None
    only_installed: bool = False


class Comparison:
    """The runs of a request; iterating yields each of them when it starts, again and again, and
    when it ends. `earlier` is the number of those that are in the file."""

    def __init__(self, request: CompareRequest) -> None:
        """Raises InputError for an unknown backend or encoding, and for a wrong file."""
        self._request = request
        able = {}
        for name in request.backends:
            full_name = name if name == AUTO else find(name).name
            able[full_name] = capabilities(name)
        if request.only_installed:
            able = {name: can for name, can in able.items() if can is not None}
        self._wanted = list(
            combinations(request.problems, able, request.at_most_one, request.encodings)
        )
        self._log: Log | None = None
        self.runs: dict[Combination, Run] = {}
        if request.store is not None:
            limits = {
                "timeout": request.timeout,
                "memory": request.memory // 2**20,
                "repeat": request.repeat,
            }
            self._log = Log(request.store, request.problems, **limits)
            for run in self._log.done.values():
                if run.combination in self._wanted:
                    self.runs[run.combination] = run
        self.earlier = len(self.runs)

    def __iter__(self) -> Generator[Run, None, None]:
        request = self._request
        waiting = [each for each in self._wanted if each not in self.runs]
        active = runs(
            request.problems,
            waiting,
            timeout=request.timeout,
            memory=request.memory,
            jobs=request.jobs,
            repeat=request.repeat,
        )
        try:
            for run in active:
                self.runs[run.combination] = run
                if run.status != "running" and self._log:
                    self._log.add(run)
                yield run
        finally:
            active.close()
            if self._log:
                self._log.close()

    def interrupt(self) -> None:
        """Note that the runs that have not ended were interrupted."""
        for run in self.runs.values():
            if run.status == "running":
                run.status = "interrupted"

    def list_ended(self) -> list[Run]:
        """The runs that have ended, in the order of the request."""
        ended = []
        for combination in self._wanted:
            run = self.runs.get(combination)
            if run is not None and run.status != "running":
                ended.append(run)
        return ended

    def list_disagreements(self) -> list[str]:
        """One message for each count or solution that contradicts the others."""
        return list(disagreements(self._request.problems, self.list_ended()))


def write_table(ended: Iterable[Run]) -> str:
    """The runs as a table of comma-separated values."""
    text = StringIO()
    writer = csv.DictWriter(text, COLUMNS, lineterminator="\n")
    writer.writeheader()
    for run in ended:
        row = run.json()
        counts = row.pop("distinct")
        times = " ".join(f"{seconds:.4f}" for seconds in row["times"])
        writer.writerow({**counts, **row, "times": times})
    return text.getvalue()
