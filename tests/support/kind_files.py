"""The files of the kinds of puzzles: a plain search, random puzzles, planted errors, and links."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import Any

from jigsat.instance import every_family
from jigsat.kit import GridPuzzle

FOLDER = Path(__file__).with_name("kinds")

GRID_KINDS = [kind.family for kind in every_family() if issubclass(kind, GridPuzzle)]
LINKED_KINDS = [kind.family for kind in every_family() if kind.link is not None]


def name_file(kind: str) -> Path:
    return FOLDER / f"{kind.replace('-', '_')}.py"


def load_kind(kind: str) -> Any:
    """The module of a kind."""
    return import_module(f"support.kinds.{name_file(kind).stem}")


KINDS = [kind for kind in GRID_KINDS if name_file(kind).exists()]
"""The kinds on a grid; `test_every_kind_has_a_file` names those without a file."""
