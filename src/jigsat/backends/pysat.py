"""PySAT (python-sat): its solvers, under PySAT's own names, smallest hitting sets with Hitman, and
MaxSAT with RC2."""

from __future__ import annotations

import warnings
from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from jigsat.backends.base import Backend, Capabilities, NotInBuild, Spec
from jigsat.errors import Stopped
from jigsat.formula import Cardinality, Clause, Constraint, Rows

if TYPE_CHECKING:
    from pysat.solvers import Solver

INSTALL = "pip install python-sat"

ONE_SHOT = {"kissat404"}
"""Solvers that abort if a clause is added after a solve, and ignore assumptions; they are created
again for every call."""

TAKES_CARDINALITY = {"gluecard3", "gluecard4", "minicard"}
NO_PROOF = {"kissat404", "maplesat", "mergesat3", "minicard", "minisat22", "minisatep"}
"""Solvers without usable proofs: maplesat numbers the variables wrongly, the others write none."""

NO_PROPAGATION = {"cadical103", "kissat404", "lingeling"}
# solvers without usable cores: ergo repeats an old core if the clauses alone have no model
NO_CORES = {
    "ergo",
    "kissat404",
}
NO_LIMIT = {"kissat404", "lingeling"}
# solvers that PySAT passes options to
TAKES_SEED = {"cadical195"}
# solvers that crash on a formula without clauses; they get a tautology
NEEDS_A_CLAUSE = {"maplesat"}


def specs() -> Iterator[Spec]:
    """Every solver that PySAT lists, even if this build of PySAT cannot load it."""
    try:
        from pysat.solvers import SolverNames
    except ImportError:
        names = ["cadical195"]
    else:
        names = [name for name in vars(SolverNames) if not name.startswith("_")]
    for name in names:
        yield Spec(
            name,
            "python-sat",
            INSTALL,
            partial(PySat, name),
            open_seeded=partial(PySat, name) if name in TAKES_SEED else None,
            refute=None if name in NO_PROOF else partial(_refute, name),
        )


def _solver(name: str, *, proof: bool = False) -> Solver:
    from pysat.solvers import NoSuchSolverError, Solver

    try:
        return Solver(
            name=name,
            bootstrap_with=[[1, -1]] if name in NEEDS_A_CLAUSE else None,
            with_proof=proof,
        )
    except (NoSuchSolverError, NotImplementedError, AttributeError) as error:
        raise NotInBuild(f"python-sat is installed, but its build lacks {name}") from error


def _refute(name: str, clauses: Iterable[Sequence[int]]) -> list[str] | None:
    """A proof by a new solver without assumptions, because proofs are empty or wrong after solving
    with assumptions."""
    with _solver(name, proof=True) as solver:
        for clause in clauses:
            solver.add_clause(clause)
        if solver.solve():
            return None
        lines = solver.get_proof()
        return lines if "0" in lines else [*lines, "0"]  # maplecm omits the empty clause


class PySat(Backend):
    """A PySAT solver. Raises ImportError if PySAT lists it but cannot load it."""

    def __init__(self, name: str, seed: int | None = None) -> None:
        self.name = name
        self.restarts = name in ONE_SHOT
        self.capabilities = Capabilities(
            cardinality=name in TAKES_CARDINALITY,
            assumptions=True,
            propagation=name not in NO_PROPAGATION,
            cores=name not in NO_CORES,
            conflict_limit=name not in NO_LIMIT,
        )
        self._clauses: list[Sequence[int]] = []  # if the solver is created again for every call
        self._conflicts: int | None = None
        self._solver = _solver(name)
        if seed is not None:
            self._solver.configure({"seed": seed})

    def add(self, constraint: Constraint) -> None:
        match constraint:
            case Clause(literals):
                self.add_clauses([literals])
            case Cardinality(literals, at_least, at_most) if self.capabilities.cardinality:
                if at_most < len(literals):
                    self._solver.add_atmost(literals, at_most)
                if at_least > 0:
                    self._solver.add_atmost(
                        [-literal for literal in literals], len(literals) - at_least
                    )
            case _:
                raise TypeError(f"{self.name} does not accept {constraint.kind} constraints")

    def add_clauses(self, rows: Rows) -> None:
        if self.restarts:
            self._clauses.extend(rows)
        else:
            self._solver.append_formula(rows)

    def solve(self, assumptions: Sequence[int] = ()) -> bool:
        if self.restarts:
            self._solver.delete()
            self._solver = _solver(self.name)
            self._solver.append_formula([*self._clauses, *([literal] for literal in assumptions)])
            assumptions = ()
        try:
            if self._conflicts is None:
                answer: bool | None = self._solver.solve(assumptions=assumptions)
            else:
                self._solver.conf_budget(self._conflicts)
                answer = self._solver.solve_limited(assumptions=assumptions)
        except Exception as error:
            if str(error) == "Caught keyboard interrupt":
                raise KeyboardInterrupt from error
            raise
        if answer is None:
            raise Stopped(f"{self.name} gave up")
        return answer

    def propagate(self, assumptions: Sequence[int] = ()) -> tuple[bool, Sequence[int]]:
        possible, literals = self._solver.propagate(assumptions)
        return possible, literals

    def limit(self, conflicts: int | None) -> None:
        self._conflicts = conflicts

    def core(self) -> Sequence[int]:
        return self._solver.get_core() or ()

    def model(self) -> Sequence[int]:
        return [literal for literal in self._solver.get_model() if literal > 0]

    def statistics(self) -> dict[str, int]:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            try:
                return dict(self._solver.accum_stats() or {})
            except NotImplementedError:  # Kissat
                return {}

    def close(self) -> None:
        self._solver.delete()


