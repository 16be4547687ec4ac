"""clingo, an answer-set solver: rules are added through its backend interface, so there is no
program text to ground."""

from __future__ import annotations

from collections import Counter
from collections.abc import Generator, Iterator, Sequence
from operator import neg
from typing import TYPE_CHECKING

from jigsat.backends.base import Capabilities, Enumerating, Spec
from jigsat.errors import Stopped
from jigsat.formula import Cardinality, Clause, Constraint, Linear, as_sum

if TYPE_CHECKING:
    import clingo

CONFIGURATION = "crafty"
"""clingo's preset for combinatorial problems: `fish-plain` takes 97 s, and more than 580 s with the
default settings."""

OPTIONS = (f"--configuration={CONFIGURATION}", "--models=0", "--project=auto")


def specs() -> Iterator[Spec]:
    yield Spec(
        "clingo",
        "clingo",
        "pip install clingo",
        Clingo,
        establishes="exhaustion",
        open_seeded=Clingo,
        options=" ".join(OPTIONS),
    )


class Clingo(Enumerating):
    """A variable is an atom with a choice rule, a constraint is a rule without a head; models are
    found by backtracking."""

    capabilities = Capabilities(cardinality=True, linear=True, assumptions=True, enumerates=True)

    def __init__(self, seed: int | None = None) -> None:
        super().__init__()
        import clingo

        self._clingo = clingo
        arguments = [*OPTIONS]
        if seed is not None:
            arguments.append(f"--seed={seed}")
        self._control = clingo.Control(arguments)
        self._atoms = [0]  # by variable
        self._variables: dict[clingo.Symbol, int] = {}
        self._projected: frozenset[int] | None = None
        self._waiting: list[Constraint] = []
        self._counts: Counter[str] = Counter()  # clingo tells them when a search has ended

    def project(self, variables: Sequence[int]) -> None:
        self._projected = frozenset(variables)
        with self._control.backend() as backend:
            self._declare(backend, max(variables, default=0))
            backend.add_project([self._atoms[variable] for variable in variables])

    def add(self, constraint: Constraint) -> None:
        self._start_over()
        self._waiting.append(constraint)

    def statistics(self) -> dict[str, int]:
        return dict(self._counts)

    def _models(self, assumptions: Sequence[int]) -> Generator[list[int], None, None]:
        with self._control.backend() as backend:
            for constraint in self._waiting:
                self._rule(backend, constraint)
            self._declare(backend, max(map(abs, assumptions), default=0))
        self._waiting.clear()
        try:
            with self._control.solve(list(map(self._literal, assumptions)), yield_=True) as handle:
                for model in handle:
                    yield [self._variables[symbol] for symbol in model.symbols(atoms=True)]
                if not handle.get().exhausted:
                    raise Stopped("clingo gave up")
        finally:
            counts = self._control.statistics["solving"]["solvers"]
            self._counts["conflicts"] += int(counts["conflicts"])

    def _declare(self, backend: clingo.Backend, top: int) -> None:
        for variable in range(len(self._atoms), top + 1):
            symbol = None
            if (
                self._projected is None or variable in self._projected
            ):  # only atoms with symbols are read from a model
                symbol = self._clingo.Function("x", [self._clingo.Number(variable)])
                self._variables[symbol] = variable
            self._atoms.append(backend.add_atom(symbol))
            backend.add_rule([self._atoms[-1]], choice=True)

    def _literal(self, literal: int) -> int:
        return self._atoms[literal] if literal > 0 else -self._atoms[-literal]

    def _rule(self, backend: clingo.Backend, constraint: Constraint) -> None:
        """Forbid the violations of a constraint: no literal of a clause holds, too many literals
        hold, or too few."""
        match constraint:
            case Clause(literals):
                self._declare(backend, max(map(abs, literals)))
                backend.add_rule([], [-self._literal(literal) for literal in literals])
            case Cardinality() | Linear():
                literals, weights, at_least, at_most = as_sum(constraint)
                self._declare(backend, max(map(abs, literals)))
                atoms = list(map(self._literal, literals))
                total = sum(weights)
                if at_most < total:
                    backend.add_weight_rule([], at_most + 1, list(zip(atoms, weights, strict=True)))
                if at_least > 0:
                    backend.add_weight_rule(
                        [], total - at_least + 1, list(zip(map(neg, atoms), weights, strict=True))
                    )
            case _:
                raise TypeError(f"clingo does not accept {constraint.kind} constraints")
