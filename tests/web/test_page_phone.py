"""The page on a phone: a finger hits what can be touched, and nothing scrolls inside what scrolls."""

from __future__ import annotations

import itertools

import pytest
from support.games import Finger, Game
from support.pages import READ, Open, loaded, solved, turn_to, until, write

from jigsat.instance import load

PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
FINGER_PX = 44  # what a finger hits

SMALL = """() => [...document.querySelectorAll("a, button, input, select, summary, textarea, .swatch, .tile g, canvas")]
    .filter((each) => each.checkVisibility({ checkOpacity: true, checkVisibilityCSS: true }) && !each.closest("p, .unseen"))
    .filter((each) => !each.matches(".unseen, .skip, .swatch input, [type=checkbox], :disabled"))
    .map((each) => [each, each.getBoundingClientRect()])
    .filter(([, { width, height }]) => width && height && Math.min(width, height) < FINGER)
    .map(([each, { width, height }]) => `${each.outerHTML.slice(0, 90)} ${Math.round(width)}×${Math.round(height)}`)"""
"""What can be touched and is too small. A checkbox is touched with its label, and links in
sentences are as high as these."""

NESTED = """() => {
    const scrolls = (each) => /auto|scroll/.test(getComputedStyle(each).overflowY) && each.scrollHeight > each.clientHeight + 1;
    const within = (each) => {
        for (let outer = each.parentElement; outer; outer = outer.parentElement) if (outer.matches(":root") ? outer.scrollHeight > innerHeight + 1 : scrolls(outer)) return true;
        return false;
    };
    return [...document.querySelectorAll("main *")]
        .filter((each) => each.checkVisibility() && !each.matches("textarea, .pinned *, .pinned") && scrolls(each) && within(each))
        .map((each) => each.outerHTML.slice(0, 90));
}"""
"""What scrolls up and down within what scrolls as well; the text of a file may, and bars do."""

FAMILIES = [
    "cats",
    "cube",
    "pentominoes-8x8-hole",
    "sudoku-6x6",
    "latin-4",
    "crossword-5x5",
    "dinner",
    "lights-5x5",
]


def _faults(page: object) -> list[str]:
    too_small = page.evaluate(SMALL.replace("FINGER", str(FINGER_PX)))  # type: ignore[attr-defined]
    wide = page.evaluate(
        "document.documentElement.scrollWidth > innerWidth ? ['wider than the phone'] : []"
    )
    return [*too_small, *wide, *page.evaluate(NESTED)]  # type: ignore[attr-defined]


def test_the_answer_whether_there_is_one_solution_is_seen(open_page: Open) -> None:
    page = open_page("#puzzle=dinner&tab=solve", **PHONE)
    loaded(page)
    page.wait_for_selector("#unique:enabled")
    page.evaluate("scrollTo(0, document.documentElement.scrollHeight)")
    page.evaluate("document.querySelector('#unique').click()")
    until(page, "document.querySelector('#count').textContent.startsWith('Not unique')")
    until(
        page,
        """(() => {
            const { left, top, bottom } = document.querySelector("#count").getBoundingClientRect();
            const at = document.elementFromPoint(left + 5, (top + bottom) / 2);
            return Boolean(at?.closest("#count"));
        })()""",
    )


def test_a_finger_hits_everything_in_the_gallery_and_in_new_puzzles(open_page: Open) -> None:
    page = open_page(**PHONE)
    page.wait_for_selector("[data-name=cats]")
    assert _faults(page) == []
    page.goto(page.url + "#new")
    page.wait_for_selector("[data-family=seating]")
    assert _faults(page) == []
    page.click("[data-family=edge-matching]")
    page.wait_for_selector("#start")
    assert _faults(page) == []


@pytest.mark.parametrize(
    "name", [FAMILIES[0], *(pytest.param(name, marks=pytest.mark.slow) for name in FAMILIES[1:])]
)
def test_a_finger_hits_everything_in_a_puzzle(open_page: Open, name: str) -> None:
    page = open_page(f"#puzzle={name}", **PHONE)
    loaded(page)
    page.wait_for_selector("#board [data-place]")
    faults = {"play": _faults(page)}
    turn_to(page, "solve")
    page.click("#options summary")
    page.fill("#limit", "3")
    solved(page)
    faults["solve"] = _faults(page)
    turn_to(page, "edit")
    page.wait_for_selector(".direct > *")
    page.evaluate(
        "document.querySelectorAll('.direct details').forEach((each) => (each.open = true))"
    )
    page.wait_for_selector(".entries", state="attached")
    faults["edit"] = _faults(page)
    turn_to(page, "make")
    page.wait_for_selector("#panel-make h2")
    until(page, "document.querySelector('#panel-make section > div:not(.row)').textContent")
    faults["make"] = _faults(page)
    turn_to(page, "understand")
    page.click("#sorts button >> nth=0")
    page.wait_for_selector("#rule h2")
    faults["understand"] = _faults(page)
    assert [f"{view}: {fault}" for view, found in faults.items() for fault in found] == []


