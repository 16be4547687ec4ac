"""Marks of candidates on the places of a board, as text and in pictures, and tinted places."""

import json
import math
import re
from collections.abc import Collection, Hashable, Iterator, Mapping
from typing import NamedTuple
from xml.etree import ElementTree

from jigsat.boards import Point
from jigsat.pictures import between
from jigsat.pictures.pages import SVG, Drawing
from jigsat.questions import Candidates
from jigsat.study.playing import Candidate, Playing
from jigsat.symmetry import Placement

MAX_NAMED = 9  # pieces that are named on a small place; of more, their number is shown
MAX_NAME = 3  # characters of a name that is shown in a table
MIN_SIZE = 0.1  # size of texts on a place, as a part of its height, from which on they are shown
HEAT, HATCH, STRUCK = "#ffb000", "#8a93a6", "#e3001b"
CORNER = 0.35  # size of the upper left corner of a place, as a part of it
MOVED = 0.29  # how far a symbol is moved to make room for a number, as a part of the place
COOLEST, HOTTEST = 0.08, 0.5  # opacity of the heat
HATCH_OPACITY = 0.6
HATCHING = {
    "id": "hatch",
    "width": "12",
    "height": "12",
    "patternUnits": "userSpaceOnUse",
    "patternTransform": "rotate(45)",
}
TEXT = {"text-anchor": "middle", "dy": "0.35em", "fill": "#2b3a55"}
HALO = {"stroke": "white", "stroke-linejoin": "round", "paint-order": "stroke"}
"""Style of symbols that must be read on any colour."""


class Mark(NamedTuple):
    """What can be on a place: pieces, its heat from 0 to 1, whether a piece is certain, and whether
    one is not known.

    Where a place can only be empty or not, ● states that it is taken in all solutions, ○ in some, –
    in none, ? that this is not known.
    """

    texts: tuple[str, ...]
    heat: float
    certain: bool
    unknown: bool

    @property
    def short(self) -> tuple[str, ...]:
        """The names of the pieces, or their number if they are too many or too long for a small
        place."""
        small = len(self.texts) <= MAX_NAMED and all(len(text) <= MAX_NAME for text in self.texts)
        return self.texts if small else (str(len(self.texts)),)

    @property
    def is_symbol(self) -> bool:
        """Whether it is a symbol, and no list of pieces."""
        return any(text in "●○–?" for text in self.texts)

    @property
    def sign(self) -> str:
        """! if a piece is certain and ? if one is not known; the symbols say it themselves."""
        return "" if self.is_symbol else "!" * self.certain + "?" * self.unknown


def uses_pencil(playing: Playing) -> bool:
    """Whether the marks are pencil marks: whatever is put on a place takes it alone, in one way."""
    ways = playing.candidates.values()
    values = {(way.piece, way.places) for way in ways if len(way.places) == 1}
    return len(values) == len(ways)


def mark_places(playing: Playing, candidates: Candidates) -> dict[Hashable, Mark]:
    """The mark of each place of the board."""
    on_place: dict[Hashable, list[Candidate]] = {}
    for candidate in playing.candidates.values():
        for place in candidate.places:
            on_place.setdefault(place, []).append(candidate)
    possible = {place: _list_possible(several, candidates) for place, several in on_place.items()}
    most = max(map(len, possible.values()), default=0)
    toggles = all(len(several) == 1 for several in on_place.values())
    warms = most > 0 and not uses_pencil(playing)

    marks = {}
    for place, several in on_place.items():
        statuses = {
            candidates.statuses.get(candidate.placement, "unknown") for candidate in several
        }
        texts = possible[place]
        heat = len(texts) / most if warms else 0
        if toggles:
            texts = (_choose_symbol(statuses, possible=bool(texts)),)
        marks[place] = Mark(texts, heat, "all" in statuses, "unknown" in statuses)
    return marks


def _list_possible(several: Collection[Candidate], candidates: Candidates) -> tuple[str, ...]:
    """The pieces of those that are possible, each once."""
    pieces = {c.piece: None for c in several if c.placement in candidates.possible}
    return tuple(pieces)


def _choose_symbol(statuses: Collection[str], *, possible: bool) -> str:
    if "all" in statuses:
        return "●"
    if possible:
        return "○"
    return "?" if "unknown" in statuses else "–"


