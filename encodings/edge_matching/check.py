"""The check of edge matching: it places the tiles and compares the labels of sides that have the
same midpoint."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from jigsat.encodings.edge_matching.data import EdgeMatchingData, Hint, Placement, Tile

    from jigsat.boards import Cell

    Look = tuple[frozenset[str], str | None, tuple[str, ...]]


def broken_rules(puzzle: EdgeMatchingData, placements: Sequence[Placement]) -> Iterator[str]:
    held = Counter(placement.cell for placement in placements)
    for cell in dict.fromkeys([*puzzle.surface.polygons, *held]):
        if held[cell] != 1:
            yield f"cell {_name(cell)} holds {held[cell]} tiles"
    yield from _mismatches(puzzle, placements)
    if not puzzle.reusable:
        yield from _overused_tiles(puzzle, placements)
    if puzzle.latin:
        yield from _repeated_faces(puzzle, placements)
    for name, group in puzzle.groups.items():
        least, most = group.number
        if (
            not least
            <= (number := sum(placement.tile in group.pieces for placement in placements))
            <= most
        ):
            yield f"{number} tiles of the group {name} are used, not {group}"
    for hint in puzzle.hints:
        if not any(_keeps(puzzle, placement, hint) for placement in placements):
            yield f"the hint for cell {hint.cell} is violated"


def shown_sides(tile: Tile, turn: int) -> tuple[str, ...]:
    """The labels of a tile turned by `turn` sides, clockwise from the first side of its cell."""
    return tuple(tile.sides[(i - turn) % len(tile.sides)] for i in range(len(tile.sides)))


def _mismatches(puzzle: EdgeMatchingData, placements: Sequence[Placement]) -> Iterator[str]:
    """Tiles that may not be turned, labels that do not match, and labels on the rim that are not
    the frame's."""
    shown: dict[tuple[Cell, int], list[str]] = {}
    for cell, name, turn in placements:
        for i, label in enumerate(shown_sides(puzzle.tiles[name], turn)):
            shown.setdefault((cell, i), []).append(label)
        if turn and not puzzle.turning:
            yield f"tile {name} is turned"
    for sides in puzzle.surface.meetings.values():
        cells = " and ".join(_name(cell) for cell, _ in sides)
        labels = [label for side in sides for label in shown.get(side, ())]
        if len(sides) == 1 and puzzle.frame is not None and labels != [puzzle.frame]:
            yield (
                f"the rim at {cells} shows {' and '.join(labels) or 'nothing'}, not {puzzle.frame}"
            )
        for a, b in combinations(labels, 2):
            if not (
                a == b
                if puzzle.matching == "equal"
                else (a, b) in puzzle.matching or (b, a) in puzzle.matching
            ):
                yield f"{a} meets {b} between {cells}"


def _overused_tiles(puzzle: EdgeMatchingData, placements: Sequence[Placement]) -> Iterator[str]:
    """Tiles that are used more often than they exist. Tiles that look the same can replace each
    other."""
    existing: Counter[Look] = Counter()
    for name, tile in puzzle.tiles.items():
        existing[_look(puzzle, name)] += tile.count
    used = Counter(_look(puzzle, placement.tile) for placement in placements)
    for look in used - existing:
        name = next(
            placement.tile for placement in placements if _look(puzzle, placement.tile) == look
        )
        yield f"tile {name} is used {used[look]} times, but its count is {existing[look]}"


def _repeated_faces(puzzle: EdgeMatchingData, placements: Sequence[Placement]) -> Iterator[str]:
    """Faces that occur more than once in a row or a column, according to the upper left corners of
    the cells."""
    for axis, line in ((1, "row"), (0, "column")):
        faces = Counter(
            (puzzle.surface.polygons[p.cell][0][axis], puzzle.tiles[p.tile].face)
            for p in placements
        )
        yield from (f"{face} is {n} times in {line} {i}" for (i, face), n in faces.items() if n > 1)


def _keeps(puzzle: EdgeMatchingData, placement: Placement, hint: Hint) -> bool:
    if placement.cell != hint.cell or _look(puzzle, placement.tile) != _look(puzzle, hint.tile):
        return False
    hinted, lying = puzzle.tiles[hint.tile], puzzle.tiles[placement.tile]
    return hint.turn is None or shown_sides(lying, placement.turn) == shown_sides(hinted, hint.turn)


def _look(puzzle: EdgeMatchingData, name: str) -> Look:
    """The appearance of a tile: its groups, its face and its sides; if tiles may be turned, the
    smallest of all rotations."""
    sides, face = puzzle.tiles[name].sides, puzzle.tiles[name].face
    groups = frozenset(group for group, it in puzzle.groups.items() if name in it.pieces)
    return (
        groups,
        face,
        min(sides[i:] + sides[:i] for i in range(len(sides))) if puzzle.turning else sides,
    )


def _name(cell: Cell) -> str:
    """A cell in words: a square as r1c1."""
    if isinstance(cell, tuple) and len(cell) == 2:
        return f"r{cell[0] + 1}c{cell[1] + 1}"
    return " ".join(map(str, cell)) if isinstance(cell, tuple) else str(cell)
