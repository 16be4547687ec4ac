"""Errors that are planted into the rules or the clues of a kind are noticed: the check refuses a
solution, or the number of solutions is wrong."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any

import pytest

from jigsat.kit import Grid, Rules, RunSums
from jigsat.testing import check_family


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


ERRORS = {
    "skyscrapers, seen from the wrong end": ("skyscrapers-5", reverse_views),
    "skyscrapers, heights twice": ("skyscrapers-5-many", lose_constraint("all_different")),
    "akari, no columns": ("akari-6", lose_columns),
    "akari, fewer cells beside a number": ("akari-6", lose_neighbours),
    "nonogram, no gaps": ("nonogram-heart", lose_constraint("implies")),
    "star battle, blocks left out": ("star-battle-6", lose_blocks),
    "star battle, no blocks": ("star-battle-6", lose_constraint("at_most_one")),
    "kakuro, runs cut short": ("kakuro-5", shorten_runs),
    "kakuro, digits twice": ("kakuro-2", lose_constraint("all_different")),
    "shikaku, rectangles left out": ("shikaku-4", lose_blocks),
    "slitherlink, no loop": ("slitherlink-4", never_close),
    "slitherlink, a side left out": ("slitherlink-4", lose_sides),
    "masyu, no loop": ("masyu-5", never_close),
    "masyu, white pearls without a rule": ("masyu-5", leave_out("masyu", "pass_white")),
    "fillomino, regions of any size": ("fillomino-5", lose_constraint("regions")),
    "slant, closed paths": ("slant-3", lose_constraint("acyclic")),
    "hitori, cut off": ("hitori-3", never_connect),
    "hitori, side by side": ("hitori-4", lose_constraint("at_most_one")),
    "yajilin, arrows that miss the nearest cell": ("yajilin-4", shorten_looks),
    "yajilin, no loop": ("yajilin-5", never_close),
    "nurikabe, cut off": ("nurikabe-4", never_connect),
    "nurikabe, islands that touch": ("nurikabe-4", lose_constraint("implies")),
    "heyawake, cut off": ("heyawake-4", never_connect),
    "heyawake, side by side": ("heyawake-4", lose_constraint("at_most_one")),
    "heyawake, long lines": ("heyawake-5", lose_constraint("clause")),
    "mosaic, a cell around a number left out": ("mosaic-4", lose_around),
    "minesweeper, a cell around a number left out": ("minesweeper-4", lose_around),
    "binairo, lines that are equal": ("binairo-4", leave_out("binairo", "make_distinct")),
    "binairo, more 0s than 1s": ("binairo-4", lose_constraint("exactly")),
    "binairo, three in a line": ("binairo-6", lose_constraint("clause")),
    "yin-yang, cut off": ("yin-yang-4", never_connect),
    "yin-yang, no blocks": ("yin-yang-4", lose_all_blocks),
    "kuromasu, cut off": ("kuromasu-4", never_connect),
    "kuromasu, views that miss the nearest cell": ("kuromasu-5", shorten_looks),
    "futoshiki, numbers twice": ("futoshiki-5", lose_constraint("all_different")),
    "futoshiki, signs without a rule": ("futoshiki-4", lose_constraint("implies")),
    "calcudoku, numbers twice": ("calcudoku-4", lose_constraint("all_different")),
    "calcudoku, results without a rule": ("calcudoku-5", lose_constraint("implies")),
    "killer sudoku, digits twice": ("killer-sudoku-4", lose_constraint("all_different")),
    "killer sudoku, sums without a rule": ("killer-sudoku-4", lose_constraint("total")),
    "galaxies, cut off": ("galaxies-5", never_connect),
    "galaxies, no half turns": ("galaxies-5", return_first("galaxies", "turn")),
    "galaxies, cells in no galaxy": ("galaxies-5", lose_constraint("exactly_one")),
    "hashi, cut off": ("hashi-5", never_connect),
    "hashi, bridges that cross": ("hashi-8", lose_constraint("at_most_one")),
    "hashi, numbers without a rule": ("hashi-5", lose_constraint("exactly")),
    "numberlink, closed lines": ("numberlink-5", lose_constraint("acyclic")),
    "numberlink, cells left out": ("numberlink-5", lose_constraint("exactly")),
    "numberlink, lines that end anywhere": ("numberlink-8", lose_constraint("implies")),
    "numberlink, numbers that differ": ("numberlink-8", lose_constraint("clause")),
    "magnets, half a magnet": ("magnets-4", lose_constraint("implies")),
    "magnets, equal poles side by side": ("magnets-4", lose_constraint("at_most_one")),
    "norinori, three in a row": ("norinori-4", lose_constraint("clause")),
    "norinori, alone": ("norinori-4", lose_constraint("implies")),
    "norinori, any number in a room": ("norinori-4", lose_constraint("exactly")),
    "lits, cut off": ("lits-4", never_connect),
    "lits, no blocks": ("lits-4", lose_all_blocks),
    "lits, equal pieces that touch": ("lits-4", lose_method("lits", "Lits", "part_pieces")),
    "suguru, numbers twice": ("suguru-4", lose_constraint("all_different")),
    "suguru, numbers that touch": ("suguru-4", lose_all_around),
    "ripple effect, numbers twice": ("ripple-effect-4", lose_constraint("all_different")),
    "ripple effect, too near": ("ripple-effect-4", lose_constraint("clause")),
    "hidato, numbers twice": ("hidato-3", lose_constraint("exactly_one")),
    "hidato, a cell around a number left out": ("hidato-3", lose_around),
    "straights, numbers twice": ("straights-4", lose_constraint("all_different")),
    "straights, gaps": ("straights-4", lose_constraint("clause")),
    "aquarium, several levels": ("aquarium-4", lose_constraint("implies")),
    "tents, tents that touch": ("tents-4", lose_all_blocks),
    "tents, a cell beside a tree left out": ("tents-4", lose_neighbours),
    "tents, trees without a tent": ("tents-4", lose_constraint("exactly_one")),
}


@pytest.mark.parametrize("error", ERRORS)
def test_an_error_in_the_rules_is_noticed(error: str, monkeypatch: pytest.MonkeyPatch) -> None:
    instance, plant = ERRORS[error]
    plant(monkeypatch)
    with pytest.raises(AssertionError, match=instance):
        check_family(instance)


CLUES = {
    "akari": "akari-6",
    "aquarium": "aquarium-6",
    "calcudoku": "calcudoku-5",
    "galaxies": "galaxies-5",
    "hashi": "hashi-5",
    "heyawake": "heyawake-5",
    "kakuro": "kakuro-5",
    "killer_sudoku": "killer-sudoku-4",
    "kuromasu": "kuromasu-5",
    "magnets": "magnets-4",
    "masyu": "masyu-5",
    "minesweeper": "minesweeper-7",
    "mosaic": "mosaic-7",
    "nonogram": "nonogram-heart",
    "numberlink": "numberlink-8",
    "nurikabe": "nurikabe-5",
    "shikaku": "shikaku-7",
    "skyscrapers": "skyscrapers-5",
    "slant": "slant-5",
    "slitherlink": "slitherlink-4",
    "tents": "tents-7",
    "yajilin": "yajilin-5",
    "yin_yang": "yin-yang-6",
}


@pytest.mark.parametrize("module", CLUES)
def test_an_error_in_the_clues_is_noticed(module: str, monkeypatch: pytest.MonkeyPatch) -> None:
    place = import_module(f"jigsat.encodings.{module}")
    clues_of = place.clues_of

    def wrong(*given: Any) -> Mapping[Any, Any]:
        return {place: spoil(value) for place, value in clues_of(*given).items()}

    monkeypatch.setattr(place, "clues_of", wrong)
    with pytest.raises(AssertionError, match=CLUES[module]):
        check_family(CLUES[module])


def spoil(value: Any) -> Any:
    """Another number, list or sign."""
    return value + 1 if isinstance(value, int) else value * 2
