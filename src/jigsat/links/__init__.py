"""Links of puzz.link and its sister sites, which hold a whole puzzle: `Link` names the type of a
kind there, and the parts in which its entries are written.

The text of a link is read; nothing is fetched.
"""

from jigsat.links.address import Address, is_link, parse_address
from jigsat.links.beside import LineLists, PoleNumbers, RimNumbers
from jigsat.links.cells import (
    Circles,
    DenseNumbers,
    Dots,
    LetterNumbers,
    MarkedCells,
    Numbers4,
    Numbers10,
    Numbers16,
    PointedNumbers,
    Sums,
)
from jigsat.links.link import SITE, Link
from jigsat.links.parts import Part, Size, split_drawing
from jigsat.links.reader import Reader
from jigsat.links.rooms import Borders, Count, NoBorders, RoomsWithNumbers

__all__ = [
    "SITE",
    "Address",
    "Borders",
    "Circles",
    "Count",
    "DenseNumbers",
    "Dots",
    "LetterNumbers",
    "LineLists",
    "Link",
    "MarkedCells",
    "NoBorders",
    "Numbers4",
    "Numbers10",
    "Numbers16",
    "Part",
    "PointedNumbers",
    "PoleNumbers",
    "Reader",
    "RimNumbers",
    "RoomsWithNumbers",
    "Size",
    "Sums",
    "is_link",
    "parse_address",
    "split_drawing",
]
