"""How hard a puzzle is, measured the same way for every family: by what it takes to solve its formula.

Three ways to solve it are tried, each at work on what the one before has left open:

- *easy*: unit propagation alone; each step follows at once from one constraint.
- *medium*: failed literals; what leads to a contradiction by propagation is wrong, its opposite right. In each round all
  open literals of placements are tried against what was known before the round, so that the number of rounds does
  not depend on any order.
- *hard*: search. A solver that learns from conflicts gets the clauses that are left, `RUNS` times, each time with variables
  and clauses shuffled and signs changed by a seed; the median of the numbers of conflicts is the measure.

*Solved* means for the first two that every decision variable has its value, or that there is a contradiction: the
puzzle has no solution, and that is known. For the search it means that one solution is found, or that it is known that
there is none. All of this is asked of the formula with its symmetry-breaking clause for the largest group of symmetries:
somebody who solves a puzzle may lay the first piece as he likes, so nothing that only tells a solution from its
mirror image counts as difficult. The clause need not leave one member of each orbit. Where it leaves more, and where a puzzle
has several distinct solutions, nothing forces one of them and it takes a search; if that goes without conflicts in most runs,
no guess is wrong, and the puzzle is easy. A puzzle with one solution does not slip through there: half of all first guesses are
wrong, as the signs are random.

Nothing is measured in seconds: the same formula and the same release of PySAT give the same rating on every machine. The
formula is what the instance's encoding makes of the puzzle, so ratings of two encodings differ.

>>> from jigsat.instance import load
>>> print(rating(load("sudoku-6x6")))
medium: 1 round of failed literals solves it
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from contextlib import closing
from dataclasses import asdict, dataclass
from typing import Any, Literal

from jigsat.backends import Backend, open_backend
from jigsat.errors import Stopped
from jigsat.formula import Clause, Lowered
from jigsat.puzzle import Puzzle
from jigsat.search import failed
from jigsat.symmetry import LEVELS, Group

RUNS = 9
"""Searches of which the median counts; an odd number, so that it is one of them."""

MOST = 10_000
"""Conflicts after which a search is given up."""

SOLVER = "minisat22"
"""It decides and learns, and does nothing else to the clauses that would blur what a conflict is."""

Level = Literal["easy", "medium", "hard"]


@dataclass(frozen=True)
class Rating:
    """How hard a puzzle is: what solved it, and how much of it that took.

    `rounds` is how many rounds of failed literals led on, `conflicts` the median of the searches, 0 if there was none. With
    `more` it is where most of them were given up. `solvable` is None if none came to an end.
    """

    method: Literal["propagation", "failed literals", "search"]
    rounds: int = 0
    conflicts: int = 0
    more: bool = False
    solvable: bool | None = True

    @property
    def level(self) -> Level:
        """The same as one word."""
        if self.method == "failed literals":
            return "medium"
        return "hard" if self.conflicts else "easy"

    def json(self) -> dict[str, Any]:
        """The rating as a plain object."""
        return {"level": self.level, **asdict(self)}

    def __str__(self) -> str:
        rounds = f"{self.rounds} round{'' if self.rounds == 1 else 's'} of failed literals"
        if self.method == "propagation":
            said = "propagation alone solves it"
        elif self.method == "failed literals":
            said = f"{rounds} solve{'s' if self.rounds == 1 else ''} it"
        else:
            number = f"more than {self.conflicts:,}" if self.more else f"{self.conflicts:,}"
            said = f"{number} conflict{'' if self.conflicts == 1 else 's'}, the median of {RUNS} searches"
            said += f" after {rounds}" if self.rounds else ""
        return f"{self.level}: {said}" + ("; it has no solution" if self.solvable is False else "")


def rating(puzzle: Puzzle) -> Rating:
    """How hard a puzzle is."""
    formula = puzzle.encode()
    clauses = [clause.literals for clause in Lowered(formula) if isinstance(clause, Clause)]
    breaking = Group.of(formula, puzzle.symmetries()).breaking(formula, LEVELS[-1])
    return rated([*clauses, breaking] if breaking else clauses, formula.decisions())


def rated(clauses: Iterable[Sequence[int]], decisions: Sequence[int]) -> Rating:
    """How hard it is to find a model of clauses; deduction has done it once each of the `decisions` has its value."""
    distinct = [tuple(dict.fromkeys(clause)) for clause in clauses]
    # PySAT tells what follows from assumptions alone, so unit clauses are not given before that is read off
    new = {clause[0] for clause in distinct if len(clause) == 1}
    known: set[int] = set()
    rounds = 0
    with closing(open_backend(SOLVER)) as solver:
        _add(solver, (clause for clause in distinct if len(clause) > 1))
        while True:
            consistent, implied = solver.propagate(sorted(new))
            known.update(implied)
            _add(solver, ((literal,) for literal in implied))
            undecided = [x for x in decisions if x not in known and -x not in known]
            if not consistent or (not undecided and solver.solve()):
                return Rating("failed literals" if rounds else "propagation", rounds, solvable=consistent)
            new = failed(solver, undecided)
            if not new:
                return _searched(_left(distinct, known), rounds)
            rounds += 1


def _add(solver: Backend, clauses: Iterable[Sequence[int]]) -> None:
    for clause in clauses:
        solver.add(Clause(tuple(clause)))


def _left(clauses: Iterable[Sequence[int]], known: set[int]) -> list[list[int]]:
    """The clauses with what is known left out."""
    return [[x for x in clause if -x not in known] for clause in clauses if known.isdisjoint(clause)]


def _searched(clauses: Sequence[Sequence[int]], rounds: int) -> Rating:
    """The median of the conflicts that it takes to find a model of shuffled clauses, or that there is none."""
    variables = sorted({abs(x) for clause in clauses for x in clause})
    solvable: bool | None = None
    conflicts: list[int] = []
    for seed in range(RUNS):
        rng = random.Random(seed)
        renamed = dict(zip(variables, rng.sample(range(1, len(variables) + 1), len(variables)), strict=True))
        renamed = {x: rng.choice((1, -1)) * name for x, name in renamed.items()}
        renamed |= {-x: -name for x, name in renamed.items()}
        shuffled = [rng.sample([renamed[x] for x in clause], len(clause)) for clause in clauses]
        rng.shuffle(shuffled)
        with closing(open_backend(SOLVER)) as solver:
            _add(solver, shuffled)
            solver.limit(MOST)
            try:
                solvable = solver.solve()
                conflicts.append(min(MOST, solver.statistics()["conflicts"]))
            except Stopped:
                conflicts.append(MOST)
        if conflicts.count(MOST) > RUNS // 2:  # that is the median, whatever the others take
            return Rating("search", rounds, MOST, more=True, solvable=solvable)
    return Rating("search", rounds, sorted(conflicts)[RUNS // 2], solvable=solvable)
