"""Numbers that an instance states exactly or as a range, such as how often a piece is used."""

from __future__ import annotations

from typing import Annotated, Any, NamedTuple

from pydantic import BeforeValidator, NonNegativeInt, PlainSerializer


class Amount(NamedTuple):
    """The smallest and the largest possible number.

    >>> print(Amount(2, 2), Amount(2, 1000), Amount(0, 2), sep=", ")
    2, 2 to 1,000, at most 2
    """

    least: int
    most: int

    def __str__(self) -> str:
        if self.least == self.most:
            return f"{self.most:,}"
        return f"{self.least:,} to {self.most:,}" if self.least else f"at most {self.most:,}"


def read_amount(data: Any) -> Amount:
    """A whole number, or a list of the minimum and the maximum. Raises ValueError for anything else."""
    match [data, data] if isinstance(data, int) else data:
        case [int(least), int(most)] if 0 <= least <= most and not (isinstance(least, bool) or isinstance(most, bool)):
            return Amount(least, most)
    raise ValueError("expected a whole number or [minimum, maximum]")


def write_amount(amount: tuple[int, int]) -> Any:
    """The amount as an instance states it."""
    least, most = amount
    return least if least == most else [least, most]


AmountEntry = Annotated[
    Amount,
    PlainSerializer(write_amount),
    BeforeValidator(read_amount, json_schema_input_type=NonNegativeInt | tuple[NonNegativeInt, NonNegativeInt]),
]
"""An amount in a file: a number or [minimum, maximum]."""
