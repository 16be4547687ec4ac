"""What is known about a puzzle or formula: the sum of the events, at any moment of the work."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field, replace
from typing import Annotated, Any, TypeAlias

from pydantic import PlainSerializer

from jigsat.puzzle import Known, Puzzle, Solution
from jigsat.questions.candidates import Candidates, Status
from jigsat.questions.events import (
    CandidatesEnded,
    Chosen,
    Counted,
    Decided,
    Established,
    Event,
    Explained,
    Found,
    Halted,
    Judged,
    MinimumBounded,
    MinimumProved,
    Rated,
    ReasonsEnded,
    Totals,
)
from jigsat.questions.questions import FirstSolutions, PuzzleQuestion
from jigsat.questions.ratings import Rating
from jigsat.questions.reasons import Why
from jigsat.symmetry import Level, add_levels, in_words
from jigsat.words import plural

NOT_CONFIRMED = ", not confirmed"
"""What `established_by` adds if counting found no solution, and no second way confirmed it soon."""

MAX_EXACT_INTEGER = 2**53  # whole numbers up to this one are exact in JavaScript

Number: TypeAlias = Annotated[
    int,
    PlainSerializer(
        lambda number: number if abs(number) <= MAX_EXACT_INTEGER else str(number),
        int | str,
        "json",
    ),
]
"""A number that messages to the page have as a string of digits if JavaScript cannot represent
it."""


@dataclass(repr=False)
class Result:
    """What is known so far about a puzzle's solutions; the fields are those of `jigsat count
    --json` and of the page's message.

    `established_by` is the name of the proof that there are no other solutions: 'refutation',
    'exhaustion', 'rank', 'counting' or 'reason', perhaps with what did it, or `NOT_CONFIRMED`.

    `print` shows the summary line of the command line. `minimum_proved` is None unless the minimum
    was requested. It does not depend on `complete`: the minimum is proved before the solutions that
    attain it are listed. Until then, it is at least `lower_bound`, and `best_cost` is that of a
    solution, which was checked. If the objective is to be maximised, these three are of its
    opposite, and `maximum`, `upper_bound` and `best_value` are what a reader wants to know.
    """

    instance: str
    backend: str
    solutions: Number = 0
    distinct: dict[Level, Number] = field(default_factory=dict)
    minimum: Number | None = None
    minimum_proved: bool | None = None
    lower_bound: Number | None = None
    best_cost: Number | None = None
    maximizes: bool = False
    complete: bool = False
    established_by: str | None = None
    stopped_by: str | None = None
    seconds: Annotated[float, PlainSerializer(lambda seconds: round(seconds, 3), float)] = 0.0
    symmetries: dict[Level, Number] = field(default_factory=dict)
    statistics: dict[str, Number] = field(default_factory=dict)

    @property
    def is_final(self) -> bool:
        """Whether there is nothing left to do."""
        return self.complete or self.stopped_by is not None

    @property
    def maximum(self) -> int | None:
        """The maximum of an objective that is to be maximised, None if it is not known."""
        return self._value_of(self.minimum)

    @property
    def upper_bound(self) -> int | None:
        """What the maximum does not exceed."""
        return self._value_of(self.lower_bound)

    @property
    def best_value(self) -> int | None:
        """The greatest value that was found."""
        return self._value_of(self.best_cost)

    def _value_of(self, cost: int | None) -> int | None:
        return -cost if self.maximizes and cost is not None else None

    def add(self, event: Event) -> None:
        """Add what an event says."""
        match event:
            case Chosen(_, backend) if backend:
                self.backend = backend
            case Counted(totals):
                # Another way may begin to count again.
                if totals.solutions >= self.solutions:
                    self._set_totals(totals)
            case Found(totals=Totals() as totals):
                self._set_totals(totals)
            case MinimumBounded(lower, best, _):
                self.lower_bound = lower
                self.best_cost = best
                self.solutions = 1  # the best one so far
            case MinimumProved(minimum):
                self.minimum = minimum
                self.minimum_proved = True
                self.lower_bound = self.best_cost = None
            case Established(by, totals):
                if totals is not None:
                    self._set_totals(totals)
                self.complete = True
                self.established_by = by
            case Halted(reason):
                self.stopped_by = reason

    def _set_totals(self, totals: Totals) -> None:
        self.backend = totals.backend
        self.solutions = totals.solutions
        self.distinct = totals.distinct
        self.symmetries = totals.symmetries
        self.statistics = totals.statistics

    @property
    def uncounted(self) -> list[Level]:
        """The levels of symmetry at which distinct solutions are not counted."""
        return [level for level in self.symmetries if level not in self.distinct]

    def contradiction(self, known: Known) -> str:
        """A message about the first known fact that the counts contradict; '' if none does or the
        result is incomplete."""
        if not self.complete:
            return ""
        if self.minimum_proved is not None:  # only solutions that attain the minimum were counted
            return known.contradiction({"minimum": self.minimum})
        distinct = add_levels(self.solutions, self.distinct)
        if self.uncounted:
            distinct = {level: count for level, count in self.distinct.items() if level in distinct}
        counts: dict[str, int | None] = {"solutions": self.solutions}
        counts |= {str(level): number for level, number in distinct.items()}
        return known.contradiction(counts)

    def json(self) -> dict[str, Any]:
        """The result as a plain object."""
        data = {**asdict(self), "seconds": round(self.seconds, 3)}
        if data.pop("maximizes"):
            names = {
                "minimum": "maximum",
                "minimum_proved": "maximum_proved",
                "lower_bound": "upper_bound",
                "best_cost": "best_value",
            }
            data |= {
                "minimum": self.maximum,
                "lower_bound": self.upper_bound,
                "best_cost": self.best_value,
            }
            return {names.get(key, key): value for key, value in data.items()}
        return data

    def __repr__(self) -> str:
        counts = [f"solutions={self.solutions}", f"distinct={self.distinct}"] + [
            f"minimum={self.minimum}"
        ] * (self.minimum is not None)
        return f"Result({self.instance!r}, {', '.join(counts)}, complete={self.complete})"

    def __str__(self) -> str:
        at_least = "" if self.complete else "at least "
        number = plural(self.solutions, "solution")
        words = f"{at_least}{number}" if self.solutions else "no solution"
        if self.solutions:
            if self.minimum is not None:
                words += f" with {self._describe_optimum()}"
            words += in_words(self.distinct)
            if self.uncounted:
                words += (
                    f", not counted up to {' or '.join(level.in_words for level in self.uncounted)}"
                )
        elif not self.complete:
            words = "no solution found so far"
        words += self._describe_bounds()
        if self.complete:
            by = str(self.established_by)
            # 'counting', or 'counting by' a program, names it; a reason is no backend's
            if by != "reason" and not by.removesuffix(NOT_CONFIRMED).endswith(self.backend):
                by += f", {self.backend}"
            how = f"complete (by {by}, {self.seconds:.2f} s)"
        else:
            how = f"incomplete: stopped by {self.stopped_by} ({self.backend}, {self.seconds:.2f} s)"
        return f"{self.instance}: {words}; {how}"

    def _describe_optimum(self) -> str:
        """The minimum or maximum, which is known."""
        if self.maximizes:
            return f"the maximum {self.maximum} (proved)"
        return f"the minimum {self.minimum} (proved)"

    def _describe_bounds(self) -> str:
        """What is known about a minimum or maximum that is not known yet."""
        if self.lower_bound is not None:
            if self.maximizes:
                bound = f"the maximum is at most {self.upper_bound} (proved)"
                return f"; {bound}, and the best value found is {self.best_value}"
            bound = f"the minimum is at least {self.lower_bound} (proved)"
            return f"; {bound}, and the best cost found is {self.best_cost}"
        if self.minimum_proved is False:
            return f"; the {'maximum' if self.maximizes else 'minimum'} is not known yet"
        return ""


@dataclass
class Answer:
    """The first solutions of a puzzle, each checked, up to the `limit`.

    `complete` if it is established that there are no others; `established_by` says how, as that of
    a `Result` does. 'refutation and exchange' means that a solver refuted other solutions of a
    special form, and that each solution could be changed into one of that form. `stopped_by` says
    what ended the work before the answer was final. `why` has the reasons why there is no solution.
    """

    puzzle: Puzzle
    solutions: list[Solution] = field(default_factory=list)
    complete: bool = False
    established_by: str | None = None
    stopped_by: str | None = None
    why: Why | None = None
    limit: int | None = field(default=2, compare=False)
    explain: bool = field(default=False, compare=False)
    reasons_ended: bool = field(default=False, compare=False)

    @property
    def unique(self) -> bool:
        """Whether it is established that the puzzle has exactly one solution."""
        return self.complete and len(self.solutions) == 1

    @property
    def verdict(self) -> str:
        """The number of solutions in a word, as in `VERDICTS`."""
        if len(self.solutions) > 1:
            return "several"
        if not self.complete:
            return "stopped"
        return "unique" if self.solutions else "none"

    @property
    def is_known(self) -> bool:
        """Whether the question is answered; the reasons may be missing."""
        return self.complete or len(self.solutions) == self.limit

    @property
    def is_final(self) -> bool:
        """Whether there is nothing left to do."""
        lacks_reasons = self.explain and not self.solutions and not self.reasons_ended
        return self.is_known and not lacks_reasons

    def add(self, event: Event) -> None:
        """Add what an event says."""
        match event:
            case Found(placements, relation):
                self.solutions.append(Solution(self.puzzle, placements, relation))
            case Established(by):
                self.complete = True
                self.established_by = by
                if self.explain and not self.solutions:
                    self.why = Why()
            case Explained(reason):
                why = self.why or Why()
                self.why = why._replace(found=(*why.found, reason))
            case ReasonsEnded(unfinished):
                why = self.why or Why()
                self.why = why._replace(unfinished=unfinished)
                self.reasons_ended = True
            case Halted(reason):
                self.stopped_by = reason

    def json(self) -> dict[str, Any]:
        """The answer as a plain object."""
        return {
            "instance": self.puzzle.name,
            "unique": None if self.verdict == "stopped" else self.unique,
            "complete": self.complete,
            "answer": self._describe_solution(),
            "found": [solution.objects() for solution in self.solutions],
            "reasons": self.why.json() if self.why else None,
            "stopped_by": None if self.complete else self.stopped_by,
        }

    def _describe_solution(self) -> str:
        """The answer that the only solution gives to the puzzle, such as a word; '' if there is
        none."""
        return self.puzzle.answer(self.solutions[0].placements) if self.unique else ""

    def __str__(self) -> str:
        number = len(self.solutions)
        if self.stopped_by is not None and not self.complete:
            return f"at least {plural(number, 'solution')}; stopped by {self.stopped_by}"
        if self.unique:
            answer = self._describe_solution()
            return f"unique, {answer}" if answer else "unique"
        if self.complete and number == 0:
            return "no solution"
        at_least = "" if self.complete else "at least "
        words = f"{at_least}{plural(number, 'solution')}"
        return f"not unique ({words})" if number > 1 else words


VERDICTS = ("unique", "several", "none", "stopped")
"""The number of solutions of a puzzle in a word; 'stopped' if it is not known."""


@dataclass
class RatingAnswer:
    """How difficult a puzzle is; `rating` is None if that is not known."""

    puzzle: Puzzle
    rating: Rating | None = None
    stopped_by: str | None = None

    @property
    def is_known(self) -> bool:
        """Whether the question is answered."""
        return self.rating is not None

    @property
    def is_final(self) -> bool:
        """Whether there is nothing left to do."""
        return self.rating is not None

    def add(self, event: Event) -> None:
        """Add what an event says."""
        match event:
            case Rated(rating):
                self.rating = rating
            case Halted(reason):
                self.stopped_by = reason

    def json(self) -> dict[str, Any]:
        """The answer as a plain object."""
        if self.rating is None:
            return {"instance": self.puzzle.name, "level": None, "stopped_by": self.stopped_by}
        return {"instance": self.puzzle.name, **self.rating.json()}


@dataclass
class CandidatesAnswer:
    """What is known about the placements of a puzzle; `counted` says whether the numbers of
    solutions were asked for."""

    puzzle: Puzzle
    counted: bool = False
    candidates: Candidates = field(default_factory=lambda: Candidates({}))
    stopped_by: str | None = None

    @property
    def is_final(self) -> bool:
        """Whether there is nothing left to do."""
        return self.candidates.complete

    def add(self, event: Event) -> None:
        """Add what an event says."""
        known = self.candidates
        match event:
            case Decided(statuses, possible, solvable):
                self.candidates = replace(
                    known,
                    statuses=known.statuses | statuses,
                    possible=known.possible | possible,
                    solvable=solvable,
                )
            case CandidatesEnded(counts, total, conflict):
                self.candidates = replace(
                    known, counts=counts, total=total, conflict=conflict, complete=True
                )
            case Halted(reason):
                self.stopped_by = reason

    def json(self) -> dict[str, Any]:
        """The answer as a plain object."""
        known = self.candidates
        data: dict[str, Any] = {
            "instance": self.puzzle.name,
            "complete": known.complete,
            "solvable": known.solvable,
        }
        if self.counted:
            data["solutions"] = known.total
        data["conflict"] = [placement._asdict() for placement in known.conflict]
        data["candidates"] = known.json()
        return data


@dataclass
class AlternativesAnswer:
    """What is known about what can be at a place, such as the words of a slot, the best first."""

    puzzle: Puzzle
    place: str
    statuses: dict[str, Status] = field(default_factory=dict)
    complete: bool = False
    stopped_by: str | None = None

    @property
    def is_final(self) -> bool:
        """Whether there is nothing left to do."""
        return self.complete

    def add(self, event: Event) -> None:
        """Add what an event says."""
        match event:
            case Judged(statuses, complete):
                self.statuses = self.statuses | statuses
                self.complete = complete
            case Halted(reason):
                self.stopped_by = reason

    def json(self) -> dict[str, Any]:
        """The answer as a plain object."""
        words = [{"word": word, "in": status} for word, status in self.statuses.items()]
        return {
            "instance": self.puzzle.name,
            "slot": self.place,
            "complete": self.complete,
            "words": words,
        }


PuzzleAnswer: TypeAlias = Answer | RatingAnswer
"""The answer to a question about one of some puzzles."""


def begin_answer(question: PuzzleQuestion, puzzle: Puzzle) -> PuzzleAnswer:
    """The answer as long as nothing is known."""
    if isinstance(question, FirstSolutions):
        return Answer(puzzle, limit=question.limit, explain=question.explain)
    return RatingAnswer(puzzle)
