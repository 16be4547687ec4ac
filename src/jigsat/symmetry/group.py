"""Permutation groups on the decision variables: orbits and symmetry breaking.

Here, a solution is the frozenset of its true decision variables.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, islice, pairwise
from typing import TypeVar

from jigsat.errors import InputError
from jigsat.formula import Cardinality, Formula, Linear, literal_of
from jigsat.symmetry.levels import DECLARED_LEVELS, Level, OnDemand, Placement, Symmetry

Permutation = Mapping[int, int]
Model = frozenset[int]
T = TypeVar("T", bound=Hashable)

SAMPLED_VARIABLES = 1000
"""About the number of variables whose images are compared to find out whether two symmetries may be
the same."""

MAX_GROUP_ENTRIES = 10_000_000
"""The maximum of the group's order times the number of variables, because all permutations are kept
in memory."""


def reach(start: Iterable[T], following: Callable[[T], Iterable[T]]) -> Iterator[T]:
    """Everything that is reached from the start, which comes first; each thing once."""
    found = dict.fromkeys(start)
    queue = list(found)
    for thing in queue:  # grows during the loop
        yield thing
        for other in following(thing):
            if other not in found:
                found[other] = None
                queue.append(other)


def _no_permutation(symmetry: Symmetry, placements: Mapping[Placement, int]) -> str:
    """The message about a symmetry whose level is unknown or that does not permute the
    placements."""
    if symmetry.level not in DECLARED_LEVELS[1:]:
        levels = ", ".join(DECLARED_LEVELS[1:])
        return f"symmetries: unknown level {symmetry.level!r}; use one of {levels}"
    images: object = symmetry.images
    if not isinstance(images, Mapping):
        return f"symmetries: the images are {images!r}, not a dict"
    here = {*symmetry.images, *symmetry.images.values()}
    strange = next((f"{each} is not one of them" for each in here if each not in placements), "")
    missing = next(
        (f"{each} has no image" for each in placements if each not in symmetry.images), ""
    )
    twice = f"{Counter(symmetry.images.values()).most_common(1)[0][0]} is the image of two of them"
    return (
        f"symmetries: one of the level {symmetry.level} does not permute the placements of "
        f"decision variables: "
        f"{strange or missing or twice}"
    )


def _on_variables(
    symmetry: Symmetry, variables: Mapping[Placement, int], formula: Formula
) -> Permutation:
    """The permutation of the variables. Raises KeyError if the level is unknown or the listed
    images are no permutation."""
    if symmetry.level not in DECLARED_LEVELS[1:] or not isinstance(symmetry.images, Mapping):
        raise KeyError
    if isinstance(symmetry.images, OnDemand):
        return OnDemand(
            variables.values(), lambda variable: variables[symmetry.images[formula.key(variable)]]
        )
    images = {variables[a]: variables[b] for a, b in symmetry.images.items()}
    if len(set(images.values())) < len(variables):
        raise KeyError
    return images


@dataclass(frozen=True)
class Group:
    """A chain of permutation groups, one for each declared level. Each contains the group of the
    level before.

    After them, there may be the level of automorphisms.
    """

    levels: Mapping[Level, Sequence[Permutation]]

    @classmethod
    def of(cls, formula: Formula, symmetries: Iterable[Symmetry]) -> Group:
        """The group that a puzzle's symmetries form on the decision variables of its formula.

        Raises InputError for a symmetry that is not a permutation of their placements, or whose
        level is unknown.
        """
        variables = {formula.key(variable): variable for variable in formula.decisions()}
        identity = {variable: variable for variable in variables.values()}
        some = list(identity)[:: max(1, len(identity) // SAMPLED_VARIABLES)]
        found: dict[tuple[int, ...], list[tuple[Level, Permutation]]] = {
            tuple(some): [(Level.NOTHING, identity)]
        }
        for symmetry in symmetries:
            try:
                images = _on_variables(symmetry, variables, formula)
                alike = found.setdefault(tuple(images[variable] for variable in some), [])
                at = next(
                    (
                        i
                        for i, (_, other) in enumerate(alike)
                        if all(images[x] == other[x] for x in identity)
                    ),
                    None,
                )
            except KeyError as error:
                raise InputError(_no_permutation(symmetry, variables)) from error
            level = Level(symmetry.level)
            if at is None:
                alike.append((level, images))
            elif level < alike[at][0]:
                alike[at] = (level, images)
        every = list(chain.from_iterable(found.values()))
        return cls(
            {
                level: [images for first, images in every if first <= level]
                for level in DECLARED_LEVELS
            }
        )

    @property
    def orders(self) -> dict[Level, int]:
        """The order of the group at each level that has more symmetries than the one before, and
        always at that of automorphisms."""
        sizes = [(level, len(group)) for level, group in self.levels.items()]
        return {
            level: size
            for (_, before), (level, size) in pairwise(sizes)
            if size > before or level == Level.AUTOMORPHISM
        }

    def keeping(self, weights: Mapping[int, int]) -> Group:
        """The subgroups that map literals of decision variables to literals of the same weight."""

        def keeps(images: Permutation) -> bool:
            return weights == {
                images[x] if x > 0 else -images[-x]: weight for x, weight in weights.items()
            }

        return Group(
            {
                level: [images for images in group if keeps(images)]
                for level, group in self.levels.items()
            }
        )

    def orbit(self, model: Model, level: Level) -> set[Model]:
        """The images of a solution under all symmetries of the level, including the solution
        itself."""
        return {frozenset(map(images.__getitem__, model)) for images in self.levels[level]}

    def count(self, models: Iterable[Model], level: Level) -> int:
        """The number of orbits of the level that contain one of the solutions."""
        rest, number = set(models), 0
        while rest:
            rest -= self.orbit(next(iter(rest)), level)
            number += 1
        return number

    def first(self, model: Model, level: Level) -> tuple[int, ...]:
        """The smallest image of a solution, in ascending order; it identifies the orbit."""
        return tuple(min([sorted(map(images.__getitem__, model)) for images in self.levels[level]]))

    def breaking(self, formula: Formula, level: Level) -> list[int] | None:
        """A clause that at least one member of every orbit of solutions satisfies, or None if no
        clause helps.

        Let X be a set of literals that the group maps onto itself and of which at least one is true
        in every solution. Choose a representative of each orbit of X. Each orbit of solutions has a
        member in which a representative is true, so it is sound to require one of them. X is
        generated from an 'at least one' constraint. The clause excludes more solutions if fewer
        literals of X are true in a solution, so the constraint with the fewest images is preferred,
        then the one with the most literals per representative (rounded down), then the one with the
        fewest representatives, from which a solver can conclude more: a piece that fits only in
        corners is put into one corner. Literals that clauses refute are left out.
        """
        group = self.levels[level]
        if len(group) == 1:
            return None
        smallest = {x: min(g[x] for g in group) for x in group[0]}
        seen: set[frozenset[int]] = set()
        batches = (
            batch for rules in formula.groups.values() for batch in rules.constraints.batches()
        )
        # the variables that clauses of one literal refute
        false = frozenset(
            -row[0]
            for batch in batches
            if isinstance(batch, list) and len(batch[0]) == 1
            for row in batch
        )
        best: tuple[int, int, int, list[int]] | None = None
        for required in map(frozenset, _required_sets(formula, smallest.keys())):
            if required in seen:
                continue
            images = {frozenset(map(g.__getitem__, required)) for g in group}
            seen |= images
            literals = frozenset().union(*images) - false
            representatives = sorted({smallest[x] for x in literals} - false)
            rank = (
                len(images),
                -(len(literals) // max(1, len(representatives))),
                len(representatives),
            )
            if best is None or rank < best[:3]:
                best = *rank, representatives
        return best[3] if best and best[1] < -1 else None


def _required_sets(formula: Formula, decisions: Collection[int]) -> Iterator[tuple[int, ...]]:
    """The non-empty sets of decision variables of which a constraint requires at least one to be
    true."""
    for group in formula.groups.values():
        for batch in group.constraints.batches():
            match batch:
                case list():
                    rows = batch
                case Cardinality(literals, at_least, _) | Linear(literals, _, at_least, _) if (
                    at_least >= 1
                ):
                    rows = [literals]
                case _:  # no other constraint requires that one of its variables is true
                    continue
            # most rows begin with a negative literal
            some = [row for row in rows if row and row[0] in decisions]
            yield from (row for row in some if all(map(decisions.__contains__, row)))


def generate_group(formula: Formula, generators: Iterable[Mapping[int, int]]) -> Group:
    """The group that permutations of the decision variables generate, at the level `all`.

    A generator maps variables to variables, and fixes those that it does not list. Raises TypeError
    for a generator that is not a mapping of literals, InputError for one that is not a permutation
    of decision variables, and for a group that is too large to list.

    >>> formula = Formula()
    >>> x = formula.variables("x", {"i": range(3)})
    >>> generate_group(formula, [{x(0): x(1), x(1): x(2), x(2): x(0)}]).orders
    {'all': 3}
    """
    decisions = formula.decisions()
    place = {variable: i for i, variable in enumerate(decisions)}
    steps = [
        [place[x] for x in _permute_decisions(formula, decisions, images, number)]
        for number, images in enumerate(generators, 1)
    ]
    elements = _closure(steps, len(decisions))
    identity, *others = [
        dict(zip(decisions, map(decisions.__getitem__, element), strict=True))
        for element in elements
    ]
    return Group(
        {
            level: [identity, *others] if level == Level.ALL else [identity]
            for level in DECLARED_LEVELS
        }
    )


def _permute_decisions(
    formula: Formula, decisions: Sequence[int], images: Mapping[int, int], number: int
) -> list[int]:
    """The image of each decision variable."""
    if not isinstance(images, Mapping):
        raise TypeError(
            f"permutation {number} of `group` must be a dict {{variable: image, …}}; got "
            f"{type(images).__name__}"
        )
    known = set(decisions)
    for variable in map(literal_of, (*images, *images.values())):
        if variable not in known:
            raise InputError(
                f"permutation {number} of `group`: {variable} is not a decision variable of the "
                f"formula"
            )
    permuted = [images.get(variable, variable) for variable in decisions]
    if len(set(permuted)) < len(permuted):
        repeated = next(variable for variable in permuted if permuted.count(variable) > 1)
        raise InputError(
            f"permutation {number} of `group`: two variables have the same image, "
            f"{formula.name(repeated)}"
        )
    return permuted


def _closure(steps: Sequence[Sequence[int]], degree: int) -> list[tuple[int, ...]]:
    """All products of the permutations of 0, 1, …; the identity is the first."""
    most = MAX_GROUP_ENTRIES // max(1, degree)
    reached = reach(
        [tuple(range(degree))],
        lambda element: [tuple(map(element.__getitem__, step)) for step in steps],
    )
    found = list(islice(reached, most + 1))
    if len(found) > most:
        raise InputError(
            f"the group has more than {most:,} elements, too many to list; give a subgroup"
        )
    return found
