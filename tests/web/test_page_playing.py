"""Playing puzzles on the page, by mouse, finger and keys, each to its end."""

from __future__ import annotations

import json
import re
from itertools import product
from typing import Any

import pytest
from support.games import Finger, Game, Mouse
from support.pages import DROP, Open, choose, linked, loaded, mark, turn_to, until, write

from jigsat.instance import load, load_text


def test_tiles_are_dragged_and_turned_to_the_end(open_page: Open) -> None:
    game = Game(page := open_page("#puzzle=cats"), load("cats"))
    page.wait_for_selector("#tray [data-piece='9'] svg")
    game.play()
    game.ended("Solved! This is one of 4 solutions.")
    assert page.locator("#tray button:visible").count() == 0
    page.reload()
    game.ended("Solved! This is one of 4 solutions.")
    turn_to(page, "solve")
    page.goto(page.url.split("#")[0] + "#puzzle=cats")  # kept in the browser
    game.ended("Solved! This is one of 4 solutions.")
    choose(page, "#play-again")
    until(page, "document.querySelectorAll('#tray button:not([hidden])').length === 9")
    page.evaluate("document.activeElement.blur()")
    page.keyboard.press("Control+z")  # wherever the focus is
    game.ended("Solved! This is one of 4 solutions.")


def test_what_is_wrong_is_marked_and_a_piece_is_dragged_off_the_board(open_page: Open) -> None:
    game = Game(page := open_page("#puzzle=cats"), load("cats"))
    page.wait_for_selector("#tray [data-piece='2'] svg")
    for piece, place in ("1", "[1,1]"), ("2", "[0,1]"):
        page.click(f"#tray [data-piece='{piece}']")
        page.mouse.click(*game.hand.middle(f"#board [data-place='{place}']"))
    until(page, "document.querySelectorAll('#tray button:not([hidden])').length === 7")
    page.keyboard.press("r")
    page.click("#check")
    until(
        page,
        "document.querySelector('#said').textContent.startsWith('Lion head meets cheetah tail')",
    )
    assert page.inner_text("#said").endswith("between the top middle and the middle.")
    assert (
        page.locator("#board .fault").count() == 1 and page.locator("#board .conflict").count() == 0
    )
    page.click("#next-step")
    until(
        page,
        "document.querySelector('#advice').textContent.startsWith('Lion head meets cheetah tail')",
    )  # not a set that has no solution
    assert page.inner_text("#said") == ""  # one message replaces the other
    assert (
        page.locator("#board .fault").count() == 1 and page.locator("#board .conflict").count() == 0
    )
    game.hand.drag(game.hand.middle("#board [data-place='[0,1]']"), game.hand.middle("#tray"))
    until(page, "document.querySelectorAll('#tray button:not([hidden])').length === 8")
    page.click("#check")
    until(
        page, "document.querySelector('#advice').textContent.startsWith('Not right: ')"
    )  # no rule is broken, but nothing leads on


def test_what_lies_stays_when_the_puzzle_is_edited(open_page: Open) -> None:
    game = Game(page := open_page("#puzzle=cats"), load("cats"))
    page.wait_for_selector("#tray [data-piece='9'] svg")
    for number in game.solution[:3]:
        game.lay(number)
    lying = "JSON.parse(localStorage.getItem('jigsat-played'))[0].lying"
    where = f"{lying}.map(({{ places, rest }}) => JSON.stringify([places, rest])).sort()"
    before = page.evaluate(where)
    piece = game.candidates[game.solution[0]].piece
    text = re.sub(
        rf"(?m)^{piece} = ",
        "cat = ",
        re.sub("(?m)^title = .*", "title = 'Mine'", page.input_value("#toml")),
    )
    turn_to(page, "edit")
    write(page, text)
    until(page, "document.querySelector('h1').textContent === 'Mine'")
    turn_to(page, "play")
    page.wait_for_selector("#tray [data-piece='cat']", state="attached")
    page.wait_for_selector("#panel-play:not([data-idle])")
    assert page.locator("#tray button:not([hidden])").count() == 6
    assert page.evaluate(where) == before and page.inner_text("#said") == ""
    turn_to(page, "edit")
    page.wait_for_selector("[data-thing='cat'] .tile")
    old = page.url  # perhaps still without the tab
    page.evaluate(DROP, ["cat", "five.png"])
    page.wait_for_selector("[data-thing='cat'][data-pictured]")
    until(page, f"location.href.length > {len(old) + len('&tab=edit')}")
    page.reload()  # before it is played again
    page.wait_for_selector("[data-thing='cat'][data-pictured]")
    turn_to(page, "play")
    until(page, "document.querySelectorAll('#tray button:not([hidden])').length === 6")
    assert page.evaluate(where) == before


