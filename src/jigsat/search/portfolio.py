"""The backend `auto`: a table of stages, each of which gives one backend a part of the search, and
the loop that runs it.

To add an engine to `auto`, write a backend (see docs/adding-a-backend.md), then add a row to
`STAGES`: a function that tells whether it suits a formula, and the effort after which the next
stage begins. `Models` does the rest: each search is opened when it is needed, continued where a
later row names the same backend, and told which models the others found.

- The first row that fits and has no `effort` is the last one, so an engine comes before it.
- A row with an effort needs a backend that has `limit`, and 'conflicts' or 'nodes' in its
  `statistics`.
- `fits` may be asked twice, so it should be quick. It may call `open_if_it_pays`, which asks the
  method `pays` of the backend.
- For `--jobs`, a cluster and counts in a file, only rows with `shared` count; their backends need
  `assumptions`.

An engine that counts without listing gets a row in `COUNTING_ENGINES`.
"""

from __future__ import annotations

import math
import sys
import warnings
from array import array
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import closing
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from jigsat.backends import (
    AUTO,
    DEFAULT,
    Bounds,
    Spec,
    bound_least_cost,
    few,
    find,
    is_cover,
    is_plain_cover,
    load_xors,
    quick_spec,
)
from jigsat.backends.engine import INSTALL, engine, is_compiled, numbers_of, only_sums
from jigsat.errors import EngineWarning
from jigsat.formula import (
    Clause,
    Formula,
    GraphConstraint,
    Lowered,
    Lowering,
    Xor,
    as_xor,
)
from jigsat.search.blocking import BlockingSearch, SearchSpace
from jigsat.symmetry import Group, Level, Model

if TYPE_CHECKING:
    from jigsat.backends.engine import _engine


RANDOM = "random search"
"""What a result names as its backend if the random search (`engine/dive`) found the solutions. It
never proves that there are no others."""

MAX_CONFLICT_MATRIX_BITS = 2**29
"""The maximum size of the conflict matrix of the backend `cover` (64 MiB); reading a larger one
takes too long."""

# maximum number of constraints that `cover` and `scan` may read; a million take several seconds
MAX_CONSTRAINTS = 1_000_000
# maximum estimated size of a search in a fixed order that no other can replace: about an hour
MAX_SCAN_NODES = 5 * 10**11

MAX_SHORT_SCAN_NODES = 10**10
"""Up to this estimated size, a search in a fixed order is not compared with `cover`: about half a
minute."""

MAX_BRIEF_SCAN_NODES = 10**9
"""Up to this estimated size, such a search is not divided among processes: about three seconds. The
parts of a short search may add up to much more than the whole."""

FIRST_CONFLICTS = 600
"""Conflicts after which another engine may take over: 0.2 s for 6×10 pentominoes. The cube takes
20, cats 41."""

FIRST_NODES = 500_000
"""Nodes of a plain exact cover after which another engine may take over: 0.4 s. Pentominoes take
27,000 on 8×8 cells and 462,000 on 6×10, and Soma 3,000. To load CaDiCaL and wait for its first
conflicts takes 0.2 s."""

FOR_MAXSAT = Lowering(at_most_one="bitwise")
"""How constraints become clauses for MaxSAT. The minima of five weddings of 120 guests took 5.5,
1.0, 3.7, 7.6 and 6.3 s of processor time, with pairwise clauses 10.3, 1.0, 5.0, 9.2 and 9.8, and
with sequential counters 11.3, 1.1, 5.3, 20.9 and 14.4."""

TURNS = 7
"""Turns of the default backend between those of the search in a fixed order, until the first
solution: the last one takes a minute and a half on a board of 13×13 tiles."""

MAX_TRIED_DECISIONS = 1_000
"""Decision variables of a formula with labels that is tried by counting: to read 1,000 takes a
tenth of a second. The 3×3 board of two labels has 324, and its 60,904 solutions are counted in
0.2 s instead of listed in 8 s."""

# models after which another engine may take over; the empty 4×4 sudoku has 78 up to rotation
FIRST_MODELS = 100

GRAPH_CONFLICTS = 3_000
GRAPH_MODELS = 10_000
"""Conflicts and models after which a formula with rules of graphs is counted or divided: about two
seconds. Programs that count get these rules as many clauses, and may take a minute for the 445
models of regions on 3×3 cells."""


