"""Reading untrusted files: sizes are bounded, JSON is parsed strictly, and every error is one line.

>>> parse_json('{"a": [1, 2.5]}')
{'a': [1, 2.5]}
>>> parse_json('{"a": 1, "a": 2}')
Traceback (most recent call last):
jigsat.runtime.untrusted.Malformed: not JSON: the key 'a' is given twice
>>> canonical({"b": 4, "a": (1,)}) == canonical({"a": [1], "b": 4}), canonical(4) == canonical(4.0)
(True, False)
"""

from __future__ import annotations

import json
import re
import zlib
from collections import Counter
from collections.abc import Iterator
from itertools import accumulate
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, NoReturn, TypeVar

from jigsat.errors import InputError

if TYPE_CHECKING:
    from xml.etree import ElementTree

    from pydantic import BaseModel

MAX_FILE_BYTES = 256 * 2**20  # maximum size of a JSON file in bytes
MAX_LINE_BYTES = 16 * 2**20  # maximum length of a line in bytes or characters
MAX_DEPTH = 50  # maximum nesting of lists and objects; jigsat's own files have at most ten levels
_STRING = r'"(?:[^"\\]++|\\.)*+"?'
_OTHER = r"[^][{}]+"
_STEPS = {"[": 1, "{": 1, "]": -1, "}": -1}

Model = TypeVar("Model", bound="BaseModel")


class Malformed(InputError, ValueError):
    """The text is not in the expected format. The message says why; the caller adds the name of the
    file."""


def content(path: Path, most: int = MAX_FILE_BYTES) -> bytes:
    """The bytes of a file. Raises InputError if it cannot be read or has more than `most` bytes."""
    try:
        with path.open("rb") as file:
            data = file.read(most + 1)
    except (OSError, ValueError) as error:
        raise unreadable(path, error) from error
    if len(data) > most:
        raise InputError(
            f"{path}: larger than {most // 2**20} MiB, the limit for this kind of file"
        )
    return data


def lines(file: IO[bytes], most: int = MAX_LINE_BYTES) -> Iterator[bytes]:
    """The lines of a file with their line ends. Raises Malformed for a line longer than `most`
    bytes."""
    number = 0
    while line := file.readline(most + 1):
        number += 1
        if len(line) > most:
            raise Malformed(f"line {number}: longer than {most // 2**20} MiB, the limit for a line")
        yield line


def parse_json(data: bytes | str) -> Any:
    """The value of a JSON text. Raises Malformed for invalid JSON, duplicate keys, NaN, huge
    numbers and deep nesting."""
    try:
        text = data if isinstance(data, str) else data.decode("utf-8")
        brackets = re.sub(_OTHER, "", re.sub(_STRING, "", text, flags=re.DOTALL))
        if max(accumulate(map(_STEPS.__getitem__, brackets), initial=0)) > MAX_DEPTH:
            raise Malformed(f"not JSON: nested more than {MAX_DEPTH} levels deep")
        return json.loads(text, object_pairs_hook=_object, parse_constant=_constant)
    except UnicodeDecodeError as error:
        raise Malformed(f"not JSON: byte {error.start} is not UTF-8 text") from error
    except json.JSONDecodeError as error:
        raise Malformed(f"not JSON: {error}") from error
    except Malformed:
        raise
    except ValueError as error:
        raise Malformed("not JSON: a number with too many digits") from error


def xml(text: str, root: str) -> ElementTree.Element | None:
    """The root of an XML text, None if its root does not have this name.

    Raises Malformed for invalid XML, and for a document type, whose entities could be huge.
    """
    if not re.match(rf"\s*(<\?xml[^>]*\?>\s*)?(<!--[\s\S]*?-->\s*)?<{root}[\s/>]", text):
        return None
    from xml.etree import ElementTree  # most runs read no XML

    if "<!DOCTYPE" in text:
        raise Malformed("not XML that is read here: a document type is not allowed")
    try:
        return ElementTree.fromstring(text)
    except (
        ElementTree.ParseError,
        ValueError,
        LookupError,
    ) as error:  # the latter for an unknown encoding
        raise Malformed(f"not valid XML: {error}") from error


def unpack_gzip(data: bytes, most: int) -> bytes:
    """Data that may be compressed by gzip, at most `most` + 1 bytes of it. Raises Malformed if they
    are damaged."""
    if not data.startswith(b"\x1f\x8b"):
        return data
    unpacking = zlib.decompressobj(wbits=31)
    try:
        unpacked = unpacking.decompress(data, most + 1)
    except zlib.error as error:
        raise Malformed("damaged: it cannot be unpacked as gzip") from error
    if not unpacking.eof and len(unpacked) <= most:
        raise Malformed("damaged: the compressed data are incomplete")
    return unpacked


def validate_data(model: type[Model], data: Any) -> Model:
    """The data as a model, without type conversions. Raises Malformed with the place of the first
    error."""
    from pydantic import ValidationError

    try:
        return model.model_validate(data, strict=True)
    except ValidationError as error:
        place = ".".join(map(str, error.errors()[0]["loc"]))
        raise Malformed(
            f"{place}: missing, unknown or of the wrong type" if place else "not an object"
        ) from error


def canonical(value: Any) -> str:
    """JSON text that is equal for two values only if their types are equal, too: 4 differs from
    4.0, and 1 from true."""
    return json.dumps(value, sort_keys=True)


def unreadable(path: object, error: Exception) -> InputError:
    """The exception for a file that cannot be read."""
    return InputError(
        f"{path}: cannot be read: {(getattr(error, 'strerror', None) or str(error)).lower()}"
    )


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    entries = dict(pairs)
    if len(entries) < len(pairs):
        duplicate, _ = Counter(key for key, _ in pairs).most_common(1)[0]
        raise Malformed(f"not JSON: the key {duplicate!r} is given twice")
    return entries


def _constant(name: str) -> NoReturn:
    raise Malformed(f"not JSON: {name} is not a number")
