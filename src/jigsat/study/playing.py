"""Playing a puzzle by hand: what can be put where, and what a part of a solution breaks already,
without a search."""

from collections.abc import Collection, Hashable, Iterable, Iterator, Mapping
from functools import cached_property
from typing import Any, NamedTuple, TypeAlias

from jigsat.errors import InputError
from jigsat.formula import (
    Cardinality,
    Clause,
    Constraint,
    Formula,
    GraphConstraint,
    Linear,
    Xor,
    as_sum,
    holds,
)
from jigsat.puzzle import Puzzle
from jigsat.runtime.untrusted import canonical
from jigsat.symmetry import Placement

MAX_CANDIDATES = 30_000  # page lists every way to put something somewhere up to this number


Implied: TypeAlias = tuple[dict[int, frozenset[int]], frozenset[int] | None]
"""The literals that follow, each with the placements from which it does, and the placements that
break the constraint if any do."""


class Candidate(NamedTuple):
    """A way to put a piece on the board, and the places that it takes."""

    piece: str
    places: tuple[Hashable, ...]
    placement: Placement


class BrokenRule(NamedTuple):
    """Placements that break a group of constraints whatever else is placed; `name` is its rule, if
    it has one."""

    rule: str
    name: str
    placements: frozenset[Placement]


