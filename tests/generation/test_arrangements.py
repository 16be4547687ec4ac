"""The formula of all data and arrangements finds the same counterexamples as the encoding of each proposed puzzle."""

from __future__ import annotations

import random
from collections.abc import Callable
from functools import partial
from typing import Any

import pytest
from jigsat.encodings.edge_matching import generate as edge_matching
from jigsat.encodings.interlocking import generate as interlocking

from jigsat.generation.arrangements import EQUIVALENCE_LEVEL, ArrangementSolver
from jigsat.generation.counterexamples import CounterexampleGuidedGenerator, PuzzleSpace, find_counterexamples
from jigsat.generation.generator import generate
from jigsat.search.sampling import Sampler
from jigsat.symmetry import Group

LIMIT = 25


def tiles(**options: Any) -> PuzzleSpace:
    return edge_matching.LabelledEdges(edge_matching.Options(**options))


def cube(**options: Any) -> PuzzleSpace:
    return interlocking.Teeth(interlocking.Options(size=4, **options))


SPACES: dict[str, Callable[[], PuzzleSpace]] = {
    "cube": cube,
    "cube, not turned over": partial(cube, turning_over=False),
    "frame": partial(tiles, frame=True, labels=2, different=False),
    "several equal tiles": partial(tiles, board="square 2x3", labels=2, different=False),
    "solid": partial(tiles, board="cube", labels=2, different=False),
    "halves": partial(tiles, board="prism 3", labels=2, different=False, halves=("head", "tail")),
    "not turned": partial(tiles, board="square 3x3", labels=2, different=False, turning=False),
}


@pytest.mark.parametrize("name", SPACES)
def test_both_ways_find_the_same_counterexamples(name: str) -> None:
    space = SPACES[name]()
    arrangements = space.arrangements()
    assert arrangements is not None
    solver, proposals = ArrangementSolver(arrangements), Sampler(space.proposals)
    numbers = []
    for seed in range(6):
        rng = random.Random(seed)
        true = proposals.draw(space.draw(rng))
        assert true is not None
        model = frozenset(true)
        puzzle, solution = space.puzzle(model, rng)
        others, complete = solver.others(model, LIMIT)
        formula = puzzle.encode()
        group = Group.of(formula, puzzle.symmetries())
        found, every = find_counterexamples(formula, group, solution, LIMIT)
        assert (len(others), complete) == (len(found), every)
        placements = [space.solution(puzzle, other) for other in others]
        assert not any(list(puzzle.check(each)) for each in placements)
        known = {frozenset(map(formula.key, x)) for x in group.orbit(_model(formula, solution), EQUIVALENCE_LEVEL)}
        assert known.isdisjoint(map(frozenset, placements))
        numbers.append(len(others))
    assert any(numbers)


def _model(formula: Any, solution: Any) -> frozenset[int]:
    return frozenset(x for x in formula.decisions() if formula.key(x) in set(solution))


def test_hard_proposals_are_searched_with_their_own_encoding(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("jigsat.generation.arrangements.MAX_CALL_CONFLICTS", 1)
    generator = CounterexampleGuidedGenerator(tiles(frame=True, labels=3))
    made = [each for each in generate(generator, seed=0, count=2) if not each.shortcoming]
    assert [each.puzzle.known.rotation for each in made] == [1, 1]


def test_a_formula_that_would_be_too_large_is_not_made() -> None:
    assert tiles(board="square 5x5").arrangements() is None
    assert interlocking.Teeth(interlocking.Options(size=20)).arrangements() is None
