"""MaxSAT with RC2, which is part of PySAT: the minimum weight of the literals that are true in a model."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence


def least_cost(clauses: Iterable[Sequence[int]], costs: Mapping[int, int]) -> int | None:
    """The minimum sum of the costs of the literals that are true in a model, or None if there is no model.

    RC2 uses unsatisfiable cores to raise a lower bound until a model attains it, so its answer is proved to be the minimum. A
    negative cost of a literal is treated as a positive cost of its negation, minus a constant.

    >>> least_cost([[1, 2], [-1, -2]], {1: 3, 2: 5})
    3
    >>> least_cost([[1, 2], [-1, -2]], {1: -3, 2: -5})
    -5
    """
    from pysat.examples.rc2 import RC2
    from pysat.formula import WCNF

    weighted = WCNF()
    for clause in clauses:
        weighted.append(clause)
    for literal, cost in costs.items():
        if cost:
            weighted.append([-literal if cost > 0 else literal], weight=abs(cost))
    with RC2(weighted) as solver:
        if solver.compute() is None:
            return None
        return int(solver.cost) + sum(min(0, cost) for cost in costs.values())
