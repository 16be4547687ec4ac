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
                changed = tile.model_copy(update={"sides": sides})
                yield Correction(name, words, {"tiles": {**puzzle.tiles, name: changed}})


def find_reasons(puzzle: EdgeMatchingData) -> Iterator[Reason]:
    """The reasons that counting finds."""
    tiles = []
    for name, tile in puzzle.tiles.items():
        count = None if puzzle.reusable else tile.count
        tiles.append(Sided(name, tile.sides, count))
    matching = Matching(tiles, puzzle.partners.__getitem__, puzzle.surface, puzzle.frame)
    for fault in matching.faults():
        yield Reason(fault)
    if puzzle.latin:
        for fault in _find_wrong_faces(puzzle):
            yield Reason(fault)


def _find_wrong_faces(puzzle: EdgeMatchingData) -> Iterator[str]:
    """Too few faces for a line, or more tiles with the same face than there are lines."""
    corners = [polygon[0] for polygon in puzzle.surface.polygons.values()]
    rows = Counter(y for _, y in corners)
    columns = Counter(x for x, _ in corners)
    tiles: Counter[str] = Counter()
    for tile in puzzle.tiles.values():
        tiles[tile.face or ""] += tile.count

    longest = max([*rows.values(), *columns.values()])
    if len(tiles) < longest:
        yield (
            f"the tiles have {plural(len(tiles), 'face')}, but {longest} cells in a line need "
            f"different ones"
        )
    if puzzle.left_over:
        return
    most = min(len(rows), len(columns))
    for face, number in tiles.items():
        if number > most:
            yield (
                f"{number} tiles have the face '{printable(face)}', but only {most} can be "
                f"used, one per row and column"
            )
