"""Outlines of flat pieces for laser cutters, as SVG with one unit per millimetre.

Red lines are cut and blue ones engraved, as is usual. The laser follows the outline and burns away
half of the kerf on each side, so the outline lies that much outside the piece.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any
from xml.sax.saxutils import escape

from jigsat.errors import InputError
from jigsat.objects.measures import Measures, Place, lay_out, list_copies, require_libraries
from jigsat.pieces.blocks import Block

CUT = 'fill="none" stroke="#ff0000" stroke-width="0.1"'
ENGRAVED = 'fill="none" stroke="#0000ff" stroke-width="0.1"'
LINE_MM = 0.8  # height of a letter by the radius of the largest circle in a piece

Outline = Any  # shapely.Polygon; shapely has no types


def write_laser_svg(blocks: Iterable[Block], measures: Measures) -> list[str]:
    """All copies of the pieces with their names; one text for each sheet of the material."""
    require_libraries("matplotlib", "shapely")
    copies = list_copies(blocks)
    outlines = {block: build_outline(block, measures) for block in dict.fromkeys(copies)}
    sizes = []
    for block in copies:
        left, front, right, back = outlines[block].bounds
        sizes.append((right - left, back - front))

    sheets: dict[int, list[str]] = {}
    for block, place in zip(copies, lay_out(sizes, measures.material), strict=True):
        sheets.setdefault(place.sheet, []).append(_draw(block, outlines[block], place))
    return [_write_sheet(drawings, measures.material) for drawings in sheets.values()]


def build_outline(block: Block, measures: Measures) -> Outline:
    """What the laser follows. Raises InputError for a piece that is not flat or falls apart."""
    import shapely

    if not block.is_flat:
        raise InputError(f"piece {block.name}: it is not flat; use the format stl")
    measures.height_of(block)  # raises InputError for a wrong thickness
    cell = measures.cell
    squares = []
    for column, row, _ in sorted(block.cubes):
        squares.append(
            shapely.box(column * cell, row * cell, (column + 1) * cell, (row + 1) * cell)
        )
    whole = shapely.union_all(squares)
    piece = whole.buffer(-measures.clearance, join_style="mitre")
    if piece.geom_type != "Polygon":
        raise InputError(
            f"piece {block.name}: it would fall into parts, because they touch only at corners"
        )
    return piece.buffer(measures.kerf / 2, join_style="mitre")


def _draw(block: Block, outline: Outline, place: Place) -> str:
    """A piece at its place; y points down in SVG, and up in the outline."""
    left, _, _, back = outline.bounds
    rings = [outline.exterior, *outline.interiors]
    lines = [
        f'<path {CUT} d="{_path([_move(ring.coords, place.x - left, place.y + back)])}"/>'
        for ring in rings
    ]
    letters = _outline_name(block.name, outline)
    if letters:
        moved = [_move(letter, place.x - left, place.y + back) for letter in letters]
        lines.append(f'<path {ENGRAVED} d="{_path(moved)}"/>')
    return f"<g><title>{escape(block.name)}</title>{''.join(lines)}</g>"


def _move(
    points: Iterable[Sequence[float]], right: float, down: float
) -> list[tuple[float, float]]:
    """The points in the sheet, upside down."""
    return [(x + right, down - y) for x, y in points]


def _path(lines: Iterable[Sequence[tuple[float, float]]]) -> str:
    """The closed lines as the data of an SVG path."""
    return " ".join("M" + " L".join(f"{x:.3f},{y:.3f}" for x, y in line) + " Z" for line in lines)


def _outline_name(name: str, outline: Outline) -> list[list[tuple[float, float]]]:
    """The outlines of the letters, in the largest circle of the piece."""
    import shapely
    from matplotlib.textpath import TextPath

    circle = shapely.maximum_inscribed_circle(outline, tolerance=0.01)
    (x, y), radius = circle.coords[0], circle.length
    path = TextPath((0, 0), name.replace("$", r"\$"), size=10)  # no formula between dollars
    if not len(path.vertices):
        return []
    box = path.get_extents()
    diagonal = (box.width**2 + box.height**2) ** 0.5
    scale = LINE_MM * 2 * radius / diagonal
    scale = min(scale, radius / box.height)
    middle_x, middle_y = (box.x0 + box.x1) / 2, (box.y0 + box.y1) / 2
    letters = []
    polygons: list[Any] = path.to_polygons()
    for polygon in polygons:
        letters.append(
            [(x + (u - middle_x) * scale, y + (v - middle_y) * scale) for u, v in polygon]
        )
    return letters


def _write_sheet(drawings: Iterable[str], material: tuple[float, float]) -> str:
    width, height = material
    body = "\n".join(drawings)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:g}mm" height="{height:g}mm" '
        f'viewBox="0 0 {width:g} {height:g}">\n{body}\n</svg>\n'
    )