def test_what_an_edit_leaves_no_place_is_taken_back_and_a_wrong_puzzle_is_not_played(
    open_page: Open,
) -> None:
    game = Game(page := open_page("#puzzle=push-pull"), load("push-pull"))
    for count, place in enumerate(("[0,0]", "[2,1]"), 1):
        page.mouse.click(*game.hand.middle(f"#board [data-place='{place}']"))
        until(
            page, f"new URLSearchParams(location.hash).get('played')?.split('.').length === {count}"
        )
    turn_to(page, "edit")
    write(page, "family = 'lights-out'\nboard = 'square 2x2'\nlit = 'none'")
    page.wait_for_selector("#toml-problem:visible")
    turn_to(page, "play")
    assert page.inner_text("#said").startswith("Mend the puzzle first, under Change it: ")
    turn_to(page, "edit")
    write(page, "family = 'lights-out'\nboard = 'square 2x2'\nlit = 'all'")
    page.wait_for_selector("#toml-problem", state="hidden")
    turn_to(page, "play")
    until(page, "document.querySelector('#said').textContent.startsWith('Taken back')")
    assert page.inner_text("#said").endswith("no such place or piece: 1 placement.")
    for place in "[0,1]", "[1,0]", "[1,1]":
        page.mouse.click(*game.hand.middle(f"#board [data-place='{place}']"))
    game.ended("Solved!")


def test_a_solved_seating_tells_how_many_wishes_are_broken(open_page: Open) -> None:
    text = """family = "seating"
tables = "round 3"
guests = ["Ann", "Bob", "Cy"]
wishes = [{ apart = ["Ann", "Bob"] }, { apart = ["Ann", "Cy"] }, { beside = ["Bob", "Cy"] }]
"""
    page = open_page("#puzzle=dinner&tab=edit")
    loaded(page)
    write(page, text)
    turn_to(page, "play")
    page.wait_for_selector("#tray [data-piece=Cy]")
    game = Game(page, load_text(text)[0])
    game.play()
    game.ended("Solved! 2 of 3 wishes are broken.")


def test_lights_change_where_they_are_pressed(open_page: Open) -> None:
    game = Game(page := open_page("#puzzle=push-pull"), load("push-pull"))
    lit = "document.querySelectorAll('#board [fill=\"#ffd034\"]').length"
    assert page.evaluate(lit) == 6
    page.mouse.click(
        *game.hand.middle("#board [data-place='[1,1]']")
    )  # in the lit board, which comes first
    until(page, f"{lit} === 3 + 6")  # those left, beside those at the start with what was pressed
    page.locator("#board [data-place='[1,1]']").nth(1).click()
    until(page, f"{lit} === 6")


@pytest.mark.slow
def test_words_that_may_not_be_used_are_not_offered(open_page: Open) -> None:
    page = open_page("#puzzle=crossword-5x5&tab=edit")
    loaded(page)
    others = [f"x{one}{other}" for one, other in product("abcdefghijkl", repeat=2)]
    words = ["abd;20", "aaa", "abc;40", "abe", *others]
    write(
        page,
        f'family = "crossword"\ngrid = "..."\nleast_score = 40\nbanned = ["aaa", "xaa"]\nwords = '
        f"{json.dumps(words)}",
    )
    turn_to(page, "play")
    told = f"{len(others) + 1} words of the list fit here: ABC, ABE, XAB, "  # without XAA
    until(page, f"document.querySelector('#fitting')?.textContent.startsWith('{told}')")


def test_letters_are_written_one_after_the_other(open_page: Open) -> None:
    game = Game(page := open_page("#puzzle=crossword-5x5"), load("crossword-5x5"))
    page.mouse.click(*game.hand.middle("#board [data-place='[0,2]']"))
    short = len(load("crossword-5x5").lists[3].words)  # type: ignore[attr-defined]
    until(
        page,
        f"document.querySelector('#fitting').textContent.startsWith('{short} words of the list "
        f"fit here: ACE, ')",
    )
    page.keyboard.type("bax")
    until(
        page,
        "document.querySelectorAll('#board .run').length === 3 && "
        "!document.querySelector('#play-undo').disabled",
    )
    played = {
        game.candidates[number].places[0]: game.candidates[number].piece for number in game.played()
    }
    assert played == {(0, 2): "B", (0, 3): "A", (0, 4): "X"}
    until(
        page, "document.querySelector('#fitting').textContent === '0 words of the list fit here.'"
    )
    page.click("#check")
    until(page, "document.querySelector('#said').textContent.includes('X?? is not in the list')")
    page.focus("#board")
    page.keyboard.press("Backspace")
    page.keyboard.press("Backspace")
    page.keyboard.type("y")
    until(page, "document.querySelector('#said').textContent === ''")
    played = {
        game.candidates[number].places[0]: game.candidates[number].piece for number in game.played()
    }
    assert played == {(0, 2): "B", (0, 3): "Y"}


