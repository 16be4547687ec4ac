"""Counterexample-guided generation: labels, teeth or colours with which a puzzle has the requested
number of solutions.

The data of a puzzle are variables too. One solver proposes data together with a solution. A second
one gets the instance with these data and searches for a counterexample: another solution that is no
image of the first under a symmetry of the puzzle, or one whose objective is not larger if there is
an objective. A counterexample adds a constraint to the first solver: in every later proposal it
must not be a solution. If there is no counterexample, the data are found. This is
counterexample-guided inductive synthesis (Solar-Lezama 2008). The constraint that excludes a
counterexample holds for every puzzle with one solution, so later puzzles profit from the
counterexamples of earlier ones.
"""

from __future__ import annotations

import random
from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterable, Sequence
from contextlib import suppress
from itertools import islice

from jigsat.errors import Stopped
from jigsat.formula import Clause, Constraint, Formula
from jigsat.generation.clues import ClueGenerator
from jigsat.generation.generator import Candidate, Candidates, Form, Generator, solve_again
from jigsat.puzzle import Known, Puzzle, Solution
from jigsat.search.blocking import Blocking
from jigsat.search.sampling import DRAWN_VARIABLES, MAX_CALL_CONFLICTS, SOLVER, Sampler, find_orbits
from jigsat.subject import PuzzleSubject
from jigsat.symmetry import Group, Level, Model, Placement
from jigsat.words import plural

# maximum number of proposals per puzzle; of 50 strip puzzles on 5×5, one takes more than 5,000
MAX_PROPOSALS = 20_000
MAX_COUNTED = 16  # maximum number of counterexamples that are counted to compare two proposals

CHANGED_LITERALS = 2
"""The number of assumed literals in which a proposal differs from the best one so far, besides what
follows from them."""

PROPOSALS_BEFORE_RESTART = 200
"""The number of proposals without improvement after which the search restarts.

If several solutions are requested, it is the number of attempts to add one; counting solutions
costs `MAX_COUNTED` attempts.
"""

NO_SUCH_PUZZLE = f"there is no such puzzle (proved by {SOLVER})"


class PuzzleSpace(ABC):
    """The puzzles of a family from which one is generated: each model of `proposals` is the data of
    a puzzle and a solution.

    `data` are the variables of the data.
    """

    proposals: Formula
    data: Sequence[int]
    advice = ""  # what may help if many proposals have several solutions
    minimizes = False
    """Whether only the solutions with the minimum of the objective count."""
    patience = PROPOSALS_BEFORE_RESTART
    """The number of proposals without improvement after which the search restarts."""
    blank_group: Group | None = None
    """The symmetries of the puzzle without data, if the models of `proposals` with the same data
    are the solutions of a puzzle; None if they are not."""

    @abstractmethod
    def puzzle(self, model: Model, rng: random.Random) -> tuple[Puzzle, Collection[Placement]]:
        """The instance and the solution of a model of `proposals`. What the model leaves open is
        random."""

    @abstractmethod
    def exclude(
        self, model: Model, puzzle: Puzzle, other: Sequence[Placement], new: Callable[[], int]
    ) -> Iterable[Constraint]:
        """Constraints that hold if and only if the data exclude a counterexample, another solution
        of a proposed puzzle.

        `model` is the model of `proposals` from which the puzzle was made. `new` returns a new
        variable.
        """

    def repair(self, model: Model, new: Callable[[], int]) -> Iterable[Constraint]:
        """Constraints that data must meet and the model breaks, such as that two tiles differ; none
        if it breaks none."""
        return ()

    def further_solution(self, rng: random.Random) -> Iterable[Clause]:
        """Clauses that make a random arrangement a further solution; only if several solutions can
        be requested."""
        return ()

    def narrow(self, model: Model) -> tuple[PuzzleSpace, str] | None:
        """Puzzles with fewer solutions, and a note about them; they are tried if all puzzles have
        too many. Raises Stopped if the request must be changed."""
        return None

    def confirm(self, known: Known, solution: Solution) -> None:
        """Raise CheckError if the verified solution does not meet a request, such as the word that
        it must spell."""
        return

    def draw(self, rng: random.Random) -> list[int]:
        """Random literals to assume for a proposal: some of a solution, and a value for each choice
        of the data."""
        decisions = self.proposals.decisions()
        data = set(self.data)
        values = [list(choice.literals.values()) for choice in self.proposals.choices]
        chosen = [rng.choice(literals) for literals in values if data.issuperset(literals)]
        return rng.sample(decisions, min(DRAWN_VARIABLES, len(decisions))) + chosen

    def draw_near(self, drawn: Sequence[int], model: Model, rng: random.Random) -> list[int]:
        """Random literals to assume for a proposal near another one: the literals that were drawn
        for it, and its model."""
        fresh = self.draw(rng)
        fresh = rng.sample(fresh, min(2 * CHANGED_LITERALS, len(fresh)))
        return list(dict.fromkeys(fresh + rng.sample(drawn, max(0, len(drawn) - CHANGED_LITERALS))))


