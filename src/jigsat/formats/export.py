"""Files for other programs: the suffix determines the format, and an additional .gz or .xz
compresses.

>>> from jigsat.instance import load
>>> puzzle = load("push-pull")
>>> next(lines(puzzle.encode(), Path("push-pull.cnf.gz"), puzzle)).startswith("c jigsat ")
True
"""

import gzip
import io
import lzma
import os
import re
import zlib
from collections.abc import Callable, Collection, Generator, Iterable, Iterator
from contextlib import closing, contextmanager
from functools import partial
from pathlib import Path
from typing import IO, Any

from jigsat.errors import InputError
from jigsat.formats.dimacs import Origin, cnf_lines, printable, wcnf_lines, xnf_lines
from jigsat.formats.opb import opb_lines
from jigsat.formats.smtlib import smt_lines
from jigsat.formats.sql import sql_lines
from jigsat.formula import Formula, Lowering
from jigsat.runtime.untrusted import MAX_LINE_BYTES, unreadable

FORMATS: dict[str, Callable[[Formula, Origin, Lowering], Iterator[str]]] = {
    ".cnf": cnf_lines,
    ".xnf": xnf_lines,
    ".wcnf": wcnf_lines,
    ".opb": opb_lines,
    ".smt2": lambda formula, origin, _: smt_lines(formula, origin),
    ".sql": lambda formula, origin, _: sql_lines(formula, origin),
}
OTHERWISE = "it was made in another encoding (--set encoding=…) or by another version of jigsat"
MAX_PADDING_BYTES = 4096  # that may follow a compressed stream, all zero
MAX_TEMPORARY_NAME_CHARACTERS = 40
"""The number of characters of a file's name in its temporary name, because the length of names is
limited."""

KEEPS_CARDINALITY = (".opb", ".smt2", ".sql")


def lines(
    formula: Formula, path: Path, origin: Origin, lowering: Lowering | None = None
) -> Iterator[str]:
    """Yield the lines of a file in the format given by the suffix of its path; a comment states the
    origin of the formula.

    The lines are generated lazily and are always the same. Raises InputError for a format that is
    unknown or cannot express the request.
    """
    suffix, lowering = format_of(path), lowering or Lowering()
    if suffix in KEEPS_CARDINALITY and lowering.at_most_one != "auto":
        raise InputError(
            f"{path}: {suffix} has its own at-most-one constraints, so no encoding can be chosen"
        )
    return (f"{row}\n" for row in FORMATS[suffix](formula, origin, lowering))


def suffix_of(path: Path) -> str:
    """The suffix of a file, without that of its compression."""
    return (path.with_suffix("") if path.suffix in (".gz", ".xz") else path).suffix


def format_of(path: Path, others: Collection[str] = ()) -> str:
    """The suffix of a file that determines its format. Raises InputError for an unknown format,
    other than some others.

    >>> format_of(Path("cats.cnf.xz"))
    '.cnf'
    """
    suffix = suffix_of(path)
    if suffix not in FORMATS and suffix not in others:
        raise InputError(
            f"{path}: unknown suffix; use one of {', '.join([*FORMATS, *others])}, optionally "
            f"followed by .gz or .xz"
        )
    return suffix


def save(path: Path, lines: Iterable[str], *, new: bool = False, encoding: str = "utf-8") -> None:
    """Write a text file, compressed if its suffix says so. Raises OSError. See
    `replace_when_complete`."""
    with replace_when_complete(path, new=new) as beside:
        write(beside, lines, path.suffix, encoding)


def write(path: Path, lines: Iterable[str], suffix: str, encoding: str = "utf-8") -> None:
    """Write a text file, compressed according to the suffix. Raises OSError."""
    with (
        path.open("wb") as file
    ):  # a character that UTF-8 cannot express, from a file name that is not UTF-8, is escaped
        packed = PACKERS[suffix](file) if suffix in PACKERS else file
        with io.TextIOWrapper(
            packed, encoding=encoding, errors="backslashreplace", newline="\n"
        ) as text:
            text.writelines(lines)


