"""Backends: thin wrappers around solver libraries, found by name and independent of puzzles.

A backend is a module in this package with a function `specs()`; `Spec.open` returns a `Backend`. Only `open` imports the solver
library.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple, Protocol

from jigsat.errors import InputError, Stopped
from jigsat.formula import Cardinality, Clause, Constraint, Formula, Linear, Lowered, Lowering, Rows, Xor
from jigsat.runtime import apart

AUTO = "auto"
"""The name of the backend that `jigsat.search.portfolio` chooses."""

DEFAULT = "cadical195"

PROPAGATOR = "minicard"
"""The backend for unit propagation, which it supports for cardinality constraints as well."""


class Capabilities(NamedTuple):
    """The constraints that a backend accepts natively, and what it can do besides solving.

    - `clauses`: it accepts any clause. Without this capability it accepts only certain formulas, and rejects others.
    - `xor`, `cardinality`, `linear`: the kinds of constraints that need no lowering.
    - `assumptions`: `solve` accepts them.
    - `propagation`, `cores`, `conflict_limit`: it has the methods `propagate`, `core`, `limit`.
    - `enumerates`: each call of `solve` finds another model without blocking clauses. If a constraint is added or the
      assumptions change, it starts over, and the caller has to recognize repeated models.
    """

    clauses: bool = True
    xor: bool = False
    cardinality: bool = False
    linear: bool = False
    assumptions: bool = False
    propagation: bool = False
    cores: bool = False
    conflict_limit: bool = False
    enumerates: bool = False

    @property
    def native(self) -> frozenset[str]:
        """The kinds of constraints that need no lowering."""
        return frozenset(kind for kind in ("xor", "cardinality", "linear") if getattr(self, kind))


class Branching(NamedTuple):
    """A choice on the current path of a search, which has one branch for each literal of an exactly-one constraint.

    The search is in the branch `taken`, or has stopped if it is None. It has given up the branches `rest`, and has finished all
    others.
    """

    literals: tuple[int, ...]
    taken: int | None
    rest: tuple[int, ...]


class Listing(Protocol):
    """A search that can be interrupted. Models are given by their true decision variables."""

    @property
    def nodes(self) -> int:
        """The nodes of the search tree so far."""

    def size(self, probes: int, seed: int) -> float:
        """An estimate of the number of nodes, from random paths. Call it only before the first call of `part`."""

    def part(self, nodes: int) -> tuple[list[list[int]], bool]:
        """Search about this number of nodes; returns the models found, and whether there may be more."""

    def release(self) -> list[Branching]:
        """Give up the branches that are not begun at the first choice that has any.

        Returns the choices from the root down to this one; nothing if all branches are finished or under way.
        """


class Backend(ABC):
    """One solver with a growing set of constraints. Variables need no declaration; literals are DIMACS integers.

    Every backend has `add`, `solve` and `model`. `propagate`, `core` and `limit` are optional; each has its capability.
    """

    capabilities: Capabilities

    @abstractmethod
    def add(self, constraint: Constraint) -> None:
        """Add a non-empty clause or a constraint of a native kind. Allowed between calls of `solve`.

        Raises TypeError for a constraint of another kind. A formula that the backend does not accept raises InputError, here
        or in `solve`.
        """

    def add_clauses(self, rows: Rows) -> None:
        """Add clauses, each given by its literals; none of them may be empty."""
        for row in rows:
            self.add(Clause(row))

    def load(self, formula: Formula, lowering: Lowering | None = None) -> Lowered:
        """Add all constraints of a formula; those of other kinds are lowered. The result has the auxiliary variables."""
        lowered = Lowered(formula, lowering, self.capabilities.native)
        self.add_all(lowered.batches())
        return lowered

    def add_all(self, batches: Iterable[Rows | Constraint]) -> None:
        """Add the batches of a lowered formula; see `Lowered.batches`."""
        for batch in batches:
            if isinstance(batch, list):
                self.add_clauses(batch)
            else:
                self.add(batch)

    @abstractmethod
    def solve(self, assumptions: Sequence[int] = ()) -> bool:
        """Whether there is a model in which the assumptions hold. Raises Stopped if the solver gives up."""

    @abstractmethod
    def model(self) -> Sequence[int]:
        """The true variables of the model that `solve` just found; all other variables are false."""

    def project(self, variables: Sequence[int]) -> None:  # noqa: B027
        """Set the variables that distinguish models. Called once, before anything else; only backends that enumerate need
        it."""

    def propagate(self, assumptions: Sequence[int] = ()) -> tuple[bool, Sequence[int]]:
        """Whether unit propagation from the assumptions finds no contradiction, and the literals that follow from them.

        Literals that follow without any assumption may be omitted. Capability: `propagation`.
        """
        raise NotImplementedError(f"{type(self).__name__} cannot propagate")

    def core(self) -> Sequence[int]:
        """Contradictory assumptions of the last call of `solve`; empty if there is no model at all.

        Capability: `cores`.
        """
        raise NotImplementedError(f"{type(self).__name__} has no cores")

    def limit(self, conflicts: int | None) -> None:
        """Make each later call of `solve` give up after about this many conflicts; None removes the limit.

        Capability: `conflict_limit`.
        """
        raise NotImplementedError(f"{type(self).__name__} has no limit")

    def pays(self) -> bool:
        """Whether `auto` should change to this backend for the constraints that were added."""
        return False

    def statistics(self) -> dict[str, int]:
        """The solver's own counters so far, such as conflicts."""
        return {}

    def covers(self) -> tuple[list[int], Iterator[list[tuple[int, ...]]]] | None:
        """All models in bulk, for a backend that enumerates them as exact covers; None if it cannot.

        Returns the list of decision variables, and an iterator over lists of models. A model holds the indices of its true
        variables in that list.
        """
        return None

    def listing(self, assumptions: Sequence[int] = ()) -> Listing | None:
        """A new search for all models in which the assumptions hold, for a backend with a search tree; None if it has none."""
        return None

    def progress(self) -> float | None:
        """The fraction of the search that is done, from 0 to 1; None if unknown. Another thread may ask while `solve` runs."""
        return None

    def close(self) -> None:  # noqa: B027
        """Free the solver."""


