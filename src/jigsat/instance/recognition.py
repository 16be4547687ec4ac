"""What a file is that cannot be read as an instance, by its name or its first characters."""

import re
from collections.abc import Sequence
from typing import NamedTuple

MAX_EXAMINED_BYTES = 2000
USUAL_SIGNS = re.compile(r"[0-9.,;:_|*?+/<>^v \t-]+")
LIKE_TOML = re.compile(r"^[^\S\n]*([\w.-]+\s*=|\[[\w.\[-])", re.MULTILINE)

CROSSWORD = "which is not read; save the crossword as .ipuz"
FORMULA = "which `jigsat count` and `jigsat solve` read if its name ends in"
PICTURE = "a picture; write down what it shows, or export the puzzle in a text format"


class Format(NamedTuple):
    """A format: suffixes of its files, how a file begins, and what it is, with a remedy."""

    suffixes: tuple[str, ...]
    beginning: bytes
    words: str


FORMATS = (
    Format(
        (".jpz",),
        rb"\s*(<\?xml[^>]*>\s*)?<(crossword-compiler|rectangular-puzzle)\b",
        f"a crossword of Crossword Compiler (.jpz), {CROSSWORD}",
    ),
    Format((".exolve",), rb"\s*exolve-begin", f"a crossword of Exolve, {CROSSWORD}"),
    Format(
        (".qdimacs",),
        rb"(c[^\n]*\n|\s)*p cnf [^\n]*\n(c[^\n]*\n|\s)*[ae] ",
        "a quantified formula (QDIMACS), which is not read",
    ),
    Format((), rb"(c[^\n]*\n|\s)*p cnf ", f"a formula in DIMACS, {FORMULA} .cnf"),
    Format(
        (".icnf", ".knf"),
        rb"(c[^\n]*\n|\s)*p (inccnf|knf|cnf\+)(?!\S)",
        "a formula in an extension of DIMACS, which is not read; write it as .cnf or .opb",
    ),
    Format(
        (".aag", ".aig"),
        rb"a[ai]g( \d+){5}",
        "a circuit in the format AIGER, which is not read; write it as .cnf",
    ),
    Format(
        (".lp", ".mps"),
        rb"(?i)(\\[^\n]*\n|\s)*(minimi[sz]e|maximi[sz]e|max|min|NAME)[ \t]*(\r?\n| \w+\s*\nROWS)",
        "a linear program, which is not read; write it as .opb",
    ),
    Format(
        (".wbo",),
        rb"\* ?#variable=[^\n]*#soft=",
        "a formula with soft constraints (WBO), which is not read; write the costs as 'min:'",
    ),
    Format((), rb"(c[^\n]*\n|\s)*p wcnf ", f"a MaxSAT formula, {FORMULA} .wcnf"),
    Format((), rb"\* ?#variable=", f"a pseudo-Boolean formula, {FORMULA} .opb"),
    Format(
        (".smt2",),
        rb"(;[^\n]*\n|\s)*\((set-|declare-|define-)",
        "a formula in SMT-LIB, which is not read; write it as .cnf or .opb",
    ),
    Format((".pdf",), rb"%PDF-", "a PDF; export the puzzle in a text format"),
    Format((".png", ".jpg", ".jpeg", ".gif"), rb"\x89PNG|\xff\xd8\xff|GIF8", PICTURE),
    Format((".svg",), rb"\s*(<\?xml[^>]*>\s*)?<svg\b", PICTURE),
    Format(
        (".xlsx", ".ods", ".docx", ".odt", ".zip"),
        rb"PK\x03\x04",
        "an archive or a document of an office program; save a table as CSV",
    ),
    Format((".xz",), rb"\xfd7zXZ", "compressed by xz, which is read for formulas only; unpack it"),
    Format(
        (".html", ".htm"),
        rb"(?i)\s*(<!doctype html|<html\b)",
        "a web page; save the puzzle itself in a text format",
    ),
    Format((".json",), rb"\s*[\[{]\s*[\"\[{]", "JSON in no format that is read"),
)


def is_bytes(data: bytes | str) -> bool:
    """Whether a file is read and written by its bytes, not as text. A text has a character for each
    byte."""
    beginning = data[2:14]
    return beginning in (b"ACROSS&DOWN\0", "ACROSS&DOWN\0")


def describe_format(suffix: str, data: bytes) -> str:
    """What a file is, with a remedy, by its first bytes or else by its suffix; '' if nothing shows
    it.

    >>> describe_format(".txt", b"p cnf 2 1")
    'a formula in DIMACS, which `jigsat count` and `jigsat solve` read if its name ends in .cnf'
    """
    beginning = data[:MAX_EXAMINED_BYTES].removeprefix(b"\xef\xbb\xbf")
    for known in FORMATS:
        if re.match(known.beginning, beginning, re.DOTALL):
            return known.words
    for known in FORMATS:
        if suffix.lower() in known.suffixes:
            return f"its name says that it is {known.words}"
    return ""


def describe_character(text: str) -> str:
    """Where a text has a digit of another script, a character that is not seen, or one among
    lines of digits and signs; '' if it has none, or if it looks like TOML.

    >>> describe_character("12..\\n.٤.3")
    "line 2, character 2 is '٤'; write digits as 0 to 9"
    >>> describe_character("53..\\n6..#\\n.9..\\n1...")
    "line 2, character 4 is '#'; most lines have only digits"
    """
    if LIKE_TOML.search(text):
        return ""
    for number, line in enumerate(text.splitlines(), 1):
        for place, character in enumerate(line, 1):
            is_digit = character.isdigit() and not character.isascii()
            if is_digit or not (character.isprintable() or character == "\t"):
                remedy = "write digits as 0 to 9" if is_digit else "remove it"
                return f"line {number}, character {place} is {character!r}; {remedy}"
    return _describe_odd_line(text)


def _describe_odd_line(text: str) -> str:
    """The first character that is neither a digit nor a usual sign, if most lines have none."""
    lines = {number: line for number, line in enumerate(text.splitlines(), 1) if line.strip()}
    odd = [
        number
        for number, line in lines.items()
        if not line.startswith("#") and not USUAL_SIGNS.fullmatch(line)
    ]
    if odd and odd[0] == min(lines) and re.search(r"[^\W\d]{3}", lines[odd[0]]):
        odd = odd[1:]  # a header
    if not odd or 3 * len(odd) > len(lines) or not re.search("[0-9]", text):
        return ""
    line = lines[odd[0]]
    place = next(i for i, x in enumerate(line) if not USUAL_SIGNS.fullmatch(x))
    return f"line {odd[0]}, character {place + 1} is {line[place]!r}; most lines have only digits"


def describe_family_format(suffix: str, formats: Sequence[tuple[str, str]]) -> str:
    """What a suffix promises that the text does not keep; '' if no family has such a format.

    `formats` has the names of the families' formats, each with its family.
    """
    for name, family in formats:
        if suffix.lower() == f".{name}":
            return (
                f"not in the format {name} of the family {family}, nor in another format that is "
                f"read; `jigsat help files` describes them"
            )
    return ""
