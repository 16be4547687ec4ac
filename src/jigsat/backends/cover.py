"""jigsat's own engine: a compiled search for exact covers under pairwise conflicts (`jigsat/_cover.c`).

It takes any formula in which every decision variable stands in an exactly-one constraint over decision variables; these
constraints are its items, the variables its options. Two options conflict if unit propagation from one refutes the other,
whatever the constraints and auxiliary variables in between. What this does not see is left to a SAT solver, which
completes each cover to a model or finds that it is none.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Generator, Iterator, Sequence, Set
from functools import partial
from typing import TYPE_CHECKING

from jigsat.backends import Backend, Capabilities, Enumerating, Spec
from jigsat.errors import InputError
from jigsat.formula import Cardinality, Clause, Constraint

if TYPE_CHECKING:
    from jigsat._cover import Search

MOST_OPTIONS = 2**15
"""The matrix of conflicts has the square of this many bits: 128 MiB."""


def specs() -> Iterator[Spec]:
    install = "install a C compiler, then pip install --force-reinstall jigsat"
    yield Spec("cover", "jigsat", install, _open, establishes="exhaustion")


def _open() -> Backend:
    return Cover()


class Cover(Enumerating):
    """Each call of `solve` gives the next model. Raises ImportError where jigsat was installed without a C compiler."""

    capabilities = Capabilities(clauses=False, cardinality=True, enumerates=True)

    def __init__(self) -> None:
        super().__init__()
        from pysat.solvers import Solver

        from jigsat._cover import Search

        self._new_search = Search
        self._covers: Search | None = None
        self._propagator = Solver(name="minicard")  # one that takes cardinality constraints and propagates on demand
        self._constraints: list[Constraint] = []
        self._decisions: Sequence[int] = ()

    def project(self, variables: Sequence[int]) -> None:
        self._decisions = variables

    def add(self, constraint: Constraint) -> None:
        match constraint:
            case Clause(literals):
                self._propagator.add_clause(literals)
            case Cardinality(literals, at_least, at_most):
                if at_most < len(literals):
                    self._propagator.add_atmost(literals, at_most)
                if at_least > 0:
                    self._propagator.add_atmost([-literal for literal in literals], len(literals) - at_least)
            case _:
                raise TypeError(f"cover takes no {constraint.kind}")
        self._constraints.append(constraint)
        self._start_over()

    def _models(self, assumptions: Sequence[int]) -> Generator[Sequence[int], None, None]:
        """Read the constraints as items and conflicts, and search."""
        if assumptions:
            raise NotImplementedError("cover takes no assumptions")
        options = sorted(self._decisions)
        if len(options) > MOST_OPTIONS:
            raise InputError(
                f"cover takes at most {MOST_OPTIONS:,} decision variables, not {len(options):,}; take another backend"
            )
        number = {variable: i for i, variable in enumerate(options)}
        items = [item for constraint in self._constraints if number.keys() >= (item := _item(constraint)) and item]
        if number.keys() != set().union(*items):
            raise InputError("the backend cover wants each decision variable in an exactly-one constraint; take another one")
        plain = all(_is_seen(constraint, number.keys(), items) for constraint in self._constraints)

        consistent, fixed = self._propagator.propagate()
        if not consistent:
            return
        implying: dict[int, int] = defaultdict(int)  # the options, as bits, from which a literal follows
        implied: list[list[int] | None] = []
        for i, variable in enumerate(options):
            possible, literals = self._propagator.propagate([variable])
            implied.append(literals if possible and -variable not in fixed else None)
            for literal in implied[-1] or ():
                implying[literal] |= 1 << i
        to_bytes = partial(int.to_bytes, length=8 * ((len(options) + 63) // 64), byteorder="little")
        conflicts = []
        for i, literals in enumerate(implied):
            excluded = 1 << i if literals is None else 0
            for literal in literals or ():
                excluded |= implying.get(-literal, 0)
            conflicts.append(to_bytes(excluded))
        rows = [to_bytes(sum(1 << number[variable] for variable in item)) for item in items]
        self._covers = self._new_search(rows, conflicts)
        for cover in self._covers:
            chosen = [options[option] for option in cover]
            if plain:
                yield chosen
            elif self._propagator.solve(assumptions=chosen):  # an option left out is in an item with one that is chosen
                yield [literal for literal in self._propagator.get_model() if literal > 0]

    def prefer(self, literals: Sequence[int]) -> None:
        raise NotImplementedError("cover takes no phases")

    def statistics(self) -> dict[str, int]:
        return {"nodes": self._covers.nodes if self._covers else 0}

    def close(self) -> None:
        super().close()
        self._propagator.delete()


def _item(constraint: Constraint) -> frozenset[int]:
    """The literals of which the constraint wants exactly one; none if it wants something else."""
    match constraint:
        case Clause((literal,)):
            return frozenset([literal])
        case Cardinality(literals, 1, 1):
            return frozenset(literals)
    return frozenset()


def _is_seen(constraint: Constraint, options: Set[int], items: Sequence[frozenset[int]]) -> bool:
    """Whether every cover without conflicts satisfies the constraint, so that no SAT solver need look."""
    match constraint:
        case Clause(literals) if options >= set(map(abs, literals)):
            within_item = min(literals) > 0 and any(item.issuperset(literals) for item in items)
            return len(literals) == 1 or within_item or (len(literals) == 2 and max(literals) < 0)
        case Cardinality(literals, at_least, 1) if options >= set(literals):
            return at_least <= 0 or frozenset(literals) in items
    return False
