"""Texts of strangers in SVG, HTML and XML files: whatever is in a name, the files can be read."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from xml.etree import ElementTree

import pytest
from support.inside import jigsat as command

import jigsat

Capture = pytest.CaptureFixture[str]

ROOT = Path(__file__).parents[2]
NAME = r"\u0001<&>\"'\ufffe"
SHOWN = "\ufffd<&>\"'\ufffd"

TILES = f"""family = "edge-matching"
title = "{NAME}"
board = "square 1x2"
turning = false
[tiles]
"{NAME}" = ["x", "{NAME}2", "x", "y"]
b = ["x", "x", "x", "{NAME}2"]
"""
PIECES = f"""family = "tiling"
title = "{NAME}"
board = "##\\n##"
[pieces]
"{NAME}" = "##\\n#."
"b" = "#"
"""
COVER = f"""family = "exact-cover"
title = "{NAME}"
items = "p {NAME}"
options = ["p", "{NAME}"]
"""
GUESTS = f"""family = "seating"
title = "{NAME}"
guests = ["{NAME}", "Ben", "Cleo"]
tables = "round 3"
"""
SUDOKU = f"""family = "sudoku"
title = "{NAME}"
grid = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
"""
PUZZLES = {"edge-matching": TILES, "tiling": PIECES, "exact-cover": COVER, "seating": GUESTS}


def saved(folder: Path, text: str) -> Path:
    (folder / "own.toml").write_text(text, encoding="utf-8")
    return folder / "own.toml"


def read_pictures(file: Path) -> list[ElementTree.Element]:
    """The SVG documents in an SVG or HTML file, which has no forbidden characters elsewhere."""
    text = file.read_text(encoding="utf-8")
    assert not re.search("[\x00-\x08\x0b-\x1f\ufffe\uffff]", text)
    assert "<&" not in text
    return [ElementTree.fromstring(picture) for picture in split_pictures(text)]


def split_pictures(text: str) -> Iterator[str]:
    """The SVG documents in a text, of which one may be in another."""
    depth = begin = 0
    for tag in re.finditer("<svg[^>]*>|</svg>", text):
        if tag[0] == "</svg>":
            depth -= 1
            if not depth:
                yield text[begin : tag.end()]
        elif not tag[0].endswith("/>"):
            if not depth:
                begin = tag.start()
            depth += 1


@pytest.mark.parametrize("family", PUZZLES)
@pytest.mark.parametrize(
    ("arguments", "file"),
    [
        (("solve", "--picture"), "out.svg"),
        (("unique", "--picture"), "out.svg"),
        (("candidates", "--picture"), "out.svg"),
        (("steps", "--html"), "out.html"),
        (("sheet", "-o"), "out.html"),
        (("explain", "--handout"), "out.html"),
    ],
    ids=["solve", "unique", "candidates", "steps", "sheet", "explain"],
)
def test_control_characters_and_markup_in_names_are_drawn(
    family: str, arguments: tuple[str, ...], file: str, tmp_path: Path, capsys: Capture
) -> None:
    name, option = arguments
    done = command(capsys, name, saved(tmp_path, PUZZLES[family]), option, tmp_path / file)
    assert done.status == 0, done.err
    if (tmp_path / file).exists():  # `unique` writes a picture only of two solutions
        assert read_pictures(tmp_path / file)
        assert "\ufffd&lt;&amp;&gt;" in (tmp_path / file).read_text(encoding="utf-8")
    else:
        assert name == "unique"


@pytest.mark.parametrize(
    ("text", "suffix"), [(PIECES, "xmpuzzle"), (SUDOKU, "opensudoku")], ids=["tiling", "sudoku"]
)
def test_names_with_control_characters_are_exported_as_xml(
    text: str, suffix: str, tmp_path: Path, capsys: Capture
) -> None:
    exported = tmp_path / f"out.{suffix}"
    done = command(capsys, "export", saved(tmp_path, text), "--format", suffix, "-o", exported)
    assert done.status == 0, done.err
    assert jigsat.load(exported).title == SHOWN


def test_one_function_writes_texts_into_markup() -> None:
    """`html.escape` alone keeps characters that XML forbids."""
    importing = set()
    for folder in ("src", "encodings", "page"):
        for path in (ROOT / folder).rglob("*.py"):
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                if isinstance(node, ast.ImportFrom) and node.module == "html":
                    names = {imported.name for imported in node.names}
                    if "escape" in names:
                        importing.add(path.relative_to(ROOT).as_posix())
    clues_in_json = "encodings/crossword/markup.py"
    assert importing == {"src/jigsat/errors/__init__.py", clues_in_json}
