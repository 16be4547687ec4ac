"""Exports with symmetry breaking, and without known solutions."""

from __future__ import annotations

import re
import sys
from itertools import combinations
from pathlib import Path

import pytest
from support.inside import run as jigsat

from jigsat import Formula, Group, cli, load
from jigsat.formats.export import lines, save
from jigsat.search.blocking import Blocking

CATS = load("cats")
FORMULA, ORIGIN = CATS.encode(), CATS


def projected(path: Path) -> set[frozenset[int]]:
    """The models of a CNF file on the variables that it shows, by a solver that only gets the
    file."""
    from pysat.formula import CNF
    from pysat.solvers import Solver

    (shown,) = re.findall(r"^c p show (.*) 0$", path.read_text(), re.MULTILINE)
    found = set()
    with Solver("minisat22", bootstrap_with=CNF(from_file=str(path))) as solver:
        while solver.solve():
            values = set(solver.get_model())
            model = [v if v in values else -v for v in map(int, shown.split())]
            found.add(frozenset(v for v in model if v > 0))
            solver.add_clause([-literal for literal in model])
    return found


def test_breaking_leaves_some_of_every_orbit(tmp_path: Path) -> None:
    path = tmp_path / "cube.cnf"
    assert jigsat("export", "cube", "-o", path, "--break", "rotation").returncode == 0
    assert path.read_text().count(" symmetry breaking\n") == 1
    puzzle = load("cube")
    formula = puzzle.encode()
    group = Group.of(formula, puzzle.symmetries())
    found = projected(path)
    assert len(found) < 96
    assert len({frozenset(group.orbit(model, "rotation")) for model in found}) == 4


def test_nothing_to_break(tmp_path: Path) -> None:
    instance = tmp_path / "row.toml"
    tiles = '{1 = ["a", "b", "a", "a"], 2 = ["a", "b", "b", "b"]}'
    instance.write_text(
        f'family = "edge-matching"\nboard = "square 1x2"\nturning = false\ntiles = {tiles}'
    )
    run = jigsat("export", instance, "-o", tmp_path / "row.cnf", "--break", "all")
    assert (run.returncode, run.stderr) == (0, "jigsat: no symmetry up to all to break\n")
    assert (
        jigsat("export", instance, "-o", tmp_path / "row.cnf", "--break", "nothing").returncode == 2
    )


@pytest.mark.parametrize(
    ("up_to", "limit", "left"),
    [("rotation", 1, 72), ("rotation", 4, 0), ("nothing", 5, 91), ("reflection", 1, 48)],
)
def test_known_solutions_are_ruled_out(tmp_path: Path, up_to: str, limit: int, left: int) -> None:
    known, path = tmp_path / "known.json", tmp_path / "cube.cnf"
    known.write_text(
        jigsat("solve", "cube", "--json", "--up-to", up_to, "--limit", str(limit)).stdout
    )
    assert jigsat("export", "cube", "-o", path, "--block", known).returncode == 0
    assert len(projected(path)) == left


def test_ruling_out_where_one_solution_contains_another(tmp_path: Path) -> None:
    formula = Formula()
    x = formula.variables("x", ("i",), [(i,) for i in range(3)])
    formula.clause(x[:])
    extended = formula.extended()
    extended.clause(Blocking(formula).literals(frozenset({2})))
    save(tmp_path / "x.cnf", lines(extended, tmp_path / "x.cnf", ORIGIN))
    assert projected(tmp_path / "x.cnf") == {
        frozenset({1}),
        *map(frozenset, combinations((1, 2, 3), 2)),
        frozenset({3}),
        frozenset({1, 2, 3}),
    }


@pytest.mark.parametrize(
    ("said", "complaint"),
    [
        ("{", "not an output of `jigsat solve --json`: not JSON: "),
        ("\0\n\x7f", "not an output of `jigsat solve --json`: not JSON: "),
        (
            "[" * 100_000,
            "not an output of `jigsat solve --json`: not JSON: nested more than 50 levels deep",
        ),
        (
            f'{{"found": [[{"[" * 900}{"]" * 900}]], "up_to": "all"}}',
            "not an output of `jigsat solve --json`: not JSON: nested",
        ),
        (
            '{"found": [], "found": [], "up_to": "all"}',
            "not an output of `jigsat solve --json`: not JSON: the key 'found' is given",
        ),
        ("[]", "not an output of `jigsat solve --json`: not an object"),
        (
            '{"found": []}',
            "not an output of `jigsat solve --json`: up_to: missing, unknown or of the wrong type",
        ),
        (
            '{"found": [], "up_to": 1}',
            "not an output of `jigsat solve --json`: up_to: missing, unknown or of the wrong type",
        ),
        (
            '{"found": [["cell"]], "up_to": "all"}',
            "not an output of `jigsat solve --json`: found.0.0: missing, unknown or of",
        ),
        (
            '{"found": [[{"cell": [0, 0], "tile": "1", "turn": 1.0}]], "up_to": "all"}',
            "found.0.0: cats has no placement",
        ),
        (
            '{"found": [[{"cell": [0, 0], "tile": "1", "turn": true}]], "up_to": "all"}',
            "found.0.0: cats has no placement",
        ),
        (
            '{"found": [[{"cell": [0, 0], "tile": "1", "turn": 1}, {"tile": "1", "turn": 1, '
            '"cell": [0, 0]}]], "up_to": "all"}',
            "found.0: a placement is repeated",
        ),
        ('{"found": 3, "up_to": "rotation"}', "not an output of `jigsat solve --json`"),
        (
            '{"found": [], "up_to": "colour"}',
            "up_to: must be one of nothing, rotation, reflection, all; got 'colour'",
        ),
        (
            '{"found": [[{"cell": 1}]], "up_to": "rotation"}',
            'found.0.0: cats has no placement {"cell": 1}',
        ),
        (
            '{"found": [[]], "up_to": "rotation"}',
            "found.0: not a solution of cats: cell r1c1 holds 0 tiles",
        ),
    ],
)
def test_invalid_files_of_known_solutions(
    tmp_path: Path,
    said: str,
    complaint: str,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    known = tmp_path / "known.json"
    known.write_text(said)
    monkeypatch.setattr(
        sys,
        "argv",
        ["jigsat", "export", "cats", "-o", str(tmp_path / "x.cnf"), "--block", str(known)],
    )
    with pytest.raises(SystemExit) as ended:
        cli.main()
    complaints = capsys.readouterr().err
    assert ended.value.code == 2
    assert complaints.startswith(f"jigsat: {known}: {complaint}") and complaints.count("\n") == 1
    assert not (tmp_path / "x.cnf").exists()
