"""The symmetries up to which solutions are counted: the group of a level, listed or by generators, and tallies of orbits."""

from abc import ABC, abstractmethod
from collections.abc import Iterable
from contextlib import closing
from itertools import islice
from typing import NamedTuple

from jigsat.errors import CheckError, NotWorthwhile
from jigsat.formula import Formula
from jigsat.orbits.automorphisms import find_automorphisms
from jigsat.search.portfolio import models
from jigsat.symmetry import (
    AUTOMORPHISM,
    LEVELS,
    Automorphisms,
    Group,
    Model,
    Orbits,
    SomeImages,
    count_solutions_and_orbits,
    generate_group,
    lex_leaders,
    pack_model,
)

MAX_GROUP_ENTRIES = 1_000_000  # an automorphism group is listed if its order times the number of its variables is at most this

MAX_FIXED_SOLUTIONS = 10_000
"""The maximum number of fixed solutions of a symmetry to list, if there are too many solutions to list them all."""


class Tally(ABC):
    """Counts solutions and orbits from at least one member of each orbit of the level that is enumerated."""

    def __init__(self, levels: Iterable[str]) -> None:
        self.solutions = 0
        self.distinct = dict.fromkeys(levels, 0)

    @abstractmethod
    def representative(self, model: Model) -> list[int]:
        """The representative of the orbit of a model."""

    @abstractmethod
    def add(self, model: Model) -> list[list[int]]:
        """Count the orbit of a model. Returns the members to check, the representative first; none if it is counted already."""


class ListedTally(Tally):
    """For groups that are listed. An orbit must not be added twice.

    `levels` are those at which distinct solutions are counted, by default those with symmetries of their own.
    """

    def __init__(self, group: Group, up_to: str, levels: Iterable[str] | None = None) -> None:
        super().__init__(group.orders if levels is None else levels)
        self.group = group
        self.up_to = up_to
        self._seen: dict[str, set[int]] = {level: set() for level in self.distinct}

    def representative(self, model: Model) -> list[int]:
        return min(sorted(member) for member in self.group.orbit(model, self.up_to))

    def add(self, model: Model) -> list[list[int]]:
        orbit = self.group.orbit(model, self.up_to)
        self.solutions += len(orbit)
        groups, order = self.group.levels, list(self.group.levels)
        for level in self.distinct:
            if order.index(level) <= order.index(self.up_to) and len(orbit) == len(groups[self.up_to]):
                self.distinct[level] += len(orbit) // len(groups[level])  # the stabilisers are trivial
            elif order.index(level) <= order.index(self.up_to):
                self.distinct[level] += self.group.count(orbit, level)
            elif pack_model(model) not in self._seen[level]:
                self.distinct[level] += 1
                self._seen[level].update(map(pack_model, self.group.orbit(model, level)))
        return sorted(map(sorted, orbit))


class CanonicalTally(Tally):
    """For automorphism groups that are too large to list: an orbit is known by its canonical key, and its size is computed."""

    def __init__(self, automorphisms: Automorphisms) -> None:
        super().__init__([AUTOMORPHISM])
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
        self.distinct[AUTOMORPHISM] += 1
        return [self._first.setdefault(key, sorted(model))]


class Equivalence(NamedTuple):
    """What counts as one solution.

    `formula` is to be searched, up to the level `up_to` of `group`. It has at least one member of every orbit, perhaps several;
    the tally determines which of them belong to the same orbit. `orders` are those of the declared group and of the
    automorphism group.
    """

    tally: Tally
    orders: dict[str, int]
    formula: Formula
    group: Orbits
    up_to: str


def find_equivalence(formula: Formula, declared: Group, up_to: str) -> Equivalence:
    """The symmetries of a level. Raises InputError if automorphisms are requested without igraph."""
    if up_to != AUTOMORPHISM:
        return Equivalence(ListedTally(declared, up_to), declared.orders, formula, declared, up_to)
    found = find_automorphisms(formula)
    orders = {**declared.orders, AUTOMORPHISM: found.order}
    if (every := as_explicit_group(formula, found)) is None:
        broken = lex_leaders(formula, found.generators)
        return Equivalence(CanonicalTally(found), orders, broken, SomeImages(found.generators), up_to)
    group = _with_declared_levels(every, declared, found)
    levels = [level for level in orders if level in group.levels]
    return Equivalence(ListedTally(group, up_to, levels), orders, formula, group, up_to)


def count_orbits_by_burnside(formula: Formula, declared: Group, solutions: int) -> dict[str, int]:
    """The number of distinct solutions at each declared level, given the number of all; empty if symmetries fix too many.

    The solutions that a symmetry fixes are listed; most symmetries fix none.
    """

    def count(of: Formula) -> int:
        if of is formula:
            return solutions
        with closing(models(of)) as fixed:
            number = sum(1 for _ in islice(fixed, MAX_FIXED_SOLUTIONS + 1))
        if number > MAX_FIXED_SOLUTIONS:
            raise NotWorthwhile(f"more than {MAX_FIXED_SOLUTIONS:,} solutions are fixed by a symmetry")
        return number

    try:
        return count_solutions_and_orbits(formula, declared, count)[1]
    except NotWorthwhile:
        return {}


def as_explicit_group(formula: Formula, found: Automorphisms) -> Group | None:
    """The automorphism group, as the only level that is not trivial; None if it is too large to list."""
    if found.order * len(found.decisions) > MAX_GROUP_ENTRIES:
        return None
    elements = generate_group(formula, found.generators).levels[LEVELS[-1]]
    if len(elements) != found.order:
        raise CheckError(f"igraph's generators generate {len(elements)} automorphisms of {found.order}. This is a bug")
    return Group({LEVELS[0]: elements[:1], AUTOMORPHISM: elements})


def _with_declared_levels(every: Group, declared: Group, found: Automorphisms) -> Group:
    """The automorphism group with the declared levels, unless it does not contain them.

    Variables that propagation decides are fixed in declared symmetries as well, which changes no orbit of solutions.
    """
    members = {found.restrict_to_decisions(images): images for images in every.levels[AUTOMORPHISM]}
    levels = {level: [*dict.fromkeys(map(found.restrict_to_decisions, declared.levels[level]))] for level in LEVELS}
    if not members.keys() >= set(levels[LEVELS[-1]]):  # then their orbits need not be parts of those of automorphisms
        return every
    group = {level: [members[restricted] for restricted in kept] for level, kept in levels.items()}
    return Group({**group, AUTOMORPHISM: every.levels[AUTOMORPHISM]})
