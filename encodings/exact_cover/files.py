"""Knuth's text format: first the items, secondary ones after `|`, then one option per line; `|`
begins a comment line."""

from collections.abc import Mapping
from typing import Any

from jigsat.puzzle import Writer, single


def read_text(text: str) -> dict[str, Any] | None:
    """The data of a text in Knuth's format: two items or more, and options that consist of items
    only; else None."""
    lines = [
        line for line in text.splitlines() if line.strip() and not line.lstrip().startswith("|")
    ]
    if len(lines) < 2:
        return None
    primary, _, secondary = (f" {lines[0]} ").partition(" | ")
    items, others = primary.split(), secondary.split()
    known = {*items, *others}
    right = (
        len(known) == len(items) + len(others) > 1
        and items
        and not any(set(name) & set(":|") for name in known)
    )
    if not right or not all(
        word.partition(":")[0] in known for line in lines[1:] for word in line.split()
    ):
        return None
    options = "\n".join(lines[1:])
    return {
        "family": "exact-cover",
        "items": " ".join(items),
        "secondary": " ".join(others),
        "options": options,
    }


def _write_text(puzzle: Any) -> str:
    title = [f"| {' '.join(puzzle.title.split())}"] if puzzle.title.strip() else []
    bar = f" | {' '.join(puzzle.secondary)}" if puzzle.secondary else ""
    return "\n".join([*title, " ".join(puzzle.items) + bar, *puzzle.options, ""])


WRITERS: Mapping[str, Writer] = {"dlx": single("dlx", _write_text)}
