"""Rules of puzzles on grids: sums."""

from itertools import product

import pytest

import jigsat
from jigsat.kit.rules import Rules

DOMAINS = [range(1, 5), (1, 2, 5, 7), (3, 4, 9)]


@pytest.mark.parametrize("total", range(3, 22))
def test_total_of_different_numbers(total: int) -> None:
    """The counts of a plain search, also where the choices have different values."""
    formula = Rules([], {})
    choices = [formula.choice("number", domain, at=at) for at, domain in enumerate(DOMAINS)]
    formula.all_different(choices)
    formula.total(total, choices, different=True)
    ways = {way for way in product(*DOMAINS) if len(set(way)) == 3 and sum(way) == total}
    models = jigsat.models(formula)
    assert {tuple(model[choice] for choice in choices) for model in models} == ways


def test_total_names_digits_of_every_set() -> None:
    """A run of three with the sum 7 has 1, 2 and 4: the rule of the total alone excludes 3."""
    formula = Rules([], {})
    choices = [formula.choice("digit", range(1, 10), at=at) for at in range(3)]
    formula.total(7, choices, different=True)
    assert all(model[choice] != 3 for model in jigsat.models(formula) for choice in choices)
