"""Puzzles of one's own: entered on an empty page by the hand on the picture and the tray, solved,
and played to the end."""

from __future__ import annotations

import json
import tomllib
from typing import Any

import pytest
from support.games import Finger, Game, Mouse
from support.pages import READ, Open, loaded, solved, until

import jigsat
from jigsat.instance import load, parse
from jigsat.puzzle import Puzzle

PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}


class Maker:
    """Someone with a puzzle on the table and an empty page."""

    def __init__(self, page: Any, hand: Mouse) -> None:
        self.page, self.hand = page, hand

    def begin(self, family: str, **answers: str) -> None:
        """Choose the family and answer its questions."""
        self.hand.tap(".button[href='#new']")
        self.page.wait_for_selector(f"[data-family={family}]")
        self.hand.tap(f"[data-family={family}]")
        self.page.wait_for_selector("#start")
        for name, answer in answers.items():
            entry = self.page.locator(f"#new-{name}")
            entry.select_option(answer) if entry.evaluate(
                "each => each.localName"
            ) == "select" else entry.fill(answer)
        self.hand.tap("#start")
        loaded(self.page)
        self.page.wait_for_selector(".direct > *")

    def choose(self, brush: str) -> None:
        """Take a brush of the tray."""
        self.hand.tap(f".swatch:has([value={json.dumps(brush)}])")

    def tap(self, label: str) -> None:
        """Press on what has this label."""
        self.hand.tap(f"[aria-label^={json.dumps(label)}]")

    def tiles(self, puzzle: Any) -> None:
        """Paint the sides of the tiles, label by label."""
        for label in puzzle.partners:
            self.choose(label)
            for name, tile in puzzle.tiles.items():
                for side, its in enumerate(tile.sides, 1):
                    if its == label:
                        self.tap(f"tile {name}, side {side}:")

    def solve(self, count: int) -> Puzzle:
        """Solve what was entered, and compare the number of solutions. Returns the puzzle."""
        self.page.wait_for_selector(READ)  # when it was read
        self.hand.tap("#edited")
        assert solved(self.page).startswith(f"{count:,} solution")
        data = tomllib.loads(self.page.input_value("#toml"))
        return parse(data, name="mine", origin="mine.toml")

    def play(self, puzzle: Puzzle, count: int) -> None:
        """Play it to the end."""
        self.hand.tap("#menu-opener")
        self.hand.tap("#tab-play")
        game = Game(self.page, puzzle, self.hand)
        self.page.wait_for_selector("#tray button :is(svg, span)")
        game.play()
        game.ended(
            "Solved! It is the only solution."
            if count == 1
            else f"Solved! This is one of {count:,} solutions."
        )


@pytest.mark.slow
def test_nine_tiles_with_pairs(open_page: Open) -> None:
    _enter_the_cats(open_page(), Mouse)


@pytest.mark.slow
def test_nine_tiles_with_pairs_by_touch_on_a_phone(open_page: Open) -> None:
    _enter_the_cats(open_page(**PHONE), Finger)


def _enter_the_cats(page: Any, kind: type[Mouse]) -> None:
    cats: Any = load("cats")
    maker = Maker(page, kind(page))
    maker.begin("edge-matching", figures="cheetah, lion, panther, tiger")
    maker.tiles(cats)
    mine: Any = maker.solve(4)
    assert (mine.tiles, mine.partners) == (cats.tiles, cats.partners)
    maker.play(mine, 4)


def test_four_tiles_by_touch_on_a_phone(open_page: Open) -> None:
    tiles = {"1": ["red", "red", "blue", "gold"], "2": ["gold", "gold", "blue", "red"]}
    mine: Any = parse(
        {"family": "edge-matching", "board": "square 1x2", "tiles": tiles},
        name="mine",
        origin="mine.toml",
    )
    page = open_page(**PHONE)
    maker = Maker(page, Finger(page))
    maker.begin("edge-matching", rows="1", columns="2", figures="red, blue, gold", cut="equal")
    assert page.inner_text("#missing") == "Not complete yet: 8 sides have no label yet"
    assert page.is_disabled("#edited")
    maker.tiles(mine)
    count = jigsat.count(mine).solutions
    assert count > 1
    entered: Any = maker.solve(count)
    assert entered.tiles == mine.tiles
    maker.play(entered, count)


@pytest.mark.slow
def test_nine_tiles_by_keys_alone(open_page: Open) -> None:
    page, cats = open_page(), load("cats")
    page.wait_for_selector(".button[href='#new']")

    def tab_to(selector: str) -> None:
        for _ in range(80):
            if page.evaluate(f"document.activeElement.matches({json.dumps(selector)})"):
                return
            page.keyboard.press("Tab")
        raise AssertionError(selector)

    tab_to(".button[href='#new']")
    page.keyboard.press("Enter")
    page.wait_for_selector("[data-family=edge-matching]")
    tab_to("[data-family=edge-matching]")
    page.keyboard.press("Enter")
    page.wait_for_selector("#start")
    tab_to("#new-figures")
    page.keyboard.press("Control+a")
    page.keyboard.type("cheetah, lion, panther, tiger")
    page.keyboard.press("Enter")
    page.wait_for_selector(".tile")
    tab_to(".tile [role=button]")
    labels = list(cats.partners)  # type: ignore[attr-defined]
    for tile in cats.tiles.values():  # type: ignore[attr-defined]
        for label in tile.sides:
            page.keyboard.press(str(labels.index(label) + 1))
    page.wait_for_selector(READ)
    tab_to("#edited")
    page.keyboard.press("Enter")
    until(page, "document.querySelector('#count').textContent.startsWith('4 solutions')")
    until(page, "document.activeElement.id === 'solve'")
    for button in ("#menu-opener", "#tab-play"):
        tab_to(button)
        page.keyboard.press("Enter")
    game = Game(
        page, parse(tomllib.loads(page.input_value("#toml")), name="mine", origin="mine.toml")
    )
    page.wait_for_selector("#tray [data-piece='9'] svg")
    for number in game.solution:
        (row, column), piece, _ = game.candidates[number].placement  # type: ignore[misc]
        tab_to(f"#tray [data-piece='{piece}']")
        page.keyboard.press("Enter")
        for key in ["ArrowUp", "ArrowLeft"] * 2 + ["ArrowDown"] * row + ["ArrowRight"] * column:
            page.keyboard.press(key)
        game.move(lambda: page.keyboard.press("Enter"))
        for _ in range(4):
            if number in game.played():
                break
            game.move(lambda: page.keyboard.press("r"))
        page.keyboard.press("Tab")
    game.ended("Solved! This is one of 4 solutions.")


