"""A fact in words, and parts of sentences."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from typing import TypeVar

from jigsat.words import join_words

T = TypeVar("T", bound=Hashable)

MAX_CHAIN = 8  # number of lines of a chain that a reader follows
NUMBERS = (
    "no",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
)
BEGINNINGS = (
    "Only ",
    "In ",
    "On ",
    "So ",
    "At ",
    "No ",
    "Nothing ",
    "None ",
    "Row ",
    "Column ",
    "The ",
    "That ",
    "A single ",
    "A double ",
    "Because ",
    "For ",
    "Strip ",
    "Piece ",
    "Tile ",
)
"""The beginnings of sentences that are not names, so that they have no capital in the middle."""


@dataclass(frozen=True)
class Text:
    """A fact in words: a title, where to look, what to ask there, why, a numbered chain, and what
    follows.

    `beside` is listed next to the picture, and is no sentence.
    """

    title: str
    look: str
    ask: str
    reasons: tuple[str, ...]
    chain: tuple[str, ...]
    end: tuple[str, ...]
    beside: tuple[str, ...] = ()

    @property
    def is_long(self) -> bool:
        """Whether nobody follows the chain, so that it is told only on request."""
        return len(self.chain) > MAX_CHAIN

    def lines(self, *, every: bool = False) -> list[str]:
        """The lines in the order in which they are read; `every` adds a chain that is long."""
        if not self.is_long:
            return [*self.reasons, *self.list_chain(), *self.end]
        chain = self.list_chain() if every else []
        number = f"{len(self.chain)} lines"
        trial = f"Trying that leads to a contradiction, but only by a chain of {number}."
        return [*self.reasons, trial, *chain, *self.end]

    def list_chain(self) -> list[str]:
        """The lines of the chain with their numbers."""
        if len(self.chain) == 1 and self.chain[0].startswith(("But ", "That ")):
            return list(self.chain)
        if len(self.chain) == 1:
            return [f"Then {lower(self.chain[0])}"]
        return [f"{number}. {line}" for number, line in enumerate(self.chain, 1)]


def sentence(words: str) -> str:
    """With a capital at the beginning and a full stop at the end."""
    words = words.strip()
    end = "" if words.endswith(("?", ".", ".”", ":")) else "."
    return f"{upper(words)}{end}"


def upper(words: str) -> str:
    """With a capital, unless it begins with the name of a cell."""
    return words if _is_cell(words) else words[:1].upper() + words[1:]


def _is_cell(words: str) -> bool:
    return words[:1] in ("r", "l") and words[1:2].isdigit()


def lower(words: str) -> str:
    """A sentence of the phrasebook in the middle of another one."""
    return words[:1].lower() + words[1:] if words.startswith(BEGINNINGS) else words


def in_house(house: str) -> str:
    """The beginning of a sentence about a house, such as 'In row 3, '."""
    if not house:
        return ""
    return f"On {house}, " if house.startswith("the diagonal") else f"In {house}, "


def unique(items: Iterable[T]) -> list[T]:
    """Without repetitions, in order."""
    return list(dict.fromkeys(items))


def count(number: int) -> str:
    """A number in words, up to twelve."""
    return NUMBERS[number] if number < len(NUMBERS) else f"{number:,}"


def join_and(names: Sequence[str]) -> str:
    return join_words(names) if names else ""


def join_or(names: Sequence[str]) -> str:
    return join_words(names, " or ") if names else ""
