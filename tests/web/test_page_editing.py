"""Editing puzzles on the page: by clicking and pasting, as text, and by choosing a board."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any

import pytest
from support.games import Finger, Mouse
from support.pages import DROP, READ, Open, loaded, solved, turn_to, until, write

from jigsat.instance import load

PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
TILES = """family = "edge-matching"
board = "square 1x2"
turning = false

[tiles]
left = ["red", "blue", "red", "gold"]
right = ["red", "green", "red", "blue"]
"""


@pytest.mark.slow
def test_an_edited_tile_changes_the_count_and_the_address_keeps_it(open_page: Open) -> None:
    page = open_page("#puzzle=cats&tab=edit")
    loaded(page)
    write(page, TILES)
    page.wait_for_url(re.compile("#text="))
    turn_to(page, "solve")
    assert solved(page).startswith("1 solution ")
    turn_to(page, "edit")
    link = page.url
    write(page, TILES.replace('"blue"]', '"gold"]'))
    until(page, "!document.querySelector('#count').textContent")
    turn_to(page, "solve")
    assert solved(page).startswith("No solution")
    turn_to(page, "edit")
    page.click("#undo")
    page.wait_for_url(re.compile(re.escape(link.split("&")[0])))
    page.reload()
    loaded(page)
    turn_to(page, "edit")
    until(page, "document.querySelector('#toml').value")
    assert page.input_value("#toml") == TILES


def test_an_edit_is_kept_before_the_engine_has_read_it(open_page: Open) -> None:
    page = open_page("#puzzle=cats&tab=edit")
    page.wait_for_selector(".tile [role=button]")
    page.fill("#title", "Mine")
    page.keyboard.press("Enter")
    until(page, "document.querySelector('#toml').value.includes('Mine')")
    page.evaluate(
        "void (fetch = () => new Promise(() => {}), Worker.prototype.postMessage = () => {})"
    )  # no answers
    page.click(".tile [role=button] >> nth=0")
    until(page, "localStorage.getItem('jigsat-drafts').includes('cheetah head')")
    link = page.url
    page.fill("#title", 'Cats "2"')
    page.keyboard.press("Enter")
    until(page, f"location.href !== {link!r}")
    page.reload()
    page.wait_for_selector(".tile [role=button]")
    assert page.input_value("#title") == 'Cats "2"'
    mine = tomllib.loads(page.input_value("#toml"))
    assert (mine["title"], mine["tiles"]["1"][0]) == ('Cats "2"', "cheetah head")
    drafts = page.evaluate("JSON.parse(localStorage.getItem('jigsat-drafts'))")
    assert [draft["text"] for draft in drafts] == [page.input_value("#toml")]


@pytest.mark.slow
def test_a_puzzle_that_was_left_does_not_return_to_the_address(open_page: Open) -> None:
    page = open_page("#puzzle=fish&tab=edit")
    loaded(page)
    page.click("#advanced summary")
    page.fill("#toml", "# mine\n" + page.input_value("#toml"))
    page.click(".back")  # to the board
    page.click(".back")
    page.click("#featured a >> nth=0")
    loaded(page)
    opened = page.url
    until(
        page, "localStorage.getItem('jigsat-drafts')?.includes('# mine')"
    )  # the edit was read and kept
    turn_to(page, "make")
    until(page, "location.hash.includes('tab=make')")
    assert page.url == f"{opened}&tab=make"


@pytest.mark.slow
def test_the_number_of_solutions_is_known_after_a_reload_but_not_after_an_edit(
    open_page: Open,
) -> None:
    page = open_page("#puzzle=cats&tab=edit")
    page.wait_for_selector("#title")
    write(page, re.sub(r"\[known\].*", "", page.input_value("#toml"), flags=re.DOTALL))
    page.wait_for_url(re.compile("#text="))
    head = "document.querySelector('.heading p')?.textContent"
    until(page, f"{head} === 'Tiles that match'")
    turn_to(page, "solve")
    solved(page)
    page.reload()
    until(page, f"{head} === 'Tiles that match · 4 solutions, 1 truly different'")
    turn_to(page, "edit")
    page.fill("#title", "Other cats")
    page.keyboard.press("Enter")
    until(page, f"{head} === 'Tiles that match'")


@pytest.mark.slow
def test_two_tabs_of_a_puzzle_keep_both_of_its_versions_and_what_was_played(
    open_page: Open,
) -> None:
    one = open_page("#puzzle=sudoku-4x4-empty&tab=edit")
    title = "document.querySelector('h1')?.textContent === '{}'"
    one.fill("#title", "Mine")
    one.keyboard.press("Enter")
    until(one, title.format("Mine"))
    one.wait_for_url(re.compile("#text="))
    other = one.context.new_page()
    other.goto(one.url)
    until(other, title.format("Mine"))
    lying = (
        "[...document.querySelectorAll('#board svg text')].map((each) => each.textContent).join('')"
    )
    for page, key in ((one, "ArrowRight"), (other, "ArrowDown")):
        turn_to(page, "play")
        page.wait_for_selector("#panel-play:not([data-idle])")
        page.focus("#board")
        page.keyboard.press(key)
        page.keyboard.press("3")
        page.wait_for_url(re.compile("played="))
    shown = one.evaluate(lying)
    for page, name in ((other, "Theirs"), (one, "Ours")):
        turn_to(page, "edit")
        page.fill("#title", name)
        page.keyboard.press("Enter")
        until(page, title.format(name))
    turn_to(one, "play")
    one.wait_for_selector("#panel-play:not([data-idle])")
    assert one.evaluate(lying) == shown
    drafts = one.evaluate(
        "JSON.parse(localStorage.getItem('jigsat-drafts')).map(({ title }) => title)"
    )
    assert drafts == ["Ours", "Theirs"]


@pytest.mark.slow
def test_puzzles_are_edited_by_clicking(open_page: Open) -> None:
    page = open_page("#puzzle=push-pull&tab=edit")
    page.click(".lights [data-at='2,2']")
    page.wait_for_url(re.compile("#text="))
    until(page, r"document.querySelector('#toml').value.includes('.##\n##.\n###')")
    page = open_page("#puzzle=sudoku-4x4-empty&tab=edit")
    page.fill(".sudoku input >> nth=0", "3")
    page.wait_for_url(re.compile("#text="))
    until(page, r"document.querySelector('#toml').value.includes('3...\n....')")
    page.click("text=Regions")
    for brush, cell in (("b", "0,0"), ("a", "0,2")):
        page.select_option("[aria-label='Region to paint']", brush)
        page.click(f".regions [data-at='{cell}']")
    until(page, r"document.querySelector('#toml').value.includes('baab\naabb\n')")
    page = open_page("#puzzle=cats&tab=edit")
    loaded(page)
    turn_to(page, "solve")
    assert solved(page).startswith("4 solutions")
    turn_to(page, "edit")
    for side in range(4):
        page.click(f".tile [role=button] >> nth={side}")
    sides = ", ".join(['"cheetah head"'] * 4)
    until(page, f"document.querySelector('#toml').value.includes('1 = [{sides}]')")
    turn_to(page, "solve")
    assert not solved(page).startswith("4 solutions")
    page = open_page("#puzzle=cube&tab=edit")
    page.click(".foam [data-at='0,0']")
    until(page, "document.querySelector('#toml').value.includes('A = \"\"\"\\n#.##..')")


@pytest.mark.slow
def test_a_sudoku_is_pasted_as_a_line(open_page: Open) -> None:
    page = open_page("#puzzle=sudoku-4x4-empty&tab=edit")
    loaded(page)
    write(page, "1234341221434321")
    page.wait_for_url(re.compile("#text="))
    turn_to(page, "solve")
    assert solved(page).startswith("1 solution ")


CANDIDATES = """family = "sudoku"
grid = '''
1...
....
....
...2
'''
candidates = '''
1 234 234 234
234 1234 1234 1234
234 1234 1234 1234
234 1234 1234 2
'''
"""


def test_a_pasted_grid_has_no_candidates_of_the_old_one(open_page: Open) -> None:
    page = open_page("#puzzle=sudoku-4x4-empty&tab=edit")
    loaded(page)
    cell = ".sudoku [aria-label='row 1, column 1']"
    for other in (True, False):
        write(page, CANDIDATES)
        until(page, f"document.querySelector(\"{cell}\")?.value === '1'")
        if other:
            page.fill(".sudoku [aria-label='row 2, column 2']", "4")
            until(page, "document.querySelector('#toml').value.includes('.4..')")
            assert "candidates" in page.input_value("#toml"), "one digit is no other grid"
            page.evaluate(PASTE, [cell, "2341" + "." * 12])
        else:
            page.click("button:has-text('Empty the grid')")
        until(page, "!document.querySelector('#toml').value.includes('candidates')")
        assert page.input_value(cell) == ("2" if other else "")


@pytest.mark.slow
def test_a_board_is_chosen_by_its_picture(open_page: Open) -> None:
    page = open_page("#puzzle=lights-5x5&tab=edit")
    loaded(page)
    page.click("#boards summary")
    page.wait_for_selector("[data-board=dodecahedron] svg")
    page.click("[data-board='hexagon 3']")
    until(page, "document.querySelector('#toml').value.includes('hexagon 3')")
    until(page, "document.querySelector('#board-name').value === 'hexagon 3'")
    page.wait_for_selector("#toml-problem", state="hidden")
    page.click("#undo")
    until(page, "document.querySelector('#toml').value.includes('square 5x5')")


def test_an_error_is_shown_at_its_line(open_page: Open) -> None:
    page = open_page("#puzzle=cats&tab=edit")
    loaded(page)
    write(page, TILES.replace('"red", "blue", "red", "gold"', '"red", "blue", "red"'))
    page.wait_for_selector("#toml-problem:visible")
    assert page.inner_text("#toml-problem").startswith("Line 6: ")
    assert page.inner_text(".numbers .wrong").strip() == "6"
    write(page, TILES + "\n[[[")
    until(page, "document.querySelector('#toml-problem').textContent.startsWith('Line 9')")
    write(page, TILES)
    page.wait_for_selector("#toml-problem", state="hidden")


def test_nothing_is_answered_about_the_puzzle_before_a_wrong_edit(open_page: Open) -> None:
    page = open_page("#puzzle=cats&tab=solve")
    loaded(page)
    assert solved(page).startswith("4 solutions")
    turn_to(page, "edit")
    write(page, TILES.replace('"gold"]', "]"))
    page.wait_for_selector("#toml-problem:visible")
    turn_to(page, "solve")
    assert page.inner_text("#count") == ""
    assert (
        page.inner_text("#caption") == "The last edit has an error; this is the puzzle before it."
    )
    for ask in ("#solve", "#unique"):
        page.click(ask)
        until(
            page,
            "document.querySelector('#verdict').textContent.startsWith('Mend the puzzle first, "
            "under Change it: ')",
        )
    assert (
        page.inner_text("#caption") == "The last edit has an error; this is the puzzle before it."
    )
    turn_to(page, "edit")
    write(page, TILES)
    page.wait_for_selector("#toml-problem", state="hidden")
    turn_to(page, "solve")
    assert page.inner_text("#caption") == ""
    assert solved(page).startswith("1 solution ")


def test_limits_below_one_are_refused_and_the_focus_is_kept(open_page: Open) -> None:
    page = open_page("#puzzle=cats&tab=solve")
    loaded(page)
    page.click("#options summary")
    page.fill("#limit", "-5")
    page.click("#solve")
    assert page.inner_text("#count") == ""
    page.fill("#limit", "")
    page.focus("#solve")
    page.keyboard.press("Enter")
    until(page, "document.querySelector('#count').textContent.startsWith('4 solutions')")
    until(page, "document.activeElement.id === 'solve'")


@pytest.mark.parametrize("openings", [3, pytest.param(50, marks=pytest.mark.slow)])
def test_each_view_in_space_frees_its_context(open_page: Open, openings: int) -> None:
    page = open_page("#puzzle=cube&tab=solve")
    page.evaluate("""() => {
        globalThis.contexts = [];
        const open = HTMLCanvasElement.prototype.getContext;
        HTMLCanvasElement.prototype.getContext = function (kind, ...rest) {
            const context = open.call(this, kind, ...rest);
            if (kind.startsWith("webgl") && context) contexts.push(context);
            return context;
        };
    }""")
    for _ in range(openings):
        page.evaluate("location.hash = '#puzzle=cube&tab=solve'")
        loaded(page)
        assert solved(page).startswith("96 solutions")
        page.wait_for_selector(".space canvas")
        page.evaluate("location.hash = '#'")
        until(page, "!document.querySelector('.space')")
    assert page.evaluate("contexts.length && contexts.every((context) => context.isContextLost())")


def test_nine_tiles_are_added_by_clicks(open_page: Open) -> None:
    page = open_page("#puzzle=push-pull&tab=edit")
    loaded(page)
    write(page, TILES)
    page.wait_for_selector(".tile")
    page.click("#boards summary")
    page.wait_for_selector("#board-name")
    page.fill("#board-name", "square 3x3")
    page.keyboard.press("Enter")
    says = "document.querySelector('#missing').textContent"
    for number in range(3, 10):
        until(page, f"{says}.includes('{number - 1} of 9 tiles entered')")
        assert not page.is_visible("#toml-problem")
        page.click("text=+ Add a tile")
        until(page, f"document.querySelectorAll('.tile').length === {number}")
    until(page, f"{says}.includes('28 sides have no label yet')")
    page.focus(".tile [role=button] >> nth=8")
    page.keyboard.type("1" * 28)
    until(page, f"{says} === ''")
    until(page, r"document.querySelector('#toml').value.includes('square 3x3')")
    page.click("[aria-label='Remove tile left']")
    until(page, f"{says}.includes('8 of 9 tiles entered')")
    turn_to(page, "solve")
    assert page.inner_text("#caption").startswith("Not complete yet: 8 of 9 tiles entered")
    page.click("#solve")
    until(
        page,
        "document.querySelector('#verdict').textContent.startsWith('Not complete yet: 8 of 9 "
        "tiles entered')",
    )
    page.reload()
    turn_to(page, "edit")
    until(page, "document.querySelectorAll('.tile').length === 8")
    page.click("text=+ Add a tile")
    until(page, f"document.querySelectorAll('.tile').length === 9 && {says}.includes('4 sides')")
    for number in (8, 9):
        page.click("#undo" if number == 8 else "#redo")
        until(page, f"document.querySelectorAll('.tile').length === {number}")
    page.fill("#pairs", "red - blue, gold – green")
    page.keyboard.press("Enter")
    until(page, r"document.querySelector('#toml').value.includes('matching = [')")
    page.fill("#pairs", "red blue")
    page.keyboard.press("Enter")
    assert not page.evaluate("document.querySelector('#pairs').validity.valid")
    assert "matching = [" in page.input_value("#toml")


def test_things_are_added_removed_and_renamed_on_the_picture(open_page: Open) -> None:
    page = open_page("#puzzle=cats&tab=edit")
    page.wait_for_selector(".easel .tile")
    assert not page.is_visible("#picture")
    page.click("[aria-label='Name of tile 1']")
    until(
        page, "document.activeElement.selectionEnd - document.activeElement.selectionStart === 1"
    )  # to be replaced
    page.keyboard.type("Tom")
    page.keyboard.press("Enter")
    until(page, "document.querySelector('#toml').value.includes('Tom = [')")
    page.wait_for_selector("[aria-label='Name of tile Tom']")
    page.fill("[aria-label='Name of tile 2']", "Tom")
    page.keyboard.press("Enter")
    assert not page.evaluate(
        "document.querySelector(`[aria-label='Name of tile 2']`).validity.valid"
    )
    page.fill("#title", "My cats")
    page.keyboard.press("Enter")
    until(page, "document.querySelector('h1').textContent === 'My cats'")
    turn_to(page, "solve")
    assert page.is_visible("#picture")
    assert solved(page).startswith("4 solutions")
    page = open_page("#puzzle=dinner&tab=edit")
    page.wait_for_selector(".thing")
    page.fill("[aria-label='Name of guest Bob']", "Robert")
    page.keyboard.press("Enter")
    until(
        page, """document.querySelector('#toml').value.includes('{ apart = ["Alex", "Robert"] }')"""
    )
    page.fill("#tables", "round 9")
    page.keyboard.press("Enter")
    page.fill("[aria-label='Add guests']", "Ines, Jo")
    page.keyboard.press("Enter")
    until(
        page,
        "document.querySelector('#missing').textContent.includes('10 guests, but the tables have "
        "only 9 seats')",
    )
    page.fill("#tables", "round 10")
    page.keyboard.press("Enter")
    until(page, "!document.querySelector('#missing').textContent")
    assert '"Helen", "Ines", "Jo"]' in page.input_value("#toml")
    page = open_page("#puzzle=cube&tab=edit")
    page.wait_for_selector(".foam")
    page.click("[aria-label='Remove piece F']")
    page.click("text=+ Add a piece")
    until(page, "document.querySelectorAll('.foam').length === 6")
    page.click(".foam [data-at='0,0'] >> nth=5")
    until(page, "document.querySelector('#toml').value.includes('F = ')")


def test_boards_grow_by_two_numbers_and_are_drawn_and_typed(open_page: Open) -> None:
    page = open_page("#puzzle=pentominoes-6x10&tab=edit")
    page.wait_for_selector("[aria-label='The board']")
    page.fill("[aria-label=Rows]", "7")
    page.keyboard.press("Tab")
    until(page, "document.querySelectorAll(`[aria-label='The board'] .line`).length === 7")
    page.click("text=+ Add a piece")
    until(page, "document.querySelectorAll('.pieces .board').length === 13")
    for column in range(1, 10):
        page.click(f"[aria-label='The board'] [data-at='6,{column}']")
    until(page, r"document.querySelector('#toml').value.includes('##########\n#.........')")
    turn_to(page, "solve")
    page.click("#options summary")
    page.fill("#limit", "1")
    assert solved(page).startswith("The first 1 distinct solution ")
    page = open_page("#puzzle=latin-4&tab=edit")
    page.click("[aria-label='row 1, column 2']")
    page.keyboard.press("3")
    until(page, r"document.querySelector('#toml').value.includes('.3..\n')")
    page = open_page("#puzzle=crossword-5x5&tab=edit")
    page.click("[aria-label='row 1, column 4']")
    page.keyboard.type("ab")
    until(page, r"document.querySelector('#toml').value.includes('##.AB\n')")


def test_each_of_thirty_digits_is_a_step_and_text_half_typed_is_kept(open_page: Open) -> None:
    page = open_page("#puzzle=sudoku-4x4-empty&tab=edit")
    for number in range(30):
        page.focus("[aria-label='row 1, column 1']")  # typing moves on to the next cell
        page.keyboard.press("12"[number % 2])
    until(page, r"document.querySelector('#toml').value.includes('2...\n')")
    for _ in range(30):
        page.click("#undo")
    until(page, "document.querySelector('#undo').disabled")
    until(page, "document.querySelector(`[aria-label='row 1, column 1']`).value === ''")
    page = open_page("#puzzle=cats&tab=edit")
    page.wait_for_selector(".easel .tile")
    page.click("text=+ Add a tile")
    page.focus("[aria-label='Name of tile 1']")
    page.keyboard.press("Control+a")
    page.keyboard.type("Tom")
    until(page, "document.querySelector('#toml').value.includes('10 = [')")
    page.keyboard.press("Enter")
    until(page, "document.querySelector('#toml').value.includes('Tom = [')")
    page.fill("[aria-label='Another label']", "bear")
    page.keyboard.press("Enter")
    until(page, """document.querySelector('#toml').value.includes('["bear head", "bear tail"]')""")
    page.click(".tile [role=button] >> nth=0")
    until(page, """document.querySelector('#toml').value.includes('Tom = ["bear head"')""")
    page.click(".tile [role=button] >> nth=0")  # what belongs to it
    until(page, """document.querySelector('#toml').value.includes('Tom = ["bear tail"')""")
    assert not page.is_visible("#toml-problem")


def test_pictures_are_dropped_on_tiles_or_chosen_and_go_with_the_puzzle(
    open_page: Open, tmp_path: Path
) -> None:
    drawn = tmp_path / "sun.svg"
    drawn.write_text(
        '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="6"><circle cx="4" cy="3" '
        'r="3"/></svg>'
    )
    page = open_page("#puzzle=cats&tab=edit")
    page.wait_for_selector(".easel .tile")
    page.evaluate(DROP, ["5", "five.png"])
    page.wait_for_selector("[data-thing='5'][data-pictured]")
    page.click("#pictures summary")
    page.set_input_files(
        "#picture-files", [str(drawn), str(drawn)]
    )  # for the first tiles, in order
    page.wait_for_selector("[data-thing='2'] image")
    page.wait_for_selector("#pictures img[alt='tile 2']")  # beside the button as well
    page.wait_for_selector("[data-thing='2'] .plate:text('lion tail')")  # its labels stay readable
    page.select_option("[aria-label='Which get pictures']", "5")
    assert page.inner_text("#remove-pictures") == "Remove from tile 5"
    turn_to(page, "solve")
    assert solved(page).startswith("4 solutions")
    assert page.locator("#picture use").count() == 3
    words = page.locator("#picture text").all_text_contents()
    assert {*"123456789"} <= {*words}, "each tile keeps its number"
    assert sum(" " in word for word in words) >= 12, "and its four labels"
    page.reload()  # the address has the pictures as well
    loaded(page)
    turn_to(page, "edit")
    page.wait_for_selector("[data-thing='5'][data-pictured]")
    mine = load(tomllib.loads(page.input_value("#toml")))
    assert sorted(mine.pictures) == ["1", "2", "5"]  # type: ignore[attr-defined]
    page.click("[aria-label='Remove tile 5']")  # with its picture
    until(page, "document.querySelector('#missing').textContent.includes('8 of 9 tiles')")
    page.click("#pictures summary")
    page.select_option("[aria-label='Which get pictures']", "")
    page.click("#remove-pictures")
    until(page, "!document.querySelector('[data-pictured]')")
    page.evaluate(DROP, ["1", "no.txt"])
    page.wait_for_selector("[data-thing='1'][data-pictured]")
    page.wait_for_selector("#remove-pictures:visible")  # drawn anew
    page.set_input_files(
        "#picture-files", {"name": "no.png", "mimeType": "image/png", "buffer": b"no picture"}
    )
    until(
        page, "document.querySelector('#pictures').textContent.includes('no.png is not a picture')"
    )


def test_a_guest_is_removed_with_the_rules_about_the_guest(open_page: Open) -> None:
    page = open_page("#puzzle=dinner&tab=edit")
    page.click("[aria-label='Remove guest Bob']")
    until(page, "!document.querySelector('#toml').value.includes('Bob')")
    assert not page.is_visible("#toml-problem")
    assert "Cathy" in page.input_value("#toml")


def test_a_foam_cube_without_teeth_is_a_draft(open_page: Open) -> None:
    page = open_page("#new=interlocking")
    page.click("#start")
    until(
        page,
        "document.querySelector('#missing')?.textContent === 'Not complete yet: no piece has "
        "teeth yet'",
    )
    assert page.is_disabled("#edited")
    page.click("[aria-label='Piece A'] [data-at='0,0']")
    page.wait_for_selector(READ)


def test_each_tap_of_a_finger_on_another_cell_counts(open_page: Open) -> None:
    page = open_page("#new=interlocking", has_touch=True, is_mobile=True)
    page.click("#start")
    cells = [
        f"[aria-label='Piece A'] [data-at='{row},{column}']"
        for row, column in ((0, 0), (0, 1), (0, 2), (5, 2))
    ]
    for cell in cells:
        page.tap(cell)
        page.wait_for_selector(f"{cell}[data-character='#']")
    page.tap(cells[1])
    page.wait_for_selector(f"{cells[1]}[data-character='.']")


def test_other_settings_are_menus(open_page: Open) -> None:
    page = open_page("#puzzle=cats&tab=edit")
    page.click("#settings summary")
    page.select_option("[aria-label=turning]", "false")
    until(page, "document.querySelector('#toml').value.includes('turning = false')")
    page.wait_for_selector("#settings[open] [aria-label=turning]")
    page.select_option("[aria-label=turning]", "")
    until(page, "!document.querySelector('#toml').value.includes('turning')")


@pytest.mark.usefixtures("server_only")
def test_only_the_newest_edit_is_read_and_solving_waits_for_it(open_page: Open) -> None:
    page = open_page("#puzzle=sudoku-4x4-empty&tab=edit")
    page.click("[aria-label='row 1, column 1']")
    until(page, "document.querySelector('#toml').value")
    held: list[Any] = []
    wanted = '"load"'  # what is held back
    page.route(
        "**/api",
        lambda route: (
            held.append(route) if wanted in route.request.post_data else route.continue_()
        ),
    )
    for column, digit in enumerate("1234", 1):
        page.fill(f"[aria-label='row 1, column {column}']", digit)
    page.click("#edited")
    assert page.inner_text("#count") == "Searching …"
    page.wait_for_timeout(100)
    assert len(held) == 1, "the edits after the first one wait"
    wanted = "none of them"
    with page.expect_request(lambda request: '"load"' in (request.post_data or "")) as newest:
        held[0].continue_()
    assert "1234" in newest.value.post_data
    until(page, "document.querySelector('#count').textContent.startsWith('12 solutions')")
    turn_to(page, "edit")
    for left in ("123.", "12..", "1...", "...."):
        page.click("#undo")
        until(page, f"document.querySelector('#toml').value.includes('{left}')")
    assert page.is_disabled("#undo")


@pytest.mark.usefixtures("server_only")
def test_solving_waits_for_an_edit_that_mends_what_was_refused(open_page: Open) -> None:
    page = open_page("#puzzle=dinner&tab=edit")
    page.wait_for_selector(READ)
    page.fill("#tables", "round x")
    page.wait_for_selector("#edited:disabled")
    held: list[Any] = []
    holding = True
    page.route("**/api", lambda route: held.append(route) if holding else route.continue_())
    page.fill("#tables", "round 8")
    until(page, "!document.querySelector('#edited').disabled")
    page.click("#edited")
    assert page.is_visible("#edited"), "it may be refused, too"
    holding = False
    while held:
        held.pop().continue_()
    until(page, "document.querySelector('#count').textContent.startsWith('4,320 solutions')")


def test_a_side_is_clicked_and_the_next_ones_are_typed(open_page: Open) -> None:
    page = open_page("#puzzle=cats&tab=edit")
    page.click(".tile [role=button] >> nth=0")
    clicked = page.get_attribute(".tile [role=button] >> nth=0", "aria-label")
    page.keyboard.press("3")
    page.keyboard.press("4")
    labels = [
        page.get_attribute(f".tile [role=button] >> nth={i}", "aria-label").split(": ")[1]
        for i in range(3)
    ]
    brushes = page.eval_on_selector_all(".brushes input", "all => all.map((each) => each.value)")
    assert labels == [clicked.split(": ")[1], brushes[2], brushes[3]]
    page.focus(".tile [role=button] >> nth=35")
    page.keyboard.type("12")
    assert page.get_attribute(".tile [role=button] >> nth=35", "aria-label").endswith(
        brushes[0]
    )  # one key too many


# -- the order of names, and what is refused

NUMBERED = """family = "edge-matching"
board = "square 1x3"
turning = false

