"""Parts of solutions: a formula in which each requirement can be dropped.

A set of true decision variables is a *part* if it breaks none of the rules that apply to it,
whatever is missing. So the constraints that demand a true decision variable are left out, and the
others are kept: if a part is made smaller, it still is a part. Of an exactly-one constraint, for
example, at-most-one is kept. Redundant constraints are left out, because they may follow only from
what was left out. What a requirement demands is kept, but only if its literal is true.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import permutations
from typing import NamedTuple

from jigsat.formula.constraints import (
    Cardinality,
    Clause,
    Constraint,
    Linear,
    Requirement,
    Xor,
    as_sum,
)
from jigsat.formula.formula import Formula
from jigsat.formula.graphs import Acyclic, Connected, Regions, SingleLoop


class Relaxed(NamedTuple):
    """The formula of the parts of solutions, and the literal that demands each requirement."""

    formula: Formula
    literals: Mapping[Requirement, int]


class _Demand(NamedTuple):
    """A literal, and the cardinality constraint that it demands."""

    literal: int
    constraint: Cardinality


def relax_formula(formula: Formula) -> Relaxed:
    """The formula of the parts of solutions, with the same decision variables.

    >>> formula = Formula()
    >>> place = formula.variables("place", {"piece": "ab"})
    >>> with formula.rule("a cell is filled", "cell", 0, must_be="filled"):
    ...     formula.exactly_one(place[:])
    >>> relaxed = relax_formula(formula).formula
    >>> [(constraint.kind, constraint.literals) for constraint in relaxed.constraints()]
    [('clause', (-3, 1, 2)), ('at-most-one', (1, 2))]
    """
    part, decisions = formula.extended(), frozenset(formula.decisions())
    part.groups, part.objective, part.requirements, demanding = (
        {},
        {},
        {},
        requirement_constraints(formula),
    )
    demanded = part.variables("is required", Requirement._fields, demanding, decision=False)
    demands: dict[str, dict[int, int]] = {}
    nouns: dict[str, list[_Demand]] = {}
    for requirement, constraints in demanding.items():
        group, numbers = formula.requirements[requirement]
        demands.setdefault(group, {}).update(dict.fromkeys(numbers, demanded(*requirement)))
        match constraints:
            case [Cardinality(literals) as one] if decisions.issuperset(literals):
                nouns.setdefault(requirement.noun, []).append(_Demand(demanded(*requirement), one))
    for name, rules in formula.groups.items():
        if name not in formula.redundant:
            with part.rule(name):
                _relax(part, rules.constraints, decisions, demands.get(name, {}))
    for places, pieces in permutations(nouns.values(), 2):
        with part.rule("the places that are filled are as many as the pieces fill"):
            _count(part, places, pieces)
    return Relaxed(part, {requirement: demanded(*requirement) for requirement in demanding})


def requirement_constraints(formula: Formula) -> dict[Requirement, list[Constraint]]:
    """The constraints of each requirement, if one of them demands that something is true."""
    groups = {
        name: list(formula.groups[name].constraints) for name, _ in formula.requirements.values()
    }
    found = {
        each: [groups[name][number] for number in numbers]
        for each, (name, numbers) in formula.requirements.items()
    }
    demanding = (
        each for each, rows in found.items() if any(_demands_something(row) for row in rows)
    )
    return {each: found[each] for each in demanding}


def _demands_something(constraint: Constraint) -> bool:
    """Whether a constraint has a lower bound. An XOR has none, and a graph is connected if nothing
    is chosen; that a loop has at least one line is not used."""
    match constraint:
        case Clause() | Cardinality() | Linear():
            return as_sum(constraint).at_least > 0
        case Xor() | Connected() | SingleLoop() | Acyclic() | Regions():
            return False


def _relax(
    part: Formula,
    constraints: Iterable[Constraint],
    decisions: frozenset[int],
    demands: Mapping[int, int],
) -> None:
    """Add what is kept of each constraint; `demands` maps the numbers of some constraints to the
    literals that demand them."""
    for number, constraint in enumerate(constraints):
        if number in demands:
            _demand(part, constraint, demands[number])
        match constraint:
            case Clause(literals):
                if literals and number not in demands and decisions.isdisjoint(literals):
                    part.clause(literals)
            case Xor(variables, odd):
                if decisions.isdisjoint(variables):
                    part.xor(variables, odd=odd)
            case Connected() | SingleLoop() | Acyclic() | Regions():
                pass  # a part of a connected set or of a loop need not be connected
            case Cardinality() | Linear():
                literals, weights, least, most = as_sum(constraint)
                total = sum(weights)
                least = (
                    least
                    if literals and number not in demands and decisions.isdisjoint(literals)
                    else 0
                )
                most = most if decisions.isdisjoint(-literal for literal in literals) else total
                if least > 0 or most < total:
                    part.linear(zip(literals, weights, strict=True), at_least=least, at_most=most)


def _demand(part: Formula, constraint: Constraint, literal: int) -> None:
    """If the literal is true, the constraint's lower bound holds."""
    match constraint:
        case Clause(literals) | Cardinality(literals, 1, _):
            part.implies(literal, *literals)
        case Cardinality() | Linear():
            literals, weights, least, _ = as_sum(constraint)
            part.linear([*zip(literals, weights, strict=True), (-literal, least)], at_least=least)


def _count(part: Formula, places: Sequence[_Demand], pieces: Sequence[_Demand]) -> None:
    """Add redundant bounds if each placement is of one piece, and fills places that hold one each.

    Without them, a solver takes exponential time to see that n pieces fill n places. A place may be
    demanded if it is filled, so at least as many can be as the pieces fill that are demanded; and
    conversely, if there is one of each piece.
    """
    piece_of = Counter(literal for _, piece in pieces for literal in piece.literals)
    filled = Counter(literal for _, place in places for literal in place.literals)
    if any(place.at_most != 1 for _, place in places) or any(
        number > 1 for number in piece_of.values()
    ):
        return
    fills = {literal: [filled[each] for each in piece.literals] or [0] for literal, piece in pieces}
    least = {literal: -piece.at_least * min(fills[literal]) for literal, piece in pieces}
    part.linear({literal: 1 for literal, _ in places} | least, at_least=0)
    if filled.keys() <= piece_of.keys() and all(piece.at_most == 1 for _, piece in pieces):
        part.linear(
            {literal: -1 for literal, _ in places} | {x: max(fills[x]) for x in fills}, at_least=0
        )
