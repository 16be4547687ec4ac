"""Proofs by counting that interlocking pieces cannot close their board: counting teeth, and sides
that fit each other."""

from collections import Counter
from collections.abc import Iterator

from jigsat.encodings.interlocking.data import InterlockingData, Piece
from jigsat.encodings.interlocking.frame import TOOTH

from jigsat.boards import Spot
from jigsat.pieces.counting import Matching, Sided, name_side
from jigsat.pieces.groups import Amount
from jigsat.puzzle import Correction, Reason


def find_reasons(puzzle: InterlockingData) -> Iterator[Reason]:
    """The reasons that counting finds."""
    yield from map(Reason, _teeth(puzzle))
    every_place_filled = puzzle.holes == "forbidden" and puzzle.size > 2
    if every_place_filled and all(len(edge) <= 2 for edge in puzzle.surface.edges):
        yield from map(Reason, _sides(puzzle).faults())


def find_corrections(puzzle: InterlockingData) -> Iterator[Correction]:
    """A tooth instead of a gap, or a gap instead of a tooth."""
    for name, piece in puzzle.pieces.items():
        n = puzzle.size - 1
        for i, side in enumerate(piece.shape):
            for j, mark in enumerate(side):
                other = ".#"[mark not in TOOTH]
                shape = (*piece.shape[:i], side[:j] + other + side[j + 1 :], *piece.shape[i + 1 :])
                row, column = ((1, j + 1), (j + 1, n + 1), (n + 1, n + 1 - j), (n + 1 - j, 1))[
                    i % 4
                ]
                place = (
                    f"row {row}, column {column}"
                    if len(shape) == 4
                    else f"{name_side(shape, i)}, place {j + 1}"
                )
                words = (
                    f"piece {name}, {place}: a "
                    f"{'gap instead of a tooth' if mark in TOOTH else 'tooth instead of a gap'}"
                )
                yield Correction(
                    name,
                    words,
                    {"pieces": {**puzzle.pieces, name: piece.model_copy(update={"shape": shape})}},
                )


def _teeth(puzzle: InterlockingData) -> Iterator[str]:
    """The total number of teeth compared with the places to fill; then the same for each distance
    from a corner."""
    distances = range((puzzle.size + 1) // 2)
    places = {distance: _places(puzzle, distance) for distance in distances}
    total = Amount(
        sum(least for least, _ in places.values()), sum(most for _, most in places.values())
    )
    if wrong := _compare_amounts(_of_pieces(puzzle, list(distances)), total):
        yield f"the pieces have {wrong}"
    for distance in distances:
        if wrong := _compare_amounts(_of_pieces(puzzle, [distance]), places[distance]):
            where = (
                "at" if not distance else "next to" if distance == 1 else f"{distance} places from"
            )
            yield f"{where} their corners, the pieces have {wrong}"


def _compare_amounts(teeth: Amount, places: Amount) -> str:
    """How many teeth are too many or missing, or '' if the numbers can agree."""
    if places.least <= teeth.most and teeth.least <= places.most:
        return ""
    more = teeth.least > places.most
    number = teeth.least - places.most if more else places.least - teeth.most
    said = f"{teeth} {'tooth' if teeth.most == 1 else 'teeth'}"
    there = "is 1 place" if places == (1, 1) else f"are {places} places"
    return f"{said}, but there {there} to fill: {number:,} {'too many' if more else 'too few'}"


def _of_pieces(puzzle: InterlockingData, distances: list[int]) -> Amount:
    """The number of teeth at these distances from the corners, on as many pieces as the board has
    faces."""
    numbers: dict[int, list[int]] = {}
    for piece in puzzle.pieces.values():
        teeth = sum(
            side[j] in TOOTH
            for side in piece.shape
            for j in range(len(side))
            if _distance(puzzle, j) in distances
        )
        numbers.setdefault(len(piece.shape), []).extend([teeth] * piece.count)
    least = most = 0
    for sides, faces in Counter(
        puzzle.surface.sides(cell) for cell in puzzle.surface.cells
    ).items():
        ordered = sorted(numbers[sides])
        least, most = least + sum(ordered[:faces]), most + sum(ordered[-faces:])
    return Amount(least, most)


def _places(puzzle: InterlockingData, distance: int) -> Amount:
    """The number of places at this distance from the corners of the faces that must be filled, and
    that can be."""
    board, frame = puzzle.surface, puzzle.framed
    if not distance:
        rim = {
            (cell, position // (puzzle.size - 1)) for cell, position in puzzle.corners_on_the_rim()
        }
        at = {
            vertex: frame.get(Spot(vertex[0][0], vertex[0][1] * (puzzle.size - 1)))
            for vertex in board.vertices
        }
        filled = sum(tooth is False or rim.isdisjoint(vertex) for vertex, tooth in at.items())
        return Amount(filled, sum(not tooth for tooth in at.values()))
    places = board.edge_places(puzzle.size - 2)
    here = [
        spots
        for spots in places
        if _distance(puzzle, spots[0].position % (puzzle.size - 1)) == distance
    ]
    must = [spots for spots in here if len(spots) > 1 or frame.get(spots[0]) is False]
    return Amount(
        len(must) if puzzle.holes == "forbidden" else 0,
        sum(not frame.get(spots[0]) for spots in here),
    )


def _distance(puzzle: InterlockingData, position: int) -> int:
    """The distance of a place from the nearer corner of its side; sides that meet have the same."""
    return min(position, puzzle.size - 1 - position)


def _sides(puzzle: InterlockingData) -> Matching:
    """The sides without their corners, as labels: a side meets one with teeth where it has gaps."""

    def label(inner: str) -> str:
        return min(inner, inner[::-1]) if puzzle.turning_over else inner

    def partner(label_: str) -> str:
        return label("".join(".#"[mark == "."] for mark in label_[::-1]))

    pieces = [
        Sided(
            name,
            tuple(label("".join(".#"[mark in TOOTH] for mark in side[1:])) for side in piece.shape),
            piece.count,
            tuple(places_of(piece)),
        )
        for name, piece in puzzle.pieces.items()
    ]
    return Matching(pieces, partner, puzzle.surface, noun="piece")


def places_of(piece: Piece) -> Iterator[str]:
    """The sides of a piece as they are in its drawing, where the rows of a square are read from
    left to right."""
    for i, (side, following) in enumerate(
        zip(piece.shape, piece.shape[1:] + piece.shape[:1], strict=True)
    ):
        if len(piece.shape) == 4:
            whole = side + following[0]
            yield f"the {name_side(piece.shape, i)} ('{whole if i < 2 else whole[::-1]}')"
        else:
            yield f"{name_side(piece.shape, i)} ('{side}')"
