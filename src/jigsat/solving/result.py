"""What is known about a puzzle's solutions, as an object, in words and as JSON."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import Any

from jigsat.errors import plural
from jigsat.puzzle import Known
from jigsat.symmetry import WORDS, at_each_level, in_words


@dataclass(repr=False)
class Result:
    """What is known so far about a puzzle's solutions; the fields are those of `jigsat count --json`.

    `print` shows the summary line of the command line. `minimum_proved` is None unless the minimum was requested. It does not
    depend on `complete`: the minimum is proved before the solutions that attain it are listed.
    """

    instance: str
    backend: str
    solutions: int = 0
    distinct: dict[str, int] = field(default_factory=dict)
    minimum: int | None = None
    minimum_proved: bool | None = None
    complete: bool = False
    established_by: str | None = None
    stopped_by: str | None = None
    seconds: float = 0.0
    symmetries: dict[str, int] = field(default_factory=dict)
    statistics: dict[str, int] = field(default_factory=dict)

    @property
    def uncounted(self) -> list[str]:
        """The levels of symmetry at which distinct solutions are not counted."""
        return [level for level in self.symmetries if level not in self.distinct]

    def contradiction(self, known: Known) -> str:
        """A message about the first known fact that the counts contradict; '' if none does or the result is incomplete."""
        if not self.complete:
            return ""
        if self.minimum_proved is not None:  # only solutions that attain the minimum were counted
            return known.contradiction({"minimum": self.minimum})
        distinct = at_each_level(self.solutions, self.distinct)
        if self.uncounted:
            distinct = {level: count for level, count in self.distinct.items() if level in distinct}
        return known.contradiction({"solutions": self.solutions, **distinct})

    def json(self) -> dict[str, Any]:
        """The result as a plain object."""
        return {**asdict(self), "seconds": round(self.seconds, 3)}

    def __repr__(self) -> str:
        counts = [f"solutions={self.solutions}", f"distinct={self.distinct}"] + [f"minimum={self.minimum}"] * (
            self.minimum is not None
        )
        return f"Result({self.instance!r}, {', '.join(counts)}, complete={self.complete})"

    def __str__(self) -> str:
        at_least = "" if self.complete else "at least "
        number = plural(self.solutions, "solution")
        counted = f"{at_least}{number}" if self.solutions else "no solution"
        if self.solutions:
            counted += f" with the minimum {self.minimum} (proved)" if self.minimum is not None else ""
            counted += in_words(self.distinct)
            if self.uncounted:
                counted += f", not counted up to {' or '.join(WORDS[level] for level in self.uncounted)}"
        elif not self.complete:
            counted = "no solution found so far"
            counted += f"; the minimum is {self.minimum} (proved)" if self.minimum is not None else ""
        if self.minimum_proved is False:
            counted += "; the minimum is not known yet"
        if self.complete:
            by = str(self.established_by)
            by += "" if by.endswith(self.backend) else f", {self.backend}"  # 'counting', or 'counting by' a program
            how = f"complete (by {by}, {self.seconds:.2f} s)"
        else:
            how = f"incomplete: stopped by {self.stopped_by} ({self.backend}, {self.seconds:.2f} s)"
        return f"{self.instance}: {counted}; {how}"