class Playing:
    """A puzzle to be played.

    A rule is broken if it is false for the placements alone. What they mean is found by unit
    propagation, in which nothing is placed: only the auxiliary variables get values, and whatever
    else would take the same place is excluded.
    """

    def __init__(self, puzzle: Puzzle) -> None:
        self.puzzle = puzzle

    @cached_property
    def formula(self) -> Formula:
        return self.puzzle.encode()

    @cached_property
    def rules(self) -> dict[str, list[Constraint]]:
        return self.formula.list_rules()

    @cached_property
    def candidates(self) -> dict[int, Candidate]:
        """By variable, the placements that take places; others, such as scores, follow from
        them."""
        found = {}
        for variable in self.formula.decisions():
            placement = self.formula.key(variable)
            if places := tuple(self.puzzle.board_places(placement)):
                named = getattr(placement, self.puzzle.piece_field or "", None)
                piece = (
                    " ".join(str(value) for value in placement if value not in places)
                    if named is None
                    else str(named)
                )
                found[variable] = Candidate(piece, places, placement)
        return found

    @cached_property
    def places(self) -> dict[Hashable, None]:
        """The places of the board on which something can be placed, in order."""
        return dict.fromkeys(place for each in self.candidates.values() for place in each.places)

    @cached_property
    def _by_json(self) -> dict[str, Placement]:
        keys: Iterable[Placement] = map(self.formula.key, self.formula.decisions())
        return {canonical(key._asdict()): key for key in keys}

    def read_placements(self, described: Iterable[Any], where: str) -> list[Placement]:
        """The placements with these fields. Raises InputError that begins with `where` and the
        index of the wrong one."""
        found, name = [], self.puzzle.name or "this puzzle"
        for number, each in enumerate(described):
            if (placement := self._by_json.get(text := canonical(each))) is None:
                example = f"; one is {next(iter(self._by_json))}" if self._by_json else ""
                raise InputError(f"{where}{number}: {name} has no placement {text[:200]}{example}")
            found.append(placement)
        return found

    @cached_property
    def copies(self) -> dict[str, int | None]:
        """How often each piece can be placed at most, by the constraints on all of its placements;
        None: any number."""
        of: dict[str, set[int]] = {}
        for variable, candidate in self.candidates.items():
            of.setdefault(candidate.piece, set()).add(variable)
        found: dict[str, int | None] = dict.fromkeys(of)
        for _, _, constraint in self._constraints:
            if (
                isinstance(constraint, Cardinality | Linear)
                and constraint.literals[0] in self.candidates
            ):
                within = set(constraint.literals)
                for piece in {self.candidates[x].piece for x in within if x in self.candidates}:
                    if of[piece] <= within:
                        found[piece] = min(constraint.at_most, found[piece] or constraint.at_most)
        return found

    @cached_property
    def _constraints(self) -> list[tuple[str, str, Constraint]]:
        """The constraints, each with its group and the name of its rule or ''."""
        groups = (
            (group, self.formula.rules_of(group), rows.constraints)
            for group, rows in self.formula.groups.items()
        )
        return [
            (group, names.get(i, ""), each)
            for group, names, rows in groups
            for i, each in enumerate(rows)
        ]

    @cached_property
    def _about(self) -> dict[int, list[int]]:
        """The numbers of the constraints on each auxiliary variable."""
        found: dict[int, list[int]] = {}
        for i, (_, _, constraint) in enumerate(self._constraints):
            for literal in () if isinstance(constraint, Xor) else constraint.literals:
                if abs(literal) not in self.candidates:
                    found.setdefault(abs(literal), []).append(i)
        return found

    def broken_rules(self, placements: Collection[Placement]) -> list[BrokenRule]:
        """The rules that placements break; of rules that some of the same placements break, the one
        that fewest of them do."""
        placed = {x: each for x, each in self.candidates.items() if each.placement in placements}
        known = {x: frozenset([x]) for x in placed}
        on = {each.places[0]: x for x, each in placed.items() if len(each.places) == 1}
        for x, each in self.candidates.items():
            if x not in placed and len(each.places) == 1 and each.places[0] in on:
                known[-x] = known[on[each.places[0]]]
        found = dict[frozenset[int], tuple[str, str]]()
        for because, rule in sorted(
            self._propagate(known),
            key=lambda each: (len(each[0]), each[1][0] in self.formula.redundant),
        ):
            if because and not any(fewer <= because for fewer in found):
                found[because] = rule
        return [
            BrokenRule(*rule, frozenset(map(self.formula.key, because)))
            for because, rule in found.items()
        ]

    def is_solution(self, placements: Collection[Placement]) -> bool:
        """Whether these placements, and what follows from them, are a solution."""
        placed = {x for x, each in self.candidates.items() if each.placement in placements}
        for _, _, constraint in self._constraints:
            if self.candidates.keys() >= {*map(abs, constraint[0])} and not holds(
                constraint, placed
            ):
                return False
        known = {x if x in placed else -x: frozenset[int]() for x in self.candidates}
        if any(True for _ in self._propagate(known)):
            return False
        return not any(
            self.puzzle.check([self.formula.key(x) for x in self.formula.decisions() if x in known])
        )

    def _propagate(
        self, known: dict[int, frozenset[int]]
    ) -> Iterator[tuple[frozenset[int], tuple[str, str]]]:
        """Add auxiliary literals to the known ones, each with the placements from which it follows;
        yield what they break."""
        waiting = dict.fromkeys(range(len(self._constraints)))
        while waiting:
            waiting.pop(number := next(iter(waiting)))
            group, name, constraint = self._constraints[number]
            if isinstance(constraint, Xor):  # known only at the end
                continue
            if isinstance(constraint, GraphConstraint):
                implied, broken = self._imply_on_graph(constraint, known)
            else:
                implied, broken = self._imply_by_sum(constraint, known)
            if broken is not None:
                yield broken, (group, name)
            for x, because in implied.items():
                known[x] = because
                waiting |= dict.fromkeys(self._about[abs(x)])

    def _imply_on_graph(
        self, constraint: GraphConstraint, known: Mapping[int, frozenset[int]]
    ) -> Implied:
        """What follows from a constraint on a graph."""
        about = [x for y in constraint.literals for x in (y, -y) if x in known]
        because = frozenset[int]().union(*(known[x] for x in about))
        implied = constraint.imply(known)
        if implied is None:
            conflict = constraint.find_conflict(known) or about
            return {}, frozenset[int]().union(*(known[x] for x in conflict))
        return {x: because for x in implied if self._is_open(x, known)}, None

    def _imply_by_sum(
        self, constraint: Clause | Cardinality | Linear, known: Mapping[int, frozenset[int]]
    ) -> Implied:
        """What follows from a sum."""
        literals, weights, least, most = as_sum(constraint)
        sizes = dict(zip(literals, weights, strict=True))
        true, false = [x for x in sizes if x in known], [x for x in sizes if -x in known]
        low, high = (
            sum(sizes[x] for x in true),
            sum(sizes.values()) - sum(sizes[x] for x in false),
        )
        above = frozenset[int]().union(*(known[x] for x in true))
        below = frozenset[int]().union(*(known[-x] for x in false))
        if low > most:
            return {}, above
        if high < least:
            return {}, below
        implied = {}
        for x in sizes:
            above_most, below_least = low + sizes[x] > most, high - sizes[x] < least
            if (above_most or below_least) and self._is_open(x, known):
                implied[-x if above_most else x] = above if above_most else below
        return implied, None

    def _is_open(self, literal: int, known: Mapping[int, frozenset[int]]) -> bool:
        """Whether a literal is of an auxiliary variable without a value."""
        return abs(literal) not in self.candidates and known.keys().isdisjoint((literal, -literal))
