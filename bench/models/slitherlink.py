"""A model of Slitherlink in CP-SAT, and a program in clingo, without any encoding of jigsat:

    python bench/models/slitherlink.py cp-sat FILE
    python bench/models/slitherlink.py clingo FILE

FILE is a puzzle of jigsat with at least one number that is not 0. The solution is looked for,
checked and printed as the number of its sides, and then excluded: there must be no other.

CP-SAT has a circuit through the corners, in which a corner may be left out, and works with one
thread. clingo starts at a side of the first number, and every side of the loop has to be reached.
"""

from __future__ import annotations

import sys
import tomllib
from collections import Counter
from pathlib import Path
from typing import NamedTuple

Corner = tuple[int, int]
Side = tuple[Corner, Corner]

PROGRAM = """
{ on(E) : side(E) }.
:- number(C,N), #count { E : on(E), around(C,E) } != N.

% A corner has two sides of the loop, or none.
:- corner(P), #count { E : on(E), at(E,P) } > 2.
:- corner(P), #count { E : on(E), at(E,P) } = 1.

1 { start(E) : around(C,E) } 1 :- first(C).
:- start(E), not on(E).
reached(E) :- start(E).
reached(F) :- reached(E), at(E,P), at(F,P), on(F).
:- on(E), not reached(E).
#show on/1.
"""


class Loop(NamedTuple):
    """The corners, the sides, and for each number the sides around its cell."""

    corners: list[Corner]
    sides: list[Side]
    clues: list[tuple[int, list[Side]]]


def read_puzzle(path: Path) -> Loop:
    rows = tomllib.loads(path.read_text(encoding="utf-8"))["numbers"].split()
    height = len(rows)
    width = len(rows[0])
    corners = [(row, column) for row in range(height + 1) for column in range(width + 1)]
    sides = [((r, c), (r, c + 1)) for r, c in corners if c < width]
    sides += [((r, c), (r + 1, c)) for r, c in corners if r < height]
    clues = []
    for row, line in enumerate(rows):
        for column, letter in enumerate(line):
            if letter.isdecimal():
                clues.append((int(letter), list_sides_of(row, column)))
    return Loop(corners, sides, clues)


def list_sides_of(row: int, column: int) -> list[Side]:
    a = (row, column)
    b = (row, column + 1)
    c = (row + 1, column)
    d = (row + 1, column + 1)
    return [(a, b), (c, d), (a, c), (b, d)]


def solve_with_cp_sat(loop: Loop) -> list[set[Side]]:
    """At most two solutions."""
    from ortools.sat.python import cp_model

    model = cp_model.CpModel()
    numbers = {corner: i for i, corner in enumerate(loop.corners)}
    arcs = [(i, i, model.new_bool_var(f"without {i}")) for i in numbers.values()]
    is_on = {}
    for one, other in loop.sides:
        i, j = numbers[one], numbers[other]
        there, back = model.new_bool_var(""), model.new_bool_var("")
        arcs += [(i, j, there), (j, i, back)]
        is_on[one, other] = model.new_bool_var("")
        model.add(there + back == is_on[one, other])
    model.add_circuit(arcs)
    for number, sides in loop.clues:
        model.add(sum(is_on[side] for side in sides) == number)

    found: list[set[Side]] = []
    while len(found) < 2:
        solver = cp_model.CpSolver()
        solver.parameters.num_workers = 1
        if solver.solve(model) not in (cp_model.OPTIMAL, cp_model.FEASIBLE):
            break
        found.append({side for side, variable in is_on.items() if solver.value(variable)})
        model.add_bool_or([~is_on[side] for side in found[-1]])
    return found


def solve_with_clingo(loop: Loop) -> list[set[Side]]:
    """At most two solutions."""
    import clingo

    corners = {corner: i for i, corner in enumerate(loop.corners)}
    numbers = {side: i for i, side in enumerate(loop.sides)}
    facts = [f"corner({i})." for i in corners.values()]
    for side, i in numbers.items():
        facts.append(f"side({i}).")
        facts += [f"at({i},{corners[corner]})." for corner in side]
    for i, (number, sides) in enumerate(loop.clues):
        facts.append(f"number({i},{number}).")
        facts += [f"around({i},{numbers[side]})." for side in sides]
    # The start is one of several sides of the loop; its choice would make a solution several.
    first = next(i for i, (number, _) in enumerate(loop.clues) if number)
    around = sorted(numbers[side] for side in loop.clues[first][1])
    facts.append(f"first({first}).")
    facts += [f":- start({b}), on({a})." for a in around for b in around if a < b]

    control = clingo.Control(["--models=2"])
    control.add("base", [], "\n".join([PROGRAM, *facts]))
    control.ground([("base", [])])
    found: list[set[Side]] = []

    def note(model: clingo.Model) -> None:
        numbers_on = [symbol.arguments[0].number for symbol in model.symbols(shown=True)]
        found.append({loop.sides[i] for i in numbers_on})

    control.solve(on_model=note)
    return found


def check(loop: Loop, line: set[Side]) -> None:
    """Raise ValueError unless the line is one loop with the right number of sides everywhere."""
    for number, sides in loop.clues:
        if len(line.intersection(sides)) != number:
            raise ValueError("a number is wrong")
    degrees = Counter(corner for side in line for corner in side)
    if set(degrees.values()) != {2}:
        raise ValueError("a corner has a loose end or a branch")
    reached = [next(iter(line))[0]]
    for corner in reached:
        for side in line:
            if corner in side:
                reached += [other for other in side if other not in reached]
    if len(reached) < len(degrees):
        raise ValueError("there are several loops")


def main() -> None:
    program, file = sys.argv[1:]
    loop = read_puzzle(Path(file))
    solve = {"cp-sat": solve_with_cp_sat, "clingo": solve_with_clingo}[program]
    found = solve(loop)
    for line in found:
        check(loop, line)
    if len(found) != 1:
        raise ValueError(f"{len(found)} solutions instead of 1")
    print(len(found[0]))


if __name__ == "__main__":
    main()
