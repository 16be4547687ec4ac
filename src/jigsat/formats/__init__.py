"""Files for and from other programs: DIMACS, OPB, WCNF, SMT-LIB, solvers' answers. They work on formulas, not puzzles."""

from jigsat.formats.answers import LARGEST, Answer, parse
from jigsat.formats.dimacs import Origin, cnf_lines, xnf_lines
from jigsat.formats.export import FORMATS, format_of, groups_of, lines, replaced, save, write
from jigsat.formats.formulas import is_formula, read_formula
from jigsat.formats.opb import opb_lines
from jigsat.formats.smtlib import Symbols

__all__ = [
    "FORMATS",
    "LARGEST",
    "Answer",
    "Origin",
    "Symbols",
    "cnf_lines",
    "format_of",
    "groups_of",
    "is_formula",
    "lines",
    "opb_lines",
    "parse",
    "read_formula",
    "replaced",
    "save",
    "write",
    "xnf_lines",
]
