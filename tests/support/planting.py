"""Errors that are planted into the rules of kinds on a grid."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from importlib import import_module

import pytest

from jigsat.formula import Choice
from jigsat.kit import Grid, Rules, RunSums


def reverse_views(monkeypatch: pytest.MonkeyPatch) -> None:
    view = Grid.view
    monkeypatch.setattr(Grid, "view", lambda *given: view(*given)[::-1])


def lose_columns(monkeypatch: pytest.MonkeyPatch) -> None:
    runs = Grid.runs
    monkeypatch.setattr(Grid, "runs", lambda self, *given: runs(self, *given)[: self.height])


def shorten_looks(monkeypatch: pytest.MonkeyPatch) -> None:
    look = Grid.look
    monkeypatch.setattr(Grid, "look", lambda *given: look(*given)[1:])


def shorten_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    run = RunSums.run
    monkeypatch.setattr(RunSums, "run", lambda self, place: run(self, place)[:2])


def lose_neighbours(monkeypatch: pytest.MonkeyPatch) -> None:
    beside = Grid.beside
    monkeypatch.setattr(Grid, "beside", lambda *given: beside(*given)[1:])


def lose_around(monkeypatch: pytest.MonkeyPatch) -> None:
    around = Grid.around
    monkeypatch.setattr(Grid, "around", lambda *given: around(*given)[1:])


def lose_all_around(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Grid, "around", lambda *given: [])


def lose_sides(monkeypatch: pytest.MonkeyPatch) -> None:
    sides = Grid.sides
    monkeypatch.setattr(Grid, "sides", lambda *given: sides(*given)[:3])


def never_connect(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Rules, "connected", lambda *given, **more: None)


def never_close(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Rules, "single_loop", lambda *given: None)


def lose_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    blocks = Grid.blocks
    monkeypatch.setattr(Grid, "blocks", lambda *given: blocks(*given)[::2])


def lose_all_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Grid, "blocks", lambda *given: [])


def leave_out(module: str, function: str) -> Callable[[pytest.MonkeyPatch], None]:
    """A part of the rules that does nothing."""

    def plant(monkeypatch: pytest.MonkeyPatch) -> None:
        place = import_module(f"jigsat.encodings.{module}")
        monkeypatch.setattr(place, function, lambda *given: None)

    return plant


def return_first(module: str, function: str) -> Callable[[pytest.MonkeyPatch], None]:
    """A function of the rules that returns its first argument."""

    def plant(monkeypatch: pytest.MonkeyPatch) -> None:
        place = import_module(f"jigsat.encodings.{module}")
        monkeypatch.setattr(place, function, lambda first, *given: first)

    return plant


def lose_method(module: str, kind: str, method: str) -> Callable[[pytest.MonkeyPatch], None]:
    """A method of a kind that adds no rules."""

    def plant(monkeypatch: pytest.MonkeyPatch) -> None:
        place = getattr(import_module(f"jigsat.encodings.{module}"), kind)
        monkeypatch.setattr(place, method, lambda *given: None)

    return plant


def lose_constraint(name: str) -> Callable[[pytest.MonkeyPatch], None]:
    """A kind of constraint that does nothing."""
    return lambda monkeypatch: monkeypatch.setattr(Rules, name, lambda *given: None)


def allow_repeats(monkeypatch: pytest.MonkeyPatch) -> None:
    """Different numbers may be equal, and totals do not use that they are different."""
    total = Rules.total

    def total_of_any(
        rules: Rules, number: int, choices: Iterable[Choice[int]], *, different: bool = False
    ) -> None:
        total(rules, number, choices)

    monkeypatch.setattr(Rules, "total", total_of_any)
    lose_constraint("all_different")(monkeypatch)