def test_a_dropped_piece_is_drawn_at_once_even_with_marks(open_page: Open) -> None:
    game = Game(page := open_page("#puzzle=cats"), load("cats"))
    page.wait_for_selector("#tray [data-piece='9'] svg")
    mark(page, "open")
    page.wait_for_selector("#board .candidates text")
    assert "tiles" in page.inner_text("#board")
    page.evaluate("""() => {
        const board = document.querySelector("#board");
        const look = () => board.querySelector(".sketch svg") && board.setAttribute("data-seen", "");
        new MutationObserver(look).observe(board, { childList: true, subtree: true });
    }""")
    game.hand.drag(
        game.hand.middle("#tray [data-piece='9']"), game.hand.middle("#board [data-place='[1,1]']")
    )
    until(
        page,
        "document.querySelectorAll('#board .candidates text').length > 9 && "
        "!document.querySelector('#board .sketch')",
    )
    assert page.locator("#board[data-seen]").count() == 1
    page.click("#next-step")
    page.click("#which-rules")
    assert "r1c" not in page.inner_text("#advice")
    page.click("#conclusion")
    page.wait_for_selector("#board .news.gone .drawn")
    assert (
        page.locator("#board .cross").count()
        == 2 * page.locator("#board .news.gone .drawn").count()
    )
    assert (
        page.inner_text("#make") == "Go on"
        and page.locator("#panel-play button:text-is('Hint')").count() == 1
    )


def test_no_piece_vanishes_while_it_is_turned(open_page: Open) -> None:
    game = Game(page := open_page("#puzzle=cats"), load("cats"))
    page.wait_for_selector("#tray [data-piece='9'] svg")
    for number in game.solution[:2]:
        game.lay(number)
    until(page, "!document.querySelector('#board .sketch')")
    page.evaluate("""() => {
        const board = document.querySelector("#board");
        const number = (selector) => board.querySelectorAll(selector).length;
        const look = () => number(".blank") > number(".sketch > svg") && board.setAttribute("data-lost", "");
        new MutationObserver(look).observe(board, { childList: true, subtree: true });
    }""")
    for key in "rrr":
        page.keyboard.press(key)
    until(page, "!document.querySelector('#board .sketch')")
    assert page.locator("#board[data-lost]").count() == 0


@pytest.mark.parametrize(
    "options",
    [{}, {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}],
)
def test_a_game_is_shown_at_once_with_what_was_played(
    open_page: Open, options: dict[str, object]
) -> None:
    game = Game(page := open_page("#puzzle=cats", **options), load("cats"))
    page.wait_for_selector("#tray [data-piece='9'] svg")
    for number in game.solution[:3]:
        game.lay(number)
    until(page, "!document.querySelector('#board .sketch')")
    page.add_init_script(
        """
        window.found = [];
        const parts = ["#board", "#tray", "#check", "#play-again"];
        const placed = (board) => new Set([...board.querySelectorAll("text")].map((each) => each.textContent));
        const box = ({ x, y, width, height }) => [x, y, width, height].map(Math.round);
        const look = () => {
            const [board, tray, ...buttons] = parts.map((part) => document.querySelector(part));
            if (!board) return;
            if (!board.querySelector(".place") && buttons.some((each) => each?.matches(":enabled"))) found.push("too early");
            else if (!found.length && board.querySelector(".place")) found.push(placed(board).has(PIECE));
            if (found.length && !document.querySelector("#panel-play[data-idle]")) {
                found.push(String([board, tray, ...buttons].map((each) => box(each.getBoundingClientRect()))));
            }
        };
        const kinds = { childList: true, subtree: true, attributeFilter: ["disabled", "data-idle"] };
        new MutationObserver(look).observe(document, kinds);
    """.replace("PIECE", json.dumps(game.candidates[game.solution[0]].piece))
    )
    page.reload()
    page.wait_for_selector("#panel-play:not([data-idle])")
    until(page, "document.querySelectorAll('#tray button:not([hidden]) svg').length === 6")
    played, *places = page.evaluate("found")
    assert played is True and len(set(places)) == 1, places


def test_an_edit_leaves_the_moves_and_how_pieces_lie_in_the_tray(open_page: Open) -> None:
    game = Game(page := open_page("#puzzle=cats"), load("cats"))
    page.wait_for_selector("#tray [data-piece='9'] svg")
    for number in game.solution[:3]:
        game.lay(number)
    last = {game.candidates[number].piece for number in game.solution[3:]}.pop()
    page.click(f"#tray [data-piece='{last}']")
    page.click("#turn")
    shown = f"document.querySelector(`#tray [data-piece='{last}']`).dataset.shown"
    turned = page.evaluate(shown)
    page.keyboard.press("Escape")
    turn_to(page, "edit")
    write(page, re.sub("(?m)^title = .*", "title = 'Mine'", page.input_value("#toml")))
    until(page, "document.querySelector('h1').textContent === 'Mine'")
    turn_to(page, "play")
    page.wait_for_selector("#play-undo:enabled")
    assert page.evaluate(shown) == turned
    for step, left in ("undo", 9), ("redo", 6):
        while page.locator(f"#play-{step}:enabled").count():
            page.evaluate(f"document.querySelector('#play-{step}').click()")  # one is in the menu
        until(page, f"document.querySelectorAll('#tray button:not([hidden])').length === {left}")
    until(page, "new URLSearchParams(location.hash).get('played')?.split('.').length === 3")
    assert game.played() == set(game.solution[:3])


def test_the_board_stays_in_place_when_lines_get_numbers(open_page: Open) -> None:
    Game(page := open_page("#puzzle=sudoku-6x6"), load("sudoku-6x6"))
    page.click("#board [data-place='[0,4]']")
    page.keyboard.press("4")  # there is one in its row
    before = page.locator("#board svg").bounding_box()
    page.click("#check")
    page.wait_for_selector("#board .ruler >> nth=11")
    assert page.locator("#board svg").bounding_box() == before


