"""The command line as its user sees it: output, streams and exit status."""

from __future__ import annotations

import json
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from importlib import import_module
from pathlib import Path

import pytest
from support.forked import memory_beside_this_process
from support.inside import jigsat as command
from support.inside import run

from jigsat.backends import find
from jigsat.backends.engine import is_compiled
from jigsat.cli import COMMANDS
from jigsat.cli.common import app
from jigsat.instance import load


def test_solve_draws_and_counts() -> None:
    done = run("solve", "cube")
    assert done.returncode == 0, done.stderr
    assert done.stdout.count("██") == 3 * 56  # three cubes with their 56 teeth
    assert (
        "cube: 96 solutions, 4 up to rotation, 2 up to rotation and reflection; complete"
        in done.stdout
    )
    assert done.stderr == ""


def test_later_solutions_are_compared_with_earlier_ones() -> None:
    lines = run("solve", "cube", "--show", "4").stdout.splitlines()
    assert [line for line in lines if line.startswith("Solution") and line.endswith("mirrored")]


def test_count_as_json_has_the_documented_fields() -> None:
    answer = json.loads(run("count", "cube", "--json").stdout)
    assert answer["instance"] == "cube"
    assert answer["solutions"] == 96
    assert answer["distinct"] == {"rotation": 4, "reflection": 2}
    assert (answer["complete"], answer["stopped_by"]) == (True, None)
    assert answer["established_by"] in (
        "exhaustion",
        "refutation",
    )  # the latter without a C compiler
    assert answer["symmetries"] == {"rotation": 24, "reflection": 48}
    assert answer["seconds"] > 0


def test_solve_as_json_gives_solutions_that_the_checker_accepts() -> None:
    answer = json.loads(run("solve", "cats", "--json", "--up-to", "nothing").stdout)
    puzzle = load("cats")
    (placement,) = {type(next(iter(symmetry.images))) for symmetry in puzzle.symmetries()}
    assert len(answer["found"]) == answer["solutions"] == 4
    for found in answer["found"]:
        placements = [placement(tuple(one["cell"]), one["tile"], one["turn"]) for one in found]
        assert not list(puzzle.check(placements))


def test_a_limit_is_an_answer_and_a_timeout_is_not() -> None:
    limited = run("solve", "cats-reuse", "--limit", "2", "--json")
    answer = json.loads(limited.stdout)
    assert (limited.returncode, len(answer["found"])) == (0, 2)
    assert (answer["complete"], answer["stopped_by"], answer["established_by"]) == (
        False,
        "limit",
        None,
    )
    stopped = run("count", "cats-reuse", "--timeout", "0", "--json")
    assert (stopped.returncode, json.loads(stopped.stdout)["stopped_by"]) == (3, "timeout")


def test_an_unsolvable_instance_is_answered(tmp_path: Path) -> None:
    puzzle = tmp_path / "unsolvable.toml"
    puzzle.write_text(
        'family = "edge-matching"\nboard = "square 1x2"\nturning = false\n'
        '[tiles]\na = ["x", "y", "x", "z"]\nb = ["x", "y", "x", "z"]\n'
    )
    done = run("solve", puzzle)
    assert done.returncode == 0
    assert "unsolvable: no solution; complete (by " in done.stdout


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["solve", "nothing-of-this-name"], "nothing-of-this-name: unknown instance"),
        (["solve", "missing/file.toml"], "missing/file.toml: cannot be read: no such file"),
        (["solve", "/"], "/: cannot be read: is a directory"),
        (["solve", "cats", "--backend", "none"], "unknown backend 'none'"),
        (
            ["solve", "cats", "--backend", "cryptosat"],
            "cryptosat cannot be used: python-sat is installed, but its build lacks cryptosat",
        ),
        (["solve", "cats", "--up-to", "sideways"], "--up-to: unknown level 'sideways'"),
        (["solve", "cats", "--amo", "naive"], "--amo: unknown at-most-one encoding 'naive'"),
        (["solve", "cats", "--svg", "/nowhere/x.svg"], "/nowhere/x.svg: cannot be written"),
        (["export", "cats", "-o", "cats.pdf"], "cats.pdf"),
    ],
)
def test_wrong_input_is_one_line_and_status_2(arguments: list[str], says: str) -> None:
    done = run(*arguments)
    assert done.returncode == 2
    assert says in done.stderr
    assert len(done.stderr.splitlines()) == 1
    assert "Traceback" not in done.stderr


def test_svg_of_several_solutions_is_one_sheet(tmp_path: Path) -> None:
    sheet = tmp_path / "sheet.svg"
    assert run("solve", "cube", "--svg", sheet).returncode == 0
    root = ElementTree.parse(sheet).getroot()
    assert len(root.findall("{http://www.w3.org/2000/svg}svg")) == 3


def test_several_puzzles_by_several_processes_are_answered_in_order(tmp_path: Path) -> None:
    file = tmp_path / "many.txt"
    grids = ["." * 16, "1" + "." * 15, "1..2" + "." * 12, "1234341221434321", "11" + "." * 14]
    file.write_text("\n".join(grids) + "\n", encoding="utf-8")
    one, three = run("solve", file), run("solve", file, "--jobs", "3")
    assert one.stdout == three.stdout
    assert [
        line.split(":")[1].split(" (")[0]
        for line in one.stdout.splitlines()
        if line.startswith("many-")
    ] == [" not unique", " not unique", " not unique", " unique", " no solution"]


def test_options_for_one_puzzle_are_refused_for_several(tmp_path: Path) -> None:
    file = tmp_path / "many.txt"
    file.write_text(f"1{'.' * 15}\n2{'.' * 15}\n", encoding="utf-8")
    refused = run("solve", file, "--memory", memory_beside_this_process(500))
    assert (refused.returncode, refused.stdout) == (2, "")
    assert "--memory is for a file with one puzzle, and this one has 2" in refused.stderr


