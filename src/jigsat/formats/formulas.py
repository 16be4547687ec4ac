"""Reading formulas: DIMACS with clauses and XOR lines, WCNF, and OPB. A file that is wrong or cut
off is reported in one line.

`c p show 1 2 3 0`, or `* p show …` in OPB, lists the variables that distinguish models; the older
`c ind …` means the same. Without such a line all variables distinguish models. A soft clause of
several literals in a WCNF file gets a variable `broken`.
"""

import re
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from itertools import groupby
from pathlib import Path

from jigsat.errors import InputError
from jigsat.formats.export import format_of, read_lines
from jigsat.formula import Formula
from jigsat.words import plural

# suffixes of files that are read as formulas; .gz or .xz may follow
SUFFIXES = (
    ".cnf",
    ".xnf",
    ".wcnf",
    ".opb",
)
MAX_VARIABLES = 5_000_000
MAX_CHARACTERS = 256 * 2**20

SHOW = re.compile(r"[c*] (?:p show|ind) ((?:\d+ )*)0?$", re.ASCII)
SIZE = re.compile(r"\* ?#variable= ?(\d{1,9}) #constraint= ?(\d{1,9})(?!\d)", re.ASCII)
SUM = re.compile(r"((?:[+-]?\d+ ~?x\d+ )*)(>=|<=|=) ?([+-]?\d+)", re.ASCII)


def is_formula(path: Path) -> bool:
    """Whether a file is read as a formula, by its suffix."""
    return (path.with_suffix("") if path.suffix in (".gz", ".xz") else path).suffix in SUFFIXES


def read_formula(path: Path) -> Formula:
    """The formula in a file, with its objective if all of its variables are shown. Raises
    InputError with the line."""
    readers = {".opb": _opb, ".wcnf": _wcnf}
    with closing(read_lines(path)) as lines:
        try:
            return readers.get(format_of(path), _dimacs)(_numbered_lines(lines))
        except ValueError as error:
            raise InputError(f"{path}: {error}") from error


def _numbered_lines(lines: Iterable[str]) -> Iterator[tuple[int, str]]:
    """The lines with their numbers, without spaces at the ends and without empty lines."""
    characters = 0
    for number, line in enumerate(lines, 1):
        characters += len(line)
        if characters > MAX_CHARACTERS:
            raise ValueError(f"larger than {MAX_CHARACTERS // 2**20} MiB, the limit for a formula")
        if text := " ".join(line.split()):
            yield number, text


def _formula(variables: int, shown: set[int] | None) -> Formula:
    """A formula with variables 1, 2, …, of which those shown are decisions."""
    if variables > MAX_VARIABLES:
        raise ValueError(f"{variables:,} variables are too many; the limit is {MAX_VARIABLES:,}")
    if shown and max(shown) > variables:
        raise ValueError(f"'p show' lists variable {max(shown)}, but there are only {variables:,}")
    formula = Formula()
    for decision, run in groupby(
        range(1, variables + 1), lambda variable: shown is None or variable in shown
    ):
        formula.variables(
            "x" if decision else "auxiliary",
            ("number",),
            ((variable,) for variable in run),
            decision=decision,
        )
    return formula


def _add_shown_variables(line: str, number: int, so_far: set[int] | None) -> set[int] | None:
    """The variables that distinguish models, with those of a comment such as `c p show 1 2 0`."""
    if not (kind := re.match(r". (p show|ind)(?![^ ])", line)):
        return so_far
    if not (found := SHOW.match(line)):
        raise ValueError(
            f"line {number}: expected numbers of variables after {kind[1]!r}, and 0 at the end"
        )
    return (so_far or set()) | {_integer(word, number) for word in found[1].split()} - {0}


def _minimize(formula: Formula, costs: list[tuple[int, int]]) -> None:
    if {abs(literal) for literal, _ in costs} <= {*formula.decisions()}:
        formula.minimize(costs)


def _integer(word: str, number: int) -> int:
    if not re.fullmatch(r"[+-]?\d{1,18}", word, re.ASCII):
        shown = word if len(word) <= 20 else f"{word[:20]}…"
        raise ValueError(f"line {number}: expected a whole number, got {shown!r}")
    return int(word)


def _require_number(stated: int, found: int, noun: str) -> None:
    if found != stated:
        reason = "the file may be cut off" if found < stated else "correct the number in the header"
        raise ValueError(f"{plural(found, noun)} instead of {stated:,}; {reason}")


