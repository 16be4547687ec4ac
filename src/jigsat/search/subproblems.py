"""Splitting a search into subproblems: disjoint parts that together contain all models.

A subproblem (a cube, in cube-and-conquer) is a tuple of literals of decision variables. Its models are those in which all of
them are true. Any solver that accepts assumptions can search it, in another process or on another machine.

>>> formula = Formula()
>>> place = formula.variables("place", ("tile", "cell"), [(t, c) for t in "ab" for c in range(3)])
>>> for tile in "ab":
...     formula.exactly_one(place[tile, :])
>>> formula.clause([-place("b", 0)])
>>> Splitter(formula).choice(())
SplitChoice(open=(5, 6), refuted=(4,))
"""

from collections import Counter, defaultdict
from collections.abc import Iterator
from random import Random
from typing import NamedTuple, TypeAlias

from jigsat.backends import PROPAGATOR, open_backend
from jigsat.formula import Clause, Formula, Lowered, Xor
from jigsat.search.propagation import units

Literals: TypeAlias = tuple[int, ...]  # literals that a subproblem fixes


class SplitChoice(NamedTuple):
    """The literals into which a subproblem is split: those of an exactly-one constraint, or both values of a variable.

    Unit propagation refutes the subproblems that are extended by a literal of `refuted`, but not those of `open`.
    """

    open: tuple[int, ...]
    refuted: tuple[int, ...]


class Splitter:
    """A formula in a solver that propagates."""

    def __init__(self, formula: Formula) -> None:
        self._propagator = propagator = open_backend(PROPAGATOR)
        self._decisions = formula.decisions()
        lowered = Lowered(formula, native=propagator.capabilities.native)
        given = units(lowered, propagator)
        self._always = lowered.auxiliary()  # always assumed; it implies the literals that would have to be assumed
        for literal in given:
            propagator.add(Clause((-self._always, literal)))
        self._whole = [list(literals) for literals in formula.items()]
        self._items = _reduce_items(self._whole, formula)
        self._weight = Counter(
            abs(x)
            for constraint in formula.constraints()
            for x in (constraint.variables if isinstance(constraint, Xor) else constraint.literals)
        )

    def close(self) -> None:
        """Free the solver."""
        self._propagator.close()

    def implied_literals(self, subproblem: Literals) -> set[int] | None:
        """The literals that follow from a subproblem by unit propagation; None if it is refuted."""
        possible, literals = self._propagator.propagate([self._always, *subproblem])
        return {*subproblem, *literals} if possible else None

    def choice(self, subproblem: Literals) -> SplitChoice | None:
        """The choice that splits a subproblem; None if there is nothing left to choose, or if unit propagation refutes it."""
        return next(self.choices(subproblem), None)

    def choices(self, subproblem: Literals, rng: Random | None = None) -> Iterator[SplitChoice]:
        """All choices that split a subproblem, those with the fewest branches first; several with the same number at random."""
        fixed = self.implied_literals(subproblem)
        if fixed is None:
            return
        left = [
            ([x for x in reduced if -x not in fixed], item)
            for reduced, item in zip(self._items, self._whole, strict=True)
            if fixed.isdisjoint(reduced)
        ]
        free = [variable for variable in self._decisions if variable not in fixed and -variable not in fixed]
        if not left and free:
            variable = max(free, key=lambda variable: self._weight[variable])
            left = [([variable, -variable], [variable, -variable])]
        if rng:
            rng.shuffle(left)
        for literals, whole in sorted(left, key=lambda entry: len(entry[0])):
            opened = tuple(literal for literal in literals if self.implied_literals((*subproblem, literal)) is not None)
            yield SplitChoice(opened, tuple(literal for literal in whole if literal not in opened))


def _reduce_items(items: list[list[int]], formula: Formula) -> list[list[int]]:
    """The literals of each item; a clause over a subset of an item reduces the item to that subset."""
    items = list(items)
    at: dict[int, list[int]] = defaultdict(list)
    for i, item in enumerate(items):
        for literal in item:
            at[literal].append(i)
    for constraint in formula.constraints():
        match constraint:
            case Clause(literals) if literals:
                for i in at.get(literals[0], ()):
                    if set(literals).issubset(items[i]):
                        items[i] = [literal for literal in items[i] if literal in literals]
    return items
