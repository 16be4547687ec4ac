"""What a formula demands, such as pieces to place and cells to fill, with the placements that meet
each demand."""

from collections.abc import Collection, Iterable
from typing import NamedTuple

from jigsat.formula import Cardinality, Constraint, Formula, Linear, requirement_constraints
from jigsat.symmetry import Placement


class Demand(NamedTuple):
    """A requirement, the placements that meet it, and how many of them must be in a solution."""

    noun: str
    name: str
    done: str
    placements: frozenset[Placement]
    number: int

    @property
    def copies(self) -> str:
        """Several copies that are required, such as '2 pieces A'."""
        return f"{self.number} {self.noun}s {self.name.removesuffix(f' ×{self.number}')}"

    def name_missing(self, placed: Collection[Placement]) -> str:
        """What is not among some placements, such as 'piece A' or 'one of the 2 pieces A'."""
        if self.number == 1:
            return f"{self.noun} {self.name}"
        missing = self.number - len(self.placements.intersection(placed))
        if missing == self.number:
            return f"the {self.copies}"
        if missing == 1:
            return f"one of the {self.copies}"
        return f"{missing} of the {self.copies}"


def list_demands(formula: Formula) -> list[Demand]:
    """The demands of a formula, in the order in which it states its requirements."""
    decisions = frozenset(formula.decisions())
    demands = []
    for requirement, constraints in requirement_constraints(formula).items():
        variables: set[int] = set()
        for constraint in constraints:
            variables.update(decisions.intersection(_literals(constraint)))
        placements = frozenset(formula.key(variable) for variable in variables)
        number = max(_least(constraint) for constraint in constraints)
        demands.append(Demand(*requirement, placements, number))
    return demands


def _literals(constraint: Constraint) -> Iterable[int]:
    """The literals of a constraint; none for constraints on graphs, which demand no placement."""
    literals: Iterable[int] = getattr(constraint, "literals", ())
    return literals


def _least(constraint: Constraint) -> int:
    """How many placements a constraint requires."""
    if isinstance(constraint, Cardinality | Linear):
        return max(1, constraint.at_least)
    return 1
