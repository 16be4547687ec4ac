"""Instance files: finding, reading and validating them. Every error message is one line with the
file and the place."""

import contextlib
import hashlib
import json
import re
import sys
import unicodedata
import warnings
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from importlib.resources import files
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from jigsat.errors import FamilyWarning, IncompleteError, InputError, InstanceWarning, suggest
from jigsat.formula import Formula
from jigsat.instance.recognition import (
    describe_character,
    describe_family_format,
    describe_format,
    is_bytes,
)
from jigsat.instance.registry import (
    every_family,
    families,
    families_with_files,
    family,
    find_kind,
    squeeze,
)
from jigsat.links import is_link, parse_address
from jigsat.puzzle import Puzzle, faults_named
from jigsat.runtime.untrusted import Malformed, content, unpack_gzip

# maximum size of an instance file in bytes; reading a larger file as TOML would take minutes
MAX_FILE_BYTES = 16 * 2**20
# maximum number of dotted parts in a key: the time to read a key grows with the square of their
# number
MAX_PARTS = 100
# maximum length of a text that every family tries to read as a drawn grid
MAX_DRAWING_CHARACTERS = 10_000

# before the name of a kind
KIND_LABEL = re.compile(r"^(kind|type|genre|puzzle)\s*:\s*", re.IGNORECASE)
STATED_SIZE = re.compile(r"\b(\d{1,3})\s*[x×X*]\s*(\d{1,3})\b")  # behind the name of a kind
TYPED = re.compile(
    r"^[^\S\n]*((rows|columns|\w{1,2}) ?[:=]|(top|bottom|left|right) ?:)"
    r"|\d *[<>]|[<>] *\d|[.] *[<>]"
    r"|^[^\S\n]*[^\W\d]\w? +\d+ ?[-+x*/−×÷:]?[^\S\n]*$",
    re.M | re.I,
)
"""What typed puzzles have besides drawn rows: a list, a value, a sign between cells."""
NAME_THE_KIND = (
    "if it is a puzzle that you typed, write its kind in the first line, such as Killer sudoku"
)

QUOTED = re.compile(
    r'"{3}(?:[^"\\]++|\\.|"(?!""))*+"{3,5}|\'{3}(?:[^\']++|\'(?!\'\'))*+\'{3,5}|"(?:[^"\\\n]++|\\.)*+"|\'[^\'\n]*+\'|\#[^\n]*+',
    re.DOTALL,
)
"""A string or a comment of a TOML text."""


def instances() -> Iterator[Path]:
    """The instance files that can be loaded by name: those that come with jigsat, then those of
    other packages."""
    ours = shipped_files()
    theirs = {path.stem: path for path in _foreign() if path.stem not in ours}
    yield from ours.values()
    yield from theirs.values()


def shipped_files() -> dict[str, Path]:
    """The instance files that come with jigsat, by name."""
    return {path.stem: path for path in _files("jigsat.instances")}


def _foreign() -> Iterator[Path]:
    """The instance files of families from other packages."""
    for plugin in every_family(foreign=True):
        if plugin.instances:
            try:
                yield from _files(plugin.instances)
            except ImportError as error:
                warnings.warn(
                    f"instances of the family {plugin.family!r}: {error}; skipped",
                    FamilyWarning,
                    stacklevel=2,
                )


def _files(package: str) -> list[Path]:
    return sorted(Path(str(files(package))).glob("*.toml"))


def find(instance: str | Path, generated: Iterable[str] = ()) -> Path:
    """The file of an instance by its name or path. `generated` families may be named instead.
    Raises InputError."""
    path = Path(instance)
    if is_link(str(instance)) and not _exists(path):
        raise InputError(
            "the link: a file is needed here; `jigsat import LINK -o FILE.toml` writes one"
        )
    if path.suffix == ".toml" or len(path.parts) != 1:
        return path
    if (name := str(instance)) in (ours := shipped_files()):
        return ours[name]
    for foreign in _foreign():
        if foreign.stem == name:
            return foreign
    if _exists(path):
        return path
    if name in families():
        raise InputError(
            f"{name}: a family, not an instance; `jigsat list` shows the instances of each family"
        )
    if kind := find_kind(name):
        raise InputError(
            f"{name}: these puzzles are called {kind} here; `jigsat list {kind}` shows those that "
            f"come with jigsat"
        )
    alternatives = [*generated, *(other.stem for other in instances())]
    what, listed = (
        ("family or ", f"the families are {', '.join(generated)}; ") if generated else ("", "")
    )
    remedy = f"; {listed}`jigsat list` shows the instances, or give the path of a .toml file"
    raise InputError(f"{instance}: unknown {what}instance{suggest(name, alternatives) or remedy}")


