"""The models of a formula by blocking clauses, one of every orbit, searched for in one process or in parts in several."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial

from jigsat.backends import DEFAULT, open_backend
from jigsat.formula import Cardinality, Clause, Formula, Lowered, Lowering, bits
from jigsat.search import parallel
from jigsat.search.subproblems import Cube, split
from jigsat.symmetry import Group, Model, packed

PARTS = 8
"""So many cubes are made for each process, so that none has long to wait for the others in the end."""


def antichain(formula: Formula) -> bool:
    """Whether it is plain from the formula that no solution's true decision variables contain another's.

    It is if each decision variable stands in an exactly-k constraint over decision variables: a solution with one more true
    variable would break that variable's constraint. Blocking the true literals alone is right only then.
    """
    decisions = set(formula.decisions())
    covered: set[int] = set()
    for constraint in formula.others():
        if (
            isinstance(constraint, Cardinality)
            and constraint.at_least == constraint.at_most
            and decisions.issuperset(constraint.literals)
        ):
            covered.update(constraint.literals)
    return covered == decisions


class Blocking:
    """How the models of a formula are told apart, and one is ruled out: by its decision variables."""

    def __init__(self, formula: Formula) -> None:
        self.decisions = formula.decisions()
        self._wanted = frozenset(self.decisions)
        self._positive_only = antichain(formula)

    def model(self, true: Iterable[int]) -> Model:
        """What a solver's model says of the decision variables."""
        return self._wanted.intersection(true)

    def literals(self, model: Model) -> tuple[int, ...]:
        """The literals of which at least one is true in every other model."""
        return tuple(-x if x in model else x for x in (sorted(model) if self._positive_only else self.decisions))


def models(
    formula: Formula,
    backend: str = DEFAULT,
    *,
    lowering: Lowering | None = None,
    group: Group | None = None,
    up_to: str = "nothing",
    known: Iterable[Iterable[int]] = (),
    statistics: dict[str, int] | None = None,
    jobs: int = 1,
    breaking: bool = True,
) -> Generator[Model, None, None]:
    """One model of every orbit, as the frozenset of its true decision variables; when it ends, there is no other.

    Lazy: each model is searched for when it is asked for, then its whole orbit is blocked. The formula is not changed.
    Orbits of `known` models are left out. `statistics` is kept up to date: what the solver was given and what it counts.
    The first models of many come sooner without `breaking`, by which only some of each orbit are looked for; the end comes
    later. With more than one of `jobs`, so many processes search ahead, each in another part, and the order varies. Raises
    InputError for a backend that is not there and Stopped if the solver gives up.

    >>> formula = Formula()
    >>> x = formula.variables("x", ("i",), [(1,), (2,)])
    >>> formula.clause(x[:])
    >>> sorted(sorted(model) for model in models(formula))
    [[1], [1, 2], [2]]
    """
    task = _Task(formula, backend, lowering, group, up_to, breaking)
    statistics = {} if statistics is None else statistics
    if jobs > 1:
        yield from _in_parts(task, known, statistics, jobs)
        return
    with _opened(task, known, statistics) as within:
        yield from within(())


@dataclass(frozen=True)
class _Task:
    """What is searched for, and by what."""

    formula: Formula
    backend: str
    lowering: Lowering | None
    group: Group | None
    up_to: str
    broken: bool

    def orbit(self, model: Model) -> set[Model]:
        return self.group.orbit(model, self.up_to) if self.group else {model}

    def first(self, model: Model) -> int:
        return self.group.first(model, self.up_to) if self.group else packed(model)

    def breaking(self) -> list[int] | None:
        return self.group.breaking(self.formula, self.up_to) if self.group and self.broken else None


@contextmanager
def _opened(
    task: _Task, known: Iterable[Iterable[int]], statistics: dict[str, int]
) -> Iterator[Callable[[Cube], Iterator[Model]]]:
    """An open solver as a function that finds the models of a cube, to be called for one cube after the other."""
    formula, blocking = task.formula, Blocking(task.formula)
    solver = open_backend(task.backend)
    by_itself, any_clause = solver.capabilities.enumerates, solver.capabilities.clauses
    seen: set[int] = set()

    def block(orbit: Iterable[Iterable[int]]) -> None:
        for member in orbit:
            for clause in lowered.lower(Clause(blocking.literals(frozenset(member)))):
                solver.add(clause)

    def within(cube: Cube) -> Iterator[Model]:
        while solver.solve(cube):
            model = blocking.model(solver.model())
            if by_itself:
                first = task.first(model)
                if first in seen:
                    continue
                seen.add(first)
            statistics.update(solver.statistics())
            yield model
            if not by_itself:
                block(task.orbit(model))
        statistics.update(solver.statistics())

    try:
        solver.project(blocking.decisions)
        lowered = Lowered(formula, task.lowering, solver.capabilities.native)
        statistics["clauses"] = 0
        for constraint in lowered:
            solver.add(constraint)
            statistics["clauses"] += 1
        statistics["variables"] = lowered.top
        if (breaking := task.breaking()) and (any_clause or _within_one(breaking, formula)):
            solver.add(Clause(tuple(breaking)))
        for model in map(frozenset, known):
            if by_itself:
                seen.add(task.first(model))
            if any_clause:
                block(task.orbit(model))
        statistics.update(solver.statistics())
        yield within
    finally:
        solver.close()


def _in_parts(task: _Task, known: Iterable[Iterable[int]], statistics: dict[str, int], jobs: int) -> Iterator[Model]:
    """The models of cubes that are searched in processes of their own.

    A process blocks what it finds and what was found before it was started; an orbit that several of them meet is told by
    its first member.
    """
    formula = task.formula
    if breaking := task.breaking():
        formula = formula.extended()
        with formula.group("one of each orbit"):
            formula.clause(breaking)
    found = {task.first(frozenset(model)) for model in known}
    done: dict[int, parallel.Done] = {}
    cubes = split(formula, PARTS * jobs)
    statistics["cubes"] = len(cubes)

    def refine(cube: Cube) -> list[Cube]:
        parts = split(formula, 2 * jobs, cube)
        statistics["cubes"] += len(parts)
        return parts

    for item in parallel.search(cubes, partial(_work, task, found), refine, jobs):
        if isinstance(item, parallel.Done):
            done[item.process] = item
            counted = Counter[str]()
            for each in done.values():
                counted.update(each.counted)
            statistics.update({key: item.given.get(key, 0) + count for key, count in counted.items()})
            continue
        first = task.first(item)
        if first not in found:
            found.add(first)
            yield item


def _work(task: _Task, found: Iterable[int], cubes: Iterator[Cube]) -> Iterator[Model | parallel.Done]:
    """What one of the processes does."""
    statistics: dict[str, int] = {}
    with _opened(task, map(bits, found), statistics) as within:
        given = dict(statistics)
        for cube in cubes:
            yield from within(cube)
            yield parallel.Done(os.getpid(), given, {key: value - given.get(key, 0) for key, value in statistics.items()})


def _within_one(literals: list[int], formula: Formula) -> bool:
    """Whether the literals are among those of an exactly-one constraint, so that 'one of them' only rules out the others."""
    return any(
        isinstance(constraint, Cardinality)
        and constraint.at_least == constraint.at_most == 1
        and set(literals).issubset(constraint.literals)
        for constraint in formula.others()
    )