def propose(
    space: PuzzleSpace, proposals: Sampler, drawn: list[int], guards: Sequence[int] = ()
) -> set[int] | None:
    """A model near the drawn literals that needs no repair; None if there is none."""
    while (true := proposals.draw(drawn, guards)) is not None:
        constraints = list(space.repair(frozenset(true), proposals.new))
        if not constraints:
            break
        for constraint in constraints:
            proposals.add(constraint)
    return true


class CounterexampleGuidedGenerator(Generator):
    """Generates puzzles with the requested number of distinct solutions."""

    def __init__(self, space: PuzzleSpace, requested: int = 1) -> None:
        self.space = space
        self.requested = requested
        self._note = ""  # about the puzzles
        self._proposals = Sampler(space.proposals)
        self._whole = space, self._proposals
        self._last: PuzzleSubject  # the last puzzle, with its formula

    def candidates(
        self,
        rng: random.Random,
        hard: bool = False,
        made: Sequence[Puzzle] = (),
        earlier: Collection[Form] = (),
    ) -> Candidates:
        """Yield puzzles that come closer and closer to the request until one meets it; then other
        puzzles."""
        return (
            self._with_one_solution(rng)
            if self.requested == 1
            else self._with_several_solutions(rng)
        )

    def _with_one_solution(self, rng: random.Random) -> Candidates:
        """Proposals near the best one so far. Each excludes a counterexample to every earlier
        proposal."""
        best: tuple[list[int], Model] | None = None
        # Narrow puzzles are drawn anew for each puzzle.
        fewest = MAX_COUNTED
        since = self.space.patience if self._note else 0
        hopeless = True  # all proposals since the last start had too many solutions
        for _ in range(MAX_PROPOSALS):
            if since >= self.space.patience:
                if hopeless:
                    self._narrow(rng)
                best, fewest, since, hopeless = None, MAX_COUNTED, 0, True
            literals = self.space.draw_near(*best, rng) if best else self.space.draw(rng)
            true = propose(self.space, self._proposals, literals)
            if true is None:
                if not self._note:
                    raise Stopped(NO_SUCH_PUZZLE)
                since, hopeless = self.space.patience, True  # until the next narrow puzzles
                continue
            model = frozenset(true)
            puzzle, solution = self.space.puzzle(model, rng)
            others, complete = self._search_others(model, puzzle, solution, fewest)
            number = len(others)
            hopeless = hopeless and number == MAX_COUNTED
            if complete and not number:
                stay = yield Candidate(
                    puzzle, established=self._establishing_backends(), note=self._note
                )
                if stay:  # neighbours with several solutions are no improvement
                    best = (literals, model)
                    fewest = 0
                    since = 0
                elif stay is None or fewest:
                    since = self.space.patience
                else:
                    since += 1
                continue

            since += 1
            if not number:
                continue
            if number <= fewest or not best:
                yield self._reject_puzzle(puzzle, number, complete)
                if number < fewest:
                    since = 0
                best = (literals, model)
                fewest = number
            excluding = self.space.exclude(model, puzzle, others[-1], self._proposals.new)
            for constraint in excluding:
                self._proposals.add(constraint)

    def _search_others(
        self, model: Model, puzzle: Puzzle, solution: Collection[Placement], fewest: int
    ) -> tuple[list[list[Placement]], bool]:
        """Other solutions of a puzzle, as many as are needed to compare it with the best one, and
        whether these are proved to be all."""
        limit = min(MAX_COUNTED, fewest + 1)
        others = self._find_others(model, limit)
        if len(others) == limit:
            return others, False
        self._last = PuzzleSubject(puzzle)
        return find_counterexamples(self._last, solution, limit)

    def _narrow(self, rng: random.Random) -> None:
        """Go on with puzzles that have fewer solutions, if there are such."""
        space, proposals = self._whole
        true = propose(space, proposals, space.draw(rng))
        narrower = None if true is None else space.narrow(frozenset(true))
        if narrower is not None:
            self.space, self._note = narrower
            self._proposals = Sampler(self.space.proposals)

    def _find_others(self, model: Model, limit: int) -> list[list[Placement]]:
        """Other solutions of a proposal, at most one per orbit, up to a limit: other models with
        its data. This takes less time than to encode the puzzle, and may overlook some."""
        group, proposals = self.space.blank_group, self._proposals
        if group is None:
            return []
        formula = self.space.proposals
        blocking = Blocking(formula)
        guard = proposals.new()
        data = [x if x in model else -x for x in self.space.data]
        others: list[list[Placement]] = []
        last = blocking.model(model)
        with suppress(Stopped):
            while len(others) < limit:
                for image in sorted(map(sorted, group.orbit(last, Level.REFLECTION))):
                    proposals.add(Clause((-guard, *blocking.literals(frozenset(image)))))
                if not proposals.solver.solve([guard, *data]):
                    break
                last = blocking.model(proposals.solver.model())
                others.append([formula.key(x) for x in sorted(last)])
        proposals.add(Clause((-guard,)))
        return others

    def _with_several_solutions(self, rng: random.Random) -> Candidates:
        """Proposals with random arrangements as further solutions, until there are enough; then
        others are excluded."""
        literals: list[int] = []
        guards: list[int] = []
        since = PROPOSALS_BEFORE_RESTART
        for _ in range(PROPOSALS_BEFORE_RESTART * MAX_PROPOSALS // MAX_COUNTED):
            if since >= PROPOSALS_BEFORE_RESTART:
                literals = self.space.draw(rng)
                guards = [self._proposals.new()]
                since = 0
            true = propose(self.space, self._proposals, literals, guards)
            if (
                true is None
            ):  # no data allow the last arrangement, or the excluded solutions leave no data
                guards.pop()
                since, few = since + 1 if guards else PROPOSALS_BEFORE_RESTART, bool(guards)
            else:
                model = frozenset(true)
                puzzle, solution = self.space.puzzle(model, rng)
                self._last = PuzzleSubject(puzzle)
                others, complete = find_counterexamples(self._last, solution, self.requested)
                number = len(others)
                since, few = since + MAX_COUNTED, complete and number < self.requested - 1
                if complete and number == self.requested - 1:
                    yield Candidate(puzzle, established=self._establishing_backends())
                    since = PROPOSALS_BEFORE_RESTART
                    continue
                yield self._reject_puzzle(puzzle, number, complete)
                if not few and number:
                    self._add(
                        self.space.exclude(model, puzzle, others[-1], self._proposals.new),
                        guards[:1],
                    )
            if few and (clauses := list(self.space.further_solution(rng))):
                guards.append(self._proposals.new())
                self._add(clauses, guards[-1:])
            elif few:  # other data may have more
                since = PROPOSALS_BEFORE_RESTART

    def _reject_puzzle(self, puzzle: Puzzle, counterexamples: int, complete: bool) -> Candidate:
        """A puzzle that does not have the requested number of solutions."""
        if self.space.minimizes:
            shortcoming = "it has another solution, with the same objective or a smaller one"
        else:
            number = plural(counterexamples + complete, "distinct solution")
            shortcoming = f"it has {'' if complete else 'more than '}{number}, not {self.requested}"
            shortcoming += f"; {self.space.advice}" * bool(self.space.advice)
        distance = abs(counterexamples + 1 - self.requested)
        return Candidate(
            puzzle, distance, shortcoming, f"not as requested: {shortcoming}", verifiable=False
        )

    def _add(self, constraints: Iterable[Constraint], guards: Sequence[int]) -> None:
        """Add constraints whose clauses hold only while the guards are assumed, that is, for the
        current puzzle."""
        for constraint in constraints:
            match constraint:
                case Clause(literals):
                    self._proposals.add(Clause((*(-x for x in guards), *literals)))
                case _:
                    self._proposals.add(constraint)

    def _establishing_backends(self) -> str:
        if self.space.minimizes:
            return f"{SOLVER}: every other solution has a larger objective"
        number = "no other solution" if self.requested == 1 else f"{self.requested} solutions"
        return f"{SOLVER}: {number} up to the symmetries of the board"

    def verify(self, puzzle: Puzzle) -> Known:
        """Solve the last candidate with the second backend and compare the number of distinct
        solutions."""
        known, solution = solve_again(self._last, self.requested)
        self.space.confirm(known, solution)
        return known


def find_counterexamples(
    subject: PuzzleSubject, solution: Collection[Placement], limit: int
) -> tuple[list[list[Placement]], bool]:
    """Solutions besides the known one, one per orbit, up to a limit; and whether these are proved
    to be all.

    If the puzzle has an objective, all solutions whose objective is not larger than that of the
    known one.
    """
    formula = subject.encode()
    known = set(solution)
    group = Group.of(formula, ()) if formula.objective else subject.group(formula)
    blocking = Blocking(formula)
    model = frozenset(x for x in blocking.decisions if formula.key(x) in known)
    with formula.rule("another solution"):
        if formula.objective:
            formula.linear(formula.objective, at_most=formula.cost(model))
        for image in sorted(map(sorted, group.orbit(model, Level.REFLECTION))):
            formula.clause(blocking.literals(frozenset(image)))
        if breaking := group.find_breaking_clause(formula, Level.REFLECTION):
            formula.clause(breaking)
    try:
        orbits = list(
            islice(find_orbits(formula, group, Level.REFLECTION, MAX_CALL_CONFLICTS), limit)
        )
    except Stopped:
        return [], False
    return [[formula.key(x) for x in min(map(sorted, orbit))] for orbit in orbits], len(
        orbits
    ) < limit


class RandomDataGenerator(Generator):
    """Generates random data, with however many solutions, and clues that force one of these."""

    def __init__(self, space: PuzzleSpace, number: int | None = None) -> None:
        self.space = space
        self.number = number
        self._proposals = Sampler(space.proposals)
        self._clues: ClueGenerator

    def candidates(
        self,
        rng: random.Random,
        hard: bool = False,
        made: Sequence[Puzzle] = (),
        earlier: Collection[Form] = (),
    ) -> Candidates:
        """Yield random puzzles, each with clues for the solution that was drawn with its data."""
        while True:
            true = propose(self.space, self._proposals, self.space.draw(rng))
            if true is None:
                raise Stopped(NO_SUCH_PUZZLE)
            puzzle, solution = self.space.puzzle(frozenset(true), rng)
            self._clues = ClueGenerator(puzzle, number=self.number, solution=tuple(solution))
            yield next(self._clues.candidates(rng))

    def verify(self, puzzle: Puzzle) -> Known:
        """Solve the last candidate with the second backend."""
        return self._clues.verify(puzzle)
