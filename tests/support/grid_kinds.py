"""Small random puzzles of each kind on a grid, as entries of a file, and their answers as the plain
search returns them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random
from typing import Any

from jigsat.kit import Answer, GridPuzzle, Mark
from jigsat.kit.layers import Lines, Shading, Values

Entries = dict[str, Any]


def rows(rng: Random, height: int, width: int, words: Sequence[str], blank: float) -> str:
    """A drawing in which a share of the cells is blank."""
    line = [
        " ".join("." if rng.random() < blank else rng.choice(words) for _ in range(width))
        for _ in range(height)
    ]
    return "\n".join(line)


def akari(rng: Random) -> Entries:
    words = ["#", "#", "0", "1", "1", "2"]
    return {"cells": rows(rng, rng.randint(1, 4), rng.randint(2, 4), words, 0.7)}


def nonogram(rng: Random) -> Entries:
    def lists(number: int, length: int) -> list[str]:
        words = ["?"]
        for _ in range(4):
            blocks = "".join(rng.choice("# ") for _ in range(length)).split()
            words.append(" ".join(str(len(block)) for block in blocks) or "0")
        return [rng.choice(words) for _ in range(number)]

    height, width = rng.randint(1, 3), rng.randint(1, 4)
    return {"lengths": {"rows": lists(height, width), "columns": lists(width, height)}}


def skyscrapers(rng: Random) -> Entries:
    size = rng.randint(2, 4)
    words = [str(n) for n in range(1, size + 1)]
    seen = {}
    for side in ("top", "bottom", "left", "right"):
        seen[side] = rows(rng, 1, size, [*words, "?"], 0.7)
    return {"heights": rows(rng, size, size, words, 0.9), "seen": seen}


def star_battle(rng: Random) -> Entries:
    height = rng.randint(3, 5)
    return {
        "rooms": rows(rng, height, height + rng.randint(0, 1), "ABC", 0.1),
        "stars": rng.choice([1, 1, 2]),
    }


def shikaku(rng: Random) -> Entries:
    words = ["?", "1", "2", "2", "3", "4", "6"]
    return {"numbers": rows(rng, rng.randint(1, 4), rng.randint(1, 4), words, 0.7)}


def kakuro(rng: Random) -> Entries:
    """Some of the sums are missing, and few cells are white."""
    height, width = rng.randint(1, 2), rng.randint(1, 3)
    lines = [[draw_sum(rng) for _ in range(width + 1)]]
    for _ in range(height):
        cells = ["." if rng.random() < 0.8 else draw_sum(rng) for _ in range(width)]
        lines.append([draw_sum(rng), *cells])
    return {"sums": "\n".join(" ".join(line) for line in mend_sums(lines))}


def draw_sum(rng: Random) -> str:
    sums = [str(rng.randint(3, 12)) if rng.random() < 0.8 else "" for _ in range(2)]
    return "\\".join(sums)


def mend_sums(lines: list[list[str]]) -> list[list[str]]:
    """Without sums of no cells."""
    for r, line in enumerate(lines):
        for c, word in enumerate(line):
            if word != ".":
                down, right = word.split("\\")
                if r + 1 == len(lines) or lines[r + 1][c] != ".":
                    down = ""
                if c + 1 == len(line) or line[c + 1] != ".":
                    right = ""
                line[c] = f"{down}\\{right}"
    return lines


def slitherlink(rng: Random) -> Entries:
    words = ["?", "0", "1", "2", "2", "3"]
    return {"numbers": rows(rng, rng.randint(1, 3), rng.randint(1, 3), words, 0.8)}


def masyu(rng: Random) -> Entries:
    return {"pearls": rows(rng, rng.randint(2, 4), rng.randint(2, 4), ["w", "b"], 0.85)}


def hitori(rng: Random) -> Entries:
    return {"numbers": rows(rng, rng.randint(1, 3), rng.randint(2, 4), ["1", "2", "3"], 0)}


def nurikabe(rng: Random) -> Entries:
    words = ["?", "1", "2", "3", "4"]
    return {"numbers": rows(rng, rng.randint(1, 3), rng.randint(2, 4), words, 0.8)}


def yajilin(rng: Random) -> Entries:
    words = [number + arrow for number in "?011" for arrow in "^v<>"]
    return {"arrows": rows(rng, rng.randint(2, 4), rng.randint(3, 4), words, 0.9)}


def fillomino(rng: Random) -> Entries:
    height, width = rng.randint(1, 3), rng.randint(1, 3)
    words = [str(n) for n in range(1, min(5, height * width) + 1)]
    return {"numbers": rows(rng, height, width, words, 0.8)}


def slant(rng: Random) -> Entries:
    words = ["?", "0", "1", "1", "2", "2", "3"]
    return {"numbers": rows(rng, rng.randint(2, 4), rng.randint(2, 4), words, 0.8)}


def mosaic(rng: Random) -> Entries:
    words = ["?", "0", "1", "2", "3", "3", "4"]
    return {"numbers": rows(rng, rng.randint(1, 4), rng.randint(1, 4), words, 0.7)}


def minesweeper(rng: Random) -> Entries:
    words = ["?", "0", "1", "1", "2", "3"]
    entries: Entries = {"numbers": rows(rng, rng.randint(1, 4), rng.randint(1, 4), words, 0.7)}
    if rng.random() < 0.3:
        entries["mines"] = rng.randint(0, 5)
    return entries


def binairo(rng: Random) -> Entries:
    given = rows(rng, rng.choice([2, 4]), rng.choice([2, 4, 6]), ["0", "1"], 0.9)
    return {"given": given, "distinct": rng.random() < 0.6}


def yin_yang(rng: Random) -> Entries:
    return {"circles": rows(rng, rng.randint(1, 4), rng.randint(1, 4), ["w", "b"], 0.85)}


def kuromasu(rng: Random) -> Entries:
    words = ["?", "2", "3", "4", "5"]
    return {"numbers": rows(rng, rng.randint(1, 4), rng.randint(1, 4), words, 0.85)}


def draw_numbered_rooms(rng: Random, height: int, width: int, numbers: Sequence[Any]) -> Entries:
    """Rooms, which need not be connected, of which about half have numbers."""
    names = rng.sample("ABCDE", rng.randint(1, 5))
    drawing = rows(rng, height, width, names, 0.05)
    used = sorted(set(drawing.split()) - {"."})
    return {
        "cells": drawing,
        "numbers": {name: rng.choice(numbers) for name in used if rng.random() < 0.5},
    }


def heyawake(rng: Random) -> Entries:
    height, width = rng.randint(1, 4), rng.randint(1, 4)
    return {"rooms": draw_numbered_rooms(rng, height, width, ["?", 0, 1, 1, 2])}


def futoshiki(rng: Random) -> Entries:
    size = rng.randint(1, 4)
    lines = []
    for r in range(2 * size - 1):
        line = []
        for c in range(2 * size - 1):
            signs = "<>" if (r % 2, c % 2) == (0, 1) else "^v" if (r % 2, c % 2) == (1, 0) else "."
            line.append(rng.choice(signs) if rng.random() < 0.2 else ".")
        lines.append(" ".join(line))
    words = [str(n) for n in range(1, size + 1)]
    return {"given": rows(rng, size, size, words, 0.9), "signs": "\n".join(lines)}


def killer_sudoku(rng: Random) -> Entries:
    size = rng.choice([2, 3, 4, 4, 4])
    cages = draw_numbered_rooms(rng, size, size, ["?", 3, 5, 6, 7, 8, 10])
    cages["cells"] = cages["cells"].replace("E", ".").replace("D", ".")
    cages["numbers"] = {x: n for x, n in cages["numbers"].items() if x in cages["cells"]}
    return {"cages": cages, "distinct": rng.random() < 0.4}


def calcudoku(rng: Random) -> Entries:
    size = rng.randint(1, 4)
    names = [rng.choice("ABCDEFGHI.") for _ in range(size * size)]
    names = [name if names.count(name) < 4 else "." for name in names]
    grid = [" ".join(names[i : i + size]) for i in range(0, size * size, size)]
    words = ["?+", "?-", "?/", "1-", "2/", "2-", "3/", "5+", "6x", "8x", "12x", "3", "2", "4", "?"]
    used = sorted(set(names) - {"."})
    numbers = {name: rng.choice(words) for name in used if rng.random() < 0.4}
    return {"cages": {"cells": "\n".join(grid), "numbers": numbers}}


def draw_rooms(rng: Random, height: int, width: int, most: int) -> str:
    """Connected rooms of at most this many cells, a few cells in none."""
    names = [["." for _ in range(width)] for _ in range(height)]
    for name in "ABCDEFGHIJKLMNOP":
        free = [(r, c) for r in range(height) for c in range(width) if names[r][c] == "."]
        if not free or (len(free) == 1 and rng.random() < 0.5):
            break
        room = [rng.choice(free)]
        for _ in range(rng.randint(1, most) - 1):
            r, c = rng.choice(room)
            beside = [(r + 1, c), (r - 1, c), (r, c + 1), (r, c - 1)]
            room += [cell for cell in beside if cell in free and cell not in room][:1]
        for r, c in room:
            names[r][c] = name
    return "\n".join("".join(row) for row in names)


def norinori(rng: Random) -> Entries:
    height, width = rng.randint(1, 4), rng.randint(2, 4)
    return {"rooms": draw_rooms(rng, height, width, rng.choice([3, 6, 8]))}


def lits(rng: Random) -> Entries:
    height, width = rng.randint(2, 4), rng.randint(2, 5)
    names = "ABC"[: rng.randint(1, 3)]
    step = rng.randint(2, 4)
    lines = [
        "".join(names[(r // step + c // step) % len(names)] for c in range(width))
        for r in range(height)
    ]
    return {"rooms": "\n".join(lines)}


def suguru(rng: Random) -> Entries:
    height, width = rng.randint(1, 3), rng.randint(1, 4)
    drawing = draw_rooms(rng, height, width, 5)
    return {"given": give(rng, drawing), "rooms": drawing}


ripple_effect = suguru


def give(rng: Random, drawing: str) -> str:
    """A drawing with a few small numbers in cells that have a room."""
    names = drawing.replace("\n", "")
    most = max(names.count(name) for name in names)
    lines = []
    for line in drawing.split("\n"):
        words = [str(rng.randint(1, most)) if rng.random() < 0.15 else "." for _ in line]
        lines.append(
            "".join("." if x == "." else word for x, word in zip(line, words, strict=True))
        )
    return "\n".join(lines)


def hashi(rng: Random) -> Entries:
    """Islands with random numbers, or with those of random bridges."""
    height, width = rng.randint(1, 5), rng.randint(2, 5)
    cells = [(r, c) for r in range(height) for c in range(width)]
    islands = rng.sample(cells, min(len(cells), rng.randint(2, 7)))
    totals = dict.fromkeys(islands, 0)
    for r, c in islands:
        for step in ((0, 1), (1, 0)):
            seen = [(r + i * step[0], c + i * step[1]) for i in range(1, 6)]
            for other in [cell for cell in seen if cell in totals][:1]:
                number = rng.choice((0, 1, 1, 2))
                totals[r, c] += number
                totals[other] += number
    words = [["." for _ in range(width)] for _ in range(height)]
    for (r, c), total in totals.items():
        words[r][c] = "?" if rng.random() < 0.3 else str(total)
    return {"islands": "\n".join(" ".join(row) for row in words)}


def numberlink(rng: Random) -> Entries:
    height, width = rng.randint(1, 4), rng.randint(2, 4)
    cells = [(r, c) for r in range(height) for c in range(width)]
    words = [["." for _ in range(width)] for _ in range(height)]
    ends = rng.sample(cells, 2 * rng.randint(1, min(3, len(cells) // 2)))
    for i, (r, c) in enumerate(ends):
        words[r][c] = str(1 + i // 2)
    drawing = "\n".join(" ".join(row) for row in words)
    return {"ends": drawing, "all_cells": rng.random() < 0.4}


def magnets(rng: Random) -> Entries:
    """Plates at random, some cells in none, and few numbers."""
    height, width = rng.randint(1, 4), rng.randint(2, 4)
    names = [["." for _ in range(width)] for _ in range(height)]
    letters = iter("ABCDEFGH")
    for r in range(height):
        for c in range(width):
            beside = [(r + 1, c), (r, c + 1)]
            free = [(i, k) for i, k in beside if i < height and k < width and names[i][k] == "."]
            if names[r][c] == "." and free and rng.random() < 0.9:
                i, k = rng.choice(free)
                names[r][c] = names[i][k] = next(letters)
    numbers = {}
    for side, length in (("top", width), ("bottom", width), ("left", height), ("right", height)):
        numbers[side] = rows(rng, 1, length, ["?", "0", "1", "1", "2"], 0.7)
    return {"plates": "\n".join("".join(row) for row in names), "numbers": numbers}


def hidato(rng: Random) -> Entries:
    height, width = rng.randint(1, 3), rng.randint(1, 3)
    words = [str(n) for n in range(1, height * width + 1)]
    return {"given": rows(rng, height, width, words, 0.8)}


def straights(rng: Random) -> Entries:
    size = rng.randint(1, 4)
    cells = rows(rng, size, size, ["#", "#", *map(str, range(1, size + 1))], 0.7)
    given = rows(rng, size, size, [str(n) for n in range(1, size + 1)], 0.9)
    words = given.split()
    black = [word != "." for word in cells.split()]
    kept = ["." if dark else word for word, dark in zip(words, black, strict=True)]
    lines = [" ".join(kept[i : i + size]) for i in range(0, size * size, size)]
    return {"cells": cells, "given": "\n".join(lines)}


def line_totals(rng: Random, height: int, width: int) -> dict[str, str]:
    words = ["?", "0", "1", "1", "2", "3"]
    return {"top": rows(rng, 1, width, words, 0.6), "left": rows(rng, 1, height, words, 0.6)}


def aquarium(rng: Random) -> Entries:
    height, width = rng.randint(1, 3), rng.randint(1, 4)
    tanks = draw_rooms(rng, height, width, 5)
    return {"tanks": tanks, "filled_cells": line_totals(rng, height, width)}


def tents(rng: Random) -> Entries:
    height, width = rng.randint(1, 4), rng.randint(1, 4)
    trees = rows(rng, height, width, ["t"], 0.75)
    return {"trees": trees, "numbers": line_totals(rng, height, width)}


def galaxies(rng: Random) -> Entries:
    """Centres of about half of the cells, or those of random rectangles."""
    height, width = rng.randint(1, 4), rng.randint(3, 5)
    words = [["." for _ in range(2 * width - 1)] for _ in range(2 * height - 1)]
    free = [(r, c) for r in range(height) for c in range(width)]
    if rng.random() < 0.4:
        for r, c in rng.sample(free, (len(free) + 1) // 2):
            words[2 * r][2 * c] = rng.choice("oo*")
        free = []
    while free:
        r, c = free[0]
        below, right = rng.randint(r, height - 1), rng.randint(c, width - 1)
        room = [(i, k) for i in range(r, below + 1) for k in range(c, right + 1)]
        if set(room) <= set(free):
            words[r + below][c + right] = rng.choice("oo*")
            free = [cell for cell in free if cell not in room]
    return {"centres": "\n".join(" ".join(row) for row in words)}


RANDOM: dict[str, Callable[[Random], Entries]] = {
    "akari": akari,
    "aquarium": aquarium,
    "binairo": binairo,
    "calcudoku": calcudoku,
    "fillomino": fillomino,
    "futoshiki": futoshiki,
    "galaxies": galaxies,
    "hashi": hashi,
    "heyawake": heyawake,
    "hidato": hidato,
    "hitori": hitori,
    "kakuro": kakuro,
    "killer-sudoku": killer_sudoku,
    "kuromasu": kuromasu,
    "lits": lits,
    "magnets": magnets,
    "masyu": masyu,
    "minesweeper": minesweeper,
    "mosaic": mosaic,
    "nonogram": nonogram,
    "norinori": norinori,
    "numberlink": numberlink,
    "nurikabe": nurikabe,
    "ripple-effect": ripple_effect,
    "shikaku": shikaku,
    "skyscrapers": skyscrapers,
    "slant": slant,
    "slitherlink": slitherlink,
    "star-battle": star_battle,
    "straights": straights,
    "suguru": suguru,
    "tents": tents,
    "yajilin": yajilin,
    "yin-yang": yin_yang,
}


def plain_answer(puzzle: GridPuzzle, placements: Sequence[Mark]) -> frozenset[Any]:
    """An answer as the plain search returns it: cells, pairs of cells and values, or lines; of
    several layers, each with its name."""
    answer = Answer(placements)
    parts: list[tuple[str, Any]] = []
    for layer in puzzle.layers:
        match layer:
            case Values():
                parts += [(layer.noun, item) for item in answer[layer].items()]
            case Lines() if layer.most > 1:
                parts += [(layer.noun, item) for item in answer[layer].items()]
            case Shading() | Lines():
                parts += [(layer.noun, place) for place in answer[layer]]
    if len(puzzle.layers) == 1:
        return frozenset(item for _, item in parts)
    return frozenset(parts)
