"""SMT-LIB 2 files, in the subset of the language that both Z3 and cvc5 read, and the interpretation
of their models.

Each finite-domain choice of the formula is one constant of an enumeration type, and `(= |label
edge=7| |label=red|)` states that it has this value; every other variable is a Boolean constant
under its own name. SMT-LIB has no cardinality constraints. In a short at-most-one constraint each
literal excludes the ones after it, which is much faster in both solvers: a second instead of
minutes on the tropical fish. Everything else is a sum over `(one b)`, which is 1 if b is true,
times its weight in a linear constraint. A constraint on a graph becomes clauses with further
Boolean constants, |added 1|, |added 2| and so on, which say nothing about the solution. The
objective is left out, because SMT-LIB cannot express it.
"""

import re
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from importlib.metadata import version

from jigsat.errors import InputError
from jigsat.formats.dimacs import Origin, describe_origin, printable
from jigsat.formula import (
    MAX_PAIRWISE_LITERALS,
    Acyclic,
    Cardinality,
    Choice,
    Clause,
    Connected,
    Constraint,
    Formula,
    GraphConstraint,
    Linear,
    Lowered,
    Regions,
    SingleLoop,
    Xor,
    compact,
)

ADDED = re.compile(r"added \d+(~\d+)?")  # the name of a constant that is no variable of the formula
RESERVED = ("true", "false", "not", "and", "or", "xor", "ite", "distinct", "one")


class Symbols:
    """Unique symbols for a formula's variables, its choices and their values."""

    def __init__(self, formula: Formula) -> None:
        self._taken = set(RESERVED)
        self.terms: dict[int, str] = {}  # by variable
        self.variables: dict[str, int] = {}
        self.choices: dict[str, Choice] = {}
        self.values: dict[str, dict[Hashable, str]] = {}  # by family: the values of all its choices
        for choice in formula.choices:
            if choice.literals:  # an enumeration cannot be empty
                self._enumerate(choice)
        for variable in range(1, formula.top + 1):
            if variable not in self.terms:
                symbol = self._new(str(formula.name(variable)))
                self.variables[symbol] = variable
                self.terms[variable] = f"|{symbol}|"

    def _enumerate(self, choice: Choice) -> None:
        family = choice.name.family
        values = self.values.setdefault(family, {})
        symbol = self._new(str(choice.name))
        self.choices[symbol] = choice
        for value, variable in choice.literals.items():
            if value not in values:
                values[value] = self._new(f"{family}={compact(value)}")
            self.terms[variable] = f"(= |{symbol}| |{values[value]}|)"

    def _new(self, name: str) -> str:
        name = symbol = printable(name).replace("|", "?").replace("\\", "?")
        number = 1
        while symbol in self._taken:
            number += 1
            symbol = f"{name}~{number}"
        self._taken.add(symbol)
        return symbol

    def add_constants(self, first: int, last: int) -> Iterator[str]:
        """Give symbols to auxiliary variables of the lowering; returns the symbols."""
        for variable in range(first, last + 1):
            symbol = self._new(f"added {variable}")
            self.terms[variable] = f"|{symbol}|"
            yield symbol

    def term(self, literal: int) -> str:
        """A literal as a term."""
        return self.terms[literal] if literal > 0 else f"(not {self.terms[-literal]})"

    def read_values(self, model: Mapping[str, str]) -> dict[int, bool]:
        """The values of the variables in a model, which maps symbols to values. A constant missing
        from the model is free; a missing choice gets its first value. Raises InputError for an
        unknown symbol."""
        assigned = {}
        for symbol, choice in self.choices.items():
            values = self.values[choice.name.family]
            wanted = model.get(symbol, values[next(iter(choice.literals))])
            for value, variable in choice.literals.items():
                assigned[variable] = values[value] == wanted
        for symbol, value in model.items():
            if symbol in self.variables:
                assigned[self.variables[symbol]] = value == "true"
            elif symbol not in self.choices and not ADDED.fullmatch(symbol):
                raise InputError(
                    f"no variable {symbol!r} in this puzzle; the answer belongs to another instance"
                )
        return assigned


