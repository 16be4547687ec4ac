"""Enumerating one model per orbit with blocking clauses, by one backend."""

import math
import time
from collections.abc import Collection, Iterable, Iterator
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from functools import cached_property
from itertools import islice

from jigsat.backends import open_search
from jigsat.errors import Stopped
from jigsat.formula import Cardinality, Clause, Formula, Linear, Lowering
from jigsat.symmetry import Group, Level, Model

ESTIMATES = 10  # estimates of the size of a search; their mean counts
PACE_S = 0.1  # seconds for which the pace of a search is measured, about


def antichain(formula: Formula) -> bool:
    """Whether the constraints show that no solution's true decision variables contain those of
    another.

    They do if each decision variable occurs in an exactly-k constraint or a linear equation over
    decision variables: one more true variable would violate the constraint of that variable. Only
    then is it sound to block just the true literals.
    """
    decisions = set(formula.decisions())
    covered: set[int] = set()
    for constraint in formula.others():
        if (
            isinstance(constraint, Cardinality | Linear)
            and constraint.at_least == constraint.at_most
            and decisions.issuperset(constraint.literals)
        ):
            covered.update(constraint.literals)
    return covered == decisions


class Blocking:
    """Distinguishes the models of a formula by their decision variables, and rules them out one by
    one."""

    def __init__(self, formula: Formula) -> None:
        self.decisions = formula.decisions()
        self._decision_set = frozenset(self.decisions)
        self._positive_only = antichain(formula)

    def model(self, true: Iterable[int]) -> Model:
        """The true decision variables of a solver's model."""
        return self._decision_set.intersection(true)

    def literals(self, model: Model) -> tuple[int, ...]:
        """A blocking clause: at least one of these literals is true in every other model."""
        if self._positive_only:
            return tuple([-x for x in sorted(model)])
        return tuple([-x if x in model else x for x in self.decisions])


@dataclass(frozen=True)
class SearchSpace:
    """The models to find: one per orbit. `broken` states whether the search is restricted to some
    members of each orbit."""

    formula: Formula
    lowering: Lowering | None
    group: Group | None
    up_to: Level
    broken: bool

    def orbit(self, model: Model) -> set[Model]:
        """The models that count as the same."""
        return self.group.orbit(model, self.up_to) if self.group else {model}

    def first(self, model: Model) -> tuple[int, ...]:
        """The first member of the orbit of a model."""
        return self.group.least_image(model, self.up_to) if self.group else tuple(sorted(model))

    @cached_property
    def blocking(self) -> Blocking:
        """How models are distinguished."""
        return Blocking(self.formula)

    @cached_property
    def breaking(self) -> list[int] | None:
        """The symmetry-breaking clause."""
        if self.group is None or not self.broken:
            return None
        return self.group.find_breaking_clause(self.formula, self.up_to)


class BlockingSearch:
    """A solver loaded with the formula. `complete` states whether there is no other model.

    Other searches may add models to the list `known`; this search leaves out their orbits when it
    goes on.
    """

    def __init__(self, space: SearchSpace, backend: str, known: list[Model]) -> None:
        self.statistics: dict[str, int] = {}
        self.complete = False
        self._space = space
        self._known = known
        self._excluded = 0  # of the known models
        self._seen: set[tuple[int, ...]] = set()
        self.solver = open_search(backend, space.formula, space.lowering)
        with ExitStack() as stack:
            stack.callback(self.close)  # if it cannot be loaded
            self.solver.project(space.blocking.decisions)
            self._lowered = self.solver.load(space.formula, space.lowering)
            self.statistics.update(clauses=self._lowered.number, variables=self._lowered.top)
            if clause := space.breaking:
                if self.solver.capabilities.clauses:
                    self.solver.add(Clause(tuple(clause)))
                elif item := find_item(clause, space.formula):
                    self.solver.add_clauses([(-x,) for x in item if x not in clause])
            stack.pop_all()
        self.statistics.update(self.solver.statistics())

    def count_in(self, statistics: dict[str, int]) -> None:
        """Write the statistics into these from now on."""
        statistics.update(self.statistics)
        self.statistics = statistics

    def _block(self, model: Model) -> None:
        """Rule out the orbit of a model."""
        for member in self._space.orbit(model):
            for clause in self._lowered.lower(Clause(self._space.blocking.literals(member))):
                self.solver.add(clause)

    def all(self) -> Iterator[Model]:
        """The other models."""
        can = self.solver.capabilities
        for known in self._known[self._excluded :]:
            if can.enumerates:
                self._seen.add(self._space.first(known))
            if can.clauses:
                self._block(known)
        self._excluded = len(self._known)
        while self.solver.solve():
            model = self._space.blocking.model(self.solver.model())
            if not can.enumerates:
                self._block(model)
            elif (first := self._space.first(model)) not in self._seen:
                self._seen.add(first)
            else:
                continue
            self.statistics.update(self.solver.statistics())
            yield model
        self.statistics.update(self.solver.statistics())
        self.complete = True

    def within_budget(self, effort: int, most: float) -> Iterator[Model]:
        """Models found with about this many conflicts or nodes, up to `most` known ones, to which
        they are added."""
        end = self._effort() + effort
        models = self.all()
        with suppress(Stopped):  # the limit is reached
            while (
                len(self._known) < most and not self.complete and (left := end - self._effort()) > 0
            ):
                self.solver.limit(left)
                for model in islice(models, 1):
                    self._known.append(model)
                    self._excluded += 1
                    yield model
        self.solver.limit(None)

    @cached_property
    def estimate(self) -> float:
        """The nodes of the whole search, from random paths; 0 if the backend has no search tree."""
        listing = self.solver.listing()
        return sum(map(listing.size, range(ESTIMATES))) / ESTIMATES if listing else 0.0

    def size(self) -> float:
        """The nodes of the whole search: as estimated before it began or, if that is more, from the
        fraction that is done."""
        effort = self._effort()
        if not effort:
            return self.estimate
        done = self.solver.progress()
        return max(self.estimate, effort / done) if done else math.inf

    @cached_property
    def seconds(self) -> float:
        """The time that the whole search is expected to take at the pace of its beginning, if the
        backend has a search tree."""
        if (listing := self.solver.listing()) is None:
            return math.inf
        begun = time.process_time()
        listing.part(int(listing.pace * PACE_S))
        return self.estimate * (time.process_time() - begun) / max(1, listing.nodes)

    def _effort(self) -> int:
        statistics = self.solver.statistics()
        return statistics.get("conflicts", statistics.get("nodes", 0))

    def close(self) -> None:
        self.solver.close()
        # Solvers that list models count conflicts at the end of their search.
        if self.solver.capabilities.enumerates:
            self.statistics.update(self.solver.statistics())


def find_item(literals: Collection[int], formula: Formula) -> tuple[int, ...] | None:
    """The literals of an exactly-one constraint that has these: requiring one of these only
    excludes the others. None if there is no such constraint."""
    for constraint in formula.others():
        if (
            isinstance(constraint, Cardinality)
            and constraint.at_least == constraint.at_most == 1
            and set(literals).issubset(constraint.literals)
        ):
            return constraint.literals
    return None