@pytest.mark.slow
def test_a_foam_cube(open_page: Open) -> None:
    cube: Any = load("cube")
    page = open_page()
    maker = Maker(page, Mouse(page))
    maker.begin("interlocking", board="cube", units="6")
    for name, piece in cube.pieces.items():
        rows = piece.model_dump()
        for r, row in enumerate(rows.splitlines()):
            for c, character in enumerate(row):
                if character == "#":
                    maker.hand.tap(f"[aria-label='Piece {name}'] [data-at='{r},{c}']")
    mine: Any = maker.solve(96)
    assert mine.pieces == cube.pieces
    maker.play(mine, 96)


def test_polyominoes_on_a_board_with_a_hole(open_page: Open) -> None:
    pieces = {"A": [(0, 0), (0, 1), (0, 2)], "B": [(0, 0), (0, 1), (1, 0)], "C": [(0, 0), (0, 1)]}
    page = open_page()
    maker = Maker(page, Mouse(page))
    maker.begin("tiling", rows="3", columns="3", title="A ring")
    maker.tap("row 2, column 2:")  # of the board, which is drawn first
    for name, cells in pieces.items():
        if name != "A":
            maker.hand.tap(".pieces .add")
        page.wait_for_selector(f"[aria-label='Piece {name}']")
        for r, c in cells:
            cell = f"[aria-label='Piece {name}'] [data-at='{r},{c}']"
            if page.get_attribute(cell, "data-character") == ".":
                maker.hand.tap(cell)
    drawn = {
        name: "\n".join("".join(".#"[(r, c) in cells] for c in range(3)) for r in range(2))
        for name, cells in pieces.items()
    }
    expected = parse(
        {"family": "tiling", "board": "###\n#.#\n###", "pieces": drawn},
        name="mine",
        origin="mine.toml",
    )
    count = jigsat.count(expected).solutions
    assert count > 1
    mine = maker.solve(count)
    assert mine.title == "A ring"
    maker.play(mine, count)


@pytest.mark.slow
def test_a_sudoku_from_a_newspaper(open_page: Open) -> None:
    paper: Any = load("sudoku-hard")
    page = open_page()
    maker = Maker(page, Mouse(page))
    maker.begin("sudoku")
    for digit in "123456789":
        maker.choose(digit)
        for r, row in enumerate(paper.grid, 1):
            for c, given in enumerate(row, 1):
                if given == digit:
                    maker.tap(f"row {r}, column {c}")
    mine: Any = maker.solve(1)
    assert mine.grid == paper.grid
    maker.play(mine, 1)


def test_guests_of_the_same_name_are_told_before_one_gets_lost(open_page: Open) -> None:
    page = open_page("#new=seating")
    page.fill("#new-guests", "Ann, Bob, Ann")
    page.click("#start")
    problem = page.wait_for_selector(".problem:not(:empty)")
    assert problem.inner_text().startswith("Ann is listed twice")
    page.fill("#new-guests", "Ann, Bob, Ann B")
    page.click("#start")
    page.wait_for_selector("[data-guest='Ann B']")


@pytest.mark.slow
def test_a_seating(open_page: Open) -> None:
    rules = [("beside", "Ann", "Cy"), ("apart", "Bob", "Dee"), ("across", "Ann", "Dee")]
    must = [{kind: [one, other]} for kind, one, other in rules]
    data = {
        "family": "seating",
        "tables": "round 6",
        "guests": ["Ann", "Bob", "Cy", "Dee", "Eve", "Fay"],
        "must": must,
    }
    expected: Any = parse(data, name="mine", origin="mine.toml")
    page = open_page()
    maker = Maker(page, Mouse(page))
    maker.begin("seating", guests=", ".join(expected.guests))
    for i, (kind, *guests) in enumerate(rules, 1):
        maker.choose(kind)
        for guest in guests:
            maker.hand.tap(f"[data-guest={guest}]")
        until(page, f"document.querySelectorAll('.rules li').length === {i}")
    count = jigsat.count(expected).solutions
    assert count > 1
    mine: Any = maker.solve(count)
    assert mine.must == expected.must
    maker.play(mine, count)


@pytest.mark.slow
def test_a_small_crossword(open_page: Open) -> None:
    page = open_page()
    maker = Maker(page, Mouse(page))
    maker.begin("crossword", rows="3", columns="3", words="at met no am ten to cat")
    maker.choose("#")
    maker.tap("row 1, column 3")
    maker.tap("row 3, column 1")
    mine: Any = maker.solve(2)
    assert mine.grid == ("..#", "...", "#..")
    maker.play(mine, 2)
