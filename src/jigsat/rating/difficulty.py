"""The difficulty of a puzzle, measured in the same way for every family: by the work needed to
solve its formula.

Three methods are tried in turn, each on the part that the previous one left open: unit propagation
(easy), failed literals (medium), and search by a solver that learns from conflicts (hard).
docs/difficulty.md defines them and the effort, and states what is done about symmetry and several
solutions. What the code relies on:

- A round of failed literals uses only the knowledge from before it, so the number of rounds does
  not depend on the order. The
  effort depends on sets of literals, so no name and no order in a file changes it.
- A puzzle with one solution is not mistaken for easy by a search without conflicts: half of all
  first guesses are wrong,
  because the signs are random.
- A further clue never increases the effort of a puzzle with one solution. With it, each wave and
  each round knows at least as
  much as without it. Propagation may then run for further waves, but each wave decides at least one
  of the V variables, so the
  waves cost no more than the round or the search that they replace.

>>> from jigsat.instance import load
>>> print(rating(load("sudoku-6x6")))
medium, effort 2,831: 1 round of failed literals solves it
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from contextlib import closing
from copy import copy
from dataclasses import replace
from functools import cached_property
from itertools import islice
from typing import TYPE_CHECKING, Literal

from jigsat.backends import open_backend
from jigsat.errors import Stopped
from jigsat.formula import Clause, Formula, Lowered
from jigsat.puzzle import Puzzle
from jigsat.questions import SEARCHES, Rating
from jigsat.search.propagation import LayeredPropagation, failed_literals
from jigsat.search.sampling import find_orbits
from jigsat.symmetry import Group, Level, Model

if TYPE_CHECKING:
    pass

MAX_CONFLICTS = 10_000  # number of conflicts after which a search is abandoned
SOLVER = "minisat22"  # a solver without preprocessing, so that its conflicts are comparable


def rating(puzzle: Puzzle) -> Rating:
    formula = puzzle.encode()
    group = Group.of(formula, puzzle.symmetries())
    constraints = list(formula.constraints())
    clauses = [
        row for batch in Lowered(formula).batches() if isinstance(batch, list) for row in batch
    ]
    images: Sequence[Model] = ()
    if len(group.levels[Level.ALL]) > 1:
        images = _only_solution(formula, group)
        breaking = None if images else group.find_breaking_clause(formula, Level.ALL)
        if breaking:
            constraints.append(Clause(tuple(breaking)))
            clauses.append(tuple(breaking))
    start = Deduction(LayeredPropagation(constraints), clauses, formula.decisions())
    while len(images) > 1:
        start, images = _place_first(start, images)
    return start.solve_by_failed_literals().rating


def _place_first(start: Deduction, images: Sequence[Model]) -> tuple[Deduction, Sequence[Model]]:
    """The hardest case after a placement of the first image that is in the fewest others, and the
    images that it is in."""
    shared = {x: [image for image in images if x in image] for x in sorted(images[0])}
    fewest = min(map(len, shared.values()))
    placed = [x for x, those in shared.items() if len(those) == fewest]
    hardest = max(placed, key=lambda x: start.after(x).solve_by_failed_literals().effort)
    return start.after(hardest), shared[hardest]


def _only_solution(formula: Formula, group: Group) -> Sequence[Model]:
    """The images of the only solution up to symmetry; () if there are none or several, or after
    more than `MAX_CONFLICTS`."""
    try:
        orbits = list(islice(find_orbits(formula, group, Level.ALL, MAX_CONFLICTS), 2))
    except Stopped:
        return ()
    return sorted(orbits[0], key=sorted) if len(orbits) == 1 else ()


class Deduction:
    """What propagation and failed literals decide, and the effort, which includes a search if
    something is left open."""

    def __init__(
        self, waves: LayeredPropagation, clauses: Iterable[Sequence[int]], decisions: Sequence[int]
    ) -> None:
        self._waves = waves
        self._clauses = list(dict.fromkeys(tuple(dict.fromkeys(clause)) for clause in clauses))
        self._decisions = decisions
        self._rounds = self._spent = 0
        self._solved = False
        self._propagate()

    def after(self, placement: int) -> Deduction:
        """The same with a first placement."""
        other = copy(self)
        other._waves = self._waves.copy()
        other._clauses = [*self._clauses, (placement,)]
        other._propagate([placement])
        return other

    def solve_by_failed_literals(self) -> Deduction:
        """The same after all rounds of failed literals that make progress."""
        self._solved = self._deduce()
        return self

    @property
    def effort(self) -> int:
        """The effort if the search has conflicts."""
        return self._spent + (0 if self._solved else self._round() * (self._waves.variables() + 1))

    @cached_property
    def rating(self) -> Rating:
        """The rating, after a search if one is needed."""
        if self._solved:
            method: Literal["propagation", "failed literals"] = (
                "failed literals" if self._rounds else "propagation"
            )
            return Rating(method, self._rounds, solvable=self._waves.consistent, effort=self._spent)
        known = self._waves.known
        left = [
            [x for x in clause if -x not in known]
            for clause in self._clauses
            if known.isdisjoint(clause)
        ]
        rating = _rate_by_search(left, self._rounds)
        return replace(
            rating, effort=self.effort if rating.conflicts else self._spent + self._round()
        )

    def _open(self) -> list[int]:
        return [
            x for x in self._decisions if x not in self._waves.known and -x not in self._waves.known
        ]

    def _round(self) -> int:
        """The effort of a round of failed literals."""
        return len(self._open()) * self._waves.variables()

    def _deduce(self) -> bool:
        """Whether propagation and failed literals solve the puzzle."""
        waves = self._waves
        if not waves.consistent or not (self._open() or waves.variables()):
            return True
        with closing(open_backend(SOLVER)) as solver:
            solver.add_clauses([clause for clause in self._clauses if len(clause) > 1])
            # PySAT's propagation reports only the consequences of assumptions, so unit clauses are
            # assumed at first, not added
            units = {clause[0] for clause in self._clauses if len(clause) == 1}
            known = units | waves.known
            while True:
                waves.consistent, implied = solver.propagate(sorted(known))
                solver.add_clauses([(literal,) for literal in implied])
                self._propagate(literal for literal in implied if abs(literal) in waves.stated)
                if not waves.consistent or (not self._open() and solver.solve()):
                    return True
                failed = failed_literals(solver, self._open())
                if not failed:
                    return False
                self._spent += self._round()
                self._rounds += 1
                self._propagate(failed)
                known = failed | waves.known

    def _propagate(self, new: Iterable[int] = ()) -> None:
        number = len(self._open())
        for _ in self._waves.propagate_in_waves(new):
            self._spent += number
            number = len(self._open())


def _rate_by_search(clauses: Sequence[Sequence[int]], rounds: int) -> Rating:
    """The median number of conflicts needed to find a model of the shuffled clauses or to refute
    them."""
    variables = sorted({abs(x) for clause in clauses for x in clause})
    solvable: bool | None = None
    conflicts: list[int] = []
    for seed in range(SEARCHES):
        rng = random.Random(seed)
        renamed = dict(
            zip(variables, rng.sample(range(1, len(variables) + 1), len(variables)), strict=True)
        )
        renamed = {x: rng.choice((1, -1)) * name for x, name in renamed.items()}
        renamed |= {-x: -name for x, name in renamed.items()}
        shuffled = [rng.sample([renamed[x] for x in clause], len(clause)) for clause in clauses]
        rng.shuffle(shuffled)
        with closing(open_backend(SOLVER)) as solver:
            solver.add_clauses(list(map(tuple, shuffled)))
            solver.limit(MAX_CONFLICTS)
            try:
                solvable = solver.solve()
                conflicts.append(min(MAX_CONFLICTS, solver.statistics()["conflicts"]))
            except Stopped:
                conflicts.append(MAX_CONFLICTS)
        if (
            conflicts.count(MAX_CONFLICTS) > SEARCHES // 2
        ):  # the other runs cannot change the median
            return Rating("search", rounds, MAX_CONFLICTS, more=True, solvable=solvable)
    return Rating("search", rounds, sorted(conflicts)[SEARCHES // 2], solvable=solvable)
