"""check_backend passes for every installed backend, and detects faults."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterable, Sequence
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from support.installed import CAPABILITIES, PROGRAMS, SIMILAR

from jigsat.backends import Backend, Spec, find, open_backend
from jigsat.backends.base import Capabilities
from jigsat.backends.pysat import PySat
from jigsat.confirmation import confirm
from jigsat.errors import InputError
from jigsat.formula import Clause, Constraint, Xor
from jigsat.testing import check_backend


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=[pytest.mark.slow] * (name in PROGRAMS | SIMILAR))
        for name in CAPABILITIES
    ],
)
def test_every_backend_passes_check_backend(name: str) -> None:
    check_backend(name)


class Sound(PySat):
    """A correct backend; the classes below each have one fault."""

    def __init__(self) -> None:
        super().__init__("minisat22")
        self.capabilities = Capabilities(assumptions=True)


class ForgetsLongClauses(Sound):
    def add(self, constraint: Constraint) -> None:
        if not isinstance(constraint, Clause) or len(constraint.literals) < 4:
            super().add(constraint)


class KeepsAssumptions(Sound):
    def solve(self, assumptions: Sequence[int] = ()) -> bool:
        for literal in assumptions:
            self.add(Clause((literal,)))
        return super().solve()


class NamesFalseVariables(Sound):
    def model(self) -> Sequence[int]:
        return [*super().model(), -1]


class Ignores(Sound):
    def add(self, constraint: Constraint) -> None:
        if isinstance(constraint, Clause):
            super().add(constraint)


class CountsWrongly(Sound):
    def statistics(self) -> dict[str, int]:
        return {"seconds": 0.5}  # type: ignore[dict-item]


class Forgets(Sound):
    """It finds a model again after stating that there is none."""

    ended = False

    def solve(self, assumptions: Sequence[int] = ()) -> bool:
        found = super().solve(assumptions) or self.ended
        self.ended = not found and not assumptions
        return found


class ClaimsXor(Sound):
    def __init__(self) -> None:
        super().__init__()
        self.capabilities = Capabilities(xor=True, assumptions=True)


class DerivesTooMuch(Sound):
    def __init__(self) -> None:
        super().__init__()
        self.capabilities = Capabilities(propagation=True)

    def propagate(self, assumptions: Sequence[int] = ()) -> tuple[bool, Sequence[int]]:
        possible, literals = super().propagate(assumptions)
        return possible, [*literals, 1, -1]


class NamesHalfOfACore(Sound):
    def __init__(self) -> None:
        super().__init__()
        self.capabilities = Capabilities(assumptions=True, cores=True)

    def core(self) -> Sequence[int]:
        return [literal for literal in super().core() if literal < 0]


class Refuses(Sound):
    def add(self, constraint: Constraint) -> None:
        if isinstance(constraint, Clause) and len(constraint.literals) > 4:
            raise InputError("long clauses are not for me")
        super().add(constraint)


class Shared(Sound):
    """All instances share one solver."""

    only: Any = None

    def __init__(self) -> None:
        super().__init__()
        if Shared.only is None:
            Shared.only = self._solver
        self._solver = Shared.only

    def close(self) -> None:
        Shared.only = None


class IgnoresItsLimit(Sound):
    def __init__(self) -> None:
        super().__init__()
        self.capabilities = Capabilities(conflict_limit=True)

    def limit(self, conflicts: int | None) -> None:
        pass


class Crashes(Sound):
    def solve(self, assumptions: Sequence[int] = ()) -> bool:
        os.kill(os.getpid(), signal.SIGKILL)
        return False


class Hangs(Sound):
    def solve(self, assumptions: Sequence[int] = ()) -> bool:
        while True:
            signal.pause()


def absent() -> Backend:
    raise ImportError("no such library")


FAULTS: dict[Callable[[], Backend], str] = {
    ForgetsLongClauses: "finds ",
    KeepsAssumptions: "lacks the capability assumptions that it states: it finds None instead of",
    NamesFalseVariables: "names the false variable 1 in a model",
    Ignores: "it should raise TypeError",
    CountsWrongly: "statistics() must return integers by name",
    Forgets: "finds a model after stating that there is none",
    ClaimsXor: "lacks the capability xor that it states: it raises TypeError: ",
    DerivesTooMuch: "lacks the capability propagation that it states: it derives [",
    NamesHalfOfACore: "which is satisfiable",
    Refuses: "refuses a formula although it accepts clauses: long clauses are not for me",
    Shared: "has open solvers that affect each other",
    IgnoresItsLimit: "does not stop at a limit of 10 conflicts",
    Crashes: "crash: a process of jigsat was killed by SIGKILL",
    absent: "absent; write it",
}


def spec(opened: Callable[[], Backend]) -> Spec:
    return Spec("faulty", "nothing", "write it", opened)


def test_a_correct_backend_passes() -> None:
    check_backend(spec(Sound))
    check_backend(replace(spec(Sound), refute=find("glucose42").refute))


@pytest.mark.parametrize(
    ("opened", "says"), FAULTS.items(), ids=lambda fault: getattr(fault, "__name__", "")
)
def test_faults_are_named(opened: Callable[[], Backend], says: str) -> None:
    with pytest.raises(AssertionError) as caught:
        check_backend(spec(opened))
    assert str(caught.value).startswith("faulty: ")
    assert says in str(caught.value)


def test_a_backend_that_hangs_is_given_up() -> None:
    assert confirm(spec(Hangs), patience=0.1) == (None, ["gives no answer within 0.1 seconds"])


@pytest.mark.parametrize("name", ["cadical", "clasp", "minisat", "picosat"])
def test_solver_programs_refuse_xors(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """They would take the line for an error, or wait for its end for ever."""
    program = tmp_path / name
    program.write_text("#!/bin/sh\nexit 1\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=os.pathsep)
    with (
        closing(open_backend(name)) as backend,
        pytest.raises(TypeError, match=f"{name} does not accept xor constraints"),
    ):
        backend.add(Xor((1, 2), True))


def test_counts_and_proofs_are_verified() -> None:
    def no_proof(_: Iterable[Sequence[int]]) -> None:
        return None

    def wrong_proof(clauses: Iterable[Sequence[int]]) -> list[str] | None:
        return ["1 2 0", "0"] if len(list(clauses)) > 2 else None

    for changes, says in (
        ({"count": lambda formula: 1}, "counts 1 models instead of"),
        ({"refute": no_proof}, "refute() returns no proof"),
        ({"refute": wrong_proof}, "refute() returns a wrong proof"),
        (
            {"refute": lambda clauses: ["0"]},
            "refute() must return None for clauses that have a model",
        ),
    ):
        with pytest.raises(AssertionError) as caught:
            check_backend(replace(spec(Sound), **changes))  # type: ignore[arg-type]
        assert says in str(caught.value)


def test_what_a_backend_prints_is_dropped(capfd: pytest.CaptureFixture[str]) -> None:
    class Prints(Sound):
        def solve(self, assumptions: Sequence[int] = ()) -> bool:
            os.write(1, b"solving")
            return super().solve(assumptions)

    assert confirm(spec(Prints)) == (Capabilities(assumptions=True), [])
    assert capfd.readouterr() == ("", "")


def test_a_backend_that_cannot_be_opened_is_reported() -> None:
    def failing() -> Backend:
        raise OSError("no such library\nand more")

    capabilities, (fault,) = confirm(spec(failing))
    assert capabilities is None
    assert fault.startswith("raises OSError: no such library (test_check_backend.py, line ")
