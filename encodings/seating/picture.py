"""Pictures of seatings: the tables with a chair at each seat, and the names on the chairs."""

import math
from collections.abc import Collection, Iterator, Sequence

from jigsat.encodings.seating.data import Kept, Rule, Seat, Seated, SeatingData, Wish
from jigsat.encodings.seating.tables import HEIGHT, WIDTH, Table

from jigsat.boards import Point
from jigsat.errors import printable
from jigsat.pictures import PALE, Part, Picture, fade_colour, swatches
from jigsat.pictures.pages import estimate_width
from jigsat.words import plural

GAP = 1.2  # distance between two tables
MAX_LETTERS = 7  # longer names of several words are written in two lines


def write_rules(puzzle: SeatingData) -> Iterator[str]:
    yield "Seat the listed guests, one on each chair. The numbers only name the chairs."
    if any(len(table.turns) > 1 for table in puzzle.shapes.values()):
        yield "Seatings that are turned or mirrored count as one."
    has_rules = puzzle.enforced and bool(puzzle.must)
    if has_rules:
        yield "All sentences under “Rules” are true of the seating."
    weights = {wish.weight for wish in puzzle.wishes}
    if weights == {1}:
        yield "Break as few of the wishes as possible."
    elif weights:
        yield (
            "A wish may be broken; this costs the number of points beside it. Find the seating "
            "that costs the fewest points in all."
        )
    yield f"Guests: {', '.join(puzzle.guests)}."
    for group, members in puzzle.groups.items():
        yield f"Group {group}: {', '.join(members)}."
    if has_rules:
        yield "\n".join(["Rules", *(f"{_write_rule(puzzle, rule)}." for rule in puzzle.must)])
    if weights:
        wishes = sorted(puzzle.wishes, key=lambda wish: -wish.weight)
        sentences = []
        for wish in wishes:
            points = "" if weights == {1} else f" ({plural(wish.weight, 'point')})"
            sentences.append(f"{_write_rule(puzzle, wish)}{points}.")
        yield "\n".join(["Wishes", *sentences])


def _write_rule(puzzle: SeatingData, rule: Rule) -> str:
    """A rule as the beginning of a sentence: 'The friends do not sit beside each other'."""
    words = str(rule)
    first = rule.guest or rule.names[0]
    return f"The {words}" if first in puzzle.groups and first[:1].islower() else words


def draw_parts(puzzle: SeatingData) -> list[Part]:
    """The empty tables."""
    return [Part(draw_svg(puzzle, []), 180.0)]


def _seat_names(placements: Collection[Seated | Kept]) -> dict[Seat, str]:
    names = {}
    for placement in placements:
        if isinstance(placement, Seated):
            names[placement.seat] = placement.guest
    return names


def _not_kept(puzzle: SeatingData, placements: Sequence[Seated | Kept]) -> list[str]:
    """The rules and wishes that a complete seating does not keep, in words."""
    if len(_seat_names(placements)) < len(puzzle.guests):
        return []
    kept = {placement.rule for placement in placements if isinstance(placement, Kept)}
    broken = []
    for place, rule in puzzle.every_rule.items():
        if place not in kept:
            broken.append(f"{rule} (a wish)" if isinstance(rule, Wish) else str(rule))
    return broken


def draw_text(
    puzzle: SeatingData, placements: Sequence[Seated | Kept], marked: Collection[Seated | Kept] = ()
) -> str:
    """The guests table by table, with the numbers of their seats."""
    guests = _seat_names(placements)
    marked_seats = _seat_names(marked)
    lines = []
    for name, shape in puzzle.tables.items():
        lines.append(f"{printable(name)} ({' '.join(shape.split())})")
        for number in puzzle.shapes[name].numbers:
            seat = name, number
            star = " *" if seat in marked_seats else ""
            lines.append(f"{number:4}  {printable(guests.get(seat, '–'))}{star}")
    for rule in _not_kept(puzzle, placements):
        lines.append(f"not kept: {printable(rule)}")
    for placement in marked:
        if isinstance(placement, Kept):
            lines.append(f"* {printable(str(puzzle.every_rule[placement.rule]))}")
    return "\n".join(lines)


