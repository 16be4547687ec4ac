"""What totals exclude: numbers that are in no way to write a total as a sum.

All ways to fill the open cells with what is left there are gone through, cell after cell.
Beginnings that leave the same to be filled in are one, so that a long run has few.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from jigsat.facts import AdditionKind
from jigsat.study.knowledge import Group, Knowledge
from jigsat.study.totals import Total

MAX_SUMS = 4  # number of ways to write a total as a sum that a sentence names
MAX_PAIRS = 6  # the same in the order of two cells

BOUNDS: tuple[tuple[AdditionKind, int], ...] = (("least", 1), ("most", -1))

Numbers = tuple[int, ...]


class Addition(NamedTuple):
    """What a total excludes, and why, as in the fact `Adds`."""

    kind: AdditionKind
    rules: tuple[str, ...]
    literals: tuple[int, ...]
    total: Total
    rest: int
    cells: tuple[Group, ...]
    ways: tuple[Numbers, ...]


class Adder:
    """Finds what totals exclude, while what is known grows."""

    def __init__(self, knowledge: Knowledge) -> None:
        self._knowledge = knowledge
        self._settled: set[OpenTotal] = set()
        """What was left of totals when nothing followed."""

    def find_next(self, rule: str) -> Addition | None:
        """What the totals of a rule exclude, for the easiest reason; None if nothing."""
        for total in self._knowledge.totals.get(rule, ()):
            left = self._find_left(total, self._list_rules(total))
            if left in self._settled:
                continue
            addition = self._add_up(total, left)
            if addition:
                return addition
            self._settled.add(left)
        return None

    def _list_rules(self, total: Total) -> tuple[str, ...]:
        """The rule of a total, and all others by which two of its cells differ: nobody thinks of
        2 + 2 for two cells of one row."""
        others: list[str] = []
        own = [set(group) for group in self._knowledge.groups.get(total.rule, ())]
        for rule, groups in self._knowledge.groups.items():
            for group in groups:
                concerned = [numbers.keys() & set(group) for _, numbers in total.cells]
                differing = set().union(*concerned)
                is_shared = sum(map(bool, concerned)) > 1
                is_known = any(differing <= literals for literals in own)
                if is_shared and not is_known and rule not in (total.rule, *others):
                    others.append(rule)
        return (total.rule, *others)

    def _find_left(self, total: Total, rules: tuple[str, ...]) -> OpenTotal:
        """What is left of a total, and of its cells without a number."""
        known = self._knowledge.known
        rest = total.number
        cells = []
        for rule, numbers in total.cells:
            placed = [numbers[x] for x in numbers if x in known]
            if placed:
                rest -= placed[0]
            else:
                left = tuple(x for x in numbers if -x not in known)
                cells.append(Group(rule, tuple(numbers), left))
        return OpenTotal(rules, rest, tuple(cells))

    def _add_up(self, total: Total, left: OpenTotal) -> Addition | None:
        """What is in no way to write what is left of a total as a sum."""
        numbers = {x: number for _, cell in total.cells for x, number in cell.items()}
        groups = [group for rule in left.rules for group in self._knowledge.groups.get(rule, ())]
        fillings = Fillings(left.cells, numbers, groups)
        fillings.list_sums(left.rest)
        open_numbers = [x for cell in left.cells for x in cell.left]
        undecided = self._knowledge.undecided
        gone = [-x for x in open_numbers if x not in fillings.supported and -x in undecided]
        reasons = Reasons(total, left, fillings, gone)
        if len(left.cells) == 1 and fillings.supported & undecided.keys():
            return reasons.find_last()
        if not gone:
            return None
        return reasons.find_sums() or reasons.find_pairs() or reasons.find_bound()


class OpenTotal(NamedTuple):
    """What is left of a total for its open cells, by some rules."""

    rules: tuple[str, ...]
    rest: int
    cells: tuple[Group, ...]


@dataclass
class Reasons:
    """Looks for a reason that is easy to follow, why a total excludes some of these literals."""

    total: Total
    left: OpenTotal
    fillings: Fillings
    gone: Sequence[int]

    def find_last(self) -> Addition:
        """The rest is the number of the only open cell."""
        literals = sorted(self.fillings.supported)
        return self._make("sums", literals, self.left.cells, [(self.left.rest,)])

    def find_sums(self) -> Addition | None:
        """Few sums are left, and none has the number."""
        sums = self.fillings.list_sums(self.left.rest)
        named = {number for way in sums for number in way}
        unnamed = [x for x in self.gone if self.fillings.numbers[-x] not in named]
        if unnamed and len(sums) <= MAX_SUMS:
            return self._make("sums", unnamed, self.left.cells, sorted(sums))
        return None

    def find_pairs(self) -> Addition | None:
        """Few pairs of numbers are left for two cells."""
        if len(self.left.cells) != 2:
            return None
        pairs = self.fillings.list_pairs(self.left.rest)
        if len(pairs) > MAX_PAIRS:
            return None
        return self._make("pairs", self.gone, self.left.cells, pairs)

    def find_bound(self) -> Addition:
        """The other cells have too much or too little for a number, or do not add up with it."""
        for cell, others in self._divide():
            here = [x for x in self.gone if -x in cell.left]
            for kind, sign in BOUNDS:
                bound = self.fillings.restrict(others).find_least(sign)
                room = sign * (self.left.rest - sum(bound))
                beyond = [x for x in here if sign * self.fillings.numbers[-x] > room]
                if beyond:
                    return self._make(kind, beyond, (cell, *others), [bound])

        first = self.gone[0]
        (cells,) = [(cell, *others) for cell, others in self._divide() if -first in cell.left]
        here = [x for x in self.gone if -x in cells[0].left]
        return self._make("none", here, cells, [])

    def _divide(self) -> Iterator[tuple[Group, tuple[Group, ...]]]:
        """A cell, and the others."""
        for cell in self.left.cells:
            yield cell, tuple(other for other in self.left.cells if other is not cell)

    def _make(
        self,
        kind: AdditionKind,
        literals: Sequence[int],
        cells: tuple[Group, ...],
        ways: Sequence[Numbers],
    ) -> Addition:
        rules, rest = self.left.rules, self.left.rest
        return Addition(kind, rules, tuple(literals), self.total, rest, cells, tuple(ways))


class Fillings:
    """The ways to choose a number for each cell, if the groups allow one of their literals each."""

    def __init__(
        self,
        cells: Sequence[Group],
        numbers: Mapping[int, int],
        groups: Iterable[tuple[int, ...]],
    ) -> None:
        self._cells = [cell.left for cell in cells]
        self.numbers = numbers
        self._groups = list(groups)
        self._clashes: dict[int, set[int]] = {x: set() for cell in self._cells for x in cell}
        for group in self._groups:
            for x in self._clashes.keys() & set(group):
                self._clashes[x].update(group)
        self._sums: dict[tuple[int, frozenset[int], int], frozenset[Numbers]] = {}
        self._least: dict[tuple[int, frozenset[int], int], Numbers | None] = {}
        self.supported: set[int] = set()
        """The literals of the ways that add up, once these are listed."""

    def restrict(self, cells: Sequence[Group]) -> Fillings:
        """The same for some of the cells."""
        return Fillings(cells, self.numbers, self._groups)

    def list_sums(self, rest: int) -> frozenset[Numbers]:
        """The numbers of each way that adds up, in no order."""
        return self._complete(0, frozenset(), rest)

    def _complete(self, i: int, blocked: frozenset[int], rest: int) -> frozenset[Numbers]:
        """The numbers from a cell on."""
        if i == len(self._cells) or rest < 0:
            return frozenset([()] if rest == 0 else [])
        state = i, blocked, rest
        if state not in self._sums:
            sums: set[Numbers] = set()
            for x, blocked_after in self._list_free(i, blocked):
                number = self.numbers[x]
                endings = self._complete(i + 1, blocked_after, rest - number)
                sums.update(tuple(sorted((number, *ending))) for ending in endings)
                if endings:
                    self.supported.add(x)
            self._sums[state] = frozenset(sums)
        return self._sums[state]

    def _list_free(self, i: int, blocked: frozenset[int]) -> Iterator[tuple[int, frozenset[int]]]:
        """The literals of a cell that are not blocked, each with what is blocked after it."""
        later = {y for cell in self._cells[i + 1 :] for y in cell}
        for x in self._cells[i]:
            if x not in blocked:
                yield x, frozenset(later & (blocked | self._clashes[x]))

    def list_pairs(self, rest: int) -> list[Numbers]:
        """The numbers of two cells in their order."""
        pairs: list[Numbers] = []
        first, second = self._cells
        for x in first:
            for y in second:
                numbers = self.numbers[x], self.numbers[y]
                if sum(numbers) == rest and y not in self._clashes[x]:
                    pairs.append(numbers)
        return pairs

    def find_least(self, sign: int) -> Numbers:
        """The numbers of a way with the least sum; with sign -1, of one with the largest."""
        least = self._find_least(0, frozenset(), sign)
        assert least is not None, "the rules have a solution"
        return tuple(sorted(least))

    def _find_least(self, i: int, blocked: frozenset[int], sign: int) -> Numbers | None:
        """The same from a cell on; None if no number is left for some cell."""
        if i == len(self._cells):
            return ()
        state = i, blocked, sign
        if state not in self._least:
            ways = []
            for x, blocked_after in self._list_free(i, blocked):
                ending = self._find_least(i + 1, blocked_after, sign)
                if ending is not None:
                    ways.append((self.numbers[x], *ending))
            self._least[state] = min(ways, key=lambda way: sign * sum(way), default=None)
        return self._least[state]