@dataclass(frozen=True)
class Stage:
    """A part of the search that one backend does.

    - `fits`: whether the backend suits the search; asked when the turn of the stage comes.
    - `effort`: the conflicts or nodes of the backend, or literals that the random search assigns,
      after which the stage ends.
      None: it goes on to the end of the search.
    - `models`: the number of known models at which the stage ends as well. It is left out if they
      are known before.
    - `shared`: whether several processes can do it together; a brief search ends here.
    - `words`: what `jigsat explain` says about it.
    """

    backend: str
    fits: Callable[[Models], bool] = lambda search: True
    effort: int | Callable[[Formula], int] | None = None
    models: float = math.inf
    shared: bool = False
    words: str = ""


def _suits_scan(search: Models) -> bool:
    """Whether the search in a fixed order suits the formula: it describes a board whose pieces have
    labels."""
    formula, traits = search.traits.formula, search.traits
    if formula.top == len(formula.decisions()) or not is_compiled() or sys.platform == "emscripten":
        return False
    return (
        formula.size <= MAX_CONSTRAINTS
        and only_sums(formula)
        and traits.is_covered
        and search.open_if_it_pays("scan")
    )


def _scan_ends_soon(search: Models) -> bool:
    """Whether the size of the search in a fixed order, estimated anew each time, is small enough,
    or `cover` takes longer."""
    if not _suits_scan(search):
        return False
    size = search.open("scan").size()
    if size <= MAX_SHORT_SCAN_NODES or not search.traits.may_be_cover:
        return size <= MAX_SCAN_NODES
    return (
        not search.open_if_it_pays("cover")
        or search.open("scan").seconds < search.open("cover").seconds
    )


def _scan_goes_on(search: Models) -> bool:
    """The same, but not if several processes can go on together."""
    return _scan_ends_soon(search) and not (
        search.brief and search.open("scan").size() > MAX_BRIEF_SCAN_NODES
    )


def _takes_turns_with_scan(search: Models) -> bool:
    """Whether the default backend has a turn between two of the search in a fixed order. On some
    boards one of them needs many times as long as the other for the first solution."""
    return not search.brief and _scan_ends_soon(search)


def _suits_cover(search: Models) -> bool:
    """Whether the exact-cover engine suits the formula. Warns if it does but was not built."""
    if not search.traits.may_be_cover:
        return False
    if is_compiled():
        return search.open_if_it_pays("cover")
    if is_cover(search.traits.formula):
        message = (
            f"the compiled engine fits this puzzle but was not built, so {DEFAULT} takes "
            f"its place; {INSTALL}"
        )
        warnings.warn(message, EngineWarning, stacklevel=2)
    return False


def _suits_plain_cover(search: Models) -> bool:
    """Whether the exact-cover engine can begin, because it needs no SAT solver."""
    return (
        is_compiled()
        and search.traits.may_be_cover
        and is_plain_cover(search.traits.formula)
        and search.open_if_it_pays("cover")
    )


