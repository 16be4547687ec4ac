"""The family of the kit in the guide: it is the one that comes with jigsat, and works as printed."""

from __future__ import annotations

import re
import sys
import tomllib
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from docs.test_docs import ROOT, saved
from support.inside import jigsat as command

import jigsat
from jigsat.instance import registry
from jigsat.testing import check_family

PAGE = ROOT / "docs" / "writing-a-family.md"
Cell = tuple[int, int]


def test_the_family_is_the_shipped_one() -> None:
    printed = saved(PAGE)["slitherlink.py"]
    printed = printed.replace("import jigsat\n", "").replace("@jigsat.register\n", "")
    printed = printed.partition("\n\nif __name__")[0]
    shipped = (ROOT / "encodings" / "slitherlink.py").read_text(encoding="utf-8")
    assert shipped.partition("\n\n")[2].rstrip() == printed.rstrip()


def test_the_family_works(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for name, text in saved(PAGE).items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(registry, "_registered", {})
    monkeypatch.syspath_prepend(tmp_path)
    import_module("slitherlink")
    try:
        check_family("threes.toml")
        assert "2 solutions" in command(capsys, "solve", "threes.toml").out
    finally:
        del sys.modules["slitherlink"]


def test_the_other_families_work(monkeypatch: pytest.MonkeyPatch) -> None:
    """The examples of layers, of rooms and of a loop are one module that grows."""
    text = PAGE.read_text(encoding="utf-8")
    part = text[text.index("### What rules say") : text.index("### Walks")]
    module: dict[str, Any] = {"__name__": "examples"}
    for code in re.findall(r"```python\n(.*?)```", part, re.DOTALL):
        exec(compile(code, PAGE, "exec", dont_inherit=True), module)
    puzzles = [
        module["OddNeighbours"](name="neighbours", given="1..\n...\n"),
        module["Rectangles"](name="rectangles", **tomllib.loads(find_instance(part))),
        module["CountryLoop"](
            name="loop", rooms={"cells": "aabb\nacbb\nccdd\nccdd", "numbers": {"a": 3}}
        ),
    ]
    monkeypatch.setattr(registry, "_registered", {kind.family: type(kind) for kind in puzzles})
    for puzzle in puzzles:
        check_family(puzzle)
    assert jigsat.count(puzzles[-1]).solutions == count_country_loops()


def find_instance(part: str) -> str:
    instance = re.search(r"```text\n(family = .*?)```", part, re.DOTALL)
    assert instance
    return instance[1]


ROOMS = ["aabb", "acbb", "ccdd", "ccdd"]
CELLS = [(r, c) for r in range(4) for c in range(4)]


def count_country_loops() -> int:
    """The answers of the last example, by trying all loops."""
    return sum(is_answer(loop) for start in CELLS for loop in follow([start]))


def follow(path: list[Cell]) -> Iterator[list[Cell]]:
    """The loops that begin with this path and have no cell before its first; each once."""
    for cell in list_beside(path[-1]):
        if cell == path[0] and len(path) > 2 and path[1] < path[-1]:
            yield path
        if cell > path[0] and cell not in path:
            yield from follow([*path, cell])


def is_answer(loop: list[Cell]) -> bool:
    """Whether a loop visits each room once, room a in three cells, and leaves no two cells empty
    that are side by side in different rooms."""
    names = [find_room(cell) for cell in loop]
    entered = [name for i, name in enumerate(names) if name != names[i - 1]]
    for one in CELLS:
        for other in list_beside(one):
            if one not in loop and other not in loop and find_room(one) != find_room(other):
                return False
    return sorted(entered) == list("abcd") and names.count("a") == 3


def list_beside(cell: Cell) -> list[Cell]:
    r, c = cell
    return [one for one in ((r, c + 1), (r + 1, c), (r, c - 1), (r - 1, c)) if one in CELLS]


def find_room(cell: Cell) -> str:
    return ROOMS[cell[0]][cell[1]]
