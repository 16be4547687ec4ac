"""What counts as one solution: the group of a level, listed or by generators, and tallies of
orbits.

If subproblems are counted separately and in any order, no list of representatives is kept. The
search is that of a formula which has at least one model of each orbit, because a single clause
breaks the symmetries. An orbit with m such models is found m times, perhaps in several subproblems,
so each of these models counts as 1/m of its orbit. The number m follows from the model alone.
Models are counted by their `OrbitShare`, so the sums are exact, and a number of models that m does
not divide reveals an error.
"""

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from itertools import filterfalse, islice
from typing import NamedTuple

from jigsat.errors import CheckError, NotWorthwhile
from jigsat.formula import Formula, Name, compact, vector
from jigsat.search.portfolio import models
from jigsat.search.propagation import fixed_literals
from jigsat.symmetry import (
    DECLARED_LEVELS,
    Automorphisms,
    Group,
    Level,
    Model,
    count_solutions_and_orbits,
    generate_group,
    generators,
    lex_leaders,
)
from jigsat.words import plural

# an automorphism group is listed if its order times the number of its variables is at most this
MAX_GROUP_ENTRIES = 1_000_000

MAX_FIXED_SOLUTIONS = 10_000
"""The maximum number of fixed solutions of a symmetry to list, if there are too many solutions to
list them all."""


class Tally(ABC):
    """Counts solutions and orbits from at least one member of each orbit of the level that is
    enumerated."""

    def __init__(self, levels: Iterable[Level]) -> None:
        self.solutions = 0
        self.distinct = dict.fromkeys(levels, 0)

    @abstractmethod
    def representative(self, model: Model) -> list[int]:
        """The representative of the orbit of a model."""

    @abstractmethod
    def add(self, model: Model) -> list[list[int]]:
        """Count the orbit of a model. Returns the members to check, the representative first; none
        if it is counted already."""


class ListedTally(Tally):
    """For groups that are listed. An orbit must not be added twice.

    `levels` are those at which distinct solutions are counted, by default those with symmetries of
    their own.
    """

    def __init__(self, group: Group, up_to: Level, levels: Iterable[Level] | None = None) -> None:
        super().__init__(group.orders if levels is None else levels)
        self.group = group
        self.up_to = up_to
        self._seen: dict[Level, set[int]] = {level: set() for level in self.distinct}

    def representative(self, model: Model) -> list[int]:
        return [*self.group.least_image(model, self.up_to)]

    def add(self, model: Model) -> list[list[int]]:
        orbit = self.group.orbit(model, self.up_to)
        self.solutions += len(orbit)
        groups = self.group.levels
        free = len(orbit) == len(groups[self.up_to])  # whether the stabilisers are trivial
        for level in self.distinct:
            if level <= self.up_to and free:
                self.distinct[level] += len(orbit) // len(groups[level])
            elif level <= self.up_to:
                self.distinct[level] += self.group.count_orbits(orbit, level)
            elif vector(model) not in self._seen[level]:
                self.distinct[level] += 1
                self._seen[level].update(map(vector, self.group.orbit(model, level)))
        return sorted(map(sorted, orbit))


class CanonicalTally(Tally):
    """For automorphism groups that are too large to list: an orbit is known by its canonical key,
    and its size is computed."""

    def __init__(self, automorphisms: Automorphisms) -> None:
        super().__init__([Level.AUTOMORPHISM])
        self._automorphisms = automorphisms
        self._first: dict[bytes, list[int]] = {}
        self._counted: set[bytes] = set()

    def representative(self, model: Model) -> list[int]:
        return self._first.setdefault(self._automorphisms.canonical(model), sorted(model))

    def add(self, model: Model) -> list[list[int]]:
        key = self._automorphisms.canonical(model)
        if key in self._counted:
            return []
        self._counted.add(key)
        self.solutions += self._automorphisms.orbit_size(model)
        self.distinct[Level.AUTOMORPHISM] += 1
        return [self._first.setdefault(key, sorted(model))]


