"""The page in windows of five sizes: nothing is wider than the window, everything can be reached, and
the board is seen together with what is laid on it."""

from __future__ import annotations

from typing import Any

import pytest
from support.pages import Open, loaded, turn_to, until

from jigsat.instance import shipped_files

SIZES = [(1280, 800), (390, 844), (844, 390), (768, 1024), (640, 400)]
"""A desktop, a phone, the phone on its side, a tablet, and the desktop at 200 %."""

SETTLED = 5000
"""Milliseconds after which the page has the sizes of its window, on a loaded machine, too."""

VIEWS = ("play", "solve", "understand", "make", "edit")
"""The editor comes last: its fields are there once the view before it is."""

FAULTS = """() => {
    const found = [], { scrollWidth } = document.documentElement;
    const name = (each) => each.outerHTML.slice(0, 80);
    if (scrollWidth > innerWidth) found.push(`the page is ${scrollWidth} wide`);
    for (const part of document.querySelectorAll(".heading, .stage, .panels, .pinned"))
        if (part.scrollWidth > part.clientWidth + 1) found.push(`${part.className}: ${part.scrollWidth} of ${part.clientWidth}`);
    for (const bar of document.querySelectorAll(".heading, .pinned"))
        if (bar.offsetHeight > innerHeight / 3 + 1) found.push(`${bar.className}: ${bar.offsetHeight} high`);
    for (const each of document.querySelectorAll("main :is(button, a, select, summary)")) {
        if (!each.checkVisibility({ visibilityProperty: true })) continue;
        each.scrollIntoView({ block: "center", inline: "nearest" });
        const { left, top, width, height } = each.getBoundingClientRect();
        const seen = document.elementFromPoint(left + width / 2, top + height / 2);
        if (!seen || !each.contains(seen)) found.push(`not reached: ${name(each)}, but ${seen && name(seen)}`);
    }
    return found.slice(0, 5);
}"""
"""What is wider than the window, a bar that is higher than a third of it, and what cannot be
pressed after it was scrolled to."""


def wait_for_view(page: Any, view: str) -> None:
    """Wait until a view shows what it has."""
    ready = {
        "play": "!document.querySelector('#panel-play[data-idle]') || "
        "/by hand|Not complete/.test(document.querySelector('#said').textContent)",
        "edit": "document.querySelector('.direct > *')",
        "understand": "document.querySelector('#sorts button, #panel-understand .problem:not(:empty)')",
        "make": "document.querySelector('#panel-make h2')",
    }
    until(page, f"Boolean({ready.get(view, 'true')})")


def _faults(page: Any, name: str) -> list[str]:
    """The faults of a puzzle in all views at all sizes."""
    found = []
    for view in VIEWS:
        if view != "play":
            turn_to(page, view)
        wait_for_view(page, view)
        for width, height in SIZES:
            page.set_viewport_size({"width": width, "height": height})
            faults = page.evaluate(FAULTS)
            if faults:  # those that stay: the pieces of a tray get their sizes after the window
                page.wait_for_timeout(SETTLED)
                faults = page.evaluate(FAULTS)
            found += [f"{name}, {view}, {width}×{height}: {fault}" for fault in faults]
    return found


@pytest.mark.parametrize(
    "name", ["cats", *(pytest.param(name, marks=pytest.mark.slow) for name in shipped_files())]
)
def test_everything_fits_into_the_window_and_can_be_reached(open_page: Open, name: str) -> None:
    page = open_page(f"#puzzle={name}", reduced_motion="reduce")
    loaded(page)
    assert _faults(page, name) == []


@pytest.mark.parametrize(("width", "height"), SIZES)
def test_the_board_and_the_tray_are_seen_together(open_page: Open, width: int, height: int) -> None:
    page = open_page("#puzzle=cats", viewport={"width": width, "height": height})
    page.wait_for_selector("#panel-play:not([data-idle])")
    page.wait_for_selector("#tray [data-piece='1'] svg")
    for part in ("#board svg", "#tray [data-piece='1']", "#play-undo", "#check", "#next-step"):
        box = page.locator(part).first.bounding_box()
        assert box["x"] >= 0 and box["x"] + box["width"] <= width, part
        assert box["y"] >= 0 and box["y"] + box["height"] <= height, part
    board = page.locator("#board svg").first.bounding_box()
    shorter = min(width, height)
    assert min(board["width"], board["height"]) >= shorter / 3, "the board is the largest part"


