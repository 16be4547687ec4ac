"""SVG files of strangers: what is accepted, what is left out, and what is refused."""

from __future__ import annotations

import os
import signal
import tracemalloc
from base64 import b64decode, b64encode
from pathlib import Path
from xml.etree import ElementTree

import pytest
from support.command import run
from support.drawings import DRAWING, ORDINARY, PIXELS, url_of
from support.inside import jigsat as inside
from support.png import png
from support.running import Running

import jigsat
from jigsat.errors import InputError, Stopped
from jigsat.pictures import rendering
from jigsat.pictures.images import MAX_FILE_BYTES, read_image
from jigsat.pictures.svg_files import MAX_ELEMENTS, MAX_LEVELS
from jigsat.runtime.child import apart
from jigsat.services import pictures
from jigsat.web.puzzles import RequestedPuzzle, describe_puzzle, read_puzzles


def accepted(svg: str) -> str:
    """What is shown of an SVG file."""
    return b64decode(read_image(url_of(svg)).url.partition(",")[2]).decode()


def drawn(svg: str) -> ElementTree.Element:
    return ElementTree.fromstring(accepted(svg))


@pytest.mark.parametrize("svg", ORDINARY.values(), ids=ORDINARY)
def test_pictures_of_editors_are_accepted_without_what_only_editors_need(svg: str) -> None:
    shown = accepted(svg)
    kinds = {element.tag.rpartition("}")[2] for element in ElementTree.fromstring(shown).iter()}
    assert kinds & {"path", "rect", "circle", "ellipse", "use"}
    assert not kinds & {"metadata", "title", "desc", "style", "namedview", "grid", "RDF"}
    for left_out in ("inkscape", "sodipodi", "sketch", "serif", "corel", "font-", "class=", "<!"):
        assert left_out not in shown
    assert accepted(shown) == shown


def test_style_sheets_are_applied_to_the_elements() -> None:
    sheet = (
        "<style>path{fill:red;stroke:red} .a{fill:blue} #b{fill:green} .a.c{stroke:lime}"
        "*{opacity:.5}</style>"
    )
    paths = (
        '<path fill="gray"/><path class="a" fill="gray"/><path id="b" class="a"/>'
        '<path class="c a" style="fill:pink"/>'
    )
    found = drawn(DRAWING.format(sheet + paths)).iter("{http://www.w3.org/2000/svg}path")
    looks = [(path.get("fill"), path.get("stroke"), path.get("opacity")) for path in found]
    assert looks == [
        ("red", "red", ".5"), ("blue", "red", ".5"), ("green", "red", ".5"), ("pink", "lime", ".5"),
    ]  # fmt: skip


def chain(number: int, element: str) -> str:
    """Elements each of which refers to the next."""
    return "".join(element.format(i, i + 1) for i in range(number))


def tower(kind: str, inner: str) -> str:
    """Elements each of which draws the one before ten times."""
    parts = [f'<{kind} id="a0">{inner.format("#none") * 10}</{kind}>']
    parts += [f'<{kind} id="a{i}">{inner.format(f"#a{i - 1}") * 10}</{kind}>' for i in range(1, 12)]
    return "".join(parts)


CLIP = '<clipPath id="c{0}" clip-path="url(#c{1})"><rect width="9" height="9"/></clipPath>'
MASK = '<mask id="c{0}"><rect width="9" height="9" mask="url(#c{1})"/></mask>'
PATTERN = '<pattern id="p"><rect/>{}</pattern>'
DEEP = f"more than {MAX_LEVELS} elements lie in one another or refer to one another"
OFTEN = "draws more than 100,000 elements, because parts are used repeatedly"