@pytest.mark.parametrize(
    "name", ["cats", "cube", *(pytest.param(name, marks=pytest.mark.slow) for name in FAMILIES[2:])]
)
def test_the_picture_and_the_verdict_are_seen_at_once_and_the_title_stays_in_place(
    open_page: Open, name: str
) -> None:
    page = open_page(f"#puzzle={name}&tab=solve", **PHONE, reduced_motion="reduce")
    loaded(page)
    before = page.locator(".heading").bounding_box()
    solved(page)
    assert page.locator(".heading").bounding_box() == before
    buttons = page.locator("#solve").bounding_box()["y"]
    for part in ("#picture:visible, .stage .space:visible", "#count", "#verdict p >> nth=0"):
        box = page.locator(part).bounding_box()
        assert box["y"] >= 0 and box["y"] + box["height"] <= buttons, part


def test_nine_tiles_their_names_and_all_labels_are_seen_at_once(open_page: Open) -> None:
    page = open_page("#new=edge-matching", **PHONE)
    page.click("#start")
    page.wait_for_selector(".easel .tile")
    until(page, "document.querySelector('#missing').textContent.includes('36 sides have no label')")
    edges = page.evaluate("""[".thing", ".swatch", "#missing", "#panel-edit .bar"]
        .map((each) => [...document.querySelectorAll(each)].map((one) => one.getBoundingClientRect()))
        .map((all) => [Math.min(...all.map(({ top }) => top)), Math.max(...all.map(({ bottom }) => bottom))])""")
    for (_, bottom), (top, _) in itertools.pairwise(edges):
        assert bottom <= top + 1


def test_rules_and_guests_are_seen_at_once_and_stay_in_place(open_page: Open) -> None:
    page = open_page("#puzzle=dinner&tab=edit", **PHONE)
    page.wait_for_selector(READ)
    parts = page.locator(".palette :is(.swatch, #wishing, [data-guest])")
    assert parts.count() == 3 + 1 + 8
    before = [part.bounding_box() for part in parts.all()]
    bar = page.locator("#panel-edit .bar").bounding_box()
    assert all(box["y"] + box["height"] <= bar["y"] for box in before)
    for guest in ("Cathy", "Helen"):
        page.tap(f"[data-guest={guest}]")
        assert [part.bounding_box() for part in parts.all()] == before
    page.wait_for_selector("[aria-label='Take back: Cathy and Helen sit together']")
    assert [part.bounding_box() for part in parts.all()] == before


@pytest.mark.parametrize("start", ["h1", "#help", "#board [data-place]", "#check"])
def test_a_swipe_beside_the_pieces_moves_nothing(open_page: Open, start: str) -> None:
    page = open_page("#puzzle=cats", **PHONE)
    game = Game(page, load("cats"), hand := Finger(page))
    page.wait_for_selector("#tray button:visible")
    x, y = hand.reach(start)
    hand.drag((x, y), (x, y - 50))
    assert game.played() == set() and page.evaluate("scrollY") == 0


def test_a_finger_drags_a_tile_straight_up_to_the_board_and_straight_down_off_it(
    open_page: Open,
) -> None:
    game = Game(page := open_page("#puzzle=cats", **PHONE), load("cats"), hand := Finger(page))
    page.wait_for_selector("#tray [data-piece='9'] svg")
    top, bottom = hand.middle("#board [data-place='[0,0]']"), hand.middle("#tray [data-piece='1']")
    game.move(lambda: hand.drag(bottom, (bottom[0], top[1])))
    (number,) = game.played()
    lying = hand.middle(*game.places(game.candidates[number]))
    assert game.candidates[number].piece == "1" and page.evaluate("scrollY") == 0
    page.wait_for_selector("#board [data-draggable]", state="attached")
    game.move(lambda: hand.drag(lying, (lying[0], bottom[1])))
    assert game.played() == set() and page.evaluate("scrollY") == 0


@pytest.mark.parametrize(
    "name", [FAMILIES[0], *(pytest.param(name, marks=pytest.mark.slow) for name in FAMILIES[1:])]
)
def test_the_buttons_and_messages_of_play_are_always_seen(open_page: Open, name: str) -> None:
    Game(page := open_page(f"#puzzle={name}", **PHONE), load(name))
    page.click("#check")
    told = "document.querySelector('#advice').textContent"
    until(page, f"{told}.includes('Nothing is placed yet') && !{told}.includes('Searching')")
    for offset in (0, 10_000):
        page.evaluate(f"document.querySelector('.panels').scrollTo(0, {offset})")
        for part in (
            "#check",
            "#play-undo",
            "#next-step",
            *(["#advice"] if offset == 0 else []),
        ):
            box = page.locator(part).bounding_box()
            assert box["y"] >= 0 and box["y"] + box["height"] <= 844, (part, offset)


