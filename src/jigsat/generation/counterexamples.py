"""Data to be invented: labels, teeth or colours such that a puzzle has exactly so many solutions.

The data are variables too. One solver proposes data together with a solution; a second one, which gets the instance that they
make, looks for a rival: another solution that no symmetry of the puzzle makes from the first, or where something is minimised
one with less. Each rival becomes a constraint of the first solver, that whatever it proposes next must break this one. When
there is no rival, the data are found (counterexample-guided inductive synthesis). What breaks a rival is needed of every
puzzle with one solution, so the next one profits from the rivals of those before.
"""

from __future__ import annotations

import random
from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence

from jigsat.errors import CheckError, Stopped
from jigsat.formula import Clause, Constraint, Formula
from jigsat.generation.clues import Clues
from jigsat.generation.generation import SECOND, Candidate, established
from jigsat.puzzle import Known, Puzzle, Solution
from jigsat.search import DRAWN, SOLVER, Blocking, Sampler
from jigsat.symmetry import Group, Model, Placement

ROUNDS = 5000
"""So many proposals are made for a puzzle."""

COUNTED = 16
"""So many rivals are counted at most, to tell which of two proposals is the better one."""

CHANGED = 2
"""A proposal differs from the best so far in so many of the literals that it starts from, and what follows from them."""

PATIENCE = 200
"""After so many proposals that are not better than the best so far one starts over; where several solutions are wanted, after
so many tries to add one, a count of them taken for `COUNTED` tries."""


class Invention(ABC):
    """What a family says of its data: the models of `proposals` are data with a solution, `data` the variables of the data."""

    proposals: Formula
    data: Sequence[int]
    minimizes = False
    """Whether it is the solutions with the least objective that are meant."""

    @abstractmethod
    def puzzle(self, true: Model, rng: random.Random) -> tuple[Puzzle, Collection[Placement]]:
        """The instance that a model of `proposals` makes, what the model leaves open being random, and the solution meant."""

    @abstractmethod
    def against(self, true: Model, puzzle: Puzzle, rival: Sequence[Placement], new: Callable[[], int]) -> Iterable[Constraint]:
        """Constraints that hold if and only if the data break a rival of this puzzle; `new` makes variables for them."""

    def another(self, rng: random.Random) -> Iterable[Clause]:
        """What makes a random arrangement a further solution, where several can be wished for."""
        return ()

    def draw(self, rng: random.Random) -> list[int]:
        """Random literals that a proposal starts from: some of a solution, and a value for each choice of data."""
        decisions, data = self.proposals.decisions(), set(self.data)
        values = [list(choice.literals.values()) for choice in self.proposals.choices]
        drawn = [rng.choice(literals) for literals in values if data.issuperset(literals)]
        return rng.sample(decisions, min(DRAWN, len(decisions))) + drawn


