"""BurrTools' .xmpuzzle: shapes made of cubes, and problems with a result shape and the number of
times that each shape is used.

A shape is written cube by cube, first along x, then y, then z: `_` is empty, `#` filled, and `+` in
a result may be filled or stay empty. A number after it is its colour. Cubes without a colour fit
cubes of any colour; a colour fits another one if a pair in `bitmap` says so, where colours are
numbered from 0. `maxHoles` limits the number of cubes that stay empty; BurrTools ignores it if
every piece is used a fixed number of times.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import product
from typing import TYPE_CHECKING, Any, NamedTuple

from jigsat.encodings.tiling.data import OPTIONAL, REQUIRED, TilingData

from jigsat.boards.lattice import MAX_CELLS, NO_CELL
from jigsat.errors import InputError, xml_text
from jigsat.pieces.cells import ANY_COLOUR
from jigsat.puzzle import Writer, require_plain
from jigsat.runtime.untrusted import xml

if TYPE_CHECKING:
    from xml.etree import ElementTree

ROOT = "puzzle"
# characters for colours 1, 2, 3, …
LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
CUBE = re.compile(r"([_#+])([0-9]*)")


class Shape(NamedTuple):
    """A shape as a drawing, layer by layer, and which of its cubes may stay empty; both are '' if
    it has no cubes."""

    name: str
    drawing: str
    optional: str


def read_text(text: str) -> dict[str, Any] | None:
    """The data of a BurrTools file, already unpacked; None if the text is something else."""
    if (root := xml(text, ROOT)) is None:
        return None
    grid = root.find("gridType")
    if grid is not None and grid.get("type", "0") != "0":
        raise InputError("gridType: only puzzles made of cubes can be read")
    shapes = [
        _draw_shape(f"shape {number}", shape)
        for number, shape in enumerate(root.iterfind("shapes/voxel"))
    ]
    problems = list(root.iterfind("problems/problem"))
    if not problems:
        raise InputError("problems: the file has no problem")
    entries = [_problem(f"problem {i}", problem, shapes) for i, problem in enumerate(problems, 1)]
    title = " ".join((root.findtext("comment") or "").split())[:100]
    one = entries[0] if len(entries) == 1 else {"boards": entries}
    return {"family": "tiling", **({"title": title} if title else {}), **one}


def _number(
    where: str, element: ElementTree.Element, attribute: str, default: int | None = None
) -> int:
    text = element.get(attribute)
    if text is None and default is not None:
        return default
    if not re.fullmatch(r"\d{1,7}", text or "", re.ASCII):
        raise InputError(
            f"{where}: {attribute}: expected a whole number, got {(text or '')[:20]!r}"
        )
    return int(text or "")


def _draw_shape(where: str, shape: ElementTree.Element) -> Shape:
    x, y, z = (_number(where, shape, axis) for axis in "xyz")
    written = "".join((shape.text or "").split())
    cubes = CUBE.findall(written)
    if x * y * z > MAX_CELLS:
        raise InputError(f"{where}: {x * y * z:,} cubes are too many; the limit is {MAX_CELLS:,}")
    if len(cubes) != x * y * z or sum(len(kind) + len(colour) for kind, colour in cubes) != len(
        written
    ):
        raise InputError(
            f"{where}: the cubes do not fill {x}×{y}×{z}; each is written as _, # or +, perhaps "
            f"with a colour"
        )
    name = " ".join((shape.get("name") or "").split())
    if all(kind == "_" for kind, _ in cubes):
        return Shape(name, "", "")
    coloured = [_character(where, kind, colour) for kind, colour in cubes]
    kinds = [NO_CELL if kind == "_" else kind for kind, _ in cubes]
    return Shape(name, _layers(coloured, x, y), _layers(kinds, x, y))


def _layers(characters: Sequence[str], x: int, y: int) -> str:
    rows = ["".join(characters[i : i + x]) for i in range(0, len(characters), x)]
    drawing = "\n\n".join("\n".join(rows[i : i + y]) for i in range(0, len(rows), y))
    return (
        f"{drawing}\n" if len(rows) > 1 else drawing
    )  # as in an instance file, so that the digest is the same


def _character(where: str, kind: str, colour: str) -> str:
    number = int(colour[:4] or 0)
    if number > len(LETTERS):
        raise InputError(
            f"{where}: colour {colour[:4]}: at most {len(LETTERS)} colours can be read"
        )
    return NO_CELL if kind == "_" else LETTERS[number - 1] if number else ANY_COLOUR


def _problem(where: str, problem: ElementTree.Element, shapes: Sequence[Shape]) -> dict[str, Any]:
    result = problem.find("result")
    _, board, optional = _shape(
        where, shapes, -1 if result is None else _number(where, result, "id")
    )
    allowed = problem.iterfind("bitmap/pair")
    pairs = {
        (_number(where, pair, "piece") + 1, _number(where, pair, "result") + 1) for pair in allowed
    }
    shades = {
        LETTERS.index(character) + 1 for character in set(board) - {ANY_COLOUR, NO_CELL, "\n"}
    }
    parts = [(part, _number(where, part, "id")) for part in problem.iterfind("shapes/shape")]
    named = Counter(_shape(where, shapes, number).name for _, number in parts)
    pieces: dict[str, Any] = {}
    for part, number in parts:
        name, drawn, variable = shapes[number]
        label = name if name and named[name] == 1 else f"S{number + 1}"
        if OPTIONAL in variable:
            raise InputError(
                f"{where}: {label} is a piece with cubes that may stay empty; only a result may "
                f"have such cubes"
            )
        least = most = _number(where, part, "count", 1)
        if (
            part.get("count") is None
            and part.get("min") is not None
            and part.get("max") is not None
        ):
            least, most = _number(where, part, "min"), _number(where, part, "max")
        if label in pieces or least > most:
            raise InputError(
                f"{where}: {label} is given twice, or is used at least {least} and at most "
                f"{most} times"
            )
        pieces[label] = {"shape": _paint_piece(where, drawn, shades, pairs), "uses": [least, most]}
    if not pieces:
        raise InputError(f"{where}: no shape is used")
    title = " ".join((problem.get("name") or "").split())
    free: dict[str, Any] = {"optional": optional} if OPTIONAL in optional else {}
    if (
        free
        and problem.get("maxHoles")
        and any(least < most for least, most in (piece["uses"] for piece in pieces.values()))
    ):
        free["left_over"] = [0, _number(where, problem, "maxHoles")]
    return {**({"title": title} if title else {}), "board": board, **free, "pieces": pieces}


def _shape(where: str, shapes: Sequence[Shape], number: int) -> Shape:
    if not 0 <= number < len(shapes) or not shapes[number].drawing:
        raise InputError(f"{where}: it uses a shape that is missing or empty")
    return shapes[number]


def _paint_piece(where: str, drawn: str, shades: set[int], pairs: set[tuple[int, int]]) -> str:
    """A piece whose colours fit where they do in BurrTools. On a board without colours they do not
    matter."""
    for character in set(drawn) - {ANY_COLOUR, NO_CELL, "\n"}:
        colour = LETTERS.index(character) + 1
        fits = {shade for shade in shades if (colour, shade) in pairs}
        if fits == shades:
            drawn = drawn.replace(character, ANY_COLOUR)
        elif fits != {colour}:
            raise InputError(
                f"{where}: colour {colour} must fit its own colour alone, or all; an instance "
                f"has no other pairs"
            )
    return drawn


def _as_xml(puzzles: Sequence[TilingData]) -> str:
    from xml.etree import ElementTree

    root = ElementTree.Element(ROOT, version="2")
    ElementTree.SubElement(root, "gridType", type="0")
    characters = sorted(
        {character for puzzle in puzzles for character in puzzle.cells.values()} - {ANY_COLOUR}
    )
    colour = {ANY_COLOUR: ""} | {
        character: str(number) for number, character in enumerate(characters, 1)
    }
    colours = ElementTree.SubElement(root, "colors")
    for _ in characters:
        ElementTree.SubElement(colours, "color", red="128", green="128", blue="128")
    shapes, problems = (
        ElementTree.SubElement(root, "shapes"),
        ElementTree.SubElement(root, "problems"),
    )
    numbers: dict[tuple[str, ...], str] = {}
    for puzzle in puzzles:
        if puzzle.surface and (
            puzzle.lattice_board.periods or puzzle.lattice_board.lattice.balanced
        ):
            raise InputError(
                f"{puzzle.name}: board: the format xmpuzzle has only squares and cubes, and no "
                f"wrapped boards"
            )
        require_plain(puzzle, "xmpuzzle", letters=None, groups={}, turning=True, turning_over=True)
        title = xml_text(" ".join(puzzle.title.split()))
        problem = ElementTree.SubElement(
            problems, "problem", {"name": title, "state": "0", **_holes(puzzle)}
        )
        used = ElementTree.SubElement(problem, "shapes")
        for name, drawn in puzzle.drawn.items():
            least, most = puzzle.number_of_uses(name)
            times = (
                {"count": str(least)}
                if least == most
                else {"min": str(least), "max": str(min(most, len(puzzle.cells)))}
            )
            cubes = {cell: f"#{colour[character]}" for cell, character in drawn.items()}
            ElementTree.SubElement(
                used, "shape", {"id": _voxel(shapes, numbers, cubes, name), **times}
            )
        optional, its = puzzle.optional_cells, puzzle.cells.items()
        kinds = {
            cell: (OPTIONAL if cell in optional else REQUIRED) + colour[character]
            for cell, character in its
        }
        ElementTree.SubElement(problem, "result", id=_voxel(shapes, numbers, kinds, puzzle.name))
        allowed = ElementTree.SubElement(problem, "bitmap")
        for number in range(len(characters)):
            ElementTree.SubElement(allowed, "pair", piece=str(number), result=str(number))
    ElementTree.indent(root)
    return f'<?xml version="1.0"?>\n{ElementTree.tostring(root, encoding="unicode")}\n'


def _holes(puzzle: TilingData) -> dict[str, str]:
    """The attribute for the number of cells left over, unless the number of cells in the pieces is
    a sufficient limit."""
    used = [(len(drawn), *puzzle.number_of_uses(name)) for name, drawn in puzzle.drawn.items()]
    smallest, largest = (
        len(puzzle.cells) - sum(cells * times[i] for cells, *times in used) for i in (1, 0)
    )
    least, most = puzzle.empty
    if least > max(0, smallest):
        raise InputError(
            f"{puzzle.name}: left_over: the format xmpuzzle cannot express a minimum number of "
            f"empty cells"
        )
    return {"maxHoles": str(most)} if most < min(largest, len(puzzle.optional_cells)) else {}


def _voxel(
    shapes: ElementTree.Element,
    numbers: dict[tuple[str, ...], str],
    cells: Mapping[tuple[int, ...], str],
    name: str,
) -> str:
    """The number of a shape, which is added unless an equal shape of the same name is in
    `numbers`."""
    from xml.etree.ElementTree import SubElement

    cubes = {(0, *cell)[-3:]: cube for cell, cube in cells.items()}
    z, y, x = (max(along) + 1 for along in zip(*cubes, strict=True))
    text = "".join(cubes.get(at, "_") for at in product(range(z), range(y), range(x)))
    number = numbers.setdefault((name, str(x), str(y), text), str(len(shapes)))
    if number == str(len(shapes)):
        SubElement(
            shapes, "voxel", x=str(x), y=str(y), z=str(z), type="0", name=xml_text(name)
        ).text = text
    return number


WRITERS: Mapping[str, Writer] = {"xmpuzzle": _as_xml}
