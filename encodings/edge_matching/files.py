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
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple
from urllib.parse import parse_qs, quote

from jigsat.encodings.edge_matching.check import shown_sides
from jigsat.encodings.edge_matching.data import EdgeMatchingData

from jigsat.errors import InputError
from jigsat.puzzle import Writer, require_plain, single
from jigsat.words import plural

VIEWER = "https://e2.bucas.name/"
RIM = "a"  # the letter of the rim's colour in a URL
RIM_NUMBER = "0"  # its number in a list of pieces
SIDES = 4
SIDE_NAMES = (
    ("up", "top", "north", "n", "u", "t"),
    ("right", "east", "e", "r"),
    ("down", "bottom", "south", "s", "d", "b"),
    ("left", "west", "w", "l"),
)
# letters of `board_types` for a piece that is given on its cell, and for any other piece
FIXED = "e"
FREE = "a"
NUMBER = r"[-+]?[0-9]+(\.[0-9]+)?[:.)]?"  # of a piece or a label, perhaps a wrong one
MOST_LETTERS = 25  # of labels in a URL, beside that of the rim
MOST_NUMBERED = 999  # pieces that have a number of three digits


@dataclass
class _PieceList:
    """A list of pieces as it is written; what it does not have is empty."""

    header: list[str]
    size: list[int]
    rows: list[list[str]]
    numbers: list[str]


class _Piece(NamedTuple):
    """A piece on a cell of a URL's board, with its sides from the top of the cell."""

    number: int
    sides: Sequence[str]


def read_text(text: str) -> dict[str, Any] | None:
    """The data of a board's URL or a list of pieces, which has its size, commas or numbers of two
    digits; else None."""
    stripped = text.strip()
    if re.match(r"\S*board_edges=\S*$", stripped):
        return _read_url(stripped)
    return _read_list(stripped)


def _read_list(text: str) -> dict[str, Any] | None:
    listed = _split_list(text)
    if len(listed.rows) < 2 or not all(_has_four_colours(row) for row in listed.rows):
        _require_no_faulty_line(text)
        return None

    rows = listed.rows
    if listed.header:
        rows = _sort_sides(listed.header, rows)
    elif not listed.size and not listed.numbers and not re.search(r"[,;]|\d\d", text):
        return None  # single digits may be those of another puzzle, such as a sudoku

    pieces = [[str(int(colour)) for colour in row] for row in rows]
    size = listed.size or _guess_size(len(pieces))
    numbers = listed.numbers or _count_from_one(len(pieces))
    return _write_entries(size, dict(zip(numbers, pieces, strict=True)), RIM_NUMBER)


def _has_four_colours(row: Sequence[str]) -> bool:
    return len(row) == SIDES and all(re.fullmatch(r"[0-9]{1,3}", colour) for colour in row)


def _require_no_faulty_line(text: str) -> None:
    """Raise InputError for a text that would be a list of pieces without its faulty lines: most
    lines have the numbers of a piece, and some number has several digits."""
    lines = dict(_split_lines(text))
    labels = [field for fields in lines.values() for field in fields]
    strange = [
        number
        for number, fields in lines.items()
        if not all(re.fullmatch(NUMBER, field) for field in fields)
    ]
    if not labels or 4 * len(strange) > len(lines):
        return
    first = min(lines)
    has_size = len(lines[first]) == 2
    is_certain = any(re.search("^[0-9]{2}|[-.]", label) for label in labels)
    if has_size:
        del lines[first]
    if not lines or not (is_certain or has_size or _are_numbered(list(lines.values()))):
        return
    widths = Counter(map(len, lines.values()))
    ((width, number_of_lines),) = widths.most_common(1)
    if width in (SIDES, SIDES + 1) and 2 * number_of_lines > len(lines):
        _require_pieces(lines, width)


def _require_pieces(lines: Mapping[int, Sequence[str]], width: int) -> None:
    """Raise InputError for the first line that is no piece of a list with `width` columns."""
    numbering = {str(i) for i in range(len(lines) + 1)}
    numbers: set[str] = set()
    for number, fields in lines.items():
        if len(fields) != width:
            raise InputError(
                f"line {number}: {plural(len(fields), 'number')}, but the other pieces have {width}"
            )
        for label in fields[-SIDES:]:
            if not re.fullmatch("[0-9]{1,3}", label):
                raise InputError(f"line {number}: {label[:60]} is no label; write 0 to 999")
        if width > SIDES and fields[0] in numbers:
            raise InputError(f"line {number}: the number {fields[0]} is given twice")
        if width > SIDES and fields[0].rstrip(":.)") not in numbering:
            raise InputError(
                f"line {number}: the number {fields[0]}; {len(lines)} pieces are numbered from 1 "
                f"to {len(lines)}, in any order"
            )
        numbers.add(fields[0])


