"""What second decoders of links have in common, which share nothing with jigsat's: they cut a link
into words with regular expressions, and list a word for each place."""

import itertools
import re
from random import Random
from typing import Any

from jigsat.instance import family

WIDE = r"[0-9a-f]|-..|\+...|=...|@...|\*....|\$.....|\."
ADDED = {"-": 0, "+": 0, "=": 4096, "@": 8192, "*": 12240, "$": 77776}


def wide(token: str) -> str:
    if token == ".":
        return "?"
    if token[0] in ADDED:
        return str(ADDED[token[0]] + int(token[1:], 16))
    return str(int(token, 16))


def spread(tokens: list[str], first: str, words: Any) -> list[str]:
    """The words of tokens; letters from the first one to z are runs of dots."""
    places: list[str] = []
    for token in tokens:
        if len(token) == 1 and first <= token <= "z":
            places += ["."] * (ord(token) - ord(first) + 1)
        else:
            places += words(token)
    return places


def cut(pattern: str, body: str) -> list[str]:
    assert re.fullmatch(f"(?:{pattern})*", body), body
    return re.findall(pattern, body)


def numbers_16(body: str, places: int) -> list[str]:
    words = spread(cut(f"{WIDE}|[g-z]", body), "g", lambda token: [wide(token)])
    assert len(words) == places
    return words


def numbers_4(body: str, places: int, unknown: str = "?") -> list[str]:
    def read(token: str) -> list[str]:
        if token == ".":
            return [unknown]
        return [str(int(token, 16) % 5)] + ["."] * (int(token, 16) // 5)

    words = spread(cut(r"[0-9a-e.g-z]", body), "g", read)
    assert words[places:] in ([], ["."], [".", "."])
    return words[:places]


def decode_numbers(body: str, height: int, width: int) -> list[str]:
    return numbers_16(body, height * width)


def decode_circles(body: str, height: int, width: int) -> list[str]:
    digits = [int(character, 27) for character in body]
    values = [digit // power % 3 for digit in digits for power in (9, 3, 1)]
    return [".wb"[value] for value in values][: height * width]


def decode_borders(text: str, height: int, width: int) -> list[str]:
    bits = "".join(f"{int(character, 32):05b}" for character in text)
    beside, below = height * (width - 1), (height - 1) * width
    first = -(-beside // 5) * 5
    return [bits[:beside], bits[first : first + below]]


# -- the words of a puzzle


def split_words(drawing: str) -> list[str]:
    """The words of a drawing, row by row."""
    words = []
    for line in drawing.split("\n"):
        words += line.split() if " " in line.strip() else list(line)
    return words


def list_borders(drawing: str) -> list[str]:
    """Whether there is a border beside and below each cell."""
    rows = [line.split() if " " in line.strip() else list(line) for line in drawing.split("\n")]
    beside = [a != b for row in rows for a, b in itertools.pairwise(row)]
    pairs = itertools.pairwise(rows)
    below = [a != b for one, other in pairs for a, b in zip(one, other, strict=True)]
    return ["".join(str(int(bit)) for bit in every) for every in (beside, below)]


def list_side(table: dict[str, str], side: str, length: int) -> list[str]:
    """The numbers on one side of the grid."""
    words = table.get(side, "").split()
    return words + ["."] * (length - len(words))


# -- random puzzles, which may have no solution


NUMBERS = ["1", "7", "15", "16", "255", "256", "4095", "4096", "9000", "20000", "80000", "?"]


def draw_words(words: list[str], height: int, width: int, rng: Random) -> str:
    rows = [" ".join(rng.choices(words, k=width)) for _ in range(height)]
    return "\n".join(rows)


def draw_grid(words: list[str], rng: Random, more: int = 0) -> str:
    """A random drawing, with this number of rows and columns more than it has cells."""
    return draw_words(words, rng.randint(4, 9) + more, rng.randint(4, 9) + more, rng)


def propose(kind: str, size: int, rng: Random) -> dict[str, Any]:
    """The entries of a puzzle as they are drawn for the generator."""
    loaded: Any = family(kind)
    entries = loaded.propose(size, size, rng) or loaded.blank(size, size, rng)
    assert entries is not None
    return dict(entries)
