"""The differences between solutions, compared with a simple search over all symmetric images."""

from __future__ import annotations

import pytest

import jigsat
from jigsat.subject import nearest
from jigsat.symmetry import DECLARED_LEVELS, Group


@pytest.mark.parametrize("name", ["cube", "cats", "black-and-white"])
def test_the_nearest_earlier_solution_is_the_one_that_a_plain_search_finds(name: str) -> None:
    puzzle = jigsat.load(name)
    formula = puzzle.encode()
    group = Group.of(formula, puzzle.symmetries())
    variables = {formula.key(variable): variable for variable in formula.decisions()}
    solutions = jigsat.solutions(puzzle, up_to="nothing", limit=16)
    models = [
        frozenset(variables[placement] for placement in solution.placements)
        for solution in solutions
    ]
    assert nearest(puzzle, formula, group, [], models[0]) is None
    for i, model in enumerate(models[1:], 1):
        _, level, number = min(
            (len(model ^ image), index, number)
            for index, level in enumerate(DECLARED_LEVELS)
            for number, other in enumerate(models[:i], 1)
            for image in group.orbit(other, level)
        )
        relation = nearest(puzzle, formula, group, models[:i], model)
        assert relation is not None
        assert (relation.earlier, relation.level) == (number, DECLARED_LEVELS[level])


def test_a_turned_solution_is_reported_as_turned() -> None:
    """A turn of the whole board changes no piece."""
    puzzle = jigsat.load("cube")
    formula = puzzle.encode()
    group = Group.of(formula, puzzle.symmetries())
    first, *_ = jigsat.solutions(puzzle, up_to="nothing", limit=1)
    variables = {formula.key(variable): variable for variable in formula.decisions()}
    model = frozenset(variables[placement] for placement in first.placements)
    for permutation in group.levels["rotation"][1:]:
        relation = nearest(
            puzzle, formula, group, [model], frozenset(map(permutation.__getitem__, model))
        )
        assert str(relation) == "solution 1 turned"