@pytest.mark.slow
def test_a_foam_cube_is_played_on_its_net(open_page: Open) -> None:
    game = Game(page := open_page("#puzzle=cube"), load("cube"))
    page.wait_for_selector("#tray [data-piece='F'] svg")
    game.play()
    game.ended("Solved! This is one of 96 solutions.")


@pytest.mark.slow
def test_pentominoes_are_turned_in_the_tray_and_dragged(open_page: Open) -> None:
    game = Game(page := open_page("#puzzle=pentominoes-6x10"), load("pentominoes-6x10"))
    page.wait_for_selector("#tray [data-piece='Z'] svg")
    game.play()
    game.ended("Solved! This is one of 9,356 solutions.")


def test_a_sudoku_and_a_tile_are_played_by_keys_alone(open_page: Open) -> None:
    game = Game(page := open_page("#puzzle=sudoku-6x6"), load("sudoku-6x6"))

    def tab_to(selector: str) -> None:
        until_focused = f"document.activeElement.matches({json.dumps(selector)})"
        for _ in range(40):
            if page.evaluate(until_focused):
                return
            page.keyboard.press("Tab")
        raise AssertionError(selector)

    tab_to("#board")
    grid = {
        game.candidates[number].places[0]: game.candidates[number].piece for number in game.solution
    }
    size = max(row for row, _ in grid) + 1  # type: ignore[misc]
    for key in ["ArrowUp", "ArrowLeft"] * size:
        page.keyboard.press(key)
    for row in range(size):
        for column in range(size):
            if cell := grid.get(
                (row, column if row % 2 == 0 else size - 1 - column)
            ):  # others are given
                page.keyboard.press(cell)
            page.keyboard.press("ArrowLeft" if row % 2 else "ArrowRight")
        page.keyboard.press("ArrowDown")
    game.ended("Solved! It is the only solution.")
    page = open_page("#puzzle=cats")
    game = Game(page, load("cats"))
    page.wait_for_selector("#tray [data-piece='9'] svg")
    tab_to("#tray [data-piece='3']")
    for key in ("Enter", "ArrowRight", "ArrowDown", "r", "Enter"):
        page.keyboard.press(key)
    game.placed(
        next(i for i, each in enumerate(game.candidates) if each.placement == ((1, 1), "3", 1))
    )
    assert len(game.played()) == 1
    game.move(lambda: page.keyboard.press("Delete"))
    assert game.played() == set()


def test_tiles_are_dragged_by_a_finger_on_a_phone(open_page: Open) -> None:
    page = open_page(
        "#puzzle=cats", viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True
    )
    game = Game(page, load("cats"), Finger(page))
    page.wait_for_selector("#tray [data-piece='9'] svg")
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    game.play()
    game.ended("Solved! This is one of 4 solutions.")


def test_a_step_is_told_in_three_degrees_and_made(open_page: Open) -> None:
    game = Game(page := open_page("#puzzle=sudoku-6x6"), load("sudoku-6x6"))
    mark(page, "open")
    page.wait_for_selector("#board .candidates text >> nth=30")
    assert page.locator("#board .open").count() == 0
    page.click("#next-step")
    page.wait_for_selector("#which-rules")
    assert page.locator("#board .area").count() == 6 and "r1c5" not in page.inner_text("#advice")
    page.click("#which-rules")
    assert page.locator("#advice p").all_inner_texts() == [
        "Hidden single.",
        "Where can 3 still go in row 1?",
    ]
    page.click("#conclusion")
    assert page.locator("#advice p").all_inner_texts() == [
        "In row 1, 3 can only go in r1c5.",
        "The 3s in r2c3 and r5c4 block the other empty cells.",
    ]
    assert page.locator("#board .ruler").all_text_contents() == [
        f"{axis}{i + 1}" for axis in "rc" for i in range(6)
    ]
    page.click("#make")
    until(page, "document.querySelector('#advice').textContent === ''")
    (number,) = game.played()
    assert number in game.solution
    mark(page, "candidates")
    until(
        page,
        "document.querySelector('#legend').textContent.startsWith('There is only one solution')",
    )
    assert (
        page.locator("#board .candidates .sure").count() == 36 - len(load("sudoku-6x6").clues()) - 1
    )


def test_what_cannot_be_is_marked_and_refuted(open_page: Open) -> None:
    Game(page := open_page("#puzzle=sudoku-6x6"), load("sudoku-6x6"))
    page.click("#board [data-place='[0,4]']")
    page.keyboard.press("5")
    page.wait_for_selector("#put-back:enabled")
    page.click("#check")
    until(
        page,
        "document.querySelector('#advice p')?.textContent.endsWith(' No solution has it there.')",
    )
    assert page.inner_text("#advice p").startswith("Not right: 5 in r1c5 must be cleared.")
    assert page.locator("#board .conflict").count() == 1
    choose(page, "#why")
    page.click("#take-off")
    until(page, "document.querySelector('#play-again').disabled")
    page.click("#check")
    until(
        page, "document.querySelector('#advice').textContent.endsWith('is exactly one solution.')"
    )


