"""Fixtures for tests of comparisons."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from support.comparing import FORMULA

import jigsat
from jigsat.puzzle import Puzzle


@pytest.fixture
def cats() -> dict[str, Puzzle]:
    return {"cats": jigsat.load("cats")}


@pytest.fixture
def script(tmp_path: Path) -> Callable[..., str]:
    """Makes an executable shell script."""

    def make(body: str, name: str = "solver") -> str:
        path = tmp_path / name
        path.write_text(f"#!/bin/sh\n{body}\n")
        path.chmod(0o755)
        return str(path)

    return make


@pytest.fixture
def formula(tmp_path: Path) -> str:
    path = tmp_path / "small.cnf"
    path.write_text(FORMULA)
    return str(path)
