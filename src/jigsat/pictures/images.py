"""Reading pictures: PNG, JPEG and SVG files, or the same as data URLs, embedded in drawings."""

import math
import re
import struct
import zlib
from base64 import b64decode, b64encode
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple
from xml.etree.ElementTree import Element

from jigsat.pictures.svg import Image
from jigsat.pictures.svg_files import MAX_QUOTED, RefusedError, read_svg, svg_bytes

MAX_FILE_BYTES = 8 * 2**20  # maximum size of a picture file in bytes
# maximum number of pixels; a small compressed file could otherwise fill the memory
MAX_PIXELS = 40_000_000
MAX_SIDE_RATIO = 1000  # maximum ratio of the sides of a picture
PNG = b"\x89PNG\r\n\x1a\n"
PNG_HEADER = ">IIBBBBB"
COLOURS_OF_PIXELS = {0: 1, 2: 3, 3: 1, 4: 2, 6: 4}  # by the type of colours in the header
MAX_FILTER = 4  # the last kind of filter of a row
MAX_UNPACKED_BYTES = 2**20  # unpacked at once
DAMAGED = "a PNG file that is damaged; save the picture again"
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
        data = svg_bytes(root)
        aspect = _svg_aspect(root)
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
    if data.startswith(PNG):
        return "png"
    return "jpeg" if data.startswith(b"\xff\xd8") else "svg+xml"


def _read_size(kind: str, data: bytes) -> tuple[int, int]:
    """The width and height of a PNG or JPEG file in pixels."""
    header = _read_png_header(data) if kind == "png" else None
    width, height = (header.width, header.height) if header else _jpeg_size(data)
    if not 0 < width * height <= MAX_PIXELS:
        raise RefusedError(
            f"{width:,}×{height:,} pixels; a picture must have 1 to {MAX_PIXELS:,} pixels"
        )
    if header:
        _require_all_pixels(data, header)
    return width, height


class _PngHeader(NamedTuple):
    """The first chunk of a PNG file."""

    width: int
    height: int
    depth: int  # bits for each colour of a pixel
    colours: int  # of a pixel
    interlaced: bool

    @property
    def row_size(self) -> int:
        """The number of bytes of a row; the first one is its filter."""
        return 1 + (self.width * self.depth * self.colours + 7) // 8

    @property
    def size(self) -> int:
        """The least number of bytes of all pixels."""
        return self.height * self.row_size


def _read_png_header(data: bytes) -> _PngHeader:
    kind, content = next(_list_png_chunks(data))
    if kind != b"IHDR" or len(content) != struct.calcsize(PNG_HEADER):
        raise RefusedError(DAMAGED)
    width, height, depth, colour_type, _, _, interlace = struct.unpack(PNG_HEADER, content)
    if depth not in (1, 2, 4, 8, 16) or colour_type not in COLOURS_OF_PIXELS:
        raise RefusedError(DAMAGED)
    return _PngHeader(width, height, depth, COLOURS_OF_PIXELS[colour_type], interlace != 0)


def _list_png_chunks(data: bytes) -> Iterator[tuple[bytes, bytes]]:
    """The kind and the content of each chunk, of which the last is IEND. Raises RefusedError if one
    is missing or damaged."""
    kind = b""
    at = len(PNG)
    while kind != b"IEND":
        end = at + 8 + int.from_bytes(data[at : at + 4], "big")
        chunk = data[at + 4 : end]
        checksum = data[end : end + 4]
        if len(checksum) < 4:
            raise RefusedError("a PNG file that is cut off; save the picture again")
        if zlib.crc32(chunk) != int.from_bytes(checksum, "big"):
            raise RefusedError(DAMAGED)
        kind = chunk[:4]
        yield kind, chunk[4:]
        at = end + 4


def _require_all_pixels(data: bytes, header: _PngHeader) -> None:
    """Raise RefusedError unless the file has the pixels that its header states, with known
    filters. The rows of an interlaced picture differ in length; only their number is checked."""
    unpacking = zlib.decompressobj()
    missing = header.size
    to_filter = 0  # bytes before the filter of the next row
    try:
        for kind, content in _list_png_chunks(data):
            rest = content if kind == b"IDAT" else b""
            while rest and missing > 0:
                pixels = unpacking.decompress(rest, MAX_UNPACKED_BYTES)[:missing]
                filters = pixels[to_filter :: header.row_size]
                if not header.interlaced and max(filters, default=0) > MAX_FILTER:
                    raise RefusedError(DAMAGED)
                to_filter = (to_filter - len(pixels)) % header.row_size
                missing -= len(pixels)
                rest = unpacking.unconsumed_tail
    except zlib.error as error:
        raise RefusedError(DAMAGED) from error
    if missing > 0:
        raise RefusedError("a PNG file without all of its pixels; save the picture again")


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