class Equivalence(NamedTuple):
    """What counts as one solution.

    `formula` is to be searched, up to the level `up_to` of `group`. It has at least one member of
    every orbit, perhaps several; the tally determines which of them belong to the same orbit. The
    `group` is None if it is too large to list. `orders` are those of the declared group and of the
    automorphism group.
    """

    tally: Tally
    orders: dict[Level, int]
    formula: Formula
    group: Group | None
    up_to: Level


def find_equivalence(formula: Formula, declared: Group, up_to: Level) -> Equivalence:
    """The symmetries of a level. Raises InputError if automorphisms are requested without
    igraph."""
    if up_to.is_declared:
        return Equivalence(ListedTally(declared, up_to), declared.orders, formula, declared, up_to)
    automorphisms = find_automorphisms(formula)
    orders = {**declared.orders, Level.AUTOMORPHISM: automorphisms.order}
    if (every := as_explicit_group(formula, automorphisms)) is None:
        return Equivalence(
            CanonicalTally(automorphisms),
            orders,
            lex_leaders(formula, automorphisms.generators),
            None,
            up_to,
        )
    group = _with_declared_levels(every, declared, automorphisms)
    levels = [level for level in orders if level in group.levels]
    return Equivalence(ListedTally(group, up_to, levels), orders, formula, group, up_to)


def count_orbits_by_burnside(formula: Formula, declared: Group, solutions: int) -> dict[Level, int]:
    """The number of distinct solutions at each declared level, given the number of all; empty if
    symmetries fix too many.

    The solutions that a symmetry fixes are listed; most symmetries fix none.
    """

    def count(of: Formula) -> int:
        if of is formula:
            return solutions
        with closing(models(of)) as fixed:
            number = sum(1 for _ in islice(fixed, MAX_FIXED_SOLUTIONS + 1))
        if number > MAX_FIXED_SOLUTIONS:
            raise NotWorthwhile(
                f"more than {MAX_FIXED_SOLUTIONS:,} solutions are fixed by a symmetry"
            )
        return number

    try:
        return count_solutions_and_orbits(formula, declared, count)[1]
    except NotWorthwhile:
        return {}


def as_explicit_group(formula: Formula, automorphisms: Automorphisms) -> Group | None:
    """The automorphism group, as the only level that is not trivial; None if it is too large to
    list."""
    if automorphisms.order * len(automorphisms.decisions) > MAX_GROUP_ENTRIES:
        return None
    elements = generate_group(formula, automorphisms.generators).levels[Level.ALL]
    if len(elements) != automorphisms.order:
        raise CheckError(
            f"igraph's generators generate {len(elements)} automorphisms of "
            f"{automorphisms.order}. This is a bug"
        )
    return Group({Level.NOTHING: elements[:1], Level.AUTOMORPHISM: elements})


def _with_declared_levels(every: Group, declared: Group, automorphisms: Automorphisms) -> Group:
    """The automorphism group with the declared levels, unless it does not contain them.

    Variables that propagation decides are fixed in declared symmetries as well, which changes no
    orbit of solutions.
    """
    members = {
        automorphisms.restrict_to_decisions(images): images
        for images in every.levels[Level.AUTOMORPHISM]
    }
    levels = {
        level: [*dict.fromkeys(map(automorphisms.restrict_to_decisions, declared.levels[level]))]
        for level in DECLARED_LEVELS
    }
    if not members.keys() >= set(
        levels[Level.ALL]
    ):  # then their orbits need not be parts of those of automorphisms
        return every
    group = {
        level: [members[restricted] for restricted in restrictions]
        for level, restrictions in levels.items()
    }
    return Group({**group, Level.AUTOMORPHISM: every.levels[Level.AUTOMORPHISM]})


MAX_CYCLES_CHARACTERS = 60
"""A permutation is described by its first cycles, up to this number of characters; further cycles
are only counted."""

