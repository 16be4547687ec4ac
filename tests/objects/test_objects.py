"""Pieces as objects: their volume is counted on a fine grid, and the pieces of a solution are put
together."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from itertools import combinations, permutations, product
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from support.inside import jigsat as command
from support.second_boards import FACES

import jigsat
from jigsat.errors import InputError
from jigsat.objects import Measures
from jigsat.pieces.blocks import Block

numpy = pytest.importorskip("numpy")
manifold3d = pytest.importorskip("manifold3d")
shapely = pytest.importorskip("shapely")
trimesh = pytest.importorskip("trimesh")
pytest.importorskip("matplotlib")

from jigsat.objects.meshes import build_mesh  # noqa: E402
from jigsat.objects.outlines import build_outline, write_laser_svg  # noqa: E402

INSTANCES = ["cube", "soma", "pentominoes-6x10", "black-and-white", "polycube-3x3x3"]


def read_mesh(path: Path) -> Any:
    return trimesh.load_mesh(path, file_type="stl_ascii")


@pytest.mark.parametrize("name", INSTANCES)
def test_every_piece_is_watertight_and_has_its_volume(name: str, tmp_path: Path) -> None:
    measures = Measures(cell=10, thickness=None, clearance=1, material=(2000, 2000))
    jigsat.export(name, tmp_path / "pieces.stl", format="stl", measures=measures)
    mesh = read_mesh(tmp_path / "pieces.stl")
    assert mesh.is_watertight
    blocks = list(jigsat.load(name).blocks())
    assert len(mesh.split()) == sum(block.count for block in blocks)
    expected = sum(block.count * count_cubic_millimetres(block) for block in blocks)
    assert mesh.volume == pytest.approx(expected, rel=1e-5)


def count_cubic_millimetres(block: Block) -> int:
    """Those of which all neighbours are in the cells of the piece, too: cells of 10 mm, 1 mm of
    clearance. A flat piece is 5 mm thick, with nothing above and below it."""
    height = 5 if block.any_thickness else 10
    cubes = numpy.array(sorted(block.cubes))
    cubes -= cubes.min(axis=0)
    columns, rows, layers = cubes.max(axis=0) + 1

    # One empty cubic millimetre surrounds the piece.
    inside = numpy.zeros((10 * columns + 2, 10 * rows + 2, height * layers + 2), dtype=bool)
    for column, row, layer in cubes:
        x, y, z = 10 * column + 1, 10 * row + 1, height * layer + 1
        inside[x : x + 10, y : y + 10, z : z + height] = True

    kept = inside.copy()
    for shift in product((-1, 0, 1), (-1, 0, 1), (0,) if block.any_thickness else (-1, 0, 1)):
        kept &= numpy.roll(inside, shift, axis=(0, 1, 2))
    return int(kept.sum())


def test_the_pieces_of_a_cube_can_be_put_together() -> None:
    puzzle = jigsat.load("cube")
    blocks = {block.name: block for block in puzzle.blocks()}
    solution = next(jigsat.solutions(puzzle))
    measures = Measures(cell=1, clearance=0.1)
    placed = []
    for cell, piece, turn, flipped in solution.placements:
        mesh = build_mesh(blocks[piece], measures)
        placed.append(mesh.transform(find_motion(cell, turn, flipped)))
    require_no_overlap(placed)

    # the same pieces with one of them turned do not fit
    cell, piece, turn, flipped = solution.placements[0]
    turned = find_motion(cell, turn + 1, flipped)
    placed[0] = build_mesh(blocks[piece], measures).transform(turned)
    with pytest.raises(AssertionError):
        require_no_overlap(placed)


def find_motion(face: str, turn: int, flipped: bool) -> Any:
    """The motion of a piece of 6×6 cells of length 1, from where it lies flat with its lower left
    corner at the origin to its face of the cube, whose centre is the origin."""
    x, y, z = numpy.array([1.0, 0, 0]), numpy.array([0, 1.0, 0]), numpy.array([0, 0, 1.0])
    if flipped:
        x, z = -x, -z
    for _ in range(turn % 4):  # clockwise: what was up is on the right
        x, y = turn_clockwise(x), turn_clockwise(y)
    outward, up = (numpy.array(vector, dtype=float) for vector in FACES[face])
    right = numpy.cross(up, outward)
    axes = numpy.array([right, up, outward]).T
    rotation = axes @ numpy.array([x, y, z]).T
    middle = numpy.array([3, 3, 0.5])
    shift = 2.5 * outward - rotation @ middle
    return numpy.column_stack([rotation, shift])


def turn_clockwise(vector: Any) -> Any:
    return numpy.array([vector[1], -vector[0], vector[2]])


def test_the_pieces_of_a_box_can_be_put_together() -> None:
    puzzle = jigsat.load("soma")
    blocks = {block.name: block for block in puzzle.blocks()}
    measures = Measures(cell=1, clearance=0.1)
    placed = []
    for piece, cells in next(jigsat.solutions(puzzle)).placements:
        cubes = {(column, -row, -layer) for layer, row, column in cells}
        mesh = build_mesh(blocks[piece], measures)
        placed.append(mesh.transform(next(find_motions(blocks[piece].cubes, cubes))))
    require_no_overlap(placed)


def find_motions(cubes: frozenset[Any], target: set[Any]) -> Iterator[Any]:
    """The motions that bring the cubes to their target without a reflection."""
    for axes in permutations(range(3)):
        for signs in product((1, -1), repeat=3):
            rotation = numpy.zeros((3, 3))
            for i, (axis, sign) in enumerate(zip(axes, signs, strict=True)):
                rotation[i, axis] = sign
            if numpy.linalg.det(rotation) < 0:
                continue
            middles = [rotation @ (numpy.array(cube) + 0.5) for cube in cubes]
            goals = [numpy.array(cube) + 0.5 for cube in target]
            shift = numpy.mean(goals, axis=0) - numpy.mean(middles, axis=0)
            moved = {tuple(numpy.round(middle + shift, 3)) for middle in middles}
            if moved == {tuple(numpy.round(goal, 3)) for goal in goals}:
                yield numpy.column_stack([rotation, shift])


def require_no_overlap(placed: list[Any]) -> None:
    for first, second in combinations(placed, 2):
        assert (first ^ second).volume() == 0


def test_a_laser_cuts_outside_by_half_of_the_kerf() -> None:
    block = next(iter(jigsat.load("pentominoes-6x10").blocks()))
    exact = build_outline(block, Measures(clearance=0, kerf=0))
    assert exact.area == pytest.approx(5 * 100)
    cut = build_outline(block, Measures(clearance=0.1, kerf=0.5))
    assert exact.hausdorff_distance(cut) == pytest.approx(0.15 * 2**0.5)
    assert cut.buffer(-0.25 + 1e-9, join_style="mitre").area < exact.area


def test_outlines_lie_apart_on_their_sheets(tmp_path: Path) -> None:
    measures = Measures(cell=20, material=(150, 120))
    jigsat.export("pentominoes-6x10", tmp_path / "p.svg", format="svg-laser", measures=measures)
    sheets = sorted(tmp_path.iterdir())
    assert [sheet.name for sheet in sheets] == [f"p-{i}.svg" for i in range(1, len(sheets) + 1)]
    names = []
    for sheet in sheets:
        root = ElementTree.parse(sheet).getroot()
        assert root.get("width") == "150mm"
        outlines = []
        for group in root:
            names.append(group[0].text)
            numbers = re.findall(r"([\d.-]+),([\d.-]+)", group[1].get("d", ""))
            outlines.append(shapely.Polygon([(float(x), float(y)) for x, y in numbers]))
        for outline in outlines:
            assert shapely.box(0, 0, 150, 120).contains(outline)
        for first, second in combinations(outlines, 2):
            assert first.distance(second) > 3.9
    assert sorted(names) == sorted(jigsat.load("pentominoes-6x10").pieces)


def test_colours_that_are_lost_are_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The pieces of the first puzzle have black and white cells."""
    for name, number in (("black-and-white", 1), ("pentominoes-6x10", 0)):
        options = ["--format", "svg-laser", "--material", "2000x2000", "-o", tmp_path / "a.svg"]
        done = command(capsys, "export", name, *options)
        assert (done.status, done.err.count("\n")) == (0, number)
        assert ("have colours, which the format svg-laser does not show" in done.err) == bool(
            number
        )


