"""A puzzle reconstructed from the shapes and words on its printed sheets."""

from __future__ import annotations

import math
import re
from collections import Counter
from typing import Any, NamedTuple
from xml.etree import ElementTree

from jigsat.pictures import fade_colour, swatches
from jigsat.printing.parts import PrintedPuzzle

PALE_COLOURS = {fade_colour(colour) for colour in swatches()}
"""Those of printed pieces of foam."""

Point = tuple[float, float]


class Shape(NamedTuple):
    corners: list[Point]
    fill: str
    line: float

    @property
    def centre(self) -> Point:
        xs, ys = zip(*self.corners, strict=True)
        return sum(xs) / len(xs), sum(ys) / len(ys)


class Word(NamedTuple):
    at: Point
    text: str
    bold: bool
    turn: float


class Part(NamedTuple):
    shapes: list[Shape]
    words: list[Word]
    caption: str

    def named(self) -> Word:
        (name,) = [word for word in self.words if word.bold]
        return name


class Paper(NamedTuple):
    rules: str
    parts: list[Part]


def read(puzzle: PrintedPuzzle) -> Paper:
    """The sentences and the parts, without the views of a solid."""
    rules = list(puzzle.rules)
    for clues in puzzle.clues:
        rules += [clues.heading, *clues.lines]
    parts = []
    for picture in [*puzzle.boards, *puzzle.models, *puzzle.pieces]:
        content = _content(ElementTree.fromstring(picture.svg))
        parts.append(Part(*content, picture.caption))
    return Paper(" ".join(rules), parts)


def _content(part: ElementTree.Element) -> tuple[list[Shape], list[Word]]:
    shapes, words = [], []
    for element in part:
        if element.tag.endswith("polygon"):
            corners = [
                tuple(map(float, pair.split(","))) for pair in element.get("points", "").split()
            ]
            shapes.append(
                Shape(corners, element.get("fill", ""), float(element.get("stroke-width", 0)))
            )
        elif element.tag.endswith("text"):
            x, y, turn = re.findall(r"-?[\d.]+(?:e-?\d+)?", element.get("transform", ""))[:3]
            words.append(
                Word(
                    (float(x), float(y)),
                    element.text or "",
                    element.get("font-weight") == "bold",
                    float(turn),
                )
            )
    return shapes, words


# -- edge matching on squares


def edge_matching(paper: Paper) -> dict[str, Any]:
    board, *tiles = paper.parts
    size = side(tiles[0])
    squares = [
        shape for shape in board.shapes if len(shape.corners) == 4 and spread(shape) > 0.9 * size
    ]
    cells = {cell_of(shape.centre, size) for shape in squares}
    rows, columns = (max(axis) + 1 for axis in zip(*cells, strict=True))
    assert len(cells) == rows * columns
    data: dict[str, Any] = {"family": "edge-matching", "board": f"square {rows}x{columns}"}
    data["tiles"] = {}
    for tile in tiles:
        sides, face = tile_at(tile, tile.named().at, size)
        entry = data["tiles"].setdefault(
            tile.named().text, {"sides": sides, "count": 0} | ({"face": face} if face else {})
        )
        entry["count"] += 1
    hints = [word for word in board.words if word.bold]
    if hints:
        assert (
            "The tiles drawn on the board are given, in the orientation in which they are drawn."
            in paper.rules
        )
    data["hints"] = [
        {"cell": cell_of(word.at, size), "tile": word.text, "turn": round(word.turn / 90) % 4}
        for word in sorted(hints, key=lambda word: cell_of(word.at, size))
    ]
    for word, hint in zip(
        sorted(hints, key=lambda word: cell_of(word.at, size)), data["hints"], strict=True
    ):
        shown, printed = tile_at(board, word.at, size)[0], data["tiles"][word.text]["sides"]
        assert shown == [printed[(i - hint["turn"]) % 4] for i in range(4)]
    hinted = [word.at for word in hints]
    rim = [
        word
        for word in board.words
        if word.text != "↑" and all(math.dist(word.at, at) > 0.6 * size for at in hinted)
    ]
    if rim:
        (data["frame"],) = {word.text for word in rim}
        assert (
            f"Sides on the rim of the board show the label that is printed there: {data['frame']}."
            in paper.rules
        )
        there = {hint["cell"] for hint in data["hints"]}
        around = [(r, c) for r in range(rows) for c in (0, columns - 1)] + [
            (r, c) for c in range(columns) for r in (0, rows - 1)
        ]
        assert len(rim) == sum(cell not in there for cell in around)
    if pairs := re.search(r"two labels that belong together \((.*?)\)", paper.rules):
        data["matching"] = [pair.split(" and ") for pair in pairs[1].split("; ")]
    else:
        assert "Sides that meet show the same label" in paper.rules
    data["turning"] = "tiles may be turned, not flipped" in paper.rules
    arrows = sum(word.text == "↑" for word in board.words)
    assert arrows == (0 if data["turning"] else len(cells) - len(hints))
    data["latin"] = "at most once in every row and column" in paper.rules
    data["reusable"] = all(tile.caption == "any number" for tile in tiles)
    assert data["reusable"] == ("may be used as often as you like" in paper.rules)
    return data


