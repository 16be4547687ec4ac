"""A question about each of many puzzles, whether it is answered in this process, in others, with a
ledger or on a cluster.

Solutions, ratings and reasons are such questions. What is found about a puzzle travels as plain
rows without the puzzle, which takes longer to send than an easy sudoku to solve.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, Protocol, TypeVar, runtime_checkable

from jigsat.puzzle import Puzzle

if TYPE_CHECKING:
    from jigsat.ledger.headers import PuzzlesHeader
    from jigsat.subject import Source

T = TypeVar("T")
A = TypeVar("A", covariant=True)


class Findings(NamedTuple):
    """What is known about a puzzle. Unless they are `final`, the search goes on, and may take
    long."""

    rows: list[Any]
    final: bool = True


class Question(Protocol[A]):
    """What is asked about each puzzle. It is sent to other processes, so it is plain data."""

    @property
    def doing(self) -> str:
        """What takes the time, such as 'rating'; '' for a search."""

    def find(self, puzzles: Iterable[Puzzle]) -> Iterator[Findings]:
        """The final findings about each puzzle, in order, and before anything that may take long
        what is known until then.

        A puzzle is taken when the final findings about the one before it have been.
        """

    def answer(self, puzzle: Puzzle, findings: Findings) -> A:
        """The answer for a puzzle, given the last findings about it."""


@runtime_checkable
class StorableQuestion(Question[A], Protocol[A]):
    """A question whose answers are kept in a ledger and found by workers on other machines.

    It is a dataclass whose fields are JSON values, as are its rows.
    """

    def header(self, name: str, puzzles: Sequence[Puzzle]) -> PuzzlesHeader:
        """The header of a ledger for puzzles from a file of this name."""

    def make_reader(self) -> Callable[[Puzzle, list[Any], Source], Findings]:
        """A function that checks the rows about a puzzle and restores the findings. It raises
        InputError with the source."""


@dataclass(frozen=True)
class FunctionQuestion(Generic[T]):
    """A question that a function answers for one puzzle after another. The answer is a list, empty
    if it was stopped before."""

    function: Callable[[Puzzle], T]
    doing: str

    def find(self, puzzles: Iterable[Puzzle]) -> Iterator[Findings]:
        for puzzle in puzzles:
            yield Findings([], final=False)
            yield Findings([self.function(puzzle)])

    def answer(self, puzzle: Puzzle, findings: Findings) -> list[T]:
        return findings.rows
