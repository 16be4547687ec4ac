"""Pictures of puzzles: text and SVG. Printable sheets are made by `jigsat.pictures.printing`."""

from jigsat.pictures.colours import Colours, Paint, ink, paints, swatches
from jigsat.pictures.illustrations import TURNED_OPACITY, Pictures, check_names, image_of
from jigsat.pictures.layout import number_cuts, on_board, square_layout, text_layout, unroll_cells
from jigsat.pictures.outlines import draw_outlines
from jigsat.pictures.painted import Painted
from jigsat.pictures.parts import Part, explain_joins
from jigsat.pictures.plain import plain_svg, plain_text
from jigsat.pictures.solids import Block, Face, Solid, fold_board
from jigsat.pictures.svg import (
    MARK,
    NAME,
    Picture,
    add_caption,
    ambiguous,
    between,
    fade_colour,
    gallery,
    heading,
    regular,
    shade_places,
)
from jigsat.pictures.text import ARROWS, CharacterPlane, beside, draw_walls, short_names, walls

__all__ = [
    "ARROWS", "MARK", "NAME", "TURNED_OPACITY", "Block", "CharacterPlane", "Colours", "Face", "Paint", "Painted", "Part",
    "Picture", "Pictures", "Solid", "add_caption", "ambiguous", "beside", "between", "check_names", "draw_outlines",
    "draw_walls", "explain_joins", "fade_colour", "fold_board", "gallery", "heading", "image_of", "ink", "number_cuts",
    "on_board", "paints", "plain_svg", "plain_text", "regular", "shade_places", "short_names", "square_layout", "swatches",
    "text_layout", "unroll_cells", "walls",
]  # fmt: skip
