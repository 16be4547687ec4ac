"""Rank correlation of the difficulty of sudokus with their published grades: `bench/grades.py
FILE.csv`.

The columns of the file are those of the set that docs/difficulty.md names: sudoku, solution, number
of clues, grade. Spearman's rank correlation is printed for the order of `rate` and for the sum of
the rules beyond the first in each step, and for the grade by techniques.
"""

from __future__ import annotations

import csv
import sys
from collections.abc import Sequence
from pathlib import Path
from statistics import correlation, mean
from typing import Any

import jigsat
from jigsat.rating.difficulty import rating
from jigsat.rating.grades import find_grade

GRADE = 3  # column of the grade


def rank(values: Sequence[Any]) -> list[float]:
    """The rank of each value; equal values have the mean of their ranks."""
    ordered = sorted(values)
    places: dict[Any, list[int]] = {}
    for place, value in enumerate(ordered):
        places.setdefault(value, []).append(place)
    return [mean(places[value]) for value in values]


def main() -> None:
    """Rate and explain each sudoku, and print the correlations."""
    grades, orders, sums, techniques = [list[Any]() for _ in range(4)]
    for row in csv.reader(Path(sys.argv[1]).read_text(encoding="utf-8").splitlines()):
        puzzle = jigsat.load("sudoku-hard", grid=[row[0][i : i + 9] for i in range(0, 81, 9)])
        grades.append(float(row[GRADE]))
        orders.append(rating(puzzle).order(puzzle.known))
        sums.append(sum(len(step.rules) - 1 for step in jigsat.steps(puzzle)))
        grade = find_grade(puzzle)
        assert grade, "a sudoku has a grade"
        techniques.append(grade.number)
    for name, values in (("rate", orders), ("steps", sums), ("grade", techniques)):
        print(f"{name}: {correlation(rank(grades), rank(values)):.2f} ({len(grades)} sudokus)")


if __name__ == "__main__":
    main()
