"""Amounts, exact or as a range; and groups of pieces, an attribute like a colour, of which a puzzle
requires an amount."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Annotated, Any, NamedTuple

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, NonNegativeInt, PlainSerializer

from jigsat.errors import printable, suggest
from jigsat.formula import Formula
from jigsat.words import plural


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
    """A whole number, or a list of the minimum and the maximum. Raises ValueError for anything
    else."""
    match [data, data] if isinstance(data, int) else data:
        case [int(least), int(most)] if 0 <= least <= most and not (
            isinstance(least, bool) or isinstance(most, bool)
        ):
            return Amount(least, most)
    raise ValueError("expected a whole number or [minimum, maximum]")


def write_amount(amount: tuple[int, int]) -> Any:
    """The amount as an instance states it."""
    least, most = amount
    return least if least == most else [least, most]


AmountEntry = Annotated[
    Amount,
    PlainSerializer(write_amount),
    BeforeValidator(
        read_amount, json_schema_input_type=NonNegativeInt | tuple[NonNegativeInt, NonNegativeInt]
    ),
]
"""An amount in a file: a number or [minimum, maximum]."""


class PieceGroup(BaseModel):
    """A group: the names of its pieces, and how many pieces of it a solution has, copies
    included."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    pieces: list[str] = Field(min_length=1)
    """The names of the pieces in the group."""
    number: AmountEntry
    """How many pieces of the group are used: a number or [minimum, maximum]."""


Groups = Mapping[str, PieceGroup]

MAX_GROUPS = 1000  # largest number of groups in a puzzle


def groups_of(groups: Groups, piece: str) -> frozenset[str]:
    """The names of the groups that a piece is in."""
    return frozenset(name for name, group in groups.items() if piece in group.pieces)


def check_groups(groups: Groups, uses: Mapping[str, tuple[int, int]], cells: int) -> None:
    """Raise ValueError for an unknown piece or an impossible number; `uses` has the least and most
    uses of each piece."""
    if len(groups) > MAX_GROUPS:
        raise ValueError(
            f"groups: {len(groups):,} groups are too many; the limit is {MAX_GROUPS:,}"
        )
    for name, group in groups.items():
        for piece in group.pieces:
            if piece not in uses:
                raise ValueError(f"groups.{name}: no piece {piece!r}{suggest(piece, uses)}")
            if group.pieces.count(piece) > 1:
                raise ValueError(
                    f"groups.{name}: piece {piece!r} occurs twice; state its copies where it is "
                    f"described"
                )
        fewest, most = (sum(uses[piece][i] for piece in group.pieces) for i in (0, 1))
        if group.number.least > min(most, cells):
            there = f"the board has {plural(cells, 'cell')}"
            if most <= cells:
                there = f"only {most:,} can be used"
            raise ValueError(
                f"groups.{name}: {plural(group.number.least, 'piece')} required, but {there}"
            )
        if group.number.most < fewest:
            allowed = f"at most {plural(group.number.most, 'piece')} allowed"
            raise ValueError(f"groups.{name}: {allowed}, but {fewest:,} must be used")


def require_numbers(
    formula: Formula, groups: Groups, kinds: Iterable[tuple[Collection[str], Sequence[int]]]
) -> None:
    """Add the constraint of each group to a formula; each kind of pieces has its groups and the
    literals of its placements."""
    kinds = list(kinds) if groups else []
    for name, group in groups.items():
        with formula.rule("the required number of pieces of each group", "group", name):
            literals = [literal for names, placed in kinds if name in names for literal in placed]
            least, most = group.number
            if least > 0 or most < len(literals):
                formula.between(least, most, literals)


def group_rules(groups: Groups) -> Iterator[str]:
    """The required numbers in sentences, for the printed sheet."""
    for name, group in groups.items():
        pieces = "piece" if group.number.most == 1 else "pieces"
        yield (
            f"Use {group.number} {pieces} of the group {printable(name)}: "
            f"{', '.join(map(printable, group.pieces))}."
        )