def hitting_sets() -> Generator[list[str], Iterable[str], None]:
    """After each set that is passed to `send`, a smallest set that hits all sets so far; initially
    the empty set.

    >>> hitting = hitting_sets()
    >>> next(hitting), hitting.send("c"), len(hitting.send("ab")), len(hitting.send("bc"))
    ([], ['c'], 2, 2)
    """
    from pysat.examples.hitman import Hitman

    with Hitman(htype="sorted") as hitman:
        to_hit = yield []
        while True:
            hitman.hit(list(to_hit))
            to_hit = yield list(hitman.get())


def minimal_hitting_sets(sets: Iterable[Sequence[int]]) -> Iterator[list[int]]:
    """All minimal sets of numbers that have at least one in common with each of the given sets, the
    smallest first.

    >>> sorted(map(sorted, minimal_hitting_sets([[1, 2], [2, 3]])))
    [[1, 3], [2]]
    """
    from pysat.examples.hitman import Hitman

    with Hitman(bootstrap_with=[list(numbers) for numbers in sets], htype="sorted") as hitman:
        while (hitting := hitman.get()) is not None:
            yield list(hitting)
            hitman.block(hitting)


class Bounds(NamedTuple):
    """What is known about the least cost of a model: it is proved to be at least `lower`, and
    `best` is the least cost of a model so far, whose true variables are `model`."""

    lower: int
    best: int
    model: frozenset[int]


def bound_least_cost(
    clauses: Iterable[Sequence[int]], costs: Mapping[int, int]
) -> Generator[Bounds, None, None]:
    """Tighter and tighter bounds of the sum of the costs of the literals that are true in a model;
    the last ones are equal. Nothing if there is no model.

    RC2 uses unsatisfiable cores to raise a lower bound until a model attains it, so its answer is
    proved to be the minimum. A negative cost of a literal is treated as a positive cost of its
    negation, minus a constant.

    >>> [(each.lower, each.best) for each in bound_least_cost([[1, 2], [-1, -2]], {1: 3, 2: 5})][-1]
    (3, 3)
    >>> [*bound_least_cost([[1, 2], [-1, -2]], {1: -3, 2: -5})][-1]
    Bounds(lower=-5, best=-5, model=frozenset({2}))
    """
    from pysat.examples.rc2 import RC2
    from pysat.formula import WCNF

    class Stepwise(RC2):  # type: ignore[misc]
        """Stops after each core, and goes on when it is called again."""

        def process_core(self) -> None:
            super().process_core()
            self.interrupted = True

    weighted = WCNF()
    for clause in clauses:
        weighted.append(clause)
    cheap = [-literal if cost > 0 else literal for literal, cost in costs.items() if cost]
    for literal, cost in costs.items():
        if cost:
            weighted.append([-literal if cost > 0 else literal], weight=abs(cost))
    constant = sum(min(0, cost) for cost in costs.values())

    number = weighted.nv  # RC2 adds variables of its own

    def bounds(lower: int) -> Bounds:
        true = frozenset(literal for literal in solver.oracle.get_model() if 0 < literal <= number)
        best = sum(cost for x, cost in costs.items() if (abs(x) in true) == (x > 0))
        return Bounds(lower, best, true)

    with Stepwise(weighted) as solver:
        solver.oracle.set_phases(cheap)
        if not solver.oracle.solve():
            return
        yield (known := bounds(constant))
        while (ended := solver.compute_()) is None:
            yield (known := known._replace(lower=solver.cost + constant))
        assert ended
        yield bounds(solver.cost + constant)
