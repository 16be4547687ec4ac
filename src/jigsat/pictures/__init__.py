"""Pictures of puzzles: text and SVG. Pages are made by `jigsat.printing`."""

from jigsat.pictures.colours import Colours, Paint, fade_colour, ink, name_colour, paints, swatches
from jigsat.pictures.illustrations import (
    TURNED_OPACITY,
    Pictures,
    check_names,
    image_of,
    read_folder,
)
from jigsat.pictures.layout import (
    Part,
    draw_placements,
    explain_joins,
    number_cuts,
    on_board,
    square_layout,
    text_layout,
    unroll_cells,
)
from jigsat.pictures.outlines import draw_outlines
from jigsat.pictures.plain import plain_svg, plain_text
from jigsat.pictures.solids import (
    Block,
    Face,
    Solid,
    draw_cubes,
    draw_steps,
    fold_board,
    order_blocks,
)
from jigsat.pictures.svg import MARK, NAME, Image, Picture, ambiguous, between, heading, regular
from jigsat.pictures.text import (
    ARROWS,
    CharacterPlane,
    Painted,
    beside,
    draw_walls,
    short_names,
    walls,
)

__all__ = [
    "ARROWS",
    "MARK",
    "NAME",
    "TURNED_OPACITY",
    "Block",
    "CharacterPlane",
    "Colours",
    "Face",
    "Image",
    "Paint",
    "Painted",
    "Part",
    "Picture",
    "Pictures",
    "Solid",
    "ambiguous",
    "beside",
    "between",
    "check_names",
    "draw_cubes",
    "draw_outlines",
    "draw_placements",
    "draw_steps",
    "draw_walls",
    "explain_joins",
    "fade_colour",
    "fold_board",
    "heading",
    "image_of",
    "ink",
    "name_colour",
    "number_cuts",
    "on_board",
    "order_blocks",
    "paints",
    "plain_svg",
    "plain_text",
    "read_folder",
    "regular",
    "short_names",
    "square_layout",
    "swatches",
    "text_layout",
    "unroll_cells",
    "walls",
]
