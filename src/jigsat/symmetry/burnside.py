"""Burnside's lemma: the number of orbits of solutions from the number of solutions that each
symmetry fixes."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import islice

from jigsat.errors import InputError
from jigsat.formula import Formula
from jigsat.symmetry.group import Group, Permutation, reach
from jigsat.symmetry.levels import Level

Images = tuple[int, ...]  # images of the decision variables in ascending order


def fixed_by(formula: Formula, images: Permutation) -> Formula:
    """The formula with x = g(x) added for every decision variable: its models are the solutions
    that g fixes."""
    fixed = formula.extended()
    with fixed.rule("fixed by the symmetry"):
        for variable, image in images.items():
            if variable != image:
                fixed.xor((variable, image), odd=False)
    return fixed


def count_solutions_and_orbits(
    formula: Formula, group: Group, count: Callable[[Formula], int]
) -> tuple[int, dict[Level, int]]:
    """The number of solutions, and the number of their orbits at each level of the group, by
    Burnside's lemma.

    The number of orbits is the average number of solutions that an element fixes. `count` counts
    the models of a formula on its decision variables. No orbit is listed, so this result is
    independent of enumeration. Raises InputError if the average is not an integer; then the
    permutations are not a group of symmetries.
    """
    number = count(formula)
    if number <= 1:
        return number, dict.fromkeys(group.orders, number)  # a single solution is its own orbit
    largest = max(group.levels.values(), key=len)
    variables = sorted(largest[0])
    identity = tuple(variables)
    fixed: dict[Images, int] = {}
    for conjugate in conjugacy_classes(largest):  # conjugate elements fix equally many solutions
        images = dict(zip(variables, conjugate[0], strict=True))
        fixed |= dict.fromkeys(
            conjugate, number if conjugate[0] == identity else count(fixed_by(formula, images))
        )
    distinct = {}
    for level in group.orders:
        average = Fraction(
            sum(fixed[_images(element)] for element in group.levels[level]),
            len(group.levels[level]),
        )
        if average.denominator != 1:
            raise InputError(
                f"symmetries: not a group of symmetries of the formula, because there would be "
                f"{average} orbits"
            )
        distinct[level] = average.numerator
    return number, distinct


def _images(element: Permutation) -> Images:
    return tuple(element[variable] for variable in sorted(element))


def conjugacy_classes(group: Sequence[Permutation]) -> Iterator[list[Images]]:
    """The conjugacy classes of a group, given all of its elements."""
    place = {variable: at for at, variable in enumerate(sorted(group[0]))}
    elements = dict.fromkeys(map(_images, group))
    # beside each generator, for each variable the position at which it is the image
    generators = [
        (g, sorted(place.values(), key=g.__getitem__)) for g in _generating(list(elements), place)
    ]
    left = set(elements)
    for element in elements:
        if element not in left:
            continue
        conjugates = list(
            reach(
                [element],
                lambda h: [tuple([g[place[h[at]]] for at in inverse]) for g, inverse in generators],
            )
        )
        left.difference_update(conjugates)
        yield conjugates


def generators(group: Sequence[Permutation]) -> list[dict[int, int]]:
    """A few elements that generate a group, given all of its elements."""
    variables = sorted(group[0])
    place = {variable: at for at, variable in enumerate(variables)}
    return [
        dict(zip(variables, images, strict=True))
        for images in _generating(list(map(_images, group)), place)
    ]


def _generating(elements: Sequence[Images], place: Mapping[int, int]) -> list[Images]:
    """A few elements that generate the group."""
    generators: list[Images] = []
    generated: set[Images] = {tuple(place)}
    for element in elements:
        if element in generated:
            continue
        generators.append(element)
        products = reach(generated, lambda h: [tuple([g[place[x]] for x in h]) for g in generators])
        generated = set(islice(products, len(elements)))
    return generators
