"""How often the interval of `jigsat estimate` contains the true number: python bench/coverage.py
[PUZZLE …]

The puzzles have a known number of solutions; the last one is the box of 3×4×5 with the twelve
pentominoes. An interval that is not printed, because too few probes reached a solution, counts
neither way.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterator
from itertools import islice, permutations, product

from jigsat.backends import probes
from jigsat.formula import Formula
from jigsat.instance import load
from jigsat.solving.estimates import interval

PUZZLES = (
    "cats", "queens-8", "soma", "dominoes-6x8", "tetrahexes-4x7", "latin-6", "macmahon-squares",
    "pentominoes-6x10",
    "pentominoes-4x15",
)  # fmt: skip
PENTOMINOES = (
    ".## ##. .#.", "##### ", "#. #. #. ##", ".# ## #. #.", "## ## #.", "### .#. .#.", "#.# ###",
    "#.. #.. ###", "#.. ##. .##",
    ".#. ### .#.", ".# ## .# .#", "##. .#. .##",
)  # fmt: skip
BOX, BOX_SOLUTIONS = (3, 4, 5), 31_520

Cells = frozenset[tuple[int, ...]]


def placements(drawn: str) -> Iterator[Cells]:
    """The cells of the box that a piece may cover."""
    piece = [
        (r, c, 0) for r, row in enumerate(drawn.split()) for c, x in enumerate(row) if x == "#"
    ]
    for axes, signs in product(permutations(range(3)), product((1, -1), repeat=3)):
        turned = [
            tuple(sign * cell[axis] for axis, sign in zip(axes, signs, strict=True))
            for cell in piece
        ]
        least = [min(numbers) for numbers in zip(*turned, strict=True)]
        sizes = [
            max(numbers) - low + 1
            for numbers, low in zip(zip(*turned, strict=True), least, strict=True)
        ]
        for shift in product(
            *(range(size - width + 1) for size, width in zip(BOX, sizes, strict=True))
        ):
            yield frozenset(
                tuple(x - low + by for x, low, by in zip(cell, least, shift, strict=True))
                for cell in turned
            )


def pentomino_box() -> Formula:
    """Each cell is covered once, and each piece is used once. Flat pieces may be turned over, so
    mirror images add none."""
    formula = Formula()
    covering: dict[tuple[int, ...], list[int]] = {}
    for drawn in PENTOMINOES:
        places = sorted(set(placements(drawn)), key=sorted)
        used = formula.variables(drawn, {"place": range(len(places))})
        formula.exactly_one(used[:])
        for number, cells in enumerate(places):
            for cell in cells:
                covering.setdefault(cell, []).append(used(number))
    for literals in covering.values():
        formula.exactly_one(literals)
    return formula


def main() -> None:
    """Print a row of a table for each puzzle and number of probes."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument(
        "names", nargs="*", metavar="PUZZLE", help="some of the puzzles (default: all)"
    )
    parser.add_argument(
        "--seeds", type=int, default=1000, help="the number of estimates (default: 1000)"
    )
    parser.add_argument(
        "--probes", type=int, default=10_000, help="the number of probes of each (default: 10,000)"
    )
    arguments = parser.parse_args()
    known = {
        puzzle.name: (puzzle.encode(), puzzle.known.solutions or 0) for puzzle in map(load, PUZZLES)
    }
    known["pentomino-box"] = pentomino_box(), BOX_SOLUTIONS
    for name in arguments.names or known:
        formula, truth = known[name]
        found, paths = (
            Counter[str](),
            probes(formula, 0),
        )  # later paths are independent of those before
        for _ in range(arguments.seeds):
            values = [solutions for _, solutions in islice(paths, arguments.probes)]
            limits = interval(values, sum(map(bool, values)))
            if limits.low is None or limits.high is None:
                found["no interval"] += 1
            else:
                found["contained" if limits.low <= truth <= limits.high else "missed"] += 1
        print(f"{name:20} {dict(found.most_common())}", flush=True)


if __name__ == "__main__":
    main()
