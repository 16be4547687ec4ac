"""Parse the answers of all kinds of solvers.

Supported are the output lines of the competitions (`s`, `v`, and `o` with the cost), with values as
literals, as x1 -x2, or as a string of 0 and 1 for variables 1, 2, …; MiniSat's result file; and
models of SMT solvers, as `define-fun` or as pairs of `get-value`. An answer may contain several
models.

>>> parse("s SATISFIABLE\\nv 1 -2\\nv 3 0\\n").models
(SolverModel(literals={1: True, 2: False, 3: True}, symbols={}, cost=None),)
>>> parse("o 2\\ns OPTIMUM FOUND\\nv 011\\n").models
(SolverModel(literals={1: False, 2: True, 3: True}, symbols={}, cost=2),)
>>> parse("sat\\n((define-fun |cell 1| () Bool true))").models
(SolverModel(literals={}, symbols={'cell 1': 'true'}, cost=None),)
>>> parse("UNSAT").status
'unsatisfiable'
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from jigsat.errors import InputError

Status = Literal["satisfiable", "unsatisfiable", "unknown"]
SAYS: dict[str, Status] = {
    "SAT": "satisfiable",
    "SATISFIABLE": "satisfiable",
    "OPTIMUM FOUND": "satisfiable",
    "UNSAT": "unsatisfiable",
    "UNSATISFIABLE": "unsatisfiable",
    "INDET": "unknown",
    "INDETERMINATE": "unknown",
    "UNKNOWN": "unknown",
    "UNSUPPORTED": "unknown",
}

MAX_ANSWER_BYTES = 64 * 2**20  # maximum size of an answer, in bytes or characters
MAX_VALUES = 10_000_000  # maximum number of values, or of tokens in an SMT solver's model
MAX_DEPTH = 1000  # maximum nesting depth of an SMT solver's model


@dataclass
class SolverModel:
    """One assignment, by variable or by symbol, the cost that the solver claims for it, and the
    line of its first value, if it is in lines."""

    literals: dict[int, bool] = field(default_factory=dict)
    symbols: dict[str, str] = field(default_factory=dict)
    cost: int | None = None
    line: int = field(default=0, compare=False, repr=False)


@dataclass(frozen=True)
class SolverAnswer:
    """A solver's answer. With a model it is satisfiable, even if the solver states at the end that
    there are no more."""

    status: Status
    models: tuple[SolverModel, ...] = ()


def parse(text: str) -> SolverAnswer:
    """The answer in a solver's output. Raises InputError if there is none or it is malformed."""
    if len(text) > MAX_ANSWER_BYTES:
        raise InputError(f"larger than {MAX_ANSWER_BYTES // 2**20} MiB, the limit for an answer")
    smt = re.search(r"^[ \t]*(\(|sat\s*$|unsat\s*$|unknown\s*$)", text, re.MULTILINE)
    return (_read_expressions(text) if smt else _read_lines(text)).answer()


class _Reader:
    """Collects what a solver says. 'satisfiable' may precede each model, and 'unsatisfiable' follow
    the last.

    In lines, a model ends with 0, or before a line that begins with a variable it already has.
    """

    def __init__(self) -> None:
        self.models: list[SolverModel] = []
        self.statuses: list[tuple[Status, int]] = []  # with the number of models before it
        self.cost: int | None = None
        self._open: SolverModel | None = None
        self._values = 0

    def end_model(self) -> None:
        """End the model that is being read, if there is one."""
        self.models += [self._open] if self._open else []
        self._open = None

    def _model(self, line: int = 0) -> SolverModel:
        """The model that is being read."""
        self._open = self._open or SolverModel(cost=self.cost, line=line)
        return self._open

    def add_status(self, status: Status) -> None:
        """Record a status. Raises InputError if it contradicts what was said before."""
        self.end_model()
        last, before = self.statuses[-1] if self.statuses else (None, 0)
        if last == "unsatisfiable" and status != last:
            raise InputError(f"it states 'unsatisfiable' and then '{status}'")
        if status == "unsatisfiable" != last:
            if last == "satisfiable" and len(self.models) == before:
                raise InputError(
                    "it states 'satisfiable' and then 'unsatisfiable', with no assignment "
                    "between them"
                )
            if self.models and not any(stated == "satisfiable" for stated, _ in self.statuses):
                raise InputError("it gives an assignment and then states 'unsatisfiable'")
        self.statuses.append((status, len(self.models)))

    def add_values(self, values: Sequence[str], number: int) -> None:
        """Add the values in a line of this number."""
        self._values += len(values) if len(values) > 1 else sum(map(len, values))
        if self._values > MAX_VALUES:
            raise InputError(
                f"line {number}: more than {MAX_VALUES:,} values, the limit for an answer"
            )
        if len(values) == 1 and re.fullmatch("[01]{2,}", values[0]):
            self.end_model()
            self._model(number).literals.update(
                (i, bit == "1") for i, bit in enumerate(values[0], 1)
            )
            self.end_model()
            return
        for i, value in enumerate(values):
            parts = LITERAL.fullmatch(value)
            if not parts:
                raise InputError(f"line {number}: {value[:40]!r} is not a literal")
            variable = _integer(parts[2], number)
            if variable in self._model(number).literals:
                if i > 0:
                    raise InputError(f"line {number}: variable {variable} already has a value")
                self.end_model()
            if variable:
                self._model(number).literals[variable] = not parts[1]
            else:
                self.end_model()

    def define(self, expression: Expression) -> None:
        """Add the value of a constant; definitions with parameters, or by a term that is not a
        value, are ignored."""
        match expression:
            case ["define-fun", str(name), [], _, ["as", str(value), _] | str(value)] | [
                str(name),
                str(value),
            ]:
                if name in self._model().symbols:
                    self.end_model()
                if numbered := re.fullmatch(
                    "k!([0-9]{1,18})", name
                ):  # Z3's name for a variable of an OPB file
                    self._model().literals[int(numbered[1])] = value == "true"
                else:
                    self._model().symbols[name] = value

    def answer(self) -> SolverAnswer:
        """The answer at the end of the output. Raises InputError if there is none, or if a model
        contradicts a status."""
        self.end_model()
        statuses = {status for status, _ in self.statuses}
        if (
            self.statuses
            and self.statuses[-1][0] == "unsatisfiable"
            and self.statuses[-1][1] < len(self.models)
        ):
            raise InputError("it states 'unsatisfiable' and then gives an assignment")
        if self.models:
            return SolverAnswer("satisfiable", tuple(self.models))
        if "unsatisfiable" in statuses:
            return SolverAnswer("unsatisfiable")
        if "satisfiable" in statuses:
            raise InputError(
                "it states 'satisfiable' without an assignment; have the solver print one "
                "(MiniSat writes it to a second file)"
            )
        if not statuses:
            raise InputError("contains no solver's answer: no line with s, v or SAT, and no model")
        return SolverAnswer("unknown")


