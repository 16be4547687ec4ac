"""Pictures of puzzles: text and SVG. Printable sheets are made by `jigsat.pictures.printing`."""

from jigsat.pictures.colours import Colours, Paint, ink, paints, swatches
from jigsat.pictures.illustrations import FADED, Pictures, check_names, image_of
from jigsat.pictures.layout import number_cuts, on_board, spread, squared, unrolled
from jigsat.pictures.outlines import outlined
from jigsat.pictures.painted import Painted
from jigsat.pictures.parts import Part, joined
from jigsat.pictures.plain import plain_svg, plain_text
from jigsat.pictures.solids import Block, Face, Solid, folded
from jigsat.pictures.svg import MARK, NAME, Picture, ambiguous, between, captioned, faded, gallery, heading, regular
from jigsat.pictures.text import ARROWS, Page, beside, short_names, walled, walls

__all__ = [
    "ARROWS",
    "FADED",
    "MARK",
    "NAME",
    "Block",
    "Colours",
    "Face",
    "Page",
    "Paint",
    "Painted",
    "Part",
    "Picture",
    "Pictures",
    "Solid",
    "ambiguous",
    "beside",
    "between",
    "captioned",
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
    "short_names",
    "spread",
    "squared",
    "swatches",
    "unrolled",
    "walled",
    "walls",
]
