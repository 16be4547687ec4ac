"""Puzzles and formulas as JSON, from which another process or machine makes the same formula."""

from itertools import chain
from typing import Annotated, Any, Literal, TypeAlias

from pydantic import BaseModel, ConfigDict, Field

from jigsat import instance
from jigsat.errors import InputError
from jigsat.formula import Formula
from jigsat.puzzle import Puzzle
from jigsat.subject.subject import FormulaSubject, PuzzleSubject, Subject, lines_digest

MAX_VARIABLES = 5_000_000  # maximum number of variables of a formula that is restored


class DescribedPuzzle(BaseModel):
    """A puzzle: the entries of its file, and its name."""

    model_config = ConfigDict(extra="forbid")

    puzzle: dict[str, Any]
    name: str


class DescribedFormula(BaseModel):
    """A formula without symmetries."""

    model_config = ConfigDict(extra="forbid")

    top: Annotated[int, Field(ge=0, le=MAX_VARIABLES)]
    decisions: list[int]
    constraints: list[
        tuple[Literal["clause"], list[int]]
        | tuple[Literal["cardinality"], list[int], int, int]
        | tuple[Literal["xor"], list[int], bool]
        | tuple[Literal["linear"], list[int], list[int], int, int]
    ]
    name: str


Described: TypeAlias = DescribedPuzzle | DescribedFormula


def describe_entries(puzzle: Puzzle) -> dict[str, Any]:
    """The entries of a puzzle's file as data for JSON, without what is known about its solutions."""
    return {"family": puzzle.family, **puzzle.model_dump(mode="json", exclude_defaults=True, exclude={"known"})}


def describe_subject(subject: Subject[Any]) -> Described:
    """A puzzle, or a formula without symmetries, as data for JSON. Raises InputError for anything else."""
    if isinstance(subject, PuzzleSubject):
        return DescribedPuzzle(puzzle=describe_entries(subject.puzzle), name=subject.name)
    if isinstance(subject, FormulaSubject) and subject.can_be_sent:
        formula = subject.formula
        constraints: Any = [(type(constraint).__name__.lower(), *constraint) for constraint in formula.constraints()]
        return DescribedFormula(top=formula.top, decisions=formula.decisions(), constraints=constraints, name=subject.name)
    raise InputError(f"{subject.name}: only puzzles, and formulas without `group`, can be counted with a ledger")


def restore_subject(data: Described) -> Subject[Any]:
    """The subject that was described. Raises InputError if this installation cannot read it."""
    if isinstance(data, DescribedPuzzle):
        return PuzzleSubject(instance.load(data.puzzle).model_copy(update={"name": data.name}))
    formula, decisions = Formula(), set(data.decisions)
    for variable in range(1, data.top + 1):
        decision = variable in decisions
        formula.variables("x" if decision else "auxiliary", ("number",), [(variable,)], decision=decision)
    try:
        for constraint in data.constraints:
            match constraint:
                case "clause", literals:
                    formula.clause(literals)
                case "cardinality", literals, at_least, at_most:
                    formula.between(at_least, at_most, literals)
                case "xor", variables, odd:
                    formula.xor(variables, odd=odd)
                case "linear", literals, weights, at_least, at_most:
                    formula.linear(list(zip(literals, weights, strict=True)), at_least=at_least, at_most=at_most)
    except (ValueError, OverflowError) as error:
        raise InputError(f"{data.name}: a constraint of the formula is wrong: {error}") from error
    return FormulaSubject(formula, name=data.name)


def constraints_digest(formula: Formula) -> str:
    """A hash of the decision variables and of the constraints, without names."""
    return lines_digest(chain([f"{formula.top} {formula.decisions()}"], formula.constraints()))
