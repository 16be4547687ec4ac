"""Descriptions of a formula's automorphisms, and which of them the family declares."""

from collections.abc import Collection, Hashable, Iterator, Mapping
from typing import NamedTuple

from jigsat.errors import plural
from jigsat.formula import Formula, Name, compact
from jigsat.search.propagation import fixed_literals
from jigsat.symmetry import LEVELS, Automorphisms, Group, generators

MAX_CYCLES_CHARACTERS = 60
"""A permutation is described by its first cycles, up to this number of characters; further cycles are only counted."""

MAX_CYCLE_ELEMENTS = 6  # a cycle is described by at most this number of elements


class DescribedGenerator(NamedTuple):
    """A generator of the automorphism group in words, and the level at which the family declares it, if any."""

    words: str
    declared: str | None

    def __str__(self) -> str:
        return f"{self.words} ({f'declared: {self.declared}' if self.declared else 'not declared'})"


class AutomorphismGroup(NamedTuple):
    """The order of the automorphism group, the number of declared symmetries in it, and its generators in words."""

    order: int
    declared: int
    generators: list[DescribedGenerator]


def find_automorphisms(formula: Formula) -> Automorphisms:
    """The automorphisms of a formula, after fixing variables by failed literals. Raises InputError without igraph."""
    known = fixed_literals(formula)
    return Automorphisms(formula, frozenset(-x for x in range(1, formula.top + 1)) if known is None else known)


def describe_group(formula: Formula, group: Group) -> AutomorphismGroup:
    """The automorphism group of a formula, compared with its declared symmetries. Raises InputError without igraph."""
    found = find_automorphisms(formula)
    declared: dict[tuple[int, ...], str] = {}
    for level, elements in group.levels.items():
        for images in elements:
            declared.setdefault(found.restrict_to_decisions(images), level)
    said = [
        DescribedGenerator(in_words(formula, found.decisions, images), declared.get(found.restrict_to_decisions(images)))
        for images in found.generators
    ]
    largest = group.levels[LEVELS[-1]]
    contained = largest if all(map(found.contains, generators(largest))) else filter(found.contains, largest)
    return AutomorphismGroup(found.order, len(set(map(found.restrict_to_decisions, contained))), said)


def in_words(formula: Formula, decisions: Collection[int], images: Mapping[int, int]) -> str:
    """A permutation of decision variables in words; variables that it does not list are fixed.

    If it consistently permutes the values of an axis, such as the tiles, it is described by these values.

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
        name, image = formula.name(x), formula.name(images.get(x, x))
        for axis, value, other in zip(name.axes, name.key, image.key, strict=False):
            if by_axis.setdefault(axis, {}).setdefault(value, other) != other:
                excluded.add(axis)
        if name.axes != image.axes:
            excluded.update(name.axes)
    said = [
        f"{axis}{'' if axis.endswith('s') else 's'} {_describe_cycles(moves)}"
        for axis, values in by_axis.items()
        if axis not in excluded and (moves := {value: other for value, other in values.items() if value != other})
        and moves.keys() == set(moves.values())
    ]  # fmt: skip
    return "; ".join(said) or _describe_cycles({formula.name(x): formula.name(y) for x, y in images.items()})


def _describe_cycles(images: Mapping[Hashable, Hashable]) -> str:
    """A permutation by its cycles."""
    cycles = [[str(value) if isinstance(value, Name) else compact(value) for value in cycle] for cycle in _cycles(images)]
    pairs = all(len(cycle) == 2 for cycle in cycles)
    said: list[str] = []
    for cycle in cycles:
        if said and len(", ".join(said)) + len(", ".join(cycle)) > MAX_CYCLES_CHARACTERS:
            break
        shown = [*cycle, cycle[0]] if len(cycle) <= MAX_CYCLE_ELEMENTS else [*cycle[:MAX_CYCLE_ELEMENTS], "…"]
        said.append(" and ".join(cycle) if pairs else " → ".join(shown))
    if more := len(cycles) - len(said):
        said.append(f"and {plural(more, 'more pair' if pairs else 'more cycle')}")
    return ", ".join(said) + (" change places" if pairs else "")


def _cycles(images: Mapping[Hashable, Hashable]) -> Iterator[list[Hashable]]:
    left = dict(images)
    while left:
        start, following = next(iter(left.items()))
        cycle = [start]
        del left[start]
        while following != start:
            cycle.append(following)
            following = left.pop(following)
        yield cycle