@contextmanager
def replace_when_complete(path: Path, *, new: bool = False) -> Iterator[Path]:
    """A temporary path to write to, so that the file appears under its name only when it is
    complete.

    If the block fails, no file is left. Something other than a regular file, such as a pipe, is
    written directly. With `new`, raises FileExistsError rather than overwrite a file, even one
    created meanwhile.
    """
    if path.exists() and not path.is_file():
        yield path
        return
    path = path.resolve()
    beside = path.with_name(f".{path.name[:MAX_TEMPORARY_NAME_CHARACTERS]}.{os.getpid()}")
    beside.open("xb").close()
    try:
        yield beside
        if new:
            path.open("xb").close()  # reserves the name
        beside.replace(path)
    except BaseException:
        beside.unlink(missing_ok=True)
        raise


# by the suffix of a compressed file
READERS: dict[str, Callable[..., IO[str]]] = {
    ".gz": gzip.open,
    ".xz": lzma.open,
}
PACKERS: dict[str, Callable[[IO[bytes]], Any]] = {
    ".gz": lambda file: gzip.GzipFile(
        "", "wb", 6, file, mtime=0
    ),  # without time and name, so the output is reproducible
    ".xz": partial(lzma.LZMAFile, mode="wb"),
}


def read_lines(path: Path) -> Generator[str, None, None]:
    """Yield the lines of a text file, compressed or not. Raises InputError if it cannot be read or
    a line is too long."""
    try:
        if path.suffix == ".xz":
            _require_footer(path)
        with READERS.get(path.suffix, Path.open)(path, "rt", encoding="utf-8-sig") as file:
            while line := file.readline(MAX_LINE_BYTES + 1):
                if len(line) > MAX_LINE_BYTES:
                    raise InputError(
                        f"{path}: a line is longer than {MAX_LINE_BYTES // 2**20} MiB, the limit"
                    )
                yield line
    except UnicodeDecodeError as error:
        raise InputError(f"{path}: not a text file") from error
    except (OSError, EOFError, zlib.error, lzma.LZMAError) as error:
        if (
            getattr(error, "errno", None) is None
        ):  # the content of the file is wrong; no system call failed
            raise InputError(
                f"{path}: damaged, or not compressed as {path.suffix}; export it again"
            ) from error
        raise unreadable(path, error) from error


def _require_footer(path: Path) -> None:
    """Raise LZMAError unless a compressed stream ends where the file ends; Python's reader ignores
    what follows it."""
    with path.open("rb") as file:
        file.seek(0, os.SEEK_END)
        file.seek(-min(file.tell(), MAX_PADDING_BYTES), os.SEEK_END)
        end = file.read().rstrip(b"\0")
    if not end.endswith(b"YZ"):  # the last bytes of each footer
        raise lzma.LZMAError("something follows after the compressed data")


def groups_of(path: Path, formula: Formula, origin: Origin) -> list[str]:
    """The groups that an exported file lists. Raises InputError for another origin, or other
    numbers of variables."""
    stated = None
    named = 0
    groups = []
    with closing(read_lines(path)) as file:
        for line in file:
            comment = re.match(r"[c*;] (?:(instance|var|group) (\S.*))?", line)
            if not comment and not line.startswith("p "):
                break
            match comment and comment.groups():
                case "instance", named_origin:
                    stated = named_origin.rpartition(" ")[2]
                    if stated != (digest := origin.digest()):
                        raise InputError(
                            f"{path}: an export of another instance, {named_origin}; "
                            f"{origin.name} has {digest}"
                        )
                case "var", variable:
                    named += 1
                    if named > formula.top or variable != printable(
                        f"{named} {formula.name(named)}"
                    ):
                        raise InputError(
                            f"{path}: variable {variable} has another meaning here; {OTHERWISE}"
                        )
                case "group", group:
                    groups.append(group.partition(" ")[2])
    if stated is None:
        raise InputError(
            f"{path}: not exported by jigsat: the comment 'instance … sha256 …' at the top is "
            f"missing"
        )
    if 0 < named < formula.top:  # an SMT-LIB file declares its variables instead
        raise InputError(
            f"{path}: names {named} variables, but the formula has {formula.top}; {OTHERWISE}"
        )
    return groups
