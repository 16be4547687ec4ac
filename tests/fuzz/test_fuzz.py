"""Mutated files, and threads, never lead to a traceback, a hang, a garbled terminal or a wrong
count.

`make test` tries a few of each kind, always the same; `make fuzz` ten thousand different ones. They
are divided among tests that can run in parallel.
"""

from __future__ import annotations

import random
import shlex
import shutil
import tempfile
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from math import ceil
from pathlib import Path
from typing import Any

import pytest
from fuzz.cases import KINDS, Case
from fuzz.verdicts import judge
from hypothesis import HealthCheck, given, seed, settings
from support.forked import Ended, run, run_process
from support.quick import cases
from support.small import FAMILIES, random_puzzle
from support.waiting import LONG

import jigsat
from jigsat.symmetry import Placement

# the files to mutate are created on first use
pytestmark = pytest.mark.filterwarnings("ignore:Do not use the `random` module")

KEPT = Path("build/fuzz")
"""The folder for the files of failures."""

PER_TEST = 40
"""The maximum number of mutations per test."""

THREADS = 4
PER_THREADED_PUZZLE = 60
"""The number of mutations for which there is one puzzle that threads count."""


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """The number of tests for each kind of file follows from the number of mutations."""
    if "examples" in metafunc.fixturenames:
        each = max(1, cases(metafunc.config.getoption("fuzz")) // len(KINDS))
        tests = ceil(each / PER_TEST)
        parts = [(kind, i, ceil(each / tests)) for i in range(tests) for kind in KINDS]
        metafunc.parametrize(
            ("kind", "number", "examples"), parts, ids=[f"{kind}-{i}" for kind, i, _ in parts]
        )


def test_mutated_files(
    kind: str, number: int, examples: int, request: pytest.FixtureRequest
) -> None:
    _fuzz(kind, f"{request.config.getoption('fuzz_seed')}-{number}", examples, run)


@pytest.mark.parametrize(
    "kind",
    [
        pytest.param(
            kind, marks=[pytest.mark.slow] * (kind not in ("instance-tree", "answer", "store"))
        )
        for kind in KINDS
    ],
)
def test_processes(kind: str, request: pytest.FixtureRequest) -> None:
    """Some commands, started as by a shell."""
    _fuzz(
        kind,
        f"{request.config.getoption('fuzz_seed')}-process",
        ceil(request.config.getoption("fuzz") / 300),
        run_process,
    )


@pytest.mark.usefixtures("counted_threads")
def test_threads(request: pytest.FixtureRequest) -> None:
    """Threads count random puzzles at the same time, some with limits, which need processes."""
    rng = random.Random(f"{request.config.getoption('fuzz_seed')}-threads")
    number = ceil(cases(request.config.getoption("fuzz")) / PER_THREADED_PUZZLE)
    asked = []
    for _ in range(max(number, THREADS)):
        puzzle, solutions = random_puzzle(rng, rng.choice(FAMILIES))
        asked.append((puzzle, solutions, _draw_limits(rng)))
    with ThreadPoolExecutor(THREADS) as threads:
        for wrong in threads.map(_count_wrongly, *zip(*asked, strict=True)):
            assert not wrong


def _draw_limits(rng: random.Random) -> dict[str, Any]:
    """Options that start processes or do not, and that never stop the search."""
    options = [{}, {"timeout": LONG}, {"memory": 2**36}, {"jobs": 2}, {"timeout": LONG, "jobs": 2}]
    return rng.choice(options) | {"want": rng.choice(["count", "solutions"])}


def _count_wrongly(
    puzzle: jigsat.Puzzle, solutions: Sequence[frozenset[Placement]], options: dict[str, Any]
) -> str:
    """What is wrong about the number of solutions of a puzzle, or ''."""
    result = jigsat.Enumeration[Any](puzzle, up_to="nothing", **options).run()
    if result.complete and result.solutions == len(solutions):
        return ""
    return f"{result} with {options} instead of {len(solutions)} solutions of {puzzle.model_dump()}"


def _fuzz(kind: str, start: str, examples: int, runner: Callable[..., Ended]) -> None:
    @seed(start)
    @settings(
        max_examples=examples, deadline=None, database=None, suppress_health_check=list(HealthCheck)
    )
    @given(KINDS[kind])
    def each(case: Case) -> None:
        endings = []
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            _write(case, folder)
            try:
                outlets = case.outlets or ("",) * len(case.commands)
                endings += (
                    runner(*c, folder=folder, outlet=outlet)
                    for c, outlet in zip(case.commands, outlets, strict=True)
                )
                judge(case, folder, endings)
                return
            except AssertionError as error:
                wrong = str(error)
        pytest.fail(
            _finding(case, f"{wrong}\n{_transcript(case, endings)}", KEPT / f"{kind}-{start}"),
            pytrace=False,
        )

    each()


def _write(case: Case, folder: Path) -> None:
    for path, data in case.files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_bytes(data)


def _transcript(case: Case, endings: Sequence[Ended]) -> str:
    """The commands and their output, escaped for a terminal."""
    said = (
        f"$ {_typed(c)}\n{e.out[-1500:]}{e.err[-1500:]}[status {e.status}]"
        for c, e in zip(case.commands, endings, strict=False)
    )
    return "".join(c if c.isprintable() or c == "\n" else ascii(c)[1:-1] for c in "\n".join(said))


def _finding(case: Case, said: str, folder: Path) -> str:
    """Keep the files in a folder, and print how to reproduce the failure."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    _write(case, folder)
    script = "".join(f"{_typed(command)}\n" for command in case.commands)
    (folder / "reproduce.sh").write_text(script, encoding="utf-8", errors="surrogateescape")
    (folder / "finding.txt").write_text(said, encoding="utf-8")
    return (
        f"{said}\nto reproduce: (export PATH=$PWD/.venv/bin:$PATH; cd {folder} && sh reproduce.sh)"
    )


def _typed(command: Sequence[str]) -> str:
    return shlex.join(["jigsat", *command])
