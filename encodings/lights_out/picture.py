"""Pictures of Lights Out: the lights after the presses on the left, the presses on the lights
before them on the right."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from math import dist

from jigsat.encodings.lights_out.check import reached_lights
from jigsat.encodings.lights_out.data import LightsOutData, Press

from jigsat.boards import Cell, Point, middle
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
BUTTON_COLOUR = "#c2255c"


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
    if not puzzle.surface.flat:
        yield from explain_joins(puzzle.surface)


def draw_text(
    puzzle: LightsOutData, placements: Sequence[Press], marked: Collection[Press] = ()
) -> str:
    page = CharacterPlane()
    layout = text_layout(puzzle.surface)
    pressed = {press.cell for press in placements}
    width = max(column for column, _ in layout.values()) + 5
    right = max(width, 8) + 3  # the column of the second panel
    page.write(2, 0, "lights")
    page.write(right + 2, 0, plural(len(pressed), "press"))
    for x in (0, right):
        if puzzle.surface.wrap:
            _write_dotted_frame(page, x, width, len(puzzle.lines) + 2)
        cells = pressed if x == right else puzzle.lights
        mark, colour = ("■", "") if x == right else ("●", LIT_COLOUR)
        for cell, (column, line) in layout.items():
            if cell in cells:
                page.write(x + 2 + column, 2 + line, mark, colour=colour)
            else:
                page.write(x + 2 + column, 2 + line, "·")
    for press in marked:
        column, line = layout[press.cell]
        page.write(right + 3 + column, 2 + line, "*")

    wraps = "each dotted side is joined to the opposite side" if puzzle.surface.wrap else ""
    return page.painted().above(wraps)


def _write_dotted_frame(page: CharacterPlane, x: int, width: int, last: int) -> None:
    for line in range(1, last + 1):
        if line in (1, last):
            page.write(x, line, "┄" * width)
        else:
            page.write(x, line, "┊" + " " * (width - 2) + "┊")


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


@dataclass(frozen=True)
class _Colours:
    lit: str
    dark: str
    outline: str


STRONG = _Colours(lit=LIT_COLOUR, dark="#39414f", outline="#1d222b")
PALE = _Colours(lit="#fdeeb5", dark="#dde2ea", outline="#8a93a3")


@dataclass(frozen=True)
class _Panel:
    """A picture of the board: its title, the cells that are lit, pressed and marked, and the
    colours."""

    title: str
    lit: Collection[Cell]
    pressed: Collection[Cell] = ()
    marked: Collection[Cell] = ()
    colours: _Colours = STRONG


def draw_svg(
    puzzle: LightsOutData, placements: Sequence[Press], marked: Collection[Press] = ()
) -> str:
    """The board as an SVG document; on the right, the lights before the presses, pale as long as
    there are none."""
    pressed = {press.cell for press in placements}
    right = _show_presses(puzzle, pressed, {press.cell for press in marked})
    return _draw_panels(puzzle, pressed, [_show_lights(puzzle, pressed), right])


def draw_answer(puzzle: LightsOutData, placements: Sequence[Press]) -> str:
    """The presses on the lights before them."""
    pressed = {press.cell for press in placements}
    return _draw_panels(puzzle, pressed, [None, _show_presses(puzzle, pressed)])


def _light_after(puzzle: LightsOutData, pressed: Collection[Cell]) -> set[Cell]:
    """The cells that are lit after the presses."""
    reached = reached_lights(puzzle.surface)
    lit = set(puzzle.lights)
    for cell in pressed:
        lit ^= reached[cell]
    return lit


def _show_lights(puzzle: LightsOutData, pressed: Collection[Cell]) -> _Panel:
    lit = _light_after(puzzle, pressed)
    title = "lights"
    if pressed:
        title = "after these presses" if lit else "all out"
    return _Panel(title, lit)


def _show_presses(
    puzzle: LightsOutData, pressed: Collection[Cell], marked: Collection[Cell] = ()
) -> _Panel:
    """The presses on the lights before them, or room for them on a sheet to print."""
    if pressed:
        return _Panel(plural(len(pressed), "press"), puzzle.lights, pressed, marked)
    minimum = puzzle.known.minimum
    title = f"mark {plural(minimum, 'press')}" if minimum else "presses"
    return _Panel(title, puzzle.lights, (), marked, PALE)


def _draw_panels(
    puzzle: LightsOutData, pressed: Collection[Cell], panels: Sequence[_Panel | None]
) -> str:
    """The panel of the lights on the left, if there is one, and that of the presses on the
    right."""
    picture = Picture(_scale(puzzle))
    points = [point for _, corners, _ in unroll_cells(puzzle.surface) for point in corners]
    xs, ys = zip(*points, strict=True)
    apart = _apart(puzzle)
    size = min(max(0.4, apart / 30), (apart - 0.8) / 11)  # no heading is wider than its panel
    heading = min(ys) - size
    for number, panel in enumerate(panels):
        if panel is None:
            continue
        x = number * apart
        # An invisible line keeps room above the heading.
        left = min(xs) + x
        right = max(xs) + x
        picture.polygon([(left, heading - size), (right, heading - size)], "none", line="none")
        picture.text(((min(xs) + max(xs)) / 2 + x, heading), panel.title, size, bold=True)
        _draw_board(picture, puzzle, panel, x)
        if not puzzle.surface.flat:
            number_cuts(picture, puzzle.surface, x)
    if pressed and not _light_after(puzzle, pressed):
        picture.note("dots: the cells to press, in any order", 0.7 * size)
    return str(picture)


def _draw_board(picture: Picture, puzzle: LightsOutData, panel: _Panel, x: float) -> None:
    """The cells of a panel at this distance from the left. Pale copies stand beyond the rim of a
    board that wraps around."""
    for cell, flat_corners, is_copy in unroll_cells(puzzle.surface):
        corners = [(a + x, b) for a, b in flat_corners]
        fill = panel.colours.lit if cell in panel.lit else panel.colours.dark
        outline = panel.colours.outline
        button = BUTTON_COLOUR
        if is_copy:
            fill, outline, button = map(fade_colour, (fill, outline, button))
        else:
            picture.place(cell, corners)
        picture.polygon(corners, fill, line=outline, width=0.03)
        if cell in panel.pressed:
            picture.circle(
                middle(corners), 0.6 * _inner_radius(corners), button, line="white", width=0.05
            )
        if cell in panel.marked and not is_copy:
            picture.mark(corners)


def _inner_radius(corners: Sequence[Point]) -> float:
    """The distance of the sides from the middle, at least."""
    centre = middle(corners)
    return min(dist(centre, middle([corners[i - 1], corners[i]])) for i in range(len(corners)))
