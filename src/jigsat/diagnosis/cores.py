"""Which clues are needed: smallest sets of clues, or of other requirements, that conflict, and
redundant clues.

An irreducible set is found by leaving out one clue after the other. A smallest set is found by
implicit hitting sets: each set of clues that cannot be extended without a conflict shows that every
conflicting set contains one of the other clues. A smallest set that hits all of these is a lower
bound, and if it conflicts it is a smallest conflicting set (Ignatiev, Previti, Liffiton,
Marques-Silva: Smallest MUS extraction with minimal hitting set dualization, CP 2015).

A clue is redundant if it follows from the others, so that the puzzle has the same solutions without
it. Symmetric solutions are distinguished here: a hint that only determines the orientation of the
board is not redundant.
"""

import math
import time
from collections.abc import Collection, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from typing import NamedTuple

from jigsat.backends import DEFAULT, Backend, hitting_sets, open_backend
from jigsat.errors import InputError, Stopped
from jigsat.formula import Clause
from jigsat.puzzle import Puzzle
from jigsat.solving.clues import ClueSolver

MAX_SEARCH_S = 10.0  # time limit of the search for a smallest set of clues that conflict
# number of conflicts after which a solver call is given up in the search for a smaller set
MAX_CALL_CONFLICTS = 20_000
CONFLICTS_PER_CHECK = 500  # number of conflicts after which a solver looks at its limit
CALL_PROPAGATIONS = 5_000  # effort of a solver call in itself, in propagations


class Limit(NamedTuple):
    """Where a search ends: at an effort, which does not depend on the machine, or at a time as
    `time.monotonic` counts it.

    The effort is the number of propagations, with CALL more for each solver call. A single call
    ends after some `conflicts`.
    """

    effort: float
    end: float
    conflicts: int = MAX_CALL_CONFLICTS


class Core(NamedTuple):
    """Clues that conflict; whether no smaller set is proved to conflict, and whether none of them
    can be left out."""

    names: list[str]
    smallest: bool
    irreducible: bool = True

    @property
    def extent(self) -> str:
        """What is known about the size of the set, in words."""
        return "and no smaller set does" if self.smallest else "and none of them can be left out"


class Assumed:
    """Clues as assumptions of a solver that holds the rest of the puzzle. At a limit, it raises
    Stopped."""

    def __init__(
        self, solver: Backend, literals: dict[str, int], limit: Limit | None = None
    ) -> None:
        self._solver = solver
        self._literals = literals
        self._limit = limit
        self._calls = 0

    @property
    def effort(self) -> float:
        """The effort up to now, as in a Limit."""
        return self._solver.statistics().get("propagations", 0) + CALL_PROPAGATIONS * self._calls

    def core(self, names: Collection[str], *also: int) -> list[str] | None:
        """A conflicting subset of these clues, given further assumptions, or None if there is a
        solution."""
        assumptions = [*(self._literals[name] for name in names), *also]
        if self._limit is None:
            solvable = self._solver.solve(assumptions)
        else:
            solvable = self._solve_until(self._limit, assumptions)
        if solvable:
            return None
        core = set(self._solver.core())
        return [name for name in names if self._literals[name] in core]

    def _solve_until(self, limit: Limit, assumptions: Sequence[int]) -> bool:
        """Whether there is a solution; the solver keeps what it has learned from one slice to the
        next."""
        self._solver.limit(min(CONFLICTS_PER_CHECK, limit.conflicts))
        for _ in range(math.ceil(limit.conflicts / CONFLICTS_PER_CHECK)):
            if self._over(limit):
                break
            self._calls += 1
            with suppress(Stopped):
                return self._solver.solve(assumptions)
        raise Stopped("timeout")

    def _over(self, limit: Limit) -> bool:
        return self.effort >= limit.effort or time.monotonic() >= limit.end

    @contextmanager
    def _within(self, limit: Limit) -> Iterator[Limit]:
        """Hold this limit, or the one that holds already if that is less."""
        before = self._limit
        least = limit if before is None else [min(pair) for pair in zip(limit, before, strict=True)]
        held = self._limit = Limit(least[0], least[1], int(least[2]))
        try:
            yield held
        finally:
            self._limit = before
            if before is None:
                self._solver.limit(None)

    def reduce_core(self, names: Sequence[str], *also: int) -> Core:
        """A part of these conflicting clues; kept are those that are needed, or where the solver
        gives up on that."""
        needed: list[str] = []
        undecided = list(names)
        sure = True
        while undecided:
            name = undecided.pop()
            try:
                core = self.core([*needed, *undecided], *also)
            except Stopped:
                core, sure = None, False
            if core is None:
                needed.append(name)
            else:
                undecided = [other for other in undecided if other in core]
        clues = sorted(needed, key=names.index)
        return Core(clues, smallest=sure and len(clues) <= 1, irreducible=sure)

    def smallest(
        self, names: Sequence[str], best: Core, seconds: float, effort: float = math.inf, *also: int
    ) -> Core:
        """A smallest conflicting set of clues, or `best` at a limit; further assumptions hold in
        any case."""
        if best.smallest:
            return best
        with (
            suppress(Stopped),
            self._within(Limit(self.effort + effort, time.monotonic() + seconds)) as limit,
        ):
            for bound, clues in self._hitting(names, limit, *also):
                if clues:
                    return Core(clues, smallest=True)
                if bound >= len(best.names):
                    return Core(best.names, smallest=True)
        return best

    def _hitting(
        self, names: Sequence[str], limit: Limit, *also: int
    ) -> Iterator[tuple[int, list[str] | None]]:
        """Increasing lower bounds on the size of a conflicting set, and finally a set of that
        size."""
        with closing(hitting_sets()) as hitting:
            chosen = next(hitting)
            while not self._over(limit):
                if self.core(chosen, *also) is not None:
                    yield len(chosen), chosen
                    return
                chosen = sorted(
                    hitting.send(self._others(names, chosen, limit, *also)), key=names.index
                )
                yield len(chosen), None

    def _others(
        self, names: Sequence[str], kept: Collection[str], limit: Limit, *also: int
    ) -> list[str]:
        """The clues outside a maximal set that includes `kept` and has a solution; the solver has a
        model of `kept`."""
        together = {*kept, *self._true(names)}
        for name in names:
            more = {*together, name}
            if (
                name not in together
                and not self._over(limit)
                and self._fits([clue for clue in names if clue in more], *also)
            ):
                together.update(self._true(names))
        return [name for name in names if name not in together]

    def _true(self, names: Sequence[str]) -> list[str]:
        """The clues that the solver's last model satisfies."""
        true = set(self._solver.model())
        return [name for name in names if self._literals[name] in true]

    def _fits(self, names: Collection[str], *also: int) -> bool:
        """Whether these clues have a solution; False if the solver gives up."""
        try:
            return self.core(names, *also) is None
        except Stopped:
            return False


