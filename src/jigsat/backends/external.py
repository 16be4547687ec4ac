"""Solver programs: several known ones, and any other that reads DIMACS and answers with exit
status, `s` and `v` lines.

A program is started for each solve; clasp lists all models by itself. The exit status and the
output must agree, and a model must satisfy every clause.
"""

import shutil
import signal
from collections import Counter
from collections.abc import Generator, Iterable, Iterator, Sequence
from functools import partial
from hashlib import sha256
from pathlib import Path

from jigsat.backends.base import Backend, Capabilities, Enumerating, Spec
from jigsat.errors import CheckError, InputError, Stopped
from jigsat.formula import Clause, Constraint, Xor, holds
from jigsat.runtime.guard import Guard

LIST_ALL = ("--models=0",)
PROJECT = ("--parse-ext", "--project")
"""clasp's arguments for all models, and for each projection once."""

KNOWN: dict[str, tuple[str, tuple[str, ...]]] = {
    "cadical": ("apt-get install cadical", ("-q", "{cnf}")),
    "clasp": ("apt-get install clasp", (*LIST_ALL, *PROJECT, "{cnf}")),
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

UNKNOWN = ("", ("{cnf}",))  # the same for any other program

SEED_ARGUMENTS: dict[str, tuple[str, ...]] = {
    "cadical": ("--seed={seed}",),
    "clasp": ("--seed={seed}",),
    "cryptominisat5": ("--random", "{seed}"),
    "kissat": ("--seed={seed}",),
    "minisat": ("-rnd-init", "-rnd-seed={seed}.5"),  # it refuses 0
    "picosat": ("-s", "{seed}"),
}
"""For each known program, the arguments that set the seed of its random numbers."""

MEANING = {10: "SATISFIABLE", 20: "UNSATISFIABLE", 30: "SATISFIABLE"}
"""The meaning of exit statuses; 30 is clasp's, for a model that is the only one."""

NOT_EXHAUSTED = 10  # clasp's exit status if it found a model and did not look for all others

MINISAT = {"SAT": "SATISFIABLE", "UNSAT": "UNSATISFIABLE", "INDET": "UNKNOWN"}


def specs() -> Iterator[Spec]:
    """The known programs, on the PATH or not."""
    for name, (install, _) in KNOWN.items():
        yield _spec(name, install)


def program(path: str) -> Spec:
    """The backend that runs the program at a path. Raises InputError if there is no executable
    program."""
    if shutil.which(path) is None:
        wrong = "there is no such program"
        if Path(path).is_file():
            wrong = "the file is not executable; chmod +x it"
        raise InputError(f"backend {path}: {wrong}")
    return _spec(path, "")


def _spec(name: str, install: str) -> Spec:
    """The backend of a program, which is recognised by the last part of its path."""
    last = Path(name).name
    kind = Clasp if last == "clasp" else Program
    _, arguments = KNOWN.get(last, UNKNOWN)
    return Spec(
        name,
        "program",
        install,
        partial(kind, name),
        establishes="exhaustion" if last == "clasp" else "refutation",
        open_seeded=partial(kind, name) if last in SEED_ARGUMENTS else None,
        options=" ".join(arguments),
        seed_options=" ".join(SEED_ARGUMENTS.get(last, ())),
    )


def _locate(name: str) -> Path:
    """The path of a program. Raises ImportError if it is not found."""
    path = shutil.which(name)
    if not path:
        raise ImportError(f"{name} is not on the PATH")
    return Path(path).absolute()


def _list_seed_arguments(path: Path, seed: int | None) -> list[str]:
    if seed is None:
        return []
    return [argument.format(seed=seed) for argument in SEED_ARGUMENTS[path.name]]


class Program(Backend):
    """A solver program. Raises ImportError if it is not found."""

    restarts = True

    def __init__(self, name: str, seed: int | None = None) -> None:
        path = _locate(name)
        self.capabilities = Capabilities(assumptions=True, xor=path.name == "cryptominisat5")
        self._name = name
        self._constraints: list[Clause | Xor] = []
        self._lines: list[str] = []
        self._top = 0
        self._model: frozenset[int] = frozenset()
        self._guard = Guard()
        self._cnf, self._result = self._guard.folder / "cnf", self._guard.folder / "result"
        _, arguments = KNOWN.get(path.name, UNKNOWN)
        self._command = [
            str(path),
            *_list_seed_arguments(path, seed),
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
        constraints = self._constraints[:]
        lines = self._lines[:]
        top = self._top
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
        _refuse_crash(self._name, status)
        lines: Iterable[str]
        if self._result.exists():
            lines = _read_result_file(self._result)
        else:
            lines = (output + errors).splitlines()
        model = read_verdict(status, lines, self._top)
        if model is None:
            return False
        self._model = frozenset(literal for literal in model if literal > 0)
        for line, constraint in zip(self._lines, self._constraints, strict=True):
            if not holds(constraint, self._model):
                raise CheckError(f"{self._name}: its model breaks the line '{line.strip()}'")
        return True

    def model(self) -> Sequence[int]:
        return sorted(self._model)

    def statistics(self) -> dict[str, int]:
        return list_usage(self._guard)

    def close(self) -> None:
        self._guard.close()


class Clasp(Enumerating):
    """clasp as a program, which lists all models by itself, each projection on the decision
    variables once. Raises ImportError if it is not found."""

    capabilities = Capabilities(assumptions=True, enumerates=True)

    def __init__(self, name: str, seed: int | None = None) -> None:
        super().__init__()
        path = _locate(name)
        self._name = name
        self._options = _list_seed_arguments(path, seed)
        self._path = path
        self._clauses: list[tuple[int, ...]] = []
        self._projected: Sequence[int] | None = None
        self._usage: Counter[str] = Counter()

    def project(self, variables: Sequence[int]) -> None:
        self._projected = variables

    def add(self, constraint: Constraint) -> None:
        if not isinstance(constraint, Clause):
            raise TypeError(f"{self._name} does not accept {constraint.kind} constraints")
        self._start_over()
        self._clauses.append(constraint.literals)

    def _models(self, assumptions: Sequence[int]) -> Generator[list[int], None, None]:
        clauses = [*self._clauses, *((literal,) for literal in assumptions)]
        top = max((abs(literal) for clause in clauses for literal in clause), default=0)
        top = max(top, *(self._projected or ()), 0)
        guard = Guard()
        try:
            cnf = guard.folder / "cnf"
            with cnf.open("w", encoding="ascii") as file:
                file.writelines(self._list_lines(clauses, top))
            command = [str(self._path), *self._options, *LIST_ALL]
            if self._projected is not None:
                command += PROJECT
            last: list[str] = []
            verdicts = []
            listed: set[bytes] = set()
            for line in guard.stream([*command, str(cnf)]):
                if line.startswith("v"):
                    if last[-1:] == ["0"]:
                        last = []
                    last += line[1:].split()
                    if last[-1:] == ["0"]:
                        model = self._read_model(last, clauses, top)
                        self._note_model(model, listed)
                        yield model
                elif line.startswith("s "):
                    verdicts.append(line.rstrip())
            _refuse_crash(self._name, guard.status)
            # The verdict is printed once, below all models.
            models = [f"v {' '.join(last)}"] if last else []
            read_verdict(guard.status, [*verdicts, *models], top)
            if guard.status == NOT_EXHAUSTED:
                raise ValueError("it ended before it had listed all models")
        except (ValueError, OSError) as error:
            raise Stopped(f"{self._name}: {error}") from None
        finally:
            guard.close()
            self._usage.update(list_usage(guard))

    def statistics(self) -> dict[str, int]:
        return dict(self._usage)

    def _note_model(self, model: Sequence[int], listed: set[bytes]) -> None:
        """Raises CheckError if the model was listed before: then the number of lines says nothing,
        and another model may be missing. Models are noted by their hashes, because there may be
        millions."""
        distinct = frozenset(model)
        if self._projected is not None:
            distinct = distinct.intersection(self._projected)
        digest = sha256(repr(sorted(distinct)).encode()).digest()
        if digest in listed:
            raise CheckError(f"{self._name}: it lists a model twice")
        listed.add(digest)

    def _list_lines(self, clauses: Sequence[Sequence[int]], top: int) -> Iterator[str]:
        """The lines of the DIMACS file."""
        yield f"p cnf {top} {len(clauses)}\n"
        if self._projected is not None:
            yield f"c project {' '.join(map(str, self._projected))} 0\n"
        for clause in clauses:
            yield f"{' '.join(map(str, clause))} 0\n"

    def _read_model(
        self, words: Sequence[str], clauses: Sequence[tuple[int, ...]], top: int
    ) -> list[int]:
        """The true variables of a model. Raises CheckError for a wrong one, and ValueError if it is
        malformed."""
        literals = read_verdict(10, ["s SATISFIABLE", f"v {' '.join(words)}"], top) or []
        true = sorted(literal for literal in literals if literal > 0)
        hold = {*true, *(-x for x in range(1, top + 1))}.difference([-x for x in true])
        for clause in clauses:
            if hold.isdisjoint(clause):
                line = f"{' '.join(map(str, clause))} 0"
                raise CheckError(f"{self._name}: its model breaks the line '{line}'")
        return true


def list_usage(guard: Guard) -> dict[str, int]:
    """The processor time and the peak memory of the programs that have ended, for statistics."""
    return {"program_us": guard.processor_us, "program_kb": guard.memory_kb}


def _refuse_crash(name: str, status: int) -> None:
    """Raises Stopped if a signal killed the program."""
    if status < 0:
        number = -status
        raise Stopped(f"crash: {name} was killed by signal {number} ({signal.strsignal(number)})")


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
        raise ValueError(_describe_end(status, lines))
    verdicts = [line[2:].strip() for line in lines if line.startswith("s ")]
    if verdicts != [MEANING[status]]:
        raise ValueError(
            f"exit status {status} means {MEANING[status]}, but it says "
            f"{' and '.join(verdicts) or 'nothing'}"
        )
    words = [word for line in lines if line[:2] in ("v", "v ") for word in line[2:].split()]
    if bool(words) != (verdicts == ["SATISFIABLE"]):
        raise ValueError(f"it says {verdicts[0]} and gives {'a' if words else 'no'} model")
    return _read_literals(words, top) if words else None


def _describe_end(status: int, lines: Iterable[str]) -> str:
    """An exit status that is no answer, with the last line that is not part of a model."""
    description = f"it ended with exit status {status}"
    comments = [line for line in lines if line.strip() and not line.startswith("v")]
    return f"{description}: {comments[-1]}" if comments else description


def _read_literals(words: Sequence[str], top: int) -> list[int]:
    """The literals of a model. Raises ValueError if it is malformed."""
    for word in words:
        if not word.removeprefix("-").isdecimal() or abs(int(word)) > top:
            raise ValueError(f"{word[:20]!r} in its model is not a literal of the formula")
    *literals, end = map(int, words)
    if end != 0 or 0 in literals:
        raise ValueError("its model does not end with a single 0")
    if len(set(map(abs, literals))) < len(set(literals)):
        raise ValueError("a variable is both true and false in its model")
    return literals
