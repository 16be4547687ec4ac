"""What is seen at once while one plays, and what stays in its place."""

from __future__ import annotations

from typing import Any

import pytest
from support.games import Game
from support.pages import Open, loaded, solved, turn_to, until, write

from jigsat.instance import load

PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}

SIZES = [(1280, 800), (390, 844), (844, 390), (768, 1024), (640, 400)]

OVERPRINTED = """() => {
    const boxes = (selector) => [...document.querySelectorAll(selector)].map((each) => each.getBoundingClientRect());
    const meet = (one, other) => one.left < other.right && other.left < one.right
        && one.top < other.bottom - 1 && other.top < one.bottom - 1;
    const clues = boxes("#board svg > text:not(.ruler)");
    return boxes("#board .news > *").filter((mark) => clues.some((clue) => meet(mark, clue))).length;
}"""
"""How many marks of a step are printed over clues."""


def _tops(page: Any, *selectors: str) -> list[float]:
    return [page.locator(each).bounding_box()["y"] for each in selectors]


def _hold(page: Any) -> None:
    """Let a server answer nothing any more."""
    page.route("**/api", lambda route: None)


@pytest.mark.parametrize("address", ["server"], indirect=True)
def test_a_turn_and_a_check_are_seen_before_the_engine_answers(open_page: Open) -> None:
    game = Game(page := open_page("#puzzle=cats"), load("cats"))
    page.wait_for_selector("#tray [data-piece='9'] svg")
    until(page, "document.querySelectorAll('#tray svg').length === 9")
    _hold(page)
    page.click("#tray [data-piece='4']")
    page.click("#turn")
    assert page.locator("#tray [data-piece='4'] g[transform*='rotate(90)']").count() == 1
    page.mouse.click(*game.hand.middle("#board [data-place='[0,0]']"))
    assert page.locator("#board .sketch g[transform*='rotate(90)']").count() == 1
    page.click("#turn")
    assert page.locator("#board .sketch g[transform*='rotate(180)']").count() == 1
    page.click("#check")
    assert page.inner_text("#said") in ("Checking …", "No rule is broken so far.", "")


@pytest.mark.parametrize("options", [{}, PHONE])
def test_nothing_moves_when_messages_come_and_go(
    open_page: Open, options: dict[str, object]
) -> None:
    page = open_page("#puzzle=killer-sudoku-6", **options)
    page.wait_for_selector("#panel-play:not([data-idle])")
    buttons = ("#put-back", ".switch", "#tray", "#check", "#next-step")
    page.click("#next-step")
    page.wait_for_selector("#which-rules")
    page.click("#which-rules")
    page.click("#conclusion")
    page.wait_for_selector("#make")
    full = _tops(page, *buttons)
    page.click("#make")
    page.wait_for_selector("#which-rules, #make")
    assert _tops(page, *buttons) == full
    page.click("#board [data-place='[0,0]']")
    page.keyboard.press("4")
    until(page, "!document.querySelector('#answers button')")
    assert _tops(page, *buttons) == full
    page.click("#check")
    assert _tops(page, *buttons) == full


def test_a_step_is_not_printed_over_a_clue(open_page: Open) -> None:
    page = open_page("#puzzle=killer-sudoku-6")
    page.wait_for_selector("#panel-play:not([data-idle])")
    for more in "#which-rules", "#conclusion", "#make":
        page.click("#next-step")
        page.wait_for_selector(more)
    page.wait_for_selector("#board .news.gone text")
    assert page.evaluate(OVERPRINTED) == 0


def test_a_check_marks_the_cage_that_is_wrong(open_page: Open) -> None:
    page = open_page("#puzzle=killer-sudoku-4")
    page.wait_for_selector("#panel-play:not([data-idle])")
    for place, digit in (("[0,0]", "4"), ("[1,0]", "3")):  # their sum should be 5
        page.click(f"#board [data-place='{place}']")
        page.keyboard.press(digit)
    page.click("#check")
    page.wait_for_selector("#board .conflict")
    assert page.locator("#board .area").count() == 2
    assert "cage" in page.inner_text("#said").lower()


WITHOUT_3D = """
    const old = HTMLCanvasElement.prototype.getContext;
    HTMLCanvasElement.prototype.getContext = function (kind, ...more) {
        return kind.startsWith("webgl") ? null : old.call(this, kind, ...more);
    };
"""


def test_a_solid_is_put_together_in_flat_pictures_without_3d(open_page: Open) -> None:
    page = open_page()
    page.wait_for_selector("[data-name=cube]")
    page.add_init_script(WITHOUT_3D)
    page.goto(f"{page.url.split('#')[0]}?flat#puzzle=cube&tab=solve")
    loaded(page)
    page.click("#options summary")
    page.fill("#limit", "1")
    solved(page)
    page.wait_for_selector("#solid:enabled:text-is('Show me how')")
    page.click("#solid")  # which begins at once
    for step in range(1, 7):
        until(page, f"document.querySelector('#how').textContent.startsWith('Step {step} of 6: ')")
        page.wait_for_selector(".flat svg")
        page.click("#how-next")
    assert page.inner_text("#how") == "All pieces are in place."


