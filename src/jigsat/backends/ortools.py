"""OR-Tools CP-SAT, which has native exactly-one, at-most-one, cardinality, linear and XOR
constraints."""

from collections import Counter
from collections.abc import Generator, Iterator, Sequence
from contextlib import suppress
from queue import Empty, Queue
from threading import Event, Thread
from typing import Any
from weakref import finalize

from jigsat.backends.base import Capabilities, Enumerating, Spec
from jigsat.errors import Stopped
from jigsat.formula import (
    Acyclic,
    Cardinality,
    Clause,
    Connected,
    Constraint,
    Formula,
    Linear,
    Lowered,
    Lowering,
    Regions,
    SingleLoop,
    Xor,
)

PARAMETERS = {
    "num_workers": 1,
    "linearization_level": 0,  # linear relaxations cost more time here than they save
    "enumerate_all_solutions": True,
    "catch_sigint_signal": False,
}
"""The parameters of CP-SAT that differ from the default."""


def specs() -> Iterator[Spec]:
    yield Spec(
        "ortools",
        "ortools",
        "pip install ortools",
        CpSat,
        establishes="exhaustion",
        open_seeded=CpSat,
        options=" ".join(f"{name}={value}" for name, value in PARAMETERS.items()),
    )


class CpSat(Enumerating):
    """CP-SAT on one core. It enumerates models by itself, because with blocking clauses it would
    start over for each model.

    It enumerates the assignments of all variables: if auxiliary variables are not determined by the
    others, models are repeated. Those of a constraint on a graph have so many values that models
    are ruled out by clauses instead.
    """

    capabilities = Capabilities(
        xor=True, cardinality=True, linear=True, assumptions=True, enumerates=True
    )

    def __init__(self, seed: int | None = None) -> None:
        super().__init__()
        self._seed = seed
        from ortools.sat.python import cp_model

        self._cp_model = cp_model
        self._model = cp_model.CpModel()
        self._variables: list[Any] = [None]
        self._counts: Counter[str] = Counter()  # CP-SAT tells them when a search has ended

    def _literal(self, literal: int) -> Any:
        while len(self._variables) <= abs(literal):
            self._variables.append(self._model.new_bool_var(""))
        variable = self._variables[abs(literal)]
        return variable if literal > 0 else ~variable

    def project(self, variables: Sequence[int]) -> None:
        if variables:
            self._literal(max(variables))

    def load(self, formula: Formula, lowering: Lowering | None = None) -> Lowered:
        if formula.list_graphs():
            self.capabilities = self.capabilities._replace(enumerates=False)
        return super().load(formula, lowering)

    def add(self, constraint: Constraint) -> None:
        self._start_over()
        match constraint:
            case Clause(literals):
                self._model.add_bool_or(map(self._literal, literals))
            case Cardinality(literals, 1, 1):
                self._model.add_exactly_one(map(self._literal, literals))
            case Cardinality(literals, at_least, 1) if at_least <= 0:
                self._model.add_at_most_one(map(self._literal, literals))
            case Cardinality(literals, at_least, at_most):
                self._model.add_linear_constraint(
                    sum(map(self._literal, literals)), at_least, at_most
                )
            case Linear(literals, weights, at_least, at_most):
                total = self._cp_model.LinearExpr.weighted_sum(
                    list(map(self._literal, literals)), weights
                )
                self._model.add_linear_constraint(total, at_least, at_most)
            case Xor(variables, odd):
                self._model.add_bool_xor([*map(self._literal, variables), *([] if odd else [True])])
            case Connected() | SingleLoop() | Acyclic() | Regions():
                raise TypeError(f"ortools does not accept {constraint.kind} constraints")

    def statistics(self) -> dict[str, int]:
        return dict(self._counts)

    def _models(self, assumptions: Sequence[int]) -> Generator[list[int], None, None]:
        """The models, found in a thread: CP-SAT's callback waits until the previous model has been
        taken."""
        solver = self._cp_model.CpSolver()
        stopped = Event()
        for name, value in PARAMETERS.items():
            setattr(solver.parameters, name, value)
        if self._seed is not None:
            solver.parameters.random_seed = self._seed
        models: Queue[list[int] | Exception | None] = Queue(1)

        class Listener(self._cp_model.CpSolverSolutionCallback):  # type: ignore[misc, name-defined]
            def on_solution_callback(self) -> None:
                values = self.response_proto.solution
                models.put([variable for variable, index in indices if values[index]])
                if stopped.is_set():
                    self.stop_search()

        def search() -> None:
            try:
                status = solver.solve(self._model, Listener())
                answered = status in (self._cp_model.OPTIMAL, self._cp_model.INFEASIBLE)
                models.put(
                    None if answered else Stopped(f"CP-SAT gave up: {solver.status_name(status)}")
                )
            except Exception as error:
                models.put(error)

        self._model.clear_assumptions()
        self._model.add_assumptions(map(self._literal, assumptions))
        # constants lie between them
        indices = [
            (variable, term.index) for variable, term in enumerate(self._variables) if variable
        ]
        thread = Thread(target=search, daemon=True)
        thread.start()
        # also when Python ends, because CP-SAT would abort the process in the middle of its search
        end = finalize(self, _end_search, solver, thread, stopped, models)
        try:
            while (item := models.get()) is not None:
                if isinstance(item, Exception):
                    raise item
                yield item
        finally:
            end()
            with suppress(RuntimeError):  # without an answer there are no counters
                self._counts["conflicts"] += solver.num_conflicts
                self._counts["branches"] += solver.num_branches


def _end_search(solver: Any, thread: Thread, stopped: Event, models: Queue[Any]) -> None:
    """Stop a search, and wait for the end of its thread."""
    stopped.set()
    while thread.is_alive():
        solver.stop_search()
        with suppress(Empty):
            models.get(timeout=0.01)
