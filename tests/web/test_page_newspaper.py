"""A reader with the puzzle of a newspaper, on a phone."""

from __future__ import annotations

import tomllib
from typing import Any

import pytest
from support.pages import Open, loaded, turn_to, until

PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}

COVERED = """() => {
    const boxes = (selector) => [...document.querySelectorAll(selector)].map((each) => each.getBoundingClientRect());
    const clues = boxes("#board svg text:not(.ruler)");
    return boxes("#board .ruler").filter((ruler) => clues.some((clue) =>
        ruler.left < clue.right && clue.left < ruler.right && ruler.top < clue.bottom && clue.top < ruler.bottom)).length;
}"""
"""How many numbers of rows and columns stand on clues."""


def test_a_kind_by_the_name_that_a_newspaper_gives_it(open_page: Open) -> None:
    page = open_page(**PHONE)
    page.wait_for_selector("[data-name=nonogram-heart]")
    page.fill("[type=search]", "hanjie")
    assert page.locator("[data-name]:visible").count() == 2

    # the word goes on to new puzzles
    page.click("text=New puzzle")
    page.wait_for_selector("#kinds [data-family]:visible")
    assert page.locator("#kinds [data-family]:visible").count() == 1


def test_a_new_puzzle_has_the_name_of_its_kind_and_its_size(open_page: Open) -> None:
    page = open_page("#new=nonogram", **PHONE)
    page.fill("#new-rows", "4")
    page.fill("#new-columns", "3")
    page.click("#start")
    page.wait_for_selector("text=+ Add a row")
    assert page.inner_text("h1") == "Nonogram 4×3"


def test_from_the_editor_to_the_one_solution_and_to_a_hint(open_page: Open) -> None:
    page = open_page("#puzzle=nonogram-heart&tab=edit", **PHONE)
    loaded(page)
    assert page.inner_text(".back span") == "Play"
    page.click("#panel-edit >> text=Unique?")
    until(page, "document.querySelector('#count').textContent === 'Exactly one solution'")

    page.click("#panel-solve >> text=Hint")
    page.wait_for_selector("#which-rules:visible")
    assert page.inner_text(".back span") == "Puzzles"
    assert page.evaluate("document.querySelectorAll('#board .ruler').length") == 10
    assert page.evaluate(COVERED) == 0


def test_the_buttons_of_play_are_seen_before_there_is_something_to_play(open_page: Open) -> None:
    page = open_page("#puzzle=nonogram-heart&tab=solve", **PHONE)
    loaded(page)
    page.route("**/api", lambda route: None)  # nothing is answered any more
    turn_to(page, "play")
    assert page.is_visible("#next-step")
    assert page.is_disabled("#next-step")


def test_an_emptied_clue_of_a_nonogram_keeps_its_column(open_page: Open) -> None:
    page = open_page("#new=nonogram", **PHONE)
    page.fill("#new-rows", "4")
    page.fill("#new-columns", "5")
    page.click("#start")
    third = "[aria-label='lengths, column 3']"
    page.tap(third)
    until(page, "getSelection().toString() === '?'")
    page.keyboard.press("Backspace")  # the ?, which the tap selected
    page.wait_for_selector("[aria-label='lengths, column 5']")
    assert page.input_value(third) == ""
    page.click("[aria-label='lengths, column 4']")
    until(page, "getSelection().toString() === '?'")
    page.keyboard.type("2 1")
    until(page, "document.querySelector('#toml').value.includes('2 1')")
    written = tomllib.loads(page.input_value("#toml"))["lengths"]
    assert written["columns"] == ["?", "?", "?", "2 1", "?"]
    assert len(written["rows"]) == 4


def test_the_pictures_of_the_gallery_are_not_waited_for_when_it_is_left(open_page: Open) -> None:
    page = open_page("#new=nonogram", **PHONE)
    if page.evaluate("document.documentElement.dataset.engine") != "server":
        pytest.skip("a static page has its pictures")
    page.wait_for_selector("#start")

    def is_cover(request: Any) -> bool:
        return '"solve"' in (request.post_data or "")

    # no cover ever comes
    page.route("**/api", lambda route: None if is_cover(route.request) else route.continue_())
    with page.expect_request(is_cover):
        page.evaluate("location.hash = ''")
    asked: list[Any] = []
    page.on("request", lambda request: asked.append(request) if is_cover(request) else None)
    with page.expect_event("requestfailed", is_cover):
        page.evaluate("location.hash = '#new=nonogram'")
    page.wait_for_selector("#start")
    assert asked == []

    with page.expect_request(is_cover):
        page.evaluate("location.hash = ''")
