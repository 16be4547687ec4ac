"""All models of a formula in one subproblem after another: disjoint parts of the search that
together contain all models.

A subproblem (a cube, in cube-and-conquer) is a tuple of literals of decision variables. Its models
are those in which all of them are true. Any solver that accepts assumptions can search it, in
another process or on another machine, and may give up some of its branches after some time. Unlike
in `models`, nothing is remembered from one subproblem to the next except what a solver learned, so
that a subproblem can be searched again and gives the same models.

>>> formula = Formula()
>>> place = formula.variables("place", ("tile", "cell"), [(t, c) for t in "ab" for c in range(3)])
>>> for tile in "ab":
...     formula.exactly_one(place[tile, :])
>>> formula.clause([-place("b", 0)])
>>> Splitter(formula).choice(())
SplitChoice(open=(5, 6), refuted=(4,))
"""

import math
import time
from collections import Counter
from collections.abc import Callable, Generator, Iterator
from contextlib import closing, suppress
from functools import partial
from itertools import islice
from random import Random
from typing import NamedTuple, TypeAlias

from jigsat.backends import (
    AUTO,
    PROPAGATOR,
    Backend,
    Branching,
    Listing,
    find,
    open_backend,
    open_search,
)
from jigsat.errors import InputError, Stopped
from jigsat.formula import Clause, Formula, Lowered, vector
from jigsat.search.blocking import Blocking
from jigsat.search.propagation import units
from jigsat.symmetry import Model

Literals: TypeAlias = tuple[int, ...]  # literals that a subproblem fixes


class SplitChoice(NamedTuple):
    """The literals into which a subproblem is split: those of an exactly-one constraint, or both
    values of a variable.

    Unit propagation refutes the subproblems that are extended by a literal of `refuted`, but not
    those of `open`.
    """

    open: tuple[int, ...]
    refuted: tuple[int, ...]


class Splitter:
    """A formula in a solver that propagates."""

    def __init__(self, formula: Formula) -> None:
        self._propagator = propagator = open_backend(PROPAGATOR)
        self._decisions = formula.decisions()
        lowered = Lowered(formula, native=propagator.capabilities.native)
        unit_literals = units(lowered, propagator)
        # always assumed; it implies the literals that would have to be assumed
        self._always = lowered.auxiliary()
        for literal in unit_literals:
            propagator.add(Clause((-self._always, literal)))
        decisions = set(self._decisions)
        self._slacks = frozenset(formula.slacks())
        self._items = [list(x) for x in formula.items() if decisions.issuperset(x)]
        self._weight = Counter(
            abs(x) for constraint in formula.constraints() for x in constraint[0]
        )

    def close(self) -> None:
        self._propagator.close()

    def is_slack(self, literal: int) -> bool:
        """Whether a literal is true only if no other of its choice is (`Formula.slacks`)."""
        return literal in self._slacks

    def implied_literals(self, subproblem: Literals) -> set[int] | None:
        """The literals that follow from a subproblem by unit propagation; None if it is refuted."""
        possible, literals = self._propagator.propagate([self._always, *subproblem])
        return {*subproblem, *literals} if possible else None

    def choice(self, subproblem: Literals) -> SplitChoice | None:
        """The choice that splits a subproblem; None if there is nothing left to choose, or if unit
        propagation refutes it."""
        return next(self.choices(subproblem), None)

    def choices(self, subproblem: Literals, rng: Random | None = None) -> Iterator[SplitChoice]:
        """All choices that split a subproblem, those with the fewest branches first; several with
        the same number at random."""
        fixed = self.implied_literals(subproblem)
        if fixed is None:
            return
        choices = self._list_choices(fixed)
        if rng:
            rng.shuffle(choices)
        for possible, whole in sorted(choices, key=lambda choice: len(choice[0])):
            opened = []
            for literal in possible:
                if self.implied_literals((*subproblem, literal)) is not None:
                    opened.append(literal)
            refuted = tuple(literal for literal in whole if literal not in opened)
            yield SplitChoice(tuple(opened), refuted)

    def _list_choices(self, fixed: set[int]) -> list[tuple[list[int], list[int]]]:
        """The items that are open beside these literals, each with the part that is possible; if
        there are none, the values of the variable that occurs most."""
        choices = []
        for item in self._items:
            if fixed.isdisjoint(item):
                choices.append(([x for x in item if -x not in fixed], item))
        free = [x for x in self._decisions if x not in fixed and -x not in fixed]
        if not choices and free:
            variable = max(free, key=lambda x: self._weight[x])
            values = [variable, -variable]
            choices = [(values, values)]
        return choices


