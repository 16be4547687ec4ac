"""Proofs by counting that tiles cannot cover their board."""

from collections import Counter
from collections.abc import Iterator

from jigsat.encodings.edge_matching.data import EdgeMatchingData

from jigsat.errors import printable
from jigsat.pieces.counting import Matching, Sided, name_side
from jigsat.puzzle import Correction, Reason
from jigsat.words import plural


def find_corrections(puzzle: EdgeMatchingData) -> Iterator[Correction]:
    """Another label on one side of a tile."""
    for name, tile in puzzle.tiles.items():
        for i, label in enumerate(tile.sides):
            for other in sorted(puzzle.partners.keys() - {label}):
                sides = (*tile.sides[:i], other, *tile.sides[i + 1 :])
                words = f"tile {name}, {name_side(sides, i)}: {other} instead of {label}"
                yield Correction(
                    name,
                    words,
                    {"tiles": {**puzzle.tiles, name: tile.model_copy(update={"sides": sides})}},
                )


def find_reasons(puzzle: EdgeMatchingData) -> Iterator[Reason]:
    """The reasons that counting finds."""
    tiles = [
        Sided(name, tile.sides, None if puzzle.reusable else tile.count)
        for name, tile in puzzle.tiles.items()
    ]
    yield from map(
        Reason, Matching(tiles, puzzle.partners.__getitem__, puzzle.surface, puzzle.frame).faults()
    )
    if puzzle.latin:
        yield from map(Reason, _faces(puzzle))


def _faces(puzzle: EdgeMatchingData) -> Iterator[str]:
    """Too few faces for a line, or more tiles with the same face than there are lines."""
    corners = [polygon[0] for polygon in puzzle.surface.polygons.values()]
    lines = [Counter(corner[axis] for corner in corners) for axis in (1, 0)]
    longest = max(max(line.values()) for line in lines)
    on: Counter[str] = Counter()
    for tile in puzzle.tiles.values():
        on[tile.face or ""] += tile.count
    if len(on) < longest:
        yield (
            f"the tiles have {plural(len(on), 'face')}, but {longest} cells in a line need "
            f"different ones"
        )
    if puzzle.reusable or puzzle.supply > len(corners):
        return
    for face, number in on.items():
        if number > (most := min(map(len, lines))):
            yield (
                f"{number} tiles have the face '{printable(face)}', but only {most} can be "
                f"used, one per row and column"
            )
