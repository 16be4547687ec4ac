"""Certificates that several tests read or change."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from support.certificates import MADE

from jigsat.proofs.certificate import prove


def prove_once(folder: Path, **options: Any) -> Callable[[str], Path]:
    """A function that returns the directory with the proof of an instance, made at the first
    call."""

    def of(name: str) -> Path:
        directory = folder / name
        if not directory.exists():
            source: str | Path = name
            if name in MADE:
                source = folder / f"{name}.toml"
                source.write_text(MADE[name][0])
            list(prove(source, directory, **options))
        return directory

    return of


@pytest.fixture(scope="session")
def proved(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    """The directory with the proof of an instance, made once."""
    return prove_once(tmp_path_factory.mktemp("proofs"))


@pytest.fixture(scope="session")
def with_lrat(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    """The certificate of an instance with its LRAT proof, made once."""
    return prove_once(tmp_path_factory.mktemp("lrat"), backend="cadical195", with_lrat=True)


@pytest.fixture
def copied(proved: Callable[[str], Path], tmp_path: Path) -> Callable[[str], Path]:
    """A copy of that directory, to be changed."""
    return lambda name: Path(shutil.copytree(proved(name), tmp_path / name))
