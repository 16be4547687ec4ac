"""Telling another process how much of the work is done, while a solver is busy."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from ctypes import c_double
from threading import Event, Thread
from typing import TypeVar

T = TypeVar("T")

MEASURING_INTERVAL_S = 0.25  # seconds between two measurements


class Progress:
    """The fraction of some work that is done, in memory that a child process shares with its parent."""

    def __init__(self) -> None:
        from multiprocessing.sharedctypes import RawValue  # most runs need none of it

        try:
            self._value = RawValue("d", -1.0)
        except OSError:  # the disk is full, or files are limited
            self._value = c_double(-1.0)

    @property
    def fraction(self) -> float | None:
        """From 0 to 1; None if it is not known."""
        value: float = self._value.value
        return None if value < 0 else value

    def set(self, fraction: float) -> None:
        """Report the fraction that is done."""
        self._value.value = fraction

    def during(self, items: Iterable[T], measure: Callable[[], float | None]) -> Iterator[T]:
        """The items. While they are computed, another thread measures the fraction regularly."""
        over = Event()

        def work() -> None:
            while not over.wait(MEASURING_INTERVAL_S):
                fraction = measure()
                self._value.value = -1.0 if fraction is None else fraction

        thread = Thread(target=work, daemon=True)
        thread.start()
        try:
            yield from items
        finally:
            over.set()
            thread.join()