def list_legible(
    playing: Playing, candidates: Candidates, outlines: Mapping[str, list[Point]]
) -> set[Hashable]:
    """The places on which the names of all pieces that are possible can be read."""
    legible = set()
    for place, mark in mark_places(playing, candidates).items():
        outline = outlines.get(json.dumps(place))
        if outline and _is_legible(outline, mark.texts):
            legible.add(place)
    return legible


def draw_candidates(
    playing: Playing,
    candidates: Candidates,
    given: Collection[Placement] = (),
    struck: Collection[Placement] = (),
) -> str:
    """An SVG document of the puzzle with the given placements and marks on the other places.

    A place is the warmer, the more pieces are possible there, and hatched if it is not known
    whether some piece is possible. What is certain is bold. The marks of some placements may be
    struck out; a mark that only tells the number of pieces is not.
    """
    taken = {place for placement in given for place in playing.puzzle.board_places(placement)}
    struck_pieces = {
        (place, candidate.piece)
        for candidate in playing.candidates.values()
        if candidate.placement in struck
        for place in candidate.places
    }
    drawing = Drawing(ElementTree.fromstring(playing.puzzle.svg(list(given))))
    hatching = drawing.shape("pattern", **HATCHING)
    stripe = {"width": "3", "height": "12", "fill": HATCH}
    ElementTree.SubElement(hatching, f"{{{SVG}}}rect", stripe)

    outlines = read_places(drawing.root)
    printed_texts = list(_list_texts(drawing.root))
    for place, mark in mark_places(playing, candidates).items():
        outline = outlines.get(json.dumps(place))
        if place in taken or not outline:
            continue
        _colour_place(drawing, outline, mark)
        outline = _cut_off(outline, printed_texts)
        if mark.is_symbol and _has_text(outline, printed_texts):
            outline = _move_to_corner(outline)
        texts = mark.texts if _is_legible(outline, mark.texts) else mark.short
        out = [piece for piece in texts if (place, piece) in struck_pieces]
        _write(drawing, outline, texts, out, certain=mark.certain)
    return str(drawing)


def _colour_place(drawing: Drawing, outline: list[Point], mark: Mark) -> None:
    if mark.heat:
        _tint(drawing, outline, HEAT, COOLEST + (HOTTEST - COOLEST) * mark.heat)
    if mark.unknown:
        _tint(drawing, outline, f"url(#{HATCHING['id']})", HATCH_OPACITY)


def frame_places(picture: str, areas: Mapping[str, Collection[Hashable]]) -> str:
    """An SVG document in which the places of each colour have a frame; places that it does not have
    are ignored."""
    drawing = Drawing(ElementTree.fromstring(picture))
    outlines = read_places(drawing.root)
    for colour, places in areas.items():
        for name in dict.fromkeys(map(json.dumps, places)):
            if name not in outlines:
                continue
            outline = outlines[name]
            xs, ys = zip(*outline, strict=True)
            centre = sum(xs) / len(xs), sum(ys) / len(ys)
            # Close to the border, so that it covers no label along a side.
            width = 0.03 * min(max(xs) - min(xs), max(ys) - min(ys))
            inside = [between(point, centre, 0.05) for point in outline]
            drawing.shape(
                "polygon",
                points=" ".join(f"{x:.1f},{y:.1f}" for x, y in inside),
                fill="none",
                stroke=colour,
                stroke_width=f"{width:.1f}",
            )
    return str(drawing)


def read_places(picture: ElementTree.Element) -> dict[str, list[Point]]:
    """The outline of each place that a picture names, by the JSON of the place; the first
    counts."""
    outlines: dict[str, list[Point]] = {}
    for place, outline in json.loads(picture.get("data-places", "[]")):
        outlines.setdefault(json.dumps(place), outline)
    return outlines


def _tint(drawing: Drawing, outline: list[Point], fill: str, opacity: float) -> None:
    points = " ".join(f"{x:g},{y:g}" for x, y in outline)
    drawing.shape("polygon", points=points, fill=fill, fill_opacity=f"{opacity:.2g}")


