"""Counting solutions that are listed in bulk: rows of bits in arrays, and orbits by permuting columns.

The smallest image of a solution under the symmetries identifies its orbit. One member of each orbit is checked by the family;
its images are solutions because the symmetries are verified on the formula.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from jigsat.orbits.tally import ListedTally
from jigsat.symmetry import LEVELS, Group, Model

BitRows: TypeAlias = npt.NDArray[np.uint8]
"""A row per solution with a column per decision variable, which is 1 if the variable is true."""


class BulkTally:
    """Counts solutions and orbits at each level of a listed group, given at least one member of each orbit."""

    def __init__(self, decisions: Sequence[int], group: Group) -> None:
        column = {variable: at for at, variable in enumerate(decisions)}
        self._decisions = np.array(decisions)
        self._group = group
        self._top = LEVELS[-1]
        self._sources = [_source(images, column) for images in group.levels[self._top]]
        self._seen: set[bytes] = set()
        self._rest = ListedTally(group, self._top)
        self.solutions = 0
        self.distinct = dict.fromkeys(group.orders, 0)

    def add(self, rows: BitRows) -> Iterator[Model]:
        """Count the orbits of these solutions; yields one member of each orbit that was not counted before."""
        images = [_keys(rows[:, source]) for source in self._sources]
        smallest = images[0]
        for keys in images[1:]:
            smallest = np.where(keys < smallest, keys, smallest)
        stabilisers = sum((keys == images[0]).astype(np.int64) for keys in images)
        order = len(self._sources)
        for at, key in enumerate(smallest.tolist()):
            if key in self._seen:
                continue
            self._seen.add(key)
            model = frozenset(self._decisions[rows[at] == 1].tolist())
            if stabilisers[at] == 1:
                self.solutions += order
                for level in self.distinct:
                    self.distinct[level] += order // len(self._group.levels[level])
            else:
                self._add_symmetric(model)
            yield model

    def _add_symmetric(self, model: Model) -> None:
        """Count the orbit of a solution that some symmetry maps to itself."""
        before, counted = self._rest.solutions, dict(self._rest.distinct)
        self._rest.add(model)
        self.solutions += self._rest.solutions - before
        for level, number in self._rest.distinct.items():
            self.distinct[level] += number - counted[level]


def batches(covers: Iterable[Sequence[Sequence[int]]], columns: Sequence[int], width: int) -> Iterator[BitRows]:
    """Each list of covers as an array. A cover is a sequence of options, which have columns; there are `width` columns."""
    place = np.array(columns, dtype=np.int64)
    for batch in covers:
        rows = np.zeros((len(batch), width), dtype=np.uint8)
        lengths = np.fromiter(map(len, batch), dtype=np.int64, count=len(batch))
        options = np.fromiter(chain.from_iterable(batch), dtype=np.int64, count=int(lengths.sum()))
        rows[np.repeat(np.arange(len(batch)), lengths), place[options]] = 1
        yield rows


def _source(images: Mapping[int, int], column: Mapping[int, int]) -> npt.NDArray[np.int64]:
    """For each column of the image of a row the column that it comes from."""
    source = np.empty(len(column), dtype=np.int64)
    for variable, image in images.items():
        source[column[image]] = column[variable]
    return source


def _keys(rows: BitRows) -> npt.NDArray[np.bytes_]:
    """The bits of each row as a string, which can be compared. It leaves out zeros at the end, which changes no comparison."""
    packed = np.packbits(rows, axis=1)
    if not packed.shape[1]:  # without decision variables
        return np.zeros(len(rows), dtype="S1")
    return np.ascontiguousarray(packed).view(f"S{packed.shape[1]}").ravel()
