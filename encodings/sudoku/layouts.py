"""Layouts of other programs: lists with a header or further columns, grids whose blanks are drawn
with * - or ?, and grids of candidates."""

import math
import re
from collections.abc import Iterator, Sequence
from typing import Any

from jigsat.boards.drawings import BLANK, BLANKS, DIGITS, lines
from jigsat.errors import InputError

OTHER_BLANKS = "*?-"
DELIMITERS = ",;"
MIN_SIZE = 4  # of a grid in a table
MIN_LISTED_CELLS = 16  # of a grid in a list
FIELD = re.compile(r"[\s,;\t\"|]+")
GRID = re.compile(r"[0-9._*?-]+")


def read_list(text: str) -> list[str] | None:
    """The grids of a list with one puzzle per line and further columns, such as a rating or the
    solution, perhaps with a header; None for any other text. The first grid of a line counts."""
    rows = [line for line in text.splitlines() if line.strip() and not line.startswith("#")]
    grids = [_first_grid(line) for line in rows]
    if len(grids) > 1 and grids[0] is None and not re.search(r"[0-9.]{9}", rows[0]):  # the header
        rows, grids = rows[1:], grids[1:]
    elif not any(len(FIELD.split(line.partition("#")[0].strip())) > 1 for line in rows):
        return None
    listed = [grid for grid in grids if grid]
    sizes = {len(grid) for grid in listed}
    if not listed or len(listed) < len(rows) or len(sizes) > 1:
        return None
    return [re.sub("[0_*?-]", BLANK, grid) for grid in listed]


def _first_grid(line: str) -> str | None:
    """The first field of a line that has all cells of a grid."""
    for field in FIELD.split(line.strip()):
        square = math.isqrt(len(field)) ** 2 == len(field)
        if square and len(field) >= MIN_LISTED_CELLS and GRID.fullmatch(field):
            return field
    return None


def mark_blanks(text: str) -> str:
    """A text in which blanks are full stops, if they are drawn with * - or ? beside digits."""
    row = re.compile(rf"(?=.*[1-9])[0-9A-Z{re.escape(OTHER_BLANKS)}|\s]+")
    rows = [line for line in text.splitlines() if row.fullmatch(line)]
    used = [blank for blank in OTHER_BLANKS if any(blank in line for line in rows)]
    if len(used) != 1 or any(blank in line for line in rows for blank in ".0_"):
        return text
    (blank,) = used

    # A line of blanks only may be a row or a separator; it is a row if the grid needs it.
    width = max(len(re.sub(r"[|\s]", "", line)) for line in rows)
    is_row = {line: row.fullmatch(line) is not None for line in text.splitlines()}
    empty = [line for line in is_row if not set(line) - {*blank, *" |"} and blank in line]
    if len(rows) < width:
        is_row |= dict.fromkeys(empty, True)
    return "\n".join(
        line.replace(blank, BLANK) if is_row[line] else line for line in text.splitlines()
    )


def join_fields(text: str) -> str:
    """A text in which each cell is a field of a table, with commas or semicolons between fields,
    as rows of characters or of groups of digits. An empty field is a blank."""
    written = [line for line in text.splitlines() if line.strip()]
    for delimiter in DELIMITERS:
        rows = [[field.strip(' \t"') for field in line.split(delimiter)] for line in written]
        if len(rows) >= MIN_SIZE and {len(row) for row in rows} == {len(rows)}:
            return _join_cells(rows) or text
    return text


def _join_cells(rows: Sequence[Sequence[str]]) -> str:
    """The rows of a table as characters, or as groups of digits; '' if its fields are neither."""
    cells = [cell for row in rows for cell in row]
    if all(re.fullmatch("[1-9]+", cell) for cell in cells):
        return "\n".join(" ".join(row) for row in rows)
    if not all(re.fullmatch("[0-9A-Z._]?", cell) for cell in cells):
        return ""
    # in one grid, one character marks all blanks
    blank = next((mark for mark in BLANKS if mark in cells), BLANK)
    return "\n".join("".join(cell or blank for cell in row) for row in rows)


