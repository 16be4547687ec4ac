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
    decisions = frozenset(formula.decisions())
    part = formula.extended()
    part.groups = {}
    part.objective = {}
    part.requirements = {}
    demanding = requirement_constraints(formula)
    demanded = part.variables("is required", Requirement._fields, demanding, decision=False)
    literals = {requirement: demanded(*requirement) for requirement in demanding}

    # by groups, the literals that demand some of their constraints
    demands: dict[str, dict[int, int]] = {name: {} for name in formula.groups}
    for requirement, literal in literals.items():
        group, numbers = formula.requirements[requirement]
        demands[group].update(dict.fromkeys(numbers, literal))
    for name, rules in formula.groups.items():
        if name not in formula.redundant:
            with part.rule(name):
                _relax(part, rules.constraints, decisions, demands[name])

    # A solver does not see that pieces cannot fill more places than they have.
    cardinalities: dict[str, list[_Demand]] = {}
    for requirement, constraints in demanding.items():
        match constraints:
            case [Cardinality() as one] if decisions.issuperset(one.literals):
                demand = _Demand(literals[requirement], one)
                cardinalities.setdefault(requirement.noun, []).append(demand)
    for places, pieces in permutations(cardinalities.values(), 2):
        with part.rule("the places that are filled are as many as the pieces fill"):
            _count(part, places, pieces)
    return Relaxed(part, literals)


def requirement_constraints(formula: Formula) -> dict[Requirement, list[Constraint]]:
    """The constraints of each requirement, if one of them demands that something is true."""
    groups = {name: list(group.constraints) for name, group in formula.groups.items()}
    demanding = {}
    for requirement, (name, numbers) in formula.requirements.items():
        constraints = [groups[name][number] for number in numbers]
        if any(_demands_something(constraint) for constraint in constraints):
            demanding[requirement] = constraints
    return demanding


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
    literals that demand them.

    If decision variables become false, a sum can only fall where it has them as literals, and only
    rise where it has their negations. So a lower bound is kept if no decision variable is a
    literal, and an upper bound if none is negated.
    """
    for number, constraint in enumerate(constraints):
        is_demanded = number in demands
        if is_demanded:
            _demand(part, constraint, demands[number])
        match constraint:
            case Clause(literals):
                can_fall = not decisions.isdisjoint(literals)
                if literals and not is_demanded and not can_fall:
                    part.clause(literals)
            case Xor(variables, odd):
                if decisions.isdisjoint(variables):
                    part.xor(variables, odd=odd)
            case Connected() | SingleLoop() | Acyclic() | Regions():
                # A part of a connected set or of a loop need not be connected. That a part has no
                # cycle is true, but not used.
                pass
            case Cardinality() | Linear():
                _relax_sum(part, constraint, decisions, is_demanded=is_demanded)


def _relax_sum(
    part: Formula, constraint: Cardinality | Linear, decisions: frozenset[int], *, is_demanded: bool
) -> None:
    """Add the bounds of a sum that still hold if decision variables become false.

    A bound is kept whole or not at all. The lower bound of a requirement is left to `_demand`.
    """
    literals, weights, least, most = as_sum(constraint)
    total = sum(weights)
    can_fall = not decisions.isdisjoint(literals)
    can_rise = not decisions.isdisjoint(-literal for literal in literals)
    if can_fall or is_demanded:
        least = 0
    if not literals:
        least = 0  # a rule without literals that cannot hold says nothing about parts
    if can_rise:
        most = total
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
    if any(place.at_most != 1 for _, place in places):
        return
    uses = Counter(literal for _, piece in pieces for literal in piece.literals)
    if any(number > 1 for number in uses.values()):
        return

    filled = Counter(literal for _, place in places for literal in place.literals)
    fewest, most = _count_filled(filled, pieces)
    sum_of_places = {literal: 1 for literal, _ in places}
    minus_pieces = {literal: -number for literal, number in fewest.items()}
    part.linear(sum_of_places | minus_pieces, at_least=0)

    has_one_of_each = all(piece.at_most == 1 for _, piece in pieces)
    if has_one_of_each and filled.keys() <= uses.keys():
        minus_places = {literal: -1 for literal, _ in places}
        part.linear(minus_places | most, at_least=0)


def _count_filled(
    filled: Mapping[int, int], pieces: Sequence[_Demand]
) -> tuple[dict[int, int], dict[int, int]]:
    """How many places each piece fills at least and at most, by its literal; `filled` has the
    number of each placement."""
    fewest, most = {}, {}
    for literal, piece in pieces:
        sizes = [filled[placement] for placement in piece.literals] or [0]
        fewest[literal] = piece.at_least * min(sizes)
        most[literal] = max(sizes)
    return fewest, most
