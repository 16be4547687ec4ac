"""What a ledger shows about its run: progress, the estimate of what is left, and the times of the
subproblems."""

import math
from collections import Counter
from dataclasses import dataclass

from jigsat.errors import printable
from jigsat.ledger.file import Ledger, Subproblem
from jigsat.ledger.headers import PuzzlesHeader
from jigsat.subject import restore_subject
from jigsat.symmetry import Level, in_words
from jigsat.words import duration, plural

SLOWEST_LISTED = 5  # number of slowest subproblems that are listed
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
        counted = f"{'' if self.complete else 'at least '}{plural(self.solutions, 'solution')}"
        counted += in_words(self.distinct)
        if not (self.complete or self.solutions):
            counted = "no solution found so far"
        if self.puzzles:
            counted = (
                f"{self.subproblems.get('done', 0):,} of {plural(self.puzzles, 'puzzle')} solved"
            )
        states = ", ".join(f"{count:,} {state}" for state, count in self.subproblems.items())
        lines = [
            f"{self.instance}: {counted}; {'complete' if self.complete else 'not complete'}",
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
            left = (
                "unknown"
                if self.seconds_left is None
                else f"about {duration(self.seconds_left)} for one worker"
            )
            lines.append(f"done: {100 * self.done:.2f} %; left: {left} (an estimate)")
        if self.slowest:
            lines.append("slowest subproblems:")
            lines += [
                f"  {slow.seconds:9.2f} s  {', '.join(slow.literals) or 'everything'}"
                for slow in self.slowest
            ]
        if self.histogram:
            most = max(self.histogram.values())
            lines.append("seconds of finished subproblems:")
            for text, number in self.histogram.items():
                bound = f"{float(text):.3g}" if float(text) < 1 else text
                lines.append(
                    f"  up to {bound:>8} s {number:9,} "
                    f"{'█' * math.ceil(BAR_WIDTH * number / most) if number else ''}".rstrip()
                )
        return "\n".join(map(printable, lines))


def report(ledger: Ledger) -> Report:
    """The state of a ledger. The formula of its puzzle gives the names of literals; a search in one
    piece needs none."""
    ledger.check_weights()
    header, states, listed = ledger.header, ledger.states(), ledger.solutions()
    problem = header.problem
    formula = problem.encode_subject(restore_subject(problem.puzzle))[0] if problem else None
    complete = not states.get("open")
    done, seconds, nodes = ledger.progress_totals()
    solutions, distinct = ledger.totals(ledger.counts(), complete=complete)
    if not complete:  # there are solutions of subproblems that are not done
        solutions, distinct = (
            max(solutions, listed),
            {level: max(number, listed) for level, number in distinct.items()},
        )
    times = Counter[int]()
    failures, workers, slowest = 0, set[str](), list[Subproblem]()
    for subproblem in ledger.every():
        finished = subproblem.state != "open"
        failures += subproblem.attempts - finished
        if subproblem.worker:
            workers.add(subproblem.worker)
        if subproblem.seconds and (
            subproblem.state == "done" or subproblem.nodes
        ):  # a part of another has no time of its own
            times[max(-10, math.ceil(math.log2(subproblem.seconds)))] += (
                1  # the power of two that bounds it
            )
            slowest = sorted([*slowest, subproblem], key=lambda each: -each.seconds)[
                :SLOWEST_LISTED
            ]
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
        seconds_left=0.0
        if complete
        else round(seconds * (1 - done) / done, 3)
        if done > 0
        else None,
        nodes=nodes,
        failures=failures,
        workers=len(workers),
        slowest=[
            Slow(
                each.id,
                round(each.seconds, 3),
                each.nodes,
                each.worker or "",
                [str(formula.name(x)) if formula else f"puzzle {x}" for x in each.literals],
            )
            for each in slowest
        ],
        histogram={f"{2.0**power:g}": times[power] for power in range(min(times), max(times) + 1)}
        if times
        else {},
        listed=listed,
        puzzles=header.puzzles if isinstance(header, PuzzlesHeader) else 0,
    )