@pytest.mark.parametrize("name", ["cats", "sudoku-hard", "pentominoes-6x10"])
def test_the_board_has_no_margin(open_page: Open, name: str) -> None:
    page = open_page(f"#puzzle={name}", viewport={"width": 1280, "height": 800})
    page.wait_for_selector("#board .place")
    sizes = page.evaluate("""() => {
        const box = (each) => each.getBoundingClientRect();
        const places = [...document.querySelectorAll("#board .place")].map(box);
        const width = Math.max(...places.map(({ right }) => right)) - Math.min(...places.map(({ left }) => left));
        return [width, box(document.querySelector("#board svg")).width];
    }""")
    board, picture = sizes
    assert board > 0.95 * picture


def test_a_hint_and_all_digits_are_seen_together_on_a_tablet(open_page: Open) -> None:
    page = open_page("#puzzle=sudoku-hard", viewport={"width": 768, "height": 1024})
    page.wait_for_selector("#panel-play:not([data-idle])")
    page.click("#next-step")
    page.click("#which-rules")
    page.wait_for_selector("#conclusion")
    digit = page.locator("#tray .symbol").last.bounding_box()
    tools = page.locator("#play-undo").bounding_box()
    assert digit["y"] + digit["height"] <= tools["y"]


def test_pale_pieces_are_dark_on_a_dark_page(open_page: Open) -> None:
    looks = []
    for scheme in ("light", "dark"):
        page = open_page("#puzzle=cats", color_scheme=scheme)
        page.wait_for_selector("#tray .pale")
        looks.append(
            page.evaluate("getComputedStyle(document.querySelector('#tray .pale')).filter")
        )
    light, dark = looks
    assert light == "none" and "brightness(0." in dark


def test_forty_guests_on_a_phone_leave_room_for_the_rest(open_page: Open) -> None:
    names = ", ".join(f'"Guest {number}"' for number in range(1, 41))
    text = f"family = 'seating'\ntables = 'round 40'\nguests = [{names}]\n"
    text += "must = [{beside = ['Guest 1', 'Guest 2']}]\n"
    page = open_page("#puzzle=dinner&tab=edit", viewport={"width": 390, "height": 844})
    loaded(page)
    page.evaluate("document.querySelector('#advanced').open = true")
    page.fill("#toml", text)
    page.wait_for_selector("[data-guest='Guest 40']", state="attached")
    assert page.evaluate(FAULTS) == []


def test_pieces_whose_pictures_come_after_the_window_got_smaller_fit_into_it(
    open_page: Open,
) -> None:
    page = open_page("#puzzle=cube", viewport={"width": 1280, "height": 800})
    waiting: list[Any] = []

    def hold(route: Any) -> None:
        draws = '"kind":"draw"' in (route.request.post_data or "")
        waiting.append(route) if draws else route.continue_()

    page.route("**/api", hold)
    page.reload()
    page.wait_for_selector("#panel-play:not([data-idle])")
    page.set_viewport_size({"width": 640, "height": 400})
    until(page, "document.querySelector('.panels').clientWidth < 300")
    page.wait_for_timeout(500)
    for route in waiting:
        route.continue_()
    page.wait_for_selector("#tray [data-piece=F] svg")
    panels = "document.querySelector('.panels')"
    assert page.evaluate(f"{panels}.scrollWidth <= {panels}.clientWidth + 1")


LINES = """(part) => {
    part.scrollIntoView({ block: "end" });
    const words = document.createRange();
    words.selectNodeContents(part);
    const lines = [...words.getClientRects()];
    const { left, top, width, height } = lines.at(-1);
    const seen = document.elementFromPoint(left + width / 2, top + height / 2);
    return [part.contains(seen), Math.max(...lines.map((line) => line.width))];
}"""
"""Whether the last line of a text is seen once it was scrolled to, and the width of the widest
one."""


@pytest.mark.parametrize("name", ["cats", "sudoku-hard"])
def test_the_help_and_a_hint_are_read_at_200_percent(open_page: Open, name: str) -> None:
    page = open_page(f"#puzzle={name}", viewport={"width": 640, "height": 400})
    page.wait_for_selector("#panel-play:not([data-idle])")
    room = page.locator(".told").bounding_box()["width"]
    seen, width = page.locator("#help").evaluate(LINES)
    assert seen and width > 0.8 * room
    tray = page.locator("#tray").bounding_box()
    page.click("#next-step")
    page.wait_for_selector("#which-rules, #conclusion, #make")
    seen, width = page.locator("#advice").evaluate(LINES)
    assert seen and width > 0.5 * room
    if name == "sudoku-hard":
        assert page.locator("#tray").bounding_box() == tray
