"""Marks of candidates on the places of a board, as text and in pictures, and tinted places."""

import json
import math
from collections.abc import Collection, Hashable, Mapping
from typing import NamedTuple
from xml.etree import ElementTree

from jigsat.boards import Point
from jigsat.pictures import between
from jigsat.pictures.pages import SVG, Drawing
from jigsat.study.candidates import Candidates
from jigsat.study.playing import Candidate, Playing
from jigsat.symmetry import Placement

MAX_NAMED = 9  # pieces that are named on a small place; of more, their number is shown
MAX_NAME = 3  # characters of a name that is shown in a table
MIN_SIZE = 0.1  # size of texts on a place, as a part of its height, from which on they are shown
HEAT, HATCH, STRUCK = "#ffb000", "#8a93a6", "#e3001b"
COOLEST, HOTTEST = 0.08, 0.5  # opacity of the heat
HATCHING = {
    "id": "hatch",
    "width": "12",
    "height": "12",
    "patternUnits": "userSpaceOnUse",
    "patternTransform": "rotate(45)",
}
TEXT = {"text-anchor": "middle", "dy": "0.35em", "fill": "#2b3a55"}
# around symbols on any colour
HALO = {
    "stroke": "white",
    "stroke-linejoin": "round",
    "paint-order": "stroke",
}


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
    return len({(each.piece, each.places) for each in ways if len(each.places) == 1}) == len(ways)


def mark_places(playing: Playing, found: Candidates) -> dict[Hashable, Mark]:
    """The mark of each place of the board."""
    ways = playing.candidates.values()
    at: dict[Hashable, list[Candidate]] = {}
    for each in ways:
        for place in each.places:
            at.setdefault(place, []).append(each)
    toggles = all(len(here) == 1 for here in at.values())
    pencil = uses_pencil(playing)
    possible = {
        place: tuple(dict.fromkeys(each.piece for each in here if each.placement in found.possible))
        for place, here in at.items()
    }
    most, marks = max(map(len, possible.values()), default=0), {}
    for place, here in at.items():
        statuses = {found.statuses.get(each.placement, "unknown") for each in here}
        certain, unknown, texts = "all" in statuses, "unknown" in statuses, possible[place]
        symbol = "●" if certain else "○" if texts else "?" if unknown else "–"
        heat = 0 if pencil or not most else len(texts) / most
        marks[place] = Mark((symbol,) if toggles else texts, heat, certain, unknown)
    return marks


def list_legible(
    playing: Playing, found: Candidates, outlines: Mapping[str, list[Point]]
) -> set[Hashable]:
    """The places on which the names of all pieces that are possible can be read."""
    marks = (
        (place, mark, outlines.get(json.dumps(place)))
        for place, mark in mark_places(playing, found).items()
    )
    return {
        place
        for place, mark, outline in marks
        if outline and _arrange(outline, mark.texts)[0] >= MIN_SIZE
    }


def draw_candidates(
    playing: Playing,
    found: Candidates,
    given: Collection[Placement] = (),
    struck: Collection[Placement] = (),
) -> str:
    """An SVG document of the puzzle with the given placements and marks on the other places.

    A place is warmer for more pieces, and hatched if something is not known about it. The marks of
    some placements may be struck out.
    """
    taken = {place for placement in given for place in playing.puzzle.board_places(placement)}
    drawing = Drawing(ElementTree.fromstring(playing.puzzle.svg(list(given))))
    out = {
        (place, each.piece)
        for each in playing.candidates.values()
        if each.placement in struck
        for place in each.places
    }
    hatching = drawing.shape("pattern", **HATCHING)
    ElementTree.SubElement(
        hatching, f"{{{SVG}}}rect", {"width": "3", "height": "12", "fill": HATCH}
    )
    outlines = read_places(drawing.root)
    for place, mark in mark_places(playing, found).items():
        if place not in taken and (outline := outlines.get(json.dumps(place))):
            if mark.heat:
                _tint(drawing, outline, HEAT, COOLEST + (HOTTEST - COOLEST) * mark.heat)
            if mark.unknown:
                _tint(drawing, outline, "url(#hatch)", 0.6)
            small = _arrange(outline, mark.texts)[0] < MIN_SIZE
            texts = mark.short if small else mark.texts
            _write(
                drawing,
                outline,
                texts,
                [text for text in texts if (place, text) in out],
                certain=mark.certain,
            )
    return str(drawing)


