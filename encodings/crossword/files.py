"""The text format .ipuz for crosswords: JSON with the grid, its solution and the clues."""

import json
from collections.abc import Mapping
from typing import Any

from jigsat.encodings.crossword.data import BLANK, BLOCK
from jigsat.encodings.crossword.ipuz import KIND, read_ipuz
from jigsat.encodings.crossword.markup import add_markup

from jigsat.puzzle import Writer, single

read_text = read_ipuz


def _ipuz(puzzle: Any) -> str:
    """The grid as an .ipuz file: with its solution if all letters are given, otherwise with the
    given letters filled in."""
    numbers = {slot.cells[0]: slot.number for slot in puzzle.slots}
    letters = puzzle.givens | puzzle.required
    solved = not puzzle.answers and len(letters) == len(puzzle.squares)  # the whole grid is given

    def square(r: int, c: int, drawn: str) -> Any:
        if drawn == BLOCK:
            return BLOCK
        number = numbers.get((r, c), 0)
        return number if solved or drawn == BLANK else {"cell": number, "value": drawn}

    clues: dict[str, list[Any]] = {"Across": [], "Down": []}
    for slot in puzzle.slots:
        clue = {"number": slot.number, "clue": add_markup(puzzle.questions.get(slot.name, ""))}
        if len(letters) == len(puzzle.squares):  # so that a wrong letter is noticed
            clue["answer"] = "".join(letters[cell] for cell in slot.cells)
        clues[slot.direction.capitalize()].append(clue)
    entries: dict[str, Any] = {"version": "http://ipuz.org/v2", "kind": [f"{KIND}#1"]}
    entries |= {
        key: add_markup(text)
        for key, text in (("title", puzzle.title), ("notes", puzzle.source))
        if text
    }
    entries["dimensions"] = {"width": len(puzzle.grid[0]), "height": len(puzzle.grid)}
    lists = {
        "puzzle": [
            json.dumps([square(r, c, x) for c, x in enumerate(row)])
            for r, row in enumerate(puzzle.grid)
        ]
    }
    if len(letters) == len(puzzle.squares):
        rows = [
            [letters.get((r, c), BLOCK) for c in range(len(row))]
            for r, row in enumerate(puzzle.grid)
        ]
        lists["solution"] = [json.dumps(row, ensure_ascii=False) for row in rows]
    told = [f'"{key}": {json.dumps(value, ensure_ascii=False)}' for key, value in entries.items()]
    told += [f'"{key}": [\n  ' + ",\n  ".join(rows) + "\n ]" for key, rows in lists.items()]
    told += [f'"clues": {json.dumps(clues, ensure_ascii=False)}']
    return "{\n " + ",\n ".join(told) + "\n}\n"


# formats by name. Word lists are not part of them.
WRITERS: Mapping[str, Writer] = {"ipuz": single("ipuz", _ipuz)}