def _are_numbered(rows: Sequence[Sequence[str]]) -> bool:
    """Whether the first of five columns has ascending numbers."""
    if len(rows) == SIDES + 1 or any(len(row) != SIDES + 1 or "." in row[0] for row in rows):
        return False
    numbers = [int(row[0].rstrip(":)")) for row in rows]
    return numbers == sorted(set(numbers)) and len(numbers) >= SIDES


def _split_lines(text: str) -> Iterator[tuple[int, list[str]]]:
    """The number and the fields of each line, without comments."""
    for number, line in enumerate(text.splitlines(), 1):
        written = line.partition("#")[0].strip()
        if written:
            yield number, re.split(r"[\s,;]+", written)


def _split_list(text: str) -> _PieceList:
    rows = [fields for _, fields in _split_lines(text)]
    header: list[str] = []
    if len(rows) > 2 and rows[0][0].isalpha():
        header = rows.pop(0)
    rows, numbers = _split_numbers(rows)
    size: list[int] = []
    if len(rows) > 1 and len(rows[0]) == 2 and all(map(_is_number, rows[0])):
        size = [int(number) for number in rows.pop(0)]
    return _PieceList(header, size, rows, numbers)


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdigit()


def _split_numbers(rows: list[list[str]]) -> tuple[list[list[str]], list[str]]:
    """The rows without the numbers of the pieces, and these numbers: five columns, the first of
    which counts from 0 or 1, in any order. There are none in other rows."""
    has_size = len(rows) > 0 and len(rows[0]) == 2
    sizes, pieces = (rows[:1], rows[1:]) if has_size else ([], rows)
    if len(pieces) < 2 or any(len(row) != SIDES + 1 for row in pieces):
        return rows, []
    if len(pieces) == SIDES + 1:  # a square, which may be a grid of digits
        return rows, []

    numbers = [re.sub("[:.)]$", "", row[0]) for row in pieces]
    numbering = [str(i) for i in range(len(numbers) + 1)]
    if set(numbers) not in ({*numbering[:-1]}, {*numbering[1:]}):  # in any order
        return rows, []
    return sizes + [row[1:] for row in pieces], numbers


def _sort_sides(header: Sequence[str], rows: list[list[str]]) -> list[list[str]]:
    """The sides in the order up, right, down, left. Raises InputError for other columns."""
    columns = [name.lower() for name in header[-SIDES:]]
    order = []
    for names in SIDE_NAMES:
        named = [i for i, column in enumerate(columns) if column in names]
        if len(named) != 1 or len(header) > SIDES + 1:
            raise InputError(
                f"row 1: the columns are {', '.join(header)[:60]}; name them up, right, down, left"
            )
        order += named
    return [[row[column] for column in order] for row in rows]


def _read_url(url: str) -> dict[str, Any]:
    """The data of a board's URL."""
    fields = _read_fields(url)
    edges = fields.get("board_edges", "")
    if not re.fullmatch(r"[a-z]+", edges) or len(edges) % SIDES:
        raise InputError("board_edges: expected four letters from a to z for each cell")
    cells = [edges[i : i + SIDES] for i in range(0, len(edges), SIDES)]
    size = _read_size(fields) or _guess_size(len(cells))
    _require_full_board(size, cells)

    names = _read_numbers(fields.get("board_pieces"), len(cells))
    pieces = {name: list(cell) for name, cell in zip(names, cells, strict=True)}
    in_order = {name: pieces[name] for name in sorted(pieces, key=int)}
    title = " ".join(fields.get("puzzle", "").split())
    data = {"title": title} | _write_entries(size, in_order, RIM)
    hints = _read_hints(fields, names, columns=size[1])
    if hints:
        data["hints"] = hints
    return data


def _read_fields(url: str) -> dict[str, str]:
    """The fields after the # of a URL, or after the ?, or all of the text."""
    query = url.partition("#")[2] or url.partition("?")[2] or url
    return {key: values[-1] for key, values in parse_qs(query).items()}


def _read_size(fields: Mapping[str, str]) -> list[int]:
    """The rows and columns in a URL; empty if one of them is missing or no number."""
    sizes = [fields.get("board_h", ""), fields.get("board_w", "")]
    if not all(re.fullmatch(r"[1-9][0-9]{0,2}", size) for size in sizes):
        return []
    return [int(size) for size in sizes]


