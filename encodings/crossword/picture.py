"""Pictures of crosswords: the grid with the numbers of the words, filled, or empty for printing."""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence

from jigsat.encodings.crossword.data import BLOCK, Cell, CrosswordData, Letter, Scored, Slot

from jigsat.pictures import Part, Picture

LENGTHS = re.compile(r"\((\d{1,2}(\s*[-–,;/.'’]\s*\d{1,2})*)\)$")  # of the words of an answer
MAX_LISTED_WORDS = 5_000  # maximum number of words that are printed, on about eight pages


def write_rules(puzzle: CrosswordData) -> Iterator[str]:
    answering = ""
    if puzzle.questions:
        answering = "; it answers the question with its number and direction"
    words = (
        f"Write a letter into each white square, so that a word stands at every number, from left "
        f"to right or from top to bottom{answering}."
    )
    if puzzle.bars:
        words += " A word ends at a thick bar."
    if puzzle.rebus:
        words += " Some squares hold several letters."
    yield words if puzzle.repeats else f"{words} No word occurs twice in it."

    asked = [slot for slot in puzzle.slots if slot.name in puzzle.questions]
    for direction in ("across", "down"):
        clues = []
        for slot in asked:
            if slot.direction == direction:
                clues.append(f"{slot.number} {_state_length(puzzle.questions[slot.name], slot)}")
        if clues:
            yield "\n".join([direction.capitalize(), *clues])
    # The words of stated answers are listed only if there is no question for any of them.
    if not asked or (puzzle.words and len(asked) < len(puzzle.slots)):
        yield from _list_words(puzzle)


def _state_length(question: str, slot: Slot) -> str:
    """The question with the number of letters, unless it ends with the numbers, such as '(3,4)'."""
    return question if LENGTHS.search(question) else f"{question} ({len(slot.cells)})"


def _list_words(puzzle: CrosswordData) -> Iterator[str]:
    """The words that fit at some number, by their length in squares: below each other if all of
    them are needed."""
    by_length: dict[int, set[str]] = {}
    for slot in puzzle.slots:
        words = map(puzzle.spell_out, puzzle.choices[slot.name].words)
        by_length.setdefault(len(slot.cells), set()).update(words)
    number = len(set().union(*by_length.values()))
    if number > MAX_LISTED_WORDS:
        yield f"The list of the {number:,} words that may be used is too long to print."
        return
    all_needed = number == len(puzzle.slots) and not puzzle.repeats
    if number and all_needed:
        yield "Fit all of these words in."
    elif number:
        yield "Not all of these words are needed."
    for length, fitting in sorted(by_length.items()):
        heading = f"{length} letters"
        listed = sorted(fitting)
        yield "\n".join([heading, *listed]) if all_needed else f"{heading}: {', '.join(listed)}."


def draw_parts(puzzle: CrosswordData) -> list[Part]:
    """The grid to print, with the given letters and who made it."""
    author = f"by {puzzle.author}" if puzzle.author else ""
    caption = ", ".join(filter(None, [author, puzzle.copyright]))
    givens = [Letter(cell, given) for cell, given in puzzle.givens.items()]
    width = min(180.0, 14.0 * len(puzzle.grid[0]))
    return [Part(draw_svg(puzzle, givens), width, caption)]


def _list_marked(puzzle: CrosswordData, marked: Collection[Letter | Scored]) -> set[Cell]:
    """The marked squares, and those of the marked words."""
    cells_of = {slot.name: slot.cells for slot in puzzle.slots}
    cells: set[Cell] = set()
    for placement in marked:
        if isinstance(placement, Letter):
            cells.add(placement.cell)
        else:
            cells.update(cells_of.get(placement.slot, ()))
    return cells


def _read_letters(placements: Sequence[Letter | Scored]) -> dict[Cell, str]:
    letters = {}
    for placement in placements:
        if isinstance(placement, Letter):
            letters[placement.cell] = placement.letter
    return letters


