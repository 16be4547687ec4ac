"""The page in a real browser, with each of its two engines."""

from __future__ import annotations

import base64
import gzip
import json
import re
import tomllib
import zlib
from pathlib import Path
from typing import Any

import pytest
from support.browser import ROOT, SITE, STATIC, hosted
from support.pages import TIMEOUT, Open, choose, loaded, solved, turn_to, until
from support.pdf import measure
from support.serving import served

from jigsat.instance import load
from jigsat.web import replies


def test_from_the_gallery_to_the_solutions_of_the_cube(open_page: Open) -> None:
    page = open_page()
    page.click("[data-name=cube]")
    loaded(page)
    turn_to(page, "solve")
    said = solved(page)
    assert said.startswith("96 solutions, 2 truly different  Proved")
    details = "Details 4 without turned ones, 2 without turned or mirrored ones Complete: "
    assert f"Proved: there are no others. {details}" in said
    assert page.inner_text("#caption") == "Solution 1 of 2"
    known = page.locator(".heading .known").last.text_content()
    assert known == "96 solutions, 2 truly different", "as in the result"
    first = page.inner_html("#picture")
    page.keyboard.press("ArrowRight")
    assert page.inner_text("#caption").startswith("Solution 2 of 2")
    assert page.inner_html("#picture") != first
    page.keyboard.press("Home")
    assert page.inner_text("#caption").startswith("Solution 1 of 2")
    assert page.url.endswith("#puzzle=cube&tab=solve")


PIXELS = """() => {
    const canvas = document.createElement("canvas"), from = document.querySelector(".space canvas");
    [canvas.width, canvas.height] = [from.width, from.height];
    const pixels = canvas.getContext("2d");
    pixels.drawImage(from, 0, 0);
    const {data} = pixels.getImageData(0, 0, canvas.width, canvas.height);
    let drawn = 0;
    for (let i = 3; i < data.length; i += 4) drawn += data[i] > 0;
    return drawn / (canvas.width * canvas.height);
}"""
"""The share of the pixels of the 3-D canvas that differ from its background, which is
transparent."""


@pytest.mark.slow
@pytest.mark.parametrize("name", ["cube", "soma"])
def test_a_solid_is_drawn_in_space(open_page: Open, name: str) -> None:
    if not (STATIC / "vendor" / "three.module.js").exists():
        pytest.skip("three.js is not there; fetch it with: make page")
    page = open_page(f"#puzzle={name}&tab=solve")
    loaded(page)
    page.click("#options summary")
    page.fill("#limit", "2")
    solved(page)
    page.wait_for_selector(".space canvas")  # solids are shown in space first
    until(page, f"({PIXELS})() > 0.1")
    folded = page.evaluate("document.querySelector('.space canvas').toDataURL()")
    page.focus(".space canvas")
    page.keyboard.press("ArrowRight")
    until(page, "document.querySelector('.space canvas').toDataURL() !== " + json.dumps(folded))
    page.click("#solid")
    assert page.is_visible("#picture")


def test_a_solved_solid_is_put_together_piece_by_piece(open_page: Open) -> None:
    if not (STATIC / "vendor" / "three.module.js").exists():
        pytest.skip("three.js is not there; fetch it with: make page")
    page = open_page("#puzzle=cube&tab=solve", reduced_motion="reduce")
    loaded(page)
    page.click("#options summary")
    page.fill("#limit", "1")
    solved(page)
    until(page, f"({PIXELS})() > 0.1")
    whole = page.evaluate(f"({PIXELS})()")
    page.click("#show-how")
    until(page, f"({PIXELS})() < {whole}")  # one piece, and not the cube
    steps = []
    while page.is_enabled("#how-next"):
        steps.append(page.inner_text("#how"))
        page.keyboard.press("Enter")  # the focus stays on what is next
    assert page.inner_text("#how") == "All pieces are in place."
    pieces = []
    places = []
    for step in steps:
        words = re.match(r"Step \d of 6: (\w) on the (\w+), ", step)
        assert words, step
        pieces.append(words[1])
        places.append(words[2])
    assert places == ["bottom", "back", "left", "right", "front", "top"]
    assert sorted(pieces) == [*"ABCDEF"]
    page.keyboard.press("Enter")
    assert page.is_visible("#show-how") and not page.is_visible("#how")


@pytest.mark.slow
def test_an_unfolded_net_is_seen_from_the_front_however_the_solid_was_turned(
    open_page: Open,
) -> None:
    if not (STATIC / "vendor" / "three.module.js").exists():
        pytest.skip("three.js is not there; fetch it with: make page")
    page = open_page("#puzzle=cube&tab=solve", reduced_motion="reduce")
    loaded(page)
    solved(page)
    page.wait_for_selector(".space canvas")
    until(page, f"({PIXELS})() > 0.1")
    seen = []
    for turns in (0, 7):
        page.focus(".space canvas")
        for _ in range(turns):
            page.keyboard.press("ArrowRight")
            page.keyboard.press("ArrowDown")
        page.click("#fold")
        until(page, "document.querySelector('#fold').textContent === 'Fold'")
        page.mouse.move(0, 0)
        seen.append(page.locator(".space canvas").evaluate("(each) => each.toDataURL()"))
        page.click("#fold")
        until(page, "document.querySelector('#fold').textContent === 'Unfold'")
    assert seen[0] == seen[1]


