"""Reading MaxSAT files: WCNF in the format of 2022, and in the older one, whose header states the
weight of hard clauses."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from jigsat.formats.statements import (
    Line,
    ReadFormula,
    add_shown_variables,
    make_formula,
    name_other_format,
    parse_integer,
    require_number,
    with_objective,
)

HEADER = "p wcnf VARIABLES CLAUSES TOP"
MAX_WEIGHT_DIGITS = 20  # of 2⁶⁴, a usual weight of hard clauses


class Header(NamedTuple):
    """The header of the older format. Clauses of weight `top` are hard."""

    variables: int
    clauses: int
    top: int


class WeightedClause(NamedTuple):
    """A clause with the cost of breaking it, None for a hard one."""

    cost: int | None
    literals: list[int]


def read_wcnf(lines: Iterator[Line]) -> ReadFormula:
    """The formula of a file. Raises ValueError with the line."""
    shown: set[int] | None = None
    header: Header | None = None
    clauses: list[WeightedClause] = []
    for line in lines:
        if line.text.startswith("c"):
            shown = add_shown_variables(line, shown)
        elif line.text.startswith("p"):
            if header or clauses:
                where = "a second header" if header else "a header after clauses"
                raise ValueError(
                    f"line {line.number}: {where}; expected one line '{HEADER}' at the top, or none"
                )
            header = _read_header(line)
        else:
            clauses.append(_read_clause(line, header))

    highest = max((abs(x) for clause in clauses for x in clause.literals), default=0)
    if header:
        require_number(header.clauses, len(clauses), "clause")
        highest = header.variables
    return _make_formula(highest, shown, clauses)


def _read_header(line: Line) -> Header:
    pattern = rf"p wcnf (\d{{1,9}}) (\d{{1,9}}) (\d{{1,{MAX_WEIGHT_DIGITS}}})"
    header = re.fullmatch(pattern, line.text, re.ASCII)
    if header:
        if not int(header[3]):
            raise ValueError(f"line {line.number}: the weight of hard clauses is 0")
        return Header(int(header[1]), int(header[2]), int(header[3]))
    if re.fullmatch(r"p wcnf \d+ \d+", line.text, re.ASCII):
        raise ValueError(
            f"line {line.number}: weighted MaxSAT without hard clauses, which is not read; add a "
            f"TOP above all weights: '{HEADER}'"
        )
    if not line.text.startswith("p wcnf ") and (other := name_other_format(line.text)):
        raise ValueError(f"line {line.number}: expected '{HEADER}'; this is {other}")
    raise ValueError(f"line {line.number}: expected '{HEADER}', or no header")


def _read_clause(line: Line, header: Header | None) -> WeightedClause:
    first, *words = line.text.split()
    *literals, end = [parse_integer(word, line.number) for word in words or [""]]
    hard = first == "h" and header is None
    weight = 0 if hard else parse_integer(first, line.number, MAX_WEIGHT_DIGITS)
    if end != 0 or 0 in literals or weight < 0:
        kind = "a weight" if header else "'h' or a weight"
        raise ValueError(
            f"line {line.number}: expected {kind}, then the literals of a clause and 0"
        )
    if header:
        highest = max(map(abs, literals), default=0)
        if highest > header.variables:
            raise ValueError(
                f"line {line.number}: variable {highest}, but there are only {header.variables:,}"
            )
        if weight > header.top:
            raise ValueError(
                f"line {line.number}: weight {weight:,}, but hard clauses have {header.top:,}, "
                f"which no weight exceeds"
            )
        hard = weight == header.top
    return WeightedClause(None if hard else weight, literals)


def _make_formula(
    variables: int, shown: set[int] | None, clauses: list[WeightedClause]
) -> ReadFormula:
    """The formula of the clauses. A soft clause of one literal is a term of the objective; another
    one gets a variable that tells whether it is broken."""
    formula = make_formula(variables, shown)
    costs: list[tuple[int, int]] = []
    for number, (cost, literals) in enumerate(clauses, 1):
        if cost is None:
            formula.clause(literals)
        elif len(literals) == 1:
            costs.append((-literals[0], cost))
        elif cost:
            decision = shown is None
            broken = formula.variables(
                "broken", ("clause",), [(number,)], decision=decision, listed=False
            )
            costs.append((broken(number), cost))
            formula.clause([broken(number), *literals])
            formula.clauses((-broken(number), -literal) for literal in literals)
    return with_objective(formula, costs)
