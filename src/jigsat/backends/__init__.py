"""Backends: thin faces over solver libraries, found by name. They know no puzzle.

A backend is a module in this package with a function `specs()`; see `Backend` for what it opens. The solver library
itself is imported by `open` alone.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from jigsat.errors import InputError, Stopped
from jigsat.formula import Cardinality, Clause, Constraint, Formula, Xor
from jigsat.process import Child

DEFAULT = "cadical195"


@dataclass(frozen=True)
class Capabilities:
    """What a backend takes natively and can do besides solving.

    One without `clauses` does not take every clause. One that `enumerates` gives another model at each call of `solve` by
    itself, so it is given no blocking clauses.
    """

    clauses: bool = True
    xor: bool = False
    cardinality: bool = False
    proofs: bool = False
    assumptions: bool = False
    phases: bool = False
    enumerates: bool = False

    @property
    def native(self) -> frozenset[str]:
        """The kinds of constraints that need no lowering."""
        return frozenset(kind for kind in ("xor", "cardinality") if getattr(self, kind))


class Backend(Protocol):
    """One solver with a growing set of constraints. Variables need no declaration; literals are DIMACS integers."""

    capabilities: Capabilities

    def add(self, constraint: Constraint) -> None:
        """Add a clause (never an empty one) or a constraint of a native kind. Allowed between calls of `solve`."""

    def solve(self, assumptions: Sequence[int] = ()) -> bool:
        """Whether there is a model in which the assumptions hold. Raises Stopped if the solver gives up."""

    def model(self) -> Sequence[int]:
        """The true variables of the model that `solve` just found; a variable that is not named is false."""

    def prefer(self, literals: Sequence[int]) -> None:
        """Try these values first, where the capability `phases` is there."""

    def statistics(self) -> dict[str, int]:
        """The solver's own counters so far, such as conflicts."""

    def close(self) -> None:
        """Free the solver."""


@dataclass(frozen=True)
class Spec:
    """A backend by name, installed or not: how to open it, how to install it, and how it knows that it is done.

    `count` is there if the backend can tell how many models of a formula differ on the decision variables without listing
    them.
    """

    name: str
    library: str
    install: str
    open: Callable[[], Backend]
    establishes: str = "refutation"
    count: Callable[[Formula], int] | None = None

    def probe(self) -> Capabilities | None:
        """What the backend can do, tried out in a child process; None if it cannot be opened or answers wrongly."""
        try:
            return next(Child(lambda: [_tried(self.open())], timeout=30))
        except (Stopped, InputError, ImportError):
            return None


def specs() -> Iterator[Spec]:
    """Every backend that jigsat knows, installed or not."""
    for module in pkgutil.iter_modules(__path__):
        yield from importlib.import_module(f"{__name__}.{module.name}").specs()


def find(name: str) -> Spec:
    """The backend of this name. Raises InputError if there is none."""
    known = {spec.name: spec for spec in specs()}
    if name not in known:
        raise InputError(f"no backend {name!r}; `jigsat backends` shows what there is: {', '.join(known)}")
    return known[name]


def open_backend(name: str) -> Backend:
    """Open the backend of this name. Raises InputError if there is none or it is not installed."""
    spec = find(name)
    try:
        return spec.open()
    except ImportError as error:
        raise InputError(f"the backend {name} is not installed; install it with: {spec.install}") from error


def _tried(backend: Backend) -> Capabilities | None:
    """The capabilities that stand a trial: a claim that leads to an exception or a wrong answer is dropped."""

    def holds(trial: Callable[[], bool]) -> bool:
        try:
            return trial()
        except Exception:
            return False

    def adds_clauses() -> bool:
        backend.add(Clause((1, 2)))
        if not backend.solve() or not {1, 2} & set(backend.model()):
            return False
        backend.add(Clause((-1, 3)))
        backend.add(Clause((-2, 3)))
        return backend.solve() and 3 in backend.model()  # clauses added later must count

    def covers() -> bool:
        backend.add(Cardinality((1, 2), 1, 1))
        backend.add(Cardinality((2, 3), 0, 1))
        models = []
        while backend.solve():
            models.append(set(backend.model()))
        return sorted(map(sorted, models)) == [[1], [1, 3], [2]]

    def assumes() -> bool:
        return not backend.solve([-1, -2]) and backend.solve([-1]) and 2 in backend.model() and backend.solve()

    def prefers() -> bool:
        wanted = {10, 12, 13}
        backend.add(Clause((10, 11, 12, 13, 14)))
        backend.prefer([x if x in wanted else -x for x in range(10, 15)])
        return backend.solve() and {x for x in backend.model() if x >= 10} == wanted

    def adds_xor() -> bool:
        backend.add(Xor((4, 5), True))
        backend.add(Clause((4,)))
        return backend.solve() and 5 not in backend.model()

    def adds_cardinality() -> bool:
        backend.add(Cardinality((6, 7, 8), 2, 2))
        backend.add(Clause((-6,)))
        return backend.solve() and {7, 8} <= set(backend.model())

    claims = backend.capabilities
    takes_something = adds_clauses if claims.clauses else adds_xor if claims.xor else covers
    if not holds(takes_something):
        return None
    return replace(
        claims,
        assumptions=claims.assumptions and holds(assumes),
        phases=claims.phases and holds(prefers),
        xor=claims.xor and holds(adds_xor),
        cardinality=claims.cardinality and holds(adds_cardinality),
    )
