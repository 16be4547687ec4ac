"""Totals: numbers that add up by a rule, such as those of a run or a cage."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from jigsat.formula import Constraint, Linear
from jigsat.symmetry import Placement

Options = tuple[int, ...]


class Total(NamedTuple):
    """Cells that add up to a number by a rule: for each, the rule that requires a number of it, and
    its literals with their numbers.
    """

    rule: str
    number: int
    cells: tuple[tuple[str, dict[int, int]], ...]


def find_totals(
    rules: Mapping[str, Sequence[Constraint]],
    requirements: Iterable[tuple[str, Options]],
    keys: Mapping[int, Placement],
) -> dict[str, list[Total]]:
    """The totals of each rule that has some. `requirements` are literals of which a rule requires
    one.
    """
    cells: dict[int, tuple[str, Options]] = {}
    for rule, options in requirements:
        for x in options:
            cells.setdefault(x, (rule, options))
    totals: dict[str, list[Total]] = {}
    for rule, constraints in rules.items():
        for constraint in constraints:
            if isinstance(constraint, Linear) and constraint.at_least == constraint.at_most:
                total = _read_total(rule, constraint, cells, keys)
                if total:
                    totals.setdefault(rule, []).append(total)
    return totals


def _read_total(
    rule: str,
    constraint: Linear,
    cells: Mapping[int, tuple[str, Options]],
    keys: Mapping[int, Placement],
) -> Total | None:
    """The total that a constraint states, if its weights are all the numbers of some cells."""
    weights = dict(zip(constraint.literals, constraint.weights, strict=True))
    numbers: dict[str, dict[int, int]] = {}
    for x in weights:
        if x not in cells:
            return None
        name, options = cells[x]
        if any(weights.get(y) != getattr(keys[y], "value", None) for y in options):
            return None
        numbers[name] = {y: weights[y] for y in options}
    return Total(rule, constraint.at_least, tuple(numbers.items()))