@pytest.mark.slow
def test_two_solutions_are_shown_side_by_side(open_page: Open) -> None:
    page = open_page("#puzzle=cube&tab=solve")
    loaded(page)
    page.click("#unique")
    page.wait_for_selector("#verdict summary")
    assert "Not unique" in page.inner_text("#count")
    assert page.locator(".pair figure:visible").count() == 0  # who plays need not see them
    page.click("#verdict summary")
    assert page.locator(".pair figure svg:visible").count() == 2


@pytest.mark.slow
def test_what_differs_is_marked(open_page: Open) -> None:
    page = open_page("#puzzle=cube&tab=solve")
    loaded(page)
    solved(page)
    page.click("#solid")  # a solid is shown in space first
    page.check(".stepper input")
    page.click("#next")
    page.wait_for_selector("#picture [stroke='#e3001b']")
    page.uncheck(".stepper input")
    page.wait_for_selector("#picture [stroke='#e3001b']", state="detached")


def test_rules_and_wishes_of_a_seating_stand_below_headings(open_page: Open) -> None:
    page = open_page("#puzzle=wedding-small")
    loaded(page)
    below = page.locator(".facts li:has(li)")
    assert [text.split("\n")[0] for text in below.all_inner_texts()] == ["Rules", "Wishes"]
    assert "Bride and Groom sit beside each other." in below.first.inner_text()


def test_rules_are_chosen_on_the_board_and_by_their_sort(open_page: Open) -> None:
    page = open_page("#puzzle=sudoku-4x4-empty&tab=understand")
    page.wait_for_selector("#sorts button >> nth=1")
    page.click("[data-sort=row]")
    until(page, "document.querySelector('#rule h2')?.textContent === 'row 1'")
    assert page.locator("#rules-board .area").count() == 4
    told = page.locator("#rule li").all_inner_texts()
    assert [each.split("\n")[0] for each in told] == [
        f"{symbol} is exactly once in row 1." for symbol in "1234"
    ]
    page.click("#rules-board [data-place='[2,1]']")
    until(page, "document.querySelector('#rule h2').textContent === 'row 3'")
    assert page.locator("#rules-board .area").count() == 1, "the place of the first step"
    assert page.locator("#rules button").all_inner_texts() == [
        "cell r3c2",
        "row 3",
        "column 2",
        "box 3",
    ]
    page.click("[data-rule='cell r3c2']")
    until(page, "document.querySelector('#rule h2').textContent === 'cell r3c2'")
    assert page.locator("#rules-board .area").count() == 1
    assert page.inner_text("#rule li").startswith("Cell r3c2 holds one symbol, in one of 4 ways.")
    page.click("#rule li summary")
    assert page.inner_text("#rule li p") == "r3c2 = 1; r3c2 = 2; r3c2 = 3; r3c2 = 4"
    page.click("#encoding summary")
    page.wait_for_selector("#encoding table >> nth=1")
    page.goto(page.url.split("#")[0] + "#puzzle=soma&tab=understand")
    page.click("[data-sort=cell]")
    until(
        page, "document.querySelector('#rule h2')?.textContent === 'cell layer 1, row 1, column 1'"
    )
    page.goto(page.url.split("#")[0] + "#puzzle=cats&tab=understand")
    page.click("[data-sort=edge]")
    until(
        page,
        "document.querySelector('#rule p')?.textContent.startsWith('An edge has one label. A "
        "tile shows its labels.')",
    )
    assert not page.is_visible("#logic li")
    page.click("#logic summary")
    assert "label (cell, side, value)" in page.inner_text("#logic")
    turn_to(page, "solve")
    page.wait_for_selector("#picture:visible")


@pytest.mark.slow
def test_files_are_saved_and_puzzles_generated(open_page: Open) -> None:
    page = open_page("#puzzle=sudoku-4x4-empty&tab=make")
    loaded(page)
    page.click("#formats summary")
    for name, content in (
        ("svg", b"<svg"),
        ("toml", b"family ="),
        ("cnf", b"p cnf"),
        ("png", b"PNG"),
    ):
        with page.expect_download() as download:
            page.click(f"#save-{name}")
        assert download.value.suggested_filename.endswith(f".{name}")
        assert content in download.value.path().read_bytes()
    page.fill("#number", "2")
    page.click("#generate")
    page.wait_for_selector(".made li >> nth=1")
    page.click(".made button >> nth=0")
    page.wait_for_url(re.compile("#text="))


@pytest.mark.slow
def test_what_was_found_stays_when_a_run_is_stopped(open_page: Open) -> None:
    page = open_page("#puzzle=sudoku-empty&tab=solve")
    loaded(page)
    page.click("#solve")
    page.wait_for_selector("#next:enabled")
    assert page.inner_text("#count").startswith("At least ") and page.inner_text("#count").endswith(
        " so far"
    )
    caption = page.inner_text("#caption")
    assert re.fullmatch(r"Solution \d+(: .*)?", caption), "one number while they are counted"
    page.click("#stop")
    page.wait_for_selector("#verdict p")
    assert page.inner_text("#count").startswith("At least ")
    assert "Not complete: you stopped it" in page.inner_text("#verdict")
    assert "of at least" in page.inner_text("#caption")
    page.click("#next")
    assert page.inner_text("#caption").startswith("Solution 2 of at least")
    page.goto(page.url.replace("sudoku-empty", "push-pull"))
    until(page, "document.querySelector('h1').textContent.includes('ush')")
    assert solved(page).startswith("1 solution ")


