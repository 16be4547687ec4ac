"""Crosswords of Across Lite, by the library puzpy: .puz files and their text form.

The text of a .puz file has a character for each byte.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterator, Mapping
from types import ModuleType
from typing import TYPE_CHECKING, Any

from jigsat.encodings.crossword.data import (
    BLANK,
    BLOCK,
    Cell,
    CrosswordData,
    Slot,
    draw_circles,
    slots,
)
from jigsat.encodings.crossword.ipuz import (
    list_answers,
    list_texts,
    require_equal_rows,
    warn_of_remarks,
)
from jigsat.encodings.crossword.markup import strip_markup
from jigsat.encodings.crossword.rebus import SignTable

from jigsat.errors import InputError, printable
from jigsat.words import plural

if TYPE_CHECKING:
    import puz

MAGIC = "ACROSS&DOWN\0"
MAGIC_PLACE = 2
TEXT_BEGINNING = re.compile(r"\s*<ACROSS PUZZLE( v2)?>", re.IGNORECASE)
BLOCK_IN_FILE, BLANK_IN_FILE = ".", "-"
DIAGRAMLESS = 0x0401  # the type of a crossword without drawn blocks
UTF_8 = "2.0"  # the version of files whose texts are in UTF-8, not in Latin-1
GIVEN, CIRCLED = 0x40, 0x80  # marks of squares
INSTALL = "pip install 'jigsat[crosswords]'"


def read_across_lite(text: str) -> dict[str, Any] | None:
    """The data of a .puz file or its text form; None if the text is something else. Raises
    InputError for a damaged file, and for what an instance cannot express."""
    remarks: list[str] = []
    if text.startswith(MAGIC, MAGIC_PLACE):
        puzzle = _load(_import_library(), text)
    elif TEXT_BEGINNING.match(text):
        library = _import_library()
        text = TEXT_BEGINNING.sub("<ACROSS PUZZLE v2>", text, count=1)  # as the library writes it
        sections = library.text_file_as_dict(text)
        puzzle = _load_text(library, text, sections)
        remarks += _find_wrong_keys(sections)
    else:
        return None
    if puzzle.puzzletype == DIAGRAMLESS:
        raise InputError("a diagramless crossword, which an instance cannot express")

    locked = puzzle.is_solution_locked()
    signs = SignTable()
    squares = puzzle.fill if locked else puzzle.solution
    filled = _split(puzzle, _draw(squares))
    if not locked:
        filled = _read_rebus(puzzle, filled, signs)
    _require_letters(filled)
    given = set() if locked else set(_list_given(puzzle))
    grid = []
    for r, row in enumerate(filled):
        grid.append(
            "".join(x if x == BLOCK or (r, c) in given else BLANK for c, x in enumerate(row))
        )
    rebus = signs.rebus()
    entries: dict[str, Any] = {
        "family": "crossword",
        **list_texts(
            {"title": puzzle.title, "author": puzzle.author, "copyright": puzzle.copyright}
        ),
        "grid": grid,
        **draw_circles(set(_list_marked(puzzle, CIRCLED)), filled),
        **({"rebus": rebus} if rebus else {}),
        "questions": _read_questions(puzzle, slots(filled)),
        **list_answers(filled, slots(filled)),
    }
    warn_of_remarks(entries, [*remarks, *_find_remarks(puzzle, locked)])
    return entries


def _import_library() -> ModuleType:
    try:
        import puz
    except ImportError:
        raise InputError(
            f"a crossword of Across Lite (.puz) needs the library puzpy; {INSTALL}"
        ) from None
    library: ModuleType = puz
    return library


def _load(library: ModuleType, text: str) -> puz.Puzzle:
    try:
        return library.load(text.encode("latin-1"))
    except Exception as error:  # the library raises whatever a damaged file leads to
        raise _make_damage_error(".puz", error) from error


def _load_text(library: ModuleType, text: str, sections: Mapping[str, str]) -> puz.Puzzle:
    """The puzzle of a text form. The library says nothing of missing clues and of a wrong size."""
    rows = _list_rows(sections)
    require_equal_rows([len(row) for row in rows], "<GRID>")
    stated = sections.get("SIZE", "").strip()
    size = f"{len(rows[0]) if rows else 0}x{len(rows)}"
    if stated != size or not rows:
        raise InputError(
            f"<SIZE>: {printable(stated[:20])!r}, but <GRID> has {size} squares; correct one of "
            f"them"
        )
    try:
        puzzle = library.load_text(text)
    except Exception as error:
        raise _make_damage_error("text", error) from error

    names = [slot.name for slot in slots(_split(puzzle, _draw(puzzle.solution)))]
    for direction in ("across", "down"):
        words = sum(1 for name in names if name.endswith(direction))
        listed = sections.get(direction.upper(), "").splitlines()
        clues = sum(1 for line in listed if line.strip())
        if clues != words:
            raise InputError(
                f"<{direction.upper()}>: {plural(clues, 'clue')}, but there are "
                f"{plural(words, 'word')}; write a line for each word"
            )
    return puzzle


def _list_rows(sections: Mapping[str, str]) -> list[str]:
    """The rows of the grid in a text form."""
    return [line.strip() for line in sections.get("GRID", "").splitlines() if line.strip()]


def _find_wrong_keys(sections: Mapping[str, str]) -> Iterator[str]:
    """Keys for several letters that are not in the grid of a text form, and digits without a key
    beside those that have one."""
    rows = _list_rows(sections)
    keys = set()
    for line in sections.get("REBUS", "").splitlines():
        key, colon, _ = line.strip().partition(":")
        if key and colon:
            keys.add(key)
    for key in sorted(keys):
        if not any(key in row for row in rows):
            shown = printable(repr(key[:20]))
            yield f"<REBUS>: no square has the key {shown}; remove it, or write it into the grid"
    if not keys:  # R2D2 may be an answer
        return
    for r, row in enumerate(rows, 1):
        for c, letter in enumerate(row, 1):
            if letter.isdigit() and letter not in keys:
                yield (
                    f"<GRID>: row {r}, column {c} has the digit {letter}, which is no key in "
                    f"<REBUS>; add it there, or write a letter"
                )


def _make_damage_error(kind: str, error: Exception) -> InputError:
    """What the library says of a file that it cannot read."""
    message = getattr(error, "message", "") or str(error)
    return InputError(f"a damaged crossword of Across Lite ({kind}): {printable(message[:80])}")


def _draw(squares: str) -> str:
    """Squares as in an instance; the file has a full stop for a block and a hyphen for a blank
    one."""
    signs = {ord(BLOCK_IN_FILE): BLOCK, ord(BLANK_IN_FILE): BLANK}
    return squares.translate(signs).upper()


def _split(puzzle: puz.Puzzle, squares: str) -> list[str]:
    width = puzzle.width
    return [squares[i : i + width] for i in range(0, len(squares), width)]


def _read_rebus(puzzle: puz.Puzzle, rows: list[str], signs: SignTable) -> list[str]:
    """The rows with signs in the squares that hold several letters."""
    if not puzzle.has_rebus():
        return rows
    squares = list("".join(rows))
    for place in puzzle.rebus().get_rebus_squares():
        letters = (puzzle.rebus().get_rebus_solution(place) or "").upper()
        if not letters.isalnum():
            r, c = divmod(place, puzzle.width)
            raise InputError(
                f"row {r + 1}, column {c + 1} holds {printable(letters[:20])!r}; only letters and "
                f"digits can be read"
            )
        squares[place] = signs.find_sign(letters)
    return _split(puzzle, "".join(squares))


def _list_marked(puzzle: puz.Puzzle, mark: int) -> Iterator[Cell]:
    """The squares with a mark."""
    if puzzle.has_markup():
        for place in puzzle.markup().get_markup_squares(mark):
            yield divmod(place, puzzle.width)


def _list_given(puzzle: puz.Puzzle) -> Iterator[Cell]:
    """The squares that are marked as given and filled in."""
    for r, c in _list_marked(puzzle, GIVEN):
        if puzzle.fill[r * puzzle.width + c] not in (BLOCK_IN_FILE, BLANK_IN_FILE):
            yield r, c


def _require_letters(filled: list[str]) -> None:
    """Raise InputError for a character that is no letter."""
    for r, row in enumerate(filled):
        for c, letter in enumerate(row):
            if letter not in (BLOCK, BLANK) and not letter.isalnum():
                raise InputError(
                    f"row {r + 1}, column {c + 1} holds {letter!r}; only letters and digits can "
                    f"be read"
                )


def _read_questions(puzzle: puz.Puzzle, slots: list[Slot]) -> dict[str, str]:
    """The clues of the slots, which the file has in the order of their numbers, across first."""
    names = [slot.name for slot in sorted(slots)]
    if len(names) != len(puzzle.clues):
        raise InputError(
            f"clues: {plural(len(puzzle.clues), 'clue')}, but there are "
            f"{plural(len(names), 'word')}"
        )
    clues = dict(zip(names, map(strip_markup, puzzle.clues), strict=True))
    return {slot.name: clues[slot.name] for slot in slots if clues[slot.name]}


def _find_remarks(puzzle: puz.Puzzle, locked: bool) -> Iterator[str]:
    """What is left out of a file that is read."""
    if locked:
        yield "the solution of the .puz file is scrambled, so it is left out; unlock it first"
    filled_in = len(puzzle.fill.replace(BLOCK_IN_FILE, "").replace(BLANK_IN_FILE, ""))
    if not locked and filled_in > len(list(_list_given(puzzle))):
        yield "the letters that a solver has filled in are left out"


def write_across_lite(puzzle: CrosswordData) -> str:
    """The .puz file of a crossword, a character for each byte. Raises InputError for what the
    format cannot express."""
    library = _import_library()
    letters = puzzle.givens | puzzle.required
    if puzzle.bars:
        raise InputError(f"{puzzle.name}: bars: the format puz has none; write ipuz")

    clues = [puzzle.questions.get(slot.name, "") for slot in sorted(puzzle.slots)]
    texts = [puzzle.title, puzzle.author, puzzle.copyright, *clues]
    shown = puzzle.shown
    written = library.Puzzle()
    if not all(map(_is_latin, texts)):
        written.set_version(UTF_8)
    written.title, written.author, written.copyright = texts[:3]
    written.clues = clues
    written.width = len(puzzle.grid[0])
    written.height = len(puzzle.grid)
    for r, row in enumerate(puzzle.grid):
        for c, character in enumerate(row):
            if character == BLOCK:
                written.solution += BLOCK_IN_FILE
                written.fill += BLOCK_IN_FILE
            else:
                letter = _write_square(puzzle, (r, c), letters, written)
                written.solution += letter
                written.fill += letter if (r, c) in shown else BLANK_IN_FILE
                _mark_square(puzzle, (r, c), shown, written)
    data: bytes = written.tobytes()
    return data.decode("latin-1")


def _write_square(
    puzzle: CrosswordData, cell: Cell, letters: dict[Cell, str], written: puz.Puzzle
) -> str:
    """The first letter of a square, after the others are noted in the table of the file."""
    spelled = puzzle.spell_out(letters.get(cell, BLANK_IN_FILE))
    if not _is_latin(spelled) or (written.encoding != "ISO-8859-1" and not spelled.isascii()):
        r, c = cell
        raise InputError(
            f"{puzzle.name}: row {r + 1}, column {c + 1}: {spelled}: the format puz cannot "
            f"express this letter; write ipuz"
        )
    if len(spelled) > 1:
        place = cell[0] * written.width + cell[1]
        written.rebus().add_rebus_squares(place, spelled)
    return spelled[0]


def _mark_square(
    puzzle: CrosswordData, cell: Cell, shown: Container[Cell], written: puz.Puzzle
) -> None:
    """Note that the letter of a square is shown, and the circle."""
    place = cell[0] * written.width + cell[1]
    if cell in shown:
        written.markup().set_markup_squares(place, GIVEN)
    if cell in puzzle.circled:
        written.markup().set_markup_squares(place, CIRCLED)


def _is_latin(text: str) -> bool:
    try:
        text.encode("latin-1")
    except UnicodeEncodeError:
        return False
    return True
