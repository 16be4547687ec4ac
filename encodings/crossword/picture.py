"""Pictures of crosswords: the grid with the numbers of the words, filled, or empty for printing."""

from collections.abc import Collection, Iterator, Sequence
from itertools import groupby
from operator import attrgetter

from jigsat.encodings.crossword.data import BLOCK, Cell, CrosswordData, Letter, Scored

from jigsat.pictures import Part, Picture

MAX_LISTED_WORDS = 5_000  # maximum number of words that are printed, on about eight pages


def write_rules(puzzle: CrosswordData) -> Iterator[str]:
    twice = "" if puzzle.repeats else " No word occurs twice."
    answering = (
        "; it answers the question with its number and direction" if puzzle.questions else ""
    )
    every = (
        f"so that a word stands at every number, from left to right or from top to "
        f"bottom{answering}"
    )
    yield f"Write a letter into each white square, {every}.{twice}"
    asked = [slot for slot in puzzle.slots if slot.name in puzzle.questions]
    for direction, its in groupby(asked, attrgetter("direction")):
        clues = (f"{slot.number} {puzzle.questions[slot.name]} ({len(slot.cells)})" for slot in its)
        yield "\n".join([direction.capitalize(), *clues])
    # The words of stated answers are listed only if there is no question for any of them.
    if not asked or (puzzle.words and len(asked) < len(puzzle.slots)):
        yield from _list_words(puzzle)


def _list_words(puzzle: CrosswordData) -> Iterator[str]:
    words = sorted(word for each in puzzle.lists.values() for word in each.words)
    if len(words) > MAX_LISTED_WORDS:
        yield f"The list of the {len(words):,} words that may be used is too long to print."
    elif words:
        yield f"These words may be used: {', '.join(words)}."


def draw_parts(puzzle: CrosswordData) -> list[Part]:
    """The grid to print, with the given letters."""
    givens = [Letter(cell, given) for cell, given in puzzle.givens.items()]
    return [Part(draw_svg(puzzle, givens), min(180.0, 14.0 * len(puzzle.grid[0])))]


def _squares(puzzle: CrosswordData, marked: Collection[Letter | Scored]) -> set[Cell]:
    """The marked squares, and those of the marked words."""
    names = {one.slot for one in marked if isinstance(one, Scored)}
    within = {cell for slot in puzzle.slots if slot.name in names for cell in slot.cells}
    return within | {one.cell for one in marked if isinstance(one, Letter)}


def draw_text(
    puzzle: CrosswordData,
    placements: Sequence[Letter | Scored],
    marked: Collection[Letter | Scored] = (),
) -> str:
    """The grid as drawn in an instance, but with spaces, and the score if it is full and the scores
    of words differ."""
    shown = {one.cell: one.letter for one in placements if isinstance(one, Letter)}
    stars = _squares(puzzle, marked)
    drawn = {cell: shown.get(cell, ".") for cell in puzzle.squares}
    rows = [
        "".join(
            drawn.get((r, c), BLOCK) + ("*" if (r, c) in stars else " ") for c in range(len(row))
        ).rstrip()
        for r, row in enumerate(puzzle.grid)
    ]
    scores = [one.score for one in placements if isinstance(one, Scored)]
    if scores and len(shown) == len(puzzle.squares) and len(set(puzzle.scores.values())) > 1:
        rows.append(f"total score {sum(scores):,}, lowest {min(scores):,}")
    return "\n".join(rows)


def draw_svg(
    puzzle: CrosswordData,
    placements: Sequence[Letter | Scored],
    marked: Collection[Letter | Scored] = (),
) -> str:
    """The grid as an SVG document; given letters are bold on grey."""
    shown = {one.cell: one.letter for one in placements if isinstance(one, Letter)}
    numbers = {slot.cells[0]: str(slot.number) for slot in puzzle.slots}
    picture, givens, stars = Picture(scale=40, margin=0.2), puzzle.givens, _squares(puzzle, marked)
    for r, row in enumerate(puzzle.grid):
        for c, drawn in enumerate(row):
            corners = [(c, r), (c + 1, r), (c + 1, r + 1), (c, r + 1)]
            picture.place((r, c), corners)
            picture.polygon(
                corners,
                "#222" if drawn == BLOCK else "#e8e8e8" if (r, c) in givens else "white",
                width=0.02,
            )
            if number := numbers.get((r, c)):
                picture.text((c + 0.06 + 0.075 * len(number), r + 0.16), number, 0.25, fill="#444")
            if letter := shown.get((r, c)):
                picture.text((c + 0.5, r + 0.57), letter, 0.62, bold=(r, c) in givens)
            if (r, c) in stars:
                picture.mark(corners)
    width, height = len(puzzle.grid[0]), len(puzzle.grid)
    picture.polygon(
        [(0, 0), (width, 0), (width, height), (0, height)], "none", line="#111", width=0.05
    )
    return str(picture)