def test_a_wrong_line_is_named_as_in_hints_and_cleared(open_page: Open) -> None:
    page = open_page("#puzzle=slitherlink-4")
    Game(page, load("slitherlink-4"))
    page.click("#board [data-place='[[0,1],[1,1]]']")
    page.wait_for_selector("#put-back:enabled")
    page.click("#check")
    page.wait_for_selector("#take-off")
    assert page.inner_text("#advice p") == (
        "Not right: the loop along the right of r1c1 must be cleared. No solution has it there."
    )
    assert page.inner_text("#take-off") == "Clear it"


def test_a_wrong_bridge_is_named_as_in_hints(open_page: Open) -> None:
    page = open_page("#puzzle=hashi-5")
    Game(page, load("hashi-5"))
    page.click("#board [data-place='[[1,0],[4,0]]']")
    page.keyboard.press("1")
    page.wait_for_selector("#put-back:enabled")
    page.click("#check")
    page.wait_for_selector("#take-off")
    said = "Not right: a single bridge along r2c1–r5c1 must be cleared. No solution has it there."
    assert page.inner_text("#advice p") == said


def test_a_hint_after_a_wrong_piece_says_what_to_take_off(open_page: Open) -> None:
    game = Game(page := open_page("#puzzle=cats"), load("cats"))
    page.wait_for_selector("#tray [data-piece='1'] svg")
    page.click("#tray [data-piece='1']")
    page.mouse.click(*game.hand.middle("#board [data-place='[1,1]']"))  # 9 is there in all
    until(page, "document.querySelectorAll('#tray button:not([hidden])').length === 8")
    page.click("#next-step")
    page.wait_for_selector("#take-off")
    assert page.inner_text("#advice p") == (
        "Not right: tile 1 in the centre must come off. No solution has it there."
    )
    assert page.inner_text("#take-off") == "Put it back"
    page.click("#take-off")
    until(page, "document.querySelectorAll('#tray button:not([hidden])').length === 9")


def test_a_tile_that_is_wrongly_turned_in_a_right_place_is_turned(open_page: Open) -> None:
    game = Game(page := open_page("#puzzle=cats"), load("cats"))
    page.wait_for_selector("#tray [data-piece='2'] svg")
    page.click("#tray [data-piece='2']")
    page.mouse.click(*game.hand.middle("#board [data-place='[0,0]']"))
    until(page, "document.querySelectorAll('#tray button:not([hidden])').length === 8")
    page.click("#check")
    page.click("#turn-right")
    page.click("#check")
    until(page, "document.querySelector('#advice').textContent.startsWith('Right so far')")


def test_one_hint_after_the_other_tells_more(open_page: Open) -> None:
    """The last one writes it in."""
    page = open_page("#puzzle=sudoku-6x6")
    page.wait_for_selector("#panel-play:not([data-idle])")
    for more in "#which-rules", "#conclusion", "#make":
        page.click("#next-step")
        page.wait_for_selector(more)
    page.click("#next-step")
    until(page, "!document.querySelector('#advice').textContent")


def test_keys_tell_how_many_of_each_digit_are_left(open_page: Open) -> None:
    page = open_page("#puzzle=sudoku-6x6")
    loaded(page)
    page.wait_for_selector("#panel-play:not([data-idle])")
    grid = page.locator("#board svg text").all_text_contents()
    said = page.locator("#tray button small").all_text_contents()
    assert said == [f"{6 - grid.count(digit)} left" for digit in "123456"]


def test_where_pieces_can_go_is_never_guessed(open_page: Open) -> None:
    Game(page := open_page("#puzzle=cats"), load("cats"))
    mark(page, "candidates")
    until(page, "document.querySelectorAll('#board .candidates text').length === 4 * 8 + 1")
    assert page.locator("#board .heat").count() == 9 and page.locator("#board .open").count() == 0
    page.click("#tray [data-piece='9']")
    until(page, "document.querySelectorAll('#board .heat').length === 1")  # the middle
    page.click("#next-step")
    page.wait_for_selector("#answers button:text-is('Place it'), #which-rules")


def test_moves_are_taken_back_after_a_reload(open_page: Open) -> None:
    game = Game(page := open_page("#puzzle=sudoku-6x6"), load("sudoku-6x6"))
    for count, place in enumerate(("[0,0]", "[0,1]"), 1):
        page.click(f"#board [data-place='{place}']")
        page.keyboard.press(str(count))
        until(
            page, f"new URLSearchParams(location.hash).get('played')?.split('.').length === {count}"
        )
    page.reload()
    for _ in range(2):
        page.wait_for_selector("#panel-play:not([data-idle])")
        game.move(lambda: page.click("#play-undo:enabled"))
    assert game.played() == set()


def test_a_clash_of_digits_is_marked_while_one_types(open_page: Open) -> None:
    Game(page := open_page("#puzzle=sudoku-6x6"), load("sudoku-6x6"))
    page.click("#board [data-place='[0,4]']")
    page.keyboard.press("4")  # there is one in its row
    page.wait_for_selector("#board .conflict", state="attached")
    assert page.inner_text("#said").startswith("Row 1: ")


