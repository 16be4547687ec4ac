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
from collections.abc import Callable, Mapping, Sequence
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
MAX_TITLE = 100  # letters of a comment that becomes the title
MISSING_SHAPE = "it uses a shape that is missing or empty"
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
    root = xml(text, ROOT)
    if root is None:
        return None
    grid = root.find("gridType")
    if grid is not None and grid.get("type", "0") != "0":
        raise InputError("gridType: only puzzles made of cubes can be read")
    shapes = []
    for i, shape in enumerate(root.iterfind("shapes/voxel")):
        shapes.append(_draw_shape(f"shape {i}", shape))
    problems = []
    for i, problem in enumerate(root.iterfind("problems/problem"), 1):
        problems.append(_read_problem(f"problem {i}", problem, shapes))
    if not problems:
        raise InputError("problems: the file has no problem")

    data: dict[str, Any] = {"family": "tiling"}
    title = _join_lines(root.findtext("comment"))[:MAX_TITLE]
    if title:
        data["title"] = title
    if len(problems) == 1:
        return data | problems[0]
    return data | {"boards": problems}


def _join_lines(text: str | None) -> str:
    return " ".join((text or "").split())


def _number(
    where: str, element: ElementTree.Element, attribute: str, default: int | None = None
) -> int:
    text = element.get(attribute)
    if text is None and default is not None:
        return default
    text = text or ""
    if not re.fullmatch(r"\d{1,7}", text, re.ASCII):
        raise InputError(f"{where}: {attribute}: expected a whole number, got {text[:20]!r}")
    return int(text)


def _draw_shape(where: str, shape: ElementTree.Element) -> Shape:
    x = _number(where, shape, "x")
    y = _number(where, shape, "y")
    z = _number(where, shape, "z")
    if x * y * z > MAX_CELLS:
        raise InputError(f"{where}: {x * y * z:,} cubes are too many; the limit is {MAX_CELLS:,}")
    cubes = _split_cubes(shape.text)
    if cubes is None or len(cubes) != x * y * z:
        raise InputError(
            f"{where}: the cubes do not fill {x}×{y}×{z}; each is written as _, # or +, perhaps "
            f"with a colour"
        )
    name = _join_lines(shape.get("name"))
    if all(kind == "_" for kind, _ in cubes):
        return Shape(name, "", "")
    coloured = [_character(where, kind, colour) for kind, colour in cubes]
    kinds = [NO_CELL if kind == "_" else kind for kind, _ in cubes]
    return Shape(name, _draw_layers(coloured, x, y), _draw_layers(kinds, x, y))


def _split_cubes(text: str | None) -> list[tuple[str, str]] | None:
    """The kind and the colour of each cube; None if something else is written between them."""
    written = "".join((text or "").split())
    if not re.fullmatch(f"({CUBE.pattern})*", written):
        return None
    return CUBE.findall(written)


def _draw_layers(characters: Sequence[str], x: int, y: int) -> str:
    rows = ["".join(characters[i : i + x]) for i in range(0, len(characters), x)]
    layers = ["\n".join(rows[i : i + y]) for i in range(0, len(rows), y)]
    drawing = "\n\n".join(layers)
    # as in an instance file, so that the digest is the same
    return f"{drawing}\n" if len(rows) > 1 else drawing


def _character(where: str, kind: str, colour: str) -> str:
    digits = colour[:4]
    number = int(digits or 0)
    if number > len(LETTERS):
        raise InputError(f"{where}: colour {digits}: at most {len(LETTERS)} colours can be read")
    if kind == "_":
        return NO_CELL
    return LETTERS[number - 1] if number else ANY_COLOUR


def _list_colours(drawing: str) -> set[int]:
    """The numbers of the colours in a drawing."""
    characters = set(drawing) - {ANY_COLOUR, NO_CELL, "\n"}
    return {LETTERS.index(character) + 1 for character in characters}


