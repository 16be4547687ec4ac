"""The text format .ipuz for crosswords, version 2 and the older one: JSON with the grid, its
solution and the clues."""

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

from jigsat.encodings.crossword.data import BLANK, BLOCK, slots

from jigsat.errors import InputError, printable
from jigsat.puzzle import Writer, single
from jigsat.runtime.untrusted import parse_json

KIND = "http://ipuz.org/crossword"


def read_text(text: str) -> dict[str, Any] | None:
    """The data of an .ipuz file; None if the text is something else. The words of its solution are
    the answers."""
    text = text.strip()
    if re.match(r"ipuz\s*\(", text):
        text = text.removesuffix(";").rstrip().removesuffix(")").partition("(")[2].strip()
    if not text.startswith("{") or "ipuz.org/" not in text:
        return None
    data = parse_json(text)
    if KIND not in str(data.get("kind")):
        raise InputError(f"kind: only crosswords can be read; got {_quote_value(data.get('kind'))}")
    block, empty = str(data.get("block", BLOCK)), str(data.get("empty", "0"))
    puzzle, solution = (
        _rows(data, "puzzle"),
        _rows(data, "solution") if data.get("solution") else [],
    )
    grid, solved = [], []
    for r, row in enumerate(puzzle):
        drawn = filled = ""
        for c, cell in enumerate(row):
            letter = solution[r][c] if r < len(solution) and c < len(solution[r]) else None
            try:
                drawn += _square(cell, None, block, empty)
                filled += _square(cell, letter, block, empty)
            except ValueError as error:
                raise InputError(f"puzzle: row {r + 1}, column {c + 1} {error}") from error
        grid.append(drawn)
        solved.append(filled)
    if len({len(row) for row in grid}) > 1:
        raise InputError("puzzle: the rows differ in length")
    source = ", ".join(filter(None, map(_text, map(data.get, ("author", "copyright")))))
    told = {"title": _text(data.get("title")), "source": source}
    found = {
        "family": "crossword",
        **{key: text for key, text in told.items() if text},
        "grid": grid,
    }
    return found | _answers(solved) | _questions(grid, data.get("clues"))


def _quote_value(value: Any) -> str:
    return printable(repr(value)[:40])


def _text(value: Any) -> str:
    return " ".join(value.split()) if isinstance(value, str) else ""


def _rows(data: Mapping[str, Any], entry: str) -> list[list[Any]]:
    rows = data.get(entry)
    if not isinstance(rows, list) or not all(isinstance(row, list) for row in rows):
        raise InputError(f"{entry}: expected a list of rows; got {_quote_value(rows)}")
    return rows


def _square(cell: Any, solved: Any, block: str, empty: str) -> str:
    """The character of a square in the grid of an instance. Raises ValueError for what it cannot
    express."""
    value = None
    if isinstance(cell, dict):
        style = cell.get("style")
        if isinstance(style, dict) and style.get("barred"):
            raise ValueError("has a bar, which an instance cannot express")
        cell, value = cell.get("cell", empty), cell.get("value")
    if cell is None or str(cell) == block:
        return BLOCK
    if isinstance(solved, dict):
        solved = solved.get("value", solved.get("cell"))
    letter = value if solved is None or str(solved) in ("", empty) else solved
    if letter is None or str(letter) in ("", empty):
        return BLANK
    if not (isinstance(letter, str) and len(letter.upper()) == 1 and letter.isalnum()):
        raise ValueError(f"holds {_quote_value(letter)}; only squares with one letter can be read")
    return letter.upper()


def _answers(solved: list[str]) -> dict[str, Any]:
    """The entry `answers`: the words of the slots in which every square has a letter."""
    words = {slot.name: "".join(solved[r][c] for r, c in slot.cells) for slot in slots(solved)}
    answers = {name: word for name, word in words.items() if BLANK not in word}
    repeats = {"repeats": True} if len(set(answers.values())) < len(answers) else {}
    return {"answers": answers, **repeats} if answers else {}


def _questions(grid: list[str], clues: Any) -> dict[str, Any]:
    """The entry `questions`."""
    if clues is not None and not isinstance(clues, dict):
        raise InputError(f"clues: expected lists by direction; got {_quote_value(clues)}")
    names, found = {slot.name for slot in slots(grid)}, dict[str, str]()
    for title, listed in (clues or {}).items():
        direction = title.partition(":")[0].strip().lower()
        if direction not in ("across", "down"):
            raise InputError(
                f"clues: {_quote_value(title)}: only the directions Across and Down can be read"
            )
        for number, text in _clues(listed):
            if (name := f"{number} {direction}") not in names:
                raise InputError(
                    f"clues: there is no {printable(name[:30])} if the squares are numbered row "
                    f"by row"
                )
            if text:
                found[name] = text
    return {"questions": found} if found else {}


def _clues(listed: Any) -> Iterator[tuple[str, str]]:
    """The number and the text of each clue of a direction."""
    for clue in listed if isinstance(listed, list) else [listed]:
        number, text = clue if isinstance(clue, list) and len(clue) == 2 else (None, None)
        if isinstance(clue, dict):
            number, text = clue.get("number"), clue.get("clue", "")
        if (
            isinstance(number, bool)
            or not isinstance(number, int | str)
            or not isinstance(text, str)
        ):
            raise InputError(
                f"clues: expected a number and a text for each clue; got {_quote_value(clue)}"
            )
        yield str(number), _text(text)


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
        clues[slot.direction.capitalize()].append(
            [slot.number, puzzle.questions.get(slot.name, "")]
        )
    entries: dict[str, Any] = {"version": "http://ipuz.org/v2", "kind": [f"{KIND}#1"]}
    entries |= {
        key: text for key, text in (("title", puzzle.title), ("notes", puzzle.source)) if text
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
