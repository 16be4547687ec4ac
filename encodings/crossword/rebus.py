"""Squares with several letters: a sign stands for them in the grid, in answers and in words."""

from collections.abc import Iterator, Mapping

from jigsat.encodings.crossword.words import spell_word

SIGNS = [
    *map(chr, range(0x2460, 0x2474)),  # 1 to 20 in circles
    *map(chr, range(0x3251, 0x3260)),  # 21 to 35
    *map(chr, range(0x32B1, 0x32C0)),  # 36 to 50
]
"""The signs that are given to the squares of other programs' files."""


def read_rebus(data: dict[str, str]) -> dict[str, str]:
    """The entry `rebus`: the letters of each sign, in capitals. Raises ValueError."""
    rebus = {}
    for sign, letters in data.items():
        if len(sign) != 1 or not sign.isalnum() or sign != sign.upper():
            raise ValueError(f"{sign!r} is no sign; write a digit, a capital or a sign such as ①")
        rebus[sign] = spell_word(letters)
        if len(rebus[sign]) < 2:
            raise ValueError(f"{sign!r} stands for one letter; write it into the grid")
    return rebus


def expand(word: str, rebus: Mapping[str, str]) -> str:
    """A word with its letters in place of signs.

    >>> expand("M1LIGHT", {"1": "OON"})
    'MOONLIGHT'
    """
    return "".join(rebus.get(sign, sign) for sign in word)


def list_spellings(word: str, rebus: Mapping[str, str]) -> Iterator[str]:
    """The ways to write a word into squares: the word itself, and all ways with signs.

    >>> list(list_spellings("BANANA", {"1": "AN"}))
    ['BANANA', 'BAN1A', 'B1ANA', 'B11A']
    """
    if not word:
        yield ""
        return
    for rest in list_spellings(word[1:], rebus):
        yield word[0] + rest
    for sign, letters in rebus.items():
        if word.startswith(letters):
            for rest in list_spellings(word[len(letters) :], rebus):
                yield sign + rest


class SignTable:
    """The signs for the squares of a file, in the order in which their letters are met."""

    def __init__(self) -> None:
        self._signs: dict[str, str] = {}

    def find_sign(self, letters: str) -> str:
        """The sign for the letters of a square: a single letter itself, or a sign for these letters
        only. Raises ValueError if no sign is left."""
        if len(letters) == 1:
            return letters
        if letters not in self._signs:
            if len(self._signs) == len(SIGNS):
                raise ValueError(f"more than {len(SIGNS)} different squares with several letters")
            self._signs[letters] = SIGNS[len(self._signs)]
        return self._signs[letters]

    def rebus(self) -> dict[str, str]:
        """The letters of each sign."""
        return {sign: letters for letters, sign in self._signs.items()}