# -- lines

LITERAL = re.compile(r"(-?)x?([0-9]+)")


def _read_lines(text: str) -> _Reader:
    reader = _Reader()
    bare = refuted = False  # MiniSat's result file has literals without the v
    for number, line in enumerate(text.splitlines(), 1):
        match line.split():
            case ["s", *words]:
                status = " ".join(words)
                if status not in SAYS:
                    known = ", ".join(SAYS)
                    raise InputError(
                        f"line {number}: unknown status {status[:40]!r}; known are {known}"
                    )
                reader.add_status(SAYS[status])
            case [word] if word in SAYS:
                reader.add_status(SAYS[word])
                bare, refuted = word == "SAT", word == "UNSAT"
            case ["o", cost] if re.fullmatch(r"-?[0-9]+", cost):
                reader.end_model()
                reader.cost = _integer(cost, number)
            case ["o", *words]:
                raise InputError(
                    f"line {number}: expected one whole number after 'o', the cost; got "
                    f"{' '.join(words)[:40]!r}"
                )
            case ["v", *values]:
                reader.add_values(values, number)
            case [*values] if bare and values:
                reader.add_values(values, number)
                bare = values[-1] != "0"
            case [*values, "0"] if refuted and all(map(LITERAL.fullmatch, values)):
                reader.add_values(
                    [*values, "0"], number
                )  # a model after 'unsatisfiable', which is refused later
    return reader


def _integer(digits: str, line: int) -> int:
    if len(digits) > 18:
        raise InputError(f"line {line}: a number of {len(digits):,} digits")
    return int(digits)


# -- expressions

Expression: TypeAlias = "str | list[Expression]"


def _read_expressions(text: str) -> _Reader:
    reader = _Reader()
    for expression in _expressions(text):
        match expression:
            case "sat" | "unsat" | "unknown":
                reader.add_status(SAYS[expression.upper()])
            case ["define-fun", *_]:
                reader.define(expression)
            case [*parts]:
                for part in parts:
                    reader.define(part)
    return reader


def _expressions(text: str) -> Iterator[Expression]:
    """The S-expressions of a text; |quoted symbols| lose their quotes."""
    nested: list[list[Expression]] = []
    for number, match in enumerate(
        re.finditer(r'\|[^|]*\||"[^"]*(?:""[^"]*)*"|[()]|;[^\n]*|[^\s()|";]+', text)
    ):
        token = match[0]
        if number > MAX_VALUES:
            raise InputError(
                f"more than {MAX_VALUES:,} words and parentheses, the limit for a model"
            )
        if token.startswith(";"):
            continue
        if token == "(":
            if len(nested) == MAX_DEPTH:
                raise InputError(f"nested more than {MAX_DEPTH:,} levels deep")
            nested.append([])
            continue
        if token != ")":
            expression: Expression = token.strip("|")
        elif nested:
            expression = nested.pop()
        else:
            raise InputError("a closing parenthesis without an opening one")
        if nested:
            nested[-1].append(expression)
        else:
            yield expression
    if nested:
        raise InputError("ends in the middle of a model")