def name_source(source: str | Path) -> str:
    """A name for the puzzles of an instance, a file or a link, such as for the file of their
    answers."""
    if is_link(str(source)) and not _exists(source):
        return _name_link(str(source), _read_text(str(source), "the link"))
    return Path(source).stem


def read_data(path: Path) -> dict[str, Any]:
    """The data of a file in TOML or in a text format of a family. Raises InputError if it cannot be
    read."""
    return _read_text(_read_file(path), str(path), path.suffix)


def _read_file(path: Path) -> str:
    """The text of a file. Raises InputError if it cannot be read."""
    _refuse_formula(path)
    try:
        data = unpack_gzip(content(path, MAX_FILE_BYTES), MAX_FILE_BYTES)
    except Malformed as error:
        raise InputError(f"{path}: {error}") from error
    except InputError as error:
        if isinstance(error.__cause__, IsADirectoryError):
            raise InputError(f"{error}; name files in it, such as {path / '*.toml'}") from error
        raise
    if len(data) > MAX_FILE_BYTES:
        raise InputError(
            f"{path}: larger than {MAX_FILE_BYTES // 2**20} MiB, the limit for this kind of file"
        )
    if not data and path.suffix != ".toml":
        raise InputError(f"{path}: the file is empty; save the puzzle again")
    if is_bytes(data):
        return data.decode("latin-1")  # a character for each byte
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        shown = describe_format(path.suffix, data)
        if not shown:
            shown = f"byte {error.start} is not UTF-8 text; an instance is a text file in UTF-8"
        raise InputError(f"{path}: {shown}") from error


def read_link(text: str) -> dict[str, Any]:
    """The data of the puzzle in a link. Raises InputError, which says at which character the link
    is wrong and what was expected."""
    address = parse_address(text)
    kinds = [kind for kind in every_family() if kind.link is not None]
    for kind in kinds:
        link = kind.link
        if link is not None and address.type in link.types:
            return {"family": kind.family, **link.read(address)}
    types = sorted(kind.link.type for kind in kinds if kind.link is not None)
    near = suggest(address.type, types) if address.type else ""
    listed = f"; links of {len(types)} kinds of puzzles are read, which docs/files.md lists"
    raise InputError(
        f"character {address.type_position + 1}: unknown type {address.type!r}{near or listed}"
    )


def _name_link(link: str, data: Mapping[str, Any]) -> str:
    """The name of the puzzle in a link: different links have different names."""
    digest = hashlib.sha256(link.strip().encode()).hexdigest()
    return f"{data['family']}-{digest[:6]}"


def _refuse_formula(path: Path) -> None:
    """Raise InputError for the name of a formula."""
    if path.suffix == ".toml":  # most files are instances, which need no reader of formulas
        return
    from jigsat.formats.formulas import is_formula

    if is_formula(path):
        raise InputError(
            f"{path}: a formula, and a puzzle is needed here; `jigsat count` and `jigsat solve` "
            f"read formulas"
        )


def _read_text(text: str, origin: str, suffix: str = "") -> dict[str, Any]:
    """The data of a text in TOML or, unless the suffix is that of TOML, in a text format of a
    family."""
    foreign = suffix != ".toml"
    if foreign and (data := _from_text(text, origin=origin)) is not None:
        return data
    if foreign and is_link(text):
        try:
            return read_link(text)
        except InputError as error:
            raise InputError(f"{origin}: {error}") from error
    try:
        return toml(text)
    except ValueError as error:
        shown = _describe_text(text, suffix) if foreign else ""
        if not shown:
            other = ", nor a text format of a family" if foreign else ""
            is_toml = "=" in text or not foreign
            wrong = str(error) if is_toml else _describe_first_line(text)
            shown = f"not valid TOML{other}: {wrong}"
            if TYPED.search(text):
                shown += f"; {NAME_THE_KIND}"
        raise InputError(f"{origin}: {shown}") from error


