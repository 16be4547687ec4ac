"""Permutation groups on the decision variables: orbits and symmetry breaking.

Here, a solution is the frozenset of its true decision variables.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, islice, pairwise
from typing import NamedTuple, TypeVar

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
    reached = dict.fromkeys(start)
    queue = list(reached)
    for thing in queue:  # grows during the loop
        yield thing
        for other in following(thing):
            if other not in reached:
                reached[other] = None
                queue.append(other)


class _Elements:
    """The permutations of a group that differ, each with the lowest level at which it is declared.

    Permutations are compared on a sample of the variables first.
    """

    def __init__(self, variables: Sequence[int]) -> None:
        self._variables = variables
        self._sample = variables[:: max(1, len(variables) // SAMPLED_VARIABLES)]
        self._by_sample: dict[tuple[int, ...], list[tuple[Level, Permutation]]] = {}

    def add(self, level: Level, images: Permutation) -> None:
        sample = tuple(images[variable] for variable in self._sample)
        alike = self._by_sample.setdefault(sample, [])
        for i, (known_level, known) in enumerate(alike):
            if all(images[x] == known[x] for x in self._variables):
                alike[i] = (min(level, known_level), known)
                return
        alike.append((level, images))

    def up_to(self, level: Level) -> list[Permutation]:
        """The permutations that are declared at this level or a lower one."""
        elements = chain.from_iterable(self._by_sample.values())
        return [images for lowest, images in elements if lowest <= level]


def _permute_variables(
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


def _describe_fault(symmetry: Symmetry, placements: Mapping[Placement, int]) -> str:
    """The message about a symmetry whose level is unknown or that does not permute the
    placements."""
    if symmetry.level not in DECLARED_LEVELS[1:]:
        levels = ", ".join(DECLARED_LEVELS[1:])
        return f"symmetries: unknown level {symmetry.level!r}; use one of {levels}"
    images: object = symmetry.images
    if not isinstance(images, Mapping):
        return f"symmetries: the images are {images!r}, not a dict"
    return (
        f"symmetries: one of the level {symmetry.level} does not permute the placements of "
        f"decision variables: {_find_misplaced(images, placements)}"
    )


def _find_misplaced(
    images: Mapping[Placement, Placement], placements: Mapping[Placement, int]
) -> str:
    """What is wrong with images that do not permute the placements."""
    for placement in {*images, *images.values()}:
        if placement not in placements:
            return f"{placement} is not one of them"
    for placement in placements:
        if placement not in images:
            return f"{placement} has no image"
    repeated = Counter(images.values()).most_common(1)[0][0]
    return f"{repeated} is the image of two of them"


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
        variables = formula.decisions_by_key()
        elements = _Elements(list(variables.values()))
        elements.add(Level.NOTHING, {variable: variable for variable in variables.values()})
        for symmetry in symmetries:
            try:
                images = _permute_variables(symmetry, variables, formula)
                elements.add(Level(symmetry.level), images)
            except KeyError as error:
                raise InputError(_describe_fault(symmetry, variables)) from error
        return cls({level: elements.up_to(level) for level in DECLARED_LEVELS})

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

    def preserve_weights(self, weights: Mapping[int, int]) -> Group:
        """The subgroups that map literals of decision variables to literals of the same weight."""

        def preserves(images: Permutation) -> bool:
            moved = {}
            for literal, weight in weights.items():
                image = images[literal] if literal > 0 else -images[-literal]
                moved[image] = weight
            return moved == weights

        return Group({level: list(filter(preserves, g)) for level, g in self.levels.items()})

    def orbit(self, model: Model, level: Level) -> set[Model]:
        """The images of a solution under all symmetries of the level, including the solution
        itself."""
        return {frozenset(map(images.__getitem__, model)) for images in self.levels[level]}

    def count_orbits(self, models: Iterable[Model], level: Level) -> int:
        """The number of orbits of the level that contain one of the solutions."""
        rest = set(models)
        number = 0
        while rest:
            rest -= self.orbit(next(iter(rest)), level)
            number += 1
        return number

    def least_image(self, model: Model, level: Level) -> tuple[int, ...]:
        """The smallest image of a solution, in ascending order; it identifies the orbit."""
        return tuple(min([sorted(map(images.__getitem__, model)) for images in self.levels[level]]))

    def find_breaking_clause(self, formula: Formula, level: Level) -> list[int] | None:
        """A clause that at least one member of every orbit of solutions satisfies, or None if no
        clause helps.

        Let X be a set of literals that the group maps onto itself and of which at least one is true
        in every solution. Choose a representative of each orbit of X. Each orbit of solutions has a
        member in which a representative is true, so it is sound to require one of them. X is
        generated from an 'at least one' constraint. The clause excludes more solutions if fewer
        literals of X are true in a solution, so the constraint is preferred whose images require
        the fewest, then the one with the most literals per representative (rounded down), then the
        one with the fewest representatives, from which a solver can conclude more: a piece that
        fits only in corners is put into one corner. Literals that clauses refute are left out.
        """
        group = self.levels[level]
        if len(group) == 1:
            return None
        representative = {x: min(images[x] for images in group) for x in group[0]}
        refuted = _list_refuted(formula)
        tried: set[frozenset[int]] = set()
        best: _BreakingClause | None = None
        for row, number in _required_sets(formula, representative.keys()):
            required = frozenset(row)
            if required in tried:
                continue
            sets = {frozenset(map(images.__getitem__, required)) for images in group}
            tried |= sets
            literals = frozenset().union(*sets) - refuted
            representatives = sorted({representative[x] for x in literals} - refuted)
            literals_each = len(literals) // max(1, len(representatives))
            clause = _BreakingClause(representatives, number * len(sets), literals_each)
            if best is None or clause.rank() < best.rank():
                best = clause
        if best is None or best.literals_each <= 1:
            return None
        return best.representatives


class _BreakingClause(NamedTuple):
    """A clause that breaks symmetries, how many literals the images of the constraint require that
    it is generated from, and how many literals a representative stands for."""

    representatives: list[int]
    required: int
    literals_each: int

    def rank(self) -> tuple[int, int, int]:
        """The clause of the lowest rank is the best one."""
        return self.required, -self.literals_each, len(self.representatives)


def _list_refuted(formula: Formula) -> frozenset[int]:
    """The variables that clauses of one negative literal refute, and the negations of those that
    clauses require."""
    refuted: set[int] = set()
    for group in formula.groups.values():
        for batch in group.constraints.batches():
            if isinstance(batch, list) and len(batch[0]) == 1:
                refuted.update(-literal for (literal,) in batch)
    return frozenset(refuted)


def _required_sets(
    formula: Formula, decisions: Collection[int]
) -> Iterator[tuple[tuple[int, ...], int]]:
    """The non-empty sets of decision variables of which a constraint requires some to be true, each
    with the least number of them."""
    for group in formula.groups.values():
        for batch in group.constraints.batches():
            number = 1
            match batch:
                case list():
                    rows = batch
                case Cardinality(literals, at_least, _) if at_least >= 1:
                    rows = [literals]
                    number = at_least
                case Linear(literals, weights, at_least, _) if at_least >= 1:
                    rows = [literals]
                    number = math.ceil(at_least / max(weights))
                case _:  # no other constraint requires that one of its variables is true
                    continue
            for row in rows:
                # most rows begin with a negative literal
                if row and row[0] in decisions and all(x in decisions for x in row):
                    yield row, number


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
    elements = list(islice(reached, most + 1))
    if len(elements) > most:
        raise InputError(
            f"the group has more than {most:,} elements, too many to list; give a subgroup"
        )
    return elements
