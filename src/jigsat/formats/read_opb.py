"""Reading OPB files: sums of weighted literals, which are constraints or the objective."""

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
    parse_long_integer,
    require_number,
    with_objective,
)
from jigsat.formula import Formula

SIZE = re.compile(r"\* ?#variable= ?(\d{1,9}) #constraint= ?(\d{1,9})(?!\d)", re.ASCII)
RELATION = re.compile(r"([<>=!]+) ?([+-]? ?\d+)$", re.ASCII)
TERM = re.compile(r" ?([+-]?) ?(\d*) ?\*? ?(~?) ?x(\d+)(?!\w)", re.ASCII)
RELATIONS = (">=", "<=", "=")
EXAMPLE = "a sum such as '+1 x1 -2 ~x3 >= 2'"

Term = tuple[int, int]  # a literal and its weight


class Size(NamedTuple):
    """The numbers of variables and constraints in the first line."""

    variables: int
    constraints: int


class Sum(NamedTuple):
    """A constraint: the terms, the relation and the bound."""

    terms: list[Term]
    relation: str
    bound: int

    def add_to(self, formula: Formula) -> None:
        at_least = self.bound if self.relation in (">=", "=") else None
        at_most = self.bound if self.relation in ("<=", "=") else None
        formula.linear(self.terms, at_least=at_least, at_most=at_most)


class Statements:
    """What was read so far. A statement ends with a semicolon, and may take several lines."""

    def __init__(self) -> None:
        self.shown: set[int] | None = None
        self.size: Size | None = None
        self.sums: list[Sum] = []
        self.objective: list[Term] | None = None
        self.maximizes = False
        self.unfinished = ""

    def read_comment(self, line: Line) -> None:
        if size := SIZE.match(line.text):
            if self.size:
                raise ValueError(
                    f"line {line.number}: a second header; expected one line '* #variable= … "
                    f"#constraint= …'"
                )
            self.size = Size(int(size[1]), int(size[2]))
        self.shown = add_shown_variables(line, self.shown)

    def read_line(self, line: Line) -> None:
        *whole, rest = f"{self.unfinished} {line.text}".split(";")
        for statement in whole:
            if not statement.strip():
                raise ValueError(f"line {line.number}: nothing stands before ';'; remove it")
            self._read_statement(statement.strip(), line.number)
        self.unfinished = rest.strip()

    def _read_statement(self, statement: str, number: int) -> None:
        objective = re.match(r"(min|max) ?:", statement)
        if not objective:
            self.sums.append(_read_sum(statement, number))
            return
        if self.objective is not None:
            raise ValueError(f"line {number}: a second objective; a formula has one")
        self.objective = _read_terms(statement[objective.end() :], number)
        self.maximizes = objective[1] == "max"

    def list_terms(self) -> Iterator[Term]:
        for total in self.sums:
            yield from total.terms
        yield from self.objective or ()


def read_opb(lines: Iterator[Line]) -> ReadFormula:
    """The formula of a file. Raises ValueError with the line."""
    statements = Statements()
    for line in lines:
        if line.text.startswith("*"):
            statements.read_comment(line)
        else:
            other = name_other_format(line.text)
            if other and not statements.size:
                raise ValueError(f"line {line.number}: not OPB; this is {other}")
            statements.read_line(line)
    if statements.unfinished:
        raise ValueError("the last constraint does not end with ';'; the file may be cut off")
    size = statements.size
    if size is None:
        raise ValueError("not OPB: the first line '* #variable= … #constraint= …' is missing")
    require_number(size.constraints, len(statements.sums), "constraint")
    formula = make_formula(size.variables, statements.shown)
    highest = max((abs(literal) for literal, _ in statements.list_terms()), default=0)
    if highest > size.variables:
        raise ValueError(f"variable x{highest}, but there are only {size.variables:,}")
    for constraint in statements.sums:
        constraint.add_to(formula)
    return with_objective(formula, statements.objective or (), maximize=statements.maximizes)


def _read_sum(statement: str, number: int) -> Sum:
    """The constraint of a statement such as `+1 x1 -2 ~x3 >= 2`."""
    if re.match(r"soft ?:|\[", statement):
        raise ValueError(
            f"line {number}: a soft constraint (WBO), which is not read; write the cost as 'min:'"
        )
    end = RELATION.search(statement)
    if not end or end[1] not in RELATIONS:
        raise ValueError(f"line {number}: expected {EXAMPLE}, got {_shorten(statement)!r}")
    bound = parse_long_integer(end[2].replace(" ", ""), number)
    return Sum(_read_terms(statement[: end.start()], number), end[1], bound)


def _read_terms(text: str, number: int) -> list[Term]:
    """The terms of a sum. The weight 1, spaces, and the sign of the first term may be missing."""
    terms: list[Term] = []
    position = 0
    while position < len(text.rstrip()):
        term = TERM.match(text, position)
        if not term:
            raise ValueError(f"line {number}: expected {EXAMPLE}, got {_shorten(text.strip())!r}")
        sign, weight, negation, digits = term.groups()
        if terms and not sign and not weight:
            raise ValueError(
                f"line {number}: expected {EXAMPLE}, got {_shorten(text.strip())!r}; products of "
                f"variables are not read"
            )
        variable = parse_integer(digits, number)
        if not variable:
            raise ValueError(f"line {number}: variables are numbered from x1")
        value = parse_long_integer(weight or "1", number)
        literal = -variable if negation else variable
        terms.append((literal, -value if sign == "-" else value))
        position = term.end()
    return terms


def _shorten(text: str) -> str:
    return text if len(text) <= 40 else f"{text[:40]}…"
