"""Pictures of exact covers: a table with a row for each option and a column for each item."""

from collections.abc import Collection, Iterator, Sequence

from jigsat.encodings.exact_cover.data import Chosen, ExactCoverData

from jigsat.errors import printable
from jigsat.pictures import Picture


def write_rules(puzzle: ExactCoverData) -> Iterator[str]:
    yield (
        "Choose options, the rows of the table, so that each item, a column of the table, is "
        "marked in exactly one of them."
    )
    if puzzle.secondary:
        yield "A secondary item, right of the thick line, is marked in at most one of them."
    if any(":" in option for option in puzzle.options):
        yield "It may also be marked in several if all of them show the same word in its column."


def draw_text(
    puzzle: ExactCoverData, placements: Sequence[Chosen], marked: Collection[Chosen] = ()
) -> str:
    """One line per chosen option, with its number, its items, and a star if it is marked."""
    width = len(str(len(puzzle.options)))
    chosen = sorted({*placements, *marked})
    return "\n".join(
        f"{one.option:{width}}  {printable(one.items)}{' *' if one in marked else ''}"
        for one in chosen
    )


def draw_svg(
    puzzle: ExactCoverData, placements: Sequence[Chosen], marked: Collection[Chosen] = ()
) -> str:
    """The table as an SVG document; the chosen options are coloured."""
    picture = Picture(scale=30, margin=0.3)
    names = (*puzzle.items, *puzzle.secondary)
    column = {name: x for x, name in enumerate(names)}
    chosen = {placement.option for placement in placements}
    last = len(names)
    left = -1.5
    top = -1.0
    for name, x in column.items():
        picture.text((x + 0.5, top / 2), name, min(0.5, 1.6 / len(name)), bold=True)
    for y, (number, items) in enumerate(puzzle.choices):
        outline = [(left, y), (last, y), (last, y + 1), (left, y + 1)]
        picture.place(number, outline)
        picture.polygon(
            outline, "#fdeeb5" if number in chosen else "white", line="#999", width=0.03
        )
        picture.text((left / 2, y + 0.5), str(number), 0.5, bold=number in chosen)
        for word in items.split():
            name, _, colour = word.partition(":")
            at = column[name] + 0.5, y + 0.5
            if colour:
                picture.text(at, colour, min(0.5, 1.6 / len(colour)))
            else:
                picture.circle(at, 0.22, "#333", line="none")
    high = len(puzzle.options)
    for x, width in [(0, 0.06), *((x, 0.02) for x in range(1, last)), (len(puzzle.items), 0.1)]:
        picture.polygon([(x, top), (x, high)], "none", line="#666", width=width)
    for number, _ in marked:
        picture.mark([(left, number - 1), (last, number - 1), (last, number), (left, number)])
    return str(picture)