@pytest.mark.parametrize("height", [844, 740])
def test_the_keys_stay_in_place_when_a_hint_comes_and_goes(open_page: Open, height: int) -> None:
    page = open_page(
        "#puzzle=sudoku-6x6", **{**PHONE, "viewport": {"width": 390, "height": height}}
    )
    loaded(page)
    until(page, "!document.querySelector('#next-step').disabled")
    before = page.locator("#tray").bounding_box()
    for button in ("#which-rules", "#conclusion", "#make"):
        page.tap("#next-step")
        page.wait_for_selector(button)
        assert page.locator("#tray").bounding_box() == before
    page.tap("#make")
    page.wait_for_selector("#make", state="detached")
    assert page.locator("#tray").bounding_box() == before


@pytest.mark.parametrize(("width", "height"), [(390, 844), (390, 664), (640, 400)])
def test_a_hint_says_first_what_follows_and_the_keys_stay_in_view(
    open_page: Open, width: int, height: int
) -> None:
    phone = {**PHONE, "viewport": {"width": width, "height": height}}
    page = open_page("#puzzle=kakuro-5", **phone)
    loaded(page)
    until(page, "!document.querySelector('#next-step').disabled")
    for button in ("#which-rules", "#conclusion", "#make"):
        page.tap("#next-step")
        page.wait_for_selector(button)
    first = page.locator("#advice p").first
    assert first.get_attribute("class") == "conclusion"
    assert first.inner_text() == "1, 2 and 3 cannot go in r1c1 or r2c1."
    told, keys, tools = (page.locator(each).bounding_box() for each in (".told", "#tray", ".tools"))
    said = first.bounding_box()
    assert told and keys and tools and said
    assert said["y"] + said["height"] <= told["y"] + told["height"], "it is read without scrolling"
    assert keys["y"] + keys["height"] <= tools["y"], "all keys are in view"
    assert told["height"] <= height / 3


def test_the_answer_for_many_guests_is_a_list_as_well(open_page: Open) -> None:
    page = open_page("#puzzle=dinner&tab=edit", **PHONE)
    page.wait_for_selector(READ)
    guests = [f"Guest {number}" for number in range(1, 41)]
    quoted = ", ".join(f'"{guest}"' for guest in guests)
    write(page, f'family = "seating"\ntables = "5 round 8"\nguests = [{quoted}]')
    until(page, "document.querySelector('#toml').value.includes('Guest 40')")
    page.wait_for_selector(READ)
    turn_to(page, "solve")
    page.evaluate("document.querySelector('#options').open = true")
    page.fill("#limit", "2")
    solved(page)
    rows = page.locator(".list-of tbody tr")
    cells = [row.split("\t") for row in rows.all_inner_texts()]
    assert [row[:2] for row in cells] == [
        [f"table {table}", str(chair)] for table in range(1, 6) for chair in range(1, 9)
    ]
    assert sorted(guest for _, _, guest in cells) == sorted(guests)
    page.fill(".list-of input", "guest 17")
    (row,) = page.locator(".list-of tbody tr:visible").all_inner_texts()
    assert row.endswith("\tGuest 17")
    heads = page.locator(".list-of th").evaluate_all("all => all.map((each) => each.scrollHeight)")
    assert len(set(heads)) == 1, "no heading is broken in a word"
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.click("#next")
    until(page, "document.querySelector('#caption').textContent.startsWith('Solution 2')")
    assert rows.all_inner_texts() != ["\t".join(row) for row in cells]


def test_few_guests_are_read_in_the_picture(open_page: Open) -> None:
    page = open_page("#puzzle=dinner&tab=solve", **PHONE)
    page.wait_for_selector("#solve:enabled")
    solved(page)
    assert not page.is_visible(".list-of")


def test_the_field_for_a_link_stays_where_it_is_when_the_puzzles_come(open_page: Open) -> None:
    link = "document.querySelector('#paste-link')"
    page = open_page("#puzzle=cats", **PHONE)
    loaded(page)
    page.add_init_script(
        """
        const fetched = window.fetch;
        const gate = new Promise((open) => (window.go = open));
        window.fetch = (...asked) => gate.then(() => fetched(...asked));
        """
    )
    page.goto(page.url.split("#")[0])
    page.reload()
    until(page, f"document.body.textContent.includes('Loading …') && {link}")
    top = f"{link}.getBoundingClientRect().top"
    before = page.evaluate(top)
    page.evaluate("window.go()")
    until(page, "/\\d puzzles/.test(document.body.textContent)")
    assert page.evaluate(top) == before