def _dimacs(lines: Iterator[tuple[int, str]]) -> Formula:
    shown: set[int] | None = None
    size: tuple[int, int] | None = None
    clauses: list[tuple[bool, list[int]]] = []
    literals: list[int] = []
    xor = False
    for number, line in lines:
        if line == "c" or line.startswith("c "):
            shown = _add_shown_variables(line, number, shown)
        elif line.startswith("p"):
            if size or not (found := re.fullmatch(r"p cnf (\d{1,9}) (\d{1,9})", line, re.ASCII)):
                raise ValueError(f"line {number}: expected one line 'p cnf VARIABLES CLAUSES'")
            size = int(found[1]), int(found[2])
        elif size is None:
            raise ValueError(
                f"line {number}: not DIMACS; the line 'p cnf VARIABLES CLAUSES' comes first"
            )
        else:
            if line.startswith("x") and not literals:
                xor, line = True, line[1:]
            for word in line.split():
                if literal := _integer(word, number):
                    if abs(literal) > size[0]:
                        raise ValueError(
                            f"line {number}: variable {abs(literal)}, but there are only "
                            f"{size[0]:,}"
                        )
                    literals.append(literal)
                else:
                    clauses.append((xor, literals))
                    literals, xor = [], False
    if size is None:
        raise ValueError("not DIMACS: the line 'p cnf VARIABLES CLAUSES' is missing")
    if literals:
        raise ValueError("the last clause does not end with 0; the file may be cut off")
    _require_number(size[1], len(clauses), "clause")
    formula = _formula(size[0], shown)
    for odd, clause in clauses:
        add: Callable[[list[int]], None] = formula.xor if odd else formula.clause
        add(clause)
    return formula


def _wcnf(lines: Iterator[tuple[int, str]]) -> Formula:
    """The formula of a file in the format of 2022, or in the older one, which states the weight of
    hard clauses at the top."""
    shown: set[int] | None = None
    hard = "h"
    clauses: list[tuple[int, list[int]]] = []  # the cost of breaking each, 0 for a hard clause
    for number, line in lines:
        if line == "c" or line.startswith("c "):
            shown = _add_shown_variables(line, number, shown)
        elif header := re.fullmatch(r"p wcnf \d{1,9} \d{1,9} (\d{1,18})", line, re.ASCII):
            hard = header[1]
        else:
            weight, *words = line.split()
            *literals, end = (_integer(word, number) for word in words or [""])
            cost = 0 if weight == hard else _integer(weight, number)
            if end != 0 or 0 in literals or cost < 0:
                raise ValueError(
                    f"line {number}: expected 'h' or a weight, then the literals of a clause and 0"
                )
            if weight == hard or cost:
                clauses.append((cost, literals))
    formula = _formula(max((abs(x) for _, clause in clauses for x in clause), default=0), shown)
    costs = Counter[int]()
    for at, (cost, literals) in enumerate(clauses, 1):
        if not cost:
            formula.clause(literals)
        elif len(literals) == 1 and literals[0] not in costs:
            costs[-literals[0]] += cost
        else:
            broken = formula.variables("broken", ("clause",), [(at,)], decision=shown is None)(at)
            costs[broken] = cost
            formula.clause([broken, *literals])
            formula.clauses((-broken, -x) for x in literals)
    _minimize(formula, list(costs.items()))
    return formula


def _opb(lines: Iterator[tuple[int, str]]) -> Formula:
    shown: set[int] | None = None
    size: tuple[int, int] | None = None
    sums: list[tuple[list[tuple[int, int]], str, int]] = []
    costs: list[tuple[int, int]] = []
    statement = ""
    for number, line in lines:
        if line.startswith("*"):
            if found := SIZE.match(line):
                size = int(found[1]), int(found[2])
            shown = _add_shown_variables(line, number, shown)
            continue
        statement = f"{statement} {line}".strip()
        while ";" in statement:
            said, _, statement = (part.strip() for part in statement.partition(";"))
            if objective := re.match(r"(min|max)\s*:", said):
                terms, _, _ = _sum(f"{said[objective.end() :]} >= 0", number)
                costs = [
                    (literal, weight if objective[1] == "min" else -weight)
                    for literal, weight in terms
                ]
            else:
                sums.append(_sum(said, number))
    if statement:
        raise ValueError("the last constraint does not end with ';'; the file may be cut off")
    if size is None:
        raise ValueError("not OPB: the first line '* #variable= … #constraint= …' is missing")
    _require_number(size[1], len(sums), "constraint")
    formula = _formula(size[0], shown)
    highest = max(
        (
            abs(literal)
            for terms in (costs, *(terms for terms, _, _ in sums))
            for literal, _ in terms
        ),
        default=0,
    )
    if highest > size[0]:
        raise ValueError(f"variable x{highest}, but there are only {size[0]:,}")
    for terms, relation, bound in sums:
        at_least = bound if relation in (">=", "=") else None
        formula.linear(terms, at_least=at_least, at_most=bound if relation in ("<=", "=") else None)
    _minimize(formula, costs)
    return formula


def _sum(said: str, number: int) -> tuple[list[tuple[int, int]], str, int]:
    """The terms, the relation and the bound of a constraint such as `+1 x1 -2 ~x3 >= 2`."""
    found = SUM.fullmatch(" ".join(re.sub(r"([<>]?=)", r" \1 ", said).split()))
    if not found:
        shown = said if len(said) <= 40 else f"{said[:40]}…"
        raise ValueError(
            f"line {number}: expected a sum such as '+1 x1 -2 ~x3 >= 2', got {shown!r}"
        )
    words = found[1].split()
    if max(map(len, [*words, found[3]])) > sys.get_int_max_str_digits():
        raise ValueError(f"line {number}: a number with too many digits")
    terms = []
    for weight, literal in zip(words[::2], words[1::2], strict=True):
        variable = _integer(literal.lstrip("~x"), number)
        if not variable:
            raise ValueError(f"line {number}: variables are numbered from x1")
        terms.append((-variable if literal.startswith("~") else variable, int(weight)))
    return terms, found[2], int(found[3])
