"""Pictures as PDF, PNG and HTML files."""

from __future__ import annotations

import re
import struct
import sys
from pathlib import Path
from typing import Any

import pytest
from support.command import run
from support.inside import jigsat as command

import jigsat
from jigsat.errors import InputError
from jigsat.pictures import rendering
from jigsat.pictures.svg import FONTS
from jigsat.runtime.child import apart

SQUARE = (
    '<svg xmlns="http://www.w3.org/2000/svg" width="{0}" height="{0}" viewBox="0 0 9 '
    '9"><rect width="9" height="9"/></svg>'
)
PAGE = SQUARE.format("254mm")

Capture = pytest.CaptureFixture[str]


def rendered(*arguments: Any) -> bytes:
    """The file, made in another process, because Typst starts threads and other tests fork this
    process."""
    return apart(rendering.render_pages, *arguments)


def page_sizes(pdf: bytes) -> list[tuple[float, float]]:
    """The width and height of each page in points."""
    boxes = re.findall(rb"/MediaBox ?\[0 0 ([\d.]+) ([\d.]+)\]", pdf)
    return [(float(width), float(height)) for width, height in boxes]


def png_size(png: bytes) -> tuple[int, int]:
    assert png.startswith(b"\x89PNG")
    width, height = struct.unpack(">II", png[16:24])
    return width, height


def test_a_pdf_has_one_page_per_picture_in_its_true_size() -> None:
    pytest.importorskip("typst")
    pdf = rendered([PAGE, SQUARE.format(96)], ".pdf", "two <squares>")
    assert page_sizes(pdf) == [(720, 720), (72, 72)]
    assert rendered([PAGE], ".pdf", "a") == rendered([PAGE], ".pdf", "a")


def test_the_fonts_of_a_pdf_are_embedded() -> None:
    pytest.importorskip("typst")
    text = '<text y="5" font-size="2" font-family="{}"{}>9 tiles, 3×3</text>'
    drawn = [text.format(FONTS, weight) for weight in ("", ' font-weight="bold"')]
    pdf = rendered([SQUARE.format(96).replace("</svg>", f"{''.join(drawn)}</svg>")], ".pdf", "a")
    assert pdf.count(b"/Type/FontDescriptor") == len(re.findall(rb"/FontFile\d? ", pdf)) == 2


def test_a_png_has_a_limited_number_of_pixels(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("typst")
    assert png_size(rendered([SQUARE.format(96)], ".png")) == (192, 192)
    monkeypatch.setattr(rendering, "PIXELS", 500)
    assert max(png_size(rendered([SQUARE.format(96_000)], ".png"))) == 500


def test_a_web_page_has_one_sheet_per_picture() -> None:
    html = rendered([PAGE, PAGE], ".html", "<b>").decode()
    assert html.count('<svg class="page" ') == 2
    assert "size: 254.0mm 254.0mm" in html
    assert "<title>&lt;b&gt;</title>" in html


@pytest.mark.parametrize("suffix", rendering.CONVERTED)
def test_without_typst_one_line_says_what_to_install(
    suffix: str, tmp_path: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rendering, "find_spec", lambda _: None)
    file = tmp_path / f"cube{suffix}"
    done = command(capsys, "solve", "cube", "--picture", file)
    install = "pip install 'jigsat[print]' or, in a clone, .venv/bin/pip install -e '.[print]'"
    needed = f"jigsat: --picture {file}: {suffix} files need typst; install it with: {install}\n"
    assert done == (2, "", needed)
    with pytest.raises(InputError, match="files need typst"):
        rendered([PAGE], suffix)


def test_a_damaged_typst_is_one_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "typst.py").write_text("raise ImportError('no such symbol')")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "typst", raising=False)
    with pytest.raises(InputError, match=r"^typst cannot be loaded \(no such symbol\); install it"):
        rendering.render_pages(['<svg width="9" height="9"/>'], ".pdf")


@pytest.mark.parametrize(
    ("option", "suffix"),
    [
        ("--picture", ".svg"),
        ("--svg", ""),
        ("--picture", ".png"),
        ("--picture", ".PDF"),
        ("--svg", ".pdf"),
    ],
)
def test_solutions_are_drawn_in_the_format_of_the_suffix(
    option: str, suffix: str, tmp_path: Path
) -> None:
    if suffix not in (".svg", ""):
        pytest.importorskip("typst")
    file = tmp_path / f"lights{suffix}"
    done = run("solve", "push-pull", option, file)
    assert (done.returncode, done.stderr) == (0, "")
    start = {".png": b"\x89PNG", ".pdf": b"%PDF"}.get(suffix.lower(), b"<svg")
    assert file.read_bytes().startswith(start)


def test_a_picture_that_cannot_be_converted_is_one_line() -> None:
    pytest.importorskip("typst")
    with pytest.raises(InputError, match=r"^Typst cannot make a \.pdf file of the "):
        rendered(['<svg width="9" height="9"/>'], ".pdf")


def test_pictures_of_hostile_puzzles_are_converted() -> None:
    pytest.importorskip("typst")
    text = 'family = "tiling"\nboard = "##"\n[pieces]\n"\\u001b[2J<svg>\\"#{}漢" = "##"\n'
    (solution,) = jigsat.solutions(text)
    assert page_sizes(rendered([solution.svg()], ".pdf", "\ud800 #panic()"))