@pytest.mark.slow
def test_a_limit_is_no_count(open_page: Open) -> None:
    page = open_page("#puzzle=cube&tab=solve")
    loaded(page)
    page.click("#options summary")
    page.fill("#limit", "1")
    said = solved(page)
    assert said.startswith("The first 1 distinct solution at least 48 solutions in all")
    assert "Not complete: the limit was reached" in said


@pytest.mark.slow
@pytest.mark.slow
def test_searching_the_gallery_says_how_many_were_found(open_page: Open) -> None:
    page = open_page()
    page.wait_for_selector("[data-name=cube]")
    page.fill("input[type=search]", "no such puzzle")
    page.wait_for_selector("text=No puzzle found among")
    for words in (
        "little blue cube",
        "edge matching",
        "melbourne",
        "96 solutions",
    ):  # title, family, source, what is known
        page.fill("input[type=search]", words)
        page.wait_for_selector("text=/^[1-9].* found among/")
    assert page.locator(".shelf li:visible").all_inner_texts() == [
        page.inner_text(".shelf li:has([data-name=cube])")
    ]


def test_the_puzzle_with_the_name_that_is_searched_for_comes_first(open_page: Open) -> None:
    page = open_page()
    page.wait_for_selector("[data-name=wedding-small]")
    before = page.locator(".shelf li").count()
    page.fill("input[type=search]", "soma")
    first = page.locator(".shelf li:visible >> nth=0").locator("a >> nth=0")
    assert first.get_attribute("data-name") == "soma"
    assert page.locator(".shelf li").count() == before


def test_what_is_found_in_the_gallery_follows_from_its_state(open_page: Open) -> None:
    found = open_page().evaluate(
        """async () => {
            const { EMPTY, add, chipOf, countOf, shelvesOf } = await import("./views/found.js");
            const known = { solutions: 1 }, source = "";
            const instances = [
                { name: "blue-cube", title: "Cube of a friend", family: "interlocking" },
                { name: "cube", title: "Little cube", family: "interlocking" },
                { name: "latin-4", title: "Order 4", family: "latin" },
                { name: "other", title: "One more", family: "of-a-plugin" },
            ];
            const all = instances.reduce(
                (now, each) => add(now, { ...each, source, known }), EMPTY);
            const look = (change) => {
                const state = { ...all, ...change }, shelves = shelvesOf(state);
                const cards = shelves.filter(({ shown }) => shown).flatMap(({ cards }) => cards);
                const names = cards.filter(({ shown }) => shown).map(({ name }) => name);
                return [names, countOf(state, shelves)];
            };
            const group = (await import("./views/groups.js")).groupOf("latin");
            return {
                all: look({}), cube: look({ text: " CUBE" }), none: look({ text: "dog" }),
                group: look({ group }), refused: look({ text: "cube", problem: "No." })[1],
                empty: countOf(EMPTY, shelvesOf(EMPTY)),
                chip: chipOf({ ...all, group }, group), whole: chipOf(all, ""),
            };
        }"""
    )
    assert sorted(found["all"][0]) == ["blue-cube", "cube", "latin-4", "other"]
    assert found["all"][1] == "4 puzzles"
    assert found["cube"] == [["cube", "blue-cube"], "2 found among 4 puzzles"], "its name is first"
    assert found["none"] == [[], "No puzzle found among 4 puzzles"]
    assert found["group"][0] == ["latin-4"]
    assert found["refused"] == "No."
    assert found["empty"] == "Loading …"
    assert found["chip"] == {"pressed": True, "filled": True, "puzzles": 1}
    assert found["whole"] == {"pressed": True, "filled": True, "puzzles": 4}


def test_a_gallery_that_cannot_be_read_says_so_while_one_searches(browser: Any) -> None:
    with served(STATIC) as server:
        page = browser.new_context().new_page()
        answer = json.dumps({"kind": "error", "message": "The list cannot be read."})
        page.route("**/api", lambda route: route.fulfill(body=answer + "\n"))
        page.goto(f"http://{server.host}/secret/")
        page.wait_for_selector("text=The list cannot be read.")
        page.fill("[type=search]", "cube")
        assert page.inner_text(".below [role=status]") == "The list cannot be read."
        page.context.close()


def test_a_new_puzzle_can_be_generated_before_the_engine_has_answered(open_page: Open) -> None:
    page = open_page("#new=latin")
    page.route("**/api", lambda route: None)  # no answer ever comes
    page.reload()
    assert page.is_visible("#generate-new")


