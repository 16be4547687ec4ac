"""What rules imply when something is supposed: unit propagation that one can watch, constraint by
constraint."""

from collections import defaultdict
from collections.abc import Collection, Iterator, Set
from typing import NamedTuple

from jigsat.formula import Constraint, GraphConstraint, Linear, Xor, as_sum
from jigsat.study.playing import Playing
from jigsat.symmetry import Placement

MAX_IMPLICATIONS = 400  # more than anybody watches


class Implication(NamedTuple):
    """What a constraint of a rule implies together with what was known before it; nothing if it is
    `broken`.

    The literals are those of the formula's candidates, negative for what is excluded. `literals`
    are all of the constraint, with the bounds of their number, if they are candidates; otherwise
    there are none.
    """

    rule: str
    implied: list[int]
    literals: list[int]
    bounds: tuple[int, int]
    broken: bool


def imply_from_givens(asked: Playing) -> set[int]:
    """The givens, and what single constraints imply from them."""
    givens = {*asked.puzzle.given_placements()}
    known = {x for x, candidate in asked.candidates.items() if candidate.placement in givens}
    new: set[int] = set()
    for constraints in asked.rules.values():
        for constraint in constraints:
            new |= _imply(constraint, known) or set()
    return {x for x in known | new if abs(x) in asked.candidates and -x not in known}


def watch_implications(
    asked: Playing, known: Collection[int], supposed: Placement
) -> Iterator[Implication]:
    """What follows from something supposed and from what is known, in the order in which it is
    reached."""
    constraints = []
    for rule, stated in asked.rules.items():
        constraints += [(rule, constraint) for constraint in stated]
    touching = defaultdict[int, list[int]](list)
    for number, (_, constraint) in enumerate(constraints):
        for literal in constraint[0]:
            touching[abs(literal)].append(number)

    (start,) = [x for x, shown in asked.candidates.items() if shown.placement == supposed]
    now = {*known, start} - {-start}
    waiting = dict.fromkeys(touching[start])
    while waiting:
        number = next(iter(waiting))
        del waiting[number]
        rule, constraint = constraints[number]
        new = _imply(constraint, now)
        if new is None:
            yield Implication(rule, [], *_describe(asked, constraint), broken=True)
            return
        now |= new
        waiting |= dict.fromkeys(other for x in new for other in touching[abs(x)])
        implied = sorted((x for x in new if abs(x) in asked.candidates), key=abs)
        if implied:
            yield Implication(rule, implied, *_describe(asked, constraint), broken=False)


def _describe(asked: Playing, constraint: Constraint) -> tuple[list[int], tuple[int, int]]:
    """The literals of a constraint and the bounds of their number, if these are all candidates."""
    if isinstance(constraint, Xor | GraphConstraint):
        return [], (0, 0)
    total = as_sum(constraint)
    if {*total.weights} != {1} or not {*total.literals} <= asked.candidates.keys():
        return [], (0, 0)
    return list(total.literals), (total.at_least, min(total.at_most, len(total.literals)))


def _imply(constraint: Constraint, known: Set[int]) -> set[int] | None:
    """The literals that follow from known ones by one constraint; None if it is broken."""
    if isinstance(constraint, GraphConstraint):
        implied = constraint.imply(known)
        return None if implied is None else implied - known
    if isinstance(constraint, Xor):
        return _imply_by_xor(constraint, known)
    return _imply_by_sum(as_sum(constraint), known)


def _imply_by_sum(total: Linear, known: Set[int]) -> set[int] | None:
    """The literals without which a sum would be too small, or with which it would be too large;
    None if it is broken."""
    terms = [*zip(total.literals, total.weights, strict=True)]
    low = sum(weight for x, weight in terms if x in known)
    high = sum(weight for x, weight in terms if -x not in known)
    if low > total.at_most or high < total.at_least:
        return None
    undecided = [(x, weight) for x, weight in terms if x not in known and -x not in known]
    excluded = {-x for x, weight in undecided if low + weight > total.at_most}
    return excluded | {x for x, weight in undecided if high - weight < total.at_least}


def _imply_by_xor(constraint: Xor, known: Set[int]) -> set[int] | None:
    """The last literal of an XOR of which all others are known; None if it is broken."""
    undecided = [x for x in constraint.variables if x not in known and -x not in known]
    odd = sum(x in known for x in constraint.variables) % 2 == 1
    if not undecided:
        return set() if odd == constraint.odd else None
    if len(undecided) > 1:
        return set()
    return {undecided[0] if odd != constraint.odd else -undecided[0]}
