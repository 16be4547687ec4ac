"""jigsat's own search in a fixed order, with tables of what fits (`engine/scan/scan.c`), for boards
whose pieces have labels.

It accepts formulas of clauses and cardinality constraints in which some exactly-one constraints,
the cells, contain each decision variable once, and whose other constraints are bounds on decision
variables, or follow from what the options of each cell say about auxiliary variables. Cells that
share such variables fit if they agree on them.
"""

from __future__ import annotations

import sys
from array import array
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from jigsat.backends.base import Backend, Branching, Capabilities, Spec, branch
from jigsat.backends.engine import INSTALL, engine, is_compiled, numbers_of, only_sums
from jigsat.errors import InputError, Stopped
from jigsat.formula import Cardinality, Clause, Constraint, Formula, Lowered, Lowering, Rows

if TYPE_CHECKING:
    from jigsat.backends.engine import _engine

ESTIMATE_PATHS = 500
"""Random paths from which the size of a search is estimated: about as long as it takes to read the
constraints."""

MAX_BATCH_MODELS = 4096  # maximum number of models in a list
UNLIMITED_NODES = 2**62  # more nodes than any search has


def specs() -> Iterator[Spec]:
    yield Spec("scan", "jigsat", INSTALL, Scan, establishes="exhaustion")


class Scan(Backend):
    """Each call of `solve` finds the next model. `limit` counts the nodes: the entries of tables
    that are looked at."""

    capabilities = Capabilities(
        clauses=False, cardinality=True, assumptions=True, conflict_limit=True, enumerates=True
    )

    def __init__(self) -> None:
        if not is_compiled() or sys.platform == "emscripten":
            raise ImportError("the compiled engine was not built")
        self._decisions: array[int] = array("i")
        self._numbers: array[int] = array("i")
        self._top = 0
        self._limit = UNLIMITED_NODES
        self._assumed: tuple[int, ...] = ()
        self._scan: _engine.Scan | None = None
        self._current: Sequence[int] = ()

    def project(self, variables: Sequence[int]) -> None:
        self._decisions = array("i", variables)
        self._top = max(self._top, max(variables, default=0))

    def add(self, constraint: Constraint) -> None:
        match constraint:
            case Clause(literals):
                self._extend((len(literals), 1), literals)
            case Cardinality(literals, at_least, at_most):
                self._extend((-1, len(literals), at_least, at_most), literals)
            case _:
                raise TypeError(f"scan does not accept {constraint.kind} constraints")

    def _extend(self, header: tuple[int, ...], literals: Sequence[int]) -> None:
        self._numbers.extend(header)
        self._numbers.extend(literals)
        self._top = max(self._top, max(map(abs, literals), default=0))
        self._scan = None

    def add_clauses(self, rows: Rows) -> None:
        for row in rows:
            self._extend((len(row), 1), row)

    def load(self, formula: Formula, lowering: Lowering | None = None) -> Lowered:
        if not only_sums(formula):
            return super().load(formula, lowering)
        lowered = Lowered(formula, lowering, self.capabilities.native)
        lowered.number = formula.size
        self._numbers.extend(numbers_of(formula))  # as they are stored, which is much faster
        self._top = max(self._top, formula.top)
        self._scan = None
        return lowered

    def solve(self, assumptions: Sequence[int] = ()) -> bool:
        search = self._search(assumptions)
        if not search.suits:
            raise InputError(
                "scan requires exactly-one constraints that contain each decision variable once, "
                "and whose options determine "
                "the auxiliary variables; use another backend"
            )
        model = search.step(self._limit)
        if model is None and not search.over:
            raise Stopped("scan gave up")
        self._current = model or ()
        return model is not None

    def _search(self, assumptions: Sequence[int] = ()) -> _engine.Scan:
        """The search with these assumptions, which continues unless they have changed."""
        if self._scan is None or self._assumed != tuple(assumptions):
            self._assumed = tuple(assumptions)
            self._scan = self._begin(assumptions)
        return self._scan

    def _begin(self, assumptions: Sequence[int]) -> _engine.Scan:
        """A new search. Pieces that the assumptions distinguish are not exchanged, because it is
        planned with them."""
        units = [number for literal in assumptions for number in (1, 1, literal)]
        top = max([self._top, *map(abs, assumptions)])
        search: _engine.Scan = engine().Scan(
            top, self._numbers + array("i", units), self._decisions
        )
        return search

    def listing(self, assumptions: Sequence[int] = ()) -> ScanListing | None:
        search = self._begin(assumptions)
        return ScanListing(search) if search.suits else None

    def model(self) -> Sequence[int]:
        return self._current

    def limit(self, conflicts: int | None) -> None:
        self._limit = UNLIMITED_NODES if conflicts is None else conflicts

    def pays(self) -> bool:
        """Whether the search applies to the constraints, and each cell shares auxiliary variables
        with others."""
        search = self._search()
        return search.suits and search.meets

    def statistics(self) -> dict[str, int]:
        return {"nodes": self._scan.nodes if self._scan else 0}

    def progress(self) -> float | None:
        return self._scan.progress if self._scan else None


class ScanListing:
    """A search that is continued step by step; see `Listing`."""

    pace = 3e8
    fixed_order = True

    def __init__(self, scan: _engine.Scan) -> None:
        self._scan = scan

    @property
    def nodes(self) -> int:
        return self._scan.nodes

    def size(self, seed: int) -> float:
        return self._scan.size(ESTIMATE_PATHS, seed)

    def part(self, nodes: int) -> tuple[list[Sequence[int]], bool]:
        models: list[Sequence[int]] = []
        end = self.nodes + nodes
        while not self._scan.over and self.nodes < end and len(models) < MAX_BATCH_MODELS:
            if (model := self._scan.step(end - self.nodes)) is not None:
                models.append(model)
        return models, not self._scan.over

    def release(self) -> list[Branching]:
        released = self._scan.release()
        return branch(*released) if released else []
