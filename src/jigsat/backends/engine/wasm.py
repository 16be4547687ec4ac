"""The compiled searches in a browser: the same types as in `_engine`, over a WebAssembly module
(`wasm.c`).

The module is built by `make wasm` and runs beside Pyodide, in a memory of its own. Its functions
are called through Pyodide's bridge to JavaScript.
"""

import struct
import weakref
from array import array
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import accumulate, chain
from pathlib import Path
from typing import Any, Self, TypeAlias

Lists: TypeAlias = Sequence[Sequence[int]]

FILE = Path(__file__).with_name("engine.wasm")

NODES_PER_CALL = 2**16  # number of nodes per step, which takes a few milliseconds
WORKING, FOUND, FULL = (
    0,
    1,
    2,
)  # states of a search in `cover.h`, `count.h` and `fill.h`; for a count, 1 is the end
FILL_NONE = 2

ERRORS: dict[int, Exception] = {
    1: MemoryError("the engine has no more memory"),
    2: OverflowError("the problem is too large for the engine"),
    3: ValueError("an option that does not exist, a literal out of range, or a negative bound"),
    4: ValueError("the options of an item are not in ascending order"),
}
"""The errors by their number in `problem.h`."""


class RunningModule:
    """A module in the WebAssembly engine of the browser in which Pyodide runs."""

    def __init__(self, code: bytes) -> None:
        import js
        from pyodide.ffi import to_js

        self._js = js
        self._exports = js.WebAssembly.Instance.new(js.WebAssembly.Module.new(to_js(code))).exports

    def call(self, name: str, *arguments: int) -> Any:
        """The result of an exported function."""
        return getattr(self._exports, name)(*arguments)

    def read(self, at: int, length: int) -> bytes:
        return bytes(self._js.Uint8Array.new(self._exports.memory.buffer, at, length).to_bytes())

    def write(self, at: int, data: bytes) -> None:
        self._js.Uint8Array.new(self._exports.memory.buffer, at, len(data)).assign(data)


@cache
def running() -> RunningModule:
    """The module; all searches share it."""
    return RunningModule(FILE.read_bytes())


class _Memory:
    """Arrays in the memory of a module, freed together at the end of a block."""

    def __init__(self, instance: RunningModule) -> None:
        self._instance = instance
        self._arrays: list[int] = []

    def room(self, length: int) -> int:
        """The address of new bytes, which are zero. Raises MemoryError."""
        at = int(self._instance.call("allocate", max(1, length))) & 0xFFFFFFFF
        if not at:
            raise ERRORS[1]
        self._arrays.append(at)
        return at

    def numbers(self, values: Sequence[int]) -> int:
        """The address of an array of these numbers. Raises ValueError if one of them is out of
        range."""
        try:
            data = array("i", values).tobytes()
        except OverflowError as error:
            raise ValueError("a number out of range") from error
        return self.copy(data)

    def copy(self, data: bytes) -> int:
        """The address of a copy of these bytes."""
        at = self.room(len(data))
        self._instance.write(at, data)
        return at

    def lists(self, rows: Lists) -> tuple[int, int]:
        """The addresses of the two arrays of `Lists`."""
        starts = list(accumulate(map(len, rows), initial=0))
        return self.numbers(starts), self.numbers(list(chain.from_iterable(rows)))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        while self._arrays:
            self._instance.call("release", self._arrays.pop())


class _ModuleSearch:
    """A search in the module, which is freed with this object."""

    kind: str

    def __init__(self) -> None:
        self._instance = running()
        self._memory = _Memory(self._instance)

    def _start(self, items: Lists, implied: Lists, limits: Lists, *others: int) -> None:
        if len(limits) > len(items):
            raise ValueError("each of the limits belongs to one of the last items")
        for number, limit in enumerate(limits):
            if len(limit) != 2:
                raise ValueError(f"bound {number} is not a pair")
        with self._memory as memory:
            least, most = (memory.numbers([limit[i] for limit in limits]) for i in (0, 1))
            sizes = len(implied), len(items) - len(limits), len(limits)
            lists = *memory.lists(items), *memory.lists(implied)
            problem = memory.copy(struct.pack("<9I", *sizes, *lists, least, most))
            self._create(memory, problem, *others)

    def _create(self, memory: _Memory, *arguments: int) -> None:
        status = memory.room(4)
        self._at = int(self._instance.call(f"{self.kind}_new", *arguments, status)) & 0xFFFFFFFF
        if not self._at:
            raise ERRORS[int.from_bytes(self._instance.read(status, 4), "little")]
        weakref.finalize(self, self._instance.call, f"{self.kind}_free", self._at).atexit = False

    def _ask(self, name: str, *arguments: int) -> Any:
        return self._instance.call(f"{self.kind}_{name}", self._at, *arguments)

    def _words(self, at: int, length: int) -> int:
        """A number from words in base 2^64."""
        return int.from_bytes(self._instance.read(at, 8 * length), "little")

    def _options(self, at: int, size: int) -> tuple[int, ...]:
        return struct.unpack(f"<{size}i", self._instance.read(at, 4 * size)) if size else ()

    @property
    def nodes(self) -> int:
        """The nodes of the search tree so far."""
        return int(self._ask("visited"))

    @property
    def progress(self) -> float:
        """The fraction of the search that is done, from 0 to 1."""
        return float(self._ask("progress"))


