"""Files of Eternity-II-like puzzles: lists of pieces with four colours per line, and the URLs of
boards.

The colours of a piece are listed up, right, down, left. Colour 0 or the letter `a` is that of the
rim. In a URL of the online viewer (https://github.com/jfbucas/eternityII-viewer), `board_edges` has
four letters per cell, row by row, `board_types` one letter per cell, e for a fixed piece, and
`board_pieces` three digits per cell, the number of the piece.
"""

import math
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any
from urllib.parse import parse_qs, quote

from jigsat.encodings.edge_matching.data import EdgeMatchingData

from jigsat.errors import InputError
from jigsat.puzzle import Writer, require_plain, single
from jigsat.words import plural

VIEWER = "https://e2.bucas.name/"
RIM = "a"
SIDES = 4
SIDE_NAMES = {
    name: side
    for side, names in enumerate(
        (
            ("up", "top", "north", "n", "u", "t"),
            ("right", "east", "e", "r"),
            ("down", "bottom", "south", "s", "d", "b"),
            ("left", "west", "w", "l"),
        )
    )
    for name in names
}
FIXED, FREE = (
    "e",
    "a",
)  # letters of `board_types` for a piece that is given on its cell, and for any other piece


def read_text(text: str) -> dict[str, Any] | None:
    """The data of a board's URL or a list of pieces, which has its size, commas or numbers of two
    digits; else None."""
    stripped = text.strip()
    if re.match(r"\S*board_edges=\S*$", stripped):
        return _board(stripped)
    header, size, rows, names = _split_list(stripped)
    if len(rows) < 2 or any(
        len(row) != SIDES or not re.fullmatch(r"[0-9]{1,3}( [0-9]{1,3}){3}", " ".join(row))
        for row in rows
    ):
        return None
    if header:
        rows = _sort_sides(header, rows)
    if not (size or header or names or re.search(r"[,;]|\d\d", stripped)):
        return None
    pieces = [[str(int(number)) for number in row] for row in rows]
    data = _entries(size or _shape(len(rows)), pieces, "0")
    if names:
        data["tiles"] = dict(zip(names, pieces, strict=True))
    return data


def _split_list(text: str) -> tuple[list[str], list[int], list[list[str]], list[str]]:
    """The header of a list of pieces, the size of the board, the rows, and the numbers of the
    pieces; what the list does not have is empty."""
    rows = [
        re.split(r"[\s,;]+", line.strip())
        for line in text.splitlines()
        if line.strip() and not line.startswith("#")
    ]
    header = rows.pop(0) if len(rows) > 2 and rows[0][0].isalpha() else []
    rows, names = _split_numbers(rows)
    size: list[int] = []
    sized = len(rows) > 1 and len(rows[0]) == 2
    if sized and all(number.isascii() and number.isdigit() for number in rows[0]):
        size = [int(number) for number in rows.pop(0)]
    return header, size, rows, names


def _split_numbers(rows: list[list[str]]) -> tuple[list[list[str]], list[str]]:
    """The rows without the numbers of the pieces, and these numbers: five columns, the first of
    which counts from 0 or 1. There are none in other rows."""
    listed = rows[1:] if rows and len(rows[0]) == 2 else rows  # without the size of the board
    if len(listed) < 2 or any(len(row) != SIDES + 1 for row in listed):
        return rows, []
    if len(listed) == SIDES + 1:  # a square, which may be a grid of digits
        return rows, []
    numbers = [re.sub("[:.)]$", "", row[0]) for row in listed]
    first = numbers[0]
    if first not in ("0", "1") or numbers != [str(int(first) + i) for i in range(len(numbers))]:
        return rows, []
    return [*rows[: len(rows) - len(listed)], *(row[1:] for row in listed)], numbers


def _sort_sides(header: Sequence[str], rows: list[list[str]]) -> list[list[str]]:
    """The sides in the order up, right, down, left. Raises InputError for other columns."""
    named = [SIDE_NAMES.get(name.lower()) for name in header[-SIDES:]]
    if {*named} != {*range(SIDES)} or len(header) > SIDES + 1:
        raise InputError(
            f"row 1: the columns are {', '.join(header)[:60]}; name them up, right, down, left"
        )
    order = [named.index(side) for side in range(SIDES)]
    return [[row[column] for column in order] for row in rows]


