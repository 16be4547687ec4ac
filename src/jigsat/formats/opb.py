"""OPB files, as pseudo-Boolean solvers read them: clauses and cardinality constraints as sums, XOR as clauses.

The comments are those of the DIMACS files (`jigsat.formats.dimacs`). Variables are x1, x2, …; a negative literal is 1 - x, so
its term is -1 x and the bound is lowered by one, because not every reader knows ~x in constraints.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from jigsat.formats.dimacs import head
from jigsat.formula import Cardinality, Clause, Constraint, Formula, Lowered, Lowering
from jigsat.puzzle import Puzzle


def opb_lines(puzzle: Puzzle, formula: Formula, lowering: Lowering | None = None) -> Iterator[str]:
    """The lines of an OPB file, one after the other."""
    lowered = Lowered(formula, lowering, frozenset({"cardinality"}))
    sizes = lowered.sizes()
    yield f"* #variable= {lowered.top} #constraint= {sum(sizes.values())}"  # the format wants this line to be the first
    for line in head(puzzle, formula, sizes):
        yield f"* {line}"
    if formula.objective:
        terms = (f"+1 x{literal}" if literal > 0 else f"+1 ~x{-literal}" for literal in formula.objective)
        yield f"min: {' '.join(terms)} ;"
    yield from map(_line, lowered)


def _line(constraint: Constraint) -> str:
    match constraint:
        case Clause(literals):
            return _sum(literals, ">=", 1)
        case Cardinality(literals, at_least, at_most) if at_least == at_most:
            return _sum(literals, "=", at_least)
        case Cardinality(literals, at_least, _) if at_least > 0:
            return _sum(literals, ">=", at_least)
        case Cardinality(literals, _, at_most):  # the format has no <=; at most k are true: at least n - k are false
            return _sum([-literal for literal in literals], ">=", len(literals) - at_most)
    raise TypeError(f"OPB has no {constraint.kind}")


def _sum(literals: Sequence[int], relation: str, bound: int) -> str:
    terms = " ".join([f"+1 x{literal}" if literal > 0 else f"-1 x{-literal}" for literal in literals])
    return f"{terms} {relation} {bound - sum(literal < 0 for literal in literals)} ;"