def test_a_solved_seating_shows_one_count_and_the_wishes(open_page: Open) -> None:
    page = open_page("#puzzle=dinner&tab=solve", **PHONE)
    loaded(page)
    assert solved(page).startswith("4,320 solutions, 270 truly different ")
    assert page.inner_text("#caption") == "Solution 1 of 270"
    assert not page.locator(".heading .known:visible").count()
    wishes = page.locator(".facts li").first.bounding_box()
    assert wishes["y"] < page.locator(".small button").first.bounding_box()["y"]


def test_a_seating_with_wishes_is_solved_by_the_best_ones(open_page: Open) -> None:
    page = open_page("#puzzle=dinner&tab=edit")
    loaded(page)
    write(
        page,
        """family = "seating"
tables = "round 5"
guests = ["Ann", "Bob", "Cy", "Dee", "Eve"]
wishes = [
    { beside = ["Ann", "Bob"] },
    { apart = ["Ann", "Bob"] },
    { beside = ["Cy", "Dee"] },
    { apart = ["Bob", "Cy"] },
]""",
    )
    turn_to(page, "solve")
    words = solved(page)
    assert words.startswith("40 best solutions, 4 truly different in each, 1 of 4 wishes is broken")
    assert "Proved: none is better, and no other is as good." in words
    page.click("#others")
    until(page, "document.querySelector('#count').textContent.startsWith('120 solutions, 12 ')")
    page.wait_for_selector("#verdict p")
    assert page.locator("#others").count() == 0


def test_new_ones_are_made_of_the_kind_that_was_chosen(open_page: Open) -> None:
    page = open_page()
    page.click("#featured li:has([href='#puzzle=cube']) .more")
    page.wait_for_selector("#generate")
    assert page.inner_text("h1") == "Foam with teeth"
    assert page.inner_text("#panel-make h2 >> nth=0") == "Generate"
    page.reload()
    page.wait_for_selector("#generate")
    assert page.inner_text("h1") == "Foam with teeth"
    turn_to(page, "play")
    until(page, "document.querySelector('h1').textContent === 'The little blue cube'")


@pytest.mark.parametrize("name", ["killer-sudoku-6", "cats"])
def test_keys_and_pieces_stay_in_place_whatever_is_told(open_page: Open, name: str) -> None:
    page = open_page(f"#puzzle={name}", reduced_motion="reduce")
    page.wait_for_selector("#panel-play:not([data-idle])")
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        page.wait_for_timeout(300)  # the pieces get their sizes
        page.click("#check")
        page.wait_for_selector("#advice :text('Nothing is placed yet')")
        first = _tops(page, "#tray", "#check")
        for more in ("#which-rules", "#conclusion", "#make"):
            page.click("#next-step")
            page.wait_for_selector(f"{more}, #make")
            assert _tops(page, "#tray", "#check") == first, (width, height, more)
            if page.locator("#make").count():
                break


def test_a_hint_marks_first_what_its_sentence_names(open_page: Open) -> None:
    page = open_page("#puzzle=slitherlink-4")
    page.wait_for_selector("#panel-play:not([data-idle])")
    page.click("#next-step")
    page.wait_for_selector("#which-rules")
    assert page.inner_text("#advice") == "Look at the right of r2c3."
    assert page.locator("#board .area").count() == 1
    page.click("#which-rules")
    page.click("#conclusion")
    page.wait_for_selector("#make")
    assert page.locator("#board .area").count() == 5  # with the sides of the number


@pytest.mark.parametrize("name", ["dinner", "killer-sudoku-6"])
def test_a_long_title_is_read_on_a_phone(open_page: Open, name: str) -> None:
    page = open_page(f"#puzzle={name}", **PHONE)
    loaded(page)
    sizes = "[title.scrollWidth - title.clientWidth, title.scrollHeight - title.clientHeight]"
    cut = page.evaluate(f"((title) => {sizes})(document.querySelector('h1'))")
    assert max(cut) <= 1
    assert page.locator(".heading").bounding_box()["height"] <= 56


def test_what_stands_below_new_puzzles_and_results_stays_in_place(open_page: Open) -> None:
    page = open_page()
    page.click("#featured li:has([href='#puzzle=cats']) .more")
    page.wait_for_selector("#generate")
    below = page.locator("#panel-make h2:text('Print and download')")
    before = below.bounding_box()
    page.fill("#number", "1")
    page.click("#generate")
    until(page, "document.querySelector('#making').textContent === '1 made.'")
    page.evaluate("document.querySelector('.panels').scrollTop = 0")
    assert below.bounding_box() == before
    for options in ({}, PHONE):
        page = open_page("#puzzle=sudoku-6x6&tab=solve", **options)
        page.wait_for_selector("#solve:enabled")
        loaded(page)
        before = _tops(page, "#count", "#options")
        page.click("#solve")
        page.wait_for_selector("#verdict .seal")
        assert _tops(page, "#count", "#options") == pytest.approx(before, abs=2)