MAX_CYCLE_ELEMENTS = 6  # a cycle is described by at most this number of elements


class DescribedGenerator(NamedTuple):
    """A generator of the automorphism group in words, and the level at which the family declares
    it, if any."""

    words: str
    declared: Level | None

    def __str__(self) -> str:
        return f"{self.words} ({f'declared: {self.declared}' if self.declared else 'not declared'})"


class AutomorphismGroup(NamedTuple):
    """The order of the automorphism group, the number of declared symmetries in it, and its
    generators in words."""

    order: int
    declared: int
    generators: list[DescribedGenerator]


def find_automorphisms(formula: Formula) -> Automorphisms:
    """The automorphisms of a formula, after fixing variables by failed literals. Raises InputError
    without igraph."""
    known = fixed_literals(formula)
    return Automorphisms(
        formula, frozenset(-x for x in range(1, formula.top + 1)) if known is None else known
    )


def describe_group(formula: Formula, group: Group) -> AutomorphismGroup:
    """The automorphism group of a formula, compared with its declared symmetries. Raises InputError
    without igraph."""
    automorphisms = find_automorphisms(formula)
    declared: dict[tuple[int, ...], Level] = {}
    for level, elements in group.levels.items():
        for images in elements:
            declared.setdefault(automorphisms.restrict_to_decisions(images), level)
    described = [
        DescribedGenerator(
            in_words(formula, automorphisms.decisions, images),
            declared.get(automorphisms.restrict_to_decisions(images)),
        )
        for images in automorphisms.generators
    ]
    largest = group.levels[Level.ALL]
    contained: Iterable[Mapping[int, int]] = largest
    if not all(map(automorphisms.contains, generators(largest))):
        contained = filter(automorphisms.contains, largest)
    return AutomorphismGroup(
        automorphisms.order,
        len(set(map(automorphisms.restrict_to_decisions, contained))),
        described,
    )


def in_words(formula: Formula, decisions: Collection[int], images: Mapping[int, int]) -> str:
    """A permutation of decision variables in words; variables that it does not list are fixed.

    If it consistently permutes the values of an axis, such as the tiles, it is described by these
    values.

    >>> formula = Formula()
    >>> place = formula.variables("place", {"cell": range(2), "tile": ("a", "b")})
    >>> in_words(formula, place[:, :], {1: 2, 2: 1, 3: 4, 4: 3})
    'tiles a and b change places'
    >>> in_words(formula, place[:, :], {1: 2, 2: 1})
    'place cell=0 tile=a and place cell=0 tile=b change places'
    """
    by_axis: dict[str, dict[Hashable, Hashable]] = {}
    excluded: set[str] = set()
    for x in decisions:
        name = formula.name(x)
        image = formula.name(images.get(x, x))
        for axis, value, other in zip(name.axes, name.key, image.key, strict=False):
            if by_axis.setdefault(axis, {}).setdefault(value, other) != other:
                excluded.add(axis)
        if name.axes != image.axes:
            excluded.update(name.axes)
    parts = []
    for axis, values in by_axis.items():
        moves = {value: other for value, other in values.items() if value != other}
        if axis not in excluded and moves and moves.keys() == set(moves.values()):
            plural_axis = axis if axis.endswith("s") else f"{axis}s"
            parts.append(f"{plural_axis} {_describe_cycles(moves)}")
    if parts:
        return "; ".join(parts)
    return _describe_cycles({formula.name(x): formula.name(y) for x, y in images.items()})


