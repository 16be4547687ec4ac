"""jigsat's own engine: a compiled search for exact covers with pairwise conflicts and bounds
(`engine/cover/cover.c`).

It accepts any formula in which every decision variable occurs in an exactly-one constraint over
decision variables and slacks; `exact_cover` explains how it is read. If items, conflicts and bounds
do not capture the whole formula, a SAT solver extends each cover to a model or rejects it.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence
from contextlib import closing
from itertools import chain
from typing import TYPE_CHECKING

from jigsat.backends.base import Backend, Branching, Capabilities, Enumerating, Spec, branch
from jigsat.backends.engine import INSTALL, engine, is_compiled
from jigsat.backends.exact_cover import CoverOptions, CoverReader
from jigsat.backends.registry import open_backend
from jigsat.errors import InputError, Stopped
from jigsat.formula import Cardinality, Clause, Constraint, Formula, Lowered, Lowering, Rows

if TYPE_CHECKING:
    from jigsat.backends.engine import _engine

MAX_CONFLICT_MATRIX_BYTES = 2**29
"""Maximum size in bytes of the conflict matrix: one bit for each option and each option of each
item."""


def specs() -> Iterator[Spec]:
    yield Spec("cover", "jigsat", INSTALL, _open, establishes="exhaustion")


def _open() -> Backend:
    if not is_compiled():
        raise ImportError("the compiled engine was not built")
    return Cover()


# random paths from which the size of a search is estimated: a few milliseconds
ESTIMATE_PATHS = 200
MAX_BATCH_COVERS = 4096  # maximum number of covers in a list


class Cover(Enumerating):
    """Each call of `solve` finds the next model. `limit` counts the nodes of the search tree."""

    capabilities = Capabilities(
        clauses=False, cardinality=True, assumptions=True, conflict_limit=True, enumerates=True
    )

    def __init__(self) -> None:
        super().__init__()
        self._covers: _engine.Cover | None = None
        self._nodes = 0  # of previous searches
        self._limit: int | None = None
        self._gave_up = False
        self._decisions: frozenset[int] = frozenset()
        self.reader = CoverReader()
        # the options, and whether they capture all constraints
        self._known: tuple[CoverOptions, bool] | None = None
        self._whole: tuple[_engine.Cover, list[frozenset[int]]] | None = None
        """The search without assumptions, from which listings are made, and its items with all of
        their literals."""

    def project(self, variables: Sequence[int]) -> None:
        self._decisions = self.reader.options = frozenset(variables)

    def load(self, formula: Formula, lowering: Lowering | None = None) -> Lowered:
        self.reader.slacks = frozenset(formula.slacks())
        self.reader.options = self._decisions | self.reader.slacks
        return super().load(formula, lowering)

    def add(self, constraint: Constraint) -> None:
        if not isinstance(constraint, Clause | Cardinality):
            raise TypeError(f"cover does not accept {constraint.kind} constraints")
        self.reader.add(constraint)
        self._known = self._whole = None
        self._start_over()

    def add_clauses(self, rows: Rows) -> None:
        self.reader.add_clauses(rows)
        self._known = self._whole = None
        self._start_over()

    def _models(self, assumptions: Sequence[int]) -> Generator[Sequence[int], None, None]:
        """Convert the constraints to items, conflicts and bounds, and search without the options
        that assumptions exclude."""
        read, complete = self.read_options()
        if assumptions:
            possible, literals = self.reader.propagator.propagate(assumptions)
            if not possible:
                return
            read = read.without({-literal for literal in literals})
            complete = complete and self.reader.options.issuperset(map(abs, assumptions))
        self._nodes = self.statistics()["nodes"]
        self._covers = load_search(read, self.reader.bounds())
        options = list(read.implied)
        true = [
            [literal for literal in literals if literal > 0] for literals in read.implied.values()
        ]
        for cover in self._list_covers(self._covers):
            if cover is None:
                self._gave_up = True
                yield ()
            elif complete:
                yield list(chain.from_iterable(map(true.__getitem__, cover)))
            # options that are not chosen need no assumption: they share an item with one that is
            elif self.reader.propagator.solve([*assumptions, *map(options.__getitem__, cover)]):
                yield self.reader.propagator.model()

    def _list_covers(self, search: _engine.Cover) -> Iterator[Sequence[int] | None]:
        """The covers, and None whenever the limit is reached."""
        more = True
        while more and self._limit is not None:
            covers, more = search.part(1, self._limit)
            yield from covers
            if more and not covers:
                yield None
        if more:
            yield from search

    def solve(self, assumptions: Sequence[int] = ()) -> bool:
        solvable = super().solve(assumptions)
        if self._gave_up:
            self._gave_up = False
            raise Stopped("cover gave up")
        return solvable

    def limit(self, conflicts: int | None) -> None:
        self._limit = conflicts

    def read_options(self) -> tuple[CoverOptions, bool]:
        """The options, and whether they capture all constraints."""
        if self._known is None:
            read = self.reader.read_options()
            self._known = read, self.reader.shows_all(read)
        return self._known

    def listing(self, assumptions: Sequence[int] = ()) -> CoverListing | None:
        read, complete = self.read_options()
        if not complete or not self.reader.options.issuperset(map(abs, assumptions)):
            return None
        if self._whole is None:
            self._whole = load_search(read, self.reader.bounds()), self.reader.items()
        search, items = self._whole
        possible = True
        excluded: set[int] = set()
        if assumptions:
            possible, literals = self.reader.propagator.propagate(assumptions)
            excluded = {-literal for literal in (*assumptions, *literals)}
        left = {
            i: option
            for i, option in enumerate(read.implied)
            if possible and option not in excluded
        }
        # restricting a search is much faster than loading the problem again
        options = list(left.values())
        return CoverListing(search.restricted(list(left)), options, items, self._decisions)

    def pays(self) -> bool:
        """Whether conflicts and bounds capture all constraints, so that no SAT solver is needed.
        Caches them for the search."""
        return self.reader.small() and self.read_options()[1]

    def statistics(self) -> dict[str, int]:
        return {"nodes": self._nodes + (self._covers.nodes if self._covers else 0)}

    def progress(self) -> float | None:
        covers = self._covers
        return covers.progress if covers else None

    def close(self) -> None:
        super().close()
        self.reader.close()


class CoverListing:
    """Exact covers that are searched for step by step; see `Listing`. The items have all of their
    literals."""

    pace = 2e5
    fixed_order = False

    def __init__(
        self,
        covers: _engine.Cover,
        options: list[int],
        items: list[frozenset[int]],
        decisions: frozenset[int],
    ) -> None:
        self._covers, self._options, self._items = covers, options, items
        # What each option says in a model: a slack says nothing.
        self._true = [[option] if option in decisions else [] for option in options]
        self._probed = 0  # nodes of random paths

    @property
    def nodes(self) -> int:
        return self._covers.nodes - self._probed

    def size(self, seed: int) -> float:
        self._covers.seed(seed)
        size = sum(self._covers.probe()[0] for _ in range(ESTIMATE_PATHS)) / ESTIMATE_PATHS
        self._probed = self._covers.nodes
        return size

    def part(self, nodes: int) -> tuple[list[list[int]], bool]:
        covers, more = self._covers.part(MAX_BATCH_COVERS, nodes)
        return [list(chain.from_iterable(map(self._true.__getitem__, x))) for x in covers], more

    def release(self) -> list[Branching]:
        if (released := self._covers.release()) is None:
            return []
        items, path, rest = released
        options = self._options.__getitem__
        return branch(
            map(self._items.__getitem__, items), list(map(options, path)), list(map(options, rest))
        )


def load_search(read: CoverOptions, bounds: Sequence[Cardinality]) -> _engine.Cover:
    """The search for the covers. Raises InputError if it would need too much memory."""
    sets = [*read.items, *(read.implied.keys() & set(bound.literals) for bound in bounds)]
    if (size := len(read.implied) * sum(map(len, sets)) // 8) > MAX_CONFLICT_MATRIX_BYTES:
        raise InputError(
            f"the backend cover needs {size >> 20:,} MiB for conflicts between options; use "
            f"another backend"
        )
    number = {option: i for i, option in enumerate(read.implied)}
    numbered = [[number[option] for option in sorted(options)] for options in sets]
    limits = [[max(0, bound.at_least), max(0, bound.at_most)] for bound in bounds]
    search: _engine.Cover = engine().Cover(numbered, list(read.implied.values()), limits)
    return search


def load_plain_search(formula: Formula) -> tuple[CoverOptions, _engine.Cover]:
    """The options and the search for a formula that `is_plain_cover`."""
    with closing(Cover()) as cover:
        cover.project(formula.decisions())
        cover.load(formula)
        read = cover.reader.read_plain()
        return read, load_search(read, cover.reader.sums())


def probes(formula: Formula, seed: int) -> Iterator[tuple[float, float]]:
    """Estimates of the numbers of nodes and solutions, each by a random path in the tree that the
    engine searches.

    At each node a random child is chosen. The product of the numbers of children estimates the
    solutions if the path ends at a solution, and the sum of these products the nodes. Raises
    InputError for a formula that the engine does not accept.
    """
    if not frozenset().union(*formula.items()).issuperset(formula.decisions()):
        raise InputError(
            "only exact covers can be estimated, where each variable is in an exactly-one "
            "constraint; use `jigsat count`"
        )
    with closing(open_backend("cover")) as cover:
        assert isinstance(cover, Cover)
        cover.project(formula.decisions())
        cover.load(formula)
        if not cover.reader.small():
            raise InputError(
                "not estimated, because it would take too long to read this formula as an exact "
                "cover"
            )
        read, complete = cover.read_options()
        search = load_search(read, cover.reader.bounds())
        options = list(read.implied)
        search.seed(seed)
        while True:
            nodes, solutions, chosen = search.probe()
            if (
                chosen is not None
                and not complete
                and not cover.reader.propagator.solve([options[i] for i in chosen])
            ):
                solutions = 0.0
            yield nodes, solutions


def is_cover(formula: Formula) -> bool:
    """Whether the formula is an exact cover whose conflicts and bounds capture all constraints: no
    SAT solver is needed."""
    with closing(Cover()) as cover:
        cover.project(formula.decisions())
        cover.load(formula)
        return cover.pays()