def draw_svg(
    puzzle: SeatingData, placements: Sequence[Seated | Kept], marked: Collection[Seated | Kept] = ()
) -> str:
    """The tables as an SVG document, side by side in rows; a chair has the colour of its guest's
    first group."""
    picture = Picture(scale=60, margin=0.3)
    guests = _seat_names(placements)
    marked_seats = _seat_names(marked)
    colours = [fade_colour(colour) for colour in swatches()]
    paints = {}
    for i, group in enumerate(puzzle.groups):
        paints[group] = colours[i % len(colours)]

    x = y = deepest = 0.0
    row_width = _choose_row_width(puzzle)
    for name in puzzle.tables:
        left, top, width, height = _measure_table(puzzle, name)
        if x > row_width:
            x = 0.0
            y += deepest + GAP
            deepest = 0.0
        draw_table(picture, puzzle, name, (x - left, y - top), guests, marked_seats, paints)
        x += width + GAP
        deepest = max(deepest, height)
    for i, rule in enumerate(_not_kept(puzzle, placements)):
        picture.note(rule if i else f"not kept: {rule}", 0.28)
    return str(picture)


def _choose_row_width(puzzle: SeatingData) -> float:
    """A row of tables ends beyond this width, so that the picture is about as wide as high."""
    total_width = total_height = 0.0
    for name in puzzle.tables:
        _, _, width, height = _measure_table(puzzle, name)
        total_width += width + GAP
        total_height += height + GAP
    area = total_width * total_height / len(puzzle.tables)
    return max(1, round(math.sqrt(area)))


def _break_name(guest: str) -> list[str]:
    """A name in one line, or in two if it is long, as equal as its words allow."""
    words = guest.split()
    if len(guest) <= MAX_LETTERS or len(words) < 2:
        return [guest]
    ways = ([" ".join(words[:i]), " ".join(words[i:])] for i in range(1, len(words)))
    return min(ways, key=lambda lines: max(map(len, lines)))


def _measure_table(puzzle: SeatingData, name: str) -> tuple[float, float, float, float]:
    """Left, top, width and height of a table with its chairs and its name."""
    xs, ys = zip(*puzzle.shapes[name].places, strict=True)
    above = 0.0 if puzzle.shapes[name].top else 0.6
    left = min(xs) - WIDTH
    top = min(ys) - HEIGHT - above
    return left, top, max(xs) + WIDTH - left, max(ys) + HEIGHT - top


def draw_table(
    picture: Picture,
    puzzle: SeatingData,
    name: str,
    offset: tuple[float, float],
    guests: dict[Seat, str],
    marked: Collection[Seat],
    paints: dict[str, str],
) -> None:
    """Draw one table at a point of the picture."""
    dx, dy = offset
    shape = puzzle.shapes[name]
    if shape.top:
        top = [(x + dx, y + dy) for x, y in shape.top]
        picture.polygon(top, "#f2e6cf", line="#a08860", width=0.03)
    if len(puzzle.tables) > 1:
        x, y = _place_name(shape)
        picture.text((x + dx, y + dy), name, 0.3, fill="#6b5630", bold=True)

    # at which every name is narrower than a chair
    widest = 1.0
    for number in shape.numbers:
        for line in _break_name(guests.get((name, number), "")):
            widest = max(widest, estimate_width(line))
    size = min(0.3, 1.7 * WIDTH / widest)

    for number, (x, y) in zip(shape.numbers, shape.places, strict=True):
        seat = name, number
        corners = _draw_chair(picture, puzzle, seat, (x + dx, y + dy), guests, paints, size)
        if seat in marked:
            picture.mark(corners)


def _place_name(table: Table) -> Point:
    """The middle of the table top, or a point above the chairs if there is none."""
    xs, ys = zip(*(table.top or table.places), strict=True)
    x = (min(xs) + max(xs)) / 2
    if table.top:
        return x, (min(ys) + max(ys)) / 2
    return x, min(ys) - HEIGHT - 0.3


def _draw_chair(
    picture: Picture,
    puzzle: SeatingData,
    seat: Seat,
    centre: tuple[float, float],
    guests: dict[Seat, str],
    paints: dict[str, str],
    size: float,
) -> list[Point]:
    """Draw a chair with its number and its guest, whose name has letters of this size; returns its
    corners."""
    guest = guests.get(seat, "")
    groups = puzzle.guests.get(guest, ())
    paint = "#ffffff"
    if groups:
        paint = paints[groups[0]]
    elif guest:
        paint = "#dfe8f2"

    x, y = centre
    corners: list[Point] = [
        (x - WIDTH, y - HEIGHT),
        (x + WIDTH, y - HEIGHT),
        (x + WIDTH, y + HEIGHT),
        (x - WIDTH, y + HEIGHT),
    ]
    picture.place(seat, corners)
    picture.polygon(corners, paint, line="#777", width=0.02, kind=PALE if guest else "")
    _, number = seat
    picture.text((x - WIDTH + 0.15, y - HEIGHT + 0.14), str(number), 0.22)
    lines = _break_name(guest)
    for i, line in enumerate(lines):
        from_middle = 1.1 * size * (i - (len(lines) - 1) / 2)
        picture.text((x, y + 0.06 + from_middle), line, size)
    return corners
