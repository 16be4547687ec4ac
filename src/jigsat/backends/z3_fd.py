"""Z3 with finite-domain terms: a choice, such as the piece on a cell, is one bit-vector that holds its value.

Each exactly-one constraint over variables that belong to no term yet becomes a term, and its variables become equations: 'the
term has this value'. So no constraint is needed for 'at most one'. Everything else is as in `z3`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from jigsat.backends.base import Spec
from jigsat.backends.z3 import Z3
from jigsat.formula import Cardinality, Constraint

if TYPE_CHECKING:
    import z3


def specs() -> Iterator[Spec]:
    yield Spec("z3-fd", "z3-solver", "pip install z3-solver", Z3Terms)


class Z3Terms(Z3):
    """Constraints are kept until `solve`, so that the terms are created before their variables are used elsewhere."""

    def __init__(self) -> None:
        super().__init__()
        self._terms: list[tuple[z3.BitVecRef, tuple[int, ...]]] = []
        self._waiting: list[Constraint] = []

    def add(self, constraint: Constraint) -> None:
        self._waiting.append(constraint)

    def _becomes_term(self, constraint: Constraint) -> bool:
        """Turn an exactly-one constraint into a term if all of its variables are new; return whether they are."""
        match constraint:
            case Cardinality(literals, 1, 1) if min(literals) > 0 and self._variables.keys().isdisjoint(literals):
                last = len(literals) - 1
                term = self._z3.BitVec(f"term {len(self._terms)}", max(1, last.bit_length()))
                self._solver.add(self._z3.ULE(term, last))
                self._variables.update((variable, term == value) for value, variable in enumerate(literals))
                self._terms.append((term, literals))
                return True
        return False

    def solve(self, assumptions: Sequence[int] = ()) -> bool:
        waiting, self._waiting = self._waiting, []
        for constraint in [constraint for constraint in waiting if not self._becomes_term(constraint)]:
            super().add(constraint)
        return super().solve(assumptions)

    def model(self) -> Sequence[int]:
        model = self._solver.model()
        chosen = [literals[model.eval(term, model_completion=True).as_long()] for term, literals in self._terms]
        rest = self._variables.keys() - {variable for _, literals in self._terms for variable in literals}
        return [*chosen, *(variable for variable in rest if self._z3.is_true(model[self._variables[variable]]))]
