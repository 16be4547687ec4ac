"""What follows from something that is supposed, watched on the board."""

from __future__ import annotations

from typing import Any

from support.pages import Open, until


def _press(page: Any, place: str, across: float, down: float) -> None:
    """Press a point of a place, which is given in parts of its size."""
    box = page.locator(f"#rules-board [data-place='{place}']").bounding_box()
    page.mouse.click(box["x"] + box["width"] * across, box["y"] + box["height"] * down)


def test_what_follows_is_seen_step_by_step(open_page: Open) -> None:
    page = open_page("#puzzle=latin-4&tab=understand")
    page.wait_for_selector("#toy:not([hidden])")
    assert page.locator(".toy .open").count() == 64
    _press(page, "[1,2]", 0.25, 0.25)
    page.wait_for_selector("#toy-step:visible")
    assert page.inner_text("#toy .said").startswith("You said: 1 in r2c3.")

    # one constraint after the other strikes out symbols, with the number of its step
    assert page.locator(".steps li").count() == 1
    page.click("#toy-step")
    assert page.inner_text("#toy h2") == "1 is exactly once in row 2."
    assert page.inner_text(".steps [aria-current]") == "1 is nowhere else in row 2."
    assert page.locator(".toy .by").all_text_contents() == ["2", "2", "2"]
    page.click("#panel-understand >> text=To the end")
    assert page.is_disabled("#toy-step")
    page.click('#panel-understand >> text="Back"')
    assert page.locator(".steps li").count() == 2

    # what is struck out cannot be supposed
    assert page.locator("#toy button.chip").count() == 1  # 1 in r2c3
    _press(page, "[1,0]", 0.25, 0.25)
    until(
        page, "document.querySelector('#toy-refused').textContent.endsWith('step 2 struck it out.')"
    )
    assert page.inner_text("#toy .said").startswith("You said: 1 in r2c3.")
    page.click("#toy-undo")
    until(page, "document.querySelectorAll('.toy .open').length === 64")


def test_a_place_of_a_step_is_marked_once_so_that_its_symbols_can_be_read(open_page: Open) -> None:
    page = open_page("#puzzle=sudoku-6x6&tab=understand", color_scheme="dark")
    page.wait_for_selector("#toy:not([hidden])")
    _press(page, "[0,0]", 0.5, 0.8)
    page.wait_for_selector("#toy-step:visible")
    assert page.inner_text("#toy h2") == "Cell r1c1 holds exactly one symbol."
    assert page.locator("#rules-board .area").count() == 1


def test_what_cannot_be_is_said(open_page: Open) -> None:
    page = open_page("#puzzle=sudoku-6x6&tab=understand")
    page.wait_for_selector("#toy:not([hidden])")
    _press(page, "[0,0]", 0.5, 0.2)  # 2, which stands below in its column
    until(page, "document.querySelector('#toy-refused').textContent.endsWith('givens exclude it.')")
    _press(page, "[0,0]", 0.5, 0.8)  # 5, after which box 1 has no room for another number
    page.wait_for_selector("#toy-step:visible")
    page.click("#panel-understand >> text=To the end")
    assert "That is impossible" in page.inner_text(".steps [aria-current]")
    steps = page.locator(".steps li").all_text_contents()
    assert any("Cell r" in step and step.endswith("holds nothing else.") for step in steps), steps
    assert not any("nowhere else in cell" in step for step in steps), steps


def test_edges_have_names_and_symbols_of_one_size(open_page: Open) -> None:
    page = open_page("#puzzle=hashi-5&tab=understand")
    page.wait_for_selector("#toy:not([hidden])")
    _press(page, "[[1,0],[1,3]]", 0.45, 0.5)
    page.wait_for_selector("#toy-step:visible")
    said = "You said: a single bridge along r2c1–r2c4."
    assert page.inner_text("#toy .said").startswith(said)
    assert page.inner_text(".steps li").endswith(
        "Place r2c1–r2c4: a double bridge along r2c1–r2c4 cannot be."
    )
    page.click("#panel-understand >> text=To the end")
    assert page.inner_text("#toy .chip >> nth=1") == "a double bridge along r2c1–r5c1"
    sizes = page.locator(".toy :is(.said, .left)").evaluate_all(
        "all => all.map((each) => each.getAttribute('font-size'))"
    )
    assert len(sizes) == 2 and len(set(sizes)) == 1, "whichever way an edge runs"