def _drag(page: Any, *places: str) -> None:
    """Drag the mouse from place to place on the board."""
    hand = Mouse(page)
    first, *others = (hand.middle(f"#board [data-place='{place}']") for place in places)
    page.mouse.move(*first)
    page.mouse.down()
    for point in others:
        page.mouse.move(*point, steps=4)
    page.mouse.up()


def _notes(page: Any) -> list[str]:
    return sorted(page.locator("#board .own .mark").all_text_contents())


@pytest.mark.parametrize(
    ("name", "cells"),
    [
        ("sudoku-6x6", ["[0,0]", "[0,1]"]),
        ("latin-4", ["[0,0]", "[0,1]"]),
        ("futoshiki-5", ["[4,0]", "[4,1]"]),
    ],
)
def test_symbols_are_noted_in_several_cells_and_notes_survive_undo_and_a_reload(
    open_page: Open, name: str, cells: list[str]
) -> None:
    page = open_page(f"#puzzle={name}")
    page.wait_for_selector("#panel-play:not([data-idle])")
    _drag(page, *cells)
    assert page.locator("#board .chosen").count() == len(cells)
    page.keyboard.press("Shift+Digit1")
    page.keyboard.press("Control+Digit2")
    page.keyboard.press("Space")  # the pencil
    page.click("#tray [data-piece='4']")
    page.click("[data-kind='corner']")
    page.keyboard.press("4")  # no longer
    page.click("#tray [data-piece='3']")
    assert _notes(page) == ["1", "1", "2", "2", "3", "3"]
    page.click("[data-kind='colour']")
    page.click("[data-colour='1']")
    assert page.locator("#board .own .paint").count() == 2
    page.click("#play-undo")
    assert page.locator("#board .own .paint").count() == 0
    page.reload()
    page.wait_for_selector("#panel-play:not([data-idle])")
    assert _notes(page) == ["1", "1", "2", "2", "3", "3"]
    page.click("#play-undo")
    assert _notes(page) == ["1", "1", "2", "2"]
    page.click(f"#board [data-place='{cells[0]}']")
    page.keyboard.press("4")
    until(page, "!document.querySelector('#board .sketch')")
    assert _notes(page) == ["1", "2"], "a digit hides what is noted below it"
    page.keyboard.press("Delete")
    until(page, "document.querySelectorAll('#board .own .mark').length === 4")
    page.keyboard.press("Delete")
    assert _notes(page) == ["1", "2"], "then the notes go"


def test_check_tells_broken_rules_and_whether_it_is_still_right(open_page: Open) -> None:
    game = Game(page := open_page("#puzzle=futoshiki-5"), load("futoshiki-5"))
    game.lay(game.solution[0])
    page.click("#check")
    until(page, "document.querySelector('#advice').textContent.startsWith('Right so far')")
    for row in range(2):
        page.click(f"#board [data-place='[{row},4]']")
        page.keyboard.press("5")
    page.wait_for_selector("#board .conflict", state="attached")


@pytest.mark.parametrize(
    ("fragment", "said"),
    [
        (linked('family = "latin"\ngrid = ["1.", ".."]'), "There is exactly one solution."),
        (
            linked('family = "latin"\ngrid = ["..", ".."]'),
            "There is exactly one solution, apart from turned and mirrored ones.",
        ),
        (
            linked('family = "latin"\ngrid = ["...", "...", "..."]'),
            "There is more than one solution.",
        ),
        ("#puzzle=latin-4", "There are 576 solutions, 108 truly different."),
        ("#puzzle=futoshiki-5", "There is exactly one solution."),
    ],
)
def test_check_of_an_empty_board_tells_whether_there_is_one_solution(
    fragment: str, said: str, open_page: Open
) -> None:
    page = open_page(fragment)
    page.click("#check:enabled")
    words = f"Nothing is placed yet. {said}"
    until(page, f"document.querySelector('#advice').textContent === '{words}'")


@pytest.mark.usefixtures("server_only")
def test_a_server_that_does_not_answer_is_named_first_and_the_board_stays(
    open_page: Open,
) -> None:
    page = open_page("#puzzle=latin-4")
    page.wait_for_selector("#check:enabled")
    page.route("**/api", lambda route: route.abort())
    turn_to(page, "edit")
    write(page, 'family = "latin"\ngrid = ["1.", ".."]')
    until(page, "document.querySelector('#said').textContent.startsWith('The server does not')")
    turn_to(page, "play")
    assert page.locator("#board svg").is_visible()
    turn_to(page, "solve")
    page.click("#solve")
    until(page, "document.querySelector('#verdict').textContent.startsWith('The server does not')")