HOSTILE = {
    '<filter id="f"><feTurbulence numOctaves="1000000"/></filter>': "contains <filter>",
    '<rect filter="url(#f)"/>': "the attribute 'filter' of <rect>",
    '<rect style="filter:url(#f)"/>': "has the style 'filter:url(#f)'",
    chain(5000, CLIP): DEEP,
    chain(40, CLIP): DEEP,
    chain(40, MASK): DEEP,
    '<g id="a"><use href="#a"/></g>': DEEP,
    "<g>" * 70 + "</g>" * 70: DEEP,
    "<g/>" * (MAX_ELEMENTS + 1): "has more than 20,000 elements",
    tower("g", '<use href="{}"/>'): OFTEN,
    tower("g", '<use xlink:href="{}"/>'): OFTEN,
    tower("pattern", '<rect fill="url({})"/>'): OFTEN,
    PATTERN.format("<rect/>" * 1000)
    + f'<g fill="url(#p)">{"<path/>" * 1000}</g>': OFTEN,
    '<marker id="m">' + "<rect/>" * 100 + f'</marker><path marker-mid="url(#m)" d="M0 0{"h1" * 5000}"/>': OFTEN,
    "<style>#p{mask:url(#p)}</style><mask id='p'><rect/></mask>": DEEP,
    f'<path fill="url(#a){" " * 50_000}(x"/>': "fill is 'url(#a)",
    f'<path d="{"1" * 50_000}("/>': "d is '111",
    '<path fill="url(#a) url(http://b.c)"/>': "fill is 'url(#a) url(http://b.c)'",
    '<path fill="url(#%61)"/>': "fill is 'url(#%61)'",
    '<path fill="url(data:image/svg+xml;base64,AA)"/>': "fill is 'url(data:",
    '<path style="fill:var(--a)"/>': "fill is 'var(--a)'",
    '<path style="fill:red !important"/>': "fill is 'red !important'",
    "<style>@font-face{src:url(a)}</style>": "has the style '@font-face'",
    "<style>g > path:hover{fill:red}</style>": "has the style 'g > path:hover'",
    "<style>" + "a{}" * 5001 + "</style>": "has more than 5,000 styles",
    "<style>" + "/*" * 50_000 + "</style>": "has the style '* * *",
    '<use href="a.svg#b"/>': "<use> refers to 'a.svg#b'",
    '<image xlink:href="http://a.b/c"/>': "<image> refers to 'http://a.b/c'",
    '<image href="data:image/svg+xml;base64,AA"/>': "contains a picture that is neither PNG nor",
    f'<image href="data:image/png;base64,{url_of("<svg/>")[26:]}"/>': "contains a picture that is",
    f'<image href="data:image/png;base64,{b64encode(png(100_000, 9999)).decode()}"/>': "100,000×9",
    '<rect x="-1e38" width="3"/>': "x is '-1e38'; numbers above 1,000,000",
    f'<path d="M0 0L{"9" * 400} 3"/>': "d is 'M0 0L999",
    '<g transform="scale(2e6)"/>': "transform is 'scale(2e6)'",
    '<path style="stroke-width:1000001"/>': "stroke-width is '1000001'",
    "<rect><animate/></rect>": "contains <animate>",
    "<switch/>": "contains <switch>",
    "<a href='#b'/>": "contains <a>",
    f"<{'x' * 5000}/>": f"contains <{'x' * 60}>",
    "<g crossorigin='x'/>": "the attribute 'crossorigin' of <g>",
    "<g " + "".join(f"data-{i}='' " for i in range(300)) + "/>": "has more than 200 attributes",
}  # fmt: skip


@pytest.mark.parametrize("inside", HOSTILE, ids=range(len(HOSTILE)))
def test_what_is_not_accepted_is_refused_by_name(inside: str) -> None:
    with pytest.raises(ValueError) as refused:
        read_image(url_of(DRAWING.format(inside)))
    message = str(refused.value)
    assert message.startswith(f"the embedded picture: {HOSTILE[inside]}")
    assert "; " in message.removeprefix(f"the embedded picture: {HOSTILE[inside]}"), "a remedy"
    assert len(message) < 300


@pytest.mark.parametrize(
    "prologue",
    [
        "<!DOCTYPE svg [<!ATTLIST svg " + "".join(f'a{i} CDATA "{"x" * 50}" ' for i in range(4000)) + ">]>",
        '<!DOCTYPE svg [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;">]>',
        '<!DOCTYPE svg SYSTEM "file:///etc/passwd" [<!ENTITY % x SYSTEM "http://a.b/c"> %x;]>',
    ],
    ids=["ATTLIST", "ENTITY", "external"],
)  # fmt: skip
def test_a_document_type_with_declarations_is_refused_before_it_is_read(prologue: str) -> None:
    tracemalloc.start()
    try:
        with pytest.raises(ValueError, match="has a document type with declarations or entities"):
            read_image(url_of(prologue + DRAWING.format("<g/>" * 1000)))
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < 8 * 2**20