def draw_text(
    puzzle: CrosswordData,
    placements: Sequence[Letter | Scored],
    marked: Collection[Letter | Scored] = (),
) -> str:
    """The grid as drawn in an instance, but with spaces, and the score if it is full and the scores
    of words differ."""
    letters = _read_letters(placements)
    stars = _list_marked(puzzle, marked)
    rows = []
    for r, row in enumerate(puzzle.grid):
        line = ""
        for c, character in enumerate(row):
            line += BLOCK if character == BLOCK else letters.get((r, c), ".")
            end = "|" if ((r, c), (r, c + 1)) in puzzle.pairs_with_bar else " "
            line += "*" if (r, c) in stars else end
        rows.append(line.rstrip())
        below = [((r, c), (r + 1, c)) in puzzle.pairs_with_bar for c in range(len(row))]
        if any(below):
            rows.append("".join("‾ " if has_bar else "  " for has_bar in below).rstrip())
    for sign, spelled in puzzle.rebus.items():
        if sign in letters.values():
            rows.append(f"{sign} {spelled}")
    scores = [placement.score for placement in placements if isinstance(placement, Scored)]
    scores_differ = len(set(puzzle.scores.values())) > 1
    if scores and scores_differ and len(letters) == len(puzzle.squares):
        rows.append(f"total score {sum(scores):,}, lowest {min(scores):,}")
    return "\n".join(rows)


def draw_answer(puzzle: CrosswordData, placements: Sequence[Letter | Scored]) -> str:
    """The solution to print: without the numbers, which would be too small to read."""
    return _draw_grid(puzzle, placements, (), {})


def draw_svg(
    puzzle: CrosswordData,
    placements: Sequence[Letter | Scored],
    marked: Collection[Letter | Scored] = (),
) -> str:
    """The grid as an SVG document; given letters are bold on grey."""
    numbers = {slot.cells[0]: str(slot.number) for slot in puzzle.slots}
    return _draw_grid(puzzle, placements, marked, numbers)


def _draw_grid(
    puzzle: CrosswordData,
    placements: Sequence[Letter | Scored],
    marked: Collection[Letter | Scored],
    numbers: Mapping[Cell, str],
) -> str:
    letters = _read_letters(placements)
    stars = _list_marked(puzzle, marked)
    givens = puzzle.givens
    picture = Picture(scale=40, margin=0.2)
    for r, row in enumerate(puzzle.grid):
        for c, character in enumerate(row):
            cell = r, c
            corners = [(c, r), (c + 1, r), (c + 1, r + 1), (c, r + 1)]
            colour = "white"
            if character == BLOCK:
                colour = "#222"
            elif cell in givens:
                colour = "#e8e8e8"
            picture.place(cell, corners)
            picture.polygon(corners, colour, width=0.02)
            if cell in puzzle.circled:
                picture.circle((c + 0.5, r + 0.5), 0.42, "none", line="#777", width=0.03)
            if cell in numbers:
                number = numbers[cell]
                picture.text((c + 0.06 + 0.075 * len(number), r + 0.16), number, 0.25, fill="#444")
            if cell in letters:
                letter = puzzle.spell_out(letters[cell])
                size = min(0.62, 1.05 / len(letter))
                picture.text((c + 0.5, r + 0.57), letter, size, bold=cell in givens)
            if cell in stars:
                picture.mark(corners)
    for (r, c), (next_row, _) in sorted(puzzle.pairs_with_bar):
        start = (c, r + 1) if next_row > r else (c + 1, r)
        picture.line(start, (c + 1, r + 1), "#111", 0.09)
    width = len(puzzle.grid[0])
    height = len(puzzle.grid)
    outline = [(0, 0), (width, 0), (width, height), (0, height)]
    picture.polygon(outline, "none", line="#111", width=0.05)
    return str(picture)