def test_lines_are_dragged_and_crossed_out_by_a_second_tap(open_page: Open) -> None:
    game = Game(page := open_page("#puzzle=slitherlink-4"), load("slitherlink-4"))
    line = ["[[0,0],[0,1]]", "[[0,1],[0,2]]", "[[0,2],[1,2]]"]
    game.move(lambda: _drag(page, *line, "[[1,2],[2,2]]"))  # which is not reached
    drawn = [game.candidates[number].places[0] for number in sorted(game.played())]
    assert drawn == [((0, 0), (0, 1)), ((0, 1), (0, 2)), ((0, 2), (1, 2))]
    game.move(lambda: page.click(f"#board [data-place='{line[0]}']"))
    assert len(game.played()) == 2 and page.locator("#board .own .crossed").count() == 2
    page.reload()
    page.wait_for_selector("#board .own .crossed >> nth=1", state="attached")
    page.click("#play-undo")
    until(page, "!document.querySelector('#board .own')")
    assert len(game.played()) == 3
    page.click("#play-undo")  # the whole stroke
    assert game.played() == set()
    page.focus("#board")
    page.keyboard.press("x")
    assert page.locator("#board .own .crossed").count() == 2
    page.keyboard.press("Enter")
    page.keyboard.press("Enter")
    assert len(game.played()) == 1 and page.locator("#board .own").count() == 0


def test_no_line_is_outlined_before_anything_is_drawn(open_page: Open) -> None:
    game = Game(page := open_page("#puzzle=slitherlink-4"), load("slitherlink-4"))
    assert not page.locator("#board .cursor").count()
    page.focus("#board")
    page.keyboard.press("ArrowDown")  # who moves by keys sees where
    page.wait_for_selector("#board .cursor", state="attached")
    page.reload()
    game = Game(page, load("slitherlink-4"))
    game.move(lambda: page.click("#board [data-place='[[0,0],[0,1]]']"))
    page.wait_for_selector("#board .cursor", state="attached")


def test_cells_are_shaded_and_dotted_by_a_finger(open_page: Open) -> None:
    page = open_page(
        "#puzzle=nurikabe-5", viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True
    )
    game = Game(page, load("nurikabe-5"), Finger(page))
    cells = [f"#board [data-place='[{row},1]']" for row in range(3)]
    game.move(lambda: game.hand.drag(game.hand.middle(cells[0]), game.hand.middle(cells[2])))
    assert [game.candidates[number].places for number in sorted(game.played())] == [
        ((row, 1),) for row in range(3)
    ]
    game.move(lambda: game.hand.tap(cells[1]))
    assert len(game.played()) == 2 and page.locator("#board .own .dot").count() == 1
    page.click("[data-kind='cross']")
    game.hand.drag(game.hand.middle(cells[2]), game.hand.middle("#board [data-place='[2,3]']"))
    until(page, "document.querySelectorAll('#board .own .dot').length === 4")
    page.click("#play-undo")
    assert page.locator("#board .own .dot").count() == 1


def test_a_tap_in_the_middle_of_a_cell_marks_the_cell_where_lines_end(open_page: Open) -> None:
    game = Game(page := open_page("#puzzle=yajilin-4"), load("yajilin-4"))
    page.wait_for_selector("#panel-play:not([data-idle])")
    cells = [game.hand.middle(f"#board [data-place='[2,{column}]']") for column in range(3)]
    game.move(lambda: game.hand.tap("#board [data-place='[0,3]']"))
    assert [game.candidates[number].places for number in game.played()] == [((0, 3),)]
    game.move(lambda: game.hand.drag(cells[0], cells[2]))
    assert len(game.played()) == 3


def test_a_piece_that_is_turned_over_says_so(open_page: Open) -> None:
    page = open_page("#puzzle=cube")
    page.wait_for_selector("#tray [data-piece='B'] svg")
    page.click("#tray [data-piece='B']")
    page.click("#flip")
    words = "B is turned over: its back is up, so its letter is mirrored."
    assert page.inner_text("#said") == words
    page.click("#flip")
    assert not page.is_visible("#said")


def test_signs_are_written_like_digits(open_page: Open) -> None:
    """A cell of a magnet has a plus or a minus, by key or from the tray; + may need Shift."""
    game = Game(page := open_page("#puzzle=magnets-4"), load("magnets-4"))
    assert page.locator("#tray [data-piece]").all_inner_texts() == ["+", "−"]
    signs = {"+": "Shift++", "−": "-"}
    for number in game.solution[:4]:
        candidate = game.candidates[number]
        page.click(game.places(candidate)[0])
        page.keyboard.press(signs[candidate.piece])
        game.placed(number)
    for number in game.solution[4:]:
        game.lay(number)
    game.ended("Solved! This is one of 3 solutions.")


@pytest.mark.parametrize(("name", "rows", "columns"), [("hashi-8", 8, 8), ("slitherlink-4", 4, 4)])
def test_boards_of_edges_have_the_numbers_that_hints_speak_of(
    open_page: Open, name: str, rows: int, columns: int
) -> None:
    Game(page := open_page(f"#puzzle={name}"), load(name))
    page.click("#next-step")
    page.wait_for_selector("#which-rules")
    numbers = [f"r{i + 1}" for i in range(rows)] + [f"c{i + 1}" for i in range(columns)]
    assert page.locator("#board .ruler").all_text_contents() == numbers
    if name == "hashi-8":
        assert "Look at r5c1–r8c1 and r8c1–r8c5." in page.inner_text("#advice")
        assert page.locator("#board .area").count() == 2, "both are marked"
        page.click("#which-rules")
        page.click("#conclusion")
        sizes = page.locator("#board .news text").evaluate_all(
            "all => all.map((each) => each.getAttribute('font-size'))"
        )
        assert len(sizes) == 2 and len(set(sizes)) == 1, "whichever way an edge runs"


