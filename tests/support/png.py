"""Picture files in PNG."""

from __future__ import annotations

import struct
import zlib

MAX_PIXELS = 40_000_000  # a picture with more has none


def png(width: int, height: int, *, packed: bytes | None = None, depth: int = 8) -> bytes:
    """A grey picture with these numbers of pixels, or with other packed pixels."""
    if packed is None:
        rows = height if width * height <= MAX_PIXELS else 0
        packed = zlib.compress((b"\0" + b"\x80" * width) * rows)

    head = struct.pack(">IIBBBBB", width, height, depth, 0, 0, 0, 0)
    chunks = _chunk(b"IHDR", head) + _chunk(b"IDAT", packed) + _chunk(b"IEND", b"")
    return b"\x89PNG\r\n\x1a\n" + chunks


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
