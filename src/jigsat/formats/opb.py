"""OPB files for pseudo-Boolean solvers: clauses, cardinality and linear constraints as sums, XOR as
clauses.

The comments are those of the DIMACS files (`jigsat.formats.dimacs`). The decision variables are
listed twice: as there by `* p show … 0`, and by `* ind … 0`, which ApproxMCPB and PBCount read.
Variables are x1, x2, …; a negative literal is 1 - x, so its term is -1 x and the bound is lowered
by one, because not every reader knows ~x in constraints; likewise with weights. An objective keeps
~x, so that costs stay as they are.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import repeat

from jigsat.formats.dimacs import Origin, head
from jigsat.formula import (
    Cardinality,
    Clause,
    Constraint,
    Formula,
    Linear,
    Lowered,
    Lowering,
    as_sum,
)


def opb_lines(formula: Formula, origin: Origin, lowering: Lowering | None = None) -> Iterator[str]:
    """Yield the lines of an OPB file."""
    lowered = Lowered(formula, lowering, frozenset({"cardinality", "linear"}))
    sizes = lowered.sizes()
    yield (
        f"* #variable= {lowered.top} #constraint= {sum(sizes.values())}"
    )  # the format requires this line first
    for line in head(formula, origin, sizes):
        yield f"* {line}"
    shown = " ".join(map(str, [*formula.decisions(), 0]))
    yield f"* p show {shown}"
    yield f"* ind {shown}"
    if formula.objective:
        terms = (
            f"{weight:+} {'~' * (literal < 0)}x{abs(literal)}"
            for literal, weight in formula.objective.items()
        )
        yield f"min: {' '.join(terms)} ;"
    yield from map(_line, lowered)


def _line(constraint: Constraint) -> str:
    match constraint:
        case Clause(literals):
            return _sum(literals, repeat(1), ">=", 1)
        case Cardinality() | Linear():
            return _write_bounds(*as_sum(constraint))
    raise TypeError(f"OPB has no {constraint.kind}")


def _write_bounds(
    literals: Sequence[int], weights: Sequence[int], at_least: int, at_most: int
) -> str:
    """A sum with one bound, or with two that are equal."""
    if at_least == at_most:
        return _sum(literals, weights, "=", at_least)
    if at_least > 0:
        return _sum(literals, weights, ">=", at_least)
    # the format has no <=, so an upper bound on the true literals becomes a lower bound on the
    # false ones
    return _sum([-literal for literal in literals], weights, ">=", sum(weights) - at_most)


def _sum(literals: Sequence[int], weights: Iterable[int], relation: str, bound: int) -> str:
    terms = []
    for literal, weight in zip(literals, weights, strict=False):
        if literal < 0:
            bound -= weight
        terms.append(f"+{weight} x{literal}" if literal > 0 else f"-{weight} x{-literal}")
    return f"{' '.join(terms)} {relation} {bound} ;"
