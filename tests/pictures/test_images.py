"""Picture files on tiles."""

from __future__ import annotations

import os
import pickle
import struct
import zlib
from pathlib import Path
from xml.etree import ElementTree

import pytest
from support.command import run
from support.inside import jigsat as command
from support.png import png

import jigsat
from jigsat.errors import InputError
from jigsat.instance import instance_text
from jigsat.pictures import images
from jigsat.pictures.illustrations import PictureFile
from jigsat.web.puzzles import RequestedPuzzle, read_puzzles

Capture = pytest.CaptureFixture[str]

CUT_OFF = "a PNG file that is cut off; save the picture again"
DAMAGED = "a PNG file that is damaged; save the picture again"
LACKS_PIXELS = "a PNG file without all of its pixels; save the picture again"

SVG = "{http://www.w3.org/2000/svg}"
PLAIN = (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 20 10"><path d="M0 0h20v10z"/>{}</svg>'
)

TILES = """family = "edge-matching"
board = "square 1x2"
turning = false
[tiles]
a = ["x", "sun", "x", "x"]
b = ["x", "x", "x", "sun"]
[pictures]
{} = "{}"
"""


def jpeg(width: int, height: int) -> bytes:
    return (
        b"\xff\xd8\xff\xe0\x00\x04ab\xff\xc0\x00\x0b\x08"
        + struct.pack(">HH", height, width)
        + b"\x01\x01\x11\x00\xff\xd9"
    )


def saved(folder: Path, data: bytes | str, name: str = "sun", file: str = "sun.pic") -> Path:
    (folder / file).write_bytes(data.encode() if isinstance(data, str) else data)
    (folder / "own.toml").write_text(TILES.format(name, file), encoding="utf-8")
    return folder / "own.toml"


@pytest.mark.parametrize(
    ("data", "kind", "aspect"),
    [(png(4, 2), "png", 2), (jpeg(3, 6), "jpeg", 0.5), (PLAIN.format(""), "svg+xml", 2)],
)
@pytest.mark.parametrize("name", ["sun", "a"])
def test_a_picture_is_embedded_in_its_proportions(
    name: str, data: bytes | str, kind: str, aspect: float, tmp_path: Path
) -> None:
    puzzle = jigsat.load(saved(tmp_path, data, name))
    solution = next(jigsat.solutions(puzzle))
    for drawn in [solution.svg(), *(part.svg for part in puzzle.parts()[1:2])]:
        (image,) = ElementTree.fromstring(drawn).iter(f"{SVG}image")  # defined once
        assert image.get("href", "").startswith(f"data:image/{kind};base64,")
        assert float(image.get("width", 0)) / float(image.get("height", 0)) == pytest.approx(aspect)
    words = {text.text for text in ElementTree.fromstring(solution.svg()).iter(f"{SVG}text")}
    assert ("sun" in words) == (name == "a"), "a label with a picture is not written"
    assert "a" in words, "a tile with a picture keeps its name"


