"""What is known about the placements of a puzzle, as facts; `jigsat.study.candidates` finds it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from jigsat.symmetry import Placement

Status = Literal["all", "some", "none", "unknown"]
"""Whether a placement is in all solutions, in some but not in all, or in none."""


@dataclass(frozen=True)
class Candidates:
    """What is known about each placement. `counts` are the numbers of solutions that have it, if
    requested and known.

    `solvable`: whether there is a solution; None if that is not known. `total`: the number of
    solutions, if `counts` are known. `complete`: whether nothing that was requested is unknown.
    `possible`: the placements that were seen in a solution, which may be in all. `conflict`: given
    placements that no solution has together, if there is no solution. No smaller set conflicts,
    unless the search for one took too long.
    """

    statuses: dict[Placement, Status]
    solvable: bool | None = None
    counts: dict[Placement, int] | None = None
    total: int | None = None
    conflict: tuple[Placement, ...] = ()
    possible: frozenset[Placement] = frozenset()
    complete: bool = False

    def json(self) -> list[dict[str, Any]]:
        """The placements as plain objects, each with its status and, if it is known, its number of
        solutions."""
        counts = self.counts or {}
        return [
            {
                **placement._asdict(),
                "in": status,
                **({"solutions": counts[placement]} if placement in counts else {}),
            }
            for placement, status in self.statuses.items()
        ]
