"""Options for generating seatings: a random seating, and a minimal set of rules that force it up to
turning and mirroring."""

from __future__ import annotations

import random
from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import combinations, islice, pairwise
from typing import Annotated, Any, Literal, get_args

from jigsat.encodings.seating.data import Guests, Kept, Seated, Tables
from jigsat.encodings.seating.rules import Seating
from pydantic import Field, model_validator

from jigsat.answering.enumeration import Enumeration
from jigsat.errors import Stopped
from jigsat.formula import Clause
from jigsat.generation.clues import ClueGenerator, ClueOptions
from jigsat.generation.generator import VERIFIER, Form, Generator, solve_again
from jigsat.puzzle import Known, Puzzle, Solution
from jigsat.search.portfolio import models
from jigsat.search.sampling import SOLVER
from jigsat.subject import PuzzleSubject
from jigsat.symmetry import Group, Level, Model, Placement
from jigsat.words import plural

NAMES = (
    "Ada",
    "Ben",
    "Cleo",
    "Dan",
    "Eva",
    "Finn",
    "Gwen",
    "Hugo",
    "Ida",
    "Jack",
    "Kim",
    "Leo",
    "Mia",
    "Ned",
    "Olga",
    "Paul",
)
Paired = Literal["beside", "apart", "across", "same_table", "not_same_table"]
Kind = Literal[Paired, "beside_one_of", "alternate", "table", "seat"]


class Options(ClueOptions):
    """Guests, tables, and the kinds of rules that may be used; by default all but `seat`, which
    tells turned seatings apart.

    `clues` is the number of rules, by default a minimal set.
    """

    puzzles_per_generator = 10

    tables: Tables = Field(default={"table": "round 6"}, min_length=1)
    guests: Annotated[Guests, Field(min_length=1)] | None = None
    rules: tuple[Kind, ...] = tuple(kind for kind in get_args(Kind) if kind != "seat")

    @model_validator(mode="after")
    def _consistent(self) -> Options:
        if self.symmetric:
            raise ValueError("symmetric: rules do not lie on cells; leave it out")
        if "table" not in self.rules and len(set(self.tables.values())) < len(self.tables):
            raise ValueError("rules: only the rule 'table' tells equal tables apart; add it")
        self.blank()
        return self

    def blank(self) -> Seating:
        """The puzzle with every possible rule of these kinds."""
        empty = Seating(tables=self.tables, guests={"a guest": ()})
        if self.guests is None and len(empty.seats) > len(NAMES):
            raise ValueError(f"guests: name them; there are default names for {len(NAMES)}")
        guests = self.guests or dict.fromkeys(NAMES[: len(empty.seats)], ())
        kinds = " and ".join(f"a {table.split()[0]} table" for table in self.tables.values())
        plain = Seating(
            title=f"{plural(len(guests), 'guest')} at {kinds}", tables=self.tables, guests=guests
        )
        rules = tuple(self._possible_rules(plain))
        return Seating.model_validate({**plain.model_dump(), "must": rules})

    def _possible_rules(self, plain: Seating) -> Iterator[dict[str, Any]]:
        possible = set(self.rules)
        if not any(shape.across for shape in plain.shapes.values()):
            possible.discard("across")
        if len(self.tables) == 1:
            possible -= {"same_table", "not_same_table", "table"}

        for pair in combinations(plain.guests, 2):
            for kind in get_args(Paired):
                if kind in possible:
                    yield {kind: pair}
        for guest in plain.guests:
            yield from self._place_guest(plain, guest, possible)
        if len(plain.groups) > 1 and "alternate" in possible:
            yield {"alternate": tuple(plain.groups)}

    def _place_guest(
        self, plain: Seating, guest: str, possible: Collection[str]
    ) -> Iterator[dict[str, Any]]:
        """The possible rules that say where one guest sits."""
        if "beside_one_of" in possible:
            others = [other for other in plain.guests if other != guest]
            for pair in pairwise(others):
                yield {"beside_one_of": pair, "guest": guest}
        if "table" in possible:
            for name in self.tables:
                yield {"table": name, "guest": guest}
        if "seat" in possible:
            for name, seat in plain.seats:
                yield {"table": name, "seat": seat, "guest": guest}

    def build_generator(self) -> Generator:
        return RuleGenerator(self.blank(), self.clues, self.solutions)


