"""Layouts of other programs: lists with a header or further columns, tables, grids whose blanks are
drawn with * - or ?, grids with a blank after each cell, and grids of candidates."""

import math
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from typing import Any

from jigsat.boards.drawings import BLANK, BLANKS, DIGITS, lines
from jigsat.errors import InputError
from jigsat.words import join_words

OTHER_BLANKS = "*?-"
DELIMITERS = ",;\t|"
MIN_SIZE = 4  # of a grid in a table
MIN_LISTED_CELLS = 16  # of a grid in a list
MIN_CERTAIN_CELLS = 81  # of a grid that cannot be taken for something else
# names of the column that has the puzzles, if a list has several
PUZZLE_COLUMNS = ("puzzle", "puzzles", "quiz", "quizzes", "grid", "problem", "question", "unsolved")
EVERY_DIGIT = DIGITS[:9]  # the candidates of an empty cell
# a grid of candidates with more or fewer groups or characters than these is not recognised
MAX_MISSING_GROUPS = 9
MAX_MISSING_CHARACTERS = 27
MIN_CANDIDATES = 100  # of a grid of candidates that is recognised
FIELD = re.compile(r"[\s,;:\t\"|]+")  # colons as in the library of HoDoKu
GRID = re.compile(r"[0-9._*?-]+")
SEPARATOR = re.compile(r"[-=+|: \t]*[-=+][-=+|: \t]*")  # a line between rows
HAS_BLANK = re.compile(r"[0._*?-]")


def read_list(text: str) -> list[str] | None:
    """The grids of a list with one puzzle per line and further columns, such as a rating or the
    solution, perhaps with a header; None for any other text.

    The grid of a line is in the column that the header names, or else the first one. Raises
    InputError for a line of a list that has no grid.
    """
    rows = dict(_number_lines(text))
    if not rows:
        return None

    column = None
    first = min(rows)
    has_header = len(rows) > 1 and _is_header(rows[first])
    if has_header:
        column = _find_column(rows.pop(first))
    elif not any(len(_split_fields(line.partition("#")[0])) > 1 for line in rows.values()):
        return None

    grids = {}
    for number, line in rows.items():
        listed = _list_grids(line, column)
        _require_one_puzzle(number, listed)
        grids[number] = _choose_puzzle(listed)
    _require_grids(rows, grids)
    sizes = {len(grid) for grid in grids.values()}
    if len(sizes) > 1 or sizes == {0}:
        return None
    return [re.sub("[0_*?-]", BLANK, grid) for grid in grids.values()]


def _number_lines(text: str) -> Iterator[tuple[int, str]]:
    """The lines without comments, with their numbers."""
    for number, line in enumerate(text.splitlines(), 1):
        if line.strip() and not line.startswith("#"):
            yield number, line


def _split_fields(line: str) -> list[str]:
    return [field for field in FIELD.split(line) if field]


def _is_header(line: str) -> bool:
    return not _list_grids(line, None) and not re.search(r"[0-9.]{9}", line)


def _find_column(header: str) -> int | None:
    """The number of the column that a header names as that of the puzzles."""
    numbers = []
    for number, name in enumerate(_split_fields(header.lower())):
        if name in PUZZLE_COLUMNS:
            numbers.append(number)
    if len(numbers) > 1:
        raise InputError("the header names several columns of puzzles; a line has one puzzle")
    return numbers[0] if numbers else None


def _choose_puzzle(grids: Sequence[str]) -> str:
    """The first grid with a blank, since others are solutions, or else the first one; '' without
    one."""
    puzzles = [grid for grid in grids if HAS_BLANK.search(grid)]
    return next(iter(puzzles or grids), "")


def _list_grids(line: str, column: int | None) -> list[str]:
    """The grids in a column of a line, or in all of them."""
    fields = _split_fields(line)
    if column is not None:
        fields = fields[column : column + 1]
    grids = []
    for field in fields:
        is_square = math.isqrt(len(field)) ** 2 == len(field)
        if is_square and len(field) >= MIN_LISTED_CELLS and GRID.fullmatch(field):
            grids.append(field)
    return grids


