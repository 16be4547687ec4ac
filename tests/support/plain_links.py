"""A second decoder of links, which shares nothing with jigsat's: it cuts a link into words with
regular expressions, and lists a word for each place."""

import itertools
import re
from typing import Any

from jigsat import instance

WIDE = r"[0-9a-f]|-..|\+...|=...|@...|\*....|\$.....|\."
ADDED = {"-": 0, "+": 0, "=": 4096, "@": 8192, "*": 12240, "$": 77776}


def decode(link: str) -> list[str]:
    """The words of all places of a link."""
    family, width, height, body = re.fullmatch(
        r"https://puzz\.link/p\?([a-z]+)/(\d+)/(\d+)/(.*?)/?", link
    ).groups()  # type: ignore[union-attr]
    return globals()[f"decode_{family}"](body, int(height), int(width))


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


def decode_slither(body: str, height: int, width: int) -> list[str]:
    return numbers_4(body, height * width)


def decode_akari(body: str, height: int, width: int) -> list[str]:
    return numbers_4(body, height * width, "#")


def decode_gokigen(body: str, height: int, width: int) -> list[str]:
    return numbers_4(body, (height + 1) * (width + 1))


def decode_nurikabe(body: str, height: int, width: int) -> list[str]:
    return numbers_16(body, height * width)


decode_shikaku = decode_fillomino = decode_sudoku = decode_nurikabe
decode_kurodoko = decode_mines = decode_hashi = decode_numlin = decode_nurikabe


