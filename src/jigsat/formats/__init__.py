"""Files for and from other programs: DIMACS, OPB, WCNF, SMT-LIB and solvers' answers."""

from jigsat.formats.answers import LARGEST, parse, solutions
from jigsat.formats.dimacs import cnf_lines
from jigsat.formats.export import FORMATS, groups_of, lines, save

__all__ = [
    "FORMATS",
    "LARGEST",
    "cnf_lines",
    "groups_of",
    "lines",
    "parse",
    "save",
    "solutions",
]