def _require_one_puzzle(number: int, grids: Sequence[str]) -> None:
    """Raise InputError for a line with two grids that have blanks."""
    puzzles = [grid for grid in grids if HAS_BLANK.search(grid) and len(grid) >= MIN_CERTAIN_CELLS]
    if len(puzzles) > 1:
        raise InputError(
            f"line {number}: {len(puzzles)} grids with blanks; a line of a list has one puzzle, "
            f"so name its column `puzzle` in a header, or write one per line"
        )


def _require_grids(rows: Mapping[int, str], grids: Mapping[int, str]) -> None:
    """Raise InputError for a line without a grid, if at least half of the lines have one that is
    too long to be anything else."""
    long = [grid for grid in grids.values() if len(grid) >= MIN_CERTAIN_CELLS]
    sizes = {len(grid) for grid in long}
    if 2 * len(long) < len(rows) or len(sizes) != 1 or not re.search("[1-9]", "".join(long)):
        return
    if any(re.match(r"\s*(\[|[\w.-]+\s*=)", line) for line in rows.values()):  # TOML
        return
    (size,) = sizes
    for number, line in rows.items():
        if not grids[number]:
            cells = max(_split_fields(line), key=len)
            if GRID.fullmatch(cells) and MIN_LISTED_CELLS <= len(cells) != size:
                raise InputError(
                    f"line {number}: a grid of {len(cells)} cells; the other lines have {size}"
                )
            raise InputError(f"line {number}: no grid of {size} cells; each line of a list has one")


def mark_blanks(text: str) -> str:
    """A text in which blanks are full stops, if they are drawn with * - or ? beside digits."""
    row = re.compile(rf"(?=.*[1-9])[0-9A-Z{re.escape(OTHER_BLANKS)}|\s]+")
    lines = text.splitlines()
    rows = [line for line in lines if row.fullmatch(line)]
    used = [blank for blank in OTHER_BLANKS if any(blank in line for line in rows)]
    if len(used) != 1 or any(blank in line for line in rows for blank in ".0_"):
        _require_one_blank(text)
        return text
    (blank,) = used
    rows += _list_rows_of_blanks(lines, rows, blank)

    marked = []
    for line in lines:
        if line in rows:
            line = line.replace(blank, BLANK)
        marked.append(line)
    return "\n".join(marked)


def _list_rows_of_blanks(lines: Sequence[str], rows: Sequence[str], blank: str) -> list[str]:
    """The lines of blanks only. Each may be a row or a separator; they are rows if the grid needs
    them."""
    width = max(len(re.sub(r"[|\s]", "", line)) for line in rows)
    if len(rows) >= width:
        return []
    return [line for line in lines if blank in line and set(line) <= {blank, *" |"}]


def _require_one_blank(text: str) -> None:
    """Raise InputError for a grid with digits in each row whose blanks are drawn in several ways,
    one of them with * - or ?."""
    rows = [re.sub(r"[|\s]", "", line) for line in text.splitlines()]
    rows = [row for row in rows if re.search("[1-9]", row)]
    characters = set("".join(rows))
    blanks = [blank for blank in OTHER_BLANKS + BLANKS if blank in characters]
    is_grid = len(rows) >= MIN_SIZE and {len(row) for row in rows} == {len(rows)}
    if not is_grid or characters - {*DIGITS[: len(rows)], *blanks}:
        return
    if len(blanks) > 1 and not characters.isdisjoint(OTHER_BLANKS):
        shown = join_words([repr(blank) for blank in blanks])
        raise InputError(f"the blanks of the grid are drawn as {shown}; draw all of them as '.'")


def join_fields(text: str) -> str:
    """A text in which each cell is a field of a table, with commas, semicolons, tabs or bars
    between fields, as rows of characters or of groups of digits. An empty field is a blank. Rows
    may be lists in square brackets."""
    if text.lstrip().startswith("[["):
        text = "\n".join(re.findall(r"\[([^\[\]]*)\]", text))
    written = [line for line in text.splitlines() if line.strip() and not SEPARATOR.fullmatch(line)]
    for delimiter in DELIMITERS:
        rows = []
        for line in written:
            fields = line.strip(" |") if delimiter == "|" else line
            rows.append([field.strip(" \t\"'") for field in fields.split(delimiter)])
        if len(rows) >= MIN_SIZE and {len(row) for row in rows} == {len(rows)}:
            return _join_cells(rows) or text
    return text