def decode_mashu(body: str, height: int, width: int) -> list[str]:
    digits = [int(character, 27) for character in body]
    values = [digit // power % 3 for digit in digits for power in (9, 3, 1)]
    return [".wb"[value] for value in values][: height * width]


decode_yinyang = decode_mashu


def decode_hitori(body: str, height: int, width: int) -> list[str]:
    return [str(int(token.lstrip("-"), 36)) for token in cut("-..|[0-9a-z]", body)]


def decode_yajilin(body: str, height: int, width: int) -> list[str]:
    def read(token: str) -> list[str]:
        if token[0] == "-":
            direction, number = int(token[1]), token[2:]
        else:
            direction, number = int(token[0]) % 5, token[1:]
        return [("?" if number == "." else str(int(number, 16))) + ".^v<>"[direction]]

    return spread(cut(r"-....|[5-9]..|[0-4].|[a-z]", body), "a", read)


def decode_skyscrapers(body: str, height: int, width: int) -> list[str]:
    words = spread(cut(f"{WIDE}|[g-z]", body), "g", lambda token: [wide(token)])
    beside = 2 * (height + width)
    return words if len(words) > beside else words + ["."] * (height * width)


def decode_nonogram(body: str, height: int, width: int) -> list[str]:
    words = spread(cut(f"{WIDE}|[g-z]", body), "g", lambda token: [wide(token)])
    lines = []
    for number, room in ((width, (height + 1) // 2), (height, (width + 1) // 2)):
        for _ in range(number):
            line, words = words[:room], words[room:]
            lines.append(" ".join(word for word in line[::-1] if word != ".") or "0")
    assert not words
    return lines


def decode_starbattle(body: str, height: int, width: int) -> list[str]:
    """The number of stars, then whether there is a border beside and below each cell."""
    stars, _, text = body.partition("/")
    return [stars, *cut_bits(text, height, width)]


def cut_bits(text: str, height: int, width: int) -> list[str]:
    bits = "".join(f"{int(character, 32):05b}" for character in text)
    beside, below = height * (width - 1), (height - 1) * width
    first = -(-beside // 5) * 5
    return [bits[:beside], bits[first : first + below]]


def decode_heyawake(body: str, height: int, width: int) -> list[str]:
    """The borders, then the numbers of rooms."""
    characters = -(-height * (width - 1) // 5) - (-(height - 1) * width // 5)
    numbers = spread(cut(f"{WIDE}|[g-z]", body[characters:]), "g", lambda token: [wide(token)])
    return [*cut_bits(body[:characters], height, width), *numbers]


def decode_norinori(body: str, height: int, width: int) -> list[str]:
    return cut_bits(body, height, width)


decode_lits = decode_norinori


def decode_magnets(body: str, height: int, width: int) -> list[str]:
    """The numbers below and above each column, those on the right and left of each row, and the
    borders."""
    numbers: list[str] = []
    while len(numbers) < 2 * (width + height):
        token = re.match(f"{WIDE}|[g-z]", body)
        assert token
        body = body[token.end() :]
        numbers += spread([token[0]], "g", lambda token: [wide(token)])
    return [*numbers, *cut_bits(body, height, width)]


def decode_tentaisho(body: str, height: int, width: int) -> list[str]:
    """A digit is a dot, white or black in turn, and two digits have the same number of blanks."""
    text = ""
    for character in body:
        value = int(character, 36)
        text += "o*"[value % 2] + value // 2 * "." if value < 16 else (value - 15) * "."
    places = (2 * height - 1) * (2 * width - 1)
    assert set(text[places:]) <= {"."}
    return list(text[:places])


def decode_ripple(body: str, height: int, width: int) -> list[str]:
    """The borders, then the numbers in cells."""
    characters = -(-height * (width - 1) // 5) - (-(height - 1) * width // 5)
    bits = cut_bits(body[:characters], height, width)
    return [*bits, *numbers_16(body[characters:], height * width)]


def decode_tents(body: str, height: int, width: int) -> list[str]:
    """The numbers above and on the left, then the trees: a digit up to h is one before blanks."""
    words: list[str] = []
    while len(words) < width + height:
        token = re.match(f"{WIDE}|[g-z]", body)
        assert token
        body = body[token.end() :]
        words += spread([token[0]], "g", lambda token: [wide(token)])
    trees = ""
    for character in body:
        blanks = int(character, 36)
        trees += "t" + "." * blanks if blanks < 18 else "." * (blanks - 17)
    assert len(trees) == height * width
    return [*words, *trees]


def decode_kakuro(body: str, height: int, width: int) -> list[str]:
    def total(character: str) -> str:
        if character in "-0":
            return ""
        return str(int(character, 36) + (10 if character.isupper() else 0))

    grid: list[str] = []
    while len(grid) < height * width:
        if "k" <= body[0] <= "z":
            grid += ["."] * (ord(body[0]) - ord("k") + 1)
            body = body[1:]
        elif body[0] == ".":
            grid.append("\\")
            body = body[1:]
        else:
            grid.append(f"{total(body[0])}\\{total(body[1])}")
            body = body[2:]
    beside = list(body)
    top = [f"{total(beside.pop(0))}\\" if word == "." else "\\" for word in grid[:width]]
    left = [f"\\{total(beside.pop(0))}" if word == "." else "\\" for word in grid[::width]]
    assert not beside
    words = ["\\", *top]
    for row in range(height):
        words += [left[row], *grid[row * width : (row + 1) * width]]
    return words


def list_words(puzzle: Any) -> list[str]:
    """The words of all places of a puzzle, in the order of its link."""
    entries = instance.entries(puzzle)
    if puzzle.family in ("star-battle", "heyawake", "norinori", "lits"):
        return list_rooms(puzzle, entries["rooms"])
    if puzzle.family == "ripple-effect":
        return [*list_rooms(puzzle, entries["rooms"]), *split_words(entries["given"])]
    if puzzle.family == "magnets":
        table = {side: line.split() for side, line in entries.get("numbers", {}).items()}
        words = []
        for sides, length in (
            (("bottom", "top"), puzzle.grid.width),
            (("right", "left"), puzzle.grid.height),
        ):
            for i, side in itertools.product(range(length), sides):
                words.append((table.get(side, []) + length * ["."])[i])
        return [*words, *list_rooms(puzzle, entries["plates"])]
    if puzzle.family == "tents":
        table = entries.get("numbers", {})
        words = []
        for side, length in (("top", puzzle.grid.width), ("left", puzzle.grid.height)):
            line = table.get(side, "").split()
            words += line + ["."] * (length - len(line))
        return words + split_words(entries["trees"])
    if puzzle.family == "nonogram":
        return [*entries["lengths"]["columns"], *entries["lengths"]["rows"]]
    words = []
    if puzzle.family == "skyscrapers":
        for side in ("top", "bottom", "left", "right"):
            line = entries.get("seen", {}).get(side, "").split()
            words += line + ["."] * (puzzle.grid.width - len(line))
    entry = {
        "masyu": "pearls",
        "galaxies": "centres",
        "numberlink": "ends",
        "hashi": "islands",
        "yin-yang": "circles",
        "akari": "cells",
        "skyscrapers": "heights",
        "yajilin": "arrows",
    }
    entry |= {"sudoku": "grid", "kakuro": "sums"}
    return words + split_words(entries[entry.get(puzzle.family, "numbers")])


def split_words(drawing: str) -> list[str]:
    """The words of a drawing, row by row."""
    words = []
    for line in drawing.split("\n"):
        words += line.split() if " " in line.strip() else list(line)
    return words


def list_rooms(puzzle: Any, rooms: Any) -> list[str]:
    drawing = rooms["cells"] if isinstance(rooms, dict) else rooms
    rows = [line.split() if " " in line.strip() else list(line) for line in drawing.split("\n")]
    beside = [a != b for row in rows for a, b in itertools.pairwise(row)]
    pairs = itertools.pairwise(rows)
    below = [a != b for one, other in pairs for a, b in zip(one, other, strict=True)]
    bits = ["".join(str(int(bit)) for bit in every) for every in (beside, below)]
    if puzzle.family == "star-battle":
        return [str(puzzle.stars), *bits]
    if puzzle.family != "heyawake":
        return bits
    names = list(dict.fromkeys(itertools.chain(*rows)))
    numbers = rooms.get("numbers", {}) if isinstance(rooms, dict) else {}
    return [*bits, *(str(numbers.get(name, ".")) for name in names)]
