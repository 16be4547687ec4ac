"""What the sentences of steps presuppose: the rules of the puzzle, and what names mean."""

from __future__ import annotations

import re
from collections.abc import Iterable

from jigsat.puzzle import Puzzle

MAX_RULE_WORDS = 60  # number of words of a rule that is printed before steps

CELL = r"\br(\d+)c(\d+)\b"
LEGENDS = {
    CELL: r"\g<0> is the place in row \1, column \2.",
    r"\bl(\d+)r(\d+)c(\d+)\b": r"\g<0> is the place in layer \1, row \2, column \3.",
    r"(?<=on )(l\d+)?r\d+c\d+–(l\d+)?r\d+c\d+": r"\g<0> begins with the upper left end of the "
    r"piece as drawn.",
    r"\bturned over\b": "Turned over means that left and right are exchanged, before the piece "
    "is turned.",
    r"\bOnly .* can (lie|cover)\b|\bcan only (lie|be covered)\b": "Only: everything else is ruled "
    "out, here or by earlier steps.",
    r"\bupright\b": "Upright means as in the picture of the loose piece.",
}
"""What parts of sentences mean, as templates of their patterns."""


def find_legends(sentences: Iterable[str], uncounted: str = "") -> dict[str, str]:
    """What the names of places and turns in these sentences mean: by pattern, the meaning of the
    first example. `uncounted` is what is drawn before the first row and column.
    """
    text = "\n".join(sentences)
    legends = {}
    for pattern, meaning in LEGENDS.items():
        example = re.search(pattern, text)
        if example:
            legends[pattern] = example.expand(meaning)
    if CELL in legends and uncounted:
        legends[CELL] = f"{legends[CELL].rstrip('.')}, not counting {uncounted}."
    return legends


def list_rules(puzzle: Puzzle) -> list[str]:
    """The rules of a puzzle, without long lists such as all words of a crossword."""
    return [rule for rule in puzzle.rules() if len(rule.split()) <= MAX_RULE_WORDS]