def test_exported_dimacs_is_read_back(tmp_path: Path) -> None:
    from pysat.formula import CNF
    from pysat.solvers import Solver
    from z3 import Solver as Z3Solver
    from z3 import sat

    file = tmp_path / "cube.cnf"
    assert run("export", "cube", "-o", file).returncode == 0
    with Solver(name="cadical195", bootstrap_with=CNF(from_file=str(file))) as solver:
        assert solver.solve()
    z3 = Z3Solver()
    z3.from_file(str(file))
    assert z3.check() == sat
    lines = file.read_text().splitlines()
    named = {int(line.split()[2]): line.split()[3] for line in lines if line.startswith("c var ")}
    formula = load("cube").encode()
    assert set(formula.decisions()) <= named.keys()
    assert {named[variable] for variable in formula.decisions()} == {"place"}
    shown = next(line for line in lines if line.startswith("c p show")).split()[3:-1]
    assert [int(variable) for variable in shown] == formula.decisions()


def test_listing_loads_no_solver_and_no_graphs() -> None:
    code = (
        "import sys; from jigsat.cli.look import app; app(['list'], standalone_mode=False); "
        "print(sorted({'z3', 'networkx', 'matplotlib', 'pysat'} & set(sys.modules)), "
        "file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert "cube" in done.stdout and "cats" in done.stdout
    assert done.stderr.strip() == "[]"


def last_line_of(code: str) -> str:
    """The last line that a program prints in a new process."""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    return done.stdout.splitlines()[-1]


def test_solving_loads_no_reasons_sheets_or_other_files() -> None:
    code = (
        "import sys; from jigsat.cli.solve import app; app(['solve', 'black-and-white', "
        "'--limit=1'], standalone_mode=False); "
        "print({'reasons', 'counting', 'sheet', 'images', 'files'} & {name.rpartition('.')[2] "
        "for name in sys.modules "
        "if name.startswith(('jigsat.encodings.', 'jigsat.pi'))})"
    )
    assert last_line_of(code) == "set()"


@pytest.mark.skipif(not is_compiled(), reason="jigsat was installed without a C compiler")
def test_easy_sudokus_load_no_solver_and_no_other_formats(tmp_path: Path) -> None:
    (tmp_path / "two.txt").write_text(
        2 * "1...|..2.|.3..|...4\n".replace("|", ""), encoding="utf-8"
    )
    code = (
        "import sys; from jigsat.services.answer import answer_question; "
        "from jigsat.questions import FirstSolutions; from jigsat.instance import load_all; "
        "question = FirstSolutions(explain=False); "
        f"print([answer_question(question, x) for x in load_all({str(tmp_path / 'two.txt')!r})]); "
        "print({'pysat', 'networkx', 'tomllib', 'xml.etree.ElementTree'} & {*sys.modules})"
    )
    assert last_line_of(code) == "set()"


def test_counting_loads_only_what_it_needs() -> None:
    code = (
        "import sys; from jigsat.cli.solve import app; app(['count', 'black-and-white'], "
        "standalone_mode=False); "
        "seldom = ['networkx', 'html', 'coloraide', 'xml.etree.ElementTree']; "
        "seldom += ['errors.validation', 'instance.json_schema', 'printing.parts', "
        "'ledger.file']; "
        "print({*seldom} & {name.removeprefix('jigsat.') for name in sys.modules})"
    )
    assert last_line_of(code) == "set()"


def test_every_command_is_in_the_stated_module() -> None:
    stated = {
        (f"jigsat.cli.{module}", name)
        for commands in COMMANDS.values()
        for name, module in commands.items()
    }
    for module, _ in stated:
        import_module(module)
    found = {
        (command.callback.__module__, command.name or command.callback.__name__)
        for command in app.registered_commands
        if command.callback
    }
    assert found == stated


def test_explain_names_groups_and_symmetries() -> None:
    text = run("explain", "cats").stdout
    assert "every cell holds one tile" in text
    assert "9 exactly-one" in text
    assert "symmetries: 4 up to rotation" in text


def test_absent_backends_are_listed_too(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    chosen = [find(name) for name in ("cadical195", "z3", "cryptosat")]
    monkeypatch.setattr("jigsat.backends.specs", lambda: chosen)  # to test all takes seconds
    rows = {row["name"]: row for row in json.loads(command(capsys, "backends", "--json").out)}
    assert list(rows) == ["cadical195", "z3", "cryptosat"]
    assert rows["cadical195"]["capabilities"]["assumptions"]
    assert rows["z3"]["capabilities"]["xor"]
    assert (
        rows["cryptosat"]["capabilities"] is None
    )  # listed by PySAT, but this build cannot load it
    assert all(row["install"] for row in rows.values())


@pytest.mark.parametrize("name", ["unique", "rate", "compare", "generate", "schema", "solve"])
def test_the_usage_names_what_a_command_takes(
    name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    (usage,) = [
        line.strip()
        for line in command(capsys, name, "--help").out.splitlines()
        if "Usage:" in line
    ]
    taken = {
        "compare": "[INSTANCE]...",
        "generate": "{FAMILY|INSTANCE}",
        "schema": "[FAMILY]",
        "solve": "{INSTANCE}",
    }.get(name, "{INSTANCE}...")
    assert usage == f"Usage: jigsat {name} [OPTIONS] {taken}"


def test_only_the_relations_of_drawn_solutions_are_printed(
    capsys: pytest.CaptureFixture[str],
) -> None:
    said = command(capsys, "solve", "queens-8", "--show", "2").out
    assert "Solution 2: " in said and "Solution 3" not in said