def _board(url: str) -> dict[str, Any]:
    fields = {
        key: values[-1]
        for key, values in parse_qs(url.partition("#")[2] or url.partition("?")[2] or url).items()
    }
    edges = fields.get("board_edges", "")
    cells = [edges[i : i + SIDES] for i in range(0, len(edges), SIDES)]
    if not re.fullmatch(r"[a-z]+", edges) or len(edges) % SIDES:
        raise InputError("board_edges: expected four letters from a to z for each cell")
    sizes = [fields.get(name, "") for name in ("board_h", "board_w")]
    size = [int(value) for value in sizes if re.fullmatch(r"[1-9][0-9]{0,2}", value)]
    if len(size) < 2:
        size = _shape(len(cells))
    if size[0] * size[1] != len(cells):
        raise InputError(
            f"board_edges: {plural(len(cells), 'cell')}, but the board is {size[0]}×{size[1]}"
        )
    if empty := sum(cell == RIM * SIDES for cell in cells):
        left = "1 cell is" if empty == 1 else f"{empty:,} cells are"
        raise InputError(
            f"board_edges: {left} empty; an instance needs every piece, so fill the board"
        )
    names = _numbers(fields.get("board_pieces"), len(cells))
    data = _entries(size, list(map(list, cells)), RIM)
    data["tiles"] = {
        name: list(cell)
        for name, cell in sorted(zip(names, cells, strict=True), key=lambda item: int(item[0]))
    }
    types = fields.get("board_types", FIXED * len(cells))
    if not re.fullmatch(r"[a-z]+", types) or len(types) != len(cells):
        raise InputError("board_types: expected one letter from a to z for each cell")
    places = [divmod(i, size[1]) for i in range(len(cells))]
    given = [
        (place, name)
        for place, name, kind in zip(places, names, types, strict=True)
        if kind == FIXED
    ]
    hints = [{"cell": list(place), "tile": name, "turn": 0} for place, name in given]
    return (
        {"title": " ".join(fields.get("puzzle", "").split())}
        | data
        | ({"hints": hints} if hints else {})
    )


def _numbers(text: str | None, number: int) -> list[str]:
    """The names of the pieces: the numbers in `board_pieces`, or 1, 2, 3, … if there are none or
    some occur several times."""
    if text is not None and not re.fullmatch(rf"(-?\d{{3}}){{{number}}}", text, re.ASCII):
        raise InputError("board_pieces: expected three digits for each cell")
    found = [str(int(digits)) for digits in re.findall(r"\d{3}", text or "")]
    return found if len(set(found)) == number else [str(i) for i in range(1, number + 1)]


