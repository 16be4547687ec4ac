"""Edge matching on paper: the rules in sentences, the board with its frame and hints, and the tiles
to cut out."""

from collections.abc import Iterator, Sequence
from typing import Literal

from jigsat.encodings.edge_matching.data import EdgeMatchingData, Hint
from jigsat.encodings.edge_matching.picture import draw_plate, draw_tile

from jigsat.boards import Cell, Point, middle
from jigsat.pictures import Part, Picture, between, explain_joins, heading, on_board, regular
from jigsat.pieces.groups import group_rules

SIDE = 40.0  # length of a side of a tile in millimetres
# width of the frame's label on the rim, as a fraction of the distance to the middle of the cell
BAND = 0.14


def write_rules(puzzle: EdgeMatchingData) -> Iterator[str]:
    """The rules in sentences."""
    cells = len(puzzle.surface.cells)
    yield "Place one tile on each cell of the board."
    if puzzle.matching == "equal":
        all_pictured = puzzle.pictures.keys() >= puzzle.partners.keys()
        match = f"Sides that meet show the same {'picture' if all_pictured else 'label'}"
    else:
        pairs = "; ".join(f"{a} and {b}" for a, b in puzzle.matching)
        match = f"Sides that meet show two labels that belong together ({pairs})"
    if puzzle.turning:
        yield f"{match}; tiles may be turned, not flipped."
    else:
        yield f"{match}; tiles may be neither turned nor flipped."
        yield "The arrow of a tile points in the same direction as the arrow of its cell."
    if puzzle.frame is not None:
        yield f"Sides on the rim of the board show the label that is printed there: {puzzle.frame}."
    if puzzle.latin:
        yield (
            "Each small word below the name of a tile occurs at most once in every row and column."
        )
    if puzzle.reusable:
        yield "Each tile may be used as often as you like; copy the tiles as needed."
    elif puzzle.supply > cells:
        yield (
            f"There are {puzzle.supply} tiles for {cells} cells, so {puzzle.supply - cells} of "
            f"them are left over."
        )
    if puzzle.hints:
        yield _explain_hints(puzzle)
    yield from group_rules(puzzle.groups)
    yield from explain_joins(puzzle.surface)


def _explain_hints(puzzle: EdgeMatchingData) -> str:
    words = "The tiles drawn on the board are given, in the orientation in which they are drawn"
    if any(len(kind.names) > 1 for kind in puzzle.kinds):
        words = f"Tiles that look alike can replace each other. {words}"
    if puzzle.turning and any(hint.turn is None for hint in puzzle.hints):
        return f"{words}; if only the name of a tile is written, find its orientation."
    return f"{words}."


def draw_parts(puzzle: EdgeMatchingData) -> list[Part]:
    """The board and the tiles to cut out, with as many copies of each as may be needed."""
    parts = [_draw_board(puzzle)]
    for name, tile in puzzle.tiles.items():
        part = _draw_piece(puzzle, name)
        copies = 1 if puzzle.reusable else min(tile.count, len(puzzle.surface.cells))
        parts += [part] * copies
    return parts


def _draw_piece(puzzle: EdgeMatchingData, name: str) -> Part:
    picture = Picture(scale=150, margin=0.0125, underlined=puzzle.underlined)
    outline = regular(len(puzzle.tiles[name].sides))
    draw_tile(puzzle, picture, outline, name, 0, arrow=True)
    picture.cut(outline, SIDE)
    caption = "any number" if puzzle.reusable else ""
    return Part(str(picture), _measure_width(picture), caption, "piece", name)


def _measure_width(picture: Picture) -> float:
    """The width in millimetres at which a side of a tile has its true length."""
    _, _, width, _ = picture.size()
    return SIDE * width / picture.scale


def _draw_board(puzzle: EdgeMatchingData) -> Part:
    picture = Picture(scale=150, margin=0.02, underlined=puzzle.underlined)
    hints = {hint.cell: hint for hint in puzzle.hints}
    rim = {(seam[0].cell, seam[0].side) for seam in puzzle.surface.seams if len(seam) == 1}

    def draw(cell: Cell, corners: Sequence[Point]) -> None:
        if cell in hints:
            _draw_hint(puzzle, picture, corners, hints[cell])
            return
        centre = middle(corners)
        picture.polygon(corners, "white", line="#666")
        if puzzle.frame is not None:
            for side, start in enumerate(corners):
                end = corners[(side + 1) % len(corners)]
                if (cell, side) in rim:
                    draw_plate(puzzle, picture, start, end, centre, puzzle.frame, BAND)
        if not puzzle.turning:
            place = between(centre, middle(corners[:2]), 0.3)
            picture.text(place, "↑", 0.2, turn=heading(*corners[:2]), fill="#666")

    on_board(picture, puzzle.surface, draw)
    kind: Literal["board", "picture"] = "board" if puzzle.surface.flat else "picture"
    return Part(str(picture), _measure_width(picture), kind=kind)


def _draw_hint(
    puzzle: EdgeMatchingData, picture: Picture, corners: Sequence[Point], hint: Hint
) -> None:
    if hint.turn is not None or not puzzle.turning:
        draw_tile(puzzle, picture, corners, hint.tile, hint.turn or 0, arrow=True)
        picture.polygon(corners, "none", width=0.025)
        return
    picture.polygon(corners, "white", line="#666")
    picture.badge(middle(corners), 0.2, hint.tile, puzzle.tiles[hint.tile].face or "", arrow=False)