def _read_problem(
    where: str, problem: ElementTree.Element, shapes: Sequence[Shape]
) -> dict[str, Any]:
    """The entries of an instance, without its family."""
    result = problem.find("result")
    if result is None:
        raise InputError(f"{where}: {MISSING_SHAPE}")
    board = _get_shape(where, shapes, _number(where, result, "id"))
    pairs = set()
    for pair in problem.iterfind("bitmap/pair"):
        piece_colour = _number(where, pair, "piece") + 1
        board_colour = _number(where, pair, "result") + 1
        pairs.add((piece_colour, board_colour))
    shades = _list_colours(board.drawing)
    pieces = _read_pieces(where, problem, shapes, lambda piece: _paint(where, piece, shades, pairs))

    data: dict[str, Any] = {}
    title = _join_lines(problem.get("name"))
    if title:
        data["title"] = title
    data["board"] = board.drawing
    if OPTIONAL in board.optional:
        data["optional"] = board.optional
        if problem.get("maxHoles") and any(map(_is_variable, pieces.values())):
            data["left_over"] = [0, _number(where, problem, "maxHoles")]
    return data | {"pieces": pieces}


def _is_variable(piece: dict[str, Any]) -> bool:
    """Whether the number of uses of a piece is not fixed."""
    least, most = piece["uses"]
    return bool(least < most)


def _read_pieces(
    where: str,
    problem: ElementTree.Element,
    shapes: Sequence[Shape],
    paint: Callable[[str], str],
) -> dict[str, dict[str, Any]]:
    """The painted shapes and the uses of the pieces, by the names of the shapes; a shape whose name
    is missing or not its own has its number."""
    parts = []
    names = Counter[str]()
    for part in problem.iterfind("shapes/shape"):
        number = _number(where, part, "id")
        names[_get_shape(where, shapes, number).name] += 1
        parts.append((part, number))

    pieces: dict[str, dict[str, Any]] = {}
    for part, number in parts:
        shape = shapes[number]
        has_own_name = shape.name != "" and names[shape.name] == 1
        label = shape.name if has_own_name else f"S{number + 1}"
        if OPTIONAL in shape.optional:
            raise InputError(
                f"{where}: {label} is a piece with cubes that may stay empty; only a result may "
                f"have such cubes"
            )
        least, most = _read_uses(where, part)
        if label in pieces or least > most:
            raise InputError(
                f"{where}: {label} is given twice, or is used at least {least} and at most "
                f"{most} times"
            )
        pieces[label] = {"shape": paint(shape.drawing), "uses": [least, most]}
    if not pieces:
        raise InputError(f"{where}: no shape is used")
    return pieces


def _read_uses(where: str, part: ElementTree.Element) -> tuple[int, int]:
    """How often a shape is used, at least and at most: a count or two limits, by default once."""
    has_limits = part.get("min") is not None and part.get("max") is not None
    if part.get("count") is None and has_limits:
        return _number(where, part, "min"), _number(where, part, "max")
    count = _number(where, part, "count", 1)
    return count, count


def _get_shape(where: str, shapes: Sequence[Shape], number: int) -> Shape:
    if number >= len(shapes) or not shapes[number].drawing:
        raise InputError(f"{where}: {MISSING_SHAPE}")
    return shapes[number]


def _paint(where: str, drawing: str, shades: set[int], pairs: set[tuple[int, int]]) -> str:
    """A piece whose colours fit where they do in BurrTools; `shades` are the colours of the board.
    On a board without colours they do not matter."""
    for colour in _list_colours(drawing):
        fitting = {shade for shade in shades if (colour, shade) in pairs}
        if fitting == shades:
            drawing = drawing.replace(LETTERS[colour - 1], ANY_COLOUR)
        elif fitting != {colour}:
            raise InputError(
                f"{where}: colour {colour} must fit its own colour alone, or all; an instance "
                f"has no other pairs"
            )
    return drawing


def _write_xml(puzzles: Sequence[TilingData]) -> str:
    from xml.etree import ElementTree

    root = ElementTree.Element(ROOT, version="2")
    ElementTree.SubElement(root, "gridType", type="0")
    colours = _number_colours(puzzles)
    listed = ElementTree.SubElement(root, "colors")
    for _ in colours:
        ElementTree.SubElement(listed, "color", red="128", green="128", blue="128")
    shapes = _Shapes(ElementTree.SubElement(root, "shapes"))
    problems = ElementTree.SubElement(root, "problems")
    for puzzle in puzzles:
        _require_expressible(puzzle)
        _write_problem(problems, puzzle, shapes, colours)
    ElementTree.indent(root)
    return f'<?xml version="1.0"?>\n{ElementTree.tostring(root, encoding="unicode")}\n'


