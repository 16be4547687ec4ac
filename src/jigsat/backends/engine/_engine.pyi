from collections.abc import Iterator, Sequence

class Cover(Iterator[tuple[int, ...]]):
    nodes: int
    def __new__(
        cls, items: Sequence[Sequence[int]], implied: Sequence[Sequence[int]], limits: Sequence[Sequence[int]]
    ) -> Cover: ...
    def __next__(self) -> tuple[int, ...]: ...