def test_a_long_name_of_a_namespace_is_not_copied_for_each_element() -> None:
    svg = f'<svg xmlns:a="{"u" * 2**20}"><a:b/>{"<a:b/>" * 15_000}</svg>'
    assert read_image(url_of(svg)).aspect == 1.0


@pytest.mark.parametrize(
    "written",
    [
        f"data:image/png;base64,{PIXELS}) , url(https://example.org/",
        f"data:image/svg+xml,{DRAWING}",
        f"data:text/html;base64,{PIXELS}",
        f"data:image/svg+xml;x=';base64,{PIXELS}",
    ],
)
def test_a_data_url_has_nothing_besides_the_picture(written: str) -> None:
    with pytest.raises(ValueError, match="the embedded picture: not a picture"):
        read_image(written)


def test_a_long_data_url_is_refused_before_it_is_decoded() -> None:
    with pytest.raises(ValueError, match="larger than 8 MiB"):
        read_image(f"data:image/png;base64,{'A' * (2 * MAX_FILE_BYTES + 4)}")


@pytest.mark.parametrize("encoding", ["utf-7", "utf-16", "rot13", "cp037", "x"])
def test_a_strange_encoding_is_no_picture(encoding: str) -> None:
    with pytest.raises(ValueError, match="not a"):
        read_image(url_of(f'<?xml version="1.0" encoding="{encoding}"?>{DRAWING}'))


PUZZLE = """family = "edge-matching"
board = "square 1x2"
turning = false
[tiles]
a = ["x", "sun", "x", "x"]
b = ["x", "x", "x", "sun"]
[pictures]
sun = "{}"
"""


def test_the_page_gets_only_what_was_accepted() -> None:
    text = PUZZLE.format(url_of(ORDINARY["inkscape"]))
    (puzzle,) = read_puzzles(RequestedPuzzle(text=text))
    described = describe_puzzle(puzzle)
    shown = read_image(url_of(ORDINARY["inkscape"])).url
    assert described.data["pictures"] == {"sun": shown}
    assert url_of(ORDINARY["inkscape"]) not in described.model_dump_json()
    hostile = PUZZLE.format(url_of(DRAWING.format("<filter/>")))
    with pytest.raises(InputError, match=r"pictures\.sun: the embedded picture: contains <filter>"):
        read_puzzles(RequestedPuzzle(text=hostile))


# Groups that are drawn on their own, each on a layer of the whole picture.
SLOW = DRAWING.format(
    '<g opacity=".5">' * 50 + '<rect width="20" height="10"/>' * 6_000 + "</g>" * 50
)


def saved(folder: Path, svg: str) -> Path:
    (folder / "own.toml").write_text(PUZZLE.format(url_of(svg)), encoding="utf-8")
    return folder / "own.toml"


def _crash(*_: object) -> bytes:
    os.kill(os.getpid(), signal.SIGSEGV)
    return b""


