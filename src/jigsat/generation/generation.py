"""Making puzzles that have exactly the solutions that are wished for. No family is named here.

A family says in its `Wishes` what can be wished for. They lead to a *maker*, which offers candidates: by clues of a known
solution (`jigsat.generation.clues`) or by data that are invented (`jigsat.generation.counterexamples`). What is found is
solved once more, by another solver and from the instance's own encoding, and checked before anybody sees it.

Chance comes from the seed alone, and work is counted in tries, calls and conflicts, so a seed stands for the same puzzles on
every machine.
"""

from __future__ import annotations

import random
from abc import ABC, abstractmethod
from collections.abc import Iterator
from itertools import islice
from typing import NamedTuple, Protocol

from pydantic import BaseModel, ConfigDict

from jigsat.backends import counting
from jigsat.errors import CheckError, Stopped
from jigsat.formula import Formula
from jigsat.instance import every_family
from jigsat.puzzle import Known, Puzzle, Solution
from jigsat.search import models
from jigsat.solving import Enumeration, Tally, checked, counted, rating
from jigsat.symmetry import Group

SECOND = "glucose42"
"""The backend that solves once more what was found: of another line than the one that found it."""

TRIES = 10_000
"""So many candidates are looked at for a puzzle."""


class Candidate(NamedTuple):
    """A puzzle, how far it is from what is wished and what it lacks, and what is established of it so far.

    One that lacks nothing has `short` 0. `unique` says that its solutions are known to be as wished, and may be verified.
    """

    puzzle: Puzzle
    short: int = 0
    lacks: str = ""
    established: str = ""
    unique: bool = True


class Maker(Protocol):
    """What offers candidates. It may learn from one puzzle to the next."""

    def candidates(self, rng: random.Random) -> Iterator[Candidate]:
        """Candidates until nothing more is tried; raises Stopped where it is established that there is none."""

    def verified(self, puzzle: Puzzle) -> tuple[Known, Solution]:
        """What another solver says of the solutions, and one of them. Raises CheckError if it is not what was established."""


class Wishes(BaseModel, ABC):
    """What is wished for, a subclass a family; validated as instances are."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    @abstractmethod
    def maker(self) -> Maker:
        """What makes such puzzles. Raises InputError where that cannot be."""


class Made(NamedTuple):
    """A puzzle that was made with what is known of it, and a solution; or the best so far, and what it lacks."""

    puzzle: Puzzle
    solution: Solution | None
    lacks: str = ""


def generators() -> dict[str, type[Wishes]]:
    """The generator options of each family that can be generated."""
    found = ((family.family, family.generator()) for family in every_family())
    return {name: options for name, options in found if options is not None and issubclass(options, Wishes)}


def generate(maker: Maker, seed: int, count: int = 1, difficulty: str | None = None) -> Iterator[Made]:
    """So many puzzles, each rated as difficult as is wished. Before each may come some that lack something, but ever less.

    Raises Stopped if one cannot be found; what was best has come before.
    """
    for number in range(1, count + 1):
        yield from _one(maker, random.Random(f"{seed}/{number}"), difficulty)


def _one(maker: Maker, rng: random.Random, difficulty: str | None) -> Iterator[Made]:
    best, tries = None, 0
    for candidate in islice(maker.candidates(rng), TRIES):
        tries += 1
        if candidate.short == 0 and difficulty is not None and (rated := rating(candidate.puzzle)).level != difficulty:
            candidate = candidate._replace(short=1, lacks=f"it is {rated}, not {difficulty}")
        if best is None or candidate.short < best:
            best = candidate.short
            yield _made(maker, candidate)
            if best == 0:
                return
    raise Stopped(f"none found in {tries:,} tries")


def _made(maker: Maker, candidate: Candidate) -> Made:
    puzzle, solution, known = candidate.puzzle, None, Known()
    said = [candidate.established]
    if candidate.unique:
        known, solution = maker.verified(puzzle)
        said.append(f"solved once more with {SECOND} and checked")
    known = known.model_copy(update={"source": "; ".join(filter(None, said))})
    puzzle = puzzle.model_copy(update={"known": known})
    return Made(puzzle, solution and Solution(puzzle, solution.placements), candidate.lacks)


def established(puzzle: Puzzle, formula: Formula, group: Group) -> tuple[Known, Solution]:
    """All distinct solutions, or the least objective, found anew with the second backend and checked; and one solution.

    Raises Stopped if the backend gives up, and CheckError if there is none.
    """
    if formula.objective:
        return _least(puzzle, formula)
    tally = Tally(group, "reflection")
    solutions = []
    for model in models(formula, SECOND, group=group, up_to="reflection"):
        solutions.append(Solution(puzzle, checked(puzzle, formula, sorted(model), SECOND)))
        tally.add(model)
    if not solutions:
        raise CheckError(f"{SECOND} finds no solution of a puzzle that was made to have one. This is a bug")
    return Known.model_validate({"solutions": tally.solutions, **tally.distinct}), solutions[0]


def _least(puzzle: Puzzle, formula: Formula) -> tuple[Known, Solution]:
    """The same where something is minimised; all solutions are counted if that takes no list of them."""
    enumeration = Enumeration(puzzle, backend=SECOND, up_to="reflection", minimize=True)
    found = list(enumeration)
    if not enumeration.result.complete or not found:
        raise CheckError(f"{SECOND} finds no solution of a puzzle that was made to have one. This is a bug")
    said: dict[str, int | None] = {"minimum": enumeration.result.minimum}
    if engine := counting(formula):
        result = counted(puzzle, engine)
        said |= {"solutions": result.solutions, **result.distinct}
    return Known.model_validate(said), found[0]