def _describe_text(text: str, suffix: str) -> str:
    """What a text is that is neither TOML nor in a text format of a family; '' if nothing shows
    it."""
    if shown := describe_format(suffix, text.encode(errors="replace")):
        return shown
    if shown := _describe_misspelt_kind(text):
        return shown
    if TYPED.search(text) and (kinds := _list_kinds_of_drawing(text)):
        return _describe_kinds(kinds)
    if shown := describe_character(text):
        return shown
    formats = [(name, kind.family) for kind in every_family() for name in kind.formats()]
    if shown := describe_family_format(suffix, formats):
        return shown
    kinds = _list_kinds_of_drawing(text)
    if not kinds:
        return ""
    return _describe_kinds(kinds)


def _describe_kinds(kinds: Sequence[str]) -> str:
    """That a text is a drawn grid of some families."""
    return (
        f"a grid like this fits {', '.join(kinds)}; write its kind in the first line, such as "
        f"{kinds[0].replace('-', ' ').capitalize()}"
    )


def _list_kinds_of_drawing(text: str) -> list[str]:
    """The families that read a text as a drawn grid. A text with rows of several lengths may be
    anything else."""
    is_drawn = _has_equal_rows(text) or TYPED.search(text)
    if len(text) > MAX_DRAWING_CHARACTERS or not is_drawn or not _has_signs(text):
        return []
    kinds = []
    for kind in every_family():
        try:
            data = kind.from_drawing(text)
            if data is not None:
                kind.model_validate(data)
                kinds.append(kind.family)
        except (InputError, ValueError):
            continue  # the drawing has something that this family does not
    return sorted(kinds)


def _has_equal_rows(text: str) -> bool:
    """Whether a text has several rows of as many characters, words or fields."""
    rows = [row for row in text.splitlines() if row.strip()]
    if len(rows) < 2:
        return False
    words = {len(row.split()) for row in rows}
    if len(words) == 1 and words != {1}:
        return True
    fields = [{row.count(separator) for row in rows} for separator in "\t,;"]
    return len({len(row) for row in rows}) == 1 or any(
        len(counts) == 1 and counts != {0} for counts in fields
    )


def _has_signs(text: str) -> bool:
    """Whether a text has letters, digits, or several of the signs that are drawn on grids, but no
    others, such as emoji."""
    signs = set("".join(text.split()))
    return len(signs) > 1 and all(
        "\u2190" <= sign <= "\u25ff" or unicodedata.category(sign) != "So" for sign in signs
    )


def _from_text(text: str, *, origin: str) -> dict[str, Any] | None:
    """The data of a text file, read by the family whose format it has; None if no family reads
    it."""
    untitled = _blank_title(text)
    if (kind := _find_named_kind(untitled)) is not None:
        size = _find_stated_size(untitled)
        data = _read_drawing(kind, _blank_first_words(untitled), size, origin)
        if data is not None:
            return data
    try:
        read_by = {}
        for kind in families_with_files():
            data = kind.from_text(text)
            if data is not None:
                read_by[kind.family] = data
    except InputError as error:
        raise error.within(origin) from error
    if len(read_by) > 1:
        raise InputError(
            f"{origin}: {' and '.join(sorted(read_by))} can read it; write a TOML file that "
            f"states the `family`"
        )
    return next(iter(read_by.values()), None)


def _find_named_kind(text: str) -> type[Puzzle] | None:
    """The kind that the first line of a text names, such as 'Futoshiki' or 'Hanjie 5x5 (easy)'."""
    name = squeeze(_read_first_words(text))
    if any(map(str.isalpha, name)):  # not a row of digits
        for kind in every_family():
            if name in map(squeeze, (kind.family, *kind.other_names)):
                return kind
    return None