[tiles]
b = ["red", "blue", "red", "gold"]
10 = ["red", "green", "red", "blue"]
2 = ["red", "gold", "red", "green"]
"""


def test_renamed_tiles_keep_their_order(open_page: Open) -> None:
    page = open_page("#puzzle=cats&tab=edit")
    loaded(page)
    write(page, NUMBERED)
    page.wait_for_selector("[data-thing='10']")
    for old, new, order in (
        ("b", "7", ["7", "10", "2"]),
        ("10", "ten", ["7", "ten", "2"]),
        ("2", "1", ["7", "ten", "1"]),
    ):
        page.fill(f"[aria-label='Name of tile {old}']", new)
        page.keyboard.press("Enter")
        page.wait_for_selector(f"[data-thing='{new}']")
        until(page, f"/^{new} = /m.test(document.querySelector('#toml').value)")
        assert things(page) == order
        assert list(tomllib.loads(page.input_value("#toml"))["tiles"]) == order
    page.click("[data-thing='ten'] .tile [role=button] >> nth=0")
    page.click("#undo")
    until(page, "!document.querySelector('#redo').disabled")
    assert things(page) == ["7", "ten", "1"]


def things(page: Any) -> list[str]:
    names: list[str] = page.evaluate(
        "[...document.querySelectorAll('[data-thing]')].map((each) => each.dataset.thing)"
    )
    return names


def test_a_name_that_is_taken_is_refused_visibly(open_page: Open) -> None:
    page = open_page("#puzzle=cats&tab=edit")
    loaded(page)
    write(page, NUMBERED)
    page.wait_for_selector("[data-thing='10']")
    page.fill("[aria-label='Name of tile b']", "10")
    page.keyboard.press("Enter")
    problem = page.wait_for_selector(".pieces .problem:not(:empty)", state="visible")
    assert problem.inner_text() == "There is already a tile “10”, so “b” keeps its name"
    assert list(tomllib.loads(page.input_value("#toml"))["tiles"]) == ["b", "10", "2"]
    page.fill("[aria-label='Name of tile b']", "11")
    page.keyboard.press("Enter")
    page.wait_for_selector("[data-thing='11']")
    assert not page.is_visible(".pieces .problem")


def test_what_is_typed_counts_before_the_field_is_left(open_page: Open) -> None:
    page = open_page("#puzzle=dinner&tab=edit")
    page.wait_for_selector(".thing")
    page.fill("#tables", "round 10")
    page.focus("[aria-label='Add guests']")
    page.keyboard.type("Ines, Jo")
    until(page, "document.querySelector('#missing').textContent === ''")
    until(page, """document.querySelector('#toml').value.includes('"Helen", "Ines", "Jo"]')""")
    assert page.is_enabled("#edited")
    assert page.evaluate("document.activeElement.getAttribute('aria-label')") == "Add guests"
    page.focus("[aria-label='Name of guest Bob']")
    until(page, "document.querySelector(`[aria-label='Add guests']`).value === ''")  # drawn anew
    page.fill("[aria-label='Name of guest Bob']", "Robert")  # one edit, although it is typed
    page.reload()
    page.wait_for_selector("[aria-label='Name of guest Robert']")
    assert things(page)[-2:] == ["Ines", "Jo"]

    # all that was typed in a field is undone at once
    page.focus("#title")
    page.keyboard.type("abc")
    page.click("#undo")
    until(page, "document.querySelector('#undo').disabled")

    # a question that the editor asks leads back to it
    page.click("#panel-edit >> text=Unique?")
    page.wait_for_selector("#panel-solve:visible")
    page.click(".back")
    page.wait_for_selector("#panel-edit:visible")


def test_a_guest_who_is_there_already_is_refused_visibly(open_page: Open) -> None:
    page = open_page("#puzzle=wedding-small&tab=edit")
    loaded(page)
    page.wait_for_selector("[data-thing]")
    (first, *_) = things(page)
    page.fill("[aria-label='Add guests']", f"Zoe, {first}")
    page.keyboard.press("Enter")
    problem = page.wait_for_selector(".pieces .problem:not(:empty)", state="visible")
    assert problem.inner_text() == f"There is already a guest “{first}”; nothing was added"
    assert page.input_value("[aria-label='Add guests']") == f"Zoe, {first}"


PASTE = """([selector, text]) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData("text", text);
    const options = { clipboardData, bubbles: true, cancelable: true };
    return document.querySelector(selector).dispatchEvent(new ClipboardEvent("paste", options));
}"""
"""Paste a text; the result is whether the browser goes on to put it into the field."""


def test_a_text_that_is_no_grid_says_so_and_changes_nothing(open_page: Open) -> None:
    page = open_page("#puzzle=sudoku-hard&tab=edit")
    loaded(page)
    cell = ".sudoku [aria-label='row 1, column 1']"
    page.wait_for_selector(cell)
    before = page.input_value("#toml")
    page.fill(cell, "5")
    until(page, "!document.querySelector('#undo').disabled")
    edited = page.input_value(cell)
    for text, why in (
        ("hello", "5 cells instead of 9 × 9"),
        ("123456789", "9 cells instead of 9 × 9"),
        (
            "." * 10 + "x" + "." * 70,
            "row 2, column 2 is “X”; expected one of 123456789, or . for an empty cell",
        ),
    ):
        assert not page.evaluate(PASTE, [cell, text])
        problem = page.wait_for_selector(f".problem:text('{why}')", state="visible")
        assert problem.inner_text() == f"What was pasted is no grid: {why}. Nothing was changed."
        assert page.input_value(cell) == edited == "5"
    page.fill(cell, "x")
    page.wait_for_selector(".problem:text('“X” does not belong here')", state="visible")
    assert page.input_value(cell) == "5"
    assert page.evaluate(PASTE, [cell, "4"]), "one digit is typed"
    assert not page.evaluate(PASTE, [cell, "7" + "." * 80])
    assert page.input_value(cell) == "7" and not page.is_visible(".problem:has-text('pasted')")
    assert page.input_value("#toml") != before


def test_digits_are_typed_one_after_the_other_and_escape_gives_a_name_back(open_page: Open) -> None:
    page = open_page("#puzzle=sudoku-6x6&tab=edit")
    page.click("[aria-label='row 1, column 1']")
    page.keyboard.type("12")
    cells = page.locator(".sudoku input").evaluate_all("all => all.map((each) => each.value)")
    assert cells[:2] == ["1", "2"]
    assert page.locator(".brushes kbd").count() == 0  # a key writes its own digit
    page.fill("#title", "Mine")
    page.keyboard.press("Escape")
    assert page.input_value("#title") == "A sudoku of 6×6"
    until(page, "!document.querySelector('#toml').value.includes('Mine')")


def test_cells_are_skipped_by_keys_and_backspace_goes_back(open_page: Open) -> None:
    page = open_page("#puzzle=sudoku-6x6&tab=edit")
    page.click("[aria-label='row 1, column 1']")
    page.keyboard.type("12.0 3")  # what is skipped is empty
    page.keyboard.press("Backspace")  # in the next cell, which is empty: back to the 3
    cells = page.locator(".sudoku input").evaluate_all("all => all.map((each) => each.value)")
    assert cells[:6] == ["1", "2", "", "", "", "3"]
    page.wait_for_selector("[aria-label='row 1, column 6']:focus")


def test_a_piece_that_is_written_side_after_side_is_drawn_with_its_sides(open_page: Open) -> None:
    page = open_page("#puzzle=pentagons&tab=edit", viewport={"width": 390, "height": 844})
    page.wait_for_selector(".strip")
    first = page.locator(".thing >> nth=0").locator(".strip .quiet").all_inner_texts()
    assert first == [f"side {number}" for number in range(1, 6)]
    assert page.evaluate("document.documentElement.scrollWidth") == 390


def test_a_puzzle_that_is_left_before_the_edit_is_read_is_kept_once(open_page: Open) -> None:
    page = open_page("#new=latin")
    page.click("#start")
    page.wait_for_selector("#title")
    page.evaluate("""() => {
        const title = document.querySelector("#title");
        title.value = "Left early";
        title.dispatchEvent(new Event("input", { bubbles: true }));
        location.hash = "";
    }""")
    drafts = "JSON.parse(localStorage.getItem('jigsat-drafts'))"
    until(page, f"{drafts}[0].plain && {drafts}[0].text !== {drafts}[0].plain")
    page.go_back()
    until(page, "document.querySelector('h1').textContent === 'Left early'")
    assert page.evaluate(f"{drafts}.length") == 1


GUESTS = [f"Guest {number}" for number in range(1, 41)]
WEDDING = f"family = 'seating'\ntables = 'round 40'\nguests = {GUESTS}\n"


def test_a_rule_about_two_of_many_guests_is_told_where_it_was_added(
    open_page: Open, tmp_path: Path
) -> None:
    file = tmp_path / "wedding.toml"
    file.write_text(WEDDING, encoding="utf-8")
    page = open_page(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    with page.expect_file_chooser() as chooser:
        page.click("label[for=open-file]")
    chooser.value.set_files(file)
    loaded(page)
    turn_to(page, "edit")
    for guest in ("Guest 7", "Guest 39"):
        page.fill("[aria-label='Find a guest']", guest)
        page.tap(f".chairs button:text-is('{guest}')")
    told = page.wait_for_selector(".finding :text('Guest 7 and Guest 39 sit together.')")
    box = told.bounding_box()
    assert box and box["y"] >= 0 and box["y"] + box["height"] <= 844, "it is seen"
    page.wait_for_selector(".rules li", state="attached")
    page.tap("[aria-label='Take back: Guest 7 and Guest 39 sit together']")
    page.wait_for_selector(".rules li", state="detached")
    page.wait_for_selector(".finding :text('Choose a rule')")


def test_a_rule_about_guests_with_long_names_leaves_room_for_the_guests(open_page: Open) -> None:
    page = open_page("#puzzle=dinner&tab=edit", **PHONE)
    page.wait_for_selector("[data-guest]")
    names = [f"Alexander {i} of the House of Seven Very Long Winters and Springs" for i in (1, 2)]
    guests = [*(f"Guest {i}" for i in range(1, 32)), *names]
    write(page, f'family = "seating"\ntables = "round 33"\nguests = {guests}')
    page.wait_for_selector("[data-guest='Guest 31']")
    for name in names:
        page.evaluate("(name) => document.querySelector(`[data-guest='${name}']`).click()", name)
    page.wait_for_selector(f"[aria-label='Take back: {names[0]} and {names[1]} sit together']")
    guest, bar = (
        page.locator(each).bounding_box() for each in ("[data-guest='Guest 1']", "#panel-edit .bar")
    )
    assert guest and bar and guest["y"] + guest["height"] <= bar["y"], "it is seen"


@pytest.mark.parametrize("window", [PHONE, {"viewport": {"width": 1280, "height": 800}}])
def test_what_is_refused_is_said_beside_its_field(open_page: Open, window: dict[str, Any]) -> None:
    page = open_page("#puzzle=futoshiki-4&tab=edit", **window)
    signs = page.locator("[aria-label=signs]")
    signs.fill("x")
    signs.blur()
    problem = page.locator("#entry-problem")
    problem.wait_for()
    message = "row 1, column 1 of the drawing is 'x'; write < or > across, ^ or v down, or ."
    assert problem.text_content() == message and not page.is_visible("#toml-problem")
    marked = page.locator("[aria-invalid=true]")
    assert marked.get_attribute("aria-label") == "signs"
    assert marked.get_attribute("aria-describedby") == "entry-problem"
    under = "document.querySelector('#entry-problem').contains(document.elementFromPoint(x, y))"
    box = problem.bounding_box()
    assert box is not None
    point = f"[{box['x'] + 20}, {box['y'] + box['height'] / 2}]"
    assert page.evaluate(f"(([x, y]) => {under})({point})"), "it is seen"

    # Another fault is said at another field. Undoing leads back to the first one, with what was typed.
    given = page.locator("[aria-label=given]")
    given.fill(".t\n.")
    given.blur()
    page.wait_for_selector("#entry-problem:text('row 2 has 1 cell, but row 1 has 2')")
    assert marked.get_attribute("aria-label") == "given"
    page.click("#undo")
    page.wait_for_selector(f'#entry-problem:text("{message}")')
    assert len(given.input_value().split()) == 4
    signs.fill("\n".join(7 * ["......."]))
    signs.blur()
    page.wait_for_selector(READ)
    assert marked.count() == 0 and problem.count() == 0


@pytest.mark.parametrize("options", [{}, PHONE])
def test_numbers_are_typed_beside_the_board(open_page: Open, options: dict[str, Any]) -> None:
    page = open_page("#puzzle=skyscrapers-5&tab=edit", **options)
    page.wait_for_selector(READ)
    hand = (Finger if options else Mouse)(page)
    hand.tap("[aria-label='seen, left, row 1']")
    page.keyboard.type("3.1?2")  # typing moves on
    until(page, "document.querySelector('#toml').value.includes('left = \"3 . 1 ? 2\"')")
    hand.tap("[aria-label='seen, bottom, column 1']")
    page.keyboard.press("Backspace")
    page.keyboard.press("ArrowRight")
    page.keyboard.type("4")
    until(page, "document.querySelector('#toml').value.includes('bottom = \". 4 . 2 .\"')")
    hand.tap("[aria-label='row 2, column 3']")
    page.keyboard.type("5")
    until(page, "document.querySelector('#toml').value.includes('..5..')")
    hand.tap("[aria-label='seen, top, column 2']")
    page.keyboard.press("Backspace")  # the only number of its side
    until(page, "!document.querySelector('#toml').value.includes('top')")
    board = page.locator(".sudoku").bounding_box()
    sides = [page.locator(f".rim[data-side={side}]").bounding_box() for side in ("top", "left")]
    assert abs(sides[0]["width"] - board["width"]) < 3
    assert abs(sides[1]["height"] - board["height"]) < 3


def test_the_numbers_beside_a_board_follow_its_size(open_page: Open) -> None:
    page = open_page("#puzzle=tents-7&tab=edit")
    page.wait_for_selector(".rimmed")
    page.fill("[aria-label=Rows]", "8")
    page.keyboard.press("Tab")
    until(page, "document.querySelector('#toml').value.includes('left = \". 1 0 . . 2 . .\"')")
    page.wait_for_selector("[aria-label='numbers, left, row 8']")
    page.wait_for_selector(READ)


def test_the_first_key_after_a_tap_replaces_the_text(open_page: Open) -> None:
    page = open_page("#puzzle=nonogram-heart&tab=edit", **PHONE)
    page.locator("[aria-label='lengths, row 2']").wait_for()
    # The timers of a busy phone come only after the first keys.
    page.evaluate("""() => {
        const later = window.setTimeout;
        window.setTimeout = (act, time = 0, ...more) => later(act, time + 300, ...more);
    }""")
    for line in ("row 1", "column 1", "row 1"):
        field = page.locator(f"[aria-label='lengths, {line}']")
        field.tap()
        page.keyboard.type("2 1", delay=50)
        assert field.input_value() == "2 1"


def test_a_refused_table_is_marked(open_page: Open) -> None:
    page = open_page("#puzzle=dinner&tab=edit")
    page.fill("#tables", "round x")
    assert page.get_attribute("#tables", "aria-invalid") is None, "it is half typed"
    page.locator("#tables").blur()
    page.wait_for_selector("#entry-problem:text(\"unknown table 'round x'\")")
    assert page.get_attribute("#tables", "aria-invalid") == "true"


def test_a_wish_that_may_be_broken_is_made_by_two_taps(open_page: Open) -> None:
    page = open_page("#puzzle=dinner&tab=edit")
    page.check("#wishing")
    for guest in ("Helen", "Fiona"):
        page.click(f".chairs button:text-is('{guest}')")
    page.wait_for_selector(".rules li:has-text('Helen and Fiona sit together if possible')")
    wishes = tomllib.loads(page.input_value("#toml"))["wishes"]
    assert [rule["beside"] for rule in wishes] == [["Helen", "Fiona"]]
    assert page.is_checked("#wishing") and "Enforced" not in page.inner_text("#panel-edit")
    page.click("[aria-label='Take back: Helen and Fiona sit together']")
    page.wait_for_selector(".rules li:has-text('Helen and Fiona')", state="detached")
    page.wait_for_selector(READ)
    assert "Helen and Fiona" not in page.inner_text("#panel-edit")
    page.select_option("#enforced", "false")
    until(page, "document.querySelector('#toml').value.includes('enforced = false')")


@pytest.mark.parametrize(("name", "what"), [("killer-sudoku-6", "Sum"), ("calcudoku-5", "Result")])
def test_the_field_of_a_cage_says_what_its_number_is(open_page: Open, name: str, what: str) -> None:
    page = open_page(f"#puzzle={name}&tab=edit")
    page.click(".areas [data-at='0,0']")
    page.wait_for_selector(f"[aria-label='{what} of this cage']")
    page.wait_for_selector(READ)
    assert "There are none" not in page.inner_text("#panel-edit")


def test_foam_has_the_colours_of_the_board_in_the_editor(open_page: Open) -> None:
    page = open_page("#puzzle=cube&tab=edit")
    page.wait_for_selector(".foam")
    colour = (
        "each => getComputedStyle(each.querySelector('[data-character=\"-\"]')).backgroundColor"
    )
    colours = [each.evaluate(colour) for each in page.locator(".foam").all()]
    assert len(set(colours)) == 6 and colours[0] == "rgb(230, 159, 0)"


@pytest.mark.parametrize("options", [{}, PHONE])
def test_trees_are_put_into_cells_by_tapping(open_page: Open, options: dict[str, Any]) -> None:
    page = open_page("#puzzle=tents-4&tab=edit", **options)
    page.wait_for_selector(READ)
    hand = (Finger if options else Mouse)(page)
    for cell in ("0,0", "0,1"):  # one is planted, and one is cut down
        hand.tap(f".signs [data-at='{cell}']")
    until(page, "document.querySelector('#toml').value.includes('t...\\n...t')")
    assert page.locator(".signs button:has-text('♣')").count() == 4
    assert page.get_attribute(".signs [data-at='0,0']", "aria-label") == "row 1, column 1: tree ♣"
    page.fill("[aria-label=Rows]", "5")
    page.keyboard.press("Tab")
    until(page, "document.querySelector('#toml').value.includes('..t.\\n....\\n')")


def test_signs_are_chosen_and_black_cells_have_numbers(open_page: Open) -> None:
    page = open_page("#puzzle=galaxies-5&tab=edit")
    page.wait_for_selector(READ)
    page.click(".swatch:has([value='*'])")
    page.click(".signs [data-at='1,0']")
    until(page, "document.querySelector('#toml').value.includes('*..*.....')")
    page.fill("[aria-label=Rows]", "6")
    page.keyboard.press("Tab")
    until(page, "document.querySelectorAll('.signs .line').length === 11")
    page = open_page("#puzzle=akari-5&tab=edit")
    page.wait_for_selector(READ)
    page.click(".swatch:has([value='#'])")
    page.click("[aria-label='row 1, column 1']")
    page.click(".swatch:has([value=type])")
    page.fill("[aria-label='row 1, column 2']", "3")
    until(page, "document.querySelector('#toml').value.includes('#31..')")
    assert page.locator(".sudoku .black").count() == 5


def test_black_cells_with_long_numbers_are_typed(open_page: Open) -> None:
    page = open_page("#puzzle=akari-5&tab=edit")
    page.wait_for_selector(READ)
    write(page, 'family = "akari"\ncells = """\n. . .\n. 10 .\n. . .\n"""\n')
    page.wait_for_selector("textarea[aria-label=cells]")
    assert page.locator(".sudoku").count() == 0


def test_a_tooth_that_would_fall_off_is_marked_at_its_piece(open_page: Open) -> None:
    page = open_page("#puzzle=cube&tab=edit", **PHONE)
    page.wait_for_selector(READ)
    corner = page.locator("[data-thing=A] [data-at='0,0']")
    corner.tap()
    page.locator("[data-thing=A] [data-at='1,0']").tap()  # the tooth below it
    problem = page.locator("[data-thing=A] #entry-problem")
    problem.wait_for()
    words = "the tooth at the top left touches no other tooth, so it would fall off"
    assert problem.text_content().startswith(words)
    assert not page.is_visible(".facts .problem"), "it is said once"
    assert page.locator(READ).count(), "the puzzle can be solved"
    turn_to(page, "solve")
    assert "pieces.A: the tooth at the top left" in page.inner_text(".facts .problem")
    turn_to(page, "edit")
    problem.wait_for()
    corner.tap()
    problem.wait_for(state="detached")


TWO_COLOURS = """family = "tiling"
board = '''
aaaaab
aaaaaa
aaaaaa
aaaaaa
aaaaaa
aaaaaa
'''

