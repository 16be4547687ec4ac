"""The levels of equivalence, and the symmetries that a family declares."""

from collections.abc import Callable, Collection, Iterator, Mapping
from typing import Any, Literal, NamedTuple, TypeAlias, TypeVar

Placement: TypeAlias = Any  # a NamedTuple that the family defines
K = TypeVar("K")

LEVELS = ("nothing", "rotation", "reflection", "all")
"""Equivalence levels; each includes the ones before it. Solutions are counted up to nothing, up to
rotations of the board, up to its reflections too, or up to all symmetries that the family declares,
such as label permutations."""

AUTOMORPHISM = "automorphism"
"""The level of all automorphisms of the formula, which are found and not declared. It depends on
the encoding. It includes the other levels where the declared symmetries are automorphisms of the
formula."""

EVERY_LEVEL = (*LEVELS, AUTOMORPHISM)  # declared levels, then the level of automorphisms

WORDS = {
    "nothing": "nothing",
    "rotation": "rotation",
    "reflection": "rotation and reflection",
    "all": "all its symmetries",
    AUTOMORPHISM: "automorphism",
}
"""The names of the levels in messages, after 'up to'."""


def add_levels(solutions: int, distinct: Mapping[str, int]) -> dict[str, int]:
    """The number of distinct solutions at each level; a level that adds no symmetries has the
    number of the one before it.

    >>> add_levels(96, {"rotation": 4, "all": 2})
    {'rotation': 4, 'reflection': 4, 'all': 2}
    """
    counts, number = {}, solutions
    for level in LEVELS[1:]:
        number = counts[level] = distinct.get(level, number)
    return counts


def in_words(distinct: Mapping[str, int]) -> str:
    """The number of distinct solutions at each level, to be appended to the number of solutions.

    >>> "96 solutions" + in_words({"rotation": 4, "reflection": 2})
    '96 solutions, 4 up to rotation, 2 up to rotation and reflection'
    """
    return "".join(f", {count:,} up to {WORDS[level]}" for level, count in distinct.items())


class OnDemand(Mapping[K, K]):
    """A permutation of many things, which computes an image when it is needed; `image` must be a
    permutation of `domain`."""

    def __init__(self, domain: Collection[K], image: Callable[[K], K]) -> None:
        self._domain = domain
        self._image = image

    def __getitem__(self, thing: K) -> K:
        return self._image(thing)

    def __iter__(self) -> Iterator[K]:
        return iter(self._domain)

    def __len__(self) -> int:
        return len(self._domain)


class Symmetry(NamedTuple):
    """A permutation of the placements that maps solutions to solutions; `level` is the first of
    LEVELS that includes it."""

    level: Literal["rotation", "reflection", "all"]
    images: Mapping[Placement, Placement]