def test_the_gallery_begins_with_solved_puzzles_of_different_families(open_page: Open) -> None:
    page = open_page()
    page.wait_for_selector("#featured li:nth-child(8) svg")
    ground = "getComputedStyle(document.querySelector('#featured svg .ground')).fill"
    assert page.evaluate(ground) == "none", "no white cards"
    page.wait_for_selector("[data-name=wedding-small]")
    page.click(".chips [data-chip=Numbers]")
    assert page.is_visible("#family-sudoku") and page.is_hidden("#family-seating")
    counted = [int(page.inner_text(".chips [aria-pressed=true] small"))]
    assert counted == [page.locator(".shelf li:visible").count()]
    assert page.is_hidden("#featured")
    page.click(".chips button >> nth=0")
    assert page.is_visible("#featured")
    counted = [int(each) for each in page.locator(".chips button:visible small").all_inner_texts()]
    assert counted[0] == sum(counted[1:]) == page.locator(".shelf li:visible").count()
    until(page, f"document.querySelector('.below').textContent.includes('{counted[0]} puzzles')")


def test_the_gallery_is_left_and_found_again_at_the_same_place(open_page: Open) -> None:
    page = open_page()
    page.wait_for_selector("[data-name=wedding-small]")
    page.click("[data-name=wedding-small]")
    loaded(page)
    assert page.evaluate("scrollY") == 0
    page.go_back()
    page.wait_for_selector("[data-name=wedding-small]")
    until(page, "scrollY > 500")


def test_a_puzzle_of_ones_own_is_renamed(open_page: Open) -> None:
    page = open_page(viewport={"width": 390, "height": 844})
    page.click("text=New puzzle")
    page.click("[data-family=latin]")
    page.click("#start")
    loaded(page)
    for digit in "12":
        page.fill("[aria-label='row 1, column 1']", digit)
        until(page, f"localStorage.getItem('jigsat-drafts')?.includes('{digit}....')")
    page.goto(page.url.split("#")[0])
    page.fill(".drafts textarea", "For Ada")
    page.keyboard.press("Enter")
    page.reload()
    page.wait_for_selector(".drafts textarea")
    assert page.input_value(".drafts textarea") == "For Ada"
    boxes = page.evaluate(
        "[...document.querySelectorAll('.drafts :is(textarea, button)')].map((e) => "
        "e.getBoundingClientRect().height)"
    )
    assert min(boxes) >= 44  # a finger hits it
    page.wait_for_selector(".drafts svg")
    page.click("[aria-label='Delete For Ada']")
    page.click(".drafts button:has-text('Undo')")
    page.click("[aria-label='Open For Ada']")
    loaded(page)


def test_a_file_is_opened_again_and_kept_once(open_page: Open, tmp_path: Path) -> None:
    page, file = open_page(), tmp_path / "from a friend.toml"
    for title in ("One", "One", "Two", "One"):
        file.write_text(
            f"title = '{title}'\nfamily = 'latin'\ngrid = '12. ... ...'\n", encoding="utf-8"
        )
        with page.expect_file_chooser() as chooser:
            page.click("label[for=open-file]")
        chooser.value.set_files(file)
        until(page, f"document.querySelector('h1').textContent === '{title}'")
        page.click(".back")
        page.wait_for_selector(".drafts textarea")
        assert page.input_value(".drafts textarea >> nth=0") == title
    assert page.locator(".drafts .card").count() == 2


@pytest.mark.parametrize("tab", ["play", "edit"])
def test_share_says_who_can_open_the_link_and_offers_the_file(
    open_page: Open, address: str, tab: str
) -> None:
    page = open_page(f"#puzzle=cats&tab={tab}", permissions=["clipboard-read", "clipboard-write"])
    loaded(page)
    saved = []
    page.on("download", lambda download: saved.append(download))
    choose(page, "#share")
    page.wait_for_selector("#sharing:popover-open")
    assert saved == []
    with page.expect_download() as download:
        page.click("#send-file")
    assert download.value.suggested_filename == "cats.toml"
    assert (
        load(tomllib.loads(Path(download.value.path()).read_text(encoding="utf-8"))).digest()
        == load("cats").digest()
    )
    told, alone = page.inner_text("#sharing"), "secret" in address
    assert ("this page is on your machine alone" in told) == alone
    assert (told.index("The file holds") < told.index("The link holds")) == alone
    page.click("#copy-link")
    until(page, "document.querySelector('#sharing').innerText.includes('Copied.')")
    assert page.evaluate("navigator.clipboard.readText()").startswith(f"{address}#puzzle=cats")
    page.keyboard.press("Escape")
    assert page.is_hidden("#sharing")


def test_a_position_is_sent_as_a_file_or_as_a_link(open_page: Open, tmp_path: Path) -> None:
    page = open_page("#puzzle=cats", permissions=["clipboard-read", "clipboard-write"])
    loaded(page)
    page.click("#tray button >> nth=0")
    page.click("#board .place >> nth=4")
    until(page, "location.hash.includes('played=')")
    played = page.evaluate("new URLSearchParams(location.hash.slice(1)).get('played')")
    choose(page, "#share")
    with page.expect_download() as download:
        page.click("#send-file")
    file = tmp_path / "cats.toml"
    download.value.save_as(file)
    assert file.read_text(encoding="utf-8").startswith(f"# played: {played}\n")
    page.click("#copy-link")
    until(page, "document.querySelector('#sharing').innerText.includes('Copied.')")
    link = page.evaluate("navigator.clipboard.readText()")

    friend = open_page(permissions=["clipboard-read", "clipboard-write"])
    with friend.expect_file_chooser() as chooser:
        friend.click("label[for=open-file]")
    chooser.value.set_files(file)
    loaded(friend)
    assert f"played={played}" in friend.evaluate("location.hash")
    eight = "document.querySelectorAll('#tray button:not([hidden])').length === 8"
    until(friend, eight)  # one of nine tiles lies
    friend.click(".back")
    friend.fill("#paste-link", link)
    friend.keyboard.press("Enter")
    loaded(friend)
    assert friend.evaluate("location.hash") == page.evaluate("location.hash")
    until(friend, eight)


