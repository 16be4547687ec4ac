"""Fillings: some things need as many places as there are.

If all that is left of k choices lies in k groups that take one placement each, these choices fill
the groups, and whatever else is in the groups is excluded. One place in two houses (pointing),
naked and hidden sets, and fish are all of this form.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import NamedTuple

from jigsat.study.knowledge import Group

MAX_SIZE = 3  # number of choices
MAX_NODES = 20_000  # number of partial fillings that are tried for each number of choices


class Filling(NamedTuple):
    """Choices, as many groups that hold all that is left of them, and the rest of the groups."""

    choices: tuple[Group, ...]
    covers: tuple[Group, ...]
    excluded: tuple[int, ...]


class FillingSearch:
    """Searches among choices of which none is made, and groups of variables that are left."""

    def __init__(self, choices: Sequence[Group], groups: Sequence[Group]) -> None:
        self._choices = choices
        self._groups_of: dict[int, list[Group]] = {}
        for group in groups:
            for x in group.left:
                self._groups_of.setdefault(x, []).append(group)
        self._choices_of: dict[int, list[int]] = {}
        for number, choice in enumerate(choices):
            for x in choice.left:
                self._choices_of.setdefault(x, []).append(number)
        self._nodes = 0

    def find_smallest(
        self, wanted: Collection[int] = (), sizes: Sequence[int] = range(1, MAX_SIZE + 1)
    ) -> Filling | None:
        """The first of the smallest fillings that exclude all wanted variables, or any variable if
        none is wanted.
        """
        for size in sizes:
            for filling in self.list_fillings(size):
                if filling.excluded and set(wanted) <= set(filling.excluded):
                    return filling
        return None

    def list_fillings(self, size: int) -> Iterator[Filling]:
        """The fillings by a number of choices that exclude something, up to a number of tries."""
        self._nodes = 0
        for number, choice in enumerate(self._choices):
            if self._may_choose(choice, size):
                yield from self._extend([number], [], size)

    def _may_choose(self, choice: Group, size: int) -> bool:
        """Whether a choice is of use: several choices have few variables each."""
        return bool(choice.left) and (size == 1 or len(choice.left) <= size)

    def _extend(self, numbers: list[int], covers: list[Group], size: int) -> Iterator[Filling]:
        """The fillings that begin with these choices and groups."""
        self._nodes += 1
        if self._nodes > MAX_NODES:
            return
        needed = [x for number in numbers for x in self._choices[number].left]
        covered = {x for group in covers for x in group.left}
        missing = [x for x in needed if x not in covered]
        if missing and len(covers) < size:
            yield from self._extend_covers(numbers, covers, missing[0], size)
        elif missing:
            return
        elif len(numbers) == len(covers) == size:
            yield from self._finish(numbers, covers, needed)
        elif len(numbers) < size:
            yield from self._extend_choices(numbers, covers, covered, size)

    def _extend_covers(
        self, numbers: list[int], covers: list[Group], missing: int, size: int
    ) -> Iterator[Filling]:
        """One more group, which holds a variable that no group holds so far."""
        own = {self._choices[number].rule for number in numbers}
        for group in self._groups_of.get(missing, ()):
            if not self._is_own(group, numbers, own):
                yield from self._extend(numbers, [*covers, group], size)

    def _is_own(self, group: Group, numbers: Sequence[int], rules: Collection[str]) -> bool:
        """Whether a group is what a choice is required of."""
        if group.rule not in rules:
            return False
        return any(
            self._choices[number].rule == group.rule
            and set(self._choices[number].left) <= set(group.left)
            for number in numbers
        )

    def _extend_choices(
        self, numbers: list[int], covers: list[Group], covered: Collection[int], size: int
    ) -> Iterator[Filling]:
        """One more choice, of which the groups hold a part, and which has nothing in common with
        the others.
        """
        taken = {x for number in numbers for x in self._choices[number].left}
        near = {number for x in covered for number in self._choices_of.get(x, ())}
        for number in sorted(near):
            choice = self._choices[number]
            if number <= numbers[0] or len(choice.left) > size:
                continue
            is_covered = all(x in covered for x in choice.left)
            if taken.isdisjoint(choice.left) and (is_covered or len(covers) < size):
                yield from self._extend([*numbers, number], covers, size)

    def _finish(
        self, numbers: Sequence[int], covers: Sequence[Group], needed: Sequence[int]
    ) -> Iterator[Filling]:
        rest = {x for group in covers for x in group.left}.difference(needed)
        if rest:
            choices = tuple(self._choices[number] for number in numbers)
            yield Filling(choices, tuple(covers), tuple(sorted(rest)))