@pytest.mark.parametrize("command", ["solve", "sheet"])
def test_a_crash_while_drawing_is_one_line_after_what_was_found(
    command: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    pytest.importorskip("typst")
    monkeypatch.setattr(pictures, "_render_silently", _crash)
    monkeypatch.setattr(pictures, "_typeset_silently", _crash)
    option = "--picture" if command == "solve" else "-o"
    file = saved(tmp_path, DRAWING.format("<path/>"))
    done = inside(capsys, command, file, option, tmp_path / "own.pdf")
    assert done.status == 3
    *_, line = done.err.splitlines()
    assert line.startswith(f"jigsat: {tmp_path / 'own.pdf'}: not written: crash: ")
    assert line.endswith(f"SIGSEGV{rendering.OWN_PICTURES}")
    assert ("own: 2 solutions" in done.out) == (command == "solve")
    assert not (tmp_path / "own.pdf").exists()


def test_colours_and_names_are_no_numbers() -> None:
    shape = '<rect id="a1e99" fill="#1e9999" stroke="#999999999" width="1e6"/>'
    assert "#1e9999" in accepted(DRAWING.format(shape))


@pytest.mark.parametrize("suffix", rendering.CONVERTED)
@pytest.mark.parametrize(
    "shape",
    [
        '<circle r="1e6" transform="scale(1e6)"/>',
        '<pattern id="a" width="1e6" height="1e6" viewBox="0 0 9 9" patternUnits="userSpaceOnUse">'
        '<path d="M0 0L9 9"/></pattern><rect width="9" height="9" fill="url(#a)"/>',
    ],
    ids=["circle", "pattern"],
)
def test_great_numbers_end_well(shape: str, suffix: str, tmp_path: Path) -> None:
    """Typst 0.15 panics or aborts on some of them."""
    pytest.importorskip("typst")
    picture = tmp_path / f"own{suffix}"
    done = run("solve", saved(tmp_path, DRAWING.format(shape)), "--picture", picture)
    assert "own: 2 solutions" in done.stdout
    assert (done.returncode, done.stderr.count("\n")) in [(0, 0), (2, 1), (3, 1)]
    assert picture.exists() == (done.returncode == 0)
    assert not done.stderr or done.stderr.startswith(f"jigsat: {picture}: not written: ")


@pytest.mark.parametrize("command", ["solve", "sheet"])
def test_a_failure_inside_the_renderer_is_one_line_with_the_file(
    command: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    typst = pytest.importorskip("typst")

    def panic(*_: object, **__: object) -> bytes:
        raise BaseException("called `Option::unwrap()` on a `None` value")  # as of PyO3

    monkeypatch.setattr(typst, "compile", panic)
    option = "--picture" if command == "solve" else "-o"
    file = saved(tmp_path, DRAWING.format("<path/>"))
    done = inside(capsys, command, file, option, tmp_path / "own.pdf")
    assert done.status == 2
    *_, line = done.err.splitlines()
    assert line.startswith(f"jigsat: {tmp_path / 'own.pdf'}: not written: Typst cannot make a .pdf")
    assert "`Option::unwrap()`" in line and line.endswith(rendering.OWN_PICTURES)
    assert list(tmp_path.iterdir()) == [file]


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_while_drawing_is_one_line_after_what_was_found(
    number: signal.Signals, tmp_path: Path
) -> None:
    pytest.importorskip("typst")
    with Running("solve", saved(tmp_path, SLOW), "--picture", tmp_path / "own.png") as solving:
        assert solving.process.stdout
        assert any("own: 2 solutions" in line for line in solving.process.stdout)
        solving.wait_for(lambda: solving.child() != 0)
        solving.wait_for_work(solving.child(), 0.2)
        _, err = solving.end(number)
    ended = "interrupted" if number == signal.SIGINT else "terminated"
    assert err == f"jigsat: {tmp_path / 'own.png'}: not written: {ended}\n"
    assert solving.process.returncode == 128 + number


def test_what_was_found_before_an_interrupt_is_drawn(tmp_path: Path) -> None:
    pytest.importorskip("typst")
    options = "--show", 1, "--picture", tmp_path / "found.png"
    with Running("solve", "pentominoes-6x10", "--jobs", 1, *options) as solving:
        assert solving.process.stdout
        assert any("Solution 1" in line for line in solving.process.stdout)
        solving.end(signal.SIGINT)
    assert solving.process.returncode == 130
    assert (tmp_path / "found.png").read_bytes().startswith(b"\x89PNG")


def test_drawing_ends_at_the_limits(tmp_path: Path) -> None:
    pytest.importorskip("typst")
    page = jigsat.load(saved(tmp_path, SLOW)).parts()[1].svg
    with pytest.raises(Stopped, match=r"^timeout$"):
        # on a quick machine all is drawn in 0.2 s, but loading Typst alone takes longer than this
        apart(rendering.render_pages, [page], ".png", timeout=0.01)
    with pytest.raises(Stopped, match=r"^memory$"):
        apart(rendering.render_pages, [page], ".png", memory=2**20)
