"""The files to mutate: the shipped instances, and answers, ledgers and certificates of some of
them."""

from __future__ import annotations

import re
import tempfile
from collections.abc import Mapping
from functools import cache
from pathlib import Path

from support.forked import run_process

import jigsat
from jigsat import instance

Files = Mapping[str, bytes]
"""The content of each file, by its path in a folder."""

SOLVED = ["cats", "cube", "black-and-white", "lights-5x5", "push-pull", "sudoku-hard"]
"""Instances that are solved quickly, one or two per family."""

PROVED = ["cats", "black-and-white", "push-pull", "lights-unsolvable", "sudoku-hard"]
FORMATS = [".cnf", ".cnf.gz", ".cnf.xz", ".xnf", ".wcnf", ".opb", ".smt2"]
READABLE = [".cnf", ".xnf", ".opb"]
"""The formats of formulas that `count` reads."""

SUDOKUS = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79\n"
TEXTS = {
    "one.txt": SUDOKUS,
    "several.txt": f"# three\n1...............\n.2..............\n{SUDOKUS}",
    "colours.dlx": "p q r | x y\np q x y:A\np r x:A y\np x:B\nq x:A\nr y:B\n",
    "pieces.csv": "2,2\n0,1,2,0\n0,0,3,1\n2,4,0,0\n3,0,0,4\n",
    "game.opensudoku": f"<opensudoku><name>one</name><game "
    f"data='{SUDOKUS.strip().replace('.', '0')}' /></opensudoku>",
    "mini.ipuz": '{"kind": ["http://ipuz.org/crossword#1"], "puzzle": [["#", 1], [2, {"value": '
    '"T"}]]}',
    "guests.csv": "guest,groups,tables,beside\nAnn,family,round 4,Ben\nBen,family; "
    "red,,\nCleo,,,\n",
    "plates.xmpuzzle": """<puzzle version="2"><gridType type="0"/><shapes>
<voxel x="2" y="2" z="2" type="0">########</voxel><voxel x="1" y="2" z="2" type="0" name="plate">####</voxel></shapes>
<problems><problem><shapes><shape id="1" count="2"/></shapes><result id="0"/></problem></problems></puzzle>""",
    "drawn.sdk": "1 2 | . .\n. . | 1 2\n----+----\n2 1 | . .\n. . | 2 1\n",
}
"""Instances in the text formats of a family."""


@cache
def instances() -> Files:
    """Every shipped instance, and some in other formats."""
    shipped = {path.name: path.read_bytes() for path in instance.instances()}
    return shipped | {name: text.encode() for name, text in TEXTS.items()}


@cache
def made(*arguments: str) -> Files:
    """The files that a command writes to its folder; its output is in `stdout`.

    It runs as a process of its own: a fork of this one, which grows with each test, would reach its
    memory limit.
    """
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        ended = run_process(*arguments, folder=folder)
        assert ended.status == 0, (arguments, ended)
        files = {
            str(path.relative_to(folder)): path.read_bytes()
            for path in sorted(folder.rglob("*"))
            if path.is_file()
        }
    return files | {"stdout": _timeless(ended.out.encode())}


def _timeless(printed: bytes) -> bytes:
    """Output without the times, which differ from run to run."""
    return re.sub(rb'("seconds": |, )\d+\.\d+(?= s|[,}])', rb"\g<1>0.25", printed)


def solved(name: str) -> bytes:
    """All solutions as `solve --json` prints them."""
    return made("solve", name, "--json")["stdout"]


def exported(name: str, suffix: str) -> bytes:
    """The formula of an instance. A solver's answer to it is `answers(name)`."""
    (file,) = (
        data
        for path, data in made("export", name, "-o", f"formula{suffix}").items()
        if path != "stdout"
    )
    return file


def store(name: str, *options: str) -> bytes:
    """The ledger that `solve --store` leaves."""
    return made("solve", name, "--store", "store", *options)["store"]


def ledger(name: str) -> bytes:
    """The ledger that `count --store` leaves."""
    return made("count", name, "--store", "store", "--backend", "cadical195", "--jobs", "2")[
        "store"
    ]


def runs(name: str) -> bytes:
    """The file that `compare --resume` leaves."""
    return _timeless(made("compare", name, "--backends", "cadical195", "--resume", "runs")["runs"])


def certificate(name: str, *backend: str) -> Files:
    """The files of a certificate: a proof of this backend, or whatever jigsat chooses."""
    files = made("prove", name, "-o", "proved", *(("--backend", *backend) if backend else ()))
    return {path.removeprefix("proved/"): data for path, data in files.items() if path != "stdout"}


@cache
def answers(name: str) -> Mapping[str, bytes]:
    """One solution in every output format of solvers, and answers without a solution."""
    literals = _model(exported(name, ".cnf"))
    formula = jigsat.load(name).encode()
    cost = sum(literal in formula.objective for literal in literals)
    lines = (
        "".join(
            f"v {' '.join(map(str, literals[i : i + 12]))}\n" for i in range(0, len(literals), 12)
        )
        + "v 0\n"
    )
    named = " ".join(f"{'-' if literal < 0 else ''}x{abs(literal)}" for literal in literals)
    bits = "".join(str(int(literal > 0)) for literal in literals)
    values = _values(exported(name, ".smt2").decode())
    pairs = re.sub(r"define-fun (\|[^|]*\||\S+) \(\) \S+\s+", r"\1 ", values)
    text = {
        "competition": f"c a comment\ns SATISFIABLE\n{lines}",
        "several": f"s SATISFIABLE\n{lines}s SATISFIABLE\n{lines}s UNSATISFIABLE\n",
        "pseudo-boolean": f"o {cost}\ns OPTIMUM FOUND\nv {named}\n",
        "bits": f"s OPTIMUM FOUND\nv {bits}\n",
        "minisat": f"SAT\n{' '.join(map(str, literals))} 0\n",
        "define-fun": f"sat\n(\n{values}\n)\n",
        "get-value": f"sat\n({pairs})\n",
        "unsatisfiable": "s UNSATISFIABLE\n",
        "unknown": "s UNKNOWN\n",
    }
    return {kind: said.encode() for kind, said in text.items()}


def _model(cnf: bytes) -> list[int]:
    from pysat.formula import CNF
    from pysat.solvers import Solver

    with Solver(name="cadical195", bootstrap_with=CNF(from_string=cnf.decode())) as solver:
        assert solver.solve()
        model: list[int] = solver.get_model()
    return model


def _values(smt: str) -> str:
    import z3

    solver = z3.Solver()
    solver.from_string(smt)
    assert solver.check() == z3.sat
    values: str = solver.model().sexpr()
    return values
