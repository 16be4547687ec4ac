"""The phrasebook: facts in sentences. There is a module for each kind of placing that has templates
of its own.
"""

from jigsat.phrases.foam import FoamPhrases
from jigsat.phrases.guests import GuestPhrases
from jigsat.phrases.letters import LetterPhrases
from jigsat.phrases.marks import MarkPhrases
from jigsat.phrases.numbers import NumberPhrases
from jigsat.phrases.phrasebook import DRAWN, MAX_DRAWN, Phrasebook
from jigsat.phrases.pieces import PiecePhrases
from jigsat.phrases.presses import PressPhrases
from jigsat.phrases.text import Text, count, join_and, join_or, unique, upper
from jigsat.phrases.tiles import TilePhrases
from jigsat.puzzle import Puzzle

__all__ = [
    "DRAWN",
    "MAX_DRAWN",
    "Phrasebook",
    "Text",
    "choose_phrasebook",
    "count",
    "join_and",
    "join_or",
    "unique",
    "upper",
]

PHRASEBOOKS: dict[str, type[Phrasebook]] = {
    "value in a cell": NumberPhrases,
    "letter in a slot": LetterPhrases,
    "tile on a cell": TilePhrases,
    "piece on a face": FoamPhrases,
    "piece on cells": PiecePhrases,
    "guest on a seat": GuestPhrases,
    "press": PressPhrases,
    "mark on a grid": MarkPhrases,
}


def choose_phrasebook(puzzle: Puzzle) -> Phrasebook:
    """The phrasebook for a puzzle's kind of placing."""
    way = puzzle.way()
    return PHRASEBOOKS.get(way.placing, Phrasebook)(way)
