"""Counting solutions without listing them: a memoised search over an exact cover
(`engine/count/count.c`).

It accepts the formulas that `exact_cover` captures completely. A constraint that two decision
variables are equal (Burnside's lemma adds such constraints) merges them into one option that covers
the items of both.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import closing
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from jigsat.backends.base import Spec
from jigsat.backends.engine import INSTALL, engine, is_compiled
from jigsat.backends.exact_cover import CoverReader, is_plain
from jigsat.backends.frontier import Items, neighbours, order
from jigsat.errors import InputError, NotWorthwhile
from jigsat.formula import Cardinality, Clause, Formula, Lowered, Xor

if TYPE_CHECKING:
    from jigsat.backends.engine import _engine

MAX_STATE_BYTES = 2**30  # memory limit for stored states, in bytes
# beyond this number of stored states, a search continues only if it pays
MAX_UNPROFITABLE_STATES = 2**21
MAX_UNPROFITABLE_STATES_AUTO = 2**14  # same for `auto`, which has other backends

MAX_STATES_PER_SOLUTION = 20
"""The search pays if there are at most this many states per solution: a state takes 1.5 µs, and to
list and check a solution takes 80 µs; but with symmetries few solutions are listed, so that Soma
with 31 states per solution takes as long both ways."""

NODES_PER_CHECK = 2**14
"""Nodes between two checks of the clock, signals and the number of states: about a hundredth of a
second."""


def specs() -> Iterator[Spec]:
    yield Spec(
        "counting",
        "jigsat",
        INSTALL,
        open=None,
        establishes="counting",
        count=count,
        rank=CountedModels,
    )


def count(
    formula: Formula, *, memory: int = MAX_STATE_BYTES, max_unprofitable: int | None = None
) -> int:
    """The number of models that differ on the decision variables.

    Beyond `max_unprofitable` stored states (default: `MAX_UNPROFITABLE_STATES`), the search
    continues only if it pays.

    Raises InputError for a formula that is not an exact cover, NotWorthwhile if listing is faster
    or the states take more than `memory` bytes, and ImportError if the engine was not built.
    """
    return CountedModels(formula, memory=memory, max_unprofitable=max_unprofitable).total


class CountedModels:
    """The models of a formula by their ranks, from the numbers stored while counting; arguments and
    errors as for `count`."""

    def __init__(
        self,
        formula: Formula,
        *,
        memory: int = MAX_STATE_BYTES,
        max_unprofitable: int | None = None,
    ) -> None:
        name = _find_representatives(formula)
        problem = _read_exact_cover(formula, name)
        self._search = _run_count(
            problem,
            memory,
            MAX_UNPROFITABLE_STATES if max_unprofitable is None else max_unprofitable,
        )
        self.total = self._search.result or 0
        self._decisions = formula.decisions()
        decisions = set(self._decisions)
        self._true = {x: [x] if x in decisions else [] for x in problem.options}
        for variable, representative in name.items():
            if representative in self._true:
                self._true[representative].append(variable)
        self._options = problem.options

    def model(self, rank: int) -> frozenset[int]:
        """The true decision variables of the model of this rank. Raises IndexError for a rank out
        of range."""
        return frozenset(
            x for option in self._search.solution(rank) for x in self._true[self._options[option]]
        )

    def occurrences(self) -> dict[int, int]:
        """For each decision variable the number of models in which it is true. Raises NotWorthwhile
        without memory for that."""
        try:
            numbers = self._search.occurrences()
        except MemoryError:
            raise NotWorthwhile(
                "the solutions with each option cannot be counted within the memory limit"
            ) from None
        counts = {
            x: number
            for option, number in zip(self._options, numbers, strict=True)
            for x in self._true[option]
        }
        return dict.fromkeys(self._decisions, 0) | counts


def _run_count(problem: CoverProblem, memory: int, max_unprofitable: int) -> _engine.Count:
    """Search to the end, and return the search with its results."""
    if not is_compiled():
        raise ImportError("the compiled engine was not built")
    try:
        search: _engine.Count = engine().Count(
            problem.sets, problem.literals, problem.limits, memory, problem.near
        )
        while not search.step(NODES_PER_CHECK):
            if (
                search.states > max_unprofitable
                and MAX_STATES_PER_SOLUTION * search.found < search.states
            ):
                raise NotWorthwhile(
                    f"counting does not pay here: it stored {search.states:,} states for "
                    f"{search.found:,.0f} solutions; "
                    "list them with another backend"
                )
    except MemoryError:
        raise NotWorthwhile(
            f"counting needs more than {memory >> 20:,} MiB; list the solutions with another "
            f"backend"
        ) from None
    return search


class CoverProblem(NamedTuple):
    """The input of the engine.

    The variable of each option, the options of each item and then of each bound, the literals of
    each option, the bounds, and the neighbours of each item.
    """

    options: list[int]
    sets: list[list[int]]
    literals: list[list[int]]
    limits: list[tuple[int, int]]
    near: list[list[int]]


def _read_exact_cover(formula: Formula, name: dict[int, int]) -> CoverProblem:
    """A formula as an exact cover. Raises InputError if it is not one, or if some covers are not
    models.

    `name` holds the representatives of variables that are equal to others.
    """
    with closing(CoverReader()) as reader:
        reader.slacks = frozenset(formula.slacks())
        reader.options = frozenset(name.get(variable, variable) for variable in formula.options())
        for constraint in _rename_variables(_lower_all_but_equalities(formula), name):
            reader.add(constraint)
        read, complete = reader.read_whole()
        if not complete:
            raise InputError(
                "counting accepts only exact covers whose choices determine everything; use "
                "another backend"
            )
        sums = reader.sums()
    number = {option: i for i, option in enumerate(read.implied)}
    items = [sorted(number[option] for option in item) for item in read.items]
    sets = [sorted(number[x] for x in bound.literals if x in number) for bound in sums]
    literals = read.conflicting_literals(bound.literals for bound in sums if bound.at_most == 1)
    unordered = Items(items)
    taken = order(unordered)
    return CoverProblem(
        list(read.implied),
        [*(items[i] for i in taken), *sets],
        literals,
        [(max(0, bound.at_least), max(0, bound.at_most)) for bound in sums],
        neighbours(unordered, taken),
    )


def quick_spec(memory: int | None = None) -> Spec:
    """The same backend, but it gives up earlier if listing is likely to be faster; `memory` is its
    limit for numbering."""
    most = MAX_UNPROFITABLE_STATES_AUTO
    rank = partial(CountedModels, max_unprofitable=most, memory=memory or MAX_STATE_BYTES)
    return replace(next(specs()), count=partial(count, max_unprofitable=most), rank=rank)


def is_plain_cover(formula: Formula) -> bool:
    """Whether the formula is obviously an exact cover and nothing else."""
    options = frozenset(formula.options())
    slacks = frozenset(formula.slacks())
    items = set().union(*formula.items())
    return (
        bool(items)
        and items == options
        and len(options) == formula.top
        and all(is_plain(constraint, options, slacks) for constraint in formula.constraints())
    )


def _find_representatives(formula: Formula) -> dict[int, int]:
    """The representatives of decision variables that constraints make equal."""
    decisions = set(formula.decisions())
    name: dict[int, int] = {}

    def find(variable: int) -> int:
        while variable in name:
            variable = name[variable]
        return variable

    for constraint in formula.others():
        match constraint:
            case Xor((a, b), False) if {a, b} <= decisions and find(a) != find(b):
                name[find(b)] = find(a)
    return {variable: find(variable) for variable in name}


def _lower_all_but_equalities(formula: Formula) -> Iterator[Clause | Cardinality]:
    """The constraints as clauses and sums, without those that make two decision variables equal:
    their representatives say it, and Burnside's lemma adds as many as there are options."""
    decisions = set(formula.decisions())
    lowered = Lowered(formula, native=frozenset({"cardinality", "xor"}))
    xors = []
    for constraint in lowered:
        match constraint:
            case Xor(variables, odd):
                if odd or len(variables) != 2 or not decisions.issuperset(variables):
                    xors.append(constraint)
            case Clause() | Cardinality():
                yield constraint

    without_xors = Lowered(formula, native=frozenset({"cardinality"}))
    without_xors.top = lowered.top
    for xor in xors:
        for clause in without_xors.lower(xor):
            assert isinstance(clause, Clause)
            yield clause


def _rename_variables(
    constraints: Iterable[Clause | Cardinality], name: dict[int, int]
) -> Iterator[Clause | Cardinality]:
    """The constraints, with each variable replaced by its representative."""
    for constraint in constraints:
        literals = [name.get(x, x) if x > 0 else -name.get(-x, -x) for x in constraint.literals]
        times = Counter(literals)
        distinct = tuple(times)
        opposed = not times.keys().isdisjoint([-literal for literal in distinct])
        if isinstance(constraint, Clause):
            if not opposed:
                yield Clause(distinct)
        elif len(distinct) == len(literals):
            yield Cardinality(distinct, constraint.at_least, constraint.at_most)
        elif opposed or min(literals) < 0:
            raise InputError(
                "counting accepts no sums of a variable and its negation; use another backend"
            )
        elif constraint.at_most > 1:
            yield Cardinality(tuple(literals), constraint.at_least, constraint.at_most)
        else:
            yield Cardinality(distinct, constraint.at_least, constraint.at_most)
            yield from (Clause((-literal,)) for literal in distinct if times[literal] > 1)