def test_a_long_count_is_rounded_and_stays_on_its_card(open_page: Open) -> None:
    page = open_page(viewport={"width": 390, "height": 844})
    page.fill("[type=search]", "6,670,903,752,021,072,936,960")  # all its digits are found
    card = page.locator(".shelf .card:visible")
    until(page, "document.querySelectorAll('.shelf li:not([hidden])').length === 1")
    assert "about 6.67 × 10²¹ solutions" in card.inner_text()
    assert card.evaluate("(each) => each.scrollWidth <= each.clientWidth")


@pytest.mark.slow
def test_the_static_page_shows_pictures_before_python(open_page: Open, address: str) -> None:
    if "secret" in address:
        pytest.skip("a server needs no Python in the browser")
    assert (SITE / "gallery.json").stat().st_size < 100_000
    page = open_page("#puzzle=cats")
    page.wait_for_selector("#board svg")
    assert page.evaluate("document.documentElement.dataset.ready") == "false"
    loaded(page)


@pytest.mark.slow
def test_two_tabs_solve_at_once(open_page: Open) -> None:
    pages = [open_page(f"#puzzle={name}&tab=solve") for name in ("cats", "cube")]
    for page in pages:
        loaded(page)
        page.click("#solve")
    for page, count in zip(
        pages,
        (
            "4 solutions, 1 truly different",
            "96 solutions, 2 truly different",
        ),
        strict=True,
    ):
        page.wait_for_selector("#verdict p")
        assert page.inner_text("#count") == count


@pytest.mark.slow
def test_the_keyboard_is_enough(open_page: Open) -> None:
    page = open_page("#puzzle=cube&tab=solve")
    loaded(page)

    def tab_to(selector: str) -> None:
        for _ in range(40):
            if page.evaluate("selector => document.activeElement.matches(selector)", selector):
                return
            page.keyboard.press("Tab")
        raise AssertionError(f"{selector} cannot be reached")

    tab_to("#menu-opener")
    page.keyboard.press("Enter")
    tab_to("#tab-edit")
    page.keyboard.press("Enter")
    page.wait_for_selector("#advanced")
    tab_to("#menu-opener")
    page.keyboard.press("Enter")
    tab_to("#tab-solve")
    page.keyboard.press("Enter")
    tab_to("#solve")
    page.keyboard.press("Enter")
    page.wait_for_selector("#verdict p")
    until(page, "document.querySelector('#announcer').textContent.includes('96 solutions')")
    page.keyboard.press("ArrowRight")
    assert page.inner_text("#caption").startswith("Solution 2 of 2")


@pytest.mark.slow
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_no_serious_violation(open_page: Open, scheme: str) -> None:
    axe = ROOT / "page/node_modules/axe-core/axe.min.js"
    if not axe.exists():
        pytest.skip("axe-core is not installed; install it with: make page")
    page = open_page(color_scheme=scheme, bypass_csp=True)
    page.wait_for_selector(".card")

    def violations() -> list[str]:
        page.add_script_tag(path=str(axe))
        found = page.evaluate("axe.run()")["violations"]
        serious = [
            violation for violation in found if violation["impact"] in ("serious", "critical")
        ]
        return [
            f"{one['id']}: {json.dumps([node['html'][:120] for node in one['nodes'][:3]])}"
            for one in serious
        ]

    assert violations() == []
    page.click("[data-name=cats]")
    loaded(page)
    turn_to(page, "solve")
    solved(page)
    for tab in ("play", "solve", "edit", "make", "understand"):
        page.click("#menu-opener")
        assert violations() == []
        page.click(f"#tab-{tab}")
        assert violations() == []


@pytest.mark.slow
def test_a_link_that_is_damaged_says_so(open_page: Open) -> None:
    page = open_page("#text=abc")
    page.wait_for_selector("[role=alert]:visible")
    assert "cut off: after “text=” it has 3 characters" in page.inner_text("[role=alert]:visible")
    page = open_page("#text=S05M!A")
    page.wait_for_selector("[role=alert]:visible")
    told = page.inner_text("[role=alert]:visible")
    assert "character 5 after “text=” is “!”; expected a letter, a digit, - or _" in told
    packing = zlib.compressobj(9, zlib.DEFLATED, -zlib.MAX_WBITS)
    packed = packing.compress(b"#" * 20 * 2**20) + packing.flush()
    page = open_page(f"#text={base64.urlsafe_b64encode(packed).decode().rstrip('=')}")
    page.wait_for_selector("[role=alert]:visible")
    assert "too large" in page.inner_text("[role=alert]:visible")
    page = open_page("#puzzle=cubes&tab=solve")
    page.wait_for_selector("[role=alert]:visible")
    assert "did you mean 'cube'?" in page.inner_text("[role=alert]:visible")


