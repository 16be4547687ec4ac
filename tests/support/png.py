"""Picture files in PNG."""

from __future__ import annotations

import struct
import zlib


def png(width: int, height: int) -> bytes:
    """A grey picture with these numbers of pixels; without its pixels if it is very wide."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return (
            struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
        )

    head = struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)
    rows = (
        zlib.compress(b"".join(b"\0" + b"\x80" * width for _ in range(height)))
        if width < 1000
        else b""
    )
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", rows) + chunk(b"IEND", b"")
