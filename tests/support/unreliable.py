"""Workers that fail, as those of a cluster do."""

from __future__ import annotations

import random

from jigsat.runtime.executors import Here, Lost, MakeWorker


class Unreliable(Here[str, str]):
    """A worker that loses jobs before or after working on them, and answers some of them twice or
    late. `losses` is the probability of each."""

    number = 3

    def __init__(self, make: MakeWorker[str, str], seed: int, losses: float) -> None:
        super().__init__(make)
        self._random, self._losses = random.Random(seed), losses
        self._earlier: list[str] = []
        self._lost: list[int] = []

    def submit(self, number: int, job: str) -> None:
        if self._random.random() < self._losses:
            self._lost.append(number)
        else:
            super().submit(number, job)

    def receive(self, patience: float) -> list[tuple[int, str | BaseException]]:
        if self._lost:
            return [(self._lost.pop(), Lost("killed"))]
        answers: list[tuple[int, str | BaseException]] = []
        for number, answer in super().receive(patience):
            assert isinstance(answer, str)
            self._earlier.append(answer)
            if self._random.random() < self._losses:  # it dies before it answers
                answers.append((number, Lost("killed")))
            elif self._random.random() < self._losses:
                answers.append((number, self._random.choice(self._earlier)))
            else:
                answers.append((number, answer))
        return answers