class Inventing:
    """Makes puzzles with so many distinct solutions; one unless said otherwise."""

    def __init__(self, invention: Invention, wanted: int = 1) -> None:
        self.invention = invention
        self.wanted = wanted
        self._proposals = Sampler(invention.proposals)
        self._stated: tuple[Puzzle, Formula, Group]

    def candidates(self, rng: random.Random) -> Iterator[Candidate]:
        """Data after data until there are some with so many solutions, and then other ones."""
        return self._single(rng) if self.wanted == 1 else self._several(rng)

    def _single(self, rng: random.Random) -> Iterator[Candidate]:
        """Proposals near the best so far, which has the fewest rivals; each breaks a rival of every proposal before."""
        best, fewest, since = list[int](), COUNTED, PATIENCE
        for _ in range(ROUNDS):
            drawn = self.invention.draw(rng)
            if since < PATIENCE:
                fresh = rng.sample(drawn, min(2 * CHANGED, len(drawn)))
                drawn = list(dict.fromkeys(fresh + rng.sample(best, max(0, len(best) - CHANGED))))
            else:
                best, fewest, since = [], COUNTED, 0
            model = self._proposals.draw(drawn)
            if model is None:
                raise Stopped(f"there is no such puzzle, as {SOLVER} has established")
            true = frozenset(model)
            puzzle, solution = self.invention.puzzle(true, rng)
            rivals, complete = self._rivals(puzzle, solution, min(COUNTED, fewest + 1))
            if complete and not rivals:
                yield Candidate(puzzle, established=f"{SOLVER}: {self._said()}")
                since = PATIENCE
                continue
            since += 1
            if rivals and (len(rivals) <= fewest or not best):
                yield self._unlike(puzzle, len(rivals), complete)
                since = 0 if len(rivals) < fewest else since
                best, fewest = drawn, len(rivals)
            for constraint in self.invention.against(true, puzzle, rivals[0], self._proposals.new) if rivals else ():
                self._proposals.add(constraint)

    def _several(self, rng: random.Random) -> Iterator[Candidate]:
        """Proposals of which random arrangements are solutions as well, until they are enough; too many are broken."""
        drawn, guards, since = list[int](), list[int](), PATIENCE
        for _ in range(PATIENCE * ROUNDS // COUNTED):
            if since >= PATIENCE:
                drawn, guards, since = self.invention.draw(rng), [self._proposals.new()], 0
            model = self._proposals.draw(drawn, guards)
            if model is None:  # the last arrangement goes with no data, or all that is broken leaves none
                guards.pop()
                since, few = since + 1 if guards else PATIENCE, bool(guards)
            else:
                true = frozenset(model)
                puzzle, solution = self.invention.puzzle(true, rng)
                rivals, complete = self._rivals(puzzle, solution, self.wanted)
                since, few = since + COUNTED, complete and len(rivals) < self.wanted - 1
                if complete and len(rivals) == self.wanted - 1:
                    yield Candidate(puzzle, established=f"{SOLVER}: {self._said()}")
                    since = PATIENCE
                    continue
                yield self._unlike(puzzle, len(rivals), complete)
                if not few and rivals:
                    self._add(self.invention.against(true, puzzle, rivals[-1], self._proposals.new), guards[:1])
            if few and (another := list(self.invention.another(rng))):
                guards.append(self._proposals.new())
                self._add(another, guards[-1:])

    def _rivals(self, puzzle: Puzzle, solution: Collection[Placement], most: int) -> tuple[list[list[Placement]], bool]:
        formula = puzzle.encode()
        self._stated = puzzle, formula, Group.of(formula, puzzle.symmetries())
        return rivals_of(*self._stated[1:], solution, most)

    def _unlike(self, puzzle: Puzzle, rivals: int, complete: bool) -> Candidate:
        """A puzzle that has not so many solutions as are wished for."""
        if self.invention.minimizes:
            lacks = "it has a solution with less"
        else:
            lacks = f"it has {'' if complete else 'more than '}{rivals + complete} distinct solutions, not {self.wanted}"
        return Candidate(puzzle, abs(rivals + 1 - self.wanted), lacks, f"not as wished: {lacks}", unique=False)

    def _add(self, constraints: Iterable[Constraint], guards: Sequence[int]) -> None:
        """Add constraints that hold while the guards are assumed: they are for this puzzle alone."""
        for constraint in constraints:
            match constraint:
                case Clause(literals):
                    self._proposals.add(Clause((*(-x for x in guards), *literals)))
                case _:
                    self._proposals.add(constraint)

    def _said(self) -> str:
        if self.invention.minimizes:
            return "no solution with less"
        number = "no other solution" if self.wanted == 1 else f"{self.wanted} solutions"
        return f"{number} up to the symmetries of the board"

    def verified(self, puzzle: Puzzle) -> tuple[Known, Solution]:
        """That the second backend, from the instance's own encoding, comes to as many distinct solutions."""
        said, formula, group = self._stated
        assert said is puzzle
        known, solution = established(puzzle, formula, group)
        if not self.invention.minimizes and min([*known.distinct().values(), known.solutions or 0]) != self.wanted:
            raise CheckError(f"{SECOND} finds another number of solutions than {self.wanted}, {known!r}. This is a bug")
        return known, solution


def rivals_of(formula: Formula, group: Group, solution: Collection[Placement], most: int) -> tuple[list[list[Placement]], bool]:
    """Up to so many solutions besides the one that is known, one of each orbit; and whether it is known that these are all.

    Where something is minimised, only the solutions with less than the known one.
    """
    blocking = Blocking(formula)
    meant = set(solution)
    model = frozenset(x for x in blocking.decisions if formula.key(x) in meant)
    if formula.objective:
        formula = formula.extended()
        with formula.group("less than the known solution"):
            formula.linear(formula.objective, at_most=formula.cost(model) - 1)
    sampler, found = Sampler(formula), list[list[Placement]]()
    if breaking := group.breaking(formula, "reflection"):
        sampler.add(Clause(tuple(breaking)))
    try:
        while len(found) < most:
            for member in sorted(map(sorted, group.orbit(model, "reflection"))):
                sampler.add(Clause(blocking.literals(frozenset(member))))
            if not sampler.solver.solve():
                return found, True
            model = blocking.model(sampler.solver.model())
            found.append([formula.key(x) for x in sorted(model)])
    except Stopped:
        return [], False
    finally:
        sampler.close()
    return found, False


class Hinted:
    """Makes random data without regard to rivals, and then as few clues as leave one solution."""

    def __init__(self, invention: Invention, number: int | None = None) -> None:
        self.invention = invention
        self.number = number
        self._proposals = Sampler(invention.proposals)
        self._clues: Clues

    def candidates(self, rng: random.Random) -> Iterator[Candidate]:
        """Clues of one board after the other."""
        while True:
            true = self._proposals.draw(self.invention.draw(rng))
            if true is None:
                raise Stopped(f"there is no such puzzle, as {SOLVER} has established")
            puzzle, solution = self.invention.puzzle(frozenset(true), rng)
            self._clues = Clues(puzzle, number=self.number, solution=tuple(solution))
            yield next(self._clues.candidates(rng))

    def verified(self, puzzle: Puzzle) -> tuple[Known, Solution]:
        """That the second backend finds one solution."""
        return self._clues.verified(puzzle)
