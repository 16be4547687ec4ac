"""Totals of numbers that count the same things, such as those of rows and columns."""

from typing import NamedTuple


class Total(NamedTuple):
    """The sum of some numbers, which is smaller than what they count if one is not known."""

    number: int
    is_whole: bool = True

    def __str__(self) -> str:
        return str(self.number) if self.is_whole else f"at least {self.number}"

    def contradicts(self, other: "Total") -> bool:
        """Whether two totals of the same things cannot both be right."""
        smaller, larger = sorted([self, other], key=lambda total: total.number)
        return smaller.number < larger.number and smaller.is_whole


def compare_totals(rows: Total, columns: Total) -> str:
    """That the rows add up to another number than the columns; '' if both may be right."""
    if rows.contradicts(columns):
        return f"the rows add up to {rows}, but the columns to {columns}"
    return ""
