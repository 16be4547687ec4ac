"""Uniformly random solutions.

The solutions are numbered without a list if a backend can do that, and otherwise listed. Then a
random number selects a solution, so all of them are equally likely, and the draws are independent.
"""

import random
from collections.abc import Iterator
from contextlib import closing
from itertools import islice
from typing import NamedTuple

from jigsat.backends import AUTO, Ranking, find
from jigsat.errors import InputError, NotWorthwhile, Stopped
from jigsat.formula import Formula, bits, vector
from jigsat.search.portfolio import find_counting_engine, models
from jigsat.subject import Problem, Stated, subject_of

MAX_LISTED_SOLUTIONS = 1_000_000  # maximum number of solutions to list


class Population(NamedTuple):
    """The solutions to draw from, all equally likely."""

    total: int
    backend: str
    established_by: str


def samples(problem: Problem, number: int, seed: int) -> Iterator[Population | Stated]:
    """The population and then the given number of checked solutions, drawn with replacement; no
    samples if there is no solution.

    Raises Stopped if the solutions cannot be counted without a list and there are more than
    `MAX_LISTED_SOLUTIONS`.
    """
    subject = subject_of(problem)
    formula = subject.encode()
    ranking, backend = rank_models(formula) or _rank_by_listing(formula, subject.name)
    yield Population(ranking.total, backend, find(backend).establishes)
    rng = random.Random(seed)
    for _ in range(number if ranking.total else 0):
        model = ranking.model(rng.randrange(ranking.total))
        yield subject.check_orbit(formula, [sorted(model)], backend)


def rank_models(formula: Formula, memory: int | None = None) -> tuple[Ranking, str] | None:
    """The models of a formula, numbered without a list, and the backend for it; None if that is not
    worthwhile.

    It is not worthwhile either if it takes more than `memory` bytes.
    """
    spec = find_counting_engine(formula, memory)
    try:
        return (spec.rank(formula), spec.name) if spec and spec.rank else None
    except (NotWorthwhile, InputError):
        return None


class _Listed(NamedTuple):
    total: int
    vectors: list[int]

    def model(self, rank: int) -> frozenset[int]:
        return frozenset(bits(self.vectors[rank]))


def _rank_by_listing(formula: Formula, name: str) -> tuple[_Listed, str]:
    with closing(models(formula, AUTO)) as search:
        # sorted, because solvers find them in different orders
        listed = sorted(map(vector, islice(search, MAX_LISTED_SOLUTIONS + 1)))
    if len(listed) > MAX_LISTED_SOLUTIONS:
        raise Stopped(
            f"{name}: no uniform samples: there are more than {MAX_LISTED_SOLUTIONS:,} solutions, "
            "and they cannot be counted without a list"
        )
    return _Listed(len(listed), listed), search.backend
