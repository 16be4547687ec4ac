"""What follows from a part of a solution: by unit propagation alone, or as a hint for the next placement."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import closing
from dataclasses import dataclass

from jigsat.backends import DEFAULT, PROPAGATOR, Backend, open_backend
from jigsat.errors import CheckError
from jigsat.formula import Clause, Formula, Lowered
from jigsat.puzzle import Puzzle
from jigsat.search.propagation import failed_literals, units
from jigsat.symmetry import Placement


@dataclass(frozen=True)
class Deduction:
    """The placements that unit propagation forces, and those that it leaves open; none if not `consistent`."""

    consistent: bool
    forced: tuple[Placement, ...] = ()
    possible: tuple[Placement, ...] = ()


@dataclass(frozen=True)
class NextPlacement:
    """The next placement; None if no solution has the given placements (then `solvable` is false) or if they are complete.

    `reason` is how it was found: 'propagation' and 'failed literals' show that it is in every solution that has the given
    placements; 'search' shows only that it is in one of them.
    """

    placement: Placement | None
    reason: str
    solvable: bool


def deduce_placements(formula: Formula, placements: Iterable[Placement], excluded: Iterable[Placement] = ()) -> Deduction:
    """What follows from placements, and from the exclusion of others, by unit propagation.

    Raises KeyError for anything that is not a placement.

    >>> from jigsat.instance import load
    >>> formula = load("sudoku-4x4-empty").encode()
    >>> cell, *_ = [formula.key(variable) for variable in formula.decisions()]
    >>> found = deduce_placements(formula, [cell])
    >>> found.consistent, len(found.forced), len(found.possible)
    (True, 0, 53)
    """
    variables = _variables(formula)
    given = [variables[placement] for placement in placements]
    assumed = [*given, *(-variables[placement] for placement in excluded)]
    with closing(_Known(formula)) as known:
        implied = known.propagate_literals(assumed)
    if implied is None:
        return Deduction(False)
    forced = [variable for variable in formula.decisions() if variable in implied and variable not in given]
    possible = [variable for variable in formula.decisions() if variable not in implied and -variable not in implied]
    return Deduction(True, tuple(map(formula.key, forced)), tuple(map(formula.key, possible)))


def next_placement(puzzle: Puzzle, formula: Formula, placements: Sequence[Placement]) -> NextPlacement:
    """The next placement of a solution with the given placements; a forced one if propagation or failed literals find one.

    A given clue that is not placed yet comes first. Raises KeyError for anything that is not a placement of the puzzle.
    """
    variables, decisions = _variables(formula), formula.decisions()
    given = [variables[placement] for placement in placements]
    with closing(_Known(formula)) as known:
        assumed = given
        for reason in ("propagation", "failed literals"):
            implied = known.propagate_literals(assumed)
            if implied is None:
                return NextPlacement(None, reason, False)
            if new := next((x for x in decisions if x in implied and x not in given), None):
                return NextPlacement(formula.key(new), reason, True)
            known.add(implied)
            undecided = [x for x in decisions if x not in implied and -x not in implied]
            assumed = [*given, *failed_literals(known.solver, undecided)]
    return _search_next_placement(puzzle, formula, given)


def _search_next_placement(puzzle: Puzzle, formula: Formula, given: Sequence[int]) -> NextPlacement:
    with closing(open_backend(DEFAULT)) as solver:
        solver.load(formula)
        if not solver.solve(given):
            return NextPlacement(None, "search", False)
        model = frozenset(solver.model())
    solution = [variable for variable in formula.decisions() if variable in model]
    for broken in puzzle.check([formula.key(variable) for variable in solution]):
        raise CheckError(f"{DEFAULT} gave an assignment of {puzzle.name} that is not a solution: {broken}. This is a bug")
    new = [variable for variable in solution if variable not in given]
    return NextPlacement(formula.key(new[0]) if new else None, "search", True)


class _Known:
    """A propagating solver with the clauses of a formula."""

    def __init__(self, formula: Formula) -> None:
        self.solver: Backend = open_backend(PROPAGATOR)
        self._units = units(Lowered(formula, native=self.solver.capabilities.native), self.solver)

    def propagate_literals(self, assumed: Iterable[int]) -> frozenset[int] | None:
        """The literals that follow, including the assumed ones; None if there is a contradiction."""
        literals = list(dict.fromkeys([*self._units, *assumed]))
        if any(-literal in literals for literal in literals):
            return None
        possible, implied = self.solver.propagate(literals)
        return frozenset([*literals, *implied]) if possible else None

    def add(self, literals: Iterable[int]) -> None:
        """Let literals hold from now on."""
        for literal in literals:
            self.solver.add(Clause((literal,)))

    def close(self) -> None:
        """Free the solver."""
        self.solver.close()


def _variables(formula: Formula) -> dict[Placement, int]:
    return {formula.key(variable): variable for variable in formula.decisions()}