def _list_texts(picture: ElementTree.Element) -> Iterator[tuple[float, float, float]]:
    """The position and the size of each text that is translated, such as the number of a slot."""
    for text in picture.iter(f"{{{SVG}}}text"):
        match = re.match(r"translate\(([-\d.]+),([-\d.]+)\)", text.get("transform", ""))
        if match:
            yield float(match[1]), float(match[2]), float(text.get("font-size", "0"))


def _cut_off(outline: list[Point], texts: Collection[tuple[float, float, float]]) -> list[Point]:
    """The part of a place below a small text in its upper left corner."""
    xs, ys = zip(*outline, strict=True)
    left, top = min(xs), min(ys)
    width, height = max(xs) - left, max(ys) - top
    for x, y, size in texts:
        is_left = 0 < (x - left) / width < CORNER
        is_high = 0 < (y - top) / height < CORNER
        if is_left and is_high:
            below_text = min(y + 0.4 * size, top + 0.5 * height)
            return [(px, max(py, below_text)) for px, py in outline]
    return outline


def _has_text(outline: list[Point], texts: Collection[tuple[float, float, float]]) -> bool:
    """Whether a text is in the middle of a place, such as the number of a room."""
    xs, ys = zip(*outline, strict=True)
    width, height = max(xs) - min(xs), max(ys) - min(ys)
    for x, y, _ in texts:
        right, down = (x - min(xs)) / width, (y - min(ys)) / height
        if CORNER <= right <= 1 - CORNER and CORNER <= down <= 1 - CORNER:
            return True
    return False


def _move_to_corner(outline: list[Point]) -> list[Point]:
    """An outline whose middle is near the lower right corner of a place."""
    xs, ys = zip(*outline, strict=True)
    right, down = MOVED * (max(xs) - min(xs)), MOVED * (max(ys) - min(ys))
    return [(x + right, y + down) for x, y in outline]


def _arrange(outline: list[Point], texts: Collection[str]) -> tuple[float, int]:
    """The largest size of texts on a place, as a part of its height, and the number of their
    columns."""
    if not texts:
        return 1.0, 1
    xs, ys = zip(*outline, strict=True)
    breadth = (max(xs) - min(xs)) / (max(ys) - min(ys))
    widest = 1.15 * breadth / max(map(len, texts))  # size of the longest text, if it is alone
    ways = []
    for columns in range(1, len(texts) + 1):
        rows = math.ceil(len(texts) / columns)
        ways.append((min(widest / columns, 0.78 / rows), columns))
    return max(ways)


def _is_legible(outline: list[Point], texts: Collection[str]) -> bool:
    """Whether all texts can be read on a place."""
    size, _ = _arrange(outline, texts)
    return size >= MIN_SIZE


def _write(
    drawing: Drawing,
    outline: list[Point],
    texts: Collection[str],
    struck: Collection[str],
    *,
    certain: bool,
) -> None:
    """Write texts on a place in rows, larger and bold if they are certain, and strike some out."""
    xs, ys = zip(*outline, strict=True)
    width, height = max(xs) - min(xs), max(ys) - min(ys)
    largest, columns = _arrange(outline, texts)
    rows = max(1, math.ceil(len(texts) / columns))
    across, down = 0.82 * width / columns, 0.82 * height / rows
    left = sum(xs) / len(xs) - across * (columns - 1) / 2
    top = sum(ys) / len(ys) - 0.82 * height / 2 + down / 2

    size = min(largest * height, height * (0.6 if certain else 0.34))
    style = {
        **TEXT,
        **(HALO if set(texts) <= set("●○–") else {}),
        "stroke-width": f"{0.2 * size:.1f}",
        "font-size": f"{size:.1f}",
        "font-weight": "bold" if certain else "normal",
    }
    for number, text in enumerate(texts):
        row, column = divmod(number, columns)
        x, y = left + across * column, top + down * row
        drawing.shape("text", content=text, x=f"{x:.1f}", y=f"{y:.1f}", **style)
        if text in struck:
            reach = 0.3 * size * (len(text) + 0.4)
            up = 0.3 * size
            ends = {"x1": x - reach, "y1": y + up, "x2": x + reach, "y2": y - up}
            line = {name: f"{value:.1f}" for name, value in ends.items()}
            drawing.shape("line", **line, stroke=STRUCK, stroke_width=f"{0.1 * size:.1f}")
