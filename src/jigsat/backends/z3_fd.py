"""Z3 with finite-domain terms: a choice, such as what lies on a cell, is one bit-vector that tells which value it has.

Each exactly-one constraint over variables that stand in no term yet becomes a term, and its variables become statements
about it: 'the term has this value'. That at most one of them holds needs no saying then. All else is as for `z3`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from jigsat.backends.base import Backend, Spec
from jigsat.backends.z3 import Z3
from jigsat.formula import Cardinality, Constraint

if TYPE_CHECKING:
    import z3


def specs() -> Iterator[Spec]:
    yield Spec("z3-fd", "z3-solver", "pip install z3-solver", _open)


def _open() -> Backend:
    return Z3Terms()


class Z3Terms(Z3):
    """Constraints wait for `solve`, so that the terms are made before a variable is used elsewhere."""

    def __init__(self) -> None:
        super().__init__()
        self._terms: list[tuple[z3.BitVecRef, tuple[int, ...]]] = []
        self._waiting: list[Constraint] = []

    def add(self, constraint: Constraint) -> None:
        self._waiting.append(constraint)

    def _becomes_term(self, constraint: Constraint) -> bool:
        """Make a term of an exactly-one constraint, if all of its variables are new."""
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
