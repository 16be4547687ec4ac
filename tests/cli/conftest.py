"""Instances for runs that are stopped."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest

TILES = """family = "edge-matching"
reusable = true
tiles = { a = ["x", "x", "y", "y"], b = ["x", "y", "z", "y"], c = ["z", "z", "x", "y"] }
"""


@pytest.fixture
def few(tmp_path: Path) -> Path:
    """299 solutions, 81 up to rotation."""
    path = tmp_path / "few.toml"
    path.write_text(TILES + 'board = "square 2x2"')
    return path


@pytest.fixture
def many(tmp_path: Path) -> Path:
    """More solutions than can be listed."""
    path = tmp_path / "many.toml"
    path.write_text(TILES + 'board = "square 5x5"')
    return path


@pytest.fixture
def hard(tmp_path: Path) -> Path:
    """36 framed tiles that do not fit together, because a label occurs an odd number of times; no
    solver detects this."""
    rng = random.Random(1)
    tiles = _framed(6, "abc", rng)
    tiles[14][0] = next(label for label in "abc" if label != tiles[14][0])
    rng.shuffle(tiles)
    return _written(tmp_path / "hard.toml", 6, tiles)


@pytest.fixture
def large(tmp_path: Path) -> Path:
    """100 framed tiles, all different. The process that searches needs at least 80 MB for them,
    with any backend."""
    return _written(tmp_path / "large.toml", 10, _framed(10, "abcdefghijkl", random.Random(1)))


def _framed(size: int, labels: str, rng: random.Random) -> list[list[str]]:
    """The tiles of a framed board of random labels, row by row."""
    rows = [[rng.choice(labels) for _ in range(size)] for _ in range(size + 1)]
    columns = [[rng.choice(labels) for _ in range(size + 1)] for _ in range(size)]
    rows[0] = rows[size] = ["rim"] * size
    for column in columns:
        column[0] = column[size] = "rim"
    return [
        [rows[r][c], columns[r][c + 1], rows[r + 1][c], columns[r][c]]
        for r in range(size)
        for c in range(size)
    ]


def _written(path: Path, size: int, tiles: list[list[str]]) -> Path:
    listed = "\n".join(f"t{i} = {json.dumps(sides)}" for i, sides in enumerate(tiles))
    path.write_text(
        f'family = "edge-matching"\nboard = "square {size}x{size}"\nframe = '
        f'"rim"\n[tiles]\n{listed}\n'
    )
    return path
