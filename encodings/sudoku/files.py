"""Text files of sudokus: grids as drawn (.sdk), one puzzle per line (.sdm), and the XML of
OpenSudoku."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from jigsat.encodings.sudoku.layouts import (
    close_up,
    join_fields,
    mark_blanks,
    read_candidates,
    read_list,
    require_right_candidates,
    require_right_lines,
)

from jigsat.boards.drawings import BLANKS, DIGITS, lines
from jigsat.errors import InputError, xml_text
from jigsat.puzzle import Writer, require_plain, single
from jigsat.runtime.untrusted import xml

if TYPE_CHECKING:
    from xml.etree import ElementTree

ROOT = "opensudoku"
HEXADECIMAL = "0123456789ABCDEF"


def read_text(text: str) -> dict[str, Any] | None:
    """The data of a text with one puzzle per line, with grids one below the other, or of
    OpenSudoku; None if it is neither."""
    root = xml(text, ROOT)
    if root is not None:
        return _read_open_sudoku(root)

    data: dict[str, Any] = {"family": "sudoku"}
    title = re.search(r"^#D(.*)$", text, re.MULTILINE)
    if title:
        data["title"] = " ".join(title[1].split())
    section = re.search(r"^[^\S\n]*\[Puzzle\]\s*$([^\[]*)", text, re.IGNORECASE | re.MULTILINE)
    if section:
        text = section[1]

    listed = read_list(text)
    if listed:
        return data | {"grids": listed}
    text = mark_blanks(close_up(join_fields(text)))
    candidates = read_candidates(text)
    if candidates:
        return data | candidates
    require_right_candidates(text)
    require_right_lines(text)
    _require_no_hexadecimal_digits(text)
    grids = _read_grids(text)
    return data | {"grids": grids} if grids else None


def _read_grids(text: str) -> list[str]:
    """The grids that are drawn in a text; none if it is something else."""
    rows = [line.split() for line in lines(text) if line.split()]
    grid_rows = ["".join(row) for row in rows]
    written = set("".join(grid_rows).upper())
    if not written <= {*DIGITS, *BLANKS} or not written & set("23456789"):
        return []
    if _is_list_of_numbers(rows) or _is_list_of_words(lines(text)):
        return []
    if not _is_drawn(lines(text), rows, marked=bool(written & set(BLANKS))):
        return []
    if max(map(len, grid_rows)) == 1:  # a cell on each line
        grid_rows = ["".join(grid_rows)]
    return _split_grids(grid_rows, text)


def _require_no_hexadecimal_digits(text: str) -> None:
    """Raise InputError for a grid of 16 rows in which 0 is a digit, beside another blank."""
    rows = ["".join(line.split()).upper() for line in lines(text) if line.strip()]
    signs = set("".join(rows))
    blanks = signs & {".", "_"}
    if {len(row) for row in rows} == {16} and len(rows) % 16 == 0 and "0" in signs:
        is_full = not blanks and not signs - set(HEXADECIMAL) and len(signs) == 16
        if is_full or (len(blanks) == 1 and not signs - blanks - set(HEXADECIMAL)):
            raise InputError(
                "grid: the digits are 0 to F; write 0 as G, because the digits of a 16×16 sudoku "
                "are 1 to 9 and A to G"
            )


def _split_grids(rows: list[str], text: str) -> list[str]:
    """The grids of a text: one on each line, or all rows one below the other."""
    size = max(map(len, rows))
    if size > len(DIGITS) or all(re.fullmatch(r"[1-4.0_]{16}", line) for line in rows):
        return rows
    # if no character marks blanks, spaces may be blanks, and the text must be read as a whole
    marked = not set(BLANKS).isdisjoint("".join(rows))
    several = marked and min(map(len, rows)) == size and len(rows) % size == 0
    if not several:
        return [text]
    return ["\n".join(rows[i : i + size]) for i in range(0, len(rows), size)]


def _is_list_of_numbers(rows: list[list[str]]) -> bool:
    """Whether every line has four numbers, after a line with the size or some with several digits,
    or after the number of a piece: lists of other puzzles."""
    has_size = len(rows) > 0 and len(rows[0]) == 2
    listed = rows[1:] if has_size else rows
    widths = {len(row) for row in listed}
    if widths == {5} and len(listed) != 5:
        numbers = {row[0].rstrip(":.)") for row in listed}
        numbering = [str(i) for i in range(len(listed) + 1)]
        return numbers in ({*numbering[:-1]}, {*numbering[1:]})
    if has_size and widths <= {4} and all(map(str.isdecimal, rows[0])):
        return math.prod(map(int, rows[0])) == len(listed)
    if has_size or widths != {4}:
        return False
    lengths = {len(number) for row in rows for number in row}
    return len(lengths) > 1


def _is_list_of_words(rows: Sequence[str]) -> bool:
    """Whether lines of several lengths have letters that no grid so wide has."""
    widths = {len(row) for row in rows if row.strip()}
    known = {*DIGITS[: max(9, *widths)], *BLANKS, " ", "\t"}
    return len(widths) > 1 and any(set(row.upper()) - known for row in rows)


def _is_drawn(text_lines: list[str], rows: list[list[str]], marked: bool) -> bool:
    """Whether the lines may be those of grids, and not a list of items and of options that consist
    of them.

    A row of a grid may contain a character repeatedly. Otherwise, all rows have the same number of
    words; unless blanks are `marked`, they form a square, or each is a square written on one line.
    If spaces are blanks, they form a square, too.
    """
    width = max(map(len, text_lines))
    has_spaces = any(re.search("^ |  ", line) for line in text_lines)
    is_below_empty = not any(line.strip() for line in text_lines[width:])
    if has_spaces and len(text_lines) >= width and is_below_empty:
        return True
    if any(len(set(row)) < len(row) for row in rows):
        return True

    sizes = {len("".join(row)) for row in rows}
    is_square = sizes == {len(rows)}
    if marked and len(rows) > 3 and is_square:  # a space within a row
        return True
    if len(set(map(len, rows))) != 1:
        return False
    return marked or is_square or all(math.isqrt(size) ** 2 == size for size in sizes)


def _read_open_sudoku(root: ElementTree.Element) -> dict[str, Any]:
    grids = []
    for number, game in enumerate(root.iter("game"), 1):
        grid = (game.get("data") or "").strip()
        if not re.fullmatch(r"[0-9.]{81}", grid):
            raise InputError(
                f"game {number}: only a grid of 81 digits can be read; export the puzzle without "
                f"its state"
            )
        grids.append(grid.replace("0", "."))
    return {
        "family": "sudoku",
        "title": " ".join((root.findtext("name") or "").split()),
        "grids": grids,
    }


def _plain(name: str, puzzle: Any) -> str:
    """The cells of a 9×9 sudoku on one line."""
    require_plain(puzzle, name, regions=None, extra=None, diagonals=False, candidates=None)
    if puzzle.size != 9 or puzzle.box_shape != (3, 3):
        raise InputError(f"{puzzle.name}: the format {name} has only 9×9 grids with boxes of 3×3")
    return "".join(puzzle.grid)


def _sdk(puzzle: Any) -> str:
    cells = _plain("sdk", puzzle)
    lines = [cells[i : i + 9] for i in range(0, 81, 9)]
    title = " ".join(puzzle.title.split())
    if title:
        lines.insert(0, f"#D{title}")
    return "\n".join(lines) + "\n"


def _sdm(puzzles: Sequence[Any]) -> str:
    return "".join(f"{_plain('sdm', puzzle).replace('.', '0')}\n" for puzzle in puzzles)


def _as_xml(puzzles: Sequence[Any]) -> str:
    from xml.etree import ElementTree  # only for this format

    root = ElementTree.Element(ROOT)
    title = xml_text(" ".join(puzzles[0].title.split()))
    ElementTree.SubElement(root, "name").text = title
    for puzzle in puzzles:
        ElementTree.SubElement(root, "game", data=_plain("opensudoku", puzzle).replace(".", "0"))
    ElementTree.indent(root)
    document = ElementTree.tostring(root, encoding="unicode")
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{document}\n'


WRITERS: Mapping[str, Writer] = {"sdk": single("sdk", _sdk), "sdm": _sdm, "opensudoku": _as_xml}