def frame_places(picture: str, areas: Mapping[str, Collection[Hashable]]) -> str:
    """An SVG document in which the places of each colour have a frame; places that it does not have
    are ignored."""
    drawing = Drawing(ElementTree.fromstring(picture))
    outlines = read_places(drawing.root)
    for colour, places in areas.items():
        for name in dict.fromkeys(map(json.dumps, places)):
            outline = outlines.get(name, [])
            xs, ys = zip(*outline, strict=True) if outline else ((0.0,), (0.0,))
            centre, width = (
                (sum(xs) / len(xs), sum(ys) / len(ys)),
                0.04 * min(max(xs) - min(xs), max(ys) - min(ys)),
            )
            points = " ".join(
                f"{x:.1f},{y:.1f}" for x, y in (between(point, centre, 0.11) for point in outline)
            )
            drawing.shape(
                "polygon", points=points, fill="none", stroke=colour, stroke_width=f"{width:.1f}"
            )
    return str(drawing)


def read_places(picture: ElementTree.Element) -> dict[str, list[Point]]:
    """The outline of each place that a picture names, by the JSON of the place; the first
    counts."""
    return dict(
        reversed(
            [
                (json.dumps(place), outline)
                for place, outline in json.loads(picture.get("data-places", "[]"))
            ]
        )
    )


def _tint(drawing: Drawing, outline: list[Point], fill: str, opacity: float) -> None:
    points = " ".join(f"{x:g},{y:g}" for x, y in outline)
    drawing.shape("polygon", points=points, fill=fill, fill_opacity=f"{opacity:.2g}")


def _arrange(outline: list[Point], texts: Collection[str]) -> tuple[float, int]:
    """The largest size of texts on a place, as a part of its height, and the number of their
    columns."""
    xs, ys = zip(*outline, strict=True)
    across, number = (
        1.15 * (max(xs) - min(xs)) / (max(ys) - min(ys)) / max(map(len, texts), default=1),
        len(texts),
    )
    ways = (
        (min(across / columns, 0.78 / math.ceil(number / columns)), columns)
        for columns in range(1, number + 1)
    )
    return max(ways, default=(1.0, 1))


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
    across, down = 0.82 * width / columns, 0.82 * height / max(1, math.ceil(len(texts) / columns))
    size = min(largest * height, height * (0.6 if certain else 0.34))
    style = {
        **TEXT,
        **(HALO if set(texts) <= set("●○–") else {}),
        "stroke-width": f"{0.2 * size:.1f}",
        "font-size": f"{size:.1f}",
        "font-weight": "bold" if certain else "normal",
    }
    left, top = (
        sum(xs) / len(xs) - across * (columns - 1) / 2,
        sum(ys) / len(ys) - 0.82 * height / 2 + down / 2,
    )
    for number, text in enumerate(texts):
        x, y = left + across * (number % columns), top + down * (number // columns)
        drawing.shape("text", content=text, x=f"{x:.1f}", y=f"{y:.1f}", **style)
        if text in struck:
            reach, up = 0.3 * size * (len(text) + 0.4), 0.3 * size
            ends = {"x1": x - reach, "y1": y + up, "x2": x + reach, "y2": y - up}
            line = {name: f"{value:.1f}" for name, value in ends.items()}
            drawing.shape("line", **line, stroke=STRUCK, stroke_width=f"{0.13 * size:.1f}")
