"""Comparing the pipeline with a twin: the same solutions, and the same counts at every level of
symmetry."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import pytest
from hypothesis import event, reject
from support.twins import Picture, TooManyError, Twin

import jigsat
from jigsat import instance
from jigsat.answering.ways import count_without_listing
from jigsat.errors import InputError
from jigsat.puzzle import Puzzle
from jigsat.search.portfolio import find_counting_engine
from jigsat.symmetry.levels import Placement


def parsed(data: Mapping[str, Any]) -> Puzzle:
    """The puzzle of an instance's data."""
    return instance.parse(dict(data), name="random", origin="random.toml")


def picture(
    twin: Twin, look: Callable[[Placement], tuple[Any, ...]], placements: tuple[Placement, ...]
) -> Picture:
    """The appearance of the placements on the twin's table; each cell must occur exactly once."""
    lying = {placement.cell: look(placement) for placement in placements}
    assert len(lying) == len(placements) == len(twin.table.cells)
    return tuple(lying[cell] for cell in twin.table.cells)


def assert_agreement(
    puzzle: Puzzle, twin: Twin, look: Callable[[Placement], tuple[Any, ...]]
) -> set[Picture]:
    """Assert that the pipeline and the twin find the same solutions, and return them. Examples with
    too many are skipped."""
    try:
        expected = twin.solutions()
    except TooManyError:
        reject()
    assert not (expected and list(puzzle.reasons())), "a reason for no solution is a proof"
    distinct = twin.distinct(expected)
    assert all(map(twin.accepts, expected)), "the twin accepts its own solutions"

    everything = jigsat.solutions(puzzle, up_to="nothing")
    found = [picture(twin, look, solution.placements) for solution in everything]
    assert set(found) == expected
    assert len(found) == len(expected), (
        "a solution is listed twice, because pieces that look alike are distinguished"
    )

    listings = [everything.result]
    for level in distinct:
        enumeration = jigsat.solutions(puzzle, up_to=level)
        representatives = [picture(twin, look, solution.placements) for solution in enumeration]
        orbits = twin.orbits(expected, level)
        assert len(representatives) == len(orbits)
        assert all(len(orbit.intersection(representatives)) == 1 for orbit in orbits)
        listings.append(enumeration.result)
    for result in listings:
        assert result.complete
        assert result.symmetries == twin.orders()
        assert (result.solutions, result.distinct) == (len(expected), distinct)
    return expected


few_and_many = pytest.mark.parametrize("number", [5, pytest.param(300, marks=pytest.mark.slow)])
"""The number of random instances, for a test that defines a hypothesis test with this
`max_examples` and calls it."""


def assert_counted(puzzle: Puzzle, solutions: int, distinct: Mapping[str, int]) -> None:
    """Assert that counting without a list gives these numbers, at each level, unless it refuses the
    puzzle."""
    assert not (solutions and list(puzzle.reasons())), "a reason for no solution is a proof"
    spec = find_counting_engine(puzzle.encode())
    backend = spec.name if spec else "counting"
    try:
        result = count_without_listing(puzzle, backend)
    except InputError:
        event("refused")
        return
    event(f"counted by {backend}: {min(solutions, 2)}")
    assert (result.solutions, result.distinct) == (solutions, distinct)