def _read_first_words(text: str) -> str:
    """The first line of a text up to a number or a remark, without a label such as 'Kind:'."""
    line = KIND_LABEL.sub("", text.strip().partition("\n")[0])
    return re.split(r"[,:(]|\s(?=\d)", line)[0].strip()


def _blank_first_words(text: str) -> str:
    """A text without the line that names its kind; the others keep their numbers."""
    return re.sub(r"\S.*", "", text, count=1)


def _blank_title(text: str) -> str:
    """A text without a title such as 'Puzzle 17' above the line that names its kind; the others
    keep their numbers."""
    rest = _blank_first_words(text)
    lines = [line.strip() for line in text.strip().splitlines()[:2]]
    names_kind_below = _find_named_kind(text) is None and _find_named_kind(rest) is not None
    # Two words of the same length may be rows of a grid with letters, such as LITTA and LITSA.
    may_be_rows = len({len(line) for line in lines}) == 1 and not any(" " in x for x in lines)
    return rest if names_kind_below and not may_be_rows else text


def _describe_first_line(text: str) -> str:
    """What is expected in a text instead of its first line."""
    line = text.strip().partition("\n")[0]
    return (
        f'line 1 is {line[:60]!r}; expected an entry such as family = "sudoku", a drawn grid, or a '
        f"link of puzz.link"
    )


def _describe_misspelt_kind(text: str) -> str:
    """That the first line of a text is nearly the name of a kind, or that of a kind which is not
    drawn; '' if it is none."""
    name = _read_first_words(text)
    if "\n" not in text.strip() or not name.replace(" ", "").isalpha():
        return ""
    if (named := _find_named_kind(text)) is not None:
        return (
            f"line 1: {name!r} is not read from a drawing; write a TOML file with "
            f'family = "{named.family}"'
        )
    kinds = list(every_family())
    names = [*(kind.family for kind in kinds), *(x for kind in kinds for x in kind.other_names)]
    suggestion = suggest(name, names)
    rest = _blank_first_words(text)
    is_drawn = _has_equal_rows(rest) or TYPED.search(rest)
    if not suggestion and is_drawn and not _begins_with_row(text):
        suggestion = "; `jigsat list WORD` finds what a kind is called here"
    return f"line 1: {name!r} is no kind of puzzle{suggestion}" if suggestion else ""


def _begins_with_row(text: str) -> bool:
    """Whether the first two lines of a text may be rows of one grid."""
    first, second = (line.split() for line in text.split("\n")[:2])
    if len(first) == 1:
        return len(second) == 1 and len(first[0]) == len(second[0])
    return len(first) == len(second)


def _find_stated_size(text: str) -> tuple[int, int] | None:
    """The size in the line that names the kind, such as 'Skyscrapers 5x5'; None if it has none."""
    match = STATED_SIZE.search(text.strip().partition("\n")[0])
    return (int(match[1]), int(match[2])) if match else None


def _read_drawing(
    kind: type[Puzzle], text: str, size: tuple[int, int] | None, origin: str
) -> dict[str, Any] | None:
    """The data of a typed puzzle of a kind; None if the kind reads no such text."""
    try:
        return kind.from_drawing(text, size)
    except (InputError, ValueError) as error:
        raise InputError(f"{origin}: {error}") from error


def load(instance: str | Path | Mapping[str, Any] | Puzzle, /, **changes: Any) -> Puzzle:
    """The puzzle of an instance, given by its name, by the path or the text of a file, or by its
    data. Raises InputError.

    A string with line breaks is a text, unless a file has that name. `changes` are entries that
    replace the file's.

    >>> load("cube").title
    'The little blue cube'
    >>> load("lights-5x5", board="square 9x9").name
    'lights-5x5[board=square 9x9]'
    >>> load({"family": "lights-out", "board": "square 2x2", "lit": "all"})
    LightsOut('lights-out')
    """
    if isinstance(instance, Puzzle):
        if changes:
            raise TypeError("changes apply only when an instance is loaded; got a puzzle")
        return instance
    return _only(load_all(instance, **changes), instance)


