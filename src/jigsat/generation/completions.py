"""Clues that complete a puzzle: the clues that it has already are kept, and others are added until
exactly one solution is left.

Added clues are minimal: without any one of them there is another solution. A run draws random
minimal sets, as for new clues (`jigsat.generation.clues`), or lists all of them.

All minimal sets follow from the solutions. Added clues leave only the solution S if each other
solution differs from S in at least one of them. So for each S, they are the minimal hitting sets
of the differences between S and the other solutions.
"""

from __future__ import annotations

import heapq
import random
from collections.abc import Iterator, Sequence
from itertools import islice

from jigsat.backends import AUTO, minimal_hitting_sets
from jigsat.errors import InputError
from jigsat.formula import Formula
from jigsat.generation.clues import ClueGenerator, Unit
from jigsat.generation.generator import (
    Candidate,
    Form,
    GeneratedPuzzle,
    verify_candidate,
)
from jigsat.puzzle import Puzzle
from jigsat.search.portfolio import models
from jigsat.symmetry import Model, Placement
from jigsat.words import plural

MAX_LISTED_SOLUTIONS = 1_000
"""The maximum number of solutions of a puzzle whose minimal sets of added clues are all listed. The
work grows with its square; of 9×9 sudokus with 600 to 1,000 solutions, the first set takes 15 to
30 s."""


class CompletionGenerator(ClueGenerator):
    """Adds clues to those of a puzzle, until exactly one solution is left."""

    clue = "added clue"

    def __init__(self, puzzle: Puzzle) -> None:
        self._incomplete = puzzle
        self._first_clues = read_given_clues(puzzle)
        super().__init__(puzzle)

    def encode(self) -> Formula:
        return self._incomplete.encode()

    def pose(self, placements: Sequence[Placement]) -> Puzzle:
        return self.puzzle.with_clues([*self._first_clues, *placements])

    def minimal(
        self, solution: Sequence[int], rng: random.Random, near: Sequence[Unit] = ()
    ) -> tuple[list[Unit], bool]:
        needed, proved = super().minimal(solution, rng, near)
        if not needed:
            raise already_unique(self._incomplete)
        return needed, proved

    def forms(self, puzzle: Puzzle) -> frozenset[Form]:
        """Different clues are enough: completions may share a solution, and turned ones differ,
        because the clues of the puzzle stay where they are."""
        return frozenset([(puzzle.family, puzzle.digest())])


def read_given_clues(puzzle: Puzzle) -> list[Placement]:
    """The clues of a puzzle. Raises InputError if one leaves several placements."""
    placements: list[Placement] = []
    for name, clue in puzzle.clues().items():
        if len(clue) > 1:
            raise InputError(
                f"{puzzle.name}: {name}: this clue leaves {len(clue)} placements, and only clues "
                f"that leave one can be kept"
            )
        placements += clue
    return placements


def already_unique(puzzle: Puzzle) -> InputError:
    """The message that nothing can be added."""
    return InputError(f"{puzzle.name}: it has exactly one solution already; no clue is to be added")


def list_completions(puzzle: Puzzle) -> Iterator[tuple[Placement, ...]]:
    """All minimal sets of clues to be added, the smallest first.

    Raises InputError if the puzzle has no solution, exactly one, or more than
    `MAX_LISTED_SOLUTIONS`.
    """
    formula = puzzle.encode()
    solutions = list(islice(models(formula, AUTO), MAX_LISTED_SOLUTIONS + 1))
    if not solutions:
        raise InputError(f"{puzzle.name}: it has no solution, so no clues can be added")
    if len(solutions) == 1:
        raise already_unique(puzzle)
    if len(solutions) > MAX_LISTED_SOLUTIONS:
        raise InputError(
            f"{puzzle.name}: it has more than {plural(MAX_LISTED_SOLUTIONS, 'solution')}, too many "
            f"to list all completions; leave out --all"
        )
    by_solution = [_list_for_solution(solution, solutions) for solution in solutions]
    for literals in heapq.merge(*by_solution, key=len):
        yield tuple(formula.key(literal) for literal in sorted(literals))


def _list_for_solution(solution: Model, solutions: Sequence[Model]) -> Iterator[list[int]]:
    """All minimal sets of clues that leave only this solution, the smallest first."""
    differences = [sorted(solution - other) for other in solutions if other != solution]
    return minimal_hitting_sets(differences)


def generate_every(puzzle: Puzzle) -> Iterator[GeneratedPuzzle]:
    """All completions of a puzzle, those with the fewest added clues first."""
    generator = CompletionGenerator(puzzle)
    for placements in list_completions(puzzle):
        established = (
            "the added clues are a minimal hitting set of the differences from the other solutions"
        )
        candidate = Candidate(generator.pose(placements), established=established)
        yield verify_candidate(generator, candidate)


def find_least_number(puzzle: Puzzle) -> int | None:
    """The least number of clues that complete a puzzle; None if it has too many solutions to find
    out."""
    try:
        return len(next(list_completions(puzzle)))
    except InputError:
        return None