STAGES: tuple[Stage, ...] = (
    # No search is needed: linear algebra lists the solutions.
    Stage(
        "gf2",
        lambda search: search.traits.only_xors,
        words="gf2, because the formula consists of XORs, which linear algebra solves without a "
        "search",
    ),
    Stage(
        "gf2",
        lambda search: search.traits.few_solutions_of_xors,
        words="gf2, because the XORs of the formula have so few solutions that each of them can "
        "be tested",
    ),
    # 64 literals per variable take less time than loading the default backend.
    Stage(
        RANDOM,
        lambda search: search.traits.too_large_for_cover,
        lambda formula: 64 * formula.top,
        models=1,
    ),
    Stage(
        "cover",
        _suits_plain_cover,
        FIRST_NODES,
        FIRST_MODELS,
        words=f"cover for {FIRST_NODES:,} nodes, because this puzzle is an exact cover and nothing "
        "else",
    ),
    Stage(DEFAULT, effort=FIRST_CONFLICTS, models=FIRST_MODELS, words=DEFAULT),
    Stage(DEFAULT, lambda search: search.traits.has_graphs, GRAPH_CONFLICTS, GRAPH_MODELS),
    # 30 million nodes take 0.1 to 0.2 s. Up to 10,000 models are kept for another backend, should
    # it continue; after them the size is not estimated again.
    Stage(
        "scan",
        _suits_scan,
        30_000_000,
        10_000,
        words=f"after {FIRST_CONFLICTS} conflicts scan takes over if it promises to end soon, "
        f"because what fits on the board "
        "depends only on the labels beside it",
    ),
    *(Stage("scan", _scan_goes_on, 30_000_000 << doubled, 10_000) for doubled in range(1, 3)),
    # On a large board, 240 million nodes and 1,200 conflicts both take about two seconds.
    *(
        stage
        for doubled in range(TURNS)
        for stage in (
            Stage(DEFAULT, _takes_turns_with_scan, 1_200 << doubled, 1),
            Stage("scan", _scan_goes_on, 240_000_000 << doubled, 10_000),
        )
    ),
    Stage("scan", _scan_ends_soon, shared=True),
    # 20 million literals and 600 conflicts both take about a second on a large formula. 40
    # doublings never end.
    *(
        Stage(
            backend,
            lambda search: search.traits.too_large_for_cover and not search.brief,
            effort << doubled,
            1,
            words=words,
        )
        for doubled in range(40)
        for backend, effort, words in (
            (
                RANDOM,
                20_000_000,
                "a random search takes turns with it until the first solution, because this "
                "puzzle is large",
            ),
            (DEFAULT, FIRST_CONFLICTS, ""),
        )
    ),
    Stage(
        "cover",
        _suits_cover,
        shared=True,
        words=f"after {FIRST_CONFLICTS} conflicts or {FIRST_MODELS} solutions cover takes over, "
        f"because this puzzle is an "
        "exact cover, for which that engine is usually much faster",
    ),
    Stage(DEFAULT, shared=True),
)
"""What `auto` does, from top to bottom. A search of the default backend keeps the clauses that it
learned."""


def _list_first_stages() -> Iterator[Stage]:
    for stage in STAGES:
        if stage.backend != RANDOM:
            yield stage
        if stage.backend == DEFAULT:
            return


FIRST_STAGES = tuple(_list_first_stages())
"""Up to the first part of the default backend, which ends if the search is hard or has many models;
without the random search, which shows no end."""


class CountingEngine(NamedTuple):
    """A backend that counts models without listing them: whether it fits, and how it is used with a
    memory limit in bytes."""

    fits: Callable[[Traits], bool]
    spec: Callable[[int | None], Spec]


COUNTING_ENGINES = (
    CountingEngine(lambda traits: traits.only_xors, lambda memory: find("gf2")),
    CountingEngine(lambda traits: is_compiled() and is_plain_cover(traits.formula), quick_spec),
)
"""The backends that count for `auto`; the first one that fits is used."""


def models(
    formula: Formula,
    backend: str = DEFAULT,
    *,
    lowering: Lowering | None = None,
    group: Group | None = None,
    up_to: Level = Level.NOTHING,
    known: Iterable[Iterable[int]] = (),
    statistics: dict[str, int] | None = None,
    brief: bool = False,
    first: bool = False,
    breaking: bool = True,
    refute: Callable[[], bool] = lambda: False,
) -> Models:
    """One model per orbit, as the frozenset of its true decision variables. When the iterator ends,
    there is no other orbit.

    Lazy: each model is searched for on demand, and then its whole orbit is blocked. The formula is
    not changed. Orbits of `known` models are left out. `statistics` is updated continuously with
    the size of the formula and the solver's counters. `breaking` restricts the search to some
    members of each orbit; without it, the first of many models are found sooner, but completion is
    slower. For the backend `auto` see `STAGES`; with `brief`, the search ends where several
    processes could go on together, perhaps before it is complete; with `first`, already after
    `FIRST_STAGES`. `refute` tells whether it is proved in another way that there is no model;
    `auto` asks it once, if it has found none in a short search. Iterating raises InputError for a
    backend that is not installed, and Stopped if the solver gives up.

    >>> formula = Formula()
    >>> x = formula.variables("x", ("i",), [(1,), (2,)])
    >>> formula.clause(x[:])
    >>> sorted(sorted(model) for model in models(formula))
    [[1], [1, 2], [2]]
    """
    stages = FIRST_STAGES if first else STAGES
    if backend != AUTO:
        stages = (Stage(backend),)
    space = SearchSpace(formula, lowering, group, up_to, breaking)
    return Models(
        space,
        stages,
        list(map(frozenset, known)),
        {} if statistics is None else statistics,
        brief=brief,
        refute=refute,
    )