def load_alone(path: Path) -> Puzzle:
    """The puzzle of a file that is not trusted: other files that it names are not read. Raises
    InputError."""
    return _only(_puzzles(read_data(path), path.stem, str(path), None), path)


def _only(puzzles: list[Puzzle], instance: str | Path | Mapping[str, Any]) -> Puzzle:
    if len(puzzles) > 1:
        _, _, origin, _ = _source(instance)
        raise InputError(
            f"{origin}: expected one puzzle, found {len(puzzles)}; put the puzzle into its own file"
        )
    return puzzles[0]


def load_all(instance: str | Path | Mapping[str, Any], /, **changes: Any) -> list[Puzzle]:
    """Every puzzle of a file; if there are several, they are named 'file-1', 'file-2', … Raises
    InputError.

    >>> [puzzle.name for puzzle in load_all("cube")]
    ['cube']
    """
    if isinstance(instance, str) and not changes and _is_text(instance):
        return load_text(instance)
    data, name, origin, folder = _source(instance)
    if isinstance(instance, str | Path) and folder is not None and not changes:
        path = find(instance)
        if path.suffix != ".toml":
            return _read_foreign(path, data, origin)
    if changes:
        listed = ", ".join(f"{entry}={value}" for entry, value in changes.items())
        data = {
            entry: value for entry, value in data.items() if entry != "known"
        } | changes  # `known` may no longer hold
        name, origin = f"{name}[{listed}]", f"{origin} with {listed}"
        if folder is not None:  # the files that changes name are relative to the working directory
            data |= _include_files(_family(data, origin), changes, origin, Path())
    return _puzzles(data, name, origin, folder)


def _read_foreign(path: Path, data: dict[str, Any], origin: str) -> list[Puzzle]:
    """The puzzles in the data of a file that is no TOML. If a single one is wrong, the message
    lists the families that read the text as a drawn grid."""
    text = _read_file(path)
    try:
        return _puzzles(data, path.stem, origin, path.parent, text)
    except InputError as error:
        if len(_family(data, origin).split(data)) > 1:
            raise
        kinds = _list_kinds_of_drawing(text)
        if not kinds:
            raise
        raise InputError(f"{error}; {_describe_kinds(kinds)}") from error


def load_drawn(path: Path, name: str) -> list[Puzzle]:
    """The puzzles of a family in a text file with drawn grids. Raises InputError."""
    return _puzzles(read_drawn(path, name), path.stem, str(path), None, _read_file(path))


def read_drawn(path: Path, name: str) -> dict[str, Any]:
    """The data of drawn grids of a family in a text file. Raises InputError."""
    kind = family(name)
    text = _blank_title(_read_file(path))
    size = None
    if _find_named_kind(text) is kind:
        size = _find_stated_size(text)
        text = _blank_first_words(text)
    data = _read_drawing(kind, text, size, str(path))
    if data is None:
        raise InputError(f"{path}: the family {name} reads no grid that is drawn like this")
    return data


def _puzzles(
    data: dict[str, Any], name: str, origin: str, folder: Path | None, text: str = ""
) -> list[Puzzle]:
    """Every puzzle in the data of a file; without a folder, no other file is read. `text` is what
    was read if it is no TOML, in which puzzles may have lines."""
    kind = _family(data, origin)
    try:
        every = [_include_files(kind, one, origin, folder) for one in kind.split(data)]
    except ValueError as error:
        raise InputError(f"{origin}: {error}") from error
    if not every:
        raise InputError(f"{origin}: this file contains no puzzle")
    if len(every) == 1:
        return [_validate_puzzle(kind, every[0], name, origin, folder)]
    lines = _find_lines(text, len(every))
    puzzles = []
    for i, one in enumerate(every, 1):
        line = f" in line {lines[i - 1]}" if lines else ""
        where = f"{origin}: puzzle {i}{line}"
        puzzles.append(_validate_puzzle(kind, one, f"{name}-{i}", where, folder))
    return puzzles


