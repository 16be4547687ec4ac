"""Permutation groups on the decision variables: orbits, symmetry breaking, and Burnside's lemma.

A solution is here the frozenset of decision variables that are true in it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from jigsat.formula import Cardinality, Clause, Constraint, Formula, Linear
from jigsat.symmetry.levels import LEVELS, Symmetry

Permutation = Mapping[int, int]
Model = frozenset[int]


def packed(model: Iterable[int]) -> int:
    """A solution as an integer: it takes a small fraction of the memory."""
    return sum(map((1).__lshift__, model))


@dataclass(frozen=True)
class Group:
    """A chain of permutation groups by level of `LEVELS`, each containing the one before, the identity always in it."""

    levels: Mapping[str, Sequence[Permutation]]

    @classmethod
    def of(cls, formula: Formula, symmetries: Iterable[Symmetry]) -> Group:
        """The group that a puzzle's symmetries make on the decision variables of its formula."""
        variables = {formula.key(variable): variable for variable in formula.decisions()}
        identity = {variable: variable for variable in variables.values()}
        found = {tuple(identity.values()): ("nothing", identity)}
        for symmetry in symmetries:
            images = {variables[a]: variables[b] for a, b in symmetry.images.items()}
            signature = tuple(images[variable] for variable in identity)
            if signature not in found or LEVELS.index(symmetry.level) < LEVELS.index(found[signature][0]):
                found[signature] = (symmetry.level, images)
        return cls(
            {level: [images for at, images in found.values() if LEVELS.index(at) <= LEVELS.index(level)] for level in LEVELS}
        )

    @property
    def orders(self) -> dict[str, int]:
        """The order of the group at each level that has more symmetries than the level before."""
        sizes = [len(self.levels[level]) for level in LEVELS]
        return {level: size for level, size, before in zip(LEVELS[1:], sizes[1:], sizes, strict=False) if size > before}

    def keeping(self, weights: Mapping[int, int]) -> Group:
        """The subgroups that map literals of decision variables to literals of the same weight."""

        def keeps(images: Permutation) -> bool:
            return weights == {images[x] if x > 0 else -images[-x]: weight for x, weight in weights.items()}

        return Group({level: [images for images in group if keeps(images)] for level, group in self.levels.items()})

    def orbit(self, model: Model, level: str) -> set[Model]:
        """The images of a solution under all symmetries of the level, itself among them."""
        return {frozenset(map(images.__getitem__, model)) for images in self.levels[level]}

    def first(self, model: Model, level: str) -> int:
        """The least of the images of a solution as integers: it tells the orbits apart."""
        return min(packed(map(images.__getitem__, model)) for images in self.levels[level])

    def breaking(self, formula: Formula, level: str) -> list[int] | None:
        """A clause that every orbit of solutions satisfies with at least one member, or None where nothing is gained.

        Let X be a set of literals that the group maps onto itself and of which at least one is true in every solution.
        Each orbit has a member in which a chosen representative of X's orbits is true, so it is sound to require one of the
        representatives. X is grown here from a constraint that says 'at least one of these'. The fewer literals of X
        a solution makes true, the more it rules out; so few images of the constraint come first, then few representatives.
        """
        group = self.levels[level]
        if len(group) == 1:
            return None
        smallest = {x: min(g[x] for g in group) for x in group[0]}
        seen: set[frozenset[int]] = set()
        best: tuple[int, Fraction, list[int]] | None = None
        for constraint in formula.constraints():
            demanded = frozenset(_one_of(constraint))
            if not demanded or demanded in seen or not demanded <= smallest.keys():
                continue
            images = {frozenset(map(g.__getitem__, demanded)) for g in group}
            seen |= images
            literals = frozenset().union(*images)
            representatives = sorted({smallest[x] for x in literals})
            rank = len(images), Fraction(len(representatives), len(literals))
            if best is None or rank < best[:2]:
                best = *rank, representatives
        return best[2] if best and best[1] < 1 else None


def _one_of(constraint: Constraint) -> tuple[int, ...]:
    """Literals of which the constraint demands at least one; none if it demands nothing of the kind."""
    match constraint:
        case Clause(literals):
            return literals
        case Cardinality(literals, at_least, _) | Linear(literals, _, at_least, _) if at_least >= 1:
            return literals
    return ()


def fixed_by(formula: Formula, images: Permutation) -> Formula:
    """The formula with x = g(x) added for every decision variable: its models are the solutions that g leaves as they are."""
    fixed = formula.extended()
    with fixed.group("fixed by the symmetry"):
        for variable, image in images.items():
            if variable != image:
                fixed.xor((variable, image), odd=False)
    return fixed


def burnside(formula: Formula, group: Sequence[Permutation], count: Callable[[Formula], int]) -> int:
    """The number of orbits of solutions, by Burnside's lemma: the average number of solutions that an element fixes.

    `count` counts the models of a formula on its decision variables. No orbit is listed, so this is another route to
    the number of distinct solutions than enumerating them. Raises ArithmeticError if the average is no integer, that is, if
    the permutations are no group of symmetries.
    """
    orbits = Fraction(sum(count(fixed_by(formula, images)) for images in group), len(group))
    if orbits.denominator != 1:
        raise ArithmeticError(f"{orbits} orbits: these permutations are not a group of symmetries of the formula")
    return orbits.numerator