def read_candidates(text: str) -> dict[str, Any] | None:
    """The entries of a text with the candidates of every cell: n³ characters, cell by cell, or n²
    groups of digits; None for any other text. Several puzzles are possible with one per line."""
    rows = [row for line in lines(text) if (row := line.split())]
    if len(rows) > 1 and all(len(row) == 1 for row in rows):
        several = [_split_cells(row[0]) for row in rows]
        if all(several):
            return {"grids": [_entries(cells) for cells in several if cells]}
    groups = [group for row in rows for group in row]
    drawn = ["".join(row) for row in rows]
    cells = _split_cells("".join(groups)) or _split_drawn(drawn) or _listed_groups(rows)
    return _entries(cells) if cells else None


def _split_cells(text: str) -> list[str] | None:
    """The candidates of each cell, if each digit stands at its place among the n of its cell."""
    n = round(len(text) ** (1 / 3))
    if not 4 <= n <= len(DIGITS) or n**3 != len(text):
        return None
    digits = DIGITS[:n]
    return _keep_candidates(
        [text[i : i + n] for i in range(0, len(text), n)], [digits] * n**2, len(text)
    )


def _split_drawn(rows: Sequence[str]) -> list[str] | None:
    """The candidates of each cell of a drawing in which a cell has 3×3 characters."""
    if len(rows) != 27 or {len(row) for row in rows} != {27}:
        return None
    cells = [
        "".join(rows[3 * r + i][3 * c : 3 * c + 3] for i in range(3))
        for r in range(9)
        for c in range(9)
    ]
    return _keep_candidates(cells, [DIGITS[:9]] * 81, 729)


def _keep_candidates(
    cells: Sequence[str], places: Sequence[str], characters: int
) -> list[str] | None:
    """The digits of each cell; None if one stands elsewhere, or if there are too few."""
    kept: list[str] = []
    for cell, digits in zip(cells, places, strict=True):
        for character, digit in zip(cell, digits, strict=True):
            if character not in (digit, *BLANKS):
                return None
        kept.append("".join(x for x in cell if x not in BLANKS))
    # a few digits in these places may be the givens of a large sudoku
    return kept if sum(map(len, kept)) * len(places[0]) >= characters else None


def _listed_groups(rows: Sequence[Sequence[str]]) -> list[str] | None:
    """The candidates of each cell, written as groups of digits with spaces between them: a row on
    each line, all on one line, or one on each line."""
    groups = [group for row in rows for group in row]
    n = math.isqrt(len(groups))
    widths = {len(row) for row in rows}
    if not 4 <= n <= 9 or n * n != len(groups) or widths not in ({n}, {n * n}, {1}):
        return None
    ascending = all(
        set(group) <= {*DIGITS[:n]} and list(group) == sorted(set(group)) for group in groups
    )
    return groups if ascending and max(map(len, groups)) > 1 else None


def _entries(cells: Sequence[str]) -> dict[str, Any]:
    """The entries of a sudoku with these candidates. A single one is a given; others are stated if
    the givens do not exclude all that are missing."""
    n = math.isqrt(len(cells))
    for number, candidates in enumerate(cells):
        if not candidates:
            r, c = divmod(number, n)
            raise InputError(f"candidates: row {r + 1}, column {c + 1} has none")
    single = [candidates if len(candidates) == 1 else BLANK for candidates in cells]
    grid = "\n".join("".join(single[i : i + n]) for i in range(0, n * n, n))
    if all(
        shown != BLANK or set(cells[i]) >= {*DIGITS[:n]} - _excluded(single, i)
        for i, shown in enumerate(single)
    ):
        return {"grid": grid}
    rows = [" ".join(cells[i : i + n]) for i in range(0, n * n, n)]
    return {"grid": grid, "candidates": "\n".join(rows)}


def _excluded(single: Sequence[str], cell: int) -> set[str]:
    """The digits of the givens in the row, column and box of a cell."""
    return {single[other] for other in _peers(math.isqrt(len(single)), cell)}


def _peers(n: int, cell: int) -> Iterator[int]:
    down = max(i for i in range(1, math.isqrt(n) + 1) if n % i == 0)
    across = n // down
    r, c = divmod(cell, n)
    for other in range(n * n):
        s, d = divmod(other, n)
        if s == r or d == c or (s // down == r // down and d // across == c // across):
            yield other
