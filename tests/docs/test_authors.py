"""The examples in the guides for authors, run as printed: the family in a script, and its command
line."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator, Sequence
from importlib import import_module
from itertools import groupby, product
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from docs.test_docs import BLOCK, ROOT, saved
from support.inside import jigsat as command

import jigsat
from jigsat import Formula
from jigsat.instance import registry
from jigsat.testing import check_backend, check_family

PAGE = ROOT / "docs" / "writing-a-family.md"
BACKEND = ROOT / "docs" / "adding-a-backend.md"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The files of the page, with its family registered."""
    for name, text in saved(PAGE).items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(registry, "_registered", {})
    monkeypatch.syspath_prepend(tmp_path)
    import_module("nonogram")
    yield tmp_path
    del sys.modules["nonogram"]


def instance(
    folder: Path, name: str, rows: list[list[int]], columns: list[list[int]], known: int
) -> Path:
    path = folder / f"{name}.toml"
    path.write_text(
        f'family = "nonogram"\nrows = {rows}\ncolumns = {columns}\nknown.solutions = {known}\n'
    )
    return path


def test_the_family_passes_check_family(folder: Path) -> None:
    ones = [[1]] * 4
    check_family(
        "heart.toml",
        instance(folder, "permutations", ones, ones, 24),
        instance(folder, "impossible", [[3]], [[1], [1]], 0),
        instance(folder, "empty", [[], []], [[], [], []], 1),
        instance(folder, "gaps", [[1, 1, 2], [2, 1]], [[2], [1], [1], [], [1], [1]], 0),
        instance(folder, "two", [[1, 1], [1, 1]], [[1], [1], [1], [1]], 2),
    )


def test_sheet_warns_that_a_default_board_is_empty(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    import_module("nonogram")
    printed = command(capsys, "sheet", "heart.toml", "-o", "heart.html")
    assert printed.err.startswith(
        "jigsat: nonogram: pages show empty boards, because the family has no `parts`, `svg` or"
    )
    assert "The numbers beside each row and column are the lengths" in " ".join(
        Path("heart.html").read_text().split()
    )


def test_the_optional_methods_work(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The page's examples of symmetries and clues, added to the page's family."""
    names = vars(import_module("nonogram"))
    blocks = [
        code for tag, code in BLOCK.findall(PAGE.read_text(encoding="utf-8")) if tag == "python"
    ]
    exec(blocks[-1], names)

    class Hinted(names["Nonogram"]):  # type: ignore[misc]
        hints: tuple[tuple[int, int], ...] = ()

        symmetries, clues, with_clues = (
            names[name] for name in ("symmetries", "clues", "with_clues")
        )

        def encode(self) -> Formula:
            formula = super().encode()
            for cell in self.hints:
                formula.clause([formula.families["filled"](cell)])
            return formula

        def check(self, placements: Sequence[Any]) -> Iterator[str]:
            yield from super().check(placements)
            yield from (f"{cell} is not filled" for cell in self.hints if (cell,) not in placements)

    jigsat.register(Hinted)
    ones = [[1]] * 4
    plain, hinted = instance(folder, "plain", ones, ones, 24), folder / "hinted.toml"
    hinted.write_text(
        "hints = [[0, 0], [1, 1], [2, 2], [3, 3]]\n" + plain.read_text().replace("24", "1")
    )
    check_family(plain, hinted)
    assert jigsat.count(plain).distinct == {"rotation": 16}
    explained = command(capsys, "explain", hinted, "--clues")
    assert "hinted: 4 clues, 4 redundant" in explained.out


def test_counts_agree_with_brute_force(folder: Path) -> None:
    def runs(line: tuple[int, ...]) -> list[int]:
        return [len(list(run)) for filled, run in groupby(line) if filled]

    found: dict[str, int] = {}
    for cells in product((0, 1), repeat=9):
        rows = [cells[i : i + 3] for i in (0, 3, 6)]
        clues = json.dumps(
            [[runs(row) for row in rows], [runs(column) for column in zip(*rows, strict=True)]]
        )
        found[clues] = found.get(clues, 0) + 1
    several = [clues for clues, number in found.items() if number > 1]
    for clues in several + list(found)[::29]:
        path = instance(folder, "mine", *json.loads(clues), known=found[clues])
        assert jigsat.count(path).solutions == found[clues]


def test_the_commands_know_the_family(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    def run(*arguments: str) -> str:
        done = command(capsys, *arguments)
        assert done.status == 0, done.err
        return done.out

    ones = [[1]] * 3
    several = str(instance(folder, "several", ones, ones, 6))
    assert json.loads(run("count", several, "--json"))["solutions"] == 6
    assert json.loads(run("count", several, "--json", "--jobs", "2"))["solutions"] == 6
    assert "not unique" in run("unique", several)
    run("solve", several, "--svg", "several.svg")
    ElementTree.parse(folder / "several.svg")
    run("export", several, "-o", "several.opb")
    run("prove", several, "-o", "proof")
    assert "6 solutions, and no other" in run("check", "proof")
    compared = run("compare", several, "--backends", "cadical195,z3")
    assert compared.count("6") >= 2
    assert command(capsys, "generate", "nonogram").status == 2


def test_the_family_is_available_in_spawned_processes(folder: Path) -> None:
    """As on systems where processes are not forked: the script is imported again by each of
    them."""
    spawning = (
        "\nif __name__ == '__main__':\n    import multiprocessing\n\n    "
        "multiprocessing.set_start_method('spawn')\n"
    )
    text = (folder / "nonogram.py").read_text().replace('\nif __name__ == "__main__":\n', spawning)
    (folder / "spawning.py").write_text(text)
    arguments = ["spawning.py", "count", "heart.toml", "--timeout", "100"]
    done = subprocess.run(
        [sys.executable, *arguments], cwd=folder, capture_output=True, text=True, timeout=120
    )
    assert (done.returncode, done.stdout.partition(";")[0]) == (0, "heart: 1 solution"), done.stderr


def test_the_template_of_a_backend_works(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, text in saved(BACKEND).items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "my_solver", raising=False)
    (spec,) = import_module("my_solver").specs()
    check_backend(spec)
    monkeypatch.setitem(sys.modules, "pysat.solvers", None)
    with pytest.raises(ImportError):
        spec.open()
