"""The steps of shipped puzzles, which several files of tests look at: each is searched for once."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import islice

from jigsat import instance
from jigsat.study.steps import Step, find_steps


class _Told:
    """The steps so far, and the search that goes on."""

    def __init__(self, steps: Iterator[Step]) -> None:
        self._begun: list[Step] = []
        self._further = steps

    def list_first(self, number: int | None) -> list[Step]:
        missing = None if number is None else max(0, number - len(self._begun))
        self._begun += islice(self._further, missing)
        return self._begun[:number]


@cache
def _begin(name: str) -> _Told:
    return _Told(find_steps(instance.load(name)))


def list_steps(name: str, number: int | None = None) -> list[Step]:
    """The first steps of a puzzle, or all."""
    return _begin(name).list_first(number)