@pytest.mark.slow
def test_the_server_that_is_killed_leaves_what_was_found(browser: Any) -> None:
    pytest.importorskip("uvicorn")
    context = browser.new_context()
    page = context.new_page()
    page.set_default_timeout(TIMEOUT)
    with served(STATIC) as server:
        page.goto(f"http://{server.host}/secret/#puzzle=sudoku-empty&tab=solve")
        loaded(page)
        page.click("#solve")
        page.wait_for_selector("#next:enabled")
        server.process.kill()
        page.wait_for_selector("#verdict p")
        assert page.inner_text("#count").startswith("At least ")
        assert "jigsat serve" in page.inner_text("#verdict")
        page.click("#next")
        assert page.inner_text("#caption").startswith("Solution 2 of at least")
    context.close()


@pytest.mark.slow
def test_the_static_page_works_offline_after_the_first_visit(browser: Any) -> None:
    if not (SITE / "python.zip").exists():
        pytest.skip("the static page is not built; build it with: make page")
    context = browser.new_context()
    page = context.new_page()
    page.set_default_timeout(TIMEOUT)
    with hosted(SITE.parent) as host:  # in a subfolder
        page.goto(f"{host}/site/")
        until(page, "navigator.serviceWorker.ready.then(() => true)")
        page.wait_for_selector("html[data-ready=true]")
    context.set_offline(True)
    page.goto(f"{host}/site/#puzzle=push-pull&tab=solve")
    page.reload()
    loaded(page)
    assert solved(page).startswith("1 solution ")
    context.close()


IMPORTED = re.compile(r'^(?:import|} from|import .* from|export .* from) "(\..+?)";$', re.MULTILINE)


def imported(module: Path) -> set[Path]:
    """The modules that a browser loads before it runs this one, and this one."""
    found, open_ones = set(), [module]
    while open_ones:
        each = open_ones.pop()
        if each not in found and each.exists():
            found.add(each)
            text = each.read_text(encoding="utf-8")
            open_ones += [(each.parent / name).resolve() for name in IMPORTED.findall(text)]
    return found


def test_the_gallery_shows_after_at_most_300_kb() -> None:
    """What a browser loads before the gallery shows, compressed: the page's files and the list."""
    modules = imported((STATIC / "main.js").resolve())
    assert STATIC.resolve() / "views/gallery.js" in modules and len(modules) > 20
    files = [*modules, STATIC / "index.html", STATIC / "style.css"]
    gallery = "".join(replies('{"kind": "gallery"}'))
    contents = [gallery.encode(), *(path.read_bytes() for path in files)]
    assert sum(len(gzip.compress(content)) for content in contents) <= 300_000


def test_the_gallery_does_not_wait_for_the_views_of_a_puzzle(browser: Any) -> None:
    with served(STATIC) as server:
        page = browser.new_context().new_page()
        page.route("**/views/puzzle.js", lambda route: route.abort())
        page.goto(f"http://{server.host}/secret/")
        page.wait_for_selector("[data-name=cube]")
        page.click("[data-name=cube]")
        page.wait_for_selector("text=Parts of the page could not be loaded.")
        page.click("text=Go to the gallery")
        page.wait_for_selector("[data-name=cube]")
        page.context.close()


def test_the_library_for_solids_is_made_smaller() -> None:
    """Its two modules have 2.1 MB as they are published."""
    modules = list((STATIC / "vendor").glob("three.*.js"))
    if not modules:
        pytest.skip("three.js is not there; fetch it with: make page")
    assert sum(path.stat().st_size for path in modules) <= 900_000


@pytest.mark.slow
def test_the_compiled_engine_solves_in_the_browser_as_well(open_page: Open) -> None:
    page = open_page("#puzzle=soma&tab=solve")
    loaded(page)
    said = solved(page)
    assert "11,520" in said and "cover," in said


@pytest.mark.slow
def test_solutions_that_come_without_a_picture_are_drawn_when_they_are_shown(
    open_page: Open,
) -> None:
    page = open_page("#puzzle=soma&tab=solve")
    loaded(page)
    assert "240 truly different" in solved(page)
    first = page.inner_html("#picture")
    page.keyboard.press("End")
    page.wait_for_selector("#picture svg", state="attached")  # behind the solid
    assert page.inner_text("#caption").startswith("Solution 240")
    assert page.inner_html("#picture") != first


def test_all_solutions_are_small_pictures(open_page: Open) -> None:
    page = open_page("#puzzle=soma&tab=solve", viewport={"width": 390, "height": 844})
    loaded(page)
    assert page.locator(".small").is_hidden()
    page.click("#options summary")
    page.fill("#limit", "70")
    solved(page)
    assert page.locator(".small button").count() == 60
    page.locator(".small button").nth(59).scroll_into_view_if_needed()
    page.wait_for_selector(".small button:nth-child(60) svg")  # it came without a picture
    page.click("#more")
    assert page.locator(".small button").count() == 70 and page.is_hidden("#more")
    page.click(".small button:nth-child(3)")
    assert page.inner_text("#caption").startswith("Solution 3 of at least 70")
    assert page.get_attribute(".small button:nth-child(3)", "aria-current") == "true"
    sizes = page.evaluate(
        "[...document.querySelectorAll('.small button')].map((each) => "
        "each.getBoundingClientRect().width)"
    )
    assert min(sizes) >= 44  # a finger hits it
    turn_to(page, "edit")
    assert page.locator(".small").is_hidden()