def _find_lines(text: str, puzzles: int) -> list[int]:
    """The number of the line of each puzzle in a text with one puzzle per line, and perhaps
    comments and a header; empty for any other text."""
    numbers = [
        number
        for number, line in enumerate(text.splitlines(), 1)
        if line.strip() and not line.startswith("#")
    ]
    return numbers[-puzzles:] if len(numbers) in (puzzles, puzzles + 1) else []


def _include_files(
    kind: type[Puzzle], data: dict[str, Any], origin: str, folder: Path | None
) -> dict[str, Any]:
    """The data with the contents of the files in a folder that it names; without a folder,
    unchanged."""
    try:
        return data if folder is None else kind.include_files(data, folder)
    except (InputError, ValueError) as error:
        raise InputError(f"{origin}: {error}") from error


def _exists(path: str | Path) -> bool:
    with contextlib.suppress(OSError, ValueError):  # too long or otherwise invalid as a file name
        return Path(path).exists()
    return False


def _source(instance: object) -> tuple[dict[str, Any], str, str, Path | None]:
    """The data of an instance, its name, its name in messages, and the folder if it is a file."""
    if isinstance(instance, Mapping):
        data = dict(instance)
        return data, str(data.get("family", "puzzle")), "the data", None
    if isinstance(instance, str) and _is_text(instance):
        data = of_text(instance)
        return data, str(data.get("family", "puzzle")), "the text", None
    if isinstance(instance, str) and is_link(instance) and not _exists(instance):
        data = _read_text(instance, "the link")
        return data, _name_link(instance, data), "the link", None
    if not isinstance(instance, (str, Path)):
        hint = ""
        if isinstance(instance, Formula):
            hint = "; for a formula use `jigsat.models` or `jigsat.count`"
        raise TypeError(
            f"an instance is a name, a path, a text, a dict or a puzzle; got "
            f"{type(instance).__name__}{hint}"
        )
    path = find(instance)
    named = path != Path(instance)  # an instance of a package; its path would tell the user nothing
    return read_data(path), path.stem, path.stem if named else str(path), path.parent


def _is_text(instance: str) -> bool:
    """Whether it is the text of a file, and not a name or a path."""
    return "\n" in instance and not _exists(instance)


def of_text(text: str) -> dict[str, Any]:
    """The data in the text of a file, in TOML or in a text format of a family; no file is read.
    Raises InputError."""
    return _read_text(text.removeprefix("\ufeff"), "the text")


def load_text(text: str) -> list[Puzzle]:
    """Every puzzle in the text of a file, which is never taken for a name; no file is read. Raises
    InputError."""
    data = of_text(text)
    return _puzzles(data, str(data.get("family", "puzzle")), "the text", None, text)


def instance_text(puzzle: Puzzle) -> str:
    """The text of an instance file from which `load` reads this puzzle.

    >>> puzzle = load("lights-5x5").model_copy(update={"source": "a toy", "title": ""})
    >>> print(instance_text(puzzle.model_copy(update={"known": type(puzzle.known)(solutions=4)})))
    family = "lights-out"
    source = "a toy"
    board = "square 5x5"
    lit = "all"
    <BLANKLINE>
    [known]
    solutions = 4
    <BLANKLINE>
    """
    return text_of(entries(puzzle))


def entries(puzzle: Puzzle) -> dict[str, Any]:
    """The entries of an instance file for this puzzle, without those that have their default
    values."""
    return {"family": puzzle.family, **puzzle.model_dump(mode="json", exclude_defaults=True)}


def text_of(data: Mapping[str, Any]) -> str:
    """The data of an instance as the text of a file."""
    tables = {key: value for key, value in data.items() if isinstance(value, dict)}
    known = tables.pop("known", None)
    lines = [
        f"{_key(key)} = {_toml(value)}"
        for key, value in data.items()
        if not isinstance(value, dict)
    ]
    for name, table in [*tables.items(), *([("known", known)] if known else ())]:
        lines += [
            "",
            f"[{_key(name)}]",
            *(f"{_key(key)} = {_toml(value)}" for key, value in table.items()),
        ]
    return "\n".join([*lines, ""])


