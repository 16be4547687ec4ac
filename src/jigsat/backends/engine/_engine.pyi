from array import array
from collections.abc import Iterator, Sequence
from typing import Literal

class Cover(Iterator[tuple[int, ...]]):
    nodes: int
    progress: float
    def __new__(
        cls,
        items: Sequence[Sequence[int]],
        implied: Sequence[Sequence[int]],
        limits: Sequence[Sequence[int]],
    ) -> Cover: ...
    def __next__(self) -> tuple[int, ...]: ...
    def batch(self, most: int, /) -> list[tuple[int, ...]]: ...
    def part(self, most: int, nodes: int, /) -> tuple[list[tuple[int, ...]], bool]: ...
    def seed(self, number: int, /) -> None: ...
    def probe(self) -> tuple[float, float, tuple[int, ...] | None]: ...
    def restricted(self, options: Sequence[int], /) -> Cover: ...
    def restart(self, chosen: Sequence[int], /) -> None: ...
    def release(self) -> tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...]] | None: ...

class Dive:
    over: bool
    def __new__(cls, variables: int, constraints: array[int], decisions: array[int]) -> Dive: ...
    def step(self, work: int, /) -> list[int] | None: ...

class Fill:
    tried: int
    refuted: bool
    def __new__(
        cls,
        slots: Sequence[Sequence[int]],
        given: Sequence[Sequence[int]],
        words: Sequence[str],
        scores: Sequence[int],
        distinct: bool,
    ) -> Fill: ...
    def candidates(self, slot: int, /) -> tuple[int, ...]: ...
    def search(
        self, slot: int, word: int, preferred: Sequence[Sequence[int]], words: int, /
    ) -> tuple[int, ...] | None: ...

class Scan:
    suits: bool
    meets: bool
    over: bool
    nodes: int
    progress: float
    def __new__(cls, variables: int, constraints: array[int], decisions: array[int]) -> Scan: ...
    def step(self, nodes: int, /) -> tuple[int, ...] | None: ...
    def size(self, probes: int, seed: int, /) -> float: ...
    def best(
        self, nodes: int, seed: int, /
    ) -> tuple[tuple[int, ...], int] | Literal[False] | None: ...
    def release(
        self,
    ) -> tuple[tuple[tuple[int, ...], ...], tuple[int, ...], tuple[int, ...]] | None: ...

class Count:
    result: int | None
    nodes: int
    states: int
    hits: int
    memory: int
    found: float
    progress: float
    def __new__(
        cls,
        items: Sequence[Sequence[int]],
        implied: Sequence[Sequence[int]],
        limits: Sequence[Sequence[int]],
        memory: int,
        near: Sequence[Sequence[int]] = (),
    ) -> Count: ...
    def step(self, nodes: int, /) -> bool: ...
    def solution(self, rank: int, /) -> tuple[int, ...]: ...
    def occurrences(self) -> list[int]: ...
