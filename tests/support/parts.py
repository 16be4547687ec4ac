"""Whether a puzzle has a part that meets some requirements, found by backtracking on the raw data
of a twin.

A part breaks no rule that applies to the pieces that are there; any cell may be empty. A
requirement is a piece to be placed, or a cell to be filled.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Hashable, Mapping
from itertools import count
from typing import Any

from support import tilings, twins
from support.twins import Look, TooManyError

PATIENCE = 20_000
"""The number of steps after which a question is given up."""


def on_table(
    twin: twins.Twin, pieces: Mapping[frozenset[Look], int], filled: Collection[Hashable]
) -> bool:
    """Whether these pieces, each as often as required, can be on the table and these cells
    filled."""
    cells, lying, left = list(twin.table.cells), dict[Any, Look](), Counter(twin.stock)
    required, steps = Counter(pieces), count(1)
    if any(number > twin.stock[looks] for looks, number in required.items()):
        return False

    def fits(cell: Any) -> bool:
        for _, place in twin.table.cells[cell]:
            meeting = twin.table.meeting[place]
            if not twin.fits([lying[at][i] for at, i in meeting if at in lying], len(meeting)):
                return False
        return twin.also(lying)

    def search(number: int) -> bool:
        if next(steps) > PATIENCE:
            raise TooManyError
        missing = sum(max(0, needed) for needed in required.values())
        if number == len(cells) or missing > len(cells) - number:
            return not missing
        cell = cells[number]
        for looks in sorted(
            (looks for looks in left if left[looks] > 0), key=lambda looks: -required[looks]
        ):
            left[looks] -= not twin.reusable
            required[looks] -= 1
            for look in looks:
                lying[cell] = look
                if fits(cell) and search(number + 1):
                    return True
                del lying[cell]
            required[looks] += 1
            left[looks] += not twin.reusable
        return cell not in filled and search(number + 1)

    return search(0)


def on_board(
    twin: tilings.Twin,
    pieces: Mapping[frozenset[tilings.Look], int],
    filled: Collection[tilings.Vector],
) -> bool:
    """Whether these pieces, each as often as required, can be on the board and these cells covered.

    At least as many cells stay free as must be left over.
    """
    optional = set(twin.board) if twin.optional is None else twin.optional
    lies = {
        looks: [{at for at, _ in there} for there in twin.everywhere(looks) if twin.lies(there)]
        for looks in twin.classes
    }
    left = {looks: most for looks, (_, most) in twin.classes.items()}
    required, steps = Counter(pieces), count(1)

    def search(free: frozenset[tilings.Vector]) -> bool:
        if next(steps) > PATIENCE:
            raise TooManyError
        if len(free & optional) < twin.left_over[0]:
            return False
        missing = [looks for looks, needed in required.items() if needed > 0]
        bare = [cell for cell in filled if cell in free]
        if not missing and not bare:
            return True
        for looks in missing[:1] or list(lies):
            if left[looks] > 0:
                left[looks] -= 1
                required[looks] -= 1
                for cells in lies[looks]:
                    if cells <= free and (missing or bare[0] in cells) and search(free - cells):
                        return True
                left[looks] += 1
                required[looks] += 1
        return False

    return search(frozenset(twin.board))
