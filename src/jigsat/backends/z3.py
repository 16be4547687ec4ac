"""Z3 with native cardinality, linear and XOR constraints over Booleans, or with terms of finite
domains for choices."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import reduce
from typing import TYPE_CHECKING

from jigsat.backends.base import Backend, Capabilities, Spec
from jigsat.errors import Stopped
from jigsat.formula import Cardinality, Clause, Constraint, Linear, Xor, as_sum

if TYPE_CHECKING:
    import z3


def specs() -> Iterator[Spec]:
    yield Spec("z3", "z3-solver", "pip install z3-solver", Z3, open_seeded=Z3)
    yield Spec("z3-fd", "z3-solver", "pip install z3-solver", Z3Terms, open_seeded=Z3Terms)


class Z3(Backend):
    """Z3's solver for finite domains (QF_FD), which handles these constraints without expanding
    them first."""

    capabilities = Capabilities(xor=True, cardinality=True, linear=True, assumptions=True)

    def __init__(self, seed: int | None = None) -> None:
        import z3

        self._z3 = z3
        self._solver = z3.SolverFor("QF_FD")
        if seed is not None:
            self._solver.set("random_seed", seed)
        self._variables: dict[int, z3.BoolRef] = {}

    def _literal(self, literal: int) -> z3.BoolRef:
        variable = self._variables.get(abs(literal))
        if variable is None:
            variable = self._variables[abs(literal)] = self._z3.Bool(str(abs(literal)))
        return variable if literal > 0 else self._z3.Not(variable)

    def add(self, constraint: Constraint) -> None:
        z3 = self._z3
        match constraint:
            case Clause(literals):
                self._solver.add(z3.Or(*map(self._literal, literals)))
            case Cardinality() | Linear():
                literals, weights, at_least, at_most = as_sum(constraint)
                weighted = [
                    (self._literal(literal), weight)
                    for literal, weight in zip(literals, weights, strict=True)
                ]
                if at_least == at_most:
                    self._solver.add(z3.PbEq(weighted, at_most))
                elif at_least > 0:
                    self._solver.add(z3.PbGe(weighted, at_least))
                else:
                    self._solver.add(z3.PbLe(weighted, at_most))
            case Xor(variables, odd):
                terms = [self._literal(variable) for variable in variables]
                self._solver.add(reduce(z3.Xor, terms) == z3.BoolVal(odd))

    def solve(self, assumptions: Sequence[int] = ()) -> bool:
        answer = self._solver.check(*map(self._literal, assumptions))
        if answer == self._z3.unknown:
            if self._solver.reason_unknown() == "interrupted from keyboard":
                raise KeyboardInterrupt
            raise Stopped(f"Z3 gave up: {self._solver.reason_unknown()}")
        return bool(answer == self._z3.sat)

    def model(self) -> Sequence[int]:
        model = self._solver.model()
        return [
            variable for variable, term in self._variables.items() if self._z3.is_true(model[term])
        ]

    def statistics(self) -> dict[str, int]:
        counters = dict(iter(self._solver.statistics()))  # it has keys() but is not a mapping
        return {
            key: int(counters[f"sat {key}"])
            for key in ("conflicts", "decisions")
            if f"sat {key}" in counters
        }

    def close(self) -> None:
        del self._solver


class Z3Terms(Z3):
    """Z3 with finite-domain terms: a choice, such as the piece on a cell, is one bit-vector that
    holds its value.

    Each exactly-one constraint over variables that belong to no term yet becomes a term, and its
    variables become equations: 'the term has this value'. So no constraint is needed for 'at most
    one'. Constraints are kept until `solve`, so that the terms are created before their variables
    are used elsewhere.
    """

    def __init__(self, seed: int | None = None) -> None:
        super().__init__(seed)
        self._terms: list[tuple[z3.BitVecRef, tuple[int, ...]]] = []
        self._waiting: list[Constraint] = []

    def add(self, constraint: Constraint) -> None:
        self._waiting.append(constraint)

    def _becomes_term(self, constraint: Constraint) -> bool:
        """Turn an exactly-one constraint into a term if all of its variables are new; return
        whether they are."""
        match constraint:
            case Cardinality(literals, 1, 1) if min(
                literals
            ) > 0 and self._variables.keys().isdisjoint(literals):
                last = len(literals) - 1
                term = self._z3.BitVec(f"term {len(self._terms)}", max(1, last.bit_length()))
                self._solver.add(self._z3.ULE(term, last))
                self._variables.update(
                    (variable, term == value) for value, variable in enumerate(literals)
                )
                self._terms.append((term, literals))
                return True
        return False

    def solve(self, assumptions: Sequence[int] = ()) -> bool:
        waiting, self._waiting = self._waiting, []
        for constraint in [
            constraint for constraint in waiting if not self._becomes_term(constraint)
        ]:
            super().add(constraint)
        return super().solve(assumptions)

    def model(self) -> Sequence[int]:
        model = self._solver.model()
        chosen = [
            literals[model.eval(term, model_completion=True).as_long()]
            for term, literals in self._terms
        ]
        rest = self._variables.keys() - {
            variable for _, literals in self._terms for variable in literals
        }
        return [
            *chosen,
            *(variable for variable in rest if self._z3.is_true(model[self._variables[variable]])),
        ]