def least(formula: Formula, lowering: Lowering | None = None) -> int | None:
    """The minimum cost of a model (see `Formula.minimize`), or None if there is no model.

    >>> formula = Formula()
    >>> x = formula.variables("x", ("i",), [(i,) for i in range(4)])
    >>> formula.at_least(3, x[:])
    >>> formula.minimize(x[:])
    >>> least(formula)
    3
    """
    minimum = None
    for bounds in bound_least(formula, lowering):
        minimum = bounds.lower
    return minimum


def bound_least(formula: Formula, lowering: Lowering | None = None) -> Iterator[Bounds]:
    """Tighter and tighter bounds of the minimum cost of a model; the last ones are equal. Nothing
    if there is no model."""
    best: Bounds | None = None
    if solver := load_xors(formula):
        if solver.can_test(len(formula.objective)):
            yield from solver.bound_least(formula.objective)
            return
        # MaxSAT raises the lower bound, but finds no better solutions until it ends.
        for best in solver.descend(formula.objective):
            yield best
    usual = lowering in (None, Lowering())
    lowered = Lowered(formula, FOR_MAXSAT if usual else lowering)
    clauses = (constraint.literals for constraint in lowered if isinstance(constraint, Clause))
    for bounds in bound_least_cost(clauses, formula.objective):
        if best is not None and best.best < bounds.best:
            yield best._replace(lower=bounds.lower)
        else:
            yield bounds


def explain_plan(formula: Formula) -> str:
    """What `auto` does with a formula, in words. Warns if the compiled engine would take over but
    was not built."""
    with closing(models(formula, AUTO)) as search:
        return "; ".join(dict.fromkeys(stage.words for stage in search.stages() if stage.words))


def choose_exhaustive(formula: Formula) -> str:
    """The backend for what several processes can do together. Warns if the compiled engine would
    suit but was not built."""
    with closing(models(formula, AUTO)) as search:
        return next(stage.backend for stage in STAGES if stage.shared and stage.fits(search))


def may_repeat_states(formula: Formula) -> bool:
    """Whether a formula with auxiliary variables is small enough to be tried by the backend that
    counts exact covers, although the states of most such formulas do not repeat."""
    traits = Traits(formula)
    is_small = len(formula.decisions()) <= MAX_TRIED_DECISIONS
    return is_small and is_compiled() and traits.may_be_cover and not traits.few_solutions_of_xors


def find_counting_engine(formula: Formula, memory: int | None = None) -> Spec | None:
    """The backend that counts the solutions of a formula without listing them, if one fits. It may
    raise NotWorthwhile.

    `memory` is the limit in bytes for numbering the solutions; without it, the default of the
    backend holds.
    """
    traits = Traits(formula)
    return next((engine.spec(memory) for engine in COUNTING_ENGINES if engine.fits(traits)), None)


class Traits:
    """What the stages ask about a formula. Each answer is found once."""

    def __init__(self, formula: Formula) -> None:
        self.formula: Formula = formula

    @cached_property
    def only_xors(self) -> bool:
        """Whether all constraints are XORs."""
        return bool(self.formula.top) and all(map(as_xor, self.formula.constraints()))

    @cached_property
    def has_graphs(self) -> bool:
        """Whether some constraint is about a graph."""
        return any(isinstance(constraint, GraphConstraint) for constraint in self.formula.others())

    @cached_property
    def few_solutions_of_xors(self) -> bool:
        """Whether the XORs have so few solutions that each can be tested."""
        return few(self.formula) is not None

    @cached_property
    def is_covered(self) -> bool:
        """Whether each decision variable is in an exactly-one constraint over decision
        variables."""
        decisions = self.formula.decisions()
        return bool(decisions) and set().union(*self.formula.items()).issuperset(decisions)

    @cached_property
    def may_be_cover(self) -> bool:
        """Whether the formula may be an exact cover that is small enough to be read quickly."""
        formula = self.formula
        if formula.size > MAX_CONSTRAINTS or any(
            isinstance(constraint, Xor | GraphConstraint) for constraint in formula.others()
        ):
            return False
        bits = len(formula.options()) * sum(map(len, formula.items()))
        return self.is_covered and bits <= MAX_CONFLICT_MATRIX_BITS

    @cached_property
    def too_large_for_cover(self) -> bool:
        """Whether a random search can do what `cover` could if the formula were small enough."""
        built = is_compiled() and sys.platform != "emscripten"
        return built and only_sums(self.formula) and not self.may_be_cover and self.is_covered


