"""Cages and rooms on the page: a drag over cells encloses them, and numbers are typed afterwards."""

from __future__ import annotations

import tomllib
from typing import Any

import pytest
from support.games import Finger, Mouse
from support.pages import READ, Open, solved, until

PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}

EARLY = """
    window.early = [];
    const look = () => {
        const ready = [...document.querySelectorAll("#edited:enabled, #unique:enabled, #solve:enabled")];
        const unread = document.querySelector(".heading [role=status]")?.textContent.startsWith("Loading");
        if (unread) early.push(...ready.map(({ id }) => id));
    };
    new MutationObserver(look).observe(document, { childList: true, subtree: true, attributes: true });
"""
"""Notes the buttons that can be pressed before there is something to solve."""


def _cell(row: int, column: int) -> str:
    return f".areas [data-at='{row},{column}']"


def _enclose(hand: Mouse, first: tuple[int, int], last: tuple[int, int]) -> None:
    hand.drag(hand.middle(_cell(*first)), hand.middle(_cell(*last)))


def _text(page: Any) -> dict[str, Any]:
    """What is edited, once all of it has been read."""
    page.wait_for_selector(READ)
    return tomllib.loads(page.input_value("#toml"))


@pytest.mark.parametrize(("options", "kind"), [({}, Mouse), (PHONE, Finger)])
def test_cages_are_drawn_and_their_sums_are_typed(
    open_page: Open, options: dict[str, Any], kind: type[Mouse]
) -> None:
    page = open_page("#new=killer-sudoku", **options)
    page.fill("#new-rows", "4")
    page.click("#start")
    page.wait_for_selector(_cell(3, 3))
    hand = kind(page)
    for row in 0, 2:
        for column in 0, 3:
            _enclose(hand, (row, column), (row + 1, column))
            if row == column:
                continue
            assert page.input_value("[aria-label='Sum of this cage']") == ""
    hand.tap(_cell(0, 0))
    page.keyboard.type("5")
    hand.tap(_cell(3, 3))
    page.keyboard.type("5")
    until(page, "document.querySelector('#toml').value.includes('D = 5')")
    cages = _text(page)["cages"]
    assert cages["cells"].split() == ["A..B", "A..B", "C..D", "C..D"]
    assert cages["numbers"] == {"A": 5, "D": 5}
    assert page.locator(".areas small").all_inner_texts() == ["5", "5"]
    hand.tap("#edited")
    assert solved(page).startswith("64 solutions")


@pytest.mark.parametrize("name", ["killer-sudoku-4", "calcudoku-4"])
def test_the_number_of_a_cage_is_typed_right_after_the_drag(open_page: Open, name: str) -> None:
    page = open_page(f"#puzzle={name}&tab=edit")
    page.wait_for_selector(_cell(3, 3))
    _enclose(Mouse(page), (1, 1), (1, 2))
    page.keyboard.type("7")
    until(page, "document.querySelector('#toml').value.includes('= 7')")
    cages = _text(page)["cages"]
    names = [row.split() if " " in row else list(row) for row in cages["cells"].split("\n")]
    assert names[1][1] == names[1][2] and cages["numbers"][names[1][1]] == 7


def test_a_cage_is_enlarged_cut_and_rubbed_out(open_page: Open) -> None:
    page = open_page("#puzzle=killer-sudoku-4&tab=edit")
    page.wait_for_selector(_cell(3, 3))
    hand = Mouse(page)

    def drawn() -> list[str]:
        return str(_text(page)["cages"]["cells"]).split()

    _enclose(hand, (0, 0), (2, 0))  # A grows, and C shrinks
    until(page, "document.querySelector('#toml').value.includes('C..D\\n')")
    assert drawn() == ["A..B", "A..B", "A..D", "C..D"]
    assert _text(page)["cages"]["numbers"] == {"A": 5, "D": 5}
    _enclose(hand, (1, 0), (1, 1))  # A falls apart
    until(page, "document.querySelector('#toml').value.includes('EE.B')")
    assert drawn() == ["A..B", "EE.B", "F..D", "C..D"]
    hand.tap(".swatch:has([value=clear])")
    _enclose(hand, (2, 3), (3, 3))
    until(page, "!document.querySelector('#toml').value.includes('D = 5')")
    assert drawn() == ["A..B", "EE.B", "F...", "C..."]
    page.click("#undo")
    until(page, "document.querySelector('#toml').value.includes('D = 5')")
    until(page, "document.querySelectorAll('.areas small').length === 2")


def test_rooms_are_drawn_by_keys(open_page: Open) -> None:
    page = open_page("#puzzle=heyawake-4&tab=edit")
    page.wait_for_selector(_cell(3, 3))
    before = _text(page)["rooms"]["cells"].split()
    page.focus(_cell(0, 0))
    page.keyboard.press("Shift+ArrowRight")
    page.keyboard.press("Shift+ArrowDown")
    page.keyboard.press("Enter")
    until(page, "!document.querySelector('#undo').disabled")
    rows = _text(page)["rooms"]["cells"].split()
    room = {(r, c) for r in range(4) for c in range(4) if rows[r][c] == rows[0][0]}
    assert room == {(0, 0), (0, 1), (1, 1)}, (before, rows)


@pytest.mark.parametrize("tab", ["edit", "solve"])
def test_nothing_can_be_solved_before_it_was_read(open_page: Open, tab: str) -> None:
    page = open_page()
    page.add_init_script(EARLY)
    page.reload()
    page.wait_for_selector("[data-name=cats]")
    page.evaluate(f"location.hash = 'puzzle=cats&tab={tab}'")
    page.wait_for_selector(READ if tab == "edit" else "#solve:enabled")
    assert page.evaluate("early") == []
