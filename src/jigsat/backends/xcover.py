"""Exact cover with colours, by xcover, for formulas that are made of exactly-one and at-most-one constraints.

Every variable is an option. An exactly-one constraint is an item that one option must cover, an at-most-one constraint an
item that one option may cover. A clause 'x implies y' is a colour: y occurs in an exactly-one constraint, and x determines
which of its literals is true; so the tiles that meet at an edge give it the same label. Other clauses are accepted if they
follow from these or only exclude options.
"""

from __future__ import annotations

import warnings
from collections import defaultdict
from collections.abc import Generator, Iterator, Sequence
from itertools import chain

from jigsat.backends.base import Capabilities, Enumerating, Spec
from jigsat.errors import InputError
from jigsat.formula import Cardinality, Clause, Constraint, Xor


def specs() -> Iterator[Spec]:
    yield Spec("xcover", "xcover", "pip install xcover", XCover, establishes="exhaustion")


class XCover(Enumerating):
    """Knuth's Algorithm C: each call of `solve` finds the next model. Adding a constraint restarts the search."""

    capabilities = Capabilities(clauses=False, cardinality=True, assumptions=True, enumerates=True)

    def __init__(self) -> None:
        super().__init__()
        with warnings.catch_warnings():  # numba warns when it compiles xcover at the first import
            warnings.simplefilter("ignore")
            import xcover
        self._algorithm = xcover.algorithm_c
        self._constraints: list[Constraint] = []
        self._decisions: Sequence[int] = ()

    def project(self, variables: Sequence[int]) -> None:
        self._decisions = variables

    def add(self, constraint: Constraint) -> None:
        self._constraints.append(constraint)
        self._start_over()

    def _models(self, assumptions: Sequence[int]) -> Generator[Sequence[int], None, None]:
        import numpy

        cover = ExactCover([*self._constraints, *(Clause((literal,)) for literal in assumptions)], self._decisions)
        options = cover.options()
        coverable = set().union(*options.values())
        if not coverable.issuperset(range(len(cover.exactly))):
            return
        if not options:
            yield []
            return
        literals, items = list(options), max(coverable) + 2
        options[literals[0]][items - 1] = 0  # xcover ignores an item if it is the only one
        entries = [entry for option in options.values() for entry in option.items()]
        starts = numpy.cumsum([0, *map(len, options.values())])
        arrays = [numpy.array(numbers, dtype=numpy.uint32) for numbers in (*zip(*entries, strict=True), starts)]
        for found in self._algorithm(arrays[0], arrays[2], arrays[1], items, items - len(cover.exactly)):
            yield [literals[i] for i in found if literals[i] > 0]


class ExactCover:
    """Constraints as an exact cover; decisions without constraints are included. Raises InputError if this is impossible."""

    def __init__(self, constraints: Sequence[Constraint], decisions: Sequence[int]) -> None:
        self.exactly: list[tuple[int, ...]] = []
        self._at_most: list[tuple[int, ...]] = []
        self._excluded: set[int] = set()
        self._places: dict[int, list[int]] = defaultdict(list)  # literal: its indices in `exactly`
        self._fixes: dict[int, dict[int, int]] = defaultdict(dict)  # literal: for indices in `exactly` the literal it fixes
        self._choices: dict[int, None] = {}  # indices in `exactly` in which something is fixed
        clauses = [constraint for constraint in constraints if not self._is_item(constraint)]
        variables = {*decisions, *(abs(literal) for constraint in constraints for literal in _literals(constraint))}
        for variable in variables - self._places.keys():  # a variable in no item gets one: true or false
            self._require((variable, -variable))
        for clause in [clause for clause in clauses if not self._is_colour(_literals(clause))]:
            if not self._follows(_literals(clause)):
                raise _refusal(clause)

    def _require(self, literals: tuple[int, ...]) -> None:
        for literal in literals:
            self._places[literal].append(len(self.exactly))
        self.exactly.append(literals)

    def _is_item(self, constraint: Constraint) -> bool:
        """Add a constraint that is an item or excludes options; returns False for a clause that has to be examined later."""
        literals = _literals(constraint)
        match constraint:
            case Clause() if any(-literal in literals for literal in literals):
                return True
            case Clause() if max(literals) > 0 and len(literals) > 1:
                return False
            case Clause() if max(literals) > 0:
                self._require(literals)
            case Clause() if len(literals) == 1:
                self._excluded.add(-literals[0])
            case Clause() if len(literals) == 2:
                self._at_most.append((-literals[0], -literals[1]))
            case Cardinality(_, low, high) if low <= 0 and high >= len(literals):
                return True
            case Cardinality(_, 1, 1) if min(literals) > 0:
                self._require(literals)
            case Cardinality(_, low, 1) if low <= 0 < min(literals):
                self._at_most.append(literals)
            case Cardinality(_, low, 0) if low <= 0 < min(literals):
                self._excluded.update(literals)
            case _:
                raise _refusal(constraint)
        return True

    def _is_colour(self, literals: tuple[int, ...]) -> bool:
        """Add 'x implies y': x makes y true in an exactly-one constraint, and the literals there make themselves true."""
        if len(literals) > 2 or min(literals) > 0:
            return False
        x, y = -min(literals), max(literals)
        place = self._places[y][0]
        if place not in self._choices:
            self._choices[place] = None
            for rival in self.exactly[place]:
                self._fixes[rival][place] = rival
        if self._fixes[x].setdefault(place, y) != y:
            self._excluded.add(x)
        return True

    def _follows(self, literals: tuple[int, ...]) -> bool:
        """Whether a clause with a positive literal follows from the cover, perhaps after excluding options.

        'One of S' holds if the other literals of an exactly-one constraint that contains S are excluded. 'x implies one of S'
        holds if x excludes all other literals of such a constraint, because they require a different colour from x.
        """
        negative, positive = [-x for x in literals if x < 0], {x for x in literals if x > 0}
        for place in self._places[min(positive)]:
            others = set(self.exactly[place]) - positive
            if not negative and positive.issubset(self.exactly[place]):
                self._excluded |= others
                return True
            if len(negative) == 1 and all(self._exclude_each_other(negative[0], other) for other in others):
                return True
        return False

    def _exclude_each_other(self, x: int, y: int) -> bool:
        a, b = self._fixes[x], self._fixes[y]
        return any(a[place] != b[place] for place in a.keys() & b.keys())

    def options(self) -> dict[int, dict[int, int]]:
        """For each possible literal the items it covers and their colours, 0 for none. The items of `exactly` come first."""
        found: dict[int, dict[int, int]] = defaultdict(dict)
        for item, literals in enumerate(chain(self.exactly, self._at_most)):
            for literal in literals:
                if literal not in self._excluded:
                    found[literal][item] = 0
        items = {place: i for i, place in enumerate(self._choices, len(self.exactly) + len(self._at_most))}
        for literal, option in found.items():
            for place, fixed in self._fixes[literal].items():
                option[items[place]] = self.exactly[place].index(fixed) + 1
        return found


def _literals(constraint: Constraint) -> tuple[int, ...]:
    """The literals of a constraint, each once."""
    return () if isinstance(constraint, Xor) else tuple(dict.fromkeys(constraint.literals))


def _refusal(constraint: Constraint) -> InputError:
    return InputError(
        f"xcover accepts exactly-one and at-most-one constraints, implications, and consequences of them, but this "
        f"formula has another {constraint.kind}; use another backend"
    )
