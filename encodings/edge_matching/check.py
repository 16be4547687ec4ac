"""The check of edge matching: it places the tiles and compares the labels of sides that have the
same midpoint."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from jigsat.encodings.edge_matching.data import EdgeMatchingData, Hint, Placement, Tile

    from jigsat.boards import Cell


class Look(NamedTuple):
    """What distinguishes a tile from others; if tiles may be turned, the sides are in the order
    that is alphabetically first."""

    groups: frozenset[str]
    face: str | None
    sides: tuple[str, ...]


def broken_rules(puzzle: EdgeMatchingData, placements: Sequence[Placement]) -> Iterator[str]:
    """One sentence for each thing that is wrong."""
    yield from _find_wrong_cells(puzzle, placements)
    if not puzzle.turning:
        yield from _find_turned_tiles(placements)
    yield from _find_mismatches(puzzle, placements)
    if not puzzle.reusable:
        yield from _find_overused_tiles(puzzle, placements)
    if puzzle.latin:
        yield from _find_repeated_faces(puzzle, placements)
    yield from _find_wrong_groups(puzzle, placements)
    yield from _find_violated_hints(puzzle, placements)


def shown_sides(tile: Tile, turn: int) -> tuple[str, ...]:
    """The labels of a tile turned by `turn` sides, clockwise from the first side of its cell."""
    number = len(tile.sides)
    return tuple(tile.sides[(i - turn) % number] for i in range(number))


def _find_wrong_cells(puzzle: EdgeMatchingData, placements: Sequence[Placement]) -> Iterator[str]:
    """Cells without exactly one tile."""
    tiles_on = Counter(placement.cell for placement in placements)
    for cell in dict.fromkeys([*puzzle.surface.polygons, *tiles_on]):
        if tiles_on[cell] != 1:
            yield f"cell {_name_cell(cell)} holds {tiles_on[cell]} tiles"


def _find_turned_tiles(placements: Sequence[Placement]) -> Iterator[str]:
    for placement in placements:
        if placement.turn != 0:
            yield f"tile {placement.tile} is turned"


def _find_mismatches(puzzle: EdgeMatchingData, placements: Sequence[Placement]) -> Iterator[str]:
    """Labels that meet and do not match, and labels on the rim that are not the frame's."""
    shown: dict[tuple[Cell, int], list[str]] = {}
    for cell, name, turn in placements:
        for side, label in enumerate(shown_sides(puzzle.tiles[name], turn)):
            shown.setdefault((cell, side), []).append(label)

    for sides in puzzle.surface.meetings.values():
        cells = " and ".join(_name_cell(cell) for cell, _ in sides)
        labels = [label for side in sides for label in shown.get(side, ())]
        on_rim = len(sides) == 1
        if on_rim and puzzle.frame is not None and labels != [puzzle.frame]:
            rim_labels = " and ".join(labels) or "nothing"
            yield f"the rim at {cells} shows {rim_labels}, not {puzzle.frame}"
        for one, other in combinations(labels, 2):
            if not _do_match(puzzle, one, other):
                yield f"{one} meets {other} between {cells}"


def _do_match(puzzle: EdgeMatchingData, one: str, other: str) -> bool:
    if puzzle.matching == "equal":
        return one == other
    return (one, other) in puzzle.matching or (other, one) in puzzle.matching


def _find_overused_tiles(
    puzzle: EdgeMatchingData, placements: Sequence[Placement]
) -> Iterator[str]:
    """Tiles that are used more often than they exist. Tiles that look the same can replace each
    other."""
    existing: Counter[Look] = Counter()
    for name, tile in puzzle.tiles.items():
        existing[_look_at(puzzle, name)] += tile.count

    used: dict[Look, list[str]] = {}
    for placement in placements:
        used.setdefault(_look_at(puzzle, placement.tile), []).append(placement.tile)

    for look, names in used.items():
        if len(names) > existing[look]:
            yield f"tile {names[0]} is used {len(names)} times, but its count is {existing[look]}"


def _find_repeated_faces(
    puzzle: EdgeMatchingData, placements: Sequence[Placement]
) -> Iterator[str]:
    """Faces that occur more than once in a row or a column, according to the upper left corners of
    the cells."""
    for axis, line in ((1, "row"), (0, "column")):
        cells: dict[tuple[float, str | None], list[Cell]] = {}
        for placement in placements:
            corner = puzzle.surface.polygons[placement.cell][0]
            face = puzzle.tiles[placement.tile].face
            cells.setdefault((corner[axis], face), []).append(placement.cell)
        for (_, face), alike in cells.items():
            if len(alike) > 1:
                yield f"{face} is more than once in a {line}: {_list_cells(alike)}"


def _find_wrong_groups(puzzle: EdgeMatchingData, placements: Sequence[Placement]) -> Iterator[str]:
    """Groups of which too few or too many tiles are used."""
    for name, group in puzzle.groups.items():
        used = [placement for placement in placements if placement.tile in group.pieces]
        least, most = group.number
        if not least <= len(used) <= most:
            yield f"{len(used)} tiles of the group {name} are used, not {group}"


def _find_violated_hints(
    puzzle: EdgeMatchingData, placements: Sequence[Placement]
) -> Iterator[str]:
    for hint in puzzle.hints:
        if not any(_follows(puzzle, placement, hint) for placement in placements):
            yield f"the hint for cell {_name_cell(hint.cell)} is violated"


def _follows(puzzle: EdgeMatchingData, placement: Placement, hint: Hint) -> bool:
    """Whether a tile lies as the hint says, or another one that looks the same."""
    if placement.cell != hint.cell:
        return False
    if _look_at(puzzle, placement.tile) != _look_at(puzzle, hint.tile):
        return False
    if hint.turn is None:
        return True
    hinted, lying = puzzle.tiles[hint.tile], puzzle.tiles[placement.tile]
    return shown_sides(lying, placement.turn) == shown_sides(hinted, hint.turn)


def _look_at(puzzle: EdgeMatchingData, name: str) -> Look:
    tile = puzzle.tiles[name]
    groups = frozenset(group for group, listed in puzzle.groups.items() if name in listed.pieces)
    sides = tile.sides
    if puzzle.turning:
        sides = min(shown_sides(tile, turn) for turn in range(len(tile.sides)))
    return Look(groups, tile.face, sides)


def _list_cells(cells: Iterable[Cell]) -> str:
    return ", ".join(map(_name_cell, cells))


def _name_cell(cell: Cell) -> str:
    """A cell in words: a square as r1c1, a face of a cube as l1r1c1 front."""
    if not isinstance(cell, tuple):
        return str(cell)
    numbers = [number for number in cell if isinstance(number, int)]
    if len(numbers) not in (2, 3):
        return " ".join(map(str, cell))
    axes = ("layer", "row", "column")[-len(numbers) :]
    place = "".join(f"{axis[0]}{number + 1}" for axis, number in zip(axes, numbers, strict=True))
    faces = [word for word in cell if isinstance(word, str)]
    return " ".join([place, *faces])
