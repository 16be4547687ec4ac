"""Reading .puz files of Across Lite, by the library puzpy.

The text of such a file has a character for each byte.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from jigsat.encodings.crossword.data import BLANK, BLOCK, slots
from jigsat.encodings.crossword.ipuz import list_answers, list_texts, warn_of_remarks
from jigsat.encodings.crossword.markup import strip_markup

from jigsat.errors import InputError, printable
from jigsat.words import plural

if TYPE_CHECKING:
    import puz

MAGIC = "ACROSS&DOWN\0"
MAGIC_PLACE = 2
INSTALL = "pip install 'jigsat[crosswords]'"


def read_across_lite(text: str) -> dict[str, Any] | None:
    """The data of a .puz file; None if the text is something else. Raises InputError for a damaged
    file, and for what an instance cannot express."""
    if not text.startswith(MAGIC, MAGIC_PLACE):
        return None
    try:
        import puz
    except ImportError:
        raise InputError(
            f"a crossword of Across Lite (.puz) needs the library puzpy; {INSTALL}"
        ) from None
    try:
        puzzle = puz.load(text.encode("latin-1"))
    except Exception as error:  # the library raises whatever a damaged file leads to
        message = getattr(error, "message", "") or str(error)
        raise InputError(
            f"a damaged crossword of Across Lite (.puz): {printable(message[:80])}"
        ) from error
    if puzzle.puzzletype == puz.PuzzleType.Diagramless:
        raise InputError("a diagramless crossword, which an instance cannot express")

    locked = puzzle.is_solution_locked()
    rows = _split(puzzle, _draw(puzzle.fill))
    filled = rows if locked else _split(puzzle, _draw(puzzle.solution))
    _require_letters(puzzle, filled)
    entries: dict[str, Any] = {
        "family": "crossword",
        **list_texts(puzzle.title, puzzle.author, puzzle.copyright),
        "grid": ["".join(BLOCK if x == BLOCK else BLANK for x in row) for row in filled],
        "questions": _read_questions(puzzle, filled),
        **list_answers(filled),
    }
    warn_of_remarks(entries, list(_find_remarks(puzzle, locked)))
    return entries


def _draw(squares: str) -> str:
    """Squares as in an instance; the file has a full stop for a block and a hyphen for a blank
    one."""
    return squares.translate({ord("."): BLOCK, ord("-"): BLANK}).upper()


def _split(puzzle: puz.Puzzle, squares: str) -> list[str]:
    width = puzzle.width
    return [squares[i : i + width] for i in range(0, len(squares), width)]


def _require_letters(puzzle: puz.Puzzle, filled: list[str]) -> None:
    """Raise InputError for a square with several letters, and for another character."""
    if puzzle.has_rebus() and puzzle.rebus().get_rebus_squares():
        r, c = divmod(puzzle.rebus().get_rebus_squares()[0], puzzle.width)
        raise InputError(
            f"row {r + 1}, column {c + 1} holds several letters (a rebus); only squares with one "
            f"letter can be read"
        )
    for r, row in enumerate(filled):
        for c, letter in enumerate(row):
            if letter not in (BLOCK, BLANK) and not letter.isalnum():
                raise InputError(
                    f"row {r + 1}, column {c + 1} holds {letter!r}; only letters and digits can "
                    f"be read"
                )


def _read_questions(puzzle: puz.Puzzle, filled: list[str]) -> dict[str, str]:
    """The clues of the slots, which the file has in the order of their numbers, across first."""
    names = [slot.name for slot in sorted(slots(filled))]
    if len(names) != len(puzzle.clues):
        raise InputError(
            f"clues: {plural(len(puzzle.clues), 'clue')}, but there are "
            f"{plural(len(names), 'word')}"
        )
    questions = {}
    for name, clue in zip(names, puzzle.clues, strict=True):
        if strip_markup(clue):
            questions[name] = strip_markup(clue)
    return questions


def _find_remarks(puzzle: puz.Puzzle, locked: bool) -> Iterator[str]:
    """What is left out of a file that is read."""
    if locked:
        yield "the solution of the .puz file is scrambled, so it is left out; unlock it first"
    if not locked and any(letter not in ".-" for letter in puzzle.fill):
        yield "the letters that a solver has filled in are left out"
