"""Picture files: SVG documents as SVG, HTML, PDF or PNG.

PDF and PNG are made by Typst, whose wheel needs no other library and includes fonts (`pip install
'jigsat[print]'`).
"""

import re
from collections.abc import Mapping, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Literal, cast
from xml.etree import ElementTree

from jigsat.errors import InputError, markup_text, xml_text

CONVERTED = (".pdf", ".png")  # suffixes that need Typst
INSTALL = "pip install 'jigsat[print]' or, in a clone, .venv/bin/pip install -e '.[print]'"
OWN_PICTURES = (
    "; if a puzzle has pictures of its own, save them as PNG, because one of them may be the cause"
)

POINTS = {"": 0.75, "px": 0.75, "mm": 72 / 25.4}  # points per unit of length in SVG
RESOLUTION, PIXELS = (
    192,
    8000,
)  # pixels per inch, and the maximum width and height of a PNG in pixels

HTML = """<!DOCTYPE html>
<html lang="en">
<meta charset="utf-8">
<title>{title}</title>
<style>
@page {{ size: {size}; margin: 0 }}
body {{ margin: 0; background: #ddd }}
svg.page {{ display: block; margin: 0 auto 6mm; background: white; break-after: page }}
@media print {{ body {{ background: none }} svg.page {{ margin: 0 }} }}
</style>
{pages}
</html>
"""


def require(suffix: str, what: str) -> None:
    """Raise InputError if pictures of this kind cannot be made; `what` is the option or the file in
    the message."""
    if suffix in CONVERTED and find_spec("typst") is None:
        raise InputError(f"{what}: {suffix} files need typst; install it with: {INSTALL}")


def render_pages(pages: Sequence[str], suffix: str, title: str = "", author: str = "") -> bytes:
    """The file with these SVG documents, one per page: .svg and .png of a single page, .html or
    .pdf. Raises InputError.

    Call it in a child process for the suffixes in CONVERTED: a picture of a stranger could let
    Typst crash or run for ever, and after Typst has started threads, a child of this process would
    hang in it.
    """
    if suffix not in CONVERTED:
        return _html(pages, title).encode() if suffix == ".html" else pages[0].encode()
    require(suffix, "the picture")
    return _convert(pages, suffix, title, author)


def _convert(pages: Sequence[str], suffix: str, title: str, author: str) -> bytes:
    """A PDF or PNG file, made by Typst, with a page for each SVG document, as large as it.

    Typst gets the documents and the texts as inputs, so that nothing in them is read as its code.
    """
    sizes = [_size(page) for page in pages]
    source = ["#set document(title: sys.inputs.title, author: sys.inputs.author, date: none)"]
    for i, (width, height) in enumerate(sizes):
        source.append(f"#page(width: {width:.3f}pt, height: {height:.3f}pt, margin: 0pt,")
        source.append(
            f"  image(bytes(sys.inputs.page{i}), width: {width:.3f}pt, height: {height:.3f}pt))"
        )
    inputs = {
        "title": xml_text(title),
        "author": xml_text(author),
        **{f"page{i}": page for i, page in enumerate(pages)},
    }
    resolution = min(RESOLUTION, 72 * PIXELS / max(map(max, sizes)))
    text = "\n".join(source).encode()
    (made,) = compile_typst(text, suffix.removeprefix("."), inputs, resolution=resolution)
    return made


def compile_typst(
    source: bytes,
    kind: str,
    inputs: Mapping[str, str],
    *,
    fonts: Sequence[Path] = (),
    resolution: float | None = None,
) -> list[bytes]:
    """The file that Typst makes of a source and its inputs: one PDF, or one picture per page.

    `fonts` are folders with more fonts. Raises InputError. Only for a child process.
    """
    try:
        import typst
    except ImportError as error:  # it is there, but damaged
        raise InputError(f"typst cannot be loaded ({error}); install it with: {INSTALL}") from error
    folders: Any = [*fonts]
    try:
        made: Any = typst.compile(
            source,
            format=cast(Literal["pdf", "png", "svg"], kind),
            sys_inputs={**inputs},
            font_paths=folders,
            ppi=resolution,
        )
    except MemoryError:
        raise
    except BaseException as error:  # a failure inside Typst is not an Exception
        raise InputError(
            f"Typst cannot make a .{kind} file of the pictures: {error}{OWN_PICTURES}"
        ) from error
    return made if isinstance(made, list) else [made]


def list_fonts(folders: Sequence[Path]) -> list[str]:
    """The families of fonts that Typst has, also in these folders. Only for a child process."""
    import typst

    fonts: Any = typst.Fonts(font_paths=[*folders])
    names: list[str] = fonts.families()
    return names


def _html(pages: Sequence[str], title: str) -> str:
    """A document that prints one SVG document per page."""
    width, height = (f"{points / POINTS['mm']:.1f}mm" for points in _size(pages[0]))
    documents = "\n".join(page.replace("<svg ", '<svg class="page" ', 1) for page in pages)
    return HTML.format(title=markup_text(title), size=f"{width} {height}", pages=documents)


def _size(page: str) -> tuple[float, float]:
    """The width and height of an SVG document in points."""
    root = ElementTree.fromstring(page)
    wide, high = (
        re.fullmatch(r"([\d.e+-]+)(px|mm)?", root.get(name, "")) for name in ("width", "height")
    )
    assert wide and high, "every picture states its size"
    return float(wide[1]) * POINTS[wide[2] or ""], float(high[1]) * POINTS[high[2] or ""]
