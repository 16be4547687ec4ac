"""Splitting a search into cubes: disjoint parts that together contain all models.

A cube is a tuple of literals of decision variables. Its models are the models of the formula in which these literals are true.
Any solver that accepts assumptions can search a cube, in another process or on another machine.

>>> formula = Formula()
>>> place = formula.variables("place", ("tile", "cell"), [(t, c) for t in "ab" for c in range(3)])
>>> for tile in "ab":
...     formula.exactly_one(place[tile, :])
>>> formula.clause([-place("b", 0)])
>>> split(formula, 2)
[(5,), (6,)]
>>> split(formula, 2, within=(6,))
[(6, 1), (6, 2), (6, 3)]
"""

from __future__ import annotations

from collections import Counter, defaultdict
from contextlib import closing
from heapq import heappop, heappush
from itertools import count
from typing import TypeAlias

from jigsat.backends import PROPAGATOR, Backend, open_backend
from jigsat.formula import Clause, Formula, Lowered, Xor
from jigsat.search.propagation import units

Cube: TypeAlias = tuple[int, ...]


def split(formula: Formula, number: int, within: Cube = ()) -> list[Cube]:
    """At least `number` disjoint cubes, if possible, that extend the cube `within` and contain all of its models.

    The cube with the most undecided variables is split until there are enough cubes: by the exactly-one constraint over
    decision variables with the fewest possible literals, one cube per literal, or if there is no such constraint, by the value
    of one variable. Cubes that unit propagation refutes are left out, so there may be few cubes or none.
    """
    with closing(open_backend(PROPAGATOR)) as propagator:
        splitter = _Splitter(formula, propagator)
        order = count()
        growing, whole = [(0, next(order), within)], list[Cube]()
        while growing and len(growing) + len(whole) < number:
            _, _, cube = heappop(growing)
            parts = splitter.parts(cube)
            if parts == [cube]:
                whole.append(cube)
                continue
            for part in parts:
                heappush(growing, (-splitter.open(part), next(order), part))
        return whole + [cube for _, _, cube in sorted(growing, key=lambda entry: entry[1])]


class _Splitter:
    """A formula in a solver that propagates."""

    def __init__(self, formula: Formula, propagator: Backend) -> None:
        self._propagator = propagator
        self._decisions = formula.decisions()
        lowered = Lowered(formula, native=propagator.capabilities.native)
        given = units(lowered, propagator)
        self._always = lowered.auxiliary()  # always assumed; it implies the literals that would have to be assumed
        for literal in given:
            propagator.add(Clause((-self._always, literal)))
        self._items = _items(formula)
        self._weight = Counter(
            abs(x)
            for constraint in formula.constraints()
            for x in (constraint.variables if isinstance(constraint, Xor) else constraint.literals)
        )

    def _fixed(self, cube: Cube) -> set[int] | None:
        """The literals that follow from a cube by unit propagation; None if it refutes the cube."""
        possible, literals = self._propagator.propagate([self._always, *cube])
        return {*cube, *literals} if possible else None

    def open(self, cube: Cube) -> int:
        """The number of decision variables that a cube leaves undecided."""
        fixed = self._fixed(cube) or ()
        return sum(variable not in fixed and -variable not in fixed for variable in self._decisions)

    def parts(self, cube: Cube) -> list[Cube]:
        """The cubes into which one choice splits a cube; the cube itself if there is nothing left to choose."""
        fixed = self._fixed(cube)
        if fixed is None:
            return []
        left = [[x for x in item if -x not in fixed] for item in self._items if fixed.isdisjoint(item)]
        if left:
            choice = min(left, key=len)
        else:
            free = [variable for variable in self._decisions if variable not in fixed and -variable not in fixed]
            if not free:
                return [cube]
            variable = max(free, key=lambda variable: self._weight[variable])
            choice = [variable, -variable]
        return [part for literal in choice if self._fixed(part := (*cube, literal)) is not None]


def _items(formula: Formula) -> list[list[int]]:
    """The literals of each item; a clause over a subset of an item reduces the item to that subset."""
    items = [list(literals) for literals in formula.items()]
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
