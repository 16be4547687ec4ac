"""Documents laid out by Typst, as PDF or as an SVG document of a single page."""

from __future__ import annotations

import json
import re
from dataclasses import asdict
from importlib.resources import files
from pathlib import Path
from typing import Any

from jigsat.errors import InputError, suggest, xml_text
from jigsat.pictures.pages import PAPERS
from jigsat.pictures.rendering import compile_typst, list_fonts
from jigsat.printing.parts import Document, Style

LONG_WORD = re.compile(r"\S{21,}")  # a word that may have to be broken anywhere
ZERO_WIDTH_SPACE = "\u200b"


def typeset(document: Document, suffix: str) -> list[bytes]:
    """The .pdf file of a document, or its pages as .svg documents. Raises InputError.

    Call it in a child process: a picture of a stranger could let Typst crash or run for ever, and
    after Typst has started threads, a child of this process would hang in it.
    """
    template = files("jigsat.printing").joinpath("book.typ").read_bytes()
    _require_fonts(document.style)
    folder = document.style.font_folder
    return compile_typst(
        template,
        suffix.removeprefix("."),
        {"data": write_data(document)},
        fonts=[Path(folder)] if folder else [],
    )


def _require_fonts(style: Style) -> None:
    """Raise InputError for a font that is not installed; Typst would take another one."""
    fonts = {"fonts.text": style.text_font, "fonts.headings": style.heading_font}
    if not any(fonts.values()):
        return
    known = list_fonts([Path(style.font_folder)] if style.font_folder else [])
    for entry, font in fonts.items():
        if font and font.lower() not in {name.lower() for name in known}:
            remedy = suggest(font, known) or "; install it, or name its folder in fonts.folder"
            raise InputError(f"{entry}: there is no font {font!r}{remedy}")


def write_data(document: Document) -> str:
    """The document as JSON for the template, which reads every text as it is."""
    data = asdict(document)
    data["paper"] = PAPERS[document.style.paper]
    return xml_text(json.dumps(_make_breakable(data), ensure_ascii=False))


def _make_breakable(value: Any) -> Any:
    """The data with places in long words where a line may end; pictures are left alone."""
    if isinstance(value, dict):
        result = {}
        for name, item in value.items():
            result[name] = item if name == "svg" else _make_breakable(item)
        return result
    if isinstance(value, list):
        return [_make_breakable(item) for item in value]
    if isinstance(value, str):
        return LONG_WORD.sub(lambda word: ZERO_WIDTH_SPACE.join(word[0]), value)
    return value


def count_pages(pdf: bytes) -> int:
    """The number of pages of a PDF file that Typst made."""
    return len(re.findall(rb"/Type\s*/Page\b", pdf))
