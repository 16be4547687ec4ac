"""Reading DIMACS files with clauses and XOR lines."""

import re
from collections.abc import Callable, Iterator

from jigsat.formats.statements import (
    Line,
    ReadFormula,
    add_shown_variables,
    make_formula,
    name_other_format,
    parse_integer,
    require_number,
)

HEADER = "p cnf VARIABLES CLAUSES"


class Clauses:
    """The clauses read so far; a clause may take several lines, or share one with others."""

    def __init__(self, variables: int) -> None:
        self.variables = variables
        self.whole: list[tuple[bool, list[int]]] = []  # whether it is an XOR, and the literals
        self.literals: list[int] = []
        self._xor = False

    def add(self, line: Line) -> None:
        text = line.text
        if text.startswith(("a ", "e ")):
            raise ValueError(f"line {line.number}: quantifiers (QDIMACS), which are not read")
        if text.startswith("x") and not self.literals:
            self._xor, text = True, text[1:]
        for word in text.split():
            literal = parse_integer(word, line.number)
            if abs(literal) > self.variables:
                raise ValueError(
                    f"line {line.number}: variable {abs(literal)}, but there are only "
                    f"{self.variables:,}"
                )
            if literal:
                self.literals.append(literal)
            else:
                self.whole.append((self._xor, self.literals))
                self.literals = []
                self._xor = False


def read_dimacs(lines: Iterator[Line]) -> ReadFormula:
    """The formula of a file. Raises ValueError with the line."""
    shown: set[int] | None = None
    stated = 0
    clauses: Clauses | None = None
    for line in lines:
        if line.text.startswith("c"):
            shown = add_shown_variables(line, shown)
        elif line.text.startswith("p"):
            variables, stated = _read_header(line)
            if clauses:
                raise ValueError(
                    f"line {line.number}: a second header; expected one line '{HEADER}'"
                )
            clauses = Clauses(variables)
        elif clauses is None:
            other = name_other_format(line.text)
            raise ValueError(
                f"line {line.number}: not DIMACS; "
                + (f"this is {other}" if other else f"the line '{HEADER}' comes first")
            )
        elif line.text == "%":
            _require_end(lines)
        else:
            clauses.add(line)
    if clauses is None:
        raise ValueError(f"not DIMACS: the line '{HEADER}' is missing")
    if clauses.literals:
        raise ValueError("the last clause does not end with 0; the file may be cut off")
    require_number(stated, len(clauses.whole), "clause")

    formula = make_formula(clauses.variables, shown)
    for xor, literals in clauses.whole:
        add: Callable[[list[int]], None] = formula.xor if xor else formula.clause
        add(literals)
    return ReadFormula(
        formula, "a DIMACS file has no objective to minimise; .wcnf and .opb files have"
    )


def _read_header(line: Line) -> tuple[int, int]:
    """The numbers of variables and clauses."""
    header = re.fullmatch(r"p cnf (\d{1,9}) (\d{1,9})", line.text, re.ASCII)
    if header:
        return int(header[1]), int(header[2])
    expected = f"line {line.number}: expected one line '{HEADER}'"
    if not line.text.startswith("p cnf ") and (other := name_other_format(line.text)):
        raise ValueError(f"{expected}; this is {other}")
    raise ValueError(expected)


def _require_end(lines: Iterator[Line]) -> None:
    """Skip what SATLIB's files have after their clauses: `%`, and a line with 0."""
    for line in lines:
        if line.text not in ("0", "%"):
            raise ValueError(f"line {line.number}: more after '%', which ends a file of SATLIB")
