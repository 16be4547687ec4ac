"""The compiled searches as a WebAssembly module, run outside a browser: they agree with the native
ones."""

from __future__ import annotations

import random
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from support.fills import make_grid

from jigsat.backends import counting, cover
from jigsat.backends.counting import CountedModels
from jigsat.backends.engine import wasm
from jigsat.instance import load
from jigsat.search.portfolio import models

native: Any = pytest.importorskip(
    "jigsat.backends.engine._engine", reason="jigsat was installed without a C compiler"
)
wasmtime: Any = pytest.importorskip("wasmtime")
ROOT = Path(__file__).parents[2]
if not (shutil.which("clang") and shutil.which("wasm-ld")):
    pytest.skip("needs clang and lld, which `make wasm` uses", allow_module_level=True)


class Alone:
    """The module in a WebAssembly engine without a browser."""

    def __init__(self, path: Path) -> None:
        self._store = wasmtime.Store()
        module = wasmtime.Module.from_file(self._store.engine, str(path))
        self._exports = wasmtime.Instance(self._store, module, []).exports(self._store)
        self._memory = self._exports["memory"]

    def close(self) -> None:
        engine = self._store.engine
        self._store.close()
        engine.close()

    def call(self, name: str, *arguments: int) -> Any:
        return self._exports[name](self._store, *arguments)

    def read(self, at: int, length: int) -> bytes:
        return bytes(self._memory.read(self._store, at, at + length))

    def write(self, at: int, data: bytes) -> None:
        self._memory.write(self._store, data, at)


@pytest.fixture(scope="module")
def instance() -> Iterator[Alone]:
    subprocess.run(["make", "--silent", "wasm"], cwd=ROOT, check=True)
    alone = Alone(ROOT / "src/jigsat/backends/engine/engine.wasm")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(wasm, "running", lambda: alone)
        yield alone
    alone.close()


@pytest.fixture
def in_browser(instance: Alone, monkeypatch: pytest.MonkeyPatch) -> None:
    """The backends use the module, as they do in a browser."""
    for module in (cover, counting):
        monkeypatch.setattr(module, "engine", lambda: wasm)


def problem(rng: random.Random) -> tuple[list[list[int]], list[list[int]], list[list[int]]]:
    """Random items, literals and bounds."""
    options = rng.randrange(1, 30)
    items = [
        sorted(rng.sample(range(options), rng.randrange(1, min(options, 6) + 1)))
        for _ in range(rng.randrange(1, 6))
    ]
    bounds = [
        sorted(rng.sample(range(options), rng.randrange(1, options + 1)))
        for _ in range(rng.randrange(3))
    ]
    implied = [
        [rng.choice((1, -1)) * rng.randrange(1, 9) for _ in range(rng.randrange(3))]
        for _ in range(options)
    ]
    return items + bounds, implied, [sorted((rng.randrange(3), rng.randrange(8))) for _ in bounds]


def test_random_problems_have_the_same_covers_nodes_and_counts(instance: Alone) -> None:
    rng = random.Random(0)
    some = 0
    for _ in range(300):
        items, implied, limits = problem(rng)
        mine, theirs = wasm.Cover(items, implied, limits), native.Cover(items, implied, limits)
        found = list(theirs)
        assert list(mine) == found
        assert (mine.nodes, mine.progress) == (theirs.nodes, 1.0)
        some += bool(found)
        arguments = items, implied, limits, 2**20, ()
        counts = [wasm.Count(*arguments), native.Count(*arguments)]
        assert all(count.step(10**6) for count in counts)
        assert [count.result for count in counts] == [len(found)] * 2
        for field in ("nodes", "states", "found", "progress"):
            assert len({getattr(count, field) for count in counts}) == 1, field
        for rank in range(min(3, len(found))):
            assert counts[0].solution(rank) == counts[1].solution(rank)
        with pytest.raises(IndexError):
            counts[0].solution(len(found))
        numbers = [sum(option in cover for cover in found) for option in range(len(implied))]
        assert [count.occurrences() for count in counts] == [numbers, numbers]
    assert some > 50


def test_grids_have_the_same_fills(instance: Alone) -> None:
    rng = random.Random(0)
    some = 0
    for _ in range(100):
        grid = make_grid(rng)
        mine, theirs = wasm.Fill(*grid), native.Fill(*grid)
        slots, _, words, *_ = grid
        assert [mine.candidates(i) for i in range(len(slots))] == [
            theirs.candidates(i) for i in range(len(slots))
        ]
        preferred = [rng.sample(range(len(words)), rng.randrange(len(words) + 1)) for _ in slots]
        for slot, word in ((-1, 0), *((0, word) for word in range(len(words)))):
            found = theirs.search(slot, word, preferred, 5)
            assert mine.search(slot, word, preferred, 5) == found
            assert (mine.tried, mine.refuted) == (theirs.tried, theirs.refuted)
            some += found is not None
    assert some > 50
    with pytest.raises(ValueError):
        wasm.Fill([[0]] * 3, [[]], ["A"], [0], True)


def test_random_paths_are_the_same(instance: Alone) -> None:
    items, implied = [[0, 1, 2], [1, 2, 3], [0, 3]], [[1], [2], [-1], []]
    searches = [wasm.Cover(items, implied, []), native.Cover(items, implied, [])]
    for search in searches:
        search.seed(2**64 + 7)
    assert [searches[0].probe() for _ in range(50)] == [searches[1].probe() for _ in range(50)]
    list(searches[0])
    with pytest.raises(ValueError, match="begun"):
        searches[0].probe()


@pytest.mark.parametrize(
    ("items", "implied", "limits", "error"),
    [
        ([[1]], [[1]], [], ValueError),
        ([[-1]], [[1]], [], ValueError),
        ([[0]], [[2**40]], [], ValueError),
        ([[0]], [[2**31 - 1]], [], ValueError),
        ([[0]], [[0]], [], ValueError),
        ([[0], [0]], [[1]], [[1]], ValueError),
        ([[0], [0]], [[1]], [[0, 2**31]], ValueError),
        ([], [[1]], [[0, 1]], ValueError),
        ([[0, 0]], [[1]], [], ValueError),
        ([[0]], [["1"]], [], TypeError),
    ],
)
def test_invalid_problems_are_refused(
    instance: Alone, items: Any, implied: Any, limits: Any, error: Any
) -> None:
    with pytest.raises(error):
        wasm.Cover(items, implied, limits)


def test_memory_is_used_again(instance: Alone) -> None:
    def pages() -> int:
        return int(instance._memory.size(instance._store))

    for _ in range(3):
        before = pages()
        for _ in range(100):
            search = wasm.Count([[0, 1]] * 50, [[], []], [], 2**16)
            search.step(1000)
            del search
    assert pages() == before


def test_too_much_memory_is_an_error(instance: Alone) -> None:
    with pytest.raises(MemoryError):
        wasm._Memory(instance).room(2**32 - 1)
    with pytest.raises(MemoryError):
        wasm._Memory(instance).room(2**31 + 1)


def test_backends_use_the_module(in_browser: None) -> None:
    assert CountedModels(load("dominoes-6x8").encode()).total == 167_089
    assert sum(1 for _ in models(load("cats-reuse").encode(), "cover")) == 1_272