class RuleGenerator(ClueGenerator):
    """Chooses some of the possible rules that a random seating keeps."""

    clue = "rule"

    def __init__(self, possible: Seating, number: int | None, requested: int) -> None:
        self._possible = possible.must
        super().__init__(possible, number=number, requested=requested)
        self._group = Group.of(self.formula, self.puzzle.symmetries())
        self._seats = [x for x in self.decisions if isinstance(self.formula.key(x), Seated)]

    def pose(self, placements: Sequence[Placement]) -> Puzzle:
        chosen = []
        for placement in placements:
            number = placement.rule.removeprefix("must.")
            chosen.append(self._possible[int(number)])
        title = f"{self.puzzle.title}, {plural(len(chosen), 'rule')}"
        return Seating.model_validate(
            {**self.puzzle.model_dump(), "must": chosen, "enforced": True, "title": title}
        )

    def same_as(self, solution: Sequence[int]) -> Iterable[Model]:
        """Turned and mirrored seatings: they keep the same rules."""
        return self._group.orbit(frozenset(solution), Level.REFLECTION)

    def random_solution(self, rng: random.Random) -> list[int]:
        """A random seating with the rules that it keeps, whether they can force it or not."""
        in_random_order = rng.sample(self._seats, len(self._seats))
        model = self.sampler.draw(in_random_order) or set()
        return [x for x in self.decisions if x in model]

    def _units(self, solution: Sequence[int]) -> list[tuple[int, ...]]:
        return [(x,) for x in solution if isinstance(self.formula.key(x), Kept)]

    def minimal(
        self, solution: Sequence[int], rng: random.Random, near: Sequence[tuple[int, ...]] = ()
    ) -> tuple[list[tuple[int, ...]], bool]:
        other = self.sampler.new()
        for model in self.same_as(solution):
            self.sampler.add(Clause((-other, *self.blocking.literals(model))))
        all_rules = [x for unit in self._units(solution) for x in unit]
        if self.sampler.solver.solve([other, *all_rules]):
            raise Stopped(
                "even all rules of these kinds together allow several seatings; add others to "
                "`rules`, such as seat"
            )
        self.sampler.add(Clause((-other,)))
        return super().minimal(solution, rng, near)

    def _solution_form(self, solution: Iterable[int]) -> Form:
        """Which rules a seating keeps follows from the seats."""
        return super()._solution_form(x for x in solution if x in self._seats)

    def solution_forms(self, puzzle: Puzzle) -> Collection[Form]:
        solutions = Enumeration[Solution](puzzle, backend=VERIFIER, up_to="reflection")
        forms = []
        for solution in islice(solutions, self.requested + 1):
            placements = set(solution.placements)
            seated = [x for x in self._seats if self.formula.key(x) in placements]
            forms.append(self._solution_form(seated))
        return forms

    def count_solutions(self, units: Sequence[tuple[int, ...]]) -> int:
        """The number of seatings up to turning and mirroring, whichever other rules they keep."""
        puzzle = self.pose([self.formula.key(x) for unit in units for x in unit])
        formula = puzzle.encode()
        group = Group.of(formula, puzzle.symmetries())
        seatings = models(formula, SOLVER, group=group, up_to=Level.REFLECTION)
        return sum(1 for _ in islice(seatings, self.requested + 1))

    def verify(self, puzzle: Puzzle) -> Known:
        """Solve the puzzle from its own encoding, where rules have other numbers than among the
        possible ones."""
        known, _ = solve_again(PuzzleSubject(puzzle), self.requested)
        return known
