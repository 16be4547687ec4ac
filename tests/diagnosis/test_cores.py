"""Sets of clues that conflict: irreducible and smallest ones, compared with all sets."""

from __future__ import annotations

import random
from collections.abc import Collection, Sequence
from contextlib import closing
from itertools import combinations

import pytest

from jigsat.backends import DEFAULT, open_backend
from jigsat.diagnosis.cores import Assumed, Core
from jigsat.formula import Clause

Conflicts = Collection[Collection[str]]


def core(names: Sequence[str], conflicts: Conflicts, seconds: float = 60) -> Core:
    """The core of a formula that forbids each of the conflicts; the clues are its variables."""
    literals = {name: i for i, name in enumerate(names, 1)}
    with closing(open_backend(DEFAULT)) as solver:
        for together in conflicts:
            solver.add(Clause(tuple(-literals[name] for name in together)))
        assumed = Assumed(solver, literals)
        return assumed.smallest(names, assumed.reduce_core(names), seconds)


def test_a_smaller_set_is_found_unless_the_time_is_over() -> None:
    assert core("abcde", ["abc", "de"], seconds=0) == (["a", "b", "c"], False, True)
    assert core("abcde", ["abc", "de"]) == (["d", "e"], True, True)


def test_one_clue_that_cannot_be_kept_is_a_smallest_set_at_once() -> None:
    assert core("abc", ["a", "bc"], seconds=0) == (["a"], True, True)


@pytest.mark.parametrize("seed", range(30))
def test_random_conflicts(seed: int) -> None:
    rng = random.Random(seed)
    names = "abcdefgh"
    conflicts = [rng.sample(names, rng.randint(2, 6)) for _ in range(rng.randint(1, 8))]
    found = core(names, conflicts)
    least = min(
        len(some)
        for n in range(9)
        for some in combinations(names, n)
        if any({*some} >= {*one} for one in conflicts)
    )
    assert found.smallest and len(found.names) == least
    assert any(set(found.names) == set(one) for one in conflicts)
    irreducible = core(names, conflicts, seconds=0).names
    assert any(set(irreducible) == set(one) for one in conflicts)
