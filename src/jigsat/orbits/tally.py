"""Counting solutions and their orbits from the models that are found."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable

from jigsat.symmetry import AUTOMORPHISM, Automorphisms, Group, Model, pack_model


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
