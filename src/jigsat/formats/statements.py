"""What the readers of formulas share: numbered lines, whole numbers, comments that list variables,
and the formula that is made in the end."""

import re
import sys
from collections import Counter
from collections.abc import Iterable
from itertools import groupby
from typing import NamedTuple

from jigsat.formula import Formula
from jigsat.words import plural

MAX_VARIABLES = 5_000_000

SHOW = re.compile(r"[c*] (?:p show|ind) ((?:\d+ )*)0?$", re.ASCII)
OTHER_FORMATS = {
    "p cnf": "DIMACS CNF; name the file .cnf",
    "p wcnf": "WCNF; name the file .wcnf",
    "p cnf+": "CNF with cardinality constraints, which is not read; write it as .opb",
    "p inccnf": "incremental CNF, which is not read",
    "p edge": "a graph in DIMACS format, not a formula",
    "p col": "a graph in DIMACS format, not a formula",
    "* #variable=": "OPB; name the file .opb",
    "(set-": "SMT-LIB, which is not read; write the formula as .cnf or .opb",
}
"""What a line at the top shows, by its first words."""


class Line(NamedTuple):
    """A line of a file with its number, from 1. Words are separated by one space."""

    number: int
    text: str


class ReadFormula(NamedTuple):
    """The formula of a file, and why it has no objective, '' if it has one."""

    formula: Formula
    no_objective: str


def name_other_format(text: str) -> str:
    """What a line shows if it is from another format of formulas, or ''.

    >>> name_other_format("p cnf 3 2")
    'DIMACS CNF; name the file .cnf'
    """
    for start, name in OTHER_FORMATS.items():
        if re.match(re.escape(start) + (r"(?![^ ])" if start[-1].isalnum() else ""), text):
            return name
    return ""


def parse_integer(word: str, number: int, most_digits: int = 18) -> int:
    """A whole number in a line. Raises ValueError for anything else, and for more digits."""
    if not re.fullmatch(rf"[+-]?\d{{1,{most_digits}}}", word, re.ASCII):
        shown = word if len(word) <= 20 else f"{word[:20]}…"
        raise ValueError(f"line {number}: expected a whole number, got {shown!r}")
    return int(word)


def parse_long_integer(digits: str, number: int) -> int:
    """A whole number with as many digits as Python reads."""
    if len(digits) > sys.get_int_max_str_digits():
        raise ValueError(f"line {number}: a number with too many digits")
    return int(digits)


def add_shown_variables(line: Line, so_far: set[int] | None) -> set[int] | None:
    """The variables that distinguish models, with those of a comment such as `c p show 1 2 0`."""
    if re.match(r". p weight(?![^ ])", line.text):
        raise ValueError(
            f"line {line.number}: weights of literals, which are not read; models are counted "
            f"without weights once the lines 'c p weight' are removed"
        )
    kind = re.match(r". (p show|ind)(?![^ ])", line.text)
    if not kind:
        return so_far
    listed = SHOW.match(line.text)
    if not listed:
        raise ValueError(
            f"line {line.number}: expected numbers of variables after {kind[1]!r}, and 0 at the end"
        )
    variables = {parse_integer(word, line.number) for word in listed[1].split()}
    return (so_far or set()) | variables - {0}


def require_number(stated: int, read: int, noun: str) -> None:
    """Raise ValueError unless the file has as many clauses or constraints as its header states."""
    if read != stated:
        reason = "the file may be cut off" if read < stated else "correct the number in the header"
        raise ValueError(f"{plural(read, noun)} instead of {stated:,}; {reason}")


def make_formula(variables: int, shown: set[int] | None) -> Formula:
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


def with_objective(
    formula: Formula, terms: Iterable[tuple[int, int]], *, maximize: bool = False
) -> ReadFormula:
    """The formula with an objective, in which repeated literals are added up. It gets none if a
    variable of the objective is not shown."""
    total = Counter[int]()
    for literal, weight in terms:
        total[literal] += weight
    if not total:
        return ReadFormula(formula, "the file states no objective to minimise")
    hidden = {abs(literal) for literal in total}.difference(formula.decisions())
    if hidden:
        reason = f"the objective has variable {min(hidden)}, which 'p show' does not list"
        return ReadFormula(formula, reason)
    if maximize:
        formula.maximize(total)
    else:
        formula.minimize(total)
    return ReadFormula(formula, "" if formula.objective else "every weight in the file is 0")