def _describe_cycles(images: Mapping[Hashable, Hashable]) -> str:
    """A permutation by its cycles."""
    cycles = [list(map(_name_element, cycle)) for cycle in _cycles(images)]
    are_pairs = all(len(cycle) == 2 for cycle in cycles)
    parts: list[str] = []
    for cycle in cycles:
        if parts and len(", ".join(parts)) + len(", ".join(cycle)) > MAX_CYCLES_CHARACTERS:
            break
        if are_pairs:
            parts.append(" and ".join(cycle))
        elif len(cycle) <= MAX_CYCLE_ELEMENTS:
            parts.append(" → ".join([*cycle, cycle[0]]))
        else:
            parts.append(" → ".join([*cycle[:MAX_CYCLE_ELEMENTS], "…"]))
    more = len(cycles) - len(parts)
    if more:
        parts.append(f"and {plural(more, 'more pair' if are_pairs else 'more cycle')}")
    return ", ".join(parts) + (" change places" if are_pairs else "")


def _name_element(value: Hashable) -> str:
    return str(value) if isinstance(value, Name) else compact(value)


def _cycles(images: Mapping[Hashable, Hashable]) -> Iterator[list[Hashable]]:
    left = dict(images)
    while left:
        cycle = [next(iter(left))]
        while (following := left.pop(cycle[-1])) != cycle[0]:
            cycle.append(following)
        yield cycle


# name of the constraint group with the clause that breaks symmetries
BREAKING = "one of each orbit"


class OrbitShare(NamedTuple):
    """What a model shows about its orbit up to all symmetries.

    `solutions` is the size of the orbit, `found` the number of its members that satisfy the
    breaking clause, and `distinct` the number of orbits of each level in it, in the order of
    `Group.orders`.
    """

    solutions: int
    found: int
    distinct: tuple[int, ...]


class OrbitCounter:
    """Finds the share of a model from its orbit up to all symmetries."""

    def __init__(self, group: Group, breaking: Sequence[int]) -> None:
        self._group = group
        self._breaking = frozenset(breaking)

    def orbit(self, model: Model) -> set[Model]:
        """The orbit of a model, the model included."""
        return self._group.orbit(model, Level.ALL)

    def share(self, orbit: set[Model]) -> OrbitShare:
        """The share of the models in an orbit."""
        levels = self._group.levels
        number = len([*self._filter_found(orbit)])
        if len(orbit) == len(levels[Level.ALL]):  # the stabiliser is trivial
            return OrbitShare(
                len(orbit),
                number,
                tuple(len(orbit) // len(levels[level]) for level in self._group.orders),
            )
        return OrbitShare(
            len(orbit),
            number,
            tuple(self._group.count_orbits(orbit, level) for level in self._group.orders),
        )

    def represents(self, model: Model, orbit: set[Model]) -> bool:
        """Whether a model is the first of those in its orbit that satisfy the breaking clause, so
        that one search finds it."""
        return sorted(model) == min(map(sorted, self._filter_found(orbit)))

    def _filter_found(self, orbit: set[Model]) -> Iterable[Model]:
        return filterfalse(self._breaking.isdisjoint, orbit) if self._breaking else orbit


def with_breaking_clause(
    formula: Formula, breaking: Sequence[int], group: str = BREAKING
) -> Formula:
    """The formula with the clause that breaks symmetries, if there is one, in a constraint group of
    this name."""
    formula = formula.extended()
    if breaking:
        with formula.rule(group):
            formula.clause(breaking)
    return formula


def add_shares(
    counts: Counter[OrbitShare], levels: Iterable[Level], *, complete: bool
) -> tuple[int, dict[Level, int]]:
    """The number of solutions, and of distinct solutions at each level; lower bounds if the counts
    are not complete.

    Raises CheckError if an orbit was not found completely.
    """
    solutions = 0
    distinct = dict.fromkeys(levels, 0)
    for kind, number in counts.items():
        whole, rest = divmod(number, kind.found)
        if rest and complete:
            raise CheckError(
                f"{number:,} models were found in orbits that have {kind.found} models each, "
                f"which is impossible: a "
                "ledger is damaged, or this is a bug"
            )
        whole += bool(rest)
        solutions += whole * kind.solutions
        for level, inside in zip(distinct, kind.distinct, strict=True):
            distinct[level] += whole * inside
    return solutions, distinct
