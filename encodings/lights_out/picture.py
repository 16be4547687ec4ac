"""Pictures of Lights Out: the lights after the presses on the left, the presses on the lights
before them on the right."""

from collections.abc import Collection, Iterator, Sequence
from math import dist

from jigsat.encodings.lights_out.check import reached_lights
from jigsat.encodings.lights_out.data import LightsOutData, Press

from jigsat.boards import middle
from jigsat.pictures import (
    CharacterPlane,
    Picture,
    Solid,
    explain_joins,
    fade_colour,
    fold_board,
    number_cuts,
    text_layout,
    unroll_cells,
)
from jigsat.words import plural

LIT_COLOUR = "#ffd034"


def write_rules(puzzle: LightsOutData) -> Iterator[str]:
    yield (
        "Pressing a cell switches its own light and the lights of the cells that share a side "
        "with it."
    )
    yield "Put out all lights with as few presses as possible."
    if puzzle.known.minimum is not None:
        yield f"It takes {plural(puzzle.known.minimum, 'press')}."
    yield "The yellow cells on the left are lit. Mark the cells to press on the right."
    if puzzle.surface.wrap:
        yield "The board wraps around: a pale cell repeats a cell on the opposite side."
        yield "A cell that meets another along two sides switches it twice, which changes nothing."
    yield from explain_joins(puzzle.surface) if not puzzle.surface.flat else ()


def draw_text(
    puzzle: LightsOutData, placements: Sequence[Press], marked: Collection[Press] = ()
) -> str:
    page, pressed = CharacterPlane(), {press.cell for press in placements}
    width = max(column for column, _ in text_layout(puzzle.surface).values()) + 5
    last = len(puzzle.lines) + 2
    right = max(width, 8) + 3
    panels = (
        (0, "lights", puzzle.lights, "●", LIT_COLOUR),
        (right, plural(len(pressed), "press"), pressed, "■", ""),
    )
    for x, title, cells, mark, colour in panels:
        page.write(x + 2, 0, title)
        for y in range(1, last + 1) if puzzle.surface.wrap else ():
            page.write(x, y, "┄" * width if y in (1, last) else "┊" + " " * (width - 2) + "┊")
        for cell, (column, line) in text_layout(puzzle.surface).items():
            page.write(
                x + 2 + column,
                2 + line,
                mark if cell in cells else "·",
                colour=colour if cell in cells else "",
            )
        for column, line in [text_layout(puzzle.surface)[cell] for (cell,) in marked] if x else ():
            page.write(x + 3 + column, 2 + line, "*")
    return page.painted().above(
        "each dotted side is joined to the opposite side" if puzzle.surface.wrap else ""
    )


def build_solid(puzzle: LightsOutData, placements: Sequence[Press]) -> Solid | None:
    """The lights on the faces of a solid, as they are before the presses; a pressed one is named
    'press'."""
    return fold_board(puzzle.surface, _scale(puzzle), {press.cell: "press" for press in placements})


def _apart(puzzle: LightsOutData) -> float:
    """The distance between the two panels of the picture."""
    xs = [x for _, corners, _ in unroll_cells(puzzle.surface) for x, _ in corners]
    return max(xs) - min(xs) + 0.8


def _scale(puzzle: LightsOutData) -> float:
    return max(10, min(80, 1000 / _apart(puzzle)))


def draw_svg(
    puzzle: LightsOutData, placements: Sequence[Press], marked: Collection[Press] = ()
) -> str:
    """The board as an SVG document; on the right, the lights before the presses, pale as long as
    there are none."""
    return _draw_panels(puzzle, placements, marked, (0, 1))


def draw_answer(puzzle: LightsOutData, placements: Sequence[Press]) -> str:
    """The presses on the lights before them."""
    return _draw_panels(puzzle, placements, (), (1,))


def _draw_panels(
    puzzle: LightsOutData,
    placements: Sequence[Press],
    marked: Collection[Press],
    drawn: Collection[int],
) -> str:
    """The panels of these numbers: 0 has the lights after the presses, 1 the presses on the lights
    before them."""
    pressed, shown = {press.cell for press in placements}, list(unroll_cells(puzzle.surface))
    xs, ys = zip(*(point for _, corners, _ in shown for point in corners), strict=True)
    apart = _apart(puzzle)
    size = min(max(0.4, apart / 30), (apart - 0.8) / 11)  # no heading is wider than its panel
    heading = min(ys) - size
    picture = Picture(_scale(puzzle))
    reach, after = reached_lights(puzzle.surface), set(puzzle.lights)
    for cell in pressed:
        after ^= reach[cell]
    bright, pale = (("#39414f", LIT_COLOUR), "#1d222b"), (("#dde2ea", "#fdeeb5"), "#8a93a3")
    wanted = f"mark {plural(puzzle.known.minimum, 'press')}" if puzzle.known.minimum else "presses"
    panels = [
        (
            0.0,
            ("after these presses" if after else "all out") if pressed else "lights",
            after,
            *bright,
        ),
        (
            apart,
            plural(len(pressed), "press") if pressed else wanted,
            puzzle.lights,
            *(bright if pressed else pale),
        ),
    ]
    for x, title, lit, colours, outline in [panels[number] for number in drawn]:
        picture.polygon(
            [(min(xs) + x, heading - size), (max(xs) + x, heading - size)], "none", line="none"
        )
        picture.text(((min(xs) + max(xs)) / 2 + x, heading), title, size, bold=True)
        for cell, corners, again in shown:
            at = [(a + x, b) for a, b in corners]
            fill, line, button = (
                fade_colour(c) if again else c for c in (colours[cell in lit], outline, "#c2255c")
            )
            if not again:
                picture.place(cell, at)
            picture.polygon(at, fill, line=line, width=0.03)
            if x and cell in pressed:
                radius = min(dist(middle(at), middle([at[i - 1], at[i]])) for i in range(len(at)))
                picture.circle(middle(at), 0.6 * radius, button, line="white", width=0.05)
            if x and not again and Press(cell) in marked:
                picture.mark(at)
        if not puzzle.surface.flat:
            number_cuts(picture, puzzle.surface, x)
    if pressed and not after:
        picture.note("dots: the cells to press, in any order", 0.7 * size)
    return str(picture)
