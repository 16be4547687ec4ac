"""Check another solver's answer: every model must satisfy the formula, and for a puzzle it must
also be a solution."""

from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from jigsat.backends import DEFAULT, open_backend
from jigsat.errors import CheckError, InputError
from jigsat.formats.answers import MAX_ANSWER_BYTES, SolverAnswer, parse
from jigsat.formats.export import groups_of
from jigsat.formats.smtlib import Symbols
from jigsat.formula import Assignment, Formula, Lowered
from jigsat.puzzle import Puzzle, Solution
from jigsat.runtime import untrusted
from jigsat.subject import FormulaSubject, PuzzleSubject, Subject
from jigsat.symmetry import Model, Placement

# constraint group with the clauses that exclude solutions found earlier
BLOCKED = "known solutions"


@dataclass(frozen=True)
class DecodeRequest:
    """Another solver's answer, as text, to a puzzle or formula.

    `exported` is the file that was given to the solver; it must belong to the puzzle. `origin` is
    what messages call the answer.
    """

    subject: Subject[Any]
    text: str
    exported: Path | None = None
    origin: str = ""


@dataclass(frozen=True)
class Decoded:
    """The answer, its solutions or models, which are checked, and whether the exported file
    excludes known solutions."""

    answer: SolverAnswer
    solutions: list[Any]
    excludes_known: bool


def decode(request: DecodeRequest) -> Decoded:
    """Check an answer.

    Raises InputError for an answer that cannot be read or breaks the formula, and for an exported
    file of something else; CheckError for an assignment that breaks a rule of the puzzle.
    """
    subject = request.subject
    formula = subject.formula if isinstance(subject, FormulaSubject) else subject.encode()
    groups = []
    if request.exported is not None:
        groups = groups_of(request.exported, formula, subject)
    try:
        answer = parse(request.text)
        solutions: list[Any]
        if isinstance(subject, PuzzleSubject):
            solutions = list(read_solutions(subject.puzzle, formula, answer))
        else:
            models = dict.fromkeys(confirm_models(formula, answer, "the formula"))
            solutions = [Assignment(formula, model) for model in models]
    except InputError as error:
        if not request.origin:
            raise
        raise InputError(f"{request.origin}: {error}") from error
    return Decoded(answer, solutions, BLOCKED in groups)


def read_answer(path: Path) -> str:
    """The text of a file with an answer. Raises InputError if it cannot be read or is too large."""
    return untrusted.content(path, MAX_ANSWER_BYTES).decode(errors="replace")


def read_solutions(puzzle: Puzzle, formula: Formula, answer: SolverAnswer) -> list[Solution]:
    """The solutions for the models of an answer, each once. Raises InputError for a model that
    breaks the formula, CheckError for one that breaks a rule."""
    solutions: dict[tuple[Placement, ...], Solution] = {}
    for number, model in enumerate(confirm_models(formula, answer, puzzle.name), 1):
        placements = tuple(map(formula.key, sorted(model)))
        for broken in puzzle.check(placements):
            which = _which(number, answer)
            raise CheckError(
                f"{which} satisfies the encoding of {puzzle.name} but is not a solution: "
                f"{broken}. This is a bug"
            )
        solutions[placements] = Solution(puzzle, placements)
    return list(solutions.values())


def confirm_models(formula: Formula, answer: SolverAnswer, name: str) -> Iterator[Model]:
    """The true decision variables of each model of an answer; messages use `name` for the formula.

    A decision variable without a value counts as false, because some solvers omit irrelevant or
    false variables. An auxiliary variable without a value may have any value. Raises InputError for
    a model that breaks the formula, with the first constraint group that is broken, and for a model
    whose stated cost is not its cost.
    """
    symbols = Symbols(formula) if any(model.symbols for model in answer.models) else None
    decisions = formula.decisions()
    # A .wcnf has no negative weights: they are written as weights of the negated literals, so all
    # costs are higher by their sum.
    wcnf_offset = -sum(weight for weight in formula.objective.values() if weight < 0)
    with closing(open_backend(DEFAULT)) as solver:
        solver.load(formula)
        for number, stated in enumerate(answer.models, 1):
            values = dict.fromkeys(decisions, False)
            for variable, value in stated.literals.items():
                if variable <= formula.top:
                    values[variable] = value
            if symbols:
                values |= symbols.read_values(stated.symbols)
            literals = [variable if value else -variable for variable, value in values.items()]
            which = _which(number, answer)
            if not solver.solve(literals):
                broken = _first_broken(formula, literals)
                raise InputError(f"{which} is not a solution of {name}: it breaks {broken!r}")
            cost = formula.cost(set(solver.model()))
            if formula.objective and stated.cost not in (None, cost, cost + wcnf_offset):
                raise InputError(
                    f"{which} has the cost {cost}, but the solver states {stated.cost}"
                )
            yield frozenset(variable for variable in decisions if values[variable])


def _which(number: int, answer: SolverAnswer) -> str:
    if len(answer.models) == 1:
        return "the assignment"
    line = answer.models[number - 1].line
    where = f" in line {line}" if line else ""
    return f"assignment {number} of {len(answer.models)}{where}"


def _first_broken(formula: Formula, literals: Sequence[int]) -> str:
    """The first group that cannot be satisfied together with the literals and the groups before
    it."""
    with closing(open_backend(DEFAULT)) as solver:
        for name, constraints in Lowered(formula, native=solver.capabilities.native).groups():
            for constraint in constraints:
                solver.add(constraint)
            if not solver.solve(literals):
                return name
    raise AssertionError("a model of every group is a model")