def tile_at(part: Part, centre: Point, size: float) -> tuple[list[str], str | None]:
    """The labels of the tile around a point, clockwise from the top of the paper, and its face."""
    found: list[list[tuple[float, str]]] = [[], [], [], []]
    face = None
    for word in part.words:
        dx, dy = word.at[0] - centre[0], word.at[1] - centre[1]
        if word.bold or math.hypot(dx, dy) > 0.5 * size:
            continue
        if math.hypot(dx, dy) < 0.12 * size:
            face = word.text
            continue
        direction = (0 if dy < 0 else 2) if abs(dy) > abs(dx) else (1 if dx > 0 else 3)
        found[direction].append((-math.hypot(dx, dy), word.text))
    return [" ".join(text for _, text in sorted(words)) for words in found], face


def spread(shape: Shape) -> float:
    xs, ys = zip(*shape.corners, strict=True)
    return min(max(xs) - min(xs), max(ys) - min(ys))


def side(part: Part) -> float:
    return max(spread(shape) for shape in part.shapes if len(shape.corners) == 4)


def cell_of(at: Point, size: float) -> tuple[int, int]:
    return math.floor(at[1] / size), math.floor(at[0] / size)


# -- sudoku


def sudoku(paper: Paper) -> dict[str, Any]:
    """The given digits, the areas that hold each digit once, and the digits."""
    (grid,) = paper.parts
    squares = [shape for shape in grid.shapes if len(shape.corners) == 4]
    size = side(grid)
    cells = {cell_of(shape.centre, size) for shape in squares}
    givens = {cell_of(word.at, size): word.text for word in grid.words if word.bold}
    lines = [shape for shape in grid.shapes if len(shape.corners) == 2]
    thick = max(line.line for line in lines)
    walls = {tuple(round(x) for x in line.centre) for line in lines if line.line == thick}
    small: dict[str, dict[str, set[tuple[int, int]]]] = {"left": {}, "right": {}}
    for word in grid.words:
        if not word.bold:
            where = "left" if word.at[0] / size % 1 < 0.5 else "right"
            small[where].setdefault(word.text, set()).add(cell_of(word.at, size))
    rooms = list(small["right"].values())
    assert bool(rooms) == ("all the cells with the same small letter on the right" in paper.rules)
    if not rooms:
        rest = set(cells)
        while rest:
            room, new = set[tuple[int, int]](), [min(rest)]
            while new:
                r, c = new.pop()
                room.add((r, c))
                for dr, dc in ((0, 1), (1, 0), (0, -1), (-1, 0)):
                    wall = round((c + 0.5 + dc / 2) * size), round((r + 0.5 + dr / 2) * size)
                    if wall not in walls and (r + dr, c + dc) not in room:
                        new.append((r + dr, c + dc))
            rest -= room
            rooms.append(room)
    diagonals = sum(
        abs(a[0] - b[0]) > 1.5 * size and abs(a[1] - b[1]) > 1.5 * size
        for a, b in (line.corners for line in lines)
    )
    assert diagonals == (2 if "The two diagonals hold each digit once" in paper.rules else 0)
    assert bool(small["left"]) == ("Each extra region" in paper.rules)
    n = math.isqrt(len(cells))
    lines_of = [{(r, c) for c in range(n)} for r in range(n)] + [
        {(r, c) for r in range(n)} for c in range(n)
    ]
    if diagonals:
        lines_of += [{(i, i) for i in range(n)}, {(i, n - 1 - i) for i in range(n)}]
    houses = {frozenset(house) for house in [*lines_of, *rooms, *small["left"].values()]}
    return {"givens": givens, "houses": houses}


# -- tiling


