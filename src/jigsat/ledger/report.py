"""What a ledger shows about its run: progress, the estimate of what is left, and the times of the
subproblems."""

import math
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from jigsat.errors import printable
from jigsat.ledger.file import Ledger, Subproblem
from jigsat.ledger.headers import PuzzlesHeader
from jigsat.subject import restore_subject
from jigsat.symmetry import Level, in_words
from jigsat.words import duration, plural

SLOWEST_LISTED = 5  # number of slowest subproblems that are listed
MIN_POWER = -10  # of two: the least bound of seconds in the histogram
BAR_WIDTH = 40  # width of the longest bar of the histogram


@dataclass(frozen=True)
class Slow:
    """A slow subproblem, with the names of its literals."""

    id: int
    seconds: float
    nodes: int
    worker: str
    literals: list[str]


@dataclass(frozen=True)
class Report:
    """The state of a ledger; the fields are those of `jigsat ledger --json`.

    `done` is the fraction of the search that is done, if all parts of a split take equally long.
    `seconds` is the time of all workers together, and `seconds_left` an estimate from both, or None
    if nothing is done. `histogram` has the number of finished subproblems by the upper bound of
    their seconds. `failures` is the number of attempts without an outcome. `listed` is the number
    of solutions in the file, one per orbit up to all symmetries. `puzzles` is the number of puzzles
    if it is the ledger of a file with many.
    """

    instance: str
    version: str
    backend: str
    complete: bool
    solutions: int
    distinct: dict[Level, int]
    subproblems: dict[str, int]
    done: float
    seconds: float
    seconds_left: float | None
    nodes: int
    failures: int
    workers: int
    slowest: list[Slow]
    histogram: dict[str, int]
    listed: int = 0
    puzzles: int = 0

    def __str__(self) -> str:
        complete = "complete" if self.complete else "not complete"
        states = ", ".join(f"{number:,} {state}" for state, number in self.subproblems.items())
        lines = [
            f"{self.instance}: {self._describe_count()}; {complete}",
            f"subproblems: {states}",
            f"searched: {duration(self.seconds)} of {plural(self.workers, 'worker')} together, "
            f"{self.nodes:,} nodes, "
            f"{self.backend}",
        ]
        if self.listed and not self.puzzles:
            lines.append(f"in the file: {plural(self.listed, 'solution')}, one of each orbit")
        if self.failures:
            lines.append(f"attempts without an answer: {self.failures:,}")
        if not self.complete:
            left = "unknown"
            if self.seconds_left is not None:
                left = f"about {duration(self.seconds_left)} for one worker"
            lines.append(f"done: {100 * self.done:.2f} %; left: {left} (an estimate)")
        if self.slowest:
            lines.append("slowest subproblems:")
            for slow in self.slowest:
                literals = ", ".join(slow.literals) or "everything"
                lines.append(f"  {slow.seconds:9.2f} s  {literals}")
        if self.histogram:
            lines.append("seconds of finished subproblems:")
            lines += self._draw_histogram()
        return "\n".join(map(printable, lines))

    def _describe_count(self) -> str:
        if self.puzzles:
            solved = self.subproblems.get("done", 0)
            return f"{solved:,} of {plural(self.puzzles, 'puzzle')} solved"
        if not self.complete and not self.solutions:
            return "no solution found so far"
        count = plural(self.solutions, "solution") + in_words(self.distinct)
        return count if self.complete else f"at least {count}"

    def _draw_histogram(self) -> list[str]:
        most = max(self.histogram.values())
        lines = []
        for seconds, number in self.histogram.items():
            bound = f"{float(seconds):.3g}" if float(seconds) < 1 else seconds
            bar = "█" * math.ceil(BAR_WIDTH * number / most)
            lines.append(f"  up to {bound:>8} s {number:9,} {bar}".rstrip())
        return lines


class _Times:
    """What the subproblems of a ledger tell about time: how often they failed, their workers, how
    many took how long, and the slowest."""

    def __init__(self) -> None:
        self.failures = 0
        self.workers: set[str] = set()
        self.slowest: list[Subproblem] = []
        self._numbers: Counter[int] = Counter()  # by the power of two that bounds the seconds

    def add(self, subproblem: Subproblem) -> None:
        is_finished = subproblem.state != "open"
        self.failures += subproblem.attempts
        if is_finished:
            self.failures -= 1
        if subproblem.worker:
            self.workers.add(subproblem.worker)
        # A subproblem that is a part of another has no time of its own.
        was_searched = subproblem.state == "done" or subproblem.nodes
        if subproblem.seconds and was_searched:
            power = max(MIN_POWER, math.ceil(math.log2(subproblem.seconds)))
            self._numbers[power] += 1
            slowest = [*self.slowest, subproblem]
            slowest.sort(key=lambda slow: -slow.seconds)
            self.slowest = slowest[:SLOWEST_LISTED]

    def histogram(self) -> dict[str, int]:
        if not self._numbers:
            return {}
        powers = range(min(self._numbers), max(self._numbers) + 1)
        return {f"{2.0**power:g}": self._numbers[power] for power in powers}


def report(ledger: Ledger) -> Report:
    """The state of a ledger. The formula of its puzzle gives the names of literals; a search in one
    piece needs none."""
    header = ledger.header
    states = ledger.states()
    listed = ledger.solutions()
    complete = not states.get("open")
    solutions, distinct = ledger.totals(ledger.counts(), complete=complete)
    if not complete:  # there are solutions of subproblems that are not done
        solutions = max(solutions, listed)
        distinct = {level: max(number, listed) for level, number in distinct.items()}

    done, seconds, nodes = ledger.progress_totals()
    seconds_left: float | None = None
    if complete:
        seconds_left = 0.0
    elif done > 0:
        seconds_left = round(seconds * (1 - done) / done, 3)
    times = _Times()
    for subproblem in ledger.every():
        times.add(subproblem)

    return Report(
        instance=header.instance,
        version=header.jigsat,
        backend=ledger.establishing_backends().backend,
        complete=complete,
        solutions=solutions,
        distinct=distinct,
        subproblems=states,
        done=1.0 if complete else min(done, 1.0),
        seconds=round(seconds, 3),
        seconds_left=seconds_left,
        nodes=nodes,
        failures=times.failures,
        workers=len(times.workers),
        slowest=_name_literals(ledger, times.slowest),
        histogram=times.histogram(),
        listed=listed,
        puzzles=header.puzzles if isinstance(header, PuzzlesHeader) else 0,
    )


def _name_literals(ledger: Ledger, subproblems: Iterable[Subproblem]) -> list[Slow]:
    problem = ledger.header.problem
    formula = None
    if problem:
        formula, *_ = problem.encode_subject(restore_subject(problem.puzzle))
    named = []
    for subproblem in subproblems:
        if formula:
            literals = [str(formula.name(x)) for x in subproblem.literals]
        else:
            literals = [f"puzzle {x}" for x in subproblem.literals]
        seconds = round(subproblem.seconds, 3)
        worker = subproblem.worker or ""
        named.append(Slow(subproblem.id, seconds, subproblem.nodes, worker, literals))
    return named