def smt_lines(formula: Formula, origin: Origin) -> Iterator[str]:
    """Yield the lines of an SMT-LIB file that requests a model."""
    symbols = Symbols(formula)
    yield f"; jigsat {version('jigsat')}"
    yield f"; {describe_origin(origin)}"
    yield "(set-option :produce-models true)"
    yield "(set-logic ALL)"
    yield "(define-fun one ((b Bool)) Int (ite b 1 0))"
    for family, values in symbols.values.items():
        constructors = " ".join(f"(|{symbol}|)" for symbol in values.values())
        yield f"(declare-datatypes ((|{family}| 0)) (({constructors})))"
    for symbol, choice in symbols.choices.items():
        yield f"(declare-const |{symbol}| |{choice.name.family}|)"
    for symbol in symbols.variables:
        yield f"(declare-const |{symbol}| Bool)"
    implied = set()
    for choice in symbols.choices.values():
        variables = tuple(choice.literals.values())
        implied.add(Cardinality(variables, 1, 1))
        if len(variables) < len(symbols.values[choice.name.family]):
            yield (
                f"(assert {_or(map(symbols.term, variables))})  ; not all values of "
                f"{choice.name.family}"
            )
    # only constraints on graphs are lowered
    lowered = Lowered(formula, native=frozenset({"cardinality", "linear", "xor"}))
    for group in formula.groups.values():
        yield printable(f"; {group.name}")
        for constraint in group.constraints:
            if constraint in implied:
                continue
            stated = [constraint]
            if isinstance(constraint, GraphConstraint):
                top = lowered.top
                stated = list(lowered.lower(constraint))
                for symbol in symbols.add_constants(top + 1, lowered.top):
                    yield f"(declare-const |{symbol}| Bool)"
            for part in stated:
                yield from (f"(assert {term})" for term in _write_constraint(part, symbols))
    yield "(check-sat)"
    yield "(get-model)"


def _write_constraint(constraint: Constraint, symbols: Symbols) -> Iterator[str]:
    match constraint:
        case Clause(literals):
            yield _or(map(symbols.term, literals))
        case Xor(variables, odd):
            terms = [symbols.term(variable) for variable in variables]
            parity = f"(xor {' '.join(terms)})" if len(terms) > 1 else (*terms, "false")[0]
            yield parity if odd else f"(not {parity})"
        case Linear(literals, weights, at_least, at_most):
            ones = [
                f"(* {weight} (one {symbols.term(x)}))"
                for x, weight in zip(literals, weights, strict=True)
            ]
            yield _within(ones, at_least, at_most)
        case Cardinality(literals, at_least, at_most):
            terms = [symbols.term(literal) for literal in literals]
            yield from _write_cardinality(terms, at_least, at_most)
        case Connected() | SingleLoop() | Acyclic() | Regions():
            raise TypeError(f"SMT-LIB has no {constraint.kind}")


def _write_cardinality(terms: Sequence[str], at_least: int, at_most: int) -> Iterator[str]:
    if at_least > min(at_most, len(terms)) or at_most < 0:
        yield "false"
    elif at_most == 1 and len(terms) <= MAX_PAIRWISE_LITERALS:
        if at_least == 1:
            yield _or(terms)
        for i, term in enumerate(terms[:-1], 1):
            yield f"(=> {term} (not {_or(terms[i:])}))"
    else:
        yield _within([f"(one {term})" for term in terms], at_least, at_most)


def _within(terms: Sequence[str], at_least: int, at_most: int) -> str:
    """The term for a sum within bounds."""
    if at_least > at_most or at_most < 0:
        return "false"
    total = f"(+ {' '.join(terms)})" if len(terms) > 1 else (*terms, "0")[0]
    if at_least == at_most:
        return f"(= {total} {at_least})"
    return f"(<= {max(at_least, 0)} {total} {at_most})"


def _or(terms: Iterable[str]) -> str:
    terms = list(terms)
    return f"(or {' '.join(terms)})" if len(terms) > 1 else (*terms, "false")[0]
