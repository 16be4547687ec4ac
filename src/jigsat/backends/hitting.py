"""Smallest hitting sets with Hitman, which is part of PySAT."""

from __future__ import annotations

from collections.abc import Generator, Iterable


def hitting_sets() -> Generator[list[str], Iterable[str], None]:
    """After each set that is passed to `send`, a smallest set that hits all sets so far; initially the empty set.

    >>> hitting = hitting_sets()
    >>> next(hitting), hitting.send("c"), len(hitting.send("ab")), len(hitting.send("bc"))
    ([], ['c'], 2, 2)
    """
    from pysat.examples.hitman import Hitman

    with Hitman(htype="sorted") as hitman:
        to_hit = yield []
        while True:
            hitman.hit(list(to_hit))
            to_hit = yield list(hitman.get())
