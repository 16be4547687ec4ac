"""The difficulty of a puzzle, measured in the same way for every family: by the work needed to solve its formula.

Three methods are tried in turn, each on the part that the previous one left open:

- *easy*: unit propagation alone; each step follows from a single constraint.
- *medium*: failed literals. If a literal leads to a contradiction by propagation, it is false. Each round tries all open
  literals of placements against the knowledge from before the round, so the number of rounds does not depend on the order.
- *hard*: search. A solver that learns from conflicts gets the remaining clauses `RUNS` times, each time with variables,
  clauses and signs shuffled by a seed; the measure is the median number of conflicts.

For the first two methods, *solved* means that every decision variable has a value, or that a contradiction shows that there is
no solution. For search it means that a solution was found or that there is none. The formula includes its symmetry-breaking
clause for the largest group of symmetries: a person may place the first piece anywhere, so a choice between a solution
and its mirror image does not count as difficult. The clause may leave several members of an orbit. Then, or if a puzzle has
several distinct solutions, nothing forces one of them and a search is needed. If most runs of it have no conflict, no guess was
wrong, and the puzzle is easy. A puzzle with one solution is not mistaken for easy: half of all first guesses are wrong,
because the signs are random.

Nothing is measured in seconds: the same formula and the same release of PySAT give the same rating on every machine. The
rating depends on the encoding of the instance.

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
from jigsat.errors import Stopped, plural
from jigsat.formula import Clause, Lowered
from jigsat.puzzle import Puzzle
from jigsat.search import failed
from jigsat.symmetry import LEVELS, Group

RUNS = 9
"""The number of searches whose median counts; odd, so that the median is one of the values."""

MOST = 10_000
"""The number of conflicts after which a search is abandoned."""

SOLVER = "minisat22"
"""A solver without preprocessing, so that its conflicts are comparable."""

Level = Literal["easy", "medium", "hard"]


@dataclass(frozen=True)
class Rating:
    """The difficulty of a puzzle: the method that solved it, and the effort.

    `rounds` is the number of rounds of failed literals that made progress, `conflicts` the median over the searches, 0 without
    a search. With `more`, most searches were abandoned after this number. `solvable` is None if no search was completed.
    """

    method: Literal["propagation", "failed literals", "search"]
    rounds: int = 0
    conflicts: int = 0
    more: bool = False
    solvable: bool | None = True

    @property
    def level(self) -> Level:
        """The difficulty as one word."""
        if self.method == "failed literals":
            return "medium"
        return "hard" if self.conflicts else "easy"

    def json(self) -> dict[str, Any]:
        """The rating as a plain object."""
        return {"level": self.level, **asdict(self)}

    def __str__(self) -> str:
        rounds = f"{plural(self.rounds, 'round')} of failed literals"
        if self.method == "propagation":
            said = "propagation alone solves it"
        elif self.method == "failed literals":
            said = f"{rounds} solve{'s' if self.rounds == 1 else ''} it"
        else:
            said = f"{'more than ' if self.more else ''}{plural(self.conflicts, 'conflict')}, the median of {RUNS} searches"
            said += f" after {rounds}" if self.rounds else ""
        return f"{self.level}: {said}" + ("; it has no solution" if self.solvable is False else "")


def rating(puzzle: Puzzle) -> Rating:
    """The difficulty of a puzzle."""
    formula = puzzle.encode()
    clauses = [clause.literals for clause in Lowered(formula) if isinstance(clause, Clause)]
    breaking = Group.of(formula, puzzle.symmetries()).breaking(formula, LEVELS[-1])
    return rated([*clauses, breaking] if breaking else clauses, formula.decisions())


def rated(clauses: Iterable[Sequence[int]], decisions: Sequence[int]) -> Rating:
    """The difficulty of finding a model of clauses; deduction succeeds if it gives each of the `decisions` a value."""
    distinct = [tuple(dict.fromkeys(clause)) for clause in clauses]
    # PySAT's propagation reports only the consequences of assumptions, so unit clauses are assumed at first, not added
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
    """The clauses without satisfied clauses and false literals."""
    return [[x for x in clause if -x not in known] for clause in clauses if known.isdisjoint(clause)]


def _searched(clauses: Sequence[Sequence[int]], rounds: int) -> Rating:
    """The median number of conflicts needed to find a model of the shuffled clauses or to refute them."""
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
        if conflicts.count(MOST) > RUNS // 2:  # the other runs cannot change the median
            return Rating("search", rounds, MOST, more=True, solvable=solvable)
    return Rating("search", rounds, sorted(conflicts)[RUNS // 2], solvable=solvable)