FIRST_PART_NODES = 1 << 8
"""Nodes of the first part of a search, few because each may be a solution; later parts last
`CLOCK_INTERVAL_S`."""

CLOCK_INTERVAL_S = 0.3  # seconds between two checks of the clock, at most about twice as much
CONFLICTS_PER_CHECK = 20_000  # conflicts between two checks of the clock
# maximum number of choices that are tried before a search in a fixed order is divided
MAX_CHOICES = 8
SAMPLED_BRANCHES = 6  # maximum number of branches of a choice that are tried

NODES_PER_LISTING = 2e7
"""One branch of a choice is tried for so many nodes of a search that is to be divided: a few
percent of its time."""

SearchStep: TypeAlias = list[Model] | Branching
"""What a search reports: models, or a choice some of whose branches it does not search."""

Search: TypeAlias = Callable[[Literals, float], Iterator[Model]]
"""All models of a subproblem except those it found before. Raises TooLong after a time."""


class TooLong(Exception):
    """A search was not finished in the given time."""


class Exhaustive:
    """A solver with a formula. `nodes` is the number of nodes of the search tree so far, or of
    conflicts."""

    def __init__(self, formula: Formula, backend: str) -> None:
        self._formula = formula
        self._backend = backend
        self._blocking = Blocking(formula)
        self._solver = self._open_backend()
        self._nodes = 0
        self._listing: Listing | None = None
        self._enumerated_last: Literals | None = None
        self.hurried = False  # whether to give up branches from now on, as after the time `until`
        self.splitter = Splitter(formula)

    def _open_backend(self) -> Backend:
        solver = open_search(self._backend, self._formula)
        try:
            solver.project(self._blocking.decisions)
            self._top = solver.load(self._formula).top
        except BaseException:
            solver.close()
            raise
        return solver

    @property
    def nodes(self) -> int:
        return self._nodes + (self._listing.nodes if self._listing else 0)

    def choice(self, subproblem: Literals) -> SplitChoice | None:
        """The choice that splits a subproblem, if there is one.

        It has the fewest branches; or if the backend searches in a fixed order, it is the one of
        some random choices whose branches together are estimated to be smallest. The larger the
        search, the more are tried.
        """
        first = best = self.splitter.choice(subproblem)
        listing = best and self._solver.listing(subproblem)
        if first is None or not listing or not listing.fixed_order:
            return first
        rng = Random(0)
        least = math.inf
        left = listing.size(0) / NODES_PER_LISTING
        for choice in islice(self.splitter.choices(subproblem, rng), MAX_CHOICES):
            sample = rng.sample(choice.open, min(len(choice.open), SAMPLED_BRANCHES))
            if (left := left - len(sample)) < 0:
                break
            parts = [self._solver.listing((*subproblem, literal)) for literal in sample]
            size = (
                sum(part.size(0) for part in parts if part) * len(choice.open) / max(1, len(sample))
            )
            if len(sample) > 1 and size < least:
                best, least = choice, size
        return best

    def models(
        self, subproblem: Literals, until: float = math.inf
    ) -> Generator[SearchStep, None, None]:
        """All models in which the literals of the subproblem hold, each once, in lists as they are
        found; some lists are empty.

        After the time `until` of the monotonic clock, the search gives up branches, if the backend
        can be interrupted. It yields a `Branching` of the subproblem, then perhaps one of the
        branch that was taken, and so on. After a Branching, all models are in the branch that was
        taken. Some models of the branches in `rest` may come before it.
        """
        self.hurried = False
        if listing := self._solver.listing(subproblem):
            yield from self._list_models(listing, until)
        elif self._solver.capabilities.enumerates:
            yield from self._by_parts(subproblem, until, partial(self._enumerate_models, set()))
        else:
            yield from self._block_models(subproblem, until)

    def _is_over(self, until: float) -> bool:
        return until < math.inf and (self.hurried or time.monotonic() > until)

    def _look(self, until: float) -> None:
        if self._is_over(until):
            raise TooLong

    # -- a backend with a search tree

    def _list_models(self, listing: Listing, until: float) -> Iterator[SearchStep]:
        self._listing, more = listing, True
        nodes, levels = FIRST_PART_NODES, 0
        try:
            while more:
                begun = time.monotonic()
                batch, more = listing.part(nodes)
                yield list(map(frozenset, batch))
                taken = time.monotonic() - begun  # and the time in which the models were checked
                if taken > CLOCK_INTERVAL_S:
                    nodes = max(1, nodes // 2)
                elif taken < CLOCK_INTERVAL_S / 4:
                    nodes *= 2
                if more and self._is_over(until):
                    path = listing.release()
                    yield from path[levels:]
                    levels = max(levels, len(path))
        finally:
            self._nodes = self.nodes
            self._listing = None

    # -- other backends

    def _by_parts(self, subproblem: Literals, until: float, search: Search) -> Iterator[SearchStep]:
        """Search a subproblem as a whole for a quarter of the time, then branch by branch, so that
        only one of them is lost."""
        now = time.monotonic()
        try:
            for model in search(subproblem, now + (until - now) / 4):
                yield [model]
            return
        except TooLong:
            choice = self.splitter.choice(subproblem)
        if choice is None:
            for model in search(subproblem, math.inf):
                yield [model]
            return
        for at, literal in enumerate(choice.open):
            try:
                for model in search((*subproblem, literal), until):
                    yield [model]
            except TooLong:
                yield Branching((*choice.open, *choice.refuted), None, choice.open[at:])
                return

    def _enumerate_models(
        self, known: set[int], subproblem: Literals, until: float
    ) -> Iterator[Model]:
        """All models that are not known, which are also added to the known ones.

        Some solvers enumerate the values of auxiliary variables as well.
        """
        if self._enumerated_last == subproblem:  # the solver would not start over
            self._solver.close()
            self._solver = self._open_backend()
        self._enumerated_last = subproblem
        while self._solver.solve(subproblem):
            model = self._blocking.model(self._solver.model())
            if (number := vector(model)) not in known:
                known.add(number)
                yield model
            self._look(until)

    def _block_models(self, subproblem: Literals, until: float) -> Iterator[SearchStep]:
        """Models are ruled out one by one, by clauses that hold only while a variable of this
        search is assumed."""
        self._top = active = self._top + 1
        before = _conflicts(self._solver)
        try:
            yield from self._by_parts(subproblem, until, partial(self._blocking_each, active))
        finally:
            self._solver.add(Clause((-active,)))
            self._nodes += _conflicts(self._solver) - before

    def _blocking_each(self, active: int, subproblem: Literals, until: float) -> Iterator[Model]:
        while self._find_model((active, *subproblem), until):
            model = self._blocking.model(self._solver.model())
            self._solver.add(Clause((-active, *self._blocking.literals(model))))
            yield model
            self._look(until)

    def _find_model(self, assumptions: tuple[int, ...], until: float) -> bool:
        if not self._solver.capabilities.conflict_limit:
            return self._solver.solve(assumptions)
        while True:
            self._solver.limit(CONFLICTS_PER_CHECK)
            try:
                return self._solver.solve(assumptions)
            except Stopped:
                self._look(until)

    def close(self) -> None:
        self._solver.close()
        self.splitter.close()


def check_exhaustive(backend: str) -> None:
    """Raise InputError if a backend cannot search subproblems, which needs assumptions."""
    if find(backend).open is None:
        raise InputError(
            f"the backend {backend} does not search, so it cannot search subproblems; use another"
        )
    with closing(open_backend(backend)) as solver:
        if not solver.capabilities.assumptions:
            raise InputError(
                f"the backend {backend} does not accept assumptions, so it cannot search "
                f"subproblems; use another"
            )


def is_exhaustive(backend: str) -> bool:
    """Whether a backend can search subproblems; `auto` can."""
    if backend == AUTO:
        return True
    with suppress(InputError):
        check_exhaustive(backend)
        return True
    return False


def _conflicts(solver: Backend) -> int:
    return solver.statistics().get("conflicts", 0)