def close_up(text: str) -> str:
    """A text in which a blank follows each cell, and blanks are also cells without a digit, as rows
    of characters. There may be bars between boxes."""
    rows = []
    for line in text.rstrip("\n").splitlines():
        if not SEPARATOR.fullmatch(line):
            # a bar has a blank behind it as a cell has
            rows.append(re.sub(r"\| ?", "", line.rstrip()))
    size = len(rows)
    width = max(map(len, rows), default=0)
    # nothing may stand in the last column, and blanks at ends of lines may be lost
    if size < MIN_SIZE or not 2 * size - 3 <= width <= 2 * size:
        return text
    if any(not re.fullmatch(r"([1-9A-Z ] )*[1-9A-Z]?", row) for row in rows):
        return text
    if all(" " not in row[::2] for row in rows):
        return text  # the blanks are only between digits
    return "\n".join(row[::2].ljust(size).replace(" ", BLANK) for row in rows)


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
    rows = [line.split() for line in lines(text) if line.strip()]
    several = _split_lines(rows) or _split_grids_of_groups(rows)
    if several:
        return {"grids": [_entries(cells) for cells in several]}

    joined = ["".join(row) for row in rows]
    cells = _split_cells("".join(joined)) or _split_drawn(joined) or _listed_groups(rows)
    return _entries(cells) if cells else None


def _split_lines(rows: Sequence[Sequence[str]]) -> list[list[str]]:
    """The cells of several puzzles, each written as one word on its line; none for other rows."""
    if len(rows) < 2 or any(len(row) != 1 for row in rows):
        return []
    puzzles = []
    for row in rows:
        cells = _split_cells(row[0])
        if not cells:
            return []
        puzzles.append(cells)
    return puzzles


def _split_grids_of_groups(rows: Sequence[Sequence[str]]) -> list[list[str]]:
    """The groups of each grid, if several grids of 9×9 groups stand below each other."""
    if len(rows) < 18 or len(rows) % 9 or {len(row) for row in rows} != {9}:
        return []
    groups = [group for row in rows for group in row]
    if not all(map(_is_ascending, groups)) or max(map(len, groups)) == 1:
        return []
    return [groups[i : i + 81] for i in range(0, len(groups), 81)]


def require_right_candidates(text: str) -> None:
    """Raise InputError for a text that must be a grid of candidates, but that is not a right
    one."""
    rows = [line.split() for line in lines(text) if line.strip()]
    groups = [group for row in rows for group in row]
    if _are_groups(groups):
        _require_right_groups(rows)
    elif len(groups) == len(rows) and all(map(_are_characters, groups)):
        for number, cells in enumerate(groups, 1):  # a puzzle on each line
            _require_right_places(cells, f"puzzle {number}: " if len(groups) > 1 else "")
    elif _are_characters("".join(groups)):
        _require_right_places("".join(groups), "")


def require_right_lines(text: str) -> None:
    """Raise InputError for a line that is no grid in a list with one grid per line. Most lines must
    be grids of one size without a repeated digit."""
    rows = dict(_number_lines(text))
    if len(rows) < 2 or _are_right_lines(list(rows.values())):
        return
    sizes = Counter(len(row) for row in rows.values() if _is_grid_on_a_line(row))
    if not sizes:
        return
    ((size, right),) = sizes.most_common(1)
    if 2 * right <= len(rows):
        return
    digits = DIGITS[: math.isqrt(size)]
    for number, row in rows.items():
        if len(row) != size:
            raise InputError(f"line {number}: {len(row)} characters; the other lines have {size}")
        for place, character in enumerate(row, 1):
            if character.upper() not in (*digits, *BLANKS):
                raise InputError(
                    f"line {number}: character {place} is {character!r}; write one of {digits}, or "
                    f"one of . 0 _ for a blank"
                )


def _are_right_lines(rows: Sequence[str]) -> bool:
    """Whether all lines have the same length, and only blanks and digits of grids of this size, as
    nearly all lists do."""
    sizes = {len(row) for row in rows}
    signs = {*"".join(rows).upper()}
    return len(sizes) == 1 and signs <= {*DIGITS[: math.isqrt(*sizes)], *BLANKS}


