"""The solutions in sorted order, from the n-th on.

A solution is read as its placements in the order in which the formula declares its variables: for
a sudoku or a set of tiles row by row, and in each cell by ascending values. Where two solutions
differ for the first time, the one that has this placement comes first.

The tree of this search decides the variables in that order, true before false. A part of the tree
with few models is listed and sorted as a whole. A part that lies before the requested solutions is
skipped: by its number of models if they can be counted without a list, otherwise by listing them.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from typing import NamedTuple

from jigsat.backends import find
from jigsat.formula import Formula
from jigsat.search.exhaustive import Exhaustive, Literals
from jigsat.search.portfolio import choose_exhaustive
from jigsat.solving.uniform import rank_models
from jigsat.subject import Problem, Stated, subject_of
from jigsat.symmetry import Model

MAX_LISTED_MODELS = 100
"""The largest part of the tree that is listed as a whole, in models. The 10,000th solution of the
empty sudoku takes 0.8 s; with 30 models it takes 1.1 s, with 300 0.95 s, with 1,000 3 s."""

MIN_COUNTED_MODELS = 1_000
"""A part is counted without a list only if at least this many solutions are to be skipped: to reach
the 50,000th way to lay dominoes on 6×8 takes 0.14 s, with 10,000 0.3 s, with 100,000 2 s."""


class Exhausted(NamedTuple):
    """There is no further solution, as this backend established."""

    backend: str
    established_by: str


def list_in_order(problem: Problem, skip: int = 0) -> Iterator[Stated | Exhausted]:
    """The checked solutions in sorted order, without the first `skip`; at the end that there are no
    others."""
    subject = subject_of(problem)
    formula = subject.encode()
    backend = choose_exhaustive(formula)
    with closing(_OrderedTree(formula, backend)) as tree:
        for model in tree.models(skip):
            yield subject.check_orbit(formula, [sorted(model)], backend)
    yield Exhausted(backend, find(backend).establishes)


class _OrderedTree:
    """The search tree of a formula that decides its decision variables in their order."""

    def __init__(self, formula: Formula, backend: str) -> None:
        self._formula = formula
        self._decisions = formula.decisions()
        self._search = Exhaustive(formula, backend)

    def close(self) -> None:
        self._search.close()

    def models(self, skip: int) -> Iterator[Model]:
        """The models in order, without the first `skip`."""
        can_be_counted = skip >= MIN_COUNTED_MODELS and rank_models(self._formula) is not None
        parts: list[Literals] = [()]  # the parts of the tree that are left, the first one last
        while parts:
            part = parts.pop()
            if can_be_counted and skip >= MIN_COUNTED_MODELS:
                number = self._count(part)
                if number is not None and number <= skip:
                    skip -= number
                    continue

            models = self._list(part)
            if models is None:
                variable = self._first_free_variable(part)
                parts += [(*part, -variable), (*part, variable)]
                continue
            yield from models[skip:]
            skip = max(0, skip - len(models))

    def _count(self, part: Literals) -> int | None:
        """The number of models of a part; None if they would have to be listed."""
        formula = self._formula.extended()
        with formula.rule("part of the search"):
            for literal in part:
                formula.clause([literal])
        ranked = rank_models(formula)
        return ranked[0].total if ranked else None

    def _list(self, part: Literals) -> list[Model] | None:
        """The sorted models of a part; None if there are too many."""
        models: list[Model] = []
        with closing(self._search.models(part)) as steps:
            for step in steps:
                assert isinstance(step, list), "a search without a limit is not divided"
                models += step
                if len(models) > MAX_LISTED_MODELS:
                    return None
        # If one sorted list of numbers is the beginning of another, the longer one comes first.
        end = self._formula.top + 1
        return sorted(models, key=lambda model: [*sorted(model), end])

    def _first_free_variable(self, part: Literals) -> int:
        """The first decision variable whose value does not follow from a part by unit
        propagation."""
        implied = self._search.splitter.implied_literals(part)
        assert implied is not None, "a part with several models is not refuted"
        for variable in self._decisions:
            if variable not in implied and -variable not in implied:
                return variable
        raise AssertionError("a part with several models has a free variable")
