"""Proofs by counting that tiles cannot cover their board, and labels that may be wrong."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from jigsat.encodings.edge_matching.data import EdgeMatchingData, Placement, Tile

from jigsat.boards import Incidence
from jigsat.errors import printable
from jigsat.formula import Formula, Variables
from jigsat.pieces.counting import Matching, Sided, name_side
from jigsat.puzzle import Correction, Reason
from jigsat.words import plural

if TYPE_CHECKING:
    from jigsat.encodings.edge_matching.rules import EdgeMatching


def find_corrections(puzzle: EdgeMatchingData) -> Iterator[Correction]:
    """Another label on one side of a tile."""
    for name, tile in puzzle.tiles.items():
        for side, label in enumerate(tile.sides):
            for other in sorted(puzzle.partners.keys() - {label}):
                yield _change_label(puzzle, name, side, other)


def _change_label(puzzle: EdgeMatchingData, name: str, side: int, label: str) -> Correction:
    tile = puzzle.tiles[name]
    sides = (*tile.sides[:side], label, *tile.sides[side + 1 :])
    tiles = {**puzzle.tiles, name: tile.model_copy(update={"sides": sides})}
    words = f"tile {name}, {name_side(sides, side)}: {label} instead of {tile.sides[side]}"
    merit = 0
    # On a free rim any label may lie, so numbers of labels show nothing.
    if puzzle.frame is not None or all(len(seam) > 1 for seam in puzzle.surface.seams):
        merit = _count_irregular(puzzle, puzzle.tiles) - _count_irregular(puzzle, tiles)
    return Correction(name, words, {"tiles": tiles}, merit)


def _count_irregular(puzzle: EdgeMatchingData, tiles: Mapping[str, Tile]) -> int:
    """How many sides have no partner, if only the numbers of labels matter: one for each label that
    occurs an odd number of times, and for each head without a tail."""
    numbers = Counter[str]()
    for tile in tiles.values():
        for label in tile.sides:
            numbers[label] += tile.count
    if puzzle.frame is not None:
        numbers[puzzle.frame] -= sum(len(seam) == 1 for seam in puzzle.surface.seams)

    irregular = 0
    for label, partner in puzzle.partners.items():
        if label == partner:
            irregular += numbers[label] % 2
        elif label < partner:
            irregular += abs(numbers[label] - numbers[partner])
    return irregular


def encode_near_misses(puzzle: EdgeMatching) -> Formula | None:
    """Boards with one edge that does not match; a change of either side mends it.

    None if a change of a tile can concern several edges.
    """
    if puzzle.reusable or any(tile.count > 1 for tile in puzzle.tiles.values()):
        return None
    if any(len(seam) > 2 for seam in puzzle.surface.seams):
        return None
    formula = Formula()
    place = puzzle.place_tiles(formula)
    edges = [seam for seam in puzzle.surface.seams if len(seam) > 1 or puzzle.frame is not None]
    names = [(seam[0].cell, seam[0].side) for seam in edges]
    wrong = formula.variables("wrong", ("cell", "side"), names, decision=False)
    with formula.rule("one edge is wrong"):
        formula.exactly_one(wrong[:, :])
    for seam, name in zip(edges, names, strict=True):
        if len(seam) > 1:
            _match_or_mark(puzzle, formula, place, seam, wrong(*name))
        else:
            with formula.rule("an edge is wrong or shows the frame"):
                for placement, label in puzzle.showing(*seam):
                    if label != puzzle.frame:
                        formula.clause([-place(*placement), wrong(*name)])
    puzzle.keep_faces_and_hints(formula, place)
    return formula


def _match_or_mark(
    puzzle: EdgeMatchingData,
    formula: Formula,
    place: Variables,
    seam: Sequence[Incidence],
    wrong: int,
) -> None:
    """Two sides that meet match, or the edge is wrong. It has the label of the first side."""
    first, second = seam
    with formula.rule("an edge is wrong or its sides match"):
        edge_label = formula.choice(
            "label", puzzle.partners, decision=False, cell=first.cell, side=first.side
        )
        showing: dict[str, list[int]] = {label: [] for label in puzzle.partners}
        for placement, label in puzzle.showing(first):
            formula.implies(place(*placement), edge_label(label))
            showing[label].append(place(*placement))
        matching: dict[str, list[int]] = {label: [wrong] for label in puzzle.partners}
        for placement, label in puzzle.showing(second):
            needed = puzzle.partners[label]
            formula.implies(place(*placement), edge_label(needed), wrong)
            matching[needed].append(place(*placement))
        for label in puzzle.partners:
            formula.implies(edge_label(label), *showing[label])
            formula.implies(edge_label(label), *matching[label])


def correct_near_miss(
    puzzle: EdgeMatchingData, placements: Sequence[Placement]
) -> Iterator[Correction]:
    """Another label on a side at each edge that is wrong."""
    lying = {placement.cell: placement for placement in placements}
    for seam in puzzle.surface.seams:
        sides = [_find_side(puzzle, lying[at.cell], at.side) for at in seam]
        shown = [puzzle.tiles[name].sides[side] for name, side in sides]
        if len(seam) == 1:
            if puzzle.frame is not None and shown[0] != puzzle.frame:
                yield _change_label(puzzle, *sides[0], puzzle.frame)
        elif shown[0] != puzzle.partners[shown[1]]:
            yield _change_label(puzzle, *sides[0], puzzle.partners[shown[1]])
            yield _change_label(puzzle, *sides[1], puzzle.partners[shown[0]])


def _find_side(puzzle: EdgeMatchingData, placement: Placement, side: int) -> tuple[str, int]:
    """The tile at a side of a cell, and which of its own sides lies there."""
    number = len(puzzle.tiles[placement.tile].sides)
    return placement.tile, (side - placement.turn) % number


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
