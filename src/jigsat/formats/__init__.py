"""Files for and from other programs: DIMACS, OPB, WCNF, SMT-LIB, solvers' answers. They work on formulas, not puzzles."""

from jigsat.formats.answers import MAX_ANSWER_BYTES, SolverAnswer, parse
from jigsat.formats.dimacs import Origin, cnf_lines, xnf_lines
from jigsat.formats.export import FORMATS, format_of, groups_of, lines, replace_when_complete, save, write
from jigsat.formats.formulas import is_formula, read_formula
from jigsat.formats.opb import opb_lines
from jigsat.formats.smtlib import Symbols

__all__ = [
    "FORMATS",
    "MAX_ANSWER_BYTES",
    "Origin",
    "SolverAnswer",
    "Symbols",
    "cnf_lines",
    "format_of",
    "groups_of",
    "is_formula",
    "lines",
    "opb_lines",
    "parse",
    "read_formula",
    "replace_when_complete",
    "save",
    "write",
    "xnf_lines",
]
