"""Literals that hold in every model, found by unit propagation and failed literals."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import closing

from jigsat.backends import PROPAGATOR, Backend, open_backend
from jigsat.formula import Clause, Formula, Lowered


def fixed_literals(formula: Formula) -> frozenset[int] | None:
    """Literals of the formula's variables that hold in every model; None if propagation finds that there is no model.

    A literal fails if unit propagation from it leads to a contradiction; then its opposite holds in every model. All literals
    are tried until no more fail. Literals that hold for other reasons are not found.

    >>> formula = Formula()
    >>> x = formula.variables("x", {"i": range(3)})
    >>> formula.clause([x(0), x(1)])
    >>> formula.clause([x(0), -x(1)])
    >>> fixed_literals(formula)
    frozenset({1})
    """
    with closing(open_backend(PROPAGATOR)) as solver:
        new = {*units(Lowered(formula, native=solver.capabilities.native), solver)}
        known: set[int] = set()
        while True:
            known |= new
            possible, implied = solver.propagate(sorted(known))
            if not possible:
                return None
            known.update(implied)
            for literal in known:
                solver.add(Clause((literal,)))
            undecided = [x for x in range(1, formula.top + 1) if x not in known and -x not in known]
            if not (new := failed_literals(solver, undecided)):
                return frozenset(literal for literal in known if abs(literal) <= formula.top)


def units(lowered: Lowered, solver: Backend) -> list[int]:
    """The literals of the unit clauses; all other constraints are added to the solver.

    Solvers report only the consequences of assumptions, so these literals must be assumed when the solver propagates.
    """
    found = []
    for constraint in lowered:
        match constraint:
            case Clause((literal,)):
                found.append(literal)
            case _:
                solver.add(constraint)
    return found


def failed_literals(solver: Backend, undecided: Iterable[int]) -> set[int]:
    """The opposites of the literals that lead to a contradiction by propagation."""
    harmless: set[int] = set()
    opposites = set()
    for literal in (sign * x for x in undecided for sign in (1, -1)):
        if literal not in harmless:
            possible, implied = solver.propagate([literal])
            if possible:
                harmless.update(implied)  # their propagation is part of this one
            else:
                opposites.add(-literal)
    return opposites
