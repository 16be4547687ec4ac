"""Reading TOML: every error is a ValueError, and the time is bounded for any text of a given size."""

from __future__ import annotations

import re
import sys
from typing import Any

MAX_PARTS = 100  # maximum number of dotted parts in a key: the time to read a key grows with the square of their number

QUOTED = re.compile(
    r'"{3}(?:[^"\\]++|\\.|"(?!""))*+"{3,5}|\'{3}(?:[^\']++|\'(?!\'\'))*+\'{3,5}|"(?:[^"\\\n]++|\\.)*+"|\'[^\'\n]*+\'|\#[^\n]*+',
    re.DOTALL,
)
"""A string or a comment of a TOML text."""


def toml(text: str) -> dict[str, Any]:
    """The data of a TOML text. Raises ValueError for invalid TOML and for keys with more than MAX_PARTS parts.

    >>> toml("a = 1\\n'b.c'.d = 2")
    {'a': 1, 'b.c': {'d': 2}}
    """
    import tomllib  # not needed for the text formats of families

    bare = QUOTED.sub(lambda quoted: "" if quoted[0].startswith("#") else "_", text)
    if re.search(rf"(?<![\w-])(?:[\w-]++[ \t]*+\.[ \t]*+){{{MAX_PARTS}}}", bare):
        raise ValueError(f"a key of more than {MAX_PARTS} dotted parts")
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        raise
    except RecursionError as error:
        raise ValueError("nested too deeply") from error
    except ValueError as error:  # Python limits the length of integers
        raise ValueError(f"a number of more than {sys.get_int_max_str_digits()} digits") from error
