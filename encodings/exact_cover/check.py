"""The check of an exact cover: it counts how often the chosen options have each item, and compares
colours."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from jigsat.encodings.exact_cover.data import Chosen, ExactCoverData


def broken_rules(puzzle: ExactCoverData, placements: Sequence[Chosen]) -> Iterator[str]:
    """Items that are not covered as they must be, and options that do not exist or are chosen
    twice."""
    for (number, option), times in Counter(placements).items():
        if times > 1:
            yield f"option {number} is chosen {times} times"
        if not 1 <= number <= len(puzzle.options) or puzzle.options[number - 1] != option:
            yield f"there is no option {number} {option!r}"

    # For each item, the colour with which each of the chosen options has it, or ''.
    colours: dict[str, list[str]] = {}
    for _, option in placements:
        for word in option.split():
            name, _, colour = word.partition(":")
            colours.setdefault(name, []).append(colour)

    for name in puzzle.items:
        times = len(colours.get(name, []))
        if times != 1:
            yield f"the item {name} is covered {times} times"

    for name in puzzle.secondary:
        shown = colours.get(name, [])
        same_colour = "" not in shown and len(set(shown)) == 1
        if len(shown) > 1 and not same_colour:
            yield (
                f"the secondary item {name} is covered {len(shown)} times, and not always with "
                f"the same colour"
            )
