"""The tables of docs/benchmarks.md and the scripts that write them."""

from __future__ import annotations

import re
from dataclasses import replace
from importlib import import_module
from math import inf
from pathlib import Path
from typing import Any

import pytest

from jigsat.comparison.matrix import Combination, Run

BENCH = Path(__file__).parents[2] / "bench"


@pytest.fixture
def load(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Imports a script by its name."""
    monkeypatch.syspath_prepend(str(BENCH))
    return import_module


def test_each_table_has_a_script(load: Any) -> None:
    tables = load("tables")
    page = tables.PAGE.read_text(encoding="utf-8")
    assert re.findall("<!-- table (.*) -->", page) == list(tables.SCRIPTS)
    assert re.findall("<!-- end (.*) -->", page) == list(tables.SCRIPTS)
    for script in tables.SCRIPTS.values():
        assert (BENCH / script).is_file()
        assert f"bench/{script}" in page


def test_a_table_replaces_the_one_of_its_name(load: Any) -> None:
    page = "a\n<!-- table x -->\nold\n<!-- end x -->\nb\n<!-- table y -->\n<!-- end y -->\n"
    after = load("tables").replace_table(page, "x", "new")
    assert after == page.replace("old", "\nnew\n")


def test_a_cell_counts_runs_without_an_answer(load: Any) -> None:
    write_cell = load("rivals").write_cell
    assert write_cell([2.0, 1.0, 3.0]) == "2.0 (1.0 to 3.0)"
    assert write_cell([1.0, inf, 3.0]) == "3.0 (1.0 to none), 2 of 3"
    assert write_cell([1.0, inf, inf]) == "none (1.0 to none), 1 of 3"
    assert write_cell([inf, inf]) == "none"


def test_the_verdict_on_an_encoding_depends_on_the_runs(load: Any) -> None:
    heule = load("heule")
    runs = []
    for board in range(6):
        for encoding, seconds in (("labels", 1.0), ("heule-all", 0.5), ("heule-compact", 3.0)):
            combination = Combination(f"em_7_3_6-{board}", "cadical195", encoding=encoding)
            runs.append(Run(combination, "complete", seconds=seconds))
    assert list(heule.write_verdicts(runs, 10)) == [
        "- `heule-all`: `labels` is slower, by 6 to 0 boards.",
        "- `heule-compact`: `labels` is faster, by 6 to 0 boards.",
    ]
    scores = list(heule.write_scores(runs, 10))
    row = "| heule-all | 0.5 | 0.5 to 0.5 | 6 of 6 | 6 of 6 | 6 won, 0 lost, 0 tied | 0.031 | "
    assert row + "-0.5 (-0.5 to -0.5) |" in scores
    slower = [line for line in scores if line.startswith("| heule-compact")]
    assert [line.endswith("| +2.0 (+2.0 to +2.0) |") for line in slower] == [True]
    small = [replace(runs[0], combination=Combination("7_4_8-1", "cadical195", encoding="labels"))]
    small[0] = replace(small[0], variables=1234, clauses=5, literals=6, encode=0.25)
    assert list(heule.write_sizes([*runs, *small]))[2:] == ["| labels | 1,234 | 5 | 6 | 0.25 |"]
    verdicts = list(heule.write_verdicts(runs[:6], 10))
    assert verdicts[0] == "- `heule-all`: chance explains the difference (2 to 0 boards)."


@pytest.mark.parametrize("solver", ["cp-sat", "clingo"])
@pytest.mark.parametrize("kind", ["edge_matching", "slitherlink"])
def test_the_models_of_other_solvers_find_solutions(
    solver: str, kind: str, load: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Their own checks have the last word."""
    pytest.importorskip("ortools" if solver == "cp-sat" else solver)
    monkeypatch.syspath_prepend(str(BENCH / "models"))
    model = load(kind)
    file = tmp_path / "puzzle.toml"
    if kind == "edge_matching":
        file.write_text(load("framed").instance(3, 3, 1), encoding="utf-8")
        puzzle = model.read_board(file)
    else:
        numbers = ".2.0\n.0.1\n11.2\n....\n"
        file.write_text(f'numbers = """\n{numbers}"""\n', encoding="utf-8")
        puzzle = model.read_puzzle(file)
    solve = {"cp-sat": model.solve_with_cp_sat, "clingo": model.solve_with_clingo}[solver]
    found = solve(puzzle)
    if kind == "edge_matching":
        model.check(puzzle, found)
    else:
        (line,) = found
        model.check(puzzle, line)
        with pytest.raises(ValueError, match="number"):
            model.check(puzzle, set(list(line)[1:]))
