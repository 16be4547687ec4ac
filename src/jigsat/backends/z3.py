"""Z3 with native cardinality, linear and XOR constraints over Booleans."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import reduce
from typing import TYPE_CHECKING

from jigsat.backends.base import Backend, Capabilities, Spec
from jigsat.errors import Stopped
from jigsat.formula import Cardinality, Clause, Constraint, Linear, Xor

if TYPE_CHECKING:
    import z3


def specs() -> Iterator[Spec]:
    yield Spec("z3", "z3-solver", "pip install z3-solver", Z3)


class Z3(Backend):
    """Z3's solver for finite domains (QF_FD), which handles these constraints without expanding them first."""

    capabilities = Capabilities(xor=True, cardinality=True, linear=True, assumptions=True)

    def __init__(self) -> None:
        import z3

        self._z3 = z3
        self._solver = z3.SolverFor("QF_FD")
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
            case Cardinality(literals, at_least, at_most):
                terms = [self._literal(literal) for literal in literals]
                if at_least == at_most:
                    self._solver.add(z3.PbEq([(term, 1) for term in terms], at_most))
                    return
                if at_most < len(terms):
                    self._solver.add(z3.AtMost(*terms, at_most) if at_most >= 0 else z3.BoolVal(False))
                if at_least > 0:
                    self._solver.add(z3.AtLeast(*terms, at_least))
            case Linear(literals, weights, at_least, at_most):
                weighted = [(self._literal(literal), weight) for literal, weight in zip(literals, weights, strict=True)]
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
        return [variable for variable, term in self._variables.items() if self._z3.is_true(model[term])]

    def statistics(self) -> dict[str, int]:
        found = dict(iter(self._solver.statistics()))  # it has keys() but is not a mapping
        return {key: int(found[f"sat {key}"]) for key in ("conflicts", "decisions") if f"sat {key}" in found}

    def close(self) -> None:
        del self._solver