def _shape(number: int) -> list[int]:
    """The rows and columns of a board with this number of cells, as square as possible."""
    rows = next(rows for rows in range(math.isqrt(number), 0, -1) if number % rows == 0)
    return [rows, number // rows]


def _entries(size: Sequence[int], pieces: Sequence[Sequence[str]], rim: str) -> dict[str, Any]:
    """The entries of an instance. The rim's colour is the frame if the pieces have it as often as
    the rim is long."""
    if math.prod(size) != len(pieces):
        raise InputError(
            f"{len(pieces)} pieces, but the board of {size[0]}×{size[1]} has {math.prod(size)} "
            f"cells"
        )
    data: dict[str, Any] = {"family": "edge-matching", "board": f"square {size[0]}x{size[1]}"}
    if sum(Counter(piece)[rim] for piece in pieces) == 2 * sum(size):
        data["frame"] = rim
    return data | {"tiles": {str(number): list(piece) for number, piece in enumerate(pieces, 1)}}


def _pieces(name: str, puzzle: EdgeMatchingData) -> tuple[list[int], list[tuple[str, ...]]]:
    """The size of the board and the sides of every piece."""
    size = re.fullmatch(r"square (\d+)x(\d+)", puzzle.board.strip())
    if not size:
        raise InputError(
            f"{puzzle.name}: board: the format {name} has only rectangles of squares, such as "
            f"'square 4x4'"
        )
    require_plain(
        puzzle, name, turning=True, reusable=False, matching="equal", latin=False, groups={}
    )
    pieces = [tile.sides for tile in puzzle.tiles.values() for _ in range(tile.count)]
    rows, columns = int(size[1]), int(size[2])
    if len(pieces) != rows * columns:
        raise InputError(
            f"{puzzle.name}: tiles: the format {name} has no pieces that are left over"
        )
    shown = sum(label == puzzle.frame for piece in pieces for label in piece)
    if puzzle.frame is not None and shown != 2 * (rows + columns):
        raise InputError(f"{puzzle.name}: frame: the format {name} needs its label only on the rim")
    return [rows, columns], pieces


def _number_labels(puzzle: EdgeMatchingData, pieces: Sequence[Sequence[str]]) -> dict[str, int]:
    """A number for each label: 0 for the frame, then 1, 2, … in the order of the pieces; 0 is
    unused if there is no frame."""
    labels = dict.fromkeys(label for piece in pieces for label in piece if label != puzzle.frame)
    return {
        **({puzzle.frame: 0} if puzzle.frame is not None else {}),
        **{label: i for i, label in enumerate(labels, 1)},
    }


def _csv(puzzle: EdgeMatchingData) -> str:
    if puzzle.hints:
        raise InputError(
            f"{puzzle.name}: hints: the format pieces cannot express this entry; use board-url"
        )
    (rows, columns), pieces = _pieces("pieces", puzzle)
    number = _number_labels(puzzle, pieces)
    return "\n".join(
        [
            f"{rows},{columns}",
            *(",".join(str(number[label]) for label in piece) for piece in pieces),
            "",
        ]
    )


def _url(puzzle: EdgeMatchingData) -> str:
    (rows, columns), pieces = _pieces("board-url", puzzle)
    number = _number_labels(puzzle, pieces)
    if max(number.values()) > 25:
        raise InputError(
            f"{puzzle.name}: tiles: {len(number)} labels, but the format board-url has letters "
            f"for 25 and the rim"
        )
    letter = {label: chr(ord(RIM) + i) for label, i in number.items()}
    if puzzle.frame == RIM and all(re.fullmatch("[a-z]", label) for label in letter):
        letter = {label: label for label in letter}
    laid, fixed = _lay_pieces(puzzle, columns)
    edges = "".join(letter[label] for _, sides in laid for label in sides)
    fields = {
        "puzzle": quote("_".join(puzzle.title.split()) or puzzle.name or "jigsat"),
        "board_w": columns,
        "board_h": rows,
        "board_edges": edges,
        "board_pieces": "".join(f"{index:03}" for index, _ in laid) if max(laid)[0] < 1000 else "",
        "board_types": "".join(FIXED if i in fixed else FREE for i in range(len(laid))),
    }
    return f"{VIEWER}#{'&'.join(f'{field}={value}' for field, value in fields.items() if value)}\n"


def _lay_pieces(
    puzzle: EdgeMatchingData, columns: int
) -> tuple[list[tuple[int, Sequence[str]]], set[int]]:
    """The number and sides of the piece on each cell, row by row, and the cells of the given
    pieces."""
    names = [name for name, tile in puzzle.tiles.items() for _ in range(tile.count)]
    plain = len(names) == len(puzzle.tiles) and all(
        re.fullmatch(r"0|[1-9]\d{0,2}", name, re.ASCII) for name in names
    )
    left: dict[str, list[int]] = {}
    for i, name in reversed(list(enumerate(names, 1))):
        left.setdefault(name, []).append(int(name) if plain else i)
    given: dict[int, tuple[int, Sequence[str]]] = {}
    for i, (cell, name, turn) in enumerate(
        (hint.cell, hint.tile, hint.turn) for hint in puzzle.hints
    ):
        if turn is None or not left[name]:
            wrong = (
                "without `turn`" if turn is None else "with more copies of a tile than there are"
            )
            raise InputError(
                f"{puzzle.name}: hints.{i}: the format board-url cannot express a hint {wrong}"
            )
        sides = puzzle.tiles[name].sides
        given[cell[0] * columns + cell[1]] = (
            left[name].pop(),
            sides[SIDES - turn :] + sides[: SIDES - turn],
        )
    rest = (
        (number, puzzle.tiles[name].sides)
        for name in puzzle.tiles
        for number in reversed(left[name])
    )
    return [given[i] if i in given else next(rest) for i in range(len(names))], set(given)


WRITERS: Mapping[str, Writer] = {
    "pieces": single("pieces", _csv),
    "board-url": single("board-url", _url),
}
