"""Random hard 9×9 sudokus, one per line: python bench/sudokus.py 1000 --seed 1 > hard.txt

Each has exactly one solution, has several if any given is removed, and cannot be solved by unit
propagation on jigsat's encoding, which finds naked and hidden singles.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Iterator
from itertools import count, islice

from jigsat.encodings.sudoku.data import Digit
from jigsat.encodings.sudoku.rules import Sudoku
from pysat.solvers import Solver

from jigsat.boards.drawings import BLANK, DIGITS
from jigsat.formula import Clause, Lowered

N = 9


def sudokus(seed: int) -> Iterator[str]:
    """An endless sequence of hard sudokus."""
    rng = random.Random(seed)
    formula = Sudoku(grid=(BLANK * N,) * N).encode()
    variable = {formula.key(x): x for x in formula.decisions()}
    clauses = [
        constraint.literals for constraint in Lowered(formula) if isinstance(constraint, Clause)
    ]
    with Solver("minisat22", bootstrap_with=clauses) as solver:
        for another in count(formula.top + 1):
            diagonal_boxes = [
                variable[Digit((3 * box + i // 3, 3 * box + i % 3), value)]
                for box in range(3)
                for i, value in enumerate(rng.sample(DIGITS[:N], N))
            ]
            solver.set_phases([rng.choice((x, -x)) for x in formula.decisions()])
            solver.solve(diagonal_boxes)
            true = set(solver.get_model())
            undecided = [x for x in formula.decisions() if x in true]
            rng.shuffle(undecided)
            solver.add_clause(
                [-another, *(-x for x in undecided)]
            )  # assuming `another` excludes this solution
            givens: list[int] = []
            while undecided:
                given = undecided.pop()
                if solver.solve([another, *givens, *undecided]):
                    givens.append(given)
                else:
                    needed = set(solver.get_core())
                    undecided = [x for x in undecided if x in needed]
            solver.add_clause([-another])
            _, implied = solver.propagate(givens)
            if len(true.intersection(implied, variable.values())) < N * N:
                shown = {formula.key(x)[0]: formula.key(x)[1] for x in givens}
                yield "".join(str(shown.get((r, c), BLANK)) for r in range(N) for c in range(N))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="Print hard 9×9 sudokus, one per line.")
    parser.add_argument("number", type=int)
    parser.add_argument("--seed", type=int, default=0)
    arguments = parser.parse_args()
    for line in islice(sudokus(arguments.seed), arguments.number):
        print(line)
