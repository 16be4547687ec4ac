"""Groups given by generators, for formulas whose symmetries the user states."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence

from jigsat.errors import InputError
from jigsat.formula import Cardinality, Clause, Constraint, Formula, Linear, literal_of
from jigsat.symmetry.group import Group, Permutation
from jigsat.symmetry.levels import LEVELS

MAX_GROUP_ENTRIES = 10_000_000
"""The maximum of the group's order times the number of variables, because all permutations are kept in memory."""


def generate_group(formula: Formula, generators: Iterable[Mapping[int, int]]) -> Group:
    """The group that permutations of the decision variables generate, at the level `all`.

    A generator maps variables to variables, and fixes those that it does not list. Raises TypeError for a generator that is not
    a mapping of literals, InputError for one that is not a permutation of decision variables, and for a group that is too large
    to list.

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
    identity, *others = [dict(zip(decisions, map(decisions.__getitem__, element), strict=True)) for element in elements]
    return Group({level: [identity, *others] if level == LEVELS[-1] else [identity] for level in LEVELS})


def _permute_decisions(formula: Formula, decisions: Sequence[int], images: Mapping[int, int], number: int) -> list[int]:
    """The image of each decision variable."""
    if not isinstance(images, Mapping):
        raise TypeError(f"permutation {number} of `group` must be a dict {{variable: image, …}}; got {type(images).__name__}")
    known = set(decisions)
    for variable in map(literal_of, (*images, *images.values())):
        if variable not in known:
            raise InputError(f"permutation {number} of `group`: {variable} is not a decision variable of the formula")
    permuted = [images.get(variable, variable) for variable in decisions]
    if len(set(permuted)) < len(permuted):
        repeated = next(variable for variable in permuted if permuted.count(variable) > 1)
        raise InputError(f"permutation {number} of `group`: two variables have the same image, {formula.name(repeated)}")
    return permuted


def _closure(steps: Sequence[Sequence[int]], degree: int) -> list[tuple[int, ...]]:
    """All products of the permutations of 0, 1, …; the identity is the first."""
    identity = tuple(range(degree))
    found = {identity: None}
    frontier = [identity]
    while frontier:
        element = frontier.pop()
        for step in steps:
            product = tuple(map(element.__getitem__, step))
            if product not in found:
                if (len(found) + 1) * degree > MAX_GROUP_ENTRIES:
                    raise InputError(f"the group has more than {len(found):,} elements, too many to list; give a subgroup")
                found[product] = None
                frontier.append(product)
    return list(found)


def preserves(formula: Formula, *permutations: Permutation) -> bool:
    """Whether permutations of the decision variables map the constraints of the formula onto each other.

    If so, they are symmetries of the formula. If not, they may still be. With auxiliary variables the result is always False,
    since their images are unknown.
    """
    if any(len(images) < formula.top for images in permutations):
        return False
    plain = {_signature(constraint, {}) for constraint in formula.constraints()}
    return all(plain == {_signature(constraint, images) for constraint in formula.constraints()} for images in permutations)


def _signature(constraint: Constraint, images: Permutation) -> Hashable:
    """A key for the image of a constraint, independent of the order of its literals."""

    def image(literal: int) -> int:
        moved = images.get(abs(literal), abs(literal))
        return moved if literal > 0 else -moved

    match constraint:
        case Clause(literals):
            return "clause", frozenset(map(image, literals))
        case Cardinality(literals, at_least, at_most):
            return "cardinality", frozenset(map(image, literals)), at_least, at_most
        case Linear(literals, weights, at_least, at_most):
            return "linear", frozenset(zip(map(image, literals), weights, strict=True)), at_least, at_most
    return "xor", frozenset(map(image, constraint.variables)), constraint.odd
