"""Pieces as meshes for 3-D printers, in the format STL.

A piece is the union of its cubes, less all points that are nearer to another cube of the lattice
than the clearance. So two pieces that lie on different cubes never overlap, whatever they do.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Set
from itertools import product
from typing import Any

from jigsat.errors import InputError
from jigsat.objects.measures import Measures, lay_out, list_copies, require_libraries
from jigsat.pieces.blocks import Block, Cube

Mesh = Any  # manifold3d.Manifold; the library has no types
Brick = tuple[int, int, int]

LEAST_CLEARANCE_MM = 0.001  # so that cubes which touch only along an edge are apart
SIMPLER_BY_MM = 0.0001  # how far a side may move if triangles are joined


def write_stl(blocks: Iterable[Block], measures: Measures) -> list[str]:
    """All copies of the pieces, side by side; one text for each bed of a printer."""
    require_libraries("manifold3d", "trimesh")
    import numpy
    from trimesh import Trimesh
    from trimesh.exchange.stl import export_stl_ascii
    from trimesh.util import concatenate

    copies = list_copies(blocks)
    meshes = {block: build_mesh(block, measures) for block in dict.fromkeys(copies)}
    sizes = []
    for block in copies:
        left, front, _, right, back, _ = meshes[block].bounding_box()
        sizes.append((right - left, back - front))

    beds: dict[int, list[Any]] = {}
    for block, place in zip(copies, lay_out(sizes, measures.material), strict=True):
        left, front, bottom, *_ = meshes[block].bounding_box()
        moved = meshes[block].translate((place.x - left, place.y - front, -bottom))
        mesh = moved.to_mesh()
        corners = numpy.asarray(mesh.vert_properties)[:, :3]
        beds.setdefault(place.sheet, []).append(Trimesh(corners, mesh.tri_verts, process=False))
    return [export_stl_ascii(concatenate(bed)) + "\n" for bed in beds.values()]


def build_mesh(block: Block, measures: Measures) -> Mesh:
    """The piece, where its cubes are. Raises InputError if it would fall apart."""
    from manifold3d import Manifold
    from manifold3d import Mesh as Triangles

    corners, triangles = _triangulate(_list_bricks(block), _measure_lines(block, measures))
    piece = Manifold(Triangles(corners, triangles)).simplify(SIMPLER_BY_MM)
    parts = len(piece.decompose())
    if parts > 1:
        raise InputError(
            f"piece {block.name}: it would fall into {parts} parts, because they touch only at "
            f"edges or corners"
        )
    return piece


def _list_bricks(block: Block) -> set[Brick]:
    """The bricks that belong to the piece. Each cube has 3×3×3 bricks: those on its sides, edges
    and corners are as thin as the clearance. Such a brick belongs to the piece if all cubes that
    meet at it do."""
    bricks = set()
    for cube in block.cubes:
        for towards in product((-1, 0, 1), repeat=3):
            # nothing lies above or below a flat piece of any thickness
            right = towards[0]
            back = towards[1]
            up = 0 if block.any_thickness else towards[2]
            meeting = product({0, right}, {0, back}, {0, up})
            if all(_add(cube, by) in block.cubes for by in meeting):
                column, row, layer = (
                    3 * i + 1 + step for i, step in zip(cube, towards, strict=True)
                )
                bricks.add((column, row, layer))
    return bricks


def _add(cube: Cube, by: Cube) -> Cube:
    return cube[0] + by[0], cube[1] + by[1], cube[2] + by[2]


def _measure_lines(block: Block, measures: Measures) -> Callable[[int, int], float]:
    """A function that tells where brick number i begins along an axis, in millimetres."""
    lengths = (measures.cell, measures.cell, measures.height_of(block))
    clearance = max(measures.clearance, LEAST_CLEARANCE_MM)

    def begin(axis: int, number: int) -> float:
        cube, third = divmod(number, 3)
        length = lengths[axis]
        return cube * length + (0.0, clearance, length - clearance)[third]

    return begin


def _triangulate(bricks: Set[Brick], begin: Callable[[int, int], float]) -> tuple[Any, Any]:
    """The corners and the triangles of the surface of the bricks, as arrays; seen from outside, the
    corners of a triangle run counterclockwise."""
    import numpy

    numbers: dict[Brick, int] = {}
    triangles = []
    for brick in bricks:
        for axis, step in product(range(3), (-1, 1)):
            beside = list(brick)
            beside[axis] += step
            if tuple(beside) not in bricks:
                square = [
                    numbers.setdefault(corner, len(numbers))
                    for corner in _list_corners(brick, axis, step)
                ]
                triangles += [square[:3], [square[0], *square[2:]]]

    places = [[begin(axis, i) for axis, i in enumerate(corner)] for corner in numbers]
    return numpy.array(places, dtype=numpy.float32), numpy.array(triangles, dtype=numpy.uint32)


def _list_corners(brick: Brick, axis: int, step: int) -> list[Brick]:
    """The corners of one side of a brick, counterclockwise as seen from outside."""
    first, second = (axis + 1) % 3, (axis + 2) % 3
    corners = []
    for along_first, along_second in ((0, 0), (1, 0), (1, 1), (0, 1)):
        corner = list(brick)
        corner[axis] += (1 + step) // 2
        corner[first] += along_first
        corner[second] += along_second
        corners.append((corner[0], corner[1], corner[2]))
    return corners if step == 1 else corners[::-1]
