"""Playing puzzles on the page, by mouse, finger and keys, each to its end."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from support.pages import Open, until, write

import jigsat
from jigsat.analysis.playing import Candidate, Playing
from jigsat.instance import load

Point = tuple[float, float]
Drag = Callable[[Point, Point], None]


class Game:
    """A puzzle on the page, and one of its solutions."""

    def __init__(self, page: Any, name: str) -> None:
        puzzle = load(name)
        self.page = page
        self.candidates = list(Playing(puzzle, puzzle.encode()).candidates.values())
        solution = set(next(iter(jigsat.solutions(puzzle, limit=1))).placements)
        self.solution = [i for i, each in enumerate(self.candidates) if each.placement in solution]
        page.wait_for_selector("#board [data-place]")
        until(page, "!document.querySelector('#check').disabled")

    def piece(self, candidate: Candidate) -> str:
        return f"#tray [data-piece={json.dumps(candidate.piece)}]"

    def box(self, selectors: list[str]) -> list[float]:
        """Left, right, top and bottom of the first elements of these names; at once, because a picture may be replaced."""
        script = """selectors => {
            const boxes = selectors.map(selector => document.querySelector(selector).getBoundingClientRect());
            const reach = (side, i) => Math[i % 2 ? "max" : "min"](...boxes.map(box => box[side]));
            return ["left", "right", "top", "bottom"].map(reach);
        }"""
        sides: list[float] = self.page.evaluate(script, selectors)
        return sides

    def middle(self, *selectors: str) -> Point:
        left, right, top, bottom = self.box(list(selectors))
        return (left + right) / 2, (top + bottom) / 2

    def places(self, candidate: Candidate) -> list[str]:
        names = (json.dumps(place, separators=(",", ":")) for place in candidate.places)
        return [f"#board [data-place={json.dumps(name)}]" for name in names]

    def drag(self, start: Point, end: Point) -> None:
        self.page.mouse.move(*start)
        self.page.mouse.down()
        self.page.mouse.move(start[0] - 10, start[1] - 10, steps=2)
        self.page.mouse.move(*end, steps=3)
        self.page.mouse.up()

    def played(self) -> set[int]:
        code = self.page.evaluate("new URLSearchParams(location.hash.slice(1)).get('played') ?? ''")
        return {int(number, 36) for number in code.split(".") if number}

    def placed(self, number: int) -> None:
        self.settled()
        assert number in self.played()

    def settled(self) -> None:
        self.page.wait_for_timeout(60)  # the address follows at once, but not in the same task

    def ended(self, words: str) -> None:
        until(self.page, "document.querySelector('#board').hasAttribute('data-solved')")
        assert self.page.inner_text("#said") == words


def _shape(candidate: Candidate) -> list[tuple[int, ...]]:
    top, left = (min(cell[axis] for cell in candidate.places) for axis in (0, 1))  # type: ignore[index]
    return sorted((cell[0] - top, cell[1] - left) for cell in candidate.places)  # type: ignore[index]


def _turns(game: Game, number: int) -> Iterator[None]:
    """Tap a piece until it lies as it should."""
    for _ in range(4):
        game.settled()
        if number in game.played():
            return
        yield
    raise AssertionError(f"it cannot be turned to {game.candidates[number]}")


def test_tiles_are_dragged_and_turned_to_the_end(open_page: Open) -> None:
    game = Game(page := open_page("#puzzle=cats"), "cats")
    page.wait_for_selector("#tray [data-piece='9'] svg")
    for number in game.solution:
        candidate = game.candidates[number]
        (place,) = game.places(candidate)
        game.drag(game.middle(game.piece(candidate)), game.middle(place))
        for _ in _turns(game, number):
            page.mouse.click(*game.middle(place))
    game.ended("Solved! This is one of 4 solutions.")
    assert page.locator("#tray button:visible").count() == 0
    page.reload()
    game.ended("Solved! This is one of 4 solutions.")
    page.click("#tab-solve")
    page.goto(page.url.split("#")[0] + "#puzzle=cats")  # kept in the browser
    game.ended("Solved! This is one of 4 solutions.")
    page.click("#play-again")
    until(page, "document.querySelectorAll('#tray button:not([hidden])').length === 9")
    page.click("#play-undo")
    game.ended("Solved! This is one of 4 solutions.")


def test_what_is_wrong_is_marked_and_a_piece_is_dragged_off_the_board(open_page: Open) -> None:
    game = Game(page := open_page("#puzzle=cats"), "cats")
    page.wait_for_selector("#tray [data-piece='2'] svg")
    for piece, place in ("1", "[1,1]"), ("2", "[0,1]"):
        page.click(f"#tray [data-piece='{piece}']")
        page.mouse.click(*game.middle(f"#board [data-place='{place}']"))
    until(page, "document.querySelectorAll('#tray button:not([hidden])').length === 7")
    page.keyboard.press("r")
    page.click("#check")
    until(page, "document.querySelector('#said').textContent === 'Not so where marked: “an edge has one label”.'")
    assert page.locator("#board polygon[stroke='#e3001b']").count() == 2
    game.drag(game.middle("#board [data-place='[0,1]']"), (5, 5))
    until(page, "document.querySelectorAll('#tray button:not([hidden])').length === 8")
    page.click("#check")
    until(page, "document.querySelector('#said').textContent === 'Nothing is wrong so far.'")


def test_an_edited_puzzle_is_played_afresh_and_a_wrong_one_not_at_all(open_page: Open) -> None:
    game = Game(page := open_page("#puzzle=push-pull"), "push-pull")
    page.mouse.click(*game.middle("#board [data-place='[0,0]']"))
    game.placed(0)
    page.click("#tab-edit")
    write(page, "family = 'lights-out'\nboard = 'square 2x2'\nlit = 'none'")
    page.wait_for_selector("#toml-problem:visible")
    page.click("#tab-play")
    assert page.inner_text("#said").startswith("Mend the puzzle first, under Edit: ")
    page.click("#tab-edit")
    write(page, "family = 'lights-out'\nboard = 'square 1x2'\nlit = 'all'")
    page.wait_for_selector("#toml-problem", state="hidden")
    page.click("#tab-play")
    until(page, "document.querySelectorAll('#board .place').length === 2")
    assert game.played() == set()
    page.mouse.click(*game.middle("#board [data-place='[0,1]']"))
    game.ended("Solved!")


@pytest.mark.slow
def test_a_foam_cube_is_played_on_its_net(open_page: Open) -> None:
    game = Game(page := open_page("#puzzle=cube"), "cube")
    page.wait_for_selector("#tray [data-piece='F'] svg")
    for number in game.solution:
        candidate = game.candidates[number]
        (place,) = game.places(candidate)
        game.drag(game.middle(game.piece(candidate)), game.middle(place))
        if candidate.placement.flipped:  # type: ignore[attr-defined]
            page.keyboard.press("f")
        for _ in _turns(game, number):
            page.mouse.click(*game.middle(place))
    game.ended("Solved! This is one of 96 solutions.")


@pytest.mark.slow
def test_pentominoes_are_turned_in_the_tray_and_dragged(open_page: Open) -> None:
    game = Game(page := open_page("#puzzle=pentominoes-6x10"), "pentominoes-6x10")
    page.wait_for_selector("#tray [data-piece='Z'] svg")
    for number in game.solution:
        candidate = game.candidates[number]
        page.click(piece := game.piece(candidate))
        for turn in range(8):
            shown = game.candidates[int(page.get_attribute(piece, "data-shown"))]
            if _shape(shown) == _shape(candidate):
                break
            page.click("#flip" if turn == 3 else "#turn")
        game.drag(game.middle(piece), game.middle(*game.places(candidate)))
        game.placed(number)
    game.ended("Solved! This is one of 9,356 solutions.")


def test_a_sudoku_and_a_tile_are_played_by_keys_alone(open_page: Open) -> None:
    game = Game(page := open_page("#puzzle=sudoku-6x6"), "sudoku-6x6")

    def tab_to(selector: str) -> None:
        until_focused = f"document.activeElement.matches({json.dumps(selector)})"
        for _ in range(40):
            if page.evaluate(until_focused):
                return
            page.keyboard.press("Tab")
        raise AssertionError(selector)

    tab_to("#board")
    grid = {game.candidates[number].places[0]: game.candidates[number].piece for number in game.solution}
    size = max(row for row, _ in grid) + 1  # type: ignore[misc]
    for key in ["ArrowUp", "ArrowLeft"] * size:
        page.keyboard.press(key)
    for row in range(size):
        for column in range(size):
            page.keyboard.press(grid[row, column if row % 2 == 0 else size - 1 - column])
            page.keyboard.press("ArrowLeft" if row % 2 else "ArrowRight")
        page.keyboard.press("ArrowDown")
    game.ended("Solved! It is the only solution.")
    page = open_page("#puzzle=cats")
    game = Game(page, "cats")
    page.wait_for_selector("#tray [data-piece='9'] svg")
    tab_to("#tray [data-piece='3']")
    for key in ("Enter", "ArrowRight", "ArrowDown", "r", "Enter"):
        page.keyboard.press(key)
    game.settled()
    (number,) = game.played()
    assert game.candidates[number].placement == ((1, 1), "3", 1)
    page.keyboard.press("Delete")
    game.settled()
    assert game.played() == set()


def test_tiles_are_dragged_by_a_finger_on_a_phone(open_page: Open) -> None:
    page = open_page("#puzzle=cats", viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    game = Game(page, "cats")
    page.wait_for_selector("#tray [data-piece='9'] svg")
    touch = page.context.new_cdp_session(page)

    def drag(start: Point, end: Point) -> None:
        def send(kind: str, *points: Point) -> None:
            touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [{"x": x, "y": y} for x, y in points]})

        send("touchStart", start)
        for i in range(1, 6):
            send("touchMove", (start[0] + (end[0] - start[0]) * i / 5, start[1] + (end[1] - start[1]) * i / 5))
        send("touchEnd")

    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    for number in game.solution:
        candidate = game.candidates[number]
        (place,) = game.places(candidate)
        page.locator(game.piece(candidate)).scroll_into_view_if_needed()
        drag(game.middle(game.piece(candidate)), game.middle(place))
        for _ in _turns(game, number):
            page.touchscreen.tap(*game.middle(place))
    game.ended("Solved! This is one of 4 solutions.")