def tiling(paper: Paper) -> dict[str, Any]:
    board, *pieces = paper.parts
    data: dict[str, Any] = {"family": "tiling", "board": drawing(board), "pieces": {}}
    marked = {cell_of(word.at, side(board)) for word in board.words if word.text == "+"}
    if left := re.search(r"Cover all cells(?: but (\w[\w ]*))? of the board with", paper.rules):
        data["left_over"] = amount(left[1] or "0")
    else:
        assert "Cover all cells of the board that are not marked + with" in paper.rules
        data["optional"] = re.sub(r"[^.\n]", "#", data["board"])
        rows = data["optional"].split("\n")
        data["optional"] = "\n".join(
            "".join("+" if (r, c) in marked else x for c, x in enumerate(row))
            for r, row in enumerate(rows)
        )
        data["left_over"] = amount(
            re.search(r"marked \+ that stay free: ([\w ]+)\.", paper.rules)[1]
        )  # type: ignore[index]
    data["turning"] = (
        "Pieces may be turned," in paper.rules or "Pieces may be turned in space" in paper.rules
    )
    if "in space" not in paper.rules:
        data["turning_over"] = any(
            said in paper.rules for said in ("and turned over.", "turned over, left for right")
        )
    once = "Each piece is used once." in paper.rules
    copies = Counter(piece.named().text for piece in pieces)
    for piece in pieces:
        uses: Any = 1
        if not once:
            uses = amount(piece.caption.replace("once", "1"))
            assert copies[piece.named().text] == (
                1 if uses == "any" else uses if isinstance(uses, int) else max(uses)
            )
        data["pieces"][piece.named().text] = {"shape": drawing(piece), "uses": uses}
        if not data["turning"]:
            assert any(word.text == "↑" for word in piece.words)
    letters = {
        cell_of(word.at, side(board)): word.text
        for word in board.words
        if word.bold and word.text != "+"
    }
    if letters:
        assert (
            "The answer is the letters of the cells that stay free" in paper.rules
            and "read row by row" in paper.rules
        )
        data["letters"] = rows_of(letters)
    return data


def amount(text: str) -> Any:
    """The value of an entry such as `left_over` from its words, such as `at most 2`."""
    numbers = [int(number) for number in re.findall(r"\d+", text.replace("one", "1"))]
    return (
        "any"
        if text == "any number"
        else [0, *numbers]
        if "at most" in text
        else numbers
        if len(numbers) > 1
        else numbers[0]
    )


def drawing(part: Part) -> str:
    """The cells of the board or a piece; layers are drawn side by side in thin frames."""
    size = min(spread(shape) for shape in part.shapes if len(shape.corners) == 4)
    shapes = [shape for shape in part.shapes if len(shape.corners) == 4]
    frames = sorted(min(x for x, _ in shape.corners) for shape in shapes if shape.fill == "none")
    corner = {
        cell_of(word.at, size): word.text
        for word in part.words
        if not word.bold and word.text != "↑"
    }
    named = {"#222222": "b", "#ffffff": "w", "#f4f4f4": "#"}
    layers: dict[int, dict[tuple[int, int], str]] = {}
    for shape in shapes:
        if shape.fill != "none":
            r, c = cell_of(shape.centre, size)
            layer = sum(frame <= c * size + 0.01 for frame in frames) or 1
            start = round(frames[layer - 1] / size) if frames else 0
            character = named.get(shape.fill) or corner[r, c]
            layers.setdefault(layer, {})[r, c - start] = character
    wide, high = (1 + max(cell[i] for cells in layers.values() for cell in cells) for i in (1, 0))
    drawn = [
        "\n".join(
            "".join(layers.get(layer, {}).get((r, c), ".") for c in range(wide))
            for r in range(high)
        )
        for layer in range(1, max(len(frames), 1) + 1)
    ]
    return "\n\n".join(drawn)


def rows_of(cells: dict[tuple[int, int], str]) -> str:
    rows, columns = (max(axis) + 1 for axis in zip(*cells, strict=True))
    return "\n".join("".join(cells.get((r, c), ".") for c in range(columns)) for r in range(rows))


# -- interlocking pieces of squares


def interlocking(paper: Paper, size: int) -> dict[str, Any]:
    """The pieces, of `size` small squares along a side, and the number of faces."""
    board, *pieces = paper.parts
    data: dict[str, Any] = {
        "faces": sum(len(shape.corners) == 4 for shape in board.shapes),
        "pieces": {},
    }
    data["turning_over"] = "Pieces may be turned, and turned over." in paper.rules
    data["holes"] = "allowed" if "a gap may stay empty" in paper.rules else "forbidden"
    data["numbers"] = Counter(word.text for word in board.words)
    for piece in pieces:
        shapes = [shape for shape in piece.shapes if shape.fill in PALE_COLOURS]
        unit = 300 / size  # of the 300 pixels along a side
        rows = [
            "".join(
                "#"
                if any(
                    inside(((c + 0.5) * unit - 150, (r + 0.5) * unit - 150), shape.corners)
                    for shape in shapes
                )
                else "."
                for c in range(size)
            )
            for r in range(size)
        ]
        middle = range(1, size - 1)
        rows = [
            "".join("-" if r in middle and c in middle else rows[r][c] for c in range(size))
            for r in range(size)
        ]
        entry = data["pieces"].setdefault(
            piece.named().text, {"shape": "\n".join(rows), "count": 0}
        )
        entry["count"] += 1
    return data


def inside(at: Point, corners: list[Point]) -> bool:
    (x, y), odd = at, False
    for (x1, y1), (x2, y2) in zip(corners, [*corners[1:], corners[0]], strict=True):
        if (y1 > y) != (y2 > y) and x < x1 + (x2 - x1) * (y - y1) / (y2 - y1):
            odd = not odd
    return odd
