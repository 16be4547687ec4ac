"""Backends: thin wrappers around solver libraries, found by name and independent of puzzles.

A backend is a module in this package with a function `specs()`; `Spec.open` returns a `Backend`.
Only `open` imports the solver library.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple, Protocol

from jigsat.formula import Clause, Constraint, Formula, Lowered, Lowering, Rows

AUTO = "auto"  # name of the backend that `jigsat.search.portfolio` chooses
DEFAULT = "cadical195"

# backend for unit propagation, which it supports for cardinality constraints as well
PROPAGATOR = "minicard"


class Capabilities(NamedTuple):
    """The constraints that a backend accepts natively, and what it can do besides solving.

    - `clauses`: it accepts any clause. Without this capability it accepts only certain formulas,
      and rejects others.
    - `xor`, `cardinality`, `linear`: the kinds of constraints that need no lowering.
    - `assumptions`: `solve` accepts them.
    - `propagation`, `cores`, `conflict_limit`: it has the methods `propagate`, `core`, `limit`.
    - `enumerates`: each call of `solve` finds another model without blocking clauses. If a
      constraint is added or the
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
    """A choice on the current path of a search, which has one branch for each literal of an
    exactly-one constraint.

    The search is in the branch `taken`, or has stopped if it is None. It has given up the branches
    `rest`, and has finished all others.
    """

    literals: tuple[int, ...]
    taken: int | None
    rest: tuple[int, ...]


def branch(
    items: Iterable[Iterable[int]], path: Sequence[int], rest: Sequence[int]
) -> list[Branching]:
    """The choices of a path with these literals, one of each item, if `rest` is given up at the
    last choice."""
    untried = [()] * (len(path) - 1) + [tuple(rest)]
    return [
        Branching(tuple(sorted(item)), taken, left)
        for item, taken, left in zip(items, path, untried, strict=True)
    ]


class Listing(Protocol):
    """A search that can be interrupted. Models are given by their true decision variables.

    `pace` is about the number of nodes per second. `fixed_order` states that the choices are
    planned in advance, so that a search may become smaller if it is divided by another choice than
    its first.
    """

    pace: float
    fixed_order: bool

    @property
    def nodes(self) -> int:
        """The nodes of the search tree so far."""

    def size(self, seed: int) -> float:
        """An estimate of the number of nodes, from random paths. Call it only before the first call
        of `part`."""

    def part(self, nodes: int) -> tuple[Sequence[Sequence[int]], bool]:
        """Search about this number of nodes; returns the models found, and whether there may be
        more."""

    def release(self) -> list[Branching]:
        """Give up the branches that are not begun at the first choice that has any.

        Returns the choices from the root down to this one; nothing if all branches are finished or
        under way.
        """


