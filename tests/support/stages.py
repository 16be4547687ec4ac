"""Changed stages of the backend `auto`."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from jigsat.search.portfolio import STAGES, Stage


def changed(changes: dict[str, dict[str, Any]]) -> tuple[Stage, ...]:
    """The stages of `auto`, the first one of each of these backends with changes."""
    stages = list(STAGES)
    for backend, fields in changes.items():
        at = next(at for at, stage in enumerate(stages) if stage.backend == backend)
        stages[at] = replace(stages[at], **fields)
    return tuple(stages)
