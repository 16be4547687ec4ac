"""Playing a puzzle by hand: what can be put where, and what a part of a solution breaks already,
without a search."""

from collections.abc import Collection, Hashable, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple, TypeAlias

from jigsat.errors import InputError
from jigsat.formula import (
    Cardinality,
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


@dataclass
class Position:
    """What follows from placements: `known` literals, each with the placements from which it does,
    and for the number of each constraint that is `broken` the placements that break it."""

    placed: frozenset[int]
    known: dict[int, frozenset[int]]
    broken: dict[int, frozenset[int]]


class Playing:
    """A puzzle to be played.

    A rule is broken if it is false for the placements alone. What they mean is found by unit
    propagation, in which nothing is placed: only the auxiliary variables get values, and whatever
    else would take the same place is excluded.
    """

    def __init__(self, puzzle: Puzzle) -> None:
        self.puzzle = puzzle
        self._last: Position | None = None

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
        candidates = {}
        for variable in self.formula.decisions():
            placement = self.formula.key(variable)
            if places := tuple(self.puzzle.board_places(placement)):
                piece = self.puzzle.name_piece(placement)
                candidates[variable] = Candidate(piece, places, placement)
        return candidates

    @cached_property
    def places(self) -> dict[Hashable, None]:
        """The places of the board on which something can be placed, in order."""
        return dict.fromkeys(
            place for candidate in self.candidates.values() for place in candidate.places
        )

    @cached_property
    def _by_json(self) -> dict[str, Placement]:
        keys: Iterable[Placement] = map(self.formula.key, self.formula.decisions())
        return {canonical(key._asdict()): key for key in keys}

    def read_placements(self, described: Iterable[Any], where: str) -> list[Placement]:
        """The placements with these fields. Raises InputError that begins with `where` and the
        index of the wrong one."""
        placements = []
        name = self.puzzle.name or "this puzzle"
        for number, fields in enumerate(described):
            text = canonical(fields)
            placement = self._by_json.get(text)
            if placement is None:
                example = f"; one is {next(iter(self._by_json))}" if self._by_json else ""
                raise InputError(f"{where}{number}: {name} has no placement {text[:200]}{example}")
            placements.append(placement)
        return placements

    @cached_property
    def copies(self) -> dict[str, int | None]:
        """How often each piece can be placed at most, by the constraints on all of its placements;
        None: any number."""
        of: dict[str, set[int]] = {}
        for variable, candidate in self.candidates.items():
            of.setdefault(candidate.piece, set()).add(variable)
        most: dict[str, int | None] = dict.fromkeys(of)
        for _, _, constraint in self._constraints:
            if (
                isinstance(constraint, Cardinality | Linear)
                and constraint.literals
                and constraint.literals[0] in self.candidates
            ):
                within = set(constraint.literals)
                for piece in {self.candidates[x].piece for x in within if x in self.candidates}:
                    if of[piece] <= within:
                        most[piece] = min(constraint.at_most, most[piece] or constraint.at_most)
        return most

    @cached_property
    def _constraints(self) -> list[tuple[str, str, Constraint]]:
        """The constraints, each with its group and the name of its rule or ''."""
        groups = (
            (group, self.formula.rules_of(group), rows.constraints)
            for group, rows in self.formula.groups.items()
        )
        return [
            (group, names.get(i, ""), constraint)
            for group, names, rows in groups
            for i, constraint in enumerate(rows)
        ]

    @cached_property
    def _touching(self) -> dict[int, list[int]]:
        """The numbers of the constraints on each variable; an XOR is known only at the end."""
        touching: dict[int, list[int]] = {}
        for number, (_, _, constraint) in enumerate(self._constraints):
            if not isinstance(constraint, Xor):
                for literal in constraint[0]:
                    touching.setdefault(abs(literal), []).append(number)
        return touching

    @cached_property
    def _with_auxiliary(self) -> list[int]:
        """The numbers of the constraints on variables that are not placements."""
        numbers: set[int] = set()
        for variable, touching in self._touching.items():
            if variable not in self.candidates:
                numbers.update(touching)
        return sorted(numbers)

    @cached_property
    def _at_place(self) -> dict[Hashable, list[int]]:
        """The candidates that take one place only, by this place."""
        at_place: dict[Hashable, list[int]] = {}
        for x, candidate in self.candidates.items():
            if len(candidate.places) == 1:
                at_place.setdefault(candidate.places[0], []).append(x)
        return at_place

    @cached_property
    def _start(self) -> Position:
        """What follows if nothing is placed."""
        start = Position(frozenset(), {}, {})
        self._propagate(start, range(len(self._constraints)))
        return start

    def _follow(self, placed: frozenset[int]) -> Position:
        """What follows from placements. If these are the last ones and some more, only what is new
        is propagated. If a rule is broken, all is propagated again, so that the reasons do not
        depend on the order of the moves."""
        last = self._last
        if last is None or last.broken or not last.placed <= placed:
            last = self._start
        position = self._place(last, placed)
        if position.broken and last is not self._start:
            position = self._place(self._start, placed)
        self._last = position
        return position

    def _place(self, last: Position, placed: frozenset[int]) -> Position:
        """What follows if more is placed."""
        added = sorted(placed - last.placed)
        if any(-x in last.known for x in added):
            last = self._start
            added = sorted(placed)
        position = Position(placed, dict(last.known), dict(last.broken))
        for x in added:
            position.known[x] = frozenset([x])
        new = list(added)
        for x in added:
            places = self.candidates[x].places
            for other in self._at_place[places[0]] if len(places) == 1 else ():
                if other not in placed:
                    position.known[-other] = position.known[x]
                    new.append(other)
        touched = {number for x in new for number in self._touching.get(x, ())}
        self._propagate(position, sorted(touched))
        return position

    def broken_rules(self, placements: Collection[Placement]) -> list[BrokenRule]:
        """The rules that placements break; of rules that some of the same placements break, the one
        that fewest of them do."""
        wanted = set(placements)
        placed = {x for x, candidate in self.candidates.items() if candidate.placement in wanted}
        broken = self._follow(frozenset(placed)).broken
        rules = [(because, self._constraints[number][:2]) for number, because in broken.items()]
        rules.sort(key=lambda rule: (len(rule[0]), rule[1][0] in self.formula.redundant))
        rule_of: dict[frozenset[int], tuple[str, str]] = {}
        for because, rule in rules:
            if because and not any(fewer <= because for fewer in rule_of):
                rule_of[because] = rule
        return [
            BrokenRule(*rule, frozenset(map(self.formula.key, because)))
            for because, rule in rule_of.items()
        ]

    def find_solution(self, placements: Collection[Placement]) -> list[Placement] | None:
        """These placements, with others that follow from them, if they are a solution."""
        wanted = set(placements)
        placed = {x for x, candidate in self.candidates.items() if candidate.placement in wanted}
        for _, _, constraint in self._constraints:
            if self.candidates.keys() >= {*map(abs, constraint[0])} and not holds(
                constraint, placed
            ):
                return None
        decisions = self.formula.decisions()
        if len(decisions) == len(self.candidates) and self._is_refused(placed):
            return None
        known = {x if x in placed else -x: frozenset[int]() for x in self.candidates}
        position = Position(frozenset(placed), known, {})
        self._propagate(position, self._with_auxiliary)
        if position.broken or self._is_refused(position.known):
            return None
        return self._choose(position.known)

    def _is_refused(self, true: Collection[int]) -> bool:
        """Whether the check of the family finds a fault in the placements that are true."""
        return any(self.puzzle.check(self._choose(true)))

    def _choose(self, true: Collection[int]) -> list[Placement]:
        """The placements that are true."""
        return [self.formula.key(x) for x in self.formula.decisions() if x in true]

    def _propagate(self, position: Position, numbers: Iterable[int]) -> None:
        """Add auxiliary literals to the known ones, each with the placements from which it follows,
        and what they break, beginning with some constraints."""
        known = position.known
        broken_now: dict[int, frozenset[int]] = {}
        waiting = dict.fromkeys(numbers)
        while waiting:
            number = next(iter(waiting))
            del waiting[number]
            constraint = self._sums[number]
            if isinstance(constraint, Xor):  # known only at the end
                continue
            if isinstance(constraint, GraphConstraint):
                implied, broken = self._imply_on_graph(constraint, known)
            else:
                implied, broken = self._imply_by_sum(constraint, known)
            if broken is not None:
                before = broken_now.get(number, broken)
                broken_now[number] = min(before, broken, key=len)
            for x, because in implied.items():
                known[x] = because
                waiting |= dict.fromkeys(self._touching[abs(x)])
        position.broken.update(broken_now)

    @cached_property
    def _sums(self) -> list[Linear | Xor | GraphConstraint]:
        """The constraints, clauses and cardinalities as sums."""
        return [
            constraint if isinstance(constraint, Xor | GraphConstraint) else as_sum(constraint)
            for _, _, constraint in self._constraints
        ]

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

    def _imply_by_sum(self, constraint: Linear, known: Mapping[int, frozenset[int]]) -> Implied:
        """What follows from a sum."""
        low = high = 0
        true, false, undecided = [], [], []
        for x, weight in zip(constraint.literals, constraint.weights, strict=True):
            if x in known:
                true.append(x)
                low += weight
                high += weight
            elif -x in known:
                false.append(-x)
            else:
                undecided.append((x, weight))
                high += weight
        if low > constraint.at_most:
            return {}, _join_reasons(true, known)
        if high < constraint.at_least:
            return {}, _join_reasons(false, known)
        implied = {}
        for x, weight in undecided:
            if abs(x) not in self.candidates:
                if low + weight > constraint.at_most:
                    implied[-x] = _join_reasons(true, known)
                elif high - weight < constraint.at_least:
                    implied[x] = _join_reasons(false, known)
        return implied, None

    def _is_open(self, literal: int, known: Mapping[int, frozenset[int]]) -> bool:
        """Whether a literal is of an auxiliary variable without a value."""
        return abs(literal) not in self.candidates and known.keys().isdisjoint((literal, -literal))


def _join_reasons(literals: Iterable[int], known: Mapping[int, frozenset[int]]) -> frozenset[int]:
    """The placements from which any of some literals follow."""
    return frozenset[int]().union(*(known[x] for x in literals))