class Enumerating(Backend):
    """The common part of backends whose library enumerates models by itself."""

    def __init__(self) -> None:
        self._search: Generator[Sequence[int], None, None] | None = None
        self._assumed: tuple[int, ...] = ()
        self._found: Sequence[int] | None = None

    @abstractmethod
    def _models(self, assumptions: Sequence[int]) -> Generator[Sequence[int], None, None]:
        """The true variables of each model, in a new search."""

    def solve(self, assumptions: Sequence[int] = ()) -> bool:
        if self._assumed != tuple(assumptions):
            self._start_over()
            self._assumed = tuple(assumptions)
        if self._search is None:
            self._search = self._models(assumptions)
        self._found = next(self._search, None)
        return self._found is not None

    def model(self) -> Sequence[int]:
        return self._found or ()

    def close(self) -> None:
        self._start_over()

    def _start_over(self) -> None:
        if self._search is not None:
            self._search.close()
            self._search = None


class Ranking(Protocol):
    """The models of a formula in a fixed order. The rank of a model is a number from 0 to `total` - 1."""

    @property
    def total(self) -> int:
        """The number of models that differ on the decision variables."""

    def model(self, rank: int) -> frozenset[int]:
        """The true decision variables of the model of this rank."""


class NotInBuild(ImportError):
    """The library of a backend is installed, but without this backend, so that installing it again would not help."""


@dataclass(frozen=True)
class Spec:
    """A backend, installed or not: its name, how to open and install it, and how it establishes that there is no other model.

    `count` is set if the backend can count the models of a formula, distinguished by their decision variables, without listing
    them; `open` is None if it can do nothing else. `rank` is set if it can also construct each of them from its rank. `refute`
    is set if it writes proofs: it returns the lines of a DRAT proof that clauses have no model, or None if they have one.
    """

    name: str
    library: str
    install: str
    open: Callable[[], Backend] | None
    establishes: str = "refutation"
    count: Callable[[Formula], int] | None = None
    rank: Callable[[Formula], Ranking] | None = None
    refute: Callable[[Iterable[Sequence[int]]], list[str] | None] | None = None

    def probe(self) -> Capabilities | None:
        """The capabilities confirmed by a probe in a child process; None if it cannot be opened or gives wrong answers."""
        try:
            return apart(_confirmed, self, timeout=30)
        except (Stopped, InputError, ImportError):
            return None

    def remedy(self) -> str:
        """How to install the backend, if it is absent; or why that is impossible."""
        try:
            apart(_opened, self, timeout=30)
        except NotInBuild as error:
            return str(error)
        except (Stopped, InputError, ImportError):
            pass
        return self.install