@pytest.mark.slow
def test_the_formats_of_the_family_are_offered(open_page: Open) -> None:
    page = open_page("#puzzle=sudoku-hard&tab=make")
    loaded(page)
    page.click("#formats summary")
    page.wait_for_selector("#save-sdk")
    with page.expect_download() as saved:
        page.click("#save-sdm")
    assert saved.value.suggested_filename == "sudoku-hard.sdm"


def test_sheets_are_printed_at_true_size(open_page: Open) -> None:
    page = open_page("#puzzle=cube&tab=make")
    loaded(page)
    page.evaluate("globalThis.print = () => {}")
    page.click("#print")
    page.wait_for_selector(".printed", state="attached")
    drawn = measure(page.pdf(prefer_css_page_size=True))
    assert 50 in drawn.lengths_mm
    assert 8 in drawn.lengths_mm, "the teeth of the first puzzle are as wide as its rules say"
    until(page, "!document.querySelector('.sheets')")


def test_all_generated_puzzles_are_printed_together_with_their_solutions(open_page: Open) -> None:
    page = open_page("#puzzle=cube&tab=make")
    loaded(page)
    page.evaluate("globalThis.print = () => {}")
    page.fill("#number", "2")
    page.click("#generate")
    page.wait_for_selector(".made li >> nth=1")
    page.click("#print-all-solved")
    page.wait_for_selector(".printed .solutions", state="attached")
    text = page.locator(".printed").text_content()
    puzzles = text.partition("Solutions")[0]
    assert all(f"{number} 6 interlocking" in puzzles for number in (1, 2))
    assert page.locator(".printed .solutions > div > div").count() == 2
    assert "no. 1" not in text, "the number is told once"
    drawn = measure(page.pdf(prefer_css_page_size=True))
    assert drawn.pages == 3 and 50 in drawn.lengths_mm


def test_generated_puzzles_are_kept_with_the_puzzle_and_with_each_of_them(open_page: Open) -> None:
    page = open_page("#new=interlocking")
    page.click("#generate-new")
    page.fill("#number", "2")
    page.click("#generate")
    until(page, "document.querySelector('#making').textContent === '2 made.'")
    page.click(".made button >> nth=1")
    until(page, "JSON.parse(localStorage.getItem('jigsat-drafts')).length === 2")
    assert page.locator(".made li").count() == 2
    for number in range(
        2
    ):  # the second of those that were made, and the puzzle from which they were made
        page.click(".back")  # to the board
        page.click(".back")
        page.click(f".drafts .open >> nth={number}")
        loaded(page)
        turn_to(page, "make")
        page.wait_for_selector(".made li:nth-child(2) svg", state="attached")
        assert page.is_enabled("#print-all-solved")


def test_links_lead_to_the_static_page_that_is_set(browser: Any) -> None:
    with served(STATIC) as server:
        page = browser.new_context(permissions=["clipboard-read", "clipboard-write"]).new_page()
        address = f"http://{server.host}/secret/"
        sent = server.send(server.get("/secret/")).text
        there = sent.replace('data-published=""', 'data-published="https://ada.example/puzzles/"')
        page.route(address, lambda route: route.fulfill(body=there, content_type="text/html"))
        page.goto(f"{address}#puzzle=cats")
        loaded(page)
        choose(page, "#share")
        page.click("#copy-link")
        until(page, "document.querySelector('#sharing').innerText.includes('Copied.')")
        assert (
            page.evaluate("navigator.clipboard.readText()")
            == "https://ada.example/puzzles/#puzzle=cats"
        )
        page.context.close()


def test_nothing_is_printed_before_the_puzzle_has_loaded(open_page: Open) -> None:
    page = open_page()
    page.route("**/api", lambda route: None)
    page.evaluate("location.hash = '#puzzle=cube&tab=make'")
    page.click("#print")
    until(
        page,
        "document.querySelector('#panel-make').textContent.includes('The puzzle has not loaded "
        "yet')",
    )


def test_a_limit_is_told_in_the_words_in_which_it_was_asked(open_page: Open) -> None:
    page = open_page("#puzzle=cube&tab=solve")
    loaded(page)
    page.click("#options summary")
    page.fill("#limit", "2")
    told = solved(page)
    assert told.startswith("The first 2 distinct solutions at least ")


def test_a_generated_puzzle_is_kept_beside_ones_own(open_page: Open) -> None:
    page = open_page("#puzzle=latin-4&tab=edit")
    loaded(page)
    page.fill("#title", "Mine")
    page.keyboard.press("Enter")
    until(page, "document.querySelector('h1').textContent === 'Mine'")
    turn_to(page, "make")
    page.fill("#number", "1")
    page.click("#generate")
    page.click(".made button")
    until(page, "document.querySelector('h1').textContent !== 'Mine'")
    titles = "JSON.parse(localStorage.getItem('jigsat-drafts')).map(({ title }) => title)"
    until(page, f"{titles}.length === 2 && {titles}[1] === 'Mine'")
    assert "order 4" in page.inner_text("#panel-make summary >> nth=1"), "of the size of one's own"
    assert ". . . ." not in page.input_value("#toml") and page.locator(".made button").count() == 1
    turn_to(page, "solve")
    page.keyboard.press("Control+z")
    until(page, "document.querySelector('h1').textContent === 'Mine'")
    until(page, f"{titles}.length === 2 && {titles}[0] === 'Mine'")


