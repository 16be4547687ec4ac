"""Answers to questions about several puzzles, one after the other in this process."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from jigsat.puzzle import Puzzle
from jigsat.questions import Answer, FirstSolutions, Means
from jigsat.services.answer import answer_question
from jigsat.symmetry import Level


def solve_all(
    puzzles: Iterable[Puzzle],
    backend: str = "auto",
    limit: int | None = 2,
    up_to: Level = Level.NOTHING,
) -> Iterator[Answer]:
    """The first solutions of each puzzle, without the reasons if there is none."""
    question = FirstSolutions(up_to, limit, explain=False)
    for puzzle in puzzles:
        yield answer_question(question, puzzle, Means(backend))