class Cover(_ModuleSearch, Iterator[tuple[int, ...]]):
    """The same as `_engine.Cover`."""

    kind = "cover"

    def __init__(self, items: Lists, implied: Lists, limits: Lists) -> None:
        super().__init__()
        self._random = 0
        self._start(items, implied, limits)

    def __next__(self) -> tuple[int, ...]:
        while (state := self._ask("steps", NODES_PER_CALL)) == WORKING:
            pass
        if state != FOUND:
            raise StopIteration
        return self._read_found()

    def part(self, most: int, nodes: int, /) -> tuple[list[tuple[int, ...]], bool]:
        """One further cover, or none after about `nodes` nodes; `_engine.Cover.part` returns up to
        `most`."""
        state = self._ask("steps", min(nodes, NODES_PER_CALL)) if most > 0 else WORKING
        return [self._read_found()] if state == FOUND else [], state in (WORKING, FOUND)

    def _read_found(self) -> tuple[int, ...]:
        return self._options(int(self._ask("options")) & 0xFFFFFFFF, int(self._ask("size")))

    def seed(self, number: int, /) -> None:
        """Restart the random numbers of `probe`, modulo 2**64."""
        self._random = number % 2**64

    def probe(self) -> tuple[float, float, tuple[int, ...] | None]:
        """Follow a random path in the search tree, as `_engine.Cover.probe` does."""
        if self._ask("begun"):
            raise ValueError("this search has begun")
        with self._memory as memory:
            at = memory.room(24)
            self._instance.write(at, struct.pack("<Q", self._random))
            self._ask("probe", at, at + 8, at + 16)
            self._random, nodes, solutions = struct.unpack("<Qdd", self._instance.read(at, 24))
        return nodes, solutions, self._read_found() if solutions > 0 else None


class Count(_ModuleSearch):
    """The same as `_engine.Count`."""

    kind = "count"

    def __init__(
        self, items: Lists, implied: Lists, limits: Lists, memory: int, near: Lists = ()
    ) -> None:
        super().__init__()
        if near and len(near) != len(items) - len(limits):
            raise ValueError("the graph must have a row for each item")
        self._start(items, implied, limits, min(memory, 2**31))
        if not near:
            return
        with self._memory as rows:
            lists = rows.copy(struct.pack("<2I", *rows.lists(near)))
            if status := self._ask("regions", lists):
                raise ERRORS[status]

    def step(self, nodes: int, /) -> bool:
        """Continue for about the given number of nodes; returns whether the count is finished.
        Raises MemoryError at the limit."""
        state = self._ask("steps", min(nodes, 2**31 - 1))
        if state == FULL:
            raise MemoryError("the stored states exceed the memory limit")
        return bool(state == FOUND)

    def solution(self, rank: int, /) -> tuple[int, ...]:
        """The solution of a rank. Raises IndexError if there is none."""
        limbs, most = int(self._ask("limbs")), int(self._ask("items"))
        if not 0 <= rank < 2 ** (64 * limbs):
            raise IndexError("there is no solution of this rank")
        with self._memory as memory:
            words = memory.room(8 * limbs)
            options = memory.room(4 * most + 4)
            self._instance.write(words, rank.to_bytes(8 * limbs, "little"))
            size = int(self._ask("solution", words, limbs, options))
            if size < 0:
                raise IndexError("there is no solution of this rank")
            return self._options(options, size)

    def occurrences(self) -> list[int]:
        """The number of solutions with each option. Raises MemoryError at the limit."""
        options = int(self._ask("options"))
        limbs = -(-(self.result or 0).bit_length() // 64)
        with self._memory as memory:
            numbers = memory.room(8 * options * limbs)
            if not self._ask("occurrences", numbers):
                raise ERRORS[1]
            return [self._words(numbers + 8 * limbs * i, limbs) for i in range(options)]

    @property
    def result(self) -> int | None:
        """The number of exact covers; None until it is known."""
        with self._memory as memory:
            pointer = memory.room(4)
            length = int(self._ask("result", pointer))
            at = int.from_bytes(self._instance.read(pointer, 4), "little")
            return None if length < 0 else self._words(at, length)

    @property
    def states(self) -> int:
        """The number of stored states."""
        return int(self._ask("stored"))

    @property
    def found(self) -> float:
        """The approximate number of solutions counted so far."""
        return float(self._ask("found"))


class Fill(_ModuleSearch):
    """The same as `_engine.Fill`."""

    kind = "fill"

    def __init__(
        self,
        slots: Lists,
        given: Lists,
        words: Sequence[str],
        scores: Sequence[int],
        distinct: bool,
    ) -> None:
        super().__init__()
        self._slot_count, self._word_count = len(slots), len(words)
        self.tried, self.refuted = 0, False
        with self._memory as memory:
            letters = memory.copy("".join(words).encode("utf-32-le"))
            starts = memory.numbers(list(accumulate(map(len, words), initial=0)))
            addresses = (
                *memory.lists(slots),
                *memory.lists(given),
                starts,
                letters,
                memory.numbers(scores),
            )
            sizes = len(slots), len(given), len(words)
            self._create(memory, memory.copy(struct.pack("<11I", *sizes, *addresses, distinct)))

    def candidates(self, slot: int, /) -> tuple[int, ...]:
        """The words that can stand in a slot beside some of those of the crossing slots."""
        with self._memory as memory:
            numbers = memory.room(4 * self._word_count)
            return self._options(numbers, int(self._ask("candidates", slot, numbers)))

    def search(
        self, slot: int, word: int, preferred: Lists, words: int, /
    ) -> tuple[int, ...] | None:
        """A fill, as `_engine.Fill.search` finds it."""
        with self._memory as memory:
            lists = memory.copy(struct.pack("<2I", *memory.lists(preferred)))
            state = int(self._ask("try", slot, word, lists, words))
            self.tried = int(self._ask("number_tried"))
            self.refuted = state == FILL_NONE
            if state != FOUND:
                return None
            numbers = memory.room(4 * self._slot_count)
            self._ask("words", numbers)
            return self._options(numbers, self._slot_count)