NEAR_EMPTY = """[...document.querySelectorAll('.shelf .paper:empty')]
    .map((paper) => paper.getBoundingClientRect())
    .some(({ height, top }) => height && top < innerHeight)"""
"""Whether a card in the window has no picture; a static site loads those that are scrolled to."""


def test_the_gallery_stays_in_place_and_is_kept(open_page: Open) -> None:
    page = open_page()
    asked = []
    page.on("request", lambda request: asked.append(request.post_data or request.url))
    place = "scrollY + document.querySelector('[type=search]').getBoundingClientRect().y"
    sections = "[...document.querySelectorAll('.shelf section')].map((each) => each.dataset.family)"
    before, families = page.evaluate(place), page.evaluate(sections)
    page.fill("[type=search]", "a")
    page.wait_for_selector(".shelf [data-name=wedding-small]")
    assert page.evaluate(place) == before
    until(page, f"!({NEAR_EMPTY})")
    page.fill("[type=search]", "")
    assert page.evaluate(place) == before
    assert page.evaluate(sections)[: len(families)] == families
    page.fill("[type=search]", "cube")
    page.click("[data-name=cube]")
    loaded(page)
    asked.clear()
    page.go_back()
    page.wait_for_selector("[data-name=cube]")
    assert page.input_value("[type=search]") == "cube"
    until(page, f"!({NEAR_EMPTY})")
    assert not [each for each in asked if "gallery" in each or '"solve"' in each]


def test_buttons_stay_in_place_while_something_is_made(open_page: Open) -> None:
    page = open_page("#puzzle=sudoku-4x4-empty&tab=make", reduced_motion="reduce")
    loaded(page)
    page.wait_for_selector("#generate")
    rail = "document.querySelector('.panels').scrollTop"
    place = f"document.querySelector('#generate').getBoundingClientRect().y + {rail}"
    before = page.evaluate(place)
    page.click("#generate")
    until(page, "document.querySelector('#making').textContent.startsWith('Generating …')")
    assert page.evaluate(place) == before
    scrolled = page.evaluate(rail)
    until(page, "document.querySelector('#making').textContent === '3 made.'")
    assert page.evaluate(place) == before and page.evaluate(rail) == scrolled
    assert page.is_disabled("#panel-make button:text('Stop')")


@pytest.mark.parametrize(("name", "size"), [("slitherlink-4", "4"), ("tents-7", "7")])
def test_new_puzzles_have_the_size_of_the_one_at_hand(
    open_page: Open, name: str, size: str
) -> None:
    page = open_page(f"#puzzle={name}&tab=make")
    page.wait_for_selector("#generate")
    page.click("text=Settings")
    for label in ("rows", "columns"):
        assert page.locator(f"label:has-text('{label}') input").input_value() == size


def test_making_again_ends_what_was_being_made_without_a_word(open_page: Open) -> None:
    page = open_page("#puzzle=sudoku-4x4-empty&tab=make")
    loaded(page)
    page.wait_for_selector("#generate")
    page.evaluate(
        """() => {
            const line = document.querySelector("#making");
            globalThis.told = [];
            new MutationObserver(() => told.push(line.textContent))
                .observe(line, { childList: true });
            document.querySelector("#generate").click();
            document.querySelector("#generate").click();
        }"""
    )
    until(page, "told.at(-1) === '3 made.'")
    assert page.locator(".made li").count() == 3
    assert [each for each in page.evaluate("told") if "made." in each] == ["3 made."]


def test_what_was_made_is_seen_and_can_be_told_apart(open_page: Open) -> None:
    page = open_page(
        "#puzzle=cube&tab=make", viewport={"width": 390, "height": 844}, reduced_motion="reduce"
    )
    loaded(page)
    page.fill("#number", "4")
    page.click("#generate")
    until(page, "document.querySelector('#making').textContent === '4 made.'")
    words = page.locator(".made li").all_inner_texts()
    assert [f"no. {i}" in each for i, each in enumerate(words, 1)] == [True] * 4
    below = page.viewport_size["height"]
    for part in ("#making", ".made li >> nth=0"):
        box = page.locator(part).bounding_box()
        assert box["y"] >= 0 and box["y"] + box["height"] <= below, part
    boxes = page.locator(".made .paper > svg").evaluate_all(
        "all => all.map((each) => each.getAttribute('viewBox'))"
    )
    assert len({*boxes}) == 1, "all are laid out in the same way"


def test_the_rules_are_shown_at_once_where_they_are_the_puzzle(open_page: Open) -> None:
    page = open_page("#puzzle=dinner")
    loaded(page)
    page.wait_for_selector("text=Bob must sit beside Cathy or Dave")
    page = open_page("#puzzle=cats")
    loaded(page)
    page.wait_for_selector(".facts summary")
    assert page.is_hidden(".facts li >> nth=0")
