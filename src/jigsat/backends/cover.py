"""jigsat's own engine: a compiled search for exact covers with pairwise conflicts and bounds (`engine/cover.c`).

It takes any formula in which every decision variable stands in an exactly-one constraint over decision variables; these
constraints are its items, the variables its options. Two options conflict if unit propagation from one refutes the other,
whatever the constraints and auxiliary variables in between; other cardinality constraints over decision variables bound
how many options are chosen. What all this does not see is left to a SAT solver, which completes each cover to a model or
finds that it is none.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Generator, Iterator, Sequence, Set
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from typing import TYPE_CHECKING, TypeGuard

from jigsat.backends.base import PROPAGATOR, Backend, Capabilities, Enumerating, Spec
from jigsat.backends.engine import INSTALL, compiled
from jigsat.backends.registry import open_backend
from jigsat.errors import InputError
from jigsat.formula import Cardinality, Clause, Constraint, Formula, Linear, Lowered, Xor

if TYPE_CHECKING:
    from jigsat.backends.engine import _engine

LARGEST = 2**29
"""So many bytes the matrix of conflicts may have: a bit for each option and each option of each item."""
IMPLIED = 2**23
"""Where more literals than this follow from the options, to read them takes over a second, longer than CaDiCaL's search for a
first solution; it is guessed from a sample."""
SAMPLE = 16


def specs() -> Iterator[Spec]:
    yield Spec("cover", "jigsat", INSTALL, _open, establishes="exhaustion")


def _open() -> Backend:
    if not compiled():
        raise ImportError("the compiled engine is absent")
    return Cover()


@dataclass(frozen=True)
class Options:
    """The options that are possible, each with the literals that follow from it, and the items, sets of options."""

    implied: dict[int, list[int]]
    items: list[Set[int]]

    @cached_property
    def _implying(self) -> dict[int, int]:
        """The options from which a literal follows, as the bits of an integer."""
        implying: dict[int, int] = defaultdict(int)
        for i, literals in enumerate(self.implied.values()):
            for literal in literals:
                implying[literal] |= 1 << i
        return implying

    @cached_property
    def _bits(self) -> list[int]:
        """The items as the bits of their options."""
        number = {option: i for i, option in enumerate(self.implied)}
        return [sum(1 << number[option] for option in item) for item in self.items]

    def without(self, excluded: Set[int]) -> Options:
        """What is left when some options are excluded."""
        left = {option: literals for option, literals in self.implied.items() if option not in excluded}
        return Options(left, [item - excluded for item in self.items])

    def settle(self, literals: Collection[int]) -> bool:
        """Whether one of the literals follows from whichever option of some item is chosen."""
        options = 0
        for literal in literals:
            options |= self._implying.get(literal, 0)
        others = ~options
        return any(not item & others for item in self._bits)


class Cover(Enumerating):
    """Each call of `solve` gives the next model. The first raises ImportError where the engine was not compiled."""

    capabilities = Capabilities(clauses=False, cardinality=True, assumptions=True, enumerates=True)

    def __init__(self) -> None:
        super().__init__()
        self._covers: _engine.Cover | None = None
        self._nodes = 0  # of the searches before
        self._propagator = open_backend(PROPAGATOR)
        self._constraints: list[Clause | Cardinality] = []
        self._decisions: frozenset[int] = frozenset()
        self._known: tuple[Options, bool] | None = None  # what was read from the constraints, and whether it shows all

    def project(self, variables: Sequence[int]) -> None:
        self._decisions = frozenset(variables)

    def add(self, constraint: Constraint) -> None:
        if isinstance(constraint, Xor | Linear):
            raise TypeError(f"cover takes no {constraint.kind}")
        self._propagator.add(constraint)
        self._constraints.append(constraint)
        self._known = None
        self._start_over()

    def _models(self, assumptions: Sequence[int]) -> Generator[Sequence[int], None, None]:
        """Read the constraints as items, conflicts and bounds, and search, without the options that the assumptions exclude."""
        from jigsat.backends.engine import _engine

        if self._known is None:
            read = self._read()
            self._known = read, self._shows_all(read)
        read, complete = self._known
        possible, literals = self._propagator.propagate(assumptions)
        if not possible:
            return
        if assumptions:
            read = read.without({-literal for literal in literals})
            complete = complete and self._decisions.issuperset(map(abs, assumptions))
        bounds = [constraint for constraint in self._constraints if self._is_bound(constraint)]
        sets = [*read.items, *(read.implied.keys() & set(bound.literals) for bound in bounds)]
        if (size := len(read.implied) * sum(map(len, sets)) // 8) > LARGEST:
            raise InputError(f"cover would want {size >> 20:,} MiB for what the options exclude; take another backend")
        number = {option: i for i, option in enumerate(read.implied)}
        numbered = [[number[option] for option in sorted(options)] for options in sets]
        limits = [[max(0, bound.at_least), max(0, bound.at_most)] for bound in bounds]
        self._nodes = self.statistics()["nodes"]
        self._covers = _engine.Cover(numbered, list(read.implied.values()), limits)
        options = list(read.implied)
        true = [[literal for literal in literals if literal > 0] for literals in read.implied.values()]
        for cover in self._covers:
            if complete:
                yield list(chain.from_iterable(true[option] for option in cover))
            # an option that is left out is in an item with one that is chosen
            elif self._propagator.solve([*assumptions, *(options[option] for option in cover)]):
                yield self._propagator.model()

    def pays(self) -> bool:
        """Whether pairs and bounds tell all, so that no SAT solver is needed. What was read is kept for the search."""
        if not self._small():
            return False
        read = self._read()
        self._known = read, self._shows_all(read)
        return self._known[1]

    def _small(self) -> bool:
        """Whether what follows from all options can be read in little time."""
        some = sorted(self._decisions)[:: max(1, len(self._decisions) // SAMPLE)]
        implied = sum(len(self._propagator.propagate([variable])[1]) for variable in some)
        return implied * len(self._decisions) <= IMPLIED * len(some)

    def _read(self) -> Options:
        """The constraints as items and options. Raises InputError if a decision variable is in no item."""
        items = [item for constraint in self._constraints if (item := self._item(constraint))]
        if self._decisions != frozenset().union(*items):
            raise InputError("the backend cover wants each decision variable in an exactly-one constraint; take another one")
        if not self._propagator.propagate()[0]:
            return Options({}, [frozenset()])
        tried = {variable: self._propagator.propagate([variable]) for variable in sorted(self._decisions)}
        implied = {variable: [variable, *literals] for variable, (possible, literals) in tried.items() if possible}
        return Options(implied, [item & implied.keys() for item in items])

    def _item(self, constraint: Clause | Cardinality) -> frozenset[int]:
        """The decision variables of which the constraint wants exactly one; none if it wants something else."""
        match constraint:
            case Clause((_,) as literals) | Cardinality(literals, 1, 1) if self._decisions.issuperset(literals):
                return frozenset(literals)
        return frozenset()

    def _is_bound(self, constraint: Clause | Cardinality) -> TypeGuard[Cardinality]:
        """Whether the search itself has to count how many of the literals are true; of pairs the conflicts tell."""
        match constraint:
            case Cardinality(literals, at_least, at_most):
                counts = (at_least, at_most) != (1, 1) and (at_least > 0 or at_most > 1)
                return counts and self._decisions.issuperset(literals)
        return False

    def _shows_all(self, read: Options) -> bool:
        """Whether each cover that keeps to conflicts and bounds is a model, so that nothing is left to look for.

        It is so if the cover decides every variable, and each other constraint is a clause of two literals, an at-most-one,
        or a clause that holds whichever option of some item is chosen: of the former, an option that breaks all but one
        literal implies that one.
        """
        decided = set(self._decisions)

        def holds(literals: Collection[int]) -> bool:
            return read.settle(literals) or any(not self._propagator.propagate([-literal])[0] for literal in literals)

        def is_seen(constraint: Clause | Cardinality) -> bool:
            if self._is_bound(constraint) or self._item(constraint):
                return True
            for variable in {abs(literal) for literal in constraint.literals} - decided:
                if not holds((variable, -variable)):
                    return False
                decided.add(variable)
            match constraint:
                case Clause(literals):
                    return len(literals) <= 2 or holds(literals)
                case Cardinality(literals, at_least, 1):
                    return at_least <= 0 or (at_least == 1 and (len(literals) == 2 or holds(literals)))
            return False

        return all(map(is_seen, self._constraints))

    def statistics(self) -> dict[str, int]:
        return {"nodes": self._nodes + (self._covers.nodes if self._covers else 0)}

    def close(self) -> None:
        super().close()
        self._propagator.close()


def fits(formula: Formula) -> bool:
    """Whether the formula is an exact cover of which pairs and bounds tell all, so that no SAT solver is needed."""
    cover = Cover()
    try:
        cover.project(formula.decisions())
        for constraint in Lowered(formula, native=cover.capabilities.native):
            cover.add(constraint)
        return cover.pays()
    finally:
        cover.close()
