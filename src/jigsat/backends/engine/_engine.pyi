from collections.abc import Iterator, Sequence

class Cover(Iterator[tuple[int, ...]]):
    nodes: int
    progress: float
    def __new__(
        cls, items: Sequence[Sequence[int]], implied: Sequence[Sequence[int]], limits: Sequence[Sequence[int]]
    ) -> Cover: ...
    def __next__(self) -> tuple[int, ...]: ...
    def batch(self, most: int, /) -> list[tuple[int, ...]]: ...
    def part(self, most: int, nodes: int, /) -> tuple[list[tuple[int, ...]], bool]: ...
    def seed(self, number: int, /) -> None: ...
    def probe(self) -> tuple[float, float, tuple[int, ...] | None]: ...

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
