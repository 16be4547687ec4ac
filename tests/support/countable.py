"""Instances that can be counted without a list, as text, and their counts by other means."""

from __future__ import annotations

from typing import NamedTuple


class Countable(NamedTuple):
    """The text of an instance, its number of solutions, and the number of distinct ones at each
    level."""

    text: str
    solutions: int
    distinct: dict[str, int]


def dominoes(rows: int, columns: int) -> str:
    board = "\n".join(["#" * columns] * rows)
    return (
        f'family = "tiling"\nuses = "any"\nboard = """\n{board}\n"""\n\n[pieces]\ndomino = "##"\n'
    )


def queens(number: int) -> str:
    """Queens on a chessboard; diagonals are secondary items."""
    each = range(number)
    lines = [f"r{row} c{column} a{row + column} b{row - column}" for row in each for column in each]
    items = " ".join([f"r{at}" for at in each] + [f"c{at}" for at in each])
    diagonals = " ".join(
        [f"a{at}" for at in range(2 * number - 1)] + [f"b{at}" for at in range(1 - number, number)]
    )
    options = "\n".join(lines)
    return (
        f'family = "exact-cover"\nitems = "{items}"\nsecondary = "{diagonals}"\noptions = '
        f'"""\n{options}\n"""\n'
    )


def latin(order: int) -> str:
    grid = "\n".join(["." * order] * order)
    return f'family = "latin"\ngrid = """\n{grid}\n"""\n'


EMPTY_6X6 = 'family = "sudoku"\nbox = "2x3"\ngrid = """\n' + "......\n" * 6 + '"""\n'

COUNTABLE = {
    "dominoes-2x3": Countable(dominoes(2, 3), 3, {"rotation": 2, "reflection": 2}),
    "dominoes-8x8": Countable(
        dominoes(8, 8), 12_988_816, {"rotation": 3_248_546, "reflection": 1_629_189}
    ),
    "dominoes-16x16": Countable(
        dominoes(16, 16),
        2_444_888_770_250_892_795_802_079_170_816,
        {"reflection": 305_611_096_281_378_760_240_051_639_364},
    ),
    "latin-5": Countable(latin(5), 161_280, {}),
    "queens-9": Countable(queens(9), 352, {}),
    "sudoku-6x6-empty": Countable(EMPTY_6X6, 28_200_960, {"all": 10_436}),
}
"""Dominoes: P. W. Kasteleyn's formula of 1961, and OEIS A099390; latin squares: OEIS A002860;
queens: OEIS A000170."""