@dataclass(frozen=True)
class JudgedClues:
    """The clues of a puzzle, by name: which are redundant, sufficient or in conflict.

    If there is a solution, each of the `redundant` clues follows from all the others, and the
    `minimal` clues are an irreducible set that implies all clues. If there is none, `core` is a set
    of clues that conflict; it is empty if there is no solution without clues either.
    """

    number: int
    redundant: list[str]
    minimal: list[str]
    core: Core | None

    @property
    def solvable(self) -> bool:
        return self.core is None


def judge_clues(
    puzzle: Puzzle, seconds: float = MAX_SEARCH_S, effort: float = math.inf
) -> JudgedClues:
    """Which clues are needed. A smallest conflicting set is searched for with these limits
    (`cores.Limit`)."""
    clues = puzzle.clues()
    with closing(ClueSolver(puzzle.without_clues().encode(), DEFAULT)) as shared:
        solver = shared.solver
        literal = {name: shared.literal(clue) for name, clue in clues.items()}
        assumed = Assumed(solver, literal)
        together = assumed.core(list(clues))
        if together is not None:
            _require_unsolvable(puzzle)
            smallest = assumed.smallest(list(clues), assumed.reduce_core(together), seconds, effort)
            return JudgedClues(len(clues), [], [], smallest)
        rest = {name: [other for other in clues if other != name] for name in clues}
        redundant = [name for name in clues if assumed.core(rest[name], -literal[name]) is not None]
        broken = shared.add_variable()  # if true, at least one clue is broken
        solver.add(Clause((-broken, *(-x for x in literal.values()))))
        enough = assumed.core(list(clues), broken)
        assert enough is not None, "clues that are all kept are not broken"
        return JudgedClues(len(clues), redundant, assumed.reduce_core(enough, broken).names, None)


def _require_unsolvable(puzzle: Puzzle) -> None:
    """Raises InputError if a puzzle whose clues conflict has a solution, which is a fault of its
    family."""
    with closing(open_backend(DEFAULT)) as solver:
        solver.load(puzzle.encode())
        if solver.solve():
            raise InputError(
                f"{puzzle.name}: there is a solution, but none with a placement of each clue; "
                f"correct `clues` or "
                f"`without_clues` of the family {puzzle.family}"
            )
