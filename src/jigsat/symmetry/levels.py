"""The levels of equivalence, and the symmetries that a family declares."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from enum import StrEnum
from typing import Any, Literal, NamedTuple, TypeAlias, TypeVar

Placement: TypeAlias = Any  # a NamedTuple that the family defines
K = TypeVar("K")


class Level(StrEnum):
    """The symmetries up to which solutions count as one; each level includes those before it.

    Solutions are counted up to nothing, up to rotations of the board, up to its reflections too, or
    up to all symmetries that the family declares, such as label permutations. The last level is
    that of all automorphisms of the formula, which are found and not declared. It depends on the
    encoding, and includes the other levels where the declared symmetries are automorphisms of the
    formula.

    A level is a string, so that files and JSON have its name.

    >>> Level.ROTATION < Level.ALL, Level.parse("rotation").in_words
    (True, 'rotation')
    """

    NOTHING = "nothing"
    ROTATION = "rotation"
    REFLECTION = "reflection"
    ALL = "all"
    AUTOMORPHISM = "automorphism"

    @classmethod
    def parse(cls, text: str, *, declared: bool = False) -> Level:
        """The level of this name, perhaps only a declared one. Raises ValueError.

        Only the faces call it: the command line, the functions of `import jigsat`, and the page.
        """
        allowed = DECLARED_LEVELS if declared else tuple(cls)
        if text not in allowed:
            raise ValueError(f"must be one of {', '.join(allowed)}; got {text!r}")
        return cls(text)

    @property
    def is_declared(self) -> bool:
        """Whether the family declares its symmetries, so that they need not be found."""
        return self is not Level.AUTOMORPHISM

    @property
    def in_words(self) -> str:
        """The name of the level in messages, after 'up to'."""
        return _WORDS[self]

    @property
    def _place(self) -> int:
        return _PLACES[self]

    # As strings, levels would be compared by their letters.

    def __lt__(self, other: str) -> bool:
        return self._place < Level(other)._place

    def __le__(self, other: str) -> bool:
        return self._place <= Level(other)._place

    def __gt__(self, other: str) -> bool:
        return self._place > Level(other)._place

    def __ge__(self, other: str) -> bool:
        return self._place >= Level(other)._place

    def __repr__(self) -> str:
        """Like that of a string, because users see the levels in the numbers of a result."""
        return repr(self.value)


DECLARED_LEVELS = (Level.NOTHING, Level.ROTATION, Level.REFLECTION, Level.ALL)

_PLACES = {level: place for place, level in enumerate(Level)}

_WORDS = {
    Level.NOTHING: "nothing",
    Level.ROTATION: "rotation",
    Level.REFLECTION: "rotation and reflection",
    Level.ALL: "all its symmetries",
    Level.AUTOMORPHISM: "automorphism",
}


def add_levels(solutions: int, distinct: Mapping[Level, int]) -> dict[Level, int]:
    """The number of distinct solutions at each level; a level that adds no symmetries has the
    number of the one before it.

    >>> add_levels(96, {Level.ROTATION: 4, Level.ALL: 2})
    {'rotation': 4, 'reflection': 4, 'all': 2}
    """
    counts: dict[Level, int] = {}
    number = solutions
    for level in DECLARED_LEVELS[1:]:
        number = counts[level] = distinct.get(level, number)
    return counts


def in_words(distinct: Mapping[Level, int]) -> str:
    """The number of distinct solutions at each level, to be appended to the number of solutions.

    >>> "96 solutions" + in_words({Level.ROTATION: 4, Level.REFLECTION: 2})
    '96 solutions, 4 up to rotation, 2 up to rotation and reflection'
    """
    return "".join(f", {count:,} up to {level.in_words}" for level, count in distinct.items())


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
    """A permutation of the placements that maps solutions to solutions; `level` is the first that
    includes it."""

    level: Literal["rotation", "reflection", "all"]
    images: Mapping[Placement, Placement]