def _is_grid_on_a_line(row: str) -> bool:
    """Whether a line is a square grid with at least three different digits, of which none is
    repeated in a row or a column."""
    n = math.isqrt(len(row))
    cells = row.upper()
    if n * n != len(row) or not 4 <= n <= len(DIGITS):
        return False
    if set(cells) - {*DIGITS[:n], *BLANKS}:
        return False

    rows = [cells[i * n : (i + 1) * n] for i in range(n)]
    columns = [cells[i::n] for i in range(n)]
    for line in rows + columns:
        digits = [cell for cell in line if cell not in BLANKS]
        if len(set(digits)) < len(digits):
            return False
    return len(set(cells) - set(BLANKS)) > 2


def _are_groups(groups: Sequence[str]) -> bool:
    """Whether about 81 groups are nearly all digits in ascending order, some of them three or
    more."""
    if abs(len(groups) - 81) > MAX_MISSING_GROUPS:
        return False
    ascending = [group for group in groups if _is_ascending(group)]
    long = [group for group in ascending if len(group) >= 3]
    return 10 * len(ascending) >= 9 * len(groups) and 10 * len(long) >= len(groups)


def _is_ascending(group: str) -> bool:
    return set(group) <= {*EVERY_DIGIT} and list(group) == sorted(set(group))


def _are_characters(cells: str) -> bool:
    """Whether about 729 characters are digits and blanks, and most digits are as far from each
    other as in a grid of candidates. In any other grid, one in nine is."""
    if abs(len(cells) - 9**3) > MAX_MISSING_CHARACTERS or set(cells) - {*EVERY_DIGIT, *BLANKS}:
        return False
    shifts = Counter(
        (int(character) - place) % 9
        for place, character in enumerate(cells)
        if character in EVERY_DIGIT
    )
    digits = shifts.total()
    return digits >= MIN_CANDIDATES and 2 * max(shifts.values()) >= digits


def _require_right_groups(rows: Sequence[Sequence[str]]) -> None:
    """Raise InputError for groups of digits that are not the candidates of 81 cells."""
    for number, row in enumerate(rows, 1):
        for place, group in enumerate(row, 1):
            if not _is_ascending(group):
                raise InputError(
                    f"candidates: row {number}, group {place} is {group!r}; write each digit once, "
                    f"in ascending order"
                )
    cells = sum(map(len, rows))
    uneven = [number for number, row in enumerate(rows, 1) if len(row) != 9]
    where = ""
    if len(rows) == 9 and uneven:
        where = f", 9 in each row; row {uneven[0]} has {len(rows[uneven[0] - 1])}"
    raise InputError(f"candidates: {cells} groups of digits; a 9×9 grid has 81{where}")


def _require_right_places(cells: str, where: str) -> None:
    """Raise InputError for characters that are not the candidates of 81 cells, each at its
    place."""
    if len(cells) != 9**3:
        raise InputError(
            f"candidates: {where}{len(cells)} characters; a 9×9 grid has 729, 9 for each cell"
        )
    for place, character in enumerate(cells):
        digit = EVERY_DIGIT[place % 9]
        if character not in (digit, *BLANKS):
            raise InputError(
                f"candidates: {where}character {place + 1} is {character!r}; only {digit} or a "
                f"blank may stand there"
            )


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
    cells = []
    for top, left in product(range(0, 27, 3), repeat=2):
        cells.append("".join(row[left : left + 3] for row in rows[top : top + 3]))
    return _keep_candidates(cells, [DIGITS[:9]] * 81, 729)


def _keep_candidates(
    cells: Sequence[str], places: Sequence[str], characters: int
) -> list[str] | None:
    """The digits of each cell; None if one stands elsewhere, or if there are too few."""
    digits_of: list[str] = []
    for cell, digits in zip(cells, places, strict=True):
        for character, digit in zip(cell, digits, strict=True):
            if character not in (digit, *BLANKS):
                return None
        digits_of.append("".join(x for x in cell if x not in BLANKS))
    # a few digits in these places may be the givens of a large sudoku
    return digits_of if sum(map(len, digits_of)) * len(places[0]) >= characters else None


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
