"""Splitting a search into cubes: parts that have no model in common and that together have them all.

A cube is a tuple of literals of decision variables; its models are those of the formula in which they are true. Whoever can
solve under assumptions can search a cube: another process, another machine.

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

Cube: TypeAlias = tuple[int, ...]


def split(formula: Formula, wanted: int, within: Cube = ()) -> list[Cube]:
    """At least so many disjoint cubes, if that can be, that extend the cube `within` and hold all of its models.

    The cube with the most decisions open is split until there are enough: by the exactly-one constraint over decision
    variables that has the fewest literals left, one cube for each of them, and where there is no such constraint by the value
    of one variable. What unit propagation refutes is left out, so there may be few cubes or none.
    """
    with closing(open_backend(PROPAGATOR)) as propagator:
        splitter = _Splitter(formula, propagator)
        order = count()
        growing, whole = [(0, next(order), within)], list[Cube]()
        while growing and len(growing) + len(whole) < wanted:
            _, _, cube = heappop(growing)
            parts = splitter.parts(cube)
            if parts == [cube]:
                whole.append(cube)
                continue
            for part in parts:
                heappush(growing, (-splitter.open(part), next(order), part))
        return whole + [cube for _, _, cube in sorted(growing, key=lambda entry: entry[1])]


class _Splitter:
    """A formula with a solver that propagates in it."""

    def __init__(self, formula: Formula, propagator: Backend) -> None:
        self._propagator = propagator
        self._decisions = formula.decisions()
        lowered = Lowered(formula, native=propagator.capabilities.native)
        units = []
        for constraint in lowered:
            match constraint:
                case Clause((literal,)):
                    units.append(literal)
                case _:
                    propagator.add(constraint)
        self._always = lowered.auxiliary()  # what follows without an assumption is not named, so something is assumed
        for literal in units:
            propagator.add(Clause((-self._always, literal)))
        self._items = _items(formula)
        self._weight = Counter(
            abs(x)
            for constraint in formula.constraints()
            for x in (constraint.variables if isinstance(constraint, Xor) else constraint.literals)
        )

    def _fixed(self, cube: Cube) -> set[int] | None:
        """The literals that follow from a cube by unit propagation; None if it has no models."""
        possible, literals = self._propagator.propagate([self._always, *cube])
        return {*cube, *literals} if possible else None

    def open(self, cube: Cube) -> int:
        """How many decision variables a cube leaves open."""
        fixed = self._fixed(cube) or ()
        return sum(variable not in fixed and -variable not in fixed for variable in self._decisions)

    def parts(self, cube: Cube) -> list[Cube]:
        """The cubes that a cube falls into by one choice; itself if there is nothing to choose."""
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
    """The literals of each item, without those that a clause leaves no room for."""
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
