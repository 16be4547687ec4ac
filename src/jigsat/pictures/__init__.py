"""Pictures of puzzles: text, SVG and printable sheets."""

from jigsat.pictures.colours import Colours, Paint, as_hex, ink, paints, swatches
from jigsat.pictures.illustrations import FADED, Pictures, check_names, image_of
from jigsat.pictures.layout import number_cuts, on_board, spread, squared, unrolled
from jigsat.pictures.outlines import outlined
from jigsat.pictures.pages import PAPERS, Paper
from jigsat.pictures.painted import Painted
from jigsat.pictures.plain import plain_svg, plain_text
from jigsat.pictures.printing import Part, Section, book, joined, sheets
from jigsat.pictures.solids import Block, Face, Solid, folded
from jigsat.pictures.svg import MARK, NAME, Picture, ambiguous, between, faded, gallery, heading, regular
from jigsat.pictures.text import ARROWS, Page, Square, beside, short_names, walled, walls

__all__ = [
    "ARROWS",
    "FADED",
    "MARK",
    "NAME",
    "PAPERS",
    "Block",
    "Colours",
    "Face",
    "Page",
    "Paint",
    "Painted",
    "Paper",
    "Part",
    "Picture",
    "Pictures",
    "Section",
    "Solid",
    "Square",
    "ambiguous",
    "as_hex",
    "beside",
    "between",
    "book",
    "check_names",
    "faded",
    "folded",
    "gallery",
    "heading",
    "image_of",
    "ink",
    "joined",
    "number_cuts",
    "on_board",
    "outlined",
    "paints",
    "plain_svg",
    "plain_text",
    "regular",
    "sheets",
    "short_names",
    "spread",
    "squared",
    "swatches",
    "unrolled",
    "walled",
    "walls",
]
