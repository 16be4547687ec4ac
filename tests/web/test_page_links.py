"""Links of puzz.link that are pasted above the puzzles: a right one becomes a board, with its one
solution and its next step; a wrong one is refused in a line."""

from __future__ import annotations

from typing import Any

import pytest
from support.games import Finger, Game, Mouse
from support.pages import Open, loaded, solved, turn_to, until

import jigsat

LINK = "https://puzz.link/p?slither/5/5/cbcbcddad"

CLIPBOARD = {"permissions": ["clipboard-read", "clipboard-write"]}
DESKTOP = {"viewport": {"width": 1200, "height": 800}}
PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}


def paste(page: Any, text: str) -> None:
    """Replace what is in the field by what is copied somewhere."""
    page.wait_for_selector("#paste-link")
    page.evaluate("text => navigator.clipboard.writeText(text)", text)
    page.click("#paste-link")
    page.keyboard.press("Control+A")
    page.keyboard.press("Control+V")


@pytest.mark.parametrize(
    ("device", "hand"), [(DESKTOP, Mouse), (PHONE, Finger)], ids=["desktop", "phone"]
)
def test_a_link_becomes_a_board_with_its_solution_and_next_step(
    device: dict[str, Any], hand: type[Mouse], open_page: Open
) -> None:
    page = open_page(**device, **CLIPBOARD)
    paste(page, f"  {LINK} ")
    loaded(page)
    game = Game(page, jigsat.load(LINK), hand(page))
    assert not game.played()

    turn_to(page, "solve")
    assert solved(page).startswith("1 solution")

    turn_to(page, "play")
    page.click("#next-step")
    page.click("#which-rules")
    page.click("#conclusion")
    page.wait_for_selector("#board .news line.ink", state="attached")  # a line has no width
    assert not page.locator("#board .news text").count(), "a line is drawn, not named"
    page.click("#make")
    until(page, "document.querySelector('#advice').textContent === ''")
    assert page.evaluate("document.documentElement.scrollWidth") <= device["viewport"]["width"]


@pytest.mark.parametrize(
    ("link", "message"),
    [
        ("https://puzz.link/p?slither/5/5/cbcbcddad!", "character 42 is '!'; expected the end"),
        ("https://puzz.link/p?slithr/5/5/cbcb", "unknown type 'slithr'; did you mean 'slither'?"),
        ("https://sudokupad.app/abc", "one of SudokuPad, which is not read"),
    ],
)
def test_a_wrong_link_is_refused_in_a_line(link: str, message: str, open_page: Open) -> None:
    page = open_page(**CLIPBOARD)
    paste(page, link)
    page.wait_for_selector(".problem:not(:empty)")
    told = page.inner_text(".below .problem")
    assert message in told and "\n" not in told
    assert page.input_value("#paste-link") == link, "it can be mended"

    paste(page, LINK)
    loaded(page)


def test_answers_to_the_questions_of_a_new_puzzle_are_there_after_back(open_page: Open) -> None:
    page = open_page("#new=hashi", **PHONE)
    page.fill("#new-rows", "7")
    page.fill("#new-title", "mine")
    page.click("#start")
    page.wait_for_selector("#edited", state="attached")
    page.go_back()
    page.wait_for_selector("#new-rows")
    assert (page.input_value("#new-rows"), page.input_value("#new-title")) == ("7", "mine")
