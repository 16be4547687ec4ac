"""Puzzles on a grid solved by plain search, from the entries of their files and without jigsat.

Each function reads the drawn rows by itself and returns all answers. They are written from the
rules, for small grids.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from fractions import Fraction
from itertools import chain, combinations, pairwise, permutations, product
from typing import Any

Cell = tuple[int, int]
Answer = frozenset[Any]


def drawn(text: str) -> dict[Cell, str]:
    rows = [
        line.split() if " " in text.strip() else list(line) for line in text.split("\n") if line
    ]
    return {(r, c): word for r, row in enumerate(rows) for c, word in enumerate(row)}


def subsets(cells: list[Cell]) -> Iterator[frozenset[Cell]]:
    for picked in chain.from_iterable(combinations(cells, n) for n in range(len(cells) + 1)):
        yield frozenset(picked)


def ray(cell: Cell, step: Cell, inside: Mapping[Cell, str], stop: set[Cell]) -> list[Cell]:
    seen = []
    r, c = cell[0] + step[0], cell[1] + step[1]
    while (r, c) in inside and (r, c) not in stop:
        seen.append((r, c))
        r, c = r + step[0], c + step[1]
    return seen


STEPS = [(0, 1), (1, 0), (0, -1), (-1, 0)]


def nonogram(entries: Mapping[str, Any]) -> set[Answer]:
    rows, columns = entries["lengths"]["rows"], entries["lengths"]["columns"]

    def fits(line: tuple[int, ...], word: str) -> bool:
        lengths = [len(part) for part in "".join(map(str, line)).split("0") if part]
        return word == "?" or lengths == [int(n) for n in word.split() if n != "0"]

    possible = [
        [line for line in product((0, 1), repeat=len(columns)) if fits(line, word)] for word in rows
    ]
    answers = set()
    for grid in product(*possible):
        if all(
            fits(column, word)
            for column, word in zip(zip(*grid, strict=True), columns, strict=True)
        ):
            answers.add(
                frozenset((r, c) for r, row in enumerate(grid) for c, on in enumerate(row) if on)
            )
    return answers


def akari(entries: Mapping[str, Any]) -> set[Answer]:
    words = drawn(entries["cells"])
    black = {cell for cell, word in words.items() if word != "."}
    white = [cell for cell in words if cell not in black]
    sees = {x: {y for step in STEPS for y in ray(x, step, words, black)} for x in white}
    answers = set()

    def extend(index: int, lamps: list[Cell]) -> None:
        if index < len(white):
            extend(index + 1, lamps)
            if sees[white[index]].isdisjoint(lamps):
                extend(index + 1, [*lamps, white[index]])
            return
        lit = set(lamps).union(*(sees[x] for x in lamps))
        counts = {(r, c): sum((r + a, c + b) in lamps for a, b in STEPS) for r, c in black}
        if lit >= set(white) and all(words[x] in ("#", str(counts[x])) for x in black):
            answers.add(frozenset(lamps))

    extend(0, [])
    return answers


def star_battle(entries: Mapping[str, Any]) -> set[Answer]:
    words = drawn(entries["rooms"])
    height, width = max(words)[0] + 1, max(words)[1] + 1
    each = entries.get("stars", 1)
    answers = set()

    def extend(row: int, stars: list[Cell]) -> None:
        if row < height:
            for columns in combinations(range(width), each):
                new = [(row, c) for c in columns]
                far = all(
                    max(abs(r - a), abs(c - b)) > 1 for r, c in new for a, b in stars
                ) and all(b - a > 1 for a, b in pairwise(columns))
                if far and all(words[x] != "." for x in new):
                    extend(row + 1, [*stars, *new])
            return
        rooms = [words[x] for x in stars]
        names = set(words.values()) - {"."}
        if all(rooms.count(name) == each for name in names) and all(
            sum(c == column for _, c in stars) == each for column in range(width)
        ):
            answers.add(frozenset(stars))

    extend(0, [])
    return answers


def skyscrapers(entries: Mapping[str, Any]) -> set[Answer]:
    words = drawn(entries["heights"])
    n = max(words)[0] + 1
    rims = {side: line.split() for side, line in entries.get("seen", {}).items()}
    answers = set()

    def seen(line: list[int]) -> int:
        return sum(all(line[j] < line[i] for j in range(i)) for i in range(len(line)))

    def agrees(side: str, i: int, line: list[int]) -> bool:
        word = rims.get(side, [])[i : i + 1]
        return word in ([], ["."], ["?"], [str(seen(line))])

    def extend(rows: list[tuple[int, ...]]) -> None:
        if len(rows) < n:
            for row in permutations(range(1, n + 1)):
                r = len(rows)
                given = all(words[r, c] in (".", "?", str(row[c])) for c in range(n))
                new = all(row[c] != other[c] for other in rows for c in range(n))
                if given and new and agrees("left", r, [*row]) and agrees("right", r, [*row[::-1]]):
                    extend([*rows, row])
            return
        for c in range(n):
            column = [row[c] for row in rows]
            if not agrees("top", c, column) or not agrees("bottom", c, column[::-1]):
                return
        answers.add(frozenset(((r, c), rows[r][c]) for r in range(n) for c in range(n)))

    extend([])
    return answers


def shikaku(entries: Mapping[str, Any]) -> set[Answer]:
    words = drawn(entries["numbers"])
    answers = set()

    def extend(free: set[Cell], rooms: list[set[Cell]]) -> None:
        if not free:
            walls = set()
            for r, c in words:
                for below, right in ((r + 1, c), (r, c + 1)):
                    if (below, right) in words and not any(
                        {(r, c), (below, right)} <= room for room in rooms
                    ):
                        end = (r + 1, c + 1)
                        walls.add((((below, c) if below > r else (r, right)), end))
            answers.add(frozenset(walls))
            return
        r, c = min(free)
        for height, width in product(range(1, 9), repeat=2):
            room = {(r + i, c + j) for i in range(height) for j in range(width)}
            numbers = [words[x] for x in room & words.keys() if words[x] != "."]
            if room <= free and len(numbers) == 1 and numbers[0] in ("?", str(len(room))):
                extend(free - room, [*rooms, room])

    extend(set(words), [])
    return answers


def kakuro(entries: Mapping[str, Any]) -> set[Answer]:
    words = drawn(entries["sums"])
    white = sorted(x for x in words if words[x] == ".")
    runs = []
    for (r, c), word in words.items():
        if word != ".":
            for step, total in zip(((1, 0), (0, 1)), word.split("\\"), strict=True):
                cells = ray((r, c), step, words, set(words) - set(white))
                runs.append((cells, total))
    answers = set()

    def extend(index: int, digits: dict[Cell, int]) -> None:
        if index == len(white):
            answers.add(frozenset(((r - 1, c - 1), n) for (r, c), n in digits.items()))
            return
        for digit in range(1, 10):
            now = {**digits, white[index]: digit}
            if all(
                fits([now[x] for x in cells if x in now], len(cells), total)
                for cells, total in runs
                if white[index] in cells
            ):
                extend(index + 1, now)

    def fits(values: list[int], length: int, total: str) -> bool:
        if len(set(values)) < len(values):
            return False
        missing = length - len(values)
        return total == "" or missing <= int(total) - sum(values) <= 9 * missing

    extend(0, {})
    return answers


def loops(height: int, width: int) -> Iterator[frozenset[tuple[Cell, Cell]]]:
    """Every loop along the lines of a grid of this many squares, as the border of its inside."""
    squares = list(product(range(height), range(width)))
    for inside in subsets(squares):
        sides: set[tuple[Cell, Cell]] = set()
        for r, c in inside:
            sides.symmetric_difference_update(square(r, c))
        ends = [end for side in sides for end in side]
        if sides and all(ends.count(end) == 2 for end in ends) and joined(set(ends), sides):
            yield frozenset(sides)


def square(r: int, c: int) -> set[tuple[Cell, Cell]]:
    """The sides of a square, from corner to corner."""
    return {
        ((r, c), (r, c + 1)),
        ((r + 1, c), (r + 1, c + 1)),
        ((r, c), (r + 1, c)),
        ((r, c + 1), (r + 1, c + 1)),
    }


def joined(nodes: set[Cell], pairs: set[tuple[Cell, Cell]]) -> bool:
    """Whether the pairs join all nodes."""
    reached = set(list(nodes)[:1])
    while True:
        more = {x for pair in pairs for x in pair if reached.intersection(pair)} - reached
        if not more:
            return reached == nodes
        reached |= more


def touching(cells: set[Cell] | frozenset[Cell]) -> set[tuple[Cell, Cell]]:
    """The pairs of cells that are side by side."""
    return {
        ((r, c), other) for r, c in cells for other in ((r + 1, c), (r, c + 1)) if other in cells
    }


def slitherlink(entries: Mapping[str, Any]) -> set[Answer]:
    words = drawn(entries["numbers"])
    height, width = max(words)[0] + 1, max(words)[1] + 1
    answers = set()
    for loop in loops(height, width):
        counts = {x: len(loop & square(*x)) for x in words}
        if all(words[x] in (".", "?", str(counts[x])) for x in words):
            answers.add(loop)
    return answers


def masyu(entries: Mapping[str, Any]) -> set[Answer]:
    words = drawn(entries["pearls"])
    answers = set()
    for loop in loops(max(words)[0], max(words)[1]):
        beside: dict[Cell, list[Cell]] = {}
        for one, other in loop:
            beside.setdefault(one, []).append(other)
            beside.setdefault(other, []).append(one)
        bent = {x: one[0] != other[0] and one[1] != other[1] for x, (one, other) in beside.items()}

        def fits(cell: Cell, bent: dict[Cell, bool], beside: dict[Cell, list[Cell]]) -> bool:
            if words[cell] == ".":
                return True
            if cell not in bent:
                return False
            near = [bent[other] for other in beside[cell]]
            return (
                not bent[cell] and any(near) if words[cell] == "w" else bent[cell] and not any(near)
            )

        if all(fits(x, bent, beside) for x in words):
            answers.add(loop)
    return answers


def hitori(entries: Mapping[str, Any]) -> set[Answer]:
    words = drawn(entries["numbers"])
    answers = set()
    for shaded in subsets(list(words)):
        left = set(words) - shaded
        twice = any(
            words[x] == words[y] and (x[0] == y[0] or x[1] == y[1])
            for x, y in combinations(sorted(left), 2)
        )
        if not twice and not touching(shaded) and joined(left, touching(left)):
            answers.add(shaded)
    return answers


def nurikabe(entries: Mapping[str, Any]) -> set[Answer]:
    words = drawn(entries["numbers"])
    blank = [x for x in words if words[x] == "."]
    answers = set()
    for sea in subsets(blank):
        left = set(words) - sea
        block = any({(r, c + 1), (r + 1, c), (r + 1, c + 1)} <= sea for r, c in sea)
        if block or not joined(set(sea), touching(sea)):
            continue
        rooms = []
        while left:
            room = {left.pop()}
            while (
                more := {x for pair in touching(room | left) if room & set(pair) for x in pair}
                - room
            ):
                room |= more
                left -= more
            rooms.append(room)
        numbers = [([words[x] for x in room if words[x] != "."], len(room)) for room in rooms]
        if all(len(given) == 1 and given[0] in ("?", str(size)) for given, size in numbers):
            answers.add(sea)
    return answers


def yajilin(entries: Mapping[str, Any]) -> set[Answer]:
    words = drawn(entries["arrows"])
    free = {x for x in words if words[x] == "."}
    steps = {"^": (-1, 0), "v": (1, 0), "<": (0, -1), ">": (0, 1)}
    answers = set()
    for loop in loops(max(words)[0], max(words)[1]):
        passed = {x for pair in loop for x in pair}
        shaded = free - passed
        if not passed <= free or touching(shaded):
            continue
        arrows = set(words) - free
        seen = {x: len(shaded & set(ray(x, steps[words[x][-1]], words, set()))) for x in arrows}
        if all(words[x][:-1] in ("?", str(seen[x])) for x in arrows):
            answers.add(frozenset([("shaded", x) for x in shaded] + [("loop", x) for x in loop]))
    return answers


def fillomino(entries: Mapping[str, Any]) -> set[Answer]:
    """Polyominoes are placed at the first empty cell; equal ones must not touch."""
    words = drawn(entries["numbers"])
    answers = set()

    def extend(number: dict[Cell, int]) -> None:
        free = set(words) - set(number)
        if not free:
            answers.add(frozenset(number.items()))
            return
        for room in polyominoes(min(free), free):
            size = len(room)
            beside = {(r + a, c + b) for r, c in room for a, b in STEPS} - room
            given = all(words[x] in (".", "?", str(size)) for x in room)
            if given and all(number.get(x) != size for x in beside):
                extend({**number, **dict.fromkeys(room, size)})

    extend({})
    return answers


def polyominoes(start: Cell, free: set[Cell]) -> set[frozenset[Cell]]:
    """All connected sets of free cells with this one."""
    every = {frozenset([start])}
    new = every
    while new:
        new = {
            room | {(r + a, c + b)}
            for room in new
            for r, c in room
            for a, b in STEPS
            if (r + a, c + b) in free - room
        }
        every = every | new
    return every


def slant(entries: Mapping[str, Any]) -> set[Answer]:
    words = drawn(entries["numbers"])
    cells = list(product(range(max(words)[0]), range(max(words)[1])))
    answers = set()
    for falls in product((True, False), repeat=len(cells)):
        lines = [
            ((r, c), (r + 1, c + 1)) if fall else ((r, c + 1), (r + 1, c))
            for (r, c), fall in zip(cells, falls, strict=True)
        ]
        ends = [end for line in lines for end in line]
        fits = all(words[x] in (".", "?", str(ends.count(x))) for x in words)
        if fits and not encloses(lines):
            answers.add(frozenset(lines))
    return answers


def encloses(lines: list[tuple[Cell, Cell]]) -> bool:
    """Whether something is left when lines with a loose end are taken away again and again."""
    while True:
        ends = [end for line in lines for end in line]
        left = [line for line in lines if min(map(ends.count, line)) > 1]
        if len(left) == len(lines):
            return bool(lines)
        lines = left


def fill(
    cells: list[Any], values: Iterable[Any], fits: Callable[[dict[Any, Any], Any], bool]
) -> Iterator[dict[Any, Any]]:
    """All ways to write values into cells, one after the other; each must fit those before."""

    def extend(grid: dict[Cell, Any]) -> Iterator[dict[Cell, Any]]:
        if len(grid) == len(cells):
            yield dict(grid)
            return
        cell = cells[len(grid)]
        for value in values:
            grid[cell] = value
            if fits(grid, cell):
                yield from extend(grid)
            del grid[cell]

    return extend({})


def around(cell: Cell) -> set[Cell]:
    r, c = cell
    return {(r + a, c + b) for a in (-1, 0, 1) for b in (-1, 0, 1)}


def can_have_ones(
    grid: Mapping[Cell, int], near: set[Cell], number: int, inside: Collection[Cell]
) -> bool:
    """Whether exactly `number` of these cells can still be 1."""
    ones = sum(grid.get(x, 0) for x in near)
    free = sum(x in inside and x not in grid for x in near)
    return ones <= number <= ones + free


def mosaic(entries: Mapping[str, Any]) -> set[Answer]:
    words = drawn(entries["numbers"])
    given = {x: int(word) for x, word in words.items() if word not in ".?"}

    def fits(grid: dict[Cell, int], cell: Cell) -> bool:
        return all(
            can_have_ones(grid, around(x), given[x], words) for x in around(cell) if x in given
        )

    return {frozenset(x for x in g if g[x]) for g in fill(sorted(words), (0, 1), fits)}


def minesweeper(entries: Mapping[str, Any]) -> set[Answer]:
    words = drawn(entries["numbers"])
    given = {x: int(word) for x, word in words.items() if word not in ".?"}

    def fits(grid: dict[Cell, int], cell: Cell) -> bool:
        if grid[cell] and words[cell] != ".":
            return False
        return all(
            can_have_ones(grid, around(x) - {x}, given[x], words)
            for x in around(cell)
            if x in given
        )

    found = {frozenset(x for x in g if g[x]) for g in fill(sorted(words), (0, 1), fits)}
    number = entries.get("mines")
    return {mines for mines in found if number in (None, len(mines))}


def binairo(entries: Mapping[str, Any]) -> set[Answer]:
    words = drawn(entries["given"])
    height, width = max(words)[0] + 1, max(words)[1] + 1

    def lines(size: int) -> list[tuple[int, ...]]:
        every = [x for x in product((0, 1), repeat=size) if 2 * sum(x) == size]
        return [x for x in every if all(0 < sum(x[i : i + 3]) < 3 for i in range(size - 2))]

    rows, columns = lines(width), set(lines(height))
    answers = set()

    def extend(grid: list[tuple[int, ...]]) -> None:
        if len(grid) == height:
            turned = list(zip(*grid, strict=True))
            equal = len(set(grid)) < height or len(set(turned)) < width
            if columns >= set(turned) and not (equal and entries.get("distinct", True)):
                cells = product(range(height), range(width))
                answers.add(frozenset(((r, c), grid[r][c]) for r, c in cells))
            return
        for row in rows:
            if all(words[len(grid), c] in (".", str(digit)) for c, digit in enumerate(row)):
                extend([*grid, row])

    extend([])
    return answers


def yin_yang(entries: Mapping[str, Any]) -> set[Answer]:
    words = drawn(entries["circles"])

    def fits(grid: dict[Cell, str], cell: Cell) -> bool:
        r, c = cell
        block = {grid.get(x) for x in [(r, c), (r - 1, c), (r, c - 1), (r - 1, c - 1)]}
        return words[cell] in (".", grid[cell]) and (len(block) > 1 or None in block)

    answers = set()
    for grid in fill(sorted(words), "wb", fits):
        black = {x for x in grid if grid[x] == "b"}
        white = set(grid) - black
        if joined(set(black), touching(black)) and joined(set(white), touching(white)):
            answers.add(frozenset(black))
    return answers


def lonely(words: Mapping[Cell, str], may: Callable[[Cell], bool]) -> Iterator[set[Cell]]:
    """All sets of cells of which no two are side by side and which cut off no other cell."""

    def fits(grid: dict[Cell, int], cell: Cell) -> bool:
        r, c = cell
        beside = grid.get((r - 1, c)) or grid.get((r, c - 1))
        return not grid[cell] or (may(cell) and not beside)

    for grid in fill(sorted(words), (0, 1), fits):
        white = {x for x in grid if not grid[x]}
        if joined(set(white), touching(white)):
            yield set(grid) - white


def kuromasu(entries: Mapping[str, Any]) -> set[Answer]:
    words = drawn(entries["numbers"])
    answers = set()
    for shaded in lonely(words, lambda cell: words[cell] == "."):
        given = [x for x in words if words[x] not in ".?"]
        seen = {x: 1 + sum(len(ray(x, step, words, shaded)) for step in STEPS) for x in given}
        if all(words[x] == str(seen[x]) for x in given):
            answers.add(frozenset(shaded))
    return answers


def heyawake(entries: Mapping[str, Any]) -> set[Answer]:
    rooms = entries["rooms"]
    table = rooms if isinstance(rooms, dict) else {"cells": rooms}
    names = drawn(table["cells"])
    numbers = table.get("numbers", {})
    answers = set()
    for shaded in lonely(names, lambda cell: True):
        inside = {name: sum(names[x] == name for x in shaded) for name in numbers}
        wrong = any(number not in ("?", inside[name]) for name, number in numbers.items())
        long = any(
            sum(names[a] != names[b] for a, b in pairwise([x, *ray(x, step, names, shaded)])) > 1
            for x in set(names) - shaded
            for step in STEPS
        )
        if not wrong and not long:
            answers.add(frozenset(shaded))
    return answers


def latin(size: int) -> Iterator[dict[Cell, int]]:
    """All squares with each number once in each row and column."""

    def fits(grid: dict[Cell, int], cell: Cell) -> bool:
        r, c = cell
        number = grid[cell]
        return all(grid[r, k] != number for k in range(c)) and all(
            grid[i, c] != number for i in range(r)
        )

    return fill(list(product(range(size), repeat=2)), range(1, size + 1), fits)


def futoshiki(entries: Mapping[str, Any]) -> set[Answer]:
    words, signs = drawn(entries["given"]), drawn(entries["signs"])
    answers = set()
    for grid in latin(max(words)[0] + 1):
        wrong = any(words[x] not in (".", str(grid[x])) for x in words)
        for (r, c), sign in signs.items():
            if sign != ".":
                first = grid[r // 2, c // 2]
                second = grid[(r + 1) // 2, (c + 1) // 2]
                wrong |= (first < second) != (sign in "<^")
        if not wrong:
            answers.add(frozenset(grid.items()))
    return answers


def list_cages(entry: Any) -> list[tuple[list[Cell], str]]:
    """The cells of each cage with what is written in it."""
    table = entry if isinstance(entry, dict) else {"cells": entry}
    names = drawn(table["cells"])
    numbers = table.get("numbers", {})
    return [
        ([x for x in names if names[x] == name], str(numbers.get(name, "")))
        for name in sorted(set(names.values()) - {"."})
    ]


def measure_cages(entry: Any) -> int:
    """The number of rows of a square with cages."""
    drawing = entry["cells"] if isinstance(entry, dict) else entry
    return max(drawn(drawing))[0] + 1


def list_boxes(entries: Mapping[str, Any], size: int) -> list[list[Cell]]:
    """The cells of each box: as drawn, or rectangles that are as near to squares as possible."""
    high = 1
    for number in range(1, size):
        if number * number <= size and size % number == 0:
            high = number
    words = drawn(entries["boxes"]) if "boxes" in entries else {}
    boxes: dict[Any, list[Cell]] = {}
    for r, c in product(range(size), repeat=2):
        box = words.get((r, c), (r // high, c // (size // high)))
        boxes.setdefault(box, []).append((r, c))
    return [cells for name, cells in boxes.items() if name != "."]


def killer_sudoku(entries: Mapping[str, Any]) -> set[Answer]:
    cages = list_cages(entries["cages"])
    size = measure_cages(entries["cages"])
    houses = list_boxes(entries, size)
    if entries.get("distinct", True):
        houses += [cells for cells, _ in cages]
    answers = set()
    for grid in latin(size):
        twice = any(len({grid[x] for x in house}) < len(house) for house in houses)
        sums = all(word in ("", "?", str(sum(grid[x] for x in cells))) for cells, word in cages)
        if sums and not twice:
            answers.add(frozenset(grid.items()))
    return answers


def calcudoku(entries: Mapping[str, Any]) -> set[Answer]:
    cages = list_cages(entries["cages"])
    size = measure_cages(entries["cages"])

    def fits(numbers: list[int], word: str) -> bool:
        number, signs = word.rstrip("+-x/"), word[-1:] if word[-1:] in list("+-x/") else "+-x/"
        for sign in signs:
            for first, *others in permutations(numbers):
                result = Fraction(first)
                for other in others:
                    result = {
                        "+": result + other,
                        "-": result - other,
                        "x": result * other,
                        "/": result / other,
                    }[sign]
                if result == int(result) >= 0 and number in ("?", str(int(result))):
                    return True
        return False

    answers = set()
    for grid in latin(size):
        if all(word in ("", "?") or fits([grid[x] for x in cells], word) for cells, word in cages):
            answers.add(frozenset(grid.items()))
    return answers


def list_rooms(words: Mapping[Cell, str]) -> dict[str, list[Cell]]:
    rooms: dict[str, list[Cell]] = {}
    for cell, name in words.items():
        if name != ".":
            rooms.setdefault(name, []).append(cell)
    return rooms


def norinori(entries: Mapping[str, Any]) -> set[Answer]:
    rooms = list(list_rooms(drawn(entries["rooms"])).values())
    answers = set()
    for picked in product(*(combinations(room, 2) for room in rooms)):
        shaded = set(chain(*picked))
        if all(len(shaded & beside(cell)) == 1 for cell in shaded):
            answers.add(frozenset(shaded))
    return answers


def beside(cell: Cell) -> set[Cell]:
    return {(cell[0] + r, cell[1] + c) for r, c in STEPS}


def lits(entries: Mapping[str, Any]) -> set[Answer]:
    possible = []
    for room in list_rooms(drawn(entries["rooms"])).values():
        fours = map(set, combinations(room, 4))
        possible.append([piece for piece in fours if joined(piece, touching(piece))])
    answers = set()
    for pieces in product(*possible):
        shaded = set().union(*pieces)
        if not joined(shaded, touching(shaded)):
            continue
        if any({(r, c), (r, c + 1), (r + 1, c), (r + 1, c + 1)} <= shaded for r, c in shaded):
            continue
        shapes = [distances(piece) for piece in pieces]
        if not any(
            shapes[i] == shapes[k] and any(beside(cell) & pieces[k] for cell in pieces[i])
            for i, k in combinations(range(len(pieces)), 2)
        ):
            answers.add(frozenset(shaded))
    return answers


def distances(piece: set[Cell]) -> list[int]:
    """The squares of the distances between the cells, which tell the five shapes apart."""
    return sorted((a - b) ** 2 + (c - d) ** 2 for (a, c), (b, d) in combinations(piece, 2))


def number_rooms(
    entries: Mapping[str, Any], near: Callable[[Cell, Cell, int], bool]
) -> set[Answer]:
    """Rooms with the numbers up to their size; equal ones may not be near."""
    given = drawn(entries["given"])
    rooms = list(list_rooms(drawn(entries["rooms"])).values())
    answers = set()

    def extend(index: int, number: dict[Cell, int]) -> None:
        if index == len(rooms):
            answers.add(frozenset(number.items()))
            return
        for values in permutations(range(1, len(rooms[index]) + 1)):
            new = dict(zip(rooms[index], values, strict=True))
            fits = all(given[cell] in (".", "?", str(value)) for cell, value in new.items())
            both = number | new
            if fits and not any(
                value == both[other] and other != cell and near(cell, other, value)
                for cell, value in new.items()
                for other in both
            ):
                extend(index + 1, both)

    extend(0, {})
    return answers


def suguru(entries: Mapping[str, Any]) -> set[Answer]:
    return number_rooms(
        entries, lambda one, two, _: max(abs(one[0] - two[0]), abs(one[1] - two[1])) == 1
    )


def ripple_effect(entries: Mapping[str, Any]) -> set[Answer]:
    def near(one: Cell, two: Cell, value: int) -> bool:
        down, right = abs(one[0] - two[0]), abs(one[1] - two[1])
        return 0 in (down, right) and down + right <= value

    return number_rooms(entries, near)


def hidato(entries: Mapping[str, Any]) -> set[Answer]:
    given = drawn(entries["given"])
    answers = set()

    def walk(path: list[Cell]) -> None:
        if len(path) == len(given):
            answers.add(frozenset((cell, i) for i, cell in enumerate(path, 1)))
            return
        written = [cell for cell in given if given[cell] == str(len(path) + 1)]
        for cell in written or [cell for cell in given if given[cell] in ".?"]:
            near = not path or cell in around(path[-1])
            if near and cell not in path:
                walk([*path, cell])

    walk([])
    return answers


def straights(entries: Mapping[str, Any]) -> set[Answer]:
    words = drawn(entries["cells"])
    given = drawn(entries["given"])
    size = max(words)[0] + 1
    white = [cell for cell in words if words[cell] == "."]
    black = {cell: int(word) for cell, word in words.items() if word.isdecimal()}
    answers = set()

    def extend(index: int, number: dict[Cell, int]) -> None:
        if index == len(white):
            if all(is_straight(line, number) for line in cross_lines(size)):
                answers.add(frozenset(number.items()))
            return
        cell = white[index]
        others = black | number
        taken = {others[x] for x in others if x[0] == cell[0] or x[1] == cell[1]}
        for value in range(1, size + 1):
            if value not in taken and given[cell] in (".", "?", str(value)):
                extend(index + 1, {**number, cell: value})

    extend(0, {})
    return answers


def cross_lines(size: int) -> list[list[Cell]]:
    lines = [[(i, k) for k in range(size)] for i in range(size)]
    return lines + [[(k, i) for k in range(size)] for i in range(size)]


def is_straight(line: list[Cell], number: Mapping[Cell, int]) -> bool:
    text = " ".join(str(number.get(cell, "|")) for cell in line)
    for run in text.split("|"):
        values = sorted(map(int, run.split()))
        if values and values != list(range(values[0], values[0] + len(values))):
            return False
    return True


def totals_fit(entry: Mapping[str, str], cells: Collection[Cell]) -> bool:
    """Whether columns and rows have as many cells as the table says."""
    for side, axis in (("top", 1), ("left", 0)):
        for i, word in enumerate(entry.get(side, "").split()):
            if word not in (".", "?", str(sum(cell[axis] == i for cell in cells))):
                return False
    return True


def aquarium(entries: Mapping[str, Any]) -> set[Answer]:
    tanks = list(list_rooms(drawn(entries["tanks"])).values())
    levels = [
        {frozenset(cell for cell in tank if cell[0] >= row) for row in range(9)} for tank in tanks
    ]
    answers = set()
    for picked in product(*levels):
        filled = frozenset(chain(*picked))
        if totals_fit(entries.get("filled_cells", {}), filled):
            answers.add(filled)
    return answers


def tents(entries: Mapping[str, Any]) -> set[Answer]:
    words = drawn(entries["trees"])
    trees = [cell for cell in words if words[cell] == "t"]
    free = [[cell for cell in beside(tree) if words.get(cell) == "."] for tree in trees]
    answers = set()
    for picked in product(*free):
        cells = set(picked)
        apart = all(around(cell).isdisjoint(cells - {cell}) for cell in cells)
        if len(cells) == len(trees) and apart and totals_fit(entries.get("numbers", {}), cells):
            answers.add(frozenset(cells))
    return answers


def galaxies(entries: Mapping[str, Any]) -> set[Answer]:
    """Every cell gets a centre; turned about it, it comes to a cell that has the same one."""
    words = drawn(entries["centres"])
    centres = [place for place in words if words[place] != "."]
    cells = [(r // 2, c // 2) for r, c in words if r % 2 == c % 2 == 0]
    owners = {(r, c): [x for x in centres if x in around((2 * r, 2 * c))] for r, c in cells}

    def turn(cell: Cell, centre: Cell) -> Cell:
        return (centre[0] - cell[0], centre[1] - cell[1])

    def fits(grid: dict[Cell, Cell], cell: Cell) -> bool:
        if owners[cell] not in ([], [grid[cell]]) or turn(cell, grid[cell]) not in cells:
            return False
        return all(grid.get(turn(x, centre), centre) == centre for x, centre in grid.items())

    answers = set()
    for grid in fill(cells, centres, fits):
        groups = [{x for x in cells if grid[x] == centre} for centre in centres]
        if all(joined(group, touching(group)) for group in groups):
            apart = [(x, y) for x, y in touching(set(cells)) if grid[x] != grid[y]]
            answers.add(frozenset(side for x, y in apart for side in square(*x) & square(*y)))
    return answers


def hashi(entries: Mapping[str, Any]) -> set[Answer]:
    words = drawn(entries["islands"])
    islands = [cell for cell in words if words[cell] != "."]
    pairs: dict[tuple[Cell, Cell], set[Cell]] = {}
    for island in islands:
        for r, c in ((0, 1), (1, 0)):
            between = ray(island, (r, c), words, set(islands))
            length = len(between) + 1
            end = (island[0] + length * r, island[1] + length * c)
            if end in islands:
                pairs[island, end] = set(between)

    def fits(bridges: dict[Any, int], pair: Any) -> bool:
        for end in pair:
            own = [other for other in pairs if end in other]
            total = sum(bridges.get(other, 0) for other in own)
            left = 2 * sum(other not in bridges for other in own)
            if words[end] != "?" and not total <= int(words[end]) <= total + left:
                return False
        drawn_before = [other for other in bridges if bridges[other] and other != pair]
        return not bridges[pair] or all(pairs[pair].isdisjoint(pairs[x]) for x in drawn_before)

    answers = set()
    for numbers in fill(list(pairs), (0, 1, 2), fits):
        bridges = {pair: number for pair, number in numbers.items() if number}
        lonely = [x for x in islands if words[x] != "?" and not any(x in pair for pair in pairs)]
        if joined(set(islands), set(bridges)) and all(words[x] == "0" for x in lonely):
            answers.add(frozenset(bridges.items()))
    return answers


def numberlink(entries: Mapping[str, Any]) -> set[Answer]:
    """The paths of the first number, with those of the second one in the cells that are left, and
    so on."""
    words = drawn(entries["ends"])
    numbers = sorted({word for word in words.values() if word != "."})
    ends = {number: [x for x in words if words[x] == number] for number in numbers}
    answers: set[Answer] = set()

    def extend(path: list[Cell], left: list[str], used: list[list[Cell]]) -> None:
        number, *later = left
        if path[-1] == ends[number][1]:
            finish(later, [*used, path])
            return
        for cell in beside(path[-1]):
            free = words.get(cell) == "." or cell == ends[number][1]
            if free and cell not in path and not any(cell in other for other in used):
                extend([*path, cell], left, used)

    def finish(left: list[str], used: list[list[Cell]]) -> None:
        if left:
            extend(ends[left[0]][:1], left, used)
        elif not entries.get("all_cells") or sum(map(len, used)) == len(words):
            pairs = [pair for path in used for pair in pairwise(path)]
            answers.add(frozenset((min(pair), max(pair)) for pair in pairs))

    if all(len(cells) == 2 for cells in ends.values()):
        finish(numbers, [])
    return answers


def magnets(entries: Mapping[str, Any]) -> set[Answer]:
    names = drawn(entries["plates"])
    plates = [tuple(cells) for cells in list_rooms(names).values()]
    table = entries.get("numbers", {})
    turned = {"top": table.get("bottom", ""), "left": table.get("right", "")}

    def list_poles(grid: dict[Any, str], sign: str) -> set[Cell]:
        return {x for cells, s in grid.items() for x, y in zip(cells, s, strict=True) if y == sign}

    def fits(grid: dict[Any, str], plate: Any) -> bool:
        for sign, entry in (("+", table), ("-", turned)):
            poles = list_poles(grid, sign)
            if any(beside(cell) & poles for cell in poles.intersection(plate)):
                return False
            # Only what is exceeded already is wrong.
            for side, axis in (("top", 1), ("left", 0)):
                for i, word in enumerate(entry.get(side, "").split()):
                    count = sum(cell[axis] == i for cell in poles)
                    if word.isdecimal() and count > int(word):
                        return False
        return True

    answers = set()
    for grid in fill(plates, ("  ", "+-", "-+"), fits):
        plus, minus = list_poles(grid, "+"), list_poles(grid, "-")
        if totals_fit(table, plus) and totals_fit(turned, minus):
            marks = {("plus", x) for x in plus} | {("minus", x) for x in minus}
            answers.add(frozenset(marks))
    return answers


SOLVERS: dict[str, Callable[[Mapping[str, Any]], set[Answer]]] = {
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
