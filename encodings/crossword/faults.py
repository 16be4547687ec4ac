"""What an editor would mend in a crossword before it is printed: an uneven grid, squares that no
other word checks, short, repeated and unlisted words, and words without a clue."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping

from jigsat.encodings.crossword.causes import MOST_LISTED
from jigsat.encodings.crossword.data import BLANK, Cell, CrosswordData, Slot

from jigsat.errors import Fault
from jigsat.words import join_words, plural

FULLY_CHECKED = 0.75
"""Share of squares in two words above which every square should be in two. Below it, the grid has
the other usual form, in which about half of the letters of a word are checked."""
MOST_UNCHECKED_IN_ROW = 2  # squares of a word, one after another
DIGITS = "0123456789"


def find_faults(puzzle: CrosswordData) -> Iterator[Fault]:
    yield from _find_asymmetry(puzzle)
    yield from _find_unchecked(puzzle)
    yield from _find_short_words(puzzle)
    yield from _find_wrong_signs(puzzle)
    yield from _find_wrong_words(puzzle)
    yield from _find_words_without_clue(puzzle)


def _find_asymmetry(puzzle: CrosswordData) -> Iterator[Fault]:
    """Squares that differ from their images, if no motion of the grid maps it onto itself; by the
    half-turn, or by a reflection that fewer squares contradict."""
    height = len(puzzle.grid)
    width = len(puzzle.grid[0])
    motions: dict[str, Callable[[int, int], Cell]] = {
        "a half-turn": lambda r, c: (height - 1 - r, width - 1 - c),
        "a reflection of left and right": lambda r, c: (r, width - 1 - c),
        "a reflection of top and bottom": lambda r, c: (height - 1 - r, c),
    }
    if height == width:
        motions["a reflection in the main diagonal"] = lambda r, c: (c, r)
        motions["a reflection in the other diagonal"] = lambda r, c: (width - 1 - c, height - 1 - r)

    squares = set(puzzle.squares)
    bars = set(map(frozenset, puzzle.pairs_with_bar))
    contradictions = {}
    wrong_bars = {}
    for name, move in motions.items():
        contradictions[name] = [cell for cell in sorted(squares) if move(*cell) not in squares]
        moved = {frozenset(move(*cell) for cell in pair) for pair in bars}
        wrong_bars[name] = sorted(map(sorted, bars - moved))
    name = min(motions, key=lambda name: len(contradictions[name]) + len(wrong_bars[name]))
    wrong = contradictions[name]
    if wrong_bars[name] and not wrong:
        place = _name(wrong_bars[name][0][0])
        yield Fault(
            place,
            f"the bars are not symmetric: {name} would move no bar to that beside this square",
            "remove it, or draw the other one",
        )
    if wrong:
        r, c = motions[name](*wrong[0])
        more = f"; so it is with {plural(len(wrong) - 1, 'other square')}" if wrong[1:] else ""
        yield Fault(
            _name(wrong[0]),
            f"the grid is not symmetric: {name} would make a square of the block in row {r + 1}, "
            f"column {c + 1}{more}",
            "make both of them squares, or both blocks",
        )


def _find_unchecked(puzzle: CrosswordData) -> Iterator[Fault]:
    """Squares in one word where nearly all others are in two; otherwise, and where bars end words,
    words with few squares that are in two."""
    divider = _name_divider(puzzle)
    words: Counter[Cell] = Counter()
    for slot in puzzle.slots:
        words.update(slot.cells)
    for cell in puzzle.squares:
        if words[cell] == 0:
            yield Fault(
                _name(cell), "the square is in no word", f"make it a block, or move a {divider}"
            )

    checked = sum(1 for number in words.values() if number == 2)
    if checked > FULLY_CHECKED * len(words) and not puzzle.pairs_with_bar:
        for cell in sorted(words):
            if words[cell] == 1:
                yield Fault(_name(cell), "only one word has this square", "move a block")
        return

    for slot in puzzle.slots:
        signs = "".join("x" if words[cell] == 2 else "." for cell in slot.cells)
        longest = max(map(len, signs.split("x")))
        if signs.count("x") < len(signs) // 2:
            wrong = f"{signs.count('x')} of {len(signs)} squares are in another word"
            yield Fault(slot.name, f"only {wrong}", f"move {divider}s, so that half of them are")
        elif longest > MOST_UNCHECKED_IN_ROW:
            wrong = f"{longest} squares one after another are in no other word"
            yield Fault(slot.name, wrong, f"move a {divider}")


def _find_short_words(puzzle: CrosswordData) -> Iterator[Fault]:
    for slot in puzzle.slots:
        if len(slot.cells) == 2:
            remedy = f"move a {_name_divider(puzzle)}"
            yield Fault(slot.name, "a word of two letters", remedy)


def _name_divider(puzzle: CrosswordData) -> str:
    """What ends words in this grid, and can be moved."""
    return "bar" if puzzle.pairs_with_bar else "block"


def _find_wrong_signs(puzzle: CrosswordData) -> Iterator[Fault]:
    """Signs for several letters that no square has, and digits that are no such sign among others
    that are."""
    letters = puzzle.givens | puzzle.required
    if len(letters) == len(puzzle.squares):  # otherwise the sign may belong to an empty square
        for sign, spelled in puzzle.rebus.items():
            if sign not in letters.values():
                wrong = f"no square has this sign for {spelled}"
                yield Fault(f"rebus: {sign}", wrong, "remove it, or write it into the grid")
    if not set(DIGITS) & puzzle.rebus.keys():
        return
    for cell, letter in sorted(letters.items()):
        if letter in DIGITS and letter not in puzzle.rebus:
            wrong = f"the digit {letter}, which is not in `rebus`"
            yield Fault(_name(cell), wrong, "add it to `rebus`, or write a letter")


def _find_wrong_words(puzzle: CrosswordData) -> Iterator[Fault]:
    """Words that occur twice, and words that are not in the list, if there is one."""
    letters = puzzle.givens | puzzle.required
    first: dict[str, str] = {}
    unlisted: dict[Slot, str] = {}
    for slot in puzzle.slots:
        written = "".join(letters.get(cell, BLANK) for cell in slot.cells)
        if BLANK in written:
            continue
        word = puzzle.spell_out(written)
        if word in first:
            yield Fault(slot.name, f"{word} is also the word {first[word]}", "change one of them")
        first.setdefault(word, slot.name)
        if word in puzzle.banned:
            yield Fault(slot.name, f"{word} is among the banned words", "use another word")
        if not puzzle.words:
            continue
        score = puzzle.scores.get(written)
        if score is None:
            unlisted[slot] = word
        elif score < puzzle.least_score:
            wrong = f"{word} has the score {score}, less than {puzzle.least_score}"
            yield Fault(slot.name, wrong, "use another word")
    yield from _name_unlisted(unlisted)


def _name_unlisted(unlisted: Mapping[Slot, str]) -> Iterator[Fault]:
    """Words that are not in the list: if they are two that cross, the letter that they share is
    probably wrong."""
    if len(unlisted) == 2:
        one, other = unlisted
        shared = sorted(set(one.cells) & set(other.cells))
        if shared:
            wrong = f"{unlisted[one]} and {unlisted[other]} are not in the list of words"
            remedy = "correct this letter, or add the words to the list"
            yield Fault(_name(shared[0]), wrong, remedy)
            return
    for slot, word in unlisted.items():
        remedy = "correct the word, or add it to the list"
        yield Fault(slot.name, f"{word} is not in the list of words", remedy)


def _find_words_without_clue(puzzle: CrosswordData) -> Iterator[Fault]:
    if not puzzle.questions:
        if puzzle.answers:  # otherwise the words are to be fitted in
            yield Fault("clues", "there are none", "write a clue for each word")
        return
    names = [slot.name for slot in puzzle.slots if slot.name not in puzzle.questions]
    if len(names) > MOST_LISTED:
        first, *others = names
        wrong = f"no clue; {join_words(others)} have none either"
        yield Fault(first, wrong, "write one for each of them")
        return
    for name in names:
        yield Fault(name, "no clue", "write one")


def _name(cell: Cell) -> str:
    return f"row {cell[0] + 1}, column {cell[1] + 1}"