@pytest.mark.parametrize(
    ("data", "says"),
    [
        ("GIF89a", "not a picture; use a PNG, JPEG or SVG file"),
        ("<html/>", "not a picture; use a PNG, JPEG or SVG file"),
        (PLAIN.format("<script/>"), "contains a script; save it as plain SVG"),
        (
            PLAIN.format('<g onload="alert(1)"/>'),
            "contains a script, onload of <g>; save it as plain SVG",
        ),
        (
            PLAIN.format("<text>sun</text>"),
            "contains text, <text>; convert it to paths, because not every program has its font",
        ),
        (
            PLAIN.format('<image href="/etc/passwd"/>'),
            "<image> refers to '/etc/passwd'; only parts of the same file and embedded pictures are "
            "accepted",
        ),
        (
            '<!DOCTYPE svg [<!ENTITY a "a">]>' + PLAIN.format("&a;"),
            "has a document type with declarations or entities; save it as plain SVG",
        ),
        (
            png(100_000, 100_000),
            "100,000×100,000 pixels; a picture must have 1 to 40,000,000 pixels",
        ),
        (jpeg(0, 0), "0×0 pixels; a picture must have 1 to 40,000,000 pixels"),
        (b"\xff\xd8\xff", "0×0 pixels; a picture must have 1 to 40,000,000 pixels"),
        (b"\x00" * (images.MAX_FILE_BYTES + 1), "larger than 8 MiB, the limit for a picture"),
        (
            PLAIN.format("<style>@import 'a.css';</style>"),
            "has the style \"@import 'a.css';\", which is not accepted; save it as plain SVG",
        ),
        (
            PLAIN.format('<path fill="url(http://a.b/c)"/>'),
            "fill is 'url(http://a.b/c)', which is not accepted; "
            "remove it in the editor, or save the picture as PNG",
        ),
        (
            PLAIN.format(r'<path style="fill:u\72l(a.svg)"/>'),
            r"fill is 'u\\72l(a.svg)', which is not accepted; "
            "remove it in the editor, or save the picture as PNG",
        ),
        (
            PLAIN.format(r'<path style="fill:\000075 r\l(a.svg)"/>'),
            r"fill is '\\000075 r\\l(a.svg)', which is not accepted; "
            "remove it in the editor, or save the picture as PNG",
        ),
        (
            PLAIN.format("<style>a{b:image-set('a.png' 1x)}</style>"),
            "has the style \"b:image-set('a.png' 1x)\", which is not accepted; "
            "remove it in the editor, or save the picture as PNG",
        ),
        (
            '<?xml-stylesheet href="a.css"?>' + PLAIN,
            "has a style sheet in another file; save it as plain SVG",
        ),
        (
            PLAIN.format('<set attributeName="href" to="a.svg"/>'),
            "contains <set>, which is not accepted; "
            "remove it in the editor, or save the picture as PNG",
        ),
        (
            PLAIN.format('<img xmlns="http://www.w3.org/1999/xhtml" src="a"/>'),
            "contains HTML, <img>; save it as plain SVG",
        ),
        (PLAIN.format("").encode("utf-16"), "not a PNG or JPEG file, nor an SVG file in UTF-8"),
        (
            PLAIN.replace("20 10", "1e-5 1e5"),
            "one side is more than 1,000 times as long as the other; crop the picture",
        ),
        (
            PLAIN.replace("20 10", "1e999 1e999"),
            "viewBox is '0 0 1e999 1e999'; numbers above 1,000,000 are not accepted; make the "
            "drawing smaller, or save it as PNG",
        ),
        (
            PLAIN.replace("20 10", "20 -10"),
            "the viewBox is '0 0 20 -10'; expected four numbers, the last two the width and height",
        ),
        (
            PLAIN.replace("20 10", "20"),
            "the viewBox is '0 0 20'; expected four numbers, the last two the width and height",
        ),
        # cut off in the signature, in the header, in the pixels, and in the last checksum
        (png(20, 10)[:8], CUT_OFF),
        (png(20, 10)[:20], CUT_OFF),
        (png(20, 10)[:-20], CUT_OFF),
        (png(20, 10)[:-2], CUT_OFF),
        (png(20, 10)[:-16] + bytes(4) + png(20, 10)[-12:], DAMAGED),
        (png(20, 10, packed=b""), LACKS_PIXELS),
        (png(20, 10, packed=zlib.compress(bytes(209))), LACKS_PIXELS),
        (png(20, 10, packed=zlib.compress(bytes(210))[:-9]), LACKS_PIXELS),
        (png(20, 10, packed=b"no pixels"), DAMAGED),
        (png(20, 10, packed=zlib.compress(bytes(189) + b"\x09" + bytes(20))), DAMAGED),
        (png(20, 10, depth=3), DAMAGED),
        (
            png(40_000_000, 1),
            "one side is more than 1,000 times as long as the other; crop the picture",
        ),
    ],
    ids=range(36),
)
def test_an_unsafe_picture_is_one_line(
    data: bytes | str, says: str, tmp_path: Path, capsys: Capture
) -> None:
    file = saved(tmp_path, data)
    assert command(capsys, "solve", file) == (
        2,
        "",
        f"jigsat: {file}: pictures.sun: {tmp_path / 'sun.pic'}: {says}\n",
    )


def test_a_missing_picture_is_one_line_before_the_search(tmp_path: Path, capsys: Capture) -> None:
    file = saved(tmp_path, png(1, 1))
    (tmp_path / "sun.pic").unlink()
    images.read_image.cache_clear()
    done = command(capsys, "sheet", file, "-o", tmp_path / "book.html")
    assert (done.status, done.err.count("\n")) == (2, 1)
    assert (
        f"{file}: pictures.sun: {tmp_path / 'sun.pic'}: cannot be read: no such file or directory"
        in done.err
    )


def test_a_pipe_is_not_waited_for(tmp_path: Path) -> None:
    file = saved(tmp_path, "")
    (tmp_path / "sun.pic").unlink()
    os.mkfifo(tmp_path / "sun.pic")
    with pytest.raises(InputError, match="cannot be read: not a regular file"):
        jigsat.load(file)


def test_a_picture_needs_a_tile_or_a_label(tmp_path: Path, capsys: Capture) -> None:
    done = command(capsys, "solve", saved(tmp_path, png(1, 1), "moon"))
    assert done.err.endswith("own.toml: pictures: no tile and no label has the name 'moon'\n")


def test_a_text_from_a_stranger_opens_no_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = TILES.format("sun", "/etc/passwd")
    monkeypatch.setattr(images, "read_image", lambda path: pytest.fail(f"{path} is read"))
    (puzzle,) = read_puzzles(RequestedPuzzle(text=text))
    assert not [*ElementTree.fromstring(puzzle.parts()[1].svg).iter(f"{SVG}image")]
    assert jigsat.load(text).parts()


def test_pictures_are_written_back_and_pickled_but_do_not_distinguish_puzzles(
    tmp_path: Path,
) -> None:
    puzzle = jigsat.load(saved(tmp_path, png(1, 1)))
    assert 'sun = "sun.pic"' in instance_text(puzzle)
    again = pickle.loads(pickle.dumps(PictureFile("sun.pic", tmp_path / "sun.pic")))
    assert (again, again.path) == ("sun.pic", tmp_path / "sun.pic")
    assert puzzle.digest() == jigsat.load(TILES.format("sun", "other.png")).digest()


def test_a_book_with_pictures_is_written(tmp_path: Path) -> None:
    pytest.importorskip("typst")
    for name in ("sun", "a"):
        done = run("sheet", saved(tmp_path, png(2, 2), name), "-o", tmp_path / "book.pdf")
        several = "jigsat: own: there are several solutions, and one of them is printed\n"
        assert (done.returncode, done.stderr) == (
            0,
            f"{several}wrote {tmp_path / 'book.pdf'}: 1 puzzle on 2 pages\n",
        )
        assert b"/Subtype/Image" in (tmp_path / "book.pdf").read_bytes()
