"""Random puzzles of all families, so small that every set of placements can be tried."""

from __future__ import annotations

import random
from collections.abc import Collection, Iterator
from itertools import islice
from typing import Any

from jigsat import InputError, Puzzle, instance
from jigsat.symmetry import Placement

MAX_SETS = 3000  # sets of placements that are tried, by the family's own check


def crossword(rng: random.Random) -> dict[str, Any]:
    words = rng.sample(["AA", "AB", "BA", "BB", "AC"], rng.randint(2, 5))
    grid = [list("..") for _ in range(2)]
    grid[rng.randrange(2)][rng.randrange(2)] = rng.choice("..#A")
    return {"grid": ["".join(row) for row in grid], "words": words, "repeats": rng.random() < 0.7}


def edge_matching(rng: random.Random) -> dict[str, Any]:
    columns = rng.choice([2, 2, 3])
    tiles = {
        f"t{i}": [rng.choice("ab") for _ in range(4)]
        for i in range(columns + rng.randint(0, 4 - columns))
    }
    return {"board": f"square 1x{columns}", "tiles": tiles}


def exact_cover(rng: random.Random) -> dict[str, Any]:
    items = "abcd"[: rng.randint(2, 4)]
    options = {
        " ".join(rng.sample(items, rng.randint(1, len(items)))) for _ in range(rng.randint(3, 9))
    }
    used = "".join(options)
    return {
        "items": " ".join(item for item in items if item in used),
        "options": "\n".join(sorted(options)),
    }


def interlocking(rng: random.Random) -> dict[str, Any]:
    rims = ["".join(rng.choice("..#") for _ in range(8)) for _ in range(rng.randint(2, 3))]
    pieces = {
        f"p{i}": " ".join(rim[j : j + 2] for j in range(0, 8, 2)) for i, rim in enumerate(rims)
    }
    return {
        "board": "square 1x2",
        "pieces": pieces,
        "holes": "allowed",
        "turning_over": rng.random() < 0.5,
    }


def latin(rng: random.Random) -> dict[str, Any]:
    rows = [list("123"[i:] + "123"[:i]) for i in rng.sample(range(3), 3)]
    return {"grid": blank(rng, rows, 5)}


def lights_out(rng: random.Random) -> dict[str, Any]:
    rows, columns = rng.choice([(1, 3), (2, 2), (2, 3), (3, 3)])
    lit = ["".join(rng.choice(".#") for _ in range(columns)) for _ in range(rows)]
    return {"board": f"{rng.choice(['square', 'torus'])} {rows}x{columns}", "lit": "\n".join(lit)}


def seating(rng: random.Random) -> dict[str, Any]:
    guests = list("ABCD"[: rng.randint(2, 4)])
    must = [
        {"beside" if rng.random() < 0.5 else "apart": rng.sample(guests, 2)}
        for _ in range(rng.randint(0, 1))
    ]
    return {"tables": [f"{rng.choice(['round', 'long'])} 4"], "guests": guests, "must": must}


def sudoku(rng: random.Random) -> dict[str, Any]:
    digits = rng.sample("1234", 4)
    rows = [[digits["1234".index(x)] for x in row] for row in ("1234", "3412", "2143", "4321")]
    return {"grid": blank(rng, rows, 5)}


def tiling(rng: random.Random) -> dict[str, Any]:
    shapes = rng.sample(["#", "##", "###", "##\n#.", "##\n##"], rng.randint(1, 3))
    rows, columns = rng.choice([(1, 4), (2, 2), (2, 3), (2, 4)])
    pieces = {
        f"p{i}": {"shape": shape, "uses": [0, rng.randint(1, 4)]} for i, shape in enumerate(shapes)
    }
    return {"board": "\n".join(["#" * columns] * rows), "pieces": pieces}


def blank(rng: random.Random, rows: list[list[str]], number: int) -> str:
    """A grid with this number of blank cells; sometimes one of the givens is wrong."""
    cells = [(r, c) for r in range(len(rows)) for c in range(len(rows))]
    for r, c in rng.sample(cells, number):
        rows[r][c] = "."
    if rng.random() < 0.2:
        r, c = rng.choice(cells)
        rows[r][c] = rng.choice("123.")
    return "\n".join("".join(row) for row in rows)


FAMILIES = [
    crossword,
    edge_matching,
    exact_cover,
    interlocking,
    latin,
    lights_out,
    seating,
    sudoku,
    tiling,
]


def random_puzzle(rng: random.Random, family: Any) -> tuple[Puzzle, list[frozenset[Placement]]]:
    """A puzzle of a family, and its solutions: the sets of placements that its check accepts."""
    while True:
        try:
            puzzle = instance.load({"family": family.__name__.replace("_", "-"), **family(rng)})
        except InputError:  # such as a wrong given
            continue
        sets = list(islice(disjoint_sets(puzzle), MAX_SETS + 1))
        if len(sets) <= MAX_SETS:
            return puzzle, [each for each in sets if not any(puzzle.check(sorted(each, key=str)))]


def disjoint_sets(puzzle: Puzzle) -> Iterator[frozenset[Placement]]:
    """All sets of placements with the givens of which no two take the same place."""
    formula = puzzle.encode()
    given = puzzle.given_placements()
    rest = [key for key in map(formula.key, formula.decisions()) if key not in given]
    yield from _choose(
        puzzle, rest, {place for each in given for place in _places(puzzle, each)}, given
    )


def _choose(
    puzzle: Puzzle, rest: Collection[Placement], taken: set[Any], chosen: list[Placement]
) -> Iterator[frozenset[Placement]]:
    free = [placement for placement in rest if not taken.intersection(_places(puzzle, placement))]
    yield frozenset(chosen)
    for at, placement in enumerate(free):
        yield from _choose(
            puzzle, free[at + 1 :], taken.union(_places(puzzle, placement)), [*chosen, placement]
        )


def _places(puzzle: Puzzle, placement: Placement) -> Collection[Any]:
    return puzzle.board_places(placement) or [placement]
