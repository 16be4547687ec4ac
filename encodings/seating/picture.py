"""Pictures of seatings: the tables with a chair at each seat, and the names on the chairs."""

from collections.abc import Collection, Iterator, Sequence

from jigsat.encodings.seating.data import Kept, Seat, Seated, SeatingData
from jigsat.encodings.seating.tables import HEIGHT, WIDTH

from jigsat.errors import printable
from jigsat.pictures import Part, Picture, fade_colour, swatches
from jigsat.pictures.pages import estimate_width

GAP = 1.2  # distance between two tables
MAX_LETTERS = 7  # longer names of several words are written in two lines


def write_rules(puzzle: SeatingData) -> Iterator[str]:
    yield "Seat the listed guests, one on each chair. The numbers only name the chairs."
    if puzzle.must and puzzle.enforced:
        yield "All these sentences are true of the seating."
    yield from (f"Group {group}: {', '.join(members)}." for group, members in puzzle.groups.items())
    yield from (f"{rule}." for rule in puzzle.must if puzzle.enforced)
    if puzzle.wishes:
        yield "Grant as many of these wishes as possible, the most important ones first:"
    for wish in sorted(puzzle.wishes, key=lambda wish: -wish.weight):
        yield f"{wish} (weight {wish.weight})."


def draw_parts(puzzle: SeatingData) -> list[Part]:
    """The empty tables, with the guests below them."""
    return [Part(draw_svg(puzzle, []), 180.0, f"Guests: {', '.join(puzzle.guests)}")]


def _seat_names(placements: Collection[Seated | Kept]) -> dict[Seat, str]:
    return {
        placement.seat: placement.guest for placement in placements if isinstance(placement, Seated)
    }


def _not_kept(puzzle: SeatingData, placements: Sequence[Seated | Kept]) -> list[str]:
    """The rules and wishes that a complete seating does not keep, in words."""
    if len(_seat_names(placements)) < len(puzzle.guests):
        return []
    kept = {placement.rule for placement in placements if isinstance(placement, Kept)}
    return [str(rule) for place, rule in puzzle.every_rule.items() if place not in kept]


def draw_text(
    puzzle: SeatingData, placements: Sequence[Seated | Kept], marked: Collection[Seated | Kept] = ()
) -> str:
    """The guests table by table, with the numbers of their seats."""
    seated, stars, lines = _seat_names(placements), _seat_names(marked), []
    for name, shape in puzzle.tables.items():
        lines.append(f"{printable(name)} ({' '.join(shape.split())})")
        for number in puzzle.shapes[name].numbers:
            star = " *" if (name, number) in stars else ""
            lines.append(f"{number:4}  {printable(seated.get((name, number), '–'))}{star}")
    lines += [f"not kept: {printable(rule)}" for rule in _not_kept(puzzle, placements)]
    lines += [
        f"* {printable(str(puzzle.every_rule[one.rule]))}"
        for one in marked
        if isinstance(one, Kept)
    ]
    return "\n".join(lines)


def draw_svg(
    puzzle: SeatingData, placements: Sequence[Seated | Kept], marked: Collection[Seated | Kept] = ()
) -> str:
    """The tables as an SVG document, side by side in rows; a chair has the colour of its guest's
    first group."""
    picture, seated, stars = (
        Picture(scale=60, margin=0.3),
        _seat_names(placements),
        _seat_names(marked),
    )
    paints = dict(
        zip(puzzle.groups, map(fade_colour, swatches() * len(puzzle.groups)), strict=False)
    )
    total = sum(_extent(puzzle, name)[2] + GAP for name in puzzle.tables)
    across = max(
        1,
        round(
            (
                total
                * sum(_extent(puzzle, name)[3] + GAP for name in puzzle.tables)
                / len(puzzle.tables)
            )
            ** 0.5
        ),
    )
    x = y = deepest = 0.0
    for name in puzzle.tables:
        left, top, wide, high = _extent(puzzle, name)
        if x > across:
            x, y, deepest = 0.0, y + deepest + GAP, 0.0
        draw_table(picture, puzzle, name, (x - left, y - top), seated, stars, paints)
        x, deepest = x + wide + GAP, max(deepest, high)
    for rule in _not_kept(puzzle, placements):
        picture.note(f"not kept: {rule}", 0.28)
    return str(picture)


def _break_name(guest: str) -> list[str]:
    """A name in one line, or in two if it is long, as equal as its words allow."""
    words = guest.split()
    if len(guest) <= MAX_LETTERS or len(words) < 2:
        return [guest]
    ways = ([" ".join(words[:i]), " ".join(words[i:])] for i in range(1, len(words)))
    return min(ways, key=lambda lines: max(map(len, lines)))


def _extent(puzzle: SeatingData, name: str) -> tuple[float, float, float, float]:
    """Left, top, width and height of a table with its chairs and its name."""
    xs, ys = zip(*puzzle.shapes[name].places, strict=True)
    above = 0.0 if puzzle.shapes[name].top else 0.6
    left, top = min(xs) - WIDTH, min(ys) - HEIGHT - above
    return left, top, max(xs) + WIDTH - left, max(ys) + HEIGHT - top


def draw_table(
    picture: Picture,
    puzzle: SeatingData,
    name: str,
    at: tuple[float, float],
    seated: dict[Seat, str],
    stars: Collection[Seat],
    paints: dict[str, str],
) -> None:
    """Draw one table at a point of the picture."""
    dx, dy = at
    shape = puzzle.shapes[name]
    if shape.top:
        picture.polygon(
            [(x + dx, y + dy) for x, y in shape.top], "#f2e6cf", line="#a08860", width=0.03
        )
    xs, ys = zip(*(shape.top or shape.places), strict=True)
    middle = (
        (min(xs) + max(xs)) / 2 + dx,
        ((min(ys) + max(ys)) / 2 if shape.top else min(ys) - HEIGHT - 0.3) + dy,
    )
    if len(puzzle.tables) > 1:
        picture.text(middle, name, 0.3, fill="#6b5630", bold=True)
    # at which every name is narrower than a chair
    written = [
        line for number in shape.numbers for line in _break_name(seated.get((name, number), ""))
    ]
    size = min(0.3, 1.7 * WIDTH / max(1.0, *map(estimate_width, written)))
    for number, (x, y) in zip(shape.numbers, shape.places, strict=True):
        guest = seated.get((name, number), "")
        groups = puzzle.guests.get(guest, ())
        paint = paints[groups[0]] if groups else "#dfe8f2" if guest else "#ffffff"
        x, y = x + dx, y + dy
        corners = [
            (x - WIDTH, y - HEIGHT),
            (x + WIDTH, y - HEIGHT),
            (x + WIDTH, y + HEIGHT),
            (x - WIDTH, y + HEIGHT),
        ]
        picture.place((name, number), corners)
        picture.polygon(corners, paint, line="#777", width=0.02)
        picture.text((x - WIDTH + 0.14, y - HEIGHT + 0.13), str(number), 0.16)
        lines = _break_name(guest)
        for i, line in enumerate(lines):
            picture.text((x, y + 0.06 + 1.1 * size * (i - (len(lines) - 1) / 2)), line, size)
        if (name, number) in stars:
            picture.mark(corners)
