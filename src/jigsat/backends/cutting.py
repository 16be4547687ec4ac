"""Constraints on graphs by cuts: a search goes on until its model meets them.

The solver does not get the clauses of a tree. Each model is looked at, and if it breaks a
constraint on a graph, the cuts of `jigsat.formula.cuts` are added. They hold in every solution, so
they stay true whatever else is added or assumed. The numbers of regions that are known exclude most
others before the search.
"""

from __future__ import annotations

import time
from collections.abc import Sequence

from jigsat.backends.base import Backend, Capabilities
from jigsat.backends.registry import find, open_backend
from jigsat.formula import (
    EAGER,
    GRAPHS,
    Clause,
    Constraint,
    Cut,
    Formula,
    GraphConstraint,
    Lowering,
    Regions,
    Rows,
    find_cuts,
    find_first_cuts,
)


def open_search(name: str, formula: Formula, lowering: Lowering | None = None) -> Backend:
    """The backend of this name, with cuts if the formula has constraints on graphs, if it can go on
    after a model, and if the lowering does not ask for clauses."""
    solver = open_backend(name)
    if lowering is not None and lowering.graph_rules == EAGER:
        return solver
    if not takes_cuts(name, solver.capabilities) or not formula.list_graphs():
        return solver
    return Cutting(solver)


def takes_cuts(name: str, can: Capabilities) -> bool:
    """Whether a backend can go on after a model. A program would be started again for each cut, and
    a backend that enumerates would start over."""
    return can.clauses and not can.enumerates and find(name).library != "program"


class Cutting(Backend):
    """A backend that adds cuts to another one."""

    def __init__(self, solver: Backend) -> None:
        self.capabilities = solver.capabilities
        self.cuts: list[Cut] = []
        self._seconds = 0.0  # processor time spent on finding cuts
        self._solver = solver
        self._graphs: list[tuple[GraphConstraint, tuple[int, ...]]] = []
        self._variables: set[int] = set()  # those on which constraints on graphs depend
        self._known: set[int] = set()  # literals that are true in every model
        self._looked_at = 0  # how many of them were known when the first cuts were found

    @property
    def native(self) -> frozenset[str]:
        return self.capabilities.native | {GRAPHS}

    def add(self, constraint: Constraint) -> None:
        if isinstance(constraint, GraphConstraint):
            self.add_unless(constraint, ())
        elif isinstance(constraint, Clause):
            self.add_clauses([constraint.literals])
        else:
            self._solver.add(constraint)

    def add_unless(self, constraint: GraphConstraint, exceptions: Sequence[int]) -> None:
        """Add a constraint that holds unless one of the exceptions, which are literals, is true."""
        self._graphs.append((constraint, tuple(exceptions)))
        self._variables.update(map(abs, (*constraint.literals, *exceptions)))

    def add_clauses(self, rows: Rows) -> None:
        self._solver.add_clauses(rows)
        self._known.update(row[0] for row in rows if len(row) == 1)

    def solve(self, assumptions: Sequence[int] = ()) -> bool:
        self._exclude_numbers()
        while self._solver.solve(assumptions):
            begun = time.process_time()
            true = self._variables.intersection(self._solver.model())
            cuts = []
            for graph, exceptions in self._graphs:
                if not any((abs(x) in true) == (x > 0) for x in exceptions):
                    cuts += [(*cut, *exceptions) for cut in find_cuts(graph, true, self._known)]
            self._seconds += time.process_time() - begun
            if not cuts:
                return True
            self._add_cuts(cuts)
        return False

    def _exclude_numbers(self) -> None:
        """Exclude what contradicts known numbers of regions, if more has become known."""
        while len(self._known) > self._looked_at:
            self._looked_at = len(self._known)
            for graph, exceptions in self._graphs:
                if isinstance(graph, Regions) and not exceptions:
                    for choice in graph.list_choices():
                        known = [x for x in choice if x in self._known]
                        if known:
                            self._known.update(-x for x in choice if x != known[0])
                    self._add_cuts(find_first_cuts(graph, self._known))

    def _add_cuts(self, cuts: Sequence[Cut]) -> None:
        """Add cuts to the solver, without literals that are known to be false."""
        self.cuts += cuts
        rows = [tuple([x for x in cut if -x not in self._known]) for cut in cuts]
        self.add_clauses([row or cut for row, cut in zip(rows, cuts, strict=True)])

    def model(self) -> Sequence[int]:
        return self._solver.model()

    def project(self, variables: Sequence[int]) -> None:
        self._solver.project(variables)

    def propagate(self, assumptions: Sequence[int] = ()) -> tuple[bool, Sequence[int]]:
        return self._solver.propagate(assumptions)

    def core(self) -> Sequence[int]:
        return self._solver.core()

    def limit(self, conflicts: int | None) -> None:
        self._solver.limit(conflicts)

    def statistics(self) -> dict[str, int]:
        numbers = {"cuts": len(self.cuts), "cuts_ms": round(1000 * self._seconds)}
        return {**self._solver.statistics(), **numbers}

    def close(self) -> None:
        self._solver.close()
