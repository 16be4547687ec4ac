"""CryptoMiniSat with native XOR constraints, through pycryptosat."""

from collections.abc import Iterator, Sequence

from jigsat.backends.base import Backend, Capabilities, Spec
from jigsat.errors import Stopped
from jigsat.formula import Clause, Constraint, Xor


def specs() -> Iterator[Spec]:
    yield Spec("cryptominisat", "pycryptosat", "pip install pycryptosat", CryptoMiniSat)


class CryptoMiniSat(Backend):
    """A pycryptosat solver. Its XORs accept only positive variables; those of formulas are stored
    in this form."""

    capabilities = Capabilities(xor=True, assumptions=True)

    def __init__(self) -> None:
        import pycryptosat

        self._solver = pycryptosat.Solver()
        self._model: tuple[bool | None, ...] = ()

    def add(self, constraint: Constraint) -> None:
        match constraint:
            case Clause(literals):
                self._solver.add_clause(literals)
            case Xor(variables, odd):
                self._solver.add_xor_clause(variables, odd)
            case _:
                raise TypeError(f"CryptoMiniSat does not accept {constraint.kind} constraints")

    def solve(self, assumptions: Sequence[int] = ()) -> bool:
        if assumptions:  # pycryptosat requires each assumed variable to occur in a clause
            top = max(map(abs, assumptions))
            self._solver.add_clause([top, -top])
        answer, model = self._solver.solve(assumptions)
        if answer is None:
            raise Stopped("CryptoMiniSat gave up")
        self._model = model or ()
        return bool(answer)

    def model(self) -> Sequence[int]:
        return [variable for variable, value in enumerate(self._model) if value]

    def close(self) -> None:
        del self._solver