@pytest.mark.parametrize(
    ("name", "written_as", "measures", "complaint"),
    [
        ("cats", "stl", Measures(), "the family edge-matching has no pieces that can be cut"),
        ("soma", "svg-laser", Measures(), "piece A: it is not flat; use the format stl"),
        ("cube", "stl", Measures(thickness=3), "a layer is as thick as a cell is wide, 10 mm"),
        ("cube", "stl", Measures(material=(50, 50)), "does not fit on material of 50 × 50 mm"),
        ("hexiamonds-6x6", "stl", Measures(), "only pieces of squares or cubes"),
    ],
)
def test_what_cannot_be_made(
    name: str, written_as: str, measures: Measures, complaint: str, tmp_path: Path
) -> None:
    with pytest.raises(InputError, match=re.escape(complaint)):
        jigsat.export(name, tmp_path / "x", format=written_as, measures=measures)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    "wrong", [{"cell": 0}, {"clearance": 5}, {"kerf": -1}, {"thickness": 0}, {"material": (0, 1)}]
)
def test_wrong_measures_are_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(InputError):
        Measures(**wrong)


@pytest.mark.parametrize(("written_as", "library"), [("stl", "trimesh"), ("svg-laser", "shapely")])
def test_a_missing_library_is_named(
    written_as: str, library: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, library, None)
    with pytest.raises(InputError, match=re.escape("pip install 'jigsat[objects]'")):
        jigsat.export("soma", tmp_path / "x", format=written_as)


def test_a_name_with_dollars_is_no_formula() -> None:
    block = Block("$x^$", frozenset([(0, 0, 0)]), 1, any_thickness=False)
    (sheet,) = write_laser_svg([block], Measures())
    assert "<title>$x^$</title>" in sheet


@pytest.mark.parametrize("build", [build_mesh, build_outline])
def test_a_piece_that_falls_apart_is_refused(build: Any) -> None:
    block = Block("A", frozenset([(0, 0, 0), (1, 1, 0)]), 1, any_thickness=False)
    with pytest.raises(InputError, match="piece A: it would fall into"):
        build(block, Measures())
