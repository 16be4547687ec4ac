"""All models of a formula in one subproblem after another, by searches that can be given up after some time.

Unlike in `models`, nothing is remembered from one subproblem to the next except what a solver learned, so that a subproblem can
be searched again, here or elsewhere, and gives the same models.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import closing, suppress

from jigsat.backends import AUTO, DEFAULT, Backend, Listing, find, open_backend, successor
from jigsat.backends.auto import COVER
from jigsat.errors import InputError, Stopped
from jigsat.formula import Clause, Formula, Lowered
from jigsat.search.blocking import Blocking
from jigsat.search.subproblems import Cube
from jigsat.symmetry import Model

NODES = 1 << 20
"""Nodes between two checks of the clock: less than a second."""

CONFLICTS = 20_000
"""Conflicts between two checks of the clock."""

PROBES = 200
"""Random paths from which the size of a subproblem is estimated: a few milliseconds."""


class TooLong(Exception):
    """A subproblem was not finished in the given time."""


class Exhaustive:
    """A solver with a formula. `nodes` is the number of nodes of the search tree so far, or of conflicts."""

    def __init__(self, formula: Formula, backend: str) -> None:
        self._formula = formula
        self._backend = backend
        self._blocking = Blocking(formula)
        self._solver = self._opened()
        self._top = self._lowered.top
        self._nodes = 0
        self._listing: Listing | None = None
        self._measured: tuple[Cube, Listing] | None = None

    def _opened(self) -> Backend:
        solver = open_backend(self._backend)
        try:
            solver.project(self._blocking.decisions)
            self._lowered = Lowered(self._formula, None, solver.capabilities.native)
            for constraint in self._lowered:
                solver.add(constraint)
        except BaseException:
            solver.close()
            raise
        return solver

    @property
    def nodes(self) -> int:
        return self._nodes + (self._listing.nodes if self._listing else 0)

    def size(self, cube: Cube) -> float | None:
        """The estimated number of nodes of a subproblem; None if the backend has no search tree."""
        listing = self._solver.listing(cube)
        self._measured = (cube, listing) if listing else None  # making it takes longer than the probes
        return listing.size(PROBES, len(cube)) if listing else None

    def models(self, cube: Cube, until: float) -> Iterator[list[Model]]:
        """All models in which the literals of the cube hold, each once, in lists as they are found; some lists are empty.

        Raises TooLong at the time `until` of the monotonic clock, if the backend can be interrupted.
        """
        measured, self._measured = self._measured, None
        if listing := measured[1] if measured and measured[0] == cube else self._solver.listing(cube):
            yield from self._listed(listing, until)
        elif self._solver.capabilities.enumerates:
            with closing(self._opened()) as solver:  # a used solver might continue an abandoned search of this subproblem
                while solver.solve(cube):
                    yield [self._blocking.model(solver.model())]
                    _look(until)
        else:
            yield from self._blocked(cube, until)

    def _listed(self, listing: Listing, until: float) -> Iterator[list[Model]]:
        self._listing, more = listing, True
        try:
            while more:
                found, more = listing.part(NODES)
                yield list(map(frozenset, found))
                if more:
                    _look(until)
        finally:
            self._nodes, self._listing = self.nodes, None

    def _blocked(self, cube: Cube, until: float) -> Iterator[list[Model]]:
        """Models are ruled out one by one, by clauses that hold only while a variable of this search is assumed."""
        solver = self._solver
        self._top = active = self._top + 1
        before = _conflicts(solver)
        try:
            while self._solved((active, *cube), until):
                model = self._blocking.model(solver.model())
                solver.add(Clause((-active, *self._blocking.literals(model))))
                yield [model]
                _look(until)
        finally:
            solver.add(Clause((-active,)))
            self._nodes += _conflicts(solver) - before

    def _solved(self, assumptions: tuple[int, ...], until: float) -> bool:
        if not self._solver.capabilities.conflict_limit:
            return self._solver.solve(assumptions)
        while True:
            self._solver.limit(CONFLICTS)
            try:
                return self._solver.solve(assumptions)
            except Stopped:
                _look(until)

    def close(self) -> None:
        """Free the solver."""
        self._solver.close()


def exhaustive_backend(formula: Formula) -> str:
    """The backend that suits a complete search: the engine for exact covers if the formula is one, else the default."""
    return COVER.backend if successor(formula) and COVER.fits(formula) else DEFAULT


def check_exhaustive(backend: str) -> None:
    """Raise InputError if a backend cannot search subproblems, which needs assumptions."""
    if find(backend).open is None:
        raise InputError(f"the backend {backend} does not search, so it cannot search subproblems; use another")
    with closing(open_backend(backend)) as solver:
        if not solver.capabilities.assumptions:
            raise InputError(f"the backend {backend} does not accept assumptions, so it cannot search subproblems; use another")


def is_exhaustive(backend: str) -> bool:
    """Whether a backend can search subproblems; `auto` can."""
    if backend == AUTO:
        return True
    with suppress(InputError):
        check_exhaustive(backend)
        return True
    return False


def _look(until: float) -> None:
    if time.monotonic() > until:
        raise TooLong


def _conflicts(solver: Backend) -> int:
    return solver.statistics().get("conflicts", 0)
