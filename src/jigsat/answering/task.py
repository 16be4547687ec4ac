"""A task: a question about a puzzle or a formula, with what may be used to answer it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Protocol

from jigsat.backends import find
from jigsat.puzzle import Puzzle
from jigsat.questions import (
    AlternativesAnswer,
    CandidatesAnswer,
    Event,
    FindAlternatives,
    FindCandidates,
    FirstSolutions,
    Means,
    PuzzleAnswer,
    Question,
    Result,
    Solutions,
    begin_answer,
)
from jigsat.runtime.child import Progress
from jigsat.solving.clues import ClueSearch
from jigsat.subject import PuzzleSubject, Subject
from jigsat.symmetry import Model


@dataclass(frozen=True)
class Task:
    """A question about a subject, and what may be used to answer it."""

    subject: Subject[Any]
    question: Question
    means: Means = field(default_factory=Means)

    @property
    def puzzle(self) -> Puzzle:
        """The puzzle of the subject. Some questions are only asked about puzzles."""
        assert isinstance(self.subject, PuzzleSubject)
        return self.subject.puzzle

    @property
    def search(self) -> Solutions:
        """The question, if it is one for solutions or their number."""
        assert isinstance(self.question, Solutions)
        return self.question

    @property
    def first(self) -> FirstSolutions:
        """The question, if it is one for the first solutions."""
        assert isinstance(self.question, FirstSolutions)
        return self.question

    @property
    def can_be_split(self) -> bool:
        """Whether subproblems can be searched separately, in other processes."""
        question = self.search
        can_be_sent = question.up_to.is_declared and self.subject.can_be_sent
        return can_be_sent and question.is_usual

    def begin_search(self) -> Result:
        """The answer about solutions or their number as long as nothing is known."""
        if not self.search.minimize:
            return Result(self.subject.name, self.means.backend)
        return Result(
            self.subject.name,
            self.means.backend,
            minimum_proved=False,
            maximizes=self.subject.maximizes,
        )

    def begin_answer(self) -> Result | PuzzleAnswer | CandidatesAnswer | AlternativesAnswer:
        """The answer as long as nothing is known."""
        if isinstance(self.question, Solutions):
            return self.begin_search()
        if isinstance(self.question, FindCandidates):
            return CandidatesAnswer(self.puzzle, self.question.count)
        if isinstance(self.question, FindAlternatives):
            return AlternativesAnswer(self.puzzle, self.question.place)
        return begin_answer(self.question, self.puzzle)


class Way(Protocol):
    """One way to answer a task."""

    @property
    def why(self) -> str:
        """What is done, and why."""

    def run(self, desk: Desk, answer: Any) -> Iterator[Event]:
        """Report what happens, given what is known so far.

        If the answer is not final at the end, the next way goes on. The caller adds the events to
        the answer.
        """


class Desk:
    """What a worker keeps while it answers one task after another.

    `progress` is where the fraction of the search that is done can be reported. `reported` are the
    solutions of the task that a brief search has reported, each as the first member of its orbit.
    """

    def __init__(self, backend: str, progress: Progress | None = None) -> None:
        self._backend = backend
        self._proofs: dict[str, str] = {}
        self.progress = progress
        self.reported: list[Model] = []

    @cached_property
    def clue_search(self) -> ClueSearch:
        """The search for puzzles of which many differ only in their clues."""
        return ClueSearch(self._backend)

    def find_proof(self, backend: str) -> str:
        """How a backend establishes that there are no other solutions."""
        if backend not in self._proofs:  # to find a backend takes as long as to solve a sudoku
            self._proofs[backend] = find(backend).establishes
        return self._proofs[backend]

    def close(self) -> None:
        """Close the solvers that are kept."""
        if "clue_search" in vars(self):
            self.clue_search.close()
