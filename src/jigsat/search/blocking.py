"""Enumerating one model per orbit with blocking clauses."""

from __future__ import annotations

import math
from collections.abc import Generator, Iterable, Iterator
from contextlib import ExitStack, closing, suppress
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from typing import TYPE_CHECKING

from jigsat.backends import AUTO, DEFAULT, auto, first, open_backend, successor
from jigsat.errors import Stopped
from jigsat.formula import Cardinality, Clause, Formula, Linear, Lowering
from jigsat.symmetry import Model, Orbits, packed

if TYPE_CHECKING:
    from jigsat.backends.engine import _engine


def antichain(formula: Formula) -> bool:
    """Whether the constraints show that no solution's true decision variables contain those of another.

    They do if each decision variable occurs in an exactly-k constraint or a linear equation over decision variables: one more
    true variable would violate the constraint of that variable. Only then is it sound to block just the true literals.
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
    """Distinguishes the models of a formula by their decision variables, and rules them out one by one."""

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


def models(
    formula: Formula,
    backend: str = DEFAULT,
    *,
    lowering: Lowering | None = None,
    group: Orbits | None = None,
    up_to: str = "nothing",
    known: Iterable[Iterable[int]] = (),
    statistics: dict[str, int] | None = None,
    brief: bool = False,
    breaking: bool = True,
) -> Models:
    """One model per orbit, as the frozenset of its true decision variables. When the iterator ends, there is no other orbit.

    Lazy: each model is searched for on demand, and then its whole orbit is blocked. The formula is not changed. Orbits of
    `known` models are left out. `statistics` is updated continuously with the size of the formula and the solver's counters.
    `breaking` restricts the search to some members of each orbit; without it, the first of many models are found sooner, but
    completion is slower. For the backend `auto` see `jigsat.backends.auto`; with `brief`, the search ends where another engine
    could take over, perhaps before it is complete. Iterating raises InputError for a backend that is not installed, and Stopped
    if the solver gives up.

    >>> formula = Formula()
    >>> x = formula.variables("x", ("i",), [(1,), (2,)])
    >>> formula.clause(x[:])
    >>> sorted(sorted(model) for model in models(formula))
    [[1], [1, 2], [2]]
    """
    return Models(_Task(formula, lowering, group, up_to, breaking), backend, known, statistics, brief=brief)


class Models(Iterator[Model]):
    """An iterator over models.

    `backend` is what found the last one; at the end, the backend that proved completeness, or that takes over from a brief
    search. `complete` is true at the end, unless it was a brief search that did not find everything.
    """

    def __init__(
        self, task: _Task, backend: str, known: Iterable[Iterable[int]], statistics: dict[str, int] | None, *, brief: bool
    ) -> None:
        by_auto = backend == AUTO
        self.backend = first(task.formula) if by_auto else backend
        self._task = task
        self._statistics = {} if statistics is None else statistics
        self._brief = brief
        self.complete = False
        self._search: _Search | None = None
        self._bulk: _Search | None = None
        models = (frozenset(model) for model in known)
        self._found = self._tried(list(models)) if by_auto and self.backend == DEFAULT else self._searched(models)

    def __next__(self) -> Model:
        return next(self._found)

    def close(self) -> None:
        """Stop the search."""
        self._found.close()
        if self._bulk:
            self._bulk.close()

    def covers(self) -> tuple[list[int], Iterator[list[tuple[int, ...]]]] | None:
        """All models in bulk instead of one by one, if the backend can; see `Backend.covers`.

        Several of them may belong to one orbit.
        """
        self._bulk = self._search = _Search(self._task, self.backend, (), self._statistics)
        return self._search.solver.covers()

    def progress(self) -> float | None:
        """The fraction of the search that is done, from 0 to 1; None if the backend does not know it."""
        return self._search.solver.progress() if self._search else None

    def _searched(self, known: Iterable[Model]) -> Generator[Model, None, None]:
        """All models, found by one backend."""
        with closing(_Search(self._task, self.backend, known, self._statistics)) as self._search:
            yield from self._search.all()
        self.complete = True

    def _tried(self, found: list[Model]) -> Generator[Model, None, None]:
        """All models, found by the default backend until its budget is spent, then perhaps by its successor.

        A random search may find the first one.
        """
        formula = self._task.formula
        dive = None if found else auto.diver(formula)
        if dive:
            yield from self._dived(dive, auto.SHORT_DIVE * formula.top, found)
        with ExitStack() as stack:
            search = None
            if len(found) < auto.MODELS:
                search = stack.enter_context(closing(_Search(self._task, self.backend, found, self._statistics)))
                yield from self._within_budget(search, found, auto.CONFLICTS, auto.MODELS)
                if not search.complete:
                    yield from self._scanned(search, found)
                if dive and not self._brief and not self.complete:
                    yield from self._in_turn(search, dive, found)
                if search.complete or self.complete:
                    self.complete = True
                    return
            if other := self._successor(found):
                search = stack.enter_context(closing(other))
            if self._brief:
                return
            if search:
                self._search = search
                yield from search.all()
                self.complete = True
                return
        yield from self._searched(found)

    def _scanned(self, usual: _Search, found: list[Model]) -> Iterator[Model]:
        """The models of a short search in a fixed order, if it suits the formula; all models if its end seems to be near."""
        formula = self._task.formula
        if not auto.scans(formula):
            return
        before, known = self.backend, len(found)
        with closing(_Search(self._task, "scan", found, {})) as search:
            if not search.solver.pays():
                return
            self.backend = "scan"
            longest = auto.longest_scan(formula, brief=self._brief)
            for budget in auto.SCANS:
                yield from self._within_budget(search, found, budget, auto.SCANNED)
                promising = search.complete or search.size() <= longest
                if not promising:
                    break
            if promising:
                self._take_over("scan", search)
                self._search = search
                yield from search.all()
                self.complete = True
                return
        self.backend = before
        for model in found[known:]:
            usual.block(model)

    def _take_over(self, backend: str, search: _Search) -> None:
        """Note which backend continues or has completed the search."""
        self.backend = backend
        self._statistics.update(search.statistics)
        search.statistics = self._statistics

    def _within_budget(self, search: _Search, found: list[Model], budget: int, most: int) -> Iterator[Model]:
        """Models that a backend finds with about this many conflicts or nodes, as long as fewer than `most` are known."""
        for model in search.within_budget(budget, max(0, most - len(found))):
            found.append(model)
            yield model

    def _in_turn(self, search: _Search, dive: _engine.Dive, found: list[Model]) -> Iterator[Model]:
        """The first model, found by a random search or the default backend, which take turns that become longer and longer."""
        turn = 1
        while not (found or search.complete or dive.over):
            for model in self._dived(dive, turn * auto.DIVE, found):
                search.block(model)
                yield model
            if not found:
                yield from self._within_budget(search, found, turn * auto.CONFLICTS, auto.MODELS)
            turn *= 2

    def _dived(self, dive: _engine.Dive, work: int, found: list[Model]) -> Iterator[Model]:
        """The model that a random search finds by assigning this many literals, if it finds one."""
        if (model := dive.step(work)) is not None:
            found.append(frozenset(self._task.formula.decisions()).intersection(model))
            usual, self.backend = self.backend, auto.DIVER
            yield found[-1]
            self.backend = usual

    def _successor(self, known: Iterable[Model]) -> _Search | None:
        """The search by the backend that takes over; None if that does not pay."""
        if (backend := successor(self._task.formula)) is None:
            return None
        search = _Search(self._task, backend, known, {})
        if not search.solver.pays():
            search.close()
            return None
        self._take_over(backend, search)
        return search


@dataclass(frozen=True)
class _Task:
    """The parameters of a search."""

    formula: Formula
    lowering: Lowering | None
    group: Orbits | None
    up_to: str
    broken: bool

    def orbit(self, model: Model) -> set[Model]:
        return self.group.orbit(model, self.up_to) if self.group else {model}

    def first(self, model: Model) -> int:
        return self.group.first(model, self.up_to) if self.group else packed(model)

    @cached_property
    def breaking(self) -> list[int] | None:
        return self.group.breaking(self.formula, self.up_to) if self.group and self.broken else None


class _Search:
    """A solver loaded with the formula. `complete` states whether there is no other model."""

    def __init__(self, task: _Task, backend: str, known: Iterable[Model], statistics: dict[str, int]) -> None:
        self.statistics = statistics
        self.complete = False
        self._task = task
        self._blocking = Blocking(task.formula)
        self._seen: set[int] = set()
        self.solver = open_backend(backend)
        try:
            self._load(known)
        except BaseException:
            self.close()
            raise

    def _load(self, known: Iterable[Model]) -> None:
        """Load the formula into the solver, and block the orbits of known models."""
        formula, can = self._task.formula, self.solver.capabilities
        self.solver.project(self._blocking.decisions)
        self._lowered = self.solver.load(formula, self._task.lowering)
        self.statistics.update(clauses=self._lowered.number, variables=self._lowered.top)
        if (breaking := self._task.breaking) and (can.clauses or within_one(breaking, formula)):
            self.solver.add(Clause(tuple(breaking)))
        for model in known:
            if can.enumerates:
                self._seen.add(self._task.first(model))
            if can.clauses:
                self.block(model)
        self.statistics.update(self.solver.statistics())

    def block(self, model: Model) -> None:
        """Rule out the orbit of a model."""
        for member in self._task.orbit(model):
            for clause in self._lowered.lower(Clause(self._blocking.literals(member))):
                self.solver.add(clause)

    def all(self) -> Iterator[Model]:
        """The other models."""
        while self.solver.solve():
            model = self._blocking.model(self.solver.model())
            if not self.solver.capabilities.enumerates:
                self.block(model)
            elif (first := self._task.first(model)) not in self._seen:
                self._seen.add(first)
            else:
                continue
            self.statistics.update(self.solver.statistics())
            yield model
        self.statistics.update(self.solver.statistics())
        self.complete = True

    def within_budget(self, budget: int, number: int) -> Iterator[Model]:
        """At most `number` models, found with about this many conflicts, or nodes if the solver counts nodes."""
        end = self._effort() + budget
        found = self.all()
        with suppress(Stopped):  # the limit is reached
            while number and not self.complete and (left := end - self._effort()) > 0:
                self.solver.limit(left)
                yield from islice(found, 1)
                number -= 1
        self.solver.limit(None)

    def size(self) -> float:
        """The nodes of the whole search, from the fraction that is done."""
        done = self.solver.progress()
        return self._effort() / done if done else math.inf

    def _effort(self) -> int:
        statistics = self.solver.statistics()
        return statistics.get("conflicts", statistics.get("nodes", 0))

    def close(self) -> None:
        self.solver.close()


def within_one(literals: list[int], formula: Formula) -> bool:
    """Whether the literals belong to one exactly-one constraint; then requiring one of them only excludes the others."""
    return any(
        isinstance(constraint, Cardinality)
        and constraint.at_least == constraint.at_most == 1
        and set(literals).issubset(constraint.literals)
        for constraint in formula.others()
    )
