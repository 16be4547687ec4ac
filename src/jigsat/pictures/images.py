"""Reading pictures: PNG, JPEG and SVG files, or the same as data URLs, embedded in drawings."""

import re
import sys
from base64 import b64decode, b64encode
from contextlib import suppress
from functools import lru_cache
from pathlib import Path
from xml.etree import ElementTree

from jigsat.pictures.svg import Image

MAX_FILE_BYTES = 8 * 2**20  # maximum size of a picture file in bytes
# maximum number of pixels; a small compressed file could otherwise fill the memory
MAX_PIXELS = 40_000_000

STYLE = re.compile(
    r"""@import[^;]*|(?:url|src|image|image-set)\(\s*["']?(?!\s|["'#]|data:)[^)]*""", re.IGNORECASE
)
"""What in a style without escapes refers to another file."""

ESCAPE = re.compile(r"\\(?:([0-9a-f]{1,6})\s?|(.))", re.IGNORECASE | re.DOTALL)
"""A character that is escaped in a style, as its number or itself."""

MAX_SIDE_RATIO = 1000  # maximum ratio of the sides of a picture
FRAMES = frozenset(range(0xC0, 0xD0)) - {
    0xC4,
    0xC8,
    0xCC,
}  # markers of JPEG segments that state the size


@lru_cache(maxsize=256)
def read_image(source: Path | str) -> Image:
    """The picture of a file or a data URL. Raises ValueError if it cannot be read or is not a safe
    picture."""
    path, data = source, b""
    if isinstance(source, Path):
        data = _read_file(source)
    else:
        path = "the embedded picture"
        with suppress(ValueError):  # what is no base64 is no picture
            data = b64decode(source.partition(";base64,")[2])
    if len(data) > MAX_FILE_BYTES:
        raise ValueError(
            f"{path}: larger than {MAX_FILE_BYTES // 2**20} MiB, the limit for a picture"
        )
    if data.startswith(b"\x89PNG\r\n\x1a\n") and len(data) > 24:
        kind, size = "png", (int.from_bytes(data[16:20], "big"), int.from_bytes(data[20:24], "big"))
    elif data.startswith(b"\xff\xd8"):
        kind, size = "jpeg", _jpeg_size(data)
    else:
        kind, size = "svg+xml", (1, 1)
    width, height = size
    if not 0 < width * height <= MAX_PIXELS:
        raise ValueError(
            f"{path}: {width:,}×{height:,} pixels; a picture must have 1 to {MAX_PIXELS:,} pixels"
        )
    aspect = _svg_aspect(path, data) if kind == "svg+xml" else width / height
    if not 1 / MAX_SIDE_RATIO <= aspect <= MAX_SIDE_RATIO:
        raise ValueError(
            f"{path}: one side is more than {MAX_SIDE_RATIO:,} times as long as the other; crop "
            f"the picture"
        )
    return Image(f"data:image/{kind};base64,{b64encode(data).decode()}", aspect)


def _read_file(path: Path) -> bytes:
    """The beginning of a file, which may be one byte longer than allowed."""
    try:
        if path.exists() and not path.is_file():  # reading a pipe would wait
            raise ValueError("not a regular file")
        with path.open("rb") as file:
            return file.read(MAX_FILE_BYTES + 1)
    except (OSError, ValueError) as error:
        reason = (getattr(error, "strerror", None) or str(error)).lower()
        raise ValueError(
            f"{path}: cannot be read: {reason}; paths are relative to the folder of the instance"
        ) from error


def _jpeg_size(data: bytes) -> tuple[int, int]:
    """Width and height; 0 if the file does not state them."""
    at = 2
    while at + 9 < len(data) and data[at] == 0xFF:
        if data[at + 1] in FRAMES:
            return int.from_bytes(data[at + 7 : at + 9], "big"), int.from_bytes(
                data[at + 5 : at + 7], "big"
            )
        at += 2 + int.from_bytes(data[at + 2 : at + 4], "big")
    return 0, 0


def _unescape(escape: re.Match[str]) -> str:
    number = int(escape[1] or "0", 16)
    return escape[2] or (chr(number) if number <= sys.maxunicode else "\ufffd")


def _svg_aspect(path: Path | str, data: bytes) -> float:
    """Width divided by height of an SVG file, which must not contain scripts or text, or refer to
    other files."""
    if b"<!ENTITY" in data or b"<?xml-stylesheet" in data:
        raise ValueError(f"{path}: has entities or a style sheet; save it as plain SVG")
    if data.startswith((b"\xff\xfe", b"\xfe\xff")) or b"\0" in data:
        raise ValueError(f"{path}: not a PNG or JPEG file, nor an SVG file in UTF-8")
    try:
        root = ElementTree.fromstring(data)
    except (ElementTree.ParseError, ValueError, LookupError):
        root = ElementTree.Element("")
    if root.tag.rpartition("}")[2] != "svg":
        raise ValueError(f"{path}: not a picture; use a PNG, JPEG or SVG file")
    for element in root.iter():
        kind = str(element.tag).rpartition("}")[2]
        if kind == "script" or any(name.startswith("on") for name in element.attrib):
            raise ValueError(f"{path}: contains a script; save it as plain SVG")
        if element.tag.startswith("{http://www.w3.org/1999/xhtml}"):
            raise ValueError(f"{path}: contains HTML; save it as plain SVG")
        if kind in (
            "text",
            "foreignObject",
        ):  # fonts differ, and Typst 0.15 loses text in pictures within pictures
            raise ValueError(
                f"{path}: contains text; convert it to paths, because not every program has its "
                f"font"
            )
        for name, value in element.attrib.items():
            if name == "attributeName" and value.strip().rpartition(":")[2] == "href":
                raise ValueError(
                    f"{path}: changes a reference while it is shown; save it as plain SVG"
                )
            if name.rpartition("}")[2] == "href" and not value.strip().startswith(("#", "data:")):
                raise ValueError(f"{path}: refers to {value[:60]!r}; embed that picture")
        for style in (element.text or "", *element.attrib.values()):
            if found := STYLE.search(ESCAPE.sub(_unescape, style)):
                raise ValueError(f"{path}: refers to {found[0][:60]!r}; save it as plain SVG")
    box = re.findall(r"[-+.0-9eE]+", root.get("viewBox", "")) or [
        "",
        "",
        *(root.get(side, "") for side in ("width", "height")),
    ]
    try:
        width, height = (float(re.sub("[a-z%]+$", "", number)) for number in box[2:4])
        return width / height if width > 0 and height > 0 else 1.0
    except ValueError:
        return 1.0
