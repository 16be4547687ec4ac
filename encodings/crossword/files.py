"""Formats of crosswords: .ipuz, JSON with the grid, its solution and the clues, and those of Across
Lite."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from jigsat.encodings.crossword.across_lite import read_across_lite, write_across_lite
from jigsat.encodings.crossword.data import BLOCK, Cell, CrosswordData
from jigsat.encodings.crossword.ipuz import KIND, SIDES, TEXTS, read_ipuz
from jigsat.encodings.crossword.markup import add_markup

from jigsat.puzzle import Writer, single


def read_text(text: str) -> dict[str, Any] | None:
    """The data of a file in one of the formats; None if it has none of them."""
    return read_across_lite(text) or read_ipuz(text)


def _write_ipuz(puzzle: CrosswordData) -> str:
    """The grid as an .ipuz file: with its solution if all letters are given, otherwise with the
    given letters filled in."""
    signs = puzzle.givens | puzzle.required
    letters = {cell: puzzle.spell_out(sign) for cell, sign in signs.items()}
    is_full = len(letters) == len(puzzle.squares)

    entries: dict[str, Any] = {"version": "http://ipuz.org/v2", "kind": [f"{KIND}#1"]}
    for entry, name in TEXTS.items():
        if text := getattr(puzzle, entry):
            entries[name] = add_markup(text)
    entries["dimensions"] = {"width": len(puzzle.grid[0]), "height": len(puzzle.grid)}

    # The grids are written row by row, everything else on one line.
    lines = [f'"{key}": {_dump(value)}' for key, value in entries.items()]
    squares = _number_squares(puzzle)
    lines.append(_write_rows("puzzle", [json.dumps(row) for row in squares]))
    if is_full:
        solution = []
        for r, row in enumerate(puzzle.grid):
            solution.append(_dump([letters.get((r, c), BLOCK) for c in range(len(row))]))
        lines.append(_write_rows("solution", solution))
    lines.append(f'"clues": {_dump(_list_clues(puzzle, letters if is_full else None))}')
    return "{\n " + ",\n ".join(lines) + "\n}\n"


def _dump(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


def _write_rows(key: str, rows: Sequence[str]) -> str:
    return f'"{key}": [\n  ' + ",\n  ".join(rows) + "\n ]"


def _number_squares(puzzle: CrosswordData) -> list[list[Any]]:
    """For each square a block, the number of the word that begins there, or 0; with a given
    letter, bars or a circle, an object with all of them."""
    numbers = {slot.cells[0]: slot.number for slot in puzzle.slots}
    rows: list[list[Any]] = []
    for r, row in enumerate(puzzle.grid):
        squares: list[Any] = []
        for c, character in enumerate(row):
            if character == BLOCK:
                squares.append(BLOCK)
                continue
            number = numbers.get((r, c), 0)
            more: dict[str, Any] = {}
            if (r, c) in puzzle.shown:
                more["value"] = puzzle.spell_out(character)
            sides = [
                side
                for side, (down, across) in SIDES.items()
                if {((r, c), (r + down, c + across)), ((r + down, c + across), (r, c))}
                & puzzle.pairs_with_bar
            ]
            style = {"barred": "".join(sides)} if sides else {}
            if (r, c) in puzzle.circled:
                style["shapebg"] = "circle"
            if style:
                more["style"] = style
            squares.append({"cell": number, **more} if more else number)
        rows.append(squares)
    return rows


def _list_clues(
    puzzle: CrosswordData, letters: Mapping[Cell, str] | None
) -> dict[str, list[dict[str, Any]]]:
    """The clues by direction, with the answers if the letters are known, so that a wrong letter is
    noticed."""
    clues: dict[str, list[dict[str, Any]]] = {"Across": [], "Down": []}
    for slot in puzzle.slots:
        question = puzzle.questions.get(slot.name, "")
        clue: dict[str, Any] = {"number": slot.number, "clue": add_markup(question)}
        if letters is not None:
            clue["answer"] = "".join(letters[cell] for cell in slot.cells)
        clues[slot.direction.capitalize()].append(clue)
    return clues


# formats by name. Word lists are not part of them.
WRITERS: Mapping[str, Writer] = {
    "ipuz": single("ipuz", _write_ipuz),
    "puz": single("puz", write_across_lite),
}