def _opened(spec: Spec) -> None:
    if spec.open:
        spec.open().close()


def _confirmed(spec: Spec) -> Capabilities | None:
    """The capabilities confirmed by a probe: a claim that leads to an exception or a wrong answer is dropped."""

    def holds(probe: Callable[[], bool]) -> bool:
        try:
            return probe()
        except Exception:
            return False

    def adds_clauses() -> bool:
        backend.add(Clause((1, 2)))
        if not backend.solve() or not {1, 2} & set(backend.model()):
            return False
        backend.add(Clause((-1, 3)))
        backend.add(Clause((-2, 3)))
        return backend.solve() and 3 in backend.model()  # clauses added after a solve must be respected

    def assumes() -> bool:
        return not backend.solve([-1, -2]) and backend.solve([-1]) and 2 in backend.model() and backend.solve()

    def propagates() -> bool:
        backend.add(Clause((-21, 22)))
        backend.add(Clause((-22, 23)))
        possible, literals = backend.propagate([21])
        return possible and {22, 23} <= set(literals) and not backend.propagate([21, -23])[0]

    def has_cores() -> bool:
        return not backend.solve([9, -1, -2]) and {-1, -2} <= set(backend.core()) <= {9, -1, -2}

    def gives_up() -> bool:
        for clause in _hard(40):
            backend.add(clause)
        backend.limit(10)
        try:
            backend.solve([40])
        except Stopped:
            return True
        return False

    def adds_xor() -> bool:
        backend.add(Clause((4,)))
        backend.add(Xor((4, 5), False))
        backend.add(Xor((5, 24), True))
        return backend.solve() and 5 in backend.model() and 24 not in backend.model()

    def adds_cardinality() -> bool:
        backend.add(Cardinality((6, 7, 8), 2, 2))
        backend.add(Clause((-6,)))
        return backend.solve() and {7, 8} <= set(backend.model())

    def adds_linear() -> bool:
        backend.add(Linear((25, -26, 27), (3, 2, 2), 4, 4))
        backend.add(Linear((27, 28, 29), (2, 2, 3), 0, 3))
        backend.add(Linear((28, 31, 32), (2, 1, 1), 2, 4))
        expected = {27, 31, 32}
        return backend.solve() and {x for x in backend.model() if x in (25, 26, 27, 28, 29, 31, 32)} == expected

    def covers() -> bool:
        backend.project([1, 2, 3])
        backend.add(Cardinality((1, 2), 1, 1))
        backend.add(Cardinality((2, 3), 1, 1))
        found = []
        while backend.solve():
            found.append({variable for variable in backend.model() if variable <= 3})
        return len(found) == 2 and {1, 3} in found and {2} in found

    def counts() -> bool:
        formula = Formula()
        formula.exactly_one(formula.variables("x", ("i",), [(1,), (2,)])[:])
        return spec.count is not None and spec.count(formula) == 2

    if spec.open is None:
        return Capabilities(clauses=False) if holds(counts) else None
    backend = spec.open()
    claims = backend.capabilities
    if not claims.clauses:  # it accepts certain formulas only, so one such formula is tried
        return claims if holds(covers if claims.cardinality else adds_xor) else None
    if not holds(adds_clauses):
        return None
    return claims._replace(
        assumptions=claims.assumptions and holds(assumes),
        xor=claims.xor and holds(adds_xor),
        cardinality=claims.cardinality and holds(adds_cardinality),
        linear=claims.linear and holds(adds_linear),
        propagation=claims.propagation and holds(propagates),
        cores=claims.cores and holds(has_cores),
        conflict_limit=claims.conflict_limit and holds(gives_up),
    )


def _hard(guard: int) -> Iterator[Clause]:
    """Clauses whose refutation, if the guard is true, takes thousands of conflicts: 8 pigeons do not fit into 7 holes."""
    holes = 7
    into = [range(guard + 1 + pigeon * holes, guard + 1 + (pigeon + 1) * holes) for pigeon in range(holes + 1)]
    for pigeon, own in enumerate(into):
        yield Clause((-guard, *own))
        yield from (Clause((-a, -b)) for other in into[:pigeon] for a, b in zip(own, other, strict=True))