def _require_full_board(size: Sequence[int], cells: Sequence[str]) -> None:
    rows, columns = size
    if rows * columns != len(cells):
        raise InputError(
            f"board_edges: {plural(len(cells), 'cell')}, but the board is {rows}×{columns}"
        )
    empty = cells.count(RIM * SIDES)
    if empty:
        number = "1 cell is" if empty == 1 else f"{empty:,} cells are"
        raise InputError(
            f"board_edges: {number} empty; an instance needs every piece, so fill the board"
        )


def _read_hints(
    fields: Mapping[str, str], names: Sequence[str], columns: int
) -> list[dict[str, Any]]:
    """A hint for each piece that is fixed. Without `board_types` all are."""
    types = fields.get("board_types", FIXED * len(names))
    if not re.fullmatch(r"[a-z]+", types) or len(types) != len(names):
        raise InputError("board_types: expected one letter from a to z for each cell")
    hints = []
    for i, name in enumerate(names):
        if types[i] == FIXED:
            hints.append({"cell": [i // columns, i % columns], "tile": name, "turn": 0})
    return hints


def _read_numbers(text: str | None, number: int) -> list[str]:
    """The names of the pieces: the numbers in `board_pieces`, or 1, 2, 3, … if there are none or
    some occur several times."""
    if text is None:
        return _count_from_one(number)
    if not re.fullmatch(rf"(-?\d{{3}}){{{number}}}", text, re.ASCII):
        raise InputError("board_pieces: expected three digits for each cell")
    names = [str(int(digits)) for digits in re.findall(r"\d{3}", text)]
    return names if len(set(names)) == number else _count_from_one(number)


def _count_from_one(number: int) -> list[str]:
    return [str(i) for i in range(1, number + 1)]


def _guess_size(number: int) -> list[int]:
    """The rows and columns of a board with this number of cells, as square as possible."""
    rows = math.isqrt(number)
    while number % rows:
        rows -= 1
    return [rows, number // rows]


def _write_entries(size: Sequence[int], pieces: dict[str, list[str]], rim: str) -> dict[str, Any]:
    """The entries of an instance. The rim's colour is the frame if the pieces have it as often as
    the rim is long."""
    rows, columns = size
    if rows * columns != len(pieces):
        raise InputError(
            f"{len(pieces)} pieces, but the board of {rows}×{columns} has {rows * columns} cells"
        )
    data: dict[str, Any] = {"family": "edge-matching", "board": f"square {rows}x{columns}"}
    if sum(sides.count(rim) for sides in pieces.values()) == 2 * (rows + columns):
        data["frame"] = rim
    data["tiles"] = pieces
    return data


@dataclass(frozen=True)
class _PlainPuzzle:
    """What the formats can express of a puzzle: the size of the board, the sides of every piece,
    and a number for each label."""

    rows: int
    columns: int
    pieces: list[tuple[str, ...]]
    numbers: dict[str, int]


def _require_expressible(puzzle: EdgeMatchingData, name: str) -> _PlainPuzzle:
    """The parts of the puzzle for the format of this name. Raises InputError if it cannot express
    some entry."""
    size = re.fullmatch(r"square (\d+)x(\d+)", puzzle.board.strip())
    if not size:
        raise InputError(
            f"{puzzle.name}: board: the format {name} has only rectangles of squares, such as "
            f"'square 4x4'"
        )
    require_plain(
        puzzle, name, turning=True, reusable=False, matching="equal", latin=False, groups={}
    )
    rows, columns = int(size[1]), int(size[2])
    pieces: list[tuple[str, ...]] = []
    for tile in puzzle.tiles.values():
        pieces += [tile.sides] * tile.count
    if len(pieces) != rows * columns:
        raise InputError(
            f"{puzzle.name}: tiles: the format {name} has no pieces that are left over"
        )
    if puzzle.frame is not None:
        shown = sum(sides.count(puzzle.frame) for sides in pieces)
        if shown != 2 * (rows + columns):
            raise InputError(
                f"{puzzle.name}: frame: the format {name} needs its label only on the rim"
            )
    return _PlainPuzzle(rows, columns, pieces, _number_labels(puzzle.frame, pieces))


def _number_labels(frame: str | None, pieces: Sequence[Sequence[str]]) -> dict[str, int]:
    """A number for each label: 0 for the frame, then 1, 2, … in the order of the pieces; 0 is
    unused if there is no frame."""
    numbers: dict[str, int] = {}
    if frame is not None:
        numbers[frame] = 0
    next_number = 1
    for sides in pieces:
        for label in sides:
            if label not in numbers:
                numbers[label] = next_number
                next_number += 1
    return numbers


def _write_list(puzzle: EdgeMatchingData) -> str:
    if puzzle.hints:
        raise InputError(
            f"{puzzle.name}: hints: the format pieces cannot express this entry; use board-url"
        )
    plain = _require_expressible(puzzle, "pieces")
    lines = [f"{plain.rows},{plain.columns}"]
    for sides in plain.pieces:
        lines.append(",".join(str(plain.numbers[label]) for label in sides))
    return "\n".join(lines) + "\n"


def _write_url(puzzle: EdgeMatchingData) -> str:
    plain = _require_expressible(puzzle, "board-url")
    letters = _choose_letters(puzzle, plain.numbers)
    board, hinted = _lay_pieces(puzzle, plain.columns)

    edges = "".join(letters[label] for piece in board for label in piece.sides)
    pieces = ""
    if max(piece.number for piece in board) <= MOST_NUMBERED:
        pieces = "".join(f"{piece.number:03}" for piece in board)
    types = "".join(FIXED if i in hinted else FREE for i in range(len(board)))
    fields = {
        "puzzle": quote("_".join(puzzle.title.split()) or puzzle.name or "jigsat"),
        "board_w": plain.columns,
        "board_h": plain.rows,
        "board_edges": edges,
        "board_pieces": pieces,
        "board_types": types,
    }
    query = "&".join(f"{field}={value}" for field, value in fields.items() if value)
    return f"{VIEWER}#{query}\n"


def _choose_letters(puzzle: EdgeMatchingData, numbers: Mapping[str, int]) -> dict[str, str]:
    """A letter for each label: its own if all labels are letters and the frame is that of the
    rim."""
    if max(numbers.values()) > MOST_LETTERS:
        raise InputError(
            f"{puzzle.name}: tiles: {len(numbers)} labels, but the format board-url has letters "
            f"for {MOST_LETTERS} and the rim"
        )
    if puzzle.frame == RIM and all(re.fullmatch("[a-z]", label) for label in numbers):
        return {label: label for label in numbers}
    return {label: chr(ord(RIM) + number) for label, number in numbers.items()}


def _lay_pieces(puzzle: EdgeMatchingData, columns: int) -> tuple[list[_Piece], set[int]]:
    """The piece on each cell, row by row, and the cells of the given pieces. The other pieces lie
    on the other cells, in the order of the file."""
    unused = _number_pieces(puzzle)
    by_cell: dict[int, _Piece] = {}
    for i, hint in enumerate(puzzle.hints):
        place = f"{puzzle.name}: hints.{i}: the format board-url cannot express a hint"
        if hint.turn is None:
            raise InputError(f"{place} without `turn`")
        if not unused[hint.tile]:
            raise InputError(f"{place} with more copies of a tile than there are")
        row, column = hint.cell
        number = unused[hint.tile].pop(0)
        sides = shown_sides(puzzle.tiles[hint.tile], hint.turn)
        by_cell[row * columns + column] = _Piece(number, sides)

    others = []
    for name, numbers in unused.items():
        for number in numbers:
            others.append(_Piece(number, puzzle.tiles[name].sides))
    next_piece = iter(others)
    board = []
    for i in range(len(by_cell) + len(others)):
        board.append(by_cell[i] if i in by_cell else next(next_piece))
    return board, set(by_cell)


def _number_pieces(puzzle: EdgeMatchingData) -> dict[str, list[int]]:
    """The numbers of the copies of each tile: its name if all tiles are named by different numbers,
    else their order in the file."""
    single_copies = all(tile.count == 1 for tile in puzzle.tiles.values())
    if single_copies and all(map(_is_piece_number, puzzle.tiles)):
        return {name: [int(name)] for name in puzzle.tiles}
    numbers: dict[str, list[int]] = {}
    next_number = 1
    for name, tile in puzzle.tiles.items():
        numbers[name] = list(range(next_number, next_number + tile.count))
        next_number += tile.count
    return numbers


def _is_piece_number(name: str) -> bool:
    return re.fullmatch(r"0|[1-9]\d{0,2}", name, re.ASCII) is not None


WRITERS: Mapping[str, Writer] = {
    "pieces": single("pieces", _write_list),
    "board-url": single("board-url", _write_url),
}
