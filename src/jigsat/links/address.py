"""The address of a link: the site, the type, flags and the size of the grid."""

from __future__ import annotations

import re
from dataclasses import dataclass

from jigsat.errors import InputError
from jigsat.links.reader import Reader

SITES = ("puzz.link", "pzv.jp", "pzprxs.vercel.app", "pzplus.tck.mn")
MAX_SIDE_CELLS = 1000

LINK = re.compile(r"(?i)https?://|(www\.)?(" + "|".join(map(re.escape, SITES)) + r")/|\?\w[\w-]*/")
"""How a text begins that is a link."""
PAGE = re.compile(r"(?i)(?:https?://)?(?:www\.)?([\w.-]+)(?::\d+)?(?:/[^?]*)?\?(?:\w+=\w+&)*|()\?")
"""What comes before the type: the site and its page."""

WRITE_TEXT = (
    "write the grid as text, a line for each row, and read it with `jigsat import --family KIND`"
)
ELSEWHERE = (
    "those that lead to another address; nothing is fetched, so open it, and copy the address that "
    "the browser then shows"
)
OTHERS = {
    "penpa": f"Penpa+, which is not read; {WRITE_TEXT}",
    "f-puzzles": f"f-puzzles, which is not read; {WRITE_TEXT}",
    "sudokupad": f"SudokuPad, which is not read; {WRITE_TEXT}",
    "crackingthecryptic": f"SudokuPad, which is not read; {WRITE_TEXT}",
    "kanpen": f"Kanpen, which is not read; {WRITE_TEXT}",
    "tinyurl": ELSEWHERE,
    "bit.ly": ELSEWHERE,
}
"""Sites whose links are not read, by a part of their names, and what to do instead."""


@dataclass(frozen=True)
class Address:
    """The type of a link, its flags, the size of the grid, and a reader of the rest."""

    type: str
    type_position: int
    flags: str
    flags_position: int
    height: int
    width: int
    body: Reader


def is_link(text: str) -> bool:
    """Whether a text is a single link, right or wrong.

    >>> is_link("https://puzz.link/p?slither/2/2/d"), is_link("?slither/2/2/d"), is_link("cube")
    (True, True, False)
    """
    text = text.strip()
    return LINK.match(text) is not None and len(text.split()) == 1


def parse_address(text: str) -> Address:
    """The address of a link. Raises InputError, which says at which character it is wrong."""
    text = text.strip()
    for part, remedy in OTHERS.items():
        if part in text.partition("?")[0].lower():
            raise InputError(f"it is one of {remedy}")
    page = PAGE.match(text)
    if page is None:
        raise Reader(text, len(text)).fault("? and the type of the puzzle")
    site = (page[1] or "").lower()
    if site and site not in SITES:
        start = page.start(1)
        raise InputError(
            f"character {start + 1}: {site} is no site whose links are read; they are "
            f"{', '.join(SITES)}"
        )

    reader = Reader(text.rstrip("/"), page.end())
    type_position = reader.position
    kind = take_field(reader, r"[a-z][a-z0-9-]*", "the type of the puzzle, such as slither")
    kind = re.sub("_(edit|play)$", "", kind)
    flags_position = reader.position
    flags = ""
    if not re.match(r"\d", reader.peek()):
        if re.match("v:", reader.text[reader.position :]):
            raise reader.fault("the number of columns; variants are not read")
        flags = take_field(reader, r"[a-z]*", "flags, or the number of columns")
    width = take_length(reader, "columns")
    height = take_length(reader, "rows", last=True)
    return Address(kind, type_position, flags, flags_position, height, width, reader)


def take_field(reader: Reader, pattern: str, expected: str) -> str:
    """The characters up to the next stroke."""
    match = re.compile(pattern + r"(_edit|_play)?(?=/)").match(reader.text, reader.position)
    if match is None:
        wrong = re.compile(pattern + r"(_edit|_play)?").match(reader.text, reader.position)
        if wrong is not None:
            reader.position = wrong.end()
            if wrong[0]:
                expected = "/"
        raise reader.fault(expected)
    reader.position = match.end() + 1
    return match[0]


def take_length(reader: Reader, name: str, last: bool = False) -> int:
    """The number of columns or rows; behind the last one, the text may end."""
    start = reader.position
    digits = ""
    while not reader.ended and reader.peek() != "/":
        digits += reader.take("0123456789", f"the number of {name}, and /")
    if not last or not reader.ended:
        reader.take("/", "/")
    number = int(digits) if 0 < len(digits) < 9 else 0
    if not 0 < number <= MAX_SIDE_CELLS:
        reader.position = start
        raise reader.fault(f"a number of {name} from 1 to {MAX_SIDE_CELLS:,}")
    return number
