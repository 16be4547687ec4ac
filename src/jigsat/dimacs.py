"""DIMACS CNF files, with the names of the variables, the groups of clauses and the projection as comments."""

from __future__ import annotations

from collections.abc import Iterator
from importlib.metadata import version

from jigsat.formula import Clause, Formula
from jigsat.lowering import Lowered, Lowering
from jigsat.puzzle import Puzzle


def cnf_lines(puzzle: Puzzle, formula: Formula, lowering: Lowering | None = None) -> Iterator[str]:
    """The lines of a DIMACS file, one after the other; the formula is lowered twice, the first time to count.

    Comments: `c instance NAME sha256 HASH`; `c var N FAMILY AXIS=VALUE …` for each named variable (those above are
    auxiliaries of the lowering); `c group FIRST-LAST NAME` for the clauses of each group, counted from 1; and after the
    header `c p show … 0`, the decision variables, for projected model counters.
    """
    lowered = Lowered(formula, lowering)
    yield f"c jigsat {version('jigsat')}"
    yield f"c instance {puzzle.name} sha256 {puzzle.digest()}"
    for variable in range(1, formula.top + 1):
        yield f"c var {variable} {formula.name(variable)}"
    clauses = 0
    for name, constraints in lowered.groups():
        first = clauses + 1
        clauses += sum(1 for _ in constraints)
        yield f"c group {first}-{clauses} {name}"
    yield f"p cnf {lowered.top} {clauses}"
    yield "c p show " + " ".join(map(str, [*formula.decisions(), 0]))
    for constraint in lowered:
        assert isinstance(constraint, Clause)
        yield " ".join(map(str, (*constraint.literals, 0)))