class Models(Iterator[Model]):
    """An iterator over models, found by one stage after another.

    `backend` is what found the last one; at the end, the backend that proved completeness, or that
    takes over from a brief search. `complete` is true at the end, unless it was a brief search that
    did not find everything. `refuted` is true if `refute` proved that there is no model.
    """

    def __init__(
        self,
        space: SearchSpace,
        stages: Iterable[Stage],
        known: list[Model],
        statistics: dict[str, int],
        *,
        brief: bool,
        refute: Callable[[], bool],
    ) -> None:
        self.traits: Traits = Traits(space.formula)
        self.brief: bool = brief
        self.complete = False
        self.refuted = False
        self._refute = refute
        self._asked = False
        self._space = space
        self._stages = stages
        self._known = known
        self._statistics = statistics
        self.searches: dict[str, BlockingSearch] = {}
        self._last: BlockingSearch | None = None
        self.backend = next(
            stage.backend for stage in stages if stage.backend != RANDOM and stage.fits(self)
        )
        self._models = self._run_stages()

    def __next__(self) -> Model:
        return next(self._models)

    def close(self) -> None:
        self._models.close()
        self._close_others()

    def progress(self) -> float | None:
        """The fraction of the search that is done, from 0 to 1; None if the backend does not know
        it."""
        return self._last.solver.progress() if self._last else None

    def stages(self) -> Iterator[Stage]:
        """The stages that fit, up to the first that goes on to the end."""
        for stage in self._stages:
            if len(self._known) < stage.models and stage.fits(self):
                yield stage
                if stage.effort is None:
                    return

    def open(self, backend: str) -> BlockingSearch:
        """The search by a backend, which is opened if necessary."""
        if backend not in self.searches:
            self.searches[backend] = BlockingSearch(self._space, backend, self._known)
            if backend == DEFAULT:  # the others may give up
                self.searches[backend].count_in(self._statistics)
        return self.searches[backend]

    def open_if_it_pays(self, backend: str) -> bool:
        """Open the search by a backend if that pays."""
        if backend not in self.searches and not self.open(backend).solver.pays():
            self.searches.pop(backend).close()
        return backend in self.searches

    def _run_stages(self) -> Generator[Model, None, None]:
        try:
            begun = False
            for stage in self.stages():
                self.backend = stage.backend
                if begun and self._is_refuted():
                    self.refuted = self.complete = True
                    return
                begun = True
                effort = (
                    stage.effort(self.traits.formula) if callable(stage.effort) else stage.effort
                )
                if effort is None:
                    search = self._settle(stage.backend)
                    if self.brief and stage.shared:
                        return
                    yield from search.all()
                elif stage.backend == RANDOM:
                    if (
                        true := self._random.step(effort)
                    ) is not None:  # it finds a model by assigning this many literals
                        self._known.append(
                            frozenset(self._space.formula.decisions()).intersection(true)
                        )
                        yield self._known[-1]
                    continue
                else:
                    search = self.open(stage.backend)
                    yield from search.within_budget(effort, stage.models)
                if search.complete:
                    self._settle(stage.backend)
                    self.complete = True
                    return
        finally:
            self._close_others()

    def _is_refuted(self) -> bool:
        """Whether `refute`, which is asked once, proves that there is no model."""
        if self._known or self._asked:
            return False
        self._asked = True
        return self._refute()

    @cached_property
    def _random(self) -> _engine.Dive:
        formula = self._space.formula
        dive: _engine.Dive = engine().Dive(
            formula.top, numbers_of(formula), array("i", formula.decisions())
        )
        return dive

    def _settle(self, backend: str) -> BlockingSearch:
        """The search that goes on to the end; all others are closed."""
        self._last = self.open(backend)
        self._last.count_in(self._statistics)
        self._close_others(backend)
        return self._last

    def _close_others(self, winner: str = "") -> None:
        for backend in self.searches.keys() - {winner}:
            self.searches.pop(backend).close()
