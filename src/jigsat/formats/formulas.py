"""Reading formulas: DIMACS with clauses and XOR lines, WCNF, and OPB. A file that is wrong or cut
off is reported in one line.

`c p show 1 2 3 0`, or `* p show …` in OPB, lists the variables that distinguish models; the older
`c ind …` means the same. Without such a line all variables distinguish models. A soft clause of
several literals in a WCNF file gets a variable `broken`.
"""

from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from pathlib import Path

from jigsat.errors import InputError
from jigsat.formats.export import format_of, read_lines
from jigsat.formats.read_dimacs import read_dimacs
from jigsat.formats.read_opb import read_opb
from jigsat.formats.read_wcnf import read_wcnf
from jigsat.formats.statements import Line, ReadFormula
from jigsat.formula import Formula

READERS: dict[str, Callable[[Iterator[Line]], ReadFormula]] = {
    ".cnf": read_dimacs,
    ".xnf": read_dimacs,
    ".wcnf": read_wcnf,
    ".opb": read_opb,
}
"""By the suffix of a file, which .gz or .xz may follow."""

MAX_CHARACTERS = 256 * 2**20


def is_formula(path: Path) -> bool:
    """Whether a file is read as a formula, by its suffix."""
    plain = path.with_suffix("") if path.suffix in (".gz", ".xz") else path
    return plain.suffix in READERS


def read_formula(path: Path) -> Formula:
    """The formula in a file, with its objective if all of its variables are shown. Raises
    InputError with the line."""
    return read_with_objective(path).formula


def read_with_objective(path: Path) -> ReadFormula:
    """The formula in a file, and why it has no objective, if it has none. Raises InputError with
    the line."""
    read = READERS[format_of(path)]
    with closing(read_lines(path)) as lines:
        try:
            return read(_number_lines(lines))
        except ValueError as error:
            raise InputError(f"{path}: {error}") from error


def _number_lines(lines: Iterable[str]) -> Iterator[Line]:
    """The lines with their numbers, without spaces at the ends and without empty lines."""
    characters = 0
    for number, line in enumerate(lines, 1):
        characters += len(line)
        if characters > MAX_CHARACTERS:
            raise ValueError(f"larger than {MAX_CHARACTERS // 2**20} MiB, the limit for a formula")
        if text := " ".join(line.split()):
            yield Line(number, text)
