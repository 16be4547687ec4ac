"""Hands that touch the page, and puzzles that are played on it."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from typing import Any

from support.pages import TIMEOUT, until

import jigsat
from jigsat.puzzle import Puzzle
from jigsat.study.playing import Candidate, Playing

Point = tuple[float, float]

BOX = """selectors => {
    const boxes = selectors.map(selector => document.querySelector(selector).getBoundingClientRect());
    const reach = (side, i) => Math[i % 2 ? "max" : "min"](...boxes.map(box => box[side]));
    return ["left", "right", "top", "bottom"].map(reach);
}"""
"""Left, right, top and bottom of the first elements of these names; at once, because a picture may
be replaced."""


class Mouse:
    """A mouse on a page."""

    def __init__(self, page: Any) -> None:
        self.page = page

    def middle(self, *selectors: str) -> Point:
        """The middle of the first elements of these names."""
        left, right, top, bottom = self.page.evaluate(BOX, list(selectors))
        return (left + right) / 2, (top + bottom) / 2

    def reach(self, selector: str) -> Point:
        """The middle of an element that is scrolled to."""
        self.page.wait_for_selector(selector, state="attached")
        self.page.evaluate(
            "each => document.querySelector(each).scrollIntoView({block: 'nearest'})", selector
        )
        return self.middle(selector)

    def tap(self, selector: str) -> None:
        """Press on an element."""
        self.tap_at(self.reach(selector))

    def tap_at(self, point: Point) -> None:
        """Press on a point."""
        self.page.mouse.click(*point)

    def drag(self, start: Point, end: Point) -> None:
        """Drag what is at a point to another."""
        self.page.mouse.move(*start)
        self.page.mouse.down()
        self.page.mouse.move(start[0] - 10, start[1] - 10, steps=2)
        self.page.mouse.move(*end, steps=3)
        self.page.mouse.up()


class Finger(Mouse):
    """A finger on a phone."""

    def __init__(self, page: Any) -> None:
        super().__init__(page)
        self._touch = page.context.new_cdp_session(page)

    def tap_at(self, point: Point) -> None:
        self.page.touchscreen.tap(*point)

    def drag(self, start: Point, end: Point) -> None:
        """Move quickly from a point to another; the times are stated, because a loaded machine
        sends late."""
        now = time.time()
        self.send("touchStart", now, start)
        for i in range(1, 6):
            point = (start[0] + (end[0] - start[0]) * i / 5, start[1] + (end[1] - start[1]) * i / 5)
            self.send("touchMove", now + i / 60, point)
        self.send("touchEnd", now + 0.1)

    def send(self, kind: str, now: float, *points: Point) -> None:
        """One event of the finger, such as "touchMove", at a time in seconds."""
        touches = [{"x": x, "y": y} for x, y in points]
        self._touch.send(
            "Input.dispatchTouchEvent", {"type": kind, "timestamp": now, "touchPoints": touches}
        )


class Game:
    """A puzzle on the page, one of its solutions, and the hand that plays it."""

    def __init__(self, page: Any, puzzle: Puzzle, hand: Mouse | None = None) -> None:
        self.page, self.hand = page, hand or Mouse(page)
        self.candidates = list(Playing(puzzle).candidates.values())
        solution = set(next(iter(jigsat.solutions(puzzle, limit=1))).placements)
        given = set(puzzle.given_placements())
        self.solution = [
            i for i, each in enumerate(self.candidates) if each.placement in solution - given
        ]
        page.wait_for_selector("#board [data-place]")
        until(page, "!document.querySelector('#check').disabled")

    def piece(self, candidate: Candidate) -> str:
        """The button of a piece in the tray."""
        name = json.dumps(candidate.piece, ensure_ascii=False)
        return f"#tray [data-piece={name}]"

    def places(self, candidate: Candidate) -> list[str]:
        """The places of a candidate on the board."""
        names = (json.dumps(place, separators=(",", ":")) for place in candidate.places)
        return [f"#board [data-place={json.dumps(name)}]" for name in names]

    def play(self) -> None:
        """Lay all pieces of the solution."""
        for number in self.solution:
            self.lay(number)

    def lay(self, number: int) -> None:
        """Lay one piece by the hand alone."""
        candidate, hand = self.candidates[number], self.hand
        button, places = self.piece(candidate), self.places(candidate)
        if self.page.locator(".tray.symbols").count():
            hand.tap(places[0])
            hand.tap(button)
        elif len(places) == 1:
            start = hand.reach(button)
            self.move(lambda: hand.drag(start, hand.middle(places[0])))
            if getattr(candidate.placement, "flipped", False):
                self.move(lambda: hand.tap("#flip"))
            for _ in range(4):
                if number in self.played():
                    break
                self.move(lambda: hand.tap(places[0]))
        else:
            hand.tap(button)
            for turn in range(8):
                shown = self.candidates[int(self.page.get_attribute(button, "data-shown"))]
                if _shape(shown) == _shape(candidate):
                    break
                hand.tap("#flip" if turn == 3 else "#turn")
            start = hand.reach(button)
            hand.drag(start, hand.middle(*places))
        self.placed(number)

    def move(self, act: Callable[[], None]) -> None:
        """Do something that changes what is on the board, and wait for it."""
        before = self.played()
        act()
        for _ in range(TIMEOUT // 50):
            if self.played() != before:
                return
            self.page.wait_for_timeout(50)
        raise AssertionError("nothing was moved")

    def played(self) -> set[int]:
        """The numbers of the candidates on the board."""
        code = self.page.evaluate("new URLSearchParams(location.hash.slice(1)).get('played') ?? ''")
        return {int(number, 36) for number in code.split(".") if number}

    def placed(self, number: int) -> None:
        """Wait until a piece lies as it should."""
        for _ in range(TIMEOUT // 50):
            if number in self.played():
                return
            self.page.wait_for_timeout(50)
        raise AssertionError(f"not there: {self.candidates[number]}")

    def ended(self, words: str) -> None:
        """Wait for the end, and for the words about it."""
        until(self.page, "document.querySelector('#board')?.hasAttribute('data-solved')")
        assert self.page.inner_text("#said") == words


def _shape(candidate: Candidate) -> list[tuple[int, ...]]:
    top, left = (min(cell[axis] for cell in candidate.places) for axis in (0, 1))  # type: ignore[index]
    return sorted((cell[0] - top, cell[1] - left) for cell in candidate.places)  # type: ignore[index]
