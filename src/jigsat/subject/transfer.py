"""Puzzles and formulas as JSON, from which another process or machine makes the same formula."""

from __future__ import annotations

import json
from itertools import chain
from typing import Any

from jigsat import instance
from jigsat.errors import InputError
from jigsat.formula import Cardinality, Clause, Constraint, Formula, Linear, Xor
from jigsat.subject.subject import FormulaSubject, PuzzleSubject, Subject, lines_digest


def described(subject: Subject[Any]) -> dict[str, Any]:
    """A puzzle, or a formula without symmetries, as data for JSON. Raises InputError for anything else."""
    if isinstance(subject, PuzzleSubject):
        data = subject.puzzle.model_dump(mode="json", exclude_defaults=True, exclude={"known"})
        return {"puzzle": {"family": subject.puzzle.family, **data}, "name": subject.name}
    if type(subject) is FormulaSubject and not subject.group(subject.formula).orders:
        formula = subject.formula
        constraints = json.loads(json.dumps(list(map(_numbers, formula.constraints()))))  # lists, as they are read back
        return {"top": formula.top, "decisions": formula.decisions(), "constraints": constraints, "name": subject.name}
    raise InputError(f"{subject.name}: only puzzles, and formulas without `group`, can be counted with a ledger")


def restored(data: dict[str, Any]) -> Subject[Any]:
    """The subject that was described. Raises InputError if this installation cannot read it."""
    if "puzzle" in data:
        return PuzzleSubject(instance.load(data["puzzle"]).model_copy(update={"name": data["name"]}))
    formula, decisions = Formula(), set(data["decisions"])
    for variable in range(1, data["top"] + 1):
        decision = variable in decisions
        formula.variables("x" if decision else "auxiliary", ("number",), [(variable,)], decision=decision)
    for kind, literals, *rest in data["constraints"]:
        match kind:
            case "clause":
                formula.clause(literals)
            case "cardinality":
                formula.between(rest[0], rest[1], literals)
            case "xor":
                formula.xor(literals, odd=rest[0])
            case _:
                formula.linear(list(zip(literals, rest[0], strict=True)), at_least=rest[1], at_most=rest[2])
    return FormulaSubject(formula, name=data["name"])


def _numbers(constraint: Constraint) -> list[Any]:
    match constraint:
        case Clause(literals):
            return ["clause", literals]
        case Cardinality(literals, at_least, at_most):
            return ["cardinality", literals, at_least, at_most]
        case Xor(variables, odd):
            return ["xor", variables, odd]
        case Linear(literals, weights, at_least, at_most):
            return ["linear", literals, weights, at_least, at_most]


def digest_of(formula: Formula) -> str:
    """A hash of the decision variables and of the constraints, without names."""
    return lines_digest(chain([f"{formula.top} {formula.decisions()}"], formula.constraints()))
