"""The difficulty of a puzzle, as a fact; `jigsat.rating.difficulty` measures it."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import Any, Literal, get_args

from jigsat.puzzle import Known
from jigsat.words import plural

SEARCHES = 9  # number of searches whose median counts; odd, so that the median is one of the values
Difficulty = Literal["easy", "medium", "hard"]
LevelOrGrade = Literal["easy", "medium", "hard", "1", "2", "3", "4", "5", "6"]
"""A difficulty, or a grade of puzzles that have one, such as sudokus."""


@dataclass(frozen=True)
class Rating:
    """The difficulty of a puzzle: the method that solved it, and the effort.

    `rounds` is the number of rounds of failed literals that made progress, `conflicts` the median
    over the searches, 0 without a search. With `more`, most searches were abandoned after this
    number. `solvable` is None if no search was completed. `effort` grades puzzles of the same
    family and size more finely.
    """

    method: Literal["propagation", "failed literals", "search"]
    rounds: int = 0
    conflicts: int = 0
    more: bool = False
    solvable: bool | None = True
    effort: int = field(default=0, compare=False)

    @property
    def level(self) -> Difficulty:
        """The difficulty as one word."""
        if self.conflicts:
            return "hard"
        return "medium" if self.rounds else "easy"

    def order(self, known: Known) -> tuple[int, int, int, int]:
        """The sort key: by level, effort, the known minimum, such as a number of presses, and
        conflicts."""
        return (
            get_args(Difficulty).index(self.level),
            self.effort,
            known.minimum or 0,
            self.conflicts,
        )

    def json(self) -> dict[str, Any]:
        return {"level": self.level, **asdict(self)}

    def __str__(self) -> str:
        rounds = f"{plural(self.rounds, 'round')} of failed literals"
        if self.method == "search":
            words = (
                f"{'more than ' if self.more else ''}{plural(self.conflicts, 'conflict')}, "
                f"the median of {SEARCHES} searches"
            )
            words += f" after {rounds}" if self.rounds else ""
            words += "; there is no solution" if self.solvable is False else ""
        else:
            how = "propagation alone" if self.method == "propagation" else rounds
            s = "s" if self.rounds < 2 else ""
            words = f"{how} solve{s} it"
            if self.solvable is False:
                words = f"{how} show{s} that there is no solution"
        return f"{self.level}, effort {self.effort:,}: {words}"
