"""Ledgers of a small puzzle."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from support.ledgers import ATOMS, DISTINCT, count_in_parts, dominoes


@pytest.fixture(scope="module")
def split(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The complete ledger of the dominoes, split as far as possible."""
    path = tmp_path_factory.mktemp("ledger") / "few"
    result = count_in_parts(dominoes(), backend="cadical195", store=path, seconds=ATOMS)
    assert (result.solutions, result.distinct, result.complete) == (36, DISTINCT, True)
    return path


@pytest.fixture
def ledger(split: Path, tmp_path: Path) -> Path:
    return Path(shutil.copy(split, tmp_path / "ledger"))
