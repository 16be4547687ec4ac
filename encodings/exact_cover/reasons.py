"""Proofs by counting that options cannot cover the items."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from math import gcd

from jigsat.encodings.exact_cover.data import ExactCoverData

from jigsat.errors import printable
from jigsat.pieces.counting import list_words
from jigsat.puzzle import Reason


def find_reasons(puzzle: ExactCoverData) -> Iterator[Reason]:
    """Items without an option, and a number of items that the options cannot add up to."""
    items = {*puzzle.items}
    primary = [[name for name in option.split() if name in items] for option in puzzle.options]
    covered = Counter(name for names in primary for name in names)
    if bare := [f"'{printable(name)}'" for name in puzzle.items if not covered[name]]:
        yield Reason(f"no option has {list_words(bare)}")
    elif len(puzzle.items) % (factor := gcd(*map(len, primary))):
        yield Reason(f"the number of items of every option is divisible by {factor}, but there are {len(puzzle.items):,} items")
