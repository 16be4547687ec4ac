"""The capabilities that a backend states and that a test confirms, and the methods of the
protocol."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import closing
from functools import partial

import pytest
from support.installed import CAPABILITIES

from jigsat import Stopped
from jigsat.backends import Backend, Capabilities, Spec, open_backend
from jigsat.confirmation import confirm
from jigsat.formula import Clause, Constraint, Formula, Lowered, Xor

METHODS = {"propagation": "propagate", "cores": "core", "conflict_limit": "limit"}


def having(capability: str) -> list[str]:
    return [name for name, able in CAPABILITIES.items() if getattr(able, capability)]


@pytest.mark.parametrize("name", CAPABILITIES)
def test_every_capability_is_confirmed(name: str) -> None:
    assert CAPABILITIES[name] == open_backend(name).capabilities


@pytest.mark.parametrize("name", CAPABILITIES)
def test_a_method_exists_for_each_capability(name: str) -> None:
    with closing(open_backend(name)) as solver:
        for capability, method in METHODS.items():
            overridden = getattr(type(solver), method) is not getattr(Backend, method)
            assert overridden or not getattr(solver.capabilities, capability), method
            if not overridden:
                with pytest.raises(NotImplementedError, match=type(solver).__name__):
                    getattr(solver, method)(*([1] if method == "limit" else []))


@pytest.mark.parametrize("name", having("clauses"))
def test_a_model_names_variables_by_their_numbers(name: str) -> None:
    """CP-SAT's own numbering changes when there is a constant, which the second XOR introduces."""
    with closing(open_backend(name)) as solver:
        lowered = Lowered(Formula(), native=solver.capabilities.native)
        lowered.top = 9
        for constraint in (
            Clause((1, 2)),
            Xor((1, 3), True),
            Xor((3, 4), False),
            Xor((4, 6), True),
            Clause((8, -9)),
        ):
            for low in lowered.lower(constraint):
                solver.add(low)
        for assumptions in ((1, 5, 8), (-1, 7, -8)):
            assert solver.solve(assumptions)
            x = [variable in solver.model() for variable in range(10)]
            assert [x[abs(literal)] == (literal > 0) for literal in assumptions] == [True] * 3
            assert (x[1] or x[2], x[3] != x[1], x[4] == x[3], x[6] != x[4], x[8] or not x[9]) == (
                True,
            ) * 5


def chain(length: int) -> Iterator[Clause]:
    return (Clause((-i, i + 1)) for i in range(1, length))


@pytest.mark.parametrize("name", having("propagation"))
def test_propagation(name: str) -> None:
    with closing(open_backend(name)) as solver:
        for clause in chain(50):
            solver.add(clause)
        for _ in range(2):
            possible, literals = solver.propagate([20, 40])
            assert possible
            assert {x for x in literals if x > 0} == set(range(20, 51))
            assert not solver.propagate([20, -30])[0]
            assert solver.solve([20])


@pytest.mark.parametrize("name", having("cores"))
def test_cores(name: str) -> None:
    with closing(open_backend(name)) as solver:
        for clause in chain(10):
            solver.add(clause)
        assert not solver.solve([12, 2, 14, -9, -15])
        assert {2, -9} <= set(solver.core()) <= {12, 2, 14, -9, -15}
        for literal in (1, -1):
            solver.add(Clause((literal,)))
        assert not solver.solve([12])
        assert set(solver.core()) <= {12}


def pigeons(holes: int) -> Lowered:
    formula = Formula()
    sits = formula.variables("sits", {"pigeon": range(holes + 1), "hole": range(holes)})
    for pigeon in range(holes + 1):
        formula.clause(sits[pigeon, :])
    for hole in range(holes):
        formula.at_most_one(sits[:, hole])
    return Lowered(formula)


@pytest.mark.parametrize(
    "name", [name for name in having("conflict_limit") if name in having("clauses")]
)
def test_a_limit_of_conflicts(name: str) -> None:
    with closing(open_backend(name)) as solver:
        for clause in pigeons(6):
            solver.add(clause)
        solver.limit(20)
        for _ in range(2):  # the limit applies to each call
            with pytest.raises(Stopped):
                solver.solve()
        solver.limit(10**6)
        assert not solver.solve()


class Boaster(Backend):
    """It finds models by brute force, and claims every capability."""

    capabilities = Capabilities(**{name: name != "enumerates" for name in Capabilities._fields})

    def __init__(self, lies: bool) -> None:
        self.clauses: list[Sequence[int]] = []
        self.lies = lies
        self.true: list[int] = []

    def add(self, constraint: Constraint) -> None:
        if isinstance(constraint, Clause):
            self.clauses.append(constraint.literals)

    def solve(self, assumptions: Sequence[int] = ()) -> bool:
        solver = open_backend("minisat22")
        for clause in self.clauses:
            solver.add(Clause(tuple(clause)))
        answer = solver.solve(() if self.lies else assumptions)
        self.true = list(solver.model()) if answer else []
        return answer

    def model(self) -> Sequence[int]:
        return self.true

    def propagate(self, assumptions: Sequence[int] = ()) -> tuple[bool, Sequence[int]]:
        return True, assumptions

    def core(self) -> Sequence[int]:
        return ()

    def limit(self, conflicts: int) -> None:
        pass


@pytest.mark.parametrize(
    ("lies", "left"), [(False, {"clauses", "assumptions"}), (True, {"clauses"})]
)
def test_capabilities_that_are_not_confirmed_are_dropped(lies: bool, left: set[str]) -> None:
    able = confirm(Spec("boaster", "none", "", partial(Boaster, lies))).capabilities
    assert able is not None
    assert {name for name, there in able._asdict().items() if there} == left
