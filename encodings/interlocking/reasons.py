"""Proofs by counting that interlocking pieces cannot close their board: counting teeth, and sides
that fit each other."""

from collections import Counter
from collections.abc import Collection, Iterator, Sequence

from jigsat.encodings.interlocking.data import InterlockingData, Piece
from jigsat.encodings.interlocking.frame import TOOTH

from jigsat.boards import Spot
from jigsat.pieces.counting import Matching, Sided, name_side
from jigsat.pieces.groups import Amount
from jigsat.puzzle import Correction, Reason


def find_reasons(puzzle: InterlockingData) -> Iterator[Reason]:
    """The reasons that counting finds."""
    for fault in _count_teeth(puzzle):
        yield Reason(fault)
    every_place_filled = puzzle.holes == "forbidden" and puzzle.size > 2
    if every_place_filled and all(len(edge) <= 2 for edge in puzzle.surface.edges):
        for fault in _match_sides(puzzle).faults():
            yield Reason(fault)


def find_corrections(puzzle: InterlockingData) -> Iterator[Correction]:
    """A tooth instead of a gap, or a gap instead of a tooth."""
    for name, piece in puzzle.pieces.items():
        for i, side in enumerate(piece.shape):
            for j, mark in enumerate(side):
                other = "." if mark in TOOTH else "#"
                shape = list(piece.shape)
                shape[i] = side[:j] + other + side[j + 1 :]
                change = "a tooth instead of a gap"
                if mark in TOOTH:
                    change = "a gap instead of a tooth"
                words = f"piece {name}, {_name_place(puzzle, shape, i, j)}: {change}"
                changed = piece.model_copy(update={"shape": tuple(shape)})
                yield Correction(name, words, {"pieces": {**puzzle.pieces, name: changed}})


def _name_place(puzzle: InterlockingData, shape: Sequence[str], side: int, place: int) -> str:
    """A place of a piece in words; a square is drawn in rows."""
    if len(shape) != 4:
        return f"{name_side(shape, side)}, place {place + 1}"
    last = puzzle.size
    rows_and_columns = (
        (1, place + 1),
        (place + 1, last),
        (last, last - place),
        (last - place, 1),
    )
    row, column = rows_and_columns[side]
    return f"row {row}, column {column}"


def _count_teeth(puzzle: InterlockingData) -> Iterator[str]:
    """The total number of teeth compared with the places to fill; then the same for each distance
    from a corner."""
    distances = list(range((puzzle.size + 1) // 2))
    places = {distance: _count_places(puzzle, distance) for distance in distances}
    least = sum(amount.least for amount in places.values())
    most = sum(amount.most for amount in places.values())
    contradiction = _compare_amounts(_teeth_of_pieces(puzzle, distances), Amount(least, most))
    if contradiction:
        yield f"the pieces have {contradiction}"
    for distance in distances:
        contradiction = _compare_amounts(_teeth_of_pieces(puzzle, [distance]), places[distance])
        if contradiction:
            where = f"{distance} places from"
            if distance < 2:
                where = "next to" if distance == 1 else "at"
            yield f"{where} their corners, the pieces have {contradiction}"


def _compare_amounts(teeth: Amount, places: Amount) -> str:
    """How many teeth are too many or missing, or '' if the numbers can agree."""
    if places.least <= teeth.most and teeth.least <= places.most:
        return ""
    if teeth.least > places.most:
        difference = f"{teeth.least - places.most:,} too many"
    else:
        difference = f"{places.least - teeth.most:,} too few"
    noun = "tooth" if teeth.most == 1 else "teeth"
    there = "is 1 place" if places == (1, 1) else f"are {places} places"
    return f"{teeth} {noun}, but there {there} to fill: {difference}"


def _teeth_of_pieces(puzzle: InterlockingData, distances: Collection[int]) -> Amount:
    """The number of teeth at these distances from the corners, on as many pieces as the board has
    faces."""
    numbers: dict[int, list[int]] = {}
    for piece in puzzle.pieces.values():
        teeth = 0
        for side in piece.shape:
            for place, mark in enumerate(side):
                if mark in TOOTH and _distance(puzzle, place) in distances:
                    teeth += 1
        numbers.setdefault(len(piece.shape), []).extend([teeth] * piece.count)

    least = most = 0
    faces = Counter(puzzle.surface.sides(cell) for cell in puzzle.surface.cells)
    for sides, number in faces.items():
        ordered = sorted(numbers[sides])
        least += sum(ordered[:number])
        most += sum(ordered[-number:])
    return Amount(least, most)


def _count_places(puzzle: InterlockingData, distance: int) -> Amount:
    """The number of places at this distance from the corners of the faces that must be filled, and
    that can be."""
    return _count_edge_places(puzzle, distance) if distance else _count_corners(puzzle)


def _count_corners(puzzle: InterlockingData) -> Amount:
    """A corner on the rim can be filled by the frame; without one it may stay empty."""
    on_rim = puzzle.corners_on_the_rim()
    must = can = 0
    for vertex in puzzle.surface.vertices:
        spots = [Spot(cell, corner * (puzzle.size - 1)) for cell, corner in vertex]
        tooth_of_frame = puzzle.framed.get(spots[0])
        if not tooth_of_frame:
            can += 1
        if tooth_of_frame is False or on_rim.isdisjoint(spots):
            must += 1
    return Amount(must, can)


def _count_edge_places(puzzle: InterlockingData, distance: int) -> Amount:
    must = can = 0
    for spots in puzzle.surface.edge_places(puzzle.size - 2):
        if _distance(puzzle, spots[0].position % (puzzle.size - 1)) != distance:
            continue
        tooth_of_frame = puzzle.framed.get(spots[0])
        if not tooth_of_frame:
            can += 1
        if len(spots) > 1 or tooth_of_frame is False:
            must += 1
    return Amount(must if puzzle.holes == "forbidden" else 0, can)


def _distance(puzzle: InterlockingData, position: int) -> int:
    """The distance of a place from the nearer corner of its side; sides that meet have the same."""
    return min(position, puzzle.size - 1 - position)


def _match_sides(puzzle: InterlockingData) -> Matching:
    """The sides without their corners, as labels: a side meets one with teeth where it has gaps."""

    def normalise(row: str) -> str:
        """The same label for both directions if a piece can be turned over."""
        return min(row, row[::-1]) if puzzle.turning_over else row

    def find_partner(label: str) -> str:
        opposite = "".join("#" if mark == "." else "." for mark in label)
        return normalise(opposite[::-1])

    pieces = []
    for name, piece in puzzle.pieces.items():
        labels = []
        for side in piece.shape:
            row = "".join("#" if mark in TOOTH else "." for mark in side[1:])
            labels.append(normalise(row))
        pieces.append(Sided(name, tuple(labels), piece.count, tuple(places_of(piece))))
    return Matching(pieces, find_partner, puzzle.surface, noun="piece")


def places_of(piece: Piece) -> Iterator[str]:
    """The sides of a piece as they are in its drawing, where the rows of a square are read from
    left to right."""
    for i, side in enumerate(piece.shape):
        name = name_side(piece.shape, i)
        if len(piece.shape) == 4:
            following = piece.shape[(i + 1) % 4]
            row = side + following[0]  # with both corners
            yield f"the {name} ('{row if i < 2 else row[::-1]}')"
        else:
            yield f"{name} ('{side}')"
