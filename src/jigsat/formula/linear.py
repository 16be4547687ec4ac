"""Weighted sums of literals in normal form: positive weights on the literals of distinct
variables."""

import operator
from collections.abc import Iterable, Mapping
from math import gcd
from typing import Any, SupportsIndex, TypeAlias

from jigsat.formula.constraints import Cardinality, Linear
from jigsat.formula.variables import Choice, Variables

Terms: TypeAlias = Mapping[int, int] | Iterable[int | tuple[int, int]]
"""Literals with their weights, integers of any size and sign: a mapping or pairs; a literal without
a weight has weight 1."""


def pairs(terms: Terms) -> list[tuple[int, int]]:
    """Each literal with its weight. Raises TypeError for a term without a literal, and for a weight
    that is not an integer."""
    if isinstance(terms, Mapping):
        return [
            (literal_of(literal), integer_of(weight, "a weight"))
            for literal, weight in terms.items()
        ]
    weighted = []
    for term in several(terms, "literals with weights"):
        if isinstance(term, tuple | list) and len(term) == 2:
            literal, weight = term
            weighted.append((literal_of(literal), integer_of(weight, "a weight")))
        else:
            weighted.append((literal_of(term), 1))
    return weighted


def several(values: object, what: str) -> Iterable[Any]:
    """The same values. Raises TypeError if they are not several literals or terms."""
    if isinstance(values, Variables):
        colons = ", ".join(":" for _ in values.axes)
        raise TypeError(
            f"expected {what}; got the variables {values.name!r}, whose literals are "
            f"{values.name}[{colons}]"
        )
    if not isinstance(values, Iterable):
        raise TypeError(f"expected {what}; got {values!r}")
    return values


def literal_of(
    value: object, remedy: str = "a literal is a variable of the formula or its negation"
) -> int:
    """A literal as an integer; that a formula has this variable is not checked. Raises TypeError
    for what is no integer, with a remedy for the usual mistakes and `remedy` for all others."""
    if type(value) is int:
        return value
    if isinstance(value, Choice):
        raise TypeError(f"the choice {value.name} is not a literal; choice(value) is one")
    if isinstance(value, Variables):
        raise TypeError(
            f"the variables {value.name!r} are not a literal; {value.name}(…) with a value per "
            f"axis is one"
        )
    if isinstance(value, Iterable) and not isinstance(value, str | bytes):
        raise TypeError(
            f"{value!r} is not a literal; unpack it where literals are expected one by one, as "
            f"in implies(x, *literals)"
        )
    # integers of other libraries, such as numpy's; a truth value is probably a mistake
    if isinstance(value, SupportsIndex) and not isinstance(value, bool):
        return operator.index(value)
    raise TypeError(f"{value!r} is not a literal; {remedy}")


def bound_of(value: object) -> int:
    """The bound before the literals of a constraint. Raises TypeError if it is not an integer."""
    if isinstance(value, Iterable) and not isinstance(value, str | bytes):
        raise TypeError("the number comes first, then the literals, as in exactly(2, literals)")
    return integer_of(value, "a bound")


def integer_of(value: object, what: str) -> int:
    """An integer of any type. Raises TypeError for anything else."""
    try:
        return operator.index(value)  # type: ignore[arg-type]
    except TypeError:
        raise TypeError(f"{what} is an integer, not {value!r}") from None


def normalize_sum(
    terms: Iterable[tuple[int, int]], at_least: int | None, at_most: int | None
) -> Linear | Cardinality:
    """The constraint that the sum is within its bounds; a cardinality constraint if all weights are
    equal.

    A term -w x becomes w (not x) - w, terms of the same variable are added, and weights are divided
    by their common divisor.

    >>> normalize_sum([(1, 2), (2, -4), (3, 6)], at_least=1, at_most=9)
    Linear(literals=(1, -2, 3), weights=(1, 2, 3), at_least=3, at_most=6)
    """
    by_variable: dict[int, int] = {}
    constant = 0
    for literal, weight in terms:
        if literal < 0:
            constant += weight
            weight = -weight
        by_variable[abs(literal)] = by_variable.get(abs(literal), 0) + weight
    constant += sum(weight for weight in by_variable.values() if weight < 0)
    positive = {x if weight > 0 else -x: abs(weight) for x, weight in by_variable.items() if weight}
    divisor = gcd(*positive.values()) or 1
    weights = tuple(weight // divisor for weight in positive.values())
    total = sum(weights)
    low = 0 if at_least is None else -((constant - at_least) // divisor)  # rounded up
    high = total if at_most is None else (at_most - constant) // divisor
    bounds = max(0, min(low, total + 1)), max(-1, min(high, total))
    if total == len(weights):
        return Cardinality(tuple(positive), *bounds)
    return Linear(tuple(positive), weights, *bounds)