def _require_expressible(puzzle: TilingData) -> None:
    if puzzle.surface:
        board = puzzle.lattice_board
        if board.periods or board.lattice.balanced:
            raise InputError(
                f"{puzzle.name}: board: the format xmpuzzle has only squares and cubes, and no "
                f"wrapped boards"
            )
    require_plain(puzzle, "xmpuzzle", letters=None, groups={}, turning=True, turning_over=True)


def _number_colours(puzzles: Sequence[TilingData]) -> dict[str, str]:
    """The number of each character that is a colour on a board."""
    characters: set[str] = set()
    for puzzle in puzzles:
        characters.update(puzzle.cells.values())
    characters.discard(ANY_COLOUR)
    return {character: str(number) for number, character in enumerate(sorted(characters), 1)}


def _write_problem(
    problems: ElementTree.Element, puzzle: TilingData, shapes: _Shapes, colours: Mapping[str, str]
) -> None:
    from xml.etree.ElementTree import SubElement

    title = xml_text(" ".join(puzzle.title.split()))
    attributes = {"name": title, "state": "0"}
    most_holes = _limit_holes(puzzle)
    if most_holes is not None:
        attributes["maxHoles"] = str(most_holes)
    problem = SubElement(problems, "problem", attributes)

    pieces = SubElement(problem, "shapes")
    for name, cells in puzzle.drawn.items():
        cubes = {cell: REQUIRED + colours.get(character, "") for cell, character in cells.items()}
        least, most = puzzle.number_of_uses(name)
        if least == most:
            uses = {"count": str(least)}
        else:
            uses = {"min": str(least), "max": str(min(most, len(puzzle.cells)))}
        SubElement(pieces, "shape", {"id": shapes.number_shape(name, cubes), **uses})

    board = {}
    for cell, character in puzzle.cells.items():
        kind = OPTIONAL if cell in puzzle.optional_cells else REQUIRED
        board[cell] = kind + colours.get(character, "")
    SubElement(problem, "result", id=shapes.number_shape(puzzle.name, board))

    allowed = SubElement(problem, "bitmap")
    for i in range(len(colours)):
        SubElement(allowed, "pair", piece=str(i), result=str(i))


def _limit_holes(puzzle: TilingData) -> int | None:
    """The greatest number of cells left over; None if the number of cells in the pieces is a
    sufficient limit."""
    fewest_covered = most_covered = 0
    for name, cells in puzzle.drawn.items():
        least, most = puzzle.number_of_uses(name)
        fewest_covered += len(cells) * least
        most_covered += len(cells) * most

    least, most = puzzle.empty
    if least > max(0, len(puzzle.cells) - most_covered):
        raise InputError(
            f"{puzzle.name}: left_over: the format xmpuzzle cannot express a minimum number of "
            f"empty cells"
        )
    limit = min(len(puzzle.cells) - fewest_covered, len(puzzle.optional_cells))
    return most if most < limit else None


class _Shapes:
    """The list of shapes in a file; equal shapes of the same name are listed once."""

    def __init__(self, listed: ElementTree.Element) -> None:
        self._listed = listed
        self._numbers: dict[tuple[str, int, int, str], str] = {}

    def number_shape(self, name: str, cells: Mapping[tuple[int, ...], str]) -> str:
        """The number of a shape, which is added if it is new."""
        from xml.etree.ElementTree import SubElement

        cubes = {(0, *cell)[-3:]: cube for cell, cube in cells.items()}
        z, y, x = (max(along) + 1 for along in zip(*cubes, strict=True))
        places = product(range(z), range(y), range(x))
        text = "".join(cubes.get(place, "_") for place in places)
        key = name, x, y, text
        if key not in self._numbers:
            self._numbers[key] = str(len(self._numbers))
            shape = SubElement(
                self._listed,
                "voxel",
                {"x": str(x), "y": str(y), "z": str(z), "type": "0", "name": xml_text(name)},
            )
            shape.text = text
        return self._numbers[key]


WRITERS: Mapping[str, Writer] = {"xmpuzzle": _write_xml}
