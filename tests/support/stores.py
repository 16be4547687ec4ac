"""Lists of solutions as version 0.1 wrote them."""

from __future__ import annotations

import json
from typing import Any

import jigsat


def listed(puzzle: Any, *, up_to: str = "rotation", minimize: bool = False, limit: int | None = None) -> bytes:
    """A line with the kind of file, one per solution, and if they are all, one that says so."""
    puzzle = jigsat.load(puzzle)
    found: Any = jigsat.Enumeration(puzzle, up_to=up_to, minimize=minimize, limit=limit)
    lines: list[Any] = [solution.placements for solution in found]
    if found.result.complete:
        by = {"backend": found.result.backend, "established_by": found.result.established_by}
        lines.append({"complete": by, "after": len(lines)})
    header = {"jigsat": "solutions", "version": 1, "instance": puzzle.name, "digest": puzzle.digest()}
    lines.insert(0, {**header, "up_to": up_to, "minimize": minimize})
    return "".join(f"{json.dumps(line, separators=(',', ':'))}\n" for line in lines).encode()