def import_text(
    source: str | Path, puzzles: Sequence[Puzzle], chosen: Collection[int], drawn_as: str = ""
) -> str:
    """The text of an instance file with those puzzles of another program's file that have these
    numbers, from 0. `drawn_as` is the family of grids that are drawn."""
    if len(puzzles) == 1:
        return instance_text(puzzles[0])
    path = find(source)
    data = read_drawn(path, drawn_as) if drawn_as else read_data(path)
    entry, _ = puzzles[0].several or ("", "")
    return text_of(
        {**data, entry: [one for number, one in enumerate(data[entry]) if number in chosen]}
    )


def _key(key: str) -> str:
    return key if re.fullmatch(r"[\w-]+", key, re.ASCII) else _toml(key)


def _toml(value: Any) -> str:
    """A value in TOML syntax; drawings span several lines, and a list of tables has one line per
    table."""
    match value:
        case str() if "\n" in value and value.replace("\n", "").isprintable() and "'" not in value:
            # blanks at the start of a row are part of a drawing
            drawing = value.rstrip().removeprefix("\n")
            quotes = "'''" if set(value) & {'"', "\\"} else '"""'
            return f"{quotes}\n{drawing}\n{quotes}"
        case dict():
            return (
                "{ "
                + ", ".join(f"{_key(key)} = {_toml(entry)}" for key, entry in value.items())
                + " }"
            )
        case [dict(), *_]:
            return "[\n" + "".join(f"    {_toml(table)},\n" for table in value) + "]"
        case list():
            return "[" + ", ".join(map(_toml, value)) + "]"
    # from a file name that is not UTF-8
    text = re.sub("[\ud800-\udfff]", "\ufffd", json.dumps(value, ensure_ascii=False))
    return "".join(
        c if c.isprintable() else f"\\U{ord(c):08X}" for c in text
    )  # such as DEL, which TOML forbids


def parse(data: dict[str, Any], *, name: str, origin: str) -> Puzzle:
    """The puzzle that the data of one puzzle describe; error messages name `origin` as the file."""
    return _validate_puzzle(_family(data, origin), data, name, origin)


def _family(data: dict[str, Any], origin: str) -> type[Puzzle]:
    name = data.get("family")
    if name is None and "chapters" in data:
        raise InputError(
            f"{origin}: describes a book, and a puzzle is needed here; `jigsat sheet {origin} -o "
            f"FILE.pdf`, without other names, prints the book"
        )
    if not isinstance(name, str):
        message = (
            "family: expected text in quotes" if "family" in data else "missing entry 'family'"
        )
        raise InputError(f"{origin}: {message}; use one of {', '.join(map(repr, families()))}")
    try:
        return family(name)
    except InputError as error:
        raise type(error)(f"{origin}: {error}") from error


def _validate_puzzle(
    kind: type[Puzzle], data: dict[str, Any], name: str, origin: str, folder: Path | None = None
) -> Puzzle:
    if "name" in data:
        raise InputError(f"{origin}: unknown entry 'name'; the file name is the instance's name")
    module = sys.modules.get(kind.__module__)
    with faults_named(f"{origin}: {kind.__name__}", getattr(module, "__file__", None) or ""):
        try:
            puzzle = kind.model_validate({**data, "name": name}, context={"folder": folder})
        except ValidationError as error:
            from jigsat.errors.validation import complaint  # most instances are valid

            causes = [details.get("ctx", {}).get("error") for details in error.errors()]
            message = f"{origin}: {complaint(error, data, kind)}"
            lacks = [cause for cause in causes if isinstance(cause, IncompleteError)]
            if len(lacks) == len(causes):
                raise IncompleteError(message, lacks[0].draft) from error
            raise InputError(message) from error
        for message in puzzle.warnings():
            warnings.warn(f"{origin}: {message}", InstanceWarning, stacklevel=2)
        return puzzle


def toml(text: str) -> dict[str, Any]:
    """The data of a TOML text. Raises ValueError for invalid TOML and for keys with more than
    MAX_PARTS parts.

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
