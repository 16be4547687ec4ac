"""Generated puzzles, and how many solutions they have according to other backends."""

from __future__ import annotations

import subprocess
import tomllib
from typing import Any

import pytest
from support.answers import solve_all
from support.inside import run as jigsat

from jigsat import instance
from jigsat.answering.enumeration import Enumeration
from jigsat.generation.generator import generate
from jigsat.generation.sources import generators
from jigsat.puzzle import Puzzle
from jigsat.questions import Difficulty

SEEDS = [0, *(pytest.param(seed, marks=pytest.mark.slow) for seed in range(1, 50))]


def generated(
    family: str, seed: int, difficulty: Difficulty | None = None, **options: Any
) -> Puzzle:
    """The puzzle that is generated for a seed. The number of its solutions is known, and not 0."""
    *_, last = generate(
        generators()[family](**options).build_generator(), seed, difficulty=difficulty
    )
    assert not last.shortcoming
    known = last.puzzle.known
    assert any([known.solutions, *known.distinct().values()])
    return last.puzzle


def solutions(puzzle: Puzzle, backend: str) -> int:
    (answer,) = solve_all([puzzle], backend, limit=3)
    return len(answer.solutions)


def command(*arguments: object) -> subprocess.CompletedProcess[str]:
    return jigsat("generate", *arguments)


def data_of(puzzle: Puzzle) -> dict[str, Any]:
    return tomllib.loads(instance.instance_text(puzzle))


def solution_counts(puzzle: Puzzle) -> list[int]:
    """The number of solutions up to rotation and reflection, by two backends."""
    counts = []
    for backend in ("glucose4", "cadical153"):
        enumeration = Enumeration(puzzle, backend=backend, up_to="reflection")
        counts.append(sum(1 for _ in enumeration))
        assert enumeration.result.complete
    return counts