[pieces]
"""
TWO_COLOURS += "".join(f"{name} = 'aaa'\n" for name in "ABCDEFGHIJK") + "L = 'aab'\n"


@pytest.mark.parametrize("window", [PHONE, {"viewport": {"width": 1280, "height": 600}}])
def test_a_second_tap_on_a_board_hits_the_same_cell_whatever_the_first_one_made_wrong(
    open_page: Open, window: dict[str, Any]
) -> None:
    page = open_page("#puzzle=dominoes-6x8&tab=edit", **window)
    page.wait_for_selector("[aria-label='The board']")
    write(page, TWO_COLOURS)
    cell = page.locator("[aria-label='The board'] [data-at='0,5']")
    until(page, "document.querySelector(`[aria-label='Piece L']`)")
    page.check("[aria-label=Paint] [value=b]", force=True)
    cell.scroll_into_view_if_needed()
    before = cell.bounding_box()
    point = before["x"] + before["width"] / 2, before["y"] + before["height"] / 2
    page.mouse.click(*point)
    page.wait_for_selector("[data-thing=L] #entry-problem", state="attached")
    said = page.locator("#missing")
    assert "no cell of the board has the colour 'b'" in said.text_content()
    assert cell.bounding_box() == before
    page.mouse.click(*point)
    page.wait_for_selector(READ)
    assert cell.get_attribute("data-character") == "b" and said.text_content() == ""


def test_pieces_with_too_many_cells_are_a_draft_that_is_opened_again(open_page: Open) -> None:
    page = open_page("#puzzle=pentominoes-8x8-hole&tab=edit")
    loaded(page)
    page.click("[aria-label='The board'] [data-at='0,0']")
    page.click("[aria-label='The board'] [data-at='0,1']")
    page.wait_for_selector(
        "#missing:text-is('Not complete yet: the pieces have 60 cells, but the board has 58')"
    )
    page.reload()
    page.wait_for_selector("[aria-label='The board'] [data-at='0,1'][data-character='.']")
    page.click(".back")
    page.click(".back")
    page.wait_for_selector(".drafts .card svg", state="attached")
    page.click(".drafts .card .open")
    page.wait_for_selector("[aria-label='Piece F']")


def test_a_key_is_for_the_first_cell_before_one_is_chosen(open_page: Open) -> None:
    page = open_page("#puzzle=sudoku-4x4-empty&tab=edit")
    loaded(page)
    page.evaluate("document.activeElement.blur()")
    page.keyboard.press("3")
    until(page, "document.querySelector(\"[aria-label='row 1, column 1']\").value === '3'")


def test_a_digit_paints_the_first_side_of_a_tile_before_one_is_chosen(open_page: Open) -> None:
    page = open_page("#puzzle=cats&tab=edit")
    loaded(page)
    side = page.locator(".tile [role=button]").first
    assert side.get_attribute("aria-label") == "tile 1, side 1: cheetah tail"
    page.evaluate("document.activeElement.blur()")
    page.keyboard.press("1")
    until(page, "document.activeElement.ariaLabel === 'tile 1, side 2: tiger tail'")
    assert side.get_attribute("aria-label") != "tile 1, side 1: cheetah tail"


def test_a_digit_is_written_into_the_marked_cell_before_one_is_chosen(open_page: Open) -> None:
    page = open_page("#puzzle=sudoku-4x4-empty")
    page.wait_for_selector("#panel-play:not([data-idle])")
    page.evaluate("document.activeElement.blur()")
    page.keyboard.press("3")
    page.wait_for_selector("#put-back:enabled")


def test_nothing_moves_on_a_phone_while_one_types_into_fields(open_page: Open) -> None:
    page = open_page("#puzzle=nonogram-heart&tab=edit", **PHONE)
    fields = [page.locator(f"[aria-label='lengths, row {row}']") for row in (3, 2)]
    fields[0].wait_for()
    loaded(page)
    lowest, bar = fields[0].bounding_box(), page.locator("#panel-edit .pinned").bounding_box()
    edge = lowest["y"] + lowest["height"] + 8  # which is just above the bar, then
    page.evaluate("(by) => scrollBy(0, by)", edge - bar["y"])
    before = [field.bounding_box() for field in fields]
    for box in before:
        page.touchscreen.tap(box["x"] + 20, box["y"] + 20)
        page.keyboard.type("3 1 x", delay=30)  # which is refused
        until(page, "document.querySelector('.stage[data-outdated]')")
        assert [field.bounding_box() for field in fields] == before
        page.keyboard.press("Backspace")
        page.keyboard.press("Backspace")
        page.wait_for_selector(READ)
        assert [field.bounding_box() for field in fields] == before
    page.evaluate("document.querySelector('.entries').dataset.old = ''")
    fields[0].focus()
    page.wait_for_selector(".entries:not([data-old])")  # all was drawn anew
    assert [field.bounding_box() for field in fields] == before
    assert page.evaluate("document.activeElement.getAttribute('aria-label')") == "lengths, row 3"
