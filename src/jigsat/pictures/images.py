"""Reading pictures: PNG, JPEG and SVG files, or the same as data URLs, embedded in drawings."""

import math
import re
from base64 import b64decode, b64encode
from functools import lru_cache
from pathlib import Path
from xml.etree.ElementTree import Element

from jigsat.pictures.svg import Image
from jigsat.pictures.svg_files import MAX_QUOTED, RefusedError, read_svg, svg_bytes

MAX_FILE_BYTES = 8 * 2**20  # maximum size of a picture file in bytes
# maximum number of pixels; a small compressed file could otherwise fill the memory
MAX_PIXELS = 40_000_000
MAX_SIDE_RATIO = 1000  # maximum ratio of the sides of a picture
PNG = b"\x89PNG\r\n\x1a\n"
FRAMES = set(range(0xC0, 0xD0)) - {0xC4, 0xC8, 0xCC}
"""Markers of JPEG segments that state the size."""


@lru_cache(maxsize=256)
def read_image(source: Path | str) -> Image:
    """The picture of a file or a data URL. Raises ValueError if it cannot be read or is not a safe
    picture."""
    where = source if isinstance(source, Path) else "the embedded picture"
    data = _read_file(source) if isinstance(source, Path) else _decode_url(source)
    try:
        return _read_data(data)
    except ValueError as error:
        raise ValueError(f"{where}: {error}") from error


def _read_data(data: bytes) -> Image:
    """The picture in the bytes of a file."""
    if len(data) > MAX_FILE_BYTES:
        raise ValueError(f"larger than {MAX_FILE_BYTES // 2**20} MiB, the limit for a picture")
    kind = _find_kind(data)
    if kind == "svg+xml":
        root = read_svg(data, _count_pixels)
        data, aspect = svg_bytes(root), _svg_aspect(root)
    else:
        width, height = _read_size(kind, data)
        aspect = width / height
    if not 1 / MAX_SIDE_RATIO <= aspect <= MAX_SIDE_RATIO:
        raise ValueError(
            f"one side is more than {MAX_SIDE_RATIO:,} times as long as the other; crop the picture"
        )
    return Image(f"data:image/{kind};base64,{b64encode(data).decode()}", aspect)


def _decode_url(url: str) -> bytes:
    """The bytes in a data URL; none if it has no others than those of a picture."""
    match = re.match(r"data:image/(?:png|jpe?g|svg\+xml);base64,", url)
    encoded = url[match.end() :] if match else ""
    if len(encoded) > 2 * MAX_FILE_BYTES:  # four characters stand for three bytes
        return bytes(MAX_FILE_BYTES + 1)
    try:
        return b64decode(encoded, validate=True)
    except ValueError:  # what is no base64 is no picture
        return b""


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


def _find_kind(data: bytes) -> str:
    """The kind of a picture as in its data URL, by its first bytes."""
    if data.startswith(PNG) and len(data) > 24:
        return "png"
    return "jpeg" if data.startswith(b"\xff\xd8") else "svg+xml"


def _read_size(kind: str, data: bytes) -> tuple[int, int]:
    """The width and height of a PNG or JPEG file in pixels."""
    if kind == "png":
        _require_whole_png(data)
        width, height = int.from_bytes(data[16:20], "big"), int.from_bytes(data[20:24], "big")
    else:
        width, height = _jpeg_size(data)
    if not 0 < width * height <= MAX_PIXELS:
        raise RefusedError(
            f"{width:,}×{height:,} pixels; a picture must have 1 to {MAX_PIXELS:,} pixels"
        )
    return width, height


def _require_whole_png(data: bytes) -> None:
    """Raise RefusedError unless the file has all its chunks, of which the last is IEND."""
    at = len(PNG)
    while data[at + 4 : at + 8] != b"IEND":
        at += 12 + int.from_bytes(data[at : at + 4], "big")
        if at + 8 > len(data):
            raise RefusedError("a PNG file that is cut off; save the picture again")


def _count_pixels(data: bytes) -> int:
    """The number of pixels of a PNG or JPEG file that is embedded in an SVG file."""
    kind = _find_kind(data)
    if kind == "svg+xml":
        raise RefusedError(
            "contains a picture that is neither PNG nor JPEG; embed it as one of these"
        )
    width, height = _read_size(kind, data)
    return width * height


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


def _svg_aspect(root: Element) -> float:
    """The width of an SVG document divided by its height. Raises RefusedError for a viewBox in
    which nothing is drawn."""
    view = root.get("viewBox")
    if view is not None:
        width, height = _read_view(view)
        return width / height
    sizes = [re.sub("[a-z%]+$", "", root.get(side, "")) for side in ("width", "height")]
    try:
        width, height = map(float, sizes)
    except ValueError:
        return 1.0
    return width / height if width > 0 and height > 0 else 1.0


def _read_view(view: str) -> tuple[float, float]:
    """The width and height of a viewBox."""
    try:
        _, _, width, height = map(float, view.replace(",", " ").split())
    except ValueError:
        width = height = math.nan
    if not (0 < width < math.inf and 0 < height < math.inf):
        raise RefusedError(
            f"the viewBox is {view[:MAX_QUOTED]!r}; expected four numbers, the last two the width "
            f"and height"
        )
    return width, height