def test_a_piece_is_turned_over_at_once(open_page: Open) -> None:
    Game(page := open_page("#puzzle=cube"), load("cube"))
    page.wait_for_selector("#tray [data-piece=C] svg")
    page.click("#tray [data-piece=C]")
    page.wait_for_selector("#flip:enabled")
    page.wait_for_timeout(1000)  # what is drawn already has come
    page.route("**/api", lambda route: None)  # no answer ever comes
    page.click("#flip")
    mirrored = page.wait_for_selector("#tray [data-piece=C] g[transform*='scale(-1 1)']")
    assert mirrored


def test_what_was_solved_leads_to_its_proof(open_page: Open) -> None:
    game = Game(page := open_page("#puzzle=latin-4"), load("latin-4"))
    game.play()
    until(page, "document.querySelector('#said').textContent.startsWith('Solved! ')")
    assert page.is_hidden("#tray") and page.is_visible(".ended >> text=Next puzzle")
    page.click(".ended >> text=Share")
    page.wait_for_selector("#sharing:visible")
    page.keyboard.press("Escape")
    page.click("#proof")
    page.wait_for_selector("#verdict .seal")
    page.click(".back")
    assert page.is_hidden("#play-undo")
    page.keyboard.press("Control+z")
    page.wait_for_selector("#tray:visible")
    assert page.is_hidden(".ended") and page.is_visible("#play-undo")


def test_what_was_solved_leads_to_other_kinds(open_page: Open) -> None:
    game = Game(page := open_page("#puzzle=latin-4"), load("latin-4"))
    game.play()
    page.wait_for_selector(".kinds svg")
    links = page.eval_on_selector_all(".kinds a", "links => links.map((link) => link.hash)")
    assert len(set(links)) == 6 and "#puzzle=latin-4" not in links
    assert page.evaluate("document.querySelector('.ended .main').hash") == links[0]
    page.click("#make-more")
    page.wait_for_selector("#panel-make:visible")
    page.click(".back")
    page.click("#once-more")
    page.wait_for_selector("#tray:visible")
    assert page.is_hidden(".kinds") and page.is_disabled("#play-again")


def test_the_one_main_button_is_the_hint_until_it_is_solved(open_page: Open) -> None:
    Game(page := open_page("#puzzle=latin-4"), load("latin-4"))
    colours = "all => all.map((button) => getComputedStyle(button).backgroundColor)"
    undo, check, hint = page.eval_on_selector_all(".tools .bar:not(.ended) button", colours)
    assert undo == check != hint


def test_pieces_grow_as_the_tray_empties(open_page: Open) -> None:
    phone = {"width": 390, "height": 844}
    game = Game(page := open_page("#puzzle=cats", viewport=phone), load("cats"))
    last = game.piece(game.candidates[game.solution[-1]])
    page.wait_for_selector(f"{last} svg")
    before = page.locator(last).bounding_box()["width"]
    for number in game.solution[:-3]:
        game.lay(number)
    until(page, f"document.querySelector({json.dumps(last)}).offsetWidth > {1.25 * before}")


def test_pieces_stay_where_they_are_when_one_is_laid(open_page: Open) -> None:
    game = Game(page := open_page("#puzzle=cats"), load("cats"))
    last = game.piece(game.candidates[game.solution[-1]])
    page.wait_for_selector(f"{last} svg")
    before = page.locator(last).bounding_box()
    game.lay(game.solution[0])
    page.wait_for_selector(game.piece(game.candidates[game.solution[0]]), state="hidden")
    assert page.locator(last).bounding_box() == before


def test_a_piece_is_dragged_after_text_was_selected(open_page: Open) -> None:
    game = Game(page := open_page("#puzzle=cats"), load("cats"))
    page.wait_for_selector(f"{game.piece(game.candidates[game.solution[0]])} svg")
    page.evaluate("getSelection().selectAllChildren(document.querySelector('.panels'))")
    game.lay(game.solution[0])


@pytest.mark.parametrize(
    ("width", "height", "seen"), [(1280, 800, 3), (768, 1024, 3), (390, 844, 0), (640, 400, 0)]
)
def test_the_degrees_of_a_hint_stand_together_where_there_is_room(
    open_page: Open, width: int, height: int, seen: int
) -> None:
    page = open_page("#puzzle=sudoku-6x6", viewport={"width": width, "height": height})
    page.wait_for_selector("#panel-play:not([data-idle])")
    for more in "#which-rules", "#conclusion", "#make":
        page.click("#next-step")
        page.wait_for_selector(more)
    titles = page.locator(".trail strong:visible")
    assert titles.all_inner_texts() == ["Where to look", "Why", "What follows"][:seen]
    if seen:
        assert page.locator(".trail p").all_inner_texts()[:2] == [
            "Look at row 1.",
            "Hidden single.",
        ]
    keys = page.locator("#tray .symbol").last.bounding_box()
    tools = page.locator(".tools").bounding_box()
    assert keys and tools and keys["y"] + keys["height"] <= tools["y"], "all keys are seen"
