"""No function decides too much: `radon cc` counts the decisions in statements and in expressions."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from radon.complexity import cc_visit
from radon.visitors import Function

ROOT = Path(__file__).parents[1]
FOLDERS = ("src", "encodings", "page", "bench", "docs")
LISTED = Path(__file__).with_name("complex_functions.txt")
MAX_COMPLEXITY = 20
"""Cyclomatic complexity that a function may have; those above it are listed, and none is added."""


def list_functions(path: Path) -> Iterator[tuple[str, int]]:
    """The functions and methods of a file, with their complexity."""
    place = path.relative_to(ROOT).as_posix()
    for block in cc_visit(path.read_text(encoding="utf-8")):
        if isinstance(block, Function):
            name = f"{block.classname}.{block.name}" if block.classname else block.name
            yield f"{place} {name}", block.complexity


def test_the_list_of_complex_functions_only_shrinks() -> None:
    """A new function has at most 20; one that was cut leaves the list."""
    complex_functions = set()
    for folder in FOLDERS:
        for path in (ROOT / folder).rglob("*.py"):
            for name, complexity in list_functions(path):
                if complexity > MAX_COMPLEXITY:
                    complex_functions.add(name)
    listed = LISTED.read_text(encoding="utf-8").splitlines()
    assert sorted(complex_functions) == listed
