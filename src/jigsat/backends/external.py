"""Solver programs: several known ones, and any other that reads DIMACS and answers with exit
status, `s` and `v` lines.

A program is started for each solve. Its exit status and its output must agree, and a model must
satisfy every clause.
"""

import shutil
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from pathlib import Path

from jigsat.backends.base import Backend, Capabilities, Spec
from jigsat.errors import InputError, Stopped
from jigsat.formula import Clause, Constraint, Xor, holds
from jigsat.runtime.guard import Guard

KNOWN: dict[str, tuple[str, tuple[str, ...]]] = {
    "cadical": ("apt-get install cadical", ("-q", "{cnf}")),
    "clasp": ("apt-get install clasp", ("{cnf}",)),
    "cryptominisat5": ("apt-get install cryptominisat", ("--verb", "0", "{cnf}")),
    "kissat": (
        "build https://github.com/arminbiere/kissat and put kissat on your PATH",
        ("-q", "{cnf}"),
    ),
    "minisat": ("apt-get install minisat", ("-verb=0", "{cnf}", "{result}")),
    "picosat": ("apt-get install picosat", ("{cnf}",)),
}
"""For each known program, how to install it, and its arguments. A path is recognised by its last
part."""

MEANING = {10: "SATISFIABLE", 20: "UNSATISFIABLE", 30: "SATISFIABLE"}
"""The meaning of exit statuses; 30 is clasp's, for a model that is the only one."""

MINISAT = {"SAT": "SATISFIABLE", "UNSAT": "UNSATISFIABLE", "INDET": "UNKNOWN"}


def specs() -> Iterator[Spec]:
    """The known programs, on the PATH or not."""
    for name, (install, _) in KNOWN.items():
        yield Spec(name, "program", install, partial(Program, name))


def program(path: str) -> Spec:
    """The backend that runs the program at a path. Raises InputError if there is no executable
    program."""
    if shutil.which(path) is None:
        wrong = (
            "the file is not executable; chmod +x it"
            if Path(path).is_file()
            else "there is no such program"
        )
        raise InputError(f"backend {path}: {wrong}")
    return Spec(path, "program", "", partial(Program, path))


class Program(Backend):
    """A solver program. Raises ImportError if it is not found."""

    def __init__(self, name: str) -> None:
        if not (found := shutil.which(name)):
            raise ImportError(f"{name} is not on the PATH")
        path = Path(found).absolute()
        self.capabilities = Capabilities(assumptions=True, xor=path.name == "cryptominisat5")
        self._name = name
        self._constraints: list[Clause | Xor] = []
        self._lines: list[str] = []
        self._top = 0
        self._model: frozenset[int] = frozenset()
        self._guard = Guard()
        self._cnf, self._result = self._guard.folder / "cnf", self._guard.folder / "result"
        _, arguments = KNOWN.get(path.name, ("", ("{cnf}",)))
        self._command = [
            str(path),
            *(argument.format(cnf=self._cnf, result=self._result) for argument in arguments),
        ]

    def add(self, constraint: Constraint) -> None:
        match constraint:
            case Clause(literals):
                self._lines.append(f"{' '.join(map(str, literals))} 0\n")
            case Xor((first, *others) as literals, odd) if self.capabilities.xor:
                # an odd number of the line's literals is true
                self._lines.append(
                    f"x{' '.join(map(str, (first if odd else -first, *others)))} 0\n"
                )
            case _:
                raise TypeError(f"{self._name} does not accept {constraint.kind} constraints")
        self._constraints.append(constraint)
        self._top = max(self._top, *map(abs, literals))

    def solve(self, assumptions: Sequence[int] = ()) -> bool:
        constraints, lines, top = self._constraints[:], self._lines[:], self._top
        for literal in assumptions:
            self.add(Clause((literal,)))
        try:
            return self._solve()
        except (ValueError, OSError) as error:
            raise Stopped(f"{self._name}: {error}") from None
        finally:
            self._constraints, self._lines, self._top = constraints, lines, top

    def _solve(self) -> bool:
        with self._cnf.open("w", encoding="ascii") as file:
            file.writelines([f"p cnf {self._top} {len(self._lines)}\n", *self._lines])
        self._result.unlink(missing_ok=True)
        status, output, errors = self._guard.run(self._command)
        lines = (
            _read_result_file(self._result)
            if self._result.exists()
            else (output + errors).splitlines()
        )
        model = read_verdict(status, lines, self._top)
        if model is None:
            return False
        self._model = frozenset(literal for literal in model if literal > 0)
        for line, constraint in zip(self._lines, self._constraints, strict=True):
            if not holds(constraint, self._model):
                raise ValueError(f"its model breaks the line '{line.strip()}'")
        return True

    def model(self) -> Sequence[int]:
        return sorted(self._model)

    def close(self) -> None:
        self._guard.close()


def _read_result_file(path: Path) -> Iterator[str]:
    """The lines of MiniSat's result file in the format of SAT competitions: 's SATISFIABLE' for
    SAT, 'v 1 0' for '1 0'."""
    for i, line in enumerate(path.read_text(encoding="utf-8", errors="replace").splitlines()):
        yield f"v {line}" if i else f"s {MINISAT.get(line, line)}"


def read_verdict(status: int, lines: Iterable[str], top: int) -> list[int] | None:
    """The literals of the model over the variables 1 to `top`, or None if the answer is
    UNSATISFIABLE.

    The exit status and the output must agree. Raises ValueError for an answer that is malformed,
    contradictory or truncated.

    >>> read_verdict(10, ["c a comment", "s SATISFIABLE", "v 1 -2", "v 3 0"], top=3)
    [1, -2, 3]
    >>> read_verdict(20, ["s UNSATISFIABLE"], top=3)
    >>> read_verdict(20, ["s SATISFIABLE", "v 1 0"], top=3)
    Traceback (most recent call last):
    ValueError: exit status 20 means UNSATISFIABLE, but it says SATISFIABLE
    """
    lines = list(lines)
    if status not in MEANING:
        raise ValueError(
            ": ".join(
                [
                    f"it ended with exit status {status}",
                    *[line for line in lines if line.strip()][-1:],
                ]
            )
        )
    verdicts = [line[2:].strip() for line in lines if line.startswith("s ")]
    if verdicts != [MEANING[status]]:
        raise ValueError(
            f"exit status {status} means {MEANING[status]}, but it says "
            f"{' and '.join(verdicts) or 'nothing'}"
        )
    values = [word for line in lines if line[:2] in ("v", "v ") for word in line[2:].split()]
    if bool(values) != (verdicts == ["SATISFIABLE"]):
        raise ValueError(f"it says {verdicts[0]} and gives {'a' if values else 'no'} model")
    for word in values:
        if not word.removeprefix("-").isdecimal() or abs(int(word)) > top:
            raise ValueError(f"{word[:20]!r} in its model is not a literal of the formula")
    if not values:
        return None
    *literals, end = map(int, values)
    if end != 0 or 0 in literals:
        raise ValueError("its model does not end with a single 0")
    if len(set(map(abs, literals))) < len(set(literals)):
        raise ValueError("a variable is both true and false in its model")
    return literals