class Backend(ABC):
    """One solver with a growing set of constraints. Variables need no declaration; literals are
    DIMACS integers.

    Every backend has `add`, `solve` and `model`. `propagate`, `core` and `limit` are optional; each
    has its capability.
    """

    capabilities: Capabilities

    restarts = False
    """Whether the solver is started anew by each `solve`, so that it repeats its work for each
    model."""

    @property
    def native(self) -> frozenset[str]:
        """The kinds of constraints that need no lowering; see `Lowered`."""
        return self.capabilities.native

    @abstractmethod
    def add(self, constraint: Constraint) -> None:
        """Add a non-empty clause or a constraint of a native kind. Allowed between calls of
        `solve`.

        Raises TypeError for a constraint of another kind. A formula that the backend does not
        accept raises InputError, here or in `solve`.
        """

    def add_clauses(self, rows: Rows) -> None:
        """Add clauses, each given by its literals; none of them may be empty."""
        for row in rows:
            self.add(Clause(row))

    def load(self, formula: Formula, lowering: Lowering | None = None) -> Lowered:
        """Add all constraints of a formula; those of other kinds are lowered. The result has the
        auxiliary variables."""
        lowered = Lowered(formula, lowering, self.native)
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
        """Whether there is a model in which the assumptions hold. Raises Stopped if the solver
        gives up."""

    @abstractmethod
    def model(self) -> Sequence[int]:
        """The true variables of the model that `solve` just found; all other variables are
        false."""

    def project(self, variables: Sequence[int]) -> None:  # noqa: B027
        """Set the variables that distinguish models. Called once, before anything else; only
        backends that enumerate need it."""

    def propagate(self, assumptions: Sequence[int] = ()) -> tuple[bool, Sequence[int]]:
        """Whether unit propagation from the assumptions finds no contradiction, and the literals
        that follow from them.

        Literals that follow without any assumption may be omitted. Capability: `propagation`.
        """
        raise NotImplementedError(f"{type(self).__name__} cannot propagate")

    def core(self) -> Sequence[int]:
        """Contradictory assumptions of the last call of `solve`; empty if there is no model at all.

        Capability: `cores`.
        """
        raise NotImplementedError(f"{type(self).__name__} has no cores")

    def limit(self, conflicts: int | None) -> None:
        """Make each later call of `solve` give up after about this many conflicts; None removes the
        limit.

        Capability: `conflict_limit`.
        """
        raise NotImplementedError(f"{type(self).__name__} has no limit")

    def pays(self) -> bool:
        """Whether `auto` should change to this backend for the constraints that were added."""
        return False

    def statistics(self) -> dict[str, int]:
        """The solver's own counters so far, such as conflicts. A backend that lists models is asked
        once more after `close`, because some libraries count only at the end of a search."""
        return {}

    def listing(self, assumptions: Sequence[int] = ()) -> Listing | None:
        """A new search for all models in which the assumptions hold, for a backend with a search
        tree; None if it has none."""
        return None

    def progress(self) -> float | None:
        """The fraction of the search that is done, from 0 to 1; None if unknown. Another thread may
        ask while `solve` runs."""
        return None

    def close(self) -> None:  # noqa: B027
        """Free the solver."""


class Enumerating(Backend):
    """The common part of backends whose library enumerates models by itself."""

    def __init__(self) -> None:
        self._search: Generator[Sequence[int], None, None] | None = None
        self._assumed: tuple[int, ...] = ()
        self._current: Sequence[int] | None = None

    @abstractmethod
    def _models(self, assumptions: Sequence[int]) -> Generator[Sequence[int], None, None]:
        """The true variables of each model, in a new search."""

    def solve(self, assumptions: Sequence[int] = ()) -> bool:
        if self._assumed != tuple(assumptions):
            self._start_over()
            self._assumed = tuple(assumptions)
        if self._search is None:
            self._search = self._models(assumptions)
        self._current = next(self._search, None)
        return self._current is not None

    def model(self) -> Sequence[int]:
        return self._current or ()

    def close(self) -> None:
        self._start_over()

    def _start_over(self) -> None:
        if self._search is not None:
            self._search.close()
            self._search = None


class Ranking(Protocol):
    """The models of a formula in a fixed order. The rank of a model is a number from 0 to `total` -
    1."""

    @property
    def total(self) -> int:
        """The number of models that differ on the decision variables."""

    def model(self, rank: int) -> frozenset[int]:
        """The true decision variables of the model of this rank."""

    def occurrences(self) -> Mapping[int, int]:
        """For each decision variable the number of models in which it is true. Raises NotWorthwhile
        if that takes too long."""


class NotInBuild(ImportError):
    """The library of a backend is installed, but without this backend, so that installing it again
    would not help."""


@dataclass(frozen=True)
class Spec:
    """A backend, installed or not: its name, how to open and install it, and how it establishes
    that there is no other model.

    `count` is set if the backend can count the models of a formula, distinguished by their decision
    variables, without listing them; `open` is None if it can do nothing else. `rank` is set if it
    can also construct each of them from its rank. `refute` is set if it writes proofs: it returns
    the lines of a DRAT proof that clauses have no model, or None if they have one. `open_seeded` is
    set if the solver takes a seed for its random numbers: it opens the backend with one. `options`
    are those that jigsat sets, besides the seed, so that others can repeat a measurement;
    `seed_options` come before them if there is a seed, which is `{seed}` in them.
    """

    name: str
    library: str
    install: str
    open: Callable[[], Backend] | None
    establishes: str = "refutation"
    count: Callable[[Formula], int] | None = None
    rank: Callable[[Formula], Ranking] | None = None
    refute: Callable[[Iterable[Sequence[int]]], list[str] | None] | None = None
    open_seeded: Callable[[int], Backend] | None = None
    options: str = ""
    seed_options: str = ""
