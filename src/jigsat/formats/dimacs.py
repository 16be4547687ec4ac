"""DIMACS files: CNF, CNF with XOR lines (CryptoMiniSat's dialect, .xnf), and WCNF in the MaxSAT
format of 2022.

They begin with comments that describe the formula:

    c jigsat VERSION
    c instance NAME sha256 HASH
    c var 17 place cell=(0,1) tile=3 turn=2      one line per named variable; higher numbers are
    auxiliaries of the lowering
    c group 10-25 every tile is used once        the range of constraints in each group, counted
    from 1
    c amo auto                                   the encoding of at-most-one constraints, if it was
    chosen; certificates have no such line
    c aux 421-455 at most 1 of 36: place …       what auxiliaries of the lowering are for; not in
    certificates either
    c rule 10-12,31-33 tile 3                    the same for each rule, if the formula has rules

`c p show … 0` lists the decision variables for projected model counters. It directly follows the
line `p cnf`, where MiniSat, CaDiCaL, PicoSAT, CryptoMiniSat, clasp and Z3 ignore it. No other
comment begins with `c p`, `c t` or `c ind`, which have a meaning for counters, and all comments
precede the first clause.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from hashlib import sha256
from importlib.metadata import version
from itertools import accumulate
from typing import Protocol

from jigsat.formula import (
    Cardinality,
    Clause,
    Constraint,
    Formula,
    Linear,
    Lowered,
    Lowering,
    Xor,
)

SHOWN_LITERALS = 4  # literals of a constraint that are all named


class Origin(Protocol):
    """What a formula was made from, such as a puzzle; the digest distinguishes different sources of
    the same name."""

    @property
    def name(self) -> str: ...

    def digest(self) -> str: ...


def describe_origin(origin: Origin) -> str:
    """The name and the digest as a comment states them."""
    return printable(f"instance {'_'.join(origin.name.split())} sha256 {origin.digest()}")


def cnf_lines(formula: Formula, origin: Origin, lowering: Lowering | None = None) -> Iterator[str]:
    """Yield the lines of a DIMACS CNF file."""
    return _count_rows(Lowered(formula, lowering), origin, lowering)


def xnf_lines(formula: Formula, origin: Origin, lowering: Lowering | None = None) -> Iterator[str]:
    """The same with XOR constraints as lines such as `x1 -2 3 0`: an odd number of these literals
    is true."""
    return _count_rows(Lowered(formula, lowering, frozenset({"xor"})), origin, lowering)


def _count_rows(lowered: Lowered, origin: Origin, lowering: Lowering | None) -> Iterator[str]:
    sizes = lowered.sizes()
    for line in head(lowered.formula, origin, sizes):
        yield f"c {line}"
    if lowering is not None:
        yield f"c amo {lowering.at_most_one}"
        yield from _auxiliary_lines(lowered)
    yield from _rule_lines(lowered)
    yield from _formula_lines(lowered, sum(sizes.values()))


def _formula_lines(lowered: Lowered, number: int) -> Iterator[str]:
    """The lines that state the formula and its decision variables."""
    yield f"p cnf {lowered.top} {number}"
    yield f"c p show {' '.join(map(str, lowered.formula.decisions()))} 0"
    yield from map(_line, lowered)


def hash_formula(formula: Formula, lowering: Lowering) -> str:
    """The SHA-256 of these lines of a DIMACS CNF file, so without the other comments."""
    lowered = Lowered(formula, lowering)
    digest = sha256()
    for line in _formula_lines(lowered, sum(lowered.sizes().values())):
        digest.update(f"{line}\n".encode())
    return digest.hexdigest()


def wcnf_lines(formula: Formula, origin: Origin, lowering: Lowering | None = None) -> Iterator[str]:
    """The lines of a WCNF file: `h` before hard clauses, and a soft clause against each literal to
    be minimised.

    A negative weight of a literal becomes a positive weight of its negation; a comment states by
    how much this increases all costs. If nothing is minimised, there are hard clauses only.
    """
    lowered = Lowered(formula, lowering)
    for line in head(formula, origin, lowered.sizes()):
        yield f"c {line}"
    yield f"c amo {lowered.lowering.at_most_one}"
    if higher := -sum(min(0, weight) for weight in formula.objective.values()):
        yield f"c costs are higher by {higher}, as there are no negative weights"
    yield from _auxiliary_lines(lowered)
    yield from _rule_lines(lowered)
    for constraint in lowered:
        yield f"h {_line(constraint)}"
    for literal, weight in formula.objective.items():
        yield f"{abs(weight)} {-literal if weight > 0 else literal} 0"


def head(formula: Formula, origin: Origin, sizes: dict[str, int]) -> Iterator[str]:
    """The text of the comments at the top: the origin, the names of the variables and the ranges of
    the groups."""
    yield f"jigsat {version('jigsat')}"
    yield describe_origin(origin)
    for variable in range(1, formula.top + 1):
        yield printable(f"var {variable} {formula.name(variable)}")
    last = 0
    for name, size in sizes.items():
        yield printable(f"group {last + 1}-{last + size} {name}")
        last += size


def _auxiliary_lines(lowered: Lowered) -> Iterator[str]:
    """The comments that state for which constraint each auxiliary variable was added."""
    for constraint, own in lowered.list_auxiliaries():
        words = _describe_constraint(lowered.formula, constraint)
        numbers = str(own[0]) if len(own) == 1 else f"{own[0]}-{own[-1]}"
        yield printable(f"c aux {numbers} {words}")


def _describe_constraint(formula: Formula, constraint: Constraint) -> str:
    """What a constraint requires, with the names of its first and last literals."""
    match constraint:
        case Clause():
            return "a contradiction"
        case Cardinality(literals, at_least, at_most):
            words = _describe_bounds(at_least, at_most, len(literals))
        case Linear(literals, weights, at_least, at_most):
            words = f"a sum of weights {_describe_bounds(at_least, at_most, sum(weights))}"
        case Xor(literals, odd):
            words = "an odd number" if odd else "an even number"
        case _:
            literals = constraint.literals
            words = constraint.kind
    shown = literals if len(literals) <= SHOWN_LITERALS else (*literals[:2], literals[-1])
    names = [str(formula.name(literal)) for literal in shown]
    if len(shown) < len(literals):
        names.insert(-1, "…")
    return f"{words} of {len(literals)}: {', '.join(names)}"


def _describe_bounds(at_least: int, at_most: int, most: int) -> str:
    if at_least == at_most:
        return f"exactly {at_most}"
    if at_least <= 0:
        return f"at most {at_most}"
    return f"at least {at_least}" if at_most >= most else f"{at_least} to {at_most}"


def _rule_lines(lowered: Lowered) -> Iterator[str]:
    """The comments that state which clauses belong to each rule."""
    if not lowered.formula.rules:
        return
    first: dict[str, list[int]] = {}
    last = 1
    for name, sizes in lowered.sizes_by_constraint():
        first[name] = list(accumulate(sizes, initial=last))
        last = first[name][-1]
    for name, parts in lowered.formula.rules.items():
        spans = []
        for group, ranges in parts.items():
            for own in ranges:
                spans.append(f"{first[group][own.start]}-{first[group][own.stop] - 1}")
        yield printable(f"c rule {','.join(spans)} {name}")


def printable(text: str) -> str:
    """The text on one line: line breaks and other control characters become question marks."""
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() else "?" for c in text)


def _line(constraint: Constraint) -> str:
    if isinstance(constraint, Clause):  # `match` takes 50 % longer for millions of them
        return _row(len(constraint.literals)) % constraint.literals
    if isinstance(constraint, Xor):
        first, *rest = constraint.variables
        return "x" + _row(1 + len(rest)) % (first if constraint.odd else -first, *rest)
    raise TypeError(f"DIMACS has no {constraint.kind}")


@cache
def _row(length: int) -> str:
    """The format string of a line with this number of literals; three times as fast as joining
    them."""
    return "%d " * length + "0"
